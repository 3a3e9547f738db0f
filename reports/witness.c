/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/witness.h"

#include "litmus/print.h"

static bool
is_plain (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    return false;
  for (const char *c = text; *c != '\0'; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7f)
      return false;
  return true;
}

const char *
utf8_text (Arena *a, const char *text)
{
  if (text == NULL || is_plain (text))
    return text;
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  for (char *c = valid; *c != '\0'; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7f)
      *c = *c == '\n' || *c == '\t' || *c == '\r' ? ' ' : '?';
  return arena_strdup (a, valid);
}

static bool
is_access (const Event *e)
{
  return e->kind == EVENT_READ || e->kind == EVENT_WRITE;
}

/* ---- Events ---------------------------------------------------------------------------- */

static const char *
insn_text (Arena *a, const Program *p, const Event *e)
{
  if (e->thread < 0 || e->insn < 0)
    return NULL;
  const Thread *thread = &p->threads[e->thread];
  return utf8_text (a, insn_print (a, p, thread, &thread->insns[e->insn]));
}

static const char *
access_location (Arena *a, const Program *p, const Event *e)
{
  if (!is_access (e))
    return NULL;
  const char *name
      = e->mapping >= 0 ? p->mappings[e->mapping].name : p->objects[e->object].name;
  return e->offset == 0 ? name : arena_printf (a, "%s+0x%x", name, e->offset);
}

static const char *
event_proxy (const Event *e)
{
  if (e->kind == EVENT_PROXY_FENCE)
    return pfence_name (e->pfence);
  return is_access (e) && !e->is_init ? proxy_name (e->proxy) : NULL;
}

static const char *
name_or_null (const char *name)
{
  return *name == '\0' ? NULL : name;
}

static ReportEvent
report_event (Arena *a, const Program *p, const Event *e)
{
  return (ReportEvent){
    .kind = e->kind,
    .is_init = e->is_init,
    .thread = e->thread >= 0 ? utf8_text (a, p->threads[e->thread].name) : NULL,
    .insn = e->insn,
    .iteration = e->iteration,
    .text = insn_text (a, p, e),
    .semantics = name_or_null (sem_name (e->sem)),
    .scope = name_or_null (scope_name (e->scope)),
    .proxy = event_proxy (e),
    .location = access_location (a, p, e),
    .size = is_access (e) ? (int64_t) e->size : -1,
    .value = is_access (e) ? value_text (a, p, e->size * 8, e->value) : NULL,
    .phase = e->kind == EVENT_BARRIER ? e->phase : -1,
  };
}

const ReportEvent *
report_events (Arena *a, const Program *p, const Event *events, unsigned count)
{
  ReportEvent *reported = arena_array (a, ReportEvent, count);
  for (unsigned i = 0; i < count; i++)
    reported[i] = report_event (a, p, &events[i]);
  return reported;
}

/* ---- Relations ------------------------------------------------------------------------- */

static Pairs
program_order (Arena *a, const Execution *x)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  for (unsigned i = 0; i < x->event_count; i++)
    for (unsigned k = i + 1; k < x->event_count; k++)
      if (x->events[i].thread >= 0 && x->events[i].thread == x->events[k].thread)
        g_array_append_val (pairs, ((Pair){ i, k }));
  return pairs_from (a, (const Pair *) pairs->data, pairs->len);
}

static bool
share_bytes (const Event *x, const Event *y)
{
  return x->object == y->object && x->offset < y->offset + y->size
         && y->offset < x->offset + x->size;
}

/* fr = rf^-1 ; co, on common bytes. */
static Pairs
from_reads (Arena *a, const Execution *x)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  for (unsigned r = 0; r < x->rf.count; r++)
    for (unsigned c = 0; c < x->co.count; c++) {
      Pair fr = { x->rf.pairs[r].to, x->co.pairs[c].to };
      if (x->rf.pairs[r].from == x->co.pairs[c].from
          && share_bytes (&x->events[fr.from], &x->events[fr.to]))
        g_array_append_val (pairs, fr);
    }
  return pairs_from (a, (const Pair *) pairs->data, pairs->len);
}

const ReportWitness *
report_witness (Arena *a, const Execution *x)
{
  const ReportRelation relations[] = {
    { "po", program_order (a, x) },
    { "rf", x->rf },
    { "co", x->co },
    { "fr", from_reads (a, x) },
    { "sync_fence", x->sync_fence },
    { "rmw", x->rmw },
    { "addr", x->addr },
    { "data", x->data },
    { "ctrl", x->ctrl },
  };
  ReportWitness *w = arena_new_of (a, ReportWitness);
  *w = (ReportWitness){
    .events = report_events (a, x->program, x->events, x->event_count),
    .event_count = x->event_count,
    .relations = arena_copy (a, relations, sizeof relations),
    .relation_count = G_N_ELEMENTS (relations),
  };
  return w;
}
