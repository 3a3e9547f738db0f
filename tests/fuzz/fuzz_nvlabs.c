/* SPDX-License-Identifier: Apache-2.0 */
/* As fuzz_litmus, for NVlabs tests: every program of the file. */
#include "litmus/nvlabs_parse.h"
#include "tests/fuzz/fuzz_helpers.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (Arena) a = arena_new ();
  Source source = fuzz_source (a, data, size);
  Diags *diags = diags_new (a);
  unsigned count = 0;
  const Program **programs = nvlabs_parse (a, &source, diags, &count);
  g_assert_true ((programs == NULL) == (diags_error_count (diags) > 0));
  g_assert_true ((programs == NULL) == (count == 0));
  check_messages (diags);
  for (unsigned i = 0; i < count; i++)
    check_round_trip (a, programs[i]);
  return 0;
}
