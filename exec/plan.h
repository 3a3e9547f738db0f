/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_PLAN_H
#define PTXMM_EXEC_PLAN_H

#include "base/arena.h"
#include "model/cat.h"

/* A model made ready for evaluation on partly decided executions.  Every node that a check
 * needs becomes one or more terms: its lower bound (the pairs it certainly has), its upper
 * bound (the pairs it may have), or, for flags, its value once everything is decided.  Operands
 * of a term come before it; the terms of a `let rec` stand together. */

typedef enum Bound {
  BOUND_LOWER,
  BOUND_UPPER,
  BOUND_EXACT,
} Bound;

enum { BOUND_COUNT = 3 };

typedef struct Term {
  CatOp op;
  CatShape shape;
  Bound bound;
  CatBase base;
  unsigned a; /* operands: terms */
  unsigned b;
  int group; /* index into Plan.groups, or -1 */
} Term;

/* The least fixpoint of one bound of one `let rec`. */
typedef struct TermGroup {
  unsigned first; /* its terms: [first, first + count) */
  unsigned count;
  const unsigned *vars;
  const unsigned *bodies;
  unsigned var_count;
} TermGroup;

typedef struct PlanCheck {
  const CatCheck *check;
  unsigned term; /* lower bound; upper when negated; exact for flags */
} PlanCheck;

enum { RULE_MINUS_MAX = 4 };

/* What an axiom says about a base relation that the search decides: every pair of `source` that
 * is in none of the `minus` must be in it, turned round when `inverse` (from `empty (source
 * \ base)` and `empty (source \ (base | base^-1))`); or, when it `forbids`, no pair of `source`
 * may be. */
typedef struct Rule {
  unsigned source;
  unsigned minus[RULE_MINUS_MAX];
  unsigned minus_count;
  CatBase base; /* CAT_BASE_CO or CAT_BASE_SYNC_FENCE */
  bool inverse;
  bool forbids;
} Rule;

typedef struct Plan {
  const CatModel *model;
  Term *terms;
  unsigned term_count;
  TermGroup *groups;
  unsigned group_count;
  PlanCheck *axioms; /* in the order of the model; each after the terms up to its own */
  unsigned axiom_count;
  PlanCheck *flags; /* their terms come after all those of axioms and rules */
  unsigned flag_count;
  unsigned axiom_terms; /* the first term that only flags need */
  Rule *rules;
  unsigned rule_count;
} Plan;

/* 0, 1 or 2: how many of a and b an operator has.  A bound name has none. */
unsigned plan_operand_count (CatOp op);

/* Lives in `a`; refers to `model`. */
const Plan *plan_new (Arena *a, const CatModel *model);

#endif
