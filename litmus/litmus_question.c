/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/cond_parse.h"
#include "litmus/litmus_parser.h"

/* ---- The question -------------------------------------------------------------------------
 */

static bool
parse_register_term (LitmusParser *p, unsigned *thread, unsigned *reg)
{
  Reader *r = &p->r;
  int t = litmus_thread_prefix (p);
  if (t < 0)
    return false;
  if (!cursor_at (&r->c, TOKEN_NAME)) {
    reader_expected (r, "a register");
    return false;
  }
  int found = builder_find_register (p->b, (unsigned) t, reader_slice (r));
  if (found < 0 && p->code_is_bad)
    found = (int) builder_register (p->b, (unsigned) t, reader_slice (r));
  if (found < 0) {
    report (r->reporter, DIAG_ERROR, reader_span (r), "this thread has no register %s",
            cursor_describe (&r->c, r->c.token, r->arena));
    return false;
  }
  cursor_next (&r->c);
  *thread = (unsigned) t;
  *reg = (unsigned) found;
  builder_observe_register (p->b, *thread, *reg);
  return true;
}

static bool
parse_location_term (LitmusParser *p, unsigned *location)
{
  Reader *r = &p->r;
  if (litmus_at_register (r)) {
    reader_expected (r, "a location, or a register with its thread as in 'P0:r0'");
    return false;
  }
  Slice name;
  Span span;
  if (!litmus_location_name (r, &name, &span))
    return false;
  int found = builder_location (p->b, name, span);
  *location = (unsigned) MAX (found, 0);
  return found >= 0;
}

static bool
parse_value_term (LitmusParser *p, CondTerm *out)
{
  out->kind = TERM_LOC;
  if (!parse_location_term (p, &out->index))
    return false;
  builder_observe_location (p->b, out->index);
  return true;
}

/* "&x", "&x+4" */
static bool
parse_address_term (LitmusParser *p, CondTerm *out)
{
  Reader *r = &p->r;
  out->kind = TERM_ADDRESS;
  if (!parse_location_term (p, &out->index))
    return false;
  if (cursor_accept (&r->c, TOKEN_PLUS) || cursor_at (&r->c, TOKEN_MINUS))
    return reader_integer (r, "an offset", &out->value);
  return true;
}

static bool
parse_term (void *ctx, Reader *r, CondTerm *out)
{
  LitmusParser *p = ctx;
  if (litmus_at_thread_prefix (r)) {
    out->kind = TERM_REG;
    return parse_register_term (p, &out->thread, &out->index);
  }
  if (cursor_at (&r->c, TOKEN_NUMBER) || cursor_at (&r->c, TOKEN_MINUS)) {
    out->kind = TERM_CONST;
    return reader_integer (r, "a constant", &out->value);
  }
  if (cursor_accept (&r->c, TOKEN_AMP))
    return parse_address_term (p, out);
  if (cursor_accept (&r->c, TOKEN_LBRACKET))
    return parse_value_term (p, out) && reader_expect (r, TOKEN_RBRACKET, "after the location");
  if (cursor_accept (&r->c, TOKEN_STAR) || cursor_at (&r->c, TOKEN_NAME))
    return parse_value_term (p, out);
  reader_expected (r, "a register, a location or a constant");
  return false;
}

/* "[x; P0:r0;]" */
static bool
parse_locations (LitmusParser *p)
{
  Reader *r = &p->r;
  if (!reader_expect (r, TOKEN_LBRACKET, "after 'locations'"))
    return false;
  while (!cursor_at (&r->c, TOKEN_RBRACKET)) {
    unsigned thread = 0;
    CondTerm term = { 0 };
    bool good = litmus_at_thread_prefix (r) ? parse_register_term (p, &thread, &term.index)
                                            : parse_value_term (p, &term);
    if (!good)
      return false;
    if (!cursor_at (&r->c, TOKEN_RBRACKET)
        && !reader_expect (r, TOKEN_SEMICOLON, "or ']' after a location or register"))
      return false;
  }
  cursor_next (&r->c);
  return true;
}

static bool
only_once (Reader *r, bool *seen, const char *what)
{
  if (*seen)
    report (r->reporter, DIAG_ERROR, reader_span (r), "there are two '%s'", what);
  bool first = !*seen;
  *seen = true;
  return first;
}

static bool
parse_filter (LitmusParser *p)
{
  const Cond *filter = cond_parse (&p->r, parse_term, p);
  builder_set_filter (p->b, filter);
  cursor_accept (&p->r.c, TOKEN_SEMICOLON);
  return filter != NULL;
}

static bool
parse_assertion (LitmusParser *p)
{
  Reader *r = &p->r;
  bool negated = cursor_accept (&r->c, TOKEN_TILDE) || cursor_accept_word (&r->c, "not");
  Quantifier quantifier = QUANT_NONE;
  if (cursor_accept_word (&r->c, "exists"))
    quantifier = negated ? QUANT_NOT_EXISTS : QUANT_EXISTS;
  else if (!negated && cursor_accept_word (&r->c, "forall"))
    quantifier = QUANT_FORALL;
  if (quantifier == QUANT_NONE) {
    reader_expected (r, negated ? "'exists'" : "'exists', '~exists' or 'forall'");
    return false;
  }
  const Cond *condition = cond_parse (r, parse_term, p);
  builder_set_condition (p->b, quantifier, condition);
  cursor_accept (&r->c, TOKEN_SEMICOLON);
  return condition != NULL;
}

static bool
parse_parts (LitmusParser *p)
{
  Reader *r = &p->r;
  while (cursor_at_word (&r->c, "locations") || cursor_at_word (&r->c, "filter")) {
    bool is_filter = cursor_at_word (&r->c, "filter");
    bool good = is_filter ? only_once (r, &p->has_filter, "filter")
                          : only_once (r, &p->has_locations, "locations");
    cursor_next (&r->c);
    if (!good || !(is_filter ? parse_filter (p) : parse_locations (p)))
      return false;
  }
  return cursor_at (&r->c, TOKEN_END) || parse_assertion (p);
}

void
litmus_parse_question (LitmusParser *p)
{
  if (parse_parts (p) && !cursor_at (&p->r.c, TOKEN_END))
    reader_expected (&p->r, "nothing more after the condition");
}
