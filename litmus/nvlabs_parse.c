/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/nvlabs_parse.h"

#include <string.h>

#include "litmus/builder.h"
#include "litmus/cond_parse.h"
#include "litmus/insn_parse.h"

enum {
  MAX_COLUMNS = 100,
  MAX_COMMANDS = 100,
  MAX_EXPANDED = 16 * 1024 * 1024, /* bytes of all rows' texts together */
};

/* ---- One test -----------------------------------------------------------------------------
 */

typedef struct ThreadId {
  unsigned part[3]; /* device, block, thread */
} ThreadId;

typedef struct Parser {
  Reader r;
  Builder *b;
  ThreadId threads[BUILDER_MAX_THREADS];
  NameTable *writers; /* from registers to the threads that write them */
  const Cond *filter;
  NameTable *commands;
  unsigned command_count;
  unsigned selected; /* the command that becomes the program's condition */
  Slice selected_name;
} Parser;

/* A name after which nothing of it is left over: "x", "t". */
static bool
parse_name (Reader *r, const char *what, Slice *name, Span *span)
{
  if (!cursor_at (&r->c, TOKEN_NAME)) {
    reader_expected (r, what);
    return false;
  }
  *name = reader_slice (r);
  *span = reader_span (r);
  cursor_next (&r->c);
  return true;
}

static bool
expect_word (Reader *r, const char *word)
{
  if (cursor_accept_word (&r->c, word))
    return true;
  g_autofree char *what = g_strdup_printf ("'%s'", word);
  reader_expected (r, what);
  return false;
}

/* ---- Declarations -------------------------------------------------------------------------
 */

static const struct {
  const char *keyword;
  bool is_reference; /* always "virtually aliases" */
  SpaceWritten space;
  Proxy proxy;
} declarations[] = {
  { "global", false, SPACE_IS_GLOBAL, PROXY_GENERIC },
  { "shared", false, SPACE_IS_SHARED, PROXY_GENERIC },
  { "texref", true, SPACE_UNSAID, PROXY_TEXTURE },
  { "surfref", true, SPACE_UNSAID, PROXY_SURFACE },
};

static bool
parse_alias (Reader *r, const char *how, LocationDecl *decl)
{
  decl->is_alias = true;
  return expect_word (r, how) && expect_word (r, "aliases")
         && parse_name (r, "a location", &decl->target, &decl->target_span);
}

static bool
parse_declared_name (Parser *p, size_t row)
{
  Reader *r = &p->r;
  Slice name;
  Span span;
  if (!parse_name (r, "a location", &name, &span))
    return false;
  LocationDecl *decl = builder_declare (p->b, name, span);
  if (decl == NULL)
    return false;
  decl->proxy = declarations[row].proxy;
  decl->space = declarations[row].space;
  decl->space_span = span;
  if (declarations[row].is_reference)
    return parse_alias (r, "virtually", decl);
  return cursor_at (&r->c, TOKEN_SEMICOLON) || parse_alias (r, "physically", decl);
}

/* ".surfref s virtually aliases x;" */
static bool
parse_declaration (Parser *p)
{
  Reader *r = &p->r;
  for (size_t i = 0; i < G_N_ELEMENTS (declarations); i++)
    if (cursor_accept_word (&r->c, declarations[i].keyword))
      return parse_declared_name (p, i)
             && reader_expect (r, TOKEN_SEMICOLON, "after the declaration");
  reader_expected (r, "'global', 'shared', 'texref' or 'surfref'");
  return false;
}

/* ---- Threads ------------------------------------------------------------------------------
 */

/* "b12" */
static bool
parse_id_part (Reader *r, char letter, unsigned *number)
{
  Token digits = r->c.token;
  uint64_t value = 0;
  bool good = cursor_at (&r->c, TOKEN_NAME) && r->c.text[digits.begin] == letter
              && digits.end - digits.begin > 1;
  digits.begin++;
  good = good && g_ascii_isdigit (r->c.text[digits.begin])
         && cursor_number (&r->c, digits, &value) == NUMBER_OK && value <= BUILDER_MAX_NUMBER;
  if (!good) {
    g_autofree char *what = g_strdup_printf ("'%c' and a number", letter);
    reader_expected (r, what);
    return false;
  }
  *number = (unsigned) value;
  cursor_next (&r->c);
  return true;
}

static bool
parse_thread_id (Reader *r, ThreadId *id)
{
  return parse_id_part (r, 'd', &id->part[0]) && reader_expect (r, TOKEN_DOT, "and a block")
         && parse_id_part (r, 'b', &id->part[1]) && reader_expect (r, TOKEN_DOT, "and a thread")
         && parse_id_part (r, 't', &id->part[2]);
}

/* The index of the thread, a new one if it has not come up before. */
static int
find_thread (Parser *p, const ThreadId *id, Span span)
{
  unsigned count = builder_thread_count (p->b);
  for (unsigned t = 0; t < count; t++)
    if (memcmp (&p->threads[t], id, sizeof (*id)) == 0)
      return (int) t;
  Placement place = { .gpu = id->part[0], .cta = id->part[1], .warp = -1 };
  int thread = builder_add_thread (p->b, count, &place, span);
  if (thread >= 0)
    p->threads[thread] = *id;
  return thread;
}

static bool
source_is_written (Parser *p, unsigned thread, const Operand *o)
{
  if (o->kind != OPERAND_REG)
    return true;
  const char *name = builder_register_name (p->b, thread, o->index);
  int writer = name_table_find (p->writers, slice_of (name));
  if (writer == (int) thread)
    return true;
  report (p->r.reporter, DIAG_ERROR, o->span,
          writer < 0 ? "'%s' is not written before" : "'%s' is written by another thread",
          name);
  return false;
}

static bool
note_destination (Parser *p, unsigned thread, const Operand *o)
{
  if (o->kind != OPERAND_REG)
    return true;
  const char *name = builder_register_name (p->b, thread, o->index);
  if (name_table_find (p->writers, slice_of (name)) >= 0) {
    report (p->r.reporter, DIAG_ERROR, o->span, "'%s' is written twice", name);
    return false;
  }
  name_table_add (p->writers, slice_of (name), thread);
  return true;
}

/* "== 1" behind a load or an atomic */
static bool
parse_result (Parser *p, unsigned thread, const Insn *insn)
{
  Reader *r = &p->r;
  size_t begin = r->c.token.begin;
  if (insn->dst.kind != OPERAND_REG) {
    reader_expected (r, "';' after an instruction without a result");
    return false;
  }
  cursor_next (&r->c);
  Cond *c = arena_new_of (r->arena, Cond);
  c->kind = COND_CMP;
  c->cmp = CMP_EQ;
  c->left_term = (CondTerm){ .kind = TERM_REG, .thread = thread, .index = insn->dst.index };
  if (!reader_integer (r, "a constant", &c->right_term.value))
    return false;
  c->span = reader_span_from (r, begin);
  builder_observe_register (p->b, thread, insn->dst.index);
  p->filter = cond_and (r->arena, p->filter, c);
  return true;
}

static bool
parse_insn (Parser *p, unsigned thread)
{
  Reader *r = &p->r;
  DraftInsn draft;
  if (!insn_parse (r, p->b, thread, DIALECT_NVLABS, &draft))
    return false;
  const Insn *insn = &draft.insn;
  if (!source_is_written (p, thread, &insn->addr) || !source_is_written (p, thread, &insn->a)
      || !source_is_written (p, thread, &insn->b) || !note_destination (p, thread, &insn->dst))
    return false;
  if (cursor_at (&r->c, TOKEN_EQ_EQ) && !parse_result (p, thread, insn))
    return false;
  return builder_add_insn (p->b, thread, &draft)
         && reader_expect (r, TOKEN_SEMICOLON, "after the instruction");
}

static void
skip_statement (Reader *r)
{
  while (!cursor_at (&r->c, TOKEN_SEMICOLON) && !cursor_at (&r->c, TOKEN_RBRACE)
         && !cursor_at (&r->c, TOKEN_END))
    cursor_next (&r->c);
  cursor_accept (&r->c, TOKEN_SEMICOLON);
}

/* "d0.b0.t0 { … }" */
static bool
parse_thread (Parser *p)
{
  Reader *r = &p->r;
  ThreadId id;
  size_t begin = r->c.token.begin;
  if (!parse_thread_id (r, &id))
    return false;
  int thread = find_thread (p, &id, reader_span_from (r, begin));
  if (thread < 0 || !reader_expect (r, TOKEN_LBRACE, "and instructions"))
    return false;
  while (!cursor_at (&r->c, TOKEN_RBRACE) && !cursor_at (&r->c, TOKEN_END)
         && !reporter_is_full (r->reporter))
    if (!cursor_accept (&r->c, TOKEN_SEMICOLON) && !parse_insn (p, (unsigned) thread))
      skip_statement (r);
  return reader_expect (r, TOKEN_RBRACE, "after the instructions");
}

/* ---- Commands -----------------------------------------------------------------------------
 */

static bool
parse_register_term (Parser *p, CondTerm *out)
{
  Reader *r = &p->r;
  Slice name = reader_slice (r);
  int thread = name_table_find (p->writers, name);
  if (thread < 0) {
    report (r->reporter, DIAG_ERROR, reader_span (r), "no instruction writes %s",
            cursor_describe (&r->c, r->c.token, r->arena));
    return false;
  }
  cursor_next (&r->c);
  out->kind = TERM_REG;
  out->thread = (unsigned) thread;
  out->index = builder_register (p->b, out->thread, name);
  if (p->command_count == p->selected)
    builder_observe_register (p->b, out->thread, out->index);
  return true;
}

static bool
parse_term (void *ctx, Reader *r, CondTerm *out)
{
  if (cursor_at (&r->c, TOKEN_NAME))
    return parse_register_term (ctx, out);
  out->kind = TERM_CONST;
  return reader_integer (r, "a register or a constant", &out->value);
}

static const struct {
  const char *word;
  Quantifier quantifier;
} command_words[] = {
  { "permit", QUANT_EXISTS },
  { "assert", QUANT_FORALL },
  { "check", QUANT_FORALL },
};

static Quantifier
accept_command (Reader *r)
{
  for (size_t i = 0; i < G_N_ELEMENTS (command_words); i++)
    if (cursor_accept_word (&r->c, command_words[i].word))
      return command_words[i].quantifier;
  return QUANT_NONE;
}

static bool
note_command (Parser *p, Slice name, Span span)
{
  if (name_table_find (p->commands, name) >= 0) {
    report (p->r.reporter, DIAG_ERROR, span, "there are two commands of this name");
    return false;
  }
  if (p->command_count == MAX_COMMANDS) {
    report (p->r.reporter, DIAG_ERROR, span, "more than %d commands", MAX_COMMANDS);
    return false;
  }
  name_table_add (p->commands, name, p->command_count);
  return true;
}

/* "permit (r0 != 1) as outcome;", behind the first word */
static bool
parse_command (Parser *p, Quantifier quantifier)
{
  Reader *r = &p->r;
  Slice name;
  Span span;
  if (!reader_expect (r, TOKEN_LPAREN, "and a condition"))
    return false;
  const Cond *condition = cond_parse (r, parse_term, p);
  if (condition == NULL || !reader_expect (r, TOKEN_RPAREN, "after the condition")
      || !expect_word (r, "as") || !parse_name (r, "the command's name", &name, &span)
      || !note_command (p, name, span) || !reader_expect (r, TOKEN_SEMICOLON, "after the name"))
    return false;
  if (p->command_count == p->selected) {
    builder_set_condition (p->b, quantifier, condition);
    p->selected_name = name;
  }
  p->command_count++;
  return true;
}

static void
parse_commands (Parser *p)
{
  Reader *r = &p->r;
  while (!cursor_at (&r->c, TOKEN_END) && !reporter_is_full (r->reporter)) {
    Quantifier quantifier = accept_command (r);
    if (quantifier == QUANT_NONE)
      reader_expected (r, "a thread such as 'd0.b0.t0', or 'permit', 'assert' or 'check'");
    if (quantifier == QUANT_NONE || !parse_command (p, quantifier))
      return;
  }
  if (p->command_count == 0)
    reader_expected (r, "'permit', 'assert' or 'check'");
}

static void
parse_test (Parser *p)
{
  Reader *r = &p->r;
  while (cursor_accept (&r->c, TOKEN_DOT) && !reporter_is_full (r->reporter))
    if (!parse_declaration (p))
      skip_statement (r);
  /* What is not declared now would be missed in every instruction. */
  if (r->reporter->errors > 0)
    return;
  while (cursor_at (&r->c, TOKEN_NAME) && cursor_peek (&r->c).kind == TOKEN_DOT)
    if (!parse_thread (p))
      return;
  if (builder_thread_count (p->b) == 0) {
    reader_expected (r, "a declaration or a thread such as 'd0.b0.t0'");
    return;
  }
  /* A bad instruction may have written what the condition names. */
  if (r->reporter->errors == 0)
    parse_commands (p);
}

/* ---- Names of tests -----------------------------------------------------------------------
 */

/* The file's name without folder and suffix, with only what a test's name may hold. */
static char *
base_name (Arena *a, const char *path)
{
  const char *slash = strrchr (path, '/');
  char *name = arena_strdup (a, slash == NULL ? path : slash + 1);
  char *dot = strrchr (name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c) || strchr ("\"{", *c) != NULL)
      *c = '_';
  return *name == '\0' ? arena_strdup (a, "test") : name;
}

/* ---- All commands of one text -------------------------------------------------------------
 */

typedef struct Suite {
  Arena *arena;
  const Source *source;
  Reporter *reporter;
  GPtrArray *programs;
  const char *base; /* of the programs' names */
  unsigned row;     /* counted from 1; 0: no rows */
} Suite;

/* A program for one command: the whole text is read for each, so that every program has its own
 * threads.  False when there was anything to complain about; *commands is how many there are.
 */
static bool
parse_one (Suite *s, const Cursor *start, unsigned selected, unsigned *commands)
{
  Arena *a = s->arena;
  Parser p = { .r = { *start, a, s->reporter }, .selected = selected };
  g_autoptr (Builder) b = builder_new (a, s->source, s->reporter);
  p.b = b;
  p.writers = name_table_new (a);
  p.commands = name_table_new (a);
  parse_test (&p);
  *commands = p.command_count;
  if (s->reporter->errors > 0)
    return false;
  const char *name = arena_printf (a, "%s/%.*s", s->base, (int) p.selected_name.length,
                                   p.selected_name.text);
  builder_set_name (b, s->row == 0 ? name : arena_printf (a, "%s#%u", name, s->row));
  builder_set_filter (b, p.filter);
  Program *program = builder_finish (b);
  if (program == NULL)
    return false;
  g_ptr_array_add (s->programs, program);
  return true;
}

static bool
parse_text (Suite *s, const Cursor *start)
{
  unsigned commands = 1;
  for (unsigned c = 0; c < commands; c++)
    if (!parse_one (s, start, c, &commands))
      return false;
  return true;
}

/* ---- Templates ----------------------------------------------------------------------------
 */

/* A range of bytes of the source. */
typedef struct Range {
  size_t begin;
  size_t end;
} Range;

typedef struct Template {
  const Source *source;
  Range body; /* before "$$" */
  Range rows; /* behind it */
  /* the row that is read just now */
  Range row;
  Range columns[MAX_COLUMNS];
  unsigned column_count;
  bool used[MAX_COLUMNS];
  size_t expanded; /* bytes of text so far, all rows together */
  GString *text;
  GArray *pieces; /* of CursorPiece */
} Template;

static unsigned
line_at (const Source *source, size_t at)
{
  return span_place ((Span){ source, at, at }).line;
}

/* The parameter "$12" at `at` and where it ends; false when there is none. */
static bool
parameter_at (const Template *t, size_t at, unsigned *parameter, size_t *end)
{
  const char *text = t->source->text;
  if (text[at] != '$' || !g_ascii_isdigit (text[at + 1]))
    return false;
  *parameter = 0;
  for (at++; at < t->body.end && g_ascii_isdigit (text[at]); at++)
    *parameter = MIN (*parameter * 10 + (unsigned) (text[at] - '0'), MAX_COLUMNS);
  *end = at;
  return true;
}

/* The line of the template that uses the column a place in a row lies in. */
static unsigned
line_of_use (const Template *t, size_t place)
{
  for (size_t at = t->body.begin; at < t->body.end; at++) {
    unsigned parameter = 0;
    size_t end = 0;
    if (parameter_at (t, at, &parameter, &end) && parameter < t->column_count
        && t->columns[parameter].begin <= place && place <= t->columns[parameter].end)
      return line_at (t->source, at);
  }
  return 0;
}

static const char *
template_note (const void *ctx, Arena *a, Span span)
{
  const Template *t = ctx;
  if (span.source == NULL || t->row.end == 0)
    return NULL;
  if (span.begin < t->body.end)
    return arena_printf (a, " (with the row in line %u)", line_at (t->source, t->row.begin));
  unsigned line = line_of_use (t, span.begin);
  return line == 0 ? NULL : arena_printf (a, " (used in line %u)", line);
}

static Range
trimmed (const Source *source, Range r)
{
  while (r.begin < r.end && g_ascii_isspace (source->text[r.begin]))
    r.begin++;
  while (r.begin < r.end && g_ascii_isspace (source->text[r.end - 1]))
    r.end--;
  return r;
}

/* The next line of the rows from *at on. */
static bool
next_line (const Template *t, size_t *at, Range *line)
{
  if (*at >= t->rows.end)
    return false;
  const char *begin = t->source->text + *at;
  const char *newline = memchr (begin, '\n', t->rows.end - *at);
  size_t length = newline == NULL ? t->rows.end - *at : (size_t) (newline - begin);
  *line = (Range){ *at, *at + length };
  *at += length + 1;
  return true;
}

static bool
split_columns (Template *t, Reporter *reporter)
{
  size_t begin = t->row.begin;
  t->column_count = 0;
  memset (t->used, 0, sizeof (t->used));
  for (size_t at = begin; at <= t->row.end; at++) {
    if (at < t->row.end && t->source->text[at] != '|')
      continue;
    if (t->column_count == MAX_COLUMNS) {
      report (reporter, DIAG_ERROR, (Span){ t->source, begin, t->row.end },
              "more than %d columns", MAX_COLUMNS);
      return false;
    }
    t->columns[t->column_count++] = trimmed (t->source, (Range){ begin, at });
    begin = at + 1;
  }
  return true;
}

static void
append_piece (Template *t, Range range)
{
  t->expanded += range.end - range.begin;
  CursorPiece piece = { t->text->len, range.begin };
  g_array_append_val (t->pieces, piece);
  g_string_append_len (t->text, t->source->text + range.begin,
                       (gssize) (range.end - range.begin));
}

/* The template's text with the columns of the row in place. */
static bool
expand (Template *t, Reporter *reporter)
{
  size_t begin = t->body.begin;
  g_string_truncate (t->text, 0);
  g_array_set_size (t->pieces, 0);
  for (size_t at = begin; at < t->body.end && t->expanded <= MAX_EXPANDED;) {
    unsigned parameter = 0;
    size_t end = 0;
    if (!parameter_at (t, at, &parameter, &end)) {
      at++;
      continue;
    }
    if (parameter >= t->column_count) {
      report (reporter, DIAG_ERROR, (Span){ t->source, at, end }, "the row has no column $%u",
              parameter);
      return false;
    }
    append_piece (t, (Range){ begin, at });
    append_piece (t, t->columns[parameter]);
    t->used[parameter] = true;
    begin = at = end;
  }
  append_piece (t, (Range){ begin, t->body.end });
  if (t->expanded > MAX_EXPANDED)
    report (reporter, DIAG_ERROR, (Span){ t->source, t->row.begin, t->row.end },
            "the rows give more than %d MiB of text", MAX_EXPANDED >> 20);
  return t->expanded <= MAX_EXPANDED;
}

static void
warn_of_unused_columns (const Template *t, Reporter *reporter)
{
  for (unsigned c = 0; c < t->column_count; c++)
    if (!t->used[c])
      report (reporter, DIAG_WARNING,
              (Span){ t->source, t->columns[c].begin, t->columns[c].end },
              "the template does not use this column, $%u", c);
}

static void
parse_row (Template *t, Suite *s)
{
  if (!split_columns (t, s->reporter) || !expand (t, s->reporter))
    return;
  warn_of_unused_columns (t, s->reporter);
  const char *text = arena_strndup (s->arena, t->text->str, t->text->len);
  const CursorPiece *pieces
      = arena_copy (s->arena, t->pieces->data, t->pieces->len * sizeof (CursorPiece));
  Cursor start = cursor_new_pieces (t->source, text, t->text->len, pieces, t->pieces->len);
  parse_text (s, &start);
}

/* Errors in the template itself would come again with every row, so one bad row is the last. */
static void
parse_rows (Template *t, Suite *s)
{
  size_t at = t->rows.begin;
  Range line;
  while (next_line (t, &at, &line) && s->reporter->errors == 0) {
    Range content = trimmed (t->source, line);
    if (content.begin == content.end || t->source->text[line.begin] == '#')
      continue;
    t->row = content;
    s->row++;
    parse_row (t, s);
  }
  if (s->row == 0)
    report (s->reporter, DIAG_ERROR, (Span){ t->source, t->rows.begin, t->rows.end },
            "no rows behind '$$'");
}

static bool
find_rows (Template *t, Reporter *reporter)
{
  const char *text = t->source->text;
  const char *mark = g_strstr_len (text, (gssize) t->source->length, "$$");
  if (mark == NULL)
    return false;
  size_t at = (size_t) (mark - text);
  t->body.end = at;
  t->rows = (Range){ at + 2, t->source->length };
  const char *second = g_strstr_len (mark + 2, (gssize) (t->source->length - at - 2), "$$");
  size_t again = second == NULL ? 0 : (size_t) (second - text);
  if (second != NULL)
    report (reporter, DIAG_ERROR, (Span){ t->source, again, again + 2 }, "a second '$$'");
  return true;
}

static const Program **
take_programs (Suite *s, unsigned *count)
{
  *count = s->programs->len;
  return arena_copy (s->arena, s->programs->pdata, s->programs->len * sizeof (gpointer));
}

const Program **
nvlabs_parse (Arena *a, const Source *source, Diags *diags, unsigned *count)
{
  g_autoptr (GPtrArray) programs = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (CursorPiece));
  Template t = { .source = source, .text = text, .pieces = pieces };
  Reporter reporter = { .arena = a, .diags = diags, .note = template_note, .ctx = &t };
  Suite s = { a, source, &reporter, programs, base_name (a, source->name), 0 };
  Cursor start = cursor_new (source);
  t.body.begin = start.token.begin;
  if (!find_rows (&t, &reporter))
    parse_text (&s, &start);
  else if (reporter.errors == 0)
    parse_rows (&t, &s);
  *count = 0;
  return reporter.errors > 0 ? NULL : take_programs (&s, count);
}
