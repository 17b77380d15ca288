/* rotation.h - rotations, rigid-body transforms and inertia: small functions on the caller's arrays.
 *
 *     double R[9], rpy[3];
 *     dd_rot_exp(R, (double[]){0, 0, 0.1});       // a turn by 0.1 about z
 *     dd_rot_to_rpy(rpy, R);                      // {0, 0, 0.1}
 *
 * Conventions, the same everywhere:
 *   vectors       double[3]
 *   matrices      double[9], row by row: R[3*i + j] is row i, column j
 *   transforms    double[16], row by row: [R p; 0 0 0 1]
 *   quaternions   double[4], {w, x, y, z}, the scalar first; q and -q are the same rotation
 *   direction     R takes coordinates in the body to coordinates in space, v_space = R v_body: its columns are the axes
 *                 of the body seen from space. Angles are in radians, positive counter-clockwise.
 *   product       R1 R2 and q1 q2 turn by the second first, then by the first (about axes fixed in space)
 *   rates         R' = R skew(w_body) = skew(w_space) R, w_space = R w_body
 *   roll, pitch, yaw   rpy = {r, p, y}:  R = Rz(y) Ry(p) Rx(r)
 *   z-y-z         zyz = {a, b, c}:  R = Rz(a) Ry(b) Rz(c)
 *
 * No call allocates, keeps state or needs a context. The result may be the same array as an input. Arguments named R
 * are taken to be rotations and arguments named q to have length 1, to rounding: use dd_rot_defect and
 * dd_quat_normalise if that is in doubt. A call that returns a dd_status writes nothing unless it returns DD_OK.
 * If an argument is not-a-number, so is the result, or the call returns DD_INVALID_ARGUMENT.
 */
#ifndef DAEDAL_ROTATION_H
#define DAEDAL_ROTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "daedal/export.h"
#include "daedal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rotation matrices ---- */

/* The matrix of the cross product: skew(v) u = v x u. */
DD_API void dd_rot_skew(double out[9], const double v[3]);

/* The inverse of skew; of any other matrix the vector of its antisymmetric part (S - S^T)/2. */
DD_API void dd_rot_vee(double out[3], const double S[9]);

DD_API void dd_rot_identity(double out[9]);
DD_API void dd_rot_x(double out[9], double angle);
DD_API void dd_rot_y(double out[9], double angle);
DD_API void dd_rot_z(double out[9], double angle);

DD_API void dd_rot_compose(double out[9], const double A[9], const double B[9]);       /* A B, of any matrices */
DD_API void dd_rot_inverse(double out[9], const double R[9]);                          /* R^T */
DD_API void dd_rot_apply(double out[3], const double R[9], const double v[3]);         /* R v: body to space */
DD_API void dd_rot_apply_inverse(double out[3], const double R[9], const double v[3]); /* R^T v: space to body */
DD_API double dd_rot_det(const double A[9]);

/* How far R is from a rotation: the largest entry of |R^T R - I|, or |det R - 1| if that is larger. A few 1e-16 for
 * results of the functions here, about 2 for a reflection. */
DD_API double dd_rot_defect(const double R[9]);
DD_API bool dd_rot_is_rotation(const double R[9], double tol); /* defect <= tol; false with not-a-number */

/* ---- angle and axis, exponential and logarithm ---- */

/* The rotation by `angle` about `axis` (Rodrigues), whose length does not matter; DD_INVALID_ARGUMENT when the length
 * is zero or not finite. */
DD_API dd_status dd_rot_from_angle_axis(double out[9], double angle, const double axis[3]);

/* Back: returns the angle, 0 <= angle <= pi, and writes an axis of length 1, accurate at both ends. The identity has
 * the axis {1, 0, 0}. A half turn has two axes: the one with its largest component positive is returned. */
DD_API double dd_rot_to_angle_axis(double axis[3], const double R[9]);

/* The rotation by |w| about w: exp(skew(w)), and its inverse with |log R| <= pi. Both keep their relative accuracy down
 * to the smallest numbers; log has the two answers of dd_rot_to_angle_axis at half a turn. */
DD_API void dd_rot_exp(double out[9], const double w[3]);
DD_API void dd_rot_log(double out[3], const double R[9]);

/* ---- quaternions ---- */

DD_API void dd_quat_product(double out[4], const double a[4], const double b[4]);
DD_API void dd_quat_conjugate(double out[4], const double q[4]); /* {w, -x, -y, -z}: the inverse if q has length 1 */
DD_API dd_status dd_quat_normalise(double out[4],
                                   const double q[4]); /* DD_INVALID_ARGUMENT: length zero or not finite */
DD_API void dd_quat_rotate(double out[3], const double q[4], const double v[3]); /* R(q) v */

DD_API void dd_quat_to_rot(double out[9], const double q[4]);

/* Shepperd's method: the largest of w, x, y, z is found from the diagonal and divides the others, so nothing cancels.
 * The sign is chosen so that w >= 0 and, if w = 0, the largest of x, y, z is positive. */
DD_API void dd_quat_from_rot(double out[4], const double R[9]);

/* As the functions dd_rot_* of the same name. The sign of q does not matter for to_angle_axis and log. */
DD_API dd_status dd_quat_from_angle_axis(double out[4], double angle, const double axis[3]);
DD_API double dd_quat_to_angle_axis(double axis[3], const double q[4]);
DD_API void dd_quat_exp(double out[4], const double w[3]);
DD_API void dd_quat_log(double out[3], const double q[4]);

/* ---- Euler angles ---- */

DD_API void dd_rot_from_rpy(double out[9], const double rpy[3]);
DD_API void dd_rot_from_zyz(double out[9], const double zyz[3]);

/* Back: -pi/2 <= pitch <= pi/2, 0 <= b <= pi, the other angles in [-pi, pi]. Returns cos(pitch), or sin(b), which is
 * never negative. Where it is small, only the sum or difference of the other two angles is well determined, each angle
 * alone to about 1e-16 divided by it; they still fit each other, so the angles always reproduce R to rounding. Where it
 * is zero, the yaw, or a, is set to 0. */
DD_API double dd_rot_to_rpy(double out[3], const double R[9]);
DD_API double dd_rot_to_zyz(double out[3], const double R[9]);

/* The matrix E with w = E (rates of the angles), for w in the body or in space. Returns its determinant, cos(pitch) or
 * -sin(b): where it vanishes, some angular velocities cannot be reached by any rates. */
DD_API double dd_rpy_map_body(double out[9], const double rpy[3]);
DD_API double dd_rpy_map_space(double out[9], const double rpy[3]);
DD_API double dd_zyz_map_body(double out[9], const double zyz[3]);
DD_API double dd_zyz_map_space(double out[9], const double zyz[3]);

/* The rates of the angles for an angular velocity w, the inverse of the maps above. DD_NUMERIC when the angles are
 * singular: |determinant| <= 4 DBL_EPSILON, where it is rounding alone (this includes a pitch of M_PI_2). */
DD_API dd_status dd_rpy_rates_body(double out[3], const double rpy[3], const double w[3]);
DD_API dd_status dd_rpy_rates_space(double out[3], const double rpy[3], const double w[3]);
DD_API dd_status dd_zyz_rates_body(double out[3], const double zyz[3], const double w[3]);
DD_API dd_status dd_zyz_rates_space(double out[3], const double zyz[3], const double w[3]);

/* ---- angular velocity ---- */

DD_API void dd_rot_velocity_body(double out[3], const double R[9], const double Rdot[9]);  /* vee(R^T R') */
DD_API void dd_rot_velocity_space(double out[3], const double R[9], const double Rdot[9]); /* vee(R' R^T) */
DD_API void dd_rot_rate_body(double out[9], const double R[9], const double w[3]);         /* R' = R skew(w) */
DD_API void dd_rot_rate_space(double out[9], const double R[9], const double w[3]);        /* R' = skew(w) R */

DD_API void dd_quat_velocity_body(double out[3], const double q[4], const double qdot[4]);  /* vector part of 2 q* q' */
DD_API void dd_quat_velocity_space(double out[3], const double q[4], const double qdot[4]); /* vector part of 2 q' q* */
DD_API void dd_quat_rate_body(double out[4], const double q[4], const double w[3]);         /* q' = q {0, w}/2 */
DD_API void dd_quat_rate_space(double out[4], const double q[4], const double w[3]);        /* q' = {0, w} q/2 */

/* ---- rigid-body transforms: x_space = R x_body + p ---- */

DD_API void dd_transform_make(double out[16], const double R[9], const double p[3]);
DD_API void dd_transform_rotation(double out[9], const double T[16]);
DD_API void dd_transform_translation(double out[3], const double T[16]);
DD_API void dd_transform_compose(double out[16], const double A[16],
                                 const double B[16]);                 /* A B; rows 4 are taken as 0 0 0 1 */
DD_API void dd_transform_inverse(double out[16], const double T[16]); /* [R^T, -R^T p] */
DD_API void dd_transform_point(double out[3], const double T[16], const double x[3]);  /* R x + p */
DD_API void dd_transform_vector(double out[3], const double T[16], const double v[3]); /* R v */

/* ---- inertia: symmetric matrices J, kinetic energy w^T J w/2 ---- */

/* Homogeneous bodies about their centre of mass, axes of symmetry along z. DD_INVALID_ARGUMENT when a mass or length is
 * negative or not finite, or inner > outer. The cone's centre of mass lies height/4 above its base. */
DD_API dd_status dd_inertia_box(double out[9], double mass, double x, double y, double z);
DD_API dd_status dd_inertia_rod(double out[9], double mass, double length); /* thin */
DD_API dd_status dd_inertia_cylinder(double out[9], double mass, double radius, double height);
DD_API dd_status dd_inertia_tube(double out[9], double mass, double inner, double outer,
                                 double height); /* inner = outer: thin */
DD_API dd_status dd_inertia_sphere(double out[9], double mass, double radius);
DD_API dd_status dd_inertia_shell(double out[9], double mass, double inner, double outer); /* inner = outer: thin */
DD_API dd_status dd_inertia_cone(double out[9], double mass, double radius, double height);

/* Parallel axes. Jc is about the centre of mass, r points from the new point to the centre of mass, or the other way
 * round: shift computes J = Jc + mass (|r|^2 I - r r^T), to_centre goes back. */
DD_API void dd_inertia_shift(double out[9], const double Jc[9], double mass, const double r[3]);
DD_API void dd_inertia_to_centre(double out[9], const double J[9], double mass, const double r[3]);

/* The same inertia along other axes: R J R^T, symmetric to the last bit; R takes coordinates along the old axes to the
 * new ones (J of the body -> J in space). */
DD_API void dd_inertia_rotate(double out[9], const double J[9], const double R[9]);

/* ---- rigid bodies ---- */

typedef struct dd_body {
    double mass;
    double centre[3];  /* the centre of mass */
    double inertia[9]; /* about the centre of mass */
} dd_body;

/* The same body after a transform. `out` may be `body`. */
DD_API void dd_body_move(dd_body *out, const dd_body *body, const double T[16]);

/* n bodies, in common axes, as one. Holes are bodies of negative mass and inertia. DD_INVALID_ARGUMENT when the sum of
 * the masses is not positive (so also for n = 0) or not finite. `out` may be one of the bodies. */
DD_API dd_status dd_body_join(dd_body *out, const dd_body *bodies, size_t n);

/* A point that moves with velocity v_rel and acceleration a_rel in a frame that turns with w, w' = alpha; r is the
 * point seen from the frame's origin, which itself has v0 and a0; all along the same axes. v_rel and a_rel may be NULL:
 * the point is fixed in the body.
 *     v = v0 + w x r + v_rel
 *     a = a0 + alpha x r + w x (w x r) + 2 w x v_rel + a_rel    (transversal, centripetal, Coriolis) */
DD_API void dd_body_point_velocity(double out[3], const double v0[3], const double w[3], const double r[3],
                                   const double *v_rel);
DD_API void dd_body_point_acceleration(double out[3], const double a0[3], const double w[3], const double alpha[3],
                                       const double r[3], const double *v_rel, const double *a_rel);

/* Newton and Euler about the centre of mass: force = mass a is left to the caller, torque = J w' + w x J w. J, w,
 * torque along the same axes (the body's, or those of space with the J of that moment). angular_acceleration solves for
 * w'; DD_INVALID_ARGUMENT when J is not positive definite. J is taken to be symmetric. */
DD_API void dd_body_torque(double out[3], const double J[9], const double w[3], const double wdot[3]);
DD_API dd_status dd_body_angular_acceleration(double out[3], const double J[9], const double w[3],
                                              const double torque[3]);

/* mass |v|^2/2 + w^T J w/2, with v the velocity of the centre of mass, w along the axes of J. */
DD_API double dd_body_kinetic_energy(const dd_body *body, const double v[3], const double w[3]);

#ifdef __cplusplus
}
#endif
#endif
