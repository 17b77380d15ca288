/* simulate.c - a model from text, simulated; what is conserved is checked at every row of the trajectory.
 *
 * The planar pendulum in Cartesian coordinates is a DAE of index 3. Its energy stays what it was, and so does the
 * length of the rod.
 *
 *     cc simulate.c $(pkg-config --cflags --libs daedal) -lm -o simulate
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "model Pendulum\n"
                           "  parameter Real L = 1, g = 9.81;\n"
                           "  Real p[2](start = {0.6, -0.8}, fixed = {true, false});\n"
                           "  Real v[2](start = {0.0, 0.0}, fixed = {true, false}) = der(p);\n"
                           "  Real f;\n"
                           "equation\n"
                           "  der(v) = {-f*p[1], -f*p[2] - g};\n"
                           "  p*p = L^2;\n"
                           "end Pendulum;\n";

/* Variables come in the order in which they are declared: p[1], p[2], v[1], v[2], f. */
static void look(const dd_sim *sim, double *energy_error, double *length_error)
{
    const double g = 9.81, energy = -0.8 * g;
    *energy_error = *length_error = 0;
    for (uint64_t i = 0; i < dd_sim_row_count(sim); i++) {
        const double x = dd_sim_row_value(sim, i, 0), y = dd_sim_row_value(sim, i, 1);
        const double u = dd_sim_row_value(sim, i, 2), v = dd_sim_row_value(sim, i, 3);
        *energy_error = fmax(*energy_error, fabs(0.5 * (u * u + v * v) + g * y - energy));
        *length_error = fmax(*length_error, fabs(x * x + y * y - 1));
    }
}

static dd_status simulate(dd_system *system)
{
    dd_sim_options options = dd_sim_options_default();
    options.stop = 10;
    options.has_stop = true;
    options.tol = 1e-8;
    options.points = 1000;
    dd_sim *sim = NULL;
    dd_status status = dd_sim_new(&sim, system, &options);
    if (status == DD_OK) {
        status = dd_sim_run(sim);
    }
    if (status == DD_OK) {
        const dd_sim_info info = dd_sim_get_info(sim);
        double energy_error, length_error;
        look(sim, &energy_error, &length_error);
        /* a run that cannot reach its end is a verdict, not a failure */
        printf("%s: reached time %g with %s in %llu steps\n", dd_sim_status_name(info.status), info.t, info.method,
               (unsigned long long)info.stats.steps);
        printf("energy changed by %.0e at most, the length by %.0e\n", energy_error, length_error);
        if (info.status != DD_SIM_OK || energy_error > 1e-5 || length_error > 1e-7) {
            status = DD_NUMERIC;
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
    if (status == DD_OK) {
        status = dd_model_load_text(&model, ctx, "pendulum.mo", text, strlen(text), NULL);
    }
    if (status == DD_OK) {
        status = dd_model_analyse(&system, model, NULL);
    }
    if (status == DD_OK) {
        status = simulate(system);
    }
    if (status != DD_OK) {
        fprintf(stderr, "%s: %s\n", dd_status_name(status), ctx ? dd_context_message(ctx) : "");
    }
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return status == DD_OK ? 0 : 1;
}
