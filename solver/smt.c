/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/smt.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <z3.h>

/* The functions we use; each becomes a member of Api with the type that z3.h gives it. */
#define API_FUNCTIONS(X)                                                                       \
  X (mk_config)                                                                                \
  X (del_config)                                                                               \
  X (mk_context)                                                                               \
  X (del_context)                                                                              \
  X (set_error_handler)                                                                        \
  X (get_full_version)                                                                         \
  X (get_estimated_alloc_size)                                                                 \
  X (mk_int_symbol)                                                                            \
  X (mk_string_symbol)                                                                         \
  X (mk_bool_sort)                                                                             \
  X (mk_const)                                                                                 \
  X (mk_not)                                                                                   \
  X (mk_or)                                                                                    \
  X (mk_false)                                                                                 \
  X (get_app_decl)                                                                             \
  X (to_app)                                                                                   \
  X (mk_solver_for_logic)                                                                      \
  X (solver_inc_ref)                                                                           \
  X (solver_dec_ref)                                                                           \
  X (solver_assert)                                                                            \
  X (solver_check_assumptions)                                                                 \
  X (solver_get_model)                                                                         \
  X (solver_get_unsat_core)                                                                    \
  X (solver_set_params)                                                                        \
  X (solver_get_reason_unknown)                                                                \
  X (mk_params)                                                                                \
  X (params_inc_ref)                                                                           \
  X (params_dec_ref)                                                                           \
  X (params_set_uint)                                                                          \
  X (model_inc_ref)                                                                            \
  X (model_dec_ref)                                                                            \
  X (model_get_const_interp)                                                                   \
  X (get_bool_value)                                                                           \
  X (ast_vector_inc_ref)                                                                       \
  X (ast_vector_dec_ref)                                                                       \
  X (ast_vector_size)                                                                          \
  X (ast_vector_get)                                                                           \
  X (global_param_set)

typedef struct Api {
#define MEMBER(name) __typeof__ (&Z3_##name) name;
  API_FUNCTIONS (MEMBER)
#undef MEMBER
} Api;

struct Smt {
  void *library;
  Api z3;
  char *version;
  Z3_context context;
  Z3_solver solver;
  Z3_model model;
  GArray *positive; /* Z3_ast by variable; kept from question to question */
  GArray *negative;
  Z3_ast_vector core;
  size_t synced; /* literals of the formula handed over so far */
  unsigned checks;
  unsigned timeout; /* set on the solver at present; 0: none */
};

/* A context is renewed when Z3 holds more than this between two questions: terms live as long
 * as their context does. */
static const size_t CONTEXT_BYTES = (size_t) 64 << 20;

static const struct {
  const char *name;
  size_t member;
} functions[] = {
#define ROW(name) { "Z3_" #name, offsetof (Api, name) },
  API_FUNCTIONS (ROW)
#undef ROW
};

static bool
load_functions (Smt *smt, GError **error)
{
  for (size_t k = 0; k < G_N_ELEMENTS (functions); k++) {
    void *address = dlsym (smt->library, functions[k].name);
    if (address == NULL) {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS, "the Z3 library lacks %s",
                   functions[k].name);
      return false;
    }
    memcpy ((char *) &smt->z3 + functions[k].member, &address, sizeof address);
  }
  return true;
}

static void
open_context (Smt *smt)
{
  /* Compacting models costs more than all the rest when thousands of outcomes are enumerated.
   */
  smt->z3.global_param_set ("model.compact", "false");
  Z3_config config = smt->z3.mk_config ();
  smt->context = smt->z3.mk_context (config);
  smt->z3.del_config (config);
  smt->z3.set_error_handler (smt->context, NULL);
  g_array_set_size (smt->positive, 0);
  g_array_set_size (smt->negative, 0);
}

static void
drop_answer (Smt *smt)
{
  if (smt->model != NULL)
    smt->z3.model_dec_ref (smt->context, smt->model);
  if (smt->core != NULL)
    smt->z3.ast_vector_dec_ref (smt->context, smt->core);
  smt->model = NULL;
  smt->core = NULL;
}

static void
drop_solver (Smt *smt)
{
  drop_answer (smt);
  if (smt->solver != NULL)
    smt->z3.solver_dec_ref (smt->context, smt->solver);
  smt->solver = NULL;
}

static void
close_context (Smt *smt)
{
  if (smt->context == NULL)
    return;
  drop_solver (smt);
  smt->z3.del_context (smt->context);
  smt->context = NULL;
}

Smt *
smt_new (const char *library, GError **error)
{
  g_autofree Smt *smt = g_new0 (Smt, 1);
  smt->library = dlopen (library != NULL ? library : PTXMM_Z3_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (smt->library == NULL) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "cannot load Z3: %s", dlerror ());
    return NULL;
  }
  if (!load_functions (smt, error)) {
    dlclose (smt->library);
    return NULL;
  }
  smt->version = g_strdup (smt->z3.get_full_version ());
  smt->positive = g_array_new (FALSE, TRUE, sizeof (Z3_ast));
  smt->negative = g_array_new (FALSE, TRUE, sizeof (Z3_ast));
  open_context (smt);
  return g_steal_pointer (&smt);
}

void
smt_free (Smt *smt)
{
  if (smt == NULL)
    return;
  close_context (smt);
  g_array_unref (smt->positive);
  g_array_unref (smt->negative);
  g_free (smt->version);
  /* Z3 registers destructors of its own; the library stays mapped until the process ends. */
  g_free (smt);
}

const char *
smt_version (const Smt *smt)
{
  return smt->version;
}

void
smt_reset (Smt *smt)
{
  drop_solver (smt);
  if (smt->z3.get_estimated_alloc_size () > CONTEXT_BYTES) {
    close_context (smt);
    open_context (smt);
  }
  /* QF_FD: finite domains, Z3's incremental SAT solver. */
  smt->solver = smt->z3.mk_solver_for_logic (smt->context,
                                             smt->z3.mk_string_symbol (smt->context, "QF_FD"));
  smt->z3.solver_inc_ref (smt->context, smt->solver);
  smt->synced = 0;
  smt->checks = 0;
  smt->timeout = 0;
}

/* ---- Literals as terms --------------------------------------------------------------------
 */

static Z3_ast
variable_term (Smt *smt, unsigned variable)
{
  if (variable >= smt->positive->len) {
    g_array_set_size (smt->positive, variable + 1);
    g_array_set_size (smt->negative, variable + 1);
  }
  Z3_ast *term = &g_array_index (smt->positive, Z3_ast, variable);
  if (*term == NULL) {
    Z3_symbol name = smt->z3.mk_int_symbol (smt->context, (int) variable);
    *term = smt->z3.mk_const (smt->context, name, smt->z3.mk_bool_sort (smt->context));
  }
  return *term;
}

static Z3_ast
literal_term (Smt *smt, Lit lit)
{
  unsigned variable = (unsigned) ABS (lit);
  Z3_ast term = variable_term (smt, variable);
  if (lit > 0)
    return term;
  Z3_ast *negated = &g_array_index (smt->negative, Z3_ast, variable);
  if (*negated == NULL)
    *negated = smt->z3.mk_not (smt->context, term);
  return *negated;
}

void
smt_sync (Smt *smt, const Cnf *f)
{
  size_t length = 0;
  const Lit *data = cnf_data (f, &length);
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (Z3_ast));
  while (smt->synced < length) {
    g_array_set_size (terms, 0);
    for (; data[smt->synced] != 0; smt->synced++) {
      Z3_ast term = literal_term (smt, data[smt->synced]);
      g_array_append_val (terms, term);
    }
    smt->synced++;
    Z3_ast clause = terms->len == 0   ? smt->z3.mk_false (smt->context)
                    : terms->len == 1 ? g_array_index (terms, Z3_ast, 0)
                                      : smt->z3.mk_or (smt->context, terms->len,
                                                       (const Z3_ast *) terms->data);
    smt->z3.solver_assert (smt->context, smt->solver, clause);
  }
}

/* ---- Questions ----------------------------------------------------------------------------
 */

static void
set_timeout (Smt *smt, unsigned milliseconds)
{
  if (smt->timeout == milliseconds)
    return;
  Z3_params params = smt->z3.mk_params (smt->context);
  smt->z3.params_inc_ref (smt->context, params);
  smt->z3.params_set_uint (smt->context, params,
                           smt->z3.mk_string_symbol (smt->context, "timeout"),
                           milliseconds == 0 ? UINT32_MAX : milliseconds);
  smt->z3.solver_set_params (smt->context, smt->solver, params);
  smt->z3.params_dec_ref (smt->context, params);
  smt->timeout = milliseconds;
}

static StopReason
reason_unknown (Smt *smt)
{
  const char *reason = smt->z3.solver_get_reason_unknown (smt->context, smt->solver);
  return reason != NULL && strstr (reason, "mem") != NULL ? STOP_MEMORY : STOP_TIME;
}

SmtAnswer
smt_check (Smt *smt, const Lit *assumptions, unsigned count, const Budget *budget,
           StopReason *stopped)
{
  drop_answer (smt);
  *stopped = budget_poll (budget, smt_bytes (smt));
  if (*stopped != STOP_NONE)
    return SMT_UNKNOWN;
  if (budget != NULL && budget->seconds > 0)
    set_timeout (smt, (unsigned) CLAMP (budget->seconds * 1000, 1, 4e9));
  g_autofree Z3_ast *terms = g_new (Z3_ast, count + 1);
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++) {
    if (assumptions[i] == LIT_FALSE)
      return SMT_UNSAT;
    if (assumptions[i] != LIT_TRUE)
      terms[kept++] = literal_term (smt, assumptions[i]);
  }
  smt->checks++;
  switch (smt->z3.solver_check_assumptions (smt->context, smt->solver, kept, terms)) {
  case Z3_L_TRUE:
    smt->model = smt->z3.solver_get_model (smt->context, smt->solver);
    smt->z3.model_inc_ref (smt->context, smt->model);
    return SMT_SAT;
  case Z3_L_FALSE:
    return SMT_UNSAT;
  case Z3_L_UNDEF:
    *stopped = reason_unknown (smt);
    return SMT_UNKNOWN;
  }
  g_assert_not_reached ();
}

bool
smt_holds (const Smt *smt, Lit lit)
{
  unsigned variable = (unsigned) ABS (lit);
  bool value = variable == 1;
  if (!value && variable < smt->positive->len) {
    Z3_ast term = g_array_index (smt->positive, Z3_ast, variable);
    if (term != NULL) {
      Z3_func_decl decl
          = smt->z3.get_app_decl (smt->context, smt->z3.to_app (smt->context, term));
      Z3_ast truth = smt->z3.model_get_const_interp (smt->context, smt->model, decl);
      value = truth != NULL && smt->z3.get_bool_value (smt->context, truth) == Z3_L_TRUE;
    }
  }
  return lit > 0 ? value : !value;
}

void
smt_core (const Smt *smt, const Lit *assumptions, unsigned count, bool *used)
{
  Smt *self = (Smt *) smt;
  memset (used, 0, count * sizeof *used);
  for (unsigned i = 0; i < count; i++)
    if (assumptions[i] == LIT_FALSE) {
      used[i] = true;
      return;
    }
  if (self->core == NULL) {
    self->core = self->z3.solver_get_unsat_core (self->context, self->solver);
    self->z3.ast_vector_inc_ref (self->context, self->core);
  }
  unsigned size = self->z3.ast_vector_size (self->context, self->core);
  for (unsigned k = 0; k < size; k++) {
    Z3_ast term = self->z3.ast_vector_get (self->context, self->core, k);
    for (unsigned i = 0; i < count; i++)
      used[i] |= assumptions[i] != LIT_TRUE && literal_term (self, assumptions[i]) == term;
  }
}

size_t
smt_bytes (const Smt *smt)
{
  return (size_t) smt->z3.get_estimated_alloc_size ();
}

unsigned
smt_check_count (const Smt *smt)
{
  return smt->checks;
}
