/* Jay's problem of index 3 (y1, y2, z1, z2, u): y1 = z1 = exp(2 t), y2 = z2 = exp(-t), u = exp(t). */
#include "../problem.h"

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    const double y1 = y[0], y2 = y[1], z1 = y[2], z2 = y[3], u = y[4];
    f[0] = 2 * y1 * y2 * z1 * z2;
    f[1] = -y1 * y2 * z2 * z2;
    f[2] = (y1 * y2 + z1 * z2) * u;
    f[3] = -y1 * y2 * y2 * z2 * z2 * u;
    f[4] = y1 * y2 * y2 - 1;
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    const double y1 = y[0], y2 = y[1], z1 = y[2], z2 = y[3], u = y[4];
    const double row[5][5] = {
        {2 * y2 * z1 * z2, 2 * y1 * z1 * z2, 2 * y1 * y2 * z2, 2 * y1 * y2 * z1, 0},
        {-y2 * z2 * z2, -y1 * z2 * z2, 0, -2 * y1 * y2 * z2, 0},
        {y2 * u, y1 * u, z2 * u, z1 * u, y1 * y2 + z1 * z2},
        {-y2 * y2 * z2 * z2 * u, -2 * y1 * y2 * z2 * z2 * u, 0, -2 * y1 * y2 * y2 * z2 * u, -y1 * y2 * y2 * z2 * z2},
        {y2 * y2, 2 * y1 * y2, 0, 0, 0}};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            ivp_add(j, i, k, row[i][k]);
        }
    }
}

static void start(double *y, double *yp)
{
    static const double rate[5] = {2, -1, 2, -1, 1};
    for (int i = 0; i < 5; i++) {
        y[i] = 1;
        yp[i] = rate[i];
    }
}

extern const ivp_problem ivp_jay3;
const ivp_problem ivp_jay3 = {
    .name = "jay3", .n = 5, .index = 3, .differential = 4, .stop = 1, .start = start, .rhs = rhs, .jacobian = jacobian};
