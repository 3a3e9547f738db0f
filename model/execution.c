/* SPDX-License-Identifier: Apache-2.0 */
#include "model/execution.h"

#include <stdlib.h>

static int
compare_pairs (const void *left, const void *right)
{
  const Pair *x = left;
  const Pair *y = right;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to == y->to ? 0 : x->to < y->to ? -1 : 1;
}

Pairs
pairs_from (Arena *a, const Pair *pairs, unsigned count)
{
  Pair *copy = arena_copy (a, pairs, sizeof (Pair) * count);
  if (count > 1)
    qsort (copy, count, sizeof (Pair), compare_pairs);
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (kept == 0 || compare_pairs (&copy[kept - 1], &copy[i]) != 0)
      copy[kept++] = copy[i];
  return (Pairs){ copy, kept };
}
