/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_PROGRAM_H
#define PTXMM_LITMUS_PROGRAM_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

/* A test as every front end delivers it and both engines read it: threads of instructions with
 * their placement, memory objects, and the question asked.  Plain data, immutable once built,
 * allocated in one arena together with everything it points to.  Numbers in brackets are
 * sections of the PTX ISA manual 9.4. */

/* ---- Attributes of instructions and events ------------------------------------------------
 */

/* Memory semantics [8.4].  SEM_NONE: the instruction has none (register operation, barrier). */
typedef enum Sem {
  SEM_NONE,
  SEM_WEAK,
  SEM_RELAXED,
  SEM_ACQUIRE,
  SEM_RELEASE,
  SEM_ACQ_REL,
  SEM_SC,
} Sem;

/* Scope [8.5].  SCOPE_NONE: a weak operation or one without scope, included by nobody. */
typedef enum Scope {
  SCOPE_NONE,
  SCOPE_CTA,
  SCOPE_CLUSTER,
  SCOPE_GPU,
  SCOPE_SYS,
} Scope;

/* Proxies [8.6].  Surface, texture and constant are research proxies of the ISCA 2022 paper. */
typedef enum Proxy {
  PROXY_GENERIC,
  PROXY_SURFACE,
  PROXY_TEXTURE,
  PROXY_CONSTANT,
  PROXY_ASYNC,
  PROXY_TENSORMAP,
  PROXY_FABRIC,
  PROXY_READONLY,
} Proxy;

/* What a proxy fence names.  PFENCE_ALIAS orders accesses through different virtual addresses.
 */
typedef enum ProxyFence {
  PFENCE_ALIAS,
  PFENCE_GENERIC,
  PFENCE_SURFACE,
  PFENCE_TEXTURE,
  PFENCE_CONSTANT,
  PFENCE_ASYNC,
} ProxyFence;

typedef enum Space {
  SPACE_GLOBAL,
  SPACE_SHARED,
} Space;

/* The type of a typed operation: TY_U, TY_S and TY_B with 8, 16, 32, 64 (later 128) bits.  The
 * class matters where signedness does (min, max, div, comparisons, widening). */
typedef enum TypeClass {
  TY_B,
  TY_U,
  TY_S,
} TypeClass;

typedef struct Type {
  TypeClass cls;
  unsigned bits;
  bool written; /* the source text gave it; otherwise it was inferred */
} Type;

/* ---- Operands -----------------------------------------------------------------------------
 */

typedef enum OperandKind {
  OPERAND_NONE, /* absent; as a destination, the result is dropped */
  OPERAND_REG,
  OPERAND_IMM,     /* a constant, already truncated to the operation's width */
  OPERAND_ADDRESS, /* the virtual address of a mapping plus `value` bytes */
} OperandKind;

typedef struct Operand {
  OperandKind kind;
  unsigned index; /* register of the same thread, or mapping */
  uint64_t value; /* constant, or byte offset (two's complement) from the mapping */
  Span span;
} Operand;

/* ---- Instructions -------------------------------------------------------------------------
 */

typedef enum InsnKind {
  INSN_ALU,         /* dst = op (a, b) at `type`; INSN_ALU with ALU_MOV copies a */
  INSN_LOAD,        /* dst = [addr] */
  INSN_STORE,       /* [addr] = a */
  INSN_ATOM,        /* dst = [addr]; [addr] = op (old, a, b) */
  INSN_RED,         /* [addr] = op (old, a) */
  INSN_FENCE,       /* sem, scope */
  INSN_PROXY_FENCE, /* pfence */
  INSN_BARRIER,     /* see Barrier below */
  INSN_BRANCH,      /* if a CMP b goto target */
  INSN_GOTO,        /* goto target */
} InsnKind;

/* Register operations of the dialect.  All wrap modulo 2^bits.  ALU_DIV follows the type's
 * signedness and truncates; a division by zero is an unspecified value in PTX [9.7.1.9], for
 * which both engines take all ones and raise the flag "unspecified-value". */
typedef enum AluOp {
  ALU_MOV,
  ALU_ADD,
  ALU_SUB,
  ALU_MUL,
  ALU_DIV,
  ALU_AND,
  ALU_OR,
  ALU_XOR,
} AluOp;

/* What atom and red do [9.7.13.5, 9.7.13.7]; old is the value read, a and b the operands.
 * SUB, MUL and DIV exist in the litmus dialect only.
 *   INC: old >= a ? 0 : old + 1      DEC: old == 0 || old > a ? a : old - 1   (unsigned)
 *   CAS: old == a ? b : no write (P1) */
typedef enum AtomOp {
  ATOM_ADD,
  ATOM_SUB,
  ATOM_MUL,
  ATOM_DIV,
  ATOM_INC,
  ATOM_DEC,
  ATOM_MIN,
  ATOM_MAX,
  ATOM_AND,
  ATOM_OR,
  ATOM_XOR,
  ATOM_EXCH,
  ATOM_CAS,
} AtomOp;

/* Comparisons of branches and conditions, at a width; signed when the type's class is TY_S. */
typedef enum Cmp {
  CMP_EQ,
  CMP_NE,
  CMP_LT,
  CMP_LE,
  CMP_GT,
  CMP_GE,
} Cmp;

typedef enum BarrierMode {
  BARRIER_SYNC,   /* arrives and waits */
  BARRIER_ARRIVE, /* arrives and goes on */
} BarrierMode;

/* bar.cta.MODE LABEL[, ID[, COUNT]].  Two barrier operations can meet only in one CTA, with
 * equal LABEL and equal ID (or both without one) and equal COUNT (or both without one). */
typedef struct Barrier {
  BarrierMode mode;
  uint64_t label;
  Operand id;    /* OPERAND_NONE, REG or IMM; compared at 32 bits */
  Operand count; /* OPERAND_NONE: every thread that can still meet it */
} Barrier;

typedef struct Insn {
  InsnKind kind;
  Span span;
  Type type; /* of the access, operation or comparison */
  Sem sem;
  Scope scope;
  Proxy proxy;      /* of a memory access */
  bool is_volatile; /* ld/st.volatile: relaxed.sys, and more [8.4] */
  bool is_mmio;
  union {
    AluOp alu;
    AtomOp atom;
    Cmp cmp;
    ProxyFence pfence;
  } op;
  Operand dst;    /* OPERAND_REG or OPERAND_NONE */
  Operand addr;   /* memory accesses: OPERAND_ADDRESS, or OPERAND_REG holding one */
  int64_t offset; /* bytes added to a register address */
  Operand a;
  Operand b;
  Barrier barrier; /* INSN_BARRIER */
  unsigned target; /* branches: index of the next instruction when taken; may be the
                    * number of instructions, which is the end of the thread */
} Insn;

/* ---- Threads ------------------------------------------------------------------------------
 */

/* Registers are unsigned containers of `bits` bits (32 or 64); a narrower result is
 * zero-extended. The initial value is `init`, or the virtual address init + mapping when
 * `holds_address`. */
typedef struct Reg {
  const char *name;
  unsigned bits;
  bool holds_address;
  unsigned init_mapping;
  uint64_t init;
} Reg;

/* Where a thread runs.  Two threads share a CTA when gpu, cluster and cta agree, a cluster when
 * gpu and cluster agree.  Without explicit clusters every CTA is a cluster of its own and
 * `cluster` is a fresh number for each (gpu, cta). */
typedef struct Placement {
  unsigned cta;
  unsigned cluster;
  unsigned gpu;
  bool cluster_written;
  int warp; /* -1: a warp of its own */
} Placement;

typedef struct Thread {
  const char *name; /* "P0" */
  unsigned number;  /* 0 of P0, as conditions name it */
  Placement place;
  Reg *regs;
  unsigned reg_count;
  Insn *insns;
  unsigned insn_count;
  const char **labels; /* insn_count + 1 entries: label before that instruction, or NULL */
  Span span;           /* of the header */
} Thread;

/* True when `scope`, as seen from a thread placed at `from`, includes a thread placed at
 * `other` [8.5].  SCOPE_NONE includes nobody. */
bool scope_includes (Scope scope, const Placement *from, const Placement *other);

bool placement_same_cta (const Placement *a, const Placement *b);
bool placement_same_cluster (const Placement *a, const Placement *b);

/* ---- Memory -------------------------------------------------------------------------------
 */

/* A physical memory object. */
typedef struct MemObject {
  const char *name; /* that of the location that declared it */
  unsigned size;    /* bytes: 4 or 8 in the dialect so far */
  Space space;
  bool init_is_address; /* initial value: address of init_mapping + init */
  unsigned init_mapping;
  uint64_t init;
  Span span;
} MemObject;

/* A virtual mapping of an object: a range of virtual addresses [base, base + size).  Two names
 * with one mapping are the same virtual address; two mappings of one object are aliases [8.6].
 */
typedef struct Mapping {
  const char *name;
  unsigned object;
  uint64_t base; /* virtual address; no two mappings overlap */
} Mapping;

/* A name in the test: `x` and its aliases.  Several locations can share a mapping. */
typedef struct Location {
  const char *name;
  unsigned mapping;
  Proxy proxy;  /* as declared ("x @ surface aliases y"); accesses carry their own */
  int alias_of; /* the location named in its declaration, or -1 */
  Span span;
} Location;

/* ---- The question -------------------------------------------------------------------------
 */

typedef enum CondKind {
  COND_TRUE,
  COND_CMP, /* left CMP right */
  COND_NOT, /* left child */
  COND_AND,
  COND_OR,
} CondKind;

typedef enum CondTermKind {
  TERM_CONST,
  TERM_REG,     /* final value of a register */
  TERM_LOC,     /* final value of a location */
  TERM_ADDRESS, /* the address of a location: &x */
} CondTermKind;

typedef struct CondTerm {
  CondTermKind kind;
  unsigned thread; /* TERM_REG: index into Program.threads */
  unsigned index;  /* register, location or mapping */
  uint64_t value;  /* TERM_CONST; a negative constant is two's complement, 64 bits */
} CondTerm;

/* Comparisons are unsigned at the wider of the two sides' widths; a constant takes the width of
 * the other side (so `r0 == -1` holds of 0xffffffff in a 32-bit register), 64 bits if both are.
 */
typedef struct Cond Cond;
struct Cond {
  CondKind kind;
  Cmp cmp;
  CondTerm left_term;
  CondTerm right_term;
  const Cond *left;
  const Cond *right;
  Span span;
};

typedef enum Quantifier {
  QUANT_NONE, /* no assertion: only outcomes are asked for */
  QUANT_EXISTS,
  QUANT_NOT_EXISTS,
  QUANT_FORALL,
} Quantifier;

/* One observed quantity: part of an outcome's state. */
typedef struct Observed {
  bool is_location;
  unsigned thread; /* register: index into threads */
  unsigned index;  /* register of that thread, or location */
  unsigned bits;
  const char *key; /* "P0:r1" or "x": the key in reports */
} Observed;

typedef struct Program {
  const char *name;
  const char *doc; /* the quoted lines after the name, or NULL */
  const Source *source;

  MemObject *objects;
  unsigned object_count;
  Mapping *mappings;
  unsigned mapping_count;
  Location *locations;
  unsigned location_count;

  Thread *threads;
  unsigned thread_count;
  bool has_clusters;

  Quantifier quantifier;
  const Cond *condition;      /* never NULL; COND_TRUE when there is none */
  const Cond *filter;         /* never NULL; only executions that satisfy it count */
  const char *condition_text; /* as printed in reports */

  Observed *observed; /* named by the condition, the filter or `locations`, each once,
                       * in this order: locations by name, then registers by thread
                       * number and name (digits compare as numbers) */
  unsigned observed_count;
} Program;

/* The mapping that contains virtual address `va`, and the byte offset in it; -1 when none does.
 */
int program_find_mapping (const Program *p, uint64_t va, uint64_t *offset);

/* `values` has observed_count entries in the order of `observed`.  Constants, addresses and
 * comparisons as described at Cond.  Pure; used by both engines for concrete states. */
bool cond_holds (const Program *p, const Cond *c, const uint64_t *values);

/* Bits of a term: its register, its location's object, 64 for addresses, 0 for constants. */
unsigned cond_term_bits (const Program *p, const CondTerm *t);

/* "0x1", or "&x" / "&x+0x4" when a 64-bit value lies in a mapping.  In arena `a`. */
const char *value_text (Arena *a, const Program *p, unsigned bits, uint64_t value);

/* Names as the dialect writes them: "acq_rel", "gpu", "surface", … "" for the NONE members. */
const char *sem_name (Sem sem);
const char *scope_name (Scope scope);
const char *proxy_name (Proxy proxy);
const char *pfence_name (ProxyFence fence);
const char *atom_op_name (AtomOp op);
const char *alu_op_name (AluOp op);
const char *cmp_name (Cmp cmp); /* "==" … */

/* The value truncated to `bits` (1…64). */
static inline uint64_t
truncate_bits (uint64_t value, unsigned bits)
{
  return bits >= 64 ? value : value & ((UINT64_C (1) << bits) - 1);
}

#endif
