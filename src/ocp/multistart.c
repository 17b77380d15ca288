/* multistart.c - coarse meshes first, and several starts. */
#include "ocp/multistart.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/refine.h"

enum { COARSENING = 5, LEAST_COARSE = 4, WAVES = 4, LOOKS = 11 };
#define SAME_OBJECTIVE 1e-6 /* relative */
#define SAME_STATES 1e-2    /* of their size */

static bool solved(const dd_ocp *p)
{
    return p->info.status == DD_OCP_OPTIMAL || p->info.status == DD_OCP_ACCEPTABLE;
}

static void say(dd_ocp *p, const char *text)
{
    dd_vec_push(p->problem->pool, &p->problem->messages, text);
}

/* ---- coarse to fine ---- */

static uint32_t coarse_intervals(const dd_mesh *mesh)
{
    uint32_t n = mesh->n / COARSENING;
    return n < LEAST_COARSE ? LEAST_COARSE : n;
}

static dd_mesh coarse_mesh(const dd_mesh *mesh, dd_pool *pool)
{
    dd_mesh out = *mesh;
    out.n = coarse_intervals(mesh);
    out.theta = dd_pool_alloc_array(pool, out.n + 1, sizeof *out.theta);
    out.degree = dd_pool_alloc_array(pool, out.n + 1, sizeof *out.degree);
    for (uint32_t k = 0; k <= out.n; k++) {
        out.theta[k] = (double)k / out.n;
        out.degree[k] = mesh->degree[0];
    }
    return out;
}

/* Solves on a coarse mesh, then on the mesh from there. False: the coarse one has no solution and is the present one. */
static bool solve_by_way_of_coarse(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess)
{
    dd_mesh coarse = coarse_mesh(mesh, p->pool);
    dd_ocp_solve_on(p, &coarse, guess, false);
    if (!solved(p)) {
        return false;
    }
    dd_guess next = dd_ocp_continue(p);
    dd_ocp_solve_on(p, mesh, &next, true);
    dd_ocp_forget_previous(p);
    return true;
}

/* Another way to begin may help where the solver stopped on the way. */
static bool may_help(const dd_ocp *p)
{
    dd_ocp_status s = p->info.status;
    return p->info.iterations > 0 && (s == DD_OCP_INFEASIBLE || s == DD_OCP_ITERATION_LIMIT || s == DD_OCP_EVALUATION_ERROR);
}

static void solve_once(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess)
{
    bool finer = coarse_intervals(mesh) < mesh->n;
    if (p->options.coarse && finer && solve_by_way_of_coarse(p, mesh, guess)) {
        return;
    }
    dd_ocp_solve_on(p, mesh, guess, false);
    if (solved(p) || p->options.coarse || !finer || !may_help(p)) {
        return;
    }
    const char *status = dd_ocp_status_name(p->info.status);
    bool lines = dd_guess_source_lines(p->guess), found = solve_by_way_of_coarse(p, mesh, guess);
    if (!found) {
        dd_ocp_take_back(p);
    } else if (solved(p)) {
        say(p,
            dd_pool_printf(p->problem->pool,
                           "from the guess the solver ended with %s; the solution was found %sby way of a mesh of %u "
                           "intervals",
                           status, lines ? "from straight lines to the end values and " : "", coarse_intervals(mesh)));
    }
}

/* ---- perturbed guesses ---- */

typedef struct perturbed {
    dd_ocp *p;
    dd_guess raw;
    double amplitude;
    double *wave; /* (x, u) * WAVES: coefficients */
} perturbed;

/* splitmix64: the same numbers on every machine. */
static double random_number(uint64_t *state)
{
    uint64_t v = *state += 0x9e3779b97f4a7c15u;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    v ^= v >> 31;
    return ldexp((double)(v >> 11), -52) - 1; /* in [-1, 1) */
}

static bool bounded(const dd_decision *d)
{
    return isfinite(d->lower) && isfinite(d->upper) && d->upper - d->lower < 1e6 * d->scale;
}

/* A value moved by s in [-1, 1] or a little more. Small amplitudes stay near the guess; with amplitude 1 what has bounds
 * goes anywhere between them. */
static double displaced(const dd_decision *d, double value, double amplitude, double s)
{
    double room = bounded(d) ? 0.5 * (d->upper - d->lower) : fmax(d->scale, fabs(value));
    double centre = bounded(d) && amplitude >= 1 ? 0.5 * (d->lower + d->upper) : value;
    return fmin(fmax(centre + amplitude * room * s, d->lower), d->upper);
}

/* sum_m c_m cos(m pi theta) */
static double moved(const perturbed *q, const dd_decision *d, const double *wave, double theta, double value)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int m = 0; m < WAVES; m++) {
        sum += wave[m] * cos(m * pi * theta) / (1 + m);
    }
    return displaced(d, value, q->amplitude, sum);
}

static void perturbed_at(void *user, double theta, double *x, double *z, double *u)
{
    const perturbed *q = user;
    const dd_ocp_problem *o = q->p->problem;
    const double *wave = q->wave;
    q->raw.at(q->raw.user, theta, x, z, u);
    for (uint32_t i = 0; i < o->x.len; i++, wave += WAVES) {
        x[i] = moved(q, &o->x.data[i], wave, theta, x[i]);
    }
    for (uint32_t i = 0; i < o->u.len; i++, wave += WAVES) {
        u[i] = moved(q, &o->u.data[i], wave, theta, u[i]);
    }
}

typedef struct decided {
    double t0, tf, *p;
} decided;

static void perturb_decided(dd_ocp *p, const decided *first, double amplitude, uint64_t *state)
{
    dd_ocp_problem *o = p->problem;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_decision *d = &o->p.data[i];
        d->start_value = displaced(d, first->p[i], amplitude, random_number(state));
    }
    o->t0_value = first->t0;
    double factor = exp(amplitude * random_number(state));
    o->tf_value = first->tf;
    if (o->free_tf) {
        o->tf_value = fmin(fmax(first->t0 + (first->tf - first->t0) * factor, o->tf_lower), o->tf_upper);
    }
}

static void restore_decided(dd_ocp *p, const decided *first)
{
    dd_ocp_problem *o = p->problem;
    for (uint32_t i = 0; i < o->p.len; i++) {
        o->p.data[i].start_value = first->p[i];
    }
    o->t0_value = first->t0;
    o->tf_value = first->tf;
}

/* ---- distinct optima ---- */

static const double *look_at(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    double *look = dd_pool_alloc_array(p->pool, (size_t)LOOKS * o->x.len + 1, sizeof *look);
    double *z = dd_pool_alloc_array(p->pool, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(p->pool, o->u.len + 1, sizeof *u);
    for (uint32_t k = 0; k < LOOKS; k++) {
        double *x = look + (size_t)k * o->x.len;
        dd_transcription_at(p->transcription, p->result.x, (double)k / (LOOKS - 1), k > 0, x, z, u);
        for (uint32_t i = 0; i < o->x.len; i++) {
            x[i] /= o->x.data[i].scale;
        }
    }
    return look;
}

static bool same(const dd_ocp *p, const dd_optimum *a, double objective, const double *look)
{
    bool equal = fabs(a->objective - objective) <= SAME_OBJECTIVE * fmax(1e-3, fabs(a->objective));
    for (uint32_t i = 0; i < LOOKS * p->problem->x.len && equal; i++) {
        equal = fabs(a->look[i] - look[i]) <= SAME_STATES * fmax(1, fabs(look[i]));
    }
    return equal;
}

/* Kept in the order of the objective. */
static void note_optimum(dd_ocp *p, uint32_t start)
{
    const double *look = look_at(p);
    for (uint32_t i = 0; i < p->optima.len; i++) {
        if (same(p, &p->optima.data[i], p->info.objective, look)) {
            p->optima.data[i].count++;
            return;
        }
    }
    dd_optimum found = {.objective = p->info.objective, .count = 1, .first = start, .look = look};
    dd_vec_push(p->pool, &p->optima, found);
    for (uint32_t i = p->optima.len - 1; i > 0 && p->optima.data[i].objective < p->optima.data[i - 1].objective; i--) {
        dd_optimum swap = p->optima.data[i];
        p->optima.data[i] = p->optima.data[i - 1];
        p->optima.data[i - 1] = swap;
    }
}

/* ---- several starts ---- */

static bool stopped(const dd_ocp *p)
{
    return p->info.status == DD_OCP_INTERRUPTED || p->info.status == DD_OCP_TIME_LIMIT;
}

/* True when the present solve counts more than the one that was the best before. */
static bool better(const dd_ocp *p, bool had, double best)
{
    return !had ? solved(p) : solved(p) && p->info.objective < best - SAME_OBJECTIVE * fmax(1e-3, fabs(best));
}

static void fill_waves(const dd_ocp_problem *o, perturbed *q, uint64_t *state)
{
    for (uint32_t i = 0; i < (o->x.len + o->u.len) * WAVES; i++) {
        q->wave[i] = random_number(state);
    }
}

static void solve_several(dd_ocp *p, const dd_mesh *mesh)
{
    dd_ocp_problem *o = p->problem;
    uint32_t starts = p->options.multistart, failures = 0, done = 1;
    decided first = {o->t0_value, o->tf_value, dd_pool_alloc_array(p->pool, o->p.len + 1, sizeof(double))};
    perturbed q = {.p = p, .raw = dd_guess_source_raw(p->guess)};
    q.wave = dd_pool_alloc_array(p->pool, (size_t)(o->x.len + o->u.len) * WAVES + 1, sizeof *q.wave);
    for (uint32_t i = 0; i < o->p.len; i++) {
        first.p[i] = o->p.data[i].start_value;
    }
    bool had = solved(p);
    double best = p->info.objective;
    if (had) {
        note_optimum(p, 1);
    }
    failures += had ? 0 : 1;
    for (; done < starts && !stopped(p); done++) {
        uint64_t state = done;
        q.amplitude = done % 2 == 1 ? 0.4 : 1;
        fill_waves(o, &q, &state);
        perturb_decided(p, &first, q.amplitude, &state);
        dd_guess inner = {.user = &q, .at = perturbed_at}, guess = dd_guess_source_around(p->guess, &inner);
        dd_ocp_status before = p->info.status;
        dd_ocp_solve_on(p, mesh, &guess, false);
        bool stop = stopped(p);
        if (solved(p)) {
            note_optimum(p, done + 1);
        } else {
            failures++;
        }
        if (better(p, had, best)) {
            had = true;
            best = p->info.objective;
            dd_ocp_forget_previous(p);
        } else {
            dd_ocp_take_back(p);
            p->info.status = before;
        }
        if (stop) {
            break;
        }
    }
    restore_decided(p, &first);
    say(p,
        dd_pool_printf(o->pool, "%u starts, %u without a solution, %u distinct optima", done, failures, p->optima.len));
}

void dd_ocp_first_solve(dd_ocp *p, const dd_mesh *mesh)
{
    dd_guess guess = dd_guess_source_as(p->guess);
    solve_once(p, mesh, &guess);
    if (p->options.multistart > 1 && p->info.iterations > 0) {
        solve_several(p, mesh);
    }
    p->info.meshes = 1;
}
