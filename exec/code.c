/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/code.h"

#include <glib.h>

unsigned
code_operands (CodeOp op)
{
  switch (op) {
  case CODE_UNION:
  case CODE_INTER:
  case CODE_DIFF:
  case CODE_SEQ:
  case CODE_KEEP_ROWS:
  case CODE_KEEP_COLUMNS:
  case CODE_CROSS:
    return 2;
  case CODE_COMPL:
  case CODE_INVERSE:
  case CODE_PLUS:
  case CODE_STAR:
  case CODE_OPT:
  case CODE_ID_ON:
  case CODE_DOMAIN:
  case CODE_RANGE:
    return 1;
  case CODE_LOAD_RF:
  case CODE_LOAD_SF:
  case CODE_LOAD_CO:
  case CODE_LOAD_FR:
  case CODE_FIXPOINT:
  case CODE_CHECK:
  case CODE_RULE:
    break;
  }
  g_assert_not_reached ();
}

static void
cross (Word *to, const Word *a, const Word *b, const CodeShape *s)
{
  for (unsigned i = 0; i < s->n; i++) {
    Word keep = -(Word) bit_get (a, i);
    for (unsigned k = 0; k < s->w; k++)
      to[(size_t) i * s->w + k] = b[k] & keep;
  }
}

static void
complement (const Code *c, const CodeShape *s)
{
  for (size_t k = 0; k < c->words; k++)
    c->to[k] = ~c->a[k] & s->all[k % s->w];
}

static void
identity_on (Word *to, const Word *set, const CodeShape *s)
{
  memset (to, 0, sizeof (Word) * s->n * s->w);
  ROW_EACH (i, set, s->w)
  bit_set (mat_row (to, s->w, (unsigned) i), (unsigned) i);
}

static void
closure (const Code *c, const CodeShape *s, bool reflexive)
{
  memcpy (c->to, c->a, sizeof (Word) * c->words);
  mat_close (c->to, s->n, s->w);
  if (reflexive)
    mat_add_id (c->to, s->n, s->w);
}

void
code_compute (const Code *c, const CodeShape *s)
{
  Word *restrict to = c->to;
  switch (c->op) {
  case CODE_UNION:
    for (size_t k = 0; k < c->words; k++)
      to[k] = c->a[k] | c->b[k];
    return;
  case CODE_INTER:
    for (size_t k = 0; k < c->words; k++)
      to[k] = c->a[k] & c->b[k];
    return;
  case CODE_DIFF:
    for (size_t k = 0; k < c->words; k++)
      to[k] = c->a[k] & ~c->b[k];
    return;
  case CODE_COMPL:
    complement (c, s);
    return;
  case CODE_SEQ:
    mat_seq (to, c->a, c->b, s->n, s->w);
    return;
  case CODE_KEEP_ROWS:
    mat_keep_rows (to, c->a, c->b, s->n, s->w);
    return;
  case CODE_KEEP_COLUMNS:
    mat_keep_columns (to, c->a, c->b, s->n, s->w);
    return;
  case CODE_CROSS:
    cross (to, c->a, c->b, s);
    return;
  case CODE_INVERSE:
    mat_inverse (to, c->a, s->n, s->w);
    return;
  case CODE_PLUS:
    closure (c, s, false);
    return;
  case CODE_STAR:
    closure (c, s, true);
    return;
  case CODE_OPT:
    memcpy (to, c->a, sizeof (Word) * c->words);
    mat_add_id (to, s->n, s->w);
    return;
  case CODE_ID_ON:
    identity_on (to, c->a, s);
    return;
  case CODE_DOMAIN:
    mat_domain (to, c->a, s->n, s->w);
    return;
  case CODE_RANGE:
    mat_range (to, c->a, s->n, s->w);
    return;
  case CODE_LOAD_RF:
  case CODE_LOAD_SF:
  case CODE_LOAD_CO:
  case CODE_LOAD_FR:
  case CODE_FIXPOINT:
  case CODE_CHECK:
  case CODE_RULE:
    break;
  }
  g_assert_not_reached ();
}
