/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>

#include "reports/layout.h"
#include "reports/report.h"

/* The JSON report, "ptxmm-report/1", described by schema-1.json beside this file.  Members are
 * sorted and every result stands on a line of its own.  It is written piece by piece, so that a
 * long run needs no memory for the whole. */

enum { REAL_DIGITS = 6 };

static const size_t dump_flags
    = JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION (REAL_DIGITS);

/* Takes `value`. */
static void
append_value (GString *out, json_t *value)
{
  char *text = json_dumps (value, dump_flags);
  g_assert (text != NULL);
  g_string_append (out, text);
  free (text);
  json_decref (value);
}

static void
append_member (GString *out, const char *key, json_t *value, const char *after)
{
  g_string_append_printf (out, "\"%s\": ", key);
  append_value (out, value);
  g_string_append (out, after);
}

static json_t *
totals_to_json (const ReportRun *run)
{
  const ReportTotals *n = &run->totals;
  return json_pack ("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f}", "tests", (int) n->tests,
                    "as_expected", (int) n->as_expected, "unexpected", (int) n->unexpected,
                    "undecided", (int) n->undecided, "errors", (int) n->errors, "disagreements",
                    (int) n->disagreements, "skipped_rows", (int) run->skipped_rows, "seconds",
                    run->seconds);
}

static void
json_begin (GString *out, const ReportRun *run)
{
  g_string_append (out, "{");
  append_member (out, "bound", json_integer (run->bound), ",\n");
  append_member (out, "deps", json_string (run->deps), ",\n");
  append_member (
      out, "machine",
      json_pack ("{s:s, s:i}", "system", run->system, "processors", (int) run->processors),
      ",\n");
  append_member (out, "model", json_string (run->model), ",\n");
  g_string_append (out, "\"results\": [");
}

static void
json_test (GString *out, const ReportRun *run, const TestReport *t, unsigned index)
{
  (void) run;
  g_string_append (out, index == 0 ? "\n" : ",\n");
  append_value (out, layout_to_json (&test_report_layout, t));
}

static void
json_end (GString *out, const ReportRun *run)
{
  g_string_append (out, "],\n");
  append_member (out, "schema", json_string ("ptxmm-report/1"), ",\n");
  append_member (out, "seconds", json_real (run->seconds), ",\n");
  append_member (out, "started", json_string (run->started), ",\n");
  append_member (out, "summary", totals_to_json (run), ",\n");
  append_member (
      out, "tool",
      json_pack ("{s:s, s:s, s:s?}", "name", "ptxmm", "version", run->version, "z3", run->z3),
      "}\n");
}

const ReportFormat report_json = { "json", false, json_begin, json_test, json_end };
