/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat_elab.h"

#include <stdarg.h>
#include <string.h>

enum {
  SUGGESTION_LENGTH_LIMIT = 40, /* longer names get none */
  LOCALS_PER_STEP = 1024,
};

/* ---- Messages -----------------------------------------------------------------------------
 */

CatValue
cat_fail (CatReader *r, Span span, const char *format, ...)
{
  if (r->quiet)
    return cat_error_value;
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  if (r->call == NULL)
    diags_add (r->diags, DIAG_ERROR, span, "%s", message);
  else {
    const Place place = span_place (r->call->span);
    diags_add (r->diags, DIAG_ERROR, span, "%s (in the call of '%s' at %s:%u:%u)", message,
               r->call->name, r->call->span.source->name, place.line, place.column);
  }
  return cat_error_value;
}

/* ---- Names --------------------------------------------------------------------------------
 */

/* Abbreviations that herd's library and Dartagnan supply: intersections of two base relations.
 */
static const struct {
  const char *name;
  CatBase a;
  CatBase b;
} derived[] = {
  { "po-loc", CAT_BASE_PO, CAT_BASE_LOC }, { "rfe", CAT_BASE_RF, CAT_BASE_EXT },
  { "rfi", CAT_BASE_RF, CAT_BASE_INT },    { "coe", CAT_BASE_CO, CAT_BASE_EXT },
  { "coi", CAT_BASE_CO, CAT_BASE_INT },    { "fre", CAT_BASE_FR, CAT_BASE_EXT },
  { "fri", CAT_BASE_FR, CAT_BASE_INT },
};

static const char *const builtin_names[CAT_BUILTIN_COUNT] = {
  [CAT_BUILTIN_TOID] = "toid",
  [CAT_BUILTIN_FENCEREL] = "fencerel",
};

/* Passing many locals counts as evaluation does, so that no file takes long. */
static const CatLocal *
find_local (CatReader *r, const char *name, const CatScope *scope)
{
  unsigned passed = 0;
  const CatLocal *l = scope->locals;
  for (; l != NULL && strcmp (l->name, name) != 0; l = l->outer)
    passed++;
  r->steps += passed / LOCALS_PER_STEP;
  return l;
}

bool
cat_lookup_bound (CatReader *r, const char *name, const CatScope *scope, CatValue *value)
{
  const CatLocal *l = find_local (r, name, scope);
  if (l != NULL) {
    *value = l->value;
    return true;
  }
  const CatGlobal *g = g_hash_table_lookup (r->globals, name);
  while (g != NULL && g->time >= scope->time)
    g = g->hidden;
  if (g == NULL)
    return false;
  *value = g->value;
  return true;
}

bool
cat_lookup_supplied (CatReader *r, const char *name, Span span, CatValue *value)
{
  for (unsigned i = 0; i < CAT_BASE_COUNT; i++)
    if (strcmp (cat_base_name ((CatBase) i), name) == 0) {
      *value = cat_node_value (cat_graph_base (r->graph, (CatBase) i, span));
      return true;
    }
  for (size_t i = 0; i < G_N_ELEMENTS (derived); i++)
    if (strcmp (derived[i].name, name) == 0) {
      const unsigned a = cat_graph_base (r->graph, derived[i].a, span);
      const unsigned b = cat_graph_base (r->graph, derived[i].b, span);
      *value = cat_node_value (cat_graph_node (r->graph, CAT_OP_INTER, a, b, span));
      return true;
    }
  return false;
}

CatBuiltin
cat_find_builtin (const char *name)
{
  unsigned i = 0;
  while (i < CAT_BUILTIN_COUNT && strcmp (builtin_names[i], name) != 0)
    i++;
  return (CatBuiltin) i;
}

/* Edit distance between names, whatever their case. */
static unsigned
name_distance (const char *x, const char *y)
{
  unsigned row[SUGGESTION_LENGTH_LIMIT + 1];
  const unsigned length = (unsigned) strlen (y);
  for (unsigned j = 0; j <= length; j++)
    row[j] = j;
  for (unsigned i = 0; x[i] != '\0'; i++) {
    unsigned diagonal = row[0];
    row[0] = i + 1;
    for (unsigned j = 0; j < length; j++) {
      const bool differ = g_ascii_tolower (x[i]) != g_ascii_tolower (y[j]);
      const unsigned best = MIN (diagonal + differ, MIN (row[j], row[j + 1]) + 1);
      diagonal = row[j + 1];
      row[j + 1] = best;
    }
  }
  return row[length];
}

typedef struct Suggestion {
  const char *wanted;
  const char *name;
  unsigned distance; /* of `name`; at first, the first that is too far */
} Suggestion;

static void
consider (Suggestion *s, const char *candidate)
{
  if (strlen (candidate) > SUGGESTION_LENGTH_LIMIT)
    return;
  const unsigned distance = name_distance (s->wanted, candidate);
  if (distance < s->distance
      || (distance == s->distance && s->name != NULL && strcmp (candidate, s->name) < 0)) {
    s->name = candidate;
    s->distance = distance;
  }
}

/* A known name that is close to `name`, or NULL. */
static const char *
suggest (const CatReader *r, const char *name, const CatScope *scope)
{
  const size_t length = strlen (name);
  if (length > SUGGESTION_LENGTH_LIMIT || diags_error_count (r->diags) >= DIAG_LIMIT)
    return NULL;
  Suggestion s = { name, NULL, (unsigned) (length / 3) + 1 };
  for (const CatLocal *l = scope->locals; l != NULL; l = l->outer)
    consider (&s, l->name);
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, r->globals);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    consider (&s, key);
  for (unsigned i = 0; i < CAT_BASE_COUNT; i++)
    consider (&s, cat_base_name ((CatBase) i));
  for (size_t i = 0; i < G_N_ELEMENTS (derived); i++)
    consider (&s, derived[i].name);
  for (unsigned i = 0; i < CAT_BUILTIN_COUNT; i++)
    consider (&s, builtin_names[i]);
  return s.name;
}

CatValue
cat_fail_unknown (CatReader *r, Span span, const char *name, const CatScope *scope)
{
  if (r->quiet)
    return cat_error_value;
  const char *close = suggest (r, name, scope);
  if (close == NULL)
    return cat_fail (r, span, "unknown name '%s'", name);
  return cat_fail (r, span, "unknown name '%s' (did you mean '%s'?)", name, close);
}

const CatLocal *
cat_push_local (CatReader *r, const CatLocal *outer, const char *name, CatValue value)
{
  CatLocal *l = arena_new_of (r->arena, CatLocal);
  *l = (CatLocal){ name, value, outer };
  return l;
}
