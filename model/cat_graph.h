/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_CAT_GRAPH_H
#define PTXMM_MODEL_CAT_GRAPH_H

#include "model/cat.h"

/* The nodes of a model while it is being read.  Equal nodes are made once, laws of the empty
 * set and relation and x | x == x & x == x are applied at once, and a node that is made a
 * second time keeps the span of the first.  Private to the reader. */
typedef struct CatGraph CatGraph;

/* Free with cat_graph_free; the nodes that cat_graph_finish hands out live in `a`. */
CatGraph *cat_graph_new (Arena *a);
void cat_graph_free (CatGraph *g);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CatGraph, cat_graph_free)

unsigned cat_graph_base (CatGraph *g, CatBase base, Span span);
unsigned cat_graph_empty (CatGraph *g, CatShape shape, Span span);

/* `op` with its operands, whose shapes must fit; `b` is ignored for unary operators. */
unsigned cat_graph_node (CatGraph *g, CatOp op, unsigned a, unsigned b, Span span);

CatShape cat_graph_shape (const CatGraph *g, unsigned node);

/* The node gets this name if it is neither a base nor empty and has none yet. */
void cat_graph_name (CatGraph *g, unsigned node, const char *name);

/* One `let rec` at a time: open, a variable for each name, close with the bodies in the order
 * of the variables.  A group that turned out to be wrong is dropped: its variables must not be
 * used any more. */
void cat_graph_open (CatGraph *g);
unsigned cat_graph_variable (CatGraph *g, CatShape shape, const char *name, Span span);
void cat_graph_close (CatGraph *g, const unsigned *bodies);
void cat_graph_drop (CatGraph *g);

/* True when a group is open and the node depends on one of its variables. */
bool cat_graph_recursive (const CatGraph *g, unsigned node);

/* Fills nodes and groups of `m` with what its checks and bindings need, in the order that cat.h
 * promises, and renumbers the nodes of those. */
void cat_graph_finish (CatGraph *g, CatModel *m, CatCheck *checks, CatBinding *bindings);

#endif
