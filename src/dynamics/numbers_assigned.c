/* numbers_assigned.c - algebraic unknowns that were put into the rows. Integrators do not have them among their own, but
 * they are printed, and may be steep in x. */
#include "dynamics/numbers_impl.h"

static void assigned(void *user, double t, const double *w, const double *wdot, double *out)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->outputs, t, w, wdot, q->output_value);
    for (uint32_t i = 0; i < q->problem.n_assigned; i++) {
        out[i] = q->output_value[q->assigned_column[i]];
    }
}

void dd_numbers_describe_assigned(dd_compiler *c, const dd_expr *outputs)
{
    dd_numbers *q = c->q;
    const dd_system *s = q->system;
    double *nominal = dd_pool_alloc_array(c->pool, s->declared + 1, sizeof *nominal);
    q->assigned_column = dd_pool_alloc_array(c->pool, s->declared + 1, sizeof *q->assigned_column);
    q->output_value = dd_pool_alloc_array(c->pool, q->output_values.len + 1, sizeof *q->output_value);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->declared; i++) {
        /* symbols are unknowns of the rows, or copies of them */
        const dd_op op = dd_op_of(s->model->dag, outputs[i]);
        if (!s->differentiated[i] && op != DD_OP_VAR && op != DD_OP_NUM) {
            nominal[count] = s->size[i];
            q->assigned_column[count++] = i;
        }
    }
    for (uint32_t i = 0; i < q->equations->row_level.len; i++) {
        q->problem.rough_z = q->problem.rough_z || q->equations->row_level.data[i] > 0;
    }
    q->problem.n_assigned = count;
    q->problem.assigned_nominal = nominal;
    q->problem.assigned = assigned;
}
