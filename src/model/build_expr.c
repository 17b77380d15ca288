/* build_expr.c - expressions by calls: each checks its operands and hands them to the constructors of expr/dag.h. */
#include <math.h>
#include <string.h>

#include "model/build.h"

static const uint32_t max_order = 1000; /* of a derivative; names like der(der(x)) are written out */

typedef struct expr_call {
    dd_model *m;
    double value;
    dd_expr a, b;
    const dd_expr *list, *other; /* n expressions each */
    uint32_t n;
    const char *function;
    dd_expr (*make)(dd_dag *dag, dd_expr a, dd_expr b);
    void (*body)(struct expr_call *call);
    dd_expr result;
} expr_call;

static void run_body(void *arg)
{
    expr_call *call = arg;
    dd_dag *dag = call->m->dag;
    /* folding of constants can overflow or divide by zero: such a number is refused where it arises */
    call->body(call);
    if (dd_op_of(dag, call->result) == DD_OP_NUM && !isfinite(dd_num_value(dag, call->result))) {
        dd_build_refuse(call->m, "the result is not a finite number");
    }
}

static dd_expr run(const char *name, expr_call call)
{
    if (!call.m || dd_build(call.m, name, run_body, &call) != DD_OK) {
        return DD_EXPR_NONE;
    }
    return call.result;
}

/* ---- numbers and time ---- */

static void number_body(expr_call *call)
{
    call->result = dd_num(call->m->dag, call->value);
}

dd_expr dd_expr_number(dd_model *model, double value)
{
    return run("dd_expr_number", (expr_call){.m = model, .value = value, .body = number_body});
}

static void time_body(expr_call *call)
{
    call->result = dd_time(call->m->dag);
}

dd_expr dd_expr_time(dd_model *model)
{
    return run("dd_expr_time", (expr_call){.m = model, .body = time_body});
}

/* ---- two operands ---- */

static void binary_body(expr_call *call)
{
    dd_build_need_number(call->m, call->a, "the first operand", DD_NO_INDEX);
    dd_build_need_number(call->m, call->b, "the second operand", DD_NO_INDEX);
    call->result = call->make(call->m->dag, call->a, call->b);
}

static void div_body(expr_call *call)
{
    dd_build_need_number(call->m, call->b, "the second operand", DD_NO_INDEX);
    if (dd_is_num(call->m->dag, call->b, 0)) {
        dd_build_refuse(call->m, "division by the number 0");
    }
    binary_body(call);
}

static void neg_body(expr_call *call)
{
    dd_build_need_number(call->m, call->a, "the operand", DD_NO_INDEX);
    call->result = dd_neg(call->m->dag, call->a);
}

dd_expr dd_expr_add(dd_model *model, dd_expr a, dd_expr b)
{
    return run("dd_expr_add", (expr_call){.m = model, .a = a, .b = b, .make = dd_add, .body = binary_body});
}

dd_expr dd_expr_sub(dd_model *model, dd_expr a, dd_expr b)
{
    return run("dd_expr_sub", (expr_call){.m = model, .a = a, .b = b, .make = dd_sub, .body = binary_body});
}

dd_expr dd_expr_mul(dd_model *model, dd_expr a, dd_expr b)
{
    return run("dd_expr_mul", (expr_call){.m = model, .a = a, .b = b, .make = dd_mul, .body = binary_body});
}

dd_expr dd_expr_div(dd_model *model, dd_expr a, dd_expr b)
{
    return run("dd_expr_div", (expr_call){.m = model, .a = a, .b = b, .make = dd_div, .body = div_body});
}

dd_expr dd_expr_neg(dd_model *model, dd_expr a)
{
    return run("dd_expr_neg", (expr_call){.m = model, .a = a, .body = neg_body});
}

dd_expr dd_expr_pow(dd_model *model, dd_expr a, dd_expr b)
{
    return run("dd_expr_pow", (expr_call){.m = model, .a = a, .b = b, .make = dd_pow, .body = binary_body});
}

/* ---- lists ---- */

static void sum_body(expr_call *call)
{
    dd_build_need_numbers(call->m, call->list, call->n, "a");
    call->result = dd_sum(call->m->dag, call->list, call->n);
}

static void dot_body(expr_call *call)
{
    dd_model *m = call->m;
    /* the terms a_i b_i, summed by one constructor so that the order of the terms is canonical */
    dd_build_need_numbers(m, call->list, call->n, "a");
    dd_build_need_numbers(m, call->other, call->n, "b");
    dd_expr_vec terms = {0};
    for (uint32_t i = 0; i < call->n; i++) {
        dd_vec_push(m->pool, &terms, dd_mul(m->dag, call->list[i], call->other[i]));
    }
    call->result = dd_sum(m->dag, terms.data, terms.len);
    dd_vec_free(m->pool, &terms);
}

dd_expr dd_expr_sum(dd_model *model, const dd_expr *a, uint32_t n)
{
    return run("dd_expr_sum", (expr_call){.m = model, .list = a, .n = n, .body = sum_body});
}

dd_expr dd_expr_dot(dd_model *model, const dd_expr *a, const dd_expr *b, uint32_t n)
{
    return run("dd_expr_dot", (expr_call){.m = model, .list = a, .other = b, .n = n, .body = dot_body});
}

/* ---- functions by name ---- */

typedef struct function function;
typedef dd_expr (*function_maker)(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n);

struct function {
    const char *name;
    uint32_t least, most;
    bool of_conditions; /* its arguments are true or false */
    dd_op op;
    function_maker make;
};

#define ANY_NUMBER UINT32_MAX

static dd_expr make_op(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    return dd_make(dag, f->op, args, n);
}

/* a > b is b < a */
static dd_expr make_swapped(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    (void)n;
    return dd_binary(dag, f->op, args[1], args[0]);
}

/* min and max of any number of arguments */
static dd_expr make_fold(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    dd_expr e = args[0];
    for (uint32_t i = 1; i < n; i++) {
        e = dd_binary(dag, f->op, e, args[i]);
    }
    return e;
}

static dd_expr make_sqrt(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    (void)f;
    (void)n;
    return dd_sqrt(dag, args[0]);
}

/* smooth(p, e): e without events; p says how often it may be differentiated */
static dd_expr make_smooth(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    (void)n;
    return dd_unary(dag, f->op, args[1]);
}

/* semiLinear(x, a, b): a*x above zero, b*x below */
static dd_expr make_semi_linear(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    (void)f;
    (void)n;
    return dd_semi_linear(dag, args[0], args[1], args[2]);
}

static dd_expr make_sum(dd_dag *dag, const function *f, const dd_expr *args, uint32_t n)
{
    return f->op == DD_OP_ADD ? dd_sum(dag, args, n) : dd_product(dag, args, n);
}

/* Functions that are not operations of expr/dag.h, or take other arguments. */
static const function others[] = {
    {"sqrt", 1, 1, false, DD_OP_POW, make_sqrt},
    {"min", 1, ANY_NUMBER, false, DD_OP_MIN, make_fold},
    {"max", 1, ANY_NUMBER, false, DD_OP_MAX, make_fold},
    {"sum", 0, ANY_NUMBER, false, DD_OP_ADD, make_sum},
    {"product", 0, ANY_NUMBER, false, DD_OP_MUL, make_sum},
    {"smooth", 2, 2, false, DD_OP_NOEVENT, make_smooth},
    {"semiLinear", 3, 3, false, DD_OP_NOEVENT, make_semi_linear},
    {">", 2, 2, false, DD_OP_LT, make_swapped},
    {">=", 2, 2, false, DD_OP_LE, make_swapped},
};
enum { OTHER_COUNT = sizeof others / sizeof *others, NAME_COUNT = OTHER_COUNT + DD_OP_COUNT - DD_OP_SIN };

/* Function number i: the others first, then the operations from sin on. */
static function function_at(size_t i)
{
    /* the others come before the operations: "sqrt" and "min" have rules that differ from their operation's */
    if (i < OTHER_COUNT) {
        return others[i];
    }
    dd_op op = (dd_op)(DD_OP_SIN + (i - OTHER_COUNT));
    int arity = dd_op_arity(op);
    return (function){.name = dd_op_name(op),
                      .least = arity < 0 ? 1 : (uint32_t)arity,
                      .most = arity < 0 ? ANY_NUMBER : (uint32_t)arity,
                      .of_conditions = op == DD_OP_AND || op == DD_OP_OR || op == DD_OP_NOT,
                      .op = op,
                      .make = make_op};
}

static function find_function(dd_model *m, const char *name)
{
    /* all names are collected during the search, for the suggestion when none matches */
    const char *names[NAME_COUNT];
    if (!name) {
        dd_build_refuse(m, "the name of the function is NULL");
    }
    for (size_t i = 0; i < NAME_COUNT; i++) {
        function f = function_at(i);
        if (strcmp(f.name, name) == 0) {
            return f;
        }
        names[i] = f.name;
    }
    const char *near = dd_closest_name(name, names, NAME_COUNT);
    if (near) {
        dd_build_refuse(m, "there is no function \"%.60s\": did you mean \"%s\"?", name, near);
    }
    dd_build_refuse(m, "there is no function \"%.60s\"", name);
}

static void check_count(dd_model *m, const function *f, uint32_t n)
{
    if (n >= f->least && n <= f->most) {
        return;
    }
    dd_build_refuse(m, "%s takes %s%u argument%s, but %u %s given", f->name, f->most == ANY_NUMBER ? "at least " : "",
                    f->least, f->least == 1 ? "" : "s", n, n == 1 ? "is" : "are");
}

/* A condition, or the number it was folded to. */
static void need_condition(dd_model *m, const function *f, dd_expr e, uint32_t i)
{
    dd_build_need_expr(m, e, "argument", i);
    if (!dd_build_is_condition(m, e) && !dd_is_num(m->dag, e, 0) && !dd_is_num(m->dag, e, 1)) {
        dd_build_refuse(m, "%s needs a condition as argument[%u], such as a relation", f->name, i);
    }
}

static void call_body(expr_call *call)
{
    dd_model *m = call->m;
    function f = find_function(m, call->function);
    /* the count first, then the list, then each argument by the type its position needs */
    check_count(m, &f, call->n);
    if (call->n > 0 && !call->list) {
        dd_build_refuse(m, "%s: the arguments are NULL", f.name);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (f.of_conditions || (f.op == DD_OP_IF && i == 0)) {
            need_condition(m, &f, call->list[i], i);
        } else if (f.op == DD_OP_NOEVENT) {
            dd_build_need_expr(m, call->list[i], "argument", i);
        } else {
            dd_build_need_number(m, call->list[i], "argument", i);
        }
    }
    /* folding mod(a, 0) would make a number that is not finite */
    if (f.op == DD_OP_MOD && dd_is_num(m->dag, call->list[1], 0)) {
        dd_build_refuse(m, "mod: division by the number 0");
    }
    call->result = f.make(m->dag, &f, call->list, call->n);
}

dd_expr dd_expr_call(dd_model *model, const char *name, const dd_expr *args, uint32_t n)
{
    return run("dd_expr_call", (expr_call){.m = model, .function = name, .list = args, .n = n, .body = call_body});
}

/* ---- derivatives ---- */

static dd_expr checked_rate(void *user, uint32_t id, uint32_t order)
{
    dd_model *m = user;
    /* names like der(der(x)) are printed in full: the order is bounded to bound their length */
    if (order >= max_order) {
        dd_raise(m->ctx, DD_LIMIT, "%s would be differentiated more than %u times",
                 dd_model_var_name_dup(m, id, m->pool), max_order);
    }
    return DD_EXPR_NONE; /* the next derivative */
}

static void der_body(expr_call *call)
{
    dd_model *m = call->m;
    dd_build_need_number(m, call->a, "the operand", DD_NO_INDEX);
    /* a variable: the next derivative directly. Anything else: the chain rule over its symbols */
    if (dd_op_of(m->dag, call->a) == DD_OP_VAR) {
        uint32_t id = dd_symbol_id(m->dag, call->a), order = dd_symbol_order(m->dag, call->a);
        checked_rate(m, id, order);
        call->result = dd_var(m->dag, id, order + 1);
    } else {
        call->result = dd_total_derivative(m->dag, call->a, checked_rate, m);
    }
}

static void diff_body(expr_call *call)
{
    dd_model *m = call->m;
    dd_build_need_number(m, call->a, "the expression", DD_NO_INDEX);
    dd_build_need_expr(m, call->b, "with_respect_to", DD_NO_INDEX);
    /* partial derivatives exist by symbols only */
    dd_op op = dd_op_of(m->dag, call->b);
    if (op != DD_OP_VAR && op != DD_OP_PARAM && op != DD_OP_TIME) {
        dd_build_refuse(m, "with_respect_to is neither a variable, a derivative of one, a parameter nor time");
    }
    call->result = dd_diff(m->dag, call->a, call->b);
}

dd_expr dd_expr_der(dd_model *model, dd_expr a)
{
    return run("dd_expr_der", (expr_call){.m = model, .a = a, .body = der_body});
}

dd_expr dd_expr_diff(dd_model *model, dd_expr a, dd_expr with_respect_to)
{
    return run("dd_expr_diff", (expr_call){.m = model, .a = a, .b = with_respect_to, .body = diff_body});
}

/* ---- printing ---- */

typedef struct print_call {
    dd_model *m;
    dd_expr e;
    char *buffer;
    size_t size, length;
} print_call;

static void print_body(void *arg)
{
    print_call *call = arg;
    dd_pool *scratch = dd_pool_child(call->m->pool);
    dd_text text = dd_text_new(scratch);
    dd_namer namer = dd_model_namer(call->m);
    dd_print(call->m->dag, call->e, &namer, &text);
    /* as snprintf: what fits is written, the whole length is returned */
    if (call->size > 0) {
        size_t n = text.len < call->size ? text.len : call->size - 1;
        memcpy(call->buffer, dd_text_str(&text), n);
        call->buffer[n] = '\0';
    }
    call->length = text.len;
    dd_pool_free(scratch);
}

/* Looking, not building: a failure here does not stay in the model. */
size_t dd_expr_print(dd_model *model, dd_expr a, char *buffer, size_t size)
{
    print_call call = {.m = model, .e = a, .buffer = buffer, .size = buffer ? size : 0};
    if (call.size > 0) {
        buffer[0] = '\0';
    }
    if (!model || a == DD_EXPR_NONE || a >= dd_dag_count(model->dag)) {
        return 0;
    }
    return dd_protect(model->ctx, print_body, &call) == DD_OK ? call.length : 0;
}
