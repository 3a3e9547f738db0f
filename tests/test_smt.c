/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/acyclic.h"
#include "solver/bits.h"
#include "solver/smt.h"

/* Formulas, circuits and graphs against plain computation.  Each fixture is a fresh formula. */

typedef struct Fixture {
  Smt *smt;
  Cnf *f;
} Fixture;

static Smt *shared_smt;

static void
set_up (Fixture *x, gconstpointer data)
{
  (void) data;
  x->smt = shared_smt;
  smt_reset (x->smt);
  x->f = cnf_new ();
}

static void
tear_down (Fixture *x, gconstpointer data)
{
  (void) data;
  cnf_free (x->f);
}

static SmtAnswer
check_with (Fixture *x, const Lit *assumptions, unsigned count)
{
  StopReason stopped = STOP_NONE;
  smt_sync (x->smt, x->f);
  return smt_check (x->smt, assumptions, count, NULL, &stopped);
}

/* ---- Gates ------------------------------------------------------------------------- */

static void
test_gate_modes (Fixture *x, gconstpointer data)
{
  (void) data;
  Lit a = cnf_var (x->f), b = cnf_var (x->f);
  Lit over = cnf_and (x->f, GATE_OVER, a, b);
  Lit under = cnf_and (x->f, GATE_UNDER, a, b);
  Lit exact = cnf_and (x->f, GATE_EXACT, a, b);
  /* Inputs true: OVER and EXACT must be true, UNDER may be false. */
  g_assert_cmpint (check_with (x, (Lit[]){ a, b, -over }, 3), ==, SMT_UNSAT);
  g_assert_cmpint (check_with (x, (Lit[]){ a, b, -exact }, 3), ==, SMT_UNSAT);
  g_assert_cmpint (check_with (x, (Lit[]){ a, b, -under }, 3), ==, SMT_SAT);
  /* An input false: UNDER and EXACT must be false, OVER may be true. */
  g_assert_cmpint (check_with (x, (Lit[]){ a, -b, under }, 3), ==, SMT_UNSAT);
  g_assert_cmpint (check_with (x, (Lit[]){ a, -b, exact }, 3), ==, SMT_UNSAT);
  g_assert_cmpint (check_with (x, (Lit[]){ a, -b, over }, 3), ==, SMT_SAT);
}

static void
test_gate_folding (Fixture *x, gconstpointer data)
{
  (void) data;
  Lit a = cnf_var (x->f), b = cnf_var (x->f);
  g_assert_cmpint (cnf_and (x->f, GATE_EXACT, a, LIT_TRUE), ==, a);
  g_assert_cmpint (cnf_and (x->f, GATE_EXACT, a, LIT_FALSE), ==, LIT_FALSE);
  g_assert_cmpint (cnf_and (x->f, GATE_EXACT, a, -a), ==, LIT_FALSE);
  g_assert_cmpint (cnf_or (x->f, GATE_EXACT, a, -a), ==, LIT_TRUE);
  g_assert_cmpint (cnf_xor (x->f, a, a), ==, LIT_FALSE);
  g_assert_cmpint (cnf_xor (x->f, a, -a), ==, LIT_TRUE);
  g_assert_cmpint (cnf_and (x->f, GATE_EXACT, a, b), ==, cnf_and (x->f, GATE_EXACT, b, a));
  g_assert_cmpint (cnf_xor (x->f, -a, b), ==, -cnf_xor (x->f, a, b));
  g_assert_cmpint (cnf_ite (x->f, a, b, b), ==, b);
}

static void
test_exactly_one (Fixture *x, gconstpointer data)
{
  (void) data;
  enum { COUNT = 9 };
  Lit lits[COUNT];
  Lit when = cnf_var (x->f);
  for (unsigned i = 0; i < COUNT; i++)
    lits[i] = cnf_var (x->f);
  cnf_exactly_one (x->f, when, lits, COUNT);
  for (unsigned i = 0; i < COUNT; i++) {
    g_assert_cmpint (check_with (x, (Lit[]){ when, lits[i] }, 2), ==, SMT_SAT);
    for (unsigned j = 0; j < i; j++)
      g_assert_cmpint (check_with (x, (Lit[]){ lits[i], lits[j] }, 2), ==, SMT_UNSAT);
  }
  Lit none[COUNT + 1];
  for (unsigned i = 0; i < COUNT; i++)
    none[i] = -lits[i];
  none[COUNT] = when;
  g_assert_cmpint (check_with (x, none, COUNT + 1), ==, SMT_UNSAT);
  g_assert_cmpint (check_with (x, none, COUNT), ==, SMT_SAT);
}

static void
test_core_names_what_was_used (Fixture *x, gconstpointer data)
{
  (void) data;
  Lit a = cnf_var (x->f), b = cnf_var (x->f), c = cnf_var (x->f);
  cnf_clause2 (x->f, -a, -b);
  const Lit all[] = { a, b, c };
  bool used[3];
  g_assert_cmpint (check_with (x, all, 3), ==, SMT_UNSAT);
  smt_core (x->smt, all, 3, used);
  g_assert_true (used[0]);
  g_assert_true (used[1]);
  g_assert_false (used[2]);
}

/* ---- Circuits ---------------------------------------------------------------------- */

static uint64_t
random_value (unsigned bits)
{
  static const uint64_t corners[]
      = { 0,          1,          2,          3,          0x7fffffff,
          0x80000000, 0xffffffff, 0xfffffffe, UINT64_MAX, UINT64_C (1) << 63 };
  uint64_t wide
      = (uint64_t) (uint32_t) g_test_rand_int () << 32 | (uint32_t) g_test_rand_int ();
  if (g_test_rand_bit ())
    wide = corners[g_test_rand_int_range (0, G_N_ELEMENTS (corners))];
  return truncate_bits (wide, bits);
}

/* The value as fresh variables that are then pinned, so that the circuit really is built. */
static Bits
pinned (Fixture *x, uint64_t value)
{
  Bits fresh = bits_fresh (x->f, UINT64_MAX);
  Bits constant = bits_const (value);
  bits_assert_equal (x->f, LIT_TRUE, &fresh, &constant);
  return fresh;
}

static uint64_t
solved (Fixture *x, const Bits *bits)
{
  uint64_t value = 0;
  g_assert_cmpint (check_with (x, NULL, 0), ==, SMT_SAT);
  for (unsigned i = 0; i < bits->width; i++)
    value |= (uint64_t) smt_holds (x->smt, bits->bit[i]) << i;
  return value;
}

static uint64_t
expected_alu (AluOp op, Type type, uint64_t a, uint64_t b)
{
  switch (op) {
  case ALU_MOV:
    return a;
  case ALU_ADD:
    return a + b;
  case ALU_SUB:
    return a - b;
  case ALU_MUL:
    return a * b;
  case ALU_AND:
    return a & b;
  case ALU_OR:
    return a | b;
  case ALU_XOR:
    return a ^ b;
  case ALU_DIV:
    if (b == 0)
      return UINT64_MAX;
    if (type.cls != TY_S)
      return a / b;
    if (type.bits == 32)
      return (int32_t) a == INT32_MIN && (int32_t) b == -1
                 ? a
                 : (uint64_t) (int64_t) ((int32_t) a / (int32_t) b);
    return (int64_t) a == INT64_MIN && (int64_t) b == -1
               ? a
               : (uint64_t) ((int64_t) a / (int64_t) b);
  }
  g_assert_not_reached ();
}

static void
test_alu (Fixture *x, gconstpointer data)
{
  (void) data;
  static const Type types[]
      = { { TY_U, 32, true }, { TY_S, 32, true }, { TY_U, 64, true }, { TY_S, 64, true } };
  for (unsigned round = 0; round < 40; round++) {
    Type type = types[round % 4];
    AluOp op = (AluOp) g_test_rand_int_range (ALU_MOV, ALU_XOR + 1);
    uint64_t a = random_value (type.bits), b = random_value (type.bits);
    smt_reset (x->smt);
    cnf_free (x->f);
    x->f = cnf_new ();
    Bits p = pinned (x, a), q = pinned (x, b);
    Bits r = bits_alu (x->f, op, type, &p, &q);
    g_assert_cmphex (solved (x, &r), ==,
                     truncate_bits (expected_alu (op, type, a, b), type.bits));
    /* The same with constants, which fold. */
    Bits k = bits_const (a), l = bits_const (b);
    Bits folded = bits_alu (x->f, op, type, &k, &l);
    uint64_t value = 0;
    g_assert_true (bits_is_const (&folded, &value));
    g_assert_cmphex (value, ==, truncate_bits (expected_alu (op, type, a, b), type.bits));
  }
}

/* The manual's definitions (9.7.13.5), evaluated by hand. */
static void
test_atomic_operations (void)
{
  const Type u32 = { TY_U, 32, true }, s32 = { TY_S, 32, true };
  const struct {
    AtomOp op;
    Type type;
    uint64_t old, a, expected;
  } cases[] = {
    { ATOM_INC, u32, 4, 5, 5 },
    { ATOM_INC, u32, 5, 5, 0 },
    { ATOM_INC, u32, 6, 5, 0 },
    { ATOM_DEC, u32, 0, 5, 5 },
    { ATOM_DEC, u32, 5, 5, 4 },
    { ATOM_DEC, u32, 6, 5, 5 },
    { ATOM_MIN, u32, 0xffffffff, 1, 1 },
    { ATOM_MIN, s32, 0xffffffff, 1, 0xffffffff },
    { ATOM_MAX, u32, 0xffffffff, 1, 0xffffffff },
    { ATOM_MAX, s32, 0xffffffff, 1, 1 },
    { ATOM_ADD, u32, 0xffffffff, 2, 1 },
    { ATOM_SUB, u32, 1, 2, 0xffffffff },
    { ATOM_AND, u32, 6, 3, 2 },
    { ATOM_OR, u32, 6, 3, 7 },
    { ATOM_XOR, u32, 6, 3, 5 },
    { ATOM_EXCH, u32, 6, 3, 3 },
  };
  Cnf *f = cnf_new ();
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    Bits old = bits_const (cases[i].old), a = bits_const (cases[i].a), none = bits_const (0);
    Bits r = bits_atom (f, cases[i].op, cases[i].type, &old, &a, &none);
    uint64_t value = 0;
    g_assert_true (bits_is_const (&r, &value));
    g_assert_cmphex (value, ==, cases[i].expected);
  }
  cnf_free (f);
}

static void
test_comparisons (Fixture *x, gconstpointer data)
{
  (void) data;
  for (unsigned round = 0; round < 30; round++) {
    uint64_t a = random_value (32), b = g_test_rand_bit () ? a : random_value (32);
    Type u = { TY_U, 32, true }, s = { TY_S, 32, true };
    smt_reset (x->smt);
    cnf_free (x->f);
    x->f = cnf_new ();
    Bits p = pinned (x, a), q = pinned (x, b);
    Lit lits[]
        = { bits_compare (x->f, CMP_EQ, u, &p, &q), bits_compare (x->f, CMP_NE, u, &p, &q),
            bits_compare (x->f, CMP_LT, u, &p, &q), bits_compare (x->f, CMP_GE, u, &p, &q),
            bits_compare (x->f, CMP_GT, s, &p, &q), bits_compare (x->f, CMP_LE, s, &p, &q) };
    const bool wanted[]
        = { a == b, a != b, a<b, a >= b, (int32_t) a> (int32_t) b, (int32_t) a <= (int32_t) b };
    g_assert_cmpint (check_with (x, NULL, 0), ==, SMT_SAT);
    for (unsigned k = 0; k < G_N_ELEMENTS (lits); k++)
      g_assert_cmpint (smt_holds (x->smt, lits[k]), ==, wanted[k]);
  }
}

/* ---- Graphs ------------------------------------------------------------------------ */

static bool
has_cycle (unsigned n, const bool *edge)
{
  g_autofree bool *reach = g_memdup2 (edge, sizeof *edge * n * n);
  for (unsigned k = 0; k < n; k++)
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; j < n; j++)
        reach[i * n + j] |= reach[i * n + k] && reach[k * n + j];
  for (unsigned i = 0; i < n; i++)
    if (reach[i * n + i])
      return true;
  return false;
}

static void
test_acyclic_random_graphs (Fixture *x, gconstpointer data)
{
  (void) data;
  enum { N = 7 };
  Lit lits[N * N];
  Edge edges[N * N];
  unsigned count = 0;
  g_autoptr (Arena) a = arena_new ();
  for (unsigned i = 0; i < N; i++)
    for (unsigned j = 0; j < N; j++) {
      lits[i * N + j] = cnf_var (x->f);
      edges[count++] = (Edge){ i, j, lits[i * N + j] };
    }
  acyclic_encode (a, x->f, N, edges, count, NULL, false);
  unsigned cyclic = 0;
  for (unsigned round = 0; round < 300; round++) {
    bool edge[N * N];
    Lit pins[N * N];
    for (unsigned k = 0; k < N * N; k++) {
      edge[k] = g_test_rand_int_range (0, 100) < 12;
      pins[k] = edge[k] ? lits[k] : -lits[k];
    }
    bool expected = has_cycle (N, edge);
    cyclic += expected;
    g_assert_cmpint (check_with (x, pins, N * N), ==, expected ? SMT_UNSAT : SMT_SAT);
  }
  g_assert_cmpuint (cyclic, >, 30);
  g_assert_cmpuint (cyclic, <, 270);
}

static Lit
order_lit (void *ctx, unsigned i, unsigned j)
{
  const Lit *before = ctx;
  return before[i * 4 + j];
}

/* Nodes 0-3 are totally ordered by literals of their own; node 4 is not. */
static void
test_acyclic_with_known_order (Fixture *x, gconstpointer data)
{
  (void) data;
  Lit before[16] = { 0 };
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = i + 1; j < 4; j++) {
      before[i * 4 + j] = cnf_var (x->f);
      before[j * 4 + i] = -before[i * 4 + j];
    }
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = 0; j < 4; j++)
      for (unsigned k = 0; k < 4; k++)
        if (i != j && j != k && i != k)
          cnf_clause3 (x->f, -before[i * 4 + j], -before[j * 4 + k], before[i * 4 + k]);
  Lit out = cnf_var (x->f), back = cnf_var (x->f);
  Edge edges[14] = { { 2, 4, out }, { 4, 1, back } };
  unsigned count = 2;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = 0; j < 4; j++)
      if (i != j)
        edges[count++] = (Edge){ i, j, before[i * 4 + j] };
  const int group[] = { 1, 1, 1, 1, 0 };
  KnownOrder known = { group, order_lit, before };
  g_autoptr (Arena) a = arena_new ();
  acyclic_encode (a, x->f, 5, edges, count, &known, false);
  g_assert_cmpint (check_with (x, (Lit[]){ out, back, before[1 * 4 + 2] }, 3), ==, SMT_UNSAT);
  g_assert_cmpint (check_with (x, (Lit[]){ out, back, before[2 * 4 + 1] }, 3), ==, SMT_SAT);
  g_assert_cmpint (check_with (x, (Lit[]){ out, before[1 * 4 + 2] }, 2), ==, SMT_SAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GError) error = NULL;
  shared_smt = smt_new (NULL, &error);
  g_assert_no_error (error);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/solver/cnf/gate-modes", test_gate_modes);
  ADD ("/solver/cnf/gate-folding", test_gate_folding);
  ADD ("/solver/cnf/exactly-one", test_exactly_one);
  ADD ("/solver/smt/core-names-what-was-used", test_core_names_what_was_used);
  ADD ("/solver/bits/alu", test_alu);
  ADD ("/solver/bits/comparisons", test_comparisons);
  ADD ("/solver/acyclic/random-graphs", test_acyclic_random_graphs);
  ADD ("/solver/acyclic/known-order", test_acyclic_with_known_order);
#undef ADD
  g_test_add_func ("/solver/bits/atomic-operations", test_atomic_operations);
  int result = g_test_run ();
  smt_free (shared_smt);
  return result;
}
