/* motion.c - simulate, then search for the part whose ends fit best: all pairs of begin and end on a grid. */
#include "ocp/motion.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ocp/compiled.h"
#include "ocp/guess.h"
#include "ocp/guess_table.h"
#include "ocp/motion_impl.h"

#define LONGER 20.0      /* horizons that are simulated where the end or the begin may move */
#define SHORTEST 0.3     /* of the guessed horizon: shorter parts are no motion worth the name */
#define AS_GOOD 4.0      /* times the least misfit: the shortest of these parts is taken, not two periods for one */
#define AT_REST 1e-3     /* of the sizes of the states: a motion that changes less */
#define GOOD_MISFIT 1e-3 /* this is always as good */
enum { BEGINS = 80, ENDS = 400, LOOKS = 8 }; /* parts that are compared; places at which a motion is looked at */
enum { FEW_BEGINS = 10, FEW_ENDS = 200 };    /* the same where many starts are compared, */
enum { HALVINGS = 12, PHASES = 200 };        /* since the best part is moved between these places afterwards */

/* ---- freedom of the ends ---- */

static bool depends_on_time(const dd_ocp_problem *o)
{
    /* equations without time can be entered at any moment of a motion */
    bool depends = o->data.len > 0 || (o->integrand != DD_EXPR_NONE && dd_depends(o->dag, o->integrand, o->time));
    const dd_expr_vec *lists[] = {&o->f, &o->g};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < lists[k]->len && !depends; i++) {
            depends = dd_depends(o->dag, lists[k]->data[i], o->time);
        }
    }
    return depends;
}

/* Rows may give every state at the start: then a motion begins there. */
static bool rows_give_start(const dd_ocp_problem *o)
{
    bool given = o->x.len > 0;
    for (uint32_t i = 0; i < o->x.len && given; i++) {
        double lower, upper;
        dd_ocp_rows_on_state(o, 0, i, &lower, &upper);
        given = lower == upper;
    }
    return given;
}

static bool begin_moves(const dd_ocp_problem *o)
{
    return !o->start_known && !depends_on_time(o) && !rows_give_start(o);
}

/* A model that time drives may be driven periodically: behind a whole number of horizons, a motion that settles has the
 * ends that are asked for. */
static bool begin_repeats(const dd_motion *m)
{
    const dd_ocp_problem *o = m->p->problem;
    return m->start != NULL && !o->free_tf && o->data.len == 0 && !begin_moves(o);
}

/* A start that rows ask for, state by state: y(startTime) = 1, x(startTime) >= 2. */
static void begin_on_rows(const dd_ocp_problem *o, double *x)
{
    for (uint32_t i = 0; i < o->x.len; i++) {
        double lower, upper;
        dd_ocp_rows_on_state(o, 0, i, &lower, &upper);
        x[i] = lower <= upper ? fmin(fmax(x[i], lower), upper) : x[i];
    }
}

static bool bounded(const dd_decision *d)
{
    return isfinite(d->lower) || isfinite(d->upper);
}

bool dd_ocp_always_moves(const dd_ocp_problem *o)
{
    /* a start and nothing else in the way: every control has a motion */
    bool plain = o->start_known && o->z.len == 0 && o->equations->invariants.len == 0 && o->path.len == 0;
    for (uint32_t i = 0; i < o->points.len && plain; i++) {
        plain = o->points.data[i].dropped;
    }
    for (uint32_t i = 0; i < o->x.len && plain; i++) {
        plain = !bounded(&o->x.data[i]);
    }
    return plain && o->x.len > 0;
}

/* ---- controls ---- */

/* Another start: open states moved by half their size or more. */
static void go_away(const dd_motion *m, double *x)
{
    const dd_ocp_problem *o = m->p->problem;
    uint64_t state = m->away;
    for (uint32_t i = 0; i < o->x.len; i++) {
        const dd_decision *d = &o->x.data[i];
        /* at least half a size in either direction: away from the rest */
        double r = dd_random(&state), by = d->scale * (r + (r < 0 ? -0.5 : 0.5));
        x[i] = fmin(fmax(x[i] + by, d->lower), d->upper);
    }
}

/* Controls with two bounds held between them, the others as guessed. */
static void held_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    const dd_motion *m = user;
    const dd_ocp_problem *o = m->p->problem;
    /* the guess, then controls held where asked */
    m->raw.at(m->raw.user, theta, left, x, z, u);
    if (m->table != NULL) { /* simulated states, but the controls of the table that was the guess */
        dd_guess_table_at(m->table, o, theta, left, m->scratch, m->scratch + o->x.len, u);
    }
    for (uint32_t i = 0; i < o->u.len && m->share >= 0; i++) {
        const dd_decision *d = &o->u.data[i];
        u[i] = isfinite(d->lower) && isfinite(d->upper) ? d->lower + m->share * (d->upper - d->lower) : u[i];
    }
    /* the start of a simulation; where it may begin anywhere on a motion, the guess first */
    if (m->simulating && theta <= 0) {
        if (m->start != NULL) {
            memcpy(x, m->start, o->x.len * sizeof *x);
        } else if (m->away > 0) {
            go_away(m, x);
        }
        if (m->start != NULL || m->away > 0 || !begin_moves(o)) {
            begin_on_rows(o, x);
        }
    }
}

static void part_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    const dd_motion *m = user;
    held_at(user, m->begin + theta * (m->end - m->begin), left, x, z, u);
}

/* ---- the part that fits ---- */

typedef struct fit {
    dd_motion *m;
    dd_pool *pool;
    dd_program_work *rows; /* of the instants' values, their times, t0 and tf */
    dd_expr_vec inputs, outputs;
    dd_index_vec row_of; /* per output: of o->points */
    double *in, *out;
    double horizon; /* that was simulated */
} fit;

static fit new_fit(dd_motion *m, double horizon)
{
    dd_ocp_problem *o = m->p->problem;
    fit f = {.m = m, .pool = dd_pool_child(m->p->pool), .horizon = horizon};
    /* inputs in the order of misfit: states, z, controls and time of each instant, then t0 and tf */
    for (uint32_t t = 0; t < o->instants.len; t++) {
        const dd_instant *at = &o->instants.data[t];
        const dd_expr_vec *lists[] = {&at->x, &at->z, &at->u};
        for (int k = 0; k < 3; k++) {
            for (uint32_t i = 0; i < lists[k]->len; i++) {
                dd_vec_push(f.pool, &f.inputs, lists[k]->data[i]);
            }
        }
        dd_vec_push(f.pool, &f.inputs, at->time);
    }
    dd_vec_push(f.pool, &f.inputs, o->t0);
    dd_vec_push(f.pool, &f.inputs, o->tf);
    /* rows that are left out say nothing */
    for (uint32_t i = 0; i < o->points.len; i++) {
        if (!o->points.data[i].dropped) {
            dd_vec_push(f.pool, &f.outputs, o->points.data[i].e);
            dd_vec_push(f.pool, &f.row_of, i);
        }
    }
    f.in = dd_pool_alloc_array(f.pool, f.inputs.len + 1, sizeof *f.in);
    f.out = dd_pool_alloc_array(f.pool, f.outputs.len + 1, sizeof *f.out);
    if (f.outputs.len > 0) {
        f.rows = dd_ocp_compile(o, f.inputs.data, f.inputs.len, f.outputs.data, f.outputs.len, f.pool);
    }
    return f;
}

/* Sum of squares of the residuals of the rows, when the horizon is the part from begin to end; infinite without
 * values.
 * */
static double misfit(fit *f)
{
    dd_motion *m = f->m;
    const dd_ocp_problem *o = m->p->problem;
    /* the part as a horizon: t0 stays, tf moves */
    double *in = f->in, tf = o->t0_value + (m->end - m->begin) * f->horizon, sum = 0;
    /* values of the part at the instants of the problem */
    for (uint32_t t = 0; t < o->instants.len; t++) {
        double theta = o->instants.data[t].theta;
        part_at(m, theta, theta >= 1, in, in + o->x.len, in + o->x.len + o->z.len);
        in += o->x.len + o->z.len + o->u.len;
        *in++ = o->t0_value + theta * (tf - o->t0_value);
    }
    *in++ = o->t0_value;
    *in = tf;
    const double *inputs[] = {f->in};
    dd_program_eval(f->rows, inputs, f->out);
    /* squares of violations, relative to the number on the row's side */
    for (uint32_t i = 0; i < f->outputs.len; i++) {
        const dd_ocp_row *row = &o->points.data[f->row_of.data[i]];
        double off = fmax(fmax(row->lower - f->out[i], f->out[i] - row->upper), 0) / fmax(1, row->value);
        sum += off * off;
    }
    return isfinite(sum) ? sum : INFINITY;
}

/* The misfits of all parts, `count` lengths from the shortest up for each of several begins. */
static void try_parts(dd_motion *m, fit *f, uint32_t begins, uint32_t ends, double shortest, double longest,
                      double *off)
{
    /* a grid of begins and lengths; parts that end behind the simulation are left out */
    for (uint32_t i = 0; i <= begins; i++) {
        for (uint32_t j = 0; j <= ends; j++) {
            m->begin = begins > 0 ? (1 - shortest) * i / begins : 0;
            m->end = m->begin + (ends > 0 ? shortest + (longest - shortest) * j / ends : shortest);
            off[(size_t)i * (ends + 1) + j] = m->end <= 1 + 1e-12 ? misfit(f) : INFINITY;
        }
    }
}

/* Begin and end moved together or the end alone, by steps that are halved: a fast motion passes the rows between two
 * places of the grid. */
static double settle_part(dd_motion *m, fit *f, double shortest, double longest, double step, bool begin_too)
{
    double least = misfit(f);
    for (int halved = 0; halved < HALVINGS;) {
        double begin = m->begin, end = m->end;
        bool better = false;
        for (int k = begin_too ? 0 : 2; k < 4 && !better; k++) {
            const double by = k % 2 == 0 ? step : -step;
            m->begin = fmax(begin + (k < 2 ? by : 0), 0);
            m->end = fmin(m->begin + fmin(fmax(end - begin + (k < 2 ? 0 : by), shortest), longest), 1);
            const double off = misfit(f);
            better = off < least;
            least = fmin(off, least);
        }
        /* as it was, with shorter steps */
        if (!better) {
            m->begin = begin;
            m->end = end;
            step /= 2;
            halved++;
        }
    }
    return least;
}

/* The best phase: a part of this length that begins within one length of where it does now. */
static void turn_part(dd_motion *m, fit *f)
{
    const double length = m->end - m->begin, from = fmin(m->begin, fmax(1 - 2 * length, 0));
    double best = m->begin, least = misfit(f);
    for (uint32_t k = 0; k <= PHASES && from + length <= 1; k++) {
        m->begin = fmin(from + length * k / PHASES, 1 - length);
        m->end = m->begin + length;
        const double off = misfit(f);
        best = off < least ? m->begin : best;
        least = fmin(off, least);
    }
    m->begin = best;
    m->end = best + length;
}

void dd_motion_best_part(dd_motion *m, double horizon, bool roughly)
{
    const dd_ocp_problem *o = m->p->problem;
    /* everything in parts of the simulated horizon */
    double first = (m->first_tf - o->t0_value) / horizon, least = INFINITY;
    double shortest = o->free_tf ? fmax(SHORTEST * first, (o->tf_lower - o->t0_value) / horizon) : first;
    double longest = o->free_tf ? fmin(1, (o->tf_upper - o->t0_value) / horizon) : first;
    uint32_t begins = begin_moves(o) ? (roughly ? FEW_BEGINS : BEGINS) : 0;
    uint32_t ends = o->free_tf ? (roughly ? FEW_ENDS : ENDS) : 0;
    if (begin_repeats(m)) { /* one begin a horizon */
        begins = (uint32_t)lround(1 / first) - 1;
    }
    fit f = new_fit(m, horizon);
    double *off = dd_pool_alloc_array(f.pool, (size_t)(begins + 1) * (ends + 1), sizeof *off);
    /* the least misfit over the grid */
    if (f.rows != NULL) {
        try_parts(m, &f, begins, ends, shortest, longest, off);
        for (uint32_t k = 0; k < (begins + 1) * (ends + 1); k++) {
            least = fmin(least, off[k]);
        }
    }
    /* the guessed horizon where nothing fits */
    m->begin = 0;
    m->end = first;
    double enough = fmax(AS_GOOD * least, GOOD_MISFIT);
    /* the shortest part that is nearly as good, not a later period; of equal lengths the best begin */
    for (uint32_t j = 0, found = 0; j <= ends && isfinite(least) && found == 0; j++) {
        double best = enough;
        for (uint32_t i = 0; i <= begins; i++) {
            if (off[(size_t)i * (ends + 1) + j] <= best) {
                best = off[(size_t)i * (ends + 1) + j];
                m->begin = begins > 0 ? (1 - shortest) * i / begins : 0;
                m->end = m->begin + (ends > 0 ? shortest + (longest - shortest) * j / ends : shortest);
                found = 1;
            }
        }
    }
    /* between the places of the grid, where many starts are compared */
    if (m->start != NULL && isfinite(least) && ends > 0) {
        const double step = (longest - shortest) / ends;
        least = settle_part(m, &f, shortest, longest, step, begins > 0);
        if (begins > 0) {
            turn_part(m, &f);
            least = settle_part(m, &f, shortest, longest, step, true);
        }
    }
    m->misfit = least;
    dd_pool_free(f.pool);
}

/* ---- motions ---- */

dd_motion dd_motion_new(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    dd_motion m = {.p = p, .raw = dd_guess_source_raw(p->guess), .table = dd_guess_source_table(p->guess)};
    m.first_tf = o->tf_value;
    m.share = -1;
    m.scratch =
        dd_pool_alloc_array(p->pool, 3 * (size_t)o->x.len + 2 * (size_t)o->z.len + o->u.len + 1, sizeof *m.scratch);
    return m;
}

void dd_motion_restore(const dd_motion *m)
{
    dd_guess_source_as(m->p->guess); /* the wrapper ends here */
    dd_guess_source_use_table(m->p->guess, m->table);
    m->p->problem->tf_value = m->first_tf;
}

static bool has_range(const dd_ocp_problem *o)
{
    bool any = false;
    for (uint32_t i = 0; i < o->u.len; i++) {
        any = any || (isfinite(o->u.data[i].lower) && isfinite(o->u.data[i].upper));
    }
    return any;
}

/* Over a long time if that can be simulated, else over the guessed horizon. Returns the length, 0 for neither. */
double dd_motion_simulate(dd_motion *m)
{
    dd_ocp_problem *o = m->p->problem;
    dd_guess controls = {.user = m, .at = held_at};
    double horizon = m->first_tf - o->t0_value;
    bool longer = o->free_tf || begin_moves(o) || begin_repeats(m);
    /* twenty horizons, so that a swing or a period is among them; the guessed one where that cannot be simulated */
    for (int k = longer ? 0 : 1; k < 2; k++) {
        double length = k == 0 ? LONGER * horizon : horizon;
        dd_guess_source_use_table(m->p->guess, m->table);
        /* the horizon is that of the simulation for a moment */
        o->tf_value = o->t0_value + length;
        m->simulating = true;
        bool done = dd_guess_source_simulate(m->p->guess, &controls);
        m->simulating = false;
        o->tf_value = m->first_tf;
        if (done) {
            return length;
        }
    }
    return 0;
}

/* The part of a simulation that fits best, as a guess. */
bool dd_motion_by_simulation(dd_motion *m, bool roughly, dd_guess *out)
{
    dd_ocp_problem *o = m->p->problem;
    const dd_spent begin = dd_ocp_now();
    const double horizon = dd_motion_simulate(m);
    if (horizon > 0) {
        dd_motion_best_part(m, horizon, roughly);
    }
    dd_ocp_add_spent(&m->p->setup, begin);
    if (horizon <= 0) {
        return false;
    }
    /* the final time follows from the length of the part */
    o->tf_value = o->t0_value + (m->end - m->begin) * horizon;
    const dd_guess inner = {.user = m, .at = part_at};
    *out = dd_guess_source_around(m->p->guess, &inner);
    return true;
}

bool dd_motion_guess(dd_motion *m, uint32_t number, dd_guess *out)
{
    static const double share[DD_MOTIONS] = {-1, 0.5, 0, 1};
    dd_ocp_problem *o = m->p->problem;
    /* beyond the first, motions differ in controls between bounds only */
    if (number >= DD_MOTIONS || o->x.len == 0 || (number > 0 && !has_range(o))) {
        return false;
    }
    m->share = share[number];
    m->away = 0;
    static const char *const words[DD_MOTIONS] = {"the guessed controls", "controls in the middle of their bounds",
                                                  "controls at their lower bounds", "controls at their upper bounds"};
    m->words = o->u.len > 0 ? dd_pool_printf(o->pool, "a simulation under %s", words[number]) : "a simulation";
    return dd_motion_by_simulation(m, false, out);
}

double dd_motion_extent(dd_motion *m)
{
    const dd_ocp_problem *o = m->p->problem;
    double *x = m->scratch + o->x.len + o->z.len, *first = x + o->x.len, *z = first + o->x.len, *u = z + o->z.len;
    double most = 0;
    part_at(m, 0, false, first, z, u);
    /* how far the part goes from its begin, in any state */
    for (int k = 1; k <= LOOKS; k++) {
        part_at(m, (double)k / LOOKS, false, x, z, u);
        for (uint32_t i = 0; i < o->x.len; i++) {
            most = fmax(most, fabs(x[i] - first[i]) / o->x.data[i].scale);
        }
    }
    return most;
}

/* Of the last simulation. */
static bool at_rest(dd_motion *m)
{
    const dd_ocp_problem *o = m->p->problem;
    double *x = m->scratch + o->x.len + o->z.len, *first = x + o->x.len, *z = first + o->x.len, *u = z + o->z.len;
    bool rests = true;
    held_at(m, 0, false, first, z, u);
    /* a motion that changes nothing at eight places rests */
    for (int k = 1; k <= LOOKS; k++) {
        held_at(m, (double)k / LOOKS, false, x, z, u);
        for (uint32_t i = 0; i < o->x.len; i++) {
            rests = rests && fabs(x[i] - first[i]) <= AT_REST * o->x.data[i].scale;
        }
    }
    return rests;
}

bool dd_motion_away(dd_motion *m, uint32_t number, dd_guess *out)
{
    dd_ocp_problem *o = m->p->problem;
    /* only where the start may be chosen, and only when the last motion rested or nothing but the start decides */
    const bool rests = m->away == 0 && at_rest(m);
    m->rests = m->rests || rests;
    if (number > DD_MOTIONS_AWAY || !begin_moves(o) || o->x_start != NULL || (o->u.len > 0 && !m->rests)) {
        return false;
    }
    m->share = -1;
    m->away = number;
    m->words = dd_pool_printf(o->pool, "a simulation from a start near the guess%s (number %u)",
                              m->rests ? ", which rests" : "", number);
    return dd_motion_by_simulation(m, false, out);
}
