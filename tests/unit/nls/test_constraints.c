/* test_constraints.c - the two loops that bring points onto constraints, on curves with closed forms. */
#include "unit/base/support.h"

#include <math.h>

#include "nls/corrections.h"
#include "nls/gauss_newton.h"

/* One row in the plane, r(x, y), with its gradient: the smallest correction is -r g / |g|^2. */
typedef struct curve {
    double (*value)(const double *x);
    void (*gradient)(const double *x, double *g);
    double r, at[2]; /* corrections.h: the residual, and where the gradient is taken */
} curve;

static double circle(const double *x)
{
    return x[0] * x[0] + x[1] * x[1] - 1;
}

static void circle_gradient(const double *x, double *g)
{
    g[0] = 2 * x[0];
    g[1] = 2 * x[1];
}

/* No zero: the smallest value is 1, on the line x = 0. */
static double above(const double *x)
{
    return x[0] * x[0] + 1;
}

static void above_gradient(const double *x, double *g)
{
    g[0] = 2 * x[0];
    g[1] = 0;
}

/* Defined for x > 0 only; zero at x = 1. Full Newton steps from x > e leave the domain. */
static double logarithm(const double *x)
{
    return log(x[0]);
}

static void logarithm_gradient(const double *x, double *g)
{
    g[0] = 1 / x[0];
    g[1] = 0;
}

static int residual(void *user, const double *x, double *r)
{
    r[0] = ((curve *)user)->value(x);
    return isfinite(r[0]) ? 0 : 1;
}

static double size(void *user, const double *r)
{
    (void)user;
    return fabs(r[0]);
}

static dd_status step(void *user, const double *x, const double *r, double *dx, dd_correction *found)
{
    double g[2];
    ((curve *)user)->gradient(x, g);
    double square = g[0] * g[0] + g[1] * g[1];
    *found = square > 0 ? DD_CORRECTION_FOUND : DD_CORRECTION_MISSING;
    dx[0] = square > 0 ? -r[0] * g[0] / square : 0;
    dx[1] = square > 0 ? -r[0] * g[1] / square : 0;
    return DD_OK;
}

static double length(void *user, const double *x, const double *dx)
{
    (void)user;
    (void)x;
    return hypot(dx[0], dx[1]);
}

typedef struct room {
    double r, trial_r, dx[2], trial[2];
} room;

static dd_gauss_newton loop(curve *c, double *x, room *w)
{
    w->trial[0] = x[0];
    w->trial[1] = x[1];
    return (dd_gauss_newton){.user = c,
                             .n = 2,
                             .rows = 1,
                             .residual = residual,
                             .size = size,
                             .step = step,
                             .length = length,
                             .x = x,
                             .r = &w->r,
                             .dx = w->dx,
                             .trial = w->trial,
                             .trial_r = &w->trial_r,
                             .most_steps = 60};
}

/* From any point the smallest corrections lead radially to the circle: the nearest point is x / |x|. */
static void nearest_point(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    curve c = {.value = circle, .gradient = circle_gradient};
    for (int damped = 0; damped < 2; damped++) {
        double x[2] = {3, -4};
        room w = {0};
        dd_gauss_newton g = loop(&c, x, &w);
        g.trials = damped ? 13 : 0;
        g.decrease = 1e-4;
        g.longest = 2;
        g.step_goal = 1e-15;
        dd_gauss_newton_info info;
        assert_int_equal(dd_gauss_newton_run(&info, ctx, &g), DD_OK);
        assert_int_equal(info.end, DD_END_ARRIVED);
        assert_true(fabs(x[0] - 0.6) < 1e-15 && fabs(x[1] + 0.8) < 1e-15);
    }
    dd_context_free(ctx);
}

/* A step that leaves the domain is halved; without damping it is the end. */
static void domain_is_kept(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    curve c = {.value = logarithm, .gradient = logarithm_gradient};
    double x[2] = {20, 7};
    room w = {0};
    dd_gauss_newton g = loop(&c, x, &w);
    g.trials = 13;
    g.decrease = 1e-4;
    g.residual_goal = 1e-15;
    dd_gauss_newton_info info;
    assert_int_equal(dd_gauss_newton_run(&info, ctx, &g), DD_OK);
    assert_int_equal(info.end, DD_END_ARRIVED);
    assert_true(fabs(x[0] - 1) < 1e-15 && x[1] == 7);
    x[0] = 20;
    g.trials = 0;
    g.longest = INFINITY;
    assert_int_equal(dd_gauss_newton_run(&info, ctx, &g), DD_OK);
    assert_int_equal(info.end, DD_END_NOT_FINITE);
    x[0] = -1;
    assert_int_equal(dd_gauss_newton_run(&info, ctx, &g), DD_OK);
    assert_true(info.end == DD_END_NOT_FINITE && info.steps == 0);
    dd_context_free(ctx);
}

/* Rows that cannot be met end at once where the gradient vanishes, stuck elsewhere, with what is left. */
static void no_zero(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    curve c = {.value = above, .gradient = above_gradient};
    double x[2] = {0, 5};
    room w = {0};
    dd_gauss_newton g = loop(&c, x, &w);
    dd_gauss_newton_info info;
    g.trials = 13;
    g.decrease = 1e-4;
    g.residual_goal = 1e-13;
    assert_int_equal(dd_gauss_newton_run(&info, ctx, &g), DD_OK);
    assert_true(info.end == DD_END_NO_STEP && info.size == 1);
    x[0] = 0.7;
    g.trials = 0;
    g.longest = 2;
    g.slow = 0.9;
    g.slow_after = 10;
    assert_int_equal(dd_gauss_newton_run(&info, ctx, &g), DD_OK);
    assert_true(info.end == DD_END_STUCK && info.steps >= 11 && info.steps < 60 && info.size >= 1);
    dd_context_free(ctx);
}

static int kept_residual(void *user, const double *x)
{
    curve *c = user;
    c->r = c->value(x);
    return !isfinite(c->r) ? 1 : c->r == 0 ? -1 : 0;
}

static int kept_correction(void *user, const double *x, double *dx, double *length_of)
{
    curve *c = user;
    dd_correction found;
    (void)x;
    step(c, c->at, &c->r, dx, &found);
    *length_of = hypot(dx[0], dx[1]);
    return 0;
}

/* Simplified Newton contracts by 1 - g(x)/g(x0) on the circle: linear, and to the point on the ray. */
static void kept_factors(void **state)
{
    (void)state;
    curve c = {.value = circle, .gradient = circle_gradient, .at = {0.66, 0.88}};
    double x[2] = {0.66, 0.88}, sum[2] = {0, 0}, dx[2], last;
    dd_corrections run = {&c, 2, kept_residual, kept_correction, dx, 40, 0.5, 1e-15};
    dd_corrections_end end = dd_corrections_run(&run, x, sum, &last);
    assert_true(end == DD_CORRECTIONS_DONE || end == DD_CORRECTIONS_ON_ROWS || end == DD_CORRECTIONS_STALLED);
    assert_true(fabs(x[0] - 0.6) < 1e-14 && fabs(x[1] - 0.8) < 1e-14);
    assert_true(fabs(0.66 + sum[0] - x[0]) < 1e-15 && fabs(0.88 + sum[1] - x[1]) < 1e-15);
    /* with a gradient at a far point the corrections do not shrink enough */
    c.at[0] = 6;
    c.at[1] = 8;
    x[0] = 0.66;
    x[1] = 0.88;
    assert_int_equal(dd_corrections_run(&run, x, NULL, &last), DD_CORRECTIONS_STALLED);
    /* on the rows already: nothing moves */
    x[0] = 1;
    x[1] = 0;
    assert_int_equal(dd_corrections_run(&run, x, NULL, &last), DD_CORRECTIONS_ON_ROWS);
    assert_true(isinf(last) && x[0] == 1);
    run.most = 0;
    assert_int_equal(dd_corrections_run(&run, x, NULL, &last), DD_CORRECTIONS_ALL_USED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_point), cmocka_unit_test(domain_is_kept),
                                       cmocka_unit_test(no_zero), cmocka_unit_test(kept_factors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
