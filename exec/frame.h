/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_FRAME_H
#define PTXMM_EXEC_FRAME_H

#include "exec/choice.h"
#include "exec/plan.h"
#include "exec/trace.h"

/* A plan made for the events of one moment of the search.  What these events determine is
 * computed once; the rest is a straight list of operations on bit matrices, each marked with
 * the choices that it depends on, so that after a decision only what it touches is computed
 * again.  When events appear, or a phase of a barrier completes, a new frame is made.  A frame
 * is complete when no further events can come. */

/* What operations depend on, and what can have changed. */
enum {
  DEP_RF = 1,
  DEP_SF = 2,
  DEP_CO = 4,
  DEP_START = 8, /* done once, at the first evaluation */
  DEP_ALL = 15,
};

typedef struct Frame Frame;

/* `parent` is the choice made so far, in a frame with the first of the events, or NULL.  All
 * memory comes from `a` and must be released before the trace goes back behind this moment. */
Frame *frame_new (Arena *a, const Plan *plan, const Trace *trace, const Choice *parent);

/* The frame still fits the trace. */
bool frame_fits (const Frame *f, const Trace *trace);

/* The choice at the start: initial writes first, program order between fence.sc of a thread,
 * and what the frame's parent had. */
const Choice *frame_root (const Frame *f);

/* Evaluates after the choices in `changed` (DEP_…), adding to `c` what the axioms force. False:
 * some axiom fails whatever is decided later.  With `exact`, the pairs of co that are not in
 * are out; in a complete frame with every read decided the answer is then final. */
bool frame_eval (Frame *f, Choice *c, unsigned changed, bool exact);

/* In a complete frame, after an evaluation that was final: evaluates the flags; then whether
 * one (of Plan.flags) is raised, with one or two events of an instance in `where`, whose number
 * is stored in `count`. */
bool frame_flag_possible (const Frame *f, unsigned flag);
void frame_eval_flags (Frame *f, Choice *c);
bool frame_flag (const Frame *f, unsigned flag, unsigned where[2], unsigned *count);

/* After an exact evaluation that failed: a pair that is still open in `c` and whose absence
 * from an axiom's `empty (… \ …)` made it fail, or any open pair; false when none is open. */
bool frame_blamed_pair (const Frame *f, const Choice *c, unsigned *from, unsigned *to);

/* Orients, in the order that `rank` gives the events, every open pair that some axiom wants in
 * one direction or the other.  False when that contradicts what is out. */
bool frame_orient (const Frame *f, Choice *c, const unsigned *rank);

#endif
