/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_FLOW_H
#define PTXMM_EXEC_FLOW_H

#include "exec/bits.h"
#include "litmus/program.h"

/* What can still happen in a thread from each of its points on, whatever the values are: static
 * control flow.  A point is an instruction index, or insn_count for the end. */
typedef struct Flow {
  unsigned words;   /* of a row of `reach` */
  Word *reach;      /* per point, a row: the instructions that may still be executed */
  uint64_t *writes; /* per point: objects that may still be written, bit (number mod 64) each */
  bool *shows;      /* per point: memory or an observed register may still be written */
  bool has_barriers;
} Flow;

/* In `a`. */
Flow flow_of (Arena *a, const Program *program, unsigned thread);

/* True when a barrier operation that agrees on label, identity and presence of a count may
 * still be executed from `point` on.  `id` is NULL for a barrier without one. */
bool flow_may_meet (const Flow *flow, const Thread *thread, unsigned point, uint64_t label,
                    const uint64_t *id, bool has_count);

/* The bit of an object in Flow.writes. */
static inline uint64_t
object_bit (unsigned object)
{
  return UINT64_C (1) << (object % 64);
}

#endif
