/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_BUILTIN_H
#define PTXMM_MODEL_BUILTIN_H

#include "model/cat.h"

/* The models that are part of the program: the files model/cat/NAME.cat as they were when it
 * was built. */

/* Their names, the oldest version first; NULL ends the list. */
const char *const *builtin_model_names (void);

/* The text of a model, for cat_read; its source is called NAME.cat.  NULL: no such name. */
const Source *builtin_model (const char *name);

/* Finds included files among the built-in ones, "NAME.cat" whatever includes it. */
CatLoader builtin_loader (void);

#endif
