/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

static void
test_zeroed (void)
{
  g_autoptr (Arena) a = arena_new ();
  for (size_t size = 0; size < 5000; size += 7) {
    unsigned char *p = arena_alloc (a, size);
    for (size_t i = 0; i < size; i++)
      g_assert_cmpuint (p[i], ==, 0);
    memset (p, 0xff, size);
  }
}

/* Memory that was given back is handed out zeroed again. */
static void
test_zeroed_after_release (void)
{
  g_autoptr (Arena) a = arena_new ();
  ArenaMark mark = arena_mark (a);
  memset (arena_alloc (a, 1000), 0xff, 1000);
  arena_release (a, mark);
  const unsigned char *p = arena_alloc (a, 1000);
  for (size_t i = 0; i < 1000; i++)
    g_assert_cmpuint (p[i], ==, 0);
}

static void
test_aligned (void)
{
  g_autoptr (Arena) a = arena_new ();
  for (size_t size = 0; size < 100; size++)
    g_assert_cmpuint ((uintptr_t) arena_alloc (a, size) % alignof (max_align_t), ==, 0);
}

static void
test_unique (void)
{
  g_autoptr (Arena) a = arena_new ();
  g_assert_true (arena_alloc (a, 0) != arena_alloc (a, 0));
}

static void
test_large (void)
{
  g_autoptr (Arena) a = arena_new ();
  size_t size = (size_t) 40 * 1024 * 1024;
  char *p = arena_alloc (a, size);
  p[0] = 1;
  p[size - 1] = 1;
  g_assert_cmpuint (arena_used (a), >=, size);
}

static void
test_marks_nest (void)
{
  g_autoptr (Arena) a = arena_new ();
  const char *kept = arena_strdup (a, "kept");
  ArenaMark outer = arena_mark (a);
  arena_alloc (a, 100000);
  ArenaMark inner = arena_mark (a);
  arena_alloc (a, 3000000);
  size_t before = arena_used (a);
  arena_release (a, inner);
  g_assert_cmpuint (arena_used (a), <, before);
  arena_release (a, outer);
  g_assert_cmpstr (kept, ==, "kept");
}

static void
test_mark_of_empty (void)
{
  g_autoptr (Arena) a = arena_new ();
  ArenaMark mark = arena_mark (a);
  arena_alloc (a, 10);
  arena_release (a, mark);
  g_assert_cmpuint (arena_used (a), ==, 0);
}

static void
test_strings (void)
{
  g_autoptr (Arena) a = arena_new ();
  g_assert_cmpstr (arena_strdup (a, ""), ==, "");
  g_assert_cmpstr (arena_strndup (a, "abcdef", 3), ==, "abc");
  g_assert_cmpstr (arena_printf (a, "%s-%d", "x", 7), ==, "x-7");
  int numbers[] = { 1, 2, 3 };
  const int *copy = arena_copy (a, numbers, sizeof (numbers));
  g_assert_cmpmem (copy, sizeof (numbers), numbers, sizeof (numbers));
  g_assert_nonnull (arena_copy (a, NULL, 0));
}

static void
test_free_null (void)
{
  arena_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/arena/zeroed", test_zeroed);
  g_test_add_func ("/base/arena/zeroed-after-release", test_zeroed_after_release);
  g_test_add_func ("/base/arena/aligned", test_aligned);
  g_test_add_func ("/base/arena/unique", test_unique);
  g_test_add_func ("/base/arena/large", test_large);
  g_test_add_func ("/base/arena/marks-nest", test_marks_nest);
  g_test_add_func ("/base/arena/mark-of-empty", test_mark_of_empty);
  g_test_add_func ("/base/arena/strings", test_strings);
  g_test_add_func ("/base/arena/free-null", test_free_null);
  return g_test_run ();
}
