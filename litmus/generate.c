/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/generate.h"

#include <string.h>

const GenOptions gen_everything = { 4, 5, true, true, true, true };

/* ---- Random numbers (SplitMix64: small, and the same everywhere) ----------------------------
 */

static uint64_t
next_random (uint64_t *state)
{
  *state += UINT64_C (0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static unsigned
pick (uint64_t *state, unsigned count)
{
  return (unsigned) (next_random (state) % count);
}

static bool
chance (uint64_t *state, unsigned percent)
{
  return pick (state, 100) < percent;
}

/* ---- Tests --------------------------------------------------------------------------- */

typedef enum StatementKind {
  ST_LOAD,
  ST_STORE,
  ST_ATOM,
  ST_RED,
  ST_FENCE,
  ST_PROXY_FENCE,
  ST_BARRIER,
  ST_ALU,
  ST_SKIP, /* a branch over the next statement when a register is zero */
  ST_SPIN, /* load until the value is not zero */
} StatementKind;

/* What stands in one line (a spin takes two).  Not every field matters to every kind. */
typedef struct Statement {
  StatementKind kind;
  unsigned sem;   /* index into the kind's own list */
  unsigned scope; /* 0 … 3: cta, cluster, gpu, sys */
  unsigned name;  /* location */
  unsigned op;    /* of atom, red, ALU */
  unsigned dst;   /* register */
  unsigned value; /* constant operand */
  int source;     /* register operand, -1: the constant */
  bool is_signed; /* min and max */
  unsigned fence; /* proxy fence */
  bool arrives;
  unsigned label;
  unsigned id;
  unsigned count; /* 0: without */
} Statement;

enum { MOST_THREADS = 8, MOST_STATEMENTS = 16, LOCATIONS = 3 };

typedef struct GenThread {
  unsigned cta, cluster, gpu;
  unsigned count;
  Statement statements[MOST_STATEMENTS];
} GenThread;

struct GenTest {
  uint64_t seed;
  bool clusters;
  bool aliases; /* y aliases x, s and t are x through surface and texture */
  unsigned locations;
  unsigned thread_count;
  GenThread threads[MOST_THREADS];
};

static const char *const scopes[] = { "cta", "cluster", "gpu", "sys" };
static const char *const load_sems[] = { "weak", "relaxed", "acquire", "volatile" };
static const char *const store_sems[] = { "weak", "relaxed", "release", "volatile" };
static const char *const atom_sems[] = { "relaxed", "acquire", "release", "acq_rel" };
static const char *const fence_sems[] = { "sc", "acq_rel", "acquire", "release" };
static const char *const proxy_fences[] = { "alias", "surface", "texture", "generic" };
static const char *const atom_ops[]
    = { "add", "exch", "cas", "inc", "dec", "min", "max", "and", "or", "xor" };
static const char *const alu_ops[] = { "add", "xor", "and", "sub" };
/* x and y are locations of their own unless aliases are on. */
static const char *const names[] = { "x", "y", "z" };

/* ---- Making -------------------------------------------------------------------------- */

/* What a test is mostly about.  Mistakes hide in corners that a uniform mix seldom visits:
 * three fence.sc in a cycle, barriers that all meet, proxies across CTAs, loops at their bound.
 */
typedef enum Shape {
  SHAPE_MIXED,
  SHAPE_FENCES,
  SHAPE_BARRIERS,
  SHAPE_PROXIES,
  SHAPE_LOOPS
} Shape;

enum { SHAPES = 5 };

/* Percent of the tests, and weights of the statements in each shape. */
static const unsigned shape_percent[SHAPES] = { 55, 14, 12, 12, 7 };
static const struct {
  StatementKind kind;
  unsigned weight[SHAPES];
} kinds[] = {
  /*                  mixed fences barriers proxies loops */
  { ST_LOAD, { 30, 34, 32, 32, 22 } }, { ST_STORE, { 28, 34, 30, 28, 22 } },
  { ST_ATOM, { 10, 2, 2, 2, 10 } },    { ST_RED, { 5, 0, 1, 1, 4 } },
  { ST_FENCE, { 13, 30, 2, 8, 6 } },   { ST_PROXY_FENCE, { 4, 0, 0, 22, 1 } },
  { ST_BARRIER, { 4, 0, 28, 5, 2 } },  { ST_ALU, { 2, 0, 1, 0, 8 } },
  { ST_SKIP, { 3, 0, 3, 1, 5 } },      { ST_SPIN, { 1, 0, 1, 1, 20 } },
};

static Shape
pick_shape (uint64_t *r)
{
  unsigned at = pick (r, 100);
  unsigned shape = 0;
  while (at >= shape_percent[shape])
    at -= shape_percent[shape++];
  return (Shape) shape;
}

static StatementKind
pick_kind (uint64_t *r, const GenOptions *o, Shape shape)
{
  for (;;) {
    unsigned at = pick (r, 100);
    unsigned k = 0;
    while (at >= kinds[k].weight[shape])
      at -= kinds[k++].weight[shape];
    StatementKind kind = kinds[k].kind;
    bool off = (kind == ST_PROXY_FENCE && !o->proxies) || (kind == ST_BARRIER && !o->barriers)
               || ((kind == ST_SKIP || kind == ST_SPIN) && !o->control);
    if (!off)
      return kind;
  }
}

static void
suit_shape (uint64_t *r, Shape shape, Statement *s)
{
  switch (shape) {
  case SHAPE_MIXED:
  case SHAPE_LOOPS:
    return;
  case SHAPE_FENCES: /* strong enough, and wide enough, for the fences to matter */
    if (chance (r, 80))
      s->sem = s->kind == ST_FENCE ? 0 : 1;
    if (chance (r, 80))
      s->scope = 2;
    return;
  case SHAPE_BARRIERS: /* one barrier, mostly waited for */
    s->label = chance (r, 15);
    s->arrives = chance (r, 15);
    s->id = chance (r, 8);
    s->sem = chance (r, 70) ? 0 : s->sem;
    return;
  case SHAPE_PROXIES: /* weak accesses through all names */
    s->id = chance (r, 60);
    if ((s->kind == ST_LOAD || s->kind == ST_STORE) && chance (r, 50))
      s->sem = 0;
    if (s->kind == ST_FENCE || s->kind == ST_STORE || s->kind == ST_LOAD)
      s->scope = chance (r, 70) ? 2 : s->scope;
    return;
  }
  g_assert_not_reached ();
}

static Statement
make_statement (uint64_t *r, const GenOptions *o, const GenTest *t, Shape shape)
{
  static const unsigned without_cluster[] = { 0, 2, 3 };
  Statement s = { .kind = pick_kind (r, o, shape) };
  s.sem = pick (r, 4);
  s.scope = o->clusters ? pick (r, 4) : without_cluster[pick (r, 3)];
  s.name = pick (r, t->locations);
  s.op = pick (r, 10);
  s.dst = pick (r, 3);
  s.value = chance (r, 92) ? 1 + pick (r, 3) : UINT32_MAX;
  s.source = chance (r, 15) ? (int) pick (r, 3) : -1;
  s.is_signed = chance (r, 50);
  s.fence = pick (r, 4);
  s.arrives = chance (r, 30);
  s.label = pick (r, 2);
  s.id = pick (r, 8) == 0;
  s.count = chance (r, 40) ? 1 + pick (r, 3) : 0;
  suit_shape (r, shape, &s);
  return s;
}

static void
place_thread (uint64_t *r, Shape shape, unsigned number, GenThread *thread)
{
  thread->cta = pick (r, 2);
  thread->cluster = pick (r, 2);
  thread->gpu = chance (r, 20);
  if (shape == SHAPE_BARRIERS && chance (r, 85))
    thread->cta = thread->cluster = thread->gpu = 0;
  if (shape == SHAPE_FENCES && chance (r, 70))
    thread->cta = number;
  if (shape == SHAPE_FENCES && chance (r, 80))
    thread->gpu = 0;
}

static unsigned
pick_locations (uint64_t *r, Shape shape, const GenTest *t)
{
  unsigned count = t->aliases || chance (r, 70) ? 2 : 1 + 2 * pick (r, 2);
  if (shape == SHAPE_FENCES)
    count = MAX (t->thread_count - (unsigned) t->aliases, 2);
  return MIN (count, LOCATIONS);
}

/* Larger products of threads and statements would drown the small, telling tests. */
static unsigned
pick_length (uint64_t *r, const GenOptions *o, const GenTest *t)
{
  unsigned ops = CLAMP (o->ops_most, 2, MOST_STATEMENTS);
  unsigned count = 2 + pick (r, (t->thread_count > 2 ? MIN (ops, 4) : ops) - 1);
  return t->thread_count > 3 ? MIN (count, 3) : count;
}

GenTest *
generate_test (Arena *a, uint64_t seed, const GenOptions *options)
{
  GenTest *t = arena_new_of (a, GenTest);
  uint64_t r = seed * UINT64_C (0x2545f4914f6cdd1d) + 1;
  Shape shape = pick_shape (&r);
  t->seed = seed;
  t->clusters = options->clusters && chance (&r, 15);
  t->aliases = options->proxies && (shape == SHAPE_PROXIES || chance (&r, 12));
  t->thread_count = 2 + pick (&r, CLAMP (options->threads_most, 2, MOST_THREADS) - 1);
  t->locations = pick_locations (&r, shape, t);
  for (unsigned i = 0; i < t->thread_count; i++) {
    GenThread *thread = &t->threads[i];
    place_thread (&r, shape, i, thread);
    thread->count = pick_length (&r, options, t);
    for (unsigned k = 0; k < thread->count; k++)
      thread->statements[k] = make_statement (&r, options, t, shape);
  }
  return t;
}

/* ---- Text ---------------------------------------------------------------------------- */

/* Where aliases are on, loads and stores of x may go through another proxy. */
static const char *
access_text (Arena *a, const GenTest *t, const Statement *s, bool is_load, const char **name)
{
  bool other = t->aliases && s->name == 0 && s->sem == 0 && s->id != 0;
  *name = other ? (is_load && s->label != 0 ? "t" : "s") : names[s->name];
  const char *mnemonic
      = is_load ? (other ? (s->label != 0 ? "tld" : "suld") : "ld") : (other ? "sust" : "st");
  const char *sem = (is_load ? load_sems : store_sems)[s->sem];
  if (s->sem == 0 || s->sem == 3)
    return arena_printf (a, "%s.%s", mnemonic, sem);
  return arena_printf (a, "%s.%s.%s", mnemonic, sem, scopes[s->scope]);
}

static const char *
operand_text (Arena *a, const Statement *s)
{
  return s->source >= 0 ? arena_printf (a, "r%d", s->source) : arena_printf (a, "%u", s->value);
}

static const char *
atomic_text (Arena *a, const Statement *s)
{
  const char *op = atom_ops[s->op];
  bool is_atom = s->kind == ST_ATOM;
  if (!is_atom && (s->op == 1 || s->op == 2))
    op = "add";
  bool is_extreme = s->op == 5 || s->op == 6;
  const char *head
      = arena_printf (a, "%s.%s.%s.%s%s", is_atom ? "atom" : "red", atom_sems[s->sem],
                      scopes[s->scope], op, is_extreme && s->is_signed ? ".s32" : "");
  if (!is_atom)
    return arena_printf (a, "%s %s, %s", head, names[s->name], operand_text (a, s));
  if (s->op == 2)
    return arena_printf (a, "%s r%u, %s, %u, %s", head, s->dst, names[s->name], s->value - 1,
                         operand_text (a, s));
  return arena_printf (a, "%s r%u, %s, %s", head, s->dst, names[s->name], operand_text (a, s));
}

static const char *
barrier_text (Arena *a, const Statement *s)
{
  const char *head
      = arena_printf (a, "bar.cta.%s %u", s->arrives ? "arrive" : "sync", s->label);
  if (s->count != 0)
    return arena_printf (a, "%s, %u, %u", head, s->id, s->count);
  return s->id != 0 ? arena_printf (a, "%s, %u", head, s->id) : head;
}

/* The lines of a statement, NULL-ended; `at` makes labels unique. */
static unsigned
statement_lines (Arena *a, const GenTest *t, const Statement *s, unsigned at,
                 const char **lines)
{
  const char *name = NULL;
  switch (s->kind) {
  case ST_LOAD:
    lines[0] = access_text (a, t, s, true, &name);
    lines[0] = arena_printf (a, "%s r%u, %s", lines[0], s->dst, name);
    return 1;
  case ST_STORE:
    lines[0] = access_text (a, t, s, false, &name);
    lines[0] = arena_printf (a, "%s %s, %s", lines[0], name, operand_text (a, s));
    return 1;
  case ST_ATOM:
  case ST_RED:
    lines[0] = atomic_text (a, s);
    return 1;
  case ST_FENCE:
    lines[0] = arena_printf (a, "fence.%s.%s", fence_sems[s->sem], scopes[s->scope]);
    return 1;
  case ST_PROXY_FENCE:
    lines[0] = arena_printf (a, "fence.proxy.%s", proxy_fences[s->fence]);
    return 1;
  case ST_BARRIER:
    lines[0] = barrier_text (a, s);
    return 1;
  case ST_ALU:
    lines[0] = arena_printf (a, "%s r%u, r%d, %u", alu_ops[s->op % 4], s->dst,
                             s->source >= 0 ? s->source : 0, s->value);
    return 1;
  case ST_SKIP:
    lines[0] = arena_printf (a, "beq r%u, 0, LC%u", s->dst, at);
    return 1;
  case ST_SPIN:
    lines[0] = arena_printf (a, "LC%u:", at + 50);
    lines[1]
        = arena_printf (a, "ld.relaxed.%s r%u, %s", scopes[s->scope], s->dst, names[s->name]);
    lines[2] = arena_printf (a, "beq r%u, 0, LC%u", s->dst, at + 50);
    return 3;
  }
  g_assert_not_reached ();
}

static GPtrArray *
thread_lines (Arena *a, const GenTest *t, const GenThread *thread)
{
  GPtrArray *lines = g_ptr_array_new ();
  int open_skip = -1;
  for (unsigned k = 0; k < thread->count; k++) {
    const char *own[4];
    unsigned count = statement_lines (a, t, &thread->statements[k], k, own);
    int closing = open_skip;
    open_skip = thread->statements[k].kind == ST_SKIP ? (int) k : -1;
    for (unsigned i = 0; i < count; i++)
      g_ptr_array_add (lines, (gpointer) own[i]);
    if (closing >= 0)
      g_ptr_array_add (lines, arena_printf (a, "LC%d:", closing));
  }
  if (open_skip >= 0)
    g_ptr_array_add (lines, arena_printf (a, "LC%d:", open_skip));
  return lines;
}

static void
append_header (GString *out, const GenTest *t)
{
  for (unsigned i = 0; i < t->thread_count; i++) {
    const GenThread *thread = &t->threads[i];
    g_string_append_printf (out, "%s P%u@cta %u,", i == 0 ? "" : " |", i, thread->cta);
    if (t->clusters)
      g_string_append_printf (out, "cluster %u,", thread->cluster);
    g_string_append_printf (out, "gpu %u", thread->gpu);
  }
  g_string_append (out, " ;\n");
}

const char *
generate_text (Arena *a, const GenTest *t)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_string_append_printf (out, "PTX random-%" G_GUINT64_FORMAT "\n{\nx = 0;\n", t->seed);
  if (t->aliases)
    g_string_append (out, "y @ generic aliases x;\ns @ surface aliases x;\n"
                          "t @ texture aliases y;\n");
  else if (t->locations > 1)
    g_string_append (out, "y = 0;\n");
  g_string_append (out, t->locations > 2 ? "z = 0;\n}\n" : "}\n");
  append_header (out, t);
  GPtrArray *columns[MOST_THREADS];
  unsigned rows = 1;
  for (unsigned i = 0; i < t->thread_count; i++) {
    columns[i] = thread_lines (a, t, &t->threads[i]);
    rows = MAX (rows, columns[i]->len);
  }
  for (unsigned row = 0; row < rows; row++)
    for (unsigned i = 0; i < t->thread_count; i++) {
      const char *line = row < columns[i]->len ? g_ptr_array_index (columns[i], row) : "";
      g_string_append_printf (out, " %s %s", line, i + 1 < t->thread_count ? "|" : ";\n");
    }
  g_string_append (out, "locations [x;");
  if (t->locations > 1)
    g_string_append (out, " y;");
  if (t->locations > 2)
    g_string_append (out, " z;");
  for (unsigned i = 0; i < t->thread_count; i++) {
    g_autoptr (GString) all = g_string_new (NULL);
    for (unsigned k = 0; k < columns[i]->len; k++)
      g_string_append_printf (all, "%s ", (const char *) g_ptr_array_index (columns[i], k));
    for (unsigned reg = 0; reg < 3; reg++) {
      const char name[] = { 'r', (char) ('0' + reg), 0 };
      if (strstr (all->str, name) != NULL)
        g_string_append_printf (out, " P%u:%s;", i, name);
    }
    g_ptr_array_unref (columns[i]);
  }
  g_string_append (out, "]\nexists (x == 1)\n");
  return arena_strdup (a, out->str);
}

/* ---- Shrinking ----------------------------------------------------------------------- */

static void
remove_thread (GenTest *t, unsigned thread)
{
  t->thread_count--;
  memmove (&t->threads[thread], &t->threads[thread + 1],
           sizeof (GenThread) * (t->thread_count - thread));
}

static void
remove_statement (GenThread *t, unsigned at)
{
  t->count--;
  memmove (&t->statements[at], &t->statements[at + 1], sizeof (Statement) * (t->count - at));
}

static bool
lower (unsigned *field, unsigned value)
{
  bool changes = *field != value;
  *field = value;
  return changes;
}

/* One way to make a statement simpler: number `way` of SIMPLER_WAYS.  False: it already is. */
enum { SIMPLER_WAYS = 8 };

static bool
simplify (Statement *s, unsigned way)
{
  bool changes = false;
  switch (way) {
  case 0:
    return lower (&s->sem, s->kind == ST_FENCE ? MIN (s->sem, 1) : 0);
  case 1:
    return lower (&s->scope, 3);
  case 2:
    changes = s->source != -1;
    s->source = -1;
    return changes;
  case 3:
    return lower (&s->value, 1);
  case 4:
    return lower (&s->count, 0);
  case 5:
    return lower (&s->op, 0);
  case 6:
    return lower (&s->id, 0);
  case 7:
    changes = s->arrives;
    s->arrives = false;
    return changes;
  default:
    g_assert_not_reached ();
  }
}

typedef struct Shrinker {
  Arena *arena;
  GenFails fails;
  void *ctx;
  GenTest *best;
} Shrinker;

static bool
try_candidate (Shrinker *s, const GenTest *candidate)
{
  if (!s->fails (s->ctx, generate_text (s->arena, candidate)))
    return false;
  *s->best = *candidate;
  return true;
}

static bool
shrink_threads (Shrinker *s)
{
  for (unsigned i = s->best->thread_count; s->best->thread_count > 1 && i-- > 0;) {
    GenTest candidate = *s->best;
    remove_thread (&candidate, i);
    if (try_candidate (s, &candidate))
      return true;
  }
  return false;
}

static bool
shrink_statements (Shrinker *s)
{
  for (unsigned i = 0; i < s->best->thread_count; i++)
    for (unsigned k = s->best->threads[i].count; k-- > 0;) {
      GenTest candidate = *s->best;
      remove_statement (&candidate.threads[i], k);
      if (try_candidate (s, &candidate))
        return true;
    }
  return false;
}

static bool
shrink_details (Shrinker *s)
{
  for (unsigned i = 0; i < s->best->thread_count; i++)
    for (unsigned k = 0; k < s->best->threads[i].count; k++)
      for (unsigned way = 0; way < SIMPLER_WAYS; way++) {
        GenTest candidate = *s->best;
        if (simplify (&candidate.threads[i].statements[k], way)
            && try_candidate (s, &candidate))
          return true;
      }
  return false;
}

static bool
shrink_placement (Shrinker *s)
{
  GenTest candidate = *s->best;
  candidate.clusters = false;
  if (s->best->clusters && try_candidate (s, &candidate))
    return true;
  for (unsigned i = 0; i < s->best->thread_count; i++) {
    candidate = *s->best;
    if (candidate.threads[i].gpu == 0 && candidate.threads[i].cta == 0)
      continue;
    candidate.threads[i].gpu = candidate.threads[i].cta = 0;
    if (try_candidate (s, &candidate))
      return true;
  }
  return false;
}

GenTest *
generate_shrink (Arena *a, const GenTest *test, GenFails fails, void *ctx)
{
  Shrinker s = { a, fails, ctx, arena_copy (a, test, sizeof *test) };
  while (shrink_threads (&s) || shrink_statements (&s) || shrink_details (&s)
         || shrink_placement (&s))
    continue;
  return s.best;
}
