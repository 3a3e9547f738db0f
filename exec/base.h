/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_EXEC_BASE_H
#define PTXMM_EXEC_BASE_H

#include "exec/fault.h"
#include "model/cat.h"
#include "model/execution.h"

/* The rows of model/cat_base.def that are a matter of single events or of two events by
 * themselves. */

/* `base` is a set. */
bool base_has (CatBase base, const Program *program, const Event *e);

/* True for relations that base_relates knows: id, loc, loc-full, vloc, int, ext, sr, scta,
 * scluster, sgpu. */
bool base_is_pairwise (CatBase base);
bool base_relates (CatBase base, const Program *program, const Event *x, const Event *y,
                   const RunOptions *options);

/* fence.sc events of two threads: an axiom may ask for their order even where no scope does. */
bool base_may_order_fences (const Program *program, const Event *x, const Event *y);

/* fence.sc events of one thread, or sr: the Fence-SC order decides their direction. */
bool base_orders_fences (const Program *program, const Event *x, const Event *y,
                         const RunOptions *options);

#endif
