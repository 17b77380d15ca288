/* repeated.c - reduced gradients by adjoint solves with the factored equations of the model, and their ranks. */
#include "ocp/repeated.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "la/dense.h"
#include "la/linsolver.h"
#include "ocp/columns.h"

enum { MOST_ROWS = 400, MOST_ENTRIES = 4000000, MOST_SOURCES = 5 };
#define NOTHING 1e-6    /* of the size of a row: such a gradient is the error of the mesh, */
#define HARDLY_ANY 1e-4 /* the same during the iterations: near a double root it falls like the root of the violation */
#define DEPENDENT 1e-5  /* remainder of a unit gradient that adds nothing at an exact solution, */
#define BLURRED 3e-3    /* the same during the iterations, and where a coarse mesh keeps invariants to some digits */
#define WEAK                                                                                                           \
    1e-3 /* of a row's size: decisions that move rows less are not scaled up: NOTHING and HARDLY_ANY count there */
#define HARDLY 0.1            /* of the strongest row: a row that hardly changes is worth less */
#define POOR 0.1              /* remainder of the rows in use below which another choice is looked for, */
#define BETTER 3              /* and this times better it must be */
#define MUCH_LEFT 0.7         /* of a vector's length: what is left of it has all digits */
#define TAKES_PART 1e-2       /* share of a unit gradient from which on a row is named */
#define COMBINATION_CUT 1e-12 /* of the largest singular value, for kept rows, which are independent */

typedef struct reduced {
    dd_ocp *p;
    const dd_nlp *nlp;
    dd_pool *pool;
    uint32_t *inner,
        *open;          /* per column: its number among those the model determines, among the others; or DD_NO_INDEX */
    uint32_t *model;    /* per row: its number among the equations of the model */
    uint32_t *compared; /* per row: among the rows that are compared */
    uint32_t n_inner, n_open, n_model;
    dd_index_vec rows; /* that are compared: of the program */
    double *values;    /* of the Jacobian */
    double *g;         /* unit gradients: n_open each */
    double *size;      /* of each row */
    double *length;    /* of its gradient, before it was scaled */
    bool *direct;      /* it contains nothing that the model determines: a condition of the start, say */
    double *q;         /* orthonormal directions of the kept ones */
    uint32_t n_q;
    bool *kept;
    double quality;   /* smallest remainder of those that were chosen */
    double dependent; /* a smaller remainder is zero, */
    double nothing;   /* and a smaller gradient of a row */
    bool exact;       /* the point is a solution */
} reduced;

/* ---- rows and columns ---- */

static const dd_row_tag *tag_of(const reduced *r, uint32_t row)
{
    return &r->p->transcription->tags.data[row];
}

static bool of_model(const reduced *r, uint32_t row)
{
    dd_row_kind kind = tag_of(r, row)->kind;
    return kind == DD_ROW_DYNAMICS || kind == DD_ROW_ALGEBRAIC || kind == DD_ROW_CONTINUITY || kind == DD_ROW_TAP;
}

static const dd_ocp_row *point_row(const reduced *r, uint32_t row)
{
    const dd_row_tag *tag = tag_of(r, row);
    return tag->kind == DD_ROW_POINT ? &r->p->problem->points.data[tag->index] : NULL;
}

/* Left out because it repeated others elsewhere. */
static bool is_out(const reduced *r, uint32_t row)
{
    const dd_ocp_row *point = point_row(r, row);
    return point != NULL && point->repeated;
}

static void sort_rows(reduced *r)
{
    const dd_nlp *nlp = r->nlp;
    for (uint32_t i = 0; i < nlp->m; i++) {
        /* rows of the model determine the inner variables; equalities of the user are compared */
        bool equality = nlp->c_lower[i] == nlp->c_upper[i], start = tag_of(r, i)->kind == DD_ROW_START;
        r->model[i] = of_model(r, i) ? r->n_model++ : DD_NO_INDEX;
        r->compared[i] = DD_NO_INDEX;
        if ((equality || is_out(r, i)) && !of_model(r, i) && !start) {
            r->compared[i] = r->rows.len;
            dd_vec_push(r->pool, &r->rows, i);
        }
    }
}

static void sort_columns(reduced *r)
{
    const dd_column *columns = dd_ocp_columns(r->p->transcription, r->pool);
    bool start_known = r->p->problem->start_known;
    for (uint32_t j = 0; j < r->nlp->n; j++) {
        /* v: determined by the equations (states after the start, z, taps); q: free */
        dd_column_kind kind = columns[j].kind;
        bool first = kind == DD_COLUMN_STATE && columns[j].theta == 0;
        bool inner = !first && (kind == DD_COLUMN_STATE || kind == DD_COLUMN_ALGEBRAIC || kind == DD_COLUMN_OTHER);
        bool held = (first && start_known) || r->nlp->x_lower[j] == r->nlp->x_upper[j];
        r->inner[j] = inner ? r->n_inner++ : DD_NO_INDEX;
        r->open[j] = inner || held ? DD_NO_INDEX : r->n_open++;
    }
}

/* ---- gradients ---- */

/* A^T as a matrix by columns, so that a solve with its transpose is one with A^T: entries of the model's rows in v. */
static dd_status factor_model(reduced *r, dd_linsolver **out)
{
    const dd_nlp *nlp = r->nlp;
    uint32_t *row = dd_pool_alloc_array(r->pool, nlp->jacobian_nnz + 1, sizeof *row), n = 0;
    uint32_t *col = dd_pool_alloc_array(r->pool, nlp->jacobian_nnz + 1, sizeof *col);
    double *val = dd_pool_alloc_array(r->pool, nlp->jacobian_nnz + 1, sizeof *val);
    /* A = dF/dv: square when the model determines its motion */
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = r->model[nlp->jacobian_row[k]], j = r->inner[nlp->jacobian_col[k]];
        if (i != DD_NO_INDEX && j != DD_NO_INDEX) {
            row[n] = i;
            col[n] = j;
            val[n++] = r->values[k];
        }
    }
    dd_csc a = {0};
    dd_context *ctx = r->p->ctx;
    dd_status status = dd_csc_from_triplets(&a, ctx, r->n_model, r->n_inner, &(dd_triplets){n, row, col, val}, NULL);
    status = status == DD_OK ? dd_linsolver_new(out, ctx, "klu") : status;
    status = status == DD_OK ? dd_linsolver_analyse(*out, &a) : status;
    status = status == DD_OK ? dd_linsolver_factor(*out, &a) : status;
    dd_csc_free(ctx, &a);
    return status;
}

/* adjoint: room for n_inner per row; afterwards A^-T dr/dv. */
static void fill_direct(reduced *r, double *adjoint)
{
    const dd_nlp *nlp = r->nlp;
    /* r(v, q): dr/dv goes to the adjoint solve, dr/dq is the direct part of the gradient */
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = r->compared[nlp->jacobian_row[k]], j = nlp->jacobian_col[k];
        if (i == DD_NO_INDEX) {
            continue;
        }
        r->size[i] = fmax(r->size[i], fabs(r->values[k]));
        if (r->inner[j] != DD_NO_INDEX) {
            adjoint[(size_t)i * r->n_inner + r->inner[j]] += r->values[k];
            r->direct[i] = false;
        } else if (r->open[j] != DD_NO_INDEX) {
            r->g[(size_t)i * r->n_open + r->open[j]] += r->values[k];
        }
    }
}

static void take_model_out(reduced *r, const double *adjoint)
{
    const dd_nlp *nlp = r->nlp;
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = r->model[nlp->jacobian_row[k]], j = r->open[nlp->jacobian_col[k]];
        for (uint32_t c = 0; i != DD_NO_INDEX && j != DD_NO_INDEX && c < r->rows.len; c++) {
            r->g[(size_t)c * r->n_open + j] -= adjoint[(size_t)c * r->n_inner + i] * r->values[k];
        }
    }
}

/* Decisions count alike, however much they move the rows. Where a motion is unstable, what is decided early moves all
 * rows by much, and in nearly the same direction: unscaled, independent rows would look like one. Ranks do not depend
 * on such scales. */
static void scale_decisions(reduced *r)
{
    double *most = dd_pool_alloc_array(r->pool, r->n_open + 1, sizeof *most);
    /* per decision: the largest change of a row, of the row's size */
    for (uint32_t c = 0; c < r->rows.len; c++) {
        for (uint32_t j = 0; j < r->n_open && r->size[c] > 0; j++) {
            most[j] = fmax(most[j], fabs(r->g[(size_t)c * r->n_open + j]) / r->size[c]);
        }
    }
    for (uint32_t c = 0; c < r->rows.len; c++) {
        for (uint32_t j = 0; j < r->n_open; j++) {
            r->g[(size_t)c * r->n_open + j] /= fmax(most[j], WEAK);
        }
    }
}

/* Unit length; zero where nothing can change the row. */
static bool normalise(reduced *r)
{
    bool finite = true;
    for (uint32_t c = 0; c < r->rows.len; c++) {
        /* unit vectors, so that a remainder is the sine of an angle; gradients at the level of the mesh error
         * are zero */
        double *g = r->g + (size_t)c * r->n_open, sum = 0;
        for (uint32_t j = 0; j < r->n_open; j++) {
            sum += g[j] * g[j];
        }
        finite = finite && isfinite(sum);
        double length = r->length[c] = sqrt(sum), factor = length > r->nothing * r->size[c] ? 1 / length : 0;
        for (uint32_t j = 0; j < r->n_open; j++) {
            g[j] *= factor;
        }
    }
    return finite;
}

static void must(reduced *r, dd_status status, dd_linsolver *solver)
{
    if (status != DD_OK) {
        dd_linsolver_free(solver);
        dd_raise(r->p->ctx, status, "%s", dd_status_text(status));
    }
}

static bool gradients(reduced *r)
{
    dd_linsolver *solver = NULL;
    double *adjoint = dd_pool_alloc_array(r->pool, (size_t)r->rows.len * r->n_inner + 1, sizeof *adjoint);
    r->g = dd_pool_alloc_array(r->pool, (size_t)r->rows.len * r->n_open + 1, sizeof *r->g);
    r->size = dd_pool_alloc_array(r->pool, r->rows.len + 1, sizeof *r->size);
    r->length = dd_pool_alloc_array(r->pool, r->rows.len + 1, sizeof *r->length);
    r->direct = dd_pool_alloc_array(r->pool, r->rows.len + 1, sizeof *r->direct);
    memset(r->direct, true, r->rows.len);
    /* reduced gradient: dr/dq - (A^-T dr/dv)^T dF/dq */
    fill_direct(r, adjoint);
    if (r->n_inner > 0) {
        dd_status status = factor_model(r, &solver);
        must(r, status, solver);
        /* a singular model has no reduced gradient: nothing is said */
        if (dd_linsolver_get_info(solver).singular) {
            dd_linsolver_free(solver);
            return false;
        }
        must(r, dd_linsolver_solve_t(solver, r->rows.len, adjoint), solver);
        dd_linsolver_free(solver);
        take_model_out(r, adjoint);
    }
    scale_decisions(r);
    return normalise(r);
}

/* ---- ranks ---- */

static DD_CLONES double dot(const double *a, const double *b, size_t n)
{
    dd_v4 sums[2] = {{0}, {0}};
    size_t j = 0;
    for (; j + 8 <= n; j += 8) {
        sums[0] += dd_v4_load(a + j) * dd_v4_load(b + j);
        sums[1] += dd_v4_load(a + j + 4) * dd_v4_load(b + j + 4);
    }
    double sum = 0;
    for (; j < n; j++) {
        sum += a[j] * b[j];
    }
    sums[0] += sums[1];
    return sum + ((sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]));
}

static DD_CLONES void subtract(double factor, const double *q, size_t n, double *from)
{
    for (size_t j = 0; j < n; j++) {
        from[j] -= factor * q[j];
    }
}

/* Takes the kept directions out of a vector; returns the length that is left. */
static double remainder_of(const reduced *r, uint32_t c, double *work)
{
    uint32_t n = r->n_open;
    memcpy(work, r->g + (size_t)c * n, n * sizeof *work);
    double before, length = sqrt(dot(work, work, n));
    /* Gram-Schmidt; once more where much was taken out, since rounding errors are as large as before: then it is
     * orthogonal to rounding */
    int pass = 0;
    do {
        before = length;
        for (uint32_t k = 0; k < r->n_q; k++) {
            const double *q = r->q + (size_t)k * n;
            subtract(dot(work, q, n), q, n, work);
        }
        length = sqrt(dot(work, work, n));
    } while (++pass < 2 && length < MUCH_LEFT * before);
    return length;
}

/* work, length: what remainder_of left. */
static void keep(reduced *r, uint32_t c, const double *work, double length)
{
    /* normalised remainder: the next orthonormal direction */
    for (uint32_t j = 0; j < r->n_open; j++) {
        r->q[(size_t)r->n_q * r->n_open + j] = work[j] / length;
    }
    r->n_q++;
    r->kept[c] = true;
}

/* Rows that cannot be left out come first: paths, invariants, branches. */
static bool must_stay(const reduced *r, uint32_t c)
{
    const dd_ocp_row *row = point_row(r, r->rows.data[c]);
    return row == NULL || row->invariant || row->branch;
}

/* How much a row adds: its remainder, less where it can hardly be changed compared with the others. */
static double worth(const reduced *r, uint32_t c, double strongest, double rest)
{
    /* relative to the strongest row: a row that hardly changes is not a good one to keep */
    double strength = r->length[c] / r->size[c];
    return rest > r->dependent ? rest * fmin(1, strength / (HARDLY * strongest)) : 0;
}

static double strongest_row(const reduced *r)
{
    double most = 0;
    for (uint32_t c = 0; c < r->rows.len; c++) {
        most = fmax(most, r->size[c] > 0 ? r->length[c] / r->size[c] : 0);
    }
    return most;
}

/* Rows that add much, in the order they were written; then those that add less. */
static void keep_good(reduced *r, bool direct_only, bool in_use_only, double *work)
{
    static const double level[] = {0.3, 0.03, 0};
    double strongest = strongest_row(r);
    /* three levels, each in the order of the text: a good row that comes first wins over a slightly better one */
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t c = 0; c < r->rows.len; c++) {
            bool open = !r->kept[c] && !must_stay(r, c) && (r->direct[c] || !direct_only) &&
                        !(in_use_only && is_out(r, r->rows.data[c]));
            double rest = open ? remainder_of(r, c, work) : 0;
            if (open && worth(r, c, strongest, rest) > level[pass]) {
                r->quality = fmin(r->quality, rest);
                keep(r, c, work, rest);
            }
        }
    }
}

/* Conditions of the start come before those that tie both ends: a reader takes the latter for repetitions. */
static void select_rows(reduced *r, bool in_use_only, double *work)
{
    r->n_q = 0;
    r->quality = 1;
    memset(r->kept, 0, r->rows.len * sizeof *r->kept);
    /* rows that cannot be left out take their directions first */
    for (uint32_t c = 0; c < r->rows.len; c++) {
        double rest = must_stay(r, c) ? remainder_of(r, c, work) : 0;
        if (rest > r->dependent) {
            keep(r, c, work, rest);
        }
    }
    keep_good(r, true, in_use_only, work);
    keep_good(r, false, in_use_only, work);
}

/* Of the present choice: one in use that adds nothing is the worst that can be. */
static double quality_in_use(const reduced *r)
{
    double quality = r->quality;
    for (uint32_t c = 0; c < r->rows.len; c++) {
        bool idle = !r->kept[c] && !must_stay(r, c) && !is_out(r, r->rows.data[c]);
        quality = idle ? 0 : quality;
    }
    return quality;
}

static bool any_is_out(const reduced *r)
{
    bool any = false;
    for (uint32_t c = 0; c < r->rows.len; c++) {
        any = any || is_out(r, r->rows.data[c]);
    }
    return any;
}

/* Whether another choice than the present one is worth a solve. Leaves the best choice behind. */
static bool better_choice(reduced *r)
{
    double *work = dd_pool_alloc_array(r->pool, r->n_open + 1, sizeof *work);
    r->q = dd_pool_alloc_array(r->pool, (size_t)r->rows.len * r->n_open + 1, sizeof *r->q);
    r->kept = dd_pool_alloc_array(r->pool, r->rows.len + 1, sizeof *r->kept);
    /* the rows in use against the best choice */
    select_rows(r, true, work);
    double now = quality_in_use(r);
    uint32_t in_use = r->n_q;
    if (any_is_out(r)) { /* otherwise all are in use, and it is the best */
        select_rows(r, false, work);
    }
    /* at a solution ranks are sharp: a row that adds a direction is no repetition, even if it holds by chance */
    bool more = r->exact && r->n_q > in_use && r->quality > POOR;
    return more || (now < POOR && r->quality > BETTER * now);
}

/* ---- words ---- */

static const char *row_words(const reduced *r, uint32_t c)
{
    const dd_ocp_row *row = point_row(r, r->rows.data[c]);
    if (row != NULL) {
        return row->name;
    }
    dd_text text = dd_text_new(r->p->problem->pool);
    dd_transcription_row_name(r->p->transcription, r->rows.data[c], &text);
    return dd_text_str(&text);
}

/* The kept rows whose gradients make up that of row c: their numbers to `of`; returns how many. */
static uint32_t sources(reduced *r, uint32_t c, uint32_t *of)
{
    uint32_t n = r->n_open, count = 0, taking_part = 0;
    double *a = dd_pool_alloc_array(r->pool, (size_t)(r->n_q + 1) * n + 1, sizeof *a);
    double *x = dd_pool_alloc_array(r->pool, r->rows.len + 1, sizeof *x);
    /* least squares in the unit gradients of the kept rows */
    for (uint32_t k = 0; k < r->rows.len; k++) {
        if (r->kept[k]) {
            memcpy(a + (size_t)count * n, r->g + (size_t)k * n, n * sizeof *a);
            of[count++] = k;
        }
    }
    bool solved = count > 0 && n > 0 &&
                  dd_lstsq_dense(r->p->ctx, &(dd_dense){n, count, a, n}, r->g + (size_t)c * n, COMBINATION_CUT, x, NULL,
                                 NULL) == DD_OK;
    for (uint32_t k = 0; k < count && solved; k++) {
        of[taking_part] = of[k];
        taking_part += fabs(x[k]) > TAKES_PART ? 1 : 0;
    }
    return taking_part;
}

/* "x(0) = 1, y(0) = 2 and the equations of the model": the rows of a list without one of them. */
static const char *source_words(const reduced *r, const uint32_t *of, uint32_t count, uint32_t without)
{
    dd_pool *pool = r->p->problem->pool;
    dd_text text = dd_text_new(pool);
    uint32_t shown = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (of[k] != without && shown++ < MOST_SOURCES) {
            dd_text_printf(&text, "%s, ", row_words(r, of[k]));
        }
    }
    if (shown > MOST_SOURCES) {
        dd_text_printf(&text, "%u more, ", shown - MOST_SOURCES);
    }
    size_t length = strlen(dd_text_str(&text));
    const char *head = dd_pool_printf(pool, "%.*s", (int)(length >= 2 ? length - 2 : 0), dd_text_str(&text));
    /* a row without a gradient: the others may have brought it there */
    const char *where = length == 0 && r->n_q > 0 ? " where the other constraints hold" : "";
    return dd_pool_printf(pool, "%s%sthe equations of the model%s%s", head, length > 0 ? " and " : "",
                          r->p->problem->start_known ? " with its start" : "", where);
}

/* Row c is best left out; the others of its dependent set could be left out instead. */
static void add_repeat(reduced *r, uint32_t c, dd_repeat_vec *list)
{
    dd_pool *pool = r->p->pool;
    uint32_t *of = dd_pool_alloc_array(r->pool, r->rows.len + 2, sizeof *of), count = sources(r, c, of);
    size_t at = list->len;
    of[count++] = c;
    dd_vec_push(pool, list,
                ((dd_repeat){tag_of(r, r->rows.data[c])->index, source_words(r, of, count, c), r->size[c], 0}));
    for (uint32_t k = 0; k + 1 < count; k++) {
        if (!must_stay(r, of[k])) {
            dd_repeat other = {tag_of(r, r->rows.data[of[k]])->index, source_words(r, of, count, of[k]), r->size[of[k]],
                               0};
            dd_vec_push(pool, list, other);
            list->data[at].others++;
        }
    }
}

dd_repeat_vec dd_ocp_find_repeated(dd_ocp *p, const double *y, bool exact)
{
    dd_repeat_vec list = {0};
    const dd_nlp *nlp = p->transcription->nlp;
    reduced r = {.p = p, .nlp = nlp, .pool = dd_pool_child(p->pool)};
    /* at a solution dependence is sharp; during the iterations it is blurred by the residuals */
    r.exact = exact;
    r.dependent = exact ? DEPENDENT : BLURRED;
    r.nothing = exact ? NOTHING : HARDLY_ANY;
    r.inner = dd_pool_alloc_array(r.pool, nlp->n + 1, sizeof *r.inner);
    r.open = dd_pool_alloc_array(r.pool, nlp->n + 1, sizeof *r.open);
    r.model = dd_pool_alloc_array(r.pool, nlp->m + 1, sizeof *r.model);
    r.compared = dd_pool_alloc_array(r.pool, nlp->m + 1, sizeof *r.compared);
    r.values = dd_pool_alloc_array(r.pool, nlp->jacobian_nnz + 1, sizeof *r.values);
    sort_rows(&r);
    sort_columns(&r);
    /* dense algebra must be affordable, and the model square */
    size_t entries = (size_t)r.rows.len * ((size_t)r.n_open + r.n_inner);
    bool fits = r.rows.len > 0 && r.rows.len <= MOST_ROWS && entries <= MOST_ENTRIES && r.n_inner == r.n_model;
    if (fits && nlp->jacobian(nlp->user, y, true, r.values) && gradients(&r)) {
        /* rows outside of the best choice repeat those inside */
        bool other = better_choice(&r);
        for (uint32_t c = 0; c < r.rows.len && other; c++) {
            if (!r.kept[c] && !must_stay(&r, c)) {
                add_repeat(&r, c, &list);
            }
        }
    }
    dd_pool_free(r.pool);
    return list;
}
