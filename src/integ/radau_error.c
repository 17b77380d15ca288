/* radau_error.c - the error estimates of a step.
 *
 * The first compares the slope of the collocation polynomial at the left end with the true one, filtered by the real
 * matrix:  err = (gamma/h M + J)^-1 M (w' + 1/h sum e_i Z_i). It is of order s. The second, of components that follow a
 * forcing term, is made from it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/radau_impl.h"

/* The error of forced components is kept below 1/FORCED of the tolerance, FORCED_Z times that in algebraic unknowns; bounds
 * of it below FORCED_ENOUGH of that, or below the other estimate, are not made sharper. */
static const double FORCED = 3.0, FORCED_Z = 2.0, FORCED_ENOUGH = 0.01;

/* Relative errors of x that are mere rounding: shorter steps do not make them smaller. */
static const double ROUNDING = 10 * DBL_EPSILON;
/* Assigned unknowns are looked at now and then, and where they would matter if they were steeper by this. */
static const double STEEPER = 10;

/* Root mean square over x: z follows from it without memory, and may be of a much rougher kind (forces,
 * accelerations of constrained mechanics); assigned variables are not looked at either. */
static double error_norm(const radau *r, const double *v)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t j = 0; j < r->n; j++) {
        if (r->base.problem->differential[j]) {
            double x = v[j] * r->weight[j];
            sum += x * x;
            count++;
        }
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

/* out += values v, for values on the pattern */
static void add_product(const radau *r, const double *values, const double *v, double *out)
{
    const dd_csc *pattern = &r->base.problem->pattern;
    for (uint32_t j = 0; j < r->n; j++) {
        for (uint32_t k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++) {
            out[pattern->idx[k]] += values[k] * v[j];
        }
    }
}

/* v := (gamma/h M + J)^-1 v */
static void filter(radau *r, double *v)
{
    dd_pencil_solve(r->real, v, NULL);
    if (r->conserve) {
        dd_conserve_apply(r->conserve, v, NULL, 0);
    }
}

/* err = (gamma/h M + J)^-1 (M (w' + 1/h sum e_i Z_i) - F(w', w + err_before, t)), the last term on the second try. */
double dd_radau_estimate(radau *r, double h)
{
    const radau_order *o = &r->order[r->now];
    const dd_problem *p = r->base.problem;
    uint32_t n = r->n, s = o->k.s;
    /* x'(t_n) less the slope of the collocation polynomial at the left end */
    for (uint32_t j = 0; j < n; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < s; i++) {
            sum += o->k.e[i] * r->z[(size_t)j * o->ld + i];
        }
        r->work[j] = p->differential[j] ? r->base.wdot[j] + sum / h : 0.0;
    }
    /* filtered: stiff components would be overestimated without */
    memset(r->work2, 0, n * sizeof *r->work2);
    add_product(r, r->m, r->work, r->work2);
    memcpy(r->err, r->work2, n * sizeof *r->err);
    filter(r, r->err);
    double err = error_norm(r, r->err);
    /* a first or repeated step: filter once more through F, which damps what is stiff (IV.8) */
    if (err >= 1.0 && (r->first || r->after_rejection)) {
        for (uint32_t j = 0; j < n; j++) {
            r->work[j] = r->base.w[j] + r->err[j];
        }
        p->residual(p->user, r->base.t, r->work, r->base.wdot, r->err);
        r->base.stats.residuals++;
        for (uint32_t j = 0; j < n; j++) {
            r->err[j] = r->work2[j] - r->err[j];
        }
        filter(r, r->err);
        double second = error_norm(r, r->err);
        err = isfinite(second) ? second : err;
    }
    return fmax(err, 1e-10);
}

/* The change of assigned unknowns where w changes by err, in tolerances; the smaller one of both directions, since a jump may
 * be next to the point. Of rough z and of rates beside them nothing is asked, nor of what follows from these. */
static double error_of_assigned(radau *r)
{
    const dd_problem *p = r->base.problem;
    const uint32_t n = r->n, count = r->n_assigned;
    double *const value = r->assigned, *rate = r->du, most = 0;
    /* explicit rates change by -J err */
    memset(r->work2, 0, n * sizeof *r->work2);
    add_product(r, r->j, r->err, r->work2);
    for (int side = 0; side < 3; side++) { /* the point, behind it, before it */
        const double part = side == 2 ? -1 : side;
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t row = p->rate_row && !p->rough_z ? p->rate_row[j] : DD_NO_INDEX;
            r->work[j] = r->base.w[j] + (p->differential[j] || !p->rough_z ? part * r->err[j] : 0.0);
            rate[j] = r->base.wdot[j] - (row != DD_NO_INDEX ? part * r->work2[row] : 0.0);
        }
        p->assigned(p->user, r->base.t, r->work, rate, value + (size_t)side * count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double off = fmin(fabs(value[count + i] - value[i]), fabs(value[2 * count + i] - value[i]));
        most =
            fmax(most, off / (r->atol_now * r->assigned_atol * p->assigned_nominal[i] + r->rtol_now * fabs(value[i])));
    }
    r->unlooked = 0;
    return most;
}

/* The size of err in x, and with all that follows from x: where that is steep it has an error that x hardly shows. z each for
 * itself; assigned unknowns are evaluated only now and then (look), else they have the share they had. */
typedef struct error_size {
    double x, all;
} error_size;

static error_size size_of_error(radau *r, bool look)
{
    const uint8_t *x = r->base.problem->differential;
    error_size e = {.x = error_norm(r, r->err)};
    e.all = e.x;
    if (e.x * r->rtol_now <= ROUNDING) {
        return e;
    }
    for (uint32_t j = 0; j < r->n && !r->base.problem->rough_z; j++) {
        e.all = x[j] ? e.all : fmax(e.all, fabs(r->err[j]) * r->weight[j] / FORCED_Z);
    }
    r->base.steep = look ? error_of_assigned(r) / e.x : r->base.steep;
    e.all = fmax(e.all, r->base.steep * e.x / FORCED_Z);
    return e;
}

/* err := (I - F) err,  F = (gamma/h M + J)^-1 gamma/h M */
static void take_away_factor(radau *r, double h)
{
    memset(r->work, 0, r->n * sizeof *r->work);
    add_product(r, r->m, r->err, r->work);
    for (uint32_t j = 0; j < r->n; j++) {
        r->work[j] *= r->order[r->now].k.gamma / h;
    }
    filter(r, r->work);
    for (uint32_t j = 0; j < r->n; j++) {
        r->err[j] -= r->work[j];
    }
}

/* The error at the end of the step of components that follow a forcing term. For x' = lambda (x - g) + g' it is,
 * with z = h lambda and h^(s+1) g^(s+1) ~ d,
 *
 *     e_s^T ((I - z A)^-1 - I) Delta d = C z^(s-1) / prod_i (1 - z mu_i) d,   mu_i the eigenvalues of A
 *
 * (the stages have order s; B(2s-1) and D(s-1) imply the zero at 0, stiff accuracy the decay at infinity). With the
 * real eigenvalue in place of all, F = (I - z/gamma)^-1 and err = F h/gamma (w' - P'(0)), it is (I - F)^(s-1) err:
 * within 0.6 and 1.6 times the true value for real z and all s used here. In what is not stiff nothing is left, and
 * order 2s - 1 holds; what is left is measured in the tolerance asked for, not in the transformed one.
 *
 * x is then off its g by as much, delta, and its slope by lambda delta, whatever the length of the next step. That
 * is no error of the next step, in which delta decays, but its estimate has it, F h/gamma lambda delta = (F - I)
 * delta: a step is not rejected for what was estimated before.
 *
 * Unknowns that follow x steeply, z = k (x - g), turn an error of x far below the tolerance into one far above it, and they
 * are printed, too: the same is asked of them. Those that were put into the rows are evaluated beside x when nobody has
 * looked for a while, or where they might matter. */
double dd_radau_forced(radau *r, double h, double size)
{
    const radau_order *o = &r->order[r->now];
    const double unit = FORCED * r->rtol_now / r->options.rtol, enough = fmax(size, FORCED_ENOUGH);
    bool look = false, due = r->n_assigned > 0 && ++r->unlooked > DD_RADAU_SELDOM;
    error_size e = size_of_error(r, false);
    e.all = fmax(e.all, size);
    /* each pass takes away one factor F: err := (I - F) err */
    for (uint32_t k = 1;;) {
        if (k < o->k.s && e.all * unit > enough) {
            take_away_factor(r, h);
            e = size_of_error(r, look);
            k++;
        } else if (!look && (due || STEEPER * r->base.steep * e.x * unit > 1.0)) {
            look = true;
            e = size_of_error(r, look);
        } else {
            break;
        }
    }
    return e.all * unit > enough ? e.all * unit : 0.0;
}

/* The estimate of forced components looks at one point of the step, where the derivative behind it may happen to be
 * zero. So an estimate affects the following steps too, a tenth of it in each, as if the derivative were as large as
 * before; the factor by which the next step may be longer on that account, where the error grows with h^2s at most. */
double dd_radau_forced_growth(radau *r, double forced, double h_before, double h)
{
    const double fades = 0.1;
    const uint32_t s = r->order[r->last].k.s;
    const double expected = h_before > 0 ? fades * r->forced_size * pow(h / h_before, s) : 0.0;
    r->forced_size = fmax(forced, expected);
    return r->forced_size > 0 ? pow(fades * r->forced_size, -0.5 / s) : INFINITY;
}
