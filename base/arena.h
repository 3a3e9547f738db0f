/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PTXMM_BASE_ARENA_H
#define PTXMM_BASE_ARENA_H

#include <glib.h>
#include <stddef.h>

/* A region of memory that is freed as a whole.  Everything that belongs to one test (program,
 * events, relations, outcomes) lives in one arena; nothing inside is freed singly.  Memory
 * comes zeroed.  Not thread-safe: one arena belongs to one thread.  Allocation cannot fail
 * (GLib aborts when the process is out of memory; callers that must stop before that poll
 * arena_used). */
typedef struct Arena Arena;

/* (transfer full): free with arena_free. */
Arena *arena_new (void);

/* NULL is accepted. */
void arena_free (Arena *a);

/* `size` zeroed bytes, aligned for any type.  A size of 0 gives a valid, unique pointer. */
void *arena_alloc (Arena *a, size_t size) G_GNUC_MALLOC G_GNUC_ALLOC_SIZE (2);

char *arena_strdup (Arena *a, const char *text);
char *arena_strndup (Arena *a, const char *text, size_t length);
char *arena_printf (Arena *a, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A copy of `size` bytes at `data`. */
void *arena_copy (Arena *a, const void *data, size_t size);

/* Bytes handed out and reserved so far, an upper bound of what arena_free gives back. */
size_t arena_used (const Arena *a);

/* A place to fall back to: arena_release gives back everything allocated after arena_mark.
 * Marks nest; releasing one invalidates the marks taken after it. */
typedef struct ArenaMark {
  void *chunk;
  size_t used;
} ArenaMark;

ArenaMark arena_mark (Arena *a);
void arena_release (Arena *a, ArenaMark mark);

#define arena_new_of(a, Type)   ((Type *) arena_alloc ((a), sizeof (Type)))
#define arena_array(a, Type, n) ((Type *) arena_alloc ((a), sizeof (Type) * (size_t) (n)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Arena, arena_free)

#endif
