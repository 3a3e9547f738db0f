/* SPDX-License-Identifier: Apache-2.0 */

/* The cat language as this program reads it.
 *
 *     file        = { NAME } [ STRING ] { statement } ;
 *     statement   = "let" [ "rec" ] definition { "and" definition } [ "in" ]
 *                 | [ "flag" ] [ "~" ] check expr [ "as" NAME ]
 *                 | "show" shown { "," shown }
 *                 | "unshow" NAME { "," NAME }
 *                 | "include" STRING ;
 *     check       = "acyclic" | "irreflexive" | "empty" ;
 *     shown       = expr [ "as" NAME ] ;                 (a NAME alone needs no "as")
 *     definition  = NAME [ params ] "=" expr ;
 *     params      = param | "(" [ param { "," param } ] ")" ;
 *     param       = NAME | "_" ;
 *
 *     expr        = "let" definition { "and" definition } "in" expr | union ;
 *     union       = seq   { "|" seq } ;
 *     seq         = diff  { ";" diff } ;
 *     diff        = inter { "\" inter } ;
 *     inter       = unary { "&" unary } ;
 *     unary       = "~" unary | postfix ;
 *     postfix     = primary { "*" factor | suffix } ;    ("*" factor: the product of two sets)
 *     factor      = "~" factor | primary ;
 *     suffix      = [ "^" ] ( "*" | "+" | "?" | "-1" ) ;
 *     primary     = NAME | "_" | "0" | call | "[" expr "]" | "(" expr ")" ;
 *     call        = NAME "(" [ expr { "," expr } ] ")" | NAME argument
 *                 | ( "domain" | "range" ) ( "(" expr ")" | argument ) ;
 *     argument    = NAME | "_" | "0" | "[" expr "]" ;    (herd writes f x for f(x))
 *
 *     NAME        = ( letter | "_" ) { letter | digit | "_" | "." | "-" } [ "'" ] ;
 *     STRING      = '"' { any but '"' and line end } '"' ;
 *     comments    = "(*" … "*)"; "/" "*" … "*" "/"; "//" and "#" to the line's end
 *
 * The first form of comment nests, unless that would leave one open: Dartagnan's do not nest.
 *
 * Typing, with s a set and r a relation; x, y are two of either kind:
 *     x | y   x & y   x \ y   ~x      as x and y
 *     r ; r   r+   r*   r?   r^-1     a relation; r* and r? hold of every event with itself
 *     [s]   toid(s)   s * s           a relation
 *     domain(r)   range(r)            a set
 *     fencerel(s)                     (po & (_ * s)); po
 *     0                               the empty set or relation, as its place requires
 * A set is never taken for the relation [s].  Free names are those of model/cat_base.def, the
 * usual abbreviations over them (po-loc, rfe, rfi, coe, coi, fre, fri) and what the file has
 * bound before; a later binding hides an earlier one from there on.  Names that begin with an
 * underscore are private: they do not appear among the model's bindings.  A file is included
 * once; including it again does nothing.
 *
 * Precedence.  herd binds, from loosest to tightest, | ; \ & and then * (both senses) + ? ~ as
 * one non-associative level, then ^-1.  Dartagnan has | ; \ & ~ then + * ? ^-1, then * between
 * sets.  The order above is Dartagnan's.  It reads every well-typed file of herd's as herd
 * does: the two differ only where herd has a syntax error (~r*, s * t+, s * t * u), where one
 * of the readings has a suffix on a set (s * t^-1), or in the side to which the associative
 * operators group.  Two readings of "*" are told apart by what follows: what can begin an
 * operand makes it a product, except a "~" before the word of a check, which begins the next
 * statement.
 *
 * Full cat's functions over sets of sets, tags, procedures, enumerations, pattern matching and
 * recursive functions are recognised and refused by name as not modelled. */

#include "model/cat_lex.h"
#include "model/cat_syntax.h"

#include <string.h>

typedef struct Parser {
  Arena *arena;
  const Source *source;
  Diags *diags;
  const CatToken *token; /* the next one */
  size_t previous_end;
  unsigned depth; /* of parse_expr and parse_unary calls that are open */
} Parser;

/* ---- Tokens -------------------------------------------------------------------------------
 */

static bool
at (const Parser *p, CatTok kind)
{
  return p->token->kind == kind;
}

static void
advance (Parser *p)
{
  p->previous_end = p->token->end;
  if (!at (p, TOK_END))
    p->token++;
}

static bool
accept (Parser *p, CatTok kind)
{
  if (!at (p, kind))
    return false;
  advance (p);
  return true;
}

static Span
token_span (const Parser *p)
{
  return (Span){ p->source, p->token->begin, p->token->end };
}

/* From `begin` to the last token taken. */
static Span
span_since (const Parser *p, size_t begin)
{
  return (Span){ p->source, begin, MAX (begin, p->previous_end) };
}

static bool
is_check_word (CatTok kind)
{
  return kind == TOK_ACYCLIC || kind == TOK_IRREFLEXIVE || kind == TOK_EMPTY;
}

static bool
begins_statement (const CatToken *t)
{
  if (t->kind == TOK_REFUSED)
    return t->refusal == REFUSED_STATEMENT || t->refusal == REFUSED_STATEMENT_BLOCK;
  return t->kind == TOK_LET || t->kind == TOK_FLAG || is_check_word (t->kind)
         || t->kind == TOK_SHOW || t->kind == TOK_UNSHOW || t->kind == TOK_INCLUDE
         || (t->kind == TOK_TILDE && is_check_word (t[1].kind));
}

static bool
begins_block (const CatToken *t)
{
  return t->kind == TOK_REFUSED
         && (t->refusal == REFUSED_BLOCK || t->refusal == REFUSED_STATEMENT_BLOCK);
}

/* A tag of herd's brings its quotation mark along. */
static void
report_refused (Parser *p)
{
  const char *text = p->token->text;
  const char *quote = text[0] == '\'' ? "" : "'";
  diags_add (p->diags, DIAG_NOT_MODELLED, token_span (p), "%s%s%s in a cat file", quote, text,
             quote);
}

/* Says that the next token is not what is `wanted` here, or that it is beyond the model. */
static void
report_unexpected (Parser *p, const char *wanted)
{
  if (at (p, TOK_WRONG))
    return;
  if (at (p, TOK_REFUSED))
    report_refused (p);
  else if (at (p, TOK_END))
    diags_add (p->diags, DIAG_ERROR, token_span (p), "expected %s before the end of the file",
               wanted);
  else
    diags_add (p->diags, DIAG_ERROR, token_span (p), "expected %s before '%.*s'", wanted,
               (int) MIN (p->token->end - p->token->begin, 40),
               p->source->text + p->token->begin);
}

static bool
expect (Parser *p, CatTok kind, const char *wanted)
{
  if (accept (p, kind))
    return true;
  report_unexpected (p, wanted);
  return false;
}

/* Goes on to the next statement, or to the `and` of the next definition when `stop_at_and`.
 * When a refused block is next it is passed over as a whole, up to its `end`. */
static void
recover (Parser *p, bool stop_at_and)
{
  unsigned depth = 0;
  for (bool first = true; !at (p, TOK_END); first = false, advance (p)) {
    const bool opens = begins_block (p->token);
    if (depth == 0 && !(first && opens)
        && (begins_statement (p->token) || (stop_at_and && at (p, TOK_AND))))
      return;
    if (opens)
      depth++;
    else if (at (p, TOK_REFUSED) && p->token->refusal == REFUSED_END && depth > 0)
      depth--;
  }
}

/* ---- Tree nodes ---------------------------------------------------------------------------
 */

/* Copies `draft` into the arena; NULL when it is deeper than the limit. */
static const CatExpr *
make_expr (Parser *p, CatExpr draft)
{
  unsigned below = 0;
  if (draft.a != NULL)
    below = draft.a->depth;
  if (draft.b != NULL)
    below = MAX (below, draft.b->depth);
  for (unsigned i = 0; i < draft.arg_count; i++)
    below = MAX (below, draft.args[i]->depth);
  for (unsigned i = 0; i < draft.let_count; i++)
    for (unsigned k = 0; k < draft.lets[i].count; k++)
      below = MAX (below, draft.lets[i].definitions[k].body->depth);
  draft.depth = below + 1;
  if (draft.depth > CAT_DEPTH_LIMIT) {
    diags_add (p->diags, DIAG_ERROR, draft.span, "this expression is more than %u levels deep",
               CAT_DEPTH_LIMIT);
    return NULL;
  }
  return arena_copy (p->arena, &draft, sizeof draft);
}

static const CatExpr *
make_unary (Parser *p, CatOp op, const CatExpr *a, size_t begin)
{
  return make_expr (
      p, (CatExpr){ .kind = EXPR_UNARY, .op = op, .a = a, .span = span_since (p, begin) });
}

static const CatExpr *
make_binary (Parser *p, CatOp op, const CatExpr *a, const CatExpr *b)
{
  return make_expr (p, (CatExpr){ .kind = EXPR_BINARY,
                                  .op = op,
                                  .a = a,
                                  .b = b,
                                  .span = span_since (p, a->span.begin) });
}

/* Takes the next token as a leaf. */
static const CatExpr *
make_leaf (Parser *p, CatExprKind kind)
{
  const CatExpr draft = { .kind = kind, .span = token_span (p), .name = p->token->text };
  advance (p);
  return make_expr (p, draft);
}

/* ---- Expressions --------------------------------------------------------------------------
 */

static const CatExpr *parse_expr (Parser *p);
static const CatExpr *parse_unary (Parser *p);
static bool parse_definition (Parser *p, CatDefinition *d);

static bool
enter (Parser *p)
{
  if (++p->depth <= CAT_DEPTH_LIMIT)
    return true;
  diags_add (p->diags, DIAG_ERROR, token_span (p),
             "this expression is more than %u levels deep", CAT_DEPTH_LIMIT);
  return false;
}

static const CatExpr *
parse_parenthesis (Parser *p)
{
  advance (p);
  const CatExpr *e = parse_expr (p);
  return e != NULL && expect (p, TOK_RPAREN, "an operator or ')'") ? e : NULL;
}

static const CatExpr *
parse_bracket (Parser *p)
{
  const size_t begin = p->token->begin;
  advance (p);
  const CatExpr *e = parse_expr (p);
  if (e == NULL || !expect (p, TOK_RBRACKET, "an operator or ']'"))
    return NULL;
  return make_unary (p, CAT_OP_ID_ON, e, begin);
}

/* ( expr, … ) into `args`. */
static bool
parse_arguments (Parser *p, GPtrArray *args)
{
  advance (p);
  if (accept (p, TOK_RPAREN))
    return true;
  do {
    const CatExpr *e = parse_expr (p);
    if (e == NULL)
      return false;
    g_ptr_array_add (args, (gpointer) e);
  } while (accept (p, TOK_COMMA));
  return expect (p, TOK_RPAREN, "',' or ')'");
}

static bool
begins_argument (const Parser *p)
{
  return at (p, TOK_NAME) || at (p, TOK_UNDERSCORE) || at (p, TOK_ZERO) || at (p, TOK_LBRACKET);
}

static const CatExpr *
parse_bare_argument (Parser *p)
{
  if (at (p, TOK_NAME))
    return make_leaf (p, EXPR_NAME);
  if (at (p, TOK_UNDERSCORE))
    return make_leaf (p, EXPR_ALL);
  if (at (p, TOK_ZERO))
    return make_leaf (p, EXPR_ZERO);
  return parse_bracket (p);
}

/* A name, or a call when arguments follow. */
static const CatExpr *
parse_name (Parser *p)
{
  const CatToken *name = p->token;
  const CatExpr *leaf = make_leaf (p, EXPR_NAME);
  if (!at (p, TOK_LPAREN) && !begins_argument (p))
    return leaf;
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  if (at (p, TOK_LPAREN)) {
    if (!parse_arguments (p, args))
      return NULL;
  } else {
    const CatExpr *e = parse_bare_argument (p);
    if (e == NULL)
      return NULL;
    g_ptr_array_add (args, (gpointer) e);
  }
  return make_expr (
      p, (CatExpr){ .kind = EXPR_CALL,
                    .name = name->text,
                    .args = arena_copy (p->arena, args->pdata, args->len * sizeof (gpointer)),
                    .arg_count = args->len,
                    .span = span_since (p, name->begin) });
}

/* domain (e), range (e). */
static const CatExpr *
parse_projection (Parser *p)
{
  const size_t begin = p->token->begin;
  const CatOp op = at (p, TOK_DOMAIN) ? CAT_OP_DOMAIN : CAT_OP_RANGE;
  advance (p);
  const CatExpr *e = NULL;
  if (at (p, TOK_LPAREN))
    e = parse_parenthesis (p);
  else if (begins_argument (p))
    e = parse_bare_argument (p);
  else
    report_unexpected (p, "'('");
  return e == NULL ? NULL : make_unary (p, op, e, begin);
}

static const CatExpr *
parse_primary (Parser *p)
{
  if (at (p, TOK_NAME))
    return parse_name (p);
  if (at (p, TOK_LPAREN))
    return parse_parenthesis (p);
  if (at (p, TOK_DOMAIN) || at (p, TOK_RANGE))
    return parse_projection (p);
  if (at (p, TOK_UNDERSCORE) || at (p, TOK_ZERO) || at (p, TOK_LBRACKET))
    return parse_bare_argument (p);
  report_unexpected (p, "a set or a relation");
  return NULL;
}

/* The token after a "*" makes it a product of sets. */
static bool
begins_factor (const CatToken *t)
{
  switch (t->kind) {
  case TOK_NAME:
  case TOK_UNDERSCORE:
  case TOK_ZERO:
  case TOK_LPAREN:
  case TOK_LBRACKET:
  case TOK_DOMAIN:
  case TOK_RANGE:
    return true;
  case TOK_TILDE:
    return !is_check_word (t[1].kind);
  case TOK_END:
  case TOK_STRING:
  case TOK_BAR:
  case TOK_AMP:
  case TOK_BACKSLASH:
  case TOK_SEMI:
  case TOK_STAR:
  case TOK_PLUS:
  case TOK_QUESTION:
  case TOK_HAT:
  case TOK_INVERSE:
  case TOK_RPAREN:
  case TOK_RBRACKET:
  case TOK_COMMA:
  case TOK_EQUAL:
  case TOK_LET:
  case TOK_REC:
  case TOK_AND:
  case TOK_IN:
  case TOK_AS:
  case TOK_ACYCLIC:
  case TOK_IRREFLEXIVE:
  case TOK_EMPTY:
  case TOK_FLAG:
  case TOK_SHOW:
  case TOK_UNSHOW:
  case TOK_INCLUDE:
  case TOK_WRONG:
  case TOK_REFUSED:
    return false;
  }
  g_assert_not_reached ();
}

static const struct {
  CatTok kind;
  CatOp op;
} suffixes[] = {
  { TOK_STAR, CAT_OP_STAR },
  { TOK_PLUS, CAT_OP_PLUS },
  { TOK_QUESTION, CAT_OP_OPT },
  { TOK_INVERSE, CAT_OP_INVERSE },
};

/* Takes a suffix if there is one. */
static bool
accept_suffix (Parser *p, CatOp *op)
{
  const CatToken *t = at (p, TOK_HAT) ? p->token + 1 : p->token;
  for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (t->kind == suffixes[i].kind) {
      accept (p, TOK_HAT);
      advance (p);
      *op = suffixes[i].op;
      return true;
    }
  return false;
}

static const CatExpr *
parse_factor (Parser *p)
{
  const size_t begin = p->token->begin;
  if (!accept (p, TOK_TILDE))
    return parse_primary (p);
  const CatExpr *e = enter (p) ? parse_factor (p) : NULL;
  p->depth--;
  return e == NULL ? NULL : make_unary (p, CAT_OP_COMPL, e, begin);
}

static const CatExpr *
parse_postfix (Parser *p)
{
  const size_t begin = p->token->begin;
  const CatExpr *e = parse_primary (p);
  CatOp op;
  while (e != NULL) {
    if (at (p, TOK_STAR) && begins_factor (p->token + 1)) {
      advance (p);
      const CatExpr *b = parse_factor (p);
      e = b == NULL ? NULL : make_binary (p, CAT_OP_CROSS, e, b);
    } else if (accept_suffix (p, &op))
      e = make_unary (p, op, e, begin);
    else if (at (p, TOK_HAT)) {
      advance (p);
      report_unexpected (p, "'-1', '+', '*' or '?'");
      return NULL;
    } else
      return e;
  }
  return NULL;
}

static const CatExpr *
parse_unary (Parser *p)
{
  const size_t begin = p->token->begin;
  if (!accept (p, TOK_TILDE))
    return parse_postfix (p);
  const CatExpr *e = enter (p) ? parse_unary (p) : NULL;
  p->depth--;
  return e == NULL ? NULL : make_unary (p, CAT_OP_COMPL, e, begin);
}

/* From loosest to tightest. */
static const struct {
  CatTok kind;
  CatOp op;
} infixes[] = {
  { TOK_BAR, CAT_OP_UNION },
  { TOK_SEMI, CAT_OP_SEQ },
  { TOK_BACKSLASH, CAT_OP_DIFF },
  { TOK_AMP, CAT_OP_INTER },
};

/* The level of the infix operator that comes next, or that many as there are when none does. */
static size_t
infix_level (const Parser *p)
{
  size_t level = 0;
  while (level < G_N_ELEMENTS (infixes) && !at (p, infixes[level].kind))
    level++;
  return level;
}

/* Operators of `loosest` and tighter levels; those of one level group to the left. */
static const CatExpr *
parse_infix (Parser *p, size_t loosest)
{
  const CatExpr *e = parse_unary (p);
  while (e != NULL) {
    const size_t level = infix_level (p);
    if (level == G_N_ELEMENTS (infixes) || level < loosest)
      return e;
    advance (p);
    const CatExpr *b = parse_infix (p, level + 1);
    e = b == NULL ? NULL : make_binary (p, infixes[level].op, e, b);
  }
  return NULL;
}

/* One `let … in`, into `lets`. */
static bool
parse_local_let (Parser *p, GArray *lets)
{
  advance (p);
  if (at (p, TOK_REC)) {
    diags_add (p->diags, DIAG_NOT_MODELLED, token_span (p), "'let rec' inside an expression");
    return false;
  }
  g_autoptr (GArray) definitions = g_array_new (FALSE, TRUE, sizeof (CatDefinition));
  do {
    CatDefinition d = { 0 };
    if (!parse_definition (p, &d))
      return false;
    g_array_append_val (definitions, d);
  } while (accept (p, TOK_AND));
  CatLet let
      = { false,
          arena_copy (p->arena, definitions->data, definitions->len * sizeof (CatDefinition)),
          definitions->len };
  g_array_append_val (lets, let);
  return expect (p, TOK_IN, "an operator or 'in'");
}

/* A chain of lets is one node, so that a long one is not deep. */
static const CatExpr *
parse_local_lets (Parser *p)
{
  const size_t begin = p->token->begin;
  g_autoptr (GArray) lets = g_array_new (FALSE, TRUE, sizeof (CatLet));
  while (at (p, TOK_LET))
    if (!parse_local_let (p, lets))
      return NULL;
  const CatExpr *e = parse_infix (p, 0);
  if (e == NULL)
    return NULL;
  return make_expr (
      p, (CatExpr){ .kind = EXPR_LET,
                    .a = e,
                    .lets = arena_copy (p->arena, lets->data, lets->len * sizeof (CatLet)),
                    .let_count = lets->len,
                    .span = span_since (p, begin) });
}

static const CatExpr *
parse_expr (Parser *p)
{
  const CatExpr *e = NULL;
  if (enter (p))
    e = at (p, TOK_LET) ? parse_local_lets (p) : parse_infix (p, 0);
  p->depth--;
  return e;
}

/* ---- Definitions --------------------------------------------------------------------------
 */

static bool
parse_param (Parser *p, GArray *params)
{
  if (!at (p, TOK_NAME) && !at (p, TOK_UNDERSCORE)) {
    report_unexpected (p, "a parameter");
    return false;
  }
  CatParam param = { at (p, TOK_NAME) ? p->token->text : NULL };
  for (unsigned i = 0; param.name != NULL && i < params->len; i++)
    if (g_strcmp0 (g_array_index (params, CatParam, i).name, param.name) == 0) {
      diags_add (p->diags, DIAG_ERROR, token_span (p), "'%s' is already a parameter",
                 param.name);
      return false;
    }
  g_array_append_val (params, param);
  advance (p);
  return true;
}

static bool
parse_params (Parser *p, GArray *params)
{
  if (!accept (p, TOK_LPAREN))
    return parse_param (p, params);
  if (accept (p, TOK_RPAREN))
    return true;
  do
    if (!parse_param (p, params))
      return false;
  while (accept (p, TOK_COMMA));
  return expect (p, TOK_RPAREN, "',' or ')'");
}

/* False when it was not understood; its name is then still filled in if that was read. */
static bool
parse_definition (Parser *p, CatDefinition *d)
{
  if (!at (p, TOK_NAME)) {
    report_unexpected (p, "a name to define");
    return false;
  }
  d->name = p->token->text;
  d->name_span = token_span (p);
  advance (p);
  if (!at (p, TOK_EQUAL)) {
    g_autoptr (GArray) params = g_array_new (FALSE, FALSE, sizeof (CatParam));
    if (!at (p, TOK_NAME) && !at (p, TOK_UNDERSCORE) && !at (p, TOK_LPAREN)) {
      report_unexpected (p, "'=' or parameters");
      return false;
    }
    if (!parse_params (p, params))
      return false;
    d->is_function = true;
    d->params = arena_copy (p->arena, params->data, params->len * sizeof (CatParam));
    d->param_count = params->len;
  }
  if (!expect (p, TOK_EQUAL, "'='"))
    return false;
  d->body = parse_expr (p);
  return d->body != NULL;
}

/* ---- Statements ---------------------------------------------------------------------------
 */

/* What follows an expression: another statement, `and`, `as` …, or a misspelt operator. */
static bool
at_statement_end (const Parser *p)
{
  return at (p, TOK_END) || begins_statement (p->token);
}

static void
expect_statement_end (Parser *p)
{
  if (at_statement_end (p))
    return;
  report_unexpected (p, "an operator or a new statement");
  recover (p, false);
}

static bool
parse_let (Parser *p, CatStatement *s)
{
  advance (p);
  s->kind = STATEMENT_LET;
  s->let.rec = accept (p, TOK_REC);
  g_autoptr (GArray) definitions = g_array_new (FALSE, TRUE, sizeof (CatDefinition));
  bool understood;
  do {
    CatDefinition d = { 0 };
    understood = parse_definition (p, &d);
    if (understood && !at (p, TOK_AND) && !at (p, TOK_IN) && !at_statement_end (p)) {
      report_unexpected (p, "an operator or a new statement");
      understood = false;
    }
    if (!understood) {
      d.body = NULL;
      recover (p, true);
    }
    if (d.name != NULL)
      g_array_append_val (definitions, d);
  } while (accept (p, TOK_AND));
  s->let.count = definitions->len;
  s->let.definitions
      = arena_copy (p->arena, definitions->data, definitions->len * sizeof (CatDefinition));
  if (accept (p, TOK_IN))
    expect_statement_end (p);
  return definitions->len > 0;
}

/* as NAME, if it is there. */
static bool
parse_as (Parser *p, const char **name)
{
  if (!accept (p, TOK_AS))
    return true;
  *name = p->token->text;
  return expect (p, TOK_NAME, "a name");
}

static CatCheckKind
check_kind (CatTok kind)
{
  return kind == TOK_ACYCLIC       ? CAT_ACYCLIC
         : kind == TOK_IRREFLEXIVE ? CAT_IRREFLEXIVE
                                   : CAT_EMPTY;
}

static bool
parse_check (Parser *p, CatStatement *s)
{
  s->kind = STATEMENT_CHECK;
  s->is_flag = accept (p, TOK_FLAG);
  s->negated = accept (p, TOK_TILDE);
  if (!is_check_word (p->token->kind)) {
    report_unexpected (p, "'acyclic', 'irreflexive' or 'empty'");
    return false;
  }
  s->check = check_kind (p->token->kind);
  advance (p);
  s->expr = parse_expr (p);
  return s->expr != NULL && parse_as (p, &s->name);
}

static bool
parse_one_shown (Parser *p, GArray *shown)
{
  CatShown item = { parse_expr (p), NULL };
  if (item.expr == NULL || !parse_as (p, &item.name))
    return false;
  if (item.name == NULL && item.expr->kind == EXPR_NAME)
    item.name = item.expr->name;
  if (item.name == NULL) {
    diags_add (p->diags, DIAG_ERROR, item.expr->span,
               "what is shown needs a name: add 'as NAME'");
    return false;
  }
  g_array_append_val (shown, item);
  return true;
}

static bool
parse_show (Parser *p, CatStatement *s)
{
  s->kind = at (p, TOK_SHOW) ? STATEMENT_SHOW : STATEMENT_UNSHOW;
  advance (p);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (CatShown));
  do {
    const CatShown hidden = { NULL, p->token->text };
    if (s->kind == STATEMENT_SHOW) {
      if (!parse_one_shown (p, shown))
        return false;
    } else if (expect (p, TOK_NAME, "a name"))
      g_array_append_val (shown, hidden);
    else
      return false;
  } while (accept (p, TOK_COMMA));
  s->shown = arena_copy (p->arena, shown->data, shown->len * sizeof (CatShown));
  s->shown_count = shown->len;
  return true;
}

static bool
parse_include (Parser *p, CatStatement *s)
{
  advance (p);
  s->kind = STATEMENT_INCLUDE;
  s->name = p->token->text;
  return expect (p, TOK_STRING, "a file name in quotes");
}

static bool
parse_statement (Parser *p, CatStatement *s)
{
  const CatTok kind = p->token->kind;
  if (kind == TOK_LET)
    return parse_let (p, s);
  if (kind == TOK_SHOW || kind == TOK_UNSHOW)
    return parse_show (p, s);
  if (kind == TOK_INCLUDE)
    return parse_include (p, s);
  if (begins_statement (p->token) && kind != TOK_REFUSED)
    return parse_check (p, s);
  report_unexpected (p, "a definition or a check");
  if (!begins_block (p->token))
    advance (p);
  return false;
}

/* Dartagnan's files begin with the name of an architecture, herd's with a title. */
static void
skip_title (Parser *p)
{
  while (at (p, TOK_NAME))
    advance (p);
  accept (p, TOK_STRING);
}

CatFile
cat_parse (Arena *a, const Source *source, Diags *diags)
{
  Parser p = { a, source, diags, cat_lex (a, source, diags).tokens, 0, 0 };
  skip_title (&p);
  g_autoptr (GArray) statements = g_array_new (FALSE, TRUE, sizeof (CatStatement));
  while (!at (&p, TOK_END)) {
    CatStatement s = { 0 };
    const size_t begin = p.token->begin;
    if (!parse_statement (&p, &s)) {
      recover (&p, false);
      continue;
    }
    s.span = span_since (&p, begin);
    g_array_append_val (statements, s);
    expect_statement_end (&p);
  }
  return (CatFile){ arena_copy (a, statements->data, statements->len * sizeof (CatStatement)),
                    statements->len };
}
