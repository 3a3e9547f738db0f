/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_CODE_H
#define PTXMM_EXEC_CODE_H

#include "exec/matrix.h"

/* The operations that a frame is compiled to. */
typedef enum CodeOp {
  CODE_LOAD_RF,
  CODE_LOAD_SF,
  CODE_LOAD_CO,
  CODE_LOAD_FR,
  CODE_UNION,
  CODE_INTER,
  CODE_DIFF,
  CODE_COMPL,
  CODE_SEQ,
  CODE_KEEP_ROWS,    /* [b]; a */
  CODE_KEEP_COLUMNS, /* a; [b] */
  CODE_CROSS,
  CODE_INVERSE,
  CODE_PLUS,
  CODE_STAR,
  CODE_OPT,
  CODE_ID_ON,
  CODE_DOMAIN,
  CODE_RANGE,
  CODE_FIXPOINT, /* `index` of a group's Fixpoint */
  CODE_CHECK,    /* of `a`; `index` of the axiom */
  CODE_RULE,     /* of `a`; `index` of the rule */
} CodeOp;

typedef struct Code {
  CodeOp op;
  unsigned deps; /* DEP_… */
  unsigned index;
  size_t words; /* of the result */
  Word *to;
  const Word *a;
  const Word *b;
} Code;

/* Sizes, and a matrix row that has every event. */
typedef struct CodeShape {
  unsigned n;
  unsigned w;
  const Word *all;
} CodeShape;

/* 2 for those of CODE_UNION … CODE_RANGE that read `b`, else 1. */
unsigned code_operands (CodeOp op);

/* Runs one of CODE_UNION … CODE_RANGE. */
void code_compute (const Code *code, const CodeShape *shape);

#endif
