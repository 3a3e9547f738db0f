/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_SLOTS_H
#define PTXMM_EXEC_SLOTS_H

#include "exec/frame_impl.h"

/* From terms to operations.  What is constant is computed while a frame is made, what is empty
 * falls away, and restrictions of one relation are gathered in one mask.  Every term gets a
 * slot; slots of operands are resolved before they are looked at.  specialize.c makes slots of
 * terms by their operators, fixpoint.c those of `let rec`. */

/* Where operations go at the moment. */
typedef struct Builder {
  Frame *f;
  CodeList *out;
  bool dry;           /* a trial: nothing is kept */
  unsigned var_reads; /* uses of names bound by `let rec` */
} Builder;

static inline unsigned
slot_resolve (const Frame *f, unsigned term)
{
  while (f->slots[term].kind == SLOT_ALIAS)
    term = f->slots[term].x;
  return term;
}

static inline Slot *
slot_of (const Frame *f, unsigned term)
{
  return &f->slots[slot_resolve (f, term)];
}

static inline size_t
shape_words (const Frame *f, CatShape shape)
{
  return shape == CAT_SET ? f->shape.w : (size_t) f->shape.n * f->shape.w;
}

static inline Word *
copy_words (Frame *f, const Word *from, size_t words)
{
  return arena_copy (f->arena, from, sizeof (Word) * words);
}

static inline bool
slot_is_empty (const Frame *f, unsigned term)
{
  return slot_of (f, term)->kind == SLOT_EMPTY;
}

static inline bool
slot_is_const (const Frame *f, unsigned term)
{
  return slot_of (f, term)->kind == SLOT_CONST;
}

void builder_emit (Builder *b, Code code);

void slot_set_empty (Slot *s);
void slot_set_alias (Builder *b, unsigned term, unsigned source);

/* Takes over `value`, of s->words. */
void slot_set_const (Slot *s, Word *value);

/* op (x, y): computed now when the operands are constant, otherwise when asked for.  `y` and
 * `diagonal` as far as the operation has them. */
void slot_compute (Builder *b, unsigned term, CodeOp op, unsigned x, unsigned y);

/* The part of `source` within `mask`, which the slot takes over. */
void slot_set_masked (Builder *b, unsigned term, unsigned source, Word *mask);

/* The slot's value, for an operand: makes sure that an operation computes it. */
const Word *slot_value (Builder *b, unsigned term);

/* specialize.c: the slot of a term that is not a name bound by `let rec`. */
void builder_make_term (Builder *b, unsigned term);

/* fixpoint.c: the slots of a `let rec`. */
void builder_make_group (Builder *b, const TermGroup *g);

/* All pairs, or all events. */
static inline void
slot_set_full (Frame *f, Slot *s)
{
  slot_set_const (s, f->full);
}

static inline void
code_append (CodeList *to, const CodeList *from)
{
  memcpy (to->items + to->count, from->items, sizeof (Code) * from->count);
  to->count += from->count;
}

#endif
