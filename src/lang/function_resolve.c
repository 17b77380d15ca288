/* function_resolve.c - names in the expressions and statements of a function: its variables become LOCAL forms,
 * loop variables LOOP, calls USER_CALL; anything else is resolved by the surroundings. Statements are copied,
 * since a function and one that extends it may share them. */
#include <string.h>

#include "lang/function_private.h"

typedef struct resolution {
    dd_functions *fs;
    dd_function *fn;
    dd_ast_class *scope; /* the class of the text at hand */
    dd_resolver plain;   /* for calls of built-in functions */
    DD_VEC(dd_loop_name) loops;
    DD_VEC(dd_form) stack;
    bool ok;
} resolution;

static dd_form resolve(resolution *r, dd_form f);

static dd_form fail(resolution *r, dd_form f, const char *message, const char *name)
{
    dd_error(r->fs->ctx, dd_form_get(r->fs->forms, f)->span, message, name);
    return DD_FORM_NONE;
}

static const char *text_of(const resolution *r, uint32_t name)
{
    return dd_names_get(r->fs->names, name);
}

static uint32_t find_loop(const resolution *r, uint32_t name)
{
    for (uint32_t i = r->loops.len; i-- > 0;) {
        if (r->loops.data[i].name == name) {
            return r->loops.data[i].loop;
        }
    }
    return 0;
}

static void push_loop(resolution *r, uint32_t loop)
{
    dd_vec_push(r->fs->pool, &r->loops, (dd_loop_name){dd_forms_loop_name(r->fs->forms, loop), loop});
}

/* ---- arguments ---- */

static bool resolve_args(resolution *r, dd_form f, uint32_t first)
{
    uint32_t n = dd_form_get(r->fs->forms, f)->nargs;
    bool ok = true;
    for (uint32_t i = first; i < n; i++) {
        dd_form arg = resolve(r, dd_form_arg(r->fs->forms, f, i));
        ok = ok && arg != DD_FORM_NONE;
        dd_vec_push(r->fs->pool, &r->stack, arg);
    }
    return ok;
}

static dd_form rebuild(resolution *r, dd_form_op op, uint8_t sub, uint32_t payload, uint32_t base, dd_span span,
                       bool ok)
{
    uint32_t n = r->stack.len - base;
    r->stack.len = base;
    return ok ? dd_form_new(r->fs->forms, op, sub, payload, dd_vec_from(&r->stack, base), n, span) : DD_FORM_NONE;
}

static dd_form resolve_other(resolution *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->fs->forms, f);
    uint32_t base = r->stack.len;
    bool ok = resolve_args(r, f, 0);
    return rebuild(r, (dd_form_op)node.op, node.sub, node.payload, base, node.span, ok);
}

/* ---- names ---- */

/* The same name with its subscripts resolved, as the surroundings want it. */
static dd_form outer_name(resolution *r, dd_form f)
{
    dd_form name = resolve_other(r, f);
    return name == DD_FORM_NONE ? name : r->fs->scope.reference(r->fs->scope.user, r->scope, name);
}

static dd_form outer_path(resolution *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->fs->forms, f);
    uint32_t base = r->stack.len;
    bool ok = true;
    /* subscripts are resolved here; the name itself is for the surroundings */
    for (uint32_t i = 0; i < node.nargs; i++) {
        dd_form part = resolve_other(r, dd_form_arg(r->fs->forms, f, i));
        ok = ok && part != DD_FORM_NONE;
        dd_vec_push(r->fs->pool, &r->stack, part);
    }
    dd_form path = rebuild(r, DD_FORM_PATH, node.sub, node.payload, base, node.span, ok);
    return path == DD_FORM_NONE ? path : r->fs->scope.reference(r->fs->scope.user, r->scope, path);
}

static dd_form local(resolution *r, dd_form f, uint32_t variable)
{
    uint32_t base = r->stack.len;
    bool ok = resolve_args(r, f, 0);
    return rebuild(r, DD_FORM_LOCAL, 0, r->fn->first_local + variable, base, dd_form_get(r->fs->forms, f)->span, ok);
}

static dd_form resolve_name(resolution *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->fs->forms, f);
    /* loop variables hide variables of the function, those hide everything outside */
    uint32_t loop = find_loop(r, node.payload), variable = dd_map_get(&r->fn->by_name, node.payload);
    if (loop != 0) {
        return node.nargs == 0 ? dd_form_new(r->fs->forms, DD_FORM_LOOP, 0, loop, NULL, 0, node.span)
                               : fail(r, f, "%s is a loop variable and has no subscripts", text_of(r, node.payload));
    }
    return variable != 0 ? local(r, f, variable - 1) : outer_name(r, f);
}

/* a.b[i].c of a variable a: fields of records */
static dd_form resolve_path(resolution *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->fs->forms, f);
    dd_form head = dd_form_arg(r->fs->forms, f, 0);
    uint32_t name = dd_form_get(r->fs->forms, head)->payload, variable = dd_map_get(&r->fn->by_name, name);
    /* a path that begins with a variable goes through fields of records; any other is for the surroundings */
    if (node.sub == 0 && find_loop(r, name) != 0) {
        return fail(r, f, "%s is a loop variable and has no members", text_of(r, name));
    }
    if (node.sub != 0 || variable == 0) {
        return outer_path(r, f);
    }
    dd_form whole = local(r, head, variable - 1);
    const dd_function *record = r->fn->vars[variable - 1].record;
    /* every part must be a field of the record before it; its subscripts are resolved in this function */
    for (uint32_t i = 1; i < node.nargs && whole != DD_FORM_NONE; i++) {
        dd_form part = dd_form_arg(r->fs->forms, f, i);
        uint32_t field = dd_form_get(r->fs->forms, part)->payload, base = r->stack.len;
        uint32_t place = record == NULL ? 0 : dd_map_get(&record->by_name, field);
        if (place == 0) {
            dd_error(r->fs->ctx, dd_form_get(r->fs->forms, part)->span,
                     record == NULL ? "%s has no field %s: it is not a record" : "%s has no field %s",
                     record == NULL ? text_of(r, name) : record->name, text_of(r, field));
            return DD_FORM_NONE;
        }
        record = record->vars[place - 1].record;
        name = field;
        dd_vec_push(r->fs->pool, &r->stack, whole);
        bool ok = resolve_args(r, part, 0);
        whole = rebuild(r, DD_FORM_ELEMENT, 1, field, base, node.span, ok);
    }
    return whole;
}

/* ---- calls ---- */

static dd_form resolve_call(resolution *r, dd_form f)
{
    dd_form call = resolve_other(r, f);
    return call == DD_FORM_NONE ? call : dd_resolve(&r->plain, call);
}

static dd_form resolve_unknown_call(resolution *r, dd_form f)
{
    uint32_t base = r->stack.len, first = dd_form_get(r->fs->forms, f)->sub != 0;
    bool ok = resolve_args(r, f, first);
    uint32_t n = r->stack.len - base;
    r->stack.len = base;
    return ok ? dd_functions_resolve(r->fs, r->scope, f, dd_vec_from(&r->stack, base), n) : DD_FORM_NONE;
}

static dd_form resolve_comprehension(resolution *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->fs->forms, f);
    uint32_t base = r->stack.len, loops = r->loops.len;
    bool ok = true;
    /* a place for the body, which is resolved last: ranges see the iterators before them, the body sees all */
    dd_vec_push(r->fs->pool, &r->stack, DD_FORM_NONE);
    for (uint32_t i = 1; i < node.nargs; i += 2) {
        dd_form loop = dd_form_arg(r->fs->forms, f, i), range = resolve(r, dd_form_arg(r->fs->forms, f, i + 1));
        ok = ok && range != DD_FORM_NONE;
        dd_vec_push(r->fs->pool, &r->stack, loop);
        dd_vec_push(r->fs->pool, &r->stack, range);
        push_loop(r, dd_form_get(r->fs->forms, loop)->payload);
    }
    dd_form body = resolve(r, dd_form_arg(r->fs->forms, f, 0));
    r->loops.len = loops;
    r->stack.data[base] = body;
    return rebuild(r, DD_FORM_COMPREHENSION, node.sub, 0, base, node.span, ok && body != DD_FORM_NONE);
}

static dd_form resolve(resolution *r, dd_form f)
{
    const dd_form_node *node = dd_form_get(r->fs->forms, f); /* names and paths */
    switch ((dd_form_op)node->op) {
    case DD_FORM_NAME:
        return resolve_name(r, f);
    case DD_FORM_PATH:
        return resolve_path(r, f);
    case DD_FORM_UNKNOWN_CALL:
        return resolve_unknown_call(r, f);
    /* built-in calls: arguments here, the rest by the resolver that models use */
    case DD_FORM_CALL:
        return resolve_call(r, f);
    case DD_FORM_COMPREHENSION:
        return resolve_comprehension(r, f);
    /* a function is a function of its inputs: time and derivatives have to come in as such */
    case DD_FORM_TIME:
        return fail(r, f, "time cannot be used in the function %s: give it as an input", r->fn->name);
    case DD_FORM_DER:
        return fail(r, f, "der(..) cannot be used in the function %s: give the derivative as an input", r->fn->name);
    case DD_FORM_POINT:
        return fail(r, f, "a value at one time cannot be used in the function %s", r->fn->name);
    default:
        return node->nargs > 0 ? resolve_other(r, f) : f;
    }
}

/* ---- for i loop ---- */

/* size(a, d) of the first array with the subscript i at place d; DD_FORM_NONE when there is none. */
static dd_form size_in_form(resolution *r, dd_form f, uint32_t loop)
{
    /* depth first; only a plain a[.., i, ..] says what the range is */
    dd_form_node node = *dd_form_get(r->fs->forms, f);
    uint32_t first = node.op == DD_FORM_ELEMENT;
    for (uint32_t i = 0; i < node.nargs; i++) {
        dd_form arg = dd_form_arg(r->fs->forms, f, i);
        const dd_form_node *below = dd_form_get(r->fs->forms, arg);
        bool whole = node.op == DD_FORM_LOCAL || node.op == DD_FORM_REF || (first && node.sub != 0 && i > 0);
        if (whole && below->op == DD_FORM_LOOP && below->payload == loop) {
            dd_form head = first ? dd_form_arg(r->fs->forms, f, 0) : DD_FORM_NONE, args[2];
            args[0] = dd_form_new(r->fs->forms, (dd_form_op)node.op, node.sub, node.payload, &head, first, node.span);
            args[1] = dd_form_number(r->fs->forms, i + 1 - first, node.span);
            return dd_form_new(r->fs->forms, DD_FORM_CALL, DD_FN_SIZE, 0, args, 2, node.span);
        }
        dd_form found = size_in_form(r, arg, loop);
        if (found != DD_FORM_NONE) {
            return found;
        }
    }
    return DD_FORM_NONE;
}

static dd_form size_in_list(resolution *r, const dd_ast_equation *list, uint32_t loop)
{
    dd_form found = DD_FORM_NONE;
    /* in the order of the text: the first array that is found determines the range */
    for (; list != NULL && found == DD_FORM_NONE; list = list->next) {
        found = list->lhs != DD_FORM_NONE ? size_in_form(r, list->lhs, loop) : found;
        found = found == DD_FORM_NONE && list->rhs != DD_FORM_NONE ? size_in_form(r, list->rhs, loop) : found;
        found = found == DD_FORM_NONE ? size_in_list(r, list->body, loop) : found;
        for (const dd_ast_branch *b = list->branches; b != NULL && found == DD_FORM_NONE; b = b->next) {
            found = b->condition != DD_FORM_NONE ? size_in_form(r, b->condition, loop) : found;
            found = found == DD_FORM_NONE ? size_in_list(r, b->body, loop) : found;
        }
    }
    return found;
}

static dd_form deduce_range(resolution *r, const dd_ast_equation *eq)
{
    dd_form size = size_in_list(r, eq->body, eq->loop);
    if (size == DD_FORM_NONE) {
        dd_error(r->fs->ctx, eq->span, "the range of %s is not given, and no array has %s alone as a subscript",
                 text_of(r, dd_forms_loop_name(r->fs->forms, eq->loop)),
                 text_of(r, dd_forms_loop_name(r->fs->forms, eq->loop)));
        return DD_FORM_NONE;
    }
    dd_form ends[2] = {dd_form_number(r->fs->forms, 1, eq->span), size};
    return dd_form_new(r->fs->forms, DD_FORM_RANGE, 0, 0, ends, 2, eq->span);
}

/* ---- statements ---- */

static dd_ast_equation *copy_list(resolution *r, const dd_ast_equation *list);

/* The left side of := must be a variable of the function that is not an input. */
static bool check_target(resolution *r, dd_form target, dd_form written)
{
    /* down to the variable that an element or field belongs to */
    dd_form f = target;
    while (dd_form_get(r->fs->forms, f)->op == DD_FORM_ELEMENT) {
        f = dd_form_arg(r->fs->forms, f, 0);
    }
    const dd_form_node *node = dd_form_get(r->fs->forms, f);
    if (node->op != DD_FORM_LOCAL) {
        dd_error(r->fs->ctx, dd_form_get(r->fs->forms, written)->span,
                 "only outputs and protected variables of %s can be assigned", r->fn->name);
        return false;
    }
    /* inputs and constants keep their values (12.2) */
    const dd_fvar *var = &r->fn->vars[node->payload - r->fn->first_local];
    if (var->is_input || var->ast->variability == DD_AST_CONSTANT) {
        dd_error(r->fs->ctx, dd_form_get(r->fs->forms, written)->span, "%s is %s of %s and cannot be assigned",
                 var->name, var->is_input ? "an input" : "a constant", r->fn->name);
        return false;
    }
    return true;
}

static bool check_targets(resolution *r, dd_form target, dd_form written)
{
    const dd_form_node *node = dd_form_get(r->fs->forms, target);
    if (node->op != DD_FORM_TUPLE) {
        return check_target(r, target, written);
    }
    /* each part of (a, , b) by itself; an empty one is a colon */
    bool ok = true;
    for (uint32_t i = 0; i < dd_form_get(r->fs->forms, target)->nargs; i++) {
        dd_form part = dd_form_arg(r->fs->forms, target, i);
        ok = (dd_form_get(r->fs->forms, part)->op == DD_FORM_COLON ||
              check_target(r, part, dd_form_arg(r->fs->forms, written, i))) &&
             ok;
    }
    return ok;
}

static void resolve_assignment(resolution *r, dd_ast_equation *eq)
{
    /* both sides, then what may be assigned */
    dd_form written = eq->lhs;
    eq->lhs = resolve(r, eq->lhs);
    eq->rhs = resolve(r, eq->rhs);
    r->ok = eq->lhs != DD_FORM_NONE && eq->rhs != DD_FORM_NONE && r->ok;
    r->ok = eq->lhs != DD_FORM_NONE && check_targets(r, eq->lhs, written) && r->ok;
    if (r->ok && dd_form_get(r->fs->forms, eq->lhs)->op == DD_FORM_TUPLE &&
        dd_form_get(r->fs->forms, eq->rhs)->op != DD_FORM_USER_CALL) {
        dd_error(r->fs->ctx, eq->span, "(a, b) := f(x) needs the call of a function with several outputs");
        r->ok = false;
    }
}

static void resolve_loop(resolution *r, dd_ast_equation *eq)
{
    /* without a range the body is resolved first: it says which array i runs over */
    bool given = eq->rhs != DD_FORM_NONE;
    eq->rhs = given ? resolve(r, eq->rhs) : DD_FORM_NONE;
    push_loop(r, eq->loop);
    eq->body = copy_list(r, eq->body);
    r->loops.len--;
    eq->rhs = given || !r->ok ? eq->rhs : deduce_range(r, eq);
    r->ok = r->ok && eq->rhs != DD_FORM_NONE;
}

static void resolve_branches(resolution *r, dd_ast_equation *eq)
{
    dd_ast_branch **end = &eq->branches;
    for (const dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        dd_ast_branch *copy = dd_pool_alloc(r->fs->pool, sizeof *copy);
        *copy = *b;
        if (b->condition != DD_FORM_NONE) {
            copy->condition = resolve(r, b->condition);
            r->ok = r->ok && copy->condition != DD_FORM_NONE;
        }
        copy->body = copy_list(r, b->body);
        *end = copy;
        end = &copy->next;
    }
}

static void resolve_statement(resolution *r, dd_ast_equation *eq)
{
    /* the parts of a statement, each resolved in a copy */
    switch (eq->kind) {
    case DD_AST_ASSIGN:
        resolve_assignment(r, eq);
        return;
    case DD_AST_FOR:
        resolve_loop(r, eq);
        return;
    case DD_AST_IF:
        resolve_branches(r, eq);
        return;
    case DD_AST_WHILE:
        eq->rhs = resolve(r, eq->rhs);
        r->ok = r->ok && eq->rhs != DD_FORM_NONE;
        eq->body = copy_list(r, eq->body);
        return;
    case DD_AST_CALL:
    case DD_AST_ASSERT: /* the message is only read */
        eq->lhs = resolve(r, eq->lhs);
        r->ok = r->ok && eq->lhs != DD_FORM_NONE;
        return;
    case DD_AST_LIST:
        eq->body = copy_list(r, eq->body);
        return;
    case DD_AST_RETURN:
    case DD_AST_BREAK:
        return;
    default:
        dd_error(r->fs->ctx, eq->span,
                 "an equation is not allowed in the function %s: assignments are written with :=", r->fn->name);
        r->ok = false;
        return;
    }
}

/* Recursion: the parser limits how deep statements are nested. */
static dd_ast_equation *copy_list(resolution *r, const dd_ast_equation *list)
{
    dd_ast_equation *first = NULL, **end = &first;
    for (; list != NULL; list = list->next) {
        dd_ast_equation *copy = dd_pool_alloc(r->fs->pool, sizeof *copy);
        *copy = *list;
        copy->next = NULL;
        resolve_statement(r, copy);
        *end = copy;
        end = &copy->next;
    }
    return first;
}

/* ---- the whole function ---- */

static void resolve_variable(resolution *r, dd_fvar *var)
{
    /* sizes and values are names of the class they are written in, which may be a base */
    for (uint32_t d = 0; d < var->ndim; d++) {
        r->scope = var->dims_in[d];
        var->dims[d] = resolve(r, var->dims[d]);
        r->ok = r->ok && var->dims[d] != DD_FORM_NONE;
    }
    if (var->written != DD_FORM_NONE) {
        r->scope = var->written_in;
        var->binding = resolve(r, var->written);
        r->ok = r->ok && var->binding != DD_FORM_NONE;
    }
}

bool dd_function_prepare(dd_functions *fs, dd_function *fn)
{
    /* once; a recursive call finds it open, which is fine */
    if (fn->body_state != DD_FUNCTION_NEW) {
        return fn->body_state != DD_FUNCTION_BROKEN;
    }
    fn->body_state = DD_FUNCTION_OPEN;
    resolution r = {.fs = fs, .fn = fn, .plain = dd_resolver_new(fs->pool, fs->forms, (dd_scope){0}), .ok = true};
    for (uint32_t i = 0; i < fn->n_vars; i++) {
        resolve_variable(&r, &fn->vars[i]);
    }
    /* the algorithms of all classes it extends, one behind the other */
    dd_ast_equation **end = &fn->body;
    for (uint32_t i = 0; i < fn->parts.len; i++) {
        r.scope = fn->parts.data[i];
        *end = copy_list(&r, fn->parts.data[i]->equations[DD_AST_ALGORITHM]);
        while (*end != NULL) {
            end = &(*end)->next;
        }
    }
    fn->body_state = r.ok ? DD_FUNCTION_READY : DD_FUNCTION_BROKEN;
    return r.ok;
}

dd_form dd_function_resolve_form(dd_functions *fs, dd_ast_class *scope, dd_form f)
{
    dd_function none = {.name = "", .by_name = dd_map_new(fs->pool)};
    resolution r = {.fs = fs,
                    .fn = &none,
                    .scope = scope,
                    .plain = dd_resolver_new(fs->pool, fs->forms, (dd_scope){0}),
                    .ok = true};
    return resolve(&r, f);
}
