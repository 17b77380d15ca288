/* tangent.c - gradients of differentiated rows and of initial conditions, as triplets.
 *
 * With Taylor coefficients X_j,m = x_j^(m)/m! and the partials p0 = df/dx_j, p1 = df/dx_j' as series,
 *
 *     d (f_i)_k / d X_j,m = (p0)_{k-m} + m (p1)_{k-m+1}
 */
#include "structure/tangent.h"

#include <math.h>
#include <string.h>

#include "structure/certificate.h"

dd_tangent dd_tangent_new(const dd_system *s, dd_numeric *numeric, const uint32_t *d, uint32_t extra, dd_pool *pool)
{
    dd_tangent t = {.s = s, .numeric = numeric, .pool = pool, .extra = extra};
    t.offset = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *t.offset);
    for (uint32_t j = 0; j < s->ncols; j++) {
        t.offset[j] = t.total;
        t.total += d ? d[j] + extra + 1 : 1;
    }
    t.offset[s->ncols] = t.total;
    return t;
}

uint32_t dd_tangent_unknown(const dd_tangent *t, uint32_t col, uint32_t order)
{
    return order < t->offset[col + 1] - t->offset[col] ? t->offset[col] + order : DD_NO_INDEX;
}

/* ---- rows ---- */

static const double cancelled = 1e-4; /* part of its terms below which a slope is their remainder */

static void add_row(dd_tangent *t, const dd_numeric *nm, const double *partials, uint32_t order, uint32_t i, uint32_t k,
                    double row_scale, const double *col_scale)
{
    const dd_incidence *inc = nm->inc;
    for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
        uint32_t j = inc->idx[e], known = t->offset[j + 1] - t->offset[j];
        /* (p0)_{k-m} + m (p1)_{k+1-m}; coefficients that are not among the unknowns are left out */
        for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
            const double v0 =
                nm->slot0[e] != DD_NO_INDEX && m <= k ? partials[(size_t)nm->slot0[e] * (order + 1) + k - m] : 0.0;
            const double v1 = nm->slot1[e] != DD_NO_INDEX && m >= 1
                                  ? m * partials[(size_t)nm->slot1[e] * (order + 1) + k + 1 - m]
                                  : 0.0;
            if (v0 + v1 != 0) {
                dd_vec_push(t->pool, &t->row, t->rows);
                dd_vec_push(t->pool, &t->col, t->offset[j] + m);
                dd_vec_push(t->pool, &t->val, (v0 + v1) * row_scale * col_scale[j]);
                /* the value of one slope alone, and no remainder of larger terms */
                const bool is_p0 = m == k && v1 == 0 && fabs(v0) > cancelled * nm->magnitude[nm->slot0[e]];
                const bool is_p1 = m == k + 1 && v0 == 0 && fabs(v1) > cancelled * m * nm->magnitude[nm->slot1[e]];
                dd_vec_push(t->pool, &t->of, is_p0 ? inc->partial0[e] : is_p1 ? inc->partial1[e] : DD_EXPR_NONE);
            }
        }
    }
}

/* Unknowns in units of their sizes, rows of size one by the terms that their entries are computed from: a row that is
 * noise stays noise. Values below the highest derivatives keep their size beside these, which the scaling of J alone does
 * not promise. */
static void scale_by_sizes(const dd_tangent *t, double *row_scale, double *col_scale)
{
    const dd_numeric *nm = t->numeric;
    const dd_incidence *inc = nm->inc;
    memcpy(col_scale, t->s->size, inc->ncols * sizeof *col_scale);
    for (uint32_t i = 0; i < inc->n; i++) {
        double most = 0;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            const uint32_t slots[] = {nm->slot0[e], nm->slot1[e]};
            for (int k = 0; k < 2; k++) {
                most = slots[k] != DD_NO_INDEX ? fmax(most, nm->magnitude[slots[k]] * col_scale[inc->idx[e]]) : most;
            }
        }
        row_scale[i] = most > 0 && isfinite(most) ? 1 / most : 1.0;
    }
}

void dd_tangent_rows(dd_tangent *t, const double *x, uint32_t stride, double *scale)
{
    const dd_system *s = t->s;
    uint32_t order = s->off.max_c + t->extra + 1;
    dd_numeric *nm = t->numeric;
    dd_pool *scratch = dd_pool_child(t->pool);
    double *row_scale = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *row_scale);
    double *col_scale = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *col_scale);
    /* scaled so that the largest transversal of J is all ones (certificate.c), or by sizes */
    dd_numeric_partials(nm, x, stride);
    if (t->by_sizes) {
        scale_by_sizes(t, row_scale, col_scale);
    } else {
        dd_system_scaling(s, nm, &s->off, row_scale, col_scale, scratch);
    }
    const double *partials = dd_numeric_partial_series(nm, x, stride, order);
    for (uint32_t i = 0; i < nm->inc->n; i++) {
        for (uint32_t k = 0; k <= s->off.c[i] + t->extra; k++, t->rows++) {
            add_row(t, nm, partials, order, i, k, row_scale[i], col_scale);
        }
    }
    /* all derivatives of a column have its scale */
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t u = t->offset[j]; u < t->offset[j + 1]; u++) {
            scale[u] = col_scale[j];
        }
    }
    dd_pool_free(scratch);
}

/* ---- conditions ---- */

dd_condition dd_tangent_column(const dd_tangent *t, uint32_t col)
{
    dd_condition c = {.col = col, .row = DD_NO_INDEX};
    dd_vec_push(t->pool, &c.idx, t->offset[col]);
    dd_vec_push(t->pool, &c.val, 1.0);
    dd_vec_push(t->pool, &c.floor, 0.0);
    return c;
}

static const char *fixed_text(const dd_system *s, uint32_t col, dd_pool *texts)
{
    char number[32];
    const dd_variable *v = &s->model->vars.data[s->unknown[col]];
    return dd_pool_printf(texts, "%s = %s", dd_system_column_name(s, col, texts),
                          dd_number_text(v->start_value, number));
}

static const char *equation_text(const dd_system *s, uint32_t row, dd_pool *texts)
{
    dd_text text = dd_text_new(texts);
    const dd_group *g = &s->model->initial_groups.data[s->model->initial_rows.data[row].group];
    if (g->lhs != DD_FORM_NONE && g->count == 1) {
        dd_model_print_group(s->model, g, &text);
    } else {
        dd_model_print_residual(s->model, s->model->initial_rows.data[row].residual, &text);
    }
    return dd_text_str(&text);
}

/* Gradient of an initial equation with respect to x_j and x_j', at the point. */
static dd_condition equation_condition(const dd_tangent *t, uint32_t row, const double *x, uint32_t stride)
{
    const dd_system *s = t->s;
    dd_condition c = {.col = DD_NO_INDEX, .row = row};
    dd_expr residual = dd_system_lower(s, s->model->initial_rows.data[row].residual);
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(s->model->dag, residual, false, &symbols, &partials, t->pool);
    double *value = dd_pool_alloc_array(t->pool, symbols.len + 1, sizeof *value);
    double *magnitude = dd_pool_alloc_array(t->pool, symbols.len + 1, sizeof *magnitude);
    const dd_numeric_place place = {x, stride, dd_numeric_outside(t->numeric)};
    dd_numeric_values(s, partials.data, symbols.len, &place, value, magnitude, t->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = s->column[dd_symbol_id(s->model->dag, symbols.data[i])];
        uint32_t order = dd_symbol_order(s->model->dag, symbols.data[i]);
        uint32_t at = col == DD_NO_INDEX ? DD_NO_INDEX : dd_tangent_unknown(t, col, order);
        /* a slope that is not finite says nothing about ranks */
        if (at != DD_NO_INDEX && isfinite(value[i])) {
            dd_vec_push(t->pool, &c.idx, at);
            dd_vec_push(t->pool, &c.val, value[i]);
            dd_vec_push(t->pool, &c.floor, cancelled * magnitude[i]);
        }
    }
    return c;
}

dd_condition_vec dd_tangent_conditions(const dd_tangent *t, const double *x, uint32_t stride, dd_pool *texts)
{
    const dd_system *s = t->s;
    dd_condition_vec list = {0};
    /* x_j = start where it is fixed, then the initial equations */
    for (uint32_t j = 0; j < s->declared; j++) {
        if (s->model->vars.data[s->unknown[j]].fixed) {
            dd_condition c = dd_tangent_column(t, j);
            c.text = texts ? fixed_text(s, j, texts) : "";
            dd_vec_push(t->pool, &list, c);
        }
    }
    for (uint32_t r = 0; r < s->model->initial_rows.len; r++) {
        dd_condition c = equation_condition(t, r, x, stride);
        c.text = texts ? equation_text(s, r, texts) : "";
        dd_vec_push(t->pool, &list, c);
    }
    return list;
}
