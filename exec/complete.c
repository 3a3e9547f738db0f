/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/barrier.h"
#include "exec/matrix.h"
#include "exec/search.h"

/* A candidate whose threads have done all they can and whose reads have their sources: Fence-SC
 * orders, coherence, final states, flags. */
typedef struct Leaf {
  Search *s;
  Frame *f;
  bool gives_outcome;
  bool cut;
  bool accepted; /* some state of the present Fence-SC order passes the filter */
} Leaf;

/* ---- Existence of a coherence order -------------------------------------------------------
 */

/* A linear order that extends co: the number of predecessors; writes with nothing after them
 * that cannot get anything come last. */
static void
rank_writes (const Choice *c, unsigned *rank)
{
  for (unsigned i = 0; i < c->n; i++) {
    bool last = row_empty (mat_row_const (c->co_upper, c->w, i), c->w);
    rank[i] = last ? c->n * c->n + i : i;
  }
  for (unsigned i = 0; i < c->n; i++)
    ROW_EACH (j, mat_row_const (c->co_lower, c->w, i), c->w)
  rank[j] += c->n;
}

/* Tries co as it is, and then with all pairs that axioms want put in one order. */
static bool
guess_co (Search *s, Frame *f, const Choice *c, Choice *found)
{
  choice_copy (found, c);
  if (frame_eval (f, found, DEP_CO, true))
    return true;
  unsigned *rank = arena_array (s->scratch, unsigned, c->n);
  rank_writes (c, rank);
  choice_copy (found, c);
  return frame_orient (f, found, rank) && frame_eval (f, found, DEP_CO, true);
}

typedef enum PairWay { WAY_FORWARD, WAY_BACKWARD, WAY_NEITHER, WAY_COUNT } PairWay;

static bool
go_way (Choice *c, PairWay way, unsigned from, unsigned to)
{
  switch (way) {
  case WAY_FORWARD:
    return choice_force_co (c, from, to);
  case WAY_BACKWARD:
    return choice_force_co (c, to, from);
  case WAY_NEITHER:
    return choice_forbid_co (c, from, to) && choice_forbid_co (c, to, from);
  case WAY_COUNT:
    break;
  }
  g_assert_not_reached ();
}

/* Whether co, as far as it is decided in `c` (just evaluated without a failure), can be
 * completed so that all axioms hold; a completion in `found`. */
static bool
find_co (Search *s, Frame *f, const Choice *c, Choice *found)
{
  unsigned from, to;
  if (!choice_open_co (c, &from, &to)) {
    choice_copy (found, c);
    return true;
  }
  ArenaMark mark = arena_mark (s->scratch);
  bool ok = guess_co (s, f, c, found);
  if (!ok && !search_over (s) && frame_blamed_pair (f, c, &from, &to)) {
    Choice next = choice_new (s->scratch, c->n);
    for (unsigned way = 0; way < WAY_COUNT && !ok; way++) {
      choice_copy (&next, c);
      ok = go_way (&next, (PairWay) way, from, to) && frame_eval (f, &next, DEP_CO, false)
           && find_co (s, f, &next, found);
    }
  }
  arena_release (s->scratch, mark);
  return ok;
}

/* ---- Final states -------------------------------------------------------------------------
 */

static int
observed_object (const Program *p, unsigned observed)
{
  const Location *l = &p->locations[p->observed[observed].index];
  return (int) p->mappings[l->mapping].object;
}

/* Several observed names of one object have one final value. */
static bool
agrees_with_aliases (const Search *s, unsigned location, unsigned write)
{
  int object = s->trace.events[write].event.object;
  for (unsigned i = 0; i < location; i++)
    if (observed_object (s->program, s->locations[i]) == object)
      return s->finals[i] == write;
  return true;
}

/* `write` is a write of the location's object after which co has nothing (yet). */
static bool
may_be_final (const Search *s, const Choice *c, unsigned write, unsigned location)
{
  const Event *e = &s->trace.events[write].event;
  return e->kind == EVENT_WRITE
         && e->object == observed_object (s->program, s->locations[location])
         && row_empty (mat_row_const (c->co_lower, c->w, write), c->w)
         && agrees_with_aliases (s, location, write);
}

static void
set_final_value (Search *s, unsigned location, unsigned write)
{
  unsigned observed = s->locations[location];
  s->finals[location] = write;
  s->values[observed] = truncate_bits (val_get (&s->trace, s->trace.events[write].value),
                                       s->program->observed[observed].bits);
}

static bool
is_news (const Search *s)
{
  const FoundState *state = results_find (&s->results, s->values);
  return state == NULL || (s->counting && state->last_candidate != s->candidates);
}

static void
record (Leaf *leaf, const Choice *c)
{
  Search *s = leaf->s;
  if (s->filtered && !cond_holds (s->program, s->program->filter, s->values))
    return;
  leaf->accepted = true;
  FoundState *state = results_find (&s->results, s->values);
  if (state == NULL)
    state = results_add (&s->results, s->values, &s->trace, c);
  if (state->last_candidate != s->candidates)
    state->executions++;
  state->last_candidate = s->candidates;
  bool forall = s->program->quantifier == QUANT_FORALL;
  if (s->options->verdict_only && s->results.reachable && (!forall || s->results.refutable))
    s->enough = true;
}

/* Every combination of writes that `c`, a completed co, leaves last. */
static void
record_finals (Leaf *leaf, const Choice *c, unsigned location)
{
  Search *s = leaf->s;
  if (location == s->location_count) {
    record (leaf, c);
    return;
  }
  for (unsigned i = 0; i < c->n; i++)
    if (may_be_final (s, c, i, location)) {
      set_final_value (s, location, i);
      record_finals (leaf, c, location + 1);
      if (fault_is (s->options, FAULT_FIRST_FINAL))
        return;
    }
}

/* Nothing comes after `write`. */
static bool
keep_last (Choice *c, unsigned write)
{
  Word *upper = mat_row (c->co_upper, c->w, write);
  if (!row_empty (mat_row (c->co_lower, c->w, write), c->w))
    return false;
  memset (upper, 0, sizeof (Word) * c->w);
  return true;
}

/* The same where co needs more pairs than are forced: each combination is a question of its
 * own. `c` was just evaluated. */
static void
ask_finals (Leaf *leaf, const Choice *c, unsigned location)
{
  Search *s = leaf->s;
  ArenaMark mark = arena_mark (s->scratch);
  Choice next = choice_new (s->scratch, c->n);
  if (location == s->location_count) {
    if (is_news (s) && find_co (s, leaf->f, c, &next))
      record (leaf, &next);
    arena_release (s->scratch, mark);
    return;
  }
  for (unsigned i = 0; i < c->n && !search_over (s); i++) {
    if (!may_be_final (s, c, i, location))
      continue;
    choice_copy (&next, c);
    set_final_value (s, location, i);
    if (keep_last (&next, i) && frame_eval (leaf->f, &next, DEP_CO, false))
      ask_finals (leaf, &next, location + 1);
  }
  arena_release (s->scratch, mark);
}

/* All states that this candidate could give are known. */
static bool
nothing_new (Search *s, const Choice *c, unsigned location)
{
  if (location == s->location_count)
    return !is_news (s);
  for (unsigned i = 0; i < c->n; i++)
    if (may_be_final (s, c, i, location)) {
      set_final_value (s, location, i);
      if (!nothing_new (s, c, location + 1))
        return false;
    }
  return true;
}

/* ---- Flags --------------------------------------------------------------------------------
 */

/* Bit i: flag i of the plan is raised now, with its events in `where`. */
typedef struct Raised {
  unsigned flag;
  unsigned where[2];
  unsigned count;
} Raised;

static bool
flag_pending (Search *s, Frame *f, unsigned flag)
{
  return !results_has_flag (&s->results, s->plan->flags[flag].check->name)
         && frame_flag_possible (f, flag);
}

static bool
any_flag_pending (Search *s, Frame *f)
{
  if (s->options->verdict_only)
    return false;
  for (unsigned i = 0; i < s->plan->flag_count; i++)
    if (flag_pending (s, f, i))
      return true;
  return false;
}

/* The flags of the model that `c`, just evaluated for good, raises. */
static unsigned
gather_flags (Search *s, Frame *f, Choice *c, Raised *raised)
{
  if (!any_flag_pending (s, f))
    return 0;
  unsigned count = 0;
  frame_eval_flags (f, c);
  for (unsigned i = 0; i < s->plan->flag_count; i++) {
    Raised *r = &raised[count];
    if (flag_pending (s, f, i) && frame_flag (f, i, r->where, &r->count)) {
      r->flag = i;
      count++;
    }
  }
  return count;
}

static bool
divides_by_zero (const Trace *t)
{
  for (unsigned i = 0; i < t->node_count; i++) {
    const Node *n = &t->nodes[i];
    bool divides = (n->kind == NODE_ALU && n->op == (unsigned) ALU_DIV)
                   || (n->kind == NODE_ATOM && n->op == (unsigned) ATOM_DIV);
    if (divides && truncate_bits (val_get (t, n->b), n->type.bits) == 0)
      return true;
  }
  return false;
}

static void
flag_stuck (Search *s)
{
  const Trace *t = &s->trace;
  g_autofree unsigned *events = g_new (unsigned, s->program->thread_count);
  unsigned count = 0;
  for (unsigned i = 0; i < s->program->thread_count; i++)
    if (t->threads[i]->status == THREAD_WAITING)
      events[count++] = t->arrivals[t->threads[i]->arrival].event;
  if (count > 0)
    results_flag (&s->results, "barrier-stuck", t, events, count);
}

/* Flags that come from the threads, not from the model. */
static void
flag_threads (Search *s)
{
  unsigned pair[2];
  flag_stuck (s);
  if (trace_find (&s->trace, THREAD_FAULTED) != NO_INDEX)
    results_flag (&s->results, "out-of-bounds", &s->trace, NULL, 0);
  if (barrier_misused (&s->trace, &pair[0], &pair[1]))
    results_flag (&s->results, "barrier-misuse", &s->trace, pair, 2);
  if (s->has_division && divides_by_zero (&s->trace))
    results_flag (&s->results, "unspecified-value", &s->trace, NULL, 0);
}

/* ---- A candidate --------------------------------------------------------------------------
 */

static void
finish (Leaf *leaf, const Raised *raised, unsigned count)
{
  Search *s = leaf->s;
  for (unsigned i = 0; i < count; i++)
    results_flag (&s->results, s->plan->flags[raised[i].flag].check->name, &s->trace,
                  raised[i].where, raised[i].count);
  flag_threads (s);
}

static bool
same_co (const Choice *x, const Choice *y)
{
  return memcmp (x->co_lower, y->co_lower, sizeof (Word) * x->n * x->w) == 0;
}

/* The Fence-SC order is decided too; `c` was just evaluated. */
static void
judge (Leaf *leaf, const Choice *c)
{
  Search *s = leaf->s;
  ArenaMark mark = arena_mark (s->scratch);
  Choice found = choice_new (s->scratch, c->n);
  s->candidates++;
  if (s->candidates > COUNT_LIMIT)
    s->counting = false;
  bool exists = find_co (s, leaf->f, c, &found);
  if (exists && leaf->cut) {
    s->bound_reached = true;
  } else if (exists) {
    Raised *raised = arena_array (s->scratch, Raised, s->plan->flag_count + 1);
    unsigned count = gather_flags (s, leaf->f, &found, raised);
    leaf->accepted = !leaf->gives_outcome;
    if (leaf->gives_outcome && same_co (c, &found))
      record_finals (leaf, &found, 0);
    else if (leaf->gives_outcome)
      ask_finals (leaf, c, 0);
    if (leaf->accepted) {
      s->consistent++;
      finish (leaf, raised, count);
    }
  }
  arena_release (s->scratch, mark);
}

/* Both directions of every pair that the Fence-SC order still leaves open. */
static void
order_fences (Leaf *leaf, const Choice *c)
{
  Search *s = leaf->s;
  unsigned from, to;
  if (!choice_open_sf (c, &from, &to)) {
    judge (leaf, c);
    return;
  }
  ArenaMark mark = arena_mark (s->scratch);
  Choice next = choice_new (s->scratch, c->n);
  bool one_order = fault_is (s->options, FAULT_ONE_FENCE_ORDER);
  for (unsigned way = 0; way < (one_order ? 1u : 2u) && !search_over (s); way++) {
    if (way == 1 && !s->counting && !any_flag_pending (s, leaf->f) && leaf->gives_outcome
        && nothing_new (s, c, 0))
      break;
    choice_copy (&next, c);
    if (choice_force_sf (&next, way == 0 ? from : to, way == 0 ? to : from)
        && frame_eval (leaf->f, &next, DEP_SF | DEP_CO, false))
      order_fences (leaf, &next);
  }
  arena_release (s->scratch, mark);
}

/* No access has gone astray, and no instruction behind a stuck thread's waiting point could
 * change what is observed. */
static bool
state_is_final (const Search *s)
{
  const Trace *t = &s->trace;
  if (trace_find (t, THREAD_FAULTED) != NO_INDEX)
    return false;
  if (fault_is (s->options, FAULT_STUCK_IS_FINAL))
    return true;
  for (unsigned i = 0; i < s->program->thread_count; i++)
    if (t->threads[i]->status == THREAD_WAITING && t->flows[i].shows[t->threads[i]->pc])
      return false;
  return true;
}

static void
set_register_values (Search *s)
{
  const Trace *t = &s->trace;
  for (unsigned i = 0; i < s->program->observed_count; i++) {
    const Observed *o = &s->program->observed[i];
    if (!o->is_location)
      s->values[i]
          = truncate_bits (val_get (t, t->threads[o->thread]->regs[o->index]), o->bits);
  }
}

/* Values in a circle: nothing that a concrete execution could take from anywhere. */
static bool
values_known (const Trace *t)
{
  for (unsigned i = 0; i < t->open_count; i++)
    if (!t->nodes[t->open[i]].known)
      return false;
  return true;
}

void
search_complete (Search *s, Frame *f, const Choice *c)
{
  if (!values_known (&s->trace)) {
    s->thin_air = true;
    return;
  }
  Leaf leaf = { .s = s,
                .f = f,
                .gives_outcome = state_is_final (s),
                .cut = trace_find (&s->trace, THREAD_CUT) != NO_INDEX };
  set_register_values (s);
  if (!s->counting && !leaf.cut && leaf.gives_outcome && !any_flag_pending (s, f)
      && nothing_new (s, c, 0))
    return;
  order_fences (&leaf, c);
}
