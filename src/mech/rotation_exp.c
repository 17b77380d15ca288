/* rotation_exp.c - angle and axis, the exponential of so(3) and its logarithm, as matrices.
 *
 * Rodrigues: with a unit vector u,  R = I + sin(a) skew(u) + (1 - cos a) skew(u)^2, where skew(u)^2 = u u^T - I. Near a
 * = 0, 1 - cos a is computed as 2 sin^2(a/2), which keeps its digits, so no series is needed. The way back goes by the
 * quaternion, whose scalar and vector part are cos(a/2) and sin(a/2) u: between them they determine the angle well
 * everywhere, where the trace of R does not near 0 and the antisymmetric part of R does not near pi.
 */
#include "daedal/rotation.h"

#include "mech/vector3.h"

/* A diagonal entry: c + v x^2 = 1 - v (1 - x^2) with v = 1 - c, the way round in which less is rounded. */
static double diagonal(double c, double v, double square, double others)
{
    return square < 0.5 ? c + v * square : 1 - v * others;
}

static void rodrigues(double out[9], double angle, const double u[3])
{
    /* v = 1 - cos a: directly where nothing cancels, by the half angle near a = 0 */
    const double half = sin(0.5 * angle), s = sin(angle), c = cos(angle), v = c < 0.5 ? 1 - c : 2 * half * half;
    const double x = u[0], y = u[1], z = u[2];
    const double xy = v * x * y, xz = v * x * z, yz = v * y * z, xx = x * x, yy = y * y, zz = z * z;
    /* clang-format off */
    const double R[9] = {
        diagonal(c, v, xx, yy + zz), xy - s * z, xz + s * y,
        xy + s * z, diagonal(c, v, yy, xx + zz), yz - s * x,
        xz - s * y, yz + s * x, diagonal(c, v, zz, xx + yy)};
    /* clang-format on */
    memcpy(out, R, sizeof R);
}

dd_status dd_rot_from_angle_axis(double out[9], double angle, const double axis[3])
{
    double u[3];
    const double length = dd_v3_unit(u, axis, 3);
    if (!(length > 0 && isfinite(u[0] + u[1] + u[2]))) {
        return DD_INVALID_ARGUMENT;
    }
    rodrigues(out, angle, u);
    return DD_OK;
}

double dd_rot_to_angle_axis(double axis[3], const double R[9])
{
    double q[4];
    dd_quat_from_rot(q, R);
    return dd_quat_to_angle_axis(axis, q);
}

void dd_rot_exp(double out[9], const double w[3])
{
    double u[3];
    const double angle = dd_v3_unit(u, w, 3);
    rodrigues(out, angle, u);
}

void dd_rot_log(double out[3], const double R[9])
{
    double q[4];
    dd_quat_from_rot(q, R);
    dd_quat_log(out, q);
}
