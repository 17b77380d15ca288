/* spread.c - guesses for variables without a start value, from those that have one.
 *
 * Models made of parts say where a body is, not where the ends of all connections are. A row without derivatives in
 * which one variable is left, with a constant coefficient, determines its guess. Who is believed, in this order:
 *   1  fixed values: what follows from them is no guess, whatever start is written for it
 *   2  written starts, but not a 0 of a variable that is to be avoided as a state (which parts of a library write)
 *   3  variables that no row could determine keep their default
 *   4  all other starts
 * Each round looks at all rows at once; there are as many rounds as the longest chain of such rows, within a limit of
 * work.
 */
#include <math.h>

#include "structure/numeric.h"
#include "structure/point.h"

typedef struct spread {
    const dd_system *s;
    dd_numeric *nm;
    double *x;
    uint32_t stride;
    bool *known; /* per column */
    bool *taken; /* per column: some row has given it */
    dd_index_vec found;
    dd_pool *scratch;
    bool *assigns;   /* per entry: its column can be computed from the row */
    bool *plain;     /* per row: no derivatives */
    uint64_t budget; /* rows still to be looked at */
} spread;

static bool is_constant(const dd_system *s, dd_expr e, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    bool constant = e != DD_EXPR_NONE;
    if (constant && dd_op_of(s->model->dag, e) != DD_OP_NUM) {
        dd_symbols(s->model->dag, e, true, &symbols, scratch);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        constant = constant && dd_op_of(s->model->dag, symbols.data[i]) == DD_OP_PARAM;
    }
    dd_vec_free(scratch, &symbols);
    return constant;
}

static void find_rows(spread *w, dd_pool *scratch)
{
    const dd_incidence *inc = w->nm->inc;
    for (uint32_t i = 0; i < inc->n; i++) {
        w->plain[i] = true;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            w->plain[i] = w->plain[i] && inc->sigma[e] == 0;
        }
        /* a constant coefficient: the value is exact, whatever the others are */
        for (uint32_t e = inc->ptr[i]; w->plain[i] && e < inc->ptr[i + 1]; e++) {
            w->assigns[e] = is_constant(w->s, inc->partial0[e], scratch);
        }
    }
}

/* The entry of the only variable that is left in a row, DD_NO_INDEX. */
static uint32_t only_entry(const spread *w, uint32_t row)
{
    const dd_incidence *inc = w->nm->inc;
    uint32_t found = DD_NO_INDEX;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
        if (!w->known[inc->idx[e]]) {
            if (found != DD_NO_INDEX) {
                return DD_NO_INDEX;
            }
            found = e;
        }
    }
    return found != DD_NO_INDEX && w->assigns[found] ? found : DD_NO_INDEX;
}

static bool set_value(spread *w, uint32_t entry, double residual)
{
    uint32_t col = w->nm->inc->idx[entry];
    const dd_variable *v = &w->s->model->vars.data[w->s->unknown[col]];
    double magnitude, coefficient = dd_numeric_tight(w->nm, entry, &magnitude);
    /* one Newton step, which is exact for a linear row */
    double value = w->x[(size_t)col * w->stride] - residual / coefficient;
    if (!isfinite(value) || value < v->min_value || value > v->max_value) { /* a coefficient of zero, too */
        return false;
    }
    w->x[(size_t)col * w->stride] = value;
    return true;
}

/* The residuals of a round belong to what was known before it, so new values apply from the next round on. */
static void spread_known(spread *w)
{
    const dd_incidence *inc = w->nm->inc;
    do {
        w->budget -= inc->n;
        w->found.len = 0;
        const double *f = dd_numeric_residual_series(w->nm, w->x, w->stride, 0);
        for (uint32_t i = 0; i < inc->n; i++) {
            uint32_t e = w->plain[i] ? only_entry(w, i) : DD_NO_INDEX;
            if (e != DD_NO_INDEX && !w->taken[inc->idx[e]] && set_value(w, e, f[i])) {
                w->taken[inc->idx[e]] = true;
                dd_vec_push(w->scratch, &w->found, inc->idx[e]);
            }
        }
        /* for the rows of the next round */
        for (uint32_t k = 0; k < w->found.len; k++) {
            w->known[w->found.data[k]] = true;
        }
    } while (w->found.len > 0 && w->budget >= inc->n);
}

void dd_point_spread(const dd_system *s, dd_numeric *nm, uint32_t stride, double *x, bool *first)
{
    enum { MOST_ROWS_SEEN = 1000000 }; /* a guess is worth a fraction of a second */
    const dd_incidence *inc = nm->inc;
    dd_pool *scratch = dd_pool_child(nm->pool);
    spread w = {.s = s, .nm = nm, .x = x, .stride = stride, .scratch = scratch, .budget = MOST_ROWS_SEEN};
    w.known = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *w.known);
    w.taken = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *w.taken);
    w.assigns = dd_pool_alloc_array(scratch, inc->ptr[inc->n] + 1, sizeof *w.assigns);
    w.plain = dd_pool_alloc_array(scratch, inc->n + 1, sizeof *w.plain);
    bool *open = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *open);
    find_rows(&w, scratch);
    /* columns that some row could determine: the others keep their default from the second pass on */
    for (uint32_t e = 0; e < inc->ptr[inc->n]; e++) {
        open[inc->idx[e]] = open[inc->idx[e]] || w.assigns[e];
    }
    /* who is believed, pass by pass */
    if (dd_numeric_partials(nm, x, stride)) {
        for (int pass = 0; pass < 4 && w.budget >= inc->n; pass++) {
            for (uint32_t j = 0; j < s->ncols; j++) {
                const dd_variable *v = &s->model->vars.data[s->unknown[j]];
                bool believed = v->fixed || (v->has_start && (v->select > DD_SELECT_AVOID || v->start_value != 0));
                const bool now = pass == 0 ? v->fixed : pass == 1 ? believed : pass == 2 ? !open[j] : v->has_start;
                w.known[j] = w.known[j] || now;
            }
            spread_known(&w);
            for (uint32_t j = 0; j < s->ncols && pass == 1 && first != NULL; j++) {
                first[j] = w.taken[j];
            }
        }
    }
    dd_pool_free(scratch);
}
