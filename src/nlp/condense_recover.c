/* condense_recover.c - the whole step and all multipliers from the controls of the dense program: forwards along the stages
 * the variables, backwards the multipliers of the rows that were used up. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "nlp/condense_impl.h"

/* The variables inside a stage and the states of the next one, from e and 1. */
DD_CLONES static void recover_stage(dd_condensed_qp *c, const condense_stage *s)
{
    double *known = c->local;
    for (uint32_t i = 0; i < s->ne; i++) {
        known[i] = c->step[s->e[i]];
    }
    known[s->ne] = 1;
    for (uint32_t i = 0; i < s->nd; i++) {
        c->step[s->d[i]] = dd_v4_dot(s->lu + (size_t)i * s->ld + s->nd, known, s->ne + 1);
    }
    for (uint32_t i = 0; i < s->nx_next; i++) {
        c->step[s[1].e[i]] = dd_v4_dot(s->f + (size_t)i * CONDENSE_LINE(s->ne + 1), known, s->ne + 1);
    }
}

static void recover_step(dd_condensed_qp *c)
{
    for (uint32_t f = 0; f < c->free; f++) {
        c->step[c->free_var[f]] = c->x[f];
    }
    for (uint32_t i = 0; i < c->states; i++) {
        c->step[c->stage[0].e[i]] = c->start[i];
    }
    for (uint32_t k = 0; k < c->stages; k++) {
        recover_stage(c, &c->stage[k]);
    }
}

/* Multipliers of bounds and of rows that determine nothing. */
static void take_multipliers(const dd_condensed_qp *c, dd_nlp_result *r)
{
    const dd_nlp *nlp = c->nlp;
    memset(r->lambda, 0, nlp->m * sizeof *r->lambda);
    memset(r->z_lower, 0, nlp->n * sizeof *r->z_lower);
    memset(r->z_upper, 0, nlp->n * sizeof *r->z_upper);
    for (uint32_t i = 0; i < c->rows; i++) {
        const uint32_t at = c->row[i].index;
        if (c->row[i].variable) {
            r->z_upper[at] = fmax(c->lambda[i], 0);
            r->z_lower[at] = fmax(-c->lambda[i], 0);
        } else {
            r->lambda[at] = c->lambda[i];
        }
    }
}

/* slope = g + H d + J^T lambda - z_lower + z_upper, with the multipliers known so far; returns g^T d + d^T H d / 2. */
static double set_slope(const dd_condensed_qp *c, const dd_linearized_values *v, const dd_nlp_result *r)
{
    const dd_nlp *nlp = c->nlp;
    double *slope = c->slope, linear = 0, quadratic = 0;
    memset(slope, 0, nlp->n * sizeof *slope);
    for (uint32_t s = 0; s < nlp->hessian_nnz; s++) {
        const uint32_t i = nlp->hessian_row[s], j = nlp->hessian_col[s];
        slope[i] += v->hessian[s] * c->step[j];
        slope[j] += i != j ? v->hessian[s] * c->step[i] : 0;
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        linear += v->gradient[i] * c->step[i];
        quadratic += slope[i] * c->step[i];
        slope[i] += v->gradient[i] - r->z_lower[i] + r->z_upper[i];
    }
    for (uint32_t k = 0; k < c->rows; k++) {
        const condense_row *row = &c->row[k];
        for (uint32_t a = row->first; a < row->first + row->count && !row->variable && c->lambda[k] != 0; a++) {
            const uint32_t source = c->row_entry[a].source;
            slope[nlp->jacobian_col[source]] += v->jacobian[source] * c->lambda[k];
        }
    }
    return linear + quadratic / 2;
}

/* A^T lambda = -slope inside a stage: U^T, L^T, then the row exchanges backwards. */
DD_CLONES static void solve_back(const dd_condensed_qp *c, const condense_stage *s, double *lambda)
{
    double *b = c->rest;
    for (uint32_t i = 0; i < s->nd; i++) {
        b[i] = -c->slope[s->d[i]];
    }
    /* U^T */
    for (uint32_t p = 0; p < s->nd; p++) {
        const double *row = s->lu + (size_t)p * s->ld;
        b[p] /= row[p];
        dd_v4_add_scaled(b + p + 1, -b[p], row + p + 1, s->nd - p - 1);
    }
    /* L^T */
    for (uint32_t p = s->nd; p-- > 0;) {
        const double *row = s->lu + (size_t)p * s->ld;
        dd_v4_add_scaled(b, -b[p], row, p);
    }
    for (uint32_t p = s->nd; p-- > 0;) {
        const double keep = b[p];
        b[p] = b[s->pivot[p]];
        b[s->pivot[p]] = keep;
    }
    for (uint32_t i = 0; i < s->nd; i++) {
        lambda[s->r[i]] = b[i];
    }
}

/* Adds J^T lambda of some entries. */
static void add_entries(const dd_condensed_qp *c, const condense_entry *list, uint32_t count, const double *jacobian,
                        const double *lambda)
{
    for (uint32_t a = 0; a < count; a++) {
        const uint32_t source = list[a].source;
        c->slope[c->nlp->jacobian_col[source]] += jacobian[source] * lambda[c->nlp->jacobian_row[source]];
    }
}

void dd_condensed_recover(dd_condensed_qp *c, dd_nlp_result *r)
{
    const dd_nlp *nlp = c->nlp;
    const dd_linearized_values v = dd_linearized_get_values(c->model);
    /* variables; then slopes are made zero from the last stage to the first */
    recover_step(c);
    take_multipliers(c, r);
    r->objective = dd_linearized_objective(c->model) + set_slope(c, &v, r);
    for (uint32_t k = c->stages; k-- > 0;) {
        const condense_stage *s = &c->stage[k];
        solve_back(c, s, r->lambda);
        add_entries(c, s->inside, s->insides, v.jacobian, r->lambda);
        for (uint32_t i = 0; i < s->nx; i++) {
            r->lambda[s->link[i]] = -c->slope[s->e[i]] / v.jacobian[s->own[i]];
        }
        if (k > 0) {
            add_entries(c, s[-1].onward, s[-1].links, v.jacobian, r->lambda);
        }
    }
    /* what is left of the slopes: of free variables */
    const double added = dd_dense_qp_added(c->qp);
    r->dual_infeasibility = r->violation = r->complementarity = 0;
    for (uint32_t f = 0; f < c->free; f++) {
        const double rest = c->slope[c->free_var[f]] + added * c->x[f];
        r->dual_infeasibility = fmax(r->dual_infeasibility, fabs(rest));
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        r->x[i] = v.x[i] + c->step[i];
        r->violation = fmax(r->violation, fmax(nlp->x_lower[i] - r->x[i], r->x[i] - nlp->x_upper[i]));
    }
}
