/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_CLI_POOL_H
#define PTXMM_CLI_POOL_H

#include <stddef.h>

/* Runs jobs in worker processes, so that limits hold whatever the work does.  A job is a series
 * of steps; the worker announces each and then hands in its result.  A worker that is over time
 * is killed, one that dies is replaced, and the job goes on with the next step.  Texts are
 * opaque here. */

/* The worker's end. */
typedef struct PoolPort PoolPort;

/* Announces the next step, or says more about it; `text` is what is known of it if nothing
 * further comes. */
void pool_begin (PoolPort *port, const char *text, size_t length);

/* Lifts the limit of memory until the next pool_begin: the computation is over, and what it
 * found has to be put into words. */
void pool_pause (PoolPort *port);

/* Hands in that step's result. */
void pool_result (PoolPort *port, const char *text, size_t length);

/* Ends the whole run: something is wrong with the environment, not with this job. */
void pool_fatal (PoolPort *port, const char *message);

typedef enum PoolLoss {
  POOL_LOST_TIME,   /* killed, over the limit */
  POOL_LOST_MEMORY, /* could not allocate */
  POOL_LOST_SIGNAL, /* ended by a signal */
  POOL_LOST_EXIT,   /* ended by itself */
} PoolLoss;

typedef struct PoolTask {
  void *ctx;
  /* In a worker, once, before its first job. */
  void (*prepare) (void *ctx, PoolPort *port);
  /* In a worker: the steps of `job` from `first` on. */
  void (*work) (void *ctx, unsigned job, unsigned first, PoolPort *port);
  /* In the parent.  Steps of one job come in order; jobs in any. */
  void (*result) (void *ctx, unsigned job, unsigned step, const char *text, size_t length);
  /* `begun` is the text of the step's pool_begin, empty when the worker had not come to it;
   * `code` the signal or exit status. */
  void (*lost) (void *ctx, unsigned job, unsigned step, const char *begun, size_t length,
                PoolLoss loss, int code);
  void (*done) (void *ctx, unsigned job);
} PoolTask;

typedef struct PoolLimits {
  unsigned workers;
  double seconds; /* a step is killed after these; 0: never */
  size_t bytes;   /* that a job may hold; a worker far over it is stopped; 0: no limit */
} PoolLimits;

/* Runs jobs 0 … job_count - 1.  NULL, or the message of pool_fatal or of a failed system call.
 * (transfer full) */
char *pool_run (const PoolTask *task, const PoolLimits *limits, unsigned job_count);

#endif
