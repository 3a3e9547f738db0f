/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/solve.h"

#include <stdlib.h>
#include <string.h>

#include "solver/encode.h"
#include "solver/fault.h"
#include "solver/question.h"
#include "solver/smt.h"
#include "solver/smt2.h"
#include "solver/witness.h"

struct Solver {
  Smt *smt;
};

/* From this many events on, writes that must be totally ordered share their variables. */
enum { MERGE_EVENTS = 60 };

/* Cores of larger formulas are reported as Z3 gives them, without trying to do with less. */
enum { MINIMISE_CLAUSES = 20000 };

typedef struct Run {
  Smt *smt;
  Arena *arena;
  const Program *program;
  const CatModel *model;
  const RunOptions *options;
  const Budget *budget;
  Cnf *f;
  Unrolled *u;
  Phases *phases;
  Encoder *e;
  Question *q;
  EngineResult *result;
  GArray *outcomes; /* Outcome */
  GArray *axioms;   /* Lit: the selectors of the axioms */
  GArray *allowed;  /* Lit: what holds of an execution that gives an outcome */
  GPtrArray *flags; /* RunFlag */
} Run;

Solver *
solver_new (const char *library, GError **error)
{
  Smt *smt = smt_new (library, error);
  if (smt == NULL)
    return NULL;
  Solver *solver = g_new0 (Solver, 1);
  solver->smt = smt;
  return solver;
}

void
solver_free (Solver *solver)
{
  if (solver == NULL)
    return;
  smt_free (solver->smt);
  g_free (solver);
}

const char *
solver_version (const Solver *solver)
{
  return smt_version (solver->smt);
}

/* ---- Questions --------------------------------------------------------------------- */

/* Asks for a model of the formula with `base` and `more` (0: nothing more) assumed. */
static SmtAnswer
ask (Run *r, const GArray *base, Lit more)
{
  g_autoptr (GArray) assumptions = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_array_append_vals (assumptions, base->data, base->len);
  if (more != 0)
    g_array_append_val (assumptions, more);
  smt_sync (r->smt, r->f);
  StopReason stopped = STOP_NONE;
  SmtAnswer answer = smt_check (r->smt, (const Lit *) assumptions->data, assumptions->len,
                                r->budget, &stopped);
  if (answer == SMT_UNKNOWN) {
    r->result->complete = false;
    r->result->stopped = stopped;
  }
  r->result->peak_bytes = MAX (r->result->peak_bytes,
                               smt_bytes (r->smt) + cnf_bytes (r->f) + arena_used (r->arena));
  return answer;
}

static bool
stopped (const Run *r)
{
  return r->result->stopped != STOP_NONE;
}

static Outcome *
take_outcome (Run *r)
{
  Outcome outcome = { .executions = -1 };
  Execution *witness = witness_extract (r->arena, r->smt, r->e, r->q);
  outcome.witness = witness;
  outcome.values = witness->state;
  outcome.satisfies = cond_holds (r->program, r->program->condition, outcome.values);
  r->result->reachable |= outcome.satisfies;
  r->result->refutable |= !outcome.satisfies;
  g_array_append_val (r->outcomes, outcome);
  return &g_array_index (r->outcomes, Outcome, r->outcomes->len - 1);
}

/* Excludes the state just found, as long as `enumerating` is assumed. */
static void
block_outcome (Run *r, const Outcome *outcome, Lit enumerating)
{
  g_autoptr (GArray) clause = g_array_new (FALSE, FALSE, sizeof (Lit));
  unsigned observed = r->program->observed_count;
  if (fault_is (r->options, FAULT_SOLVER_BLOCK_TWICE))
    observed = MIN (observed, 1);
  for (unsigned k = 0; k < observed; k++) {
    const Bits *value = &r->q->state[k];
    for (unsigned i = 0; i < value->width; i++) {
      bool set = (outcome->values[k] >> i & 1) != 0;
      Lit lit = set ? -value->bit[i] : value->bit[i];
      g_array_append_val (clause, lit);
    }
  }
  Lit off = -enumerating;
  g_array_append_val (clause, off);
  cnf_clause (r->f, (const Lit *) clause->data, clause->len);
}

static void
enumerate (Run *r)
{
  Lit enumerating = cnf_var (r->f);
  while (ask (r, r->allowed, enumerating) == SMT_SAT) {
    Outcome *outcome = take_outcome (r);
    block_outcome (r, outcome, enumerating);
  }
}

/* Verdict only: one outcome of each kind that the quantifier asks about. */
static void
decide (Run *r)
{
  if (ask (r, r->allowed, r->q->condition) == SMT_SAT)
    take_outcome (r);
  if (!stopped (r) && r->program->quantifier == QUANT_FORALL
      && ask (r, r->allowed, -r->q->condition) == SMT_SAT)
    take_outcome (r);
}

/* ---- Explanations ------------------------------------------------------------------ */

/* Drops axioms that are not needed for the condition to be out of reach. */
static void
minimise (Run *r, GArray *assumptions, const GArray *fixed)
{
  for (unsigned k = assumptions->len; k-- > 0;) {
    Lit dropped = g_array_index (assumptions, Lit, k);
    g_array_remove_index (assumptions, k);
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Lit));
    g_array_append_vals (all, fixed->data, fixed->len);
    g_array_append_vals (all, assumptions->data, assumptions->len);
    if (ask (r, all, 0) != SMT_UNSAT)
      g_array_insert_val (assumptions, k, dropped);
    if (stopped (r))
      return;
  }
}

static bool
contains (const GArray *lits, Lit lit)
{
  for (unsigned i = 0; i < lits->len; i++)
    if (g_array_index (lits, Lit, i) == lit)
      return true;
  return false;
}

static void
report_core (Run *r, const GArray *core)
{
  const CatModel *m = r->model;
  const char **names = arena_array (r->arena, const char *, m->check_count + 1);
  unsigned count = 0;
  for (unsigned k = 0; k < m->check_count; k++) {
    bool in_core = r->e->selectors[k] != 0 && contains (core, r->e->selectors[k]);
    bool built_in = k == r->e->merged_check;
    if (in_core || built_in)
      names[count++] = m->checks[k].name;
  }
  r->result->forbidden_by = names;
  r->result->forbidden_by_count = count;
}

static void
explain_unreachable (Run *r)
{
  bool complete = r->result->complete;
  if (r->q->condition == LIT_FALSE)
    return;
  g_autoptr (GArray) core = g_array_new (FALSE, FALSE, sizeof (Lit));
  if (ask (r, r->allowed, r->q->condition) != SMT_UNSAT)
    return;
  g_autofree bool *used = g_new0 (bool, r->axioms->len + 1);
  smt_core (r->smt, (const Lit *) r->axioms->data, r->axioms->len, used);
  for (unsigned k = 0; k < r->axioms->len; k++)
    if (used[k])
      g_array_append_val (core, g_array_index (r->axioms, Lit, k));
  if (cnf_clause_count (r->f) < MINIMISE_CLAUSES) {
    g_autoptr (GArray) fixed = g_array_new (FALSE, FALSE, sizeof (Lit));
    for (unsigned k = 0; k < r->allowed->len; k++)
      if (!contains (r->axioms, g_array_index (r->allowed, Lit, k)))
        g_array_append_val (fixed, g_array_index (r->allowed, Lit, k));
    g_array_append_val (fixed, r->q->condition);
    minimise (r, core, fixed);
  }
  report_core (r, core);
  /* An explanation cut short does not make the verdict uncertain. */
  r->result->complete = complete;
  r->result->stopped = STOP_NONE;
}

/* ---- Flags ------------------------------------------------------------------------- */

static void
add_flag (Run *r, const char *kind)
{
  RunFlag flag = { .kind = kind };
  for (unsigned k = 0; k < r->flags->len; k++)
    if (strcmp (((RunFlag *) g_ptr_array_index (r->flags, k))->kind, kind) == 0)
      return;
  g_ptr_array_add (r->flags, arena_copy (r->arena, &flag, sizeof flag));
}

static void
flag_if (Run *r, const GArray *base, Lit condition, const char *kind)
{
  if (condition != LIT_FALSE && !stopped (r) && ask (r, base, condition) == SMT_SAT)
    add_flag (r, kind);
}

static int
compare_flags (const void *left, const void *right)
{
  const RunFlag *x = *(RunFlag *const *) left;
  const RunFlag *y = *(RunFlag *const *) right;
  return strcmp (x->kind, y->kind);
}

/* Flags are raised by every allowed execution that is not cut, also by one that gives no
 * outcome because a thread waits forever; a filter counts where there is a state to put before
 * it. */
static void
find_flags (Run *r)
{
  Lit counts = cnf_or (r->f, GATE_EXACT, r->u->stuck_open, r->q->filter);
  const Lit proper[] = { -r->u->any_cut, counts, -r->u->out_of_bounds };
  g_autoptr (GArray) base = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_array_append_vals (base, r->axioms->data, r->axioms->len);
  g_array_append_vals (base, proper, 1);
  flag_if (r, base, r->u->out_of_bounds, "out-of-bounds");
  g_array_append_vals (base, proper + 1, 2);
  flag_if (r, base, r->u->any_stuck, "barrier-stuck");
  flag_if (r, base, r->phases->misuse, "barrier-misuse");
  flag_if (r, base, r->u->unspecified, "unspecified-value");
  for (unsigned k = 0; k < r->model->check_count && !stopped (r); k++)
    if (r->model->checks[k].is_flag)
      flag_if (r, base, encoder_flag (r->e, &r->model->checks[k]), r->model->checks[k].name);
  if (r->flags->len > 1)
    qsort (r->flags->pdata, r->flags->len, sizeof (gpointer), compare_flags);
}

static void
look_for_cut (Run *r)
{
  if (r->u->any_cut != LIT_FALSE && !stopped (r)
      && ask (r, r->axioms, r->u->any_cut) == SMT_SAT)
    r->result->bound_reached = true;
}

/* ---- The whole --------------------------------------------------------------------- */

static void
gather_assumptions (Run *r)
{
  for (unsigned k = 0; k < r->model->check_count; k++)
    if (r->e->selectors[k] != 0)
      g_array_append_val (r->axioms, r->e->selectors[k]);
  const Lit proper[]
      = { -r->u->any_cut, -r->u->stuck_open, -r->u->out_of_bounds, r->q->filter };
  g_array_append_vals (r->allowed, r->axioms->data, r->axioms->len);
  g_array_append_vals (r->allowed, proper, G_N_ELEMENTS (proper));
}

static int
compare_outcomes (const void *left, const void *right, void *data)
{
  const Outcome *x = left;
  const Outcome *y = right;
  const Program *p = data;
  for (unsigned k = 0; k < p->observed_count; k++)
    if (x->values[k] != y->values[k])
      return x->values[k] < y->values[k] ? -1 : 1;
  return 0;
}

static void
write_smt2 (Run *r, GString *smt2)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_array_append_vals (all, r->allowed->data, r->allowed->len);
  g_array_append_val (all, r->q->condition);
  g_autofree char *comment
      = g_strdup_printf ("%s under %s: is the condition reachable? sat: yes, unsat: no",
                         r->program->name, r->model->name);
  smt2_write (smt2, comment, r->f, (const Lit *) all->data, all->len);
}

static void
answer (Run *r, GString *smt2)
{
  gather_assumptions (r);
  if (smt2 != NULL)
    write_smt2 (r, smt2);
  r->result->complete = true;
  if (r->options->verdict_only)
    decide (r);
  else
    enumerate (r);
  if (!stopped (r) && !r->result->reachable)
    explain_unreachable (r);
  look_for_cut (r);
  if (!r->options->verdict_only && !stopped (r))
    find_flags (r);
}

static void
build (Run *r)
{
  r->u = unroll (r->arena, r->f, r->program, r->options);
  if (r->u->too_large) {
    r->result->undecided = "the unrolled program is too large";
    return;
  }
  r->phases = phases_encode (r->arena, r->f, r->u, r->options);
  r->e = encoder_new (r->arena, r->f, r->u, r->phases, r->model, r->options,
                      r->u->event_count >= MERGE_EVENTS);
  r->q = question_encode (r->e);
}

static void
finish (Run *r)
{
  EngineResult *result = r->result;
  if (r->outcomes->len > 1)
    g_qsort_with_data (r->outcomes->data, (int) r->outcomes->len, sizeof (Outcome),
                       compare_outcomes, (gpointer) r->program);
  result->outcome_count = r->outcomes->len;
  result->outcomes
      = arena_copy (r->arena, r->outcomes->data, sizeof (Outcome) * r->outcomes->len);
  result->flag_count = r->flags->len;
  result->flags = arena_array (r->arena, RunFlag, r->flags->len + 1);
  for (unsigned k = 0; k < r->flags->len; k++)
    result->flags[k] = *(RunFlag *) g_ptr_array_index (r->flags, k);
  result->variables = cnf_var_count (r->f);
  result->clauses = cnf_clause_count (r->f);
  result->checks = smt_check_count (r->smt);
}

EngineResult *
solver_run (Solver *solver, Arena *a, const Program *program, const CatModel *model,
            const RunOptions *options, const Budget *budget, GString *smt2)
{
  Run r = { .smt = solver->smt,
            .arena = a,
            .program = program,
            .model = model,
            .options = options,
            .budget = budget };
  r.result = arena_new_of (a, EngineResult);
  r.f = cnf_new ();
  r.outcomes = g_array_new (FALSE, FALSE, sizeof (Outcome));
  r.axioms = g_array_new (FALSE, FALSE, sizeof (Lit));
  r.allowed = g_array_new (FALSE, FALSE, sizeof (Lit));
  r.flags = g_ptr_array_new ();
  smt_reset (solver->smt);
  build (&r);
  if (r.e != NULL)
    answer (&r, smt2);
  finish (&r);
  encoder_free (r.e);
  g_ptr_array_unref (r.flags);
  g_array_unref (r.allowed);
  g_array_unref (r.axioms);
  g_array_unref (r.outcomes);
  cnf_free (r.f);
  return r.result;
}
