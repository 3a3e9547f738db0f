/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec/exec.h"
#include "litmus/generate.h"
#include "litmus/litmus_parse.h"
#include "model/builtin.h"
#include "reports/verdict.h"
#include "solver/solve.h"

/* Random tests through both engines.
 *
 *   campaign [--count N] [--seed S] [--model NAME] [--quiet]   all must agree
 *   campaign --faults [--count N] [--seed S]                   each seeded fault must be
 * noticed campaign --show S                                          prints the test of a seed
 *
 * Prints TAP.  A disagreement is shrunk and printed with its seed. */

enum { TEST_SECONDS = 20, WORK_LIMIT_MIB = 2048 };

typedef struct Campaign {
  Solver *solver;
  const CatModel *models[8];
  unsigned model_count;
  unsigned fault;
  double deadline;
  GPtrArray *files; /* texts */
  unsigned undecided;
  unsigned refused;
} Campaign;

static double
seconds_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static StopReason
poll_deadline (void *ctx, size_t bytes)
{
  const double *deadline = ctx;
  if (bytes > (size_t) WORK_LIMIT_MIB << 20)
    return STOP_MEMORY;
  return seconds_now () > *deadline ? STOP_TIME : STOP_NONE;
}

/* ---- One test ---------------------------------------------------------------------- */

static const char *
recheck (Arena *a, const EngineResult *result, const CatModel *model, const RunOptions *options)
{
  for (unsigned i = 0; i < result->outcome_count; i++) {
    const Execution *witness = result->outcomes[i].witness;
    const char *objection = witness == NULL ? NULL : exec_check (a, witness, model, options);
    if (objection != NULL)
      return arena_printf (a, "witness of outcome %u rejected: %s", i, objection);
  }
  return NULL;
}

/* NULL when the engines agree on the test, else the first difference, in `a`. */
static const char *
compare (Campaign *c, Arena *a, const CatModel *model, const char *text)
{
  Source source = { "random.litmus", text, strlen (text) };
  const Program *program = litmus_parse (a, &source, diags_new (a));
  if (program == NULL) {
    c->refused++;
    return NULL;
  }
  RunOptions options = { .bound = 2, .fault = c->fault };
  double deadline = seconds_now () + TEST_SECONDS;
  Budget budget = { poll_deadline, &deadline, TEST_SECONDS, 0 };
  VerdictInput input = { .program = program, .file = "random.litmus" };
  input.exec.result = exec_run (a, program, model, &options, &budget);
  deadline = seconds_now () + TEST_SECONDS;
  input.solver.result = solver_run (c->solver, a, program, model, &options, &budget, NULL);
  const char *objections[] = { recheck (a, input.solver.result, model, &options),
                               recheck (a, input.exec.result, model, &options) };
  for (unsigned k = 0; k < G_N_ELEMENTS (objections); k++)
    if (objections[k] != NULL)
      return arena_printf (a, "%s's %s", k == 0 ? "solver" : "exec", objections[k]);
  const TestReport *report = verdict_join (a, &input);
  c->undecided += report->agree == TRUTH_UNKNOWN;
  if (report->agree != TRUTH_NO)
    return NULL;
  return report->difference_count > 0 ? report->differences[0] : "the engines disagree";
}

typedef struct Failing {
  Campaign *campaign;
  const CatModel *model;
} Failing;

static bool
still_fails (void *ctx, const char *text)
{
  const Failing *f = ctx;
  g_autoptr (Arena) a = arena_new ();
  return compare (f->campaign, a, f->model, text) != NULL;
}

static void
print_commented (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    printf ("#   %s\n", *line);
}

/* True when the engines agree on the test of this seed under every model. */
static bool
try_seed (Campaign *c, uint64_t seed, bool explain)
{
  g_autoptr (Arena) a = arena_new ();
  const GenTest *test = generate_test (a, seed, &gen_everything);
  const CatModel *model = c->models[seed % c->model_count];
  const char *difference = compare (c, a, model, generate_text (a, test));
  if (difference == NULL)
    return true;
  if (explain) {
    Failing failing = { c, model };
    const GenTest *small = generate_shrink (a, test, still_fails, &failing);
    const char *text = generate_text (a, small);
    printf ("# seed %" G_GUINT64_FORMAT ", model %s: %s\n", seed, model->name, difference);
    printf ("# shrunk: %s\n", compare (c, a, model, text));
    print_commented (text);
  }
  return false;
}

/* The same for a text, under every model. */
static bool
try_file (Campaign *c, const char *text)
{
  for (unsigned m = 0; m < c->model_count; m++) {
    g_autoptr (Arena) a = arena_new ();
    if (compare (c, a, c->models[m], text) != NULL)
      return false;
  }
  return true;
}

/* ---- Campaigns --------------------------------------------------------------------- */

static bool
run_campaign (Campaign *c, uint64_t seed, unsigned count)
{
  unsigned disagreements = 0;
  double start = seconds_now ();
  for (unsigned k = 0; k < count; k++) {
    disagreements += !try_seed (c, seed + k, disagreements < 5);
    if ((k + 1) % 1000 == 0)
      fprintf (stderr, "# %u tests, %.0f s\n", k + 1, seconds_now () - start);
  }
  printf ("1..1\n%sok 1 - %u random tests from seed %" G_GUINT64_FORMAT
          " agree (%u undecided, %u refused, %u disagree)\n",
          disagreements == 0 ? "" : "not ", count, seed, c->undecided, c->refused,
          disagreements);
  return disagreements == 0;
}

typedef struct SeededFault {
  unsigned number;
  const char *text;
} SeededFault;

static const SeededFault faults[] = {
#define FAULT(number, id, text) { number, text },
#include "exec/faults.def"
#undef FAULT
};

static const char *const solver_faults[] = {
#define SOLVER_FAULT(id, text) text,
#include "solver/faults.def"
#undef SOLVER_FAULT
};

enum { FIRST_SOLVER_FAULT = 51 };

static bool
catch_fault (Campaign *c, unsigned number, const char *text, unsigned fault, uint64_t seed,
             unsigned count)
{
  c->fault = fault;
  for (unsigned k = 0; k < count; k++)
    if (!try_seed (c, seed + k, false)) {
      printf ("ok %u - fault %u caught by random test %u: %s\n", number, fault, k + 1, text);
      return true;
    }
  for (unsigned k = 0; k < c->files->len; k++)
    if (!try_file (c, g_ptr_array_index (c->files, k))) {
      printf ("ok %u - fault %u caught by file %u: %s\n", number, fault, k + 1, text);
      return true;
    }
  printf ("not ok %u - fault %u not caught by %u random tests and %u files: %s\n", number,
          fault, count, c->files->len, text);
  return false;
}

static bool
run_faults (Campaign *c, uint64_t seed, unsigned count)
{
  bool all = true;
  unsigned number = 0;
  printf ("1..%u\n", (unsigned) (G_N_ELEMENTS (faults) + G_N_ELEMENTS (solver_faults)));
  for (unsigned k = 0; k < G_N_ELEMENTS (faults); k++)
    all &= catch_fault (c, ++number, faults[k].text, faults[k].number, seed, count);
  for (unsigned k = 0; k < G_N_ELEMENTS (solver_faults); k++)
    all &= catch_fault (c, ++number, solver_faults[k], FIRST_SOLVER_FAULT + k, seed, count);
  return all;
}

/* ---- Command line ------------------------------------------------------------------ */

static bool
add_model (Campaign *c, Arena *a, const char *name)
{
  const Source *source = builtin_model (name);
  CatLoader loader = builtin_loader ();
  const CatModel *model = source == NULL ? NULL : cat_read (a, source, &loader, diags_new (a));
  if (model != NULL && c->model_count < G_N_ELEMENTS (c->models))
    c->models[c->model_count++] = model;
  return model != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (Arena) a = arena_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  Campaign c = { .files = files };
  unsigned count = 1000;
  uint64_t seed = 1;
  bool seed_faults = false;
  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    char *text = NULL;
    if (strcmp (argv[i], "--faults") == 0)
      seed_faults = true;
    else if (strcmp (argv[i], "--count") == 0)
      count = (unsigned) strtoul (value, NULL, 10), i++;
    else if (strcmp (argv[i], "--seed") == 0)
      seed = strtoull (value, NULL, 10), i++;
    else if (strcmp (argv[i], "--model") == 0 && add_model (&c, a, value))
      i++;
    else if (strcmp (argv[i], "--show") == 0) {
      puts (generate_text (a, generate_test (a, strtoull (value, NULL, 10), &gen_everything)));
      return 0;
    } else if (g_file_get_contents (argv[i], &text, NULL, NULL))
      g_ptr_array_add (c.files, text);
    else {
      fprintf (stderr, "campaign: cannot use '%s %s'\n", argv[i], value);
      return 2;
    }
  }
  c.solver = solver_new (NULL, &error);
  if (c.solver == NULL) {
    fprintf (stderr, "campaign: %s\n", error->message);
    return 2;
  }
  for (const char *const *name = builtin_model_names (); c.model_count == 0 && *name != NULL;)
    for (; *name != NULL; name++)
      add_model (&c, a, *name);
  bool good = seed_faults ? run_faults (&c, seed, count) : run_campaign (&c, seed, count);
  solver_free (c.solver);
  return good ? 0 : 1;
}
