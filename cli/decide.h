/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_DECIDE_H
#define PTXMM_CLI_DECIDE_H

#include <glib.h>
#include <stdbool.h>

#include "model/run.h"
#include "reports/verdict.h"
#include "solver/solve.h"

/* Deciding one test with the engines that were asked for. */

typedef enum Engines {
  ENGINES_EXEC,
  ENGINES_SOLVER,
  ENGINES_BOTH,
} Engines;

typedef struct Decider {
  const CatModel *model;
  Engines engines;
  RunOptions run;
  double seconds;      /* for one test, all engines together; 0: no limit */
  size_t bytes;        /* that one engine may hold; 0: no limit */
  const char *library; /* Z3's, or NULL: as configured */
  Solver *solver;      /* made by decider_prepare when it is needed */
} Decider;

/* Loads what the engines need.  FALSE with a message in `*error`: (transfer full).  May be
 * called again. */
bool decider_prepare (Decider *d, char **error) G_GNUC_WARN_UNUSED_RESULT;

void decider_clear (Decider *d);

/* Who wants to know what the first of two engines found before the second is asked. */
typedef struct DecideListener {
  void *ctx;
  void (*first) (void *ctx, const TestReport *known);
} DecideListener;

/* `smt2`, when not NULL, receives the solver's problem.  `listener` may be NULL. */
const TestReport *decide (Decider *d, Arena *a, const Program *program, const char *file,
                          Truth expected, GString *smt2, const DecideListener *listener);

#endif
