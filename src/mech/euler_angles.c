/* euler_angles.c - roll-pitch-yaw R = Rz(y) Ry(p) Rx(r) and z-y-z R = Rz(a) Ry(b) Rz(c): angles from R, and rates.
 *
 * Both sets fail where the first and last axis are parallel. Extraction needs no case for it: the first angle comes
 * from the two entries that vanish there, the middle one from atan2, and the last one from the rotation that is left
 * when the first is undone, so that it compensates the rounding error of the first.
 */
#include <float.h>

#include "daedal/rotation.h"

#include "mech/vector3.h"

/* Below this a determinant of order one consists of rounding errors. */
static const double SINGULAR = 4 * DBL_EPSILON;

void dd_rot_from_rpy(double out[9], const double rpy[3])
{
    const double sr = sin(rpy[0]), cr = cos(rpy[0]), sp = sin(rpy[1]), cp = cos(rpy[1]), sy = sin(rpy[2]),
                 cy = cos(rpy[2]);
    /* clang-format off */
    const double R[9] = {
        cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
        sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
        -sp,     cp * sr,                cp * cr};
    /* clang-format on */
    memcpy(out, R, sizeof R);
}

void dd_rot_from_zyz(double out[9], const double zyz[3])
{
    const double sa = sin(zyz[0]), ca = cos(zyz[0]), sb = sin(zyz[1]), cb = cos(zyz[1]), sc = sin(zyz[2]),
                 cc = cos(zyz[2]);
    /* clang-format off */
    const double R[9] = {
        ca * cb * cc - sa * sc, -ca * cb * sc - sa * cc, ca * sb,
        sa * cb * cc + ca * sc, -sa * cb * sc + ca * cc, sa * sb,
        -sb * cc,               sb * sc,                 cb};
    /* clang-format on */
    memcpy(out, R, sizeof R);
}

/* The angle of (x, y), 0 for the zero vector whatever the signs of its zeros. */
static double direction(double y, double x)
{
    return x == 0 && y == 0 ? 0 : atan2(y, x);
}

/* Rz(y)^T R = Ry(p) Rx(r) has the second row (0, cos r, -sin r). */
double dd_rot_to_rpy(double out[3], const double R[9])
{
    /* yaw from the first column, whose length in the plane is cos p; roll from the second row after the yaw is
     * undone */
    const double cp = hypot(R[0], R[3]), yaw = direction(R[3], R[0]), s = sin(yaw), c = cos(yaw);
    const double roll = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
    const double pitch = atan2(-R[6], cp);
    out[0] = roll;
    out[1] = pitch;
    out[2] = yaw;
    return cp;
}

/* Rz(a)^T R = Ry(b) Rz(c) has the second row (sin c, cos c, 0). */
double dd_rot_to_zyz(double out[3], const double R[9])
{
    /* the first angle from the last column, whose length in the plane is sin b; the last angle from the second row */
    const double sb = hypot(R[2], R[5]), first = direction(R[5], R[2]), s = sin(first), c = cos(first);
    const double last = atan2(c * R[3] - s * R[0], c * R[4] - s * R[1]);
    const double middle = atan2(sb, R[8]);
    out[0] = first;
    out[1] = middle;
    out[2] = last;
    return sb;
}

/* ---- rates: the columns of the maps are the axes of the three turns ---- */

double dd_rpy_map_body(double out[9], const double rpy[3])
{
    /* w_body = E rates; the columns are x, Rx^T y and Rx^T Ry^T z. det E = cos p */
    const double sr = sin(rpy[0]), cr = cos(rpy[0]), sp = sin(rpy[1]), cp = cos(rpy[1]);
    const double E[9] = {1, 0, -sp, 0, cr, sr * cp, 0, -sr, cr * cp};
    memcpy(out, E, sizeof E);
    return cp;
}

double dd_rpy_map_space(double out[9], const double rpy[3])
{
    /* w_space = E rates; the columns are Rz Ry x, Rz y and z */
    const double sp = sin(rpy[1]), cp = cos(rpy[1]), sy = sin(rpy[2]), cy = cos(rpy[2]);
    const double E[9] = {cy * cp, -sy, 0, sy * cp, cy, 0, -sp, 0, 1};
    memcpy(out, E, sizeof E);
    return cp;
}

double dd_zyz_map_body(double out[9], const double zyz[3])
{
    /* the columns are Rz^T Ry^T z, Rz^T y and z. det E = -sin b */
    const double sb = sin(zyz[1]), cb = cos(zyz[1]), sc = sin(zyz[2]), cc = cos(zyz[2]);
    const double E[9] = {-sb * cc, sc, 0, sb * sc, cc, 0, cb, 0, 1};
    memcpy(out, E, sizeof E);
    return -sb;
}

double dd_zyz_map_space(double out[9], const double zyz[3])
{
    /* the columns are z, Rz y and Rz Ry z */
    const double sa = sin(zyz[0]), ca = cos(zyz[0]), sb = sin(zyz[1]), cb = cos(zyz[1]);
    const double E[9] = {0, -sa, ca * sb, 0, ca, sa * sb, 1, 0, cb};
    memcpy(out, E, sizeof E);
    return -sb;
}

dd_status dd_rpy_rates_body(double out[3], const double rpy[3], const double w[3])
{
    const double sr = sin(rpy[0]), cr = cos(rpy[0]), sp = sin(rpy[1]), cp = cos(rpy[1]);
    if (fabs(cp) <= SINGULAR) {
        return DD_NUMERIC;
    }
    /* E^-1 w by elimination: rows 2 and 3 are a rotation by -r applied to (p', cos p y') */
    const double yaw = (sr * w[1] + cr * w[2]) / cp;
    const double rates[3] = {w[0] + sp * yaw, cr * w[1] - sr * w[2], yaw};
    memcpy(out, rates, sizeof rates);
    return DD_OK;
}

dd_status dd_rpy_rates_space(double out[3], const double rpy[3], const double w[3])
{
    const double sp = sin(rpy[1]), cp = cos(rpy[1]), sy = sin(rpy[2]), cy = cos(rpy[2]);
    if (fabs(cp) <= SINGULAR) {
        return DD_NUMERIC;
    }
    /* rows 1 and 2 are a rotation by y applied to (cos p r', p') */
    const double roll = (cy * w[0] + sy * w[1]) / cp;
    const double rates[3] = {roll, cy * w[1] - sy * w[0], w[2] + sp * roll};
    memcpy(out, rates, sizeof rates);
    return DD_OK;
}

dd_status dd_zyz_rates_body(double out[3], const double zyz[3], const double w[3])
{
    const double sb = sin(zyz[1]), cb = cos(zyz[1]), sc = sin(zyz[2]), cc = cos(zyz[2]);
    if (fabs(sb) <= SINGULAR) {
        return DD_NUMERIC;
    }
    /* rows 1 and 2 are a rotation by -c applied to (-sin b a', b') */
    const double first = (sc * w[1] - cc * w[0]) / sb;
    const double rates[3] = {first, sc * w[0] + cc * w[1], w[2] - cb * first};
    memcpy(out, rates, sizeof rates);
    return DD_OK;
}

dd_status dd_zyz_rates_space(double out[3], const double zyz[3], const double w[3])
{
    const double sa = sin(zyz[0]), ca = cos(zyz[0]), sb = sin(zyz[1]), cb = cos(zyz[1]);
    if (fabs(sb) <= SINGULAR) {
        return DD_NUMERIC;
    }
    /* rows 1 and 2 are a rotation by a applied to (sin b c', b') */
    const double last = (ca * w[0] + sa * w[1]) / sb;
    const double rates[3] = {w[2] - cb * last, ca * w[1] - sa * w[0], last};
    memcpy(out, rates, sizeof rates);
    return DD_OK;
}
