/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_INSN_OPERANDS_H
#define PTXMM_LITMUS_INSN_OPERANDS_H

#include "litmus/insn_parse.h"
#include "litmus/modifiers.h"

/* Between insn_parse.c (instructions) and insn_operands.c (their operands). */

typedef struct Mnemonic Mnemonic;

typedef struct InsnCtx {
  Reader *r;
  Builder *b;
  unsigned thread;
  InsnDialect dialect;
  const Mnemonic *mnemonic;
  Opcode op;
  Modifiers mods;
  DraftInsn *draft;
  Insn *insn; /* of the draft */
} InsnCtx;

/* A row of the table of instructions. */
struct Mnemonic {
  const char *name;
  unsigned dialects;
  bool (*parse) (InsnCtx *ctx);
  unsigned value; /* an AluOp, a Cmp */
  Proxy proxy;
  unsigned sems; /* set of SEM_BITs */
  bool has_mmio;
};

typedef enum RawKind {
  RAW_REG,         /* r0 */
  RAW_NAME,        /* x */
  RAW_CONST,       /* 1 */
  RAW_ADDRESS,     /* &x, &x+4 */
  RAW_MEMORY_NAME, /* [x], [x+4] */
  RAW_MEMORY_REG,  /* [r0], [r0+4] */
} RawKind;

/* An operand as written, before anybody says what it should have been. */
typedef struct RawOperand {
  RawKind kind;
  Slice name;
  Span name_span;
  uint64_t value; /* of a constant, or the offset */
  Span span;
} RawOperand;

/* An error; always false, so that a parser can return it. */
bool insn_fail (InsnCtx *ctx, Span span, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Past a comma, or an error. */
bool insn_comma (InsnCtx *ctx);

/* Any operand, as it is written. */
bool insn_read_raw (InsnCtx *ctx, RawOperand *raw);

/* A register, a constant or an address. */
bool insn_value (InsnCtx *ctx, const RawOperand *raw, Operand *out);
bool insn_read_value (InsnCtx *ctx, Operand *out);

/* The memory that the instruction accesses, to insn->addr and insn->offset. */
bool insn_address (InsnCtx *ctx, const RawOperand *raw);
bool insn_read_address (InsnCtx *ctx);

/* The register for the result, to insn->dst; of an atomic it may be '_', which drops it. */
bool insn_read_destination (InsnCtx *ctx);

/* Where a branch goes, to draft->label. */
bool insn_read_label (InsnCtx *ctx);

#endif
