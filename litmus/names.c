/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/names.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

Slice
slice_of (const char *text)
{
  return (Slice){ text, strlen (text) };
}

static bool
slice_equal (Slice a, Slice b)
{
  return a.length == b.length && memcmp (a.text, b.text, a.length) == 0;
}

bool
slice_is (Slice s, const char *text)
{
  return slice_equal (s, slice_of (text));
}

/* ---- Tables -------------------------------------------------------------------------------
 */

typedef struct Entry {
  Slice name; /* text NULL: free */
  unsigned number;
} Entry;

struct NameTable {
  Arena *arena;
  Entry *entries;
  size_t capacity; /* a power of two, at least twice `count` */
  size_t count;
};

enum { FIRST_CAPACITY = 16 };

NameTable *
name_table_new (Arena *a)
{
  NameTable *t = arena_new_of (a, NameTable);
  t->arena = a;
  t->capacity = FIRST_CAPACITY;
  t->entries = arena_array (a, Entry, t->capacity);
  return t;
}

/* FNV-1a with a final mix, so that the low bits depend on every byte. */
static size_t
hash (Slice s)
{
  uint64_t h = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < s.length; i++)
    h = (h ^ (unsigned char) s.text[i]) * UINT64_C (0x100000001b3);
  return (size_t) (h ^ (h >> 29));
}

static Entry *
find_entry (const NameTable *t, Slice name)
{
  size_t i = hash (name) & (t->capacity - 1);
  while (t->entries[i].name.text != NULL && !slice_equal (t->entries[i].name, name))
    i = (i + 1) & (t->capacity - 1);
  return &t->entries[i];
}

int
name_table_find (const NameTable *t, Slice name)
{
  const Entry *entry = find_entry (t, name);
  return entry->name.text == NULL ? -1 : (int) entry->number;
}

static void
grow (NameTable *t)
{
  Entry *old = t->entries;
  size_t old_capacity = t->capacity;
  t->capacity *= 2;
  t->entries = arena_array (t->arena, Entry, t->capacity);
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i].name.text != NULL)
      *find_entry (t, old[i].name) = old[i];
}

void
name_table_add (NameTable *t, Slice name, unsigned number)
{
  if (2 * (t->count + 1) > t->capacity)
    grow (t);
  Entry *entry = find_entry (t, name);
  g_assert (entry->name.text == NULL);
  *entry = (Entry){ name, number };
  t->count++;
}

/* ---- Order --------------------------------------------------------------------------------
 */

static size_t
digits_at (const char *s)
{
  size_t n = 0;
  while (g_ascii_isdigit (s[n]))
    n++;
  return n;
}

/* Two runs of digits as numbers of any size. */
static int
compare_digits (const char *a, size_t a_length, const char *b, size_t b_length)
{
  for (; a_length > 1 && *a == '0'; a_length--)
    a++;
  for (; b_length > 1 && *b == '0'; b_length--)
    b++;
  if (a_length != b_length)
    return a_length < b_length ? -1 : 1;
  return memcmp (a, b, a_length);
}

int
name_compare (const char *a, const char *b)
{
  const char *p = a;
  const char *q = b;
  while (*p != '\0' && *q != '\0') {
    size_t p_digits = digits_at (p);
    size_t q_digits = digits_at (q);
    int order = 0;
    if (p_digits > 0 && q_digits > 0)
      order = compare_digits (p, p_digits, q, q_digits);
    else
      order = (unsigned char) *p - (unsigned char) *q;
    if (order != 0)
      return order;
    p += MAX (p_digits, 1);
    q += MAX (q_digits, 1);
  }
  if (*p != *q)
    return (unsigned char) *p - (unsigned char) *q;
  return strcmp (a, b);
}

bool
name_is_register (Slice name)
{
  if (name.length < 2)
    return false;
  if (name.text[0] == '%')
    return true;
  if (name.text[0] != 'r')
    return false;
  for (size_t i = 1; i < name.length; i++)
    if (!g_ascii_isdigit (name.text[i]))
      return false;
  return true;
}

/* ---- Suggestions --------------------------------------------------------------------------
 */

enum { LONGEST_COMPARED = 31 };

/* The last two characters of the beginnings of a and b that end before i and j are swapped. */
static bool
is_swap (Slice a, Slice b, unsigned i, unsigned j)
{
  return i > 1 && j > 1 && a.text[i - 1] == b.text[j - 2] && a.text[i - 2] == b.text[j - 1];
}

/* Row i of the table of distances, from the two above it. */
static void
fill_row (Slice a, Slice b, unsigned i, const unsigned *before, const unsigned *above,
          unsigned *row)
{
  row[0] = i;
  for (unsigned j = 1; j <= b.length; j++) {
    unsigned changed = a.text[i - 1] == b.text[j - 1] ? 0 : 1;
    row[j] = MIN (MIN (above[j], row[j - 1]) + 1, above[j - 1] + changed);
    if (is_swap (a, b, i, j))
      row[j] = MIN (row[j], before[j - 2] + 1);
  }
}

/* Insertions, deletions, substitutions and swaps of neighbours that lead from a to b. */
static unsigned
edit_distance (Slice a, Slice b)
{
  unsigned rows[3][LONGEST_COMPARED + 1] = { { 0 } };
  for (unsigned j = 0; j <= b.length; j++)
    rows[0][j] = j;
  for (unsigned i = 1; i <= a.length; i++)
    fill_row (a, b, i, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
  return rows[a.length % 3][b.length];
}

const char *
name_nearest (Slice word, const char *const *candidates, size_t count)
{
  const char *nearest = NULL;
  if (word.length == 0 || word.length > LONGEST_COMPARED)
    return NULL;
  unsigned limit = MAX (1, (unsigned) word.length / 3);
  for (size_t i = 0; i < count; i++) {
    Slice candidate = slice_of (candidates[i]);
    if (candidate.length > LONGEST_COMPARED)
      continue;
    unsigned distance = edit_distance (word, candidate);
    if (distance <= limit && (nearest == NULL || distance < limit)) {
      nearest = candidates[i];
      limit = distance;
    }
  }
  return nearest;
}
