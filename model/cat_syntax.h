/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_CAT_SYNTAX_H
#define PTXMM_MODEL_CAT_SYNTAX_H

#include "model/cat.h"

/* The syntax tree of one cat file: what cat_parse.c makes and cat_read.c gives a meaning.
 * Private to the reader. */

typedef enum CatExprKind {
  EXPR_NAME,
  EXPR_ALL,    /* _ */
  EXPR_ZERO,   /* 0 */
  EXPR_UNARY,  /* op a */
  EXPR_BINARY, /* a op b */
  EXPR_CALL,   /* name (args) */
  EXPR_LET,    /* let … in let … in a */
} CatExprKind;

typedef struct CatExpr CatExpr;
typedef struct CatLet CatLet;

struct CatExpr {
  CatExprKind kind;
  CatOp op; /* EXPR_UNARY, EXPR_BINARY */
  Span span;
  unsigned depth; /* 1 for leaves; at most CAT_DEPTH_LIMIT */
  const char *name;
  const CatExpr *a;
  const CatExpr *b;
  const CatExpr *const *args;
  unsigned arg_count;
  const CatLet *lets;
  unsigned let_count;
};

/* No expression is deeper, so that recursion over one needs little stack. */
enum { CAT_DEPTH_LIMIT = 1000 };

typedef struct CatParam {
  const char *name; /* NULL for _ */
} CatParam;

/* NAME = body, or NAME (params) = body. */
typedef struct CatDefinition {
  const char *name;
  Span name_span;
  bool is_function;
  const CatParam *params;
  unsigned param_count;
  const CatExpr *body; /* NULL: it was not understood, which has been reported */
} CatDefinition;

struct CatLet {
  bool rec;
  const CatDefinition *definitions;
  unsigned count;
};

typedef enum CatStatementKind {
  STATEMENT_LET,
  STATEMENT_CHECK,
  STATEMENT_SHOW,
  STATEMENT_UNSHOW,
  STATEMENT_INCLUDE,
} CatStatementKind;

typedef struct CatShown {
  const CatExpr *expr;
  const char *name;
} CatShown;

typedef struct CatStatement {
  CatStatementKind kind;
  Span span;
  CatLet let;
  CatCheckKind check; /* STATEMENT_CHECK, with expr; name NULL when there is no `as` */
  bool negated;
  bool is_flag;
  const CatExpr *expr;
  const char *name; /* STATEMENT_INCLUDE: the path */
  const CatShown *shown;
  unsigned shown_count;
} CatStatement;

typedef struct CatFile {
  const CatStatement *statements;
  unsigned count;
} CatFile;

/* Reads as much as it can; what it cannot is reported in `diags` and left out. */
CatFile cat_parse (Arena *a, const Source *source, Diags *diags);

#endif
