/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_PRINT_H
#define PTXMM_LITMUS_PRINT_H

#include "litmus/program.h"

/* The test in the dialect that litmus/litmus_parse.h reads, columns aligned; it depends on
 * nothing but the program.  Reading it again gives an equal program, if `p` came from a parser
 * of this folder.  In `a`. */
const char *program_print (Arena *a, const Program *p);

/* A condition, without "exists": "P0:r1 == 1 /\ x != 2", with the fewest parentheses. Constants
 * are decimal, those from 2^63 on negative.  In `a`. */
const char *cond_print (Arena *a, const Program *p, const Cond *c);

/* One instruction of `thread`, as program_print shows it.  In `a`. */
const char *insn_print (Arena *a, const Program *p, const Thread *thread, const Insn *insn);

/* Equal in everything but spans and sources.  Otherwise *difference names the first thing that
 * differs (a static string); difference may be NULL. */
bool program_equal (const Program *a, const Program *b, const char **difference);

#endif
