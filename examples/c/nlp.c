/* nlp.c - a nonlinear program by functions: the largest box inside an ellipsoid.
 *
 *     min -8 x y z   subject to   (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1,   x, y, z >= 0
 *
 * has its solution at (a, b, c)/sqrt(3), with the multiplier 4 a b c/sqrt(3): how much volume a larger right side would
 * give. Then the box must not be longer than 1, and the second solve begins at the first solution.
 *
 *     cc nlp.c $(pkg-config --cflags --libs daedal) -lm -o nlp
 */
#include <daedal/nlp.h>
#include <math.h>
#include <stdio.h>

static const double axis[3] = {3, 2, 1};

static int volume(void *user, const double *x, bool new_x, double *f)
{
    (void)user, (void)new_x;
    *f = -8 * x[0] * x[1] * x[2];
    return 0; /* > 0: there is no value here, < 0: stop */
}

static int slope(void *user, const double *x, bool new_x, double *g)
{
    (void)user, (void)new_x;
    g[0] = -8 * x[1] * x[2];
    g[1] = -8 * x[0] * x[2];
    g[2] = -8 * x[0] * x[1];
    return 0;
}

static int ellipsoid(void *user, const double *x, bool new_x, double *c)
{
    (void)user, (void)new_x;
    c[0] = 0;
    for (int i = 0; i < 3; i++) {
        c[0] += x[i] * x[i] / (axis[i] * axis[i]);
    }
    return 0;
}

static int normal(void *user, const double *x, bool new_x, double *values)
{
    (void)user, (void)new_x;
    for (int i = 0; i < 3; i++) {
        values[i] = 2 * x[i] / (axis[i] * axis[i]);
    }
    return 0;
}

/* Second derivatives of sigma f + lambda c, in the order of the places below. */
static int curvature(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    (void)user, (void)new_x;
    for (int i = 0; i < 3; i++) {
        values[i] = 2 * lambda[0] / (axis[i] * axis[i]);
    }
    values[3] = -8 * sigma * x[2];
    values[4] = -8 * sigma * x[1];
    values[5] = -8 * sigma * x[0];
    return 0;
}

/* The whole program: sizes, bounds, places of derivatives, functions. */
static dd_status make(dd_nlprog **out, dd_context *ctx)
{
    static const double lower[] = {0, 0, 0}, most[] = {1};
    static const uint32_t row[] = {0, 0, 0}, col[] = {0, 1, 2};
    static const uint32_t below[] = {0, 1, 2, 1, 2, 2}, left[] = {0, 1, 2, 0, 0, 1};
    static const char *const sides[] = {"length", "width", "height"}, *const rows[] = {"ellipsoid"};
    const dd_nlprog_functions functions = {.n = 3,
                                           .m = 1,
                                           .x_lower = lower,
                                           .c_upper = most,
                                           .jacobian_nnz = 3,
                                           .hessian_nnz = 6,
                                           .jacobian_row = row,
                                           .jacobian_col = col,
                                           .hessian_row = below,
                                           .hessian_col = left,
                                           .objective = volume,
                                           .gradient = slope,
                                           .constraints = ellipsoid,
                                           .jacobian = normal,
                                           .hessian = curvature,
                                           .x_names = sides,
                                           .c_names = rows};
    return dd_nlprog_new(out, ctx, &functions);
}

/* Prints the solution; returns how far the volume is from the expected one, relatively. */
static double show(const dd_nlprog *p, double expected)
{
    const dd_nlprog_info info = dd_nlprog_get_info(p);
    printf("%s after %u iterations of %s %s\n", dd_nlp_status_name(info.status), info.iterations, info.solver,
           info.reason);
    for (uint32_t i = 0; i < 3; i++) {
        printf("  %-7s %.8f\n", dd_nlprog_variable_name(p, i), dd_nlprog_x(p)[i]);
    }
    printf("  volume  %.8f, and %.4f more for a larger ellipsoid\n", -info.objective, dd_nlprog_lambda(p)[0]);
    return info.status == DD_NLP_OPTIMAL ? fabs(-info.objective / expected - 1) : INFINITY;
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_nlprog *p = NULL;
    double error = 0;
    dd_status status = dd_context_new(&ctx, NULL);
    if (status == DD_OK) {
        status = make(&p, ctx);
    }
    /* from a point inside */
    if (status == DD_OK) {
        static const double start[] = {0.5, 0.5, 0.5};
        status = dd_nlprog_solve(p, start, NULL);
    }
    if (status == DD_OK) {
        error = show(p, 8 * axis[0] * axis[1] * axis[2] / (3 * sqrt(3)));
        error = fmax(error, fabs(dd_nlprog_lambda(p)[0] / (4 * axis[0] * axis[1] * axis[2] / sqrt(3)) - 1));
        static const double upper[] = {1, INFINITY, INFINITY};
        status = dd_nlprog_set_bounds(p, NULL, upper, NULL, NULL);
    }
    /* from where it is, with its multipliers */
    if (status == DD_OK) {
        dd_nlprog_options options = dd_nlprog_options_default();
        options.warm = true;
        options.barrier = 1e-3;
        status = dd_nlprog_solve(p, NULL, &options);
    }
    if (status == DD_OK) { /* the ellipse that is left has half-axes b, c times sqrt(1 - 1/a^2) */
        error = fmax(error, show(p, 4 * axis[1] * axis[2] * (1 - 1 / (axis[0] * axis[0]))));
    } else {
        fprintf(stderr, "%s\n", ctx ? dd_context_message(ctx) : dd_status_text(status));
    }
    dd_nlprog_free(p);
    dd_context_free(ctx);
    return status != DD_OK || !(error < 1e-6);
}
