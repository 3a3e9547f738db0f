/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_CAT_EVAL_H
#define PTXMM_EXEC_CAT_EVAL_H

#include "model/cat.h"
#include "model/execution.h"
#include "model/relation.h"

/* The plain reading of a model on one complete execution: every node is what its operator says,
 * by model/relation.h.  Slow and simple; the search has an evaluator of its own, which this one
 * checks. */
typedef struct CatEval CatEval;

typedef struct CatValue {
  const Set *set; /* one of them, by the node's shape */
  const Rel *rel;
} CatValue;

/* Lives in `a`; refers to both. */
CatEval *cat_eval_new (Arena *a, const CatModel *model, const Execution *execution);

CatValue cat_eval_node (CatEval *e, unsigned node);

/* The check's condition, negation included: for an axiom, that it holds; for a flag, that it is
 * raised. */
bool cat_eval_check (CatEval *e, const CatCheck *check);

#endif
