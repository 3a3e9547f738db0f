/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/insn_parse.h"

#include "litmus/insn_operands.h"

enum {
  IN_LITMUS = 1 << DIALECT_LITMUS,
  IN_NVLABS = 1 << DIALECT_NVLABS,
};

#define SEM_BIT(sem) (1u << (sem))

/* What the manual lets each instruction be; the research proxies follow the artifact of the
 * ISCA 2022 paper.  red has acquire and acq_rel in the dialect and its public tests only. */
enum {
  LOAD_SEMS = SEM_BIT (SEM_WEAK) | SEM_BIT (SEM_RELAXED) | SEM_BIT (SEM_ACQUIRE)
              | SEM_BIT (WRITTEN_VOLATILE),
  STORE_SEMS = SEM_BIT (SEM_WEAK) | SEM_BIT (SEM_RELAXED) | SEM_BIT (SEM_RELEASE)
               | SEM_BIT (WRITTEN_VOLATILE),
  WEAK_ONLY = SEM_BIT (SEM_WEAK),
  ATOM_SEMS = SEM_BIT (SEM_RELAXED) | SEM_BIT (SEM_ACQUIRE) | SEM_BIT (SEM_RELEASE)
              | SEM_BIT (SEM_ACQ_REL),
  FENCE_SEMS
  = SEM_BIT (SEM_ACQUIRE) | SEM_BIT (SEM_RELEASE) | SEM_BIT (SEM_ACQ_REL) | SEM_BIT (SEM_SC),
};

/* ---- Semantics and scope of memory accesses -----------------------------------------------
 */

static bool
is_atomic (const InsnCtx *ctx)
{
  return ctx->insn->kind == INSN_ATOM || ctx->insn->kind == INSN_RED;
}

static const char *
mnemonic_name (const InsnCtx *ctx)
{
  return ctx->mnemonic->name;
}

/* "st.relaxed", or "st" when no semantics are written. */
static const char *
with_sem (const InsnCtx *ctx)
{
  const Modifiers *m = &ctx->mods;
  if (!m->has[MOD_SEM])
    return mnemonic_name (ctx);
  bool is_volatile = m->value[MOD_SEM] == WRITTEN_VOLATILE;
  return arena_printf (ctx->r->arena, "%s.%s", mnemonic_name (ctx),
                       is_volatile ? "volatile" : sem_name (m->value[MOD_SEM]));
}

static bool
scope_is_written (InsnCtx *ctx)
{
  if (ctx->mods.has[MOD_SCOPE])
    return true;
  return insn_fail (ctx, ctx->op.span, "'%s' needs a scope: %s", with_sem (ctx),
                    modifier_words (ctx->r->arena, MOD_SCOPE, ~0u));
}

static bool
scope_is_absent (InsnCtx *ctx)
{
  if (!ctx->mods.has[MOD_SCOPE])
    return true;
  return insn_fail (ctx, ctx->mods.span[MOD_SCOPE], "'%s' takes no scope", with_sem (ctx));
}

/* [9.7.9.8, 9.7.9.11]: mmio is relaxed at system scope unless an acquire or release is written,
 * never anything narrower. */
static bool
settle_mmio (InsnCtx *ctx)
{
  Insn *insn = ctx->insn;
  Modifiers *m = &ctx->mods;
  if (!ctx->mnemonic->has_mmio)
    return insn_fail (ctx, m->span[MOD_MMIO], "'%s' takes no '.mmio'", mnemonic_name (ctx));
  Sem sem = m->has[MOD_SEM] ? m->value[MOD_SEM] : SEM_RELAXED;
  if (sem == SEM_WEAK || m->value[MOD_SEM] == WRITTEN_VOLATILE)
    return insn_fail (ctx, m->span[MOD_SEM], "'.mmio' is strong: it takes no '.%s'",
                      sem == SEM_WEAK ? "weak" : "volatile");
  if (m->has[MOD_SCOPE] && m->value[MOD_SCOPE] != SCOPE_SYS)
    return insn_fail (ctx, m->span[MOD_SCOPE], "'.mmio' has scope '.sys' only");
  insn->is_mmio = true;
  insn->sem = sem;
  insn->scope = SCOPE_SYS;
  return true;
}

/* ld and st. */
static bool
settle_plain (InsnCtx *ctx)
{
  Insn *insn = ctx->insn;
  const Modifiers *m = &ctx->mods;
  unsigned sem = m->has[MOD_SEM] ? m->value[MOD_SEM] : (unsigned) SEM_WEAK;
  if (sem == WRITTEN_VOLATILE) {
    insn->is_volatile = true;
    insn->sem = SEM_RELAXED;
    insn->scope = SCOPE_SYS;
    return scope_is_absent (ctx);
  }
  insn->sem = (Sem) sem;
  if (sem == SEM_WEAK)
    return scope_is_absent (ctx);
  insn->scope = m->value[MOD_SCOPE];
  return scope_is_written (ctx);
}

/* The artifact has no default semantics, and a scope of its own, the thread, where none is
 * written. */
static bool
nvlabs_atomic_is_complete (InsnCtx *ctx)
{
  if (!ctx->mods.has[MOD_SEM])
    return insn_fail (ctx, ctx->op.span, "'%s' needs memory semantics: %s", mnemonic_name (ctx),
                      modifier_words (ctx->r->arena, MOD_SEM, ctx->mnemonic->sems));
  if (ctx->mods.has[MOD_SCOPE])
    return true;
  report (ctx->r->reporter, DIAG_NOT_MODELLED, ctx->op.span, "'%s' at thread scope",
          mnemonic_name (ctx));
  return false;
}

static bool
settle_atomic (InsnCtx *ctx)
{
  const Modifiers *m = &ctx->mods;
  if (ctx->dialect == DIALECT_NVLABS && !nvlabs_atomic_is_complete (ctx))
    return false;
  ctx->insn->sem = m->has[MOD_SEM] ? m->value[MOD_SEM] : SEM_RELAXED;
  ctx->insn->scope = m->has[MOD_SCOPE] ? m->value[MOD_SCOPE] : SCOPE_GPU;
  return true;
}

static bool
sem_is_allowed (InsnCtx *ctx)
{
  const Modifiers *m = &ctx->mods;
  if (!m->has[MOD_SEM] || (ctx->mnemonic->sems & SEM_BIT (m->value[MOD_SEM])) != 0)
    return true;
  report (ctx->r->reporter, DIAG_ERROR, m->span[MOD_SEM], "'%s' takes no %s, expected %s",
          mnemonic_name (ctx),
          modifier_words (ctx->r->arena, MOD_SEM, SEM_BIT (m->value[MOD_SEM])),
          modifier_words (ctx->r->arena, MOD_SEM, ctx->mnemonic->sems));
  return false;
}

/* Everything that modifiers say about a memory access. */
static bool
settle_access (InsnCtx *ctx, unsigned more_classes)
{
  unsigned allowed = MOD_BIT (MOD_SEM) | MOD_BIT (MOD_MMIO) | MOD_BIT (MOD_SCOPE)
                     | MOD_BIT (MOD_SPACE) | MOD_BIT (MOD_TYPE) | more_classes;
  Modifiers *m = &ctx->mods;
  if (!modifiers_sort (ctx->r, &ctx->op, allowed, m) || !sem_is_allowed (ctx))
    return false;
  ctx->insn->proxy = ctx->mnemonic->proxy;
  if (m->has[MOD_TYPE])
    ctx->insn->type = modifier_type (m->value[MOD_TYPE]);
  if (m->has[MOD_SPACE]) {
    ctx->draft->space = m->value[MOD_SPACE];
    ctx->draft->space_span = m->span[MOD_SPACE];
  }
  if (m->has[MOD_MMIO])
    return settle_mmio (ctx);
  return is_atomic (ctx) ? settle_atomic (ctx) : settle_plain (ctx);
}

/* ---- Memory accesses ----------------------------------------------------------------------
 */

/* "ld r0, r1" and "ld r0, 1" copy.  Older files of the dialect write ld.weak there. */
static bool
load_is_copy (InsnCtx *ctx, const RawOperand *raw)
{
  bool is_value = raw->kind == RAW_REG || raw->kind == RAW_CONST;
  return is_value && ctx->dialect == DIALECT_LITMUS && ctx->insn->sem == SEM_WEAK
         && ctx->insn->proxy == PROXY_GENERIC && !ctx->mods.has[MOD_SPACE];
}

static bool
parse_load (InsnCtx *ctx)
{
  RawOperand raw;
  ctx->insn->kind = INSN_LOAD;
  if (!settle_access (ctx, 0) || !insn_read_destination (ctx) || !insn_comma (ctx)
      || !insn_read_raw (ctx, &raw))
    return false;
  if (!load_is_copy (ctx, &raw))
    return insn_address (ctx, &raw);
  ctx->insn->kind = INSN_ALU;
  ctx->insn->op.alu = ALU_MOV;
  ctx->insn->sem = SEM_NONE;
  return insn_value (ctx, &raw, &ctx->insn->a);
}

static bool
parse_store (InsnCtx *ctx)
{
  ctx->insn->kind = INSN_STORE;
  return settle_access (ctx, 0) && insn_read_address (ctx) && insn_comma (ctx)
         && insn_read_value (ctx, &ctx->insn->a);
}

static bool
settle_operation (InsnCtx *ctx)
{
  const Modifiers *m = &ctx->mods;
  Insn *insn = ctx->insn;
  unsigned all = ~0u;
  bool is_red = insn->kind == INSN_RED;
  unsigned allowed = is_red ? all & ~(1u << ATOM_EXCH | 1u << ATOM_CAS) : all;
  if (!m->has[MOD_OP])
    return insn_fail (ctx, ctx->op.span, "'%s' needs an operation: %s", mnemonic_name (ctx),
                      modifier_words (ctx->r->arena, MOD_OP, allowed));
  insn->op.atom = m->value[MOD_OP];
  if ((allowed >> insn->op.atom & 1) == 0)
    return insn_fail (ctx, m->span[MOD_OP], "'%s' takes no '.%s'", mnemonic_name (ctx),
                      atom_op_name (insn->op.atom));
  bool counts = insn->op.atom == ATOM_INC || insn->op.atom == ATOM_DEC;
  bool compares = insn->op.atom == ATOM_MIN || insn->op.atom == ATOM_MAX;
  if (counts && m->has[MOD_TYPE] && (insn->type.bits != 32 || insn->type.cls != TY_U))
    return insn_fail (ctx, m->span[MOD_TYPE], "'.%s' takes the type '.u32' only",
                      atom_op_name (insn->op.atom));
  if (compares && m->has[MOD_TYPE] && insn->type.cls == TY_B)
    return insn_fail (ctx, m->span[MOD_TYPE], "'.%s' needs a type with or without sign",
                      atom_op_name (insn->op.atom));
  return true;
}

static bool
read_atomic_values (InsnCtx *ctx)
{
  if (!insn_comma (ctx) || !insn_read_value (ctx, &ctx->insn->a))
    return false;
  return ctx->insn->op.atom != ATOM_CAS
         || (insn_comma (ctx) && insn_read_value (ctx, &ctx->insn->b));
}

static bool
parse_atom (InsnCtx *ctx)
{
  ctx->insn->kind = INSN_ATOM;
  return settle_access (ctx, MOD_BIT (MOD_OP)) && settle_operation (ctx)
         && insn_read_destination (ctx) && insn_comma (ctx) && insn_read_address (ctx)
         && read_atomic_values (ctx);
}

static bool
parse_red (InsnCtx *ctx)
{
  ctx->insn->kind = INSN_RED;
  return settle_access (ctx, MOD_BIT (MOD_OP)) && settle_operation (ctx)
         && insn_read_address (ctx) && read_atomic_values (ctx);
}

/* ---- Registers and control ----------------------------------------------------------------
 */

static bool
settle_type (InsnCtx *ctx, unsigned more_classes)
{
  if (!modifiers_sort (ctx->r, &ctx->op, MOD_BIT (MOD_TYPE) | more_classes, &ctx->mods))
    return false;
  if (ctx->mods.has[MOD_TYPE])
    ctx->insn->type = modifier_type (ctx->mods.value[MOD_TYPE]);
  return true;
}

/* As in PTX, mov takes the address of a name that stands alone [9.7.9.1]. */
static bool
parse_mov (InsnCtx *ctx)
{
  RawOperand raw;
  ctx->insn->kind = INSN_ALU;
  ctx->insn->op.alu = ALU_MOV;
  if (!settle_type (ctx, 0) || !insn_read_destination (ctx) || !insn_comma (ctx)
      || !insn_read_raw (ctx, &raw))
    return false;
  if (raw.kind == RAW_NAME)
    raw.kind = RAW_ADDRESS;
  return insn_value (ctx, &raw, &ctx->insn->a);
}

static bool
parse_alu (InsnCtx *ctx)
{
  ctx->insn->kind = INSN_ALU;
  ctx->insn->op.alu = ctx->mnemonic->value;
  unsigned lo = ctx->insn->op.alu == ALU_MUL ? MOD_BIT (MOD_LO) : 0;
  return settle_type (ctx, lo) && insn_read_destination (ctx) && insn_comma (ctx)
         && insn_read_value (ctx, &ctx->insn->a) && insn_comma (ctx)
         && insn_read_value (ctx, &ctx->insn->b);
}

static bool
parse_branch (InsnCtx *ctx)
{
  ctx->insn->kind = INSN_BRANCH;
  ctx->insn->op.cmp = ctx->mnemonic->value;
  return settle_type (ctx, 0) && insn_read_value (ctx, &ctx->insn->a) && insn_comma (ctx)
         && insn_read_value (ctx, &ctx->insn->b) && insn_comma (ctx) && insn_read_label (ctx);
}

static bool
parse_goto (InsnCtx *ctx)
{
  ctx->insn->kind = INSN_GOTO;
  return modifiers_sort (ctx->r, &ctx->op, 0, &ctx->mods) && insn_read_label (ctx);
}

/* ---- Fences [9.7.15.4] --------------------------------------------------------------------
 */

static bool
not_modelled (InsnCtx *ctx)
{
  opcode_not_modelled (ctx->r, &ctx->op);
  return false;
}

/* Words that only forms of fence beyond the modelled ones have. */
static bool
is_special_fence (const Opcode *op)
{
  for (unsigned i = 0; i < op->word_count; i++)
    if (g_strstr_len (op->words[i].text, (gssize) op->words[i].length, "::") != NULL)
      return true;
  return opcode_has_word (op, "mbarrier_init") || opcode_has_word (op, "tensormap");
}

/* The forms with one direction have semantics and a scope, those for a state space a space. */
static bool
is_special_proxy_fence (const Opcode *op)
{
  static const char *const words[] = { "acquire", "release", "global", "shared" };
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (opcode_has_word (op, words[i]))
      return true;
  return false;
}

/* In the artifact's grammar one fence may name several proxies; its tool fails on them. */
static bool
names_several_proxies (const InsnCtx *ctx)
{
  return ctx->dialect == DIALECT_NVLABS && ctx->op.word_count > 2;
}

static bool
parse_proxy_fence (InsnCtx *ctx)
{
  if (is_special_proxy_fence (&ctx->op) || names_several_proxies (ctx))
    return not_modelled (ctx);
  if (!modifiers_sort (ctx->r, &ctx->op, MOD_BIT (MOD_PROXY) | MOD_BIT (MOD_PFENCE),
                       &ctx->mods))
    return false;
  if (!ctx->mods.has[MOD_PFENCE])
    return insn_fail (ctx, ctx->op.span, "'%s.proxy' needs a kind: %s", mnemonic_name (ctx),
                      modifier_words (ctx->r->arena, MOD_PFENCE, ~0u));
  ctx->insn->kind = INSN_PROXY_FENCE;
  ctx->insn->op.pfence = ctx->mods.value[MOD_PFENCE];
  return true;
}

static bool
parse_fence (InsnCtx *ctx)
{
  const Modifiers *m = &ctx->mods;
  bool is_short_alias = ctx->dialect == DIALECT_NVLABS && opcode_has_word (&ctx->op, "alias");
  if (is_special_fence (&ctx->op))
    return not_modelled (ctx);
  if (opcode_has_word (&ctx->op, "proxy") || is_short_alias)
    return parse_proxy_fence (ctx);
  if (!modifiers_sort (ctx->r, &ctx->op, MOD_BIT (MOD_SEM) | MOD_BIT (MOD_SCOPE), &ctx->mods)
      || !sem_is_allowed (ctx))
    return false;
  ctx->insn->kind = INSN_FENCE;
  ctx->insn->sem = m->has[MOD_SEM] ? m->value[MOD_SEM] : SEM_ACQ_REL;
  ctx->insn->scope = m->value[MOD_SCOPE];
  return scope_is_written (ctx);
}

/* membar.{cta,gl,sys} is fence.sc at cta, gpu and system scope. */
static bool
parse_membar (InsnCtx *ctx)
{
  const Modifiers *m = &ctx->mods;
  if (is_special_fence (&ctx->op))
    return not_modelled (ctx);
  if (opcode_has_word (&ctx->op, "proxy"))
    return parse_proxy_fence (ctx);
  if (!modifiers_sort (ctx->r, &ctx->op, MOD_BIT (MOD_SCOPE) | MOD_BIT (MOD_LEVEL), &ctx->mods))
    return false;
  bool scope_fits = m->value[MOD_SCOPE] == SCOPE_CTA || m->value[MOD_SCOPE] == SCOPE_SYS;
  if (m->has[MOD_LEVEL] == m->has[MOD_SCOPE] || (m->has[MOD_SCOPE] && !scope_fits))
    return insn_fail (ctx, ctx->op.span, "'membar' needs one level: '.cta', '.gl' or '.sys'");
  ctx->insn->kind = INSN_FENCE;
  ctx->insn->sem = SEM_SC;
  ctx->insn->scope = m->value[m->has[MOD_LEVEL] ? MOD_LEVEL : MOD_SCOPE];
  return true;
}

/* ---- Barriers [9.7.15.1] ------------------------------------------------------------------
 */

static bool
read_barrier_id (InsnCtx *ctx, Operand *out)
{
  return insn_read_value (ctx, out)
         && (out->kind != OPERAND_ADDRESS
             || insn_fail (ctx, out->span, "a barrier is no address"));
}

static bool
read_barrier_operands (InsnCtx *ctx)
{
  Barrier *barrier = &ctx->insn->barrier;
  if (!reader_integer (ctx->r, "the number that labels the barrier", &barrier->label))
    return false;
  if (!cursor_accept (&ctx->r->c, TOKEN_COMMA))
    return true;
  if (!read_barrier_id (ctx, &barrier->id))
    return false;
  if (!cursor_accept (&ctx->r->c, TOKEN_COMMA))
    return true;
  if (!read_barrier_id (ctx, &barrier->count))
    return false;
  if (barrier->count.kind == OPERAND_IMM && barrier->count.value == 0)
    return insn_fail (ctx, barrier->count.span, "a barrier for no threads");
  return true;
}

static bool
parse_barrier (InsnCtx *ctx)
{
  static const char *const others[] = { "red", "warp", "cluster", "aligned" };
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    if (opcode_has_word (&ctx->op, others[i]))
      return not_modelled (ctx);
  const Modifiers *m = &ctx->mods;
  if (!modifiers_sort (ctx->r, &ctx->op, MOD_BIT (MOD_SCOPE) | MOD_BIT (MOD_BARRIER),
                       &ctx->mods))
    return false;
  if (!m->has[MOD_BARRIER] || m->value[MOD_SCOPE] != SCOPE_CTA)
    return insn_fail (ctx, ctx->op.span, "expected '%s.cta.sync' or '%s.cta.arrive'",
                      mnemonic_name (ctx), mnemonic_name (ctx));
  ctx->insn->kind = INSN_BARRIER;
  ctx->insn->barrier.mode = m->value[MOD_BARRIER];
  return read_barrier_operands (ctx);
}

/* ---- Mnemonics ----------------------------------------------------------------------------
 */

// clang-format off
static const Mnemonic mnemonics[] = {
  /* name      dialects               parse         value    proxy           semantics   mmio */
  { "ld",      IN_LITMUS | IN_NVLABS, parse_load,   0,       PROXY_GENERIC,  LOAD_SEMS,  true },
  { "tld",     IN_LITMUS | IN_NVLABS, parse_load,   0,       PROXY_TEXTURE,  WEAK_ONLY,  false },
  { "suld",    IN_LITMUS | IN_NVLABS, parse_load,   0,       PROXY_SURFACE,  LOAD_SEMS,  false },
  { "cold",    IN_LITMUS,             parse_load,   0,       PROXY_CONSTANT, WEAK_ONLY,  false },
  { "ldc",     IN_NVLABS,             parse_load,   0,       PROXY_CONSTANT, WEAK_ONLY,  false },
  { "st",      IN_LITMUS | IN_NVLABS, parse_store,  0,       PROXY_GENERIC,  STORE_SEMS, true },
  { "sust",    IN_LITMUS | IN_NVLABS, parse_store,  0,       PROXY_SURFACE,  STORE_SEMS, false },
  { "atom",    IN_LITMUS | IN_NVLABS, parse_atom,   0,       PROXY_GENERIC,  ATOM_SEMS,  false },
  { "suatom",  IN_LITMUS | IN_NVLABS, parse_atom,   0,       PROXY_SURFACE,  ATOM_SEMS,  false },
  { "red",     IN_LITMUS | IN_NVLABS, parse_red,    0,       PROXY_GENERIC,  ATOM_SEMS,  false },
  { "sured",   IN_LITMUS | IN_NVLABS, parse_red,    0,       PROXY_SURFACE,  ATOM_SEMS,  false },
  { "fence",   IN_LITMUS | IN_NVLABS, parse_fence,  0,       PROXY_GENERIC,  FENCE_SEMS, false },
  { "membar",  IN_LITMUS,             parse_membar, 0,       PROXY_GENERIC,  0,          false },
  { "bar",     IN_LITMUS,             parse_barrier, 0,      PROXY_GENERIC,  0,          false },
  { "barrier", IN_LITMUS,             parse_barrier, 0,      PROXY_GENERIC,  0,          false },
  { "mov",     IN_LITMUS,             parse_mov,    ALU_MOV, PROXY_GENERIC,  0,          false },
  { "add",     IN_LITMUS,             parse_alu,    ALU_ADD, PROXY_GENERIC,  0,          false },
  { "sub",     IN_LITMUS,             parse_alu,    ALU_SUB, PROXY_GENERIC,  0,          false },
  { "mul",     IN_LITMUS,             parse_alu,    ALU_MUL, PROXY_GENERIC,  0,          false },
  { "div",     IN_LITMUS,             parse_alu,    ALU_DIV, PROXY_GENERIC,  0,          false },
  { "and",     IN_LITMUS,             parse_alu,    ALU_AND, PROXY_GENERIC,  0,          false },
  { "or",      IN_LITMUS,             parse_alu,    ALU_OR,  PROXY_GENERIC,  0,          false },
  { "xor",     IN_LITMUS,             parse_alu,    ALU_XOR, PROXY_GENERIC,  0,          false },
  { "beq",     IN_LITMUS,             parse_branch, CMP_EQ,  PROXY_GENERIC,  0,          false },
  { "bne",     IN_LITMUS,             parse_branch, CMP_NE,  PROXY_GENERIC,  0,          false },
  { "blt",     IN_LITMUS,             parse_branch, CMP_LT,  PROXY_GENERIC,  0,          false },
  { "ble",     IN_LITMUS,             parse_branch, CMP_LE,  PROXY_GENERIC,  0,          false },
  { "bgt",     IN_LITMUS,             parse_branch, CMP_GT,  PROXY_GENERIC,  0,          false },
  { "bge",     IN_LITMUS,             parse_branch, CMP_GE,  PROXY_GENERIC,  0,          false },
  { "goto",    IN_LITMUS,             parse_goto,   0,       PROXY_GENERIC,  0,          false },
};
// clang-format on

static const char *const ptx_mnemonics[] = {
#define PTX(name) name,
#include "litmus/ptx_mnemonics.def"
#undef PTX
};

static const Mnemonic *
find_mnemonic (Slice name, InsnDialect dialect)
{
  for (size_t i = 0; i < G_N_ELEMENTS (mnemonics); i++)
    if ((mnemonics[i].dialects >> dialect & 1) != 0 && slice_is (name, mnemonics[i].name))
      return &mnemonics[i];
  return NULL;
}

static bool
is_ptx_mnemonic (Slice name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (ptx_mnemonics); i++)
    if (slice_is (name, ptx_mnemonics[i]))
      return true;
  return false;
}

/* Of the dialect if possible; a litmus test may also mean something else of PTX. */
static const char *
nearest_mnemonic (Slice name, InsnDialect dialect)
{
  const char *candidates[G_N_ELEMENTS (mnemonics)];
  size_t count = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (mnemonics); i++)
    if ((mnemonics[i].dialects >> dialect & 1) != 0)
      candidates[count++] = mnemonics[i].name;
  const char *nearest = name_nearest (name, candidates, count);
  if (nearest == NULL && dialect == DIALECT_LITMUS)
    nearest = name_nearest (name, ptx_mnemonics, G_N_ELEMENTS (ptx_mnemonics));
  return nearest;
}

static void
unknown_mnemonic (InsnCtx *ctx)
{
  const Opcode *op = &ctx->op;
  int shown = (int) MIN (op->mnemonic.length, 40);
  const char *nearest = nearest_mnemonic (op->mnemonic, ctx->dialect);
  if (nearest == NULL)
    report (ctx->r->reporter, DIAG_ERROR, op->mnemonic_span, "unknown instruction '%.*s'",
            shown, op->mnemonic.text);
  else
    report (ctx->r->reporter, DIAG_ERROR, op->mnemonic_span,
            "unknown instruction '%.*s', did you mean '%s'?", shown, op->mnemonic.text,
            nearest);
}

bool
insn_parse (Reader *r, Builder *b, unsigned thread, InsnDialect dialect, DraftInsn *out)
{
  *out = (DraftInsn){ 0 };
  InsnCtx ctx = { r, b, thread, dialect, .draft = out, .insn = &out->insn };
  size_t begin = r->c.token.begin;
  if (!cursor_at (&r->c, TOKEN_NAME)) {
    reader_expected (r, "an instruction");
    return false;
  }
  if (!opcode_read (r, &ctx.op))
    return false;
  ctx.insn->type.cls = TY_U;
  ctx.mnemonic = find_mnemonic (ctx.op.mnemonic, dialect);
  if (ctx.mnemonic == NULL && is_ptx_mnemonic (ctx.op.mnemonic))
    opcode_not_modelled (r, &ctx.op);
  else if (ctx.mnemonic == NULL)
    unknown_mnemonic (&ctx);
  if (ctx.mnemonic == NULL || !ctx.mnemonic->parse (&ctx))
    return false;
  out->insn.span = reader_span_from (r, begin);
  return true;
}
