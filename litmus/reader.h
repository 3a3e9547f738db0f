/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_READER_H
#define PTXMM_LITMUS_READER_H

#include <glib.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "litmus/names.h"

/* What the parsers of this folder share: a cursor and a way to complain. */

/* Something to add to a message about `span`, such as the line of a template; NULL: nothing. */
typedef const char *(*ReporterNote) (const void *ctx, Arena *a, Span span);

typedef struct Reporter {
  Arena *arena;
  Diags *diags;
  ReporterNote note; /* may be NULL */
  const void *ctx;
  unsigned errors; /* reported through this reporter; warnings do not count */
  size_t last_begin;
} Reporter;

/* Adds a message to `diags`, unless the message before was about the same place: then it is the
 * reason and this one its consequence. */
void report (Reporter *r, DiagKind kind, Span span, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* True when so many errors were found that going on would help nobody. */
bool reporter_is_full (const Reporter *r);

typedef struct Reader {
  Cursor c;
  Arena *arena;
  Reporter *reporter;
} Reader;

/* An error at the current token: "expected WHAT, found 'foo'"; for a TOKEN_BAD, what is wrong
 * with it. */
void reader_expected (Reader *r, const char *what);

/* Past a token of this kind, or false with the error "expected ';' WHERE, found 'foo'". */
bool reader_expect (Reader *r, TokenKind kind, const char *where);

Span reader_span (const Reader *r);

/* From byte `begin` to the end of the token before the current one. */
Span reader_span_from (const Reader *r, size_t begin);

Slice reader_slice (const Reader *r);

/* Reads a number with an optional '-' before it, as 64 bits, two's complement. */
bool reader_integer (Reader *r, const char *what, uint64_t *value);

/* Reads a number from 0 to `limit`. */
bool reader_small (Reader *r, const char *what, unsigned limit, unsigned *value);

#endif
