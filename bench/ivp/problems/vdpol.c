/* Van der Pol's oscillator, mu = 1000: y1' = y2, y2' = mu (1 - y1^2) y2 - y1. */
#include "../problem.h"

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    f[0] = y[1];
    f[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    ivp_add(j, 0, 1, 1);
    ivp_add(j, 1, 0, -2000 * y[0] * y[1] - 1);
    ivp_add(j, 1, 1, 1000 * (1 - y[0] * y[0]));
}

static void start(double *y, double *yp)
{
    y[0] = 2;
    y[1] = 0;
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_vdpol;
const ivp_problem ivp_vdpol = {
    .name = "vdpol", .n = 2, .differential = 2, .stop = 2000, .start = start, .rhs = rhs, .jacobian = jacobian};
