/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/smt2.h"

static void
write_lit (GString *out, Lit lit)
{
  if (lit == LIT_TRUE || lit == LIT_FALSE)
    g_string_append (out, lit == LIT_TRUE ? "true" : "false");
  else if (lit > 0)
    g_string_append_printf (out, "v%d", lit);
  else
    g_string_append_printf (out, "(not v%d)", -lit);
}

static void
write_clause (GString *out, const Lit *lits, size_t count)
{
  g_string_append (out, "(assert ");
  if (count == 0)
    g_string_append (out, "false");
  else if (count == 1)
    write_lit (out, lits[0]);
  else {
    g_string_append (out, "(or");
    for (size_t i = 0; i < count; i++) {
      g_string_append_c (out, ' ');
      write_lit (out, lits[i]);
    }
    g_string_append_c (out, ')');
  }
  g_string_append (out, ")\n");
}

void
smt2_write (GString *out, const char *comment, const Cnf *f, const Lit *asserted,
            unsigned count)
{
  size_t length = 0;
  const Lit *data = cnf_data (f, &length);
  g_string_append_printf (out, "; %s\n(set-logic QF_UF)\n", comment);
  for (unsigned v = 2; v <= cnf_var_count (f); v++)
    g_string_append_printf (out, "(declare-const v%u Bool)\n", v);
  for (size_t at = 0; at < length;) {
    size_t end = at;
    while (data[end] != 0)
      end++;
    write_clause (out, data + at, end - at);
    at = end + 1;
  }
  for (unsigned i = 0; i < count; i++)
    write_clause (out, &asserted[i], 1);
  g_string_append (out, "(check-sat)\n(exit)\n");
}
