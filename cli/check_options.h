/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_CHECK_OPTIONS_H
#define PTXMM_CLI_CHECK_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "cli/options.h"

/* The options of `ptxmm check`. */

typedef enum ProgressChoice {
  PROGRESS_AUTO,
  PROGRESS_ALWAYS,
  PROGRESS_NEVER,
} ProgressChoice;

typedef struct CheckOptions {
  const char *model;
  unsigned engine; /* Engines */
  unsigned bound;
  unsigned deps;
  GPtrArray *expect;
  const char *json;
  const char *junit;
  const char *smt2;
  bool tap;
  bool verdict_only;
  bool quiet;
  bool verbose;
  bool no_color;
  bool help;
  bool help_model;
  unsigned progress; /* ProgressChoice */
  unsigned jobs;     /* 0: as many as there are processors */
  unsigned memory;   /* MiB, 0: no limit */
  double timeout;    /* 0: none */
  Shard shard;
} CheckOptions;

/* The defaults; check_options_clear afterwards. */
CheckOptions check_options_new (void);
void check_options_clear (CheckOptions *o);

/* FALSE with a message (transfer full) when the arguments are not right by themselves or do not
 * go together. */
bool check_options_read (CheckOptions *o, char **arguments, GPtrArray *operands,
                         char **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name of the reading of dependencies that was asked for. */
const char *check_options_deps (const CheckOptions *o);

/* "-" stands for standard output. */
bool is_standard_output (const char *path);

/* What --help and --help-model print. */
void check_options_append_help (GString *out);
void check_options_append_model_help (GString *out);

#endif
