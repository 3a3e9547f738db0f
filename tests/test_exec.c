/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/exec_helpers.h"

#include <stdlib.h>

/* ---- Running ------------------------------------------------------------------------------
 */

typedef struct Ran {
  Reading *reading;
  const Program *program;
  const CatModel *model;
  RunOptions options;
  EngineResult *result;
} Ran;

static Ran
run_with (const char *text, const char *model, RunOptions options, const Budget *budget)
{
  Ran r = { .reading = read_litmus (text), .options = options };
  r.program = r.reading->program;
  r.model = model_named (r.reading->arena, model);
  r.result = exec_run (r.reading->arena, r.program, r.model, &r.options, budget);
  return r;
}

static Ran
run (const char *text)
{
  return run_with (text, "ptx-9.4", (RunOptions){ .bound = 2 }, NULL);
}

static void
ran_free (Ran *r)
{
  reading_free (r->reading);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ran, ran_free)

/* ---- Complete sets of final states --------------------------------------------------------
 */

#define APART    " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
#define TOGETHER " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"

/* Observed are the locations, then the registers, that the question names.  `counts`, when
 * given, are the executions of each state: choices of reads-from and Fence-SC order. */
typedef struct StatesCase {
  const char *name;
  const char *init;
  const char *columns;
  const char *question;
  const char *states;
  const char *flags;
  const char *counts;
} StatesCase;

static const StatesCase states_cases[] = {
  /* 8.7 to 8.10: the idioms whose answers the manual and the papers give */
  { "mp/relaxed", "x=0; y=0;",
    APART " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
          " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\n",
    "locations [P1:r0; P1:r1;]", "0 0;0 1;1 0;1 1", "", "1 1 1 1" },
  { "mp/release-acquire", "x=0; y=0;",
    APART " st.weak x, 1        | ld.acquire.gpu r0, y ;\n"
          " st.release.gpu y, 1 | bne r0, 1, L         ;\n"
          "                     | ld.weak r1, x        ;\n"
          "                     | L:                   ;\n",
    "locations [P1:r0; P1:r1;]", "0 0;1 1", "", "1 1" },
  { "mp/cta-scope-across-ctas", "x=0; y=0;",
    APART " st.weak x, 1        | ld.acquire.cta r0, y ;\n"
          " st.release.cta y, 1 | ld.weak r1, x        ;\n",
    "locations [P1:r0; P1:r1;]", "0 0;0 1;1 0;1 1", "data-race", NULL },
  { "mp/fences", "x=0; y=0;",
    APART " st.weak x, 1         | ld.relaxed.gpu r0, y ;\n"
          " fence.acq_rel.gpu    | fence.acq_rel.gpu    ;\n"
          " st.relaxed.gpu y, 1  | ld.weak r1, x        ;\n",
    "locations [P1:r0; P1:r1;]", "0 0;0 1;1 1", "data-race", "1 1 1" },
  { "sb/fence-sc", "x=0; y=0;",
    APART " st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;\n"
          " fence.sc.gpu         | fence.sc.gpu         ;\n"
          " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n",
    "locations [P0:r0; P1:r0;]", "0 1;1 0;1 1", "", "1 1 2" },
  { "sb/fence-sc-of-cta", "x=0; y=0;",
    APART " st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;\n"
          " fence.sc.cta         | fence.sc.cta         ;\n"
          " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n",
    "locations [P0:r0; P1:r0;]", "0 0;0 1;1 0;1 1", "", "1 1 1 1" },
  { "corr/morally-strong", "x=0;",
    APART " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n"
          "                     | ld.relaxed.gpu r1, x ;\n",
    "locations [P1:r0; P1:r1;]", "0 0;0 1;1 1", "", NULL },
  { "corr/weak", "x=0;",
    APART " st.weak x, 1 | ld.weak r0, x ;\n"
          "              | ld.weak r1, x ;\n",
    "locations [P1:r0; P1:r1;]", "0 0;0 1;1 0;1 1", "data-race", NULL },
  { "lb/independent", "x=0; y=0;",
    APART " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
          " st.relaxed.gpu y, 1  | st.relaxed.gpu x, 1  ;\n",
    "locations [P0:r0; P1:r0;]", "0 0;0 1;1 0;1 1", "", NULL },
  { "lb/data", "x=0; y=0;",
    APART " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
          " st.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;\n",
    "locations [P0:r0; P1:r0;]", "0 0", "", NULL },
  { "atom/exclusive", "x=0;",
    APART " atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;\n",
    "locations [x; P0:r0; P1:r0;]", "2 0 1;2 1 0", "", "1 1" },
  /* 8.2.6: initial values are first; two racing weak stores leave either */
  { "final/either-of-two", "x=0;", APART " st.weak x, 1 | st.weak x, 2 ;\n", "locations [x;]",
    "1;2", "data-race", "1 1" },
  { "final/both-directions-of-co", "x=0;",
    APART " st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;\n", "locations [x;]", "1;2", "",
    "1 1" },
  /* 8.6: an alias needs its fence within one thread, too */
  { "alias/no-fence", "x=0; a @ generic aliases x;",
    " P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n ld.weak r0, a ;\n", "locations [P0:r0;]", "0;1",
    "proxy-race", NULL },
  { "alias/fence", "x=0; a @ generic aliases x;",
    " P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n fence.proxy.alias ;\n ld.weak r0, a ;\n",
    "locations [P0:r0;]", "1", "", NULL },
  /* A write that exists only after another read got its value */
  { "late/write-behind-branch", "x=0; y=0; z=0;",
    APART " ld.relaxed.gpu r0, y | ld.relaxed.gpu r1, x ;\n"
          " beq r0, 0, E         | bne r1, 0, F         ;\n"
          " st.relaxed.gpu z, 1  | st.relaxed.gpu y, 1  ;\n"
          " E:                   | F:                   ;\n",
    "locations [z; P0:r0; P1:r1;]", "0 0 0;1 1 0", "", "1 1" },
  { "late/load-buffering-into-branch", "x=0; y=0;",
    APART " ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y ;\n"
          " bne r0, 1, E         | st.relaxed.gpu x, 1  ;\n"
          " st.relaxed.gpu y, 1  |                      ;\n"
          " E:                   |                      ;\n",
    "locations [P0:r0; P1:r1;]", "0 0;1 0;1 1", "", NULL },
  { "late/pointer", "x=0; y=0; p=&x; f=0;",
    APART " ld.relaxed.gpu r0, p     | ld.relaxed.gpu r1, f ;\n"
          " st.relaxed.gpu [r0], 1   | bne r1, 1, E         ;\n"
          " st.relaxed.gpu f, 1      | st.relaxed.gpu p, &y ;\n"
          "                          | E:                   ;\n",
    /* the store to f does not wait for the address of the one before it */
    "locations [x; y; P1:r1;]", "0 1 1;1 0 0;1 0 1", "", "1 1 1" },
  /* cas (P1): no write when it fails; in loops of two threads only one can win */
  { "cas/one-winner", "m=0;",
    APART " atom.relaxed.gpu.cas r0, m, 0, 1 | atom.relaxed.gpu.cas r0, m, 0, 2 ;\n",
    "locations [m; P0:r0; P1:r0;]", "1 0 1;2 2 0", "", "1 1" },
  { "cas/fails", "m=7;", " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.cas r0, m, 0, 1 ;\n",
    "locations [m; P0:r0;]", "7 7", "", "1" },
  /* 9.7.13.5: what the operations compute */
  { "value/dec-above-limit", "x=5;", " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.dec r0, x, 3 ;\n",
    "locations [x; P0:r0;]", "3 5", "", NULL },
  { "value/dec", "x=3;", " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.dec r0, x, 3 ;\n",
    "locations [x;]", "2", "", NULL },
  { "value/inc-wraps", "x=3;", " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.inc r0, x, 3 ;\n",
    "locations [x;]", "0", "", NULL },
  { "value/min-signed", "x=0xffffffff;",
    " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.min.s32 r0, x, 1 ;\n", "locations [x;]", "ffffffff",
    "", NULL },
  { "value/max-unsigned", "x=0xffffffff;",
    " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.max.u32 r0, x, 1 ;\n", "locations [x;]", "ffffffff",
    "", NULL },
  { "value/sub-wraps", "x=0;", " P0@cta 0,gpu 0 ;\n sub r0, 1, 2 ;\n", "locations [P0:r0;]",
    "ffffffff", "", NULL },
  { "value/division-by-zero", "x=0;",
    " P0@cta 0,gpu 0 ;\n ld.weak r1, x ;\n div.u32 r0, 8, r1 ;\n", "locations [P0:r0;]",
    "ffffffff", "unspecified-value", NULL },
  { "value/division-signed", "x=0;", " P0@cta 0,gpu 0 ;\n div.s32 r0, -7, 2 ;\n",
    "locations [P0:r0;]", "fffffffd", "", NULL },
  /* 9.7.15.1, P19: barriers */
  { "barrier/sync", "x=0;",
    TOGETHER " st.weak x, 1   | bar.cta.sync 0 ;\n"
             " bar.cta.sync 0 | ld.weak r0, x  ;\n",
    "locations [P1:r0;]", "1", "", NULL },
  { "barrier/other-cta", "x=0;",
    APART " st.weak x, 1   | bar.cta.sync 0 ;\n"
          " bar.cta.sync 0 | ld.weak r0, x  ;\n",
    "locations [P1:r0;]", "0;1", "data-race", NULL },
  { "barrier/numbers-differ", "x=0;",
    TOGETHER " st.weak x, 1      | bar.cta.sync 0, 2 ;\n"
             " bar.cta.sync 0, 1 | ld.weak r0, x     ;\n",
    "locations [P1:r0;]", "0;1", "data-race", NULL },
  { "barrier/arrive-releases-only", "x=0; y=0;",
    TOGETHER " st.weak x, 1     | st.weak y, 1   ;\n"
             " bar.cta.arrive 0 | bar.cta.sync 0 ;\n"
             " ld.weak r0, y    | ld.weak r1, x  ;\n",
    "locations [P0:r0; P1:r1;]", "0 1;1 1", "data-race", NULL },
  { "barrier/stuck-before-write", "x=0;",
    TOGETHER " bar.cta.sync 0 | bar.cta.sync 1 ;\n"
             " bar.cta.sync 1 | bar.cta.sync 0 ;\n"
             " st.weak x, 1   |                ;\n",
    "locations [x;]", "", "barrier-stuck", NULL },
  { "barrier/stuck-at-the-end", "x=0;",
    TOGETHER " st.weak x, 1   | bar.cta.sync 1 ;\n"
             " bar.cta.sync 0 | bar.cta.sync 0 ;\n"
             " bar.cta.sync 1 |                ;\n",
    "locations [x;]", "1", "barrier-stuck", NULL },
  { "barrier/thread-gone-by", "x=0;", /* a thread past its last barrier is not waited for */
    TOGETHER " beq 0, 0, E    | bar.cta.sync 0 ;\n"
             " bar.cta.sync 0 | ld.weak r0, x  ;\n"
             " E:             |                ;\n",
    "locations [P1:r0;]", "0", "", NULL },
  { "barrier/counts-differ", "x=0;",
    TOGETHER " bar.cta.sync 0, 1, 2 | bar.cta.sync 0, 1, 3 ;\n", "locations [x;]", "0",
    "barrier-misuse barrier-stuck", NULL },
  { "barrier/two-of-three", "x=0;",
    /* with a count of two, P0 may meet P1 or P2 or wait forever */
    " P0@cta 0,gpu 0       | P1@cta 0,gpu 0       | P2@cta 0,gpu 0       ;\n"
    " ld.weak r0, x        | st.weak x, 1         |                      ;\n"
    " bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 ;\n",
    "locations [P0:r0;]", "0;1", "barrier-stuck data-race", "3 3" },
  /* Accesses must cover one object */
  { "pointer/through-register", "x=0; y=5; P0:r1=&y;",
    " P0@cta 0,gpu 0 ;\n ld.weak r0, [r1] ;\n st.weak x, r0 ;\n", "locations [x;]", "5", "",
    NULL },
  { "pointer/out-of-bounds", "x=0; y=5; P0:r1=&y;",
    " P0@cta 0,gpu 0 ;\n ld.weak.u32 r0, [r1+4] ;\n", "locations [x;]", "", "out-of-bounds",
    NULL },
};

static char *
counts_text (const EngineResult *r)
{
  GString *out = g_string_new (NULL);
  for (unsigned i = 0; i < r->outcome_count; i++)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "",
                            r->outcomes[i].executions);
  return g_string_free (out, FALSE);
}

static void
check_states (gconstpointer data)
{
  const StatesCase *c = data;
  g_autofree char *text = litmus_text (c->init, c->columns, c->question);
  g_auto (Ran) r = run (text);
  g_autofree char *states = states_text (r.program, r.result);
  g_autofree char *flags = flags_text (r.result);
  g_autofree char *counts = counts_text (r.result);
  g_assert_cmpstr (states, ==, c->states);
  g_assert_cmpstr (flags, ==, c->flags);
  g_assert_true (r.result->complete && !r.result->bound_reached);
  if (c->counts != NULL)
    g_assert_cmpstr (counts, ==, c->counts);
  for (unsigned i = 0; i < r.result->outcome_count; i++)
    g_assert_cmpstr (
        exec_check (r.reading->arena, r.result->outcomes[i].witness, r.model, &r.options), ==,
        NULL);
}

/* ---- The same with rows of several words --------------------------------------------------
 */

enum { MANY_OBJECTS = 70 };

/* The program with so many more objects, which nobody touches, that its events need two words.
 */
static Program
with_more_objects (Arena *a, const Program *p)
{
  Program wide = *p;
  wide.object_count = p->object_count + MANY_OBJECTS;
  wide.objects = arena_array (a, MemObject, wide.object_count);
  for (unsigned i = 0; i < MANY_OBJECTS; i++)
    wide.objects[i] = (MemObject){ .name = "unused", .size = 4 };
  memcpy (wide.objects + MANY_OBJECTS, p->objects, sizeof (MemObject) * p->object_count);
  wide.mappings = arena_copy (a, p->mappings, sizeof (Mapping) * p->mapping_count);
  for (unsigned i = 0; i < p->mapping_count; i++)
    wide.mappings[i].object += MANY_OBJECTS;
  return wide;
}

static void
check_wide (gconstpointer data)
{
  const StatesCase *c = data;
  g_autofree char *text = litmus_text (c->init, c->columns, c->question);
  g_auto (Ran) r = run (text);
  Program wide = with_more_objects (r.reading->arena, r.program);
  const EngineResult *result = exec_run (r.reading->arena, &wide, r.model, &r.options, NULL);
  g_autofree char *states = states_text (&wide, result);
  g_autofree char *flags = flags_text (result);
  g_assert_cmpstr (states, ==, c->states);
  g_assert_cmpstr (flags, ==, c->flags);
  g_assert_cmpint (result->consistent, ==, r.result->consistent);
}

/* ---- Bounds -------------------------------------------------------------------------------
 */

static const char spin[] = "PTX spin\n{ x=0; }\n"
                           " P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;\n"
                           " L:                   | st.relaxed.gpu x, 1  ;\n"
                           " add r1, r1, 1        |                      ;\n"
                           " ld.relaxed.gpu r0, x |                      ;\n"
                           " bne r0, 1, L         |                      ;\n"
                           "locations [P0:r1;]\n";

static void
test_bound (void)
{
  static const struct {
    unsigned bound;
    const char *states;
  } cases[] = { { 1, "1" }, { 2, "1;2" }, { 3, "1;2;3" } };
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Ran) r = run_with (spin, "ptx-9.4", (RunOptions){ .bound = cases[i].bound }, NULL);
    g_autofree char *states = states_text (r.program, r.result);
    g_assert_cmpstr (states, ==, cases[i].states);
    g_assert_true (r.result->bound_reached);
  }
}

/* An inner loop counts anew each time the outer one comes round: 2 times 2 bodies. */
static void
test_bound_nested (void)
{
  const char *text = "PTX nested\n{ x=0; }\n"
                     " P0@cta 0,gpu 0 ;\n"
                     " A:             ;\n"
                     " add r1, r1, 1  ;\n"
                     " mov r2, 0      ;\n"
                     " B:             ;\n"
                     " add r0, r0, 1  ;\n"
                     " add r2, r2, 1  ;\n"
                     " blt r2, 2, B   ;\n"
                     " blt r1, 2, A   ;\n"
                     "locations [P0:r0;]\n";
  g_auto (Ran) r = run (text);
  g_autofree char *states = states_text (r.program, r.result);
  g_assert_cmpstr (states, ==, "4");
  g_assert_false (r.result->bound_reached);
}

/* ---- Verdicts -----------------------------------------------------------------------------
 */

static const char sb_fences[] = "PTX SB\n{ x=0; y=0; }\n"
                                " P0@cta 0,gpu 0        | P1@cta 1,gpu 0       ;\n"
                                " st.relaxed.gpu x, 1   | st.relaxed.gpu y, 1  ;\n"
                                " fence.sc.gpu          | fence.sc.gpu         ;\n"
                                " ld.relaxed.gpu r0, y  | ld.relaxed.gpu r0, x ;\n"
                                "%s\n";

static void
test_verdict_only (void)
{
  static const struct {
    const char *question;
    bool reachable;
    bool refutable; /* asked for by forall only */
  } cases[] = {
    { "exists (P0:r0 == 0 /\\ P1:r0 == 0)", false, false },
    { "~exists (P0:r0 == 1)", true, false },
    { "forall (P0:r0 == 1 \\/ P1:r0 == 1)", true, false },
    { "forall (P0:r0 == 1)", true, true },
  };
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf (sb_fences, cases[i].question);
    g_auto (Ran) r
        = run_with (text, "ptx-9.4", (RunOptions){ .bound = 2, .verdict_only = true }, NULL);
    g_assert_cmpint (r.result->reachable, ==, cases[i].reachable);
    g_assert_true (r.result->complete);
    if (r.program->quantifier == QUANT_FORALL)
      g_assert_cmpint (r.result->refutable, ==, cases[i].refutable);
  }
}

static void
test_filter (void)
{
  g_autofree char *text = g_strdup_printf (sb_fences, "filter (P0:r0 == 0)\n"
                                                      "locations [P0:r0; P1:r0;]");
  g_auto (Ran) r = run (text);
  g_autofree char *states = states_text (r.program, r.result);
  g_assert_cmpstr (states, ==, "0 1");
}

static StopReason
stop_at_once (void *ctx, size_t bytes)
{
  (void) bytes;
  return ++*(unsigned *) ctx > 2 ? STOP_TIME : STOP_NONE;
}

static void
test_budget (void)
{
  unsigned polls = 0;
  Budget budget = { .poll = stop_at_once, .ctx = &polls };
  g_autofree char *text = g_strdup_printf (sb_fences, "locations [P0:r0;]");
  g_auto (Ran) r = run_with (text, "ptx-9.4", (RunOptions){ .bound = 2 }, &budget);
  g_assert_false (r.result->complete);
  g_assert_cmpint (r.result->stopped, ==, STOP_TIME);
}

/* Without an axiom against it, values may come of themselves: that is not decided here. */
static void
test_thin_air (void)
{
  static const char *const models[] = { "\"no axiom\"\nempty 0 as nothing\n",
                                        "acyclic rf | addr | data | ctrl as no-thin-air\n" };
  const char *texts[] = { "PTX data\n{ x=0; y=0; }\n"
                          " P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;\n"
                          " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
                          " st.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;\n"
                          "locations [P0:r0;]\n",
                          "PTX control\n{ x=0; y=0; }\n"
                          " P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;\n"
                          " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
                          " bne r0, 1, E         | bne r0, 1, F         ;\n"
                          " st.relaxed.gpu y, 1  | st.relaxed.gpu x, 1  ;\n"
                          " E:                   | F:                   ;\n"
                          "locations [P0:r0;]\n" };
  for (unsigned k = 0; k < G_N_ELEMENTS (texts); k++)
    for (unsigned m = 0; m < G_N_ELEMENTS (models); m++) {
      g_autoptr (Reading) reading = read_litmus (texts[k]);
      RunOptions options = { .bound = 2 };
      const EngineResult *result
          = exec_run (reading->arena, reading->program, model_text (reading->arena, models[m]),
                      &options, NULL);
      g_assert_cmpint (result->undecided != NULL, ==, m == 0);
      g_assert_cmpint (result->complete, ==, m == 1);
    }
}

/* ---- Models beyond the shipped ones -------------------------------------------------------
 */

/* Two stores of one thread to x, and axioms on how co may relate them: forwards (x ends as 2),
 * backwards (1), or not at all (either). */
static void
test_odd_axioms (void)
{
  static const struct {
    const char *axiom;
    const char *states;
  } cases[] = {
    { "~empty (co & int)", "1;2" },
    { "~empty (co & po)", "2" },
    { "~empty (co & po^-1)", "1" },
    { "empty (co & po)", "1;2" },
    { "empty (co & int)", "1;2" },
    { "empty ((po & (W * W)) \\ co)", "2" },
    { "empty ((po & (W * W)) \\ co^-1)", "1" },
    { "empty ((po & (W * W)) \\ (co | co^-1))", "1;2" },
    { "empty ((po & (W * W)) \\ ~co)", "1;2" },
    { "empty ((po & (W * W)) \\ ~(co | co^-1)) ~empty (co & int)", "" },
    { "irreflexive (po; co) ~empty (co & int)", "2" },
    { "acyclic (co | po^-1) ~empty (co & int)", "1" },
  };
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Reading) reading = read_litmus ("PTX odd\n{ x=0; }\n P0@cta 0,gpu 0 ;\n"
                                               " st.weak x, 1 ;\n st.weak x, 2 ;\n"
                                               "locations [x;]\n");
    RunOptions options = { .bound = 2 };
    const CatModel *model = model_text (reading->arena, cases[i].axiom);
    const EngineResult *result
        = exec_run (reading->arena, reading->program, model, &options, NULL);
    g_autofree char *states = states_text (reading->program, result);
    g_test_message ("%s", cases[i].axiom);
    g_assert_cmpstr (states, ==, cases[i].states);
    for (unsigned k = 0; k < result->outcome_count; k++)
      g_assert_cmpstr (
          exec_check (reading->arena, result->outcomes[k].witness, model, &options), ==, NULL);
  }
}

/* ---- Checking single executions -----------------------------------------------------------
 */

static const char mp[] = "PTX MP\n{ x=0; y=0; }\n"
                         " P0@cta 0,gpu 0          | P1@cta 1,gpu 0       ;\n"
                         " st.relaxed.gpu x, 1     | ld.acquire.gpu r0, y ;\n"
                         " st.release.gpu y, 1     | ld.relaxed.gpu r1, x ;\n"
                         "locations [x; P1:r0; P1:r1;]\n";

/* Initial x, initial y, x = 1, y = 1, the read of y, the read of x. */
enum { INIT_X, INIT_Y, STORE_X, STORE_Y, READ_Y, READ_X, EVENTS };

/* Both reads see the stores; copied so that it may be changed. */
static Execution
good_execution (const Ran *r)
{
  const Outcome *last = &r->result->outcomes[r->result->outcome_count - 1];
  Arena *a = r->reading->arena;
  Execution x = *last->witness;
  g_assert_cmpuint (x.event_count, ==, EVENTS);
  x.events = arena_copy (a, x.events, sizeof (Event) * EVENTS);
  x.state = arena_copy (a, x.state, 3 * sizeof (uint64_t));
  g_assert_cmpuint (x.events[READ_X].value, ==, 1);
  return x;
}

static void
stale_read (Execution *x, Arena *a)
{
  Pair rf[] = { { STORE_Y, READ_Y }, { INIT_X, READ_X } };
  x->rf = pairs_from (a, rf, 2);
  x->events[READ_X].value = 0;
  x->state[2] = 0;
}

static void
wrong_value (Execution *x, Arena *a)
{
  (void) a;
  x->events[STORE_X].value = 2;
}

static void
wrong_source (Execution *x, Arena *a)
{
  Pair rf[] = { { STORE_Y, READ_Y }, { INIT_X, READ_X } };
  x->rf = pairs_from (a, rf, 2);
}

static void
missing_source (Execution *x, Arena *a)
{
  Pair rf[] = { { STORE_Y, READ_Y } };
  x->rf = pairs_from (a, rf, 1);
}

static void
missing_co (Execution *x, Arena *a)
{
  Pair co[] = { { INIT_Y, STORE_Y } };
  x->co = pairs_from (a, co, 1);
}

static void
co_of_two_objects (Execution *x, Arena *a)
{
  Pair co[] = { { INIT_X, STORE_X }, { INIT_Y, STORE_Y }, { STORE_X, STORE_Y } };
  x->co = pairs_from (a, co, 3);
}

static void
wrong_register (Execution *x, Arena *a)
{
  (void) a;
  x->state[1] = 0;
}

static void
wrong_location (Execution *x, Arena *a)
{
  (void) a;
  x->state[0] = 0;
}

static void
wrong_scope (Execution *x, Arena *a)
{
  (void) a;
  x->events[STORE_Y].scope = SCOPE_CTA;
}

static void
missing_event (Execution *x, Arena *a)
{
  missing_source (x, a);
  x->event_count--;
}

static void
invented_dependency (Execution *x, Arena *a)
{
  Pair addr[] = { { READ_Y, READ_X } };
  x->addr = pairs_from (a, addr, 1);
}

static void
invented_fence_order (Execution *x, Arena *a)
{
  Pair pair[] = { { STORE_X, STORE_Y } };
  x->sync_fence = pairs_from (a, pair, 1);
}

static void
event_out_of_range (Execution *x, Arena *a)
{
  Pair pair[] = { { STORE_X, EVENTS } };
  x->co = pairs_from (a, pair, 1);
}

static void
stuck_thread (Execution *x, Arena *a)
{
  static const bool stuck[2] = { true, false };
  x->stuck = arena_copy (a, stuck, sizeof stuck);
}

static void
test_check_rejects (void)
{
  static const struct {
    void (*spoil) (Execution *x, Arena *a);
    const char *complaint;
  } cases[] = {
    { stale_read, "causality" },
    { wrong_value, "event 2 is not what the threads do" },
    { wrong_source, "rf from event 0 to 5: different values" },
    { missing_source, "read 5 has 0 sources" },
    { missing_co, "write 2 does not follow the initial one in co" },
    { co_of_two_objects, "co relates something else than writes of one object" },
    { wrong_register, "P1:r0 does not end with that value" },
    { wrong_location, "x does not end with that value" },
    { wrong_scope, "event 3 is not what the threads do" },
    { missing_event, "5 events where the threads have 6" },
    { invented_dependency, "addr is not what the threads do" },
    { invented_fence_order, "sync_fence of events 2 and 3" },
    { event_out_of_range, "co names an event that does not exist" },
    { stuck_thread, "thread 0: stuck or not" },
  };
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Ran) r = run (mp);
    Execution x = good_execution (&r);
    g_assert_cmpstr (exec_check (r.reading->arena, &x, r.model, &r.options), ==, NULL);
    cases[i].spoil (&x, r.reading->arena);
    g_assert_cmpstr (exec_check (r.reading->arena, &x, r.model, &r.options), ==,
                     cases[i].complaint);
  }
}

/* The examiner has no faults, whatever the options say. */
static void
test_check_has_no_faults (void)
{
  g_auto (Ran) r = run (mp);
  Execution x = good_execution (&r);
  stale_read (&x, r.reading->arena);
  for (unsigned fault = 1; fault < 50; fault++) {
    r.options.fault = fault;
    g_assert_cmpstr (exec_check (r.reading->arena, &x, r.model, &r.options), ==, "causality");
  }
}

/* ---- Seeded faults ------------------------------------------------------------------------
 */

typedef struct FaultCase {
  unsigned fault;
  const char *model;
  const char *init;
  const char *columns;
  const char *question;
} FaultCase;

/* For each fault of exec/faults.def a test whose answer it changes. */
static const FaultCase fault_cases[] = {
  { 1, "ptx-9.4", "x=0; y=0;", /* values of themselves: no longer refused by an axiom */
    APART " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
          " st.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;\n",
    "locations [P0:r0; P1:r0;]" },
  { 2, "ptx-9.4", "x=0; y=0;", /* P1: a failed cas.release starts no release pattern */
    APART " st.weak y, 1                    | ld.acquire.gpu r0, x ;\n"
          " atom.release.gpu.cas r0, x, 5, 6 | ld.weak r1, y       ;\n"
          " st.relaxed.gpu x, 1             |                      ;\n",
    "locations [P1:r0; P1:r1;]" },
  { 3, "ptx-9.4", "x=0; y=0;", /* a relaxed red is no acquire */
    APART " st.weak x, 1        | ld.relaxed.gpu r0, y     ;\n"
          " st.release.gpu y, 1 | red.relaxed.gpu.add y, 0 ;\n"
          "                     | ld.weak r1, x            ;\n",
    "locations [P1:r0; P1:r1;]" },
  { 4, "ptx-9.4", "x=0; y=0;",
    APART " st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;\n"
          " fence.sc.gpu         | fence.sc.gpu         ;\n"
          " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n",
    "locations [P0:r0; P1:r0;]" },
  { 5, "ptx-9.4", "x=0; y=0;",
    APART " st.weak x, 1        | ld.acquire.gpu r0, y ;\n"
          " st.release.cta y, 1 | ld.weak r1, x        ;\n",
    "locations [P1:r0; P1:r1;]" },
  { 6, "ptx-9.4", "x=0;",
    APART " atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;\n",
    "locations [x;]" },
  { 7, "ptx-9.4", "x=0; y=0;",
    APART " st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;\n"
          " fence.sc.cta         | fence.sc.cta         ;\n"
          " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n",
    "locations [P0:r0; P1:r0;]" },
  { 8, "ptx-9.4", "x=0; y=0; z=0;",
    APART " ld.relaxed.gpu r0, y | ld.relaxed.gpu r1, x ;\n"
          " beq r0, 0, E         | bne r1, 0, F         ;\n"
          " st.relaxed.gpu z, 1  | st.relaxed.gpu y, 1  ;\n"
          " E:                   | F:                   ;\n",
    "locations [P0:r0;]" },
  { 9, "ptx-9.4", "x=0;",
    TOGETHER " bar.cta.arrive 0 | bar.cta.arrive 1 ;\n"
             " bar.cta.sync 1   | bar.cta.sync 0   ;\n"
             " st.weak x, 1     |                  ;\n",
    "locations [x;]" },
  { 10, "ptx-9.4", "x=5;", " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.dec r0, x, 3 ;\n",
    "locations [x;]" },
  { 11, "ptx-9.4", "x=0xffffffff;", " P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.min.s32 r0, x, 1 ;\n",
    "locations [x;]" },
  { 12, "ptx-7.5", "x=0;", " P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n", "locations [x;]" },
  { 13, "ptx-9.4", "x=0; a @ generic aliases x;",
    " P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n ld.weak r0, a ;\n", "locations [P0:r0;]" },
  { 14, "ptx-9.4", "x=0;", /* 9.7.13.5: what exch writes does not depend on what it reads */
    APART " atom.relaxed.cta.exch r0, x, 1 | ld.weak r0, x ;\n"
          "                                | st.weak x, r0 ;\n",
    "locations [P0:r0; P1:r0;]" },
  { 15, "ptx-9.4", "x=0;",
    TOGETHER " bar.cta.sync 0 | bar.cta.sync 1 ;\n"
             " bar.cta.sync 1 | bar.cta.sync 0 ;\n"
             " st.weak x, 1   |                ;\n",
    "locations [x;]" },
  { 16, "ptx-9.4", "x=0;",
    TOGETHER " st.weak x, 1   | bar.cta.sync 0 ;\n"
             " bar.cta.sync 0 | ld.weak r0, x  ;\n",
    "locations [P1:r0;]" },
  { 17, "ptx-9.4", "x=0;", APART " st.weak x, 1 | st.weak x, 2 ;\n", "locations [x;]" },
  { 18, "ptx-9.4", "x=0; y=0;",
    APART " st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;\n"
          " fence.sc.gpu         | fence.sc.gpu         ;\n"
          " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n",
    "locations [P0:r0; P1:r0;]" },
  { 19, "ptx-9.4", "x=0; y=0;",
    APART " st.weak x, 1                   | ld.acquire.gpu r0, y ;\n"
          " atom.release.gpu.exch r0, y, 1 | ld.weak r1, x        ;\n",
    "locations [P1:r0; P1:r1;]" },
  { 20, "ptx-9.4", "x=0;", " P0@cta 0,gpu 0 ;\n L: ;\n add r0, r0, 1 ;\n blt r0, 2, L ;\n",
    "locations [P0:r0;]" },
};

/* Everything that is compared between engines, as one text.  (transfer full) */
static char *
answer_text (const Ran *r)
{
  g_autofree char *states = states_text (r->program, r->result);
  g_autofree char *flags = flags_text (r->result);
  return g_strdup_printf ("%s [%s]%s%s", states, flags,
                          r->result->bound_reached ? " bound" : "",
                          r->result->undecided != NULL ? " undecided" : "");
}

static void
test_faults_show (void)
{
  unsigned known = 0;
#define FAULT(number, id, text) known = MAX (known, (number));
#include "exec/faults.def"
#undef FAULT
  g_assert_cmpuint (known, ==, G_N_ELEMENTS (fault_cases));
  for (unsigned i = 0; i < G_N_ELEMENTS (fault_cases); i++) {
    const FaultCase *c = &fault_cases[i];
    g_autofree char *text = litmus_text (c->init, c->columns, c->question);
    g_auto (Ran) right = run_with (text, c->model, (RunOptions){ .bound = 2 }, NULL);
    g_auto (Ran) wrong
        = run_with (text, c->model, (RunOptions){ .bound = 2, .fault = c->fault }, NULL);
    g_autofree char *right_answer = answer_text (&right);
    g_autofree char *wrong_answer = answer_text (&wrong);
    g_assert_cmpuint (c->fault, ==, i + 1);
    g_test_message ("fault %u", c->fault);
    g_assert_cmpstr (right_answer, !=, wrong_answer);
  }
}

/* ---- Other people's tests -----------------------------------------------------------------
 */

static const char *
conformance_folder (void)
{
  const char *folder = g_getenv ("PTXMM_CONFORMANCE");
  if (folder == NULL)
    g_test_skip ("PTXMM_CONFORMANCE does not name a folder of public conformance tests");
  return folder;
}

static char *
file_text (const char *path)
{
  char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static bool
assertion_holds (const Program *p, const EngineResult *r)
{
  switch (p->quantifier) {
  case QUANT_NONE:
    return true;
  case QUANT_EXISTS:
    return r->reachable;
  case QUANT_NOT_EXISTS:
    return !r->reachable;
  case QUANT_FORALL:
    return !r->refutable;
  }
  g_assert_not_reached ();
}

/* Every witness must pass the examination. */
static void
check_witnesses (const Ran *r)
{
  for (unsigned i = 0; i < r->result->outcome_count; i++)
    g_assert_cmpstr (
        exec_check (r->reading->arena, r->result->outcomes[i].witness, r->model, &r->options),
        ==, NULL);
}

static void
check_expectation (const char *folder, char **row)
{
  g_autofree char *path = g_build_filename (folder, "dartagnan", row[0], NULL);
  g_autofree char *text = file_text (path);
  g_test_message ("%s %s", row[0], row[1]);
  g_auto (Ran) r = run_with (text, row[1], (RunOptions){ .bound = 2 }, NULL);
  g_assert_true (r.result->complete);
  g_assert_cmpint (assertion_holds (r.program, r.result), ==, strcmp (row[3], "holds") == 0);
  check_witnesses (&r);
}

static void
test_published_verdicts (void)
{
  const char *folder = conformance_folder ();
  if (folder == NULL)
    return;
  g_autofree char *path = g_build_filename (folder, "dartagnan", "expected.tsv", NULL);
  g_autofree char *table = file_text (path);
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  unsigned checked = 0;
  for (unsigned i = 1; lines[i] != NULL; i++) {
    g_auto (GStrv) row = g_strsplit (g_strchomp (lines[i]), "\t", -1);
    if (g_strv_length (row) < 4 || strcmp (row[2], "assertion") != 0)
      continue;
    check_expectation (folder, row);
    checked++;
  }
  g_assert_cmpuint (checked, >, 200);
}

/* The numbers between the brackets after "states", state by state, in the order of the file's
 * keys, which is that of Program.observed. */
static char *
listed_states (const char *json, unsigned keys)
{
  GString *out = g_string_new (NULL);
  const char *at = strstr (json, "\"states\"");
  const char *end = strstr (at, "]]");
  unsigned count = 0;
  for (at = strchr (at, '['); at < end; count++) {
    at = at + strcspn (at, "0123456789");
    g_string_append (out, count == 0 ? "" : count % keys == 0 ? ";" : " ");
    g_string_append_printf (out, "%" G_GINT64_MODIFIER "x",
                            g_ascii_strtoull (at, (char **) &at, 10));
  }
  return g_string_free (out, FALSE);
}

static void
check_random (const char *path)
{
  g_autofree char *text = file_text (path);
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (".litmus"));
  g_autofree char *json_path = g_strconcat (stem, ".json", NULL);
  g_autofree char *json = file_text (json_path);
  g_test_message ("%s", path);
  g_auto (Ran) r = run (text);
  g_autofree char *states = states_text (r.program, r.result);
  g_autofree char *expected = listed_states (json, r.program->observed_count);
  g_assert_cmpstr (states, ==, expected);
  g_assert_cmpint (assertion_holds (r.program, r.result), ==,
                   strstr (json, "\"holds\": true") != NULL);
  check_witnesses (&r);
}

static void
test_random_programs (void)
{
  const char *folder = conformance_folder ();
  if (folder == NULL)
    return;
  g_autofree char *path = g_build_filename (folder, "random", NULL);
  g_assert_cmpuint (for_each_file (path, ".litmus", check_random), >=, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (states_cases); i++) {
    g_autofree char *narrow = g_strconcat ("/exec/states/", states_cases[i].name, NULL);
    g_autofree char *wide = g_strconcat ("/exec/wide/", states_cases[i].name, NULL);
    g_test_add_data_func (narrow, &states_cases[i], check_states);
    g_test_add_data_func (wide, &states_cases[i], check_wide);
  }
  g_test_add_func ("/exec/bound/loop", test_bound);
  g_test_add_func ("/exec/bound/nested", test_bound_nested);
  g_test_add_func ("/exec/verdict-only", test_verdict_only);
  g_test_add_func ("/exec/filter", test_filter);
  g_test_add_func ("/exec/budget", test_budget);
  g_test_add_func ("/exec/thin-air", test_thin_air);
  g_test_add_func ("/exec/odd-axioms", test_odd_axioms);
  g_test_add_func ("/exec/check/rejects", test_check_rejects);
  g_test_add_func ("/exec/check/has-no-faults", test_check_has_no_faults);
  g_test_add_func ("/exec/faults/show", test_faults_show);
  g_test_add_func ("/exec/conformance/published-verdicts", test_published_verdicts);
  g_test_add_func ("/exec/conformance/random-programs", test_random_programs);
  return g_test_run ();
}
