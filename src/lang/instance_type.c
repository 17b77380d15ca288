/* instance_type.c - the type of a declaration followed through short classes to its end: a predefined type, an
 * enumeration or a class. Sizes, modifications and prefixes of the types in between are collected. */
#include "lang/flatten.h"

static const char *text_of(const dd_flattener *fl, uint32_t name)
{
    return dd_names_get(fl->m->names, name);
}

static bool add_dims(dd_flattener *fl, const dd_member *member, dd_type_end *end, dd_form dims, dd_place place)
{
    if (dims == DD_FORM_NONE) {
        return true;
    }
    const dd_form_node node = *dd_form_get(fl->m->forms, dims);
    if (end->ndim + node.nargs > DD_MAX_DIMS) {
        dd_error(fl->ctx, node.span, "%s has more than %d dimensions, the limit", member->path, DD_MAX_DIMS);
        return false;
    }
    for (uint32_t i = 0; i < node.nargs; i++) {
        end->places[end->ndim] = place;
        end->dims[end->ndim++] = dd_form_arg(fl->m->forms, dims, i);
    }
    return true;
}

/* type T extends Real(unit = "m"); end T; is the same as type T = Real(unit = "m"); */
static const dd_ast_extends *extends_only(const dd_ast_class *class)
{
    /* nothing but one extends clause */
    bool alone = class->extends != NULL && class->extends->next == NULL && class->decls == NULL &&
                 (class->kind == DD_CLASS_TYPE || class->kind == DD_CLASS_CONNECTOR);
    return alone ? class->extends : NULL;
}

static const char *kind_text(dd_ast_class_kind kind)
{
    switch (kind) {
    case DD_CLASS_PACKAGE:
        return "a package";
    case DD_CLASS_FUNCTION:
        return "a function";
    default:
        return "a class";
    }
}

/* May there be components of this class here? */
static bool check_class(dd_flattener *fl, dd_member *member, dd_ast_class *class)
{
    /* packages and functions have no objects, partial classes are incomplete, optimizations are phases */
    const char *name = dd_class_full_name(fl->library, class, fl->pool);
    dd_span span = member->ast->type.span;
    if (class->kind == DD_CLASS_OPTIMIZATION) {
        if (!dd_phase_allowed(fl, member, class)) {
            return false;
        }
    } else if (class->kind == DD_CLASS_PACKAGE || class->kind == DD_CLASS_FUNCTION) {
        dd_error(fl->ctx, span, "%s is %s: %s cannot be declared as one", name, kind_text(class->kind), member->path);
        return false;
    }
    if (class->is_partial) {
        dd_error(fl->ctx, span, "%s is partial: it must be extended, so %s cannot be declared with it", name,
                 member->path);
        dd_note(fl->ctx, class->span, "%s is defined here", name);
        return false;
    }
    /* a finite tree cannot contain a class inside itself */
    for (const dd_instance *in = member->parent; in != NULL; in = in->parent) {
        if (in->class == class) { /* an infinite tree repeats a class; a base class alone does not repeat */
            dd_error(fl->ctx, span, "%s contains itself, through %s", name, member->path);
            return false;
        }
    }
    return true;
}

/* The type in the only `extends` clause of a class; it may be a predefined one. */
static dd_element lookup_extended(dd_flattener *fl, dd_ast_class *class, const dd_ast_extends *e)
{
    uint32_t rest;
    dd_element found = dd_lookup_path(fl->library, class->parent, &e->name, &rest);
    if (found.kind == DD_ELEMENT_PREDEFINED) {
        return found;
    }
    dd_ast_class *base = dd_lookup_base(fl->library, class, e);
    return (dd_element){.kind = base != NULL ? DD_ELEMENT_CLASS : DD_ELEMENT_BROKEN, .class = base};
}

/* A type on the chain from a declaration to its end: its name, where that is written, and what it is. */
typedef struct type_step {
    dd_place place;
    const dd_ast_name *name;
    dd_element found;
    uint32_t rest; /* parts of the name that were read */
} type_step;

/* Does the chain end with a type that is not a class, or with a message? *ok: it is a type. */
static bool ends_without_class(dd_flattener *fl, dd_member *member, const type_step *at, dd_type_end *end, bool *ok)
{
    const dd_element *found = &at->found;
    *ok = found->kind == DD_ELEMENT_PREDEFINED;
    if (*ok && found->type <= 2) {
        end->predefined = found->type;
        return true;
    }
    if (*ok && member->variability != DD_AST_VARIABLE) {
        member->removed = member->is_text = true; /* a name or a file: nothing to compute with */
        return true;
    }
    *ok = false;
    if (found->kind == DD_ELEMENT_BROKEN) {
        return true;
    }
    if (found->kind != DD_ELEMENT_CLASS || at->rest < at->name->n) {
        dd_flat_report_unknown_type(fl, at->place.class, at->name, found, at->rest);
        return true;
    }
    return false;
}

/* A short class or an extending type: its modifications are weaker, its prefixes and sizes add up. */
static bool step_through(dd_flattener *fl, dd_member *member, type_step *at, dd_type_end *end)
{
    dd_ast_class *class = at->found.class;
    const dd_ast_extends *only = extends_only(class);
    /* names in a type definition are those of the class around it */
    dd_place inner = {member->parent, class};
    if (class->parent == NULL || (member->parent != NULL && member->parent->class != class->parent)) {
        inner.instance = NULL;
    }
    dd_mod *mods = dd_mods_new(fl, only != NULL ? only->mods : class->mods, inner, false);
    member->mods = dd_mods_join(fl, member->mods, mods);
    member->causal_input = member->causal_input || class->short_input;
    member->causal_output = member->causal_output || class->short_output;
    member->is_flow = member->is_flow || class->short_flow;
    if (only == NULL && !add_dims(fl, member, end, class->base.dims, inner)) {
        return false;
    }
    at->place = inner;
    at->name = only != NULL ? &only->name : &class->base.name;
    at->rest = at->name->n;
    at->found = only != NULL ? lookup_extended(fl, class, only) : dd_lookup_short(fl->library, class);
    return true;
}

bool dd_member_type(dd_flattener *fl, dd_member *member, dd_type_end *end)
{
    type_step at = {.place = {member->parent, member->owner}, .name = &member->ast->type.name};
    bool ok;
    /* sizes of the declaration itself, then those that its type brings */
    *end = (dd_type_end){.predefined = -1};
    if (!add_dims(fl, member, end, member->ast->dims, at.place) ||
        !add_dims(fl, member, end, member->ast->type.dims, at.place)) {
        return false;
    }
    at.rest = at.name->n;
    at.found = dd_lookup_path(fl->library, at.place.class, at.name, &at.rest);
    for (uint32_t steps = 0;; steps++) {
        if (ends_without_class(fl, member, &at, end, &ok)) {
            return ok;
        }
        dd_ast_class *class = at.found.class;
        member->is_connector = member->is_connector || class->kind == DD_CLASS_CONNECTOR;
        /* an enumeration: an Integer that knows its class */
        if (class->is_enumeration) {
            end->predefined = 1;
            end->class = class;
            return true;
        }
        /* a class with members: a component */
        if (extends_only(class) == NULL && !class->is_short) {
            end->class = class;
            return check_class(fl, member, class);
        }
        if (steps > DD_INSTANCE_MAX_DEPTH) {
            dd_error(fl->ctx, class->span, "the type %s is defined by itself", text_of(fl, class->name));
            return false;
        }
        if (!step_through(fl, member, &at, end)) {
            return false;
        }
    }
}
