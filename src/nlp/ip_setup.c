/* ip_setup.c - memory of the interior-point solver, scaling, bounds and the first point (W&B section 3.6). */
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"
#include "nlp/kkt_kinds.h"
#include "nlp/scaling.h"

/* bounds give way by this part of their size: a feasible set of one point has an interior. 1e-8, as other solvers take,
 * changes the eighth digit of the optimum */
#define RELAXED 1e-10
#define MOST_RELAXED 1e-5 /* and never by more in the user's units: large bounds are bounds too */
#define PUSH 1e-2         /* kappa_1 and kappa_2: distance of the first point from its bounds */
#define WARM_PUSH 1e-8    /* the same for a point that is near the solution */
#define FIRST_MULTIPLIER 1.0
#define WARM_MULTIPLIER 1e-8 /* the least of a warm start */
#define HOLDS 1e-6           /* scaled rows at the start that hold: multipliers there are those of a point nearby */
#define MOST_MULTIPLIER 1e3  /* larger estimates of the multipliers of rows at the start are not trusted */
#define DAMPING 1e-5         /* kappa_d: keeps variables with one bound from running off along flat directions */
#define FIRST_BARRIER 0.1
#define LONG_ROW 64      /* entries of a row of the Hessian, as that of a free time: its products go row by row */
#define FILTER_ROOM 1024 /* pairs; it is emptied with every new barrier, so that more are rare */

static double *take(double **memory, size_t length)
{
    double *place = *memory;
    *memory += length;
    return place;
}

/* ---- what both phases share ---- */

/* A row without bounds decides nothing: its derivatives are set to zero. */
static bool has_bound(const dd_nlp *nlp, uint32_t row)
{
    return isfinite(nlp->c_lower[row]) || isfinite(nlp->c_upper[row]);
}

/* Where the entries of every row end, if they come row by row. */
static bool find_ends(const uint32_t *row, uint32_t entries, uint32_t rows, uint32_t *end)
{
    bool by_rows = true;
    for (uint32_t k = 1; k < entries; k++) {
        by_rows &= row[k] >= row[k - 1];
    }
    memset(end, 0, rows * sizeof *end);
    for (uint32_t k = 0; k < entries && by_rows; k++) {
        end[row[k]] = k + 1;
    }
    for (uint32_t i = 1; i < rows && by_rows; i++) {
        end[i] = end[i] > 0 ? end[i] : end[i - 1];
    }
    return by_rows;
}

/* The kinds of rows and variables. */
static void classify(dd_ip_base *b)
{
    const dd_nlp *nlp = b->nlp;
    for (uint32_t i = 0; i < nlp->n; i++) {
        b->fixed[i] = nlp->x_lower[i] == nlp->x_upper[i];
        b->any_fixed = b->any_fixed || b->fixed[i];
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        b->equality[i] = nlp->c_lower[i] == nlp->c_upper[i];
        b->idle[i] = !has_bound(nlp, i);
        b->any_idle = b->any_idle || b->idle[i];
    }
    b->square = dd_ip_is_square(b);
    /* entries row by row: products then need no list of rows */
    b->by_rows = find_ends(nlp->jacobian_row, nlp->jacobian_nnz, nlp->m, b->row_end);
    bool sorted = find_ends(nlp->hessian_row, nlp->hessian_nnz, nlp->n, b->hessian_end);
    uint32_t longest = 0;
    for (uint32_t i = 0; i < nlp->n && sorted; i++) {
        uint32_t length = b->hessian_end[i] - (i > 0 ? b->hessian_end[i - 1] : 0);
        longest = length > longest ? length : longest;
    }
    b->hessian_end = longest >= LONG_ROW ? b->hessian_end : NULL;
}

/* Factors of every entry of the derivatives, so that scaling them is one product each. */
static void set_entry_scaling(dd_ip_base *b)
{
    const dd_nlp *nlp = b->nlp;
    b->scaled_jacobian = b->scaled_x || b->scaled_c || b->any_idle;
    for (uint32_t k = 0; k < nlp->jacobian_nnz && b->scaled_jacobian; k++) {
        uint32_t row = nlp->jacobian_row[k];
        b->jacobian_scale[k] = b->idle[row] ? 0 : b->c_scale[row] / b->x_scale[nlp->jacobian_col[k]];
    }
    for (uint32_t k = 0; k < nlp->hessian_nnz && nlp->hessian != NULL && b->scaled_x; k++) {
        b->hessian_scale[k] = 1 / (b->x_scale[nlp->hessian_row[k]] * b->x_scale[nlp->hessian_col[k]]);
    }
}

/* W&B section 3.6: by kappa_1 max(1, |bound|), but at most kappa_2 of the distance of two bounds */
static double pushed_inside(double lower, double upper, double value, double push)
{
    const double width = upper - lower;
    if (isfinite(lower)) {
        value = fmax(value, lower + fmin(push * fmax(1, fabs(lower)), push * width));
    }
    if (isfinite(upper)) {
        value = fmin(value, upper - fmin(push * fmax(1, fabs(upper)), push * width));
    }
    return value;
}

static double push_of(const dd_nlp_options *o)
{
    return o->push > 0 ? o->push : o->warm ? WARM_PUSH : PUSH;
}

static void set_scaling(dd_ip_base *b, double *memory)
{
    const dd_nlp *nlp = b->nlp;
    /* sizes at the caller's point, as far inside its bounds as the solver will begin: on a bound log(x) has slopes that say
     * nothing; a fixed objective scale of the options wins */
    const double push = push_of(b->options);
    for (uint32_t i = 0; i < nlp->n; i++) {
        b->x[i] = pushed_inside(nlp->x_lower[i], nlp->x_upper[i], b->result->x[i], push);
    }
    dd_nlp_scaling s = dd_nlp_find_scaling(nlp, b->x, memory);
    b->x_scale = s.x;
    b->c_scale = s.c;
    b->f_scale = b->options->objective_scale > 0 ? b->options->objective_scale : s.objective;
    /* it has worked on what becomes the Hessian, where nothing else is written without second derivatives */
    if (nlp->hessian == NULL) {
        memset(b->hessian, 0, nlp->hessian_nnz * sizeof *b->hessian);
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        b->scaled_x = b->scaled_x || b->x_scale[i] != 1;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        b->scaled_c = b->scaled_c || b->c_scale[i] != 1;
    }
    set_entry_scaling(b);
}

void dd_ip_look_at_scaling(dd_ip *ip, dd_nlp_status status)
{
    dd_ip_base *b = ip->base;
    const dd_nlp_scaling s = {.objective = b->f_scale, .x = b->x_scale, .c = b->c_scale};
    const dd_nlp_scaled now = {.objective = ip->now.objective, .gradient = ip->gradient, .jacobian = b->jacobian};
    b->scaling_holds = status == DD_NLP_OPTIMAL && b->options->objective_scale <= 0 && b->options->memory != NULL &&
                       dd_nlp_scaling_holds(b->nlp, &s, &now, ip->sc);
}

/* Can the factors of the solve before be used again? Sizes of variables are the caller's. */
static bool keeps_scaling(const dd_ip_base *b)
{
    const dd_nlp *nlp = b->nlp;
    bool keeps = b->scaling_holds && b->options->warm && b->options->objective_scale <= 0;
    for (uint32_t i = 0; i < nlp->n && keeps; i++) {
        const double scale = nlp->x_size != NULL ? 1 / nlp->x_size[i] : 1;
        keeps = b->x_scale[i] == scale;
    }
    return keeps;
}

/* Scale factors at the caller's point, which is also the best so far. A solve that begins near the solution before, as those
 * of a closed loop do, keeps the factors that were right there: two evaluations of all functions with their derivatives are an
 * eighth of a solve with two iterations. */
static void begin_solve(dd_ip_base *b)
{
    const dd_nlp *nlp = b->nlp;
    if (!keeps_scaling(b)) {
        b->scaled_x = b->scaled_c = false;
        set_scaling(b, b->scaling);
    }
    b->scaling_holds = false;
    for (uint32_t i = 0; i < nlp->m; i++) {
        b->rhs[i] = b->equality[i] ? b->c_scale[i] * nlp->c_lower[i] : 0;
    }
    memcpy(b->best, b->result->x, b->nlp->n * sizeof *b->best);
    b->best_objective = b->best_violation = INFINITY;
}

bool dd_ip_base_fits(const dd_ip_base *b, const dd_nlp *nlp, const dd_nlp_options *options)
{
    const dd_kkt_pattern *p = &b->pattern;
    /* patterns by their place: they belong to the program and do not change */
    bool fits = p->n == nlp->n && p->m == nlp->m && p->hessian_nnz == nlp->hessian_nnz &&
                p->jacobian_nnz == nlp->jacobian_nnz && p->hessian_row == nlp->hessian_row &&
                p->jacobian_row == nlp->jacobian_row && p->shape == nlp->shape &&
                (b->quasi == NULL) == (nlp->hessian != NULL) && options->team == (b->own_team != NULL ? NULL : b->team);
    for (uint32_t i = 0; i < nlp->n && fits; i++) {
        fits = b->fixed[i] == (nlp->x_lower[i] == nlp->x_upper[i]);
    }
    for (uint32_t i = 0; i < nlp->m && fits; i++) {
        fits = b->equality[i] == (nlp->c_lower[i] == nlp->c_upper[i]) && b->idle[i] == !has_bound(nlp, i);
    }
    return fits;
}

void dd_ip_base_again(dd_ip_base *b)
{
    b->evaluated = 0;
    b->jacobian_factored = false; /* the scaling may use its place */
    b->careful = b->care_failed = false;
    b->seconds_evaluate = b->seconds_factor = 0;
    b->iterations = b->factorizations = 0;
    b->stopped = b->failed = false;
    b->status = DD_OK;
    if (b->quasi != NULL) {
        dd_ip_quasi_forget(b->quasi);
    }
    begin_solve(b);
}

dd_status dd_ip_base_new(dd_ip_base *b)
{
    const dd_nlp *nlp = b->nlp;
    size_t n = nlp->n, m = nlp->m, nj = nlp->jacobian_nnz, nh = nlp->hessian_nnz;
    /* one block: doubles first, then lists, then flags. What the scaling needs for a while shares its place with the
     * derivatives, and nothing is cleared: memory that is not used is never touched */
    size_t kept = dd_nlp_scaling_kept(nlp), work = dd_nlp_scaling_memory(nlp) - kept;
    size_t entries = 2 * nj + 2 * nh > work ? 2 * nj + 2 * nh : work;
    size_t doubles = 2 * n + 2 * m + kept + entries;
    b->bytes = doubles * sizeof(double) + (m + n + 2) * sizeof(uint32_t) + (n + 2 * m + 3) * sizeof(bool);
    b->memory = dd_mem_new(b->ctx, b->bytes);
    if (b->memory == NULL) {
        return dd_fail(b->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    b->team = b->options->team;
    if (b->team == NULL) {
        dd_status status = dd_team_new(&b->own_team, b->ctx, b->options->threads);
        if (status != DD_OK) {
            return status;
        }
        b->team = b->own_team;
    }
    double *memory = b->memory;
    b->x = take(&memory, n);
    b->best = take(&memory, n);
    b->lambda = take(&memory, m);
    b->rhs = take(&memory, m);
    b->scaling = take(&memory, kept);
    b->jacobian = memory;
    b->hessian = b->jacobian + nj;
    b->jacobian_scale = b->hessian + nh;
    b->hessian_scale = b->jacobian_scale + nj;
    b->row_end = (void *)(memory + entries);
    b->hessian_end = b->row_end + m + 1;
    b->fixed = (void *)(b->hessian_end + n + 1);
    b->equality = b->fixed + n;
    b->idle = b->equality + m;
    classify(b);
    begin_solve(b);
    /* the linear systems: one pattern for the whole solve */
    b->pattern = dd_kkt_pattern_of(nlp, b->fixed, b->equality);
    b->pattern.team = b->team;
    dd_status status = dd_kkt_make(&b->kkt, b->ctx, &b->pattern);
    if (status == DD_OK && nlp->hessian == NULL) {
        status = dd_ip_quasi_new(&b->quasi, b->ctx, nlp->n, nlp->m);
    }
    return status;
}

void dd_ip_base_free(dd_ip_base *b)
{
    dd_ip_quasi_free(b->quasi, b->ctx);
    dd_kkt_free(b->kkt);
    dd_team_free(b->own_team);
    dd_mem_free(b->ctx, b->memory, b->bytes);
}

/* ---- a phase ---- */

static uint32_t count_auxiliary(const dd_ip_base *b, bool elastic)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->nlp->m; i++) {
        bool bounded = has_bound(b->nlp, i);
        count += !b->equality[i] && bounded ? 1 : 0;
        count += elastic && bounded ? 2 : 0;
    }
    return count;
}

/* A bound in scaled units that gives way a little; scale: its factor. */
static double relaxed(double bound, double direction, double scale)
{
    /* in the user's units where those are larger than the scaled ones */
    double by = fmin(RELAXED * fmax(fmin(1, scale), fabs(bound)), MOST_RELAXED * scale);
    return isfinite(bound) ? bound + direction * by : bound;
}

static void add_auxiliary(dd_ip *ip, uint32_t row, double sign, double cost, double lower, double upper)
{
    uint32_t t = ip->nt++;
    ip->row[t] = row;
    ip->sign[t] = sign;
    ip->cost[t] = cost;
    ip->lower[ip->n + t] = lower;
    ip->upper[ip->n + t] = upper;
}

static void set_bounds(dd_ip *ip)
{
    const dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    for (uint32_t i = 0; i < ip->n; i++) {
        ip->lower[i] = b->fixed[i] ? -INFINITY : relaxed(nlp->x_lower[i] * b->x_scale[i], -1, b->x_scale[i]);
        ip->upper[i] = b->fixed[i] ? INFINITY : relaxed(nlp->x_upper[i] * b->x_scale[i], 1, b->x_scale[i]);
    }
    /* inequalities first, so that the first auxiliary variables of both phases agree; then the elastic ones */
    for (uint32_t i = 0; i < ip->m; i++) {
        if (!b->equality[i] && has_bound(nlp, i)) {
            add_auxiliary(ip, i, -1, 0, relaxed(nlp->c_lower[i] * b->c_scale[i], -1, b->c_scale[i]),
                          relaxed(nlp->c_upper[i] * b->c_scale[i], 1, b->c_scale[i]));
        }
    }
    for (uint32_t i = 0; i < ip->m && ip->outer != NULL; i++) {
        if (has_bound(nlp, i)) {
            add_auxiliary(ip, i, -1, DD_IP_ELASTIC, 0, INFINITY);
            add_auxiliary(ip, i, 1, DD_IP_ELASTIC, 0, INFINITY);
        }
    }
    ip->nw = ip->n + ip->nt;
    /* lists of the bounds there are; one-sided ones are damped towards their bound */
    for (uint32_t i = 0; i < ip->nw; i++) {
        bool low = isfinite(ip->lower[i]), high = isfinite(ip->upper[i]);
        if (low) {
            ip->low[ip->n_low++] = i;
        }
        if (high) {
            ip->high[ip->n_high++] = i;
        }
        ip->damping[i] = low && !high ? DAMPING : high && !low ? -DAMPING : 0;
    }
}

dd_status dd_ip_new(dd_ip *ip, dd_ip_base *b, dd_ip *outer)
{
    uint32_t nt = count_auxiliary(b, outer != NULL);
    size_t n = b->nlp->n, m = b->nlp->m, nw = n + nt;
    void *before = ip->memory;
    double(*pairs)[2] = ip->filter.pairs;
    const size_t bytes_before = ip->bytes;
    const uint32_t room = ip->filter.room;
    *ip = (dd_ip){.base = b, .outer = outer, .n = b->nlp->n, .m = b->nlp->m};
    /* one block: doubles, then lists */
    size_t doubles = 19 * nw + 11 * m + 3 * n + 2 * (size_t)nt + dd_ip_watch_length(nw, m);
    ip->bytes = doubles * sizeof(double) + (2 * nw + nt + m + 1) * sizeof(uint32_t);
    /* a program that fits has as many auxiliary variables as the one before */
    ip->memory = before != NULL && bytes_before == ip->bytes ? before : dd_mem_new(b->ctx, ip->bytes);
    ip->filter.room = pairs != NULL ? room : FILTER_ROOM;
    ip->filter.pairs = pairs != NULL ? pairs : dd_mem_new(b->ctx, FILTER_ROOM * sizeof *ip->filter.pairs);
    if (before != NULL && ip->memory != before) {
        dd_mem_free(b->ctx, before, bytes_before);
    }
    if (ip->memory == NULL || ip->filter.pairs == NULL) {
        return dd_fail(b->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    double *memory = ip->memory;
    double **const of_w[] = {&ip->lower, &ip->upper, &ip->damping, &ip->now.w,       &ip->trial.w,     &ip->zl,
                             &ip->zu,    &ip->dual,  &ip->dzl,     &ip->dzu,         &ip->sw,          &ip->sigma,
                             &ip->p,     &ip->rw,    &ip->ew,      &ip->low_inverse, &ip->high_inverse};
    double **const of_c[] = {&ip->now.c, &ip->trial.c, &ip->y,  &ip->q,        &ip->rc,
                             &ip->ec,    &ip->sy,      &ip->sc, &ip->row_delta};
    double **const of_x[] = {&ip->gradient, &ip->reference, &ip->weight};
    for (size_t i = 0; i < sizeof of_w / sizeof *of_w; i++) {
        *of_w[i] = take(&memory, nw);
    }
    for (size_t i = 0; i < sizeof of_c / sizeof *of_c; i++) {
        *of_c[i] = take(&memory, m);
    }
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++) {
        *of_x[i] = take(&memory, n);
    }
    /* solutions of linear systems: both halves of one vector, if there are no auxiliary variables, and solved in place */
    ip->dw = take(&memory, nw);
    ip->dy = take(&memory, m);
    ip->aw = take(&memory, nw);
    ip->ac = take(&memory, m);
    ip->watch_memory = take(&memory, dd_ip_watch_length(nw, m));
    ip->sign = take(&memory, nt);
    ip->cost = take(&memory, nt);
    ip->row = (void *)memory;
    ip->low = ip->row + nt;
    ip->high = ip->low + nw;
    ip->found = ip->high + nw;
    /* the rest is written before it is read */
    memset(ip->zl, 0, nw * sizeof *ip->zl);
    memset(ip->zu, 0, nw * sizeof *ip->zu);
    memset(ip->dw, 0, nw * sizeof *ip->dw);
    memset(ip->y, 0, m * sizeof *ip->y);
    set_bounds(ip);
    return DD_OK;
}

void dd_ip_free(dd_ip *ip)
{
    if (ip->base == NULL) {
        return;
    }
    dd_mem_free(ip->base->ctx, ip->filter.pairs, ip->filter.room * sizeof *ip->filter.pairs);
    dd_mem_free(ip->base->ctx, ip->memory, ip->bytes);
    *ip = (dd_ip){0};
}

/* ---- where to begin ---- */

double dd_ip_inside(const dd_ip *ip, uint32_t i, double value, double push)
{
    return pushed_inside(ip->lower[i], ip->upper[i], value, push);
}

/* Values of the auxiliary variables of inequalities: those of their rows. */
static bool set_slacks(dd_ip *ip, double push)
{
    for (uint32_t t = 0; t < ip->nt; t++) {
        ip->now.w[ip->n + t] = 0;
    }
    if (!dd_ip_evaluate(ip, &ip->now)) {
        return false;
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        double value = ip->now.c[ip->row[t]]; /* with t = 0 the residual is the row itself */
        ip->now.w[ip->n + t] = dd_ip_inside(ip, ip->n + t, value, push);
    }
    return true;
}

/* Multipliers of a solve before: those of slacks follow from those of their rows, since cost - zl + zu + sign y = 0. */
static void take_multipliers(dd_ip *ip)
{
    const dd_ip_base *b = ip->base;
    const dd_nlp_result *r = b->result;
    for (uint32_t i = 0; i < ip->m; i++) {
        ip->y[i] = r->lambda[i] * b->f_scale / b->c_scale[i];
    }
    for (uint32_t i = 0; i < ip->nw; i++) {
        double factor = i < ip->n ? b->f_scale / b->x_scale[i] : 0;
        double low = i < ip->n ? r->z_lower[i] * factor : -ip->y[ip->row[i - ip->n]];
        double high = i < ip->n ? r->z_upper[i] * factor : ip->y[ip->row[i - ip->n]];
        ip->zl[i] = isfinite(ip->lower[i]) ? fmax(low, WARM_MULTIPLIER) : 0;
        ip->zu[i] = isfinite(ip->upper[i]) ? fmax(high, WARM_MULTIPLIER) : 0;
    }
}

static void first_multipliers(dd_ip *ip)
{
    for (uint32_t k = 0; k < ip->n_low; k++) {
        ip->zl[ip->low[k]] = FIRST_MULTIPLIER;
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        ip->zu[ip->high[k]] = FIRST_MULTIPLIER;
    }
}

/* W&B (36): y that makes the gradient of the Lagrangian smallest, from [I A^T; A 0]; zero where that is large. */
void dd_ip_least_squares_multipliers(dd_ip *ip, double most)
{
    memset(ip->y, 0, ip->m * sizeof *ip->y);
    dd_ip_lagrangian(ip);
    for (uint32_t i = 0; i < ip->nw; i++) {
        ip->rw[i] = -ip->dual[i];
    }
    memset(ip->rc, 0, ip->m * sizeof *ip->rc);
    if (ip->m == 0 || !dd_ip_factor_plain(ip, 1) || !dd_ip_solve(ip, ip->rw, ip->rc, ip->dw, ip->y)) {
        memset(ip->y, 0, ip->m * sizeof *ip->y);
    }
    double largest = 0;
    for (uint32_t i = 0; i < ip->m; i++) {
        largest = fmax(largest, fabs(ip->y[i]));
    }
    if (!(largest <= most)) {
        memset(ip->y, 0, ip->m * sizeof *ip->y);
    }
    dd_ip_lagrangian(ip);
}

bool dd_ip_start(dd_ip *ip)
{
    dd_ip_base *b = ip->base;
    const dd_nlp_options *o = b->options;
    const double push = push_of(o);
    for (uint32_t i = 0; i < ip->n; i++) {
        double x = b->fixed[i] ? b->nlp->x_lower[i] : b->result->x[i];
        ip->now.w[i] = dd_ip_inside(ip, i, x * b->x_scale[i], push);
    }
    dd_ip_set_barrier(ip, o->barrier > 0 ? o->barrier : FIRST_BARRIER);
    /* functions at the point, then with the slacks on their rows */
    if (!set_slacks(ip, push) || (ip->nt > 0 && !dd_ip_evaluate(ip, &ip->now))) {
        return false;
    }
    if (o->warm) {
        take_multipliers(ip);
        return dd_ip_derivatives(ip);
    }
    first_multipliers(ip);
    if (!dd_ip_derivatives(ip)) {
        return false;
    }
    /* they have the size of the gradient: where the rows hold, a cost in other units must not lose them */
    const bool holds = dd_ip_largest(ip->now.c, ip->m) <= HOLDS;
    const double size = holds ? fmax(1, dd_ip_largest(ip->gradient, ip->n)) : 1;
    dd_ip_least_squares_multipliers(ip, MOST_MULTIPLIER * size);
    return true;
}
