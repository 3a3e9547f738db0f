/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/question.h"

#include "solver/fault.h"

/* ---- Final state ------------------------------------------------------------------- */

/* Write w is the last of its object: no write to it comes later in coherence order. */
static Lit
final_choice (Encoder *e, unsigned w, Lit there)
{
  Lit lit = cnf_var (e->f);
  cnf_implies (e->f, lit, there);
  for (unsigned v = 0; v < e->n && !fault_is (e->options, FAULT_SOLVER_FINAL_ANY); v++)
    cnf_implies (e->f, lit, -e->co[(size_t) w * e->n + v]);
  return lit;
}

/* The value that object `o` has at the end. */
static Bits
final_value (Encoder *e, unsigned o)
{
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_autoptr (GArray) writes = g_array_new (FALSE, FALSE, sizeof (unsigned));
  for (unsigned w = 0; w < e->n; w++) {
    const SymEvent *s = &e->u->events[w];
    if (s->shape.kind != EVENT_WRITE)
      continue;
    Lit there = encoder_same_object (e, o, w); /* events start with the initial writes */
    if (there == LIT_FALSE)
      continue;
    Lit lit = final_choice (e, w, there);
    g_array_append_val (lits, lit);
    g_array_append_val (writes, w);
  }
  cnf_exactly_one (e->f, LIT_TRUE, (const Lit *) lits->data, lits->len);
  if (writes->len == 1)
    return e->u->events[g_array_index (writes, unsigned, 0)].value;
  uint64_t mask = 0;
  for (unsigned k = 0; k < writes->len; k++)
    mask |= bits_mask (&e->u->events[g_array_index (writes, unsigned, k)].value);
  Bits value = bits_fresh (e->f, mask);
  for (unsigned k = 0; k < writes->len; k++)
    bits_assert_equal (e->f, g_array_index (lits, Lit, k), &value,
                       &e->u->events[g_array_index (writes, unsigned, k)].value);
  return value;
}

static Bits *
final_state (Encoder *e)
{
  const Program *p = e->u->program;
  Bits *state = arena_array (e->arena, Bits, p->observed_count + 1);
  int *done = arena_array (e->arena, int, p->object_count + 1);
  for (unsigned k = 0; k < p->observed_count; k++) {
    const Observed *o = &p->observed[k];
    if (!o->is_location) {
      state[k] = e->u->final_regs[o->thread][o->index];
      continue;
    }
    unsigned object = p->mappings[p->locations[o->index].mapping].object;
    if (done[object] == 0) {
      state[k] = final_value (e, object);
      done[object] = (int) k + 1;
    } else
      state[k] = state[done[object] - 1];
  }
  return state;
}

/* ---- Conditions -------------------------------------------------------------------- */

static Bits
term_bits (const Encoder *e, const CondTerm *t, const Bits *state)
{
  const Program *p = e->u->program;
  if (t->kind == TERM_CONST)
    return bits_const (t->value);
  if (t->kind == TERM_ADDRESS)
    return bits_const (p->mappings[t->index].base + t->value);
  for (unsigned k = 0; k < p->observed_count; k++) {
    const Observed *o = &p->observed[k];
    if (o->is_location == (t->kind == TERM_LOC) && o->index == t->index
        && (o->is_location || o->thread == t->thread))
      return state[k];
  }
  g_assert_not_reached ();
}

static Lit
condition_lit (Encoder *e, const Cond *c, const Bits *state)
{
  switch (c->kind) {
  case COND_TRUE:
    return LIT_TRUE;
  case COND_NOT:
    return -condition_lit (e, c->left, state);
  case COND_AND:
    return cnf_and (e->f, GATE_EXACT, condition_lit (e, c->left, state),
                    condition_lit (e, c->right, state));
  case COND_OR:
    return cnf_or (e->f, GATE_EXACT, condition_lit (e, c->left, state),
                   condition_lit (e, c->right, state));
  case COND_CMP: {
    unsigned bits = MAX (cond_term_bits (e->u->program, &c->left_term),
                         cond_term_bits (e->u->program, &c->right_term));
    Type type = { TY_U, bits == 0 ? 64 : bits, false };
    Bits left = term_bits (e, &c->left_term, state);
    Bits right = term_bits (e, &c->right_term, state);
    return bits_compare (e->f, c->cmp, type, &left, &right);
  }
  }
  g_assert_not_reached ();
}

Question *
question_encode (Encoder *e)
{
  Question *q = arena_new_of (e->arena, Question);
  q->state = final_state (e);
  q->condition = condition_lit (e, e->u->program->condition, q->state);
  q->filter = condition_lit (e, e->u->program->filter, q->state);
  return q;
}
