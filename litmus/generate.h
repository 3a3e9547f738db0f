/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_GENERATE_H
#define PTXMM_LITMUS_GENERATE_H

#include "base/arena.h"
#include "litmus/program.h"

/* Random litmus tests, and their reduction.  A generated test is a list of small statements, so
 * that parts can be taken away and the rest is still a test. */

typedef struct GenOptions {
  unsigned threads_most; /* 2 … this many threads */
  unsigned ops_most;     /* 2 … this many statements a thread */
  bool barriers;
  bool proxies; /* aliases and other proxies */
  bool control; /* branches and loops */
  bool clusters;
} GenOptions;

/* Everything on, 4 threads of 5. */
extern const GenOptions gen_everything;

typedef struct GenTest GenTest;

/* The test of this seed: the same on every machine. */
GenTest *generate_test (Arena *a, uint64_t seed, const GenOptions *options);

/* Its text in the litmus dialect; every register and location is observed. */
const char *generate_text (Arena *a, const GenTest *test);

/* Tries to make the test smaller while `fails` says so of its text: takes away threads,
 * statements, scopes and semantics.  The result is again a failing test, and no single step
 * makes it smaller. */
typedef bool (*GenFails) (void *ctx, const char *text);
GenTest *generate_shrink (Arena *a, const GenTest *test, GenFails fails, void *ctx);

#endif
