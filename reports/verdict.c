/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/verdict.h"

#include <string.h>

#include "reports/witness.h"

Truth
truth_of (bool value)
{
  return value ? TRUTH_YES : TRUTH_NO;
}

Truth
truth_not (Truth value)
{
  switch (value) {
  case TRUTH_UNKNOWN:
    return TRUTH_UNKNOWN;
  case TRUTH_NO:
    return TRUTH_YES;
  case TRUTH_YES:
    return TRUTH_NO;
  }
  g_assert_not_reached ();
}

/* ---- One engine's answer --------------------------------------------------------------- */

/* What an engine's result says for certain, as far as the bound goes. */
typedef struct View {
  const EngineResult *result; /* NULL: not asked, and everything unknown */
  bool finished;              /* it looked at all there is within the bound */
  Truth reachable;
  Truth refutable;
} View;

static View
view_of (const EngineResult *r, Quantifier quantifier, bool verdict_only)
{
  View v = { r, false, TRUTH_UNKNOWN, TRUTH_UNKNOWN };
  if (r == NULL)
    return v;
  v.finished = r->complete && r->undecided == NULL;
  v.reachable = r->reachable ? TRUTH_YES : v.finished ? TRUTH_NO : TRUTH_UNKNOWN;
  v.refutable = r->refutable ? TRUTH_YES : v.finished ? TRUTH_NO : TRUTH_UNKNOWN;
  /* A run that stops with the verdict has looked for one of the two only. */
  if (verdict_only && quantifier != QUANT_FORALL && !r->refutable)
    v.refutable = TRUTH_UNKNOWN;
  if (verdict_only && quantifier == QUANT_FORALL && r->refutable && !r->reachable)
    v.reachable = TRUTH_UNKNOWN;
  return v;
}

static Truth
assertion (Quantifier quantifier, Truth reachable, Truth refutable)
{
  switch (quantifier) {
  case QUANT_NONE:
    return TRUTH_UNKNOWN;
  case QUANT_EXISTS:
    return reachable;
  case QUANT_NOT_EXISTS:
    return truth_not (reachable);
  case QUANT_FORALL:
    return truth_not (refutable);
  }
  g_assert_not_reached ();
}

static const char *
stop_text (const EngineResult *r)
{
  if (r->undecided != NULL)
    return r->undecided;
  switch (r->stopped) {
  case STOP_TIME:
    return "time";
  case STOP_MEMORY:
    return "memory";
  case STOP_NONE:
    return r->bound_reached ? "bound" : r->complete ? NULL : "incomplete";
  }
  g_assert_not_reached ();
}

/* ---- Comparing two --------------------------------------------------------------------- */

typedef struct Join {
  Arena *arena;
  const VerdictInput *in;
  View exec;
  View solver;
  GPtrArray *differences; /* of sentences in the arena */
} Join;

static int
compare_values (const Program *p, const Outcome *x, const Outcome *y)
{
  for (unsigned i = 0; i < p->observed_count; i++)
    if (x->values[i] != y->values[i])
      return x->values[i] < y->values[i] ? -1 : 1;
  return 0;
}

static char *
state_text (Arena *a, const Program *p, const Outcome *o)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (unsigned i = 0; i < p->observed_count; i++)
    g_string_append_printf (text, "%s%s=%s", i == 0 ? "" : " ", p->observed[i].key,
                            value_text (a, p, p->observed[i].bits, o->values[i]));
  return arena_strdup (a, text->len == 0 ? "(empty)" : text->str);
}

static void
differ_on_outcome (Join *j, const char *engine, const Outcome *o)
{
  g_ptr_array_add (j->differences, arena_printf (j->arena, "only %s has the outcome %s", engine,
                                                 state_text (j->arena, j->in->program, o)));
}

/* One entry per distinct state of either engine, in order. */
typedef struct Merged {
  const Outcome *exec; /* NULL: only the other has it */
  const Outcome *solver;
} Merged;

static unsigned
outcome_count (const View *v)
{
  return v->result == NULL ? 0 : v->result->outcome_count;
}

static Merged *
merge_outcomes (Join *j, unsigned *count)
{
  unsigned nx = outcome_count (&j->exec);
  unsigned ns = outcome_count (&j->solver);
  Merged *merged = arena_array (j->arena, Merged, nx + ns);
  unsigned x = 0;
  unsigned s = 0;
  *count = 0;
  while (x < nx || s < ns) {
    const Outcome *ox = x < nx ? &j->exec.result->outcomes[x] : NULL;
    const Outcome *os = s < ns ? &j->solver.result->outcomes[s] : NULL;
    int order = ox == NULL ? 1 : os == NULL ? -1 : compare_values (j->in->program, ox, os);
    merged[(*count)++] = (Merged){ order <= 0 ? ox : NULL, order >= 0 ? os : NULL };
    x += order <= 0;
    s += order >= 0;
  }
  return merged;
}

/* An outcome that one side has contradicts the other side when that one looked at everything.
 */
static void
compare_outcomes (Join *j, const Merged *merged, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    if (merged[i].solver == NULL && j->solver.finished)
      differ_on_outcome (j, "exec", merged[i].exec);
    else if (merged[i].exec == NULL && j->exec.finished)
      differ_on_outcome (j, "solver", merged[i].solver);
  }
}

static const RunFlag *
find_flag (const EngineResult *r, const char *kind)
{
  for (unsigned i = 0; r != NULL && i < r->flag_count; i++)
    if (strcmp (r->flags[i].kind, kind) == 0)
      return &r->flags[i];
  return NULL;
}

static void
compare_flags (Join *j, const char *engine, const View *has, const View *lacks)
{
  for (unsigned i = 0; lacks->finished && i < has->result->flag_count; i++) {
    const char *kind = has->result->flags[i].kind;
    if (find_flag (lacks->result, kind) == NULL)
      g_ptr_array_add (j->differences,
                       arena_printf (j->arena, "only %s raises the flag %s", engine, kind));
  }
}

static void
compare_bound (Join *j)
{
  bool exec = j->exec.result->bound_reached;
  bool solver = j->solver.result->bound_reached;
  if (exec != solver && j->exec.finished && j->solver.finished)
    g_ptr_array_add (j->differences, arena_printf (j->arena, "only %s reaches the loop bound",
                                                   exec ? "exec" : "solver"));
}

static void
compare_truth (Join *j, const char *what, Truth exec, Truth solver)
{
  if (exec != TRUTH_UNKNOWN && solver != TRUTH_UNKNOWN && exec != solver)
    g_ptr_array_add (j->differences,
                     arena_printf (j->arena, "only %s finds the condition %s",
                                   exec == TRUTH_YES ? "exec" : "solver", what));
}

static bool
contradicted (Truth exec, Truth solver)
{
  return exec != TRUTH_UNKNOWN && solver != TRUTH_UNKNOWN && exec != solver;
}

static void
compare_engines (Join *j, const Merged *merged, unsigned count)
{
  for (unsigned i = 0; i < j->in->objection_count; i++)
    g_ptr_array_add (j->differences, arena_strdup (j->arena, j->in->objections[i]));
  if (j->exec.result == NULL || j->solver.result == NULL)
    return;
  compare_truth (j, "reachable", j->exec.reachable, j->solver.reachable);
  compare_truth (j, "refutable", j->exec.refutable, j->solver.refutable);
  if (j->in->verdict_only)
    return;
  compare_outcomes (j, merged, count);
  compare_flags (j, "exec", &j->exec, &j->solver);
  compare_flags (j, "solver", &j->solver, &j->exec);
  compare_bound (j);
}

static Truth
agreement (const Join *j)
{
  if (j->differences->len > 0)
    return TRUTH_NO;
  bool all = j->exec.finished && j->solver.finished && !j->in->recheck_cut;
  return all ? TRUTH_YES : TRUTH_UNKNOWN;
}

/* ---- Joining --------------------------------------------------------------------------- */

static Truth
join_truth (Truth exec, Truth solver)
{
  if (contradicted (exec, solver))
    return TRUTH_UNKNOWN;
  return exec != TRUTH_UNKNOWN ? exec : solver;
}

static const ReportOutcome *
report_outcomes (Arena *a, const Program *p, const Merged *merged, unsigned count)
{
  ReportOutcome *outcomes = arena_array (a, ReportOutcome, count);
  for (unsigned i = 0; i < count; i++) {
    const Outcome *o = merged[i].exec != NULL ? merged[i].exec : merged[i].solver;
    ReportBinding *state = arena_array (a, ReportBinding, p->observed_count);
    for (unsigned k = 0; k < p->observed_count; k++)
      state[k] = (ReportBinding){ utf8_text (a, p->observed[k].key),
                                  value_text (a, p, p->observed[k].bits, o->values[k]) };
    outcomes[i] = (ReportOutcome){ state, p->observed_count, o->satisfies, o->executions };
  }
  return outcomes;
}

static const ReportEngine *
report_engine (const Join *j, const View *v, double seconds, bool is_exec, const Merged *merged,
               unsigned count)
{
  const EngineResult *r = v->result;
  if (r == NULL)
    return NULL;
  unsigned *indices = arena_array (j->arena, unsigned, r->outcome_count);
  unsigned n = 0;
  for (unsigned i = 0; i < count; i++)
    if ((is_exec ? merged[i].exec : merged[i].solver) != NULL)
      indices[n++] = i;
  bool complete = v->finished && !r->bound_reached;
  ReportEngine *e = arena_new_of (j->arena, ReportEngine);
  *e = (ReportEngine){
    .holds = assertion (j->in->program->quantifier, v->reachable, v->refutable),
    .complete = complete,
    .reason = complete ? NULL : utf8_text (j->arena, stop_text (r)),
    .indices = indices,
    .index_count = n,
    .candidates = r->candidates,
    .consistent = r->consistent,
    .variables = r->variables,
    .clauses = r->clauses,
    .checks = r->checks,
    .seconds = seconds,
    .peak_mib = (double) r->peak_bytes / (1024 * 1024),
  };
  return e;
}

/* The union of both sides by kind, sorted as each of them is; exec's events where both know. */
static void
report_flags (const Join *j, TestReport *t)
{
  const EngineResult *x = j->exec.result;
  const EngineResult *s = j->solver.result;
  unsigned nx = x == NULL ? 0 : x->flag_count;
  unsigned ns = s == NULL ? 0 : s->flag_count;
  ReportFlag *flags = arena_array (j->arena, ReportFlag, nx + ns);
  unsigned n = 0;
  for (unsigned i = 0, k = 0; i < nx || k < ns;) {
    int order = i == nx ? 1 : k == ns ? -1 : strcmp (x->flags[i].kind, s->flags[k].kind);
    const RunFlag *flag = order <= 0 ? &x->flags[i] : &s->flags[k];
    flags[n++] = (ReportFlag){ utf8_text (j->arena, flag->kind),
                               report_events (j->arena, j->in->program, flag->events,
                                              flag->event_count),
                               flag->event_count };
    i += order <= 0;
    k += order >= 0;
  }
  t->flags = flags;
  t->flag_count = n;
}

/* The execution a reader wants to see: one that satisfies the condition, or for forall one that
 * does not. */
static const ReportWitness *
choose_witness (const Join *j, const Merged *merged, unsigned count)
{
  bool wanted = j->in->program->quantifier != QUANT_FORALL;
  for (unsigned i = 0; i < count; i++) {
    const Outcome *sides[] = { merged[i].exec, merged[i].solver };
    for (unsigned s = 0; s < G_N_ELEMENTS (sides); s++)
      if (sides[s] != NULL && sides[s]->satisfies == wanted && sides[s]->witness != NULL)
        return report_witness (j->arena, sides[s]->witness);
  }
  return NULL;
}

static void
report_forbidden_by (const Join *j, TestReport *t)
{
  const EngineResult *r = j->solver.result;
  if (r == NULL || r->forbidden_by_count == 0 || t->reachable != TRUTH_NO)
    return;
  t->forbidden_by
      = arena_copy (j->arena, r->forbidden_by, sizeof (const char *) * r->forbidden_by_count);
  t->forbidden_by_count = r->forbidden_by_count;
}

static const char *
join_reason (const Join *j)
{
  bool bound = (j->exec.finished && j->exec.result->bound_reached)
               || (j->solver.finished && j->solver.result->bound_reached);
  if (bound)
    return "bound";
  const View *cut = j->exec.result != NULL ? &j->exec : &j->solver;
  return cut->result == NULL ? "no engine was asked"
                             : utf8_text (j->arena, stop_text (cut->result));
}

static void
join_verdict (const Join *j, TestReport *t)
{
  Truth refutable = join_truth (j->exec.refutable, j->solver.refutable);
  t->reachable = join_truth (j->exec.reachable, j->solver.reachable);
  t->holds = assertion (t->quantifier, t->reachable, refutable);
  bool finished = j->exec.finished || j->solver.finished;
  bool bound_reached = (j->exec.finished && j->exec.result->bound_reached)
                       || (j->solver.finished && j->solver.result->bound_reached);
  t->complete = finished && !bound_reached;
  t->reason = t->complete ? NULL : join_reason (j);
  bool found = t->quantifier == QUANT_FORALL
                   ? refutable == TRUTH_YES
                   : t->quantifier != QUANT_NONE && t->reachable == TRUTH_YES;
  t->final = t->complete || found;
}

static Truth
as_expected (Truth expected, Truth holds)
{
  if (expected == TRUTH_UNKNOWN || holds == TRUTH_UNKNOWN)
    return TRUTH_UNKNOWN;
  return truth_of (expected == holds);
}

static TestReport *
new_report (Arena *a, const char *test, const char *file, Truth expected)
{
  TestReport *t = arena_new_of (a, TestReport);
  t->test = utf8_text (a, test);
  t->file = utf8_text (a, file);
  t->condition = "";
  t->expected = expected;
  t->outcomes = arena_array (a, ReportOutcome, 0);
  t->differences = arena_array (a, const char *, 0);
  t->flags = arena_array (a, ReportFlag, 0);
  t->engines = arena_new_of (a, ReportEngines);
  return t;
}

static TestReport *
new_program_report (Arena *a, const Program *p, const char *file, Truth expected)
{
  TestReport *t = new_report (a, p->name, file, expected);
  t->quantifier = p->quantifier;
  t->condition = utf8_text (a, p->condition_text == NULL ? "" : p->condition_text);
  return t;
}

const TestReport *
verdict_join (Arena *a, const VerdictInput *in)
{
  Quantifier quantifier = in->program->quantifier;
  g_autoptr (GPtrArray) differences = g_ptr_array_new ();
  Join j = { a, in, view_of (in->exec.result, quantifier, in->verdict_only),
             view_of (in->solver.result, quantifier, in->verdict_only), differences };
  unsigned count = 0;
  const Merged *merged = merge_outcomes (&j, &count);
  compare_engines (&j, merged, count);

  TestReport *t = new_program_report (a, in->program, in->file, in->expected);
  join_verdict (&j, t);
  t->as_expected = as_expected (t->expected, t->holds);
  t->outcomes = report_outcomes (a, in->program, merged, count);
  t->outcome_count = count;
  ReportEngines *engines = arena_new_of (a, ReportEngines);
  engines->exec = report_engine (&j, &j.exec, in->exec.seconds, true, merged, count);
  engines->solver = report_engine (&j, &j.solver, in->solver.seconds, false, merged, count);
  t->engines = engines;
  t->agree = agreement (&j);
  t->difference_count = differences->len;
  t->differences = arena_copy (a, differences->pdata, sizeof (char *) * differences->len);
  report_flags (&j, t);
  t->witness = choose_witness (&j, merged, count);
  report_forbidden_by (&j, t);
  return t;
}

const TestReport *
verdict_undecided (Arena *a, const Program *program, const char *test, const char *file,
                   Truth expected, const char *reason)
{
  TestReport *t = program == NULL ? new_report (a, test, file, expected)
                                  : new_program_report (a, program, file, expected);
  t->reason = utf8_text (a, reason);
  return t;
}

const TestReport *
verdict_lost (Arena *a, const TestReport *known, const char *reason)
{
  TestReport *t = arena_copy (a, known, sizeof *known);
  const char *why = utf8_text (a, reason);
  if (!t->complete)
    t->reason = why;
  ReportEngines *engines = arena_copy (a, known->engines, sizeof *known->engines);
  if (engines->exec != NULL && engines->solver == NULL) {
    ReportEngine *solver = arena_new_of (a, ReportEngine);
    *solver = (ReportEngine){ .reason = why,
                              .indices = arena_array (a, unsigned, 0),
                              .variables = -1,
                              .clauses = -1,
                              .checks = -1 };
    engines->solver = solver;
  }
  t->engines = engines;
  return t;
}

const TestReport *
verdict_error (Arena *a, const char *test, const char *file, Truth expected, const Diag *diag)
{
  TestReport *t = new_report (a, test, file, expected);
  bool placed = diag->span.source != NULL && diag->span.source->text != NULL;
  Place place = span_place (diag->span);
  ReportError *e = arena_new_of (a, ReportError);
  *e = (ReportError){
    .kind = diag->kind == DIAG_NOT_MODELLED ? REPORT_ERROR_NOT_MODELLED : REPORT_ERROR_INPUT,
    .file = placed ? utf8_text (a, diag->span.source->name) : t->file,
    .line = placed ? (int64_t) place.line : -1,
    .column = placed ? (int64_t) place.column : -1,
    .message = utf8_text (a, diag->message),
  };
  t->error = e;
  t->reason = "error";
  return t;
}

/* ---- Reading --------------------------------------------------------------------------- */

Status
test_status (const TestReport *t)
{
  if (t->error != NULL)
    return STATUS_ERROR;
  if (t->agree == TRUTH_NO || t->as_expected == TRUTH_NO)
    return STATUS_FAIL;
  if (t->quantifier != QUANT_NONE && t->holds == TRUTH_UNKNOWN)
    return STATUS_UNKNOWN;
  bool contradictable = t->expected != TRUTH_UNKNOWN && t->quantifier != QUANT_NONE;
  return t->final || contradictable ? STATUS_OK : STATUS_UNKNOWN;
}

static const char *
truth_word (Truth value, const char *yes, const char *no)
{
  switch (value) {
  case TRUTH_UNKNOWN:
    return "unknown";
  case TRUTH_NO:
    return no;
  case TRUTH_YES:
    return yes;
  }
  g_assert_not_reached ();
}

const char *
test_verdict_word (const TestReport *t)
{
  if (t->error != NULL)
    return t->error->kind == REPORT_ERROR_INPUT ? "error" : "not-modelled";
  switch (t->quantifier) {
  case QUANT_NONE:
    return "-";
  case QUANT_EXISTS:
  case QUANT_NOT_EXISTS:
    return truth_word (t->reachable, "allowed", "forbidden");
  case QUANT_FORALL:
    return truth_word (t->holds, "holds", "fails");
  }
  g_assert_not_reached ();
}

void
totals_add (ReportTotals *totals, const TestReport *t)
{
  Status status = test_status (t);
  totals->tests++;
  totals->as_expected += t->as_expected == TRUTH_YES;
  totals->unexpected += t->as_expected == TRUTH_NO;
  totals->disagreements += t->agree == TRUTH_NO;
  totals->failed += status == STATUS_FAIL;
  totals->undecided += status == STATUS_UNKNOWN;
  totals->errors += status == STATUS_ERROR;
}

int
totals_exit_status (const ReportTotals *totals)
{
  if (totals->errors > 0)
    return 2;
  if (totals->unexpected > 0 || totals->disagreements > 0)
    return 1;
  return totals->undecided > 0 ? 3 : 0;
}
