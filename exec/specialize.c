/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/slots.h"

/* Both are parts of one relation. */
static bool
same_source (const Frame *f, const Slot *x, const Slot *y)
{
  return x->kind == SLOT_MASKED && y->kind == SLOT_MASKED
         && slot_resolve (f, x->x) == slot_resolve (f, y->x);
}

/* ---- The operators ------------------------------------------------------------------------
 */

static const Word *
join_floors (Frame *f, const Slot *x, const Slot *y)
{
  if (x->floor == NULL || y->floor == NULL)
    return x->floor == NULL ? y->floor : x->floor;
  Word *both = copy_words (f, x->floor, x->words);
  for (size_t k = 0; k < x->words; k++)
    both[k] |= y->floor[k];
  return both;
}

static void
make_union (Builder *b, unsigned term, const Term *t)
{
  Frame *f = b->f;
  const Slot *x = slot_of (f, t->a);
  const Slot *y = slot_of (f, t->b);
  if (x->kind == SLOT_EMPTY || x == y) {
    slot_set_alias (b, term, t->b);
  } else if (y->kind == SLOT_EMPTY) {
    slot_set_alias (b, term, t->a);
  } else if (same_source (f, x, y)) {
    Word *mask = copy_words (f, x->mask, x->words);
    for (size_t k = 0; k < x->words; k++)
      mask[k] |= y->mask[k];
    slot_set_masked (b, term, x->x, mask);
  } else {
    f->slots[term].floor = join_floors (f, x, y);
    slot_compute (b, term, CODE_UNION, t->a, t->b);
  }
}

static void
make_inter (Builder *b, unsigned term, const Term *t)
{
  Frame *f = b->f;
  Slot *s = &f->slots[term];
  const Slot *x = slot_of (f, t->a);
  const Slot *y = slot_of (f, t->b);
  if (x->kind == SLOT_EMPTY || y->kind == SLOT_EMPTY)
    slot_set_empty (s);
  else if (x->kind == SLOT_CONST && y->kind != SLOT_CONST)
    slot_set_masked (b, term, t->b, copy_words (f, x->at, s->words));
  else if (x->kind != SLOT_CONST && y->kind == SLOT_CONST)
    slot_set_masked (b, term, t->a, copy_words (f, y->at, s->words));
  else if (x->kind != SLOT_CONST && same_source (f, x, y))
    slot_set_masked (b, term, t->a, copy_words (f, y->mask, s->words));
  else
    slot_compute (b, term, CODE_INTER, t->a, t->b);
}

/* `x` is constant and lies within what `y` has for sure. */
static bool
covered (const Slot *x, const Slot *y)
{
  if (x->kind != SLOT_CONST || y->floor == NULL)
    return false;
  for (size_t k = 0; k < x->words; k++)
    if ((x->at[k] & ~y->floor[k]) != 0)
      return false;
  return true;
}

static void
make_diff (Builder *b, unsigned term, const Term *t)
{
  Frame *f = b->f;
  Slot *s = &f->slots[term];
  if (slot_is_empty (f, t->a) || covered (slot_of (f, t->a), slot_of (f, t->b))) {
    slot_set_empty (s);
  } else if (slot_is_empty (f, t->b)) {
    slot_set_alias (b, term, t->a);
  } else if (slot_is_const (f, t->b) && !slot_is_const (f, t->a)) {
    const Word *out = slot_of (f, t->b)->at;
    Word *mask = arena_array (f->arena, Word, s->words);
    for (size_t k = 0; k < s->words; k++)
      mask[k] = ~out[k];
    slot_set_masked (b, term, t->a, mask);
  } else {
    slot_compute (b, term, CODE_DIFF, t->a, t->b);
  }
}

/* A matrix of the pairs that start (end) in a constant set. */
static Word *
band (Frame *f, const Word *set, bool rows)
{
  Word *m = frame_matrix (f);
  if (rows)
    mat_keep_rows (m, f->full, set, f->shape.n, f->shape.w);
  else
    mat_keep_columns (m, f->full, set, f->shape.n, f->shape.w);
  return m;
}

static void
make_seq (Builder *b, unsigned term, const Term *t)
{
  Frame *f = b->f;
  const Slot *x = slot_of (f, t->a);
  const Slot *y = slot_of (f, t->b);
  if (x->kind == SLOT_EMPTY || y->kind == SLOT_EMPTY) {
    slot_set_empty (&f->slots[term]);
  } else if (x->kind == SLOT_CONST && x->diagonal != NULL && y->deps != 0) {
    slot_set_masked (b, term, t->b, band (f, x->diagonal, true));
  } else if (y->kind == SLOT_CONST && y->diagonal != NULL && x->deps != 0) {
    slot_set_masked (b, term, t->a, band (f, y->diagonal, false));
  } else if (x->kind == SLOT_CONST && x->diagonal != NULL) {
    f->slots[term].diagonal = x->diagonal;
    slot_compute (b, term, CODE_KEEP_ROWS, t->b, t->a);
  } else if (y->kind == SLOT_CONST && y->diagonal != NULL) {
    f->slots[term].diagonal = y->diagonal;
    slot_compute (b, term, CODE_KEEP_COLUMNS, t->a, t->b);
  } else {
    slot_compute (b, term, CODE_SEQ, t->a, t->b);
  }
}

static void
make_cross (Builder *b, unsigned term, const Term *t)
{
  if (slot_is_empty (b->f, t->a) || slot_is_empty (b->f, t->b))
    slot_set_empty (&b->f->slots[term]);
  else
    slot_compute (b, term, CODE_CROSS, t->a, t->b);
}

/* Operators that give nothing for nothing. */
static void
make_strict (Builder *b, unsigned term, CodeOp op, const Term *t)
{
  if (slot_is_empty (b->f, t->a))
    slot_set_empty (&b->f->slots[term]);
  else
    slot_compute (b, term, op, t->a, t->a);
}

static void
make_inverse (Builder *b, unsigned term, const Term *t)
{
  Frame *f = b->f;
  const Word *floor = slot_of (f, t->a)->floor;
  if (floor != NULL) {
    Word *turned = frame_matrix (f);
    mat_inverse (turned, floor, f->shape.n, f->shape.w);
    f->slots[term].floor = turned;
  }
  make_strict (b, term, CODE_INVERSE, t);
}

static void
make_id_on (Builder *b, unsigned term, const Term *t)
{
  make_strict (b, term, CODE_ID_ON, t);
  if (slot_is_const (b->f, term))
    b->f->slots[term].diagonal = slot_of (b->f, t->a)->at;
}

/* ---- Base relations -----------------------------------------------------------------------
 */

/* A relation that the search decides: `code` loads it, unless `decided` says that it is known.
 */
static void
make_chosen (Frame *f, Slot *s, Bound bound, Chosen *chosen, const Word *limit, unsigned deps,
             const Word *decided)
{
  if (decided != NULL) {
    slot_set_const (s, copy_words (f, decided, s->words));
    return;
  }
  Word **at = bound == BOUND_UPPER ? &chosen->upper : &chosen->lower;
  if (*at == NULL)
    *at = frame_matrix (f);
  s->at = *at;
  s->kind = row_empty (limit, s->words) ? SLOT_EMPTY : SLOT_LOADED;
  s->limit = limit;
  s->deps = s->kind == SLOT_EMPTY ? 0 : deps;
}

static void
make_base (Builder *b, unsigned term, const Term *t)
{
  Frame *f = b->f;
  Slot *s = &f->slots[term];
  const Choice *root = &f->root;
  if (t->base == CAT_BASE_RF)
    make_chosen (f, s, t->bound, &f->rf, f->possible_rf, DEP_RF, NULL);
  else if (t->base == CAT_BASE_CO)
    make_chosen (f, s, t->bound, &f->co, root->co_upper, DEP_CO,
                 f->co_decided ? root->co_lower : NULL);
  else if (t->base == CAT_BASE_SYNC_FENCE)
    make_chosen (f, s, t->bound, &f->sf, root->sf_upper, DEP_SF,
                 f->sf_decided ? root->sf_lower : NULL);
  else if (t->base == CAT_BASE_FR)
    make_chosen (f, s, t->bound, &f->fr, f->possible_fr,
                 f->co_decided ? DEP_RF : DEP_RF | DEP_CO, NULL);
  else
    slot_set_const (s, frame_base (f, t->base, t->bound));
}

/* ---- Terms --------------------------------------------------------------------------------
 */

/* New events can add pairs of old events to the result of these. */
static bool
sees_new_events (const Frame *f, const Term *t)
{
  switch (t->op) {
  case CAT_OP_SEQ:
    return slot_of (f, t->a)->diagonal == NULL && slot_of (f, t->b)->diagonal == NULL;
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
  case CAT_OP_REC:
    return true;
  case CAT_OP_BASE:
  case CAT_OP_EMPTY:
  case CAT_OP_UNION:
  case CAT_OP_INTER:
  case CAT_OP_DIFF:
  case CAT_OP_COMPL:
  case CAT_OP_CROSS:
  case CAT_OP_INVERSE:
  case CAT_OP_OPT:
  case CAT_OP_ID_ON:
    return false;
  }
  g_assert_not_reached ();
}

void
builder_make_term (Builder *b, unsigned term)
{
  Frame *f = b->f;
  const Term *t = &f->plan->terms[term];
  Slot *s = &f->slots[term];
  *s = (Slot){ .words = shape_words (f, t->shape), .fixpoint = -1 };
  if (t->bound == BOUND_UPPER && !f->complete && sees_new_events (f, t)) {
    slot_set_full (f, s);
    return;
  }
  switch (t->op) {
  case CAT_OP_BASE:
    make_base (b, term, t);
    return;
  case CAT_OP_EMPTY:
  case CAT_OP_REC: /* until its fixpoint is made */
    slot_set_empty (s);
    return;
  case CAT_OP_UNION:
    make_union (b, term, t);
    return;
  case CAT_OP_INTER:
    make_inter (b, term, t);
    return;
  case CAT_OP_DIFF:
    make_diff (b, term, t);
    return;
  case CAT_OP_COMPL:
    slot_compute (b, term, CODE_COMPL, t->a, t->a);
    return;
  case CAT_OP_SEQ:
    make_seq (b, term, t);
    return;
  case CAT_OP_CROSS:
    make_cross (b, term, t);
    return;
  case CAT_OP_INVERSE:
    make_inverse (b, term, t);
    return;
  case CAT_OP_PLUS:
    make_strict (b, term, CODE_PLUS, t);
    return;
  case CAT_OP_STAR:
    slot_compute (b, term, CODE_STAR, t->a, t->a);
    return;
  case CAT_OP_OPT:
    slot_compute (b, term, CODE_OPT, t->a, t->a);
    return;
  case CAT_OP_ID_ON:
    make_id_on (b, term, t);
    return;
  case CAT_OP_DOMAIN:
    make_strict (b, term, CODE_DOMAIN, t);
    return;
  case CAT_OP_RANGE:
    make_strict (b, term, CODE_RANGE, t);
    return;
  }
  g_assert_not_reached ();
}

/* ---- Checks, rules, and the whole ---------------------------------------------------------
 */

bool
frame_condition (const Frame *f, const CatCheck *check, CatShape shape, const Word *value)
{
  unsigned n = f->shape.n;
  unsigned w = f->shape.w;
  switch (check->kind) {
  case CAT_EMPTY:
    return row_empty (value, shape_words (f, shape));
  case CAT_IRREFLEXIVE:
    return mat_irreflexive (value, n, w);
  case CAT_ACYCLIC:
    return mat_acyclic (value, n, w, f->scratch);
  }
  g_assert_not_reached ();
}

static void
make_check (Builder *b, unsigned index)
{
  Frame *f = b->f;
  const PlanCheck *c = &f->plan->axioms[index];
  if (c->check->negated && !f->complete) /* events to come may make it true */
    return;
  const Slot *s = slot_of (f, c->term);
  const Word *value = slot_value (b, c->term);
  if (s->deps != 0) {
    builder_emit (b, (Code){ .op = CODE_CHECK, .deps = s->deps, .index = index, .a = value });
    return;
  }
  CatShape shape = f->plan->terms[c->term].shape;
  if (frame_condition (f, c->check, shape, value) == c->check->negated)
    f->doomed = true;
}

static void
make_rule (Builder *b, unsigned index)
{
  Frame *f = b->f;
  const Rule *rule = &f->plan->rules[index];
  bool decided = rule->base == CAT_BASE_CO ? f->co_decided : f->sf_decided;
  if (slot_is_empty (f, rule->source) || decided)
    return;
  FrameRule *r = &f->rules[index];
  unsigned deps = slot_of (f, rule->source)->deps;
  r->source = slot_value (b, rule->source);
  for (unsigned i = 0; i < rule->minus_count; i++) {
    deps |= slot_of (f, rule->minus[i])->deps;
    r->minus[i] = slot_value (b, rule->minus[i]);
  }
  builder_emit (b, (Code){ .op = CODE_RULE,
                           .deps = deps == 0 ? DEP_START : deps,
                           .index = index,
                           .a = r->source });
}

/* The terms of [from, to) in order, groups as wholes; returns the first one not made. */
static unsigned
make_terms (Builder *b, unsigned from, unsigned to)
{
  const Plan *plan = b->f->plan;
  unsigned i = from;
  while (i < to) {
    if (plan->terms[i].group < 0) {
      builder_make_term (b, i++);
      continue;
    }
    const TermGroup *g = &plan->groups[plan->terms[i].group];
    builder_make_group (b, g);
    i = g->first + g->count;
  }
  return i;
}

/* Operations on co after those that can decide pairs of it, likewise sync_fence. */
static unsigned
stage_of (const Code *code)
{
  return (code->deps & DEP_CO) != 0 ? 2 : (code->deps & DEP_SF) != 0 ? 1 : 0;
}

static void
sort_by_stage (Frame *f, CodeList *list)
{
  Code *sorted = arena_array (f->arena, Code, list->count);
  unsigned count = 0;
  for (unsigned stage = 0; stage < 3; stage++)
    for (unsigned i = 0; i < list->count; i++)
      if (stage_of (&list->items[i]) == stage)
        sorted[count++] = list->items[i];
  list->items = sorted;
}

/* Which chosen relations have memory, a bit each in the order rf, sf, co, fr. */
static unsigned
chosen_in_use (const Frame *f)
{
  const Chosen *of[] = { &f->rf, &f->sf, &f->co, &f->fr };
  unsigned bits = 0;
  for (unsigned i = 0; i < G_N_ELEMENTS (of); i++)
    if (of[i]->lower != NULL || of[i]->upper != NULL)
      bits |= 1u << i;
  return bits;
}

/* Puts the operations that load the relations of `which` before the others. */
static void
make_loads (Frame *f, CodeList *list, unsigned which)
{
  unsigned fr_deps = f->co_decided ? DEP_RF : DEP_RF | DEP_CO;
  const Code loads[] = { { .op = CODE_LOAD_RF, .deps = DEP_RF },
                         { .op = CODE_LOAD_SF, .deps = DEP_SF },
                         { .op = CODE_LOAD_CO, .deps = DEP_CO },
                         { .op = CODE_LOAD_FR, .deps = fr_deps } };
  CodeList all = { arena_array (f->arena, Code, list->count + G_N_ELEMENTS (loads)), 0 };
  for (unsigned i = 0; i < G_N_ELEMENTS (loads); i++)
    if ((which >> i & 1) != 0)
      all.items[all.count++] = loads[i];
  code_append (&all, list);
  *list = all;
}

static unsigned
code_room (const Plan *plan)
{
  return 3 * plan->term_count + plan->axiom_count + plan->rule_count + plan->group_count;
}

void
frame_specialize (Frame *f)
{
  const Plan *plan = f->plan;
  f->slots = arena_array (f->arena, Slot, plan->term_count);
  f->fixpoints = arena_array (f->arena, Fixpoint, plan->group_count);
  f->rules = arena_array (f->arena, FrameRule, plan->rule_count);
  CodeList list = { arena_array (f->arena, Code, code_room (plan)), 0 };
  Builder b = { .f = f, .out = &list };
  unsigned done = 0;
  for (unsigned i = 0; i < plan->axiom_count; i++) {
    done = make_terms (&b, done, plan->axioms[i].term + 1);
    make_check (&b, i);
  }
  make_terms (&b, done, plan->axiom_terms);
  for (unsigned i = 0; i < plan->rule_count; i++)
    make_rule (&b, i);
  make_loads (f, &list, chosen_in_use (f));
  sort_by_stage (f, &list);
  f->code = list;
}

static void
make_flag (Builder *b, unsigned index)
{
  Frame *f = b->f;
  const PlanCheck *c = &f->plan->flags[index];
  const Word *value = slot_value (b, c->term);
  CatShape shape = f->plan->terms[c->term].shape;
  f->flag_values[index] = value;
  f->flag_possible[index] = slot_of (f, c->term)->deps != 0
                            || frame_condition (f, c->check, shape, value) != c->check->negated;
}

void
frame_specialize_flags (Frame *f)
{
  const Plan *plan = f->plan;
  f->flag_code.items = arena_array (f->arena, Code, code_room (plan));
  f->flag_values = arena_array (f->arena, const Word *, plan->flag_count);
  f->flag_possible = arena_array (f->arena, bool, plan->flag_count);
  Builder b = { .f = f, .out = &f->flag_code };
  unsigned loaded = chosen_in_use (f);
  make_terms (&b, plan->axiom_terms, plan->term_count);
  for (unsigned i = 0; i < plan->flag_count; i++)
    make_flag (&b, i);
  make_loads (f, &f->flag_code, chosen_in_use (f) & ~loaded);
}
