/* Akzo Nobel's chemical reactions: five balances and one equilibrium. */
#include "../problem.h"

#include <math.h>

static const double KS = 115.83, K1 = 18.7, K2 = 0.58, K3 = 0.58 / 34.4, K4 = 0.09, K5 = 0.42;

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    const double s = sqrt(y[1]), squared = y[0] * y[0];
    const double r1 = K1 * squared * squared * s, r2 = K2 * y[2] * y[3], r3 = K3 * y[0] * y[4];
    const double r4 = K4 * y[0] * y[3] * y[3], r5 = K5 * y[5] * y[5] * s, inflow = 3.3 * (0.9 / 737 - y[1]);
    f[0] = -2 * r1 + r2 - r3 - r4;
    f[1] = -0.5 * r1 - r4 - 0.5 * r5 + inflow;
    f[2] = r1 - r2 + r3;
    f[3] = -r2 + r3 - 2 * r4;
    f[4] = r2 - r3 + r5;
    f[5] = KS * y[0] * y[3] - y[5];
}

/* what one unit of the rates r1 .. r5 adds to the five balances */
static const double effect[5][5] = {
    {-2, -0.5, 1, 0, 0}, {1, 0, -1, -1, 1}, {-1, 0, 1, 1, -1}, {-1, -1, 0, -2, 0}, {0, -0.5, 0, 0, 1}};

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    const double s = sqrt(y[1]), cubed = y[0] * y[0] * y[0];
    const ivp_entry rate[] = {{0, 0, 4 * K1 * cubed * s},
                              {0, 1, 0.5 * K1 * cubed * y[0] / s},
                              {1, 2, K2 * y[3]},
                              {1, 3, K2 * y[2]},
                              {2, 0, K3 * y[4]},
                              {2, 4, K3 * y[0]},
                              {3, 0, K4 * y[3] * y[3]},
                              {3, 3, 2 * K4 * y[0] * y[3]},
                              {4, 1, 0.5 * K5 * y[5] * y[5] / s},
                              {4, 5, 2 * K5 * y[5] * s}};
    for (unsigned k = 0; k < sizeof rate / sizeof *rate; k++) {
        for (int i = 0; i < 5; i++) {
            ivp_add(j, i, rate[k].column, effect[rate[k].row][i] * rate[k].value);
        }
    }
    ivp_add(j, 1, 1, -3.3);
    ivp_add(j, 5, 0, KS * y[3]);
    ivp_add(j, 5, 3, KS * y[0]);
    ivp_add(j, 5, 5, -1);
}

static void start(double *y, double *yp)
{
    y[0] = 0.444;
    y[1] = 0.00123;
    y[2] = y[4] = 0;
    y[3] = 0.007;
    y[5] = KS * y[0] * y[3];
    rhs(0, 0, y, yp);
    yp[5] = KS * (yp[0] * y[3] + y[0] * yp[3]);
}

extern const ivp_problem ivp_chemakzo;
const ivp_problem ivp_chemakzo = {.name = "chemakzo",
                                  .n = 6,
                                  .index = 1,
                                  .differential = 5,
                                  .stop = 180,
                                  .start = start,
                                  .rhs = rhs,
                                  .jacobian = jacobian};
