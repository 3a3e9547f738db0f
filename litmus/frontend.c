/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/frontend.h"

#include "base/cursor.h"
#include "litmus/litmus_parse.h"
#include "litmus/nvlabs_parse.h"

static const struct {
  const char *word; /* behind a dot */
  InputFormat format;
} directives[] = {
  { "version", FORMAT_PTX },   { "target", FORMAT_PTX },    { "global", FORMAT_NVLABS },
  { "shared", FORMAT_NVLABS }, { "texref", FORMAT_NVLABS }, { "surfref", FORMAT_NVLABS },
};

static InputFormat
format_of_suffix (const char *name)
{
  if (g_str_has_suffix (name, ".test"))
    return FORMAT_NVLABS;
  if (g_str_has_suffix (name, ".ptx"))
    return FORMAT_PTX;
  return FORMAT_LITMUS;
}

InputFormat
frontend_format (const Source *source)
{
  InputFormat by_suffix = format_of_suffix (source->name);
  Cursor c = cursor_new (source);
  if (cursor_at_word (&c, "PTX") || cursor_at_word (&c, "ptx"))
    return FORMAT_LITMUS;
  if (!cursor_accept (&c, TOKEN_DOT) || by_suffix == FORMAT_PTX)
    return by_suffix;
  for (size_t i = 0; i < G_N_ELEMENTS (directives); i++)
    if (cursor_at_word (&c, directives[i].word))
      return directives[i].format;
  return by_suffix;
}

static const Program **
parse_litmus (Arena *a, const Source *source, Diags *diags, unsigned *count)
{
  const Program *program = litmus_parse (a, source, diags);
  if (program == NULL)
    return NULL;
  *count = 1;
  return arena_copy (a, &program, sizeof (program));
}

static void
refuse_module (const Source *source, Diags *diags)
{
  Cursor c = cursor_new (source);
  diags_add (diags, DIAG_NOT_MODELLED, cursor_span (&c, c.token), "PTX modules");
}

const Program **
frontend_parse (Arena *a, const Source *source, Diags *diags, unsigned *count)
{
  *count = 0;
  switch (frontend_format (source)) {
  case FORMAT_LITMUS:
    return parse_litmus (a, source, diags, count);
  case FORMAT_NVLABS:
    return nvlabs_parse (a, source, diags, count);
  case FORMAT_PTX:
    refuse_module (source, diags);
    return NULL;
  }
  g_assert_not_reached ();
}
