/* E, A, B of the equations as written, and the structure of their pencil: known matrices, the nilpotency index of linear
 * models against their differential index, finite eigenvalues against those of the reduced system. */
#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct run {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    dd_descriptor *d;
    dd_descriptor_info info;
    dd_linsys *l;
} run;

static run text(const char *model, double at)
{
    run r = {0};
    dd_sim_options o = dd_sim_options_default();
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", model, strlen(model), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    o.tol = 1e-11;
    assert_int_equal(dd_sim_new(&r.sim, r.system, &o), DD_OK);
    if (at > 0) {
        assert_int_equal(dd_sim_step(r.sim, at), DD_OK);
    }
    assert_int_equal(dd_descriptor_new(&r.d, r.sim), DD_OK);
    r.info = dd_descriptor_get_info(r.d);
    assert_int_equal(dd_linsys_new(&r.l, r.sim), DD_OK);
    return r;
}

static void done(run *r)
{
    dd_linsys_free(r->l);
    dd_descriptor_free(r->d);
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

/* Every finite eigenvalue is one of A of the reduced system, as many of each. */
static void check_eigenvalues(const run *r)
{
    const dd_linsys_info l = dd_linsys_get_info(r->l);
    assert_int_equal(l.status, DD_SIM_OK);
    assert_int_equal(r->info.n_finite, l.nx);
    for (uint32_t i = 0; i < l.nx; i++) {
        const double size = fmax(1, hypot(l.eigen_re[i], l.eigen_im[i]));
        assert_true(fabs(r->info.eigen_re[i] - l.eigen_re[i]) < 1e-8 * size);
        assert_true(fabs(fabs(r->info.eigen_im[i]) - fabs(l.eigen_im[i])) < 1e-8 * size);
    }
}

static void check_same(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(a[i] - b[i]) <= 1e-12 * fmax(1, fabs(b[i])));
    }
}

/* E x' = x + B u with a nilpotent E: index 3. */
static void test_nilpotent(void **state)
{
    (void)state;
    run r =
        text("model N input Real u; Real x[3]; equation der(x[2]) = x[1]; der(x[3]) = x[2]; 0 = x[3] + u; end N;", 0);
    const double E[] = {0, 1, 0, 0, 0, 1, 0, 0, 0}, A[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, B[] = {0, 0, 1};
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.n, 3);
    assert_int_equal(r.info.nu, 1);
    check_same(r.info.E, E, 9);
    /* the sign of a row is that of its text: left side minus right side */
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(fabs(r.info.A[i]) - A[i]) < 1e-15);
    }
    check_same((double[]){fabs(r.info.B[0]), fabs(r.info.B[1]), fabs(r.info.B[2])}, B, 3);
    assert_true(r.info.regular && r.info.decided);
    assert_int_equal(r.info.n_finite, 0);
    assert_int_equal(r.info.n_blocks, 1);
    assert_int_equal(r.info.block[0], 3);
    assert_int_equal(r.info.nilpotency, 3);
    assert_int_equal(r.info.differential_index, 3);
    assert_string_equal(dd_descriptor_unknown_name(r.d, 2), "x[3]");
    assert_string_equal(dd_descriptor_input_name(r.d, 0), "u");
    done(&r);
}

static void test_linear_models(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t index;
    } models[] = {/* two masses on springs */
                  {"model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; 2*der(v) "
                   "= -8*x - v; "
                   "end M;",
                   0},
                  /* a resistor and a capacitor in other units */
                  {"model R Real v(start = 1, fixed = true), i; equation 1e-9*der(v) = -i; v = 1e6*i; end R;", 1},
                  /* capacitors in parallel */
                  {"model C Real a(start = 1, fixed = true), b, i, j; equation 2*der(a) = i; 3*der(b) = j; a = b; i + "
                   "j = -a; end C;",
                   2},
                  /* masses on springs, joined by a bar */
                  {"model B Real x(start = 1, fixed = true), y, v(start = 0, fixed = true), w, f; equation der(x) = v; "
                   "der(y) = w; "
                   "der(v) = -x + f; 2*der(w) = -3*y - f - w; x = y; end B;",
                   3},
                  /* a combination of rows is free of derivatives */
                  {"model K Real x(start = 1, fixed = true), y; equation der(x) + der(y) = 1; der(x) + der(y) + 2*x - "
                   "y = 0; end K;",
                   1}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        for (int later = 0; later < 2; later++) {
            run r = text(models[i].text, later ? 0.3 : 0);
            assert_int_equal(r.info.status, DD_SIM_OK);
            assert_true(r.info.regular && r.info.decided);
            assert_int_equal(r.info.nilpotency, models[i].index);
            assert_int_equal(r.info.differential_index, (int)models[i].index);
            assert_int_equal(r.info.n_finite + r.info.n_infinite, r.info.n);
            check_eigenvalues(&r);
            done(&r);
        }
    }
}

/* A pendulum at rest: index 3, and the eigenvalues of its angle. */
static void test_pendulum(void **state)
{
    (void)state;
    run r = text("model P Real x(start = 0, fixed = true), y(start = -1), u(start = 0, fixed = true), v, f; equation "
                 "der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = 1; end P;",
                 0);
    assert_int_equal(r.info.nilpotency, 3);
    assert_int_equal(r.info.n_blocks, 1);
    assert_int_equal(r.info.n_finite, 2);
    assert_true(fabs(r.info.eigen_im[0] - sqrt(9.81)) < 1e-9);
    check_eigenvalues(&r);
    done(&r);
}

/* A derivative of an input in an equation has no place in the form. */
static void test_input_derivative(void **state)
{
    (void)state;
    run r = text("model I input Real u; Real x(start = 0, fixed = true); equation der(x) = -x + der(u); end I;", 0);
    assert_int_equal(r.info.status, DD_SIM_INVALID_MODEL);
    assert_non_null(strstr(r.info.reason, "derivative of the input u"));
    assert_int_equal(r.info.n, 0);
    done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nilpotent), cmocka_unit_test(test_linear_models),
                                       cmocka_unit_test(test_pendulum), cmocka_unit_test(test_input_derivative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
