/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_CAT_ELAB_H
#define PTXMM_MODEL_CAT_ELAB_H

#include "model/cat_graph.h"
#include "model/cat_syntax.h"

/* What the parts of the reader share that give syntax trees a meaning: values, scopes and
 * messages.  cat_scope.c finds names, cat_elab.c evaluates expressions, cat_read.c goes through
 * the statements of a file.  Private to the reader.
 *
 * A definition is evaluated where it stands: its value is a node of the graph, the untyped
 * empty value, or a function with the scope it was written in, which calls evaluate anew.  What
 * is wrong has the value CAT_VALUE_ERROR, which whatever uses it takes on silently, so that one
 * fault gives one message. */

typedef enum CatValueKind {
  CAT_VALUE_ERROR,
  CAT_VALUE_ZERO, /* the empty set or relation, whichever is asked for */
  CAT_VALUE_NODE,
  CAT_VALUE_FUNCTION,
} CatValueKind;

typedef struct CatFunction CatFunction;

typedef struct CatValue {
  CatValueKind kind;
  unsigned node;
  const CatFunction *function;
} CatValue;

/* A parameter, a name of a local `let`, or a variable of the `let rec` that is being read. */
typedef struct CatLocal {
  const char *name;
  CatValue value;
  const struct CatLocal *outer;
} CatLocal;

/* What an expression can see: locals, then the top-level names bound before `time`. */
typedef struct CatScope {
  const CatLocal *locals;
  unsigned time;
} CatScope;

struct CatFunction {
  const CatDefinition *definition;
  CatScope scope;
};

/* A top-level binding; `hidden` is the one of the same name before it. */
typedef struct CatGlobal {
  CatValue value;
  unsigned time;
  const struct CatGlobal *hidden;
} CatGlobal;

/* The call whose body is being evaluated, for messages. */
typedef struct CatCall {
  const char *name;
  Span span;
} CatCall;

typedef struct CatReader {
  Arena *arena;
  Diags *diags;
  const CatLoader *loader;
  CatGraph *graph;
  GHashTable *globals; /* name → CatGlobal */
  unsigned time;
  GArray *checks;         /* CatCheck */
  GArray *bindings;       /* CatBinding; name NULL: replaced */
  GHashTable *binding_of; /* name → its index + 1 */
  GPtrArray *including;   /* Source, the outermost first */
  GHashTable *included;   /* names of sources */
  const CatCall *call;
  unsigned steps;
  unsigned nesting;
  unsigned statements;
  bool quiet; /* nothing is reported: shapes are being found */
  bool exhausted;
} CatReader;

static const CatValue cat_error_value = { CAT_VALUE_ERROR, 0, NULL };
static const CatValue cat_zero_value = { CAT_VALUE_ZERO, 0, NULL };

static inline CatValue
cat_node_value (unsigned node)
{
  return (CatValue){ CAT_VALUE_NODE, node, NULL };
}

/* ---- cat_scope.c: messages and names ------------------------------------------------------
 */

/* Reports an error, with the call when it is in a function's body, unless the reader is quiet.
 * Gives CAT_VALUE_ERROR. */
CatValue cat_fail (CatReader *r, Span span, const char *format, ...) G_GNUC_PRINTF (3, 4);
CatValue cat_fail_unknown (CatReader *r, Span span, const char *name, const CatScope *scope);

typedef enum CatBuiltin {
  CAT_BUILTIN_TOID,     /* toid(s) = [s] */
  CAT_BUILTIN_FENCEREL, /* fencerel(s) = (po & (_ * s)); po */
  CAT_BUILTIN_COUNT,
} CatBuiltin;

/* CAT_BUILTIN_COUNT when there is none of this name. */
CatBuiltin cat_find_builtin (const char *name);

/* A local or a top-level name. */
bool cat_lookup_bound (CatReader *r, const char *name, const CatScope *scope, CatValue *value);
/* A set or relation of model/cat_base.def, or an abbreviation over them. */
bool cat_lookup_supplied (CatReader *r, const char *name, Span span, CatValue *value);

const CatLocal *cat_push_local (CatReader *r, const CatLocal *outer, const char *name,
                                CatValue value);

/* ---- cat_elab.c: expressions --------------------------------------------------------------
 */

CatValue cat_evaluate (CatReader *r, const CatExpr *e, const CatScope *scope);

/* The value of a definition that is not recursive. */
CatValue cat_define (CatReader *r, const CatDefinition *d, const CatScope *scope);

/* The node of a value that must have `shape`; what it is needed for goes into the message.
 * False when it has not, which is reported. */
bool cat_need (CatReader *r, CatValue v, CatShape shape, Span span, const char *what_for,
               unsigned *node);

#endif
