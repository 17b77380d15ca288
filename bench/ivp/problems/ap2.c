/* Ascher and Petzold's linear problem of index 2: x1 = x2 = exp(t), z = -exp(t)/(2 - t). */
#include "../problem.h"

#include <math.h>

static const double A = 10;

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)phase;
    const double e = exp(t);
    f[0] = (A - 1 / (2 - t)) * y[0] + (2 - t) * A * y[2] + (3 - t) / (2 - t) * e;
    f[1] = (1 - A) / (t - 2) * y[0] - y[1] + (A - 1) * y[2] + 2 * e;
    f[2] = (t + 2) * y[0] + (t * t - 4) * y[1] - (t * t + t - 2) * e;
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)phase, (void)y;
    ivp_add(j, 0, 0, A - 1 / (2 - t));
    ivp_add(j, 0, 2, (2 - t) * A);
    ivp_add(j, 1, 0, (1 - A) / (t - 2));
    ivp_add(j, 1, 1, -1);
    ivp_add(j, 1, 2, A - 1);
    ivp_add(j, 2, 0, t + 2);
    ivp_add(j, 2, 1, t * t - 4);
}

static void start(double *y, double *yp)
{
    y[0] = y[1] = yp[0] = yp[1] = 1;
    y[2] = -0.5;
    yp[2] = -0.75;
}

extern const ivp_problem ivp_ap2;
const ivp_problem ivp_ap2 = {
    .name = "ap2", .n = 3, .index = 2, .differential = 2, .stop = 1, .start = start, .rhs = rhs, .jacobian = jacobian};
