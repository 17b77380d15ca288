/* equilibrate.c - dual variables of a highest-value transversal as scales. A wide matrix gets rows of ones below, so
 * that the columns it does not need have partners. */
#include "nls/equilibrate.h"

#include <math.h>

#include "graph/assign.h"

enum { STEPS = 8, MOST_STEPS = 1 << 19, MAX_WIDE = 400 }; /* sizes are logarithms to base 2 in eighths */

typedef struct sizes {
    uint32_t *ptr, *idx; /* by columns of the matrix */
    int32_t *size;
    double least, most;
} sizes;

static void gather_sizes(const dd_csc *a, uint32_t extra, sizes *z)
{
    z->least = INFINITY;
    z->most = -INFINITY;
    /* the range of sizes log2|a| in eighths; zeros have none */
    for (uint32_t k = 0; k < a->ptr[a->ncols]; k++) {
        if (a->val[k] != 0) {
            double size = round(log2(fabs(a->val[k])) * STEPS);
            z->least = fmin(z->least, size);
            z->most = fmax(z->most, size);
        }
    }
    /* a range beyond the limit of the assignment: NaN, or numbers no scaling can bring together */
    if (!(z->most - z->least < MOST_STEPS)) {
        return;
    }
    uint32_t at = 0;
    /* sizes from 0 on, as the assignment wants them; the rows of ones below are as small as the smallest entry */
    for (uint32_t c = 0; c < a->ncols; c++) {
        for (uint32_t k = a->ptr[c]; k < a->ptr[c + 1]; k++) {
            if (a->val[k] != 0) {
                z->idx[at] = a->idx[k];
                z->size[at++] = (int32_t)(round(log2(fabs(a->val[k])) * STEPS) - z->least);
            }
        }
        for (uint32_t q = 0; q < extra; q++) {
            z->idx[at] = a->nrows + q;
            z->size[at++] = 0;
        }
        z->ptr[c + 1] = at;
    }
}

dd_status dd_equilibrate_columns(dd_context *ctx, const dd_csc *a, double *col_scale, bool *found)
{
    uint32_t n = a->ncols;
    *found = false;
    for (uint32_t c = 0; c < n; c++) {
        col_scale[c] = 1.0;
    }
    /* more rows than columns have no transversal; the extra rows of a wide matrix are dense, hence the limit */
    if (a->nrows > n || (a->nrows < n && n > MAX_WIDE)) {
        return DD_OK;
    }
    uint32_t extra = n - a->nrows;
    dd_work w = {.ctx = ctx};
    /* the pattern by columns, with n entries for each extra row */
    sizes z = {.ptr = dd_work_array(&w, n + 1, sizeof *z.ptr)};
    z.idx = dd_work_array(&w, a->ptr[n] + (size_t)n * extra + 1, sizeof *z.idx);
    z.size = dd_work_array(&w, a->ptr[n] + (size_t)n * extra + 1, sizeof *z.size);
    uint32_t *match = dd_work_array(&w, n + 1, sizeof *match), *back = dd_work_array(&w, n + 1, sizeof *back);
    int64_t *dual = dd_work_array(&w, n + 1, sizeof *dual), *back_dual = dd_work_array(&w, n + 1, sizeof *back_dual);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    dd_assign_info info = {0};
    if (st == DD_OK) {
        gather_sizes(a, extra, &z);
    }
    if (st == DD_OK && z.most - z.least < MOST_STEPS) {
        /* columns take the part of rows, so dual[c] belongs to column c: log2 of its scale in eighths */
        dd_pattern transposed = {n, n, z.ptr, z.idx};
        st = dd_graph_assign(&info, ctx, &transposed, z.size, match, back, dual, back_dual);
    }
    for (uint32_t c = 0; st == DD_OK && info.perfect && c < n; c++) {
        /* whole powers of two are exact; only ratios of scales matter, so the first column gets 1 */
        col_scale[c] = exp2(floor((double)(dual[c] - dual[0]) / STEPS));
        *found = true;
    }
    dd_work_free(&w);
    return st;
}
