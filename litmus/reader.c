/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/reader.h"

#include <stdarg.h>

void
report (Reporter *r, DiagKind kind, Span span, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  if (kind != DIAG_WARNING && r->errors++ > 0 && r->last_begin == span.begin)
    return;
  const char *note = r->note == NULL ? NULL : r->note (r->ctx, r->arena, span);
  r->last_begin = span.begin;
  diags_add (r->diags, kind, span, "%s%s", message, note == NULL ? "" : note);
}

bool
reporter_is_full (const Reporter *r)
{
  return r->errors >= DIAG_LIMIT;
}

void
reader_expected (Reader *r, const char *what)
{
  if (cursor_at (&r->c, TOKEN_BAD))
    report (r->reporter, DIAG_ERROR, reader_span (r), "%s", r->c.bad);
  else
    report (r->reporter, DIAG_ERROR, reader_span (r), "expected %s, found %s", what,
            cursor_describe (&r->c, r->c.token, r->arena));
}

bool
reader_expect (Reader *r, TokenKind kind, const char *where)
{
  if (cursor_accept (&r->c, kind))
    return true;
  g_autofree char *what = g_strdup_printf ("%s %s", token_kind_name (kind), where);
  reader_expected (r, what);
  return false;
}

Span
reader_span (const Reader *r)
{
  return cursor_span (&r->c, r->c.token);
}

Span
reader_span_from (const Reader *r, size_t begin)
{
  return cursor_range (&r->c, begin, MAX (begin, r->c.previous_end));
}

Slice
reader_slice (const Reader *r)
{
  return (Slice){ r->c.text + r->c.token.begin, r->c.token.end - r->c.token.begin };
}

bool
reader_integer (Reader *r, const char *what, uint64_t *value)
{
  size_t begin = r->c.token.begin;
  bool negative = cursor_accept (&r->c, TOKEN_MINUS);
  if (!cursor_at (&r->c, TOKEN_NUMBER)) {
    reader_expected (r, what);
    return false;
  }
  NumberResult result = cursor_number (&r->c, r->c.token, value);
  Token token = { TOKEN_NUMBER, begin, r->c.token.end };
  cursor_next (&r->c);
  if (result == NUMBER_OK && negative && *value > (UINT64_C (1) << 63))
    result = NUMBER_TOO_LARGE;
  if (negative)
    *value = -*value;
  if (result == NUMBER_OK)
    return true;
  report (r->reporter, DIAG_ERROR, reader_span_from (r, begin),
          result == NUMBER_MALFORMED ? "%s is not a number" : "%s does not fit 64 bits",
          cursor_describe (&r->c, token, r->arena));
  return false;
}

bool
reader_small (Reader *r, const char *what, unsigned limit, unsigned *value)
{
  size_t begin = r->c.token.begin;
  uint64_t wide = 0;
  if (cursor_at (&r->c, TOKEN_MINUS)) {
    reader_expected (r, what);
    return false;
  }
  if (!reader_integer (r, what, &wide))
    return false;
  *value = (unsigned) MIN (wide, limit);
  if (wide <= limit)
    return true;
  report (r->reporter, DIAG_ERROR, reader_span_from (r, begin), "this number is above %u",
          limit);
  return false;
}
