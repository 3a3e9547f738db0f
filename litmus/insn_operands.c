/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/insn_operands.h"

#include <stdarg.h>

/* ---- Operands -----------------------------------------------------------------------------
 */

static bool
read_name (Reader *r, const char *what, RawOperand *raw)
{
  if (!cursor_at (&r->c, TOKEN_NAME)) {
    reader_expected (r, what);
    return false;
  }
  raw->name = reader_slice (r);
  raw->name_span = reader_span (r);
  cursor_next (&r->c);
  return true;
}

/* "+4", "-4", "+-4", or nothing */
static bool
read_offset (Reader *r, RawOperand *raw)
{
  if (cursor_accept (&r->c, TOKEN_PLUS) || cursor_at (&r->c, TOKEN_MINUS))
    return reader_integer (r, "an offset", &raw->value);
  return true;
}

static bool
read_memory (Reader *r, RawOperand *raw)
{
  cursor_next (&r->c);
  if (!read_name (r, "a location or a register", raw) || !read_offset (r, raw))
    return false;
  raw->kind = name_is_register (raw->name) ? RAW_MEMORY_REG : RAW_MEMORY_NAME;
  return reader_expect (r, TOKEN_RBRACKET, "after the address");
}

static bool
read_address (Reader *r, RawOperand *raw)
{
  cursor_next (&r->c);
  raw->kind = RAW_ADDRESS;
  return read_name (r, "a location", raw) && read_offset (r, raw);
}

static bool
read_word (Reader *r, RawOperand *raw)
{
  if (!read_name (r, "an operand", raw))
    return false;
  raw->kind = name_is_register (raw->name) ? RAW_REG : RAW_NAME;
  return true;
}

static bool
read_constant (Reader *r, RawOperand *raw)
{
  raw->kind = RAW_CONST;
  return reader_integer (r, "a constant", &raw->value);
}

bool
insn_read_raw (InsnCtx *ctx, RawOperand *raw)
{
  Reader *r = ctx->r;
  size_t begin = r->c.token.begin;
  *raw = (RawOperand){ 0 };
  bool good = false;
  if (cursor_at (&r->c, TOKEN_LBRACKET))
    good = read_memory (r, raw);
  else if (cursor_at (&r->c, TOKEN_AMP))
    good = read_address (r, raw);
  else if (cursor_at (&r->c, TOKEN_NUMBER) || cursor_at (&r->c, TOKEN_MINUS))
    good = read_constant (r, raw);
  else
    good = read_word (r, raw);
  raw->span = reader_span_from (r, begin);
  return good;
}

bool
insn_fail (InsnCtx *ctx, Span span, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  report (ctx->r->reporter, DIAG_ERROR, span, "%s", message);
  return false;
}

bool
insn_comma (InsnCtx *ctx)
{
  return reader_expect (ctx->r, TOKEN_COMMA, "and another operand");
}

static const char *
raw_kind_name (RawKind kind)
{
  switch (kind) {
  case RAW_REG:
    return "a register";
  case RAW_NAME:
    return "a location";
  case RAW_CONST:
    return "a constant";
  case RAW_ADDRESS:
    return "an address";
  case RAW_MEMORY_NAME:
  case RAW_MEMORY_REG:
    return "an operand in brackets";
  }
  g_assert_not_reached ();
}

static bool
wrong_operand (InsnCtx *ctx, const RawOperand *raw, const char *what)
{
  return insn_fail (ctx, raw->span, "expected %s, found %s", what, raw_kind_name (raw->kind));
}

static bool
location_operand (InsnCtx *ctx, const RawOperand *raw, Operand *out)
{
  if (name_is_register (raw->name))
    return insn_fail (ctx, raw->name_span, "expected a location, found a register");
  int location = ctx->dialect == DIALECT_NVLABS
                     ? builder_find_location (ctx->b, raw->name)
                     : builder_location (ctx->b, raw->name, raw->name_span);
  if (location >= 0) {
    *out = (Operand){ OPERAND_ADDRESS, (unsigned) location, raw->value, raw->span };
    return true;
  }
  if (ctx->dialect == DIALECT_NVLABS)
    report (ctx->r->reporter, DIAG_ERROR, raw->name_span, "'%.*s' is not declared",
            (int) MIN (raw->name.length, 40), raw->name.text);
  return false;
}

static Operand
register_operand (InsnCtx *ctx, const RawOperand *raw)
{
  unsigned reg = builder_register (ctx->b, ctx->thread, raw->name);
  return (Operand){ .kind = OPERAND_REG, .index = reg, .span = raw->span };
}

/* A register, a constant or an address. */
bool
insn_value (InsnCtx *ctx, const RawOperand *raw, Operand *out)
{
  switch (raw->kind) {
  case RAW_REG:
    *out = register_operand (ctx, raw);
    return true;
  case RAW_CONST:
    *out = (Operand){ OPERAND_IMM, 0, raw->value, raw->span };
    return true;
  case RAW_ADDRESS:
    return location_operand (ctx, raw, out);
  case RAW_NAME:
    return wrong_operand (ctx, raw, "a register, a constant or '&' before the location");
  case RAW_MEMORY_NAME:
  case RAW_MEMORY_REG:
    return wrong_operand (ctx, raw, "a register or a constant");
  }
  g_assert_not_reached ();
}

bool
insn_read_value (InsnCtx *ctx, Operand *out)
{
  RawOperand raw;
  return insn_read_raw (ctx, &raw) && insn_value (ctx, &raw, out);
}

bool
insn_address (InsnCtx *ctx, const RawOperand *raw)
{
  switch (raw->kind) {
  case RAW_NAME:
    if (ctx->dialect == DIALECT_NVLABS)
      return wrong_operand (ctx, raw, "a location in brackets");
    return location_operand (ctx, raw, &ctx->insn->addr);
  case RAW_MEMORY_NAME:
    return location_operand (ctx, raw, &ctx->insn->addr);
  case RAW_MEMORY_REG:
    ctx->insn->addr = register_operand (ctx, raw);
    ctx->insn->offset = (int64_t) raw->value;
    return true;
  case RAW_REG:
  case RAW_CONST:
  case RAW_ADDRESS:
    return wrong_operand (ctx, raw, "a location or a register in brackets");
  }
  g_assert_not_reached ();
}

bool
insn_read_address (InsnCtx *ctx)
{
  RawOperand raw;
  return insn_read_raw (ctx, &raw) && insn_address (ctx, &raw);
}

bool
insn_read_destination (InsnCtx *ctx)
{
  RawOperand raw;
  if (!insn_read_raw (ctx, &raw))
    return false;
  bool can_drop = ctx->insn->kind == INSN_ATOM;
  if (can_drop && raw.kind == RAW_NAME && slice_is (raw.name, "_"))
    return true;
  if (raw.kind != RAW_REG)
    return wrong_operand (ctx, &raw, "a register for the result");
  ctx->insn->dst = register_operand (ctx, &raw);
  return true;
}

bool
insn_read_label (InsnCtx *ctx)
{
  Reader *r = ctx->r;
  if (!cursor_at (&r->c, TOKEN_NAME)) {
    reader_expected (r, "a label");
    return false;
  }
  ctx->draft->label = reader_slice (r);
  ctx->draft->label_span = reader_span (r);
  cursor_next (&r->c);
  return true;
}
