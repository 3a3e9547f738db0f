/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_COND_PARSE_H
#define PTXMM_LITMUS_COND_PARSE_H

#include "litmus/program.h"
#include "litmus/reader.h"

/* Conditions:
 *
 *   or    := and  { ("\/" | "||") and }
 *   and   := unary { ("/\" | "&&") unary }
 *   unary := ("~" | "!" | "not") unary | "(" or ")" | "true" | "false" | TERM cmp TERM
 *   cmp   := "=" | "==" | "!=" | "<" | "<=" | ">" | ">="
 *
 * What a TERM is depends on the dialect.  A run of one connective, parentheses inside it or
 * not, becomes a balanced tree in the order of the text, so that a long condition is not deep
 * and equal lists give equal trees.  `false` is the negation of `true`. */

enum { COND_MAX_DEPTH = 1000 };

/* Reads one term; false with a message. */
typedef bool (*CondTermReader) (void *ctx, Reader *r, CondTerm *out);

/* NULL, with a message, when there is no condition here. */
const Cond *cond_parse (Reader *r, CondTermReader read_term, void *ctx);

/* The two joined by COND_AND; either may be NULL. */
const Cond *cond_and (Arena *a, const Cond *left, const Cond *right);

#endif
