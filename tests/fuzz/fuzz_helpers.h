/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_TESTS_FUZZ_HELPERS_H
#define PTXMM_TESTS_FUZZ_HELPERS_H

#include <stdint.h>
#include <string.h>

#include "litmus/litmus_parse.h"
#include "litmus/print.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Printing a program and reading that gives the same program. */
static inline void
check_round_trip (Arena *a, const Program *p)
{
  const char *difference = NULL;
  const char *text = program_print (a, p);
  Source source = { "printed", text, strlen (text) };
  Diags *diags = diags_new (a);
  const Program *again = litmus_parse (a, &source, diags);
  g_assert_cmpuint (diags_error_count (diags), ==, 0);
  g_assert_nonnull (again);
  program_equal (p, again, &difference);
  g_assert_cmpstr (difference, ==, NULL);
}

/* Each message can be shown. */
static inline void
check_messages (const Diags *diags)
{
  for (unsigned i = 0; i < diags_count (diags); i++) {
    g_autofree char *text = diag_format (diags_get (diags, i));
    g_assert_true (g_utf8_validate (text, -1, NULL));
  }
}

/* The input with the NUL that parsers may look at behind it. */
static inline Source
fuzz_source (Arena *a, const uint8_t *data, size_t size)
{
  return (Source){ "fuzz", arena_strndup (a, (const char *) data, size), size };
}

#endif
