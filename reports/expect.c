/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/expect.h"

#include <string.h>

typedef struct Row {
  Truth expected;
  unsigned skipped;
} Row;

typedef struct SuffixRow {
  char *path;
  Truth expected;
} SuffixRow;

struct Expectations {
  GHashTable *rows;     /* absolute path, perhaps with #N -> Row */
  GHashTable *suffixes; /* file name -> GArray of SuffixRow */
};

static void
clear_suffix_row (gpointer row)
{
  g_free (((SuffixRow *) row)->path);
}

Expectations *
expectations_new (void)
{
  Expectations *e = g_new0 (Expectations, 1);
  e->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  e->suffixes
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  return e;
}

void
expectations_free (Expectations *e)
{
  if (e == NULL)
    return;
  g_hash_table_unref (e->rows);
  g_hash_table_unref (e->suffixes);
  g_free (e);
}

/* ---- Lines of a table ------------------------------------------------------------------ */

typedef struct Reader {
  Expectations *into;
  const Source *table;
  const char *folder;
  const char *model;
  Diags *diags;
  size_t at;
} Reader;

/* The next line that is neither empty nor a comment, without its end; NULL after the last. */
static char *
next_line (Reader *r, Span *span)
{
  const char *text = r->table->text;
  size_t length = r->table->length;
  if (r->at == 0 && length >= 3 && memcmp (text, "\357\273\277", 3) == 0)
    r->at = 3;
  while (r->at < length) {
    size_t begin = r->at;
    const char *newline = memchr (text + begin, '\n', length - begin);
    size_t end = newline == NULL ? length : (size_t) (newline - text);
    r->at = end + 1;
    if (end > begin && text[end - 1] == '\r')
      end--;
    if (end == begin || text[begin] == '#')
      continue;
    *span = (Span){ r->table, begin, end };
    return g_strndup (text + begin, end - begin);
  }
  return NULL;
}

static Row *
row_at (Expectations *e, const char *path)
{
  Row *row = g_hash_table_lookup (e->rows, path);
  if (row == NULL) {
    row = g_new0 (Row, 1);
    g_hash_table_insert (e->rows, g_strdup (path), row);
  }
  return row;
}

static void
set_expected (Reader *r, Truth *slot, Truth value, Span span)
{
  if (*slot != TRUTH_UNKNOWN && *slot != value)
    diags_add (r->diags, DIAG_ERROR, span, "this row contradicts an earlier one");
  *slot = value;
}

/* ---- TSV ------------------------------------------------------------------------------- */

enum { COLUMN_FILE, COLUMN_MODEL, COLUMN_PROPERTY, COLUMN_EXPECTED, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT]
    = { "file", "model", "property", "expected" };

typedef struct Columns {
  unsigned at[COLUMN_COUNT];
  unsigned least; /* cells a row must have */
} Columns;

static bool
read_header (Reader *r, const char *line, Span span, Columns *columns)
{
  g_auto (GStrv) cells = g_strsplit (line, "\t", -1);
  columns->least = 0;
  for (unsigned c = 0; c < COLUMN_COUNT; c++) {
    unsigned i = 0;
    while (cells[i] != NULL && strcmp (cells[i], column_names[c]) != 0)
      i++;
    if (cells[i] == NULL) {
      diags_add (r->diags, DIAG_ERROR, span,
                 "no column '%s' (expected a header with file, model, property, expected)",
                 column_names[c]);
      return false;
    }
    columns->at[c] = i;
    columns->least = MAX (columns->least, i + 1);
  }
  return true;
}

static void
read_tsv_row (Reader *r, const Columns *columns, const char *line, Span span)
{
  g_auto (GStrv) cells = g_strsplit (line, "\t", -1);
  if (g_strv_length (cells) < columns->least) {
    diags_add (r->diags, DIAG_ERROR, span, "expected %u cells, found %u", columns->least,
               g_strv_length (cells));
    return;
  }
  if (strcmp (cells[columns->at[COLUMN_MODEL]], r->model) != 0)
    return;
  g_autofree char *path = g_canonicalize_filename (cells[columns->at[COLUMN_FILE]], r->folder);
  Row *row = row_at (r->into, path);
  const char *property = cells[columns->at[COLUMN_PROPERTY]];
  if (strcmp (property, "termination") == 0) {
    row->skipped++;
    return;
  }
  if (strcmp (property, "assertion") != 0) {
    diags_add (r->diags, DIAG_ERROR, span, "expected 'assertion' or 'termination', found '%s'",
               property);
    return;
  }
  const char *expected = cells[columns->at[COLUMN_EXPECTED]];
  bool holds = strcmp (expected, "holds") == 0;
  if (!holds && strcmp (expected, "fails") != 0)
    diags_add (r->diags, DIAG_ERROR, span, "expected 'holds' or 'fails', found '%s'", expected);
  else
    set_expected (r, &row->expected, truth_of (holds), span);
}

/* ---- CSV ------------------------------------------------------------------------------- */

static bool
is_csv (const char *line)
{
  return strchr (line, '\t') == NULL
         && (g_str_has_suffix (line, ",0") || g_str_has_suffix (line, ",1"));
}

static void
read_csv_row (Reader *r, const char *line, Span span)
{
  if (!is_csv (line)) {
    diags_add (r->diags, DIAG_ERROR, span, "expected PATH,0 or PATH,1");
    return;
  }
  g_autofree char *path = g_strndup (line, strlen (line) - 2);
  Truth expected = truth_of (g_str_has_suffix (line, "1"));
  g_autofree char *name = g_path_get_basename (path);
  GArray *rows = g_hash_table_lookup (r->into->suffixes, name);
  if (rows == NULL) {
    rows = g_array_new (FALSE, FALSE, sizeof (SuffixRow));
    g_array_set_clear_func (rows, clear_suffix_row);
    g_hash_table_insert (r->into->suffixes, g_strdup (name), rows);
  }
  for (unsigned i = 0; i < rows->len; i++) {
    SuffixRow *row = &g_array_index (rows, SuffixRow, i);
    if (strcmp (row->path, path) == 0) {
      set_expected (r, &row->expected, expected, span);
      return;
    }
  }
  SuffixRow row = { g_steal_pointer (&path), expected };
  g_array_append_val (rows, row);
}

void
expectations_add (Expectations *e, const Source *table, const char *folder, const char *model,
                  Diags *diags)
{
  Reader r = { e, table, folder, model, diags, 0 };
  Span span = { table, 0, 0 };
  Columns columns = { { 0 }, 0 };
  g_autofree char *first = next_line (&r, &span);
  if (first == NULL) {
    diags_add (diags, DIAG_ERROR, span, "the table is empty");
    return;
  }
  bool csv = is_csv (first);
  if (csv)
    read_csv_row (&r, first, span);
  else if (!read_header (&r, first, span, &columns))
    return;
  for (char *line = next_line (&r, &span); line != NULL; line = next_line (&r, &span)) {
    if (csv)
      read_csv_row (&r, line, span);
    else
      read_tsv_row (&r, &columns, line, span);
    g_free (line);
  }
}

/* ---- Looking up ------------------------------------------------------------------------ */

/* Components that the ends of two paths have in common. */
static unsigned
common_end (const char *x, const char *y)
{
  size_t i = strlen (x);
  size_t k = strlen (y);
  unsigned components = 0;
  while (i > 0 && k > 0 && x[i - 1] == y[k - 1]) {
    i--;
    k--;
    components += x[i] == '/';
  }
  bool whole_x = i == 0 && (k == 0 || y[k - 1] == '/');
  bool whole_y = k == 0 && i > 0 && x[i - 1] == '/';
  return components + (whole_x || whole_y);
}

/* Two rows that fit equally well and contradict each other say nothing. */
static Truth
find_suffix (const Expectations *e, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  const GArray *rows = g_hash_table_lookup (e->suffixes, name);
  unsigned longest = 0;
  Truth expected = TRUTH_UNKNOWN;
  for (unsigned i = 0; rows != NULL && i < rows->len; i++) {
    const SuffixRow *row = &g_array_index (rows, SuffixRow, i);
    unsigned common = common_end (row->path, path);
    if (common > longest) {
      longest = common;
      expected = row->expected;
    } else if (common == longest && expected != row->expected) {
      expected = TRUTH_UNKNOWN;
    }
  }
  return expected;
}

Truth
expectations_find (const Expectations *e, const char *path, unsigned index)
{
  g_autofree char *numbered = g_strdup_printf ("%s#%u", path, index + 1);
  const Row *row = g_hash_table_lookup (e->rows, numbered);
  if (row != NULL && row->expected != TRUTH_UNKNOWN)
    return row->expected;
  row = g_hash_table_lookup (e->rows, path);
  if (row != NULL && row->expected != TRUTH_UNKNOWN)
    return row->expected;
  return find_suffix (e, path);
}

unsigned
expectations_skipped (const Expectations *e, const char *path)
{
  const Row *row = g_hash_table_lookup (e->rows, path);
  return row == NULL ? 0 : row->skipped;
}
