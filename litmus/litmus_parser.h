/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_LITMUS_PARSER_H
#define PTXMM_LITMUS_LITMUS_PARSER_H

#include "litmus/builder.h"

/* Between the parts of the parser of the litmus dialect: litmus_parse.c (the whole),
 * litmus_init.c (initial values) and litmus_question.c (conditions).  Nobody else needs this.
 */

typedef struct LitmusParser {
  Reader r;
  Builder *b;
  bool columns_unsure; /* the header or a row is wrong: do not count columns any more */
  bool code_is_bad;    /* a condition may name registers that a bad instruction had */
  bool has_clusters;
  bool has_locations;
  bool has_filter;
} LitmusParser;

/* "P0" or "0" before a colon: the thread's number. */
bool litmus_thread_number (Reader *r, uint64_t *number);

/* The thread of "P0:", or -1 with a message; the reader then stands after the colon. */
int litmus_thread_prefix (LitmusParser *p);

/* A name or number with a colon behind it. */
bool litmus_at_thread_prefix (const Reader *r);

bool litmus_at_register (const Reader *r);

/* A location's name where no register may stand. */
bool litmus_location_name (Reader *r, Slice *name, Span *span);

/* Reads the initial section, '{' to behind '}', for what it says about locations.  False, with
 * messages, when it has no end. */
bool litmus_parse_init (LitmusParser *p);

/* Reads it again from byte `init_begin` for what it says about registers, now that the header
 * has named the threads; the reader stays where it is. */
void litmus_parse_register_init (LitmusParser *p, size_t init_begin);

/* "locations", "filter" and the assertion, to the end of the text. */
void litmus_parse_question (LitmusParser *p);

#endif
