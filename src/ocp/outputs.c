/* outputs.c - the declared variables as one compiled function. */
#include "ocp/outputs.h"

#include <string.h>

#include "base/context.h"
#include "ocp/data.h"

static void add_symbols(dd_expr_vec *inputs, const dd_decision_vec *list, dd_pool *pool)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(pool, inputs, list->data[i].symbol);
    }
}

dd_ocp_outputs *dd_ocp_outputs_new(dd_ocp_problem *o, dd_pool *pool)
{
    dd_ocp_outputs *out = dd_pool_alloc(pool, sizeof *out);
    dd_expr_vec inputs = {0}, values = {0};
    out->o = o;
    for (uint32_t i = 0; i < o->system->declared; i++) {
        uint32_t var = o->system->unknown[i];
        dd_vec_push(pool, &out->vars, var);
        dd_vec_push(pool, &values, dd_ocp_resolve(o, dd_model_symbol(o->model, var)));
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        dd_vec_push(pool, &out->vars, o->u.data[i].var);
        dd_vec_push(pool, &values, o->u.data[i].symbol);
    }
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
    dd_expr_vec constants = {0};
    dd_map seen = dd_map_new(pool);
    for (uint32_t i = 0; i < inputs.len; i++) {
        dd_map_put(&seen, inputs.data[i], 1);
    }
    for (uint32_t k = 0; k < values.len; k++) {
        dd_expr_vec symbols = {0};
        dd_symbols(o->dag, values.data[k], true, &symbols, pool);
        for (uint32_t i = 0; i < symbols.len; i++) {
            if (dd_map_get(&seen, symbols.data[i]) == 0 && dd_op_of(o->dag, symbols.data[i]) == DD_OP_PARAM) {
                dd_map_put(&seen, symbols.data[i], 1);
                dd_vec_push(pool, &constants, symbols.data[i]);
            }
        }
        dd_vec_free(pool, &symbols);
    }
    dd_program_spec spec = {.inputs = inputs.data,
                            .n_inputs = inputs.len,
                            .constants = constants.data,
                            .n_constants = constants.len,
                            .outputs = values.data,
                            .n_outputs = values.len};
    out->program = dd_program_new(pool, o->dag, &spec);
    out->in = dd_pool_alloc_array(pool, inputs.len + 1, sizeof *out->in);
    dd_status status = dd_program_work_new(&out->work, dd_pool_context(pool), out->program, 1);
    if (status != DD_OK) {
        dd_raise(dd_pool_context(pool), status, "%s", dd_status_text(status));
    }
    double *numbers = dd_pool_alloc_array(pool, constants.len + 1, sizeof *numbers);
    for (uint32_t i = 0; i < constants.len; i++) {
        numbers[i] = o->system->parameter[dd_symbol_id(o->dag, constants.data[i])];
    }
    if (constants.len > 0) {
        dd_program_set_constants(out->work, numbers);
    }
    return out;
}

void dd_ocp_outputs_free(dd_ocp_outputs *outputs)
{
    if (outputs != NULL) {
        dd_program_work_free(outputs->work);
    }
}

static double *put(double *to, const double *from, uint32_t n)
{
    if (n > 0) {
        memcpy(to, from, n * sizeof *to);
    }
    return to + n;
}

void dd_ocp_outputs_eval(dd_ocp_outputs *out, const double *x, const double *z, const double *u, const double *p,
                         double t, double t0, double tf, double *values)
{
    const dd_ocp_problem *o = out->o;
    double *at = put(put(put(put(out->in, x, o->x.len), z, o->z.len), u, o->u.len), p, o->p.len);
    at[0] = t;
    at[1] = t0;
    at[2] = tf;
    for (uint32_t i = 0; i < o->data.len; i++) {
        at[3 + i] = dd_data_at(o->data.data[i].column, t, t >= tf);
    }
    const double *in[] = {out->in};
    dd_program_eval(out->work, in, values);
}
