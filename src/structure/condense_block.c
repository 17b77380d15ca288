/* condense_block.c - two to four rows of one equation that determine the same number of unknowns, everywhere, without a
 * division.
 *
 * Orthogonal: A x + r = 0 where the columns of A are at right angles and of constant length, A^T A = D. Then x = -D^-1
 * A^T r. Rotations are such matrices: torques in the axes of a body, its angular velocity from the rate of its
 * quaternion.
 *
 * Parallel: A x = 0 with one row less than unknowns says that x has the direction of the kernel of A, and a further row
 * (x*x = 1) how long it is. The attitude of a body at a joint is written so. When the kernel's vector y is known in
 * closed form and the further row holds for x = y and for x = -y identically, x is one of the two: the one of the
 * consistent point. y is a set of entries of A (parallel vectors: a_i x_j = a_j x_i) or else the vector of minors of A,
 * which has constant length where the rows are at right angles.
 *
 * Such identities (cos^2 + sin^2 = 1 in disguise) are decided at generic points: an identity that holds at several of
 * them to rounding holds everywhere, as for ranks in the analysis.
 */
#include <math.h>

#include "expr/waves.h"
#include "structure/condense_impl.h"
#include "structure/numeric.h"

enum { MOST = 4, POINTS = DD_CONDENSE_POINTS, ORDERS = 3, MOST_ARRAYS = 32 };
static const double IDENTICAL = 1e-9; /* relative to the terms a value is computed from */

typedef struct block {
    uint32_t k, n; /* rows, unknowns */
    uint32_t rows[MOST], cols[MOST];
    dd_expr a[MOST][MOST], rest[MOST];
} block;

/* ---- values at generic points ---- */

/* Everything that stays unknown is generic there. Parameters keep their values: n*n = 1 may be what an identity needs.
 * With `any_parameters` they are generic too, so that no entry is zero by accident. */
static const double *generic_point(dd_condenser *w, uint32_t salt)
{
    size_t n = (size_t)w->s->ncols * ORDERS;
    if (!w->generic[salt]) {
        w->generic[salt] = dd_pool_alloc_array(w->scratch, n + 1, sizeof *w->generic[salt]);
        for (uint32_t i = 0; i < n; i++) {
            w->generic[salt][i] = dd_noise(i, salt, 31);
        }
    }
    return w->generic[salt];
}

/* Parameters of the model there; free ones are decided later, so they are generic. */
static double *generic_parameters(dd_condenser *w, uint32_t salt, bool all, dd_pool *pool)
{
    const dd_model *m = w->s->model;
    double *parameter = dd_pool_alloc_array(pool, m->vars.len + 1, sizeof *parameter);
    for (uint32_t i = 0; i < m->vars.len; i++) {
        parameter[i] = all || m->vars.data[i].free ? dd_noise(i, salt, 37) : w->s->parameter[i];
    }
    return parameter;
}

static void values_at(dd_condenser *w, const dd_numeric_list *list, uint32_t salt, bool any_parameters, double *value,
                      double *magnitude, dd_pool *pool)
{
    dd_system at = *w->s; /* with other parameters */
    if (!any_parameters && !w->parameter[salt]) {
        w->parameter[salt] = generic_parameters(w, salt, false, w->scratch);
    }
    at.parameter = any_parameters ? generic_parameters(w, salt, true, pool) : w->parameter[salt];
    const dd_numeric_place place = {generic_point(w, salt), ORDERS, {.time = dd_system_generic_time(w->s, salt)}};
    dd_numeric_list_at(list, &at, &place, value, magnitude, pool);
}

void dd_condense_values(dd_condenser *w, const dd_expr *e, uint32_t n, uint32_t point, double *value)
{
    dd_pool *pool = dd_pool_child(w->scratch);
    const dd_numeric_list list = dd_numeric_list_new(w->s, e, n, pool);
    double *magnitude = dd_pool_alloc_array(pool, n + 1, sizeof *magnitude);
    values_at(w, &list, point, false, value, magnitude, pool);
    dd_pool_free(pool);
}

bool dd_condense_vanishes(dd_condenser *w, dd_expr e)
{
    dd_pool *pool = dd_pool_child(w->scratch);
    const dd_numeric_list list = dd_numeric_list_new(w->s, &e, 1, pool);
    bool zero = true;
    for (uint32_t salt = 0; salt < POINTS && zero; salt++) {
        double value, magnitude;
        values_at(w, &list, salt, false, &value, &magnitude, pool);
        zero = fabs(value) <= IDENTICAL * magnitude;
    }
    dd_pool_free(pool);
    return zero;
}

bool dd_condense_is_number(dd_condenser *w, dd_expr e, double *number)
{
    dd_pool *pool = dd_pool_child(w->scratch);
    const dd_numeric_list list = dd_numeric_list_new(w->s, &e, 1, pool);
    bool constant = true;
    for (uint32_t salt = 0; salt < POINTS && constant; salt++) {
        double value, magnitude;
        values_at(w, &list, salt, false, &value, &magnitude, pool);
        *number = salt == 0 ? value : *number;
        /* the same at all points, to rounding */
        constant = isfinite(value) && fabs(value - *number) <= IDENTICAL * magnitude;
    }
    dd_pool_free(pool);
    double near = round(*number * 1024) / 1024; /* 1/4, 1/2, 1: without the rounding of the point */
    *number = fabs(*number - near) <= IDENTICAL * fabs(near) ? near : *number;
    return constant && fabs(*number) > IDENTICAL;
}

/* ---- reading a block ---- */

/* A column may be an unknown of the block; where the rows contain derivatives only an algebraic one. */
static bool may_be_unknown(const dd_condenser *w, uint32_t col, bool rates)
{
    return dd_condense_may_go(w, col) && (!rates || w->algebraic[col]);
}

static void add_unknown(block *b, uint32_t col)
{
    for (uint32_t i = 0; i < b->n && i < MOST; i++) {
        if (b->cols[i] == col) {
            return;
        }
    }
    if (b->n < MOST) {
        b->cols[b->n] = col;
    }
    b->n++;
}

/* Unknowns of the rows: all, or those of one array (DD_NO_INDEX: all). False when a row determines a derivative. */
static bool list_unknowns(dd_condenser *w, block *b, uint32_t array)
{
    bool fine = true;
    b->n = 0;
    for (uint32_t i = 0; i < b->k; i++) {
        const dd_live_row *r = dd_condense_look(w, b->rows[i]);
        fine = fine && !r->own_rates;
        for (uint32_t q = 0; q < r->cols.len; q++) {
            uint32_t col = r->cols.data[q];
            /* all unknowns that may go, or one vector of them */
            bool member = array == DD_NO_INDEX || w->s->model->vars.data[w->s->unknown[col]].array == array;
            if (member && may_be_unknown(w, col, r->rates)) {
                add_unknown(b, col);
            }
        }
    }
    return fine && b->n <= MOST;
}

/* The rows as A x + rest. */
static bool read_rows(dd_condenser *w, block *b)
{
    dd_expr symbol[MOST];
    for (uint32_t j = 0; j < b->n; j++) {
        symbol[j] = dd_var(w->dag, w->s->unknown[b->cols[j]], 0);
    }
    for (uint32_t i = 0; i < b->k; i++) {
        /* linear in all of them together */
        if (!dd_linear(w->dag, w->row[b->rows[i]].e, symbol, b->n, b->a[i], &b->rest[i])) {
            return false;
        }
        if (dd_condense_contains(w, b->rest[i], b->cols, b->n)) { /* nor a derivative of theirs */
            return false;
        }
    }
    return true;
}

/* sum over i of p[i]*q[i] */
static dd_expr dot(dd_dag *dag, const dd_expr *p, const dd_expr *q, uint32_t n)
{
    dd_expr sum = dd_rational(dag, 0, 1);
    for (uint32_t i = 0; i < n; i++) {
        sum = dd_add(dag, sum, dd_mul(dag, p[i], q[i]));
    }
    return sum;
}

static void column_of(const block *b, uint32_t j, dd_expr *out)
{
    for (uint32_t i = 0; i < b->k; i++) {
        out[i] = b->a[i][j];
    }
}

/* ---- orthogonal ---- */

static bool orthogonal(dd_condenser *w, const block *b, double *length)
{
    dd_expr p[MOST], q[MOST];
    for (uint32_t j = 0; j < b->n; j++) {
        column_of(b, j, p);
        /* columns of constant length, */
        if (!dd_condense_is_number(w, dot(w->dag, p, p, b->k), &length[j])) {
            return false;
        }
        /* at right angles to those before */
        for (uint32_t l = 0; l < j; l++) {
            column_of(b, l, q);
            if (!dd_condense_vanishes(w, dot(w->dag, p, q, b->k))) {
                return false;
            }
        }
    }
    return true;
}

static bool take_orthogonal(dd_condenser *w, block *b)
{
    double length[MOST];
    dd_expr value[MOST], column[MOST];
    if (b->n != b->k || !read_rows(w, b) || !orthogonal(w, b, length)) {
        return false;
    }
    /* A x + r = 0 and A^T A = D: x_j = -(a_j . r)/d_j */
    for (uint32_t j = 0; j < b->n; j++) {
        column_of(b, j, column);
        value[j] = dd_mul(w->dag, dd_num(w->dag, -1 / length[j]), dot(w->dag, column, b->rest, b->k));
    }
    /* only now: reading rows must not see half of them */
    for (uint32_t j = 0; j < b->n; j++) {
        w->row[b->rows[j]].gone = true;
        dd_condense_settle(w, b->cols[j], value[j]);
    }
    return true;
}

/* ---- parallel ---- */

/* A row beside the block that contains its unknowns and no others. */
static uint32_t find_length(dd_condenser *w, const block *b)
{
    for (uint32_t q = 0; q < w->live.len; q++) {
        const uint32_t i = w->live.data[q];
        const dd_live_row *r = w->row[i].gone ? NULL : dd_condense_look(w, i);
        bool fits = r && !r->rates && r->cols.len == b->n;
        /* the same unknowns */
        for (uint32_t k = 0; fits && k < b->n; k++) {
            bool found = false;
            for (uint32_t j = 0; j < b->n; j++) {
                found = found || r->cols.data[k] == b->cols[j];
            }
            fits = found;
        }
        for (uint32_t k = 0; fits && k < b->k; k++) {
            fits = b->rows[k] != i;
        }
        if (fits) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

static dd_expr minor3(dd_dag *dag, const block *b, const uint32_t c[3])
{
    dd_expr sum = dd_rational(dag, 0, 1);
    for (uint32_t j = 0; j < 3; j++) { /* cyclic: no signs */
        uint32_t p = c[(j + 1) % 3], q = c[(j + 2) % 3];
        dd_expr rest = dd_sub(dag, dd_mul(dag, b->a[1][p], b->a[2][q]), dd_mul(dag, b->a[1][q], b->a[2][p]));
        sum = dd_add(dag, sum, dd_mul(dag, b->a[0][c[j]], rest));
    }
    return sum;
}

/* The vector of minors with alternating signs: A y = 0. */
static void minors(dd_condenser *w, const block *b, dd_expr *y)
{
    dd_dag *dag = w->dag;
    for (uint32_t j = 0; j < b->n; j++) {
        /* the determinant without column j */
        uint32_t c[3] = {0}, count = 0;
        for (uint32_t l = 0; l < b->n; l++) {
            if (l != j) {
                c[count++] = l;
            }
        }
        y[j] = b->k == 1 ? b->a[0][c[0]]
               : b->k == 2
                   ? dd_sub(dag, dd_mul(dag, b->a[0][c[0]], b->a[1][c[1]]), dd_mul(dag, b->a[0][c[1]], b->a[1][c[0]]))
                   : minor3(dag, b, c);
        y[j] = j % 2 == 1 ? dd_neg(dag, y[j]) : y[j];
    }
}

static bool in_kernel(dd_condenser *w, const block *b, const dd_expr *y)
{
    bool inside = true;
    for (uint32_t i = 0; i < b->k && inside; i++) {
        inside = dd_condense_vanishes(w, dot(w->dag, b->a[i], y, b->n));
    }
    return inside;
}

/* Entries of A, with a sign, that are proportional to the minors at a generic point: a shorter y. `first` represents
 * the unknown with the largest minor. Where a minor is zero there, so is y, with the sign 0: axes in one plane or parallel to
 * each other leave parts of an attitude out. */
static bool match_entries(const block *b, const double *minor, const double *entry, uint32_t largest, uint32_t first,
                          double *signs, uint32_t *which)
{
    double factor = entry[first] / minor[largest];
    for (uint32_t j = 0; j < b->n; j++) {
        bool found = false;
        signs[j] = 0;
        which[j] = 0;
        if (fabs(minor[j]) <= IDENTICAL * fabs(minor[largest])) {
            continue;
        }
        /* an entry of A that equals the scaled minor, with either sign */
        for (uint32_t e = 0; e < b->k * b->n && !found; e++) {
            for (signs[j] = 1; signs[j] >= -1 && !found; signs[j] -= 2) {
                found = fabs(signs[j] * entry[e] - factor * minor[j]) <= IDENTICAL * fabs(entry[e]) && entry[e] != 0;
            }
            signs[j] += found ? 2 : 0;
            which[j] = e;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool short_kernel(dd_condenser *w, const block *b, dd_expr *y)
{
    dd_expr list[MOST * MOST + MOST];
    double value[MOST * MOST + MOST], magnitude[MOST * MOST + MOST], signs[MOST];
    uint32_t which[MOST], entries = b->k * b->n, largest = 0;
    for (uint32_t e = 0; e < entries; e++) {
        list[e] = b->a[e / b->n][e % b->n];
    }
    /* the kernel at a generic point, and entries of the same ratios */
    minors(w, b, list + entries);
    dd_pool *pool = dd_pool_child(w->scratch);
    const dd_numeric_list all = dd_numeric_list_new(w->s, list, entries + b->n, pool);
    values_at(w, &all, 0, true, value, magnitude, pool);
    dd_pool_free(pool);
    for (uint32_t j = 1; j < b->n; j++) {
        largest = fabs(value[entries + j]) > fabs(value[entries + largest]) ? j : largest;
    }
    for (uint32_t e = 0; e < entries && value[entries + largest] != 0; e++) {
        /* seen at one point, proved at several */
        if (value[e] != 0 && match_entries(b, value + entries, value, largest, e, signs, which)) {
            for (uint32_t j = 0; j < b->n; j++) {
                y[j] = signs[j] == 0  ? dd_rational(w->dag, 0, 1)
                       : signs[j] > 0 ? list[which[j]]
                                      : dd_neg(w->dag, list[which[j]]);
            }
            if (in_kernel(w, b, y)) {
                return true;
            }
        }
    }
    return false;
}

typedef struct replacement {
    const dd_condenser *w;
    const block *b;
    const dd_expr *y;
} replacement;

static dd_expr put_direction(void *user, dd_expr symbol)
{
    const replacement *r = user;
    for (uint32_t j = 0; j < r->b->n; j++) {
        if (symbol == dd_var(r->w->dag, r->w->s->unknown[r->b->cols[j]], 0)) {
            return r->y[j];
        }
    }
    return DD_EXPR_NONE;
}

/* The further row holds for y and for -y. */
static bool has_the_length(dd_condenser *w, const block *b, uint32_t length, const dd_expr *y)
{
    bool holds = true;
    /* an even row: the length does not distinguish the two */
    for (int sign = 1; sign >= -1 && holds; sign -= 2) {
        dd_expr signed_y[MOST];
        for (uint32_t j = 0; j < b->n; j++) {
            signed_y[j] = sign > 0 ? y[j] : dd_neg(w->dag, y[j]);
        }
        replacement r = {w, b, signed_y};
        holds = dd_condense_vanishes(w, dd_substitute(w->dag, w->row[length].e, put_direction, &r));
    }
    return holds;
}

/* Is the consistent point of the analysis at y or at -y? */
static double side(dd_condenser *w, const block *b, const dd_expr *y)
{
    const dd_system *s = w->s;
    double value[MOST], magnitude[MOST], sum = 0;
    uint32_t stride = s->point.order + 1;
    const dd_numeric_place place = {s->point.x, stride, {.time = dd_system_start_time(s)}};
    dd_numeric_values(w->s, y, b->n, &place, value, magnitude, w->scratch);
    for (uint32_t j = 0; j < b->n; j++) {
        sum += value[j] * s->point.x[(size_t)b->cols[j] * stride];
    }
    return sum < 0 ? -1 : 1;
}

static bool take_parallel(dd_condenser *w, block *b)
{
    dd_expr y[MOST] = {0};
    if (b->n != b->k + 1 || !read_rows(w, b)) {
        return false;
    }
    /* homogeneous rows: x is in the kernel of A */
    for (uint32_t i = 0; i < b->k; i++) {
        if (!dd_is_num(w->dag, b->rest[i], 0)) {
            return false;
        }
    }
    /* and a row that says how long x is */
    uint32_t length = find_length(w, b);
    if (length == DD_NO_INDEX || w->row[length].rates) {
        return false;
    }
    /* y by entries of A, else by minors, when it has that length already */
    bool known = short_kernel(w, b, y) && has_the_length(w, b, length, y);
    if (!known) {
        minors(w, b, y);
        known = has_the_length(w, b, length, y);
    }
    if (!known) {
        return false;
    }
    /* of y and -y the one at the consistent point; it stays so by continuity, since |y| is constant */
    double sign = side(w, b, y);
    w->row[length].gone = true;
    for (uint32_t i = 0; i < b->k; i++) {
        w->row[b->rows[i]].gone = true;
    }
    dd_join_angles(w->dag, y, b->n);
    for (uint32_t j = 0; j < b->n; j++) {
        dd_condense_settle(w, b->cols[j], sign < 0 ? dd_neg(w->dag, y[j]) : y[j]);
    }
    return true;
}

/* ---- a group ---- */

/* Has the array been asked for? Notes it. Arrays beyond those that fit are asked for again, which does no harm. */
static bool asked_before(uint32_t *asked, uint32_t *n, uint32_t array)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (asked[i] == array) {
            return true;
        }
    }
    if (*n < MOST_ARRAYS) {
        asked[(*n)++] = array;
    }
    return false;
}

bool dd_condense_group(dd_condenser *w, const uint32_t *rows, uint32_t n)
{
    block b = {.k = n};
    uint32_t asked[MOST_ARRAYS], n_asked = 0;
    for (uint32_t i = 0; i < n; i++) {
        b.rows[i] = rows[i];
    }
    /* all unknowns together, then array by array */
    if (list_unknowns(w, &b, DD_NO_INDEX) && (take_orthogonal(w, &b) || take_parallel(w, &b))) {
        return true;
    }
    for (uint32_t i = 0; i < n; i++) { /* the last array first: parts follow those before them */
        const dd_live_row *r = dd_condense_look(w, rows[i]);
        for (uint32_t q = r->cols.len; q-- > 0;) {
            uint32_t array = w->s->model->vars.data[w->s->unknown[r->cols.data[q]]].array;
            if (!asked_before(asked, &n_asked, array) && list_unknowns(w, &b, array) && take_parallel(w, &b)) {
                return true;
            }
        }
    }
    return false;
}
