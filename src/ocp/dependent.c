/* dependent.c - the rank of the active Jacobian by sparse elimination (la/rank_sparse.h), and the rows of each
 * left null vector by name. */
#include "ocp/dependent.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/rank_sparse.h"

enum { MOST_SETS = 3, MOST_NAMES = 5 };
#define NEAR 1e-6    /* relative distance to a bound that is active */
#define NO_PART 1e-7 /* of the largest entry of a null vector: rounding */
#define MOST_WORK 50000000u

typedef struct active {
    dd_ocp *p;
    const dd_nlp *nlp;
    dd_pool *pool;
    uint32_t *row, *col; /* number among the active ones, or DD_NO_INDEX */
    uint32_t *rows;      /* active rows: of the program */
    uint32_t n_rows, n_cols;
} active;

static bool near(double v, double bound)
{
    return isfinite(bound) && fabs(v - bound) <= NEAR * fmax(1, fabs(bound));
}

static bool model_row(const active *a, uint32_t row)
{
    dd_row_kind kind = a->p->transcription->tags.data[row].kind;
    return kind == DD_ROW_DYNAMICS || kind == DD_ROW_ALGEBRAIC || kind == DD_ROW_CONTINUITY || kind == DD_ROW_TAP ||
           kind == DD_ROW_START || kind == DD_ROW_CONSISTENCY;
}

/* Rows of the model first: the others are then the ones that add nothing. */
static void choose(active *a, const double *y, const double *c)
{
    const dd_nlp *nlp = a->nlp;
    /* variables at a bound cannot move: their columns leave */
    for (uint32_t j = 0; j < nlp->n; j++) {
        bool held = nlp->x_lower[j] == nlp->x_upper[j] || near(y[j], nlp->x_lower[j]) || near(y[j], nlp->x_upper[j]);
        a->col[j] = held ? DD_NO_INDEX : a->n_cols++;
    }
    /* equalities and rows at a bound; two passes put the model before the user */
    for (int user = 0; user < 2; user++) {
        for (uint32_t i = 0; i < nlp->m; i++) {
            if (model_row(a, i) == (user == 1)) {
                continue;
            }
            bool on = nlp->c_lower[i] == nlp->c_upper[i] || near(c[i], nlp->c_lower[i]) || near(c[i], nlp->c_upper[i]);
            a->row[i] = on ? a->n_rows : DD_NO_INDEX;
            if (on) {
                a->rows[a->n_rows++] = i;
            }
        }
    }
}

static bool matrix(active *a, const double *values, dd_csc *out)
{
    const dd_nlp *nlp = a->nlp;
    uint32_t *row = dd_pool_alloc_array(a->pool, nlp->jacobian_nnz + 1, sizeof *row), n = 0;
    uint32_t *col = dd_pool_alloc_array(a->pool, nlp->jacobian_nnz + 1, sizeof *col);
    double *val = dd_pool_alloc_array(a->pool, nlp->jacobian_nnz + 1, sizeof *val);
    /* the active part of the Jacobian */
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        if (a->row[nlp->jacobian_row[k]] != DD_NO_INDEX && a->col[nlp->jacobian_col[k]] != DD_NO_INDEX) {
            row[n] = a->row[nlp->jacobian_row[k]];
            col[n] = a->col[nlp->jacobian_col[k]];
            val[n++] = values[k];
        }
    }
    return dd_csc_from_triplets(out, a->p->ctx, a->n_rows, a->n_cols, &(dd_triplets){n, row, col, val}, NULL) == DD_OK;
}

static bool listed(const char *const *names, uint32_t n, const char *name)
{
    bool found = false;
    for (uint32_t i = 0; i < n; i++) {
        found = found || strcmp(names[i], name) == 0;
    }
    return found;
}

static void join(dd_text *all, const char *name)
{
    dd_text_add(all, all->len > 0 ? ", " : "");
    dd_text_add(all, name);
}

/* Rows with a part in column q: constraints by name, and whether the equations of the model take part. */
static void add_set(active *a, const dd_csc *left, uint32_t q, dd_diagnosis *out)
{
    const dd_transcription *t = a->p->transcription;
    dd_dependence set = {.from = INFINITY, .to = -INFINITY};
    const char *names[MOST_NAMES];
    uint32_t n = 0;
    double most = 0;
    bool model = false, known = false;
    /* a left null vector: the rows that it combines to zero; its small entries are rounding */
    for (uint32_t e = left->ptr[q]; e < left->ptr[q + 1]; e++) {
        most = fmax(most, fabs(left->val[e]));
    }
    dd_text all = dd_text_new(a->p->pool);
    for (uint32_t e = left->ptr[q]; e < left->ptr[q + 1]; e++) {
        uint32_t row = a->rows[left->idx[e]];
        double time = dd_transcription_time(t, a->p->result.x, t->tags.data[row].theta);
        if (fabs(left->val[e]) < NO_PART * most) {
            continue;
        }
        /* from the first to the last time of these rows */
        set.from = fmin(set.from, time);
        set.to = fmax(set.to, time);
        dd_text text = dd_text_new(a->p->pool);
        dd_transcription_row_name(t, row, &text);
        /* each constraint once, however many rows it has; the model as a whole */
        bool named = model_row(a, row) || n == MOST_NAMES || listed(names, n, dd_text_str(&text));
        model = model || model_row(a, row);
        if (!named) {
            names[n++] = dd_text_str(&text);
            join(&all, dd_text_str(&text));
        }
    }
    /* sets of the same names on neighbouring intervals are one */
    if (model) {
        join(&all, "the equations of the model and its start");
    }
    set.names = dd_text_str(&all);
    for (uint32_t i = 0; i < out->dependent.len; i++) {
        known = known || strcmp(out->dependent.data[i].names, set.names) == 0;
    }
    if (!known && n > 0) {
        dd_vec_push(a->p->pool, &out->dependent, set);
    }
}

typedef struct naming {
    active *a;
    const dd_csc *left;
    dd_diagnosis *out;
} naming;

static void name_sets(void *user)
{
    const naming *n = user;
    for (uint32_t q = 0; q < n->left->ncols; q++) {
        add_set(n->a, n->left, q, n->out);
    }
}

static void rank(active *a, const double *values, dd_diagnosis *out)
{
    dd_context *ctx = a->p->ctx;
    dd_csc m = {0}, left = {0};
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.max_work = MOST_WORK;
    options.max_left = MOST_SETS;
    /* left null vectors of the active rows, at most a few, with limited work */
    uint8_t *dependent = dd_pool_alloc_array(a->pool, a->n_rows + 1, sizeof *dependent);
    if (!matrix(a, values, &m)) {
        a->p->shortened = true;
        return;
    }
    dd_status status = dd_rank_sparse(&info, ctx, &m, &options, dependent, NULL, &left, NULL);
    naming n = {a, &left, out};
    dd_status named = status == DD_OK ? dd_protect(ctx, name_sets, &n) : DD_OK;
    dd_csc_free(ctx, &left);
    dd_csc_free(ctx, &m);
    a->p->shortened = a->p->shortened || status == DD_OUT_OF_MEMORY;
    /* memory that is freed before anything is raised */
    if (named != DD_OK) {
        dd_raise(ctx, named, "%s", dd_pool_strdup(a->p->pool, dd_context_message(ctx)));
    }
}

void dd_ocp_find_dependent(dd_ocp *p, dd_diagnosis *out)
{
    active a = {.p = p, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
    const dd_nlp *nlp = a.nlp;
    a.row = dd_pool_alloc_array(a.pool, nlp->m + 1, sizeof *a.row);
    a.rows = dd_pool_alloc_array(a.pool, nlp->m + 1, sizeof *a.rows);
    a.col = dd_pool_alloc_array(a.pool, nlp->n + 1, sizeof *a.col);
    double *c = dd_pool_alloc_array(a.pool, nlp->m + 1, sizeof *c);
    double *values = dd_pool_alloc_array(a.pool, nlp->jacobian_nnz + 1, sizeof *values);
    /* functions without a value have no rank */
    if (nlp->constraints(nlp->user, p->result.x, true, c) && nlp->jacobian(nlp->user, p->result.x, false, values)) {
        choose(&a, p->result.x, c);
        rank(&a, values, out);
    }
    dd_pool_free(a.pool);
}
