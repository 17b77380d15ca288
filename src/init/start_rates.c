/* start_rates.c - after the solution: the residual of all rows, and first derivatives of algebraic columns. */
#include <math.h>
#include <string.h>

#include "init/start_impl.h"
#include "la/linsolver.h"
#include "structure/certificate.h"

/* The largest term that goes into (f_i)_k, as far as its partials show. */
static double term_size(const start_work *w, const double *partials, uint32_t order, uint32_t i, uint32_t k)
{
    const start_rows *r = &w->rows;
    /* a floor, since terms that vanish at the point say nothing */
    double size = 1e-3;
    for (uint32_t e = r->inc.ptr[i]; e < r->inc.ptr[i + 1]; e++) {
        const double *x = w->x + (size_t)r->inc.idx[e] * w->stride;
        /* terms of (f_i)_k are partials of order k - m times x^(m) */
        for (uint32_t m = 0; m <= k + 1 && m < w->stride; m++) {
            uint32_t slot0 = r->numeric->slot0[e], slot1 = r->numeric->slot1[e];
            double p0 = slot0 != DD_NO_INDEX && m <= k ? partials[(size_t)slot0 * (order + 1) + k - m] : 0.0;
            double p1 = slot1 != DD_NO_INDEX ? m * partials[(size_t)slot1 * (order + 1) + k + 1 - m] : 0.0;
            size = fmax(size, fmax(fabs(p0 * x[m]), fabs(p1 * x[m])));
        }
    }
    return size;
}

double dd_start_residual(start_work *w, const start_choice *choice)
{
    const start_rows *r = &w->rows;
    const uint32_t order = w->s->off.max_c + w->extra, fixed = w->conditions.len - (r->eqs.len - r->n);
    double worst = 0;
    size_t count = (size_t)r->eqs.len * (order + 1);
    double *series = dd_pool_alloc_array(w->scratch, count + 1, sizeof *series);
    /* the next call reuses the series' memory: copy */
    memcpy(series, dd_numeric_residual_series(r->numeric, w->x, w->stride, order), count * sizeof *series);
    const double *partials = dd_numeric_partial_series(r->numeric, w->x, w->stride, order + 1);
    /* relative to the terms; initial equations that were dropped do not count */
    for (uint32_t i = 0; i < r->eqs.len; i++) {
        if (i >= r->n && choice->dependent[fixed + i - r->n]) {
            continue;
        }
        for (uint32_t k = 0; k <= dd_start_row_order(w, i); k++) {
            double part = fabs(series[(size_t)i * (order + 1) + k]) / term_size(w, partials, order + 1, i, k);
            worst = part <= worst ? worst : part;
        }
    }
    return worst;
}

typedef struct rate_system {
    dd_csc a;
    dd_linsolver *solver;
    double *rhs;
    bool regular;
} rate_system;

/* Never raises. */
static dd_status solve_rates(dd_context *ctx, rate_system *rs)
{
    dd_status st = dd_linsolver_new(&rs->solver, ctx, "klu");
    if (st == DD_OK) {
        dd_linsolver_set_one_block(rs->solver);
        st = dd_linsolver_analyse(rs->solver, &rs->a);
    }
    st = st == DD_OK ? dd_linsolver_factor(rs->solver, &rs->a) : st;
    rs->regular = st == DD_OK && !dd_linsolver_get_info(rs->solver).singular;
    st = rs->regular ? dd_linsolver_solve(rs->solver, 1, rs->rhs) : st;
    dd_linsolver_free(rs->solver);
    return st;
}

/* One more derivative of everything: f_i^(c_i + 1) = 0 is linear in x_j^(d_j + 1) with the system Jacobian. */
bool dd_start_rates(start_work *w)
{
    const dd_system *s = w->s;
    uint32_t n = s->ncols, order = s->off.max_c + w->extra + 1, entries = 0;
    dd_numeric *nm = w->numeric;
    dd_pool *pool = dd_pool_child(w->scratch);
    rate_system rs = {.rhs = dd_pool_alloc_array(pool, n + 1, sizeof(double))};
    uint32_t *ptr = dd_pool_alloc_array(pool, n + 2, sizeof *ptr);
    /* with x_j^(d_j + 1) still zero, the coefficient of order c_i + 1 is the right-hand side */
    const double *series = dd_numeric_residual_series(nm, w->x, w->stride, order);
    for (uint32_t i = 0; i < n; i++) {
        rs.rhs[i] = -series[(size_t)i * (order + 1) + s->off.c[i] + w->extra + 1];
    }
    /* entries with d_j - c_i = sigma_ij alone: the system Jacobian, columns by their matched rows */
    bool finite = dd_numeric_partials(nm, w->x, w->stride);
    for (uint32_t i = 0; i < n && finite; i++) {
        finite = isfinite(rs.rhs[i]);
        for (uint32_t e = s->inc.ptr[i]; e < s->inc.ptr[i + 1]; e++) {
            if (dd_is_tight(&s->inc, &s->off, i, e)) {
                ptr[s->off.col_match[s->inc.idx[e]] + 1]++; /* columns in the order of their matched rows */
                entries++;
            }
        }
    }
    if (!finite) {
        dd_pool_free(pool);
        return false;
    }
    /* counting sort by columns */
    rs.a = (dd_csc){.nrows = n, .ncols = n, .ptr = ptr};
    rs.a.idx = dd_pool_alloc_array(pool, entries + 1, sizeof(uint32_t));
    rs.a.val = dd_pool_alloc_array(pool, entries + 1, sizeof(double));
    uint32_t *next = dd_pool_alloc_array(pool, n + 1, sizeof *next);
    for (uint32_t c = 0; c < n; c++) {
        ptr[c + 1] += ptr[c];
        next[c] = ptr[c];
    }
    /* (f)_{c+1} is linear in X_{d+1}; der() brings the factor of the higher coefficient */
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = s->inc.ptr[i]; e < s->inc.ptr[i + 1]; e++) {
            if (dd_is_tight(&s->inc, &s->off, i, e)) {
                double magnitude, factor = s->inc.sigma[e] == 1 ? s->off.c[i] + w->extra + 2 : 1.0;
                uint32_t at = next[s->off.col_match[s->inc.idx[e]]]++;
                rs.a.idx[at] = i;
                rs.a.val[at] = factor * dd_numeric_tight(nm, e, &magnitude);
            }
        }
    }
    dd_system_must(s, n > 0 ? solve_rates(s->ctx, &rs) : DD_OK, "initial values");
    /* the highest derivative of every column */
    for (uint32_t j = 0; j < n && rs.regular; j++) {
        uint32_t at = s->off.d[j] + w->extra + 1;
        w->x[(size_t)j * w->stride + at] = rs.rhs[s->off.col_match[j]];
    }
    dd_pool_free(pool);
    return rs.regular || n == 0;
}
