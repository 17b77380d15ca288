/* statistics.c - residuals counted in the objective; one factorisation of the matrix of the optimality conditions. */
#include "ocp/statistics.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/linsolver.h"
#include "ocp/squares.h"

#define ACTIVE 1e-6          /* nearer to a bound than this, relative, it is active when its multiplier is larger */
#define REGULARISATION 1e-13 /* of dependent rows */
#define SINGULAR 1e-18       /* rcond: the matrix mixes units of all rows, so only extreme values mean anything */

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

typedef struct conditions {
    dd_ocp *p;
    const dd_nlp *nlp;
    dd_pool *pool;
    bool *fixed;   /* n: at a bound */
    uint32_t *row; /* m: its row in the matrix, DD_NO_INDEX when it is not active */
    uint32_t size;
    dd_index_vec rows, cols;
    DD_VEC(double) values;
} conditions;

static void entry(conditions *c, uint32_t row, uint32_t col, double value)
{
    dd_vec_push(c->pool, &c->rows, row);
    dd_vec_push(c->pool, &c->cols, col);
    dd_vec_push(c->pool, &c->values, value);
}

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
    c->row = dd_pool_alloc_array(c->pool, nlp->m + 1, sizeof *c->row);
    nlp->constraints(nlp->user, r->x, true, g);
    /* active bounds fix their variable, active rows become equalities: the KKT matrix of an equality-constrained
     * problem */
    for (uint32_t i = 0; i < nlp->n; i++) {
        c->fixed[i] =
            active(r->x[i], nlp->x_lower[i], r->z_lower[i]) || active(r->x[i], nlp->x_upper[i], r->z_upper[i]);
    }
    c->size = nlp->n;
    for (uint32_t i = 0; i < nlp->m; i++) {
        bool holds = nlp->c_lower[i] == nlp->c_upper[i] || active(g[i], nlp->c_lower[i], r->lambda[i]) ||
                     active(g[i], nlp->c_upper[i], r->lambda[i]);
        c->row[i] = holds ? c->size++ : DD_NO_INDEX;
    }
}

static void list_entries(conditions *c)
{
    const dd_nlp *nlp = c->nlp;
    const dd_nlp_result *r = &c->p->result;
    double *h = dd_pool_alloc_array(c->pool, nlp->hessian_nnz + 1, sizeof *h);
    double *a = dd_pool_alloc_array(c->pool, nlp->jacobian_nnz + 1, sizeof *a);
    /* Hessian of the Lagrangian and Jacobian at the solution */
    nlp->hessian(nlp->user, r->x, true, 1, r->lambda, h);
    nlp->jacobian(nlp->user, r->x, false, a);
    /* [ H  A^T ; A  0 ] over free variables; the triangle of H is mirrored */
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        uint32_t i = nlp->hessian_row[k], j = nlp->hessian_col[k];
        if (!c->fixed[i] && !c->fixed[j]) {
            entry(c, i, j, h[k]);
            if (i != j) {
                entry(c, j, i, h[k]);
            }
        }
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = c->row[nlp->jacobian_row[k]], j = nlp->jacobian_col[k];
        if (i != DD_NO_INDEX && !c->fixed[j]) {
            entry(c, i, j, a[k]);
            entry(c, j, i, a[k]);
        }
    }
    /* fixed variables get the identity; -delta on the rows of A keeps dependent rows from being singular */
    for (uint32_t i = 0; i < c->size; i++) {
        entry(c, i, i, i >= nlp->n ? -REGULARISATION : c->fixed[i] ? 1 : 0);
    }
}

/* ---- the answer ---- */

typedef struct solving {
    conditions *c;
    dd_csc matrix;
    dd_linsolver *solver;
    double *inverse; /* p x p: of the reduced Hessian, in the user's units */
    bool regular;
} solving;

static void must(dd_ocp *p, dd_status status)
{
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_status_text(status));
    }
}

static void solve_for_parameters(void *user)
{
    solving *s = user;
    conditions *c = s->c;
    dd_ocp *p = c->p;
    const dd_ocp_problem *o = p->problem;
    uint32_t first = p->transcription->p_at, n = o->p.len;
    double *b = dd_pool_alloc_array(c->pool, c->size + 1, sizeof *b);
    /* factored once for all parameters */
    must(p, dd_csc_from_triplets(&s->matrix, p->ctx, c->size, c->size,
                                 &(dd_triplets){c->rows.len, c->rows.data, c->cols.data, c->values.data}, NULL));
    must(p, dd_linsolver_new(&s->solver, p->ctx, "klu"));
    /* symmetric with a full diagonal: no search for a block-triangular form */
    dd_linsolver_set_one_block(s->solver);
    dd_linsolver_set_singular(s->solver, SINGULAR);
    must(p, dd_linsolver_analyse(s->solver, &s->matrix));
    must(p, dd_linsolver_factor(s->solver, &s->matrix));
    s->regular = !dd_linsolver_get_info(s->solver).singular;
    /* column i of the inverse: the parameter's rows of the solution with a unit right side. That is the inverse
     * of the reduced Hessian; scales take it back to the user's units */
    for (uint32_t i = 0; i < n && s->regular; i++) {
        memset(b, 0, c->size * sizeof *b);
        b[first + i] = c->fixed[first + i] ? 0 : 1;
        must(p, dd_linsolver_solve(s->solver, 1, b));
        for (uint32_t j = 0; j < n; j++) {
            s->inverse[i * n + j] = b[first + j] * o->p.data[i].scale * o->p.data[j].scale;
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
    list_entries(&c);
    solving v = {.c = &c, .inverse = dd_pool_alloc_array(c.pool, (size_t)o->p.len * o->p.len + 1, sizeof(double))};
    dd_status status = dd_protect(p->ctx, solve_for_parameters, &v);
    dd_linsolver_free(v.solver);
    dd_csc_free(p->ctx, &v.matrix);
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
