/* Closed loops with one failing allocation: what was made is freed, and a loop that goes on after a failure ends as an
 * undisturbed one does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/state.h"
#include "daedal/daedal.h"
#include "fault/sweep.h"

/* index 3 with a set-point that is set and a row that gives way; the plant has other numbers */
static const char *const text =
    "model P parameter Real g = 9.81, k = 0.1; input Real u(min = -3, max = 3); Real x(start = 0.6, fixed = true), "
    "y(start = -0.8);\n"
    "  Real vx(start = 0, fixed = true) = der(x), vy = der(y), lam; equation der(vx) = -lam*x + u - k*vx;\n"
    "  der(vy) = -lam*y - g; x^2 + y^2 = 1; end P;\n"
    "optimization O(objectiveIntegrand = (x - xr)^2 + 0.1*u^2, startTime = 0, finalTime = 0.4) extends P;\n"
    "  parameter Real xr = 0, most = 0.9; constraint x <= most;\n"
    "  annotation(experiment(StopTime = 0.6), Daedal(nmpc(samplePeriod = 0.1, noise = {0.001}))); end O;\n";

static sweep_result run(uint64_t fail_at, const char *path, double *end)
{
    sweep_objects s;
    dd_loop *loop = NULL;
    const char *json;
    dd_control_options o = dd_control_options_default();
    sweep_begin(&s, fail_at, 0);
    sweep_analyse(&s, text, NULL);
    s.status = s.status == DD_OK ? dd_control_options_of(&o, s.system, 0) : s.status;
    o.mode = DD_MODE_RTI;
    s.status = s.status == DD_OK ? dd_loop_new(&loop, s.system, NULL, &o) : s.status;
    s.status = s.status == DD_OK ? dd_loop_run(loop) : s.status;
    s.status = s.status == DD_OK ? dd_loop_json(&json, loop) : s.status;
    s.status = s.status == DD_OK ? dd_loop_write_csv(loop, path) : s.status;
    if (s.status == DD_OK && end != NULL) {
        *end = dd_loop_get_info(loop).cost;
    }
    dd_loop_free(loop);
    return sweep_end(&s);
}

static void test_sweep(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/daedal-control-%ld.csv", (long)getpid());
    double cost = NAN;
    const sweep_result whole = run(0, path, &cost);
    assert_int_equal(whole.status, DD_OK);
    assert_true(isfinite(cost));
    /* every allocation of the last part, one in so many before */
    for (uint64_t n = 1; n <= whole.allocations; n += n < 200 ? 7 : 23) {
        const sweep_result r = run(n, path, NULL);
        assert_true(r.status == DD_OUT_OF_MEMORY || r.status == DD_OK);
        assert_false(r.leaked || r.wrong);
    }
    unlink(path);
}

/* the same objects after a failure: a sample that failed for lack of memory is made again */
static void test_goes_on(void **state)
{
    (void)state;
    double expected = NAN;
    for (uint64_t skip = 0; skip < 40; skip++) {
        dd_context_options options = dd_context_options_default();
        dd_context *ctx;
        dd_model *model;
        dd_system *system;
        dd_control *c;
        dd_control_options o = dd_control_options_default();
        assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
        assert_int_equal(dd_model_load_text(&model, ctx, "m.mop", text, strlen(text), NULL), DD_OK);
        assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
        assert_int_equal(dd_control_options_of(&o, system, 0), DD_OK);
        o.noise = NULL;
        assert_int_equal(dd_control_new(&c, system, &o), DD_OK);
        double y[] = {0.6, -0.8, 0, 0}, u = NAN;
        assert_int_equal(dd_control_step(c, y, &u), DD_OK);
        /* a set-point whose setting fails changes nothing; then it is set */
        if (skip > 0) {
            ctx->fail_at = ctx->allocations + skip;
            const dd_status st = dd_control_set(c, "most", 0.8);
            assert_true(st == DD_OK || st == DD_OUT_OF_MEMORY);
            ctx->fail_at = 0;
        }
        assert_int_equal(dd_control_set(c, "most", 0.8), DD_OK);
        assert_int_equal(dd_control_step(c, y, &u), DD_OK);
        expected = skip == 0 ? u : expected;
        assert_true(u == expected);
        dd_control_free(c);
        dd_system_free(system);
        dd_model_free(model);
        dd_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweep), cmocka_unit_test(test_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
