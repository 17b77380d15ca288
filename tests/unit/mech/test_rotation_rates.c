/* test_rotation_rates.c - Euler angles both ways, also where they are singular, and angular velocities: derivatives are
 * those of known motions, by jets in long double. What is allowed: see test_rotation.c. */
#include "rotation_support.h"
#include "sizes.h"

typedef struct convention {
    const char *name;
    int axes[3];            /* of the product, left to right */
    int order[3];           /* where the angle of each factor stands in the array */
    bool middle_is_quarter; /* singular at the middle angle pi/2, not 0 */
    void (*from)(double *, const double *);
    double (*to)(double *, const double *);
    double (*map_body)(double *, const double *), (*map_space)(double *, const double *);
    dd_status (*rates_body)(double *, const double *, const double *),
        (*rates_space)(double *, const double *, const double *);
} convention;

static const convention conventions[] = {
    {"roll-pitch-yaw",
     {2, 1, 0},
     {2, 1, 0},
     true,
     dd_rot_from_rpy,
     dd_rot_to_rpy,
     dd_rpy_map_body,
     dd_rpy_map_space,
     dd_rpy_rates_body,
     dd_rpy_rates_space},
    {"z-y-z",
     {2, 1, 2},
     {0, 1, 2},
     false,
     dd_rot_from_zyz,
     dd_rot_to_zyz,
     dd_zyz_map_body,
     dd_zyz_map_space,
     dd_zyz_rates_body,
     dd_zyz_rates_space},
};

/* Angles in the range that `to` returns; every other time the middle one is close to singular, down to 1e-17. */
static void random_angles(double out[3], const convention *c, int k)
{
    const double away = k % 2 ? uniform(0, M_PI_2) : pow(10, uniform(-17, 0));
    const double middle = c->middle_is_quarter ? M_PI_2 - away : k % 4 < 2 ? away : M_PI - away;
    out[0] = uniform(-M_PI, M_PI);
    out[1] = c->middle_is_quarter && k % 4 < 2 ? -middle : middle;
    out[2] = uniform(-M_PI, M_PI);
}

/* The motion with these angles, rates and second derivatives. */
static void motion(jet R[9], const convention *c, const double angles[3], const double rates[3], const double second[3])
{
    jet a[3];
    for (int i = 0; i < 3; i++) {
        const int k = c->order[i];
        a[i] = (jet){{angles[k], rates[k], second[k]}};
    }
    jet_rotation(R, c->axes, a);
}

static real turn_between(double a, double b)
{
    return fabsl(remainderl((real)a - b, 2 * PI_L));
}

static void test_angles(void **state)
{
    (void)state;
    static const double zero[3] = {0};
    for (size_t n = 0; n < 2; n++) {
        const convention *c = &conventions[n];
        worst list[] = {{"matrix against the product of turns, entries", 2, 0},
                        {"matrix: R^T R - I and det - 1", 4, 0},
                        {"matrix -> angles -> matrix, entries", 4, 0},
                        {"the same for any rotation", 7, 0},
                        {"middle angle", 2, 0},
                        {"outer angles, times the number returned", 3, 0},
                        {"the number returned", 1, 0}};
        print_message("  %s\n", c->name);
        random_state = 10 + n;
        for (int k = 0; k < N_ROTATIONS; k++) {
            double angles[3], back[3], R[9], again[9];
            jet exact[9];
            real value[9];
            random_angles(angles, c, k);
            motion(exact, c, angles, zero, zero);
            for (int i = 0; i < 9; i++) {
                value[i] = exact[i].d[0];
            }
            c->from(R, angles);
            note(&list[0], difference(R, value, 9));
            note(&list[1], defect_l(R));
            const double left = c->to(back, R);
            c->from(again, back);
            note(&list[2], difference_d(again, R, 9));
            note(&list[4], fabsl((real)back[1] - angles[1]));
            note(&list[5], left * turn_between(back[0], angles[0]));
            note(&list[5], left * turn_between(back[2], angles[2]));
            note(&list[6], fabsl(left - fabsl(c->middle_is_quarter ? cosl(angles[1]) : sinl(angles[1]))));

            random_rotation(R, k);
            const double also = c->to(back, R);
            assert_true(also >= 0 && fabs(back[0]) <= M_PI && fabs(back[2]) <= M_PI);
            assert_true(c->middle_is_quarter ? fabs(back[1]) <= M_PI_2 : back[1] >= 0 && back[1] <= M_PI);
            c->from(again, back);
            note(&list[3], difference_d(again, R, 9));
        }
        ASSERT_WORST(list);
    }
}

/* Exactly singular matrices: the first factor's angle is 0 and the last one takes the whole turn. */
static void test_singular_angles(void **state)
{
    (void)state;
    for (int k = -3; k <= 3; k++) {
        const double t = k, c = cos(t), s = sin(t);
        double out[3];
        const double up[9] = {0, s, c, 0, c, -s, -1, 0, 0};          /* Ry(pi/2) Rx(t) */
        const double down[9] = {-0.0, -s, -c, -0.0, c, -s, 1, 0, 0}; /* Ry(-pi/2) Rx(t) */
        assert_true(dd_rot_to_rpy(out, up) == 0 && out[1] == M_PI_2 && out[2] == 0 && fabs(out[0] - t) <= 2 * EPS);
        assert_true(dd_rot_to_rpy(out, down) == 0 && out[1] == -M_PI_2 && out[2] == 0 && fabs(out[0] - t) <= 2 * EPS);
        const double same[9] = {c, -s, 0, s, c, -0.0, 0, 0, 1};      /* Rz(t) */
        const double other[9] = {-c, s, -0.0, s, c, -0.0, 0, 0, -1}; /* Ry(pi) Rz(t) */
        assert_true(dd_rot_to_zyz(out, same) == 0 && out[1] == 0 && out[0] == 0 && fabs(out[2] - t) <= 2 * EPS);
        assert_true(dd_rot_to_zyz(out, other) == 0 && out[1] == M_PI && out[0] == 0 && fabs(out[2] - t) <= 2 * EPS);
    }
}

/* Angular velocity from R and R', and from the rates of the angles by the maps, and back to the rates. */
static void test_rates_of_angles(void **state)
{
    (void)state;
    static const double zero[3] = {0};
    for (size_t n = 0; n < 2; n++) {
        const convention *c = &conventions[n];
        worst list[] = {{"body: map times rates against R^T R'", 3, 0},
                        {"space: map times rates against R' R^T", 3, 0},
                        {"w_space against R w_body", 5, 0},
                        {"determinant returned against that of the map", 2, 0},
                        {"body: rates back, times the determinant", 3, 0},
                        {"space: rates back, times the determinant", 3, 0},
                        {"R' from R and w, entries", 4, 0}};
        int refused = 0;
        print_message("  %s\n", c->name);
        random_state = 20 + n;
        for (int k = 0; k < N_ROTATIONS / 2; k++) {
            double angles[3], rates[3], R[9], Rdot[9], E[9], w[2][3], u[3], back[3], D[9];
            jet exact[9];
            random_angles(angles, c, k);
            random_vector(rates, 1);
            motion(exact, c, angles, rates, zero);
            jet_get(R, exact, 9, 0);
            jet_get(Rdot, exact, 9, 1);
            dd_rot_velocity_body(w[0], R, Rdot);
            dd_rot_velocity_space(w[1], R, Rdot);
            dd_rot_apply(u, R, w[0]);
            note(&list[2], difference_d(u, w[1], 3));
            dd_rot_rate_body(D, R, w[0]);
            note(&list[6], difference_d(D, Rdot, 9));
            dd_rot_rate_space(D, R, w[1]);
            note(&list[6], difference_d(D, Rdot, 9));
            for (int i = 0; i < 2; i++) {
                const double det = (i == 0 ? c->map_body : c->map_space)(E, angles);
                note(&list[3], fabsl((real)det - dd_rot_det(E)));
                dd_rot_apply(u, E, rates);
                note(&list[i], difference_d(u, w[i], 3));
                const dd_status status = (i == 0 ? c->rates_body : c->rates_space)(back, angles, u);
                assert_int_equal(status, fabs(det) <= 4 * EPS ? DD_NUMERIC : DD_OK);
                refused += status != DD_OK;
                if (status == DD_OK) {
                    note(&list[4 + i], fabsl(det) * difference_d(back, rates, 3));
                }
            }
        }
        ASSERT_WORST(list);
        assert_true(refused > N_ROTATIONS / 200); /* angles that are singular to rounding have been among them */
    }
}

static void test_singular_rates(void **state)
{
    (void)state;
    const double w[3] = {1, 2, 3};
    double out[3] = {7, 7, 7};
    for (int sign = -1; sign <= 1; sign += 2) {
        const double rpy[3] = {0.3, sign * M_PI_2, 0.7}, zyz[3] = {0.3, sign < 0 ? M_PI : 0, 0.7};
        assert_int_equal(dd_rpy_rates_body(out, rpy, w), DD_NUMERIC);
        assert_int_equal(dd_rpy_rates_space(out, rpy, w), DD_NUMERIC);
        assert_int_equal(dd_zyz_rates_body(out, zyz, w), DD_NUMERIC);
        assert_int_equal(dd_zyz_rates_space(out, zyz, w), DD_NUMERIC);
    }
    assert_true(out[0] == 7 && out[1] == 7 && out[2] == 7);
}

/* ---- quaternions ---- */

static void jet_quat_product(jet out[4], const jet a[4], const jet b[4])
{
    static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};
    jet p[4];
    for (int i = 0; i < 4; i++) { /* e_k e_(i xor k) = +-e_i */
        p[i] = (jet){{0}};
        for (int k = 0; k < 4; k++) {
            p[i] = jet_add(p[i], jet_scale(jet_mul(a[k], b[i ^ k]), sign[i][k]));
        }
    }
    memcpy(out, p, sizeof p);
}

/* q(t) = product of three turns by half angles; R(t) by the whole angles: the same angular velocity. */
static void test_rates_of_quaternions(void **state)
{
    (void)state;
    static const double zero[3] = {0};
    worst list[] = {{"body: from q, q' against R, R'", 5, 0},
                    {"space: from q, q' against R, R'", 5, 0},
                    {"q' from q and w in the body", 2, 0},
                    {"q' from q and w in space", 2, 0},
                    {"q q' = 0", 1, 0},
                    {"matrix of q against R, entries", 2, 0}};
    random_state = 30;
    for (int k = 0; k < N_ROTATIONS; k++) {
        const convention *c = &conventions[k % 2];
        double angles[3], rates[3], R[9], Rdot[9], q[4], qdot[4], w[3], u[3], p[4];
        jet exact[9], Q[4] = {{{1}}};
        random_angles(angles, c, k / 2);
        random_vector(rates, 1);
        motion(exact, c, angles, rates, zero);
        for (int i = 0; i < 3; i++) {
            const jet half = {{angles[c->order[i]] / 2, rates[c->order[i]] / 2, 0}};
            jet turn[4] = {{{0}}};
            jet_sincos(&turn[1 + c->axes[i]], &turn[0], half);
            jet_quat_product(Q, Q, turn);
        }
        jet_get(R, exact, 9, 0);
        jet_get(Rdot, exact, 9, 1);
        jet_get(q, Q, 4, 0);
        jet_get(qdot, Q, 4, 1);
        double M[9];
        dd_quat_to_rot(M, q);
        note(&list[5], difference_d(M, R, 9));
        dd_quat_velocity_body(w, q, qdot);
        dd_rot_velocity_body(u, R, Rdot);
        note(&list[0], difference_d(w, u, 3));
        dd_quat_rate_body(p, q, u);
        note(&list[2], difference_d(p, qdot, 4));
        dd_quat_velocity_space(w, q, qdot);
        dd_rot_velocity_space(u, R, Rdot);
        note(&list[1], difference_d(w, u, 3));
        dd_quat_rate_space(p, q, u);
        note(&list[3], difference_d(p, qdot, 4));
        note(&list[4], fabsl((real)q[0] * p[0] + (real)q[1] * p[1] + (real)q[2] * p[2] + (real)q[3] * p[3]));
    }
    ASSERT_WORST(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_singular_angles),
        cmocka_unit_test(test_rates_of_angles),
        cmocka_unit_test(test_singular_rates),
        cmocka_unit_test(test_rates_of_quaternions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
