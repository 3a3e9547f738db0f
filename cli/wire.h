/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_WIRE_H
#define PTXMM_CLI_WIRE_H

#include <stddef.h>

#include "reports/verdict.h"

/* What a worker says of a test, as text. */
typedef struct Wire {
  const TestReport *report;
  const char *messages; /* for standard error, or NULL */
  const char *z3;       /* the solver library's version, or NULL */
} Wire;

/* (transfer full), free () */
char *wire_encode (const Wire *wire);

/* In `a`; NULL when the text is none of ours. */
Wire *wire_decode (Arena *a, const char *text, size_t length);

#endif
