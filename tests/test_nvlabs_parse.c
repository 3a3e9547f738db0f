/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/parse_helpers.h"

static Reading *
read_nvlabs (const char *name, const char *text)
{
  return read_good (name, text, strlen (text));
}

static void
test_one_test (void)
{
  g_autoptr (Reading) r = read_nvlabs (
      "some/folder/ISA2.test", "// message passing over two flags\n"
                               ".global x;\n.global flag;\n"
                               "d0.b0.t0 {\n  st [x], 42;\n  st.release.gpu [flag], 1;\n}\n"
                               "d0.b1.t0 {\n  ld.acquire.gpu r0, [flag] == 1;\n"
                               "  ld r1, [x];\n}\n"
                               "assert (r1 == 42) as outcome;\n");
  const Program *p = r->program;
  g_assert_cmpuint (r->count, ==, 1);
  g_assert_cmpstr (p->name, ==, "ISA2/outcome");
  g_assert_cmpuint (p->thread_count, ==, 2);
  g_assert_cmpuint (p->threads[1].place.cta, ==, 1);
  g_assert_false (placement_same_cta (&p->threads[0].place, &p->threads[1].place));
  g_assert_cmpint (p->threads[0].insns[0].sem, ==, SEM_WEAK);
  g_assert_cmpint (p->threads[0].insns[1].sem, ==, SEM_RELEASE);
  g_assert_cmpint (p->quantifier, ==, QUANT_FORALL);
  g_assert_cmpstr (p->condition_text, ==, "P1:r1 == 42");
  g_assert_cmpstr (cond_print (r->arena, p, p->filter), ==, "P1:r0 == 1");
  g_assert_cmpuint (p->observed_count, ==, 2);
}

static void
test_placement (void)
{
  g_autoptr (Reading) r = read_nvlabs ("t.test", ".global x;\n"
                                                 "d0.b0.t0 { st [x], 1; }\n"
                                                 "d1.b0.t0 { st [x], 2; }\n"
                                                 "d0.b0.t1 { st [x], 3; }\n"
                                                 "d0.b0.t0 { ld r0, [x]; }\n"
                                                 "permit (r0 == 1) as c;\n");
  const Thread *t = r->program->threads;
  g_assert_cmpuint (r->program->thread_count, ==, 3);
  g_assert_cmpuint (t[0].insn_count, ==, 2);
  g_assert_cmpuint (t[1].place.gpu, ==, 1);
  g_assert_false (placement_same_cta (&t[0].place, &t[1].place));
  g_assert_true (placement_same_cta (&t[0].place, &t[2].place));
}

/* Synonyms as in MP_gpu_synonym: c and x are one virtual address, s, t and y another. */
static void
test_aliases (void)
{
  g_autoptr (Reading) r
      = read_nvlabs ("t.test", ".global x;\n"
                               ".global y physically aliases x;\n"
                               ".surfref c virtually aliases x;\n"
                               ".surfref s virtually aliases y;\n"
                               ".texref t virtually aliases y;\n"
                               ".shared z;\n"
                               "d0.b0.t0 { sust [c], 1; tld r0, [t]; ldc r1, [y]; }\n"
                               "permit (r0 != 1) as c;\n");
  const Program *p = r->program;
  static const unsigned mappings[] = { 0, 2, 0, 2, 2, 1 };
  g_assert_cmpuint (p->object_count, ==, 2);
  g_assert_cmpuint (p->location_count, ==, G_N_ELEMENTS (mappings));
  for (unsigned l = 0; l < p->location_count; l++)
    g_assert_cmpuint (p->locations[l].mapping, ==, mappings[l]);
  g_assert_cmpint (p->objects[1].space, ==, SPACE_SHARED);
  g_assert_cmpint (p->threads[0].insns[0].proxy, ==, PROXY_SURFACE);
  g_assert_cmpint (p->threads[0].insns[1].proxy, ==, PROXY_TEXTURE);
  g_assert_cmpint (p->threads[0].insns[2].proxy, ==, PROXY_CONSTANT);
}

static void
test_fences (void)
{
  static const struct {
    const char *text;
    InsnKind kind;
    ProxyFence fence;
  } cases[] = {
    { "fence.sc.cta", INSN_FENCE, 0 },
    { "fence.proxy.alias", INSN_PROXY_FENCE, PFENCE_ALIAS },
    { "fence.alias", INSN_PROXY_FENCE, PFENCE_ALIAS },
    { "fence.proxy.texture", INSN_PROXY_FENCE, PFENCE_TEXTURE },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf (
        ".global x;\nd0.b0.t0 { %s; }\npermit (0 == 0) as c;\n", cases[i].text);
    g_autoptr (Reading) r = read_nvlabs ("t.test", text);
    const Insn *insn = &r->program->threads[0].insns[0];
    g_assert_cmpint (insn->kind, ==, cases[i].kind);
    if (insn->kind == INSN_PROXY_FENCE)
      g_assert_cmpint (insn->op.pfence, ==, cases[i].fence);
  }
}

static void
test_volatile (void)
{
  g_autoptr (Reading) r = read_nvlabs (
      "t.test", ".global x;\nd0.b0.t0 { ld.volatile r1, [x]; }\npermit (r1 != 2) as c;\n");
  const Insn *insn = &r->program->threads[0].insns[0];
  g_assert_true (insn->is_volatile);
  g_assert_cmpint (insn->sem, ==, SEM_RELAXED);
  g_assert_cmpint (insn->scope, ==, SCOPE_SYS);
}

static void
test_commands (void)
{
  g_autoptr (Reading) r
      = read_nvlabs ("t.test", ".global x;\n"
                               "d0.b0.t0 { ld r0, [x]; ld r1, [x]; }\n"
                               "permit (r0 == 1 && r1 == 0 || not r0 == 2) as a;\n"
                               "check (r1 == 0) as b;\n"
                               "assert (r0 != 1) as c;\n");
  static const struct {
    const char *name;
    Quantifier quantifier;
    const char *condition;
    unsigned observed;
  } wanted[] = {
    { "t/a", QUANT_EXISTS, "P0:r0 == 1 /\\ P0:r1 == 0 \\/ ~(P0:r0 == 2)", 2 },
    { "t/b", QUANT_FORALL, "P0:r1 == 0", 1 },
    { "t/c", QUANT_FORALL, "P0:r0 != 1", 1 },
  };
  g_assert_cmpuint (r->count, ==, G_N_ELEMENTS (wanted));
  for (unsigned i = 0; i < r->count; i++) {
    g_assert_cmpstr (r->programs[i]->name, ==, wanted[i].name);
    g_assert_cmpint (r->programs[i]->quantifier, ==, wanted[i].quantifier);
    g_assert_cmpstr (r->programs[i]->condition_text, ==, wanted[i].condition);
    g_assert_cmpuint (r->programs[i]->observed_count, ==, wanted[i].observed);
  }
}

static const char template_text[] = ".global x;\n"
                                    "d0.b0.t0 {\n"
                                    "  $0, 1;\n"
                                    "  $1\n"
                                    "  ld r0, [x];\n"
                                    "}\n"
                                    "$2 (r0 $3 1) as r0;\n"
                                    "$$\n"
                                    "\n"
                                    "st [x] | | assert | ==\n"
                                    "# st [x] | nonsense\n"
                                    "sust [x] | fence.sc.gpu; fence.alias; | permit | !=\n";

static void
test_template (void)
{
  g_autoptr (Reading) r = read_nvlabs ("CoWR.test", template_text);
  g_assert_cmpuint (r->count, ==, 2);
  g_assert_cmpstr (r->programs[0]->name, ==, "CoWR/r0#1");
  g_assert_cmpstr (r->programs[1]->name, ==, "CoWR/r0#2");
  g_assert_cmpuint (r->programs[0]->threads[0].insn_count, ==, 2);
  g_assert_cmpuint (r->programs[1]->threads[0].insn_count, ==, 4);
  g_assert_cmpint (r->programs[0]->quantifier, ==, QUANT_FORALL);
  g_assert_cmpstr (r->programs[1]->condition_text, ==, "P0:r0 != 1");
  /* Spans point into the file: the fence into its row, the load into the template. */
  Place fence = span_place (r->programs[1]->threads[0].insns[1].span);
  g_assert_cmpuint (fence.line, ==, 12);
  g_assert_cmpuint (fence.column, ==, 12);
  Place load = span_place (r->programs[1]->threads[0].insns[3].span);
  g_assert_cmpuint (load.line, ==, 5);
  g_assert_cmpuint (load.column, ==, 3);
}

static void
test_unused_column (void)
{
  const char *text
      = ".global x;\nd0.b0.t0 { $0 r0, [x]; }\npermit (r0 == 1) as c;\n$$\nld | st\n";
  g_autoptr (Reading) r = read_bytes ("t.test", text, strlen (text));
  g_autofree char *messages = reading_messages (r);
  g_assert_cmpuint (r->count, ==, 1);
  g_assert_cmpstr (messages, ==,
                   "t.test:5:6: warning: the template does not use this column, $1\n"
                   "  ld | st\n"
                   "       ^~\n");
}

/* A name that the dialect could not print again is made one that it can. */
static void
test_odd_file_name (void)
{
  g_autoptr (Reading) r
      = read_nvlabs ("/tmp/a b{\xc3\xa9}.v2.test",
                     ".global x;\nd0.b0.t0 { ld r0, [x]; }\npermit (r0 == 1) as c;\n");
  g_assert_cmpstr (r->program->name, ==, "a_b___}.v2/c");
}

static void
check_bad_file (const char *path)
{
  g_autofree char *text = NULL;
  g_autofree char *wanted = NULL;
  g_autofree char *expected = g_strconcat (path, ".expected", NULL);
  g_autofree char *name = g_path_get_basename (path);
  gsize length = 0;
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_true (g_file_get_contents (expected, &wanted, NULL, NULL));
  g_autoptr (Reading) r = read_bytes (name, text, length);
  g_autofree char *messages = reading_messages (r);
  g_assert_cmpstr (messages, ==, wanted);
  g_assert_null (r->programs);
}

static void
test_bad_files (void)
{
  const char *root = g_getenv ("PTXMM_SOURCE_ROOT");
  g_autofree char *folder = g_build_filename (root, "tests", "bad", "nvlabs", NULL);
  g_assert_cmpuint (for_each_file (folder, ".test", check_bad_file), >, 30);
}

static void
test_truncated (void)
{
  for (size_t length = 0; length < strlen (template_text); length++) {
    g_autoptr (Reading) r = read_bytes ("t.test", template_text, length);
    g_assert_true ((r->programs != NULL) == (diags_error_count (r->diags) == 0));
  }
}

static void
test_too_much_text (void)
{
  g_autoptr (GString) text = g_string_new (".global x;\nd0.b0.t0 {\n");
  for (unsigned i = 0; i < 10000; i++)
    g_string_append (text, "$0");
  g_string_append (text, "}\npermit (1 == 1) as c;\n$$\n");
  for (unsigned i = 0; i < 1000; i++)
    g_string_append (text, "ld r0, [x];");
  g_autoptr (Reading) r = read_bytes ("t.test", text->str, text->len);
  g_assert_null (r->programs);
  g_assert_cmpuint (diags_count (r->diags), ==, 1);
  g_assert_nonnull (strstr (diags_get (r->diags, 0)->message, "more than 16 MiB"));
}

/* How many programs each public file gives: its rows, counted by hand. */
static const struct {
  const char *name;
  unsigned count;
} public_files[] = {
  { "CoWR.test", 10 },
  { "ISA2.test", 1 },
  { "MP_cta.test", 18 },
  { "MP_gpu_synonym.test", 30 },
  { "Release_acquire_pattern.test", 1 },
  { "SB_rmw.test", 1 },
};

static void
test_public_files (void)
{
  const char *root = g_getenv ("PTXMM_CONFORMANCE");
  if (root == NULL) {
    g_test_skip ("PTXMM_CONFORMANCE is not set");
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (public_files); i++) {
    g_autofree char *path = g_build_filename (root, "nvlabs", public_files[i].name, NULL);
    g_autofree char *text = NULL;
    gsize length = 0;
    g_assert_true (g_file_get_contents (path, &text, &length, NULL));
    g_autoptr (Reading) r = read_good (path, text, length);
    g_assert_cmpuint (r->count, ==, public_files[i].count);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define TEST(path, function) g_test_add_func ("/nvlabs/parse/" path, function)
  TEST ("one-test", test_one_test);
  TEST ("placement", test_placement);
  TEST ("aliases", test_aliases);
  TEST ("fences", test_fences);
  TEST ("volatile", test_volatile);
  TEST ("commands", test_commands);
  TEST ("template", test_template);
  TEST ("unused-column", test_unused_column);
  TEST ("odd-file-name", test_odd_file_name);
  TEST ("bad/files", test_bad_files);
  TEST ("bad/truncated", test_truncated);
  TEST ("bad/too-much-text", test_too_much_text);
  TEST ("public-files", test_public_files);
#undef TEST
  return g_test_run ();
}
