/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report.h"

#include <string.h>

static const ReportFormat *const formats[]
    = { &report_text, &report_tap, &report_json, &report_junit };

const ReportFormat *
report_format (const char *name)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i]->name, name) == 0)
      return formats[i];
  return NULL;
}

static void
append_error (GString *out, const ReportError *e)
{
  g_string_append (out, e->file);
  if (e->line >= 0)
    g_string_append_printf (out, ":%d:%d", (int) e->line, (int) e->column);
  g_string_append_printf (out, ": %s", e->message);
}

static void
append_differences (GString *out, const TestReport *t)
{
  g_string_append_printf (out, "%s: engines disagree: ", t->file);
  if (t->difference_count > 0)
    g_string_append (out, t->differences[0]);
  if (t->difference_count > 1)
    g_string_append_printf (out, " (and %u more)", t->difference_count - 1);
}

/* An answer of one engine alone where two were asked. */
static void
append_cut_engine (GString *out, const ReportEngines *engines)
{
  if (engines->exec == NULL || engines->solver == NULL)
    return;
  if (engines->exec->reason != NULL)
    g_string_append_printf (out, "not compared: exec cut short: %s", engines->exec->reason);
  else if (engines->solver->reason != NULL)
    g_string_append_printf (out, "not compared: solver cut short: %s", engines->solver->reason);
}

void
report_append_remark (GString *out, const TestReport *t)
{
  if (t->error != NULL)
    append_error (out, t->error);
  else if (t->agree == TRUTH_NO)
    append_differences (out, t);
  else if (t->as_expected == TRUTH_NO)
    g_string_append_printf (out, "%s: expected: %s, found: %s", t->file,
                            t->expected == TRUTH_YES ? "holds" : "fails",
                            t->holds == TRUTH_YES ? "holds" : "fails");
  else if (!t->complete && t->reason != NULL && strcmp (t->reason, "bound") == 0)
    g_string_append (out, t->final ? "" : "within the bound");
  else if (!t->complete)
    g_string_append_printf (out, "%s: cut short: %s", t->file,
                            t->reason == NULL ? "unknown reason" : t->reason);
  else
    append_cut_engine (out, t->engines);
}

static void
append_count (GString *out, unsigned count, const char *what)
{
  g_string_append_printf (out, ", %u %s", count, what);
}

void
report_append_summary (GString *out, const ReportRun *run)
{
  const ReportTotals *n = &run->totals;
  g_string_append_printf (out, "%u test%s: %u as expected", n->tests, n->tests == 1 ? "" : "s",
                          n->as_expected);
  append_count (out, n->unexpected, "unexpected");
  append_count (out, n->undecided, "undecided");
  append_count (out, n->errors, n->errors == 1 ? "error" : "errors");
  append_count (out, n->disagreements,
                n->disagreements == 1 ? "disagreement" : "disagreements");
  if (run->skipped_rows > 0)
    append_count (out, run->skipped_rows, "termination rows skipped");
  g_string_append_printf (out, "; %.2f s\n", run->seconds);
}

void
report_append_state (GString *out, const ReportOutcome *outcome)
{
  if (outcome->state_count == 0)
    g_string_append (out, "(nothing observed)");
  for (unsigned i = 0; i < outcome->state_count; i++)
    g_string_append_printf (out, "%s%s=%s", i == 0 ? "" : " ", outcome->state[i].key,
                            outcome->state[i].value);
}
