/* transform.c - rigid-body transforms [R p; 0 1] as matrices of 4 x 4, row by row. */
#include "daedal/rotation.h"

#include "mech/vector3.h"

void dd_transform_make(double out[16], const double R[9], const double p[3])
{
    const double T[16] = {R[0], R[1], R[2], p[0], R[3], R[4], R[5], p[1], R[6], R[7], R[8], p[2], 0, 0, 0, 1};
    memcpy(out, T, sizeof T);
}

void dd_transform_rotation(double out[9], const double T[16])
{
    const double R[9] = {T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10]};
    memcpy(out, R, sizeof R);
}

void dd_transform_translation(double out[3], const double T[16])
{
    const double p[3] = {T[3], T[7], T[11]};
    memcpy(out, p, sizeof p);
}

void dd_transform_compose(double out[16], const double A[16], const double B[16])
{
    double R[9], S[9], p[3];
    /* [R p] [S s] = [R S, R s + p] */
    dd_transform_rotation(R, A);
    dd_transform_rotation(S, B);
    dd_transform_translation(p, B);
    dd_transform_point(p, A, p);
    dd_rot_compose(R, R, S);
    dd_transform_make(out, R, p);
}

void dd_transform_inverse(double out[16], const double T[16])
{
    double R[9], p[3];
    /* [R p]^-1 = [R^T, -R^T p] */
    dd_transform_rotation(R, T);
    dd_transform_translation(p, T);
    dd_rot_apply_inverse(p, R, p);
    dd_rot_inverse(R, R);
    dd_transform_make(out, R, (const double[3]){-p[0], -p[1], -p[2]});
}

void dd_transform_point(double out[3], const double T[16], const double x[3])
{
    const double y[3] = {dd_v3_dot(T, x) + T[3], dd_v3_dot(T + 4, x) + T[7], dd_v3_dot(T + 8, x) + T[11]};
    memcpy(out, y, sizeof y);
}

void dd_transform_vector(double out[3], const double T[16], const double v[3])
{
    const double u[3] = {dd_v3_dot(T, v), dd_v3_dot(T + 4, v), dd_v3_dot(T + 8, v)};
    memcpy(out, u, sizeof u);
}
