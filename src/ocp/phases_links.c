/* phases_links.c - guesses of states along linked phases.
 *
 * A row y(0) = r x(1) + s links the end of the state x with the start of y. Values that are known at one end of a
 * link are known at the other. Between a known start and a known end, however many phases lie between them, a
 * state is guessed to change steadily in time; where no end is known it is guessed to stay.
 */
#include <math.h>

#include "ocp/phases.h"

typedef struct state_link {
    uint32_t from, to;
    double ratio, shift; /* to(0) = ratio*from(1) + shift */
} state_link;

typedef struct chain {
    dd_ocp_problem *o;
    DD_VEC(state_link) links;
    dd_map at_start, at_end;   /* symbol -> state + 1 */
    bool *has_begin, *has_end; /* per state */
    double *begin, *end, *length;
} chain;

/* ---- rows ---- */

/* The states whose values at the start and end are in a row; false when it has more than one of either. */
static bool states_in(const chain *c, dd_expr e, uint32_t *starts, uint32_t *ends)
{
    dd_expr_vec symbols = {0};
    bool single = true;
    *starts = *ends = DD_NO_INDEX;
    dd_symbols(c->o->dag, e, true, &symbols, c->o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        /* more than one state at either end is not a link */
        uint32_t s = dd_map_get(&c->at_start, symbols.data[i]), f = dd_map_get(&c->at_end, symbols.data[i]);
        single = single && !(s != 0 && *starts != DD_NO_INDEX) && !(f != 0 && *ends != DD_NO_INDEX);
        *starts = s != 0 ? s - 1 : *starts;
        *ends = f != 0 ? f - 1 : *ends;
    }
    dd_vec_free(c->o->pool, &symbols);
    return single;
}

static void read_row(chain *c, const dd_ocp_row *row)
{
    dd_ocp_problem *o = c->o;
    uint32_t y, x;
    dd_expr symbols[2], coefficients[2], rest;
    double a[2] = {0}, b;
    uint32_t n = 0;
    /* an equality that is linear in at most one start and one end, with numbers as coefficients */
    if (row->lower != row->upper || !states_in(c, row->e, &y, &x)) {
        return;
    }
    if (y != DD_NO_INDEX) {
        symbols[n++] = o->instants.data[0].x.data[y];
    }
    if (x != DD_NO_INDEX) {
        symbols[n++] = o->instants.data[1].x.data[x];
    }
    if (n == 0 || !dd_linear(o->dag, row->e, symbols, n, coefficients, &rest) || !dd_ocp_number(o, rest, &b)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!dd_ocp_number(o, coefficients[i], &a[i]) || a[i] == 0) {
            return;
        }
    }
    /* a y(0) + b x(1) + c = lower: a link; with one of them alone a known value */
    if (n == 2) {
        dd_vec_push(o->pool, &c->links, ((state_link){x, y, -a[1] / a[0], (row->lower - b) / a[0]}));
    } else if (y != DD_NO_INDEX) {
        c->begin[y] = (row->lower - b) / a[0];
        c->has_begin[y] = true;
    } else {
        c->end[x] = (row->lower - b) / a[0];
        c->has_end[x] = true;
    }
}

static chain new_chain(dd_ocp_problem *o)
{
    chain c = {.o = o, .at_start = dd_map_new(o->pool), .at_end = dd_map_new(o->pool)};
    const dd_optimization *opt = o->model->optimization;
    uint32_t n = o->x.len;
    c.has_begin = dd_pool_alloc_array(o->pool, n + 1, sizeof *c.has_begin);
    c.has_end = dd_pool_alloc_array(o->pool, n + 1, sizeof *c.has_end);
    c.begin = dd_pool_alloc_array(o->pool, n + 1, sizeof *c.begin);
    c.end = dd_pool_alloc_array(o->pool, n + 1, sizeof *c.end);
    c.length = dd_pool_alloc_array(o->pool, n + 1, sizeof *c.length);
    /* length of the phase at the guess of its parameters */
    for (uint32_t i = 0; i < n; i++) {
        const dd_variable *v = &o->model->vars.data[o->x.data[i].var];
        uint32_t phase = o->x.data[i].var < opt->n_phase_of ? opt->phase_of[o->x.data[i].var] : 0;
        double start = 0, final = 1;
        if (phase != 0) {
            dd_ocp_phase_times(o, phase - 1, NULL, &start, &final);
        }
        c.length[i] = final - start;
        dd_map_put(&c.at_start, o->instants.data[0].x.data[i], i + 1);
        dd_map_put(&c.at_end, o->instants.data[1].x.data[i], i + 1);
        /* start values that are written are known */
        c.has_begin[i] = o->x_start != NULL || v->fixed || v->has_start;
        c.begin[i] = o->x_start != NULL ? o->x_start[i] : v->start_value;
    }
    /* links and values from the rows at points */
    for (uint32_t i = 0; i < o->points.len; i++) {
        read_row(&c, &o->points.data[i]);
    }
    return c;
}

/* ---- along the links ---- */

static void follow_links(chain *c)
{
    /* until nothing changes: each round fills at least one end, so it ends */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < c->links.len; i++) {
            const state_link *l = &c->links.data[i];
            /* forwards, then backwards along the link */
            if (c->has_end[l->from] && !c->has_begin[l->to]) {
                c->begin[l->to] = l->ratio * c->end[l->from] + l->shift;
                changed = c->has_begin[l->to] = true;
            } else if (c->has_begin[l->to] && !c->has_end[l->from]) {
                c->end[l->from] = (c->begin[l->to] - l->shift) / l->ratio;
                changed = c->has_end[l->from] = true;
            }
        }
    }
}

/* The rate of change of a state up to the next known end; 0 when there is none. */
static double rate_from(const chain *c, uint32_t state)
{
    double time = 0, from = c->begin[state];
    /* along links without a factor: the change is spread over the time of all phases up to a known end */
    for (uint32_t steps = 0; steps <= c->links.len; steps++) {
        time += c->length[state];
        if (c->has_end[state]) {
            return time > 0 ? (c->end[state] - from) / time : 0;
        }
        const state_link *next = NULL;
        for (uint32_t i = 0; i < c->links.len && next == NULL; i++) {
            next = c->links.data[i].from == state ? &c->links.data[i] : NULL;
        }
        /* no way on, or a change of units in between */
        if (next == NULL || next->ratio != 1) {
            return 0;
        }
        from += next->shift;
        state = next->to;
    }
    return 0;
}

static void fill(chain *c)
{
    follow_links(c);
    for (uint32_t i = 0; i < c->o->x.len; i++) {
        /* one at a time: a value that was found may be the begin of the next phase */
        if (c->has_begin[i] && !c->has_end[i]) {
            c->end[i] = c->begin[i] + rate_from(c, i) * c->length[i];
            c->has_end[i] = true;
            follow_links(c);
            i = UINT32_MAX; /* what was known behind it has moved on */
        }
    }
    /* known ends only: the state is guessed to stay */
    for (uint32_t i = 0; i < c->o->x.len; i++) {
        if (c->has_end[i] && !c->has_begin[i]) {
            c->begin[i] = c->end[i];
            c->has_begin[i] = true;
            follow_links(c);
            i = UINT32_MAX;
        }
    }
}

/* ---- notes ---- */

static bool phase_has_start(const chain *c, uint32_t phase)
{
    const dd_ocp_problem *o = c->o;
    const dd_optimization *opt = o->model->optimization;
    bool any = false, states = false;
    /* a fixed start, or any row that contains a value at the start */
    for (uint32_t i = 0; i < o->x.len && !any; i++) {
        uint32_t var = o->x.data[i].var;
        if (var < opt->n_phase_of && opt->phase_of[var] == phase + 1) {
            states = true;
            any = o->model->vars.data[var].fixed;
            for (uint32_t k = 0; k < o->points.len && !any; k++) {
                any = dd_depends(o->dag, o->points.data[k].e, o->instants.data[0].x.data[i]);
            }
        }
    }
    return any || !states;
}

static void note_unlinked(const chain *c)
{
    dd_ocp_problem *o = c->o;
    for (uint32_t k = 0; k < dd_ocp_phase_count(o); k++) {
        if (!phase_has_start(c, k)) {
            dd_vec_push(o->pool, &o->messages,
                        dd_pool_printf(o->pool,
                                       "nothing fixes the start of the phase %s or links it to another phase: the "
                                       "values of its states there are free",
                                       o->model->optimization->phases.data[k].name));
        }
    }
}

void dd_ocp_phase_guesses(dd_ocp_problem *o)
{
    chain c = new_chain(o);
    note_unlinked(&c);
    fill(&c);
    /* a guess in the text or a start value comes before this one */
    for (uint32_t i = 0; i < o->x.len; i++) {
        dd_decision *d = &o->x.data[i];
        const dd_variable *v = &o->model->vars.data[d->var];
        bool given = d->guess != DD_EXPR_NONE || (v->has_start && !v->fixed);
        if (given || !c.has_begin[i]) {
            continue;
        }
        dd_expr change = dd_num(o->dag, c.end[i] - c.begin[i]);
        d->guess = dd_add(o->dag, dd_num(o->dag, c.begin[i]), dd_mul(o->dag, change, o->time));
    }
}
