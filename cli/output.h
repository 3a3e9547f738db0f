/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_OUTPUT_H
#define PTXMM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/report.h"

/* One report on its way to a file or to standard output.  A file appears under its name only
 * when it is whole: until then the report is in a file without a name, which is gone with the
 * process however that ends. */
typedef struct Output {
  const ReportFormat *format;
  const char *path; /* NULL: standard output */
  FILE *body;       /* standard output, or the file without a name */
  unsigned count;   /* tests written */
  GString *text;
} Output;

/* Messages: (transfer full), NULL when it worked. */
char *output_open (Output *o, const ReportFormat *format, const char *path,
                   const ReportRun *run);
void output_test (Output *o, const ReportRun *run, const TestReport *t);
char *output_close (Output *o, const ReportRun *run);

/* Drops a report that is not to be written after all.  Harmless after output_close. */
void output_abandon (Output *o);

/* Writes a whole file in the same manner. */
char *output_write_file (const char *path, const char *text, size_t length);

#endif
