/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_FAULT_H
#define PTXMM_EXEC_FAULT_H

#include <stdbool.h>

#include "model/run.h"

/* Mistakes that can be seeded into this engine, one at a time, to show that comparing the two
 * engines would notice them.  exec_check never has one. */
typedef enum Fault {
  FAULT_NONE = 0,
#define FAULT(number, id, text) FAULT_##id = (number),
#include "exec/faults.def"
#undef FAULT
} Fault;

static inline bool
fault_is (const RunOptions *options, Fault fault)
{
  return options->fault == (unsigned) fault;
}

#endif
