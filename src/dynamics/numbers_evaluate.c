/* numbers_evaluate.c - compiled equations at a point or at the stages of a step: the callbacks of dd_problem. */
#include <math.h>
#include <string.h>

#include "dynamics/numbers_impl.h"

static void set_outside(dd_numbers *q, uint32_t lane, size_t ld, double t)
{
    /* inputs from outside are functions of time: asked for once per point; 0 while nothing is connected to them */
    q->outside[lane] = t;
    const bool connected = q->source.values != NULL;
    if (connected && q->inputs.len > 0) {
        q->source.values(q->source.user, t, q->input_value);
    }
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        q->outside[(i + 1) * ld + lane] = connected ? q->input_value[i] : 0.0;
    }
}

void dd_numbers_evaluate(dd_numbers *q, const dd_compiled *p, double t, const double *w, const double *wdot,
                         double *out)
{
    set_outside(q, 0, 1, t);
    const double *in[DD_MOST_SEGMENTS] = {wdot, w, q->outside, q->mode};
    dd_program_eval(p->work, in, out);
}

static void residual(void *user, double t, const double *w, const double *wdot, double *f)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->residual, t, w, wdot, f);
}

/* The same values in all lanes, with the spacing of the batch. */
static void spread_modes(dd_numbers *q, size_t ld)
{
    for (size_t k = 0; k < q->switches.len; k++) {
        for (size_t lane = 0; lane < ld; lane++) {
            q->mode_spread[k * ld + lane] = q->mode[k];
        }
    }
    q->mode_ld = ld;
}

static void residuals(void *user, uint32_t lanes, size_t ld, const double *t, const double *w, const double *wdot,
                      double *f)
{
    dd_numbers *q = user;
    /* time alone is cheap; inputs are interpolated per lane */
    for (uint32_t k = 0; k < lanes && q->inputs.len == 0; k++) {
        q->outside[k] = t[k];
    }
    for (uint32_t k = 0; k < lanes && q->inputs.len > 0; k++) {
        set_outside(q, k, ld, t[k]);
    }
    /* frozen switches are the same in all lanes, spread again only when the batch's layout changes */
    if (q->switches.len > 0 && ld != q->mode_ld) {
        spread_modes(q, ld);
    }
    const double *in[DD_MOST_SEGMENTS] = {wdot, w, q->outside, q->mode_spread};
    dd_program_eval_batch(q->residual->work, lanes, ld, in, f);
}

static bool all_finite(const double *v, uint32_t n)
{
    double sum = 0; /* no number when one of them is infinite or none */
    for (uint32_t k = 0; k < n; k++) {
        sum += 0 * v[k];
    }
    return sum == 0;
}

/* Where the base of a root is exactly zero its derivative is infinite, which is no reason to stop: the slope a
 * little beside it does for Newton's method. Different parts for different unknowns, so that differences of equal
 * ones are not zero. */
static void step_aside(dd_numbers *q, const double *w)
{
    const double part = 1e-8;
    double odd = 0;
    for (uint32_t j = 0; j < q->n; j++) {
        odd += 0.6180339887498949; /* the fractional parts of its multiples are far apart */
        odd -= floor(odd);
        q->aside[j] = w[j] + part * (1 + odd) * fmax(fabs(w[j]), q->problem.nominal[j]);
    }
}

static void jacobian(void *user, double t, const double *w, const double *wdot, double *m, double *j)
{
    dd_numbers *q = user;
    uint32_t nnz = q->problem.pattern.ptr[q->n];
    /* entries that are numbers are copied, the others evaluated */
    memcpy(m, q->m_fixed, nnz * sizeof *m);
    memcpy(j, q->j_fixed, nnz * sizeof *j);
    if (q->n_entries == 0) {
        return;
    }
    dd_numbers_evaluate(q, q->jacobian, t, w, wdot, q->entry_value);
    /* the slope of a root is infinite at zero: take it beside the point */
    if (q->checked && !all_finite(q->entry_value, q->n_entries)) {
        step_aside(q, w);
        dd_numbers_evaluate(q, q->jacobian, t, q->aside, wdot, q->entry_value);
    }
    for (uint32_t k = 0; k < q->n_entries; k++) {
        if (q->m_entry[k] != DD_NO_INDEX) {
            m[q->m_entry[k]] = q->entry_value[k];
        } else {
            j[q->j_entry[k]] = q->entry_value[k];
        }
    }
}

static void invariants(void *user, double t, const double *w, double *c)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->invariants, t, w, w, c); /* no derivatives in them */
}

static void invariant_jacobian(void *user, double t, const double *w, double *values)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->invariant_jacobian, t, w, w, q->invariant_value);
    for (uint32_t k = 0; k < q->problem.invariant_pattern.ptr[q->n]; k++) {
        values[q->invariant_entry[k]] = q->invariant_value[k];
    }
}

void dd_numbers_outputs(dd_numbers *q, double t, const double *w, const double *wdot, double *out)
{
    dd_numbers_evaluate(q, q->outputs, t, w, wdot, out);
}

bool dd_numbers_rows_hold(dd_numbers *q, double t, const double *w, const double *wdot)
{
    if (!q->checked) {
        return true;
    }
    dd_numbers_evaluate(q, q->checked, t, w, wdot, q->row_value);
    return all_finite(q->row_value, q->n);
}

void dd_numbers_switching(dd_numbers *q, double t, const double *w, const double *wdot, double *g)
{
    if (q->switches.len > 0) {
        dd_numbers_evaluate(q, q->switching, t, w, wdot, g);
    }
}

void dd_numbers_kinks(dd_numbers *q, double t, const double *w, const double *wdot, double *g)
{
    if (q->kinks.len > 0) {
        dd_numbers_evaluate(q, q->kinking, t, w, wdot, g);
    }
}

void dd_numbers_sides(dd_numbers *q, double t, const double *w, const double *wdot, const double *mode, double *out)
{
    memcpy(q->side_mode, q->mode, q->switches.len * sizeof *mode);
    memcpy(q->side_mode + q->switches.len, mode, q->kinks.len * sizeof *mode);
    set_outside(q, 0, 1, t);
    const double *in[DD_MOST_SEGMENTS] = {wdot, w, q->outside, q->side_mode};
    dd_program_eval(q->sides->work, in, out);
}

void dd_numbers_freeze(dd_numbers *q, uint32_t k, double value)
{
    q->mode[k] = value;
    q->mode_ld = 0;
}

double dd_constant_scale(double found)
{
    int exponent;
    /* the nearest power of two, in the logarithm */
    const double part = frexp(found, &exponent); /* 0.5 <= part < 1 */
    return isfinite(found) && found > 0 ? ldexp(1.0, part < sqrt(0.5) ? exponent - 1 : exponent) : found;
}

/* A nominal value without parameters in it. */
static bool is_number(const dd_numbers *q, dd_expr nominal)
{
    return nominal == DD_EXPR_NONE || dd_op_of(q->system->model->dag, nominal) == DD_OP_NUM;
}

/* The rows x' - f = 0 as the reduction left them. */
static const uint32_t *list_rate_rows(dd_compiler *c)
{
    const dd_index_vec *rate_of = &c->q->equations->rate_of;
    uint32_t *row = dd_pool_alloc_array(c->pool, c->q->n + 1, sizeof *row);
    for (uint32_t j = 0; j < c->q->n; j++) {
        row[j] = DD_NO_INDEX;
    }
    for (uint32_t i = 0; i < rate_of->len; i++) {
        if (rate_of->data[i] != DD_NO_INDEX) {
            row[rate_of->data[i]] = i;
        }
    }
    return row;
}

void dd_numbers_describe(dd_compiler *c)
{
    dd_numbers *q = c->q;
    uint8_t *differential = dd_pool_alloc_array(c->pool, q->n + 1, 1);
    double *nominal = dd_pool_alloc_array(c->pool, q->n + 1, sizeof *nominal);
    /* a nominal that was found from values is rounded to a power of two: see dd_constant_scale */
    for (uint32_t j = 0; j < q->n; j++) {
        differential[j] = j < q->equations->x.len;
        const uint32_t var = dd_symbol_id(q->system->model->dag, q->w.data[j]);
        const dd_variable *v = &q->system->model->vars.data[var];
        const double size = q->system->size[q->system->column[var]];
        const bool written = v->has_nominal && is_number(q, v->nominal);
        nominal[j] = written ? size : dd_constant_scale(size);
    }
    q->problem.user = q;
    q->problem.n = q->n;
    q->problem.differential = differential;
    q->problem.nominal = nominal;
    q->problem.rate_row = list_rate_rows(c);
    q->problem.residual = residual;
    q->problem.residuals = residuals;
    q->problem.jacobian = jacobian;
    q->problem.invariants = invariants;
    q->problem.invariant_jacobian = invariant_jacobian;
}

bool dd_numbers_all_explicit(const dd_numbers *q)
{
    bool all = q->equations->z.len == 0;
    for (uint32_t j = 0; j < q->n && all; j++) {
        all = q->problem.rate_row[j] != DD_NO_INDEX;
    }
    return all;
}

double dd_numbers_fastest_rate(const dd_numbers *q, double t, const double *w, const double *wdot, dd_pool *pool)
{
    const dd_problem *p = &q->problem;
    const uint32_t nnz = p->pattern.ptr[p->n];
    double *m = dd_pool_alloc_array(pool, 2 * (size_t)nnz + 1, sizeof *m);
    double *sum = dd_pool_alloc_array(pool, p->n + 1, sizeof *sum), most = 0;
    p->jacobian(p->user, t, w, wdot, m, m + nnz);
    for (uint32_t k = 0; k < nnz; k++) {
        sum[p->pattern.idx[k]] += fabs(m[nnz + k]);
    }
    for (uint32_t i = 0; i < p->n; i++) {
        most = fmax(most, sum[i]);
    }
    return most;
}
