/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/layout.h"

#include <string.h>

#include "reports/verdict.h"

/* ---- The rows -------------------------------------------------------------------------- */

/* clang-format off */
#define ROW(Type, kind_, name_, member)  { .name = name_, .kind = FIELD_##kind_, .offset = offsetof (Type, member) }
#define CHOICE(Type, name_, member, n)   { .name = name_, .kind = FIELD_CHOICE, .offset = offsetof (Type, member), .names = n }
#define MANY(Type, kind_, name_, member, count) \
  { .name = name_, .kind = FIELD_##kind_, .offset = offsetof (Type, member), .count_offset = offsetof (Type, count) }
#define OBJECT(Type, name_, member, l)   { .name = name_, .kind = FIELD_OBJECT, .offset = offsetof (Type, member), .layout = l }
#define OBJECTS(Type, name_, member, count, l) \
  { .name = name_, .kind = FIELD_OBJECTS, .offset = offsetof (Type, member), .count_offset = offsetof (Type, count), .layout = l }
#define LAYOUT(rows, Type)               { rows, G_N_ELEMENTS (rows), sizeof (Type) }

static const char *const quantifier_names[] = { "none", "exists", "not-exists", "forall", NULL };
static const char *const error_names[]      = { "input", "not-modelled", NULL };
static const char *const event_names[]      = { "read", "write", "fence", "proxy-fence", "barrier", NULL };

static const Field outcome_fields[] = {
  MANY (ReportOutcome, BINDINGS, "state",      state, state_count),
  ROW  (ReportOutcome, BOOL,     "satisfies",  satisfies),
  ROW  (ReportOutcome, INTEGER,  "executions", executions),
};
static const Layout outcome_layout = LAYOUT (outcome_fields, ReportOutcome);

static const Field exec_fields[] = {
  ROW  (ReportEngine, TRUTH,   "holds",      holds),
  ROW  (ReportEngine, BOOL,    "complete",   complete),
  ROW  (ReportEngine, TEXT,    "reason",     reason),
  MANY (ReportEngine, INDICES, "outcomes",   indices, index_count),
  ROW  (ReportEngine, INTEGER, "candidates", candidates),
  ROW  (ReportEngine, INTEGER, "consistent", consistent),
  ROW  (ReportEngine, REAL,    "seconds",    seconds),
  ROW  (ReportEngine, REAL,    "peak_mib",   peak_mib),
};
static const Layout exec_layout = LAYOUT (exec_fields, ReportEngine);

static const Field solver_fields[] = {
  ROW  (ReportEngine, TRUTH,   "holds",     holds),
  ROW  (ReportEngine, BOOL,    "complete",  complete),
  ROW  (ReportEngine, TEXT,    "reason",    reason),
  MANY (ReportEngine, INDICES, "outcomes",  indices, index_count),
  ROW  (ReportEngine, INTEGER, "variables", variables),
  ROW  (ReportEngine, INTEGER, "clauses",   clauses),
  ROW  (ReportEngine, INTEGER, "checks",    checks),
  ROW  (ReportEngine, REAL,    "seconds",   seconds),
  ROW  (ReportEngine, REAL,    "peak_mib",  peak_mib),
};
static const Layout solver_layout = LAYOUT (solver_fields, ReportEngine);

static const Field engines_fields[] = {
  { .name = "exec", .kind = FIELD_OBJECT, .offset = offsetof (ReportEngines, exec), .layout = &exec_layout, .omit_null = true },
  { .name = "solver", .kind = FIELD_OBJECT, .offset = offsetof (ReportEngines, solver), .layout = &solver_layout, .omit_null = true },
};
static const Layout engines_layout = LAYOUT (engines_fields, ReportEngines);

static const Field event_fields[] = {
  CHOICE (ReportEvent,          "kind",        kind, event_names),
  ROW    (ReportEvent, BOOL,    "init",        is_init),
  ROW    (ReportEvent, TEXT,    "thread",      thread),
  ROW    (ReportEvent, INTEGER, "instruction", insn),
  ROW    (ReportEvent, UNSIGNED,"iteration",   iteration),
  ROW    (ReportEvent, TEXT,    "text",        text),
  ROW    (ReportEvent, TEXT,    "semantics",   semantics),
  ROW    (ReportEvent, TEXT,    "scope",       scope),
  ROW    (ReportEvent, TEXT,    "proxy",       proxy),
  ROW    (ReportEvent, TEXT,    "location",    location),
  ROW    (ReportEvent, INTEGER, "size",        size),
  ROW    (ReportEvent, TEXT,    "value",       value),
  ROW    (ReportEvent, INTEGER, "phase",       phase),
};
static const Layout event_layout = LAYOUT (event_fields, ReportEvent);

static const Field flag_fields[] = {
  ROW     (ReportFlag, TEXT, "kind",  kind),
  OBJECTS (ReportFlag,       "where", where, where_count, &event_layout),
};
static const Layout flag_layout = LAYOUT (flag_fields, ReportFlag);

static const Field witness_fields[] = {
  OBJECTS (ReportWitness,            "events",    events, event_count, &event_layout),
  MANY    (ReportWitness, RELATIONS, "relations", relations, relation_count),
};
static const Layout witness_layout = LAYOUT (witness_fields, ReportWitness);

static const Field error_fields[] = {
  CHOICE (ReportError,          "kind",    kind, error_names),
  ROW    (ReportError, TEXT,    "file",    file),
  ROW    (ReportError, INTEGER, "line",    line),
  ROW    (ReportError, INTEGER, "column",  column),
  ROW    (ReportError, TEXT,    "message", message),
};
static const Layout error_layout = LAYOUT (error_fields, ReportError);

static const Field test_fields[] = {
  ROW     (TestReport, TEXT,   "test",         test),
  ROW     (TestReport, TEXT,   "file",         file),
  CHOICE  (TestReport,         "quantifier",   quantifier, quantifier_names),
  ROW     (TestReport, TEXT,   "condition",    condition),
  ROW     (TestReport, TRUTH,  "holds",        holds),
  ROW     (TestReport, TRUTH,  "reachable",    reachable),
  ROW     (TestReport, BOOL,   "complete",     complete),
  ROW     (TestReport, BOOL,   "final",        final),
  ROW     (TestReport, TEXT,   "reason",       reason),
  ROW     (TestReport, TRUTH,  "expected",     expected),
  ROW     (TestReport, TRUTH,  "as_expected",  as_expected),
  OBJECTS (TestReport,         "outcomes",     outcomes, outcome_count, &outcome_layout),
  OBJECT  (TestReport,         "engines",      engines, &engines_layout),
  ROW     (TestReport, TRUTH,  "agree",        agree),
  MANY    (TestReport, TEXTS,  "differences",  differences, difference_count),
  OBJECTS (TestReport,         "flags",        flags, flag_count, &flag_layout),
  OBJECT  (TestReport,         "witness",      witness, &witness_layout),
  MANY    (TestReport, TEXTS,  "forbidden_by", forbidden_by, forbidden_by_count),
  OBJECT  (TestReport,         "error",        error, &error_layout),
};
const Layout test_report_layout = LAYOUT (test_fields, TestReport);
/* clang-format on */

/* The names stand in the order of their enums. */
G_STATIC_ASSERT (QUANT_FORALL + 2 == G_N_ELEMENTS (quantifier_names));
G_STATIC_ASSERT (REPORT_ERROR_NOT_MODELLED + 2 == G_N_ELEMENTS (error_names));
G_STATIC_ASSERT (EVENT_BARRIER + 2 == G_N_ELEMENTS (event_names));

/* A member of an object, whatever its type. */
#define MEMBER(Type, object, at) (*(const Type *) ((const char *) (object) + (at)))
#define PLACE(Type, object, at)  ((Type *) ((char *) (object) + (at)))

/* ---- Writing --------------------------------------------------------------------------- */

static json_t *
text_to_json (const char *text)
{
  return text == NULL ? json_null () : json_string (text);
}

static json_t *
truth_to_json (Truth value)
{
  switch (value) {
  case TRUTH_UNKNOWN:
    return json_null ();
  case TRUTH_NO:
    return json_false ();
  case TRUTH_YES:
    return json_true ();
  }
  g_assert_not_reached ();
}

static json_t *
texts_to_json (const char *const *texts, unsigned count)
{
  if (texts == NULL)
    return json_null ();
  json_t *array = json_array ();
  for (unsigned i = 0; i < count; i++)
    json_array_append_new (array, text_to_json (texts[i]));
  return array;
}

static json_t *
indices_to_json (const unsigned *indices, unsigned count)
{
  json_t *array = json_array ();
  for (unsigned i = 0; i < count; i++)
    json_array_append_new (array, json_integer (indices[i]));
  return array;
}

static json_t *
objects_to_json (const Layout *layout, const char *objects, unsigned count)
{
  json_t *array = json_array ();
  for (unsigned i = 0; i < count; i++)
    json_array_append_new (array, layout_to_json (layout, objects + i * layout->size));
  return array;
}

static json_t *
bindings_to_json (const ReportBinding *bindings, unsigned count)
{
  json_t *object = json_object ();
  for (unsigned i = 0; i < count; i++)
    json_object_set_new (object, bindings[i].key, text_to_json (bindings[i].value));
  return object;
}

static json_t *
relations_to_json (const ReportRelation *relations, unsigned count)
{
  json_t *object = json_object ();
  for (unsigned i = 0; i < count; i++) {
    json_t *pairs = json_array ();
    for (unsigned k = 0; k < relations[i].pairs.count; k++) {
      Pair pair = relations[i].pairs.pairs[k];
      json_array_append_new (
          pairs, json_pack ("[I, I]", (json_int_t) pair.from, (json_int_t) pair.to));
    }
    json_object_set_new (object, relations[i].name, pairs);
  }
  return object;
}

static json_t *
integer_to_json (int64_t value)
{
  return value < 0 ? json_null () : json_integer (value);
}

static json_t *
object_to_json (const Layout *layout, const void *object)
{
  return object == NULL ? json_null () : layout_to_json (layout, object);
}

static const void *
pointer_at (const Field *f, const void *object)
{
  return MEMBER (void *, object, f->offset);
}

static json_t *
field_to_json (const Field *f, const void *o)
{
  unsigned count = f->count_offset > 0 ? MEMBER (unsigned, o, f->count_offset) : 0;
  switch (f->kind) {
  case FIELD_TEXT:
    return text_to_json (pointer_at (f, o));
  case FIELD_BOOL:
    return json_boolean (MEMBER (bool, o, f->offset));
  case FIELD_TRUTH:
    return truth_to_json (MEMBER (Truth, o, f->offset));
  case FIELD_CHOICE:
    return json_string (f->names[MEMBER (unsigned, o, f->offset)]);
  case FIELD_UNSIGNED:
    return json_integer (MEMBER (unsigned, o, f->offset));
  case FIELD_INTEGER:
    return integer_to_json (MEMBER (int64_t, o, f->offset));
  case FIELD_REAL:
    return json_real (MEMBER (double, o, f->offset));
  case FIELD_TEXTS:
    return texts_to_json (pointer_at (f, o), count);
  case FIELD_INDICES:
    return indices_to_json (pointer_at (f, o), count);
  case FIELD_OBJECT:
    return object_to_json (f->layout, pointer_at (f, o));
  case FIELD_OBJECTS:
    return objects_to_json (f->layout, pointer_at (f, o), count);
  case FIELD_BINDINGS:
    return bindings_to_json (pointer_at (f, o), count);
  case FIELD_RELATIONS:
    return relations_to_json (pointer_at (f, o), count);
  }
  g_assert_not_reached ();
}

json_t *
layout_to_json (const Layout *layout, const void *object)
{
  json_t *json = json_object ();
  for (unsigned i = 0; i < layout->field_count; i++) {
    const Field *f = &layout->fields[i];
    json_t *value = field_to_json (f, object);
    g_assert (value != NULL); /* texts are valid UTF-8 */
    if (f->omit_null && json_is_null (value))
      continue;
    json_object_set_new (json, f->name, value);
  }
  return json;
}

/* ---- Reading --------------------------------------------------------------------------- */

static const char *
text_from_json (Arena *a, const json_t *json)
{
  return json_is_string (json) ? arena_strdup (a, json_string_value (json)) : NULL;
}

static Truth
truth_from_json (const json_t *json)
{
  return json_is_boolean (json) ? truth_of (json_is_true (json)) : TRUTH_UNKNOWN;
}

static bool
choice_from_json (const char *const *names, const json_t *json, unsigned *value)
{
  for (*value = 0; json_is_string (json) && names[*value] != NULL; (*value)++)
    if (strcmp (names[*value], json_string_value (json)) == 0)
      return true;
  return false;
}

static void *
texts_from_json (Arena *a, const json_t *json)
{
  if (!json_is_array (json))
    return NULL;
  const char **texts = arena_array (a, const char *, json_array_size (json));
  for (size_t i = 0; i < json_array_size (json); i++)
    texts[i] = text_from_json (a, json_array_get (json, i));
  return texts;
}

static void *
indices_from_json (Arena *a, const json_t *json)
{
  unsigned *indices = arena_array (a, unsigned, json_array_size (json));
  for (size_t i = 0; i < json_array_size (json); i++)
    indices[i] = (unsigned) json_integer_value (json_array_get (json, i));
  return indices;
}

static void *
objects_from_json (Arena *a, const Layout *layout, const json_t *json)
{
  size_t count = json_array_size (json);
  char *objects = arena_alloc (a, layout->size * count);
  for (size_t i = 0; i < count; i++) {
    const void *object = layout_from_json (a, layout, json_array_get (json, i));
    if (object == NULL)
      return NULL;
    memcpy (objects + i * layout->size, object, layout->size);
  }
  return objects;
}

static void *
bindings_from_json (Arena *a, json_t *json)
{
  ReportBinding *bindings = arena_array (a, ReportBinding, json_object_size (json));
  const char *key = NULL;
  json_t *value = NULL;
  unsigned n = 0;
  json_object_foreach (json, key, value)
  {
    bindings[n++] = (ReportBinding){ arena_strdup (a, key), text_from_json (a, value) };
  }
  return bindings;
}

static Pairs
relation_from_json (Arena *a, const json_t *json)
{
  size_t count = json_array_size (json);
  Pair *pairs = arena_array (a, Pair, count);
  for (size_t i = 0; i < count; i++) {
    const json_t *pair = json_array_get (json, i);
    pairs[i] = (Pair){ (unsigned) json_integer_value (json_array_get (pair, 0)),
                       (unsigned) json_integer_value (json_array_get (pair, 1)) };
  }
  return (Pairs){ pairs, (unsigned) count };
}

static void *
relations_from_json (Arena *a, json_t *json)
{
  ReportRelation *relations = arena_array (a, ReportRelation, json_object_size (json));
  const char *key = NULL;
  json_t *value = NULL;
  unsigned n = 0;
  json_object_foreach (json, key, value)
  {
    relations[n++] = (ReportRelation){ arena_strdup (a, key), relation_from_json (a, value) };
  }
  return relations;
}

/* Stores a pointer member; false when it is NULL. */
static bool
set_pointer (const Field *f, void *object, const void *pointer)
{
  *PLACE (const void *, object, f->offset) = pointer;
  return pointer != NULL;
}

static bool
object_from_json (Arena *a, const Field *f, const json_t *json, void *o)
{
  if (!json_is_object (json)) {
    set_pointer (f, o, NULL);
    return true;
  }
  return set_pointer (f, o, layout_from_json (a, f->layout, json));
}

static bool
field_from_json (Arena *a, const Field *f, json_t *json, void *o)
{
  if (f->count_offset > 0)
    *PLACE (unsigned, o, f->count_offset)
        = (unsigned) (json_is_array (json) ? json_array_size (json) : json_object_size (json));
  switch (f->kind) {
  case FIELD_TEXT:
    *PLACE (const char *, o, f->offset) = text_from_json (a, json);
    return true;
  case FIELD_BOOL:
    *PLACE (bool, o, f->offset) = json_is_true (json);
    return json_is_boolean (json);
  case FIELD_TRUTH:
    *PLACE (Truth, o, f->offset) = truth_from_json (json);
    return true;
  case FIELD_CHOICE:
    return choice_from_json (f->names, json, PLACE (unsigned, o, f->offset));
  case FIELD_UNSIGNED:
    *PLACE (unsigned, o, f->offset) = (unsigned) json_integer_value (json);
    return json_is_integer (json);
  case FIELD_INTEGER:
    *PLACE (int64_t, o, f->offset) = json_is_integer (json) ? json_integer_value (json) : -1;
    return true;
  case FIELD_REAL:
    *PLACE (double, o, f->offset) = json_number_value (json);
    return json_is_number (json);
  case FIELD_TEXTS:
    set_pointer (f, o, texts_from_json (a, json));
    return true;
  case FIELD_INDICES:
    return set_pointer (f, o, indices_from_json (a, json));
  case FIELD_OBJECT:
    return object_from_json (a, f, json, o);
  case FIELD_OBJECTS:
    return set_pointer (f, o, objects_from_json (a, f->layout, json));
  case FIELD_BINDINGS:
    return set_pointer (f, o, bindings_from_json (a, json));
  case FIELD_RELATIONS:
    return set_pointer (f, o, relations_from_json (a, json));
  }
  g_assert_not_reached ();
}

void *
layout_from_json (Arena *a, const Layout *layout, const json_t *json)
{
  if (!json_is_object (json))
    return NULL;
  void *object = arena_alloc (a, layout->size);
  for (unsigned i = 0; i < layout->field_count; i++) {
    const Field *f = &layout->fields[i];
    if (!field_from_json (a, f, json_object_get (json, f->name), object))
      return NULL;
  }
  return object;
}
