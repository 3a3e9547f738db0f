/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/modifiers.h"

#include <string.h>

#include "litmus/builder.h"

enum { LONGEST_SHOWN_OPCODE = 100 };

static const Type types[] = {
  { TY_U, 32, true }, { TY_S, 32, true }, { TY_B, 32, true },
  { TY_U, 64, true }, { TY_S, 64, true }, { TY_B, 64, true },
};

/* A word may have two rows; the one that the instruction takes is meant. */
// clang-format off
static const struct {
  const char *word;
  ModClass class;
  unsigned value;
} rows[] = {
  /* Memory semantics and scopes [8.4, 8.5] */
  { "weak",     MOD_SEM, SEM_WEAK },       { "relaxed",  MOD_SEM, SEM_RELAXED },
  { "acquire",  MOD_SEM, SEM_ACQUIRE },    { "release",  MOD_SEM, SEM_RELEASE },
  { "acq_rel",  MOD_SEM, SEM_ACQ_REL },    { "sc",       MOD_SEM, SEM_SC },
  { "volatile", MOD_SEM, WRITTEN_VOLATILE },
  { "mmio",     MOD_MMIO, 0 },
  { "cta",      MOD_SCOPE, SCOPE_CTA },    { "cluster",  MOD_SCOPE, SCOPE_CLUSTER },
  { "gpu",      MOD_SCOPE, SCOPE_GPU },    { "sys",      MOD_SCOPE, SCOPE_SYS },
  { "gl",       MOD_LEVEL, SCOPE_GPU },
  /* State spaces and types [5.1, 5.2] */
  { "global",   MOD_SPACE, SPACE_IS_GLOBAL }, { "shared", MOD_SPACE, SPACE_IS_SHARED },
  { "u32", MOD_TYPE, 0 }, { "s32", MOD_TYPE, 1 }, { "b32", MOD_TYPE, 2 },
  { "u64", MOD_TYPE, 3 }, { "s64", MOD_TYPE, 4 }, { "b64", MOD_TYPE, 5 },
  /* Operations of atom and red [9.7.13.5, 9.7.13.7] */
  { "add", MOD_OP, ATOM_ADD }, { "sub", MOD_OP, ATOM_SUB }, { "mul",  MOD_OP, ATOM_MUL },
  { "div", MOD_OP, ATOM_DIV }, { "inc", MOD_OP, ATOM_INC }, { "dec",  MOD_OP, ATOM_DEC },
  { "min", MOD_OP, ATOM_MIN }, { "max", MOD_OP, ATOM_MAX }, { "and",  MOD_OP, ATOM_AND },
  { "or",  MOD_OP, ATOM_OR },  { "xor", MOD_OP, ATOM_XOR }, { "exch", MOD_OP, ATOM_EXCH },
  { "cas", MOD_OP, ATOM_CAS },
  /* Fences and barriers [9.7.15] */
  { "proxy",    MOD_PROXY, 0 },
  { "alias",    MOD_PFENCE, PFENCE_ALIAS },   { "generic",  MOD_PFENCE, PFENCE_GENERIC },
  { "surface",  MOD_PFENCE, PFENCE_SURFACE }, { "texture",  MOD_PFENCE, PFENCE_TEXTURE },
  { "constant", MOD_PFENCE, PFENCE_CONSTANT },{ "async",    MOD_PFENCE, PFENCE_ASYNC },
  { "sync", MOD_BARRIER, BARRIER_SYNC },      { "arrive",   MOD_BARRIER, BARRIER_ARRIVE },
  { "lo",       MOD_LO, 0 },
  /* Words of PTX beyond what is modelled: other types, … */
  { "u8",  MOD_BEYOND, 0 },    { "u16",   MOD_BEYOND, 0 }, { "s8",    MOD_BEYOND, 0 },
  { "s16", MOD_BEYOND, 0 },    { "b8",    MOD_BEYOND, 0 }, { "b16",   MOD_BEYOND, 0 },
  { "b128",  MOD_BEYOND, 0 },  { "f16",   MOD_BEYOND, 0 }, { "f16x2", MOD_BEYOND, 0 },
  { "bf16",  MOD_BEYOND, 0 },  { "bf16x2",MOD_BEYOND, 0 }, { "f32",   MOD_BEYOND, 0 },
  { "f32x2", MOD_BEYOND, 0 },  { "f64",   MOD_BEYOND, 0 }, { "tf32",  MOD_BEYOND, 0 },
  { "u16x2", MOD_BEYOND, 0 },  { "s16x2", MOD_BEYOND, 0 }, { "pred",  MOD_BEYOND, 0 },
  { "v2",  MOD_BEYOND, 0 },    { "v4",    MOD_BEYOND, 0 }, { "v8",    MOD_BEYOND, 0 },
  /* … other state spaces and ways to access memory, … */
  { "const",  MOD_BEYOND, 0 }, { "local", MOD_BEYOND, 0 }, { "param", MOD_BEYOND, 0 },
  { "nc",     MOD_BEYOND, 0 }, { "ca",    MOD_BEYOND, 0 }, { "cg",    MOD_BEYOND, 0 },
  { "cs",     MOD_BEYOND, 0 }, { "lu",    MOD_BEYOND, 0 }, { "cv",    MOD_BEYOND, 0 },
  { "wb",     MOD_BEYOND, 0 }, { "wt",    MOD_BEYOND, 0 }, { "async", MOD_BEYOND, 0 },
  { "bulk",   MOD_BEYOND, 0 }, { "unified", MOD_BEYOND, 0 }, { "tensor", MOD_BEYOND, 0 },
  { "b",      MOD_BEYOND, 0 }, { "p",     MOD_BEYOND, 0 }, { "1d",    MOD_BEYOND, 0 },
  { "2d",     MOD_BEYOND, 0 }, { "3d",    MOD_BEYOND, 0 }, { "a1d",   MOD_BEYOND, 0 },
  { "a2d",    MOD_BEYOND, 0 }, { "trap",  MOD_BEYOND, 0 }, { "clamp", MOD_BEYOND, 0 },
  { "zero",   MOD_BEYOND, 0 },
  /* … other arithmetic, … */
  { "hi",  MOD_BEYOND, 0 },    { "wide",  MOD_BEYOND, 0 }, { "sat",   MOD_BEYOND, 0 },
  { "cc",  MOD_BEYOND, 0 },    { "rn",    MOD_BEYOND, 0 }, { "rz",    MOD_BEYOND, 0 },
  { "rm",  MOD_BEYOND, 0 },    { "rp",    MOD_BEYOND, 0 }, { "ftz",   MOD_BEYOND, 0 },
  { "full",MOD_BEYOND, 0 },    { "approx",MOD_BEYOND, 0 }, { "noftz", MOD_BEYOND, 0 },
  /* … other barriers and fences. */
  { "red",       MOD_BEYOND, 0 }, { "warp",  MOD_BEYOND, 0 }, { "wait", MOD_BEYOND, 0 },
  { "aligned",   MOD_BEYOND, 0 }, { "popc",  MOD_BEYOND, 0 },
  { "tensormap", MOD_BEYOND, 0 }, { "fabric", MOD_BEYOND, 0 },
  { "mbarrier_init", MOD_BEYOND, 0 },
};
// clang-format on

/* ---- Reading ------------------------------------------------------------------------------
 */

/* "u32", "1d", "shared::cta".  Nothing stands between the dots and words, or the operand behind
 * a dot too many would be taken for a modifier. */
static bool
read_word (Reader *r, Opcode *op)
{
  size_t begin = r->c.token.begin;
  do {
    bool is_word = cursor_at (&r->c, TOKEN_NAME) || cursor_at (&r->c, TOKEN_NUMBER);
    if (!is_word || r->c.token.begin != r->c.previous_end) {
      reader_expected (r, "a modifier directly after '.'");
      return false;
    }
    cursor_next (&r->c);
  } while (cursor_accept (&r->c, TOKEN_COLONS));
  if (op->word_count == OPCODE_MAX_WORDS) {
    report (r->reporter, DIAG_ERROR, reader_span_from (r, begin), "more than %d modifiers",
            OPCODE_MAX_WORDS);
    return false;
  }
  op->words[op->word_count] = (Slice){ r->c.text + begin, r->c.previous_end - begin };
  op->word_spans[op->word_count++] = reader_span_from (r, begin);
  return true;
}

bool
opcode_read (Reader *r, Opcode *op)
{
  size_t begin = r->c.token.begin;
  op->mnemonic = reader_slice (r);
  op->mnemonic_span = reader_span (r);
  op->word_count = 0;
  cursor_next (&r->c);
  while (cursor_accept (&r->c, TOKEN_DOT))
    if (!read_word (r, op))
      return false;
  op->text = (Slice){ r->c.text + begin, r->c.previous_end - begin };
  op->span = reader_span_from (r, begin);
  return true;
}

bool
opcode_has_word (const Opcode *op, const char *word)
{
  for (unsigned i = 0; i < op->word_count; i++)
    if (slice_is (op->words[i], word))
      return true;
  return false;
}

void
opcode_not_modelled (Reader *r, const Opcode *op)
{
  report (r->reporter, DIAG_NOT_MODELLED, op->span, "%.*s",
          (int) MIN (op->text.length, LONGEST_SHOWN_OPCODE), op->text.text);
}

/* ---- Sorting ------------------------------------------------------------------------------
 */

static const char *
class_name (ModClass class)
{
  switch (class) {
  case MOD_SEM:
    return "memory semantics";
  case MOD_SCOPE:
  case MOD_LEVEL:
    return "scopes";
  case MOD_SPACE:
    return "state spaces";
  case MOD_TYPE:
    return "types";
  case MOD_OP:
    return "operations";
  case MOD_PFENCE:
    return "proxies";
  case MOD_BARRIER:
    return "barrier operations";
  case MOD_MMIO:
  case MOD_PROXY:
  case MOD_LO:
  case MOD_BEYOND:
  case MOD_CLASS_COUNT:
    return "modifiers";
  }
  g_assert_not_reached ();
}

/* The row for this word that the instruction takes; failing that, the last of the others, which
 * is the one that says that PTX has it elsewhere; -1: no such word. */
static int
find_row (Slice word, unsigned allowed)
{
  int found = -1;
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (rows[i].word[0] != word.text[0] || !slice_is (word, rows[i].word))
      continue;
    found = (int) i;
    if ((allowed & MOD_BIT (rows[i].class)) != 0)
      break;
  }
  return found;
}

/* The nearest word that the instruction takes. */
static const char *
suggestion (Slice word, unsigned allowed)
{
  const char *candidates[G_N_ELEMENTS (rows)];
  size_t count = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if ((allowed & MOD_BIT (rows[i].class)) != 0)
      candidates[count++] = rows[i].word;
  return name_nearest (word, candidates, count);
}

/* Cache hints and the like carry their unit in front: "L1::no_allocate", "shared::cta". */
static bool
is_qualified (Slice word)
{
  return memchr (word.text, ':', word.length) != NULL;
}

static void
not_modelled_word (Reader *r, const Opcode *op, unsigned i)
{
  report (r->reporter, DIAG_NOT_MODELLED, op->word_spans[i], "%.*s.%.*s",
          (int) op->mnemonic.length, op->mnemonic.text,
          (int) MIN (op->words[i].length, LONGEST_SHOWN_OPCODE), op->words[i].text);
}

static void
unknown_word (Reader *r, const Opcode *op, unsigned i, unsigned allowed)
{
  int length = (int) MIN (op->words[i].length, LONGEST_SHOWN_OPCODE);
  const char *nearest = suggestion (op->words[i], allowed);
  if (nearest == NULL)
    report (r->reporter, DIAG_ERROR, op->word_spans[i], "unknown modifier '.%.*s'", length,
            op->words[i].text);
  else
    report (r->reporter, DIAG_ERROR, op->word_spans[i],
            "unknown modifier '.%.*s', did you mean '.%s'?", length, op->words[i].text,
            nearest);
}

static bool
sort_word (Reader *r, const Opcode *op, unsigned i, unsigned allowed, Modifiers *out)
{
  int row = find_row (op->words[i], allowed);
  if (row < 0 && !is_qualified (op->words[i])) {
    unknown_word (r, op, i, allowed);
    return false;
  }
  if (row < 0 || rows[row].class == MOD_BEYOND) {
    not_modelled_word (r, op, i);
    return false;
  }
  ModClass class = rows[row].class;
  if ((allowed & MOD_BIT (class)) == 0) {
    report (r->reporter, DIAG_ERROR, op->word_spans[i], "'%.*s' takes no '.%s'",
            (int) op->mnemonic.length, op->mnemonic.text, rows[row].word);
    return false;
  }
  if (out->has[class] && out->value[class] == rows[row].value) {
    report (r->reporter, DIAG_ERROR, op->word_spans[i], "'.%s' is there twice", rows[row].word);
    return false;
  }
  if (out->has[class]) {
    report (r->reporter, DIAG_ERROR, op->word_spans[i], "two different %s in one instruction",
            class_name (class));
    return false;
  }
  out->has[class] = true;
  out->value[class] = rows[row].value;
  out->span[class] = op->word_spans[i];
  return true;
}

bool
modifiers_sort (Reader *r, const Opcode *op, unsigned allowed, Modifiers *out)
{
  bool good = true;
  *out = (Modifiers){ 0 };
  for (unsigned i = 0; i < op->word_count; i++)
    good = sort_word (r, op, i, allowed, out) && good;
  return good;
}

Type
modifier_type (unsigned value)
{
  return types[value];
}

const char *
modifier_words (Arena *a, ModClass class, unsigned values)
{
  const char *words[G_N_ELEMENTS (rows)];
  size_t count = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].class == class && (values >> rows[i].value & 1) != 0)
      words[count++] = rows[i].word;
  const char *text = "";
  for (size_t i = 0; i < count; i++)
    text = arena_printf (a, "%s%s'.%s'", text,
                         i == 0           ? ""
                         : i + 1 == count ? " or "
                                          : ", ",
                         words[i]);
  return text;
}
