/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/litmap.h"

static unsigned
slot_of (const LitMap *m, uint64_t key)
{
  uint64_t hash = key * UINT64_C (0x9e3779b97f4a7c15);
  unsigned at = (unsigned) (hash >> 32) & (m->size - 1);
  while (m->keys[at] != 0 && m->keys[at] != key)
    at = (at + 1) & (m->size - 1);
  return at;
}

void
litmap_clear (LitMap *m)
{
  g_free (m->keys);
  g_free (m->lits);
  *m = (LitMap){ 0 };
}

Lit
litmap_get (const LitMap *m, uint64_t key)
{
  return m->size == 0 ? 0 : m->lits[slot_of (m, key)];
}

static void
grow (LitMap *m)
{
  LitMap old = *m;
  m->size = old.size == 0 ? 256 : old.size * 2;
  m->keys = g_new0 (uint64_t, m->size);
  m->lits = g_new0 (Lit, m->size);
  for (unsigned i = 0; i < old.size; i++)
    if (old.keys[i] != 0) {
      unsigned at = slot_of (m, old.keys[i]);
      m->keys[at] = old.keys[i];
      m->lits[at] = old.lits[i];
    }
  g_free (old.keys);
  g_free (old.lits);
}

void
litmap_put (LitMap *m, uint64_t key, Lit lit)
{
  g_assert (key != 0 && lit != 0);
  if (2 * (m->used + 1) > m->size)
    grow (m);
  unsigned at = slot_of (m, key);
  m->used += m->keys[at] == 0;
  m->keys[at] = key;
  m->lits[at] = lit;
}
