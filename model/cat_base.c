/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat.h"

static const struct {
  const char *name;
  const char *doc;
  CatShape shape;
} rows[CAT_BASE_COUNT] = {
#define CAT_BASE(id, name, shape, doc) [CAT_BASE_##id] = { name, doc, shape },
#include "model/cat_base.def"
#undef CAT_BASE
};

const char *
cat_base_name (CatBase base)
{
  g_assert (base < CAT_BASE_COUNT);
  return rows[base].name;
}

const char *
cat_base_doc (CatBase base)
{
  g_assert (base < CAT_BASE_COUNT);
  return rows[base].doc;
}

CatShape
cat_base_shape (CatBase base)
{
  g_assert (base < CAT_BASE_COUNT);
  return rows[base].shape;
}

unsigned
cat_operand_count (CatOp op)
{
  switch (op) {
  case CAT_OP_BASE:
  case CAT_OP_EMPTY:
    return 0;
  case CAT_OP_COMPL:
  case CAT_OP_INVERSE:
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
  case CAT_OP_OPT:
  case CAT_OP_ID_ON:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
  case CAT_OP_REC:
    return 1;
  case CAT_OP_UNION:
  case CAT_OP_INTER:
  case CAT_OP_DIFF:
  case CAT_OP_SEQ:
  case CAT_OP_CROSS:
    return 2;
  }
  g_assert_not_reached ();
}

/* Pushes `node` unless it has been seen. */
static void
visit (bool *seen, GArray *stack, unsigned node)
{
  if (seen[node])
    return;
  seen[node] = true;
  g_array_append_val (stack, node);
}

bool
cat_depends_on (const CatModel *m, unsigned node, CatBase base)
{
  g_assert (node < m->node_count);
  g_autofree bool *seen = g_new0 (bool, m->node_count);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (unsigned));
  visit (seen, stack, node);
  while (stack->len > 0) {
    const CatNode *n = &m->nodes[g_array_index (stack, unsigned, stack->len - 1)];
    g_array_set_size (stack, stack->len - 1);
    if (n->op == CAT_OP_BASE && n->base == base)
      return true;
    const unsigned operands = cat_operand_count (n->op);
    if (operands > 0)
      visit (seen, stack, n->a);
    if (operands > 1)
      visit (seen, stack, n->b);
  }
  return false;
}
