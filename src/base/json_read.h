/* json_read.h - reading JSON (RFC 8259) into a tree that knows the place of everything in its text. */
#ifndef DD_BASE_JSON_READ_H
#define DD_BASE_JSON_READ_H

#include <stdbool.h>

#include "base/pool.h"
#include "base/source.h"

typedef enum dd_json_kind {
    DD_JSON_NULL,
    DD_JSON_BOOL,
    DD_JSON_NUMBER,
    DD_JSON_STRING,
    DD_JSON_ARRAY,
    DD_JSON_OBJECT
} dd_json_kind;

/*   array or object ── first ── next ── next ── NULL       members of an object have a key */
typedef struct dd_json_value {
    dd_json_kind kind;
    dd_span span;     /* with quotes or brackets */
    const char *key;  /* of a member of an object, decoded; NULL elsewhere */
    dd_span key_span; /* with its quotes */
    const char *text; /* a string decoded, a number as written; terminated; NULL for the others */
    size_t length;    /* of text */
    bool boolean;     /* the value of a DD_JSON_BOOL */
    uint32_t count;   /* elements of an array or object */
    struct dd_json_value *first, *last, *next;
} dd_json_value;

enum { DD_JSON_DEEPEST = 64 }; /* brackets inside each other */

/* Reads the source text number `file` (source.h). Returns NULL after reporting one error at its place. The tree lives
 * in the pool. Raises when memory runs out. */
dd_json_value *dd_json_read(dd_pool *pool, uint32_t file);

/* "a number", "an array", ...: for messages. */
const char *dd_json_kind_name(dd_json_kind kind);

#endif
