/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_BASE_DIAG_H
#define PTXMM_BASE_DIAG_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Messages about input that is at fault, with the place they speak of. */

/* A text that was read, kept whole so that places in it can be shown.  `text` has `length`
 * bytes and a NUL after them; it may hold any bytes.  Both pointers belong to whoever made the
 * struct. */
typedef struct Source {
  const char *name; /* as the user gave it */
  const char *text;
  size_t length;
} Source;

/* A half-open byte range [begin, end) of a source. */
typedef struct Span {
  const Source *source;
  size_t begin;
  size_t end;
} Span;

/* Line and column, both from 1; the column counts bytes, a tab is one. */
typedef struct Place {
  unsigned line;
  unsigned column;
} Place;

Place span_place (Span span);

/* The span from the start of `first` to the end of `last`, of the same source. */
Span span_join (Span first, Span last);

typedef enum DiagKind {
  DIAG_ERROR,        /* the input is wrong */
  DIAG_NOT_MODELLED, /* the input is right, and beyond what this program models */
  DIAG_WARNING,
} DiagKind;

typedef struct Diag {
  DiagKind kind;
  Span span; /* span.source may be NULL: no place is known */
  const char *message;
} Diag;

/* Collects messages in the order they are found.  After DIAG_LIMIT errors further ones are only
 * counted, so that a hostile input cannot fill memory. */
typedef struct Diags Diags;

enum { DIAG_LIMIT = 20 };

/* The messages live in `a`. */
Diags *diags_new (Arena *a);

void diags_add (Diags *d, DiagKind kind, Span span, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Errors and refusals so far; warnings do not count. */
unsigned diags_error_count (const Diags *d);

unsigned diags_count (const Diags *d);
const Diag *diags_get (const Diags *d, unsigned index);

/* "FILE:LINE:COLUMN: error: MESSAGE", the line itself, and a caret line; a not-modelled message
 * reads "FILE:LINE:COLUMN: NAME: not modelled" with kind "not modelled".  A source without text
 * (it could not be read) has no places: "FILE: error: MESSAGE".  (transfer full) */
char *diag_format (const Diag *diag);

#endif
