/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_LIMITS_H
#define PTXMM_CLI_LIMITS_H

#include <stddef.h>

#include "base/budget.h"

/* The clock, and the limits of one computation. */

/* Seconds of a clock that only goes forward. */
double clock_seconds (void);

typedef struct Limit {
  double deadline; /* on that clock; 0: none */
  size_t bytes;    /* 0: none */
  StopReason answer;
} Limit;

/* A budget over `limit`, which must outlive it. */
Budget limit_budget (Limit *limit);

#endif
