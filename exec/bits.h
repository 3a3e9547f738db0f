/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_BITS_H
#define PTXMM_EXEC_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Rows of bits: `w` words of 64, bit j for event j.  A relation over n events is n rows, row i
 * holding the events that i is related to; bits n and above of a row are zero. */

typedef uint64_t Word;

enum { WORD_BITS = 64 };

static inline unsigned
words_for (unsigned n)
{
  return n == 0 ? 1 : (n + WORD_BITS - 1) / WORD_BITS;
}

static inline bool
bit_get (const Word *row, unsigned j)
{
  return (row[j / WORD_BITS] >> (j % WORD_BITS) & 1) != 0;
}

static inline void
bit_set (Word *row, unsigned j)
{
  row[j / WORD_BITS] |= (Word) 1 << (j % WORD_BITS);
}

static inline void
bit_clear (Word *row, unsigned j)
{
  row[j / WORD_BITS] &= ~((Word) 1 << (j % WORD_BITS));
}

static inline bool
row_empty (const Word *row, size_t w)
{
  for (size_t k = 0; k < w; k++)
    if (row[k] != 0)
      return false;
  return true;
}

static inline void
row_or (Word *row, const Word *other, unsigned w)
{
  for (unsigned k = 0; k < w; k++)
    row[k] |= other[k];
}

static inline void
row_and (Word *row, const Word *other, unsigned w)
{
  for (unsigned k = 0; k < w; k++)
    row[k] &= other[k];
}

/* The first set bit at or after `from`, or -1. */
static inline int
row_next (const Word *row, unsigned w, unsigned from)
{
  unsigned k = from / WORD_BITS;
  if (k >= w)
    return -1;
  Word word = row[k] & (~(Word) 0 << (from % WORD_BITS));
  while (word == 0) {
    if (++k == w)
      return -1;
    word = row[k];
  }
  return (int) (k * WORD_BITS) + __builtin_ctzll (word);
}

/* for (int j of row) */
#define ROW_EACH(j, row, w)                                                                    \
  for (int j = row_next (row, w, 0); j >= 0; j = row_next (row, w, (unsigned) j + 1))

#endif
