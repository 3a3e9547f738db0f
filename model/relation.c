/* SPDX-License-Identifier: Apache-2.0 */
#include "model/relation.h"

#include <string.h>

/* Bits at n and beyond are 0 in every row, always: comparisons and counts go by whole words. */

struct Set {
  unsigned n;
  unsigned words;
  uint64_t bits[];
};

struct Rel {
  unsigned n;
  unsigned words; /* of a row */
  uint64_t bits[];
};

enum { WORD_BITS = 64 };

/* ---- Rows ---------------------------------------------------------------------------------
 */

static unsigned
words_for (unsigned n)
{
  return (n + WORD_BITS - 1) / WORD_BITS;
}

static bool
bit_get (const uint64_t *row, unsigned i)
{
  return (row[i / WORD_BITS] >> (i % WORD_BITS)) & 1;
}

static void
bit_set (uint64_t *row, unsigned i)
{
  row[i / WORD_BITS] |= UINT64_C (1) << (i % WORD_BITS);
}

static void
bit_clear (uint64_t *row, unsigned i)
{
  row[i / WORD_BITS] &= ~(UINT64_C (1) << (i % WORD_BITS));
}

static void
row_or (uint64_t *to, const uint64_t *from, unsigned words)
{
  for (unsigned w = 0; w < words; w++)
    to[w] |= from[w];
}

static unsigned
row_count (const uint64_t *row, size_t words)
{
  unsigned count = 0;
  for (size_t w = 0; w < words; w++)
    count += (unsigned) __builtin_popcountll (row[w]);
  return count;
}

static bool
row_empty (const uint64_t *row, size_t words)
{
  for (size_t w = 0; w < words; w++)
    if (row[w] != 0)
      return false;
  return true;
}

/* The least member >= from, or n. */
static unsigned
row_next (const uint64_t *row, unsigned n, unsigned from)
{
  if (from >= n)
    return n;
  unsigned w = from / WORD_BITS;
  uint64_t word = row[w] & (UINT64_MAX << (from % WORD_BITS));
  const unsigned words = words_for (n);
  while (word == 0) {
    if (++w == words)
      return n;
    word = row[w];
  }
  return w * WORD_BITS + (unsigned) __builtin_ctzll (word);
}

/* Sets all n bits. */
static void
row_fill (uint64_t *row, unsigned n)
{
  const unsigned words = words_for (n);
  memset (row, 0xff, words * sizeof *row);
  if (n % WORD_BITS != 0)
    row[words - 1] = UINT64_MAX >> (WORD_BITS - n % WORD_BITS);
}

/* ---- Building and reading -----------------------------------------------------------------
 */

Set *
set_new (Arena *a, unsigned n)
{
  g_assert (n <= REL_EVENT_LIMIT);
  const unsigned words = words_for (n);
  Set *s = arena_alloc (a, sizeof (Set) + words * sizeof (uint64_t));
  s->n = n;
  s->words = words;
  return s;
}

Rel *
rel_new (Arena *a, unsigned n)
{
  g_assert (n <= REL_EVENT_LIMIT);
  const unsigned words = words_for (n);
  Rel *r = arena_alloc (a, sizeof (Rel) + (size_t) n * words * sizeof (uint64_t));
  r->n = n;
  r->words = words;
  return r;
}

static uint64_t *
row_of (Rel *r, unsigned i)
{
  return r->bits + (size_t) i * r->words;
}

static const uint64_t *
row_at (const Rel *r, unsigned i)
{
  return r->bits + (size_t) i * r->words;
}

static size_t
rel_words (const Rel *r)
{
  return (size_t) r->n * r->words;
}

static Set *
set_copy (Arena *a, const Set *s)
{
  return arena_copy (a, s, sizeof *s + s->words * sizeof (uint64_t));
}

static Rel *
rel_copy (Arena *a, const Rel *r)
{
  return arena_copy (a, r, sizeof *r + rel_words (r) * sizeof (uint64_t));
}

void
set_add (Set *s, unsigned event)
{
  g_assert (event < s->n);
  bit_set (s->bits, event);
}

void
rel_add (Rel *r, unsigned from, unsigned to)
{
  g_assert (from < r->n && to < r->n);
  bit_set (row_of (r, from), to);
}

unsigned
set_size (const Set *s)
{
  return s->n;
}

unsigned
set_count (const Set *s)
{
  return row_count (s->bits, s->words);
}

bool
set_has (const Set *s, unsigned event)
{
  g_assert (event < s->n);
  return bit_get (s->bits, event);
}

bool
set_equal (const Set *x, const Set *y)
{
  g_assert (x->n == y->n);
  return memcmp (x->bits, y->bits, x->words * sizeof (uint64_t)) == 0;
}

unsigned
set_next (const Set *s, unsigned from)
{
  return row_next (s->bits, s->n, from);
}

unsigned
rel_size (const Rel *r)
{
  return r->n;
}

unsigned
rel_count (const Rel *r)
{
  return row_count (r->bits, rel_words (r));
}

bool
rel_has (const Rel *r, unsigned from, unsigned to)
{
  g_assert (from < r->n && to < r->n);
  return bit_get (row_at (r, from), to);
}

bool
rel_equal (const Rel *x, const Rel *y)
{
  g_assert (x->n == y->n);
  return memcmp (x->bits, y->bits, rel_words (x) * sizeof (uint64_t)) == 0;
}

unsigned
rel_next (const Rel *r, unsigned from, unsigned at)
{
  g_assert (from < r->n);
  return row_next (row_at (r, from), r->n, at);
}

const Rel *
rel_from_pairs (Arena *a, unsigned n, Pairs pairs)
{
  Rel *r = rel_new (a, n);
  for (unsigned i = 0; i < pairs.count; i++)
    rel_add (r, pairs.pairs[i].from, pairs.pairs[i].to);
  return r;
}

Pairs
rel_to_pairs (Arena *a, const Rel *r)
{
  Pair *pairs = arena_array (a, Pair, rel_count (r));
  unsigned count = 0;
  for (unsigned i = 0; i < r->n; i++)
    for (unsigned j = rel_next (r, i, 0); j < r->n; j = rel_next (r, i, j + 1))
      pairs[count++] = (Pair){ i, j };
  return (Pairs){ pairs, count };
}

/* ---- Sets ---------------------------------------------------------------------------------
 */

const Set *
set_all (Arena *a, unsigned n)
{
  Set *s = set_new (a, n);
  row_fill (s->bits, n);
  return s;
}

const Set *
set_union (Arena *a, const Set *x, const Set *y)
{
  g_assert (x->n == y->n);
  Set *s = set_copy (a, x);
  row_or (s->bits, y->bits, s->words);
  return s;
}

const Set *
set_inter (Arena *a, const Set *x, const Set *y)
{
  g_assert (x->n == y->n);
  Set *s = set_copy (a, x);
  for (unsigned w = 0; w < s->words; w++)
    s->bits[w] &= y->bits[w];
  return s;
}

const Set *
set_diff (Arena *a, const Set *x, const Set *y)
{
  g_assert (x->n == y->n);
  Set *s = set_copy (a, x);
  for (unsigned w = 0; w < s->words; w++)
    s->bits[w] &= ~y->bits[w];
  return s;
}

const Set *
set_compl (Arena *a, const Set *x)
{
  return set_diff (a, set_all (a, x->n), x);
}

/* ---- Relations ----------------------------------------------------------------------------
 */

static void
add_diagonal (Rel *r)
{
  for (unsigned i = 0; i < r->n; i++)
    bit_set (row_of (r, i), i);
}

const Rel *
rel_id (Arena *a, unsigned n)
{
  Rel *r = rel_new (a, n);
  add_diagonal (r);
  return r;
}

const Rel *
rel_union (Arena *a, const Rel *x, const Rel *y)
{
  g_assert (x->n == y->n);
  Rel *r = rel_copy (a, x);
  for (size_t w = 0; w < rel_words (r); w++)
    r->bits[w] |= y->bits[w];
  return r;
}

const Rel *
rel_inter (Arena *a, const Rel *x, const Rel *y)
{
  g_assert (x->n == y->n);
  Rel *r = rel_copy (a, x);
  for (size_t w = 0; w < rel_words (r); w++)
    r->bits[w] &= y->bits[w];
  return r;
}

const Rel *
rel_diff (Arena *a, const Rel *x, const Rel *y)
{
  g_assert (x->n == y->n);
  Rel *r = rel_copy (a, x);
  for (size_t w = 0; w < rel_words (r); w++)
    r->bits[w] &= ~y->bits[w];
  return r;
}

const Rel *
rel_compl (Arena *a, const Rel *x)
{
  Rel *r = rel_new (a, x->n);
  for (unsigned i = 0; i < r->n; i++)
    row_fill (row_of (r, i), r->n);
  for (size_t w = 0; w < rel_words (r); w++)
    r->bits[w] &= ~x->bits[w];
  return r;
}

/* Ors row j of y into `to` for each member j of `from`; one word a row, and several. */
static uint64_t
seq_word (uint64_t from, const uint64_t *rows)
{
  uint64_t to = 0;
  for (; from != 0; from &= from - 1)
    to |= rows[__builtin_ctzll (from)];
  return to;
}

static void
seq_words (uint64_t *to, const uint64_t *from, const Rel *y)
{
  for (unsigned w = 0; w < y->words; w++)
    for (uint64_t left = from[w]; left != 0; left &= left - 1)
      row_or (to, row_at (y, w * WORD_BITS + (unsigned) __builtin_ctzll (left)), y->words);
}

const Rel *
rel_seq (Arena *a, const Rel *x, const Rel *y)
{
  g_assert (x->n == y->n);
  Rel *r = rel_new (a, x->n);
  for (unsigned i = 0; i < r->n; i++)
    if (r->words == 1)
      r->bits[i] = seq_word (x->bits[i], y->bits);
    else
      seq_words (row_of (r, i), row_at (x, i), y);
  return r;
}

const Rel *
rel_inverse (Arena *a, const Rel *x)
{
  Rel *r = rel_new (a, x->n);
  for (unsigned i = 0; i < r->n; i++)
    for (unsigned j = rel_next (x, i, 0); j < x->n; j = rel_next (x, i, j + 1))
      bit_set (row_of (r, j), i);
  return r;
}

/* Warshall: after round k, r has the pairs joined by paths whose inner events are <= k.  In one
 * word the row of k is masked rather than skipped: no branch to mispredict. */
static void
close_words (Rel *r)
{
  for (unsigned k = 0; k < r->n; k++)
    for (unsigned i = 0; i < r->n; i++)
      if (i != k && bit_get (row_at (r, i), k))
        row_or (row_of (r, i), row_at (r, k), r->words);
}

static void
close_transitively (Rel *r)
{
  if (r->words != 1) {
    close_words (r);
    return;
  }
  for (unsigned k = 0; k < r->n; k++) {
    const uint64_t through = r->bits[k];
    for (unsigned i = 0; i < r->n; i++)
      r->bits[i] |= through & -((r->bits[i] >> k) & 1);
  }
}

const Rel *
rel_plus (Arena *a, const Rel *x)
{
  Rel *r = rel_copy (a, x);
  close_transitively (r);
  return r;
}

const Rel *
rel_star (Arena *a, const Rel *x)
{
  Rel *r = rel_copy (a, x);
  close_transitively (r);
  add_diagonal (r);
  return r;
}

const Rel *
rel_opt (Arena *a, const Rel *x)
{
  Rel *r = rel_copy (a, x);
  add_diagonal (r);
  return r;
}

const Rel *
rel_id_on (Arena *a, const Set *s)
{
  Rel *r = rel_new (a, s->n);
  for (unsigned i = set_next (s, 0); i < s->n; i = set_next (s, i + 1))
    bit_set (row_of (r, i), i);
  return r;
}

const Rel *
rel_cross (Arena *a, const Set *x, const Set *y)
{
  g_assert (x->n == y->n);
  Rel *r = rel_new (a, x->n);
  for (unsigned i = set_next (x, 0); i < x->n; i = set_next (x, i + 1))
    row_or (row_of (r, i), y->bits, r->words);
  return r;
}

const Set *
rel_domain (Arena *a, const Rel *x)
{
  Set *s = set_new (a, x->n);
  for (unsigned i = 0; i < x->n; i++)
    if (!row_empty (row_at (x, i), x->words))
      bit_set (s->bits, i);
  return s;
}

const Set *
rel_range (Arena *a, const Rel *x)
{
  Set *s = set_new (a, x->n);
  for (unsigned i = 0; i < x->n; i++)
    row_or (s->bits, row_at (x, i), s->words);
  return s;
}

/* ---- Checks -------------------------------------------------------------------------------
 */

bool
set_empty (const Set *s)
{
  return row_empty (s->bits, s->words);
}

bool
rel_empty (const Rel *r)
{
  return row_empty (r->bits, rel_words (r));
}

bool
rel_irreflexive (const Rel *r)
{
  for (unsigned i = 0; i < r->n; i++)
    if (bit_get (row_at (r, i), i))
      return false;
  return true;
}

/* A depth-first walk.  `open` has the events that are not known to lie outside every cycle;
 * `path` those between the root and the current event. */
typedef struct Walk {
  uint64_t *open;
  uint64_t *path;
  unsigned *stack;
} Walk;

/* The first successor of `event` that is still open, or n. */
static unsigned
next_open (const Rel *r, const Walk *walk, unsigned event)
{
  const uint64_t *row = row_at (r, event);
  for (unsigned w = 0; w < r->words; w++) {
    const uint64_t word = row[w] & walk->open[w];
    if (word != 0)
      return w * WORD_BITS + (unsigned) __builtin_ctzll (word);
  }
  return r->n;
}

static bool
reaches_cycle (const Rel *r, Walk *walk, unsigned root)
{
  unsigned depth = 0;
  walk->stack[depth++] = root;
  bit_set (walk->path, root);
  while (depth > 0) {
    const unsigned event = walk->stack[depth - 1];
    const unsigned next = next_open (r, walk, event);
    if (next < r->n && bit_get (walk->path, next))
      return true;
    if (next < r->n) {
      bit_set (walk->path, next);
      walk->stack[depth++] = next;
    } else {
      bit_clear (walk->path, event);
      bit_clear (walk->open, event);
      depth--;
    }
  }
  return false;
}

bool
rel_acyclic (const Rel *r)
{
  uint64_t two_words[2];
  unsigned one_stack[WORD_BITS];
  g_autofree uint64_t *many_words = NULL;
  g_autofree unsigned *long_stack = NULL;
  Walk walk = { two_words, two_words + 1, one_stack };
  if (r->words > 1) {
    many_words = g_new (uint64_t, 2 * (gsize) r->words);
    long_stack = g_new (unsigned, r->n);
    walk = (Walk){ many_words, many_words + r->words, long_stack };
  }
  if (r->n == 0)
    return true;
  row_fill (walk.open, r->n);
  memset (walk.path, 0, r->words * sizeof *walk.path);
  for (unsigned i = row_next (walk.open, r->n, 0); i < r->n; i = row_next (walk.open, r->n, i))
    if (reaches_cycle (r, &walk, i))
      return false;
  return true;
}

/* Breadth first from `root` over events >= root.  Fills `parent` and returns the length of a
 * shortest cycle through root, whose last event goes to *last; 0 when there is none shorter
 * than `bound` (0: no bound). */
static unsigned
cycle_through (const Rel *r, unsigned root, unsigned bound, unsigned *parent, unsigned *queue,
               unsigned *last)
{
  unsigned head = 0, tail = 0;
  for (unsigned i = 0; i < r->n; i++)
    parent[i] = r->n;
  queue[tail++] = root;
  unsigned length = 1, level_end = 1;
  while (head < tail && (bound == 0 || length < bound)) {
    const unsigned event = queue[head++];
    if (rel_has (r, event, root)) {
      *last = event;
      return length;
    }
    for (unsigned j = rel_next (r, event, root + 1); j < r->n; j = rel_next (r, event, j + 1))
      if (parent[j] == r->n) {
        parent[j] = event;
        queue[tail++] = j;
      }
    if (head == level_end) {
      length++;
      level_end = tail;
    }
  }
  return 0;
}

/* Every cycle has a least event; searching from each event over the greater ones alone finds a
 * shortest cycle, and with it the least event that one of that length can have. */
RelCycle
rel_cycle (Arena *a, const Rel *r)
{
  RelCycle best = { NULL, 0 };
  if (rel_acyclic (r))
    return best;
  g_autofree unsigned *parent = g_new (unsigned, r->n);
  g_autofree unsigned *queue = g_new (unsigned, r->n);
  unsigned *events = arena_array (a, unsigned, r->n);
  for (unsigned root = 0; root < r->n && best.count != 1; root++) {
    unsigned event = root;
    const unsigned length = cycle_through (r, root, best.count, parent, queue, &event);
    if (length == 0)
      continue;
    for (unsigned i = length; i-- > 0; event = parent[event])
      events[i] = event;
    best = (RelCycle){ events, length };
  }
  return best;
}
