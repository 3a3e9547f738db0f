/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_options.h"

#include <string.h>

#include "cli/decide.h"
#include "cli/models.h"
#include "model/cat.h"

static const char *const engine_names[] = { "exec", "solver", "both", NULL };
static const char *const deps_names[] = { "syntactic", "semantic", NULL };
static const char *const progress_names[] = { "auto", "always", "never", NULL };

enum { DEPS_SYNTACTIC, DEPS_SEMANTIC };

/* clang-format off */
#define AT(member) offsetof (CheckOptions, member)
static const OptionRow check_rows[] = {
  { .name = "model", .kind = OPTION_TEXT, .offset = AT (model), .argument = "NAME|FILE.cat",
    .help = "the memory model: built in, or a cat file (ptx-9.4)" },
  { .name = "engine", .kind = OPTION_CHOICE, .offset = AT (engine), .choices = engine_names, .argument = "NAME",
    .help = "who decides; both compares the two (both)" },
  { .name = "bound", .kind = OPTION_COUNT, .offset = AT (bound), .argument = "N", .least = 1, .most = 1000,
    .help = "run a loop's body at most N times (2)" },
  { .name = "deps", .kind = OPTION_CHOICE, .offset = AT (deps), .choices = deps_names, .argument = "READING",
    .help = "what counts as a dependency (syntactic);\nsemantic is not available in this version" },
  { .name = "expect", .kind = OPTION_LIST, .offset = AT (expect), .argument = "FILE[:MODEL]",
    .help = "compare with a table of verdicts, TSV or CSV;\n:MODEL takes another model's rows" },
  { .name = "json", .kind = OPTION_TEXT, .offset = AT (json), .argument = "FILE|-",
    .help = "write the whole report as JSON; - is standard output" },
  { .name = "junit", .kind = OPTION_TEXT, .offset = AT (junit), .argument = "FILE",
    .help = "write a JUnit XML report" },
  { .name = "tap", .kind = OPTION_FLAG, .offset = AT (tap),
    .help = "print TAP instead of the table" },
  { .name = "html", .kind = OPTION_REFUSED, .argument = "DIR", .help = "write a browsable report" },
  { .name = "dot", .kind = OPTION_REFUSED, .argument = "DIR", .help = "write executions as graphs" },
  { .name = "smt2", .kind = OPTION_TEXT, .offset = AT (smt2), .argument = "DIR",
    .help = "write each test's problem as SMT-LIB 2 into DIR" },
  { .name = "verdict-only", .kind = OPTION_FLAG, .offset = AT (verdict_only),
    .help = "stop at the verdict; outcomes may be incomplete" },
  { .name = "jobs", .letter = 'j', .kind = OPTION_COUNT, .offset = AT (jobs), .argument = "N", .least = 0, .most = 1024,
    .help = "decide N files at a time; 0: one a processor (1)" },
  { .name = "timeout", .kind = OPTION_SECONDS, .offset = AT (timeout), .argument = "SECONDS", .most = 1e6,
    .help = "give up on a test after SECONDS" },
  { .name = "memory", .kind = OPTION_COUNT, .offset = AT (memory), .argument = "MIB", .least = 1, .most = 1 << 24,
    .help = "give up on a test that needs more than MIB" },
  { .name = "shard", .kind = OPTION_SHARD, .offset = AT (shard), .argument = "I/N",
    .help = "decide only every Nth file, from the Ith on" },
  { .name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .offset = AT (quiet),
    .help = "print only lines that are not ok, and the summary" },
  { .name = "verbose", .letter = 'v', .kind = OPTION_FLAG, .offset = AT (verbose),
    .help = "print every outcome; * satisfies the condition" },
  { .name = "no-color", .kind = OPTION_FLAG, .offset = AT (no_color),
    .help = "no colours, as when NO_COLOR is set" },
  { .name = "progress", .kind = OPTION_CHOICE, .offset = AT (progress), .choices = progress_names, .argument = "WHEN",
    .help = "a bar on standard error (auto)" },
  { .name = "help-model", .kind = OPTION_FLAG, .offset = AT (help_model),
    .help = "list the sets and relations that cat files can use" },
  { .name = "help", .letter = 'h', .kind = OPTION_FLAG, .offset = AT (help), .help = "this text" },
};
/* clang-format on */

static const OptionTable check_table = { check_rows, G_N_ELEMENTS (check_rows) };

void
check_options_append_help (GString *out)
{
  g_string_append (
      out, "Usage: ptxmm check [OPTION]… FILE|DIR|@LIST …\n\n"
           "Decides litmus tests. A folder stands for the *.litmus and *.test files below it,\n"
           "@LIST for the files that LIST names, one a line.\n\n");
  options_append_help (out, &check_table);
  g_autoptr (GString) names = g_string_new (NULL);
  models_append_names (names);
  g_string_append_printf (out, "\nModels: %s", names->str);
  g_string_append (
      out,
      "\n\n"
      "Exit status: 0 all as expected or, with nothing expected, decided; 1 a verdict is not "
      "as\n"
      "expected or the engines disagree; 2 usage, input in error or not modelled; 3 "
      "undecided.\n\n"
      "Examples:\n"
      "  ptxmm check MP.litmus                                  one test, both engines\n"
      "  ptxmm check -v --engine exec MP.litmus                 its outcomes, without Z3\n"
      "  ptxmm check corpus --expect corpus/expected/all.tsv    a suite against its verdicts\n"
      "  ptxmm check --jobs 0 --timeout 60 --json out.json DIR  a report of everything below "
      "DIR\n");
}

void
check_options_append_model_help (GString *out)
{
  for (unsigned b = 0; b < CAT_BASE_COUNT; b++)
    g_string_append_printf (out, "%-12s %-9s %s\n", cat_base_name (b),
                            cat_base_shape (b) == CAT_SET ? "set" : "relation",
                            cat_base_doc (b));
}

const char *
check_options_deps (const CheckOptions *o)
{
  return deps_names[o->deps];
}

CheckOptions
check_options_new (void)
{
  return (CheckOptions){
    .model = "ptx-9.4",
    .engine = ENGINES_BOTH,
    .bound = 2,
    .expect = g_ptr_array_new (),
    .jobs = 1,
  };
}

void
check_options_clear (CheckOptions *o)
{
  g_ptr_array_unref (o->expect);
}

bool
is_standard_output (const char *path)
{
  return path != NULL && strcmp (path, "-") == 0;
}

/* Which combinations make no sense; NULL when this one does. */
static const char *
contradiction (const CheckOptions *o, const GPtrArray *operands)
{
  bool json = is_standard_output (o->json);
  bool junit = is_standard_output (o->junit);
  if (operands->len == 0)
    return "no file to check";
  if (o->deps == DEPS_SEMANTIC)
    return "--deps semantic: not available in this version";
  if (json + junit + o->tap > 1)
    return "only one report can go to standard output";
  if (o->smt2 != NULL && o->engine == ENGINES_EXEC)
    return "--smt2 needs the solver, which --engine exec leaves out";
  return NULL;
}

bool
check_options_read (CheckOptions *o, char **arguments, GPtrArray *operands, char **error)
{
  if (!options_read (&check_table, arguments, o, operands, error))
    return false;
  const char *message = o->help || o->help_model ? NULL : contradiction (o, operands);
  *error = g_strdup (message);
  return message == NULL;
}
