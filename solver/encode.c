/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/encode.h"

#include <string.h>

#include "solver/acyclic.h"
#include "solver/fault.h"

Lit
encoder_both (Encoder *e, unsigned x, unsigned y)
{
  return cnf_and (e->f, GATE_EXACT, e->u->events[x].guard, e->u->events[y].guard);
}

static GateMode
flip (GateMode mode)
{
  return mode == GATE_OVER ? GATE_UNDER : GATE_OVER;
}

/* ---- Literals of nodes ------------------------------------------------------------- */

/* `level` counts the unfoldings of a recursion that are left where an over-approximation will
 * not do; elsewhere it is 0. */
static Lit node_lit (Encoder *e, unsigned node, GateMode mode, unsigned level, unsigned x,
                     unsigned y);

static Lit
seq_lit (Encoder *e, const CatNode *n, GateMode mode, unsigned level, unsigned x, unsigned y)
{
  const Grid *left = &e->b->may[n->a];
  const Grid *right = &e->b->may[n->b];
  g_autoptr (GArray) ways = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (unsigned z = grid_next (left, x, 0); z < e->n; z = grid_next (left, x, z + 1)) {
    if (!grid_get (right, z, y))
      continue;
    Lit way = cnf_and (e->f, mode, node_lit (e, n->a, mode, level, x, z),
                       node_lit (e, n->b, mode, level, z, y));
    if (way == LIT_TRUE)
      return LIT_TRUE;
    g_array_append_val (ways, way);
  }
  return cnf_or_n (e->f, mode, (const Lit *) ways->data, ways->len);
}

static Lit
projection_lit (Encoder *e, const CatNode *n, GateMode mode, unsigned level, unsigned x)
{
  const Grid *may = &e->b->may[n->a];
  Lit any = LIT_FALSE;
  for (unsigned y = 0; y < e->n; y++) {
    unsigned from = n->op == CAT_OP_DOMAIN ? x : y;
    unsigned to = n->op == CAT_OP_DOMAIN ? y : x;
    if (grid_get (may, from, to))
      any = cnf_or (e->f, mode, any, node_lit (e, n->a, mode, level, from, to));
  }
  return any;
}

static Lit
rec_lit (Encoder *e, unsigned node, GateMode mode, unsigned level, unsigned x, unsigned y)
{
  if (mode == GATE_UNDER)
    return level == 0 ? LIT_FALSE : node_lit (e, e->m->nodes[node].a, mode, level - 1, x, y);
  Lit lit = cnf_var (e->f);
  Pending pending = { node, x, y, false, false, lit };
  g_array_append_val (e->todo, pending);
  return lit;
}

static bool
is_transitive_base (const CatNode *n)
{
  return n->op == CAT_OP_BASE && (n->base == CAT_BASE_CO || n->base == CAT_BASE_PO);
}

static Lit
compute_lit (Encoder *e, unsigned node, GateMode mode, unsigned level, unsigned x, unsigned y)
{
  const CatNode *n = &e->m->nodes[node];
  switch (n->op) {
  case CAT_OP_BASE:
    return encoder_base (e, n->base, mode, x, y);
  case CAT_OP_EMPTY:
    return LIT_FALSE;
  case CAT_OP_UNION:
    return cnf_or (e->f, mode, node_lit (e, n->a, mode, level, x, y),
                   node_lit (e, n->b, mode, level, x, y));
  case CAT_OP_INTER:
    return cnf_and (e->f, mode, node_lit (e, n->a, mode, level, x, y),
                    node_lit (e, n->b, mode, level, x, y));
  case CAT_OP_DIFF:
    return cnf_and (e->f, mode, node_lit (e, n->a, mode, level, x, y),
                    -node_lit (e, n->b, flip (mode), e->n, x, y));
  case CAT_OP_COMPL:
    return cnf_and (e->f, mode, encoder_both (e, x, y),
                    -node_lit (e, n->a, flip (mode), e->n, x, y));
  case CAT_OP_SEQ:
    return seq_lit (e, n, mode, level, x, y);
  case CAT_OP_CROSS:
    return cnf_and (e->f, mode, node_lit (e, n->a, mode, level, x, x),
                    node_lit (e, n->b, mode, level, y, y));
  case CAT_OP_INVERSE:
    return node_lit (e, n->a, mode, level, y, x);
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
    if (is_transitive_base (&e->m->nodes[n->a]))
      return node_lit (e, n->a, mode, level, x, y);
    return closure_lit (e, node, mode, x, y);
  case CAT_OP_OPT:
  case CAT_OP_ID_ON:
    return node_lit (e, n->a, mode, level, x, y);
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
    return projection_lit (e, n, mode, level, x);
  case CAT_OP_REC:
    return rec_lit (e, node, mode, level, x, y);
  }
  g_assert_not_reached ();
}

static Lit
node_lit (Encoder *e, unsigned node, GateMode mode, unsigned level, unsigned x, unsigned y)
{
  if (!grid_get (&e->b->may[node], x, y))
    return LIT_FALSE;
  if (grid_get (&e->b->must[node], x, y))
    return encoder_both (e, x, y);
  bool leveled = mode == GATE_UNDER && e->m->nodes[node].group >= 0;
  uint64_t key
      = ((((leveled ? (uint64_t) level + 1 : 0) * 2 + (mode == GATE_OVER)) * e->m->node_count
          + node)
             * e->n
         + x)
            * e->n
        + y + 1;
  Lit lit = litmap_get (&e->memo, key);
  if (lit == 0) {
    lit = compute_lit (e, node, mode, level, x, y);
    litmap_put (&e->memo, key, lit);
  }
  return lit;
}

Lit
encoder_lit (Encoder *e, unsigned node, GateMode mode, unsigned x, unsigned y)
{
  return node_lit (e, node, mode, e->n, x, y);
}

void
encoder_flush (Encoder *e)
{
  for (unsigned k = 0; k < e->todo->len; k++) {
    Pending p = g_array_index (e->todo, Pending, k);
    if (p.is_path)
      closure_state (e, p.node, p.x, p.y, p.no_fence_first, p.lit);
    else
      cnf_define2 (e->f, -encoder_lit (e, e->m->nodes[p.node].a, GATE_OVER, p.x, p.y), p.lit);
  }
  g_array_set_size (e->todo, 0);
}

/* ---- Checks ------------------------------------------------------------------------ */

/* Adds literals to `clause` one of which must hold for the pair not to be in the node. */
static void
add_refutation (Encoder *e, unsigned node, unsigned x, unsigned y, GArray *clause)
{
  const CatNode *n = &e->m->nodes[node];
  if (n->op == CAT_OP_INTER || n->op == CAT_OP_DIFF) {
    add_refutation (e, n->a, x, y, clause);
    if (n->op == CAT_OP_INTER)
      add_refutation (e, n->b, x, y, clause);
    else {
      Lit lit = encoder_lit (e, n->b, GATE_UNDER, x, y);
      g_array_append_val (clause, lit);
    }
    return;
  }
  Lit lit = -encoder_lit (e, node, GATE_OVER, x, y);
  g_array_append_val (clause, lit);
}

/* States that the pair is not in the node: a clause for each way it could be. */
static void
forbid (Encoder *e, unsigned node, unsigned x, unsigned y)
{
  const CatNode *n = &e->m->nodes[node];
  if (!grid_get (&e->b->may[node], x, y))
    return;
  if (n->op == CAT_OP_UNION) {
    forbid (e, n->a, x, y);
    forbid (e, n->b, x, y);
    return;
  }
  g_autoptr (GArray) clause = g_array_new (FALSE, FALSE, sizeof (Lit));
  if (n->op != CAT_OP_SEQ) {
    add_refutation (e, node, x, y, clause);
    cnf_clause (e->f, (const Lit *) clause->data, clause->len);
    return;
  }
  const Grid *left = &e->b->may[n->a];
  for (unsigned z = grid_next (left, x, 0); z < e->n; z = grid_next (left, x, z + 1)) {
    if (!grid_get (&e->b->may[n->b], z, y))
      continue;
    g_array_set_size (clause, 0);
    add_refutation (e, n->a, x, z, clause);
    add_refutation (e, n->b, z, y, clause);
    cnf_clause (e->f, (const Lit *) clause->data, clause->len);
  }
}

static Lit
known_co (void *ctx, unsigned i, unsigned j)
{
  const Encoder *e = ctx;
  return e->co[(size_t) i * e->n + j];
}

static void
state_acyclic (Encoder *e, unsigned node)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  const Grid *may = &e->b->may[node];
  ArenaMark mark = arena_mark (e->arena);
  Grid closed = grid_new (e->arena, e->n);
  memcpy (closed.bits, may->bits, sizeof (uint64_t) * may->n * may->words);
  for (unsigned z = 0; z < e->n; z++)
    for (unsigned x = 0; x < e->n; x++)
      if (grid_get (&closed, x, z))
        for (unsigned w = 0; w < closed.words; w++)
          grid_row (&closed, x)[w] |= grid_row (&closed, z)[w];
  for (unsigned x = 0; x < e->n; x++)
    for (unsigned y = grid_next (may, x, 0); y < e->n; y = grid_next (may, x, y + 1)) {
      if (!grid_get (&closed, y, x))
        continue; /* on no cycle */
      Edge edge = { x, y, encoder_lit (e, node, GATE_OVER, x, y) };
      g_array_append_val (edges, edge);
    }
  arena_release (e->arena, mark);
  KnownOrder known = { e->co_group, known_co, e };
  acyclic_encode (e->arena, e->f, e->n, (const Edge *) edges->data, edges->len, &known,
                  fault_is (e->options, FAULT_SOLVER_ACYCLIC_TWO));
}

/* A literal that implies that the relation has a cycle.  paths[x][y] after round k: a path of
 * at most 2^k edges. */
static Lit
cycle_lit (Encoder *e, unsigned node)
{
  size_t size = (size_t) e->n * e->n;
  g_autofree Lit *paths = g_new0 (Lit, size + 1);
  g_autofree Lit *longer = g_new0 (Lit, size + 1);
  for (size_t k = 0; k < size; k++)
    paths[k] = encoder_lit (e, node, GATE_UNDER, (unsigned) (k / e->n), (unsigned) (k % e->n));
  for (unsigned reach = 1; reach < e->n; reach *= 2) {
    for (size_t k = 0; k < size; k++) {
      size_t x = k / e->n, y = k % e->n;
      longer[k] = paths[k];
      for (size_t z = 0; z < e->n; z++)
        longer[k]
            = cnf_or (e->f, GATE_UNDER, longer[k],
                      cnf_and (e->f, GATE_UNDER, paths[x * e->n + z], paths[z * e->n + y]));
    }
    memcpy (paths, longer, sizeof *paths * size);
  }
  Lit any = LIT_FALSE;
  for (size_t x = 0; x < e->n; x++)
    any = cnf_or (e->f, GATE_UNDER, any, paths[x * e->n + x]);
  return any;
}

/* A literal that implies that the relation of the check is not empty, not irreflexive, cyclic.
 */
static Lit
violation_lit (Encoder *e, const CatCheck *check)
{
  const Grid *may = &e->b->may[check->node];
  if (check->kind == CAT_ACYCLIC)
    return cycle_lit (e, check->node);
  Lit any = LIT_FALSE;
  for (unsigned x = 0; x < e->n; x++) {
    for (unsigned y = grid_next (may, x, 0); y < e->n; y = grid_next (may, x, y + 1))
      if (check->kind == CAT_EMPTY || x == y)
        any = cnf_or (e->f, GATE_UNDER, any, encoder_lit (e, check->node, GATE_UNDER, x, y));
  }
  return any;
}

static void
state_check (Encoder *e, const CatCheck *check)
{
  if (check->negated) {
    cnf_clause1 (e->f, violation_lit (e, check));
    return;
  }
  if (check->kind == CAT_ACYCLIC) {
    state_acyclic (e, check->node);
    return;
  }
  const Grid *may = &e->b->may[check->node];
  for (unsigned x = 0; x < e->n; x++)
    for (unsigned y = grid_next (may, x, 0); y < e->n; y = grid_next (may, x, y + 1))
      if (check->kind == CAT_EMPTY || x == y)
        forbid (e, check->node, x, y);
}

static void
state_axioms (Encoder *e)
{
  e->selectors = arena_array (e->arena, Lit, e->m->check_count + 1);
  for (unsigned k = 0; k < e->m->check_count; k++) {
    if (e->m->checks[k].is_flag)
      continue;
    e->selectors[k] = cnf_var (e->f);
    cnf_begin_guard (e->f, e->selectors[k]);
    state_check (e, &e->m->checks[k]);
    cnf_end_guard (e->f);
  }
  encoder_flush (e);
}

Lit
encoder_flag (Encoder *e, const CatCheck *check)
{
  Lit lit;
  if (check->negated)
    lit = violation_lit (e, check);
  else {
    /* The condition is that something is absent: state it under a literal of its own. */
    lit = cnf_var (e->f);
    cnf_begin_guard (e->f, lit);
    state_check (e, check);
    cnf_end_guard (e->f);
  }
  encoder_flush (e);
  return lit;
}

/* ---- Set-up ------------------------------------------------------------------------ */

static unsigned *
classify_guards (Arena *a, const Unrolled *u)
{
  unsigned *classes = arena_array (a, unsigned, u->event_count + 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (unsigned i = 0; i < u->event_count; i++) {
    Lit guard = u->events[i].guard;
    if (guard == LIT_TRUE)
      continue;
    gpointer known = g_hash_table_lookup (seen, GINT_TO_POINTER (guard));
    if (known == NULL) {
      known = GUINT_TO_POINTER (g_hash_table_size (seen) + 1);
      g_hash_table_insert (seen, GINT_TO_POINTER (guard), known);
    }
    classes[i] = GPOINTER_TO_UINT (known);
  }
  return classes;
}

static void
index_dependencies (Encoder *e)
{
  const SymDep *lists[] = { e->u->addr, e->u->data, e->u->ctrl };
  const unsigned counts[] = { e->u->addr_count, e->u->data_count, e->u->ctrl_count };
  for (unsigned k = 0; k < 3; k++) {
    e->dep[k] = arena_new_of (e->arena, LitMap);
    for (unsigned i = 0; i < counts[k]; i++) {
      uint64_t key = (uint64_t) lists[k][i].from * e->n + lists[k][i].to + 1;
      Lit known = litmap_get (e->dep[k], key);
      Lit lit
          = known == 0 ? lists[k][i].lit : cnf_or (e->f, GATE_EXACT, known, lists[k][i].lit);
      litmap_put (e->dep[k], key, lit);
    }
  }
}

static void
compute_bounds (Encoder *e)
{
  Grid *may = arena_array (e->arena, Grid, CAT_BASE_COUNT);
  Grid *must = arena_array (e->arena, Grid, CAT_BASE_COUNT);
  for (unsigned k = 0; k < CAT_BASE_COUNT; k++) {
    may[k] = grid_new (e->arena, e->n);
    must[k] = grid_new (e->arena, e->n);
  }
  encoder_base_bounds (e, may, must);
  e->b = bounds_compute (e->arena, e->m, e->n, e->guard_class, may, must);
}

Encoder *
encoder_new (Arena *a, Cnf *f, const Unrolled *u, const Phases *phases, const CatModel *m,
             const RunOptions *options, bool merge_total)
{
  Encoder *e = arena_new_of (a, Encoder);
  e->arena = a;
  e->f = f;
  e->u = u;
  e->phases = phases;
  e->m = m;
  e->options = options;
  e->n = u->event_count;
  e->merged_check = m->check_count;
  e->todo = g_array_new (FALSE, FALSE, sizeof (Pending));
  e->closures = arena_array (a, Closure *, m->node_count + 1);
  e->guard_class = classify_guards (a, u);
  e->barrier_index = arena_array (a, int, e->n + 1);
  for (unsigned i = 0; i < e->n; i++)
    e->barrier_index[i] = -1;
  for (unsigned i = 0; i < phases->count; i++)
    e->barrier_index[phases->events[i]] = (int) i;
  index_dependencies (e);
  encoder_choose_reads (e);
  compute_bounds (e);
  encoder_choose_orders (e, merge_total);
  state_axioms (e);
  return e;
}

void
encoder_free (Encoder *e)
{
  if (e == NULL)
    return;
  litmap_clear (&e->memo);
  litmap_clear (&e->paths);
  for (unsigned k = 0; k < 3; k++)
    litmap_clear (e->dep[k]);
  g_array_unref (e->todo);
}
