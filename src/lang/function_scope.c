/* function_scope.c - what functions see of a library of classes. */
#include "lang/function.h"

static dd_element lookup(void *user, dd_ast_class *scope, const dd_ast_name *name)
{
    uint32_t rest;
    dd_element found = dd_lookup_path(user, scope, name, &rest);
    return rest == name->n ? found : (dd_element){.kind = DD_ELEMENT_NONE};
}

static dd_ast_class *base(void *user, dd_ast_class *class, const dd_ast_extends *extends)
{
    if (extends != NULL) {
        return dd_lookup_base(user, class, extends);
    }
    dd_element found = dd_lookup_short(user, class);
    return found.kind == DD_ELEMENT_CLASS ? found.class : NULL;
}

static const char *full_name(void *user, const dd_ast_class *class, dd_pool *pool)
{
    return dd_class_full_name(user, class, pool);
}

static const char *suggest(void *user, dd_ast_class *scope, const char *name)
{
    return dd_lookup_suggest(user, scope, name);
}

dd_function_scope dd_function_scope_of(dd_library *library)
{
    return (dd_function_scope){
        .user = library, .lookup = lookup, .base = base, .full_name = full_name, .suggest = suggest};
}
