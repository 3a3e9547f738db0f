/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/plan.h"

#include <string.h>

typedef struct Planner {
  Arena *arena;
  const CatModel *model;
  GArray *terms;             /* Term */
  GArray *groups;            /* TermGroup */
  GArray *rules;             /* Rule */
  int *term_of[BOUND_COUNT]; /* per node */
  bool *leads_down;          /* per node */
} Planner;

static Bound
opposite (Bound bound)
{
  switch (bound) {
  case BOUND_LOWER:
    return BOUND_UPPER;
  case BOUND_UPPER:
    return BOUND_LOWER;
  case BOUND_EXACT:
    return BOUND_EXACT;
  }
  g_assert_not_reached ();
}

unsigned
plan_operand_count (CatOp op)
{
  switch (op) {
  case CAT_OP_BASE:
  case CAT_OP_EMPTY:
  case CAT_OP_REC: /* its body is not an operand here */
    return 0;
  case CAT_OP_UNION:
  case CAT_OP_INTER:
  case CAT_OP_DIFF:
  case CAT_OP_SEQ:
  case CAT_OP_CROSS:
    return 2;
  case CAT_OP_COMPL:
  case CAT_OP_INVERSE:
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
  case CAT_OP_OPT:
  case CAT_OP_ID_ON:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
    return 1;
  }
  g_assert_not_reached ();
}

static Bound
bound_of_a (const CatNode *node, Bound bound)
{
  return node->op == CAT_OP_COMPL ? opposite (bound) : bound;
}

static Bound
bound_of_b (const CatNode *node, Bound bound)
{
  return node->op == CAT_OP_DIFF ? opposite (bound) : bound;
}

static unsigned
add_term (Planner *p, Term term)
{
  g_array_append_val (p->terms, term);
  return p->terms->len - 1;
}

static unsigned term_for (Planner *p, unsigned node, Bound bound);

static bool
is_base (const CatModel *m, unsigned node, CatBase base)
{
  return m->nodes[node].op == CAT_OP_BASE && m->nodes[node].base == base;
}

/* The coherence order we supply is transitive already. */
static bool
is_closed_co (const CatModel *m, const CatNode *node)
{
  return node->op == CAT_OP_PLUS && is_base (m, node->a, CAT_BASE_CO);
}

/* The terms of operands from outside the group. */
static void
plan_outside (Planner *p, int group, Bound bound)
{
  const CatModel *m = p->model;
  for (unsigned i = 0; i < m->node_count; i++) {
    const CatNode *node = &m->nodes[i];
    if (node->group != group)
      continue;
    unsigned count = plan_operand_count (node->op);
    if (count > 0 && m->nodes[node->a].group != group)
      term_for (p, node->a, bound_of_a (node, bound));
    if (count > 1 && m->nodes[node->b].group != group)
      term_for (p, node->b, bound_of_b (node, bound));
  }
}

static Term
term_of_node (const CatNode *node, Bound bound, int group)
{
  return (Term){
    .op = node->op, .shape = node->shape, .bound = bound, .base = node->base, .group = group
  };
}

static void
plan_group (Planner *p, int group, Bound bound)
{
  const CatModel *m = p->model;
  const CatGroup *g = &m->groups[group];
  plan_outside (p, group, bound);
  TermGroup terms = { .first = p->terms->len, .var_count = g->count };
  for (unsigned pass = 0; pass < 2; pass++) /* the bound names first */
    for (unsigned i = 0; i < m->node_count; i++)
      if (m->nodes[i].group == group && (m->nodes[i].op == CAT_OP_REC) == (pass == 0))
        p->term_of[bound][i]
            = (int) add_term (p, term_of_node (&m->nodes[i], bound, (int) p->groups->len));
  terms.count = p->terms->len - terms.first;
  for (unsigned i = 0; i < m->node_count; i++)
    if (m->nodes[i].group == group && m->nodes[i].op != CAT_OP_REC) {
      Term *t = &g_array_index (p->terms, Term, p->term_of[bound][i]);
      unsigned count = plan_operand_count (t->op);
      if (count > 0)
        t->a = term_for (p, m->nodes[i].a, bound_of_a (&m->nodes[i], bound));
      if (count > 1)
        t->b = term_for (p, m->nodes[i].b, bound_of_b (&m->nodes[i], bound));
    }
  unsigned *vars = arena_array (p->arena, unsigned, g->count);
  unsigned *bodies = arena_array (p->arena, unsigned, g->count);
  for (unsigned i = 0; i < g->count; i++) {
    vars[i] = (unsigned) p->term_of[bound][g->vars[i]];
    bodies[i] = term_for (p, g->bodies[i], bound);
  }
  terms.vars = vars;
  terms.bodies = bodies;
  g_array_append_val (p->groups, terms);
}

/* Once everything is decided a lower bound is exact. */
static Bound
needed_bound (const Planner *p, unsigned node, Bound bound)
{
  bool have_lower = p->term_of[BOUND_LOWER][node] >= 0;
  return bound == BOUND_EXACT && have_lower ? BOUND_LOWER : bound;
}

static unsigned
term_for (Planner *p, unsigned index, Bound bound)
{
  bound = needed_bound (p, index, bound);
  int *known = &p->term_of[bound][index];
  if (*known >= 0)
    return (unsigned) *known;
  const CatNode *node = &p->model->nodes[index];
  if (node->group >= 0) {
    plan_group (p, node->group, bound);
    return (unsigned) *known;
  }
  if (is_closed_co (p->model, node)) {
    *known = (int) term_for (p, node->a, bound);
    return (unsigned) *known;
  }
  Term term = term_of_node (node, bound, -1);
  unsigned count = plan_operand_count (node->op);
  if (count > 0)
    term.a = term_for (p, node->a, bound_of_a (node, bound));
  if (count > 1)
    term.b = term_for (p, node->b, bound_of_b (node, bound));
  *known = (int) add_term (p, term);
  return (unsigned) *known;
}

/* ---- Rules --------------------------------------------------------------------------------
 */

static bool
is_chosen_base (const CatNode *node)
{
  return node->op == CAT_OP_BASE
         && (node->base == CAT_BASE_CO || node->base == CAT_BASE_SYNC_FENCE);
}

/* The pairs that `rule` speaks of must be in `node`: what does that force? */
static void
require (Planner *p, unsigned index, Rule rule)
{
  const CatNode *node = &p->model->nodes[index];
  if (is_closed_co (p->model, node))
    node = &p->model->nodes[node->a];
  if (is_chosen_base (node)) {
    rule.base = node->base;
    g_array_append_val (p->rules, rule);
  } else if (node->op == CAT_OP_INVERSE) {
    rule.inverse = !rule.inverse;
    require (p, node->a, rule);
  } else if (node->op == CAT_OP_INTER) {
    require (p, node->a, rule);
    require (p, node->b, rule);
  } else if (node->op == CAT_OP_UNION && !rule.inverse && rule.minus_count < RULE_MINUS_MAX) {
    Rule left = rule;
    left.minus[left.minus_count++] = term_for (p, node->b, BOUND_UPPER);
    require (p, node->a, left);
    rule.minus[rule.minus_count++] = term_for (p, node->a, BOUND_UPPER);
    require (p, node->b, rule);
  }
}

/* ---- Pairs that would break an axiom ------------------------------------------------------
 */

/* A set of pairs: all, every event with itself, a term, or a term turned round. */
typedef struct PairSet {
  enum { PAIRS_ALL, PAIRS_ID, PAIRS_TERM, PAIRS_INVERSE } kind;
  unsigned term;
} PairSet;

static unsigned
make_term (Planner *p, CatOp op, unsigned a, unsigned b)
{
  return add_term (
      p,
      (Term){ .op = op, .shape = CAT_REL, .bound = BOUND_LOWER, .a = a, .b = b, .group = -1 });
}

static unsigned
make_base (Planner *p, CatBase base)
{
  return add_term (p, (Term){ .op = CAT_OP_BASE,
                              .shape = CAT_REL,
                              .bound = BOUND_LOWER,
                              .base = base,
                              .group = -1 });
}

static unsigned
make_inverse (Planner *p, unsigned term)
{
  const Term *t = &g_array_index (p->terms, Term, term);
  if (t->op == CAT_OP_INVERSE)
    return t->a;
  return t->op == CAT_OP_ID_ON ? term : make_term (p, CAT_OP_INVERSE, term, 0);
}

static PairSet
pairs_inverse (PairSet set)
{
  if (set.kind == PAIRS_TERM)
    set.kind = PAIRS_INVERSE;
  else if (set.kind == PAIRS_INVERSE)
    set.kind = PAIRS_TERM;
  return set;
}

/* Not for PAIRS_ALL. */
static unsigned
pairs_term (Planner *p, PairSet set)
{
  if (set.kind == PAIRS_ID)
    return make_base (p, CAT_BASE_ID);
  return set.kind == PAIRS_INVERSE ? make_inverse (p, set.term) : set.term;
}

static PairSet
pairs_within (Planner *p, PairSet set, unsigned term)
{
  if (set.kind == PAIRS_ALL)
    return (PairSet){ PAIRS_TERM, term };
  unsigned both = make_term (p, CAT_OP_INTER, pairs_term (p, set), term);
  return (PairSet){ PAIRS_TERM, both };
}

/* set; x^-1 */
static PairSet
pairs_then_back (Planner *p, PairSet set, unsigned x)
{
  if (set.kind == PAIRS_ID)
    return (PairSet){ PAIRS_INVERSE, x };
  unsigned back = make_inverse (p, x);
  return (PairSet){ PAIRS_TERM, make_term (p, CAT_OP_SEQ, pairs_term (p, set), back) };
}

static bool
is_decided_base (CatBase base)
{
  return base == CAT_BASE_CO || base == CAT_BASE_FR || base == CAT_BASE_SYNC_FENCE;
}

/* Marks the nodes from which `forbid` gets down to co or sync_fence. */
static void
find_ways_down (Planner *p)
{
  const CatModel *m = p->model;
  for (unsigned i = 0; i < m->node_count; i++) {
    const CatNode *n = &m->nodes[i];
    switch (n->op) {
    case CAT_OP_BASE:
      p->leads_down[i] = is_decided_base (n->base);
      break;
    case CAT_OP_UNION:
    case CAT_OP_INTER:
    case CAT_OP_SEQ:
      p->leads_down[i] = p->leads_down[n->a] || p->leads_down[n->b];
      break;
    case CAT_OP_DIFF:
    case CAT_OP_INVERSE:
    case CAT_OP_OPT:
      p->leads_down[i] = p->leads_down[n->a];
      break;
    case CAT_OP_PLUS:
      p->leads_down[i] = is_closed_co (p->model, n);
      break;
    case CAT_OP_EMPTY:
    case CAT_OP_COMPL:
    case CAT_OP_CROSS:
    case CAT_OP_STAR:
    case CAT_OP_ID_ON:
    case CAT_OP_DOMAIN:
    case CAT_OP_RANGE:
    case CAT_OP_REC:
      break;
    }
  }
}

static void forbid (Planner *p, unsigned index, PairSet set);

/* For a pair (x, y) of the set that a; b must not have: a must not lead from x to where b leads
 * on to y, and the other way round for b. */
static void
forbid_seq (Planner *p, const CatNode *node, PairSet set)
{
  if (set.kind == PAIRS_ALL)
    return;
  if (p->leads_down[node->a])
    forbid (p, node->a, pairs_then_back (p, set, term_for (p, node->b, BOUND_LOWER)));
  if (p->leads_down[node->b]) {
    PairSet turned = pairs_then_back (p, pairs_inverse (set),
                                      make_inverse (p, term_for (p, node->a, BOUND_LOWER)));
    forbid (p, node->b, pairs_inverse (turned));
  }
}

static void
forbid_base (Planner *p, CatBase base, PairSet set)
{
  if (set.kind == PAIRS_ALL || !is_decided_base (base))
    return;
  Rule rule = { .base = base, .forbids = true };
  if (base == CAT_BASE_FR) { /* (r, w) out of fr: (source of r, w) out of co */
    unsigned rf = make_base (p, CAT_BASE_RF);
    rule.source = make_term (p, CAT_OP_SEQ, rf, pairs_term (p, set));
    rule.base = CAT_BASE_CO;
  } else {
    rule.inverse = set.kind == PAIRS_INVERSE;
    rule.source = rule.inverse ? set.term : pairs_term (p, set);
  }
  g_array_append_val (p->rules, rule);
}

static void
forbid_diff (Planner *p, const CatNode *node, PairSet set)
{
  if (set.kind == PAIRS_ALL)
    return;
  unsigned without = term_for (p, node->b, BOUND_UPPER);
  unsigned rest = make_term (p, CAT_OP_DIFF, pairs_term (p, set), without);
  forbid (p, node->a, (PairSet){ PAIRS_TERM, rest });
}

/* If a pair of `set` were in the node, an axiom would fail.  Follows that down to co and
 * sync_fence, through the operators that only add; closures are not followed. */
static void
forbid (Planner *p, unsigned index, PairSet set)
{
  const CatNode *node = &p->model->nodes[index];
  if (!p->leads_down[index])
    return;
  if (is_closed_co (p->model, node))
    node = &p->model->nodes[node->a];
  switch (node->op) {
  case CAT_OP_BASE:
    forbid_base (p, node->base, set);
    return;
  case CAT_OP_UNION:
    forbid (p, node->a, set);
    forbid (p, node->b, set);
    return;
  case CAT_OP_INTER:
    if (p->leads_down[node->a])
      forbid (p, node->a, pairs_within (p, set, term_for (p, node->b, BOUND_LOWER)));
    if (p->leads_down[node->b])
      forbid (p, node->b, pairs_within (p, set, term_for (p, node->a, BOUND_LOWER)));
    return;
  case CAT_OP_DIFF:
    forbid_diff (p, node, set);
    return;
  case CAT_OP_SEQ:
    forbid_seq (p, node, set);
    return;
  case CAT_OP_INVERSE:
    forbid (p, node->a, pairs_inverse (set));
    return;
  case CAT_OP_OPT:
    forbid (p, node->a, set);
    return;
  case CAT_OP_EMPTY:
  case CAT_OP_COMPL:
  case CAT_OP_CROSS:
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
  case CAT_OP_ID_ON:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
  case CAT_OP_REC:
    return;
  }
  g_assert_not_reached ();
}

/* The pairs that would make the check fail if its relation had them. */
static PairSet
breaking_pairs (Planner *p, const CatCheck *check)
{
  switch (check->kind) {
  case CAT_EMPTY:
    return (PairSet){ .kind = PAIRS_ALL };
  case CAT_IRREFLEXIVE:
    return (PairSet){ .kind = PAIRS_ID };
  case CAT_ACYCLIC: {
    unsigned lower = term_for (p, check->node, BOUND_LOWER);
    return (PairSet){ PAIRS_INVERSE, make_term (p, CAT_OP_STAR, lower, 0) };
  }
  }
  g_assert_not_reached ();
}

static void
plan_rules (Planner *p, const CatCheck *check)
{
  const CatNode *node = &p->model->nodes[check->node];
  if (check->negated || node->shape != CAT_REL)
    return;
  if (check->kind == CAT_EMPTY && node->op == CAT_OP_DIFF)
    require (p, node->b, (Rule){ .source = term_for (p, node->a, BOUND_LOWER) });
  if (p->leads_down[check->node])
    forbid (p, check->node, breaking_pairs (p, check));
}

/* ---- The whole ----------------------------------------------------------------------------
 */

static void
plan_checks (Planner *p, Plan *plan)
{
  const CatModel *m = p->model;
  plan->axioms = arena_array (p->arena, PlanCheck, m->check_count);
  plan->flags = arena_array (p->arena, PlanCheck, m->check_count);
  for (unsigned i = 0; i < m->check_count; i++) {
    const CatCheck *c = &m->checks[i];
    if (c->is_flag)
      continue;
    unsigned term = term_for (p, c->node, c->negated ? BOUND_UPPER : BOUND_LOWER);
    plan->axioms[plan->axiom_count++] = (PlanCheck){ c, term };
    plan_rules (p, c);
  }
  plan->axiom_terms = p->terms->len;
  for (unsigned i = 0; i < m->check_count; i++) {
    const CatCheck *c = &m->checks[i];
    if (c->is_flag)
      plan->flags[plan->flag_count++] = (PlanCheck){ c, term_for (p, c->node, BOUND_EXACT) };
  }
}

static void *
into_arena (Arena *a, GArray *array)
{
  void *copy
      = arena_copy (a, array->data, (size_t) array->len * g_array_get_element_size (array));
  g_array_free (array, TRUE);
  return copy;
}

const Plan *
plan_new (Arena *a, const CatModel *model)
{
  Planner p = { .arena = a, .model = model };
  p.terms = g_array_new (FALSE, TRUE, sizeof (Term));
  p.groups = g_array_new (FALSE, TRUE, sizeof (TermGroup));
  p.rules = g_array_new (FALSE, TRUE, sizeof (Rule));
  for (unsigned bound = 0; bound < BOUND_COUNT; bound++) {
    p.term_of[bound] = arena_array (a, int, model->node_count);
    memset (p.term_of[bound], -1, sizeof (int) * model->node_count);
  }
  p.leads_down = arena_array (a, bool, model->node_count);
  find_ways_down (&p);
  Plan *plan = arena_new_of (a, Plan);
  plan->model = model;
  plan_checks (&p, plan);
  plan->term_count = p.terms->len;
  plan->group_count = p.groups->len;
  plan->rule_count = p.rules->len;
  plan->terms = into_arena (a, p.terms);
  plan->groups = into_arena (a, p.groups);
  plan->rules = into_arena (a, p.rules);
  return plan;
}
