/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_ACYCLIC_H
#define PTXMM_SOLVER_ACYCLIC_H

#include "base/arena.h"
#include "solver/cnf.h"

/* States that a graph whose edges are present when their literals hold has no cycle. */

typedef struct Edge {
  unsigned from;
  unsigned to;
  Lit lit;
} Edge;

/* Nodes of one nonzero group are totally ordered by an order that is part of the formula
 * already: order (ctx, i, j) is true when i comes before j.  Edges within a group then need one
 * clause. */
typedef struct KnownOrder {
  const int *group; /* per node; 0: none */
  Lit (*order) (void *ctx, unsigned i, unsigned j);
  void *ctx;
} KnownOrder;

/* Nodes are numbers below `count`.  `known` may be NULL.  Clauses are guarded as cnf_clause's.
 */
void acyclic_encode (Arena *a, Cnf *f, unsigned count, const Edge *edges, unsigned edge_count,
                     const KnownOrder *known, bool two_cycles_only);

#endif
