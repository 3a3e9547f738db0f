/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_REPORTS_EXPECT_H
#define PTXMM_REPORTS_EXPECT_H

#include <glib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "reports/verdict.h"

/* Expected verdicts, read from tables.  Two forms are told apart by their first line:
 *
 * TSV with a header naming the columns file, model, property, expected and perhaps others.
 * `file` is relative to the table; "x.test#3" is the third test of a file with several, and
 * stands before "x.test", which is all of them.  Rows of other models are left out; of the
 * properties `assertion` and `termination` the second is not decided, and its rows are counted.
 *
 * CSV without a header, rows "path/from/some/root.litmus,1" with 1 for holds and 0 for fails:
 * a row belongs to the tested file with which it shares the longest end of the path, at least
 * the file's name. */

typedef struct Expectations Expectations;

/* (transfer full): expectations_free. */
Expectations *expectations_new (void);
void expectations_free (Expectations *e);

/* Adds a table's rows for `model`.  `folder` is the absolute path of the folder the table is
 * in. Errors are reported to `diags`; what could be read is kept. */
void expectations_add (Expectations *e, const Source *table, const char *folder,
                       const char *model, Diags *diags);

/* What is expected of test `index` (from 0) of the file with the absolute path `path`. */
Truth expectations_find (const Expectations *e, const char *path, unsigned index);

/* Rows for this file whose property is not decided. */
unsigned expectations_skipped (const Expectations *e, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Expectations, expectations_free)

#endif
