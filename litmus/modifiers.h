/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_MODIFIERS_H
#define PTXMM_LITMUS_MODIFIERS_H

#include "litmus/program.h"
#include "litmus/reader.h"

/* The dotted words after a mnemonic, as a set: PTX fixes an order, assemblers take any. */

/* What a word says.  An instruction takes at most one word of a class. */
typedef enum ModClass {
  MOD_SEM,     /* a Sem, or WRITTEN_VOLATILE */
  MOD_MMIO,    /* present or not */
  MOD_SCOPE,   /* a Scope */
  MOD_LEVEL,   /* .gl of membar: a Scope */
  MOD_SPACE,   /* a SpaceWritten */
  MOD_TYPE,    /* an index for modifier_type */
  MOD_OP,      /* an AtomOp */
  MOD_PROXY,   /* .proxy of fence: present or not */
  MOD_PFENCE,  /* a ProxyFence */
  MOD_BARRIER, /* a BarrierMode */
  MOD_LO,      /* .lo of mul: present or not */
  MOD_BEYOND,  /* a word of PTX that no instruction here takes */
  MOD_CLASS_COUNT,
} ModClass;

enum { WRITTEN_VOLATILE = SEM_SC + 1 };

#define MOD_BIT(class) (1u << (class))

enum { OPCODE_MAX_WORDS = 16 };

typedef struct Opcode {
  Slice mnemonic;
  Span mnemonic_span;
  unsigned word_count;
  Slice words[OPCODE_MAX_WORDS];
  Span word_spans[OPCODE_MAX_WORDS];
  Slice text; /* mnemonic and all words, as written */
  Span span;
} Opcode;

typedef struct Modifiers {
  bool has[MOD_CLASS_COUNT];
  unsigned value[MOD_CLASS_COUNT];
  Span span[MOD_CLASS_COUNT];
} Modifiers;

/* Reads "atom.add.relaxed.gpu"; the reader is at a name.  False, with a message, when a word is
 * missing after a dot or there are too many. */
bool opcode_read (Reader *r, Opcode *op);

/* True when one of the words is this one. */
bool opcode_has_word (const Opcode *op, const char *word);

/* Refuses the instruction by its full name. */
void opcode_not_modelled (Reader *r, const Opcode *op);

/* Sorts the words into classes.  `allowed` is a set of MOD_BITs.  False, with messages, when a
 * word is unknown, not of these classes, there twice, or beyond what is modelled. */
bool modifiers_sort (Reader *r, const Opcode *op, unsigned allowed, Modifiers *out);

Type modifier_type (unsigned value);

/* "'.cta', '.gpu' or '.sys'": the words of a class whose values are in the bit set `values`. */
const char *modifier_words (Arena *a, ModClass class, unsigned values);

#endif
