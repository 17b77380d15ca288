/* flatten_leaf.c - variables and parameters of the tree of components: checks of one declaration by itself, and the
 * part of a modification's value that is meant for it. */
#include <string.h>

#include "lang/flatten.h"

/* ---- one declaration ---- */

/* Variables of the discrete types need events. */
static bool check_discrete(dd_flattener *fl, const dd_flat_decl *decl)
{
    static const char *const names[] = {"a Real", "an Integer", "a Boolean"};
    if (decl->variability != DD_AST_VARIABLE || decl->type == DD_TYPE_REAL) {
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
    const dd_member *d = decl->member;
    /* an input is a variable that comes from outside, nothing else */
    if (d->causal_input && (d->variability != DD_AST_VARIABLE || d->causal_output)) {
        dd_error(fl->ctx, decl->ast->span, "%s cannot be an input and %s at once", decl->printed,
                 d->causal_output                     ? "an output"
                 : d->variability == DD_AST_PARAMETER ? "a parameter"
                                                      : "a constant");
        return false;
    }
    return true;
}

/* A value in brackets, in an optimization: parameters take one, variables are determined by equations. */
static bool check_value(dd_flattener *fl, const dd_flat_decl *decl)
{
    const dd_member *d = decl->member;
    if (!d->value_mod.optimization || d->value_mod.ast == NULL || d->variability == DD_AST_PARAMETER) {
        return true;
    }
    dd_error(fl->ctx, decl->value_span,
             "%s cannot be given a value here: in an optimization, brackets set parameters and attributes such as "
             "x(start = ...); give it in the model that the optimization extends",
             decl->printed);
    return false;
}

/* Inputs and outputs of the whole model are those declared in it for all to see, not those of its components. */
static bool is_outermost(const dd_member *member)
{
    /* members of an input record are inputs, as if they were declared one by one */
    const dd_instance *in = member->parent;
    while (in->of != NULL && in->class->kind == DD_CLASS_RECORD && (in->of->causal_input || in->of->causal_output)) {
        in = in->parent;
    }
    bool phase = in->of != NULL && in->class->kind == DD_CLASS_OPTIMIZATION; /* each phase has its own controls */
    return (in->parent == NULL || phase) && !in->is_package && !member->is_protected;
}

bool dd_flat_add_leaf(dd_flattener *fl, dd_member *member, dd_base_type type, uint32_t ndim, const dd_form *dims,
                      const dd_place *places)
{
    /* the declaration as the tree has it; it becomes an array of the model when its sizes are known */
    dd_flat_decl *decl = dd_pool_alloc(fl->pool, sizeof *decl);
    *decl = (dd_flat_decl){.member = member,
                           .ast = member->ast,
                           .printed = member->path,
                           .variability = member->variability,
                           .is_input = member->causal_input && is_outermost(member),
                           .is_output = member->causal_output && is_outermost(member),
                           .is_final = member->is_final || member->ast->is_final,
                           .type = type,
                           .ndim = ndim,
                           .binding = member->value,
                           .value_span = member->value_span,
                           .array = DD_NO_INDEX};
    memcpy(decl->dims, dims, ndim * sizeof *dims);
    memcpy(decl->places, places, ndim * sizeof *places);
    member->decl = fl->decls.len;
    /* settings are attached before the checks: that of a wrong declaration is not an unused one */
    dd_vec_push(fl->pool, &fl->decls, decl);
    dd_flat_attach_settings(fl, decl);
    decl->broken = !check_discrete(fl, decl) || !check_prefixes(fl, decl) || !check_value(fl, decl);
    return !decl->broken;
}

/* ---- messages about types ---- */

/* Which classes can extend which: models and functions do not mix, and nothing extends an optimization. */
bool dd_flat_may_extend(dd_flattener *fl, const dd_ast_class *class, const dd_ast_class *base, const dd_ast_extends *e)
{
    /* the reasons against, each with its message; no message means that it is allowed */
    bool function = class->kind == DD_CLASS_FUNCTION;
    const char *name = dd_class_full_name(fl->library, base, fl->pool);
    if (base->kind == DD_CLASS_OPTIMIZATION) {
        dd_error(fl->ctx, e->span, "%s is an optimization; an optimization extends a model", name);
    } else if (base->is_short || base->is_enumeration) {
        dd_error(fl->ctx, e->span, "%s is a type: only classes with members can be extended here", name);
    } else if ((base->kind == DD_CLASS_FUNCTION) != function ||
               (base->kind == DD_CLASS_PACKAGE && class->kind != DD_CLASS_PACKAGE)) {
        dd_error(fl->ctx, e->span, "%s is a %s: it cannot be extended here", name,
                 base->kind == DD_CLASS_FUNCTION  ? "function"
                 : base->kind == DD_CLASS_PACKAGE ? "package"
                                                  : "model");
    } else {
        return true;
    }
    return false;
}

void dd_flat_report_unknown_type(dd_flattener *fl, dd_ast_class *scope, const dd_ast_name *name,
                                 const dd_element *found, uint32_t rest)
{
    const char *text = dd_ast_name_text(fl->m->names, name, fl->pool);
    if (found->kind == DD_ELEMENT_PREDEFINED) {
        dd_error(fl->ctx, name->span, "`String` variables are not supported yet");
        return;
    }
    /* a name that means something else than a type: the library reports it */
    if (found->kind != DD_ELEMENT_NONE || name->n > 1) {
        dd_lookup_report(fl->library, scope, name, *found, rest, "a type");
        return;
    }
    /* names that other languages have for the predefined types */
    static const char *const habits[][2] = {{"double", "Real"},    {"float", "Real"},   {"number", "Real"},
                                            {"int", "Integer"},    {"bool", "Boolean"}, {"real", "Real"},
                                            {"integer", "Integer"}};
    const char *near = NULL;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        near = strcmp(text, habits[i][0]) == 0 ? habits[i][1] : near;
    }
    if (near == NULL && dd_flat_may_suggest(fl)) {
        near = dd_lookup_suggest(fl->library, scope, text);
    }
    if (near != NULL) {
        dd_error(fl->ctx, name->span, "there is no type %s: did you mean %s?", text, near);
    } else {
        dd_error(fl->ctx, name->span,
                 "there is no type %s: types are Real, Integer, Boolean, those defined with `type`, and classes", text);
    }
}

/* ---- enumerations ---- */

void dd_flat_is_of(dd_flattener *fl, uint32_t symbol, const dd_ast_class *enumeration)
{
    /* the classes are few: a linear search is enough */
    uint32_t n = 0;
    while (n < fl->enumeration_classes.len && fl->enumeration_classes.data[n] != enumeration) {
        n++;
    }
    if (n == fl->enumeration_classes.len) {
        dd_vec_push(fl->pool, &fl->enumeration_classes, enumeration);
    }
    dd_map_put(&fl->enumerations, symbol, n + 1);
}

bool dd_flat_check_enumeration(dd_flattener *fl, const dd_flat_decl *decl, dd_form value)
{
    /* checked where it can be seen: a single literal or name, not an expression */
    const dd_form_node node = *dd_form_get(fl->m->forms, value);
    const dd_ast_class *needed = decl->member->enumeration, *given = NULL;
    bool plain = node.op == DD_FORM_NUM || node.op == DD_FORM_REF;
    uint32_t known = node.op == DD_FORM_REF ? dd_map_get(&fl->enumerations, node.payload) : 0;
    if (known != 0) {
        given = fl->enumeration_classes.data[known - 1];
    }
    if (!plain || given == needed || (needed != NULL && needed->literals == NULL) ||
        (needed != NULL && needed->span.file == 0)) { /* StateSelect: its values are numbers from the start */
        return true;
    }
    /* the message shows how a value is written */
    const char *type = dd_class_full_name(fl->library, needed != NULL ? needed : given, fl->pool);
    if (needed == NULL) {
        dd_error(fl->ctx, decl->value_span, "%s is a number, but its value is one of the enumeration %s", decl->printed,
                 type);
    } else {
        dd_error(fl->ctx, decl->value_span, "%s is of the enumeration %s, but its value is not: write %s.%s",
                 decl->printed, type, type, dd_names_get(fl->m->names, needed->literals->name));
    }
    return false;
}

/* ---- elements of values ---- */

/* The body of {body for i in 1:n} with i = k, when that is all there is to it. */
static dd_form comprehension_element(dd_flattener *fl, dd_form f, uint32_t k)
{
    dd_forms *forms = fl->m->forms;
    /* one iterator over first:last and no reduction: element k has i = first + k - 1 */
    const dd_form_node node = *dd_form_get(forms, f);
    if (node.nargs != 3 || node.sub != 0) {
        return DD_FORM_NONE;
    }
    dd_form range = dd_form_arg(forms, f, 2);
    const dd_form_node *r = dd_form_get(forms, range);
    int64_t first;
    if (r->op != DD_FORM_RANGE || r->nargs != 2 ||
        !dd_elaborate_integer(&fl->el, dd_form_arg(forms, range, 0), NULL, &first)) {
        return DD_FORM_NONE;
    }
    uint32_t loop = dd_form_get(forms, dd_form_arg(forms, f, 1))->payload;
    dd_form value = dd_form_number(forms, (double)(first + k - 1), node.span);
    return dd_form_replace_loop(forms, dd_form_arg(forms, f, 0), loop, value);
}

static dd_form fail_count(dd_flattener *fl, dd_span span, uint64_t values, uint64_t components)
{
    dd_error(fl->ctx, span,
             "%llu value%s for an array of %llu component%s: an array has a value for each of them, `each` sets all to "
             "the same",
             (unsigned long long)values, values == 1 ? "" : "s", (unsigned long long)components,
             components == 1 ? "" : "s");
    return DD_FORM_NONE;
}

/* A value that is computed as a whole: its size is checked once, with the first element. */
static bool check_count(dd_flattener *fl, dd_form f, const uint32_t *at, const uint32_t *sizes, uint32_t n)
{
    dd_value v;
    /* only with the first element, so that an array is computed once and not once per component */
    for (uint32_t d = 0; d < n; d++) {
        if (at[d] != 1) {
            return true;
        }
    }
    if (!dd_flat_value(fl, f, NULL, false, &v)) {
        return false;
    }
    for (uint32_t d = 0; d < n; d++) {
        if (d >= v.ndim || v.dims[d] != sizes[d]) {
            fail_count(fl, dd_form_get(fl->m->forms, f)->span, d < v.ndim ? v.dims[d] : 1, sizes[d]);
            return false;
        }
    }
    return true;
}

static dd_form picked(dd_flattener *fl, dd_form f, const uint32_t *at, const uint32_t *sizes, uint32_t n)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, f);
    int ndim = dd_form_ndim(forms, f);
    /* down the value, one dimension at a time, as far as its text can be taken apart */
    if (n == 0 || ndim == 0) { /* one number is for every element */
        return f;
    }
    if (node.op == DD_FORM_ARRAY) {
        return at[0] > node.nargs || node.nargs != sizes[0]
                   ? fail_count(fl, node.span, node.nargs, sizes[0])
                   : picked(fl, dd_form_arg(forms, f, at[0] - 1), at + 1, sizes + 1, n - 1);
    }
    if (!check_count(fl, f, at, sizes, n)) {
        return DD_FORM_NONE;
    }
    if (node.op == DD_FORM_COMPREHENSION) {
        dd_form body = comprehension_element(fl, f, at[0]);
        if (body != DD_FORM_NONE) {
            return picked(fl, body, at + 1, sizes + 1, n - 1);
        }
    }
    /* fill(value, sizes): every element is the value */
    if (node.op == DD_FORM_CALL && node.sub == DD_FN_FILL && node.nargs == n + 1) {
        return dd_form_arg(forms, f, 0);
    }
    /* otherwise a subscripted reference, or an element of a computed value */
    dd_form args[DD_MAX_DIMS + 1] = {f};
    uint32_t count = n < DD_MAX_DIMS ? n : DD_MAX_DIMS;
    for (uint32_t d = 0; d < count; d++) {
        args[d + 1] = dd_form_number(forms, at[d], node.span);
    }
    if (node.op == DD_FORM_REF && node.nargs == 0) {
        return dd_form_new(forms, DD_FORM_REF, 0, node.payload, args + 1, count, node.span);
    }
    return dd_form_new(forms, DD_FORM_ELEMENT, 0, 0, args, count + 1, node.span);
}

/* {a, b, c} for an array of three components has one value for each: the others need not be known for it. */
dd_form dd_mod_listed(const dd_flattener *fl, dd_form value, dd_mod *mod)
{
    const dd_forms *forms = fl->m->forms;
    /* only while the text is a list of the right length; the rest is indexed after it was resolved */
    while (mod->n_element > 0 && dd_form_get(forms, value)->op == DD_FORM_ARRAY &&
           dd_form_get(forms, value)->nargs == mod->sizes[0]) {
        value = dd_form_arg(forms, value, mod->element[0] - 1);
        mod->element++;
        mod->sizes++;
        mod->n_element--;
    }
    return value;
}

dd_form dd_mod_value(dd_flattener *fl, const dd_mod *mod, dd_form resolved)
{
    return picked(fl, resolved, mod->element, mod->sizes, mod->n_element);
}
