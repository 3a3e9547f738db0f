/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/unroll.h"

#include <string.h>

#include "solver/fault.h"

enum { MOST_NODES = 20000, MOST_EVENTS = 4000 };

/* ---- Control flow -------------------------------------------------------------------------
 */

static bool
is_branch (const Insn *i)
{
  return i->kind == INSN_BRANCH || i->kind == INSN_GOTO;
}

static bool
is_backward (const Thread *t, unsigned pc)
{
  return is_branch (&t->insns[pc]) && t->insns[pc].target <= pc;
}

void
static_reach (const Thread *t, unsigned insn, bool from_target, bool *insns)
{
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (unsigned));
  memset (insns, 0, sizeof *insns * t->insn_count);
  unsigned first = from_target ? t->insns[insn].target : insn + 1;
  g_array_append_val (todo, first);
  while (todo->len > 0) {
    unsigned pc = g_array_index (todo, unsigned, todo->len - 1);
    g_array_set_size (todo, todo->len - 1);
    if (pc >= t->insn_count || insns[pc])
      continue;
    insns[pc] = true;
    const Insn *i = &t->insns[pc];
    unsigned next = pc + 1;
    if (i->kind != INSN_GOTO)
      g_array_append_val (todo, next);
    if (is_branch (i))
      g_array_append_val (todo, i->target);
  }
}

/* Nodes are (instruction, how often each loop head was jumped back to). */
typedef struct FlowBuilder {
  const Thread *thread;
  unsigned bound;
  int *head_of; /* per instruction: number of the loop head, or -1 */
  unsigned head_count;
  GHashTable *index; /* GBytes → node number + 1 */
  GArray *nodes;     /* FlowNode, successors as node numbers */
  GPtrArray *keys;   /* GBytes by node */
  bool too_large;
} FlowBuilder;

static int
flow_node (FlowBuilder *b, unsigned pc, const uint8_t *counts)
{
  if (pc >= b->thread->insn_count)
    return FLOW_END;
  g_autofree uint8_t *key = g_malloc (sizeof pc + b->head_count);
  memcpy (key, &pc, sizeof pc);
  if (b->head_count > 0)
    memcpy (key + sizeof pc, counts, b->head_count);
  GBytes *bytes = g_bytes_new (key, sizeof pc + b->head_count);
  gpointer found = g_hash_table_lookup (b->index, bytes);
  if (found != NULL) {
    g_bytes_unref (bytes);
    return GPOINTER_TO_INT (found) - 1;
  }
  FlowNode node = { .insn = pc, .next = FLOW_NONE, .taken = FLOW_NONE };
  g_array_append_val (b->nodes, node);
  g_ptr_array_add (b->keys, bytes);
  g_hash_table_insert (b->index, bytes, GINT_TO_POINTER ((int) b->nodes->len));
  b->too_large |= b->nodes->len > MOST_NODES;
  return (int) b->nodes->len - 1;
}

/* The node after a jump from `pc` to its target: jumping back counts, and starts inner loops
 * anew (model/run.h, Bound). */
static int
flow_jump (FlowBuilder *b, unsigned pc, const uint8_t *counts)
{
  unsigned target = b->thread->insns[pc].target;
  if (target > pc)
    return flow_node (b, target, counts);
  unsigned head = (unsigned) b->head_of[target];
  if (counts[head] + 1u >= b->bound)
    return FLOW_CUT;
  g_autofree uint8_t *next = g_memdup2 (counts, b->head_count);
  next[head]++;
  for (unsigned i = target + 1; i <= pc; i++)
    if (b->head_of[i] >= 0)
      next[b->head_of[i]] = 0;
  return flow_node (b, target, next);
}

static void
flow_expand (FlowBuilder *b, unsigned number)
{
  gsize size = 0;
  const uint8_t *key = g_bytes_get_data (g_ptr_array_index (b->keys, number), &size);
  unsigned pc = 0;
  memcpy (&pc, key, sizeof pc);
  const uint8_t *counts = key + sizeof pc;
  const Insn *i = &b->thread->insns[pc];
  int next = i->kind == INSN_GOTO ? FLOW_NONE : flow_node (b, pc + 1, counts);
  int taken = is_branch (i) ? flow_jump (b, pc, counts) : FLOW_NONE;
  FlowNode *node = &g_array_index (b->nodes, FlowNode, number);
  node->next = next;
  node->taken = taken;
}

static void
find_heads (FlowBuilder *b)
{
  const Thread *t = b->thread;
  for (unsigned pc = 0; pc < t->insn_count; pc++)
    b->head_of[pc] = -1;
  for (unsigned pc = 0; pc < t->insn_count; pc++)
    if (is_backward (t, pc) && b->head_of[t->insns[pc].target] < 0)
      b->head_of[t->insns[pc].target] = (int) b->head_count++;
}

/* Numbers the nodes so that predecessors come first (reverse postorder). */
static unsigned *
topological_order (Arena *a, const GArray *nodes)
{
  unsigned count = nodes->len;
  unsigned *position = arena_array (a, unsigned, count + 1);
  uint8_t *state = arena_array (a, uint8_t, count + 1);
  unsigned *stack = arena_array (a, unsigned, 2 * count + 2);
  unsigned depth = 0;
  unsigned remaining = count;
  stack[depth++] = 0;
  while (depth > 0 && count > 0) {
    unsigned n = stack[depth - 1];
    const FlowNode *node = &g_array_index (nodes, FlowNode, n);
    const int successors[] = { node->next, node->taken };
    bool pushed = false;
    while (!pushed && state[n] < 2) {
      int s = successors[state[n]++];
      if (s >= 0 && state[s] == 0 && s != (int) n) {
        /* A node is pushed once: its state leaves 0 when it is first looked at. */
        stack[depth++] = (unsigned) s;
        pushed = true;
      }
    }
    if (!pushed) {
      depth--;
      if (state[n] != 3)
        position[n] = --remaining;
      state[n] = 3;
    }
  }
  g_assert (remaining == 0);
  return position;
}

static void
compute_reach (Arena *a, Flow *flow)
{
  flow->words = (flow->count + 63) / 64;
  flow->reach = arena_array (a, uint64_t, (size_t) flow->count * flow->words + 1);
  for (unsigned n = flow->count; n-- > 0;) {
    uint64_t *row = flow->reach + (size_t) n * flow->words;
    const int successors[] = { flow->nodes[n].next, flow->nodes[n].taken };
    for (unsigned k = 0; k < 2; k++) {
      int s = successors[k];
      if (s < 0)
        continue;
      row[s / 64] |= UINT64_C (1) << (s % 64);
      for (unsigned w = 0; w < flow->words; w++)
        row[w] |= flow->reach[(size_t) s * flow->words + w];
    }
  }
}

static void
number_iterations (Arena *a, Flow *flow, const Thread *t)
{
  unsigned *seen = arena_array (a, unsigned, t->insn_count + 1);
  for (unsigned n = 0; n < flow->count; n++)
    flow->nodes[n].iteration = seen[flow->nodes[n].insn]++;
}

static bool
build_flow (Arena *a, Flow *flow, const Thread *t, unsigned bound)
{
  FlowBuilder b = { .thread = t, .bound = bound };
  b.head_of = arena_array (a, int, t->insn_count + 1);
  find_heads (&b);
  b.index = g_hash_table_new (g_bytes_hash, g_bytes_equal);
  b.nodes = g_array_new (FALSE, FALSE, sizeof (FlowNode));
  b.keys = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autofree uint8_t *zero = g_malloc0 (b.head_count + 1);
  flow_node (&b, 0, zero);
  for (unsigned n = 0; n < b.nodes->len && !b.too_large; n++)
    flow_expand (&b, n);
  if (!b.too_large) {
    unsigned *position = topological_order (a, b.nodes);
    flow->count = b.nodes->len;
    flow->nodes = arena_array (a, FlowNode, flow->count + 1);
    flow->cut_at = arena_array (a, Lit, flow->count + 1);
    for (unsigned n = 0; n < flow->count; n++) {
      FlowNode node = g_array_index (b.nodes, FlowNode, n);
      node.next = node.next >= 0 ? (int) position[node.next] : node.next;
      node.taken = node.taken >= 0 ? (int) position[node.taken] : node.taken;
      flow->nodes[position[n]] = node;
    }
    number_iterations (a, flow, t);
    compute_reach (a, flow);
  }
  g_hash_table_unref (b.index);
  g_array_unref (b.nodes);
  g_ptr_array_unref (b.keys);
  return !b.too_large;
}

/* ---- Value bounds -------------------------------------------------------------------------
 */

static uint64_t
saturating_add (uint64_t a, uint64_t b)
{
  return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t
ones_up_to (uint64_t value)
{
  return value == 0 ? 0 : UINT64_MAX >> __builtin_clzll (value);
}

/* What an operation can make of the largest value around. */
typedef enum Growth {
  GROWTH_NONE,
  GROWTH_SUM,  /* an operand is added */
  GROWTH_ONE,  /* one is added */
  GROWTH_BITS, /* its bits can be filled up */
  GROWTH_ANY,
} Growth;

static Growth
alu_growth (AluOp op)
{
  switch (op) {
  case ALU_MOV:
  case ALU_AND:
    return GROWTH_NONE;
  case ALU_ADD:
    return GROWTH_SUM;
  case ALU_OR:
  case ALU_XOR:
    return GROWTH_BITS;
  case ALU_SUB:
  case ALU_MUL:
  case ALU_DIV:
    return GROWTH_ANY;
  }
  g_assert_not_reached ();
}

static Growth
atom_growth (AtomOp op)
{
  switch (op) {
  case ATOM_EXCH:
  case ATOM_CAS:
  case ATOM_AND:
  case ATOM_MIN:
  case ATOM_MAX:
    return GROWTH_NONE;
  case ATOM_ADD:
    return GROWTH_SUM;
  case ATOM_INC:
    return GROWTH_ONE;
  case ATOM_OR:
  case ATOM_XOR:
    return GROWTH_BITS;
  case ATOM_SUB:
  case ATOM_MUL:
  case ATOM_DIV:
  case ATOM_DEC:
    return GROWTH_ANY;
  }
  g_assert_not_reached ();
}

static Growth
insn_growth (const Insn *i)
{
  if (i->kind == INSN_ALU)
    return alu_growth (i->op.alu);
  return i->kind == INSN_ATOM || i->kind == INSN_RED ? atom_growth (i->op.atom) : GROWTH_NONE;
}

/* What one execution of the instruction can make of the largest value `h` so far. */
static uint64_t
grow_bound (const Insn *i, uint64_t h)
{
  switch (insn_growth (i)) {
  case GROWTH_NONE:
    return h;
  case GROWTH_SUM:
    return saturating_add (h, i->a.kind == OPERAND_IMM   ? i->a.value
                              : i->b.kind == OPERAND_IMM ? i->b.value
                                                         : h);
  case GROWTH_ONE:
    return saturating_add (h, 1);
  case GROWTH_BITS:
    return ones_up_to (h);
  case GROWTH_ANY:
    return UINT64_MAX;
  }
  g_assert_not_reached ();
}

static uint64_t
operand_bound (const Operand *o)
{
  return o->kind == OPERAND_IMM ? o->value : o->kind == OPERAND_ADDRESS ? UINT64_MAX : 0;
}

static uint64_t
largest_of_thread (const Thread *t)
{
  uint64_t h = 1;
  for (unsigned r = 0; r < t->reg_count; r++)
    h = MAX (h, t->regs[r].holds_address ? UINT64_MAX : t->regs[r].init);
  for (unsigned i = 0; i < t->insn_count; i++)
    h = MAX (h, MAX (operand_bound (&t->insns[i].a), operand_bound (&t->insns[i].b)));
  return h;
}

/* An upper bound of every value that a register or memory can hold in an execution without
 * values out of thin air: constants, and what each instruction instance can add to them. */
static uint64_t
value_bound (const Unrolled *u)
{
  const Program *p = u->program;
  uint64_t h = 1;
  for (unsigned o = 0; o < p->object_count; o++)
    h = MAX (h, p->objects[o].init_is_address ? UINT64_MAX : p->objects[o].init);
  for (unsigned t = 0; t < p->thread_count; t++)
    h = MAX (h, largest_of_thread (&p->threads[t]));
  for (unsigned t = 0; t < p->thread_count; t++)
    for (unsigned n = 0; n < u->flows[t].count; n++)
      h = grow_bound (&p->threads[t].insns[u->flows[t].nodes[n].insn], h);
  return h;
}

/* ---- Symbolic execution -------------------------------------------------------------------
 */

/* Reads that a value or a control decision depends on, and when.  Immutable. */
typedef struct Dep {
  unsigned event;
  Lit lit;
} Dep;

typedef struct DepList {
  const Dep *items;
  unsigned count;
} DepList;

/* The state before a node: meaningful when `guard` holds. */
typedef struct Context {
  Lit guard;
  Bits *regs;
  DepList *reg_deps;
  DepList ctrl;
} Context;

typedef struct Unroller {
  Arena *arena;
  Cnf *f;
  Unrolled *u;
  const RunOptions *options;
  uint64_t bound_mask;        /* bits that any 32-bit value can have */
  GArray *events;             /* SymEvent */
  GArray *addr, *data, *ctrl; /* SymDep */
  GArray *rmw;                /* Pair */
  unsigned thread;
  const Thread *code;
  Context *contexts; /* per node; guard 0: nothing has arrived */
  Context end;
} Unroller;

static DepList
dep_union (Unroller *x, DepList a, DepList b)
{
  if (a.count == 0 || b.count == 0)
    return a.count == 0 ? b : a;
  Dep *items = arena_array (x->arena, Dep, a.count + b.count);
  unsigned count = 0, i = 0, k = 0;
  while (i < a.count || k < b.count) {
    if (k == b.count || (i < a.count && a.items[i].event < b.items[k].event))
      items[count++] = a.items[i++];
    else if (i == a.count || b.items[k].event < a.items[i].event)
      items[count++] = b.items[k++];
    else {
      Lit lit = cnf_or (x->f, GATE_EXACT, a.items[i].lit, b.items[k].lit);
      items[count++] = (Dep){ a.items[i].event, lit };
      i++;
      k++;
    }
  }
  return (DepList){ items, count };
}

static DepList
dep_gate (Unroller *x, DepList list, Lit when)
{
  Dep *items = arena_array (x->arena, Dep, list.count);
  for (unsigned i = 0; i < list.count; i++)
    items[i]
        = (Dep){ list.items[i].event, cnf_and (x->f, GATE_EXACT, list.items[i].lit, when) };
  return (DepList){ items, list.count };
}

static bool
dep_same (DepList a, DepList b)
{
  return a.count == b.count
         && (a.count == 0 || memcmp (a.items, b.items, sizeof (Dep) * a.count) == 0);
}

static DepList
dep_merge (Unroller *x, DepList a, Lit when_a, DepList b, Lit when_b)
{
  return dep_same (a, b) ? a : dep_union (x, dep_gate (x, a, when_a), dep_gate (x, b, when_b));
}

static DepList
dep_one (Unroller *x, unsigned event)
{
  Dep *item = arena_new_of (x->arena, Dep);
  *item = (Dep){ event, LIT_TRUE };
  return (DepList){ item, 1 };
}

static Context
context_copy (Unroller *x, const Context *c, Lit guard)
{
  Context copy = *c;
  copy.guard = guard;
  copy.regs = arena_copy (x->arena, c->regs, sizeof (Bits) * x->code->reg_count);
  copy.reg_deps = arena_copy (x->arena, c->reg_deps, sizeof (DepList) * x->code->reg_count);
  return copy;
}

/* Lets the state `from`, under `guard`, flow into `into` (which is empty when its guard is 0).
 */
static void
flow_into (Unroller *x, Context *into, const Context *from, Lit guard)
{
  if (guard == LIT_FALSE)
    return;
  if (into->guard == 0) {
    *into = context_copy (x, from, guard);
    return;
  }
  for (unsigned r = 0; r < x->code->reg_count; r++) {
    into->regs[r] = bits_ite (x->f, guard, &from->regs[r], &into->regs[r]);
    into->reg_deps[r] = dep_merge (x, into->reg_deps[r], into->guard, from->reg_deps[r], guard);
  }
  into->ctrl = dep_merge (x, into->ctrl, into->guard, from->ctrl, guard);
  into->guard = cnf_or (x->f, GATE_EXACT, into->guard, guard);
}

static void
flow_to (Unroller *x, unsigned node, int successor, const Context *from, Lit guard)
{
  if (successor == FLOW_END)
    flow_into (x, &x->end, from, guard);
  else if (successor == FLOW_CUT) {
    x->u->flows[x->thread].cut_at[node] = guard;
    x->u->any_cut = cnf_or (x->f, GATE_EXACT, x->u->any_cut, guard);
  } else if (successor >= 0)
    flow_into (x, &x->contexts[successor], from, guard);
}

static Bits
operand_value (Unroller *x, const Context *c, const Operand *o)
{
  switch (o->kind) {
  case OPERAND_NONE:
    return bits_const (0);
  case OPERAND_REG:
    return c->regs[o->index];
  case OPERAND_IMM:
    return bits_const (o->value);
  case OPERAND_ADDRESS:
    return bits_const (x->u->program->mappings[o->index].base + o->value);
  }
  g_assert_not_reached ();
}

static DepList
operand_deps (const Context *c, const Operand *o)
{
  return o->kind == OPERAND_REG ? c->reg_deps[o->index] : (DepList){ NULL, 0 };
}

static void
set_register (Unroller *x, Context *c, const Operand *dst, const Bits *value, DepList deps)
{
  if (dst->kind != OPERAND_REG)
    return;
  c->regs[dst->index] = bits_truncate (value, x->code->regs[dst->index].bits);
  c->reg_deps[dst->index] = deps;
}

static void
add_deps (Unroller *x, GArray *to, DepList deps, unsigned event)
{
  Lit guard = g_array_index (x->events, SymEvent, event).guard;
  for (unsigned i = 0; i < deps.count; i++) {
    SymDep dep
        = { deps.items[i].event, event, cnf_and (x->f, GATE_EXACT, deps.items[i].lit, guard) };
    if (dep.lit != LIT_FALSE)
      g_array_append_val (to, dep);
  }
}

static unsigned
new_event (Unroller *x, const Context *c, unsigned node, EventKind kind)
{
  const FlowNode *n = &x->u->flows[x->thread].nodes[node];
  const Insn *i = &x->code->insns[n->insn];
  SymEvent e = { .guard = c->guard, .node = node, .passed = LIT_TRUE };
  e.shape = (Event){ .kind = kind,
                     .thread = (int) x->thread,
                     .insn = (int) n->insn,
                     .iteration = n->iteration,
                     .sem = i->sem,
                     .scope = i->scope,
                     .proxy = i->proxy,
                     .is_atom = i->kind == INSN_ATOM,
                     .is_red = i->kind == INSN_RED,
                     .is_volatile = i->is_volatile,
                     .is_mmio = i->is_mmio,
                     .mapping = -1,
                     .object = -1,
                     .phase = -1 };
  g_array_append_val (x->events, e);
  unsigned number = x->events->len - 1;
  if (!fault_is (x->options, FAULT_SOLVER_CTRL))
    add_deps (x, x->ctrl, c->ctrl, number);
  return number;
}

static SymEvent *
event_at (Unroller *x, unsigned number)
{
  return &g_array_index (x->events, SymEvent, number);
}

/* Where the access goes: for each mapping whether it is there.  An access that misses every
 * object of its size does not happen, and its thread does nothing further. */
static Lit *
resolve_address (Unroller *x, Context *c, const Insn *i)
{
  const Program *p = x->u->program;
  Bits base = operand_value (x, c, &i->addr);
  Bits offset = bits_const ((uint64_t) i->offset);
  Type wide = { TY_U, 64, false };
  Bits address = bits_alu (x->f, ALU_ADD, wide, &base, &offset);
  Lit *at = arena_array (x->arena, Lit, p->mapping_count + 1);
  Lit inside = LIT_FALSE;
  for (unsigned m = 0; m < p->mapping_count; m++) {
    Bits start = bits_const (p->mappings[m].base);
    at[m] = p->objects[p->mappings[m].object].size == i->type.bits / 8
                ? bits_equal (x->f, &address, &start)
                : LIT_FALSE;
    inside = cnf_or (x->f, GATE_EXACT, inside, at[m]);
  }
  Lit outside = cnf_and (x->f, GATE_EXACT, c->guard, -inside);
  x->u->out_of_bounds = cnf_or (x->f, GATE_EXACT, x->u->out_of_bounds, outside);
  c->guard = cnf_and (x->f, GATE_EXACT, c->guard, inside);
  return at;
}

static void
set_address (Unroller *x, const Context *c, const Insn *i, const Lit *at, unsigned number)
{
  const Program *p = x->u->program;
  add_deps (x, x->addr, operand_deps (c, &i->addr), number);
  SymEvent *e = event_at (x, number);
  e->shape.size = i->type.bits / 8;
  e->at = arena_array (x->arena, Lit, p->mapping_count + 1);
  for (unsigned m = 0; m < p->mapping_count; m++) {
    e->at[m] = cnf_and (x->f, GATE_EXACT, at[m], e->guard);
    if (at[m] == LIT_TRUE) {
      e->shape.mapping = (int) m;
      e->shape.object = (int) p->mappings[m].object;
    }
  }
}

static uint64_t
read_mask (const Unroller *x, const Insn *i)
{
  return i->type.bits == 64 ? UINT64_MAX : truncate_bits (x->bound_mask, i->type.bits);
}

static unsigned
emit_read (Unroller *x, const Context *c, unsigned node, const Insn *i, const Lit *at, Sem sem)
{
  unsigned number = new_event (x, c, node, EVENT_READ);
  set_address (x, c, i, at, number);
  SymEvent *e = event_at (x, number);
  e->shape.sem = sem;
  e->value = bits_fresh (x->f, read_mask (x, i));
  return number;
}

static void
run_load (Unroller *x, Context *c, unsigned node, const Insn *i)
{
  const Lit *at = resolve_address (x, c, i);
  unsigned read = emit_read (x, c, node, i, at, i->sem);
  set_register (x, c, &i->dst, &event_at (x, read)->value, dep_one (x, read));
}

static void
run_store (Unroller *x, Context *c, unsigned node, const Insn *i)
{
  const Lit *at = resolve_address (x, c, i);
  unsigned write = new_event (x, c, node, EVENT_WRITE);
  set_address (x, c, i, at, write);
  Bits value = operand_value (x, c, &i->a);
  event_at (x, write)->value = bits_truncate (&value, i->type.bits);
  add_deps (x, x->data, operand_deps (c, &i->a), write);
}

static void
note_division (Unroller *x, Lit guard, Type type, const Bits *divisor)
{
  Lit zero = cnf_and (x->f, GATE_EXACT, guard, bits_divides_by_zero (x->f, type, divisor));
  x->u->unspecified = cnf_or (x->f, GATE_EXACT, x->u->unspecified, zero);
}

static void
run_atomic (Unroller *x, Context *c, unsigned node, const Insn *i)
{
  bool acquires = i->sem == SEM_ACQUIRE || i->sem == SEM_ACQ_REL;
  bool releases = i->sem == SEM_RELEASE || i->sem == SEM_ACQ_REL;
  if (fault_is (x->options, FAULT_SOLVER_RED_SEM) && i->kind == INSN_RED)
    acquires = false;
  const Lit *at = resolve_address (x, c, i);
  unsigned read = emit_read (x, c, node, i, at, acquires ? SEM_ACQUIRE : SEM_RELAXED);
  Bits old = event_at (x, read)->value;
  Bits a = operand_value (x, c, &i->a);
  Bits b = operand_value (x, c, &i->b);
  DepList own = dep_one (x, read);
  Lit writes = LIT_TRUE;
  DepList deciding = { NULL, 0 };
  DepList feeding = operand_deps (c, &i->a);
  if (i->op.atom == ATOM_CAS) {
    if (!fault_is (x->options, FAULT_SOLVER_CAS_WRITES))
      writes = bits_compare (x->f, CMP_EQ, i->type, &old, &a);
    deciding = dep_union (x, feeding, own);
    feeding = dep_union (x, operand_deps (c, &i->b), own);
  } else if (i->op.atom != ATOM_EXCH)
    feeding = dep_union (x, feeding, own);
  if (i->op.atom == ATOM_DIV)
    note_division (x, c->guard, i->type, &a);

  Context half = *c;
  half.guard = cnf_and (x->f, GATE_EXACT, c->guard, writes);
  unsigned write = new_event (x, &half, node, EVENT_WRITE);
  set_address (x, &half, i, at, write);
  SymEvent *e = event_at (x, write);
  e->shape.sem = releases ? SEM_RELEASE : SEM_RELAXED;
  e->value = bits_atom (x->f, i->op.atom, i->type, &old, &a, &b);
  add_deps (x, x->data, feeding, write);
  add_deps (x, x->ctrl, deciding, write);
  Pair pair = { read, write };
  g_array_append_val (x->rmw, pair);
  set_register (x, c, &i->dst, &old, own);
}

static void
run_alu (Unroller *x, Context *c, const Insn *i)
{
  Bits a = operand_value (x, c, &i->a);
  Bits b = operand_value (x, c, &i->b);
  if (i->op.alu == ALU_DIV)
    note_division (x, c->guard, i->type, &b);
  Bits value = bits_alu (x->f, i->op.alu, i->type, &a, &b);
  DepList deps = dep_union (x, operand_deps (c, &i->a), operand_deps (c, &i->b));
  set_register (x, c, &i->dst, &value, deps);
}

static bool
observes_register (const Program *p, unsigned thread, unsigned reg)
{
  for (unsigned k = 0; k < p->observed_count; k++)
    if (!p->observed[k].is_location && p->observed[k].thread == thread
        && p->observed[k].index == reg)
      return true;
  return false;
}

/* Could a thread that stops after `insn` still have changed what is observed? */
static bool
still_writes (Unroller *x, unsigned insn)
{
  bool *after = arena_array (x->arena, bool, x->code->insn_count + 1);
  static_reach (x->code, insn, false, after);
  for (unsigned k = 0; k < x->code->insn_count; k++) {
    const Insn *i = &x->code->insns[k];
    bool stores = i->kind == INSN_STORE || i->kind == INSN_ATOM || i->kind == INSN_RED;
    bool sets = i->dst.kind == OPERAND_REG
                && observes_register (x->u->program, x->thread, i->dst.index);
    if (after[k] && (stores || sets))
      return true;
  }
  return false;
}

static void
run_barrier (Unroller *x, Context *c, unsigned node, const Insn *i)
{
  unsigned number = new_event (x, c, node, EVENT_BARRIER);
  add_deps (x, x->data, operand_deps (c, &i->barrier.id), number);
  add_deps (x, x->data, operand_deps (c, &i->barrier.count), number);
  SymEvent *e = event_at (x, number);
  e->shape.barrier_mode = i->barrier.mode;
  e->label = i->barrier.label;
  e->has_id = i->barrier.id.kind != OPERAND_NONE;
  e->has_count = i->barrier.count.kind != OPERAND_NONE;
  Bits id = operand_value (x, c, &i->barrier.id);
  Bits count = operand_value (x, c, &i->barrier.count);
  e->id = bits_truncate (&id, 32);
  e->count = bits_truncate (&count, 32);
  if (i->barrier.mode == BARRIER_ARRIVE)
    return;
  e->passed = cnf_var (x->f);
  Lit stuck = cnf_and (x->f, GATE_EXACT, c->guard, -e->passed);
  x->u->any_stuck = cnf_or (x->f, GATE_EXACT, x->u->any_stuck, stuck);
  if (still_writes (x, (unsigned) e->shape.insn))
    x->u->stuck_open = cnf_or (x->f, GATE_EXACT, x->u->stuck_open, stuck);
  flow_into (x, &x->end, c, stuck);
  c->guard = cnf_and (x->f, GATE_EXACT, c->guard, event_at (x, number)->passed);
}

static void
run_node (Unroller *x, unsigned node)
{
  const FlowNode *n = &x->u->flows[x->thread].nodes[node];
  const Insn *i = &x->code->insns[n->insn];
  Context *c = &x->contexts[node];
  Lit taken = LIT_FALSE;
  if (c->guard == 0)
    return;
  switch (i->kind) {
  case INSN_ALU:
    run_alu (x, c, i);
    break;
  case INSN_LOAD:
    run_load (x, c, node, i);
    break;
  case INSN_STORE:
    run_store (x, c, node, i);
    break;
  case INSN_ATOM:
  case INSN_RED:
    run_atomic (x, c, node, i);
    break;
  case INSN_FENCE:
    new_event (x, c, node, EVENT_FENCE);
    break;
  case INSN_PROXY_FENCE:
    event_at (x, new_event (x, c, node, EVENT_PROXY_FENCE))->shape.pfence = i->op.pfence;
    break;
  case INSN_BARRIER:
    run_barrier (x, c, node, i);
    break;
  case INSN_BRANCH: {
    Bits a = operand_value (x, c, &i->a);
    Bits b = operand_value (x, c, &i->b);
    taken = bits_compare (x->f, i->op.cmp, i->type, &a, &b);
    c->ctrl = dep_union (x, c->ctrl,
                         dep_union (x, operand_deps (c, &i->a), operand_deps (c, &i->b)));
    break;
  }
  case INSN_GOTO:
    taken = LIT_TRUE;
    break;
  }
  flow_to (x, node, n->taken, c, cnf_and (x->f, GATE_EXACT, c->guard, taken));
  flow_to (x, node, n->next, c, cnf_and (x->f, GATE_EXACT, c->guard, -taken));
}

static Context
initial_context (Unroller *x)
{
  const Thread *t = x->code;
  Context c = { .guard = LIT_TRUE };
  c.regs = arena_array (x->arena, Bits, t->reg_count + 1);
  c.reg_deps = arena_array (x->arena, DepList, t->reg_count + 1);
  for (unsigned r = 0; r < t->reg_count; r++) {
    uint64_t base
        = t->regs[r].holds_address ? x->u->program->mappings[t->regs[r].init_mapping].base : 0;
    c.regs[r] = bits_const (truncate_bits (base + t->regs[r].init, t->regs[r].bits));
  }
  return c;
}

static void
run_thread (Unroller *x, unsigned thread)
{
  Flow *flow = &x->u->flows[thread];
  x->thread = thread;
  x->code = &x->u->program->threads[thread];
  x->contexts = arena_array (x->arena, Context, flow->count + 1);
  x->end = (Context){ 0 };
  for (unsigned n = 0; n < flow->count; n++)
    flow->cut_at[n] = LIT_FALSE;
  Context first = initial_context (x);
  if (flow->count == 0)
    x->end = first;
  else
    x->contexts[0] = first;
  for (unsigned n = 0; n < flow->count; n++)
    run_node (x, n);
  /* A thread that never ends and never waits has no final state; any will do. */
  x->u->final_regs[thread] = x->end.guard == 0 ? first.regs : x->end.regs;
}

static void
add_initial_writes (Unroller *x)
{
  const Program *p = x->u->program;
  for (unsigned o = 0; o < p->object_count; o++) {
    const MemObject *object = &p->objects[o];
    uint64_t value
        = object->init + (object->init_is_address ? p->mappings[object->init_mapping].base : 0);
    SymEvent e = { .guard = LIT_TRUE, .passed = LIT_TRUE };
    e.shape = (Event){ .kind = EVENT_WRITE,
                       .thread = -1,
                       .insn = -1,
                       .sem = SEM_WEAK,
                       .is_init = true,
                       .mapping = -1,
                       .object = (int) o,
                       .size = object->size,
                       .phase = -1 };
    e.value = bits_const (truncate_bits (value, object->size * 8));
    g_array_append_val (x->events, e);
  }
}

static void *
into_arena (Arena *a, GArray *array, unsigned *count)
{
  *count = array->len;
  void *copy
      = arena_copy (a, array->data, (size_t) array->len * g_array_get_element_size (array));
  g_array_unref (array);
  return copy;
}

Unrolled *
unroll (Arena *a, Cnf *f, const Program *p, const RunOptions *options)
{
  Unrolled *u = arena_new_of (a, Unrolled);
  u->program = p;
  u->any_cut = u->any_stuck = u->stuck_open = u->out_of_bounds = u->unspecified = LIT_FALSE;
  u->flows = arena_array (a, Flow, p->thread_count + 1);
  u->final_regs = arena_array (a, Bits *, p->thread_count + 1);
  unsigned nodes = 0;
  for (unsigned t = 0; t < p->thread_count && !u->too_large; t++) {
    u->too_large = !build_flow (a, &u->flows[t], &p->threads[t], options->bound);
    nodes += u->flows[t].count;
    u->too_large |= nodes > MOST_NODES;
  }
  if (u->too_large)
    return u;
  Unroller x = { .arena = a, .f = f, .u = u, .options = options };
  x.bound_mask = ones_up_to (value_bound (u));
  x.events = g_array_new (FALSE, FALSE, sizeof (SymEvent));
  x.addr = g_array_new (FALSE, FALSE, sizeof (SymDep));
  x.data = g_array_new (FALSE, FALSE, sizeof (SymDep));
  x.ctrl = g_array_new (FALSE, FALSE, sizeof (SymDep));
  x.rmw = g_array_new (FALSE, FALSE, sizeof (Pair));
  add_initial_writes (&x);
  for (unsigned t = 0; t < p->thread_count; t++)
    run_thread (&x, t);
  u->events = into_arena (a, x.events, &u->event_count);
  u->addr = into_arena (a, x.addr, &u->addr_count);
  u->data = into_arena (a, x.data, &u->data_count);
  u->ctrl = into_arena (a, x.ctrl, &u->ctrl_count);
  u->rmw = into_arena (a, x.rmw, &u->rmw_count);
  u->too_large = u->event_count > MOST_EVENTS;
  return u;
}

bool
unrolled_may_precede (const Unrolled *u, unsigned e1, unsigned e2)
{
  const SymEvent *x = &u->events[e1];
  const SymEvent *y = &u->events[e2];
  if (x->shape.thread != y->shape.thread || x->shape.thread < 0)
    return false;
  if (x->node == y->node)
    return e1 < e2;
  const Flow *flow = &u->flows[x->shape.thread];
  return (flow->reach[(size_t) x->node * flow->words + y->node / 64] >> (y->node % 64) & 1)
         != 0;
}
