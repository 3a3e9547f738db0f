/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_FRONTEND_H
#define PTXMM_LITMUS_FRONTEND_H

#include "base/arena.h"
#include "base/diag.h"
#include "litmus/program.h"

typedef enum InputFormat {
  FORMAT_LITMUS,
  FORMAT_NVLABS,
  FORMAT_PTX, /* a PTX module */
} InputFormat;

/* What a text is written in: by its first token where that says so ("PTX", ".version",
 * ".global"), else by the suffix of its name. */
InputFormat frontend_format (const Source *source);

/* Reads a file of any known format: an array of *count programs in `a`, one for a litmus test,
 * one for each command and row of an NVlabs test.  NULL, and at least one message more in
 * `diags`, when anything is wrong or not modelled; PTX modules are not modelled. */
const Program **frontend_parse (Arena *a, const Source *source, Diags *diags, unsigned *count);

#endif
