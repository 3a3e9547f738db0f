/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite.h"

#include <stdlib.h>
#include <string.h>

#include "cli/inputs.h"
#include "cli/pool.h"
#include "cli/wire.h"
#include "litmus/frontend.h"

/* What workers handed in for a file that cannot be shown yet, as earlier ones are not done. */
struct Slot {
  GPtrArray *texts; /* of NUL-terminated text, see wire_layout */
  bool done;
};

const char *
suite_file (const Suite *s, unsigned index)
{
  return g_ptr_array_index (s->files, index);
}

char *
absolute_path (const char *path)
{
  char *resolved = realpath (path, NULL);
  if (resolved == NULL)
    return g_canonicalize_filename (path, NULL);
  char *copy = g_strdup (resolved);
  free (resolved);
  return copy;
}

static Truth
expected_of (const Suite *s, unsigned file, unsigned test)
{
  if (s->expectations == NULL)
    return TRUTH_UNKNOWN;
  g_autofree char *path = absolute_path (suite_file (s, file));
  return expectations_find (s->expectations, path, test);
}

/* ---- Showing results ------------------------------------------------------------------- */

static void
show_result (Suite *s, const TestReport *t, const char *messages)
{
  progress_clear (&s->progress);
  if (messages != NULL)
    fputs (messages, stderr);
  totals_add (&s->run.totals, t);
  s->progress.not_ok += test_status (t) != STATUS_OK;
  for (unsigned i = 0; i < s->output_count; i++)
    output_test (&s->outputs[i], &s->run, t);
}

static void
finish_file (Suite *s, unsigned file)
{
  if (s->expectations != NULL) {
    g_autofree char *path = absolute_path (suite_file (s, file));
    s->run.skipped_rows += expectations_skipped (s->expectations, path);
  }
  s->progress.done++;
  progress_draw (&s->progress);
}

/* ---- Deciding a file ------------------------------------------------------------------- */

/* Where the results of a file's tests go, in order: straight out, or to the parent process. */
typedef struct Sink {
  void *ctx;
  /* Before a test is decided and while it is, what is known of it; may be NULL. */
  void (*begin) (void *ctx, const TestReport *known);
  /* `messages` are for standard error, or NULL. */
  void (*result) (void *ctx, const TestReport *t, const char *messages);
} Sink;

/* Writes the problem of a test to DIR/PATH.smt2, where PATH is that of the input with its
 * slashes replaced, and the test's number when the file has several. */
static char *
write_smt2 (const Suite *s, const char *file, unsigned test, unsigned count,
            const GString *text)
{
  while (g_str_has_prefix (file, "./") || g_str_has_prefix (file, "/"))
    file += file[0] == '/' ? 1 : 2;
  const char *dot = strrchr (file, '.');
  size_t length
      = dot != NULL && strchr (dot, '/') == NULL ? (size_t) (dot - file) : strlen (file);
  g_autofree char *name = g_strndup (file, length);
  g_strdelimit (name, "/", '_');
  g_autofree char *number = count > 1 ? g_strdup_printf ("_%u", test + 1) : g_strdup ("");
  g_autofree char *path = g_strdup_printf ("%s/%s%s.smt2", s->options->smt2, name, number);
  return output_write_file (path, text->str, text->len);
}

static void
append_line (GString *messages, char *line)
{
  if (line != NULL)
    g_string_append_printf (messages, "ptxmm check: %s\n", line);
  g_free (line);
}

static void
check_test (Suite *s, unsigned file, const Program *program, unsigned test, unsigned count,
            const Sink *sink, GString *messages)
{
  const char *path = suite_file (s, file);
  g_autoptr (Arena) arena = arena_new ();
  Truth expected = expected_of (s, file, test);
  if (sink->begin != NULL)
    sink->begin (sink->ctx, verdict_undecided (arena, program, NULL, path, expected, NULL));
  g_autoptr (GString) smt2 = s->options->smt2 == NULL ? NULL : g_string_new (NULL);
  const DecideListener listener = { sink->ctx, sink->begin };
  const TestReport *t = decide (&s->decider, arena, program, path, expected, smt2,
                                sink->begin == NULL ? NULL : &listener);
  if (smt2 != NULL)
    append_line (messages, write_smt2 (s, path, test, count, smt2));
  sink->result (sink->ctx, t, messages->str);
  g_string_truncate (messages, 0);
}

static void
report_error (Suite *s, Arena *arena, unsigned file, const Diag *diag, const Sink *sink,
              const char *messages)
{
  const char *path = suite_file (s, file);
  const TestReport *t
      = verdict_error (arena, inputs_stem (arena, path), path, expected_of (s, file, 0), diag);
  sink->result (sink->ctx, t, messages);
}

static const Diag *
first_error (const Diags *diags)
{
  for (unsigned i = 0; i < diags_count (diags); i++)
    if (diags_get (diags, i)->kind != DIAG_WARNING)
      return diags_get (diags, i);
  return NULL;
}

/* The tests of one file, from number `first` on. */
static void
check_file (Suite *s, unsigned file, unsigned first, const Sink *sink)
{
  const char *path = suite_file (s, file);
  g_autoptr (Arena) arena = arena_new ();
  g_autoptr (GString) messages = g_string_new (NULL);
  Diags *diags = diags_new (arena);
  const char *unreadable = NULL;
  const Source *source = inputs_read (arena, path, &unreadable);
  unsigned count = 0;
  const Program **programs = NULL;
  Source nowhere = { path, NULL, 0 };
  if (source == NULL)
    diags_add (diags, DIAG_ERROR, (Span){ &nowhere, 0, 0 }, "%s", unreadable);
  else
    programs = frontend_parse (arena, source, diags, &count);
  if (programs != NULL && count == 0 && diags_error_count (diags) == 0)
    diags_add (diags, DIAG_ERROR, (Span){ &nowhere, 0, 0 }, "no test in this file");
  inputs_append_diags (messages, diags, s->options->quiet);
  const Diag *error = first_error (diags);
  if (error != NULL) {
    report_error (s, arena, file, error, sink, messages->str);
    return;
  }
  g_assert (programs != NULL);
  for (unsigned i = first; i < count; i++)
    check_test (s, file, programs[i], i, count, sink, messages);
}

/* ---- In this process ------------------------------------------------------------------- */

static void
direct_result (void *ctx, const TestReport *t, const char *messages)
{
  show_result (ctx, t, messages);
}

static char *
run_here (Suite *s)
{
  char *error = NULL;
  const Sink sink = { s, NULL, direct_result };
  if (!decider_prepare (&s->decider, &error))
    return error;
  for (unsigned i = 0; i < s->files->len; i++) {
    check_file (s, i, 0, &sink);
    finish_file (s, i);
  }
  if (s->decider.solver != NULL)
    s->z3 = g_strdup (solver_version (s->decider.solver));
  return NULL;
}

/* ---- In worker processes --------------------------------------------------------------- */

typedef struct WorkerSink {
  Suite *suite;
  PoolPort *port;
} WorkerSink;

static void
send_wire (WorkerSink *w, const TestReport *t, const char *messages,
           void (*post) (PoolPort *, const char *, size_t))
{
  pool_pause (w->port);
  const Solver *solver = w->suite->decider.solver;
  Wire wire = { t, messages, solver == NULL ? NULL : solver_version (solver) };
  char *text = wire_encode (&wire);
  post (w->port, text, strlen (text));
  free (text);
}

static void
worker_begin (void *ctx, const TestReport *known)
{
  send_wire (ctx, known, NULL, pool_begin);
}

static void
worker_result (void *ctx, const TestReport *t, const char *messages)
{
  send_wire (ctx, t, messages, pool_result);
}

static void
worker_prepare (void *ctx, PoolPort *port)
{
  Suite *s = ctx;
  char *error = NULL;
  if (!decider_prepare (&s->decider, &error))
    pool_fatal (port, error);
}

static void
worker_work (void *ctx, unsigned job, unsigned first, PoolPort *port)
{
  WorkerSink worker = { ctx, port };
  const Sink sink = { &worker, worker_begin, worker_result };
  check_file (ctx, job, first, &sink);
}

static void
keep_text (Suite *s, unsigned job, char *text)
{
  Slot *slot = &s->slots[job];
  if (slot->texts == NULL)
    slot->texts = g_ptr_array_new_with_free_func (free);
  g_ptr_array_add (slot->texts, text);
}

static void
pool_result_in (void *ctx, unsigned job, unsigned step, const char *text, size_t length)
{
  (void) step;
  char *copy = malloc (length + 1);
  g_assert (copy != NULL);
  memcpy (copy, text, length);
  copy[length] = '\0';
  keep_text (ctx, job, copy);
}

static const char *
loss_text (Arena *a, PoolLoss loss, int code)
{
  switch (loss) {
  case POOL_LOST_TIME:
    return "time";
  case POOL_LOST_MEMORY:
    return "memory";
  case POOL_LOST_SIGNAL:
    return arena_printf (a, "the worker process ended unexpectedly (signal %d)", code);
  case POOL_LOST_EXIT:
    return arena_printf (a, "the worker process ended unexpectedly (exit status %d)", code);
  }
  g_assert_not_reached ();
}

/* The test that a lost worker was at is left as it was known; the rest of its file goes on
 * elsewhere. */
static void
pool_lost_in (void *ctx, unsigned job, unsigned step, const char *begun, size_t length,
              PoolLoss loss, int code)
{
  Suite *s = ctx;
  g_autoptr (Arena) arena = arena_new ();
  const char *path = suite_file (s, job);
  const Wire *known = length == 0 ? NULL : wire_decode (arena, begun, length);
  const TestReport *t = known != NULL
                            ? known->report
                            : verdict_undecided (arena, NULL, inputs_stem (arena, path), path,
                                                 expected_of (s, job, step), NULL);
  Wire wire = { verdict_lost (arena, t, loss_text (arena, loss, code)), NULL,
                known == NULL ? NULL : known->z3 };
  keep_text (s, job, wire_encode (&wire));
}

static void
show_slot (Suite *s, Slot *slot)
{
  for (unsigned i = 0; slot->texts != NULL && i < slot->texts->len; i++) {
    g_autoptr (Arena) arena = arena_new ();
    const char *text = g_ptr_array_index (slot->texts, i);
    const Wire *wire = wire_decode (arena, text, strlen (text));
    g_assert (wire != NULL && wire->report != NULL);
    if (s->z3 == NULL)
      s->z3 = g_strdup (wire->z3);
    show_result (s, wire->report, wire->messages);
  }
  g_clear_pointer (&slot->texts, g_ptr_array_unref);
}

static void
pool_done_in (void *ctx, unsigned job)
{
  Suite *s = ctx;
  s->slots[job].done = true;
  while (s->shown < s->files->len && s->slots[s->shown].done) {
    show_slot (s, &s->slots[s->shown]);
    finish_file (s, s->shown++);
  }
}

static char *
run_pool (Suite *s)
{
  const double share = 0.1; /* an engine that stops by itself says more than a killed one */
  const double grace = 0.5;
  const CheckOptions *o = s->options;
  const PoolTask task
      = { s, worker_prepare, worker_work, pool_result_in, pool_lost_in, pool_done_in };
  const PoolLimits limits = {
    .workers = o->jobs > 0 ? o->jobs : g_get_num_processors (),
    .seconds = o->timeout > 0 ? o->timeout * (1 + share) + grace : 0,
    .bytes = (size_t) o->memory << 20,
  };
  s->slots = g_new0 (Slot, s->files->len);
  char *error = pool_run (&task, &limits, s->files->len);
  for (unsigned i = 0; i < s->files->len; i++)
    g_clear_pointer (&s->slots[i].texts, g_ptr_array_unref);
  g_free (s->slots);
  return error;
}

char *
suite_run (Suite *s)
{
  const CheckOptions *o = s->options;
  if (s->files->len == 0)
    return NULL;
  bool workers = o->jobs != 1 || o->timeout > 0 || o->memory > 0;
  char *error = workers ? run_pool (s) : run_here (s);
  progress_clear (&s->progress);
  s->run.z3 = s->z3;
  return error;
}

void
suite_clear (Suite *s)
{
  decider_clear (&s->decider);
  for (unsigned i = 0; i < s->output_count; i++)
    output_abandon (&s->outputs[i]);
  g_clear_pointer (&s->files, g_ptr_array_unref);
  g_clear_pointer (&s->expectations, expectations_free);
  g_clear_pointer (&s->z3, g_free);
}
