/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/matrix.h"

static inline Word
seq_word (Word row, const Word *y)
{
  Word result = 0;
  for (; row != 0; row &= row - 1)
    result |= y[__builtin_ctzll (row)];
  return result;
}

void
mat_seq (Word *restrict to, const Word *x, const Word *y, unsigned n, unsigned w)
{
  if (w == 1) {
    for (unsigned i = 0; i < n; i++)
      to[i] = seq_word (x[i], y);
    return;
  }
  memset (to, 0, sizeof (Word) * n * w);
  for (unsigned i = 0; i < n; i++)
    ROW_EACH (k, mat_row_const (x, w, i), w)
  row_or (mat_row (to, w, i), mat_row_const (y, w, (unsigned) k), w);
}

void
mat_inverse (Word *restrict to, const Word *x, unsigned n, unsigned w)
{
  memset (to, 0, sizeof (Word) * n * w);
  if (w == 1) {
    for (unsigned i = 0; i < n; i++)
      for (Word row = x[i]; row != 0; row &= row - 1)
        to[__builtin_ctzll (row)] |= (Word) 1 << i;
    return;
  }
  for (unsigned i = 0; i < n; i++)
    ROW_EACH (j, mat_row_const (x, w, i), w)
  bit_set (mat_row (to, w, (unsigned) j), i);
}

static void
close_words (Word *m, unsigned n)
{
  Word reached = 0; /* events with a predecessor */
  for (unsigned i = 0; i < n; i++)
    reached |= m[i];
  for (; reached != 0; reached &= reached - 1) {
    unsigned k = (unsigned) __builtin_ctzll (reached);
    Word via = m[k];
    if (via == 0)
      continue;
    for (unsigned i = 0; i < n; i++)
      m[i] |= via & -(m[i] >> k & 1);
  }
}

void
mat_close (Word *m, unsigned n, unsigned w)
{
  if (w == 1) {
    close_words (m, n);
    return;
  }
  for (unsigned k = 0; k < n; k++)
    for (unsigned i = 0; i < n; i++)
      if (i != k && bit_get (mat_row (m, w, i), k))
        row_or (mat_row (m, w, i), mat_row (m, w, k), w);
}

void
mat_add_id (Word *m, unsigned n, unsigned w)
{
  for (unsigned i = 0; i < n; i++)
    bit_set (mat_row (m, w, i), i);
}

void
mat_keep_rows (Word *to, const Word *x, const Word *set, unsigned n, unsigned w)
{
  for (unsigned i = 0; i < n; i++) {
    Word keep = -(Word) bit_get (set, i);
    for (unsigned k = 0; k < w; k++)
      to[(size_t) i * w + k] = x[(size_t) i * w + k] & keep;
  }
}

void
mat_keep_columns (Word *to, const Word *x, const Word *set, unsigned n, unsigned w)
{
  if (w == 1) {
    Word keep = set[0];
    for (unsigned i = 0; i < n; i++)
      to[i] = x[i] & keep;
    return;
  }
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < w; k++)
      to[(size_t) i * w + k] = x[(size_t) i * w + k] & set[k];
}

void
mat_domain (Word *set, const Word *x, unsigned n, unsigned w)
{
  memset (set, 0, sizeof (Word) * w);
  for (unsigned i = 0; i < n; i++)
    if (!row_empty (mat_row_const (x, w, i), w))
      bit_set (set, i);
}

void
mat_range (Word *set, const Word *x, unsigned n, unsigned w)
{
  memset (set, 0, sizeof (Word) * w);
  for (unsigned i = 0; i < n; i++)
    row_or (set, mat_row_const (x, w, i), w);
}

bool
mat_irreflexive (const Word *x, unsigned n, unsigned w)
{
  Word diagonal = 0;
  for (unsigned i = 0; i < n; i++)
    diagonal |= (Word) bit_get (mat_row_const (x, w, i), i);
  return diagonal == 0;
}

/* Both versions peel off events without successors among those left. */
static bool
acyclic_words (const Word *x, unsigned n)
{
  Word left = 0;
  for (unsigned i = 0; i < n; i++)
    left |= (Word) (x[i] != 0) << i;
  for (Word before = 0; left != before;) {
    before = left;
    for (Word rest = left; rest != 0; rest &= rest - 1) {
      unsigned i = (unsigned) __builtin_ctzll (rest);
      if ((x[i] & left) == 0)
        left &= ~((Word) 1 << i);
    }
  }
  return left == 0;
}

static bool
row_meets (const Word *x, const Word *y, unsigned w)
{
  for (unsigned k = 0; k < w; k++)
    if ((x[k] & y[k]) != 0)
      return true;
  return false;
}

bool
mat_acyclic (const Word *x, unsigned n, unsigned w, Word *scratch)
{
  if (w == 1)
    return acyclic_words (x, n);
  mat_domain (scratch, x, n, w);
  for (bool changed = true; changed;) {
    changed = false;
    ROW_EACH (i, scratch, w)
    if (!row_meets (mat_row_const (x, w, (unsigned) i), scratch, w)) {
      bit_clear (scratch, (unsigned) i);
      changed = true;
    }
  }
  return row_empty (scratch, w);
}
