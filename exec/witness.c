/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/witness.h"

#include <stdlib.h>

#include "exec/deps.h"
#include "exec/matrix.h"

/* A place in the sorted order, and the event of the trace that goes there. */
typedef struct Seat {
  const TraceEvent *event;
  unsigned index;
} Seat;

static int
compare_seats (const void *left, const void *right)
{
  const Seat *x = left;
  const Seat *y = right;
  int difference = x->event->event.thread - y->event->event.thread; /* initial writes: -1 */
  if (difference != 0)
    return difference;
  if (x->event->event.is_init)
    return x->event->event.object - y->event->event.object;
  return x->event->seq < y->event->seq ? -1 : x->event->seq > y->event->seq;
}

/* Pairs being gathered, in numbers of the sorted order. */
typedef struct Gather {
  GArray *pairs;
  const unsigned *number; /* of an event of the trace */
} Gather;

static void
add_pair (Gather *g, unsigned from, unsigned to)
{
  Pair pair = { g->number[from], g->number[to] };
  g_array_append_val (g->pairs, pair);
}

static Pairs
take_pairs (Gather *g, Arena *a)
{
  Pairs pairs = pairs_from (a, (const Pair *) (void *) g->pairs->data, g->pairs->len);
  g_array_set_size (g->pairs, 0);
  return pairs;
}

static Pairs
dependency_pairs (Gather *g, Arena *a, const Trace *t, DepKind kind)
{
  ArenaMark mark = arena_mark (a);
  DepWalker walker = deps_new (a, t);
  Word *reads = arena_array (a, Word, walker.words);
  for (unsigned i = 0; i < t->event_count; i++) {
    deps_of (&walker, i, kind, reads);
    ROW_EACH (j, reads, walker.words)
    add_pair (g, (unsigned) j, i);
  }
  arena_release (a, mark);
  return take_pairs (g, a);
}

static Pairs
matrix_pairs (Gather *g, Arena *a, const Word *m, const Choice *c)
{
  for (unsigned i = 0; i < c->n; i++)
    ROW_EACH (j, mat_row_const (m, c->w, i), c->w)
  add_pair (g, i, (unsigned) j);
  return take_pairs (g, a);
}

static void
fill_relations (Execution *x, Gather *g, Arena *a, const Trace *t, const Choice *c)
{
  for (unsigned i = 0; i < t->event_count; i++)
    if (t->events[i].rmw_read != NO_INDEX)
      add_pair (g, (unsigned) t->events[i].rmw_read, i);
  x->rmw = take_pairs (g, a);
  for (unsigned i = 0; i < t->event_count; i++)
    if (t->events[i].source != NO_INDEX)
      add_pair (g, (unsigned) t->events[i].source, i);
  x->rf = take_pairs (g, a);
  x->addr = dependency_pairs (g, a, t, DEPENDS_ADDR);
  x->data = dependency_pairs (g, a, t, DEPENDS_DATA);
  x->ctrl = dependency_pairs (g, a, t, DEPENDS_CTRL);
  if (c != NULL) {
    x->co = matrix_pairs (g, a, c->co_lower, c);
    x->sync_fence = matrix_pairs (g, a, c->sf_lower, c);
  }
}

Event
witness_event (const Trace *t, unsigned event)
{
  const TraceEvent *from = &t->events[event];
  Event e = from->event;
  if ((e.kind == EVENT_READ || e.kind == EVENT_WRITE) && val_known (t, from->value))
    e.value = truncate_bits (val_get (t, from->value), 8 * e.size);
  for (unsigned i = 0; i < t->arrival_count; i++)
    if (t->arrivals[i].event == event)
      e.phase = t->arrivals[i].phase;
  return e;
}

/* Phases numbered in the order of their first events. */
static void
number_phases (Execution *x, Arena *a, unsigned phase_count)
{
  ArenaMark mark = arena_mark (a);
  int *number = arena_array (a, int, phase_count);
  int next = 0;
  for (unsigned i = 0; i < phase_count; i++)
    number[i] = NO_INDEX;
  for (unsigned i = 0; i < x->event_count; i++) {
    int phase = x->events[i].phase;
    if (phase == NO_INDEX)
      continue;
    if (number[phase] == NO_INDEX)
      number[phase] = next++;
    x->events[i].phase = number[phase];
  }
  arena_release (a, mark);
}

Execution *
witness_new (Arena *a, const Trace *t, const Choice *choice, const uint64_t *state)
{
  unsigned n = t->event_count;
  const Program *p = t->program;
  Execution *x = arena_new_of (a, Execution);
  g_autofree Seat *seats = g_new (Seat, n);
  g_autofree unsigned *number = g_new (unsigned, n);
  for (unsigned i = 0; i < n; i++)
    seats[i] = (Seat){ &t->events[i], i };
  qsort (seats, n, sizeof (Seat), compare_seats);
  x->program = p;
  x->event_count = n;
  x->events = arena_array (a, Event, n);
  for (unsigned i = 0; i < n; i++) {
    number[seats[i].index] = i;
    x->events[i] = witness_event (t, seats[i].index);
  }
  number_phases (x, a, t->phase_count);
  Gather g = { g_array_new (FALSE, FALSE, sizeof (Pair)), number };
  fill_relations (x, &g, a, t, choice);
  g_array_free (g.pairs, TRUE);
  x->stuck = arena_array (a, bool, p->thread_count);
  for (unsigned i = 0; i < p->thread_count; i++)
    x->stuck[i] = t->threads[i]->status == THREAD_WAITING;
  if (state != NULL)
    x->state = arena_copy (a, state, sizeof (uint64_t) * p->observed_count);
  return x;
}
