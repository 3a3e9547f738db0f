/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_REPORTS_REPORT_H
#define PTXMM_REPORTS_REPORT_H

#include <glib.h>
#include <stdbool.h>

#include "reports/verdict.h"

/* What is written of a whole run.  A format is a row of `report_formats`; each turns the same
 * structs into text, appended to a string that the caller writes where it wants. */

typedef struct ReportStyle {
  bool quiet;          /* text: only lines that are not ok, and the summary */
  bool verbose;        /* text: the outcomes under each line */
  bool colour;         /* text */
  unsigned name_width; /* text: of the column of names */
} ReportStyle;

typedef struct ReportRun {
  const char *version;
  const char *z3; /* the solver library's version, or NULL when it was not needed */
  const char *model;
  const char *deps;
  unsigned bound;
  const char *started; /* ISO 8601, UTC */
  const char *system;  /* the machine: operating system and processor */
  unsigned processors;
  double seconds;
  unsigned skipped_rows; /* of expectations, for termination, which is not decided */
  ReportTotals totals;
  ReportStyle style;
} ReportRun;

typedef struct ReportFormat {
  const char *name;
  /* The beginning uses z3, seconds or totals, so it can only be written when all is known. */
  bool begins_with_totals;
  void (*begin) (GString *out, const ReportRun *run);
  void (*test) (GString *out, const ReportRun *run, const TestReport *t, unsigned index);
  void (*end) (GString *out, const ReportRun *run);
} ReportFormat;

/* "text", "tap", "json", "junit"; NULL for other names. */
const ReportFormat *report_format (const char *name);

/* One sentence of what is wrong with or remarkable about a test, or an empty string:
 * expectation missed, engines apart, undecided and why, error.  Appends to `out`. */
void report_append_remark (GString *out, const TestReport *t);

/* "12 tests: 11 as expected, …": the line under a table.  Appends to `out`. */
void report_append_summary (GString *out, const ReportRun *run);

/* "P0:r1=0x1 x=0x2".  Appends to `out`. */
void report_append_state (GString *out, const ReportOutcome *outcome);

/* The formats, each in a file of its own. */
extern const ReportFormat report_text;
extern const ReportFormat report_tap;
extern const ReportFormat report_json;
extern const ReportFormat report_junit;

#endif
