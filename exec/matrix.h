/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_MATRIX_H
#define PTXMM_EXEC_MATRIX_H

#include "exec/bits.h"

/* Operations on relations as plain bit matrices, for inner loops: nothing is allocated, results
 * go to memory of the caller, sizes are n events in rows of w words.  One-word rows (n <= 64)
 * have loops of their own.  Unless said otherwise `to` may be an operand. */

static inline Word *
mat_row (Word *m, unsigned w, unsigned i)
{
  return m + (size_t) i * w;
}

static inline const Word *
mat_row_const (const Word *m, unsigned w, unsigned i)
{
  return m + (size_t) i * w;
}

/* x ; y.  `to` must be neither. */
void mat_seq (Word *to, const Word *x, const Word *y, unsigned n, unsigned w);

/* x^-1.  `to` must not be x. */
void mat_inverse (Word *to, const Word *x, unsigned n, unsigned w);

/* The least transitive relation that contains m, in place. */
void mat_close (Word *m, unsigned n, unsigned w);

/* Adds every event with itself. */
void mat_add_id (Word *m, unsigned n, unsigned w);

/* Keeps the pairs that start (end) in the set. */
void mat_keep_rows (Word *to, const Word *x, const Word *set, unsigned n, unsigned w);
void mat_keep_columns (Word *to, const Word *x, const Word *set, unsigned n, unsigned w);

/* The events with a successor; the successors. */
void mat_domain (Word *set, const Word *x, unsigned n, unsigned w);
void mat_range (Word *set, const Word *x, unsigned n, unsigned w);

bool mat_irreflexive (const Word *x, unsigned n, unsigned w);

/* `scratch` has w words. */
bool mat_acyclic (const Word *x, unsigned n, unsigned w, Word *scratch);

#endif
