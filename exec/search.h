/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_SEARCH_H
#define PTXMM_EXEC_SEARCH_H

#include "exec/frame.h"
#include "exec/results.h"

/* The depth-first search.  Three stages, each cutting as soon as an axiom fails for sure:
 * search.c decides barrier phases and what every read takes its value from, while threads run;
 * complete.c decides the Fence-SC order and asks for each final state whether a coherence order
 * exists. */
typedef struct Search {
  const Program *program;
  const RunOptions *options;
  const Budget *budget;
  const Plan *plan;
  Arena *scratch; /* frames and choices, released on the way back */
  Trace trace;
  Results results;
  bool guarded; /* the model has an axiom against cycles of rf and dependencies */
  bool filtered;
  bool has_division;
  bool counting; /* executions are still counted */
  bool bound_reached;
  bool thin_air;
  bool enough; /* verdict-only: nothing more to learn */
  StopReason stopped;
  int64_t candidates;
  int64_t consistent;
  size_t peak;
  uint64_t *values; /* of the state at hand, and which of them are known */
  bool *known;
  unsigned *locations; /* indices into Program.observed */
  unsigned *finals;    /* per location: the write that is last */
  unsigned location_count;
} Search;

/* Counting stops after this many candidates. */
enum { COUNT_LIMIT = 1 << 22 };

void search_run (Search *s);

/* True when the search must end; asks the budget. */
bool search_over (Search *s);

/* complete.c: everything has happened and every read has a source. */
void search_complete (Search *s, Frame *f, const Choice *c);

#endif
