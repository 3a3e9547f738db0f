/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_BARRIER_H
#define PTXMM_EXEC_BARRIER_H

#include "exec/trace.h"

/* Phases of barriers (P19).  A phase of a barrier without a count consists of the earliest
 * arrival of each thread that can still arrive, and completes by itself.  A phase of a barrier
 * with count N is any N arrivals that join in the program order of their threads, a choice of
 * the search. */

bool barrier_key_equal (const BarrierKey *a, const BarrierKey *b);

/* Completes one phase of a barrier without a count if one is complete. */
bool barrier_complete (Trace *t);

/* The first arrival at a barrier with a count whose phase is neither chosen nor postponed, or
 * NO_INDEX. */
int barrier_next_choice (const Trace *t);

/* True when `arrivals` may be one phase: as many as the count says, one barrier, earlier
 * arrivals of their threads joined already or among them. */
bool barrier_may_join (const Trace *t, const unsigned *arrivals, unsigned count);

/* Each one that was postponed is together with one that came after that. */
bool barrier_late_enough (const Trace *t, const unsigned *arrivals, unsigned count);

/* The choices made are an end state: no barrier has enough arrivals left over for a phase, and
 * the phases can be put in an order in time that respects the program order of the threads and
 * lets no arrival of a phase precede the completion of the phase before it. */
bool barrier_settled (const Trace *t);

/* Two arrivals in one CTA with the same label and identity whose counts differ. */
bool barrier_misused (const Trace *t, unsigned *first, unsigned *second);

#endif
