/* ranking.c - ranks by orthogonalisation with the largest remainder first, and steps along the remaining freedom that
 * distinguish rows that follow from rows that only touch. */
#include "ocp/ranking.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "la/dense.h"

#define ARRIVED 1e-11   /* residual of the kept rows after a short step from a point on them */
#define NO_TANGENT 1e-6 /* of a direction: less is left of one that the kept rows determine */
#define WALK 0.05       /* expected sizes: long enough to see curvature, short enough for the way back */
#define SHORTEST_WALK 1e-3
#define SHORTER_WALK 0.2
/* Remainder of a unit gradient below which a row adds nothing: where rows touch, the point is only half as exact. */
#define DEPENDENT 1e-5
#define EQUALLY_GOOD (1 + 1e-9) /* remainders that differ by rounding: the first row is taken */
#define COMBINATION_CUT 1e-10   /* of the largest singular value, for kept rows, which are independent */
#define VARIES 1e-8             /* residual after a step above which a row does not follow */

/* The smallest x that makes a x - b smallest, a column-major with m rows. False where there is none; raises without
 * memory. */
static bool least_squares(dd_pool *scratch, uint32_t m, uint32_t n, const double *a, const double *b, double cut,
                          double *x)
{
    dd_context *ctx = dd_pool_context(scratch);
    dd_status status = dd_lstsq_dense(ctx, &(dd_dense){m, n, a, m}, b, cut, x, NULL, NULL);
    if (status == DD_OUT_OF_MEMORY) {
        dd_raise(ctx, status, "%s", dd_status_text(status));
    }
    return status == DD_OK;
}

/* ---- ranks ---- */

/* Takes the directions of q out of a vector; returns the length of the rest. */
static double take_out(double *row, const double *q, uint32_t n_q, uint32_t n)
{
    /* Gram-Schmidt twice is enough (Kahan, Parlett): the second pass removes the rounding of the first */
    double sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < n_q; k++) {
            double dot = 0;
            for (uint32_t j = 0; j < n; j++) {
                dot += row[j] * q[(size_t)k * n + j];
            }
            for (uint32_t j = 0; j < n; j++) {
                row[j] -= dot * q[(size_t)k * n + j];
            }
        }
    }
    for (uint32_t j = 0; j < n; j++) {
        sum += row[j] * row[j];
    }
    return sqrt(sum);
}

static double remainder_of(const dd_ranking *k, uint32_t output, double *work)
{
    uint32_t n = k->inputs.len;
    memcpy(work, k->unit + (size_t)output * n, n * sizeof *work);
    return take_out(work, k->q, k->n_q, n);
}

/* work: the remainder of the output, of this length. */
static void keep(dd_ranking *k, uint32_t output, const double *work, double length)
{
    uint32_t n = k->inputs.len;
    /* the remainder, normalised, is the next direction of the orthonormal basis */
    for (uint32_t j = 0; j < n; j++) {
        k->q[(size_t)k->n_q * n + j] = work[j] / length;
    }
    k->n_q++;
    k->kept[output] = true;
}

static void unit_gradients(dd_ranking *k)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    /* all rows are equal, whatever their units */
    for (uint32_t i = 0; i < m; i++) {
        double sum = 0, *row = k->unit + (size_t)i * n;
        for (uint32_t j = 0; j < n; j++) {
            row[j] = k->jac[(size_t)j * m + i];
            sum += row[j] * row[j];
        }
        for (uint32_t j = 0; j < n && sum > 0; j++) {
            row[j] /= sqrt(sum);
        }
    }
}

static void select_among(dd_ranking *k, bool (*allowed)(const dd_ranking *k, uint32_t row))
{
    uint32_t m = k->outputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *work = dd_pool_alloc_array(scratch, k->inputs.len + 1, sizeof *work);
    /* orthogonalisation with pivoting: the rank of unit gradients, and which rows carry it */
    unit_gradients(k);
    memset(k->kept, 0, m * sizeof *k->kept);
    k->n_q = 0;
    k->quality = 1;
    /* invariants first and without pivoting: no row of the user may take the place of one */
    for (uint32_t i = 0; i < k->invariant_of.len; i++) {
        double rest = remainder_of(k, i, work);
        if (rest > DEPENDENT) {
            keep(k, i, work, rest);
        }
    }
    for (bool more = true; more;) { /* of rows that are equally good the first is taken */
        double best = DEPENDENT;
        uint32_t which = m;
        for (uint32_t i = k->invariant_of.len; i < m; i++) {
            double rest = k->kept[i] || !allowed(k, i - k->invariant_of.len) ? 0 : remainder_of(k, i, work);
            if (rest > best * EQUALLY_GOOD) {
                best = rest;
                which = i;
            }
        }
        more = which < m;
        if (more) {
            keep(k, which, work, remainder_of(k, which, work));
            /* the smallest pivot: how close the kept rows are to dependence */
            k->quality = fmin(k->quality, best);
        }
    }
    dd_pool_free(scratch);
}

static bool any_row(const dd_ranking *k, uint32_t row)
{
    (void)k;
    (void)row;
    return true;
}

static bool row_in_use(const dd_ranking *k, uint32_t row)
{
    return !k->o->points.data[k->rows.data[row]].dropped;
}

void dd_ranking_select(dd_ranking *k)
{
    select_among(k, any_row);
}

double dd_ranking_quality_now(dd_ranking *k)
{
    select_among(k, row_in_use);
    for (uint32_t i = 0; i < k->rows.len; i++) { /* one that adds nothing is the worst that can be */
        if (row_in_use(k, i) && !k->kept[k->invariant_of.len + i]) {
            k->quality = 0;
        }
    }
    return k->quality;
}

/* ---- remaining freedom ---- */

bool dd_ranking_tangent(const dd_ranking *k, double *direction)
{
    uint32_t n = k->inputs.len;
    double before = 0, most = 0;
    /* P d = d - Q Q^T d, the projection onto the null space of the kept gradients */
    for (uint32_t j = 0; j < n; j++) {
        direction[j] = k->fixed[j] ? 0 : direction[j];
        before += direction[j] * direction[j];
    }
    double after = take_out(direction, k->q, k->n_q, n);
    for (uint32_t j = 0; j < n; j++) {
        most = fmax(most, fabs(direction[j]));
    }
    /* nothing is left but rounding: the kept rows leave no freedom in that direction */
    if (!(after > NO_TANGENT * sqrt(before))) {
        return false;
    }
    /* the largest component has length 1, in expected sizes */
    for (uint32_t j = 0; j < n; j++) {
        direction[j] /= most;
    }
    return true;
}

/* Goes along the direction and back onto the kept outputs; the point itself stays where it was. v: NULL or the inputs
 * there. */
static bool walk(dd_ranking *k, const double *direction, double *out, double *v)
{
    uint32_t n = k->inputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *before = dd_pool_alloc_array(scratch, n + 1, sizeof *before);
    bool arrived = false;
    /* shorter steps until the way back onto the kept rows is found: 0.05, 0.01, 0.002 expected sizes */
    memcpy(before, k->v, n * sizeof *before);
    for (double length = WALK; length > SHORTEST_WALK && !arrived; length *= SHORTER_WALK) {
        for (uint32_t j = 0; j < n; j++) {
            k->v[j] = before[j] + length * direction[j] * k->scale[j];
        }
        arrived = dd_ranking_project(k, true, scratch) < ARRIVED;
    }
    if (arrived) {
        memcpy(out, k->r, k->outputs.len * sizeof *out);
    }
    if (arrived && v != NULL) {
        memcpy(v, k->v, n * sizeof *v);
    }
    /* the point and its Jacobian are as before */
    memcpy(k->v, before, n * sizeof *before);
    dd_ranking_evaluate(k);
    dd_pool_free(scratch);
    return arrived;
}

bool dd_ranking_step(dd_ranking *k, const double *direction, double *out)
{
    return walk(k, direction, out, NULL);
}

void dd_ranking_varies(dd_ranking *k, bool *varies, bool *moves)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *direction = dd_pool_alloc_array(scratch, n + 1, sizeof *direction);
    double *after = dd_pool_alloc_array(scratch, m + 1, sizeof *after);
    double *v = dd_pool_alloc_array(scratch, n + 1, sizeof *v);
    uint64_t random = 0x2545f4914f6cdd1du;
    memset(varies, 0, m * sizeof *varies);
    memset(moves, 0, n * sizeof *moves);
    /* random tangents: a row that follows from the kept ones stays zero along all of them, one that only touches
     * does not. Four, so that a row must be missed four times to be misjudged */
    for (int attempt = 0; attempt < 4; attempt++) {
        for (uint32_t j = 0; j < n; j++) {
            direction[j] = dd_random(&random);
        }
        if (!dd_ranking_tangent(k, direction) || !walk(k, direction, after, v)) {
            continue;
        }
        /* states that do not move are determined by the kept rows */
        for (uint32_t j = 0; j < n; j++) {
            moves[j] = moves[j] || fabs(v[j] - k->v[j]) > VARIES * k->scale[j];
        }
        for (uint32_t i = 0; i < m; i++) {
            varies[i] = varies[i] || fabs(after[i] - k->r[i]) > VARIES * dd_ranking_size(k, i);
        }
    }
    dd_pool_free(scratch);
}

/* The kept ones stay the same, their directions are those at the point. */
static void renew_directions(dd_ranking *k, double *work)
{
    dd_ranking_evaluate(k);
    unit_gradients(k);
    k->n_q = 0;
    for (uint32_t i = 0; i < k->outputs.len; i++) {
        double rest = k->kept[i] ? remainder_of(k, i, work) : 0;
        if (rest > 0) {
            keep(k, i, work, rest);
        }
    }
}

/* The gradient of an output along the kept ones, in the given states. */
static void slope_along(dd_ranking *k, uint32_t output, const uint32_t *states, uint32_t count, double *slope,
                        double *work)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    /* tangent gradient: (I - Q Q^T) grad r */
    renew_directions(k, work);
    for (uint32_t j = 0; j < n; j++) {
        work[j] = k->jac[(size_t)j * m + output];
    }
    take_out(work, k->q, k->n_q, n);
    for (uint32_t i = 0; i < count; i++) {
        slope[i] = work[states[i]];
    }
}

static void move_states(dd_ranking *k, const uint32_t *states, const double *by, uint32_t count, double *work,
                        dd_pool *scratch)
{
    uint32_t n = k->inputs.len;
    /* unit moves of single states, projected onto the tangent space; their sum is the step */
    for (uint32_t i = 0; i < count; i++) {
        memset(work, 0, n * sizeof *work);
        work[states[i]] = 1;
        take_out(work, k->q, k->n_q, n);
        for (uint32_t j = 0; j < n; j++) {
            k->v[j] += k->fixed[j] ? 0 : by[i] * work[j] * k->scale[j];
        }
    }
    dd_ranking_project(k, true, scratch);
}

void dd_ranking_extreme(dd_ranking *k, uint32_t output, const uint32_t *states, uint32_t count)
{
    /* forward differences of tangent gradients: far above the error of the projections, and Newton's method forgives
     * the rest */
    enum { NEWTON_STEPS = 6 };
    const double h = 1e-4, flat = 1e-6; /* steps in expected sizes; singular values of the Hessian that are zero */
    uint32_t n = k->inputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *work = dd_pool_alloc_array(scratch, n + 1, sizeof *work),
           *here = dd_pool_alloc_array(scratch, n + 1, sizeof *here);
    double *slope = dd_pool_alloc_array(scratch, 4 * (size_t)count + 1, sizeof *slope), *there = slope + count;
    double *by = slope + 2 * count, *step = slope + 3 * count;
    double *second = dd_pool_alloc_array(scratch, (size_t)count * count + 1, sizeof *second);
    /* Newton's method for a stationary point of one residual on the manifold of the kept rows, in few
     * coordinates */
    for (int newton = 0; newton < NEWTON_STEPS; newton++) {
        dd_ranking_project(k, true, scratch);
        slope_along(k, output, states, count, slope, work);
        memcpy(here, k->v, n * sizeof *here);
        /* column i of the Hessian in these coordinates: difference of the tangent gradients */
        for (uint32_t i = 0; i < count; i++) {
            memset(by, 0, count * sizeof *by);
            by[i] = h;
            move_states(k, states, by, count, work, scratch);
            slope_along(k, output, states, count, there, work);
            for (uint32_t j = 0; j < count; j++) {
                second[i * count + j] = (there[j] - slope[j]) / h;
            }
            memcpy(k->v, here, n * sizeof *here);
            renew_directions(k, work);
        }
        /* H step = -gradient; singular directions are left alone by the cut */
        for (uint32_t i = 0; i < count; i++) {
            by[i] = -slope[i];
        }
        if (!least_squares(scratch, count, count, second, by, flat, step)) {
            break;
        }
        move_states(k, states, step, count, work, scratch);
    }
    renew_directions(k, work);
    dd_pool_free(scratch);
}

bool dd_ranking_returns(dd_ranking *k, const uint32_t *states, uint32_t count)
{
    uint32_t n = k->inputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *here = dd_pool_alloc_array(scratch, n + 1, sizeof *here);
    const double beside = 0.1, same = 1e-3; /* expected sizes: how far it begins, how near it must end */
    uint64_t random = 0x5851f42d4c957f2du;
    bool returns = true;
    memcpy(here, k->v, n * sizeof *here);
    /* from a little beside: if all rows together lead back to the same values of these states, they are isolated */
    for (int attempt = 0; attempt < 3 && returns; attempt++) {
        for (uint32_t j = 0; j < n; j++) {
            double r = dd_random(&random);
            k->v[j] = here[j] + (k->fixed[j] ? 0 : beside * r * k->scale[j]);
        }
        returns = dd_ranking_project(k, false, scratch) < DD_RANKING_FOUND;
        for (uint32_t i = 0; i < count; i++) {
            returns = returns && fabs(k->v[states[i]] - here[states[i]]) < same * k->scale[states[i]];
        }
    }
    memcpy(k->v, here, n * sizeof *here);
    dd_ranking_evaluate(k);
    dd_pool_free(scratch);
    return returns;
}

void dd_ranking_branches(dd_ranking *k, double *low, double *high, double *low_input, double *high_input)
{
    enum { SEARCHES = 12 };
    uint32_t n = k->inputs.len, m = k->outputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *here = dd_pool_alloc_array(scratch, n + 1, sizeof *here);
    uint64_t random = 0x14057b7ef767814fu;
    /* the point itself belongs to the range */
    memcpy(here, k->v, n * sizeof *here);
    memcpy(low, k->r, m * sizeof *low);
    memcpy(high, k->r, m * sizeof *high);
    if (low_input != NULL) {
        memcpy(low_input, k->v, n * sizeof *low_input);
        memcpy(high_input, k->v, n * sizeof *high_input);
    }
    /* other branches of the kept rows: a square root has two, an angle many; each search begins elsewhere */
    for (int search = 0; search < SEARCHES; search++) {
        for (uint32_t j = 0; j < k->n_states; j++) { /* first the mirror image, then all around */
            double r = dd_random(&random), size = fmax(fabs(here[j]), k->scale[j]);
            k->v[j] = k->fixed[j] ? here[j] : search == 0 ? -here[j] : (search % 2 == 0 ? -here[j] : 0) + 3 * r * size;
        }
        /* only points on the kept rows belong to a branch */
        if (dd_ranking_project(k, true, scratch) < DD_RANKING_FOUND) {
            for (uint32_t i = 0; i < m; i++) {
                low[i] = fmin(low[i], k->r[i]);
                high[i] = fmax(high[i], k->r[i]);
            }
            for (uint32_t j = 0; low_input != NULL && j < n; j++) {
                low_input[j] = fmin(low_input[j], k->v[j]);
                high_input[j] = fmax(high_input[j], k->v[j]);
            }
        }
        memcpy(k->v, here, n * sizeof *here);
    }
    dd_ranking_evaluate(k);
    dd_pool_free(scratch);
}

void dd_ranking_combination(dd_ranking *k, uint32_t output, double *factor)
{
    uint32_t m = k->outputs.len, n = k->inputs.len, count = 0;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *a = dd_pool_alloc_array(scratch, (size_t)m * n + 1, sizeof *a);
    double *x = dd_pool_alloc_array(scratch, m + 1, sizeof *x);
    uint32_t *of = dd_pool_alloc_array(scratch, m + 1, sizeof *of);
    memset(factor, 0, m * sizeof *factor);
    /* columns: unit gradients of the kept rows */
    for (uint32_t i = 0; i < m; i++) {
        if (k->kept[i] && i != output) {
            memcpy(a + (size_t)count * n, k->unit + (size_t)i * n, n * sizeof *a);
            of[count++] = i;
        }
    }
    /* grad r_output = sum_i factor_i grad r_i in the sense of least squares */
    if (count > 0 && least_squares(scratch, n, count, a, k->unit + (size_t)output * n, COMBINATION_CUT, x)) {
        for (uint32_t i = 0; i < count; i++) {
            factor[of[i]] = x[i];
        }
    }
    dd_pool_free(scratch);
}

double dd_ranking_size(const dd_ranking *k, uint32_t output)
{
    double size = 0;
    /* the effect of one expected size of a state on the row: the unit of its residual */
    for (uint32_t j = 0; j < k->inputs.len; j++) {
        for (uint32_t e = k->derivative->ptr[j]; e < k->derivative->ptr[j + 1] && j < k->n_states; e++) {
            bool here = k->derivative->idx[e] == output;
            size = here ? fmax(size, fabs(k->entries[e]) * k->scale[j]) : size;
        }
    }
    return size > 0 && isfinite(size) ? size : 1;
}

const char *dd_ranking_input_name(const dd_ranking *k, uint32_t i)
{
    const dd_ocp_problem *o = k->o;
    const dd_instant *at = &o->instants.data[k->instants.data[i / o->x.len]];
    const char *name = dd_model_var_name_dup(o->model, o->x.data[i % o->x.len].var, o->pool);
    if (at->theta == 0 || at->theta == 1) {
        return dd_pool_printf(o->pool, "%s(%s)", name, at->theta == 0 ? "startTime" : "finalTime");
    }
    return dd_pool_printf(o->pool, "%s(%g)", name, o->t0_value + at->theta * (o->tf_value - o->t0_value));
}
