/* mesh_refined.c - where a mesh is too coarse, by degree or by width, and where controls jump.
 *
 * The choice between degree and width follows the decay of Legendre coefficients as in Liu, Hager and Rao (J.
 * Franklin Institute 352, 2015); how many parts are needed follows from the order of collocation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/walk.h"
#include "ocp/refine.h"

enum { PARTS_MOST = 4, RAISE_MOST = 3, JUMP_WINDOW = 3 };
#define SAFETY 0.03          /* of the tolerance is aimed at: errors of many intervals add up */
#define LARGE 0.1            /* of the tolerance: an error that is worth a better interval */
#define SMOOTH 0.5           /* digits that the Legendre coefficients of a smooth function lose per degree */
#define NEGLIGIBLE 0.01      /* part of the tolerance that all intervals together may lose unseen */
#define JUMP_OF_RANGE 0.25   /* a jump is at least this part of the range of the control */
#define JUMP_STEEP 3         /* and that many times the change in the intervals beside it */
#define JUMP_WIDTH 0.05      /* new interval beside a jump, relative to the one it was found in */
#define LOOSE 1.0            /* the same for the square of the width of an interval beside a jump at a boundary */
#define NO_COEFFICIENT 1e-15 /* a Legendre coefficient that is rounding: its logarithm would be noise */
#define NO_RANGE 1e-6        /* of its expected size: a control that does not move */
#define SAME_PLACE 1e-9      /* of the horizon */
#define AT_BOUNDARY 1e-6     /* of an interval: a jump that is at its end */
#define NARROWEST 1e-3       /* of the width beside a jump: boundaries that are closer are one */

typedef struct refiner {
    const dd_transcription *t;
    const double *y;
    const dd_mesh_error *error;
    double tolerance;
    dd_pool *pool;
    double *u;     /* work */
    double *range; /* per control: largest minus smallest value */
    double legendre[DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1]; /* [degree][coefficient][point] */
    uint32_t *parts, *degree;                                                    /* per interval: its future */
    bool *jumps;                                                                 /* per interval: a control does */
    bool switches;         /* the equations do, somewhere: no degree helps in an interval that contains the place */
    uint32_t least_degree; /* of all intervals */
    DD_VEC(double) points; /* more boundaries */
} refiner;

/* ---- smoothness ---- */

static void legendre_values(double s, uint32_t n, double *p)
{
    /* (n + 1) P_{n+1} = (2n + 1) x P_n - n P_{n-1} on [-1, 1] */
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
    /* once per degree */
    if (r->legendre[d][0][0] != 0 || r->legendre[d][0][1] != 0) {
        return;
    }
    /* d + 1 Gauss points are exact up to degree 2d + 1; P_j times the polynomial of x has degree 2d */
    dd_collocation_nodes(DD_NODES_GAUSS, d + 1, c);
    dd_collocation(c, d + 1, a, b);
    /* c_j = (2j + 1) int_0^1 P_j(2s - 1) x(s) ds as weights of the values x_ki */
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
    /* coefficients of analytic functions fall like rho^-j: log10 |c_j| is a line, its slope the digits per
     * degree */
    prepare_legendre(r, k);
    for (uint32_t j = 1; j <= d; j++) {
        double largest = NO_COEFFICIENT;
        for (uint32_t i = 0; i < r->t->o->x.len; i++) {
            largest = fmax(largest, coefficient(r, k, i, j));
        }
        /* sums of the normal equations of a line through (j, l) */
        double l = log10(largest);
        sj += j;
        sl += l;
        sjj += (double)j * j;
        sjl += j * l;
    }
    return d > 1 ? -(d * sjl - sj * sl) / (d * sjj - sj * sj) : SMOOTH;
}

/* ---- intervals with too large an error ---- */

/* Steps of an integrator have its order: only their size can change. */
static bool shoots(const refiner *r)
{
    return r->t->mesh.tableau != NULL;
}

static void treat_error(refiner *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    uint32_t d = mesh->degree[k];
    /* errors of many intervals add up, so the aim is well below the tolerance */
    double excess = r->error->motion[k] / (SAFETY * r->tolerance);
    double order = shoots(r) ? mesh->tableau->order : 2.0 * d + (mesh->nodes == DD_NODES_GAUSS);
    if (r->error->motion[k] <= LARGE * r->tolerance || r->jumps[k]) {
        return;
    }
    /* smooth: each degree gains 2 * rate digits at the nodes (superconvergence of collocation) */
    double rate = isfinite(excess) && !shoots(r) ? decay(r, k) : 0;
    double raise = rate > 0 ? ceil(log10(excess) / (2 * rate)) : RAISE_MOST + 1;
    /* a switch inside shows when a degree has been raised and the error is still there: it falls with the width alone */
    const bool broken = r->switches && d > r->least_degree;
    order = broken ? 1 : order;
    if (!broken && rate >= SMOOTH && raise <= RAISE_MOST && d + (uint32_t)raise <= DD_DEGREE_MOST) {
        r->degree[k] = d + (uint32_t)raise;
        return;
    }
    /* else the error falls with parts^-order */
    double parts = isfinite(excess) ? ceil(pow(excess, 1 / order)) : 2;
    r->parts[k] = (uint32_t)fmin(fmax(parts, 2), PARTS_MOST);
}

/* The integrand is not known to be as smooth as the motion: a kink, a pole beside the interval, waves. So its intervals
 * are split. */
static void treat_cost(refiner *r, uint32_t k)
{
    const double excess = r->error->cost[k] / r->error->cost_tolerance;
    if (excess > LARGE) {
        const uint32_t parts = excess > 1 ? PARTS_MOST : 2;
        r->parts[k] = r->parts[k] > parts ? r->parts[k] : parts;
    }
}

/* ---- controls ---- */

static double control(const refiner *r, uint32_t k, double s, uint32_t i)
{
    const dd_mesh *mesh = &r->t->mesh;
    dd_transcription_control(r->t, r->y, k, mesh->theta[k] + s * (mesh->theta[k + 1] - mesh->theta[k]), r->u);
    return r->u[i];
}

/* Where controls are looked at in interval k: the collocation points, or three Gauss points of an interval of
 * shooting. */
static uint32_t samples(const refiner *r, uint32_t k, const double **at, const double **weight)
{
    static const double gauss[] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double gauss_weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    uint32_t d = r->t->mesh.degree[k];
    *at = shoots(r) ? gauss : &r->t->tau[d][1];
    *weight = shoots(r) ? gauss_weight : &r->t->weight[d][1];
    return shoots(r) ? 3 : d;
}

static double control_mean(const refiner *r, uint32_t k, uint32_t i)
{
    const double *at, *weight;
    uint32_t n = samples(r, k, &at, &weight);
    double sum = 0;
    /* quadrature of the interval: its weights sum to one */
    for (uint32_t j = 0; j < n; j++) {
        sum += weight[j] * control(r, k, at[j], i);
    }
    return sum;
}

static void find_ranges(refiner *r)
{
    /* a control that hardly moves has no jumps */
    for (uint32_t i = 0; i < r->t->o->u.len; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < r->t->mesh.n; k++) {
            const double *at, *weight;
            uint32_t n = samples(r, k, &at, &weight);
            for (uint32_t j = 0; j < n; j++) {
                double u = control(r, k, at[j], i);
                low = fmin(low, u);
                high = fmax(high, u);
            }
        }
        r->range[i] = high - low > NO_RANGE * r->t->o->u.data[i].scale ? high - low : 0;
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

/* Intervals a .. b in which control i goes from one value to another. */
typedef struct jump {
    uint32_t a, b, i;
    double from, to;
} jump;

/* How much the control does on either side of the window. */
static double change_beside(const refiner *r, const jump *w)
{
    uint32_t n = r->t->mesh.n;
    if (r->t->mesh.control == DD_CONTROL_CONSTANT) {
        /* values change at boundaries only: those next to the window */
        return fmax(change_before(r, w->a - 1, w->i), w->b + 2 < n ? change_before(r, w->b + 2, w->i) : 0);
    }
    return fmax(change_within(r, w->a - 1, w->i), change_within(r, w->b + 1, w->i));
}

static bool is_jump(const refiner *r, jump *w)
{
    w->from = control(r, w->a - 1, 1, w->i);
    w->to = control(r, w->b + 1, 0, w->i);
    /* the wider the window, the steeper it must be in comparison */
    double size = fabs(w->to - w->from), steep = JUMP_STEEP * 0.5 * (w->b - w->a + 2);
    return size >= JUMP_OF_RANGE * r->range[w->i] && size >= steep * change_beside(r, w);
}

/* Where the window would change at once, with the same integral of the control; false when that is where it does so,
 * nearly: an interval that holds the part phi of the old value costs phi (1 - phi) width^2. */
static bool place_jump(const refiner *r, const jump *w, double *at)
{
    const double *theta = r->t->mesh.theta;
    /* every interval of the window keeps its mean: phi is the part that still has the old value */
    double cost = 0;
    *at = theta[w->a];
    for (uint32_t k = w->a; k <= w->b; k++) {
        double width = theta[k + 1] - theta[k], phi = (control_mean(r, k, w->i) - w->to) / (w->from - w->to);
        phi = fmin(fmax(phi, 0), 1);
        *at += phi * width;
        cost += phi * (1 - phi) * width * width;
    }
    return cost > NEGLIGIBLE * r->tolerance;
}

/* The narrowest window that begins with interval k and holds a jump of control i. */
static bool find_jump(const refiner *r, uint32_t k, uint32_t i, jump *w)
{
    /* narrow windows first: a jump inside one interval, then smeared over two, over three */
    for (uint32_t b = k; r->range[i] > 0 && k > 0 && b < k + JUMP_WINDOW && b + 1 < r->t->mesh.n; b++) {
        *w = (jump){.a = k, .b = b, .i = i};
        if (is_jump(r, w)) {
            return true;
        }
    }
    return false;
}

/* A jump at a boundary of the mesh need not belong there: it cannot move by less than the width of an interval,
 * and as many jumps as there are end conditions to meet have a value between. Narrow intervals on both sides let
 * it move. */
static void loosen_jump(refiner *r, double at)
{
    const double *theta = r->t->mesh.theta;
    uint32_t m = 1;
    /* the boundary next to the jump */
    while (m + 1 < r->t->mesh.n && theta[m] < at - SAME_PLACE) {
        m++;
    }
    double before = theta[m] - theta[m - 1], after = theta[m + 1] - theta[m], wide = fmax(before, after);
    /* narrower than this, the gain is below the tolerance */
    if (fabs(theta[m] - at) < AT_BOUNDARY * wide && wide * wide > LOOSE * r->tolerance) {
        dd_vec_push(r->pool, &r->points, at - JUMP_WIDTH * before);
        dd_vec_push(r->pool, &r->points, at + JUMP_WIDTH * after);
    }
}

static void treat_jumps(refiner *r, uint32_t i)
{
    const double *theta = r->t->mesh.theta;
    for (uint32_t k = 1; k + 1 < r->t->mesh.n; k++) {
        jump w;
        double at;
        if (!find_jump(r, k, i, &w)) {
            continue;
        }
        if (place_jump(r, &w, &at)) {
            /* three boundaries: before, at and after the jump; it then lies in an interval a twentieth as wide */
            double beside = JUMP_WIDTH * (theta[w.b + 1] - theta[w.a]);
            for (uint32_t m = w.a; m <= w.b; m++) {
                r->jumps[m] = true;
            }
            dd_vec_push(r->pool, &r->points, at - beside);
            if (r->t->mesh.control != DD_CONTROL_LINEAR) { /* whose ramp then is one interval */
                dd_vec_push(r->pool, &r->points, at);
            }
            dd_vec_push(r->pool, &r->points, at + beside);
        } else if (r->t->mesh.control != DD_CONTROL_LINEAR) {
            loosen_jump(r, at);
        }
        /* windows do not overlap */
        k = w.b;
    }
}

/* The error of control i against a better one in interval k: it changes from neighbour to neighbour (constant) or
 * its slope does (linear). The smaller side is taken, so that jumps at boundaries do no harm. */
static double missed(const refiner *r, uint32_t k, uint32_t i)
{
    const dd_mesh *mesh = &r->t->mesh;
    double width = mesh->theta[k + 1] - mesh->theta[k], sides[2] = {INFINITY, INFINITY};
    /* differences to both neighbours, as if the control were a smooth function of the middle of its interval */
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
    const double *at, *weight;
    uint32_t d = samples(r, k, &at, &weight);
    /* divided difference of order d - 1 */
    double sum = 0;
    for (uint32_t j = 0; j < d; j++) {
        double product = 1;
        for (uint32_t q = 0; q < d; q++) {
            product *= q == j ? 1 : at[j] - at[q];
        }
        sum += control(r, k, at[j], i) / product;
    }
    return fabs(sum) / pow(4, d - 1.0); /* s^(d-1) on [0, 1] differs by about this from lower degrees */
}

/* ---- the objective has not settled ---- */

/* The possible gain of the objective in interval k, about, of its size. */
static double gain(const refiner *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    double width = mesh->theta[k + 1] - mesh->theta[k], worst = 0;
    /* the loss of a control with error m over width is of second order: width * m^2 */
    for (uint32_t i = 0; i < r->t->o->u.len; i++) {
        bool polynomial = mesh->control == DD_CONTROL_POLYNOMIAL;
        double m = r->range[i] > 0 ? (polynomial ? missed_polynomial(r, k, i) : missed(r, k, i)) / r->range[i] : 0;
        worst = fmax(worst, m);
    }
    return r->jumps[k] ? 0 : width * worst * worst;
}

/* 0 where it is negligible, else the share of interval k in the possible gain, to the power that makes
 * it proportional to the number of parts it deserves. */
static double share(const refiner *r, uint32_t k)
{
    const dd_mesh *mesh = &r->t->mesh;
    /* gain ~ width^order: pow(gain, 1/order) is proportional to the parts it deserves */
    double order = mesh->control == DD_CONTROL_CONSTANT ? 3
                   : mesh->control == DD_CONTROL_LINEAR ? 5
                   : shoots(r)                          ? 2.0 * mesh->tableau->stages + 1
                                                        : 2.0 * mesh->degree[k] + 1;
    double cost = gain(r, k);
    return cost < NEGLIGIBLE * r->tolerance / mesh->n ? 0 : pow(cost, 1 / order);
}

static void treat_objective(refiner *r, double growth)
{
    const dd_mesh *mesh = &r->t->mesh;
    double *shares = dd_pool_alloc_array(r->pool, mesh->n + 1, sizeof *shares), sum = 0;
    uint32_t active = 0;
    /* parts are distributed so that the gains of all parts become equal */
    for (uint32_t k = 0; k < mesh->n; k++) {
        shares[k] = share(r, k);
        sum += shares[k];
        active += shares[k] > 0;
    }
    for (uint32_t k = 0; k < mesh->n && sum > 0; k++) {
        /* growth times as many in all, at least one and at most PARTS_MOST each */
        uint32_t parts = (uint32_t)fmin(fmax(round(growth * active * shares[k] / sum), 1), PARTS_MOST);
        bool raised = r->degree[k] > mesh->degree[k] || r->parts[k] > 1;
        /* constant and linear controls only improve by width; polynomials by degree where they are smooth */
        if (mesh->control != DD_CONTROL_POLYNOMIAL) {
            r->parts[k] = parts > r->parts[k] ? parts : r->parts[k];
        } else if (parts > 1 && !raised) {
            bool smooth = !shoots(r) && decay(r, k) >= SMOOTH && mesh->degree[k] < DD_DEGREE_MOST;
            r->degree[k] += smooth;
            r->parts[k] = smooth ? 1 : 2;
        }
    }
}

/* Nothing asks for a change, but the objective must be seen to stay: a higher order everywhere shows it. */
static void treat_all(refiner *r)
{
    for (uint32_t k = 0; k < r->t->mesh.n; k++) {
        if (!shoots(r) && r->t->mesh.degree[k] < DD_DEGREE_MOST) {
            r->degree[k]++;
        } else {
            r->parts[k] = 2;
        }
    }
}

static bool unchanged(const refiner *r)
{
    /* instants of the problem are always among the points */
    bool same = r->points.len == r->t->o->instants.len;
    for (uint32_t k = 0; k < r->t->mesh.n && same; k++) {
        same = r->parts[k] == 1 && r->degree[k] == r->t->mesh.degree[k];
    }
    return same;
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
    double begin = mesh->theta[k], width = mesh->theta[k + 1] - begin, least = NARROWEST * JUMP_WIDTH * width;
    DD_VEC(double) cuts = {0};
    /* parts of equal width and further boundaries, in one sorted list */
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
    /* the left end, then all cuts that leave room on both sides */
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
    /* an upper bound of the number of intervals */
    for (uint32_t k = 0; k < mesh->n; k++) {
        most += r->parts[k];
    }
    dd_mesh out = *mesh;
    out.n = 0;
    out.theta = dd_pool_alloc_array(r->pool, most + 1, sizeof *out.theta);
    out.degree = dd_pool_alloc_array(r->pool, most + 1, sizeof *out.degree);
    if (r->points.len > 0) {
        qsort(r->points.data, r->points.len, sizeof *r->points.data, by_value);
    }
    /* points before the horizon */
    for (; next < r->points.len && r->points.data[next] <= 0; next++) {
    }
    for (uint32_t k = 0; k < mesh->n; k++) {
        add_interval(r, k, &out, &next);
    }
    out.theta[out.n] = 1;
    return out;
}

static refiner *new_refiner(const dd_transcription *t, const double *y, double tolerance, dd_pool *pool)
{
    refiner *r = dd_pool_alloc(pool, sizeof *r);
    *r = (refiner){.t = t, .y = y, .tolerance = tolerance, .pool = pool};
    r->u = dd_pool_alloc_array(pool, t->o->u.len + 1, sizeof *r->u);
    r->range = dd_pool_alloc_array(pool, t->o->u.len + 1, sizeof *r->range);
    r->parts = dd_pool_alloc_array(pool, t->mesh.n + 1, sizeof *r->parts);
    r->degree = dd_pool_alloc_array(pool, t->mesh.n + 1, sizeof *r->degree);
    r->jumps = dd_pool_alloc_array(pool, t->mesh.n + 1, sizeof *r->jumps);
    find_ranges(r);
    r->switches =
        dd_has_switch(t->o->dag, t->o->f.data, t->o->f.len) || dd_has_switch(t->o->dag, t->o->g.data, t->o->g.len);
    r->least_degree = DD_DEGREE_MOST;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        r->least_degree = t->mesh.degree[k] < r->least_degree ? t->mesh.degree[k] : r->least_degree;
    }
    /* times at which the problem asks for values are boundaries, so that they are nodes */
    for (uint32_t i = 0; i < t->o->instants.len; i++) {
        dd_vec_push(pool, &r->points, t->o->instants.data[i].theta);
    }
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        r->parts[k] = 1;
        r->degree[k] = t->mesh.degree[k];
    }
    /* jumps first: intervals that hold one are neither raised nor split by their error */
    for (uint32_t i = 0; i < t->o->u.len; i++) {
        treat_jumps(r, i);
    }
    return r;
}

double dd_mesh_control_loss(const dd_transcription *t, const double *y, double tolerance, dd_pool *pool)
{
    const refiner *r = new_refiner(t, y, tolerance, pool);
    double sum = 0;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        sum += gain(r, k);
    }
    return sum;
}

dd_mesh dd_mesh_refined(const dd_transcription *t, const double *y, const dd_mesh_error *error, double growth,
                        dd_pool *pool)
{
    refiner *r = new_refiner(t, y, error->tolerance, pool);
    r->error = error;
    /* changes for the errors, then for the objective */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        treat_error(r, k);
        treat_cost(r, k);
    }
    if (growth > 1) {
        treat_objective(r, growth);
    }
    if (unchanged(r)) {
        treat_all(r);
    }
    return build(r);
}

dd_mesh dd_mesh_halved(const dd_mesh *mesh, dd_pool *pool)
{
    dd_mesh out = *mesh;
    out.n = 2 * mesh->n;
    out.theta = dd_pool_alloc_array(pool, out.n + 1, sizeof *out.theta);
    out.degree = dd_pool_alloc_array(pool, out.n + 1, sizeof *out.degree);
    for (uint32_t k = 0; k < mesh->n; k++) {
        out.theta[2 * k] = mesh->theta[k];
        out.theta[2 * k + 1] = 0.5 * (mesh->theta[k] + mesh->theta[k + 1]);
        out.degree[2 * k] = out.degree[2 * k + 1] = mesh->degree[k];
    }
    out.theta[out.n] = mesh->theta[mesh->n];
    return out;
}
