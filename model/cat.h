/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_CAT_H
#define PTXMM_MODEL_CAT_H

#include <glib.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

/* A memory model read from a cat file, as a graph of sets and relations over events.  Names,
 * functions and includes are resolved; equal expressions are one node.  Both engines read this.
 */

/* The sets and relations that the program supplies (model/cat_base.def has the rows). */
typedef enum CatBase {
#define CAT_BASE(id, name, shape, doc) CAT_BASE_##id,
#include "model/cat_base.def"
#undef CAT_BASE
  CAT_BASE_COUNT
} CatBase;

typedef enum CatShape { CAT_SET, CAT_REL } CatShape;

const char *cat_base_name (CatBase base);
const char *cat_base_doc (CatBase base);
CatShape cat_base_shape (CatBase base);

/* UNION, INTER, DIFF and COMPL work on two sets or two relations and give the same. */
typedef enum CatOp {
  CAT_OP_BASE,    /* base */
  CAT_OP_EMPTY,   /* the empty set or relation (written 0) */
  CAT_OP_UNION,   /* a | b */
  CAT_OP_INTER,   /* a & b */
  CAT_OP_DIFF,    /* a \ b */
  CAT_OP_COMPL,   /* ~a: all events, or all pairs, but those of a */
  CAT_OP_SEQ,     /* a ; b */
  CAT_OP_CROSS,   /* a * b: sets a, b */
  CAT_OP_INVERSE, /* a^-1 */
  CAT_OP_PLUS,    /* a+ */
  CAT_OP_STAR,    /* a* over all events */
  CAT_OP_OPT,     /* a? over all events */
  CAT_OP_ID_ON,   /* [a]: set a */
  CAT_OP_DOMAIN,  /* domain(a): a set */
  CAT_OP_RANGE,   /* range(a): a set */
  CAT_OP_REC,     /* a name bound by `let rec`: a is its body's node */
} CatOp;

typedef struct CatNode {
  CatOp op;
  CatShape shape;
  unsigned a; /* operands: indices into CatModel.nodes */
  unsigned b;
  CatBase base;
  int group;        /* of the `let rec` whose least fixpoint this node is part of (it
                     * is one of its REC nodes or lies between one and a body of the
                     * group), else -1 */
  const char *name; /* a name the file binds to it, or NULL */
  Span span;
} CatNode;

/* How many operands a node with this operator has in `a` and `b`: 0, 1 or 2 (the body of a REC
 * node counts as one). */
unsigned cat_operand_count (CatOp op);

/* One `let rec … and …`: the simultaneous least fixpoint of `bodies`, which are monotone in
 * `vars` (the reader has checked it). vars[i] is the REC node of bodies[i]. */
typedef struct CatGroup {
  const unsigned *vars;
  const unsigned *bodies;
  unsigned count;
} CatGroup;

typedef enum CatCheckKind {
  CAT_ACYCLIC,
  CAT_IRREFLEXIVE,
  CAT_EMPTY,
} CatCheckKind;

/* A check.  An axiom must hold in every execution; a flag only marks executions in which its
 * condition holds ("flag ~empty race as data-race" marks executions with a race). */
typedef struct CatCheck {
  CatCheckKind kind;
  bool negated;
  bool is_flag;
  const char *name; /* after `as`, else "KIND@LINE" */
  unsigned node;
  Span span;
} CatCheck;

/* Names bound at top level, for reports and `show`: each once, with its last meaning, in the
 * order of those.  Functions and names that begin with an underscore are left out. */
typedef struct CatBinding {
  const char *name;
  unsigned node;
  bool shown; /* named by a `show` */
} CatBinding;

typedef struct CatModel {
  const char *name; /* "ptx-9.4", or the file's name without folder and ".cat" */
  CatNode *nodes;   /* operands come before users, except that a REC node comes before
                     * its body.  The nodes of a group stand together, its REC nodes
                     * first; all that they need from outside comes before. */
  unsigned node_count;
  const CatGroup *groups;
  unsigned group_count;
  const CatCheck *checks;
  unsigned check_count;
  const CatBinding *bindings;
  unsigned binding_count;
} CatModel;

/* How the reader gets at included files: the text of `path` as written in the include, looked
 * up relative to the including source.  NULL: there is none (the reader reports it).  The
 * Source and its text belong to `ctx`'s owner and outlive the model. */
typedef struct CatLoader {
  const Source *(*load) (void *ctx, const Source *from, const char *path);
  void *ctx;
} CatLoader;

/* Reads a model.  NULL when there were errors, which are in `diags`.  The model and all it
 * points to live in `a`; spans point into `source`, which must outlive it. */
const CatModel *cat_read (Arena *a, const Source *source, const CatLoader *loader,
                          Diags *diags);

/* True when `node` depends (through any operator) on the base relation or set. */
bool cat_depends_on (const CatModel *m, unsigned node, CatBase base);

#endif
