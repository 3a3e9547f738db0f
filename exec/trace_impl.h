/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_TRACE_IMPL_H
#define PTXMM_EXEC_TRACE_IMPL_H

#include "exec/trace.h"

/* Between trace.c, which keeps nodes, events and the way back, and step.c, which executes
 * instructions. */

/* Makes room for one more element of the array `t->field`. */
#define MAKE_ROOM(t, field, count, room)                                                       \
  do {                                                                                         \
    if ((t)->count == (t)->room) {                                                             \
      (t)->room = (t)->room == 0 ? 64 : 2 * (t)->room;                                         \
      (t)->field = g_realloc ((t)->field, sizeof *(t)->field * (t)->room);                     \
    }                                                                                          \
  } while (0)

static const Val no_val = { NO_INDEX, 0 };

static inline Val
val_const (uint64_t value)
{
  return (Val){ NO_INDEX, value };
}

static inline Val
val_node (int node)
{
  return (Val){ node, 0 };
}

/* Keeps a copy of the thread's state, for undoing, before it changes. */
void trace_save_thread (Trace *t, unsigned thread);

/* A node; it has its value at once when its operands have theirs. */
int trace_add_node (Trace *t, Node node);

/* op (a, b) in `bits`; a constant where the operands are, except that divisions are always
 * nodes, where the unspecified ones are looked for. */
Val trace_alu (Trace *t, AluOp op, Type type, unsigned bits, Val a, Val b);

/* The control dependencies `control` and those of a branch on a and b. */
int trace_depend (Trace *t, int control, Val a, Val b);

unsigned trace_add_event (Trace *t, TraceEvent event);

/* An address is not what was decided about it. */
void trace_contradict (Trace *t);

/* An access covers exactly one object; NO_INDEX when this one does not. */
int trace_accessed_mapping (const Trace *t, const Insn *insn, uint64_t address);

/* Takes a pending access one stage further; false when it must still wait. */
bool trace_progress (Trace *t, unsigned pending);

/* step.c: lets every thread run that can; true when there was one. */
bool trace_run_threads (Trace *t);

#endif
