/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "litmus/frontend.h"
#include "litmus/print.h"

/* `ptxmm parse`: reads tests and prints them back. */

typedef struct ParseOptions {
  bool quiet;
  bool help;
} ParseOptions;

static const OptionRow parse_rows[] = {
  { .name = "quiet",
    .letter = 'q',
    .kind = OPTION_FLAG,
    .offset = offsetof (ParseOptions, quiet),
    .help = "only say what is wrong" },
  { .name = "help",
    .letter = 'h',
    .kind = OPTION_FLAG,
    .offset = offsetof (ParseOptions, help),
    .help = "this text" },
};

static const OptionTable parse_table = { parse_rows, G_N_ELEMENTS (parse_rows) };

static int
print_help (void)
{
  g_autoptr (GString) out = g_string_new (
      "Usage: ptxmm parse [OPTION]… FILE|DIR|@LIST …\n\n"
      "Reads tests and prints them back in the litmus dialect, one form for every spelling;\n"
      "what is wrong goes to standard error as FILE:LINE:COLUMN.\n\n");
  options_append_help (out, &parse_table);
  g_string_append (
      out, "\nExit status: 0, or 2 when something could not be read.\n\n"
           "Examples:\n"
           "  ptxmm parse MP.litmus          the test as it was understood\n"
           "  ptxmm parse --quiet corpus     is everything in this folder well formed?\n");
  fputs (out->str, stdout);
  return EXIT_AS_EXPECTED;
}

static const Program **
read_programs (Arena *a, const char *path, bool quiet, unsigned *count)
{
  const char *unreadable = NULL;
  const Source *source = inputs_read (a, path, &unreadable);
  if (source == NULL) {
    fprintf (stderr, "%s: error: %s\n", path, unreadable);
    return NULL;
  }
  Diags *diags = diags_new (a);
  const Program **programs = frontend_parse (a, source, diags, count);
  g_autoptr (GString) messages = g_string_new (NULL);
  inputs_append_diags (messages, diags, quiet);
  fputs (messages->str, stderr);
  return diags_error_count (diags) == 0 ? programs : NULL;
}

/* `*printed` counts tests, as an empty line goes between two. */
static bool
parse_file (const char *path, bool quiet, unsigned *printed)
{
  g_autoptr (Arena) arena = arena_new ();
  unsigned count = 0;
  const Program **programs = read_programs (arena, path, quiet, &count);
  for (unsigned i = 0; programs != NULL && !quiet && i < count; i++) {
    if ((*printed)++ > 0)
      putchar ('\n');
    fputs (program_print (arena, programs[i]), stdout);
  }
  return programs != NULL;
}

static int
parse_operands (const GPtrArray *operands, bool quiet)
{
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = inputs_expand (operands, errors);
  unsigned printed = 0;
  bool good = errors->len == 0;
  for (unsigned i = 0; i < errors->len; i++)
    fprintf (stderr, "ptxmm parse: %s\n", (const char *) g_ptr_array_index (errors, i));
  for (unsigned i = 0; i < files->len; i++)
    good = parse_file (g_ptr_array_index (files, i), quiet, &printed) && good;
  return good ? EXIT_AS_EXPECTED : EXIT_USAGE;
}

int
command_parse (char **arguments)
{
  ParseOptions options = { 0 };
  g_autoptr (GPtrArray) operands = g_ptr_array_new ();
  g_autofree char *error = NULL;
  if (!options_read (&parse_table, arguments, &options, operands, &error))
    return usage_error ("parse", error);
  if (options.help)
    return print_help ();
  if (operands->len == 0)
    return usage_error ("parse", "no file to parse");
  return parse_operands (operands, options.quiet);
}
