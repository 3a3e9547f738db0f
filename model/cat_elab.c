/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat_elab.h"

enum {
  STEP_LIMIT = 1 << 18, /* evaluations in all: calls can expand exponentially */
  NESTING_LIMIT = 3000, /* of expressions, counted through calls */
};

static const char *
shape_name (CatShape shape)
{
  return shape == CAT_SET ? "set" : "relation";
}

/* As written in the language. */
static const char *
op_sign (CatOp op)
{
  switch (op) {
  case CAT_OP_UNION:
    return "|";
  case CAT_OP_INTER:
    return "&";
  case CAT_OP_DIFF:
    return "\\";
  case CAT_OP_COMPL:
    return "~";
  case CAT_OP_SEQ:
    return ";";
  case CAT_OP_CROSS:
    return "*";
  case CAT_OP_INVERSE:
    return "^-1";
  case CAT_OP_PLUS:
    return "+";
  case CAT_OP_STAR:
    return "*";
  case CAT_OP_OPT:
    return "?";
  case CAT_OP_ID_ON:
    return "[ ]";
  case CAT_OP_DOMAIN:
    return "domain";
  case CAT_OP_RANGE:
    return "range";
  case CAT_OP_BASE:
  case CAT_OP_EMPTY:
  case CAT_OP_REC:
    break;
  }
  g_assert_not_reached ();
}

/* ---- Expressions --------------------------------------------------------------------------
 */

bool
cat_need (CatReader *r, CatValue v, CatShape shape, Span span, const char *what_for,
          unsigned *node)
{
  switch (v.kind) {
  case CAT_VALUE_ERROR:
    return false;
  case CAT_VALUE_ZERO:
    *node = cat_graph_empty (r->graph, shape, span);
    return true;
  case CAT_VALUE_NODE:
    *node = v.node;
    if (cat_graph_shape (r->graph, v.node) == shape)
      return true;
    cat_fail (r, span, "%s where a %s is expected (%s)", shape_name (!shape),
              shape_name (shape), what_for);
    return false;
  case CAT_VALUE_FUNCTION:
    cat_fail (r, span, "function where a %s is expected (%s)", shape_name (shape), what_for);
    return false;
  }
  g_assert_not_reached ();
}

/* As cat_need, for the operand of an operator. */
static bool
need_operand (CatReader *r, CatValue v, CatShape shape, const CatExpr *e, CatOp op,
              unsigned *node)
{
  g_autofree char *what_for = g_strdup_printf ("operand of '%s'", op_sign (op));
  return cat_need (r, v, shape, e->span, what_for, node);
}

static bool
is_recursive (const CatReader *r, CatValue v)
{
  return v.kind == CAT_VALUE_NODE && cat_graph_recursive (r->graph, v.node);
}

/* x | y, x & y, x \ y: the first operand that has a shape gives it. */
static CatValue
evaluate_lattice (CatReader *r, const CatExpr *e, CatValue x, CatValue y)
{
  unsigned a = 0, b = 0;
  if (x.kind == CAT_VALUE_ERROR || y.kind == CAT_VALUE_ERROR)
    return cat_error_value;
  if (e->op == CAT_OP_DIFF && is_recursive (r, y))
    return cat_fail (r, e->b->span, "recursion through the right side of '\\' is not monotone");
  if (x.kind == CAT_VALUE_ZERO && y.kind == CAT_VALUE_ZERO)
    return cat_zero_value;
  CatShape shape = CAT_REL;
  if (x.kind == CAT_VALUE_NODE)
    shape = cat_graph_shape (r->graph, x.node);
  else if (y.kind == CAT_VALUE_NODE)
    shape = cat_graph_shape (r->graph, y.node);
  g_autofree char *what_for
      = g_strdup_printf ("the other operand of '%s' is one", op_sign (e->op));
  if (!cat_need (r, x, shape, e->a->span, what_for, &a)
      || !cat_need (r, y, shape, e->b->span, what_for, &b))
    return cat_error_value;
  return cat_node_value (cat_graph_node (r->graph, e->op, a, b, e->span));
}

static CatValue
evaluate_binary (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  const CatValue x = cat_evaluate (r, e->a, scope);
  const CatValue y = cat_evaluate (r, e->b, scope);
  if (e->op != CAT_OP_SEQ && e->op != CAT_OP_CROSS)
    return evaluate_lattice (r, e, x, y);
  const CatShape shape = e->op == CAT_OP_SEQ ? CAT_REL : CAT_SET;
  unsigned a = 0, b = 0;
  const bool left = need_operand (r, x, shape, e->a, e->op, &a);
  const bool right = need_operand (r, y, shape, e->b, e->op, &b);
  if (!left || !right)
    return cat_error_value;
  return cat_node_value (cat_graph_node (r->graph, e->op, a, b, e->span));
}

static CatValue
evaluate_complement (CatReader *r, const CatExpr *e, CatValue x)
{
  unsigned a = 0;
  if (is_recursive (r, x))
    return cat_fail (r, e->a->span, "recursion under '~' is not monotone");
  const CatShape shape
      = x.kind == CAT_VALUE_NODE ? cat_graph_shape (r->graph, x.node) : CAT_REL;
  if (!need_operand (r, x, shape, e->a, e->op, &a))
    return cat_error_value;
  return cat_node_value (cat_graph_node (r->graph, e->op, a, 0, e->span));
}

static CatValue
evaluate_unary (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  const CatValue x = cat_evaluate (r, e->a, scope);
  if (e->op == CAT_OP_COMPL)
    return evaluate_complement (r, e, x);
  const CatShape shape = e->op == CAT_OP_ID_ON ? CAT_SET : CAT_REL;
  unsigned a = 0;
  if (!need_operand (r, x, shape, e->a, e->op, &a))
    return cat_error_value;
  return cat_node_value (cat_graph_node (r->graph, e->op, a, 0, e->span));
}

static CatValue
evaluate_name (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  CatValue value;
  if (cat_lookup_bound (r, e->name, scope, &value)
      || cat_lookup_supplied (r, e->name, e->span, &value))
    return value;
  if (cat_find_builtin (e->name) != CAT_BUILTIN_COUNT)
    return cat_fail (r, e->span, "'%s' needs an argument", e->name);
  return cat_fail_unknown (r, e->span, e->name, scope);
}

/* ---- Calls --------------------------------------------------------------------------------
 */

static CatValue
fail_argument_count (CatReader *r, const CatExpr *e, unsigned wanted)
{
  return cat_fail (r, e->span, "'%s' takes %u argument%s, not %u", e->name, wanted,
                   wanted == 1 ? "" : "s", e->arg_count);
}

static CatValue
call_builtin (CatReader *r, const CatExpr *e, CatBuiltin builtin, const CatScope *scope)
{
  if (e->arg_count != 1)
    return fail_argument_count (r, e, 1);
  g_autofree char *what_for = g_strdup_printf ("argument of '%s'", e->name);
  const CatExpr *arg = e->args[0];
  unsigned s = 0;
  if (!cat_need (r, cat_evaluate (r, arg, scope), CAT_SET, arg->span, what_for, &s))
    return cat_error_value;
  if (builtin == CAT_BUILTIN_TOID)
    return cat_node_value (cat_graph_node (r->graph, CAT_OP_ID_ON, s, 0, e->span));
  const unsigned all = cat_graph_base (r->graph, CAT_BASE_ALL, e->span);
  const unsigned po = cat_graph_base (r->graph, CAT_BASE_PO, e->span);
  const unsigned to_s = cat_graph_node (r->graph, CAT_OP_CROSS, all, s, e->span);
  const unsigned before = cat_graph_node (r->graph, CAT_OP_INTER, po, to_s, e->span);
  return cat_node_value (cat_graph_node (r->graph, CAT_OP_SEQ, before, po, e->span));
}

/* The function's scope with the arguments in it; false when an argument is wrong. */
static bool
bind_arguments (CatReader *r, const CatExpr *e, const CatFunction *f, const CatScope *scope,
                CatScope *inner)
{
  bool ok = true;
  *inner = f->scope;
  for (unsigned i = 0; i < e->arg_count; i++) {
    const CatValue v = cat_evaluate (r, e->args[i], scope);
    ok = ok && v.kind != CAT_VALUE_ERROR;
    const char *name = f->definition->params[i].name;
    if (name != NULL)
      inner->locals = cat_push_local (r, inner->locals, name, v);
  }
  return ok;
}

static CatValue
call_function (CatReader *r, const CatExpr *e, const CatFunction *f, const CatScope *scope)
{
  if (e->arg_count != f->definition->param_count)
    return fail_argument_count (r, e, f->definition->param_count);
  CatScope inner;
  if (!bind_arguments (r, e, f, scope, &inner))
    return cat_error_value;
  const CatCall *outer = r->call;
  const CatCall call = { e->name, e->span };
  r->call = &call;
  const CatValue v = cat_evaluate (r, f->definition->body, &inner);
  r->call = outer;
  return v;
}

static CatValue
evaluate_call (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  CatValue callee;
  if (cat_lookup_bound (r, e->name, scope, &callee)) {
    if (callee.kind == CAT_VALUE_FUNCTION)
      return call_function (r, e, callee.function, scope);
    if (callee.kind == CAT_VALUE_ERROR)
      return cat_error_value;
    return cat_fail (r, e->span, "'%s' is not a function; is an operator missing after it?",
                     e->name);
  }
  if (cat_lookup_supplied (r, e->name, e->span, &callee))
    return cat_fail (r, e->span, "'%s' is not a function; is an operator missing after it?",
                     e->name);
  const CatBuiltin builtin = cat_find_builtin (e->name);
  if (builtin != CAT_BUILTIN_COUNT)
    return call_builtin (r, e, builtin, scope);
  return cat_fail_unknown (r, e->span, e->name, scope);
}

/* ---- Definitions --------------------------------------------------------------------------
 */

/* A function's body is evaluated once where it is defined, with arguments that are
 * CAT_VALUE_ERROR: this finds all that is wrong whatever the arguments are. */
static CatValue
make_function (CatReader *r, const CatDefinition *d, const CatScope *scope)
{
  CatFunction *f = arena_new_of (r->arena, CatFunction);
  *f = (CatFunction){ d, *scope };
  CatScope inner = *scope;
  for (unsigned i = 0; i < d->param_count; i++)
    if (d->params[i].name != NULL)
      inner.locals = cat_push_local (r, inner.locals, d->params[i].name, cat_error_value);
  const unsigned errors = diags_error_count (r->diags);
  cat_evaluate (r, d->body, &inner);
  if (diags_error_count (r->diags) > errors)
    return cat_error_value;
  return (CatValue){ CAT_VALUE_FUNCTION, 0, f };
}

CatValue
cat_define (CatReader *r, const CatDefinition *d, const CatScope *scope)
{
  if (d->body == NULL)
    return cat_error_value;
  return d->is_function ? make_function (r, d, scope) : cat_evaluate (r, d->body, scope);
}

/* `let … and …` in an expression: all definitions see the outer scope only. */
static CatValue
evaluate_lets (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  CatScope inner = *scope;
  for (unsigned i = 0; i < e->let_count; i++) {
    const CatScope before = inner;
    for (unsigned k = 0; k < e->lets[i].count; k++) {
      const CatDefinition *d = &e->lets[i].definitions[k];
      inner.locals = cat_push_local (r, inner.locals, d->name, cat_define (r, d, &before));
    }
  }
  return cat_evaluate (r, e->a, &inner);
}

/* False once too much has been evaluated, which is reported once. */
static bool
step (CatReader *r, Span span)
{
  if (r->steps < STEP_LIMIT) {
    r->steps++;
    return true;
  }
  if (!r->exhausted && !r->quiet) {
    r->exhausted = true;
    cat_fail (r, span, "this model takes more than %d steps to evaluate", STEP_LIMIT);
  }
  return false;
}

static CatValue
evaluate_inner (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  switch (e->kind) {
  case EXPR_NAME:
    return evaluate_name (r, e, scope);
  case EXPR_ALL:
    return cat_node_value (cat_graph_base (r->graph, CAT_BASE_ALL, e->span));
  case EXPR_ZERO:
    return cat_zero_value;
  case EXPR_UNARY:
    return evaluate_unary (r, e, scope);
  case EXPR_BINARY:
    return evaluate_binary (r, e, scope);
  case EXPR_CALL:
    return evaluate_call (r, e, scope);
  case EXPR_LET:
    return evaluate_lets (r, e, scope);
  }
  g_assert_not_reached ();
}

CatValue
cat_evaluate (CatReader *r, const CatExpr *e, const CatScope *scope)
{
  if (!step (r, e->span))
    return cat_error_value;
  if (r->nesting >= NESTING_LIMIT)
    return cat_fail (r, e->span, "calls and expressions are nested more than %d levels deep",
                     NESTING_LIMIT);
  r->nesting++;
  const CatValue v = evaluate_inner (r, e, scope);
  r->nesting--;
  return v;
}
