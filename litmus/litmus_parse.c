/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/litmus_parse.h"

#include <string.h>

#include "litmus/insn_parse.h"
#include "litmus/litmus_parser.h"

/* ---- Name and description -----------------------------------------------------------------
 */

/* The name is a word up to the next blank: "LB+NoThinAir", "IRIW/3". */
static bool
parse_title (LitmusParser *p)
{
  Reader *r = &p->r;
  if (!cursor_at_word (&r->c, "PTX") && !cursor_at_word (&r->c, "ptx")) {
    reader_expected (r, "'PTX' and the name of the test");
    return false;
  }
  size_t begin = r->c.token.end;
  while (r->c.text[begin] == ' ' || r->c.text[begin] == '\t')
    begin++;
  size_t end = begin;
  while ((unsigned char) r->c.text[end] > ' ' && strchr ("\"{", r->c.text[end]) == NULL)
    end++;
  if (end == begin) {
    report (r->reporter, DIAG_ERROR, cursor_range (&r->c, begin, begin + 1),
            "expected the name of the test");
    return false;
  }
  char *name = arena_strndup (r->arena, r->c.text + begin, end - begin);
  if (!g_utf8_validate (name, -1, NULL)) {
    report (r->reporter, DIAG_ERROR, cursor_range (&r->c, begin, end),
            "this name is not UTF-8 text");
    return false;
  }
  builder_set_name (p->b, name);
  cursor_seek (&r->c, end);
  return true;
}

static void
skip_line (Reader *r)
{
  const char *newline
      = memchr (r->c.text + r->c.token.begin, '\n', r->c.length - r->c.token.begin);
  cursor_seek (&r->c, newline == NULL ? r->c.length : (size_t) (newline - r->c.text));
}

/* After a string: text that is neither another string nor '{', up to the next quote.  The
 * description then holds quotes itself; they become single ones, so that it can be printed. */
static bool
append_quoted_part (Reader *r, GString *doc)
{
  size_t begin = r->c.previous_end;
  size_t end = begin;
  while (end < r->c.length && strchr ("\"{", r->c.text[end]) == NULL)
    end++;
  if (end == r->c.length || r->c.text[end] != '"')
    return false;
  g_string_append_c (doc, '\'');
  g_string_append_len (doc, r->c.text + begin, (gssize) (end - begin));
  g_string_append_c (doc, '\'');
  cursor_seek (&r->c, end);
  return cursor_at (&r->c, TOKEN_STRING);
}

static void
append_string (Reader *r, GString *doc)
{
  Token string = r->c.token;
  g_string_append_len (doc, r->c.text + string.begin + 1,
                       (gssize) (string.end - string.begin - 2));
  cursor_next (&r->c);
}

/* Description strings, and lines such as "Generator=diy7" that generators leave. */
static bool
parse_description (LitmusParser *p)
{
  Reader *r = &p->r;
  bool has_doc = false;
  g_autoptr (GString) doc = g_string_new (NULL);
  while (!cursor_at (&r->c, TOKEN_LBRACE)) {
    if (cursor_at (&r->c, TOKEN_NAME) && cursor_peek (&r->c).kind == TOKEN_EQ) {
      skip_line (r);
      continue;
    }
    bool is_string = cursor_at (&r->c, TOKEN_STRING);
    if (!is_string && !(has_doc && append_quoted_part (r, doc))) {
      reader_expected (r, "a description in quotes or '{'");
      return false;
    }
    if (is_string && has_doc)
      g_string_append_c (doc, '\n');
    append_string (r, doc);
    has_doc = true;
  }
  if (!has_doc)
    return true;
  g_autofree char *valid = g_utf8_make_valid (doc->str, (gssize) doc->len);
  builder_set_doc (p->b, arena_strdup (r->arena, valid));
  return true;
}

/* ---- Header -------------------------------------------------------------------------------
 */

typedef enum PlaceKey { KEY_CTA, KEY_CLUSTER, KEY_GPU, KEY_WARP, KEY_COUNT } PlaceKey;

static const char *const key_names[] = { "cta", "cluster", "gpu", "warp" };

typedef struct Header {
  bool has[KEY_COUNT];
  unsigned value[KEY_COUNT];
} Header;

/* "cta 0" */
static bool
parse_place_key (Reader *r, Header *h)
{
  for (int key = 0; key < KEY_COUNT; key++) {
    if (!cursor_at_word (&r->c, key_names[key]))
      continue;
    if (h->has[key]) {
      report (r->reporter, DIAG_ERROR, reader_span (r), "'%s' is there twice", key_names[key]);
      return false;
    }
    cursor_next (&r->c);
    h->has[key] = true;
    return reader_small (r, "a number", BUILDER_MAX_NUMBER, &h->value[key]);
  }
  reader_expected (r, "'cta', 'cluster', 'gpu' or 'warp'");
  return false;
}

static bool
header_is_complete (Reader *r, const Header *h, Span span)
{
  static const PlaceKey needed[] = { KEY_CTA, KEY_GPU };
  for (size_t i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!h->has[needed[i]]) {
      report (r->reporter, DIAG_ERROR, span, "this thread needs '%s' and its number",
              key_names[needed[i]]);
      return false;
    }
  return true;
}

/* One thread says where its cluster is, another does not. */
static bool
clusters_agree (LitmusParser *p, const Placement *place, Span span)
{
  if (builder_thread_count (p->b) == 0)
    p->has_clusters = place->cluster_written;
  if (p->has_clusters == place->cluster_written)
    return true;
  report (p->r.reporter, DIAG_ERROR, span,
          "either every thread names its cluster or none does");
  return false;
}

/* "P0@cta 0,gpu 0" */
static bool
parse_thread_header (LitmusParser *p)
{
  Reader *r = &p->r;
  Header h = { 0 };
  uint64_t number = 0;
  size_t begin = r->c.token.begin;
  if (!cursor_at (&r->c, TOKEN_NAME) || !litmus_thread_number (r, &number)
      || number > BUILDER_MAX_NUMBER) {
    reader_expected (r, "a thread such as 'P0'");
    return false;
  }
  cursor_next (&r->c);
  if (!reader_expect (r, TOKEN_AT, "and where the thread runs"))
    return false;
  do {
    if (!parse_place_key (r, &h))
      return false;
  } while (cursor_accept (&r->c, TOKEN_COMMA));
  Span span = reader_span_from (r, begin);
  if (!header_is_complete (r, &h, span))
    return false;
  Placement place = { .cta = h.value[KEY_CTA],
                      .cluster = h.value[KEY_CLUSTER],
                      .gpu = h.value[KEY_GPU],
                      .cluster_written = h.has[KEY_CLUSTER],
                      .warp = h.has[KEY_WARP] ? (int) h.value[KEY_WARP] : -1 };
  return clusters_agree (p, &place, span)
         && builder_add_thread (p->b, (unsigned) number, &place, span) >= 0;
}

/* "not exists"; PTX also has an instruction "not". */
static bool
at_not_exists (const Reader *r)
{
  Cursor ahead = r->c;
  return cursor_accept_word (&ahead, "not") && cursor_at_word (&ahead, "exists");
}

/* What ends the table of instructions. */
static bool
at_question (const Reader *r)
{
  static const char *const words[] = { "exists", "forall", "filter", "locations" };
  if (cursor_at (&r->c, TOKEN_END) || cursor_at (&r->c, TOKEN_TILDE) || at_not_exists (r))
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (cursor_at_word (&r->c, words[i]))
      return true;
  return false;
}

/* To the '|' or ';' after an error, but not into the condition. */
static void
skip_cell (Reader *r)
{
  while (!cursor_at (&r->c, TOKEN_BAR) && !cursor_at (&r->c, TOKEN_SEMICOLON)
         && !at_question (r))
    cursor_next (&r->c);
}

static bool
parse_header (LitmusParser *p)
{
  Reader *r = &p->r;
  do {
    if (!parse_thread_header (p)) {
      p->columns_unsure = true;
      skip_cell (r);
    }
    if (reporter_is_full (r->reporter) || builder_thread_count (p->b) == BUILDER_MAX_THREADS)
      break;
  } while (cursor_accept (&r->c, TOKEN_BAR));
  if (cursor_at (&r->c, TOKEN_BAR)) {
    report (r->reporter, DIAG_ERROR, reader_span (r), "more than %d threads",
            BUILDER_MAX_THREADS);
    return false;
  }
  return reader_expect (r, TOKEN_SEMICOLON, "or '|' after a thread");
}

/* ---- Instructions -------------------------------------------------------------------------
 */

/* Labels, then at most one instruction. */
static bool
parse_cell (LitmusParser *p, unsigned thread)
{
  Reader *r = &p->r;
  DraftInsn draft;
  while (cursor_at (&r->c, TOKEN_NAME) && cursor_peek (&r->c).kind == TOKEN_COLON) {
    builder_add_label (p->b, thread, reader_slice (r), reader_span (r));
    cursor_next (&r->c);
    cursor_next (&r->c);
  }
  if (cursor_at (&r->c, TOKEN_BAR) || cursor_at (&r->c, TOKEN_SEMICOLON))
    return true;
  return insn_parse (r, p->b, thread, DIALECT_LITMUS, &draft)
         && builder_add_insn (p->b, thread, &draft);
}

static void
check_columns (LitmusParser *p, unsigned columns, size_t begin)
{
  unsigned threads = builder_thread_count (p->b);
  if (p->columns_unsure || columns == threads)
    return;
  p->columns_unsure = true;
  report (p->r.reporter, DIAG_ERROR, reader_span_from (&p->r, begin),
          "%u column%s for %u thread%s", columns, columns == 1 ? "" : "s", threads,
          threads == 1 ? "" : "s");
}

/* A column too many is not read: nobody would know whose it is. */
static void
parse_row (LitmusParser *p)
{
  Reader *r = &p->r;
  unsigned column = 0;
  size_t begin = r->c.token.begin;
  do {
    bool good = column < builder_thread_count (p->b) && parse_cell (p, column);
    column++;
    if (good && !cursor_at (&r->c, TOKEN_BAR) && !cursor_at (&r->c, TOKEN_SEMICOLON)) {
      reader_expected (r, "'|' or ';' after an instruction");
      good = false;
    }
    if (!good)
      skip_cell (r);
  } while (cursor_accept (&r->c, TOKEN_BAR) && !reporter_is_full (r->reporter));
  check_columns (p, column, begin);
  if (!cursor_accept (&r->c, TOKEN_SEMICOLON) && r->reporter->errors == 0)
    reader_expected (r, "';' at the end of the row");
}

/* ---- All of it ----------------------------------------------------------------------------
 */

static void
parse_test (LitmusParser *p)
{
  Reader *r = &p->r;
  if (!parse_title (p) || !parse_description (p))
    return;
  size_t init_begin = r->c.token.begin;
  if (!litmus_parse_init (p))
    return;
  bool init_is_good = r->reporter->errors == 0;
  if (!parse_header (p))
    return;
  if (init_is_good)
    litmus_parse_register_init (p, init_begin);
  while (!at_question (r) && !reporter_is_full (r->reporter))
    parse_row (p);
  p->code_is_bad = r->reporter->errors > 0;
  if (at_question (r))
    litmus_parse_question (p);
}

const Program *
litmus_parse (Arena *a, const Source *source, Diags *diags)
{
  Reporter reporter = { .arena = a, .diags = diags };
  LitmusParser p = { .r = { cursor_new (source), a, &reporter } };
  g_autoptr (Builder) b = builder_new (a, source, &reporter);
  p.b = b;
  parse_test (&p);
  return builder_finish (b);
}
