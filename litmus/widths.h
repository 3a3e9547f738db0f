/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_WIDTHS_H
#define PTXMM_LITMUS_WIDTHS_H

#include "litmus/program.h"
#include "litmus/reader.h"

/* Settles how wide everything is that the text leaves open.
 *
 * Objects.    8 bytes when declared so, when some access to it is typed with 64 bits, when it
 *             starts as an address, or when an address may be stored to it; else 4.
 * Accesses.   Untyped ones through a name take the width of the object.  Untyped ones through a
 *             register take the common width of the objects it may point to; if it can point to
 *             none, 64 bits when every object has 8 bytes and else 32.
 * Registers.  64 bits when it starts as an address, an address may be written to it, or an
 *             operation of 64 bits writes it; else 32.
 * Operations  Untyped ones and branches work at 64 bits when one of their operands is an
 *             address or a register of 64 bits, else at 32.  What is untyped is unsigned.
 *
 * Where addresses may be is a fixpoint over copies, arithmetic, loads and stores of the whole
 * program, without regard to order.
 *
 * On entry Type.bits is 0 where nothing is written, MemObject.size is 0 where nothing is
 * declared, Reg.bits is 0.  Constants of instructions are whole, 64-bit two's complement;
 * afterwards they are truncated to the width they are used at.  Initial values stay as they
 * are.
 *
 * Reported: accesses to one object with different widths, or through its name at an offset (not
 * modelled); an address in an object declared with 32 bits; inc and dec at 64 bits; constants
 * that do not fit. */
void widths_settle (Arena *a, Program *p, Reporter *reporter);

/* True when `value`, read as signed or unsigned, is a number of `bits` bits. */
bool width_fits (uint64_t value, unsigned bits);

#endif
