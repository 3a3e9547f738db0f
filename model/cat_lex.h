/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_CAT_LEX_H
#define PTXMM_MODEL_CAT_LEX_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

/* The tokens of cat.  Private to the reader (cat_parse.c has the grammar). */

typedef enum CatTok {
  TOK_END, /* of the file */
  TOK_NAME,
  TOK_STRING,
  TOK_ZERO,       /* 0 */
  TOK_UNDERSCORE, /* _ alone */
  TOK_BAR,
  TOK_AMP,
  TOK_BACKSLASH,
  TOK_SEMI,
  TOK_STAR,
  TOK_PLUS,
  TOK_QUESTION,
  TOK_HAT,
  TOK_INVERSE, /* -1 */
  TOK_TILDE,
  TOK_LPAREN,
  TOK_RPAREN,
  TOK_LBRACKET,
  TOK_RBRACKET,
  TOK_COMMA,
  TOK_EQUAL,
  TOK_LET,
  TOK_REC,
  TOK_AND,
  TOK_IN,
  TOK_AS,
  TOK_ACYCLIC,
  TOK_IRREFLEXIVE,
  TOK_EMPTY,
  TOK_FLAG,
  TOK_SHOW,
  TOK_UNSHOW,
  TOK_INCLUDE,
  TOK_DOMAIN,
  TOK_RANGE,
  TOK_WRONG,   /* no token of the language; it has been reported */
  TOK_REFUSED, /* a word or sign of full cat that is recognised, and not modelled */
} CatTok;

/* What a refused word does to the search for the next statement. */
typedef enum CatRefusal {
  REFUSED_WORD,      /* inside an expression */
  REFUSED_STATEMENT, /* begins a statement */
  REFUSED_BLOCK,     /* begins an expression that ends with `end` */
  REFUSED_STATEMENT_BLOCK,
  REFUSED_END, /* `end` */
} CatRefusal;

typedef struct CatToken {
  CatTok kind;
  CatRefusal refusal; /* TOK_REFUSED */
  size_t begin;
  size_t end;
  const char *text; /* TOK_NAME; TOK_STRING without the quotes; TOK_REFUSED */
} CatToken;

/* The whole text; the last of the `count` tokens is TOK_END, directly after the last text. */
typedef struct CatTokens {
  const CatToken *tokens;
  unsigned count;
} CatTokens;

CatTokens cat_lex (Arena *a, const Source *source, Diags *diags);

#endif
