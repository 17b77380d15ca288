/* guess.c - the guesses that the text gives, compiled as functions of time. */
#include "ocp/guess.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "eval/program.h"

struct dd_written_guess {
    dd_ocp_problem *o;
    dd_program *program;
    dd_program_work *work;
    double *out;
};

static void add_guesses(dd_ocp_problem *o, const dd_decision_vec *list, dd_expr_vec *out, dd_pool *pool)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        dd_vec_push(pool, out, d->guess != DD_EXPR_NONE ? d->guess : dd_num(o->dag, d->start_value));
    }
}

dd_written_guess *dd_written_guess_new(dd_ocp_problem *o, dd_pool *pool)
{
    dd_written_guess *g = dd_pool_alloc(pool, sizeof *g);
    dd_expr_vec outputs = {0}, constants = {0};
    dd_map seen = dd_map_new(pool);
    g->o = o;
    add_guesses(o, &o->x, &outputs, pool);
    add_guesses(o, &o->z, &outputs, pool);
    add_guesses(o, &o->u, &outputs, pool);
    for (uint32_t k = 0; k < outputs.len; k++) {
        dd_expr_vec symbols = {0};
        dd_symbols(o->dag, outputs.data[k], true, &symbols, pool);
        for (uint32_t i = 0; i < symbols.len; i++) {
            if (dd_op_of(o->dag, symbols.data[i]) == DD_OP_PARAM && dd_map_get(&seen, symbols.data[i]) == 0) {
                dd_map_put(&seen, symbols.data[i], 1);
                dd_vec_push(pool, &constants, symbols.data[i]);
            }
        }
        dd_vec_free(pool, &symbols);
    }
    dd_program_spec spec = {.inputs = &o->time,
                            .n_inputs = 1,
                            .constants = constants.data,
                            .n_constants = constants.len,
                            .outputs = outputs.data,
                            .n_outputs = outputs.len};
    g->program = dd_program_new(pool, o->dag, &spec);
    g->out = dd_pool_alloc_array(pool, outputs.len + 1, sizeof *g->out);
    dd_status status = dd_program_work_new(&g->work, dd_pool_context(pool), g->program, 1);
    if (status != DD_OK) {
        dd_raise(dd_pool_context(pool), status, "%s", dd_status_text(status));
    }
    double *numbers = dd_pool_alloc_array(pool, constants.len + 1, sizeof *numbers);
    for (uint32_t i = 0; i < constants.len; i++) {
        dd_expr s = constants.data[i];
        numbers[i] = s == o->t0   ? o->t0_value
                     : s == o->tf ? o->tf_value
                                  : o->system->parameter[dd_symbol_id(o->dag, s)];
    }
    if (constants.len > 0) {
        dd_program_set_constants(g->work, numbers);
    }
    return g;
}

void dd_written_guess_free(dd_written_guess *g)
{
    if (g != NULL) {
        dd_program_work_free(g->work);
    }
}

static double finite_or_zero(double v)
{
    return isfinite(v) ? v : 0;
}

static void written_at(void *user, double theta, double *x, double *z, double *u)
{
    dd_written_guess *g = user;
    const dd_ocp_problem *o = g->o;
    double t = o->t0_value + theta * (o->tf_value - o->t0_value), *out = g->out;
    const double *in[] = {&t};
    dd_program_eval(g->work, in, out);
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] = finite_or_zero(*out++);
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        z[i] = finite_or_zero(*out++);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        u[i] = finite_or_zero(*out++);
    }
}

dd_guess dd_written_guess_as(dd_written_guess *g)
{
    return (dd_guess){.user = g, .at = written_at};
}
