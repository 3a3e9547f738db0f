/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST_LIST = 8 };

typedef struct Expansion {
  GPtrArray *files;
  GPtrArray *errors;
} Expansion;

static void
fail (Expansion *x, const char *path, const char *message)
{
  g_ptr_array_add (x->errors, g_strdup_printf ("%s: %s", path, message));
}

static bool
is_test_name (const char *name)
{
  return g_str_has_suffix (name, ".litmus") || g_str_has_suffix (name, ".test");
}

static int
compare_names (gconstpointer x, gconstpointer y)
{
  return strcmp (*(const char *const *) x, *(const char *const *) y);
}

static GPtrArray *
folder_names (Expansion *x, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  if (dir == NULL) {
    fail (x, folder, g_strerror (errno));
    return NULL;
  }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    if (name[0] != '.')
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* Links to folders are not followed, so that a link to a folder above ends. */
static void
expand_folder (Expansion *x, const char *folder)
{
  g_autoptr (GPtrArray) names = folder_names (x, folder);
  for (guint i = 0; names != NULL && i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    bool slash = g_str_has_suffix (folder, "/");
    g_autofree char *path = g_strconcat (folder, slash ? "" : "/", name, NULL);
    struct stat link;
    if (lstat (path, &link) != 0)
      fail (x, path, g_strerror (errno));
    else if (S_ISDIR (link.st_mode))
      expand_folder (x, path);
    else if (is_test_name (name))
      g_ptr_array_add (x->files, g_steal_pointer (&path));
  }
}

static void expand_operand (Expansion *x, const char *operand, unsigned depth);

static void
expand_list (Expansion *x, const char *path, unsigned depth)
{
  g_autoptr (Arena) arena = arena_new ();
  const char *error = NULL;
  const Source *list = depth < DEEPEST_LIST ? inputs_read (arena, path, &error) : NULL;
  if (list == NULL) {
    fail (x, path, error != NULL ? error : "lists name lists too deep");
    return;
  }
  g_auto (GStrv) lines = g_strsplit (list->text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    g_strstrip (*line);
    if (**line != '\0' && **line != '#')
      expand_operand (x, *line, depth + 1);
  }
}

static void
expand_operand (Expansion *x, const char *operand, unsigned depth)
{
  struct stat status;
  if (operand[0] == '@') {
    expand_list (x, operand + 1, depth);
  } else if (stat (operand, &status) == 0 && S_ISDIR (status.st_mode)) {
    guint before = x->files->len;
    guint errors = x->errors->len;
    expand_folder (x, operand);
    if (x->files->len == before && x->errors->len == errors)
      fail (x, operand, "no *.litmus or *.test file in this folder");
  } else {
    g_ptr_array_add (x->files, g_strdup (operand));
  }
}

GPtrArray *
inputs_expand (const GPtrArray *operands, GPtrArray *errors)
{
  Expansion x = { g_ptr_array_new_with_free_func (g_free), errors };
  for (guint i = 0; i < operands->len; i++)
    expand_operand (&x, g_ptr_array_index (operands, i), 0);
  return x.files;
}

/* ---- Reading --------------------------------------------------------------------------- */

/* Reads until the end or the limit, as the size of a pipe is not known before. */
static ssize_t
read_all (int fd, char *buffer, size_t capacity)
{
  size_t length = 0;
  while (length < capacity) {
    ssize_t got = read (fd, buffer + length, capacity - length);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    length += (size_t) got;
  }
  return (ssize_t) length;
}

/* The size a file says it has; a device or pipe may have anything up to the limit. */
static const char *
file_capacity (int fd, size_t *capacity)
{
  struct stat status;
  if (fstat (fd, &status) != 0)
    return g_strerror (errno);
  if (S_ISDIR (status.st_mode))
    return g_strerror (EISDIR);
  if (S_ISREG (status.st_mode) && status.st_size > LARGEST_INPUT)
    return "larger than 16 MiB";
  *capacity = S_ISREG (status.st_mode) ? (size_t) status.st_size : (size_t) LARGEST_INPUT;
  return NULL;
}

static const Source *
read_open_file (Arena *a, const char *path, int fd, const char **error)
{
  size_t capacity = 0;
  *error = file_capacity (fd, &capacity);
  if (*error != NULL)
    return NULL;
  char *text = arena_alloc (a, capacity + 2); /* one more, to see that it goes on; and a NUL */
  ssize_t length = read_all (fd, text, capacity + 1);
  if (length < 0) {
    *error = g_strerror (errno);
    return NULL;
  }
  if ((size_t) length > capacity) {
    *error = "larger than 16 MiB, or growing while it is read";
    return NULL;
  }
  Source *source = arena_new_of (a, Source);
  *source = (Source){ path, text, (size_t) length };
  return source;
}

const Source *
inputs_read (Arena *a, const char *path, const char **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    *error = arena_strdup (a, g_strerror (errno));
    return NULL;
  }
  const Source *source = read_open_file (a, path, fd, error);
  close (fd);
  return source;
}

const char *
inputs_stem (Arena *a, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  char *dot = strrchr (name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return arena_strdup (a, name);
}

void
inputs_append_diags (GString *messages, const Diags *diags, bool quiet)
{
  for (unsigned i = 0; i < diags_count (diags); i++) {
    const Diag *diag = diags_get (diags, i);
    if (quiet && diag->kind == DIAG_WARNING)
      continue;
    g_autofree char *text = diag_format (diag);
    g_string_append (messages, text);
  }
}
