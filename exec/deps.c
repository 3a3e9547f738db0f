/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/deps.h"

DepWalker
deps_new (Arena *a, const Trace *trace)
{
  unsigned node_words = words_for (trace->node_count);
  return (DepWalker){ trace, words_for (trace->event_count), node_words,
                      arena_array (a, Word, node_words) };
}

static void
walk (DepWalker *d, int index, Word *reads)
{
  if (index == NO_INDEX || bit_get (d->seen, (unsigned) index))
    return;
  bit_set (d->seen, (unsigned) index);
  const Node *node = &d->trace->nodes[index];
  if (node->kind == NODE_READ) {
    if (node->event != NO_INDEX)
      bit_set (reads, (unsigned) node->event);
    return;
  }
  walk (d, node->a.node, reads);
  walk (d, node->b.node, reads);
  walk (d, node->c.node, reads);
}

void
deps_of (DepWalker *d, unsigned event, DepKind kind, Word *reads)
{
  const TraceEvent *e = &d->trace->events[event];
  memset (reads, 0, sizeof (Word) * d->words);
  memset (d->seen, 0, sizeof (Word) * d->node_words);
  switch (kind) {
  case DEPENDS_ADDR:
    walk (d, e->address.node, reads);
    return;
  case DEPENDS_DATA:
    if (e->rmw_read == NO_INDEX && fault_is (d->trace->options, FAULT_LOST_DATA))
      return;
    walk (d, e->data.node, reads);
    walk (d, e->compared.node, reads);
    return;
  case DEPENDS_CTRL:
    walk (d, e->control, reads);
    if (e->is_cas)
      bit_set (reads, (unsigned) e->rmw_read);
    return;
  }
  g_assert_not_reached ();
}
