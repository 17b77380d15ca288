/* function.c - the variables of a function or record: its own and those it inherits, in order, with their types. */
#include "lang/function_private.h"

#include <string.h>

#include "lang/lexer.h"

#define MOST_BASES 50 /* classes extended one above the other, records inside each other */

dd_functions *dd_functions_new(dd_model *model, dd_function_scope scope)
{
    dd_functions *fs = dd_pool_alloc(model->pool, sizeof *fs);
    *fs = (dd_functions){.ctx = model->ctx,
                         .pool = model->pool,
                         .m = model,
                         .forms = model->forms,
                         .names = model->names,
                         .scope = scope,
                         .by_class = dd_map_new(model->pool),
                         .by_number = dd_map_new(model->pool),
                         .asserted = dd_map_new(model->pool),
                         .reported = dd_map_new(model->pool)};
    fs->colon = dd_form_new(model->forms, DD_FORM_COLON, 0, 0, NULL, 0, DD_NO_SPAN);
    return fs;
}

static const char *text_of(const dd_functions *fs, uint32_t name)
{
    return dd_names_get(fs->names, name);
}

/* ---- types ---- */

static bool add_dims(dd_functions *fs, dd_fvar *var, dd_form dims, dd_ast_class *in)
{
    /* the dimensions of the declaration first, then those of its types, each with the class it is written in */
    uint32_t n = dims == DD_FORM_NONE ? 0 : dd_form_get(fs->forms, dims)->nargs;
    if (var->ndim + n > DD_MAX_DIMS) {
        dd_error(fs->ctx, var->ast->span, "%s has %u dimensions; at most %d are supported", var->name, var->ndim + n,
                 DD_MAX_DIMS);
        return false;
    }
    for (uint32_t d = 0; d < n; d++) {
        var->dims_in[var->ndim] = in;
        var->dims[var->ndim++] = dd_form_arg(fs->forms, dims, d);
    }
    return true;
}

static const char *name_text(dd_functions *fs, const dd_ast_name *name)
{
    dd_text text = dd_text_new(fs->pool);
    for (uint32_t i = 0; i < name->n; i++) {
        dd_text_printf(&text, "%s%s", i > 0 || name->global ? "." : "", text_of(fs, name->parts[i]));
    }
    return dd_text_str(&text);
}

static bool wrong_type(dd_functions *fs, const dd_fvar *var, const char *why)
{
    dd_error(fs->ctx, var->ast->type.span, "%s: %s %s", var->name, name_text(fs, &var->ast->type.name), why);
    return false;
}

static bool class_type(dd_functions *fs, dd_fvar *var, dd_ast_class *class)
{
    /* records are types of variables; functions and models are not */
    switch (class->kind) {
    case DD_CLASS_RECORD:
        var->record = dd_function_of(fs, class, var->ast->type.span);
        var->type = DD_EV_RECORD;
        return var->record != NULL;
    case DD_CLASS_FUNCTION:
        return wrong_type(fs, var, "is a function: functions as arguments of functions are not supported");
    default:
        return wrong_type(fs, var,
                          "is not a type: variables of functions and fields of records are Real, Integer, "
                          "Boolean, types made of these, or records");
    }
}

/* type T = Base[dims]: follows definitions to the predefined type or record at their end. */
static bool find_type(dd_functions *fs, dd_fvar *var)
{
    /* from name to name, each looked up where it is written; the sizes of all types add up */
    const dd_ast_name *name = &var->ast->type.name;
    dd_ast_class *scope = var->owner;
    for (int i = 0; i < MOST_BASES; i++) {
        dd_element found = fs->scope.lookup(fs->scope.user, scope, name);
        switch (found.kind) {
        case DD_ELEMENT_PREDEFINED:
            var->type = (uint8_t)found.type;
            return found.type < 3 || wrong_type(fs, var, "variables are not supported in functions and records");
        case DD_ELEMENT_CLASS:
            break;
        case DD_ELEMENT_BROKEN:
            return false;
        default:
            return wrong_type(fs, var, "is not declared");
        }
        /* values of an enumeration are integers here; their names were checked when they were written */
        if (found.class->is_enumeration) {
            var->type = DD_TYPE_INTEGER;
            return true;
        }
        if (!found.class->is_short || found.class->kind == DD_CLASS_RECORD) {
            return class_type(fs, var, found.class);
        }
        if (!add_dims(fs, var, found.class->base.dims, found.class)) {
            return false;
        }
        name = &found.class->base.name;
        scope = found.class->parent;
    }
    return wrong_type(fs, var, "is defined by itself");
}

/* ---- collecting ---- */

/* Modifications that apply to a base class; those further out are stronger. */
typedef struct layer {
    const struct layer *outer;
    const dd_ast_mod *mods;
    dd_ast_class *in;
} layer;

typedef struct collection {
    dd_functions *fs;
    dd_function *fn;
    DD_VEC(dd_fvar) vars;
    bool ok;
} collection;

static const dd_ast_mod *find_mod(const dd_ast_mod *list, uint32_t name)
{
    while (list != NULL && list->name != name) {
        list = list->next;
    }
    return list;
}

/* The declared value, or the strongest modification of it. */
static void find_binding(dd_fvar *var, const layer *layers)
{
    /* from the declaration outwards: the outermost modification wins */
    var->written = var->ast->binding;
    var->written_in = var->owner;
    for (; layers != NULL; layers = layers->outer) {
        const dd_ast_mod *mod = find_mod(layers->mods, var->ast->name);
        if (mod != NULL && mod->value != DD_FORM_NONE) {
            var->written = mod->value;
            var->written_in = layers->in;
        }
    }
}

static void add_declaration(collection *c, dd_ast_class *owner, const dd_ast_decl *decl, const layer *layers)
{
    dd_functions *fs = c->fs;
    /* the same declaration may arrive twice, by two bases; two declarations of one name may not */
    if (dd_map_get(&c->fn->by_name, decl->name) != 0) {
        const dd_fvar *before = &c->vars.data[dd_map_get(&c->fn->by_name, decl->name) - 1];
        if (before->ast != decl) {
            dd_error(fs->ctx, decl->span, "%s is declared twice in %s", before->name, c->fn->name);
            c->ok = false;
        }
        return;
    }
    /* fields of a record are inputs of its constructor; outputs and protected variables only functions have */
    dd_fvar var = {.ast = decl, .owner = owner, .name = dd_name_quoted(fs->pool, text_of(fs, decl->name))};
    var.is_input = c->fn->is_record || decl->is_input;
    var.is_output = !c->fn->is_record && decl->is_output;
    find_binding(&var, layers);
    if (decl->condition != DD_FORM_NONE) {
        dd_error(fs->ctx, decl->span, "%s: a variable of a function or record cannot have a condition", var.name);
        c->ok = false;
    }
    c->ok = add_dims(fs, &var, decl->dims, owner) && add_dims(fs, &var, decl->type.dims, owner) &&
            find_type(fs, &var) && c->ok;
    dd_vec_push(fs->pool, &c->vars, var);
    dd_map_put(&c->fn->by_name, decl->name, c->vars.len);
}

/* Derivatives given here replace those of the classes it extends. */
static void read_annotation(collection *c, dd_ast_class *class)
{
    for (const dd_ast_mod *a = class->annotation; a != NULL; a = a->next) {
        if (strcmp(text_of(c->fs, a->name), "GenerateEvents") == 0 && a->value != DD_FORM_NONE) {
            const dd_form_node *node = dd_form_get(c->fs->forms, a->value);
            c->fn->makes_events = node->op == DD_FORM_BOOL && node->payload != 0;
        }
        if (strcmp(text_of(c->fs, a->name), "derivative") == 0) {
            c->fn->annotated.len = c->fn->annotated_in == class ? c->fn->annotated.len : 0;
            c->fn->annotated_in = class;
            dd_vec_push(c->fs->pool, &c->fn->annotated, a);
        }
    }
}

static void collect(collection *c, dd_ast_class *class, const layer *layers, int depth);

static void collect_base(collection *c, dd_ast_class *class, const dd_ast_extends *extends, const layer *layers,
                         int depth)
{
    layer own = {layers, extends != NULL ? extends->mods : class->mods, class};
    dd_ast_class *base = c->fs->scope.base(c->fs->scope.user, class, extends);
    dd_span span = extends != NULL ? extends->span : class->span;
    /* functions extend functions, records extend records */
    if (base != NULL && base->kind != c->fn->class->kind) {
        dd_error(c->fs->ctx, span, "%s extends %s, which is not a %s", c->fn->name, text_of(c->fs, base->name),
                 c->fn->is_record ? "record" : "function");
        base = NULL;
    }
    /* a cycle of bases ends at the limit at the latest */
    if (base == NULL || depth == MOST_BASES || base == class) {
        if (base != NULL) {
            dd_error(c->fs->ctx, span, "%s extends itself, or more than %d classes one above the other", c->fn->name,
                     MOST_BASES);
        }
        c->ok = false;
        return;
    }
    collect(c, base, &own, depth + 1);
}

/* Extends clauses appear between the declarations; each keeps its place. */
static void collect(collection *c, dd_ast_class *class, const layer *layers, int depth)
{
    /* a short class has its base and nothing else */
    if (class->is_short) {
        collect_base(c, class, NULL, layers, depth);
        read_annotation(c, class);
        return;
    }
    /* declarations and extends clauses in the order of the text: arguments are by position */
    for (const dd_ast_decl *decl = NULL; c->ok;) {
        for (const dd_ast_extends *e = class->extends; e != NULL && c->ok; e = e->next) {
            if (e->before == decl) {
                collect_base(c, class, e, layers, depth);
            }
        }
        decl = decl == NULL ? class->decls : decl->next;
        if (decl == NULL) {
            break;
        }
        add_declaration(c, class, decl, layers);
    }
    /* the algorithms of the bases run before those of the class itself */
    if (class->equations[DD_AST_ALGORITHM] != NULL) {
        dd_vec_push(c->fs->pool, &c->fn->parts, class);
    }
    read_annotation(c, class);
}

static void finish(collection *c)
{
    dd_function *fn = c->fn;
    fn->vars = c->vars.data;
    fn->n_vars = c->vars.len;
    fn->inputs = dd_pool_alloc_array(c->fs->pool, fn->n_vars + 1u, sizeof *fn->inputs);
    fn->outputs = dd_pool_alloc_array(c->fs->pool, fn->n_vars + 1u, sizeof *fn->outputs);
    /* variables of forms (LOCAL) are numbered from first_local on, so their position is a subtraction */
    for (uint32_t i = 0; i < fn->n_vars; i++) {
        uint32_t local = dd_forms_add_loop(c->fs->forms, fn->vars[i].ast->name);
        fn->first_local = i == 0 ? local : fn->first_local;
        if (fn->vars[i].is_input) {
            fn->inputs[fn->n_inputs++] = i;
        } else if (fn->vars[i].is_output) {
            fn->outputs[fn->n_outputs++] = i;
        }
    }
    fn->n_results = fn->is_record ? 1 : fn->n_outputs;
}

static void read_variables(dd_functions *fs, dd_function *fn)
{
    collection c = {.fs = fs, .fn = fn, .ok = true};
    fn->interface = DD_FUNCTION_OPEN;
    collect(&c, fn->class, NULL, 0);
    finish(&c);
    fn->interface = c.ok ? DD_FUNCTION_READY : DD_FUNCTION_BROKEN;
}

/* ---- finding ---- */

static dd_function *new_function(dd_functions *fs, dd_ast_class *class)
{
    /* a number in forms is needed for USER_CALL, whatever comes of the function */
    dd_function *fn = dd_pool_alloc(fs->pool, sizeof *fn);
    fn->class = class;
    fn->name = fs->scope.full_name != NULL ? fs->scope.full_name(fs->scope.user, class, fs->pool)
                                           : dd_name_quoted(fs->pool, text_of(fs, class->name));
    fn->number = dd_forms_add_function(fs->forms, fn->name);
    fn->is_record = class->kind == DD_CLASS_RECORD;
    fn->by_name = dd_map_new(fs->pool);
    dd_vec_push(fs->pool, &fs->list, fn);
    dd_map_put(&fs->by_class, (uint64_t)(uintptr_t) class, fs->list.len);
    dd_map_put(&fs->by_number, fn->number, fs->list.len);
    return fn;
}

dd_function *dd_function_of(dd_functions *fs, dd_ast_class *class, dd_span span)
{
    uint32_t place = dd_map_get(&fs->by_class, (uint64_t)(uintptr_t) class);
    /* read on first use; a record met again while its fields are read contains itself */
    dd_function *fn = place != 0 ? fs->list.data[place - 1] : new_function(fs, class);
    if (fn->interface == DD_FUNCTION_NEW && fs->opened == MOST_BASES) {
        dd_error(fs->ctx, span, "%s is inside more than %d records, the limit", fn->name, MOST_BASES);
        return NULL;
    }
    if (fn->interface == DD_FUNCTION_NEW) {
        fs->opened++;
        read_variables(fs, fn);
        fs->opened--;
    }
    if (fn->interface == DD_FUNCTION_OPEN) {
        dd_error(fs->ctx, span, "the record %s contains itself", fn->name);
        fn->interface = DD_FUNCTION_BROKEN;
    }
    return fn->interface == DD_FUNCTION_READY ? fn : NULL;
}

dd_function *dd_function_numbered(dd_functions *fs, uint32_t number)
{
    return fs->list.data[dd_map_get(&fs->by_number, number) - 1];
}

uint32_t dd_functions_outputs(dd_functions *fs, dd_form call)
{
    return dd_function_numbered(fs, dd_form_get(fs->forms, call)->payload)->n_results;
}
