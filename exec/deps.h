/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_DEPS_H
#define PTXMM_EXEC_DEPS_H

#include "exec/trace.h"

/* Syntactic dependencies (P12): the reads whose values flow, through registers, into the
 * address of an event, into what it writes, or into a branch before it. */
typedef enum DepKind {
  DEPENDS_ADDR,
  DEPENDS_DATA,
  DEPENDS_CTRL,
} DepKind;

/* A walker for one moment of a trace: `words` per set of events.  In `a`. */
typedef struct DepWalker {
  const Trace *trace;
  unsigned words;
  unsigned node_words;
  Word *seen; /* nodes */
} DepWalker;

DepWalker deps_new (Arena *a, const Trace *trace);

/* The read events that `event` depends on, into `reads`. */
void deps_of (DepWalker *d, unsigned event, DepKind kind, Word *reads);

#endif
