/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_LITMUS_NAMES_H
#define PTXMM_LITMUS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Names in tests: tables from names to numbers, order, and suggestions. */

/* A stretch of text, not ended by a NUL. */
typedef struct Slice {
  const char *text;
  size_t length;
} Slice;

Slice slice_of (const char *text);
bool slice_is (Slice s, const char *text);

/* From names to numbers.  Lives in an arena; the names must outlive it. */
typedef struct NameTable NameTable;

NameTable *name_table_new (Arena *a);

/* The number of `name`, or -1. */
int name_table_find (const NameTable *t, Slice name);

/* `name` must not be in the table. */
void name_table_add (NameTable *t, Slice name, unsigned number);

/* Less than, equal to or greater than 0.  Runs of digits compare as numbers (r2 < r10); names
 * that differ only in leading zeros compare as bytes, so that only equal names give 0. */
int name_compare (const char *a, const char *b);

/* "r" and digits, or '%' and a name: how the dialect writes registers. */
bool name_is_register (Slice name);

/* Of `count` candidates the one that fewest edits turn into `word`, if that is at most a third
 * of its length (one edit for short words); the first of several; NULL when none is near. */
const char *name_nearest (Slice word, const char *const *candidates, size_t count);

#endif
