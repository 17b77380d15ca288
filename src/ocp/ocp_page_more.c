/* ocp_page_more.c - patterns of the Jacobian and of the linear systems of an optimization, on its page. */
#include "ocp/ocp_page_more.h"

#include <math.h>
#include <string.h>

#include "report/matrix.h"

/* ---- patterns ---- */

/* Entries of a list as rows; `symmetric` adds them mirrored as well. */
typedef struct pattern {
    uint32_t *ptr, *index, *at;
    uint8_t *kind;
} pattern;

static void count_entry(pattern *q, uint32_t row)
{
    q->ptr[row + 1]++;
}

static void put_entry(pattern *q, uint32_t row, uint32_t column, uint8_t kind)
{
    q->kind[q->at[row]] = kind;
    q->index[q->at[row]++] = column;
}

static pattern pattern_new(uint32_t rows, uint64_t entries, dd_pool *pool)
{
    pattern q = {.ptr = dd_pool_alloc_array(pool, (size_t)rows + 1, sizeof *q.ptr),
                 .index = dd_pool_alloc_array(pool, entries + 1, sizeof *q.index),
                 .at = dd_pool_alloc_array(pool, (size_t)rows + 1, sizeof *q.at),
                 .kind = dd_pool_alloc_array(pool, entries + 1, sizeof *q.kind)};
    memset(q.ptr, 0, ((size_t)rows + 1) * sizeof *q.ptr);
    return q;
}

/* From counts to places. */
static void pattern_begin(pattern *q, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++) {
        q->ptr[i + 1] += q->ptr[i];
        q->at[i] = q->ptr[i];
    }
}

static void add_pattern(dd_page_writer *page, const char *title, const char *doc, const dd_matrix *m, dd_pool *pool)
{
    dd_text svg = dd_text_new(pool);
    dd_matrix_svg(&svg, m);
    dd_page_add_picture(page, title, doc, dd_text_str(&svg));
}

static void add_jacobian(dd_page_writer *page, const dd_nlp *nlp, dd_pool *pool)
{
    pattern q = pattern_new(nlp->m, nlp->jacobian_nnz, pool);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        count_entry(&q, nlp->jacobian_row[k]);
    }
    pattern_begin(&q, nlp->m);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        put_entry(&q, nlp->jacobian_row[k], nlp->jacobian_col[k], 0);
    }
    const dd_matrix m = {.n_rows = nlp->m, .n_columns = nlp->n, .ptr = q.ptr, .index = q.index};
    add_pattern(page, "Jacobian of the rows",
                dd_pool_printf(pool, "%u rows, %u variables, %u entries: %.3g %% of all", nlp->m, nlp->n,
                               nlp->jacobian_nnz, 100.0 * nlp->jacobian_nnz / fmax(1, (double)nlp->m * nlp->n)),
                &m, pool);
}

/* [H J^T; J 0]: what every iteration factorises. */
static void add_kkt(dd_page_writer *page, const dd_nlp *nlp, dd_pool *pool)
{
    const uint32_t rows = nlp->n + nlp->m;
    const uint64_t entries = 2 * ((uint64_t)nlp->hessian_nnz + nlp->jacobian_nnz);
    pattern q = pattern_new(rows, entries, pool);
    uint64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < nlp->hessian_nnz + nlp->jacobian_nnz; k++) {
            const bool of_h = k < nlp->hessian_nnz;
            const uint32_t j = of_h ? 0 : k - nlp->hessian_nnz;
            const uint32_t i0 = of_h ? nlp->hessian_row[k] : nlp->n + nlp->jacobian_row[j];
            const uint32_t i1 = of_h ? nlp->hessian_col[k] : nlp->jacobian_col[j];
            /* both triangles, the diagonal once */
            for (int side = 0; side < (i0 == i1 ? 1 : 2); side++) {
                const uint32_t row = side == 0 ? i0 : i1, column = side == 0 ? i1 : i0;
                if (pass == 0) {
                    count_entry(&q, row);
                    count++;
                } else {
                    put_entry(&q, row, column, of_h ? 1 : 0);
                }
            }
        }
        if (pass == 0) {
            pattern_begin(&q, rows);
        }
    }
    const dd_matrix m = {.n_rows = rows, .n_columns = rows, .ptr = q.ptr, .index = q.index, .kind = q.kind};
    add_pattern(page, "KKT matrix",
                dd_pool_printf(pool,
                               "of order %u with %llu entries; the Hessian (%u in its lower triangle) in the second "
                               "colour",
                               rows, (unsigned long long)count, nlp->hessian_nnz),
                &m, pool);
}

void dd_ocp_page_more(dd_page_writer *page, dd_ocp *p, dd_pool *pool)
{
    const dd_nlp *nlp = p->transcription != NULL ? p->transcription->nlp : NULL;
    dd_ocp_page_fit(page, p, pool);
    if (nlp == NULL || nlp->m == 0 || nlp->jacobian_row == NULL) {
        return;
    }
    dd_page_section(page, "Sparsity");
    add_jacobian(page, nlp, pool);
    if (nlp->hessian_row != NULL) {
        add_kkt(page, nlp, pool);
    }
}
