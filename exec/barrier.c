/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/barrier.h"

static bool
same_barrier (const BarrierKey *a, const BarrierKey *b)
{
  return a->label == b->label && a->has_id == b->has_id && a->id == b->id
         && placement_same_cta (a->place, b->place);
}

bool
barrier_key_equal (const BarrierKey *a, const BarrierKey *b)
{
  return same_barrier (a, b) && a->has_count == b->has_count && a->count == b->count;
}

/* ---- Barriers without counts --------------------------------------------------------------
 */

/* The thread's earliest arrival at the barrier that has no phase. */
static int
earliest_arrival (const Trace *t, unsigned thread, const BarrierKey *key)
{
  for (unsigned i = 0; i < t->arrival_count; i++) {
    const Arrival *a = &t->arrivals[i];
    if (a->thread == thread && a->phase == NO_INDEX && barrier_key_equal (&a->key, key))
      return (int) i;
  }
  return NO_INDEX;
}

/* Nobody else can still arrive: then the earliest arrivals are the phase. */
static bool
phase_complete (const Trace *t, const BarrierKey *key, unsigned *members, unsigned *count)
{
  *count = 0;
  for (unsigned i = 0; i < t->program->thread_count; i++) {
    const Thread *thread = &t->program->threads[i];
    if (!placement_same_cta (&thread->place, key->place))
      continue;
    int arrival = earliest_arrival (t, i, key);
    if (arrival != NO_INDEX)
      members[(*count)++] = (unsigned) arrival;
    else if (t->threads[i]->status != THREAD_ENDED
             && flow_may_meet (&t->flows[i], thread, t->threads[i]->pc, key->label,
                               key->has_id ? &key->id : NULL, key->has_count))
      return false;
  }
  return true;
}

bool
barrier_complete (Trace *t)
{
  if (t->arrival_count == 0)
    return false;
  g_autofree unsigned *members = g_new (unsigned, t->program->thread_count);
  for (unsigned i = 0; i < t->arrival_count; i++) {
    const Arrival *a = &t->arrivals[i];
    unsigned count;
    if (a->phase == NO_INDEX && !a->key.has_count
        && phase_complete (t, &a->key, members, &count)) {
      trace_join (t, members, count);
      return true;
    }
  }
  return false;
}

/* ---- Barriers with counts -----------------------------------------------------------------
 */

int
barrier_next_choice (const Trace *t)
{
  for (unsigned i = 0; i < t->arrival_count; i++) {
    const Arrival *a = &t->arrivals[i];
    if (a->key.has_count && a->phase == NO_INDEX && a->postponed == 0)
      return (int) i;
  }
  return NO_INDEX;
}

static bool
contains (const unsigned *arrivals, unsigned count, unsigned arrival)
{
  for (unsigned i = 0; i < count; i++)
    if (arrivals[i] == arrival)
      return true;
  return false;
}

static bool
predecessors_join (const Trace *t, const unsigned *arrivals, unsigned count, unsigned member)
{
  const Arrival *m = &t->arrivals[member];
  for (unsigned i = 0; i < member; i++) {
    const Arrival *a = &t->arrivals[i];
    if (a->thread == m->thread && a->phase == NO_INDEX && barrier_key_equal (&a->key, &m->key)
        && !contains (arrivals, count, i))
      return false;
  }
  return true;
}

bool
barrier_may_join (const Trace *t, const unsigned *arrivals, unsigned count)
{
  const BarrierKey *key = &t->arrivals[arrivals[0]].key;
  for (unsigned i = 0; i < count; i++) {
    const Arrival *a = &t->arrivals[arrivals[i]];
    if (a->phase != NO_INDEX || !barrier_key_equal (&a->key, key)
        || !predecessors_join (t, arrivals, count, arrivals[i]))
      return false;
  }
  return count == MAX (key->count, 1);
}

bool
barrier_late_enough (const Trace *t, const unsigned *arrivals, unsigned count)
{
  unsigned latest = 0;
  for (unsigned i = 0; i < count; i++)
    latest = MAX (latest, arrivals[i]);
  for (unsigned i = 0; i < count; i++)
    if (latest < t->arrivals[arrivals[i]].postponed)
      return false;
  return true;
}

static bool
enough_left_over (const Trace *t, const BarrierKey *key)
{
  unsigned left = 0;
  for (unsigned i = 0; i < t->arrival_count; i++)
    if (t->arrivals[i].phase == NO_INDEX && barrier_key_equal (&t->arrivals[i].key, key))
      left++;
  return left >= key->count;
}

/* ---- An order in time ---------------------------------------------------------------------
 */

/* How far an attempt to order the phases has come. */
typedef struct Clock {
  const Trace *trace;
  bool *performed; /* per arrival */
  int *gathering;  /* per arrival that is the first of its barrier: the phase whose arrivals the
                    * barrier is taking, NO_INDEX, or NEVER */
  bool *completed; /* per phase */
} Clock;

enum { NEVER = -2 }; /* as a phase: arrivals that complete nothing */

static unsigned
first_of_barrier (const Trace *t, unsigned arrival)
{
  unsigned i = 0;
  while (!barrier_key_equal (&t->arrivals[i].key, &t->arrivals[arrival].key))
    i++;
  return i;
}

/* Performs an arrival now, its thread having performed those before it. */
static bool
perform (Clock *c, unsigned arrival)
{
  const Arrival *a = &c->trace->arrivals[arrival];
  int *gathering = &c->gathering[first_of_barrier (c->trace, arrival)];
  int phase = a->phase == NO_INDEX ? NEVER : a->phase;
  if (*gathering != NO_INDEX && *gathering != phase)
    return false;
  *gathering = phase;
  c->performed[arrival] = true;
  return true;
}

/* Brings the thread of `arrival` up to it. */
static bool
reach (Clock *c, unsigned arrival)
{
  const Trace *t = c->trace;
  for (unsigned i = 0; i <= arrival; i++) {
    const Arrival *a = &t->arrivals[i];
    if (a->thread != t->arrivals[arrival].thread)
      continue;
    if (!c->performed[i] && !perform (c, i))
      return false;
    bool passed = a->mode == BARRIER_ARRIVE || (a->phase != NO_INDEX && c->completed[a->phase]);
    if (i < arrival && !passed)
      return false;
  }
  return true;
}

static bool
complete_phase (Clock *c, unsigned phase)
{
  int *gathering = NULL;
  for (unsigned i = 0; i < c->trace->arrival_count; i++)
    if (c->trace->arrivals[i].phase == (int) phase) {
      if (!reach (c, i))
        return false;
      gathering = &c->gathering[first_of_barrier (c->trace, i)];
    }
  g_assert (gathering != NULL); /* a phase has arrivals */
  *gathering = NO_INDEX;
  c->completed[phase] = true;
  return true;
}

static Clock
clock_copy (const Clock *c)
{
  const Trace *t = c->trace;
  return (Clock){ t, g_memdup2 (c->performed, sizeof (bool) * t->arrival_count),
                  g_memdup2 (c->gathering, sizeof (int) * t->arrival_count),
                  g_memdup2 (c->completed, sizeof (bool) * t->phase_count) };
}

static void
clock_clear (Clock *c)
{
  g_free (c->performed);
  g_free (c->gathering);
  g_free (c->completed);
}

/* Tries every phase as the next one to complete, until all `left` have. */
static bool
orderable (const Clock *c, unsigned left)
{
  if (left == 0)
    return true;
  bool found = false;
  for (unsigned phase = 0; phase < c->trace->phase_count && !found; phase++) {
    if (c->completed[phase])
      continue;
    Clock next = clock_copy (c);
    found = complete_phase (&next, phase) && orderable (&next, left - 1);
    clock_clear (&next);
  }
  return found;
}

static bool
has_counted_arrivals (const Trace *t)
{
  for (unsigned i = 0; i < t->arrival_count; i++)
    if (t->arrivals[i].key.has_count)
      return true;
  return false;
}

static bool
could_still_complete (const Trace *t)
{
  for (unsigned i = 0; i < t->arrival_count; i++) {
    const Arrival *a = &t->arrivals[i];
    if (a->key.has_count && a->phase == NO_INDEX && enough_left_over (t, &a->key))
      return true;
  }
  return false;
}

bool
barrier_settled (const Trace *t)
{
  if (could_still_complete (t))
    return false;
  if (!has_counted_arrivals (t) || t->phase_count == 0)
    return true;
  Clock start = { t, g_new0 (bool, t->arrival_count), g_new (int, t->arrival_count),
                  g_new0 (bool, t->phase_count) };
  for (unsigned i = 0; i < t->arrival_count; i++)
    start.gathering[i] = NO_INDEX;
  bool ok = orderable (&start, t->phase_count);
  clock_clear (&start);
  return ok;
}

bool
barrier_misused (const Trace *t, unsigned *first, unsigned *second)
{
  for (unsigned i = 0; i < t->arrival_count; i++)
    for (unsigned j = 0; j < i; j++) {
      const BarrierKey *a = &t->arrivals[j].key;
      const BarrierKey *b = &t->arrivals[i].key;
      if (same_barrier (a, b) && !barrier_key_equal (a, b)) {
        *first = t->arrivals[j].event;
        *second = t->arrivals[i].event;
        return true;
      }
    }
  return false;
}
