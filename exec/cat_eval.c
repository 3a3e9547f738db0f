/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/cat_eval.h"

#include "exec/base.h"

struct CatEval {
  Arena *arena;
  const CatModel *model;
  const Execution *x;
  CatValue *values; /* per node; both NULL: not known yet */
};

CatEval *
cat_eval_new (Arena *a, const CatModel *model, const Execution *execution)
{
  CatEval *e = arena_new_of (a, CatEval);
  *e = (CatEval){ a, model, execution, arena_array (a, CatValue, model->node_count) };
  return e;
}

/* ---- Base sets and relations --------------------------------------------------------------
 */

static const Set *
base_set (CatEval *e, CatBase base)
{
  Set *s = set_new (e->arena, e->x->event_count);
  for (unsigned i = 0; i < e->x->event_count; i++)
    if (base_has (base, e->x->program, &e->x->events[i]))
      set_add (s, i);
  return s;
}

/* Which pairs of events are in a relation that events alone determine. */
static bool
related (CatBase base, const Execution *x, unsigned i, unsigned j)
{
  static const RunOptions no_fault = { .fault = FAULT_NONE };
  const Event *from = &x->events[i];
  const Event *to = &x->events[j];
  if (base_is_pairwise (base))
    return base_relates (base, x->program, from, to, &no_fault);
  if (base == CAT_BASE_PO) /* events are sorted by thread and program order */
    return i < j && from->thread == to->thread && !from->is_init;
  g_assert (base == CAT_BASE_SYNCBAR);
  return i != j && from->kind == EVENT_BARRIER && to->kind == EVENT_BARRIER && from->phase >= 0
         && from->phase == to->phase && to->barrier_mode == BARRIER_SYNC;
}

static const Rel *
related_pairs (CatEval *e, CatBase base)
{
  unsigned n = e->x->event_count;
  Rel *r = rel_new (e->arena, n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      if (related (base, e->x, i, j))
        rel_add (r, i, j);
  return r;
}

static const Rel *
base_rel (CatEval *e, CatBase base)
{
  Arena *a = e->arena;
  const Execution *x = e->x;
  unsigned n = x->event_count;
  if (base == CAT_BASE_ADDR)
    return rel_from_pairs (a, n, x->addr);
  if (base == CAT_BASE_DATA)
    return rel_from_pairs (a, n, x->data);
  if (base == CAT_BASE_CTRL)
    return rel_from_pairs (a, n, x->ctrl);
  if (base == CAT_BASE_RMW_REL)
    return rel_from_pairs (a, n, x->rmw);
  if (base == CAT_BASE_RF)
    return rel_from_pairs (a, n, x->rf);
  if (base == CAT_BASE_CO)
    return rel_from_pairs (a, n, x->co);
  if (base == CAT_BASE_SYNC_FENCE)
    return rel_from_pairs (a, n, x->sync_fence);
  if (base == CAT_BASE_FR)
    return rel_seq (a, rel_inverse (a, rel_from_pairs (a, n, x->rf)),
                    rel_from_pairs (a, n, x->co));
  return related_pairs (e, base);
}

static CatValue
base_value (CatEval *e, CatBase base)
{
  if (cat_base_shape (base) == CAT_SET)
    return (CatValue){ .set = base_set (e, base) };
  return (CatValue){ .rel = base_rel (e, base) };
}

/* ---- Operators ----------------------------------------------------------------------------
 */

static const Set *
set_value (CatEval *e, const CatNode *node)
{
  Arena *a = e->arena;
  switch (node->op) {
  case CAT_OP_EMPTY:
    return set_new (a, e->x->event_count);
  case CAT_OP_UNION:
    return set_union (a, cat_eval_node (e, node->a).set, cat_eval_node (e, node->b).set);
  case CAT_OP_INTER:
    return set_inter (a, cat_eval_node (e, node->a).set, cat_eval_node (e, node->b).set);
  case CAT_OP_DIFF:
    return set_diff (a, cat_eval_node (e, node->a).set, cat_eval_node (e, node->b).set);
  case CAT_OP_COMPL:
    return set_compl (a, cat_eval_node (e, node->a).set);
  case CAT_OP_DOMAIN:
    return rel_domain (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_RANGE:
    return rel_range (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_BASE:
  case CAT_OP_SEQ:
  case CAT_OP_CROSS:
  case CAT_OP_INVERSE:
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
  case CAT_OP_OPT:
  case CAT_OP_ID_ON:
  case CAT_OP_REC:
    break;
  }
  g_assert_not_reached (); /* no such set */
}

static const Rel *
rel_value (CatEval *e, const CatNode *node)
{
  Arena *a = e->arena;
  switch (node->op) {
  case CAT_OP_EMPTY:
    return rel_new (a, e->x->event_count);
  case CAT_OP_UNION:
    return rel_union (a, cat_eval_node (e, node->a).rel, cat_eval_node (e, node->b).rel);
  case CAT_OP_INTER:
    return rel_inter (a, cat_eval_node (e, node->a).rel, cat_eval_node (e, node->b).rel);
  case CAT_OP_DIFF:
    return rel_diff (a, cat_eval_node (e, node->a).rel, cat_eval_node (e, node->b).rel);
  case CAT_OP_COMPL:
    return rel_compl (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_SEQ:
    return rel_seq (a, cat_eval_node (e, node->a).rel, cat_eval_node (e, node->b).rel);
  case CAT_OP_CROSS:
    return rel_cross (a, cat_eval_node (e, node->a).set, cat_eval_node (e, node->b).set);
  case CAT_OP_INVERSE:
    return rel_inverse (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_PLUS:
    return rel_plus (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_STAR:
    return rel_star (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_OPT:
    return rel_opt (a, cat_eval_node (e, node->a).rel);
  case CAT_OP_ID_ON:
    return rel_id_on (a, cat_eval_node (e, node->a).set);
  case CAT_OP_BASE:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
  case CAT_OP_REC:
    break;
  }
  g_assert_not_reached (); /* no such relation, or evaluated elsewhere */
}

static bool
same_value (CatValue x, CatValue y)
{
  return x.set != NULL ? set_equal (x.set, y.set) : rel_equal (x.rel, y.rel);
}

/* The least fixpoint of the group, from below. */
static void
evaluate_group (CatEval *e, int group)
{
  const CatModel *m = e->model;
  const CatGroup *g = &m->groups[group];
  for (unsigned i = 0; i < g->count; i++) {
    bool is_set = m->nodes[g->vars[i]].shape == CAT_SET;
    unsigned n = e->x->event_count;
    e->values[g->vars[i]] = (CatValue){ is_set ? set_new (e->arena, n) : NULL,
                                        is_set ? NULL : rel_new (e->arena, n) };
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < m->node_count; i++)
      if (m->nodes[i].group == group && m->nodes[i].op != CAT_OP_REC)
        e->values[i] = (CatValue){ NULL, NULL };
    for (unsigned i = 0; i < g->count; i++)
      cat_eval_node (e, g->bodies[i]);
    for (unsigned i = 0; i < g->count; i++) {
      CatValue body = e->values[g->bodies[i]];
      changed = changed || !same_value (e->values[g->vars[i]], body);
      e->values[g->vars[i]] = body;
    }
  }
}

CatValue
cat_eval_node (CatEval *e, unsigned index)
{
  CatValue *value = &e->values[index];
  const CatNode *node = &e->model->nodes[index];
  if (value->set != NULL || value->rel != NULL)
    return *value;
  bool inside = node->group >= 0 && e->values[e->model->groups[node->group].vars[0]].set == NULL
                && e->values[e->model->groups[node->group].vars[0]].rel == NULL;
  if (inside)
    evaluate_group (e, node->group);
  else if (node->op == CAT_OP_BASE)
    *value = base_value (e, node->base);
  else if (node->shape == CAT_SET)
    *value = (CatValue){ .set = set_value (e, node) };
  else
    *value = (CatValue){ .rel = rel_value (e, node) };
  return *value;
}

static bool
condition (CatEval *e, const CatCheck *check)
{
  CatValue value = cat_eval_node (e, check->node);
  switch (check->kind) {
  case CAT_EMPTY:
    return value.set != NULL ? set_empty (value.set) : rel_empty (value.rel);
  case CAT_IRREFLEXIVE:
    return rel_irreflexive (value.rel);
  case CAT_ACYCLIC:
    return rel_acyclic (value.rel);
  }
  g_assert_not_reached ();
}

bool
cat_eval_check (CatEval *e, const CatCheck *check)
{
  return condition (e, check) != check->negated;
}
