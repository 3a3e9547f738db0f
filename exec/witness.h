/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_WITNESS_H
#define PTXMM_EXEC_WITNESS_H

#include "exec/choice.h"
#include "exec/trace.h"

/* The trace with its reads decided, as an Execution: events in the order of the contract, the
 * orders of `choice` (NULL: none), the final `state` (copied; may be NULL).  In `a`. */
Execution *witness_new (Arena *a, const Trace *trace, const Choice *choice,
                        const uint64_t *state);

/* A copy of one event as it would stand in the witness. */
Event witness_event (const Trace *trace, unsigned event);

#endif
