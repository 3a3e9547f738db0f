/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_SMT2_H
#define PTXMM_SOLVER_SMT2_H

#include "solver/cnf.h"

/* Writes the formula and `count` literals that are to hold as standard SMT-LIB 2.6 (QF_UF):
 * propositional variables v2, v3, … and a check-sat. */
void smt2_write (GString *out, const char *comment, const Cnf *f, const Lit *asserted,
                 unsigned count);

#endif
