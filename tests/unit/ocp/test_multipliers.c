/* Multipliers: costates of linear-quadratic problems against the Riccati equation, with their orders; derivatives of the
 * optimal cost by start values, also of an index-3 model; densities and rows against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ocp/multipliers.h"
#include "unit/ocp/ocp_kit.h"

static dd_multipliers *multipliers_of(const kit *k)
{
    return dd_multipliers_new(k->ocp->transcription, &k->ocp->result, k->ocp->pool);
}

static double costate(const kit *k, uint32_t interval, double theta, uint32_t i)
{
    double out[16];
    dd_multipliers_costates(multipliers_of(k), interval, theta, out);
    return out[i];
}

static dd_ocp_options fine_options(uint32_t intervals)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = intervals;
    o.tolerance = 1e-12;
    o.multipliers = true;
    o.control = DD_OCP_POLYNOMIAL;
    return o;
}

/* min int (x^2 + u^2)/2, x' = u, x(0) = 1 on [0, 1]: P = tanh(1 - t), x = cosh(1 - t)/cosh 1, lambda = P x. The expected
 * sizes must not matter. */
static const char lq[] = "model M Real x(start = 1, fixed = true, nominal = 7); input Real u(nominal = 3);\n"
                         "equation der(x) = u; end M;\n"
                         "optimization O(objectiveIntegrand = 0.5*(x^2 + u^2), startTime = 0, finalTime = 1)\n"
                         " extends M; end O;\n";

static double lq_costate(double t)
{
    return sinh(1 - t) / cosh(1);
}

/* Largest errors of the costate: at the boundaries, and at the points inside. */
static void lq_errors(const dd_ocp_options *o, double *nodes, double *points)
{
    kit k = kit_solve("m.mop", lq, o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    const dd_transcription *t = k.ocp->transcription;
    *nodes = *points = 0;
    for (uint32_t i = 0; i < t->mesh.n; i++) {
        for (uint32_t side = 0; side < 2; side++) {
            double theta = t->mesh.theta[i + side];
            *nodes = fmax(*nodes, fabs(costate(&k, i, theta, 0) - lq_costate(theta)));
        }
        for (uint32_t j = 0; j < dd_transcription_points(t, i); j++) {
            double theta = dd_transcription_point(t, i, j);
            *points = fmax(*points, fabs(costate(&k, i, theta, 0) - lq_costate(theta)));
        }
    }
    kit_free(&k);
}

/* Halving the intervals must show the order. */
static void expect_order(dd_ocp_options o, double node_order, double point_order)
{
    double coarse[2], fine[2];
    o.intervals = 4;
    lq_errors(&o, &coarse[0], &coarse[1]);
    o.intervals = 8;
    lq_errors(&o, &fine[0], &fine[1]);
    assert_true(log2(coarse[0] / fine[0]) > node_order - 0.2);
    assert_true(fine[0] < 1e-3);
    if (point_order > 0) {
        assert_true(log2(coarse[1] / fine[1]) > point_order - 0.3);
    }
}

static void test_riccati(void **state)
{
    (void)state;
    dd_ocp_options o = fine_options(4);
    o.degree = 2;
    expect_order(o, 3, 2); /* Radau: 2d - 1 */
    o.legendre = true;
    expect_order(o, 4, 3); /* Legendre: 2d */
    o.shooting = true;
    o.integrator = "radau-2";
    expect_order(o, 3, 2);
    o.integrator = "gauss-2";
    o.substeps = 2;
    expect_order(o, 4, 3);
    o.integrator = "rk4";
    o.control = DD_OCP_LINEAR;
    expect_order(o, 4, 0);
}

/* Radau collocation with constant controls and shooting with one step of the same method are the same problem. */
static void test_shooting_is_collocation(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); input Real u(min = -1, max = 1);\n"
        "equation der(x) = y; der(y) = -sin(x) + u; end M;\n"
        "optimization O(objectiveIntegrand = x^2 + 0.1*u^2, startTime = 0, finalTime = 3) extends M;\n"
        "constraint x >= -0.05; y + u <= 0.6; end O;\n";
    dd_ocp_options o = fine_options(6);
    o.control = DD_OCP_CONSTANT;
    kit a = kit_solve("m.mop", text, &o);
    o.shooting = true;
    kit b = kit_solve("m.mop", text, &o);
    assert_int_equal(a.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(b.info.status, DD_OCP_OPTIMAL);
    const dd_multipliers *ma = multipliers_of(&a), *mb = multipliers_of(&b);
    assert_int_equal(dd_multipliers_count(ma), dd_multipliers_count(mb));
    for (uint32_t k = 0; k < 6; k++) {
        for (uint32_t j = 0; j <= 3; j++) {
            double theta = j < 1 ? k / 6.0 : (k + a.ocp->transcription->tau[3][j]) / 6.0;
            double x[2], y[2];
            dd_multipliers_costates(ma, k, theta, x);
            dd_multipliers_costates(mb, k, theta, y);
            assert_near(x[0], y[0], 1e-7);
            assert_near(x[1], y[1], 1e-7);
            for (uint32_t i = 0; i < dd_multipliers_count(ma) && j > 0; i++) {
                assert_string_equal(dd_multipliers_name(ma, i), dd_multipliers_name(mb, i));
                assert_near(dd_multipliers_density(ma, i, k, theta), dd_multipliers_density(mb, i, k, theta), 1e-5);
            }
        }
    }
    kit_free(&a);
    kit_free(&b);
}

/* ---- derivatives of the optimal cost ---- */

static double objective(const char *format, double value, const dd_ocp_options *o)
{
    char text[2000];
    snprintf(text, sizeof text, format, value);
    kit k = kit_solve("m.mop", text, o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    double objective = k.info.objective;
    kit_free(&k);
    return objective;
}

static void expect_start_derivative(const char *format, double value, uint32_t state, const dd_ocp_options *o)
{
    const double step = 1e-4;
    char text[2000];
    snprintf(text, sizeof text, format, value);
    kit k = kit_solve("m.mop", text, o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    double slope = (objective(format, value + step, o) - objective(format, value - step, o)) / (2 * step);
    double lambda = costate(&k, 0, 0, state);
    assert_true(fabs(slope) > 0.1); /* it can fail */
    assert_near(lambda, slope, 1e-5 * fmax(1, fabs(slope)));
    kit_free(&k);
}

static const char van_der_pol[] =
    "model M Real x(start = 0, fixed = true), y(start = %.17g, fixed = true, nominal = 4); input Real u(max = 0.75);\n"
    "equation der(x) = (1 - y^2)*x - y + u; der(y) = x; end M;\n"
    "optimization O(objectiveIntegrand = x^2 + y^2 + u^2, startTime = 0, finalTime = 5) extends M; end O;\n";

/* A point on a circle, in index-3 form, that must come to rest elsewhere; the tangential start speed is varied. */
static const char circle[] =
    "model Circle Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
    "  Real vx(start = 0, fixed = true) = der(x), vy(start = %.17g, fixed = true) = der(y), lam; input Real u;\n"
    "equation der(vx) = -lam*x - u*y; der(vy) = -lam*y + u*x; 0 = x^2 + y^2 - 1; end Circle;\n"
    "optimization Turn(objectiveIntegrand = u^2/2, startTime = 0, finalTime = 1)\n"
    "  extends Circle(x(initialGuess = cos(time)), y(initialGuess = sin(time)));\n"
    "constraint y(finalTime) = sin(1); x(finalTime)*vy(finalTime) - y(finalTime)*vx(finalTime) = 0; end Turn;\n";

static void test_start_derivatives(void **state)
{
    (void)state;
    dd_ocp_options o = fine_options(10);
    o.tolerance = 1e-11;
    o.control = DD_OCP_CONSTANT;
    expect_start_derivative(van_der_pol, 1, 1, &o);
    o.legendre = true;
    expect_start_derivative(van_der_pol, 1, 1, &o);
    o.shooting = true;
    o.integrator = "gauss-2";
    expect_start_derivative(van_der_pol, 1, 1, &o);
}

/* phi'' = u with phi(0) = 0, phi'(0) = w, phi(1) = 1, phi'(1) = 0: J = 2 (w^2 - 3 w + 3), so dJ/dw = 4 w - 6. */
static void test_index_three(void **state)
{
    (void)state;
    dd_ocp_options o = fine_options(12);
    o.tolerance = 1e-11;
    o.degree = 4;
    char text[2000];
    snprintf(text, sizeof text, circle, 0.3);
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(k.info.objective, 2 * (0.09 - 0.9 + 3), 1e-6);
    uint32_t vy = UINT32_MAX;
    for (uint32_t i = 0; i < k.ocp->problem->x.len; i++) {
        const char *name = dd_model_var_name_dup(k.model, k.ocp->problem->x.data[i].var, k.ocp->pool);
        vy = strcmp(name, "vy") == 0 ? i : vy;
    }
    assert_true(vy != UINT32_MAX);
    assert_near(costate(&k, 0, 0, vy), 4 * 0.3 - 6, 1e-5);
    kit_free(&k);
    expect_start_derivative(circle, 0.3, vy, &o);
}

/* ---- densities and rows ---- */

static double json_number(const kit *k, const char *before)
{
    const char *text = "";
    double value = NAN;
    assert_int_equal(dd_ocp_json(&text, k->ocp), DD_OK);
    text = strstr(text, before);
    assert_non_null(text);
    assert_int_equal(sscanf(text + strlen(before), "%lf", &value), 1);
    return value;
}

/* min int u^2/2, x' = u, x(0) = 0, x(1) = 1, u <= b: with b = 1.5 the bound is not active and lambda = -1 = -u. The row has
 * the multiplier dJ/d(value) = 1, in the Lagrangian with the other sign. */
static void test_point_row(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real x(start = 0, fixed = true, nominal = 5); input Real u; equation der(x) = u;"
        " end M;\noptimization O(objectiveIntegrand = u^2/2, startTime = 0, finalTime = 1)"
        " extends M; constraint x(finalTime) = 1; end O;\n";
    dd_ocp_options o = fine_options(5);
    kit k = kit_solve("m.mop", text, &o);
    assert_near(costate(&k, 0, 0, 0), -1, 1e-8);
    assert_near(costate(&k, 4, 1, 0), -1, 1e-8);
    assert_near(json_number(&k, "\"multipliers\":{\"x(finalTime) = 1\":"), -1, 1e-8);
    kit_free(&k);
}

/* min int (u - 2)^2/2 with u <= 1, x' = u - x and no cost of x: the density is 1, however u is bounded; for u^3 <= 1,
 * with a gradient of 3, it is 1/3. */
static void check_density(const char *where, dd_ocp_control control, bool legendre, const char *name, double expected)
{
    char text[600];
    snprintf(text, sizeof text,
             "model M Real x(start = 0, fixed = true); input Real u(nominal = 9%s); equation der(x) = u - x; end M;\n"
             "optimization O(objectiveIntegrand = (u - 2)^2/2, startTime = 0, finalTime = 3) extends M; %s end O;\n",
             where[0] == ',' ? where : "", where[0] == ',' ? "" : where);
    dd_ocp_options o = fine_options(4);
    o.tolerance = 1e-9;
    o.control = control;
    o.legendre = legendre;
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    const dd_multipliers *m = multipliers_of(&k);
    assert_int_equal(dd_multipliers_count(m), 1);
    assert_string_equal(dd_multipliers_name(m, 0), name);
    for (uint32_t i = 0; i <= 8; i++) {
        uint32_t interval = i < 8 ? i / 2 : 3;
        assert_near(dd_multipliers_density(m, 0, interval, i / 8.0), expected, 1e-6);
    }
    kit_free(&k);
}

static void test_densities(void **state)
{
    (void)state;
    for (int legendre = 0; legendre < 2; legendre++) {
        check_density(", max = 1", DD_OCP_CONSTANT, legendre, "multiplier(u)", 1);
        check_density(", max = 1", DD_OCP_LINEAR, legendre, "multiplier(u)", 1);
        check_density(", max = 1", DD_OCP_POLYNOMIAL, legendre, "multiplier(u)", 1);
        check_density("constraint u^3 <= 1;", DD_OCP_CONSTANT, legendre, "multiplier(u^3 <= 1)", 1.0 / 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_riccati),           cmocka_unit_test(test_shooting_is_collocation),
        cmocka_unit_test(test_start_derivatives), cmocka_unit_test(test_index_three),
        cmocka_unit_test(test_point_row),         cmocka_unit_test(test_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
