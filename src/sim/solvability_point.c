/* solvability_point.c - the watch on solvability: creation, and what is looked at at a point: the numbers that must not
 * vanish, and the size of the unknowns that they determine. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/slopes.h"
#include "sim/solvability_impl.h"
#include "structure/numeric.h"

enum { MOST_TOGETHER = 64 }; /* unknowns of one item: states of larger blocks are not followed one by one */

/* ---- creation ---- */

static void new_state(const dd_solvability *s, dd_solv_state *out)
{
    out->w = dd_pool_alloc_array(s->sim->pool, s->n + 1, sizeof(double));
    out->wdot = dd_pool_alloc_array(s->sim->pool, s->n + 1, sizeof(double));
}

static void new_records(const dd_solvability *s, dd_solv_records *out)
{
    const size_t count = DD_SOLVABILITY_RECORDS;
    out->t = dd_pool_alloc_array(s->sim->pool, count, sizeof(double));
    out->value = dd_pool_alloc_array(s->sim->pool, count * s->count, sizeof(double));
    out->size = dd_pool_alloc_array(s->sim->pool, count * s->count, sizeof(double));
    out->reach = dd_pool_alloc_array(s->sim->pool, count * s->count, sizeof(double));
}

static void allocate(dd_solvability *s)
{
    s->n = s->numbers->n;
    s->count = s->numbers->solvable->count;
    /* points that are kept: where a search begins, where it is, the best so far */
    dd_solv_state *const states[] = {&s->point, &s->lo,      &s->begin,   &s->there,
                                     &s->start, &s->kept_lo, &s->nearest, &s->accurate};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        new_state(s, states[i]);
    }
    for (int i = 0; i < 3; i++) {
        s->v[i] = dd_pool_alloc_array(s->sim->pool, s->count, sizeof(double));
    }
    s->probe = dd_pool_alloc_array(s->sim->pool, s->count, sizeof(double));
    s->before = dd_pool_alloc_array(s->sim->pool, s->count, sizeof(double));
    s->values = dd_pool_alloc_array(s->sim->pool, s->sim->system->declared + s->sim->system->model->assertions.len + 1,
                                    sizeof(double));
    s->atol = dd_pool_alloc_array(s->sim->pool, s->n + 1, sizeof(double));
    const size_t nnz = s->numbers->problem.pattern.ptr[s->n];
    s->m = dd_pool_alloc_array(s->sim->pool, nnz + 1, sizeof(double));
    s->j = dd_pool_alloc_array(s->sim->pool, nnz + 1, sizeof(double));
    double **const vectors[] = {&s->row, &s->rhs, &s->carried, &s->error[0], &s->error[1], &s->lost};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = dd_pool_alloc_array(s->sim->pool, s->n + 1, sizeof(double));
    }
    s->peak = dd_pool_alloc_array(s->sim->pool, s->count, sizeof(double));
    s->ends = dd_pool_alloc_array(s->sim->pool, s->count, sizeof(double));
    s->near_zero = dd_pool_alloc_array(s->sim->pool, s->count, sizeof(double));
    s->given_up = dd_pool_alloc_array(s->sim->pool, s->count, sizeof *s->given_up);
    s->fruitless = dd_pool_alloc_array(s->sim->pool, s->count, sizeof *s->fruitless);
    s->modes = dd_pool_alloc_array(s->sim->pool, s->numbers->switches.len + 1, sizeof(double));
    s->switching = dd_pool_alloc_array(s->sim->pool, s->numbers->switches.len + 1, sizeof(double));
    s->far = dd_pool_alloc_array(s->sim->pool, s->numbers->switches.len + 1, sizeof(double));
    new_records(s, &s->records);
    /* a large model keeps fewer points of its way */
    s->room = s->n < DD_SOLVABILITY_LARGE ? DD_SOLVABILITY_HISTORY : DD_SOLVABILITY_HISTORY / 4;
    s->history = dd_pool_alloc_array(s->sim->pool, s->room, sizeof *s->history);
    for (uint32_t i = 0; i < s->room; i++) {
        new_state(s, &s->history[i]);
    }
}

static void own_inputs(void *user, double t, double *out)
{
    const dd_solvability *s = user;
    const dd_dag *dag = s->own->system->model->dag;
    for (uint32_t i = 0; i < s->own->inputs.len; i++) {
        const dd_expr symbol = s->own->inputs.data[i];
        out[i] = dd_inputs_value(s->sim->inputs, dd_symbol_id(dag, symbol), dd_symbol_order(dag, symbol), t);
    }
}

/* The equations as written have a singular matrix by nature where their index is above 1, or where rows had to be
 * combined: the reduced system is looked at beside them. */
static void watch_reduced(dd_solvability *s)
{
    dd_sim *sim = s->sim;
    const dd_system *system = sim->system;
    const dd_dag *dag = system->model->dag;
    const dd_index_vec *supplied = sim->inputs ? dd_inputs_supplied(sim->inputs) : NULL;
    /* the reduced form is compiled once more, with its own x' and z */
    dd_numbers *q = s->own = dd_numbers_new(system, DD_EQUATIONS_REDUCED, 0, supplied, NULL, sim->pool);
    q->source = (dd_input_source){.user = s, .values = own_inputs};
    s->numbers = q;
    dd_system_must(system, dd_slopes_new(&s->slopes, sim->ctx, &q->problem), "preparing a simulation");
    s->column = dd_pool_alloc_array(sim->pool, q->n + 1, sizeof *s->column);
    s->g = dd_pool_alloc_array(sim->pool, q->switches.len + 1, sizeof *s->g);
    /* columns that the run knows by name are taken from its outputs */
    for (uint32_t j = 0; j < q->n; j++) {
        const uint32_t col = system->column[dd_symbol_id(dag, q->w.data[j])];
        const bool declared = dd_symbol_order(dag, q->w.data[j]) == 0 && col < system->declared;
        s->column[j] = declared ? col : DD_NO_INDEX;
    }
}

/* Do the numbers contain rates, or unknowns that the run does not know? Then x' and z are solved for at every point;
 * else only where the scout begins. */
static bool needs_slopes(const dd_solvability *s)
{
    const dd_numbers *q = s->numbers;
    for (uint32_t j = 0; s->own && j < q->n; j++) {
        if ((j < q->equations->x.len && dd_solvable_depends(q, q->rate_symbol.data[j])) ||
            (s->column[j] == DD_NO_INDEX && dd_solvable_depends(q, q->w.data[j]))) {
            return true;
        }
    }
    return false;
}

/* Do the numbers contain x' or z at all? */
static bool has_unknowns(const dd_solvability *s)
{
    const dd_numbers *q = s->numbers;
    bool any = false;
    for (uint32_t j = 0; j < q->n && !any; j++) {
        any = dd_solvable_depends(q, j < q->equations->x.len ? q->rate_symbol.data[j] : q->w.data[j]);
    }
    return any;
}

/* Does the reduced system need more than the run knows: an x that is an auxiliary of the analysis? */
static bool has_columns(const dd_solvability *s)
{
    bool all = true;
    for (uint32_t j = 0; s->own && j < s->own->equations->x.len; j++) {
        all = all && s->column[j] != DD_NO_INDEX;
    }
    return all;
}

void dd_solvability_new(dd_solvability **out, dd_sim *sim)
{
    *out = NULL;
    const dd_system *system = sim->system;
    const bool reduced = sim->numbers->equations->form == DD_EQUATIONS_REDUCED;
    if (system->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        return; /* there is no reduced system */
    }
    dd_solvability *s = dd_pool_alloc(sim->pool, sizeof *s);
    *s = (dd_solvability){.sim = sim, .ctx = sim->ctx, .numbers = sim->numbers};
    *out = s; /* from here on the owner frees whatever was made */
    /* as written, [dF/dx' dF/dz] is singular by structure for index above 1 */
    if (!reduced && (system->index > 1 || system->off.max_c > 0)) {
        watch_reduced(s);
    }
    if (!s->numbers->solvable || !has_columns(s)) {
        dd_solvability_free(s);
        *out = NULL;
        return;
    }
    allocate(s);
    s->needs_slopes = needs_slopes(s);
    s->has_unknowns = has_unknowns(s);
}

void dd_solvability_free(dd_solvability *s)
{
    if (s) {
        dd_integ_free(s->scout);
        dd_pencil_free(s->solver);
        s->solver = NULL;
        dd_slopes_free(s->slopes);
        dd_numbers_free(s->own);
        s->scout = NULL;
        s->slopes = NULL;
        s->own = NULL;
    }
}

/* ---- points ---- */

void dd_solv_copy(const dd_solvability *s, dd_solv_state *to, double t, const double *w, const double *wdot)
{
    to->t = t;
    memcpy(to->w, w, s->n * sizeof *w);
    memcpy(to->wdot, wdot, s->n * sizeof *wdot);
    to->valid = true;
}

void dd_solv_take(dd_solvability *s, double t, const double *w, const double *wdot, dd_solv_state *out)
{
    if (!s->own) {
        dd_solv_copy(s, out, t, w, wdot);
        if (s->sim->dummy) { /* the integrator knows no rates of dummies */
            dd_slopes_solve(s->sim->slopes, t, out->w, out->wdot);
        }
        return;
    }
    dd_sim *sim = s->sim;
    dd_numbers *q = s->own;
    const dd_solv_state *last = dd_solv_last(s);
    /* the run's outputs where it has them, the last values as guesses for the rest */
    dd_numbers_outputs(sim->numbers, t, w, wdot, sim->values);
    out->t = t;
    for (uint32_t j = 0; j < s->n; j++) {
        out->w[j] = s->column[j] != DD_NO_INDEX ? sim->values[s->column[j]] : last ? last->w[j] : 0.0;
        out->wdot[j] = last ? last->wdot[j] : 0.0;
    }
    /* the branches of this point */
    dd_numbers_switching(q, t, out->w, out->wdot, s->g);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, dd_switch_mode_at(&q->switches.data[k], s->g[k], t));
    }
    out->valid = !s->needs_slopes || dd_slopes_solve(s->slopes, t, out->w, out->wdot).converged;
}

void dd_solv_values(dd_solvability *s, const dd_solv_state *at, double *v)
{
    dd_solvable_values(s->numbers, at->t, at->w, at->wdot, v);
    for (uint32_t k = 0; k < s->count; k++) {
        /* what cannot be evaluated raises no suspicion; below the smallest normal number digits are lost */
        v[k] = at->valid && isfinite(v[k]) ? (fabs(v[k]) < DBL_MIN ? 0.0 : v[k]) : NAN;
    }
}

/* A rate or an algebraic unknown, which may be an assigned one. */
static double unknown_value(const dd_solvability *s, dd_expr symbol, const dd_solv_state *at)
{
    const dd_numbers *q = s->numbers;
    const dd_system *system = q->system;
    const dd_dag *dag = system->model->dag;
    /* one of the unknowns, or assigned: then among the outputs */
    for (uint32_t j = 0; j < s->n; j++) {
        const bool x = j < q->equations->x.len;
        if ((x ? q->rate_symbol.data[j] : q->w.data[j]) == symbol) {
            return (x ? at->wdot[j] : at->w[j]) / q->problem.nominal[j];
        }
    }
    const uint32_t col = system->column[dd_symbol_id(dag, symbol)];
    const bool known = dd_symbol_order(dag, symbol) == 0 && col != DD_NO_INDEX && col < system->declared;
    return known ? s->values[col] / system->size[col] : 0.0;
}

/* Does state j move by what an item determines? Its rate is among the unknowns; or one algebraic unknown is, which may be
 * part of any rate, and the item contains the state. */
static bool moves_state(const dd_solvability *s, const dd_solvable_item *item, uint32_t j)
{
    const dd_numbers *q = s->numbers;
    dd_dag *dag = q->system->model->dag;
    bool found = false;
    for (uint32_t i = 0; i < item->size; i++) {
        found = found || q->rate_symbol.data[j] == item->symbols[i];
    }
    const bool algebraic = item->size == 1 && dd_symbol_order(dag, item->symbols[0]) == 0;
    return found || (algebraic && dd_depends(dag, item->expression, q->w.data[j]));
}

bool dd_solv_depends_on_own(dd_solvability *s, uint32_t k, const dd_solv_state *at)
{
    const double part = 1e-3, change = 1e-9; /* a state is moved by this part; a value moves by more than that one */
    const dd_numbers *q = s->numbers;
    dd_solv_values(s, at, s->probe);
    const double before = s->probe[k];
    bool depends = false;
    for (uint32_t j = 0; j < q->equations->x.len && !depends; j++) {
        if (moves_state(s, &q->solvable->items[k], j)) {
            const double keep = at->w[j];
            at->w[j] += part * fmax(fabs(keep), q->problem.nominal[j]);
            dd_solv_values(s, at, s->probe);
            at->w[j] = keep;
            depends = !(fabs(s->probe[k] - before) <= change * fabs(before));
        }
    }
    return depends;
}

double dd_solv_noise(dd_solvability *s, uint32_t k, const dd_solv_state *at, double rtol, double atol)
{
    enum { ROUNDS = 2 };
    dd_solv_values(s, at, s->probe);
    const double here = s->probe[k];
    double most = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        dd_solv_copy(s, &s->there, at->t, at->w, at->wdot);
        for (uint32_t j = 0; j < s->n; j++) {
            const double size = (atol > 0 ? atol : rtol * s->numbers->problem.nominal[j]) + rtol * fabs(at->w[j]);
            s->there.w[j] += copysign(size, dd_noise(j, round, 41));
        }
        dd_solv_values(s, &s->there, s->probe);
        most = fmax(most, fabs(s->probe[k] - here));
    }
    return most;
}

double dd_solv_noise_of_square(dd_solvability *s, uint32_t k, const dd_solv_state *at)
{
    enum { TRIES = 4 }; /* two directions, both ways */
    dd_sim *sim = s->sim;
    const uint8_t *is_state = sim->numbers->problem.differential;
    if (s->own || !sim->slopes) {
        return 0;
    }
    dd_solv_values(s, at, s->probe);
    const double here = s->probe[k] * s->probe[k];
    double most = 0;
    for (uint32_t try = 0; try < TRIES; try++) {
        /* x moved, z solved for again */
        dd_solv_copy(s, &s->there, at->t, at->w, at->wdot);
        for (uint32_t j = 0; j < s->n; j++) {
            const double size = sim->atol[j] + dd_sim_tolerance(sim) * fabs(at->w[j]);
            const double step = copysign(size, dd_noise(j, try / 2, 41));
            s->there.w[j] += !is_state[j] ? 0.0 : try % 2 > 0 ? -step : step;
        }
        if (dd_slopes_solve(sim->slopes, at->t, s->there.w, s->there.wdot).converged) {
            dd_solv_values(s, &s->there, s->probe);
            most = fmax(most, fabs(s->probe[k] * s->probe[k] - here));
        }
    }
    return isfinite(most) ? most : 0.0;
}

static double reach_of_states(const dd_solvability *s, const dd_solvable_item *item, const dd_solv_state *at)
{
    double most = 0;
    for (uint32_t j = 0; j < s->numbers->equations->x.len && item->size <= MOST_TOGETHER; j++) {
        if (moves_state(s, item, j)) {
            most = fmax(most, fabs(at->w[j]) / s->numbers->problem.nominal[j]);
        }
    }
    return most;
}

/* The largest unknown that an item determines; of many the first ones. */
static double size_of_unknowns(const dd_solvability *s, const dd_solvable_item *item, const dd_solv_state *at)
{
    enum { ENOUGH = 8 };
    double most = 0;
    for (uint32_t i = 0; i < item->size && i < ENOUGH; i++) {
        most = fmax(most, fabs(unknown_value(s, item->symbols[i], at)));
    }
    return most;
}

void dd_solv_record(dd_solvability *s, const dd_solv_state *at, const double *v)
{
    dd_solv_records *to = &s->records;
    if (to->count == DD_SOLVABILITY_RECORDS) {
        return;
    }
    const size_t place = to->count++;
    to->t[place] = at->t;
    dd_numbers_outputs(s->numbers, at->t, at->w, at->wdot, s->values);
    for (uint32_t k = 0; k < s->count; k++) {
        to->value[place * s->count + k] = v[k];
        to->reach[place * s->count + k] = reach_of_states(s, &s->numbers->solvable->items[k], at);
        to->size[place * s->count + k] = size_of_unknowns(s, &s->numbers->solvable->items[k], at);
    }
}
