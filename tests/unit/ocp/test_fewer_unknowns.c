/* Unknowns that leave before the analysis (dd_analyse_options.fewer_unknowns): optimizations have the same variables with the
 * same values as when the whole model is analysed, and messages are about the whole model. */
#include <stdlib.h>

#include "ocp_kit.h"

enum { INTERVALS = 8 };

static dd_analyse_options analysis(bool fewer)
{
    dd_analyse_options options = dd_analyse_options_default();
    options.parameters_stay = true;
    options.fewer_unknowns = fewer;
    return options;
}

/* From a text, or from a file of the sources. */
static kit solve(const char *text, const char *file, bool fewer)
{
    kit k = {.ctx = new_context()};
    dd_ocp_options options = dd_ocp_options_default();
    const dd_analyse_options how = analysis(fewer);
    options.intervals = INTERVALS;
    options.solver = "daedal";
    if (file != NULL) {
        char path[1000];
        const char *source = getenv("DAEDAL_SOURCE");
        snprintf(path, sizeof path, "%s/%s", source != NULL ? source : ".", file);
        assert_int_equal(dd_model_load_file(&k.model, k.ctx, path, NULL), DD_OK);
    } else {
        assert_int_equal(dd_model_load_text(&k.model, k.ctx, "m.mop", text, strlen(text), NULL), DD_OK);
    }
    assert_int_equal(dd_model_analyse(&k.system, k.model, &how), DD_OK);
    assert_int_equal(dd_ocp_new(&k.ocp, k.system, &options), DD_OK);
    k.status = dd_ocp_solve(k.ocp);
    k.info = dd_ocp_get_info(k.ocp);
    return k;
}

/* Free final times agree to rounding only. */
static double at_part(const kit *k, double part)
{
    return k->info.start_time + part * (k->info.final_time - k->info.start_time);
}

/* All variables at the ends of intervals, relative to the largest value of each. (Between points, what the program contains is a
 * polynomial, and what follows is a formula.) */
static void compare_values(const kit *a, const kit *b)
{
    enum { TIMES = INTERVALS, MOST = 2000 };
    const uint32_t n = dd_ocp_variable_count(a->ocp);
    static double x[TIMES][MOST], y[TIMES][MOST];
    assert_true(n <= MOST);
    assert_int_equal(dd_ocp_variable_count(b->ocp), n);
    for (int t = 0; t < TIMES; t++) {
        const double part = (double)(t + 1) / TIMES * (1 - 1e-10); /* on this side of the next interval */
        assert_int_equal(dd_ocp_values(a->ocp, at_part(a, part), true, x[t]), DD_OK);
        assert_int_equal(dd_ocp_values(b->ocp, at_part(b, part), true, y[t]), DD_OK);
    }
    for (uint32_t i = 0; i < n; i++) {
        double size = 1e-3; /* forces in the plane of symmetry are rounding about zero */
        assert_string_equal(dd_ocp_variable_name(a->ocp, i), dd_ocp_variable_name(b->ocp, i));
        for (int t = 0; t < TIMES; t++) {
            size = fmax(size, fabs(x[t][i]));
        }
        for (int t = 0; t < TIMES; t++) {
            if (!(fabs(x[t][i] - y[t][i]) <= 1e-6 * size)) {
                fail_msg("%s at time %d of %d: %.10g, with fewer unknowns %.10g", dd_ocp_variable_name(a->ocp, i), t,
                         TIMES, x[t][i], y[t][i]);
            }
        }
    }
}

static void compare(const kit *a, const kit *b, uint32_t least)
{
    assert_int_equal(a->status, DD_OK);
    assert_int_equal(b->status, DD_OK);
    assert_int_equal(a->info.status, b->info.status);
    assert_true(dd_system_unknown_count(b->system) + least <= dd_system_unknown_count(a->system));
    assert_near(b->info.objective, a->info.objective, 1e-8 * fmax(1, fabs(a->info.objective)));
    compare_values(a, b);
}

/* least: unknowns that leave. */
static void same_with_fewer(const char *text, uint32_t least)
{
    kit a = solve(text, NULL, false), b = solve(text, NULL, true);
    compare(&a, &b, least);
    kit_free(&a);
    kit_free(&b);
}

/* Two hinges, the first on the world, and a body: the attitude of the world, a constant, is multiplied with axes of which
 * entries are zero, and with torques. */
static const char *const two_hinges =
    "model A\n"
    "  import Daedal.Mechanics.*;\n"
    "  World world;\n"
    "  input Real u[2];\n"
    "  Revolute j1(n = {0, 1, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = u[1]);\n"
    "  Link b1(m = 1, I = diagonal({0.002, 0.002, 0.002}), ra = {-0.03, 0, 0}, rb = {0.03, 0, 0});\n"
    "  Revolute j2(n = {1, 0, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = u[2]);\n"
    "  Body b2(m = 0.5, I = diagonal({0.001, 0.001, 0.001}));\n"
    "equation\n"
    "  connect(world.frame, j1.a); connect(j1.b, b1.a); connect(b1.b, j2.a); connect(j2.b, b2.frame);\n"
    "end A;\n"
    "optimization S(objectiveIntegrand = u*u, startTime = 0, finalTime = 1.5)\n"
    "  extends A;\n"
    "constraint j1.phi(finalTime) = 1.5; j1.w(finalTime) = 0; j2.phi(finalTime) = 1;\n"
    "end S;\n";

/* least: unknowns that leave. No more variables are left in the program. */
static void same_program(const char *text, const char *file, uint32_t least)
{
    kit a = solve(text, file, false), b = solve(text, file, true);
    compare(&a, &b, least);
    assert_true(b.info.variables <= a.info.variables);
    kit_free(&a);
    kit_free(&b);
}

static void test_parts(void **state)
{
    (void)state;
    same_program(two_hinges, NULL, 90);
    same_program(NULL, "tests/verify/ocp/dae/delta_parts.mop", 200);
    same_program(NULL, "tests/verify/ocp/mechanics/cart_parts.mop", 50);
    same_program(NULL, "tests/verify/ocp/mechanics/scara_parts.mop", 50);
    same_program(NULL, "tests/verify/ocp/features/circuit_parts.mop", 4);
}

/* Chains of copies in both directions, with signs and offsets; a value in parameters; sums that nothing else contains; the
 * followers in the cost, in constraints, at the ends, and differentiated there. */
static void test_copies_and_ends(void **state)
{
    (void)state;
    same_with_fewer("optimization M(objectiveIntegrand = u^2 + 0.1*back^2, startTime = 0, finalTime = 1)\n"
                    "  parameter Real h = 0.25;\n"
                    "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                    "  input Real u(min = -50, max = 50);\n"
                    "  Real a, b, c, back, level, E, power, all, wave, tide, none;\n"
                    "equation\n"
                    "  der(x) = v; der(v) = u - 0.3*c;\n"
                    "  a = x + h; b + a = 0; c = h - b; back = -c; level - 2*h = 0;\n"
                    "  E = 0.5*v^2 + level*x; power = v*u; all = E + power; wave = sin(all) + cos(back);\n"
                    "  tide = none*x*time + level*time; none = 0*h;\n"
                    "constraint\n"
                    "  x(finalTime) = 1; b(finalTime) >= -2; der(c) <= 3; E(finalTime) <= 2; wave >= -5;\n"
                    "end M;\n",
                    8);
}

/* What the text says more about stays: starts, fixed values, bounds, a preference; and rows that could fail or switch. */
static void test_what_stays(void **state)
{
    (void)state;
    same_with_fewer(
        "optimization M(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)\n"
        "  Real x(start = 1, fixed = true), y(stateSelect = StateSelect.prefer), w(max = 1.5), s(start = 1);\n"
        "  Real root, large, copy;\n"
        "  input Real u(min = -9, max = 9);\n"
        "equation\n"
        "  der(x) = u - x; y = x; w = y; s*s = 2 - 0.3*x; root = sqrt(x + 3); large = if x > 9 then x else 9;\n"
        "  copy = s;\n"
        "constraint x(finalTime) = 0.2; root <= 4;\n"
        "end M;\n",
        1);
    kit k = solve("optimization M(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)\n"
                  "  Real x, y(start = 2, fixed = true), z(min = 0);\n"
                  "  input Real u;\n"
                  "equation der(x) = u; y = x; z = x;\n"
                  "constraint z(finalTime) = 0.5;\n"
                  "end M;\n",
                  NULL, true);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(k.info.objective, 2.25, 1e-8); /* from 2 to 0.5 at constant speed */
    assert_int_equal(dd_system_unknown_count(k.system), 3);
    kit_free(&k);
}

/* A row that repeats another, one that contradicts, one that is missing: the words are those about the whole model. */
static void same_words(const char *text)
{
    char *words[2];
    for (int fewer = 0; fewer < 2; fewer++) {
        dd_context *ctx = new_context();
        dd_model *model;
        dd_system *system;
        const dd_analyse_options how = analysis(fewer != 0);
        assert_int_equal(dd_model_load_text(&model, ctx, "m.mop", text, strlen(text), NULL), DD_OK);
        assert_int_equal(dd_model_analyse(&system, model, &how), DD_OK);
        assert_int_not_equal(dd_system_verdict(system), DD_VERDICT_OK);
        const char *text_of_report;
        assert_int_equal(dd_system_text(&text_of_report, system, false), DD_OK);
        words[fewer] = strdup(text_of_report);
        dd_system_free(system);
        dd_model_free(model);
        dd_context_free(ctx);
    }
    assert_string_equal(words[0], words[1]);
    free(words[0]);
    free(words[1]);
}

static void test_words(void **state)
{
    (void)state;
    same_words("model M Real x(start = 1), a, b, c; equation der(x) = -a; a = b; b = c; c = a; a = x; end M;");
    same_words("model M Real x(start = 1), a, b; equation der(x) = -a; a = x; b = a; b = a + 1; end M;");
    same_words("model M Real x(start = 1), a, b; equation der(x) = -x; a = x; a = x + 1; b = 3*x; end M;");
}

/* A motor, a stiff spring and a load of the standard library, whose angular accelerations have names: five states, as by hand. */
static void test_named_accelerations(void **state)
{
    (void)state;
    static const char goal[] = "K.phi(finalTime) = 1; K.w(finalTime) = 0; J.phi(finalTime) = 1; J.w(finalTime) = 0;";
    char text[2000];
    snprintf(text, sizeof text,
             "optimization O(objectiveIntegrand = V^2, startTime = 0, finalTime = 1)\n"
             "  import Modelica.Electrical.Analog.*; import Modelica.Mechanics.Rotational.Components.*;\n"
             "  input Real V;\n"
             "  Sources.SignalVoltage s; Basic.Resistor r(R = 0.5); Basic.EMF emf(k = 0.8); Basic.Ground g;\n"
             "  Basic.Inductor l(L = 0.05, i(start = 0, fixed = true)); SpringDamper sd(c = 50, d = 0.2);\n"
             "  Inertia J(J = 0.1, phi(start = 0, fixed = true), w(start = 0, fixed = true));\n"
             "  Inertia K(J = 0.3, phi(start = 0, fixed = true), w(start = 0, fixed = true));\n"
             "equation\n"
             "  s.v = V; connect(s.p, r.p); connect(r.n, l.p); connect(l.n, emf.p); connect(emf.n, s.n);\n"
             "  connect(s.n, g.p); connect(emf.flange, J.flange_a); connect(J.flange_b, sd.flange_a);\n"
             "  connect(sd.flange_b, K.flange_a);\n"
             "constraint\n  %s\nend O;\n",
             goal);
    kit parts = solve(text, NULL, true);
    kit by_hand = solve(
        "optimization O(objectiveIntegrand = V^2, startTime = 0, finalTime = 1)\n"
        "  input Real V; Real i(start = 0, fixed = true), a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
        "  Real v(start = 0, fixed = true) = der(a), w(start = 0, fixed = true) = der(b);\n"
        "  Real t = 50*(a - b) + 0.2*(v - w);\n"
        "equation\n  0.05*der(i) = V - 0.5*i - 0.8*v; 0.1*der(v) = 0.8*i - t; 0.3*der(w) = t;\n"
        "constraint\n  b(finalTime) = 1; w(finalTime) = 0; v(finalTime) = 0; a(finalTime) = 1;\nend O;\n",
        NULL, true);
    assert_int_equal(parts.ocp->problem->x.len, 5);
    assert_int_equal(parts.ocp->problem->z.len, 0);
    assert_int_equal(parts.info.variables, by_hand.info.variables);
    assert_near(parts.info.objective, by_hand.info.objective, 1e-9 * by_hand.info.objective);
    kit_free(&parts);
    kit_free(&by_hand);
}

/* A crane of 32 metres: its bodies are no states, however far a radian or its rate moves them. Where parameters may be set, too. */
static void test_long_levers(void **state)
{
    (void)state;
    static const char text[] =
        "model M\n  import Daedal.Mechanics.*;\n  input Real u[2];\n  World world;\n"
        "  Revolute j1(n = {0, 0, 1}, phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = u[1]);\n"
        "  Link arm(m = 5, I = diagonal({1, 10, 10}), ra = {-10, 0, 0}, rb = {10, 0, 0});\n"
        "  Revolute j2(n = {0, 1, 0}, phi(start = 0.5, fixed = true), w(start = 0, fixed = true), tau = u[2]);\n"
        "  Link pole(m = 2, I = diagonal({3, 3, 1}), ra = {-6, 0, 0}, rb = {6, 0, 0});\n"
        "equation\n  connect(world.frame, j1.a); connect(j1.b, arm.a); connect(arm.b, j2.a); connect(j2.b, pole.a);\n"
        "end M;\n"
        "optimization O(objectiveIntegrand = u*u*1e-4, startTime = 0, finalTime = 5)\n  extends M;\nconstraint\n"
        "  j1.phi(finalTime) = 0.5; j1.w(finalTime) = 0; j2.phi(finalTime) = 0.2; j2.w(finalTime) = 0;\nend O;\n";
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = INTERVALS;
    options.solver = "daedal";
    kit numbers = solve(text, NULL, true), symbols = kit_solve("m.mop", text, &options);
    assert_int_equal(numbers.ocp->problem->x.len, 4);
    assert_int_equal(symbols.ocp->problem->x.len, 4);
    kit_assert_solved(&numbers.info);
    assert_near(numbers.info.objective, symbols.info.objective, 1e-9 * symbols.info.objective);
    kit_free(&numbers);
    kit_free(&symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts), cmocka_unit_test(test_copies_and_ends),     cmocka_unit_test(test_what_stays),
        cmocka_unit_test(test_words), cmocka_unit_test(test_named_accelerations), cmocka_unit_test(test_long_levers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
