/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cursor.h"

#include <string.h>

static Source
source_of (const char *text)
{
  return (Source){ "t", text, strlen (text) };
}

/* The kinds of the tokens of a text, by name, with spaces between. */
static char *
kinds_of (const char *text)
{
  Source s = source_of (text);
  GString *out = g_string_new (NULL);
  for (Cursor c = cursor_new (&s); !cursor_at (&c, TOKEN_END); cursor_next (&c))
    g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "",
                            token_kind_name (c.token.kind));
  return g_string_free (out, FALSE);
}

static void
test_tokens (void)
{
  static const struct {
    const char *text;
    const char *kinds;
  } cases[] = {
    { "", "" },
    { "ab_1 $x %r1 _", "a name a name a name a name" },
    { "12 0xff 12ab", "a number a number a number" },
    { "\"a // (* b\"", "a string" },
    { "a::b a:b", "a name '::' a name a name ':' a name" },
    { "/\\ \\/ && & || |", "'/\\' '\\/' '&&' '&' '|' '|' '|'" },
    { "== = != ! <= < >= >", "'==' '=' '!=' '!' '<=' '<' '>=' '>'" },
    { "()[]{};,.@*+-~/", "'(' ')' '[' ']' '{' '}' ';' ',' '.' '@' '*' '+' '-' '~' '/'" },
    { "a(*b*)c", "a name a name" },
    { "a (* (* *) *) b", "a name a name" },
    { "a (* // *) b", "a name a name" },
    { "a // (* b\nc", "a name a name" },
    { "a << b >> c", "a name a name" },
    { "#", "text that is no token" },
    { "\"a", "text that is no token" },
    { "(* a", "text that is no token" },
    { "<< a", "text that is no token" },
    { "\xe2\x82\xac x", "text that is no token a name" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *kinds = kinds_of (cases[i].text);
    g_assert_cmpstr (kinds, ==, cases[i].kinds);
  }
}

static void
test_numbers (void)
{
  static const struct {
    const char *text;
    NumberResult result;
    uint64_t value;
  } cases[] = {
    { "0", NUMBER_OK, 0 },
    { "007", NUMBER_OK, 7 },
    { "18446744073709551615", NUMBER_OK, UINT64_MAX },
    { "18446744073709551616", NUMBER_TOO_LARGE, 0 },
    { "0xFFFFFFFFFFFFFFFF", NUMBER_OK, UINT64_MAX },
    { "0x10000000000000000", NUMBER_TOO_LARGE, 0 },
    { "0Xa", NUMBER_OK, 10 },
    { "0x", NUMBER_MALFORMED, 0 },
    { "1a", NUMBER_MALFORMED, 0 },
    { "0xg", NUMBER_MALFORMED, 0 },
    { "99999999999999999999999999z", NUMBER_MALFORMED, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Source s = source_of (cases[i].text);
    Cursor c = cursor_new (&s);
    uint64_t value = 1;
    g_assert_true (cursor_at (&c, TOKEN_NUMBER));
    g_assert_cmpint (cursor_number (&c, c.token, &value), ==, cases[i].result);
    if (cases[i].result == NUMBER_OK)
      g_assert_cmphex (value, ==, cases[i].value);
  }
}

static void
test_words (void)
{
  Source s = source_of ("exists exist");
  Cursor c = cursor_new (&s);
  g_assert_false (cursor_at_word (&c, "exist"));
  g_assert_false (cursor_accept_word (&c, "existsx"));
  g_assert_true (cursor_accept_word (&c, "exists"));
  g_assert_true (cursor_at_word (&c, "exist"));
  g_assert_cmpint (cursor_peek (&c).kind, ==, TOKEN_END);
  g_assert_true (cursor_at_word (&c, "exist"));
}

static void
test_nul_bytes (void)
{
  Source s = { "t", "a\0b", 3 };
  Cursor c = cursor_new (&s);
  cursor_next (&c);
  g_assert_true (cursor_at (&c, TOKEN_BAD));
  g_assert_nonnull (strstr (c.bad, "NUL"));
  cursor_next (&c);
  g_assert_true (cursor_at_word (&c, "b"));
}

static void
test_describe (void)
{
  g_autoptr (Arena) a = arena_new ();
  g_autofree char *name = g_strnfill (100, 'x');
  Source s = source_of (name);
  Cursor c = cursor_new (&s);
  const char *text = cursor_describe (&c, c.token, a);
  g_assert_cmpuint (strlen (text), ==, 40 + strlen ("'...'"));
  cursor_next (&c);
  g_assert_cmpstr (cursor_describe (&c, c.token, a), ==, "the end of the file");
}

/* "ab" at 10 and "cd" at 3 of the source, put together to "abcd". */
static void
test_pieces (void)
{
  static const CursorPiece pieces[] = { { 0, 10 }, { 2, 3 }, { 2, 3 } };
  Source s = source_of ("...cd.....ab");
  Cursor c = cursor_new_pieces (&s, "ab cd", 5, pieces, 1);
  g_assert_cmpuint (cursor_span (&c, c.token).begin, ==, 10);
  c = cursor_new_pieces (&s, "abcd", 4, pieces, G_N_ELEMENTS (pieces));
  Span whole = cursor_span (&c, c.token);
  g_assert_cmpuint (whole.begin, ==, 10);
  g_assert_cmpuint (whole.end, ==, 12);
  Span second = cursor_range (&c, 2, 4);
  g_assert_cmpuint (second.begin, ==, 3);
  g_assert_cmpuint (second.end, ==, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/cursor/tokens", test_tokens);
  g_test_add_func ("/base/cursor/numbers", test_numbers);
  g_test_add_func ("/base/cursor/words", test_words);
  g_test_add_func ("/base/cursor/nul-bytes", test_nul_bytes);
  g_test_add_func ("/base/cursor/describe", test_describe);
  g_test_add_func ("/base/cursor/pieces", test_pieces);
  return g_test_run ();
}
