/* start_project.c - the consistent point nearest to contradictory fixed values.
 *
 *     minimise sum over fixed j of ((x_j - given_j) / nominal_j)^2   subject to all equations (and initial equations)
 *
 * At a consistent x the direction is d = p + e, where p leads the fixed values back to the given ones and e is the
 * smallest weighted correction with A (p + e) = 0 (la/minnorm.h; other unknowns move easily): d = 0 exactly where
 * the multipliers of the minimum exist. Steps along d have the length of Barzilai and Borwein (1988), are put back
 * on the equations by simplified Newton steps with the same factors, and may not rise above the last few values.
 */
#include <math.h>
#include <string.h>

#include "init/start_impl.h"
#include "la/minnorm.h"
#include "nls/corrections.h"

enum { MAX_STEPS = 500, MAX_RESTORE = 25, MAX_HALVINGS = 25, MEMORY = 6 };
static const double easy = 100.0;     /* how much easier than fixed values the other unknowns move */
static const double goal = 1e-13;     /* length of the direction, in units of the weights */
static const double minimum = 1e-7;   /* the same where it stops shrinking: the distance is then known to its square */
static const double restored = 1e-10; /* last correction onto the equations, relative, that is still good enough */
static const double rounding = 1e-15; /* relative: below it there is nothing left to correct */
static const double stalls = 0.9;     /* corrections that shrink by less do not converge any more */

typedef struct projection {
    start_work *w;
    dd_pool *pool;
    uint32_t rows, n;
    uint32_t *row, *order; /* of each row: row of w->rows and its derivative */
    uint32_t *slot;        /* unknown -> place in w->x */
    dd_csc a;
    dd_index_vec entry, place, power; /* per triplet: incidence entry, position in a, derivative of the unknown */
    dd_index_vec triplet_row;
    uint8_t *how;
    double *scale; /* of rows */
    double *weight, *given, *r, *rhs, *d, *e, *x, *trial, *last_d, *step;
    bool *fixed;
    dd_minnorm *solver;
    uint32_t max_order;
    dd_status status; /* of the last solution with the factors */
} projection;

static void list_rows(projection *p, const start_choice *choice)
{
    start_work *w = p->w;
    dd_index_vec row = {0}, order = {0};
    /* conditions list fixed values first; initial equations that depend on others do not constrain */
    uint32_t fixed = w->conditions.len - (w->rows.eqs.len - w->rows.n);
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        if (i >= w->rows.n && choice->dependent[fixed + i - w->rows.n]) {
            continue;
        }
        for (uint32_t k = 0; k <= dd_start_row_order(w, i); k++) {
            dd_vec_push(p->pool, &row, i);
            dd_vec_push(p->pool, &order, k);
            p->max_order = k > p->max_order ? k : p->max_order;
        }
    }
    p->rows = row.len;
    p->row = row.data;
    p->order = order.data;
}

static void build_pattern(projection *p)
{
    start_work *w = p->w;
    const start_rows *r = &w->rows;
    dd_index_vec col = {0};
    DD_VEC(uint8_t) how = {0};
    /* entries (row, x_j^(m)) with how they are computed, once: later only values change */
    for (uint32_t q = 0; q < p->rows; q++) {
        for (uint32_t e = r->inc.ptr[p->row[q]]; e < r->inc.ptr[p->row[q] + 1]; e++) {
            uint32_t first = w->shape.offset[r->inc.idx[e]], known = w->shape.offset[r->inc.idx[e] + 1] - first;
            for (uint32_t m = 0; m <= p->order[q] + 1 && m < known; m++) {
                uint32_t meet = dd_start_meets(r, e, p->order[q], m);
                if (meet) {
                    dd_vec_push(p->pool, &p->triplet_row, q);
                    dd_vec_push(p->pool, &col, first + m);
                    dd_vec_push(p->pool, &p->entry, e);
                    dd_vec_push(p->pool, &p->power, m);
                    dd_vec_push(p->pool, &how, (uint8_t)meet);
                }
            }
        }
    }
    /* the positions of triplets in the matrix, so that it is refilled without sorting */
    uint32_t *place = dd_pool_alloc_array(p->pool, col.len + 1, sizeof *place);
    double *zero = dd_pool_alloc_array(p->pool, col.len + 1, sizeof *zero);
    p->how = how.data;
    dd_system_must(w->s,
                   dd_csc_from_triplets(&p->a, w->s->ctx, p->rows, p->n,
                                        &(dd_triplets){col.len, p->triplet_row.data, col.data, zero}, place),
                   "projection");
    p->place = (dd_index_vec){.data = place, .len = col.len, .cap = col.len};
}

static void put(const projection *p, const double *x)
{
    for (uint32_t u = 0; u < p->n; u++) {
        p->w->x[p->slot[u]] = x[u];
    }
}

/* r at x, scaled; false when not finite. */
static bool residual(projection *p, const double *x)
{
    start_work *w = p->w;
    put(p, x);
    const double *series = dd_numeric_residual_series(w->rows.numeric, w->x, w->stride, p->max_order);
    for (uint32_t q = 0; q < p->rows; q++) {
        p->r[q] = p->scale[q] * series[(size_t)p->row[q] * (p->max_order + 1) + p->order[q]];
        if (!isfinite(p->r[q])) {
            return false;
        }
    }
    return true;
}

/* A at x with rows of size 1, factored. False when not finite or singular. */
static bool linearise(projection *p, const double *x)
{
    start_work *w = p->w;
    const dd_numeric *nm = w->rows.numeric;
    uint32_t order = p->max_order + 1;
    put(p, x);
    const double *s = dd_numeric_partial_series(w->rows.numeric, w->x, w->stride, order);
    /* entries may share a place (x and x' of one column): add up */
    memset(p->a.val, 0, p->a.ptr[p->n] * sizeof *p->a.val);
    memset(p->scale, 0, (p->rows + 1) * sizeof *p->scale);
    for (uint32_t k = 0; k < p->place.len; k++) {
        uint32_t e = p->entry.data[k], m = p->power.data[k], q = p->triplet_row.data[k];
        double v = p->how[k] & 1 ? s[(size_t)nm->slot0[e] * (order + 1) + p->order[q] - m] : 0.0;
        v += p->how[k] & 2 ? m * s[(size_t)nm->slot1[e] * (order + 1) + p->order[q] + 1 - m] : 0.0;
        if (!isfinite(v)) {
            return false;
        }
        p->a.val[p->place.data[k]] += v;
    }
    /* each row gets the size one in units of the weights, so that residuals compare */
    for (uint32_t u = 0; u < p->n; u++) {
        for (uint32_t k = p->a.ptr[u]; k < p->a.ptr[u + 1]; k++) {
            double size = fabs(p->a.val[k]) * p->weight[u];
            p->scale[p->a.idx[k]] = fmax(p->scale[p->a.idx[k]], size);
        }
    }
    for (uint32_t q = 0; q < p->rows; q++) {
        p->scale[q] = p->scale[q] > 0 ? 1 / p->scale[q] : 1.0;
    }
    dd_csc_scale(&p->a, p->scale, NULL);
    /* A W A^T factored: minimum-norm corrections in the weights */
    dd_system_must(w->s, dd_minnorm_factor(p->solver, &p->a, p->weight, 0.0, 0.0), "projection");
    dd_minnorm_info info = dd_minnorm_get_info(p->solver);
    return info.dense || !info.singular;
}

static double length(const projection *p, const double *d)
{
    double sum = 0;
    for (uint32_t u = 0; u < p->n; u++) {
        sum += d[u] * d[u] / (p->weight[u] * p->weight[u]);
    }
    return sqrt(sum);
}

/* the objective: squared distances of fixed values */
static double distance(const projection *p, const double *x)
{
    double sum = 0;
    for (uint32_t u = 0; u < p->n; u++) {
        double d = p->fixed[u] ? (x[u] - p->given[u]) / p->weight[u] : 0.0;
        sum += d * d;
    }
    return sum;
}

/* ---- back onto the equations, as nls/corrections.h asks for it ---- */

static int residual_at(void *user, const double *x)
{
    return residual(user, x) ? 0 : 1;
}

/* e = -W A^T (A W A^T)^-1 r with the factors at x; its size is relative to the position. */
static int correct(void *user, const double *x, double *e, double *size)
{
    projection *p = user;
    for (uint32_t q = 0; q < p->rows; q++) {
        p->rhs[q] = -p->r[q];
    }
    p->status = dd_minnorm_solve(p->solver, p->rhs, e, NULL);
    *size = length(p, e) / (1 + length(p, x));
    return p->status == DD_OK ? 0 : 1;
}

/* Puts trial back on the equations with the factors at hand. */
static bool restore(projection *p)
{
    const dd_corrections c = {.user = p,
                              .n = p->n,
                              .residual = residual_at,
                              .correct = correct,
                              .dx = p->e,
                              .most = MAX_RESTORE,
                              .contraction = stalls,
                              .goal = rounding};
    double last;
    const dd_corrections_end end = dd_corrections_run(&c, p->trial, NULL, &last);
    dd_system_must(p->w->s, p->status, "projection");
    /* stalled: fine if that is at the level of rounding */
    return end != DD_CORRECTIONS_NOT_FINITE && last <= restored;
}

/* d at x, where A is factored. */
static void find_direction(projection *p)
{
    /* p leads fixed values back to the given ones, e cancels the violation of A d = 0 */
    for (uint32_t u = 0; u < p->n; u++) {
        p->d[u] = p->fixed[u] ? p->given[u] - p->x[u] : 0.0;
    }
    memset(p->rhs, 0, (p->rows + 1) * sizeof *p->rhs);
    dd_csc_multiply(&p->a, -1.0, p->d, p->rhs);
    dd_system_must(p->w->s, dd_minnorm_solve(p->solver, p->rhs, p->e, NULL), "projection");
    for (uint32_t u = 0; u < p->n; u++) {
        p->d[u] += p->e[u];
    }
}

/* <s, s> / <s, y> with s the last step and y the change of -d. */
static double next_length(const projection *p)
{
    double ss = 0, sy = 0;
    for (uint32_t u = 0; u < p->n; u++) {
        double scale = 1 / (p->weight[u] * p->weight[u]);
        ss += p->step[u] * p->step[u] * scale;
        sy += p->step[u] * (p->last_d[u] - p->d[u]) * scale;
    }
    return sy > 0 && ss > 0 ? fmin(fmax(ss / sy, 1e-6), 1e3) : 1.0;
}

/* One accepted step of length alpha or shorter along d; false when none is found. */
static bool move(projection *p, double alpha, double ceiling)
{
    /* step, restore, and accept below the largest of the last few values (nonmonotone, as BB steps need) */
    for (int h = 0; h < MAX_HALVINGS; h++, alpha /= 2) {
        for (uint32_t u = 0; u < p->n; u++) {
            p->trial[u] = p->x[u] + alpha * p->d[u];
        }
        if (restore(p) && distance(p, p->trial) <= ceiling * (1 + 1e-15)) {
            for (uint32_t u = 0; u < p->n; u++) {
                p->step[u] = p->trial[u] - p->x[u];
            }
            memcpy(p->x, p->trial, p->n * sizeof *p->x);
            return true;
        }
    }
    return false;
}

static bool minimise(projection *p)
{
    double recent[MEMORY], size = INFINITY;
    /* onto the equations first: the given point may be off */
    if (!linearise(p, p->x)) {
        return false;
    }
    memcpy(p->trial, p->x, p->n * sizeof *p->x);
    if (!restore(p)) {
        return false;
    }
    memcpy(p->x, p->trial, p->n * sizeof *p->x);
    for (int k = 0; k < MEMORY; k++) {
        recent[k] = distance(p, p->x);
    }
    /* stationary where d vanishes */
    for (int it = 0; it < MAX_STEPS; it++) {
        dd_check_stop(p->w->s->ctx);
        double ceiling = 0;
        if (!linearise(p, p->x)) {
            break;
        }
        memcpy(p->last_d, p->d, p->n * sizeof *p->d);
        find_direction(p);
        size = length(p, p->d);
        if (size <= goal) {
            break;
        }
        for (int k = 0; k < MEMORY; k++) {
            ceiling = fmax(ceiling, recent[k]);
        }
        if (!move(p, it == 0 ? 1.0 : next_length(p), ceiling)) {
            break;
        }
        recent[it % MEMORY] = distance(p, p->x);
    }
    return size <= minimum;
}

static void report_moves(projection *p)
{
    start_work *w = p->w;
    /* the moved values apply from now on */
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        uint32_t col = w->conditions.data[i].col;
        if (col == DD_NO_INDEX) {
            continue;
        }
        double now = p->x[w->shape.offset[col]], before = w->value[col];
        w->value[col] = now;
        if (fabs(now - before) > 1e-13 * fmax(w->s->size[col], fabs(before))) {
            dd_start_say(w, "moved to the nearest consistent point: %s from %s to %s, by %s",
                         dd_system_column_name(w->s, col, w->scratch), dd_start_number(w, before),
                         dd_start_number(w, now), dd_start_number(w, now - before));
        }
    }
}

static void allocate(projection *p)
{
    double **arrays[] = {&p->weight, &p->given, &p->d, &p->e, &p->x, &p->trial, &p->last_d, &p->step};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = dd_pool_alloc_array(p->pool, p->n + 1, sizeof(double));
    }
    p->scale = dd_pool_alloc_array(p->pool, p->rows + 1, sizeof *p->scale);
    p->r = dd_pool_alloc_array(p->pool, p->rows + 1, sizeof *p->r);
    p->rhs = dd_pool_alloc_array(p->pool, p->rows + 1, sizeof *p->rhs);
    p->slot = dd_pool_alloc_array(p->pool, p->n + 1, sizeof *p->slot);
    p->fixed = dd_pool_alloc_array(p->pool, p->n + 1, sizeof *p->fixed);
}

/* The problem at the point x. */
static void fill(projection *p, const double *x, uint32_t stride)
{
    start_work *w = p->w;
    const dd_system *s = w->s;
    /* fixed values weigh by their nominal; the others move a hundred times more easily */
    for (uint32_t j = 0; j < s->ncols; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        for (uint32_t u = w->shape.offset[j]; u < w->shape.offset[j + 1]; u++) {
            uint32_t m = u - w->shape.offset[j];
            p->fixed[u] = m == 0 && v->fixed;
            p->slot[u] = j * w->stride + m;
            p->weight[u] = p->fixed[u] ? fabs(v->nominal_value) : easy * s->size[j];
            p->given[u] = w->value[j];
            p->x[u] = m < stride ? x[(size_t)j * stride + m] : 0.0;
        }
    }
}

typedef struct project_call {
    projection *p;
    const double *x;
    uint32_t stride;
    const start_choice *choice;
    bool ok;
} project_call;

static void project_body(void *arg)
{
    project_call *call = arg;
    projection *p = call->p;
    list_rows(p, call->choice);
    allocate(p);
    fill(p, call->x, call->stride);
    build_pattern(p);
    dd_system_must(p->w->s, dd_minnorm_new(&p->solver, p->w->s->ctx, &p->a), "projection");
    call->ok = minimise(p);
    put(p, p->x);
    if (call->ok) {
        report_moves(p);
    }
}

bool dd_start_project(start_work *w, const start_choice *choice, const double *x, uint32_t stride)
{
    projection p = {.w = w, .pool = dd_pool_child(w->scratch), .n = w->shape.total};
    project_call call = {.p = &p, .x = x, .stride = stride, .choice = choice};
    dd_status st = dd_protect(w->s->ctx, project_body, &call);
    dd_minnorm_free(p.solver);
    dd_csc_free(w->s->ctx, &p.a);
    if (st != DD_OK) {
        dd_raise(w->s->ctx, st, "%s", dd_pool_strdup(w->scratch, dd_context_message(w->s->ctx)));
    }
    dd_pool_free(p.pool);
    return call.ok;
}
