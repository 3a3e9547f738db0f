/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/choice.h"

#include "exec/matrix.h"

enum { CHOICE_MATRICES = 6 };

Choice
choice_new (Arena *a, unsigned n)
{
  unsigned w = words_for (n);
  size_t words = (size_t) n * w;
  Word *block = arena_array (a, Word, CHOICE_MATRICES * words);
  return (Choice){ n,
                   w,
                   block,
                   block + words,
                   block + 2 * words,
                   block + 3 * words,
                   block + 4 * words,
                   block + 5 * words };
}

void
choice_copy (Choice *to, const Choice *from)
{
  /* The matrices are one block. */
  memcpy (to->co_lower, from->co_lower, sizeof (Word) * CHOICE_MATRICES * from->n * from->w);
}

/* True when event i is at `from` or before it. */
static inline bool
at_or_before (const Word *order, unsigned w, unsigned i, unsigned from)
{
  return i == from || bit_get (mat_row_const (order, w, i), from);
}

bool
choice_force_co (Choice *c, unsigned from, unsigned to)
{
  unsigned w = c->w;
  if (bit_get (mat_row (c->co_lower, w, from), to))
    return true;
  if (!bit_get (mat_row (c->co_upper, w, from), to))
    return false;
  const Word *after = mat_row (c->co_lower, w, to);
  for (unsigned i = 0; i < c->n; i++) {
    if (!at_or_before (c->co_lower, w, i, from))
      continue;
    Word *lower = mat_row (c->co_lower, w, i);
    const Word *upper = mat_row (c->co_upper, w, i);
    row_or (lower, after, w);
    bit_set (lower, to);
    for (unsigned k = 0; k < w; k++)
      if ((lower[k] & ~upper[k]) != 0)
        return false;
    ROW_EACH (j, lower, w)
    bit_clear (mat_row (c->co_upper, w, (unsigned) j), i);
  }
  return true;
}

bool
choice_forbid_co (Choice *c, unsigned from, unsigned to)
{
  if (bit_get (mat_row (c->co_lower, c->w, from), to))
    return false;
  bit_clear (mat_row (c->co_upper, c->w, from), to);
  return true;
}

/* A pair that sf_reach has and the program relates is in, and its converse is out. */
static void
take_reached (Choice *c, unsigned i)
{
  Word *lower = mat_row (c->sf_lower, c->w, i);
  const Word *reach = mat_row (c->sf_reach, c->w, i);
  const Word *upper = mat_row (c->sf_upper, c->w, i);
  const Word *open = mat_row (c->sf_free, c->w, i);
  for (unsigned k = 0; k < c->w; k++)
    lower[k] |= reach[k] & upper[k] & ~open[k];
  ROW_EACH (j, reach, c->w)
  bit_clear (mat_row (c->sf_upper, c->w, (unsigned) j), i);
}

bool
choice_force_sf (Choice *c, unsigned from, unsigned to)
{
  unsigned w = c->w;
  if (bit_get (mat_row (c->sf_lower, w, from), to))
    return true;
  if (!bit_get (mat_row (c->sf_upper, w, from), to)
      || bit_get (mat_row (c->sf_reach, w, to), from))
    return false;
  const Word *after = mat_row (c->sf_reach, w, to);
  for (unsigned i = 0; i < c->n; i++) {
    if (!at_or_before (c->sf_reach, w, i, from))
      continue;
    row_or (mat_row (c->sf_reach, w, i), after, w);
    bit_set (mat_row (c->sf_reach, w, i), to);
    take_reached (c, i);
  }
  bit_set (mat_row (c->sf_lower, w, from), to);
  return true;
}

bool
choice_forbid_sf (Choice *c, unsigned from, unsigned to)
{
  if (bit_get (mat_row (c->sf_lower, c->w, from), to))
    return false;
  if (!bit_get (mat_row (c->sf_upper, c->w, from), to))
    return true;
  if (!bit_get (mat_row (c->sf_free, c->w, from), to))
    return choice_force_sf (c, to, from); /* it has one direction or the other */
  bit_clear (mat_row (c->sf_upper, c->w, from), to);
  return true;
}

static bool
open_pair (const Word *lower, const Word *upper, const Word *free, const Choice *c,
           unsigned *from, unsigned *to)
{
  for (unsigned i = 0; i < c->n; i++)
    for (unsigned k = 0; k < c->w; k++) {
      size_t at = (size_t) i * c->w + k;
      Word open = upper[at] & ~lower[at] & (free == NULL ? ~(Word) 0 : ~free[at]);
      if (open != 0) {
        *from = i;
        *to = k * WORD_BITS + (unsigned) __builtin_ctzll (open);
        return true;
      }
    }
  return false;
}

bool
choice_open_co (const Choice *c, unsigned *from, unsigned *to)
{
  return open_pair (c->co_lower, c->co_upper, NULL, c, from, to);
}

bool
choice_open_sf (const Choice *c, unsigned *from, unsigned *to)
{
  return open_pair (c->sf_lower, c->sf_upper, c->sf_free, c, from, to);
}
