/* inertia.c - inertia of homogeneous bodies, parallel axes (Steiner) with the full matrix, other axes.
 *
 * Bodies with a hole are written by the ratio k = inner/outer, with common factors divided out, so that thin walls lose
 * no digits: (1 - k^5)/(1 - k^3) = (1 + k + k^2 + k^3 + k^4)/(1 + k + k^2).
 */
#include "daedal/rotation.h"

#include "mech/vector3.h"

static bool sizes_ok(double mass, const double *lengths, int n)
{
    /* written so that NaN fails; zero lengths are fine (rods, discs, points) */
    bool ok = mass >= 0 && isfinite(mass);
    for (int i = 0; i < n; i++) {
        ok = ok && lengths[i] >= 0 && isfinite(lengths[i]);
    }
    return ok;
}

static dd_status diagonal(double out[9], double x, double y, double z)
{
    const double J[9] = {x, 0, 0, 0, y, 0, 0, 0, z};
    memcpy(out, J, sizeof J);
    return DD_OK;
}

dd_status dd_inertia_box(double out[9], double mass, double x, double y, double z)
{
    if (!sizes_ok(mass, (const double[]){x, y, z}, 3)) {
        return DD_INVALID_ARGUMENT;
    }
    const double m = mass / 12;
    return diagonal(out, m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y));
}

dd_status dd_inertia_rod(double out[9], double mass, double length)
{
    return dd_inertia_box(out, mass, 0, 0, length);
}

dd_status dd_inertia_cylinder(double out[9], double mass, double radius, double height)
{
    return dd_inertia_tube(out, mass, 0, radius, height);
}

dd_status dd_inertia_tube(double out[9], double mass, double inner, double outer, double height)
{
    if (!sizes_ok(mass, (const double[]){inner, outer, height}, 3) || inner > outer) {
        return DD_INVALID_ARGUMENT;
    }
    /* m (inner^2 + outer^2)/2 about the axis; across it half of that and m h^2/12. No difference of radii appears */
    const double squares = inner * inner + outer * outer;
    const double across = mass * (squares / 4 + height * height / 12);
    return diagonal(out, across, across, mass * squares / 2);
}

dd_status dd_inertia_sphere(double out[9], double mass, double radius)
{
    return dd_inertia_shell(out, mass, 0, radius);
}

dd_status dd_inertia_shell(double out[9], double mass, double inner, double outer)
{
    if (!sizes_ok(mass, (const double[]){inner, outer}, 2) || inner > outer) {
        return DD_INVALID_ARGUMENT;
    }
    /* 2/5 m (outer^5 - inner^5)/(outer^3 - inner^3), with the factor 1 - k divided out */
    const double k = outer > 0 ? inner / outer : 0;
    const double ratio = (1 + k * (1 + k * (1 + k * (1 + k)))) / (1 + k * (1 + k));
    const double moment = 0.4 * mass * outer * outer * ratio;
    return diagonal(out, moment, moment, moment);
}

dd_status dd_inertia_cone(double out[9], double mass, double radius, double height)
{
    if (!sizes_ok(mass, (const double[]){radius, height}, 2)) {
        return DD_INVALID_ARGUMENT;
    }
    /* about the centre of mass: 3/80 m (4 r^2 + h^2) across and 3/10 m r^2 about the axis */
    const double across = 3 * mass * (4 * radius * radius + height * height) / 80;
    return diagonal(out, across, across, 3 * mass * radius * radius / 10);
}

/* ---- parallel axes and other axes ---- */

/* J + m (|r|^2 I - r r^T) = J - m skew(r)^2; the diagonal as sums of two squares, in which nothing cancels */
void dd_inertia_shift(double out[9], const double Jc[9], double mass, const double r[3])
{
    const double x = r[0], y = r[1], z = r[2];
    const double xy = mass * x * y, xz = mass * x * z, yz = mass * y * z;
    /* clang-format off */
    const double J[9] = {
        Jc[0] + mass * (y * y + z * z), Jc[1] - xy, Jc[2] - xz,
        Jc[3] - xy, Jc[4] + mass * (x * x + z * z), Jc[5] - yz,
        Jc[6] - xz, Jc[7] - yz, Jc[8] + mass * (x * x + y * y)};
    /* clang-format on */
    memcpy(out, J, sizeof J);
}

void dd_inertia_to_centre(double out[9], const double J[9], double mass, const double r[3])
{
    /* the parallel axis theorem backwards */
    dd_inertia_shift(out, J, -mass, r);
}

void dd_inertia_rotate(double out[9], const double J[9], const double R[9])
{
    double K[9], T[9];
    /* R J R^T, and the mean of opposite entries so that rounding leaves the result exactly symmetric */
    dd_rot_inverse(T, R);
    dd_rot_compose(K, R, J);
    dd_rot_compose(K, K, T);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            K[3 * i + j] = K[3 * j + i] = 0.5 * (K[3 * i + j] + K[3 * j + i]);
        }
    }
    memcpy(out, K, sizeof K);
}
