/* estimate.c - x' = h f(x, z, u(s), p, t), 0 = g on each interval, s from 0 to 1, as a problem for the integrator.
 * The control is the polynomial of that interval, so nothing jumps inside a step; the integrator restarts at each
 * boundary. */
#include "ocp/estimate.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/bdf.h"
#include "integ/radau.h"
#include "integ/slopes.h"
#include "ocp/data.h"

enum { STEPS_MOST = 20000, WAYS = 5 };
#define ALGEBRAIC_PART 1e-2 /* of its size: an algebraic variable that passes through zero is not resolved further */

/* Ways to integrate, each for problems that the one before could not solve. The first is the cheapest at a
 * tolerance far below the accuracy of a transcription: order 13 throughout, whole intervals as steps. Where
 * Newton's method does not follow that, the production integrator chooses order and first step as in a simulation;
 * looser tolerances pass kinks and jumps that are no events here, and rounding noise of nearly dependent
 * equations; bdf does without the stages of a step. */
static const struct {
    double tolerance, first_step;
    uint32_t least_stages; /* 0: bdf */
} way_of[WAYS] = {{1e-11, 1, 7}, {1e-11, 0, 3}, {1e-9, 0, 3}, {1e-7, 0, 3}, {1e-7, 0, 0}};

struct dd_replay {
    dd_ocp_problem *o;
    dd_context *ctx;
    uint32_t nx, nz, n, n_outside; /* outside: u, p, time, t0, tf, data */
    dd_program *values, *slopes;
    dd_program_work *values_work, *slopes_work;
    dd_derivative *derivative;
    dd_problem problem;
    uint32_t *entry;          /* per entry of the derivative: place in the pattern */
    uint32_t *diagonal;       /* nx: places of dx'/dx' */
    dd_integrator *way[WAYS]; /* NULL: not needed yet */
    dd_integrator *it;        /* the one that was used last */
    dd_slopes *beginning;     /* x' and z at the left end of an interval; NULL without z */
    double *atol;
    const dd_transcription *t;
    const double *y;
    uint32_t k; /* the interval */
    double h, begin_time;
    double *scale; /* nx: that differences of states are relative to */
    double *size;  /* n: the largest values of x and z along the solution, or their nominals */
    double *outside, *u, *entry_value, *w, *wdot, *r, *x;
};

/* ---- functions ---- */

/* u, p, time, t0, tf, data at s in interval k, into lane `lane` of a batch */
static void set_outside(dd_replay *r, double s, uint32_t lane, size_t ld)
{
    const dd_ocp_problem *o = r->o;
    const dd_mesh *mesh = &r->t->mesh;
    /* the polynomial of the interval, also at its ends: nothing jumps inside a step */
    double *to = r->outside + lane, theta = mesh->theta[r->k] + s * (mesh->theta[r->k + 1] - mesh->theta[r->k]);
    dd_transcription_control(r->t, r->y, r->k, theta, r->u);
    for (uint32_t i = 0; i < o->u.len; i++, to += ld) {
        *to = r->u[i];
    }
    for (uint32_t i = 0; i < o->p.len; i++, to += ld) {
        *to = r->y[r->t->p_at + i] * o->p.data[i].scale;
    }
    /* the model's time; the integrator's variable is s in [0, 1] */
    to[0] = r->begin_time + s * r->h;
    to[ld] = dd_transcription_time(r->t, r->y, 0);
    to[2 * ld] = dd_transcription_time(r->t, r->y, 1);
    for (uint32_t i = 0; i < o->data.len; i++) {
        to[(3 + i) * ld] = dd_data_at(o->data.data[i].column, to[0], s >= 1);
    }
}

static void residuals(void *user, uint32_t lanes, size_t ld, const double *s, const double *w, const double *wdot,
                      double *f)
{
    dd_replay *r = user;
    /* all stages of a step in one batch */
    for (uint32_t lane = 0; lane < lanes; lane++) {
        set_outside(r, s[lane], lane, ld);
    }
    const double *in[] = {w, r->outside};
    dd_program_eval_batch(r->values_work, lanes, ld, in, f);
    /* F = (x' - h f, g) */
    for (uint32_t i = 0; i < r->nx; i++) {
        for (uint32_t lane = 0; lane < lanes; lane++) {
            f[i * ld + lane] = wdot[i * ld + lane] - r->h * f[i * ld + lane];
        }
    }
}

static void residual(void *user, double s, const double *w, const double *wdot, double *f)
{
    dd_replay *r = user;
    set_outside(r, s, 0, 1);
    const double *in[] = {w, r->outside};
    dd_program_eval(r->values_work, in, f);
    for (uint32_t i = 0; i < r->nx; i++) {
        f[i] = wdot[i] - r->h * f[i];
    }
}

static void jacobian(void *user, double s, const double *w, const double *wdot, double *m, double *j)
{
    dd_replay *r = user;
    uint32_t nnz = r->problem.pattern.ptr[r->n], count = r->derivative->ptr[r->n];
    (void)wdot;
    set_outside(r, s, 0, 1);
    const double *in[] = {w, r->outside};
    dd_program_eval(r->slopes_work, in, r->entry_value);
    /* M = dF/dx' has ones on the diagonal of x; J = -h df/dw, dg/dw */
    memset(m, 0, nnz * sizeof *m);
    memset(j, 0, nnz * sizeof *j);
    for (uint32_t e = 0; e < count; e++) {
        j[r->entry[e]] = r->derivative->idx[e] < r->nx ? -r->h * r->entry_value[e] : r->entry_value[e];
    }
    for (uint32_t i = 0; i < r->nx; i++) {
        m[r->diagonal[i]] = 1;
    }
}

/* ---- compiling ---- */

static dd_expr *list_inputs(const dd_ocp_problem *o, dd_pool *pool)
{
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->u, &o->p};
    uint32_t count = o->x.len + o->z.len + o->u.len + o->p.len + 3 + o->data.len, n = 0;
    dd_expr *out = dd_pool_alloc_array(pool, count, sizeof *out);
    /* the order of w and then of set_outside */
    for (uint32_t l = 0; l < 4; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            out[n++] = lists[l]->data[i].symbol;
        }
    }
    out[n++] = o->time;
    out[n++] = o->t0;
    out[n++] = o->tf;
    for (uint32_t i = 0; i < o->data.len; i++) {
        out[n++] = o->data.data[i].symbol;
    }
    return out;
}

static void compile(dd_replay *r, dd_pool *pool)
{
    dd_ocp_problem *o = r->o;
    dd_expr *rows = dd_pool_alloc_array(pool, r->n + 1, sizeof *rows), *inputs = list_inputs(o, pool);
    /* rows f, then g; derivatives by x and z only */
    for (uint32_t i = 0; i < r->n; i++) {
        const dd_expr_vec *f = o->held ? &o->held_f : &o->f, *g = o->held ? &o->held_g : &o->g;
        rows[i] = i < r->nx ? f->data[i] : g->data[i - r->nx];
    }
    r->derivative = dd_jacobian_new(pool, o->dag, rows, r->n, inputs, r->n);
    dd_program_spec spec = {.inputs = inputs,
                            .n_inputs = r->n + r->n_outside,
                            .segment = {r->n, r->n_outside},
                            .n_segments = 2,
                            .constants = o->constants.data,
                            .n_constants = o->constants.len,
                            .outputs = rows,
                            .n_outputs = r->n};
    r->values = dd_program_new(pool, o->dag, &spec);
    spec.outputs = r->derivative->entries;
    spec.n_outputs = r->derivative->ptr[r->n];
    r->slopes = dd_program_new(pool, o->dag, &spec);
}

/* The pattern of M and J: that of the derivative and the diagonal of x. */
static void make_pattern(dd_replay *r, dd_pool *pool)
{
    const dd_derivative *d = r->derivative;
    uint32_t most = d->ptr[r->n] + r->nx, nnz = 0;
    dd_csc *a = &r->problem.pattern;
    *a = (dd_csc){.nrows = r->n, .ncols = r->n};
    a->ptr = dd_pool_alloc_array(pool, r->n + 1, sizeof *a->ptr);
    a->idx = dd_pool_alloc_array(pool, most + 1, sizeof *a->idx);
    a->val = dd_pool_alloc_array(pool, most + 1, sizeof *a->val);
    r->entry = dd_pool_alloc_array(pool, most + 1, sizeof *r->entry);
    r->diagonal = dd_pool_alloc_array(pool, r->nx + 1, sizeof *r->diagonal);
    /* merge of two sorted lists per column: entries of the derivative and the diagonal */
    for (uint32_t j = 0; j < r->n; j++) {
        bool done = j >= r->nx;
        /* the diagonal goes in where the rows pass it */
        for (uint32_t e = d->ptr[j]; e < d->ptr[j + 1]; e++) {
            if (!done && d->idx[e] > j) {
                done = true;
                r->diagonal[j] = nnz;
                a->idx[nnz++] = j;
            }
            if (!done && d->idx[e] == j) {
                done = true;
                r->diagonal[j] = nnz;
            }
            r->entry[e] = nnz;
            a->idx[nnz++] = d->idx[e];
        }
        /* below all entries of the column */
        if (!done) {
            r->diagonal[j] = nnz;
            a->idx[nnz++] = j;
        }
        a->ptr[j + 1] = nnz;
    }
}

static void describe(dd_replay *r, dd_pool *pool)
{
    uint8_t *differential = dd_pool_alloc_array(pool, r->n + 1, 1);
    uint32_t *rate_row = dd_pool_alloc_array(pool, r->n + 1, sizeof *rate_row);
    double *nominal = dd_pool_alloc_array(pool, r->n + 1, sizeof *nominal);
    /* x is differential, z algebraic; nominals are the sizes of the transcription */
    for (uint32_t i = 0; i < r->n; i++) {
        differential[i] = i < r->nx;
        rate_row[i] = i < r->nx ? i : DD_NO_INDEX;
        nominal[i] = i < r->nx ? r->o->x.data[i].scale : r->o->z.data[i - r->nx].scale;
    }
    r->problem.user = r;
    r->problem.n = r->n;
    r->problem.differential = differential;
    r->problem.rate_row = rate_row;
    r->problem.nominal = nominal;
    r->problem.m_constant = true;
    r->problem.residual = residual;
    r->problem.residuals = residuals;
    r->problem.jacobian = jacobian;
}

static void allocate(dd_replay *r, dd_pool *pool)
{
    uint32_t nnz = r->problem.pattern.ptr[r->n];
    r->outside = dd_pool_alloc_array(pool, (size_t)r->n_outside * DD_MOST_LD, sizeof(double));
    r->u = dd_pool_alloc_array(pool, r->o->u.len + 1, sizeof(double));
    r->scale = dd_pool_alloc_array(pool, r->nx + 1, sizeof(double));
    r->x = dd_pool_alloc_array(pool, r->nx + 1, sizeof(double));
    r->size = dd_pool_alloc_array(pool, r->n + 1, sizeof(double));
    r->atol = dd_pool_alloc_array(pool, r->n + 1, sizeof(double));
    r->entry_value = dd_pool_alloc_array(pool, nnz + 1, sizeof(double));
    r->w = dd_pool_alloc_array(pool, r->n + 1, sizeof(double));
    r->wdot = dd_pool_alloc_array(pool, r->n + 1, sizeof(double));
    r->r = dd_pool_alloc_array(pool, r->n + 1, sizeof(double));
}

/* Memory of the context, which the pool does not free. */
static dd_status make_work(dd_replay *r)
{
    /* 8 lanes: a batch holds all stages of the largest method */
    dd_status st = dd_program_work_new(&r->values_work, r->ctx, r->values, 8);
    st = st == DD_OK ? dd_program_work_new(&r->slopes_work, r->ctx, r->slopes, 1) : st;
    return st;
}

dd_replay *dd_replay_new(dd_ocp_problem *o, dd_pool *pool)
{
    dd_replay *r = dd_pool_alloc(pool, sizeof *r);
    *r = (dd_replay){.o = o, .ctx = dd_pool_context(pool), .nx = o->x.len, .nz = o->z.len};
    r->n = r->nx + r->nz;
    r->n_outside = o->u.len + o->p.len + 3 + o->data.len;
    /* functions, pattern, description, memory; then memory that is freed by hand */
    compile(r, pool);
    make_pattern(r, pool);
    describe(r, pool);
    allocate(r, pool);
    dd_status st = make_work(r);
    if (st != DD_OK) {
        dd_replay_free(r);
        dd_raise(r->ctx, st, "%s", dd_status_text(st));
    }
    if (o->constants.len > 0) {
        dd_program_set_constants(r->values_work, o->constant_value);
        dd_program_set_constants(r->slopes_work, o->constant_value);
    }
    return r;
}

void dd_replay_free(dd_replay *r)
{
    if (r != NULL) {
        for (int i = 0; i < WAYS; i++) {
            dd_integ_free(r->way[i]);
            r->way[i] = NULL;
        }
        dd_slopes_free(r->beginning);
        dd_program_work_free(r->values_work);
        dd_program_work_free(r->slopes_work);
        r->it = NULL;
        r->beginning = NULL;
        r->values_work = r->slopes_work = NULL;
    }
}

/* ---- one interval ---- */

static void enter_interval(dd_replay *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    r->k = k;
    r->begin_time = dd_transcription_time(r->t, r->y, mesh->theta[k]);
    r->h = dd_transcription_time(r->t, r->y, mesh->theta[k + 1]) - r->begin_time;
}

/* x' = h f and z at the left end: z from where the interval before ended (it may be continuous), else from the
 * transcription. */
static void begin_rates(dd_replay *r, uint32_t k, const double *x, const double *z)
{
    bool solved = false;
    for (int from = z != NULL ? 0 : 1; from < 2 && !solved; from++) {
        dd_transcription_at(r->t, r->y, r->t->mesh.theta[k], false, r->w, r->w + r->nx, r->u);
        memcpy(r->w, x, r->nx * sizeof *x);
        if (from == 0) {
            memcpy(r->w + r->nx, z, r->nz * sizeof *z);
        }
        memset(r->wdot, 0, r->n * sizeof *r->wdot);
        solved = r->nz > 0 && dd_slopes_solve(r->beginning, 0, r->w, r->wdot).converged;
    }
    /* F(0) = -h f: all there is without z; without convergence the guess stays, and the integrator reports it */
    if (!solved) {
        residual(r, 0, r->w, r->wdot, r->r);
        for (uint32_t i = 0; i < r->nx; i++) {
            r->wdot[i] = -r->r[i];
        }
    }
}

/* Algebraic variables do not enter the error test, but Newton's: one that passes through zero among others that
 * are large has only the digits that those leave it. */
static void set_tolerance(dd_replay *r, int way)
{
    for (uint32_t i = 0; i < r->n; i++) {
        /* one that is small among large ones has only the digits they leave */
        double whole = r->problem.nominal[i], part = i < r->nx ? 0 : ALGEBRAIC_PART * r->size[i];
        r->atol[i] = way_of[way].tolerance * fmax(whole, part);
    }
    if (r->way[way] != NULL && r->way[way]->ops->set_tolerance != NULL) {
        r->way[way]->ops->set_tolerance(r->way[way], way_of[way].tolerance, r->atol);
    }
}

static dd_integrator *integrator(dd_replay *r, int way)
{
    if (r->way[way] == NULL) {
        set_tolerance(r, way);
        /* made when first needed: most runs only ever use the first way */
        dd_integ_options options = {.rtol = way_of[way].tolerance,
                                    .atol = r->atol,
                                    .first_step = way_of[way].first_step,
                                    .least_stages = way_of[way].least_stages,
                                    .most_stages = 7};
        dd_status st = way_of[way].least_stages > 0 ? dd_radau_new(&r->way[way], r->ctx, &r->problem, &options)
                                                    : dd_bdf_new(&r->way[way], r->ctx, &r->problem, &options);
        if (st != DD_OK) {
            dd_raise(r->ctx, st, "%s", dd_status_text(st));
        }
    }
    return r->way[way];
}

/* From w and w' at s = 0 to s = 1. */
static dd_step_verdict run_through(dd_replay *r, dd_integrator *it)
{
    dd_step_verdict verdict = dd_integ_start(it, 0, r->w, r->wdot);
    /* 20000 steps in one interval: something is wrong there, and the next way may do better */
    for (uint32_t step = 0; it->t < 1 && verdict == DD_STEP_OK; step++) {
        dd_check_stop(r->ctx);
        verdict = step == STEPS_MOST ? DD_STEP_STEP_TOO_SMALL : dd_integ_step(it, 1);
    }
    if (verdict == DD_STEP_OUT_OF_MEMORY) {
        dd_raise(r->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    return verdict;
}

/* From x (nx) at the left end of interval k to its right end, in place; z: where to begin with z, or NULL. False
 * when no way leads there. */
static bool advance(dd_replay *r, uint32_t k, double *x, const double *z)
{
    enter_interval(r, k);
    begin_rates(r, k, x, z);
    /* the first way that reaches the end */
    for (int way = 0; way < WAYS; way++) {
        r->it = integrator(r, way);
        if (run_through(r, r->it) == DD_STEP_OK) {
            memcpy(x, r->it->w, r->nx * sizeof *x);
            return true;
        }
    }
    return false;
}

/* ---- all of them ---- */

static double state(const dd_replay *r, uint32_t k, uint32_t i)
{
    return r->y[r->t->x_at[k] + i] * r->o->x.data[i].scale;
}

/* The largest values of x and z at the points of interval k. */
static void note_sizes(dd_replay *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    uint32_t points = dd_transcription_points(r->t, k);
    /* the left end and the points inside */
    for (uint32_t j = 0; j <= points; j++) {
        double theta = j < points ? dd_transcription_point(r->t, k, j) : mesh->theta[k];
        dd_transcription_at(r->t, r->y, theta, false, r->w, r->w + r->nx, r->u);
        for (uint32_t i = 0; i < r->n; i++) {
            r->size[i] = isfinite(r->w[i]) ? fmax(r->size[i], fabs(r->w[i])) : r->size[i];
        }
    }
}

void dd_replay_use(dd_replay *r, const dd_transcription *t, const double *y)
{
    r->t = t;
    r->y = y;
    enter_interval(r, 0);
    /* made at the first use, since it looks at the problem's matrices */
    if (r->nz > 0 && r->beginning == NULL) {
        dd_status st = dd_slopes_new(&r->beginning, r->ctx, &r->problem);
        if (st != DD_OK) {
            dd_raise(r->ctx, st, "%s", dd_status_text(st));
        }
    }
    /* sizes for Newton's test of algebraic variables */
    memcpy(r->size, r->problem.nominal, r->n * sizeof *r->size);
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        note_sizes(r, k);
    }
    /* max(nominal, max |x|), over nodes and collocation points; without a nominal, 1 or a smaller expected size: a
     * state in moles of 1e-6 that is off by as much is no motion of the model */
    for (uint32_t i = 0; i < r->nx; i++) {
        const dd_decision *d = &r->o->x.data[i];
        const dd_variable *v = &r->o->model->vars.data[d->var];
        double largest =
            d->order == 0 && v->has_nominal && v->nominal_value != 0 ? fabs(v->nominal_value) : fmin(1, d->scale);
        for (uint32_t k = 0; k <= t->mesh.n; k++) {
            largest = fmax(largest, fabs(state(r, k, i)));
            for (uint32_t j = 0; k < t->mesh.n && j < t->mesh.degree[k]; j++) {
                largest = fmax(largest, fabs(y[t->point_at[k * DD_DEGREE_MOST + j] + i] * d->scale));
            }
        }
        r->scale[i] = largest;
    }
    for (int way = 0; way < WAYS; way++) {
        set_tolerance(r, way);
    }
}

double dd_replay_scale(const dd_replay *r, uint32_t i)
{
    return r->scale[i];
}

/* Between x and the transcribed state at boundary k; worst: the state. */
static double difference(const dd_replay *r, uint32_t k, const double *x, uint32_t *worst)
{
    double largest = 0;
    *worst = 0;
    /* !(d <= largest) is true for NaN as well */
    for (uint32_t i = 0; i < r->nx && isfinite(largest); i++) {
        double d = fabs(x[i] - state(r, k, i)) / r->scale[i];
        if (!(d <= largest)) {
            largest = isfinite(d) ? d : INFINITY;
            *worst = i;
        }
    }
    return largest;
}

double dd_replay_intervals(dd_replay *r, dd_replay_error *error)
{
    double largest = 0;
    for (uint32_t k = 0; k < r->t->mesh.n; k++) {
        dd_check_stop(r->ctx);
        /* every interval begins at the transcribed x_k: errors do not add up from one to the next */
        for (uint32_t i = 0; i < r->nx; i++) {
            r->x[i] = state(r, k, i);
        }
        error->state[k] = DD_NO_INDEX;
        error->size[k] = r->nx == 0                  ? 0
                         : advance(r, k, r->x, NULL) ? difference(r, k + 1, r->x, &error->state[k])
                                                     : INFINITY;
        largest = fmax(largest, error->size[k]);
    }
    return largest;
}

double dd_replay_all(dd_replay *r, double *until)
{
    double largest = 0;
    uint32_t worst;
    /* from x_0 once: errors add up as they do for a user who simulates the result */
    for (uint32_t i = 0; i < r->nx; i++) {
        r->x[i] = state(r, 0, i);
    }
    *until = r->t->mesh.theta[r->t->mesh.n];
    for (uint32_t k = 0; k < r->t->mesh.n && r->nx > 0 && isfinite(largest); k++) {
        dd_check_stop(r->ctx);
        /* z is continuous where controls are: the end of the interval before is the best start */
        const double *z = k > 0 ? r->it->w + r->nx : NULL;
        if (advance(r, k, r->x, z)) {
            largest = fmax(largest, difference(r, k + 1, r->x, &worst));
        } else {
            *until = r->t->mesh.theta[k] + r->it->t * (r->t->mesh.theta[k + 1] - r->t->mesh.theta[k]);
            largest = INFINITY;
        }
    }
    return largest;
}
