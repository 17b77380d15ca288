/* solvability_faint.c - coefficients that fade: where rounding errors take the place of an unknown's digits.
 *
 * F = 0 is computed with errors r of eps times its terms, and x' from w by a formula whose coefficients are like c/h, so that
 * it has errors of eps c w/h. A row whose terms all fade loses nothing, and a coefficient that fades alone loses digits long
 * before it vanishes: x y' = b leaves eps b/x in y'. Once a number of the watch has fallen by enough, an error d of the
 * solution is carried along with the steps, d := (M/h + J)^-1 (M d/h + r), which forgets what the equations damp. Where it
 * exceeds ten tolerances of a state, digits are lost, whatever the estimates of a step say. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "integ/fixed_newton.h"
#include "sim/growth.h"
#include "sim/solvability_impl.h"

/* Values that have fallen by less cannot lose digits: rounding errors times this, beside the tolerance. */
static const double FADED = 1e4, MOST_FADED = 0.1;
/* Errors of an unknown this much larger than its rounding come from coefficients. */
static const double EXCESS = 1e3;
/* Tolerances by which errors must exceed one: they are bounds, with all roundings of one sign. */
static const double BEYOND = 10;
/* Coefficients of implicit methods times h, of the order of those of Radau and of BDF. */
static const double COEFFICIENTS = 10, OF_BDF = 3;

/* Has a number fallen so far that rounding errors may matter? Its index, DD_NO_INDEX: none. */
static uint32_t faintest(const dd_solvability *s)
{
    double least = fmin(MOST_FADED, FADED * DBL_EPSILON / dd_sim_tolerance(s->sim));
    uint32_t found = DD_NO_INDEX;
    for (uint32_t k = 0; k < s->count; k++) {
        const double part = fabs(s->v[0][k]) / s->peak[k];
        if (part < least) {
            least = part;
            found = k;
        }
    }
    return found;
}

/* Errors of the rows at the end of the last step: eps (|M| (|w'| + c |w| / h) + |J| |w|). */
static void row_errors(dd_solvability *s, double h)
{
    const dd_sim *sim = s->sim;
    const dd_problem *p = &s->numbers->problem;
    const dd_integrator *it = sim->integrator;
    const bool explicit = dd_sim_method_is_explicit(sim) && !sim->switched;
    const double c = explicit ? 0 : strncmp(it->name, "bdf", 3) == 0 ? OF_BDF : COEFFICIENTS;
    const dd_residual_point at = {.w = it->w, .v = it->wdot, .m = s->m, .j = s->j, .stride = 1};
    p->jacobian(p->user, it->t, it->w, it->wdot, s->m, s->j);
    dd_residual_terms(p, &at, s->row);
    for (uint32_t j = 0; j < s->n; j++) {
        for (uint32_t e = p->pattern.ptr[j]; e < p->pattern.ptr[j + 1]; e++) {
            s->row[p->pattern.idx[e]] += c / h * fabs(s->m[e] * it->w[j]);
        }
    }
}

/* M/h + J at the end of the last step; false: there are no factors. */
static bool factor(dd_solvability *s, double h)
{
    const dd_problem *p = &s->numbers->problem;
    bool singular;
    uint32_t column;
    if (!s->solver && dd_pencil_new(&s->solver, s->ctx, &p->pattern, false, DD_PENCIL_AUTO) != DD_OK) {
        s->failed = true;
        return false;
    }
    if (dd_pencil_factor(s->solver, 1 / h, 0, s->m, s->j, &singular, &column) != DD_OK) {
        s->failed = true;
        return false;
    }
    return !singular;
}

/* out = (M/h + J)^-1 M d/h: where errors are behind the last step */
static void carry(dd_solvability *s, double h, const double *d, double *out)
{
    dd_csc m = s->numbers->problem.pattern;
    m.val = s->m;
    memset(out, 0, s->n * sizeof *out);
    dd_csc_multiply(&m, 1 / h, d, out);
    dd_pencil_solve(s->solver, out, NULL);
}

/* Errors of the unknowns that the last step has made, in s->rhs, for one pattern of signs. What rounding the unknowns
 * themselves does is left out: equations that let it grow are no matter of coefficients. Spoils carried and lost. */
static void new_errors(dd_solvability *s, uint32_t pattern, double h)
{
    const dd_integrator *it = s->sim->integrator;
    for (uint32_t i = 0; i < s->n; i++) {
        const double eps = pattern == 1 && i % 2 == 1 ? -DBL_EPSILON : DBL_EPSILON;
        s->rhs[i] = eps * s->row[i];
        s->lost[i] = eps * (fabs(it->w[i]) + h * fabs(it->wdot[i]));
    }
    dd_pencil_solve(s->solver, s->rhs, NULL);
    carry(s, h, s->lost, s->carried);
    for (uint32_t j = 0; j < s->n; j++) {
        const double own = fmax(fabs(s->lost[j]), fabs(s->carried[j]));
        s->rhs[j] = fabs(s->rhs[j]) > EXCESS * own ? s->rhs[j] : 0.0;
    }
}

static double tolerance_of(const dd_sim *sim, uint32_t j)
{
    return sim->atol[j] + dd_sim_tolerance(sim) * fabs(sim->integrator->w[j]);
}

/* The largest error of a state, in tolerances. */
static double length_of(const dd_solvability *s, const double *d)
{
    double most = 0;
    for (uint32_t j = 0; j < s->n; j++) {
        most = fmax(most, s->numbers->problem.differential[j] ? fabs(d[j]) / tolerance_of(s->sim, j) : 0.0);
    }
    return most;
}

/* Projection moves a solution back onto its constraints, and errors with it: those of multipliers beside a singular
 * position of a mechanism do not stay in its speeds. Spoils rhs, row and carried. */
static void project_errors(dd_solvability *s, double *d)
{
    dd_sim *sim = s->sim;
    const dd_integrator *it = sim->integrator;
    const double most = length_of(s, d);
    if (!sim->projector || !(most > 0 && isfinite(most))) {
        return;
    }
    /* one tolerance long, for a linear map */
    for (uint32_t j = 0; j < s->n; j++) {
        d[j] /= most;
    }
    dd_growth_onto_constraints(sim, it->t, it->w, d, s->rhs, s->row, s->carried);
    for (uint32_t j = 0; j < s->n; j++) {
        d[j] *= most;
    }
}

/* The errors behind the last step. False: they cannot be found. */
static bool carry_errors(dd_solvability *s, double h)
{
    row_errors(s, h);
    if (!factor(s, h)) {
        return false;
    }
    /* signs are arbitrary: two patterns represent all */
    for (uint32_t pattern = 0; pattern < 2; pattern++) {
        double *d = s->error[pattern];
        new_errors(s, pattern, h);
        const double before = length_of(s, d);
        carry(s, h, d, s->carried);
        /* what the equations let grow is no matter of coefficients either (growth.c looks at it) */
        const double after = length_of(s, s->carried), kept = after > before ? before / after : 1.0;
        for (uint32_t j = 0; j < s->n; j++) {
            d[j] = kept * s->carried[j] + s->rhs[j];
        }
    }
    for (uint32_t pattern = 0; pattern < 2; pattern++) {
        project_errors(s, s->error[pattern]);
    }
    for (uint32_t j = 0; j < s->n; j++) {
        const double most = fmax(fabs(s->error[0][j]), fabs(s->error[1][j]));
        s->lost[j] = s->numbers->problem.differential[j] ? most : 0.0;
    }
    return dd_all_finite(s->lost, s->n);
}

/* Found at the end of the last step. */
static bool find(dd_solvability *s, uint32_t k, dd_singular *found)
{
    const dd_integrator *it = s->sim->integrator;
    *found = (dd_singular){.t = it->t, .kind = DD_SINGULAR_FAINT, .item = &s->numbers->solvable->items[k]};
    dd_solv_copy(s, &s->lo, it->t, it->w, it->wdot);
    return true;
}

/* The number that has faded, and errors of the last step with it; DD_NO_INDEX: none. */
static uint32_t look(dd_solvability *s)
{
    const dd_sim *sim = s->sim;
    const double h = sim->integrator->t - sim->integrator->t_old;
    const uint32_t k = s->own || sim->dummy ? DD_NO_INDEX : faintest(s);
    return k != DD_NO_INDEX && h > 0 && s->t[0] == sim->integrator->t && carry_errors(s, h) ? k : DD_NO_INDEX;
}

bool dd_solv_is_faint(dd_solvability *s, dd_singular *found)
{
    const uint32_t k = look(s);
    for (uint32_t j = 0; k != DD_NO_INDEX && j < s->n; j++) {
        if (s->lost[j] > BEYOND * tolerance_of(s->sim, j)) {
            return find(s, k, found);
        }
    }
    return false;
}

bool dd_solv_was_faint(dd_solvability *s, dd_singular *found)
{
    const double newton = 1e-3; /* tolerances: to which methods solve for the unknowns of a step */
    const uint32_t k = look(s);
    for (uint32_t j = 0; k != DD_NO_INDEX && j < s->n; j++) {
        if (s->lost[j] > newton * tolerance_of(s->sim, j)) {
            return find(s, k, found);
        }
    }
    return false;
}
