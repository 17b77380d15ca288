/* start_solve.c - the square system of all rows f_i^(k), k <= c_i, and conditions, solved block by block.
 *
 * Held values leave as many unknowns x_j^(m) as rows. The block-triangular form of their pattern is solved in order, each
 * block with tapes of its own rows: damped Newton from the start values, then the homotopy from there, then Newton from
 * other values of those unknowns that have no written start.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "graph/match.h"
#include "graph/scc.h"
#include "init/newton.h"
#include "la/linsolver.h"
#include "sim/start_impl.h"
#include "structure/certificate.h"
#include "structure/point.h"

/* ---- the square pattern ---- */

typedef struct square {
    uint32_t n;            /* rows and unknowns */
    uint32_t *row, *order; /* position -> row of w->rows and its derivative */
    uint32_t *col, *power; /* unknown -> column and its derivative */
    uint32_t *number;      /* unknown of w->shape -> unknown, DD_NO_INDEX when held */
    uint32_t *ptr;         /* n + 1: pattern by rows */
    dd_index_vec idx;
    uint32_t *row_perm, *col_perm, *block;
    uint32_t blocks;
} square;

/* Do x_j^(m) and (f_i)_k meet, through entry e? bit 0: by df/dx, bit 1: by df/dx'. */
static uint32_t meets(const start_rows *r, uint32_t e, uint32_t k, uint32_t m)
{
    uint32_t how = 0;
    if (r->inc.partial0[e] != DD_EXPR_NONE && (m == k || (m < k && (r->varies[e] & 1)))) {
        how |= 1;
    }
    if (r->inc.partial1[e] != DD_EXPR_NONE && m >= 1 && (m == k + 1 || (m < k + 1 && (r->varies[e] & 2)))) {
        how |= 2;
    }
    return how;
}

static void number_unknowns(start_work *w, square *q)
{
    const dd_system *s = w->s;
    uint32_t count = 0, total = w->shape.total;
    q->number = dd_pool_alloc_array(w->scratch, total + 1, sizeof *q->number);
    q->col = dd_pool_alloc_array(w->scratch, total + 1, sizeof *q->col);
    q->power = dd_pool_alloc_array(w->scratch, total + 1, sizeof *q->power);
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t u = w->shape.offset[j]; u < w->shape.offset[j + 1]; u++) {
            bool held = u == w->shape.offset[j] && w->held[j];
            q->number[u] = held ? DD_NO_INDEX : count;
            if (!held) {
                q->col[count] = j;
                q->power[count++] = u - w->shape.offset[j];
            }
        }
    }
    q->n = count;
}

static void add_pattern_row(start_work *w, square *q, uint32_t at, uint32_t i, uint32_t k)
{
    const start_rows *r = &w->rows;
    q->row[at] = i;
    q->order[at] = k;
    for (uint32_t e = r->inc.ptr[i]; e < r->inc.ptr[i + 1]; e++) {
        uint32_t first = w->shape.offset[r->inc.idx[e]], known = w->shape.offset[r->inc.idx[e] + 1] - first;
        for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
            if (meets(r, e, k, m) && q->number[first + m] != DD_NO_INDEX) {
                dd_vec_push(w->scratch, &q->idx, q->number[first + m]);
            }
        }
    }
    q->ptr[at + 1] = q->idx.len;
}

/* False when there are not as many rows as unknowns. */
static bool build_square(start_work *w, const start_choice *choice, square *q)
{
    uint32_t rows = 0, fixed = w->conditions.len - (w->rows.eqs.len - w->rows.n), at = 0;
    number_unknowns(w, q);
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        rows += i < w->rows.n ? start_row_order(w, i) + 1 : choice->dependent[fixed + i - w->rows.n] ? 0 : 1;
    }
    q->row = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *q->row);
    q->order = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *q->order);
    q->ptr = dd_pool_alloc_array(w->scratch, rows + 2, sizeof *q->ptr);
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        if (i >= w->rows.n && choice->dependent[fixed + i - w->rows.n]) {
            continue;
        }
        for (uint32_t k = 0; k <= start_row_order(w, i); k++) {
            add_pattern_row(w, q, at++, i, k);
        }
    }
    return rows == q->n;
}

/* The block-triangular form; false without a perfect matching. */
static bool find_blocks(start_work *w, square *q)
{
    uint32_t size = 0, n = q->n;
    dd_pattern pattern = {n, n, q->ptr, q->idx.data};
    uint32_t *row_match = dd_pool_alloc_array(w->scratch, n + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(w->scratch, n + 1, sizeof *col_match);
    dd_system_must(w->s, dd_graph_match(&size, w->s->ctx, &pattern, NULL, false, row_match, col_match),
                   "matching initial equations");
    if (size < n) {
        return false;
    }
    q->row_perm = dd_pool_alloc_array(w->scratch, n + 1, sizeof *q->row_perm);
    q->col_perm = dd_pool_alloc_array(w->scratch, n + 1, sizeof *q->col_perm);
    q->block = dd_pool_alloc_array(w->scratch, n + 2, sizeof *q->block);
    dd_system_must(w->s, dd_graph_btf(&q->blocks, w->s->ctx, &pattern, row_match, q->row_perm, q->col_perm, q->block),
                   "ordering initial equations");
    return true;
}

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
    const square *q;
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
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t row = b->q->row[b->rows[i]];
        if (i > 0 && row == b->q->row[b->rows[i - 1]]) {
            b->local[i] = b->local[i - 1];
            continue;
        }
        b->local[i] = eqs->len;
        dd_vec_push(b->pool, eqs, r->eqs.data[row]);
        for (uint32_t e = r->inc.ptr[row]; e < r->inc.ptr[row + 1]; e++) {
            if (column_in_block(b, r->inc.idx[e], local_of)) {
                dd_vec_push(b->pool, entry_of, e);
            }
        }
        dd_vec_push(b->pool, &ptr, entry_of->len);
    }
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
        uint32_t all = entry_of->len > 0 ? entry_of->data[e] : e, first = t->offset[inc->idx[e]];
        uint32_t known = t->offset[inc->idx[e] + 1] - first;
        for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
            uint32_t number = b->q->number[first + m], how = meets(r, all, k, m);
            if (how == 0 || number == DD_NO_INDEX || local_of[number] == DD_NO_INDEX) {
                continue;
            }
            placed p = {.row = i, .col = local_of[number]};
            p.entry = (block_entry){.slot0 = how & 1 ? b->numeric->slot0[e] : DD_NO_INDEX,
                                    .slot1 = how & 2 ? b->numeric->slot1[e] : DD_NO_INDEX,
                                    .q0 = how & 1 ? k - m : 0,
                                    .q1 = how & 2 ? k + 1 - m : 0,
                                    .factor = m};
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

/* Guesses for unknowns without a written start; 0 is the start guess itself. False when there is no such attempt. */
static bool set_guess(block *b, uint32_t attempt)
{
    start_work *w = b->w;
    const dd_taylor_point *point = &w->s->point;
    bool other = false;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t col = b->q->col[b->cols[i]], m = b->q->power[b->cols[i]];
        const dd_variable *v = &w->s->model->vars.data[w->s->unknown[col]];
        b->x[i] = b->guess[i];
        if (attempt == 0 || (m == 0 && v->has_start)) {
            continue;
        }
        other = true;
        if (attempt == 1) {
            b->x[i] = m <= point->order ? point->x[(size_t)col * (point->order + 1) + m] : 0.0;
        } else if (m == 0) {
            double sign = attempt % 2 == 0 ? 1.0 : -1.0;
            double value =
                sign * w->s->size[col] * (0.9 + 0.3 * dd_noise(col, attempt, 21)) * (attempt >= 4 ? 0.1 : 1.0);
            b->x[i] = fmin(fmax(value, v->min_value), v->max_value);
        }
    }
    return attempt == 0 || (other && (attempt > 1 || point->consistent));
}

static bool solve_block(block *b)
{
    enum { ATTEMPTS = 6 };
    start_work *w = b->w;
    dd_square problem = {
        .user = b, .n = b->n, .pattern = &b->pattern, .residual = block_residual, .jacobian = block_jacobian};
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        for (int method = 0; method < 2; method++) {
            if (!set_guess(b, attempt)) {
                break;
            }
            dd_newton_info info;
            dd_status st =
                (method == 0 ? dd_newton_solve : dd_homotopy_solve)(&info, w->s->ctx, &problem, b->size, b->x);
            dd_system_must(w->s, st, "initial values");
            w->out->iterations += info.iterations;
            w->out->homotopies += method;
            if (info.verdict == DD_NEWTON_CONVERGED) {
                put(b, b->x);
                return true;
            }
        }
    }
    return false;
}

/* ---- failure in words ---- */

/* Columns with held values in the block's rows. */
static dd_index_vec held_nearby(block *b)
{
    start_work *w = b->w;
    dd_index_vec list = {0};
    bool *seen = dd_pool_alloc_array(b->pool, w->s->ncols + 1, sizeof *seen);
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
    set_guess(b, 0);
    dd_square problem = {
        .user = b, .n = b->n, .pattern = &b->pattern, .residual = block_residual, .jacobian = block_jacobian};
    dd_newton_info info;
    dd_system_must(w->s, dd_newton_solve(&info, w->s->ctx, &problem, b->size, b->x), "initial values");
    bool finite = block_residual(b, b->x, r) == 0;
    dd_text equations = dd_text_new(w->scratch), unknowns = dd_text_new(w->scratch);
    for (uint32_t i = 0; i < b->n && i < MOST_ROWS; i++) {
        dd_text_printf(&equations, "%s%s", i > 0 ? ", " : "",
                       start_row_words(w, b->q->row[b->rows[i]], b->q->order[b->rows[i]]));
        dd_text_printf(&equations, finite ? " (residual %s)" : " (not finite)", start_number(w, r[i]));
    }
    for (uint32_t i = 0; i < b->n && i < MOST_UNKNOWNS; i++) {
        const char *name = dd_system_column_name(w->s, b->q->col[b->cols[i]], w->scratch);
        uint32_t m = b->q->power[b->cols[i]];
        dd_text_printf(&unknowns, "%s%s%s%s (guess %s, reached %s)", i > 0 ? ", " : "", m > 0 ? "der(" : "", name,
                       m > 1   ? ", ...)"
                       : m > 0 ? ")"
                               : "",
                       start_number(w, b->guess[i]), start_number(w, b->x[i]));
    }
    if (b->n > MOST_ROWS) {
        dd_text_printf(&equations, " and %u more", b->n - MOST_ROWS);
    }
    if (b->n > MOST_UNKNOWNS) {
        dd_text_printf(&unknowns, " and %u more", b->n - MOST_UNKNOWNS);
    }
    dd_index_vec nearby = held_nearby(b);
    start_refuse(w, "no initial values were found: %s cannot be solved for %s; give a better start value%s%s%s%s",
                 dd_text_str(&equations), dd_text_str(&unknowns), b->n > 1 ? "s" : "",
                 nearby.len > 0 ? ", or change what is given: " : "",
                 nearby.len > 0 ? start_names(w, nearby.data, nearby.len, 6) : "",
                 info.verdict == DD_NEWTON_NOT_FINITE ? " (the equations are not finite at the guess)" : "");
}

/* ---- all blocks ---- */

static bool solve_in_order(start_work *w, const square *q)
{
    uint32_t *local_of = dd_pool_alloc_array(w->scratch, q->n + 1, sizeof *local_of);
    memset(local_of, 0xff, (q->n + 1) * sizeof *local_of);
    w->out->blocks = q->blocks;
    for (uint32_t i = 0; i < q->blocks; i++) {
        dd_check_stop(w->s->ctx);
        uint32_t first = q->block[i];
        block b = {
            .w = w, .n = q->block[i + 1] - first, .rows = q->row_perm + first, .cols = q->col_perm + first, .q = q};
        b.pool = dd_pool_child(w->scratch);
        w->out->largest_block = b.n > w->out->largest_block ? b.n : w->out->largest_block;
        build_block(&b, local_of);
        bool solved = solve_block(&b);
        if (!solved) {
            explain_block(&b);
        }
        dd_pool_free(b.pool);
        if (!solved) {
            return false;
        }
    }
    return true;
}

bool start_solve(start_work *w, const start_choice *choice)
{
    square q = {0};
    memcpy(w->x, w->guess, (size_t)w->s->ncols * w->stride * sizeof *w->x);
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        if (w->held[j]) {
            w->x[(size_t)j * w->stride] = w->value[j];
        }
    }
    if (!build_square(w, choice, &q) || !find_blocks(w, &q)) {
        return start_refuse(w, "the equations and the initial conditions together are singular at the start values");
    }
    return solve_in_order(w, &q);
}

/* ---- afterwards ---- */

double start_residual(start_work *w)
{
    const start_rows *r = &w->rows;
    uint32_t order = w->s->off.max_c + w->extra;
    double worst = 0;
    const double *series = dd_numeric_residual_series(r->numeric, w->x, w->stride, order);
    double *kept = dd_pool_alloc_array(w->scratch, (size_t)r->n * (order + 1) + 1, sizeof *kept);
    memcpy(kept, series, (size_t)r->n * (order + 1) * sizeof *kept);
    const double *p = dd_numeric_partial_series(r->numeric, w->x, w->stride, 0);
    for (uint32_t i = 0; i < r->n; i++) {
        for (uint32_t k = 0; k <= start_row_order(w, i); k++) {
            double size = 1e-3;
            for (uint32_t e = r->inc.ptr[i]; e < r->inc.ptr[i + 1]; e++) {
                const double *x = w->x + (size_t)r->inc.idx[e] * w->stride;
                double p0 = r->numeric->slot0[e] != DD_NO_INDEX ? p[r->numeric->slot0[e]] : 0.0;
                double p1 = r->numeric->slot1[e] != DD_NO_INDEX ? p[r->numeric->slot1[e]] : 0.0;
                size = fmax(size, fmax(fabs(p0 * x[k]), (k + 1) * fabs(p1 * x[k + 1])));
            }
            double part = fabs(kept[(size_t)i * (order + 1) + k]) / size;
            worst = part <= worst ? worst : part;
        }
    }
    return worst;
}

typedef struct rate_system {
    dd_csc a;
    dd_linsolver *solver;
    double *rhs;
    bool regular;
} rate_system;

/* Never raises. */
static dd_status solve_rates(dd_context *ctx, rate_system *rs)
{
    dd_status st = dd_linsolver_new(&rs->solver, ctx, "klu");
    if (st == DD_OK) {
        dd_linsolver_set_one_block(rs->solver);
        st = dd_linsolver_analyse(rs->solver, &rs->a);
    }
    st = st == DD_OK ? dd_linsolver_factor(rs->solver, &rs->a) : st;
    rs->regular = st == DD_OK && !dd_linsolver_get_info(rs->solver).singular;
    st = rs->regular ? dd_linsolver_solve(rs->solver, 1, rs->rhs) : st;
    dd_linsolver_free(rs->solver);
    return st;
}

/* One more derivative of everything: f_i^(c_i + 1) = 0 is linear in x_j^(d_j + 1) with the system Jacobian. */
bool start_rates(start_work *w)
{
    dd_system *s = w->s;
    uint32_t n = s->ncols, order = s->off.max_c + w->extra + 1, entries = 0;
    dd_numeric *nm = dd_system_numeric(s);
    dd_pool *pool = dd_pool_child(w->scratch);
    rate_system rs = {.rhs = dd_pool_alloc_array(pool, n + 1, sizeof(double))};
    uint32_t *ptr = dd_pool_alloc_array(pool, n + 2, sizeof *ptr);
    const double *series = dd_numeric_residual_series(nm, w->x, w->stride, order);
    for (uint32_t i = 0; i < n; i++) {
        rs.rhs[i] = -series[(size_t)i * (order + 1) + s->off.c[i] + w->extra + 1];
    }
    bool finite = dd_numeric_partials(nm, w->x, w->stride);
    for (uint32_t i = 0; i < n && finite; i++) {
        finite = isfinite(rs.rhs[i]);
        for (uint32_t e = s->inc.ptr[i]; e < s->inc.ptr[i + 1]; e++) {
            if (dd_is_tight(&s->inc, &s->off, i, e)) {
                ptr[s->off.col_match[s->inc.idx[e]] + 1]++; /* columns in the order of their matched rows */
                entries++;
            }
        }
    }
    if (!finite) {
        dd_pool_free(pool);
        return false;
    }
    rs.a = (dd_csc){.nrows = n, .ncols = n, .ptr = ptr};
    rs.a.idx = dd_pool_alloc_array(pool, entries + 1, sizeof(uint32_t));
    rs.a.val = dd_pool_alloc_array(pool, entries + 1, sizeof(double));
    uint32_t *next = dd_pool_alloc_array(pool, n + 1, sizeof *next);
    for (uint32_t c = 0; c < n; c++) {
        ptr[c + 1] += ptr[c];
        next[c] = ptr[c];
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = s->inc.ptr[i]; e < s->inc.ptr[i + 1]; e++) {
            if (dd_is_tight(&s->inc, &s->off, i, e)) {
                double magnitude, factor = s->inc.sigma[e] == 1 ? s->off.c[i] + w->extra + 2 : 1.0;
                uint32_t at = next[s->off.col_match[s->inc.idx[e]]]++;
                rs.a.idx[at] = i;
                rs.a.val[at] = factor * dd_numeric_tight(nm, e, &magnitude);
            }
        }
    }
    dd_system_must(s, n > 0 ? solve_rates(s->ctx, &rs) : DD_OK, "initial values");
    for (uint32_t j = 0; j < n && rs.regular; j++) {
        uint32_t at = s->off.d[j] + w->extra + 1;
        w->x[(size_t)j * w->stride + at] = rs.rhs[s->off.col_match[j]];
    }
    dd_pool_free(pool);
    return rs.regular || n == 0;
}
