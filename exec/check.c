/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/barrier.h"
#include "exec/base.h"
#include "exec/cat_eval.h"
#include "exec/exec.h"
#include "exec/witness.h"

/* An execution under examination.  Each examination returns NULL, or what is wrong. */
typedef struct Exam {
  Arena *arena;
  const Execution *x;
  const CatModel *model;
  RunOptions options; /* without a fault */
  Trace trace;        /* the threads, run again */
} Exam;

/* ---- The choices are of the right form ----------------------------------------------------
 */

static const char *
pairs_in_range (Exam *e, const Pairs *pairs, const char *name)
{
  for (unsigned i = 0; i < pairs->count; i++)
    if (pairs->pairs[i].from >= e->x->event_count || pairs->pairs[i].to >= e->x->event_count)
      return arena_printf (e->arena, "%s names an event that does not exist", name);
  return NULL;
}

static const char *
examine_rf (Exam *e)
{
  const Execution *x = e->x;
  g_autofree unsigned *sources = g_new0 (unsigned, x->event_count);
  for (unsigned i = 0; i < x->rf.count; i++) {
    Pair p = x->rf.pairs[i];
    const Event *w = &x->events[p.from];
    const Event *r = &x->events[p.to];
    if (w->kind != EVENT_WRITE || r->kind != EVENT_READ || w->object != r->object)
      return arena_printf (e->arena, "rf from event %u to %u: not a write and a read of it",
                           p.from, p.to);
    if (w->value != r->value)
      return arena_printf (e->arena, "rf from event %u to %u: different values", p.from, p.to);
    sources[p.to]++;
  }
  for (unsigned i = 0; i < x->event_count; i++)
    if (x->events[i].kind == EVENT_READ && sources[i] != 1)
      return arena_printf (e->arena, "read %u has %u sources", i, sources[i]);
  return NULL;
}

static const char *
examine_co (Exam *e)
{
  const Execution *x = e->x;
  const Rel *co = rel_from_pairs (e->arena, x->event_count, x->co);
  for (unsigned i = 0; i < x->co.count; i++) {
    const Event *from = &x->events[x->co.pairs[i].from];
    const Event *to = &x->events[x->co.pairs[i].to];
    if (from->kind != EVENT_WRITE || to->kind != EVENT_WRITE || from->object != to->object)
      return "co relates something else than writes of one object";
  }
  if (!rel_irreflexive (co))
    return "co is not irreflexive";
  if (!rel_equal (co, rel_plus (e->arena, co)))
    return "co is not transitive";
  for (unsigned i = 0; i < x->event_count && x->events[i].is_init; i++)
    for (unsigned j = i + 1; j < x->event_count; j++)
      if (x->events[j].kind == EVENT_WRITE && x->events[j].object == x->events[i].object
          && !rel_has (co, i, j))
        return arena_printf (e->arena, "write %u does not follow the initial one in co", j);
  return NULL;
}

static const char *
examine_sync_fence (Exam *e)
{
  const Execution *x = e->x;
  unsigned n = x->event_count;
  const Rel *order = rel_from_pairs (e->arena, n, x->sync_fence);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      const Event *from = &x->events[i];
      const Event *to = &x->events[j];
      bool ordered = rel_has (order, i, j) || rel_has (order, j, i);
      bool must = base_orders_fences (x->program, from, to, &e->options);
      bool may = must || base_may_order_fences (x->program, from, to);
      if (ordered ? !may : must)
        return arena_printf (e->arena, "sync_fence of events %u and %u", i, j);
      if (rel_has (order, i, j) && from->thread == to->thread && i > j)
        return "sync_fence against program order";
    }
  return rel_acyclic (order) ? NULL : "sync_fence is not acyclic";
}

/* ---- The threads do this with these values ------------------------------------------------
 */

static bool
same_operation (const Event *x, const Event *y)
{
  return x->kind == y->kind && x->thread == y->thread && x->insn == y->insn
         && x->iteration == y->iteration;
}

static const Event *
counterpart (const Execution *x, const Event *event)
{
  for (unsigned i = 0; i < x->event_count; i++)
    if (same_operation (&x->events[i], event))
      return &x->events[i];
  return NULL;
}

/* Gives reads whose values are open the values of the execution; true when there were any. */
static bool
assume_values (Exam *e)
{
  Trace *t = &e->trace;
  bool any = false;
  for (unsigned i = 0; i < t->event_count; i++) {
    const TraceEvent *r = &t->events[i];
    if (r->event.kind != EVENT_READ || val_known (t, r->value))
      continue;
    const Event *given = counterpart (e->x, &r->event);
    if (given != NULL) {
      trace_assume (t, i, given->value);
      any = true;
    }
  }
  return any;
}

static int
given_phase (const Exam *e, const Arrival *arrival)
{
  const Event *given = counterpart (e->x, &e->trace.events[arrival->event].event);
  return given == NULL ? NO_INDEX : given->phase;
}

/* Joins the arrivals of the execution's phase of `arrival`; false when they are not a phase. */
static bool
join_phase (Exam *e, unsigned arrival)
{
  Trace *t = &e->trace;
  int phase = given_phase (e, &t->arrivals[arrival]);
  g_autofree unsigned *members = g_new (unsigned, t->arrival_count);
  unsigned count = 0;
  for (unsigned i = 0; i < t->arrival_count; i++)
    if (given_phase (e, &t->arrivals[i]) == phase)
      members[count++] = i;
  if (!barrier_may_join (t, members, count))
    return false;
  trace_join (t, members, count);
  return true;
}

/* True when a phase was joined that lets threads go on. */
static bool
assume_phases (Exam *e)
{
  Trace *t = &e->trace;
  for (unsigned i = 0; i < t->arrival_count; i++) {
    const Arrival *a = &t->arrivals[i];
    if (!a->key.has_count || a->phase != NO_INDEX)
      continue;
    if (given_phase (e, a) == NO_INDEX) {
      if (a->postponed == 0)
        trace_postpone_arrival (t, i);
    } else if (join_phase (e, i)) {
      return true;
    }
  }
  return false;
}

/* Accesses of executions that have a state are of objects. */
static bool
assume_trust (Exam *e)
{
  int thread = trace_find (&e->trace, THREAD_DOUBTING);
  if (thread != NO_INDEX)
    trace_trust (&e->trace, (unsigned) thread, true);
  return thread != NO_INDEX;
}

static void
replay (Exam *e)
{
  do {
    trace_advance (&e->trace);
  } while (assume_values (e) || assume_trust (e) || assume_phases (e));
}

/* An execution need not say which arrivals of bar.arrive alone made a phase, for nothing hangs
 * on it: some choice must do. */
static bool settle (Exam *e);

static bool
settle_with (Exam *e, unsigned *members, unsigned count, unsigned from)
{
  Trace *t = &e->trace;
  const Arrival *first = &t->arrivals[members[0]];
  if (barrier_may_join (t, members, count)) {
    TraceMark mark = trace_mark (t);
    trace_join (t, members, count);
    if (settle (e))
      return true;
    trace_undo (t, mark);
  }
  for (unsigned i = from; i < t->arrival_count && count < first->key.count; i++) {
    const Arrival *a = &t->arrivals[i];
    members[count] = i;
    if (a->mode == BARRIER_ARRIVE && a->phase == NO_INDEX
        && settle_with (e, members, count + 1, i + 1))
      return true;
  }
  return false;
}

static bool
settle (Exam *e)
{
  Trace *t = &e->trace;
  if (barrier_settled (t))
    return true;
  g_autofree unsigned *members = g_new (unsigned, t->arrival_count + 1);
  for (unsigned i = 0; i < t->arrival_count; i++) {
    const Arrival *a = &t->arrivals[i];
    members[0] = i;
    if (a->key.has_count && a->mode == BARRIER_ARRIVE && a->phase == NO_INDEX
        && settle_with (e, members, 1, i + 1))
      return true;
  }
  return false;
}

static bool
same_place (const Event *x, const Event *y)
{
  return x->mapping == y->mapping && x->object == y->object && x->offset == y->offset
         && x->size == y->size && x->value == y->value;
}

static bool
same_marks (const Event *x, const Event *y)
{
  return x->sem == y->sem && x->scope == y->scope && x->is_atom == y->is_atom
         && x->is_red == y->is_red && x->is_volatile == y->is_volatile
         && x->is_mmio == y->is_mmio;
}

/* The phase of event i, or NO_INDEX when nobody waits for it. */
static int
awaited_phase (const Execution *x, unsigned i)
{
  for (unsigned j = 0; j < x->event_count; j++) {
    const Event *e = &x->events[j];
    if (e->kind == EVENT_BARRIER && e->barrier_mode == BARRIER_SYNC
        && e->phase == x->events[i].phase)
      return e->phase;
  }
  return NO_INDEX;
}

static bool
same_event (const Event *x, const Event *y)
{
  if (!same_operation (x, y) || x->is_init != y->is_init)
    return false;
  switch (x->kind) {
  case EVENT_READ:
  case EVENT_WRITE:
    return same_marks (x, y) && same_place (x, y) && (x->is_init || x->proxy == y->proxy);
  case EVENT_FENCE:
    return same_marks (x, y);
  case EVENT_PROXY_FENCE:
    return x->pfence == y->pfence;
  case EVENT_BARRIER:
    return x->barrier_mode == y->barrier_mode; /* for phases see same_phases */
  }
  g_assert_not_reached ();
}

/* They may be numbered differently. */
static bool
same_phases (const Execution *x, const Execution *y)
{
  for (unsigned i = 0; i < x->event_count; i++) {
    if (x->events[i].kind != EVENT_BARRIER)
      continue;
    int phase = awaited_phase (x, i);
    int own = awaited_phase (y, i);
    if ((phase == NO_INDEX) != (own == NO_INDEX))
      return false;
    for (unsigned j = 0; j < i; j++)
      if (x->events[j].kind == EVENT_BARRIER
          && (phase == awaited_phase (x, j)) != (own == awaited_phase (y, j)))
        return false;
  }
  return true;
}

static bool
same_pairs (const Pairs *x, const Pairs *y)
{
  if (x->count != y->count)
    return false;
  for (unsigned i = 0; i < x->count; i++)
    if (x->pairs[i].from != y->pairs[i].from || x->pairs[i].to != y->pairs[i].to)
      return false;
  return true;
}

static const char *
compare_with (Exam *e, const Execution *own)
{
  const Execution *x = e->x;
  for (unsigned i = 0; i < x->event_count && i < own->event_count; i++)
    if (!same_event (&x->events[i], &own->events[i]))
      return arena_printf (e->arena, "event %u is not what the threads do", i);
  if (x->event_count != own->event_count)
    return arena_printf (e->arena, "%u events where the threads have %u", x->event_count,
                         own->event_count);
  if (!same_phases (x, own))
    return "the phases of barriers are not what the threads do";
  const struct {
    const char *name;
    const Pairs *given;
    const Pairs *own;
  } relations[] = { { "rmw", &x->rmw, &own->rmw },
                    { "addr", &x->addr, &own->addr },
                    { "data", &x->data, &own->data },
                    { "ctrl", &x->ctrl, &own->ctrl } };
  for (unsigned i = 0; i < G_N_ELEMENTS (relations); i++)
    if (!same_pairs (relations[i].given, relations[i].own))
      return arena_printf (e->arena, "%s is not what the threads do", relations[i].name);
  for (unsigned i = 0; i < x->program->thread_count; i++)
    if (x->stuck[i] != own->stuck[i])
      return arena_printf (e->arena, "thread %u: stuck or not", i);
  return NULL;
}

static const char *
examine_threads (Exam *e)
{
  replay (e);
  Trace *t = &e->trace;
  if (trace_find (t, THREAD_CUT) != NO_INDEX)
    return "a thread needs more iterations than the bound";
  if (t->contradiction || trace_find (t, THREAD_FAULTED) != NO_INDEX)
    return "an access covers no object";
  if (trace_may_grow (t))
    return "the threads do something that the execution lacks";
  if (!settle (e))
    return "the phases of barriers cannot be put in an order";
  for (unsigned i = 0; i < e->x->program->thread_count; i++)
    if (t->threads[i]->status == THREAD_WAITING && t->flows[i].shows[t->threads[i]->pc])
      return arena_printf (e->arena, "thread %u is stuck before its end", i);
  return compare_with (e, witness_new (e->arena, t, NULL, NULL));
}

/* ---- The final state ----------------------------------------------------------------------
 */

static bool
is_final_value (Exam *e, unsigned object, uint64_t value, unsigned bits)
{
  const Execution *x = e->x;
  const Rel *co = rel_from_pairs (e->arena, x->event_count, x->co);
  for (unsigned i = 0; i < x->event_count; i++) {
    const Event *w = &x->events[i];
    if (w->kind == EVENT_WRITE && w->object == (int) object
        && truncate_bits (w->value, bits) == value && rel_next (co, i, 0) == x->event_count)
      return true;
  }
  return false;
}

static const char *
examine_state (Exam *e)
{
  const Program *p = e->x->program;
  const Trace *t = &e->trace;
  for (unsigned i = 0; i < p->observed_count; i++) {
    const Observed *o = &p->observed[i];
    uint64_t value = e->x->state[i];
    bool ok;
    if (o->is_location)
      ok = is_final_value (e, p->mappings[p->locations[o->index].mapping].object, value,
                           o->bits);
    else
      ok = truncate_bits (val_get (t, t->threads[o->thread]->regs[o->index]), o->bits) == value;
    if (!ok)
      return arena_printf (e->arena, "%s does not end with that value", o->key);
  }
  return cond_holds (p, p->filter, e->x->state) ? NULL : "the state fails the filter";
}

/* ---- The axioms ---------------------------------------------------------------------------
 */

static const char *
examine_axioms (Exam *e)
{
  CatEval *eval = cat_eval_new (e->arena, e->model, e->x);
  const char *violated = NULL;
  for (unsigned i = 0; i < e->model->check_count; i++) {
    const CatCheck *c = &e->model->checks[i];
    if (c->is_flag || cat_eval_check (eval, c))
      continue;
    violated
        = violated == NULL ? c->name : arena_printf (e->arena, "%s, %s", violated, c->name);
  }
  return violated;
}

static const char *
examine_ranges (Exam *e)
{
  const Execution *x = e->x;
  const struct {
    const char *name;
    const Pairs *pairs;
  } relations[] = { { "rf", &x->rf },    { "co", &x->co },     { "sync_fence", &x->sync_fence },
                    { "rmw", &x->rmw },  { "addr", &x->addr }, { "data", &x->data },
                    { "ctrl", &x->ctrl } };
  for (unsigned i = 0; i < G_N_ELEMENTS (relations); i++) {
    const char *wrong = pairs_in_range (e, relations[i].pairs, relations[i].name);
    if (wrong != NULL)
      return wrong;
  }
  return NULL;
}

const char *
exec_check (Arena *a, const Execution *execution, const CatModel *model,
            const RunOptions *options)
{
  static const char *(*const examinations[]) (Exam *)
      = { examine_ranges,     examine_threads, examine_rf,    examine_co,
          examine_sync_fence, examine_state,   examine_axioms };
  Exam e = { .arena = a, .x = execution, .model = model, .options = *options };
  e.options.fault = FAULT_NONE;
  const char *wrong = NULL;
  trace_init (&e.trace, a, execution->program, &e.options);
  for (unsigned i = 0; i < G_N_ELEMENTS (examinations) && wrong == NULL; i++)
    wrong = examinations[i](&e);
  trace_clear (&e.trace);
  return wrong;
}
