/* tumbling_body.c - a box turning freely, thrown three ways; its attitude is a quaternion.
 *
 * Without torque, energy and angular momentum (in space) are kept. Turning about the longest or shortest edge stays a
 * turn about that edge, turning about the middle one does not: the box flips over again and again. The program
 * integrates
 *
 *     q' = q {0, w}/2,     J w' = -w x J w
 *
 * by the classical Runge-Kutta method and shows how far the axis of the throw comes away from the angular momentum.
 *
 *     cc tumbling_body.c $(pkg-config --cflags --libs daedal) -lm -o tumbling_body
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { Q = 0, W = 4, N = 7 }; /* x = {q, w} */

static dd_status rates(double out[N], const double J[9], const double x[N])
{
    static const double no_torque[3] = {0, 0, 0};
    dd_quat_rate_body(out + Q, x + Q, x + W);
    return dd_body_angular_acceleration(out + W, J, x + W, no_torque);
}

/* One step; the quaternion is brought back to length 1. */
static dd_status step(double x[N], const double J[9], double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    double k[N] = {0}, sum[N] = {0}, at[N];
    dd_status status = DD_OK;
    for (int s = 0; s < 4 && status == DD_OK; s++) {
        for (int i = 0; i < N; i++) {
            at[i] = x[i] + h * part[s] * k[i];
        }
        status = rates(k, J, at);
        for (int i = 0; i < N; i++) {
            sum[i] += weight[s] * k[i];
        }
    }
    for (int i = 0; i < N; i++) {
        x[i] += h * sum[i];
    }
    return status == DD_OK ? dd_quat_normalise(x + Q, x + Q) : status;
}

/* Angular momentum in space: R J w. */
static void momentum(double out[3], const double J[9], const double x[N])
{
    dd_rot_apply(out, J, x + W);
    dd_quat_rotate(out, x + Q, out);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

int main(void)
{
    static const char *const edge[3] = {"longest", "middle", "shortest"};
    static const double still[3] = {0, 0, 0};
    dd_body box = {.mass = 2};
    dd_status status = dd_inertia_box(box.inertia, box.mass, 0.3, 0.2, 0.1);
    int wrong = 0;
    for (int axis = 0; axis < 3 && status == DD_OK; axis++) {
        double x[N] = {1, 0, 0, 0, 1e-3, 1e-3, 1e-3}, h0[3], h1[3], widest = 0, e[3] = {0, 0, 0}, seen[3];
        x[W + axis] = 5;
        e[axis] = 1;
        momentum(h0, box.inertia, x);
        const double energy = dd_body_kinetic_energy(&box, still, x + W), size = distance(h0, still);
        for (int i = 0; i < 10000 && status == DD_OK; i++) {
            status = step(x, box.inertia, 1e-3);
            dd_quat_rotate(seen, x + Q, e); /* where the edge points in space */
            const double along = (seen[0] * h0[0] + seen[1] * h0[1] + seen[2] * h0[2]) / size;
            widest = fmax(widest, acos(fmin(1, fmax(-1, along))));
        }
        momentum(h1, box.inertia, x);
        const double lost = fabs(dd_body_kinetic_energy(&box, still, x + W) / energy - 1),
                     turned = distance(h1, h0) / size;
        const int kept = lost < 1e-10 && turned < 1e-10;
        printf("thrown about the %-8s edge: comes away by %5.1f degrees; energy and momentum are %s to 1e-10\n",
               edge[axis], widest * 180 / 3.14159265358979, kept ? "kept" : "not kept");
        /* stable: stays within a degree; unstable: turns over */
        wrong |= !kept || (axis == 1 ? !(widest > 3) : !(widest < 0.02));
    }
    if (status != DD_OK) {
        fprintf(stderr, "%s\n", dd_status_text(status));
    }
    return wrong || status != DD_OK;
}
