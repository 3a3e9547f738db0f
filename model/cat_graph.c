/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat_graph.h"

#include <stdlib.h>

/* Nodes are numbered as they are made, so that operands have smaller numbers than users, but
 * for the body of a variable. */
typedef struct Node {
  CatNode node; /* .group: for a variable and for a body, else -1 until the end */
  int newest;   /* the latest group one of whose variables this depends on, or -1 */
} Node;

typedef struct Group {
  GArray *vars;
  GArray *bodies; /* empty until it is closed */
} Group;

struct CatGraph {
  Arena *arena;
  GPtrArray *nodes;     /* Node, in the arena */
  GHashTable *existing; /* Node → its number + 1 */
  GArray *groups;       /* Group */
  bool is_open;         /* the last group is */
};

static Node *
node_at (const CatGraph *g, unsigned i)
{
  return g_ptr_array_index (g->nodes, i);
}

static Group *
group_at (const CatGraph *g, unsigned i)
{
  return &g_array_index (g->groups, Group, i);
}

static guint
node_hash (gconstpointer p)
{
  const CatNode *n = &((const Node *) p)->node;
  guint hash = (guint) n->op;
  hash = hash * 31 + (guint) n->shape;
  hash = hash * 31 + (guint) n->base;
  hash = hash * 0x9e3779b1U + n->a;
  hash = hash * 0x9e3779b1U + n->b;
  return hash ^ (hash >> 15);
}

static gboolean
node_equal (gconstpointer p, gconstpointer q)
{
  const CatNode *x = &((const Node *) p)->node;
  const CatNode *y = &((const Node *) q)->node;
  return x->op == y->op && x->shape == y->shape && x->base == y->base && x->a == y->a
         && x->b == y->b;
}

CatGraph *
cat_graph_new (Arena *a)
{
  CatGraph *g = g_new0 (CatGraph, 1);
  g->arena = a;
  g->nodes = g_ptr_array_new ();
  g->existing = g_hash_table_new (node_hash, node_equal);
  g->groups = g_array_new (FALSE, TRUE, sizeof (Group));
  return g;
}

void
cat_graph_free (CatGraph *g)
{
  if (g == NULL)
    return;
  for (unsigned i = 0; i < g->groups->len; i++) {
    g_array_free (group_at (g, i)->vars, TRUE);
    g_array_free (group_at (g, i)->bodies, TRUE);
  }
  g_array_free (g->groups, TRUE);
  g_hash_table_destroy (g->existing);
  g_ptr_array_free (g->nodes, TRUE);
  g_free (g);
}

/* ---- Making nodes -------------------------------------------------------------------------
 */

/* The body of a variable is no operand here: it is made after it. */
static unsigned
operand_count (CatOp op)
{
  return op == CAT_OP_REC ? 0 : cat_operand_count (op);
}

static CatShape
result_shape (CatOp op, CatShape operand)
{
  switch (op) {
  case CAT_OP_UNION:
  case CAT_OP_INTER:
  case CAT_OP_DIFF:
  case CAT_OP_COMPL:
    return operand;
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
    return CAT_SET;
  case CAT_OP_SEQ:
  case CAT_OP_CROSS:
  case CAT_OP_INVERSE:
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
  case CAT_OP_OPT:
  case CAT_OP_ID_ON:
    return CAT_REL;
  case CAT_OP_BASE:
  case CAT_OP_EMPTY:
  case CAT_OP_REC:
    break;
  }
  g_assert_not_reached ();
}

/* Adds a node whatever there is already. */
static unsigned
append (CatGraph *g, CatNode draft)
{
  Node *n = arena_new_of (g->arena, Node);
  n->node = draft;
  n->newest = draft.op == CAT_OP_REC ? draft.group : -1;
  const unsigned operands = operand_count (draft.op);
  if (operands > 0)
    n->newest = node_at (g, draft.a)->newest;
  if (operands > 1)
    n->newest = MAX (n->newest, node_at (g, draft.b)->newest);
  g_ptr_array_add (g->nodes, n);
  return g->nodes->len - 1;
}

/* The node that is equal to `draft`, made if need be. */
static unsigned
intern (CatGraph *g, CatNode draft)
{
  const Node key = { .node = draft };
  const unsigned found = GPOINTER_TO_UINT (g_hash_table_lookup (g->existing, &key));
  if (found != 0)
    return found - 1;
  const unsigned i = append (g, draft);
  g_hash_table_insert (g->existing, node_at (g, i), GUINT_TO_POINTER (i + 1));
  return i;
}

unsigned
cat_graph_base (CatGraph *g, CatBase base, Span span)
{
  return intern (g, (CatNode){ .op = CAT_OP_BASE,
                               .shape = cat_base_shape (base),
                               .base = base,
                               .group = -1,
                               .span = span });
}

unsigned
cat_graph_empty (CatGraph *g, CatShape shape, Span span)
{
  return intern (g, (CatNode){ .op = CAT_OP_EMPTY, .shape = shape, .group = -1, .span = span });
}

CatShape
cat_graph_shape (const CatGraph *g, unsigned node)
{
  return node_at (g, node)->node.shape;
}

static bool
is_empty (const CatGraph *g, unsigned node)
{
  return node_at (g, node)->node.op == CAT_OP_EMPTY;
}

/* True when a law of the empty set or relation, or idempotence, gives the result. */
static bool
simplify (CatGraph *g, CatOp op, unsigned a, unsigned b, Span span, unsigned *result)
{
  const CatShape shape = result_shape (op, cat_graph_shape (g, a));
  switch (op) {
  case CAT_OP_UNION:
    *result = is_empty (g, a) ? b : a;
    return a == b || is_empty (g, a) || is_empty (g, b);
  case CAT_OP_INTER:
    *result = is_empty (g, b) ? b : a;
    return a == b || is_empty (g, a) || is_empty (g, b);
  case CAT_OP_DIFF:
    *result = a;
    return is_empty (g, a) || is_empty (g, b);
  case CAT_OP_SEQ:
  case CAT_OP_CROSS:
    if (!is_empty (g, a) && !is_empty (g, b))
      return false;
    *result = cat_graph_empty (g, shape, span);
    return true;
  case CAT_OP_INVERSE:
  case CAT_OP_PLUS:
  case CAT_OP_ID_ON:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
    if (!is_empty (g, a))
      return false;
    *result = cat_graph_empty (g, shape, span);
    return true;
  case CAT_OP_STAR:
  case CAT_OP_OPT:
    if (!is_empty (g, a))
      return false;
    *result = cat_graph_base (g, CAT_BASE_ID, span);
    return true;
  case CAT_OP_COMPL:
    return false;
  case CAT_OP_BASE:
  case CAT_OP_EMPTY:
  case CAT_OP_REC:
    break;
  }
  g_assert_not_reached ();
}

unsigned
cat_graph_node (CatGraph *g, CatOp op, unsigned a, unsigned b, Span span)
{
  if (operand_count (op) == 1)
    b = 0;
  unsigned result = 0;
  if (simplify (g, op, a, b, span, &result))
    return result;
  return intern (g, (CatNode){ .op = op,
                               .shape = result_shape (op, cat_graph_shape (g, a)),
                               .a = a,
                               .b = b,
                               .group = -1,
                               .span = span });
}

void
cat_graph_name (CatGraph *g, unsigned node, const char *name)
{
  CatNode *n = &node_at (g, node)->node;
  if (n->name == NULL && n->op != CAT_OP_BASE && n->op != CAT_OP_EMPTY)
    n->name = name;
}

/* ---- Groups -------------------------------------------------------------------------------
 */

void
cat_graph_open (CatGraph *g)
{
  g_assert (!g->is_open);
  const Group group = { g_array_new (FALSE, FALSE, sizeof (unsigned)),
                        g_array_new (FALSE, FALSE, sizeof (unsigned)) };
  g_array_append_val (g->groups, group);
  g->is_open = true;
}

unsigned
cat_graph_variable (CatGraph *g, CatShape shape, const char *name, Span span)
{
  g_assert (g->is_open);
  const unsigned group = g->groups->len - 1;
  const unsigned i = append (
      g,
      (CatNode){
          .op = CAT_OP_REC, .shape = shape, .group = (int) group, .name = name, .span = span });
  g_array_append_val (group_at (g, group)->vars, i);
  return i;
}

bool
cat_graph_recursive (const CatGraph *g, unsigned node)
{
  return g->is_open && node_at (g, node)->newest == (int) g->groups->len - 1;
}

/* A body must be a node of its own that comes after its variable.  Where it is a variable
 * itself
 * (`let rec x = y and y = …`), or has none in it, body | 0 stands for it. */
static unsigned
own_body (CatGraph *g, unsigned body)
{
  const CatNode *n = &node_at (g, body)->node;
  if (cat_graph_recursive (g, body) && n->op != CAT_OP_REC)
    return body;
  const Span span = n->span;
  const CatShape shape = n->shape;
  const unsigned empty = cat_graph_empty (g, shape, span);
  return append (g, (CatNode){ .op = CAT_OP_UNION,
                               .shape = shape,
                               .a = body,
                               .b = empty,
                               .group = (int) g->groups->len - 1,
                               .span = span });
}

void
cat_graph_close (CatGraph *g, const unsigned *bodies)
{
  Group *group = group_at (g, g->groups->len - 1);
  for (unsigned i = 0; i < group->vars->len; i++) {
    const unsigned body = own_body (g, bodies[i]);
    node_at (g, g_array_index (group->vars, unsigned, i))->node.a = body;
    g_array_append_val (group->bodies, body);
  }
  g->is_open = false;
}

void
cat_graph_drop (CatGraph *g)
{
  g->is_open = false;
}

/* ---- Finishing ----------------------------------------------------------------------------
 */

static void
push_unmarked (bool *marked, GArray *stack, unsigned node)
{
  if (marked[node])
    return;
  marked[node] = true;
  g_array_append_val (stack, node);
}

static unsigned
pop (GArray *stack)
{
  const unsigned node = g_array_index (stack, unsigned, stack->len - 1);
  g_array_set_size (stack, stack->len - 1);
  return node;
}

/* Marks all that the nodes on the stack depend on; with a variable its whole group. */
static void
mark_below (const CatGraph *g, bool *marked, GArray *stack)
{
  while (stack->len > 0) {
    const CatNode *n = &node_at (g, pop (stack))->node;
    const unsigned operands = operand_count (n->op);
    if (operands > 0)
      push_unmarked (marked, stack, n->a);
    if (operands > 1)
      push_unmarked (marked, stack, n->b);
    if (n->op != CAT_OP_REC)
      continue;
    const Group *group = group_at (g, (unsigned) n->group);
    for (unsigned i = 0; i < group->vars->len; i++) {
      push_unmarked (marked, stack, g_array_index (group->vars, unsigned, i));
      push_unmarked (marked, stack, g_array_index (group->bodies, unsigned, i));
    }
  }
}

/* Puts a node that depends on a variable of `group`, and on which a body of it depends, into
 * the group.  A node can be in one group at most: the latest it depends on. */
static void
join_group (const CatGraph *g, GArray *stack, unsigned node, int group)
{
  Node *n = node_at (g, node);
  if (n->newest != group || n->node.op == CAT_OP_REC || n->node.group == group)
    return;
  n->node.group = group;
  g_array_append_val (stack, node);
}

static void
mark_group (const CatGraph *g, unsigned group)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (unsigned));
  const GArray *bodies = group_at (g, group)->bodies;
  for (unsigned i = 0; i < bodies->len; i++) {
    const unsigned body = g_array_index (bodies, unsigned, i);
    node_at (g, body)->node.group = (int) group;
    g_array_append_val (stack, body);
  }
  while (stack->len > 0) {
    const CatNode *n = &node_at (g, pop (stack))->node;
    const unsigned operands = operand_count (n->op);
    if (operands > 0)
      join_group (g, stack, n->a, (int) group);
    if (operands > 1)
      join_group (g, stack, n->b, (int) group);
  }
}

/* Where a node goes in the finished order: by `major`, then `minor`, then its old number. */
typedef struct Rank {
  unsigned major;
  unsigned minor;
  unsigned node;
} Rank;

static int
rank_compare (const void *p, const void *q)
{
  const Rank *x = p, *y = q;
  if (x->major != y->major)
    return x->major < y->major ? -1 : 1;
  if (x->minor != y->minor)
    return x->minor < y->minor ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* The nodes of a group come together, at the place of its last one: variables, then the others,
 * then nodes that use them, were made while the group was read, and are outside of it. */
static Rank
rank_of (const CatGraph *g, const unsigned *group_last, unsigned i)
{
  const Node *n = node_at (g, i);
  const int group = MAX (n->node.group, n->newest);
  Rank rank = { i, 0, i };
  if (group < 0)
    return rank;
  rank.major = MAX (i, group_last[group]);
  rank.minor = n->node.op == CAT_OP_REC ? 0 : n->node.group >= 0 ? 1 : 2;
  if (n->node.group >= 0)
    rank.major = group_last[n->node.group];
  return rank;
}

static GArray *
ranked_nodes (CatGraph *g, const bool *needed)
{
  g_autofree unsigned *group_last = g_new0 (unsigned, g->groups->len + 1);
  for (unsigned i = 0; i < g->nodes->len; i++)
    if (needed[i] && node_at (g, i)->node.group >= 0)
      group_last[node_at (g, i)->node.group] = i;
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (Rank));
  for (unsigned i = 0; i < g->nodes->len; i++)
    if (needed[i]) {
      const Rank rank = rank_of (g, group_last, i);
      g_array_append_val (ranks, rank);
    }
  g_array_sort (ranks, rank_compare);
  return ranks;
}

static unsigned *
renumbered (Arena *a, const GArray *nodes, const unsigned *new_number)
{
  unsigned *result = arena_array (a, unsigned, nodes->len);
  for (unsigned i = 0; i < nodes->len; i++)
    result[i] = new_number[g_array_index (nodes, unsigned, i)];
  return result;
}

/* Groups that nothing needs are left out; those that stay are numbered anew. */
static int *
emit_groups (CatGraph *g, CatModel *m, const bool *needed, const unsigned *new_number)
{
  int *new_group = g_new (int, g->groups->len + 1);
  CatGroup *groups = arena_array (g->arena, CatGroup, g->groups->len);
  for (unsigned i = 0; i < g->groups->len; i++) {
    const Group *group = group_at (g, i);
    new_group[i] = -1;
    if (group->bodies->len == 0 || !needed[g_array_index (group->vars, unsigned, 0)])
      continue;
    new_group[i] = (int) m->group_count;
    groups[m->group_count++]
        = (CatGroup){ renumbered (g->arena, group->vars, new_number),
                      renumbered (g->arena, group->bodies, new_number), group->vars->len };
  }
  m->groups = groups;
  return new_group;
}

static void
emit_nodes (CatGraph *g, CatModel *m, const GArray *ranks, const unsigned *new_number,
            const int *new_group)
{
  m->node_count = ranks->len;
  m->nodes = arena_array (g->arena, CatNode, ranks->len);
  for (unsigned i = 0; i < ranks->len; i++) {
    CatNode n = node_at (g, g_array_index (ranks, Rank, i).node)->node;
    const unsigned operands = cat_operand_count (n.op);
    if (operands > 0)
      n.a = new_number[n.a];
    if (operands > 1)
      n.b = new_number[n.b];
    if (n.group >= 0)
      n.group = new_group[n.group];
    m->nodes[i] = n;
  }
}

static bool *
mark_needed (const CatGraph *g, const CatModel *m)
{
  bool *needed = g_new0 (bool, g->nodes->len + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (unsigned));
  for (unsigned i = 0; i < m->binding_count; i++)
    push_unmarked (needed, stack, m->bindings[i].node);
  for (unsigned i = 0; i < m->check_count; i++)
    push_unmarked (needed, stack, m->checks[i].node);
  mark_below (g, needed, stack);
  return needed;
}

void
cat_graph_finish (CatGraph *g, CatModel *m, CatCheck *checks, CatBinding *bindings)
{
  g_assert (!g->is_open);
  g_autofree bool *needed = mark_needed (g, m);
  for (unsigned i = 0; i < g->groups->len; i++)
    mark_group (g, i);
  g_autoptr (GArray) ranks = ranked_nodes (g, needed);
  g_autofree unsigned *new_number = g_new0 (unsigned, g->nodes->len + 1);
  for (unsigned i = 0; i < ranks->len; i++)
    new_number[g_array_index (ranks, Rank, i).node] = i;
  g_autofree int *new_group = emit_groups (g, m, needed, new_number);
  emit_nodes (g, m, ranks, new_number, new_group);
  for (unsigned i = 0; i < m->check_count; i++)
    checks[i].node = new_number[checks[i].node];
  for (unsigned i = 0; i < m->binding_count; i++)
    bindings[i].node = new_number[bindings[i].node];
}
