/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_SMT_H
#define PTXMM_SOLVER_SMT_H

#include <glib.h>
#include <stdbool.h>

#include "base/budget.h"
#include "solver/cnf.h"

/* All of Z3.  The library is loaded at run time, so that a command that needs no solver does
 * not pay for it. */

typedef struct Smt Smt;

/* `library` NULL: as configured at build time.  NULL with `error` set when the library cannot
 * be loaded or lacks a function. */
Smt *smt_new (const char *library, GError **error);
void smt_free (Smt *smt);
const char *smt_version (const Smt *smt);

typedef enum SmtAnswer { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN } SmtAnswer;

/* Forgets every clause and variable: a new question begins. */
void smt_reset (Smt *smt);

/* Hands over the clauses of `f` that were added since the last call (since smt_reset). */
void smt_sync (Smt *smt, const Cnf *f);

/* Decides the clauses together with the assumptions.  SMT_UNKNOWN: `*stopped` says whether time
 * or memory ran out. */
SmtAnswer smt_check (Smt *smt, const Lit *assumptions, unsigned count, const Budget *budget,
                     StopReason *stopped);

/* After SMT_SAT: the truth of a literal in the model (unconstrained ones are false). */
bool smt_holds (const Smt *smt, Lit lit);

/* After SMT_UNSAT: which of the assumptions were used; `used` has their count. */
void smt_core (const Smt *smt, const Lit *assumptions, unsigned count, bool *used);

/* Bytes that Z3 holds, as it says itself. */
size_t smt_bytes (const Smt *smt);

/* Questions asked since smt_reset. */
unsigned smt_check_count (const Smt *smt);

#endif
