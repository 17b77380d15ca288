/* body.c - rigid bodies: moving and joining them, motion of their points, Newton-Euler. */
#include "daedal/rotation.h"

#include "mech/vector3.h"

void dd_body_move(dd_body *out, const dd_body *body, const double T[16])
{
    double R[9];
    dd_transform_rotation(R, T);
    /* the mass stays; the centre moves like a point, the inertia turns with the axes: R J R^T */
    out->mass = body->mass;
    dd_transform_point(out->centre, T, body->centre);
    dd_inertia_rotate(out->inertia, body->inertia, R);
}

dd_status dd_body_join(dd_body *out, const dd_body *bodies, size_t n)
{
    dd_body sum = {0};
    /* total mass m and first moments m_i c_i; the common centre is their quotient */
    for (size_t i = 0; i < n; i++) {
        sum.mass += bodies[i].mass;
        for (int k = 0; k < 3; k++) {
            sum.centre[k] += bodies[i].mass * bodies[i].centre[k];
        }
    }
    if (!(sum.mass > 0 && isfinite(sum.mass))) {
        return DD_INVALID_ARGUMENT;
    }
    for (int k = 0; k < 3; k++) {
        sum.centre[k] /= sum.mass;
    }
    /* about the common centre part by part: about the origin first would lose the digits of a distant assembly */
    for (size_t i = 0; i < n; i++) {
        double r[3], J[9];
        for (int k = 0; k < 3; k++) {
            r[k] = bodies[i].centre[k] - sum.centre[k];
        }
        dd_inertia_shift(J, bodies[i].inertia, bodies[i].mass, r);
        for (int k = 0; k < 9; k++) {
            sum.inertia[k] += J[k];
        }
    }
    *out = sum;
    return DD_OK;
}

/* ---- motion of a point ---- */

static void add_cross(double out[3], double factor, const double a[3], const double b[3])
{
    double c[3];
    dd_v3_cross(c, a, b);
    for (int i = 0; i < 3; i++) {
        out[i] += factor * c[i];
    }
}

static void add(double out[3], const double *a)
{
    for (int i = 0; i < 3 && a; i++) {
        out[i] += a[i];
    }
}

void dd_body_point_velocity(double out[3], const double v0[3], const double w[3], const double r[3],
                            const double *v_rel)
{
    /* v = v0 + w x r + v_rel, in local copies: out may be an argument */
    double v[3];
    memcpy(v, v0, sizeof v);
    add_cross(v, 1, w, r);
    add(v, v_rel);
    memcpy(out, v, sizeof v);
}

void dd_body_point_acceleration(double out[3], const double a0[3], const double w[3], const double alpha[3],
                                const double r[3], const double *v_rel, const double *a_rel)
{
    double a[3], wr[3];
    /* a = a0 + alpha x r + w x (w x r) + 2 w x v_rel + a_rel: Euler, centripetal, Coriolis and relative terms */
    memcpy(a, a0, sizeof a);
    dd_v3_cross(wr, w, r);
    add_cross(a, 1, alpha, r);
    add_cross(a, 1, w, wr);
    if (v_rel) {
        add_cross(a, 2, w, v_rel);
    }
    add(a, a_rel);
    memcpy(out, a, sizeof a);
}

/* ---- Newton and Euler ---- */

void dd_body_torque(double out[3], const double J[9], const double w[3], const double wdot[3])
{
    /* Euler: torque = J w' + w x (J w) */
    double h[3], torque[3];
    dd_rot_apply(h, J, w);
    dd_rot_apply(torque, J, wdot);
    add_cross(torque, 1, w, h);
    memcpy(out, torque, sizeof torque);
}

/* Solves J x = b by Cholesky, J = L L^T; false when J is not positive definite. */
static bool solve(double x[3], const double J[9])
{
    double L[9] = {0};
    /* row by row: L_ij = (J_ij - sum_k L_ik L_jk)/L_jj; a root that is not positive says J is not definite */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = J[3 * i + j];
            for (int k = 0; k < j; k++) {
                sum -= L[3 * i + k] * L[3 * j + k];
            }
            if (i == j && !(sum > 0 && isfinite(sum))) {
                return false;
            }
            L[3 * i + j] = i == j ? sqrt(sum) : sum / L[4 * j];
        }
    }
    /* L y = b downwards, then L^T x = y upwards, both in place */
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= L[3 * i + k] * x[k];
        }
        x[i] /= L[4 * i];
    }
    for (int i = 2; i >= 0; i--) {
        for (int k = i + 1; k < 3; k++) {
            x[i] -= L[3 * k + i] * x[k];
        }
        x[i] /= L[4 * i];
    }
    return true;
}

dd_status dd_body_angular_acceleration(double out[3], const double J[9], const double w[3], const double torque[3])
{
    /* Euler's equation solved for w': J w' = torque - w x (J w) */
    double h[3], rest[3];
    dd_rot_apply(h, J, w);
    memcpy(rest, torque, sizeof rest);
    add_cross(rest, -1, w, h);
    if (!solve(rest, J)) {
        return DD_INVALID_ARGUMENT;
    }
    memcpy(out, rest, sizeof rest);
    return DD_OK;
}

double dd_body_kinetic_energy(const dd_body *body, const double v[3], const double w[3])
{
    /* T = m |v|^2/2 + w . J w/2, with v the velocity of the centre */
    double h[3];
    dd_rot_apply(h, body->inertia, w);
    return 0.5 * body->mass * dd_v3_dot(v, v) + 0.5 * dd_v3_dot(w, h);
}
