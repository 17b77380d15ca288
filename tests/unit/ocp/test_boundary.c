/* Consistency, redundant and touching rows, branches of the start, equalities at all times, inspection without a solve. */
#include "ocp/redundant.h"
#include "unit/ocp/ocp_kit.h"

#define PENDULUM                                                                                                       \
    "model P parameter Real g = 9.81, L = 1;\n"                                                                        \
    "  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true) = der(x),\n"                    \
    "       vy(start = 0) = der(y), lam; input Real u(min = -50, max = 50);\n"                                         \
    "equation der(vx) = -lam*x + u; der(vy) = -lam*y - g; x^2 + y^2 = L^2; end P;\n"

static dd_ocp_options small(void)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 8;
    return o;
}

static const char *redundant(const kit *k, uint32_t i)
{
    return i < k->ocp->problem->redundant.len ? k->ocp->problem->redundant.data[i] : "";
}

static double start_of(const kit *k, uint32_t state)
{
    const dd_ocp *p = k->ocp;
    return p->result.x[p->transcription->x_at[0] + state] * p->problem->x.data[state].scale;
}

/* Every state is given at both ends: at each end two of four follow, with all that they follow from. */
static void test_names_of_redundant_rows(void **state)
{
    (void)state;
    dd_ocp_options o = small();
    kit k = kit_solve("m.mop",
                      PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P;\n"
                               "constraint x(finalTime) = 0.6; y(finalTime) = -0.8; vx(finalTime) = 0;\n"
                               "  vy(finalTime) = 0; end O;",
                      &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(k.ocp->problem->redundant.len, 2);
    assert_string_equal(redundant(&k, 0), "y(finalTime) = -0.8: follows from x^2 + y^2 = L^2 and x(finalTime) = 0.6");
    assert_string_equal(redundant(&k, 1), "vy(finalTime) = 0: follows from the derivative of x^2 + y^2 = L^2: x*vx + "
                                          "y*vy = 0 and vx(finalTime) = 0");
    assert_non_null(k.ocp->redundant_residual);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(fabs(k.ocp->redundant_residual[i]) > 0 && fabs(k.ocp->redundant_residual[i]) < 1e-3);
        assert_true(k.info.estimated_error >= fabs(k.ocp->redundant_residual[i])); /* sizes of the rows are <= 1 */
    }
    assert_true(k.info.violation < 1e-8);
    kit_free(&k);
}

/* At the bottom y = -1 is the gradient of the constraint alone; the guard is 0.25 max(nominal, |value|). */
static void test_size_of_guards(void **state)
{
    (void)state;
    dd_ocp_options o = small();
    kit k = kit_solve("m.mop",
                      PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P(y(nominal = 3));\n"
                               "constraint x(finalTime) = 0; y(finalTime) = -1; vx(finalTime) = 0; end O;",
                      &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(k.ocp->problem->redundant.len, 1);
    assert_string_equal(redundant(&k, 0), "y(finalTime) = -1: follows from x^2 + y^2 = L^2");
    const dd_ocp_row *row = &k.ocp->problem->points.data[1];
    assert_true(row->dropped);
    assert_near(row->guard_upper, 0.25 * 3, 1e-12); /* the other branch is above; below there is none */
    assert_true(isinf(row->guard_lower));
    kit_free(&k);
    k = kit_solve("m.mop",
                  PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1)\n"
                           "  extends P(L = 0.1, x(start = 0.06), y(start = -0.08));\n"
                           "constraint x(finalTime) = 0; y(finalTime) = -0.1; vx(finalTime) = 0; end O;",
                  &o);
    kit_assert_solved(&k.info);
    row = &k.ocp->problem->points.data[1];
    assert_near(row->guard_upper, 0.25 * 0.1, 1e-12); /* the other side is out of reach */
    kit_free(&k);
}

/* A solution at the edge of a guard is not optimal, whatever the solver says. */
static void test_active_guards(void **state)
{
    (void)state;
    dd_ocp_options o = small();
    kit k = kit_solve("m.mop",
                      PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P;\n"
                               "constraint x(finalTime) = 0; y(finalTime) = -1; vx(finalTime) = 0; end O;",
                      &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    dd_ocp_row *row = &k.ocp->problem->points.data[1];
    double off = fabs(k.ocp->redundant_residual[0]);
    row->guard_size = 10 * off; /* off by a tenth of its size: more than the mesh explains */
    k.ocp->interval_error = 1e-12;
    dd_ocp_judge_guards(k.ocp);
    assert_int_equal(dd_ocp_get_info(k.ocp).status, DD_OCP_ACCEPTABLE);
    assert_non_null(strstr(dd_ocp_get_info(k.ocp).reason, "y(finalTime) = -1 was left out (it follows from x^2"));
    row->guard_size = off / 0.25;
    dd_ocp_judge_guards(k.ocp);
    assert_int_equal(dd_ocp_get_info(k.ocp).status, DD_OCP_INFEASIBLE);
    assert_non_null(strstr(dd_ocp_get_info(k.ocp).reason, "on another branch"));
    kit_free(&k);
}

/* x(finalTime) = 1 on the unit circle: the same problem as y(finalTime) = 0 on that side. */
static void test_touching_row(void **state)
{
    (void)state;
    static const char *const ends[] = {"x(finalTime) = 1;", "y(finalTime) = 0; x(finalTime) >= 0.5;"};
    double objective[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P; constraint %s end O;",
                 ends[i]);
        dd_ocp_options o = small();
        kit k = kit_solve("m.mop", text, &o);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_int_equal(k.ocp->problem->traps.len, i == 0);
        assert_int_equal(kit_says(&k, "touches x^2 + y^2 = L^2"), i == 0);
        assert_int_equal(kit_says(&k, "imposed instead: y(finalTime) = 0"), i == 0);
        objective[i] = k.info.objective;
        kit_free(&k);
    }
    assert_near(objective[0], objective[1], 1e-9 * objective[1]);
}

/* A curved set of points where a row touches is not replaced, but named: here any s will do. */
static void test_touching_on_a_line(void **state)
{
    (void)state;
    kit k = {.ctx = new_context()};
    const char *text =
        "model C Real s(start = 0, fixed = true), vs(start = 0, fixed = true) = der(s);\n"
        "  Real b[2](start = {0, -0.5}, fixed = {true, false}), vb[2](start = {0, 0}, fixed = {true, false}) = "
        "der(b);\n"
        "  Real lam[1]; input Real F;\n"
        "equation lagrange(q = cat(1, {s}, b), T = 0.5*vs^2 + 0.1*(vb*vb), V = 2*b[2],\n"
        "  c = {(b[1] - s)^2 + b[2]^2 - 0.25}, Q = {F, 0, 0}, lambda = lam); end C;\n"
        "optimization O(objectiveIntegrand = F^2, finalTime = 1) extends C; constraint b[2](finalTime) = 0.5; end O;";
    const char *json = "";
    assert_int_equal(dd_model_load_text(&k.model, k.ctx, "m.mop", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&k.system, k.model, NULL), DD_OK);
    assert_true(dd_system_has_optimization(k.system));
    assert_int_equal(dd_ocp_new(&k.ocp, k.system, NULL), DD_OK);
    assert_int_equal(dd_ocp_inspect(k.ocp), DD_OK);
    assert_int_equal(dd_ocp_inspect_json(&json, k.ocp), DD_OK);
    assert_non_null(strstr(json, "write a condition on s(finalTime) and b[1](finalTime) instead"));
    assert_non_null(strstr(json, "\"redundant\":[],\"contradictory\":[]"));
    assert_false(dd_ocp_is_contradictory(k.ocp));
    kit_free(&k);
}

/* The cost wants the pendulum to start upright; `start` says that it hangs. */
static void test_branch_of_the_start(void **state)
{
    (void)state;
    static const struct {
        const char *modification;
        double y;
    } cases[] = {{"vx(fixed = false)", -0.8},                                      /* partly fixed */
                 {"L(free = true, min = 0.75, max = 2, initialGuess = 1)", -0.45}, /* moved by a parameter */
                 {"g(free = true, min = 9, max = 10)", -0.8}};                     /* not moved by one */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int where = DD_OCP_AT_START; where <= DD_OCP_AT_END; where++) {
            char text[1024];
            snprintf(
                text, sizeof text,
                PENDULUM
                "optimization O(objective = -y(startTime) + vx(startTime)^2, objectiveIntegrand = u^2, finalTime = 0.2)"
                " extends P(%s); end O;",
                cases[i].modification);
            dd_ocp_options o = small();
            o.consistency = (dd_ocp_consistency)where;
            kit k = kit_solve("m.mop", text, &o);
            assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
            assert_near(start_of(&k, 1), cases[i].y, 1e-5);
            assert_int_equal(k.ocp->problem->start_known, i == 2 && where == DD_OCP_AT_START);
            kit_free(&k);
        }
    }
}

/* `none` imposes nothing and says so; a start that is determined needs nothing. */
static void test_no_consistency(void **state)
{
    (void)state;
    const char *open = PENDULUM "optimization O(objective = (x(startTime) - 0.1)^2 + (y(startTime) + 2)^2 + "
                                "(vy(startTime) - 1)^2, objectiveIntegrand = u^2, finalTime = 0.1)\n"
                                "  extends P(x(fixed = false)); end O;";
    const char *known = PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 0.1) extends P; end O;";
    dd_ocp_options o = small();
    o.consistency = DD_OCP_NOWHERE;
    kit k = kit_solve("m.mop", open, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(start_of(&k, 1), -2, 1e-6);
    assert_near(start_of(&k, 3), 1, 1e-6);
    assert_true(kit_says(&k, "consistency none imposes no constraint: nothing but the rows of the problem makes x^2 + "
                             "y^2 = L^2 and the derivative of"));
    kit_free(&k);
    k = kit_solve("m.mop", known, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(start_of(&k, 1), -0.8, 1e-12);
    assert_false(kit_says(&k, "consistency none"));
    kit_free(&k);
}

/* The invariants hold exactly where they are imposed, and to the error of the mesh at the other end. */
static void test_where_invariants_hold(void **state)
{
    (void)state;
    for (int where = DD_OCP_AT_START; where <= DD_OCP_AT_END; where++) {
        dd_ocp_options o = small();
        o.consistency = (dd_ocp_consistency)where;
        o.degree = 2;
        kit k = kit_solve("m.mop",
                          PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P;\n"
                                   "constraint vx(finalTime) = 3; end O;",
                          &o);
        kit_assert_solved(&k.info);
        const dd_transcription *t = k.ocp->transcription;
        double off[2];
        for (int end = 0; end < 2; end++) {
            const double *x = k.ocp->result.x + t->x_at[end == 0 ? 0 : t->mesh.n];
            off[end] = fabs(x[0] * x[0] + x[1] * x[1] - 1);
        }
        assert_true(off[where] < 1e-9);
        assert_true(off[1 - where] > 1e-7);
        kit_free(&k);
    }
}

static void expect_reason(const char *text, dd_ocp_control control, dd_ocp_status status, const char *words)
{
    dd_ocp_options o = small();
    o.control = control;
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, status);
    if (strstr(k.info.reason, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", k.info.reason, words);
    }
    kit_free(&k);
}

#define TWO_INPUTS                                                                                                     \
    "model M Real x(start = 0, fixed = true), v(start = 0, fixed = true); input Real u, w;\n"                          \
    "equation der(x) = v; der(v) = u - w; end M;\n"                                                                    \
    "optimization O(objectiveIntegrand = u^2 + w^2, finalTime = 1) extends M; constraint x(finalTime) = 1;\n"

static void test_equalities_at_all_times(void **state)
{
    (void)state;
    expect_reason(TWO_INPUTS "u + w = 1; end O;", DD_OCP_CONSTANT, DD_OCP_OPTIMAL, "");
    expect_reason(TWO_INPUTS "u + w = 1; end O;", DD_OCP_LINEAR, DD_OCP_OPTIMAL, "");
    expect_reason(TWO_INPUTS "u + w = time; end O;", DD_OCP_LINEAR, DD_OCP_OPTIMAL, "");
    expect_reason(TWO_INPUTS "u + w = time; end O;", DD_OCP_CONSTANT, DD_OCP_INFEASIBLE,
                  "u + w = time must hold at all times, which a control that is constant in an interval cannot "
                  "achieve: use control polynomial");
    expect_reason(TWO_INPUTS "u + w = x; end O;", DD_OCP_LINEAR, DD_OCP_INFEASIBLE, "control polynomial");
    expect_reason(TWO_INPUTS "u + w = x; end O;", DD_OCP_POLYNOMIAL, DD_OCP_OPTIMAL, "");
    expect_reason(TWO_INPUTS "v = 2*time; end O;", DD_OCP_POLYNOMIAL, DD_OCP_INFEASIBLE,
                  "v = 2*time must hold at all times, but it contains states alone: it raises the index");
    expect_reason(TWO_INPUTS "u + w = x; u + w = v; end O;", DD_OCP_POLYNOMIAL, DD_OCP_INFEASIBLE,
                  "u + w = v must hold at all times, but no control is left that acts on it directly");
    expect_reason(PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P;\n"
                           "constraint x^2 + y^2 = 2; end O;",
                  DD_OCP_POLYNOMIAL, DD_OCP_INFEASIBLE, "x^2 + y^2 = 2 at all times contradicts x^2 + y^2 = L^2");
    dd_ocp_options o = small();
    kit k = kit_solve("m.mop",
                      PENDULUM "optimization O(objectiveIntegrand = u^2, finalTime = 1) extends P;\n"
                               "constraint 2*x^2 + 2*y^2 = 2; vx(finalTime) = 1; end O;",
                      &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_true(kit_says(&k, "at all times is left out: it follows from the model's constraints"));
    kit_free(&k);
}

static void test_relations(void **state)
{
    (void)state;
    const char *text = "model M Real x(start = 1, fixed = true); input Real u;\n"
                       "equation\n"
                       "  der(x) = if x > 0.5 then u else 2*u;\n"
                       "end M;\n"
                       "optimization O(objectiveIntegrand = u^2 + noEvent(if x > 2 then 1 else 0), finalTime = 1)\n"
                       "  extends M; constraint x(finalTime) = 0; end O;";
    dd_ocp_options o = small();
    kit k = kit_solve("m.mop", text, &o);
    assert_true(kit_says(&k, "treated as noEvent"));
    assert_true(kit_says(&k, "m.mop:3"));
    assert_false(kit_says(&k, "objectiveIntegrand"));
    kit_free(&k);
}

/* All states of a manifold are periodic: half of the rows go, the orbit is that of the angle. */
static void test_periodic(void **state)
{
    (void)state;
    static const char *const models[] = {
        PENDULUM "optimization O(objectiveIntegrand = u^2 + (vx - cos(4*time))^2, finalTime = 1.570796326794897)\n"
                 "  extends P(x(fixed = false), vx(fixed = false));\n"
                 "constraint x(finalTime) = x(startTime); y(finalTime) = y(startTime);\n"
                 "  vx(finalTime) = vx(startTime); vy(finalTime) = vy(startTime); end O;",
        "optimization O(objectiveIntegrand = u^2 + (cos(a)*w - cos(4*time))^2, finalTime = 1.570796326794897)\n"
        "  Real a, w = der(a); input Real u;\n"
        "equation der(w) = -9.81*sin(a) + cos(a)*u;\n"
        "constraint a(finalTime) = a(startTime); w(finalTime) = w(startTime); end O;"};
    double objective[2];
    for (int i = 0; i < 2; i++) {
        dd_ocp_options o = small();
        o.intervals = 10;
        o.degree = 5;
        o.control = DD_OCP_POLYNOMIAL;
        kit k = kit_solve("m.mop", models[i], &o);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_int_equal(k.ocp->problem->redundant.len, i == 0 ? 2 : 0);
        objective[i] = k.info.objective;
        kit_free(&k);
    }
    assert_near(objective[0], objective[1], 1e-8 * objective[1]);
}

/* The guess hangs at the bottom, where x(finalTime) = x(startTime) is the row to keep; the solution starts at (1, 0), where
 * that row is parallel to the constraint. Closed form: the speed w (1 - 6 t + 6 t^2) costs 12 w^2 + (w - 1/2)^2. */
static void test_ranked_again(void **state)
{
    (void)state;
    const char *text =
        "model C Real x(start = 0), y(start = -1), vx(start = 0) = der(x), vy(start = 0) = der(y), lam;\n"
        "  input Real u;\n"
        "equation der(vx) = -lam*x - u*y; der(vy) = -lam*y + u*x; 0 = x^2 + y^2 - 1; end C;\n"
        "optimization O(objective = 100*y(startTime)^2 + 100*(x(startTime) - 1)^2 + (vy(startTime) - 0.5)^2,"
        " objectiveIntegrand = u^2, finalTime = 1) extends C;\n"
        "constraint x(finalTime) = x(startTime); y(finalTime) = y(startTime);\n"
        "  vx(finalTime) = vx(startTime); vy(finalTime) = vy(startTime); end O;";
    dd_ocp_options o = small();
    o.control = DD_OCP_POLYNOMIAL;
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(k.info.objective, 3.0 / 13, 1e-6);
    assert_true(kit_says(&k, "solved again"));
    assert_int_equal(k.ocp->problem->redundant.len, 2);
    assert_non_null(strstr(redundant(&k, 0), "x(finalTime) = x(startTime): follows"));
    assert_int_equal(k.info.meshes, 1);
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_redundant_rows),
        cmocka_unit_test(test_size_of_guards),
        cmocka_unit_test(test_active_guards),
        cmocka_unit_test(test_touching_row),
        cmocka_unit_test(test_touching_on_a_line),
        cmocka_unit_test(test_branch_of_the_start),
        cmocka_unit_test(test_no_consistency),
        cmocka_unit_test(test_where_invariants_hold),
        cmocka_unit_test(test_equalities_at_all_times),
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_ranked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
