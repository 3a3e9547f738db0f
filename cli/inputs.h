/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_INPUTS_H
#define PTXMM_CLI_INPUTS_H

#include <glib.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

/* Files named on the command line, and reading them. */

enum { LARGEST_INPUT = 16 * 1024 * 1024 };

/* Expands operands into files: a file as it is, a folder into the *.litmus and *.test files
 * below it (sorted by their paths' bytes, names that begin with a dot left out), @LIST into the
 * operands that the file LIST names, one a line.  Paths are as given.  Lists and folders that
 * cannot be read and folders without tests are reported to `errors` (a message each) and the
 * rest goes on; that a file cannot be read is found when it is.  (transfer full) */
GPtrArray *inputs_expand (const GPtrArray *operands, GPtrArray *errors);

/* Reads a whole file into `a`.  NULL with a message in `*error` (in `a`) when it cannot be read
 * or is larger than LARGEST_INPUT. */
const Source *inputs_read (Arena *a, const char *path, const char **error);

/* The path without folders and without the extension.  In `a`. */
const char *inputs_stem (Arena *a, const char *path);

/* The messages as they are printed, warnings left out if `quiet`. */
void inputs_append_diags (GString *out, const Diags *diags, bool quiet);

#endif
