/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_FAULT_H
#define PTXMM_SOLVER_FAULT_H

#include "model/run.h"

/* Mistakes that tests seed into this engine on purpose, to see that comparing the engines
 * catches them.  RunOptions.fault selects one; 0, the only value outside tests, selects none.
 */
typedef enum SolverFault {
  FAULT_SOLVER_FIRST = 50,
#define SOLVER_FAULT(id, text) FAULT_SOLVER_##id,
#include "solver/faults.def"
#undef SOLVER_FAULT
  FAULT_SOLVER_END
} SolverFault;

static inline bool
fault_is (const RunOptions *options, SolverFault fault)
{
  return options->fault == (unsigned) fault;
}

#endif
