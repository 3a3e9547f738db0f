/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/program.h"

/* ---- Scopes [8.5] -------------------------------------------------------------------------
 */

static void
test_scopes (void)
{
  static const Placement base = { .cta = 1, .cluster = 2, .gpu = 3, .warp = -1 };
  static const struct {
    Placement other;
    bool cta;
    bool cluster;
    bool gpu;
  } cases[] = {
    { { .cta = 1, .cluster = 2, .gpu = 3 }, true, true, true },
    { { .cta = 2, .cluster = 2, .gpu = 3 }, false, true, true },
    { { .cta = 1, .cluster = 3, .gpu = 3 }, false, false, true },
    { { .cta = 1, .cluster = 2, .gpu = 4 }, false, false, false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Placement *other = &cases[i].other;
    g_assert_false (scope_includes (SCOPE_NONE, &base, other));
    g_assert_true (scope_includes (SCOPE_CTA, &base, other) == cases[i].cta);
    g_assert_true (scope_includes (SCOPE_CLUSTER, &base, other) == cases[i].cluster);
    g_assert_true (scope_includes (SCOPE_GPU, &base, other) == cases[i].gpu);
    g_assert_true (scope_includes (SCOPE_SYS, &base, other));
    g_assert_true (placement_same_cta (&base, other) == cases[i].cta);
    g_assert_true (placement_same_cluster (&base, other) == cases[i].cluster);
  }
}

/* ---- A small program ----------------------------------------------------------------------
 */

static MemObject objects[] = { { .name = "x", .size = 4 }, { .name = "p", .size = 8 } };
static Mapping mappings[] = {
  { .name = "x", .object = 0, .base = 0x1000 },
  { .name = "y", .object = 0, .base = 0x2000 },
  { .name = "p", .object = 1, .base = 0x3000 },
};
static Location locations[] = {
  { .name = "x", .mapping = 0, .alias_of = -1 },
  { .name = "y", .mapping = 1, .alias_of = 0 },
  { .name = "p", .mapping = 2, .alias_of = -1 },
};
static Reg regs[] = { { .name = "r0", .bits = 32 }, { .name = "r1", .bits = 64 } };
static Thread threads[] = { { .name = "P0", .regs = regs, .reg_count = 2 } };
static Observed observed[] = {
  { .is_location = true, .index = 0, .bits = 32, .key = "x" },
  { .is_location = true, .index = 2, .bits = 64, .key = "p" },
  { .thread = 0, .index = 0, .bits = 32, .key = "P0:r0" },
  { .thread = 0, .index = 1, .bits = 64, .key = "P0:r1" },
};
static const Program program = {
  .objects = objects,
  .object_count = G_N_ELEMENTS (objects),
  .mappings = mappings,
  .mapping_count = G_N_ELEMENTS (mappings),
  .locations = locations,
  .location_count = G_N_ELEMENTS (locations),
  .threads = threads,
  .thread_count = 1,
  .observed = observed,
  .observed_count = G_N_ELEMENTS (observed),
};

static void
test_find_mapping (void)
{
  static const struct {
    uint64_t va;
    int mapping;
    uint64_t offset;
  } cases[] = {
    { 0x1000, 0, 0 }, { 0x1003, 0, 3 },  { 0x1004, -1, 0 }, { 0x2002, 1, 2 },
    { 0x3007, 2, 7 }, { 0x3008, -1, 0 }, { 0xfff, -1, 0 },  { UINT64_MAX, -1, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    uint64_t offset = 0;
    g_assert_cmpint (program_find_mapping (&program, cases[i].va, &offset), ==,
                     cases[i].mapping);
    g_assert_cmphex (offset, ==, cases[i].offset);
  }
}

static void
test_value_text (void)
{
  g_autoptr (Arena) a = arena_new ();
  g_assert_cmpstr (value_text (a, &program, 32, 0), ==, "0x0");
  g_assert_cmpstr (value_text (a, &program, 32, 0x1000), ==, "0x1000");
  g_assert_cmpstr (value_text (a, &program, 64, 0x1000), ==, "&x");
  g_assert_cmpstr (value_text (a, &program, 64, 0x3004), ==, "&p+0x4");
  g_assert_cmpstr (value_text (a, &program, 64, UINT64_MAX), ==, "0xffffffffffffffff");
}

/* ---- Conditions ---------------------------------------------------------------------------
 */

#define CONST(v)                                                                               \
  {                                                                                            \
    .kind = TERM_CONST, .value = (uint64_t) (v)                                                \
  }
#define X                                                                                      \
  {                                                                                            \
    .kind = TERM_LOC, .index = 0                                                               \
  }
#define P                                                                                      \
  {                                                                                            \
    .kind = TERM_LOC, .index = 2                                                               \
  }
#define R0                                                                                     \
  {                                                                                            \
    .kind = TERM_REG, .index = 0                                                               \
  }
#define R1                                                                                     \
  {                                                                                            \
    .kind = TERM_REG, .index = 1                                                               \
  }
#define ADDR_Y                                                                                 \
  {                                                                                            \
    .kind = TERM_ADDRESS, .index = 1                                                           \
  }

/* The state: x is 1, p is &y, r0 is all ones (32 bits), r1 is 2^32. */
static const uint64_t state[] = { 1, 0x2000, 0xffffffff, UINT64_C (1) << 32 };

static void
test_comparisons (void)
{
  static const struct {
    CondTerm left;
    Cmp cmp;
    CondTerm right;
    bool holds;
  } cases[] = {
    { X, CMP_EQ, CONST (1), true },
    { CONST (1), CMP_NE, X, false },
    { X, CMP_LT, CONST (2), true },
    { X, CMP_LE, CONST (1), true },
    { X, CMP_GT, CONST (1), false },
    { X, CMP_GE, CONST (1), true },
    /* A constant takes the width of the other side; comparisons are unsigned. */
    { R0, CMP_EQ, CONST (-1), true },
    { R1, CMP_EQ, CONST (-1), false },
    { X, CMP_LT, CONST (-1), true },
    { CONST (-1), CMP_GT, CONST (0), true },
    { R1, CMP_GT, R0, true },
    { P, CMP_EQ, ADDR_Y, true },
    { P, CMP_EQ, { .kind = TERM_ADDRESS, .index = 0 }, false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Cond c = { .kind = COND_CMP,
               .cmp = cases[i].cmp,
               .left_term = cases[i].left,
               .right_term = cases[i].right };
    g_assert_true (cond_holds (&program, &c, state) == cases[i].holds);
  }
}

static void
test_connectives (void)
{
  const Cond yes = { .kind = COND_TRUE };
  const Cond no = { .kind = COND_NOT, .left = &yes };
  const Cond *const values[] = { &no, &yes };
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      Cond both = { .kind = COND_AND, .left = values[a], .right = values[b] };
      Cond either = { .kind = COND_OR, .left = values[a], .right = values[b] };
      g_assert_true (cond_holds (&program, &both, state) == (a && b));
      g_assert_true (cond_holds (&program, &either, state) == (a || b));
    }
}

static void
test_term_bits (void)
{
  static const struct {
    CondTerm term;
    unsigned bits;
  } cases[]
      = { { CONST (1), 0 }, { X, 32 }, { P, 64 }, { R0, 32 }, { R1, 64 }, { ADDR_Y, 64 } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (cond_term_bits (&program, &cases[i].term), ==, cases[i].bits);
}

static void
test_truncation (void)
{
  g_assert_cmphex (truncate_bits (UINT64_MAX, 1), ==, 1);
  g_assert_cmphex (truncate_bits (UINT64_MAX, 32), ==, 0xffffffff);
  g_assert_cmphex (truncate_bits (UINT64_MAX, 63), ==, UINT64_MAX >> 1);
  g_assert_cmphex (truncate_bits (UINT64_MAX, 64), ==, UINT64_MAX);
}

static void
test_names (void)
{
  g_assert_cmpstr (sem_name (SEM_NONE), ==, "");
  g_assert_cmpstr (sem_name (SEM_SC), ==, "sc");
  g_assert_cmpstr (scope_name (SCOPE_CLUSTER), ==, "cluster");
  g_assert_cmpstr (proxy_name (PROXY_READONLY), ==, "readonly");
  g_assert_cmpstr (pfence_name (PFENCE_ASYNC), ==, "async");
  g_assert_cmpstr (atom_op_name (ATOM_CAS), ==, "cas");
  g_assert_cmpstr (alu_op_name (ALU_XOR), ==, "xor");
  g_assert_cmpstr (cmp_name (CMP_GE), ==, ">=");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/litmus/program/scopes", test_scopes);
  g_test_add_func ("/litmus/program/find-mapping", test_find_mapping);
  g_test_add_func ("/litmus/program/value-text", test_value_text);
  g_test_add_func ("/litmus/program/comparisons", test_comparisons);
  g_test_add_func ("/litmus/program/connectives", test_connectives);
  g_test_add_func ("/litmus/program/term-bits", test_term_bits);
  g_test_add_func ("/litmus/program/truncation", test_truncation);
  g_test_add_func ("/litmus/program/names", test_names);
  return g_test_run ();
}
