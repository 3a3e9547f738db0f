/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_MODELS_H
#define PTXMM_CLI_MODELS_H

#include <glib.h>

#include "base/arena.h"
#include "model/cat.h"

/* The model that --model names: one that is built in, or a cat file (a name with a '/' or that
 * ends in ".cat").  NULL with messages in `messages` when there is none or it has errors. */
const CatModel *models_load (Arena *a, const char *name, GString *messages);

/* Names of the models built in, separated by ", ". */
void models_append_names (GString *out);

#endif
