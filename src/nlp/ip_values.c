/* ip_values.c - functions of the program in scaled variables, the barrier function, residuals of the optimality
 * conditions. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "nlp/ip_impl.h"

#define ROUNDING (32 * DBL_EPSILON) /* of sums of products with a multiplier, relative to it */
#define NOISE_MATTERS 1e-4          /* residuals above are no noise */
#define FAR_FROM_NOISE 1e-2         /* times the tolerance: rows that hold better are no reason for anything */
#define MOST_NOISE 1e-7             /* and no more is excused, however large the multipliers are */

/* ---- calls ---- */

void dd_ip_unscaled(const dd_ip_base *b, const double *scaled, double *x)
{
    if (!b->scaled_x) {
        memcpy(x, scaled, b->nlp->n * sizeof *x);
        return;
    }
    for (uint32_t i = 0; i < b->nlp->n; i++) {
        x[i] = scaled[i] / b->x_scale[i];
    }
}

/* The caller's x for a point; *new_x: functions were last asked for elsewhere. */
static const double *at(dd_ip_base *b, const dd_ip_point *point, bool *new_x)
{
    *new_x = point->serial != b->evaluated;
    b->evaluated = point->serial;
    if (!b->scaled_x) {
        return point->w; /* as it is */
    }
    if (*new_x) {
        dd_ip_unscaled(b, point->w, b->x);
    }
    return b->x;
}

/* Notes a point where a function has no value. */
static bool note(dd_ip_base *b, const double *x, bool ok)
{
    if (!ok) {
        b->failed = true;
        if (b->result->failed_at != NULL) {
            memcpy(b->result->failed_at, x, b->nlp->n * sizeof *x);
        }
    }
    return ok;
}

static double proximity(const dd_ip *ip, const double *x)
{
    /* zeta/2 |D (x - reference)|^2, W&B (30a) */
    double sum = 0;
    for (uint32_t i = 0; i < ip->n; i++) {
        double d = ip->weight[i] * (x[i] - ip->reference[i]);
        sum += d * d;
    }
    return 0.5 * ip->zeta * sum;
}

/* Magnitudes by clearing the sign, maxima by comparison; what is not a number fails every comparison with infinity. */
typedef long long whole4 __attribute__((vector_size(32), aligned(8), may_alias));

static const whole4 unsigned_bits = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};

/* c = scale c - rhs (NULL: 1, 0), |c|_1 and |c|_infinity in one pass. Four sums at once: one would wait for itself. */
DD_CLONES static void settle_rows(dd_ip_point *point, const double *scale, const double *rhs, uint32_t m)
{
    dd_v4 sum = {0}, most = {0};
    double *c = point->c, largest = 0;
    uint32_t i = 0;
    /* c = scale*c - rhs, |c|_1 and max|c| in one pass, four rows at a time, then the rest */
    for (; i + 4 <= m; i += 4) {
        dd_v4 v = dd_v4_load(c + i);
        if (scale != NULL) {
            v *= dd_v4_load(scale + i);
        }
        if (rhs != NULL) {
            v -= dd_v4_load(rhs + i);
        }
        dd_v4_store(c + i, v);
        const dd_v4 size = (dd_v4)((whole4)v & unsigned_bits);
        const whole4 more = (whole4)(size > most);
        most = (dd_v4)(((whole4)size & more) | ((whole4)most & ~more));
        sum += size;
    }
    for (; i < m; i++) {
        c[i] = (scale != NULL ? scale[i] : 1) * c[i] - (rhs != NULL ? rhs[i] : 0);
        sum[0] += fabs(c[i]);
        largest = fabs(c[i]) > largest ? fabs(c[i]) : largest;
    }
    for (int k = 0; k < 4; k++) {
        largest = most[k] > largest ? most[k] : largest;
    }
    point->theta = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    point->largest = isfinite(point->theta) ? largest : INFINITY;
}

/* c(x) + sum of sign t - rhs, and its size. Rows without any bound have no residual. */
static bool residuals(dd_ip *ip, dd_ip_point *point)
{
    const dd_ip_base *b = ip->base;
    settle_rows(point, b->scaled_c ? b->c_scale : NULL, b->rhs, ip->m);
    for (uint32_t t = 0; t < ip->nt; t++) {
        point->c[ip->row[t]] += ip->sign[t] * point->w[ip->n + t];
    }
    for (uint32_t i = 0; i < ip->m && b->any_idle; i++) {
        point->c[i] = b->idle[i] ? 0 : point->c[i];
    }
    if (ip->nt > 0 || b->any_idle) {
        settle_rows(point, NULL, NULL, ip->m);
    }
    return isfinite(point->theta);
}

bool dd_ip_evaluate(dd_ip *ip, dd_ip_point *point)
{
    dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    double begin = dd_clock_seconds(), f = 0;
    bool new_x;
    point->serial = ++b->last_serial;
    const double *x = at(b, point, &new_x);
    /* the restoration has an objective of its own */
    bool ok = ip->outer != NULL || nlp->objective(nlp->user, x, new_x, &f);
    ok = ok && nlp->constraints(nlp->user, x, ip->outer != NULL && new_x, point->c);
    b->seconds_evaluate += dd_clock_seconds() - begin;
    if (!note(b, x, ok && residuals(ip, point) && isfinite(f))) {
        return false;
    }
    point->objective = ip->outer == NULL ? b->f_scale * f : proximity(ip, point->w);
    for (uint32_t t = 0; t < ip->nt; t++) {
        point->objective += ip->cost[t] * point->w[ip->n + t];
    }
    return true;
}

static void scale(double *values, const double *factors, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        values[k] *= factors[k];
    }
}

bool dd_ip_derivatives(dd_ip *ip)
{
    dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    double begin = dd_clock_seconds();
    bool new_x, ok = true;
    const double *x = at(b, &ip->now, &new_x);
    /* the objective's gradient, or that of the proximity term in a restoration */
    if (ip->outer == NULL) {
        ok = nlp->gradient(nlp->user, x, new_x, ip->gradient);
        new_x = false;
        for (uint32_t i = 0; i < ip->n && (b->scaled_x || b->f_scale != 1); i++) {
            ip->gradient[i] *= b->f_scale / b->x_scale[i];
        }
    } else {
        for (uint32_t i = 0; i < ip->n; i++) {
            ip->gradient[i] = ip->zeta * ip->weight[i] * ip->weight[i] * (ip->now.w[i] - ip->reference[i]);
        }
    }
    b->jacobian_factored = false;
    ok = ok && nlp->jacobian(nlp->user, x, new_x, b->jacobian);
    if (b->scaled_jacobian) {
        scale(b->jacobian, b->jacobian_scale, nlp->jacobian_nnz);
    }
    b->seconds_evaluate += dd_clock_seconds() - begin;
    if (note(b, x, ok)) {
        dd_ip_lagrangian(ip);
    }
    return ok;
}

bool dd_ip_hessian(dd_ip *ip)
{
    dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    double begin = dd_clock_seconds();
    bool new_x;
    const double *x = at(b, &ip->now, &new_x);
    for (uint32_t i = 0; i < ip->m && b->scaled_c; i++) {
        b->lambda[i] = ip->y[i] * b->c_scale[i];
    }
    bool ok = nlp->hessian(nlp->user, x, new_x, ip->outer == NULL ? b->f_scale : 0, b->scaled_c ? b->lambda : ip->y,
                           b->hessian);
    if (b->scaled_x) {
        scale(b->hessian, b->hessian_scale, nlp->hessian_nnz);
    }
    b->seconds_evaluate += dd_clock_seconds() - begin;
    return note(b, x, ok);
}

void dd_ip_lagrangian(dd_ip *ip)
{
    /* grad f + A^T y - zl + zu; fixed variables have no equation */
    dd_ip_add_subtract(ip->dual, ip->gradient, ip->zu, ip->zl, ip->n);
    for (uint32_t t = 0, i = ip->n; t < ip->nt; t++, i++) {
        ip->dual[i] = ip->cost[t] + ip->zu[i] - ip->zl[i];
    }
    dd_ip_add_transposed(ip, ip->y, ip->dual);
    for (uint32_t i = 0; i < ip->n && ip->base->any_fixed; i++) {
        ip->dual[i] = ip->base->fixed[i] ? 0 : ip->dual[i];
    }
}

/* ---- the barrier function, W&B (3a) with damping ---- */

/* -sum of logarithms of distances, as logarithms of products while these stay in range: a logarithm costs as much as
 * twenty products. */
typedef struct log_sum {
    double product, sum;
} log_sum;

static void multiply(log_sum *s, double distance)
{
    s->product *= distance;
    if (!(s->product > 1e-200 && s->product < 1e200)) {
        s->sum += log(s->product);
        s->product = 1;
    }
}

/* Over mu: it is asked for several times at the same point. */
static double barrier_terms(const dd_ip *ip, const dd_ip_point *point)
{
    log_sum logs = {1, 0};
    double linear = 0;
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        double distance = point->w[i] - ip->lower[i];
        multiply(&logs, distance);
        linear += ip->damping[i] * distance; /* of variables with both bounds it is zero */
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        double distance = ip->upper[i] - point->w[i];
        multiply(&logs, distance);
        linear -= ip->damping[i] * distance;
    }
    double all = logs.sum + log(logs.product);
    return linear - all;
}

double dd_ip_barrier(const dd_ip *ip, dd_ip_point *point)
{
    if (point->barrier_serial != point->serial) {
        point->barrier = barrier_terms(ip, point);
        point->barrier_serial = point->serial;
    }
    return point->objective + ip->mu * point->barrier;
}

void dd_ip_set_inverses(dd_ip *ip)
{
    if (ip->inverse_serial == ip->now.serial) {
        return;
    }
    for (uint32_t k = 0; k < ip->n_low; k++) {
        ip->low_inverse[k] = 1 / (ip->now.w[ip->low[k]] - ip->lower[ip->low[k]]);
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        ip->high_inverse[k] = 1 / (ip->upper[ip->high[k]] - ip->now.w[ip->high[k]]);
    }
    ip->inverse_serial = ip->now.serial;
}

double dd_ip_slope(dd_ip *ip, const double *dw)
{
    double sum[2] = {0}, bounds = 0;
    /* two sums at once; then the barrier terms */
    for (uint32_t i = 0; i + 2 <= ip->n; i += 2) {
        sum[0] += ip->gradient[i] * dw[i];
        sum[1] += ip->gradient[i + 1] * dw[i + 1];
    }
    if (ip->n % 2 == 1) {
        sum[0] += ip->gradient[ip->n - 1] * dw[ip->n - 1];
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        sum[1] += ip->cost[t] * dw[ip->n + t];
    }
    dd_ip_set_inverses(ip);
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        bounds += (ip->damping[i] - ip->low_inverse[k]) * dw[i];
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        bounds += (ip->damping[i] + ip->high_inverse[k]) * dw[i];
    }
    return sum[0] + sum[1] + ip->mu * bounds;
}

/* ---- residuals ---- */

DD_CLONES static double largest_of(const double *v, uint32_t n)
{
    dd_v4 most[2] = {{0}}, strange = {0};
    uint32_t i = 0;
    /* two maxima at once: one would wait for itself; products with zero find what comparisons do not see */
    for (; i + 8 <= n; i += 8) {
        for (uint32_t k = 0; k < 2; k++) {
            dd_v4 size = (dd_v4)((whole4)dd_v4_load(v + i + 4 * k) & unsigned_bits);
            whole4 more = (whole4)(size > most[k]);
            most[k] = (dd_v4)(((whole4)size & more) | ((whole4)most[k] & ~more));
            strange += 0 * size;
        }
    }
    double all = 0, sum = strange[0] + strange[1] + strange[2] + strange[3];
    for (uint32_t k = 0; k < 8; k++) {
        double size = most[k / 4][k % 4];
        all = size > all ? size : all;
    }
    for (; i < n; i++) {
        double size = fabs(v[i]);
        all = size > all ? size : all;
        sum += 0 * size;
    }
    return sum != 0 ? INFINITY : all;
}

double dd_ip_largest(const double *v, uint32_t n)
{
    return largest_of(v, n);
}

dd_ip_errors dd_ip_errors_for(const dd_ip_errors *e, double mu)
{
    dd_ip_errors out = *e;
    out.complementarity = e->most < e->least ? 0 : fmax(fabs(e->most - mu), fabs(e->least - mu));
    /* unlike W&B (5) not divided by the size of the multipliers: a gradient of 0.3 would pass for zero beside large
     * ones. Only what their rounding may have added is left out, and what that of the variables does to distances */
    out.total = fmax(e->primal, fmax(e->dual, out.complementarity - e->rounding) - e->noise);
    return out;
}

/* Products of multipliers and distances, W&B (4): the least and the largest; the largest multiplier, and the largest
 * product of one and its variable. */
typedef struct products {
    double least, most, multiplier, size;
} products;

static void add_product(products *p, double z, double distance, double w)
{
    const double product = z * distance, size = z * fabs(w);
    p->least = product < p->least ? product : p->least;
    p->most = product > p->most ? product : p->most;
    p->multiplier = z > p->multiplier ? z : p->multiplier;
    p->size = size > p->size ? size : p->size;
}

dd_ip_errors dd_ip_measure(const dd_ip *ip, double mu)
{
    products p = {.least = INFINITY, .most = -INFINITY};
    for (uint32_t k = 0; k < ip->n_low; k++) {
        const uint32_t i = ip->low[k];
        add_product(&p, ip->zl[i], ip->now.w[i] - ip->lower[i], ip->now.w[i]);
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        const uint32_t i = ip->high[k];
        add_product(&p, ip->zu[i], ip->upper[i] - ip->now.w[i], ip->now.w[i]);
    }
    dd_ip_errors e = {.dual = dd_ip_largest(ip->dual, ip->nw),
                      .primal = ip->now.largest,
                      .least = p.least,
                      .most = p.most,
                      .rounding = ROUNDING * p.size};
    if (e.dual < NOISE_MATTERS) {
        e.noise = fmin(ROUNDING * fmax(dd_ip_largest(ip->y, ip->m), p.multiplier), MOST_NOISE);
    }
    return dd_ip_errors_for(&e, mu);
}

double dd_ip_slope_allowed(const dd_ip *ip, double part)
{
    const double f_scale = ip->base->f_scale, size = fabs(dd_ip_true_objective(ip, &ip->now));
    if (f_scale * part >= ip->base->options->tolerance) {
        return INFINITY; /* the tolerance itself is no more than that */
    }
    return part * fmax(f_scale * fmax(1, size), dd_ip_largest(ip->gradient, ip->n));
}

/* What the cost changes by where one variable changes by its own size, or by one: a measure without its offset. */
static double size_of_cost(const dd_ip *ip)
{
    double size = 1;
    for (uint32_t i = 0; i < ip->nw; i++) {
        const double slope = i < ip->n ? ip->gradient[i] : ip->cost[i - ip->n];
        size = fmax(size, fabs(slope) * fmax(1, fabs(ip->now.w[i])));
    }
    return size;
}

/* How much of the gradient of the Lagrangian may be rounding of the terms that cancel in it. Spoils ew. */
static double rounding_of_dual(dd_ip *ip)
{
    /* |grad f| + |A|^T |y| + zl + zu */
    double *size = ip->ew;
    for (uint32_t i = 0; i < ip->nw; i++) {
        size[i] = fabs(i < ip->n ? ip->gradient[i] : ip->cost[i - ip->n]) + ip->zu[i] + ip->zl[i];
    }
    const dd_nlp *nlp = ip->base->nlp;
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        size[nlp->jacobian_col[k]] += fabs(ip->base->jacobian[k] * ip->y[nlp->jacobian_row[k]]);
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        size[ip->n + t] += fabs(ip->sign[t] * ip->y[ip->row[t]]);
    }
    return ROUNDING * dd_ip_largest(size, ip->nw); /* the linear system is solved to that of its largest row */
}

bool dd_ip_rows_are_rounding(dd_ip *ip, double fine)
{
    /* |A| |w| + |rhs|: the sizes of the terms that cancel in each row */
    double *size = ip->ec;
    const dd_nlp *nlp = ip->base->nlp;
    for (uint32_t i = 0; i < ip->m; i++) {
        size[i] = fabs(ip->base->rhs[i]);
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        size[nlp->jacobian_row[k]] += fabs(ip->base->jacobian[k] * ip->now.w[nlp->jacobian_col[k]]);
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        size[ip->row[t]] += fabs(ip->sign[t] * ip->now.w[ip->n + t]);
    }
    for (uint32_t i = 0; i < ip->m; i++) {
        if (!(fabs(ip->now.c[i]) <= fmax(ROUNDING * size[i], fine * ip->base->c_scale[i]))) {
            return false;
        }
    }
    return true;
}

void dd_ip_excuse_rounding(dd_ip *ip, dd_ip_errors *e)
{
    const double tolerance = ip->base->options->tolerance;
    /* beside the cost it must be small as well: multipliers of rows that nearly depend on each other grow
     * without any cost behind them */
    const double little = tolerance * size_of_cost(ip);
    if (e->dual > tolerance && e->dual <= fmin(little, rounding_of_dual(ip))) {
        e->dual = 0;
    }
    /* where the rows are rounding, the search cannot tell good steps from bad ones, and the last barrier stays */
    if (e->primal > tolerance * FAR_FROM_NOISE && dd_ip_rows_are_rounding(ip, 0)) {
        e->primal = 0;
        if (fmax(fabs(e->most), fabs(e->least)) <= little) {
            e->most = e->least = 0;
        }
    }
    *e = dd_ip_errors_for(e, 0);
}

/* The largest |c| / scale of the rows, those of inequalities left out where asked. */
static double largest_row(const dd_ip_base *b, const double *c, bool equalities_only)
{
    double worst = 0;
    for (uint32_t i = 0; i < b->nlp->m; i++) {
        double size = fabs(c[i]);
        /* divided only where it may be larger */
        bool more = size > worst * b->c_scale[i] && (b->equality[i] || !equalities_only);
        worst = more ? size / b->c_scale[i] : worst;
    }
    return worst;
}

double dd_ip_residual(const dd_ip *ip)
{
    return ip->base->scaled_c ? largest_row(ip->base, ip->now.c, false) : ip->now.largest;
}

double dd_ip_true_violation(const dd_ip *ip, const dd_ip_point *point)
{
    const dd_ip_base *b = ip->base;
    if (ip->nt == 0 && !b->scaled_c) {
        return point->largest;
    }
    /* the rows themselves: residuals without the auxiliary variables. In the first phase inequalities alone have them */
    if (ip->outer == NULL) {
        double worst = largest_row(b, point->c, true);
        for (uint32_t t = 0; t < ip->nt; t++) {
            uint32_t i = ip->row[t];
            double value = (point->c[i] - ip->sign[t] * point->w[ip->n + t]) / b->c_scale[i];
            double below = b->nlp->c_lower[i] - value, above = value - b->nlp->c_upper[i];
            worst = below > worst ? below : worst;
            worst = above > worst ? above : worst;
        }
        return worst;
    }
    memcpy(ip->ec, point->c, ip->m * sizeof *ip->ec);
    for (uint32_t t = 0; t < ip->nt; t++) {
        ip->ec[ip->row[t]] -= ip->sign[t] * point->w[ip->n + t];
    }
    double worst = 0;
    for (uint32_t i = 0; i < ip->m; i++) {
        double value = (ip->ec[i] + b->rhs[i]) / b->c_scale[i];
        double below = b->nlp->c_lower[i] - value, above = value - b->nlp->c_upper[i];
        worst = below > worst ? below : worst;
        worst = above > worst ? above : worst;
    }
    return worst;
}

double dd_ip_true_objective(const dd_ip *ip, const dd_ip_point *point)
{
    return point->objective / ip->base->f_scale;
}
