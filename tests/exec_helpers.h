/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_TESTS_EXEC_HELPERS_H
#define PTXMM_TESTS_EXEC_HELPERS_H

#include "exec/exec.h"
#include "model/builtin.h"
#include "tests/parse_helpers.h"

/* A model from a text, or the test fails with the messages. */
static inline const CatModel *
model_from (Arena *a, const Source *source)
{
  Diags *diags = diags_new (a);
  CatLoader loader = builtin_loader ();
  const CatModel *model = cat_read (a, source, &loader, diags);
  for (unsigned i = 0; i < diags_count (diags); i++)
    g_test_message ("%s", diags_get (diags, i)->message);
  g_assert_nonnull (model);
  return model;
}

static inline const CatModel *
model_named (Arena *a, const char *name)
{
  return model_from (a, builtin_model (name));
}

static inline const CatModel *
model_text (Arena *a, const char *text)
{
  Source *source = arena_new_of (a, Source);
  *source = (Source){ "test.cat", text, strlen (text) };
  return model_from (a, source);
}

/* A litmus test from its parts. */
static inline char *
litmus_text (const char *init, const char *columns, const char *question)
{
  return g_strdup_printf ("PTX t\n{\n%s\n}\n%s\n%s\n", init, columns, question);
}

/* "0 1;1 1": the states in their order, values in hexadecimal.  (transfer full) */
static inline char *
states_text (const Program *p, const EngineResult *r)
{
  GString *out = g_string_new (NULL);
  for (unsigned i = 0; i < r->outcome_count; i++)
    for (unsigned k = 0; k < p->observed_count; k++) {
      g_string_append (out, k > 0 ? " " : i > 0 ? ";" : "");
      g_string_append_printf (out, "%" G_GINT64_MODIFIER "x", r->outcomes[i].values[k]);
    }
  return g_string_free (out, FALSE);
}

/* "data-race barrier-stuck": the kinds of flags.  (transfer full) */
static inline char *
flags_text (const EngineResult *r)
{
  GString *out = g_string_new (NULL);
  for (unsigned i = 0; i < r->flag_count; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", r->flags[i].kind);
  return g_string_free (out, FALSE);
}

#endif
