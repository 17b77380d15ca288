/* flatten.c - the order of flattening, and what its parts share. */
#include "lang/flatten.h"

#include <math.h>

#include "lang/lexer.h"

#define RECYCLE_AFTER 4096 /* scalars made before the scratch pool is replaced */
#define MAX_SUGGESTIONS 20

/* ---- scope ---- */

dd_flat_decl *dd_flat_find(dd_flattener *fl, uint32_t name)
{
    uint32_t entry = dd_map_get(&fl->decl_by_name, name);
    return entry != 0 ? &fl->decls.data[entry - 1] : NULL;
}

static dd_found find_symbol(void *user, uint32_t name, uint32_t *symbol)
{
    dd_flattener *fl = user;
    const dd_flat_decl *decl = dd_flat_find(fl, name);
    if (decl == NULL) {
        return DD_FOUND_NOT;
    }
    if (decl->broken || decl->array == DD_NO_INDEX) {
        return DD_FOUND_BROKEN;
    }
    *symbol = fl->m->arrays.data[decl->array].symbol;
    return DD_FOUND;
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
    const char **candidates = dd_pool_alloc_array(fl->pool, fl->decls.len + 1, sizeof *candidates);
    for (uint32_t i = 0; i < fl->decls.len; i++) {
        candidates[i] = fl->decls.data[i].printed;
    }
    return dd_closest_name(name, candidates, fl->decls.len);
}

static const char *suggest_symbol(void *user, const char *name)
{
    return dd_flat_suggest(user, name);
}

dd_flattener dd_flattener_new(dd_model *m, dd_ast_file *ast, uint32_t file)
{
    dd_flattener fl = {.ctx = m->ctx, .m = m, .ast = ast, .file = file};
    fl.pool = dd_pool_child(m->pool);
    fl.scratch = dd_pool_child(fl.pool);
    fl.type_by_name = dd_map_new(fl.pool);
    fl.decl_by_name = dd_map_new(fl.pool);
    fl.el = dd_elaborator_new(m, fl.scratch);
    return fl;
}

/* ---- values ---- */

void dd_flat_recycle(dd_flattener *fl, uint32_t scalars)
{
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
    dd_value v = {.ndim = a->ndim, .size = a->size, .type = a->type};
    for (uint32_t i = 0; i < a->ndim; i++) {
        v.dims[i] = a->dims[i];
    }
    return dd_flat_size(fl, &v);
}

bool dd_flat_fits(const dd_array *a, const dd_value *v)
{
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

void dd_flatten(dd_flattener *fl, const char *class_name, const dd_setting *settings, uint32_t n_settings,
                const char **choice)
{
    if (!dd_flat_choose(fl, class_name, choice)) {
        return;
    }
    dd_scope scope = {fl, find_symbol, suggest_symbol};
    fl->resolver = dd_resolver_new(fl->pool, fl->m->forms, scope);
    fl->resolver.no_points = "which can stand only in the objective and the constraints of an `optimization`";
    describe_model(fl);
    dd_flat_collect(fl);
    if (fl->class->kind == DD_CLASS_OPTIMIZATION) {
        dd_flat_declare_times(fl);
    }
    dd_flat_read_settings(fl, settings, n_settings);
    dd_flat_declare_all(fl);
    dd_flat_attributes(fl);
    dd_flat_bindings(fl);
    if (fl->base != NULL) {
        dd_flat_equations(fl, fl->base);
        dd_flat_annotations(fl, fl->base);
    }
    dd_flat_equations(fl, fl->class);
    dd_flat_annotations(fl, fl->class);
    if (fl->class->kind == DD_CLASS_OPTIMIZATION) {
        dd_flat_optimization(fl);
    }
}
