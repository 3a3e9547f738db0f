/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "litmus/generate.h"
#include "litmus/litmus_parse.h"

static const Program *
parse (Arena *a, const char *text)
{
  Source *source = arena_new_of (a, Source);
  *source = (Source){ "generated.litmus", text, strlen (text) };
  return litmus_parse (a, source, diags_new (a));
}

static void
test_every_test_parses (void)
{
  bool fences = false, barriers = false, aliases = false, clusters = false, loops = false;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    g_autoptr (Arena) a = arena_new ();
    const char *text = generate_text (a, generate_test (a, seed, &gen_everything));
    const Program *p = parse (a, text);
    g_test_message ("seed %" G_GUINT64_FORMAT, seed);
    g_assert_nonnull (p);
    g_assert_cmpuint (p->thread_count, >=, 2);
    g_assert_cmpuint (p->thread_count, <=, 4);
    fences |= strstr (text, "fence.sc") != NULL;
    barriers |= strstr (text, "bar.cta.sync") != NULL;
    aliases |= strstr (text, "aliases") != NULL;
    clusters |= p->has_clusters;
    loops |= strstr (text, "LC50:") != NULL;
  }
  g_assert_true (fences && barriers && aliases && clusters && loops);
}

static void
test_same_seed_same_test (void)
{
  g_autoptr (Arena) a = arena_new ();
  const char *first = generate_text (a, generate_test (a, 77, &gen_everything));
  const char *again = generate_text (a, generate_test (a, 77, &gen_everything));
  const char *other = generate_text (a, generate_test (a, 78, &gen_everything));
  g_assert_cmpstr (first, ==, again);
  g_assert_cmpstr (first, !=, other);
}

static void
test_options_exclude (void)
{
  static const GenOptions plain = { 2, 3, false, false, false, false };
  for (uint64_t seed = 1; seed <= 200; seed++) {
    g_autoptr (Arena) a = arena_new ();
    const char *text = generate_text (a, generate_test (a, seed, &plain));
    g_assert_null (strstr (text, "bar."));
    g_assert_null (strstr (text, "proxy"));
    g_assert_null (strstr (text, "aliases"));
    g_assert_null (strstr (text, "LC"));
    g_assert_null (strstr (text, "cluster"));
  }
}

/* A stand-in for a failure: a fence.sc and a load in one test. */
static bool
has_fence_and_load (void *ctx, const char *text)
{
  (*(unsigned *) ctx)++;
  return strstr (text, "fence.sc") != NULL && strstr (text, "ld.") != NULL;
}

static void
test_shrinks_to_the_core (void)
{
  unsigned tried = 0, calls = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    g_autoptr (Arena) a = arena_new ();
    const GenTest *test = generate_test (a, seed, &gen_everything);
    if (!has_fence_and_load (&calls, generate_text (a, test)))
      continue;
    const char *text = generate_text (a, generate_shrink (a, test, has_fence_and_load, &calls));
    const Program *p = parse (a, text);
    unsigned instructions = 0;
    g_assert_nonnull (p);
    for (unsigned t = 0; t < p->thread_count; t++)
      instructions += p->threads[t].insn_count;
    g_assert_true (has_fence_and_load (&calls, text));
    /* A spin is one statement of two instructions. */
    g_assert_cmpuint (instructions, <=, 3);
    tried++;
  }
  g_assert_cmpuint (tried, >, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/litmus/generate/every-test-parses", test_every_test_parses);
  g_test_add_func ("/litmus/generate/same-seed-same-test", test_same_seed_same_test);
  g_test_add_func ("/litmus/generate/options-exclude", test_options_exclude);
  g_test_add_func ("/litmus/generate/shrinks-to-the-core", test_shrinks_to_the_core);
  return g_test_run ();
}
