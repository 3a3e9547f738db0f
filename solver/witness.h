/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_WITNESS_H
#define PTXMM_SOLVER_WITNESS_H

#include "solver/encode.h"
#include "solver/question.h"
#include "solver/smt.h"

/* The execution that Z3's model describes. */
Execution *witness_extract (Arena *a, const Smt *smt, const Encoder *e, const Question *q);

/* The value that the bits have in the model. */
uint64_t witness_value (const Smt *smt, const Bits *x);

#endif
