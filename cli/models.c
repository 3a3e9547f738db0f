/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/models.h"

#include <string.h>

#include "cli/inputs.h"
#include "model/builtin.h"

static bool
is_path (const char *name)
{
  return strchr (name, '/') != NULL || g_str_has_suffix (name, ".cat");
}

void
models_append_names (GString *out)
{
  for (const char *const *name = builtin_model_names (); *name != NULL; name++)
    g_string_append_printf (out, "%s%s", out->len == 0 ? "" : ", ", *name);
}

typedef struct IncludeLoader {
  Arena *arena;
  CatLoader builtin;
} IncludeLoader;

/* `path` as seen from the file that includes it. */
static char *
beside (const char *including, const char *path)
{
  const char *slash = strrchr (including, '/');
  if (slash == NULL || g_path_is_absolute (path))
    return g_strdup (path);
  return g_strdup_printf ("%.*s%s", (int) (slash + 1 - including), including, path);
}

/* An included file lies beside the one that includes it, or is one of those built in. */
static const Source *
load_include (void *ctx, const Source *from, const char *path)
{
  const IncludeLoader *loader = ctx;
  g_autofree char *whole = beside (from->name, path);
  bool exists = g_file_test (whole, G_FILE_TEST_EXISTS);
  const char *error = NULL;
  return exists ? inputs_read (loader->arena, arena_strdup (loader->arena, whole), &error)
                : loader->builtin.load (loader->builtin.ctx, from, path);
}

static const Source *
model_source (Arena *a, const char *name, GString *messages)
{
  const char *error = NULL;
  const Source *source = is_path (name) ? inputs_read (a, name, &error) : builtin_model (name);
  if (source != NULL)
    return source;
  g_autoptr (GString) names = g_string_new (NULL);
  models_append_names (names);
  if (error != NULL)
    g_string_append_printf (messages, "ptxmm: %s: %s\n", name, error);
  else
    g_string_append_printf (messages,
                            "ptxmm: unknown model '%s' (built in: %s; or a file NAME.cat)\n",
                            name, names->str);
  return NULL;
}

const CatModel *
models_load (Arena *a, const char *name, GString *messages)
{
  const Source *source = model_source (a, name, messages);
  if (source == NULL)
    return NULL;
  IncludeLoader includes = { a, builtin_loader () };
  const CatLoader loader = { load_include, &includes };
  Diags *diags = diags_new (a);
  const CatModel *model = cat_read (a, source, &loader, diags);
  inputs_append_diags (messages, diags, false);
  return model;
}
