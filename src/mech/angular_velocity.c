/* angular_velocity.c - angular velocity in the body and in space, from and to the rates of matrices and quaternions.
 *
 *     R' = R skew(w_body) = skew(w_space) R,     q' = q {0, w_body}/2 = {0, w_space} q/2
 */
#include "daedal/rotation.h"

#include "mech/vector3.h"

void dd_rot_velocity_body(double out[3], const double R[9], const double Rdot[9])
{
    double S[9];
    /* skew(w_body) = R^T R'; vee takes the antisymmetric part, which is all that a tangent rate has */
    dd_rot_inverse(S, R);
    dd_rot_compose(S, S, Rdot);
    dd_rot_vee(out, S);
}

void dd_rot_velocity_space(double out[3], const double R[9], const double Rdot[9])
{
    double S[9];
    /* skew(w_space) = R' R^T */
    dd_rot_inverse(S, R);
    dd_rot_compose(S, Rdot, S);
    dd_rot_vee(out, S);
}

void dd_rot_rate_body(double out[9], const double R[9], const double w[3])
{
    double S[9];
    dd_rot_skew(S, w);
    dd_rot_compose(out, R, S);
}

void dd_rot_rate_space(double out[9], const double R[9], const double w[3])
{
    double S[9];
    dd_rot_skew(S, w);
    dd_rot_compose(out, S, R);
}

/* The vector part of 2 a b. */
static void twice_vector_part(double out[3], const double a[4], const double b[4])
{
    double p[4];
    dd_quat_product(p, a, b);
    for (int i = 0; i < 3; i++) {
        out[i] = 2 * p[i + 1];
    }
}

void dd_quat_velocity_body(double out[3], const double q[4], const double qdot[4])
{
    double c[4];
    /* {0, w_body} = 2 conj(q) q' for a unit quaternion */
    dd_quat_conjugate(c, q);
    twice_vector_part(out, c, qdot);
}

void dd_quat_velocity_space(double out[3], const double q[4], const double qdot[4])
{
    double c[4];
    /* {0, w_space} = 2 q' conj(q) */
    dd_quat_conjugate(c, q);
    twice_vector_part(out, qdot, c);
}

void dd_quat_rate_body(double out[4], const double q[4], const double w[3])
{
    const double half[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    dd_quat_product(out, q, half);
}

void dd_quat_rate_space(double out[4], const double q[4], const double w[3])
{
    const double half[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    dd_quat_product(out, half, q);
}
