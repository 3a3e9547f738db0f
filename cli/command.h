/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_COMMAND_H
#define PTXMM_CLI_COMMAND_H

/* Subcommands: one file each, one row each in cli/main.c.  `arguments` are those after the
 * subcommand's name, NULL-terminated.  The result is the exit status of the process. */

enum ExitStatus {
  EXIT_AS_EXPECTED = 0,
  EXIT_UNEXPECTED = 1,
  EXIT_USAGE = 2, /* or input in error, or beyond what is modelled */
  EXIT_UNDECIDED = 3,
};

typedef int (*CommandRun) (char **arguments);

int command_check (char **arguments);
int command_parse (char **arguments);

/* "ptxmm SUBCOMMAND: MESSAGE" and a pointer to --help, on standard error.  Gives EXIT_USAGE. */
int usage_error (const char *command, const char *message);

#endif
