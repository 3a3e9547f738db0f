/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_DRAFT_H
#define PTXMM_LITMUS_DRAFT_H

#include "litmus/builder.h"

/* What a Builder has gathered: between builder.c, which fills it in as a text is read, and
 * settle.c, which makes a Program of it.  Nobody else looks inside. */

typedef struct DraftReg {
  Reg reg;
  bool initialised;
  unsigned init_location;
  Span init_span;
  unsigned rank; /* its number in the finished program */
} DraftReg;

typedef struct DraftLabel {
  Slice name;
  unsigned position;
  Span span;
} DraftLabel;

typedef struct DraftThread {
  unsigned number;
  Placement place;
  Span span;
  bool is_full; /* said so already */
  NameTable *reg_names;
  GArray *regs; /* of DraftReg */
  NameTable *label_names;
  GArray *labels; /* of DraftLabel */
  GArray *insns;  /* of DraftInsn */
} DraftThread;

struct Builder {
  Arena *arena;
  Reporter *reporter;
  Program *program;
  NameTable *location_names;
  GArray *locations; /* of LocationDecl */
  GArray *threads;   /* of DraftThread */
  GArray *observed;  /* of Observed, with repetitions */
  const Cond *condition;
  const Cond *filter;
};

static inline LocationDecl *
location_at (const Builder *b, unsigned index)
{
  return &g_array_index (b->locations, LocationDecl, index);
}

static inline DraftThread *
thread_at (const Builder *b, unsigned index)
{
  return &g_array_index (b->threads, DraftThread, index);
}

static inline DraftReg *
reg_at (const DraftThread *t, unsigned index)
{
  return &g_array_index (t->regs, DraftReg, index);
}

#endif
