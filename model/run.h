/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_RUN_H
#define PTXMM_MODEL_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/budget.h"
#include "litmus/program.h"
#include "model/cat.h"
#include "model/execution.h"

/* What is asked of an engine, and what it answers.  Both engines have this one interface. */

typedef struct RunOptions {
  unsigned bound;    /* a loop body is executed at most this often; see below */
  bool verdict_only; /* stop as soon as `reachable` (and for forall its negation) is
                      * known; outcomes, flags and counts may then be partial */
  unsigned fault;    /* 0; tests of the comparison pass the number of a seeded fault */
} RunOptions;

/* One final state.  States are distinct and sorted (lexicographically by `values`, unsigned).
 */
typedef struct Outcome {
  uint64_t *values;         /* Program.observed_count */
  bool satisfies;           /* the bare condition */
  int64_t executions;       /* that end in it, as the report contract counts; -1: not counted */
  const Execution *witness; /* one of them, or NULL */
} Outcome;

/* A mark on the test: some allowed execution has it. */
typedef struct RunFlag {
  const char *kind;    /* "data-race", "barrier-stuck", "barrier-misuse",
                        * "unspecified-value", "out-of-bounds", "misaligned", … */
  const Event *events; /* where: copies of the events involved */
  unsigned event_count;
} RunFlag;

typedef struct EngineResult {
  Outcome *outcomes;
  unsigned outcome_count;
  bool reachable;        /* some outcome satisfies the condition */
  bool refutable;        /* some outcome does not */
  bool complete;         /* every allowed execution within the bound was considered (in
                          * verdict-only mode: as far as the verdict needs) */
  StopReason stopped;    /* why not, when it was time or memory */
  bool bound_reached;    /* executions were dropped that need more iterations */
  const char *undecided; /* another reason why nothing can be said, or NULL */
  RunFlag *flags;        /* one per kind, sorted by kind */
  unsigned flag_count;
  const char **forbidden_by; /* solver, when not reachable: axioms that suffice for that, in the
                              * order of the model; exec: NULL */
  unsigned forbidden_by_count;
  /* exec: candidates looked at and found consistent; solver: size of the encoding. */
  int64_t candidates;
  int64_t consistent;
  int64_t variables;
  int64_t clauses;
  int64_t checks;    /* questions put to the solver */
  size_t peak_bytes; /* held by the engine at most, as far as it knows */
} EngineResult;

/* Rules that both engines follow, so that their answers can be compared:
 *
 * Values.    Registers and memory hold unsigned integers of their widths.  Operations work at
 *            insn->type.bits and zero-extend into the register.
 * Bound.     The target of a branch to an instruction at or before itself is a loop head.  A
 * thread may jump backwards to one head at most bound - 1 times, so that the loop's body runs
 *            at most `bound` times; jumping backwards from instruction b to head h starts the
 *            counts of the heads in (h, b] anew (inner loops).  A thread that would jump once
 * more is *cut* there: it does nothing further, as if it had not ended.  An execution with a
 *            cut thread gives no outcome; bound_reached is set when some such execution
 * satisfies all axioms. Barriers.  P19 in the model's documentation.  Without a count a phase
 * completes when every thread of the CTA has arrived that has not ended and whose remaining
 * code (static control flow) still contains a barrier operation that could meet it (equal
 * label, id equal or not constant).  With a count N it completes with N arrivals; which of the
 *            arrivals is a choice.  Arrivals of one thread join in program order.
 * Stuck.     An execution in which a thread waits forever is a candidate like any other, except
 *            that it gives an outcome only when no instruction after the waiting points of its
 *            stuck threads (static control flow) writes memory or a register that is observed.
 *            The flag "barrier-stuck" is raised either way if the execution is consistent.
 * Final      The final value of an object is that of a co-maximal write, chosen independently
 * for values.    each observed object; its names agree. Filter.    Executions whose state fails
 * Program.filter do not count at all. Flags.     Checks of the model with is_flag, on the
 * events and the least coherence order, of every allowed execution that is not cut: also of
 * those that give no outcome because a thread waits forever.  A filter counts where there is a
 * state to put before it. Bounds of  An access that is not exactly one whole object does not
 * happen; its thread does objects.   nothing further, the execution gives no outcome, and
 * "out-of-bounds" is raised.
 */

#endif
