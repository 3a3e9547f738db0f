/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: either a program, which then survives being printed and read, or a message. */
#include "tests/fuzz/fuzz_helpers.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (Arena) a = arena_new ();
  Source source = fuzz_source (a, data, size);
  Diags *diags = diags_new (a);
  const Program *p = litmus_parse (a, &source, diags);
  g_assert_true ((p == NULL) == (diags_error_count (diags) > 0));
  check_messages (diags);
  if (p != NULL)
    check_round_trip (a, p);
  return 0;
}
