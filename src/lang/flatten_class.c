/* flatten_class.c - which class to flatten, and all that it declares. */
#include <string.h>

#include "lang/flatten.h"
#include "lang/lexer.h"

static const char *name_of(const dd_flattener *fl, uint32_t id)
{
    return dd_names_get(fl->m->names, id);
}

bool dd_flat_choose(dd_flattener *fl, const char *class_name, const char **choice)
{
    bool several;
    fl->class = dd_library_main_class(fl->library, class_name, &several);
    if (fl->class != NULL && several && choice != NULL) {
        *choice = dd_class_full_name(fl->library, fl->class, fl->m->pool);
    }
    return fl->class != NULL;
}

/* ---- what it extends ---- */

static void find_base(dd_flattener *fl)
{
    const dd_ast_extends *e = fl->class->extends;
    if (e == NULL) {
        return;
    }
    if (e->next != NULL) {
        dd_error(fl->ctx, e->next->span, "an optimization extends one model; extending several is not supported yet");
    }
    const char *candidates[64];
    size_t n = 0;
    for (dd_ast_class *c = fl->ast->classes; c != NULL; c = c->next) {
        if (c->kind == DD_CLASS_TYPE) {
            continue;
        }
        if (c->name == e->name.parts[0]) {
            if (c->kind == DD_CLASS_OPTIMIZATION) {
                dd_error(fl->ctx, e->span, "%s is an optimization; an optimization extends a model",
                         name_of(fl, c->name));
                return;
            }
            fl->base = c;
            fl->extends = e;
            return;
        }
        if (n < 64) {
            candidates[n++] = name_of(fl, c->name);
        }
    }
    const char *near = dd_closest_name(name_of(fl, e->name.parts[0]), candidates, n);
    if (near != NULL) {
        dd_error(fl->ctx, e->span, "there is no model %s in this file: did you mean %s?", name_of(fl, e->name.parts[0]),
                 near);
    } else {
        dd_error(fl->ctx, e->span, "there is no model %s in this file", name_of(fl, e->name.parts[0]));
    }
}

/* ---- types ---- */

static void collect_types(dd_flattener *fl, const dd_ast_class *list)
{
    for (const dd_ast_class *t = list; t != NULL; t = t->next) {
        if (t->kind != DD_CLASS_TYPE) {
            continue;
        }
        uint32_t first = dd_map_get(&fl->type_by_name, t->name);
        if (first != 0) {
            dd_error(fl->ctx, t->span, "the type %s is defined twice, the first time in line %u", name_of(fl, t->name),
                     (unsigned)dd_span_line(fl->ctx, fl->types.data[first - 1]->span));
            continue;
        }
        dd_vec_push(fl->pool, &fl->types, t);
        dd_map_put(&fl->type_by_name, t->name, fl->types.len);
    }
}

static bool predefined_type(const char *name, dd_base_type *type)
{
    static const char *const names[] = {"Real", "Integer", "Boolean"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *type = (dd_base_type)i;
            return true;
        }
    }
    return false;
}

static void report_unknown_type(dd_flattener *fl, const dd_ast_type_ref *ref)
{
    const char *name = dd_ast_name_text(fl->m->names, &ref->name, fl->pool);
    if (strcmp(name, "String") == 0) {
        dd_error(fl->ctx, ref->span, "`String` variables are not supported yet");
        return;
    }
    if (ref->name.n > 1) {
        dd_error(fl->ctx, ref->span, "%s: types from packages are not supported yet; write Real(unit = \"...\")", name);
        return;
    }
    if (!dd_flat_may_suggest(fl)) {
        dd_error(fl->ctx, ref->span, "there is no type %s, or it is a class, which is not supported yet", name);
        return;
    }
    for (const dd_ast_class *c = fl->ast->classes; c != NULL; c = c->next) {
        if (c->name == ref->name.parts[0]) {
            dd_error(fl->ctx, ref->span, "components of a class (here %s) are not supported yet", name);
            return;
        }
    }
    const char **candidates = dd_pool_alloc_array(fl->pool, fl->types.len + 3, sizeof *candidates);
    size_t n = 0;
    candidates[n++] = "Real";
    candidates[n++] = "Integer";
    candidates[n++] = "Boolean";
    for (uint32_t i = 0; i < fl->types.len; i++) {
        candidates[n++] = name_of(fl, fl->types.data[i]->name);
    }
    const char *near = dd_closest_name(name, candidates, n);
    bool habit = strcmp(name, "double") == 0 || strcmp(name, "float") == 0 || strcmp(name, "number") == 0;
    near = habit ? "Real" : strcmp(name, "int") == 0 ? "Integer" : strcmp(name, "bool") == 0 ? "Boolean" : near;
    if (near != NULL) {
        dd_error(fl->ctx, ref->span, "there is no type %s: did you mean %s?", name, near);
    } else {
        dd_error(fl->ctx, ref->span,
                 "there is no type %s: types are Real, Integer, Boolean and those defined with `type`", name);
    }
}

/* ---- declarations ---- */

static bool add_dims(dd_flattener *fl, dd_flat_decl *decl, dd_form dims)
{
    if (dims == DD_FORM_NONE) {
        return true;
    }
    const dd_form_node *node = dd_form_get(fl->m->forms, dims);
    if (decl->ndim + node->nargs > DD_MAX_DIMS) {
        dd_error(fl->ctx, node->span, "%s has more than %d dimensions, the limit", decl->printed, DD_MAX_DIMS);
        return false;
    }
    for (uint32_t i = 0; i < node->nargs; i++) {
        decl->dims[decl->ndim++] = dd_form_arg(fl->m->forms, dims, i);
    }
    return true;
}

static void add_layer(dd_flattener *fl, dd_flat_decl *decl, const dd_ast_mod *mods, bool optimization)
{
    if (mods == NULL) {
        return;
    }
    dd_flat_layer *layer = dd_pool_alloc(fl->pool, sizeof *layer);
    layer->mods = mods;
    layer->optimization = optimization;
    dd_flat_layer **end = &decl->layers;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = layer;
}

/* Follows type definitions to a predefined type: dims and attributes of each are taken on the way, the outermost
 * last. */
static bool apply_type(dd_flattener *fl, dd_flat_decl *decl)
{
    const dd_ast_type_ref *ref = &decl->ast->type;
    dd_flat_layer *layers = NULL; /* built backwards: the type nearest to Real comes first */
    for (uint32_t steps = 0; ref->name.n > 1 || !predefined_type(name_of(fl, ref->name.parts[0]), &decl->type);
         steps++) {
        uint32_t index = ref->name.n > 1 ? 0 : dd_map_get(&fl->type_by_name, ref->name.parts[0]);
        if (index == 0) {
            report_unknown_type(fl, ref);
            return false;
        }
        const dd_ast_class *type = fl->types.data[index - 1];
        if (steps >= fl->types.len) {
            dd_error(fl->ctx, type->span, "the type %s is defined by itself", name_of(fl, type->name));
            return false;
        }
        if (type->mods != NULL) {
            dd_flat_layer *layer = dd_pool_alloc(fl->pool, sizeof *layer);
            *layer = (dd_flat_layer){.next = layers, .mods = type->mods};
            layers = layer;
        }
        if (!add_dims(fl, decl, type->base.dims)) {
            return false;
        }
        ref = &type->base;
    }
    decl->layers = layers;
    return true;
}

/* Variables of the discrete types need events. */
static bool check_discrete(dd_flattener *fl, const dd_flat_decl *decl)
{
    static const char *const names[] = {"a Real", "an Integer", "a Boolean"};
    if (decl->ast->variability != DD_AST_VARIABLE || decl->type == DD_TYPE_REAL) {
        return true;
    }
    dd_error(fl->ctx, decl->ast->span,
             "%s is %s variable: these change at events, which are not supported yet; Real variables and "
             "parameters of any type are",
             decl->printed, names[decl->type]);
    return false;
}

static bool check_prefixes(dd_flattener *fl, const dd_flat_decl *decl)
{
    const dd_ast_decl *d = decl->ast;
    if (d->is_input && (d->variability != DD_AST_VARIABLE || d->is_output)) {
        dd_error(fl->ctx, d->span, "%s cannot be an input and %s at once", decl->printed,
                 d->is_output                         ? "an output"
                 : d->variability == DD_AST_PARAMETER ? "a parameter"
                                                      : "a constant");
        return false;
    }
    return true;
}

void dd_flat_add_declaration(dd_flattener *fl, dd_ast_decl *ast, bool optimization)
{
    const char *name = name_of(fl, ast->name);
    const dd_flat_decl *first = dd_flat_find(fl, ast->name);
    if (first != NULL) {
        dd_error(fl->ctx, ast->span, "%s is declared twice, the first time in line %u", first->printed,
                 (unsigned)dd_span_line(fl->ctx, first->ast->span));
        return;
    }
    if (strcmp(name, "time") == 0) {
        dd_error(fl->ctx, ast->span, "`time` is the name of the time itself: take another name");
        return;
    }
    dd_flat_decl decl = {.ast = ast, .array = DD_NO_INDEX, .binding = ast->binding, .value_span = ast->span};
    decl.printed = dd_name_quoted(fl->pool, name);
    decl.broken = !add_dims(fl, &decl, ast->dims) || !add_dims(fl, &decl, ast->type.dims) || !apply_type(fl, &decl) ||
                  !check_discrete(fl, &decl) || !check_prefixes(fl, &decl);
    add_layer(fl, &decl, ast->mods, optimization);
    dd_vec_push(fl->pool, &fl->decls, decl);
    dd_map_put(&fl->decl_by_name, ast->name, fl->decls.len);
}

/* extends M(k = 3, x(start = 1)): values of parameters and attributes. */
static void apply_extends(dd_flattener *fl)
{
    for (const dd_ast_mod *mod = fl->extends->mods; mod != NULL; mod = mod->next) {
        dd_flat_decl *decl = dd_flat_find(fl, mod->name);
        if (decl == NULL) {
            const char *name = name_of(fl, mod->name), *near = dd_flat_suggest(fl, name);
            dd_error(fl->ctx, mod->span,
                     near != NULL ? "%s has no variable %s: did you mean %s?" : "%s has no variable %s",
                     name_of(fl, fl->base->name), name, near);
            continue;
        }
        if (decl->modified) {
            dd_error(fl->ctx, mod->span, "%s is modified twice: write all of it in one place, %s(start = .., min = ..)",
                     decl->printed, decl->printed);
            continue;
        }
        decl->modified = true;
        if (mod->value != DD_FORM_NONE) {
            if (decl->ast->variability != DD_AST_PARAMETER || decl->ast->is_final) {
                dd_error(fl->ctx, mod->span,
                         "%s cannot be given a value here: `extends` sets parameters and attributes such as "
                         "x(start = ...)",
                         decl->printed);
                continue;
            }
            decl->binding = mod->value;
            decl->value_span = mod->span;
        }
        add_layer(fl, decl, mod->nested, true);
    }
}

void dd_flat_collect(dd_flattener *fl)
{
    collect_types(fl, fl->ast->classes);
    if (fl->class->kind == DD_CLASS_OPTIMIZATION) {
        find_base(fl);
    }
    if (fl->base != NULL) {
        collect_types(fl, fl->base->classes);
    }
    collect_types(fl, fl->class->classes);

    /* own declarations before the extends clause, those of the base, the rest */
    bool optimization = fl->class->kind == DD_CLASS_OPTIMIZATION;
    dd_ast_decl *own = fl->class->decls;
    if (fl->base != NULL) {
        const dd_ast_decl *stop = fl->extends->before != NULL ? fl->extends->before->next : fl->class->decls;
        for (; own != stop; own = own->next) {
            dd_flat_add_declaration(fl, own, optimization);
        }
        for (dd_ast_decl *d = fl->base->decls; d != NULL; d = d->next) {
            dd_flat_add_declaration(fl, d, false);
        }
    }
    for (; own != NULL; own = own->next) {
        dd_flat_add_declaration(fl, own, optimization);
    }
    if (fl->base != NULL) {
        apply_extends(fl);
    }
}
