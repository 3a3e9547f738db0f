/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_SOLVE_H
#define PTXMM_SOLVER_SOLVE_H

#include "model/run.h"

/* Engine 1: decides a test by constraints for Z3. */

/* A connection to Z3, reused from test to test.  One per thread. */
typedef struct Solver Solver;

/* Loads the Z3 library (its path as configured at build time, or `library` when not NULL). NULL
 * with `error` set when it cannot be loaded. (transfer full): solver_free. */
Solver *solver_new (const char *library, GError **error);
void solver_free (Solver *solver);

/* The library's own version text, e.g. "5.4.1.0".  Lives as long as `solver`. */
const char *solver_version (const Solver *solver);

/* As exec_run.  `smt2`: when not NULL, receives the problem as SMT-LIB 2 text that asks whether
 * the condition is reachable. */
EngineResult *solver_run (Solver *solver, Arena *a, const Program *program,
                          const CatModel *model, const RunOptions *options,
                          const Budget *budget, GString *smt2);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Solver, solver_free)

#endif
