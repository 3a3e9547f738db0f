/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_TESTS_PARSE_HELPERS_H
#define PTXMM_TESTS_PARSE_HELPERS_H

#include <glib.h>
#include <string.h>

#include "litmus/frontend.h"
#include "litmus/litmus_parse.h"
#include "litmus/print.h"

/* A text with what reading it takes and gives. */
typedef struct Reading {
  Arena *arena;
  Diags *diags;
  Source source;
  const Program *program; /* the first one, or NULL */
  const Program **programs;
  unsigned count;
} Reading;

static inline Reading *
read_bytes (const char *name, const char *text, size_t length)
{
  Reading *r = g_new0 (Reading, 1);
  r->arena = arena_new ();
  r->diags = diags_new (r->arena);
  r->source = (Source){ arena_strdup (r->arena, name), arena_strndup (r->arena, text, length),
                        length };
  r->programs = frontend_parse (r->arena, &r->source, r->diags, &r->count);
  r->program = r->programs == NULL ? NULL : r->programs[0];
  return r;
}

static inline void
reading_free (Reading *r)
{
  arena_free (r->arena);
  g_free (r);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

/* All messages, one after the other.  (transfer full) */
static inline char *
reading_messages (const Reading *r)
{
  GString *out = g_string_new (NULL);
  for (unsigned i = 0; i < diags_count (r->diags); i++) {
    g_autofree char *text = diag_format (diags_get (r->diags, i));
    g_string_append (out, text);
  }
  return g_string_free (out, FALSE);
}

/* A program without a message, or the test fails with the messages. */
static inline Reading *
read_good (const char *name, const char *text, size_t length)
{
  Reading *r = read_bytes (name, text, length);
  g_autofree char *messages = reading_messages (r);
  g_assert_cmpstr (messages, ==, "");
  g_assert_nonnull (r->program);
  return r;
}

static inline Reading *
read_litmus (const char *text)
{
  return read_good ("t.litmus", text, strlen (text));
}

/* A test of one thread around these initial values, instructions and question. */
static inline Reading *
read_thread (const char *init, const char *insns, const char *question)
{
  g_autofree char *text
      = g_strdup_printf ("PTX t\n{\n%s\n}\n P0@cta 0,gpu 0 ;\n%s\n%s\n", init, insns, question);
  return read_litmus (text);
}

static inline int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Calls `visit` for each file below `folder` with this suffix; sorted, so that two
 * runs do the same. */
static inline unsigned
for_each_file (const char *folder, const char *suffix, void (*visit) (const char *path))
{
  unsigned found = 0;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (unsigned i = 0; i < names->len; i++) {
    const char *path = g_ptr_array_index (names, i);
    if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      found += for_each_file (path, suffix, visit);
    } else if (g_str_has_suffix (path, suffix)) {
      visit (path);
      found++;
    }
  }
  return found;
}

#endif
