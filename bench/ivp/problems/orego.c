/* The Oregonator. */
#include "../problem.h"

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    f[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
    f[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
    f[2] = 0.161 * (y[0] - y[2]);
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    ivp_add(j, 0, 0, 77.27 * (1 - 2 * 8.375e-6 * y[0] - y[1]));
    ivp_add(j, 0, 1, 77.27 * (1 - y[0]));
    ivp_add(j, 1, 0, -y[1] / 77.27);
    ivp_add(j, 1, 1, -(1 + y[0]) / 77.27);
    ivp_add(j, 1, 2, 1 / 77.27);
    ivp_add(j, 2, 0, 0.161);
    ivp_add(j, 2, 2, -0.161);
}

static void start(double *y, double *yp)
{
    y[0] = 1;
    y[1] = 2;
    y[2] = 3;
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_orego;
const ivp_problem ivp_orego = {
    .name = "orego", .n = 3, .differential = 3, .stop = 360, .start = start, .rhs = rhs, .jacobian = jacobian};
