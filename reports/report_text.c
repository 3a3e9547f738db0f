/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report.h"

/* The table on standard output: a line a test, aligned, then a summary. */

static const struct {
  const char *word;
  const char *colour; /* an SGR parameter */
} statuses[] = {
  [STATUS_OK] = { "ok", "32" },
  [STATUS_FAIL] = { "FAIL", "31" },
  [STATUS_UNKNOWN] = { "UNKNOWN", "33" },
  [STATUS_ERROR] = { "UNKNOWN", "31" },
};

enum { STATUS_WIDTH = 7, VERDICT_WIDTH = 9, COUNT_WIDTH = 4 };

static void
append_status (GString *out, Status status, bool colour)
{
  if (colour)
    g_string_append_printf (out, "\033[%sm", statuses[status].colour);
  g_string_append_printf (out, "%-*s", STATUS_WIDTH, statuses[status].word);
  if (colour)
    g_string_append (out, "\033[0m");
}

/* printf pads by bytes, so the padding is added by characters here. */
static void
append_padded (GString *out, const char *text, unsigned width)
{
  g_string_append (out, text);
  for (glong n = g_utf8_strlen (text, -1); n < (glong) width; n++)
    g_string_append_c (out, ' ');
}

static void
append_times (GString *out, const ReportEngines *engines)
{
  const char *space = "  ";
  if (engines->exec != NULL) {
    g_string_append_printf (out, "%sexec=%.3fs", space, engines->exec->seconds);
    space = " ";
  }
  if (engines->solver != NULL)
    g_string_append_printf (out, "%ssolver=%.3fs", space, engines->solver->seconds);
}

static void
append_flags (GString *out, const TestReport *t)
{
  for (unsigned i = 0; i < t->flag_count; i++)
    g_string_append_printf (out, "%s%s", i == 0 ? "  [" : ", ", t->flags[i].kind);
  if (t->flag_count > 0)
    g_string_append_c (out, ']');
}

static void
append_outcomes (GString *out, const TestReport *t)
{
  for (unsigned i = 0; i < t->outcome_count; i++) {
    const ReportOutcome *o = &t->outcomes[i];
    g_string_append (out, o->satisfies ? "    * " : "      ");
    report_append_state (out, o);
    if (o->executions >= 0)
      g_string_append_printf (out, "  (executions: %" G_GINT64_FORMAT ")", o->executions);
    g_string_append_c (out, '\n');
  }
}

static void
text_begin (GString *out, const ReportRun *run)
{
  (void) out;
  (void) run;
}

static void
text_test (GString *out, const ReportRun *run, const TestReport *t, unsigned index)
{
  (void) index;
  Status status = test_status (t);
  if (run->style.quiet && status == STATUS_OK)
    return;
  append_status (out, status, run->style.colour);
  g_string_append (out, "  ");
  append_padded (out, t->test, run->style.name_width);
  g_string_append (out, "  ");
  if (t->error != NULL) {
    append_padded (out, test_verdict_word (t), VERDICT_WIDTH);
  } else {
    append_padded (out, test_verdict_word (t), VERDICT_WIDTH);
    g_string_append_printf (out, "  outcomes=%-*u", COUNT_WIDTH, t->outcome_count);
    append_times (out, t->engines);
    append_flags (out, t);
  }
  g_autoptr (GString) remark = g_string_new (NULL);
  report_append_remark (remark, t);
  if (remark->len > 0)
    g_string_append_printf (out, "  %s", remark->str);
  g_string_append_c (out, '\n');
  if (run->style.verbose)
    append_outcomes (out, t);
}

static void
text_end (GString *out, const ReportRun *run)
{
  report_append_summary (out, run);
}

const ReportFormat report_text = { "text", false, text_begin, text_test, text_end };
