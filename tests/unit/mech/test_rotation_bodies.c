/* test_rotation_bodies.c - transforms; inertia compared with integrals over the volume; points and torques of moving
 * bodies compared with derivatives of known motions. */
#include "rotation_support.h"
#include "sizes.h"

static const double origin[3] = {0};

static void random_transform(double T[16], int k)
{
    double R[9], p[3];
    random_rotation(R, k);
    random_vector(p, 1);
    dd_transform_make(T, R, p);
}

/* ---- transforms ---- */

static void test_transforms(void **state)
{
    (void)state;
    worst list[] = {{"T T^-1 against the identity", 8, 0},
                    {"T^-1 T against the identity", 8, 0},
                    {"(A B) x against A (B x)", 8, 0},
                    {"(A B)^-1 against B^-1 A^-1", 10, 0},
                    {"T (x + v) against T x + R v", 6, 0}};
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    random_state = 40;
    for (int k = 0; k < N_ROTATIONS; k++) {
        double A[16], B[16], C[16], D[16], x[3], v[3], y[3], z[3];
        random_transform(A, k);
        random_transform(B, k / 4);
        dd_transform_inverse(C, A);
        dd_transform_compose(D, A, C);
        note(&list[0], difference_d(D, identity, 16));
        dd_transform_compose(D, C, A);
        note(&list[1], difference_d(D, identity, 16));
        random_vector(x, 1);
        dd_transform_compose(C, A, B);
        dd_transform_point(y, C, x);
        dd_transform_point(z, B, x);
        dd_transform_point(z, A, z);
        note(&list[2], difference_d(y, z, 3));
        dd_transform_inverse(D, C);
        dd_transform_inverse(A, A);
        dd_transform_inverse(B, B);
        dd_transform_compose(B, B, A);
        note(&list[3], difference_d(D, B, 16));
        random_vector(v, 1);
        dd_transform_vector(z, C, v);
        for (int i = 0; i < 3; i++) {
            z[i] += y[i];
            x[i] += v[i];
        }
        dd_transform_point(y, C, x);
        note(&list[4], difference_d(y, z, 3));
    }
    ASSERT_WORST(list);
}

/* A turn by 90 degrees about z and a step along x, as numbers. */
static void test_transform_layout(void **state)
{
    (void)state;
    const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, p[3] = {5, 6, 7};
    const double expected[16] = {0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
    const double inverse[16] = {0, 1, 0, -6, -1, 0, 0, 5, 0, 0, 1, -7, 0, 0, 0, 1};
    double T[16], S[9], q[3], x[3] = {1, 2, 3};
    dd_transform_make(T, R, p);
    assert_memory_equal(T, expected, sizeof T);
    dd_transform_rotation(S, T);
    dd_transform_translation(q, T);
    assert_memory_equal(S, R, sizeof S);
    assert_memory_equal(q, p, sizeof q);
    dd_transform_point(q, T, x);
    assert_true(q[0] == 3 && q[1] == 7 && q[2] == 10);
    dd_transform_vector(q, T, x);
    assert_true(q[0] == -2 && q[1] == 1 && q[2] == 3);
    dd_transform_inverse(T, T);
    for (int i = 0; i < 16; i++) {
        assert_true(T[i] == inverse[i]);
    }
}

/* ---- inertia by integration ---- */

/* Bodies as images of a cube [0, 1]^3: the point and the volume of du dv dw there. With Gauss's formula of 6 points in
 * each direction, exact to degree 11, and 12 equal parts of a circle the integrals of squares are exact. */
typedef struct shape {
    enum { BOX, TUBE, SHELL, CONE } kind;
    real size[3]; /* box: edges; tube: inner, outer, height; shell: inner, outer; cone: radius, height */
} shape;

enum { N_GAUSS = 6, N_CIRCLE = 12 };

static const real gauss_node[N_GAUSS] = {-0.932469514203152027812301554493995L, -0.661209386466264513661399595019905L,
                                         -0.238619186083196908630501721680711L, 0.238619186083196908630501721680711L,
                                         0.661209386466264513661399595019905L,  0.932469514203152027812301554493995L};
static const real gauss_weight[N_GAUSS] = {0.171324492379170345040296142172733L, 0.360761573048138607569833513837716L,
                                           0.467913934572691047389870343989550L, 0.467913934572691047389870343989550L,
                                           0.360761573048138607569833513837716L, 0.171324492379170345040296142172733L};

static real map_point(real x[3], const shape *s, real u, real v, real w)
{
    const real *a = s->size, c = cosl(2 * PI_L * w), d = sinl(2 * PI_L * w);
    if (s->kind == BOX) {
        x[0] = a[0] * (u - 0.5L);
        x[1] = a[1] * (v - 0.5L);
        x[2] = a[2] * (w - 0.5L);
        return a[0] * a[1] * a[2];
    }
    if (s->kind == SHELL) {
        const real r = a[0] + (a[1] - a[0]) * u, z = 2 * v - 1, rho = sqrtl(1 - z * z);
        x[0] = r * rho * c;
        x[1] = r * rho * d;
        x[2] = r * z;
        return 4 * PI_L * r * r * (a[1] - a[0]);
    }
    if (s->kind == TUBE) {
        const real r = a[0] + (a[1] - a[0]) * u;
        x[0] = r * c;
        x[1] = r * d;
        x[2] = a[2] * (v - 0.5L);
        return 2 * PI_L * r * (a[1] - a[0]) * a[2];
    }
    const real r = a[0] * (1 - v) * u; /* the base at height 0, the tip at a[1] */
    x[0] = r * c;
    x[1] = r * d;
    x[2] = a[1] * v;
    return 2 * PI_L * r * a[0] * (1 - v) * a[1];
}

typedef struct moments {
    real mass, first[3], second[9]; /* the integrals of 1, x and |x|^2 I - x x^T */
} moments;

/* Adds the integrals over a body of the given density that was placed by T. */
static void integrate(moments *sum, const shape *s, real density, const double T[16])
{
    const bool round = s->kind != BOX;
    for (int i = 0; i < N_GAUSS; i++) {
        for (int j = 0; j < N_GAUSS; j++) {
            for (int k = 0; k < (round ? N_CIRCLE : N_GAUSS); k++) {
                const real w = round ? (real)k / N_CIRCLE : (1 + gauss_node[k]) / 2;
                real p[3], x[3];
                real volume = map_point(p, s, (1 + gauss_node[i]) / 2, (1 + gauss_node[j]) / 2, w);
                volume *=
                    density * gauss_weight[i] * gauss_weight[j] / 4 * (round ? 1.0L / N_CIRCLE : gauss_weight[k] / 2);
                real square = 0;
                for (int n = 0; n < 3; n++) {
                    x[n] = T[4 * n] * p[0] + T[4 * n + 1] * p[1] + T[4 * n + 2] * p[2] + T[4 * n + 3];
                    sum->first[n] += volume * x[n];
                    square += x[n] * x[n];
                }
                sum->mass += volume;
                for (int n = 0; n < 9; n++) {
                    sum->second[n] += volume * ((n % 4 == 0 ? square : 0) - x[n / 3] * x[n % 3]);
                }
            }
        }
    }
}

static const double here[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* The inertia of the library for a shape, of this mass. */
static dd_status inertia_of(double out[9], const shape *s, double mass)
{
    const double a = (double)s->size[0], b = (double)s->size[1], c = (double)s->size[2];
    switch (s->kind) {
    case BOX:
        return dd_inertia_box(out, mass, a, b, c);
    case TUBE:
        return a == 0 ? dd_inertia_cylinder(out, mass, b, c) : dd_inertia_tube(out, mass, a, b, c);
    case SHELL:
        return a == 0 ? dd_inertia_sphere(out, mass, b) : dd_inertia_shell(out, mass, a, b);
    default:
        return dd_inertia_cone(out, mass, a, b);
    }
}

static real relative(const double *a, const real *b, int n)
{
    real largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmaxl(largest, fabsl(b[i]));
    }
    return difference(a, b, n) / largest;
}

/* n random bodies with their places; the body of the library and the integrals. */
static void random_body(dd_body *body, shape *s, double T[16], int k)
{
    s->kind = k % 4;
    for (int i = 0; i < 3; i++) {
        s->size[i] = uniform(0.1, 2);
    }
    if (s->kind == TUBE || s->kind == SHELL) {
        s->size[1] += s->size[0];
        s->size[0] = k % 8 < 4 ? 0 : s->size[0];
    }
    random_transform(T, k);
    moments m = {0};
    integrate(&m, s, 1, here);
    *body = (dd_body){.mass = (double)m.mass};
    body->centre[2] = s->kind == CONE ? (double)(s->size[1] / 4) : 0;
    assert_int_equal(inertia_of(body->inertia, s, body->mass), DD_OK);
}

static void test_inertia_of_bodies(void **state)
{
    (void)state;
    worst list[] = {{"inertia about the origin against the integral, relative", 5, 0},
                    {"parallel axes there and back, relative", 1, 0},
                    {"placed by a transform, about the origin, relative", 4, 0},
                    {"centre of mass, placed", 1, 0}};
    random_state = 50;
    for (int k = 0; k < 400; k++) {
        dd_body body, moved;
        shape s;
        double T[16], J[9], back[9];
        random_body(&body, &s, T, k);
        moments m = {0}, placed = {0};
        integrate(&m, &s, 1, here);
        dd_inertia_shift(J, body.inertia, body.mass, body.centre);
        note(&list[0], relative(J, m.second, 9));
        const double r[3] = {T[3], T[7], T[11]};
        dd_inertia_shift(J, body.inertia, body.mass, r);
        dd_inertia_to_centre(back, J, body.mass, r);
        note(&list[1], difference_d(back, body.inertia, 9) / fabs(J[0] + J[4] + J[8]));

        integrate(&placed, &s, 1, T);
        dd_body_move(&moved, &body, T);
        for (int i = 0; i < 3; i++) {
            note(&list[3], fabsl(moved.centre[i] - placed.first[i] / placed.mass));
        }
        assert_true(moved.inertia[1] == moved.inertia[3] && moved.inertia[2] == moved.inertia[6] &&
                    moved.inertia[5] == moved.inertia[7]);
        dd_inertia_shift(J, moved.inertia, moved.mass, moved.centre);
        note(&list[2], relative(J, placed.second, 9));
        dd_body_move(&body, &body, T); /* in place */
        assert_memory_equal(&body, &moved, sizeof body);
    }
    ASSERT_WORST(list);
}

/* What is thin: a rod is a thin box, a thin tube or shell has no digits lost. */
static void test_thin_bodies(void **state)
{
    (void)state;
    double J[9], K[9];
    assert_int_equal(dd_inertia_rod(J, 3, 2), DD_OK);
    assert_true(J[0] == 1 && J[4] == 1 && J[8] == 0);
    assert_int_equal(dd_inertia_shell(J, 3, 2, 2), DD_OK); /* 2/3 m r^2 */
    assert_true(fabs(J[0] - 8) <= 8 * EPS && J[0] == J[4] && J[0] == J[8]);
    assert_int_equal(dd_inertia_tube(J, 3, 2, 2, 0), DD_OK); /* a ring: m r^2 and half of it */
    assert_true(J[8] == 12 && J[0] == 6 && J[4] == 6);
    assert_int_equal(dd_inertia_shell(J, 3, 0, 0), DD_OK); /* a point */
    assert_true(J[0] == 0);
    for (double gap = 1e-1; gap > 1e-15; gap /= 10) { /* by their difference in long double */
        const double inner = 1 - gap;
        const real a = inner, exact = 0.4L * (1 - a * a * a * a * a) / (1 - a * a * a);
        assert_int_equal(dd_inertia_shell(K, 1, inner, 1), DD_OK);
        assert_true(fabsl(K[0] - exact) <= 2 * EPS + 1e-18L / gap);
    }
}

static void test_joined_bodies(void **state)
{
    (void)state;
    worst list[] = {{"mass, relative", 2, 0}, {"centre of mass", 5, 0}, {"inertia about it, relative", 11, 0}};
    random_state = 60;
    for (int k = 0; k < 200; k++) {
        enum { N = 4 };
        dd_body bodies[N], whole;
        moments m = {0};
        for (int i = 0; i < N; i++) {
            shape s;
            double T[16];
            random_body(&bodies[i], &s, T, (int)(random_bits() % 1000));
            dd_body_move(&bodies[i], &bodies[i], T);
            real density = 1;
            if (i == N - 1) { /* a hole: an eighth of the density less */
                density = -0.125L;
                bodies[i].mass *= -0.125;
                for (int n = 0; n < 9; n++) {
                    bodies[i].inertia[n] *= -0.125;
                }
            }
            integrate(&m, &s, density, T);
        }
        if (m.mass < 0.5L) {
            continue;
        }
        assert_int_equal(dd_body_join(&whole, bodies, N), DD_OK);
        note(&list[0], fabsl(whole.mass / m.mass - 1));
        real c[3], square = 0, about[9];
        for (int i = 0; i < 3; i++) {
            c[i] = m.first[i] / m.mass;
            square += c[i] * c[i];
        }
        for (int i = 0; i < 9; i++) {
            about[i] = m.second[i] - m.mass * ((i % 4 == 0 ? square : 0) - c[i / 3] * c[i % 3]);
        }
        note(&list[1], difference(whole.centre, c, 3));
        note(&list[2], relative(whole.inertia, about, 9));
        assert_int_equal(dd_body_join(&bodies[1], bodies, N), DD_OK); /* in place */
        assert_memory_equal(&bodies[1], &whole, sizeof whole);
    }
    ASSERT_WORST(list);
}

static void test_refused_bodies(void **state)
{
    (void)state;
    double J[9] = {7}, out[3] = {7, 7, 7};
    dd_body b = {.mass = -1}, whole = {.mass = 7};
    assert_int_equal(dd_inertia_box(J, -1, 1, 1, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_box(J, 1, 1, NAN, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_rod(J, 1, -1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_cylinder(J, 1, INFINITY, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_tube(J, 1, 2, 1, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_sphere(J, NAN, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_shell(J, 1, 2, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_inertia_cone(J, 1, 1, -1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_body_join(&whole, &b, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_body_join(&whole, NULL, 0), DD_INVALID_ARGUMENT);
    assert_true(J[0] == 7 && whole.mass == 7);
    const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, saddle[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    assert_int_equal(dd_body_angular_acceleration(out, flat, origin, origin), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_body_angular_acceleration(out, saddle, origin, origin), DD_INVALID_ARGUMENT);
    assert_true(out[0] == 7);
}

/* ---- motion ---- */

/* x(t) = p(t) + R(t) r(t): velocity and acceleration of a point that moves in a moving frame. */
static void test_points(void **state)
{
    (void)state;
    worst list[] = {{"velocity", 5, 0}, {"acceleration", 14, 0}, {"of a point fixed in the body", 10, 0}};
    static const int axes[3] = {2, 1, 0};
    random_state = 70;
    for (int k = 0; k < 10000; k++) {
        jet angles[3], R[9], r[3], p[3];
        for (int i = 0; i < 3; i++) {
            angles[i] = (jet){{uniform(-3, 3), uniform(-1, 1), uniform(-1, 1)}};
            r[i] = (jet){{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}};
            p[i] = (jet){{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}};
        }
        jet_rotation(R, axes, angles);
        double M[3][9], w[3], alpha[3], along[3][3], of_origin[3][3], T[9], got[3];
        real exact[3][3], fixed[3];
        for (int n = 0; n < 3; n++) {
            jet_get(M[n], R, 9, n);
            jet_get(along[n], r, 3, n);
            dd_rot_apply(along[n], M[0], along[n]); /* R r, R r', R r'': along the axes of space */
            jet_get(of_origin[n], p, 3, n);
        }
        for (int i = 0; i < 3; i++) {
            jet x = p[i];
            fixed[i] = p[i].d[2];
            for (int j = 0; j < 3; j++) {
                x = jet_add(x, jet_mul(R[3 * i + j], r[j]));
                fixed[i] += R[3 * i + j].d[2] * r[j].d[0];
            }
            exact[1][i] = x.d[1];
            exact[2][i] = x.d[2];
        }
        dd_rot_velocity_space(w, M[0], M[1]);
        dd_rot_inverse(T, M[0]); /* R'' R^T = skew(w') + skew(w)^2, the last of which is symmetric */
        dd_rot_compose(T, M[2], T);
        dd_rot_vee(alpha, T);
        dd_body_point_velocity(got, of_origin[1], w, along[0], along[1]);
        note(&list[0], difference(got, exact[1], 3));
        dd_body_point_acceleration(got, of_origin[2], w, alpha, along[0], along[1], along[2]);
        note(&list[1], difference(got, exact[2], 3));
        dd_body_point_acceleration(got, of_origin[2], w, alpha, along[0], NULL, NULL);
        note(&list[2], difference(got, fixed, 3));
    }
    ASSERT_WORST(list);
}

/* The torque is the rate of the angular momentum in space, and its power that of the kinetic energy. */
static void test_torques(void **state)
{
    (void)state;
    worst list[] = {{"torque against the rate of R J w", 9, 0},
                    {"power against the rate of the energy", 8, 0},
                    {"acceleration from the torque", 7, 0}};
    static const int axes[3] = {2, 1, 2};
    random_state = 80;
    for (int k = 0; k < 10000; k++) {
        jet angles[3], R[9], W[9], h[3] = {{{0}}};
        for (int i = 0; i < 3; i++) {
            angles[i] = (jet){{uniform(-3, 3), uniform(-1, 1), uniform(-1, 1)}};
        }
        jet_rotation(R, axes, angles);
        dd_body body = {.mass = 2};
        double Q[9], A[9], B[9], w[3], wdot[3], torque[3], in_space[3], got[3];
        random_rotation(Q, 0);
        assert_int_equal(dd_inertia_box(body.inertia, 4, uniform(1, 2), uniform(1, 2), uniform(1, 2)), DD_OK);
        dd_inertia_rotate(body.inertia, body.inertia, Q);
        /* skew(w) = R^T R' as a series: R^T R' and its derivative R'^T R' + R^T R'' */
        for (int i = 0; i < 9; i++) {
            W[i] = (jet){{0}};
            for (int n = 0; n < 3; n++) {
                const jet a = R[3 * n + i / 3], b = R[3 * n + i % 3];
                W[i].d[0] += a.d[0] * b.d[1];
                W[i].d[1] += a.d[1] * b.d[1] + a.d[0] * b.d[2];
            }
        }
        jet_get(A, W, 9, 0);
        jet_get(B, W, 9, 1);
        dd_rot_vee(w, A);
        dd_rot_vee(wdot, B);
        const jet v[3] = {{{w[0], wdot[0], 0}}, {{w[1], wdot[1], 0}}, {{w[2], wdot[2], 0}}};
        jet energy = {{0}};
        for (int i = 0; i < 3; i++) { /* H = R J w and w J w/2 */
            for (int n = 0; n < 3; n++) {
                const jet jw = jet_scale(v[n], body.inertia[3 * i + n]);
                energy = jet_add(energy, jet_scale(jet_mul(v[i], jw), 0.5L));
                for (int j = 0; j < 3; j++) {
                    h[j] = jet_add(h[j], jet_mul(R[3 * j + i], jw));
                }
            }
        }
        dd_body_torque(torque, body.inertia, w, wdot);
        jet_get(A, R, 9, 0);
        dd_rot_apply(in_space, A, torque);
        const real rate[3] = {h[0].d[1], h[1].d[1], h[2].d[1]};
        note(&list[0], difference(in_space, rate, 3));
        note(&list[1], fabsl((real)w[0] * torque[0] + (real)w[1] * torque[1] + (real)w[2] * torque[2] - energy.d[1]));
        assert_true(fabsl(dd_body_kinetic_energy(&body, (const double[]){3, 0, 4}, w) - (25 + energy.d[0])) <=
                    64 * EPS);
        assert_int_equal(dd_body_angular_acceleration(got, body.inertia, w, torque), DD_OK);
        note(&list[2], difference_d(got, wdot, 3));
    }
    ASSERT_WORST(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_transform_layout),
        cmocka_unit_test(test_inertia_of_bodies),
        cmocka_unit_test(test_thin_bodies),
        cmocka_unit_test(test_joined_bodies),
        cmocka_unit_test(test_refused_bodies),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_torques),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
