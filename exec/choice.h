/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_CHOICE_H
#define PTXMM_EXEC_CHOICE_H

#include "base/arena.h"
#include "exec/bits.h"

/* How far coherence and Fence-SC order are decided: for each the pairs that are in (`lower`)
 * and those that are not out (`upper`, a superset).  co's lower bound is transitively closed,
 * and a pair that is in makes its converse out.  In sync_fence every pair that the program
 * relates has one direction in the end, and following it never leads in a circle; pairs that
 * are free besides are in only when something asks for them. */
typedef struct Choice {
  unsigned n;
  unsigned w;
  Word *co_lower;
  Word *co_upper;
  Word *sf_lower;
  Word *sf_upper;
  Word *sf_reach; /* sf_lower, transitively closed */
  Word *sf_free;  /* pairs that need no direction */
} Choice;

/* Nothing in, nothing possible: the caller sets the upper bounds.  In `a`. */
Choice choice_new (Arena *a, unsigned n);

/* Same size. */
void choice_copy (Choice *to, const Choice *from);

/* Each returns false when the pair cannot be added (taken out) any more; the choice is then of
 * no further use. */
bool choice_force_co (Choice *c, unsigned from, unsigned to);
bool choice_forbid_co (Choice *c, unsigned from, unsigned to);
bool choice_force_sf (Choice *c, unsigned from, unsigned to);
bool choice_forbid_sf (Choice *c, unsigned from, unsigned to);

/* A pair that is neither in nor out and cannot stay so; false when there is none. */
bool choice_open_co (const Choice *c, unsigned *from, unsigned *to);
bool choice_open_sf (const Choice *c, unsigned *from, unsigned *to);

#endif
