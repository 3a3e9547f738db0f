/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/barrier.h"

#include "solver/acyclic.h"
#include "solver/fault.h"

/* Time is a graph: each barrier operation has a node for its arrival and, when it waits, one
 * for the moment it goes on; each slot for a counted phase has one for its completion.  That
 * phases can really happen means that the graph has no cycle. */

typedef struct Builder {
  Arena *arena;
  Cnf *f;
  const Unrolled *u;
  const RunOptions *options;
  Phases *phases;
  unsigned n;
  Lit *equal;    /* n x n: they name the same barrier (guards not included) */
  GArray *edges; /* Edge: of the time graph */
  unsigned nodes;
} Builder;

static const SymEvent *
barrier_at (const Builder *b, unsigned i)
{
  return &b->u->events[b->phases->events[i]];
}

static bool
waits (const SymEvent *e)
{
  return e->shape.barrier_mode == BARRIER_SYNC;
}

static bool
precedes (const Builder *b, unsigned i, unsigned j)
{
  return unrolled_may_precede (b->u, b->phases->events[i], b->phases->events[j]);
}

static Lit
both_happen (Builder *b, unsigned i, unsigned j)
{
  return cnf_and (b->f, GATE_EXACT, barrier_at (b, i)->guard, barrier_at (b, j)->guard);
}

/* Arrival and going-on nodes of the time graph. */
static unsigned
arrival_node (unsigned i)
{
  return 2 * i;
}

static unsigned
going_on_node (const Builder *b, unsigned i)
{
  return waits (barrier_at (b, i)) ? 2 * i + 1 : 2 * i;
}

static void
time_edge (Builder *b, unsigned from, unsigned to, Lit lit)
{
  if (lit == LIT_FALSE || from == to)
    return;
  Edge edge = { from, to, lit };
  g_array_append_val (b->edges, edge);
}

/* ---- Which operations name the same barrier -----------------------------------------------
 */

static Lit
same_name (Builder *b, const SymEvent *x, const SymEvent *y)
{
  const Program *p = b->u->program;
  if (x->label != y->label || x->has_id != y->has_id
      || !placement_same_cta (&p->threads[x->shape.thread].place,
                              &p->threads[y->shape.thread].place))
    return LIT_FALSE;
  if (fault_is (b->options, FAULT_SOLVER_BARRIER_IDS))
    return LIT_TRUE;
  return bits_equal (b->f, &x->id, &y->id);
}

static void
compare_names (Builder *b)
{
  b->equal = arena_array (b->arena, Lit, (size_t) b->n * b->n + 1);
  for (unsigned i = 0; i < b->n; i++)
    for (unsigned j = 0; j < b->n; j++) {
      const SymEvent *x = barrier_at (b, i);
      const SymEvent *y = barrier_at (b, j);
      Lit name = same_name (b, x, y);
      Lit count
          = x->has_count == y->has_count ? bits_equal (b->f, &x->count, &y->count) : LIT_FALSE;
      b->equal[(size_t) i * b->n + j] = cnf_and (b->f, GATE_EXACT, name, count);
      Lit differ = cnf_and (b->f, GATE_EXACT, cnf_and (b->f, GATE_EXACT, name, -count),
                            both_happen (b, i, j));
      b->phases->misuse = cnf_or (b->f, GATE_EXACT, b->phases->misuse, differ);
    }
}

static Lit
equal_at (const Builder *b, unsigned i, unsigned j)
{
  return b->equal[(size_t) i * b->n + j];
}

static Lit *
joined_at (Builder *b, unsigned i, unsigned j)
{
  return &b->phases->joined[(size_t) i * b->n + j];
}

/* ---- Barriers without a count: the k-th arrivals of all threads meet ------------------------
 */

/* position[k]: exactly k operations of the thread on this barrier come before i. */
static Lit *
positions (Builder *b, unsigned i)
{
  Lit *position = arena_array (b->arena, Lit, b->n + 2);
  for (unsigned k = 0; k <= b->n; k++)
    position[k] = k == 0 ? LIT_TRUE : LIT_FALSE;
  for (unsigned j = 0; j < b->n; j++) {
    if (!precedes (b, j, i) || equal_at (b, j, i) == LIT_FALSE)
      continue;
    Lit here = cnf_and (b->f, GATE_EXACT, barrier_at (b, j)->guard, equal_at (b, j, i));
    for (unsigned k = b->n; k > 0; k--)
      position[k] = cnf_ite (b->f, here, position[k - 1], position[k]);
    position[0] = cnf_and (b->f, GATE_EXACT, position[0], -here);
  }
  return position;
}

static void
join_uncounted (Builder *b)
{
  Lit **position = arena_array (b->arena, Lit *, b->n + 1);
  for (unsigned i = 0; i < b->n; i++)
    position[i] = positions (b, i);
  for (unsigned i = 0; i < b->n; i++)
    for (unsigned j = 0; j < b->n; j++) {
      const SymEvent *x = barrier_at (b, i);
      const SymEvent *y = barrier_at (b, j);
      if (x->has_count || x->shape.thread == y->shape.thread || equal_at (b, i, j) == LIT_FALSE)
        continue;
      Lit same = LIT_FALSE;
      for (unsigned k = 0; k <= b->n; k++)
        same = cnf_or (b->f, GATE_EXACT, same,
                       cnf_and (b->f, GATE_EXACT, position[i][k], position[j][k]));
      const Lit all[] = { same, equal_at (b, i, j), x->guard, y->guard };
      *joined_at (b, i, j) = cnf_and_n (b->f, GATE_EXACT, all, 4);
    }
}

/* Could the code of thread `t` marked in `code` still meet operation i? */
static Lit
could_meet (Builder *b, const Thread *t, const bool *code, unsigned i)
{
  const SymEvent *x = barrier_at (b, i);
  Lit meets = LIT_FALSE;
  for (unsigned k = 0; k < t->insn_count; k++) {
    const Barrier *barrier = &t->insns[k].barrier;
    if (!code[k] || t->insns[k].kind != INSN_BARRIER || barrier->label != x->label
        || barrier->count.kind != OPERAND_NONE
        || (barrier->id.kind != OPERAND_NONE) != x->has_id)
      continue;
    Bits id = bits_const (truncate_bits (barrier->id.value, 32));
    Lit equal = barrier->id.kind == OPERAND_IMM ? bits_equal (b->f, &id, &x->id) : LIT_TRUE;
    meets = cnf_or (b->f, GATE_EXACT, meets, equal);
  }
  return meets;
}

static Lit
could_meet_after (Builder *b, unsigned thread, unsigned insn, bool from_target, unsigned i)
{
  const Thread *t = &b->u->program->threads[thread];
  g_autofree bool *code = g_new0 (bool, t->insn_count + 1);
  static_reach (t, insn, from_target, code);
  return could_meet (b, t, code, i);
}

/* The thread has stopped, waiting or cut, where it could still meet operation i. */
static Lit
holds_up (Builder *b, unsigned thread, unsigned i)
{
  Lit held = LIT_FALSE;
  for (unsigned j = 0; j < b->n; j++) {
    const SymEvent *y = barrier_at (b, j);
    if (y->shape.thread != (int) thread || !waits (y))
      continue;
    Lit meets = could_meet_after (b, thread, (unsigned) y->shape.insn, false, i);
    const Lit all[] = { y->guard, -y->passed, meets };
    held = cnf_or (b->f, GATE_EXACT, held, cnf_and_n (b->f, GATE_EXACT, all, 3));
  }
  const Flow *flow = &b->u->flows[thread];
  for (unsigned node = 0; node < flow->count; node++) {
    if (flow->cut_at[node] == LIT_FALSE)
      continue;
    Lit meets = could_meet_after (b, thread, flow->nodes[node].insn, true, i);
    held = cnf_or (b->f, GATE_EXACT, held,
                   cnf_and (b->f, GATE_EXACT, flow->cut_at[node], meets));
  }
  return held;
}

static Lit
arrived (Builder *b, unsigned thread, unsigned i)
{
  Lit here = LIT_FALSE;
  for (unsigned j = 0; j < b->n; j++)
    if (barrier_at (b, j)->shape.thread == (int) thread)
      here = cnf_or (b->f, GATE_EXACT, here, *joined_at (b, i, j));
  return here;
}

/* Thread `thread` takes no part in i's phase: what it waits for itself comes before. */
static void
wait_for_absent (Builder *b, unsigned thread, unsigned i, Lit absent)
{
  for (unsigned j = 0; j < b->n; j++) {
    const SymEvent *y = barrier_at (b, j);
    if (y->shape.thread != (int) thread || !waits (y))
      continue;
    Lit meets = could_meet_after (b, thread, (unsigned) y->shape.insn, false, i);
    const Lit all[] = { absent, meets, y->guard, y->passed, barrier_at (b, i)->passed };
    time_edge (b, going_on_node (b, j), going_on_node (b, i),
               cnf_and_n (b->f, GATE_OVER, all, G_N_ELEMENTS (all)));
  }
}

static void
complete_uncounted (Builder *b, unsigned i)
{
  const Program *p = b->u->program;
  const SymEvent *x = barrier_at (b, i);
  Lit complete = x->guard;
  for (unsigned t = 0; t < p->thread_count; t++) {
    if (t == (unsigned) x->shape.thread
        || !placement_same_cta (&p->threads[t].place, &p->threads[x->shape.thread].place))
      continue;
    Lit there = arrived (b, t, i);
    Lit ready = cnf_or (b->f, GATE_EXACT, there, -holds_up (b, t, i));
    complete = cnf_and (b->f, GATE_EXACT, complete, ready);
    wait_for_absent (b, t, i, -there);
  }
  cnf_implies (b->f, x->passed, complete);
  cnf_implies (b->f, complete, x->passed);
  for (unsigned j = 0; j < b->n; j++)
    if (j != i)
      time_edge (b, arrival_node (j), going_on_node (b, i),
                 cnf_and (b->f, GATE_OVER, *joined_at (b, j, i), x->passed));
}

/* ---- Barriers with a count: a choice of slots -----------------------------------------------
 */

/* The counted operations of one (CTA, label): slot s of them holds one phase; slots of one
 * barrier complete in order. */
typedef struct Group {
  unsigned *members; /* indices into phases->events */
  unsigned size;
  Lit *in_slot; /* size x size: member m joins slot s */
  Lit *joins;   /* per member: some slot */
} Group;

/* exactly[k] for k = 0 … count: exactly k of the literals hold. */
static Lit *
count_lits (Builder *b, const Lit *lits, unsigned count)
{
  Lit *exactly = arena_array (b->arena, Lit, count + 2);
  for (unsigned k = 0; k <= count; k++)
    exactly[k] = k == 0 ? LIT_TRUE : LIT_FALSE;
  for (unsigned i = 0; i < count; i++) {
    for (unsigned k = i + 1; k > 0; k--)
      exactly[k] = cnf_ite (b->f, lits[i], exactly[k - 1], exactly[k]);
    exactly[0] = cnf_and (b->f, GATE_EXACT, exactly[0], -lits[i]);
  }
  return exactly;
}

static Lit
count_is (Builder *b, const SymEvent *e, unsigned k)
{
  Bits value = bits_const (k);
  return bits_equal (b->f, &e->count, &value);
}

static void
choose_slots (Builder *b, Group *g)
{
  unsigned k = g->size;
  g->in_slot = arena_array (b->arena, Lit, (size_t) k * k + 1);
  g->joins = arena_array (b->arena, Lit, k + 1);
  for (unsigned m = 0; m < k; m++) {
    Lit *slots = g->in_slot + (size_t) m * k;
    for (unsigned s = 0; s < k; s++) {
      slots[s] = cnf_var (b->f);
      cnf_implies (b->f, slots[s], barrier_at (b, g->members[m])->guard);
    }
    cnf_at_most_one (b->f, slots, k);
    g->joins[m] = cnf_or_n (b->f, GATE_EXACT, slots, k);
  }
  for (unsigned s = 0; s < k; s++)
    for (unsigned m = 0; m < k; m++)
      for (unsigned l = 0; l < m; l++)
        cnf_clause3 (b->f, -g->in_slot[(size_t) m * k + s], -g->in_slot[(size_t) l * k + s],
                     equal_at (b, g->members[m], g->members[l]));
}

/* A slot that is used holds as many operations as each of them asks for. */
static void
fill_slots (Builder *b, const Group *g)
{
  unsigned k = g->size;
  Lit *column = arena_array (b->arena, Lit, k + 1);
  for (unsigned s = 0; s < k; s++) {
    for (unsigned m = 0; m < k; m++)
      column[m] = g->in_slot[(size_t) m * k + s];
    const Lit *exactly = count_lits (b, column, k);
    for (unsigned m = 0; m < k; m++) {
      Lit right = LIT_FALSE;
      for (unsigned c = 1; c <= k; c++)
        right = cnf_or (b->f, GATE_EXACT, right,
                        cnf_and (b->f, GATE_EXACT, exactly[c],
                                 count_is (b, barrier_at (b, g->members[m]), c)));
      cnf_implies (b->f, column[m], right);
    }
  }
}

/* As long as enough arrivals are pending for a phase, it completes: too few are left over. */
static void
leave_too_few (Builder *b, const Group *g)
{
  unsigned k = g->size;
  Lit *pending = arena_array (b->arena, Lit, k + 1);
  for (unsigned m = 0; m < k; m++) {
    for (unsigned l = 0; l < k; l++) {
      const Lit all[] = { barrier_at (b, g->members[l])->guard, -g->joins[l],
                          equal_at (b, g->members[m], g->members[l]) };
      pending[l] = cnf_and_n (b->f, GATE_EXACT, all, 3);
    }
    const Lit *exactly = count_lits (b, pending, k);
    for (unsigned c = 1; c <= k; c++)
      for (unsigned asked = 1; asked <= c; asked++)
        cnf_clause3 (b->f, -pending[m], -exactly[c],
                     -count_is (b, barrier_at (b, g->members[m]), asked));
  }
}

/* Arrivals of one thread join in program order. */
static void
keep_program_order (Builder *b, const Group *g)
{
  unsigned k = g->size;
  for (unsigned m = 0; m < k; m++)
    for (unsigned l = 0; l < k; l++) {
      unsigned i = g->members[m];
      unsigned j = g->members[l];
      if (!precedes (b, i, j) || equal_at (b, i, j) == LIT_FALSE)
        continue;
      Lit both = cnf_and (b->f, GATE_EXACT, both_happen (b, i, j), equal_at (b, i, j));
      for (unsigned s = 0; s < k; s++) {
        Lit earlier = cnf_or_n (b->f, GATE_EXACT, g->in_slot + (size_t) m * k, s + 1);
        cnf_clause3 (b->f, -both, -g->in_slot[(size_t) l * k + s], earlier);
      }
    }
}

/* Arrivals come before completion, and completion before what it lets through and before the
 * arrivals of later slots of the same barrier. */
static void
time_slots (Builder *b, const Group *g)
{
  unsigned k = g->size;
  unsigned first = b->nodes;
  b->nodes += k;
  for (unsigned s = 0; s < k; s++)
    for (unsigned m = 0; m < k; m++) {
      unsigned i = g->members[m];
      Lit in = g->in_slot[(size_t) m * k + s];
      time_edge (b, arrival_node (i), first + s, in);
      if (waits (barrier_at (b, i)))
        time_edge (b, first + s, going_on_node (b, i), in);
      for (unsigned later = s + 1; later < k; later++)
        for (unsigned l = 0; l < k; l++) {
          const Lit all[]
              = { in, g->in_slot[(size_t) l * k + later], equal_at (b, i, g->members[l]) };
          time_edge (b, first + s, arrival_node (g->members[l]),
                     cnf_and_n (b->f, GATE_OVER, all, 3));
        }
    }
}

static void
join_group (Builder *b, const Group *g)
{
  unsigned k = g->size;
  for (unsigned m = 0; m < k; m++) {
    unsigned i = g->members[m];
    if (waits (barrier_at (b, i))) {
      cnf_implies (b->f, barrier_at (b, i)->passed, g->joins[m]);
      cnf_implies (b->f, g->joins[m], barrier_at (b, i)->passed);
    }
    for (unsigned l = 0; l < k; l++) {
      if (l == m)
        continue;
      Lit same = LIT_FALSE;
      for (unsigned s = 0; s < k; s++)
        same = cnf_or (b->f, GATE_EXACT, same,
                       cnf_and (b->f, GATE_EXACT, g->in_slot[(size_t) m * k + s],
                                g->in_slot[(size_t) l * k + s]));
      *joined_at (b, i, g->members[l]) = same;
    }
  }
}

static void
encode_counted (Builder *b)
{
  bool *done = arena_array (b->arena, bool, b->n + 1);
  for (unsigned i = 0; i < b->n; i++) {
    const SymEvent *x = barrier_at (b, i);
    if (done[i] || !x->has_count)
      continue;
    Group g = { .members = arena_array (b->arena, unsigned, b->n) };
    for (unsigned j = i; j < b->n; j++) {
      const SymEvent *y = barrier_at (b, j);
      if (done[j] || !y->has_count || y->label != x->label
          || !placement_same_cta (&b->u->program->threads[x->shape.thread].place,
                                  &b->u->program->threads[y->shape.thread].place))
        continue;
      done[j] = true;
      g.members[g.size++] = j;
    }
    choose_slots (b, &g);
    fill_slots (b, &g);
    leave_too_few (b, &g);
    keep_program_order (b, &g);
    time_slots (b, &g);
    join_group (b, &g);
  }
}

/* ---- All together --------------------------------------------------------------------------
 */

static void
order_program (Builder *b)
{
  for (unsigned i = 0; i < b->n; i++) {
    if (waits (barrier_at (b, i)))
      time_edge (b, arrival_node (i), going_on_node (b, i), barrier_at (b, i)->guard);
    for (unsigned j = 0; j < b->n; j++)
      if (precedes (b, i, j))
        time_edge (b, going_on_node (b, i), arrival_node (j), both_happen (b, i, j));
  }
}

Phases *
phases_encode (Arena *a, Cnf *f, const Unrolled *u, const RunOptions *options)
{
  Phases *phases = arena_new_of (a, Phases);
  unsigned *events = arena_array (a, unsigned, u->event_count + 1);
  for (unsigned e = 0; e < u->event_count; e++)
    if (u->events[e].shape.kind == EVENT_BARRIER)
      events[phases->count++] = e;
  phases->events = events;
  phases->misuse = LIT_FALSE;
  unsigned n = phases->count;
  phases->joined = arena_array (a, Lit, (size_t) n * n + 1);
  for (size_t k = 0; k < (size_t) n * n; k++)
    phases->joined[k] = LIT_FALSE;
  if (n == 0)
    return phases;
  Builder b = {
    .arena = a, .f = f, .u = u, .options = options, .phases = phases, .n = n, .nodes = 2 * n
  };
  b.edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  compare_names (&b);
  join_uncounted (&b);
  for (unsigned i = 0; i < n; i++) {
    const SymEvent *x = barrier_at (&b, i);
    if (waits (x)) {
      cnf_implies (f, x->passed, x->guard);
      if (!x->has_count)
        complete_uncounted (&b, i);
    }
  }
  encode_counted (&b);
  order_program (&b);
  acyclic_encode (a, f, b.nodes, (const Edge *) b.edges->data, b.edges->len, NULL, false);
  g_array_unref (b.edges);
  return phases;
}
