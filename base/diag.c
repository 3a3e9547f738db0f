/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

struct Diags {
  Arena *arena;
  Diag *diags;
  unsigned count;
  unsigned errors;
};

enum { CAPACITY = DIAG_LIMIT * 2, LONGEST_SHOWN_LINE = 200 };

Diags *
diags_new (Arena *a)
{
  Diags *d = arena_new_of (a, Diags);
  d->arena = a;
  d->diags = arena_array (a, Diag, CAPACITY);
  return d;
}

void
diags_add (Diags *d, DiagKind kind, Span span, const char *format, ...)
{
  if (kind != DIAG_WARNING)
    d->errors++;
  unsigned limit = kind == DIAG_WARNING ? DIAG_LIMIT : CAPACITY;
  if (d->count >= limit || d->errors > DIAG_LIMIT)
    return;
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  d->diags[d->count++] = (Diag){ kind, span, arena_strdup (d->arena, message) };
}

unsigned
diags_error_count (const Diags *d)
{
  return d->errors;
}

unsigned
diags_count (const Diags *d)
{
  return d->count;
}

const Diag *
diags_get (const Diags *d, unsigned index)
{
  g_assert (index < d->count);
  return &d->diags[index];
}

Span
span_join (Span first, Span last)
{
  return (Span){ first.source, first.begin, MAX (first.end, last.end) };
}

static size_t
line_begin (const Source *s, size_t at)
{
  while (at > 0 && s->text[at - 1] != '\n')
    at--;
  return at;
}

Place
span_place (Span span)
{
  Place place = { 1, 1 };
  if (span.source == NULL)
    return place;
  size_t at = MIN (span.begin, span.source->length);
  for (size_t i = 0; i < at; i++)
    place.line += span.source->text[i] == '\n';
  place.column = (unsigned) (at - line_begin (span.source, at)) + 1;
  return place;
}

static const char *
kind_name (DiagKind kind)
{
  switch (kind) {
  case DIAG_ERROR:
    return "error";
  case DIAG_NOT_MODELLED:
    return "not modelled";
  case DIAG_WARNING:
    return "warning";
  }
  g_assert_not_reached ();
}

/* The source line under the message, with anything unprintable replaced, and a caret line in
 * which tabs are copied so that the carets stand under what they mark on any terminal. */
static void
append_excerpt (GString *out, Span span)
{
  const Source *s = span.source;
  size_t at = MIN (span.begin, s->length);
  size_t begin = line_begin (s, at);
  size_t end = begin;
  while (end < s->length && s->text[end] != '\n' && s->text[end] != '\r')
    end++;
  if (at - begin >= LONGEST_SHOWN_LINE)
    return;
  end = MIN (end, begin + LONGEST_SHOWN_LINE);
  g_string_append (out, "  ");
  for (size_t i = begin; i < end; i++) {
    char c = s->text[i];
    g_string_append_c (out, c == '\t' || (c >= 0x20 && c < 0x7f) ? c : '?');
  }
  g_string_append (out, "\n  ");
  for (size_t i = begin; i < at; i++)
    g_string_append_c (out, i < end && s->text[i] == '\t' ? '\t' : ' ');
  g_string_append_c (out, '^');
  for (size_t i = at + 1; i < MIN (span.end, end); i++)
    g_string_append_c (out, '~');
  g_string_append_c (out, '\n');
}

char *
diag_format (const Diag *diag)
{
  GString *out = g_string_new (NULL);
  if (diag->span.source != NULL && diag->span.source->text == NULL) {
    g_string_append_printf (out, "%s: ", diag->span.source->name);
  } else if (diag->span.source != NULL) {
    Place place = span_place (diag->span);
    g_string_append_printf (out, "%s:%u:%u: ", diag->span.source->name, place.line,
                            place.column);
  }
  if (diag->kind == DIAG_NOT_MODELLED)
    g_string_append_printf (out, "%s: %s\n", diag->message, kind_name (diag->kind));
  else
    g_string_append_printf (out, "%s: %s\n", kind_name (diag->kind), diag->message);
  if (diag->span.source != NULL && diag->span.source->text != NULL)
    append_excerpt (out, diag->span);
  return g_string_free (out, FALSE);
}
