/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_REPORTS_LAYOUT_H
#define PTXMM_REPORTS_LAYOUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* How a struct looks as JSON: a row a member.  Writing and reading are both driven by the rows,
 * so a report that came from another process is the report it made. */

typedef enum FieldKind {
  FIELD_TEXT,      /* const char *; NULL is null */
  FIELD_BOOL,      /* bool */
  FIELD_TRUTH,     /* Truth; unknown is null */
  FIELD_CHOICE,    /* an enum (as unsigned), written as names[value] */
  FIELD_UNSIGNED,  /* unsigned */
  FIELD_INTEGER,   /* int64_t; negative is null */
  FIELD_REAL,      /* double */
  FIELD_TEXTS,     /* const char *const * with a count; an array, or null when it is NULL */
  FIELD_INDICES,   /* const unsigned * with a count; an array */
  FIELD_OBJECT,    /* pointer to a struct of `layout`; NULL is null */
  FIELD_OBJECTS,   /* array of such structs with a count */
  FIELD_BINDINGS,  /* const ReportBinding * with a count; an object of texts */
  FIELD_RELATIONS, /* const ReportRelation * with a count; an object of arrays of pairs */
} FieldKind;

typedef struct Layout Layout;

typedef struct Field {
  const char *name;
  FieldKind kind;
  size_t offset;
  size_t count_offset;      /* arrays: of the unsigned that counts them */
  const Layout *layout;     /* OBJECT, OBJECTS */
  const char *const *names; /* CHOICE: NULL-terminated */
  bool omit_null;           /* a null member is left out */
} Field;

struct Layout {
  const Field *fields;
  unsigned field_count;
  size_t size; /* of the struct */
};

/* (transfer full) */
json_t *layout_to_json (const Layout *layout, const void *object);

/* A new struct in `a`; NULL when `json` does not have the shape.  Members that are missing are
 * read as null. */
void *layout_from_json (Arena *a, const Layout *layout, const json_t *json);

/* The layout of TestReport: a member of "results" in the report. */
extern const Layout test_report_layout;

#endif
