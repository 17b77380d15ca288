/* Elastic beam of 40 rigid pieces: th'' = C g + S w with C w = S g + th'^2, where C is tridiagonal with diagonal
 * (1, 2, .., 2, 3) and -cos(th_{l+1} - th_l) beside it, S antisymmetric with sin(th_{l+1} - th_l) above its diagonal, and
 * g_l = N^4 (th_{l-1} - 2 th_l + th_{l+1}) + N^2 F (cos th_l + sin th_l). The force F ends at t = pi. */
#include "../problem.h"

#include <math.h>

enum { N = 40 };
#define PI 3.141592653589793
static const double N2 = N * N, N4 = (double)N * N * N * N;

typedef struct beam {
    double force;
    double sine[N], cosine[N];  /* of th_l */
    double c[N - 1], s[N - 1];  /* cos and sin of th_{l+1} - th_l */
    double pivot[N], factor[N]; /* L D L' of C */
    double g[N], w[N];
} beam;

static double diagonal(int l)
{
    return l == 0 ? 1 : l == N - 1 ? 3 : 2;
}

/* x := C^-1 x */
static void solve(const beam *b, double *x)
{
    for (int l = 1; l < N; l++) {
        x[l] -= b->factor[l] * x[l - 1];
    }
    x[N - 1] /= b->pivot[N - 1];
    for (int l = N - 2; l >= 0; l--) {
        x[l] = x[l] / b->pivot[l] - b->factor[l + 1] * x[l + 1];
    }
}

/* out += C a + S b */
static void apply(const beam *b, const double *a, const double *d, double *out)
{
    for (int l = 0; l < N; l++) {
        out[l] += diagonal(l) * a[l];
    }
    for (int l = 0; l < N - 1; l++) {
        out[l] += -b->c[l] * a[l + 1] + b->s[l] * d[l + 1];
        out[l + 1] += -b->c[l] * a[l] - b->s[l] * d[l];
    }
}

static void prepare(double t, int phase, const double *y, beam *b)
{
    const double *th = y, *om = y + N;
    const double sin_t = sin(t);
    b->force = phase == 0 ? 1.5 * sin_t * sin_t : 0;
    for (int l = 0; l < N; l++) {
        b->sine[l] = sin(th[l]);
        b->cosine[l] = cos(th[l]);
        b->g[l] = N4 * ((l == 0 ? -th[0] : th[l - 1]) - 2 * th[l] + (l == N - 1 ? th[l] : th[l + 1])) +
                  N2 * b->force * (b->cosine[l] + b->sine[l]);
    }
    for (int l = 0; l < N - 1; l++) {
        b->c[l] = b->cosine[l + 1] * b->cosine[l] + b->sine[l + 1] * b->sine[l];
        b->s[l] = b->sine[l + 1] * b->cosine[l] - b->cosine[l + 1] * b->sine[l];
    }
    b->pivot[0] = diagonal(0);
    for (int l = 1; l < N; l++) {
        b->factor[l] = -b->c[l - 1] / b->pivot[l - 1];
        b->pivot[l] = diagonal(l) + b->factor[l] * b->c[l - 1];
    }
    for (int l = 0; l < N; l++) {
        b->w[l] = om[l] * om[l];
    }
    for (int l = 0; l < N - 1; l++) {
        b->w[l] += b->s[l] * b->g[l + 1];
        b->w[l + 1] -= b->s[l] * b->g[l];
    }
    solve(b, b->w);
}

static void rhs(double t, int phase, const double *y, double *f)
{
    beam b;
    prepare(t, phase, y, &b);
    for (int l = 0; l < N; l++) {
        f[l] = y[N + l];
        f[N + l] = 0;
    }
    apply(&b, b.g, b.w, f + N);
}

/* out += dC a + dS d, where the angle between l and l + 1 grows at rate `rate` */
static void apply_rate(const beam *b, int l, double rate, const double *a, const double *d, double *out)
{
    const double dc = -b->s[l] * rate, ds = b->c[l] * rate;
    out[l] += -dc * a[l + 1] + ds * d[l + 1];
    out[l + 1] += -dc * a[l] - ds * d[l];
}

/* Column of th'' with respect to th_k. */
static void angle_column(const beam *b, int k, double *column)
{
    static const double zero[N];
    double dg[N] = {0}, dw[N] = {0}, minus_w[N];
    for (int l = 0; l < N; l++) {
        column[l] = 0;
        minus_w[l] = -b->w[l];
    }
    dg[k] = N4 * (k == 0 ? -3 : k == N - 1 ? -1 : -2) + N2 * b->force * (b->cosine[k] - b->sine[k]);
    /* C dw = S dg + dS g - dC w */
    if (k > 0) {
        dg[k - 1] = N4;
        apply_rate(b, k - 1, 1, minus_w, b->g, dw);
        apply_rate(b, k - 1, 1, b->g, b->w, column);
    }
    if (k < N - 1) {
        dg[k + 1] = N4;
        apply_rate(b, k, -1, minus_w, b->g, dw);
        apply_rate(b, k, -1, b->g, b->w, column);
    }
    apply(b, zero, dg, dw);
    solve(b, dw);
    apply(b, dg, dw, column);
}

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    static const double zero[N];
    beam b;
    prepare(t, phase, y, &b);
    for (int k = 0; k < N; k++) {
        double by_angle[N], by_speed[N] = {0}, dw[N] = {0};
        angle_column(&b, k, by_angle);
        dw[k] = 2 * y[N + k];
        solve(&b, dw);
        apply(&b, zero, dw, by_speed);
        ivp_add(j, k, N + k, 1);
        for (int l = 0; l < N; l++) {
            ivp_add(j, N + l, k, by_angle[l]);
            ivp_add(j, N + l, N + k, by_speed[l]);
        }
    }
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < 2 * N; i++) {
        y[i] = 0;
    }
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_beam;
const ivp_problem ivp_beam = {.name = "beam",
                              .n = 2 * N,
                              .differential = 2 * N,
                              .stop = 5,
                              .split = PI,
                              .start = start,
                              .rhs = rhs,
                              .jacobian = jacobian};
