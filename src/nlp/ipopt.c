/* ipopt.c - IPOPT behind the interface of nlp.h, through its C interface. The library is opened when it is
 * needed: loading it with its dependencies would cost every start of the program several milliseconds. Its version 3.11
 * has no call for the current iterate, so points are kept here: an accepted one is the point at which derivatives were
 * asked for last; a solve that is stopped returns the best of them. The solver runs in a separate thread
 * (base/watched.h), because a factorisation cannot be asked to stop: all memory it may touch after it was left is in
 * the bridge and behind it. */
#include <math.h>
#include <string.h>

#include "base/watched.h"
#include "nlp/ipopt.h"
#include "nlp/scaling.h"

#ifdef DAEDAL_HAVE_IPOPT
#include <IpStdCInterface.h>
#include <dlfcn.h>

/* The functions of the library that are used. */
typedef struct solver_library {
    __typeof__(&CreateIpoptProblem) create;
    __typeof__(&FreeIpoptProblem) destroy;
    __typeof__(&AddIpoptStrOption) set_text;
    __typeof__(&AddIpoptNumOption) set_number;
    __typeof__(&AddIpoptIntOption) set_integer;
    __typeof__(&SetIpoptProblemScaling) set_scaling;
    __typeof__(&SetIntermediateCallback) set_callback;
    __typeof__(&IpoptSolve) solve;
} solver_library;

static bool find_symbol(void *handle, const char *name, void *out)
{
    void *symbol = dlsym(handle, name);
    memcpy(out, &symbol, sizeof symbol); /* a pointer to a function, which C cannot cast from one to data */
    return symbol != NULL;
}

/* It stays open: solvers are not made to be unloaded. */
static bool open_library(solver_library *lib)
{
    /* the names of Debian's versions, then that of a development package */
    static const char *const names[] = {"libipopt.so.1", "libipopt.so.3", "libipopt.so"};
    void *handle = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && handle == NULL; i++) {
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    return handle != NULL && find_symbol(handle, "CreateIpoptProblem", &lib->create) &&
           find_symbol(handle, "FreeIpoptProblem", &lib->destroy) &&
           find_symbol(handle, "AddIpoptStrOption", &lib->set_text) &&
           find_symbol(handle, "AddIpoptNumOption", &lib->set_number) &&
           find_symbol(handle, "AddIpoptIntOption", &lib->set_integer) &&
           find_symbol(handle, "SetIpoptProblemScaling", &lib->set_scaling) &&
           find_symbol(handle, "SetIntermediateCallback", &lib->set_callback) &&
           find_symbol(handle, "IpoptSolve", &lib->solve);
}

#define IPOPT_INFINITY 2e19 /* a bound beyond this is infinite */

typedef struct bridge {
    dd_watched *watched;
    const dd_nlp *nlp;
    dd_nlp_options options; /* a copy, like all that follows */
    solver_library lib;
    dd_nlp_result *result; /* the caller's: not after it was left */
    dd_nlp_result own;     /* the solver's copy: arrays behind the bridge */
    enum ApplicationReturnStatus end;
    bool created;
    double *last;                          /* n: the last iterate */
    double *candidate;                     /* n: where derivatives were asked for last */
    double *best;                          /* n: the iterate that violates least, then costs least */
    double *seen;                          /* n: where f and c below were asked for */
    double seen_objective, seen_violation; /* NaN: not asked for there */
    double best_objective, best_violation;
    uint32_t iterations;
    bool stopped, failed;
    bool evaluated; /* the functions were asked for elsewhere: their memory belongs to another point */
    double seconds;
    double memory[]; /* bounds, points, scaling, the solver's result */
} bridge;

/* Where it was asked to stop every evaluation fails at once, so that the solver ends soon. */
static bool must_stop(bridge *b)
{
    b->stopped = b->stopped || (b->options.stop != NULL && b->options.stop(b->options.user));
    return b->stopped;
}

static bool is_new(bridge *b, Bool new_x)
{
    bool moved = b->evaluated || new_x;
    b->evaluated = false;
    return moved;
}

/* Around each callback. False: it must end, because a stop was requested or because nobody waits for it any more. */
static bool enter(bridge *b)
{
    if (!dd_watched_enter(b->watched)) {
        return false;
    }
    if (must_stop(b)) {
        dd_watched_leave(b->watched);
        return false;
    }
    return true;
}

static Bool leave(bridge *b, Bool result)
{
    dd_watched_leave(b->watched);
    return result;
}

static void note_point(bridge *b, const double *x)
{
    /* f and c are remembered for one point only */
    if (memcmp(b->seen, x, b->nlp->n * sizeof *x) != 0) {
        memcpy(b->seen, x, b->nlp->n * sizeof *x);
        b->seen_objective = b->seen_violation = NAN;
    }
}

static double violation_of(const dd_nlp *nlp, const double *c)
{
    double worst = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        worst = fmax(worst, fmax(nlp->c_lower[i] - c[i], c[i] - nlp->c_upper[i]));
    }
    return worst;
}

/* Violations below the tolerance are as good as none. */
static void keep_best(bridge *b, double objective, double violation)
{
    /* the program's own figures where they are known: the solver's may belong to a relaxed or scaled problem */
    bool known = memcmp(b->seen, b->last, b->nlp->n * sizeof *b->last) == 0;
    objective = known && !isnan(b->seen_objective) ? b->seen_objective : objective;
    violation = known && !isnan(b->seen_violation) ? b->seen_violation : violation;
    violation = fmax(violation, b->options.tolerance);
    if (violation < b->best_violation || (violation == b->best_violation && objective < b->best_objective)) {
        memcpy(b->best, b->last, b->nlp->n * sizeof *b->best);
        b->best_objective = objective;
        b->best_violation = violation;
    }
}

static Bool count(bridge *b, double begin, const double *x, bool ok)
{
    /* time spent in the functions is reported apart from the solver's */
    b->seconds += dd_clock_seconds() - begin;
    b->failed = b->failed || !ok;
    if (!ok && b->result->failed_at != NULL) {
        memcpy(b->result->failed_at, x, b->nlp->n * sizeof *x);
    }
    return ok ? TRUE : FALSE;
}

static Bool eval_f(Index n, Number *x, Bool new_x, Number *f, UserDataPtr data)
{
    bridge *b = data;
    double begin = dd_clock_seconds();
    (void)n;
    if (!enter(b)) {
        return FALSE;
    }
    note_point(b, x);
    Bool ok = count(b, begin, x, b->nlp->objective(b->nlp->user, x, is_new(b, new_x), f));
    b->seen_objective = ok ? *f : NAN;
    return leave(b, ok);
}

static Bool eval_grad(Index n, Number *x, Bool new_x, Number *g, UserDataPtr data)
{
    bridge *b = data;
    double begin = dd_clock_seconds();
    if (!enter(b)) {
        return FALSE;
    }
    memcpy(b->candidate, x, (size_t)n * sizeof *x);
    return leave(b, count(b, begin, x, b->nlp->gradient(b->nlp->user, x, is_new(b, new_x), g)));
}

static Bool eval_g(Index n, Number *x, Bool new_x, Index m, Number *c, UserDataPtr data)
{
    bridge *b = data;
    double begin = dd_clock_seconds();
    (void)n, (void)m;
    if (!enter(b)) {
        return FALSE;
    }
    note_point(b, x);
    Bool ok = count(b, begin, x, b->nlp->constraints(b->nlp->user, x, is_new(b, new_x), c));
    b->seen_violation = ok ? violation_of(b->nlp, c) : NAN;
    return leave(b, ok);
}

/* The solver cannot cope with a failure here: where nobody waits for it any more it gets a pattern of one entry. */
static Bool give_pattern(bridge *b, Index nnz, Index *row, Index *col, bool hessian)
{
    bool known = dd_watched_enter(b->watched);
    for (Index k = 0; k < nnz; k++) {
        row[k] = known ? (Index)(hessian ? b->nlp->hessian_row : b->nlp->jacobian_row)[k] : 0;
        col[k] = known ? (Index)(hessian ? b->nlp->hessian_col : b->nlp->jacobian_col)[k] : 0;
    }
    return known ? leave(b, TRUE) : TRUE;
}

static Bool eval_jac(Index n, Number *x, Bool new_x, Index m, Index nnz, Index *row, Index *col, Number *values,
                     UserDataPtr data)
{
    bridge *b = data;
    double begin = dd_clock_seconds();
    (void)m;
    if (values == NULL) {
        return give_pattern(b, nnz, row, col, false);
    }
    if (!enter(b)) {
        return FALSE;
    }
    memcpy(b->candidate, x, (size_t)n * sizeof *x);
    return leave(b, count(b, begin, x, b->nlp->jacobian(b->nlp->user, x, is_new(b, new_x), values)));
}

static Bool eval_h(Index n, Number *x, Bool new_x, Number sigma, Index m, Number *lambda, Bool new_lambda, Index nnz,
                   Index *row, Index *col, Number *values, UserDataPtr data)
{
    bridge *b = data;
    double begin = dd_clock_seconds();
    (void)n, (void)m, (void)new_lambda;
    if (values == NULL) {
        return give_pattern(b, nnz, row, col, true);
    }
    if (!enter(b)) {
        return FALSE;
    }
    return leave(b, count(b, begin, x, b->nlp->hessian(b->nlp->user, x, is_new(b, new_x), sigma, lambda, values)));
}

static Bool intermediate(Index mode, Index iteration, Number objective, Number violation, Number dual, Number mu,
                         Number step, Number regularization, Number alpha_dual, Number alpha, Index trials,
                         UserDataPtr data)
{
    bridge *b = data;
    (void)alpha_dual, (void)trials;
    if (!enter(b)) {
        return FALSE;
    }
    /* IPOPT calls this once per accepted iterate, whose derivatives it asked for last */
    b->iterations = (uint32_t)iteration;
    b->failed = false; /* whatever failed was given up for a step that did not */
    memcpy(b->last, b->candidate, b->nlp->n * sizeof *b->last);
    keep_best(b, objective, violation);
    /* one line of the iteration table; no copy of x is made */
    dd_nlp_iteration it = {.number = (uint32_t)iteration,
                           .objective = objective,
                           .violation = violation,
                           .dual_infeasibility = dual,
                           .barrier = mu,
                           .step = step,
                           .regularization = regularization,
                           .alpha = alpha,
                           .restoration = mode != 0,
                           .x = b->last,
                           .evaluated = &b->evaluated};
    b->stopped = b->stopped || (b->options.progress != NULL && !b->options.progress(b->options.user, &it));
    return leave(b, must_stop(b) ? FALSE : TRUE);
}

static dd_nlp_status translate(enum ApplicationReturnStatus status, const bridge *b)
{
    /* an interrupted solve may end in any state: only success is believed */
    if (b->stopped && status != Solve_Succeeded) {
        return DD_NLP_INTERRUPTED;
    }
    switch (status) {
    case Solve_Succeeded:
    case Feasible_Point_Found:
        return DD_NLP_OPTIMAL;
    case Solved_To_Acceptable_Level:
        return DD_NLP_ACCEPTABLE;
    case Infeasible_Problem_Detected:
        return DD_NLP_INFEASIBLE;
    case Diverging_Iterates:
        return DD_NLP_UNBOUNDED;
    case Maximum_Iterations_Exceeded:
        return DD_NLP_ITERATION_LIMIT;
    case Maximum_CpuTime_Exceeded:
        return DD_NLP_TIME_LIMIT;
    case User_Requested_Stop:
        return DD_NLP_INTERRUPTED;
    case Not_Enough_Degrees_Of_Freedom:
        return DD_NLP_OVERDETERMINED;
    case Invalid_Number_Detected:
        return DD_NLP_EVALUATION_ERROR;
    default:
        return b->failed ? DD_NLP_EVALUATION_ERROR : DD_NLP_FAILED;
    }
}

static void set_options(const solver_library *lib, IpoptProblem p, const dd_nlp_options *o, const dd_nlp *nlp)
{
    /* silent: no table, no banner, no option file */
    lib->set_integer(p, (char *)"print_level", 0);
    lib->set_text(p, (char *)"sb", (char *)"yes");
    lib->set_text(p, (char *)"option_file_name", (char *)""); /* else it reads an ipopt.opt of the current folder */
    /* the stopping tests and limits asked for */
    lib->set_number(p, (char *)"tol", o->tolerance);
    lib->set_integer(p, (char *)"max_iter", (Int)o->max_iterations);
    if (o->max_seconds > 0) {
        lib->set_number(p, (char *)"max_cpu_time", o->max_seconds);
    }
    if (o->barrier > 0) {
        lib->set_number(p, (char *)"mu_init", o->barrier);
    }
    if (o->complementarity > 0) {
        lib->set_number(p, (char *)"compl_inf_tol", o->complementarity);
    }
    if (o->objective_scale > 0) {
        lib->set_number(p, (char *)"obj_scaling_factor", o->objective_scale);
    }
    /* far below IPOPT's own 1e20: an objective that falls without bound is recognised earlier */
    lib->set_number(p, (char *)"diverging_iterates_tol", 1e12);
    /* by default the tolerance is taken relative to the multipliers as soon as they are above 100 on average, and a
     * point with a gradient of 0.3 has passed for optimal */
    lib->set_number(p, (char *)"s_max", 1e6);
    /* "acceptable" must not mean violated, as IPOPT's own 1e-2 would allow */
    lib->set_number(p, (char *)"acceptable_constr_viol_tol", 1e-4);
    /* By itself MUMPS scales by the values of the first matrix, which has zeros where a guess is in a special position
     * (a load that hangs straight down): later matrices then delay their pivots, fill up and get a wrong inertia. 7
     * scales each matrix by its own values. Refused where the linear solver is another one. */
    lib->set_integer(p, (char *)"mumps_scaling", 7);
    /* a warm start must stay where it is: the defaults of 1e-3 would push it into the interior */
    if (o->warm) {
        lib->set_text(p, (char *)"warm_start_init_point", (char *)"yes");
        lib->set_number(p, (char *)"warm_start_bound_push", 1e-8);
        lib->set_number(p, (char *)"warm_start_mult_bound_push", 1e-8);
        lib->set_number(p, (char *)"warm_start_slack_bound_push", 1e-8);
    }
    if (o->push > 0) {
        lib->set_number(p, (char *)"bound_push", o->push);
        lib->set_number(p, (char *)"bound_frac", o->push);
        lib->set_number(p, (char *)"slack_bound_push", o->push);
        lib->set_number(p, (char *)"slack_bound_frac", o->push);
    }
    if (nlp->hessian == NULL) {
        lib->set_text(p, (char *)"hessian_approximation", (char *)"limited-memory");
    }
}

static void clipped_bounds(double *out, const double *bounds, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        out[i] = fmin(fmax(bounds[i], -IPOPT_INFINITY), IPOPT_INFINITY);
    }
}

/* Where it was stopped or ran out of time or iterations: the best iterate; else the last one, which shows best why it
 * failed. */
static void give_point(bridge *b)
{
    dd_nlp_result *r = b->result;
    bool limited =
        r->status == DD_NLP_INTERRUPTED || r->status == DD_NLP_TIME_LIMIT || r->status == DD_NLP_ITERATION_LIMIT;
    /* the solver's own answer is fine */
    if (r->status == DD_NLP_OPTIMAL || r->status == DD_NLP_ACCEPTABLE) {
        return;
    }
    /* the objective that the solver reported belongs to another point */
    memcpy(r->x, limited ? b->best : b->last, b->nlp->n * sizeof *r->x);
    if (!b->nlp->objective(b->nlp->user, r->x, true, &r->objective)) {
        r->objective = NAN;
    }
}

static double *take(double **memory, size_t length)
{
    double *place = *memory;
    *memory += length;
    return place;
}

static size_t memory_length(const dd_nlp *nlp)
{
    return 9 * (size_t)nlp->n + 3 * (size_t)nlp->m + dd_nlp_scaling_memory(nlp);
}

static void lay_out(bridge *b, double **bounds, double **scaling)
{
    const dd_nlp *nlp = b->nlp;
    double *memory = b->memory;
    size_t n = nlp->n, m = nlp->m;
    /* iterates and the solver's result, each n long */
    b->last = take(&memory, n);
    b->candidate = take(&memory, n);
    b->best = take(&memory, n);
    b->seen = take(&memory, n);
    b->own.x = take(&memory, n);
    b->own.z_lower = take(&memory, n);
    b->own.z_upper = take(&memory, n);
    /* multipliers of rows, bounds (lower and upper of x, then of c), and the rest for the scaling */
    b->own.lambda = take(&memory, m);
    *bounds = take(&memory, 2 * n + 2 * m);
    *scaling = memory;
}

/* Where the solver begins: the caller's point and, for a warm start, multipliers. */
static void begin_at(bridge *b)
{
    const dd_nlp_result *r = b->result;
    size_t n = b->nlp->n, m = b->nlp->m;
    /* until there is an iterate the start is the best point known */
    double *const points[] = {b->last, b->candidate, b->best, b->seen, b->own.x};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        memcpy(points[i], r->x, n * sizeof *r->x);
    }
    memcpy(b->own.lambda, r->lambda, m * sizeof *r->lambda);
    memcpy(b->own.z_lower, r->z_lower, n * sizeof *r->z_lower);
    memcpy(b->own.z_upper, r->z_upper, n * sizeof *r->z_upper);
    b->seen_objective = b->seen_violation = NAN;
    /* any iterate is better than the start, of which nothing is known yet */
    b->best_objective = b->best_violation = INFINITY;
}

/* In the thread. The preparations of the solve evaluate the functions of the problem: inside, like callbacks. */
static void work(void *memory)
{
    bridge *b = memory;
    const dd_nlp *nlp = b->nlp;
    const solver_library *lib = &b->lib;
    uint32_t n = nlp->n, m = nlp->m;
    double *xl, *scales;
    if (!enter(b)) {
        return;
    }
    /* everything the solver touches is in the bridge, which outlives a solve that is left */
    lay_out(b, &xl, &scales);
    begin_at(b);
    double *xu = xl + n, *cl = xu + n, *cu = cl + m;
    clipped_bounds(xl, nlp->x_lower, n);
    clipped_bounds(xu, nlp->x_upper, n);
    clipped_bounds(cl, nlp->c_lower, m);
    clipped_bounds(cu, nlp->c_upper, m);
    /* 0: indices from 0 on, C style */
    IpoptProblem p = lib->create((Index)n, xl, xu, (Index)m, cl, cu, (Index)nlp->jacobian_nnz, (Index)nlp->hessian_nnz,
                                 0, eval_f, eval_g, eval_grad, eval_jac, eval_h);
    b->created = p != NULL;
    if (p == NULL) {
        dd_watched_leave(b->watched);
        return;
    }
    set_options(lib, p, &b->options, nlp);
    /* the scaling evaluates the functions at the start, so it must be inside, too */
    dd_nlp_scaling scaling = dd_nlp_find_scaling(nlp, b->own.x, scales);
    if (scaling.needed) {
        lib->set_text(p, (char *)"nlp_scaling_method", (char *)"user-scaling");
        lib->set_scaling(p, scaling.objective, scaling.x, scaling.c);
    }
    lib->set_callback(p, intermediate);
    /* from here on each callback enters and leaves by itself */
    dd_watched_leave(b->watched);
    b->end = lib->solve(p, b->own.x, NULL, &b->own.objective, b->own.lambda, b->own.z_lower, b->own.z_upper, b);
    lib->destroy(p);
}

static bool asked_to_stop(void *memory)
{
    return must_stop(memory);
}

/* The result of the solver; a solve that was left has only the points that were kept. */
static void take_result(bridge *b, bool left)
{
    dd_nlp_result *r = b->result;
    size_t n = b->nlp->n, m = b->nlp->m;
    if (!left) {
        memcpy(r->x, b->own.x, n * sizeof *r->x);
        memcpy(r->lambda, b->own.lambda, m * sizeof *r->lambda);
        memcpy(r->z_lower, b->own.z_lower, n * sizeof *r->z_lower);
        memcpy(r->z_upper, b->own.z_upper, n * sizeof *r->z_upper);
        r->objective = b->own.objective;
    }
    r->status = left ? DD_NLP_INTERRUPTED : translate(b->end, b);
    r->failed = b->failed && r->failed_at != NULL;
    give_point(b);
    r->iterations = b->iterations;
    r->seconds_evaluate = b->seconds;
    r->seconds_factor = 0;
}

static dd_status solve(dd_context *ctx, bridge *b)
{
    double begin = dd_clock_seconds();
    dd_watched_end end = dd_watched_run(b->watched, work, asked_to_stop);
    /* the memory was refused to the solver, which cannot report it */
    if (end == DD_WATCHED_NO_MEMORY) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "the memory limit was reached inside the solver");
    }
    if (end == DD_WATCHED_DONE && !b->created && !b->stopped) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    bool begun = b->best != NULL;
    /* begin_at never ran, so there is no point of the solver's to take */
    if (!begun) { /* stopped before it had begun: the point is where it was */
        b->result->status = DD_NLP_INTERRUPTED;
        b->result->iterations = 0;
        b->result->seconds_evaluate = 0;
        b->result->failed = false;
        if (!b->nlp->objective(b->nlp->user, b->result->x, true, &b->result->objective)) {
            b->result->objective = NAN;
        }
    } else {
        take_result(b, end != DD_WATCHED_DONE);
    }
    b->result->seconds_total = dd_clock_seconds() - begin;
    return DD_OK;
}

/* Without variables there is nothing to solve: the rows hold or they do not. */
static dd_status solve_nothing(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *r)
{
    double none = 0, *c = dd_mem_new_array(ctx, (size_t)nlp->m + 1, sizeof *c);
    if (c == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* both functions are asked, so that a failure of either is seen */
    bool finite = nlp->objective(nlp->user, &none, true, &r->objective);
    finite = nlp->constraints(nlp->user, &none, false, c) && finite;
    r->status = !finite                                      ? DD_NLP_EVALUATION_ERROR
                : violation_of(nlp, c) <= options->tolerance ? DD_NLP_OPTIMAL
                                                             : DD_NLP_INFEASIBLE;
    r->iterations = 0;
    r->failed = false;
    r->seconds_evaluate = r->seconds_total = 0;
    memset(r->lambda, 0, nlp->m * sizeof *r->lambda);
    dd_mem_free(ctx, c, ((size_t)nlp->m + 1) * sizeof *c);
    return DD_OK;
}

static const char missing[] = "built for ipopt, but its library (libipopt) is not installed";

static bool available(void)
{
    solver_library lib;
    return open_library(&lib);
}

static dd_status run(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result)
{
    solver_library lib;
    dd_watched *watched;
    /* IPOPT counts no factorisations, and names no rows */
    result->factorizations = result->dependent_count = 0;
    result->regularization = 0;
    /* a program without variables would be refused by IPOPT */
    if (nlp->n == 0) {
        return solve_nothing(ctx, nlp, options, result);
    }
    if (!open_library(&lib)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s", missing);
    }
    dd_status status = dd_watched_new(&watched, ctx, sizeof(bridge) + memory_length(nlp) * sizeof(double));
    if (status != DD_OK) {
        return status;
    }
    /* all that callbacks need is in the watched memory: it stays valid when the caller has left */
    bridge *b = dd_watched_memory(watched);
    b->watched = watched;
    b->nlp = nlp;
    b->options = *options;
    b->lib = lib;
    b->result = result;
    status = solve(ctx, b);
    dd_watched_free(watched);
    return status;
}

#else

static const char missing[] = "built without ipopt";

static bool available(void)
{
    return false;
}

static dd_status run(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result)
{
    (void)nlp, (void)options, (void)result;
    return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s", missing);
}

#endif

const dd_nlp_solver dd_nlp_solver_ipopt = {"ipopt", available, missing, run};
