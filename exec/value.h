/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_VALUE_H
#define PTXMM_EXEC_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/fault.h"
#include "litmus/program.h"

/* The arithmetic of register operations, atomics and branches on concrete values.  Operands are
 * taken, and results given, truncated to type.bits. */

/* A division by zero gives all ones [9.7.1.9: unspecified]. */
uint64_t alu_apply (AluOp op, Type type, uint64_t a, uint64_t b);

/* What atom or red writes.  For ATOM_CAS: b, whatever the comparison says. */
uint64_t atom_apply (AtomOp op, Type type, uint64_t old, uint64_t a, uint64_t b,
                     const RunOptions *options);

bool cmp_apply (Cmp cmp, Type type, uint64_t a, uint64_t b);

#endif
