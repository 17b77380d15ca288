/* Examples made of parts: mechanisms, circuits, tanks. Each is compared with what is known without the parts: the same
 * motion in fewer coordinates, geometry, balances, closed forms (catalog A13, C4, C6, C7, E5). */
#include "unit/sim/examples.h"

/* ---- mechanisms ---- */

static dd_sim_options grid(double stop, double tol, uint32_t points)
{
    dd_sim_options o = until(stop);
    o.tol = tol;
    o.points = points;
    return o;
}

static double at(const run *r, uint64_t row, const char *name)
{
    return dd_sim_row_value(r->sim, row, variable(r, name));
}

static void double_pendulum(void **state)
{
    (void)state;
    const dd_sim_options o = grid(3, 1e-11, 60);
    run parts = simulate("double_pendulum.mo", "DoublePendulum", NULL, o);
    run angles = simulate("double_pendulum.mo", "DoublePendulumAngles", NULL, o);
    assert_int_equal(parts.info.status, DD_SIM_OK);
    assert_int_equal(dd_sim_row_count(parts.sim), dd_sim_row_count(angles.sim));
    for (uint64_t row = 0; row < dd_sim_row_count(parts.sim); row++) {
        const double a = at(&parts, row, "shoulder.phi"), b = a + at(&parts, row, "elbow.phi");
        assert_true(fabs(a - at(&angles, row, "a")) < 1e-7);
        assert_true(fabs(b - at(&angles, row, "b")) < 1e-7);
        assert_true(fabs(at(&parts, row, "lower.b.r[1]") - cos(a) - cos(b)) < 1e-9);
    }
    assert_true(spread(&parts, "energy") < 1e-7);
    end(&parts);
    end(&angles);
}

/* The angle of the rocker from that of the crank: the coupler, 2 long, joins (0.6 cos a, 0.6 sin a) to its end. */
static double rocker_angle(double a)
{
    const double x = 2.2 - 0.6 * cos(a), y = -0.6 * sin(a), d = sqrt(x * x + y * y);
    /* in the triangle with the sides d, 1.2 and 2 */
    return atan2(-y, -x) - acos((d * d + 1.44 - 4) / (2.4 * d));
}

static void four_bar(void **state)
{
    (void)state;
    const dd_sim_options o = grid(2, 1e-10, 50);
    run plane = simulate("four_bar.mo", "FourBar", NULL, o);
    run space = simulate("four_bar.mo", "FourBarInSpace", NULL, o);
    assert_int_equal(plane.info.status, DD_SIM_OK);
    assert_int_equal(dd_system_index(plane.system), 3);
    assert_int_equal(dd_system_dof(plane.system), 2);
    assert_true(plane.info.constraint_violation < 1e-12 && space.info.constraint_violation < 1e-12);
    for (uint64_t row = 0; row <= 50; row++) {
        const double a = at(&plane, row, "j1.phi");
        assert_true(fabs(sin(0.5 * (at(&plane, row, "rocker.phi") - rocker_angle(a)))) < 1e-9);
        assert_true(fabs(a - at(&space, row, "j1.phi")) < 1e-7);
        assert_true(fabs(at(&plane, row, "coupler.r[2]") - at(&space, row, "coupler.r[3]")) < 1e-7);
    }
    assert_true(value(&plane, "j1.phi") > 6); /* it has turned round */
    assert_true(spread(&plane, "energy") < 1e-6);
    end(&plane);
    end(&space);
}

/* One angle is left: geometry gives the piston, and the energy the rate of the crank, w^2 = 2 (E - V(a))/J(a). */
static void slider_crank(void **state)
{
    (void)state;
    run r = simulate("slider_crank_parts.mo", "SliderCrankParts", NULL, grid(2, 1e-10, 40));
    double energy = 0;
    for (uint64_t row = 0; row <= 40; row++) {
        const double a = at(&r, row, "main.phi"), w = at(&r, row, "main.w"), b = -asin(sin(a) / 1.5);
        const double rate = -cos(a) / (1.5 * cos(b)); /* of b, for w = 1 */
        const double piston = -sin(a) - 1.5 * sin(b) * rate;
        const double x = -sin(a) - 0.75 * sin(b) * rate, y = cos(a) + 0.75 * cos(b) * rate;
        const double inertia = 1.0 / 3 + x * x + y * y + 0.1875 * rate * rate + 3 * piston * piston;
        const double height = 9.81 * (0.5 * sin(a) + sin(a) + 0.75 * sin(b));
        energy = row == 0 ? 0.5 * inertia * w * w + height : energy;
        assert_true(fabs(at(&r, row, "cylinder.s") - cos(a) - 1.5 * cos(b)) < 1e-10);
        assert_true(fabs(w * w - 2 * (energy - height) / inertia) < 1e-6);
    }
    assert_int_equal(dd_system_index(r.system), 3);
    assert_int_equal(dd_system_dof(r.system), 2);
    assert_true(value(&r, "main.phi") > 6);
    end(&r);
}

static const char torques[] =
    "tau[1]=-0.367+0.5*cos(8*time) tau[2]=-0.367+0.5*cos(8*time-2.0944) tau[3]=-0.367+0.5*cos(8*time+2.0944)";

static void delta_robot(void **state)
{
    (void)state;
    const dd_sim_options o = grid(2, 1e-12, 100);
    run energies = simulate("delta_robot.mo", "DeltaRobot", torques, o);
    const char *const classes[] = {"DeltaRobotParts", "DeltaRobotSixRods"};
    for (int m = 0; m < 2; m++) {
        run parts = simulate("delta_robot_parts.mo", classes[m], torques, o);
        assert_int_equal(parts.info.status, DD_SIM_OK);
        assert_int_equal(dd_system_index(parts.system), 3);
        assert_int_equal(dd_system_dof(parts.system), 6);
        for (uint64_t row = 0; row <= 100; row++) {
            for (uint32_t i = 1; i <= 3; i++) {
                assert_true(fabs(row_value(&parts, row, "platform.r[%u]", i) - row_value(&energies, row, "p[%u]", i)) <
                            1e-9);
                assert_true(fabs(row_value(&parts, row, "motor[%u].phi", i) -
                                 row_value(&energies, row, "alpha[%u]", i)) < 1e-9);
            }
        }
        end(&parts);
    }
    end(&energies);
    run alone = simulate("delta_robot_parts.mo", "DeltaRobotParts", NULL, grid(2, 1e-10, 100));
    assert_true(spread(&alone, "energy") < 1e-8);
    end(&alone);
}

/* The angular momentum stays; the hub comes to rest where it should, and the wheels have what it had. */
static void satellite(void **state)
{
    (void)state;
    run r = simulate("satellite.mo", "Satellite", NULL, grid(200, 1e-10, 50));
    const double H[3] = {30 * 0.01, 40 * -0.02, 50 * 0.03}, n[3] = {0.6, 0.48, 0.64}, angle = -1.2;
    const double along = H[0] * n[0] + H[1] * n[1] + H[2] * n[2];
    for (uint32_t i = 0; i < 3; i++) {
        char name[30];
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        snprintf(name, sizeof name, "momentum[%u]", i + 1);
        expect(&r, name, H[i], 1e-8);
        assert_true(spread(&r, name) < 1e-7);
        snprintf(name, sizeof name, "hub.w[%u]", i + 1);
        expect(&r, name, 0, 1e-5);
        snprintf(name, sizeof name, "turn[%u]", i + 1);
        expect(&r, name, 0, 1e-4);
        snprintf(name, sizeof name, "wheel[%u].w", i + 1); /* Rodrigues' formula */
        const double seen =
            H[i] * cos(angle) + (n[j] * H[k] - n[k] * H[j]) * sin(angle) + n[i] * along * (1 - cos(angle));
        expect(&r, name, seen / 0.05, 1e-3);
    }
    assert_true(spread(&r, "energy") < 1e-8 * value(&r, "work"));
    end(&r);
}

/* ---- tanks, circuits, heat ---- */

/* At rest: k q^2 at the outlet, the loss of the pipe and the pump's pressure balance. */
static void two_tanks(void **state)
{
    (void)state;
    const double k = 5e7, pump = 4e4, slope = 4e4 / (0.02 * 0.02);
    const double laminar = 128 * 1e-3 * 20 / (PI * 1e-4), turbulent = 8 * 0.025 * 1000 * 20 / (PI * PI * 1e-5);
    run r = simulate("two_tanks.mo", "TwoTanks", NULL, until(20000));
    const double a = k + slope + turbulent, q = (sqrt(laminar * laminar + 4 * a * pump) - laminar) / (2 * a);
    expect(&r, "pump.q", q, 1e-6);
    expect(&r, "outlet.q", q, 1e-6);
    expect(&r, "second.h", k * q * q / 9810, 1e-6);
    expect(&r, "first.h", (pump - slope * q * q) / 9810, 1e-6);
    end(&r);
    r = simulate("two_tanks.mo", "JoinedTanks", NULL, until(20000));
    const double joined = sqrt(pump / (k + slope));
    assert_int_equal(dd_system_index(r.system), 2);
    expect(&r, "pump.q", joined, 1e-6);
    expect(&r, "first.h", k * joined * joined / 9810, 1e-6);
    expect(&r, "second.h", k * joined * joined / 9810, 1e-6);
    end(&r);
}

/* One section: L i' = 10 - (R + r) i - v, C v' = i - v/R from rest. And the energy of eight of them. */
static void rlc_ladder(void **state)
{
    (void)state;
    const double L = 1e-3, C = 1e-7, R = 100, t = 4e-5;
    run one = simulate("rlc_ladder.mo", "RlcLadder", "N=1", until(t));
    const double rest = 10 * R / (2 * R + 1), s = -0.5 * ((R + 1) / L + 1 / (R * C));
    const double det = ((R + 1) / R + 1) / (L * C),
                 w = sqrt(det - s * s); /* v = rest + exp(s t) (a cos(w t) + b sin(w t)) */
    const double a = -rest, b = -s * a / w;
    expect(&one, "load.v", rest + exp(s * t) * (a * cos(w * t) + b * sin(w * t)), 1e-7);
    end(&one);
    run eight = simulate("rlc_ladder.mo", "RlcLadder", NULL, until(1.8e-4));
    assert_true(largest(&eight, "balance") < 1e-7 * value(&eight, "fed"));
    assert_true(largest(&eight, "fed") > 4e-5);
    assert_int_equal(eight.info.stats.events, 1);
    end(&eight);
}

/* While no diode conducts the capacitor loses charge to the load alone; of two diodes one always blocks. */
static void rectifier(void **state)
{
    (void)state;
    run r = simulate("rectifier.mo", "Rectifier", NULL, grid(0.1, 1e-9, 1000));
    for (uint64_t row = 870; row < 920; row++) { /* 87 to 92 ms */
        const double v = at(&r, row, "c.v"), next = at(&r, row + 1, "c.v");
        assert_true(fabs(next / v - exp(-1e-4 / 0.05)) < 1e-6);
    }
    assert_true(dd_sim_event_count(r.sim) >= 20);
    for (uint64_t row = 1; row <= 1000; row++) {
        assert_true(at(&r, row, "c.v") > 0 && at(&r, row, "c.v") < 20);
        assert_true(at(&r, row, "d1.i") > -1e-4 && at(&r, row, "d2.i") > -1e-4);
        assert_true(fmin(at(&r, row, "d1.i"), at(&r, row, "d2.i")) < 1e-4);
    }
    end(&r);
}

/* At rest the cold stream takes what the hot one gives; with more cells the effectiveness goes to the known one. */
static void heat_exchanger(void **state)
{
    (void)state;
    const double r = 0.8, ntu = 2000 / (0.4 * 4180), x = exp(-ntu * (1 - r)), ideal = (1 - x) / (1 - r * x);
    double e[2];
    for (int i = 0; i < 2; i++) {
        run m = simulate("heat_exchanger.mo", "HeatExchanger.Counterflow", i == 0 ? "N=20" : "N=40", until(400));
        e[i] = value(&m, "effectiveness");
        const double heat = value(&m, "heat");
        expect(&m, "hot.outlet.T", 360 - heat / (0.5 * 4180), 1e-6);
        expect(&m, "cold.outlet.T", 290 + heat / (0.4 * 4180), 1e-6);
        end(&m);
    }
    assert_true(fabs(2 * e[1] - e[0] - ideal) < 3e-4 && ideal - e[1] > 5e-3); /* the error is proportional to 1/N */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum), cmocka_unit_test(four_bar),  cmocka_unit_test(slider_crank),
        cmocka_unit_test(delta_robot),     cmocka_unit_test(satellite), cmocka_unit_test(two_tanks),
        cmocka_unit_test(rlc_ladder),      cmocka_unit_test(rectifier), cmocka_unit_test(heat_exchanger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
