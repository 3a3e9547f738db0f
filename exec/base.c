/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/base.h"

static bool
is_memory (const Event *e)
{
  return e->kind == EVENT_READ || e->kind == EVENT_WRITE;
}

/* ---- Sets ---------------------------------------------------------------------------------
 */

enum {
  READS = 1 << EVENT_READ,
  WRITES = 1 << EVENT_WRITE,
  FENCES = 1 << EVENT_FENCE,
  PFENCES = 1 << EVENT_PROXY_FENCE,
  BARRIERS = 1 << EVENT_BARRIER,
  ACCESSES = READS | WRITES,
  ALL_KINDS = ACCESSES | FENCES | PFENCES | BARRIERS,
};

static bool
is_initial (const Program *p, const Event *e)
{
  (void) p;
  return e->is_init;
}

static bool
is_atom (const Program *p, const Event *e)
{
  (void) p;
  return e->is_atom;
}

static bool
is_red (const Program *p, const Event *e)
{
  (void) p;
  return e->is_red;
}

static bool
is_half (const Program *p, const Event *e)
{
  return is_atom (p, e) || is_red (p, e);
}

static bool
is_volatile (const Program *p, const Event *e)
{
  (void) p;
  return e->is_volatile;
}

static bool
is_mmio (const Program *p, const Event *e)
{
  (void) p;
  return e->is_mmio;
}

static bool
is_shared (const Program *p, const Event *e)
{
  return p->objects[e->object].space == SPACE_SHARED;
}

static bool
is_global (const Program *p, const Event *e)
{
  return p->objects[e->object].space == SPACE_GLOBAL;
}

static bool
is_arrival (const Program *p, const Event *e)
{
  (void) p;
  return e->barrier_mode == BARRIER_ARRIVE;
}

static bool
is_alias_fence (const Program *p, const Event *e)
{
  (void) p;
  return e->pfence == PFENCE_ALIAS;
}

/* A set: the events of these kinds, with this semantics and scope where the row has one, that
 * also pass the test. */
typedef struct SetRow {
  unsigned kinds;
  Sem sem;
  Scope scope;
  bool (*test) (const Program *p, const Event *e);
} SetRow;

static const SetRow set_rows[CAT_BASE_COUNT] = {
  [CAT_BASE_ALL] = { .kinds = ALL_KINDS },
  [CAT_BASE_R] = { .kinds = READS },
  [CAT_BASE_W] = { .kinds = WRITES },
  [CAT_BASE_M] = { .kinds = ACCESSES },
  [CAT_BASE_IW] = { .kinds = WRITES, .test = is_initial },
  [CAT_BASE_F] = { .kinds = FENCES | PFENCES },
  [CAT_BASE_B] = { .kinds = BARRIERS },
  [CAT_BASE_RMW] = { .kinds = ACCESSES, .test = is_half },
  [CAT_BASE_ATOM] = { .kinds = ACCESSES, .test = is_atom },
  [CAT_BASE_RED] = { .kinds = ACCESSES, .test = is_red },
  [CAT_BASE_WEAK] = { .kinds = ACCESSES, .sem = SEM_WEAK },
  [CAT_BASE_RLX] = { .kinds = ACCESSES, .sem = SEM_RELAXED },
  [CAT_BASE_ACQ] = { .kinds = ACCESSES | FENCES, .sem = SEM_ACQUIRE },
  [CAT_BASE_REL] = { .kinds = ACCESSES | FENCES, .sem = SEM_RELEASE },
  [CAT_BASE_ACQ_REL] = { .kinds = FENCES, .sem = SEM_ACQ_REL },
  [CAT_BASE_SC] = { .kinds = FENCES, .sem = SEM_SC },
  [CAT_BASE_VOLATILE] = { .kinds = ACCESSES, .test = is_volatile },
  [CAT_BASE_MMIO] = { .kinds = ACCESSES, .test = is_mmio },
  [CAT_BASE_CTA] = { .kinds = ACCESSES | FENCES, .scope = SCOPE_CTA },
  [CAT_BASE_CLUSTER] = { .kinds = ACCESSES | FENCES, .scope = SCOPE_CLUSTER },
  [CAT_BASE_GPU] = { .kinds = ACCESSES | FENCES, .scope = SCOPE_GPU },
  [CAT_BASE_SYS] = { .kinds = ACCESSES | FENCES, .scope = SCOPE_SYS },
  [CAT_BASE_ALIAS] = { .kinds = PFENCES, .test = is_alias_fence },
  [CAT_BASE_PFENCE] = { .kinds = PFENCES },
  [CAT_BASE_SHARED] = { .kinds = ACCESSES, .test = is_shared },
  [CAT_BASE_GLOBAL] = { .kinds = ACCESSES, .test = is_global },
  [CAT_BASE_ARRIVE] = { .kinds = BARRIERS, .test = is_arrival },
};

/* A proxy: its accesses, initial writes, the fence that names it (-1: there is none), and for
 * the generic one memory fences. */
typedef struct ProxyRow {
  CatBase base;
  Proxy proxy;
  int pfence;
} ProxyRow;

static const ProxyRow proxy_rows[] = {
  { CAT_BASE_GEN, PROXY_GENERIC, PFENCE_GENERIC },
  { CAT_BASE_SUR, PROXY_SURFACE, PFENCE_SURFACE },
  { CAT_BASE_TEX, PROXY_TEXTURE, PFENCE_TEXTURE },
  { CAT_BASE_CON, PROXY_CONSTANT, PFENCE_CONSTANT },
  { CAT_BASE_ASYNC, PROXY_ASYNC, PFENCE_ASYNC },
  { CAT_BASE_TENSORMAP, PROXY_TENSORMAP, -1 },
  { CAT_BASE_FABRIC, PROXY_FABRIC, -1 },
  { CAT_BASE_READONLY, PROXY_READONLY, -1 },
};

static bool
in_proxy (const ProxyRow *row, const Event *e)
{
  if (is_memory (e))
    return e->is_init || e->proxy == row->proxy;
  if (e->kind == EVENT_PROXY_FENCE)
    return (int) e->pfence == row->pfence;
  return e->kind == EVENT_FENCE && row->proxy == PROXY_GENERIC;
}

bool
base_has (CatBase base, const Program *program, const Event *e)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (proxy_rows); i++)
    if (proxy_rows[i].base == base)
      return in_proxy (&proxy_rows[i], e);
  const SetRow *row = &set_rows[base];
  g_assert (row->kinds != 0); /* no such set */
  return (row->kinds & 1u << e->kind) != 0 && (row->sem == SEM_NONE || e->sem == row->sem)
         && (row->scope == SCOPE_NONE || e->scope == row->scope)
         && (row->test == NULL || row->test (program, e));
}

/* ---- Relations ----------------------------------------------------------------------------
 */

bool
base_is_pairwise (CatBase base)
{
  return base == CAT_BASE_ID || (base >= CAT_BASE_LOC && base <= CAT_BASE_SGPU);
}

static bool
overlap (const Event *x, const Event *y)
{
  return is_memory (x) && is_memory (y) && x->object == y->object
         && x->offset < y->offset + y->size && y->offset < x->offset + x->size;
}

static bool
same_mapping (const Event *x, const Event *y)
{
  return x->is_init || y->is_init || x->mapping == y->mapping;
}

static bool
same_bytes (const Event *x, const Event *y)
{
  return x->is_init || y->is_init || (x->offset == y->offset && x->size == y->size);
}

static const Placement *
place_of (const Program *p, const Event *e)
{
  return &p->threads[e->thread].place;
}

static bool
includes (const Program *p, const Event *x, const Event *y)
{
  return scope_includes (x->scope, place_of (p, x), place_of (p, y));
}

static bool
same_scope (const Program *p, const Event *x, const Event *y, const RunOptions *options)
{
  if (x->is_init || y->is_init || x->scope == SCOPE_NONE || y->scope == SCOPE_NONE)
    return false;
  if (fault_is (options, FAULT_SR_ONE_SIDED))
    return includes (p, x, y) || includes (p, y, x);
  return includes (p, x, y) && includes (p, y, x);
}

static bool
same_thread (const Event *x, const Event *y)
{
  return x == y || (x->thread == y->thread && !x->is_init);
}

static bool
within (const Program *p, const Event *x, const Event *y, Scope scope)
{
  return !x->is_init && !y->is_init && scope_includes (scope, place_of (p, x), place_of (p, y));
}

bool
base_relates (CatBase base, const Program *program, const Event *x, const Event *y,
              const RunOptions *options)
{
  if (base == CAT_BASE_ID)
    return x == y;
  if (base == CAT_BASE_LOC)
    return overlap (x, y);
  if (base == CAT_BASE_LOC_FULL)
    return overlap (x, y) && same_mapping (x, y) && same_bytes (x, y);
  if (base == CAT_BASE_VLOC)
    return overlap (x, y) && (same_mapping (x, y) || fault_is (options, FAULT_VLOC_IS_LOC));
  if (base == CAT_BASE_INT)
    return same_thread (x, y);
  if (base == CAT_BASE_EXT)
    return !same_thread (x, y);
  if (base == CAT_BASE_SR)
    return same_scope (program, x, y, options);
  if (base == CAT_BASE_SCTA)
    return within (program, x, y, SCOPE_CTA);
  if (base == CAT_BASE_SCLUSTER)
    return within (program, x, y, SCOPE_CLUSTER);
  g_assert (base == CAT_BASE_SGPU);
  return within (program, x, y, SCOPE_GPU);
}

bool
base_may_order_fences (const Program *program, const Event *x, const Event *y)
{
  return base_has (CAT_BASE_SC, program, x) && base_has (CAT_BASE_SC, program, y)
         && x->thread != y->thread;
}

bool
base_orders_fences (const Program *program, const Event *x, const Event *y,
                    const RunOptions *options)
{
  bool both = base_has (CAT_BASE_SC, program, x) && base_has (CAT_BASE_SC, program, y);
  if (!both || x == y)
    return false;
  return x->thread == y->thread || same_scope (program, x, y, options)
         || fault_is (options, FAULT_FENCE_SC_ANY_SCOPE);
}
