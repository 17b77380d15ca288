/* Reaction and transport in 200 cells (Akzo Nobel, medical): u and v interleaved, two diagonals on each side; the supply
 * ends at t = 5. */
#include "../problem.h"

enum { CELLS = 200 };
static const double DZ = 1.0 / CELLS, K = 100;

/* coefficients of u_{j-1}, u_j, u_{j+1} in cell j = 1 .. CELLS - 1 */
static void transport(int j, double *left, double *middle, double *right)
{
    const double z = j * DZ - 1, a = z * z * z / 8 / (2 * DZ), b = z * z * z * z / 16 / (DZ * DZ);
    *left = b - a;
    *middle = -2 * b;
    *right = b + a;
}

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t;
    for (int j = 1; j <= CELLS; j++) {
        const double *u = y + 2 * (j - 1);
        const double reaction = K * u[0] * u[1];
        f[2 * j - 2] = f[2 * j - 1] = -reaction;
        if (j < CELLS) {
            double left, middle, right;
            transport(j, &left, &middle, &right);
            f[2 * j - 2] += left * (j > 1 ? u[-2] : phase == 0 ? 2 : 0) + middle * u[0] + right * u[2];
        }
    }
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *m)
{
    (void)t, (void)phase;
    for (int j = 1; j <= CELLS; j++) {
        const int u = 2 * j - 2, v = u + 1;
        for (int row = u; row <= v; row++) {
            ivp_add(m, row, u, -K * y[v]);
            ivp_add(m, row, v, -K * y[u]);
        }
        if (j < CELLS) {
            double left, middle, right;
            transport(j, &left, &middle, &right);
            ivp_add(m, u, u, middle);
            ivp_add(m, u, u + 2, right);
            if (j > 1) {
                ivp_add(m, u, u - 2, left);
            }
        }
    }
}

static void start(double *y, double *yp)
{
    for (int j = 0; j < CELLS; j++) {
        y[2 * j] = 0;
        y[2 * j + 1] = 1;
    }
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_medakzo;
const ivp_problem ivp_medakzo = {.name = "medakzo",
                                 .n = 2 * CELLS,
                                 .differential = 2 * CELLS,
                                 .band = 2,
                                 .stop = 20,
                                 .split = 5,
                                 .start = start,
                                 .rhs = rhs,
                                 .jacobian = jacobian};
