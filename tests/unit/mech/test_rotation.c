/* test_rotation.c - matrices, exponential and logarithm, angle and axis, quaternions: on 10^5 rotations with angles
 * down to 1e-300 and up to pi, compared with long double; then the rare cases one by one. What is allowed is what was
 * seen on 10^7 rotations, and about a third more for other mathematical libraries. */
#include "rotation_support.h"
#include "sizes.h"

/* ---- 10^5 rotations ---- */

/* |log(exp(w)) - w|; past half a turn the nearer answer is the turn the other way round */
static real log_error(const double got[3], const double w[3], real angle)
{
    real same = 0, other = 0;
    for (int i = 0; i < 3; i++) {
        same = fmaxl(same, fabsl(got[i] - (real)w[i]));
        other = fmaxl(other, fabsl(got[i] - w[i] * (1 - 2 * PI_L / angle)));
    }
    return PI_L - angle < 8 * EPS ? fminl(same, other) : same;
}

static void test_exponential(void **state)
{
    (void)state;
    worst list[] = {{"exp against the power series, entries", 5, 0},
                    {"exp: R^T R - I and det - 1", 8, 0},
                    {"exp: antisymmetric part, relative to its size (angle < 1e-3)", 2, 0},
                    {"log(exp(w)), relative", 5, 0},
                    {"exp(log(R)) against R, entries", 8, 0},
                    {"angle of R, relative", 4, 0},
                    {"axis of R", 3, 0},
                    {"axis: length - 1", 2, 0},
                    {"angle-axis to matrix against exp, entries", 8, 0},
                    {"exp: entries off the diagonal, relative to the angle < 1e-3", 2, 0}};
    random_state = 1;
    for (int k = 0; k < N_ROTATIONS; k++) {
        double w[3], R[9], back[3], axis[3], again[9];
        real exact[9];
        random_rotation_vector(w, k);
        const real angle = length_l(w, 3);

        dd_rot_exp(R, w);
        exp_l(exact, w);
        note(&list[0], difference(R, exact, 9));
        note(&list[1], defect_l(R));
        if (angle < 1e-3L) {
            dd_rot_vee(back, R);
            const real v[3] = {(exact[7] - exact[5]) / 2, (exact[2] - exact[6]) / 2, (exact[3] - exact[1]) / 2};
            note(&list[2], difference(back, v, 3) / angle);
            note(&list[9], fmaxl(difference(R + 1, exact + 1, 3), difference(R + 5, exact + 5, 3)) / angle);
        }
        dd_rot_log(back, R);
        const real error = log_error(back, w, angle);
        note(&list[3], error / angle);
        dd_rot_exp(again, back);
        note(&list[4], difference_d(again, R, 9));

        const double got = dd_rot_to_angle_axis(axis, R);
        note(&list[5], fabsl(got - fminl(angle, 2 * PI_L - angle)) / angle);
        assert_true(got >= 0 && got <= M_PI);
        real u[3], sign = PI_L - angle < 8 * EPS && axis[0] * w[0] + axis[1] * w[1] + axis[2] * w[2] < 0 ? -1 : 1;
        for (int i = 0; i < 3; i++) {
            u[i] = sign * w[i] / angle;
        }
        note(&list[6], difference(axis, u, 3));
        note(&list[7], fabsl(length_l(axis, 3) - 1));
        assert_int_equal(dd_rot_from_angle_axis(again, got, axis), DD_OK);
        note(&list[8], difference_d(again, R, 9));
    }
    ASSERT_WORST(list);
}

static void test_quaternions(void **state)
{
    (void)state;
    worst list[] = {{"exp: length - 1", 2, 0},
                    {"matrix of exp against the power series, entries", 5, 0},
                    {"matrix: R^T R - I and det - 1", 8, 0},
                    {"from matrix (Shepperd), against the quaternion", 3, 0},
                    {"from matrix: length - 1", 4, 0},
                    {"matrix of the quaternion of R against R, entries", 11, 0},
                    {"log(exp(w)), relative", 3, 0},
                    {"rotate against the matrix, |v| <= sqrt(3)", 11, 0},
                    {"vector part from matrix, relative (angle < 1e-3)", 3, 0}};
    int pivots[4] = {0};
    random_state = 2;
    for (int k = 0; k < N_ROTATIONS; k++) {
        double w[3], q[4], p[4], R[9], again[9], v[3], a[3], b[3];
        real exact[9];
        random_rotation_vector(w, k);
        const real angle = length_l(w, 3);
        dd_quat_exp(q, w);
        exp_l(exact, w);
        note(&list[0], fabsl(length_l(q, 4) - 1));
        dd_quat_to_rot(R, q);
        note(&list[1], difference(R, exact, 9));
        note(&list[2], defect_l(R));

        dd_quat_from_rot(p, R);
        assert_true(p[0] >= 0 && !signbit(p[0]));
        const double flipped[4] = {-q[0], -q[1], -q[2], -q[3]};
        const real same = difference_d(p, q, 4), other = difference_d(p, flipped, 4);
        note(&list[3], fabs(q[0]) < 8 * EPS ? fminl(same, other) : same);
        note(&list[4], fabsl(length_l(p, 4) - 1));
        dd_quat_to_rot(again, p);
        note(&list[5], difference_d(again, R, 9));
        if (angle < 1e-3L) {
            note(&list[8], difference_d(p + 1, q + 1, 3) / length_l(q + 1, 3));
        }
        int largest = 0;
        for (int i = 1; i < 4; i++) {
            largest = fabs(p[i]) > fabs(p[largest]) ? i : largest;
        }
        pivots[largest]++;

        dd_quat_log(a, q);
        note(&list[6], log_error(a, w, angle) / angle);
        dd_quat_log(b, flipped);
        note(&list[6], log_error(b, w, angle) / angle);

        random_vector(v, 1);
        dd_quat_rotate(a, q, v);
        dd_rot_apply(b, R, v);
        note(&list[7], difference_d(a, b, 3));
    }
    ASSERT_WORST(list);
    for (int i = 0; i < 4; i++) {
        assert_true(pivots[i] > N_ROTATIONS / 20); /* every branch of Shepperd's choice has been used */
    }
}

/* Products, inverses and one-parameter groups; matrices and quaternions say the same. */
static void test_group_laws(void **state)
{
    (void)state;
    worst list[] = {{"R(a) R(b) against R(a b), entries", 10, 0},
                    {"product of matrices: R^T R - I and det - 1", 12, 0},
                    {"(A B)^-1 against B^-1 A^-1, entries", 0, 0},
                    {"a a* against 1", 4, 0},
                    {"(a b) c against a (b c)", 4, 0},
                    {"exp(s w) exp(t w) against exp((s + t) w), entries", 4, 0},
                    {"R exp(w) R^T against exp(R w), entries", 16, 0},
                    {"R^T (R v) against v, |v| <= sqrt(3)", 10, 0}};
    random_state = 3;
    for (int k = 0; k < N_ROTATIONS; k++) {
        double w[3], v[3], a[4], b[4], c[4], ab[4], p[4], A[9], B[9], AB[9], C[9], D[9];
        random_rotation_vector(w, k);
        dd_quat_exp(a, w);
        random_rotation_vector(v, k / 4);
        dd_quat_exp(b, v);
        dd_quat_product(ab, a, b);
        dd_rot_exp(A, w);
        dd_rot_exp(B, v);
        dd_rot_compose(AB, A, B);
        dd_quat_to_rot(C, ab);
        note(&list[0], difference_d(AB, C, 9));
        note(&list[1], defect_l(AB));
        dd_rot_inverse(C, A);
        dd_rot_inverse(D, B);
        dd_rot_compose(C, D, C);
        dd_rot_inverse(D, AB);
        note(&list[2], difference_d(C, D, 9));
        dd_quat_conjugate(p, a);
        dd_quat_product(p, a, p);
        note(&list[3], difference_d(p, (const double[]){1, 0, 0, 0}, 4));

        random_rotation_vector(v, k / 16);
        dd_quat_exp(c, v);
        dd_quat_product(p, ab, c);
        dd_quat_product(c, b, c);
        dd_quat_product(c, a, c);
        note(&list[4], difference_d(p, c, 4));

        /* s, t and s + t are exact multiples */
        const double half[3] = {0.5 * w[0], 0.5 * w[1], 0.5 * w[2]},
                     less[3] = {-0.25 * w[0], -0.25 * w[1], -0.25 * w[2]},
                     sum[3] = {0.25 * w[0], 0.25 * w[1], 0.25 * w[2]};
        dd_rot_exp(C, half);
        dd_rot_exp(D, less);
        dd_rot_compose(C, C, D);
        dd_rot_exp(D, sum);
        note(&list[5], difference_d(C, D, 9));
        /* exp(-w) is the transpose, bit for bit */
        dd_rot_exp(C, (const double[]){-w[0], -w[1], -w[2]});
        dd_rot_inverse(D, A);
        assert_memory_equal(C, D, sizeof C);

        dd_rot_apply(v, B, w);
        dd_rot_exp(C, v);
        dd_rot_inverse(D, B);
        dd_rot_compose(D, A, D);
        dd_rot_compose(D, B, D);
        note(&list[6], difference_d(C, D, 9));
        random_vector(v, 1);
        dd_rot_apply(w, A, v);
        dd_rot_apply_inverse(w, A, w);
        note(&list[7], difference_d(w, v, 3));
    }
    ASSERT_WORST(list);
}

/* ---- one by one ---- */

static void test_skew(void **state)
{
    (void)state;
    double S[9], v[3] = {1, 2, 3}, u[3] = {-5, 7, 11}, out[3];
    dd_rot_skew(S, v);
    dd_rot_apply(out, S, u);
    assert_true(out[0] == 2 * 11 - 3 * 7 && out[1] == 3 * -5 - 1 * 11 && out[2] == 1 * 7 - 2 * -5);
    dd_rot_vee(out, S);
    assert_memory_equal(out, v, sizeof v);
    for (int i = 0; i < 9; i++) { /* a symmetric part does not matter */
        S[i] += (i / 3 + 1) * (i % 3 + 1);
    }
    dd_rot_vee(out, S);
    assert_memory_equal(out, v, sizeof v);
}

/* A quarter turn about each axis takes the next axis to the one after it. */
static void test_axes(void **state)
{
    (void)state;
    void (*const turn[3])(double *, double) = {dd_rot_x, dd_rot_y, dd_rot_z};
    for (int i = 0; i < 3; i++) {
        double R[9], E[9], e[3] = {0}, w[3] = {0}, out[3], after[3] = {0};
        turn[i](R, M_PI_2);
        e[(i + 1) % 3] = after[(i + 2) % 3] = 1;
        dd_rot_apply(out, R, e);
        assert_true(difference_d(out, after, 3) < EPS);
        for (int k = 0; k < 1000; k++) {
            w[i] = 0.01 * (k - 500);
            turn[i](R, w[i]);
            dd_rot_exp(E, w);
            assert_true(difference_d(R, E, 9) <= EPS);
            assert_true(dd_rot_is_rotation(R, 2 * EPS));
        }
    }
}

static void test_rotation_or_not(void **state)
{
    (void)state;
    double R[9];
    dd_rot_identity(R);
    assert_true(dd_rot_defect(R) == 0 && dd_rot_det(R) == 1 && dd_rot_is_rotation(R, 0));
    R[0] = -1; /* a reflection */
    assert_true(dd_rot_defect(R) == 2 && dd_rot_det(R) == -1 && !dd_rot_is_rotation(R, 1));
    R[0] = 1;
    R[1] = 1e-3; /* a shear */
    assert_true(fabs(dd_rot_defect(R) - 1e-3) < 1e-15 && !dd_rot_is_rotation(R, 1e-4));
    R[1] = NAN;
    assert_false(dd_rot_is_rotation(R, 1e300));
}

static void test_identity_and_half_turns(void **state)
{
    (void)state;
    double R[9], axis[3], w[3], q[4];
    dd_rot_exp(R, (const double[]){0, 0, 0});
    assert_true(dd_rot_defect(R) == 0);
    assert_true(dd_rot_to_angle_axis(axis, R) == 0 && axis[0] == 1 && axis[1] == 0 && axis[2] == 0);
    dd_rot_log(w, R);
    assert_true(w[0] == 0 && w[1] == 0 && w[2] == 0);
    dd_quat_exp(q, w);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
    /* exact half turns, R = 2 u u^T - I: the axis has its largest component positive */
    const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-0.6, 0.8, 0}, {0.6, 0, 0.8}, {0, -0.28, 0.96}};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
        for (int i = 0; i < 9; i++) {
            R[i] = 2 * axes[k][i / 3] * axes[k][i % 3] - (i % 4 == 0);
        }
        assert_true(dd_rot_to_angle_axis(axis, R) == M_PI);
        assert_true(difference_d(axis, axes[k], 3) <= EPS);
        const double q_negative[4] = {-0.0, -axes[k][0], -axes[k][1], -axes[k][2]};
        assert_true(dd_quat_to_angle_axis(axis, q_negative) == M_PI);
        assert_true(difference_d(axis, axes[k], 3) <= EPS);
    }
}

/* Lengths whose squares are no numbers. */
static void test_extreme_lengths(void **state)
{
    (void)state;
    const double tiny[3] = {3e-320, -4e-320, 0}, huge[3] = {0, 3e307, 4e307},
                 directions[] = {0.6, -0.8, 0, 0, 0.6, 0.8};
    double R[9], E[9], w[3], q[4];
    dd_rot_exp(R, tiny);
    dd_rot_log(w, R);
    assert_true(difference_d(w, tiny, 3) <= 1e-323L); /* two of the smallest steps there are */
    assert_int_equal(dd_rot_from_angle_axis(R, 0.5, huge), DD_OK);
    dd_rot_exp(E, (const double[]){0, 0.3, 0.4});
    assert_true(difference_d(R, E, 9) <= 2 * EPS);
    assert_int_equal(dd_rot_from_angle_axis(R, 0.5, (const double[]){3e-310, -4e-310, 0}), DD_OK);
    dd_rot_exp(E, (const double[]){0.3, -0.4, 0});
    assert_true(difference_d(R, E, 9) <= 2 * EPS);
    assert_int_equal(dd_quat_normalise(q, (const double[]){0, huge[0], huge[1], huge[2]}), DD_OK);
    assert_true(q[0] == 0 && difference_d(q + 1, directions + 3, 3) <= EPS);
    assert_int_equal(dd_quat_normalise(q, (const double[]){1e-310, 0, 0, 0}), DD_OK);
    assert_true(q[0] == 1);
}

static void test_refusals(void **state)
{
    (void)state;
    const double bad[][3] = {{0, 0, 0}, {NAN, 0, 1}, {1, INFINITY, 0}, {1, 0, -INFINITY}, {-INFINITY, NAN, INFINITY}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double out[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
        const double q[4] = {bad[k][0], bad[k][1], 0, bad[k][2]};
        assert_int_equal(dd_rot_from_angle_axis(out, 1, bad[k]), DD_INVALID_ARGUMENT);
        assert_int_equal(dd_quat_from_angle_axis(out, 1, bad[k]), DD_INVALID_ARGUMENT);
        assert_int_equal(dd_quat_normalise(out, q), DD_INVALID_ARGUMENT);
        for (int i = 0; i < 9; i++) {
            assert_true(out[i] == 7);
        }
    }
    double R[9], w[3];
    dd_rot_exp(R, (const double[]){0, NAN, 0});
    assert_true(isnan(R[0] + R[4] + R[8]));
    dd_rot_log(w, R);
    assert_true(isnan(w[0]) && isnan(w[1]) && isnan(w[2]));
}

/* The length of the axis does not matter, its direction does. */
static void test_angle_axis(void **state)
{
    (void)state;
    worst list[] = {{"angle and axis of any length against exp, entries", 3, 0},
                    {"quaternion against matrix, entries", 5, 0}};
    random_state = 4;
    for (int k = 0; k < 10000; k++) {
        double axis[3], longer[3], R[9], Q[9], q[4];
        const double angle = uniform(-10, 10), factor = pow(10, uniform(-200, 200));
        random_axis(axis);
        for (int i = 0; i < 3; i++) {
            longer[i] = factor * axis[i];
        }
        assert_int_equal(dd_rot_from_angle_axis(R, angle, longer), DD_OK);
        assert_int_equal(dd_quat_from_angle_axis(q, angle, longer), DD_OK);
        dd_quat_to_rot(Q, q);
        real exact[9];
        const double turn[3] = {angle * axis[0], angle * axis[1], angle * axis[2]};
        exp_l(exact, turn);
        note(&list[0], difference(R, exact, 9) / fmax(1, fabs(angle)));
        note(&list[1], difference_d(Q, R, 9));
    }
    ASSERT_WORST(list);
}

/* Results may overwrite inputs. */
static void test_in_place(void **state)
{
    (void)state;
    double A[9], B[9], C[9], a[4], b[4], c[4], v[3], u[3];
    random_state = 5;
    random_rotation(A, 0);
    random_rotation(B, 0);
    dd_rot_compose(C, A, B);
    double D[9];
    memcpy(D, A, sizeof D);
    dd_rot_compose(D, D, B);
    assert_memory_equal(D, C, sizeof C);
    memcpy(D, B, sizeof D);
    dd_rot_compose(D, A, D);
    assert_memory_equal(D, C, sizeof C);
    dd_rot_inverse(C, A);
    memcpy(D, A, sizeof D);
    dd_rot_inverse(D, D);
    assert_memory_equal(D, C, sizeof C);

    dd_quat_from_rot(a, A);
    dd_quat_from_rot(b, B);
    dd_quat_product(c, a, b);
    dd_quat_product(b, a, b);
    assert_memory_equal(b, c, sizeof c);
    random_vector(v, 1);
    dd_quat_rotate(u, a, v);
    dd_quat_rotate(v, a, v);
    assert_memory_equal(u, v, sizeof v);
    dd_rot_apply(u, A, v);
    dd_rot_apply(v, A, v);
    assert_memory_equal(u, v, sizeof v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_quaternions),
        cmocka_unit_test(test_group_laws),
        cmocka_unit_test(test_skew),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_rotation_or_not),
        cmocka_unit_test(test_identity_and_half_turns),
        cmocka_unit_test(test_extreme_lengths),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_angle_axis),
        cmocka_unit_test(test_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
