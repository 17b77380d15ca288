/* optimize.c - an optimization class from text, solved; the solution is compared with its closed form.
 *
 * A cart is moved by 1 in 1 s from rest to rest with the least effort: x(t) = 3 t^2 - 2 t^3, u(t) = 6 - 12 t, and the
 * integral of u^2 is 12.
 *
 *     cc optimize.c $(pkg-config --cflags --libs daedal) -lm -o optimize
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "optimization Move(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)\n"
                           "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                           "  input Real u;\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = u;\n"
                           "constraint\n"
                           "  x(finalTime) = 1;\n"
                           "  v(finalTime) = 0;\n"
                           "end Move;\n";

/* Variables come in the order in which they are declared: x, v, u. */
static dd_status compare(dd_ocp *ocp, double *error)
{
    double values[3];
    dd_status status = dd_ocp_variable_count(ocp) == 3 ? DD_OK : DD_NUMERIC;
    *error = 0;
    for (int i = 0; i <= 20 && status == DD_OK; i++) {
        const double t = i / 20.0;
        status = dd_ocp_values(ocp, t, false, values);
        *error = fmax(*error, fabs(values[0] - (3 - 2 * t) * t * t));
        *error = fmax(*error, fabs(values[2] - (6 - 12 * t)));
    }
    return status;
}

static dd_status optimize(dd_system *system)
{
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 10;
    options.control = DD_OCP_POLYNOMIAL;
    dd_ocp *ocp = NULL;
    dd_status status = dd_ocp_new(&ocp, system, &options);
    if (status == DD_OK) {
        status = dd_ocp_solve(ocp);
    }
    if (status == DD_OK) {
        /* a problem without a solution is a verdict, not a failure */
        const dd_ocp_info info = dd_ocp_get_info(ocp);
        double error = 0;
        printf("%s: objective %.8g after %u iterations %s\n", dd_ocp_status_name(info.status), info.objective,
               info.iterations, info.reason);
        status = info.status == DD_OCP_OPTIMAL ? compare(ocp, &error) : DD_NUMERIC;
        printf("x and u differ from their closed forms by %.0e at most\n", error);
        if (fabs(info.objective - 12) > 1e-6 || error > 1e-6) {
            status = DD_NUMERIC;
        }
    }
    dd_ocp_free(ocp);
    return status;
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *system = NULL;
    dd_status status = dd_context_new(&ctx, NULL);
    if (status == DD_OK) {
        status = dd_model_load_text(&model, ctx, "move.mop", text, strlen(text), NULL);
    }
    if (status == DD_OK) {
        status = dd_model_analyse(&system, model, NULL);
    }
    if (status == DD_OK) {
        status = optimize(system);
    }
    if (status != DD_OK) {
        fprintf(stderr, "%s: %s\n", dd_status_text(status), dd_context_message(ctx));
    }
    /* where the library was built without a solver there is nothing to compare */
    const int code =
        status == DD_OK || (status == DD_INVALID_ARGUMENT && strstr(dd_context_message(ctx), "without ipopt")) ? 0 : 1;
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return code;
}
