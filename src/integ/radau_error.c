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

/* The same with z, each for itself: where z follows x steeply it has an error that x hardly shows, and z is printed, too.
 * Errors of x that are mere rounding are no errors of z that shorter steps could mend. */
static double error_with_z(const radau *r, const double *v)
{
    const double rounding = 10 * DBL_EPSILON, x = error_norm(r, v);
    double most = x;
    for (uint32_t j = 0; j < r->n && x * r->rtol_now > rounding; j++) {
        most = r->base.problem->differential[j] ? most : fmax(most, fabs(v[j]) * r->weight[j] / FORCED_Z);
    }
    return most;
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
 * delta: a step is not rejected for what was estimated before. */
double dd_radau_forced(radau *r, double h, double size)
{
    const radau_order *o = &r->order[r->now];
    const double unit = FORCED * r->rtol_now / r->options.rtol, enough = fmax(size, FORCED_ENOUGH);
    size = fmax(size, error_with_z(r, r->err));
    /* each pass takes away one factor F: err := (I - F) err */
    for (uint32_t k = 1; k < o->k.s && size * unit > enough; k++) {
        memset(r->work, 0, r->n * sizeof *r->work);
        add_product(r, r->m, r->err, r->work);
        for (uint32_t j = 0; j < r->n; j++) {
            r->work[j] *= o->k.gamma / h;
        }
        filter(r, r->work);
        for (uint32_t j = 0; j < r->n; j++) {
            r->err[j] -= r->work[j];
        }
        size = error_with_z(r, r->err);
    }
    return size * unit > enough ? size * unit : 0.0;
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
