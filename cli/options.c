/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const OptionRow *
find_long (const OptionTable *table, const char *name, size_t length)
{
  for (unsigned i = 0; i < table->count; i++)
    if (strlen (table->rows[i].name) == length
        && memcmp (table->rows[i].name, name, length) == 0)
      return &table->rows[i];
  return NULL;
}

static const OptionRow *
find_letter (const OptionTable *table, char letter)
{
  for (unsigned i = 0; i < table->count; i++)
    if (table->rows[i].letter == letter)
      return &table->rows[i];
  return NULL;
}

static bool
takes_argument (OptionKind kind)
{
  switch (kind) {
  case OPTION_FLAG:
    return false;
  case OPTION_TEXT:
  case OPTION_LIST:
  case OPTION_CHOICE:
  case OPTION_COUNT:
  case OPTION_SECONDS:
  case OPTION_SHARD:
  case OPTION_REFUSED:
    return true;
  }
  g_assert_not_reached ();
}

/* ---- Values ---------------------------------------------------------------------------- */

static bool
read_count (const char *text, double least, double most, unsigned *value)
{
  guint64 number = 0;
  if (!g_ascii_string_to_unsigned (text, 10, (guint64) least, (guint64) most, &number, NULL))
    return false;
  *value = (unsigned) number;
  return true;
}

static bool
read_seconds (const char *text, double most, double *value)
{
  char *end = NULL;
  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value) && *value > 0 && *value <= most;
}

static bool
read_shard (const char *text, Shard *shard)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", -1);
  return g_strv_length (parts) == 2 && read_count (parts[1], 1, 1e6, &shard->count)
         && read_count (parts[0], 1, shard->count, &shard->index);
}

static bool
read_choice (const char *const *choices, const char *text, unsigned *value)
{
  for (*value = 0; choices[*value] != NULL; (*value)++)
    if (strcmp (choices[*value], text) == 0)
      return true;
  return false;
}

static bool
store (const OptionRow *row, const char *text, void *options)
{
  void *place = (char *) options + row->offset;
  switch (row->kind) {
  case OPTION_FLAG:
    *(bool *) place = true;
    return true;
  case OPTION_TEXT:
    *(const char **) place = text;
    return *text != '\0';
  case OPTION_LIST:
    g_ptr_array_add (*(GPtrArray **) place, (gpointer) text);
    return *text != '\0';
  case OPTION_CHOICE:
    return read_choice (row->choices, text, place);
  case OPTION_COUNT:
    return read_count (text, row->least, row->most, place);
  case OPTION_SECONDS:
    return read_seconds (text, row->most, place);
  case OPTION_SHARD:
    return read_shard (text, place);
  case OPTION_REFUSED:
    return false;
  }
  g_assert_not_reached ();
}

/* What would have been right, for the message about an argument that is not. */
static char *
wanted (const OptionRow *row)
{
  switch (row->kind) {
  case OPTION_FLAG:
  case OPTION_REFUSED:
    return g_strdup ("nothing");
  case OPTION_TEXT:
  case OPTION_LIST:
    return g_strdup (row->argument);
  case OPTION_CHOICE: {
    g_autofree char *names = g_strjoinv (", ", (char **) row->choices);
    return g_strdup_printf ("one of %s", names);
  }
  case OPTION_COUNT:
    return g_strdup_printf ("a number from %.0f to %.0f", row->least, row->most);
  case OPTION_SECONDS:
    return g_strdup_printf ("seconds, more than 0 and at most %.0f", row->most);
  case OPTION_SHARD:
    return g_strdup ("I/N with 1 <= I <= N");
  }
  g_assert_not_reached ();
}

/* ---- Arguments ------------------------------------------------------------------------- */

static char *
set_option (const OptionRow *row, const char *text, void *options)
{
  if (row->kind == OPTION_REFUSED)
    return g_strdup_printf ("--%s: not available in this version", row->name);
  if (text == NULL && takes_argument (row->kind))
    return g_strdup_printf ("--%s needs an argument: %s", row->name, row->argument);
  if (text != NULL && !takes_argument (row->kind))
    return g_strdup_printf ("--%s takes no argument", row->name);
  if (store (row, text, options))
    return NULL;
  g_autofree char *right = wanted (row);
  return g_strdup_printf ("--%s: '%s' is not %s", row->name, text, right);
}

/* An option as written: its row and, for --name=X and -lX, X. */
typedef struct Written {
  const OptionRow *row;
  const char *argument; /* or NULL */
} Written;

static Written
find_written (const OptionTable *table, const char *word)
{
  if (word[1] != '-') {
    const OptionRow *row = find_letter (table, word[1]);
    bool attached = row != NULL && word[2] != '\0';
    if (attached && !takes_argument (row->kind))
      return (Written){ NULL, NULL };
    return (Written){ row, attached ? word + 2 : NULL };
  }
  const char *equals = strchr (word, '=');
  size_t length = equals == NULL ? strlen (word) : (size_t) (equals - word);
  return (Written){ find_long (table, word + 2, length - 2),
                    equals == NULL ? NULL : equals + 1 };
}

/* Reads the option at `*at` and moves it to the last argument used. */
static char *
read_option (const OptionTable *table, char ***at, void *options)
{
  Written option = find_written (table, **at);
  if (option.row == NULL)
    return g_strdup_printf ("unknown option '%s'", **at);
  if (option.argument == NULL && takes_argument (option.row->kind) && (*at)[1] != NULL)
    option.argument = *++*at;
  return set_option (option.row, option.argument, options);
}

bool
options_read (const OptionTable *table, char **arguments, void *options, GPtrArray *operands,
              char **error)
{
  bool only_operands = false;
  *error = NULL;
  for (char **at = arguments; *at != NULL && *error == NULL; at++) {
    if (only_operands || (*at)[0] != '-' || (*at)[1] == '\0')
      g_ptr_array_add (operands, *at);
    else if (strcmp (*at, "--") == 0)
      only_operands = true;
    else
      *error = read_option (table, &at, options);
  }
  return *error == NULL;
}

/* ---- Help ------------------------------------------------------------------------------ */

enum { HELP_COLUMN = 28 };

static void
append_row (GString *out, const OptionRow *row)
{
  size_t begin = out->len;
  g_string_append (out, "  ");
  if (row->letter != 0)
    g_string_append_printf (out, "-%c, ", row->letter);
  g_string_append_printf (out, "--%s", row->name);
  if (row->kind == OPTION_CHOICE) {
    g_autofree char *names = g_strjoinv ("|", (char **) row->choices);
    g_string_append_printf (out, " %s", names);
  } else if (row->argument != NULL) {
    g_string_append_printf (out, " %s", row->argument);
  }
  if (out->len - begin >= HELP_COLUMN)
    g_string_append_printf (out, "\n%*s", HELP_COLUMN, "");
  else
    g_string_append_printf (out, "%*s", (int) (HELP_COLUMN - (out->len - begin)), "");
  for (const char *c = row->help; *c != '\0'; c++) {
    g_string_append_c (out, *c);
    if (*c == '\n')
      g_string_append_printf (out, "%*s", HELP_COLUMN, "");
  }
  g_string_append (out,
                   row->kind == OPTION_REFUSED ? " (not available in this version)\n" : "\n");
}

void
options_append_help (GString *out, const OptionTable *table)
{
  for (unsigned i = 0; i < table->count; i++)
    append_row (out, &table->rows[i]);
}
