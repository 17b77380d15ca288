/* flatten_declare.c - declarations to arrays of the model.
 *
 * A size may use parameters that are declared later, a parameter's value other parameters: depth-first search with an
 * explicit stack over the names that occur in sizes and values determines an order, and a cycle is reported as the
 * chain that closes it.
 */
#include <math.h>

#include "lang/flatten.h"

/* ---- who needs whom ---- */

static bool is_constant(const dd_flat_decl *decl)
{
    return decl->variability != DD_AST_VARIABLE;
}

/* Adds the declarations whose names occur in an unresolved form; loop variables of comprehensions hide them. */
static void add_deps(dd_flattener *fl, dd_form f, dd_place place)
{
    /* a name, unless a loop variable of that name is around it */
    const dd_form_node node = *dd_form_get(fl->m->forms, f);
    if (node.op == DD_FORM_NAME || node.op == DD_FORM_PATH) {
        dd_form first = node.op == DD_FORM_PATH ? dd_form_arg(fl->m->forms, f, 0) : f;
        uint32_t name = dd_form_get(fl->m->forms, first)->payload;
        bool hidden = false;
        for (uint32_t i = 0; i < fl->resolver.loops.len; i++) {
            hidden |= fl->resolver.loops.data[i].name == name;
        }
        if (!hidden) {
            dd_flat_add_needs(fl, place, f);
        }
        if (node.op == DD_FORM_PATH) { /* subscripts of its parts */
            for (uint32_t i = 0; i < node.nargs; i++) {
                dd_form part = dd_form_arg(fl->m->forms, f, i);
                uint32_t n = dd_form_get(fl->m->forms, part)->nargs;
                for (uint32_t k = 0; k < n; k++) {
                    add_deps(fl, dd_form_arg(fl->m->forms, part, k), place);
                }
            }
            return;
        }
    }
    /* other forms: their arguments. An iterator hides its name in the body and in the ranges behind it */
    bool named_by_path = node.op == DD_FORM_UNKNOWN_CALL && node.sub != 0;
    uint32_t loops = node.op == DD_FORM_COMPREHENSION ? (node.nargs - 1) / 2 : 0;
    for (uint32_t i = 0; i < loops; i++) {
        add_deps(fl, dd_form_arg(fl->m->forms, f, 2 * i + 2), place);
        dd_resolve_push_loop(&fl->resolver,
                             dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, f, 2 * i + 1))->payload);
    }
    for (uint32_t i = named_by_path ? 1 : 0; i < (loops > 0 ? 1 : node.nargs); i++) {
        add_deps(fl, dd_form_arg(fl->m->forms, f, i), place);
    }
    fl->resolver.loops.len -= loops;
}

static bool has_open_dims(const dd_flattener *fl, const dd_flat_decl *decl)
{
    for (uint32_t i = 0; i < decl->ndim; i++) {
        if (dd_form_get(fl->m->forms, decl->dims[i])->op == DD_FORM_COLON) {
            return true;
        }
    }
    return false;
}

/* A[:, size(A, 1)]: which of its own sizes this one repeats, from 0; -1: none. */
static int own_size(const dd_flattener *fl, const dd_flat_decl *decl, uint32_t i)
{
    /* exactly size(NAME, digit) of this declaration */
    const dd_form_node *node = dd_form_get(fl->m->forms, decl->dims[i]);
    if (node->op != DD_FORM_CALL || node->sub != DD_FN_SIZE || node->nargs != 2 ||
        decl->places[i].instance != decl->member->parent) {
        return -1;
    }
    const dd_form_node *of = dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, decl->dims[i], 0));
    const dd_form_node *which = dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, decl->dims[i], 1));
    if (of->op != DD_FORM_NAME || of->nargs != 0 || of->payload != decl->ast->name || which->op != DD_FORM_NUM) {
        return -1;
    }
    const char *text = dd_names_get(fl->m->names, which->payload);
    int k = text[0] - '1';
    return text[1] == '\0' && k >= 0 && k < (int)decl->ndim && k != (int)i ? k : -1;
}

/* A parameter whose whole value is given by --set does not need its binding. */
static bool set_as_a_whole(const dd_flattener *fl, const dd_flat_decl *decl)
{
    for (const dd_flat_setting *s = decl->settings; s != NULL; s = s->same) {
        if (dd_flat_setting_subscripts(fl, s) == 0) {
            return true;
        }
    }
    return false;
}

static void collect_deps(dd_flattener *fl, dd_flat_decl *decl)
{
    /* needed first: the sizes, and the value where it determines a size or a constant */
    bool open_dims = has_open_dims(fl, decl);
    decl->deps = fl->deps.len;
    for (uint32_t i = 0; i < decl->ndim; i++) {
        if (own_size(fl, decl, i) < 0) {
            add_deps(fl, decl->dims[i], decl->places[i]);
        }
    }
    if (decl->binding != DD_FORM_NONE && (open_dims || (is_constant(decl) && !set_as_a_whole(fl, decl)))) {
        dd_mod mod = decl->member->value_mod;
        add_deps(fl, dd_mod_listed(fl, decl->binding, &mod), mod.place);
    }
    decl->n_deps = fl->deps.len - decl->deps;
}

/* ---- sizes ---- */

static bool fail_size(dd_flattener *fl, dd_flat_decl *decl, dd_span span, double size)
{
    char buffer[32];
    dd_error(fl->ctx, span, "%s would have %s elements; a model can have %u scalar variables", decl->printed,
             dd_number_text(size, buffer), DD_FLAT_MAX_VARIABLES);
    return false;
}

/* `[:]`: sizes from the value it is bound to. */
static bool dims_from_binding(dd_flattener *fl, dd_flat_decl *decl, uint32_t *dims)
{
    dd_value v;
    if (decl->binding == DD_FORM_NONE) {
        dd_error(fl->ctx, decl->ast->span, "%s has a size `:` that comes from its value, but no value is given",
                 decl->printed);
        return false;
    }
    /* the shape of the value fills the open sizes; the given ones are checked when it is bound */
    dd_form binding = dd_flat_resolve_mod(fl, decl->binding, &decl->member->value_mod);
    if (binding == DD_FORM_NONE || !dd_flat_value(fl, binding, NULL, is_constant(decl), &v)) {
        return false;
    }
    if (v.ndim != decl->ndim) {
        dd_error(fl->ctx, decl->ast->span, "%s is declared with %u dimension%s, but its value has %u", decl->printed,
                 decl->ndim, decl->ndim == 1 ? "" : "s", v.ndim);
        return false;
    }
    for (uint32_t i = 0; i < decl->ndim; i++) {
        if (dd_form_get(fl->m->forms, decl->dims[i])->op == DD_FORM_COLON) {
            dims[i] = v.dims[i];
        }
    }
    return true;
}

static bool evaluate_dims(dd_flattener *fl, dd_flat_decl *decl, uint32_t *dims)
{
    double size = 1;
    bool ok = true;
    /* in this order: sizes in parameters, sizes from the value, sizes that repeat others */
    for (uint32_t i = 0; i < decl->ndim; i++) {
        if (dd_form_get(fl->m->forms, decl->dims[i])->op != DD_FORM_COLON && own_size(fl, decl, i) < 0) {
            ok = dd_flat_size_at(fl, decl->dims[i], decl->places[i], decl->printed, &dims[i]) && ok;
        }
    }
    if (!ok || (has_open_dims(fl, decl) && !dims_from_binding(fl, decl, dims))) {
        return false;
    }
    for (uint32_t i = 0; i < decl->ndim; i++) {
        int own = own_size(fl, decl, i);
        dims[i] = own >= 0 ? dims[own] : dims[i];
    }
    /* in floating point: the product may not fit any integer */
    for (uint32_t i = 0; i < decl->ndim; i++) {
        size *= dims[i];
    }
    if (size + fl->m->vars.len > DD_FLAT_MAX_VARIABLES) {
        return fail_size(fl, decl, decl->ast->span, size);
    }
    return true;
}

/* ---- values of parameters and constants ---- */

void dd_flat_report_valueless(dd_flattener *fl, dd_flat_decl *decl)
{
    if (decl->broken) {
        return; /* reported */
    }
    const dd_array *a = &fl->m->arrays.data[decl->array];
    const char *name = decl->printed;
    /* of an array, the first element without a value is named */
    for (uint32_t i = 0; i < a->size && a->ndim > 0; i++) {
        if (fl->m->vars.data[a->first + i].binding == DD_EXPR_NONE) {
            name = dd_model_var_name_dup(fl->m, a->first + i, fl->pool);
            break;
        }
    }
    dd_error(fl->ctx, decl->ast->span,
             decl->variability == DD_AST_CONSTANT
                 ? "the constant %s has no value"
                 : "parameter %s has no value: give one in the model, or with %s %s=VALUE",
             name, dd_option_word(fl->ctx, "--set"), name);
    decl->broken = true;
}

static void set_binding(dd_flattener *fl, uint32_t var, dd_expr value)
{
    fl->m->vars.data[var].binding = value;
    fl->m->vars.data[var].has_value = false;
}

static bool fits_type(dd_flattener *fl, const dd_flat_decl *decl, const dd_value *v)
{
    /* true or false on both sides, or numbers on both */
    if ((decl->type == DD_TYPE_BOOLEAN) == (v->type == DD_TYPE_BOOLEAN)) {
        return true;
    }
    dd_error(fl->ctx, decl->value_span,
             decl->type == DD_TYPE_BOOLEAN ? "%s is Boolean, but its value is a number"
                                           : "%s is a number, but its value is Boolean",
             decl->printed);
    return false;
}

/* The scalars of the value a parameter is bound to. */
static bool bind_value(dd_flattener *fl, dd_flat_decl *decl)
{
    dd_value v;
    /* the value with its names resolved, its type and its shape */
    dd_form binding = dd_flat_resolve_mod(fl, decl->binding, &decl->member->value_mod);
    if (binding == DD_FORM_NONE || !dd_flat_check_enumeration(fl, decl, binding) ||
        !dd_flat_value(fl, binding, NULL, true, &v) || !fits_type(fl, decl, &v)) {
        return false;
    }
    dd_array *a = &fl->m->arrays.data[decl->array];
    if (!dd_flat_fits(a, &v) || (a->ndim > 0 && v.ndim == 0)) {
        dd_error(fl->ctx, decl->value_span, "%s %s%s, but its value %s%s%s", decl->printed,
                 a->ndim == 0 ? "is " : "has ", dd_flat_array_size(fl, a), v.ndim == 0 ? "is " : "has ",
                 dd_flat_size(fl, &v), v.ndim == 0 ? ": fill(value, n) makes an array" : "");
        return false;
    }
    /* kept as written for the listing, and scalar by scalar for evaluation */
    a->binding = binding;
    for (uint32_t i = 0; i < a->size; i++) {
        set_binding(fl, a->first + i, v.elems[v.ndim == 0 ? 0 : i]);
    }
    return true;
}

/* Numbers now: sizes and branches may need them. Checks that they exist and fit the type. */
bool dd_flat_evaluate(dd_flattener *fl, dd_flat_decl *decl)
{
    const dd_array *a = &fl->m->arrays.data[decl->array];
    for (uint32_t i = 0; i < a->size; i++) {
        dd_variable *v = &fl->m->vars.data[a->first + i];
        double value;
        uint32_t culprit;
        /* an element that --set did not reach */
        if (v->binding == DD_EXPR_NONE) {
            decl->valueless = true;
            continue;
        }
        if (!dd_model_evaluate(fl->m, v->binding, false, &value, &culprit)) {
            return false;
        }
        /* Integer values are integral; values of an enumeration are among its literals */
        bool integral = decl->type != DD_TYPE_INTEGER || value == floor(value);
        if (!isfinite(value) || !integral) {
            char buffer[32];
            const char *name = dd_model_var_name_dup(fl->m, a->first + i, fl->pool);
            dd_error(fl->ctx, decl->value_span,
                     isfinite(value) ? "%s is an Integer, but its value is %s"
                                     : "the value of %s is not a finite number (%s)",
                     name, dd_number_text(value, buffer));
            return false;
        }
        const dd_ast_class *enumeration = decl->member->enumeration;
        if (enumeration != NULL && (value < 1 || value > enumeration->n_literals)) {
            char buffer[32];
            dd_error(fl->ctx, decl->value_span,
                     "%s is of the enumeration %s with the values 1 to %u: %s is not one of them", decl->printed,
                     dd_class_full_name(fl->library, enumeration, fl->pool), (unsigned)enumeration->n_literals,
                     dd_number_text(value, buffer));
            return false;
        }
        /* evaluation may have made room for more variables: the pointer is taken again */
        v = &fl->m->vars.data[a->first + i];
        v->value = value;
        v->has_value = true;
    }
    return true;
}

/* ---- one declaration ---- */

static dd_var_kind kind_of(const dd_flat_decl *decl)
{
    return decl->variability == DD_AST_PARAMETER  ? DD_KIND_PARAMETER
           : decl->variability == DD_AST_CONSTANT ? DD_KIND_CONSTANT
           : decl->is_input                       ? DD_KIND_INPUT
                                                  : DD_KIND_VARIABLE;
}

/* Something it needs is wrong: then so is this, silently. A free parameter has its value later, from its guess. */
static bool deps_broken(dd_flattener *fl, dd_flat_decl *decl)
{
    bool broken = false;
    /* free parameters have their value later: whatever needs it waits, and is computed when guesses are known */
    for (uint32_t i = 0; i < decl->n_deps; i++) {
        dd_flat_decl *dep = fl->decls.data[fl->deps.data[decl->deps + i]];
        bool later = dep->valueless && dd_flat_may_be_free(fl, dep);
        if (dep->valueless && !later) {
            dd_flat_report_valueless(fl, dep);
        }
        decl->waits |= is_constant(decl) && (later || dep->waits);
        broken |= dep->broken;
    }
    return broken;
}

static bool declare(dd_flattener *fl, dd_flat_decl *decl)
{
    uint32_t dims[DD_MAX_DIMS] = {0};
    /* size first, then the array, then its value */
    if (decl->broken || deps_broken(fl, decl) || !evaluate_dims(fl, decl, dims)) {
        return false;
    }
    decl->array =
        dd_model_add_array(fl->m, decl->printed, dims, (uint8_t)decl->ndim, kind_of(decl), decl->type, decl->ast->span);
    dd_array *a = &fl->m->arrays.data[decl->array];
    a->is_output = decl->is_output;
    if (decl->ast->doc != 0) {
        a->doc = dd_names_get(fl->m->names, decl->ast->doc);
    }
    if (decl->member->enumeration != NULL) {
        dd_flat_is_of(fl, a->symbol, decl->member->enumeration);
    }
    /* variables get their bindings as equations, later */
    if (!is_constant(decl)) {
        return true;
    }
    /* --set on the whole replaces the declared value, on elements it is applied on top of it */
    if (decl->binding != DD_FORM_NONE && !set_as_a_whole(fl, decl) && !bind_value(fl, decl)) {
        return false;
    }
    dd_flat_apply_settings(fl, decl, set_binding);
    return !decl->broken && (decl->waits || dd_flat_evaluate(fl, decl));
}

/* ---- the order ---- */

static void report_cycle(dd_flattener *fl, const uint32_t *stack, uint32_t depth, uint32_t again)
{
    enum { CHAIN_BEGIN = 10, CHAIN_END = 3 }; /* names shown of a very long chain */
    dd_text chain = dd_text_new(fl->pool);
    /* back to the first appearance of the declaration that closes the chain */
    uint32_t from = depth;
    while (stack[from - 1] != again) {
        from--;
    }
    bool shortened = false;
    for (uint32_t i = from - 1; i < depth; i++) {
        if (i > from + CHAIN_BEGIN && i + CHAIN_END < depth) {
            dd_text_add(&chain, shortened ? "" : "... -> ");
            shortened = true;
            continue;
        }
        dd_text_printf(&chain, "%s -> ", fl->decls.data[stack[i]]->printed);
    }
    dd_text_add(&chain, fl->decls.data[again]->printed);
    dd_error(fl->ctx, fl->decls.data[again]->ast->span,
             "values and sizes depend on each other in a cycle: %s; give one of them a number", dd_text_str(&chain));
    /* all in the cycle are reported with this one message */
    for (uint32_t i = from - 1; i < depth; i++) {
        fl->decls.data[stack[i]]->broken = true;
    }
}

void dd_flat_declare_with_needs(dd_flattener *fl, uint32_t start)
{
    DD_VEC(uint32_t) stack = {0};
    dd_vec_push(fl->pool, &stack, start);
    while (stack.len > 0) {
        /* depth first: NEW -> OPEN when it is reached, DONE when all it needs is */
        uint32_t top = stack.data[stack.len - 1];
        dd_flat_decl *decl = fl->decls.data[top];
        if (decl->state == DD_FLAT_NEW) {
            decl->state = DD_FLAT_OPEN;
            collect_deps(fl, decl);
        }
        /* one need after the other; an open one that is needed again closes a cycle */
        if (decl->next_dep < decl->n_deps) {
            uint32_t need = fl->deps.data[decl->deps + decl->next_dep++];
            if (fl->decls.data[need]->state == DD_FLAT_NEW) {
                dd_vec_push(fl->pool, &stack, need);
            } else if (fl->decls.data[need]->state == DD_FLAT_OPEN && !decl->broken) {
                report_cycle(fl, stack.data, stack.len, need);
            }
            continue;
        }
        /* everything it needs is declared */
        decl->state = DD_FLAT_DONE;
        decl->broken = !declare(fl, decl);
        stack.len--;
        dd_check_stop(fl->ctx);
    }
    dd_vec_free(fl->pool, &stack);
}

void dd_flat_declare_needs(dd_flattener *fl, dd_form f, dd_place place)
{
    uint32_t base = fl->deps.len;
    add_deps(fl, f, place);
    for (uint32_t i = base; i < fl->deps.len; i++) { /* declaring may add more behind: those here stay */
        uint32_t need = fl->deps.data[i];
        if (fl->decls.data[need]->state == DD_FLAT_NEW) {
            dd_flat_declare_with_needs(fl, need);
        }
    }
}

void dd_flat_declare_all(dd_flattener *fl)
{
    /* in the order of the text, so that the model lists variables as the user wrote them */
    for (uint32_t i = 0; i < fl->order.len; i++) {
        const dd_flat_decl *decl = fl->decls.data[fl->order.data[i]];
        if (decl->state == DD_FLAT_NEW) {
            size_t before = dd_context_error_count(fl->ctx);
            dd_flat_declare_with_needs(fl, fl->order.data[i]);
            if (dd_context_error_count(fl->ctx) > before) {
                dd_member_note(fl, decl->member, decl->member->value_mod.place);
            }
        }
        if (dd_context_error_count(fl->ctx) > DD_FLAT_MAX_ERRORS) {
            break;
        }
        dd_flat_recycle(fl, decl->array == DD_NO_INDEX ? 0 : fl->m->arrays.data[decl->array].size);
    }
    fl->declaring_done = true;
}
