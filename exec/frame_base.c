/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/barrier.h"
#include "exec/base.h"
#include "exec/deps.h"
#include "exec/frame_impl.h"

static const Event *
event_at (const Frame *f, unsigned i)
{
  return &f->trace->events[i].event;
}

static Word *
base_set (Frame *f, CatBase base)
{
  Word *set = arena_array (f->arena, Word, f->shape.w);
  for (unsigned i = 0; i < f->shape.n; i++)
    if (base_has (base, f->trace->program, event_at (f, i)))
      bit_set (set, i);
  return set;
}

static void
fill_pairwise (Frame *f, CatBase base, Word *m)
{
  const Trace *t = f->trace;
  for (unsigned i = 0; i < f->shape.n; i++)
    for (unsigned j = 0; j < f->shape.n; j++)
      if (base_relates (base, t->program, event_at (f, i), event_at (f, j), t->options))
        bit_set (mat_row (m, f->shape.w, i), j);
}

static void
fill_po (Frame *f, Word *m)
{
  const TraceEvent *events = f->trace->events;
  for (unsigned i = 0; i < f->shape.n; i++)
    for (unsigned j = 0; j < f->shape.n; j++)
      if (events[i].event.thread == events[j].event.thread && !events[i].event.is_init
          && events[i].seq < events[j].seq)
        bit_set (mat_row (m, f->shape.w, i), j);
}

static void
fill_dependency (Frame *f, DepKind kind, Word *m)
{
  DepWalker walker = deps_new (f->arena, f->trace);
  for (unsigned i = 0; i < f->shape.n; i++) {
    deps_of (&walker, i, kind, f->scratch);
    ROW_EACH (j, f->scratch, f->shape.w)
    bit_set (mat_row (m, f->shape.w, (unsigned) j), i);
  }
}

static void
fill_rmw (Frame *f, Word *m)
{
  if (fault_is (f->trace->options, FAULT_LOST_RMW))
    return;
  for (unsigned i = 0; i < f->shape.n; i++) {
    int read = f->trace->events[i].rmw_read;
    if (read != NO_INDEX)
      bit_set (mat_row (m, f->shape.w, (unsigned) read), i);
  }
}

/* An upper bound, while events may come, has what may still join a phase together. */
static bool
arrive_together (const Frame *f, const Arrival *x, const Arrival *y, Bound bound)
{
  if (x->phase != NO_INDEX || y->phase != NO_INDEX)
    return x->phase == y->phase;
  return bound == BOUND_UPPER && !f->complete && barrier_key_equal (&x->key, &y->key);
}

static void
fill_syncbar (Frame *f, Bound bound, Word *m)
{
  const Trace *t = f->trace;
  if (fault_is (t->options, FAULT_SYNC_IS_ARRIVE))
    return;
  for (unsigned i = 0; i < t->arrival_count; i++)
    for (unsigned j = 0; j < t->arrival_count; j++) {
      const Arrival *x = &t->arrivals[i];
      const Arrival *y = &t->arrivals[j];
      if (i != j && y->mode == BARRIER_SYNC && arrive_together (f, x, y, bound))
        bit_set (mat_row (m, f->shape.w, x->event), y->event);
    }
}

Word *
frame_base (Frame *f, CatBase base, Bound bound)
{
  if (cat_base_shape (base) == CAT_SET)
    return base_set (f, base);
  Word *m = frame_matrix (f);
  if (base_is_pairwise (base))
    fill_pairwise (f, base, m);
  else if (base == CAT_BASE_PO)
    fill_po (f, m);
  else if (base == CAT_BASE_ADDR)
    fill_dependency (f, DEPENDS_ADDR, m);
  else if (base == CAT_BASE_DATA)
    fill_dependency (f, DEPENDS_DATA, m);
  else if (base == CAT_BASE_CTRL)
    fill_dependency (f, DEPENDS_CTRL, m);
  else if (base == CAT_BASE_RMW_REL)
    fill_rmw (f, m);
  else {
    g_assert (base == CAT_BASE_SYNCBAR);
    fill_syncbar (f, bound, m);
  }
  return m;
}
