/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_OPTIONS_H
#define PTXMM_CLI_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

/* Options are rows: reading, checking and --help all come from them. */

typedef enum OptionKind {
  OPTION_FLAG,    /* bool */
  OPTION_TEXT,    /* const char *: the argument itself */
  OPTION_LIST,    /* GPtrArray *: every argument given, in order */
  OPTION_CHOICE,  /* unsigned: index into `choices` */
  OPTION_COUNT,   /* unsigned, least…most */
  OPTION_SECONDS, /* double, greater than 0, at most `most` */
  OPTION_SHARD,   /* Shard */
  OPTION_REFUSED, /* recognised, and not available in this version */
} OptionKind;

typedef struct Shard {
  unsigned index; /* from 1 */
  unsigned count; /* 0: everything */
} Shard;

typedef struct OptionRow {
  const char *name; /* without the dashes */
  char letter;      /* 0: none */
  OptionKind kind;
  size_t offset;        /* in the options struct */
  const char *argument; /* as --help names it, or NULL */
  const char *const *choices;
  double least;
  double most;
  const char *help;
} OptionRow;

typedef struct OptionTable {
  const OptionRow *rows;
  unsigned count;
} OptionTable;

/* Fills `options` from `arguments` and leaves what are no options in `operands` (which does not
 * own them; neither do the options).  FALSE with a message in `*error` when the arguments are
 * not right.  (transfer full) the message. */
bool options_read (const OptionTable *table, char **arguments, void *options,
                   GPtrArray *operands, char **error) G_GNUC_WARN_UNUSED_RESULT;

/* The rows as a table of text, for --help. */
void options_append_help (GString *out, const OptionTable *table);

#endif
