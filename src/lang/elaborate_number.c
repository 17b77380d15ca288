/* elaborate_number.c - numbers that shape the model: sizes, subscripts, ranges, branches. They must follow from
 * parameters, which become structural. */
#include <math.h>

#include "lang/elaborate_private.h"

#define QUICK_LIMIT INT64_C(1000000000) /* products of two still fit */

/* ---- integers without expressions ---- */

static bool quick_parameter(dd_el *el, dd_form f, int64_t *out)
{
    /* a scalar Integer parameter with a value */
    const dd_array *a = dd_el_array(el, f);
    if (dd_form_get(el->forms, f)->nargs > 0 || a->ndim > 0 || a->type != DD_TYPE_INTEGER ||
        (a->kind != DD_KIND_PARAMETER && a->kind != DD_KIND_CONSTANT)) {
        return false;
    }
    dd_variable *v = &el->m->vars.data[a->first];
    if (!v->has_value || v->value != floor(v->value) || fabs(v->value) >= (double)QUICK_LIMIT) {
        return false;
    }
    /* its value has shaped the model: it cannot be free or varied later */
    v->structural = v->structural || v->kind == DD_KIND_PARAMETER;
    *out = dd_saturated(v->value);
    return true;
}

static bool quick_operation(dd_el *el, dd_form f, const dd_form_node *node, int64_t *out)
{
    /* sums, negations and products; bounded after each step, so that the next one cannot overflow */
    int64_t total = node->op == DD_FORM_MUL, v;
    for (uint32_t i = 0; i < node->nargs; i++) {
        if (!dd_el_quick_integer(el, dd_form_arg(el->forms, f, i), &v)) {
            return false;
        }
        total = node->op == DD_FORM_MUL ? total * v : node->op == DD_FORM_NEG ? -v : total + v;
        if (total <= -QUICK_LIMIT || total >= QUICK_LIMIT) {
            return false;
        }
    }
    *out = total;
    return true;
}

bool dd_el_quick_integer(dd_el *el, dd_form f, int64_t *out)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    const dd_form_env *env;
    /* leaves with a number, then sums and products of them; everything else is elaborated */
    switch (node->op) {
    case DD_FORM_NUM: {
        const dd_literal *literal = dd_el_literal(el, node->payload);
        *out = literal->integer;
        return literal->is_integer && literal->integer < QUICK_LIMIT;
    }
    case DD_FORM_LOOP:
        if (!dd_el_loop_value(el, f, &env) || env->real != floor(env->real)) {
            return false;
        }
        *out = env->value;
        return *out > -QUICK_LIMIT && *out < QUICK_LIMIT;
    case DD_FORM_END:
        *out = el->end;
        return el->end >= 0;
    case DD_FORM_REF:
        return quick_parameter(el, f, out);
    case DD_FORM_LOCAL:
        return dd_el_quick_local(el, f, out);
    case DD_FORM_NEG:
    case DD_FORM_SUM:
    case DD_FORM_MUL:
        return quick_operation(el, f, node, out);
    default:
        return false;
    }
}

/* ---- any expression in parameters ---- */

static bool is_parameter(const dd_variable *v)
{
    return v->kind == DD_KIND_PARAMETER || v->kind == DD_KIND_CONSTANT;
}

/* Says why e has no value. The model has already reported a parameter without one. */
static bool no_value(dd_el *el, dd_form f, const char *role, uint32_t culprit)
{
    /* time itself, or a variable: both are known only during the run */
    if (culprit == DD_NO_INDEX) {
        return dd_el_fail(el, f, "%s must be known before the simulation, but %s depends on time", role,
                          dd_el_text(el, f));
    }
    const dd_variable *v = &el->m->vars.data[culprit];
    if (is_parameter(v)) {
        return false;
    }
    const char *name = dd_model_var_name_dup(el->m, culprit, el->scratch);
    return dd_el_fail(el, f, "%s must be known before the simulation, but %s is %s", role, name,
                      v->kind == DD_KIND_INPUT ? "an input" : "a variable");
}

bool dd_el_evaluate(dd_el *el, dd_form f, dd_expr e, const char *role, double *out)
{
    /* numbers and single parameters are by far the most frequent: without a search through the expression */
    dd_op op = dd_op_of(el->dag, e);
    if (op == DD_OP_NUM) {
        *out = dd_num_value(el->dag, e);
        return true;
    }
    if (op == DD_OP_PARAM) {
        dd_variable *v = &el->m->vars.data[dd_symbol_id(el->dag, e)];
        if (is_parameter(v) && v->has_value) {
            v->structural = v->structural || v->kind == DD_KIND_PARAMETER;
            *out = v->value;
            return true;
        }
    }
    uint32_t culprit;
    return dd_model_evaluate(el->m, e, true, out, &culprit) || no_value(el, f, role, culprit);
}

bool dd_el_integer(dd_el *el, dd_form f, const char *role, int64_t *out)
{
    dd_ev v;
    double number;
    /* first without expressions, then by evaluation; the message says which requirement failed */
    if (dd_el_quick_integer(el, f, out)) {
        return true;
    }
    if (!dd_el_form(el, f, &v)) {
        return false;
    }
    if (v.ndim > 0) {
        return dd_el_fail(el, f, "%s must be an Integer, but %s %s", role, dd_el_text(el, f), dd_el_has(el, &v));
    }
    if (v.type != DD_TYPE_INTEGER) {
        return dd_el_fail(el, f, "%s must be an Integer, but %s is %s", role, dd_el_text(el, f),
                          v.type == DD_TYPE_BOOLEAN ? "Boolean" : "Real; div(a, b) and integer(x) return Integers");
    }
    if (!dd_el_evaluate(el, f, v.one, role, &number)) {
        return false;
    }
    if (number != floor(number) || fabs(number) > DD_INTEGER_LIMIT) {
        char buffer[32];
        return dd_el_fail(el, f, "%s must be an Integer, but %s has the value %s", role, dd_el_text(el, f),
                          dd_number_text(number, buffer));
    }
    *out = dd_saturated(number);
    return true;
}

bool dd_el_truth(dd_el *el, dd_form f, dd_expr condition, bool *known, bool *value)
{
    double number;
    *known = true;
    /* known when every symbol in it is a parameter or constant */
    if (dd_op_of(el->dag, condition) != DD_OP_NUM) {
        dd_expr_vec symbols = {0};
        dd_symbols(el->dag, condition, true, &symbols, el->scratch);
        for (uint32_t i = 0; i < symbols.len && *known; i++) {
            dd_expr s = symbols.data[i];
            *known = dd_op_of(el->dag, s) == DD_OP_PARAM && is_parameter(&el->m->vars.data[dd_symbol_id(el->dag, s)]);
        }
        dd_vec_free(el->scratch, &symbols);
        if (!*known) {
            return true;
        }
    }
    if (!dd_el_evaluate(el, f, condition, "a condition", &number)) {
        return false;
    }
    *value = number != 0;
    return true;
}
