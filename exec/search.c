/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/search.h"

#include "exec/barrier.h"

bool
search_over (Search *s)
{
  if (s->stopped != STOP_NONE || s->enough)
    return true;
  size_t bytes
      = arena_used (s->scratch) + arena_used (s->results.arena) + trace_bytes (&s->trace);
  s->peak = MAX (s->peak, bytes);
  s->stopped = budget_poll (s->budget, bytes);
  return s->stopped != STOP_NONE;
}

/* ---- Cutting by the question --------------------------------------------------------------
 */

typedef enum Truth { FALSE_FOR_SURE, TRUE_FOR_SURE, UNSETTLED } Truth;

/* Registers of threads that have ended are final. */
static void
gather_known (Search *s)
{
  const Trace *t = &s->trace;
  for (unsigned i = 0; i < s->program->observed_count; i++) {
    const Observed *o = &s->program->observed[i];
    s->known[i] = false;
    if (o->is_location || t->threads[o->thread]->status != THREAD_ENDED)
      continue;
    Val v = t->threads[o->thread]->regs[o->index];
    s->known[i] = val_known (t, v);
    if (s->known[i])
      s->values[i] = truncate_bits (val_get (t, v), o->bits);
  }
}

static bool
term_known (const Search *s, const CondTerm *term)
{
  if (term->kind == TERM_CONST || term->kind == TERM_ADDRESS)
    return true;
  for (unsigned i = 0; i < s->program->observed_count; i++) {
    const Observed *o = &s->program->observed[i];
    if (o->is_location == (term->kind == TERM_LOC) && o->index == term->index
        && (o->is_location || o->thread == term->thread))
      return s->known[i];
  }
  return false;
}

static Truth
truth_of_and (Truth x, Truth y)
{
  if (x == FALSE_FOR_SURE || y == FALSE_FOR_SURE)
    return FALSE_FOR_SURE;
  return x == TRUE_FOR_SURE && y == TRUE_FOR_SURE ? TRUE_FOR_SURE : UNSETTLED;
}

static Truth
truth_of_not (Truth x)
{
  return x == UNSETTLED ? UNSETTLED : x == TRUE_FOR_SURE ? FALSE_FOR_SURE : TRUE_FOR_SURE;
}

static Truth
truth (const Search *s, const Cond *c)
{
  switch (c->kind) {
  case COND_TRUE:
    return TRUE_FOR_SURE;
  case COND_CMP:
    if (!term_known (s, &c->left_term) || !term_known (s, &c->right_term))
      return UNSETTLED;
    return cond_holds (s->program, c, s->values) ? TRUE_FOR_SURE : FALSE_FOR_SURE;
  case COND_NOT:
    return truth_of_not (truth (s, c->left));
  case COND_AND:
    return truth_of_and (truth (s, c->left), truth (s, c->right));
  case COND_OR:
    return truth_of_not (
        truth_of_and (truth_of_not (truth (s, c->left)), truth_of_not (truth (s, c->right))));
  }
  g_assert_not_reached ();
}

/* Whether a state that satisfies the condition (or one that does not) would be news. */
static bool
wanted (const Search *s, Truth condition)
{
  bool forall = s->program->quantifier == QUANT_FORALL;
  if (condition == TRUE_FOR_SURE)
    return !s->results.reachable;
  if (condition == FALSE_FOR_SURE)
    return forall && !s->results.refutable;
  return true;
}

/* Nothing below can add to the answer. */
static bool
pointless (Search *s)
{
  if (s->bound_reached && trace_find (&s->trace, THREAD_CUT) != NO_INDEX)
    return true;
  if (!s->filtered && !s->options->verdict_only)
    return false;
  gather_known (s);
  if (s->filtered && truth (s, s->program->filter) == FALSE_FOR_SURE)
    return true;
  return s->options->verdict_only && !wanted (s, truth (s, s->program->condition));
}

/* ---- Deciding -----------------------------------------------------------------------------
 */

static void decide (Search *s, Frame *f, const Choice *c);

/* After a decision: runs the threads on and evaluates; goes deeper when nothing fails. */
static void
descend (Search *s, Frame *f, const Choice *before)
{
  trace_advance (&s->trace);
  if (s->trace.contradiction || search_over (s) || pointless (s))
    return;
  ArenaMark mark = arena_mark (s->scratch);
  bool fresh = f == NULL || !frame_fits (f, &s->trace);
  if (fresh)
    f = frame_new (s->scratch, s->plan, &s->trace, before);
  Choice c = choice_new (s->scratch, s->trace.event_count);
  choice_copy (&c, fresh ? frame_root (f) : before);
  if (frame_eval (f, &c, fresh ? DEP_ALL : DEP_RF | DEP_SF | DEP_CO, false))
    decide (s, f, &c);
  arena_release (s->scratch, mark);
}

static bool
has_later_write (const Trace *t, unsigned read)
{
  const TraceEvent *r = &t->events[read];
  for (unsigned i = r->postponed; i < t->event_count; i++)
    if (t->events[i].event.kind == EVENT_WRITE && t->events[i].event.object == r->event.object)
      return true;
  return false;
}

static bool
to_be_decided (const Trace *t, unsigned event)
{
  const TraceEvent *e = &t->events[event];
  return e->event.kind == EVENT_READ && e->source == NO_INDEX
         && (e->postponed == 0 || has_later_write (t, event));
}

/* Nodes to be looked at, each once. */
typedef struct Worklist {
  Word *seen;
  unsigned *nodes;
  unsigned count;
} Worklist;

static void
look_at (const Trace *t, Worklist *list, Val v)
{
  if (v.node == NO_INDEX || t->nodes[v.node].known || bit_get (list->seen, (unsigned) v.node))
    return;
  bit_set (list->seen, (unsigned) v.node);
  list->nodes[list->count++] = (unsigned) v.node;
}

/* A read to be decided that a value on the list hangs on, or NO_INDEX. */
static int
read_behind (const Trace *t, Worklist *list)
{
  while (list->count > 0) {
    const Node *n = &t->nodes[list->nodes[--list->count]];
    if (n->kind != NODE_READ) {
      look_at (t, list, n->a);
      look_at (t, list, n->b);
      look_at (t, list, n->c);
    } else if (n->event != NO_INDEX && to_be_decided (t, (unsigned) n->event)) {
      return n->event;
    } else if (n->event != NO_INDEX && t->events[n->event].source != NO_INDEX) {
      look_at (t, list, t->events[t->events[n->event].source].value);
    }
  }
  return NO_INDEX;
}

/* A read that holds up a thread, or NO_INDEX. */
static int
urgent_read (Search *s)
{
  const Trace *t = &s->trace;
  int read = NO_INDEX;
  ArenaMark mark = arena_mark (s->scratch);
  Worklist list = { arena_array (s->scratch, Word, words_for (t->node_count)),
                    arena_array (s->scratch, unsigned, t->node_count), 0 };
  for (unsigned i = 0; i < t->program->thread_count && read == NO_INDEX; i++) {
    const ThreadState *state = t->threads[i];
    if (state->status != THREAD_BLOCKED && state->status != THREAD_ASTRAY)
      continue;
    look_at (t, &list, state->wait_b);
    look_at (t, &list, state->wait_a);
    read = read_behind (t, &list);
  }
  arena_release (s->scratch, mark);
  return read;
}

/* First the reads that hold up a thread: the sooner everything has happened, the fewer reads
 * must be kept open for later writes. */
static int
next_read (Search *s)
{
  const Trace *t = &s->trace;
  int urgent = trace_may_grow (t) ? urgent_read (s) : NO_INDEX;
  if (urgent != NO_INDEX)
    return urgent;
  for (unsigned i = 0; i < t->event_count; i++)
    if (to_be_decided (t, i))
      return (int) i;
  return NO_INDEX;
}

/* Every write that exists (since the read was postponed), or a later one. */
static void
decide_read (Search *s, Frame *f, const Choice *c, unsigned read)
{
  Trace *t = &s->trace;
  TraceMark mark = trace_mark (t);
  int object = t->events[read].event.object;
  unsigned end = t->event_count;
  for (unsigned i = t->events[read].postponed; i < end; i++) {
    const Event *e = &t->events[i].event;
    if (e->kind != EVENT_WRITE || e->object != object)
      continue;
    trace_read_from (t, read, i);
    descend (s, f, c);
    trace_undo (t, mark);
  }
  bool later = (trace_future_writes (t) & object_bit ((unsigned) object)) != 0;
  if (!later || fault_is (s->options, FAULT_NO_LATE_WRITES))
    return;
  trace_postpone (t, read);
  decide (s, f, c);
  trace_undo (t, mark);
}

/* ---- Phases of barriers with counts -------------------------------------------------------
 */

typedef struct PhaseChoice {
  unsigned *members;
  unsigned count;
  unsigned size; /* wanted */
} PhaseChoice;

/* Every set of members that contains the ones so far and later arrivals. */
static void
extend_phase (Search *s, Frame *f, const Choice *c, PhaseChoice *phase, unsigned from)
{
  Trace *t = &s->trace;
  if (phase->count == phase->size) {
    if (!barrier_may_join (t, phase->members, phase->count)
        || !barrier_late_enough (t, phase->members, phase->count))
      return;
    TraceMark mark = trace_mark (t);
    trace_join (t, phase->members, phase->count);
    descend (s, f, c);
    trace_undo (t, mark);
    return;
  }
  unsigned end = t->arrival_count;
  for (unsigned i = from; i < end; i++) {
    if (i == phase->members[0] || t->arrivals[i].phase != NO_INDEX
        || !barrier_key_equal (&t->arrivals[i].key, &t->arrivals[phase->members[0]].key))
      continue;
    phase->members[phase->count++] = i;
    extend_phase (s, f, c, phase, i + 1);
    phase->count--;
  }
}

/* The phase of `arrival`: with arrivals that exist, or with later ones, or never. */
static void
decide_arrival (Search *s, Frame *f, const Choice *c, unsigned arrival)
{
  Trace *t = &s->trace;
  uint64_t size = MAX (t->arrivals[arrival].key.count, 1);
  TraceMark mark = trace_mark (t);
  if (size <= t->arrival_count) {
    g_autofree unsigned *members = g_new (unsigned, t->arrival_count);
    members[0] = arrival;
    PhaseChoice phase = { members, 1, (unsigned) size };
    extend_phase (s, f, c, &phase, 0);
  }
  trace_postpone_arrival (t, arrival);
  descend (s, f, c);
  trace_undo (t, mark);
}

/* Whether an access with an address yet unknown will be of an object: so the thread goes on, or
 * so it ends. */
static void
decide_doubt (Search *s, Frame *f, const Choice *c, unsigned thread)
{
  TraceMark mark = trace_mark (&s->trace);
  for (unsigned trusting = 0; trusting < 2; trusting++) {
    trace_trust (&s->trace, thread, trusting == 1);
    descend (s, f, c);
    trace_undo (&s->trace, mark);
  }
}

/* ---- The next decision --------------------------------------------------------------------
 */

static bool
all_decided (const Trace *t)
{
  for (unsigned i = 0; i < t->event_count; i++)
    if (t->events[i].event.kind == EVENT_READ && t->events[i].source == NO_INDEX)
      return false;
  return true;
}

static void
decide (Search *s, Frame *f, const Choice *c)
{
  if (search_over (s))
    return;
  int doubting = trace_find (&s->trace, THREAD_DOUBTING);
  if (doubting != NO_INDEX) {
    decide_doubt (s, f, c, (unsigned) doubting);
    return;
  }
  int arrival = barrier_next_choice (&s->trace);
  if (arrival != NO_INDEX) {
    decide_arrival (s, f, c, (unsigned) arrival);
    return;
  }
  int read = next_read (s);
  if (read != NO_INDEX) {
    decide_read (s, f, c, (unsigned) read);
    return;
  }
  /* A thread that still waits for a value waits for one that comes of itself. */
  if (trace_may_grow (&s->trace))
    s->thin_air = s->thin_air || !s->guarded;
  else if (all_decided (&s->trace) && barrier_settled (&s->trace))
    search_complete (s, f, c);
}

void
search_run (Search *s)
{
  descend (s, NULL, NULL);
}
