/* function_run.c - statements of functions, run on values. Loops are unrolled: their ranges are known numbers. An `if`
 * that numbers decide takes one branch; one that changes runs both (function_merge.c). An `if` on the values of Real
 * parameters is tried as one that changes, so that these can still be changed afterwards; when that fails, because
 * sizes or a recursion depend on it, the value decides and the parameters become structural. */
#include "lang/function_private.h"

#define RECYCLE 256                  /* statements until the memory of temporary expressions is freed */
#define REPORTED (UINT64_C(1) << 62) /* the message that it runs too long was given */
#define MOST_BRANCHES 1000           /* of one `if` that changes: bounds the recursion */

static dd_fflow flow_of(bool ok)
{
    return ok ? DD_FLOW_ON : DD_FLOW_FAILED;
}

bool dd_function_count(dd_el *el, const dd_call_frame *frame, uint32_t work, dd_span span)
{
    dd_elaborator *e = el->e;
    /* the limit is for the outermost call, with everything inside it; it is named in the message */
    e->statements += work;
    if (e->statements > e->max_statements) {
        while (frame->caller != NULL) {
            frame = frame->caller;
        }
        if (e->quiet == 0 && e->statements < REPORTED) {
            dd_error(el->m->ctx, span, "%s runs too long: more than %llu statements", frame->fn->name,
                     (unsigned long long)e->max_statements);
            e->statements = REPORTED;
        }
        return false;
    }
    dd_check_stop(el->m->ctx);
    return true;
}

/* Frees temporary memory from time to time. */
static void recycle(dd_el *el)
{
    dd_call_frame *frame = el->frame;
    /* values of variables are in another pool, so nothing that is needed is lost */
    if (++frame->used >= RECYCLE) {
        dd_pool_free(frame->temporary);
        frame->temporary = dd_pool_child(frame->pool);
        frame->used = 0;
        el->scratch = frame->temporary;
    }
}

static bool run_assignment(dd_el *el, const dd_ast_equation *eq)
{
    dd_ev value;
    if (dd_form_get(el->forms, eq->lhs)->op == DD_FORM_TUPLE) {
        return dd_function_assign_tuple(el, eq->lhs, eq->rhs);
    }
    return dd_el_any(el, eq->rhs, &value) && dd_function_assign(el, eq->lhs, eq->rhs, &value);
}

/* ---- conditions ---- */

static bool read_condition(dd_el *el, dd_form f, dd_expr *out)
{
    dd_ev v = {0};
    /* a scalar condition; its value may be an expression */
    if (!dd_el_form(el, f, &v) || !dd_el_boolean_typed(el, f, &v, "a condition")) {
        return false;
    }
    if (v.ndim > 0) {
        return dd_el_fail(el, f, "a condition must be a scalar, but %s %s", dd_el_text(el, f), dd_el_has(el, &v));
    }
    *out = v.one;
    return true;
}

/* Does it follow from parameters alone, and are there Real ones among them? */
static bool follows_from_parameters(dd_el *el, dd_expr condition, bool *real)
{
    dd_expr_vec symbols = {0};
    bool known = true;
    *real = false;
    /* every symbol a parameter or constant; a Real one among them is worth keeping variable */
    dd_symbols(el->dag, condition, true, &symbols, el->scratch);
    for (uint32_t i = 0; i < symbols.len && known; i++) {
        known = dd_op_of(el->dag, symbols.data[i]) == DD_OP_PARAM;
        if (known) {
            const dd_variable *v = &el->m->vars.data[dd_symbol_id(el->dag, symbols.data[i])];
            known = v->kind == DD_KIND_PARAMETER || v->kind == DD_KIND_CONSTANT;
            bool number = el->m->arrays.data[v->array].type == DD_TYPE_REAL && v->kind == DD_KIND_PARAMETER;
            *real = *real || number;
        }
    }
    dd_vec_free(el->scratch, &symbols);
    return known;
}

/* ---- if ---- */

static dd_fflow run_branches(dd_el *el, const dd_ast_equation *eq, const dd_ast_branch *b, uint32_t depth);

static dd_fflow run_side(dd_el *el, const dd_ast_equation *eq, const dd_ast_branch *b, dd_expr condition, dd_ev *values,
                         bool is_else, uint32_t depth)
{
    dd_call_frame *frame = el->frame;
    /* the condition is added to the path: assertions and exits inside depend on it */
    dd_fpath path = {frame->path, condition};
    frame->path = &path;
    frame->values = values;
    dd_fflow flow = is_else ? run_branches(el, eq, b->next, depth + 1) : dd_function_run(el, b->body);
    frame->path = path.outer;
    return flow;
}

static void leave(dd_el *el, dd_fflow flow, dd_expr condition, dd_ev *values)
{
    if (flow == DD_FLOW_BREAK) {
        dd_frame_add_break(el, condition, values);
    } else {
        dd_frame_add_return(el, condition, values);
    }
}

/* Both sides on copies of the values; the results are selected by the condition. */
static dd_fflow run_both(dd_el *el, const dd_ast_equation *eq, const dd_ast_branch *b, dd_expr condition,
                         uint32_t depth)
{
    /* each side runs on its own copy of the values before the `if` */
    dd_call_frame *frame = el->frame;
    dd_expr otherwise = dd_unary(el->dag, DD_OP_NOT, condition);
    dd_ev *before = frame->values, *other = dd_frame_copy(el, before);
    if (depth == MOST_BRANCHES) {
        dd_el_fail(el, b->condition, "an `if` with more than %d branches whose conditions change", MOST_BRANCHES);
        return DD_FLOW_FAILED;
    }
    dd_fflow first = run_side(el, eq, b, condition, dd_frame_copy(el, before), false, depth);
    dd_ev *a = frame->values;
    dd_fflow second = first == DD_FLOW_FAILED ? first : run_side(el, eq, b, otherwise, other, true, depth);
    dd_ev *c = frame->values;
    frame->values = before;
    if (second == DD_FLOW_FAILED) {
        return DD_FLOW_FAILED;
    }
    /* both go on, break or return together: one selection, and the flow they share */
    if (first == second) {
        return dd_frame_merge(el, b->condition, condition, a, c) ? first : DD_FLOW_FAILED;
    }
    /* one leaves and the other goes on: the one that leaves further (return before break) keeps its values aside */
    bool first_leaves = second == DD_FLOW_ON || (first == DD_FLOW_RETURN && second == DD_FLOW_BREAK);
    leave(el, first_leaves ? first : second, first_leaves ? condition : otherwise, first_leaves ? a : c);
    frame->values = first_leaves ? c : a;
    return first_leaves ? second : first;
}

/* Tries to keep a condition in parameters open. */
static bool try_both(dd_el *el, const dd_ast_equation *eq, const dd_ast_branch *b, dd_expr condition, uint32_t depth,
                     dd_fflow *flow)
{
    /* everything that a failed trial could have changed is put back */
    dd_call_frame *frame = el->frame;
    dd_ev *values = frame->values;
    dd_fexit *returns = frame->returns, *breaks = frame->loop != NULL ? frame->loop->breaks : NULL;
    uint32_t tried_at = el->e->tried_at, assertions = el->m->assertions.len;
    el->e->quiet++;
    el->e->tried_at = frame->depth;
    *flow = run_both(el, eq, b, condition, depth);
    el->e->tried_at = tried_at;
    el->e->quiet--;
    if (*flow != DD_FLOW_FAILED) {
        return true;
    }
    frame->values = values;
    frame->returns = returns;
    if (frame->loop != NULL) {
        frame->loop->breaks = breaks;
    }
    el->m->assertions.len = assertions;
    return false;
}

static dd_fflow run_branches(dd_el *el, const dd_ast_equation *eq, const dd_ast_branch *b, uint32_t depth)
{
    /* the first branch whose condition does not fold to false */
    for (; b != NULL; b = b->next) {
        dd_expr condition = DD_EXPR_NONE;
        bool real;
        double number;
        dd_fflow flow;
        if (b->condition == DD_FORM_NONE) {
            return dd_function_run(el, b->body);
        }
        if (!read_condition(el, b->condition, &condition)) {
            return DD_FLOW_FAILED;
        }
        /* the condition changes: both this branch and the rest */
        if (!follows_from_parameters(el, condition, &real)) {
            return run_both(el, eq, b, condition, depth);
        }
        /* the condition is known, but Real parameters are better kept variable, if both branches make sense */
        if (real && try_both(el, eq, b, condition, depth, &flow)) {
            return flow;
        }
        if (!dd_el_evaluate(el, b->condition, condition, "a condition", &number)) {
            return DD_FLOW_FAILED;
        }
        /* the value decides */
        if (number != 0) {
            return dd_function_run(el, b->body);
        }
    }
    return DD_FLOW_ON;
}

/* ---- loops ---- */

/* The end of a loop: selects between the values of the branches that left it. */
static dd_fflow end_loop(dd_el *el, const dd_ast_equation *eq, dd_floop *loop, dd_fflow flow)
{
    el->frame->loop = loop->outer;
    if (flow == DD_FLOW_FAILED) {
        return flow;
    }
    /* a return inside a loop with breaks: the function ends only where no break came first */
    bool returned = flow == DD_FLOW_RETURN;
    if (returned && loop->breaks == NULL) {
        return flow;
    }
    if (returned) { /* where it was not left before, the function ends */
        dd_expr here = dd_num(el->dag, 1);
        for (const dd_fexit *e = loop->breaks; e != NULL; e = e->next) {
            here = dd_binary(el->dag, DD_OP_AND, here, dd_unary(el->dag, DD_OP_NOT, e->condition));
        }
        dd_frame_add_return(el, here, dd_frame_copy(el, el->frame->values));
    }
    dd_form blamed = eq->rhs;
    return flow_of(dd_frame_merge_exits(el, blamed, loop->breaks, returned));
}

/* One run of the body. False when the loop ends. */
static bool run_body(dd_el *el, const dd_ast_equation *eq, dd_fflow *flow)
{
    /* each iteration is a statement, so that an empty loop ends, too */
    *flow = dd_function_count(el, el->frame, 1, eq->span) ? dd_function_run(el, eq->body) : DD_FLOW_FAILED;
    return *flow == DD_FLOW_ON;
}

static dd_fflow run_for(dd_el *el, const dd_ast_equation *eq)
{
    double *values;
    uint64_t count;
    bool integer;
    dd_fflow flow = DD_FLOW_ON;
    dd_pool *before = el->scratch;
    el->scratch = el->frame->pool; /* the values live longer than a statement */
    bool ok = dd_el_iteration(el, eq->rhs, &values, &count, &integer);
    el->scratch = before;
    if (!ok) {
        return DD_FLOW_FAILED;
    }
    /* the loop remembers the conditions around it: breaks are relative to them */
    dd_floop loop = {el->frame->loop, el->frame->path, NULL};
    dd_form_env env = {.loop = eq->loop, .outer = el->env};
    el->frame->loop = &loop;
    for (uint64_t k = 0; k < count; k++) {
        env.real = values[k];
        env.value = dd_loop_integer(values[k]);
        /* cppcheck-suppress autoVariables ; the outer one is back before this one ends */
        el->env = &env;
        if (!run_body(el, eq, &flow)) {
            break;
        }
    }
    el->env = env.outer;
    return end_loop(el, eq, &loop, flow);
}

/* *again: does the condition hold? It must be known. */
static bool read_while(dd_el *el, const dd_ast_equation *eq, bool *again)
{
    dd_expr condition = DD_EXPR_NONE;
    bool real;
    double number;
    if (!read_condition(el, eq->rhs, &condition)) {
        return false;
    }
    if (!follows_from_parameters(el, condition, &real)) {
        return dd_el_fail(el, eq->rhs,
                          "the condition of `while` changes during the simulation, so its end is not known: use `for` "
                          "with a fixed number of steps, and break");
    }
    if (!dd_el_evaluate(el, eq->rhs, condition, "the condition of `while`", &number)) {
        return false;
    }
    *again = number != 0;
    return true;
}

static dd_fflow run_while(dd_el *el, const dd_ast_equation *eq)
{
    dd_fflow flow = DD_FLOW_ON;
    dd_floop loop = {el->frame->loop, el->frame->path, NULL};
    el->frame->loop = &loop;
    /* a `while` must end in numbers: its condition is evaluated before each run */
    for (bool again = true; again;) {
        if (!read_while(el, eq, &again)) {
            flow = DD_FLOW_FAILED;
            break;
        }
        if (again && !run_body(el, eq, &flow)) {
            break;
        }
    }
    return end_loop(el, eq, &loop, flow);
}

/* ---- assert ---- */

static const char *message_of(dd_el *el, dd_form f)
{
    if (f == DD_FORM_NONE) {
        return "";
    }
    const dd_form_node *node = dd_form_get(el->forms, f);
    if (node->op == DD_FORM_STRING) {
        return dd_names_get(el->m->names, node->payload);
    }
    dd_text text = dd_text_new(el->m->pool);
    dd_form_print(el->forms, f, NULL, &text);
    return dd_text_str(&text);
}

/* An assertion of the model, once for each condition and place. */
static void add_assertion(dd_el *el, const dd_ast_equation *eq, dd_expr condition)
{
    /* one assertion per condition and place: an unrolled loop may reach it thousands of times */
    dd_map *made = &el->e->functions->asserted;
    uint64_t key = dd_hash_mix(dd_hash_mix(eq->span.begin, eq->span.file), condition);
    uint32_t known = dd_map_get(made, key);
    if (known != 0 && known <= el->m->assertions.len && el->m->assertions.data[known - 1].condition == condition) {
        return;
    }
    dd_assertion assertion = {.condition = condition, .message = message_of(el, eq->rhs), .span = eq->span};
    dd_vec_push(el->m->pool, &el->m->assertions, assertion);
    dd_map_put(made, key, el->m->assertions.len);
}

static bool run_assert(dd_el *el, const dd_ast_equation *eq)
{
    dd_expr condition = DD_EXPR_NONE;
    if (!read_condition(el, eq->lhs, &condition)) {
        return false;
    }
    /* it holds trivially where the statement is not reached */
    dd_expr skipped = dd_unary(el->dag, DD_OP_NOT, dd_frame_reached(el));
    condition = dd_binary(el->dag, DD_OP_OR, condition, skipped);
    if (dd_op_of(el->dag, condition) != DD_OP_NUM) {
        add_assertion(el, eq, condition);
        return true;
    }
    return dd_num_value(el->dag, condition) != 0 ||
           dd_el_fail(el, eq->lhs, "%s: the assertion %s does not hold: %s", el->frame->fn->name,
                      dd_el_text(el, eq->lhs), message_of(el, eq->rhs));
}

/* f(x); alone: its assertions are all that it does */
static bool run_call(dd_el *el, const dd_ast_equation *eq)
{
    dd_ev *outs;
    uint32_t n;
    if (dd_form_get(el->forms, eq->lhs)->op != DD_FORM_USER_CALL) {
        return dd_el_fail(el, eq->lhs, "only functions with an algorithm can be called alone");
    }
    return dd_el_user_call_all(el, eq->lhs, &outs, &n);
}

/* ---- all ---- */

static dd_fflow run_statement(dd_el *el, const dd_ast_equation *eq)
{
    switch (eq->kind) {
    case DD_AST_ASSIGN:
        return flow_of(run_assignment(el, eq));
    case DD_AST_FOR:
        return run_for(el, eq);
    case DD_AST_WHILE:
        return run_while(el, eq);
    case DD_AST_IF:
        return run_branches(el, eq, eq->branches, 0);
    case DD_AST_ASSERT:
        return flow_of(run_assert(el, eq));
    case DD_AST_CALL:
        return flow_of(run_call(el, eq));
    case DD_AST_LIST:
        return dd_function_run(el, eq->body);
    case DD_AST_RETURN:
        return DD_FLOW_RETURN;
    default: /* break: the only kind left */
        if (el->frame->loop == NULL) {
            dd_error(el->m->ctx, eq->span, "`break` is not inside a loop");
            return DD_FLOW_FAILED;
        }
        return DD_FLOW_BREAK;
    }
}

dd_fflow dd_function_run(dd_el *el, const dd_ast_equation *list)
{
    /* statements until one leaves the list */
    dd_fflow flow = DD_FLOW_ON;
    for (; list != NULL && flow == DD_FLOW_ON; list = list->next) {
        flow = dd_function_count(el, el->frame, 1, list->span) ? run_statement(el, list) : DD_FLOW_FAILED;
        if (list->kind == DD_AST_ASSIGN) {
            recycle(el);
        }
    }
    return flow;
}
