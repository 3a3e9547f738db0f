/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/slots.h"

/* The slots of a `let rec`: nothing, the bodies themselves when the names do not occur, a
 * constant, or a loop. */

static void
make_group_terms (Builder *b, const TermGroup *g, unsigned vars)
{
  for (unsigned i = vars; i < g->count; i++)
    builder_make_term (b, g->first + i);
}

static bool
in_group (const TermGroup *g, unsigned term)
{
  return term >= g->first && term < g->first + g->count;
}

/* A term outside the group must exist before the loop.  Returns what it depends on. */
static unsigned
prepare_term (Builder *b, const TermGroup *g, unsigned term)
{
  if (in_group (g, term))
    return 0;
  slot_value (b, term);
  return slot_of (b->f, term)->deps;
}

/* All that the group takes from outside, and what that depends on. */
static unsigned
prepare_outside (Builder *b, const TermGroup *g)
{
  unsigned deps = 0;
  for (unsigned i = g->var_count; i < g->count; i++) {
    const Term *t = &b->f->plan->terms[g->first + i];
    unsigned operands = plan_operand_count (t->op);
    if (operands > 0)
      deps |= prepare_term (b, g, t->a);
    if (operands > 1)
      deps |= prepare_term (b, g, t->b);
  }
  for (unsigned i = 0; i < g->var_count; i++)
    deps |= prepare_term (b, g, g->bodies[i]);
  return deps;
}

/* With empty names, the bodies are empty: that is the fixpoint. */
static bool
stays_empty (Builder *b, const TermGroup *g)
{
  Builder trial = { .f = b->f, .out = b->out, .dry = true };
  for (unsigned i = 0; i < g->var_count; i++)
    builder_make_term (&trial, g->vars[i]);
  make_group_terms (&trial, g, g->var_count);
  for (unsigned i = 0; i < g->var_count; i++)
    if (!slot_is_empty (b->f, g->bodies[i]))
      return false;
  return true;
}

static void
set_vars (Frame *f, const TermGroup *g, unsigned deps)
{
  for (unsigned i = 0; i < g->var_count; i++) {
    Slot *s = &f->slots[g->vars[i]];
    size_t words = shape_words (f, f->plan->terms[g->vars[i]].shape);
    *s = (Slot){ .kind = SLOT_LOADED,
                 .fixpoint = -1,
                 .deps = deps,
                 .words = words,
                 .at = arena_array (f->arena, Word, words),
                 .is_var = true };
  }
}

/* What is computed inside the loop changes whenever the loop does, whatever it reads itself. */
static void
set_deps (Frame *f, const TermGroup *g, unsigned deps)
{
  for (unsigned i = g->var_count; i < g->count; i++) {
    Slot *s = &f->slots[g->first + i];
    if (s->kind == SLOT_CODE || s->kind == SLOT_MASKED)
      s->deps = deps;
  }
}

/* The group's bodies are made, with names that stand for something: a loop.  What was computed
 * inside it is right after it, too, but for parts that the bodies did not need. */
static void
make_fixpoint (Builder *inner, const TermGroup *g, unsigned deps)
{
  Frame *f = inner->f;
  Fixpoint *fix = &f->fixpoints[f->fixpoint_count];
  fix->count = g->var_count;
  fix->deps = deps;
  fix->vars = arena_array (f->arena, Word *, g->var_count);
  fix->bodies = arena_array (f->arena, const Word *, g->var_count);
  fix->words = arena_array (f->arena, size_t, g->var_count);
  for (unsigned i = 0; i < g->var_count; i++) {
    Slot *s = &f->slots[g->vars[i]];
    fix->vars[i] = s->at;
    fix->bodies[i] = slot_value (inner, g->bodies[i]);
    fix->words[i] = s->words;
  }
  fix->code = *inner->out;
  for (unsigned i = 0; i < g->var_count; i++) {
    f->slots[g->vars[i]].is_var = false;
    f->slots[g->vars[i]].fixpoint = (int) f->fixpoint_count;
  }
  f->fixpoint_count++;
}

/* Outside the loop the bodies are what the names are. */
static void
close_group (Builder *b, const TermGroup *g)
{
  for (unsigned i = 0; i < g->var_count; i++)
    if (in_group (g, g->bodies[i]) && g->bodies[i] != g->vars[i])
      slot_set_alias (b, g->bodies[i], g->vars[i]);
}

/* All inputs are constant: the value is computed here. */
static void
settle_group (Frame *f, const TermGroup *g)
{
  frame_run_fixpoint (f, &f->fixpoints[f->fixpoint_count - 1]);
  for (unsigned i = 0; i < g->var_count; i++)
    slot_set_const (&f->slots[g->vars[i]], f->slots[g->vars[i]].at);
}

static void
make_full_group (Frame *f, const TermGroup *g)
{
  for (unsigned i = 0; i < g->count; i++) {
    Slot *s = &f->slots[g->first + i];
    *s = (Slot){ .words = shape_words (f, f->plan->terms[g->first + i].shape), .fixpoint = -1 };
    slot_set_full (f, s);
  }
}

void
builder_make_group (Builder *b, const TermGroup *g)
{
  Frame *f = b->f;
  if (f->plan->terms[g->first].bound == BOUND_UPPER && !f->complete) {
    make_full_group (f, g);
    return;
  }
  if (stays_empty (b, g))
    return;
  unsigned deps = prepare_outside (b, g);
  unsigned marker = deps == 0 ? DEP_START : deps; /* keeps the loop out of the constants */
  set_vars (f, g, marker);
  CodeList code = { arena_array (f->arena, Code, 2 * g->count + g->var_count), 0 };
  Builder inner = { .f = f, .out = &code };
  make_group_terms (&inner, g, g->var_count);
  set_deps (f, g, marker);
  bool loops = false;
  for (unsigned i = 0; i < g->var_count; i++) {
    slot_value (&inner, g->bodies[i]);
    loops = loops || slot_of (f, g->bodies[i])->is_var;
  }
  if (inner.var_reads == 0 && !loops) { /* the names do not occur */
    code_append (b->out, &code);
    for (unsigned i = 0; i < g->var_count; i++)
      slot_set_alias (b, g->vars[i], g->bodies[i]);
    return;
  }
  make_fixpoint (&inner, g, marker);
  if (deps == 0)
    settle_group (f, g);
  close_group (b, g);
}
