/* watch.c - the invariants of the reduced system at points of a solution of another form. They are functions of the
 * differential variables alone, whose values every form has. */
#include "sim/watch.h"

#include <math.h>
#include <string.h>

#include "integ/project.h"
#include "sens/sens.h"
#include "sim/sim_impl.h"

struct dd_watch {
    dd_numbers *numbers; /* the reduced form */
    dd_projector *projector;
    dd_inputs *inputs;
    uint32_t *column;           /* per x */
    const dd_numbers *followed; /* their branches are taken; NULL: those of the point itself */
    uint32_t *like;             /* per switch, then per kink of the outputs: which of theirs, DD_NO_INDEX: none */
    double *side;               /* per kink: its value */
    double *w, *dw, *c, *g;
    dd_slopes *slopes;
    double *rate;                        /* n: x' where it was last solved for; z is kept in w */
    double *weight;                      /* n: how easily x moves onto the constraints */
    dd_sens *sens;                       /* of points; NULL: no directions */
    double *s, *sdot;                    /* n per direction */
    double *drift, *rate_drift, *sample; /* how columns and x' move with t, and columns at one time */
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

static double input_change(void *user, uint32_t basis, uint32_t order, double t)
{
    const dd_watch *watch = user;
    return dd_inputs_basis(watch->inputs, basis, order, t);
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

void dd_watch_new(dd_watch **out, const dd_system *s, dd_form_of_equations form, dd_inputs *inputs,
                  const dd_direction_vec *directions, dd_pool *pool)
{
    *out = NULL;
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        return;
    }
    const dd_index_vec *supplied = inputs ? dd_inputs_supplied(inputs) : NULL;
    dd_watch *watch = dd_pool_alloc(pool, sizeof *watch);
    *watch = (dd_watch){.inputs = inputs};
    *out = watch; /* from here on the owner frees whatever was made */
    dd_numbers *q = watch->numbers = dd_numbers_new(s, form, 0, supplied, directions, pool);
    q->source = (dd_input_source){.user = watch, .values = input_values, .basis = input_change};
    dd_system_must(s, dd_projector_new(&watch->projector, s->ctx, &q->problem), "preparing a simulation");
    if (!find_columns(watch, pool)) {
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
    watch->g = dd_pool_alloc_array(pool, q->switches.len + q->kinks.len + 1, sizeof(double));
    if (directions) {
        const size_t block = (size_t)q->n * q->problem.n_parameters + 1;
        watch->s = dd_pool_alloc_array(pool, block, sizeof(double));
        watch->sdot = dd_pool_alloc_array(pool, block, sizeof(double));
        watch->drift = dd_pool_alloc_array(pool, s->declared + 1, sizeof(double));
        watch->rate_drift = dd_pool_alloc_array(pool, q->n + 1, sizeof(double));
        watch->sample = dd_pool_alloc_array(pool, s->declared + s->model->assertions.len + 1, sizeof(double));
        dd_system_must(s, dd_sens_new_at_points(&watch->sens, s->ctx, &q->problem), "preparing a simulation");
    }
}

void dd_watch_free(dd_watch *watch)
{
    if (watch) {
        dd_sens_free(watch->sens);
        watch->sens = NULL;
        dd_slopes_free(watch->slopes);
        dd_projector_free(watch->projector);
        watch->slopes = NULL;
        dd_numbers_free(watch->numbers);
        watch->projector = NULL;
        watch->numbers = NULL;
    }
}

/* One relation of the model may be frozen in several parts (a sign, its slope): the kinds tell them apart. */
static uint32_t find_like(const dd_switch *own, const dd_switch_vec *theirs)
{
    for (uint32_t i = 0; i < theirs->len; i++) {
        if (theirs->data[i].kind == own->kind && theirs->data[i].shown == own->shown) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

void dd_watch_follow(dd_watch *watch, const dd_numbers *numbers, dd_pool *pool)
{
    const dd_switch_vec *switches = &watch->numbers->switches, *kinks = &watch->numbers->kinks;
    watch->followed = numbers;
    watch->like = dd_pool_alloc_array(pool, (size_t)switches->len + kinks->len + 1, sizeof *watch->like);
    watch->side = dd_pool_alloc_array(pool, kinks->len + 1, sizeof *watch->side);
    for (uint32_t k = 0; k < switches->len; k++) {
        watch->like[k] = find_like(&switches->data[k], &numbers->switches);
    }
    for (uint32_t k = 0; k < kinks->len; k++) {
        watch->like[switches->len + k] = find_like(&kinks->data[k], &numbers->switches);
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

uint32_t dd_watch_unknowns(const dd_watch *watch)
{
    return watch ? watch->numbers->n : 0;
}

/* Of a switch, or a kink, with the value g. */
static double branch(const dd_watch *watch, const dd_switch *s, uint32_t place, double g, double t)
{
    const uint32_t like = watch->followed ? watch->like[place] : DD_NO_INDEX;
    return like != DD_NO_INDEX ? watch->followed->mode[like] : dd_switch_mode_at(s, g, t);
}

/* x from the columns, and the branches: those that are followed, or by x, where conditions inside a constraint are
 * conditions on the same variables and others are not looked at */
static void take_values(dd_watch *watch, double t, const double *values)
{
    dd_numbers *q = watch->numbers;
    for (uint32_t j = 0; j < q->equations->x.len; j++) {
        watch->w[j] = values[watch->column[j]];
    }
    dd_numbers_switching(q, t, watch->w, watch->dw, watch->g);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, branch(watch, &q->switches.data[k], k, watch->g[k], t));
    }
}

/* Onto the constraints, by watch->dw, then x' and z from x. */
static bool find_point(dd_watch *watch, double t, const double *values)
{
    enum { CORRECTIONS = 8 };
    take_values(watch, t, values);
    memset(watch->dw, 0, watch->numbers->n * sizeof *watch->dw);
    return (dd_watch_count(watch) == 0 ||
            dd_project(watch->projector, t, watch->w, watch->weight, CORRECTIONS, watch->dw).converged) &&
           dd_slopes_solve(watch->slopes, t, watch->w, watch->rate).converged;
}

bool dd_watch_complete(dd_watch *watch, double t, double *values)
{
    if (!find_point(watch, t, values)) {
        return false;
    }
    dd_numbers *q = watch->numbers;
    dd_numbers_outputs(q, t, watch->w, watch->rate, values);
    /* relations that the rows do not have: one side of a moment at which they change */
    if (watch->followed && q->kinks.len > 0) {
        dd_numbers_kinks(q, t, watch->w, watch->rate, watch->g);
        for (uint32_t k = 0; k < q->kinks.len; k++) {
            watch->side[k] = branch(watch, &q->kinks.data[k], q->switches.len + k, watch->g[k], t);
        }
        dd_numbers_sides(q, t, watch->w, watch->rate, watch->side, values);
    }
    return true;
}

const dd_numbers *dd_watch_states(dd_watch *watch, double t, const double *values, dd_projector **projector, double **w)
{
    take_values(watch, t, values);
    *projector = watch->projector;
    *w = watch->w;
    return watch->numbers;
}

/* The place of an unknown among x, DD_NO_INDEX: it is none. */
static uint32_t place_of(const dd_watch *watch, dd_expr w)
{
    const dd_numbers *q = watch->numbers;
    for (uint32_t j = 0; j < q->equations->x.len; j++) {
        if (q->w.data[j] == w) {
            return j;
        }
    }
    return DD_NO_INDEX;
}

bool dd_watch_rate(const dd_watch *watch, dd_expr w, double *rate)
{
    const uint32_t j = place_of(watch, w);
    *rate = j != DD_NO_INDEX ? watch->rate[j] : *rate;
    return j != DD_NO_INDEX;
}

bool dd_watch_rate_change(const dd_watch *watch, dd_expr w, uint32_t p, double *change)
{
    const uint32_t j = place_of(watch, w);
    *change = j != DD_NO_INDEX ? watch->sdot[(size_t)p * watch->numbers->n + j] : *change;
    return j != DD_NO_INDEX;
}

/* How the completed columns and x' move with t alone, to fourth order: watch->drift, watch->rate_drift. */
static bool find_drift(dd_watch *watch, double t, const double *values, double part)
{
    static const double factor[] = {-1.0 / 12, 2.0 / 3, -2.0 / 3, 1.0 / 12}, place[] = {2, 1, -1, -2};
    const dd_numbers *q = watch->numbers;
    const uint32_t declared = q->system->declared;
    memset(watch->drift, 0, declared * sizeof *watch->drift);
    memset(watch->rate_drift, 0, q->n * sizeof *watch->rate_drift);
    for (int i = 0; i < 4; i++) {
        const double at = t + place[i] * part;
        if (!find_point(watch, at, values)) {
            return false;
        }
        dd_numbers_outputs(watch->numbers, at, watch->w, watch->rate, watch->sample);
        for (uint32_t j = 0; j < declared; j++) {
            watch->drift[j] += factor[i] / part * watch->sample[j];
        }
        for (uint32_t j = 0; j < q->n; j++) {
            watch->rate_drift[j] += factor[i] / part * watch->rate[j];
        }
    }
    return true;
}

dd_step_verdict dd_watch_complete_change(dd_watch *watch, double t, const double *values, const double *moment,
                                         double part, double *change)
{
    dd_numbers *q = watch->numbers;
    const size_t declared = q->system->declared;
    const bool drifts = moment && find_drift(watch, t, values, part);
    if (!find_point(watch, t, values)) {
        return DD_STEP_OK;
    }
    /* x from the columns, as its values are */
    for (uint32_t p = 0; p < q->problem.n_parameters; p++) {
        for (uint32_t j = 0; j < q->equations->x.len; j++) {
            watch->s[(size_t)p * q->n + j] = change[p * declared + watch->column[j]];
        }
    }
    dd_step_verdict v = DD_STEP_OK;
    if (dd_watch_count(watch) > 0) {
        v = dd_sens_move(watch->sens, t, watch->w, watch->dw, watch->weight, watch->s);
    }
    v = v == DD_STEP_OK ? dd_sens_solve(watch->sens, t, watch->w, watch->rate, watch->s, watch->sdot) : v;
    if (v != DD_STEP_OK) {
        return v;
    }
    dd_numbers_output_derivatives(q, t, watch->w, watch->rate, watch->s, watch->sdot, change);
    for (uint32_t p = 0; p < q->problem.n_parameters && drifts; p++) {
        for (uint32_t j = 0; j < declared; j++) {
            change[p * declared + j] += watch->drift[j] * moment[p];
        }
        for (uint32_t j = 0; j < q->n; j++) {
            watch->sdot[(size_t)p * q->n + j] += watch->rate_drift[j] * moment[p];
        }
    }
    return DD_STEP_OK;
}

void dd_watch_look(dd_watch *watch, double t, const double *values, double *violation, double *distance)
{
    const dd_problem *p = &watch->numbers->problem;
    *violation = *distance = 0;
    if (p->n_invariants == 0) {
        return;
    }
    take_values(watch, t, values);
    /* the largest violation, and the distance by one correction */
    p->invariants(p->user, t, watch->w, watch->c);
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
