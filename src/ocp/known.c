/* known.c - a table of symbols with their ranges: at all times, and at instants. */
#include "ocp/known.h"

#include <math.h>

#define LARGE 100.0 /* expected sizes beyond these are used as scales */
#define SMALL 1e-2

void dd_known_learn(dd_known *k, dd_expr symbol, const dd_decision *d, double low, double high)
{
    dd_known_symbol s = {.of = d, .range = {fmin(low, high), fmax(low, high)}};
    dd_vec_push(k->pool, &k->list, s);
    dd_map_put(&k->place, symbol, k->list.len);
}

static void learn_list(dd_known *k, const dd_decision_vec *list, const dd_expr_vec *symbols, const double *values)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        dd_expr symbol = symbols != NULL ? symbols->data[i] : d->symbol;
        dd_known_learn(k, symbol, d, values != NULL ? values[i] : d->lower, values != NULL ? values[i] : d->upper);
    }
}

dd_known dd_known_new(dd_ocp_problem *o, dd_pool *pool)
{
    dd_known k = {.o = o, .pool = pool, .place = dd_map_new(pool), .time = {o->t0_lower, o->tf_upper}};
    /* symbols at all times; states first, which `start` relies on */
    learn_list(&k, &o->x, NULL, NULL);
    learn_list(&k, &o->z, NULL, NULL);
    learn_list(&k, &o->u, NULL, NULL);
    learn_list(&k, &o->p, NULL, NULL);
    dd_known_learn(&k, o->t0, NULL, o->t0_lower, o->t0_upper);
    dd_known_learn(&k, o->tf, NULL, o->tf_lower, o->tf_upper);
    /* symbols at instants: the same bounds, and values where the start is known */
    for (uint32_t i = 0; i < o->instants.len; i++) {
        const dd_instant *at = &o->instants.data[i];
        learn_list(&k, &o->x, &at->x, at->theta == 0 && o->start_known ? o->x_start : NULL);
        learn_list(&k, &o->z, &at->z, NULL);
        learn_list(&k, &o->u, &at->u, NULL);
        /* with a free horizon an instant may be anywhere between */
        bool known_time = !o->free_t0 && !o->free_tf;
        double t = o->t0_value + at->theta * (o->tf_value - o->t0_value);
        dd_known_learn(&k, at->time, NULL, known_time ? t : o->t0_lower, known_time ? t : o->tf_upper);
    }
    return k;
}

const dd_decision *dd_known_decision(const dd_known *k, dd_expr symbol)
{
    uint32_t at = dd_map_get(&k->place, symbol);
    bool given = k->start != NULL && at <= k->o->x.len;
    return at > 0 && !given ? k->list.data[at - 1].of : NULL;
}

static dd_range symbol_range(void *user, dd_expr symbol)
{
    const dd_known *k = user;
    const dd_ocp_problem *o = k->o;
    uint32_t at = dd_map_get(&k->place, symbol);
    /* bounds, values of the start, or numbers; anything else is unknown */
    if (symbol == o->time) {
        return k->time;
    }
    if (at > 0) {
        bool state = k->start != NULL && at <= o->x.len;
        return state ? (dd_range){k->start[at - 1], k->start[at - 1]} : k->list.data[at - 1].range;
    }
    bool constant = dd_op_of(o->dag, symbol) == DD_OP_PARAM && dd_symbol_id(o->dag, symbol) < o->model->vars.len &&
                    !o->model->vars.data[dd_symbol_id(o->dag, symbol)].free;
    double value = constant ? o->system->parameter[dd_symbol_id(o->dag, symbol)] : NAN;
    return isnan(value) ? (dd_range){-INFINITY, INFINITY} : (dd_range){value, value};
}

dd_range dd_known_range(dd_known *k, dd_expr e)
{
    return dd_range_of(k->o->dag, e, symbol_range, k, k->pool);
}

double dd_known_size(dd_ocp_problem *o, dd_expr e, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    dd_known sizes = dd_known_new(o, scratch);
    for (uint32_t i = 0; i < sizes.list.len; i++) {
        dd_known_symbol *s = &sizes.list.data[i];
        if (s->of != NULL) {
            s->range = (dd_range){fmax(s->range.low, -s->of->scale), fmin(s->range.high, s->of->scale)};
            s->range.high = fmax(s->range.low, s->range.high);
        }
    }
    const dd_range r = dd_known_range(&sizes, e);
    const double size = fmax(fabs(r.low), fabs(r.high));
    dd_pool_free(scratch);
    return isfinite(size) && (size > LARGE || (size > 0 && size < SMALL)) ? size : 1;
}
