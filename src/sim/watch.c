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
    dd_slopes *slopes;
    double *rate;   /* n: x' where it was last solved for; z is kept in w */
    double *weight; /* n: how easily x moves onto the constraints */
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

/* What occurs in a constraint that was not differentiated (positions) is more accurate than what occurs in its
 * derivatives alone (velocities): where a constraint can be met by both, the latter move. */
static void find_weights(dd_watch *watch, dd_pool *pool)
{
    const double hardly = 1e-4;
    const dd_problem *p = &watch->numbers->problem;
    const dd_index_vec *level = &watch->numbers->equations->invariant_level;
    watch->weight = dd_pool_alloc_array(pool, p->n + 1, sizeof *watch->weight);
    for (uint32_t j = 0; j < p->n; j++) {
        /* the lowest derivative of a constraint that contains it */
        uint32_t least = UINT32_MAX;
        for (uint32_t k = p->invariant_pattern.ptr[j]; k < p->invariant_pattern.ptr[j + 1]; k++) {
            const uint32_t row = p->invariant_pattern.idx[k];
            least = level->data[row] < least ? level->data[row] : least;
        }
        watch->weight[j] = p->nominal[j] * (least == 0 ? hardly * hardly : least == 1 ? hardly : 1.0);
    }
}

void dd_watch_new(dd_watch **out, const dd_system *s, dd_form_of_equations form, dd_inputs *inputs, dd_pool *pool)
{
    *out = NULL;
    if (s->reduced.invariants.len == 0) {
        return;
    }
    const dd_index_vec *supplied = inputs ? dd_inputs_supplied(inputs) : NULL;
    dd_watch *watch = dd_pool_alloc(pool, sizeof *watch);
    *watch = (dd_watch){.inputs = inputs};
    *out = watch; /* from here on the owner frees whatever was made */
    dd_numbers *q = watch->numbers = dd_numbers_new(s, form, 0, supplied, NULL, pool);
    q->source = (dd_input_source){.user = watch, .values = input_values};
    dd_system_must(s, dd_projector_new(&watch->projector, s->ctx, &q->problem), "preparing a simulation");
    if (!watch->projector || !find_columns(watch, pool)) {
        dd_watch_free(watch);
        *out = NULL;
        return;
    }
    watch->w = dd_pool_alloc_array(pool, q->n + 1, sizeof(double));
    watch->dw = dd_pool_alloc_array(pool, q->n + 1, sizeof(double));
    find_weights(watch, pool);
    watch->rate = dd_pool_alloc_array(pool, q->n + 1, sizeof(double));
    dd_system_must(s, dd_slopes_new(&watch->slopes, s->ctx, &q->problem), "preparing a simulation");
    watch->c = dd_pool_alloc_array(pool, q->problem.n_invariants + 1, sizeof(double));
    watch->g = dd_pool_alloc_array(pool, q->switches.len + 1, sizeof(double));
}

void dd_watch_free(dd_watch *watch)
{
    if (watch) {
        dd_slopes_free(watch->slopes);
        dd_projector_free(watch->projector);
        watch->slopes = NULL;
        dd_numbers_free(watch->numbers);
        watch->projector = NULL;
        watch->numbers = NULL;
    }
}

void dd_watch_use(dd_watch *watch, const dd_system *s)
{
    watch->numbers->system = s;
}

void dd_watch_renumber(dd_watch *watch)
{
    dd_numbers_set_parameters(watch->numbers);
}

uint32_t dd_watch_count(const dd_watch *watch)
{
    return watch ? watch->numbers->problem.n_invariants : 0;
}

/* x from the columns; conditions inside a constraint are conditions on the same variables: others are not looked at */
static void take_values(dd_watch *watch, double t, const double *values)
{
    dd_numbers *q = watch->numbers;
    for (uint32_t j = 0; j < q->equations->x.len; j++) {
        watch->w[j] = values[watch->column[j]];
    }
    dd_numbers_switching(q, t, watch->w, watch->dw, watch->g);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, dd_switch_mode_at(&q->switches.data[k], watch->g[k], t));
    }
}

bool dd_watch_complete(dd_watch *watch, double t, double *values)
{
    enum { CORRECTIONS = 8 };
    dd_numbers *q = watch->numbers;
    take_values(watch, t, values);
    /* onto the constraints, then x' and z from x */
    if (!dd_project(watch->projector, t, watch->w, watch->weight, CORRECTIONS, watch->dw).converged ||
        !dd_slopes_solve(watch->slopes, t, watch->w, watch->rate).converged) {
        return false;
    }
    dd_numbers_outputs(q, t, watch->w, watch->rate, values);
    return true;
}

void dd_watch_look(dd_watch *watch, double t, const double *values, double *violation, double *distance)
{
    const dd_problem *p = &watch->numbers->problem;
    take_values(watch, t, values);
    /* the largest violation, and the distance by one correction */
    p->invariants(p->user, t, watch->w, watch->c);
    *violation = 0;
    for (uint32_t k = 0; k < p->n_invariants; k++) {
        *violation = fabs(watch->c[k]) <= *violation ? *violation : fabs(watch->c[k]);
    }
    *distance = dd_project(watch->projector, t, watch->w, p->nominal, 1, watch->dw).moved;
}

double dd_watch_residual(const dd_watch *watch, uint32_t level)
{
    const dd_index_vec *levels = &watch->numbers->equations->invariant_level;
    double largest = NAN;
    for (uint32_t k = 0; k < watch->numbers->problem.n_invariants; k++) {
        if (levels->data[k] == level) {
            largest = fabs(watch->c[k]) <= largest ? largest : fabs(watch->c[k]);
        }
    }
    return largest;
}
