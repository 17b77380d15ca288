/* Car axis: positions (xl, yl, xr, yr), velocities, two multipliers; index 3. */
#include "../problem.h"

#include <math.h>

static const double K = 5e-4, L = 1, L0 = 0.5, G = 1;

static void road(double t, double *xb, double *yb)
{
    *yb = 0.1 * sin(10 * t);
    *xb = sqrt(L * L - *yb * *yb);
}

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)phase;
    double xb, yb;
    road(t, &xb, &yb);
    const double xl = y[0], yl = y[1], xr = y[2], yr = y[3], l1 = y[8], l2 = y[9];
    const double left = L0 / sqrt(xl * xl + yl * yl) - 1;
    const double right = L0 / sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb)) - 1;
    for (int i = 0; i < 4; i++) {
        f[i] = y[4 + i];
    }
    f[4] = (left * xl + l1 * xb + 2 * l2 * (xl - xr)) / K;
    f[5] = (left * yl + l1 * yb + 2 * l2 * (yl - yr)) / K - G;
    f[6] = (right * (xr - xb) - 2 * l2 * (xl - xr)) / K;
    f[7] = (right * (yr - yb) - 2 * l2 * (yl - yr)) / K - G;
    f[8] = xl * xb + yl * yb;
    f[9] = (xl - xr) * (xl - xr) + (yl - yr) * (yl - yr) - L * L;
}

/* d/d(x, y) of (L0/r - 1) (x, y)/K into rows and columns from `at` */
static void spring(double x, double y, int at, ivp_matrix *j)
{
    const double r2 = x * x + y * y, r = sqrt(r2), a = (L0 / r - 1) / K, b = L0 / (r2 * r) / K;
    ivp_add(j, 4 + at, at, a - b * x * x);
    ivp_add(j, 4 + at, at + 1, -b * x * y);
    ivp_add(j, 5 + at, at, -b * x * y);
    ivp_add(j, 5 + at, at + 1, a - b * y * y);
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)phase;
    double b[2];
    road(t, &b[0], &b[1]);
    spring(y[0], y[1], 0, j);
    spring(y[2] - b[0], y[3] - b[1], 2, j);
    for (int i = 0; i < 4; i++) {
        ivp_add(j, i, 4 + i, 1);
    }
    for (int i = 0; i < 2; i++) {
        const double d = y[i] - y[2 + i], stiff = 2 * y[9] / K;
        ivp_add(j, 4 + i, i, stiff);
        ivp_add(j, 4 + i, 2 + i, -stiff);
        ivp_add(j, 6 + i, i, -stiff);
        ivp_add(j, 6 + i, 2 + i, stiff);
        ivp_add(j, 4 + i, 8, b[i] / K);
        ivp_add(j, 4 + i, 9, 2 * d / K);
        ivp_add(j, 6 + i, 9, -2 * d / K);
        ivp_add(j, 8, i, b[i]);
        ivp_add(j, 9, i, 2 * d);
        ivp_add(j, 9, 2 + i, -2 * d);
    }
}

static void start(double *y, double *yp)
{
    static const double y0[10] = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0};
    for (int i = 0; i < 10; i++) {
        y[i] = y0[i];
    }
    rhs(0, 0, y, yp);
    yp[8] = yp[9] = 0;
}

extern const ivp_problem ivp_caraxis;
const ivp_problem ivp_caraxis = {.name = "caraxis",
                                 .n = 10,
                                 .index = 3,
                                 .differential = 8,
                                 .stop = 3,
                                 .start = start,
                                 .rhs = rhs,
                                 .jacobian = jacobian};
