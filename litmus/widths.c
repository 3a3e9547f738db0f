/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/widths.h"

/* Where an address may point is a set of objects in a word: object i is bit i, except that all
 * objects from LAST_BIT on share that bit, which then stands for any of them. */
enum { LAST_BIT = 63 };

typedef struct Flow {
  Program *p;
  Reporter *reporter;
  uint64_t *held;  /* per object: where addresses stored in it may point */
  uint64_t **regs; /* per thread, per register: likewise */
  bool backwards;  /* the order in which instructions are visited */
  bool changed;
} Flow;

static uint64_t
object_bit (unsigned object)
{
  return UINT64_C (1) << MIN (object, LAST_BIT);
}

static const char *
number_text (Arena *a, uint64_t value)
{
  if (value >> 63 != 0)
    return arena_printf (a, "%" G_GINT64_FORMAT, (gint64) value);
  return arena_printf (a, "%" G_GUINT64_FORMAT, value);
}

bool
width_fits (uint64_t value, unsigned bits)
{
  if (bits >= 64)
    return true;
  uint64_t above = value >> (bits - 1);
  return above <= 1 || above == UINT64_MAX >> (bits - 1);
}

/* Runs over every instruction; `visit` may change it. */
static void
for_each_insn (Flow *f, void (*visit) (Flow *f, unsigned thread, Insn *insn))
{
  for (unsigned t = 0; t < f->p->thread_count; t++) {
    const Thread *thread = &f->p->threads[t];
    for (unsigned i = 0; i < thread->insn_count; i++)
      visit (f, t, &thread->insns[f->backwards ? thread->insn_count - 1 - i : i]);
  }
}

/* Until nothing changes.  Forwards and backwards in turn: a chain of copies against the order
 * of the text then costs one round, not one for each link. */
static void
fixpoint (Flow *f, void (*visit) (Flow *f, unsigned thread, Insn *insn))
{
  do {
    f->changed = false;
    for_each_insn (f, visit);
    f->backwards = !f->backwards;
  } while (f->changed);
  f->backwards = false;
}

/* ---- Where addresses go -------------------------------------------------------------------
 */

static void
add_to (Flow *f, uint64_t *set, uint64_t more)
{
  f->changed = f->changed || (more & ~*set) != 0;
  *set |= more;
}

static uint64_t
operand_points_to (const Flow *f, unsigned thread, const Operand *o)
{
  switch (o->kind) {
  case OPERAND_NONE:
  case OPERAND_IMM:
    return 0;
  case OPERAND_REG:
    return f->regs[thread][o->index];
  case OPERAND_ADDRESS:
    return object_bit (f->p->mappings[o->index].object);
  }
  g_assert_not_reached ();
}

/* The first object from `from` on that an access to this address may hit; object_count: none.
 */
static unsigned
next_target (const Flow *f, unsigned thread, const Operand *addr, unsigned from)
{
  unsigned count = f->p->object_count;
  if (addr->kind == OPERAND_ADDRESS) {
    unsigned object = f->p->mappings[addr->index].object;
    return from <= object ? object : count;
  }
  uint64_t set = operand_points_to (f, thread, addr);
  for (; from < MIN (count, LAST_BIT); from++)
    if ((set & object_bit (from)) != 0)
      return from;
  return (set & object_bit (LAST_BIT)) != 0 ? MIN (from, count) : count;
}

/* For statements over the objects that an instruction may access. */
#define FOR_EACH_TARGET(f, thread, insn, object)                                               \
  for (unsigned object = next_target ((f), (thread), &(insn)->addr, 0);                        \
       object < (f)->p->object_count;                                                          \
       object = next_target ((f), (thread), &(insn)->addr, object + 1))

static bool
is_memory_access (const Insn *insn)
{
  return insn->addr.kind != OPERAND_NONE;
}

/* What an instruction may write to its register, and to memory. */
static uint64_t
operands_point_to (const Flow *f, unsigned thread, const Insn *insn)
{
  return operand_points_to (f, thread, &insn->a) | operand_points_to (f, thread, &insn->b);
}

static void
flow_memory (Flow *f, unsigned thread, const Insn *insn)
{
  uint64_t stored = operands_point_to (f, thread, insn);
  uint64_t read = 0;
  FOR_EACH_TARGET (f, thread, insn, object)
  {
    read |= f->held[object];
    add_to (f, &f->held[object], stored);
  }
  if (insn->dst.kind == OPERAND_REG)
    add_to (f, &f->regs[thread][insn->dst.index], read);
}

static void
flow_insn (Flow *f, unsigned thread, Insn *insn)
{
  if (is_memory_access (insn))
    flow_memory (f, thread, insn);
  else if (insn->kind == INSN_ALU)
    add_to (f, &f->regs[thread][insn->dst.index], operands_point_to (f, thread, insn));
}

static Flow
flow_start (Arena *a, Program *p, Reporter *reporter)
{
  Flow f = { .p = p, .reporter = reporter };
  f.held = arena_array (a, uint64_t, p->object_count);
  f.regs = arena_array (a, uint64_t *, p->thread_count);
  for (unsigned o = 0; o < p->object_count; o++)
    if (p->objects[o].init_is_address)
      f.held[o] = object_bit (p->mappings[p->objects[o].init_mapping].object);
  for (unsigned t = 0; t < p->thread_count; t++) {
    const Thread *thread = &p->threads[t];
    f.regs[t] = arena_array (a, uint64_t, thread->reg_count);
    for (unsigned r = 0; r < thread->reg_count; r++)
      if (thread->regs[r].holds_address)
        f.regs[t][r] = object_bit (p->mappings[thread->regs[r].init_mapping].object);
  }
  return f;
}

/* ---- Objects and accesses -----------------------------------------------------------------
 */

static void
widen_object (Flow *f, unsigned thread, Insn *insn)
{
  if (!is_memory_access (insn) || insn->type.bits != 64)
    return;
  FOR_EACH_TARGET (f, thread, insn, object)
  if (f->p->objects[object].size == 0)
    f->p->objects[object].size = 8;
}

static void
settle_objects (Flow *f)
{
  for (unsigned o = 0; o < f->p->object_count; o++) {
    MemObject *object = &f->p->objects[o];
    if (f->held[o] != 0 && object->size == 4)
      report (f->reporter, DIAG_ERROR, object->span,
              "'%s' is declared with 32 bits and may hold an address", object->name);
    if (f->held[o] != 0 && object->size == 0)
      object->size = 8;
  }
  for_each_insn (f, widen_object);
  for (unsigned o = 0; o < f->p->object_count; o++)
    if (f->p->objects[o].size == 0)
      f->p->objects[o].size = 4;
}

static bool
every_object_is_wide (const Program *p)
{
  for (unsigned o = 0; o < p->object_count; o++)
    if (p->objects[o].size != 8)
      return false;
  return true;
}

/* The first object, if any, that the access may hit at another width than `bits`. */
static const MemObject *
object_of_other_width (Flow *f, unsigned thread, const Insn *insn, unsigned bits)
{
  FOR_EACH_TARGET (f, thread, insn, object)
  if (f->p->objects[object].size * 8 != bits)
    return &f->p->objects[object];
  return NULL;
}

static unsigned
inferred_width (Flow *f, unsigned thread, const Insn *insn)
{
  unsigned first = next_target (f, thread, &insn->addr, 0);
  if (first < f->p->object_count)
    return f->p->objects[first].size * 8;
  return every_object_is_wide (f->p) ? 64 : 32;
}

static void
settle_access (Flow *f, unsigned thread, Insn *insn)
{
  if (!is_memory_access (insn))
    return;
  if (insn->type.bits == 0)
    insn->type.bits = inferred_width (f, thread, insn);
  const MemObject *odd = object_of_other_width (f, thread, insn, insn->type.bits);
  bool at_offset = insn->addr.kind == OPERAND_ADDRESS && insn->addr.value != 0;
  if (at_offset)
    odd = &f->p->objects[f->p->mappings[insn->addr.index].object];
  if (odd != NULL)
    report (f->reporter, DIAG_NOT_MODELLED, insn->addr.span,
            "accesses of different sizes to %s", odd->name);
}

/* ---- Registers ----------------------------------------------------------------------------
 */

static bool
is_wide_operand (const Thread *thread, const Operand *o)
{
  return o->kind == OPERAND_ADDRESS
         || (o->kind == OPERAND_REG && thread->regs[o->index].bits == 64);
}

static void
widen_register (Flow *f, unsigned t, Insn *insn)
{
  Thread *thread = &f->p->threads[t];
  if (insn->dst.kind != OPERAND_REG || thread->regs[insn->dst.index].bits == 64)
    return;
  bool wide = insn->type.bits == 64;
  if (insn->type.bits == 0)
    wide = is_wide_operand (thread, &insn->a) || is_wide_operand (thread, &insn->b);
  if (wide) {
    thread->regs[insn->dst.index].bits = 64;
    f->changed = true;
  }
}

static void
settle_registers (Flow *f)
{
  for (unsigned t = 0; t < f->p->thread_count; t++)
    for (unsigned r = 0; r < f->p->threads[t].reg_count; r++)
      f->p->threads[t].regs[r].bits = f->regs[t][r] != 0 ? 64 : 32;
  fixpoint (f, widen_register);
}

/* ---- Operations and constants -------------------------------------------------------------
 */

static void
settle_constant (Flow *f, Operand *o, unsigned bits)
{
  if (o->kind != OPERAND_IMM)
    return;
  if (!width_fits (o->value, bits))
    report (f->reporter, DIAG_ERROR, o->span, "%s does not fit %u bits",
            number_text (f->reporter->arena, o->value), bits);
  o->value = truncate_bits (o->value, bits);
}

static void
settle_operation (Flow *f, unsigned t, Insn *insn)
{
  const Thread *thread = &f->p->threads[t];
  bool has_type = insn->kind == INSN_ALU || insn->kind == INSN_BRANCH;
  if (has_type && insn->type.bits == 0) {
    bool wide = is_wide_operand (thread, &insn->a) || is_wide_operand (thread, &insn->b);
    insn->type.bits = wide ? 64 : 32;
  }
  if (insn->kind == INSN_BARRIER) {
    settle_constant (f, &insn->barrier.id, 32);
    settle_constant (f, &insn->barrier.count, 32);
    return;
  }
  bool is_atomic = insn->kind == INSN_ATOM || insn->kind == INSN_RED;
  if (is_atomic && (insn->op.atom == ATOM_INC || insn->op.atom == ATOM_DEC)
      && insn->type.bits == 64)
    report (f->reporter, DIAG_ERROR, insn->span, "inc and dec work on 32 bits only");
  settle_constant (f, &insn->a, insn->type.bits);
  settle_constant (f, &insn->b, insn->type.bits);
}

void
widths_settle (Arena *a, Program *p, Reporter *reporter)
{
  Flow f = flow_start (a, p, reporter);
  fixpoint (&f, flow_insn);
  settle_objects (&f);
  for_each_insn (&f, settle_access);
  settle_registers (&f);
  for_each_insn (&f, settle_operation);
}
