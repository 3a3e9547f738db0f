/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/acyclic.h"

#include <string.h>

/* Vertex elimination: taking a node out of the graph leaves an edge between each predecessor
 * and each successor; a cycle through it becomes a shorter one, and at last an edge from a node
 * to itself, which is forbidden.  Taking nodes with few neighbours first keeps sparse graphs
 * sparse. (Rankooh and Rintanen, "Propositional encodings of acyclicity and reachability by
 * using vertex elimination", AAAI 2022.) */

typedef struct Eliminator {
  Cnf *f;
  unsigned count;        /* nodes of this strongly connected component */
  const unsigned *names; /* their numbers outside */
  Lit *edge;             /* count x count; LIT_FALSE: none */
  bool *derived;         /* count x count: the literal is our own, more may imply it */
  bool *gone;
} Eliminator;

static void
imply_edge (Eliminator *e, unsigned i, unsigned j, Lit first, Lit second)
{
  if (i == j) {
    cnf_clause2 (e->f, -first, -second);
    return;
  }
  size_t at = (size_t) i * e->count + j;
  if (e->edge[at] == LIT_TRUE)
    return;
  if (!e->derived[at]) {
    Lit own = cnf_var (e->f);
    cnf_define2 (e->f, -e->edge[at], own);
    e->edge[at] = own;
    e->derived[at] = true;
  }
  cnf_define3 (e->f, -first, -second, e->edge[at]);
}

static void
eliminate (Eliminator *e, unsigned v)
{
  e->gone[v] = true;
  for (unsigned i = 0; i < e->count; i++) {
    Lit in = e->edge[(size_t) i * e->count + v];
    if (e->gone[i] || in == LIT_FALSE)
      continue;
    for (unsigned j = 0; j < e->count; j++) {
      Lit out = e->edge[(size_t) v * e->count + j];
      if (!e->gone[j] && out != LIT_FALSE)
        imply_edge (e, i, j, in, out);
    }
  }
}

static unsigned
elimination_cost (const Eliminator *e, unsigned v)
{
  unsigned in = 0, out = 0;
  for (unsigned i = 0; i < e->count; i++) {
    in += !e->gone[i] && e->edge[(size_t) i * e->count + v] != LIT_FALSE;
    out += !e->gone[i] && e->edge[(size_t) v * e->count + i] != LIT_FALSE;
  }
  return in * out;
}

/* The node to take next, leaving those of `keep` for last; -1 when only those are left. */
static int
cheapest (const Eliminator *e, const KnownOrder *known, int keep)
{
  int best = -1;
  unsigned best_cost = 0;
  for (unsigned v = 0; v < e->count; v++) {
    if (e->gone[v] || (keep != 0 && known->group[e->names[v]] == keep))
      continue;
    unsigned cost = elimination_cost (e, v);
    if (best < 0 || cost < best_cost) {
      best = (int) v;
      best_cost = cost;
    }
  }
  return best;
}

static int
largest_group (const Eliminator *e, const KnownOrder *known)
{
  int best = 0;
  unsigned best_size = 2; /* an order of two nodes saves nothing */
  for (unsigned v = 0; known != NULL && v < e->count; v++) {
    int group = known->group[e->names[v]];
    unsigned size = 0;
    for (unsigned w = 0; group != 0 && w < e->count; w++)
      size += known->group[e->names[w]] == group;
    if (size > best_size) {
      best_size = size;
      best = group;
    }
  }
  return best;
}

static void
agree_with_order (Eliminator *e, const KnownOrder *known)
{
  for (unsigned i = 0; i < e->count; i++)
    for (unsigned j = 0; j < e->count; j++) {
      Lit edge = e->edge[(size_t) i * e->count + j];
      if (e->gone[i] || e->gone[j] || i == j || edge == LIT_FALSE)
        continue;
      Lit order = known->order (known->ctx, e->names[i], e->names[j]);
      if (order != edge)
        cnf_clause2 (e->f, -edge, order);
    }
}

static void
encode_component (Arena *a, Cnf *f, const unsigned *names, unsigned count, const Edge *edges,
                  unsigned edge_count, const int *local, const KnownOrder *known)
{
  ArenaMark mark = arena_mark (a);
  Eliminator e = { .f = f, .count = count, .names = names };
  e.edge = arena_array (a, Lit, (size_t) count * count);
  e.derived = arena_array (a, bool, (size_t) count *count);
  e.gone = arena_array (a, bool, count);
  for (size_t k = 0; k < (size_t) count * count; k++)
    e.edge[k] = LIT_FALSE;
  for (unsigned k = 0; k < edge_count; k++) {
    int i = local[edges[k].from];
    int j = local[edges[k].to];
    if (i < 0 || j < 0)
      continue;
    Lit *at = &e.edge[(size_t) i * count + (size_t) j];
    *at = cnf_or (f, GATE_OVER, *at, edges[k].lit);
  }
  int keep = largest_group (&e, known);
  for (int v = cheapest (&e, known, keep); v >= 0; v = cheapest (&e, known, keep))
    eliminate (&e, (unsigned) v);
  if (keep != 0)
    agree_with_order (&e, known);
  arena_release (a, mark);
}

/* ---- Strongly connected components (Tarjan, without recursion) -----------------------------
 */

typedef struct Tarjan {
  const unsigned *first; /* edges sorted by source: those of v are [first[v], first[v+1]) */
  const Edge *edges;
  unsigned *index; /* 0: not seen */
  unsigned *low;
  unsigned *next; /* edge to look at */
  unsigned *stack;
  bool *on_stack;
  unsigned stack_size;
  unsigned seen;
  int *component;
  int component_count;
} Tarjan;

static void
enter (Tarjan *t, unsigned v)
{
  t->index[v] = t->low[v] = ++t->seen;
  t->next[v] = t->first[v];
  t->stack[t->stack_size++] = v;
  t->on_stack[v] = true;
}

static void
leave (Tarjan *t, unsigned v)
{
  if (t->low[v] != t->index[v])
    return;
  unsigned w = 0;
  do {
    w = t->stack[--t->stack_size];
    t->on_stack[w] = false;
    t->component[w] = t->component_count;
  } while (w != v);
  t->component_count++;
}

static void
visit (Tarjan *t, unsigned root, unsigned *path)
{
  unsigned depth = 0;
  path[depth++] = root;
  enter (t, root);
  while (depth > 0) {
    unsigned v = path[depth - 1];
    if (t->next[v] < t->first[v + 1]) {
      unsigned w = t->edges[t->next[v]++].to;
      if (t->index[w] == 0) {
        path[depth++] = w;
        enter (t, w);
      } else if (t->on_stack[w])
        t->low[v] = MIN (t->low[v], t->index[w]);
      continue;
    }
    depth--;
    leave (t, v);
    if (depth > 0)
      t->low[path[depth - 1]] = MIN (t->low[path[depth - 1]], t->low[v]);
  }
}

static int
find_components (Arena *a, unsigned count, const Edge *edges, unsigned edge_count,
                 int *component)
{
  unsigned *first = arena_array (a, unsigned, count + 2);
  Edge *sorted = arena_array (a, Edge, edge_count + 1);
  for (unsigned k = 0; k < edge_count; k++)
    first[edges[k].from + 1]++;
  for (unsigned v = 0; v < count; v++)
    first[v + 1] += first[v];
  unsigned *fill = arena_copy (a, first, sizeof *first * (count + 1));
  for (unsigned k = 0; k < edge_count; k++)
    sorted[fill[edges[k].from]++] = edges[k];
  Tarjan t = { .first = first, .edges = sorted, .component = component };
  t.index = arena_array (a, unsigned, count + 1);
  t.low = arena_array (a, unsigned, count + 1);
  t.next = arena_array (a, unsigned, count + 1);
  t.stack = arena_array (a, unsigned, count + 1);
  t.on_stack = arena_array (a, bool, count + 1);
  unsigned *path = arena_array (a, unsigned, count + 1);
  for (unsigned v = 0; v < count; v++)
    if (t.index[v] == 0)
      visit (&t, v, path);
  return t.component_count;
}

static void
forbid_loops_and_pairs (Cnf *f, const Edge *edges, unsigned edge_count, bool pairs)
{
  for (unsigned k = 0; k < edge_count; k++) {
    if (edges[k].from == edges[k].to)
      cnf_clause1 (f, -edges[k].lit);
    for (unsigned l = k + 1; pairs && l < edge_count; l++)
      if (edges[k].from == edges[l].to && edges[k].to == edges[l].from)
        cnf_clause2 (f, -edges[k].lit, -edges[l].lit);
  }
}

void
acyclic_encode (Arena *a, Cnf *f, unsigned count, const Edge *edges, unsigned edge_count,
                const KnownOrder *known, bool two_cycles_only)
{
  forbid_loops_and_pairs (f, edges, edge_count, two_cycles_only);
  if (two_cycles_only)
    return;
  int *component = arena_array (a, int, count + 1);
  int *local = arena_array (a, int, count + 1);
  unsigned *names = arena_array (a, unsigned, count + 1);
  int components = find_components (a, count, edges, edge_count, component);
  for (int c = 0; c < components; c++) {
    unsigned size = 0;
    for (unsigned v = 0; v < count; v++) {
      local[v] = component[v] == c ? (int) size : -1;
      if (component[v] == c)
        names[size++] = v;
    }
    if (size > 1)
      encode_component (a, f, names, size, edges, edge_count, local, known);
  }
}
