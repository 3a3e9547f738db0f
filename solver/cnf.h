/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_SOLVER_CNF_H
#define PTXMM_SOLVER_CNF_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A propositional formula that grows: variables, clauses, and gates that share structure.  What
 * the encoder builds and the connection to Z3 (smt.h) reads. */

/* A literal: +v or -v for variable v.  Variable 1 is the constant true. */
typedef int32_t Lit;

enum { LIT_TRUE = 1, LIT_FALSE = -1 };

/* How much of a gate's meaning its clauses state.
 *   OVER    inputs make the gate true:  definition -> literal.  May be true without reason, so
 * it may be used where being true can only hurt (under an odd number of negations). UNDER
 * literal -> definition.  For the other places. EXACT   both. */
typedef enum GateMode { GATE_OVER, GATE_UNDER, GATE_EXACT } GateMode;

typedef struct Cnf Cnf;

Cnf *cnf_new (void);
void cnf_free (Cnf *f);

/* A fresh variable's positive literal. */
Lit cnf_var (Cnf *f);

/* Adds the disjunction of `count` literals.  Constants and repetitions are dropped; a clause
 * that is true is not kept.  The empty clause makes the formula false. */
void cnf_clause (Cnf *f, const Lit *lits, unsigned count);
void cnf_clause1 (Cnf *f, Lit a);
void cnf_clause2 (Cnf *f, Lit a, Lit b);
void cnf_clause3 (Cnf *f, Lit a, Lit b, Lit c);
void cnf_implies (Cnf *f, Lit a, Lit b);

/* As cnf_clause, never guarded: part of what a variable means (see cnf_begin_guard). */
void cnf_define (Cnf *f, const Lit *lits, unsigned count);
void cnf_define2 (Cnf *f, Lit a, Lit b);
void cnf_define3 (Cnf *f, Lit a, Lit b, Lit c);

/* Gates.  Equal gates are one literal.  EXACT gates serve any mode. */
Lit cnf_and (Cnf *f, GateMode mode, Lit a, Lit b);
Lit cnf_or (Cnf *f, GateMode mode, Lit a, Lit b);
Lit cnf_or_n (Cnf *f, GateMode mode, const Lit *lits, unsigned count);
Lit cnf_and_n (Cnf *f, GateMode mode, const Lit *lits, unsigned count);
Lit cnf_xor (Cnf *f, Lit a, Lit b);
/* c ? a : b, exact. */
Lit cnf_ite (Cnf *f, Lit c, Lit a, Lit b);

/* Exactly one / at most one of the literals, given `when`. */
void cnf_exactly_one (Cnf *f, Lit when, const Lit *lits, unsigned count);
void cnf_at_most_one (Cnf *f, const Lit *lits, unsigned count);

/* Clauses stated between begin and end get `-guard` added: they hold when `guard` is assumed.
 * Gates made meanwhile are not guarded (they only define). */
void cnf_begin_guard (Cnf *f, Lit guard);
void cnf_end_guard (Cnf *f);

unsigned cnf_var_count (const Cnf *f);
unsigned cnf_clause_count (const Cnf *f);
size_t cnf_bytes (const Cnf *f);

/* The clauses as one array, each ended by 0. */
const Lit *cnf_data (const Cnf *f, size_t *length);

#endif
