/* build.c - models by calls: variables, parameters and equations. Expressions are in build_expr.c, lagrange in mech. */
#include "model/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/identifier.h"

/* ---- failures that stay ---- */

dd_status dd_model_first_failure(const dd_model *m)
{
    return m->failure == DD_OK ? DD_OK : dd_fail(m->ctx, m->failure, "%s", m->failure_text);
}

/* Cuts at a whole character when the text does not fit. */
static void keep_message(dd_model *m, const char *call)
{
    int n = snprintf(m->failure_text, sizeof m->failure_text, "%s: %s", call, dd_context_message(m->ctx));
    size_t end = sizeof m->failure_text - 1;
    /* back over bytes 10xxxxxx and their leading byte: at most one whole character is lost */
    if (n > (int)end) {
        while (end > 0 && ((unsigned char)m->failure_text[end - 1] & 0xc0) == 0x80) {
            end--;
        }
        m->failure_text[end > 0 && (unsigned char)m->failure_text[end - 1] >= 0xc0 ? end - 1 : end] = '\0';
    }
}

dd_status dd_build(dd_model *m, const char *call, void (*body)(void *arg), void *arg)
{
    /* work is done only while nothing has failed, so the first message is the one that stays */
    if (m->failure == DD_OK) {
        m->failure = dd_protect(m->ctx, body, arg);
        if (m->failure == DD_OK) {
            return DD_OK;
        }
        keep_message(m, call);
    }
    return dd_model_first_failure(m);
}

_Noreturn void dd_build_refuse(dd_model *m, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dd_raise(m->ctx, DD_INVALID_ARGUMENT, "%s", text);
}

/* ---- checking expressions ---- */

void dd_build_need_expr(dd_model *m, dd_expr e, const char *what, uint32_t i)
{
    if (e != DD_EXPR_NONE && e < dd_dag_count(m->dag)) {
        return;
    }
    char element[32] = "";
    if (i != DD_NO_INDEX) {
        snprintf(element, sizeof element, "[%u]", i);
    }
    dd_build_refuse(m, e == DD_EXPR_NONE ? "%s%s is DD_EXPR_NONE" : "%s%s is not an expression of this model", what,
                    element);
}

bool dd_build_is_condition(const dd_model *m, dd_expr e)
{
    dd_op op = dd_op_of(m->dag, e);
    if (op == DD_OP_NOEVENT) {
        op = dd_op_of(m->dag, dd_arg(m->dag, e, 0));
    }
    return dd_op_is_condition(op);
}

void dd_build_need_number(dd_model *m, dd_expr e, const char *what, uint32_t i)
{
    dd_build_need_expr(m, e, what, i);
    if (dd_build_is_condition(m, e)) {
        /* printed with the names of the model: the caller sees which expression is meant */
        dd_text text = dd_text_new(m->pool);
        dd_namer namer = dd_model_namer(m);
        dd_print(m->dag, e, &namer, &text);
        dd_build_refuse(m, "%s is true or false, not a number: %.100s", what, dd_text_str(&text));
    }
}

void dd_build_need_numbers(dd_model *m, const dd_expr *list, uint32_t n, const char *what)
{
    if (n > 0 && list == NULL) {
        dd_build_refuse(m, "%s is NULL, but should have %u element%s", what, n, n == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < n; i++) {
        dd_build_need_number(m, list[i], what, i);
    }
}

/* ---- the model itself ---- */

typedef struct new_call {
    dd_context *ctx;
    dd_pool *pool;
    const char *name;
    dd_model *model;
} new_call;

static void new_body(void *arg)
{
    new_call *call = arg;
    const char *name = dd_identifier(call->pool, call->name);
    if (!name) {
        dd_raise(call->ctx, DD_INVALID_ARGUMENT,
                 "dd_model_new: the name of a model is text of 1 to %d bytes, in one line", DD_IDENTIFIER_MAX);
    }
    call->model = dd_model_create(call->ctx, call->pool, name);
}

dd_status dd_model_new(dd_model **out, dd_context *ctx, const char *name)
{
    if (!out || !ctx) {
        return DD_INVALID_ARGUMENT;
    }
    /* the model owns the pool, so a failure inside new_body leaves nothing behind once the pool is freed */
    *out = NULL;
    new_call call = {.ctx = ctx, .pool = dd_pool_new(ctx), .name = name};
    if (!call.pool) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "dd_model_new: %s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    dd_status status = dd_protect(ctx, new_body, &call);
    if (status != DD_OK) {
        dd_pool_free(call.pool);
        return status;
    }
    *out = call.model;
    return DD_OK;
}

void dd_model_free(dd_model *model)
{
    if (model) {
        dd_pool_free(model->pool);
    }
}

const char *dd_model_name(const dd_model *model)
{
    return model ? model->name : "";
}

/* ---- declarations ---- */

typedef struct declare_call {
    dd_model *m;
    const char *name;
    uint32_t size;
    dd_var_kind kind;
    const dd_attributes *attributes; /* NULL: none */
    const double *values;            /* parameters */
    dd_expr *symbols;
} declare_call;

dd_attributes dd_attributes_default(void)
{
    return (dd_attributes){.start = NAN, .min = NAN, .max = NAN, .nominal = NAN};
}

/* Refuses with the element the words are about: "p[2]: nominal is 0". */
static _Noreturn void refuse_element(declare_call *call, uint32_t i, const char *what)
{
    if (call->size > 0) {
        dd_build_refuse(call->m, "%s[%u]: %s", call->name, i + 1, what);
    }
    dd_build_refuse(call->m, "%s: %s", call->name, what);
}

static void check_attributes(declare_call *call, uint32_t i, const dd_attributes *a)
{
    /* start and nominal must be finite where given (NaN: not given); min = -inf and max = inf are "no bound" */
    if (isinf(a->start) || isinf(a->nominal) || a->min == INFINITY || a->max == -INFINITY) {
        refuse_element(call, i, "an attribute is not a finite number");
    }
    if (a->nominal == 0) {
        refuse_element(call, i, "nominal is 0, but it is the typical size of the variable");
    }
    if (a->min > a->max) {
        refuse_element(call, i, "min is greater than max");
    }
    if (a->fixed && call->kind == DD_KIND_INPUT) {
        refuse_element(call, i, "an input is given from outside and cannot be fixed");
    }
}

static void check_name(declare_call *call)
{
    /* the name as the language writes it, in quotes where needed: the listing must read back */
    const char *name = dd_identifier(call->m->pool, call->name);
    if (!name) {
        dd_build_refuse(call->m, "a name is text of 1 to %d bytes, in one line", DD_IDENTIFIER_MAX);
    }
    call->name = name;
    if (strcmp(name, "time") == 0) {
        dd_build_refuse(call->m, "time is the name of the time itself: choose another name");
    }
    if (dd_model_find_array(call->m, name) != DD_NO_INDEX) {
        dd_build_refuse(call->m, "%s is declared already", name);
    }
}

/* After the size is known to be possible: it determines how much of the caller's lists is read. */
static void check_elements(declare_call *call, uint32_t n)
{
    if (call->kind == DD_KIND_PARAMETER && !call->values) {
        dd_build_refuse(call->m, "%s: the values are NULL, but should be %u number%s", call->name, n,
                        n == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < n; i++) {
        if (call->values && !isfinite(call->values[i])) {
            refuse_element(call, i, "the value is not a finite number");
        }
        if (call->attributes) {
            check_attributes(call, i, &call->attributes[i]);
        }
    }
}

static void set_number(dd_model *m, double given, bool *has, dd_expr *e, double *value)
{
    if (isfinite(given)) { /* NaN: not given; infinite bounds mean no bound */
        *has = true;
        *e = dd_num(m->dag, given);
        *value = given;
    }
}

static void set_attributes(dd_model *m, uint32_t var, const dd_attributes *a)
{
    dd_variable *v = &m->vars.data[var];
    set_number(m, a->start, &v->has_start, &v->start, &v->start_value);
    set_number(m, a->min, &v->has_min, &v->min, &v->min_value);
    set_number(m, a->max, &v->has_max, &v->max, &v->max_value);
    set_number(m, a->nominal, &v->has_nominal, &v->nominal, &v->nominal_value);
    v->fixed = a->fixed;
}

/* Unit and description belong to the whole: the first ones given are used. */
static void set_texts(dd_model *m, dd_array *a, const dd_attributes *attributes)
{
    for (uint32_t i = 0; i < a->size; i++) {
        if (attributes[i].unit && !a->unit[0]) {
            a->unit = dd_pool_strdup(m->pool, attributes[i].unit);
        }
        if (attributes[i].doc && !a->doc[0]) {
            a->doc = dd_pool_strdup(m->pool, attributes[i].doc);
        }
    }
}

static void declare_body(void *arg)
{
    declare_call *call = arg;
    dd_model *m = call->m;
    /* a size of 0 means a scalar (no dimension); dd_model_add_array refuses sizes past the limit of the model */
    check_name(call);
    uint32_t index =
        dd_model_add_array(m, call->name, &call->size, call->size > 0, call->kind, DD_TYPE_REAL, DD_NO_SPAN);
    dd_array *a = &m->arrays.data[index];
    check_elements(call, a->size);
    if (call->attributes) {
        set_texts(m, a, call->attributes);
    }
    /* per element: attributes, the value of a parameter, and its symbol for the caller */
    for (uint32_t i = 0; i < a->size; i++) {
        dd_variable *v = &m->vars.data[a->first + i];
        if (call->attributes) {
            set_attributes(m, a->first + i, &call->attributes[i]);
        }
        if (call->values) {
            v->value = call->values[i];
            v->has_value = true;
        }
        if (call->symbols) {
            call->symbols[i] = dd_model_symbol(m, a->first + i);
        }
    }
}

/* After a failure the symbols are DD_EXPR_NONE, so that everything built from them fails as well. */
static dd_status declare(const char *name_of_call, declare_call call)
{
    dd_status status = call.m ? dd_build(call.m, name_of_call, declare_body, &call) : DD_INVALID_ARGUMENT;
    if (status != DD_OK && call.symbols) {
        uint32_t n = call.size > 0 ? call.size : 1;
        memset(call.symbols, 0, n * sizeof *call.symbols);
    }
    return status;
}

dd_status dd_model_add_variable(dd_model *model, const char *name, uint32_t size, const dd_attributes *attributes,
                                dd_expr *symbols)
{
    return declare("dd_model_add_variable",
                   (declare_call){model, name, size, DD_KIND_VARIABLE, attributes, NULL, symbols});
}

dd_status dd_model_add_input(dd_model *model, const char *name, uint32_t size, const dd_attributes *attributes,
                             dd_expr *symbols)
{
    return declare("dd_model_add_input", (declare_call){model, name, size, DD_KIND_INPUT, attributes, NULL, symbols});
}

dd_status dd_model_add_parameter(dd_model *model, const char *name, uint32_t size, const double *values,
                                 dd_expr *symbols)
{
    return declare("dd_model_add_parameter",
                   (declare_call){model, name, size, DD_KIND_PARAMETER, NULL, values, symbols});
}

/* ---- equations ---- */

typedef struct equation_call {
    dd_model *m;
    const char *label;
    dd_expr lhs, rhs;
    bool initial;
} equation_call;

static void equation_body(void *arg)
{
    equation_call *call = arg;
    dd_model *m = call->m;
    /* an equation lhs = rhs is kept as the residual lhs - rhs; its label is the name in reports */
    dd_build_need_number(m, call->lhs, "the left side", DD_NO_INDEX);
    dd_build_need_number(m, call->rhs, "the right side", DD_NO_INDEX);
    dd_expr residual = dd_sub(m->dag, call->lhs, call->rhs);
    dd_group group = {.origin = DD_ORIGIN_EQUATION, .doc = dd_pool_strdup(m->pool, call->label ? call->label : "")};
    if (call->initial) {
        dd_model_add_initial_group(m, group, &residual, 1);
    } else {
        dd_model_add_group(m, group, &residual, 1);
    }
}

static dd_status add_equation(const char *name, equation_call call)
{
    return call.m ? dd_build(call.m, name, equation_body, &call) : DD_INVALID_ARGUMENT;
}

dd_status dd_model_add_equation(dd_model *model, const char *label, dd_expr lhs, dd_expr rhs)
{
    return add_equation("dd_model_add_equation", (equation_call){model, label, lhs, rhs, false});
}

dd_status dd_model_add_initial_equation(dd_model *model, const char *label, dd_expr lhs, dd_expr rhs)
{
    return add_equation("dd_model_add_initial_equation", (equation_call){model, label, lhs, rhs, true});
}

/* ---- looking ---- */

typedef struct flat_call {
    const dd_model *m;
    const char *text;
} flat_call;

static void flat_body(void *arg)
{
    flat_call *call = arg;
    dd_text text = dd_text_new(call->m->pool);
    dd_model_print_flat(call->m, &text);
    call->text = dd_text_str(&text);
}

dd_status dd_model_flat_text(const char **out, dd_model *model)
{
    if (!out || !model) {
        return DD_INVALID_ARGUMENT;
    }
    /* reading does not change the model: a failure here is returned, not kept */
    *out = "";
    if (model->failure != DD_OK) {
        return dd_model_first_failure(model);
    }
    flat_call call = {.m = model};
    dd_status status = dd_protect(model->ctx, flat_body, &call);
    if (status == DD_OK) {
        *out = call.text;
    }
    return status;
}
