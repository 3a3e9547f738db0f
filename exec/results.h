/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_RESULTS_H
#define PTXMM_EXEC_RESULTS_H

#include "exec/witness.h"

/* What the search has found so far: states and flags. */

typedef struct FoundState {
  unsigned count;
  const uint64_t *values;
  bool satisfies;
  int64_t executions;
  int64_t last_candidate; /* the candidate that counted last */
  const Execution *witness;
} FoundState;

typedef struct Results {
  Arena *arena; /* of what is handed out */
  const Program *program;
  GHashTable *states; /* FoundState, by its values */
  GPtrArray *flags;   /* RunFlag * */
  bool reachable;
  bool refutable;
} Results;

void results_init (Results *r, Arena *arena, const Program *program);
void results_clear (Results *r);

/* NULL when the state is new. */
FoundState *results_find (const Results *r, const uint64_t *values);

/* A new state with its witness. */
FoundState *results_add (Results *r, const uint64_t *values, const Trace *trace,
                         const Choice *choice);

bool results_has_flag (const Results *r, const char *kind);

/* Copies the named events of the trace; the first instance of a kind stays. */
void results_flag (Results *r, const char *kind, const Trace *trace, const unsigned *events,
                   unsigned count);

/* Sorted, as the contract says; counts become -1 unless `counted`. */
void results_fill (const Results *r, EngineResult *result, bool counted);

#endif
