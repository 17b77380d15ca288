/* relax.c - elastic solves over the constraints of the user. */
#include "ocp/relax.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ocp/relax_impl.h"

enum { MOST_ITERATIONS = 300, FEWER_ITERATIONS = 100, MOST_ALONE = 6, MOST_PRUNED = 6 };
#define NO_CURVATURE 1e-9 /* change of a slope, in scaled variables */
#define PROXIMITY 1e-4   /* times the mean squared distance: enough to choose among many points, too little to matter */
#define SATISFIED 1e-6   /* a smaller slack is zero */
#define FIRST_SLACK 1.1  /* times the violation: slacks begin inside their bounds, */
#define LEAST_SLACK 0.01 /* and not at zero */
#define CONFLICT 1e-3    /* a slack that no better solve would close */
#define TAKES_PART 1e-3  /* of its weight: the pressure on a constraint that is in conflict */
#define FAR_OUT 5        /* ranges of a control: a limit that would have to move so far explains nothing */
#define SMALL_BESIDE 1e-4 /* of the largest slack: an interior point leaves that much in all others */
#define LIMIT_COST 1e6    /* limits of controls are physical: behind every other relaxation */
#define LESS 0.99         /* of the sum of slacks: worth a change of the horizon */

/* ---- one elastic solve ---- */

static void compact(const uint32_t *number, const uint32_t *from, uint32_t *to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[i] == HARD ? HARD : number[from[i]];
    }
}

static double outside(double v, double low, double high)
{
    return fmax(0, fmax(low - v, v - high));
}

/* Slacks that make the first point feasible. */
static void first_slacks(const dd_relaxer *r, const dd_elastic_spec *spec, double *x, double *c)
{
    const dd_nlp *nlp = r->nlp;
    double *s = x + nlp->n;
    /* s_g = the largest violation in the group: the elastic program begins feasible */
    bool ok = nlp->constraints(nlp->user, x, true, c);
    for (uint32_t i = 0; i < nlp->m && ok; i++) {
        uint32_t low = spec->row_lower[i], high = spec->row_upper[i];
        if (low != HARD) {
            s[low] = fmax(s[low], (nlp->c_lower[i] - c[i]) / spec->unit[low]);
        }
        if (high != HARD) {
            s[high] = fmax(s[high], (c[i] - nlp->c_upper[i]) / spec->unit[high]);
        }
    }
    /* a little more than needed, so that slacks begin inside their bounds */
    for (uint32_t g = 0; g < spec->groups; g++) {
        s[g] = isfinite(s[g]) ? FIRST_SLACK * s[g] + LEAST_SLACK : 1;
    }
}

static dd_elastic_spec specify(dd_relaxer *r, const bool *chosen, uint32_t *number)
{
    /* min sum_g w_g s_g + a small proximity term that makes the solution unique */
    dd_elastic_spec spec = {.reference = r->from, .proximity = PROXIMITY / (r->nlp->n + 1)};
    double *weight = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *weight);
    double *unit = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *unit);
    double *most = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *most);
    /* the chosen groups are numbered from 0; all others stay hard */
    for (uint32_t g = 0; g < r->groups.len; g++) {
        number[g] = chosen[g] ? spec.groups : HARD;
        if (chosen[g]) {
            weight[spec.groups] = r->groups.data[g].weight;
            most[spec.groups] = r->groups.data[g].most;
            unit[spec.groups++] = r->groups.data[g].unit;
        }
    }
    /* numbers of all groups to those of the elastic program */
    uint32_t *rl = dd_relax_indices(r, r->nlp->m), *ru = dd_relax_indices(r, r->nlp->m);
    uint32_t *vl = dd_relax_indices(r, r->nlp->n), *vu = dd_relax_indices(r, r->nlp->n);
    compact(number, r->row_lower, rl, r->nlp->m);
    compact(number, r->row_upper, ru, r->nlp->m);
    compact(number, r->variable_lower, vl, r->nlp->n);
    compact(number, r->variable_upper, vu, r->nlp->n);
    spec.weight = weight;
    spec.unit = unit;
    spec.most = most;
    spec.row_lower = rl;
    spec.row_upper = ru;
    spec.variable_lower = vl;
    spec.variable_upper = vu;
    return spec;
}

/* Solved well enough: whatever the solver says, the rows hold. */
static bool usable(const dd_nlp *nlp, const dd_nlp_result *result, double *c)
{
    double worst = 0;
    /* a solver's word is not enough: the rows are computed again */
    if (result->status != DD_NLP_OPTIMAL && result->status != DD_NLP_ACCEPTABLE) {
        return false;
    }
    if (!nlp->constraints(nlp->user, result->x, true, c)) {
        return false;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        worst = fmax(worst, outside(c[i], nlp->c_lower[i], nlp->c_upper[i]) / fmax(1, fabs(c[i])));
    }
    return worst <= SATISFIED;
}

static void read_groups(dd_relaxer *r, const dd_elastic *e, const dd_nlp_result *result, const uint32_t *number,
                        double *pressure)
{
    /* pressure: the multipliers of a group, summed up; it is the price of making the group hard again */
    dd_elastic_pressure(e, result->lambda, pressure);
    for (uint32_t g = 0; g < r->groups.len; g++) {
        dd_relax_group *q = &r->groups.data[g];
        q->slack = number[g] != HARD ? result->x[r->nlp->n + number[g]] : 0;
        q->pressure = number[g] != HARD ? pressure[number[g]] : 0;
    }
    for (uint32_t j = 0; j < r->nlp->n; j++) { /* bounds that stayed */
        uint32_t low = r->variable_lower[j], high = r->variable_upper[j];
        if (low != HARD && number[low] == HARD) {
            r->groups.data[low].pressure += result->z_lower[j];
        }
        if (high != HARD && number[high] == HARD) {
            r->groups.data[high].pressure += result->z_upper[j];
        }
    }
    memcpy(r->y, result->x, r->nlp->n * sizeof *r->y);
}

/* The solve itself: nothing here raises while the elastic program is there. work: 3 n + 2 m numbers, of the
 * elastic program. */
static dd_status run_elastic(dd_relaxer *r, const dd_elastic *e, const dd_elastic_spec *spec, const uint32_t *number,
                             double *work, bool *good)
{
    const dd_nlp *nlp = dd_elastic_nlp(e);
    size_t n = nlp->n, m = nlp->m;
    dd_nlp_result result = {.x = work, .z_lower = work + n, .z_upper = work + 2 * n, .lambda = work + 3 * n};
    double *c = result.lambda + m;
    memcpy(result.x, r->from, r->nlp->n * sizeof *work);
    first_slacks(r, spec, result.x, c);
    /* the same tolerance as always, but iterations and time are limited: this only explains a failure */
    dd_nlp_options options = dd_ocp_solver_options(r->p);
    options.max_iterations = r->most_iterations;
    options.user = &r->limited;
    options.progress = dd_limited_progress;
    options.stop = dd_limited_stop;
    dd_status status = dd_nlp_solve(r->p->ctx, nlp, &options, &result);
    *good = status == DD_OK && usable(nlp, &result, c);
    if (*good) {
        read_groups(r, e, &result, number, c);
    }
    return status;
}

/* Lets the chosen groups give way. True: slacks, pressures and y are those of a solution. */
static bool solve_elastic(dd_relaxer *r, const bool *chosen)
{
    dd_pool *outer = r->pool;
    dd_context *ctx = r->p->ctx;
    /* a pool per solve: a dozen of them may follow each other */
    r->pool = dd_pool_child(outer);
    uint32_t *number = dd_relax_indices(r, r->groups.len);
    dd_elastic_spec spec = specify(r, chosen, number);
    /* the elastic program at most doubles rows and turns bounds into rows; slacks are additional variables */
    size_t n = (size_t)r->nlp->n + r->groups.len, m = 2 * (size_t)r->nlp->m + 2 * (size_t)r->nlp->n + r->groups.len;
    double *work = dd_pool_alloc_array(r->pool, 3 * n + 2 * m + 1, sizeof *work);
    dd_nlp inner = *r->nlp;
    if (r->p->options.hessian == DD_OCP_BFGS) {
        inner.hessian = NULL;
        inner.hessian_nnz = 0;
    }
    dd_elastic *e;
    bool good = false;
    dd_status status = dd_elastic_new(&e, ctx, &inner, &spec);
    if (status == DD_OK) {
        status = run_elastic(r, e, &spec, number, work, &good);
        dd_elastic_free(e);
    }
    dd_pool_free(r->pool);
    r->pool = outer;
    if (status != DD_OK) {
        dd_raise(ctx, status, "%s", dd_pool_strdup(r->p->pool, dd_context_message(ctx)));
    }
    return good;
}

static bool time_left(const dd_relaxer *r)
{
    return dd_clock_seconds() < r->limited.deadline && dd_poll_stop(r->p->ctx) == DD_OK;
}

/* ---- constraints that have to give way ---- */

static double largest_slack(const dd_relaxer *r)
{
    double most = 0;
    /* in scaled units, so the largest is comparable between groups */
    for (uint32_t g = 0; g < r->groups.len; g++) {
        most = fmax(most, r->groups.data[g].slack);
    }
    return most;
}

static bool gives_way(const dd_relaxer *r, const dd_relax_group *g)
{
    /* relative too: a solver leaves small slacks everywhere beside a large one */
    return g->slack > SATISFIED && g->slack > SMALL_BESIDE * largest_slack(r);
}

static void choose_groups(const dd_relaxer *r, bool with_start, bool with_limits, bool *chosen)
{
    for (uint32_t g = 0; g < r->groups.len; g++) {
        const dd_relax_group *q = &r->groups.data[g];
        chosen[g] = (with_start || !q->first) && (with_limits || !q->limit);
    }
}

static dd_relaxation relaxation_of(const dd_relax_group *g)
{
    return (dd_relaxation){g->name, g->slack * g->unit * g->factor, g->slack * g->weight};
}

/* Constraints of a set, in the order of their cost. */
static void add_sorted(dd_relaxation item, dd_relaxation *list, uint32_t len)
{
    for (; len > 0 && list[len - 1].cost > item.cost; len--) {
        list[len] = list[len - 1];
    }
    list[len] = item;
}

typedef struct candidate {
    uint32_t group;
    double order; /* smaller first */
} candidate;

/* Those in conflict: positive slacks first, then by pressure; limits of controls last. */
static uint32_t list_candidates(dd_relaxer *r, candidate *list)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < r->groups.len; g++) {
        const dd_relax_group *q = &r->groups.data[g];
        /* in conflict: it gives way, or the multiplier says that something else gives way because of it */
        if (!gives_way(r, q) && q->pressure < TAKES_PART * q->weight) {
            continue;
        }
        /* slacks before pressures; limits (50) and starts (100) are far behind */
        candidate c = {g, (gives_way(r, q) ? 0 : 10 - fmin(1, q->pressure / q->weight)) + (q->limit ? 50 : 0) +
                              (q->first ? 100 : 0)};
        uint32_t at = n++;
        for (; at > 0 && list[at - 1].order > c.order; at--) {
            list[at] = list[at - 1];
        }
        list[at] = c;
    }
    return n;
}

/* After a solve that worked: nothing had to give way. The sum of slacks is minimised locally, so a solve in which fewer
 * constraints may give way can end at a point where all of them hold. */
static bool found_agreement(dd_relaxer *r)
{
    if (largest_slack(r) <= SATISFIED) {
        r->agree = true;
        memcpy(r->best, r->y, r->nlp->n * sizeof *r->best);
    }
    return r->agree;
}

/* Each alone: how much it would have to give, if that suffices. */
static uint32_t try_alone(dd_relaxer *r, const candidate *list, uint32_t n, dd_relaxation *found, bool *helps)
{
    bool *chosen = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *chosen);
    uint32_t made = 0;
    /* l1 solutions spread over few constraints already; here each is asked whether it suffices alone */
    for (uint32_t k = 0; k < n && k < MOST_ALONE && !r->agree && time_left(r); k++) {
        uint32_t g = list[k].group;
        /* a start value is only named when nothing else helps */
        if (r->groups.data[g].first && made > 0) {
            break;
        }
        /* this group elastic, everything else hard */
        memset(chosen, 0, r->groups.len * sizeof *chosen);
        chosen[g] = true;
        if (!solve_elastic(r, chosen) || found_agreement(r)) {
            continue;
        }
        /* a limit that must move by several times its range would be no explanation */
        if (r->groups.data[g].limit && r->groups.data[g].slack > FAR_OUT * r->groups.data[g].room) {
            continue;
        }
        dd_relaxation item = relaxation_of(&r->groups.data[g]);
        item.cost += r->groups.data[g].limit ? LIMIT_COST : 0;
        if (made == 0 || item.cost < found[0].cost) {
            memcpy(r->best, r->y, r->nlp->n * sizeof *r->best);
        }
        add_sorted(item, found, made++);
        helps[g] = true;
    }
    return made;
}

/* A set in which none can be spared. */
static void prune(dd_relaxer *r, bool *chosen)
{
    uint32_t tried = 0;
    /* one after the other becomes hard again; where that has no solution, the group is needed */
    for (uint32_t g = 0; g < r->groups.len && tried < MOST_PRUNED && !r->agree && time_left(r); g++) {
        if (!chosen[g]) {
            continue;
        }
        chosen[g] = false;
        tried++;
        if (!solve_elastic(r, chosen)) {
            chosen[g] = true;
        } else {
            found_agreement(r);
        }
    }
    /* the amounts of the set that is left */
    if (!r->agree && solve_elastic(r, chosen) && !found_agreement(r)) {
        memcpy(r->best, r->y, r->nlp->n * sizeof *r->best);
    }
}

static void report_set(dd_relaxer *r, const bool *chosen, dd_diagnosis *out)
{
    for (uint32_t g = 0; g < r->groups.len; g++) {
        if (chosen[g] && r->groups.data[g].slack > SATISFIED) {
            dd_relaxation item = relaxation_of(&r->groups.data[g]);
            dd_vec_push(r->p->pool, &out->relax, item);
        }
    }
}

static void report_conflict(dd_relaxer *r, const candidate *list, uint32_t n, const bool *named, dd_diagnosis *out)
{
    for (uint32_t k = 0; k < n; k++) {
        if (!named[list[k].group] && !r->groups.data[list[k].group].first) {
            dd_vec_push(r->p->pool, &out->conflict, r->groups.data[list[k].group].name);
        }
    }
}

/* After the solve with everything elastic. */
static void find_smallest(dd_relaxer *r, dd_diagnosis *out)
{
    /* candidates before any other solve: slacks and pressures are those of the full relaxation */
    candidate *list = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *list);
    bool *chosen = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *chosen);
    bool *named = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *named);
    uint32_t n = list_candidates(r, list);
    for (uint32_t g = 0; g < r->groups.len; g++) {
        chosen[g] = gives_way(r, &r->groups.data[g]);
    }
    dd_relax_group *kept = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *kept);
    memcpy(kept, r->groups.data, r->groups.len * sizeof *kept);
    /* the cheapest single one is the answer, the others are alternatives */
    dd_relaxation *alone = dd_pool_alloc_array(r->pool, MOST_ALONE + 1, sizeof *alone);
    uint32_t made = try_alone(r, list, n, alone, named);
    for (uint32_t k = 0; k < made; k++) {
        if (k == 0) {
            dd_vec_push(r->p->pool, &out->relax, alone[k]);
        } else {
            dd_vec_push(r->p->pool, &out->instead, alone[k]);
        }
    }
    /* no single one suffices: the smallest set that was found */
    if (made == 0) {
        memcpy(r->groups.data, kept, r->groups.len * sizeof *kept);
        memcpy(named, chosen, r->groups.len * sizeof *named);
        prune(r, chosen);
        report_set(r, chosen, out);
        if (out->relax.len == 0) { /* stopped before the end */
            memcpy(r->groups.data, kept, r->groups.len * sizeof *kept);
            report_set(r, named, out);
        }
    }
    report_conflict(r, list, n, named, out);
}

/* ---- other horizons ---- */

static double total_slack(const dd_relaxer *r)
{
    double sum = 0;
    for (uint32_t g = 0; g < r->groups.len; g++) {
        sum += r->groups.data[g].slack * r->groups.data[g].weight;
    }
    return sum;
}

/* The variable of a free final time; UINT32_MAX: there is none. */
static uint32_t final_time_column(const dd_relaxer *r)
{
    uint32_t j = 0;
    while (j < r->nlp->n && r->columns[j].kind != DD_COLUMN_FINAL_TIME) {
        j++;
    }
    return j < r->nlp->n ? j : UINT32_MAX;
}

/* A free final time whose guess is orders of magnitude off: what gives way then hardly depends on it, and the
 * elastic solve ends where it began. So other horizons are tried as well. After a solve with the chosen groups;
 * the best one stays. */
static void try_horizons(dd_relaxer *r, const bool *chosen)
{
    static const double factors[] = {10, 1e3, 1e5, 0.1, 1e-3, 1e-6};
    const dd_ocp_problem *o = r->t->o;
    uint32_t at = final_time_column(r), n = r->nlp->n, iterations = r->most_iterations;
    if (at == UINT32_MAX) {
        return;
    }
    /* each horizon begins from the guess with another final time; the best slacks are kept */
    dd_relax_group *kept = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *kept);
    double *start = dd_pool_alloc_array(r->pool, n + 1, sizeof *start), least = total_slack(r);
    const double *first = dd_elements_start(r->t->elements);
    double t0 = dd_transcription_time(r->t, first, 0), horizon = dd_transcription_time(r->t, first, 1) - t0;
    memcpy(kept, r->groups.data, r->groups.len * sizeof *kept);
    r->most_iterations = FEWER_ITERATIONS;
    for (size_t k = 0; k < sizeof factors / sizeof *factors && least > SATISFIED && time_left(r); k++) {
        double end = t0 + factors[k] * horizon;
        if (end < o->tf_lower || end > o->tf_upper) {
            continue;
        }
        /* only the final time changes: states of the guess are functions of theta */
        memcpy(start, first, n * sizeof *start);
        start[at] = end;
        r->from = start;
        dd_relax_units(r, start);
        /* clearly less, so that equal results keep the horizon of the guess */
        if (solve_elastic(r, chosen) && total_slack(r) < LESS * least) {
            least = total_slack(r);
            memcpy(kept, r->groups.data, r->groups.len * sizeof *kept);
            memcpy(r->best, r->y, n * sizeof *r->best);
        }
    }
    r->most_iterations = iterations;
    memcpy(r->groups.data, kept, r->groups.len * sizeof *kept);
    memcpy(r->y, r->best, n * sizeof *r->y);
}

static dd_relax_verdict run(dd_relaxer *r, dd_diagnosis *out)
{
    bool *chosen = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *chosen), good = false;
    const double *starts[] = {dd_elements_start(r->t->elements), r->p->result.x};
    /* from the guess, then from the last iterate; then starts may give way, at last limits of controls */
    for (int attempt = 0; attempt < 4 && !good && time_left(r); attempt++) {
        r->from = starts[attempt == 1];
        choose_groups(r, attempt >= 2, attempt >= 3, chosen);
        dd_relax_units(r, r->from);
        good = solve_elastic(r, chosen);
    }
    if (!good) {
        /* the model has no trajectory even without the constraints, or the time ran out before that was known */
        return time_left(r) ? DD_RELAX_IMPOSSIBLE : DD_RELAX_UNKNOWN;
    }
    /* the smallest sum of slacks; zero means that the constraints agree after all */
    memcpy(r->best, r->y, r->nlp->n * sizeof *r->best);
    if (largest_slack(r) > SATISFIED) {
        try_horizons(r, chosen);
    }
    if (largest_slack(r) <= SATISFIED) {
        return DD_RELAX_FEASIBLE;
    }
    /* the rest only distributes it: solves begin at the relaxed point and are short */
    r->most_iterations = FEWER_ITERATIONS;
    r->from = memcpy(dd_pool_alloc_array(r->pool, r->nlp->n + 1, sizeof *r->y), r->y, r->nlp->n * sizeof *r->y);
    find_smallest(r, out);
    if (r->agree) {
        out->relax.len = out->instead.len = out->conflict.len = 0;
    }
    return r->agree ? DD_RELAX_FEASIBLE : DD_RELAX_NEEDED;
}

static dd_relaxer new_relaxer(dd_ocp *p, double deadline)
{
    dd_relaxer r = {.p = p, .t = p->transcription, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
    r.limited = (dd_limited){p->ctx, deadline};
    r.most_iterations = MOST_ITERATIONS;
    r.columns = dd_ocp_columns(r.t, r.pool);
    r.y = dd_pool_alloc_array(r.pool, r.nlp->n + 1, sizeof *r.y);
    r.best = dd_pool_alloc_array(r.pool, r.nlp->n + 1, sizeof *r.best);
    dd_relax_groups(&r);
    dd_relax_assign_rows(&r);
    dd_relax_assign_variables(&r);
    return r;
}

dd_relax_verdict dd_ocp_relax(dd_ocp *p, double deadline, dd_diagnosis *out, double *y)
{
    dd_relaxer r = new_relaxer(p, deadline);
    dd_relax_verdict verdict = run(&r, out);
    if (verdict == DD_RELAX_FEASIBLE || verdict == DD_RELAX_NEEDED) {
        memcpy(y, r.best, r.nlp->n * sizeof *y);
    }
    dd_pool_free(r.pool);
    return verdict;
}

bool dd_ocp_in_conflict(dd_ocp *p, double deadline)
{
    dd_relaxer r = new_relaxer(p, deadline);
    bool *chosen = dd_pool_alloc_array(r.pool, r.groups.len + 1, sizeof *chosen);
    r.from = dd_elements_start(r.t->elements);
    /* constraints alone may give way: a conflict among them does not depend on the limits of controls */
    choose_groups(&r, false, false, chosen);
    dd_relax_units(&r, r.from);
    bool conflict = solve_elastic(&r, chosen) && largest_slack(&r) > CONFLICT;
    dd_pool_free(r.pool);
    return conflict;
}

/* A point anywhere: second derivatives that vanish at the guess by accident (those of v^3 at v = 0) do not there. */
static const double *any_point(const dd_ocp *p, uint64_t state, dd_pool *pool)
{
    const uint32_t n = p->transcription->nlp->n;
    const double *start = dd_elements_start(p->transcription->elements);
    double *y = dd_pool_alloc_array(pool, n + 1, sizeof *y);
    for (uint32_t i = 0; i < n; i++) {
        y[i] = start[i] + fmax(1, fabs(start[i])) * dd_random(&state);
    }
    return y;
}

/* Linear rows have the same slopes everywhere: at the guess, at the result, and at points elsewhere. */
bool dd_ocp_rows_linear(dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    dd_pool *pool = dd_pool_child(p->pool);
    const double *points[] = {any_point(p, 1, pool), any_point(p, 2, pool), p->result.x};
    double *at_start = dd_pool_alloc_array(pool, nlp->jacobian_nnz + 1, sizeof *at_start);
    double *values = dd_pool_alloc_array(pool, nlp->jacobian_nnz + 1, sizeof *values);
    bool linear = nlp->jacobian(nlp->user, dd_elements_start(p->transcription->elements), true, at_start);
    for (size_t k = 0; k < sizeof points / sizeof *points && linear; k++) {
        linear = nlp->jacobian(nlp->user, points[k], true, values);
        for (uint32_t e = 0; e < nlp->jacobian_nnz && linear; e++) {
            linear = fabs(values[e] - at_start[e]) <= NO_CURVATURE * fmax(1, fabs(at_start[e]));
        }
    }
    dd_pool_free(pool);
    return linear;
}
