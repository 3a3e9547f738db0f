/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <string.h>

static Source
source_of (const char *text)
{
  return (Source){ "f.litmus", text, strlen (text) };
}

static void
test_places (void)
{
  Source s = source_of ("ab\n\tc\r\n\nd");
  static const struct {
    size_t at;
    unsigned line;
    unsigned column;
  } cases[] = {
    { 0, 1, 1 }, { 1, 1, 2 }, { 2, 1, 3 }, { 3, 2, 1 },  { 4, 2, 2 },
    { 7, 3, 1 }, { 8, 4, 1 }, { 9, 4, 2 }, { 99, 4, 2 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Place place = span_place ((Span){ &s, cases[i].at, cases[i].at });
    g_assert_cmpuint (place.line, ==, cases[i].line);
    g_assert_cmpuint (place.column, ==, cases[i].column);
  }
}

static void
test_place_of_nowhere (void)
{
  Place place = span_place ((Span){ 0 });
  g_assert_cmpuint (place.line, ==, 1);
  g_assert_cmpuint (place.column, ==, 1);
}

static void
test_join (void)
{
  Source s = source_of ("abcdef");
  Span joined = span_join ((Span){ &s, 1, 2 }, (Span){ &s, 4, 5 });
  g_assert_true (joined.source == &s);
  g_assert_cmpuint (joined.begin, ==, 1);
  g_assert_cmpuint (joined.end, ==, 5);
}

/* A message of this kind about bytes [begin, end) of a text. */
static char *
formatted (const char *text, DiagKind kind, size_t begin, size_t end, const char *message)
{
  g_autoptr (Arena) a = arena_new ();
  Diags *d = diags_new (a);
  Source s = source_of (text);
  diags_add (d, kind, (Span){ &s, begin, end }, "%s", message);
  return diag_format (diags_get (d, 0));
}

static void
test_format (void)
{
  static const struct {
    const char *text;
    DiagKind kind;
    size_t begin;
    size_t end;
    const char *message;
    const char *wanted;
  } cases[] = {
    { "st.gqu x, 1\n", DIAG_ERROR, 2, 6, "unknown scope",
      "f.litmus:1:3: error: unknown scope\n  st.gqu x, 1\n    ^~~~\n" },
    { "a\n\tld.f32 r0\r\n", DIAG_NOT_MODELLED, 3, 9, "ld.f32",
      "f.litmus:2:2: ld.f32: not modelled\n  \tld.f32 r0\n  \t^~~~~~\n" },
    { "x", DIAG_WARNING, 1, 1, "no newline", "f.litmus:1:2: warning: no newline\n  x\n   ^\n" },
    { "", DIAG_ERROR, 0, 0, "nothing here", "f.litmus:1:1: error: nothing here\n  \n  ^\n" },
    /* The caret line ends with the line, whatever the span says. */
    { "ab\ncd\n", DIAG_ERROR, 1, 6, "long", "f.litmus:1:2: error: long\n  ab\n   ^\n" },
    { "a\x01\xc3\xa9z\n", DIAG_ERROR, 4, 5, "odd",
      "f.litmus:1:5: error: odd\n  a???z\n      ^\n" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = formatted (cases[i].text, cases[i].kind, cases[i].begin,
                                       cases[i].end, cases[i].message);
    g_assert_cmpstr (text, ==, cases[i].wanted);
  }
}

static void
test_format_without_place (void)
{
  g_autoptr (Arena) a = arena_new ();
  Diags *d = diags_new (a);
  diags_add (d, DIAG_ERROR, (Span){ 0 }, "cannot be read");
  g_autofree char *text = diag_format (diags_get (d, 0));
  g_assert_cmpstr (text, ==, "error: cannot be read\n");
}

/* Far behind the start of a line nothing of it is shown, only the place. */
static void
test_long_line (void)
{
  g_autofree char *line = g_strnfill (1000, 'x');
  g_autofree char *text = formatted (line, DIAG_ERROR, 900, 901, "far out");
  g_assert_cmpstr (text, ==, "f.litmus:1:901: error: far out\n");
}

static void
test_counts (void)
{
  g_autoptr (Arena) a = arena_new ();
  Diags *d = diags_new (a);
  diags_add (d, DIAG_WARNING, (Span){ 0 }, "careful");
  diags_add (d, DIAG_NOT_MODELLED, (Span){ 0 }, "mbarrier.init");
  diags_add (d, DIAG_ERROR, (Span){ 0 }, "wrong");
  g_assert_cmpuint (diags_count (d), ==, 3);
  g_assert_cmpuint (diags_error_count (d), ==, 2);
  g_assert_cmpstr (diags_get (d, 1)->message, ==, "mbarrier.init");
}

static void
test_limit (void)
{
  g_autoptr (Arena) a = arena_new ();
  Diags *d = diags_new (a);
  for (unsigned i = 0; i < 1000; i++)
    diags_add (d, DIAG_ERROR, (Span){ 0 }, "%u", i);
  g_assert_cmpuint (diags_count (d), ==, DIAG_LIMIT);
  g_assert_cmpuint (diags_error_count (d), ==, 1000);
}

/* Warnings, however many, leave room for the errors behind them. */
static void
test_warnings_leave_room (void)
{
  g_autoptr (Arena) a = arena_new ();
  Diags *d = diags_new (a);
  for (unsigned i = 0; i < 1000; i++)
    diags_add (d, DIAG_WARNING, (Span){ 0 }, "%u", i);
  diags_add (d, DIAG_ERROR, (Span){ 0 }, "wrong");
  g_assert_cmpstr (diags_get (d, diags_count (d) - 1)->message, ==, "wrong");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/diag/places", test_places);
  g_test_add_func ("/base/diag/place-of-nowhere", test_place_of_nowhere);
  g_test_add_func ("/base/diag/join", test_join);
  g_test_add_func ("/base/diag/format", test_format);
  g_test_add_func ("/base/diag/format-without-place", test_format_without_place);
  g_test_add_func ("/base/diag/long-line", test_long_line);
  g_test_add_func ("/base/diag/counts", test_counts);
  g_test_add_func ("/base/diag/limit", test_limit);
  g_test_add_func ("/base/diag/warnings-leave-room", test_warnings_leave_room);
  return g_test_run ();
}
