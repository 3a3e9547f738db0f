/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_NVLABS_PARSE_H
#define PTXMM_LITMUS_NVLABS_PARSE_H

#include "base/arena.h"
#include "base/diag.h"
#include "litmus/program.h"

/* Reads a test of the NVlabs mixedproxy artifact (ISCA 2022):
 *
 *   .global x;   .global y physically aliases x;   .surfref s virtually aliases x;
 *   d0.b0.t0 { st [x], 1;  fence.proxy.surface; }
 *   d0.b1.t0 { ld.acquire.gpu r0, [flag] == 1;  suld r1, [s]; }
 *   permit (r1 != 1) as outcome;
 *
 * Behind a line "$$" there may be rows of columns separated by '|': then the text before it is
 * a template, and each row gives a test in which $0, $1, … are its columns.  Rows that are
 * blank or begin with '#' do not count.
 *
 * dN.bN.tN is a thread of CTA bN of GPU dN; a thread that comes up again goes on.  Registers
 * belong to the whole test and are written once; they may be read in the thread that has
 * written them and in conditions.  `== N` after a load or atomic restricts the executions to
 * those in which it returned N (Program.filter).  permit (C) asks for exists C, assert (C) and
 * check (C) for forall C; `not` binds tighter than && and ||.  Instructions are those of
 * DIALECT_NVLABS in litmus/insn_parse.h.  Beyond what is modelled: atomics without a scope,
 * which have thread scope there, and fences that name several proxies.
 *
 * Each command of each row is a program of its own, named "FILE/COMMAND" or "FILE/COMMAND#ROW",
 * rows counted from 1, FILE being the source's name without folder and suffix.
 *
 * An array of *count programs, in `a`; NULL, and at least one message more in `diags`, when
 * anything is wrong or not modelled.  Messages about a row's test name its line or that of the
 * template, whichever the place they point to is not. */
const Program **nvlabs_parse (Arena *a, const Source *source, Diags *diags, unsigned *count);

#endif
