/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_UNROLL_H
#define PTXMM_SOLVER_UNROLL_H

#include "model/execution.h"
#include "model/run.h"
#include "solver/bits.h"

/* The program with its loops unrolled and its values symbolic: every event that some execution
 * within the bound can have, with the condition under which it happens. */

typedef struct SymEvent {
  Event shape;   /* kind, thread, insn, iteration, sem, scope, proxy …; mapping and
                  * object are -1 where they depend on a register */
  Lit guard;     /* it happens */
  unsigned node; /* of its thread's unrolled control flow */
  Bits value;    /* read or written */
  Lit *at;       /* address from a register: per mapping, that it is there */
  bool has_id;   /* barriers */
  bool has_count;
  uint64_t label;
  Bits id;
  Bits count;
  Lit passed; /* a sync: its phase completes; constrained by barrier.c */
} SymEvent;

/* A dependency, present when `lit` holds (which implies that both events happen). */
typedef struct SymDep {
  unsigned from;
  unsigned to;
  Lit lit;
} SymDep;

/* One node of a thread's unrolled control flow: an instruction in one iteration. */
typedef struct FlowNode {
  unsigned insn;
  unsigned iteration;
  int next;  /* node, FLOW_END or FLOW_CUT */
  int taken; /* of a branch; FLOW_NONE for other instructions */
} FlowNode;

enum { FLOW_NONE = -1, FLOW_END = -2, FLOW_CUT = -3 };

typedef struct Flow {
  FlowNode *nodes; /* predecessors first; node 0 is the entry when there is one */
  unsigned count;
  unsigned words;
  uint64_t *reach; /* count rows of `words`: nodes reachable from a node, itself only
                    * through a path (never: the graph has no cycles) */
  Lit *cut_at;     /* per node: this node's jump was cut */
} Flow;

typedef struct Unrolled {
  const Program *program;
  SymEvent *events; /* initial writes by object, then threads in order, a thread's
                     * events predecessors first */
  unsigned event_count;
  Flow *flows; /* per thread */
  SymDep *addr, *data, *ctrl;
  unsigned addr_count, data_count, ctrl_count;
  Pair *rmw; /* read half, write half; the pair happens when the write does */
  unsigned rmw_count;
  Bits **final_regs; /* per thread and register; meaningful in executions that give an
                      * outcome */
  Lit any_cut;       /* some thread is cut by the bound */
  Lit any_stuck;     /* some thread waits forever */
  Lit stuck_open;    /* … and could still write memory or an observed register */
  Lit out_of_bounds; /* some access misses every object of its size */
  Lit unspecified;   /* some division by zero */
  bool too_large;    /* the unrolled program exceeds a sane size; nothing else is set */
} Unrolled;

/* May e1 come before e2 in program order?  (Both of one thread.) */
bool unrolled_may_precede (const Unrolled *u, unsigned e1, unsigned e2);

/* `insns`: one flag per instruction of the thread (count + 0): reachable from just after `insn`
 * in the static control flow; `from_target`: from the branch target of `insn` instead. */
void static_reach (const Thread *t, unsigned insn, bool from_target, bool *insns);

Unrolled *unroll (Arena *a, Cnf *f, const Program *p, const RunOptions *options);

#endif
