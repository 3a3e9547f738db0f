/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/encode.h"

#include <string.h>

#include "solver/fault.h"

/* Transitive closure.  Certain edges are closed beforehand (Bounds); a path then is a sequence
 * of dynamic edges joined by certain paths:
 *
 *   T(x,y)  =  certain(x,y)  |  some tail u, head v:  certain*(x,u), P(u,v), certain*(v,y)
 *   P(u,v)  =  edge(u,v)     |  some w, u':           edge(u,w), certain*(w,u'), P(u',v)
 *
 * where P (u,v) starts with a dynamic edge out of u and ends with one into v.  Only the pairs
 * that are asked for are stated.  Used where being true can only hurt, P needs no more than
 * implications; elsewhere it is unfolded to the number of heads, which is exact since a
 * shortest path enters no head twice.
 *
 * The Fence-SC order is transitive where it is total, so a path need not take two of its edges
 * in a row: with many fences this saves nearly all clauses. */

static void
build_edges (Encoder *e, Closure *c, unsigned operand)
{
  const Grid *may = &e->b->may[operand];
  const Grid *must = &e->b->must[operand];
  bool lossy = e->b->lossy[c->node];
  for (unsigned x = 0; x < e->n; x++)
    for (unsigned y = grid_next (may, x, 0); y < e->n; y = grid_next (may, x, y + 1)) {
      /* Where certain paths run through events that need not happen, those edges count too. */
      bool uncertain = lossy && (e->guard_class[x] != 0 || e->guard_class[y] != 0);
      if (grid_get (must, x, y) && !uncertain)
        continue;
      grid_set (&c->dynamic, x, y);
      c->is_tail[x] = true;
      c->head_count += !c->is_head[y];
      c->is_head[y] = true;
    }
}

static Closure *
closure_of (Encoder *e, unsigned node)
{
  if (e->closures[node] != NULL)
    return e->closures[node];
  Closure *c = arena_new_of (e->arena, Closure);
  unsigned operand = e->m->nodes[node].a;
  c->node = node;
  c->dynamic = grid_new (e->arena, e->n);
  c->is_tail = arena_array (e->arena, bool, e->n + 1);
  c->is_head = arena_array (e->arena, bool, e->n + 1);
  build_edges (e, c, operand);
  c->leaves_order = arena_array (e->arena, int8_t, e->n + 1);
  c->star = grid_new (e->arena, e->n);
  memcpy (c->star.bits, e->b->must[node].bits, sizeof (uint64_t) * c->star.n * c->star.words);
  for (unsigned x = 0; x < e->n; x++)
    grid_set (&c->star, x, x);
  c->path_may = e->b->may[node];
  e->closures[node] = c;
  return c;
}

static bool
is_fence_step (const Encoder *e, unsigned x, unsigned y, Lit edge)
{
  return e->sync_fence_total && e->sync_fence[(size_t) x * e->n + y] == edge && edge != LIT_TRUE
         && edge != LIT_FALSE;
}

static Lit
edge_lit (Encoder *e, const Closure *c, GateMode mode, unsigned x, unsigned y)
{
  return encoder_lit (e, e->m->nodes[c->node].a, mode, x, y);
}

/* Has u a dynamic edge that is not a step of the Fence-SC order? */
static bool
leaves_fence_order (Encoder *e, const Closure *c, unsigned u)
{
  int8_t *known = &c->leaves_order[u];
  for (unsigned w = grid_next (&c->dynamic, u, 0); w < e->n && *known == 0;
       w = grid_next (&c->dynamic, u, w + 1)) {
    Lit edge = edge_lit (e, c, GATE_OVER, u, w);
    if (edge != LIT_FALSE && !is_fence_step (e, u, w, edge))
      *known = 1;
  }
  if (*known == 0)
    *known = -1;
  return *known > 0;
}

/* ---- Where being true can only hurt ---------------------------------------------------------
 */

static uint64_t
path_key (const Encoder *e, unsigned node, unsigned u, unsigned v, bool no_fence_first)
{
  return ((((uint64_t) node * 2 + no_fence_first) * e->n + u) * e->n + v) + 1;
}

static Lit
path_over (Encoder *e, const Closure *c, unsigned u, unsigned v, bool no_fence_first)
{
  if (!c->is_tail[u] || !c->is_head[v] || !grid_get (&c->path_may, u, v))
    return LIT_FALSE;
  if (no_fence_first && !leaves_fence_order (e, c, u))
    return LIT_FALSE;
  uint64_t key = path_key (e, c->node, u, v, no_fence_first);
  Lit lit = litmap_get (&e->paths, key);
  if (lit == 0) {
    lit = cnf_var (e->f);
    litmap_put (&e->paths, key, lit);
    Pending pending = { c->node, u, v, true, no_fence_first, lit };
    g_array_append_val (e->todo, pending);
  }
  return lit;
}

void
closure_state (Encoder *e, unsigned node, unsigned u, unsigned v, bool no_fence_first, Lit lit)
{
  const Closure *c = e->closures[node];
  for (unsigned w = grid_next (&c->dynamic, u, 0); w < e->n;
       w = grid_next (&c->dynamic, u, w + 1)) {
    Lit edge = edge_lit (e, c, GATE_OVER, u, w);
    bool fence_step = is_fence_step (e, u, w, edge);
    if (edge == LIT_FALSE || (fence_step && no_fence_first))
      continue;
    if (w == v)
      cnf_define2 (e->f, -edge, lit);
    if (fault_is (e->options, FAULT_SOLVER_CLOSURE_SHORT))
      continue;
    for (unsigned next = grid_next (&c->star, w, 0); next < e->n;
         next = grid_next (&c->star, w, next + 1)) {
      Lit rest = path_over (e, c, next, v, fence_step && next == w);
      if (rest != LIT_FALSE && rest != lit)
        cnf_define3 (e->f, -edge, -rest, lit);
    }
  }
}

/* ---- Elsewhere --------------------------------------------------------------------- */

static Lit
path_under (Encoder *e, const Closure *c, unsigned u, unsigned v, unsigned steps)
{
  if (steps == 0 || !c->is_tail[u] || !c->is_head[v] || !grid_get (&c->path_may, u, v))
    return LIT_FALSE;
  uint64_t key = path_key (e, c->node, u, v, false)
                 + (uint64_t) steps * 2 * e->m->node_count * e->n * e->n;
  Lit lit = litmap_get (&e->paths, key);
  if (lit != 0)
    return lit;
  lit = LIT_FALSE;
  for (unsigned w = grid_next (&c->dynamic, u, 0); w < e->n;
       w = grid_next (&c->dynamic, u, w + 1)) {
    Lit rest = w == v ? LIT_TRUE : LIT_FALSE;
    for (unsigned next = grid_next (&c->star, w, 0); next < e->n && rest != LIT_TRUE;
         next = grid_next (&c->star, w, next + 1))
      rest = cnf_or (e->f, GATE_UNDER, rest, path_under (e, c, next, v, steps - 1));
    if (rest == LIT_FALSE)
      continue;
    Lit step = cnf_and (e->f, GATE_UNDER, edge_lit (e, c, GATE_UNDER, u, w), rest);
    lit = cnf_or (e->f, GATE_UNDER, lit, step);
  }
  litmap_put (&e->paths, key, lit);
  return lit;
}

/* ---- Both -------------------------------------------------------------------------- */

Lit
closure_lit (Encoder *e, unsigned node, GateMode mode, unsigned x, unsigned y)
{
  const Closure *c = closure_of (e, node);
  g_autoptr (GArray) ways = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (unsigned u = grid_next (&c->star, x, 0); u < e->n; u = grid_next (&c->star, x, u + 1)) {
    if (!c->is_tail[u])
      continue;
    for (unsigned v = 0; v < e->n; v++) {
      if (!c->is_head[v] || !grid_get (&c->star, v, y))
        continue;
      Lit way = mode == GATE_OVER ? path_over (e, c, u, v, false)
                                  : path_under (e, c, u, v, c->head_count);
      g_array_append_val (ways, way);
    }
  }
  return cnf_or_n (e->f, mode, (const Lit *) ways->data, ways->len);
}
