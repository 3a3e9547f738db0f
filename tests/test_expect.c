/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "reports/expect.h"

typedef struct Table {
  Arena *arena;
  Expectations *expectations;
  Diags *diags;
} Table;

static Table
read_table (const char *text, const char *model)
{
  Table t = { arena_new (), expectations_new (), NULL };
  t.diags = diags_new (t.arena);
  Source *source = arena_new_of (t.arena, Source);
  *source = (Source){ "/tests/expected.tsv", arena_strdup (t.arena, text), strlen (text) };
  expectations_add (t.expectations, source, "/tests", model, t.diags);
  return t;
}

static void
clear (Table *t)
{
  expectations_free (t->expectations);
  arena_free (t->arena);
}

static void
test_tsv (void)
{
  Table t = read_table ("file\tmodel\tproperty\texpected\tevidence\n"
                        "a/MP.litmus\tm\tassertion\tholds\t8.9\n"
                        "a/MP.litmus\tother\tassertion\tfails\t\n"
                        "a/MP.litmus\tm\ttermination\tfails\t\n"
                        "./b/../SB.litmus\tm\tassertion\tfails\t\n",
                        "m");
  g_assert_cmpuint (diags_count (t.diags), ==, 0);
  g_assert_cmpint (expectations_find (t.expectations, "/tests/a/MP.litmus", 0), ==, TRUTH_YES);
  g_assert_cmpint (expectations_find (t.expectations, "/tests/SB.litmus", 0), ==, TRUTH_NO);
  g_assert_cmpint (expectations_find (t.expectations, "/else/MP.litmus", 0), ==, TRUTH_UNKNOWN);
  g_assert_cmpuint (expectations_skipped (t.expectations, "/tests/a/MP.litmus"), ==, 1);
  g_assert_cmpuint (expectations_skipped (t.expectations, "/tests/SB.litmus"), ==, 0);
  clear (&t);
}

static void
test_columns_in_any_order (void)
{
  Table t = read_table ("\357\273\277expected\tproperty\tmodel\tfile\r\n"
                        "# a comment\r\n\r\n"
                        "fails\tassertion\tm\tx.litmus\r\n",
                        "m");
  g_assert_cmpuint (diags_count (t.diags), ==, 0);
  g_assert_cmpint (expectations_find (t.expectations, "/tests/x.litmus", 0), ==, TRUTH_NO);
  clear (&t);
}

static void
test_numbered_rows_come_first (void)
{
  Table t = read_table ("file\tmodel\tproperty\texpected\n"
                        "x.test\tm\tassertion\tholds\n"
                        "x.test#2\tm\tassertion\tfails\n",
                        "m");
  g_assert_cmpint (expectations_find (t.expectations, "/tests/x.test", 0), ==, TRUTH_YES);
  g_assert_cmpint (expectations_find (t.expectations, "/tests/x.test", 1), ==, TRUTH_NO);
  g_assert_cmpint (expectations_find (t.expectations, "/tests/x.test", 2), ==, TRUTH_YES);
  clear (&t);
}

static void
test_csv_by_the_longest_end (void)
{
  Table t = read_table ("litmus/PTX/Manual/MP.litmus,1\n"
                        "litmus/PTX/Nvidia/MP.litmus,0\n"
                        "litmus/PTX/Manual/SB.litmus,0\n",
                        "m");
  g_assert_cmpuint (diags_count (t.diags), ==, 0);
  const Expectations *e = t.expectations;
  g_assert_cmpint (expectations_find (e, "/d/Manual/MP.litmus", 0), ==, TRUTH_YES);
  g_assert_cmpint (expectations_find (e, "/d/PTX/Nvidia/MP.litmus", 0), ==, TRUTH_NO);
  g_assert_cmpint (expectations_find (e, "/else/MP.litmus", 0), ==, TRUTH_UNKNOWN);
  g_assert_cmpint (expectations_find (e, "/else/SB.litmus", 0), ==, TRUTH_NO);
  g_assert_cmpint (expectations_find (e, "/d/NotManual/MP.litmus", 0), ==, TRUTH_UNKNOWN);
  g_assert_cmpint (expectations_find (e, "/d/LB.litmus", 0), ==, TRUTH_UNKNOWN);
  clear (&t);
}

static void
test_csv_without_folders (void)
{
  Table t = read_table ("MP.litmus,1\n", "m");
  g_assert_cmpint (expectations_find (t.expectations, "/d/MP.litmus", 0), ==, TRUTH_YES);
  g_assert_cmpint (expectations_find (t.expectations, "/d/xMP.litmus", 0), ==, TRUTH_UNKNOWN);
  clear (&t);
}

static const struct {
  const char *name;
  const char *text;
  const char *message;
} faults[] = {
  { "empty", "\n# nothing\n", "empty" },
  { "no-header", "a.litmus\tm\tassertion\tholds\n", "no column 'file'" },
  { "missing-column", "file\tmodel\texpected\n", "no column 'property'" },
  { "short-row", "file\tmodel\tproperty\texpected\na\tm\n", "expected 4 cells, found 2" },
  { "bad-property", "file\tmodel\tproperty\texpected\na\tm\tliveness\tholds\n", "'liveness'" },
  { "bad-verdict", "file\tmodel\tproperty\texpected\na\tm\tassertion\tmaybe\n", "'maybe'" },
  { "contradiction",
    "file\tmodel\tproperty\texpected\na\tm\tassertion\tholds\na\tm\tassertion\tfails\n",
    "contradicts" },
  { "csv-bad-row", "a.litmus,1\nb.litmus,2\n", "expected PATH,0 or PATH,1" },
  { "csv-contradiction", "a.litmus,1\na.litmus,0\n", "contradicts" },
};

static void
test_fault (gconstpointer data)
{
  const unsigned i = GPOINTER_TO_UINT (data);
  Table t = read_table (faults[i].text, "m");
  g_assert_cmpuint (diags_error_count (t.diags), ==, 1);
  g_assert_nonnull (strstr (diags_get (t.diags, 0)->message, faults[i].message));
  clear (&t);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reports/expect/tsv", test_tsv);
  g_test_add_func ("/reports/expect/columns-in-any-order", test_columns_in_any_order);
  g_test_add_func ("/reports/expect/numbered-rows-come-first", test_numbered_rows_come_first);
  g_test_add_func ("/reports/expect/csv-by-the-longest-end", test_csv_by_the_longest_end);
  g_test_add_func ("/reports/expect/csv-without-folders", test_csv_without_folders);
  for (unsigned i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autofree char *path = g_strconcat ("/reports/expect/fault/", faults[i].name, NULL);
    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_fault);
  }
  return g_test_run ();
}
