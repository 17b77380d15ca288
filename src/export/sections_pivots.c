/* sections_pivots.c - in which order the rows inside a section determine their variables, and where the factors of that
 * elimination have entries.
 *
 * Generated code eliminates without a search: the order is chosen here, for sparse factors (Markowitz 1957), among pivots
 * that are good in several intervals of the plan. At run time multipliers that grow too large are noticed, and that interval
 * is eliminated with a search. Sections of the same pattern get the same order, so that they stay a class. */
#include <math.h>
#include <string.h>

#include "export/sections_impl.h"

enum { SAMPLES = 8 }; /* intervals of a pattern that a pivot is tested in */

#define GOOD_PIVOT 0.1 /* of the largest in its column */

/* The rows inside one section and the variables they determine, ascending. */
typedef struct inner {
    uint32_t n;
    uint32_t *row, *var;
    bool *entry;   /* n x n: the pattern */
    double *value; /* at the plan */
} inner;

/* One pattern on its way through the elimination. */
typedef struct elimination {
    dd_pool *pool;
    uint32_t n, samples;
    double *a[SAMPLES];
    bool *entry; /* with fill */
    bool *row_done, *col_done;
    uint32_t *row, *col; /* the order found so far */
} elimination;

/* ---- matrices ---- */

static void list_inner(sectioner *p, inner *list)
{
    const uint32_t m = p->t->nlp->m, n = p->s->n;
    for (uint32_t i = 0; i < m; i++) {
        list[p->row[i].kind == ROW_INSIDE ? p->row[i].section : n].n++;
    }
    for (uint32_t k = 0; k < n; k++) {
        const size_t size = (size_t)list[k].n + 1;
        list[k].row = dd_pool_alloc_array(p->pool, size, sizeof *list[k].row);
        list[k].var = dd_pool_alloc_array(p->pool, size, sizeof *list[k].var);
        list[k].entry = dd_pool_alloc_array(p->pool, size * size, sizeof *list[k].entry);
        list[k].value = dd_pool_alloc_array(p->pool, size * size, sizeof *list[k].value);
        list[k].n = 0;
    }
    for (uint32_t i = 0; i < m; i++) {
        if (p->row[i].kind == ROW_INSIDE) {
            inner *c = &list[p->row[i].section];
            p->row[i].place = c->n; /* until the order is known */
            c->row[c->n++] = i;
        }
    }
    /* variables ascending, which rows need not be */
    for (uint32_t v = 0, at = 0, k = 0; v < p->end; v++) {
        for (; k + 1 < n && p->s->base[k + 1] <= v; k++) {
            at = 0;
        }
        if (p->by[v] != DD_NO_INDEX && p->row[p->by[v]].kind == ROW_INSIDE) {
            list[k].var[at++] = v;
        }
    }
}

static uint32_t place_of(const inner *c, uint32_t variable)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->var[i] == variable) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

static void fill_inner(sectioner *p, inner *list, const double *plan)
{
    const dd_nlp *nlp = p->t->nlp;
    double *values = dd_pool_alloc_array(p->pool, (size_t)nlp->jacobian_nnz + 1, sizeof *values);
    const bool known = nlp->jacobian(nlp->user, plan, true, values);
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        const uint32_t row = nlp->jacobian_row[e], variable = nlp->jacobian_col[e];
        inner *c = p->row[row].kind == ROW_INSIDE ? &list[p->row[row].section] : NULL;
        const uint32_t at = c != NULL ? place_of(c, variable) : DD_NO_INDEX;
        if (at != DD_NO_INDEX) {
            c->entry[p->row[row].place * c->n + at] = true;
            c->value[p->row[row].place * c->n + at] +=
                known ? values[e] * p->s->unit[variable] * p->s->row_unit[row] : 1;
        }
    }
}

static bool same_pattern(const inner *a, const inner *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->entry, b->entry, (size_t)a->n * a->n * sizeof *a->entry) == 0);
}

/* ---- elimination ---- */

/* The smallest part of the largest entry in its column that (i, j) has in any of the intervals. */
static double quality(const elimination *x, uint32_t i, uint32_t j)
{
    double worst = 1;
    for (uint32_t s = 0; s < x->samples; s++) {
        double most = 0;
        for (uint32_t r = 0; r < x->n; r++) {
            most = x->row_done[r] ? most : fmax(most, fabs(x->a[s][r * x->n + j]));
        }
        worst = most > 0 ? fmin(worst, fabs(x->a[s][i * x->n + j]) / most) : 0;
    }
    return worst;
}

/* What is left in a row and in a column. */
static void count_left(const elimination *x, uint32_t *in_row, uint32_t *in_col)
{
    memset(in_row, 0, x->n * sizeof *in_row);
    memset(in_col, 0, x->n * sizeof *in_col);
    for (uint32_t i = 0; i < x->n; i++) {
        for (uint32_t j = 0; j < x->n && !x->row_done[i]; j++) {
            const uint32_t one = x->entry[i * x->n + j] && !x->col_done[j] ? 1 : 0;
            in_row[i] += one;
            in_col[j] += one;
        }
    }
}

/* The pivot with the least fill among the good ones; without any, the best there is. */
static void choose(const elimination *x, uint32_t *in_row, uint32_t *in_col, uint32_t *row, uint32_t *col)
{
    uint64_t least = UINT64_MAX;
    double best = -1;
    count_left(x, in_row, in_col);
    for (uint32_t i = 0; i < x->n; i++) {
        for (uint32_t j = 0; j < x->n && !x->row_done[i]; j++) {
            const uint64_t cost = (uint64_t)(in_row[i] - 1) * (in_col[j] - 1);
            if (!x->entry[i * x->n + j] || x->col_done[j] || (best >= GOOD_PIVOT && cost >= least)) {
                continue;
            }
            const double q = quality(x, i, j);
            if (q >= GOOD_PIVOT ? best < GOOD_PIVOT || cost < least : q > best && best < GOOD_PIVOT) {
                least = cost;
                best = q;
                *row = i;
                *col = j;
            }
        }
    }
}

static void eliminate(elimination *x, uint32_t row, uint32_t col)
{
    const uint32_t n = x->n;
    x->row_done[row] = x->col_done[col] = true;
    for (uint32_t i = 0; i < n; i++) {
        if (x->row_done[i] || !x->entry[i * n + col]) {
            continue;
        }
        for (uint32_t s = 0; s < x->samples; s++) {
            double *a = x->a[s];
            const double l = a[row * n + col] != 0 ? a[i * n + col] / a[row * n + col] : 0;
            for (uint32_t j = 0; j < n; j++) {
                a[i * n + j] -= x->col_done[j] ? 0 : l * a[row * n + j];
            }
        }
        for (uint32_t j = 0; j < n; j++) {
            x->entry[i * n + j] = x->entry[i * n + j] || (!x->col_done[j] && x->entry[row * n + j]);
        }
    }
}

/* An entry in every row and column: what the equations are to determine, they contain. */
static bool find_order(elimination *x)
{
    uint32_t *in_row = dd_pool_alloc_array(x->pool, (size_t)x->n + 1, sizeof *in_row);
    uint32_t *in_col = dd_pool_alloc_array(x->pool, (size_t)x->n + 1, sizeof *in_col);
    for (uint32_t p = 0; p < x->n; p++) {
        uint32_t row = DD_NO_INDEX, col = DD_NO_INDEX;
        choose(x, in_row, in_col, &row, &col);
        if (row == DD_NO_INDEX) {
            return false;
        }
        eliminate(x, row, col);
        x->row[p] = row;
        x->col[p] = col;
    }
    return true;
}

/* Structurally singular: as numbered, with full factors; the search at run time says what is wrong. */
static void keep_order(elimination *x)
{
    for (uint32_t p = 0; p < x->n; p++) {
        x->row[p] = x->col[p] = p;
    }
    memset(x->entry, true, (size_t)x->n * x->n * sizeof *x->entry);
}

/* ---- results ---- */

/* Entries of the factors below, before (in its row) and beside every pivot. */
static void list_factors(const elimination *x, dd_section *c)
{
    for (uint32_t p = 0; p < x->n; p++) {
        dd_vec_push(x->pool, &c->below_ptr, c->below.len);
        dd_vec_push(x->pool, &c->before_ptr, c->before.len);
        dd_vec_push(x->pool, &c->beside_ptr, c->beside.len);
        for (uint32_t i = 0; i < p; i++) {
            if (x->entry[x->row[p] * x->n + x->col[i]]) {
                dd_vec_push(x->pool, &c->before, i);
            }
        }
        for (uint32_t i = p + 1; i < x->n; i++) {
            if (x->entry[x->row[i] * x->n + x->col[p]]) {
                dd_vec_push(x->pool, &c->below, i);
            }
            if (x->entry[x->row[p] * x->n + x->col[i]]) {
                dd_vec_push(x->pool, &c->beside, i);
            }
        }
    }
    dd_vec_push(x->pool, &c->below_ptr, c->below.len);
    dd_vec_push(x->pool, &c->before_ptr, c->before.len);
    dd_vec_push(x->pool, &c->beside_ptr, c->beside.len);
}

static void give_order(sectioner *p, uint32_t k, const inner *of, const elimination *x)
{
    p->inside[k] = dd_pool_alloc_array(p->pool, (size_t)x->n + 1, sizeof *p->inside[k]);
    for (uint32_t i = 0; i < x->n; i++) {
        p->row[of->row[x->row[i]]].place = i;
        p->inside[k][i] = of->var[x->col[i]];
    }
    list_factors(x, &p->s->section[k]);
}

/* The first sections of a pattern, spread over the horizon. */
static void take_samples(elimination *x, const inner *list, uint32_t first, uint32_t n)
{
    uint32_t count = 0, seen = 0;
    for (uint32_t k = first; k < n; k++) {
        count += same_pattern(&list[first], &list[k]) ? 1 : 0;
    }
    for (uint32_t k = first; k < n; k++) {
        if (!same_pattern(&list[first], &list[k])) {
            continue;
        }
        if (x->samples < SAMPLES && (uint64_t)seen * SAMPLES >= (uint64_t)x->samples * count) {
            x->a[x->samples] = dd_pool_alloc_array(x->pool, (size_t)x->n * x->n + 1, sizeof(double));
            memcpy(x->a[x->samples++], list[k].value, (size_t)x->n * x->n * sizeof(double));
        }
        seen++;
    }
}

void dd_sections_order(sectioner *p, const double *plan)
{
    const uint32_t n = p->s->n;
    inner *list = dd_pool_alloc_array(p->pool, (size_t)n + 1, sizeof *list);
    bool *done = dd_pool_alloc_array(p->pool, (size_t)n + 1, sizeof *done);
    p->inside = dd_pool_alloc_array(p->pool, (size_t)n + 1, sizeof *p->inside);
    list_inner(p, list);
    fill_inner(p, list, plan);
    /* one order for all intervals of the same pattern, good in several of them */
    for (uint32_t first = 0; first < n; first++) {
        if (done[first]) {
            continue;
        }
        const uint32_t size = list[first].n;
        elimination x = {.pool = p->pool, .n = size};
        x.entry = dd_pool_alloc_array(p->pool, (size_t)size * size + 1, sizeof *x.entry);
        memcpy(x.entry, list[first].entry, (size_t)size * size * sizeof *x.entry);
        x.row_done = dd_pool_alloc_array(p->pool, (size_t)size + 1, sizeof *x.row_done);
        x.col_done = dd_pool_alloc_array(p->pool, (size_t)size + 1, sizeof *x.col_done);
        x.row = dd_pool_alloc_array(p->pool, (size_t)size + 1, sizeof *x.row);
        x.col = dd_pool_alloc_array(p->pool, (size_t)size + 1, sizeof *x.col);
        take_samples(&x, list, first, n);
        if (!find_order(&x)) {
            keep_order(&x);
        }
        for (uint32_t k = first; k < n; k++) {
            if (!done[k] && same_pattern(&list[first], &list[k])) {
                done[k] = true;
                give_order(p, k, &list[k], &x);
            }
        }
    }
}
