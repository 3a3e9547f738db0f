/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "cli/check_options.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/models.h"
#include "cli/suite.h"

/* `ptxmm check`: reads what is needed, decides, writes the reports. */

typedef struct Check {
  CheckOptions options;
  Arena *arena; /* of the whole run */
  Suite suite;
  bool input_errors; /* operands that gave no file */
} Check;

/* ---- Setting up ------------------------------------------------------------------------ */

static void
say (const char *message)
{
  fprintf (stderr, "ptxmm check: %s\n", message);
}

/* `FILE:MODEL` unless a file of that whole name exists. */
static bool
load_table (Check *c, const char *argument)
{
  g_autofree char *path = g_strdup (argument);
  char *colon = strrchr (path, ':');
  const char *model = c->suite.run.model;
  if (colon != NULL && access (path, F_OK) != 0) {
    *colon = '\0';
    model = colon + 1;
  }
  const char *error = NULL;
  const Source *table = inputs_read (c->arena, arena_strdup (c->arena, path), &error);
  if (table == NULL) {
    fprintf (stderr, "ptxmm check: %s: %s\n", path, error);
    return false;
  }
  g_autofree char *whole = absolute_path (path);
  g_autofree char *folder = g_path_get_dirname (whole);
  Diags *diags = diags_new (c->arena);
  expectations_add (c->suite.expectations, table, folder, model, diags);
  g_autoptr (GString) messages = g_string_new (NULL);
  inputs_append_diags (messages, diags, false);
  fputs (messages->str, stderr);
  return diags_error_count (diags) == 0;
}

static bool
load_tables (Check *c)
{
  const GPtrArray *tables = c->options.expect;
  if (tables->len == 0)
    return true;
  c->suite.expectations = expectations_new ();
  bool good = true;
  for (unsigned i = 0; i < tables->len; i++)
    good = load_table (c, g_ptr_array_index (tables, i)) && good;
  return good;
}

/* Every Nth file from the Ith on. */
static void
take_shard (Check *c)
{
  const Shard *shard = &c->options.shard;
  if (shard->count == 0)
    return;
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_free);
  for (unsigned i = shard->index - 1; i < c->suite.files->len; i += shard->count)
    g_ptr_array_add (kept, g_strdup (suite_file (&c->suite, i)));
  g_ptr_array_unref (c->suite.files);
  c->suite.files = kept;
}

static bool
expand_files (Check *c, const GPtrArray *operands)
{
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  c->suite.files = inputs_expand (operands, errors);
  for (unsigned i = 0; i < errors->len; i++)
    say (g_ptr_array_index (errors, i));
  c->input_errors = errors->len > 0;
  bool any = c->suite.files->len > 0;
  take_shard (c);
  return any;
}

static unsigned
name_width (const Check *c)
{
  enum { NARROWEST = 12, WIDEST = 48 };
  unsigned width = NARROWEST;
  for (unsigned i = 0; i < c->suite.files->len; i++) {
    g_autofree char *name = g_path_get_basename (suite_file (&c->suite, i));
    const char *dot = strrchr (name, '.');
    size_t length = dot == NULL ? strlen (name) : (size_t) (dot - name);
    width = MAX (width, (unsigned) MIN (length, WIDEST));
  }
  return width;
}

/* An environment variable that is set and not empty, or NULL. */
static const char *
set_variable (const char *name)
{
  const char *value = getenv (name);
  return value == NULL || *value == '\0' ? NULL : value;
}

static const char *
iso_time (Arena *a)
{
  char text[32] = "";
  time_t now = time (NULL);
  struct tm utc;
  strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r (&now, &utc));
  return arena_strdup (a, text);
}

static const char *
system_text (Arena *a)
{
  struct utsname name;
  return uname (&name) != 0 ? "unknown" : arena_printf (a, "%s %s", name.sysname, name.machine);
}

static void
describe_run (Check *c)
{
  const CheckOptions *o = &c->options;
  bool colour = !o->no_color && set_variable ("NO_COLOR") == NULL && isatty (STDOUT_FILENO);
  c->suite.run = (ReportRun){
    .version = PTXMM_VERSION,
    .model = c->suite.decider.model->name,
    .deps = check_options_deps (o),
    .bound = o->bound,
    .started = iso_time (c->arena),
    .system = system_text (c->arena),
    .processors = g_get_num_processors (),
    .style = { o->quiet, o->verbose, colour, name_width (c) },
  };
  c->suite.progress.shown = o->progress == PROGRESS_ALWAYS
                            || (o->progress == PROGRESS_AUTO && isatty (STDERR_FILENO));
  c->suite.progress.total = c->suite.files->len;
}

static bool
open_output (Check *c, const ReportFormat *format, const char *path)
{
  Output *output = &c->suite.outputs[c->suite.output_count];
  g_autofree char *error
      = output_open (output, format, is_standard_output (path) ? NULL : path, &c->suite.run);
  if (error != NULL)
    say (error);
  else
    c->suite.output_count++;
  return error == NULL;
}

/* The table goes to standard output unless something else does. */
static bool
open_outputs (Check *c)
{
  const CheckOptions *o = &c->options;
  bool taken = is_standard_output (o->json) || is_standard_output (o->junit);
  if (o->json != NULL && !open_output (c, &report_json, o->json))
    return false;
  if (o->junit != NULL && !open_output (c, &report_junit, o->junit))
    return false;
  return taken || open_output (c, o->tap ? &report_tap : &report_text, "-");
}

static bool
make_folder (const char *path)
{
  if (path == NULL || g_mkdir_with_parents (path, 0777) == 0)
    return true;
  fprintf (stderr, "ptxmm check: %s: %s\n", path, g_strerror (errno));
  return false;
}

static bool
load_model (Check *c)
{
  g_autoptr (GString) messages = g_string_new (NULL);
  c->suite.decider.model = models_load (c->arena, c->options.model, messages);
  fputs (messages->str, stderr);
  return c->suite.decider.model != NULL;
}

static void
set_decider (Check *c)
{
  const CheckOptions *o = &c->options;
  c->suite.decider.engines = (Engines) o->engine;
  c->suite.decider.run = (RunOptions){ .bound = o->bound, .verdict_only = o->verdict_only };
  c->suite.decider.seconds = o->timeout;
  c->suite.decider.bytes = (size_t) o->memory << 20;
  c->suite.decider.library = set_variable ("PTXMM_Z3_LIBRARY");
}

/* ---- The subcommand -------------------------------------------------------------------- */

static bool
close_outputs (Check *c)
{
  bool good = true;
  for (unsigned i = 0; i < c->suite.output_count; i++) {
    g_autofree char *error = output_close (&c->suite.outputs[i], &c->suite.run);
    if (error != NULL)
      say (error);
    good = good && error == NULL;
  }
  return good;
}

static int
run_check (Check *c)
{
  double start = clock_seconds ();
  g_autofree char *error = suite_run (&c->suite);
  if (error != NULL) {
    say (error);
    return EXIT_USAGE;
  }
  c->suite.run.seconds = clock_seconds () - start;
  bool written = close_outputs (c);
  int status = totals_exit_status (&c->suite.run.totals);
  return c->input_errors || !written ? EXIT_USAGE : status;
}

static int
check_operands (Check *c, const GPtrArray *operands)
{
  if (!expand_files (c, operands) || !load_model (c))
    return EXIT_USAGE;
  set_decider (c);
  describe_run (c);
  if (!load_tables (c) || !make_folder (c->options.smt2) || !open_outputs (c))
    return EXIT_USAGE;
  return run_check (c);
}

static int
print_help (void (*append) (GString *out))
{
  g_autoptr (GString) out = g_string_new (NULL);
  append (out);
  fputs (out->str, stdout);
  return EXIT_AS_EXPECTED;
}

static int
check_arguments (Check *c, char **arguments)
{
  g_autoptr (GPtrArray) operands = g_ptr_array_new ();
  g_autofree char *error = NULL;
  if (!check_options_read (&c->options, arguments, operands, &error))
    return usage_error ("check", error);
  if (c->options.help)
    return print_help (check_options_append_help);
  if (c->options.help_model)
    return print_help (check_options_append_model_help);
  return check_operands (c, operands);
}

int
command_check (char **arguments)
{
  Check c = { .options = check_options_new (), .arena = arena_new () };
  c.suite.options = &c.options;
  int status = check_arguments (&c, arguments);
  suite_clear (&c.suite);
  check_options_clear (&c.options);
  arena_free (c.arena);
  return status;
}
