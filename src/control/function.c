/* function.c - compiles and evaluates at one point. */
#include "control/function.h"

#include <string.h>

#include "base/context.h"

static void release(void *work)
{
    dd_program_work_free(work);
}

static dd_program_work *compile(dd_local_function *f, const dd_expr_vec *inputs, const dd_expr *outputs, uint32_t n,
                                dd_pool *pool)
{
    const dd_program_spec spec = {.inputs = inputs->data,
                                  .n_inputs = inputs->len,
                                  .constants = f->constants.data,
                                  .n_constants = f->constants.len,
                                  .outputs = outputs,
                                  .n_outputs = n};
    dd_program_work *work;
    const dd_status st = dd_program_work_new(&work, dd_pool_context(pool), dd_program_new(pool, f->o->dag, &spec), 1);
    if (st != DD_OK) {
        dd_raise(dd_pool_context(pool), st, "%s", dd_status_text(st));
    }
    dd_pool_keep(pool, work, release);
    return work;
}

static void add_symbols(const dd_decision_vec *list, dd_expr_vec *out, dd_pool *pool)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(pool, out, list->data[i].symbol);
    }
}

static void find_constants(dd_local_function *f, const dd_expr *outputs, uint32_t n, bool parameters, dd_pool *pool)
{
    dd_expr_vec symbols = {0};
    dd_map seen = dd_map_new(pool);
    for (uint32_t i = 0; parameters && i < f->o->p.len; i++) { /* inputs, not constants */
        dd_map_put(&seen, f->o->p.data[i].symbol, 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        dd_symbols(f->o->dag, outputs[i], true, &symbols, pool);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(f->o->dag, symbols.data[i]) == DD_OP_PARAM && dd_map_get(&seen, symbols.data[i]) == 0) {
            dd_map_put(&seen, symbols.data[i], 1);
            dd_vec_push(pool, &f->constants, symbols.data[i]);
        }
    }
    f->constant_value = dd_pool_alloc_array(pool, f->constants.len + 1, sizeof(double));
}

static dd_local_function *new_function(dd_ocp_problem *o, const dd_expr *outputs, uint32_t n, bool parameters,
                                       dd_pool *pool)
{
    dd_local_function *f = dd_pool_alloc(pool, sizeof *f);
    dd_expr_vec inputs = {0};
    *f = (dd_local_function){.o = o, .n_out = n};
    add_symbols(&o->x, &inputs, pool);
    add_symbols(&o->z, &inputs, pool);
    if (parameters) {
        add_symbols(&o->p, &inputs, pool);
    }
    f->n_in = inputs.len;
    f->jacobian = dd_jacobian_new(pool, o->dag, outputs, n, inputs.data, inputs.len);
    add_symbols(&o->u, &inputs, pool);
    for (uint32_t i = 0; parameters && i < o->data.len; i++) {
        dd_vec_push(pool, &inputs, o->data.data[i].symbol);
    }
    f->n_outside = inputs.len - f->n_in;
    dd_vec_push(pool, &inputs, o->time);
    find_constants(f, outputs, n, parameters, pool);
    f->values = compile(f, &inputs, outputs, n, pool);
    f->slopes = compile(f, &inputs, f->jacobian->entries, f->jacobian->ptr[f->n_in], pool);
    f->in = dd_pool_alloc_array(pool, inputs.len + 1, sizeof(double));
    f->entry = dd_pool_alloc_array(pool, f->jacobian->ptr[f->n_in] + 1, sizeof(double));
    dd_local_function_set(f, o->system->parameter);
    return f;
}

dd_local_function *dd_local_function_new(dd_ocp_problem *o, const dd_expr *outputs, uint32_t n, dd_pool *pool)
{
    return new_function(o, outputs, n, false, pool);
}

dd_local_function *dd_function_of_parameters(dd_ocp_problem *o, const dd_expr *outputs, uint32_t n, dd_pool *pool)
{
    return new_function(o, outputs, n, true, pool);
}

void dd_local_function_set(dd_local_function *f, const double *parameter)
{
    for (uint32_t i = 0; i < f->constants.len; i++) {
        f->constant_value[i] = parameter[dd_symbol_id(f->o->dag, f->constants.data[i])];
    }
    if (f->constants.len > 0) {
        dd_program_set_constants(f->values, f->constant_value);
        dd_program_set_constants(f->slopes, f->constant_value);
    }
}

void dd_local_function_eval(dd_local_function *f, double time, const double *w, const double *u, double *out,
                            double *slopes)
{
    const double *in = f->in;
    memcpy(f->in, w, f->n_in * sizeof *w);
    memcpy(f->in + f->n_in, u, f->n_outside * sizeof *u);
    f->in[f->n_in + f->n_outside] = time;
    dd_program_eval(f->values, &in, out);
    if (slopes == NULL) {
        return;
    }
    dd_program_eval(f->slopes, &in, f->entry);
    memset(slopes, 0, (size_t)f->n_out * f->n_in * sizeof *slopes);
    for (uint32_t j = 0; j < f->n_in; j++) {
        for (uint32_t k = f->jacobian->ptr[j]; k < f->jacobian->ptr[j + 1]; k++) {
            slopes[(size_t)f->jacobian->idx[k] * f->n_in + j] = f->entry[k];
        }
    }
}
