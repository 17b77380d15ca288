/* rotation_matrix.c - rotation matrices: skew and its inverse, turns about the axes, products, the test for SO(3). */
#include "daedal/rotation.h"

#include "mech/vector3.h"

void dd_rot_skew(double out[9], const double v[3])
{
    const double x = v[0], y = v[1], z = v[2];
    const double S[9] = {0, -z, y, z, 0, -x, -y, x, 0};
    memcpy(out, S, sizeof S);
}

void dd_rot_vee(double out[3], const double S[9])
{
    /* the antisymmetric part of S: exact for skew(v), a least-squares fit for anything else */
    const double v[3] = {0.5 * (S[7] - S[5]), 0.5 * (S[2] - S[6]), 0.5 * (S[3] - S[1])};
    memcpy(out, v, sizeof v);
}

void dd_rot_identity(double out[9])
{
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(out, I, sizeof I);
}

void dd_rot_x(double out[9], double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double R[9] = {1, 0, 0, 0, c, -s, 0, s, c};
    memcpy(out, R, sizeof R);
}

void dd_rot_y(double out[9], double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double R[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
    memcpy(out, R, sizeof R);
}

void dd_rot_z(double out[9], double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double R[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    memcpy(out, R, sizeof R);
}

void dd_rot_compose(double out[9], const double A[9], const double B[9])
{
    /* a local copy, so that out may be A or B */
    double C[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
    memcpy(out, C, sizeof C);
}

void dd_rot_inverse(double out[9], const double R[9])
{
    const double T[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    memcpy(out, T, sizeof T);
}

void dd_rot_apply(double out[3], const double R[9], const double v[3])
{
    const double u[3] = {dd_v3_dot(R, v), dd_v3_dot(R + 3, v), dd_v3_dot(R + 6, v)};
    memcpy(out, u, sizeof u);
}

void dd_rot_apply_inverse(double out[3], const double R[9], const double v[3])
{
    double u[3];
    for (int j = 0; j < 3; j++) {
        u[j] = R[j] * v[0] + R[3 + j] * v[1] + R[6 + j] * v[2];
    }
    memcpy(out, u, sizeof u);
}

double dd_rot_det(const double A[9])
{
    double normal[3];
    dd_v3_cross(normal, A + 3, A + 6);
    return dd_v3_dot(A, normal);
}

double dd_rot_defect(const double R[9])
{
    /* the largest entry of |R^T R - I|, and det R = 1 to exclude reflections; NaN is the worst */
    double worst = fabs(dd_rot_det(R) - 1);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const double product = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            const double error = fabs(product - (i == j));
            worst = error > worst || isnan(error) ? error : worst;
        }
    }
    return worst;
}

bool dd_rot_is_rotation(const double R[9], double tol)
{
    return dd_rot_defect(R) <= tol;
}
