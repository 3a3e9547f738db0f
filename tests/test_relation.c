/* SPDX-License-Identifier: Apache-2.0 */
#include "model/relation.h"

#include <glib.h>
#include <string.h>

/* Every operator is compared with a second implementation, plain loops over a matrix of bool,
 * on random operands; below that come the laws and a few cases worked out by hand. */

static const unsigned sizes[] = { 0, 1, 2, 63, 64, 65, 130 };

enum { MAX_N = 130, ROUNDS = 12 };

/* ---- Plain matrices -----------------------------------------------------------------------
 */

typedef struct Matrix {
  unsigned n;
  bool at[MAX_N][MAX_N];
} Matrix;

typedef struct Members {
  unsigned n;
  bool at[MAX_N];
} Members;

static void
matrix_random (Matrix *m, unsigned n, unsigned per_row)
{
  memset (m, 0, sizeof *m);
  m->n = n;
  for (unsigned k = 0; k < n * per_row; k++) {
    const int i = g_test_rand_int_range (0, (gint32) n);
    const int j = g_test_rand_int_range (0, (gint32) n);
    m->at[i][j] = true;
  }
}

static void
members_random (Members *s, unsigned n)
{
  memset (s, 0, sizeof *s);
  s->n = n;
  for (unsigned i = 0; i < n; i++)
    s->at[i] = g_test_rand_bit ();
}

static const Rel *
to_rel (Arena *a, const Matrix *m)
{
  Rel *r = rel_new (a, m->n);
  for (unsigned i = 0; i < m->n; i++)
    for (unsigned j = 0; j < m->n; j++)
      if (m->at[i][j])
        rel_add (r, i, j);
  return r;
}

static const Set *
to_set (Arena *a, const Members *s)
{
  Set *result = set_new (a, s->n);
  for (unsigned i = 0; i < s->n; i++)
    if (s->at[i])
      set_add (result, i);
  return result;
}

static void
assert_same (const Rel *r, const Matrix *m)
{
  unsigned count = 0;
  g_assert_cmpuint (rel_size (r), ==, m->n);
  for (unsigned i = 0; i < m->n; i++)
    for (unsigned j = 0; j < m->n; j++) {
      g_assert_cmpint (rel_has (r, i, j), ==, m->at[i][j]);
      count += m->at[i][j];
    }
  g_assert_cmpuint (rel_count (r), ==, count);
  g_assert_cmpint (rel_empty (r), ==, count == 0);
}

static void
assert_same_set (const Set *s, const Members *m)
{
  unsigned count = 0;
  g_assert_cmpuint (set_size (s), ==, m->n);
  for (unsigned i = 0; i < m->n; i++) {
    g_assert_cmpint (set_has (s, i), ==, m->at[i]);
    count += m->at[i];
  }
  g_assert_cmpuint (set_count (s), ==, count);
  g_assert_cmpint (set_empty (s), ==, count == 0);
}

/* Paths by repeated relaxation, until nothing is added. */
static void
matrix_close (Matrix *m)
{
  for (bool grown = true; grown;) {
    grown = false;
    for (unsigned i = 0; i < m->n; i++)
      for (unsigned j = 0; j < m->n; j++)
        for (unsigned k = 0; m->at[i][j] && k < m->n; k++)
          if (m->at[j][k] && !m->at[i][k])
            grown = m->at[i][k] = true;
  }
}

static void
matrix_add_diagonal (Matrix *m)
{
  for (unsigned i = 0; i < m->n; i++)
    m->at[i][i] = true;
}

static bool
matrix_irreflexive (const Matrix *m)
{
  for (unsigned i = 0; i < m->n; i++)
    if (m->at[i][i])
      return false;
  return true;
}

/* ---- Against the plain matrices -----------------------------------------------------------
 */

typedef struct Random {
  Arena *arena;
  Matrix mx, my;
  Members ms, mt;
  const Rel *x, *y;
  const Set *s, *t;
} Random;

static void
random_fill (Random *f, unsigned n)
{
  f->arena = arena_new ();
  matrix_random (&f->mx, n, (unsigned) g_test_rand_int_range (0, 3));
  matrix_random (&f->my, n, (unsigned) g_test_rand_int_range (0, 3));
  members_random (&f->ms, n);
  members_random (&f->mt, n);
  f->x = to_rel (f->arena, &f->mx);
  f->y = to_rel (f->arena, &f->my);
  f->s = to_set (f->arena, &f->ms);
  f->t = to_set (f->arena, &f->mt);
}

/* Runs `check` on random operands of every size. */
static void
for_random (void (*check) (Random *f))
{
  g_autofree Random *f = g_new0 (Random, 1);
  for (size_t k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (unsigned round = 0; round < ROUNDS; round++) {
      random_fill (f, sizes[k]);
      check (f);
      assert_same (f->x, &f->mx); /* operands stay as they are */
      assert_same (f->y, &f->my);
      assert_same_set (f->s, &f->ms);
      arena_free (f->arena);
    }
}

static void
check_lattice (Random *f)
{
  g_autofree Matrix *u = g_new0 (Matrix, 4);
  for (unsigned k = 0; k < 4; k++)
    u[k].n = f->mx.n;
  for (unsigned i = 0; i < f->mx.n; i++)
    for (unsigned j = 0; j < f->mx.n; j++) {
      u[0].at[i][j] = f->mx.at[i][j] || f->my.at[i][j];
      u[1].at[i][j] = f->mx.at[i][j] && f->my.at[i][j];
      u[2].at[i][j] = f->mx.at[i][j] && !f->my.at[i][j];
      u[3].at[i][j] = !f->mx.at[i][j];
    }
  assert_same (rel_union (f->arena, f->x, f->y), &u[0]);
  assert_same (rel_inter (f->arena, f->x, f->y), &u[1]);
  assert_same (rel_diff (f->arena, f->x, f->y), &u[2]);
  assert_same (rel_compl (f->arena, f->x), &u[3]);
}

static void
test_lattice (void)
{
  for_random (check_lattice);
}

static void
check_sets (Random *f)
{
  Members u[4] = { { f->ms.n, { false } },
                   { f->ms.n, { false } },
                   { f->ms.n, { false } },
                   { f->ms.n, { false } } };
  for (unsigned i = 0; i < f->ms.n; i++) {
    u[0].at[i] = f->ms.at[i] || f->mt.at[i];
    u[1].at[i] = f->ms.at[i] && f->mt.at[i];
    u[2].at[i] = f->ms.at[i] && !f->mt.at[i];
    u[3].at[i] = !f->ms.at[i];
  }
  assert_same_set (set_union (f->arena, f->s, f->t), &u[0]);
  assert_same_set (set_inter (f->arena, f->s, f->t), &u[1]);
  assert_same_set (set_diff (f->arena, f->s, f->t), &u[2]);
  assert_same_set (set_compl (f->arena, f->s), &u[3]);
  g_assert_cmpuint (set_count (set_all (f->arena, f->ms.n)), ==, f->ms.n);
}

static void
test_sets (void)
{
  for_random (check_sets);
}

static void
check_seq_and_inverse (Random *f)
{
  g_autofree Matrix *seq = g_new0 (Matrix, 1);
  g_autofree Matrix *inverse = g_new0 (Matrix, 1);
  seq->n = inverse->n = f->mx.n;
  for (unsigned i = 0; i < seq->n; i++)
    for (unsigned j = 0; j < seq->n; j++) {
      inverse->at[j][i] = f->mx.at[i][j];
      for (unsigned k = 0; f->mx.at[i][j] && k < seq->n; k++)
        if (f->my.at[j][k])
          seq->at[i][k] = true;
    }
  assert_same (rel_seq (f->arena, f->x, f->y), seq);
  assert_same (rel_inverse (f->arena, f->x), inverse);
}

static void
test_seq_and_inverse (void)
{
  for_random (check_seq_and_inverse);
}

static void
check_closures (Random *f)
{
  g_autofree Matrix *m = g_memdup2 (&f->mx, sizeof f->mx);
  matrix_close (m);
  assert_same (rel_plus (f->arena, f->x), m);
  g_assert_cmpint (rel_acyclic (f->x), ==, matrix_irreflexive (m));
  matrix_add_diagonal (m);
  assert_same (rel_star (f->arena, f->x), m);
  *m = f->mx;
  g_assert_cmpint (rel_irreflexive (f->x), ==, matrix_irreflexive (m));
  matrix_add_diagonal (m);
  assert_same (rel_opt (f->arena, f->x), m);
}

static void
test_closures (void)
{
  for_random (check_closures);
}

static void
check_between_sets_and_relations (Random *f)
{
  g_autofree Matrix *cross = g_new0 (Matrix, 1);
  g_autofree Matrix *id_on = g_new0 (Matrix, 1);
  Members domain = { f->ms.n, { false } }, range = { f->ms.n, { false } };
  cross->n = id_on->n = f->ms.n;
  for (unsigned i = 0; i < f->ms.n; i++) {
    id_on->at[i][i] = f->ms.at[i];
    for (unsigned j = 0; j < f->ms.n; j++) {
      cross->at[i][j] = f->ms.at[i] && f->mt.at[j];
      domain.at[i] = domain.at[i] || f->mx.at[i][j];
      range.at[j] = range.at[j] || f->mx.at[i][j];
    }
  }
  assert_same (rel_cross (f->arena, f->s, f->t), cross);
  assert_same (rel_id_on (f->arena, f->s), id_on);
  assert_same_set (rel_domain (f->arena, f->x), &domain);
  assert_same_set (rel_range (f->arena, f->x), &range);
}

static void
test_between_sets_and_relations (void)
{
  for_random (check_between_sets_and_relations);
}

static void
check_pairs (Random *f)
{
  const Pairs pairs = rel_to_pairs (f->arena, f->x);
  g_assert_cmpuint (pairs.count, ==, rel_count (f->x));
  for (unsigned i = 1; i < pairs.count; i++) {
    const Pair p = pairs.pairs[i - 1], q = pairs.pairs[i];
    g_assert_true (p.from < q.from || (p.from == q.from && p.to < q.to));
  }
  g_assert_true (rel_equal (rel_from_pairs (f->arena, f->mx.n, pairs), f->x));
}

static void
test_pairs (void)
{
  for_random (check_pairs);
}

static void
check_iteration (Random *f)
{
  unsigned count = 0;
  for (unsigned i = set_next (f->s, 0); i < f->ms.n; i = set_next (f->s, i + 1)) {
    g_assert_true (f->ms.at[i]);
    count++;
  }
  g_assert_cmpuint (count, ==, set_count (f->s));
  g_assert_cmpuint (set_next (f->s, f->ms.n), ==, f->ms.n);
}

static void
test_iteration (void)
{
  for_random (check_iteration);
}

/* ---- Laws ---------------------------------------------------------------------------------
 */

static void
check_laws (Random *f)
{
  Arena *a = f->arena;
  const Rel *x = f->x, *y = f->y;
  const Rel *z = rel_id_on (a, f->s);
  const Rel *id = rel_id (a, f->mx.n);
  g_assert_true (rel_equal (rel_seq (a, rel_union (a, x, y), z),
                            rel_union (a, rel_seq (a, x, z), rel_seq (a, y, z))));
  g_assert_true (
      rel_equal (rel_seq (a, rel_seq (a, x, y), z), rel_seq (a, x, rel_seq (a, y, z))));
  g_assert_true (rel_equal (rel_inverse (a, rel_seq (a, x, y)),
                            rel_seq (a, rel_inverse (a, y), rel_inverse (a, x))));
  g_assert_true (
      rel_equal (rel_plus (a, x), rel_union (a, x, rel_seq (a, x, rel_plus (a, x)))));
  g_assert_true (rel_equal (rel_star (a, x), rel_union (a, id, rel_plus (a, x))));
  g_assert_true (rel_equal (rel_compl (a, rel_union (a, x, y)),
                            rel_inter (a, rel_compl (a, x), rel_compl (a, y))));
  g_assert_true (rel_equal (rel_compl (a, rel_compl (a, x)), x));
  g_assert_true (rel_equal (rel_seq (a, id, x), x));
  g_assert_true (rel_equal (
      rel_cross (a, f->s, f->t),
      rel_seq (a, rel_seq (a, z, rel_compl (a, rel_new (a, f->mx.n))), rel_id_on (a, f->t))));
  g_assert_true (set_equal (rel_domain (a, x), rel_range (a, rel_inverse (a, x))));
}

static void
test_laws (void)
{
  for_random (check_laws);
}

/* ---- Cycles -------------------------------------------------------------------------------
 */

typedef struct CycleCase {
  const char *what;
  Pair pairs[6];
  unsigned count;
  unsigned n;
  unsigned cycle[4]; /* the expected one */
  unsigned length;
} CycleCase;

static const CycleCase cycle_cases[] = {
  { "nothing", { { 0, 0 } }, 0, 4, { 0 }, 0 },
  { "chain of three", { { 0, 1 }, { 1, 2 } }, 2, 3, { 0 }, 0 },
  { "diamond", { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 } }, 4, 4, { 0 }, 0 },
  { "itself", { { 0, 1 }, { 2, 2 } }, 2, 3, { 2 }, 1 },
  { "loop of three", { { 0, 1 }, { 1, 2 }, { 2, 0 } }, 3, 3, { 0, 1, 2 }, 3 },
  { "two loops, the shorter wins",
    { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 3 } },
    5,
    5,
    { 3, 4 },
    2 },
  { "equal loops, the lesser event wins",
    { { 4, 1 }, { 1, 4 }, { 2, 3 }, { 3, 2 } },
    4,
    5,
    { 1, 4 },
    2 },
  { "across words", { { 3, 64 }, { 64, 129 }, { 129, 3 } }, 3, 130, { 3, 64, 129 }, 3 },
  { "a way round and a short cut",
    { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 1, 3 } },
    5,
    4,
    { 0, 1, 3 },
    3 },
};

static void
test_cycle_cases (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (cycle_cases); k++) {
    const CycleCase *c = &cycle_cases[k];
    g_test_message ("%s", c->what);
    g_autoptr (Arena) a = arena_new ();
    const Rel *r = rel_from_pairs (a, c->n, (Pairs){ c->pairs, c->count });
    const RelCycle cycle = rel_cycle (a, r);
    g_assert_cmpint (rel_acyclic (r), ==, c->length == 0);
    g_assert_cmpuint (cycle.count, ==, c->length);
    for (unsigned i = 0; i < c->length; i++)
      g_assert_cmpuint (cycle.events[i], ==, c->cycle[i]);
  }
}

/* Length of a shortest closed walk: the least k with a reflexive pair in x^k; 0 when there is
 * none. */
static unsigned
shortest_by_powers (Arena *a, const Rel *x)
{
  const Rel *power = x;
  for (unsigned k = 1; k <= rel_size (x); k++) {
    if (!rel_irreflexive (power))
      return k;
    power = rel_seq (a, power, x);
  }
  return 0;
}

static void
check_cycle (Random *f)
{
  const RelCycle cycle = rel_cycle (f->arena, f->x);
  g_assert_cmpuint (cycle.count, ==, shortest_by_powers (f->arena, f->x));
  for (unsigned i = 0; i < cycle.count; i++)
    g_assert_true (rel_has (f->x, cycle.events[i], cycle.events[(i + 1) % cycle.count]));
}

static void
test_cycle_random (void)
{
  for_random (check_cycle);
}

/* A few thousand events: one long cycle, closed or not by its last pair. */
static void
test_cycle_long (void)
{
  enum { N = 3000 };
  g_autoptr (Arena) a = arena_new ();
  Rel *r = rel_new (a, N);
  for (unsigned i = 0; i + 1 < N; i++)
    rel_add (r, i, i + 1);
  g_assert_true (rel_acyclic (r));
  g_assert_cmpuint (rel_count (rel_plus (a, r)), ==, N * (N - 1) / 2);
  rel_add (r, N - 1, 0);
  g_assert_false (rel_acyclic (r));
  g_assert_cmpuint (rel_cycle (a, r).count, ==, N);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/relation/lattice/agrees-with-matrices", test_lattice);
  g_test_add_func ("/model/relation/sets/agree-with-arrays", test_sets);
  g_test_add_func ("/model/relation/seq-inverse/agree-with-matrices", test_seq_and_inverse);
  g_test_add_func ("/model/relation/closures/agree-with-matrices", test_closures);
  g_test_add_func ("/model/relation/cross-id-domain-range/agree-with-matrices",
                   test_between_sets_and_relations);
  g_test_add_func ("/model/relation/pairs/sorted-and-back", test_pairs);
  g_test_add_func ("/model/relation/iteration/visits-members-once", test_iteration);
  g_test_add_func ("/model/relation/laws", test_laws);
  g_test_add_func ("/model/relation/cycle/cases", test_cycle_cases);
  g_test_add_func ("/model/relation/cycle/is-shortest", test_cycle_random);
  g_test_add_func ("/model/relation/cycle/long", test_cycle_long);
  return g_test_run ();
}
