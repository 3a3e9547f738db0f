/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/parse_helpers.h"

/* ---- Shape of the text --------------------------------------------------------------------
 */

#define PLAIN                                                                                  \
  "PTX MP+rel-acq\n"                                                                           \
  "\"Message passing\"\n"                                                                      \
  "{\n"                                                                                        \
  "x=0; y=0;\n"                                                                                \
  "P1:r0=0;\n"                                                                                 \
  "}\n"                                                                                        \
  " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"                                            \
  " st.weak x, 1        | ld.acquire.gpu r0, y ;\n"                                            \
  " st.release.gpu y, 1 | ld.weak r1, x        ;\n"                                            \
  "exists\n"                                                                                   \
  "(P1:r0 == 1 /\\ P1:r1 == 0)\n"

static void
test_fields (void)
{
  g_autoptr (Reading) r = read_litmus (PLAIN);
  const Program *p = r->program;
  g_assert_cmpstr (p->name, ==, "MP+rel-acq");
  g_assert_cmpstr (p->doc, ==, "Message passing");
  g_assert_true (p->source == &r->source);
  g_assert_cmpuint (p->thread_count, ==, 2);
  g_assert_cmpuint (p->object_count, ==, 2);
  g_assert_cmpint (p->quantifier, ==, QUANT_EXISTS);
  g_assert_cmpstr (p->condition_text, ==, "P1:r0 == 1 /\\ P1:r1 == 0");
  const Insn *store = &p->threads[0].insns[1];
  g_assert_cmpint (store->kind, ==, INSN_STORE);
  g_assert_cmpint (store->sem, ==, SEM_RELEASE);
  g_assert_cmpint (store->scope, ==, SCOPE_GPU);
  g_assert_cmpint (store->addr.kind, ==, OPERAND_ADDRESS);
  g_assert_cmpstr (p->mappings[store->addr.index].name, ==, "y");
  g_assert_cmpint (store->a.kind, ==, OPERAND_IMM);
  g_assert_cmpuint (store->a.value, ==, 1);
  const Insn *load = &p->threads[1].insns[1];
  g_assert_cmpint (load->kind, ==, INSN_LOAD);
  g_assert_cmpint (load->sem, ==, SEM_WEAK);
  g_assert_cmpint (load->scope, ==, SCOPE_NONE);
  g_assert_cmpstr (p->threads[1].regs[load->dst.index].name, ==, "r1");
  g_assert_cmpuint (span_place (load->span).line, ==, 9);
  g_assert_cmpuint (span_place (load->span).column, ==, 24);
}

static char *
replaced (const char *text, const char *what, const char *by)
{
  g_auto (GStrv) parts = g_strsplit (text, what, -1);
  return g_strjoinv (by, parts);
}

static void
assert_same_as_plain (const char *text, size_t length)
{
  const char *difference = NULL;
  g_autoptr (Reading) plain = read_litmus (PLAIN);
  g_autoptr (Reading) other = read_good ("t.litmus", text, length);
  g_assert_true (program_equal (plain->program, other->program, &difference));
  g_assert_null (difference);
}

static void
test_crlf (void)
{
  g_autofree char *text = replaced (PLAIN, "\n", "\r\n");
  assert_same_as_plain (text, strlen (text));
}

static void
test_tabs (void)
{
  g_autofree char *text = replaced (PLAIN, " | ", "\t|\t");
  assert_same_as_plain (text, strlen (text));
}

static void
test_byte_order_mark (void)
{
  const char *text = "\xef\xbb\xbf" PLAIN;
  assert_same_as_plain (text, strlen (text));
}

static void
test_interpreter_line (void)
{
  const char *text = "#!/usr/bin/env ptxmm check\n" PLAIN;
  assert_same_as_plain (text, strlen (text));
  const char *both = "\xef\xbb\xbf#!/usr/bin/env ptxmm check\r\n" PLAIN;
  assert_same_as_plain (both, strlen (both));
}

static void
test_no_final_newline (void)
{
  assert_same_as_plain (PLAIN, strlen (PLAIN) - 1);
}

static void
test_lower_case_keyword (void)
{
  g_autofree char *text = replaced (PLAIN, "PTX", "ptx");
  assert_same_as_plain (text, strlen (text));
}

static void
test_comments (void)
{
  g_autofree char *blocks = replaced (PLAIN, "st.weak", "(* a (* nested *) one; | *) st.weak");
  assert_same_as_plain (blocks, strlen (blocks));
  g_autofree char *lines = replaced (PLAIN, "exists\n", "// P9 ;\nexists // here\n");
  assert_same_as_plain (lines, strlen (lines));
  g_autofree char *angles = replaced (PLAIN, "exists", "<<run | \n 3 times>> exists");
  assert_same_as_plain (angles, strlen (angles));
}

static void
test_generator_lines (void)
{
  g_autofree char *text = replaced (PLAIN, "\"Message",
                                    "Generator=diy7 (version 7.58)\n"
                                    "Cycle=Rfe PodRR Fre PodWW\n\"Message");
  assert_same_as_plain (text, strlen (text));
}

static void
test_semicolon_after_condition (void)
{
  const char *text = PLAIN ";\n(* end *)\n";
  assert_same_as_plain (text, strlen (text));
}

static void
test_descriptions (void)
{
  static const struct {
    const char *text;
    const char *doc;
  } cases[] = {
    { "", NULL },
    { "\"\"", "" },
    { "\"a\nb\"", "a\nb" },
    { "\"a\" \"b\"\n\"c\"", "a\nb\nc" },
    { "\"says {x} (* and // more\"", "says {x} (* and // more" },
    /* A quote inside, as in MICRO24-Fig4b-correct of the public tests. */
    { "\"means \"No, but\" here\"", "means 'No, but' here" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup_printf (
        "PTX t\n%s\n{\nx=0;\n}\n P0@cta 0,gpu 0 ;\nexists (x == 0)", cases[i].text);
    g_autoptr (Reading) r = read_litmus (text);
    g_assert_cmpstr (r->program->doc, ==, cases[i].doc);
  }
}

static void
test_no_question (void)
{
  g_autoptr (Reading) r = read_thread ("x=0;", " st.weak x, 1 ;", "locations [x;]");
  g_assert_cmpint (r->program->quantifier, ==, QUANT_NONE);
  g_assert_cmpint (r->program->condition->kind, ==, COND_TRUE);
  g_assert_cmpuint (r->program->observed_count, ==, 1);
}

/* ---- Initial values -----------------------------------------------------------------------
 */

static void
test_initial_values (void)
{
  g_autoptr (Reading) r
      = read_thread ("x = 0x1F; y=-1; uint64_t z = -1; p = &x; int w;\n"
                     ".u64 v = 7; .shared .u32 s = 2; int *q; P0:r0 = 5; 0:r1 = x",
                     " ld r2, u ;", "exists (P0:r2 == 0)");
  const Program *p = r->program;
  static const struct {
    const char *name;
    unsigned size;
    uint64_t init;
    bool is_address;
    Space space;
  } wanted[] = {
    { "x", 4, 0x1f, false, SPACE_GLOBAL },       { "y", 4, 0xffffffff, false, SPACE_GLOBAL },
    { "z", 8, UINT64_MAX, false, SPACE_GLOBAL }, { "p", 8, 0, true, SPACE_GLOBAL },
    { "w", 4, 0, false, SPACE_GLOBAL },          { "v", 8, 7, false, SPACE_GLOBAL },
    { "s", 4, 2, false, SPACE_SHARED },          { "q", 8, 0, false, SPACE_GLOBAL },
    { "u", 4, 0, false, SPACE_GLOBAL }, /* used, not declared */
  };
  g_assert_cmpuint (p->object_count, ==, G_N_ELEMENTS (wanted));
  for (unsigned o = 0; o < p->object_count; o++) {
    g_assert_cmpstr (p->objects[o].name, ==, wanted[o].name);
    g_assert_cmpuint (p->objects[o].size, ==, wanted[o].size);
    g_assert_cmphex (p->objects[o].init, ==, wanted[o].init);
    g_assert_cmpint (p->objects[o].init_is_address, ==, wanted[o].is_address);
    g_assert_cmpint (p->objects[o].space, ==, wanted[o].space);
  }
  const Reg *regs = p->threads[0].regs;
  g_assert_cmpuint (regs[0].init, ==, 5);
  g_assert_true (regs[1].holds_address);
  g_assert_cmpuint (regs[1].bits, ==, 64);
  g_assert_cmpstr (p->mappings[regs[1].init_mapping].name, ==, "x");
}

/* The example of the public tests' README: s has y's virtual address and x's location. */
static void
test_alias_chain (void)
{
  g_autoptr (Reading) r = read_thread (
      "x=0;\ny @ generic aliases x;\ns @ surface aliases y;\n"
      "t @ texture aliases x;\nc @ constant aliases s;",
      " sust.weak s, 1 ;\n tld.weak r0, t ;\n cold.weak r1, c ;", "exists (x == 1)");
  const Program *p = r->program;
  g_assert_cmpuint (p->object_count, ==, 1);
  g_assert_cmpuint (p->mapping_count, ==, 2);
  static const unsigned mappings[] = { 0, 1, 1, 0, 1 };
  static const int alias_of[] = { -1, 0, 1, 0, 2 };
  static const Proxy proxies[]
      = { PROXY_GENERIC, PROXY_GENERIC, PROXY_SURFACE, PROXY_TEXTURE, PROXY_CONSTANT };
  for (unsigned l = 0; l < p->location_count; l++) {
    g_assert_cmpuint (p->locations[l].mapping, ==, mappings[l]);
    g_assert_cmpint (p->locations[l].alias_of, ==, alias_of[l]);
    g_assert_cmpint (p->locations[l].proxy, ==, proxies[l]);
  }
  g_assert_cmpint (p->threads[0].insns[0].proxy, ==, PROXY_SURFACE);
  g_assert_cmpint (p->threads[0].insns[1].proxy, ==, PROXY_TEXTURE);
  g_assert_cmpint (p->threads[0].insns[2].proxy, ==, PROXY_CONSTANT);
}

static void
test_alias_before_target (void)
{
  g_autoptr (Reading) r = read_thread ("s @ surface aliases y; y @ generic aliases x; x=3;",
                                       " suld.weak r0, s ;", "exists (P0:r0 == 3)");
  const Program *p = r->program;
  g_assert_cmpuint (p->object_count, ==, 1);
  g_assert_cmpuint (p->mapping_count, ==, 2);
  g_assert_cmpuint (p->objects[0].init, ==, 3);
  g_assert_cmpuint (p->locations[0].mapping, ==, p->locations[1].mapping);
  g_assert_cmpuint (p->locations[0].mapping, !=, p->locations[2].mapping);
}

static void
test_mappings_are_apart (void)
{
  g_autoptr (Reading) r
      = read_thread ("x=0; y=0; z @ generic aliases x;", " st.weak x, 1 ;", "exists (x == 1)");
  const Program *p = r->program;
  for (unsigned m = 1; m < p->mapping_count; m++) {
    unsigned before = p->objects[p->mappings[m - 1].object].size;
    g_assert_cmphex (p->mappings[m].base, >, p->mappings[m - 1].base + before);
    g_assert_cmphex (p->mappings[m].base % 8, ==, 0);
  }
}

/* ---- Headers ------------------------------------------------------------------------------
 */

static void
test_placement (void)
{
  g_autoptr (Reading) r
      = read_litmus ("PTX t\n{ x=0; }\n"
                     "P0@cta 0,cluster 1,gpu 2 | P7@gpu 2, warp 3, cluster 1, cta 0 ;\n"
                     "st.weak x, 1 | ;\nexists (x == 1)\n");
  const Thread *threads = r->program->threads;
  g_assert_true (r->program->has_clusters);
  g_assert_cmpuint (threads[0].place.gpu, ==, 2);
  g_assert_cmpuint (threads[0].place.cluster, ==, 1);
  g_assert_cmpuint (threads[0].place.cta, ==, 0);
  g_assert_cmpint (threads[0].place.warp, ==, -1);
  g_assert_cmpint (threads[1].place.warp, ==, 3);
  g_assert_cmpuint (threads[1].number, ==, 7);
  g_assert_cmpstr (threads[1].name, ==, "P7");
  g_assert_true (placement_same_cta (&threads[0].place, &threads[1].place));
}

/* Without clusters a CTA is a cluster of its own, also against one of equal number elsewhere.
 */
static void
test_fresh_clusters (void)
{
  g_autoptr (Reading) r
      = read_litmus ("PTX t\n{ x=0; }\n"
                     "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 0,gpu 1 | P3@cta 0,gpu 0 ;\n"
                     "st.weak x, 1 | | | ;\nexists (x == 1)\n");
  const Thread *t = r->program->threads;
  g_assert_false (r->program->has_clusters);
  g_assert_false (placement_same_cluster (&t[0].place, &t[1].place));
  g_assert_false (placement_same_cluster (&t[0].place, &t[2].place));
  g_assert_true (placement_same_cta (&t[0].place, &t[3].place));
  g_assert_cmpuint (t[0].place.cluster, !=, t[1].place.cluster);
  g_assert_cmpuint (t[0].place.cluster, !=, t[2].place.cluster);
}

/* ---- Instructions -------------------------------------------------------------------------
 */

static void
test_memory_instructions (void)
{
  static const struct {
    const char *text;
    InsnKind kind;
    Sem sem;
    Scope scope;
    Proxy proxy;
    bool is_volatile;
    bool is_mmio;
  } cases[] = {
    { "ld r0, x", INSN_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_GENERIC, false, false },
    { "ld r0, [x]", INSN_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_GENERIC, false, false },
    { "ld.u32.gpu.relaxed r0, x", INSN_LOAD, SEM_RELAXED, SCOPE_GPU, PROXY_GENERIC, false,
      false },
    { "ld.acquire.cluster r0, x", INSN_LOAD, SEM_ACQUIRE, SCOPE_CLUSTER, PROXY_GENERIC, false,
      false },
    { "ld.volatile r0, x", INSN_LOAD, SEM_RELAXED, SCOPE_SYS, PROXY_GENERIC, true, false },
    { "ld.mmio r0, x", INSN_LOAD, SEM_RELAXED, SCOPE_SYS, PROXY_GENERIC, false, true },
    { "ld.mmio.relaxed.sys r0, x", INSN_LOAD, SEM_RELAXED, SCOPE_SYS, PROXY_GENERIC, false,
      true },
    { "ld.mmio.acquire.sys r0, x", INSN_LOAD, SEM_ACQUIRE, SCOPE_SYS, PROXY_GENERIC, false,
      true },
    { "suld.relaxed.cta r0, x", INSN_LOAD, SEM_RELAXED, SCOPE_CTA, PROXY_SURFACE, false,
      false },
    { "tld r0, x", INSN_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_TEXTURE, false, false },
    { "cold.weak r0, x", INSN_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_CONSTANT, false, false },
    { "st x, 1", INSN_STORE, SEM_WEAK, SCOPE_NONE, PROXY_GENERIC, false, false },
    { "st.sys.release x, 1", INSN_STORE, SEM_RELEASE, SCOPE_SYS, PROXY_GENERIC, false, false },
    { "st.global.volatile.b32 x, 1", INSN_STORE, SEM_RELAXED, SCOPE_SYS, PROXY_GENERIC, true,
      false },
    { "sust.weak x, 1", INSN_STORE, SEM_WEAK, SCOPE_NONE, PROXY_SURFACE, false, false },
    /* Defaults of atom and red: relaxed at gpu scope [9.7.13.5, 9.7.13.7]. */
    { "atom.add r0, x, 1", INSN_ATOM, SEM_RELAXED, SCOPE_GPU, PROXY_GENERIC, false, false },
    { "atom.cta.exch.acquire r0, x, 1", INSN_ATOM, SEM_ACQUIRE, SCOPE_CTA, PROXY_GENERIC, false,
      false },
    { "atom.add.acq_rel.sys r0, x, 1", INSN_ATOM, SEM_ACQ_REL, SCOPE_SYS, PROXY_GENERIC, false,
      false },
    { "atom.add _, x, 1", INSN_ATOM, SEM_RELAXED, SCOPE_GPU, PROXY_GENERIC, false, false },
    { "suatom.relaxed.gpu.add r0, x, 1", INSN_ATOM, SEM_RELAXED, SCOPE_GPU, PROXY_SURFACE,
      false, false },
    { "red.add x, 1", INSN_RED, SEM_RELAXED, SCOPE_GPU, PROXY_GENERIC, false, false },
    { "red.acq_rel.sys.sub x, 1", INSN_RED, SEM_ACQ_REL, SCOPE_SYS, PROXY_GENERIC, false,
      false },
    { "sured.release.cta.max x, 1", INSN_RED, SEM_RELEASE, SCOPE_CTA, PROXY_SURFACE, false,
      false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *row = g_strdup_printf (" %s ;", cases[i].text);
    g_autoptr (Reading) r = read_thread ("x=0;", row, "exists (x == 1)");
    const Insn *insn = &r->program->threads[0].insns[0];
    g_test_message ("%s", cases[i].text);
    g_assert_cmpint (insn->kind, ==, cases[i].kind);
    g_assert_cmpint (insn->sem, ==, cases[i].sem);
    g_assert_cmpint (insn->scope, ==, cases[i].scope);
    g_assert_cmpint (insn->proxy, ==, cases[i].proxy);
    g_assert_cmpint (insn->is_volatile, ==, cases[i].is_volatile);
    g_assert_cmpint (insn->is_mmio, ==, cases[i].is_mmio);
    g_assert_cmpuint (insn->type.bits, ==, 32);
  }
}

static void
test_fences (void)
{
  static const struct {
    const char *text;
    Sem sem;
    Scope scope;
  } cases[] = {
    { "fence.sc.cta", SEM_SC, SCOPE_CTA },
    { "fence.cluster.acq_rel", SEM_ACQ_REL, SCOPE_CLUSTER },
    { "fence.acquire.gpu", SEM_ACQUIRE, SCOPE_GPU },
    { "fence.release.sys", SEM_RELEASE, SCOPE_SYS },
    { "fence.gpu", SEM_ACQ_REL, SCOPE_GPU },
    { "membar.cta", SEM_SC, SCOPE_CTA },
    { "membar.gl", SEM_SC, SCOPE_GPU },
    { "membar.sys", SEM_SC, SCOPE_SYS },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *row = g_strdup_printf (" %s ;", cases[i].text);
    g_autoptr (Reading) r = read_thread ("x=0;", row, "exists (x == 1)");
    g_assert_cmpint (r->program->threads[0].insns[0].kind, ==, INSN_FENCE);
    g_assert_cmpint (r->program->threads[0].insns[0].sem, ==, cases[i].sem);
    g_assert_cmpint (r->program->threads[0].insns[0].scope, ==, cases[i].scope);
  }
}

static void
test_proxy_fences (void)
{
  static const struct {
    const char *text;
    ProxyFence fence;
  } cases[] = {
    { "fence.proxy.alias", PFENCE_ALIAS },       { "fence.proxy.generic", PFENCE_GENERIC },
    { "fence.proxy.surface", PFENCE_SURFACE },   { "fence.proxy.texture", PFENCE_TEXTURE },
    { "fence.proxy.constant", PFENCE_CONSTANT }, { "fence.proxy.async", PFENCE_ASYNC },
    { "membar.proxy.alias", PFENCE_ALIAS },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *row = g_strdup_printf (" %s ;", cases[i].text);
    g_autoptr (Reading) r = read_thread ("x=0;", row, "exists (x == 1)");
    g_assert_cmpint (r->program->threads[0].insns[0].kind, ==, INSN_PROXY_FENCE);
    g_assert_cmpint (r->program->threads[0].insns[0].op.pfence, ==, cases[i].fence);
  }
}

static void
test_atomic_operations (void)
{
  static const struct {
    const char *name;
    AtomOp op;
  } cases[] = {
    { "add", ATOM_ADD }, { "sub", ATOM_SUB }, { "mul", ATOM_MUL }, { "div", ATOM_DIV },
    { "inc", ATOM_INC }, { "dec", ATOM_DEC }, { "min", ATOM_MIN }, { "max", ATOM_MAX },
    { "and", ATOM_AND }, { "or", ATOM_OR },   { "xor", ATOM_XOR }, { "exch", ATOM_EXCH },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *row = g_strdup_printf (" atom.%s r0, x, 3 ;", cases[i].name);
    g_autoptr (Reading) r = read_thread ("x=0;", row, "exists (x == 1)");
    g_assert_cmpint (r->program->threads[0].insns[0].op.atom, ==, cases[i].op);
    g_assert_cmpuint (r->program->threads[0].insns[0].a.value, ==, 3);
  }
  g_autoptr (Reading) cas
      = read_thread ("x=0;", " atom.relaxed.gpu.cas r0, x, 1, 2 ;", "exists (x == 1)");
  const Insn *insn = &cas->program->threads[0].insns[0];
  g_assert_cmpint (insn->op.atom, ==, ATOM_CAS);
  g_assert_cmpuint (insn->a.value, ==, 1);
  g_assert_cmpuint (insn->b.value, ==, 2);
}

static void
test_register_operations (void)
{
  g_autoptr (Reading) r
      = read_thread ("x=0;",
                     " ld r0, 2 ;\n ld r1, r0 ;\n mov %p1, -1 ;\n add r2, r1, 3 ;\n"
                     " mul.lo.s32 r2, r2, r2 ;\n xor r3, r2, r2 ;",
                     "exists (P0:%p1 == 1)");
  static const AluOp ops[] = { ALU_MOV, ALU_MOV, ALU_MOV, ALU_ADD, ALU_MUL, ALU_XOR };
  const Thread *t = &r->program->threads[0];
  g_assert_cmpuint (t->insn_count, ==, G_N_ELEMENTS (ops));
  for (unsigned i = 0; i < t->insn_count; i++) {
    g_assert_cmpint (t->insns[i].kind, ==, INSN_ALU);
    g_assert_cmpint (t->insns[i].op.alu, ==, ops[i]);
    g_assert_cmpint (t->insns[i].sem, ==, SEM_NONE);
    g_assert_cmpuint (t->insns[i].type.bits, ==, 32);
  }
  g_assert_cmphex (t->insns[2].a.value, ==, 0xffffffff);
  g_assert_cmpint (t->insns[4].type.cls, ==, TY_S);
}

static void
test_branches (void)
{
  g_autoptr (Reading) r = read_thread ("x=0;",
                                       " LC00: ;\n ld.weak r0, x ;\n beq r0, 0, LC00 ;\n"
                                       " bne r0, r1, done ;\n bge r0, 1, done ;\n"
                                       " here: there: ble r0, 1, there ;\n bgt 1, r0, done ;\n"
                                       " blt.s32 r0, 1, done ;\n goto here ;\n done: ;",
                                       "exists (x == 1)");
  static const struct {
    InsnKind kind;
    Cmp cmp;
    unsigned target;
  } wanted[] = {
    { INSN_LOAD, 0, 0 },        { INSN_BRANCH, CMP_EQ, 0 }, { INSN_BRANCH, CMP_NE, 8 },
    { INSN_BRANCH, CMP_GE, 8 }, { INSN_BRANCH, CMP_LE, 4 }, { INSN_BRANCH, CMP_GT, 8 },
    { INSN_BRANCH, CMP_LT, 8 }, { INSN_GOTO, 0, 4 },
  };
  const Thread *t = &r->program->threads[0];
  g_assert_cmpuint (t->insn_count, ==, G_N_ELEMENTS (wanted));
  for (unsigned i = 0; i < t->insn_count; i++) {
    g_assert_cmpint (t->insns[i].kind, ==, wanted[i].kind);
    g_assert_cmpuint (t->insns[i].target, ==, wanted[i].target);
    if (wanted[i].kind == INSN_BRANCH)
      g_assert_cmpint (t->insns[i].op.cmp, ==, wanted[i].cmp);
  }
  g_assert_cmpstr (t->labels[0], ==, "LC00");
  g_assert_null (t->labels[1]);
  g_assert_cmpstr (t->labels[4], ==, "here");
  g_assert_cmpstr (t->labels[8], ==, "done");
}

static void
test_barriers (void)
{
  g_autoptr (Reading) r = read_thread ("x=0;",
                                       " bar.cta.sync 1 ;\n bar.cta.arrive 2, 3 ;\n"
                                       " barrier.cta.sync 4, r0, 64 ;",
                                       "exists (x == 1)");
  const Insn *insns = r->program->threads[0].insns;
  g_assert_cmpint (insns[0].barrier.mode, ==, BARRIER_SYNC);
  g_assert_cmpuint (insns[0].barrier.label, ==, 1);
  g_assert_cmpint (insns[0].barrier.id.kind, ==, OPERAND_NONE);
  g_assert_cmpint (insns[1].barrier.mode, ==, BARRIER_ARRIVE);
  g_assert_cmpuint (insns[1].barrier.id.value, ==, 3);
  g_assert_cmpint (insns[1].barrier.count.kind, ==, OPERAND_NONE);
  g_assert_cmpint (insns[2].barrier.id.kind, ==, OPERAND_REG);
  g_assert_cmpuint (insns[2].barrier.count.value, ==, 64);
}

static void
test_register_addresses (void)
{
  g_autoptr (Reading) r = read_thread ("x=0; P0:r0=&x;",
                                       " ld.weak r1, [r0] ;\n st.weak [r0+8], 1 ;\n"
                                       " st.weak [r0-4], 1 ;\n st.weak [r0+-4], 1 ;",
                                       "exists (x == 1)");
  static const int64_t offsets[] = { 0, 8, -4, -4 };
  for (unsigned i = 0; i < G_N_ELEMENTS (offsets); i++) {
    const Insn *insn = &r->program->threads[0].insns[i];
    g_assert_cmpint (insn->addr.kind, ==, OPERAND_REG);
    g_assert_cmpint (insn->offset, ==, offsets[i]);
    g_assert_cmpuint (insn->type.bits, ==, 32);
  }
}

/* ---- Widths -------------------------------------------------------------------------------
 */

static unsigned
object_size (const Program *p, const char *name)
{
  for (unsigned o = 0; o < p->object_count; o++)
    if (g_str_equal (p->objects[o].name, name))
      return p->objects[o].size;
  g_assert_not_reached ();
}

static unsigned
reg_bits (const Program *p, const char *name)
{
  const Thread *t = &p->threads[0];
  for (unsigned r = 0; r < t->reg_count; r++)
    if (g_str_equal (t->regs[r].name, name))
      return t->regs[r].bits;
  g_assert_not_reached ();
}

static void
test_widths_by_type (void)
{
  g_autoptr (Reading) r = read_thread (
      "x=0; y=0;", " ld.weak.u64 r0, x ;\n ld r1, x ;\n ld r2, y ;\n add r3, r1, 1 ;",
      "exists (x == 1)");
  g_assert_cmpuint (object_size (r->program, "x"), ==, 8);
  g_assert_cmpuint (object_size (r->program, "y"), ==, 4);
  g_assert_cmpuint (reg_bits (r->program, "r0"), ==, 64);
  g_assert_cmpuint (reg_bits (r->program, "r1"), ==, 64);
  g_assert_cmpuint (reg_bits (r->program, "r2"), ==, 32);
  g_assert_cmpuint (reg_bits (r->program, "r3"), ==, 64);
  g_assert_cmpuint (r->program->threads[0].insns[3].type.bits, ==, 64);
  g_assert_true (r->program->threads[0].insns[0].type.written);
  g_assert_false (r->program->threads[0].insns[1].type.written);
}

/* An address comes to p through two registers and another object, against the text's order. */
static void
test_widths_by_address (void)
{
  g_autoptr (Reading) r = read_thread ("x=0; p=0; q=0; P0:r0=&x;",
                                       " st p, r2 ;\n ld r2, q ;\n st q, r1 ;\n ld r1, r0 ;\n"
                                       " ld r3, p ;\n ld r4, [r3] ;",
                                       "exists (x == 1)");
  g_assert_cmpuint (object_size (r->program, "x"), ==, 4);
  g_assert_cmpuint (object_size (r->program, "p"), ==, 8);
  g_assert_cmpuint (object_size (r->program, "q"), ==, 8);
  g_assert_cmpuint (reg_bits (r->program, "r3"), ==, 64);
  g_assert_cmpuint (reg_bits (r->program, "r4"), ==, 32);
}

/* What a register may point to decides how wide an untyped access through it is. */
static void
test_widths_through_pointers (void)
{
  g_autoptr (Reading) r = read_thread ("x=0; p=&x; P0:r0=&p;", " ld r1, [r0] ;\n ld r2, [r1] ;",
                                       "exists (x == 1)");
  g_assert_cmpuint (r->program->threads[0].insns[0].type.bits, ==, 64);
  g_assert_cmpuint (r->program->threads[0].insns[1].type.bits, ==, 32);
  g_autoptr (Reading) wide = read_thread ("uint64_t x=0;", " ld r1, [r0] ;", "exists (x == 1)");
  g_assert_cmpuint (wide->program->threads[0].insns[0].type.bits, ==, 64);
}

/* ---- Questions ----------------------------------------------------------------------------
 */

static void
test_conditions (void)
{
  static const struct {
    const char *text;
    Quantifier quantifier;
    const char *printed;
  } cases[] = {
    { "exists 0==0", QUANT_EXISTS, "0 == 0" },
    { "exists (x = 1)", QUANT_EXISTS, "x == 1" },
    { "~exists (x != 1)", QUANT_NOT_EXISTS, "x != 1" },
    { "not exists (x < 1)", QUANT_NOT_EXISTS, "x < 1" },
    { "forall (x >= 1)", QUANT_FORALL, "x >= 1" },
    { "exists (0:r0 = -1 /\\ [x] = 1)", QUANT_EXISTS, "P0:r0 == -1 /\\ x == 1" },
    { "exists true", QUANT_EXISTS, "true" },
    { "exists false", QUANT_EXISTS, "false" },
    { "exists (not true)", QUANT_EXISTS, "false" },
    { "exists ( *x <= 1 \\/ x > 2 /\\ x = 0x10)", QUANT_EXISTS,
      "x <= 1 \\/ x > 2 /\\ x == 16" },
    { "exists ((x = 1 || x = 2) && !(x = 3))", QUANT_EXISTS,
      "(x == 1 \\/ x == 2) /\\ ~(x == 3)" },
    { "exists (((x = 1) /\\ (x = 2)) /\\ (x = 3))", QUANT_EXISTS,
      "x == 1 /\\ x == 2 /\\ x == 3" },
    { "exists (x = 1 /\\ (x = 2 /\\ x = 3))", QUANT_EXISTS, "x == 1 /\\ x == 2 /\\ x == 3" },
    { "exists (&x = &x+4)", QUANT_EXISTS, "&x == &x+4" },
    { "exists (~~(x = 1))", QUANT_EXISTS, "~~(x == 1)" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Reading) r = read_thread ("x=0;", " ld.weak r0, x ;", cases[i].text);
    g_assert_cmpint (r->program->quantifier, ==, cases[i].quantifier);
    g_assert_cmpstr (r->program->condition_text, ==, cases[i].printed);
  }
}

static void
test_deep_condition (void)
{
  GString *text = g_string_new ("exists ");
  for (unsigned i = 0; i < 1000; i++)
    g_string_append_c (text, '(');
  g_string_append (text, "x = 1");
  for (unsigned i = 0; i < 1000; i++)
    g_string_append_c (text, ')');
  g_autofree char *question = g_string_free (text, FALSE);
  g_autoptr (Reading) r = read_thread ("x=0;", " ld.weak r0, x ;", question);
  g_assert_cmpstr (r->program->condition_text, ==, "x == 1");
}

static unsigned
cond_depth (const Cond *c)
{
  unsigned left = c->left == NULL ? 0 : cond_depth (c->left);
  unsigned right = c->right == NULL ? 0 : cond_depth (c->right);
  return 1 + MAX (left, right);
}

static void
test_long_condition (void)
{
  GString *text = g_string_new ("exists (x = 0");
  for (unsigned i = 1; i < 10000; i++)
    g_string_append_printf (text, " \\/ x = %u", i);
  g_string_append_c (text, ')');
  g_autofree char *question = g_string_free (text, FALSE);
  g_autoptr (Reading) r = read_thread ("x=0;", " ld.weak r0, x ;", question);
  g_assert_cmpuint (cond_depth (r->program->condition), ==, 15);
}

static void
test_observed (void)
{
  g_autoptr (Reading) r
      = read_litmus ("PTX t\n{ x10=0; x9=0; P1:r3=0; }\n P2@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                     " ld r10, x9 | ld r0, x10 ;\n ld r9, x9 | ;\n"
                     "locations [x10; P1:r3; x10;]\nfilter (P2:r10 == 0)\n"
                     "exists (P2:r9 == 0 /\\ x9 == 1 /\\ P2:r9 == 1)\n");
  static const char *const keys[] = { "x9", "x10", "P1:r3", "P2:r9", "P2:r10" };
  g_assert_cmpuint (r->program->observed_count, ==, G_N_ELEMENTS (keys));
  for (unsigned i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_assert_cmpstr (r->program->observed[i].key, ==, keys[i]);
    g_assert_cmpuint (r->program->observed[i].bits, ==, 32);
  }
  const Observed *last = &r->program->observed[4];
  g_assert_cmpstr (r->program->threads[last->thread].regs[last->index].name, ==, "r10");
}

/* ---- Bad input ----------------------------------------------------------------------------
 */

static void
check_bad_file (const char *path)
{
  g_autofree char *text = NULL;
  g_autofree char *wanted = NULL;
  g_autofree char *expected = g_strconcat (path, ".expected", NULL);
  g_autofree char *name = g_path_get_basename (path);
  gsize length = 0;
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_true (g_file_get_contents (expected, &wanted, NULL, NULL));
  g_autoptr (Reading) r = read_bytes (name, text, length);
  g_autofree char *messages = reading_messages (r);
  g_assert_cmpstr (messages, ==, wanted);
  g_assert_null (r->programs);
  g_assert_cmpuint (diags_error_count (r->diags), >, 0);
}

static void
test_bad_files (void)
{
  const char *root = g_getenv ("PTXMM_SOURCE_ROOT");
  g_autofree char *folder = g_build_filename (root, "tests", "bad", "litmus", NULL);
  g_assert_cmpuint (for_each_file (folder, ".litmus", check_bad_file), >, 100);
}

/* Every prefix of a good test either is a test or is refused with a message. */
static void
test_truncated (void)
{
  for (size_t length = 0; length < strlen (PLAIN); length++) {
    g_autoptr (Reading) r = read_bytes ("t.litmus", PLAIN, length);
    g_assert_true ((r->program != NULL) == (diags_error_count (r->diags) == 0));
  }
}

static void
test_many_errors (void)
{
  g_autoptr (GString) text = g_string_new ("PTX t\n{\n}\n P0@cta 0,gpu 0 ;\n");
  for (unsigned i = 0; i < 100000; i++)
    g_string_append (text, " st.weak ;\n");
  g_autoptr (Reading) r = read_bytes ("t.litmus", text->str, text->len);
  g_assert_null (r->program);
  g_assert_cmpuint (diags_count (r->diags), ==, DIAG_LIMIT);
}

static void
test_ten_thousand_threads (void)
{
  g_autoptr (GString) text = g_string_new ("PTX t\n{\n}\n P0@cta 0,gpu 0");
  for (unsigned i = 1; i < 10000; i++)
    g_string_append_printf (text, " | P%u@cta 0,gpu 0", i);
  g_string_append (text, " ;\n");
  g_autoptr (Reading) r = read_bytes ("t.litmus", text->str, text->len);
  g_assert_null (r->program);
  g_assert_cmpuint (diags_count (r->diags), ==, 1);
}

/* ---- Other people's tests -----------------------------------------------------------------
 */

static void
check_public_file (const char *path)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_test_message ("%s", path);
  g_autoptr (Reading) r = read_good (path, text, length);
  g_assert_cmpuint (r->count, ==, 1);
  g_assert_cmpint (r->program->quantifier, !=, QUANT_NONE);
}

static void
test_public_files (void)
{
  const char *root = g_getenv ("PTXMM_CONFORMANCE");
  if (root == NULL) {
    g_test_skip ("PTXMM_CONFORMANCE is not set");
    return;
  }
  g_assert_cmpuint (for_each_file (root, ".litmus", check_public_file), >=, 408);
}

/* ---- Choosing the parser ------------------------------------------------------------------
 */

static void
test_formats (void)
{
  static const struct {
    const char *name;
    const char *text;
    InputFormat format;
  } cases[] = {
    { "a.litmus", "PTX t", FORMAT_LITMUS },
    { "a.test", "PTX t", FORMAT_LITMUS },
    { "a.test", "d0.b0.t0 {", FORMAT_NVLABS },
    { "a", "// x\n.surfref s virtually aliases x;", FORMAT_NVLABS },
    { "a", ".version 9.4", FORMAT_PTX },
    { "a.ptx", ".global .u32 x;", FORMAT_PTX },
    { "a.ptx", "", FORMAT_PTX },
    { "a", "", FORMAT_LITMUS },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Source source = { cases[i].name, cases[i].text, strlen (cases[i].text) };
    g_assert_cmpint (frontend_format (&source), ==, cases[i].format);
  }
}

static void
test_ptx_is_refused (void)
{
  const char *text = ".version 9.4\n.target sm_90\n";
  g_autoptr (Reading) r = read_bytes ("kernel.ptx", text, strlen (text));
  g_autofree char *messages = reading_messages (r);
  g_assert_null (r->programs);
  g_assert_cmpstr (messages, ==,
                   "kernel.ptx:1:1: PTX modules: not modelled\n  .version 9.4\n  ^\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define TEST(path, function) g_test_add_func ("/litmus/parse/" path, function)
  TEST ("fields", test_fields);
  TEST ("crlf", test_crlf);
  TEST ("tabs", test_tabs);
  TEST ("byte-order-mark", test_byte_order_mark);
  TEST ("interpreter-line", test_interpreter_line);
  TEST ("no-final-newline", test_no_final_newline);
  TEST ("lower-case-keyword", test_lower_case_keyword);
  TEST ("comments", test_comments);
  TEST ("generator-lines", test_generator_lines);
  TEST ("semicolon-after-condition", test_semicolon_after_condition);
  TEST ("descriptions", test_descriptions);
  TEST ("no-question", test_no_question);
  TEST ("initial-values", test_initial_values);
  TEST ("alias-chain", test_alias_chain);
  TEST ("alias-before-target", test_alias_before_target);
  TEST ("mappings-are-apart", test_mappings_are_apart);
  TEST ("placement", test_placement);
  TEST ("fresh-clusters", test_fresh_clusters);
  TEST ("memory-instructions", test_memory_instructions);
  TEST ("fences", test_fences);
  TEST ("proxy-fences", test_proxy_fences);
  TEST ("atomic-operations", test_atomic_operations);
  TEST ("register-operations", test_register_operations);
  TEST ("branches", test_branches);
  TEST ("barriers", test_barriers);
  TEST ("register-addresses", test_register_addresses);
  TEST ("widths/by-type", test_widths_by_type);
  TEST ("widths/by-address", test_widths_by_address);
  TEST ("widths/through-pointers", test_widths_through_pointers);
  TEST ("conditions", test_conditions);
  TEST ("conditions/deep", test_deep_condition);
  TEST ("conditions/long", test_long_condition);
  TEST ("observed", test_observed);
  TEST ("bad/files", test_bad_files);
  TEST ("bad/truncated", test_truncated);
  TEST ("bad/many-errors", test_many_errors);
  TEST ("bad/ten-thousand-threads", test_ten_thousand_threads);
  TEST ("public-files", test_public_files);
  TEST ("formats", test_formats);
  TEST ("ptx-is-refused", test_ptx_is_refused);
#undef TEST
  return g_test_run ();
}
