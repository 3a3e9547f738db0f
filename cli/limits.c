/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/limits.h"

#include <glib.h>
#include <time.h>

double
clock_seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static StopReason
poll_limit (void *ctx, size_t bytes)
{
  Limit *limit = ctx;
  if (limit->answer != STOP_NONE)
    return limit->answer;
  if (limit->bytes > 0 && bytes > limit->bytes)
    limit->answer = STOP_MEMORY;
  else if (limit->deadline > 0 && clock_seconds () >= limit->deadline)
    limit->answer = STOP_TIME;
  return limit->answer;
}

Budget
limit_budget (Limit *limit)
{
  const double least = 1e-3; /* 0 would mean that there is no limit */
  double left = limit->deadline > 0 ? MAX (limit->deadline - clock_seconds (), least) : 0;
  return (Budget){ poll_limit, limit, left, limit->bytes };
}
