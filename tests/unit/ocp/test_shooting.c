/* Multiple shooting. Derivatives: gradient, Jacobian and Hessian against central differences of the functions they belong
 * to, for methods of every structure and problems with everything in them (algebraic variables, bounds and rows at the
 * stages, point values of algebraic variables and between nodes, free times and parameters, linear controls). Solutions:
 * one Radau step per interval is Radau collocation, so the optimum and the trajectory must be the same; classical
 * Runge-Kutta reproduces published numbers; a step is the method's stability function. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/context.h"
#include "daedal/daedal.h"
#include "nlp/nlp.h"
#include "ocp/guess.h"
#include "ocp/ocp_impl.h"
#include "ocp/shooting.h"

static void near(double a, double b, double tolerance, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("line %d: %.17g is not %.17g within %g", line, a, b, tolerance);
    }
}
#define assert_near(a, b, tolerance) near(a, b, tolerance, __LINE__)

/* ---- problems ---- */

static const char *const vdp = "model VDP\n"
                               "  Real x1(start = 0, fixed = true, min = -0.25), x2(start = 1, fixed = true);\n"
                               "  input Real u(min = -1, max = 1);\n"
                               "equation\n"
                               "  der(x1) = (1 - x2^2)*x1 - x2 + u;\n"
                               "  der(x2) = x1;\n"
                               "end VDP;\n"
                               "optimization A(objectiveIntegrand = x1^2 + x2^2 + u^2, finalTime = 10)\n"
                               "  extends VDP(x1(initialGuess = 0), x2(initialGuess = 0));\n"
                               "end A;\n";

/* Index 1 with two algebraic variables that no formula gives; nominal values away from 1; explicit time. */
static const char *const rich =
    "model M\n"
    "  parameter Real k(min = 0.1, max = 3, nominal = 2);\n"
    "  Real a(start = 1, fixed = true, nominal = 3, max = 4), b(start = 0.2, fixed = true);\n"
    "  Real y(start = 0.5, max = 2.5, nominal = 0.5), w(start = 0.3);\n"
    "  input Real u(min = -2, max = 2, nominal = 2), v(min = -1, max = 1);\n"
    "equation\n"
    "  der(a) = -k*a + y*u + 0.1*sin(time)*b;\n"
    "  der(b) = w*cos(a) + v - 0.3*b^2;\n"
    "  y + 0.2*y^3 + 0.1*w = a*b + 0.3*u;\n"
    "  w + 0.3*sin(w) + 0.1*y = b + 0.2*v^2*k;\n"
    "end M;\n"
    "optimization R(objectiveIntegrand = a^2*y + u^2 + v^2 + 0.1*w^2*time, objective = finalTime*k + y(finalTime)^2\n"
    "    + a(startTime + 0.37*(finalTime - startTime))*w(startTime + 0.37*(finalTime - startTime)),\n"
    "    startTime(free = true, min = -0.2, max = 0.2, initialGuess = 0.05),\n"
    "    finalTime(free = true, min = 0.5, max = 3, initialGuess = 1.3))\n"
    "  extends M(k(free = true, initialGuess = 0.7), a(initialGuess = 1 - 0.2*time), b(initialGuess = 0.2 + "
    "0.3*time^2), y(initialGuess = 0.4),\n"
    "    w(initialGuess = 0.2), u(initialGuess = 0.3*cos(3*time)), v(initialGuess = 0.2 + 0.1*time));\n"
    "constraint\n"
    "  y*w + a <= 3;\n"
    "  a*b <= 5;\n"
    "  u + 0.5*a + 0.2*time <= 1.4;\n"
    "  a(finalTime) + w(finalTime)*k = 0.9;\n"
    "end R;\n";

static const char *const pendulum =
    "model P\n"
    "  Real p[2](start = {0, -1}, fixed = {true, false}), v[2](start = {0, 0}, fixed = {true, false}), z;\n"
    "  input Real u(min = -8, max = 8);\n"
    "equation\n"
    "  der(p) = v;\n"
    "  der(v) = {u, -9.81} - z*p;\n"
    "  p*p = 1;\n"
    "end P;\n"
    "optimization S(objectiveIntegrand = 0.1*u^2, finalTime = 1)\n"
    "  extends P(p(initialGuess = {sin(0.8*time), -cos(0.8*time)}), v(initialGuess = {0.8*cos(0.8*time), "
    "0.8*sin(0.8*time)}));\n"
    "constraint\n"
    "  p[1](finalTime) = 0.7; v[1](finalTime) = 0; z <= 40;\n"
    "end S;\n";

typedef struct setting {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
} setting;

static setting open_text(const char *text)
{
    setting s = {0};
    assert_int_equal(dd_context_new(&s.ctx, NULL), DD_OK);
    if (dd_model_load_text(&s.model, s.ctx, "m.mop", text, strlen(text), NULL) != DD_OK) {
        fail_msg("%s", dd_context_message(s.ctx));
    }
    assert_int_equal(dd_model_analyse(&s.system, s.model, NULL), DD_OK);
    return s;
}

static void close_text(setting *s)
{
    dd_system_free(s->system);
    dd_model_free(s->model);
    dd_context_free(s->ctx);
}

/* ---- derivatives ---- */

typedef struct check {
    dd_system *system;
    dd_pool *pool;
    const char *integrator;
    uint32_t substeps, intervals;
    dd_control_kind control;
    dd_tableau *tableau;
    dd_guess_source *written;
    dd_transcription *t;
} check;

static void transcribe(void *user)
{
    check *c = user;
    dd_ocp_problem *o = dd_ocp_problem_new(c->system, &(dd_ocp_problem_options){.form = DD_EQUATIONS_REDUCED}, c->pool);
    assert_null(o->reason);
    dd_mesh mesh = {.n = c->intervals, .control = c->control, .tableau = c->tableau, .substeps = c->substeps};
    mesh.theta = dd_pool_alloc_array(c->pool, mesh.n + 1, sizeof *mesh.theta);
    mesh.degree = dd_pool_alloc_array(c->pool, mesh.n + 1, sizeof *mesh.degree);
    for (uint32_t k = 0; k <= mesh.n; k++) {
        double part = (double)k / mesh.n;
        mesh.theta[k] = part * (0.8 + 0.2 * part); /* intervals of different lengths */
    }
    dd_guess_source_new(&c->written, o, NULL, c->pool);
    dd_guess guess = dd_guess_source_as(c->written);
    c->t = dd_transcribe(o, &mesh, &guess, c->pool);
}

/* Numbers without a pattern, the same in every run. */
static double some(uint32_t i)
{
    double v = sin(12.9898 * (i + 1)) * 43758.5453;
    return v - floor(v) - 0.5;
}

enum { MOST = 300 };

/* Gradient of sigma f + lambda^T c. */
static void lagrangian_gradient(const dd_nlp *nlp, const double *y, double sigma, const double *lambda, double *out)
{
    static double jacobian[50000];
    assert_true(nlp->gradient(nlp->user, y, true, out));
    assert_true(nlp->jacobian(nlp->user, y, false, jacobian));
    for (uint32_t i = 0; i < nlp->n; i++) {
        out[i] *= sigma;
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        out[nlp->jacobian_col[k]] += lambda[nlp->jacobian_row[k]] * jacobian[k];
    }
}

/* Central differences of fourth order: f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h + O(h^4). */
static const double shift[] = {1, -1, 2, -2}, factor[] = {8. / 12, -8. / 12, -1. / 12, 1. / 12};

static void check_first(const dd_nlp *nlp, double *y)
{
    static double jacobian[50000], dense[MOST][MOST], gradient[MOST], c[MOST], slope[MOST];
    double h = 2e-4;
    memset(dense, 0, sizeof dense);
    assert_true(nlp->gradient(nlp->user, y, true, gradient));
    assert_true(nlp->jacobian(nlp->user, y, false, jacobian));
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        dense[nlp->jacobian_row[k]][nlp->jacobian_col[k]] += jacobian[k];
    }
    for (uint32_t j = 0; j < nlp->n; j++) {
        double before = y[j], f, df = 0;
        memset(slope, 0, sizeof slope);
        for (uint32_t k = 0; k < 4; k++) {
            y[j] = before + shift[k] * h;
            assert_true(nlp->constraints(nlp->user, y, true, c) && nlp->objective(nlp->user, y, false, &f));
            df += factor[k] * f / h;
            for (uint32_t i = 0; i < nlp->m; i++) {
                slope[i] += factor[k] * c[i] / h;
            }
        }
        y[j] = before;
        assert_near(gradient[j], df, 1e-9 * (1 + fabs(gradient[j])));
        for (uint32_t i = 0; i < nlp->m; i++) {
            assert_near(dense[i][j], slope[i], 1e-9 * (1 + fabs(dense[i][j])));
        }
    }
}

static void check_second(const dd_nlp *nlp, double *y)
{
    static double values[50000], dense[MOST][MOST], lambda[MOST], g[MOST], slope[MOST];
    double sigma = 0.7, h = 2e-4;
    memset(dense, 0, sizeof dense);
    for (uint32_t i = 0; i < nlp->m; i++) {
        lambda[i] = 2 * some(7 * i + 3);
    }
    assert_true(nlp->hessian(nlp->user, y, true, sigma, lambda, values));
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        uint32_t r = nlp->hessian_row[k], c = nlp->hessian_col[k];
        assert_true(r >= c);
        dense[r][c] += values[k];
        dense[c][r] += r != c ? values[k] : 0;
    }
    for (uint32_t j = 0; j < nlp->n; j++) {
        double before = y[j];
        memset(slope, 0, sizeof slope);
        for (uint32_t k = 0; k < 4; k++) {
            y[j] = before + shift[k] * h;
            lagrangian_gradient(nlp, y, sigma, lambda, g);
            for (uint32_t i = 0; i < nlp->n; i++) {
                slope[i] += factor[k] * g[i] / h;
            }
        }
        y[j] = before;
        for (uint32_t i = 0; i < nlp->n; i++) {
            assert_near(dense[i][j], slope[i], 1e-9 * (1 + fabs(dense[i][j])));
        }
    }
}

static void check_derivatives(const char *text, const char *integrator, uint32_t substeps, dd_control_kind control)
{
    setting s = open_text(text);
    static double y[MOST];
    check c = {.system = s.system,
               .pool = dd_pool_new(s.ctx),
               .integrator = integrator,
               .substeps = substeps,
               .intervals = text == vdp ? 10 : 3, /* short steps: differences need tame functions */
               .control = control};
    assert_int_equal(dd_tableau_new(&c.tableau, s.ctx, integrator), DD_OK);
    assert_int_equal(dd_protect(s.ctx, transcribe, &c), DD_OK);
    const dd_nlp *nlp = c.t->nlp;
    assert_true(nlp->n <= MOST && nlp->m <= MOST && nlp->jacobian_nnz <= 50000);
    for (uint32_t i = 0; i < nlp->n; i++) {
        y[i] = dd_elements_start(c.t->elements)[i] + 0.1 * some(i);
    }
    check_first(nlp, y);
    check_second(nlp, y);
    dd_guess_source_free(c.written);
    dd_transcription_free(c.t);
    dd_tableau_free(c.tableau);
    dd_pool_free(c.pool);
    close_text(&s);
}

static void test_derivatives_of_methods(void **state)
{
    (void)state;
    static const char *const names[] = {"radau-3", "gauss-2",     "lobatto-3", "implicit-euler",
                                        "euler",   "trapezoidal", "rk4",       "lobatto-iiib-3"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_derivatives(rich, names[i], 1 + i % 3, DD_CONTROL_CONSTANT);
        check_derivatives(vdp, names[i], 1 + (i + 1) % 3, DD_CONTROL_CONSTANT);
    }
}

static void test_derivatives_of_controls(void **state)
{
    (void)state;
    check_derivatives(rich, "radau-3", 2, DD_CONTROL_LINEAR);
    check_derivatives(rich, "rk4", 2, DD_CONTROL_LINEAR);
    check_derivatives(pendulum, "radau-2", 1, DD_CONTROL_LINEAR);
    check_derivatives(rich, "gauss-2", 2, DD_CONTROL_POLYNOMIAL);
}

/* ---- a step is the stability function ---- */

static void test_linear_step(void **state)
{
    (void)state;
    /* x' = -2 x over one interval of length 0.5 in two steps: x(0.5) = R(-0.5)^2 */
    const char *text = "model D Real x(start = 1, fixed = true); equation der(x) = -2*x; end D;\n"
                       "optimization E(objective = x(finalTime), finalTime = 0.5) extends D; end E;\n";
    double q = -0.5;
    const struct {
        const char *name;
        double r;
    } cases[] = {{"euler", 1 + q},
                 {"rk4", 1 + q + q * q / 2 + q * q * q / 6 + q * q * q * q / 24},
                 {"implicit-euler", 1 / (1 - q)},
                 {"trapezoidal", (1 + q / 2) / (1 - q / 2)},
                 {"gauss-2", (1 + q / 2 + q * q / 12) / (1 - q / 2 + q * q / 12)},
                 {"radau-2", (1 + q / 3) / (1 - 2 * q / 3 + q * q / 6)}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting s = open_text(text);
        dd_ocp_options o = dd_ocp_options_default();
        dd_ocp *ocp;
        o.shooting = true;
        o.integrator = cases[i].name;
        o.substeps = 2;
        o.intervals = 1;
        assert_int_equal(dd_ocp_new(&ocp, s.system, &o), DD_OK);
        assert_int_equal(dd_ocp_solve(ocp), DD_OK);
        assert_near(dd_ocp_get_info(ocp).objective, cases[i].r * cases[i].r, 1e-14);
        dd_ocp_free(ocp);
        close_text(&s);
    }
}

/* ---- solutions ---- */

typedef struct answer {
    dd_ocp_info info;
    double values[1000]; /* every variable at the ends of ten intervals */
    uint32_t n;
} answer;

static answer solve(const char *text, dd_ocp_options o)
{
    setting s = open_text(text);
    dd_ocp *ocp;
    answer a = {0};
    assert_int_equal(dd_ocp_new(&ocp, s.system, &o), DD_OK);
    assert_int_equal(dd_ocp_solve(ocp), DD_OK);
    a.info = dd_ocp_get_info(ocp);
    bool motion = a.info.estimated_error <= 1e-3 && a.info.simulation_difference <= 1e-2; /* some meshes are coarse */
    assert_int_equal(a.info.status, motion ? DD_OCP_OPTIMAL : DD_OCP_INACCURATE);
    a.info.reason = a.info.note = a.info.worst_state = NULL; /* of the problem */
    const dd_ocp_problem *problem = ocp->problem;
    for (uint32_t i = 0; i < 10; i++) {
        const dd_mesh *mesh = &ocp->transcription->mesh;
        double x[50], z[50], u[50], params[50], theta = mesh->theta[mesh->n * (i + 1) / 10];
        for (uint32_t k = 0; k < problem->p.len; k++) {
            params[k] = ocp->result.x[ocp->transcription->p_at + k] * problem->p.data[k].scale;
        }
        dd_transcription_at(ocp->transcription, ocp->result.x, theta, true, x, z, u);
        const double t = dd_transcription_time(ocp->transcription, ocp->result.x, theta);
        const dd_ocp_moment m = {x, z, u, params, t, a.info.start_time, a.info.final_time};
        dd_ocp_outputs_eval(ocp->outputs, &m, a.values + a.n);
        a.n += ocp->outputs->vars.len;
    }
    dd_ocp_free(ocp);
    close_text(&s);
    return a;
}

static dd_ocp_options shooting(const char *integrator, uint32_t intervals, uint32_t substeps)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.shooting = true;
    o.integrator = integrator;
    o.intervals = intervals;
    o.substeps = substeps;
    return o;
}

static void same_as_collocation(const char *text, uint32_t intervals, dd_ocp_control control)
{
    dd_ocp_options o = dd_ocp_options_default(), m = shooting(NULL, intervals, 1);
    o.intervals = intervals;
    o.control = m.control = control;
    o.tolerance = m.tolerance = 1e-11;
    answer a = solve(text, o), b = solve(text, m);
    assert_near(a.info.objective, b.info.objective, 1e-9 * (1 + fabs(a.info.objective)));
    assert_near(a.info.final_time, b.info.final_time, 1e-7);
    assert_int_equal(a.n, b.n);
    for (uint32_t i = 0; i < a.n; i++) {
        assert_near(a.values[i], b.values[i], 2e-6 * (1 + fabs(a.values[i])));
    }
}

static void test_same_as_collocation(void **state)
{
    (void)state;
    same_as_collocation(vdp, 20, DD_OCP_CONSTANT);
    same_as_collocation(vdp, 10, DD_OCP_LINEAR);
    same_as_collocation(vdp, 10, DD_OCP_POLYNOMIAL);
    same_as_collocation(pendulum, 10, DD_OCP_CONSTANT);
    same_as_collocation(rich, 8, DD_OCP_CONSTANT);
}

/* Four classical steps per interval: the published optimum of this transcription, in at most as many iterations. The solvers
 * that it comes from let bounds give way by 1e-8 of their size, at least of 1, and end with a barrier of 1e-9, which
 * each of some 25 active bounds adds to the objective. */
static void test_published(void **state)
{
    (void)state;
    const char *relaxed = "model VDP\n"
                          "  Real x1(start = 0, fixed = true, min = -0.25 - 1e-8), x2(start = 1, fixed = true);\n"
                          "  input Real u(min = -1 - 1e-8, max = 1 + 1e-8);\n"
                          "equation\n"
                          "  der(x1) = (1 - x2^2)*x1 - x2 + u;\n"
                          "  der(x2) = x1;\n"
                          "end VDP;\n"
                          "optimization A(objectiveIntegrand = x1^2 + x2^2 + u^2, finalTime = 10)\n"
                          "  extends VDP(x1(initialGuess = 0), x2(initialGuess = 0));\n"
                          "end A;\n";
    answer a = solve(relaxed, shooting("rk4", 100, 4));
    assert_near(a.info.objective, 3.618797870, 25e-9);
    assert_in_range(a.info.iterations, 1, 14);
    assert_int_equal(a.info.variables, 302);
    assert_int_equal(a.info.equalities, 202);
}

static void test_other_hessians(void **state)
{
    (void)state;
    dd_ocp_options o = shooting("radau-3", 10, 1);
    answer exact = solve(vdp, o);
    o.hessian = DD_OCP_GAUSS_NEWTON;
    answer gauss = solve(vdp, o);
    o.hessian = DD_OCP_BFGS;
    answer quasi = solve(vdp, o);
    assert_near(exact.info.objective, gauss.info.objective, 1e-7);
    assert_near(exact.info.objective, quasi.info.objective, 1e-6);
    assert_true(exact.info.iterations < quasi.info.iterations);
    assert_string_equal(dd_ocp_hessian_name(DD_OCP_GAUSS_NEWTON), "gauss-newton");
}

static void test_refused(void **state)
{
    (void)state;
    setting s = open_text(vdp);
    dd_ocp *ocp;
    dd_ocp_options o = shooting("rk5", 10, 1);
    assert_int_equal(dd_ocp_new(&ocp, s.system, &o), DD_INVALID_ARGUMENT);
    o = shooting("rk4", 10, 0);
    assert_int_equal(dd_ocp_new(&ocp, s.system, &o), DD_INVALID_ARGUMENT);
    o = shooting("rk4", 10, 1);
    o.control = DD_OCP_POLYNOMIAL;
    assert_int_equal(dd_ocp_new(&ocp, s.system, &o), DD_INVALID_ARGUMENT);
    o = dd_ocp_options_default();
    o.hessian = DD_OCP_GAUSS_NEWTON;
    assert_int_equal(dd_ocp_new(&ocp, s.system, &o), DD_INVALID_ARGUMENT);
    close_text(&s);
}

/* ---- failures ---- */

/* Bytes that are out; no block may come back with another size than it was given with. */
static void *counting(void *user, void *ptr, size_t old_size, size_t new_size)
{
    size_t *bytes = user;
    void *now = new_size > 0 ? realloc(ptr, new_size) : NULL;
    if (new_size == 0) {
        free(ptr);
    } else if (now == NULL) {
        return NULL;
    }
    *bytes += new_size - old_size;
    return now;
}

/* One run in which allocation number fail_at fails. Allocations before and after the transcription go to range. */
static dd_status failing_run(uint64_t fail_at, uint64_t range[2])
{
    size_t bytes = 0;
    dd_context_options options = dd_context_options_default();
    setting s = {0};
    options.alloc = counting;
    options.alloc_user = &bytes;
    options.fail_at = fail_at;
    assert_int_equal(dd_context_new(&s.ctx, &options), DD_OK);
    assert_int_equal(dd_model_load_text(&s.model, s.ctx, "m.mop", rich, strlen(rich), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&s.system, s.model, NULL), DD_OK);
    check c = {.system = s.system, .pool = dd_pool_new(s.ctx), .substeps = 2, .intervals = 3};
    assert_int_equal(dd_tableau_new(&c.tableau, s.ctx, "radau-2"), DD_OK);
    range[0] = dd_context_allocations(s.ctx);
    dd_status status = dd_protect(s.ctx, transcribe, &c);
    range[1] = dd_context_allocations(s.ctx);
    dd_guess_source_free(c.written);
    dd_transcription_free(c.t);
    dd_tableau_free(c.tableau);
    dd_pool_free(c.pool);
    close_text(&s);
    assert_int_equal(bytes, 0);
    return status;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    uint64_t range[2], ignored[2];
    assert_int_equal(failing_run(0, range), DD_OK);
    for (uint64_t k = 0; k < 40; k++) {
        uint64_t at = range[0] + 1 + (range[1] - range[0] - 1) * k / 39;
        assert_int_equal(failing_run(at, ignored), DD_OUT_OF_MEMORY);
    }
}

int main(void)
{
    if (!dd_nlp_available()) {
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_of_methods),
        cmocka_unit_test(test_derivatives_of_controls),
        cmocka_unit_test(test_linear_step),
        cmocka_unit_test(test_same_as_collocation),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_other_hessians),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
