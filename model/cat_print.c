/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat_print.h"

#include <string.h>

/* An expression that occurs more than once gets a name of its own when it is longer than this,
 * and any expression that nests deeper, so that printing and reading back need little stack. */
enum { INLINE_SIZE = 6, INLINE_DEPTH = 40 };

typedef struct Printer {
  const CatModel *m;
  GString *out;
  const char **bound;   /* per node: the first binding of it, or NULL */
  const char **visible; /* per node: the name by which it can be written now, or NULL */
  bool *split;          /* per node: it is not written in place but gets a name */
  bool *leaks;          /* per group: something outside uses a node that is no variable */
  GPtrArray *names;     /* owned */
} Printer;

/* ---- What gets a name ---------------------------------------------------------------------
 */

static bool
is_leaf (const CatNode *n)
{
  return n->op == CAT_OP_BASE || n->op == CAT_OP_EMPTY || n->op == CAT_OP_REC;
}

/* Leaves are no operands of note: they are written as they are. */
static unsigned
operand_count (const CatNode *n)
{
  return n->op == CAT_OP_REC ? 0 : cat_operand_count (n->op);
}

static unsigned
operand (const CatNode *n, unsigned i)
{
  return i == 0 ? n->a : n->b;
}

static unsigned *
count_users (const CatModel *m)
{
  unsigned *users = g_new0 (unsigned, m->node_count + 1);
  for (unsigned i = 0; i < m->node_count; i++)
    for (unsigned k = 0; k < operand_count (&m->nodes[i]); k++)
      users[operand (&m->nodes[i], k)]++;
  for (unsigned i = 0; i < m->check_count; i++)
    users[m->checks[i].node]++;
  return users;
}

/* How much is written in the place of a node. */
typedef struct Extent {
  unsigned size;
  unsigned depth;
} Extent;

static void
choose_splits (Printer *p)
{
  const CatModel *m = p->m;
  g_autofree unsigned *users = count_users (m);
  g_autofree Extent *extents = g_new0 (Extent, m->node_count + 1);
  for (unsigned i = 0; i < m->node_count; i++) {
    const CatNode *n = &m->nodes[i];
    Extent e = { 1, 1 };
    for (unsigned k = 0; k < operand_count (n); k++) {
      const Extent *below = &extents[operand (n, k)];
      e.size += below->size;
      e.depth = MAX (e.depth, below->depth + 1);
    }
    const bool named = p->bound[i] != NULL && n->group < 0;
    p->split[i]
        = !is_leaf (n)
          && (named || (users[i] > 1 && e.size > INLINE_SIZE) || e.depth > INLINE_DEPTH);
    extents[i] = p->split[i] ? (Extent){ 1, 1 } : e;
  }
}

static void
note_leak (Printer *p, unsigned node, int user_group)
{
  const CatNode *n = &p->m->nodes[node];
  if (n->group >= 0 && n->op != CAT_OP_REC && n->group != user_group)
    p->leaks[n->group] = true;
}

static void
find_leaks (Printer *p)
{
  const CatModel *m = p->m;
  for (unsigned i = 0; i < m->node_count; i++)
    for (unsigned k = 0; k < operand_count (&m->nodes[i]); k++)
      note_leak (p, operand (&m->nodes[i], k), m->nodes[i].group);
  for (unsigned i = 0; i < m->check_count; i++)
    note_leak (p, m->checks[i].node, -1);
  for (unsigned i = 0; i < m->binding_count; i++)
    note_leak (p, m->bindings[i].node, -1);
}

static const char *
private_name (Printer *p, unsigned node)
{
  char *name = g_strdup_printf ("_n%u", node);
  g_ptr_array_add (p->names, name);
  return name;
}

static const char *
own_name (Printer *p, unsigned node)
{
  return p->bound[node] != NULL ? p->bound[node] : private_name (p, node);
}

/* ---- Expressions --------------------------------------------------------------------------
 */

/* How tightly an expression holds together; an operand that holds less tightly than its place
 * asks for stands in parentheses. */
typedef enum Level {
  LEVEL_UNION,
  LEVEL_SEQ,
  LEVEL_DIFF,
  LEVEL_INTER,
  LEVEL_COMPL,
  LEVEL_CROSS,
  LEVEL_POSTFIX,
  LEVEL_PRIMARY,
} Level;

typedef enum Form { FORM_INFIX, FORM_PREFIX, FORM_POSTFIX, FORM_AROUND, FORM_LEAF } Form;

static const struct {
  Form form;
  Level level;
  Level left; /* asked of the operands */
  Level right;
  const char *before;
  const char *after;
} forms[] = {
  [CAT_OP_BASE] = { FORM_LEAF, LEVEL_PRIMARY, 0, 0, "", "" },
  [CAT_OP_EMPTY] = { FORM_LEAF, LEVEL_PRIMARY, 0, 0, "", "" },
  [CAT_OP_REC] = { FORM_LEAF, LEVEL_PRIMARY, 0, 0, "", "" },
  [CAT_OP_UNION] = { FORM_INFIX, LEVEL_UNION, LEVEL_UNION, LEVEL_SEQ, " | ", "" },
  [CAT_OP_SEQ] = { FORM_INFIX, LEVEL_SEQ, LEVEL_SEQ, LEVEL_DIFF, "; ", "" },
  [CAT_OP_DIFF] = { FORM_INFIX, LEVEL_DIFF, LEVEL_DIFF, LEVEL_INTER, " \\ ", "" },
  [CAT_OP_INTER] = { FORM_INFIX, LEVEL_INTER, LEVEL_INTER, LEVEL_COMPL, " & ", "" },
  [CAT_OP_CROSS] = { FORM_INFIX, LEVEL_CROSS, LEVEL_PRIMARY, LEVEL_PRIMARY, " * ", "" },
  [CAT_OP_COMPL] = { FORM_PREFIX, LEVEL_COMPL, LEVEL_POSTFIX, 0, "~", "" },
  [CAT_OP_INVERSE] = { FORM_POSTFIX, LEVEL_POSTFIX, LEVEL_PRIMARY, 0, "", "^-1" },
  [CAT_OP_PLUS] = { FORM_POSTFIX, LEVEL_POSTFIX, LEVEL_PRIMARY, 0, "", "+" },
  [CAT_OP_STAR] = { FORM_POSTFIX, LEVEL_POSTFIX, LEVEL_PRIMARY, 0, "", "*" },
  [CAT_OP_OPT] = { FORM_POSTFIX, LEVEL_POSTFIX, LEVEL_PRIMARY, 0, "", "?" },
  [CAT_OP_ID_ON] = { FORM_AROUND, LEVEL_PRIMARY, LEVEL_UNION, 0, "[", "]" },
  [CAT_OP_DOMAIN] = { FORM_AROUND, LEVEL_PRIMARY, LEVEL_UNION, 0, "domain(", ")" },
  [CAT_OP_RANGE] = { FORM_AROUND, LEVEL_PRIMARY, LEVEL_UNION, 0, "range(", ")" },
};

static void print_operand (Printer *p, unsigned node, Level wanted);

static void
print_leaf (Printer *p, const CatNode *n)
{
  g_assert (n->op != CAT_OP_REC); /* always visible where it is used */
  if (n->op == CAT_OP_BASE)
    g_string_append (p->out, cat_base_name (n->base));
  else
    g_string_append (p->out, n->shape == CAT_REL ? "0" : "(0 & _)");
}

/* The node's operator, whether or not the node has a name. */
static void
print_node (Printer *p, unsigned node)
{
  const CatNode *n = &p->m->nodes[node];
  switch (forms[n->op].form) {
  case FORM_LEAF:
    print_leaf (p, n);
    return;
  case FORM_INFIX:
    print_operand (p, n->a, forms[n->op].left);
    g_string_append (p->out, forms[n->op].before);
    print_operand (p, n->b, forms[n->op].right);
    return;
  case FORM_PREFIX:
  case FORM_POSTFIX:
  case FORM_AROUND:
    g_string_append (p->out, forms[n->op].before);
    print_operand (p, n->a, forms[n->op].left);
    g_string_append (p->out, forms[n->op].after);
    return;
  }
  g_assert_not_reached ();
}

static void
print_operand (Printer *p, unsigned node, Level wanted)
{
  if (p->visible[node] != NULL) {
    g_string_append (p->out, p->visible[node]);
    return;
  }
  const bool parentheses = forms[p->m->nodes[node].op].level < wanted;
  if (parentheses)
    g_string_append_c (p->out, '(');
  print_node (p, node);
  if (parentheses)
    g_string_append_c (p->out, ')');
}

/* ---- Definitions --------------------------------------------------------------------------
 */

/* Supplied names that the model binds to something else are written as private names from the
 * start. */
static void
print_hidden_bases (Printer *p)
{
  const CatModel *m = p->m;
  for (unsigned i = 0; i < m->node_count; i++) {
    const CatNode *n = &m->nodes[i];
    bool hidden = false;
    for (unsigned k = 0; n->op == CAT_OP_BASE && k < m->binding_count; k++)
      hidden = hidden
               || (strcmp (m->bindings[k].name, cat_base_name (n->base)) == 0
                   && m->bindings[k].node != i);
    if (!hidden)
      continue;
    char *name = g_strdup_printf ("_%s", cat_base_name (n->base));
    g_ptr_array_add (p->names, name);
    g_string_append_printf (p->out, "let %s = %s\n", name, cat_base_name (n->base));
    p->visible[i] = name;
  }
}

static void
print_definition (Printer *p, unsigned node)
{
  const char *name = own_name (p, node);
  g_string_append_printf (p->out, "let %s = ", name);
  print_node (p, node);
  g_string_append_c (p->out, '\n');
  p->visible[node] = name;
}

/* A body, with names of its own for the parts that need one. */
static void
print_body (Printer *p, unsigned first, unsigned end, unsigned body)
{
  for (unsigned i = first; i < end && i < body; i++)
    if (p->split[i]) {
      const char *name = private_name (p, i);
      g_string_append_printf (p->out, "let %s = ", name);
      print_node (p, i);
      g_string_append (p->out, " in\n    ");
      p->visible[i] = name;
    }
  if (p->m->nodes[body].op == CAT_OP_REC)
    print_operand (p, body, LEVEL_UNION);
  else
    print_node (p, body);
  for (unsigned i = first; i < end; i++)
    if (p->split[i])
      p->visible[i] = NULL;
}

/* The nodes [first, end) are those of the group. */
static void
print_group (Printer *p, unsigned first, unsigned end, unsigned group_index)
{
  const CatGroup *group = &p->m->groups[group_index];
  for (unsigned i = 0; i < group->count; i++)
    p->visible[group->vars[i]] = own_name (p, group->vars[i]);
  for (unsigned i = 0; i < group->count; i++) {
    g_string_append_printf (p->out, "%s %s =\n    ", i == 0 ? "let rec" : "and",
                            p->visible[group->vars[i]]);
    print_body (p, first, end, group->bodies[i]);
    g_string_append_c (p->out, '\n');
  }
  for (unsigned i = first; i < end; i++)
    if (!is_leaf (&p->m->nodes[i])
        && (p->bound[i] != NULL || (p->leaks[group_index] && p->split[i])))
      print_definition (p, i);
}

static unsigned
group_end (const CatModel *m, unsigned first)
{
  unsigned end = first;
  while (end < m->node_count && m->nodes[end].group == m->nodes[first].group)
    end++;
  return end;
}

static void
print_definitions (Printer *p)
{
  const CatModel *m = p->m;
  for (unsigned i = 0; i < m->node_count;) {
    const int group = m->nodes[i].group;
    const unsigned end = group < 0 ? i + 1 : group_end (m, i);
    if (group >= 0)
      print_group (p, i, end, (unsigned) group);
    else if (p->split[i])
      print_definition (p, i);
    i = end;
  }
}

/* Leaves with a name, and second names. */
static void
print_other_bindings (Printer *p)
{
  const CatModel *m = p->m;
  for (unsigned i = 0; i < m->binding_count; i++) {
    const CatBinding *b = &m->bindings[i];
    const CatNode *n = &m->nodes[b->node];
    const bool supplied
        = n->op == CAT_OP_BASE && strcmp (b->name, cat_base_name (n->base)) == 0;
    if ((p->visible[b->node] != NULL && strcmp (p->visible[b->node], b->name) == 0)
        || (supplied && b->shown))
      continue;
    g_string_append_printf (p->out, "let %s = ", b->name);
    print_operand (p, b->node, LEVEL_UNION);
    g_string_append_c (p->out, '\n');
  }
}

static void
print_shown (Printer *p)
{
  const char *separator = "show ";
  for (unsigned i = 0; i < p->m->binding_count; i++)
    if (p->m->bindings[i].shown) {
      g_string_append_printf (p->out, "%s%s", separator, p->m->bindings[i].name);
      separator = ", ";
    }
  if (separator[0] == ',')
    g_string_append_c (p->out, '\n');
}

/* ---- Checks -------------------------------------------------------------------------------
 */

/* A check without a name is called KIND@LINE, and '@' is in no name of the language. */
static bool
is_unnamed (const CatCheck *c)
{
  return strchr (c->name, '@') != NULL;
}

static const char *const check_words[] = {
  [CAT_ACYCLIC] = "acyclic",
  [CAT_IRREFLEXIVE] = "irreflexive",
  [CAT_EMPTY] = "empty",
};

static void
print_checks (Printer *p)
{
  for (unsigned i = 0; i < p->m->check_count; i++) {
    const CatCheck *c = &p->m->checks[i];
    g_string_append_printf (p->out, "%s%s%s ", c->is_flag ? "flag " : "", c->negated ? "~" : "",
                            check_words[c->kind]);
    print_operand (p, c->node, LEVEL_UNION);
    if (!is_unnamed (c))
      g_string_append_printf (p->out, " as %s", c->name);
    g_string_append_c (p->out, '\n');
  }
}

char *
cat_print (const CatModel *m)
{
  g_autofree const char **bound = g_new0 (const char *, m->node_count + 1);
  g_autofree const char **visible = g_new0 (const char *, m->node_count + 1);
  g_autofree bool *split = g_new0 (bool, m->node_count + 1);
  g_autofree bool *leaks = g_new0 (bool, m->group_count + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Printer p = { m, g_string_new (NULL), bound, visible, split, leaks, names };
  for (unsigned i = m->binding_count; i-- > 0;)
    bound[m->bindings[i].node] = m->bindings[i].name;
  choose_splits (&p);
  find_leaks (&p);
  print_hidden_bases (&p);
  print_definitions (&p);
  print_checks (&p);
  print_other_bindings (&p);
  print_shown (&p);
  return g_string_free (p.out, FALSE);
}

/* ---- Equality -----------------------------------------------------------------------------
 */

typedef struct Comparison {
  const CatModel *x;
  const CatModel *y;
  unsigned *partner; /* per node of x: that of y, plus 1; 0: none yet */
  GArray *open;      /* nodes of x whose operands are to be compared */
} Comparison;

/* Makes the two nodes partners; false when x has another one. */
static bool
pair_up (Comparison *c, unsigned x, unsigned y)
{
  if (c->partner[x] != 0)
    return c->partner[x] == y + 1;
  c->partner[x] = y + 1;
  g_array_append_val (c->open, x);
  return true;
}

static bool
pair_up_groups (Comparison *c, int x, int y)
{
  const CatGroup *gx = &c->x->groups[x], *gy = &c->y->groups[y];
  bool equal = gx->count == gy->count;
  for (unsigned i = 0; equal && i < gx->count; i++)
    equal = pair_up (c, gx->vars[i], gy->vars[i]) && pair_up (c, gx->bodies[i], gy->bodies[i]);
  return equal;
}

static bool
compare_node (Comparison *c, unsigned x)
{
  const CatNode *nx = &c->x->nodes[x];
  const CatNode *ny = &c->y->nodes[c->partner[x] - 1];
  if (nx->op != ny->op || nx->shape != ny->shape || (nx->group < 0) != (ny->group < 0)
      || (nx->op == CAT_OP_BASE && nx->base != ny->base))
    return false;
  if (nx->op == CAT_OP_REC)
    return pair_up_groups (c, nx->group, ny->group);
  bool equal = true;
  for (unsigned k = 0; equal && k < cat_operand_count (nx->op); k++)
    equal = pair_up (c, operand (nx, k), operand (ny, k));
  return equal;
}

static bool
pair_up_checks (Comparison *c)
{
  bool equal = c->x->check_count == c->y->check_count;
  for (unsigned i = 0; equal && i < c->x->check_count; i++) {
    const CatCheck *cx = &c->x->checks[i], *cy = &c->y->checks[i];
    equal = cx->kind == cy->kind && cx->negated == cy->negated && cx->is_flag == cy->is_flag
            && is_unnamed (cx) == is_unnamed (cy)
            && (is_unnamed (cx) || strcmp (cx->name, cy->name) == 0)
            && pair_up (c, cx->node, cy->node);
  }
  return equal;
}

static bool
pair_up_bindings (Comparison *c)
{
  if (c->x->binding_count != c->y->binding_count)
    return false;
  g_autoptr (GHashTable) in_y = g_hash_table_new (g_str_hash, g_str_equal);
  for (unsigned i = 0; i < c->y->binding_count; i++)
    g_hash_table_insert (in_y, (gpointer) c->y->bindings[i].name,
                         (gpointer) &c->y->bindings[i]);
  for (unsigned i = 0; i < c->x->binding_count; i++) {
    const CatBinding *bx = &c->x->bindings[i];
    const CatBinding *by = g_hash_table_lookup (in_y, bx->name);
    if (by == NULL || bx->shown != by->shown || !pair_up (c, bx->node, by->node))
      return false;
  }
  return true;
}

bool
cat_equal (const CatModel *x, const CatModel *y)
{
  g_autofree unsigned *partner = g_new0 (unsigned, x->node_count + 1);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (unsigned));
  Comparison c = { x, y, partner, open };
  bool equal = x->node_count == y->node_count && x->group_count == y->group_count
               && pair_up_checks (&c) && pair_up_bindings (&c);
  while (equal && open->len > 0) {
    const unsigned node = g_array_index (open, unsigned, open->len - 1);
    g_array_set_size (open, open->len - 1);
    equal = compare_node (&c, node);
  }
  return equal;
}
