/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/names.h"

#include <glib.h>

static void
test_order (void)
{
  /* Each before all that follow it. */
  static const char *const names[] = { "", "%r1", "a", "a1", "a01", "a2", "a10", "a10b", "ab" };
  g_assert_cmpint (name_compare ("a01", "a1"), !=, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (names); j++) {
      int order = name_compare (names[i], names[j]);
      bool twins = (i == 3 && j == 4) || (i == 4 && j == 3); /* a1, a01: either way round */
      if (!twins)
        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > j) - (i < j));
      g_assert_cmpint ((name_compare (names[j], names[i]) > 0), ==, order < 0);
    }
}

static void
test_registers (void)
{
  static const struct {
    const char *name;
    bool is_register;
  } cases[] = {
    { "r0", true }, { "r123", true }, { "%r1", true },  { "%tid", true }, { "r", false },
    { "%", false }, { "rd1", false }, { "r1x", false }, { "x0", false },  { "", false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_true (name_is_register (slice_of (cases[i].name)) == cases[i].is_register);
}

static void
test_table (void)
{
  g_autoptr (Arena) a = arena_new ();
  NameTable *t = name_table_new (a);
  for (unsigned i = 0; i < 5000; i++) {
    Slice name = slice_of (arena_printf (a, "x%u", i));
    g_assert_cmpint (name_table_find (t, name), ==, -1);
    name_table_add (t, name, i);
  }
  for (unsigned i = 0; i < 5000; i++)
    g_assert_cmpint (name_table_find (t, slice_of (arena_printf (a, "x%u", i))), ==, (int) i);
  g_assert_cmpint (name_table_find (t, slice_of ("x")), ==, -1);
}

static void
test_nearest (void)
{
  static const char *const words[] = { "acquire", "release", "relaxed", "gpu", "sys", "ld" };
  static const struct {
    const char *word;
    const char *nearest;
  } cases[] = {
    { "aquire", "acquire" },
    { "relase", "release" },
    { "gqu", "gpu" },
    { "gup", "gpu" },
    { "sy", "sys" },
    { "lld", "ld" },
    { "xyz", NULL },
    { "", NULL },
    { "g", NULL },
    { "relaxed", "relaxed" },
    { "accquirre", "acquire" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (name_nearest (slice_of (cases[i].word), words, G_N_ELEMENTS (words)), ==,
                     cases[i].nearest);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/litmus/names/order", test_order);
  g_test_add_func ("/litmus/names/registers", test_registers);
  g_test_add_func ("/litmus/names/table", test_table);
  g_test_add_func ("/litmus/names/nearest", test_nearest);
  return g_test_run ();
}
