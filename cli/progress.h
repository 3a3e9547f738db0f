/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_PROGRESS_H
#define PTXMM_CLI_PROGRESS_H

#include <stdbool.h>

/* A bar on standard error. */
typedef struct Progress {
  bool shown;
  bool drawn; /* there is one on the line now */
  unsigned done;
  unsigned total;
  unsigned not_ok;
  double last; /* when it was drawn */
} Progress;

/* Draws the bar if that was not done a moment ago. */
void progress_draw (Progress *p);

/* Takes the bar off the line, before something else is written to the terminal. */
void progress_clear (Progress *p);

#endif
