/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_FRAME_IMPL_H
#define PTXMM_EXEC_FRAME_IMPL_H

#include "exec/code.h"
#include "exec/frame.h"

/* Inside of frame.c, frame_base.c, and the making of a frame's operations (slots.h). */

/* What a term is in this frame. */
typedef enum SlotKind {
  SLOT_EMPTY,  /* nothing, ever */
  SLOT_CONST,  /* known: in `at` */
  SLOT_CODE,   /* op (x, y), computed into `at` */
  SLOT_MASKED, /* the part of x, another slot, within `mask`, computed into `at` */
  SLOT_LOADED, /* a chosen relation or a name bound by `let rec`: in `at` */
  SLOT_ALIAS,  /* the same as x */
} SlotKind;

/* Operations come to exist only when their result is asked for. */
typedef struct Slot {
  SlotKind kind;
  CodeOp op;
  bool emitted; /* CODE, MASKED: the operation exists */
  bool is_var;  /* a name bound by `let rec`, while its bodies are made */
  int fixpoint; /* LOADED: the loop that gives the value, whose operation must exist; or -1 */
  unsigned deps;
  unsigned x; /* terms */
  unsigned y;
  size_t words;
  Word *at;
  Word *mask;
  const Word *limit;    /* nothing outside this, or NULL */
  const Word *floor;    /* all of this for sure, or NULL */
  const Word *diagonal; /* [set]: the set, or NULL */
} Slot;

typedef struct CodeList {
  Code *items;
  unsigned count;
} CodeList;

/* How a `let rec` is evaluated: `code` until the bodies are what the names were. */
typedef struct Fixpoint {
  CodeList code;
  bool emitted;
  unsigned deps;
  unsigned count;
  Word **vars;
  const Word **bodies;
  size_t *words;
} Fixpoint;

typedef struct FrameRule {
  const Word *source; /* NULL: forces nothing in this frame */
  const Word *minus[RULE_MINUS_MAX];
} FrameRule;

/* The two bounds of a relation that the search decides; NULL where no term wants them. */
typedef struct Chosen {
  Word *lower;
  Word *upper;
} Chosen;

struct Frame {
  Arena *arena;
  const Plan *plan;
  const Trace *trace;
  CodeShape shape;
  unsigned phases;
  bool complete;
  bool doomed; /* an axiom fails whatever is chosen */
  Choice root;
  Chosen rf, co, sf, fr;
  unsigned *reads; /* the read events */
  unsigned read_count;
  Word *object_writes; /* a row per object: its writes */
  Word *possible_rf;   /* write to read of the same object */
  Word *possible_fr;   /* read to other write of the same object */
  Word *none;          /* an empty matrix */
  Word *full;          /* a full one */
  Word *scratch;       /* a row */
  bool co_decided;     /* from the start: co is the same in all of this frame */
  bool sf_decided;
  bool sf_asked; /* it has free pairs */
  Slot *slots;
  CodeList code;
  CodeList flag_code;
  Fixpoint *fixpoints;
  unsigned fixpoint_count;
  FrameRule *rules;
  const Word **flag_values; /* per flag, in a complete frame */
  bool *flag_possible;
};

/* frame_base.c: the value of a set or relation that the events alone determine. */
Word *frame_base (Frame *f, CatBase base, Bound bound);

/* specialize.c */
void frame_specialize (Frame *f);
void frame_specialize_flags (Frame *f);

/* True when the check's condition (without negation) holds of a value. */
bool frame_condition (const Frame *f, const CatCheck *check, CatShape shape, const Word *value);

/* frame.c */
void frame_run_fixpoint (const Frame *f, const Fixpoint *fix);

static inline Word *
frame_matrix (Frame *f)
{
  return arena_array (f->arena, Word, (size_t) f->shape.n * f->shape.w);
}

#endif
