/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/builder.h"

#include "litmus/draft.h"

Builder *
builder_new (Arena *a, const Source *source, Reporter *reporter)
{
  Builder *b = g_new0 (Builder, 1);
  b->arena = a;
  b->reporter = reporter;
  b->program = arena_new_of (a, Program);
  b->program->source = source;
  b->program->name = "";
  b->location_names = name_table_new (a);
  b->locations = g_array_new (FALSE, TRUE, sizeof (LocationDecl));
  b->threads = g_array_new (FALSE, TRUE, sizeof (DraftThread));
  b->observed = g_array_new (FALSE, TRUE, sizeof (Observed));
  return b;
}

void
builder_free (Builder *b)
{
  if (b == NULL)
    return;
  for (unsigned t = 0; t < b->threads->len; t++) {
    g_array_free (thread_at (b, t)->regs, TRUE);
    g_array_free (thread_at (b, t)->labels, TRUE);
    g_array_free (thread_at (b, t)->insns, TRUE);
  }
  g_array_free (b->locations, TRUE);
  g_array_free (b->threads, TRUE);
  g_array_free (b->observed, TRUE);
  g_free (b);
}

void
builder_set_name (Builder *b, const char *name)
{
  b->program->name = name;
}

void
builder_set_doc (Builder *b, const char *doc)
{
  b->program->doc = doc;
}

static Slice
keep (Builder *b, Slice name)
{
  return (Slice){ arena_strndup (b->arena, name.text, name.length), name.length };
}

static unsigned
line_of (Span span)
{
  return span_place (span).line;
}

/* ---- Memory -------------------------------------------------------------------------------
 */

int
builder_find_location (const Builder *b, Slice name)
{
  return name_table_find (b->location_names, name);
}

int
builder_location (Builder *b, Slice name, Span span)
{
  int found = builder_find_location (b, name);
  if (found >= 0)
    return found;
  unsigned index = b->locations->len;
  if (index >= BUILDER_MAX_LOCATIONS) {
    report (b->reporter, DIAG_ERROR, span, "more than %d locations", BUILDER_MAX_LOCATIONS);
    return -1;
  }
  Slice kept = keep (b, name);
  LocationDecl decl = { .name = kept.text, .span = span, .target_index = -1 };
  g_array_append_val (b->locations, decl);
  name_table_add (b->location_names, kept, index);
  return (int) index;
}

LocationDecl *
builder_declare (Builder *b, Slice name, Span span)
{
  int index = builder_location (b, name, span);
  if (index < 0)
    return NULL;
  LocationDecl *decl = location_at (b, (unsigned) index);
  if (decl->declared) {
    report (b->reporter, DIAG_ERROR, span, "'%s' is declared twice, first in line %u",
            decl->name, line_of (decl->span));
    return NULL;
  }
  decl->declared = true;
  decl->span = span;
  return decl;
}

void
builder_end_declarations (Builder *b)
{
  for (unsigned l = 0; l < b->locations->len; l++) {
    const LocationDecl *decl = location_at (b, l);
    if (!decl->init_is_address)
      continue;
    int target = builder_location (b, decl->init_name, decl->init_span);
    location_at (b, l)->init_location = (unsigned) MAX (target, 0);
  }
}

/* ---- Threads ------------------------------------------------------------------------------
 */

/* A warp runs on one multiprocessor, within one CTA. */
static bool
warp_is_in_one_cta (Builder *b, const Placement *place, Span span)
{
  for (unsigned t = 0; place->warp >= 0 && t < b->threads->len; t++) {
    const Placement *other = &thread_at (b, t)->place;
    if (other->warp != place->warp || placement_same_cta (other, place))
      continue;
    report (b->reporter, DIAG_ERROR, span, "warp %d is already that of P%u in another CTA",
            place->warp, thread_at (b, t)->number);
    return false;
  }
  return true;
}

int
builder_add_thread (Builder *b, unsigned number, const Placement *place, Span span)
{
  if (builder_find_thread (b, number) >= 0) {
    report (b->reporter, DIAG_ERROR, span, "there are two threads P%u", number);
    return -1;
  }
  if (b->threads->len >= BUILDER_MAX_THREADS) {
    report (b->reporter, DIAG_ERROR, span, "more than %d threads", BUILDER_MAX_THREADS);
    return -1;
  }
  if (!warp_is_in_one_cta (b, place, span))
    return -1;
  DraftThread thread = {
    .number = number,
    .place = *place,
    .span = span,
    .reg_names = name_table_new (b->arena),
    .regs = g_array_new (FALSE, TRUE, sizeof (DraftReg)),
    .label_names = name_table_new (b->arena),
    .labels = g_array_new (FALSE, TRUE, sizeof (DraftLabel)),
    .insns = g_array_new (FALSE, TRUE, sizeof (DraftInsn)),
  };
  g_array_append_val (b->threads, thread);
  return (int) b->threads->len - 1;
}

unsigned
builder_thread_count (const Builder *b)
{
  return b->threads->len;
}

int
builder_find_thread (const Builder *b, uint64_t number)
{
  for (unsigned t = 0; t < b->threads->len; t++)
    if (thread_at (b, t)->number == number)
      return (int) t;
  return -1;
}

int
builder_find_register (const Builder *b, unsigned thread, Slice name)
{
  return name_table_find (thread_at (b, thread)->reg_names, name);
}

unsigned
builder_register (Builder *b, unsigned thread, Slice name)
{
  int found = builder_find_register (b, thread, name);
  if (found >= 0)
    return (unsigned) found;
  DraftThread *t = thread_at (b, thread);
  Slice kept = keep (b, name);
  DraftReg reg = { 0 };
  reg.reg.name = kept.text;
  g_array_append_val (t->regs, reg);
  name_table_add (t->reg_names, kept, t->regs->len - 1);
  return t->regs->len - 1;
}

const char *
builder_register_name (const Builder *b, unsigned thread, unsigned reg)
{
  return reg_at (thread_at (b, thread), reg)->reg.name;
}

bool
builder_init_register (Builder *b, unsigned thread, unsigned reg, uint64_t value, Span span)
{
  DraftReg *r = reg_at (thread_at (b, thread), reg);
  if (r->initialised)
    return false;
  r->initialised = true;
  r->reg.init = value;
  r->init_span = span;
  return true;
}

bool
builder_init_register_address (Builder *b, unsigned thread, unsigned reg, unsigned location,
                               Span span)
{
  if (!builder_init_register (b, thread, reg, 0, span))
    return false;
  DraftReg *r = reg_at (thread_at (b, thread), reg);
  r->reg.holds_address = true;
  r->init_location = location;
  return true;
}

bool
builder_add_insn (Builder *b, unsigned thread, const DraftInsn *draft)
{
  DraftThread *t = thread_at (b, thread);
  if (t->insns->len < BUILDER_MAX_INSNS) {
    g_array_append_val (t->insns, *draft);
    return true;
  }
  if (!t->is_full)
    report (b->reporter, DIAG_ERROR, draft->insn.span, "more than %d instructions in P%u",
            BUILDER_MAX_INSNS, t->number);
  t->is_full = true;
  return false;
}

void
builder_add_label (Builder *b, unsigned thread, Slice name, Span span)
{
  DraftThread *t = thread_at (b, thread);
  int found = name_table_find (t->label_names, name);
  if (found >= 0) {
    const DraftLabel *first = &g_array_index (t->labels, DraftLabel, found);
    report (b->reporter, DIAG_ERROR, span, "P%u has this label twice, first in line %u",
            t->number, line_of (first->span));
    return;
  }
  DraftLabel label = { keep (b, name), t->insns->len, span };
  g_array_append_val (t->labels, label);
  name_table_add (t->label_names, label.name, t->labels->len - 1);
}

/* ---- The question -------------------------------------------------------------------------
 */

void
builder_observe_location (Builder *b, unsigned location)
{
  Observed o = { .is_location = true, .index = location };
  g_array_append_val (b->observed, o);
}

void
builder_observe_register (Builder *b, unsigned thread, unsigned reg)
{
  Observed o = { .thread = thread, .index = reg };
  g_array_append_val (b->observed, o);
}

void
builder_set_condition (Builder *b, Quantifier quantifier, const Cond *condition)
{
  b->program->quantifier = quantifier;
  b->condition = condition;
}

void
builder_set_filter (Builder *b, const Cond *filter)
{
  b->filter = filter;
}
