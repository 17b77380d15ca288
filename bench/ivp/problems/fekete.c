/* 20 charges on a sphere: positions p (60), velocities q (60), multipliers lambda (20) and mu (20); index 2. */
#include "../problem.h"

#include <math.h>

enum { POINTS = 20, Q = 3 * POINTS, LAMBDA = 6 * POINTS, MU = 7 * POINTS };
#define PI 3.141592653589793

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    for (int i = 0; i < POINTS; i++) {
        const double *p = y + 3 * i, *q = y + Q + 3 * i;
        double norm = -1, along = 0;
        for (int k = 0; k < 3; k++) {
            f[3 * i + k] = q[k] + 2 * y[MU + i] * p[k];
            f[Q + 3 * i + k] = -q[k] / 2 + 2 * y[LAMBDA + i] * p[k];
            norm += p[k] * p[k];
            along += 2 * p[k] * q[k];
        }
        f[LAMBDA + i] = norm;
        f[MU + i] = along;
    }
    for (int i = 0; i < POINTS; i++) {
        for (int j = i + 1; j < POINTS; j++) {
            const double *a = y + 3 * i, *b = y + 3 * j;
            const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            for (int k = 0; k < 3; k++) {
                f[Q + 3 * i + k] += d[k] / r2;
                f[Q + 3 * j + k] -= d[k] / r2;
            }
        }
    }
}

static void single(const double *y, int i, ivp_matrix *m)
{
    for (int k = 0; k < 3; k++) {
        const int p = 3 * i + k, q = Q + p;
        ivp_add(m, p, q, 1);
        ivp_add(m, p, p, 2 * y[MU + i]);
        ivp_add(m, p, MU + i, 2 * y[p]);
        ivp_add(m, q, q, -0.5);
        ivp_add(m, q, p, 2 * y[LAMBDA + i]);
        ivp_add(m, q, LAMBDA + i, 2 * y[p]);
        ivp_add(m, LAMBDA + i, p, 2 * y[p]);
        ivp_add(m, MU + i, p, 2 * y[q]);
        ivp_add(m, MU + i, q, 2 * y[p]);
    }
}

static void pair(const double *y, int i, int j, ivp_matrix *m)
{
    const double *a = y + 3 * i, *b = y + 3 * j;
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            const double v = (k == l ? 1 / r2 : 0) - 2 * d[k] * d[l] / (r2 * r2);
            ivp_add(m, Q + 3 * i + k, 3 * i + l, v);
            ivp_add(m, Q + 3 * i + k, 3 * j + l, -v);
            ivp_add(m, Q + 3 * j + k, 3 * j + l, v);
            ivp_add(m, Q + 3 * j + k, 3 * i + l, -v);
        }
    }
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *m)
{
    (void)t, (void)phase;
    for (int i = 0; i < POINTS; i++) {
        single(y, i, m);
        for (int j = i + 1; j < POINTS; j++) {
            pair(y, i, j, m);
        }
    }
}

/* Rings of 3, 7, 6 and 4 points at rest. There p.force is 19/2, so lambda = -19/4, and only q' is not 0. */
static void start(double *y, double *yp)
{
    for (int i = 0; i < POINTS; i++) {
        const int k = i + 1;
        const double a = i < 3    ? 2 * PI * k / 3 + PI / 13
                         : i < 10 ? 2 * PI * (k - 3) / 7 + PI / 29
                         : i < 16 ? 2 * PI * (k - 10) / 6 + PI / 7
                                  : 2 * PI * (k - 17) / 4 + PI / 17;
        const double b = i < 3 ? 3 * PI / 8 : i < 10 ? PI / 8 : i < 16 ? -2 * PI / 15 : -3 * PI / 10;
        y[3 * i] = cos(a) * cos(b);
        y[3 * i + 1] = sin(a) * cos(b);
        y[3 * i + 2] = sin(b);
        y[Q + 3 * i] = y[Q + 3 * i + 1] = y[Q + 3 * i + 2] = 0;
        y[LAMBDA + i] = -(POINTS - 1) / 4.0;
        y[MU + i] = 0;
    }
    rhs(0, 0, y, yp);
    for (int i = LAMBDA; i < 8 * POINTS; i++) {
        yp[i] = 0;
    }
}

extern const ivp_problem ivp_fekete;
const ivp_problem ivp_fekete = {.name = "fekete",
                                .n = 8 * POINTS,
                                .index = 2,
                                .differential = 6 * POINTS,
                                .stop = 1000,
                                .start = start,
                                .rhs = rhs,
                                .jacobian = jacobian};
