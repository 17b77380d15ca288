/* ledger.c - what the class says of the plant's motion: its integrand, its bounds and path rows, its terms at the end.
 *
 * States of the class are the plant's variables of the same name; algebraic variables follow from them by the class's own
 * equations. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/loop.h"

static dd_expr found_in(const dd_expr_vec *there, const dd_decision_vec *list, dd_expr symbol)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (there->data[i] == symbol) {
            return list->data[i].symbol;
        }
    }
    return DD_EXPR_NONE;
}

/* Symbols of the end are those of the present. */
static dd_expr at_present(void *user, dd_expr symbol)
{
    const dd_ocp_problem *o = user;
    const dd_instant *end = &o->instants.data[1];
    if (symbol == end->time || symbol == o->tf) {
        return o->time;
    }
    dd_expr found = found_in(&end->x, &o->x, symbol);
    found = found != DD_EXPR_NONE ? found : found_in(&end->z, &o->z, symbol);
    return found != DD_EXPR_NONE ? found : found_in(&end->u, &o->u, symbol);
}

/* Terms at the end in the symbols of x, z, u now; NULL when they contain values at other times. */
static dd_local_function *end_terms(dd_loop *l)
{
    dd_ocp_problem *o = l->control->problem;
    if (o->mayer == DD_EXPR_NONE) {
        return NULL;
    }
    const dd_expr e = dd_substitute(o->dag, o->mayer, at_present, o);
    dd_expr_vec symbols = {0};
    dd_symbols(o->dag, e, true, &symbols, l->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(o->dag, symbols.data[i]) == DD_OP_PARAM &&
            dd_symbol_id(o->dag, symbols.data[i]) >= o->model->vars.len) {
            l->ledger.cost_known = false;
            return NULL;
        }
    }
    return dd_local_function_new(o, &e, 1, l->pool);
}

void dd_ledger_new(dd_loop *l)
{
    dd_ledger *k = &l->ledger;
    dd_ocp_problem *o = l->control->problem;
    const dd_named_vec nothing = {0};
    k->cost_known = true;
    k->worst = "";
    k->point = dd_estimator_new(o, &nothing, NULL, l->pool);
    /* the integrand and the path constraints as one function */
    dd_expr *list = dd_pool_alloc_array(l->pool, o->path.len + 2, sizeof *list);
    list[0] = o->integrand != DD_EXPR_NONE ? o->integrand : dd_num(o->dag, 0);
    for (uint32_t i = 0; i < o->path.len; i++) {
        list[1 + i] = o->path.data[i].e;
    }
    k->functions = dd_local_function_new(o, list, 1 + o->path.len, l->pool);
    k->end = end_terms(l);
    k->value = dd_pool_alloc_array(l->pool, o->path.len + 2, sizeof *k->value);
    k->z_name = dd_pool_alloc_array(l->pool, o->z.len + 1, sizeof *k->z_name);
    for (uint32_t i = 0; i < o->z.len; i++) {
        k->z_name[i] = dd_model_var_name_dup(o->model, o->z.data[i].var, l->pool);
    }
    /* the states of the class by their names in the plant */
    k->state_of = dd_pool_alloc_array(l->pool, o->x.len + 1, sizeof *k->state_of);
    for (uint32_t i = 0; i < o->x.len; i++) {
        k->state_of[i] = dd_place_in_sim(l->plant_system, l->control->state_name[i], l->pool);
        if (k->state_of[i] == dd_sim_variable_count(l->plant) && k->missing == NULL) {
            k->missing = l->control->state_name[i];
        }
    }
    memcpy(k->point->w, l->control->estimator->w, k->point->n * sizeof *k->point->w);
}

static void note_violation(dd_ledger *k, double amount, const char *name)
{
    if (amount > k->violation) {
        k->violation = amount;
        k->worst = name;
    }
}

static void look_at_bounds(dd_loop *l, const dd_ocp_problem *o, const dd_decision_vec *list, const double *values,
                           const char *const *names)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        const bool low = d->lower > values[i], high = values[i] > d->upper;
        const char *from = low ? d->lower_from : d->upper_from;
        if (low || high) {
            const double amount = (low ? d->lower - values[i] : values[i] - d->upper) * dd_ocp_bound_factor(o, d);
            note_violation(&l->ledger, amount, from != NULL ? from : names[i]);
        }
    }
}

double dd_ledger_look(dd_loop *l, double t)
{
    dd_ledger *k = &l->ledger;
    const dd_ocp_problem *o = l->control->problem, *now = dd_ocp_problem_of(l->control->ocp);
    if (k->missing != NULL) {
        return NAN;
    }
    dd_estimator *e = k->point;
    for (uint32_t i = 0; i < o->x.len; i++) {
        e->w[i] = dd_sim_final(l->plant, k->state_of[i]);
    }
    const double *parameter = dd_ocp_system_of(l->control->ocp)->parameter;
    dd_estimator_set(e, parameter);
    dd_estimator_find(e, t, l->u, NULL);
    /* the plant's own state, not the nearest one on the class's constraints */
    for (uint32_t i = 0; i < o->x.len; i++) {
        e->w[i] = dd_sim_final(l->plant, k->state_of[i]);
    }
    dd_local_function_set(k->functions, parameter);
    dd_local_function_eval(k->functions, t, e->w, l->u, k->value, NULL);
    /* bounds with the numbers of this sample */
    const dd_ocp_problem *b = now != NULL ? now : o;
    look_at_bounds(l, b, &b->x, e->w, l->control->state_name);
    look_at_bounds(l, b, &b->z, e->w + o->x.len, k->z_name);
    look_at_bounds(l, b, &b->u, l->u, l->control->input_name);
    for (uint32_t i = 0; i < o->path.len; i++) {
        note_violation(k, b->path.data[i].lower - k->value[1 + i], b->path.data[i].name);
        note_violation(k, k->value[1 + i] - b->path.data[i].upper, b->path.data[i].name);
    }
    return k->value[0];
}

void dd_ledger_close(dd_loop *l, double t)
{
    dd_ledger *k = &l->ledger;
    double value = 0;
    if (k->end != NULL && k->missing == NULL) {
        dd_ledger_look(l, t);
        dd_local_function_set(k->end, dd_ocp_system_of(l->control->ocp)->parameter);
        dd_local_function_eval(k->end, t, k->point->w, l->u, &value, NULL);
    }
    k->cost += value;
    l->info.cost = k->cost_known && k->missing == NULL ? k->cost : NAN;
    l->info.max_violation = k->missing == NULL ? k->violation : NAN;
    l->info.worst = k->worst;
}
