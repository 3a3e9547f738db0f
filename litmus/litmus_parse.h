/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_LITMUS_PARSE_H
#define PTXMM_LITMUS_LITMUS_PARSE_H

#include "base/arena.h"
#include "base/diag.h"
#include "litmus/program.h"

/* Reads a test in the PTX dialect of herd and Dartagnan:
 *
 *   PTX NAME  "description"  { initial values }
 *    P0@cta 0,gpu 0    | P1@cta 1,gpu 0    ;
 *    st.weak x, 1      | ld.weak r0, x     ;
 *   locations [x; P1:r0;]  filter C  exists C
 *
 * Initial values are separated by ';':
 *   x = 0          a location; before it, perhaps, uint32_t, uint64_t, int, .u64, .shared …
 *   x = &y, x = y  a location that holds an address
 *   P0:r0 = 1      a register; also = &x or = x
 *   y @ generic aliases x    another virtual address of x's object
 *   s @ surface aliases x    another way to the virtual address of x; also texture, constant
 * A header names cta and gpu, perhaps cluster (then in every column), perhaps warp.
 * Instructions are described in litmus/insn_parse.h, conditions in litmus/cond_parse.h; their
 * terms are P0:r1, 0:r1, x, [x], *x, &x and constants.  The condition begins with exists,
 * ~exists, not exists or forall; without one only outcomes are asked for.  What the text leaves
 * open about widths is settled as litmus/widths.h says.
 *
 * Everything lives in `a`; `source` must live as long, and its text must end with a NUL.  NULL
 * when anything is wrong or not modelled, then `diags` has at least one message more; a warning
 * alone does not stop a test. */
const Program *litmus_parse (Arena *a, const Source *source, Diags *diags);

#endif
