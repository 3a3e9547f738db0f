/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_TRACE_H
#define PTXMM_EXEC_TRACE_H

#include "exec/fault.h"
#include "exec/flow.h"
#include "model/execution.h"

/* The threads of a program, run on concrete values as far as these are known.  A read is an
 * event before its value is known; what is computed from it is known when it is.  An
 * instruction whose address is unknown is pending while its thread goes on; a branch or a
 * barrier number that is unknown blocks the thread, a barrier until its phase completes.
 * Everything that happens can be undone back to a mark. */

enum { NO_INDEX = -1 };

/* A value: a constant, or what a node has or will have.  Operands with nodes carry
 * dependencies, known or not. */
typedef struct Val {
  int node; /* NO_INDEX: a constant */
  uint64_t value;
} Val;

typedef enum NodeKind {
  NODE_READ, /* what an event reads */
  NODE_ALU,  /* op (a, b) */
  NODE_ATOM, /* op (a, b, c): a the old value */
  NODE_JOIN, /* nothing but the dependencies of a, b and c */
} NodeKind;

typedef struct Node {
  NodeKind kind;
  bool known;
  unsigned op; /* AluOp or AtomOp */
  Type type;
  unsigned bits; /* the value is truncated to this */
  Val a;
  Val b;
  Val c;
  int event; /* NODE_READ: NO_INDEX while the address is unknown */
  uint64_t value;
} Node;

/* An event in the order of its appearance: initial writes first, by object.  Event.value and
 * Event.phase are filled in when an Execution is made. */
typedef struct TraceEvent {
  Event event;
  unsigned seq; /* place in the program order of its thread */
  Val value;    /* read or written */
  Val address;  /* whose reads are its address dependencies */
  Val data;     /* a write: whose reads are its data dependencies */
  Val compared; /* the write of a cas: more data dependencies */
  int control;  /* a node: whose reads are its control dependencies, or NO_INDEX */
  int rmw_read; /* a write half: its read half */
  bool is_cas;  /* write half of a cas */
  /* Reads: */
  int source;         /* the write it reads from, or NO_INDEX */
  unsigned postponed; /* 0, or: it reads from an event of this number or a later one */
} TraceEvent;

typedef enum PendStage {
  PEND_ADDRESS, /* waits for its address */
  PEND_COMPARE, /* a cas whose read half exists: waits for the comparison */
  PEND_DONE,
} PendStage;

/* A memory access on its way to being events. */
typedef struct Pending {
  PendStage stage;
  unsigned thread;
  unsigned insn;
  unsigned iteration;
  unsigned seq;
  int control;
  Val address;
  int read_node;  /* NO_INDEX: a store */
  int read_event; /* once it exists */
  Val written;
  Val data;
  Val compared; /* cas: what the old value is compared with */
} Pending;

typedef enum ThreadStatus {
  THREAD_RUNNING,
  THREAD_BLOCKED,  /* at a branch or barrier with an unknown operand (`wait_a`, `wait_b`) */
  THREAD_DOUBTING, /* at an access with an unknown address: will it be one of an object? */
  THREAD_ASTRAY,   /* there, and it will not: to be confirmed when `wait_a` is known */
  THREAD_WAITING,  /* at a barrier, whose `arrival` has no phase yet; pc is behind it */
  THREAD_ENDED,
  THREAD_CUT,     /* more iterations than the bound allows */
  THREAD_FAULTED, /* an access that covers no object */
} ThreadStatus;

typedef struct ThreadState {
  ThreadStatus status;
  unsigned pc;
  unsigned seq;
  int control;
  int arrival;
  bool trusting; /* the access to be executed next will have the address of an object */
  Val wait_a;
  Val wait_b;
  Val *regs;
  unsigned *jumps; /* per instruction, as a loop head: backward jumps to it */
  unsigned *runs;  /* per instruction: executions */
} ThreadState;

/* What two barrier operations must agree on to meet. */
typedef struct BarrierKey {
  const Placement *place; /* of one CTA */
  uint64_t label;
  bool has_id;
  uint64_t id;
  bool has_count;
  uint64_t count;
} BarrierKey;

typedef struct Arrival {
  unsigned thread;
  unsigned event;
  BarrierKey key;
  BarrierMode mode;
  int phase;          /* NO_INDEX: none yet */
  unsigned postponed; /* 0, or: its phase has an arrival of this number or a later one */
} Arrival;

typedef struct TraceMark {
  unsigned nodes, open, events, pendings, arrivals, phases, undos, saved;
} TraceMark;

typedef struct Undo Undo;

typedef struct Trace {
  const Program *program;
  const RunOptions *options;
  Flow *flows;
  ThreadState **threads;
  size_t *thread_sizes; /* bytes of a ThreadState with its arrays */
  Node *nodes;
  unsigned node_count, node_room;
  unsigned *open; /* nodes that were unknown when made */
  unsigned open_count, open_room;
  TraceEvent *events;
  unsigned event_count, event_room;
  Pending *pendings;
  unsigned pending_count, pending_room;
  Arrival *arrivals;
  unsigned arrival_count, arrival_room;
  unsigned phase_count;
  Undo *undos;
  unsigned undo_count, undo_room;
  bool contradiction; /* an address is not what was decided about it */
  char *saved;        /* copies of thread states */
  unsigned saved_count, saved_room;
} Trace;

/* The initial writes exist, no thread has run.  Static parts live in `a`; trace_clear frees the
 * rest. */
void trace_init (Trace *t, Arena *a, const Program *program, const RunOptions *options);
void trace_clear (Trace *t);
size_t trace_bytes (const Trace *t);

TraceMark trace_mark (const Trace *t);
void trace_undo (Trace *t, TraceMark mark);

/* Runs everything that can run; completes the phases of barriers without counts. */
void trace_advance (Trace *t);

/* Decisions; trace_advance makes their consequences.  `read` must have no source. */
void trace_read_from (Trace *t, unsigned read, unsigned write);
void trace_postpone (Trace *t, unsigned read);
void trace_assume (Trace *t, unsigned read, uint64_t value); /* a value from nowhere */
void trace_trust (Trace *t, unsigned thread, bool trusting); /* of a thread in doubt */

bool val_known (const Trace *t, Val v);
uint64_t val_get (const Trace *t, Val v); /* must be known */

/* True while values still to be decided can make events appear. */
bool trace_may_grow (const Trace *t);

/* Objects (as in Flow) that events still to come may write. */
uint64_t trace_future_writes (const Trace *t);

/* The first thread with this status, or NO_INDEX. */
int trace_find (const Trace *t, ThreadStatus status);

/* Of barrier.c: marks arrivals as one phase; called with their numbers. */
void trace_join (Trace *t, const unsigned *arrivals, unsigned count);
void trace_postpone_arrival (Trace *t, unsigned arrival);

#endif
