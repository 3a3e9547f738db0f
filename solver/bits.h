/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_BITS_H
#define PTXMM_SOLVER_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/program.h"
#include "solver/cnf.h"

/* Values as bit vectors of literals, least significant first.  Bits above `width` are zero, so
 * that a value known to be small costs little. */
typedef struct Bits {
  unsigned width; /* 0 … 64 (65 inside division); no constant-false literal on top */
  Lit bit[65];
} Bits;

Bits bits_const (uint64_t value);

/* A value of which only the bits in `mask` may be set: fresh variables there. */
Bits bits_fresh (Cnf *f, uint64_t mask);

/* The bits that may be set. */
uint64_t bits_mask (const Bits *x);

bool bits_is_const (const Bits *x, uint64_t *value);
Lit bits_get (const Bits *x, unsigned i);

/* The low `width` bits; the higher ones become zero. */
Bits bits_truncate (const Bits *x, unsigned width);

/* Results modulo 2^width.  The operands are truncated to it first. */
Bits bits_alu (Cnf *f, AluOp op, Type type, const Bits *a, const Bits *b);

/* The value that an atomic operation writes, from what it read (see AtomOp; for CAS the value
 * written on success). */
Bits bits_atom (Cnf *f, AtomOp op, Type type, const Bits *old, const Bits *a, const Bits *b);

/* a CMP b at the type's width and signedness, exact. */
Lit bits_compare (Cnf *f, Cmp cmp, Type type, const Bits *a, const Bits *b);

Lit bits_equal (Cnf *f, const Bits *a, const Bits *b);

/* c ? a : b */
Bits bits_ite (Cnf *f, Lit c, const Bits *a, const Bits *b);

/* States that a equals b when `when` holds. */
void bits_assert_equal (Cnf *f, Lit when, const Bits *a, const Bits *b);

/* True when the operation divides by zero: its result is unspecified in PTX. */
Lit bits_divides_by_zero (Cnf *f, Type type, const Bits *divisor);

#endif
