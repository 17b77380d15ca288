/* study_option_list.c - the options of a study by name. */
#include "base/option.h"
#include "study/study_impl.h"

#define AT(member) .offset = offsetof(dd_study_options, member)
#define GIVEN(member) .has_given = true, .given = offsetof(dd_study_options, member)

static const char *const kinds[] = {"order", "work", "drift", "local", "nodes", "spectra", "regions", NULL};
static const char *const norms[] = {"auto", "end", "max", NULL};
static const char *const costs[] = {"evaluations", "steps", "seconds", NULL};
static const char *const controls[] = {"constant", "linear", "polynomial", NULL};
static const char *const forms[] = {"reduced", "original", NULL};
static const char *const stabilizations[] = {"projection", "baumgarte", "dummy", "none", NULL};

/* clang-format off */
static const dd_option_entry entries[] = {
    {{"kind", DD_OPTION_WORD, "KIND", "order (default), work, drift, local, nodes, spectra or regions", kinds, 0, 0}, AT(kind)},
    {{"methods", DD_OPTION_TEXT, "NAMES", "methods with commas: rk4,radau-2; of an optimization radau-2,legendre-3,shooting:rk4; of nodes equispaced,chebyshev,...", NULL, 0, 0}, AT(methods)},
    {{"steps", DD_OPTION_TEXT, "LIST", "steps: FIRST:FACTOR:COUNT or numbers with commas (default: a tenth of the run, halved six times)", NULL, 0, 0}, AT(steps)},
    {{"tols", DD_OPTION_TEXT, "LIST", "tolerances of work likewise (default 1e-3:0.1:8)", NULL, 0, 0}, AT(tols)},
    {{"intervals", DD_OPTION_TEXT, "LIST", "meshes of an optimization likewise (default 4:2:5)", NULL, 0, 0}, AT(intervals)},
    {{"degrees", DD_OPTION_TEXT, "LIST", "degrees of nodes likewise (default 2,4,...,20)", NULL, 0, 0}, AT(degrees)},
    {{"function", DD_OPTION_TEXT, "FORMULA", "the function of x that nodes interpolates (default 1/(1 + 25*x^2))", NULL, 0, 0}, AT(function)},
    {{"variables", DD_OPTION_TEXT, "NAMES", "compare only these variables", NULL, 0, 0}, AT(variables)},
    {{"norm", DD_OPTION_WORD, "WHERE", "errors of order at the end (default) or max: at the worst step", norms, 0, 0}, AT(norm)},
    {{"cost", DD_OPTION_WORD, "WHAT", "the axis of the picture of work: evaluations (default), steps or seconds", costs, 0, 0}, AT(cost)},
    {{"control", DD_OPTION_WORD, "FORM", "constant, linear or polynomial controls of an optimization (default: the finest)", controls, 0, 0}, AT(control)},
    {{"start", DD_OPTION_REAL, "T0", "start time (else the model's StartTime, else 0)", NULL, 0, 0}, AT(sim.start), GIVEN(sim.has_start)},
    {{"stop", DD_OPTION_REAL, "T", "stop time (else the model's StopTime, else 1)", NULL, 0, 0}, AT(sim.stop), GIVEN(sim.has_stop)},
    {{"step", DD_OPTION_POSITIVE, "H", "the step of drift and local", NULL, 0, 0}, AT(sim.step)},
    {{"tol", DD_OPTION_POSITIVE, "R", "the tolerance of drift and local, where no step is given", NULL, 0, 1}, AT(sim.tol)},
    {{"points", DD_OPTION_COUNT, "N", "rows of drift at N equal intervals (default: at the steps; with error control 200)", NULL, 1, 1e6}, AT(sim.points)},
    {{"form", DD_OPTION_WORD, "FORM", "reduced (default: index 1) or original (the equations as written)", forms, 0, 0}, AT(sim.form)},
    {{"stabilize", DD_OPTION_WORD, "HOW", "projection (default), baumgarte, dummy or none; drift compares them all", stabilizations, 0, 0}, AT(sim.stabilize)},
    {{"alpha", DD_OPTION_POSITIVE, "A", "the parameter of baumgarte", NULL, 0, 0}, AT(sim.alpha)},
    {{"input", DD_OPTION_TEXT, "FILE.csv", "inputs from the columns of a table", NULL, 0, 0}, AT(sim.input_file)},
    {{"auto-init", DD_OPTION_FLAG, NULL, "complete missing initial values with defaults", NULL, 0, 0}, AT(sim.auto_init)},
    {{"project", DD_OPTION_FLAG, NULL, "move contradictory initial values to the nearest consistent ones", NULL, 0, 0}, AT(sim.project)},
};
/* clang-format on */

enum { COUNT = sizeof entries / sizeof entries[0] };

const dd_option *dd_study_option(uint32_t i)
{
    return i < COUNT ? &entries[i].shown : NULL;
}

bool dd_study_options_set(dd_study_options *options, const char *name, const char *value, char *why)
{
    return dd_option_set(entries, COUNT, options, name, value, why);
}

const char *dd_study_kind_name(dd_study_kind kind)
{
    return kind <= DD_STUDY_REGIONS ? kinds[kind] : "unknown";
}

bool dd_study_options_possible(const dd_study_options *options, char *why)
{
    const dd_study_options defaults = dd_study_options_default();
    return dd_option_check(entries, COUNT, options, &defaults, why);
}
