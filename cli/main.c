/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "cli/command.h"

typedef struct Command {
  const char *name;
  CommandRun run; /* NULL: not available in this version */
  const char *help;
} Command;

/* clang-format off */
static const Command commands[] = {
  { "check",   command_check, "decide litmus tests" },
  { "parse",   command_parse, "parse tests and print them back" },
  { "explain", NULL,          "why an outcome is allowed or forbidden" },
  { "fences",  NULL,          "which fences and qualifiers a test needs" },
  { "compare", NULL,          "does compiled PTX add an outcome that its source forbids" },
  { "diff",    NULL,          "the smallest tests on which two models differ" },
  { "gen",     NULL,          "generate litmus tests" },
  { "conform", NULL,          "check instruction semantics" },
  { "run",     NULL,          "run a test on a GPU or on the reference executor" },
  { "isa",     NULL,          "list instruction forms" },
};
/* clang-format on */

int
usage_error (const char *command, const char *message)
{
  const char *space = command == NULL ? "" : " ";
  const char *name = command == NULL ? "" : command;
  fprintf (stderr, "ptxmm%s%s: %s\nTry 'ptxmm%s%s --help'.\n", space, name, message, space,
           name);
  return EXIT_USAGE;
}

static int
print_help (void)
{
  fputs ("ptxmm decides what the NVIDIA PTX memory model allows.\n\n"
         "Usage: ptxmm SUBCOMMAND [OPTION]… [ARGUMENT]…\n\n"
         "Subcommands:\n",
         stdout);
  for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++)
    printf ("  %-9s %s%s\n", commands[i].name, commands[i].help,
            commands[i].run == NULL ? " (not available in this version)" : "");
  fputs ("\n'ptxmm SUBCOMMAND --help' tells more; 'ptxmm --version' prints the version.\n\n"
         "Example:\n"
         "  ptxmm check MP.litmus\n",
         stdout);
  return EXIT_AS_EXPECTED;
}

static int
run_command (const char *name, char **arguments)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (strcmp (commands[i].name, name) != 0)
      continue;
    if (commands[i].run != NULL)
      return commands[i].run (arguments);
    fprintf (stderr, "ptxmm %s: not available in this version\n", name);
    return EXIT_USAGE;
  }
  g_autofree char *message = g_strdup_printf ("unknown subcommand '%s'", name);
  return usage_error (NULL, message);
}

int
main (int argc, char **argv)
{
  if (argc < 2)
    return usage_error (NULL, "which subcommand?");
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    return print_help ();
  if (strcmp (argv[1], "--version") == 0) {
    puts ("ptxmm " PTXMM_VERSION);
    return EXIT_AS_EXPECTED;
  }
  return run_command (argv[1], argv + 2);
}
