/* irk_newton.c - the equations of the stages,
 *
 *     F(K_i, x_n + h sum_j A_ij K_j, z_i, t_n + c_i h) = 0,   i = 1..s,
 *
 * by Newton's method with the matrix at the start of the step; where that converges slowly, with the Jacobians of all
 * stages at the iterate. K, not the stage values, is unknown: A may be singular. Start reading at dd_irk_stages. */
#include <math.h>
#include <string.h>

#include "integ/fixed_newton.h"
#include "integ/irk_impl.h"

enum {
    MOST_EXTRAPOLATED = 5, /* stages whose polynomial is continued as a guess */
    MOST_FOLLOWED = 60
};                                  /* solutions on the way from a short step to a given one */
static const double SHORTER = 0.25; /* of the length at which Newton's method failed: where the way begins */
static const double CLOSE = 1.02;   /* a length that is no more than that beyond the last one does not lead further */

/* ---- convergence ---- */

/* of the corrections du of u, which has them already */
static double size_of(irk *r, const double *du, const double *u, uint32_t first, uint32_t stages)
{
    const bool given = r->options.fixed_step > 0;
    double sum = 0, most = -1;
    /* root mean square over stages and unknowns; note the unknown that moved most */
    for (uint32_t i = first; i < stages; i++) {
        for (uint32_t j = 0; j < r->n; j++) {
            const size_t q = (size_t)i * r->n + j;
            const double d = given ? dd_newton_part(du[q], r->weight[j], u[q]) : du[q] * r->weight[j];
            sum += d * d;
            if (!(d * d <= most)) {
                most = d * d;
                r->base.worst = j;
            }
        }
    }
    return r->n > 0 ? sqrt(sum / ((double)(stages - first) * r->n)) : 0.0;
}

static void renewed(irk *r, dd_newton_watch *watch)
{
    dd_newton_renewed(watch);
    r->base.stats.factorizations++;
}

static void converged(irk *r, const dd_newton_watch *watch)
{
    r->theta = watch->theta;
    r->stale = r->stale || dd_newton_was_slow(watch);
}

/* ---- coupled stages ---- */

/* Does x' lead further in this step than x is large? Then it says nothing about the end, and x + h x' may lie beside another
 * root: T' = -T^4 from 1000 in a long step. */
static bool slope_leads_astray(const irk *r, double h)
{
    const dd_problem *p = r->base.problem;
    for (uint32_t j = 0; j < r->n; j++) {
        if (p->differential[j] && fabs(h * r->base.wdot[j]) > fmax(fabs(r->base.w[j]), p->nominal[j])) {
            return true;
        }
    }
    return false;
}

static void guess(irk *r, double h, bool extrapolate)
{
    const uint8_t *x = r->base.problem->differential;
    const uint32_t n = r->n, s = r->s, known = extrapolate ? r->first : s;
    const double slope = r->options.fixed_step > 0 && !extrapolate && slope_leads_astray(r, h) ? 0 : h;
    /* constant slope: K_i = x'_n, z_i = z_n; right for the known first stage in any case */
    for (uint32_t i = 0; i < known; i++) {
        for (uint32_t j = 0; j < n; j++) {
            r->u[(size_t)i * n + j] = x[j] ? (i < r->first ? h : slope) * r->base.wdot[j] : r->base.w[j];
        }
    }
    if (!extrapolate) {
        return;
    }
    /* the polynomial of the last step continued: u = h K scales with the step size */
    for (uint32_t i = r->first; i < s; i++) {
        double weight[DD_TABLEAU_STAGES];
        dd_irk_lagrange(r, 1.0 + r->tableau->c[i] * h / r->h_last, weight);
        double *to = r->u + (size_t)i * n;
        memset(to, 0, n * sizeof *to);
        for (uint32_t k = 0; k < s; k++) {
            const double *from = r->u_last + (size_t)k * n, scale = h / r->h_last;
            for (uint32_t j = 0; j < n; j++) {
                to[j] += weight[k] * from[j] * (x[j] ? scale : 1.0);
            }
        }
    }
}

/* Points and rates of all stages, from u, as a batch. */
static void set_points(irk *r, double h)
{
    const uint8_t *x = r->base.problem->differential;
    const uint32_t n = r->n, s = r->s, ld = r->ld;
    const double *A = r->tableau->A;
    /* X_i = x_n + sum_k A_ik u_k, X'_i = u_i / h */
    for (uint32_t j = 0; j < n; j++) {
        double *point = r->point + (size_t)j * ld, *rate = r->rate + (size_t)j * ld;
        for (uint32_t i = 0; i < ld; i++) {
            const uint32_t row = i < s ? i : s - 1; /* pads repeat the last stage */
            double sum = x[j] ? r->base.w[j] : r->u[(size_t)row * n + j];
            for (uint32_t k = 0; k < s && x[j]; k++) {
                sum += A[(size_t)row * s + k] * r->u[(size_t)k * n + j];
            }
            point[i] = sum;
            rate[i] = x[j] ? r->u[(size_t)row * n + j] / h : 0.0;
        }
    }
}

static dd_step_verdict factor_coupled(irk *r, double h, size_t stride)
{
    bool singular;
    /* a known first stage is not part of the matrix */
    const size_t skip = r->first * stride;
    dd_status st =
        dd_stage_matrix_factor(r->matrix, 1.0 / h, r->m + skip, r->j + skip, stride, &singular, &r->base.worst);
    const size_t count = (stride > 0 ? r->s : 1) * (size_t)r->base.problem->pattern.ptr[r->n];
    /* memory, a rank defect or an infinity: each has another verdict */
    r->factored = st == DD_OK && !singular;
    r->h_factored = h;
    r->stale = false;
    r->each_stage = stride > 0;
    if (r->factored) {
        return DD_STEP_OK;
    }
    return st != DD_OK                                                ? DD_STEP_OUT_OF_MEMORY
           : dd_all_finite(r->m, count) && dd_all_finite(r->j, count) ? DD_STEP_SINGULAR
                                                                      : DD_STEP_NONFINITE;
}

/* The Jacobians of all stages at the iterate: full Newton. */
static dd_step_verdict refresh_coupled(irk *r, double h)
{
    const dd_problem *p = r->base.problem;
    const uint32_t n = r->n, s = r->s, ld = r->ld;
    const size_t nnz = p->pattern.ptr[n];
    set_points(r, h);
    /* the Jacobian takes single points: gather them from the batch */
    for (uint32_t i = 0; i < s; i++) {
        for (uint32_t j = 0; j < n; j++) {
            r->work[j] = r->point[(size_t)j * ld + i];
            r->err[j] = r->rate[(size_t)j * ld + i];
        }
        p->jacobian(p->user, r->times[i], r->work, r->err, r->m + i * nnz, r->j + i * nnz);
        r->base.stats.jacobians++;
    }
    return factor_coupled(r, h, nnz);
}

static dd_step_verdict correct_coupled(irk *r, double h)
{
    const dd_problem *p = r->base.problem;
    const uint32_t n = r->n, s = r->s, ld = r->ld;
    /* residuals of all stages in one batch, then all corrections by one solve */
    set_points(r, h);
    p->residuals(p->user, s, ld, r->times, r->point, r->rate, r->f);
    r->base.stats.residuals += s;
    r->base.stats.newton++;
    for (uint32_t i = 0; i < s; i++) {
        for (uint32_t j = 0; j < n; j++) {
            r->du[(size_t)i * n + j] = i < r->first ? 0.0 : -r->f[(size_t)j * ld + i];
        }
    }
    if (!dd_all_finite(r->du, (size_t)s * n)) {
        return DD_STEP_NONFINITE;
    }
    dd_stage_matrix_solve(r->matrix, r->du + (size_t)r->first * n);
    for (size_t q = 0; q < (size_t)s * n; q++) {
        r->u[q] += r->du[q];
    }
    return dd_all_finite(r->du, (size_t)s * n) ? DD_STEP_OK : DD_STEP_NONFINITE;
}

static void take_back_coupled(irk *r, const dd_newton_watch *watch)
{
    const size_t count = dd_newton_went_astray(watch) ? (size_t)r->s * r->n : 0;
    const double part = dd_newton_part_back(watch);
    for (size_t q = 0; q < count; q++) {
        r->u[q] -= part * r->du[q];
    }
}

/* The sizes of what the points are added up from, |x_n| + sum_k |A_ik u_k|: where stages cancel (Lobatto IIIC, whose
 * first one is x_n but for that), it is these that are rounded. */
static void set_magnitudes(irk *r)
{
    const uint8_t *x = r->base.problem->differential;
    const uint32_t n = r->n, s = r->s;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < s && x[j]; i++) {
            double sum = fabs(r->base.w[j]);
            for (uint32_t k = 0; k < s; k++) {
                sum += fabs(r->tableau->A[(size_t)i * s + k] * r->u[(size_t)k * n + j]);
            }
            r->point[(size_t)j * r->ld + i] = sum;
        }
    }
}

/* Were the residuals of the last correction rounding errors? The points are recomputed by whoever needs them next. */
static bool at_rounding_coupled(irk *r)
{
    set_magnitudes(r);
    const size_t nnz = r->base.problem->pattern.ptr[r->n], stride = r->each_stage ? nnz : 0;
    for (uint32_t i = r->first; i < r->s; i++) {
        const dd_residual_point at = {.w = r->point + i,
                                      .v = r->rate + i,
                                      .f = r->f + i,
                                      .m = r->m + i * stride,
                                      .j = r->j + i * stride,
                                      .stride = r->ld};
        if (!dd_residual_is_rounding(r->base.problem, &at, r->work)) {
            return false;
        }
    }
    return true;
}

static dd_step_verdict solve_coupled(irk *r, double h)
{
    const dd_problem *p = r->base.problem;
    dd_step_verdict v = DD_STEP_OK;
    dd_newton_watch watch = {.wary = r->base.wary, .damped = r->damped};
    if (r->followed_from > 0) { /* the guess is near, the start of the step is not */
        v = refresh_coupled(r, h);
        renewed(r, &watch);
    } else if (!r->factored || r->stale || r->h_factored != h) {
        /* one Jacobian at the start of the step for all stages, kept while h does not change */
        p->jacobian(p->user, r->base.t, r->base.w, r->base.wdot, r->m, r->j);
        r->base.stats.jacobians++;
        v = factor_coupled(r, h, 0);
        renewed(r, &watch);
        if (v == DD_STEP_SINGULAR) { /* singular at one point: look at the stages */
            v = refresh_coupled(r, h);
            renewed(r, &watch);
        }
    }
    while (v == DD_STEP_OK) {
        v = correct_coupled(r, h);
        if (v != DD_STEP_OK) {
            break;
        }
        /* the watch decides by the rate of convergence */
        switch (dd_newton_judge(&watch, size_of(r, r->du, r->u, r->first, r->s), r->goal)) {
        case DD_NEWTON_DONE:
            converged(r, &watch);
            return DD_STEP_OK;
        case DD_NEWTON_FAILED:
            v = DD_STEP_NEWTON_FAILED;
            break;
        case DD_NEWTON_REFRESH:
            if ((r->options.higher_index || dd_newton_rests(&watch)) && at_rounding_coupled(r)) {
                set_points(r, h);
                converged(r, &watch);
                return DD_STEP_OK;
            }
            take_back_coupled(r, &watch);
            v = refresh_coupled(r, h);
            renewed(r, &watch);
            break;
        default:
            break;
        }
    }
    r->stale = true;
    return v;
}

/* ---- one stage after the other ---- */

static dd_step_verdict factor_stage(irk *r, double h, uint32_t i, double t, const double *w, const double *v,
                                    bool renew)
{
    const dd_problem *p = r->base.problem;
    const uint32_t q = r->solver_of[i];
    /* a new Jacobian invalidates the factors of all A_ii */
    if (renew) {
        p->jacobian(p->user, t, w, v, r->m, r->j);
        r->base.stats.jacobians++;
        memset(r->solver_valid, 0, sizeof r->solver_valid);
        r->stale = false;
        r->factored = true;
        r->h_factored = h;
    }
    /* M / (h A_ii) + J */
    bool singular;
    const double a = r->tableau->A[(size_t)i * r->s + i];
    dd_status st = dd_pencil_factor(r->stage_solver[q], 1.0 / (h * a), 0, r->m, r->j, &singular, &r->base.worst);
    r->solver_valid[q] = st == DD_OK && !singular;
    if (r->solver_valid[q]) {
        return DD_STEP_OK;
    }
    const size_t nnz = p->pattern.ptr[r->n];
    return st != DD_OK                                            ? DD_STEP_OUT_OF_MEMORY
           : dd_all_finite(r->m, nnz) && dd_all_finite(r->j, nnz) ? DD_STEP_SINGULAR
                                                                  : DD_STEP_NONFINITE;
}

/* point := x_n + sum_{k < i} A_ik u_k, and A_ii u_i with all */
static void set_point(irk *r, double h, uint32_t i, bool with_itself)
{
    const uint8_t *x = r->base.problem->differential;
    const double *a = r->tableau->A + (size_t)i * r->s, *ui = r->u + (size_t)i * r->n;
    for (uint32_t j = 0; j < r->n; j++) {
        double sum = x[j] ? r->base.w[j] : ui[j];
        for (uint32_t k = 0; k < i + with_itself && x[j]; k++) {
            sum += a[k] * r->u[(size_t)k * r->n + j];
        }
        r->point[j] = sum;
        r->rate[j] = x[j] ? ui[j] / h : 0.0;
    }
}

/* A_ii = 0: x' and z at a known x */
static dd_step_verdict explicit_stage(irk *r, double h, uint32_t i, double t)
{
    const uint8_t *x = r->base.problem->differential;
    double *u = r->u + (size_t)i * r->n;
    /* x of this stage is known, so F = 0 determines x' and z */
    set_point(r, h, i, false);
    dd_rhs_accuracy accuracy = {r->weight, h, r->goal, .given = r->options.fixed_step > 0, .wary = r->base.wary};
    dd_step_verdict v = DD_STEP_OK;
    if (i == 0) { /* the end of the last step */
        memcpy(r->point, r->base.w, r->n * sizeof *r->point);
        memcpy(r->rate, r->base.wdot, r->n * sizeof *r->rate);
    } else {
        v = dd_rhs_solve(r->rhs, t, r->point, r->rate, &accuracy, &r->base.stats, &r->base.worst);
    }
    for (uint32_t j = 0; j < r->n; j++) {
        u[j] = x[j] ? h * r->rate[j] : r->point[j];
    }
    return v;
}

static bool at_rounding(irk *r)
{
    const dd_residual_point at = {.w = r->point, .v = r->rate, .f = r->f, .m = r->m, .j = r->j, .stride = 1};
    return dd_residual_is_rounding(r->base.problem, &at, r->work);
}

static void take_back(irk *r, double h, uint32_t i, const dd_newton_watch *watch)
{
    double *u = r->u + (size_t)i * r->n;
    if (dd_newton_went_astray(watch)) {
        const double part = dd_newton_part_back(watch);
        for (uint32_t j = 0; j < r->n; j++) {
            u[j] += part * r->du[j];
        }
        set_point(r, h, i, true);
    }
}

static dd_step_verdict implicit_stage(irk *r, double h, uint32_t i, double t)
{
    const dd_problem *p = r->base.problem;
    const double a = r->tableau->A[(size_t)i * r->s + i];
    double *u = r->u + (size_t)i * r->n, *du = r->du;
    dd_newton_watch watch = {.wary = r->base.wary, .damped = r->damped};
    dd_step_verdict v = DD_STEP_OK;
    bool renew = !r->factored || r->stale || r->h_factored != h;
    /* the guess is in u; the point follows from it */
    set_point(r, h, i, true);
    if (renew || !r->solver_valid[r->solver_of[i]]) {
        v = factor_stage(r, h, i, t, r->point, r->rate, renew);
        renewed(r, &watch);
    }
    while (v == DD_STEP_OK) {
        /* simplified Newton: (M / (h a) + J) d = F; d corrects the stage value, which is a du for x */
        p->residual(p->user, t, r->point, r->rate, r->f);
        memcpy(du, r->f, r->n * sizeof *du);
        r->base.stats.residuals++;
        r->base.stats.newton++;
        if (!dd_all_finite(du, r->n)) {
            v = DD_STEP_NONFINITE;
            break;
        }
        dd_pencil_solve(r->stage_solver[r->solver_of[i]], du, NULL);
        for (uint32_t j = 0; j < r->n; j++) {
            du[j] /= p->differential[j] ? a : 1.0;
            u[j] -= du[j];
        }
        /* measured in u = h K, as for coupled stages */
        const double size = size_of(r, du, u, 0, 1);
        const dd_newton_next next = dd_newton_judge(&watch, size, r->goal);
        const bool rests = r->options.higher_index || dd_newton_rests(&watch);
        const bool least = next == DD_NEWTON_REFRESH && rests && at_rounding(r);
        set_point(r, h, i, true);
        if (next == DD_NEWTON_DONE || least) {
            converged(r, &watch);
            return DD_STEP_OK;
        }
        if (next == DD_NEWTON_FAILED) {
            v = isfinite(size) ? DD_STEP_NEWTON_FAILED : DD_STEP_NONFINITE;
        } else if (next == DD_NEWTON_REFRESH) {
            take_back(r, h, i, &watch);
            v = factor_stage(r, h, i, t, r->point, r->rate, true);
            renewed(r, &watch);
        }
    }
    /* the next attempt begins with a new Jacobian */
    r->stale = true;
    return v;
}

static dd_step_verdict solve_diagonal(irk *r, double h)
{
    dd_step_verdict v = DD_STEP_OK;
    for (uint32_t i = 0; i < r->s && v == DD_STEP_OK; i++) {
        const double t = r->base.t + r->tableau->c[i] * h;
        v = r->tableau->A[(size_t)i * r->s + i] == 0 ? explicit_stage(r, h, i, t) : implicit_stage(r, h, i, t);
    }
    return v;
}

/* ---- all ---- */

static dd_step_verdict solve(irk *r, double h)
{
    /* pads of the batch repeat the last stage */
    for (uint32_t i = 0; i < r->ld; i++) {
        r->times[i] = r->base.t + r->tableau->c[i < r->s ? i : r->s - 1] * h;
    }
    return r->matrix ? solve_coupled(r, h) : solve_diagonal(r, h);
}

/* Given steps cannot be shortened, but the stages depend on the length of the step continuously: from a short one, which is
 * solved, Newton's method follows them to the given one. */
static dd_step_verdict follow(irk *r, double h)
{
    const uint8_t *x = r->base.problem->differential;
    const uint32_t count = r->s * r->n;
    double reached = 0, length = SHORTER * h;
    dd_step_verdict v = DD_STEP_NEWTON_FAILED;
    for (int k = 0; k < MOST_FOLLOWED; k++) {
        if (reached == 0) {
            guess(r, length, false);
        }
        for (uint32_t q = 0; q < count && reached > 0; q++) { /* u = h K scales with the length */
            r->u[q] = r->followed[q] * (x[q % r->n] ? length / reached : 1.0);
        }
        r->followed_from = reached;
        v = solve(r, length);
        r->followed_from = 0;
        if (v == DD_STEP_OUT_OF_MEMORY || (v == DD_STEP_OK && length == h)) {
            return v;
        }
        if (v == DD_STEP_OK) {
            memcpy(r->followed, r->u, count * sizeof *r->u);
            reached = length;
            length = fmin(2 * length, h);
        } else {
            length = reached > 0 ? sqrt(reached * length) : SHORTER * length;
        }
        if (length < CLOSE * reached) {
            break;
        }
    }
    return v == DD_STEP_OK ? DD_STEP_NEWTON_FAILED : v;
}

dd_step_verdict dd_irk_stages(irk *r, double h)
{
    /* continuing the polynomial pays where Newton converged fast, and not for high degrees */
    const bool continued = r->started && r->tableau->collocation && r->s <= MOST_EXTRAPOLATED && r->theta < 0.1;
    /* a failure from the continued polynomial is tried again from a constant slope; given steps, which cannot be shortened,
     * once more with smaller corrections, and by way of shorter ones */
    const int last = r->options.fixed_step > 0 ? 3 : 1;
    for (int attempt = continued ? 0 : 1;; attempt++) {
        dd_step_verdict v;
        if (attempt == 3) {
            v = follow(r, h);
        } else {
            guess(r, h, attempt == 0);
            r->damped = attempt == 2;
            v = solve(r, h);
            r->damped = false;
        }
        if (v == DD_STEP_OK || v == DD_STEP_OUT_OF_MEMORY || attempt == last) {
            r->base.stats.newton_failures += v != DD_STEP_OK;
            return v;
        }
    }
}

void dd_irk_filter(irk *r, double h)
{
    const dd_problem *p = r->base.problem;
    const uint32_t i = r->s - 1;
    const double a = r->tableau->A[(size_t)i * r->s + i];
    if (r->matrix || a == 0 || !r->solver_valid[r->solver_of[i]]) {
        return;
    }
    /* M err, column by column */
    memset(r->work, 0, r->n * sizeof *r->work);
    for (uint32_t j = 0; j < r->n; j++) {
        for (uint32_t k = p->pattern.ptr[j]; k < p->pattern.ptr[j + 1]; k++) {
            r->work[p->pattern.idx[k]] += r->m[k] * r->err[j] / (h * a);
        }
    }
    memcpy(r->err, r->work, r->n * sizeof *r->err);
    dd_pencil_solve(r->stage_solver[r->solver_of[i]], r->err, NULL);
}
