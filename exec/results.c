/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/results.h"

#include <stdlib.h>
#include <string.h>

static guint
state_hash (gconstpointer key)
{
  const FoundState *s = key;
  uint64_t hash = s->count;
  for (unsigned i = 0; i < s->count; i++) {
    hash = (hash ^ s->values[i]) * UINT64_C (0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (guint) (hash ^ (hash >> 32));
}

static gboolean
state_equal (gconstpointer left, gconstpointer right)
{
  const FoundState *x = left;
  const FoundState *y = right;
  return memcmp (x->values, y->values, sizeof (uint64_t) * x->count) == 0;
}

void
results_init (Results *r, Arena *arena, const Program *program)
{
  *r = (Results){ .arena = arena, .program = program };
  r->states = g_hash_table_new (state_hash, state_equal);
  r->flags = g_ptr_array_new ();
}

void
results_clear (Results *r)
{
  g_hash_table_destroy (r->states);
  g_ptr_array_free (r->flags, TRUE);
}

FoundState *
results_find (const Results *r, const uint64_t *values)
{
  FoundState key = { .count = r->program->observed_count, .values = values };
  return g_hash_table_lookup (r->states, &key);
}

/* Beyond these an outcome has a witness only when it is the first that satisfies the condition,
 * or the first that does not: witnesses take more memory than anything else. */
enum { MOST_WITNESSES = 1000 };

FoundState *
results_add (Results *r, const uint64_t *values, const Trace *trace, const Choice *choice)
{
  const Program *p = r->program;
  FoundState *s = arena_new_of (r->arena, FoundState);
  s->count = p->observed_count;
  s->values = arena_copy (r->arena, values, sizeof *values * p->observed_count);
  s->satisfies = cond_holds (p, p->condition, s->values);
  bool first_of_kind = s->satisfies ? !r->reachable : !r->refutable;
  if (first_of_kind || g_hash_table_size (r->states) < MOST_WITNESSES)
    s->witness = witness_new (r->arena, trace, choice, values);
  s->last_candidate = -1;
  r->reachable = r->reachable || s->satisfies;
  r->refutable = r->refutable || !s->satisfies;
  g_hash_table_add (r->states, s);
  return s;
}

bool
results_has_flag (const Results *r, const char *kind)
{
  for (unsigned i = 0; i < r->flags->len; i++)
    if (strcmp (((const RunFlag *) r->flags->pdata[i])->kind, kind) == 0)
      return true;
  return false;
}

void
results_flag (Results *r, const char *kind, const Trace *trace, const unsigned *events,
              unsigned count)
{
  if (results_has_flag (r, kind))
    return;
  RunFlag *flag = arena_new_of (r->arena, RunFlag);
  Event *copies = arena_array (r->arena, Event, count);
  for (unsigned i = 0; i < count; i++)
    copies[i] = witness_event (trace, events[i]);
  *flag = (RunFlag){ kind, copies, count };
  g_ptr_array_add (r->flags, flag);
}

/* ---- Handing over -------------------------------------------------------------------------
 */

static int
compare_states (const void *left, const void *right)
{
  const FoundState *x = *(const FoundState *const *) left;
  const FoundState *y = *(const FoundState *const *) right;
  for (unsigned i = 0; i < x->count; i++)
    if (x->values[i] != y->values[i])
      return x->values[i] < y->values[i] ? -1 : 1;
  return 0;
}

static int
compare_flags (const void *left, const void *right)
{
  const RunFlag *x = *(const RunFlag *const *) left;
  const RunFlag *y = *(const RunFlag *const *) right;
  return strcmp (x->kind, y->kind);
}

static void
fill_outcomes (const Results *r, EngineResult *result, bool counted)
{
  guint count = 0;
  g_autofree gpointer *states = g_hash_table_get_keys_as_array (r->states, &count);
  if (count > 1)
    qsort (states, count, sizeof *states, compare_states);
  result->outcomes = arena_array (r->arena, Outcome, count);
  result->outcome_count = count;
  for (unsigned i = 0; i < count; i++) {
    const FoundState *s = states[i];
    result->outcomes[i] = (Outcome){ .values = (uint64_t *) s->values,
                                     .satisfies = s->satisfies,
                                     .executions = counted ? s->executions : -1,
                                     .witness = s->witness };
  }
}

void
results_fill (const Results *r, EngineResult *result, bool counted)
{
  fill_outcomes (r, result, counted);
  result->reachable = r->reachable;
  result->refutable = r->refutable;
  if (r->flags->len > 1)
    qsort (r->flags->pdata, r->flags->len, sizeof (gpointer), compare_flags);
  result->flags = arena_array (r->arena, RunFlag, r->flags->len);
  result->flag_count = r->flags->len;
  for (unsigned i = 0; i < r->flags->len; i++)
    result->flags[i] = *(const RunFlag *) r->flags->pdata[i];
}
