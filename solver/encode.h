/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_ENCODE_H
#define PTXMM_SOLVER_ENCODE_H

#include "model/cat.h"
#include "solver/barrier.h"
#include "solver/bounds.h"
#include "solver/litmap.h"
#include "solver/unroll.h"

/* The candidate executions of an unrolled program and the model's checks as clauses. */

/* A transitive closure, split into what must hold and the edges that may. */
typedef struct Closure {
  unsigned node; /* of the model: a CAT_OP_PLUS or CAT_OP_STAR */
  Grid dynamic;  /* edges of the operand that are not certain */
  Grid star;     /* certain paths, the empty one included */
  Grid path_may; /* pairs that the closure may have */
  bool *is_tail; /* has a dynamic edge out of it */
  bool *is_head;
  int8_t *leaves_order; /* has a dynamic edge that is no step of the Fence-SC order: 1 yes,
                         * -1 no, 0 not looked at yet */
  unsigned head_count;
} Closure;

typedef struct Encoder {
  Arena *arena;
  Cnf *f;
  const Unrolled *u;
  const Phases *phases;
  const CatModel *m;
  const RunOptions *options;
  unsigned n; /* events */
  Bounds *b;
  const unsigned *guard_class;
  Lit *rf;               /* n x n, write to read; LIT_FALSE: impossible */
  Lit *co;               /* n x n */
  Lit *sync_fence;       /* n x n */
  LitMap *dep[3];        /* addr, data, ctrl: key from * n + to + 1 */
  int *barrier_index;    /* per event: in `phases`, or -1 */
  int *co_group;         /* per event: writes totally ordered by co share a group; 0: none */
  bool sync_fence_total; /* the Fence-SC order relates every two fence.sc events */
  Closure **closures;    /* per node */
  LitMap memo;           /* (node, mode, level, x, y) */
  LitMap paths;          /* of closures */
  GArray *todo;          /* definitions still to be stated */
  Lit *selectors;        /* per check of the model; 0 for flags */
  unsigned merged_check; /* index of the check that makes co total on the groups, or
                          * check_count: none was used that way */
} Encoder;

/* Builds everything but the questions.  `merge_total`: writes that a check of the model wants
 * totally ordered share one variable a pair; the check is then part of every answer. */
Encoder *encoder_new (Arena *a, Cnf *f, const Unrolled *u, const Phases *phases,
                      const CatModel *m, const RunOptions *options, bool merge_total);
void encoder_free (Encoder *e);

/* The literal of pair (x, y) in a node of the model, for use as `mode` says (see GateMode; a
 * recursion or closure is never EXACT).  For sets x == y. */
Lit encoder_lit (Encoder *e, unsigned node, GateMode mode, unsigned x, unsigned y);

/* States the definitions that encoder_lit promised. */
void encoder_flush (Encoder *e);

/* A literal that implies that the flag's condition holds. */
Lit encoder_flag (Encoder *e, const CatCheck *check);

/* Base relations, exact: whether the pair is in it. (base.c) */
Lit encoder_base (Encoder *e, CatBase base, GateMode mode, unsigned x, unsigned y);
void encoder_base_bounds (Encoder *e, Grid *may, Grid *must);
void encoder_choose_reads (Encoder *e);
void encoder_choose_orders (Encoder *e, bool merge_total);

/* Both events happen. */
Lit encoder_both (Encoder *e, unsigned x, unsigned y);

/* Two memory operations have a common byte. */
Lit encoder_same_object (Encoder *e, unsigned x, unsigned y);

/* Closures. (closure.c) */
Lit closure_lit (Encoder *e, unsigned node, GateMode mode, unsigned x, unsigned y);
void closure_state (Encoder *e, unsigned node, unsigned u, unsigned v, bool no_fence_first,
                    Lit lit);

/* A definition that waits on Encoder.todo. */
typedef struct Pending {
  unsigned node;
  unsigned x, y;
  bool is_path; /* of a closure; else a recursive name */
  bool no_fence_first;
  Lit lit;
} Pending;

#endif
