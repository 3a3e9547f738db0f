/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/frame.h"

#include "exec/base.h"
#include "exec/frame_impl.h"

/* ---- Making -------------------------------------------------------------------------------
 */

static const Event *
event_at (const Frame *f, unsigned i)
{
  return &f->trace->events[i].event;
}

static void
find_accesses (Frame *f)
{
  unsigned w = f->shape.w;
  f->reads = arena_array (f->arena, unsigned, f->shape.n);
  f->object_writes = arena_array (f->arena, Word, (size_t) f->trace->program->object_count * w);
  for (unsigned i = 0; i < f->shape.n; i++) {
    const Event *e = event_at (f, i);
    if (e->kind == EVENT_READ)
      f->reads[f->read_count++] = i;
    if (e->kind == EVENT_WRITE)
      bit_set (mat_row (f->object_writes, w, (unsigned) e->object), i);
  }
}

static void
find_possible_sources (Frame *f)
{
  unsigned w = f->shape.w;
  f->possible_rf = frame_matrix (f);
  f->possible_fr = frame_matrix (f);
  for (unsigned i = 0; i < f->read_count; i++) {
    unsigned read = f->reads[i];
    const Word *writes = mat_row (f->object_writes, w, (unsigned) event_at (f, read)->object);
    memcpy (mat_row (f->possible_fr, w, read), writes, sizeof (Word) * w);
    ROW_EACH (j, writes, w)
    bit_set (mat_row (f->possible_rf, w, (unsigned) j), read);
  }
}

/* Copies the rows of a smaller frame. */
static void
widen (Word *to, unsigned w, const Word *from, unsigned from_n, unsigned from_w)
{
  for (unsigned i = 0; i < from_n; i++)
    memcpy (mat_row (to, w, i), mat_row_const (from, from_w, i), sizeof (Word) * from_w);
}

/* Every two writes of an object may be in co in either direction, but nothing precedes the
 * initial ones. */
static void
open_co (Frame *f, unsigned first)
{
  for (unsigned i = 0; i < f->shape.n; i++) {
    const Event *e = event_at (f, i);
    if (e->kind != EVENT_WRITE)
      continue;
    Word *row = mat_row (f->root.co_upper, f->shape.w, i);
    ROW_EACH (j, mat_row (f->object_writes, f->shape.w, (unsigned) e->object), f->shape.w)
    {
      bool is_new = i >= first || (unsigned) j >= first;
      if (is_new && (unsigned) j != i && !event_at (f, (unsigned) j)->is_init)
        bit_set (row, (unsigned) j);
    }
  }
}

static bool
order_initial_writes (Frame *f)
{
  if (fault_is (f->trace->options, FAULT_INIT_NOT_FIRST))
    return true;
  for (unsigned i = 0; i < f->shape.n && event_at (f, i)->is_init; i++)
    ROW_EACH (j, mat_row (f->object_writes, f->shape.w, (unsigned) event_at (f, i)->object),
              f->shape.w)
  if ((unsigned) j != i && !choice_force_co (&f->root, i, (unsigned) j))
    return false;
  return true;
}

/* Does an axiom put pairs into the Fence-SC order? */
static bool
asks_for_sf (const Plan *plan)
{
  for (unsigned i = 0; i < plan->rule_count; i++)
    if (plan->rules[i].base == CAT_BASE_SYNC_FENCE && !plan->rules[i].forbids)
      return true;
  return false;
}

static void
open_sf (Frame *f, unsigned first)
{
  const Trace *t = f->trace;
  bool asks = asks_for_sf (f->plan);
  for (unsigned i = 0; i < f->shape.n; i++)
    for (unsigned j = 0; j < f->shape.n; j++) {
      const Event *x = event_at (f, i);
      const Event *y = event_at (f, j);
      if ((i < first && j < first) || x->kind != EVENT_FENCE)
        continue;
      bool ordered = base_orders_fences (t->program, x, y, t->options);
      if (!ordered && !(asks && base_may_order_fences (t->program, x, y)))
        continue;
      bit_set (mat_row (f->root.sf_upper, f->shape.w, i), j);
      if (!ordered) {
        bit_set (mat_row (f->root.sf_free, f->shape.w, i), j);
        f->sf_asked = true;
      }
    }
}

static bool
order_fences_of_threads (Frame *f, unsigned first)
{
  const TraceEvent *events = f->trace->events;
  for (unsigned i = 0; i < f->shape.n; i++)
    ROW_EACH (j, mat_row (f->root.sf_upper, f->shape.w, i), f->shape.w)
  if ((i >= first || (unsigned) j >= first) && events[i].event.thread == events[j].event.thread
      && events[i].seq < events[j].seq && !choice_force_sf (&f->root, i, (unsigned) j))
    return false;
  return true;
}

static bool
make_root (Frame *f, const Choice *parent)
{
  unsigned first = 0;
  f->root = choice_new (f->arena, f->shape.n);
  if (parent != NULL) {
    Choice *c = &f->root;
    first = parent->n;
    widen (c->co_lower, c->w, parent->co_lower, parent->n, parent->w);
    widen (c->co_upper, c->w, parent->co_upper, parent->n, parent->w);
    widen (c->sf_lower, c->w, parent->sf_lower, parent->n, parent->w);
    widen (c->sf_upper, c->w, parent->sf_upper, parent->n, parent->w);
    widen (c->sf_reach, c->w, parent->sf_reach, parent->n, parent->w);
    widen (c->sf_free, c->w, parent->sf_free, parent->n, parent->w);
    f->sf_asked = !row_empty (c->sf_free, (size_t) c->n * c->w);
  }
  open_co (f, first);
  open_sf (f, first);
  return order_initial_writes (f) && order_fences_of_threads (f, first);
}

Frame *
frame_new (Arena *a, const Plan *plan, const Trace *trace, const Choice *parent)
{
  Frame *f = arena_new_of (a, Frame);
  unsigned n = trace->event_count;
  unsigned w = words_for (n);
  f->arena = a;
  f->plan = plan;
  f->trace = trace;
  f->phases = trace->phase_count;
  f->complete = !trace_may_grow (trace);
  f->scratch = arena_array (a, Word, w);
  Word *all = arena_array (a, Word, w);
  for (unsigned i = 0; i < n; i++)
    bit_set (all, i);
  f->shape = (CodeShape){ n, w, all };
  f->none = frame_matrix (f);
  f->full = frame_matrix (f);
  for (unsigned i = 0; i < n; i++)
    memcpy (mat_row (f->full, w, i), all, sizeof (Word) * w);
  find_accesses (f);
  find_possible_sources (f);
  f->doomed = !make_root (f, parent);
  unsigned from, to;
  f->co_decided = !choice_open_co (&f->root, &from, &to);
  f->sf_decided = !f->sf_asked && !choice_open_sf (&f->root, &from, &to);
  frame_specialize (f);
  if (f->complete)
    frame_specialize_flags (f);
  return f;
}

bool
frame_fits (const Frame *f, const Trace *trace)
{
  return f->shape.n == trace->event_count && f->phases == trace->phase_count
         && f->complete == !trace_may_grow (trace);
}

const Choice *
frame_root (const Frame *f)
{
  return &f->root;
}

/* ---- Loading what is chosen ---------------------------------------------------------------
 */

static void
load_rf (Frame *f)
{
  unsigned w = f->shape.w;
  Word *lower = f->rf.lower;
  Word *upper = f->rf.upper;
  size_t bytes = sizeof (Word) * f->shape.n * w;
  if (lower != NULL)
    memset (lower, 0, bytes);
  if (upper != NULL)
    memset (upper, 0, bytes);
  for (unsigned i = 0; i < f->read_count; i++) {
    unsigned read = f->reads[i];
    int source = f->trace->events[read].source;
    if (source != NO_INDEX && lower != NULL)
      bit_set (mat_row (lower, w, (unsigned) source), read);
    if (upper == NULL)
      continue;
    if (source != NO_INDEX)
      bit_set (mat_row (upper, w, (unsigned) source), read);
    else
      ROW_EACH (j, mat_row (f->possible_fr, w, read), w)
    bit_set (mat_row (upper, w, (unsigned) j), read);
  }
}

static void
load_order (const Frame *f, Chosen *chosen, const Word *lower, const Word *upper)
{
  size_t bytes = sizeof (Word) * f->shape.n * f->shape.w;
  if (chosen->lower != NULL)
    memcpy (chosen->lower, lower, bytes);
  if (chosen->upper != NULL)
    memcpy (chosen->upper, upper, bytes);
}

/* from-reads of one bound: what follows the source in co. */
static void
load_fr_bound (Frame *f, Word *to, const Word *co, bool is_upper)
{
  unsigned w = f->shape.w;
  for (unsigned i = 0; i < f->read_count; i++) {
    unsigned read = f->reads[i];
    int source = f->trace->events[read].source;
    const Word *row = is_upper ? mat_row (f->possible_fr, w, read) : f->none;
    if (source != NO_INDEX)
      row = mat_row_const (co, w, (unsigned) source);
    if (source != NO_INDEX && event_at (f, (unsigned) source)->is_init
        && fault_is (f->trace->options, FAULT_FR_WITHOUT_INIT))
      row = f->none;
    memcpy (mat_row (to, w, read), row, sizeof (Word) * w);
  }
}

static void
load_fr (Frame *f, const Choice *c, bool exact)
{
  if (f->fr.lower != NULL)
    load_fr_bound (f, f->fr.lower, c->co_lower, false);
  if (f->fr.upper != NULL)
    load_fr_bound (f, f->fr.upper, exact ? c->co_lower : c->co_upper, true);
}

/* ---- Rules --------------------------------------------------------------------------------
 */

static bool
apply_to_pair (Choice *c, const Rule *rule, unsigned from, unsigned to)
{
  if (rule->inverse) {
    unsigned swap = from;
    from = to;
    to = swap;
  }
  if (rule->base == CAT_BASE_CO)
    return rule->forbids ? choice_forbid_co (c, from, to) : choice_force_co (c, from, to);
  return rule->forbids ? choice_forbid_sf (c, from, to) : choice_force_sf (c, from, to);
}

/* The matrix that has a pair exactly when there is something left to do: when it is not in yet,
 * or not out yet for a rule that forbids. */
static const Word *
settled_by (const Choice *c, const Rule *rule)
{
  if (rule->base == CAT_BASE_CO)
    return rule->forbids ? c->co_upper : c->co_lower;
  return rule->forbids ? c->sf_upper : c->sf_lower;
}

static bool
unsettled (const Choice *c, const Rule *rule, unsigned from, unsigned to)
{
  const Word *m = settled_by (c, rule);
  bool has = rule->inverse ? bit_get (mat_row_const (m, c->w, to), from)
                           : bit_get (mat_row_const (m, c->w, from), to);
  return has == rule->forbids;
}

/* Word k of the pairs of row i that the rule speaks of. */
static Word
rule_word (const Frame *f, const Choice *c, unsigned index, size_t k)
{
  const Rule *rule = &f->plan->rules[index];
  Word word = f->rules[index].source[k];
  for (unsigned m = 0; m < rule->minus_count; m++)
    word &= ~f->rules[index].minus[m][k];
  return rule->forbids && !rule->inverse ? word & settled_by (c, rule)[k] : word;
}

static bool
apply_rule (Frame *f, Choice *c, unsigned index, bool *news)
{
  const Rule *rule = &f->plan->rules[index];
  unsigned w = f->shape.w;
  for (unsigned i = 0; i < f->shape.n; i++)
    for (unsigned k = 0; k < w; k++)
      for (Word row = rule_word (f, c, index, (size_t) i * w + k); row != 0; row &= row - 1) {
        unsigned j = k * WORD_BITS + (unsigned) __builtin_ctzll (row);
        if (!unsettled (c, rule, i, j))
          continue;
        if (!apply_to_pair (c, rule, i, j))
          return false;
        *news = true;
      }
  return true;
}

/* ---- Evaluation ---------------------------------------------------------------------------
 */

void
frame_run_fixpoint (const Frame *f, const Fixpoint *fix)
{
  for (unsigned i = 0; i < fix->count; i++)
    memset (fix->vars[i], 0, sizeof (Word) * fix->words[i]);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < fix->code.count; i++)
      code_compute (&fix->code.items[i], &f->shape);
    for (unsigned i = 0; i < fix->count; i++) {
      size_t bytes = sizeof (Word) * fix->words[i];
      changed = changed || memcmp (fix->vars[i], fix->bodies[i], bytes) != 0;
    }
    for (unsigned i = 0; i < fix->count && changed; i++)
      memcpy (fix->vars[i], fix->bodies[i], sizeof (Word) * fix->words[i]);
  }
}

static bool
check_fails (const Frame *f, const Code *code)
{
  const PlanCheck *c = &f->plan->axioms[code->index];
  CatShape shape = f->plan->terms[c->term].shape;
  return frame_condition (f, c->check, shape, code->a) == c->check->negated;
}

/* Where the search has come to, while operations run. */
typedef struct Run {
  Choice *choice;
  bool exact;
  unsigned changed; /* what later operations of this pass must follow */
  unsigned again;   /* what earlier ones must, in another pass */
} Run;

static bool
run_rule (Frame *f, const Code *code, Run *run)
{
  bool news = false;
  if (run->exact) /* a question, not a search */
    return true;
  if (!apply_rule (f, run->choice, code->index, &news))
    return false;
  if (!news)
    return true;
  /* co is loaded after everything that does not depend on it, sync_fence likewise. */
  bool co = f->plan->rules[code->index].base == CAT_BASE_CO;
  unsigned target = co ? DEP_CO : DEP_SF;
  unsigned loaded_by = co ? DEP_CO : DEP_CO | DEP_SF;
  if ((code->deps & loaded_by) != 0)
    run->again |= target;
  else
    run->changed |= target;
  return true;
}

static bool
run_code (Frame *f, const Code *code, Run *run)
{
  const Choice *c = run->choice;
  switch (code->op) {
  case CODE_LOAD_RF:
    load_rf (f);
    return true;
  case CODE_LOAD_SF:
    load_order (f, &f->sf, c->sf_lower, run->exact ? c->sf_lower : c->sf_upper);
    return true;
  case CODE_LOAD_CO:
    load_order (f, &f->co, c->co_lower, run->exact ? c->co_lower : c->co_upper);
    return true;
  case CODE_LOAD_FR:
    load_fr (f, c, run->exact);
    return true;
  case CODE_FIXPOINT:
    frame_run_fixpoint (f, &f->fixpoints[code->index]);
    return true;
  case CODE_CHECK:
    return !check_fails (f, code);
  case CODE_RULE:
    return run_rule (f, code, run);
  case CODE_UNION:
  case CODE_INTER:
  case CODE_DIFF:
  case CODE_COMPL:
  case CODE_SEQ:
  case CODE_KEEP_ROWS:
  case CODE_KEEP_COLUMNS:
  case CODE_CROSS:
  case CODE_INVERSE:
  case CODE_PLUS:
  case CODE_STAR:
  case CODE_OPT:
  case CODE_ID_ON:
  case CODE_DOMAIN:
  case CODE_RANGE:
    code_compute (code, &f->shape);
    return true;
  }
  g_assert_not_reached ();
}

bool
frame_eval (Frame *f, Choice *c, unsigned changed, bool exact)
{
  if (f->doomed)
    return false;
  Run run = { .choice = c, .exact = exact, .again = changed };
  while (run.again != 0) {
    run.changed = run.again;
    run.again = 0;
    for (unsigned i = 0; i < f->code.count; i++)
      if ((f->code.items[i].deps & run.changed) != 0 && !run_code (f, &f->code.items[i], &run))
        return false;
  }
  return true;
}

/* ---- Flags --------------------------------------------------------------------------------
 */

static void
first_instance (const Frame *f, CatShape shape, const Word *value, unsigned where[2],
                unsigned *count)
{
  *count = 0;
  unsigned rows = shape == CAT_SET ? 1 : f->shape.n;
  for (unsigned i = 0; i < rows; i++) {
    int j = row_next (mat_row_const (value, f->shape.w, i), f->shape.w, 0);
    if (j < 0)
      continue;
    if (shape == CAT_REL && (unsigned) j != i)
      where[(*count)++] = i;
    where[(*count)++] = (unsigned) j;
    return;
  }
}

void
frame_eval_flags (Frame *f, Choice *c)
{
  Run run = { .choice = c, .exact = true };
  for (unsigned i = 0; i < f->flag_code.count; i++)
    run_code (f, &f->flag_code.items[i], &run);
}

bool
frame_flag_possible (const Frame *f, unsigned flag)
{
  return f->flag_possible[flag];
}

bool
frame_flag (const Frame *f, unsigned flag, unsigned where[2], unsigned *count)
{
  const PlanCheck *c = &f->plan->flags[flag];
  CatShape shape = f->plan->terms[c->term].shape;
  const Word *value = f->flag_values[flag];
  if (frame_condition (f, c->check, shape, value) == c->check->negated)
    return false;
  first_instance (f, shape, value, where, count);
  return true;
}

/* ---- Pairs of co that axioms want in some direction ---------------------------------------
 */

static bool
is_open (const Choice *c, unsigned i, unsigned j)
{
  return bit_get (mat_row_const (c->co_upper, c->w, i), j)
         && !bit_get (mat_row_const (c->co_lower, c->w, i), j);
}

static bool
wants_either (const Frame *f, unsigned index)
{
  const Rule *rule = &f->plan->rules[index];
  return f->rules[index].source != NULL && rule->base == CAT_BASE_CO && !rule->forbids
         && rule->minus_count > 0;
}

bool
frame_blamed_pair (const Frame *f, const Choice *c, unsigned *from, unsigned *to)
{
  for (unsigned index = 0; index < f->plan->rule_count; index++) {
    if (!wants_either (f, index))
      continue;
    for (unsigned i = 0; i < f->shape.n; i++)
      ROW_EACH (j, mat_row_const (f->rules[index].source, f->shape.w, i), f->shape.w)
    if (is_open (c, i, (unsigned) j)) {
      *from = i;
      *to = (unsigned) j;
      return true;
    }
  }
  return choice_open_co (c, from, to);
}

static bool
orient_pair (Choice *c, const unsigned *rank, unsigned i, unsigned j)
{
  if (!is_open (c, i, j) && !is_open (c, j, i))
    return true;
  unsigned first = rank[i] < rank[j] ? i : j;
  return choice_force_co (c, first, first == i ? j : i);
}

bool
frame_orient (const Frame *f, Choice *c, const unsigned *rank)
{
  for (unsigned index = 0; index < f->plan->rule_count; index++) {
    if (!wants_either (f, index))
      continue;
    for (unsigned i = 0; i < f->shape.n; i++)
      ROW_EACH (j, mat_row_const (f->rules[index].source, f->shape.w, i), f->shape.w)
    if (!orient_pair (c, rank, i, (unsigned) j))
      return false;
  }
  return true;
}
