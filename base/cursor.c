/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cursor.h"

#include <string.h>

enum { LONGEST_SHOWN_TOKEN = 40 };

const char *
token_kind_name (TokenKind kind)
{
  static const char *const names[] = {
#define WORD_NAME(id, text)  [TOKEN_##id] = text,
#define PUNCT_NAME(id, text) [TOKEN_##id] = "'" text "'",
    TOKEN_KINDS (WORD_NAME, PUNCT_NAME)
#undef WORD_NAME
#undef PUNCT_NAME
  };
  return names[kind];
}

/* ---- Characters ---------------------------------------------------------------------------
 */

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static bool
is_name_start (char c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '$' || c == '%';
}

static bool
is_name_part (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$';
}

/* The text has a NUL after its last byte, so that one byte past a byte may be looked at. */
static bool
starts_with (const Cursor *c, size_t at, const char *two)
{
  return at + 1 < c->length && c->text[at] == two[0] && c->text[at + 1] == two[1];
}

static size_t
line_end (const Cursor *c, size_t at)
{
  const char *newline = memchr (c->text + at, '\n', c->length - at);
  return newline == NULL ? c->length : (size_t) (newline - c->text);
}

/* ---- What stands between tokens -----------------------------------------------------------
 */

/* Past the "*)" that ends the comment whose "(*" is at `at`; past the text when none does. */
static size_t
skip_nested_comment (const Cursor *c, size_t at)
{
  unsigned depth = 0;
  while (at < c->length) {
    if (starts_with (c, at, "(*")) {
      depth++;
      at += 2;
    } else if (starts_with (c, at, "*)")) {
      depth--;
      at += 2;
      if (depth == 0)
        return at;
    } else {
      at++;
    }
  }
  return c->length + 1;
}

static size_t
skip_angles (const Cursor *c, size_t at)
{
  for (at += 2; at < c->length; at++)
    if (starts_with (c, at, ">>"))
      return at + 2;
  return c->length + 1;
}

static void
set_bad (Cursor *c, size_t begin, size_t end, const char *message)
{
  c->token = (Token){ TOKEN_BAD, begin, end };
  c->bad = message;
  c->at = end;
}

/* Moves `at` to the next token.  False when an unfinished comment was found instead, which is
 * then the current token and reaches to the end of the text. */
static bool
skip_between (Cursor *c)
{
  while (c->at < c->length) {
    size_t begin = c->at;
    if (is_blank (c->text[begin])) {
      c->at++;
    } else if (starts_with (c, begin, "//")) {
      c->at = line_end (c, begin);
    } else if (starts_with (c, begin, "(*")) {
      c->at = skip_nested_comment (c, begin);
    } else if (starts_with (c, begin, "<<")) {
      c->at = skip_angles (c, begin);
    } else {
      return true;
    }
    if (c->at > c->length) {
      set_bad (c, begin, c->length,
               c->text[begin] == '<' ? "no '>>' ends this '<<'"
                                     : "this '(*' starts a comment that has no end");
      return false;
    }
  }
  return true;
}

/* ---- Tokens -------------------------------------------------------------------------------
 */

static const struct {
  char text[3];
  TokenKind kind;
} two_characters[] = {
  { "::", TOKEN_COLONS }, { "&&", TOKEN_AMP_AMP }, { "/\\", TOKEN_WEDGE }, { "\\/", TOKEN_VEE },
  { "==", TOKEN_EQ_EQ },  { "!=", TOKEN_NE },      { "<=", TOKEN_LE },     { ">=", TOKEN_GE },
};

static const TokenKind one_character[128] = {
  ['('] = TOKEN_LPAREN, [')'] = TOKEN_RPAREN, ['['] = TOKEN_LBRACKET,  [']'] = TOKEN_RBRACKET,
  ['{'] = TOKEN_LBRACE, ['}'] = TOKEN_RBRACE, [';'] = TOKEN_SEMICOLON, [','] = TOKEN_COMMA,
  ['.'] = TOKEN_DOT,    [':'] = TOKEN_COLON,  ['@'] = TOKEN_AT,        ['|'] = TOKEN_BAR,
  ['&'] = TOKEN_AMP,    ['*'] = TOKEN_STAR,   ['+'] = TOKEN_PLUS,      ['-'] = TOKEN_MINUS,
  ['~'] = TOKEN_TILDE,  ['!'] = TOKEN_BANG,   ['='] = TOKEN_EQ,        ['<'] = TOKEN_LT,
  ['>'] = TOKEN_GT,     ['/'] = TOKEN_SLASH,
};

static void
set_token (Cursor *c, TokenKind kind, size_t end)
{
  c->token = (Token){ kind, c->at, end };
  c->at = end;
}

static void
read_word (Cursor *c, TokenKind kind)
{
  size_t end = c->at + 1;
  while (end < c->length && is_name_part (c->text[end]))
    end++;
  set_token (c, kind, end);
}

static void
read_string (Cursor *c)
{
  size_t begin = c->at;
  const char *quote = memchr (c->text + begin + 1, '"', c->length - begin - 1);
  if (quote == NULL) {
    set_bad (c, begin, c->length, "this string has no closing '\"'");
    return;
  }
  size_t end = (size_t) (quote - c->text) + 1;
  if (memchr (c->text + begin, '\0', end - begin) != NULL)
    set_bad (c, begin, end, "this string holds a NUL byte");
  else
    set_token (c, TOKEN_STRING, end);
}

/* All bytes of a character outside ASCII are one bad token, so that one message speaks of it.
 */
static void
read_bad (Cursor *c)
{
  size_t begin = c->at;
  size_t end = begin + 1;
  while (end < c->length && (c->text[end] & 0xc0) == 0x80)
    end++;
  set_bad (c, begin, end,
           c->text[begin] == '\0' ? "a NUL byte: this is not a text file"
                                  : "this character has no meaning here");
}

static void
read_punctuation (Cursor *c)
{
  for (size_t i = 0; i < G_N_ELEMENTS (two_characters); i++)
    if (starts_with (c, c->at, two_characters[i].text)) {
      set_token (c, two_characters[i].kind, c->at + 2);
      return;
    }
  unsigned char first = (unsigned char) c->text[c->at];
  TokenKind kind = first < G_N_ELEMENTS (one_character) ? one_character[first] : TOKEN_END;
  if (kind == TOKEN_END)
    read_bad (c);
  else
    set_token (c, kind, c->at + 1);
}

void
cursor_next (Cursor *c)
{
  c->previous_end = c->token.end;
  if (!skip_between (c))
    return;
  if (c->at >= c->length) {
    c->at = c->length;
    set_token (c, TOKEN_END, c->length);
    return;
  }
  char first = c->text[c->at];
  if (is_name_start (first))
    read_word (c, TOKEN_NAME);
  else if (g_ascii_isdigit (first))
    read_word (c, TOKEN_NUMBER);
  else if (first == '"')
    read_string (c);
  else
    read_punctuation (c);
}

/* ---- Moving -------------------------------------------------------------------------------
 */

void
cursor_seek (Cursor *c, size_t at)
{
  c->at = at;
  c->token = (Token){ TOKEN_END, at, at };
  cursor_next (c);
}

Cursor
cursor_new (const Source *source)
{
  Cursor c = { .source = source, .text = source->text, .length = source->length };
  size_t at = 0;
  if (c.length >= 3 && memcmp (c.text, "\xef\xbb\xbf", 3) == 0)
    at = 3;
  if (starts_with (&c, at, "#!"))
    at = line_end (&c, at);
  cursor_seek (&c, at);
  return c;
}

Cursor
cursor_new_pieces (const Source *source, const char *text, size_t length,
                   const CursorPiece *pieces, size_t piece_count)
{
  g_assert (piece_count > 0 && pieces[0].begin == 0);
  Cursor c = { .source = source,
               .text = text,
               .length = length,
               .pieces = pieces,
               .piece_count = piece_count };
  cursor_seek (&c, 0);
  return c;
}

Token
cursor_peek (const Cursor *c)
{
  Cursor ahead = *c;
  cursor_next (&ahead);
  return ahead.token;
}

bool
cursor_accept (Cursor *c, TokenKind kind)
{
  if (c->token.kind != kind)
    return false;
  cursor_next (c);
  return true;
}

bool
cursor_at_word (const Cursor *c, const char *word)
{
  size_t length = c->token.end - c->token.begin;
  return c->token.kind == TOKEN_NAME && strlen (word) == length
         && memcmp (c->text + c->token.begin, word, length) == 0;
}

bool
cursor_accept_word (Cursor *c, const char *word)
{
  if (!cursor_at_word (c, word))
    return false;
  cursor_next (c);
  return true;
}

/* ---- Places and texts ---------------------------------------------------------------------
 */

static size_t
piece_of (const Cursor *c, size_t at)
{
  size_t low = 0;
  size_t high = c->piece_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (c->pieces[middle].begin <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* A range that spans several pieces is cut at the end of its first one: what follows there in
 * the source is something else. */
Span
cursor_range (const Cursor *c, size_t begin, size_t end)
{
  if (c->piece_count == 0)
    return (Span){ c->source, begin, end };
  size_t piece = piece_of (c, begin);
  if (piece + 1 < c->piece_count)
    end = MAX (begin, MIN (end, c->pieces[piece + 1].begin));
  size_t origin = c->pieces[piece].origin;
  size_t base = c->pieces[piece].begin;
  return (Span){ c->source, origin + (begin - base), origin + (end - base) };
}

Span
cursor_span (const Cursor *c, Token token)
{
  return cursor_range (c, token.begin, token.end);
}

const char *
cursor_describe (const Cursor *c, Token token, Arena *a)
{
  if (token.kind == TOKEN_END || token.kind == TOKEN_STRING)
    return token_kind_name (token.kind);
  size_t length = token.end - token.begin;
  bool is_long = length > LONGEST_SHOWN_TOKEN;
  return arena_printf (a, "'%.*s%s'", (int) MIN (length, LONGEST_SHOWN_TOKEN),
                       c->text + token.begin, is_long ? "..." : "");
}

char *
cursor_text (const Cursor *c, Token token, Arena *a)
{
  size_t quote = token.kind == TOKEN_STRING ? 1 : 0;
  return arena_strndup (a, c->text + token.begin + quote, token.end - token.begin - 2 * quote);
}

NumberResult
cursor_number (const Cursor *c, Token token, uint64_t *value)
{
  size_t at = token.begin;
  unsigned base = 10;
  if (token.end - at > 2 && c->text[at] == '0' && (c->text[at + 1] | 0x20) == 'x') {
    base = 16;
    at += 2;
  }
  *value = 0;
  bool too_large = false;
  for (; at < token.end; at++) {
    int digit = g_ascii_xdigit_value (c->text[at]);
    if (digit < 0 || (unsigned) digit >= base)
      return NUMBER_MALFORMED;
    too_large = too_large || *value > (UINT64_MAX - (unsigned) digit) / base;
    *value = *value * base + (unsigned) digit;
  }
  return too_large ? NUMBER_TOO_LARGE : NUMBER_OK;
}
