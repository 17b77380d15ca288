/* closed_loop.c - a controller in a loop of one's own: dd_control decides, dd_sim is the plant.
 *
 * A pendulum in Cartesian coordinates (index 3) hangs from a cart. The cart goes to set-points without leaving the
 * pendulum in motion; the bob of the plant is heavier than the controller thinks.
 *
 *     cc closed_loop.c $(pkg-config --cflags --libs daedal) -lm -o closed_loop
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "model Cart\n"
    "  parameter Real M = 1, m = 0.2, L = 0.5, g = 9.81;\n"
    "  Real s(start = 0, fixed = true), vs(start = 0, fixed = true) = der(s);\n"
    "  Real b[2](start = {0, -L}, fixed = {true, false});\n"
    "  Real vb[2](start = {0, 0}, fixed = {true, false}) = der(b);\n"
    "  input Real F(min = -4, max = 4);\n"
    "  Real lam[1];\n"
    "equation\n"
    "  lagrange(q = cat(1, {s}, b), T = 0.5*M*vs^2 + 0.5*m*(vb*vb), V = m*g*b[2],\n"
    "           c = {(b[1] - s)^2 + b[2]^2 - L^2}, Q = {F, 0, 0}, lambda = lam);\n"
    "end Cart;\n"
    "optimization Move(objectiveIntegrand = (s - goal)^2 + (b[1] - goal)^2 + 0.1*vb[1]^2 + 0.001*F^2,\n"
    "              startTime = 0, finalTime = 1.5)\n"
    "  extends Cart;\n"
    "  parameter Real goal = 0;\n"
    "  annotation(Daedal(nmpc(samplePeriod = 0.05, measured = {\"s\", \"vs\", \"b[1]\", \"vb[1]\"})));\n"
    "end Move;\n";

enum { SAMPLES = 160, MEASURED = 4 };

/* One pass: what the plant shows goes to the controller, what it answers to the plant. */
static dd_status run(dd_control *control, dd_sim *plant, double period, double *worst)
{
    dd_status status = DD_OK;
    for (int k = 0; k < SAMPLES && status == DD_OK; k++) {
        double y[MEASURED], u[1];
        /* a set-point, from this sample on */
        if (k == 10 || k == 90) {
            status = dd_control_set(control, "goal", k == 10 ? 1 : 0.5);
        }
        /* all that needs no measurement, then the measurement */
        status = status == DD_OK ? dd_control_prepare(control) : status;
        for (uint32_t i = 0; i < MEASURED; i++) {
            y[i] = dd_sim_final(plant, dd_sim_find(plant, dd_control_measured_name(control, i)));
        }
        status = status == DD_OK ? dd_control_step(control, y, u) : status;
        if (status == DD_OK && dd_control_get_sample(control).status != DD_SAMPLE_SOLVED) {
            printf("sample %d: %s\n", k, dd_control_get_sample(control).reason);
            status = DD_NUMERIC;
        }
        /* the input is held to the next sample */
        status = status == DD_OK ? dd_sim_set(plant, dd_control_input_name(control, 0), u[0]) : status;
        status = status == DD_OK ? dd_sim_step(plant, (k + 1) * period) : status;
        if (status == DD_OK && dd_sim_get_info(plant).status != DD_SIM_OK) {
            printf("the plant stopped: %s\n", dd_sim_get_info(plant).reason);
            status = DD_NUMERIC;
        }
        *worst = fmax(*worst, fabs(u[0]));
    }
    return status;
}

static dd_status close_loop(const dd_system *system, const dd_system *plant_system)
{
    dd_control *control = NULL;
    dd_sim *plant = NULL;
    dd_control_options settings = dd_control_options_default();
    dd_sim_options options = dd_sim_options_default();
    options.hold_inputs = true;
    options.keep_rows = false;
    /* the settings of the annotation; the plant has its inputs from outside, and another mass */
    dd_status status = dd_control_options_of(&settings, system, 0);
    status = status == DD_OK ? dd_control_new(&control, system, &settings) : status;
    status = status == DD_OK ? dd_sim_new(&plant, plant_system, &options) : status;
    status = status == DD_OK ? dd_sim_set(plant, "m", 0.25) : status;
    status = status == DD_OK ? dd_sim_begin(plant) : status;
    double worst = 0;
    status = status == DD_OK ? run(control, plant, settings.sample_period, &worst) : status;
    if (status == DD_OK) {
        const double s = dd_sim_final(plant, dd_sim_find(plant, "s"));
        const double b = dd_sim_final(plant, dd_sim_find(plant, "b[1]"));
        printf("after %d samples the cart is at %.3f, the bob at %.3f; forces up to %.3f\n", SAMPLES, s, b, worst);
        status = fabs(s - 0.5) < 1e-3 && fabs(b - 0.5) < 1e-3 && worst <= 4 ? DD_OK : DD_NUMERIC;
    }
    dd_sim_free(plant);
    dd_control_free(control);
    return status;
}

/* A class of the text, analysed. */
static dd_status load(dd_context *ctx, const char *name, dd_model **model, dd_system **system)
{
    dd_load_options load_options = dd_load_options_default();
    load_options.class_name = name;
    const dd_status status = dd_model_load_text(model, ctx, "move.mop", text, strlen(text), &load_options);
    return status == DD_OK ? dd_model_analyse(system, *model, NULL) : status;
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL, *plant_model = NULL;
    dd_system *system = NULL, *plant_system = NULL;
    dd_status status = dd_context_new(&ctx, NULL);
    status = status == DD_OK ? load(ctx, "Move", &model, &system) : status;
    status = status == DD_OK ? load(ctx, "Cart", &plant_model, &plant_system) : status;
    status = status == DD_OK ? close_loop(system, plant_system) : status;
    if (status != DD_OK) {
        fprintf(stderr, "%s: %s\n", dd_status_text(status), dd_context_message(ctx));
    }
    dd_system_free(plant_system);
    dd_system_free(system);
    dd_model_free(plant_model);
    dd_model_free(model);
    dd_context_free(ctx);
    return status == DD_OK ? 0 : 1;
}
