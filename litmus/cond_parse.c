/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/cond_parse.h"

typedef struct Parse {
  Reader *r;
  CondTermReader read_term;
  void *ctx;
  unsigned depth;
} Parse;

static const Cond *parse_unary (Parse *p);
static const Cond *parse_or (Parse *p);

static const Cond *
new_cond (Arena *a, CondKind kind, const Cond *left, const Cond *right, Span span)
{
  Cond *c = arena_new_of (a, Cond);
  c->kind = kind;
  c->left = left;
  c->right = right;
  c->span = span;
  return c;
}

/* ---- Runs of one connective ---------------------------------------------------------------
 */

/* The members of a run: `c` itself, or what it joins when it is such a run in parentheses. */
static void
add_members (GPtrArray *members, CondKind kind, const Cond *c)
{
  if (c->kind != kind) {
    g_ptr_array_add (members, (gpointer) c);
    return;
  }
  add_members (members, kind, c->left);
  add_members (members, kind, c->right);
}

static const Cond *
balance (Arena *a, CondKind kind, const Cond *const *members, size_t count)
{
  if (count == 1)
    return members[0];
  size_t half = (count + 1) / 2;
  const Cond *left = balance (a, kind, members, half);
  const Cond *right = balance (a, kind, members + half, count - half);
  return new_cond (a, kind, left, right, span_join (left->span, right->span));
}

static const Cond *
balance_array (Arena *a, CondKind kind, const GPtrArray *members)
{
  return balance (a, kind, (const Cond *const *) members->pdata, members->len);
}

const Cond *
cond_and (Arena *a, const Cond *left, const Cond *right)
{
  if (left == NULL || right == NULL)
    return left == NULL ? right : left;
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  add_members (members, COND_AND, left);
  add_members (members, COND_AND, right);
  return balance_array (a, COND_AND, members);
}

/* "||" comes as two bars: one alone separates columns. */
static bool
accept_or (Reader *r)
{
  if (cursor_accept (&r->c, TOKEN_VEE))
    return true;
  if (!cursor_at (&r->c, TOKEN_BAR) || cursor_peek (&r->c).kind != TOKEN_BAR)
    return false;
  cursor_next (&r->c);
  cursor_next (&r->c);
  return true;
}

static bool
accept_and (Reader *r)
{
  return cursor_accept (&r->c, TOKEN_WEDGE) || cursor_accept (&r->c, TOKEN_AMP_AMP);
}

static const Cond *
parse_run (Parse *p, CondKind kind, const Cond *(*parse_member) (Parse *p),
           bool (*accept) (Reader *r))
{
  const Cond *first = parse_member (p);
  if (first == NULL || !accept (p->r))
    return first;
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  add_members (members, kind, first);
  do {
    const Cond *next = parse_member (p);
    if (next == NULL)
      return NULL;
    add_members (members, kind, next);
  } while (accept (p->r));
  return balance_array (p->r->arena, kind, members);
}

/* ---- What they join -----------------------------------------------------------------------
 */

static const struct {
  TokenKind token;
  Cmp cmp;
} comparisons[] = {
  { TOKEN_EQ, CMP_EQ }, { TOKEN_EQ_EQ, CMP_EQ }, { TOKEN_NE, CMP_NE }, { TOKEN_LT, CMP_LT },
  { TOKEN_LE, CMP_LE }, { TOKEN_GT, CMP_GT },    { TOKEN_GE, CMP_GE },
};

static bool
accept_cmp (Reader *r, Cmp *cmp)
{
  for (size_t i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (cursor_accept (&r->c, comparisons[i].token)) {
      *cmp = comparisons[i].cmp;
      return true;
    }
  reader_expected (r, "a comparison ('=', '!=', '<', '<=', '>' or '>=')");
  return false;
}

static const Cond *
parse_comparison (Parse *p)
{
  Cond *c = arena_new_of (p->r->arena, Cond);
  size_t begin = p->r->c.token.begin;
  c->kind = COND_CMP;
  if (!p->read_term (p->ctx, p->r, &c->left_term) || !accept_cmp (p->r, &c->cmp)
      || !p->read_term (p->ctx, p->r, &c->right_term))
    return NULL;
  c->span = reader_span_from (p->r, begin);
  return c;
}

static bool
accept_not (Reader *r)
{
  return cursor_accept (&r->c, TOKEN_TILDE) || cursor_accept (&r->c, TOKEN_BANG)
         || cursor_accept_word (&r->c, "not");
}

/* One more level of negation or parentheses. */
static bool
enter (Parse *p)
{
  if (++p->depth <= COND_MAX_DEPTH)
    return true;
  report (p->r->reporter, DIAG_ERROR, reader_span (p->r),
          "this condition is nested more than %d deep", COND_MAX_DEPTH);
  return false;
}

static const Cond *
negation (Arena *a, const Cond *c, Span span)
{
  return new_cond (a, COND_NOT, c, NULL, span);
}

static const Cond *
parse_negation (Parse *p, size_t begin)
{
  const Cond *c = enter (p) ? parse_unary (p) : NULL;
  p->depth--;
  return c == NULL ? NULL : negation (p->r->arena, c, reader_span_from (p->r, begin));
}

static const Cond *
parse_group (Parse *p)
{
  const Cond *c = enter (p) ? parse_or (p) : NULL;
  p->depth--;
  if (c == NULL || !reader_expect (p->r, TOKEN_RPAREN, "or a connective"))
    return NULL;
  return c;
}

static const Cond *
parse_unary (Parse *p)
{
  Reader *r = p->r;
  size_t begin = r->c.token.begin;
  Span word = reader_span (r);
  if (accept_not (r))
    return parse_negation (p, begin);
  if (cursor_accept (&r->c, TOKEN_LPAREN))
    return parse_group (p);
  if (cursor_accept_word (&r->c, "true"))
    return new_cond (r->arena, COND_TRUE, NULL, NULL, word);
  if (cursor_accept_word (&r->c, "false"))
    return negation (r->arena, new_cond (r->arena, COND_TRUE, NULL, NULL, word), word);
  return parse_comparison (p);
}

static const Cond *
parse_and (Parse *p)
{
  return parse_run (p, COND_AND, parse_unary, accept_and);
}

static const Cond *
parse_or (Parse *p)
{
  return parse_run (p, COND_OR, parse_and, accept_or);
}

const Cond *
cond_parse (Reader *r, CondTermReader read_term, void *ctx)
{
  Parse p = { r, read_term, ctx, 0 };
  /* cppcheck-suppress returnDanglingLifetime ; conditions live in the reader's arena */
  return parse_or (&p);
}
