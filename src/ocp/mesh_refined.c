/* mesh_refined.c - where a mesh is too coarse, by degree or by width, and where controls jump.
 *
 * The choice between degree and width follows the decay of Legendre coefficients as in Liu, Hager and Rao (J. Franklin
 * Institute 352, 2015); how many parts are needed follows from the order of collocation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ocp/refine.h"

enum { PARTS_MOST = 4, RAISE_MOST = 3 };
#define SAFETY 0.3         /* of the tolerance is aimed at */
#define SMOOTH 0.5         /* digits that the Legendre coefficients of a smooth function lose per degree */
#define JUMP_OF_RANGE 0.25 /* a jump is at least this part of what the control does at all */
#define JUMP_STEEP 3       /* and so many times what it does in the intervals beside */
#define JUMP_WIDTH 0.05    /* new interval beside a jump, relative to the one it was found in */

typedef struct refiner {
    const dd_transcription *t;
    const double *y;
    const double *error;
    double tolerance;
    dd_pool *pool;
    double *u;     /* work */
    double *range; /* per control: largest minus smallest value */
    double legendre[DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1]; /* [degree][coefficient][point] */
    uint32_t *parts, *degree; /* per interval: what is to become of it */
    bool *jumps;              /* per interval: a control does */
    DD_VEC(double) points;    /* more boundaries */
} refiner;

/* ---- smoothness ---- */

static void legendre_values(double s, uint32_t n, double *p)
{
    double x = 2 * s - 1;
    p[0] = 1;
    p[1] = x;
    for (uint32_t j = 2; j <= n; j++) {
        p[j] = ((2 * j - 1) * x * p[j - 1] - (j - 1) * p[j - 2]) / j;
    }
}

/* Coefficients of the polynomial through the d + 1 points of x: quadrature with d + 1 Gauss points is exact. */
static void prepare_legendre(refiner *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    uint32_t d = mesh->degree[k];
    dd_quad c[DD_DEGREE_MOST + 1], a[(DD_DEGREE_MOST + 1) * (DD_DEGREE_MOST + 1)], b[DD_DEGREE_MOST + 1];
    double w[DD_DEGREE_MOST + 1], p[DD_DEGREE_MOST + 2], width = mesh->theta[k + 1] - mesh->theta[k];
    if (r->legendre[d][0][0] != 0 || r->legendre[d][0][1] != 0) {
        return;
    }
    dd_collocation_nodes(DD_NODES_GAUSS, d + 1, c);
    dd_collocation(c, d + 1, a, b);
    for (uint32_t q = 0; q <= d; q++) {
        dd_transcription_weights(r->t, k, mesh->theta[k] + (double)c[q] * width, w);
        legendre_values((double)c[q], d, p);
        for (uint32_t j = 0; j <= d; j++) {
            for (uint32_t i = 0; i <= d; i++) {
                r->legendre[d][j][i] += (2 * j + 1) * (double)b[q] * p[j] * w[i];
            }
        }
    }
}

/* |coefficient j| of state i, scaled */
static double coefficient(const refiner *r, uint32_t k, uint32_t i, uint32_t j)
{
    const dd_transcription *t = r->t;
    uint32_t d = t->mesh.degree[k];
    double sum = r->legendre[d][j][0] * r->y[t->x_at[k] + i];
    for (uint32_t q = 1; q <= d; q++) {
        sum += r->legendre[d][j][q] * r->y[t->point_at[k * DD_DEGREE_MOST + q - 1] + i];
    }
    return fabs(sum);
}

/* Digits lost per degree: the slope of a line through log10 of the largest coefficients. */
static double decay(refiner *r, uint32_t k)
{
    uint32_t d = r->t->mesh.degree[k];
    double sj = 0, sl = 0, sjj = 0, sjl = 0;
    prepare_legendre(r, k);
    for (uint32_t j = 1; j <= d; j++) {
        double largest = 1e-15;
        for (uint32_t i = 0; i < r->t->o->x.len; i++) {
            largest = fmax(largest, coefficient(r, k, i, j));
        }
        double l = log10(largest);
        sj += j;
        sl += l;
        sjj += (double)j * j;
        sjl += j * l;
    }
    return d > 1 ? -(d * sjl - sj * sl) / (d * sjj - sj * sj) : SMOOTH;
}

/* ---- intervals with too large an error ---- */

static void treat_error(refiner *r, uint32_t k)
{
    uint32_t d = r->t->mesh.degree[k];
    double excess = r->error[k] / (SAFETY * r->tolerance), order = 2.0 * d + (r->t->mesh.nodes == DD_NODES_GAUSS);
    if (r->error[k] <= r->tolerance || r->jumps[k]) {
        return;
    }
    double rate = isfinite(excess) ? decay(r, k) : 0;
    double raise = rate > 0 ? ceil(log10(excess) / (2 * rate)) : RAISE_MOST + 1;
    if (rate >= SMOOTH && raise <= RAISE_MOST && d + (uint32_t)raise <= DD_DEGREE_MOST) {
        r->degree[k] = d + (uint32_t)raise;
        return;
    }
    double parts = isfinite(excess) ? ceil(pow(excess, 1 / order)) : 2;
    r->parts[k] = (uint32_t)fmin(fmax(parts, 2), PARTS_MOST);
}

/* ---- controls ---- */

static double control(const refiner *r, uint32_t k, double s, uint32_t i)
{
    const dd_mesh *mesh = &r->t->mesh;
    dd_transcription_control(r->t, r->y, k, mesh->theta[k] + s * (mesh->theta[k + 1] - mesh->theta[k]), r->u);
    return r->u[i];
}

static double control_mean(const refiner *r, uint32_t k, uint32_t i)
{
    uint32_t d = r->t->mesh.degree[k];
    double sum = 0;
    for (uint32_t j = 1; j <= d; j++) {
        sum += r->t->weight[d][j] * control(r, k, r->t->tau[d][j], i);
    }
    return sum;
}

static void find_ranges(refiner *r)
{
    for (uint32_t i = 0; i < r->t->o->u.len; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < r->t->mesh.n; k++) {
            for (uint32_t j = 1; j <= r->t->mesh.degree[k]; j++) {
                double u = control(r, k, r->t->tau[r->t->mesh.degree[k]][j], i);
                low = fmin(low, u);
                high = fmax(high, u);
            }
        }
        r->range[i] = high - low > 1e-6 * r->t->o->u.data[i].scale ? high - low : 0;
    }
}

/* How much control i changes at interval k by itself, and from the one before to it. */
static double change_within(const refiner *r, uint32_t k, uint32_t i)
{
    return fabs(control(r, k, 1, i) - control(r, k, 0, i));
}

static double change_before(const refiner *r, uint32_t k, uint32_t i)
{
    return k > 0 ? fabs(control(r, k, 0, i) - control(r, k - 1, 1, i)) : 0;
}

/* Does control i jump inside interval k? Then at which part of it: the mean tells. */
static bool find_jump(const refiner *r, uint32_t k, uint32_t i, double *part)
{
    const dd_mesh *mesh = &r->t->mesh;
    double width = mesh->theta[k + 1] - mesh->theta[k], beside, from, to;
    if (k == 0 || k + 1 == mesh->n || r->range[i] == 0) {
        return false;
    }
    from = control(r, k - 1, 1, i);
    to = control(r, k + 1, 0, i);
    beside = fmax(change_within(r, k - 1, i), change_within(r, k + 1, i));
    if (mesh->control == DD_CONTROL_CONSTANT) {
        beside = fmax(change_before(r, k - 1, i), k + 2 < mesh->n ? change_before(r, k + 2, i) : 0);
    }
    double jump = fabs(to - from);
    if (jump < JUMP_OF_RANGE * r->range[i] || jump < JUMP_STEEP * beside) {
        return false;
    }
    *part = (control_mean(r, k, i) - to) / (from - to);
    /* the objective hardly notices what is left */
    return *part > 0 && *part < 1 && *part * (1 - *part) * width * width > 0.01 * r->tolerance;
}

static void treat_jump(refiner *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    double width = mesh->theta[k + 1] - mesh->theta[k], beside = JUMP_WIDTH * width, part;
    for (uint32_t i = 0; i < r->t->o->u.len; i++) {
        if (find_jump(r, k, i, &part)) {
            double at = mesh->theta[k] + part * width;
            r->jumps[k] = true;
            dd_vec_push(r->pool, &r->points, at - beside);
            dd_vec_push(r->pool, &r->points, at);
            dd_vec_push(r->pool, &r->points, at + beside);
        }
    }
}

/* What control i misses of a better one in interval k: it changes from neighbour to neighbour (constant) or its slope
 * does (linear). The smaller side counts, so that jumps at boundaries do no harm. */
static double missed(const refiner *r, uint32_t k, uint32_t i)
{
    const dd_mesh *mesh = &r->t->mesh;
    double width = mesh->theta[k + 1] - mesh->theta[k], sides[2] = {INFINITY, INFINITY};
    for (uint32_t side = 0; side < 2; side++) {
        if (side == 0 ? k == 0 : k + 1 == mesh->n) {
            continue;
        }
        uint32_t other = side == 0 ? k - 1 : k + 1;
        double apart = mesh->theta[other + 1] - mesh->theta[other];
        if (mesh->control == DD_CONTROL_CONSTANT) {
            sides[side] = fabs(control(r, k, 0, i) - control(r, other, 0, i)) * 2 * width / (width + apart);
        } else {
            double slope = (control(r, k, 1, i) - control(r, k, 0, i)) / width;
            double slope_other = (control(r, other, 1, i) - control(r, other, 0, i)) / apart;
            sides[side] = fabs(slope - slope_other) * 2 * width * width / (width + apart);
        }
    }
    double least = fmin(sides[0], sides[1]);
    return isfinite(least) ? least : 0;
}

/* The same for a polynomial: its part of highest degree, d - 1, by the divided difference at the collocation points. */
static double missed_polynomial(const refiner *r, uint32_t k, uint32_t i)
{
    uint32_t d = r->t->mesh.degree[k];
    double sum = 0;
    for (uint32_t j = 1; j <= d; j++) {
        double product = 1;
        for (uint32_t q = 1; q <= d; q++) {
            product *= q == j ? 1 : r->t->tau[d][j] - r->t->tau[d][q];
        }
        sum += control(r, k, r->t->tau[d][j], i) / product;
    }
    return fabs(sum) / pow(4, d - 1.0); /* s^(d-1) on [0, 1] differs by about this from lower degrees */
}

/* ---- the objective has not settled ---- */

/* The share of interval k in what the objective may gain, to the power that makes it proportional to the number of parts
 * it deserves. */
static double share(const refiner *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    double width = mesh->theta[k + 1] - mesh->theta[k], worst = 0, order;
    order = mesh->control == DD_CONTROL_CONSTANT ? 3
            : mesh->control == DD_CONTROL_LINEAR ? 5
                                                 : 2.0 * mesh->degree[k] + 1;
    for (uint32_t i = 0; i < r->t->o->u.len; i++) {
        bool polynomial = mesh->control == DD_CONTROL_POLYNOMIAL;
        double m = r->range[i] > 0 ? (polynomial ? missed_polynomial(r, k, i) : missed(r, k, i)) / r->range[i] : 0;
        worst = fmax(worst, m);
    }
    return r->jumps[k] ? 0 : pow(width * worst * worst, 1 / order);
}

static void treat_objective(refiner *r, double growth)
{
    const dd_mesh *mesh = &r->t->mesh;
    double *shares = dd_pool_alloc_array(r->pool, mesh->n + 1, sizeof *shares), sum = 0;
    for (uint32_t k = 0; k < mesh->n; k++) {
        shares[k] = share(r, k);
        sum += shares[k];
    }
    for (uint32_t k = 0; k < mesh->n && sum > 0; k++) {
        uint32_t parts = (uint32_t)fmin(fmax(round(growth * mesh->n * shares[k] / sum), 1), PARTS_MOST);
        bool raised = r->degree[k] > mesh->degree[k] || r->parts[k] > 1;
        if (mesh->control != DD_CONTROL_POLYNOMIAL) {
            r->parts[k] = parts > r->parts[k] ? parts : r->parts[k];
        } else if (parts > 1 && !raised) {
            bool smooth = decay(r, k) >= SMOOTH && mesh->degree[k] < DD_DEGREE_MOST;
            r->degree[k] += smooth;
            r->parts[k] = smooth ? 1 : 2;
        }
    }
}

/* ---- the new mesh ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Boundaries of interval k's parts and of the points in it; those that hardly differ are one. */
static void add_interval(refiner *r, uint32_t k, dd_mesh *out, uint32_t *next)
{
    const dd_mesh *mesh = &r->t->mesh;
    double begin = mesh->theta[k], width = mesh->theta[k + 1] - begin, least = 1e-3 * JUMP_WIDTH * width;
    DD_VEC(double) cuts = {0};
    for (uint32_t j = 1; j < r->parts[k]; j++) {
        dd_vec_push(r->pool, &cuts, begin + j * width / r->parts[k]);
    }
    for (; *next < r->points.len && r->points.data[*next] < mesh->theta[k + 1]; (*next)++) {
        dd_vec_push(r->pool, &cuts, r->points.data[*next]);
    }
    if (cuts.len > 0) {
        qsort(cuts.data, cuts.len, sizeof *cuts.data, by_value);
    }
    double last = begin;
    out->theta[out->n] = begin;
    out->degree[out->n++] = r->degree[k];
    for (uint32_t j = 0; j < cuts.len; j++) {
        if (cuts.data[j] - last > least && mesh->theta[k + 1] - cuts.data[j] > least) {
            last = out->theta[out->n] = cuts.data[j];
            out->degree[out->n++] = r->degree[k];
        }
    }
}

static dd_mesh build(refiner *r)
{
    const dd_mesh *mesh = &r->t->mesh;
    uint32_t most = r->points.len, next = 0;
    for (uint32_t k = 0; k < mesh->n; k++) {
        most += r->parts[k];
    }
    dd_mesh out = {.nodes = mesh->nodes, .control = mesh->control};
    out.theta = dd_pool_alloc_array(r->pool, most + 1, sizeof *out.theta);
    out.degree = dd_pool_alloc_array(r->pool, most + 1, sizeof *out.degree);
    if (r->points.len > 0) {
        qsort(r->points.data, r->points.len, sizeof *r->points.data, by_value);
    }
    for (; next < r->points.len && r->points.data[next] <= 0; next++) {
    }
    for (uint32_t k = 0; k < mesh->n; k++) {
        add_interval(r, k, &out, &next);
    }
    out.theta[out.n] = 1;
    return out;
}

dd_mesh dd_mesh_refined(const dd_transcription *t, const double *y, const double *error, double tolerance,
                        double growth, dd_pool *pool)
{
    refiner *r = dd_pool_alloc(pool, sizeof *r);
    *r = (refiner){.t = t, .y = y, .error = error, .tolerance = tolerance, .pool = pool};
    r->u = dd_pool_alloc_array(pool, t->o->u.len + 1, sizeof *r->u);
    r->range = dd_pool_alloc_array(pool, t->o->u.len + 1, sizeof *r->range);
    r->parts = dd_pool_alloc_array(pool, t->mesh.n + 1, sizeof *r->parts);
    r->degree = dd_pool_alloc_array(pool, t->mesh.n + 1, sizeof *r->degree);
    r->jumps = dd_pool_alloc_array(pool, t->mesh.n + 1, sizeof *r->jumps);
    find_ranges(r);
    for (uint32_t i = 0; i < t->o->instants.len; i++) {
        dd_vec_push(pool, &r->points, t->o->instants.data[i].theta);
    }
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        r->parts[k] = 1;
        r->degree[k] = t->mesh.degree[k];
        treat_jump(r, k);
        treat_error(r, k);
    }
    if (growth > 1) {
        treat_objective(r, growth);
    }
    return build(r);
}
