/* SPDX-License-Identifier: Apache-2.0 */
#include "model/builtin.h"
#include "model/cat.h"
#include "model/cat_print.h"

#include <glib.h>
#include <string.h>

/* ---- Reading in a test --------------------------------------------------------------------
 */

typedef struct Read {
  Arena *arena;
  Source source;
  Diags *diags;
  const CatModel *model;
} Read;

/* Files that a test's includes find. */
typedef struct Files {
  Source sources[4];
} Files;

static const Source *
load_file (void *ctx, const Source *from, const char *path)
{
  const Files *files = ctx;
  g_assert_nonnull (from);
  for (size_t i = 0; i < G_N_ELEMENTS (files->sources); i++)
    if (g_strcmp0 (files->sources[i].name, path) == 0)
      return &files->sources[i];
  return NULL;
}

static void
read_with (Read *r, const char *name, const char *text, const CatLoader *loader)
{
  r->arena = arena_new ();
  r->source = (Source){ name, text, strlen (text) };
  r->diags = diags_new (r->arena);
  r->model = cat_read (r->arena, &r->source, loader, r->diags);
  g_assert_cmpint (r->model == NULL, ==, diags_error_count (r->diags) > 0);
}

static void
read_text (Read *r, const char *text)
{
  read_with (r, "test.cat", text, NULL);
}

static void
print_messages (const Read *r)
{
  for (unsigned i = 0; i < diags_count (r->diags); i++) {
    g_autofree char *message = diag_format (diags_get (r->diags, i));
    g_test_message ("%s", message);
  }
}

/* A text that must be right. */
static const CatModel *
read_good (Read *r, const char *text)
{
  read_text (r, text);
  print_messages (r);
  g_assert_nonnull (r->model);
  return r->model;
}

static void
read_clear (Read *r)
{
  arena_free (r->arena);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Read, read_clear)

static unsigned
node_named (const CatModel *m, const char *name)
{
  for (unsigned i = 0; i < m->binding_count; i++)
    if (strcmp (m->bindings[i].name, name) == 0)
      return m->bindings[i].node;
  g_error ("no binding '%s'", name);
}

/* ---- A node in full -----------------------------------------------------------------------
 */

static const char *const op_signs[] = {
  [CAT_OP_UNION] = "|",     [CAT_OP_INTER] = "&",  [CAT_OP_DIFF] = "\\",
  [CAT_OP_COMPL] = "~",     [CAT_OP_SEQ] = ";",    [CAT_OP_CROSS] = "x",
  [CAT_OP_INVERSE] = "^",   [CAT_OP_PLUS] = "+",   [CAT_OP_STAR] = "*",
  [CAT_OP_OPT] = "?",       [CAT_OP_ID_ON] = "id", [CAT_OP_DOMAIN] = "domain",
  [CAT_OP_RANGE] = "range",
};

/* Operators in front of their operands, everything in parentheses. */
static void
spell (const CatModel *m, unsigned node, GString *out)
{
  const CatNode *n = &m->nodes[node];
  if (n->op == CAT_OP_BASE)
    g_string_append (out, cat_base_name (n->base));
  else if (n->op == CAT_OP_EMPTY)
    g_string_append (out, n->shape == CAT_SET ? "none" : "0");
  else if (n->op == CAT_OP_REC)
    g_string_append_printf (out, "rec:%s", n->name);
  else {
    g_string_append_printf (out, "(%s ", op_signs[n->op]);
    spell (m, n->a, out);
    if (cat_operand_count (n->op) == 2) {
      g_string_append_c (out, ' ');
      spell (m, n->b, out);
    }
    g_string_append_c (out, ')');
  }
}

static char *
spelt (const CatModel *m, unsigned node)
{
  GString *out = g_string_new (NULL);
  spell (m, node, out);
  return g_string_free (out, FALSE);
}

static void
assert_spelt (const CatModel *m, const char *name, const char *wanted)
{
  g_autofree char *got = spelt (m, node_named (m, name));
  g_assert_cmpstr (got, ==, wanted);
}

/* ---- What cat.h promises of every graph ---------------------------------------------------
 */

static bool
in_group (const CatModel *m, unsigned node, int group)
{
  return m->nodes[node].group == group;
}

static void
assert_operands_first (const CatModel *m, unsigned i)
{
  const CatNode *n = &m->nodes[i];
  const unsigned operands = cat_operand_count (n->op);
  if (n->op == CAT_OP_REC) {
    g_assert_cmpuint (n->a, >, i);
    g_assert_cmpuint (n->a, <, m->node_count);
    return;
  }
  if (operands > 0)
    g_assert_cmpuint (n->a, <, i);
  if (operands > 1)
    g_assert_cmpuint (n->b, <, i);
}

static void
assert_group_together (const CatModel *m, int group)
{
  const CatGroup *g = &m->groups[group];
  unsigned first = 0;
  while (!in_group (m, first, group))
    first++;
  unsigned end = first;
  while (end < m->node_count && in_group (m, end, group))
    end++;
  for (unsigned i = end; i < m->node_count; i++)
    g_assert_false (in_group (m, i, group));
  for (unsigned i = first; i < end; i++) {
    const CatNode *n = &m->nodes[i];
    g_assert_cmpint (n->op == CAT_OP_REC, ==, i < first + g->count);
    if (n->op != CAT_OP_REC && cat_operand_count (n->op) > 1 && !in_group (m, n->b, group))
      g_assert_cmpuint (n->b, <, first);
  }
  for (unsigned i = 0; i < g->count; i++) {
    g_assert_cmpuint (m->nodes[g->vars[i]].a, ==, g->bodies[i]);
    g_assert_true (in_group (m, g->vars[i], group));
    g_assert_true (in_group (m, g->bodies[i], group));
  }
}

static void
assert_no_two_equal (const CatModel *m)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (unsigned i = 0; i < m->node_count; i++) {
    const CatNode *n = &m->nodes[i];
    if (n->op == CAT_OP_REC || n->group >= 0)
      continue;
    g_assert_true (g_hash_table_add (
        seen, g_strdup_printf ("%d %d %u %u %d", n->op, n->shape, n->a, n->b, n->base)));
  }
}

static void
assert_well_formed (const CatModel *m)
{
  for (unsigned i = 0; i < m->node_count; i++)
    assert_operands_first (m, i);
  for (unsigned i = 0; i < m->group_count; i++)
    assert_group_together (m, (int) i);
  assert_no_two_equal (m);
  for (unsigned i = 0; i < m->check_count; i++)
    g_assert_cmpuint (m->checks[i].node, <, m->node_count);
}

/* ---- Grammar ------------------------------------------------------------------------------
 */

static const struct {
  const char *expr;
  const char *wanted;
} grammar_cases[] = {
  /* Infix operators, loosest first: | ; \ & */
  { "po | rf ; co", "(| po (; rf co))" },
  { "po ; rf | co", "(| (; po rf) co)" },
  { "po ; rf \\ co", "(; po (\\ rf co))" },
  { "po \\ rf ; co", "(; (\\ po rf) co)" },
  { "po \\ rf & co", "(\\ po (& rf co))" },
  { "po & rf \\ co", "(\\ (& po rf) co)" },
  { "po | rf & co", "(| po (& rf co))" },
  { "po \\ rf \\ co", "(\\ (\\ po rf) co)" },
  { "(po | rf); co", "(; (| po rf) co)" },
  /* Products bind tighter than complement, which binds tighter than & */
  { "W * R & loc", "(& (x W R) loc)" },
  { "rf & W * R", "(& rf (x W R))" },
  { "_ * _ \\ M * M", "(\\ (x _ _) (x M M))" },
  { "W * (R | F)", "(x W (| R F))" },
  { "IW * ~IW", "(x IW (~ IW))" },
  { "~W * R", "(~ (x W R))" },
  { "~po & rf", "(& (~ po) rf)" },
  { "~ ~po", "(~ (~ po))" },
  { "W * R^-1", "(^ (x W R))" },
  { "W * domain(rf)", "(x W (domain rf))" },
  /* Suffixes, with and without '^' */
  { "rf^-1; co", "(; (^ rf) co)" },
  { "(rf)-1", "(^ rf)" },
  { "~po+", "(~ (+ po))" },
  { "po+?", "(? (+ po))" },
  { "po^+", "(+ po)" },
  { "po^*", "(* po)" },
  { "po^?", "(? po)" },
  { "po ^ -1", "(^ po)" },
  { "po*", "(* po)" },
  { "po* | rf", "(| (* po) rf)" },
  { "(po*; rf)*", "(* (; (* po) rf))" },
  { "po?; rf", "(; (? po) rf)" },
  /* Names with '-', '.' and an empty relation */
  { "loc-full & po", "(& loc-full po)" },
  { "[W & SC]; po", "(; (id (& W SC)) po)" },
  { "toid(W)", "(id W)" },
  { "toid W", "(id W)" },
  { "domain rf", "(domain rf)" },
  { "range([W]; rf)", "(range (; (id W) rf))" },
  { "fencerel(F)", "(; (& po (x _ F)) po)" },
  { "po-loc", "(& po loc)" },
  { "rfe | coe | fre", "(| (| (& rf ext) (& co ext)) (& fr ext))" },
  { "rfi | coi | fri", "(| (| (& rf int) (& co int)) (& fr int))" },
  { "let a = rf; co in a | a+", "(| (; rf co) (+ (; rf co)))" },
  { "let a = rf in let a = a+ and b = a in a & b", "(& (+ rf) rf)" },
  { "(let f(s) = [s]; po in f(W) | f(R))", "(| (; (id W) po) (; (id R) po))" },
  /* Laws of the empty set and relation, and of a thing with itself */
  { "0", "0" },
  { "0 | po", "po" },
  { "W & 0", "none" },
  { "po \\ 0", "po" },
  { "0 \\ po", "0" },
  { "po; 0", "0" },
  { "0*", "id" },
  { "0?", "id" },
  { "0+ | 0^-1", "0" },
  { "[0]", "0" },
  { "0 * W", "0" },
  { "domain(0)", "none" },
  { "po | po", "po" },
  { "W & W", "W" },
  { "po \\ po", "(\\ po po)" },
  { "~0", "(~ 0)" },
};

static void
test_grammar (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (grammar_cases); i++) {
    g_autofree char *text = g_strdup_printf ("let x = %s", grammar_cases[i].expr);
    g_test_message ("%s", text);
    g_auto (Read) r = { 0 };
    assert_spelt (read_good (&r, text), "x", grammar_cases[i].wanted);
    assert_well_formed (r.model);
  }
}

static void
test_layout (void)
{
  static const char text[] = "\xef\xbb\xbfPTX v1 \"a title\"\r\n"
                             "(* one (* nested *) comment *)\r\n"
                             "\tlet a-b.c' = po // to the end ; | \r\n"
                             "/* another\n kind */ let _x = a-b.c' # herd's newer one\n"
                             "let y = _x; rf in\n"
                             "acyclic y as first flag ~empty po* ~irreflexive rf as last";
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, text);
  assert_spelt (m, "a-b.c'", "po");
  assert_spelt (m, "y", "(; po rf)");
  g_assert_cmpuint (m->binding_count, ==, 2); /* _x is private */
  g_assert_cmpuint (m->check_count, ==, 3);
  g_assert_cmpstr (m->checks[0].name, ==, "first");
  g_assert_true (m->checks[1].negated && m->checks[1].is_flag);
  g_assert_cmpstr (m->checks[1].name, ==, "empty@7");
  g_assert_true (m->checks[2].negated && !m->checks[2].is_flag);
  g_assert_cmpint (m->checks[2].kind, ==, CAT_IRREFLEXIVE);
}

/* A file may use the end of an outer comment inside an inner one where comments do not nest. */
static void
test_comments_without_nesting (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "(* address (*(y)) *) let x = po (* (* *) let y = rf");
  assert_spelt (m, "y", "rf");
}

static void
test_no_final_newline_and_names (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = NULL;
  read_with (&r, "some/where/my-model.cat", "acyclic po // no newline", NULL);
  m = r.model;
  g_assert_nonnull (m);
  g_assert_cmpstr (m->name, ==, "my-model");
  g_assert_cmpstr (m->checks[0].name, ==, "acyclic@1");
}

/* ---- Scopes -------------------------------------------------------------------------------
 */

static void
test_later_binding_hides (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let f(x) = x; co\n"
                                     "let co = co+\n"
                                     "let fr = rf^-1; co\n"
                                     "let g = f(rf)\n"
                                     "let po = fr and h = po\n");
  assert_spelt (m, "co", "(+ co)");
  assert_spelt (m, "fr", "(; (^ rf) (+ co))");
  assert_spelt (m, "g", "(; rf co)"); /* f was written when co was the supplied one */
  assert_spelt (m, "po", "(; (^ rf) (+ co))");
  assert_spelt (m, "h", "po"); /* `and` is simultaneous */
}

static void
test_functions (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let between(s, r) = [s]; r; [s]\n"
                                     "let twice r = r; r\n"
                                     "let none() = 0\n"
                                     "let keep(_, y) = y\n"
                                     "let apply(f, x) = f(x)\n"
                                     "let a = between(W, po)\n"
                                     "let b = twice po | twice [W]\n"
                                     "let c = none() | keep(W, rf)\n"
                                     "let d = apply(twice, rf)\n");
  assert_spelt (m, "a", "(; (; (id W) po) (id W))");
  assert_spelt (m, "b", "(| (; po po) (; (id W) (id W)))");
  assert_spelt (m, "c", "rf");
  assert_spelt (m, "d", "(; rf rf)");
  g_assert_cmpuint (m->binding_count, ==, 4); /* functions are not listed */
}

static void
test_equal_expressions_are_one_node (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let a = (po; rf) | co\nlet f(x) = x | co\n"
                                     "let b = f(po; rf)\nlet c = rf; po");
  g_assert_cmpuint (node_named (m, "a"), ==, node_named (m, "b"));
  const CatNode *n = &m->nodes[node_named (m, "b")];
  g_assert_cmpstr (n->name, ==, "a");
  g_assert_cmpuint (n->span.begin, ==, strlen ("let a = ("));
}

static void
test_unused_nodes_are_dropped (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let x = (po; rf) & 0\nlet _y = co+");
  g_assert_cmpuint (m->node_count, ==, 1);
  assert_spelt (m, "x", "0");
}

static void
test_show (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let a = po\nlet b = rf\nshow b\nlet b = b+\n"
                                     "show a, co, (po; rf) as seq\nunshow a");
  static const struct {
    const char *name;
    bool shown;
  } wanted[] = { { "a", false }, { "b", true }, { "co", true }, { "seq", true } };
  g_assert_cmpuint (m->binding_count, ==, G_N_ELEMENTS (wanted));
  for (unsigned i = 0; i < m->binding_count; i++) {
    g_assert_cmpstr (m->bindings[i].name, ==, wanted[i].name);
    g_assert_cmpint (m->bindings[i].shown, ==, wanted[i].shown);
  }
  assert_spelt (m, "b", "(+ rf)");
}

/* ---- Recursion ----------------------------------------------------------------------------
 */

static void
test_recursion_one (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let rec obs = rf | obs; rmw; obs\nlet after = obs; po");
  assert_well_formed (m);
  g_assert_cmpuint (m->group_count, ==, 1);
  g_assert_cmpuint (m->groups[0].count, ==, 1);
  const unsigned var = m->groups[0].vars[0];
  g_assert_cmpuint (node_named (m, "obs"), ==, var);
  g_assert_cmpstr (m->nodes[var].name, ==, "obs");
  g_autofree char *body = spelt (m, m->groups[0].bodies[0]);
  g_assert_cmpstr (body, ==, "(| rf (; (; rec:obs rmw) rec:obs))");
  assert_spelt (m, "after", "(; rec:obs po)");
  g_assert_cmpint (m->nodes[node_named (m, "after")].group, ==, -1);
}

/* The four relations of Power's preserved program order. */
static void
test_recursion_together (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let dp = addr | data let ii0 = dp | rfi let ic0 = 0\n"
                                     "let ci0 = ctrl let cc0 = dp | po-loc | ctrl | (addr;po)\n"
                                     "let rec ii = ii0 | ci | (ic;ci) | (ii;ii)\n"
                                     "and ic = ic0 | ii | cc | (ic;cc) | (ii;ic)\n"
                                     "and ci = ci0 | (ci;ii) | (cc;ci)\n"
                                     "and cc = cc0 | ci | (ci;ic) | (cc;cc)\n"
                                     "let ppo = [R];ii;[R] | [R];ic;[W]");
  assert_well_formed (m);
  g_assert_cmpuint (m->group_count, ==, 1);
  g_assert_cmpuint (m->groups[0].count, ==, 4);
  g_autofree char *body = spelt (m, m->groups[0].bodies[1]);
  g_assert_cmpstr (body, ==, "(| (| (| rec:ii rec:cc) (; rec:ic rec:cc)) (; rec:ii rec:ic))");
}

static void
test_recursive_sets (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let rec s = t | W and t = domain(e) and e = [s]; rf; e");
  assert_well_formed (m);
  g_assert_cmpint (m->nodes[node_named (m, "s")].shape, ==, CAT_SET);
  g_assert_cmpint (m->nodes[node_named (m, "t")].shape, ==, CAT_SET);
  g_assert_cmpint (m->nodes[node_named (m, "e")].shape, ==, CAT_REL);
}

/* Bodies that are no node of the group by themselves: a variable, a thing from outside, empty.
 */
static void
test_recursion_degenerate (void)
{
  static const char *const texts[] = {
    "let rec x = x",
    "let rec x = y and y = x",
    "let rec x = po",
    "let rec x = 0",
    "let rec x = po and y = x",
    "let rec x = y and y = x | po",
    "let rec x = x & 0",
    "let rec x = W and y = [x]",
    "let rec x = x;x and y = x;x",
    "let rec a = po let rec b = a let rec c = b | c; a",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_test_message ("%s", texts[i]);
    g_auto (Read) r = { 0 };
    assert_well_formed (read_good (&r, texts[i]));
  }
}

/* x;x is thrown away inside the group and used outside of it. */
static void
test_recursion_leftovers (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let rec x = (x;x) & 0 | po | x; rf\n"
                                     "let y = x;x\nlet z = x; rf");
  assert_well_formed (m);
  g_assert_cmpint (m->nodes[node_named (m, "y")].group, ==, -1);
  g_assert_cmpint (m->nodes[node_named (m, "z")].group, ==, 0);
}

/* ---- Dependence ---------------------------------------------------------------------------
 */

static void
test_depends_on (void)
{
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, "let a = po; rf^-1\nlet rec o = p | rmw and p = o; co\n"
                                     "let b = domain(o) * W");
  g_assert_true (cat_depends_on (m, node_named (m, "a"), CAT_BASE_RF));
  g_assert_false (cat_depends_on (m, node_named (m, "a"), CAT_BASE_CO));
  g_assert_true (cat_depends_on (m, node_named (m, "b"), CAT_BASE_CO));
  g_assert_true (cat_depends_on (m, node_named (m, "p"), CAT_BASE_RMW_REL));
  g_assert_true (cat_depends_on (m, node_named (m, "b"), CAT_BASE_W));
  g_assert_false (cat_depends_on (m, node_named (m, "b"), CAT_BASE_RF));
}

static void
test_base_rows (void)
{
  g_assert_cmpstr (cat_base_name (CAT_BASE_ALL), ==, "_");
  g_assert_cmpstr (cat_base_name (CAT_BASE_LOC_FULL), ==, "loc-full");
  g_assert_cmpint (cat_base_shape (CAT_BASE_RMW), ==, CAT_SET);
  g_assert_cmpint (cat_base_shape (CAT_BASE_RMW_REL), ==, CAT_REL);
  for (unsigned i = 0; i < CAT_BASE_COUNT; i++) {
    g_assert_cmpuint (strlen (cat_base_doc ((CatBase) i)), >, 0);
    for (unsigned k = 0; k < i; k++)
      g_assert_cmpstr (cat_base_name ((CatBase) i), !=, cat_base_name ((CatBase) k));
  }
}

/* ---- Includes -----------------------------------------------------------------------------
 */

static void
set_file (Files *files, unsigned i, const char *name, const char *text)
{
  files->sources[i] = (Source){ name, text, strlen (text) };
}

static void
test_include (void)
{
  Files files = { 0 };
  set_file (&files, 0, "lib.cat", "\"title\" let x = po+ include \"deeper.cat\"");
  set_file (&files, 1, "deeper.cat", "let co = co+ acyclic x as from-deeper");
  const CatLoader loader = { load_file, &files };
  g_auto (Read) r = { 0 };
  read_with (&r, "main.cat",
             "include \"lib.cat\"\nlet x = x; co\ninclude \"lib.cat\"\nacyclic x as own",
             &loader);
  print_messages (&r);
  g_assert_nonnull (r.model);
  assert_spelt (r.model, "x", "(; (+ po) (+ co))"); /* the second include does nothing */
  g_assert_cmpuint (r.model->check_count, ==, 2);
  g_assert_cmpstr (r.model->checks[0].name, ==, "from-deeper");
  g_assert_true (r.model->checks[0].span.source == &files.sources[1]);
}

static void
assert_message (const Read *r, unsigned index, const char *wanted)
{
  g_assert_cmpuint (diags_count (r->diags), >, index);
  g_autofree char *message = diag_format (diags_get (r->diags, index));
  *strchr (message, '\n') = '\0';
  g_assert_cmpstr (message, ==, wanted);
}

static void
test_include_cycle (void)
{
  Files files = { 0 };
  set_file (&files, 0, "a.cat", "include \"b.cat\"");
  set_file (&files, 1, "b.cat", "let x = po\ninclude \"a.cat\"");
  const CatLoader loader = { load_file, &files };
  g_auto (Read) r = { 0 };
  read_with (&r, "main.cat", "include \"a.cat\"", &loader);
  assert_message (&r, 0, "b.cat:2:1: error: files include each other: a.cat -> b.cat -> a.cat");
}

/* Every path is a file of its own that includes the next. */
static const Source *
load_endless (void *ctx, const Source *from, const char *path)
{
  Arena *a = ctx;
  const size_t depth = strlen (path);
  g_assert_cmpuint (from->length, >, 0);
  Source *s = arena_new_of (a, Source);
  s->name = arena_strdup (a, path);
  s->text = arena_printf (a, "include \"%0*d\"", (int) depth + 1, 0);
  s->length = strlen (s->text);
  return s;
}

static void
test_include_endless (void)
{
  g_autoptr (Arena) a = arena_new ();
  const CatLoader loader = { load_endless, a };
  g_auto (Read) r = { 0 };
  read_with (&r, "main.cat", "include \"0\"", &loader);
  g_assert_cmpuint (diags_error_count (r.diags), ==, 1);
  g_assert_nonnull (strstr (diags_get (r.diags, 0)->message, "32 levels deep"));
}

static void
test_include_error_is_in_its_file (void)
{
  Files files = { 0 };
  set_file (&files, 0, "lib.cat", "let x = po\n\nlet y = W;x");
  const CatLoader loader = { load_file, &files };
  g_auto (Read) r = { 0 };
  read_with (&r, "main.cat", "include \"lib.cat\" include \"missing.cat\" let z = y", &loader);
  assert_message (&r, 0,
                  "lib.cat:3:9: error: set where a relation is expected (operand of ';')");
  assert_message (&r, 1, "main.cat:1:19: error: cannot find the file \"missing.cat\"");
  g_assert_cmpuint (diags_error_count (r.diags), ==, 2);
}

/* ---- Errors -------------------------------------------------------------------------------
 */

/* Folder of the bad files.  (transfer full) */
static char *
bad_folder (void)
{
  const char *root = g_getenv ("PTXMM_SOURCE_ROOT");
  return g_build_filename (root == NULL ? "." : root, "tests", "bad", "cat", NULL);
}

static const Source *
load_beside (void *ctx, const Source *from, const char *path)
{
  (void) from;
  g_autofree char *folder = bad_folder ();
  g_autofree char *full = g_build_filename (folder, path, NULL);
  char *text = NULL;
  gsize length = 0;
  if (!g_file_get_contents (full, &text, &length, NULL))
    return NULL;
  Arena *a = ctx;
  Source *s = arena_new_of (a, Source);
  *s = (Source){ arena_strdup (a, path), arena_copy (a, text, length + 1), length };
  g_free (text);
  return s;
}

static char *
messages_of (const Source *source, Arena *a)
{
  const CatLoader loader = { load_beside, a };
  Diags *diags = diags_new (a);
  g_assert_null (cat_read (a, source, &loader, diags));
  g_assert_cmpuint (diags_error_count (diags), >, 0);
  GString *out = g_string_new (NULL);
  for (unsigned i = 0; i < diags_count (diags); i++) {
    g_autofree char *message = diag_format (diags_get (diags, i));
    g_string_append (out, message);
  }
  return g_string_free (out, FALSE);
}

/* Every tests/bad/cat/NAME.cat gives the messages in NAME.cat.expected. */
static void
test_bad_files (void)
{
  g_autofree char *folder = bad_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  unsigned count = 0;
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    if (!g_str_has_suffix (name, ".cat"))
      continue;
    g_test_message ("%s", name);
    g_autoptr (Arena) a = arena_new ();
    const Source *source = load_beside (a, NULL, name);
    g_autofree char *got = messages_of (source, a);
    g_autofree char *path = g_strdup_printf ("%s/%s.expected", folder, name);
    g_autofree char *wanted = NULL;
    g_assert_true (g_file_get_contents (path, &wanted, NULL, NULL));
    g_assert_cmpstr (got, ==, wanted);
    count++;
  }
  g_assert_cmpuint (count, >, 40);
}

static void
test_several_errors (void)
{
  g_auto (Read) r = { 0 };
  read_text (&r, "let a = (po\nlet b = W; po\nlet c = unknwon\nacyclic a | b | c as ok\n"
                 "let rec d = ( and e = d & po\nempty e; W");
  assert_message (&r, 0, "test.cat:2:1: error: expected an operator or ')' before 'let'");
  assert_message (&r, 1, "test.cat:5:15: error: expected a set or a relation before 'and'");
  assert_message (&r, 2,
                  "test.cat:2:9: error: set where a relation is expected (operand of ';')");
  assert_message (&r, 3, "test.cat:3:9: error: unknown name 'unknwon'");
  assert_message (&r, 4,
                  "test.cat:6:10: error: set where a relation is expected (operand of ';')");
  g_assert_cmpuint (diags_error_count (r.diags), ==, 5); /* what uses a, b, c, d, e is silent */
}

static void
test_blocks_are_passed_over (void)
{
  g_auto (Read) r = { 0 };
  read_text (&r, "procedure p(x) =\n  let a = )\n  call q(a)\n  forall i in x do empty i end\n"
                 "end\nlet b = match x with || 'a -> let c = ) in c end\nacyclic po");
  assert_message (&r, 0, "test.cat:1:1: 'procedure' in a cat file: not modelled");
  assert_message (&r, 1, "test.cat:6:9: 'match' in a cat file: not modelled");
  g_assert_cmpuint (diags_error_count (r.diags), ==, 2);
}

/* ---- Size ---------------------------------------------------------------------------------
 */

static char *
repeated (const char *before, const char *unit, unsigned count, const char *after)
{
  GString *out = g_string_new (before);
  for (unsigned i = 0; i < count; i++)
    g_string_append (out, unit);
  g_string_append (out, after);
  return g_string_free (out, FALSE);
}

static const struct {
  const char *before, *unit, *after;
} deep_cases[] = {
  { "let x = ", "(", "po" },        { "let x = ", "[", "W" },
  { "let x = ", "~", "po" },        { "let x = W *", "~", "W" },
  { "let x = po", "^+", "" },       { "let x = po", " | rf", "" },
  { "let x = W", " * W", "" },      { "let f(x) = x let x = ", "f(", "po" },
  { "let x = ", "let y = ", "po" }, { "let x = ", "domain(", "po" },
};

static void
test_deep_expressions (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (deep_cases); i++) {
    g_autofree char *text
        = repeated (deep_cases[i].before, deep_cases[i].unit, 100000, deep_cases[i].after);
    g_test_message ("%s", deep_cases[i].unit);
    g_auto (Read) r = { 0 };
    read_text (&r, text);
    g_assert_null (r.model);
    g_assert_nonnull (strstr (diags_get (r.diags, 0)->message, "levels deep"));
  }
}

static void
test_long_files (void)
{
  g_autofree char *chain = repeated ("let x = po\n", "let x = x; rf | x\n", 20000, "acyclic x");
  g_auto (Read) r = { 0 };
  const CatModel *m = read_good (&r, chain);
  g_assert_cmpuint (m->node_count, ==, 2 * 20000 + 2);
  g_assert_true (cat_depends_on (m, m->checks[0].node, CAT_BASE_PO));
  g_autofree char *text = cat_print (m);
  g_auto (Read) again = { 0 };
  g_assert_true (cat_equal (m, read_good (&again, text)));
}

static void
test_long_local_lets (void)
{
  g_autofree char *shared
      = repeated ("let y = let x = po in\n", "let x = x; rf | x in\n", 5000, "x+");
  g_autofree char *deep
      = repeated ("let y = let x = po in\n", "let x = [domain(x)] in\n", 5000, "x+");
  g_auto (Read) r = { 0 };
  g_assert_cmpuint (read_good (&r, shared)->node_count, ==, 2 * 5000 + 3);
  g_auto (Read) d = { 0 };
  g_auto (Read) again = { 0 };
  g_assert_cmpuint (read_good (&d, deep)->node_count, ==, 2 * 5000 + 2);
  g_autofree char *text = cat_print (d.model); /* in pieces: the whole would be too deep */
  g_assert_true (cat_equal (d.model, read_good (&again, text)));
}

/* f0 … f29, each calling the one before twice: 2^30 calls. */
static void
test_calls_that_explode (void)
{
  GString *text = g_string_new ("let f0(x) = x; x\n");
  for (unsigned i = 1; i < 30; i++)
    g_string_append_printf (text, "let f%u(x) = f%u(f%u(x))\n", i, i - 1, i - 1);
  g_string_append (text, "acyclic f29(po)\nacyclic rf");
  g_auto (Read) r = { 0 };
  read_text (&r, text->str);
  g_assert_cmpuint (diags_error_count (r.diags), ==, 1);
  g_assert_nonnull (strstr (diags_get (r.diags, 0)->message, "steps to evaluate"));
  g_string_free (text, TRUE);
}

static void
test_call_of_itself (void)
{
  g_auto (Read) r = { 0 };
  read_text (&r, "let f(g) = g(g)\nlet x = f(f)");
  g_assert_cmpuint (diags_error_count (r.diags), ==, 1);
  g_assert_nonnull (strstr (diags_get (r.diags, 0)->message, "nested more than"));
}

/* ---- Built-in models ----------------------------------------------------------------------
 */

static void
test_builtin_names (void)
{
  static const char *const wanted[] = { "ptx-6.0", "ptx-7.5", "ptx-7.5-isca", "ptx-9.4" };
  const char *const *names = builtin_model_names ();
  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpstr (names[i], ==, wanted[i]);
  g_assert_null (names[G_N_ELEMENTS (wanted)]);
  g_assert_null (builtin_model ("ptx-1.0"));
  const CatLoader loader = builtin_loader ();
  g_assert_true (loader.load (loader.ctx, NULL, "ptx-7.5.cat") == builtin_model ("ptx-7.5"));
  g_assert_null (loader.load (loader.ctx, NULL, "ptx-7.5"));
}

static void
test_builtin_text (void)
{
  const char *root = g_getenv ("PTXMM_SOURCE_ROOT");
  for (const char *const *name = builtin_model_names (); *name != NULL; name++) {
    g_autofree char *path
        = g_strdup_printf ("%s/model/cat/%s.cat", root == NULL ? "." : root, *name);
    g_autofree char *text = NULL;
    gsize length = 0;
    g_assert_true (g_file_get_contents (path, &text, &length, NULL));
    const Source *source = builtin_model (*name);
    g_assert_cmpuint (source->length, ==, length);
    g_assert_cmpstr (source->text, ==, text);
  }
}

static void
test_builtin_models_read (void)
{
  for (const char *const *name = builtin_model_names (); *name != NULL; name++) {
    g_auto (Read) r = { 0 };
    read_with (&r, builtin_model (*name)->name, builtin_model (*name)->text, NULL);
    print_messages (&r);
    g_assert_nonnull (r.model);
    g_assert_cmpstr (r.model->name, ==, *name);
    assert_well_formed (r.model);
    g_autofree char *text = cat_print (r.model);
    g_auto (Read) again = { 0 };
    g_assert_true (cat_equal (r.model, read_good (&again, text)));
  }
}

/* ---- Printing -----------------------------------------------------------------------------
 */

static void
test_print_is_readable (void)
{
  static const char text[] = "let strong = W & (RLX | REL)\n"
                             "let co = co+\n"
                             "let f(r) = [strong]; r; [strong]\n"
                             "let rec obs = f(rf) | obs; rmw; obs\n"
                             "show obs, rf\n"
                             "acyclic (po | co | ~rf & W * R)+ as ok\n"
                             "flag ~empty obs \\ (po \\ rf)";
  static const char wanted[] = "let _co = co\n"
                               "let strong = W & (RLX | REL)\n"
                               "let co = _co+\n"
                               "let rec obs =\n"
                               "    [strong]; rf; [strong] | obs; rmw; obs\n"
                               "acyclic (po | co | ~rf & W * R)+ as ok\n"
                               "flag ~empty obs \\ (po \\ rf)\n"
                               "show obs, rf\n";
  g_auto (Read) r = { 0 };
  g_autofree char *got = cat_print (read_good (&r, text));
  g_assert_cmpstr (got, ==, wanted);
}

/* Parts of a body that are large and used twice, many levels deep, inside the group and after.
 */
static void
test_print_shared_parts_of_a_group (void)
{
  g_autofree char *body = repeated ("let a = r in ", "let a = a; po | a; rf in ", 60, "a; a");
  g_autofree char *text = g_strdup_printf ("let f(r) = %s\n"
                                           "let rec x = co | f(x) | y and y = f(y; x) & rf\n"
                                           "let z = f(x)\nacyclic z; f(y; x) | f(po)",
                                           body);
  g_auto (Read) r = { 0 };
  g_auto (Read) again = { 0 };
  assert_well_formed (read_good (&r, text));
  g_autofree char *printed = cat_print (r.model);
  g_assert_cmpuint (strlen (printed), <, 60000);
  g_assert_true (cat_equal (r.model, read_good (&again, printed)));
}

static const struct {
  const char *x, *y;
  bool equal;
} equal_cases[] = {
  { "acyclic po | rf", "let a = po acyclic (a) | rf", false }, /* a binding more */
  { "acyclic po | rf", "let _a = po acyclic (_a) | rf", true },
  { "acyclic po | rf", "acyclic rf | po", false },
  { "acyclic po | rf", "irreflexive po | rf", false },
  { "acyclic po | rf", "flag acyclic po | rf", false },
  { "acyclic po | rf", "~acyclic po | rf", false },
  { "acyclic po as a", "acyclic po as b", false },
  { "acyclic po as a", "acyclic po", false },
  { "acyclic po acyclic rf", "acyclic rf acyclic po", false },
  { "let a = po let b = rf", "let b = rf let a = po", true },
  { "let a = po", "let a = po show a", false },
  { "let a = po; rf", "let a = po; co", false },
  { "let a = 0 & W", "let a = 0", false },
  { "let rec a = po | a; a", "let rec a = po | a; po", false },
  { "let rec a = po | a; a", "let rec a = po | (a; a)", true },
  { "let rec a = b and b = a", "let rec b = a and a = b", false },
  { "let rec a = po | a; a", "let rec a = po | a; b and b = a", false },
};

static void
test_equal (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (equal_cases); i++) {
    g_test_message ("%s vs. %s", equal_cases[i].x, equal_cases[i].y);
    g_auto (Read) x = { 0 };
    g_auto (Read) y = { 0 };
    read_good (&x, equal_cases[i].x);
    read_good (&y, equal_cases[i].y);
    g_assert_true (cat_equal (x.model, x.model));
    g_assert_cmpint (cat_equal (x.model, y.model), ==, equal_cases[i].equal);
    g_assert_cmpint (cat_equal (y.model, x.model), ==, equal_cases[i].equal);
  }
}

/* ---- Random models ------------------------------------------------------------------------
 */

/* Writes well-typed expressions.  Names bound so far are s0 … and r0 …; inside a `let rec` also
 * v0 …, which must not stand where they would not be monotone. */
typedef struct Writer {
  GString *out;
  unsigned sets;
  unsigned rels;
  unsigned vars;
} Writer;

static unsigned
choose (unsigned count)
{
  return (unsigned) g_test_rand_int_range (0, (gint32) count);
}

static void write_rel (Writer *w, unsigned depth);

static void
write_set (Writer *w, unsigned depth)
{
  static const char *const bases[] = { "W", "R", "F", "_", "0", "RMW", "IW" };
  static const char *const infixes[] = { " | ", " & ", " \\ " };
  const unsigned vars = w->vars;
  const unsigned kind = depth == 0 ? choose (2) : choose (6);
  if (kind == 0 && w->sets > 0)
    g_string_append_printf (w->out, "s%u", choose (w->sets));
  else if (kind <= 1)
    g_string_append (w->out, bases[choose (G_N_ELEMENTS (bases))]);
  else if (kind == 2) {
    g_string_append (w->out, choose (2) == 0 ? "domain(" : "range(");
    write_rel (w, depth - 1);
    g_string_append_c (w->out, ')');
  } else if (kind == 3) {
    w->vars = 0;
    g_string_append (w->out, "~(W | ");
    write_set (w, depth - 1);
    g_string_append_c (w->out, ')');
  } else {
    const unsigned op = choose (3);
    g_string_append_c (w->out, '(');
    write_set (w, depth - 1);
    g_string_append (w->out, infixes[op]);
    w->vars = op == 2 ? 0 : vars;
    write_set (w, depth - 1);
    g_string_append_c (w->out, ')');
  }
  w->vars = vars;
}

static void
write_rel_leaf (Writer *w)
{
  static const char *const bases[] = { "po", "rf", "co", "fr", "loc", "0", "id", "po-loc" };
  if (w->vars > 0 && choose (2) == 0)
    g_string_append_printf (w->out, "v%u", choose (w->vars));
  else if (w->rels > 0 && choose (2) == 0)
    g_string_append_printf (w->out, "r%u", choose (w->rels));
  else
    g_string_append (w->out, bases[choose (G_N_ELEMENTS (bases))]);
}

static void
write_rel_infix (Writer *w, unsigned depth)
{
  static const char *const infixes[] = { " | ", "; ", " & ", " \\ " };
  const unsigned op = choose (4), vars = w->vars;
  const bool parentheses = choose (2) == 0;
  g_string_append (w->out, parentheses ? "(" : "");
  write_rel (w, depth - 1);
  g_string_append (w->out, infixes[op]);
  /* Without parentheses a '\' further left could take this operand on its right side. */
  w->vars = op == 3 || !parentheses ? 0 : vars;
  write_rel (w, depth - 1);
  w->vars = vars;
  g_string_append (w->out, parentheses ? ")" : "");
}

static void
write_rel_around (Writer *w, unsigned depth)
{
  static const char *const around[][2] = {
    { "(", ")+" },   { "(", ")*" },     { "(", ")?" },
    { "(", ")^-1" }, { "twice(", ")" }, { "(let t = ", " in t; t | t)" },
  };
  const unsigned which = choose (G_N_ELEMENTS (around));
  g_string_append (w->out, around[which][0]);
  write_rel (w, depth - 1);
  g_string_append (w->out, around[which][1]);
}

static void
write_rel (Writer *w, unsigned depth)
{
  const unsigned vars = w->vars;
  switch (depth == 0 ? 0 : choose (7)) {
  case 0:
    write_rel_leaf (w);
    break;
  case 1:
    g_string_append_c (w->out, '[');
    write_set (w, depth - 1);
    g_string_append_c (w->out, ']');
    break;
  case 2:
    g_string_append_c (w->out, '(');
    write_set (w, 0);
    g_string_append (w->out, " * ");
    write_set (w, 0);
    g_string_append_c (w->out, ')');
    break;
  case 3:
    w->vars = 0;
    g_string_append (w->out, "~(");
    write_rel (w, depth - 1);
    g_string_append_c (w->out, ')');
    break;
  case 4:
    write_rel_around (w, depth);
    break;
  default:
    write_rel_infix (w, depth);
    break;
  }
  w->vars = vars;
}

/* A '\' between operands without parentheses may reach further right than it looks; bodies keep
 * each alternative in parentheses. */
static void
write_group (Writer *w)
{
  const unsigned count = 1 + choose (3);
  for (unsigned i = 0; i < count; i++) {
    g_string_append_printf (w->out, "%s v%u = (", i == 0 ? "let rec" : "and", i);
    w->vars = 0;
    write_rel (w, 2);
    g_string_append_printf (w->out, ") | (v%u; (", choose (count));
    write_rel (w, 1);
    g_string_append_printf (w->out, ")) | ([domain(v%u)]; v%u)\n", choose (count),
                            choose (count));
  }
  for (unsigned i = 0; i < count; i++)
    g_string_append_printf (w->out, "let r%u = v%u%s\n", w->rels++, i,
                            choose (2) == 0 ? "" : "; v0");
}

static void
write_statement (Writer *w)
{
  static const char *const hidden[] = { "po", "co", "fr" };
  const unsigned kind = choose (9);
  if (kind == 0)
    write_group (w);
  else if (kind == 1) {
    g_string_append_printf (w->out, "let s%u = ", w->sets);
    write_set (w, 4);
    w->sets++;
  } else if (kind == 2) {
    g_string_append_printf (w->out, "let %s = ", hidden[choose (G_N_ELEMENTS (hidden))]);
    write_rel (w, 2);
  } else if (kind == 3 && w->rels > 0)
    g_string_append_printf (w->out, "show r%u, rf", choose (w->rels));
  else if (kind <= 5) {
    g_string_append (w->out, kind == 4 ? "flag ~empty " : "acyclic ");
    write_rel (w, 4);
    g_string_append (w->out, choose (2) == 0 ? " as named" : "");
  } else {
    g_string_append_printf (w->out, "let r%u = ", w->rels);
    write_rel (w, 5);
    w->rels++;
  }
  g_string_append_c (w->out, '\n');
}

static void
test_print_random (void)
{
  for (unsigned round = 0; round < 300; round++) {
    Writer w = { g_string_new ("let twice(x) = x; x | x\n"), 0, 0, 0 };
    for (unsigned i = 0; i < 12; i++)
      write_statement (&w);
    g_auto (Read) r = { 0 };
    read_text (&r, w.out->str);
    if (r.model == NULL) {
      g_test_message ("%s", w.out->str);
      print_messages (&r);
    }
    g_assert_nonnull (r.model);
    assert_well_formed (r.model);
    g_autofree char *text = cat_print (r.model);
    g_auto (Read) again = { 0 };
    read_text (&again, text);
    if (again.model == NULL || !cat_equal (r.model, again.model)) {
      g_test_message ("%s\n---\n%s", w.out->str, text);
      print_messages (&again);
    }
    g_assert_true (again.model != NULL && cat_equal (r.model, again.model));
    assert_well_formed (again.model);
    g_string_free (w.out, TRUE);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/cat/grammar", test_grammar);
  g_test_add_func ("/model/cat/layout", test_layout);
  g_test_add_func ("/model/cat/layout/comments-without-nesting", test_comments_without_nesting);
  g_test_add_func ("/model/cat/layout/names", test_no_final_newline_and_names);
  g_test_add_func ("/model/cat/scope/later-binding-hides", test_later_binding_hides);
  g_test_add_func ("/model/cat/scope/functions", test_functions);
  g_test_add_func ("/model/cat/graph/equal-expressions-are-one-node",
                   test_equal_expressions_are_one_node);
  g_test_add_func ("/model/cat/graph/unused-nodes-are-dropped", test_unused_nodes_are_dropped);
  g_test_add_func ("/model/cat/show", test_show);
  g_test_add_func ("/model/cat/rec/one", test_recursion_one);
  g_test_add_func ("/model/cat/rec/together", test_recursion_together);
  g_test_add_func ("/model/cat/rec/sets", test_recursive_sets);
  g_test_add_func ("/model/cat/rec/degenerate", test_recursion_degenerate);
  g_test_add_func ("/model/cat/rec/leftovers", test_recursion_leftovers);
  g_test_add_func ("/model/cat/depends-on", test_depends_on);
  g_test_add_func ("/model/cat/base-rows", test_base_rows);
  g_test_add_func ("/model/cat/include/nested-and-repeated", test_include);
  g_test_add_func ("/model/cat/include/cycle", test_include_cycle);
  g_test_add_func ("/model/cat/include/endless", test_include_endless);
  g_test_add_func ("/model/cat/include/error-is-in-its-file",
                   test_include_error_is_in_its_file);
  g_test_add_func ("/model/cat/errors/bad-files", test_bad_files);
  g_test_add_func ("/model/cat/errors/several", test_several_errors);
  g_test_add_func ("/model/cat/errors/blocks-are-passed-over", test_blocks_are_passed_over);
  g_test_add_func ("/model/cat/size/deep-expressions", test_deep_expressions);
  g_test_add_func ("/model/cat/size/long-files", test_long_files);
  g_test_add_func ("/model/cat/size/long-local-lets", test_long_local_lets);
  g_test_add_func ("/model/cat/size/calls-that-explode", test_calls_that_explode);
  g_test_add_func ("/model/cat/size/call-of-itself", test_call_of_itself);
  g_test_add_func ("/model/cat/builtin/names", test_builtin_names);
  g_test_add_func ("/model/cat/builtin/text", test_builtin_text);
  g_test_add_func ("/model/cat/builtin/read", test_builtin_models_read);
  g_test_add_func ("/model/cat/print/readable", test_print_is_readable);
  g_test_add_func ("/model/cat/print/shared-parts-of-a-group",
                   test_print_shared_parts_of_a_group);
  g_test_add_func ("/model/cat/print/equal", test_equal);
  g_test_add_func ("/model/cat/print/random-models-come-back", test_print_random);
  return g_test_run ();
}
