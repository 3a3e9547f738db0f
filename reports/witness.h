/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_REPORTS_WITNESS_H
#define PTXMM_REPORTS_WITNESS_H

#include "reports/verdict.h"

/* Events and executions in the terms of a report. */

const ReportEvent *report_events (Arena *a, const Program *p, const Event *events,
                                  unsigned count);

/* With the base relations po, rf, co, fr, sync_fence, rmw, addr, data and ctrl. */
const ReportWitness *report_witness (Arena *a, const Execution *x);

/* `text` itself when it is valid UTF-8 without control characters, else a copy in `a` in which
 * what is not is replaced.  NULL stays NULL. */
const char *utf8_text (Arena *a, const char *text);

#endif
