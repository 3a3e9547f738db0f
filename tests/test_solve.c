/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "litmus/litmus_parse.h"
#include "model/builtin.h"
#include "solver/solve.h"

/* The solver engine on small programs whose answers are known: from the manual (chapter 8 of
 * ISA 9.4), or counted by hand. */

static Solver *solver;

static const CatModel *
read_model (Arena *a, const char *name, const char *text)
{
  Source *source = arena_new_of (a, Source);
  CatLoader loader = builtin_loader ();
  Diags *diags = diags_new (a);
  *source = (Source){ name, text, text == NULL ? 0 : strlen (text) };
  const CatModel *m
      = cat_read (a, text == NULL ? builtin_model (name) : source, &loader, diags);
  g_assert_cmpuint (diags_error_count (diags), ==, 0);
  g_assert_nonnull (m);
  return m;
}

static const Program *
read_program (Arena *a, const char *text)
{
  Source *source = arena_new_of (a, Source);
  Diags *diags = diags_new (a);
  *source = (Source){ "test.litmus", text, strlen (text) };
  const Program *p = litmus_parse (a, source, diags);
  for (unsigned k = 0; p == NULL && k < diags_count (diags); k++)
    g_test_message ("%s", diag_format (diags_get (diags, k)));
  g_assert_nonnull (p);
  return p;
}

static const EngineResult *
run (Arena *a, const char *model, const char *text, RunOptions options)
{
  return solver_run (solver, a, read_program (a, text), read_model (a, model, NULL), &options,
                     NULL, NULL);
}

static const RunOptions plain = { .bound = 2 };

/* The outcomes as "1,0 1,1": the observed values in decimal. */
static const char *
states (Arena *a, const EngineResult *r, unsigned observed)
{
  g_autoptr (GString) out = g_string_new (NULL);
  for (unsigned k = 0; k < r->outcome_count; k++) {
    g_string_append (out, k == 0 ? "" : " ");
    for (unsigned i = 0; i < observed; i++)
      g_string_append_printf (out, "%s%" G_GUINT64_FORMAT, i == 0 ? "" : ",",
                              r->outcomes[k].values[i]);
  }
  return arena_strdup (a, out->str);
}

/* ---- Outcome sets ------------------------------------------------------------------ */

static const struct {
  const char *name;
  const char *text;
  unsigned observed;
  const char *states;
} outcome_cases[] = {
  { "store-buffering with fence.sc",
    "PTX t\n{x=0;y=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | "
    "st.relaxed.gpu y, 1 ;\n fence.sc.gpu | fence.sc.gpu ;\n ld.relaxed.gpu r0, y | "
    "ld.relaxed.gpu r0, x ;\nexists (P0:r0 == 0 /\\ P1:r0 == 0)\n",
    2, "0,1 1,0 1,1" },
  { "store-buffering with fence.acq_rel",
    "PTX t\n{x=0;y=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | "
    "st.relaxed.gpu y, 1 ;\n fence.acq_rel.gpu | fence.acq_rel.gpu ;\n ld.relaxed.gpu r0, y | "
    "ld.relaxed.gpu r0, x ;\nexists (P0:r0 == 0 /\\ P1:r0 == 0)\n",
    2, "0,0 0,1 1,0 1,1" },
  { "two inclusive increments",
    "PTX t\n{x=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n atom.relaxed.gpu.inc r0, x, 9 | "
    "atom.relaxed.gpu.inc r0, x, 9 ;\nexists (x == 2 /\\ P0:r0 == 0 /\\ P1:r0 == 1)\n",
    3, "2,0,1 2,1,0" },
  { "two increments whose scopes exclude each other",
    "PTX t\n{x=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n atom.relaxed.cta.inc r0, x, 9 | "
    "atom.relaxed.cta.inc r0, x, 9 ;\nexists (x == 1)\n",
    1, "1 2" },
  { "a failed cas writes nothing",
    "PTX t\n{x=5;}\n P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.cas r0, x, 4, 1 ;\n ld.weak r1, x ;\n"
    "exists (P0:r0 == 5 /\\ P0:r1 == 5)\n",
    2, "5,5" },
  { "a pointer in a register",
    "PTX t\n{x=7; y=8; P0:r0=&y;}\n P0@cta 0,gpu 0 ;\n ld.weak r1, [r0] ;\nexists (P0:r1 == "
    "8)\n",
    1, "8" },
};

static void
test_outcomes (void)
{
  for (unsigned k = 0; k < G_N_ELEMENTS (outcome_cases); k++) {
    g_autoptr (Arena) a = arena_new ();
    const EngineResult *r = run (a, "ptx-9.4", outcome_cases[k].text, plain);
    g_test_message ("%s", outcome_cases[k].name);
    g_assert_cmpstr (states (a, r, outcome_cases[k].observed), ==, outcome_cases[k].states);
    g_assert_true (r->complete);
  }
}

/* ---- Verdicts, cores, bounds, flags ------------------------------------------------ */

static const char *const mp_release_acquire
    = "PTX t\n{x=0;f=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | "
      "ld.acquire.gpu r0, f ;\n st.release.gpu f, 1 | ld.weak r1, x ;\n"
      "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n";

static void
test_core_names_axiom (void)
{
  g_autoptr (Arena) a = arena_new ();
  const EngineResult *r = run (a, "ptx-9.4", mp_release_acquire, plain);
  g_assert_false (r->reachable);
  g_assert_cmpuint (r->forbidden_by_count, ==, 1);
  g_assert_cmpstr (r->forbidden_by[0], ==, "causality");
}

static void
test_verdict_only_agrees (void)
{
  g_autoptr (Arena) a = arena_new ();
  RunOptions options = { .bound = 2, .verdict_only = true };
  for (unsigned k = 0; k < G_N_ELEMENTS (outcome_cases); k++) {
    const EngineResult *all = run (a, "ptx-9.4", outcome_cases[k].text, plain);
    const EngineResult *one = run (a, "ptx-9.4", outcome_cases[k].text, options);
    g_assert_cmpint (one->reachable, ==, all->reachable);
  }
}

/* Writes of many threads get shared order variables from a size on; the verdict stays. */
static void
test_many_writers (void)
{
  g_autoptr (Arena) a = arena_new ();
  for (unsigned writers = 3; writers <= 70; writers += 67) {
    g_autoptr (GString) text = g_string_new ("PTX t\n{x=0;}\n");
    for (unsigned i = 0; i <= writers; i++)
      g_string_append_printf (text, " P%u@cta %u,gpu 0 %s", i, i, i < writers ? "|" : ";\n");
    for (unsigned row = 0; row < 3; row++) {
      for (unsigned i = 0; i < writers; i++)
        g_string_append_printf (text, row == 0 ? " st.relaxed.gpu x, %u |" : " |", i + 1);
      g_string_append_printf (text, " ld.relaxed.gpu r%u, x ;\n", row);
    }
    g_autofree char *sequence
        = g_strdup_printf ("%sexists (P%u:r0 == 1 /\\ P%u:r1 == 2 /\\ P%u:r2 == %%u)\n",
                           text->str, writers, writers, writers);
    RunOptions options = { .bound = 2, .verdict_only = true };
    g_auto (GStrv) halves = g_strsplit (sequence, "%u", 2);
    g_autofree char *back = g_strconcat (halves[0], "1", halves[1], NULL);
    g_autofree char *on = g_strconcat (halves[0], "3", halves[1], NULL);
    g_assert_false (run (a, "ptx-9.4", back, options)->reachable);
    g_assert_true (run (a, "ptx-9.4", on, options)->reachable);
  }
}

static void
test_bound (void)
{
  static const char spin[]
      = "PTX t\n{x=0;}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.relaxed.gpu x, 1 | LC00: ;\n"
        " | ld.relaxed.gpu r0, x ;\n | add r1, r1, 1 ;\n | bne r0, 1, LC00 ;\n"
        "exists (P1:r1 == 3)\n";
  g_autoptr (Arena) a = arena_new ();
  for (unsigned bound = 1; bound <= 3; bound++) {
    RunOptions options = { .bound = bound };
    const EngineResult *r = run (a, "ptx-9.4", spin, options);
    g_assert_true (r->bound_reached);
    g_assert_cmpuint (r->outcome_count, ==, bound);
    g_assert_cmpint (r->reachable, ==, bound == 3);
  }
}

static bool
has_flag (const EngineResult *r, const char *kind)
{
  for (unsigned k = 0; k < r->flag_count; k++)
    if (strcmp (r->flags[k].kind, kind) == 0)
      return true;
  return false;
}

static void
test_flags (void)
{
  static const char race[]
      = "PTX t\n{x=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | "
        "ld.weak r0, x ;\nexists (P1:r0 == 1)\n";
  static const char proxies[]
      = "PTX t\n{x=0; s @ surface aliases x;}\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n"
        " suld.weak r0, s ;\nexists (P0:r0 == 0)\n";
  static const char stuck[]
      = "PTX t\n{x=0;}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0, 0, 3 | "
        "bar.cta.sync 0, 0, 3 ;\n st.weak x, 1 | ;\nexists (x == 1)\n";
  g_autoptr (Arena) a = arena_new ();
  g_assert_true (has_flag (run (a, "ptx-9.4", race, plain), "data-race"));
  g_assert_false (has_flag (run (a, "ptx-9.4", mp_release_acquire, plain), "proxy-race"));
  const EngineResult *r = run (a, "ptx-9.4", proxies, plain);
  g_assert_true (has_flag (r, "proxy-race"));
  g_assert_false (has_flag (r, "data-race"));
  r = run (a, "ptx-9.4", stuck, plain);
  g_assert_true (has_flag (r, "barrier-stuck"));
  g_assert_cmpuint (r->outcome_count, ==, 0);
}

/* ---- A user's model ---------------------------------------------------------------- */

static void
test_models_of_ones_own (void)
{
  static const struct {
    const char *model;
    unsigned outcomes; /* of store buffering without fences, 4 at most */
  } cases[] = {
    { "let x = 0", 4 },
    { "acyclic po | rf | fr | co as sc", 3 },
    { "let com = rf | fr | co\nlet rec hb = po | com | hb; hb\nirreflexive hb as sc", 3 },
    { "empty rf \\ IW * _ as no-communication", 1 },
    { "~empty rf \\ IW * _ as communication", 3 },
    { "empty domain(fr) & range(po) \\ range(rf)", 4 },
    { "irreflexive (po; fr)+ as ring", 3 },
    { "~acyclic po | fr as only-weak", 1 },
  };
  static const char sb[] = "PTX t\n{x=0;y=0;}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                           " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n"
                           " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n"
                           "exists (P0:r0 == 0 /\\ P1:r0 == 0)\n";
  for (unsigned k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autoptr (Arena) a = arena_new ();
    const CatModel *m = read_model (a, "own.cat", cases[k].model);
    const EngineResult *r = solver_run (solver, a, read_program (a, sb), m, &plain, NULL, NULL);
    g_test_message ("%s", cases[k].model);
    g_assert_cmpuint (r->outcome_count, ==, cases[k].outcomes);
  }
}

static void
test_smt2_text (void)
{
  g_autoptr (Arena) a = arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  solver_run (solver, a, read_program (a, mp_release_acquire), read_model (a, "ptx-9.4", NULL),
              &plain, NULL, text);
  g_assert_nonnull (strstr (text->str, "(set-logic QF_UF)"));
  g_assert_true (g_str_has_suffix (text->str, "(check-sat)\n(exit)\n"));
}

static StopReason
always_late (void *ctx, size_t bytes)
{
  (void) ctx;
  (void) bytes;
  return STOP_TIME;
}

static void
test_budget_stops (void)
{
  g_autoptr (Arena) a = arena_new ();
  Budget budget = { always_late, NULL, 0, 0 };
  const EngineResult *r = solver_run (solver, a, read_program (a, mp_release_acquire),
                                      read_model (a, "ptx-9.4", NULL), &plain, &budget, NULL);
  g_assert_false (r->complete);
  g_assert_cmpint (r->stopped, ==, STOP_TIME);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GError) error = NULL;
  solver = solver_new (NULL, &error);
  g_assert_no_error (error);
  g_test_add_func ("/solver/solve/outcomes", test_outcomes);
  g_test_add_func ("/solver/solve/core-names-axiom", test_core_names_axiom);
  g_test_add_func ("/solver/solve/verdict-only-agrees", test_verdict_only_agrees);
  g_test_add_func ("/solver/solve/many-writers", test_many_writers);
  g_test_add_func ("/solver/solve/bound", test_bound);
  g_test_add_func ("/solver/solve/flags", test_flags);
  g_test_add_func ("/solver/solve/models-of-ones-own", test_models_of_ones_own);
  g_test_add_func ("/solver/solve/smt2-text", test_smt2_text);
  g_test_add_func ("/solver/solve/budget-stops", test_budget_stops);
  int result = g_test_run ();
  solver_free (solver);
  return result;
}
