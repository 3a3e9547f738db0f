/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "solver/encode.h"
#include "solver/fault.h"

/* What the program supplies to the model: the sets and relations of model/cat_base.def for
 * symbolic events, and the choices of an execution (reads-from, coherence, Fence-SC order). */

static const SymEvent *
event_of (const Encoder *e, unsigned x)
{
  return &e->u->events[x];
}

static bool
is_memory (const Event *x)
{
  return x->kind == EVENT_READ || x->kind == EVENT_WRITE;
}

static bool
is_sc_fence (const Event *x)
{
  return x->kind == EVENT_FENCE && x->sem == SEM_SC;
}

/* ---- Sets -------------------------------------------------------------------------- */

static bool
in_proxy (const Encoder *e, const Event *x, Proxy proxy, int fence)
{
  if (x->is_init)
    return true;
  if (is_memory (x)) {
    if (fault_is (e->options, FAULT_SOLVER_PROXY_GENERIC) && x->proxy == PROXY_TEXTURE)
      return proxy == PROXY_GENERIC;
    return x->proxy == proxy;
  }
  if (x->kind == EVENT_PROXY_FENCE)
    return (int) x->pfence == fence;
  return x->kind == EVENT_FENCE && proxy == PROXY_GENERIC;
}

static bool
has_sem (const Encoder *e, const Event *x, Sem sem)
{
  if (fault_is (e->options, FAULT_SOLVER_FENCE_ACQUIRE) && x->kind == EVENT_FENCE
      && x->sem == SEM_ACQUIRE)
    return sem == SEM_ACQ_REL;
  return x->kind != EVENT_PROXY_FENCE && x->kind != EVENT_BARRIER && x->sem == sem;
}

/* Membership that the program text decides; SHARED and GLOBAL are dealt with apart. */
static bool
in_set (const Encoder *e, const Event *x, CatBase set)
{
  enum { NO_FENCE = -1 };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch (set) {
  case CAT_BASE_ALL:
    return true;
  case CAT_BASE_R:
    return x->kind == EVENT_READ;
  case CAT_BASE_W:
    return x->kind == EVENT_WRITE;
  case CAT_BASE_M:
    return is_memory (x);
  case CAT_BASE_IW:
    return x->is_init;
  case CAT_BASE_F:
    return x->kind == EVENT_FENCE || x->kind == EVENT_PROXY_FENCE;
  case CAT_BASE_B:
    return x->kind == EVENT_BARRIER;
  case CAT_BASE_RMW:
    return x->is_atom || x->is_red;
  case CAT_BASE_ATOM:
    return x->is_atom;
  case CAT_BASE_RED:
    return x->is_red;
  case CAT_BASE_WEAK:
    return has_sem (e, x, SEM_WEAK);
  case CAT_BASE_RLX:
    return has_sem (e, x, SEM_RELAXED);
  case CAT_BASE_ACQ:
    return has_sem (e, x, SEM_ACQUIRE);
  case CAT_BASE_REL:
    return has_sem (e, x, SEM_RELEASE);
  case CAT_BASE_ACQ_REL:
    return has_sem (e, x, SEM_ACQ_REL);
  case CAT_BASE_SC:
    return has_sem (e, x, SEM_SC);
  case CAT_BASE_VOLATILE:
    return x->is_volatile;
  case CAT_BASE_MMIO:
    return x->is_mmio;
  case CAT_BASE_CTA:
    return x->scope == SCOPE_CTA;
  case CAT_BASE_CLUSTER:
    return x->scope == SCOPE_CLUSTER;
  case CAT_BASE_GPU:
    return x->scope == SCOPE_GPU;
  case CAT_BASE_SYS:
    return x->scope == SCOPE_SYS;
  case CAT_BASE_GEN:
    return in_proxy (e, x, PROXY_GENERIC, PFENCE_GENERIC);
  case CAT_BASE_SUR:
    return in_proxy (e, x, PROXY_SURFACE, PFENCE_SURFACE);
  case CAT_BASE_TEX:
    return in_proxy (e, x, PROXY_TEXTURE, PFENCE_TEXTURE);
  case CAT_BASE_CON:
    return in_proxy (e, x, PROXY_CONSTANT, PFENCE_CONSTANT);
  case CAT_BASE_ASYNC:
    return in_proxy (e, x, PROXY_ASYNC, PFENCE_ASYNC);
  case CAT_BASE_TENSORMAP:
    return in_proxy (e, x, PROXY_TENSORMAP, NO_FENCE);
  case CAT_BASE_FABRIC:
    return in_proxy (e, x, PROXY_FABRIC, NO_FENCE);
  case CAT_BASE_READONLY:
    return in_proxy (e, x, PROXY_READONLY, NO_FENCE);
  case CAT_BASE_ALIAS:
    return x->kind == EVENT_PROXY_FENCE && x->pfence == PFENCE_ALIAS;
  case CAT_BASE_PFENCE:
    return x->kind == EVENT_PROXY_FENCE;
  case CAT_BASE_ARRIVE:
    return x->kind == EVENT_BARRIER && x->barrier_mode == BARRIER_ARRIVE;
  default:
    g_assert_not_reached ();
  }
#pragma GCC diagnostic pop
}

/* ---- Places ------------------------------------------------------------------------ */

/* The access goes through the mapping. */
static Lit
at_mapping (const Encoder *e, unsigned x, unsigned mapping)
{
  const SymEvent *s = event_of (e, x);
  if (s->shape.mapping >= 0)
    return s->shape.mapping == (int) mapping ? s->guard : LIT_FALSE;
  return s->at[mapping];
}

static Lit
at_object (Encoder *e, unsigned x, unsigned object)
{
  const SymEvent *s = event_of (e, x);
  if (s->shape.object >= 0)
    return s->shape.object == (int) object ? s->guard : LIT_FALSE;
  const Program *p = e->u->program;
  Lit there = LIT_FALSE;
  for (unsigned m = 0; m < p->mapping_count; m++)
    if (p->mappings[m].object == object)
      there = cnf_or (e->f, GATE_EXACT, there, s->at[m]);
  return there;
}

Lit
encoder_same_object (Encoder *e, unsigned x, unsigned y)
{
  const Event *s = &event_of (e, x)->shape;
  const Event *t = &event_of (e, y)->shape;
  if (!is_memory (s) || !is_memory (t))
    return LIT_FALSE;
  if (s->object >= 0 && t->object >= 0)
    return s->object == t->object ? encoder_both (e, x, y) : LIT_FALSE;
  if (x == y)
    return event_of (e, x)->guard;
  Lit same = LIT_FALSE;
  for (unsigned o = 0; o < e->u->program->object_count; o++)
    same = cnf_or (e->f, GATE_EXACT, same,
                   cnf_and (e->f, GATE_EXACT, at_object (e, x, o), at_object (e, y, o)));
  return same;
}

static Lit
same_mapping (Encoder *e, unsigned x, unsigned y)
{
  const Event *s = &event_of (e, x)->shape;
  const Event *t = &event_of (e, y)->shape;
  if (s->is_init || t->is_init || fault_is (e->options, FAULT_SOLVER_VLOC_IS_LOC))
    return encoder_same_object (e, x, y);
  if (!is_memory (s) || !is_memory (t))
    return LIT_FALSE;
  if (x == y)
    return event_of (e, x)->guard;
  if (s->mapping >= 0 && t->mapping >= 0)
    return s->mapping == t->mapping ? encoder_both (e, x, y) : LIT_FALSE;
  Lit same = LIT_FALSE;
  for (unsigned m = 0; m < e->u->program->mapping_count; m++)
    same = cnf_or (e->f, GATE_EXACT, same,
                   cnf_and (e->f, GATE_EXACT, at_mapping (e, x, m), at_mapping (e, y, m)));
  return same;
}

static Lit
in_space (Encoder *e, unsigned x, Space space)
{
  const Program *p = e->u->program;
  Lit there = LIT_FALSE;
  if (is_memory (&event_of (e, x)->shape))
    for (unsigned o = 0; o < p->object_count; o++)
      if (p->objects[o].space == space)
        there = cnf_or (e->f, GATE_EXACT, there, at_object (e, x, o));
  return there;
}

/* ---- Placement --------------------------------------------------------------------- */

static const Placement *
place_of (const Encoder *e, const Event *x)
{
  return &e->u->program->threads[x->thread].place;
}

static bool
scopes_meet (const Encoder *e, const Event *x, const Event *y)
{
  if (x->thread < 0 || y->thread < 0)
    return false;
  bool forth = scope_includes (x->scope, place_of (e, x), place_of (e, y));
  bool back = scope_includes (y->scope, place_of (e, y), place_of (e, x));
  if (fault_is (e->options, FAULT_SOLVER_SR_ONE_SIDED))
    return forth && y->scope != SCOPE_NONE;
  return forth && back;
}

static bool
placed_together (const Encoder *e, CatBase base, const Event *x, const Event *y)
{
  if (x->thread < 0 || y->thread < 0)
    return false;
  const Placement *p = place_of (e, x);
  const Placement *q = place_of (e, y);
  if (base == CAT_BASE_SGPU
      || (base == CAT_BASE_SCTA && fault_is (e->options, FAULT_SOLVER_SCTA_ALL)))
    return p->gpu == q->gpu;
  return base == CAT_BASE_SCTA ? placement_same_cta (p, q) : placement_same_cluster (p, q);
}

static bool
same_thread (const Event *x, const Event *y, bool identical)
{
  return identical || (x->thread >= 0 && x->thread == y->thread);
}

/* ---- Relations --------------------------------------------------------------------- */

static Lit
fr_lit (Encoder *e, GateMode mode, unsigned read, unsigned write)
{
  g_autoptr (GArray) ways = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (unsigned w = 0; w < e->n; w++) {
    Lit rf = e->rf[(size_t) w * e->n + read];
    if (rf == LIT_FALSE
        || (fault_is (e->options, FAULT_SOLVER_FR_INIT) && event_of (e, w)->shape.is_init))
      continue;
    Lit way = cnf_and (e->f, mode, rf, e->co[(size_t) w * e->n + write]);
    g_array_append_val (ways, way);
  }
  return cnf_or_n (e->f, mode, (const Lit *) ways->data, ways->len);
}

static Lit
rmw_lit (const Encoder *e, unsigned x, unsigned y)
{
  for (unsigned k = 0; k < e->u->rmw_count; k++)
    if (e->u->rmw[k].from == x && e->u->rmw[k].to == y)
      return event_of (e, y)->guard;
  return LIT_FALSE;
}

static Lit
dependency_lit (const Encoder *e, unsigned which, unsigned x, unsigned y)
{
  Lit lit = litmap_get (e->dep[which], (uint64_t) x * e->n + y + 1);
  return lit == 0 ? LIT_FALSE : lit;
}

static Lit
syncbar_lit (Encoder *e, unsigned x, unsigned y)
{
  int i = e->barrier_index[x];
  int j = e->barrier_index[y];
  bool waits = event_of (e, y)->shape.barrier_mode == BARRIER_SYNC
               || fault_is (e->options, FAULT_SOLVER_BARRIER_ARRIVE_WAITS);
  if (i < 0 || j < 0 || i == j || !waits)
    return LIT_FALSE;
  Lit joined = e->phases->joined[(size_t) i * e->phases->count + (size_t) j];
  return cnf_and (e->f, GATE_EXACT, joined, event_of (e, y)->passed);
}

static Lit
when (Encoder *e, bool holds, unsigned x, unsigned y)
{
  return holds ? encoder_both (e, x, y) : LIT_FALSE;
}

Lit
encoder_base (Encoder *e, CatBase base, GateMode mode, unsigned x, unsigned y)
{
  const Event *s = &event_of (e, x)->shape;
  const Event *t = &event_of (e, y)->shape;
  size_t at = (size_t) x * e->n + y;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch (base) {
  case CAT_BASE_SHARED:
    return x == y ? in_space (e, x, SPACE_SHARED) : LIT_FALSE;
  case CAT_BASE_GLOBAL:
    return x == y ? in_space (e, x, SPACE_GLOBAL) : LIT_FALSE;
  case CAT_BASE_ID:
    return when (e, x == y, x, y);
  case CAT_BASE_PO:
    return when (e, unrolled_may_precede (e->u, x, y), x, y);
  case CAT_BASE_ADDR:
    return dependency_lit (e, 0, x, y);
  case CAT_BASE_DATA:
    return dependency_lit (e, 1, x, y);
  case CAT_BASE_CTRL:
    return dependency_lit (e, 2, x, y);
  case CAT_BASE_RMW_REL:
    return rmw_lit (e, x, y);
  case CAT_BASE_RF:
    return e->rf[at];
  case CAT_BASE_CO:
    return e->co[at];
  case CAT_BASE_FR:
    return fr_lit (e, mode, x, y);
  case CAT_BASE_LOC:
    return encoder_same_object (e, x, y);
  case CAT_BASE_LOC_FULL:
  case CAT_BASE_VLOC:
    return same_mapping (e, x, y);
  case CAT_BASE_INT:
    return when (e, same_thread (s, t, x == y), x, y);
  case CAT_BASE_EXT:
    return when (e, !same_thread (s, t, x == y), x, y);
  case CAT_BASE_SR:
    return when (e, scopes_meet (e, s, t), x, y);
  case CAT_BASE_SCTA:
  case CAT_BASE_SCLUSTER:
  case CAT_BASE_SGPU:
    return when (e, placed_together (e, base, s, t), x, y);
  case CAT_BASE_SYNCBAR:
    return syncbar_lit (e, x, y);
  case CAT_BASE_SYNC_FENCE:
    return e->sync_fence[at];
  default:
    return when (e, x == y && in_set (e, s, base), x, y);
  }
#pragma GCC diagnostic pop
}

/* ---- Bounds ------------------------------------------------------------------------ */

static bool
is_write (const Encoder *e, unsigned x)
{
  return event_of (e, x)->shape.kind == EVENT_WRITE;
}

/* How a node is used: where less of it is better (1), where more is (2), or both. */
enum { USE_LESS = 1, USE_MORE = 2 };

static uint8_t
turned (uint8_t use)
{
  return (uint8_t) ((use & USE_LESS) << 1 | use >> 1);
}

static bool
use_node (uint8_t *uses, unsigned node, uint8_t use)
{
  uint8_t before = uses[node];
  uses[node] = (uint8_t) (before | use);
  return uses[node] != before;
}

/* Hands the use of a node on to its operands; true when that is news to one of them. */
static bool
use_operands (const CatNode *n, uint8_t use, uint8_t *uses)
{
  unsigned operands = cat_operand_count (n->op);
  bool news = operands > 0 && use_node (uses, n->a, n->op == CAT_OP_COMPL ? turned (use) : use);
  if (operands > 1)
    news |= use_node (uses, n->b, n->op == CAT_OP_DIFF ? turned (use) : use);
  return news;
}

/* Does an axiom use sync_fence in a place where it is better to have more of it? */
static bool
wants_more_fence_order (const Encoder *e)
{
  const CatModel *m = e->m;
  g_autofree uint8_t *uses = g_new0 (uint8_t, m->node_count + 1);
  for (unsigned k = 0; k < m->check_count; k++)
    if (!m->checks[k].is_flag)
      use_node (uses, m->checks[k].node, m->checks[k].negated ? USE_MORE : USE_LESS);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned k = m->node_count; k-- > 0;)
      changed |= use_operands (&m->nodes[k], uses[k], uses);
  }
  for (unsigned k = 0; k < m->node_count; k++)
    if (m->nodes[k].op == CAT_OP_BASE && m->nodes[k].base == CAT_BASE_SYNC_FENCE
        && (uses[k] & USE_MORE) != 0)
      return true;
  return false;
}

static bool
fences_decided (const Encoder *e, unsigned x, unsigned y)
{
  return scopes_meet (e, &event_of (e, x)->shape, &event_of (e, y)->shape)
         || fault_is (e->options, FAULT_SOLVER_SC_ANY_SCOPE);
}

static void
fence_bounds (Encoder *e, bool optional, unsigned x, unsigned y, Grid *may, Grid *must)
{
  bool fences = is_sc_fence (&event_of (e, x)->shape) && is_sc_fence (&event_of (e, y)->shape);
  if (!fences || unrolled_may_precede (e->u, y, x) || !(optional || fences_decided (e, x, y)))
    return;
  grid_set (&may[CAT_BASE_SYNC_FENCE], x, y);
  if (unrolled_may_precede (e->u, x, y))
    grid_set (&must[CAT_BASE_SYNC_FENCE], x, y);
}

static void
coherence_bounds (Encoder *e, unsigned x, unsigned y, Grid *may, Grid *must)
{
  if (!is_write (e, x) || !is_write (e, y) || event_of (e, y)->shape.is_init)
    return;
  Lit same = encoder_same_object (e, x, y);
  if (same == LIT_FALSE)
    return;
  grid_set (&may[CAT_BASE_CO], x, y);
  if (event_of (e, x)->shape.is_init && same == encoder_both (e, x, y))
    grid_set (&must[CAT_BASE_CO], x, y);
}

static void
order_bounds (Encoder *e, Grid *may, Grid *must)
{
  bool optional = wants_more_fence_order (e);
  for (unsigned x = 0; x < e->n; x++)
    for (unsigned y = 0; y < e->n; y++) {
      if (x == y)
        continue;
      fence_bounds (e, optional, x, y, may, must);
      coherence_bounds (e, x, y, may, must);
    }
}

static void
from_read_bounds (Encoder *e, const Grid *rf, const Grid *co, Grid *fr, bool must)
{
  for (unsigned w = 0; w < e->n; w++)
    for (unsigned r = grid_next (rf, w, 0); r < e->n; r = grid_next (rf, w, r + 1))
      for (unsigned v = grid_next (co, w, 0); v < e->n; v = grid_next (co, w, v + 1))
        if (!must || e->guard_class[w] == 0)
          grid_set (fr, r, v);
}

static void
pair_bounds (Encoder *e, CatBase base, unsigned x, unsigned y, Grid *may, Grid *must)
{
  Lit lit = encoder_base (e, base, GATE_EXACT, x, y);
  if (lit == LIT_FALSE)
    return;
  grid_set (may, x, y);
  if (lit == encoder_both (e, x, y))
    grid_set (must, x, y);
}

static void
plain_bounds (Encoder *e, CatBase base, Grid *may, Grid *must)
{
  bool is_set = cat_base_shape (base) == CAT_SET;
  for (unsigned x = 0; x < e->n; x++)
    for (unsigned y = is_set ? x : 0; y < (is_set ? x + 1 : e->n); y++)
      pair_bounds (e, base, x, y, may, must);
}

void
encoder_base_bounds (Encoder *e, Grid *may, Grid *must)
{
  order_bounds (e, may, must);
  for (unsigned k = 0; k < CAT_BASE_COUNT; k++)
    if (k != CAT_BASE_CO && k != CAT_BASE_SYNC_FENCE && k != CAT_BASE_FR)
      plain_bounds (e, (CatBase) k, &may[k], &must[k]);
  from_read_bounds (e, &may[CAT_BASE_RF], &may[CAT_BASE_CO], &may[CAT_BASE_FR], false);
  if (!fault_is (e->options, FAULT_SOLVER_FR_INIT))
    from_read_bounds (e, &must[CAT_BASE_RF], &must[CAT_BASE_CO], &must[CAT_BASE_FR], true);
}

/* ---- Choices ----------------------------------------------------------------------- */

static Lit *
no_pairs (const Encoder *e)
{
  size_t count = (size_t) e->n * e->n;
  Lit *lits = arena_array (e->arena, Lit, count + 1);
  for (size_t k = 0; k < count; k++)
    lits[k] = LIT_FALSE;
  return lits;
}

static void
choose_source (Encoder *e, unsigned read)
{
  const SymEvent *r = event_of (e, read);
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_autoptr (GArray) writes = g_array_new (FALSE, FALSE, sizeof (unsigned));
  for (unsigned w = 0; w < e->n; w++)
    if (is_write (e, w) && encoder_same_object (e, w, read) != LIT_FALSE)
      g_array_append_val (writes, w);
  for (unsigned k = 0; k < writes->len; k++) {
    unsigned w = g_array_index (writes, unsigned, k);
    Lit rf = writes->len == 1 ? r->guard : cnf_var (e->f);
    e->rf[(size_t) w * e->n + read] = rf;
    g_array_append_val (sources, rf);
    cnf_implies (e->f, rf, encoder_same_object (e, w, read));
    bits_assert_equal (e->f, rf, &event_of (e, w)->value, &r->value);
  }
  cnf_exactly_one (e->f, r->guard, (const Lit *) sources->data, sources->len);
}

void
encoder_choose_reads (Encoder *e)
{
  e->rf = no_pairs (e);
  for (unsigned r = 0; r < e->n; r++)
    if (event_of (e, r)->shape.kind == EVENT_READ)
      choose_source (e, r);
}

/* The check `empty X \ (co | co^-1)`, if the model has one: it makes co total on X. */
static unsigned
totality_check (const Encoder *e)
{
  for (unsigned k = 0; k < e->m->check_count; k++) {
    const CatCheck *check = &e->m->checks[k];
    const CatNode *n = &e->m->nodes[check->node];
    if (check->kind != CAT_EMPTY || check->negated || check->is_flag || n->op != CAT_OP_DIFF)
      continue;
    const CatNode *either = &e->m->nodes[n->b];
    if (either->op != CAT_OP_UNION)
      continue;
    const CatNode *l = &e->m->nodes[either->a];
    const CatNode *r = &e->m->nodes[either->b];
    const CatNode *forth = l->op == CAT_OP_INVERSE ? r : l;
    const CatNode *back = l->op == CAT_OP_INVERSE ? l : r;
    if (forth->op == CAT_OP_PLUS)
      forth = &e->m->nodes[forth->a];
    if (forth->op == CAT_OP_BASE && forth->base == CAT_BASE_CO && back->op == CAT_OP_INVERSE)
      return k;
  }
  return e->m->check_count;
}

/* Gives the writes that the totality check is sure to order a common group, an object at a
 * time. */
static void
group_writes (Encoder *e)
{
  unsigned check = totality_check (e);
  if (check == e->m->check_count)
    return;
  const Grid *ordered = &e->b->must[e->m->nodes[e->m->checks[check].node].a];
  int groups = 0;
  for (unsigned o = 0; o < e->u->program->object_count; o++) {
    groups++;
    for (unsigned w = 0; w < e->n; w++) {
      const SymEvent *s = event_of (e, w);
      bool fits = is_write (e, w) && s->guard == LIT_TRUE && s->shape.object == (int) o;
      for (unsigned v = 0; v < w && fits; v++)
        fits = e->co_group[v] != groups || grid_get (ordered, v, w) || grid_get (ordered, w, v);
      if (fits && !s->shape.is_init)
        e->co_group[w] = groups;
    }
  }
  e->merged_check = check;
}

static void
choose_coherence_pair (Encoder *e, unsigned x, unsigned y)
{
  Lit same = encoder_same_object (e, x, y);
  Lit *forth = &e->co[(size_t) x * e->n + y];
  Lit *back = &e->co[(size_t) y * e->n + x];
  if (same == LIT_FALSE)
    return;
  if (event_of (e, x)->shape.is_init || event_of (e, y)->shape.is_init) {
    *(event_of (e, x)->shape.is_init ? forth : back) = same;
    return;
  }
  *forth = cnf_var (e->f);
  *back = e->co_group[x] != 0 && e->co_group[x] == e->co_group[y] ? -*forth : cnf_var (e->f);
  cnf_implies (e->f, *forth, same);
  cnf_implies (e->f, *back, same);
  cnf_clause2 (e->f, -*forth, -*back);
}

static void
close_coherence (Encoder *e)
{
  g_autoptr (GArray) writes = g_array_new (FALSE, FALSE, sizeof (unsigned));
  for (unsigned w = 0; w < e->n; w++)
    if (is_write (e, w) && !event_of (e, w)->shape.is_init)
      g_array_append_val (writes, w);
  for (unsigned i = 0; i < writes->len; i++)
    for (unsigned j = 0; j < writes->len; j++)
      for (unsigned k = 0; k < writes->len; k++) {
        unsigned x = g_array_index (writes, unsigned, i);
        unsigned y = g_array_index (writes, unsigned, j);
        unsigned z = g_array_index (writes, unsigned, k);
        Lit xy = e->co[(size_t) x * e->n + y];
        Lit yz = e->co[(size_t) y * e->n + z];
        bool one_group = e->co_group[x] != 0 && e->co_group[x] == e->co_group[y]
                         && e->co_group[x] == e->co_group[z];
        /* Within a total order each cycle of three need be excluded once. */
        if (xy == LIT_FALSE || yz == LIT_FALSE || x == z || (one_group && (x > y || x > z)))
          continue;
        cnf_clause3 (e->f, -xy, -yz, e->co[(size_t) x * e->n + z]);
      }
}

static void
choose_coherence (Encoder *e, bool merge_total)
{
  e->co = no_pairs (e);
  e->co_group = arena_array (e->arena, int, e->n + 1);
  if (merge_total)
    group_writes (e);
  for (unsigned x = 0; x < e->n; x++)
    for (unsigned y = x + 1; y < e->n; y++)
      if (is_write (e, x) && is_write (e, y))
        choose_coherence_pair (e, x, y);
  if (!fault_is (e->options, FAULT_SOLVER_CO_NOT_TRANSITIVE))
    close_coherence (e);
}

/* A total order of all fence.sc events, of which the Fence-SC order takes the pairs it decides.
 */
static Lit *
order_fences (Encoder *e, const unsigned *fences, unsigned count)
{
  Lit *before = arena_array (e->arena, Lit, (size_t) count * count + 1);
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = i + 1; j < count; j++) {
      Lit lit = unrolled_may_precede (e->u, fences[i], fences[j])   ? LIT_TRUE
                : unrolled_may_precede (e->u, fences[j], fences[i]) ? LIT_FALSE
                                                                    : cnf_var (e->f);
      before[(size_t) i * count + j] = lit;
      before[(size_t) j * count + i] = -lit;
    }
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = i + 1; j < count; j++)
      for (unsigned k = j + 1; k < count; k++) {
        Lit ij = before[(size_t) i * count + j];
        Lit jk = before[(size_t) j * count + k];
        Lit ik = before[(size_t) i * count + k];
        cnf_clause3 (e->f, -ij, -jk, ik);
        cnf_clause3 (e->f, ij, jk, -ik);
      }
  return before;
}

static void
choose_fence_order (Encoder *e)
{
  e->sync_fence = no_pairs (e);
  e->sync_fence_total = !fault_is (e->options, FAULT_SOLVER_SC_PARTIAL);
  unsigned *fences = arena_array (e->arena, unsigned, e->n + 1);
  unsigned count = 0;
  for (unsigned x = 0; x < e->n; x++)
    if (is_sc_fence (&event_of (e, x)->shape))
      fences[count++] = x;
  if (count < 2)
    return;
  const Lit *before = order_fences (e, fences, count);
  bool optional = wants_more_fence_order (e);
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; j < count; j++) {
      if (i == j)
        continue;
      unsigned x = fences[i];
      unsigned y = fences[j];
      Lit in_order
          = cnf_and (e->f, GATE_EXACT, before[(size_t) i * count + j], encoder_both (e, x, y));
      Lit *lit = &e->sync_fence[(size_t) x * e->n + y];
      if (fault_is (e->options, FAULT_SOLVER_SC_PARTIAL))
        *lit = cnf_and (e->f, GATE_EXACT, in_order, cnf_var (e->f));
      else if (fences_decided (e, x, y))
        *lit = in_order;
      else {
        e->sync_fence_total = false;
        if (optional && in_order != LIT_FALSE) {
          *lit = cnf_var (e->f);
          cnf_implies (e->f, *lit, in_order);
        }
      }
    }
}

void
encoder_choose_orders (Encoder *e, bool merge_total)
{
  choose_coherence (e, merge_total);
  choose_fence_order (e);
}
