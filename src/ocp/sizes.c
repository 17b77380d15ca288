/* sizes.c - expected sizes of states and controls.
 *
 * A start at 0 says nothing about the size of a state; in SI units it may be 1e-9 or 1e5 all the same. What is
 * known is carried through x' = f(x, u): over a time tau, the horizon or the state's own time constant
 * 1/|df_i/dx_i| where that is shorter, x_j moves x_i by tau_i |df_i/dx_j| x_j. So x_j is of the size A = min_i
 * size_i/(tau_i |df_i/dx_j|) if it is to move what depends on it, and of B = max_i tau_j |df_j/dx_i| size_i if
 * others are what moves it; with both known it is sqrt(A B). The same rates tell the time of a motion.
 *
 * Integrals that nothing known depends on (an area, a cost, a way) follow: each has B, from all that moves it and from
 * its own rate, B >= tau_i |f_i|. They wait until all of that is known, and rates are looked at again with these sizes:
 * y cos(th) changes with y by orders of magnitude more than with th, which a y that is nearly zero does not show. */
#include "ocp/sizes.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/sizes_rates.h"

#define LARGE 1e3 /* inferred sizes beyond these are used */
#define SMALL 1e-3
#define FAR_LARGE 1e6 /* the same for algebraic variables: solvers scale their rows, which is as good between these */
#define FAR_SMALL 1e-6
#define NO_SIZE 1e-15 /* what is left of cos(pi/2) and its like */
#define NOT_SMALL 100 /* values at points, and integrals: between these a scale of 1 is as good */
#define NOT_LARGE 1e-2
#define MOST_RATES 1000000 /* entries of df/d(x, u): beyond it nothing is inferred */
#define FAR_OFF 1e3        /* times: a place that is so far from where it should be says nothing */
#define NOISE 1e-13        /* of the largest: a computed start value below is zero */

enum { MOST_ROUNDS = 6 }; /* of sizes and places; each comes much nearer */

typedef struct sizes {
    dd_ocp_problem *o;
    dd_pool *pool;
    uint32_t nx, n; /* states; states and controls */
    double *known;  /* n: 0 where it is not */
    double *rate;   /* nx times n, row by row: |df_i/d(x, u)_j| */
    double *tau;    /* nx */
    double *flow;   /* nx: |f_i| at the guess */
    bool *follows;  /* nx: of unknown size, and moves nothing but such states */
    double *place;  /* n: where rates are looked at */
    double *before; /* n: sizes of the round before, 0: none; places go by them where nothing is known yet */
    dd_size_rates *rates;
} sizes;

static dd_decision *decision_at(const sizes *s, uint32_t j)
{
    return j < s->nx ? &s->o->x.data[j] : &s->o->u.data[j - s->nx];
}

static double or_nothing(double value)
{
    return isfinite(value) ? fabs(value) : 0;
}

/* A single small bound away from which values go, c >= 1e-9, is there to keep log(c) defined: no size. */
double dd_size_of_bounds(double lower, double upper)
{
    const bool guard =
        (lower > 0 && lower < SMALL && upper == INFINITY) || (upper < 0 && upper > -SMALL && lower == -INFINITY);
    return guard ? 0 : fmax(or_nothing(lower), or_nothing(upper));
}

/* A start value that initialisation computed. Rounding is no size: the platform of a robot in the middle between
 * its arms is at 1e-17, not at 0. */
static double computed_start(const sizes *s, uint32_t j)
{
    const double *x = s->o->x_start;
    double largest = 0;
    for (uint32_t i = 0; i < s->nx && x != NULL; i++) {
        largest = fmax(largest, or_nothing(x[i]));
    }
    const dd_decision *d = decision_at(s, j);
    /* a start that is fixed to zero is zero, whatever rounding initialisation left */
    bool zero = s->o->model->vars.data[d->var].fixed && d->order == 0 && d->start_value == 0;
    return x != NULL && !zero && or_nothing(x[j]) > NOISE * largest ? fabs(x[j]) : 0;
}

/* The size according to the text; 0: unknown. */
static double told(const sizes *s, uint32_t j)
{
    const dd_decision *d = decision_at(s, j);
    /* a nominal is an answer; bounds, start values and guesses are hints, the largest of which is taken */
    if (d->nominal > 0) {
        return d->nominal;
    }
    double size = dd_size_of_bounds(d->lower, d->upper);
    if (d->order == 0) {
        /* a start that was set from outside is where the plant happens to be: near zero it says nothing */
        size = fmax(size,
                    or_nothing(s->o->written != NULL ? s->o->written->vars.data[d->var].start_value : d->start_value));
        size = d->guess != DD_EXPR_NONE ? fmax(size, d->scale) : size;
    }
    return j < s->nx && s->o->written == NULL ? fmax(size, computed_start(s, j)) : size;
}

/* a x(t) = value, for one state at one time: the largest such value. */
static double value_at_points(const sizes *s, uint32_t j)
{
    const dd_ocp_problem *o = s->o;
    double size = 0;
    for (uint32_t i = 0; i < o->points.len; i++) {
        /* rows such as x(finalTime) = 1e5 that contain one state and numbers */
        const dd_ocp_row *row = &o->points.data[i];
        for (uint32_t k = 0; k < o->instants.len && row->value > 0; k++) {
            dd_expr symbol = o->instants.data[k].x.data[j], coefficient, rest;
            if (!dd_depends(o->dag, row->e, symbol) || !dd_linear(o->dag, row->e, &symbol, 1, &coefficient, &rest)) {
                continue;
            }
            double a = dd_op_of(o->dag, coefficient) == DD_OP_NUM ? dd_num_value(o->dag, coefficient) : 0;
            bool alone = dd_op_of(o->dag, rest) == DD_OP_NUM || dd_op_of(o->dag, rest) == DD_OP_PARAM;
            size = a != 0 && alone ? fmax(size, row->value / fabs(a)) : size;
        }
    }
    return size;
}

/* Where the rates are looked at: the start or the guess; for slopes a little off it, since a guess of zeros is too
 * special. */
static void set_place(const sizes *s, bool off)
{
    const dd_ocp_problem *o = s->o;
    double *v = s->place;
    /* off the start by a hundredth of the size and a bit, inside the bounds */
    for (uint32_t j = 0; j < s->n; j++) {
        const dd_decision *d = decision_at(s, j);
        double size = s->known[j] > 0 ? s->known[j] : s->before[j] > 0 ? s->before[j] : d->scale;
        double value = j < s->nx && o->x_start != NULL ? o->x_start[j] : d->start_value;
        double by = off ? size * (0.01 + 0.003 * (j % 7)) : 0;
        v[j] = fmin(fmax(value + by, d->lower), d->upper);
    }
}

/* f at the guess itself: off it the unit of what is not known yet would count. */
static void find_flow(const sizes *s)
{
    set_place(s, false);
    dd_size_rates_at(s->rates, s->place);
    memcpy(s->flow, s->rates->flow, s->nx * sizeof *s->flow);
}

/* Rates with the sizes that are known now. */
static void find_rates(const sizes *s)
{
    set_place(s, true);
    dd_size_rates_at(s->rates, s->place); /* absolute values: only magnitudes are compared */
}

/* A state that settles within the horizon moves for a time constant only. */
static void set_times(const sizes *s)
{
    double horizon = fabs(s->o->tf_value - s->o->t0_value);
    for (uint32_t i = 0; i < s->nx; i++) {
        double own = s->rate[(size_t)i * s->n + i];
        s->tau[i] = own * horizon > 1 ? 1 / own : horizon;
    }
}

/* 0: nothing known around it */
static double inferred(const sizes *s, uint32_t j)
{
    double moves = INFINITY, moved = 0;
    /* A: the size with which j moves others by theirs; B: the size to which others move j */
    for (uint32_t i = 0; i < s->nx; i++) {
        double effect = s->tau[i] * s->rate[(size_t)i * s->n + j];
        if (i != j && s->known[i] > 0 && effect > 0) {
            moves = fmin(moves, s->known[i] / effect);
        }
    }
    for (uint32_t i = 0; i < s->n && j < s->nx; i++) {
        if (i != j && s->known[i] > 0) {
            moved = fmax(moved, s->tau[j] * s->rate[(size_t)j * s->n + i] * s->known[i]);
        }
    }
    /* both: the geometric mean */
    double size = isinf(moves) ? moved : moved > 0 ? sqrt(moves * moved) : moves;
    return isfinite(size) ? size : 0;
}

/* set: also as the scale of the decision */
static void know(const sizes *s, uint32_t j, double size, bool set)
{
    const bool follows = j < s->nx && s->follows[j];
    const double large = follows ? NOT_SMALL : LARGE, small = follows ? NOT_LARGE : SMALL;
    s->known[j] = size;
    /* a size near 1 changes nothing: fewer scales, fewer surprises */
    bool counts = set && (size > large || size < small);
    decision_at(s, j)->scale = counts ? size : decision_at(s, j)->scale;
}

/* Sizes of all that does not follow. */
static void spread(const sizes *s, bool set)
{
    double *next = dd_pool_alloc_array(s->pool, s->n + 1, sizeof *next);
    for (bool any = true; any;) { /* each round knows one more at least */
        any = false;
        /* from sizes known in the last round alone, so that the order of states does not matter */
        for (uint32_t j = 0; j < s->n; j++) {
            bool later = j < s->nx && s->follows[j];
            next[j] = s->known[j] > 0 || later ? 0 : inferred(s, j);
        }
        for (uint32_t j = 0; j < s->n; j++) {
            if (next[j] > 0) {
                know(s, j, next[j], set);
                any = true;
            }
        }
    }
}

/* ---- states that follow ---- */

/* Slopes count even where they happen to vanish. */
static bool moves_followers_alone(const sizes *s, uint32_t j)
{
    bool alone = true;
    for (uint32_t i = 0; i < s->nx && alone; i++) {
        alone = i == j || s->follows[i] || !s->rates->meets[(size_t)i * s->n + j];
    }
    return alone;
}

/* From the last integral up: there is no circle among them. */
static void find_followers(const sizes *s)
{
    for (bool any = true; any;) {
        any = false;
        for (uint32_t j = 0; j < s->nx; j++) {
            if (!s->follows[j] && s->known[j] == 0 && moves_followers_alone(s, j)) {
                s->follows[j] = any = true;
            }
        }
    }
}

/* waits: nx, set where the size of a follower depends on one that is not looked at yet */
static void find_waiting(const sizes *s, const bool *done, bool *waits)
{
    memset(waits, 0, s->nx * sizeof *waits);
    for (uint32_t j = 0; j < s->nx; j++) {
        for (uint32_t i = 0; i < s->nx && s->follows[j] && !done[j]; i++) {
            waits[i] |= i != j && s->rates->meets[(size_t)i * s->n + j];
        }
    }
}

/* Level by level, each at rates with the sizes of those before. */
static void follow(const sizes *s, bool set)
{
    bool *done = dd_pool_alloc_array(s->pool, s->nx + 1, sizeof *done);
    bool *waits = dd_pool_alloc_array(s->pool, s->nx + 1, sizeof *waits);
    for (bool any = true; any;) {
        any = false;
        find_waiting(s, done, waits);
        find_rates(s);
        set_times(s);
        for (uint32_t j = 0; j < s->nx; j++) {
            if (s->follows[j] && !done[j] && !waits[j]) {
                double size = fmax(inferred(s, j), s->tau[j] * s->flow[j]);
                done[j] = any = true;
                know(s, j, isfinite(size) ? size : 0, set && size > 0);
            }
        }
    }
}

/* A control about which nothing says anything is solved for in its own unit; what follows is to fit that. */
static void take_controls_as_scaled(const sizes *s)
{
    for (uint32_t j = s->nx; j < s->n; j++) {
        s->known[j] = s->known[j] > 0 ? s->known[j] : decision_at(s, j)->scale;
    }
}

static void find_once(const sizes *s, bool set)
{
    memset(s->follows, 0, s->nx * sizeof *s->follows);
    find_rates(s);
    set_times(s);
    find_followers(s);
    spread(s, set);
    if (set) {
        take_controls_as_scaled(s);
    }
    follow(s, set);
}

/* Rates are looked at a little off the guess, and where a size is not known yet, by a part of 1 in its unit: for a speed of
 * 1e-8 that is far, and slopes there are of another motion. So what was found says where to look again. */
static void find_all(const sizes *s, bool set)
{
    double *given = dd_pool_alloc_array(s->pool, s->n + 1, sizeof *given);
    memcpy(given, s->known, s->n * sizeof *given);
    memset(s->before, 0, s->n * sizeof *s->before);
    bool again = true;
    for (int round = 0; round < MOST_ROUNDS && again; round++) {
        memcpy(s->known, given, s->n * sizeof *given);
        find_once(s, false);
        again = false;
        for (uint32_t j = 0; j < s->n; j++) {
            const double was = s->before[j] > 0 ? s->before[j] : decision_at(s, j)->scale;
            const bool far = s->known[j] > FAR_OFF * was || s->known[j] * FAR_OFF < was;
            /* others stay where they are: a slope that vanishes at the guess would lead them on and on */
            if (given[j] == 0 && s->known[j] > 0 && far) {
                s->before[j] = s->known[j];
                again = true;
            }
        }
    }
    if (set) {
        memcpy(s->known, given, s->n * sizeof *given);
        find_once(s, true);
    }
}

/* ---- algebraic variables ---- */

/* Nothing in the text says how large it is. */
static bool is_unsaid(const dd_decision *z)
{
    return !(z->nominal > 0) && dd_size_of_bounds(z->lower, z->upper) == 0 && z->start_value == 0 &&
           z->guess == DD_EXPR_NONE;
}

static bool is_far(double size)
{
    return isfinite(size) && (size > FAR_LARGE || (size > NO_SIZE && size < FAR_SMALL));
}

/* A row that adds up numbers of 1e13 holds to 1e-3 at best: it is measured in the size of its terms. */
static void find_row_sizes(const sizes *s)
{
    for (uint32_t k = 0; k < s->rates->nz; k++) {
        s->o->g_size[k] = is_far(s->rates->row[k]) ? s->rates->row[k] : 1;
    }
}

/* The force in a rod is what it is at this place, and what states and controls of their size make of it. */
static void find_algebraic(const sizes *s)
{
    dd_ocp_problem *o = s->o;
    find_rates(s);
    for (uint32_t k = 0; k < s->rates->nz; k++) {
        double size = s->rates->z[k];
        for (uint32_t j = 0; j < s->n; j++) {
            const double known = s->known[j] > 0 ? s->known[j] : decision_at(s, j)->scale;
            size = fmax(size, s->rates->z_rate[k + (size_t)j * s->rates->nz] * known);
        }
        if (is_unsaid(&o->z.data[k]) && is_far(size)) {
            o->z.data[k].scale = size;
        }
    }
}

/* ---- the horizon ---- */

/* The time in which x_i moves by its size is size_i/|f_i|; the geometric mean over all states. A double integrator has
 * sqrt(x/u) so, whatever size its speed is given on the way, and one of third order (x/u)^(1/3). 0: not known. */
static double time_of_motion(const sizes *s)
{
    sizes trial = *s;
    trial.known = dd_pool_alloc_array(s->pool, s->n + 1, sizeof *trial.known);
    memcpy(trial.known, s->known, s->n * sizeof *trial.known);
    find_all(&trial, false);
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->nx; i++) {
        double flow = 0;
        for (uint32_t j = 0; j < s->n; j++) {
            flow = fmax(flow, s->rate[(size_t)i * s->n + j] * trial.known[j]);
        }
        if (flow > 0 && trial.known[i] > 0) {
            sum += log(trial.known[i] / flow);
            count++;
        }
    }
    return count > 0 ? exp(sum / count) : 0;
}

/* An end that the text says nothing about begins at 1. In other units that may be wrong by orders of magnitude. */
static void guess_horizon(const sizes *s)
{
    dd_ocp_problem *o = s->o;
    double time = time_of_motion(s), horizon = o->tf_value - o->t0_value;
    bool far = time > NOT_SMALL * horizon || time < NOT_LARGE * horizon;
    if (far && time > 0 && isfinite(time) && o->t0_value + time < o->tf_upper) {
        o->tf_value = o->t0_value + time;
        o->first_horizon = time;
    }
}

void dd_ocp_find_sizes(dd_ocp_problem *o)
{
    sizes s = {.o = o, .nx = o->x.len, .n = o->x.len + o->u.len};
    uint32_t open = 0;
    s.pool = dd_pool_child(o->pool);
    s.known = dd_pool_alloc_array(s.pool, s.n + 1, sizeof *s.known);
    for (uint32_t j = 0; j < s.n; j++) {
        /* the text, then values at points */
        s.known[j] = told(&s, j);
        double there = j < s.nx && s.known[j] == 0 ? value_at_points(&s, j) : 0;
        if (there > 0) {
            s.known[j] = there;
            decision_at(&s, j)->scale = there > NOT_SMALL || there < NOT_LARGE ? there : decision_at(&s, j)->scale;
        }
        open += s.known[j] == 0;
    }
    o->g_size = dd_pool_alloc_array(o->pool, o->g.len + 1, sizeof *o->g_size);
    for (uint32_t i = 0; i < o->g.len; i++) {
        o->g_size[i] = 1;
    }
    const bool infer = open > 0 || o->end_unsaid || o->z.len > 0;
    if (infer && s.nx > 0 && (size_t)s.n * s.nx < MOST_RATES) {
        dd_size_rates rates = dd_size_rates_new(o, s.pool);
        s.rates = &rates;
        s.rate = rates.rate;
        s.before = dd_pool_alloc_array(s.pool, s.n + 1, sizeof *s.before);
        s.place = dd_pool_alloc_array(s.pool, s.n + 1, sizeof *s.place);
        s.tau = dd_pool_alloc_array(s.pool, s.nx + 1, sizeof *s.tau);
        s.flow = dd_pool_alloc_array(s.pool, s.nx + 1, sizeof *s.flow);
        s.follows = dd_pool_alloc_array(s.pool, s.nx + 1, sizeof *s.follows);
        find_flow(&s);
        /* a time needs a size that is known */
        if (o->end_unsaid && open < s.n) {
            guess_horizon(&s);
        }
        find_all(&s, true);
        find_algebraic(&s);
        find_row_sizes(&s);
    }
    dd_pool_free(s.pool);
}
