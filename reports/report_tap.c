/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report.h"

/* The Test Anything Protocol, version 13: for prove and other harnesses.  What is undecided or
 * could not be read is "not ok" like what is wrong; the diagnostic says which. */

static const char *
severity (Status status)
{
  switch (status) {
  case STATUS_OK:
    return "pass";
  case STATUS_FAIL:
    return "fail";
  case STATUS_UNKNOWN:
    return "undecided";
  case STATUS_ERROR:
    return "error";
  }
  g_assert_not_reached ();
}

/* A '#' would start a directive. */
static void
append_escaped (GString *out, const char *text)
{
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '#' || *c == '\\')
      g_string_append_c (out, '\\');
    g_string_append_c (out, *c);
  }
}

/* In YAML's single quotes a quote is doubled and nothing else is special. */
static void
append_entry (GString *out, const char *key, const char *text)
{
  g_string_append_printf (out, "  %s: '", key);
  for (const char *c = text; *c != '\0'; c++)
    g_string_append (out, *c == '\'' ? "''" : (char[]){ *c, '\0' });
  g_string_append (out, "'\n");
}

static void
tap_begin (GString *out, const ReportRun *run)
{
  (void) run;
  g_string_append (out, "TAP version 13\n");
}

static void
append_diagnostic (GString *out, const TestReport *t, Status status)
{
  g_autoptr (GString) remark = g_string_new (NULL);
  report_append_remark (remark, t);
  g_string_append (out, "  ---\n");
  append_entry (out, "severity", severity (status));
  append_entry (out, "file", t->file);
  append_entry (out, "message", remark->str);
  g_string_append (out, "  ...\n");
}

static void
tap_test (GString *out, const ReportRun *run, const TestReport *t, unsigned index)
{
  (void) run;
  Status status = test_status (t);
  g_string_append_printf (out, "%s %u - ", status == STATUS_OK ? "ok" : "not ok", index + 1);
  append_escaped (out, t->test);
  g_string_append_printf (out, ": %s\n", test_verdict_word (t));
  if (status != STATUS_OK)
    append_diagnostic (out, t, status);
}

static void
tap_end (GString *out, const ReportRun *run)
{
  g_string_append_printf (out, "1..%u\n# ", run->totals.tests);
  report_append_summary (out, run);
}

const ReportFormat report_tap = { "tap", false, tap_begin, tap_test, tap_end };
