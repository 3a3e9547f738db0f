/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_BOUNDS_H
#define PTXMM_SOLVER_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/cat.h"

/* For every node of a model, what is known of it before solving: pairs that may be in it in
 * some execution, and pairs that must be in it whenever both events happen.  A set is the part
 * of the identity on its members.  Only what lies between is encoded. */

typedef struct Grid {
  unsigned n;
  unsigned words; /* of a row */
  uint64_t *bits; /* n rows */
} Grid;

static inline bool
grid_get (const Grid *g, unsigned x, unsigned y)
{
  return (g->bits[(size_t) x * g->words + y / 64] >> (y % 64) & 1) != 0;
}

static inline void
grid_set (Grid *g, unsigned x, unsigned y)
{
  g->bits[(size_t) x * g->words + y / 64] |= UINT64_C (1) << (y % 64);
}

static inline uint64_t *
grid_row (const Grid *g, unsigned x)
{
  return g->bits + (size_t) x * g->words;
}

/* The least member of row x that is at least `from`; n when there is none. */
unsigned grid_next (const Grid *g, unsigned x, unsigned from);

Grid grid_new (Arena *a, unsigned n);
bool grid_is_empty (const Grid *g);

typedef struct Bounds {
  unsigned n;
  Grid *may; /* per node of the model */
  Grid *must;
  bool *lossy;                 /* closures: `must` misses pairs that are connected only through
                                * events that need not happen */
  const unsigned *guard_class; /* per event: events of one class happen together */
  Grid same_class;             /* rows by event */
} Bounds;

/* Fills in the nodes of `m` from those of its base relations, which `base_may` and `base_must`
 * give (CAT_BASE_COUNT entries each).  `guard_class` 0 is: always happens. */
Bounds *bounds_compute (Arena *a, const CatModel *m, unsigned n, const unsigned *guard_class,
                        const Grid *base_may, const Grid *base_must);

#endif
