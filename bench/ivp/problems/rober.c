/* Robertson's reactions: as an ODE, and with the conservation law in place of the third balance. */
#include "../problem.h"

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    const double a = 0.04 * y[0], b = 1e4 * y[1] * y[2], c = 3e7 * y[1] * y[1];
    f[0] = -a + b;
    f[1] = a - b - c;
    f[2] = c;
}

static void rhs_dae(double t, int phase, const double *y, double *f)
{
    rhs(t, phase, y, f);
    f[2] = y[0] + y[1] + y[2] - 1;
}

static void first_rows(const double *y, ivp_matrix *j)
{
    ivp_add(j, 0, 0, -0.04);
    ivp_add(j, 0, 1, 1e4 * y[2]);
    ivp_add(j, 0, 2, 1e4 * y[1]);
    ivp_add(j, 1, 0, 0.04);
    ivp_add(j, 1, 1, -1e4 * y[2] - 6e7 * y[1]);
    ivp_add(j, 1, 2, -1e4 * y[1]);
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    first_rows(y, j);
    ivp_add(j, 2, 1, 6e7 * y[1]);
}

static void jacobian_dae(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    first_rows(y, j);
    for (int k = 0; k < 3; k++) {
        ivp_add(j, 2, k, 1);
    }
}

static void start(double *y, double *yp)
{
    y[0] = 1;
    y[1] = y[2] = 0;
    rhs(0, 0, y, yp); /* of the ODE: y3' too */
}

extern const ivp_problem ivp_rober, ivp_roberdae;
const ivp_problem ivp_rober = {
    .name = "rober", .n = 3, .differential = 3, .stop = 1e11, .start = start, .rhs = rhs, .jacobian = jacobian};
const ivp_problem ivp_roberdae = {.name = "roberdae",
                                  .n = 3,
                                  .index = 1,
                                  .differential = 2,
                                  .stop = 1e11,
                                  .start = start,
                                  .rhs = rhs_dae,
                                  .jacobian = jacobian_dae};
