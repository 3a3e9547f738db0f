/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report.h"

/* JUnit's XML, as continuous integration servers read it: a contradiction is a failure; what is
 * undecided or could not be read is an error. */

static void
append_attribute (GString *out, const char *name, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);
  g_string_append_printf (out, " %s=\"%s\"", name, escaped);
}

static double
test_seconds (const TestReport *t)
{
  double seconds = t->engines->exec == NULL ? 0 : t->engines->exec->seconds;
  return seconds + (t->engines->solver == NULL ? 0 : t->engines->solver->seconds);
}

static void
append_problem (GString *out, const TestReport *t, const char *element, const char *type)
{
  g_autoptr (GString) remark = g_string_new (NULL);
  report_append_remark (remark, t);
  g_string_append_printf (out, "      <%s", element);
  append_attribute (out, "type", type);
  append_attribute (out, "message", remark->str);
  g_string_append (out, "/>\n");
}

static void
append_outcome_list (GString *out, const TestReport *t)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (unsigned i = 0; i < t->outcome_count; i++) {
    report_append_state (text, &t->outcomes[i]);
    g_string_append_c (text, '\n');
  }
  g_autofree char *escaped = g_markup_escape_text (text->str, -1);
  g_string_append_printf (out, "      <system-out>%s</system-out>\n", escaped);
}

static void
junit_begin (GString *out, const ReportRun *run)
{
  const ReportTotals *n = &run->totals;
  unsigned errors = n->errors + n->undecided;
  g_string_append_printf (out,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<testsuites>\n"
                          "  <testsuite name=\"ptxmm\" tests=\"%u\" failures=\"%u\" "
                          "errors=\"%u\" time=\"%.3f\"",
                          n->tests, n->failed, errors, run->seconds);
  append_attribute (out, "timestamp", run->started);
  g_string_append (out, ">\n");
}

static void
junit_test (GString *out, const ReportRun *run, const TestReport *t, unsigned index)
{
  (void) run;
  (void) index;
  g_string_append (out, "    <testcase");
  append_attribute (out, "classname", t->file);
  append_attribute (out, "name", t->test);
  g_string_append_printf (out, " time=\"%.3f\">\n", test_seconds (t));
  switch (test_status (t)) {
  case STATUS_OK:
    break;
  case STATUS_FAIL:
    append_problem (out, t, "failure", t->agree == TRUTH_NO ? "disagreement" : "unexpected");
    break;
  case STATUS_UNKNOWN:
    append_problem (out, t, "error", "undecided");
    break;
  case STATUS_ERROR:
    append_problem (out, t, "error", test_verdict_word (t));
    break;
  }
  append_outcome_list (out, t);
  g_string_append (out, "    </testcase>\n");
}

static void
junit_end (GString *out, const ReportRun *run)
{
  (void) run;
  g_string_append (out, "  </testsuite>\n</testsuites>\n");
}

const ReportFormat report_junit = { "junit", true, junit_begin, junit_test, junit_end };
