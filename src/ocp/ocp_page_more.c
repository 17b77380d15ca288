/* ocp_page_more.c - patterns of the Jacobian and of the linear systems of an optimization, on its page. */
#include "ocp/ocp_page_more.h"

#include <math.h>
#include <string.h>

#include "ocp/shooting.h"
#include "ocp/transcription.h"
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

/* ---- words ---- */

enum { MOST_WORDS = 6000 }; /* more rows and columns have none: a page stays small */

static const char **row_words(const dd_ocp *p, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    const char **words = dd_pool_alloc_array(pool, (size_t)t->nlp->m + 1, sizeof *words);
    for (uint32_t i = 0; i < t->nlp->m; i++) {
        dd_text text = dd_text_new(pool);
        if (i < t->tags.len) {
            dd_transcription_row_name(t, i, &text);
            dd_text_printf(&text, " at time %.5g", dd_transcription_time(t, p->result.x, t->tags.data[i].theta));
        } else {
            dd_text_printf(&text, "row %u", i + 1);
        }
        words[i] = dd_text_str(&text);
    }
    return words;
}

/* Names of decisions from variable `at` on. */
static void name_block(const char **words, const dd_ocp *p, const dd_decision_vec *list, uint32_t at, double theta,
                       dd_pool *pool)
{
    const double time = dd_transcription_time(p->transcription, p->result.x, theta);
    for (uint32_t i = 0; i < list->len && at + i < p->transcription->nlp->n; i++) {
        const char *name = dd_model_var_name_dup(p->problem->model, list->data[i].var, pool);
        const uint32_t order = list->data[i].order;
        words[at + i] = theta < 0    ? name
                        : order == 0 ? dd_pool_printf(pool, "%s at time %.5g", name, time)
                                     : dd_pool_printf(pool, "der(%s) at time %.5g", name, time);
    }
}

/* Interval k of shooting: controls at the stages of its steps. */
static void name_stages(const char **words, const dd_ocp *p, uint32_t k, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    const dd_mesh *mesh = &t->mesh;
    const uint32_t stages = mesh->control == DD_CONTROL_POLYNOMIAL ? mesh->substeps * mesh->tableau->stages : 0;
    for (uint32_t g = 0; g < stages; g++) {
        const double theta = mesh->theta[k] + dd_mesh_stage(mesh, g) * (mesh->theta[k + 1] - mesh->theta[k]);
        name_block(words, p, &p->problem->u, t->u_at[k] + g * p->problem->u.len, theta, pool);
    }
}

/* Values of shooting at instants between the nodes, and those of z. */
static void name_taps(const char **words, const dd_ocp *p, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        const uint32_t x_at = dd_shooting_tap_x(p->transcription->shooting, i);
        const uint32_t z_at = dd_shooting_tap_z(p->transcription->shooting, i);
        if (x_at != UINT32_MAX) {
            name_block(words, p, &o->x, x_at, o->instants.data[i].theta, pool);
        }
        if (z_at != UINT32_MAX) {
            name_block(words, p, &o->z, z_at, o->instants.data[i].theta, pool);
        }
    }
}

/* Interval k of collocation: its points. */
static void name_points(const char **words, const dd_ocp *p, uint32_t k, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    const dd_ocp_problem *o = p->problem;
    const dd_mesh *mesh = &t->mesh;
    for (uint32_t j = 1; j <= mesh->degree[k]; j++) {
        const double theta = mesh->theta[k] + t->tau[mesh->degree[k]][j] * (mesh->theta[k + 1] - mesh->theta[k]);
        name_block(words, p, &o->x, dd_transcription_x(t, k, j, 0), theta, pool);
        name_block(words, p, &o->z, dd_transcription_z(t, k, j, 0), theta, pool);
        if (mesh->control == DD_CONTROL_POLYNOMIAL) {
            name_block(words, p, &o->u, dd_transcription_u(t, k, j, 0), theta, pool);
        }
    }
}

/* Variables that are at no place of the mesh have a number only. */
static const char **column_words(const dd_ocp *p, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    const dd_ocp_problem *o = p->problem;
    const dd_mesh *mesh = &t->mesh;
    const char **words = dd_pool_alloc_array(pool, (size_t)t->nlp->n + 1, sizeof *words);
    for (uint32_t i = 0; i < t->nlp->n; i++) {
        words[i] = dd_pool_printf(pool, "variable %u", i + 1);
    }
    /* states at the nodes, and what is inside the intervals */
    for (uint32_t k = 0; k <= mesh->n; k++) {
        name_block(words, p, &o->x, t->x_at[k], mesh->theta[k], pool);
        if (k < mesh->n && t->shooting != NULL) {
            name_stages(words, p, k, pool);
        } else if (k < mesh->n) {
            name_points(words, p, k, pool);
        }
    }
    if (t->shooting != NULL) {
        name_taps(words, p, pool);
    }
    /* controls of intervals or nodes, then what has no time */
    const uint32_t places = mesh->control == DD_CONTROL_CONSTANT ? mesh->n : mesh->n + 1;
    for (uint32_t k = 0; mesh->control != DD_CONTROL_POLYNOMIAL && k < places; k++) {
        name_block(words, p, &o->u, t->u_at[k], mesh->theta[k], pool);
    }
    name_block(words, p, &o->p, t->p_at, -1, pool);
    if (t->t0_at < t->nlp->n) {
        words[t->t0_at] = "startTime";
    }
    if (t->tf_at < t->nlp->n) {
        words[t->tf_at] = "finalTime";
    }
    return words;
}

/* The words of one list behind those of another. */
static const char **joined(const char *const *a, uint32_t n, const char *const *b, uint32_t m, dd_pool *pool)
{
    const char **words = dd_pool_alloc_array(pool, (size_t)n + m + 1, sizeof *words);
    memcpy(words, a, n * sizeof *words);
    memcpy(words + n, b, m * sizeof *words);
    return words;
}

typedef struct named {
    const dd_nlp *nlp;
    const char *const *rows, *const *columns; /* NULL: too many */
} named;

static void add_jacobian(dd_page_writer *page, const named *program, dd_pool *pool)
{
    const dd_nlp *nlp = program->nlp;
    pattern q = pattern_new(nlp->m, nlp->jacobian_nnz, pool);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        count_entry(&q, nlp->jacobian_row[k]);
    }
    pattern_begin(&q, nlp->m);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        put_entry(&q, nlp->jacobian_row[k], nlp->jacobian_col[k], 0);
    }
    const dd_matrix m = {.n_rows = nlp->m,
                         .n_columns = nlp->n,
                         .ptr = q.ptr,
                         .index = q.index,
                         .row_words = program->rows,
                         .column_words = program->columns};
    dd_page_add_matrix(page, "Jacobian of the rows",
                       dd_pool_printf(pool, "%u rows, %u variables, %u entries: %.3g %% of all", nlp->m, nlp->n,
                                      nlp->jacobian_nnz, 100.0 * nlp->jacobian_nnz / fmax(1, (double)nlp->m * nlp->n)),
                       &m);
}

/* [H J^T; J 0]: what every iteration factorises. */
static void add_kkt(dd_page_writer *page, const named *program, dd_pool *pool)
{
    const dd_nlp *nlp = program->nlp;
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
    const char **words = program->rows != NULL ? joined(program->columns, nlp->n, program->rows, nlp->m, pool) : NULL;
    const dd_matrix m = {.n_rows = rows,
                         .n_columns = rows,
                         .ptr = q.ptr,
                         .index = q.index,
                         .kind = q.kind,
                         .row_words = words,
                         .column_words = words};
    dd_page_add_matrix(
        page, "KKT matrix",
        dd_pool_printf(pool,
                       "of order %u with %llu entries; the Hessian (%u in its lower triangle) in the second "
                       "colour",
                       rows, (unsigned long long)count, nlp->hessian_nnz),
        &m);
}

void dd_ocp_page_more(dd_page_writer *page, dd_ocp *p, dd_pool *pool)
{
    const dd_nlp *nlp = p->transcription != NULL ? p->transcription->nlp : NULL;
    dd_ocp_page_fit(page, p, pool);
    if (nlp == NULL || nlp->m == 0 || nlp->jacobian_row == NULL) {
        return;
    }
    dd_page_section(page, "Sparsity");
    named program = {.nlp = nlp};
    if (nlp->n + nlp->m <= MOST_WORDS / 2) { /* the KKT matrix has them twice */
        program.rows = row_words(p, pool);
        program.columns = column_words(p, pool);
    }
    add_jacobian(page, &program, pool);
    if (nlp->hessian_row != NULL) {
        add_kkt(page, &program, pool);
    }
}
