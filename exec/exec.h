/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_EXEC_H
#define PTXMM_EXEC_EXEC_H

#include "model/run.h"

/* Engine 2: decides a test by concrete execution.  The result lives in `a`. `budget` may be
 * NULL. Never fails; what could not be decided is said in the result. */
EngineResult *exec_run (Arena *a, const Program *program, const CatModel *model,
                        const RunOptions *options, const Budget *budget);

/* Re-checks one execution, from whatever source, against the program and the model: that the
 * events are what the threads do with these values, that rf, co and sync_fence are well-formed,
 * that the state follows, and that every axiom holds.  NULL: it is allowed; otherwise what is
 * wrong, in `a` (the names of violated axioms, or a sentence). */
const char *exec_check (Arena *a, const Execution *execution, const CatModel *model,
                        const RunOptions *options);

#endif
