/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pool.h"

#include <errno.h>
#include <glib.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/limits.h"

/* Parent and worker talk over a socket pair.  Down go fixed-size orders, up go frames. */

typedef struct Order {
  uint32_t job;
  uint32_t first;
} Order;

typedef enum FrameKind {
  FRAME_BEGIN,
  FRAME_RESULT,
  FRAME_DONE,
  FRAME_RETIRE, /* done, and this worker ends: it has grown too large for another job */
  FRAME_FATAL,
} FrameKind;

typedef struct FrameHead {
  uint32_t kind;
  uint32_t length;
} FrameHead;

enum { EXIT_OUT_OF_MEMORY = 86 };

/* ---- The worker ------------------------------------------------------------------------ */

struct PoolPort {
  int fd;
  size_t bytes; /* the limit of a job, 0: none */
  size_t base;  /* address space of a worker without a job */
};

static bool
send_all (int fd, const void *data, size_t length)
{
  const char *at = data;
  while (length > 0) {
    ssize_t sent = send (fd, at, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    length -= (size_t) sent;
  }
  return true;
}

/* A worker whose parent is gone has nobody to work for. */
static void
send_frame (PoolPort *port, FrameKind kind, const char *text, size_t length)
{
  FrameHead head = { kind, (uint32_t) length };
  if (!send_all (port->fd, &head, sizeof head) || !send_all (port->fd, text, length))
    _exit (0);
}

/* The engines count what they hold and stop by themselves; this is for when they do not.  One
 * of them may still hold its share when the other has its own, and allocators need more than is
 * asked of them. */
static void
set_limit (const PoolPort *port, bool on)
{
  const rlim_t slack = (rlim_t) 64 << 20;
  struct rlimit limit;
  if (port->bytes == 0 || getrlimit (RLIMIT_AS, &limit) != 0)
    return;
  rlim_t wanted = (rlim_t) port->base + 2 * (rlim_t) port->bytes + slack;
  limit.rlim_cur = on ? MIN (wanted, limit.rlim_max) : limit.rlim_max;
  setrlimit (RLIMIT_AS, &limit);
}

void
pool_begin (PoolPort *port, const char *text, size_t length)
{
  send_frame (port, FRAME_BEGIN, text, length);
  set_limit (port, true);
}

void
pool_pause (PoolPort *port)
{
  set_limit (port, false);
}

void
pool_result (PoolPort *port, const char *text, size_t length)
{
  send_frame (port, FRAME_RESULT, text, length);
}

void
pool_fatal (PoolPort *port, const char *message)
{
  send_frame (port, FRAME_FATAL, message, strlen (message));
  _exit (0);
}

/* The first number of statm: pages of address space. */
static size_t
address_space (void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  return (size_t) g_ascii_strtoull (text, NULL, 10) * (size_t) sysconf (_SC_PAGESIZE);
}

/* GLib ends the process when it cannot allocate, after telling the log. */
static void
on_fatal_log (const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer ctx)
{
  (void) ctx;
  if ((level & G_LOG_LEVEL_ERROR) != 0 && strstr (message, "allocate") != NULL)
    _exit (EXIT_OUT_OF_MEMORY);
  g_log_default_handler (domain, level, message, NULL);
}

static bool
receive_order (int fd, Order *order)
{
  char *at = (char *) order;
  size_t left = sizeof *order;
  while (left > 0) {
    ssize_t got = read (fd, at, left);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    left -= (size_t) got;
  }
  return true;
}

static void
worker_main (const PoolTask *task, const PoolLimits *limits, int fd)
{
  PoolPort port = { fd, limits->bytes, 0 };
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  g_log_set_default_handler (on_fatal_log, NULL);
  task->prepare (task->ctx, &port);
  if (port.bytes > 0) {
    port.base = address_space ();
    setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
  }
  Order order;
  while (receive_order (fd, &order)) {
    set_limit (&port, true);
    task->work (task->ctx, order.job, order.first, &port);
    set_limit (&port, false);
    bool grown = port.bytes > 0 && address_space () > port.base + port.bytes;
    send_frame (&port, grown ? FRAME_RETIRE : FRAME_DONE, "", 0);
    if (grown)
      break;
  }
  _exit (0);
}

/* ---- The parent ------------------------------------------------------------------------ */

typedef struct Worker {
  pid_t pid; /* 0: this place is empty */
  int fd;
  bool busy;
  bool overdue; /* killed for it */
  Order order;  /* first: the step it is at */
  double deadline;
  GByteArray *received;
  GByteArray *begun;
} Worker;

typedef struct Pool {
  const PoolTask *task;
  const PoolLimits *limits;
  Worker *workers;
  struct pollfd *polled; /* one a worker */
  unsigned worker_count;
  unsigned next_job;
  unsigned job_count;
  GArray *again; /* orders whose worker was lost before the job's end */
  char *error;
} Pool;

static void
start_worker (Pool *pool, Worker *w)
{
  int fds[2];
  if (socketpair (AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
    pool->error = g_strdup_printf ("cannot make a socket pair: %s", g_strerror (errno));
    return;
  }
  fflush (NULL);
  pid_t pid = fork ();
  if (pid < 0) {
    pool->error = g_strdup_printf ("cannot start a worker: %s", g_strerror (errno));
    close (fds[0]);
    close (fds[1]);
    return;
  }
  if (pid == 0) {
    close (fds[0]);
    for (unsigned i = 0; i < pool->worker_count; i++)
      if (pool->workers[i].pid > 0)
        close (pool->workers[i].fd);
    worker_main (pool->task, pool->limits, fds[1]);
  }
  close (fds[1]);
  w->pid = pid;
  w->fd = fds[0];
  w->busy = false;
  w->overdue = false;
  g_byte_array_set_size (w->received, 0);
  g_byte_array_set_size (w->begun, 0);
}

/* How a worker ended, and how much memory it had at most. */
typedef struct Ending {
  int status;
  size_t peak;
} Ending;

static Ending
end_worker (Worker *w)
{
  Ending ending = { 0, 0 };
  struct rusage usage = { 0 };
  close (w->fd);
  while (wait4 (w->pid, &ending.status, 0, &usage) < 0 && errno == EINTR)
    ;
  w->pid = 0;
  ending.peak = (size_t) usage.ru_maxrss * 1024;
  return ending;
}

static void
restart_clock (const Pool *pool, Worker *w)
{
  w->deadline = pool->limits->seconds > 0 ? clock_seconds () + pool->limits->seconds : INFINITY;
}

static bool
next_order (Pool *pool, Order *order)
{
  if (pool->again->len > 0) {
    *order = g_array_index (pool->again, Order, 0);
    g_array_remove_index (pool->again, 0);
    return true;
  }
  if (pool->next_job == pool->job_count)
    return false;
  *order = (Order){ pool->next_job++, 0 };
  return true;
}

static void
give_order (Pool *pool, Worker *w)
{
  Order order;
  if (!next_order (pool, &order))
    return;
  if (w->pid == 0)
    start_worker (pool, w);
  if (pool->error != NULL)
    return;
  w->order = order;
  w->busy = true;
  restart_clock (pool, w);
  /* If it is gone already, reading from it says so. */
  send_all (w->fd, &order, sizeof order);
}

static void
take_frame (Pool *pool, Worker *w, const FrameHead *head, const guint8 *text)
{
  const PoolTask *task = pool->task;
  switch ((FrameKind) head->kind) {
  case FRAME_BEGIN:
    if (w->begun->len == 0)
      restart_clock (pool, w);
    g_byte_array_set_size (w->begun, 0);
    g_byte_array_append (w->begun, text, head->length);
    return;
  case FRAME_RESULT:
    task->result (task->ctx, w->order.job, w->order.first, (const char *) text, head->length);
    g_byte_array_set_size (w->begun, 0);
    w->order.first++;
    restart_clock (pool, w);
    return;
  case FRAME_DONE:
  case FRAME_RETIRE:
    w->busy = false;
    if (head->kind == FRAME_RETIRE)
      end_worker (w);
    task->done (task->ctx, w->order.job);
    return;
  case FRAME_FATAL:
    pool->error = g_strndup ((const char *) text, head->length);
    return;
  }
  g_assert_not_reached ();
}

static void
take_frames (Pool *pool, Worker *w)
{
  size_t at = 0;
  while (pool->error == NULL && w->received->len - at >= sizeof (FrameHead)) {
    FrameHead head;
    memcpy (&head, w->received->data + at, sizeof head);
    if (w->received->len - at - sizeof head < head.length)
      break;
    take_frame (pool, w, &head, w->received->data + at + sizeof head);
    at += sizeof head + head.length;
  }
  g_byte_array_remove_range (w->received, 0, (guint) at);
}

/* A worker ran out of memory if it said so, or if it was ended by a signal while it held more
 * than it was allowed: libraries that cannot allocate abort, a stack that cannot grow faults.
 */
static PoolLoss
loss_of (const Pool *pool, const Worker *w, Ending ending)
{
  if (w->overdue)
    return POOL_LOST_TIME;
  if (WIFEXITED (ending.status) && WEXITSTATUS (ending.status) == EXIT_OUT_OF_MEMORY)
    return POOL_LOST_MEMORY;
  if (WIFEXITED (ending.status))
    return POOL_LOST_EXIT;
  bool over = pool->limits->bytes > 0 && ending.peak > pool->limits->bytes;
  return over ? POOL_LOST_MEMORY : POOL_LOST_SIGNAL;
}

static void
lose_worker (Pool *pool, Worker *w)
{
  const PoolTask *task = pool->task;
  bool busy = w->busy;
  w->busy = false;
  Ending ending = end_worker (w);
  if (!busy)
    return;
  task->lost (task->ctx, w->order.job, w->order.first, (const char *) w->begun->data,
              w->begun->len, loss_of (pool, w, ending),
              WIFSIGNALED (ending.status) ? WTERMSIG (ending.status)
                                          : WEXITSTATUS (ending.status));
  /* A loss before the first step of the rest was announced loses the rest: the input itself
   * could not be read. */
  if (w->begun->len == 0) {
    task->done (task->ctx, w->order.job);
    return;
  }
  Order rest = { w->order.job, w->order.first + 1 };
  g_array_append_val (pool->again, rest);
}

static void
read_worker (Pool *pool, Worker *w)
{
  guint8 buffer[65536];
  ssize_t got = read (w->fd, buffer, sizeof buffer);
  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (got <= 0) {
    lose_worker (pool, w);
    return;
  }
  g_byte_array_append (w->received, buffer, (guint) got);
  take_frames (pool, w);
}

static void
kill_overdue (Pool *pool)
{
  double now = clock_seconds ();
  for (unsigned i = 0; i < pool->worker_count; i++) {
    Worker *w = &pool->workers[i];
    if (w->pid > 0 && w->busy && !w->overdue && now >= w->deadline) {
      w->overdue = true;
      kill (w->pid, SIGKILL);
    }
  }
}

/* Milliseconds until a worker may be overdue; -1 when none ever is. */
static int
wait_time (const Pool *pool)
{
  double first = INFINITY;
  for (unsigned i = 0; i < pool->worker_count; i++)
    if (pool->workers[i].busy && !pool->workers[i].overdue)
      first = MIN (first, pool->workers[i].deadline);
  if (isinf (first))
    return -1;
  double left = (first - clock_seconds ()) * 1000 + 1;
  return (int) CLAMP (left, 0, 60000);
}

static bool
any_busy (const Pool *pool)
{
  for (unsigned i = 0; i < pool->worker_count; i++)
    if (pool->workers[i].busy)
      return true;
  return false;
}

static void
wait_for_workers (Pool *pool)
{
  for (unsigned i = 0; i < pool->worker_count; i++) {
    const Worker *w = &pool->workers[i];
    pool->polled[i] = (struct pollfd){ w->pid > 0 ? w->fd : -1, POLLIN, 0 };
  }
  if (poll (pool->polled, pool->worker_count, wait_time (pool)) > 0)
    for (unsigned i = 0; i < pool->worker_count && pool->error == NULL; i++)
      if (pool->polled[i].revents != 0 && pool->workers[i].pid > 0)
        read_worker (pool, &pool->workers[i]);
  kill_overdue (pool);
}

static void
run_all (Pool *pool)
{
  do {
    for (unsigned i = 0; i < pool->worker_count && pool->error == NULL; i++)
      if (!pool->workers[i].busy)
        give_order (pool, &pool->workers[i]);
    if (pool->error == NULL && any_busy (pool))
      wait_for_workers (pool);
  } while (pool->error == NULL
           && (any_busy (pool) || pool->again->len > 0 || pool->next_job < pool->job_count));
}

static void
pool_init (Pool *pool)
{
  pool->workers = g_new0 (Worker, pool->worker_count);
  pool->polled = g_new0 (struct pollfd, pool->worker_count);
  pool->again = g_array_new (FALSE, FALSE, sizeof (Order));
  for (unsigned i = 0; i < pool->worker_count; i++) {
    pool->workers[i].received = g_byte_array_new ();
    pool->workers[i].begun = g_byte_array_new ();
  }
}

static void
pool_clear (Pool *pool)
{
  for (unsigned i = 0; i < pool->worker_count; i++) {
    Worker *w = &pool->workers[i];
    if (w->pid > 0) {
      kill (w->pid, SIGKILL);
      end_worker (w);
    }
    g_byte_array_unref (w->received);
    g_byte_array_unref (w->begun);
  }
  g_array_unref (pool->again);
  g_free (pool->polled);
  g_free (pool->workers);
}

char *
pool_run (const PoolTask *task, const PoolLimits *limits, unsigned job_count)
{
  Pool pool = { .task = task,
                .limits = limits,
                .worker_count = MAX (1, MIN (limits->workers, job_count)),
                .job_count = job_count };
  pool_init (&pool);
  run_all (&pool);
  pool_clear (&pool);
  return pool.error;
}
