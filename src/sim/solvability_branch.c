/* solvability_branch.c - points within a step, and steps of explicit methods behind which z is on another branch. */
#include <math.h>

#include "sim/solvability_impl.h"

bool dd_solv_between(const dd_solvability *s, const dd_solv_state *a, const dd_solv_state *b, double t,
                     dd_solv_state *out)
{
    /* u (1 - u) ((1 - u) p + u q) corrects the line by the slopes at both ends */
    const double h = b->t - a->t, u = (t - a->t) / h, v = 1 - u;
    const uint8_t *differential = s->numbers->problem.differential;
    out->t = t;
    out->valid = true;
    for (uint32_t j = 0; j < s->n; j++) {
        const double jump = b->w[j] - a->w[j], p = h * a->wdot[j] - jump, q = jump - h * b->wdot[j];
        out->w[j] = a->w[j] + u * jump + (differential[j] ? u * v * (v * p + u * q) : 0.0);
        out->wdot[j] = differential[j] ? (jump + (v - u) * (v * p + u * q) + u * v * (q - p)) / h : 0.0;
    }
    return !s->has_unknowns || dd_slopes_solve(s->own ? s->slopes : s->sim->slopes, t, out->w, out->wdot).converged;
}

/* Has z changed much faster in the last step than ever before? */
static bool leaps(const dd_solvability *s, const dd_solv_state *last, uint32_t j)
{
    const double much = 5, tol = dd_sim_tolerance(s->sim) * (s->numbers->problem.nominal[j] + fabs(last->w[j]));
    double fastest = 0;
    for (uint32_t i = 1; i < s->kept; i++) {
        const dd_solv_state *a = &s->history[i - 1], *b = &s->history[i];
        fastest = fmax(fastest, fabs(b->w[j] - a->w[j]) / (b->t - a->t));
    }
    return s->kept > 1 && fabs(s->point.w[j] - last->w[j]) > much * (fastest * (s->point.t - last->t) + tol);
}

/* Five values of z at equal distances: are the second and the fourth off the parabola through the others? */
static bool is_rough(const double *z, double tol)
{
    const double part = 0.1; /* of the range of all */
    double most = z[0], least = z[0];
    for (int i = 1; i < 5; i++) {
        most = fmax(most, z[i]);
        least = fmin(least, z[i]);
    }
    const double second = (3 * z[0] + 6 * z[2] - z[4]) / 8, fourth = (6 * z[2] - z[0] + 3 * z[4]) / 8;
    return !(fmax(fabs(z[1] - second), fabs(z[3] - fourth)) <= part * (most - least) + tol);
}

bool dd_solv_leaves_branch(dd_solvability *s, const dd_solv_state *last, bool long_step)
{
    enum { QUARTERS = 4 };
    const dd_problem *p = &s->numbers->problem;
    const dd_tableau *tableau = s->sim->tableau;
    const bool explicit = tableau && tableau->structure == DD_TABLEAU_EXPLICIT && !s->sim->switched;
    bool looked_at = long_step, leaves = false;
    if (!s->has_unknowns || !(explicit || s->sim->options.step > 0) || !last || !last->valid || !s->point.valid) {
        return false;
    }
    for (uint32_t j = 0; j < s->n && !looked_at; j++) {
        looked_at = !p->differential[j] && leaps(s, last, j);
    }
    if (!looked_at) {
        return false;
    }
    /* z at three points inside: it is not found, or a number that must not vanish has the other sign there */
    dd_solv_state *const at[] = {&s->begin, &s->there, &s->nearest};
    for (int i = 1; i < QUARTERS && !leaves; i++) {
        leaves = !dd_solv_between(s, last, &s->point, last->t + (s->point.t - last->t) * i / QUARTERS, at[i - 1]);
        dd_solv_values(s, at[i - 1], s->probe);
        for (uint32_t k = 0; k < s->count; k++) {
            leaves = leaves || s->probe[k] * s->v[0][k] < 0;
        }
    }
    /* or its way is not smooth */
    for (uint32_t j = 0; j < s->n && !leaves; j++) {
        const double z[] = {last->w[j], at[0]->w[j], at[1]->w[j], at[2]->w[j], s->point.w[j]};
        leaves = !p->differential[j] && is_rough(z, dd_sim_tolerance(s->sim) * (p->nominal[j] + fabs(last->w[j])));
    }
    return leaves;
}

bool dd_solv_is_on_other_branch(dd_solvability *s, const dd_solv_state *last)
{
    const double much = 1e-6; /* of the size of an unknown: both are solutions to rounding */
    const dd_problem *p = &s->numbers->problem;
    const double t = s->point.t;
    if (s->own || !last || !last->valid || !s->point.valid || !dd_solv_make_scout(s) || !dd_solv_walk(s, last, t)) {
        return false;
    }
    /* the same x with either guess */
    dd_solv_copy(s, &s->begin, t, s->point.w, s->point.wdot);
    dd_solv_copy(s, &s->nearest, t, s->point.w, s->there.wdot);
    for (uint32_t j = 0; j < s->n; j++) {
        s->nearest.w[j] = p->differential[j] ? s->point.w[j] : s->there.w[j];
    }
    if (!dd_slopes_solve(s->sim->slopes, t, s->begin.w, s->begin.wdot).converged ||
        !dd_slopes_solve(s->sim->slopes, t, s->nearest.w, s->nearest.wdot).converged) {
        return false;
    }
    for (uint32_t j = 0; j < s->n; j++) {
        const double a = p->differential[j] ? s->begin.wdot[j] : s->begin.w[j];
        const double b = p->differential[j] ? s->nearest.wdot[j] : s->nearest.w[j];
        if (fabs(a - b) > much * fmax(p->nominal[j], fmax(fabs(a), fabs(b)))) {
            return true;
        }
    }
    return false;
}

bool dd_solvability_left_branch(const dd_solvability *s, const double **w, const double **wdot)
{
    *w = s->nearest.w;
    *wdot = s->nearest.wdot;
    return s->left;
}
