/* json.h - a streaming JSON writer into a dd_text, one line, keys in the order written. Strings are escaped and
 * made valid UTF-8 (bad bytes become U+FFFD); non-finite numbers become null. Misnesting is an assert. */
#ifndef DD_BASE_JSON_H
#define DD_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct dd_json {
    dd_text *out;
    uint32_t depth;
    bool first[32]; /* per level: nothing written yet */
    bool after_key;
} dd_json;

dd_json dd_json_new(dd_text *out);
void dd_json_begin_object(dd_json *j);
void dd_json_end_object(dd_json *j);
void dd_json_begin_array(dd_json *j);
void dd_json_end_array(dd_json *j);
void dd_json_key(dd_json *j, const char *key);
void dd_json_string(dd_json *j, const char *s);
void dd_json_number(dd_json *j, double v); /* shortest text that reads back exactly */
void dd_json_int(dd_json *j, int64_t v);
void dd_json_bool(dd_json *j, bool v);
void dd_json_null(dd_json *j);

/* A key and its value. */
void dd_json_put_string(dd_json *j, const char *key, const char *s);
void dd_json_put_number(dd_json *j, const char *key, double v);
void dd_json_put_int(dd_json *j, const char *key, int64_t v);
void dd_json_put_strings(dd_json *j, const char *key, const char *const *list, uint32_t n);

#endif
