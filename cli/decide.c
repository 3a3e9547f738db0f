/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/decide.h"

#include "cli/limits.h"
#include "exec/exec.h"

bool
decider_prepare (Decider *d, char **error)
{
  *error = NULL;
  if (d->engines == ENGINES_EXEC || d->solver != NULL)
    return true;
  g_autoptr (GError) problem = NULL;
  d->solver = solver_new (d->library, &problem);
  if (d->solver == NULL)
    *error = g_strdup_printf ("%s (--engine exec decides without it)", problem->message);
  return d->solver != NULL;
}

void
decider_clear (Decider *d)
{
  g_clear_pointer (&d->solver, solver_free);
}

static EngineRun
run_exec (const Decider *d, Arena *a, const Program *program, double deadline)
{
  Limit limit = { deadline, d->bytes, STOP_NONE };
  Budget budget = limit_budget (&limit);
  double start = clock_seconds ();
  const EngineResult *result = exec_run (a, program, d->model, &d->run, &budget);
  return (EngineRun){ result, clock_seconds () - start };
}

static EngineRun
run_solver (const Decider *d, Arena *a, const Program *program, double deadline, GString *smt2)
{
  Limit limit = { deadline, d->bytes, STOP_NONE };
  Budget budget = limit_budget (&limit);
  double start = clock_seconds ();
  const EngineResult *result
      = solver_run (d->solver, a, program, d->model, &d->run, &budget, smt2);
  return (EngineRun){ result, clock_seconds () - start };
}

/* Every execution that the solver shows is put before the evaluator of the other engine, as far
 * as the time goes.  FALSE: not all were. */
static bool
recheck (const Decider *d, Arena *a, const EngineResult *result, double deadline,
         GPtrArray *objections)
{
  Limit limit = { deadline, 0, STOP_NONE };
  const Budget budget = limit_budget (&limit);
  for (unsigned i = 0; i < result->outcome_count; i++) {
    const Execution *witness = result->outcomes[i].witness;
    if (budget_poll (&budget, 0) != STOP_NONE)
      return false;
    g_autoptr (Arena) scratch = arena_new ();
    const char *objection
        = witness == NULL ? NULL : exec_check (scratch, witness, d->model, &d->run);
    if (objection != NULL)
      g_ptr_array_add (
          objections,
          arena_printf (a, "exec rejects the solver's execution for its outcome %u: %s", i,
                        objection));
  }
  return true;
}

/* When both engines share the time, the first may use half of it and the second what is left.
 */
const TestReport *
decide (Decider *d, Arena *a, const Program *program, const char *file, Truth expected,
        GString *smt2, const DecideListener *listener)
{
  double now = clock_seconds ();
  double whole = d->seconds > 0 ? now + d->seconds : 0;
  double half = d->seconds > 0 ? now + d->seconds / 2 : 0;
  VerdictInput input = {
    .program = program,
    .file = file,
    .expected = expected,
    .verdict_only = d->run.verdict_only,
  };
  if (d->engines != ENGINES_SOLVER)
    input.exec = run_exec (d, a, program, d->engines == ENGINES_BOTH ? half : whole);
  if (d->engines == ENGINES_EXEC)
    return verdict_join (a, &input);
  if (d->engines == ENGINES_BOTH && listener != NULL)
    listener->first (listener->ctx, verdict_join (a, &input));
  g_autoptr (GPtrArray) objections = g_ptr_array_new ();
  input.solver = run_solver (d, a, program, whole, smt2);
  input.recheck_cut = !recheck (d, a, input.solver.result, whole, objections);
  input.objections = (const char *const *) objections->pdata;
  input.objection_count = objections->len;
  return verdict_join (a, &input);
}
