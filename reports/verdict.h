/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_REPORTS_VERDICT_H
#define PTXMM_REPORTS_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "litmus/program.h"
#include "model/execution.h"
#include "model/run.h"

/* What is reported of one test: the answers of the engines joined, in the terms of the report.
 * Plain data; everything it points to lives in the arena it was made in.  All texts are valid
 * UTF-8.  reports/layout.c maps it to JSON and back, member by member. */

/* A verdict has three values: what is not known is never folded into either of the others. */
typedef enum Truth {
  TRUTH_UNKNOWN,
  TRUTH_NO,
  TRUTH_YES,
} Truth;

Truth truth_of (bool value);
Truth truth_not (Truth value);

typedef struct ReportBinding {
  const char *key;
  const char *value;
} ReportBinding;

typedef struct ReportOutcome {
  const ReportBinding *state;
  unsigned state_count;
  bool satisfies;     /* the bare condition */
  int64_t executions; /* -1: not counted */
} ReportOutcome;

/* One engine's side.  Counts that an engine does not have are -1. */
typedef struct ReportEngine {
  Truth holds;
  bool complete;           /* nothing was cut, the bound included */
  const char *reason;      /* why not, or NULL */
  const unsigned *indices; /* its outcomes, as indices into TestReport.outcomes */
  unsigned index_count;
  int64_t candidates;
  int64_t consistent;
  int64_t variables;
  int64_t clauses;
  int64_t checks;
  double seconds;
  double peak_mib;
} ReportEngine;

typedef struct ReportEngines {
  const ReportEngine *exec; /* NULL: not asked */
  const ReportEngine *solver;
} ReportEngines;

typedef struct ReportEvent {
  EventKind kind;
  bool is_init;
  const char *thread; /* "P0"; NULL: initial write */
  int64_t insn;       /* of the thread's instructions, from 0; -1: initial write */
  unsigned iteration;
  const char *text;      /* the instruction, or NULL */
  const char *semantics; /* "relaxed", …, or NULL */
  const char *scope;     /* or NULL */
  const char *proxy;     /* of an access or a proxy fence, or NULL */
  const char *location;  /* of an access: "x" or "x+0x4", or NULL */
  int64_t size;          /* bytes, -1: no access */
  const char *value;     /* of an access, or NULL */
  int64_t phase;         /* of a barrier operation, -1: none */
} ReportEvent;

typedef struct ReportFlag {
  const char *kind;
  const ReportEvent *where;
  unsigned where_count;
} ReportFlag;

typedef struct ReportRelation {
  const char *name;
  Pairs pairs; /* of indices into the witness's events */
} ReportRelation;

typedef struct ReportWitness {
  const ReportEvent *events;
  unsigned event_count;
  const ReportRelation *relations;
  unsigned relation_count;
} ReportWitness;

typedef enum ReportErrorKind {
  REPORT_ERROR_INPUT,
  REPORT_ERROR_NOT_MODELLED,
} ReportErrorKind;

typedef struct ReportError {
  ReportErrorKind kind;
  const char *file;
  int64_t line; /* -1: no place is known */
  int64_t column;
  const char *message;
} ReportError;

typedef struct TestReport {
  const char *test;
  const char *file;
  Quantifier quantifier;
  const char *condition;
  Truth holds;     /* the assertion as written; unknown also when there is none */
  Truth reachable; /* some allowed execution satisfies the bare condition */
  bool complete;
  bool final;         /* the verdict cannot change with a larger bound or more time */
  const char *reason; /* why not complete: "bound", "time", "memory" or a sentence; or NULL */
  Truth expected;
  Truth as_expected;
  const ReportOutcome *outcomes;
  unsigned outcome_count;
  const ReportEngines *engines; /* never NULL */
  Truth agree;
  const char *const *differences; /* between the engines, a sentence each */
  unsigned difference_count;
  const ReportFlag *flags;
  unsigned flag_count;
  const ReportWitness *witness;
  const char *const *forbidden_by;
  unsigned forbidden_by_count;
  const ReportError *error;
} TestReport;

/* ---- Making one ------------------------------------------------------------------------ */

typedef struct EngineRun {
  const EngineResult *result; /* NULL: this engine was not asked */
  double seconds;
} EngineRun;

typedef struct VerdictInput {
  const Program *program;
  const char *file;
  Truth expected;
  bool verdict_only;
  EngineRun exec;
  EngineRun solver;
  /* What re-checking the solver's witnesses found wrong, a sentence each. */
  const char *const *objections;
  unsigned objection_count;
  bool recheck_cut; /* not all of them were re-checked */
} VerdictInput;

/* Joins the engines' answers.  Where they contradict each other `agree` is TRUTH_NO, the
 * differences are listed, and a verdict that depends on them is unknown.  Where one was cut
 * short, `agree` is unknown unless what it found contradicts the other. */
const TestReport *verdict_join (Arena *a, const VerdictInput *input);

/* A test about which nothing was found out, because of `reason`.  `program` may be NULL when
 * the input had not been read. */
const TestReport *verdict_undecided (Arena *a, const Program *program, const char *test,
                                     const char *file, Truth expected, const char *reason);

/* What is left of a test whose process was lost while `known` was all that had been found out:
 * the verdict if that is final, else undecided because of `reason`. */
const TestReport *verdict_lost (Arena *a, const TestReport *known, const char *reason);

/* An input that could not be decided at all. */
const TestReport *verdict_error (Arena *a, const char *test, const char *file, Truth expected,
                                 const Diag *diag);

/* ---- Reading one ----------------------------------------------------------------------- */

typedef enum Status {
  STATUS_OK,      /* decided and not contradicted */
  STATUS_FAIL,    /* other than expected, or the engines disagree */
  STATUS_UNKNOWN, /* not decided, or only within the bound with nothing expected */
  STATUS_ERROR,   /* nothing could be decided: see TestReport.error */
} Status;

Status test_status (const TestReport *t);

/* "allowed", "forbidden", "holds", "fails"; "unknown"; "-" without an assertion; the kind of
 * the error. */
const char *test_verdict_word (const TestReport *t);

typedef struct ReportTotals {
  unsigned tests;
  unsigned as_expected;
  unsigned unexpected;
  unsigned failed; /* unexpected, or engines apart, or both */
  unsigned undecided;
  unsigned errors;
  unsigned disagreements;
} ReportTotals;

void totals_add (ReportTotals *totals, const TestReport *t);

/* The exit status the command line promises: 2 for errors, else 1 for contradictions, else 3
 * for undecided tests, else 0. */
int totals_exit_status (const ReportTotals *totals);

#endif
