/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "solver/smt.h"

/* The least that a program using Z3 can do: load it, make a context, check one clause.  The
 * yardstick for start-up in tests/bench.py. */
int
main (void)
{
  g_autoptr (GError) error = NULL;
  Smt *smt = smt_new (NULL, &error);
  if (smt == NULL) {
    fprintf (stderr, "z3_baseline: %s\n", error->message);
    return 2;
  }
  Cnf *f = cnf_new ();
  StopReason stopped = STOP_NONE;
  smt_reset (smt);
  cnf_clause2 (f, cnf_var (f), cnf_var (f));
  smt_sync (smt, f);
  int status = smt_check (smt, NULL, 0, NULL, &stopped) == SMT_SAT ? 0 : 1;
  cnf_free (f);
  smt_free (smt);
  return status;
}
