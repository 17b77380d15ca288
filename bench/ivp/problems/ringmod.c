/* Ring modulator: a circuit with four diodes, driven by two tones. */
#include "../problem.h"

#include <math.h>

#define PI 3.141592653589793
static const double C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, R = 25000, Rp = 50, Lh = 4.45, Ls1 = 0.002, Ls2 = 5e-4,
                    Ls3 = 5e-4, Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600, GAMMA = 40.67286402e-9,
                    DELTA = 17.7493332;

/* exp(DELTA D_k) of the four diode voltages */
static void diodes(double t, const double *y, double e[4])
{
    const double u2 = 2 * sin(20000 * PI * t);
    e[0] = exp(DELTA * (y[2] - y[4] - y[6] - u2));
    e[1] = exp(DELTA * (-y[3] + y[5] - y[6] - u2));
    e[2] = exp(DELTA * (y[3] + y[4] + y[6] + u2));
    e[3] = exp(DELTA * (-y[2] - y[5] + y[6] + u2));
}

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)phase;
    double e[4];
    diodes(t, y, e);
    const double q1 = GAMMA * (e[0] - 1), q2 = GAMMA * (e[1] - 1), q3 = GAMMA * (e[2] - 1), q4 = GAMMA * (e[3] - 1);
    f[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / R) / C;
    f[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / R) / C;
    f[2] = (y[9] - q1 + q4) / Cs;
    f[3] = (-y[10] + q2 - q3) / Cs;
    f[4] = (y[11] + q1 - q3) / Cs;
    f[5] = (-y[12] - q2 + q4) / Cs;
    f[6] = (-y[6] / Rp + q1 + q2 - q3 - q4) / Cp;
    f[7] = -y[0] / Lh;
    f[8] = -y[1] / Lh;
    f[9] = (0.5 * y[0] - y[2] - Rg2 * y[9]) / Ls2;
    f[10] = (-0.5 * y[0] + y[3] - Rg3 * y[10]) / Ls3;
    f[11] = (0.5 * y[1] - y[4] - Rg2 * y[11]) / Ls2;
    f[12] = (-0.5 * y[1] + y[5] - Rg3 * y[12]) / Ls3;
    f[13] = (-y[0] + 0.5 * sin(2000 * PI * t) - (Ri + Rg1) * y[13]) / Ls1;
    f[14] = (-y[1] - (Rc + Rg1) * y[14]) / Ls1;
}

static void diode_part(const double e[4], ivp_matrix *j)
{
    /* diode k: the voltages it depends on with their signs, the rows it enters with its sign there */
    static const struct {
        signed char voltage[3], sign[3], row[3], enters[3];
    } diode[4] = {
        {{2, 4, 6}, {1, -1, -1}, {2, 4, 6}, {-1, 1, 1}},
        {{3, 5, 6}, {-1, 1, -1}, {3, 5, 6}, {1, -1, 1}},
        {{3, 4, 6}, {1, 1, 1}, {3, 4, 6}, {-1, -1, -1}},
        {{2, 5, 6}, {-1, -1, 1}, {2, 5, 6}, {1, 1, -1}},
    };
    for (int k = 0; k < 4; k++) {
        const double g = GAMMA * DELTA * e[k];
        for (int i = 0; i < 3; i++) {
            const double capacity = diode[k].row[i] == 6 ? Cp : Cs;
            for (int l = 0; l < 3; l++) {
                ivp_add(j, diode[k].row[i], diode[k].voltage[l], diode[k].enters[i] * diode[k].sign[l] * g / capacity);
            }
        }
    }
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)phase;
    double e[4];
    diodes(t, y, e);
    diode_part(e, j);
    const ivp_entry linear[] = {{0, 7, 1 / C},
                                {0, 9, -0.5 / C},
                                {0, 10, 0.5 / C},
                                {0, 13, 1 / C},
                                {0, 0, -1 / (R * C)},
                                {1, 8, 1 / C},
                                {1, 11, -0.5 / C},
                                {1, 12, 0.5 / C},
                                {1, 14, 1 / C},
                                {1, 1, -1 / (R * C)},
                                {2, 9, 1 / Cs},
                                {3, 10, -1 / Cs},
                                {4, 11, 1 / Cs},
                                {5, 12, -1 / Cs},
                                {6, 6, -1 / (Rp * Cp)},
                                {7, 0, -1 / Lh},
                                {8, 1, -1 / Lh},
                                {9, 0, 0.5 / Ls2},
                                {9, 2, -1 / Ls2},
                                {9, 9, -Rg2 / Ls2},
                                {10, 0, -0.5 / Ls3},
                                {10, 3, 1 / Ls3},
                                {10, 10, -Rg3 / Ls3},
                                {11, 1, 0.5 / Ls2},
                                {11, 4, -1 / Ls2},
                                {11, 11, -Rg2 / Ls2},
                                {12, 1, -0.5 / Ls3},
                                {12, 5, 1 / Ls3},
                                {12, 12, -Rg3 / Ls3},
                                {13, 0, -1 / Ls1},
                                {13, 13, -(Ri + Rg1) / Ls1},
                                {14, 1, -1 / Ls1},
                                {14, 14, -(Rc + Rg1) / Ls1}};
    for (unsigned k = 0; k < sizeof linear / sizeof *linear; k++) {
        ivp_add(j, linear[k].row, linear[k].column, linear[k].value);
    }
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < 15; i++) {
        y[i] = 0;
    }
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_ringmod;
const ivp_problem ivp_ringmod = {
    .name = "ringmod", .n = 15, .differential = 15, .stop = 1e-3, .start = start, .rhs = rhs, .jacobian = jacobian};
