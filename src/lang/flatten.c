/* flatten.c - the order of flattening, and helpers of its parts. */
#include "lang/flatten.h"

#include <math.h>

#include "lang/lexer.h"

#define RECYCLE_AFTER 4096 /* scalars made before the scratch pool is replaced */
#define MAX_SUGGESTIONS 20

/* ---- scope ---- */

dd_flat_decl *dd_flat_find(dd_flattener *fl, uint32_t name)
{
    const dd_member *member = dd_instance_find(fl->root, name);
    return member != NULL && member->is_leaf && member->decl != DD_NO_INDEX ? fl->decls.data[member->decl] : NULL;
}

bool dd_flat_may_suggest(dd_flattener *fl)
{
    return fl->suggestions++ < MAX_SUGGESTIONS;
}

const char *dd_flat_suggest(dd_flattener *fl, const char *name)
{
    if (!dd_flat_may_suggest(fl)) {
        return NULL;
    }
    /* every declared name is a candidate, as it is printed */
    const char **candidates = dd_pool_alloc_array(fl->pool, fl->decls.len + 1, sizeof *candidates);
    for (uint32_t i = 0; i < fl->decls.len; i++) {
        candidates[i] = fl->decls.data[i]->printed;
    }
    return dd_closest_name(name, candidates, fl->decls.len);
}

dd_flattener dd_flattener_new(dd_model *m, dd_library *library, uint32_t file)
{
    dd_flattener fl = {.ctx = m->ctx, .m = m, .library = library, .file = file};
    fl.pool = dd_pool_child(m->pool);
    fl.scratch = dd_pool_child(fl.pool);
    fl.package_by_class = dd_map_new(fl.pool);
    fl.family_by_name = dd_map_new(fl.pool);
    fl.enumerations = dd_map_new(fl.pool);
    fl.resolved_mods = dd_map_new(fl.pool);
    fl.el = dd_elaborator_new(m, fl.scratch);
    fl.el.keep = fl.pool;
    fl.el.whole_of_form = dd_map_new(fl.pool);
    return fl;
}

/* ---- values ---- */

void dd_flat_recycle(dd_flattener *fl, uint32_t scalars)
{
    /* freed in large portions: a pool per equation would cost more than the equation */
    fl->scratch_use += scalars + 1;
    if (fl->scratch_use < RECYCLE_AFTER) {
        return;
    }
    dd_pool_free(fl->scratch);
    fl->scratch = NULL;
    fl->scratch = dd_pool_child(fl->pool);
    fl->el.scratch = fl->scratch;
    fl->scratch_use = 0;
}

bool dd_flat_value(dd_flattener *fl, dd_form f, const dd_form_env *env, bool parameters_only, dd_value *out)
{
    /* while sizes, attributes and parameters are computed, variables and time are errors */
    fl->el.parameters_only = parameters_only;
    bool ok = dd_elaborate(&fl->el, f, env, out);
    fl->el.parameters_only = false;
    return ok;
}

bool dd_flat_number(dd_flattener *fl, dd_form f, double *out)
{
    dd_value value;
    uint32_t culprit;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    if (!dd_flat_value(fl, f, NULL, true, &value)) {
        return false;
    }
    /* one finite number, known from parameters */
    if (value.ndim != 0 || value.type == DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, span, "a number is needed here, this is %s", value.ndim != 0 ? "an array" : "Boolean");
        return false;
    }
    if (!dd_model_evaluate(fl->m, value.elems[0], false, out, &culprit)) {
        return false;
    }
    if (!isfinite(*out)) {
        dd_error(fl->ctx, span, "the value here is not a finite number");
        return false;
    }
    return true;
}

const char *dd_flat_size(dd_flattener *fl, const dd_value *v)
{
    dd_text text = dd_text_new(fl->pool);
    if (v->ndim > 0) {
        dd_text_add(&text, "size ");
    }
    dd_value_describe(v, &text);
    return dd_text_str(&text);
}

const char *dd_flat_array_size(dd_flattener *fl, const dd_array *a)
{
    /* the shape of an array as that of a value, which has the words for it */
    dd_value v = {.ndim = a->ndim, .size = a->size, .type = a->type};
    for (uint32_t i = 0; i < a->ndim; i++) {
        v.dims[i] = a->dims[i];
    }
    return dd_flat_size(fl, &v);
}

bool dd_flat_fits(const dd_array *a, const dd_value *v)
{
    /* a scalar goes with every element */
    if (v->ndim == 0) {
        return true;
    }
    bool same = a->ndim == v->ndim;
    for (uint32_t i = 0; same && i < a->ndim; i++) {
        same = a->dims[i] == v->dims[i];
    }
    return same;
}

/* ---- the order ---- */

static void describe_model(dd_flattener *fl)
{
    dd_model *m = fl->m;
    m->name = dd_name_quoted(m->pool, dd_names_get(m->names, fl->class->name));
    m->doc = fl->class->doc != 0 ? dd_names_get(m->names, fl->class->doc) : "";
    m->span = fl->class->span;
    m->source = dd_source_name(fl->ctx, fl->file);
}

/* ---- places ---- */

dd_form dd_flat_resolve_at(dd_flattener *fl, dd_form f, dd_place place)
{
    dd_place before = fl->place;
    fl->place = place;
    f = dd_resolve(&fl->resolver, f);
    fl->place = before;
    return f;
}

dd_form dd_flat_resolve_mod(dd_flattener *fl, dd_form value, const dd_mod *given)
{
    /* a list {a, b, c} is resolved element by element: only the one that is meant has to make sense */
    dd_mod rest = *given, *mod = &rest;
    value = dd_mod_listed(fl, value, mod);
    if (mod->n_element == 0) {
        return dd_flat_resolve_at(fl, value, mod->place);
    }
    /* a value that is one expression for all components of an array is resolved once and then indexed */
    uint64_t key = dd_hash_mix((uint64_t)(uintptr_t)mod->place.instance, (uint64_t)(uintptr_t)mod->place.class);
    key = dd_hash_mix(key, value);
    dd_form f = dd_map_get(&fl->resolved_mods, key);
    if (f == DD_FORM_NONE) { /* once for all components of an array */
        f = dd_flat_resolve_at(fl, value, mod->place);
        if (f == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
        dd_map_put(&fl->resolved_mods, key, f);
    }
    return dd_mod_value(fl, mod, f);
}

/* Resolved, with what it needs declared. */
static dd_form resolve_now(dd_flattener *fl, dd_form f, dd_place place)
{
    /* the tree of components needs the number now: parameters are declared ahead of their turn */
    dd_flat_declare_needs(fl, f, place);
    return dd_flat_resolve_at(fl, f, place);
}

bool dd_flat_boolean_at(dd_flattener *fl, dd_form f, dd_place place, bool *out)
{
    dd_form resolved = resolve_now(fl, f, place);
    if (resolved == DD_FORM_NONE) {
        return false;
    }
    fl->el.parameters_only = true;
    bool ok = dd_elaborate_boolean(&fl->el, resolved, NULL, out);
    fl->el.parameters_only = false;
    return ok;
}

bool dd_flat_size_at(dd_flattener *fl, dd_form f, dd_place place, const char *of, uint32_t *out)
{
    int64_t value;
    dd_form resolved = resolve_now(fl, f, place);
    if (resolved == DD_FORM_NONE) {
        return false;
    }
    if (dd_form_get(fl->m->forms, resolved)->op == DD_FORM_RANGE) { /* x[E]: one for each value of an enumeration */
        resolved = dd_form_arg(fl->m->forms, resolved, dd_form_get(fl->m->forms, resolved)->nargs - 1);
    }
    dd_span span = dd_form_get(fl->m->forms, resolved)->span;
    fl->el.parameters_only = true;
    bool ok = dd_elaborate_integer(&fl->el, resolved, NULL, &value);
    fl->el.parameters_only = false;
    if (!ok) {
        return false;
    }
    /* sizes are checked here, where the text that computes them has a place */
    if (value < 0) {
        dd_error(fl->ctx, span, "the size of %s is %lld: sizes are 0 or more", of, (long long)value);
        return false;
    }
    if (value > DD_FLAT_MAX_VARIABLES) {
        char buffer[32];
        dd_error(fl->ctx, span, "%s would have %s elements; a model can have %u scalar variables", of,
                 dd_number_text((double)value, buffer), DD_FLAT_MAX_VARIABLES);
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* A name in a function that is not one of its variables. */
static dd_form function_reference(void *user, dd_ast_class *scope, dd_form name)
{
    dd_flattener *fl = user;
    uint32_t loops = fl->resolver.loops.len;
    /* a function sees the names of its class, not those at its call */
    fl->resolver.loops.len = 0; /* those around the call are not seen from inside */
    dd_form f = dd_flat_resolve_at(fl, name, (dd_place){NULL, scope});
    fl->resolver.loops.len = loops;
    return f;
}

static dd_element function_lookup(void *user, dd_ast_class *scope, const dd_ast_name *name)
{
    const dd_flattener *fl = user;
    dd_function_scope of = dd_function_scope_of(fl->library);
    return of.lookup(of.user, scope, name);
}

static dd_ast_class *function_base(void *user, dd_ast_class *class, const dd_ast_extends *extends)
{
    const dd_flattener *fl = user;
    dd_function_scope of = dd_function_scope_of(fl->library);
    return of.base(of.user, class, extends);
}

static const char *function_name(void *user, const dd_ast_class *class, dd_pool *pool)
{
    const dd_flattener *fl = user;
    return dd_class_full_name(fl->library, class, pool);
}

static const char *function_suggest(void *user, dd_ast_class *scope, const char *name)
{
    const dd_flattener *fl = user;
    return dd_lookup_suggest(fl->library, scope, name);
}

/* f(..) where f is a function or record class, and no variable of that name is nearer. */
static bool call_function(void *user, dd_resolver *r, dd_form f, dd_form *out)
{
    dd_flattener *fl = user;
    /* a component or variable of the instance hides a function of that name (5.3.1) */
    const dd_form_node node = *dd_form_get(fl->m->forms, f);
    uint32_t first = node.sub != 0 ? 1 : 0, base = r->stack.len;
    if (first == 0 && fl->place.instance != NULL && dd_instance_find(fl->place.instance, node.payload) != NULL) {
        return false;
    }
    if (!dd_functions_knows(fl->el.functions, fl->place.class, f)) {
        return false;
    }
    /* arguments are resolved where the call is written; the stack of the resolver holds them until all are known */
    bool ok = true;
    for (uint32_t i = first; i < node.nargs; i++) {
        dd_form arg = dd_resolve(r, dd_form_arg(fl->m->forms, f, i));
        ok = ok && arg != DD_FORM_NONE;
        dd_vec_push(r->pool, &r->stack, arg);
    }
    uint32_t n = r->stack.len - base;
    r->stack.len = base;
    *out =
        ok ? dd_functions_resolve(fl->el.functions, fl->place.class, f, dd_vec_from(&r->stack, base), n) : DD_FORM_NONE;
    return true;
}

static const char *suggest_called(void *user, const char *name)
{
    return dd_flat_suggest(user, name);
}

dd_functions *dd_flat_functions(dd_flattener *fl)
{
    return dd_functions_new(fl->m, (dd_function_scope){.user = fl,
                                                       .reference = function_reference,
                                                       .lookup = function_lookup,
                                                       .base = function_base,
                                                       .full_name = function_name,
                                                       .suggest = function_suggest});
}

/* ---- the order ---- */

void dd_flatten(dd_flattener *fl, const char *class_name, const dd_setting *settings, uint32_t n_settings,
                const char **choice)
{
    /* the class to flatten; several candidates are reported to the caller, who may show the choice */
    bool several = false;
    fl->class = dd_library_main_class(fl->library, class_name, &several);
    if (fl->class == NULL) {
        return;
    }
    if (choice != NULL && several) {
        *choice = dd_class_full_name(fl->library, fl->class, fl->m->pool);
    }
    /* names are resolved in the tree of components, those of functions through the flattener */
    dd_scope scope = {.user = fl,
                      .reference = dd_flat_reference,
                      .component_size = dd_flat_component_size,
                      .call = call_function,
                      .is_variable = dd_flat_is_variable,
                      .suggest = suggest_called};
    fl->resolver = dd_resolver_new(fl->pool, fl->m->forms, scope);
    fl->resolver.no_points = "which is allowed only in the objective and the constraints of an `optimization`";
    fl->el.functions = dd_flat_functions(fl);
    describe_model(fl);
    /* settings first: members of the tree take theirs when they are made */
    dd_flat_read_settings(fl, settings, n_settings);
    dd_instance_root(fl, fl->class);
    dd_flat_report_unused_settings(fl);
    /* then in the order of flatten.h; each step needs what the one before it declared */
    fl->place = (dd_place){fl->root, fl->class};
    dd_flat_declare_all(fl);
    dd_flat_attributes(fl);
    dd_flat_bindings(fl);
    dd_flat_equations(fl);
    fl->place = (dd_place){fl->root, fl->class};
    for (uint32_t i = 0; i < fl->root->sources.len; i++) {
        dd_flat_annotations(fl, fl->root->sources.data[i]);
    }
    if (fl->class->kind == DD_CLASS_OPTIMIZATION) {
        dd_flat_optimization(fl);
    }
}
