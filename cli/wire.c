/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/wire.h"

#include <glib.h>
#include <jansson.h>

#include "reports/layout.h"

static const Field wire_fields[] = {
  { .name = "report",
    .kind = FIELD_OBJECT,
    .offset = offsetof (Wire, report),
    .layout = &test_report_layout },
  { .name = "messages", .kind = FIELD_TEXT, .offset = offsetof (Wire, messages) },
  { .name = "z3", .kind = FIELD_TEXT, .offset = offsetof (Wire, z3) },
};

static const Layout wire_layout = { wire_fields, G_N_ELEMENTS (wire_fields), sizeof (Wire) };

char *
wire_encode (const Wire *wire)
{
  g_autofree char *valid
      = wire->messages == NULL ? NULL : g_utf8_make_valid (wire->messages, -1);
  Wire sent = { wire->report, valid, wire->z3 };
  json_t *json = layout_to_json (&wire_layout, &sent);
  char *text = json_dumps (json, JSON_COMPACT);
  json_decref (json);
  return text;
}

Wire *
wire_decode (Arena *a, const char *text, size_t length)
{
  json_t *json = json_loadb (text, length, 0, NULL);
  Wire *wire = json == NULL ? NULL : layout_from_json (a, &wire_layout, json);
  json_decref (json);
  return wire;
}
