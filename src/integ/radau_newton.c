/* radau_newton.c - simplified Newton on the stage equations in transformed variables.
 *
 * With Z = (T (x) I) U and h K = (A^-1 (x) I) Z = (T Lambda (x) I) U the stages satisfy F(K_i, w + Z_i, t + c_i h) = 0,
 * and a Newton step is (Lambda/h (x) M + I (x) J) dU = -(T^-1 (x) I) F: one real and (s-1)/2 complex systems of size n.
 */
#include <float.h>
#include <math.h>

#include "base/vector.h"
#include "integ/noise.h"
#include "integ/radau_impl.h"

/* The loops below are written once for any number of stages and called with constants, so that they unroll; a row of
 * stages is one or two vectors. */
#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 8")

INLINE void stages_body(radau *r, const radau_order *o, double h, uint32_t s, uint32_t ld, bool keep_z)
{
    uint32_t n = r->n;
    double per_h = 1.0 / h;
    const double *u = r->u, *w = r->base.w;
    /* Z = T U and h K = T Lambda U, four stages at a time */
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < ld; i += 4) {
            dd_v4 z = {0}, k = {0};
            UNROLLED for (uint32_t c = 0; c < s; c++)
            {
                double uc = u[(size_t)c * n + j];
                z += dd_v4_load(o->t + c * ld + i) * uc;
                k += dd_v4_load(o->t_lambda + c * ld + i) * uc;
            }
            size_t at = (size_t)j * ld + i;
            if (keep_z) {
                dd_v4_store(r->z + at, z);
            }
            dd_v4_store(r->k + at, k * per_h);
            dd_v4_store(r->stage + at, z + w[j]);
        }
    }
}

INLINE void transform_body(double *out, const double *in, const radau_order *o, uint32_t n, uint32_t s, uint32_t ld,
                           double sign)
{
    /* T^-1 applied to a row of stages, result by components */
    for (uint32_t j = 0; j < n; j++) {
        const double *row = in + (size_t)j * ld;
        dd_v4 sum[2] = {{0}};
        UNROLLED for (uint32_t i = 0; i < s; i++)
        {
            UNROLLED for (uint32_t c = 0; c < ld; c += 4)
            {
                sum[c / 4] += dd_v4_load(o->t_inverse + i * ld + c) * row[i];
            }
        }
        UNROLLED for (uint32_t c = 0; c < s; c++)
        {
            out[(size_t)c * n + j] = sign * sum[c / 4][c % 4];
        }
    }
}

/* K and the stages from U; Z too when it is wanted: after the last iteration. */
DD_CLONES static void stages_from_u(radau *r, double h, bool keep_z)
{
    const radau_order *o = &r->order[r->now];
    switch (r->now) {
    case 0:
        stages_body(r, o, h, 3, 4, keep_z);
        break;
    case 1:
        stages_body(r, o, h, 5, 8, keep_z);
        break;
    default:
        stages_body(r, o, h, 7, 8, keep_z);
        break;
    }
}

/* u += du; returns the weighted size of du. All components lie in a row, as do as many copies of the weights. */
DD_CLONES static double update(radau *r, uint32_t s)
{
    uint32_t n = s * r->n, whole = n & ~3u;
    double *u = r->u, sum = 0;
    const double *du = r->du, *weight = r->weight;
    /* four components at a time, the rest one by one */
    dd_v4 squares = {0};
    for (uint32_t j = 0; j < whole; j += 4) {
        dd_v4 d = dd_v4_load(du + j), x = d * dd_v4_load(weight + j);
        dd_v4_store(u + j, dd_v4_load(u + j) + d);
        squares += x * x;
    }
    for (uint32_t j = whole; j < n; j++) {
        double x = du[j] * weight[j];
        u[j] += du[j];
        sum += x * x;
    }
    sum += squares[0] + squares[1] + squares[2] + squares[3];
    return n > 0 ? sqrt(sum / (double)n) : 0.0;
}

/* out = sign T^-1 in */
DD_CLONES static void transform(radau *r, double *out, const double *in, double sign)
{
    const radau_order *o = &r->order[r->now];
    switch (r->now) {
    case 0:
        transform_body(out, in, o, r->n, 3, 4, sign);
        break;
    case 1:
        transform_body(out, in, o, r->n, 5, 8, sign);
        break;
    default:
        transform_body(out, in, o, r->n, 7, 8, sign);
        break;
    }
}

double dd_radau_norm(const radau *r, const double *v, uint32_t rows)
{
    double sum = 0;
    /* root mean square over rows and unknowns */
    for (uint32_t c = 0; c < rows; c++) {
        for (uint32_t j = 0; j < r->n; j++) {
            double x = v[(size_t)c * r->n + j] * r->weight[j];
            sum += x * x;
        }
    }
    return r->n > 0 ? sqrt(sum / ((double)rows * r->n)) : 0.0;
}

/* weight[k*LD + i]: of Z_k of the last step in P_last(theta_i) - P_last(1), theta_i = 1 + c_i h/h_last, four i at
 * once. */
INLINE void continue_weights(const radau_order *p, uint32_t s, const double *c, double ratio, double *weight)
{
    /* prefix and suffix products of (theta - c_k): Lagrange polynomials without divisions */
    dd_v4 theta = dd_v4_load(c) * ratio + 1.0, after = {1.0, 1.0, 1.0, 1.0}, before[DD_RADAU_MOST];
    before[0] = theta;
    UNROLLED for (uint32_t k = 1; k < s; k++)
    {
        before[k] = before[k - 1] * (theta - p->k.c[k - 1]);
    }
    UNROLLED for (uint32_t k = s; k-- > 0;)
    {
        dd_v4 value = before[k] * after * p->per_denominator[k];
        dd_v4_store(weight + (size_t)k * DD_RADAU_LD, value - (k + 1 == s ? 1.0 : 0.0));
        after *= theta - p->k.c[k];
    }
}

INLINE void continue_body(radau *r, double h, uint32_t s, uint32_t ld_last, uint32_t ld)
{
    const radau_order *p = &r->order[r->last];
    /* the same weights for all unknowns */
    double weight[DD_RADAU_MOST * DD_RADAU_LD], *z = r->z;
    const double *last = r->z_last;
    for (uint32_t i = 0; i < ld; i += 4) {
        continue_weights(p, s, r->order[r->now].k.c + i, h / r->h_last, weight + i);
    }
    for (uint32_t j = 0; j < r->n; j++, z += ld, last += ld_last) {
        for (uint32_t i = 0; i < ld; i += 4) {
            dd_v4 sum = {0};
            UNROLLED for (uint32_t k = 0; k < s; k++)
            {
                sum += dd_v4_load(weight + k * DD_RADAU_LD + i) * last[k];
            }
            dd_v4_store(z + i, sum);
        }
    }
}

/* Z of the last polynomial continued to the nodes of the order in force. */
DD_CLONES static void continue_last(radau *r, double h)
{
    uint32_t ld = r->order[r->now].ld;
    switch (r->last) {
    case 0:
        continue_body(r, h, 3, 4, ld);
        break;
    case 1:
        continue_body(r, h, 5, 8, ld);
        break;
    default:
        continue_body(r, h, 7, 8, ld);
        break;
    }
}

void dd_radau_predict(radau *r, double h)
{
    const radau_order *o = &r->order[r->now];
    uint32_t n = r->n, s = o->k.s;
    /* before the first step there is no polynomial: a line along the slope */
    if (r->last == DD_NO_INDEX) {
        /* the slope at the start: where F is nonlinear in w', zero would be far from it however short the step */
        for (uint32_t j = 0; j < n; j++) {
            double slope = r->base.problem->differential[j] ? h * r->base.wdot[j] : 0.0;
            for (uint32_t i = 0; i < s; i++) {
                r->z[(size_t)j * o->ld + i] = o->k.c[i] * slope;
            }
        }
        transform(r, r->u, r->z, 1.0);
        stages_from_u(r, h, false);
        return;
    }
    continue_last(r, h);
    transform(r, r->u, r->z, 1.0);
    stages_from_u(r, h, false);
}

static void solve_all(radau *r)
{
    const radau_order *o = &r->order[r->now];
    uint32_t n = r->n;
    dd_pencil_solve(r->real, r->du, NULL);
    for (uint32_t q = 0; q < o->k.pairs; q++) {
        dd_pencil_solve(r->pair[q], r->du + (size_t)(2 * q + 1) * n, r->du + (size_t)(2 * q + 2) * n);
    }
}

/* c^T u = 0 for linear integrals c^T x, in every component. */
static void conserve(radau *r, double *u)
{
    const size_t n = r->n;
    if (!r->conserve) {
        return;
    }
    dd_conserve_apply(r->conserve, u, NULL, 0);
    for (uint32_t q = 0; q < r->order[r->now].k.pairs; q++) {
        dd_conserve_apply_pair(r->conserve, q + 1, u + (2 * q + 1) * n, u + (2 * q + 2) * n);
    }
}

/* The unknown that moved most: to be named when Newton fails. */
static void note_worst(radau *r)
{
    /* in units of the tolerance; NaN is treated as the largest */
    double most = 0;
    for (size_t q = 0; q < (size_t)r->order[r->now].k.s * r->n; q++) {
        double x = fabs(r->du[q]) * r->weight[q % r->n];
        if (!(x <= most)) {
            most = x;
            r->base.worst = (uint32_t)(q % r->n);
        }
    }
}

static double power(double x, uint32_t k)
{
    double p = 1;
    for (; k > 0; k >>= 1, x *= x) {
        p = k & 1 ? p * x : p;
    }
    return p;
}

/* Relative corrections below the first that shrink no more are rounding errors of F: no shorter step would help. They
 * say nothing on the rate of convergence, which is set to the second: neither good nor bad. */
static const double ROUNDING = 1e-12, THETA_ROUNDING = 0.1;
/* The same, where terms cancel: below this the residuals decide, and slow convergence may be theirs. */
static const double NEAR = 3e-11;
/* Noise (noise.h) is taken for it up to this factor, and where it is no more than this part of the tolerance. */
static const double NOISE = 30, NOISE_PART = 0.3;
/* The rate of convergence of earlier steps was that of other corrections, at other points: it is not taken for
 * better than this before it is seen. */
static const double UNSEEN = 0.01;

/* The other numbers are those of RADAU5 and RADAU (Hairer & Wanner II, sec. IV.8): a rate from DIVERGES on is no
 * convergence; the rate of the last step is carried on with the exponent CARRIED; a step that would need too many
 * iterations, by a factor within LEAST_OFF and MOST_OFF of the goal, is shortened to SHORTENED of what should do. */
static const double DIVERGES = 0.99, LEAST_OFF = 1e-4, MOST_OFF = 20.0, SHORTENED = 0.8;
static const float CARRIED = 0.8f;
/* Corrections that still shrink faster than this are not yet rounding errors. */
static const double SHRINKS = 0.3;
/* With constraints, a first quotient up to this is not taken for slow convergence. */
static const double EARLY = 0.9;

uint32_t dd_radau_most_iterations(uint32_t s)
{
    return 7 + (s - 3) * 5 / 2;
}

/* Are the residuals at all stages rounding errors of their terms? */
static bool at_rounding(radau *r)
{
    const radau_order *o = &r->order[r->now];
    /* stage by stage against the size of the terms */
    for (uint32_t i = 0; i < o->k.s; i++) {
        const dd_residual_point at = {
            .w = r->stage + i, .v = r->k + i, .f = r->f + i, .m = r->m, .j = r->j, .stride = o->ld};
        if (!dd_residual_is_rounding(r->base.problem, &at, r->work)) {
            return false;
        }
    }
    return true;
}

/* Are corrections of this size explained by rounding errors of the last stage's residuals? */
static bool is_noise(radau *r, double size)
{
    const radau_order *o = &r->order[r->now];
    const uint32_t i = o->k.s - 1;
    const dd_residual_point at = {
        .w = r->stage + i, .v = r->k + i, .f = r->f + i, .m = r->m, .j = r->j, .stride = o->ld};
    return size <=
           NOISE * dd_newton_noise(r->base.problem, NAN, &at, r->real, r->conserve, r->weight, r->work, r->work2);
}

/* Nothing more can be gained by iterating. */
static bool settles(radau *r, double size)
{
    const double relative = size * r->rtol_now;
    if (r->theta < SHRINKS) {
        return false;
    }
    if (relative <= ROUNDING || ((r->options.higher_index || relative <= NEAR) && at_rounding(r))) {
        return true;
    }
    /* above index 1 rounding in z grows like h^-2, whatever the tolerance, and x does not inherit it */
    return (r->options.higher_index || relative <= NOISE_PART * r->options.rtol) && is_noise(r, size);
}

radau_newton_result dd_radau_newton(radau *r, double h)
{
    const radau_order *o = &r->order[r->now];
    const dd_problem *p = r->base.problem;
    uint32_t s = o->k.s, most = dd_radau_most_iterations(s);
    double goal = r->newton_goal;
    const bool linear = p->m_constant && p->j_constant;
    /* pads of the batch repeat the last stage */
    double times[DD_RADAU_LD];
    for (uint32_t i = 0; i < o->ld; i++) {
        times[i] = r->base.t + o->k.c[i < s ? i : s - 1] * h;
    }
    /* the rate of earlier steps, reduced, is the guess before the second iteration (Hairer & Wanner II, IV.8) */
    radau_newton_result out = {.end = RADAU_DIVERGED, .shrink = 0.5};
    double last = 0, quotient_last = 1;
    r->faccon = powf((float)fmax(r->faccon, DBL_EPSILON), CARRIED); /* needs few digits */
    r->theta = fabs(r->theta);
    conserve(r, r->u); /* the slope at the start may be off */
    for (uint32_t it = 0; it < most; it++) {
        /* F at all stages, dU = -(Lambda/h x M + I x J)^-1 T^-1 F */
        p->residuals(p->user, o->ld, o->ld, times, r->stage, r->k, r->f); /* the pads repeat the last stage */
        r->base.stats.residuals += s;
        r->base.stats.newton++;
        transform(r, r->du, r->f, -1.0);
        solve_all(r);
        conserve(r, r->du);
        double size = update(r, s);
        out.iterations = it + 1;
        if (!isfinite(size)) {
            note_worst(r);
            out.end = RADAU_NONFINITE;
            return out;
        }
        /* from the second iteration on the rate of convergence is known */
        if (it >= 1) {
            double quotient = size / last;
            r->theta = it == 1 ? quotient : sqrt(quotient * quotient_last);
            quotient_last = quotient;
            /* corrections that are rounding errors shrink no more: done */
            if (settles(r, size)) {
                r->theta = THETA_ROUNDING;
                r->faccon = 1.0;
                stages_from_u(r, h, true);
                out.end = RADAU_CONVERGED;
                return out;
            }
            const bool near = size * r->rtol_now <= NEAR;
            /* z of index 3 has the errors of x divided by h^2: its first quotient says even less; so does that of a z that
             * shares rows with rates whose coefficients change */
            const bool no_rate = it == 1 && (r->options.higher_index || r->coupled);
            if (r->theta >= DIVERGES && !near && !no_rate) {
                note_worst(r);
                return out;
            }
            r->faccon = fmin(r->theta, DIVERGES) / (1.0 - fmin(r->theta, DIVERGES));
            /* iterations that are left, and the error that would be left after them */
            uint32_t left = most - 2 - (it < most - 2 ? it : most - 2);
            double reach = r->faccon * size * power(r->theta, left) / goal;
            /* multipliers follow the prediction's error of x by second order: their first quotient is no rate */
            bool early = no_rate || (it == 1 && r->projector && r->theta <= EARLY);
            if (reach >= 1.0 && it + 1 < most && !early && !near) {
                note_worst(r);
                double q = fmax(LEAST_OFF, fmin(MOST_OFF, reach));
                out.end = RADAU_SLOW;
                out.shrink = SHORTENED * powf((float)q, -1.0f / (4.0f + (float)left));
                return out;
            }
        }
        /* faccon |dU| bounds the distance to the solution */
        last = fmax(size, DBL_EPSILON);
        bool converged = (it > 0 || linear ? r->faccon : fmax(r->faccon, UNSEEN)) * size <= goal;
        stages_from_u(r, h, converged);
        if (converged) {
            out.end = RADAU_CONVERGED;
            return out;
        }
    }
    note_worst(r);
    return out;
}
