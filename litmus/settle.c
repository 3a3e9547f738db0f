/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of a Builder: what only the whole text tells. */
#include <stdlib.h>

#include "litmus/draft.h"
#include "litmus/print.h"
#include "litmus/widths.h"

/* Virtual addresses: far from small constants, above 32 bits so that a truncated address shows,
 * and with room between mappings so that running past one never lands in the next. */
#define FIRST_ADDRESS   UINT64_C (0x7f0000001000)
#define ADDRESS_SPACING UINT64_C (0x1000)

/* ---- Memory --------------------------------------------------------------------
 */

enum { ALIAS_NEW, ALIAS_ACTIVE, ALIAS_FAILED, ALIAS_DONE };

/* The location that an alias names, or -1. */
static int
alias_target (Builder *b, const LocationDecl *decl)
{
  int target = builder_find_location (b, decl->target);
  if (target >= 0 && location_at (b, (unsigned) target)->declared)
    return target;
  report (b->reporter, DIAG_ERROR, decl->target_span, "'%s' is an alias of '%.*s', %s",
          decl->name, (int) MIN (decl->target.length, 40), decl->target.text,
          "which is not declared");
  return -1;
}

static void
new_object (Builder *b, LocationDecl *decl)
{
  Program *p = b->program;
  MemObject *object = &p->objects[p->object_count];
  object->name = decl->name;
  object->size = decl->bits / 8;
  object->init_is_address = decl->init_is_address;
  object->init = decl->init;
  object->span = decl->span;
  decl->object = p->object_count++;
}

static void
new_mapping (Builder *b, LocationDecl *decl)
{
  Program *p = b->program;
  Mapping *mapping = &p->mappings[p->mapping_count];
  mapping->name = decl->name;
  mapping->object = decl->object;
  mapping->base = FIRST_ADDRESS + ADDRESS_SPACING * p->mapping_count;
  decl->mapping = p->mapping_count++;
}

static void settle_alias (Builder *b, unsigned index);

/* Follows the chain of aliases from `decl`; NULL, reported once, when it ends nowhere. */
static const LocationDecl *
settled_target (Builder *b, LocationDecl *decl)
{
  decl->target_index = alias_target (b, decl);
  if (decl->target_index < 0)
    return NULL;
  LocationDecl *target = location_at (b, (unsigned) decl->target_index);
  if (target->state == ALIAS_ACTIVE)
    report (b->reporter, DIAG_ERROR, decl->span, "'%s' is an alias of itself", decl->name);
  if (target->state == ALIAS_NEW)
    settle_alias (b, (unsigned) decl->target_index);
  return target->state == ALIAS_DONE ? target : NULL;
}

static void
settle_alias (Builder *b, unsigned index)
{
  LocationDecl *decl = location_at (b, index);
  decl->state = ALIAS_ACTIVE;
  const LocationDecl *target = settled_target (b, decl);
  if (target == NULL) {
    decl->state = ALIAS_FAILED;
    return;
  }
  decl->object = target->object;
  decl->mapping = target->mapping;
  /* Another proxy reaches the same virtual address; a generic alias is another one. */
  if (decl->proxy == PROXY_GENERIC)
    new_mapping (b, decl);
  decl->state = ALIAS_DONE;
}

/* Objects first, then aliases in the order of the text: numbers do not depend on where an alias
 * stands. */
static void
settle_memory (Builder *b)
{
  unsigned count = b->locations->len;
  b->program->objects = arena_array (b->arena, MemObject, count);
  b->program->mappings = arena_array (b->arena, Mapping, count);
  for (unsigned l = 0; l < count; l++) {
    LocationDecl *decl = location_at (b, l);
    if (decl->is_alias)
      continue;
    new_object (b, decl);
    new_mapping (b, decl);
    decl->state = ALIAS_DONE;
  }
  for (unsigned l = 0; l < count; l++)
    if (location_at (b, l)->is_alias && location_at (b, l)->state == ALIAS_NEW)
      settle_alias (b, l);
}

static void
settle_initial_addresses (Builder *b)
{
  for (unsigned l = 0; l < b->locations->len; l++) {
    const LocationDecl *decl = location_at (b, l);
    if (decl->init_is_address)
      b->program->objects[decl->object].init_mapping
          = location_at (b, decl->init_location)->mapping;
  }
}

static void
copy_locations (Builder *b)
{
  Program *p = b->program;
  p->location_count = b->locations->len;
  p->locations = arena_array (b->arena, Location, p->location_count);
  for (unsigned l = 0; l < p->location_count; l++) {
    const LocationDecl *decl = location_at (b, l);
    p->locations[l]
        = (Location){ decl->name, decl->mapping, decl->proxy, decl->target_index, decl->span };
  }
}

/* ---- State spaces --------------------------------------------------------------
 */

typedef struct SpaceUse {
  SpaceWritten space;
  int cluster_thread; /* the first thread that accesses it by name, or -1 */
} SpaceUse;

static void
use_space (Builder *b, SpaceUse *use, const char *name, SpaceWritten space, Span span)
{
  if (space == SPACE_UNSAID)
    return;
  if (use->space != SPACE_UNSAID && use->space != space)
    report (b->reporter, DIAG_ERROR, span, "'%s' is in global and in shared memory", name);
  use->space = space;
}

static void
use_spaces_of_thread (Builder *b, SpaceUse *uses, unsigned thread)
{
  const DraftThread *t = thread_at (b, thread);
  for (unsigned i = 0; i < t->insns->len; i++) {
    const DraftInsn *draft = &g_array_index (t->insns, DraftInsn, i);
    if (draft->insn.addr.kind != OPERAND_ADDRESS)
      continue;
    const LocationDecl *decl = location_at (b, draft->insn.addr.index);
    use_space (b, &uses[decl->object], decl->name, draft->space, draft->space_span);
    if (uses[decl->object].cluster_thread < 0)
      uses[decl->object].cluster_thread = (int) thread;
  }
}

/* Shared memory belongs to a CTA and can be reached from its cluster: one name in two clusters
 * would be two objects. */
static void
check_shared_access (Builder *b, const SpaceUse *uses, unsigned thread)
{
  const DraftThread *t = thread_at (b, thread);
  for (unsigned i = 0; i < t->insns->len; i++) {
    const DraftInsn *draft = &g_array_index (t->insns, DraftInsn, i);
    if (draft->insn.addr.kind != OPERAND_ADDRESS)
      continue;
    const LocationDecl *decl = location_at (b, draft->insn.addr.index);
    const SpaceUse *use = &uses[decl->object];
    if (use->space != SPACE_IS_SHARED)
      continue;
    const DraftThread *first = thread_at (b, (unsigned) use->cluster_thread);
    if (placement_same_cluster (&first->place, &t->place))
      continue;
    report (b->reporter, DIAG_ERROR, draft->insn.addr.span,
            "'%s' is in shared memory, which P%u and P%u do not have in common", decl->name,
            first->number, t->number);
    return;
  }
}

static void
settle_spaces (Builder *b)
{
  Program *p = b->program;
  SpaceUse *uses = arena_array (b->arena, SpaceUse, p->object_count);
  for (unsigned o = 0; o < p->object_count; o++)
    uses[o].cluster_thread = -1;
  for (unsigned l = 0; l < b->locations->len; l++) {
    const LocationDecl *decl = location_at (b, l);
    use_space (b, &uses[decl->object], decl->name, decl->space, decl->space_span);
  }
  for (unsigned t = 0; t < b->threads->len; t++)
    use_spaces_of_thread (b, uses, t);
  for (unsigned t = 0; t < b->threads->len; t++)
    check_shared_access (b, uses, t);
  for (unsigned o = 0; o < p->object_count; o++)
    p->objects[o].space = uses[o].space == SPACE_IS_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
}

/* ---- Threads -------------------------------------------------------------------
 */

static int
compare_regs (const void *a, const void *b)
{
  const DraftReg *const *x = a;
  const DraftReg *const *y = b;
  return name_compare ((*x)->reg.name, (*y)->reg.name);
}

/* Registers in the order of their names. */
static void
settle_regs (Builder *b, DraftThread *t, Thread *out)
{
  unsigned count = t->regs->len;
  DraftReg **sorted = arena_array (b->arena, DraftReg *, count);
  for (unsigned r = 0; r < count; r++)
    sorted[r] = reg_at (t, r);
  if (count > 1)
    qsort (sorted, count, sizeof (*sorted), compare_regs);
  out->reg_count = count;
  out->regs = arena_array (b->arena, Reg, count);
  for (unsigned r = 0; r < count; r++) {
    sorted[r]->rank = r;
    if (sorted[r]->reg.holds_address)
      sorted[r]->reg.init_mapping = location_at (b, sorted[r]->init_location)->mapping;
    out->regs[r] = sorted[r]->reg;
  }
}

static void
settle_operand (const Builder *b, const DraftThread *t, Operand *o)
{
  switch (o->kind) {
  case OPERAND_NONE:
  case OPERAND_IMM:
    break;
  case OPERAND_REG:
    o->index = reg_at (t, o->index)->rank;
    break;
  case OPERAND_ADDRESS:
    o->index = location_at (b, o->index)->mapping;
    break;
  }
}

static void
settle_target (Builder *b, const DraftThread *t, const DraftInsn *draft, Insn *insn)
{
  if (insn->kind != INSN_BRANCH && insn->kind != INSN_GOTO)
    return;
  int label = name_table_find (t->label_names, draft->label);
  if (label >= 0)
    insn->target = g_array_index (t->labels, DraftLabel, label).position;
  else
    report (b->reporter, DIAG_ERROR, draft->label_span, "P%u has no label '%.*s'", t->number,
            (int) MIN (draft->label.length, 40), draft->label.text);
}

static void
settle_insns (Builder *b, const DraftThread *t, Thread *out)
{
  out->insn_count = t->insns->len;
  out->insns = arena_array (b->arena, Insn, out->insn_count);
  for (unsigned i = 0; i < out->insn_count; i++) {
    const DraftInsn *draft = &g_array_index (t->insns, DraftInsn, i);
    Insn *insn = &out->insns[i];
    *insn = draft->insn;
    Operand *const operands[] = {
      &insn->dst, &insn->addr, &insn->a, &insn->b, &insn->barrier.id, &insn->barrier.count,
    };
    for (size_t o = 0; o < G_N_ELEMENTS (operands); o++)
      settle_operand (b, t, operands[o]);
    settle_target (b, t, draft, insn);
  }
}

static void
settle_labels (Builder *b, const DraftThread *t, Thread *out)
{
  out->labels = arena_array (b->arena, const char *, out->insn_count + 1);
  for (unsigned l = 0; l < t->labels->len; l++) {
    const DraftLabel *label = &g_array_index (t->labels, DraftLabel, l);
    if (out->labels[label->position] == NULL)
      out->labels[label->position] = label->name.text;
  }
}

static void
settle_threads (Builder *b)
{
  Program *p = b->program;
  p->thread_count = b->threads->len;
  p->threads = arena_array (b->arena, Thread, p->thread_count);
  for (unsigned i = 0; i < p->thread_count; i++) {
    DraftThread *t = thread_at (b, i);
    Thread *out = &p->threads[i];
    out->name = arena_printf (b->arena, "P%u", t->number);
    out->number = t->number;
    out->place = t->place;
    out->span = t->span;
    settle_regs (b, t, out);
    settle_insns (b, t, out);
    settle_labels (b, t, out);
  }
}

/* Without written clusters each CTA is one of its own (9.4, 8.5), numbered as they come. */
static void
settle_clusters (Builder *b)
{
  unsigned fresh = 0;
  for (unsigned i = 0; i < b->threads->len; i++) {
    Placement *place = &thread_at (b, i)->place;
    if (place->cluster_written) {
      b->program->has_clusters = true;
      continue;
    }
    unsigned earlier = 0;
    while (thread_at (b, earlier)->place.gpu != place->gpu
           || thread_at (b, earlier)->place.cta != place->cta)
      earlier++;
    place->cluster = earlier < i ? thread_at (b, earlier)->place.cluster : fresh++;
  }
}

/* ---- The question --------------------------------------------------------------
 */

static void
settle_term (Builder *b, CondTerm *term)
{
  switch (term->kind) {
  case TERM_CONST:
    break;
  case TERM_REG:
    term->index = reg_at (thread_at (b, term->thread), term->index)->rank;
    break;
  case TERM_LOC:
    break;
  case TERM_ADDRESS:
    term->index = location_at (b, term->index)->mapping;
    break;
  }
}

static void
check_constant (Builder *b, const CondTerm *constant, const CondTerm *other, Span span)
{
  unsigned bits = cond_term_bits (b->program, other);
  if (constant->kind != TERM_CONST || bits == 0 || width_fits (constant->value, bits))
    return;
  report (b->reporter, DIAG_ERROR, span,
          "the constant does not fit the %u bits of what it is compared with", bits);
}

/* A copy with registers and mappings as the program numbers them. */
static Cond *
settle_cond (Builder *b, const Cond *c)
{
  if (c == NULL)
    return arena_new_of (b->arena, Cond);
  Cond *out = arena_copy (b->arena, c, sizeof (*c));
  if (c->left != NULL)
    out->left = settle_cond (b, c->left);
  if (c->right != NULL)
    out->right = settle_cond (b, c->right);
  if (c->kind != COND_CMP)
    return out;
  settle_term (b, &out->left_term);
  settle_term (b, &out->right_term);
  check_constant (b, &out->left_term, &out->right_term, c->span);
  check_constant (b, &out->right_term, &out->left_term, c->span);
  return out;
}

static const char *
observed_name (const Program *p, const Observed *o)
{
  return o->is_location ? p->locations[o->index].name
                        : p->threads[o->thread].regs[o->index].name;
}

static int
compare_observed (gconstpointer a, gconstpointer b, gpointer program)
{
  const Program *p = program;
  const Observed *x = a;
  const Observed *y = b;
  if (x->is_location != y->is_location)
    return x->is_location ? -1 : 1;
  if (!x->is_location && x->thread != y->thread)
    return p->threads[x->thread].number < p->threads[y->thread].number ? -1 : 1;
  return name_compare (observed_name (p, x), observed_name (p, y));
}

static void
describe_observed (Builder *b, Observed *o)
{
  const Program *p = b->program;
  const char *name = observed_name (p, o);
  o->key = o->is_location ? name
                          : arena_printf (b->arena, "%s:%s", p->threads[o->thread].name, name);
  CondTerm term = { .kind = o->is_location ? TERM_LOC : TERM_REG,
                    .thread = o->thread,
                    .index = o->index };
  o->bits = cond_term_bits (p, &term);
}

static void
settle_observed (Builder *b)
{
  Program *p = b->program;
  for (unsigned i = 0; i < b->observed->len; i++) {
    Observed *o = &g_array_index (b->observed, Observed, i);
    if (!o->is_location)
      o->index = reg_at (thread_at (b, o->thread), o->index)->rank;
  }
  g_array_sort_with_data (b->observed, compare_observed, p);
  p->observed = arena_array (b->arena, Observed, b->observed->len);
  for (unsigned i = 0; i < b->observed->len; i++) {
    const Observed *o = &g_array_index (b->observed, Observed, i);
    if (i > 0 && compare_observed (o - 1, o, p) == 0)
      continue;
    Observed *out = &p->observed[p->observed_count++];
    *out = *o;
    describe_observed (b, out);
  }
}

/* ---- All of it ----------------------------------------------------------------------------
 */

static void
settle_constant (Builder *b, uint64_t *value, unsigned bits, const char *name, Span span)
{
  if (!width_fits (*value, bits))
    report (b->reporter, DIAG_ERROR, span, "this value does not fit the %u bits of '%s'", bits,
            name);
  *value = truncate_bits (*value, bits);
}

static void
settle_initial_values (Builder *b)
{
  Program *p = b->program;
  for (unsigned l = 0; l < b->locations->len; l++) {
    const LocationDecl *decl = location_at (b, l);
    MemObject *object = &p->objects[decl->object];
    if (!decl->is_alias && !decl->init_is_address)
      settle_constant (b, &object->init, object->size * 8, decl->name, decl->init_span);
  }
  for (unsigned i = 0; i < p->thread_count; i++) {
    const DraftThread *t = thread_at (b, i);
    for (unsigned r = 0; r < t->regs->len; r++) {
      const DraftReg *draft = reg_at (t, r);
      Reg *reg = &p->threads[i].regs[draft->rank];
      if (!reg->holds_address)
        settle_constant (b, &reg->init, reg->bits, reg->name, draft->init_span);
    }
  }
}

Program *
builder_finish (Builder *b)
{
  Program *p = b->program;
  if (b->reporter->errors > 0)
    return NULL;
  settle_memory (b);
  if (b->reporter->errors > 0)
    return NULL;
  settle_initial_addresses (b);
  copy_locations (b);
  settle_clusters (b);
  settle_spaces (b);
  settle_threads (b);
  if (b->reporter->errors > 0)
    return NULL;
  widths_settle (b->arena, p, b->reporter);
  settle_initial_values (b);
  p->condition = settle_cond (b, b->condition);
  p->filter = settle_cond (b, b->filter);
  settle_observed (b);
  p->condition_text = cond_print (b->arena, p, p->condition);
  return b->reporter->errors > 0 ? NULL : p;
}
