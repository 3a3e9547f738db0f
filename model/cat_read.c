/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cat_elab.h"

#include <string.h>

enum { INCLUDE_DEPTH_LIMIT = 32 };

/* ---- Top-level names ----------------------------------------------------------------------
 */

/* Names that begin with an underscore are the file's own. */
static bool
is_private (const char *name)
{
  return name[0] == '_';
}

static CatBinding *
find_binding (const CatReader *r, const char *name)
{
  const unsigned i = GPOINTER_TO_UINT (g_hash_table_lookup (r->binding_of, name));
  return i == 0 ? NULL : &g_array_index (r->bindings, CatBinding, i - 1);
}

/* Takes the name off the list; true when it was shown. */
static bool
remove_binding (CatReader *r, const char *name)
{
  CatBinding *b = find_binding (r, name);
  if (b == NULL)
    return false;
  b->name = NULL;
  g_hash_table_remove (r->binding_of, name);
  return b->shown;
}

/* The node of a value that is complete in itself: the untyped empty value is a relation. */
static unsigned
closed_node (CatReader *r, CatValue v, Span span)
{
  return v.kind == CAT_VALUE_NODE ? v.node : cat_graph_empty (r->graph, CAT_REL, span);
}

static void
list_binding (CatReader *r, const char *name, CatValue v, Span span, bool shown)
{
  const bool was_shown = remove_binding (r, name);
  if (is_private (name) || (v.kind != CAT_VALUE_NODE && v.kind != CAT_VALUE_ZERO))
    return;
  const CatBinding b = { name, closed_node (r, v, span), shown || was_shown };
  g_array_append_val (r->bindings, b);
  g_hash_table_insert (r->binding_of, (gpointer) name, GUINT_TO_POINTER (r->bindings->len));
}

static void
bind (CatReader *r, const char *name, CatValue v, Span span)
{
  CatGlobal *g = arena_new_of (r->arena, CatGlobal);
  *g = (CatGlobal){ v, r->time++, g_hash_table_lookup (r->globals, name) };
  g_hash_table_replace (r->globals, (gpointer) name, g);
  list_binding (r, name, v, span, false);
  if (v.kind == CAT_VALUE_NODE && !is_private (name))
    cat_graph_name (r->graph, v.node, name);
}

static CatScope
top_scope (const CatReader *r)
{
  return (CatScope){ NULL, r->time };
}

static bool
report_repeated (CatReader *r, const CatLet *let)
{
  bool repeated = false;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  for (unsigned i = 0; i < let->count; i++) {
    const CatDefinition *d = &let->definitions[i];
    if (g_hash_table_add (seen, (gpointer) d->name))
      continue;
    cat_fail (r, d->name_span, "'%s' is defined twice in one 'let'", d->name);
    repeated = true;
  }
  return repeated;
}

/* ---- let rec ------------------------------------------------------------------------------
 */

/* The names of the group as locals, untyped empty values at first. */
static CatLocal *
group_locals (CatReader *r, const CatLet *let)
{
  CatLocal *locals = arena_array (r->arena, CatLocal, let->count);
  for (unsigned i = 0; i < let->count; i++)
    locals[i] = (CatLocal){ let->definitions[i].name, cat_zero_value,
                            i == 0 ? NULL : &locals[i - 1] };
  return locals;
}

static CatScope
group_scope (const CatReader *r, const CatLet *let, const CatLocal *locals)
{
  return (CatScope){ &locals[let->count - 1], r->time };
}

/* Gives the names their shapes: a local becomes the empty value of its shape.  The bodies are
 * evaluated with the untyped empty value for the names whose shape is open, until no more
 * shapes come out; a name that no body says anything about is a relation. */
static void
find_shapes (CatReader *r, const CatLet *let, CatLocal *locals)
{
  const CatScope scope = group_scope (r, let, locals);
  r->quiet = true;
  for (bool found = true; found;) {
    found = false;
    for (unsigned i = 0; i < let->count; i++) {
      if (locals[i].value.kind != CAT_VALUE_ZERO)
        continue;
      const CatDefinition *d = &let->definitions[i];
      const CatValue v = cat_evaluate (r, d->body, &scope);
      if (v.kind != CAT_VALUE_NODE)
        continue;
      const CatShape shape = cat_graph_shape (r->graph, v.node);
      locals[i].value = cat_node_value (cat_graph_empty (r->graph, shape, d->name_span));
      found = true;
    }
  }
  r->quiet = false;
}

/* Opens a group and turns the locals into its variables. */
static void
open_group (CatReader *r, const CatLet *let, CatLocal *locals)
{
  cat_graph_open (r->graph);
  for (unsigned i = 0; i < let->count; i++) {
    const CatDefinition *d = &let->definitions[i];
    const CatValue v = locals[i].value;
    const CatShape shape
        = v.kind == CAT_VALUE_NODE ? cat_graph_shape (r->graph, v.node) : CAT_REL;
    const char *name = is_private (d->name) ? NULL : d->name;
    locals[i].value = cat_node_value (cat_graph_variable (r->graph, shape, name, d->name_span));
  }
}

/* Evaluates the bodies over the variables and closes the group; false when one is wrong. */
static bool
read_group (CatReader *r, const CatLet *let, const CatLocal *locals)
{
  g_autofree unsigned *bodies = g_new (unsigned, let->count);
  const CatScope scope = group_scope (r, let, locals);
  bool ok = true;
  for (unsigned i = 0; i < let->count; i++) {
    const CatExpr *body = let->definitions[i].body;
    const CatValue v = cat_evaluate (r, body, &scope);
    const CatShape shape = cat_graph_shape (r->graph, locals[i].value.node);
    ok = cat_need (r, v, shape, body->span, "value of a recursive name", &bodies[i]) && ok;
  }
  if (ok)
    cat_graph_close (r->graph, bodies);
  else
    cat_graph_drop (r->graph);
  return ok;
}

/* False when the `let rec` cannot be read at all, which is reported. */
static bool
is_plain_group (CatReader *r, const CatLet *let)
{
  bool plain = true;
  for (unsigned i = 0; i < let->count; i++) {
    const CatDefinition *d = &let->definitions[i];
    if (d->is_function)
      diags_add (r->diags, DIAG_NOT_MODELLED, d->name_span, "recursive function '%s'", d->name);
    plain = plain && !d->is_function && d->body != NULL;
  }
  return plain;
}

static void
read_rec (CatReader *r, const CatLet *let)
{
  CatLocal *locals = group_locals (r, let);
  bool ok = !report_repeated (r, let) && is_plain_group (r, let);
  if (ok) {
    find_shapes (r, let, locals);
    open_group (r, let, locals);
    ok = read_group (r, let, locals);
  }
  for (unsigned i = 0; i < let->count; i++)
    bind (r, let->definitions[i].name, ok ? locals[i].value : cat_error_value,
          let->definitions[i].name_span);
}

/* ---- Statements ---------------------------------------------------------------------------
 */

static void read_file (CatReader *r, const Source *source);

static void
read_let (CatReader *r, const CatLet *let)
{
  if (let->rec) {
    read_rec (r, let);
    return;
  }
  report_repeated (r, let);
  const CatScope scope = top_scope (r);
  g_autofree CatValue *values = g_new (CatValue, let->count);
  for (unsigned i = 0; i < let->count; i++)
    values[i] = cat_define (r, &let->definitions[i], &scope);
  for (unsigned i = 0; i < let->count; i++)
    bind (r, let->definitions[i].name, values[i], let->definitions[i].name_span);
}

static const char *
check_word (CatCheckKind kind)
{
  switch (kind) {
  case CAT_ACYCLIC:
    return "acyclic";
  case CAT_IRREFLEXIVE:
    return "irreflexive";
  case CAT_EMPTY:
    return "empty";
  }
  g_assert_not_reached ();
}

static void
read_check (CatReader *r, const CatStatement *s)
{
  const CatScope scope = top_scope (r);
  const CatValue v = cat_evaluate (r, s->expr, &scope);
  const CatShape shape = s->check == CAT_EMPTY && v.kind == CAT_VALUE_NODE
                             ? cat_graph_shape (r->graph, v.node)
                             : CAT_REL;
  g_autofree char *what_for = g_strdup_printf ("argument of '%s'", check_word (s->check));
  unsigned node = 0;
  if (!cat_need (r, v, shape, s->expr->span, what_for, &node))
    return;
  const char *name = s->name;
  if (name == NULL)
    name = arena_printf (r->arena, "%s@%u", check_word (s->check), span_place (s->span).line);
  const CatCheck check = { s->check, s->negated, s->is_flag, name, node, s->span };
  g_array_append_val (r->checks, check);
}

static void
show_one (CatReader *r, const CatShown *item)
{
  const Span span = item->expr->span;
  if (is_private (item->name)) {
    cat_fail (r, span, "'%s' is private and cannot be shown: add 'as NAME'", item->name);
    return;
  }
  const CatScope scope = top_scope (r);
  const CatValue v = cat_evaluate (r, item->expr, &scope);
  if (v.kind == CAT_VALUE_FUNCTION)
    cat_fail (r, span, "'%s' is a function and cannot be shown", item->name);
  if (v.kind == CAT_VALUE_FUNCTION || v.kind == CAT_VALUE_ERROR)
    return;
  CatBinding *b = find_binding (r, item->name);
  if (b != NULL && b->node == closed_node (r, v, span))
    b->shown = true;
  else
    list_binding (r, item->name, v, span, true);
}

static void
unshow_one (CatReader *r, const CatShown *item, Span span)
{
  const CatScope scope = top_scope (r);
  CatBinding *b = find_binding (r, item->name);
  CatValue v;
  if (b != NULL)
    b->shown = false;
  else if (!cat_lookup_bound (r, item->name, &scope, &v)
           && !cat_lookup_supplied (r, item->name, span, &v))
    cat_fail_unknown (r, span, item->name, &scope);
}

/* "a.cat -> b.cat -> a.cat" when the source is being read already, else NULL.  (transfer full)
 */
static char *
include_cycle (const CatReader *r, const Source *source)
{
  unsigned first = 0;
  while (
      first < r->including->len
      && strcmp (((const Source *) g_ptr_array_index (r->including, first))->name, source->name)
             != 0)
    first++;
  if (first == r->including->len)
    return NULL;
  GString *chain = g_string_new (NULL);
  for (unsigned i = first; i < r->including->len; i++)
    g_string_append_printf (chain, "%s -> ",
                            ((const Source *) g_ptr_array_index (r->including, i))->name);
  g_string_append (chain, source->name);
  return g_string_free (chain, FALSE);
}

static void
read_include (CatReader *r, const CatStatement *s)
{
  const Source *source = NULL;
  if (r->loader != NULL)
    source = r->loader->load (r->loader->ctx, s->span.source, s->name);
  if (source == NULL) {
    g_autofree char *path = g_strescape (s->name, NULL);
    cat_fail (r, s->span, "cannot find the file \"%s\"", path);
    return;
  }
  g_autofree char *cycle = include_cycle (r, source);
  if (cycle != NULL)
    cat_fail (r, s->span, "files include each other: %s", cycle);
  else if (r->including->len >= INCLUDE_DEPTH_LIMIT)
    cat_fail (r, s->span, "includes are nested more than %d levels deep", INCLUDE_DEPTH_LIMIT);
  else
    read_file (r, source);
}

static void
read_statement (CatReader *r, const CatStatement *s)
{
  switch (s->kind) {
  case STATEMENT_LET:
    read_let (r, &s->let);
    return;
  case STATEMENT_CHECK:
    read_check (r, s);
    return;
  case STATEMENT_SHOW:
    for (unsigned i = 0; i < s->shown_count; i++)
      show_one (r, &s->shown[i]);
    return;
  case STATEMENT_UNSHOW:
    for (unsigned i = 0; i < s->shown_count; i++)
      unshow_one (r, &s->shown[i], s->span);
    return;
  case STATEMENT_INCLUDE:
    read_include (r, s);
    return;
  }
  g_assert_not_reached ();
}

/* A file that has been read before adds nothing. */
static void
read_file (CatReader *r, const Source *source)
{
  if (!g_hash_table_add (r->included, (gpointer) source->name))
    return;
  g_ptr_array_add (r->including, (gpointer) source);
  const CatFile file = cat_parse (r->arena, source, r->diags);
  for (unsigned i = 0; i < file.count; i++)
    read_statement (r, &file.statements[i]);
  r->statements += file.count;
  g_ptr_array_set_size (r->including, (int) r->including->len - 1);
}

/* ---- The model ----------------------------------------------------------------------------
 */

static const char *
model_name (Arena *a, const Source *source)
{
  const char *slash = strrchr (source->name, '/');
  const char *base = slash == NULL ? source->name : slash + 1;
  const size_t length = strlen (base);
  return arena_strndup (a, base, g_str_has_suffix (base, ".cat") ? length - 4 : length);
}

static CatBinding *
listed_bindings (CatReader *r, unsigned *count)
{
  CatBinding *result = arena_array (r->arena, CatBinding, r->bindings->len);
  *count = 0;
  for (unsigned i = 0; i < r->bindings->len; i++)
    if (g_array_index (r->bindings, CatBinding, i).name != NULL)
      result[(*count)++] = g_array_index (r->bindings, CatBinding, i);
  return result;
}

static const CatModel *
finish_model (CatReader *r, const Source *source)
{
  CatModel *m = arena_new_of (r->arena, CatModel);
  m->name = model_name (r->arena, source);
  CatCheck *checks = arena_copy (r->arena, r->checks->data, r->checks->len * sizeof (CatCheck));
  m->checks = checks;
  m->check_count = r->checks->len;
  CatBinding *bindings = listed_bindings (r, &m->binding_count);
  m->bindings = bindings;
  cat_graph_finish (r->graph, m, checks, bindings);
  return m;
}

const CatModel *
cat_read (Arena *a, const Source *source, const CatLoader *loader, Diags *diags)
{
  g_autoptr (CatGraph) graph = cat_graph_new (a);
  g_autoptr (GHashTable) globals = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) binding_of = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) included = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) checks = g_array_new (FALSE, FALSE, sizeof (CatCheck));
  g_autoptr (GArray) bindings = g_array_new (FALSE, FALSE, sizeof (CatBinding));
  g_autoptr (GPtrArray) including = g_ptr_array_new ();
  CatReader r = { .arena = a,
                  .diags = diags,
                  .loader = loader,
                  .graph = graph,
                  .globals = globals,
                  .checks = checks,
                  .bindings = bindings,
                  .binding_of = binding_of,
                  .including = including,
                  .included = included };
  const unsigned errors = diags_error_count (diags);
  read_file (&r, source);
  if (r.statements == 0 && diags_error_count (diags) == errors)
    diags_add (diags, DIAG_ERROR, (Span){ source, 0, 0 },
               "there is no definition and no check in this file");
  return diags_error_count (diags) > errors ? NULL : finish_model (&r, source);
}
