/* statistics.c - residuals counted in the objective; one factorisation of the matrix of the optimality conditions. */
#include "ocp/statistics.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "nlp/kkt_kinds.h"
#include "ocp/squares.h"

#define ACTIVE 1e-6          /* nearer to a bound than this, relative, it is active when its multiplier is larger */
#define REGULARISATION 1e-13 /* of dependent rows */
#define PAYS 0.1             /* a refinement leaves this part or less of the residuals */
#define LOST 1e-6 /* residuals of a unit right-hand side: beyond them the fast factorisation is not trusted */

/* ---- counting residuals ---- */

uint32_t dd_ocp_residual_count(const dd_ocp_problem *o)
{
    dd_pool *pool = dd_pool_child(o->pool);
    dd_square_term_vec terms = {0};
    const bool squares =
        dd_ocp_squares(o, o->mayer, false, &terms, pool) && dd_ocp_squares(o, o->integrand, true, &terms, pool);
    uint32_t count = 0;
    /* under an integral a residual is sampled where the data have rows: those inside the horizon */
    for (uint32_t i = 0; squares && i < terms.len; i++) {
        uint32_t rows = 1;
        if (terms.data[i].integral) {
            dd_ocp_square_rows(o, terms.data[i].r, &rows);
        }
        count += rows;
    }
    dd_pool_free(pool);
    return count;
}

/* ---- the matrix ---- */

/* The optimality conditions at the solution, [H A^T; A -q], with what is active as equalities. */
typedef struct conditions {
    dd_ocp *p;
    const dd_nlp *nlp;
    dd_pool *pool;
    bool *fixed;   /* n: at a bound */
    bool *holds;   /* m: with equality */
    double *h, *a; /* entries of the Hessian, divided by the largest, and of the Jacobian; 0 in rows that do not hold */
    double size;   /* of the Hessian */
    double *none, *q;      /* n, m */
    double *column, *rest; /* n + m: of the inverse; what it leaves of the right-hand side */
    double *correction;    /* n + m */
} conditions;

static bool active(double value, double bound, double multiplier)
{
    /* strictly complementary: nearer to the bound than the multiplier is large */
    double distance = fabs(value - bound);
    return isfinite(bound) && distance <= ACTIVE * fmax(1, fabs(bound)) && fabs(multiplier) >= distance;
}

static void find_active(conditions *c)
{
    const dd_nlp *nlp = c->nlp;
    const dd_nlp_result *r = &c->p->result;
    double *g = dd_pool_alloc_array(c->pool, nlp->m + 1, sizeof *g);
    c->fixed = dd_pool_alloc_array(c->pool, nlp->n + 1, sizeof *c->fixed);
    c->holds = dd_pool_alloc_array(c->pool, nlp->m + 1, sizeof *c->holds);
    nlp->constraints(nlp->user, r->x, true, g);
    /* active bounds fix their variable, active rows become equalities: the KKT matrix of an equality-constrained
     * problem */
    for (uint32_t i = 0; i < nlp->n; i++) {
        c->fixed[i] =
            active(r->x[i], nlp->x_lower[i], r->z_lower[i]) || active(r->x[i], nlp->x_upper[i], r->z_upper[i]);
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        c->holds[i] = nlp->c_lower[i] == nlp->c_upper[i] || active(g[i], nlp->c_lower[i], r->lambda[i]) ||
                      active(g[i], nlp->c_upper[i], r->lambda[i]);
    }
}

static bool determines(const dd_nlp *nlp, uint32_t row)
{
    return nlp->shape != NULL && nlp->shape->determines[row] != DD_DETERMINES_NONE;
}

static void set_values(conditions *c)
{
    const dd_nlp *nlp = c->nlp;
    const dd_nlp_result *r = &c->p->result;
    const size_t unknowns = (size_t)nlp->n + nlp->m + 1;
    c->h = dd_pool_alloc_array(c->pool, nlp->hessian_nnz + 1, sizeof *c->h);
    c->a = dd_pool_alloc_array(c->pool, nlp->jacobian_nnz + 1, sizeof *c->a);
    c->none = dd_pool_alloc_array(c->pool, nlp->n + 1, sizeof *c->none);
    c->q = dd_pool_alloc_array(c->pool, nlp->m + 1, sizeof *c->q);
    c->column = dd_pool_alloc_array(c->pool, unknowns, sizeof *c->column);
    c->rest = dd_pool_alloc_array(c->pool, unknowns, sizeof *c->rest);
    c->correction = dd_pool_alloc_array(c->pool, unknowns, sizeof *c->correction);
    /* Hessian of the Lagrangian and Jacobian at the solution; residuals may be tiny, and with them the Hessian */
    nlp->hessian(nlp->user, r->x, true, 1, r->lambda, c->h);
    nlp->jacobian(nlp->user, r->x, false, c->a);
    double size = 0;
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        size = fmax(size, fabs(c->h[k]));
    }
    c->size = size > 0 ? size : 1;
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        c->h[k] /= c->size;
    }
    /* rows that do not hold have no say; others are regularised a little where they may depend on each other */
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        c->a[k] = c->holds[nlp->jacobian_row[k]] ? c->a[k] : 0;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        c->q[i] = !c->holds[i] ? 1 : determines(nlp, i) ? 0 : REGULARISATION;
    }
}

/* What the column leaves of the unit vector of a variable; the largest component. */
static double set_rest(conditions *c, uint32_t unit)
{
    const dd_nlp *nlp = c->nlp;
    const double *dx = c->column, *dy = c->column + nlp->n;
    double *x = c->rest, *y = c->rest + nlp->n, largest = 0;
    for (uint32_t i = 0; i < nlp->n; i++) {
        x[i] = i == unit ? 1 : 0;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        y[i] = c->q[i] * dy[i];
    }
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        const uint32_t i = nlp->hessian_row[k], j = nlp->hessian_col[k];
        x[i] -= c->h[k] * dx[j];
        x[j] -= i != j ? c->h[k] * dx[i] : 0;
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        const uint32_t i = nlp->jacobian_row[k], j = nlp->jacobian_col[k];
        x[j] -= c->a[k] * dy[i];
        y[i] -= c->a[k] * dx[j];
    }
    for (uint32_t i = 0; i < nlp->n + nlp->m; i++) {
        c->rest[i] = i < nlp->n && c->fixed[i] ? 0 : c->rest[i];
        largest = fmax(largest, fabs(c->rest[i]));
    }
    return largest;
}

/* ---- the answer ---- */

typedef struct solving {
    conditions *c;
    dd_kkt_system *system;
    double *inverse; /* p x p: of the reduced Hessian, in the user's units */
    bool regular;
} solving;

static void must(dd_ocp *p, dd_status status)
{
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_status_text(status));
    }
}

/* Regular up to rows that depend on others. */
static bool factor(solving *s, bool careful)
{
    const conditions *c = s->c;
    const dd_kkt_values values = {.hessian = c->h, .jacobian = c->a, .p = c->none, .q = c->q, .careful = careful};
    dd_kkt_inertia inertia = {0};
    must(c->p, s->system->kind->factor(s->system, &values, &inertia));
    return !inertia.broken && inertia.zero == s->system->kind->dependent(s->system, NULL, 0);
}

/* The column of the inverse that belongs to a variable; what is left of the right-hand side, relative to the terms. */
static double solve_column(const solving *s, uint32_t unit)
{
    conditions *c = s->c;
    const uint32_t n = c->nlp->n, unknowns = n + c->nlp->m;
    double left = INFINITY, before;
    memset(c->column, 0, unknowns * sizeof *c->column);
    c->column[unit] = 1;
    s->system->kind->solve(s->system, c->column, c->column + n);
    /* refined while it pays */
    do {
        before = left;
        left = set_rest(c, unit);
        memcpy(c->correction, c->rest, unknowns * sizeof *c->rest);
        s->system->kind->solve(s->system, c->correction, c->correction + n);
        for (uint32_t i = 0; i < unknowns && left < PAYS * before; i++) {
            c->column[i] += c->correction[i];
        }
    } while (left < PAYS * before && left > 0);
    return fmin(left, before);
}

static void solve_for_parameters(void *user)
{
    solving *s = user;
    const conditions *c = s->c;
    dd_ocp *p = c->p;
    const dd_ocp_problem *o = p->problem;
    const dd_nlp *nlp = c->nlp;
    const dd_kkt_pattern pattern = dd_kkt_pattern_of(nlp, c->fixed, c->holds);
    const uint32_t first = p->transcription->p_at, n = o->p.len;
    must(p, dd_kkt_make(&s->system, p->ctx, &pattern));
    s->regular = factor(s, false);
    bool careful = false;
    /* column i of the inverse: the parameter's rows of the solution with a unit right side. That is the inverse
     * of the reduced Hessian; scales take it back to the user's units */
    for (uint32_t i = 0; i < n && s->regular; i++) {
        const bool fixed = c->fixed[first + i];
        if (!fixed && !(solve_column(s, first + i) <= LOST) && !careful) {
            careful = true;
            s->regular = factor(s, true) && solve_column(s, first + i) <= LOST;
        }
        for (uint32_t j = 0; j < n; j++) {
            const double entry = fixed || c->fixed[first + j] ? 0 : c->column[first + j] / c->size;
            s->inverse[i * n + j] = entry * o->p.data[i].scale * o->p.data[j].scale;
        }
    }
}

/* Estimated beside the parameters: start values that nothing fixes. */
static uint32_t free_starts(const dd_ocp_problem *o)
{
    return o->start_known ? 0 : o->system->missing;
}

static double variance(const dd_ocp *p, struct dd_statistics *s)
{
    const dd_ocp_problem *o = p->problem;
    /* an integral of squares is the sum over samples times horizon / n */
    double given = o->model->optimization->data_sigma, horizon = p->info.final_time - p->info.start_time;
    bool integral = o->integrand != DD_EXPR_NONE && o->mayer == DD_EXPR_NONE;
    double weight = integral ? s->residuals / horizon : 1; /* of the integral in the sum over samples */
    s->given = given > 0;
    /* s^2 = sum r^2 / (n - p): unbiased, p values were estimated from the n residuals */
    s->sigma = given > 0 ? given : sqrt(weight * fabs(p->info.objective) / (s->residuals - s->estimated));
    return s->sigma * s->sigma / weight;
}

static bool fill(dd_ocp *p, struct dd_statistics *s, const solving *v)
{
    uint32_t n = p->problem->p.len;
    /* cov = 2 sigma^2 H^-1: the Hessian of sum r^2 is 2 J^T J */
    double factor = 2 * variance(p, s);
    s->deviation = dd_pool_alloc_array(p->pool, n + 1, sizeof *s->deviation);
    s->correlation = dd_pool_alloc_array(p->pool, (size_t)n * n + 1, sizeof *s->correlation);
    for (uint32_t i = 0; i < n; i++) {
        bool at_bound = v->c->fixed[p->transcription->p_at + i];
        double d = v->inverse[i * n + i];
        /* no minimum in this direction: the data do not determine it */
        if (!at_bound && !(d > 0 && isfinite(d))) {
            return false;
        }
        s->deviation[i] = at_bound ? NAN : sqrt(factor * d);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double scale = sqrt(v->inverse[i * n + i] * v->inverse[j * n + j]);
            s->correlation[i * n + j] = i == j ? 1 : scale > 0 ? v->inverse[i * n + j] / scale : NAN;
        }
    }
    return true;
}

void dd_ocp_statistics(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    struct dd_statistics *s = dd_pool_alloc(p->pool, sizeof *s);
    p->statistics = NULL;
    /* only sums of squares have these statistics, and only with an exact Hessian */
    s->residuals = o->p.len > 0 && p->transcription->nlp->hessian != NULL ? dd_ocp_residual_count(o) : 0;
    s->estimated = o->p.len + free_starts(o);
    if (s->residuals == 0) {
        return;
    }
    /* n - p = 0: sigma cannot be estimated */
    if (s->residuals <= s->estimated) {
        dd_ocp_say(p,
                   dd_pool_printf(o->pool,
                                  "%u residuals for %u estimated values leave nothing for standard deviations of the "
                                  "parameters",
                                  s->residuals, s->estimated));
        return;
    }
    /* the matrix and its factors go whatever happens */
    conditions c = {.p = p, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
    find_active(&c);
    set_values(&c);
    solving v = {.c = &c, .inverse = dd_pool_alloc_array(c.pool, (size_t)o->p.len * o->p.len + 1, sizeof(double))};
    dd_status status = dd_protect(p->ctx, solve_for_parameters, &v);
    dd_kkt_free(v.system);
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_status_text(status));
    }
    if (v.regular && fill(p, s, &v)) {
        p->statistics = s;
    } else {
        dd_ocp_say(p,
                   "the parameters have no standard deviations: the objective does not determine them all (the reduced "
                   "Hessian is not positive definite)");
    }
    dd_pool_free(c.pool);
}
