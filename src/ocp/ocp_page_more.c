/* ocp_page_more.c - parts of the page of an optimization beyond plots: parameters of a fit with their intervals and
 * correlations, patterns of the Jacobian and of the linear systems. */
#include "ocp/ocp_page_more.h"

#include <math.h>
#include <string.h>

#include "ocp/reading.h"
#include "ocp/statistics.h"
#include "report/matrix.h"

enum { MOST_PARAMETERS = 20 };

/* ---- intervals ---- */

/* The part of Student's distribution with n degrees of freedom between -t and t (Abramowitz and Stegun, 26.7.3 and 4). */
static double student_part(double t, uint32_t n)
{
    const double theta = atan(t / sqrt(n)), s = sin(theta), c = cos(theta);
    double term = n % 2 == 1 ? c : 1, sum = n > 1 ? term : 0;
    for (uint32_t k = n % 2 == 1 ? 3 : 2; k < n; k += 2) {
        term *= c * c * (k - 1) / k;
        sum += term;
    }
    return n % 2 == 1 ? 2 / M_PI * (theta + s * sum) : s * sum;
}

double dd_student_95(uint32_t n)
{
    enum { MANY = 2000 };
    const double z = 1.959963984540054; /* of the normal distribution */
    if (n == 0 || n > MANY) {
        return n == 0 ? (double)NAN : z + (z * z * z + z) / (4.0 * n);
    }
    /* bisection: the part grows with t, and 12.8 is enough for n = 1 */
    double low = z, high = 13;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(student_part(middle, n) < 0.95 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static void add_intervals(dd_page_writer *page, dd_ocp *p, const char *const *names, uint32_t n, dd_pool *pool)
{
    static const char *const headings[] = {"parameter", "value", "standard deviation", "from", "to"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    const struct dd_statistics *s = p->statistics;
    const dd_reading r = dd_reading_new(p, pool);
    /* the size of the errors is estimated from the residuals (Student's t), unless the data gave it (normal) */
    const uint32_t free_of = s->residuals > s->estimated ? s->residuals - s->estimated : 0;
    const double t = s->given ? dd_student_95(UINT32_MAX) : dd_student_95(free_of);
    const char **cells = dd_pool_alloc_array(pool, (size_t)n * COLUMNS + 1, sizeof *cells);
    for (uint32_t i = 0; i < n; i++) {
        const char **row = cells + (size_t)i * COLUMNS;
        const double value = r.params[i], off = t * s->deviation[i];
        const bool known = isfinite(off);
        row[0] = names[i];
        row[1] = dd_pool_printf(pool, "%.6g", value);
        row[2] = known ? dd_pool_printf(pool, "%.2g", s->deviation[i]) : "at a bound";
        row[3] = known ? dd_pool_printf(pool, "%.6g", value - off) : "";
        row[4] = known ? dd_pool_printf(pool, "%.6g", value + off) : "";
    }
    const char *note =
        s->given
            ? dd_pool_printf(pool, "%u residuals with errors of the given size; %.3g standard deviations to each side",
                             s->residuals, t)
            : dd_pool_printf(pool,
                             "%u residuals, %u estimated: Student's t with %u degrees of freedom, %.3g standard "
                             "deviations to each side",
                             s->residuals, s->estimated, free_of, t);
    dd_page_add_grid(page, &(dd_page_grid){"95 % intervals", note, headings, cells, COLUMNS, n, 1});
}

static void add_correlations(dd_page_writer *page, const dd_ocp *p, const char *const *names, uint32_t n, dd_pool *pool)
{
    const uint32_t all = p->problem->p.len, width = n + 1;
    const char **headings = dd_pool_alloc_array(pool, width, sizeof *headings);
    const char **cells = dd_pool_alloc_array(pool, (size_t)n * width + 1, sizeof *cells);
    headings[0] = "";
    for (uint32_t i = 0; i < n; i++) {
        headings[1 + i] = names[i];
        cells[(size_t)i * width] = names[i];
        for (uint32_t j = 0; j < n; j++) {
            const double value = p->statistics->correlation[(size_t)i * all + j];
            cells[(size_t)i * width + 1 + j] = isfinite(value) ? dd_pool_printf(pool, "%.2f", value) : "";
        }
    }
    dd_page_add_grid(page, &(dd_page_grid){"Correlations", "", headings, cells, width, n, 1});
}

static void add_fit(dd_page_writer *page, dd_ocp *p, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    const uint32_t n = o->p.len < MOST_PARAMETERS ? o->p.len : MOST_PARAMETERS;
    if (p->statistics == NULL || n == 0) {
        return;
    }
    const char **names = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *names);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = dd_model_var_name_dup(o->model, o->p.data[i].var, pool);
    }
    dd_page_section(page, "Fit");
    add_intervals(page, p, names, n, pool);
    if (n > 1) {
        add_correlations(page, p, names, n, pool);
    }
}

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
    add_fit(page, p, pool);
    if (nlp == NULL || nlp->m == 0 || nlp->jacobian_row == NULL) {
        return;
    }
    dd_page_section(page, "Sparsity");
    add_jacobian(page, nlp, pool);
    if (nlp->hessian_row != NULL) {
        add_kkt(page, nlp, pool);
    }
}
