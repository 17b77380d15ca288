/* start_block.c - one block of the square system, with tapes of its rows alone.
 *
 * Damped Newton from the start values, then the homotopy from there, then other values of those unknowns that have no
 * written start, and of all at last. When nothing works, the equations, residuals and guesses are named.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "init/start_impl.h"
#include "nls/newton.h"

/* ---- one block ---- */

typedef struct block_entry {
    uint32_t slot0, slot1; /* outputs of the partials, DD_NO_INDEX when absent */
    uint32_t q0, q1;       /* which coefficient of them */
    double factor;         /* of slot1 */
} block_entry;

typedef struct block {
    start_work *w;
    uint32_t n;
    const uint32_t *rows, *cols; /* positions of q */
    const start_square *q;
    dd_numeric *numeric;
    uint32_t *local; /* block row -> row of numeric */
    uint32_t order, partial_order;
    dd_csc pattern;
    block_entry *entry;
    uint32_t *slot; /* unknown -> place in w->x */
    double *size, *guess, *x;
    dd_pool *pool;
} block;

static void put(const block *b, const double *x)
{
    for (uint32_t i = 0; i < b->n; i++) {
        b->w->x[b->slot[i]] = x[i];
    }
}

static int block_residual(void *user, const double *x, double *r)
{
    const block *b = user;
    put(b, x);
    /* Taylor coefficients of all rows at once; the block's row i is coefficient k of its equation */
    const double *series = dd_numeric_residual_series(b->numeric, b->w->x, b->w->stride, b->order);
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] = series[(size_t)b->local[i] * (b->order + 1) + b->q->order[b->rows[i]]];
        if (!isfinite(r[i])) {
            return 1;
        }
    }
    return 0;
}

static int block_jacobian(void *user, const double *x, double *val)
{
    const block *b = user;
    put(b, x);
    const double *p = dd_numeric_partial_series(b->numeric, b->w->x, b->w->stride, b->partial_order);
    size_t step = b->partial_order + 1;
    /* d(f_i)_k/dx_j^(m) = (df_i/dx_j)_{k-m} + m (df_i/dx_j')_{k+1-m} */
    for (uint32_t k = 0; k < b->pattern.ptr[b->n]; k++) {
        const block_entry *e = &b->entry[k];
        val[k] = (e->slot0 != DD_NO_INDEX ? p[e->slot0 * step + e->q0] : 0.0) +
                 (e->slot1 != DD_NO_INDEX ? e->factor * p[e->slot1 * step + e->q1] : 0.0);
    }
    return 0;
}

/* Is some x_j^(m) of the column an unknown of the block? local_of: unknown -> its number in the block. */
static bool column_in_block(const block *b, uint32_t col, const uint32_t *local_of)
{
    const dd_tangent *t = &b->w->shape;
    for (uint32_t u = t->offset[col]; u < t->offset[col + 1]; u++) {
        if (b->q->number[u] != DD_NO_INDEX && local_of[b->q->number[u]] != DD_NO_INDEX) {
            return true;
        }
    }
    return false;
}

/* Tapes of the block's rows alone; entry_of: its incidence entries -> those of all rows. */
static void own_numeric(block *b, const uint32_t *local_of, dd_index_vec *entry_of)
{
    const start_rows *r = &b->w->rows;
    dd_eq_vec *eqs = dd_pool_alloc(b->pool, sizeof *eqs);
    dd_incidence *inc = dd_pool_alloc(b->pool, sizeof *inc);
    dd_index_vec ptr = {0};
    dd_vec_push(b->pool, &ptr, 0);
    /* derivatives of one equation are neighbours in the block and share its tape */
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t row = b->q->row[b->rows[i]];
        if (i > 0 && row == b->q->row[b->rows[i - 1]]) {
            b->local[i] = b->local[i - 1];
            continue;
        }
        b->local[i] = eqs->len;
        dd_vec_push(b->pool, eqs, r->eqs.data[row]);
        /* partials only by columns that the block solves for */
        for (uint32_t e = r->inc.ptr[row]; e < r->inc.ptr[row + 1]; e++) {
            if (column_in_block(b, r->inc.idx[e], local_of)) {
                dd_vec_push(b->pool, entry_of, e);
            }
        }
        dd_vec_push(b->pool, &ptr, entry_of->len);
    }
    /* the incidence of these rows, copied entry by entry */
    *inc = (dd_incidence){.n = eqs->len, .ncols = r->inc.ncols, .ptr = ptr.data};
    inc->idx = dd_pool_alloc_array(b->pool, entry_of->len + 1, sizeof *inc->idx);
    inc->sigma = dd_pool_alloc_array(b->pool, entry_of->len + 1, sizeof *inc->sigma);
    inc->partial0 = dd_pool_alloc_array(b->pool, entry_of->len + 1, sizeof *inc->partial0);
    inc->partial1 = dd_pool_alloc_array(b->pool, entry_of->len + 1, sizeof *inc->partial1);
    for (uint32_t k = 0; k < entry_of->len; k++) {
        uint32_t e = entry_of->data[k];
        inc->idx[k] = r->inc.idx[e];
        inc->sigma[k] = r->inc.sigma[e];
        inc->partial0[k] = r->inc.partial0[e];
        inc->partial1[k] = r->inc.partial1[e];
    }
    b->numeric = dd_numeric_new(b->w->s, eqs, inc, b->pool);
    dd_numeric_set_outside(b->numeric, &b->w->at);
}

typedef struct placed {
    uint32_t row, col;
    block_entry entry;
} placed;
typedef DD_VEC(placed) placed_vec;

static void place_row(block *b, uint32_t i, const uint32_t *local_of, const dd_index_vec *entry_of, placed_vec *list)
{
    const start_rows *r = &b->w->rows;
    const dd_tangent *t = &b->w->shape;
    const dd_incidence *inc = b->numeric->inc;
    uint32_t k = b->q->order[b->rows[i]];
    for (uint32_t e = inc->ptr[b->local[i]]; e < inc->ptr[b->local[i] + 1]; e++) {
        /* where the tapes are those of all rows, the block uses their entries */
        uint32_t all = entry_of->len > 0 ? entry_of->data[e] : e, first = t->offset[inc->idx[e]];
        uint32_t known = t->offset[inc->idx[e] + 1] - first;
        for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
            uint32_t number = b->q->number[first + m], how = dd_start_meets(r, all, k, m);
            /* held values and unknowns of earlier blocks are constants here */
            if (how == 0 || number == DD_NO_INDEX || local_of[number] == DD_NO_INDEX) {
                continue;
            }
            placed p = {.row = i, .col = local_of[number]};
            p.entry = (block_entry){.slot0 = how & 1 ? b->numeric->slot0[e] : DD_NO_INDEX,
                                    .slot1 = how & 2 ? b->numeric->slot1[e] : DD_NO_INDEX,
                                    .q0 = how & 1 ? k - m : 0,
                                    .q1 = how & 2 ? k + 1 - m : 0,
                                    .factor = m};
            /* the highest coefficient that any entry needs bounds the length of the series */
            uint32_t highest = p.entry.q0 > p.entry.q1 ? p.entry.q0 : p.entry.q1;
            b->partial_order = highest > b->partial_order ? highest : b->partial_order;
            dd_vec_push(b->pool, list, p);
        }
    }
    b->order = k > b->order ? k : b->order;
}

/* The matrix by columns from the entries by rows. */
static void build_pattern(block *b, const uint32_t *local_of, const dd_index_vec *entry_of)
{
    placed_vec list = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        place_row(b, i, local_of, entry_of, &list);
    }
    b->pattern = (dd_csc){.nrows = b->n, .ncols = b->n};
    b->pattern.ptr = dd_pool_alloc_array(b->pool, b->n + 2, sizeof(uint32_t));
    b->pattern.idx = dd_pool_alloc_array(b->pool, list.len + 1, sizeof(uint32_t));
    b->entry = dd_pool_alloc_array(b->pool, list.len + 1, sizeof *b->entry);
    uint32_t *next = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *next);
    /* counting sort by columns */
    for (uint32_t k = 0; k < list.len; k++) {
        b->pattern.ptr[list.data[k].col + 1]++;
    }
    for (uint32_t c = 0; c < b->n; c++) {
        b->pattern.ptr[c + 1] += b->pattern.ptr[c];
        next[c] = b->pattern.ptr[c];
    }
    for (uint32_t k = 0; k < list.len; k++) {
        uint32_t at = next[list.data[k].col]++;
        b->pattern.idx[at] = list.data[k].row;
        b->entry[at] = list.data[k].entry;
    }
}

static void build_block(block *b, uint32_t *local_of)
{
    start_work *w = b->w;
    dd_index_vec entry_of = {0};
    b->local = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *b->local);
    b->slot = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *b->slot);
    b->size = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *b->size);
    b->guess = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *b->guess);
    b->x = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *b->x);
    /* unknown i of the block: where its value is, its scale, its guess */
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t u = b->cols[i];
        local_of[u] = i;
        b->slot[i] = b->q->col[u] * w->stride + b->q->power[u];
        b->size[i] = w->s->size[b->q->col[u]];
        b->guess[i] = w->guess[b->slot[i]];
    }
    if (b->n > w->rows.eqs.len / 2 && b->n > 1) { /* most rows: the tapes of all */
        b->numeric = w->rows.numeric;
        for (uint32_t i = 0; i < b->n; i++) {
            b->local[i] = b->q->row[b->rows[i]];
        }
    } else {
        own_numeric(b, local_of, &entry_of);
    }
    build_pattern(b, local_of, &entry_of);
    for (uint32_t i = 0; i < b->n; i++) {
        local_of[b->cols[i]] = DD_NO_INDEX;
    }
    /* work space is allocated here, where a lack of memory may be raised */
    put(b, b->guess);
    dd_numeric_residual_series(b->numeric, w->x, w->stride, b->order);
    dd_numeric_partial_series(b->numeric, w->x, w->stride, b->partial_order);
}

/* ---- attempts ---- */

/* How a guess is made. Unknowns with a written start keep it in all but the last attempts. */
typedef struct attempt {
    double factor; /* generic values, this times the size; 0: the guess as it is */
    bool point;    /* from the point of the analysis instead */
    bool apart;    /* far from each other, of either sign: equal values are special where equations are symmetric */
    bool written;  /* written starts too */
    bool homotopy; /* where Newton fails */
} attempt;

static const attempt attempts[] = {
    {.homotopy = true},
    {.point = true, .homotopy = true},
    {.factor = 1, .homotopy = true},
    {.factor = -1},
    {.factor = 0.1},
    {.factor = 1, .apart = true},
    {.factor = 10, .apart = true},
    {.factor = 1, .written = true, .homotopy = true},
    {.factor = -1, .written = true},
    {.factor = 0.1, .written = true},
    {.factor = 10, .written = true},
    {.factor = 1, .apart = true, .written = true},
};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

/* False when the attempt is not different from the first. */
static bool set_guess(block *b, uint32_t number)
{
    start_work *w = b->w;
    const attempt *a = &attempts[number];
    const dd_taylor_point *point = &w->s->point;
    bool other = number == 0;
    /* a written start is the user's intention: it stays until nothing else helps */
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t col = b->q->col[b->cols[i]], m = b->q->power[b->cols[i]];
        const dd_variable *v = &w->s->model->vars.data[w->s->unknown[col]];
        b->x[i] = b->guess[i];
        if (m == 0 && v->has_start && !a->written) {
            continue;
        }
        /* the analysis has found a consistent point near the starts: its derivatives are good guesses */
        if (a->point && point->consistent && m <= point->order) {
            b->x[i] = point->x[(size_t)col * (point->order + 1) + m];
            other = true;
        } else if (m == 0 && a->factor != 0) {
            const double noise = dd_noise(col, number, 21), part = a->apart ? 4 * noise : 0.9 + 0.3 * noise;
            const double value = a->factor * w->s->size[col] * part;
            b->x[i] = fmin(fmax(value, v->min_value), v->max_value);
            other = true;
        }
    }
    return other;
}

/* Every value lies within its bounds. */
static bool within_bounds(const block *b)
/* a violation that rounding explains does not count */
{
    for (uint32_t i = 0; i < b->n; i++) {
        const dd_variable *v = &b->w->s->model->vars.data[b->w->s->unknown[b->q->col[b->cols[i]]]];
        double room = 1e-9 * fmax(b->size[i], fabs(b->x[i]));
        if (b->q->power[b->cols[i]] == 0 && !(b->x[i] >= v->min_value - room && b->x[i] <= v->max_value + room)) {
            return false;
        }
    }
    return true;
}

/* Is a row's rounding error small beside its terms? */
static bool has_digits(const block *b, dd_expr residual)
{
    const double least = 1e-4; /* part of the terms */
    start_work *w = b->w;
    dd_dag *dag = w->s->model->dag;
    const bool sum = dd_op_of(dag, residual) == DD_OP_ADD;
    const uint32_t n = sum ? dd_arg_count(dag, residual) : 1;
    dd_expr *term = dd_pool_alloc_array(b->pool, n, sizeof *term);
    double *value = dd_pool_alloc_array(b->pool, n, sizeof *value);
    double *magnitude = dd_pool_alloc_array(b->pool, n, sizeof *magnitude), size = 0, most = 0;
    for (uint32_t k = 0; k < n; k++) {
        term[k] = sum ? dd_arg(dag, residual, k) : residual;
    }
    const dd_numeric_place at = {.x = w->x, .stride = w->stride, .outside = w->at};
    dd_numeric_values(w->s, term, n, &at, value, magnitude, b->pool);
    for (uint32_t k = 0; k < n; k++) {
        size = fmax(size, fabs(value[k]));
        most = fmax(most, magnitude[k]);
    }
    return !(most * DBL_EPSILON > least * size);
}

/* Newton's method may run away from where its matrix is nearly singular: to an angle of 1e16, where rounding decides what its
 * cosine is and its own size makes any correction a small one. Such a point satisfies nothing. */
static bool ran_away(const block *b)
{
    const double far = 1e8; /* times its size: below that cosines have digits */
    bool any = false;
    for (uint32_t i = 0; i < b->n; i++) {
        any = any || fabs(b->x[i]) > far * fmax(b->size[i], fabs(b->guess[i]));
    }
    if (!any) {
        return false;
    }
    put(b, b->x);
    bool digits = true;
    for (uint32_t i = 0; i < b->n && digits; i++) {
        const bool as_it_is = b->q->order[b->rows[i]] == 0;
        digits = !as_it_is || has_digits(b, b->w->rows.eqs.data[b->q->row[b->rows[i]]].residual);
    }
    return !digits;
}

static bool run_attempt(block *b, uint32_t number, bool homotopy)
{
    start_work *w = b->w;
    dd_square problem = {
        .user = b, .n = b->n, .pattern = &b->pattern, .residual = block_residual, .jacobian = block_jacobian};
    dd_newton_info info = {0};
    if (!set_guess(b, number)) {
        return false;
    }
    /* Newton from the guess, or the homotopy from it where Newton failed */
    dd_system_must(w->s, (homotopy ? dd_homotopy_solve : dd_newton_solve)(&info, w->s->ctx, &problem, b->size, b->x),
                   "initial values");
    w->out->iterations += info.iterations;
    w->out->homotopies += homotopy;
    return info.verdict == DD_NEWTON_CONVERGED && !ran_away(b);
}

/* A solution outside the bounds is kept only when no attempt finds one inside. */
static bool solve_block(block *b)
{
    start_work *w = b->w;
    double *outside = NULL;
    /* attempts from cautious to wild, each by Newton and then by homotopy where that may help */
    for (uint32_t number = 0; number < ATTEMPTS; number++) {
        for (int homotopy = 0; homotopy <= (attempts[number].homotopy ? 1 : 0); homotopy++) {
            if (!run_attempt(b, number, homotopy)) {
                continue;
            }
            if (within_bounds(b)) {
                put(b, b->x);
                if (attempts[number].written) {
                    dd_start_say(w, "the start values did not lead to a solution, another guess did: %s",
                                 dd_start_unknown_text(w, b->q->col[b->cols[0]], b->q->power[b->cols[0]], b->x[0]));
                }
                return true;
            }
            /* a solution outside the bounds is better than none */
            if (!outside) {
                outside = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *outside);
                memcpy(outside, b->x, b->n * sizeof *outside);
            }
        }
    }
    if (outside) {
        put(b, outside);
    }
    return outside != NULL;
}

/* ---- failure in words ---- */

/* Columns with held values in the block's rows. */
static dd_index_vec held_nearby(block *b)
{
    start_work *w = b->w;
    dd_index_vec list = {0};
    bool *seen = dd_pool_alloc_array(b->pool, w->s->ncols + 1, sizeof *seen);
    /* the values that the user could change */
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t row = b->q->row[b->rows[i]];
        for (uint32_t e = w->rows.inc.ptr[row]; e < w->rows.inc.ptr[row + 1]; e++) {
            uint32_t col = w->rows.inc.idx[e];
            if (w->held[col] && !seen[col]) {
                seen[col] = true;
                dd_vec_push(b->pool, &list, col);
            }
        }
    }
    return list;
}

static void explain_block(block *b)
{
    enum { MOST_ROWS = 4, MOST_UNKNOWNS = 6 };
    start_work *w = b->w;
    double *r = dd_pool_alloc_array(b->pool, b->n + 1, sizeof *r);
    /* one more Newton run from the first guess: the message describes its last point */
    set_guess(b, 0);
    dd_square problem = {
        .user = b, .n = b->n, .pattern = &b->pattern, .residual = block_residual, .jacobian = block_jacobian};
    dd_newton_info info;
    dd_system_must(w->s, dd_newton_solve(&info, w->s->ctx, &problem, b->size, b->x), "initial values");
    bool finite = block_residual(b, b->x, r) == 0;
    dd_text equations = dd_text_new(w->scratch), unknowns = dd_text_new(w->scratch);
    /* the equations with their residuals, the unknowns with guess and result */
    for (uint32_t i = 0; i < b->n && i < MOST_ROWS; i++) {
        dd_text_printf(&equations, "%s%s", i > 0 ? ", " : "",
                       dd_start_row_words(w, b->q->row[b->rows[i]], b->q->order[b->rows[i]]));
        dd_text_printf(&equations, finite ? " (residual %s)" : " (not finite)", dd_start_number(w, r[i]));
    }
    for (uint32_t i = 0; i < b->n && i < MOST_UNKNOWNS; i++) {
        dd_text_printf(&unknowns, "%s%s (guess %s, reached %s)", i > 0 ? ", " : "",
                       dd_start_unknown_name(w, b->q->col[b->cols[i]], b->q->power[b->cols[i]]),
                       dd_start_number(w, b->guess[i]), dd_start_number(w, b->x[i]));
    }
    if (b->n > MOST_ROWS) {
        dd_text_printf(&equations, " and %u more", b->n - MOST_ROWS);
    }
    if (b->n > MOST_UNKNOWNS) {
        dd_text_printf(&unknowns, " and %u more", b->n - MOST_UNKNOWNS);
    }
    /* values held near the block are the likely culprits */
    dd_index_vec nearby = held_nearby(b);
    w->out->not_finite = !finite;
    dd_start_refuse(w, "no initial values were found: %s cannot be solved for %s; give %s%s%s%s",
                    dd_text_str(&equations), dd_text_str(&unknowns),
                    b->n > 1 ? "better start values" : "a better start value",
                    nearby.len > 0 ? ", or change what is given: " : "",
                    nearby.len > 0 ? dd_start_names(w, nearby.data, nearby.len, 6) : "",
                    info.verdict == DD_NEWTON_NOT_FINITE ? " (the equations are not finite at the guess)" : "");
}

bool dd_start_solve_block(start_work *w, const start_square *q, uint32_t first, uint32_t n, uint32_t *local_of)
{
    block b = {.w = w, .n = n, .rows = q->row_perm + first, .cols = q->col_perm + first, .q = q};
    if (n == 1 &&
        dd_start_solve_linear(w, q->row[b.rows[0]], q->order[b.rows[0]], q->col[b.cols[0]], q->power[b.cols[0]])) {
        return true;
    }
    b.pool = dd_pool_child(w->scratch);
    build_block(&b, local_of);
    bool solved = solve_block(&b);
    if (!solved) {
        explain_block(&b);
    }
    dd_pool_free(b.pool);
    return solved;
}
