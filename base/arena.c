/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <string.h>

typedef struct Chunk {
  struct Chunk *previous;
  size_t size; /* of data */
  size_t used;
  alignas (max_align_t) char data[];
} Chunk;

struct Arena {
  Chunk *top;
  size_t reserved;
};

enum { FIRST_CHUNK = 16 * 1024, LARGEST_STEP = 1024 * 1024 };

static size_t
align_up (size_t n)
{
  const size_t alignment = alignof (max_align_t);
  return (n + alignment - 1) & ~(alignment - 1);
}

Arena *
arena_new (void)
{
  return g_new0 (Arena, 1);
}

static void
pop_chunk (Arena *a)
{
  Chunk *chunk = a->top;
  a->top = chunk->previous;
  a->reserved -= chunk->size;
  g_free (chunk);
}

void
arena_free (Arena *a)
{
  if (a == NULL)
    return;
  while (a->top != NULL)
    pop_chunk (a);
  g_free (a);
}

static void
push_chunk (Arena *a, size_t at_least)
{
  size_t size = a->top == NULL ? FIRST_CHUNK : MIN (a->top->size * 2, LARGEST_STEP);
  size = MAX (size, at_least);
  Chunk *chunk = g_malloc (sizeof (Chunk) + size);
  chunk->previous = a->top;
  chunk->size = size;
  chunk->used = 0;
  a->top = chunk;
  a->reserved += size;
}

void *
arena_alloc (Arena *a, size_t size)
{
  g_assert (size <= G_MAXSIZE / 2);
  size = align_up (MAX (size, 1));
  if (a->top == NULL || a->top->size - a->top->used < size)
    push_chunk (a, size);
  void *p = a->top->data + a->top->used;
  a->top->used += size;
  return memset (p, 0, size);
}

void *
arena_copy (Arena *a, const void *data, size_t size)
{
  void *p = arena_alloc (a, size);
  if (size > 0)
    memcpy (p, data, size);
  return p;
}

char *
arena_strndup (Arena *a, const char *text, size_t length)
{
  char *p = arena_alloc (a, length + 1);
  memcpy (p, text, length);
  return p;
}

char *
arena_strdup (Arena *a, const char *text)
{
  return arena_strndup (a, text, strlen (text));
}

char *
arena_printf (Arena *a, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  return arena_strdup (a, text);
}

size_t
arena_used (const Arena *a)
{
  return a->reserved;
}

ArenaMark
arena_mark (Arena *a)
{
  return (ArenaMark){ a->top, a->top == NULL ? 0 : a->top->used };
}

void
arena_release (Arena *a, ArenaMark mark)
{
  while (a->top != mark.chunk)
    pop_chunk (a);
  if (a->top != NULL)
    a->top->used = mark.used;
}
