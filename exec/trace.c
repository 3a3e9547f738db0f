/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/barrier.h"
#include "exec/trace_impl.h"
#include "exec/value.h"

typedef enum UndoKind {
  UNDO_KNOWN,
  UNDO_NODE_EVENT,
  UNDO_SOURCE,
  UNDO_POSTPONED,
  UNDO_STAGE,
  UNDO_READ_EVENT,
  UNDO_PHASE,
  UNDO_ARRIVAL_POSTPONED,
  UNDO_CONTRADICTION,
  UNDO_THREAD,
} UndoKind;

struct Undo {
  UndoKind kind;
  unsigned index;
  int old;
};

bool
val_known (const Trace *t, Val v)
{
  return v.node == NO_INDEX || t->nodes[v.node].known;
}

uint64_t
val_get (const Trace *t, Val v)
{
  return v.node == NO_INDEX ? v.value : t->nodes[v.node].value;
}

/* ---- Undoing ------------------------------------------------------------------------------
 */

static void
log_undo (Trace *t, UndoKind kind, unsigned index, int old)
{
  MAKE_ROOM (t, undos, undo_count, undo_room);
  t->undos[t->undo_count++] = (Undo){ kind, index, old };
}

void
trace_save_thread (Trace *t, unsigned thread)
{
  unsigned size = (unsigned) t->thread_sizes[thread];
  if (t->saved_count + size > t->saved_room) {
    t->saved_room = 2 * (t->saved_count + size);
    t->saved = g_realloc (t->saved, t->saved_room);
  }
  memcpy (t->saved + t->saved_count, t->threads[thread], size);
  t->saved_count += size;
  log_undo (t, UNDO_THREAD, thread, 0);
}

static void
restore_thread (Trace *t, unsigned thread)
{
  unsigned size = (unsigned) t->thread_sizes[thread];
  t->saved_count -= size;
  memcpy (t->threads[thread], t->saved + t->saved_count, size);
}

static void
undo_one (Trace *t, const Undo *u)
{
  switch (u->kind) {
  case UNDO_KNOWN:
    t->nodes[u->index].known = false;
    return;
  case UNDO_NODE_EVENT:
    t->nodes[u->index].event = u->old;
    return;
  case UNDO_SOURCE:
    t->events[u->index].source = u->old;
    return;
  case UNDO_POSTPONED:
    t->events[u->index].postponed = (unsigned) u->old;
    return;
  case UNDO_STAGE:
    t->pendings[u->index].stage = (PendStage) u->old;
    return;
  case UNDO_READ_EVENT:
    t->pendings[u->index].read_event = u->old;
    return;
  case UNDO_PHASE:
    t->arrivals[u->index].phase = u->old;
    return;
  case UNDO_ARRIVAL_POSTPONED:
    t->arrivals[u->index].postponed = (unsigned) u->old;
    return;
  case UNDO_CONTRADICTION:
    t->contradiction = false;
    return;
  case UNDO_THREAD:
    restore_thread (t, u->index);
    return;
  }
  g_assert_not_reached ();
}

TraceMark
trace_mark (const Trace *t)
{
  return (TraceMark){ t->node_count,    t->open_count,  t->event_count, t->pending_count,
                      t->arrival_count, t->phase_count, t->undo_count,  t->saved_count };
}

void
trace_undo (Trace *t, TraceMark mark)
{
  while (t->undo_count > mark.undos)
    undo_one (t, &t->undos[--t->undo_count]);
  t->node_count = mark.nodes;
  t->open_count = mark.open;
  t->event_count = mark.events;
  t->pending_count = mark.pendings;
  t->arrival_count = mark.arrivals;
  t->phase_count = mark.phases;
}

/* ---- Nodes --------------------------------------------------------------------------------
 */

/* The value of a node whose operands are known; false when they are not. */
static bool
evaluate (const Trace *t, const Node *node, uint64_t *value)
{
  switch (node->kind) {
  case NODE_READ: {
    int source = node->event == NO_INDEX ? NO_INDEX : t->events[node->event].source;
    if (source == NO_INDEX || !val_known (t, t->events[source].value))
      return false;
    *value = val_get (t, t->events[source].value);
    break;
  }
  case NODE_ALU:
    if (!val_known (t, node->a) || !val_known (t, node->b))
      return false;
    *value
        = alu_apply ((AluOp) node->op, node->type, val_get (t, node->a), val_get (t, node->b));
    break;
  case NODE_ATOM:
    if (!val_known (t, node->a) || !val_known (t, node->b) || !val_known (t, node->c))
      return false;
    *value = atom_apply ((AtomOp) node->op, node->type, val_get (t, node->a),
                         val_get (t, node->b), val_get (t, node->c), t->options);
    break;
  case NODE_JOIN:
    return false;
  }
  *value = truncate_bits (*value, node->bits);
  return true;
}

int
trace_add_node (Trace *t, Node node)
{
  MAKE_ROOM (t, nodes, node_count, node_room);
  MAKE_ROOM (t, open, open_count, open_room);
  node.known = evaluate (t, &node, &node.value);
  if (!node.known && node.kind != NODE_JOIN)
    t->open[t->open_count++] = t->node_count;
  t->nodes[t->node_count] = node;
  return (int) t->node_count++;
}

Val
trace_alu (Trace *t, AluOp op, Type type, unsigned bits, Val a, Val b)
{
  if (a.node == NO_INDEX && b.node == NO_INDEX && op != ALU_DIV)
    return val_const (truncate_bits (alu_apply (op, type, a.value, b.value), bits));
  return val_node (trace_add_node (t, (Node){ .kind = NODE_ALU,
                                              .op = (unsigned) op,
                                              .type = type,
                                              .bits = MIN (bits, type.bits),
                                              .a = a,
                                              .b = b,
                                              .c = no_val,
                                              .event = NO_INDEX }));
}

int
trace_depend (Trace *t, int control, Val a, Val b)
{
  if (a.node == NO_INDEX && b.node == NO_INDEX)
    return control;
  return trace_add_node (
      t,
      (Node){ .kind = NODE_JOIN, .a = val_node (control), .b = a, .c = b, .event = NO_INDEX });
}

/* Gives every node its value whose operands have become known. */
static bool
propagate (Trace *t)
{
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < t->open_count; i++) {
      Node *node = &t->nodes[t->open[i]];
      if (node->known || !evaluate (t, node, &node->value))
        continue;
      node->known = changed = any = true;
      log_undo (t, UNDO_KNOWN, t->open[i], 0);
    }
  }
  return any;
}

/* ---- Events -------------------------------------------------------------------------------
 */

unsigned
trace_add_event (Trace *t, TraceEvent event)
{
  MAKE_ROOM (t, events, event_count, event_room);
  event.event.phase = NO_INDEX;
  event.source = NO_INDEX;
  event.postponed = 0;
  t->events[t->event_count] = event;
  return t->event_count++;
}

static void
add_initial_write (Trace *t, unsigned object)
{
  const Program *p = t->program;
  const MemObject *o = &p->objects[object];
  uint64_t value = o->init;
  if (o->init_is_address)
    value += p->mappings[o->init_mapping].base;
  Event e = { .kind = EVENT_WRITE,
              .thread = NO_INDEX,
              .insn = NO_INDEX,
              .sem = SEM_WEAK,
              .is_init = true,
              .mapping = NO_INDEX,
              .object = (int) object,
              .size = o->size };
  trace_add_event (t, (TraceEvent){ .event = e,
                                    .value = val_const (truncate_bits (value, 8 * o->size)),
                                    .address = no_val,
                                    .data = no_val,
                                    .compared = no_val,
                                    .control = NO_INDEX,
                                    .rmw_read = NO_INDEX });
}

static Sem
read_sem (const Insn *insn, const RunOptions *options)
{
  if (insn->kind == INSN_LOAD)
    return insn->sem;
  if (insn->kind == INSN_RED && fault_is (options, FAULT_RED_ACQUIRES))
    return SEM_ACQUIRE;
  return insn->sem == SEM_ACQUIRE || insn->sem == SEM_ACQ_REL ? SEM_ACQUIRE : SEM_RELAXED;
}

static Sem
write_sem (const Insn *insn, const RunOptions *options)
{
  if (insn->kind == INSN_STORE)
    return insn->sem;
  if (fault_is (options, FAULT_RELEASE_IS_RELAXED))
    return SEM_RELAXED;
  return insn->sem == SEM_RELEASE || insn->sem == SEM_ACQ_REL ? SEM_RELEASE : SEM_RELAXED;
}

/* One half of an access whose address lies in `mapping`. */
static TraceEvent
access_event (const Trace *t, const Pending *p, bool is_write, unsigned mapping)
{
  const Insn *insn = &t->program->threads[p->thread].insns[p->insn];
  Event e = { .kind = is_write ? EVENT_WRITE : EVENT_READ,
              .thread = (int) p->thread,
              .insn = (int) p->insn,
              .iteration = p->iteration,
              .sem = is_write ? write_sem (insn, t->options) : read_sem (insn, t->options),
              .scope = insn->scope,
              .proxy = insn->proxy,
              .is_atom = insn->kind == INSN_ATOM,
              .is_red = insn->kind == INSN_RED,
              .is_volatile = insn->is_volatile,
              .is_mmio = insn->is_mmio,
              .mapping = (int) mapping,
              .object = (int) t->program->mappings[mapping].object,
              .size = insn->type.bits / 8 };
  return (TraceEvent){ .event = e,
                       .seq = p->seq + is_write,
                       .value = is_write ? p->written : val_node (p->read_node),
                       .address = p->address,
                       .data = is_write ? p->data : no_val,
                       .compared = is_write ? p->compared : no_val,
                       .control = p->control,
                       .rmw_read = is_write ? p->read_event : NO_INDEX,
                       .is_cas
                       = is_write && insn->kind == INSN_ATOM && insn->op.atom == ATOM_CAS };
}

static void
set_stage (Trace *t, unsigned pending, PendStage stage)
{
  log_undo (t, UNDO_STAGE, pending, (int) t->pendings[pending].stage);
  t->pendings[pending].stage = stage;
}

void
trace_contradict (Trace *t)
{
  if (t->contradiction)
    return;
  log_undo (t, UNDO_CONTRADICTION, 0, 0);
  t->contradiction = true;
}

int
trace_accessed_mapping (const Trace *t, const Insn *insn, uint64_t address)
{
  uint64_t offset = 0;
  int mapping = program_find_mapping (t->program, address, &offset);
  if (mapping < 0 || offset != 0)
    return NO_INDEX;
  unsigned size = t->program->objects[t->program->mappings[mapping].object].size;
  return size * 8 == insn->type.bits ? mapping : NO_INDEX;
}

static void
place_read (Trace *t, unsigned pending, unsigned mapping)
{
  Pending *p = &t->pendings[pending];
  unsigned event = trace_add_event (t, access_event (t, p, false, mapping));
  log_undo (t, UNDO_NODE_EVENT, (unsigned) p->read_node, NO_INDEX);
  t->nodes[p->read_node].event = (int) event;
  log_undo (t, UNDO_READ_EVENT, pending, NO_INDEX);
  p->read_event = (int) event;
}

/* The address is known: the events appear, but for the write of a cas. */
static void
place_access (Trace *t, unsigned pending)
{
  Pending *p = &t->pendings[pending];
  const Insn *insn = &t->program->threads[p->thread].insns[p->insn];
  int mapping = trace_accessed_mapping (t, insn, val_get (t, p->address));
  if (mapping == NO_INDEX) { /* it was decided otherwise */
    set_stage (t, pending, PEND_DONE);
    trace_contradict (t);
    return;
  }
  if (p->read_node != NO_INDEX)
    place_read (t, pending, (unsigned) mapping);
  bool is_cas = insn->kind == INSN_ATOM && insn->op.atom == ATOM_CAS;
  if (insn->kind != INSN_LOAD && !is_cas)
    trace_add_event (t, access_event (t, p, true, (unsigned) mapping));
  set_stage (t, pending, is_cas ? PEND_COMPARE : PEND_DONE);
}

/* Both sides of the comparison are known: a cas that fails has no write (P1). */
static void
decide_cas (Trace *t, unsigned pending)
{
  Pending *p = &t->pendings[pending];
  const TraceEvent *read = &t->events[p->read_event];
  unsigned bits = 8 * read->event.size;
  uint64_t old = val_get (t, read->value);
  bool equal = old == truncate_bits (val_get (t, p->compared), bits);
  TraceEvent write = access_event (t, p, true, (unsigned) read->event.mapping);
  if (!equal && fault_is (t->options, FAULT_CAS_ALWAYS_WRITES)) {
    write.value = val_node (p->read_node);
    equal = true;
  }
  if (equal)
    trace_add_event (t, write);
  set_stage (t, pending, PEND_DONE);
}

bool
trace_progress (Trace *t, unsigned pending)
{
  const Pending *p = &t->pendings[pending];
  switch (p->stage) {
  case PEND_ADDRESS:
    if (!val_known (t, p->address))
      return false;
    place_access (t, pending);
    return true;
  case PEND_COMPARE:
    if (!t->nodes[p->read_node].known || !val_known (t, p->compared))
      return false;
    decide_cas (t, pending);
    return true;
  case PEND_DONE:
    return false;
  }
  g_assert_not_reached ();
}

static bool
progress_pendings (Trace *t)
{
  bool any = false;
  for (unsigned i = 0; i < t->pending_count; i++)
    any = trace_progress (t, i) || any;
  return any;
}

void
trace_advance (Trace *t)
{
  for (bool changed = true; changed;) {
    changed = propagate (t);
    changed = progress_pendings (t) || changed;
    changed = trace_run_threads (t) || changed;
    if (!changed)
      changed = barrier_complete (t);
  }
}

/* ---- Decisions and questions --------------------------------------------------------------
 */

void
trace_read_from (Trace *t, unsigned read, unsigned write)
{
  log_undo (t, UNDO_SOURCE, read, t->events[read].source);
  t->events[read].source = (int) write;
}

void
trace_postpone (Trace *t, unsigned read)
{
  log_undo (t, UNDO_POSTPONED, read, (int) t->events[read].postponed);
  t->events[read].postponed = t->event_count;
}

void
trace_assume (Trace *t, unsigned read, uint64_t value)
{
  unsigned index = (unsigned) t->events[read].value.node;
  log_undo (t, UNDO_KNOWN, index, 0);
  t->nodes[index].known = true;
  t->nodes[index].value = truncate_bits (value, t->nodes[index].bits);
}

void
trace_trust (Trace *t, unsigned thread, bool trusting)
{
  trace_save_thread (t, thread);
  t->threads[thread]->trusting = trusting;
  t->threads[thread]->status = trusting ? THREAD_RUNNING : THREAD_ASTRAY;
}

void
trace_join (Trace *t, const unsigned *arrivals, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    log_undo (t, UNDO_PHASE, arrivals[i], NO_INDEX);
    t->arrivals[arrivals[i]].phase = (int) t->phase_count;
  }
  t->phase_count++;
}

void
trace_postpone_arrival (Trace *t, unsigned arrival)
{
  log_undo (t, UNDO_ARRIVAL_POSTPONED, arrival, (int) t->arrivals[arrival].postponed);
  t->arrivals[arrival].postponed = t->arrival_count;
}

int
trace_find (const Trace *t, ThreadStatus status)
{
  for (unsigned i = 0; i < t->program->thread_count; i++)
    if (t->threads[i]->status == status)
      return (int) i;
  return NO_INDEX;
}

/* The thread waits for a value. */
static bool
is_held_up (const ThreadState *s)
{
  return s->status == THREAD_BLOCKED || s->status == THREAD_DOUBTING
         || s->status == THREAD_ASTRAY;
}

bool
trace_may_grow (const Trace *t)
{
  for (unsigned i = 0; i < t->pending_count; i++)
    if (t->pendings[i].stage != PEND_DONE)
      return true;
  for (unsigned i = 0; i < t->program->thread_count; i++)
    if (is_held_up (t->threads[i]))
      return true;
  return barrier_next_choice (t) != NO_INDEX;
}

static uint64_t
pending_write (const Trace *t, const Pending *p)
{
  const Insn *insn = &t->program->threads[p->thread].insns[p->insn];
  if (p->stage == PEND_DONE || insn->kind == INSN_LOAD)
    return 0;
  if (p->stage == PEND_ADDRESS)
    return UINT64_MAX;
  return object_bit ((unsigned) t->events[p->read_event].event.object);
}

uint64_t
trace_future_writes (const Trace *t)
{
  if (!trace_may_grow (t))
    return 0;
  uint64_t objects = 0;
  for (unsigned i = 0; i < t->pending_count; i++)
    objects |= pending_write (t, &t->pendings[i]);
  for (unsigned i = 0; i < t->program->thread_count; i++) {
    const ThreadState *s = t->threads[i];
    if (s->status == THREAD_BLOCKED || s->status == THREAD_DOUBTING
        || s->status == THREAD_WAITING)
      objects |= t->flows[i].writes[s->pc];
  }
  return objects;
}

/* ---- Making and freeing -------------------------------------------------------------------
 */

static Val
initial_register (const Program *p, const Reg *reg)
{
  uint64_t value = reg->init;
  if (reg->holds_address)
    value += p->mappings[reg->init_mapping].base;
  return val_const (truncate_bits (value, reg->bits));
}

/* One block holds the state and its arrays, so that it is saved and restored as a whole. */
static void
init_thread (Trace *t, Arena *a, unsigned thread)
{
  const Thread *code = &t->program->threads[thread];
  size_t regs = sizeof (Val) * code->reg_count;
  size_t points = sizeof (unsigned) * (code->insn_count + 1);
  size_t size = sizeof (ThreadState) + regs + 2 * points;
  char *block = arena_alloc (a, size);
  ThreadState *s = (ThreadState *) (void *) block;
  s->status = THREAD_RUNNING;
  s->control = NO_INDEX;
  s->arrival = NO_INDEX;
  s->regs = (Val *) (void *) (block + sizeof (ThreadState));
  s->jumps = (unsigned *) (void *) (block + sizeof (ThreadState) + regs);
  s->runs = s->jumps + code->insn_count + 1;
  for (unsigned i = 0; i < code->reg_count; i++)
    s->regs[i] = initial_register (t->program, &code->regs[i]);
  t->threads[thread] = s;
  t->thread_sizes[thread] = size;
}

void
trace_init (Trace *t, Arena *a, const Program *program, const RunOptions *options)
{
  *t = (Trace){ .program = program, .options = options };
  t->flows = arena_array (a, Flow, program->thread_count);
  t->threads = arena_array (a, ThreadState *, program->thread_count);
  t->thread_sizes = arena_array (a, size_t, program->thread_count);
  for (unsigned i = 0; i < program->thread_count; i++) {
    t->flows[i] = flow_of (a, program, i);
    init_thread (t, a, i);
  }
  for (unsigned i = 0; i < program->object_count; i++)
    add_initial_write (t, i);
}

void
trace_clear (Trace *t)
{
  g_free (t->nodes);
  g_free (t->open);
  g_free (t->events);
  g_free (t->pendings);
  g_free (t->arrivals);
  g_free (t->undos);
  g_free (t->saved);
}

size_t
trace_bytes (const Trace *t)
{
  return sizeof (Node) * t->node_room + sizeof (unsigned) * t->open_room
         + sizeof (TraceEvent) * t->event_room + sizeof (Pending) * t->pending_room
         + sizeof (Arrival) * t->arrival_room + sizeof (Undo) * t->undo_room + t->saved_room;
}
