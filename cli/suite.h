/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_SUITE_H
#define PTXMM_CLI_SUITE_H

#include <glib.h>
#include <stdbool.h>

#include "cli/check_options.h"
#include "cli/decide.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "reports/expect.h"
#include "reports/report.h"

/* Deciding files one after the other, in this process or in workers, and showing the results in
 * the order of the files either way. */

typedef struct Slot Slot;

enum { MOST_OUTPUTS = 3 };

typedef struct Suite {
  const CheckOptions *options;
  GPtrArray *files;
  Expectations *expectations; /* NULL: none */
  Decider decider;
  ReportRun run;
  char *z3; /* what run.z3 points to */
  Output outputs[MOST_OUTPUTS];
  unsigned output_count;
  Progress progress;
  Slot *slots;
  unsigned shown; /* files whose results are out */
} Suite;

/* Decides every file and hands the results to the outputs; leaves totals, skipped rows and Z3's
 * version in `run`.  NULL, or what was wrong with the environment.  (transfer full) */
char *suite_run (Suite *s) G_GNUC_WARN_UNUSED_RESULT;

/* The path of a file as given. */
const char *suite_file (const Suite *s, unsigned index);

void suite_clear (Suite *s);

/* The path without links, "." and "..", whether the file exists or not.  (transfer full) */
char *absolute_path (const char *path);

#endif
