/* outputs.c - the declared variables as one compiled function. */
#include "ocp/outputs.h"

#include <string.h>

#include "ocp/compiled.h"
#include "ocp/data.h"

static void add_symbols(dd_expr_vec *inputs, const dd_decision_vec *list, dd_pool *pool)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(pool, inputs, list->data[i].symbol);
    }
}

/* Compiles the values. */
static dd_ocp_outputs *compiled(dd_ocp_problem *o, dd_ocp_outputs *out, const dd_expr_vec *values, dd_pool *pool)
{
    /* the order of dd_ocp_outputs_eval */
    dd_expr_vec inputs = {0};
    add_symbols(&inputs, &o->x, pool);
    add_symbols(&inputs, &o->z, pool);
    add_symbols(&inputs, &o->u, pool);
    add_symbols(&inputs, &o->p, pool);
    dd_vec_push(pool, &inputs, o->time);
    dd_vec_push(pool, &inputs, o->t0);
    dd_vec_push(pool, &inputs, o->tf);
    for (uint32_t i = 0; i < o->data.len; i++) {
        dd_vec_push(pool, &inputs, o->data.data[i].symbol);
    }
    out->o = o;
    out->in = dd_pool_alloc_array(pool, inputs.len + 1, sizeof *out->in);
    out->work = dd_ocp_compile(o, inputs.data, inputs.len, values->data, values->len, pool);
    return out;
}

dd_ocp_outputs *dd_ocp_outputs_new(dd_ocp_problem *o, dd_pool *pool)
{
    dd_ocp_outputs *out = dd_pool_alloc(pool, sizeof *out);
    dd_expr_vec values = {0};
    /* declared variables in x, z, u; controls are themselves */
    for (uint32_t i = 0; i < o->system->n_shown; i++) {
        uint32_t var = o->system->shown[i];
        dd_vec_push(pool, &out->vars, var);
        dd_vec_push(pool, &values, dd_model_symbol(o->model, var));
    }
    dd_ocp_resolve_all(o, values.data, values.len);
    for (uint32_t i = 0; i < o->u.len; i++) {
        dd_vec_push(pool, &out->vars, o->u.data[i].var);
        dd_vec_push(pool, &values, o->u.data[i].symbol);
    }
    return compiled(o, out, &values, pool);
}

dd_ocp_outputs *dd_ocp_outputs_of(dd_ocp_problem *o, const dd_expr_vec *values, dd_pool *pool)
{
    return compiled(o, dd_pool_alloc(pool, sizeof(dd_ocp_outputs)), values, pool);
}

dd_ocp_outputs *dd_ocp_outputs_path(dd_ocp_problem *o, dd_pool *pool)
{
    dd_expr_vec values = {0};
    for (uint32_t i = 0; i < o->path.len; i++) {
        dd_vec_push(pool, &values, o->path.data[i].e);
    }
    return dd_ocp_outputs_of(o, &values, pool);
}

static double *put(double *to, const double *from, uint32_t n)
{
    if (n > 0) {
        memcpy(to, from, n * sizeof *to);
    }
    return to + n;
}

void dd_ocp_outputs_eval(dd_ocp_outputs *out, const dd_ocp_moment *m, double *values)
{
    const dd_ocp_problem *o = out->o;
    double *at = put(put(put(put(out->in, m->x, o->x.len), m->z, o->z.len), m->u, o->u.len), m->p, o->p.len);
    at[0] = m->t;
    at[1] = m->t0;
    at[2] = m->tf;
    /* data from the left at the end of the horizon */
    for (uint32_t i = 0; i < o->data.len; i++) {
        at[3 + i] = dd_data_at(o->data.data[i].column, m->t, m->t >= m->tf);
    }
    const double *in[] = {out->in};
    dd_program_eval(out->work, in, values);
}
