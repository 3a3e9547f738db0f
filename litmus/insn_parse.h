/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_INSN_PARSE_H
#define PTXMM_LITMUS_INSN_PARSE_H

#include "litmus/builder.h"

/* One instruction of the litmus dialects.
 *
 *   ld tld suld cold       {.sem}{.scope}{.space}{.type}  r, ADDRESS
 *   st sust                {.sem}{.scope}{.space}{.type}  ADDRESS, VALUE
 *   atom suatom            {.sem}{.scope}{.space}.op{.type}  r|_, ADDRESS, VALUE{, VALUE}
 *   red sured              {.sem}{.scope}{.space}.op{.type}  ADDRESS, VALUE
 *   ld                     r, r|CONSTANT                 (a copy)
 *   mov                    {.type}  r, VALUE|LOCATION
 *   add sub mul div and or xor  {.type}  r, VALUE, VALUE
 *   beq bne bge ble bgt blt     {.type}  VALUE, VALUE, LABEL
 *   goto                   LABEL
 *   fence{.sem}.scope   membar.{cta,gl,sys}
 *   fence.proxy.KIND    membar.proxy.KIND
 *   bar.cta.{sync,arrive}  barrier.cta.{sync,arrive}   LABEL{, ID{, COUNT}}
 *
 * ADDRESS is x, [x], [x+4], [r], [r+8] or [r-4]; VALUE a register, a constant or &x{+4}.
 * Modifiers may stand in any order.  Without semantics ld and st are weak, atom and red relaxed
 * at gpu scope [9.7.13.5, 9.7.13.7]; fence without semantics is acq_rel [9.7.15.4]. */

typedef enum InsnDialect {
  DIALECT_LITMUS,
  DIALECT_NVLABS, /* addresses in brackets, locations declared before, registers r<n>, atom and
                   * red with semantics and scope, ldc instead of cold, fence.alias */
} InsnDialect;

/* Reads an instruction into `out`, up to its last operand.  False, with a message, when it is
 * wrong or not modelled; the reader then stands somewhere in it. */
bool insn_parse (Reader *r, Builder *b, unsigned thread, InsnDialect dialect, DraftInsn *out);

#endif
