/* outcomes.h - errors of an integrator along a problem with a known solution, and the orders seen in them. */
#ifndef DAEDAL_TESTS_INTEG_OUTCOMES_H
#define DAEDAL_TESTS_INTEG_OUTCOMES_H

#include "problems.h"

#include "methods/tableau.h"

typedef struct outcome {
    double x, z;             /* largest errors on the grid (pendulum: at the end) */
    double inside, inside_z; /* between grid points; not for the pendulum */
    double violation;
    dd_integ_stats stats;
    bool stiff;
} outcome;

static inline double of_x(const outcome *o)
{
    return o->x;
}

static inline double of_z(const outcome *o)
{
    return o->z;
}

static inline double of_inside(const outcome *o)
{
    return o->inside;
}

static inline double of_inside_z(const outcome *o)
{
    return o->inside_z;
}

/* Errors at the inner ends of `parts` equal parts of the last step. */
static inline void outcome_inside(outcome *out, dd_integrator *it, const ivp *from, uint32_t parts)
{
    for (uint32_t k = 1; k < parts; k++) {
        double w[IVP_MOST], exact[IVP_MOST], t = it->t_old + k * (it->t - it->t_old) / parts;
        dd_integ_interpolate(it, t, w, NULL);
        from->exact(t, exact);
        for (uint32_t j = 0; j < from->n; j++) {
            double *most = from->differential[j] ? &out->inside : &out->inside_z;
            *most = fmax(*most, fabs(w[j] - exact[j]));
        }
    }
}

/* From t0 to t1, looking into every step; frees the integrator. With `may_fail` a failed step is an infinite error: a long
 * one may leave the domain of log. Nothing may be allocated during the run. */
static inline outcome outcome_of(dd_integrator *it, const ivp *from, uint32_t parts, bool may_fail)
{
    outcome out = {0};
    uint64_t before = dd_context_allocations(ctx);
    assert_int_equal(dd_integ_start(it, from->t0, from->w0, from->v0), DD_STEP_OK);
    while (it->t < from->t1) {
        dd_step_verdict v = dd_integ_step(it, from->t1);
        if (v != DD_STEP_OK && may_fail) {
            out.x = out.z = out.inside = out.inside_z = INFINITY;
            break;
        }
        assert_int_equal(v, DD_STEP_OK);
        if (from != &ivp_pendulum || it->t == from->t1) {
            out.x = fmax(out.x, ivp_error(it, from, true));
            out.z = fmax(out.z, ivp_error(it, from, false));
        }
        if (from != &ivp_pendulum) {
            outcome_inside(&out, it, from, parts);
        }
    }
    assert_int_equal(dd_context_allocations(ctx), before);
    out.stats = it->stats;
    out.violation = it->violation;
    out.stiff = it->stiff;
    dd_integ_free(it);
    return out;
}

/* ---- what every kind of integrator is tested for; the test says how one is made ---- */

typedef dd_status make_integrator(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const void *method,
                                  const dd_integ_options *options);

/* Every allocation of the creation may fail; then nothing is left but `message` bytes at most. */
static inline void expect_clean_failures(make_integrator *make, const void *method, double fixed, size_t message)
{
    ivp_problem p;
    ivp_make(&p, &ivp_pendulum, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, fixed);
    dd_status st = DD_OUT_OF_MEMORY;
    for (uint64_t at = 2; st != DD_OK; at++) { /* the first allocation is the context */
        dd_context_options limits = dd_context_options_default();
        limits.fail_at = at;
        dd_context *small;
        dd_integrator *it;
        assert_int_equal(dd_context_new(&small, &limits), DD_OK);
        st = make(&it, small, &p.p, method, &options);
        assert_true(st == DD_OK || st == DD_OUT_OF_MEMORY);
        if (st == DD_OK) {
            dd_integ_free(it);
        }
        assert_in_range(dd_context_memory(small), empty, empty + message);
        dd_context_free(small);
        assert_true(at < 200);
    }
}

/* An integrator with other tolerances behaves like a new one. */
static inline void expect_new_tolerance(make_integrator *make, const void *method)
{
    ivp_problem p;
    dd_integrator *it[2];
    ivp_make(&p, &ivp_dae, 1e-4);
    for (int k = 0; k < 2; k++) {
        const double tol = k == 0 ? 1e-4 : 1e-6;
        for (uint32_t j = 0; j < p.p.n; j++) {
            p.atol[j] = tol;
        }
        dd_integ_options options = ivp_options(&p, tol, 0);
        assert_int_equal(make(&it[k], ctx, &p.p, method, &options), DD_OK);
    }
    assert_int_equal(ivp_run(it[0], &ivp_dae), DD_STEP_OK);
    it[0]->ops->set_tolerance(it[0], 1e-6, p.atol);
    it[0]->h = 0;
    assert_int_equal(ivp_run(it[0], &ivp_dae), DD_STEP_OK);
    assert_int_equal(ivp_run(it[1], &ivp_dae), DD_STEP_OK);
    for (uint32_t j = 0; j < p.p.n; j++) {
        assert_true(fabs(it[0]->w[j] - it[1]->w[j]) < 1e-7);
    }
    assert_true(ivp_error(it[0], &ivp_dae, true) < 2e-6);
    for (int k = 0; k < 2; k++) {
        dd_integ_free(it[k]);
    }
}

static inline outcome outcome_by(make_integrator *make, const void *method, const ivp *from, double rtol, double fixed,
                                 uint32_t parts)
{
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, from, rtol);
    dd_integ_options options = ivp_options(&p, rtol, fixed);
    assert_int_equal(make(&it, ctx, &p.p, method, &options), DD_OK);
    return outcome_of(it, from, parts, fixed > 0);
}

/* ---- methods by their tableau ---- */

static inline outcome outcome_of_tableau(make_integrator *make, const char *method, const ivp *from, double rtol,
                                         double fixed)
{
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    outcome out = outcome_by(make, tab, from, rtol, fixed, 4);
    dd_tableau_free(tab);
    return out;
}

/* The order seen at the smallest steps whose errors are not rounding: the last one against the one twice as long. */
static inline double observed_order(make_integrator *make, const char *method, const ivp *from,
                                    double at(const outcome *))
{
    static const uint32_t grid[] = {2,  3,   4,   6,   8,   12,  16,  24,   32,   48,  64,
                                    96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};
    double err[sizeof grid / sizeof *grid], order = 0;
    for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) {
        outcome o = outcome_of_tableau(make, method, from, 1e-6, (from->t1 - from->t0) / grid[k]);
        err[k] = at(&o);
        if (err[k] < 1e-14 + 2e-15 * grid[k]) {
            break;
        }
        order = k >= 2 ? log2(err[k - 2] / err[k]) : 0;
    }
    return order;
}

static inline void expect_tableau_order(make_integrator *make, const char *method, const ivp *from,
                                        double at(const outcome *), const char *what, double order)
{
    double seen = observed_order(make, method, from, at);
    if (!(fabs(seen - order) < 0.2)) {
        print_error("%s on %s, %s: order %.2f, not %.0f\n", method, from->name, what, seen, order);
    }
    assert_true(fabs(seen - order) < 0.2);
}

#endif
