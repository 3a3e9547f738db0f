/* SPDX-License-Identifier: Apache-2.0 */
#include "model/builtin.h"
#include "model/cat.h"
#include "model/cat_print.h"

#include <stdint.h>
#include <string.h>

/* The cat reader on any bytes: it never crashes, a text is refused with a message or gives a
 * model, and a model that is printed and read again is the same. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
format_messages (const Diags *diags)
{
  for (unsigned i = 0; i < diags_count (diags); i++) {
    g_autofree char *message = diag_format (diags_get (diags, i));
    g_assert_true (strlen (message) > 0);
  }
}

static void
check_round_trip (Arena *a, const CatModel *m)
{
  g_autofree char *text = cat_print (m);
  const Source source = { "printed.cat", text, strlen (text) };
  if (m->binding_count + m->check_count
      == 0) /* nothing to print, and an empty file is refused */
    return;
  const CatModel *again = cat_read (a, &source, NULL, diags_new (a));
  g_assert_true (again != NULL && cat_equal (m, again));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (Arena) a = arena_new ();
  const char *text = arena_strndup (a, (const char *) data, size);
  const Source source = { "fuzz.cat", text, size };
  const CatLoader loader = builtin_loader ();
  Diags *diags = diags_new (a);
  const CatModel *m = cat_read (a, &source, &loader, diags);
  g_assert_cmpint (m == NULL, ==, diags_error_count (diags) > 0);
  format_messages (diags);
  if (m != NULL)
    check_round_trip (a, m);
  return 0;
}
