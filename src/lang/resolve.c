/* resolve.c - one recursive walk over a form (its depth is limited when it is made). A part that holds no name is
 * used as it is. */
#include "lang/resolve.h"

#include <string.h>

/* Names of arguments, in order, of the functions that people call with names. */
static const struct argument_names {
    dd_form_fn fn;
    const char *names[4];
} argument_names[] = {
    {DD_FN_HOMOTOPY, {"actual", "simplified"}},
    {DD_FN_SMOOTH, {"p", "expr"}},
    {DD_FN_NOEVENT, {"expr"}},
    {DD_FN_SEMILINEAR, {"x", "positiveSlope", "negativeSlope"}},
    {DD_FN_LINSPACE, {"x1", "x2", "n"}},
    {DD_FN_CROSS, {"x", "y"}},
    {DD_FN_SKEW, {"x"}},
    {DD_FN_IDENTITY, {"n"}},
    {DD_FN_DIAGONAL, {"v"}},
    {DD_FN_TRANSPOSE, {"A"}},
    {DD_FN_SYMMETRIC, {"A"}},
    {DD_FN_OUTERPRODUCT, {"x", "y"}},
    {DD_FN_ATAN2, {"u1", "u2"}},
    {DD_FN_MIN, {"x", "y"}},
    {DD_FN_MAX, {"x", "y"}},
    {DD_FN_MOD, {"x", "y"}},
    {DD_FN_REM, {"x", "y"}},
    {DD_FN_DIV, {"x", "y"}},
    {DD_FN_SIZE, {"A", "i"}},
    {DD_FN_SUM, {"A"}},
    {DD_FN_PRODUCT, {"A"}},
};

bool dd_function_yields(dd_form_fn fn)
{
    const dd_elementary *function = dd_builtin_of(fn).elementary;
    return function != NULL && function->ours;
}

dd_resolver dd_resolver_new(dd_pool *pool, dd_forms *forms, dd_scope scope)
{
    return (dd_resolver){.ctx = dd_pool_context(pool),
                         .pool = pool,
                         .forms = forms,
                         .names = dd_forms_names(forms),
                         .scope = scope,
                         .reported = dd_map_new(pool)};
}

void dd_resolve_push_loop(dd_resolver *r, uint32_t loop)
{
    dd_loop_name entry = {dd_forms_loop_name(r->forms, loop), loop};
    dd_vec_push(r->pool, &r->loops, entry);
}

void dd_resolve_pop_loop(dd_resolver *r)
{
    r->loops.len--;
}

/* ---- walking the arguments ---- */

/* Resolves the arguments onto the stack; false when one of them failed (the others are still checked). */
static bool resolve_args(dd_resolver *r, dd_form f, bool *changed)
{
    uint32_t n = dd_form_get(r->forms, f)->nargs;
    bool ok = true;
    *changed = false;
    /* all of them, also after a failure: each may have a message */
    for (uint32_t i = 0; i < n; i++) {
        dd_form before = dd_form_arg(r->forms, f, i), after = dd_resolve(r, before);
        ok = ok && after != DD_FORM_NONE;
        *changed = *changed || after != before;
        dd_vec_push(r->pool, &r->stack, after);
    }
    return ok;
}

/* A form of what the stack holds above base; nothing when ok is false. */
static dd_form rebuild(dd_resolver *r, dd_form_op op, uint8_t sub, uint32_t payload, uint32_t base, dd_span span,
                       bool ok)
{
    uint32_t n = r->stack.len - base;
    r->stack.len = base;
    return ok ? dd_form_new(r->forms, op, sub, payload, dd_vec_from(&r->stack, base), n, span) : DD_FORM_NONE;
}

static dd_form resolve_other(dd_resolver *r, dd_form f)
{
    bool changed;
    uint32_t base = r->stack.len;
    bool ok = resolve_args(r, f, &changed);
    dd_form_node node = *dd_form_get(r->forms, f);
    /* nothing was replaced: the form itself, which keeps forms shared */
    if (ok && !changed) {
        r->stack.len = base;
        return f;
    }
    return rebuild(r, (dd_form_op)node.op, node.sub, node.payload, base, node.span, ok);
}

/* ---- names ---- */

static uint32_t find_loop(const dd_resolver *r, uint32_t name)
{
    for (uint32_t i = r->loops.len; i-- > 0;) {
        if (r->loops.data[i].name == name) {
            return r->loops.data[i].loop;
        }
    }
    return 0;
}

static dd_form resolve_name(dd_resolver *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->forms, f);
    /* loop variables hide everything, except from paths that begin at the top level */
    bool path = node.op == DD_FORM_PATH;
    uint32_t first = path ? dd_form_get(r->forms, dd_form_arg(r->forms, f, 0))->payload : node.payload;
    uint32_t loop = path && node.sub != 0 ? 0 : find_loop(r, first);
    if (loop == 0) {
        return r->scope.reference(r->scope.user, r, f);
    }
    if (path || node.nargs > 0) {
        dd_error(r->ctx, node.span, "%s is a loop variable and has no %s", dd_names_get(r->names, first),
                 path ? "members" : "subscripts");
        return DD_FORM_NONE;
    }
    return dd_form_new(r->forms, DD_FORM_LOOP, 0, loop, NULL, 0, node.span);
}

/* ---- calls ---- */

/* The name of what is called, as written. */
static const char *called_name(dd_resolver *r, dd_form f)
{
    const dd_form_node node = *dd_form_get(r->forms, f);
    if (node.sub == 0) {
        return dd_names_get(r->names, node.payload);
    }
    dd_text text = dd_text_new(r->pool);
    dd_form_print(r->forms, dd_form_arg(r->forms, f, 0), NULL, &text);
    return dd_text_str(&text);
}

static void report_unknown_function(dd_resolver *r, dd_form f)
{
    /* one message per name */
    const char *text = called_name(r, f), *candidates[DD_FN_COUNT];
    dd_span span = dd_form_get(r->forms, f)->span;
    uint32_t name = dd_names_intern(r->names, text, strlen(text));
    if (dd_map_get(&r->reported, name) != 0) {
        return;
    }
    dd_map_put(&r->reported, name, 1);
    for (int i = 0; i < DD_FN_COUNT; i++) {
        candidates[i] = dd_builtin_of((dd_form_fn)i).name;
    }
    const char *near = dd_closest_name(text, candidates, DD_FN_COUNT);
    if (near == NULL && r->scope.suggest != NULL) {
        near = r->scope.suggest(r->scope.user, text);
    }
    /* arm.b.r(finalTime): no function has such a name here, so a value at a time is meant */
    const char *noun = strchr(text, '.') != NULL ? "variable or function" : "function";
    dd_error(r->ctx, span, near != NULL ? "there is no %s %s: did you mean %s?" : "there is no %s %s", noun, text,
             near);
}

/* Why x(..) cannot be the value of x at one time; true when it was reported. */
static bool reject_point(dd_resolver *r, const dd_form_symbol *symbol, dd_span span)
{
    /* constants have no time; elsewhere than in an optimization no variable has values at times */
    if (!symbol->varies) {
        dd_error(r->ctx, span, "%s is the same at all times, it is not a function of time: write %s alone",
                 symbol->name, symbol->name);
    } else if (r->no_points != NULL && symbol->ndim > 0) {
        dd_error(r->ctx, span, "%s(..) would be the value of %s at one time, %s; subscripts are written with [ ]",
                 symbol->name, symbol->name, r->no_points);
    } else if (r->no_points != NULL) {
        dd_error(r->ctx, span, "%s(..) would be the value of %s at one time, %s", symbol->name, symbol->name,
                 r->no_points);
    } else {
        return false;
    }
    return true;
}

static bool check_point_time(dd_resolver *r, dd_form time)
{
    /* known before the run: no variables, no time, no other point values */
    dd_form culprit = dd_find_varying(r->forms, time, true);
    if (culprit == DD_FORM_NONE) {
        culprit = dd_find_op(r->forms, time, DD_FORM_POINT);
    }
    if (culprit != DD_FORM_NONE) {
        dd_error(r->ctx, dd_form_get(r->forms, culprit)->span,
                 "the time of a point value is made of numbers, parameters, loop "
                 "indices, startTime and finalTime");
        return false;
    }
    return true;
}

static dd_form make_point(dd_resolver *r, dd_form reference, dd_form time, dd_span span)
{
    if (!check_point_time(r, time)) {
        return DD_FORM_NONE;
    }
    dd_form args[] = {reference, time};
    return dd_form_new(r->forms, DD_FORM_POINT, 0, 0, args, 2, span);
}

/* f(..) where f is not a built-in function: one of the user, a value at one time, or a mistake. */
static dd_form resolve_unknown_call(dd_resolver *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->forms, f);
    dd_form out;
    if (r->scope.call != NULL && r->scope.call(r->scope.user, r, f, &out)) {
        return out;
    }
    /* not a function: it can only be a variable at one time */
    uint32_t first = node.sub != 0 ? 1 : 0;
    dd_form name = first != 0 ? dd_form_arg(r->forms, f, 0)
                              : dd_form_new(r->forms, DD_FORM_NAME, 0, node.payload, NULL, 0, node.span);
    if (!r->scope.is_variable(r->scope.user, name)) {
        report_unknown_function(r, f);
        return DD_FORM_NONE;
    }
    dd_form reference = r->scope.reference(r->scope.user, r, name);
    if (reference == DD_FORM_NONE || dd_form_get(r->forms, reference)->op != DD_FORM_REF ||
        reject_point(r, dd_forms_symbol(r->forms, dd_form_get(r->forms, reference)->payload), node.span)) {
        return DD_FORM_NONE;
    }
    if (node.nargs - first != 1) {
        dd_error(r->ctx, node.span, "a value at one time has one argument, as in %s(finalTime)", called_name(r, f));
        return DD_FORM_NONE;
    }
    dd_form time = dd_resolve(r, dd_form_arg(r->forms, f, first));
    return time != DD_FORM_NONE ? make_point(r, reference, time, node.span) : DD_FORM_NONE;
}

static dd_form resolve_point(dd_resolver *r, dd_form f)
{
    dd_span span = dd_form_get(r->forms, f)->span;
    dd_form reference = dd_resolve(r, dd_form_arg(r->forms, f, 0)), time = dd_resolve(r, dd_form_arg(r->forms, f, 1));
    if (reference == DD_FORM_NONE || time == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    const dd_form_node *node = dd_form_get(r->forms, reference);
    if (node->op != DD_FORM_REF || reject_point(r, dd_forms_symbol(r->forms, node->payload), span)) {
        return DD_FORM_NONE;
    }
    return make_point(r, reference, time, span);
}

/* The position of a named argument; -1 after a message. */
static int argument_position(dd_resolver *r, dd_form_fn fn, const dd_form_node *named)
{
    /* functions with named arguments are in the table; the others take none */
    const char *name = dd_names_get(r->names, named->payload);
    for (size_t i = 0; i < sizeof argument_names / sizeof argument_names[0]; i++) {
        if (argument_names[i].fn != fn) {
            continue;
        }
        for (int k = 0; k < 4 && argument_names[i].names[k] != NULL; k++) {
            if (strcmp(argument_names[i].names[k], name) == 0) {
                return k;
            }
        }
        dd_error(r->ctx, named->span, "%s has no argument named %s; the first is %s", dd_builtin_of(fn).name, name,
                 argument_names[i].names[0]);
        return -1;
    }
    dd_error(r->ctx, named->span, "the arguments of %s have no names: leave out `%s =`", dd_builtin_of(fn).name, name);
    return -1;
}

/* Puts the resolved arguments of a call, from base on, in the order of the function. */
static bool order_arguments(dd_resolver *r, dd_form_fn fn, uint32_t base)
{
    dd_form ordered[4] = {DD_FORM_NONE};
    uint32_t n = r->stack.len - base;
    bool any = false;
    /* positions as written, unless an argument has a name */
    for (uint32_t i = 0; i < n; i++) {
        any |= dd_form_get(r->forms, r->stack.data[base + i])->op == DD_FORM_NAMED_ARG;
    }
    if (!any) {
        return true;
    }
    /* each at its own place, no place twice */
    for (uint32_t i = 0; i < n; i++) {
        dd_form argument = r->stack.data[base + i];
        dd_form_node node = *dd_form_get(r->forms, argument);
        bool named = node.op == DD_FORM_NAMED_ARG;
        int at = named ? argument_position(r, fn, &node) : (int)i;
        if (at < 0) {
            return false;
        }
        if (at >= 4 || (uint32_t)at >= n || ordered[at] != DD_FORM_NONE) {
            dd_error(r->ctx, node.span,
                     "the arguments of %s do not fit: each is given once, those without a name first",
                     dd_builtin_of(fn).name);
            return false;
        }
        ordered[at] = named ? dd_form_arg(r->forms, argument, 0) : argument;
    }
    memcpy(r->stack.data + base, ordered, n * sizeof *ordered);
    return true;
}

/* size(c, i) of an array of components: the same of an array of numbers of that size. */
static dd_form resolve_size(dd_resolver *r, dd_form f, dd_form sized)
{
    dd_form_node node = *dd_form_get(r->forms, f);
    dd_form args[2] = {sized, DD_FORM_NONE};
    /* size(c, k) with a literal k is a number at once */
    if (node.nargs == 2) {
        args[1] = dd_resolve(r, dd_form_arg(r->forms, f, 1));
        if (args[1] == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
        uint32_t dims = dd_form_get(r->forms, sized)->nargs;
        const dd_form_node at = *dd_form_get(r->forms, args[1]);
        const char *text = at.op == DD_FORM_NUM ? dd_names_get(r->names, at.payload) : "";
        if (text[0] >= '1' && text[0] <= '9' && text[1] == '\0' && (uint32_t)(text[0] - '0') <= dims) {
            return dd_form_arg(r->forms, sized, (uint32_t)(text[0] - '1')); /* a number, which reads better */
        }
    }
    return dd_form_new(r->forms, DD_FORM_CALL, node.sub, 0, args, node.nargs, node.span);
}

static dd_form resolve_call(dd_resolver *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->forms, f);
    const dd_builtin info = dd_builtin_of((dd_form_fn)node.sub);
    bool changed;
    uint32_t base = r->stack.len;
    /* the number of arguments is known here, before they are resolved */
    if (node.nargs < info.least || node.nargs > info.most) {
        dd_text words = dd_text_new(r->pool);
        dd_builtin_count_words((dd_form_fn)node.sub, node.nargs, &words);
        dd_error(r->ctx, node.span, "%s", dd_text_str(&words));
        return DD_FORM_NONE;
    }
    bool about_size = node.sub == DD_FN_SIZE || node.sub == DD_FN_NDIMS;
    dd_form sized;
    /* arrays of components have sizes but no values */
    if (about_size && r->scope.component_size != NULL &&
        r->scope.component_size(r->scope.user, dd_form_arg(r->forms, f, 0), &sized)) {
        return resolve_size(r, f, sized);
    }
    bool ok = resolve_args(r, f, &changed) && order_arguments(r, (dd_form_fn)node.sub, base);
    return rebuild(r, DD_FORM_CALL, node.sub, node.payload, base, node.span, ok);
}

/* ---- comprehensions ---- */

static dd_form resolve_comprehension(dd_resolver *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->forms, f);
    uint32_t base = r->stack.len;
    bool ok = true;
    dd_vec_push(r->pool, &r->stack, DD_FORM_NONE); /* the body, when its loop variables are known */
    for (uint32_t i = 1; i < node.nargs; i += 2) {
        dd_form loop = dd_form_arg(r->forms, f, i), range = dd_resolve(r, dd_form_arg(r->forms, f, i + 1));
        ok = ok && range != DD_FORM_NONE;
        dd_vec_push(r->pool, &r->stack, loop);
        dd_vec_push(r->pool, &r->stack, range);
        dd_resolve_push_loop(r, dd_form_get(r->forms, loop)->payload);
    }
    /* the body sees all iterators, each range those before it */
    dd_form body = dd_resolve(r, dd_form_arg(r->forms, f, 0));
    for (uint32_t i = 1; i < node.nargs; i += 2) {
        dd_resolve_pop_loop(r);
    }
    r->stack.data[base] = body;
    return rebuild(r, DD_FORM_COMPREHENSION, node.sub, 0, base, node.span, ok && body != DD_FORM_NONE);
}

dd_form dd_resolve(dd_resolver *r, dd_form f)
{
    switch ((dd_form_op)dd_form_get(r->forms, f)->op) {
    case DD_FORM_NAME:
    case DD_FORM_PATH:
        return resolve_name(r, f);
    case DD_FORM_UNKNOWN_CALL:
        return resolve_unknown_call(r, f);
    case DD_FORM_POINT:
        return resolve_point(r, f);
    case DD_FORM_CALL:
        return resolve_call(r, f);
    case DD_FORM_COMPREHENSION:
        return resolve_comprehension(r, f);
    default:
        return dd_form_get(r->forms, f)->nargs > 0 ? resolve_other(r, f) : f;
    }
}

/* ---- looking ---- */

dd_form dd_find_varying(const dd_forms *forms, dd_form f, bool time_too)
{
    const dd_form_node *node = dd_form_get(forms, f);
    /* outside point values, and not where only a shape is needed */
    if (node->op == DD_FORM_TIME && time_too) {
        return f;
    }
    bool about_shape = node->op == DD_FORM_CALL && (node->sub == DD_FN_SIZE || node->sub == DD_FN_NDIMS);
    if (node->op == DD_FORM_POINT || about_shape) {
        return DD_FORM_NONE;
    }
    if (node->op == DD_FORM_REF && dd_forms_symbol((dd_forms *)forms, node->payload)->varies) {
        return f;
    }
    for (uint32_t i = 0; i < node->nargs; i++) {
        dd_form found = dd_find_varying(forms, dd_form_arg(forms, f, i), time_too);
        if (found != DD_FORM_NONE) {
            return found;
        }
    }
    return DD_FORM_NONE;
}

dd_form dd_find_op(const dd_forms *forms, dd_form f, dd_form_op op)
{
    const dd_form_node *node = dd_form_get(forms, f);
    if (node->op == op) {
        return f;
    }
    for (uint32_t i = 0; i < node->nargs; i++) {
        dd_form found = dd_find_op(forms, dd_form_arg(forms, f, i), op);
        if (found != DD_FORM_NONE) {
            return found;
        }
    }
    return DD_FORM_NONE;
}
