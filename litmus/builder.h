/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_BUILDER_H
#define PTXMM_LITMUS_BUILDER_H

#include "litmus/program.h"
#include "litmus/reader.h"

/* Puts a Program together while a front end reads its text: names are looked up as they come,
 * what needs the whole text (aliases, labels, widths, order of registers) is settled at the
 * end. Until then operands name locations where a Program names mappings, and registers are
 * numbered in the order in which they came up.
 *
 * A register that comes up nowhere but in the code starts as 0, and so does a location that is
 * used without a declaration. */

enum {
  BUILDER_MAX_THREADS = 256,
  BUILDER_MAX_INSNS = 4096, /* of one thread */
  BUILDER_MAX_LOCATIONS = 1024,
  BUILDER_MAX_NUMBER = 0x7fffffff, /* of a thread, CTA, cluster, GPU or warp */
};

typedef enum SpaceWritten {
  SPACE_UNSAID, /* nothing written: it does not matter, or global */
  SPACE_IS_GLOBAL,
  SPACE_IS_SHARED,
} SpaceWritten;

typedef struct LocationDecl {
  const char *name;
  Span span;
  bool declared; /* not merely used */
  unsigned bits; /* as written in the declaration; 0: not written */
  SpaceWritten space;
  Span space_span;
  /* The initial value: a constant, or the address of a location. */
  bool init_is_address;
  uint64_t init;
  Slice init_name;
  unsigned init_location; /* set by builder_end_declarations */
  Span init_span;
  /* Aliases: a location name, looked up at the end. */
  bool is_alias;
  Proxy proxy;
  Slice target;
  Span target_span;
  /* Settled at the end. */
  unsigned state;
  int target_index;
  unsigned object;
  unsigned mapping;
} LocationDecl;

/* An instruction with what a Program does not keep. */
typedef struct DraftInsn {
  Insn insn;
  Slice label; /* branches: where to */
  Span label_span;
  SpaceWritten space;
  Span space_span;
} DraftInsn;

typedef struct Builder Builder;

/* Strings and the finished program live in `a`.  (transfer full): builder_free. */
Builder *builder_new (Arena *a, const Source *source, Reporter *reporter);
void builder_free (Builder *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Builder, builder_free)

void builder_set_name (Builder *b, const char *name);
void builder_set_doc (Builder *b, const char *doc);

/* ---- Memory -------------------------------------------------------------------------------
 */

/* The number of a location, declared by the way if need be; -1, with a message, when there are
 * too many. */
int builder_location (Builder *b, Slice name, Span span);

/* The number of a location that has come up, or -1. */
int builder_find_location (const Builder *b, Slice name);

/* The declaration of `name` to fill in; NULL, with a message, when it is declared already or
 * there are too many.  Valid until the next location comes up. */
LocationDecl *builder_declare (Builder *b, Slice name, Span span);

/* After the last declaration: locations that only initial values name are declared by the way.
 * They come behind the others, whatever the order in which a text mentions them. */
void builder_end_declarations (Builder *b);

/* ---- Threads ------------------------------------------------------------------------------
 */

/* The index of the new thread, or -1 with a message: too many, a number taken, a warp in two
 * CTAs. */
int builder_add_thread (Builder *b, unsigned number, const Placement *place, Span span);

unsigned builder_thread_count (const Builder *b);

/* The index of thread P<number>, or -1. */
int builder_find_thread (const Builder *b, uint64_t number);

unsigned builder_register (Builder *b, unsigned thread, Slice name);

/* -1 when the thread has not mentioned it. */
int builder_find_register (const Builder *b, unsigned thread, Slice name);

const char *builder_register_name (const Builder *b, unsigned thread, unsigned reg);

/* False when the register has an initial value already. */
bool builder_init_register (Builder *b, unsigned thread, unsigned reg, uint64_t value,
                            Span span);
bool builder_init_register_address (Builder *b, unsigned thread, unsigned reg,
                                    unsigned location, Span span);

/* False, with a message the first time, when the thread is full. */
bool builder_add_insn (Builder *b, unsigned thread, const DraftInsn *draft);

void builder_add_label (Builder *b, unsigned thread, Slice name, Span span);

/* ---- The question -------------------------------------------------------------------------
 */

/* Makes a location or register part of the state.  May be repeated. */
void builder_observe_location (Builder *b, unsigned location);
void builder_observe_register (Builder *b, unsigned thread, unsigned reg);

/* NULL: true. */
void builder_set_condition (Builder *b, Quantifier quantifier, const Cond *condition);
void builder_set_filter (Builder *b, const Cond *filter);

/* The program, or NULL when anything was reported through the reporter as an error, before or
 * now. */
Program *builder_finish (Builder *b);

#endif
