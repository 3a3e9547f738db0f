/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/litmus_parser.h"

/* ---- Names --------------------------------------------------------------------------------
 */

/* "P0" or "0" before a colon: the thread's number. */
bool
litmus_thread_number (Reader *r, uint64_t *number)
{
  Token digits = r->c.token;
  if (cursor_at (&r->c, TOKEN_NAME) && r->c.text[digits.begin] == 'P')
    digits.begin++;
  else if (!cursor_at (&r->c, TOKEN_NUMBER))
    return false;
  return digits.begin < digits.end && g_ascii_isdigit (r->c.text[digits.begin])
         && cursor_number (&r->c, digits, number) == NUMBER_OK;
}

/* The thread of "P0:"; the reader then stands after the colon. */
int
litmus_thread_prefix (LitmusParser *p)
{
  uint64_t number = 0;
  Reader *r = &p->r;
  int thread = litmus_thread_number (r, &number) ? builder_find_thread (p->b, number) : -1;
  if (thread < 0)
    report (r->reporter, DIAG_ERROR, reader_span (r), "there is no thread %s",
            cursor_describe (&r->c, r->c.token, r->arena));
  cursor_next (&r->c);
  cursor_next (&r->c);
  return thread;
}

bool
litmus_at_register (const Reader *r)
{
  return cursor_at (&r->c, TOKEN_NAME) && name_is_register (reader_slice (r));
}

/* A location's name where no register may stand. */
bool
litmus_location_name (Reader *r, Slice *name, Span *span)
{
  if (!cursor_at (&r->c, TOKEN_NAME) || litmus_at_register (r)) {
    reader_expected (r, "a location");
    return false;
  }
  *name = reader_slice (r);
  *span = reader_span (r);
  cursor_next (&r->c);
  return true;
}

bool
litmus_at_thread_prefix (const Reader *r)
{
  return (cursor_at (&r->c, TOKEN_NAME) || cursor_at (&r->c, TOKEN_NUMBER))
         && cursor_peek (&r->c).kind == TOKEN_COLON;
}

/* ---- Initial values -----------------------------------------------------------------------
 */

typedef struct DeclType {
  unsigned bits; /* 0: not said */
  SpaceWritten space;
  Span space_span;
} DeclType;

static const struct {
  const char *name;
  unsigned bits;
} c_types[] = {
  { "int", 32 },      { "unsigned", 32 }, { "int32_t", 32 },
  { "uint32_t", 32 }, { "int64_t", 64 },  { "uint64_t", 64 },
};

static const struct {
  const char *name;
  unsigned bits;
  SpaceWritten space;
} ptx_types[] = {
  { "u32", 32, 0 },
  { "s32", 32, 0 },
  { "b32", 32, 0 },
  { "u64", 64, 0 },
  { "s64", 64, 0 },
  { "b64", 64, 0 },
  { "global", 0, SPACE_IS_GLOBAL },
  { "shared", 0, SPACE_IS_SHARED },
};

/* Types that C or PTX has and no object here. */
static const char *const refused_types[] = {
  "char",    "short",    "long", "float", "double", "bool",  "int8_t", "int16_t",
  "uint8_t", "uint16_t", "u8",   "u16",   "s8",     "s16",   "b8",     "b16",
  "b128",    "f16",      "f32",  "f64",   "const",  "local", "param",
};

static bool
refuse_type (Reader *r)
{
  for (size_t i = 0; i < G_N_ELEMENTS (refused_types); i++)
    if (cursor_at_word (&r->c, refused_types[i])) {
      report (r->reporter, DIAG_NOT_MODELLED, reader_span (r), "type %s", refused_types[i]);
      return false;
    }
  return true;
}

/* ".u64", ".shared" */
static bool
parse_ptx_type (Reader *r, DeclType *type)
{
  for (size_t i = 0; i < G_N_ELEMENTS (ptx_types); i++) {
    if (!cursor_at_word (&r->c, ptx_types[i].name))
      continue;
    bool is_space = ptx_types[i].space != SPACE_UNSAID;
    if (is_space ? type->space != SPACE_UNSAID : type->bits != 0) {
      report (r->reporter, DIAG_ERROR, reader_span (r), "two %s in one declaration",
              is_space ? "state spaces" : "types");
      return false;
    }
    type->bits = MAX (type->bits, ptx_types[i].bits);
    if (is_space) {
      type->space = ptx_types[i].space;
      type->space_span = reader_span (r);
    }
    cursor_next (&r->c);
    return true;
  }
  if (refuse_type (r))
    reader_expected (r, "a type or '.global' or '.shared'");
  return false;
}

/* A C type is a name with another name or a star after it. */
static bool
at_c_type (const Reader *r)
{
  TokenKind next = cursor_peek (&r->c).kind;
  return cursor_at (&r->c, TOKEN_NAME) && (next == TOKEN_NAME || next == TOKEN_STAR);
}

/* "uint32_t", "int *" */
static bool
parse_c_type (Reader *r, DeclType *type)
{
  for (size_t i = 0; i < G_N_ELEMENTS (c_types); i++)
    if (cursor_accept_word (&r->c, c_types[i].name)) {
      type->bits = cursor_accept (&r->c, TOKEN_STAR) ? 64 : c_types[i].bits;
      return true;
    }
  if (refuse_type (r))
    report (r->reporter, DIAG_ERROR, reader_span (r), "unknown type %s",
            cursor_describe (&r->c, r->c.token, r->arena));
  return false;
}

static bool
parse_decl_type (Reader *r, DeclType *type)
{
  while (cursor_accept (&r->c, TOKEN_DOT))
    if (!parse_ptx_type (r, type))
      return false;
  if (at_c_type (r))
    return parse_c_type (r, type);
  return true;
}

/* The value after '=': a constant, or the address of a location. */
typedef struct InitValue {
  bool is_address;
  Slice location;
  uint64_t constant;
  Span span;
} InitValue;

static bool
parse_init_value (Reader *r, InitValue *value)
{
  size_t begin = r->c.token.begin;
  bool is_constant = cursor_at (&r->c, TOKEN_NUMBER) || cursor_at (&r->c, TOKEN_MINUS);
  bool has_amp = cursor_accept (&r->c, TOKEN_AMP);
  *value = (InitValue){ .is_address = !is_constant };
  if (!is_constant && !has_amp && !cursor_at (&r->c, TOKEN_NAME)) {
    reader_expected (r, "a constant or a location");
    return false;
  }
  bool good = is_constant ? reader_integer (r, "a constant", &value->constant)
                          : litmus_location_name (r, &value->location, &value->span);
  value->span = reader_span_from (r, begin);
  return good;
}

/* Registers are initialised before the header says which threads there are, so these lines are
 * read twice: first for their form, after the header for their meaning. */
static bool
skip_register_init (LitmusParser *p)
{
  Reader *r = &p->r;
  InitValue value;
  cursor_next (&r->c);
  cursor_next (&r->c);
  if (!litmus_at_register (r)) {
    reader_expected (r, "a register");
    return false;
  }
  cursor_next (&r->c);
  return !cursor_accept (&r->c, TOKEN_EQ) || parse_init_value (r, &value);
}

static const struct {
  const char *name;
  Proxy proxy;
} alias_proxies[] = {
  { "generic", PROXY_GENERIC },
  { "surface", PROXY_SURFACE },
  { "texture", PROXY_TEXTURE },
  { "constant", PROXY_CONSTANT },
};

static bool
parse_alias_proxy (Reader *r, Proxy *proxy)
{
  for (size_t i = 0; i < G_N_ELEMENTS (alias_proxies); i++)
    if (cursor_accept_word (&r->c, alias_proxies[i].name)) {
      *proxy = alias_proxies[i].proxy;
      return true;
    }
  reader_expected (r, "a proxy (generic, surface, texture or constant)");
  return false;
}

/* "@ surface aliases x" after the name */
static bool
parse_alias (LitmusParser *p, LocationDecl *decl, const DeclType *type)
{
  Reader *r = &p->r;
  cursor_next (&r->c);
  if (!parse_alias_proxy (r, &decl->proxy))
    return false;
  if (!cursor_accept_word (&r->c, "aliases")) {
    reader_expected (r, "'aliases'");
    return false;
  }
  if (!litmus_location_name (r, &decl->target, &decl->target_span))
    return false;
  decl->is_alias = true;
  if (type->bits != 0 || type->space != SPACE_UNSAID) {
    report (r->reporter, DIAG_ERROR, decl->span, "an alias has the type of what it aliases");
    return false;
  }
  return true;
}

static bool
parse_location_init (LitmusParser *p)
{
  Reader *r = &p->r;
  DeclType type = { 0 };
  InitValue value = { 0 };
  if (!parse_decl_type (r, &type))
    return false;
  if (!cursor_at (&r->c, TOKEN_NAME) || litmus_at_register (r)) {
    reader_expected (r, "a location, or a register as in 'P0:r0'");
    return false;
  }
  LocationDecl *decl = builder_declare (p->b, reader_slice (r), reader_span (r));
  cursor_next (&r->c);
  if (decl == NULL)
    return false;
  decl->bits = type.bits;
  decl->space = type.space;
  decl->space_span = type.space_span;
  if (cursor_at (&r->c, TOKEN_AT))
    return parse_alias (p, decl, &type);
  if (!cursor_accept (&r->c, TOKEN_EQ))
    return true;
  if (!parse_init_value (r, &value))
    return false;
  decl->init_is_address = value.is_address;
  decl->init_name = value.location;
  decl->init = value.constant;
  decl->init_span = value.span;
  return true;
}

/* To the next ';' or '}' after an error. */
static void
skip_init (Reader *r)
{
  while (!cursor_at (&r->c, TOKEN_SEMICOLON) && !cursor_at (&r->c, TOKEN_RBRACE)
         && !cursor_at (&r->c, TOKEN_END))
    cursor_next (&r->c);
}

/* One pass over the initial section, from '{' to behind '}'. */
static bool
parse_init_section (LitmusParser *p, bool (*parse_register) (LitmusParser *p),
                    bool (*parse_location) (LitmusParser *p))
{
  Reader *r = &p->r;
  if (!reader_expect (r, TOKEN_LBRACE, "before the initial values"))
    return false;
  while (!cursor_at (&r->c, TOKEN_RBRACE) && !reporter_is_full (r->reporter)) {
    if (cursor_accept (&r->c, TOKEN_SEMICOLON))
      continue;
    bool good = litmus_at_thread_prefix (r) ? parse_register (p) : parse_location (p);
    if (good && !cursor_at (&r->c, TOKEN_RBRACE))
      good = reader_expect (r, TOKEN_SEMICOLON, "or '}' after an initial value");
    if (!good)
      skip_init (r);
    if (cursor_at (&r->c, TOKEN_END))
      break;
  }
  return reader_expect (r, TOKEN_RBRACE, "after the initial values");
}

static bool
parse_register_init (LitmusParser *p)
{
  Reader *r = &p->r;
  InitValue value = { 0 };
  int thread = litmus_thread_prefix (p);
  if (thread < 0)
    return false;
  Slice name = reader_slice (r);
  Span span = reader_span (r);
  unsigned reg = builder_register (p->b, (unsigned) thread, name);
  cursor_next (&r->c);
  if (cursor_accept (&r->c, TOKEN_EQ) && !parse_init_value (r, &value))
    return false;
  int location = value.is_address ? builder_location (p->b, value.location, value.span) : 0;
  if (location < 0)
    return false;
  bool fresh = value.is_address
                   ? builder_init_register_address (p->b, (unsigned) thread, reg,
                                                    (unsigned) location, span)
                   : builder_init_register (p->b, (unsigned) thread, reg, value.constant,
                                            value.span.source == NULL ? span : value.span);
  if (!fresh)
    report (r->reporter, DIAG_ERROR, span, "this register has an initial value already");
  return fresh;
}

/* The second pass has nothing to do for locations. */
static bool
skip_location_init (LitmusParser *p)
{
  skip_init (&p->r);
  return true;
}

bool
litmus_parse_init (LitmusParser *p)
{
  bool ended = parse_init_section (p, skip_register_init, parse_location_init);
  builder_end_declarations (p->b);
  return ended;
}

void
litmus_parse_register_init (LitmusParser *p, size_t init_begin)
{
  Cursor behind_header = p->r.c;
  cursor_seek (&p->r.c, init_begin);
  parse_init_section (p, parse_register_init, skip_location_init);
  p->r.c = behind_header;
}
