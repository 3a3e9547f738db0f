/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_BASE_CURSOR_H
#define PTXMM_BASE_CURSOR_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

/* From characters to tokens, on demand, for the hand-written parsers.  Nothing is copied and
 * nothing is allocated; a Cursor is a plain value, so a copy of it is a place to come back to.
 */

/* Every kind of token with the way messages name it.  For punctuation that is its spelling. */
// clang-format off
#define TOKEN_KINDS(WORD, PUNCT)                                                              \
  WORD (END, "the end of the file")                                                           \
  WORD (NAME, "a name")          /* letter, '_', '$' or '%', then also digits */              \
  WORD (NUMBER, "a number")      /* a digit, then digits and letters; see cursor_number */    \
  WORD (STRING, "a string")      /* between double quotes, no escapes, may span lines */      \
  WORD (BAD, "text that is no token")                                                         \
  PUNCT (LPAREN, "(")    PUNCT (RPAREN, ")")   PUNCT (LBRACKET, "[")  PUNCT (RBRACKET, "]")   \
  PUNCT (LBRACE, "{")    PUNCT (RBRACE, "}")   PUNCT (SEMICOLON, ";") PUNCT (COMMA, ",")      \
  PUNCT (DOT, ".")       PUNCT (COLON, ":")    PUNCT (COLONS, "::")   PUNCT (AT, "@")         \
  PUNCT (BAR, "|")       PUNCT (AMP, "&")      PUNCT (AMP_AMP, "&&")  PUNCT (STAR, "*")       \
  PUNCT (PLUS, "+")      PUNCT (MINUS, "-")    PUNCT (TILDE, "~")     PUNCT (BANG, "!")       \
  PUNCT (WEDGE, "/\\")   PUNCT (VEE, "\\/")    PUNCT (EQ, "=")        PUNCT (EQ_EQ, "==")     \
  PUNCT (NE, "!=")       PUNCT (LT, "<")       PUNCT (LE, "<=")       PUNCT (GT, ">")         \
  PUNCT (GE, ">=")       PUNCT (SLASH, "/")
// clang-format on

typedef enum TokenKind {
#define TOKEN_MEMBER(id, text) TOKEN_##id,
  TOKEN_KINDS (TOKEN_MEMBER, TOKEN_MEMBER)
#undef TOKEN_MEMBER
      TOKEN_KIND_COUNT
} TokenKind;

/* "a name", "';'": for messages. */
const char *token_kind_name (TokenKind kind);

/* Offsets are into the text being read. */
typedef struct Token {
  TokenKind kind;
  size_t begin;
  size_t end;
} Token;

/* The bytes from `begin` (up to the next piece) of the text being read were taken from a source
 * at `origin`.  Lets a parser read text that was put together from a template and still report
 * places in the file. */
typedef struct CursorPiece {
  size_t begin;
  size_t origin;
} CursorPiece;

typedef struct Cursor {
  const Source *source; /* where spans point */
  const char *text;     /* what is read: the source's text unless there are pieces */
  size_t length;
  size_t at;           /* the next token is looked for from here */
  Token token;         /* the current one */
  size_t previous_end; /* where the token before it ended */
  const char *bad;     /* TOKEN_BAD: what is wrong, a full message */
  const CursorPiece *pieces;
  size_t piece_count;
} Cursor;

/* On the first token of `source`.  A byte-order mark and a first line that starts with "#!" are
 * passed over, as are, before every token, blanks, comments from "//" to the end of the line,
 * nested comments between "(*" and "*)", and anything between "<<" and ">>". */
Cursor cursor_new (const Source *source);

/* On the first token of `text` (`length` bytes, NUL after them), whose places in `source` are
 * told by `pieces`: at least one, sorted, the first with begin 0.  Neither a mark nor a "#!"
 * line is passed over. */
Cursor cursor_new_pieces (const Source *source, const char *text, size_t length,
                          const CursorPiece *pieces, size_t piece_count);

/* Goes to the next token; stays at TOKEN_END. */
void cursor_next (Cursor *c);

/* The token after the current one. */
Token cursor_peek (const Cursor *c);

/* Moves so that the next token is looked for from byte offset `at`, and reads it. */
void cursor_seek (Cursor *c, size_t at);

static inline bool
cursor_at (const Cursor *c, TokenKind kind)
{
  return c->token.kind == kind;
}

/* True and past it when the current token has this kind. */
bool cursor_accept (Cursor *c, TokenKind kind);

/* The current token is exactly this word (a name). */
bool cursor_at_word (const Cursor *c, const char *word);
bool cursor_accept_word (Cursor *c, const char *word);

/* The place of a token, or of the range between two, in the source. */
Span cursor_span (const Cursor *c, Token token);
Span cursor_range (const Cursor *c, size_t begin, size_t end);

/* The token as messages show it: "'foo'", shortened when long, or "the end of the file". */
const char *cursor_describe (const Cursor *c, Token token, Arena *a);

/* A copy of the token's text (of a string: without the quotes). */
char *cursor_text (const Cursor *c, Token token, Arena *a);

typedef enum NumberResult {
  NUMBER_OK,
  NUMBER_MALFORMED,
  NUMBER_TOO_LARGE, /* more than 64 bits */
} NumberResult;

/* The value of a TOKEN_NUMBER: decimal, or hexadecimal after 0x. */
NumberResult cursor_number (const Cursor *c, Token token, uint64_t *value);

#endif
