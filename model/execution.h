/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_EXECUTION_H
#define PTXMM_MODEL_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/program.h"

/* One candidate execution, complete and concrete: what either engine hands over as a witness
 * and what the axiom evaluator of exec/ and the reports read.  Holds the choices, not what
 * follows from them: derived base relations (po, loc, sr, fr …) come from the events. */

typedef enum EventKind {
  EVENT_READ,
  EVENT_WRITE,
  EVENT_FENCE,
  EVENT_PROXY_FENCE,
  EVENT_BARRIER,
} EventKind;

typedef struct Event {
  EventKind kind;
  int thread;         /* index into Program.threads; -1: initial write */
  int insn;           /* index into the thread's instructions; -1: initial write */
  unsigned iteration; /* how often this instruction was executed before by the thread */
  Sem sem;            /* of this half: a read is WEAK, RELAXED or ACQUIRE, a write WEAK,
                       * RELAXED or RELEASE, a fence ACQUIRE, RELEASE, ACQ_REL or SC */
  Scope scope;
  Proxy proxy; /* of memory operations; of initial writes irrelevant (all) */
  bool is_init;
  bool is_atom;
  bool is_red;
  bool is_volatile;
  bool is_mmio;
  /* Memory operations: the bytes [offset, offset + size) of `object`, through `mapping`
   * (initial writes: -1, all mappings of the object), and the value read or written. */
  int mapping;
  int object;
  unsigned offset;
  unsigned size;
  uint64_t value;
  /* EVENT_PROXY_FENCE */
  ProxyFence pfence;
  /* EVENT_BARRIER: mode, and which completed phase of which barrier it belongs to: operations
   * with equal `phase` arrived together; -1: it waits forever, or its arrival completed
   * nothing. */
  BarrierMode barrier_mode;
  int phase;
} Event;

typedef struct Pair {
  unsigned from;
  unsigned to;
} Pair;

typedef struct Pairs {
  const Pair *pairs; /* sorted by from, then to; without repetitions */
  unsigned count;
} Pairs;

/* Events are sorted: initial writes by object, then thread by thread in program order (the read
 * half of an atomic directly before its write half).  Pair members index `events`. */
typedef struct Execution {
  const Program *program;
  Event *events;
  unsigned event_count;
  Pairs rmw;
  Pairs addr;
  Pairs data;
  Pairs ctrl;
  Pairs rf;
  Pairs co;         /* transitively closed */
  Pairs sync_fence; /* every pair that the order decides */
  bool *stuck;      /* per thread: it waits forever at its last event */
  uint64_t *state;  /* Program.observed_count final values */
} Execution;

/* Pairs from an unsorted array of `count` (which is copied into `a`, sorted, duplicates
 * dropped). */
Pairs pairs_from (Arena *a, const Pair *pairs, unsigned count);

#endif
