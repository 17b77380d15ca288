/* HIRES: eight reactants, y7 + y8 constant. */
#include "../problem.h"

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    const double r = 280 * y[5] * y[7];
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    f[1] = 1.71 * y[0] - 8.75 * y[1];
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    f[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    f[5] = -r + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    f[6] = r - 1.81 * y[6];
    f[7] = -f[6];
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    static const ivp_entry constant[] = {{0, 0, -1.71},  {0, 1, 0.43},   {0, 2, 8.32},  {1, 0, 1.71},  {1, 1, -8.75},
                                         {2, 2, -10.03}, {2, 3, 0.43},   {2, 4, 0.035}, {3, 1, 8.32},  {3, 2, 1.71},
                                         {3, 3, -1.12},  {4, 4, -1.745}, {4, 5, 0.43},  {4, 6, 0.43},  {5, 3, 0.69},
                                         {5, 4, 1.71},   {5, 5, -0.43},  {5, 6, 0.69},  {6, 6, -1.81}, {7, 6, 1.81}};
    (void)t, (void)phase;
    for (unsigned k = 0; k < sizeof constant / sizeof *constant; k++) {
        ivp_add(j, constant[k].row, constant[k].column, constant[k].value);
    }
    static const int sign[3] = {-1, 1, -1}; /* of r in rows 6, 7, 8 */
    for (int k = 0; k < 3; k++) {
        ivp_add(j, 5 + k, 5, sign[k] * 280 * y[7]);
        ivp_add(j, 5 + k, 7, sign[k] * 280 * y[5]);
    }
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < 8; i++) {
        y[i] = 0;
    }
    y[0] = 1;
    y[7] = 0.0057;
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_hires;
const ivp_problem ivp_hires = {
    .name = "hires", .n = 8, .differential = 8, .stop = 321.8122, .start = start, .rhs = rhs, .jacobian = jacobian};
