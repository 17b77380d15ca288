/* flatten_connect.h - shared by the files flatten_connect*.c. */
#ifndef DD_LANG_FLATTEN_CONNECT_H
#define DD_LANG_FLATTEN_CONNECT_H

#include "lang/flatten.h"

/* ---- flatten_connect_set.c ---- */

/* A node, and its place in the set it is in. */
typedef struct dd_connected {
    uint32_t parent;  /* union-find; the root is the first of its set */
    uint32_t next;    /* in its set, in the order of joining; DD_NO_INDEX behind the last */
    uint32_t last;    /* of the root: the end of that list */
    uint32_t array;   /* of the model */
    uint32_t element; /* DD_NO_INDEX: the whole array */
    bool outside;
    const dd_member *leaf;
    dd_span span; /* of the first connect that names it */
} dd_connected;

struct dd_connections {
    DD_VEC(dd_connected) nodes;
    dd_map by_key;
    dd_map checked; /* connector classes */
};

struct dd_connections *dd_connections_of(dd_flattener *fl);
/* The number of the node of a variable (or one element of it) seen from one side; made when it is new. */
uint32_t dd_connect_node(dd_flattener *fl, const dd_member *leaf, uint32_t element, bool outside, dd_span span);
/* The nodes of a variable: one, or one per element. */
uint32_t dd_connect_node_count(const dd_flattener *fl, const dd_member *leaf);
void dd_connect_join(struct dd_connections *c, uint32_t a, uint32_t b);

/* ---- flatten_connect_end.c ---- */

/* One scalar of a connector that is a variable. */
typedef struct dd_connect_leaf {
    const dd_member *leaf;
    uint32_t element; /* DD_NO_INDEX: it is a scalar */
} dd_connect_leaf;

/* One end: a list of connectors, with the shape it was written with. */
typedef struct dd_connect_end {
    DD_VEC(dd_instance *) instances;  /* connectors with members */
    DD_VEC(dd_connect_leaf) elements; /* connectors that are variables */
    bool is_leaf;
    uint32_t ndim;
    uint64_t dims[DD_MAX_DIMS];
    bool outside, removed;
} dd_connect_end;

/* Follows one end, whose subscripts are resolved, under the values of the loops around. False after a message. */
bool dd_connect_read_end(dd_flattener *fl, dd_form f, const dd_form_env *env, dd_connect_end *out);
bool dd_connect_same_shape(const dd_connect_end *a, const dd_connect_end *b);
const char *dd_connect_text(dd_flattener *fl, dd_form f, const dd_form_env *env); /* as written, for messages */

#endif
