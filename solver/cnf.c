/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/cnf.h"

#include <stdlib.h>
#include <string.h>

/* Gates are found again through an open hash over (kind, mode, inputs). */
typedef enum GateKind { KIND_OR, KIND_XOR, KIND_ITE } GateKind;

typedef struct Gate {
  uint32_t hash;
  uint8_t kind;
  uint8_t mode;
  uint16_t count;
  uint32_t inputs; /* index into `gate_inputs` */
  Lit output;      /* 0: empty slot */
} Gate;

struct Cnf {
  GArray *data;        /* Lit: clauses ended by 0 */
  GArray *gate_inputs; /* Lit */
  GArray *scratch;     /* Lit */
  Gate *table;
  unsigned table_size; /* a power of two */
  unsigned table_used;
  unsigned vars;
  unsigned clauses;
  Lit guard;
  bool defining;
};

Cnf *
cnf_new (void)
{
  Cnf *f = g_new0 (Cnf, 1);
  f->data = g_array_new (FALSE, FALSE, sizeof (Lit));
  f->gate_inputs = g_array_new (FALSE, FALSE, sizeof (Lit));
  f->scratch = g_array_new (FALSE, FALSE, sizeof (Lit));
  f->table_size = 1024;
  f->table = g_new0 (Gate, f->table_size);
  f->vars = 1;
  f->guard = LIT_TRUE;
  return f;
}

void
cnf_free (Cnf *f)
{
  if (f == NULL)
    return;
  g_array_unref (f->data);
  g_array_unref (f->gate_inputs);
  g_array_unref (f->scratch);
  g_free (f->table);
  g_free (f);
}

Lit
cnf_var (Cnf *f)
{
  f->vars++;
  return (Lit) f->vars;
}

static int
compare_lits (const void *left, const void *right)
{
  Lit x = *(const Lit *) left;
  Lit y = *(const Lit *) right;
  Lit ax = x < 0 ? -x : x;
  Lit ay = y < 0 ? -y : y;
  return ax != ay ? (ax < ay ? -1 : 1) : (x > y) - (x < y);
}

static void
sort_lits (Lit *lits, unsigned count)
{
  if (count > 16) {
    qsort (lits, count, sizeof (Lit), compare_lits);
    return;
  }
  for (unsigned i = 1; i < count; i++) {
    Lit moved = lits[i];
    unsigned at = i;
    for (; at > 0 && compare_lits (&lits[at - 1], &moved) > 0; at--)
      lits[at] = lits[at - 1];
    lits[at] = moved;
  }
}

/* Sorts, drops `neutral` constants and repetitions.  Returns the new count, or -1 when the
 * disjunction is true (it has a true literal, or both signs of a variable). */
static int
normalise_or (Lit *lits, unsigned count)
{
  sort_lits (lits, count);
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++) {
    if (lits[i] == LIT_TRUE)
      return -1;
    if (lits[i] == LIT_FALSE || (kept > 0 && lits[kept - 1] == lits[i]))
      continue;
    if (kept > 0 && lits[kept - 1] == -lits[i])
      return -1;
    lits[kept++] = lits[i];
  }
  return (int) kept;
}

static void
emit (Cnf *f, const Lit *lits, unsigned count)
{
  const Lit end = 0;
  g_array_append_vals (f->data, lits, count);
  g_array_append_val (f->data, end);
  f->clauses++;
}

void
cnf_clause (Cnf *f, const Lit *lits, unsigned count)
{
  Lit small[24];
  g_autofree Lit *large = count + 1 > G_N_ELEMENTS (small) ? g_new (Lit, count + 1) : NULL;
  Lit *copy = large != NULL ? large : small;
  if (count > 0)
    memcpy (copy, lits, sizeof (Lit) * count);
  if (!f->defining)
    copy[count++] = -f->guard;
  int kept = normalise_or (copy, count);
  if (kept >= 0)
    emit (f, copy, (unsigned) kept);
}

void
cnf_define (Cnf *f, const Lit *lits, unsigned count)
{
  bool outer = f->defining;
  f->defining = true;
  cnf_clause (f, lits, count);
  f->defining = outer;
}

void
cnf_define2 (Cnf *f, Lit a, Lit b)
{
  const Lit lits[] = { a, b };
  cnf_define (f, lits, 2);
}

void
cnf_define3 (Cnf *f, Lit a, Lit b, Lit c)
{
  const Lit lits[] = { a, b, c };
  cnf_define (f, lits, 3);
}

void
cnf_clause1 (Cnf *f, Lit a)
{
  cnf_clause (f, &a, 1);
}

void
cnf_clause2 (Cnf *f, Lit a, Lit b)
{
  const Lit lits[] = { a, b };
  cnf_clause (f, lits, 2);
}

void
cnf_clause3 (Cnf *f, Lit a, Lit b, Lit c)
{
  const Lit lits[] = { a, b, c };
  cnf_clause (f, lits, 3);
}

void
cnf_implies (Cnf *f, Lit a, Lit b)
{
  cnf_clause2 (f, -a, b);
}

void
cnf_begin_guard (Cnf *f, Lit guard)
{
  g_assert (f->guard == LIT_TRUE);
  f->guard = guard;
}

void
cnf_end_guard (Cnf *f)
{
  f->guard = LIT_TRUE;
}

/* ---- Gates --------------------------------------------------------------------------------
 */

static uint32_t
hash_gate (GateKind kind, GateMode mode, const Lit *lits, unsigned count)
{
  uint32_t hash = (uint32_t) kind * 7u + (uint32_t) mode + 0x9e3779b9u;
  for (unsigned i = 0; i < count; i++)
    hash = (hash ^ (uint32_t) lits[i]) * 0x01000193u ^ (hash >> 15);
  return hash | 1u;
}

static void
grow_table (Cnf *f)
{
  Gate *old = f->table;
  unsigned old_size = f->table_size;
  f->table_size *= 2;
  f->table = g_new0 (Gate, f->table_size);
  for (unsigned i = 0; i < old_size; i++) {
    if (old[i].output == 0)
      continue;
    unsigned at = old[i].hash & (f->table_size - 1);
    while (f->table[at].output != 0)
      at = (at + 1) & (f->table_size - 1);
    f->table[at] = old[i];
  }
  g_free (old);
}

/* The slot of the gate, or the empty one where it belongs. */
static Gate *
find_gate (Cnf *f, GateKind kind, GateMode mode, const Lit *lits, unsigned count)
{
  uint32_t hash = hash_gate (kind, mode, lits, count);
  unsigned at = hash & (f->table_size - 1);
  for (;; at = (at + 1) & (f->table_size - 1)) {
    Gate *gate = &f->table[at];
    if (gate->output == 0) {
      gate->hash = hash;
      return gate;
    }
    if (gate->hash == hash && gate->kind == kind && gate->mode == mode && gate->count == count
        && memcmp (&g_array_index (f->gate_inputs, Lit, gate->inputs), lits,
                   sizeof (Lit) * count)
               == 0)
      return gate;
  }
}

static Lit
new_gate (Cnf *f, Gate *slot, GateKind kind, GateMode mode, const Lit *lits, unsigned count)
{
  slot->kind = (uint8_t) kind;
  slot->mode = (uint8_t) mode;
  slot->count = (uint16_t) count;
  slot->inputs = f->gate_inputs->len;
  slot->output = cnf_var (f);
  Lit output = slot->output;
  g_array_append_vals (f->gate_inputs, lits, count);
  f->table_used++;
  if (f->table_used * 2 > f->table_size)
    grow_table (f);
  return output;
}

static void
define_or (Cnf *f, GateMode mode, Lit output, const Lit *lits, unsigned count)
{
  if (mode != GATE_UNDER)
    for (unsigned i = 0; i < count; i++)
      cnf_define2 (f, -lits[i], output);
  if (mode != GATE_OVER) {
    g_array_set_size (f->scratch, 0);
    const Lit negated = -output;
    g_array_append_vals (f->scratch, lits, count);
    g_array_append_val (f->scratch, negated);
    cnf_define (f, (const Lit *) f->scratch->data, count + 1);
  }
}

static Lit
or_normalised (Cnf *f, GateMode mode, const Lit *lits, unsigned count)
{
  if (count == 0)
    return LIT_FALSE;
  if (count == 1)
    return lits[0];
  if (count > UINT16_MAX) {
    const Lit half[] = { or_normalised (f, mode, lits, count / 2),
                         or_normalised (f, mode, lits + count / 2, count - count / 2) };
    return cnf_or (f, mode, half[0], half[1]);
  }
  Gate *slot = find_gate (f, KIND_OR, mode, lits, count);
  if (slot->output != 0)
    return slot->output;
  Lit output = new_gate (f, slot, KIND_OR, mode, lits, count);
  define_or (f, mode, output, lits, count);
  return output;
}

Lit
cnf_or_n (Cnf *f, GateMode mode, const Lit *lits, unsigned count)
{
  Lit small[24];
  g_autofree Lit *large = count > G_N_ELEMENTS (small) ? g_new (Lit, count) : NULL;
  Lit *copy = large != NULL ? large : small;
  if (count > 0)
    memcpy (copy, lits, sizeof (Lit) * count);
  int kept = normalise_or (copy, count);
  return kept < 0 ? LIT_TRUE : or_normalised (f, mode, copy, (unsigned) kept);
}

static GateMode
opposite (GateMode mode)
{
  switch (mode) {
  case GATE_OVER:
    return GATE_UNDER;
  case GATE_UNDER:
    return GATE_OVER;
  case GATE_EXACT:
    return GATE_EXACT;
  }
  g_assert_not_reached ();
}

/* De Morgan: what over-approximates a conjunction under-approximates the negated disjunction.
 */
Lit
cnf_and_n (Cnf *f, GateMode mode, const Lit *lits, unsigned count)
{
  Lit small[24];
  g_autofree Lit *large = count > G_N_ELEMENTS (small) ? g_new (Lit, count) : NULL;
  Lit *copy = large != NULL ? large : small;
  for (unsigned i = 0; i < count; i++)
    copy[i] = -lits[i];
  return -cnf_or_n (f, opposite (mode), copy, count);
}

Lit
cnf_or (Cnf *f, GateMode mode, Lit a, Lit b)
{
  const Lit lits[] = { a, b };
  return cnf_or_n (f, mode, lits, 2);
}

Lit
cnf_and (Cnf *f, GateMode mode, Lit a, Lit b)
{
  const Lit lits[] = { a, b };
  return cnf_and_n (f, mode, lits, 2);
}

static bool
is_constant (Lit lit)
{
  return lit == LIT_TRUE || lit == LIT_FALSE;
}

static Lit
xor_gate (Cnf *f, Lit a, Lit b)
{
  const Lit lits[] = { MIN (a, b), MAX (a, b) };
  Gate *slot = find_gate (f, KIND_XOR, GATE_EXACT, lits, 2);
  if (slot->output != 0)
    return slot->output;
  Lit output = new_gate (f, slot, KIND_XOR, GATE_EXACT, lits, 2);
  cnf_define3 (f, -output, lits[0], lits[1]);
  cnf_define3 (f, -output, -lits[0], -lits[1]);
  cnf_define3 (f, output, -lits[0], lits[1]);
  cnf_define3 (f, output, lits[0], -lits[1]);
  return output;
}

Lit
cnf_xor (Cnf *f, Lit a, Lit b)
{
  if (is_constant (a))
    return a == LIT_TRUE ? -b : b;
  if (is_constant (b))
    return b == LIT_TRUE ? -a : a;
  if (a == b)
    return LIT_FALSE;
  if (a == -b)
    return LIT_TRUE;
  Lit output = xor_gate (f, a < 0 ? -a : a, b < 0 ? -b : b);
  return (a < 0) != (b < 0) ? -output : output;
}

Lit
cnf_ite (Cnf *f, Lit c, Lit a, Lit b)
{
  if (c == LIT_TRUE || a == b)
    return a;
  if (c == LIT_FALSE)
    return b;
  if (c < 0)
    return cnf_ite (f, -c, b, a);
  if (a == LIT_TRUE || a == c)
    return cnf_or (f, GATE_EXACT, c, b);
  if (b == LIT_FALSE || b == c)
    return cnf_and (f, GATE_EXACT, c, a);
  if (a == LIT_FALSE || a == -c)
    return cnf_and (f, GATE_EXACT, -c, b);
  if (b == LIT_TRUE || b == -c)
    return cnf_or (f, GATE_EXACT, -c, a);
  if (a == -b)
    return cnf_xor (f, c, b);
  const Lit lits[] = { c, a, b };
  Gate *slot = find_gate (f, KIND_ITE, GATE_EXACT, lits, 3);
  if (slot->output != 0)
    return slot->output;
  Lit output = new_gate (f, slot, KIND_ITE, GATE_EXACT, lits, 3);
  cnf_define3 (f, -c, -a, output);
  cnf_define3 (f, -c, a, -output);
  cnf_define3 (f, c, -b, output);
  cnf_define3 (f, c, b, -output);
  return output;
}

/* ---- Cardinality --------------------------------------------------------------------------
 */

/* Pairwise below this many, a sequential counter above. */
enum { PAIRWISE_LIMIT = 6 };

void
cnf_at_most_one (Cnf *f, const Lit *lits, unsigned count)
{
  if (count <= PAIRWISE_LIMIT) {
    for (unsigned i = 0; i < count; i++)
      for (unsigned j = i + 1; j < count; j++)
        cnf_clause2 (f, -lits[i], -lits[j]);
    return;
  }
  Lit seen = lits[0];
  for (unsigned i = 1; i < count; i++) {
    cnf_clause2 (f, -seen, -lits[i]);
    if (i + 1 == count)
      break;
    Lit next = cnf_var (f);
    cnf_define2 (f, -seen, next);
    cnf_define2 (f, -lits[i], next);
    seen = next;
  }
}

void
cnf_exactly_one (Cnf *f, Lit when, const Lit *lits, unsigned count)
{
  g_autofree Lit *clause = g_new (Lit, count + 1);
  if (count > 0)
    memcpy (clause, lits, sizeof (Lit) * count);
  clause[count] = -when;
  cnf_clause (f, clause, count + 1);
  cnf_at_most_one (f, lits, count);
}

unsigned
cnf_var_count (const Cnf *f)
{
  return f->vars;
}

unsigned
cnf_clause_count (const Cnf *f)
{
  return f->clauses;
}

size_t
cnf_bytes (const Cnf *f)
{
  return f->data->len * sizeof (Lit) + f->gate_inputs->len * sizeof (Lit)
         + f->table_size * sizeof (Gate);
}

const Lit *
cnf_data (const Cnf *f, size_t *length)
{
  *length = f->data->len;
  return (const Lit *) f->data->data;
}
