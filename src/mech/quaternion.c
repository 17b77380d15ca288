/* quaternion.c - unit quaternions {w, x, y, z} = {cos(a/2), sin(a/2) u} for the rotation by a about u.
 *
 * From a matrix by S. W. Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1 (1978) 223-224: of 4w^2
 * = 1 + trace, 4x^2 = 1 + 2 R11 - trace, ... the largest is at least 1, its root is the pivot, the others are sums
 * and differences of opposite entries divided by it.
 */
#include "daedal/rotation.h"

#include "mech/vector3.h"

void dd_quat_product(double out[4], const double a[4], const double b[4])
{
    const double q[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3], a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
    memcpy(out, q, sizeof q);
}

void dd_quat_conjugate(double out[4], const double q[4])
{
    const double c[4] = {q[0], -q[1], -q[2], -q[3]};
    memcpy(out, c, sizeof c);
}

dd_status dd_quat_normalise(double out[4], const double q[4])
{
    double unit[4];
    const double length = dd_v3_unit(unit, q, 4);
    if (!(length > 0 && isfinite(unit[0] + unit[1] + unit[2] + unit[3]))) {
        return DD_INVALID_ARGUMENT;
    }
    memcpy(out, unit, sizeof unit);
    return DD_OK;
}

/* v + w t + u x t with t = 2 u x v */
void dd_quat_rotate(double out[3], const double q[4], const double v[3])
{
    double t[3], ut[3];
    /* this is R v for a unit quaternion, without forming R */
    dd_v3_cross(t, q + 1, v);
    for (int i = 0; i < 3; i++) {
        t[i] *= 2;
    }
    dd_v3_cross(ut, q + 1, t);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + (q[0] * t[i] + ut[i]);
    }
}

/* A diagonal entry: 1 - 2 (the other two squares) = 2 (w^2 + its own square) - 1, whichever sum is smaller. */
static double diagonal(double own, double others)
{
    return own < others ? 2 * own - 1 : 1 - 2 * others;
}

void dd_quat_to_rot(double out[9], const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3], ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    /* clang-format off */
    const double R[9] = {
        diagonal(ww + xx, yy + zz), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), diagonal(ww + yy, xx + zz), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), diagonal(ww + zz, xx + yy)};
    /* clang-format on */
    memcpy(out, R, sizeof R);
}

/* Of q and -q the one with w > 0; if w = 0 the one whose largest component is positive. */
static void choose_sign(double q[4])
{
    int largest = 1;
    for (int i = 2; i < 4; i++) {
        largest = fabs(q[i]) > fabs(q[largest]) ? i : largest;
    }
    if (q[0] < 0 || (q[0] == 0 && q[largest] < 0)) {
        for (int i = 0; i < 4; i++) {
            q[i] = -q[i];
        }
    }
    q[0] += 0.0; /* not -0 */
}

void dd_quat_from_rot(double out[4], const double R[9])
{
    /* the pivot: x^2 > w^2 exactly when R11 > trace, so the diagonal is compared with the trace */
    const double trace = R[0] + R[4] + R[8];
    double largest = trace, q[4];
    int pivot = 0;
    for (int i = 0; i < 3; i++) {
        if (R[4 * i] > largest) {
            largest = R[4 * i];
            pivot = i + 1;
        }
    }
    if (pivot == 0) {
        /* 4w^2 = 1 + trace, 4wx = R32 - R23, and cyclically */
        const double root = sqrt(1 + trace), half = 0.5 / root;
        q[0] = 0.5 * root;
        q[1] = half * (R[7] - R[5]);
        q[2] = half * (R[2] - R[6]);
        q[3] = half * (R[3] - R[1]);
    } else {
        /* i, j, k in cyclic order; 1 + R_ii - R_jj - R_kk = 4 q_i^2 */
        const int i = pivot - 1, j = pivot % 3, k = (pivot + 1) % 3;
        const double root = sqrt(1 + (R[4 * i] - R[4 * j] - R[4 * k])), half = 0.5 / root;
        q[0] = half * (R[3 * k + j] - R[3 * j + k]);
        q[1 + i] = 0.5 * root;
        q[1 + j] = half * (R[3 * i + j] + R[3 * j + i]);
        q[1 + k] = half * (R[3 * i + k] + R[3 * k + i]);
    }
    choose_sign(q);
    memcpy(out, q, sizeof q);
}

/* ---- angle and axis ---- */

static void from_unit_axis(double out[4], double angle, const double u[3])
{
    const double s = sin(0.5 * angle);
    const double q[4] = {cos(0.5 * angle), s * u[0], s * u[1], s * u[2]};
    memcpy(out, q, sizeof q);
}

dd_status dd_quat_from_angle_axis(double out[4], double angle, const double axis[3])
{
    double u[3];
    const double length = dd_v3_unit(u, axis, 3);
    if (!(length > 0 && isfinite(u[0] + u[1] + u[2]))) {
        return DD_INVALID_ARGUMENT;
    }
    from_unit_axis(out, angle, u);
    return DD_OK;
}

double dd_quat_to_angle_axis(double axis[3], const double q[4])
{
    double p[4], u[3];
    /* w >= 0, so the angle is within [0, pi] */
    memcpy(p, q, sizeof p);
    choose_sign(p);
    /* |sin(a/2)|; without a rotation every axis is right and x is chosen */
    const double s = dd_v3_unit(u, p + 1, 3);
    if (s == 0) {
        u[0] = 1;
        u[1] = u[2] = 0;
    }
    memcpy(axis, u, sizeof u);
    return 2 * atan2(s, p[0]);
}

void dd_quat_exp(double out[4], const double w[3])
{
    double u[3];
    const double angle = dd_v3_unit(u, w, 3);
    from_unit_axis(out, angle, u);
}

void dd_quat_log(double out[3], const double q[4])
{
    double u[3];
    const double angle = dd_quat_to_angle_axis(u, q);
    for (int i = 0; i < 3; i++) {
        out[i] = angle * u[i];
    }
}
