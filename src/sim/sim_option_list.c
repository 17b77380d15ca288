/* sim_option_list.c - the options of a simulation by name. */
#include "base/option.h"
#include "sim/sim_impl.h"

#define AT(member) .offset = offsetof(dd_sim_options, member)
#define GIVEN(member) .has_given = true, .given = offsetof(dd_sim_options, member)

static const char *const forms[] = {"reduced", "original", NULL};
static const char *const stabilizations[] = {"projection", "baumgarte", "dummy", "none", NULL};
static const char *const interpolations[] = {"linear", "spline", NULL};

/* clang-format off */
static const dd_option_entry entries[] = {
    {{"start", DD_OPTION_REAL, "T0", "start time (else the model's StartTime, else 0)", NULL, 0, 0}, AT(start), GIVEN(has_start)},
    {{"stop", DD_OPTION_REAL, "T", "stop time (else the model's StopTime, else 1)", NULL, 0, 0}, AT(stop), GIVEN(has_stop)},
    {{"method", DD_OPTION_TEXT, "NAME", "auto (default), radau, bdf, chebyshev, or a name from: daedal methods", NULL, 0, 0}, AT(method)},
    {{"tableau", DD_OPTION_TEXT, "FILE", "a Runge-Kutta method from a file instead", NULL, 0, 0}, AT(tableau_file)},
    {{"tol", DD_OPTION_POSITIVE, "R", "relative tolerance (else the model's Tolerance, else 1e-6)", NULL, 0, 1}, AT(tol)},
    {{"atol", DD_OPTION_POSITIVE, "A", "absolute tolerance of every variable (default: tol times nominal)", NULL, 0, 0}, AT(atol)},
    {{"step", DD_OPTION_POSITIVE, "H", "fixed step, no error control", NULL, 0, 0}, AT(step)},
    {{"points", DD_OPTION_COUNT, "N", "rows at N equal intervals (default: at the solver's own steps)", NULL, 1, 1e9}, AT(points)},
    {{"interval", DD_OPTION_POSITIVE, "DT", "rows this far apart", NULL, 0, 0}, AT(interval)},
    {{"form", DD_OPTION_WORD, "FORM", "reduced (default: index 1) or original (the equations as written)", forms, 0, 0}, AT(form)},
    {{"stabilize", DD_OPTION_WORD, "HOW", "projection (default), baumgarte, dummy or none", stabilizations, 0, 0}, AT(stabilize)},
    {{"alpha", DD_OPTION_POSITIVE, "A", "the parameter of baumgarte", NULL, 0, 0}, AT(alpha)},
    {{"input", DD_OPTION_TEXT, "FILE.csv", "inputs from the columns of a table", NULL, 0, 0}, AT(input_file)},
    {{"interpolate", DD_OPTION_WORD, "HOW", "linear (default) or spline between the rows of the table", interpolations, 0, 0}, AT(interpolation)},
    {{"auto-init", DD_OPTION_FLAG, NULL, "complete missing initial values with defaults", NULL, 0, 0}, AT(auto_init)},
    {{"project", DD_OPTION_FLAG, NULL, "move contradictory initial values to the nearest consistent ones", NULL, 0, 0}, AT(project)},
    {{"through", DD_OPTION_FLAG, NULL, "continue, with a warning, beyond a point where the solution is not determined", NULL, 0, 0}, AT(through)},
    {{"max-steps", DD_OPTION_COUNT, "N", "give up after N steps (default 10 million)", NULL, 1, 1e18}, AT(max_steps), .store = DD_STORE_U64},
};
/* clang-format on */

enum { COUNT = sizeof entries / sizeof entries[0] };

const dd_option *dd_sim_option(uint32_t i)
{
    return i < COUNT ? &entries[i].shown : NULL;
}

bool dd_sim_options_set(dd_sim_options *options, const char *name, const char *value, char *why)
{
    return dd_option_set(entries, COUNT, options, name, value, why);
}

bool dd_sim_options_possible(const dd_sim_options *options, char *why)
{
    const dd_sim_options defaults = dd_sim_options_default();
    return dd_option_check(entries, COUNT, options, &defaults, why);
}
