/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_QUESTION_H
#define PTXMM_SOLVER_QUESTION_H

#include "solver/encode.h"

/* The final state and what is asked of it. */
typedef struct Question {
  Bits *state; /* Program.observed_count */
  Lit condition;
  Lit filter;
} Question;

Question *question_encode (Encoder *e);

#endif
