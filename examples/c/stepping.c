/* stepping.c - a simulation that is stepped from outside: inputs held or from a function, parameters that change, states that
 * are replaced, and sensitivities by name.
 *
 * x' = k (u - x) has the solution u + (x(0) - u) exp(-k t) while u is held. With x on the parabola y = x^2 the constraint is
 * restored when x is replaced.
 *
 *     cc stepping.c $(pkg-config --cflags --libs daedal) -lm -o stepping
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "model Lag\n"
                           "  parameter Real k = 2;\n"
                           "  Real x(start = 0, fixed = true), y;\n"
                           "  input Real u;\n"
                           "equation\n"
                           "  der(x) = k*(u - x);\n"
                           "  y = x^2;\n"
                           "end Lag;\n";

static dd_status expect(const char *what, double found, double wanted)
{
    printf("%s: %.9g\n", what, found);
    if (fabs(found - wanted) <= 1e-6) {
        return DD_OK;
    }
    printf("expected: %.9g\n", wanted);
    return DD_NUMERIC;
}

/* Held inputs, a parameter that jumps, a state that is replaced. */
static dd_status held(dd_system *system)
{
    dd_sim_options options = dd_sim_options_default();
    options.hold_inputs = true;
    options.tol = 1e-9;
    dd_sim *sim = NULL;
    dd_status status = dd_sim_new(&sim, system, &options);
    status = status == DD_OK ? dd_sim_set(sim, "u", 1) : status;
    status = status == DD_OK ? dd_sim_step(sim, 0.5) : status;
    const uint32_t x = dd_sim_find(sim, "x"), y = dd_sim_find(sim, "y");
    double now = 1 - exp(-1.0);
    status = status == DD_OK ? expect("x after 0.5 s with u = 1", dd_sim_final(sim, x), now) : status;
    status = status == DD_OK ? dd_sim_set(sim, "k", 4) : status;
    status = status == DD_OK ? dd_sim_set(sim, "u", 0) : status;
    status = status == DD_OK ? dd_sim_step(sim, 1) : status;
    now *= exp(-2.0);
    status = status == DD_OK ? expect("0.5 s later, with k = 4 and u = 0", dd_sim_final(sim, x), now) : status;
    /* a measurement says otherwise; y follows from the equations */
    const double measured = 0.7;
    status = status == DD_OK ? dd_sim_replace(sim, &x, &measured, 1, NULL) : status;
    status = status == DD_OK ? expect("y after x became 0.7", dd_sim_final(sim, y), 0.49) : status;
    status = status == DD_OK ? dd_sim_step(sim, 1.25) : status;
    status = status == DD_OK ? expect("x from there, after 0.25 s", dd_sim_final(sim, x), 0.7 * exp(-1.0)) : status;
    dd_sim_free(sim);
    return status;
}

static void ramp(void *user, double t, double *values)
{
    values[0] = *(const double *)user * t;
}

/* An input by a function, here slope*t: x = slope*(t - 1/k + exp(-k t)/k). And d x/d k. */
static dd_status from_function(dd_system *system)
{
    double slope = 3;
    const char *names[] = {"k", "x"}; /* a parameter, and a variable for its start value; copied */
    dd_sim_options options = dd_sim_options_default();
    options.input = ramp;
    options.input_user = &slope; /* must live as long as the simulation */
    options.tol = 1e-9;
    options.sensitivity = names;
    options.n_sensitivity = 2;
    options.has_stop = true;
    options.stop = 1;
    dd_sim *sim = NULL;
    dd_status status = dd_sim_new(&sim, system, &options);
    status = status == DD_OK ? dd_sim_run(sim) : status;
    const uint32_t x = dd_sim_find(sim, "x");
    const double k = 2, end = exp(-k);
    status = status == DD_OK ? expect("x under a ramp", dd_sim_final(sim, x), slope * (1 - 1 / k + end / k)) : status;
    status = status == DD_OK ? expect("its derivative by k", dd_sim_sensitivity(sim, 0, x),
                                      slope * (1 / (k * k) - end / (k * k) - end / k))
                             : status;
    /* by name: an array among the names would have an entry for each of its elements */
    for (uint32_t i = 0; status == DD_OK && i < dd_sim_sensitivity_count(sim); i++) {
        if (strcmp(dd_sim_sensitivity_name(sim, i), "x") == 0) {
            status = expect("and by its start value", dd_sim_sensitivity(sim, i, x), end);
        }
    }
    dd_sim_free(sim);
    return status;
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *system = NULL;
    dd_status status = dd_context_new(&ctx, NULL);
    status = status == DD_OK ? dd_model_load_text(&model, ctx, "lag.mo", text, strlen(text), NULL) : status;
    status = status == DD_OK ? dd_model_analyse(&system, model, NULL) : status;
    status = status == DD_OK ? held(system) : status;
    status = status == DD_OK ? from_function(system) : status;
    if (status != DD_OK) {
        printf("%s: %s\n", dd_status_text(status), dd_context_message(ctx));
    }
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return status == DD_OK ? 0 : 1;
}
