/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/print.h"

#include <string.h>

/* ---- Conditions ---------------------------------------------------------------------------
 */

static const char *
mapping_name (const Program *p, unsigned mapping)
{
  return p->mappings[mapping].name;
}

static void
append_offset (GString *out, uint64_t offset)
{
  if (offset != 0)
    g_string_append_printf (out, "%+" G_GINT64_FORMAT, (gint64) offset);
}

static void
append_term (GString *out, const Program *p, const CondTerm *t)
{
  switch (t->kind) {
  case TERM_CONST:
    g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) t->value);
    break;
  case TERM_REG:
    g_string_append_printf (out, "%s:%s", p->threads[t->thread].name,
                            p->threads[t->thread].regs[t->index].name);
    break;
  case TERM_LOC:
    g_string_append (out, p->locations[t->index].name);
    break;
  case TERM_ADDRESS:
    g_string_append_printf (out, "&%s", mapping_name (p, t->index));
    append_offset (out, t->value);
    break;
  }
}

static bool
is_false (const Cond *c)
{
  return c->kind == COND_NOT && c->left->kind == COND_TRUE;
}

/* How tightly a condition holds together. */
static unsigned
binding (const Cond *c)
{
  switch (c->kind) {
  case COND_OR:
    return 0;
  case COND_AND:
    return 1;
  case COND_CMP:
    return 2;
  case COND_NOT:
  case COND_TRUE:
    return 3;
  }
  g_assert_not_reached ();
}

/* In parentheses when it holds together less tightly than `least`. */
static void
append_cond (GString *out, const Program *p, const Cond *c, unsigned least)
{
  bool in_parentheses = binding (c) < least;
  if (in_parentheses)
    g_string_append_c (out, '(');
  switch (c->kind) {
  case COND_TRUE:
    g_string_append (out, "true");
    break;
  case COND_CMP:
    append_term (out, p, &c->left_term);
    g_string_append_printf (out, " %s ", cmp_name (c->cmp));
    append_term (out, p, &c->right_term);
    break;
  case COND_NOT:
    g_string_append (out, is_false (c) ? "false" : "~");
    if (!is_false (c))
      append_cond (out, p, c->left, 3);
    break;
  case COND_AND:
    append_cond (out, p, c->left, 1);
    g_string_append (out, " /\\ ");
    append_cond (out, p, c->right, 1);
    break;
  case COND_OR:
    append_cond (out, p, c->left, 0);
    g_string_append (out, " \\/ ");
    append_cond (out, p, c->right, 0);
    break;
  }
  if (in_parentheses)
    g_string_append_c (out, ')');
}

const char *
cond_print (Arena *a, const Program *p, const Cond *c)
{
  g_autoptr (GString) out = g_string_new (NULL);
  append_cond (out, p, c, 0);
  return arena_strdup (a, out->str);
}

/* ---- Operands -----------------------------------------------------------------------------
 */

/* The name that fits the proxy of the access best: of several for one virtual address the one
 * that was declared for it. */
static const char *
address_name (const Program *p, unsigned mapping, Proxy proxy)
{
  for (unsigned l = 0; l < p->location_count; l++)
    if (p->locations[l].mapping == mapping && p->locations[l].proxy == proxy)
      return p->locations[l].name;
  return mapping_name (p, mapping);
}

static void
append_value (GString *out, const Program *p, const Thread *thread, const Operand *o)
{
  switch (o->kind) {
  case OPERAND_NONE:
    g_string_append_c (out, '_');
    break;
  case OPERAND_REG:
    g_string_append (out, thread->regs[o->index].name);
    break;
  case OPERAND_IMM:
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, o->value);
    break;
  case OPERAND_ADDRESS:
    g_string_append_printf (out, "&%s", mapping_name (p, o->index));
    append_offset (out, o->value);
    break;
  }
}

static void
append_address (GString *out, const Program *p, const Thread *thread, const Insn *insn)
{
  bool is_register = insn->addr.kind == OPERAND_REG;
  uint64_t offset = is_register ? (uint64_t) insn->offset : insn->addr.value;
  const char *name = is_register ? thread->regs[insn->addr.index].name
                                 : address_name (p, insn->addr.index, insn->proxy);
  if (!is_register && offset == 0) {
    g_string_append (out, name);
    return;
  }
  g_string_append_printf (out, "[%s", name);
  append_offset (out, offset);
  g_string_append_c (out, ']');
}

/* ---- Instructions -------------------------------------------------------------------------
 */

static void
append_type (GString *out, const Type *type)
{
  static const char classes[] = { [TY_B] = 'b', [TY_U] = 'u', [TY_S] = 's' };
  if (type->written)
    g_string_append_printf (out, ".%c%u", classes[type->cls], type->bits);
}

static void
append_sem (GString *out, const Insn *insn)
{
  if (insn->is_volatile) {
    g_string_append (out, ".volatile");
    return;
  }
  if (insn->is_mmio)
    g_string_append (out, ".mmio");
  g_string_append_printf (out, ".%s", sem_name (insn->sem));
  if (insn->scope != SCOPE_NONE)
    g_string_append_printf (out, ".%s", scope_name (insn->scope));
}

static const char *
access_mnemonic (const Insn *insn)
{
  bool is_surface = insn->proxy == PROXY_SURFACE;
  if (insn->kind == INSN_LOAD && insn->proxy == PROXY_TEXTURE)
    return "tld";
  if (insn->kind == INSN_LOAD && insn->proxy == PROXY_CONSTANT)
    return "cold";
  if (insn->kind == INSN_LOAD)
    return is_surface ? "suld" : "ld";
  if (insn->kind == INSN_STORE)
    return is_surface ? "sust" : "st";
  if (insn->kind == INSN_ATOM)
    return is_surface ? "suatom" : "atom";
  return is_surface ? "sured" : "red";
}

static void
append_access (GString *out, const Program *p, const Thread *thread, const Insn *insn)
{
  g_string_append (out, access_mnemonic (insn));
  append_sem (out, insn);
  if (insn->kind == INSN_ATOM || insn->kind == INSN_RED)
    g_string_append_printf (out, ".%s", atom_op_name (insn->op.atom));
  append_type (out, &insn->type);
  g_string_append_c (out, ' ');
  if (insn->kind == INSN_LOAD || insn->kind == INSN_ATOM) {
    append_value (out, p, thread, &insn->dst);
    g_string_append (out, ", ");
  }
  append_address (out, p, thread, insn);
  const Operand *const values[] = { &insn->a, &insn->b };
  for (size_t i = 0; i < G_N_ELEMENTS (values); i++)
    if (values[i]->kind != OPERAND_NONE) {
      g_string_append (out, ", ");
      append_value (out, p, thread, values[i]);
    }
}

static void
append_alu (GString *out, const Program *p, const Thread *thread, const Insn *insn)
{
  g_string_append (out, alu_op_name (insn->op.alu));
  append_type (out, &insn->type);
  g_string_append_c (out, ' ');
  append_value (out, p, thread, &insn->dst);
  g_string_append (out, ", ");
  append_value (out, p, thread, &insn->a);
  if (insn->op.alu == ALU_MOV)
    return;
  g_string_append (out, ", ");
  append_value (out, p, thread, &insn->b);
}

static void
append_barrier (GString *out, const Program *p, const Thread *thread, const Barrier *barrier)
{
  g_string_append_printf (out, "bar.cta.%s %" G_GUINT64_FORMAT,
                          barrier->mode == BARRIER_SYNC ? "sync" : "arrive", barrier->label);
  if (barrier->id.kind == OPERAND_NONE)
    return;
  g_string_append (out, ", ");
  append_value (out, p, thread, &barrier->id);
  if (barrier->count.kind == OPERAND_NONE)
    return;
  g_string_append (out, ", ");
  append_value (out, p, thread, &barrier->count);
}

/* A thread built without a name at a target of its branches gets one from its position. */
static const char *
label_at (Arena *a, const Thread *thread, unsigned position)
{
  if (thread->labels != NULL && thread->labels[position] != NULL)
    return thread->labels[position];
  return arena_printf (a, "AT%u", position);
}

static void
append_branch (GString *out, Arena *a, const Program *p, const Thread *thread, const Insn *insn)
{
  static const char *const names[] = { "beq", "bne", "blt", "ble", "bgt", "bge" };
  g_string_append (out, names[insn->op.cmp]);
  append_type (out, &insn->type);
  g_string_append_c (out, ' ');
  append_value (out, p, thread, &insn->a);
  g_string_append (out, ", ");
  append_value (out, p, thread, &insn->b);
  g_string_append_printf (out, ", %s", label_at (a, thread, insn->target));
}

static void
append_insn (GString *out, Arena *a, const Program *p, const Thread *thread, const Insn *insn)
{
  switch (insn->kind) {
  case INSN_ALU:
    append_alu (out, p, thread, insn);
    break;
  case INSN_LOAD:
  case INSN_STORE:
  case INSN_ATOM:
  case INSN_RED:
    append_access (out, p, thread, insn);
    break;
  case INSN_FENCE:
    g_string_append (out, "fence");
    append_sem (out, insn);
    break;
  case INSN_PROXY_FENCE:
    g_string_append_printf (out, "fence.proxy.%s", pfence_name (insn->op.pfence));
    break;
  case INSN_BARRIER:
    append_barrier (out, p, thread, &insn->barrier);
    break;
  case INSN_BRANCH:
    append_branch (out, a, p, thread, insn);
    break;
  case INSN_GOTO:
    g_string_append_printf (out, "goto %s", label_at (a, thread, insn->target));
    break;
  }
}

const char *
insn_print (Arena *a, const Program *p, const Thread *thread, const Insn *insn)
{
  g_autoptr (GString) out = g_string_new (NULL);
  append_insn (out, a, p, thread, insn);
  return arena_strdup (a, out->str);
}

/* ---- Initial values -----------------------------------------------------------------------
 */

static void
append_init_value (GString *out, const Program *p, bool is_address, unsigned mapping,
                   uint64_t value)
{
  if (is_address)
    g_string_append_printf (out, "=&%s;\n", mapping_name (p, mapping));
  else
    g_string_append_printf (out, "=%" G_GUINT64_FORMAT ";\n", value);
}

static void
append_location (GString *out, const Program *p, const Location *location)
{
  const MemObject *object = &p->objects[p->mappings[location->mapping].object];
  if (location->alias_of >= 0) {
    g_string_append_printf (out, "%s @ %s aliases %s;\n", location->name,
                            proxy_name (location->proxy),
                            p->locations[location->alias_of].name);
    return;
  }
  if (object->space == SPACE_SHARED)
    g_string_append (out, ".shared ");
  if (object->size == 8)
    g_string_append (out, ".u64 ");
  g_string_append (out, location->name);
  append_init_value (out, p, object->init_is_address, object->init_mapping, object->init);
}

static void
mark_register (bool *used, const Operand *o)
{
  if (o->kind == OPERAND_REG)
    used[o->index] = true;
}

/* Registers that the code does not mention exist because of their line here. */
static bool *
registers_in_code (Arena *a, const Thread *thread)
{
  bool *used = arena_array (a, bool, thread->reg_count);
  for (unsigned i = 0; i < thread->insn_count; i++) {
    const Insn *insn = &thread->insns[i];
    mark_register (used, &insn->dst);
    mark_register (used, &insn->addr);
    mark_register (used, &insn->a);
    mark_register (used, &insn->b);
    mark_register (used, &insn->barrier.id);
    mark_register (used, &insn->barrier.count);
  }
  return used;
}

static void
append_registers (GString *out, Arena *a, const Program *p, const Thread *thread)
{
  const bool *used = registers_in_code (a, thread);
  for (unsigned r = 0; r < thread->reg_count; r++) {
    const Reg *reg = &thread->regs[r];
    if (used[r] && !reg->holds_address && reg->init == 0)
      continue;
    g_string_append_printf (out, "%s:%s", thread->name, reg->name);
    append_init_value (out, p, reg->holds_address, reg->init_mapping, reg->init);
  }
}

static void
append_initial_values (GString *out, Arena *a, const Program *p)
{
  g_string_append (out, "{\n");
  for (unsigned l = 0; l < p->location_count; l++)
    append_location (out, p, &p->locations[l]);
  for (unsigned t = 0; t < p->thread_count; t++)
    append_registers (out, a, p, &p->threads[t]);
  g_string_append (out, "}\n");
}

/* ---- Columns ------------------------------------------------------------------------------
 */

static char *
header_text (const Program *p, const Thread *thread)
{
  GString *out = g_string_new (NULL);
  g_string_append_printf (out, "%s@cta %u", thread->name, thread->place.cta);
  if (p->has_clusters)
    g_string_append_printf (out, ",cluster %u", thread->place.cluster);
  g_string_append_printf (out, ",gpu %u", thread->place.gpu);
  if (thread->place.warp >= 0)
    g_string_append_printf (out, ",warp %d", thread->place.warp);
  return g_string_free (out, FALSE);
}

static bool
is_target (const Thread *thread, unsigned position)
{
  for (unsigned i = 0; i < thread->insn_count; i++) {
    const Insn *insn = &thread->insns[i];
    bool jumps = insn->kind == INSN_BRANCH || insn->kind == INSN_GOTO;
    if (jumps && insn->target == position)
      return true;
  }
  return false;
}

static void
append_label (GPtrArray *cells, Arena *a, const Thread *thread, unsigned position)
{
  bool is_named = thread->labels != NULL && thread->labels[position] != NULL;
  if (is_named || (thread->labels == NULL && is_target (thread, position)))
    g_ptr_array_add (cells, g_strdup_printf ("%s:", label_at (a, thread, position)));
}

/* The column of a thread, top down: its header, then labels and instructions. */
static GPtrArray *
column (Arena *a, const Program *p, const Thread *thread)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (cells, header_text (p, thread));
  for (unsigned i = 0; i < thread->insn_count; i++) {
    GString *text = g_string_new (NULL);
    append_label (cells, a, thread, i);
    append_insn (text, a, p, thread, &thread->insns[i]);
    g_ptr_array_add (cells, g_string_free (text, FALSE));
  }
  append_label (cells, a, thread, thread->insn_count);
  return cells;
}

static size_t
widest (const GPtrArray *cells)
{
  size_t width = 0;
  for (unsigned i = 0; i < cells->len; i++)
    width = MAX (width, strlen (g_ptr_array_index (cells, i)));
  return width;
}

static void
append_row (GString *out, const GPtrArray *columns, const size_t *widths, unsigned row)
{
  for (unsigned c = 0; c < columns->len; c++) {
    const GPtrArray *cells = g_ptr_array_index (columns, c);
    const char *cell = row < cells->len ? g_ptr_array_index (cells, row) : "";
    g_string_append_printf (out, "%s%-*s ", c == 0 ? " " : "| ", (int) widths[c], cell);
  }
  g_string_append (out, ";\n");
}

static void
append_columns (GString *out, Arena *a, const Program *p)
{
  g_autoptr (GPtrArray) columns
      = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  size_t *widths = arena_array (a, size_t, p->thread_count);
  unsigned rows = 0;
  for (unsigned t = 0; t < p->thread_count; t++) {
    GPtrArray *cells = column (a, p, &p->threads[t]);
    g_ptr_array_add (columns, cells);
    widths[t] = widest (cells);
    rows = MAX (rows, cells->len);
  }
  for (unsigned row = 0; row < rows; row++)
    append_row (out, columns, widths, row);
}

/* ---- The question -------------------------------------------------------------------------
 */

static bool
term_is_observed (const CondTerm *t, const Observed *o)
{
  if (o->is_location)
    return t->kind == TERM_LOC && t->index == o->index;
  return t->kind == TERM_REG && t->thread == o->thread && t->index == o->index;
}

static bool
cond_names (const Cond *c, const Observed *o)
{
  switch (c->kind) {
  case COND_TRUE:
    return false;
  case COND_CMP:
    return term_is_observed (&c->left_term, o) || term_is_observed (&c->right_term, o);
  case COND_NOT:
    return cond_names (c->left, o);
  case COND_AND:
  case COND_OR:
    return cond_names (c->left, o) || cond_names (c->right, o);
  }
  g_assert_not_reached ();
}

/* What is observed beyond the condition and the filter. */
static void
append_observed (GString *out, const Program *p)
{
  bool any = false;
  for (unsigned i = 0; i < p->observed_count; i++) {
    const Observed *o = &p->observed[i];
    if (cond_names (p->condition, o) || cond_names (p->filter, o))
      continue;
    g_string_append_printf (out, "%s%s;", any ? " " : "locations [", o->key);
    any = true;
  }
  if (any)
    g_string_append (out, "]\n");
}

static void
append_question (GString *out, Arena *a, const Program *p)
{
  static const char *const quantifiers[] = { "", "exists", "~exists", "forall" };
  append_observed (out, p);
  if (p->filter->kind != COND_TRUE)
    g_string_append_printf (out, "filter (%s)\n", cond_print (a, p, p->filter));
  if (p->quantifier != QUANT_NONE)
    g_string_append_printf (out, "%s (%s)\n", quantifiers[p->quantifier],
                            cond_print (a, p, p->condition));
}

const char *
program_print (Arena *a, const Program *p)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_string_append_printf (out, "PTX %s\n", p->name);
  if (p->doc != NULL)
    g_string_append_printf (out, "\"%s\"\n", p->doc);
  append_initial_values (out, a, p);
  append_columns (out, a, p);
  append_question (out, a, p);
  return arena_strndup (a, out->str, out->len);
}
