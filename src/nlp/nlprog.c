/* nlprog.c - the public nonlinear program of daedal/nlp.h: checks what it is given, keeps copies, and lets a solver of the
 * list see it as a dd_nlp. Verdicts of functions (0, > 0, < 0) become true and false here, and are counted. */
#include <math.h>
#include <string.h>

#include "nlp/nlp.h"
#include "nlp/nlprog_private.h"

/* ---- the functions as a solver calls them ---- */

/* What a function of the program answered; values: what it wrote. */
static bool took(dd_nlprog *p, const char *what, int answer, const double *values, size_t count)
{
    bool fine = answer == 0;
    for (size_t i = 0; fine && i < count; i++) {
        fine = isfinite(values[i]);
    }
    p->stopped = p->stopped || answer < 0;
    p->info.refused += !fine;
    p->refused_by = fine ? p->refused_by : what;
    return fine;
}

static bool objective(void *user, const double *x, bool new_x, double *f)
{
    dd_nlprog *p = user;
    p->info.objectives++;
    return took(p, "the objective", p->functions.objective(p->functions.user, x, new_x, f), f, 1);
}

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    dd_nlprog *p = user;
    p->info.gradients++;
    return took(p, "the gradient", p->functions.gradient(p->functions.user, x, new_x, g), g, p->nlp.n);
}

static bool constraints(void *user, const double *x, bool new_x, double *c)
{
    dd_nlprog *p = user;
    if (p->nlp.m == 0) {
        return true;
    }
    p->info.constraints++;
    return took(p, "a row", p->functions.constraints(p->functions.user, x, new_x, c), c, p->nlp.m);
}

static bool jacobian(void *user, const double *x, bool new_x, double *values)
{
    dd_nlprog *p = user;
    if (p->nlp.m == 0) {
        return true;
    }
    p->info.jacobians++;
    return took(p, "the Jacobian", p->functions.jacobian(p->functions.user, x, new_x, values), values,
                p->nlp.jacobian_nnz);
}

static bool hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    dd_nlprog *p = user;
    p->info.hessians++;
    return took(p, "the Hessian", p->functions.hessian(p->functions.user, x, new_x, sigma, lambda, values), values,
                p->nlp.hessian_nnz);
}

static void row_name(void *user, uint32_t row, dd_text *out)
{
    dd_text_add(out, dd_nlprog_row_name(user, row));
}

static void column_name(void *user, uint32_t column, dd_text *out)
{
    dd_text_add(out, dd_nlprog_variable_name(user, column));
}

static bool progress(void *user, const dd_nlp_iteration *it)
{
    dd_nlprog *p = user;
    const dd_nlprog_iteration line = {.number = it->number,
                                      .objective = it->objective,
                                      .violation = it->violation,
                                      .dual_infeasibility = it->dual_infeasibility,
                                      .barrier = it->barrier,
                                      .step = it->step,
                                      .regularization = it->regularization,
                                      .alpha = it->alpha,
                                      .restoration = it->restoration,
                                      .x = it->x};
    return p->options.progress == NULL || p->options.progress(p->options.user, &line);
}

static bool stop(void *user)
{
    dd_nlprog *p = user;
    if (!p->stopped && p->limit == DD_OK) {
        p->limit = dd_poll_stop_now(p->ctx);
    }
    return p->stopped || p->limit != DD_OK;
}

/* ---- one solve ---- */

dd_nlprog_options dd_nlprog_options_default(void)
{
    const dd_nlp_options o = dd_nlp_options_default();
    return (dd_nlprog_options){.tolerance = o.tolerance, .max_iterations = o.max_iterations};
}

static dd_status check_options(dd_context *ctx, const dd_nlprog_options *o)
{
    if (!(o->tolerance > 0 && o->tolerance < 1)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the tolerance must be above 0 and below 1, not %g", o->tolerance);
    }
    if (!(o->max_seconds >= 0) || !(o->barrier >= 0) || isinf(o->barrier)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the time limit and the barrier must be 0 or above");
    }
    return DD_OK;
}

/* Verdicts in a sentence; a stop has its reason in what asked for it. */
static void explain(dd_nlprog *p)
{
    static const char *const reasons[] = {"",
                                          "no further progress near a solution",
                                          "the violation of the constraints has a local minimum here",
                                          "the iterates diverge: the objective has no lower bound",
                                          "the limit of iterations was reached",
                                          "the time limit was reached",
                                          "",
                                          "the caller asked to stop",
                                          "there are more equalities than variables",
                                          "the solver gave up"};
    dd_nlprog_info *info = &p->info;
    if (info->status == DD_NLP_INTERRUPTED && p->limit == DD_TIME_LIMIT) {
        info->status = DD_NLP_TIME_LIMIT;
    }
    /* which function had no value; the last one that refused */
    if (info->status == DD_NLP_EVALUATION_ERROR) {
        dd_snprintf(p->reason, sizeof p->reason, "%s has no finite value %s",
                    p->refused_by != NULL ? p->refused_by : "a function",
                    info->iterations == 0 ? "at the start" : "where the steps lead");
    } else {
        dd_snprintf(p->reason, sizeof p->reason, "%s", reasons[info->status]);
    }
}

/* Residuals at the result. The calls of functions that this takes are not counted. */
static dd_status judge(dd_nlprog *p, const dd_nlp_result *r)
{
    const dd_nlprog_info counted = p->info;
    dd_kkt kkt;
    dd_status status = dd_nlp_kkt(p->ctx, &p->nlp, r, &kkt);
    bool known = status == DD_OK;
    p->info = counted;
    p->info.violation = known ? kkt.violation : NAN;
    p->info.dual_infeasibility = known ? kkt.dual_infeasibility : NAN;
    p->info.complementarity = known ? kkt.complementarity : NAN;
    p->info.sign = known ? kkt.sign : NAN;
    p->info.worst_row = known && kkt.worst_row < p->nlp.m ? kkt.worst_row : p->nlp.m;
    /* no values there: a verdict, which the status of the solve has already */
    return status == DD_NUMERIC ? DD_OK : status;
}

/* Multipliers of a solve that does not begin with those that are there. */
static void forget_multipliers(dd_nlprog *p)
{
    memset(p->lambda, 0, p->nlp.m * sizeof *p->lambda);
    memset(p->z_lower, 0, p->nlp.n * sizeof *p->z_lower);
    memset(p->z_upper, 0, p->nlp.n * sizeof *p->z_upper);
}

static dd_status run(dd_nlprog *p, const dd_nlp_options *options)
{
    dd_nlp_result r = {.x = p->x,
                       .lambda = p->lambda,
                       .z_lower = p->z_lower,
                       .z_upper = p->z_upper,
                       .dependent = p->dependent,
                       .dependent_most = p->nlp.m};
    dd_status status = dd_nlp_solve(p->ctx, &p->nlp, options, &r);
    if (status != DD_OK) {
        return status;
    }
    /* verdict, counters, and the rows that a factorisation found dependent */
    p->info.status = r.status;
    p->info.objective = r.objective;
    p->info.iterations = r.iterations;
    p->info.factorizations = r.factorizations;
    p->info.dependent = r.dependent_count < p->nlp.m ? r.dependent_count : p->nlp.m;
    p->info.seconds_total = r.seconds_total;
    p->info.seconds_evaluate = r.seconds_evaluate;
    explain(p);
    return judge(p, &r);
}

dd_status dd_nlprog_solve(dd_nlprog *p, const double *x, const dd_nlprog_options *options)
{
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    p->options = options != NULL ? *options : dd_nlprog_options_default();
    const dd_nlp_solver *solver = NULL;
    dd_status status = check_options(p->ctx, &p->options);
    status = status == DD_OK ? dd_nlp_solver_find(&solver, p->ctx, p->options.solver) : status;
    if (status != DD_OK) {
        return status;
    }
    /* what the solve before has left: the point, and multipliers for a warm one */
    if (x != NULL) {
        memmove(p->x, x, p->nlp.n * sizeof *p->x);
    }
    if (!p->options.warm) {
        forget_multipliers(p);
    }
    p->info = (dd_nlprog_info){.status = DD_NLP_FAILED, .objective = NAN, .worst_row = p->nlp.m};
    p->info.solver = (solver != NULL ? solver : dd_nlp_solver_preferred())->name;
    p->stopped = false;
    p->limit = DD_OK;
    p->refused_by = NULL;
    p->reason[0] = '\0';
    dd_nlp_options own = dd_nlp_options_default();
    own.solver = solver;
    own.tolerance = p->options.tolerance;
    own.max_iterations = p->options.max_iterations;
    own.max_seconds = p->options.max_seconds;
    own.barrier = p->options.barrier;
    own.warm = p->options.warm;
    own.threads = p->options.threads;
    own.user = p;
    own.progress = progress;
    own.stop = stop;
    return run(p, &own);
}

void dd_nlprog_connect(dd_nlprog *p)
{
    p->nlp.user = p;
    p->nlp.objective = objective;
    p->nlp.gradient = gradient;
    p->nlp.constraints = constraints;
    p->nlp.jacobian = jacobian;
    p->nlp.hessian = p->functions.hessian != NULL ? hessian : NULL;
    p->nlp.row_name = row_name;
    p->nlp.column_name = column_name;
}

/* ---- what was found ---- */

dd_nlprog_info dd_nlprog_get_info(const dd_nlprog *p)
{
    dd_nlprog_info info = p != NULL ? p->info : (dd_nlprog_info){.status = DD_NLP_FAILED};
    info.reason = p != NULL ? p->reason : "";
    info.solver = info.solver != NULL ? info.solver : "";
    return info;
}

const double *dd_nlprog_x(const dd_nlprog *p)
{
    return p != NULL ? p->x : NULL;
}

const double *dd_nlprog_lambda(const dd_nlprog *p)
{
    return p != NULL ? p->lambda : NULL;
}

const double *dd_nlprog_z_lower(const dd_nlprog *p)
{
    return p != NULL ? p->z_lower : NULL;
}

const double *dd_nlprog_z_upper(const dd_nlprog *p)
{
    return p != NULL ? p->z_upper : NULL;
}

uint32_t dd_nlprog_dependent_row(const dd_nlprog *p, uint32_t i)
{
    return p == NULL ? 0 : i < p->info.dependent ? p->dependent[i] : p->nlp.m;
}

const char *dd_nlprog_row_name(const dd_nlprog *p, uint32_t row)
{
    return p != NULL && p->c_names != NULL && row < p->nlp.m ? p->c_names[row] : "";
}

const char *dd_nlprog_variable_name(const dd_nlprog *p, uint32_t variable)
{
    return p != NULL && p->x_names != NULL && variable < p->nlp.n ? p->x_names[variable] : "";
}

const char *dd_nlprog_solver(uint32_t i)
{
    const dd_nlp_solver *solver = dd_nlp_solver_at(i);
    return solver != NULL ? solver->name : NULL;
}

bool dd_nlprog_solver_available(const char *name)
{
    const dd_nlp_solver *solver = name != NULL ? dd_nlp_solver_named(name) : NULL;
    return solver != NULL && solver->available();
}
