/* The pendulum in Cartesian coordinates (x, y, u, v, lambda), index 3, and stabilised with a second multiplier, index 2. */
#include "../problem.h"

static const double G = 9.81;

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -2 * y[0] * y[4];
    f[3] = -2 * y[1] * y[4] - G;
    f[4] = y[0] * y[0] + y[1] * y[1] - 1;
}

static void rhs_ggl(double t, int phase, const double *y, double *f)
{
    rhs(t, phase, y, f);
    f[0] -= 2 * y[0] * y[5];
    f[1] -= 2 * y[1] * y[5];
    f[5] = y[0] * y[2] + y[1] * y[3];
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    for (int k = 0; k < 2; k++) {
        ivp_add(j, k, 2 + k, 1);
        ivp_add(j, 2 + k, k, -2 * y[4]);
        ivp_add(j, 2 + k, 4, -2 * y[k]);
        ivp_add(j, 4, k, 2 * y[k]);
    }
}

static void jacobian_ggl(double t, int phase, const double *y, ivp_matrix *j)
{
    jacobian(t, phase, y, j);
    for (int k = 0; k < 2; k++) {
        ivp_add(j, k, k, -2 * y[5]);
        ivp_add(j, k, 5, -2 * y[k]);
        ivp_add(j, 5, k, y[2 + k]);
        ivp_add(j, 5, 2 + k, y[k]);
    }
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < 5; i++) {
        y[i] = yp[i] = 0;
    }
    y[0] = 1;
    yp[3] = -G;
}

static void start_ggl(double *y, double *yp)
{
    start(y, yp);
    y[5] = yp[5] = 0;
}

extern const ivp_problem ivp_pend3, ivp_pend2ggl;
const ivp_problem ivp_pend3 = {.name = "pend3",
                               .n = 5,
                               .index = 3,
                               .differential = 4,
                               .stop = 10,
                               .start = start,
                               .rhs = rhs,
                               .jacobian = jacobian};
const ivp_problem ivp_pend2ggl = {.name = "pend2ggl",
                                  .n = 6,
                                  .index = 2,
                                  .differential = 4,
                                  .stop = 10,
                                  .start = start_ggl,
                                  .rhs = rhs_ggl,
                                  .jacobian = jacobian_ggl};
