/* Expected sizes, of states and of the cost: the same whether rates are explicit or follow from algebraic variables, none where
 * motion goes by way of a variable that vanishes at the guess, and any unit will do. */
#include "ocp_kit.h"

static kit solve_text(const char *text)
{
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 20;
    options.solver = "daedal";
    return kit_solve("m.mop", text, &options);
}

/* With the analysis of `daedal optimize`. */
static kit solve_as_the_program_does(const char *text)
{
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 20;
    dd_analyse_options analysis = dd_analyse_options_default();
    analysis.trust_structure = analysis.parameters_stay = analysis.fewer_unknowns = true;
    kit k = {.ctx = new_context()};
    assert_int_equal(dd_model_load_text(&k.model, k.ctx, "m.mop", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&k.system, k.model, &analysis), DD_OK);
    assert_int_equal(dd_ocp_new(&k.ocp, k.system, &options), DD_OK);
    k.status = dd_ocp_solve(k.ocp);
    k.info = dd_ocp_get_info(k.ocp);
    return k;
}

static kit solve(const char *equations, double end)
{
    static char text[2000];
    snprintf(text, sizeof text, "optimization M(objectiveIntegrand = u^2, startTime = 0, finalTime = %g)\n%s\nend M;\n",
             end, equations);
    return solve_text(text);
}

static double scale_of(const kit *k, const char *name)
{
    const dd_ocp_problem *o = k->ocp->problem;
    for (uint32_t i = 0; i < o->x.len; i++) {
        if (strcmp(dd_model_var_name_dup(o->model, o->x.data[i].var, o->pool), name) == 0) {
            return o->x.data[i].scale;
        }
    }
    fail_msg("%s is no state", name);
    return 0;
}

static void same_sizes(const char *a, const char *b)
{
    kit p = solve(a, 1), q = solve(b, 1);
    static const char *const names[] = {"x", "v", "w"};
    assert_int_equal(p.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(q.info.status, DD_OCP_OPTIMAL);
    for (size_t i = 0; i < 3; i++) {
        assert_near(scale_of(&q, names[i]), scale_of(&p, names[i]), 1e-6 * scale_of(&p, names[i]));
    }
    assert_near(q.info.objective, p.info.objective, 1e-6 * fabs(p.info.objective));
    kit_free(&p);
    kit_free(&q);
}

/* A chain with factors of 1e3 and 1e-4 between its members; the same with accelerations that equations determine, one of them
 * linearly, one not, together. */
static void test_forms(void **state)
{
    (void)state;
#define STATES "Real x(start = 0, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true); input Real u;"
#define GOAL "constraint x(finalTime) = 2e6;"
    static const char *const explicit = STATES "equation der(x) = 1e3*v; der(v) = 1e-4*w - 0.1*v; der(w) = u;" GOAL;
    same_sizes(explicit, STATES
               "Real a, b; equation der(x) = 1e3*v; der(v) = a; der(w) = b; 2*a + b = 2e-4*w - 0.2*v + u; a - b = "
               "1e-4*w - 0.1*v - u;" GOAL);
    same_sizes(explicit, STATES "Real a; equation der(x) = 1e3*v; der(v) = a; der(w) = u; a + 1e-13*a^3 = "
                                "1e-4*w - 0.1*v + 1e-13*(1e-4*w - 0.1*v)^3;" GOAL);
#undef STATES
#undef GOAL
}

/* A trolley with a load on a rope: at rest, slopes at a fixed angular acceleration are next to nothing, and said that the angle
 * would be of the size 5e4. */
static void test_by_way_of_z(void **state)
{
    (void)state;
    kit k = solve("Real s(start = 0, fixed = true), v(start = 0, fixed = true), phi(start = 0, fixed = true),"
                  "     w(start = 0, fixed = true), a;\n"
                  "  input Real u(min = -20, max = 20);\n"
                  "equation der(s) = v; der(phi) = w; der(w) = a;\n"
                  "  der(v) = 10*u/13 + 0.15/1.3*(cos(phi)*a - sin(phi)*w^2);\n"
                  "  0.076*a - 0.15*cos(phi)*(10*u/13 + 0.15/1.3*(cos(phi)*a - sin(phi)*w^2)) + 1.4715*sin(phi) = 0;\n"
                  "constraint s(finalTime) = 1; v(finalTime) = 0; phi(finalTime) = 0; w(finalTime) = 0;",
                  2);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    static const char *const names[] = {"s", "v", "phi", "w"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(scale_of(&k, names[i]) > 0.01 && scale_of(&k, names[i]) < 100);
    }
    kit_free(&k);
}

/* Least effort for a chain of integrators, a quadratic program. In any units of its members it is solved at once, and effort goes
 * with the square of the unit; at u = 0, the guess, the cost has no slope that would tell its size. */
static void test_units_of_controls(void **state)
{
    (void)state;
    double first = 0;
    for (int digits = 0; digits <= 8; digits++) {
        char text[500];
        const double unit = pow(10, -digits);
        snprintf(
            text, sizeof text,
            "Real x(start = 0, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true); input Real u;"
            "equation der(x) = 1e3*v; der(v) = %g*w - 0.1*v; der(w) = u; constraint x(finalTime) = 2e6;",
            unit);
        kit k = solve(text, 1);
        first = digits == 0 ? k.info.objective : first;
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_true(k.info.iterations <= 3); /* one, and those that rounding asks for */
        assert_near(k.info.objective * unit * unit, first, 1e-10 * first);
        kit_free(&k);
    }
}

/* Van der Pol's oscillator with a control that switches, in lengths of 1 to 1e9 units: the cost falls with the square of the unit
 * to 1e-18, and what is judged by it (is a finer mesh better? is a loss worth dividing intervals?) is judged alike. */
static void test_units_of_cost(void **state)
{
    (void)state;
    double first = 0;
    uint32_t intervals = 0;
    for (int digits = 0; digits <= 9; digits += 3) {
        char text[600];
        const double unit = pow(10, digits);
        snprintf(text, sizeof text,
                 "optimization M(objectiveIntegrand = x^2 + v^2 + (u/%g)^2, finalTime = 10)\n"
                 "  Real x(start = %g, fixed = true), v(start = 0, fixed = true);\n"
                 "  input Real u(min = -0.8, max = 0.8);\n"
                 "equation\n"
                 "  der(x) = v; der(v) = (1 - (%g*x)^2)*v - x + u/%g;\n"
                 "end M;\n",
                 unit, 1 / unit, unit, unit);
        dd_ocp_options options = dd_ocp_options_default();
        kit k = kit_solve("m.mop", text, &options);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        first = digits == 0 ? k.info.objective : first;
        intervals = digits == 0 ? k.info.intervals : intervals;
        assert_near(k.info.objective * unit * unit, first, 1e-6 * first);
        assert_int_equal(k.info.intervals, intervals);
        assert_true(intervals > 50);
        kit_free(&k);
    }
}

/* A pendulum in Cartesian coordinates that is held at half its length, in units of lengths and times in which the equation of the
 * force in its rod, the second derivative of x^2 + y^2 = l^2, adds up numbers of 1e-18 to 1e19. */
static void test_units_of_rows(void **state)
{
    static const double units[][2] = {{1, 1}, {1e-6, 1}, {1e-9, 1}, {1e6, 1}, {1, 1e6}, {1, 1e-3}};
    (void)state;
    double first = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const double L = units[i][0], T = units[i][1];
        char text[800];
        snprintf(text, sizeof text,
                 "optimization M(objectiveIntegrand = u^2, finalTime = %.17g)\n"
                 "  parameter Real m = %.17g, l = %.17g, g = %.17g;\n"
                 "  Real x(start = 0, fixed = true), y(start = -l, fixed = true), vx(start = 0, fixed = true), "
                 "vy(start = 0), F;\n"
                 "  input Real u;\n"
                 "equation\n"
                 "  der(x) = vx; der(y) = vy; x^2 + y^2 = l^2;\n"
                 "  m*der(vx) = -F*x - u*y/l; m*der(vy) = -F*y - m*g + u*x/l;\n"
                 "constraint x(finalTime) = 0.5*l; vx(finalTime) = 0;\n"
                 "end M;\n",
                 1 / T, L / (T * T), 1 / L, 9.81 / L * T * T);
        kit k = solve_as_the_program_does(text);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        first = i == 0 ? k.info.objective : first;
        assert_near(k.info.objective * T, first, 1e-8 * first);
        assert_true(k.info.iterations <= 60);
        kit_free(&k);
    }
}

/* Two hinges at right angles: what the second one's torque does to the first is rounding, 1e-21, and no reason to expect torques
 * of 1e-11 (2319 iterations). */
static void test_rounding(void **state)
{
    (void)state;
    kit k = solve_text(
        "model A\n"
        "  import Daedal.Mechanics.*;\n"
        "  World world;\n"
        "  input Real u[2];\n"
        "  Revolute j1(n = {0, 1, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = u[1]);\n"
        "  Link b1(m = 1, I = 0.002*identity(3), ra = {-0.03, 0, 0}, rb = {0.03, 0, 0});\n"
        "  Revolute j2(n = {1, 0, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = u[2]);\n"
        "  Body b2(m = 0.5, I = 0.001*identity(3));\n"
        "equation\n"
        "  connect(world.frame, j1.a); connect(j1.b, b1.a); connect(b1.b, j2.a); connect(j2.b, b2.frame);\n"
        "end A;\n"
        "optimization M(objectiveIntegrand = u*u, startTime = 0, finalTime = 0.5)\n"
        "  extends A;\n"
        "constraint j1.phi(finalTime) = 1.5; j1.w(finalTime) = 0; j2.phi(finalTime) = 1;\n"
        "end M;\n");
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_true(k.info.iterations <= 20);
    assert_true(scale_of(&k, "j2.w") == 1);
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_by_way_of_z),
        cmocka_unit_test(test_units_of_controls),
        cmocka_unit_test(test_units_of_cost),
        cmocka_unit_test(test_units_of_rows),
        cmocka_unit_test(test_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
