/* ocp_option_list.c - the options of an optimization by name. */
#include "base/option.h"
#include "nlp/nlp.h"
#include "ocp/ocp_impl.h"

#define AT(member) .offset = offsetof(dd_ocp_options, member)

static const char *const methods[] = {"collocation", "shooting", NULL};
static const char *const hessians[] = {"exact", "bfgs", "gauss-newton", NULL};
static const char *const nodes[] = {"radau", "legendre", NULL};
static const char *const controls[] = {"constant", "linear", "polynomial", NULL}; /* in the order of dd_ocp_control */
static const char *const stabilizations[] = {"none", "baumgarte", NULL}; /* in the order of dd_ocp_stabilization */
static const char *const places[] = {"start", "end", "none", NULL};

/* clang-format off */
static const dd_option_entry entries[] = {
    {{"method", DD_OPTION_WORD, "NAME", "collocation (default) or shooting", methods, 0, 0}, AT(shooting), .store = DD_STORE_BOOL},
    {{"integrator", DD_OPTION_TEXT, "NAME", "shooting: a Runge-Kutta method with fixed steps (default radau-3)", NULL, 0, 0}, AT(integrator)},
    {{"substeps", DD_OPTION_COUNT, "M", "shooting: steps of the integrator per interval (default 1)", NULL, 1, 1e6}, AT(substeps)},
    {{"hessian", DD_OPTION_WORD, "KIND", "exact (default), bfgs, or gauss-newton (shooting)", hessians, 0, 0}, AT(hessian)},
    {{"solver", DD_OPTION_WORD, "NAME", "solver of the nonlinear program: daedal (default) or ipopt", dd_nlp_solver_names, 0, 0}, AT(solver), .store = DD_STORE_NAME},
    {{"intervals", DD_OPTION_COUNT, "N", "intervals of the mesh (default 50, refined where that is too coarse)", NULL, 1, 1e6}, AT(intervals)},
    {{"degree", DD_OPTION_COUNT, "D", "collocation points per interval, 1 to 9 (default 3)", NULL, 1, 9}, AT(degree)},
    {{"nodes", DD_OPTION_WORD, "NAME", "collocation points: radau (default) or legendre", nodes, 0, 0}, AT(legendre), .store = DD_STORE_BOOL},
    {{"control", DD_OPTION_WORD, "KIND", "controls on an interval: constant (default; refinement may choose), linear or polynomial", controls, 0, 0}, AT(control)},
    {{"tol", DD_OPTION_POSITIVE, "R", "tolerance of the optimality conditions (default 1e-8)", NULL, 0, 0}, AT(tolerance)},
    {{"max-iterations", DD_OPTION_COUNT, "N", "maximum number of iterations (default 3000)", NULL, 1, 1e9}, AT(max_iterations)},
    {{"refine", DD_OPTION_POSITIVE, "TOL", "refine the mesh until the estimated error is below TOL", NULL, 0, 0}, AT(refine)},
    {{"consistency", DD_OPTION_WORD, "WHERE", "where constraints of the model are imposed: start (default), end or none", places, 0, 0}, AT(consistency)},
    {{"stabilize", DD_OPTION_WORD, "HOW", "none (default) or baumgarte, for models of index 2 and more", stabilizations, 0, 0}, AT(stabilize)},
    {{"alpha", DD_OPTION_POSITIVE, "A", "the parameter of baumgarte (default 1)", NULL, 0, 0}, AT(alpha)},
    {{"guess", DD_OPTION_TEXT, "WHAT", "linear, simulate or FILE.csv (default: initialGuess and start values)", NULL, 0, 0}, AT(guess)},
    {{"multistart", DD_OPTION_COUNT, "N", "solve from N guesses and take the best", NULL, 1, 1e6}, AT(multistart)},
    {{"coarse", DD_OPTION_FLAG, NULL, "solve on a coarse mesh first", NULL, 0, 0}, AT(coarse)},
    {{"threads", DD_OPTION_COUNT, "N", "threads for functions and linear algebra (default 1); they do not change results of daedal", NULL, 1, 1024}, AT(threads)},
    {{"permutation", DD_OPTION_COUNT, "N", "testing: order N of the program's variables (default 0: unchanged)", NULL, 0, 4e9}, AT(permutation)},
    {{"multipliers", DD_OPTION_FLAG, NULL, "add costates and multipliers of rows to the trajectory, the JSON and the page", NULL, 0, 0}, AT(multipliers)},
};
/* clang-format on */

enum { COUNT = sizeof entries / sizeof entries[0] };

const dd_option *dd_ocp_option(uint32_t i)
{
    return i < COUNT ? &entries[i].shown : NULL;
}

bool dd_ocp_options_set(dd_ocp_options *options, const char *name, const char *value, char *why)
{
    return dd_option_set(entries, COUNT, options, name, value, why);
}

bool dd_ocp_options_possible(const dd_ocp_options *options, char *why)
{
    const dd_ocp_options defaults = dd_ocp_options_default();
    return dd_option_check(entries, COUNT, options, &defaults, why);
}
