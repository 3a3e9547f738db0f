/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/bits.h"

static void
trim (Bits *x)
{
  while (x->width > 0 && x->bit[x->width - 1] == LIT_FALSE)
    x->width--;
}

Bits
bits_const (uint64_t value)
{
  Bits x = { .width = 64 };
  for (unsigned i = 0; i < 64; i++)
    x.bit[i] = (value >> i & 1) != 0 ? LIT_TRUE : LIT_FALSE;
  trim (&x);
  return x;
}

Bits
bits_fresh (Cnf *f, uint64_t mask)
{
  Bits x = { .width = 64 };
  for (unsigned i = 0; i < 64; i++)
    x.bit[i] = (mask >> i & 1) != 0 ? cnf_var (f) : LIT_FALSE;
  trim (&x);
  return x;
}

uint64_t
bits_mask (const Bits *x)
{
  uint64_t mask = 0;
  for (unsigned i = 0; i < x->width; i++)
    if (x->bit[i] != LIT_FALSE)
      mask |= UINT64_C (1) << i;
  return mask;
}

bool
bits_is_const (const Bits *x, uint64_t *value)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < x->width; i++) {
    if (x->bit[i] != LIT_TRUE && x->bit[i] != LIT_FALSE)
      return false;
    if (x->bit[i] == LIT_TRUE)
      sum |= UINT64_C (1) << i;
  }
  *value = sum;
  return true;
}

Lit
bits_get (const Bits *x, unsigned i)
{
  return i < x->width ? x->bit[i] : LIT_FALSE;
}

Bits
bits_truncate (const Bits *x, unsigned width)
{
  Bits y = *x;
  y.width = MIN (y.width, width);
  trim (&y);
  return y;
}

/* ---- Arithmetic ---------------------------------------------------------------------------
 */

/* a + b + carry modulo 2^width; *carry becomes the carry out of the top. */
static Bits
add_carry (Cnf *f, unsigned width, const Bits *a, const Bits *b, bool invert_b, Lit *carry)
{
  Bits sum = { .width = width };
  for (unsigned i = 0; i < width; i++) {
    Lit x = bits_get (a, i);
    Lit y = invert_b ? -bits_get (b, i) : bits_get (b, i);
    Lit half = cnf_xor (f, x, y);
    sum.bit[i] = cnf_xor (f, half, *carry);
    Lit both = cnf_and (f, GATE_EXACT, x, y);
    Lit passed = cnf_and (f, GATE_EXACT, half, *carry);
    *carry = cnf_or (f, GATE_EXACT, both, passed);
  }
  trim (&sum);
  return sum;
}

static Bits
add (Cnf *f, unsigned width, const Bits *a, const Bits *b)
{
  Lit carry = LIT_FALSE;
  return add_carry (f, width, a, b, false, &carry);
}

static Bits
subtract (Cnf *f, unsigned width, const Bits *a, const Bits *b)
{
  Lit carry = LIT_TRUE;
  return add_carry (f, width, a, b, true, &carry);
}

static Bits
gate_all (Cnf *f, Lit c, const Bits *x, unsigned shift, unsigned width)
{
  Bits y = { .width = width };
  for (unsigned i = 0; i < width; i++)
    y.bit[i] = i < shift ? LIT_FALSE : cnf_and (f, GATE_EXACT, c, bits_get (x, i - shift));
  trim (&y);
  return y;
}

static Bits
multiply (Cnf *f, unsigned width, const Bits *a, const Bits *b)
{
  Bits sum = bits_const (0);
  for (unsigned i = 0; i < MIN (width, b->width); i++) {
    Bits part = gate_all (f, b->bit[i], a, i, width);
    sum = add (f, width, &sum, &part);
  }
  return sum;
}

static Lit
unsigned_less (Cnf *f, const Bits *a, const Bits *b)
{
  Lit less = LIT_FALSE;
  for (unsigned i = 0; i < MAX (a->width, b->width); i++) {
    Lit x = bits_get (a, i);
    Lit y = bits_get (b, i);
    less = cnf_ite (f, cnf_xor (f, x, y), y, less);
  }
  return less;
}

/* Schoolbook division: the quotient of a by a nonzero b. */
static Bits
divide_unsigned (Cnf *f, unsigned width, const Bits *a, const Bits *b)
{
  Bits quotient = { .width = width };
  Bits rest = bits_const (0);
  for (unsigned i = width; i-- > 0;) {
    Bits shifted = { .width = rest.width + 1 };
    shifted.bit[0] = bits_get (a, i);
    for (unsigned k = 1; k < shifted.width; k++)
      shifted.bit[k] = rest.bit[k - 1];
    trim (&shifted);
    Lit fits = -unsigned_less (f, &shifted, b);
    Bits less = subtract (f, shifted.width, &shifted, b);
    rest = bits_ite (f, fits, &less, &shifted);
    rest = bits_truncate (&rest, width); /* a rest is less than b */
    quotient.bit[i] = fits;
  }
  trim (&quotient);
  return quotient;
}

static Bits
negate_if (Cnf *f, Lit c, unsigned width, const Bits *x)
{
  Bits zero = bits_const (0);
  Bits negated = subtract (f, width, &zero, x);
  return bits_ite (f, c, &negated, x);
}

static Bits
divide (Cnf *f, Type type, const Bits *a, const Bits *b)
{
  Bits result;
  if (type.cls == TY_S) {
    Lit sign_a = bits_get (a, type.bits - 1);
    Lit sign_b = bits_get (b, type.bits - 1);
    Bits x = negate_if (f, sign_a, type.bits, a);
    Bits y = negate_if (f, sign_b, type.bits, b);
    Bits magnitude = divide_unsigned (f, type.bits, &x, &y);
    result = negate_if (f, cnf_xor (f, sign_a, sign_b), type.bits, &magnitude);
  } else {
    result = divide_unsigned (f, type.bits, a, b);
  }
  Bits ones = bits_const (truncate_bits (UINT64_MAX, type.bits));
  return bits_ite (f, bits_divides_by_zero (f, type, b), &ones, &result);
}

Lit
bits_divides_by_zero (Cnf *f, Type type, const Bits *divisor)
{
  Bits y = bits_truncate (divisor, type.bits);
  return -cnf_or_n (f, GATE_EXACT, y.bit, y.width);
}

static Bits
bitwise (Cnf *f, AluOp op, unsigned width, const Bits *a, const Bits *b)
{
  Bits y = { .width = width };
  for (unsigned i = 0; i < width; i++) {
    Lit p = bits_get (a, i);
    Lit q = bits_get (b, i);
    y.bit[i] = op == ALU_AND  ? cnf_and (f, GATE_EXACT, p, q)
               : op == ALU_OR ? cnf_or (f, GATE_EXACT, p, q)
                              : cnf_xor (f, p, q);
  }
  trim (&y);
  return y;
}

Bits
bits_alu (Cnf *f, AluOp op, Type type, const Bits *a, const Bits *b)
{
  Bits x = bits_truncate (a, type.bits);
  Bits y = bits_truncate (b, type.bits);
  switch (op) {
  case ALU_MOV:
    return x;
  case ALU_ADD:
    return add (f, type.bits, &x, &y);
  case ALU_SUB:
    return subtract (f, type.bits, &x, &y);
  case ALU_MUL:
    return multiply (f, type.bits, &x, &y);
  case ALU_DIV:
    return divide (f, type, &x, &y);
  case ALU_AND:
  case ALU_OR:
  case ALU_XOR:
    return bitwise (f, op, type.bits, &x, &y);
  }
  g_assert_not_reached ();
}

static Bits
select_extreme (Cnf *f, Type type, const Bits *old, const Bits *a, Cmp keep_old)
{
  return bits_ite (f, bits_compare (f, keep_old, type, old, a), old, a);
}

Bits
bits_atom (Cnf *f, AtomOp op, Type type, const Bits *old, const Bits *a, const Bits *b)
{
  Bits x = bits_truncate (old, type.bits);
  Bits y = bits_truncate (a, type.bits);
  Bits zero = bits_const (0);
  Bits one = bits_const (1);
  Type plain = { TY_U, type.bits, false };
  switch (op) {
  case ATOM_ADD:
    return bits_alu (f, ALU_ADD, type, &x, &y);
  case ATOM_SUB:
    return bits_alu (f, ALU_SUB, type, &x, &y);
  case ATOM_MUL:
    return bits_alu (f, ALU_MUL, type, &x, &y);
  case ATOM_DIV:
    return bits_alu (f, ALU_DIV, type, &x, &y);
  case ATOM_AND:
    return bits_alu (f, ALU_AND, type, &x, &y);
  case ATOM_OR:
    return bits_alu (f, ALU_OR, type, &x, &y);
  case ATOM_XOR:
    return bits_alu (f, ALU_XOR, type, &x, &y);
  case ATOM_EXCH:
    return y;
  case ATOM_CAS:
    return bits_truncate (b, type.bits);
  case ATOM_MIN:
    return select_extreme (f, type, &x, &y, CMP_LE);
  case ATOM_MAX:
    return select_extreme (f, type, &x, &y, CMP_GE);
  case ATOM_INC: {
    Bits next = add (f, type.bits, &x, &one);
    return bits_ite (f, bits_compare (f, CMP_GE, plain, &x, &y), &zero, &next);
  }
  case ATOM_DEC: {
    Bits next = subtract (f, type.bits, &x, &one);
    Lit wrap = cnf_or (f, GATE_EXACT, bits_equal (f, &x, &zero),
                       bits_compare (f, CMP_GT, plain, &x, &y));
    return bits_ite (f, wrap, &y, &next);
  }
  }
  g_assert_not_reached ();
}

/* ---- Comparison ---------------------------------------------------------------------------
 */

Lit
bits_equal (Cnf *f, const Bits *a, const Bits *b)
{
  Lit differences[64];
  unsigned width = MAX (a->width, b->width);
  for (unsigned i = 0; i < width; i++)
    differences[i] = cnf_xor (f, bits_get (a, i), bits_get (b, i));
  return -cnf_or_n (f, GATE_EXACT, differences, width);
}

static Lit
less (Cnf *f, Type type, const Bits *a, const Bits *b)
{
  if (type.cls != TY_S)
    return unsigned_less (f, a, b);
  g_assert (type.bits > 0);
  /* Signed order is unsigned order with the sign bit turned. */
  Bits sign = bits_const (UINT64_C (1) << (type.bits - 1));
  Bits x = bitwise (f, ALU_XOR, type.bits, a, &sign);
  Bits y = bitwise (f, ALU_XOR, type.bits, b, &sign);
  return unsigned_less (f, &x, &y);
}

Lit
bits_compare (Cnf *f, Cmp cmp, Type type, const Bits *a, const Bits *b)
{
  Bits x = bits_truncate (a, type.bits);
  Bits y = bits_truncate (b, type.bits);
  switch (cmp) {
  case CMP_EQ:
    return bits_equal (f, &x, &y);
  case CMP_NE:
    return -bits_equal (f, &x, &y);
  case CMP_LT:
    return less (f, type, &x, &y);
  case CMP_GE:
    return -less (f, type, &x, &y);
  case CMP_GT:
    return less (f, type, &y, &x);
  case CMP_LE:
    return -less (f, type, &y, &x);
  }
  g_assert_not_reached ();
}

Bits
bits_ite (Cnf *f, Lit c, const Bits *a, const Bits *b)
{
  Bits y = { .width = MAX (a->width, b->width) };
  for (unsigned i = 0; i < y.width; i++)
    y.bit[i] = cnf_ite (f, c, bits_get (a, i), bits_get (b, i));
  trim (&y);
  return y;
}

void
bits_assert_equal (Cnf *f, Lit when, const Bits *a, const Bits *b)
{
  for (unsigned i = 0; i < MAX (a->width, b->width); i++) {
    Lit x = bits_get (a, i);
    Lit y = bits_get (b, i);
    if (x == y)
      continue;
    cnf_clause3 (f, -when, -x, y);
    cnf_clause3 (f, -when, x, -y);
  }
}
