/* data.c - values of measured data, and which inputs they supply. */
#include "ocp/data.h"

#include <math.h>

#define ROUNDING 1e-12 /* of times, relative */

double dd_data_at(const dd_data_column *c, double t, bool left)
{
    /* times of a mesh are known up to rounding, by which they may lie on the wrong side of a jump */
    const double end = c->rows->count > 0 ? fabs(dd_table_time(c->rows, c->rows->count - 1)) : 0;
    const double rounding = ROUNDING * fmax(end, fabs(t));
    return dd_table_value(c->rows, dd_table_find(c->rows, t, left ? t - rounding : t + rounding, !left), 0);
}

void dd_ocp_read_data(dd_ocp_problem *o)
{
    const dd_optimization *opt = o->model->optimization;
    if (opt->data_problem != NULL) {
        o->reason = opt->data_problem;
        return;
    }
    for (uint32_t i = 0; i < opt->data.len; i++) {
        const dd_data_column *c = &opt->data.data[i];
        if (c->var != DD_NO_INDEX) {
            dd_vec_push(o->pool, &o->data, (dd_ocp_data){dd_var(o->dag, c->var, 0), c});
        }
    }
    /* their time is in seconds, and a free horizon stretches it */
    if (o->data.len > 0 && (o->free_t0 || o->free_tf)) {
        o->reason = dd_pool_printf(o->pool,
                                   "the data %s are functions of time in seconds: startTime and finalTime cannot be "
                                   "free with them",
                                   o->data.data[0].column->name);
    }
}

bool dd_ocp_is_data(const dd_ocp_problem *o, uint32_t var)
{
    bool found = false;
    for (uint32_t i = 0; i < o->data.len && !found; i++) {
        found = o->data.data[i].column->var == var;
    }
    return found;
}

dd_expr dd_ocp_data_number(const dd_ocp_problem *o, dd_expr symbol, double t)
{
    for (uint32_t i = 0; i < o->data.len; i++) {
        if (o->data.data[i].symbol == symbol) {
            return dd_num(o->dag, dd_data_at(o->data.data[i].column, t, t >= o->tf_value));
        }
    }
    return DD_EXPR_NONE;
}

const double *dd_ocp_data_inputs(const dd_ocp_problem *o, double t)
{
    if (o->data.len == 0) {
        return NULL;
    }
    double *values = dd_pool_alloc_array(o->pool, o->model->vars.len + 1, sizeof *values);
    for (uint32_t i = 0; i < o->data.len; i++) {
        values[o->data.data[i].column->var] = dd_data_at(o->data.data[i].column, t, false);
    }
    return values;
}

void dd_ocp_add_preview(dd_ocp_problem *o, const dd_data_column_vec *columns)
{
    for (uint32_t i = 0; columns != NULL && i < columns->len; i++) {
        const dd_data_column *c = &columns->data[i];
        dd_vec_push(o->pool, &o->data, (dd_ocp_data){dd_param(o->dag, c->var), c});
    }
    if (columns != NULL && columns->len > 0 && (o->free_t0 || o->free_tf)) {
        o->reason = "a reference that is known over the horizon needs a horizon of a given length";
    }
}

static uint32_t preview_of(const dd_ocp_problem *o, dd_expr symbol)
{
    for (uint32_t i = 0; i < o->data.len; i++) {
        if (o->data.data[i].symbol == symbol && dd_op_of(o->dag, symbol) == DD_OP_PARAM) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

bool dd_ocp_is_preview(const dd_ocp_problem *o, dd_expr symbol)
{
    return preview_of(o, symbol) != DD_NO_INDEX;
}

dd_expr dd_ocp_preview_at(dd_ocp_problem *o, dd_expr symbol, double theta)
{
    const uint32_t data = preview_of(o, symbol);
    if (data == DD_NO_INDEX) {
        return DD_EXPR_NONE;
    }
    for (uint32_t i = 0; i < o->instant_data.len; i++) {
        if (o->instant_data.data[i].data == data && o->instant_data.data[i].theta == theta) {
            return o->instant_data.data[i].symbol;
        }
    }
    const dd_instant_data made = {dd_param(o->dag, o->fresh++), data, theta};
    dd_vec_push(o->pool, &o->instant_data, made);
    return made.symbol;
}
