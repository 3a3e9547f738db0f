/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/flow.h"

static bool
writes_memory (const Insn *insn)
{
  return insn->kind == INSN_STORE || insn->kind == INSN_ATOM || insn->kind == INSN_RED;
}

static uint64_t
written_objects (const Program *p, const Insn *insn)
{
  if (!writes_memory (insn))
    return 0;
  if (insn->addr.kind != OPERAND_ADDRESS)
    return UINT64_MAX;
  return object_bit (p->mappings[insn->addr.index].object);
}

static bool
writes_observed (const Program *p, unsigned thread, const Insn *insn)
{
  bool has_result
      = insn->kind == INSN_ALU || insn->kind == INSN_LOAD || insn->kind == INSN_ATOM;
  if (!has_result || insn->dst.kind != OPERAND_REG)
    return false;
  for (unsigned i = 0; i < p->observed_count; i++) {
    const Observed *o = &p->observed[i];
    if (!o->is_location && o->thread == thread && o->index == insn->dst.index)
      return true;
  }
  return false;
}

/* The points that may follow instruction `i`; returns how many. */
static unsigned
successors (const Insn *insn, unsigned i, unsigned next[2])
{
  if (insn->kind == INSN_GOTO) {
    next[0] = insn->target;
    return 1;
  }
  next[0] = i + 1;
  next[1] = insn->target;
  return insn->kind == INSN_BRANCH ? 2 : 1;
}

/* Takes over what holds at a successor; true when that was news. */
static bool
absorb (Flow *f, unsigned point, unsigned next)
{
  Word *row = f->reach + (size_t) point * f->words;
  const Word *other = f->reach + (size_t) next * f->words;
  bool news
      = (f->writes[next] & ~f->writes[point]) != 0 || (f->shows[next] && !f->shows[point]);
  for (unsigned k = 0; k < f->words; k++)
    news = news || (other[k] & ~row[k]) != 0;
  if (!news)
    return false;
  row_or (row, other, f->words);
  f->writes[point] |= f->writes[next];
  f->shows[point] = f->shows[point] || f->shows[next];
  return true;
}

static void
propagate (Flow *f, const Thread *t)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = t->insn_count; i-- > 0;) {
      unsigned next[2];
      unsigned count = successors (&t->insns[i], i, next);
      for (unsigned k = 0; k < count; k++)
        changed = absorb (f, i, next[k]) || changed;
    }
  }
}

Flow
flow_of (Arena *a, const Program *program, unsigned thread)
{
  const Thread *t = &program->threads[thread];
  unsigned points = t->insn_count + 1;
  Flow f = { .words = words_for (points) };
  f.reach = arena_array (a, Word, (size_t) points * f.words);
  f.writes = arena_array (a, uint64_t, points);
  f.shows = arena_array (a, bool, points);
  for (unsigned i = 0; i < t->insn_count; i++) {
    const Insn *insn = &t->insns[i];
    bit_set (f.reach + (size_t) i * f.words, i);
    f.writes[i] = written_objects (program, insn);
    f.shows[i] = writes_memory (insn) || writes_observed (program, thread, insn);
    f.has_barriers = f.has_barriers || insn->kind == INSN_BARRIER;
  }
  propagate (&f, t);
  return f;
}

static bool
agrees (const Barrier *b, uint64_t label, const uint64_t *id, bool has_count)
{
  if (b->label != label || (b->count.kind != OPERAND_NONE) != has_count)
    return false;
  if (id == NULL || b->id.kind == OPERAND_NONE)
    return id == NULL && b->id.kind == OPERAND_NONE;
  return b->id.kind == OPERAND_REG || truncate_bits (b->id.value, 32) == *id;
}

bool
flow_may_meet (const Flow *flow, const Thread *thread, unsigned point, uint64_t label,
               const uint64_t *id, bool has_count)
{
  if (!flow->has_barriers)
    return false;
  ROW_EACH (i, flow->reach + (size_t) point * flow->words, flow->words)
  {
    const Insn *insn = &thread->insns[i];
    if (insn->kind == INSN_BARRIER && agrees (&insn->barrier, label, id, has_count))
      return true;
  }
  return false;
}
