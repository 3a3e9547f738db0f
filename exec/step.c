/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/trace_impl.h"
#include "exec/value.h"

/* The execution of instructions.  Nothing here changes what was there before but the state of
 * the thread, which has been saved. */

static Val
operand (const Trace *t, const ThreadState *s, const Operand *o)
{
  switch (o->kind) {
  case OPERAND_NONE:
    return val_const (0);
  case OPERAND_REG:
    return s->regs[o->index];
  case OPERAND_IMM:
    return val_const (o->value);
  case OPERAND_ADDRESS:
    return val_const (t->program->mappings[o->index].base + o->value);
  }
  g_assert_not_reached ();
}

static void
set_register (Trace *t, unsigned thread, const Operand *dst, Type type, Val value)
{
  if (dst->kind != OPERAND_REG)
    return;
  unsigned bits = t->program->threads[thread].regs[dst->index].bits;
  if (bits < type.bits)
    value = trace_alu (t, ALU_MOV, type, bits, value, val_const (0));
  t->threads[thread]->regs[dst->index] = value;
}

static void
step_alu (Trace *t, unsigned thread, const Insn *insn)
{
  ThreadState *s = t->threads[thread];
  Val b = insn->op.alu == ALU_MOV ? val_const (0) : operand (t, s, &insn->b);
  Val value
      = trace_alu (t, insn->op.alu, insn->type, insn->type.bits, operand (t, s, &insn->a), b);
  set_register (t, thread, &insn->dst, insn->type, value);
  s->pc++;
}

static Val
access_address (Trace *t, const ThreadState *s, const Insn *insn)
{
  Val address = operand (t, s, &insn->addr);
  if (insn->addr.kind != OPERAND_REG || insn->offset == 0)
    return address;
  return trace_alu (t, ALU_ADD, (Type){ TY_U, 64, false }, 64, address,
                    val_const ((uint64_t) insn->offset));
}

/* What the write half of an atomic writes, and what that depends on. */
static void
fill_update (Trace *t, const ThreadState *s, const Insn *insn, Pending *p)
{
  Val a = operand (t, s, &insn->a);
  Val b = insn->op.atom == ATOM_CAS ? operand (t, s, &insn->b) : val_const (0);
  bool exch = insn->op.atom == ATOM_EXCH;
  p->compared = insn->op.atom == ATOM_CAS ? a : no_val;
  if (exch || insn->op.atom == ATOM_CAS)
    p->written
        = trace_alu (t, ALU_MOV, insn->type, insn->type.bits, exch ? a : b, val_const (0));
  else
    p->written = val_node (trace_add_node (t, (Node){ .kind = NODE_ATOM,
                                                      .op = (unsigned) insn->op.atom,
                                                      .type = insn->type,
                                                      .bits = insn->type.bits,
                                                      .a = val_node (p->read_node),
                                                      .b = a,
                                                      .c = b,
                                                      .event = NO_INDEX }));
  bool reads_feed
      = insn->op.atom == ATOM_CAS || (exch && fault_is (t->options, FAULT_EXCH_CARRIES_DATA));
  p->data = p->written;
  if (reads_feed)
    p->data = val_node (trace_add_node (t, (Node){ .kind = NODE_JOIN,
                                                   .a = val_node (p->read_node),
                                                   .b = p->written,
                                                   .c = p->compared,
                                                   .event = NO_INDEX }));
}

/* The nodes of an access, and its place in the list of those on their way. */
static void
issue_access (Trace *t, unsigned thread, const Insn *insn, Val address)
{
  ThreadState *s = t->threads[thread];
  Pending p = { .stage = PEND_ADDRESS,
                .thread = thread,
                .insn = s->pc,
                .iteration = s->runs[s->pc],
                .seq = s->seq,
                .control = s->control,
                .address = address,
                .read_node = NO_INDEX,
                .read_event = NO_INDEX,
                .written = no_val,
                .data = no_val,
                .compared = no_val };
  if (insn->kind != INSN_STORE)
    p.read_node = trace_add_node (t, (Node){ .kind = NODE_READ,
                                             .type = insn->type,
                                             .bits = insn->type.bits,
                                             .a = no_val,
                                             .b = no_val,
                                             .c = no_val,
                                             .event = NO_INDEX });
  if (insn->kind == INSN_STORE)
    p.written = p.data = trace_alu (t, ALU_MOV, insn->type, insn->type.bits,
                                    operand (t, s, &insn->a), val_const (0));
  else if (insn->kind != INSN_LOAD)
    fill_update (t, s, insn, &p);
  if (insn->kind == INSN_LOAD || insn->kind == INSN_ATOM)
    set_register (t, thread, &insn->dst, insn->type, val_node (p.read_node));
  MAKE_ROOM (t, pendings, pending_count, pending_room);
  t->pendings[t->pending_count++] = p;
}

static bool
step_access (Trace *t, unsigned thread, const Insn *insn)
{
  ThreadState *s = t->threads[thread];
  Val address = access_address (t, s, insn);
  bool known = val_known (t, address);
  if (known && trace_accessed_mapping (t, insn, val_get (t, address)) == NO_INDEX) {
    s->status = THREAD_FAULTED;
    return false;
  }
  if (!known && !s->trusting) {
    s->status = THREAD_DOUBTING;
    s->wait_a = s->wait_b = address;
    return false;
  }
  s->trusting = false;
  issue_access (t, thread, insn, address);
  s->seq += 2;
  s->pc++;
  trace_progress (t, t->pending_count - 1);
  return true;
}

static unsigned
add_other_event (Trace *t, unsigned thread, const Insn *insn, EventKind kind)
{
  ThreadState *s = t->threads[thread];
  Event e = { .kind = kind,
              .thread = (int) thread,
              .insn = (int) s->pc,
              .iteration = s->runs[s->pc],
              .sem = kind == EVENT_FENCE ? insn->sem : SEM_NONE,
              .scope = kind == EVENT_FENCE ? insn->scope : SCOPE_NONE,
              .mapping = NO_INDEX,
              .object = NO_INDEX };
  if (kind == EVENT_PROXY_FENCE)
    e.pfence = insn->op.pfence;
  if (kind == EVENT_BARRIER)
    e.barrier_mode = insn->barrier.mode;
  unsigned event = trace_add_event (t, (TraceEvent){ .event = e,
                                                     .seq = s->seq,
                                                     .value = no_val,
                                                     .address = no_val,
                                                     .data = no_val,
                                                     .compared = no_val,
                                                     .control = s->control,
                                                     .rmw_read = NO_INDEX });
  s->seq += 2;
  s->pc++;
  return event;
}

/* True when both are known; otherwise the thread waits for them. */
static bool
await (Trace *t, ThreadState *s, Val a, Val b)
{
  if (val_known (t, a) && val_known (t, b))
    return true;
  s->status = THREAD_BLOCKED;
  s->wait_a = a;
  s->wait_b = b;
  return false;
}

static bool
step_barrier (Trace *t, unsigned thread, const Insn *insn)
{
  ThreadState *s = t->threads[thread];
  const Barrier *b = &insn->barrier;
  Val id = operand (t, s, &b->id);
  Val count = operand (t, s, &b->count);
  if (!await (t, s, id, count))
    return false;
  unsigned event = add_other_event (t, thread, insn, EVENT_BARRIER);
  MAKE_ROOM (t, arrivals, arrival_count, arrival_room);
  BarrierKey key = { .place = &t->program->threads[thread].place,
                     .label = b->label,
                     .has_id = b->id.kind != OPERAND_NONE,
                     .id = truncate_bits (val_get (t, id), 32),
                     .has_count = b->count.kind != OPERAND_NONE,
                     .count = truncate_bits (val_get (t, count), 32) };
  t->arrivals[t->arrival_count] = (Arrival){ thread, event, key, b->mode, NO_INDEX, 0 };
  if (b->mode == BARRIER_SYNC || fault_is (t->options, FAULT_ARRIVE_WAITS)) {
    s->status = THREAD_WAITING;
    s->arrival = (int) t->arrival_count;
  }
  t->arrival_count++;
  return true;
}

/* Goes to `target`; a backward jump counts as an iteration of the loop that it heads. */
static void
jump (Trace *t, unsigned thread, unsigned target)
{
  ThreadState *s = t->threads[thread];
  unsigned bound = t->options->bound;
  if (fault_is (t->options, FAULT_LOOP_ONCE_LESS) && bound > 1)
    bound--;
  if (target <= s->pc) {
    if (s->jumps[target] + 1 >= bound) {
      s->status = THREAD_CUT;
      return;
    }
    s->jumps[target]++;
    for (unsigned head = target + 1; head <= s->pc; head++)
      s->jumps[head] = 0;
  }
  s->pc = target;
}

static bool
step_branch (Trace *t, unsigned thread, const Insn *insn)
{
  ThreadState *s = t->threads[thread];
  Val a = operand (t, s, &insn->a);
  Val b = operand (t, s, &insn->b);
  if (!await (t, s, a, b))
    return false;
  s->control = trace_depend (t, s->control, a, b);
  if (cmp_apply (insn->op.cmp, insn->type, val_get (t, a), val_get (t, b)))
    jump (t, thread, insn->target);
  else
    s->pc++;
  return true;
}

/* False: the instruction was not executed. */
static bool
step (Trace *t, unsigned thread, const Insn *insn)
{
  switch (insn->kind) {
  case INSN_ALU:
    step_alu (t, thread, insn);
    return true;
  case INSN_LOAD:
  case INSN_STORE:
  case INSN_ATOM:
  case INSN_RED:
    return step_access (t, thread, insn);
  case INSN_FENCE:
    add_other_event (t, thread, insn, EVENT_FENCE);
    return true;
  case INSN_PROXY_FENCE:
    add_other_event (t, thread, insn, EVENT_PROXY_FENCE);
    return true;
  case INSN_BARRIER:
    return step_barrier (t, thread, insn);
  case INSN_BRANCH:
    return step_branch (t, thread, insn);
  case INSN_GOTO:
    jump (t, thread, insn->target);
    return true;
  }
  g_assert_not_reached ();
}

/* The address of the access that was to miss every object is known. */
static void
confirm_astray (Trace *t, unsigned thread)
{
  ThreadState *s = t->threads[thread];
  const Insn *insn = &t->program->threads[thread].insns[s->pc];
  s->status = THREAD_FAULTED;
  if (trace_accessed_mapping (t, insn, val_get (t, s->wait_a)) != NO_INDEX)
    trace_contradict (t);
}

static void
run_thread (Trace *t, unsigned thread)
{
  const Thread *code = &t->program->threads[thread];
  ThreadState *s = t->threads[thread];
  if (s->status == THREAD_ASTRAY) {
    confirm_astray (t, thread);
    return;
  }
  s->status = THREAD_RUNNING;
  while (s->status == THREAD_RUNNING) {
    if (s->pc == code->insn_count) {
      s->status = THREAD_ENDED;
      return;
    }
    unsigned pc = s->pc;
    if (step (t, thread, &code->insns[pc]))
      s->runs[pc]++;
  }
}

static bool
can_run (const Trace *t, const ThreadState *s)
{
  switch (s->status) {
  case THREAD_RUNNING:
    return true;
  case THREAD_BLOCKED:
  case THREAD_DOUBTING:
  case THREAD_ASTRAY:
    return val_known (t, s->wait_a) && val_known (t, s->wait_b);
  case THREAD_WAITING:
    return t->arrivals[s->arrival].phase != NO_INDEX;
  case THREAD_ENDED:
  case THREAD_CUT:
  case THREAD_FAULTED:
    return false;
  }
  g_assert_not_reached ();
}

bool
trace_run_threads (Trace *t)
{
  bool any = false;
  for (unsigned i = 0; i < t->program->thread_count; i++)
    if (can_run (t, t->threads[i])) {
      trace_save_thread (t, i);
      run_thread (t, i);
      any = true;
    }
  return any;
}
