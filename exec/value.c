/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/value.h"

/* Two's complement value of the low `bits`. */
static int64_t
sign_extend (uint64_t value, unsigned bits)
{
  uint64_t sign = UINT64_C (1) << (bits - 1);
  value = truncate_bits (value, bits);
  return (int64_t) ((value ^ sign) - sign);
}

static uint64_t
divide (Type type, uint64_t a, uint64_t b)
{
  if (b == 0)
    return UINT64_MAX;
  if (type.cls != TY_S)
    return a / b;
  int64_t divisor = sign_extend (b, type.bits);
  if (divisor == -1) /* the quotient of the least value wraps */
    return 0 - a;
  return (uint64_t) (sign_extend (a, type.bits) / divisor);
}

static bool
less (Type type, uint64_t a, uint64_t b)
{
  if (type.cls == TY_S)
    return sign_extend (a, type.bits) < sign_extend (b, type.bits);
  return a < b;
}

static uint64_t
alu_exact (AluOp op, Type type, uint64_t a, uint64_t b)
{
  switch (op) {
  case ALU_MOV:
    return a;
  case ALU_ADD:
    return a + b;
  case ALU_SUB:
    return a - b;
  case ALU_MUL:
    return a * b;
  case ALU_DIV:
    return divide (type, a, b);
  case ALU_AND:
    return a & b;
  case ALU_OR:
    return a | b;
  case ALU_XOR:
    return a ^ b;
  }
  g_assert_not_reached ();
}

uint64_t
alu_apply (AluOp op, Type type, uint64_t a, uint64_t b)
{
  a = truncate_bits (a, type.bits);
  b = truncate_bits (b, type.bits);
  return truncate_bits (alu_exact (op, type, a, b), type.bits);
}

static uint64_t
decrement (uint64_t old, uint64_t limit, const RunOptions *options)
{
  if (fault_is (options, FAULT_DEC_OFF_BY_ONE))
    return old == 0 ? limit : old - 1;
  return old == 0 || old > limit ? limit : old - 1;
}

static uint64_t
atom_exact (AtomOp op, Type type, uint64_t old, uint64_t a, uint64_t b,
            const RunOptions *options)
{
  Type order = type;
  if (fault_is (options, FAULT_MIN_UNSIGNED))
    order.cls = TY_U;
  switch (op) {
  case ATOM_ADD:
    return old + a;
  case ATOM_SUB:
    return old - a;
  case ATOM_MUL:
    return old * a;
  case ATOM_DIV:
    return divide (type, old, a);
  case ATOM_INC:
    return old >= a ? 0 : old + 1;
  case ATOM_DEC:
    return decrement (old, a, options);
  case ATOM_MIN:
    return less (order, a, old) ? a : old;
  case ATOM_MAX:
    return less (order, old, a) ? a : old;
  case ATOM_AND:
    return old & a;
  case ATOM_OR:
    return old | a;
  case ATOM_XOR:
    return old ^ a;
  case ATOM_EXCH:
    return a;
  case ATOM_CAS:
    return b;
  }
  g_assert_not_reached ();
}

uint64_t
atom_apply (AtomOp op, Type type, uint64_t old, uint64_t a, uint64_t b,
            const RunOptions *options)
{
  old = truncate_bits (old, type.bits);
  a = truncate_bits (a, type.bits);
  b = truncate_bits (b, type.bits);
  return truncate_bits (atom_exact (op, type, old, a, b, options), type.bits);
}

bool
cmp_apply (Cmp cmp, Type type, uint64_t a, uint64_t b)
{
  a = truncate_bits (a, type.bits);
  b = truncate_bits (b, type.bits);
  switch (cmp) {
  case CMP_EQ:
    return a == b;
  case CMP_NE:
    return a != b;
  case CMP_LT:
    return less (type, a, b);
  case CMP_LE:
    return !less (type, b, a);
  case CMP_GT:
    return less (type, b, a);
  case CMP_GE:
    return !less (type, a, b);
  }
  g_assert_not_reached ();
}
