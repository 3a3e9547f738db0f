/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_LITMAP_H
#define PTXMM_SOLVER_LITMAP_H

#include "solver/cnf.h"

/* A map from 64-bit keys (never 0) to literals. */
typedef struct LitMap {
  uint64_t *keys;
  Lit *lits;
  unsigned size; /* a power of two, or 0 */
  unsigned used;
} LitMap;

void litmap_clear (LitMap *m);

/* 0 when the key is not there. */
Lit litmap_get (const LitMap *m, uint64_t key);
void litmap_put (LitMap *m, uint64_t key, Lit lit);

#endif
