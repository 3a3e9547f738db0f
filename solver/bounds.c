/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/bounds.h"

#include <string.h>

Grid
grid_new (Arena *a, unsigned n)
{
  Grid g = { .n = n, .words = (n + 63) / 64 };
  g.bits = arena_array (a, uint64_t, (size_t) n * g.words + 1);
  return g;
}

unsigned
grid_next (const Grid *g, unsigned x, unsigned from)
{
  const uint64_t *row = grid_row (g, x);
  if (from >= g->n)
    return g->n;
  unsigned w = from / 64;
  uint64_t word = row[w] & (UINT64_MAX << (from % 64));
  while (word == 0) {
    if (++w == g->words)
      return g->n;
    word = row[w];
  }
  return w * 64 + (unsigned) __builtin_ctzll (word);
}

bool
grid_is_empty (const Grid *g)
{
  for (size_t k = 0; k < (size_t) g->n * g->words; k++)
    if (g->bits[k] != 0)
      return false;
  return true;
}

/* ---- Operations ----------------------------------------------------------------------------
 */

typedef struct Work {
  Arena *arena;
  const CatModel *m;
  Bounds *b;
  const Grid *base_may;
  const Grid *base_must;
} Work;

static size_t
size_in_words (const Grid *g)
{
  return (size_t) g->n * g->words;
}

static void
unite (Grid *into, const Grid *x)
{
  for (size_t k = 0; k < size_in_words (into); k++)
    into->bits[k] |= x->bits[k];
}

static void
copy (Grid *into, const Grid *x)
{
  memcpy (into->bits, x->bits, sizeof (uint64_t) * size_in_words (x));
}

static void
intersect (Grid *into, const Grid *x, const Grid *y)
{
  for (size_t k = 0; k < size_in_words (into); k++)
    into->bits[k] = x->bits[k] & y->bits[k];
}

static void
subtract (Grid *into, const Grid *x, const Grid *y)
{
  for (size_t k = 0; k < size_in_words (into); k++)
    into->bits[k] = x->bits[k] & ~y->bits[k];
}

static void
all_pairs (Grid *into, CatShape shape)
{
  for (unsigned x = 0; x < into->n; x++)
    for (unsigned y = 0; y < into->n; y++)
      if (shape == CAT_REL || x == y)
        grid_set (into, x, y);
}

static void
transpose (Grid *into, const Grid *x)
{
  for (unsigned i = 0; i < x->n; i++)
    for (unsigned j = grid_next (x, i, 0); j < x->n; j = grid_next (x, i, j + 1))
      grid_set (into, j, i);
}

/* row |= more, where the middle event z is sure to happen when x and the target do: always when
 * `sure`, else only towards targets of z's class. */
static bool
unite_row (uint64_t *row, const uint64_t *more, const uint64_t *mask, unsigned words)
{
  bool changed = false;
  for (unsigned w = 0; w < words; w++) {
    uint64_t added = more[w] & (mask == NULL ? UINT64_MAX : mask[w]);
    changed |= (added & ~row[w]) != 0;
    row[w] |= added;
  }
  return changed;
}

static const uint64_t *
mask_through (const Bounds *b, bool must, unsigned x, unsigned z)
{
  unsigned class = b->guard_class[z];
  bool sure = !must || class == 0 || class == b->guard_class[x];
  return sure ? NULL : grid_row (&b->same_class, z);
}

static void
compose (const Bounds *b, Grid *into, const Grid *x, const Grid *y, bool must)
{
  for (unsigned i = 0; i < x->n; i++)
    for (unsigned z = grid_next (x, i, 0); z < x->n; z = grid_next (x, i, z + 1))
      unite_row (grid_row (into, i), grid_row (y, z), mask_through (b, must, i, z), x->words);
}

static void
close (const Bounds *b, Grid *g, bool must)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned z = 0; z < g->n; z++)
      for (unsigned x = 0; x < g->n; x++)
        if (grid_get (g, x, z))
          changed |= unite_row (grid_row (g, x), grid_row (g, z), mask_through (b, must, x, z),
                                g->words);
    if (!must)
      return; /* one pass suffices when every middle event counts */
  }
}

static bool
has_member (const Bounds *b, const Grid *x, unsigned i, bool columns, bool must)
{
  for (unsigned j = 0; j < x->n; j++) {
    bool in = columns ? grid_get (x, j, i) : grid_get (x, i, j);
    bool sure = b->guard_class[j] == 0 || b->guard_class[j] == b->guard_class[i];
    if (in && (!must || sure))
      return true;
  }
  return false;
}

static void
project (const Bounds *b, Grid *into, const Grid *x, bool range, bool must)
{
  for (unsigned i = 0; i < x->n; i++)
    if (has_member (b, x, i, range, must))
      grid_set (into, i, i);
}

static void
cross (Grid *into, const Grid *x, const Grid *y)
{
  g_autofree uint64_t *row = g_new0 (uint64_t, into->words + 1);
  for (unsigned j = 0; j < y->n; j++)
    if (grid_get (y, j, j))
      row[j / 64] |= UINT64_C (1) << (j % 64);
  for (unsigned i = 0; i < x->n; i++)
    if (grid_get (x, i, i))
      memcpy (grid_row (into, i), row, sizeof (uint64_t) * into->words);
}

static void
add_identity (Grid *g)
{
  for (unsigned i = 0; i < g->n; i++)
    grid_set (g, i, i);
}

/* ---- Nodes ---------------------------------------------------------------------------------
 */

static void
eval_closure (Work *w, unsigned node, bool must)
{
  Bounds *b = w->b;
  Grid *into = must ? &b->must[node] : &b->may[node];
  const Grid *operand = must ? &b->must[w->m->nodes[node].a] : &b->may[w->m->nodes[node].a];
  copy (into, operand);
  close (b, into, must);
  if (must) {
    ArenaMark mark = arena_mark (w->arena);
    Grid full = grid_new (w->arena, b->n);
    copy (&full, operand);
    close (b, &full, false);
    b->lossy[node]
        = memcmp (full.bits, into->bits, sizeof (uint64_t) * size_in_words (into)) != 0;
    arena_release (w->arena, mark);
  }
  if (w->m->nodes[node].op == CAT_OP_STAR)
    add_identity (into);
}

static void
clear (Grid *g)
{
  memset (g->bits, 0, sizeof (uint64_t) * size_in_words (g));
}

/* Recomputes one side of one node.  The other side of operands under a complement must be
 * final, which the reader's monotonicity check guarantees inside a recursion. */
static void
eval_side (Work *w, unsigned node, bool must)
{
  Bounds *b = w->b;
  const CatNode *n = &w->m->nodes[node];
  Grid *same = must ? b->must : b->may;
  Grid *other = must ? b->may : b->must;
  Grid *into = &same[node];
  clear (into);
  switch (n->op) {
  case CAT_OP_BASE:
    copy (into, must ? &w->base_must[n->base] : &w->base_may[n->base]);
    return;
  case CAT_OP_EMPTY:
    return;
  case CAT_OP_UNION:
    copy (into, &same[n->a]);
    unite (into, &same[n->b]);
    return;
  case CAT_OP_INTER:
    intersect (into, &same[n->a], &same[n->b]);
    return;
  case CAT_OP_DIFF:
    subtract (into, &same[n->a], &other[n->b]);
    return;
  case CAT_OP_COMPL:
    all_pairs (into, n->shape);
    subtract (into, into, &other[n->a]);
    return;
  case CAT_OP_SEQ:
    compose (b, into, &same[n->a], &same[n->b], must);
    return;
  case CAT_OP_CROSS:
    cross (into, &same[n->a], &same[n->b]);
    return;
  case CAT_OP_INVERSE:
    transpose (into, &same[n->a]);
    return;
  case CAT_OP_PLUS:
  case CAT_OP_STAR:
    eval_closure (w, node, must);
    return;
  case CAT_OP_OPT:
    copy (into, &same[n->a]);
    add_identity (into);
    return;
  case CAT_OP_ID_ON:
    copy (into, &same[n->a]);
    return;
  case CAT_OP_DOMAIN:
    project (b, into, &same[n->a], false, must);
    return;
  case CAT_OP_RANGE:
    project (b, into, &same[n->a], true, must);
    return;
  case CAT_OP_REC:
    copy (into, &same[n->a]);
    return;
  }
  g_assert_not_reached ();
}

/* The least fixpoint of a recursive group: its nodes are evaluated in order until the REC nodes
 * stop growing. */
static void
eval_group (Work *w, int group, bool must)
{
  Bounds *b = w->b;
  Grid *same = must ? b->must : b->may;
  const CatGroup *g = &w->m->groups[group];
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned node = 0; node < w->m->node_count; node++)
      if (w->m->nodes[node].group == group && w->m->nodes[node].op != CAT_OP_REC)
        eval_side (w, node, must);
    for (unsigned k = 0; k < g->count; k++) {
      Grid *var = &same[g->vars[k]];
      const Grid *body = &same[g->bodies[k]];
      if (memcmp (var->bits, body->bits, sizeof (uint64_t) * size_in_words (var)) != 0) {
        copy (var, body);
        changed = true;
      }
    }
  }
}

Bounds *
bounds_compute (Arena *a, const CatModel *m, unsigned n, const unsigned *guard_class,
                const Grid *base_may, const Grid *base_must)
{
  Bounds *b = arena_new_of (a, Bounds);
  b->n = n;
  b->guard_class = guard_class;
  b->may = arena_array (a, Grid, m->node_count + 1);
  b->must = arena_array (a, Grid, m->node_count + 1);
  b->lossy = arena_array (a, bool, m->node_count + 1);
  b->same_class = grid_new (a, n);
  for (unsigned x = 0; x < n; x++)
    for (unsigned y = 0; y < n; y++)
      if (guard_class[x] == guard_class[y])
        grid_set (&b->same_class, x, y);
  for (unsigned k = 0; k < m->node_count; k++) {
    b->may[k] = grid_new (a, n);
    b->must[k] = grid_new (a, n);
  }
  Work w = { a, m, b, base_may, base_must };
  /* A group waits for its last node, by when all that it uses is there. */
  g_autofree unsigned *last = g_new0 (unsigned, m->group_count + 1);
  for (unsigned k = 0; k < m->node_count; k++)
    if (m->nodes[k].group >= 0)
      last[m->nodes[k].group] = k;
  for (unsigned k = 0; k < m->node_count; k++) {
    int group = m->nodes[k].group;
    if (group < 0) {
      eval_side (&w, k, true);
      eval_side (&w, k, false);
    } else if (last[group] == k) {
      eval_group (&w, group, true);
      eval_group (&w, group, false);
    }
  }
  return b;
}
