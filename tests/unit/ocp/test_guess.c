/* Guesses: straight lines, tables, simulations and their fallback; on the invariants and with algebraic variables that
 * satisfy their equations at every point; several starts against minima known in closed form. */
#include "nlp/nlp.h"
#include "ocp/guess.h"
#include "unit/ocp/ocp_kit.h"

/* ---- what a guess gives ---- */

static const char vdp[] = "model VDP\n"
                          "  Real x1(start = 0, fixed = true, min = -0.25), x2(start = 1, fixed = true);\n"
                          "  input Real u(min = -1, max = 1);\n"
                          "equation\n"
                          "  der(x1) = (1 - x2^2)*x1 - x2 + u;\n"
                          "  der(x2) = x1;\n"
                          "end VDP;\n"
                          "optimization A(objectiveIntegrand = x1^2 + x2^2 + u^2, finalTime = 10)\n"
                          "  extends VDP(u(initialGuess = 3));\n"
                          "constraint\n"
                          "  2*x2(finalTime) - 1 = 0;\n"
                          "end A;\n";

typedef struct guess_call {
    dd_system *system;
    dd_pool *pool;
    const char *kind;
    void (*look)(dd_ocp_problem *o, const dd_guess *g);
    dd_guess_source *source;
} guess_call;

static void guess_body(void *arg)
{
    guess_call *call = arg;
    dd_ocp_problem *o =
        dd_ocp_problem_new(call->system, &(dd_ocp_problem_options){.form = DD_EQUATIONS_REDUCED}, call->pool);
    assert_null(o->reason);
    dd_guess_source_new(&call->source, o, call->kind, call->pool);
    dd_guess g = dd_guess_source_as(call->source);
    call->look(o, &g);
}

static dd_status with_guess(const char *text, const char *kind, void (*look)(dd_ocp_problem *o, const dd_guess *g))
{
    dd_context *ctx = new_context();
    dd_model *model;
    guess_call call = {.kind = kind, .look = look};
    assert_int_equal(dd_model_load_text(&model, ctx, "m.mop", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&call.system, model, NULL), DD_OK);
    call.pool = dd_pool_new(ctx);
    dd_status status = dd_protect(ctx, guess_body, &call);
    dd_guess_source_free(call.source);
    dd_pool_free(call.pool);
    dd_system_free(call.system);
    dd_model_free(model);
    dd_context_free(ctx);
    return status;
}

/* x2 from 1 to 1/2, x1 and u as written, u within its bounds */
static void look_at_line(dd_ocp_problem *o, const dd_guess *g)
{
    double x[2], z[1], u[1];
    (void)o;
    for (int i = 0; i <= 10; i++) {
        g->at(g->user, i / 10.0, false, x, z, u);
        assert_near(x[0], 0, 1e-15);
        assert_near(x[1], 1 - 0.05 * i, 1e-15);
        assert_near(u[0], 1, 0);
    }
}

static void test_line(void **state)
{
    (void)state;
    assert_int_equal(with_guess(vdp, "linear", look_at_line), DD_OK);
}

/* h' = u - h with u = cos(t) from h = 1: h = (cos t + sin t + e^-t)/2; y with y + y^3 = h */
static const char tank[] = "model Tank\n"
                           "  input Real u;\n"
                           "  Real h(start = 1, fixed = true);\n"
                           "  Real y(start = 0.5);\n"
                           "equation\n"
                           "  der(h) = u - h;\n"
                           "  y + y^3 = h;\n"
                           "end Tank;\n"
                           "optimization O(objectiveIntegrand = y^2 + u^2, finalTime = 3)\n"
                           "  extends Tank(u(initialGuess = cos(time)), h(initialGuess = 2 - time));\n"
                           "end O;\n";

static void look_at_simulation(dd_ocp_problem *o, const dd_guess *g)
{
    double x[1], z[1], u[1];
    assert_int_equal(o->z.len, 1);
    for (int i = 0; i <= 30; i++) {
        const double t = i / 10.0;
        g->at(g->user, i / 30.0, false, x, z, u);
        assert_near(x[0], (cos(t) + sin(t) + exp(-t)) / 2, 2e-5);
        assert_near(z[0] + pow(z[0], 3), x[0], 1e-12);
        assert_near(u[0], cos(t), 1e-14);
    }
    assert_int_equal(o->messages.len, 0);
}

/* the text says what h is, y follows from it */
static void look_at_algebraic(dd_ocp_problem *o, const dd_guess *g)
{
    double x[1], z[1], u[1];
    (void)o;
    for (int i = 0; i <= 30; i++) {
        g->at(g->user, i / 30.0, false, x, z, u);
        assert_near(x[0], 2 - i / 10.0, 1e-14);
        assert_near(z[0] + pow(z[0], 3), x[0], 1e-12);
    }
}

static void test_simulation(void **state)
{
    (void)state;
    assert_int_equal(with_guess(tank, "simulate", look_at_simulation), DD_OK);
    assert_int_equal(with_guess(tank, NULL, look_at_algebraic), DD_OK);
}

/* x' = x^2 from 1 has no solution beyond time 1 */
static void look_at_fallback(dd_ocp_problem *o, const dd_guess *g)
{
    double x[1], z[1], u[1];
    assert_int_equal(o->messages.len, 1);
    assert_non_null(strstr(o->messages.data[0], "stopped at time"));
    g->at(g->user, 0.75, false, x, z, u);
    assert_near(x[0], 0.5, 1e-15);
}

static void test_fallback(void **state)
{
    (void)state;
    static const char text[] = "optimization O(objectiveIntegrand = u^2, finalTime = 2)\n"
                               "  Real x(start = 1, fixed = true, initialGuess = 0.5);\n  input Real u;\n"
                               "equation\n  der(x) = x^2 + u;\nend O;\n";
    assert_int_equal(with_guess(text, "simulate", look_at_fallback), DD_OK);
}

/* ---- on the invariants ---- */

static const char pendulum[] =
    "model P\n"
    "  input Real F;\n"
    "  Real p[2](start = {0.6, -0.8}, fixed = {true, false}), v[2](start = {0, 0}, fixed = {true, false}) = der(p);\n"
    "  Real lam;\n"
    "equation\n"
    "  der(v[1]) = -2*lam*p[1] + F;\n"
    "  der(v[2]) = -2*lam*p[2] - 9.81;\n"
    "  p*p = 1;\n"
    "end P;\n"
    "optimization O(objectiveIntegrand = F^2, finalTime = 1)\n"
    "  extends P(p(initialGuess = {0.6 - time, -0.9 + 0.2*time}), v(initialGuess = {-1, 0.3}), F(initialGuess = "
    "time));\n"
    "constraint\n"
    "  p[1](finalTime) = -0.3;\n"
    "end O;\n";

/* |p| = 1, p v = 0, and 2 lam |p|^2 = v v - 9.81 p[2] + F p[1] */
static void look_at_pendulum(dd_ocp_problem *o, const dd_guess *g)
{
    double x[4], z[8], u[1];
    uint32_t at[4] = {0};
    assert_int_equal(o->x.len, 4);
    assert_true(o->z.len <= 8);
    for (uint32_t i = 0; i < 4; i++) {
        static const char *const names[] = {"p[1]", "p[2]", "v[1]", "v[2]"};
        const char *name = dd_model_var_name_dup(o->model, o->x.data[i].var, o->pool);
        for (uint32_t k = 0; k < 4; k++) {
            at[k] = strcmp(name, names[k]) == 0 ? i : at[k];
        }
    }
    for (int i = 0; i <= 20; i++) {
        g->at(g->user, i / 20.0, false, x, z, u);
        const double p1 = x[at[0]], p2 = x[at[1]], v1 = x[at[2]], v2 = x[at[3]];
        assert_near(p1 * p1 + p2 * p2, 1, 1e-12);
        assert_near(p1 * v1 + p2 * v2, 0, 1e-12);
        for (uint32_t k = 0; k < o->z.len; k++) {
            if (strcmp(dd_model_var_name_dup(o->model, o->z.data[k].var, o->pool), "lam") == 0) {
                assert_near(2 * z[k], v1 * v1 + v2 * v2 - 9.81 * p2 + u[0] * p1, 1e-10);
            }
        }
    }
}

static void test_invariants(void **state)
{
    (void)state;
    assert_int_equal(with_guess(pendulum, NULL, look_at_pendulum), DD_OK);
    assert_int_equal(with_guess(pendulum, "linear", look_at_pendulum), DD_OK);
    assert_int_equal(with_guess(pendulum, "simulate", look_at_pendulum), DD_OK);
}

/* ---- files ---- */

/* How far the guess read back from a solution is from it, relative. */
static double read_back(const char *text)
{
    kit_folder f = kit_folder_new("run.csv");
    dd_ocp_options o = dd_ocp_options_default();
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(dd_ocp_write_csv(k.ocp, f.file), DD_OK);
    o.guess = f.file;
    kit again = kit_solve("m.mop", text, &o);
    assert_int_equal(again.info.status, DD_OCP_OPTIMAL);
    assert_near(again.info.objective, k.info.objective, 1e-7 * k.info.objective);
    const double *start = dd_elements_start(again.ocp->transcription->elements);
    double most = 0;
    for (uint32_t i = 0; i < again.ocp->transcription->nlp->n; i++) {
        most = fmax(most, fabs(start[i] - k.ocp->result.x[i]) / fmax(1, fabs(start[i])));
    }
    kit_free(&k);
    kit_free(&again);
    kit_folder_free(&f);
    return most;
}

/* what was written is the guess of the next run; a transcribed DAE is off its invariants by the discretisation error,
 * which the projection takes away; the solver may leave bounds by 1e-8 */
static void test_read_back(void **state)
{
    (void)state;
    assert_near(read_back(vdp), 0, 2e-8);
    assert_near(read_back(pendulum), 0, 1e-6);
}

static void put_file(const kit_folder *f, const char *text)
{
    FILE *file = fopen(f->file, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* rows at 2 and 4 are stretched to 0 and 10; a jump of u; x1 is not in the file */
static void look_at_table(dd_ocp_problem *o, const dd_guess *g)
{
    double x[2], z[1], u[1];
    g->at(g->user, 0.25, false, x, z, u);
    assert_near(x[0], 0, 0);
    assert_near(x[1], 1.25, 1e-15);
    assert_near(u[0], -0.5, 1e-15);
    g->at(g->user, 0.5, false, x, z, u);
    assert_near(u[0], 1, 1e-15);
    g->at(g->user, 1, false, x, z, u);
    assert_near(x[1], 2, 1e-15);
    assert_int_equal(o->messages.len, 1);
    assert_non_null(strstr(o->messages.data[0], "stretched"));
}

static void look_at_nothing(dd_ocp_problem *o, const dd_guess *g)
{
    (void)o;
    (void)g;
}

static void test_table(void **state)
{
    (void)state;
    kit_folder f = kit_folder_new("g.csv");
    put_file(&f, "u,time,x2,what\n-0.5,2,1,9\n-0.5,3,1.5,9\n1,3,1.5,9\n1,4,2,9\n");
    assert_int_equal(with_guess(vdp, f.file, look_at_table), DD_OK);
    put_file(&f, "u,time\n1,0\n");
    assert_int_equal(with_guess(vdp, f.file, look_at_nothing), DD_INVALID_MODEL);
    put_file(&f, "a,time\n1,0\n2,1\n");
    assert_int_equal(with_guess(vdp, f.file, look_at_nothing), DD_INVALID_MODEL);
    put_file(&f, "u,time\n1,1\n2,0\n");
    assert_int_equal(with_guess(vdp, f.file, look_at_nothing), DD_INVALID_MODEL);
    unlink(f.file);
    assert_int_equal(with_guess(vdp, f.file, look_at_nothing), DD_IO);
    kit_folder_free(&f);
}

/* ---- several starts ---- */

/* (k^2 - 1)^2 + 0.2 k has two minima: zeros of 4 k^3 - 4 k + 0.2 */
static double minimum_near(double k)
{
    for (int i = 0; i < 100; i++) {
        k -= (4 * k * k * k - 4 * k + 0.2) / (12 * k * k - 4);
    }
    return k;
}

static double double_well(double k)
{
    return pow(k * k - 1, 2) + 0.2 * k;
}

static void test_multistart(void **state)
{
    (void)state;
    static const char text[] = "optimization O(objective = (k^2 - 1)^2 + 0.2*k, finalTime = 1)\n"
                               "  parameter Real k(free = true, min = -2, max = 2, initialGuess = 1.2);\n"
                               "  Real x(start = 0, fixed = true);\nequation\n  der(x) = k;\nend O;\n";
    const double right = minimum_near(1), left = minimum_near(-1);
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 4;
    kit one = kit_solve("m.mop", text, &o);
    assert_int_equal(one.info.status, DD_OCP_OPTIMAL);
    assert_near(kit_parameter(&one, 0), right, 1e-6);
    kit_free(&one);
    double first[2] = {0};
    for (int run = 0; run < 2; run++) {
        o.multistart = 8;
        kit k = kit_solve("m.mop", text, &o);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_near(kit_parameter(&k, 0), left, 1e-6);
        assert_int_equal(k.ocp->optima.len, 2);
        assert_near(k.ocp->optima.data[0].objective, double_well(left), 1e-8);
        assert_near(k.ocp->optima.data[1].objective, double_well(right), 1e-8);
        assert_int_equal(k.ocp->optima.data[0].count + k.ocp->optima.data[1].count, 8);
        assert_int_equal(k.ocp->optima.data[1].first, 1);
        const char *json;
        assert_int_equal(dd_ocp_json(&json, k.ocp), DD_OK);
        assert_non_null(strstr(json, "\"optima\":[{\"objective\":"));
        first[run] = k.info.objective;
        kit_free(&k);
    }
    assert_true(first[0] == first[1]); /* the same starts in every run */
}

/* by way of a coarse mesh the optimum is that of the full one */
static void test_coarse(void **state)
{
    (void)state;
    dd_ocp_options o = dd_ocp_options_default();
    kit direct = kit_solve("m.mop", vdp, &o);
    o.coarse = true;
    kit coarse = kit_solve("m.mop", vdp, &o);
    assert_int_equal(coarse.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(coarse.info.variables, direct.info.variables);
    assert_near(coarse.info.objective, direct.info.objective, 1e-7);
    kit_free(&direct);
    kit_free(&coarse);
}

/* ---- sizes ---- */

/* A start value of 1e-16 that is left of terms that cancel is 0, not the size of a state: from rest to rest by 1 in time 1, piecewise
 * constant on n intervals, costs 12/(1 - 1/n^2). One that was written so small is a size. */
static void test_rounding_is_no_size(void **state)
{
    (void)state;
    static const char *const starts[][3] = {
        {"2*sin(p)", "3*cos(p/2)", "1"},                              /* functions of parameters */
        {"2*sin(3.141592653589793)", "cos(1.5707963267948966)", "1"}, /* of numbers */
        {"sqrt(p)^2 - p", "0", "1"},                                  /* a difference */
        {"0", "0", "1"},                                              /* nothing of the kind */
        {"1.602176634e-19", "0", "1.602176634e-19 + 1e-19*q"}};       /* small indeed */
    for (int k = 0; k < 5; k++) {
        char text[1200];
        bool small = k == 4;
        snprintf(text, sizeof text,
                 "model M\n"
                 "  parameter Real p = 3.141592653589793, q = 1;\n"
                 "  Real x(start = %s, fixed = true), v(start = %s, fixed = true);\n"
                 "  input Real u;\n"
                 "equation\n"
                 "  der(x) = v;\n"
                 "  der(v) = u;\n"
                 "end M;\n"
                 "optimization A(objectiveIntegrand = (%su)^2, finalTime = 1)\n"
                 "  extends M;\n"
                 "constraint\n"
                 "  x(finalTime) = %s;\n"
                 "  v(finalTime) = 0;\n"
                 "end A;\n",
                 starts[k][0], starts[k][1], small ? "1e19*" : "", starts[k][2]);
        dd_ocp_options o = dd_ocp_options_default();
        o.intervals = 10;
        kit solved = kit_solve("m.mop", text, &o);
        assert_int_equal(solved.info.status, DD_OCP_OPTIMAL);
        assert_near(solved.info.objective, 12 / (1 - 0.01), 1e-5);
        assert_true(solved.info.violation <= 1e-8);
        kit_free(&solved);
    }
}

int main(void)
{
    if (!dd_nlp_available()) {
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line),
                                       cmocka_unit_test(test_simulation),
                                       cmocka_unit_test(test_fallback),
                                       cmocka_unit_test(test_invariants),
                                       cmocka_unit_test(test_read_back),
                                       cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_multistart),
                                       cmocka_unit_test(test_coarse),
                                       cmocka_unit_test(test_rounding_is_no_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
