/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_BARRIER_H
#define PTXMM_SOLVER_BARRIER_H

#include "solver/unroll.h"

/* Which barrier operations arrive in one phase, and which syncs get through (rules:
 * model/run.h, Barriers). */
typedef struct Phases {
  unsigned count;         /* barrier events */
  const unsigned *events; /* their numbers, ascending */
  Lit *joined;            /* count x count: both arrive in one phase of one barrier */
  Lit misuse;             /* two operations agree on a barrier but not on its count */
} Phases;

/* States what the `passed` literals of `u` mean and that phases can follow one another in time.
 */
Phases *phases_encode (Arena *a, Cnf *f, const Unrolled *u, const RunOptions *options);

#endif
