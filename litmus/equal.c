/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/print.h"

static bool
type_equal (const Type *a, const Type *b)
{
  return a->cls == b->cls && a->bits == b->bits && a->written == b->written;
}

static bool
operand_equal (const Operand *a, const Operand *b)
{
  return a->kind == b->kind && a->index == b->index && a->value == b->value;
}

static bool
operation_equal (const Insn *a, const Insn *b)
{
  switch (a->kind) {
  case INSN_ALU:
    return a->op.alu == b->op.alu;
  case INSN_ATOM:
  case INSN_RED:
    return a->op.atom == b->op.atom;
  case INSN_PROXY_FENCE:
    return a->op.pfence == b->op.pfence;
  case INSN_BRANCH:
    return a->op.cmp == b->op.cmp;
  case INSN_LOAD:
  case INSN_STORE:
  case INSN_FENCE:
  case INSN_BARRIER:
  case INSN_GOTO:
    return true;
  }
  g_assert_not_reached ();
}

static bool
barrier_equal (const Barrier *a, const Barrier *b)
{
  return a->mode == b->mode && a->label == b->label && operand_equal (&a->id, &b->id)
         && operand_equal (&a->count, &b->count);
}

static bool
insn_equal (const Insn *a, const Insn *b)
{
  return a->kind == b->kind && operation_equal (a, b) && type_equal (&a->type, &b->type)
         && a->sem == b->sem && a->scope == b->scope && a->proxy == b->proxy
         && a->is_volatile == b->is_volatile && a->is_mmio == b->is_mmio
         && operand_equal (&a->dst, &b->dst) && operand_equal (&a->addr, &b->addr)
         && a->offset == b->offset && operand_equal (&a->a, &b->a)
         && operand_equal (&a->b, &b->b) && barrier_equal (&a->barrier, &b->barrier)
         && a->target == b->target;
}

static bool
reg_equal (const Reg *a, const Reg *b)
{
  return g_str_equal (a->name, b->name) && a->bits == b->bits
         && a->holds_address == b->holds_address && a->init_mapping == b->init_mapping
         && a->init == b->init;
}

static bool
place_equal (const Placement *a, const Placement *b)
{
  return placement_same_cta (a, b) && a->cluster_written == b->cluster_written
         && a->warp == b->warp;
}

static const char *
label_of (const Thread *thread, unsigned position)
{
  return thread->labels == NULL ? NULL : thread->labels[position];
}

static const char *
thread_difference (const Thread *a, const Thread *b)
{
  if (!g_str_equal (a->name, b->name) || a->number != b->number
      || !place_equal (&a->place, &b->place))
    return "the header of a thread";
  if (a->reg_count != b->reg_count)
    return "the number of registers";
  for (unsigned r = 0; r < a->reg_count; r++)
    if (!reg_equal (&a->regs[r], &b->regs[r]))
      return "a register";
  if (a->insn_count != b->insn_count)
    return "the number of instructions";
  for (unsigned i = 0; i < a->insn_count; i++)
    if (!insn_equal (&a->insns[i], &b->insns[i]))
      return "an instruction";
  for (unsigned i = 0; i <= a->insn_count; i++)
    if (g_strcmp0 (label_of (a, i), label_of (b, i)) != 0)
      return "a label";
  return NULL;
}

static bool
object_equal (const MemObject *a, const MemObject *b)
{
  return g_str_equal (a->name, b->name) && a->size == b->size && a->space == b->space
         && a->init_is_address == b->init_is_address && a->init_mapping == b->init_mapping
         && a->init == b->init;
}

static bool
mapping_equal (const Mapping *a, const Mapping *b)
{
  return g_str_equal (a->name, b->name) && a->object == b->object && a->base == b->base;
}

static bool
location_equal (const Location *a, const Location *b)
{
  return g_str_equal (a->name, b->name) && a->mapping == b->mapping && a->proxy == b->proxy
         && a->alias_of == b->alias_of;
}

static const char *
memory_difference (const Program *a, const Program *b)
{
  if (a->object_count != b->object_count || a->mapping_count != b->mapping_count
      || a->location_count != b->location_count)
    return "the number of locations";
  for (unsigned o = 0; o < a->object_count; o++)
    if (!object_equal (&a->objects[o], &b->objects[o]))
      return "an object";
  for (unsigned m = 0; m < a->mapping_count; m++)
    if (!mapping_equal (&a->mappings[m], &b->mappings[m]))
      return "a mapping";
  for (unsigned l = 0; l < a->location_count; l++)
    if (!location_equal (&a->locations[l], &b->locations[l]))
      return "a location";
  return NULL;
}

static bool
term_equal (const CondTerm *a, const CondTerm *b)
{
  return a->kind == b->kind && a->thread == b->thread && a->index == b->index
         && a->value == b->value;
}

static bool
cond_equal (const Cond *a, const Cond *b)
{
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case COND_TRUE:
    return true;
  case COND_CMP:
    return a->cmp == b->cmp && term_equal (&a->left_term, &b->left_term)
           && term_equal (&a->right_term, &b->right_term);
  case COND_NOT:
    return cond_equal (a->left, b->left);
  case COND_AND:
  case COND_OR:
    return cond_equal (a->left, b->left) && cond_equal (a->right, b->right);
  }
  g_assert_not_reached ();
}

static bool
observed_equal (const Observed *a, const Observed *b)
{
  return a->is_location == b->is_location && a->thread == b->thread && a->index == b->index
         && a->bits == b->bits && g_str_equal (a->key, b->key);
}

static const char *
question_difference (const Program *a, const Program *b)
{
  if (a->quantifier != b->quantifier || !cond_equal (a->condition, b->condition)
      || g_strcmp0 (a->condition_text, b->condition_text) != 0)
    return "the condition";
  if (!cond_equal (a->filter, b->filter))
    return "the filter";
  if (a->observed_count != b->observed_count)
    return "the number of observed values";
  for (unsigned i = 0; i < a->observed_count; i++)
    if (!observed_equal (&a->observed[i], &b->observed[i]))
      return "an observed value";
  return NULL;
}

static const char *
program_difference (const Program *a, const Program *b)
{
  if (g_strcmp0 (a->name, b->name) != 0)
    return "the name";
  if (g_strcmp0 (a->doc, b->doc) != 0)
    return "the description";
  const char *difference = memory_difference (a, b);
  if (difference != NULL)
    return difference;
  if (a->thread_count != b->thread_count || a->has_clusters != b->has_clusters)
    return "the threads";
  for (unsigned t = 0; t < a->thread_count && difference == NULL; t++)
    difference = thread_difference (&a->threads[t], &b->threads[t]);
  return difference != NULL ? difference : question_difference (a, b);
}

bool
program_equal (const Program *a, const Program *b, const char **difference)
{
  const char *found = program_difference (a, b);
  if (difference != NULL)
    *difference = found;
  return found == NULL;
}
