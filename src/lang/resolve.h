/* resolve.h - names in forms to symbols: NAME -> REF or LOOP, x(t) -> POINT, named arguments of functions in order.
 *
 * The caller knows the meaning of a name, so the same code serves a class being flattened and a finished flat model.
 */
#ifndef DD_LANG_RESOLVE_H
#define DD_LANG_RESOLVE_H

#include "base/hash.h"
#include "expr/form.h"

typedef struct dd_resolver dd_resolver;

typedef struct dd_scope {
    void *user;
    /* The meaning of NAME or PATH f, its subscripts resolved with r: mostly a REF. DD_FORM_NONE after a message. */
    dd_form (*reference)(void *user, dd_resolver *r, dd_form f);
    /* Is f the name of an array of components? Then an array of zeros of its size, for size(f). May be NULL. */
    bool (*component_size)(void *user, dd_form f, dd_form *out);
    /* Does the UNKNOWN_CALL f call a function of the user? Then *out is that call, DD_FORM_NONE after a message. May be
     * NULL. */
    bool (*call)(void *user, dd_resolver *r, dd_form f, dd_form *out);
    /* Is NAME or PATH f a variable (or something wrong that was reported)? Without a message. */
    bool (*is_variable)(void *user, dd_form f);
    const char *(*suggest)(void *user, const char *name); /* the nearest name that can be called; may be NULL */
} dd_scope;

typedef struct dd_loop_name {
    uint32_t name, loop;
} dd_loop_name;

struct dd_resolver {
    dd_context *ctx;
    dd_pool *pool;
    dd_forms *forms;
    dd_names *names;
    dd_scope scope;
    const char *no_points;      /* why x(t) is not allowed here; NULL: it is */
    DD_VEC(dd_loop_name) loops; /* visible loop variables, innermost last */
    DD_VEC(dd_form) stack;
    dd_map reported; /* names already reported as unknown */
};

dd_resolver dd_resolver_new(dd_pool *pool, dd_forms *forms, dd_scope scope);

/* The form with all names resolved; DD_FORM_NONE after errors were reported (or suppressed as their consequences). */
dd_form dd_resolve(dd_resolver *r, dd_form f);

void dd_resolve_push_loop(dd_resolver *r, uint32_t loop);
void dd_resolve_pop_loop(dd_resolver *r);

/* The first part of a resolved form that changes with time: a variable or input outside point values (and time
 * itself, when asked). DD_FORM_NONE when there is none. */
dd_form dd_find_varying(const dd_forms *forms, dd_form f, bool time_too);
/* The first part with this operation. */
dd_form dd_find_op(const dd_forms *forms, dd_form f, dd_form_op op);

/* A function that the user defines under its name comes first: the name is not one of the Modelica language. */
bool dd_function_yields(dd_form_fn fn);

#endif
