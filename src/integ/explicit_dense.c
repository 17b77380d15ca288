/* explicit_dense.c - the solution between the ends of a step.
 *
 * A method's own continuous extension is used where the tableau has one. Otherwise one is made: Hermite's cubic
 * through x and x' at both ends for order up to 3; above, x' at two inner points joins in, computed with the
 * polynomials that are there already (bootstrapping, Enright et al. 1986): cubic -> x'(1/3) -> quartic -> x'(1/3),
 * x'(2/3) -> quintic. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/explicit_impl.h"

enum { HERMITE_DEGREE = 5, HERMITE_EXTRA = 4 };

/* ---- creation ---- */

typedef double polynomial[HERMITE_DEGREE]; /* coefficients of theta, theta^2, ... */

static double value(const double *p, uint32_t degree, double theta)
{
    double sum = 0;
    for (uint32_t d = degree; d-- > 0;) {
        sum = (sum + p[d]) * theta;
    }
    return sum;
}

static double derivative(const double *p, uint32_t degree, double theta)
{
    double sum = 0;
    for (uint32_t d = degree; d-- > 0;) {
        sum = sum * theta + (d + 1) * p[d];
    }
    return sum;
}

/* p += factor theta^2 (1 - theta)^2 (constant + slope (theta - 1/2)) */
static void add_bubble(double *p, double constant, double slope)
{
    const double c0 = constant - slope / 2, c1 = slope;
    p[1] += c0;
    p[2] += c1 - 2 * c0;
    p[3] += c0 - 2 * c1;
    p[4] += c1;
}

/* The weight of stage i in Hermite's cubic; `end` is the stage at the end of the step. */
static void cubic(polynomial p, const dd_tableau *tab, uint32_t i, uint32_t end)
{
    /* p(0) = 0, p'(0) = first, p(1) = b, p'(1) = last */
    const double b = i < tab->stages ? tab->b[i] : 0.0, first = i == 0, last = i == end;
    memset(p, 0, sizeof(polynomial));
    p[0] = first;
    p[1] = 3 * b - 2 * first - last;
    p[2] = first + last - 2 * b;
}

/* With r_a, r_b the differences of x' between stage and cubic at 1/3 and 2/3, q = theta^2 (1 - theta)^2, q' = +-d
 * there: r_a = d (A - B/6) + q B,  r_b = -d (A + B/6) + q B. */
static void quintic(double *p, double ra, double rb)
{
    const double q = 4.0 / 81, d = 4.0 / 27;
    add_bubble(p, (ra - rb) / (2 * d), (ra + rb) / (2 * (q - d / 6)));
}

static void make_hermite(explicit_rk *e)
{
    const dd_tableau *tab = e->tableau;
    explicit_extension *x = &e->extension;
    const uint32_t s = tab->stages, end = tab->first_same_as_last ? s - 1 : s, all = x->stages;
    const double a = 1.0 / 3, b = 2.0 / 3, d = 4.0 / 27;
    /* a method whose last stage is not the end needs the slope there as a further stage */
    if (end == s) {
        memcpy(x->A, tab->b, s * sizeof *x->A);
        x->c[0] = 1.0;
    }
    /* per stage i: its weight in the polynomials; they are linear in the k_i */
    for (uint32_t i = 0; i < all; i++) {
        polynomial p;
        cubic(p, tab, i, end);
        /* the bootstrap: x'(1/3) on the cubic, both inner slopes on
         * the quartic, then the quintic through all of them */
        if (x->degree == HERMITE_DEGREE) {
            const uint32_t inner = end + 1; /* then the final stages at 1/3 and 2/3 */
            double *row = x->A + (size_t)(inner - s) * all;
            const double slope_a = derivative(p, 3, a), slope_b = derivative(p, 3, b);
            polynomial quartic;
            row[i] = value(p, 3, a);
            memcpy(quartic, p, sizeof quartic);
            add_bubble(quartic, ((i == inner) - slope_a) / d, 0);
            row[all + i] = value(quartic, 4, a);
            row[2 * all + i] = value(quartic, 4, b);
            quintic(p, (i == inner + 1) - slope_a, (i == inner + 2) - slope_b);
            x->c[inner - s] = x->c[inner - s + 1] = a;
            x->c[inner - s + 2] = b;
        }
        memcpy(x->B + (size_t)i * x->degree, p, x->degree * sizeof *p);
    }
}

dd_status dd_explicit_extension_new(explicit_rk *e)
{
    const dd_tableau *tab = e->tableau;
    explicit_extension *x = &e->extension;
    const bool own = tab->dense.stages > 0;
    /* the tableau's own extension where it has one */
    x->degree = own ? tab->dense.degree : tab->order <= 3 ? 3 : HERMITE_DEGREE;
    x->stages = own ? tab->dense.stages : tab->stages + !tab->first_same_as_last + (x->degree > 3 ? 3 : 0);
    const size_t all = x->stages, extra = all - tab->stages;
    x->A = dd_mem_new_array(e->base.ctx, extra * all + 1, sizeof *x->A);
    x->c = dd_mem_new_array(e->base.ctx, extra + 1, sizeof *x->c);
    x->B = dd_mem_new_array(e->base.ctx, all * x->degree, sizeof *x->B);
    if (!x->A || !x->c || !x->B) {
        return DD_OUT_OF_MEMORY;
    }
    if (!own) {
        make_hermite(e);
        return DD_OK;
    }
    /* copied, so that both kinds are used alike */
    if (extra > 0) {
        memcpy(x->A, tab->dense.A, extra * all * sizeof *x->A);
        memcpy(x->c, tab->dense.c, extra * sizeof *x->c);
    }
    memcpy(x->B, tab->dense.B, all * x->degree * sizeof *x->B);
    return DD_OK;
}

void dd_explicit_extension_free(explicit_rk *e)
{
    explicit_extension *x = &e->extension;
    const size_t all = x->stages, extra = all - e->tableau->stages;
    dd_mem_free(e->base.ctx, x->A, (extra * all + 1) * sizeof *x->A);
    dd_mem_free(e->base.ctx, x->c, (extra + 1) * sizeof *x->c);
    dd_mem_free(e->base.ctx, x->B, all * x->degree * sizeof *x->B);
}

/* ---- use ---- */

bool dd_explicit_is_end(const explicit_rk *e, uint32_t q)
{
    const uint32_t s = e->tableau->stages;
    const double *row = e->extension.A + (size_t)q * e->extension.stages;
    return e->extension.c[q] == 1.0 && memcmp(row, e->tableau->b, s * sizeof *row) == 0;
}

/* z between the ends, as a guess */
static void blend_algebraic(const explicit_rk *e, double theta, double *w)
{
    const uint8_t *differential = e->base.problem->differential;
    for (uint32_t j = 0; e->n_algebraic > 0 && j < e->n; j++) {
        w[j] = differential[j] ? w[j] : (1 - theta) * e->w_old[j] + theta * e->base.w[j];
    }
}

/* The slope of the stage, among the first `known`, whose time is nearest to t_n + c h. */
static const double *nearest_slope(const explicit_rk *e, double c, uint32_t known)
{
    const dd_tableau *tab = e->tableau;
    uint32_t best = 0;
    double distance = INFINITY;
    for (uint32_t i = 0; i < known; i++) {
        const double other = i < tab->stages ? tab->c[i] : e->extension.c[i - tab->stages];
        if (fabs(other - c) < distance) {
            distance = fabs(other - c);
            best = i;
        }
    }
    return e->k + (size_t)best * e->n;
}

/* k and z of further stage q at the point in stage. x' may follow from x by equations that are not linear in it: guesses
 * are the slopes nearby, at the end and at the start. Where none of them leads to a solution, the first is taken, and the
 * extension is not to be used. */
static void solve_further(explicit_rk *e, uint32_t q, double *k)
{
    const uint32_t s = e->tableau->stages;
    const double c = e->extension.c[q], t = e->base.t_old + c * e->h_last;
    const double *guesses[] = {nearest_slope(e, c, s + q), e->base.wdot, e->wdot_old};
    const size_t bytes = e->n * sizeof *k;
    memcpy(e->point, e->stage, bytes);
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        memcpy(e->stage, e->point, bytes);
        memcpy(e->slope, guesses[i], bytes);
        if (dd_explicit_evaluate(e, t, e->h_last, e->stage, k) == DD_STEP_OK) {
            return;
        }
    }
    memcpy(k, guesses[0], bytes);
    e->base.dense_error = INFINITY;
}

void dd_explicit_extend(explicit_rk *e)
{
    const uint32_t n = e->n, s = e->tableau->stages, extra = e->extension.stages - s;
    /* at the end the slope is known; other stages cost one evaluation each, once per step */
    for (uint32_t q = 0; q < extra; q++) {
        double *k = e->k + (size_t)(s + q) * n;
        if (dd_explicit_is_end(e, q)) {
            memcpy(k, e->base.wdot, n * sizeof *k);
            continue;
        }
        /* X_q = x_n + h sum_j A_qj k_j with the stages that exist so far */
        dd_explicit_combine(e, e->w_old, e->h_last, e->extension.A + (size_t)q * e->extension.stages, s + q, e->stage);
        blend_algebraic(e, e->extension.c[q], e->stage);
        solve_further(e, q, k);
        if (e->base.problem->n_parameters > 0) {
            memcpy(e->points + (size_t)(s + q) * n, e->stage, n * sizeof *e->stage);
        }
    }
    e->extended = true;
}

/* z, and x' with it, from the equations at x(t): as accurate as x(t). Where that fails z stays linear. */
static void solve_algebraic(explicit_rk *e, double t, double *w, double *wdot)
{
    memcpy(e->slope, wdot, e->n * sizeof *wdot);
    memcpy(e->stage, w, e->n * sizeof *w);
    if (dd_explicit_evaluate(e, t, e->h_last, e->stage, e->work) == DD_STEP_OK) {
        memcpy(w, e->stage, e->n * sizeof *w);
        memcpy(wdot, e->work, e->n * sizeof *wdot);
    }
}

void dd_explicit_extension_weights(const explicit_rk *e, double theta, double *weight, double *slope)
{
    const uint32_t degree = e->extension.degree;
    for (uint32_t i = 0; i < e->extension.stages; i++) {
        weight[i] = value(e->extension.B + (size_t)i * degree, degree, theta);
        slope[i] = derivative(e->extension.B + (size_t)i * degree, degree, theta);
    }
}

void dd_explicit_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    explicit_rk *e = ((const explicit_rk *)it)->self;
    const uint32_t n = e->n;
    /* at the ends the values are known; also before the first step */
    if (!e->started || t == it->t || t == it->t_old) {
        const bool old = e->started && t != it->t;
        if (w) {
            memcpy(w, old ? e->w_old : it->w, n * sizeof *w);
        }
        if (wdot) {
            memcpy(wdot, old ? e->wdot_old : it->wdot, n * sizeof *wdot);
        }
        return;
    }
    /* stages of the extension are computed only for steps that are asked for */
    if (!e->extended) {
        dd_explicit_extend(e);
    }
    const double theta = (t - it->t_old) / e->h_last;
    double weight[DD_TABLEAU_STAGES + HERMITE_EXTRA], slope[DD_TABLEAU_STAGES + HERMITE_EXTRA];
    dd_explicit_extension_weights(e, theta, weight, slope);
    /* x = x_n + h sum_i b_i(theta) k_i, and its derivative sum_i b_i'(theta) k_i */
    double *x = e->point, *v = e->rate;
    memset(v, 0, n * sizeof *v);
    dd_explicit_add(e, 1.0, slope, e->extension.stages, v);
    dd_explicit_combine(e, e->w_old, e->h_last, weight, e->extension.stages, x);
    /* the correction by projection grows linearly over the step */
    for (uint32_t j = 0; e->projector && j < n; j++) {
        x[j] += theta * e->shift[j];
    }
    /* z has no polynomial: it follows from x by the equations */
    if (e->n_algebraic > 0) {
        blend_algebraic(e, theta, x);
        solve_algebraic(e, t, x, v);
    }
    if (w) {
        memcpy(w, x, n * sizeof *w);
    }
    if (wdot) {
        memcpy(wdot, v, n * sizeof *wdot);
    }
}
