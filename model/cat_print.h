/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_CAT_PRINT_H
#define PTXMM_MODEL_CAT_PRINT_H

#include "model/cat.h"

/* The model as cat text: definitions in the order of the nodes, then what is shown, then the
 * checks.  Includes, functions and hidden names are gone; private names ("_n12", "_co") stand
 * for large expressions that occur twice and for supplied relations whose name the model gives
 * another meaning.  Reading the text gives an equal model.  (transfer full) */
char *cat_print (const CatModel *m);

/* True when the models have the same checks, in the same order, and the same bindings, in any
 * order, over equal graphs.  The model's name, spans, the names of nodes and of unnamed checks
 * do not matter. */
bool cat_equal (const CatModel *x, const CatModel *y);

#endif
