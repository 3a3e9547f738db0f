/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_MODEL_RELATION_H
#define PTXMM_MODEL_RELATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/execution.h"

/* Concrete sets and relations over the events 0 … n - 1, as bit vectors and bit matrices: one
 * 64-bit word a row for n <= 64, several beyond.  One function per operator of cat, under the
 * operator's name there.
 *
 * A value is built with set_new and set_add (rel_new and rel_add) and is immutable from the
 * moment it is passed on as const.  All results live in the arena given first; operands stay as
 * they are.  Operands of one call range over the same n (asserted); so are event numbers below
 * n.  Nothing here can fail.  Costs are in word operations, with w = (n + 63) / 64. */
typedef struct Set Set;
typedef struct Rel Rel;

/* Largest n. */
enum { REL_EVENT_LIMIT = 1 << 16 };

/* ---- Building and reading -----------------------------------------------------------------
 */

Set *set_new (Arena *a, unsigned n); /* no event */
void set_add (Set *s, unsigned event);
Rel *rel_new (Arena *a, unsigned n); /* no pair */
void rel_add (Rel *r, unsigned from, unsigned to);

unsigned set_size (const Set *s); /* n, not the number of members */
unsigned set_count (const Set *s);
bool set_has (const Set *s, unsigned event);
bool set_equal (const Set *x, const Set *y);
/* The least member that is >= `from`, or n. */
unsigned set_next (const Set *s, unsigned from);

unsigned rel_size (const Rel *r);
unsigned rel_count (const Rel *r); /* of pairs */
bool rel_has (const Rel *r, unsigned from, unsigned to);
bool rel_equal (const Rel *x, const Rel *y);
/* The least `to` >= `at` with (from, to) in r, or n. */
unsigned rel_next (const Rel *r, unsigned from, unsigned at);

const Rel *rel_from_pairs (Arena *a, unsigned n, Pairs pairs);
Pairs rel_to_pairs (Arena *a, const Rel *r);

/* ---- Sets ---------------------------------------------------------------------------------
 */

const Set *set_all (Arena *a, unsigned n);
const Set *set_union (Arena *a, const Set *x, const Set *y);
const Set *set_inter (Arena *a, const Set *x, const Set *y);
const Set *set_diff (Arena *a, const Set *x, const Set *y);
const Set *set_compl (Arena *a, const Set *x); /* the events that are not in x */

/* ---- Relations ----------------------------------------------------------------------------
 */

const Rel *rel_id (Arena *a, unsigned n);
const Rel *rel_union (Arena *a, const Rel *x, const Rel *y);
const Rel *rel_inter (Arena *a, const Rel *x, const Rel *y);
const Rel *rel_diff (Arena *a, const Rel *x, const Rel *y);
const Rel *rel_compl (Arena *a, const Rel *x); /* all pairs that are not in x */

/* x ; y : the pairs (i, k) with (i, j) in x and (j, k) in y for some j.  One row operation a
 * pair of x: at most n^2 w. */
const Rel *rel_seq (Arena *a, const Rel *x, const Rel *y);
const Rel *rel_inverse (Arena *a, const Rel *x);

/* x+, the transitive closure, x* = x+ | id over all n events, and x? = x | id.  n^2 w. */
const Rel *rel_plus (Arena *a, const Rel *x);
const Rel *rel_star (Arena *a, const Rel *x);
const Rel *rel_opt (Arena *a, const Rel *x);

const Rel *rel_id_on (Arena *a, const Set *s);               /* [s] */
const Rel *rel_cross (Arena *a, const Set *x, const Set *y); /* x * y */
const Set *rel_domain (Arena *a, const Rel *x);
const Set *rel_range (Arena *a, const Rel *x);

/* ---- Checks -------------------------------------------------------------------------------
 */

bool set_empty (const Set *s);
bool rel_empty (const Rel *r);
bool rel_irreflexive (const Rel *r);
bool rel_acyclic (const Rel *r); /* n w, without a closure */

/* The events of a shortest cycle, in its order: each is related to the next and the last to the
 * first, none occurs twice; of the shortest cycles one through the least possible event, which
 * comes first.  `count` is 0 when r is acyclic. */
typedef struct RelCycle {
  const unsigned *events;
  unsigned count;
} RelCycle;

RelCycle rel_cycle (Arena *a, const Rel *r);

#endif
