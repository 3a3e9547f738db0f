/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/witness.h"

typedef struct Extractor {
  Arena *arena;
  const Smt *smt;
  const Encoder *e;
  Execution *x;
  int *place; /* per symbolic event: its index in the execution, or -1 */
} Extractor;

uint64_t
witness_value (const Smt *smt, const Bits *x)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < x->width; i++)
    if (smt_holds (smt, x->bit[i]))
      value |= UINT64_C (1) << i;
  return value;
}

/* How often the thread ran this instruction before, on the path that was taken. */
static unsigned
iteration_of (const Extractor *k, unsigned event)
{
  const SymEvent *s = &k->e->u->events[event];
  unsigned earlier = 0;
  int last_node = -1;
  for (unsigned i = 0; i < event; i++) {
    const SymEvent *t = &k->e->u->events[i];
    if (k->place[i] < 0 || t->shape.thread != s->shape.thread || t->shape.insn != s->shape.insn
        || t->node == s->node || (int) t->node == last_node)
      continue;
    last_node = (int) t->node;
    earlier++;
  }
  return earlier;
}

static void
extract_address (const Extractor *k, const SymEvent *s, Event *into)
{
  const Program *p = k->e->u->program;
  if (s->at == NULL || into->mapping >= 0)
    return;
  for (unsigned m = 0; m < p->mapping_count; m++)
    if (smt_holds (k->smt, s->at[m])) {
      into->mapping = (int) m;
      into->object = (int) p->mappings[m].object;
    }
}

static void
extract_events (Extractor *k)
{
  const Unrolled *u = k->e->u;
  k->x->events = arena_array (k->arena, Event, u->event_count + 1);
  for (unsigned i = 0; i < u->event_count; i++) {
    const SymEvent *s = &u->events[i];
    k->place[i] = -1;
    if (!smt_holds (k->smt, s->guard))
      continue;
    k->place[i] = (int) k->x->event_count;
    Event *into = &k->x->events[k->x->event_count++];
    *into = s->shape;
    into->value = witness_value (k->smt, &s->value);
    if (into->thread >= 0)
      into->iteration = iteration_of (k, i);
    extract_address (k, s, into);
  }
}

/* Numbers the phases that complete; an operation that joins none keeps -1. */
static void
extract_phases (Extractor *k)
{
  const Phases *phases = k->e->phases;
  int next = 0;
  for (unsigned i = 0; i < phases->count; i++) {
    const SymEvent *s = &k->e->u->events[phases->events[i]];
    int at = k->place[phases->events[i]];
    bool goes_on
        = at >= 0 && s->shape.barrier_mode == BARRIER_SYNC && smt_holds (k->smt, s->passed);
    if (!goes_on || k->x->events[at].phase >= 0)
      continue;
    k->x->events[at].phase = next;
    for (unsigned j = 0; j < phases->count; j++) {
      int other = k->place[phases->events[j]];
      if (other >= 0 && smt_holds (k->smt, phases->joined[(size_t) i * phases->count + j]))
        k->x->events[other].phase = next;
    }
    next++;
  }
  /* Counted phases that nobody waits for. */
  for (unsigned i = 0; i < phases->count; i++)
    for (unsigned j = 0; j < phases->count; j++) {
      int at = k->place[phases->events[i]];
      int other = k->place[phases->events[j]];
      if (at < 0 || other < 0 || !k->e->u->events[phases->events[i]].has_count
          || !smt_holds (k->smt, phases->joined[(size_t) i * phases->count + j]))
        continue;
      if (k->x->events[at].phase < 0)
        k->x->events[at].phase = next++;
      k->x->events[other].phase = k->x->events[at].phase;
    }
}

static Pairs
extract_matrix (const Extractor *k, const Lit *lits)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  unsigned n = k->e->n;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      Lit lit = lits[(size_t) i * n + j];
      if (lit == LIT_FALSE || k->place[i] < 0 || k->place[j] < 0 || !smt_holds (k->smt, lit))
        continue;
      Pair pair = { (unsigned) k->place[i], (unsigned) k->place[j] };
      g_array_append_val (pairs, pair);
    }
  return pairs_from (k->arena, (const Pair *) pairs->data, pairs->len);
}

static Pairs
extract_deps (const Extractor *k, const SymDep *deps, unsigned count)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  for (unsigned i = 0; i < count; i++) {
    int from = k->place[deps[i].from];
    int to = k->place[deps[i].to];
    if (from < 0 || to < 0 || !smt_holds (k->smt, deps[i].lit))
      continue;
    Pair pair = { (unsigned) from, (unsigned) to };
    g_array_append_val (pairs, pair);
  }
  return pairs_from (k->arena, (const Pair *) pairs->data, pairs->len);
}

static Pairs
extract_rmw (const Extractor *k)
{
  const Unrolled *u = k->e->u;
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  for (unsigned i = 0; i < u->rmw_count; i++) {
    int from = k->place[u->rmw[i].from];
    int to = k->place[u->rmw[i].to];
    if (from < 0 || to < 0)
      continue;
    Pair pair = { (unsigned) from, (unsigned) to };
    g_array_append_val (pairs, pair);
  }
  return pairs_from (k->arena, (const Pair *) pairs->data, pairs->len);
}

static void
extract_stuck (const Extractor *k)
{
  const Unrolled *u = k->e->u;
  k->x->stuck = arena_array (k->arena, bool, u->program->thread_count + 1);
  for (unsigned i = 0; i < u->event_count; i++) {
    const SymEvent *s = &u->events[i];
    if (k->place[i] >= 0 && s->shape.kind == EVENT_BARRIER
        && s->shape.barrier_mode == BARRIER_SYNC && !smt_holds (k->smt, s->passed))
      k->x->stuck[s->shape.thread] = true;
  }
}

Execution *
witness_extract (Arena *a, const Smt *smt, const Encoder *e, const Question *q)
{
  Execution *x = arena_new_of (a, Execution);
  Extractor k = { a, smt, e, x, arena_array (a, int, e->n + 1) };
  x->program = e->u->program;
  extract_events (&k);
  extract_phases (&k);
  x->rmw = extract_rmw (&k);
  x->addr = extract_deps (&k, e->u->addr, e->u->addr_count);
  x->data = extract_deps (&k, e->u->data, e->u->data_count);
  x->ctrl = extract_deps (&k, e->u->ctrl, e->u->ctrl_count);
  x->rf = extract_matrix (&k, e->rf);
  x->co = extract_matrix (&k, e->co);
  x->sync_fence = extract_matrix (&k, e->sync_fence);
  extract_stuck (&k);
  x->state = arena_array (a, uint64_t, x->program->observed_count + 1);
  for (unsigned i = 0; i < x->program->observed_count; i++)
    x->state[i] = witness_value (smt, &q->state[i]);
  return x;
}
