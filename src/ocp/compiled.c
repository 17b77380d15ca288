/* compiled.c - collects the constants of some expressions and compiles them. */
#include "ocp/compiled.h"

#include "base/context.h"

static void add_constants(const dd_ocp_problem *o, const dd_expr *e, uint32_t n, dd_map *seen, dd_expr_vec *constants,
                          dd_pool *pool)
{
    dd_expr_vec symbols = {0};
    dd_symbols_of_all(o->dag, e, n, true, &symbols, pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(o->dag, symbols.data[i]) == DD_OP_PARAM && dd_map_get(seen, symbols.data[i]) == 0) {
            dd_map_put(seen, symbols.data[i], 1);
            dd_vec_push(pool, constants, symbols.data[i]);
        }
    }
    dd_vec_free(pool, &symbols);
}

static void release(void *work)
{
    dd_program_work_free(work);
}

dd_expr_vec dd_ocp_constants_of(const dd_ocp_problem *o, const dd_expr *inputs, uint32_t n_inputs,
                                const dd_expr *outputs, uint32_t n_outputs, dd_pool *pool)
{
    dd_expr_vec constants = {0};
    dd_map seen = dd_map_new(pool);
    /* inputs first: they are not constants */
    for (uint32_t i = 0; i < n_inputs; i++) {
        dd_map_put(&seen, inputs[i], 1);
    }
    add_constants(o, outputs, n_outputs, &seen, &constants, pool);
    return constants;
}

dd_program_work *dd_ocp_compile(const dd_ocp_problem *o, const dd_expr *inputs, uint32_t n_inputs,
                                const dd_expr *outputs, uint32_t n_outputs, dd_pool *pool)
{
    const dd_expr_vec constants = dd_ocp_constants_of(o, inputs, n_inputs, outputs, n_outputs, pool);
    /* parameters have their values for good; t0 and tf those of the guess */
    double *values = dd_pool_alloc_array(pool, constants.len + 1, sizeof *values);
    for (uint32_t i = 0; i < constants.len; i++) {
        values[i] = dd_ocp_constant(o, constants.data[i]);
    }
    /* one lane: single evaluations */
    dd_program_spec spec = {.inputs = inputs,
                            .n_inputs = n_inputs,
                            .constants = constants.data,
                            .n_constants = constants.len,
                            .outputs = outputs,
                            .n_outputs = n_outputs};
    dd_program_work *work;
    dd_status status = dd_program_work_new(&work, dd_pool_context(pool), dd_program_new(pool, o->dag, &spec), 1);
    if (status != DD_OK) {
        dd_raise(dd_pool_context(pool), status, "%s", dd_status_text(status));
    }
    /* the pool frees it */
    dd_pool_keep(pool, work, release);
    if (constants.len > 0) {
        dd_program_set_constants(work, values);
    }
    return work;
}
