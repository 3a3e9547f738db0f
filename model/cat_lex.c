/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat_lex.h"

#include <string.h>

typedef struct Lexer {
  Arena *arena;
  const Source *source;
  Diags *diags;
  size_t at;
  bool nests; /* comments in parentheses do */
  GArray *tokens;
} Lexer;

/* ---- Tables -------------------------------------------------------------------------------
 */

static const struct {
  const char *word;
  CatTok kind;
} keywords[] = {
  { "let", TOK_LET },       { "rec", TOK_REC },
  { "and", TOK_AND },       { "in", TOK_IN },
  { "as", TOK_AS },         { "acyclic", TOK_ACYCLIC },
  { "empty", TOK_EMPTY },   { "irreflexive", TOK_IRREFLEXIVE },
  { "flag", TOK_FLAG },     { "show", TOK_SHOW },
  { "unshow", TOK_UNSHOW }, { "include", TOK_INCLUDE },
  { "domain", TOK_DOMAIN }, { "range", TOK_RANGE },
};

/* Words of herd's and of Dartagnan's cat outside the relational algebra. */
static const struct {
  const char *word;
  CatRefusal refusal;
} refused_words[] = {
  { "begin", REFUSED_BLOCK },
  { "call", REFUSED_STATEMENT },
  { "debug", REFUSED_STATEMENT },
  { "default", REFUSED_STATEMENT },
  { "do", REFUSED_WORD },
  { "else", REFUSED_WORD },
  { "end", REFUSED_END },
  { "enum", REFUSED_STATEMENT },
  { "forall", REFUSED_STATEMENT_BLOCK },
  { "foreach", REFUSED_STATEMENT },
  { "from", REFUSED_WORD },
  { "fun", REFUSED_WORD },
  { "if", REFUSED_WORD },
  { "instructions", REFUSED_STATEMENT },
  { "match", REFUSED_BLOCK },
  { "newRelation", REFUSED_WORD },
  { "newSet", REFUSED_WORD },
  { "procedure", REFUSED_STATEMENT_BLOCK },
  { "subset", REFUSED_WORD },
  { "then", REFUSED_WORD },
  { "try", REFUSED_WORD },
  { "undefined_unless", REFUSED_STATEMENT },
  { "when", REFUSED_WORD },
  { "with", REFUSED_WORD },
};

/* A longer sign comes before its prefixes. */
static const struct {
  const char *sign;
  CatTok kind;
} signs[] = {
  { "||", TOK_REFUSED }, { "&&", TOK_REFUSED },   { "++", TOK_REFUSED }, { "->", TOK_REFUSED },
  { "{", TOK_REFUSED },  { "}", TOK_REFUSED },    { "-1", TOK_INVERSE }, { "|", TOK_BAR },
  { "&", TOK_AMP },      { "\\", TOK_BACKSLASH }, { ";", TOK_SEMI },     { "*", TOK_STAR },
  { "+", TOK_PLUS },     { "?", TOK_QUESTION },   { "^", TOK_HAT },      { "~", TOK_TILDE },
  { "(", TOK_LPAREN },   { ")", TOK_RPAREN },     { "[", TOK_LBRACKET }, { "]", TOK_RBRACKET },
  { ",", TOK_COMMA },    { "=", TOK_EQUAL },
};

/* ---- Characters ---------------------------------------------------------------------------
 */

static char
peek (const Lexer *l, size_t ahead)
{
  if (l->at + ahead >= l->source->length)
    return 0;
  return l->source->text[l->at + ahead];
}

static bool
at_end (const Lexer *l)
{
  return l->at >= l->source->length;
}

static bool
at_text (const Lexer *l, const char *text)
{
  const size_t length = strlen (text);
  return l->source->length - l->at >= length
         && memcmp (l->source->text + l->at, text, length) == 0;
}

static bool
begins_name (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

static bool
continues_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '-';
}

static Span
span_from (const Lexer *l, size_t begin)
{
  return (Span){ l->source, begin, l->at };
}

static void
push (Lexer *l, CatTok kind, size_t begin, const char *text)
{
  CatToken token = { kind, REFUSED_WORD, begin, l->at, text };
  g_array_append_val (l->tokens, token);
}

/* ---- Blanks and comments ------------------------------------------------------------------
 */

static void
skip_line (Lexer *l)
{
  while (!at_end (l) && peek (l, 0) != '\n')
    l->at++;
}

static void
report_unclosed (const Lexer *l, size_t begin)
{
  diags_add (l->diags, DIAG_ERROR, (Span){ l->source, begin, begin + 2 },
             "this comment is not closed");
}

/* The end of the comment that begins here, or 0 when it has none. */
static size_t
comment_end (const Lexer *l)
{
  const char *text = l->source->text;
  unsigned depth = 0;
  for (size_t i = l->at; i + 1 < l->source->length; i++) {
    if (text[i] == '(' && text[i + 1] == '*') {
      depth += depth == 0 || l->nests;
      i++;
    } else if (text[i] == '*' && text[i + 1] == ')') {
      i++;
      if (--depth == 0)
        return i + 1;
    }
  }
  return 0;
}

/* Comments in parentheses nest, as in herd.  In Dartagnan they do not, and a file may rely on
 * that: where a comment would stay open, it and those after it do not nest. */
static void
skip_comment (Lexer *l)
{
  size_t end = comment_end (l);
  if (end == 0 && l->nests) {
    l->nests = false;
    end = comment_end (l);
  }
  if (end == 0)
    report_unclosed (l, l->at);
  l->at = end == 0 ? l->source->length : end;
}

static void
skip_c_comment (Lexer *l)
{
  const size_t begin = l->at;
  for (l->at += 2; !at_end (l); l->at++)
    if (at_text (l, "*/")) {
      l->at += 2;
      return;
    }
  report_unclosed (l, begin);
}

/* True when something was skipped. */
static bool
skip_blank (Lexer *l)
{
  if (g_ascii_isspace (peek (l, 0)))
    l->at++;
  else if (at_text (l, "(*"))
    skip_comment (l);
  else if (at_text (l, "/*"))
    skip_c_comment (l);
  else if (at_text (l, "//") || peek (l, 0) == '#')
    skip_line (l);
  else
    return false;
  return true;
}

/* ---- Tokens -------------------------------------------------------------------------------
 */

static bool
push_refused_word (Lexer *l, size_t begin, const char *word)
{
  for (size_t i = 0; i < G_N_ELEMENTS (refused_words); i++)
    if (strcmp (word, refused_words[i].word) == 0) {
      push (l, TOK_REFUSED, begin, word);
      g_array_index (l->tokens, CatToken, l->tokens->len - 1).refusal
          = refused_words[i].refusal;
      return true;
    }
  return false;
}

static void
push_word (Lexer *l, size_t begin, const char *word)
{
  if (strcmp (word, "_") == 0) {
    push (l, TOK_UNDERSCORE, begin, word);
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strcmp (word, keywords[i].word) == 0) {
      push (l, keywords[i].kind, begin, word);
      return;
    }
  if (!push_refused_word (l, begin, word))
    push (l, TOK_NAME, begin, word);
}

/* A name may end in one quotation mark. */
static void
lex_word (Lexer *l)
{
  const size_t begin = l->at;
  while (continues_name (peek (l, 0)))
    l->at++;
  if (peek (l, 0) == '\'')
    l->at++;
  push_word (l, begin, arena_strndup (l->arena, l->source->text + begin, l->at - begin));
}

static void
lex_string (Lexer *l)
{
  const size_t begin = l->at++;
  while (!at_end (l) && peek (l, 0) != '"' && peek (l, 0) != '\n')
    l->at++;
  if (peek (l, 0) != '"') {
    diags_add (l->diags, DIAG_ERROR, span_from (l, begin), "this string is not closed");
    push (l, TOK_WRONG, begin, NULL);
    return;
  }
  l->at++;
  push (l, TOK_STRING, begin,
        arena_strndup (l->arena, l->source->text + begin + 1, l->at - begin - 2));
}

/* 0 is the only number of the language. */
static void
lex_number (Lexer *l)
{
  const size_t begin = l->at;
  while (continues_name (peek (l, 0)))
    l->at++;
  const bool is_zero = l->at == begin + 1 && l->source->text[begin] == '0';
  push (l, is_zero ? TOK_ZERO : TOK_WRONG, begin, NULL);
  if (!is_zero)
    diags_add (l->diags, DIAG_ERROR, span_from (l, begin),
               "a number that is not 0 (names begin with a letter)");
}

/* 'name, a tag of herd. */
static void
lex_tag (Lexer *l)
{
  const size_t begin = l->at++;
  while (continues_name (peek (l, 0)))
    l->at++;
  push (l, TOK_REFUSED, begin,
        arena_strndup (l->arena, l->source->text + begin, l->at - begin));
}

static bool
lex_sign (Lexer *l)
{
  for (size_t i = 0; i < G_N_ELEMENTS (signs); i++)
    if (at_text (l, signs[i].sign)) {
      const size_t begin = l->at;
      l->at += strlen (signs[i].sign);
      push (l, signs[i].kind, begin, signs[i].sign);
      return true;
    }
  return false;
}

/* One message for a run of bytes that begin no token. */
static void
report_unexpected (Lexer *l)
{
  const size_t begin = l->at;
  const char c = peek (l, 0);
  for (l->at++; !at_end (l); l->at++) {
    const char next = peek (l, 0);
    if (g_ascii_isspace (next) || (g_ascii_isgraph (next) && next != c))
      break;
  }
  push (l, TOK_WRONG, begin, NULL);
  if (g_ascii_isgraph (c))
    diags_add (l->diags, DIAG_ERROR, span_from (l, begin), "unexpected character '%c'", c);
  else
    diags_add (l->diags, DIAG_ERROR, span_from (l, begin), "unexpected byte 0x%02x",
               (unsigned char) c);
}

static void
lex_one (Lexer *l)
{
  const char c = peek (l, 0);
  if (begins_name (c))
    lex_word (l);
  else if (c == '"')
    lex_string (l);
  else if (g_ascii_isdigit (c))
    lex_number (l);
  else if (c == '\'' && begins_name (peek (l, 1)))
    lex_tag (l);
  else if (!lex_sign (l))
    report_unexpected (l);
}

/* Where the text ends that is not blank, so that messages show its last line. */
static void
push_end (Lexer *l)
{
  if (l->tokens->len > 0)
    l->at = g_array_index (l->tokens, CatToken, l->tokens->len - 1).end;
  push (l, TOK_END, l->at, NULL);
}

CatTokens
cat_lex (Arena *a, const Source *source, Diags *diags)
{
  Lexer l = { a, source, diags, 0, true, g_array_new (FALSE, FALSE, sizeof (CatToken)) };
  if (at_text (&l, "\xef\xbb\xbf")) /* byte-order mark */
    l.at = 3;
  while (!at_end (&l))
    if (!skip_blank (&l))
      lex_one (&l);
  push_end (&l);
  CatTokens tokens
      = { arena_copy (a, l.tokens->data, l.tokens->len * sizeof (CatToken)), l.tokens->len };
  g_array_free (l.tokens, TRUE);
  return tokens;
}
