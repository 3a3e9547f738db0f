/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/parse_helpers.h"

static void
assert_round_trip (const Program *p)
{
  g_autoptr (Arena) a = arena_new ();
  const char *difference = NULL;
  const char *text = program_print (a, p);
  g_autoptr (Reading) again = read_litmus (text);
  program_equal (p, again->program, &difference);
  g_assert_cmpstr (difference, ==, NULL);
  g_assert_cmpstr (program_print (a, again->program), ==, text);
}

/* The layout, by hand. */
static void
test_layout (void)
{
  g_autoptr (Reading) r = read_litmus (
      "PTX everything\n\"a\" \"b\"\n{ uint64_t p = &x; x=1; y @ generic aliases x; .shared s;\n"
      "P1:r7=0; P0:r0=&x; P0:r1=3; }\n"
      "P0@gpu 0,cta 0 | P1@cta 0,gpu 0,warp 4 ;\n"
      "a: b: ld.relaxed.gpu.s32 r2, [r0+4] | st.volatile y, r0 ;\n"
      "beq r2, -1, b | atom.cas.gpu.acquire _, [x], 1, 2 ;\n"
      "mov r3, &x+4 | red.add s, 1 ;\n"
      "goto c | bar.cta.arrive 1, r1, 32 ;\n"
      "c: | ld.mmio r0, x ;\n"
      "locations [P0:r2; y;]\nfilter x=1\nexists (x=1 /\\ (y=1 || P1:r7 != 0))\n");
  g_autoptr (Arena) a = arena_new ();
  g_assert_cmpstr (program_print (a, r->program), ==,
                   "PTX everything\n"
                   "\"a\nb\"\n"
                   "{\n"
                   ".u64 p=&x;\n"
                   "x=1;\n"
                   "y @ generic aliases x;\n"
                   ".shared s=0;\n"
                   "P0:r0=&x;\n"
                   "P0:r1=3;\n"
                   "P1:r7=0;\n"
                   "}\n"
                   " P0@cta 0,gpu 0                | P1@cta 0,gpu 0,warp 4           ;\n"
                   " a:                            | st.volatile y, r0               ;\n"
                   " ld.relaxed.gpu.s32 r2, [r0+4] | atom.acquire.gpu.cas _, x, 1, 2 ;\n"
                   " beq r2, 4294967295, a         | red.relaxed.gpu.add s, 1        ;\n"
                   " mov r3, &x+4                  | bar.cta.arrive 1, r1, 32        ;\n"
                   " goto c                        | ld.mmio.relaxed.sys r0, x       ;\n"
                   " c:                            |                                 ;\n"
                   "locations [P0:r2;]\n"
                   "filter (x == 1)\n"
                   "exists (x == 1 /\\ (y == 1 \\/ P1:r7 != 0))\n");
}

/* Each is printed so that reading it again gives the same. */
static void
test_round_trips (void)
{
  static const struct {
    const char *init;
    const char *insns;
    const char *question;
  } cases[] = {
    { "x=0;", "", "exists (x == 0)" },
    { "", " ld.weak r0, x ;", "locations [P0:r0;]" },
    { "x=0; P0:r5=0;", " st x, 1 ;", "exists (P0:r5 == 0)" },
    { "x=-1; uint64_t y=-1;", " ld r0, y ;\n add.u64 r1, r0, -1 ;", "exists (P0:r1 == -2)" },
    { "a=&d; b=&c; e=0; P0:r0=&f;", " st g, 1 ;", "exists (h == 0)" },
    { "a=&d; b=&c; c=&a;", " st g, 1 ;", "exists (h == 0)" },
    { "p=&q; q=&p;", " ld r0, [r1-8] ;\n st p, &q+16 ;", "forall (p == &q \\/ q == &p-4)" },
    { "s @ surface aliases y; y @ generic aliases x; x=0; t @ surface aliases y;",
      " sust s, 1 ;\n sust t, 2 ;\n ld r0, y ;\n st x, 1 ;", "exists (s == 1)" },
    { "x=0;", " L1: L2: bge.s64 %a, -1, L3 ;\n L3: mul.lo.u32 %b, %a, 3 ;\n goto L2 ;",
      "~exists (false)" },
    { "x=0;",
      " ld.volatile.shared r0, x ;\n fence.proxy.async ;\n membar.gl ;\n red.min.s32 x, -5 ;",
      "filter true exists (~(x == 1) /\\ ~(x = 2 /\\ x = 3))" },
    { "x=0;", " bar.cta.sync 18446744073709551615, -1 ;", "exists (x != -1)" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Reading) r = read_thread (cases[i].init, cases[i].insns, cases[i].question);
    assert_round_trip (r->program);
  }
}

/* A name is chosen among those of one virtual address by the proxy of the access. */
static void
test_names_of_aliases (void)
{
  g_autoptr (Reading) r
      = read_thread ("x=0; s @ surface aliases x; t @ texture aliases x;",
                     " sust t, 1 ;\n tld r0, x ;\n ld r1, s ;", "exists (x == 1)");
  const Thread *t = &r->program->threads[0];
  static const char *const wanted[] = { "sust.weak s, 1", "tld.weak r0, t", "ld.weak r1, x" };
  for (unsigned i = 0; i < t->insn_count; i++)
    g_assert_cmpstr (insn_print (r->arena, r->program, t, &t->insns[i]), ==, wanted[i]);
}

/* ---- Equality -----------------------------------------------------------------------------
 */

#define BASE "PTX t\n\"d\"\n{ x=0; y=0; P0:r0=0; }\nP0@cta 0,gpu 0 ;\n"
#define TAIL "locations [P0:r0;]\nfilter (x == 0)\nexists (y == 0)\n"

static void
test_differences (void)
{
  static const char *const base = BASE "a: ld.weak r0, x ;\ngoto a ;\n" TAIL;
  static const struct {
    const char *text;
    const char *difference;
  } cases[] = {
    { BASE "a: ld.weak r0, [x] ;\ngoto a ;\n" TAIL, NULL },
    { "PTX u\n\"d\"\n{ x=0; y=0; }\nP0@cta 0,gpu 0 ;\na: ld r0, x ;\ngoto a ;\n" TAIL,
      "the name" },
    { "PTX t\n{ x=0; y=0; }\nP0@cta 0,gpu 0 ;\na: ld r0, x ;\ngoto a ;\n" TAIL,
      "the description" },
    { "PTX t\n\"d\"\n{ x=1; y=0; }\nP0@cta 0,gpu 0 ;\na: ld r0, x ;\ngoto a ;\n" TAIL,
      "an object" },
    { "PTX t\n\"d\"\n{ x=0; y @ generic aliases x; }\nP0@cta 0,gpu 0 ;\na: ld r0, x ;\ngoto a "
      ";\n" TAIL,
      "the number of locations" },
    { "PTX t\n\"d\"\n{ x=0; y=0; }\nP0@cta 0,gpu 0,warp 1 ;\na: ld r0, x ;\ngoto a ;\n" TAIL,
      "the header of a thread" },
    { "PTX t\n\"d\"\n{ x=0; y=0; P0:r0=1; }\nP0@cta 0,gpu 0 ;\na: ld r0, x ;\ngoto a ;\n" TAIL,
      "a register" },
    { BASE "a: ld.acquire.gpu r0, x ;\ngoto a ;\n" TAIL, "an instruction" },
    { BASE "a: ld.u32 r0, x ;\ngoto a ;\n" TAIL, "an instruction" },
    { BASE "a: ld r0, y ;\ngoto a ;\n" TAIL, "an instruction" },
    { BASE "a: ld r0, x ;\nb: goto b ;\n" TAIL, "an instruction" },
    { BASE "b: ld r0, x ;\ngoto b ;\n" TAIL, "a label" },
    { BASE "a: ld r0, x ;\n" TAIL, "the number of instructions" },
    { BASE
      "a: ld.weak r0, x ;\ngoto a ;\nlocations [P0:r0;]\nfilter (x == 0)\nforall (y == 0)\n",
      "the condition" },
    { BASE
      "a: ld.weak r0, x ;\ngoto a ;\nlocations [P0:r0;]\nfilter (x == 0)\nexists (y == 1)\n",
      "the condition" },
    { BASE
      "a: ld.weak r0, x ;\ngoto a ;\nlocations [P0:r0;]\nfilter (x != 0)\nexists (y == 0)\n",
      "the filter" },
    { BASE "a: ld.weak r0, x ;\ngoto a ;\nfilter (x == 0)\nexists (y == 0)\n",
      "the number of observed values" },
  };
  g_autoptr (Reading) a = read_litmus (base);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *difference = NULL;
    g_autoptr (Reading) b = read_litmus (cases[i].text);
    bool equal = program_equal (a->program, b->program, &difference);
    g_assert_cmpstr (difference, ==, cases[i].difference);
    g_assert_true (equal == (cases[i].difference == NULL));
    g_assert_true (program_equal (a->program, b->program, NULL) == equal);
  }
}

/* Two programs of one instruction that differ in one thing. */
static void
test_different_instructions (void)
{
  static const char *const pairs[][2] = {
    { "ld r1, [r0+4]", "ld r1, [r0+8]" },
    { "ld.volatile r1, x", "ld.relaxed.sys r1, x" },
    { "ld.mmio r1, x", "ld.relaxed.sys r1, x" },
    { "ld.weak r1, x", "suld.weak r1, x" },
    { "ld.relaxed.gpu r1, x", "ld.relaxed.cta r1, x" },
    { "st x, 1", "st x, 2" },
    { "st x, &x", "st x, &x+4" },
    { "atom.add r1, x, 1", "atom.add _, x, 1" },
    { "atom.add r1, x, 1", "atom.sub r1, x, 1" },
    { "atom.cas r1, x, 1, 2", "atom.cas r1, x, 1, 3" },
    { "add r1, r1, 1", "sub r1, r1, 1" },
    { "add.u32 r1, r1, 1", "add.s32 r1, r1, 1" },
    { "fence.proxy.alias", "fence.proxy.async" },
    { "bar.cta.sync 1, 2, 3", "bar.cta.arrive 1, 2, 3" },
    { "bar.cta.sync 1, 2, 3", "bar.cta.sync 2, 2, 3" },
    { "bar.cta.sync 1, 2, 3", "bar.cta.sync 1, 3, 3" },
    { "bar.cta.sync 1, 2, 3", "bar.cta.sync 1, 2" },
    { "beq r1, 0, end", "bne r1, 0, end" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++) {
    const char *difference = NULL;
    g_autofree char *first = g_strdup_printf (" %s ;\n end: ;", pairs[i][0]);
    g_autofree char *second = g_strdup_printf (" %s ;\n end: ;", pairs[i][1]);
    const char *init = "x=0; P0:r0=0; P0:r1=0;";
    g_autoptr (Reading) a = read_thread (init, first, "exists (x == 0)");
    g_autoptr (Reading) b = read_thread (init, second, "exists (x == 0)");
    program_equal (a->program, b->program, &difference);
    g_assert_cmpstr (difference, ==, "an instruction");
  }
}

/* ---- Other people's tests -----------------------------------------------------------------
 */

static void
check_public_file (const char *path)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_test_message ("%s", path);
  g_autoptr (Reading) r = read_good (path, text, length);
  for (unsigned i = 0; i < r->count; i++)
    assert_round_trip (r->programs[i]);
}

static void
test_public_files (void)
{
  const char *root = g_getenv ("PTXMM_CONFORMANCE");
  if (root == NULL) {
    g_test_skip ("PTXMM_CONFORMANCE is not set");
    return;
  }
  g_assert_cmpuint (for_each_file (root, ".litmus", check_public_file), >=, 408);
  g_assert_cmpuint (for_each_file (root, ".test", check_public_file), >=, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/litmus/print/layout", test_layout);
  g_test_add_func ("/litmus/print/round-trips", test_round_trips);
  g_test_add_func ("/litmus/print/names-of-aliases", test_names_of_aliases);
  g_test_add_func ("/litmus/print/differences", test_differences);
  g_test_add_func ("/litmus/print/different-instructions", test_different_instructions);
  g_test_add_func ("/litmus/print/public-files", test_public_files);
  return g_test_run ();
}
