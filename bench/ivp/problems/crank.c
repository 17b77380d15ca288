/* Slider crank with a flexible rod: positions (two angles, the slider, four deformations), velocities, accelerations and
 * three multipliers; constraints on velocities: index 2. The Jacobian is by complex steps, exact to rounding. */
#include "../problem.h"

#include <complex.h>
#include <tgmath.h>

enum { N = 24 };
static const double M2 = 0.151104, M3 = 0.075552, L1 = 0.15, L2 = 0.3, J1 = 0.002727, J2 = 0.0045339259, SPEED = 150,
                    RHO = 7870;
#define P 3.1415927 /* pi as in the published data */
#define FM (7870 * 0.008 * 0.008 * 0.3)
#define FK (0.2e12 * 0.008 * 0.008 / 0.3)
#define FB (0.008 * 0.008 * 0.3)
#define SLENDER ((0.008 / 0.3) * (0.008 / 0.3))
static const double K11 = FK * P * P * P * P / 24 * SLENDER, K22 = FK * P * P * P * P * 2 / 3 * SLENDER;
static const double B13 = -FB * 16 / (P * P * P), B14 = FB * (8 / (P * P * P) - 1 / P), B24 = FB * 0.5 / P;
static const double C13 = FB * 2 / 3, C14 = FB / 6, C21 = FB * 2 / P, C123 = 0.3 * FB / 3, C124 = 0.3 * FB / 6,
                    C211 = 0.3 * FB / P, C212 = -0.3 * FB * 0.5 / P;

#define T double
#define CRANK_RHS rhs_real
#include "crank_rhs.h"
#undef T
#undef CRANK_RHS
#define T double complex
#define CRANK_RHS rhs_complex
#include "crank_rhs.h"

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    rhs_real(y, f);
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    double complex z[N], f[N];
    for (int i = 0; i < N; i++) {
        z[i] = y[i];
    }
    for (int k = 0; k < N; k++) {
        z[k] = y[k] + 1e-100 * I;
        rhs_complex(z, f);
        z[k] = y[k];
        for (int i = 0; i < N; i++) {
            ivp_add(j, i, k, cimag(f[i]) / 1e-100);
        }
    }
}

static void start(double *y, double *yp)
{
    static const double y0[N] = {0,
                                 0,
                                 0.4500169327969,
                                 0,
                                 0,
                                 1.03339863e-5,
                                 1.69327969e-5,
                                 150,
                                 -74.99576703969453,
                                 -2.68938672e-6,
                                 0.444896105,
                                 4.63434311e-3,
                                 -1.78591076e-6,
                                 -2.68938672e-6,
                                 0,
                                 -1.3445415767203137e-3,
                                 -5062.194924724274,
                                 -6.82972536313249e-5,
                                 0,
                                 -4.268462973437412,
                                 0.2098336688527871,
                                 -6.552746561986755e-8,
                                 382.4589509527683,
                                 -4.6359378247728e-9};
    for (int i = 0; i < N; i++) {
        y[i] = y0[i];
        yp[i] = 0;
    }
    for (int i = 0; i < 14; i++) {
        yp[i] = y[7 + i];
    }
}

extern const ivp_problem ivp_crank;
const ivp_problem ivp_crank = {.name = "crank",
                               .n = N,
                               .index = 2,
                               .differential = 14,
                               .stop = 0.1,
                               .start = start,
                               .rhs = rhs,
                               .jacobian = jacobian};
