/* solve_again.c - an optimization that is made once and solved many times: other parameters, starts, bounds and guesses.
 *
 * A cart is moved in 1 s from any position and speed to rest at a goal, with the least effort. With e = goal - x - v and
 * speed v at the start the integral of u^2 is 12 e^2 + 12 e v + 4 v^2, and its derivative with respect to x, the costate,
 * is -24 e - 12 v.
 *
 *     cc solve_again.c $(pkg-config --cflags --libs daedal) -lm -o solve_again
 */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "optimization Move(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)\n"
                           "  parameter Real goal = 1;\n"
                           "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                           "  input Real u;\n"
                           "equation\n"
                           "  der(x) = v;\n"
                           "  der(v) = u;\n"
                           "constraint\n"
                           "  x(finalTime) = goal;\n"
                           "  v(finalTime) = 0;\n"
                           "end Move;\n";

/* Solves from the present numbers and compares with the closed form. */
static dd_status solve(dd_ocp *ocp, const dd_ocp_again *how, double goal, const double *start)
{
    const double e = goal - start[0] - start[1], v = start[1];
    const double cost = 12 * e * e + 12 * e * v + 4 * v * v, costate = -24 * e - 12 * v;
    dd_status status = dd_ocp_solve_again(ocp, how);
    if (status != DD_OK) {
        return status;
    }
    const dd_ocp_info info = dd_ocp_get_info(ocp);
    const double found = dd_ocp_costate(ocp, "x", info.start_time);
    printf("from time %g, goal %g: %s in %u iterations, cost %.8g, costate of x %.8g\n", info.start_time, goal,
           dd_ocp_status_name(info.status), info.iterations, info.objective, found);
    if (info.status != DD_OCP_OPTIMAL || fabs(info.objective - cost) > 1e-5 || fabs(found - costate) > 1e-4) {
        printf("expected: cost %.8g, costate %.8g\n", cost, costate);
        status = DD_NUMERIC;
    }
    return status;
}

static dd_status solve_many(dd_ocp *ocp)
{
    /* another goal, then another start an interval later: from the last solution, moved by an interval with its multipliers */
    double start[2] = {0, 0};
    dd_status status = dd_ocp_set(ocp, "goal", 2);
    status = status == DD_OK ? solve(ocp, NULL, 2, start) : status;
    start[0] = 0.3;
    start[1] = 0.5;
    status = status == DD_OK ? dd_ocp_set_start(ocp, 0.1, start) : status;
    status = status == DD_OK ? solve(ocp, &(dd_ocp_again){.shift = 1}, 2, start) : status;
    /* from a guess in memory: states and controls, row by row; it is far off, so multipliers are computed anew */
    const double times[2] = {0.1, 1.1}, states[4] = {0.3, 0.5, -4, 0}, controls[2] = {7, -7};
    status = status == DD_OK ? dd_ocp_set(ocp, "goal", -4) : status;
    status = status == DD_OK ? dd_ocp_guess(ocp, times, 2, states, controls) : status;
    status = status == DD_OK ? solve(ocp, &(dd_ocp_again){.cold = true}, -4, start) : status;
    /* a bound on the control: it holds, and makes the motion more expensive */
    const double before = dd_ocp_get_info(ocp).objective;
    status = status == DD_OK ? dd_ocp_set(ocp, "u.min", -20) : status;
    status = status == DD_OK ? dd_ocp_solve_again(ocp, NULL) : status;
    double u = 0;
    status = status == DD_OK ? dd_ocp_controls(ocp, 0.1, &u) : status;
    if (status == DD_OK) {
        /* the multiplier of the bound, by the name of the variable: negative where the lower bound is active, else 0 */
        const double active = dd_ocp_multiplier(ocp, "u", 0.1), inactive = dd_ocp_multiplier(ocp, "u", 0.6);
        printf("with u >= -20: u begins at %.6g, cost %.6g, multiplier %.4g, at time 0.6 %.1g\n", u,
               dd_ocp_get_info(ocp).objective, active, inactive);
        /* 2 u + (costate of v) + multiplier = 0; the multiplier is known at collocation points, so at the start to a few percent */
        const double costate = dd_ocp_costate(ocp, "v", 0.1), slope = 2 * u + costate + active;
        status = active < -1 && fabs(inactive) < 1e-4 && fabs(slope) < 0.05 * costate ? DD_OK : DD_NUMERIC;
        status = status == DD_OK && dd_ocp_get_info(ocp).status == DD_OCP_OPTIMAL && u >= -20 - 1e-6 &&
                         dd_ocp_get_info(ocp).objective > before + 1
                     ? DD_OK
                     : DD_NUMERIC;
    }
    /* what cannot be set is refused by name, and nothing has changed */
    if (status == DD_OK && dd_ocp_set(ocp, "gaol", 1) != DD_INVALID_ARGUMENT) {
        status = DD_NUMERIC;
    }
    return status;
}

static dd_status optimize(dd_system *system)
{
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 10;
    options.control = DD_OCP_POLYNOMIAL;
    options.start_given = options.program_only = true;
    dd_ocp *ocp = NULL;
    dd_status status = dd_ocp_new(&ocp, system, &options);
    status = status == DD_OK ? dd_ocp_solve(ocp) : status;
    status = status == DD_OK ? solve_many(ocp) : status;
    dd_ocp_free(ocp);
    return status;
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *system = NULL;
    dd_status status = dd_context_new(&ctx, NULL);
    status = status == DD_OK ? dd_model_load_text(&model, ctx, "move.mop", text, strlen(text), NULL) : status;
    status = status == DD_OK ? dd_model_analyse(&system, model, NULL) : status;
    status = status == DD_OK ? optimize(system) : status;
    if (status != DD_OK) {
        printf("%s: %s\n", dd_status_text(status), dd_context_message(ctx));
    }
    /* in the opposite order: each uses what was made before it */
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return status == DD_OK ? 0 : 1;
}
