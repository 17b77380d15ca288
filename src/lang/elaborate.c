/* elaborate.c - entry points and dispatch of elaboration. One recursion over the form computes shape and scalars
 * together; scalars travel by value, so the body of a loop with a hundred thousand instances costs little more than
 * its expressions. The depth of forms is limited when they are made (form.h), so recursion here is bounded. */
#include "lang/elaborate_private.h"

#include <math.h>
#include <string.h>

/* Far above what a model that can be analysed needs: a mistyped size ends here, not when memory runs out. */
#define MAX_ELEMENTS 10000000
#define MAX_STATEMENTS 1000000

dd_elaborator dd_elaborator_new(dd_model *model, dd_pool *scratch)
{
    return (dd_elaborator){.model = model,
                           .scratch = scratch,
                           .max_elements = MAX_ELEMENTS,
                           .max_statements = MAX_STATEMENTS,
                           .family_of_symbol = dd_map_new(model->pool)};
}

/* ---- leaves ---- */

static bool digits_only(const char *text)
{
    return text[strspn(text, "0123456789")] == 0;
}

const dd_literal *dd_el_literal(dd_el *el, uint32_t name_id)
{
    /* a direct-mapped cache: the text of a literal is parsed once per loop body, not once per iteration */
    dd_literal *slot = &el->e->literals[name_id % DD_LITERAL_SLOTS];
    if (slot->name != name_id) {
        const char *text = dd_names_get(el->m->names, name_id), *end;
        slot->expr = dd_decimal(el->dag, text, strlen(text));
        slot->is_integer = digits_only(text);
        double value = dd_number_parse(text, &end);
        /* too large for a size: INT64_MAX fails every check of one */
        slot->integer = slot->is_integer && value < DD_INTEGER_LIMIT ? (int64_t)value : INT64_MAX;
        slot->name = name_id;
    }
    return slot;
}

bool dd_el_loop_value(dd_el *el, dd_form f, const dd_form_env **out)
{
    uint32_t loop = dd_form_get(el->forms, f)->payload;
    /* environments are nested like the loops, the innermost first */
    const dd_form_env *env = el->env;
    while (env != NULL && env->loop != loop) {
        env = env->outer;
    }
    *out = env;
    return env != NULL;
}

static bool loop_variable(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_form_env *env;
    if (!dd_el_loop_value(el, f, &env)) {
        return dd_el_fail(el, f, "the loop variable %s has no value here", dd_el_text(el, f));
    }
    /* loops over Reals have integer values at times; those may be subscripts */
    if (env->real == floor(env->real)) {
        dd_ev_set(out, dd_rational(el->dag, env->value, 1), DD_TYPE_INTEGER);
    } else {
        dd_ev_set(out, dd_num(el->dag, env->real), DD_TYPE_REAL);
    }
    return true;
}

static bool end_subscript(dd_el *el, dd_form f, dd_ev *out)
{
    if (el->end < 0) {
        return dd_el_fail(el, f, "`end` is allowed only inside a subscript");
    }
    dd_ev_set(out, dd_rational(el->dag, el->end, 1), DD_TYPE_INTEGER);
    return true;
}

static bool misplaced(dd_el *el, dd_form f)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    switch (node->op) {
    case DD_FORM_NAME:
        return dd_el_fail(el, f, "%s is not declared", dd_el_text(el, f));
    case DD_FORM_UNKNOWN_CALL:
        return dd_el_fail(el, f, "there is no function %s", dd_names_get(el->m->names, node->payload));
    case DD_FORM_STRING:
        return dd_el_fail(el, f, "a text cannot be used where a number or a Boolean is needed");
    case DD_FORM_COLON:
        return dd_el_fail(el, f, "`:` is allowed only as a subscript");
    default:
        return dd_el_fail(el, f, "%s is not allowed here", dd_el_text(el, f));
    }
}

/* ---- dispatch ---- */

bool dd_el_any(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    switch (node->op) {
    /* leaves: numbers, names, loop variables */
    case DD_FORM_NUM: {
        const dd_literal *literal = dd_el_literal(el, node->payload);
        dd_ev_set(out, literal->expr, literal->is_integer ? DD_TYPE_INTEGER : DD_TYPE_REAL);
        return true;
    }
    case DD_FORM_BOOL:
        dd_ev_set(out, dd_num(el->dag, node->payload != 0), DD_TYPE_BOOLEAN);
        return true;
    case DD_FORM_REF:
        return dd_el_reference(el, f, out);
    case DD_FORM_LOOP:
        return loop_variable(el, f, out);
    case DD_FORM_TIME:
        return dd_el_time(el, f, out);
    case DD_FORM_END:
        return end_subscript(el, f, out);
    /* arithmetic and logic, by the shapes of the operands */
    case DD_FORM_NEG:
        return dd_el_neg(el, f, out);
    case DD_FORM_SUM:
        return dd_el_sum(el, f, out);
    case DD_FORM_MUL:
        return dd_el_mul(el, f, out);
    case DD_FORM_DIV:
        return dd_el_div(el, f, out);
    case DD_FORM_POW:
        return dd_el_pow(el, f, out);
    case DD_FORM_EADD:
    case DD_FORM_ESUB:
    case DD_FORM_EMUL:
    case DD_FORM_EDIV:
    case DD_FORM_EPOW:
        return dd_el_elementwise(el, f, out);
    case DD_FORM_REL:
        return dd_el_relation(el, f, out);
    case DD_FORM_AND:
    case DD_FORM_OR:
        return dd_el_and_or(el, f, out);
    case DD_FORM_NOT:
        return dd_el_not(el, f, out);
    case DD_FORM_IF:
        return dd_el_if(el, f, out);
    /* calls, and values that only a call or an optimization has */
    case DD_FORM_DER:
        return dd_el_der(el, f, out);
    case DD_FORM_CALL:
        return dd_el_call(el, f, out);
    case DD_FORM_USER_CALL:
        return dd_el_user_call(el, f, out);
    case DD_FORM_LOCAL:
        return dd_el_local(el, f, out);
    case DD_FORM_ELEMENT:
        return dd_el_element(el, f, out);
    case DD_FORM_POINT:
        return dd_el_point(el, f, out);
    /* arrays from their parts */
    case DD_FORM_ARRAY:
        return dd_el_array_constructor(el, f, out);
    case DD_FORM_MATRIX:
        return dd_el_matrix_constructor(el, f, out);
    case DD_FORM_RANGE:
        return dd_el_range_value(el, f, out);
    case DD_FORM_COMPREHENSION:
        return dd_el_comprehension(el, f, out);
    default:
        return misplaced(el, f);
    }
}

bool dd_el_form(dd_el *el, dd_form f, dd_ev *out)
{
    return dd_el_any(el, f, out) &&
           (out->type <= DD_TYPE_BOOLEAN ||
            dd_el_fail(el, f, "%s is a record: a number, a Boolean or an array is needed here", dd_el_text(el, f)));
}

/* ---- entry points ---- */

dd_el dd_el_begin(dd_elaborator *e, const dd_form_env *env)
{
    return (dd_el){.e = e,
                   .m = e->model,
                   .dag = e->model->dag,
                   .forms = e->model->forms,
                   .scratch = e->scratch,
                   .env = env,
                   .end = -1};
}

void dd_ev_to_value(const dd_ev *v, dd_pool *pool, dd_value *out)
{
    /* scalars travel by value inside; the caller gets them in an array always */
    *out = (dd_value){.ndim = v->ndim, .size = v->size, .type = (dd_base_type)v->type};
    if (v->ndim == 0) {
        out->elems = dd_pool_alloc(pool, sizeof *out->elems);
        out->elems[0] = v->one;
    } else {
        memcpy(out->dims, v->dims, v->ndim * sizeof *v->dims);
        out->elems = v->elems;
    }
}

bool dd_elaborate(dd_elaborator *e, dd_form f, const dd_form_env *env, dd_value *out)
{
    dd_el el = dd_el_begin(e, env);
    dd_ev value = {0};
    if (!dd_el_form(&el, f, &value)) {
        return false;
    }
    dd_ev_to_value(&value, e->scratch, out);
    return true;
}

bool dd_elaborate_integer(dd_elaborator *e, dd_form f, const dd_form_env *env, int64_t *out)
{
    dd_el el = dd_el_begin(e, env);
    return dd_el_integer(&el, f, "this", out);
}

bool dd_elaborate_boolean(dd_elaborator *e, dd_form f, const dd_form_env *env, bool *out)
{
    dd_el el = dd_el_begin(e, env);
    dd_ev value = {0};
    double number;
    if (!dd_el_form(&el, f, &value)) {
        return false;
    }
    /* a condition that shapes the model: one truth value, known from parameters */
    if (value.ndim > 0) {
        return dd_el_fail(&el, f, "a condition must be a scalar, but %s %s", dd_el_text(&el, f),
                          dd_el_has(&el, &value));
    }
    if (!dd_el_boolean_typed(&el, f, &value, "a condition") ||
        !dd_el_evaluate(&el, f, value.one, "the condition", &number)) {
        return false;
    }
    *out = number != 0;
    return true;
}

bool dd_elaborate_range(dd_elaborator *e, dd_form f, const dd_form_env *env, double **values, uint64_t *count,
                        bool *all_integer)
{
    dd_el el = dd_el_begin(e, env);
    return dd_el_iteration(&el, f, values, count, all_integer);
}
