/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <string.h>

#include "reports/layout.h"
#include "reports/report.h"
#include "reports/verdict.h"

/* A test with one observed location x, `exists (x == 1)` unless said otherwise, and what
 * engines might answer about it. */

typedef struct Case {
  Quantifier quantifier;
  const char *exec;   /* outcomes found, a digit each; 'c' complete, 'b' bound reached,
                         't' out of time, 'm' out of memory; NULL: not asked */
  const char *solver; /* likewise */
  Truth expected;
  bool verdict_only;
} Case;

static Program *
new_program (Arena *a, Quantifier quantifier)
{
  Program *p = arena_new_of (a, Program);
  Observed *x = arena_new_of (a, Observed);
  *x = (Observed){ .is_location = true, .bits = 32, .key = "x" };
  p->name = "T";
  p->quantifier = quantifier;
  p->condition_text = "x == 1";
  p->observed = x;
  p->observed_count = 1;
  return p;
}

static void
add_outcome (Arena *a, EngineResult *r, char digit)
{
  Outcome *o = &r->outcomes[r->outcome_count++];
  o->values = arena_new_of (a, uint64_t);
  o->values[0] = (uint64_t) (digit - '0');
  o->satisfies = digit == '1';
  o->executions = 1;
  r->reachable = r->reachable || o->satisfies;
  r->refutable = r->refutable || !o->satisfies;
}

static EngineResult *
new_result (Arena *a, const char *text)
{
  if (text == NULL)
    return NULL;
  EngineResult *r = arena_new_of (a, EngineResult);
  r->outcomes = arena_array (a, Outcome, strlen (text));
  for (const char *c = text; *c != '\0'; c++) {
    if (g_ascii_isdigit (*c))
      add_outcome (a, r, *c);
    r->complete = r->complete || *c == 'c';
    r->bound_reached = r->bound_reached || *c == 'b';
    r->stopped = *c == 't' ? STOP_TIME : *c == 'm' ? STOP_MEMORY : r->stopped;
  }
  return r;
}

static const TestReport *
join (Arena *a, Case c)
{
  VerdictInput in = {
    .program = new_program (a, c.quantifier),
    .file = "t.litmus",
    .expected = c.expected,
    .verdict_only = c.verdict_only,
    .exec = { new_result (a, c.exec), 0.5 },
    .solver = { new_result (a, c.solver), 0.25 },
  };
  return verdict_join (a, &in);
}

/* ---- One verdict from two answers ------------------------------------------------------ */

#define U TRUTH_UNKNOWN
#define N TRUTH_NO
#define Y TRUTH_YES
#define E QUANT_EXISTS
#define X QUANT_NOT_EXISTS
#define A QUANT_FORALL
#define O QUANT_NONE

typedef struct Row {
  const char *name;
  Case in;
  Truth holds;
  Truth reachable;
  Truth agree;
  Status status;
  int exit_status;
  const char *word;
  const char *reason;
} Row;

/* clang-format off */
static const Row rows[] = {
  /* what                         asked, exec, solver, expected         holds reach agree status          exit  word         reason */
  { "exists-reachable",           { E, "01c", "01c", U, false },          Y, Y, Y, STATUS_OK,      0, "allowed",   NULL },
  { "exists-unreachable",         { E, "02c", "02c", U, false },          N, N, Y, STATUS_OK,      0, "forbidden", NULL },
  { "not-exists-reachable",       { X, "01c", "01c", U, false },          N, Y, Y, STATUS_OK,      0, "allowed",   NULL },
  { "not-exists-unreachable",     { X, "0c",  "0c",  U, false },          Y, N, Y, STATUS_OK,      0, "forbidden", NULL },
  { "forall-holds",               { A, "1c",  "1c",  U, false },          Y, Y, Y, STATUS_OK,      0, "holds",     NULL },
  { "forall-fails",               { A, "01c", "01c", U, false },          N, Y, Y, STATUS_OK,      0, "fails",     NULL },
  { "forall-of-nothing",          { A, "c",   "c",   U, false },          Y, N, Y, STATUS_OK,      0, "holds",     NULL },
  { "no-assertion",               { O, "01c", "01c", U, false },          U, Y, Y, STATUS_OK,      0, "-",         NULL },
  { "as-expected",                { E, "01c", "01c", Y, false },          Y, Y, Y, STATUS_OK,      0, "allowed",   NULL },
  { "other-than-expected",        { E, "01c", "01c", N, false },          Y, Y, Y, STATUS_FAIL,    1, "allowed",   NULL },
  /* engines apart */
  { "only-exec-has-outcome",      { E, "012c", "01c", U, false },         Y, Y, N, STATUS_FAIL,    1, "allowed",   NULL },
  { "only-solver-has-outcome",    { E, "01c", "012c", U, false },         Y, Y, N, STATUS_FAIL,    1, "allowed",   NULL },
  { "verdicts-apart",             { E, "0c",  "01c", U, false },          U, U, N, STATUS_FAIL,    1, "unknown",   NULL },
  { "verdicts-apart-expected",    { E, "0c",  "01c", Y, false },          U, U, N, STATUS_FAIL,    1, "unknown",   NULL },
  { "bounds-apart",               { E, "01cb", "01c", U, false },         Y, Y, N, STATUS_FAIL,    1, "allowed",   "bound" },
  /* one cut short */
  { "solver-cut-exec-complete",   { E, "02c", "0t",  U, false },          N, N, U, STATUS_OK,      0, "forbidden", NULL },
  { "exec-cut-solver-complete",   { E, "m",   "01c", U, false },          Y, Y, U, STATUS_OK,      0, "allowed",   NULL },
  { "cut-one-has-impossible",     { E, "02c", "03t", U, false },          N, N, N, STATUS_FAIL,    1, "forbidden", NULL },
  { "cut-one-finds-the-witness",  { E, "02c", "1t",  U, false },          U, U, N, STATUS_FAIL,    1, "unknown",   NULL },
  /* both cut short */
  { "both-cut",                   { E, "0t",  "2m",  U, false },          U, U, U, STATUS_UNKNOWN, 3, "unknown",   "time" },
  { "both-cut-expected",          { E, "0t",  "2m",  Y, false },          U, U, U, STATUS_UNKNOWN, 3, "unknown",   "time" },
  { "both-cut-one-found-it",      { E, "0t",  "1t",  U, false },          Y, Y, U, STATUS_OK,      0, "allowed",   "time" },
  { "both-cut-not-exists-found",  { X, "1t",  "t",   U, false },          N, Y, U, STATUS_OK,      0, "allowed",   "time" },
  { "both-cut-forall-refuted",    { A, "10t", "t",   U, false },          N, Y, U, STATUS_OK,      0, "fails",     "time" },
  { "both-cut-forall-open",       { A, "1t",  "1t",  U, false },          U, Y, U, STATUS_UNKNOWN, 3, "unknown",   "time" },
  { "both-cut-no-assertion",      { O, "1t",  "1t",  U, false },          U, Y, U, STATUS_UNKNOWN, 3, "-",         "time" },
  /* within the bound */
  { "bound-found",                { E, "01cb", "01cb", U, false },        Y, Y, Y, STATUS_OK,      0, "allowed",   "bound" },
  { "bound-not-found",            { E, "0cb", "0cb", U, false },          N, N, Y, STATUS_UNKNOWN, 3, "forbidden", "bound" },
  { "bound-not-found-expected",   { E, "0cb", "0cb", N, false },          N, N, Y, STATUS_OK,      0, "forbidden", "bound" },
  { "bound-not-found-unexpected", { E, "0cb", "0cb", Y, false },          N, N, Y, STATUS_FAIL,    1, "forbidden", "bound" },
  { "bound-forall",               { A, "1cb", "1cb", U, false },          Y, Y, Y, STATUS_UNKNOWN, 3, "holds",     "bound" },
  { "bound-forall-refuted",       { A, "01cb", "01cb", U, false },        N, Y, Y, STATUS_OK,      0, "fails",     "bound" },
  /* one engine alone */
  { "exec-alone",                 { E, "01c", NULL,  U, false },          Y, Y, U, STATUS_OK,      0, "allowed",   NULL },
  { "solver-alone",               { E, NULL,  "0c",  U, false },          N, N, U, STATUS_OK,      0, "forbidden", NULL },
  { "solver-alone-cut",           { E, NULL,  "0m",  U, false },          U, U, U, STATUS_UNKNOWN, 3, "unknown",   "memory" },
  /* stopped at the verdict: outcomes may differ, the verdict may not */
  { "verdict-only",               { E, "1c",  "01c", U, true },           Y, Y, Y, STATUS_OK,      0, "allowed",   NULL },
  { "verdict-only-apart",         { E, "1c",  "0c",  U, true },           U, U, N, STATUS_FAIL,    1, "unknown",   NULL },
  { "verdict-only-forall",        { A, "0c",  "10c", U, true },           N, Y, Y, STATUS_OK,      0, "fails",     NULL },
};
/* clang-format on */

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (Arena) a = arena_new ();
  const TestReport *t = join (a, row->in);
  g_assert_cmpint (t->holds, ==, row->holds);
  g_assert_cmpint (t->reachable, ==, row->reachable);
  g_assert_cmpint (t->agree, ==, row->agree);
  g_assert_cmpint ((t->difference_count > 0), ==, (row->agree == TRUTH_NO));
  g_assert_cmpint (test_status (t), ==, row->status);
  g_assert_cmpstr (test_verdict_word (t), ==, row->word);
  g_assert_cmpstr (t->reason, ==, row->reason);
  g_assert_cmpint (t->complete, ==, (row->reason == NULL));
  ReportTotals totals = { 0 };
  totals_add (&totals, t);
  g_assert_cmpint (totals_exit_status (&totals), ==, row->exit_status);
}

/* ---- What the joined report holds ------------------------------------------------------ */

static void
test_outcomes_are_the_union (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *t = join (a, (Case){ E, "02c", "12c", U, false });
  static const char *const values[] = { "0x0", "0x1", "0x2" };
  g_assert_cmpuint (t->outcome_count, ==, G_N_ELEMENTS (values));
  for (unsigned i = 0; i < t->outcome_count; i++) {
    g_assert_cmpstr (t->outcomes[i].state[0].key, ==, "x");
    g_assert_cmpstr (t->outcomes[i].state[0].value, ==, values[i]);
  }
  const ReportEngine *exec = t->engines->exec;
  const ReportEngine *solver = t->engines->solver;
  g_assert_cmpuint (exec->index_count, ==, 2);
  g_assert_cmpuint (exec->indices[0], ==, 0);
  g_assert_cmpuint (exec->indices[1], ==, 2);
  g_assert_cmpuint (solver->index_count, ==, 2);
  g_assert_cmpuint (solver->indices[0], ==, 1);
  g_assert_cmpuint (solver->indices[1], ==, 2);
}

static void
test_differences_are_named (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *t = join (a, (Case){ E, "012c", "01c", U, false });
  g_assert_cmpuint (t->difference_count, ==, 1);
  g_assert_cmpstr (t->differences[0], ==, "only exec has the outcome x=0x2");
}

static void
test_flags_are_compared_by_kind (void)
{
  g_autoptr (Arena) a = arena_new ();
  RunFlag race = { "data-race", NULL, 0 };
  RunFlag stuck = { "barrier-stuck", NULL, 0 };
  EngineResult *exec = new_result (a, "01c");
  EngineResult *solver = new_result (a, "01c");
  exec->flags = &race;
  exec->flag_count = 1;
  solver->flags = &stuck;
  solver->flag_count = 1;
  VerdictInput in = { .program = new_program (a, E),
                      .file = "t.litmus",
                      .exec = { exec, 0 },
                      .solver = { solver, 0 } };
  const TestReport *t = verdict_join (a, &in);
  g_assert_cmpuint (t->flag_count, ==, 2);
  g_assert_cmpstr (t->flags[0].kind, ==, "barrier-stuck");
  g_assert_cmpstr (t->flags[1].kind, ==, "data-race");
  g_assert_cmpint (t->agree, ==, TRUTH_NO);
  g_assert_cmpuint (t->difference_count, ==, 2);
}

static void
test_objection_is_a_disagreement (void)
{
  g_autoptr (Arena) a = arena_new ();
  const char *const objections[] = { "exec rejects it: coherence" };
  VerdictInput in = { .program = new_program (a, E),
                      .file = "t.litmus",
                      .solver = { new_result (a, "01c"), 0 },
                      .objections = objections,
                      .objection_count = 1 };
  const TestReport *t = verdict_join (a, &in);
  g_assert_cmpint (t->agree, ==, TRUTH_NO);
  g_assert_cmpint (test_status (t), ==, STATUS_FAIL);
}

/* Answers that are equal, but not every execution was put before the other engine. */
static void
test_agreement_needs_every_recheck (void)
{
  g_autoptr (Arena) a = arena_new ();
  VerdictInput in = { .program = new_program (a, E),
                      .file = "t.litmus",
                      .exec = { new_result (a, "01c"), 0 },
                      .solver = { new_result (a, "01c"), 0 },
                      .recheck_cut = true };
  const TestReport *t = verdict_join (a, &in);
  g_assert_cmpint (t->agree, ==, TRUTH_UNKNOWN);
  g_assert_cmpint (t->holds, ==, TRUTH_YES);
}

static void
test_forbidden_by_only_when_forbidden (void)
{
  g_autoptr (Arena) a = arena_new ();
  const char *axioms[] = { "causality" };
  for (unsigned allowed = 0; allowed < 2; allowed++) {
    EngineResult *solver = new_result (a, allowed ? "01c" : "0c");
    solver->forbidden_by = axioms;
    solver->forbidden_by_count = 1;
    VerdictInput in
        = { .program = new_program (a, E), .file = "t.litmus", .solver = { solver, 0 } };
    const TestReport *t = verdict_join (a, &in);
    g_assert_cmpuint (t->forbidden_by_count, ==, allowed ? 0 : 1);
  }
}

/* exec was done and the solver's process ended: exec's answer stands, uncompared. */
static void
test_lost_keeps_what_is_final (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *known = join (a, (Case){ E, "02c", NULL, N, false });
  const TestReport *t = verdict_lost (a, known, "time");
  g_assert_cmpint (test_status (t), ==, STATUS_OK);
  g_assert_cmpint (t->holds, ==, TRUTH_NO);
  g_assert_cmpint (t->agree, ==, TRUTH_UNKNOWN);
  g_assert_null (t->reason);
  g_assert_cmpstr (t->engines->solver->reason, ==, "time");
}

static void
test_lost_is_undecided_otherwise (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *known = join (a, (Case){ E, "02t", NULL, N, false });
  g_assert_cmpint (test_status (verdict_lost (a, known, "memory")), ==, STATUS_UNKNOWN);
  known = verdict_undecided (a, new_program (a, E), NULL, "t.litmus", Y, NULL);
  const TestReport *t = verdict_lost (a, known, "memory");
  g_assert_cmpint (test_status (t), ==, STATUS_UNKNOWN);
  g_assert_cmpstr (t->reason, ==, "memory");
}

static void
test_undecided_for_another_reason (void)
{
  g_autoptr (Arena) a = arena_new ();
  EngineResult *solver = new_result (a, "0c");
  solver->undecided = "too wide";
  VerdictInput in
      = { .program = new_program (a, E), .file = "t.litmus", .solver = { solver, 0 } };
  const TestReport *t = verdict_join (a, &in);
  g_assert_cmpint (t->holds, ==, TRUTH_UNKNOWN);
  g_assert_cmpstr (t->reason, ==, "too wide");
  g_assert_cmpint (test_status (t), ==, STATUS_UNKNOWN);
}

static void
test_errors_have_their_place (void)
{
  g_autoptr (Arena) a = arena_new ();
  const Source source = { "t.litmus", "PTX\n oops", 9 };
  const Diag diag = { DIAG_NOT_MODELLED, { &source, 5, 9 }, "oops: not modelled" };
  const TestReport *t = verdict_error (a, "t", "t.litmus", TRUTH_YES, &diag);
  g_assert_cmpint (t->error->line, ==, 2);
  g_assert_cmpint (t->error->column, ==, 2);
  g_assert_cmpstr (test_verdict_word (t), ==, "not-modelled");
  ReportTotals totals = { 0 };
  totals_add (&totals, t);
  totals_add (&totals, join (a, (Case){ E, "0c", "0c", Y, false }));
  g_assert_cmpint (totals_exit_status (&totals), ==, 2);
}

static void
test_exit_status_prefers_contradictions (void)
{
  g_autoptr (Arena) a = arena_new ();
  ReportTotals totals = { 0 };
  totals_add (&totals, join (a, (Case){ E, "t", "t", U, false }));
  g_assert_cmpint (totals_exit_status (&totals), ==, 3);
  totals_add (&totals, join (a, (Case){ E, "0c", "0c", Y, false }));
  g_assert_cmpint (totals_exit_status (&totals), ==, 1);
  g_assert_cmpuint (totals.undecided, ==, 1);
  g_assert_cmpuint (totals.failed, ==, 1);
}

/* ---- JSON and back --------------------------------------------------------------------- */

static Execution *
message_passing (Arena *a, Program *p)
{
  Execution *x = arena_new_of (a, Execution);
  MemObject *object = arena_new_of (a, MemObject);
  *object = (MemObject){ .name = "x", .size = 4 };
  Thread *thread = arena_array (a, Thread, 2);
  for (unsigned i = 0; i < 2; i++)
    thread[i] = (Thread){ .name = i == 0 ? "P0" : "P1" };
  p->objects = object;
  p->object_count = 1;
  p->threads = thread;
  p->thread_count = 2;
  const Event events[] = {
    { .kind = EVENT_WRITE,
      .thread = -1,
      .insn = -1,
      .is_init = true,
      .mapping = -1,
      .size = 4,
      .phase = -1 },
    { .kind = EVENT_WRITE,
      .thread = 0,
      .insn = -1,
      .sem = SEM_RELAXED,
      .scope = SCOPE_GPU,
      .mapping = -1,
      .size = 4,
      .value = 1,
      .phase = -1 },
    { .kind = EVENT_READ,
      .thread = 1,
      .insn = -1,
      .sem = SEM_WEAK,
      .mapping = -1,
      .size = 4,
      .phase = -1 },
  };
  *x = (Execution){
    .program = p,
    .events = arena_copy (a, events, sizeof events),
    .event_count = G_N_ELEMENTS (events),
    .rf = pairs_from (a, (const Pair[]){ { 0, 2 } }, 1),
    .co = pairs_from (a, (const Pair[]){ { 0, 1 } }, 1),
  };
  return x;
}

static const TestReport *
report_with_everything (Arena *a)
{
  Program *p = new_program (a, E);
  const Execution *x = message_passing (a, p);
  EngineResult *exec = new_result (a, "01c");
  RunFlag *flag = arena_new_of (a, RunFlag);
  *flag = (RunFlag){ "data-race", &x->events[1], 2 };
  exec->outcomes[1].witness = x;
  exec->flags = flag;
  exec->flag_count = 1;
  exec->peak_bytes = 3 << 20;
  VerdictInput in = { .program = p,
                      .file = "a \"b\"\n.litmus",
                      .expected = TRUTH_NO,
                      .exec = { exec, 0.125 },
                      .solver = { new_result (a, "0t"), 1 } };
  return verdict_join (a, &in);
}

/* fr is what the read takes place before: it reads the initial value, which the other write
 * overwrites. */
static void
test_witness_has_from_reads (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *t = report_with_everything (a);
  g_assert_nonnull (t->witness);
  g_assert_cmpuint (t->witness->event_count, ==, 3);
  const ReportRelation *fr = &t->witness->relations[3];
  g_assert_cmpstr (fr->name, ==, "fr");
  g_assert_cmpuint (fr->pairs.count, ==, 1);
  g_assert_cmpuint (fr->pairs.pairs[0].from, ==, 2);
  g_assert_cmpuint (fr->pairs.pairs[0].to, ==, 1);
}

/* For forall the execution to look at is one that breaks it. */
static void
test_witness_of_forall (void)
{
  g_autoptr (Arena) a = arena_new ();
  Program *p = new_program (a, A);
  for (unsigned broken = 0; broken < 2; broken++) {
    EngineResult *exec = new_result (a, "01c");
    exec->outcomes[broken ? 0 : 1].witness = message_passing (a, p);
    VerdictInput in = { .program = p, .file = "t.litmus", .exec = { exec, 0 } };
    g_assert_cmpint ((verdict_join (a, &in)->witness != NULL), ==, broken);
  }
}

static char *
dump (const TestReport *t)
{
  json_t *json = layout_to_json (&test_report_layout, t);
  char *text = json_dumps (json, JSON_SORT_KEYS | JSON_INDENT (1));
  json_decref (json);
  return text;
}

static void
test_json_round_trip (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *t = report_with_everything (a);
  json_t *json = layout_to_json (&test_report_layout, t);
  const TestReport *again = layout_from_json (a, &test_report_layout, json);
  json_decref (json);
  g_assert_nonnull (again);
  char *before = dump (t);
  char *after = dump (again);
  g_assert_cmpstr (before, ==, after);
  free (before);
  free (after);
  g_assert_cmpint (test_status (again), ==, test_status (t));
}

static void
test_json_of_the_wrong_shape (void)
{
  static const char *const texts[] = { "[]", "{}", "{\"test\": 1}", "3" };
  g_autoptr (Arena) a = arena_new ();
  for (unsigned i = 0; i < G_N_ELEMENTS (texts); i++) {
    json_t *json = json_loads (texts[i], JSON_DECODE_ANY, NULL);
    g_assert_null (layout_from_json (a, &test_report_layout, json));
    json_decref (json);
  }
}

/* ---- Formats --------------------------------------------------------------------------- */

static char *
render (const char *format, const TestReport *const *tests, unsigned count, ReportStyle style)
{
  const ReportFormat *f = report_format (format);
  ReportRun run = { .version = "1",
                    .model = "m",
                    .deps = "syntactic",
                    .bound = 2,
                    .started = "2026-01-01T00:00:00Z",
                    .system = "s",
                    .processors = 2,
                    .style = style };
  for (unsigned i = 0; i < count; i++)
    totals_add (&run.totals, tests[i]);
  GString *out = g_string_new (NULL);
  f->begin (out, &run);
  for (unsigned i = 0; i < count; i++)
    f->test (out, &run, tests[i], i);
  f->end (out, &run);
  return g_string_free (out, FALSE);
}

static void
test_text_table (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *tests[] = {
    join (a, (Case){ E, "01c", "01c", Y, false }),
    join (a, (Case){ E, "0c", "0c", Y, false }),
    join (a, (Case){ E, "0t", NULL, U, false }),
  };
  g_autofree char *text = render ("text", tests, 3, (ReportStyle){ .name_width = 3 });
  g_assert_cmpstr (text, ==,
                   "ok       T    allowed    outcomes=2     exec=0.500s solver=0.250s\n"
                   "FAIL     T    forbidden  outcomes=1     exec=0.500s solver=0.250s"
                   "  t.litmus: expected: holds, found: fails\n"
                   "UNKNOWN  T    unknown    outcomes=1     exec=0.500s"
                   "  t.litmus: cut short: time\n"
                   "3 tests: 1 as expected, 1 unexpected, 1 undecided, 0 errors, "
                   "0 disagreements; 0.00 s\n");
  g_autofree char *quiet = render ("text", tests, 1, (ReportStyle){ .quiet = true });
  g_assert_true (g_str_has_prefix (quiet, "1 test: 1 as expected"));
  g_autofree char *verbose = render ("text", tests, 1, (ReportStyle){ .verbose = true });
  g_assert_nonnull (strstr (verbose, "    * x=0x1  (executions: 1)\n"));
}

static void
test_tap_counts_unknown_as_not_ok (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *tests[] = {
    join (a, (Case){ E, "01c", "01c", U, false }),
    join (a, (Case){ E, "t", "t", U, false }),
  };
  g_autofree char *text = render ("tap", tests, 2, (ReportStyle){ 0 });
  g_assert_nonnull (strstr (text, "ok 1 - T: allowed\n"));
  g_assert_nonnull (strstr (text, "not ok 2 - T: unknown\n  ---\n  severity: 'undecided'\n"));
  g_assert_nonnull (strstr (text, "\n1..2\n"));
}

static void
test_junit_is_escaped (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *tests[] = { report_with_everything (a) };
  g_autofree char *text = render ("junit", tests, 1, (ReportStyle){ 0 });
  g_assert_nonnull (strstr (text, "tests=\"1\" failures=\"1\" errors=\"0\""));
  g_assert_nonnull (strstr (text, "classname=\"a &quot;b&quot; .litmus\""));
}

static void
test_json_report_is_sorted (void)
{
  g_autoptr (Arena) a = arena_new ();
  const TestReport *tests[] = { report_with_everything (a), report_with_everything (a) };
  g_autofree char *text = render ("json", tests, 2, (ReportStyle){ 0 });
  json_t *json = json_loads (text, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (json);
  g_assert_cmpstr (json_string_value (json_object_get (json, "schema")), ==, "ptxmm-report/1");
  g_assert_cmpuint (json_array_size (json_object_get (json, "results")), ==, 2);
  const char *key = NULL;
  const char *last = "";
  json_t *value = NULL;
  json_object_foreach (json, key, value)
  {
    g_assert_cmpstr (last, <, key);
    last = key;
  }
  json_decref (json);
  g_autofree char *empty = render ("json", tests, 0, (ReportStyle){ 0 });
  json = json_loads (empty, 0, NULL);
  g_assert_nonnull (json);
  json_decref (json);
}

static void
test_unknown_format (void)
{
  g_assert_null (report_format ("yaml"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = g_strconcat ("/reports/verdict/", rows[i].name, NULL);
    g_test_add_data_func (path, &rows[i], test_row);
  }
  g_test_add_func ("/reports/verdict/outcomes-are-the-union", test_outcomes_are_the_union);
  g_test_add_func ("/reports/verdict/differences-are-named", test_differences_are_named);
  g_test_add_func ("/reports/verdict/flags-by-kind", test_flags_are_compared_by_kind);
  g_test_add_func ("/reports/verdict/objection", test_objection_is_a_disagreement);
  g_test_add_func ("/reports/verdict/every-recheck", test_agreement_needs_every_recheck);
  g_test_add_func ("/reports/verdict/forbidden-by", test_forbidden_by_only_when_forbidden);
  g_test_add_func ("/reports/verdict/lost-final", test_lost_keeps_what_is_final);
  g_test_add_func ("/reports/verdict/lost-open", test_lost_is_undecided_otherwise);
  g_test_add_func ("/reports/verdict/other-reason", test_undecided_for_another_reason);
  g_test_add_func ("/reports/verdict/error-place", test_errors_have_their_place);
  g_test_add_func ("/reports/verdict/exit-status", test_exit_status_prefers_contradictions);
  g_test_add_func ("/reports/witness/from-reads", test_witness_has_from_reads);
  g_test_add_func ("/reports/witness/of-forall", test_witness_of_forall);
  g_test_add_func ("/reports/layout/round-trip", test_json_round_trip);
  g_test_add_func ("/reports/layout/wrong-shape", test_json_of_the_wrong_shape);
  g_test_add_func ("/reports/text/table", test_text_table);
  g_test_add_func ("/reports/tap/unknown-is-not-ok", test_tap_counts_unknown_as_not_ok);
  g_test_add_func ("/reports/junit/escaped", test_junit_is_escaped);
  g_test_add_func ("/reports/json/sorted", test_json_report_is_sorted);
  g_test_add_func ("/reports/unknown-format", test_unknown_format);
  return g_test_run ();
}
