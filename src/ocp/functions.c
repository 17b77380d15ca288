/* functions.c - a list of compiled functions, compared by their expressions: equal ones have equal numbers in a dag. */
#include "ocp/functions.h"

#include <string.h>

struct dd_ocp_functions {
    dd_pool *pool;
    DD_VEC(const dd_ocp_function *) list;
};

dd_ocp_functions *dd_ocp_functions_new(dd_pool *pool)
{
    dd_ocp_functions *f = dd_pool_alloc(pool, sizeof *f);
    *f = (dd_ocp_functions){.pool = pool};
    return f;
}

static bool same(const dd_expr *a, const dd_expr *b, uint32_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool equal(const dd_ocp_function_spec *a, const dd_ocp_function_spec *b)
{
    return a->n_in == b->n_in && a->n_out == b->n_out && a->n_constants == b->n_constants && a->fresh == b->fresh &&
           same(a->inputs, b->inputs, a->n_in) && same(a->outputs, b->outputs, a->n_out) &&
           same(a->constants, b->constants, a->n_constants);
}

static const dd_expr *copy(dd_pool *pool, const dd_expr *from, uint32_t n)
{
    dd_expr *to = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *to);
    if (n > 0) {
        memcpy(to, from, n * sizeof *to);
    }
    return to;
}

static dd_program *compile(const dd_ocp_functions *known, dd_dag *dag, const dd_ocp_function_spec *s,
                           const dd_expr *symbols, uint32_t n_weights, const dd_expr *outputs, uint32_t n_out)
{
    dd_program_spec spec = {.inputs = symbols,
                            .n_inputs = s->n_in + n_weights,
                            .segment = {s->n_in, n_weights},
                            .n_segments = n_weights > 0 ? 2 : 1,
                            .constants = s->constants,
                            .n_constants = s->n_constants,
                            .outputs = outputs,
                            .n_outputs = n_out,
                            .factor = outputs != s->outputs};
    return dd_program_new(known->pool, dag, &spec);
}

static const dd_ocp_function *make(dd_ocp_functions *known, dd_dag *dag, const dd_ocp_function_spec *spec)
{
    dd_ocp_function *f = dd_pool_alloc(known->pool, sizeof *f);
    dd_ocp_function_spec *s = &f->spec;
    *s = *spec;
    s->inputs = copy(known->pool, spec->inputs, spec->n_in);
    s->outputs = copy(known->pool, spec->outputs, spec->n_out);
    s->constants = copy(known->pool, spec->constants, spec->n_constants);
    /* the inputs, then one weight per output: the Hessian is that of sum_o w_o Phi_o, so one matrix serves all
     * rows */
    dd_expr *symbols = dd_pool_alloc_array(known->pool, (size_t)s->n_in + s->n_out + 1, sizeof *symbols);
    if (s->n_in > 0) {
        memcpy(symbols, s->inputs, s->n_in * sizeof *symbols);
    }
    for (uint32_t o = 0; o < s->n_out; o++) {
        symbols[s->n_in + o] = dd_param(dag, s->fresh + o);
    }
    /* derivatives are taken symbolically once; every point evaluates the same three programs */
    f->jacobian = dd_jacobian_new(known->pool, dag, s->outputs, s->n_out, s->inputs, s->n_in);
    f->hessian = dd_hessian_new(known->pool, dag, s->outputs, symbols + s->n_in, s->n_out, s->inputs, s->n_in);
    f->values = compile(known, dag, s, symbols, 0, s->outputs, s->n_out);
    f->first = compile(known, dag, s, symbols, 0, f->jacobian->entries, f->jacobian->ptr[s->n_in]);
    f->second = compile(known, dag, s, symbols, s->n_out, f->hessian->entries, f->hessian->ptr[s->n_in]);
    return f;
}

const dd_ocp_function *dd_ocp_function_find(dd_ocp_functions *known, dd_dag *dag, const dd_ocp_function_spec *spec)
{
    for (uint32_t i = 0; i < known->list.len; i++) {
        if (equal(&known->list.data[i]->spec, spec)) {
            return known->list.data[i];
        }
    }
    const dd_ocp_function *made = make(known, dag, spec);
    dd_vec_push(known->pool, &known->list, made);
    return made;
}
