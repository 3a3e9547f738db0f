/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/slots.h"

void
builder_emit (Builder *b, Code code)
{
  if (!b->dry)
    b->out->items[b->out->count++] = code;
}

void
slot_set_empty (Slot *s)
{
  s->kind = SLOT_EMPTY;
  s->deps = 0;
}

void
slot_set_alias (Builder *b, unsigned term, unsigned source)
{
  b->f->slots[term].kind = SLOT_ALIAS;
  b->f->slots[term].x = slot_resolve (b->f, source);
}

static void
emit_fixpoint (Builder *b, unsigned index)
{
  Fixpoint *fix = &b->f->fixpoints[index];
  if (fix->emitted || b->dry)
    return;
  fix->emitted = true;
  builder_emit (b, (Code){ .op = CODE_FIXPOINT, .deps = fix->deps, .index = index });
}

/* Emits the operation that computes the slot, after those of its operands. */
static void
emit_slot (Builder *b, Slot *s)
{
  if (s->emitted || b->dry)
    return;
  s->emitted = true;
  Code code = { .op = s->op, .deps = s->deps, .words = s->words, .to = s->at };
  code.a = slot_value (b, s->x);
  if (s->kind == SLOT_MASKED)
    code.b = s->mask;
  else if (s->op == CODE_KEEP_ROWS || s->op == CODE_KEEP_COLUMNS)
    code.b = s->diagonal;
  else if (code_operands (s->op) > 1)
    code.b = slot_value (b, s->y);
  builder_emit (b, code);
}

const Word *
slot_value (Builder *b, unsigned term)
{
  Slot *s = slot_of (b->f, term);
  switch (s->kind) {
  case SLOT_EMPTY:
    return b->f->none;
  case SLOT_CODE:
  case SLOT_MASKED:
    emit_slot (b, s);
    return s->at;
  case SLOT_LOADED:
    if (s->is_var)
      b->var_reads++;
    if (s->fixpoint >= 0)
      emit_fixpoint (b, (unsigned) s->fixpoint);
    return s->at;
  case SLOT_CONST:
    return s->at;
  case SLOT_ALIAS:
    break;
  }
  g_assert_not_reached ();
}

void
slot_set_const (Slot *s, Word *value)
{
  s->at = value;
  s->kind = row_empty (value, s->words) ? SLOT_EMPTY : SLOT_CONST;
  s->floor = value;
  s->deps = 0;
}

void
slot_compute (Builder *b, unsigned term, CodeOp op, unsigned x, unsigned y)
{
  Slot *s = &b->f->slots[term];
  s->at = arena_array (b->f->arena, Word, s->words);
  s->kind = SLOT_CODE;
  s->op = op;
  s->x = x;
  s->y = y;
  s->deps = slot_of (b->f, x)->deps;
  if (code_operands (op) > 1)
    s->deps |= slot_of (b->f, y)->deps;
  if (s->deps != 0)
    return;
  Code code = { .op = op, .words = s->words, .to = s->at, .a = slot_value (b, x) };
  if (op == CODE_KEEP_ROWS || op == CODE_KEEP_COLUMNS)
    code.b = s->diagonal;
  else if (code_operands (op) > 1)
    code.b = slot_value (b, y);
  code_compute (&code, &b->f->shape);
  slot_set_const (s, s->at);
  s->diagonal = NULL;
}

void
slot_set_masked (Builder *b, unsigned term, unsigned source, Word *mask)
{
  Frame *f = b->f;
  Slot *s = &f->slots[term];
  source = slot_resolve (f, source);
  if (f->slots[source].kind == SLOT_MASKED) {
    for (size_t k = 0; k < s->words; k++)
      mask[k] &= f->slots[source].mask[k];
    source = f->slots[source].x;
  }
  const Slot *from = &f->slots[source];
  if (from->limit != NULL)
    for (size_t k = 0; k < s->words; k++)
      mask[k] &= from->limit[k];
  if (row_empty (mask, s->words)) {
    slot_set_empty (s);
    return;
  }
  s->kind = SLOT_MASKED;
  s->op = CODE_INTER;
  s->deps = from->deps;
  s->x = source;
  s->mask = mask;
  s->at = arena_array (f->arena, Word, s->words);
}
