/* watch.c - the invariants of the reduced system at points of a solution of another form. They are functions of the
 * differential variables alone, whose values every form has. */
#include "sim/watch.h"

#include <math.h>

#include "integ/project.h"
#include "sim/sim_impl.h"

struct dd_watch {
    dd_numbers *numbers; /* the reduced form */
    dd_projector *projector;
    dd_inputs *inputs;
    uint32_t *column; /* per x */
    double *w, *dw, *c, *g;
};

static void input_values(void *user, double t, double *out)
{
    const dd_watch *watch = user;
    const dd_numbers *q = watch->numbers;
    dd_dag *dag = q->system->model->dag;
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        out[i] = dd_inputs_value(watch->inputs, dd_symbol_id(dag, q->inputs.data[i]),
                                 dd_symbol_order(dag, q->inputs.data[i]), t);
    }
}

/* The column of every x; false when one is an auxiliary. */
static bool find_columns(dd_watch *watch, dd_pool *pool)
{
    const dd_numbers *q = watch->numbers;
    const dd_system *s = q->system;
    watch->column = dd_pool_alloc_array(pool, q->n + 1, sizeof *watch->column);
    for (uint32_t j = 0; j < q->equations->x.len; j++) {
        watch->column[j] = s->column[dd_symbol_id(s->model->dag, q->w.data[j])];
        if (watch->column[j] >= s->declared) {
            return false;
        }
    }
    return true;
}

void dd_watch_new(dd_watch **out, const dd_system *s, dd_inputs *inputs, dd_pool *pool)
{
    *out = NULL;
    if (s->reduced.invariants.len == 0) {
        return;
    }
    const dd_index_vec *supplied = inputs ? dd_inputs_supplied(inputs) : NULL;
    dd_watch *watch = dd_pool_alloc(pool, sizeof *watch);
    *watch = (dd_watch){.inputs = inputs};
    *out = watch; /* from here on what is made is given back by the owner */
    dd_numbers *q = watch->numbers = dd_numbers_new(s, DD_EQUATIONS_REDUCED, 0, supplied, NULL, pool);
    q->source = (dd_input_source){.user = watch, .values = input_values};
    dd_system_must(s, dd_projector_new(&watch->projector, s->ctx, &q->problem), "preparing a simulation");
    if (!watch->projector || !find_columns(watch, pool)) {
        dd_watch_free(watch);
        *out = NULL;
        return;
    }
    watch->w = dd_pool_alloc_array(pool, q->n + 1, sizeof(double));
    watch->dw = dd_pool_alloc_array(pool, q->n + 1, sizeof(double));
    watch->c = dd_pool_alloc_array(pool, q->problem.n_invariants + 1, sizeof(double));
    watch->g = dd_pool_alloc_array(pool, q->switches.len + 1, sizeof(double));
}

void dd_watch_free(dd_watch *watch)
{
    if (watch) {
        dd_projector_free(watch->projector);
        dd_numbers_free(watch->numbers);
        watch->projector = NULL;
        watch->numbers = NULL;
    }
}

uint32_t dd_watch_count(const dd_watch *watch)
{
    return watch ? watch->numbers->problem.n_invariants : 0;
}

void dd_watch_look(dd_watch *watch, double t, const double *values, double *violation, double *distance)
{
    dd_numbers *q = watch->numbers;
    const dd_problem *p = &q->problem;
    for (uint32_t j = 0; j < q->equations->x.len; j++) {
        watch->w[j] = values[watch->column[j]];
    }
    /* conditions inside a constraint are conditions on the same variables: others are not looked at */
    dd_numbers_switching(q, t, watch->w, watch->dw, watch->g);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, dd_sim_mode_at(&q->switches.data[k], watch->g[k], t));
    }
    p->invariants(p->user, t, watch->w, watch->c);
    *violation = 0;
    for (uint32_t k = 0; k < p->n_invariants; k++) {
        *violation = fabs(watch->c[k]) <= *violation ? *violation : fabs(watch->c[k]);
    }
    *distance = dd_project(watch->projector, t, watch->w, p->nominal, 1, watch->dw).moved;
}
