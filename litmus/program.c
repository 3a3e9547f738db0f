/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/program.h"

bool
placement_same_cluster (const Placement *a, const Placement *b)
{
  return a->gpu == b->gpu && a->cluster == b->cluster;
}

bool
placement_same_cta (const Placement *a, const Placement *b)
{
  return placement_same_cluster (a, b) && a->cta == b->cta;
}

bool
scope_includes (Scope scope, const Placement *from, const Placement *other)
{
  switch (scope) {
  case SCOPE_NONE:
    return false;
  case SCOPE_CTA:
    return placement_same_cta (from, other);
  case SCOPE_CLUSTER:
    return placement_same_cluster (from, other);
  case SCOPE_GPU:
    return from->gpu == other->gpu;
  case SCOPE_SYS:
    return true;
  }
  g_assert_not_reached ();
}

int
program_find_mapping (const Program *p, uint64_t va, uint64_t *offset)
{
  for (unsigned m = 0; m < p->mapping_count; m++) {
    const Mapping *mapping = &p->mappings[m];
    if (va >= mapping->base && va - mapping->base < p->objects[mapping->object].size) {
      *offset = va - mapping->base;
      return (int) m;
    }
  }
  return -1;
}

/* ---- Conditions ---------------------------------------------------------------------------
 */

unsigned
cond_term_bits (const Program *p, const CondTerm *t)
{
  switch (t->kind) {
  case TERM_CONST:
    return 0;
  case TERM_REG:
    return p->threads[t->thread].regs[t->index].bits;
  case TERM_LOC:
    return p->objects[p->mappings[p->locations[t->index].mapping].object].size * 8;
  case TERM_ADDRESS:
    return 64;
  }
  g_assert_not_reached ();
}

static uint64_t
observed_value (const Program *p, const CondTerm *t, const uint64_t *values)
{
  bool is_location = t->kind == TERM_LOC;
  for (unsigned i = 0; i < p->observed_count; i++) {
    const Observed *o = &p->observed[i];
    if (o->is_location == is_location && o->index == t->index
        && (is_location || o->thread == t->thread))
      return values[i];
  }
  g_assert_not_reached (); /* Program.observed covers the condition */
}

static uint64_t
term_value (const Program *p, const CondTerm *t, const uint64_t *values)
{
  switch (t->kind) {
  case TERM_CONST:
    return t->value;
  case TERM_ADDRESS:
    return p->mappings[t->index].base + t->value;
  case TERM_REG:
  case TERM_LOC:
    return observed_value (p, t, values);
  }
  g_assert_not_reached ();
}

static bool
compare (Cmp cmp, uint64_t a, uint64_t b)
{
  switch (cmp) {
  case CMP_EQ:
    return a == b;
  case CMP_NE:
    return a != b;
  case CMP_LT:
    return a < b;
  case CMP_LE:
    return a <= b;
  case CMP_GT:
    return a > b;
  case CMP_GE:
    return a >= b;
  }
  g_assert_not_reached ();
}

bool
cond_holds (const Program *p, const Cond *c, const uint64_t *values)
{
  switch (c->kind) {
  case COND_TRUE:
    return true;
  case COND_NOT:
    return !cond_holds (p, c->left, values);
  case COND_AND:
    return cond_holds (p, c->left, values) && cond_holds (p, c->right, values);
  case COND_OR:
    return cond_holds (p, c->left, values) || cond_holds (p, c->right, values);
  case COND_CMP: {
    unsigned bits = MAX (cond_term_bits (p, &c->left_term), cond_term_bits (p, &c->right_term));
    if (bits == 0)
      bits = 64;
    return compare (c->cmp, truncate_bits (term_value (p, &c->left_term, values), bits),
                    truncate_bits (term_value (p, &c->right_term, values), bits));
  }
  }
  g_assert_not_reached ();
}

const char *
value_text (Arena *a, const Program *p, unsigned bits, uint64_t value)
{
  uint64_t offset = 0;
  int mapping = bits == 64 ? program_find_mapping (p, value, &offset) : -1;
  if (mapping < 0)
    return arena_printf (a, "0x%" G_GINT64_MODIFIER "x", value);
  if (offset == 0)
    return arena_printf (a, "&%s", p->mappings[mapping].name);
  return arena_printf (a, "&%s+0x%" G_GINT64_MODIFIER "x", p->mappings[mapping].name, offset);
}

/* ---- Names --------------------------------------------------------------------------------
 */

const char *
sem_name (Sem sem)
{
  static const char *const names[]
      = { "", "weak", "relaxed", "acquire", "release", "acq_rel", "sc" };
  return names[sem];
}

const char *
scope_name (Scope scope)
{
  static const char *const names[] = { "", "cta", "cluster", "gpu", "sys" };
  return names[scope];
}

const char *
proxy_name (Proxy proxy)
{
  static const char *const names[] = { "generic", "surface",   "texture", "constant",
                                       "async",   "tensormap", "fabric",  "readonly" };
  return names[proxy];
}

const char *
pfence_name (ProxyFence fence)
{
  static const char *const names[]
      = { "alias", "generic", "surface", "texture", "constant", "async" };
  return names[fence];
}

const char *
atom_op_name (AtomOp op)
{
  static const char *const names[] = { "add", "sub", "mul", "div", "inc",  "dec", "min",
                                       "max", "and", "or",  "xor", "exch", "cas" };
  return names[op];
}

const char *
alu_op_name (AluOp op)
{
  static const char *const names[] = { "mov", "add", "sub", "mul", "div", "and", "or", "xor" };
  return names[op];
}

const char *
cmp_name (Cmp cmp)
{
  static const char *const names[] = { "==", "!=", "<", "<=", ">", ">=" };
  return names[cmp];
}
