/* Transistor amplifier: node voltages; capacitors between nodes make M singular and not diagonal. */
#include "../problem.h"

#include <math.h>

#define PI 3.141592653589793
static const double UB = 6, ALPHA = 0.99, BETA = 1e-6, UF = 0.026, R0 = 1000, R = 9000;

static double current(double u)
{
    return BETA * (exp(u / UF) - 1);
}

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)phase;
    const double g1 = current(y[1] - y[2]), g2 = current(y[4] - y[5]);
    f[0] = (y[0] - 0.1 * sin(200 * PI * t)) / R0;
    f[1] = y[1] / R + (y[1] - UB) / R + (1 - ALPHA) * g1;
    f[2] = y[2] / R - g1;
    f[3] = (y[3] - UB) / R + ALPHA * g1;
    f[4] = y[4] / R + (y[4] - UB) / R + (1 - ALPHA) * g2;
    f[5] = y[5] / R - g2;
    f[6] = (y[6] - UB) / R + ALPHA * g2;
    f[7] = y[7] / R;
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    static const double conductance[8] = {1 / 1000.0, 2 / 9000.0, 1 / 9000.0, 1 / 9000.0,
                                          2 / 9000.0, 1 / 9000.0, 1 / 9000.0, 1 / 9000.0};
    static const double share[3] = {1 - 0.99, -1, 0.99}; /* of a transistor's current in its three nodes */
    for (int i = 0; i < 8; i++) {
        ivp_add(j, i, i, conductance[i]);
    }
    for (int k = 0; k < 2; k++) {
        const int base = 1 + 3 * k;
        const double slope = BETA / UF * exp((y[base] - y[base + 1]) / UF);
        for (int i = 0; i < 3; i++) {
            ivp_add(j, base + i, base, share[i] * slope);
            ivp_add(j, base + i, base + 1, -share[i] * slope);
        }
    }
}

static const ivp_entry mass[] = {{0, 0, -1e-6}, {0, 1, 1e-6}, {1, 0, 1e-6}, {1, 1, -1e-6}, {2, 2, -2e-6},
                                 {3, 3, -3e-6}, {3, 4, 3e-6}, {4, 3, 3e-6}, {4, 4, -3e-6}, {5, 5, -4e-6},
                                 {6, 6, -5e-6}, {6, 7, 5e-6}, {7, 6, 5e-6}, {7, 7, -5e-6}};

/* y' from the differential rows and the time derivatives of the sums of rows 1+2, 4+5, 7+8, which are algebraic; all
 * transistor voltages are 0, so every slope is BETA/UF, and f1 = f4 = f8 = 0 gives equal rates at both ends of the
 * capacitors. */
static void start(double *y, double *yp)
{
    static const double y0[8] = {0, 3, 3, 6, 3, 3, 6, 0};
    const double slope = BETA / UF, ue_rate = 0.1 * 200 * PI;
    for (int i = 0; i < 8; i++) {
        y[i] = y0[i];
    }
    yp[2] = -(3 / R) / 2e-6;
    yp[0] = yp[1] = (ue_rate / R0 + (1 - ALPHA) * slope * yp[2]) / (1 / R0 + 2 / R + (1 - ALPHA) * slope);
    yp[5] = -(3 / R) / 4e-6;
    yp[3] = yp[4] = (-ALPHA * slope * (yp[1] - yp[2]) + (1 - ALPHA) * slope * yp[5]) / (3 / R + (1 - ALPHA) * slope);
    yp[6] = yp[7] = -ALPHA * slope * (yp[4] - yp[5]) / (2 / R);
}

extern const ivp_problem ivp_transamp;
const ivp_problem ivp_transamp = {.name = "transamp",
                                  .n = 8,
                                  .index = 1,
                                  .differential = 8,
                                  .n_mass = sizeof mass / sizeof *mass,
                                  .mass = mass,
                                  .stop = 0.2,
                                  .start = start,
                                  .rhs = rhs,
                                  .jacobian = jacobian};
