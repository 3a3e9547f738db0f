/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_BASE_BUDGET_H
#define PTXMM_BASE_BUDGET_H

#include <stddef.h>

/* Why a search stopped early. */
typedef enum StopReason {
  STOP_NONE = 0, /* it did not */
  STOP_TIME,
  STOP_MEMORY,
} StopReason;

/* How a long computation asks whether it may go on.  The clock and the limits belong to the
 * caller; below the command line nothing reads either.  `poll` is cheap (well under a
 * microsecond amortised) and may be called in inner loops; once it has answered anything but
 * STOP_NONE it keeps giving the same answer.  `bytes` is what the asking engine holds at the
 * moment. */
typedef struct Budget {
  StopReason (*poll) (void *ctx, size_t bytes);
  void *ctx;
  double seconds; /* left when the budget was made; 0: no limit.  For engines that
                   * must hand a limit on to a library. */
  size_t bytes;   /* likewise */
} Budget;

/* A NULL budget has no limits. */
static inline StopReason
budget_poll (const Budget *b, size_t bytes)
{
  return b == NULL || b->poll == NULL ? STOP_NONE : b->poll (b->ctx, bytes);
}

#endif
