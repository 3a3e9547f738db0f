/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/cat_eval.h"
#include "exec/choice.h"
#include "exec/matrix.h"
#include "tests/exec_helpers.h"

/* ---- Bit matrices against model/relation.h ------------------------------------------------
 */

static const unsigned sizes[] = { 1, 2, 63, 64, 65, 130 };

/* A relation in both forms. */
typedef struct Both {
  Word *m;
  const Rel *r;
} Both;

static Both
random_relation (Arena *a, unsigned n, unsigned pairs)
{
  Word *m = arena_array (a, Word, (size_t) n * words_for (n));
  Rel *r = rel_new (a, n);
  for (unsigned i = 0; i < pairs; i++) {
    unsigned from = (unsigned) g_test_rand_int_range (0, (gint32) n);
    unsigned to = (unsigned) g_test_rand_int_range (0, (gint32) n);
    bit_set (mat_row (m, words_for (n), from), to);
    rel_add (r, from, to);
  }
  return (Both){ m, r };
}

static void
assert_same (const Word *m, const Rel *r)
{
  unsigned n = rel_size (r);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      g_assert_cmpint (bit_get (mat_row_const (m, words_for (n), i), j), ==, rel_has (r, i, j));
}

static void
compare_matrices (Arena *a, unsigned n, unsigned pairs)
{
  unsigned w = words_for (n);
  Both x = random_relation (a, n, pairs);
  Both y = random_relation (a, n, pairs);
  Word *to = arena_array (a, Word, (size_t) n * w);
  Word *row = arena_array (a, Word, w);
  mat_seq (to, x.m, y.m, n, w);
  assert_same (to, rel_seq (a, x.r, y.r));
  mat_inverse (to, x.m, n, w);
  assert_same (to, rel_inverse (a, x.r));
  memcpy (to, x.m, sizeof (Word) * n * w);
  mat_close (to, n, w);
  assert_same (to, rel_plus (a, x.r));
  mat_add_id (to, n, w);
  assert_same (to, rel_star (a, x.r));
  g_assert_cmpint (mat_acyclic (x.m, n, w, row), ==, rel_acyclic (x.r));
  g_assert_cmpint (mat_irreflexive (x.m, n, w), ==, rel_irreflexive (x.r));
  mat_domain (row, x.m, n, w);
  mat_keep_rows (to, y.m, row, n, w);
  assert_same (to, rel_seq (a, rel_id_on (a, rel_domain (a, x.r)), y.r));
  mat_range (row, x.m, n, w);
  mat_keep_columns (to, y.m, row, n, w);
  assert_same (to, rel_seq (a, y.r, rel_id_on (a, rel_range (a, x.r))));
}

static void
test_matrix (void)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (unsigned density = 1; density <= 8; density++) {
      g_autoptr (Arena) a = arena_new ();
      compare_matrices (a, sizes[i], sizes[i] * density / 4);
    }
}

/* ---- Choices ------------------------------------------------------------------------------
 */

/* Every two of n events may be ordered in co and in sync_fence. */
static Choice
open_choice (Arena *a, unsigned n)
{
  Choice c = choice_new (a, n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      if (i != j) {
        bit_set (mat_row (c.co_upper, c.w, i), j);
        bit_set (mat_row (c.sf_upper, c.w, i), j);
      }
  return c;
}

static void
test_choice_is_closed (void)
{
  for (unsigned size = 0; size < G_N_ELEMENTS (sizes); size++) {
    unsigned n = sizes[size];
    g_autoptr (Arena) a = arena_new ();
    Choice c = open_choice (a, n);
    Rel *given = rel_new (a, n);
    for (unsigned k = 0; k < 2 * n; k++) {
      unsigned from = (unsigned) g_test_rand_int_range (0, (gint32) n);
      unsigned to = (unsigned) g_test_rand_int_range (0, (gint32) n);
      bool cyclic = from == to || rel_has (rel_plus (a, given), to, from);
      if (cyclic)
        continue;
      rel_add (given, from, to);
      g_assert_true (choice_force_co (&c, from, to));
      g_assert_true (choice_force_sf (&c, from, to));
    }
    assert_same (c.co_lower, rel_plus (a, given));
    assert_same (c.sf_lower, rel_plus (a, given)); /* all pairs are related here */
  }
}

static void
test_choice_contradictions (void)
{
  g_autoptr (Arena) a = arena_new ();
  Choice c = open_choice (a, 3);
  g_assert_true (choice_force_co (&c, 0, 1));
  g_assert_true (choice_force_co (&c, 1, 2));
  Choice other = choice_new (a, 3);
  choice_copy (&other, &c);
  g_assert_false (choice_force_co (&other, 2, 0));
  choice_copy (&other, &c);
  g_assert_false (choice_forbid_co (&other, 0, 2)); /* follows */
  Choice open = open_choice (a, 3);
  g_assert_true (choice_forbid_co (&open, 0, 2));
  g_assert_true (choice_force_co (&open, 0, 1));
  g_assert_false (choice_force_co (&open, 1, 2));
  Choice fences = open_choice (a, 2);
  g_assert_true (choice_forbid_sf (&fences, 0, 1)); /* then the other way */
  g_assert_true (bit_get (mat_row (fences.sf_lower, fences.w, 1), 0));
}

/* ---- Models on one execution, by hand -----------------------------------------------------
 */

/* Events: 0 initial x, 1 initial y; P0: 2 W x, 3 fence.sc, 4 W y; P1: 5 R y, 6 W of an atom's
 * pair 5, 7 R x. */
static const char program_text[] = "PTX t\n{ x=0; y=0; }\n"
                                   " P0@cta 0,gpu 0       | P1@cta 1,gpu 0                ;\n"
                                   " st.weak x, 1         | atom.acquire.gpu.add r0, y, 1 ;\n"
                                   " fence.sc.gpu         | ld.weak r1, x                 ;\n"
                                   " st.relaxed.gpu y, 1  |                               ;\n"
                                   "locations [P1:r0; P1:r1;]\n";

static void
test_values (void)
{
  static const struct {
    const char *relation; /* must be … */
    const char *pairs;    /* … exactly these */
  } cases[] = {
    { "po", "23 24 34 56 57 67" },
    { "rmw", "56" },
    { "data", "56" },
    { "ctrl", "" },
    { "addr", "" },
    { "rf", "27 45" },
    { "co", "02 14 16 46" },
    { "fr", "56" },
    { "([IW]; loc; [W]) \\ id", "02 14 16" },
    { "loc & po", "56" },
    { "vloc & (IW * R)", "07 15" },
    { "ext & rf", "27 45" },
    { "int & rf", "" },
    { "sr & ([F] ; _ * _ ; [R])", "35" },
    { "[RMW]", "55 66" },
    { "[ACQ]", "55" },
    { "[RLX]", "44 66" },
    { "[WEAK] ; id", "00 11 22 77" },
    { "[SC]", "33" },
    { "[GEN] ; [IW]", "00 11" },
    { "[SUR]", "00 11" },
    { "[GPU] \\ [M]", "33" },
    { "(rf | po)+ & (W * W)", "24 26 46" },
    { "scta & po", "23 24 34 56 57 67" },
    { "scta & rf", "" },
    { "sgpu & rf", "27 45" },
    { "[domain(rf)]", "22 44" },
    { "[range(rf)]", "55 77" },
    { "(po^-1)^-1 & (W * F)", "23" },
    { "~(_ * _)", "" },
    { "(~M) * (~M)", "33" },
    { "sync_fence", "" },
    { "syncbar", "" },
  };
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Reading) reading = read_litmus (program_text);
    Arena *a = reading->arena;
    RunOptions options = { .bound = 1 };
    const EngineResult *result
        = exec_run (a, reading->program, model_named (a, "ptx-9.4"), &options, NULL);
    const Execution *x = result->outcomes[result->outcome_count - 1].witness;
    const char *text = arena_printf (a, "let r = %s\nempty r as c\n", cases[i].relation);
    const CatModel *model = model_text (a, text);
    CatEval *eval = cat_eval_new (a, model, x);
    Pairs pairs = rel_to_pairs (a, cat_eval_node (eval, model->checks[0].node).rel);
    g_autoptr (GString) got = g_string_new (NULL);
    for (unsigned k = 0; k < pairs.count; k++)
      g_string_append_printf (got, "%s%u%u", k > 0 ? " " : "", pairs.pairs[k].from,
                              pairs.pairs[k].to);
    g_test_message ("%s", cases[i].relation);
    g_assert_cmpstr (got->str, ==, cases[i].pairs);
    g_assert_cmpint (cat_eval_check (eval, &model->checks[0]), ==, pairs.count == 0);
  }
}

/* ---- Both evaluators, on the same questions -----------------------------------------------
 */

/* Programs with barriers, cas, branches, aliases and fences; the search asks each model's
 * axioms of partly decided executions, the plain evaluator of whole ones. */
static const char *const programs[] = {
  "PTX a\n{ x=0; y=0; }\n"
  " P0@cta 0,gpu 0                  | P1@cta 0,gpu 0       | P2@cta 1,gpu 0       ;\n"
  " atom.relaxed.gpu.cas r0, x, 0, 1 | st.weak y, 1         | ld.acquire.gpu r0, x ;\n"
  " bar.cta.sync 0                  | bar.cta.sync 0       | fence.sc.gpu         ;\n"
  " st.release.gpu x, 2             | ld.weak r1, x        | ld.weak r1, y        ;\n"
  "locations [x; P0:r0; P1:r1; P2:r0; P2:r1;]\n",
  "PTX b\n{ x=0; a @ generic aliases x; f=0; }\n"
  " P0@cta 0,gpu 0       | P1@cta 1,gpu 0        ;\n"
  " st.weak x, 1         | ld.acquire.gpu r0, f  ;\n"
  " st.release.gpu f, 1  | beq r0, 0, E          ;\n"
  " fence.sc.gpu         | fence.proxy.alias     ;\n"
  " ld.weak r2, a        | ld.weak r1, a         ;\n"
  " st.weak x, 2         | fence.sc.sys          ;\n"
  "                      | E:                    ;\n"
  "locations [x; P0:r2; P1:r0; P1:r1;]\n",
  "PTX c\n{ x=0; y=0; }\n"
  " P0@cta 0,gpu 0             | P1@cta 1,gpu 0              | P2@cta 2,gpu 0       ;\n"
  " red.release.gpu.add x, 1   | atom.acq_rel.gpu.exch r0, x, 5 | ld.relaxed.gpu r0, x ;\n"
  " st.relaxed.gpu y, 1        | ld.weak r1, y               | ld.relaxed.gpu r1, x ;\n"
  "locations [x; P1:r0; P1:r1; P2:r0; P2:r1;]\n",
};

/* A flag for every axiom of the model and for its negation.  The search decides the flags of an
 * outcome's execution its way; here, every outcome's witness satisfies all axioms by the plain
 * evaluator, and a flag of the model is raised by some witness only if the search raised it. */
static void
compare_evaluators (const char *text, const char *model_name)
{
  g_autoptr (Reading) reading = read_litmus (text);
  Arena *a = reading->arena;
  const CatModel *model = model_named (a, model_name);
  RunOptions options = { .bound = 2 };
  const EngineResult *result = exec_run (a, reading->program, model, &options, NULL);
  g_autofree char *flags = flags_text (result);
  g_assert_cmpuint (result->outcome_count, >, 0);
  for (unsigned i = 0; i < result->outcome_count; i++) {
    CatEval *eval = cat_eval_new (a, model, result->outcomes[i].witness);
    for (unsigned k = 0; k < model->check_count; k++) {
      const CatCheck *c = &model->checks[k];
      bool holds = cat_eval_check (eval, c);
      if (c->is_flag)
        g_assert_true (!holds || strstr (flags, c->name) != NULL);
      else
        g_assert_true (holds);
    }
  }
}

static void
test_same_answers (void)
{
  for (const char *const *model = builtin_model_names (); *model != NULL; model++)
    for (unsigned i = 0; i < G_N_ELEMENTS (programs); i++)
      compare_evaluators (programs[i], *model);
}

/* ---- Any relation, as axiom and as flag ---------------------------------------------------
 */

/* One write a location, so that an outcome has one execution; with a branch and a cas, so that
 * events appear while the search goes on. */
static const char *const single_writers[] = {
  "PTX d\n{ x=0; y=0; z=0; }\n"
  " P0@cta 0,gpu 0      | P1@cta 0,gpu 0       | P2@cta 1,gpu 0                    ;\n"
  " st.relaxed.gpu x, 1 | ld.acquire.gpu r0, x | ld.weak r1, y                     ;\n"
  "                     | bne r0, 1, E         | atom.relaxed.gpu.cas r0, z, r1, 2 ;\n"
  "                     | st.release.gpu y, 1  | ld.weak r2, x                     ;\n"
  "                     | E:                   |                                   ;\n"
  "locations [P1:r0; P2:r0; P2:r1; P2:r2;]\n",
  "PTX e\n{ x=0; y=0; }\n"
  " P0@cta 0,gpu 0       | P1@cta 0,gpu 0       ;\n"
  " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n"
  " bar.cta.sync 0       | bne r0, 0, E         ;\n"
  " st.relaxed.gpu x, 1  | bar.cta.sync 0       ;\n"
  "                      | E:                   ;\n"
  "                      | st.relaxed.gpu y, 1  ;\n"
  "locations [P0:r0; P1:r0;]\n",
};

/* `r` is what each of these texts defines. */
static const char *const relations[] = {
  "let r = rf & ext & (W * R)",
  "let r = rf; po; [W]",
  "let r = fr; rf",
  "let r = ([RMW & R]; po; [R]) \\ (po; [W]; po)", /* the cas has no write */
  "let r = [RMW & R]; po; [R] & (_ * (R \\ range([W]; po)))",
  "let r = (rf | po)+ & (IW * W)",
  "let r = [domain(rf) \\ IW]",
  "let r = [range(rf) & ACQ]; po",
  "let r = [R \\ range([W \\ IW]; rf)]; po; [W]",
  "let r = ~(rf | rf^-1 | id) & (W * R) & loc",
  "let r = (W * R) & loc \\ (rf; po?)",
  "let r = rf*; fr",
  "let rec a = rf | a; po; a let r = a & (IW * R) & ext",
  "let rec a = [IW]; rf | b; po and b = a | b; rf let r = b \\ rf",
  "let rec a = rf | (rf & 0); a let r = a; po",
  "let rec a = po | a; a let r = a \\ po",
  "let rec s = domain(rf & ext) | range([s]; po) let r = [s & W]",
  "let rec a = po & a let r = a",
  "let r = [CTA] | [B & ARRIVE] | syncbar; po; [W]; rf",
  "let r = syncbar; (syncbar \\ id)",
  "let r = ctrl; [W]; rf | addr | rmw",
  "let r = po \\ (_ * range(rf))",
  "let r = ~ctrl & po & (R * W)",
};

static bool
naive_empty (Arena *a, const CatModel *model, const Execution *x)
{
  return cat_eval_check (cat_eval_new (a, model, x), &model->checks[0]);
}

/* The outcomes of the program in which r is empty are those that `empty r` as an axiom leaves,
 * and `flag ~empty r` is raised when there are others. */
static void
compare_relation (const char *program, const char *relation)
{
  g_autoptr (Reading) reading = read_litmus (program);
  Arena *a = reading->arena;
  RunOptions options = { .bound = 2 };
  const char *base = "acyclic (rf | addr | data | ctrl) as no-thin-air\n";
  const CatModel *axiom
      = model_text (a, arena_printf (a, "%s\nempty r as r\n%s", relation, base));
  const CatModel *flag
      = model_text (a, arena_printf (a, "%s\nflag ~empty r as raised\n%s", relation, base));
  const EngineResult *all = exec_run (a, reading->program, flag, &options, NULL);
  const EngineResult *left = exec_run (a, reading->program, axiom, &options, NULL);
  unsigned k = 0;
  for (unsigned i = 0; i < all->outcome_count; i++) {
    if (!naive_empty (a, axiom, all->outcomes[i].witness))
      continue;
    size_t bytes = sizeof (uint64_t) * reading->program->observed_count;
    g_assert_cmpuint (k, <, left->outcome_count);
    g_assert_true (memcmp (left->outcomes[k].values, all->outcomes[i].values, bytes) == 0);
    k++;
  }
  g_assert_cmpuint (k, ==, left->outcome_count);
  g_assert_cmpint (all->flag_count > 0, ==, k < all->outcome_count);
}

static void
test_relations (void)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (relations); i++)
    for (unsigned k = 0; k < G_N_ELEMENTS (single_writers); k++) {
      g_test_message ("%u: %s", k, relations[i]);
      compare_relation (single_writers[k], relations[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/matrix/same-as-relation", test_matrix);
  g_test_add_func ("/exec/choice/is-closed", test_choice_is_closed);
  g_test_add_func ("/exec/choice/contradictions", test_choice_contradictions);
  g_test_add_func ("/exec/cat-eval/values", test_values);
  g_test_add_func ("/exec/cat-eval/same-answers", test_same_answers);
  g_test_add_func ("/exec/cat-eval/relations", test_relations);
  return g_test_run ();
}
