/* copies.c - what the text says about copies of decisions.
 *
 *     Real torque(min = -5, max = 5, initialGuess = 1) = motor.tau;     motor.tau = u;
 *
 * A variable that is a multiple of one state, control or algebraic variable, up to a constant, is assigned. Its bounds become
 * bounds of the decision (problem_rows.c); here its guess, its start value and its nominal size become those of the decision,
 * where the text says nothing about that itself. Models made of parts say most things about copies. */
#include <math.h>

#include "ocp/problem_impl.h"

typedef struct line {
    dd_decision *of;
    dd_expr coefficient, rest; /* numbers */
    double a, b;
} line;

static bool says_something(const dd_variable *v)
{
    return v->guess != DD_EXPR_NONE || v->has_nominal || (v->has_start && v->start_value != 0);
}

static dd_decision *decision_of(dd_decision_vec *list, dd_expr symbol)
{
    dd_decision *found = NULL;
    for (uint32_t i = 0; i < list->len && found == NULL; i++) {
        found = list->data[i].symbol == symbol ? &list->data[i] : NULL;
    }
    return found;
}

static dd_decision *any_decision_of(dd_ocp_problem *o, dd_expr symbol)
{
    dd_decision_vec *const lists[] = {&o->x, &o->u, &o->z};
    dd_decision *found = NULL;
    for (int i = 0; i < 3 && found == NULL; i++) {
        found = decision_of(lists[i], symbol);
    }
    return found != NULL && found->order == 0 ? found : NULL;
}

/* a d + b with one decision d and numbers a, b. */
static bool is_copy(dd_ocp_problem *o, dd_expr e, line *out)
{
    dd_expr_vec symbols = {0};
    *out = (line){0};
    bool one = true;
    dd_symbols(o->dag, e, false, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len && one; i++) {
        one = out->of == NULL && (out->of = any_decision_of(o, symbols.data[i])) != NULL;
    }
    dd_vec_free(o->pool, &symbols);
    return one && out->of != NULL && dd_linear(o->dag, e, &out->of->symbol, 1, &out->coefficient, &out->rest) &&
           !dd_ocp_depends_on_decided(o, out->coefficient) && !dd_ocp_depends_on_decided(o, out->rest) &&
           dd_ocp_number(o, out->coefficient, &out->a) && dd_ocp_number(o, out->rest, &out->b) && out->a != 0;
}

/* Its own words count more, and a guess more than a start value. */
static void hear(dd_ocp_problem *o, const dd_variable *v, const line *l)
{
    dd_decision *d = l->of;
    const bool guessed = d->guess == DD_EXPR_NONE && v->guess != DD_EXPR_NONE;
    const bool started = d->guess == DD_EXPR_NONE && !o->model->vars.data[d->var].has_start && d->start_value == 0 &&
                         v->has_start && v->start_value != 0;
    if (guessed) {
        d->guess = dd_div(o->dag, dd_sub(o->dag, v->guess, l->rest), l->coefficient);
    } else if (started) {
        d->start_value = (v->start_value - l->b) / l->a;
    }
    if (v->has_nominal && d->nominal == 0) {
        d->nominal = v->nominal_value != 0 ? fabs(v->nominal_value / l->a) : 1;
    }
    if (o->written == NULL || d->nominal > 0) { /* a start that was set from outside is no size */
        d->scale = dd_ocp_expected_size(d, dd_ocp_guess_number(o, d));
    }
}

void dd_ocp_hear_copies(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->system->n_shown; i++) {
        const uint32_t var = o->system->shown[i];
        const dd_variable *v = &o->model->vars.data[var];
        line l;
        if (says_something(v) && any_decision_of(o, dd_model_symbol(o->model, var)) == NULL &&
            is_copy(o, dd_ocp_resolve(o, dd_model_symbol(o->model, var)), &l)) {
            hear(o, v, &l);
        }
    }
}
