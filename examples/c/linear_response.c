/* linear_response.c - a model near a point as a linear system, and its response by the matrix exponential.
 *
 * A stirred tank with a fast equilibrium between two species is a DAE of index 2. Near a point of its solution it is
 *
 *     x' = r + A (x - x0) + B (u - u0),     y = y0 + C (x - x0) + D (u - u0)
 *
 * in three states. Here the point is one of rest, r = 0. After a step of the input the linear system is at  x0 + e^(A t) dx + ...  exactly; the program compares
 * this with a simulation of the nonlinear model: for a step half as large the difference is a quarter.
 *
 *     cc linear_response.c $(pkg-config --cflags --libs daedal) -o linear_response
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const TEXT =
    "model Tank\n"
    "  parameter Real CA0 = 1, Keq = 2, k2 = 0.7;\n"
    "  input Real Fa, F;\n"
    "  Real V(start = 2, fixed = true), CA(start = 0.5/2.9, fixed = true), CB(start = 0.3);\n"
    "  Real CC(start = 1.4/2.9, fixed = true), R1, R2;\n"
    "  output Real product = CC*V;\n"
    "equation\n"
    "  der(V) = Fa - F;\n"
    "  der(CA) = Fa/V*(CA0 - CA) - R1;\n"
    "  der(CB) = -Fa/V*CB + R1 - R2;\n"
    "  der(CC) = -Fa/V*CC + R2;\n"
    "  0 = CA - CB/Keq;\n"
    "  0 = R2 - k2*CB;\n"
    "end Tank;\n";

typedef struct tank {
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
} tank;

/* The tank with constant inflow Fa and outflow 1, ready to run to `stop`. */
static dd_status make(tank *t, dd_context *ctx, double inflow, double stop)
{
    char setting[40];
    snprintf(setting, sizeof setting, "Fa=%.17g", inflow);
    const char *settings[] = {setting, "F=1"};
    dd_load_options load = dd_load_options_default();
    load.settings = settings;
    load.n_settings = 2;
    dd_status status = dd_model_load_text(&t->model, ctx, "tank.mo", TEXT, strlen(TEXT), &load);
    if (status == DD_OK) {
        status = dd_model_analyse(&t->system, t->model, NULL);
    }
    dd_sim_options options = dd_sim_options_default();
    options.has_stop = true;
    options.stop = stop;
    options.tol = 1e-11;
    return status == DD_OK ? dd_sim_new(&t->sim, t->system, &options) : status;
}

static void end(tank *t)
{
    dd_sim_free(t->sim);
    dd_system_free(t->system);
    dd_model_free(t->model);
}

/* The product after 3 time units of the nonlinear model with inflow 1 + step. */
static dd_status simulate(dd_context *ctx, double step, double *product)
{
    tank t = {0};
    dd_status status = make(&t, ctx, 1 + step, 3);
    if (status == DD_OK) {
        status = dd_sim_run(t.sim);
    }
    for (uint32_t i = 0; status == DD_OK && i < dd_sim_variable_count(t.sim); i++) {
        if (strcmp(dd_sim_variable_name(t.sim, i), "product") == 0) {
            *product = dd_sim_final(t.sim, i);
        }
    }
    end(&t);
    return status;
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_linsys *linear = NULL;
    tank t = {0};
    double difference[2] = {0, 0};
    dd_status status = dd_context_new(&ctx, NULL);
    if (status == DD_OK) {
        status = make(&t, ctx, 1, 3);
    }
    if (status == DD_OK) {
        status = dd_linsys_new(&linear, t.sim); /* not run yet: at the start */
    }
    const dd_linsys_info info = linear ? dd_linsys_get_info(linear) : (dd_linsys_info){.status = DD_SIM_INVALID_MODEL};
    for (uint32_t i = 0; i < info.nx; i++) {
        printf("%-3s' = %8.5f", dd_linsys_state_name(linear, i), info.rate[i]);
        for (uint32_t k = 0; k < info.nx; k++) {
            printf(" + %8.5f d%s", info.A[i * info.nx + k], dd_linsys_state_name(linear, k));
        }
        for (uint32_t k = 0; k < info.nu; k++) {
            printf(" + %8.5f d%s", info.B[i * info.nu + k], dd_linsys_input_name(linear, k));
        }
        printf("\n");
    }
    /* steps of the inflow: the response of the linear system against the nonlinear one */
    const double rest = info.nx > 0 ? info.y[0] : 0;
    for (int i = 0; i < 2 && status == DD_OK; i++) {
        const double du[2] = {i == 0 ? 1e-2 : 5e-3, 0};
        double product = 0, predicted = 0;
        status = simulate(ctx, du[0], &product);
        if (status == DD_OK) {
            status = dd_linsys_response(linear, 3, NULL, du, NULL, &predicted);
        }
        difference[i] = fabs(product - predicted);
        printf("a step of %.4f changes the product by %.8f, the linear system says %.8f\n", du[0], product - rest,
               predicted - rest);
    }
    if (status != DD_OK) {
        fprintf(stderr, "%s\n", ctx ? dd_context_message(ctx) : dd_status_text(status));
    }
    /* 3 states; what the linear system misses is of second order in the step */
    const int wrong = status != DD_OK || info.nx != 3 || !(difference[0] < 1e-3) ||
                      !(fabs(difference[1] / difference[0] - 0.25) < 0.01);
    dd_linsys_free(linear);
    end(&t);
    dd_context_free(ctx);
    return wrong;
}
