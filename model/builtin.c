/* SPDX-License-Identifier: Apache-2.0 */
#include "model/builtin.h"

#include <string.h>

typedef struct Builtin {
  const char *name;
  Source source;
} Builtin;

/* static const Builtin builtins[] = { { "NAME", { "NAME.cat", text, length } }, … }; and
 * static const char *const names[], which NULL ends. */
#include "model/builtin_data.inc"

const char *const *
builtin_model_names (void)
{
  return names;
}

const Source *
builtin_model (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (strcmp (builtins[i].name, name) == 0)
      return &builtins[i].source;
  return NULL;
}

static const Source *
load (void *ctx, const Source *from, const char *path)
{
  (void) ctx;
  (void) from;
  for (size_t i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (strcmp (builtins[i].source.name, path) == 0)
      return &builtins[i].source;
  return NULL;
}

CatLoader
builtin_loader (void)
{
  return (CatLoader){ load, NULL };
}
