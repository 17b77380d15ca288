/* function_name.c - calls by name, in functions and in models: which function is meant, and its arguments in the
 * order of its inputs. */
#include <string.h>

#include "lang/function_private.h"

static const char *call_name(const dd_functions *fs, dd_form call)
{
    const dd_form_node *node = dd_form_get(fs->forms, call);
    if (node->sub == 0) {
        return dd_names_get(fs->names, node->payload);
    }
    dd_text text = dd_text_new(fs->pool);
    dd_form_print(fs->forms, dd_form_arg(fs->forms, call, 0), NULL, &text);
    return dd_text_str(&text);
}

/* The name of the function as the lookup wants it; false when a part has subscripts. */
static bool path_of(dd_functions *fs, dd_form call, dd_ast_name *out)
{
    /* one part for f(..), several for A.B.f(..) */
    dd_form_node node = *dd_form_get(fs->forms, call);
    dd_form path = node.sub != 0 ? dd_form_arg(fs->forms, call, 0) : call;
    uint32_t n = node.sub == 0                                      ? 1
                 : dd_form_get(fs->forms, path)->op == DD_FORM_PATH ? dd_form_get(fs->forms, path)->nargs
                                                                    : 1;
    uint32_t *parts = dd_pool_alloc_array(fs->pool, n, sizeof *parts);
    *out = (dd_ast_name){.parts = parts, .n = n, .span = node.span};
    if (node.sub == 0) {
        parts[0] = node.payload;
        return true;
    }
    out->global = dd_form_get(fs->forms, path)->op == DD_FORM_PATH && dd_form_get(fs->forms, path)->sub != 0;
    for (uint32_t i = 0; i < n; i++) {
        dd_form part = dd_form_get(fs->forms, path)->op == DD_FORM_PATH ? dd_form_arg(fs->forms, path, i) : path;
        const dd_form_node *name = dd_form_get(fs->forms, part);
        parts[i] = name->payload;
        if (name->nargs > 0) {
            return false;
        }
    }
    return true;
}

static dd_form no_function(dd_functions *fs, dd_ast_class *scope, dd_form call)
{
    /* one message per name, however often it is called */
    const char *name = call_name(fs, call);
    uint32_t key = dd_names_intern(fs->names, name, strlen(name));
    if (dd_map_get(&fs->reported, key) != 0) {
        return DD_FORM_NONE;
    }
    dd_map_put(&fs->reported, key, 1);
    dd_span span = dd_form_get(fs->forms, call)->span;
    /* built-in functions first, then what is visible in the scope */
    const char *candidates[DD_FN_COUNT], *near;
    for (int i = 0; i < DD_FN_COUNT; i++) {
        candidates[i] = dd_builtin_of((dd_form_fn)i).name;
    }
    near = dd_closest_name(name, candidates, DD_FN_COUNT);
    if (near == NULL && fs->scope.suggest != NULL) {
        near = fs->scope.suggest(fs->scope.user, scope, name);
    }
    dd_error(fs->ctx, span, near != NULL ? "there is no function %s: did you mean %s?" : "there is no function %s",
             name, near);
    return DD_FORM_NONE;
}

/* Functions that one of the user would come before: those made of others, and names that Modelica does not have.
 * DD_FORM_NONE when it is not one of them. */
static dd_form composed(dd_functions *fs, dd_form call, const dd_form *args, uint32_t n)
{
    const dd_form_node *node = dd_form_get(fs->forms, call);
    const char *name = node->sub == 0 ? dd_names_get(fs->names, node->payload) : "";
    dd_span span = node->span;
    /* named arguments belong to functions with inputs of that name */
    for (uint32_t i = 0; i < n; i++) {
        if (dd_form_get(fs->forms, args[i])->op == DD_FORM_NAMED_ARG) {
            return DD_FORM_NONE;
        }
    }
    if (strcmp(name, "array") == 0 && n > 0) {
        return dd_form_new(fs->forms, DD_FORM_ARRAY, 0, 0, args, n, span);
    }
    if (strcmp(name, "Integer") == 0 && n == 1) { /* of an enumeration: its number, no longer a value of that type */
        return dd_form_new(fs->forms, DD_FORM_CALL, DD_FN_INTEGER, 0, args, 1, span);
    }
    const int builtin = dd_builtin_named(name);
    const dd_builtin count = builtin >= 0 ? dd_builtin_of((dd_form_fn)builtin) : (dd_builtin){0};
    if (builtin >= 0 && n >= count.least && n <= count.most) {
        return dd_form_new(fs->forms, DD_FORM_CALL, (uint8_t)builtin, 0, args, n, span);
    }
    return DD_FORM_NONE;
}

bool dd_functions_knows(dd_functions *fs, dd_ast_class *scope, dd_form call)
{
    /* composed() looks at the number of arguments only: any forms will do */
    dd_ast_name name;
    dd_form one = fs->colon, three[] = {one, one, one};
    for (uint32_t n = 1; n <= 3; n++) {
        if (composed(fs, call, three, n) != DD_FORM_NONE) {
            return true;
        }
    }
    return path_of(fs, call, &name) && fs->scope.lookup(fs->scope.user, scope, &name).kind == DD_ELEMENT_CLASS;
}

dd_form dd_functions_resolve(dd_functions *fs, dd_ast_class *scope, dd_form call, const dd_form *args, uint32_t n)
{
    /* a class of that name comes before the built-ins that Modelica does not have */
    dd_ast_name name;
    dd_span span = dd_form_get(fs->forms, call)->span;
    if (!path_of(fs, call, &name)) {
        dd_error(fs->ctx, span, "%s(..): the name of a function has no subscripts", call_name(fs, call));
        return DD_FORM_NONE;
    }
    dd_element found = fs->scope.lookup(fs->scope.user, scope, &name);
    if (found.kind == DD_ELEMENT_BROKEN) {
        return DD_FORM_NONE;
    }
    if (found.kind != DD_ELEMENT_CLASS) {
        dd_form other = composed(fs, call, args, n);
        return other != DD_FORM_NONE ? other : no_function(fs, scope, call);
    }
    /* E(i): a number as a value of the enumeration */
    if (found.class->is_enumeration && n == 1) {
        return args[0]; /* E(i) */
    }
    if (found.class->kind != DD_CLASS_FUNCTION && found.class->kind != DD_CLASS_RECORD) {
        dd_error(fs->ctx, span, "%s is neither a function nor a record: it cannot be called", call_name(fs, call));
        return DD_FORM_NONE;
    }
    return dd_functions_call(fs, found.class, args, n, span);
}

/* ---- arguments of a call in the order of the inputs ---- */

static bool too_many(dd_functions *fs, const dd_function *fn, uint32_t n, dd_span span)
{
    dd_error(fs->ctx, span, "%s has %u input%s, but %u argument%s given", fn->name, fn->n_inputs,
             fn->n_inputs == 1 ? "" : "s", n, n == 1 ? " is" : "s are");
    return false;
}

static bool place_argument(dd_functions *fs, const dd_function *fn, dd_form arg, uint32_t i, dd_form *ordered)
{
    /* by position, or by the name of an input */
    dd_form_node node = *dd_form_get(fs->forms, arg);
    uint32_t at = i;
    if (node.op == DD_FORM_NAMED_ARG) {
        uint32_t variable = dd_map_get(&fn->by_name, node.payload);
        if (variable == 0 || !fn->vars[variable - 1].is_input) {
            dd_error(fs->ctx, node.span, "%s has no input %s", fn->name, dd_names_get(fs->names, node.payload));
            return false;
        }
        for (at = 0; fn->inputs[at] != variable - 1; at++) {
        }
        arg = dd_form_arg(fs->forms, arg, 0);
    }
    if (ordered[at] != DD_FORM_NONE) {
        dd_error(fs->ctx, node.span, "%s: the input %s is given twice", fn->name, fn->vars[fn->inputs[at]].name);
        return false;
    }
    ordered[at] = arg;
    return true;
}

static bool order_arguments(dd_functions *fs, const dd_function *fn, const dd_form *args, uint32_t n, dd_form *ordered,
                            dd_span span)
{
    bool named = false;
    for (uint32_t i = 0; i < n; i++) {
        bool is_named = dd_form_get(fs->forms, args[i])->op == DD_FORM_NAMED_ARG;
        if (named && !is_named) {
            dd_error(fs->ctx, span, "%s: arguments without a name come before those with one", fn->name);
            return false;
        }
        named = is_named;
        if (i >= fn->n_inputs && !is_named) {
            return too_many(fs, fn, n, span);
        }
        if (!place_argument(fs, fn, args[i], i, ordered)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        if (ordered[i] == DD_FORM_NONE && fn->vars[fn->inputs[i]].written == DD_FORM_NONE) {
            dd_error(fs->ctx, span, "%s: the input %s is not given and has no default", fn->name,
                     fn->vars[fn->inputs[i]].name);
            return false;
        }
        ordered[i] = ordered[i] == DD_FORM_NONE ? fs->colon : ordered[i];
    }
    return true;
}

dd_form dd_functions_call(dd_functions *fs, dd_ast_class *class, const dd_form *args, uint32_t n, dd_span span)
{
    dd_function *fn = dd_function_of(fs, class, span);
    if (fn == NULL) {
        return DD_FORM_NONE;
    }
    if (class->is_partial) {
        dd_error(fs->ctx, span, "%s is partial: it cannot be called", fn->name);
        return DD_FORM_NONE;
    }
    dd_form *ordered = dd_pool_alloc_array(fs->pool, fn->n_inputs + 1u, sizeof *ordered);
    if (!order_arguments(fs, fn, args, n, ordered, span)) {
        return DD_FORM_NONE;
    }
    return dd_form_new(fs->forms, DD_FORM_USER_CALL, 0, fn->number, ordered, fn->n_inputs, span);
}
