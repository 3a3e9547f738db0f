/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/exec.h"

#include "exec/search.h"

static void
find_leaves (const CatModel *m, unsigned node, bool *has)
{
  const CatNode *n = &m->nodes[node];
  if (n->op == CAT_OP_BASE)
    has[n->base] = true;
  if (n->op != CAT_OP_UNION)
    return;
  find_leaves (m, n->a, has);
  find_leaves (m, n->b, has);
}

/* An axiom says that reads-from and dependencies are acyclic.  Then no value can come of
 * itself, and the search need not look for such. */
static bool
forbids_thin_air (const CatModel *m)
{
  for (unsigned i = 0; i < m->check_count; i++) {
    const CatCheck *c = &m->checks[i];
    bool has[CAT_BASE_COUNT] = { false };
    if (c->kind != CAT_ACYCLIC || c->negated || c->is_flag)
      continue;
    find_leaves (m, c->node, has);
    if (has[CAT_BASE_RF] && has[CAT_BASE_ADDR] && has[CAT_BASE_DATA] && has[CAT_BASE_CTRL])
      return true;
  }
  return false;
}

static bool
has_division (const Program *p)
{
  for (unsigned i = 0; i < p->thread_count; i++)
    for (unsigned k = 0; k < p->threads[i].insn_count; k++) {
      const Insn *insn = &p->threads[i].insns[k];
      bool atomic = insn->kind == INSN_ATOM || insn->kind == INSN_RED;
      if ((insn->kind == INSN_ALU && insn->op.alu == ALU_DIV)
          || (atomic && insn->op.atom == ATOM_DIV))
        return true;
    }
  return false;
}

static void
find_locations (Search *s)
{
  const Program *p = s->program;
  for (unsigned i = 0; i < p->observed_count; i++)
    if (p->observed[i].is_location)
      s->locations[s->location_count++] = i;
}

static EngineResult *
result_of (const Search *s, Arena *a)
{
  EngineResult *result = arena_new_of (a, EngineResult);
  bool counted = s->counting && s->stopped == STOP_NONE && !s->options->verdict_only;
  results_fill (&s->results, result, counted);
  result->complete = s->stopped == STOP_NONE && !s->thin_air;
  result->stopped = s->stopped;
  result->bound_reached = s->bound_reached;
  result->undecided = s->thin_air ? "values out of thin air are not enumerated" : NULL;
  result->candidates = s->candidates;
  result->consistent = s->consistent;
  result->peak_bytes = s->peak;
  return result;
}

EngineResult *
exec_run (Arena *a, const Program *program, const CatModel *model, const RunOptions *options,
          const Budget *budget)
{
  g_autoptr (Arena) work = arena_new ();
  g_autoptr (Arena) scratch = arena_new ();
  Search s = { .program = program,
               .options = options,
               .budget = budget,
               .scratch = scratch,
               .plan = plan_new (work, model),
               .guarded = forbids_thin_air (model),
               .filtered = program->filter->kind != COND_TRUE,
               .has_division = has_division (program),
               .counting = true };
  s.values = arena_array (work, uint64_t, program->observed_count);
  s.known = arena_array (work, bool, program->observed_count);
  s.locations = arena_array (work, unsigned, program->observed_count);
  s.finals = arena_array (work, unsigned, program->observed_count);
  find_locations (&s);
  results_init (&s.results, a, program);
  trace_init (&s.trace, work, program, options);
  search_run (&s);
  EngineResult *result = result_of (&s, a);
  trace_clear (&s.trace);
  results_clear (&s.results);
  return result;
}
