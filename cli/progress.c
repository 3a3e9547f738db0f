/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdio.h>

#include "cli/limits.h"

enum { BAR_WIDTH = 30 };

static const double least_interval = 0.1; /* seconds */

void
progress_draw (Progress *p)
{
  double now = p->shown ? clock_seconds () : 0;
  if (!p->shown || (now - p->last < least_interval && p->done < p->total))
    return;
  char bar[BAR_WIDTH + 1] = "";
  unsigned filled = p->total == 0 ? BAR_WIDTH : p->done * BAR_WIDTH / p->total;
  for (unsigned i = 0; i < BAR_WIDTH; i++)
    bar[i] = i < filled ? '#' : '.';
  fprintf (stderr, "\r[%s] %u/%u files, %u not ok", bar, p->done, p->total, p->not_ok);
  fflush (stderr);
  p->last = now;
  p->drawn = true;
}

void
progress_clear (Progress *p)
{
  if (p->drawn)
    fputs ("\r\033[K", stderr);
  p->drawn = false;
}
