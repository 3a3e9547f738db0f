/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
problem (const char *path)
{
  return g_strdup_printf ("%s: %s", path == NULL ? "standard output" : path,
                          g_strerror (errno));
}

static bool
is_direct (const Output *o)
{
  return o->path == NULL && !o->format->begins_with_totals;
}

static bool
flush_text (Output *o, FILE *file)
{
  bool written = fwrite (o->text->str, 1, o->text->len, file) == o->text->len;
  g_string_truncate (o->text, 0);
  return written;
}

/* True when `path` can be made or replaced; errno says why not. */
static bool
is_writable (const char *path)
{
  struct stat status;
  if (stat (path, &status) == 0 && S_ISDIR (status.st_mode)) {
    errno = EISDIR;
    return false;
  }
  g_autofree char *folder = g_path_get_dirname (path);
  return access (folder, W_OK | X_OK) == 0;
}

char *
output_open (Output *o, const ReportFormat *format, const char *path, const ReportRun *run)
{
  *o = (Output){ .format = format, .path = path };
  if (path != NULL && !is_writable (path))
    return problem (path);
  o->body = is_direct (o) ? stdout : tmpfile ();
  if (o->body == NULL)
    return problem ("temporary file");
  o->text = g_string_new (NULL);
  if (is_direct (o)) {
    format->begin (o->text, run);
    flush_text (o, stdout);
  }
  return NULL;
}

void
output_test (Output *o, const ReportRun *run, const TestReport *t)
{
  o->format->test (o->text, run, t, o->count++);
  flush_text (o, o->body); /* an error stays in the stream until output_close */
}

static bool
copy_stream (FILE *from, FILE *to)
{
  char buffer[65536];
  rewind (from);
  size_t got;
  while ((got = fread (buffer, 1, sizeof buffer, from)) > 0)
    if (fwrite (buffer, 1, got, to) != got)
      return false;
  return !ferror (from);
}

static bool
write_whole (Output *o, const ReportRun *run, FILE *to)
{
  if (o->body != to) {
    o->format->begin (o->text, run);
    if (ferror (o->body) || !flush_text (o, to) || !copy_stream (o->body, to))
      return false;
  }
  o->format->end (o->text, run);
  return flush_text (o, to) && fflush (to) == 0 && !ferror (to);
}

/* ---- Files that appear whole ----------------------------------------------------------- */

typedef struct NewFile {
  const char *path;
  char *temporary; /* NULL: written in place, being a device or a pipe */
  FILE *file;
} NewFile;

static bool
new_file_open (NewFile *n, const char *path)
{
  struct stat status;
  *n = (NewFile){ .path = path };
  if (stat (path, &status) == 0 && !S_ISREG (status.st_mode)) {
    n->file = fopen (path, "we");
    return n->file != NULL;
  }
  n->temporary = g_strconcat (path, ".XXXXXX", NULL);
  int fd = mkstemp (n->temporary);
  if (fd < 0) {
    g_clear_pointer (&n->temporary, g_free);
    return false;
  }
  mode_t mask = umask (0);
  umask (mask);
  fchmod (fd, 0666 & ~mask);
  n->file = fdopen (fd, "w");
  return n->file != NULL;
}

/* Keeps what was written if `good`, and gives back whether all went well. */
static bool
new_file_close (NewFile *n, bool good)
{
  good = n->file != NULL && fclose (n->file) == 0 && good;
  if (n->temporary != NULL) {
    good = good && rename (n->temporary, n->path) == 0;
    int error = errno;
    if (!good)
      unlink (n->temporary);
    errno = error;
  }
  g_free (n->temporary);
  return good;
}

char *
output_close (Output *o, const ReportRun *run)
{
  bool good = false;
  if (o->path == NULL) {
    good = write_whole (o, run, stdout);
  } else {
    NewFile n;
    good = new_file_open (&n, o->path) && write_whole (o, run, n.file);
    good = new_file_close (&n, good);
  }
  char *error = good ? NULL : problem (o->path);
  output_abandon (o);
  return error;
}

void
output_abandon (Output *o)
{
  if (o->body != NULL && o->body != stdout)
    fclose (o->body);
  o->body = NULL;
  if (o->text != NULL)
    g_string_free (o->text, TRUE);
  o->text = NULL;
}

char *
output_write_file (const char *path, const char *text, size_t length)
{
  NewFile n;
  bool good = new_file_open (&n, path) && fwrite (text, 1, length, n.file) == length;
  return new_file_close (&n, good) ? NULL : problem (path);
}
