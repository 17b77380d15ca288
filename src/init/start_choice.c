/* start_choice.c - which conditions apply and which values complete them, by rank at a point.
 *
 * The rows of the matrix, in order of priority: the linearised equations, the conditions as given, then one unit row
 * for every candidate state: written starts first, then states without one (no speeds before speeds), each kind by
 * stateSelect and declaration. A row that is not a combination of those before it is kept.
 *
 * By the pattern alone this is a matching; it is the same at all points, and where the rows it keeps form a regular
 * matrix at some consistent point it is the answer, because numbers can only add dependencies. Only otherwise are rows
 * eliminated at a point. (At a point that satisfies the equations by chance at a turning point, x = 1 on a circle, more
 * rows are dependent than near it.)
 */
#include <math.h>
#include <string.h>

#include "graph/match.h"
#include "init/start_impl.h"
#include "la/rank_sparse.h"
#include "structure/assigning.h"
#include "structure/certificate.h"
#include "structure/point.h"

double dd_start_default(const dd_system *s, uint32_t col)
{
    const dd_variable *v = &s->model->vars.data[s->unknown[col]];
    return fmin(fmax(0.0, v->min_value), v->max_value);
}

typedef enum candidate_kind { WRITTEN, SILENT, SILENT_SPEED, CANDIDATE_KINDS } candidate_kind;
_Static_assert((int)CANDIDATE_KINDS == (int)START_CANDIDATE_KINDS, "one place for each kind");

static bool is_candidate(const start_work *w, uint32_t col)
{
    const dd_variable *v = &w->s->model->vars.data[w->s->unknown[col]];
    return !v->fixed && (w->s->differentiated[col] || w->s->off.d[col] > 0 || v->select >= DD_SELECT_PREFER);
}

static candidate_kind kind_of(const start_work *w, uint32_t col)
{
    const dd_variable *v = &w->s->model->vars.data[w->s->unknown[col]];
    bool never = v->select == DD_SELECT_NEVER; /* its start is a guess, whatever happens */
    return v->has_start && !never ? WRITTEN : w->speed[col] ? SILENT_SPEED : SILENT;
}

/* Candidates of all kinds, one after the other; first: where each kind begins. */
static dd_index_vec list_candidates(start_work *w, uint32_t first[CANDIDATE_KINDS + 1])
{
    const dd_system *s = w->s;
    dd_index_vec list = {0};
    /* kinds in order of preference; within a kind by stateSelect, then by declaration */
    for (candidate_kind kind = WRITTEN; kind < CANDIDATE_KINDS; kind++) {
        first[kind] = list.len;
        for (int select = DD_SELECT_ALWAYS; select >= DD_SELECT_NEVER; select--) {
            for (uint32_t j = 0; j < s->declared; j++) {
                if ((int)s->model->vars.data[s->unknown[j]].select == select && is_candidate(w, j) &&
                    kind_of(w, j) == kind) {
                    dd_vec_push(w->scratch, &list, j);
                }
            }
        }
    }
    first[CANDIDATE_KINDS] = list.len;
    return list;
}

/* ---- the pattern ---- */

typedef struct pattern_rows {
    dd_index_vec ptr, idx;
} pattern_rows;

static void add_row_pattern(start_work *w, pattern_rows *p, uint32_t i, uint32_t k)
{
    const start_rows *r = &w->rows;
    for (uint32_t e = r->inc.ptr[i]; e < r->inc.ptr[i + 1]; e++) {
        uint32_t first = w->shape.offset[r->inc.idx[e]], known = w->shape.offset[r->inc.idx[e] + 1] - first;
        for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
            if (dd_start_meets(r, e, k, m)) {
                dd_vec_push(w->scratch, &p->idx, first + m);
            }
        }
    }
    dd_vec_push(w->scratch, &p->ptr, p->idx.len);
}

static void add_unit_pattern(start_work *w, pattern_rows *p, uint32_t col)
{
    dd_vec_push(w->scratch, &p->idx, w->shape.offset[col]);
    dd_vec_push(w->scratch, &p->ptr, p->idx.len);
}

/* Equations, conditions, candidates. */
static pattern_rows all_patterns(start_work *w)
{
    pattern_rows p = {0};
    dd_vec_push(w->scratch, &p.ptr, 0);
    /* the equations and their derivatives, which always count */
    for (uint32_t i = 0; i < w->rows.n; i++) {
        for (uint32_t k = 0; k <= dd_start_row_order(w, i); k++) {
            add_row_pattern(w, &p, i, k);
        }
    }
    w->equations = p.ptr.len - 1;
    /* fixed values are unit rows, initial equations general ones */
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        const dd_condition *c = &w->conditions.data[i];
        if (c->col != DD_NO_INDEX) {
            add_unit_pattern(w, &p, c->col);
        } else {
            add_row_pattern(w, &p, w->rows.n + c->row, 0);
        }
    }
    for (uint32_t i = 0; i < w->candidates.len; i++) {
        add_unit_pattern(w, &p, w->candidates.data[i]);
    }
    return p;
}

/* Unknowns in the order in which the equations should use them up: derivatives and algebraic ones, candidates from
 * the last to the first, fixed values at the very end. Only the speed of the matching depends on it. */
static uint32_t *use_order(start_work *w, dd_pool *pool)
{
    uint32_t *order = dd_pool_alloc_array(pool, w->shape.total + 1, sizeof *order), count = 0;
    bool *wanted = dd_pool_alloc_array(pool, w->s->ncols + 1, sizeof *wanted);
    for (uint32_t i = 0; i < w->candidates.len; i++) {
        wanted[w->candidates.data[i]] = true;
    }
    /* values that nobody wants to prescribe are used up first */
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        bool fixed = w->s->model->vars.data[w->s->unknown[j]].fixed;
        for (uint32_t u = w->shape.offset[j + 1]; u-- > w->shape.offset[j] + (fixed || wanted[j] ? 1 : 0);) {
            order[count++] = u;
        }
    }
    for (uint32_t i = w->candidates.len; i-- > 0;) {
        order[count++] = w->shape.offset[w->candidates.data[i]];
    }
    for (uint32_t j = w->s->ncols; j-- > 0;) {
        if (w->s->model->vars.data[w->s->unknown[j]].fixed) {
            order[count++] = w->shape.offset[j];
        }
    }
    return order;
}

/* Matches the equations with unknowns, preferred states last. */
static uint32_t match_equations(start_work *w, const pattern_rows *p, uint32_t *row_match, uint32_t *col_match,
                                dd_pool *pool)
{
    uint32_t total = w->shape.total, rows = w->equations, size = 0;
    dd_pattern equations = {rows, total, p->ptr.data, p->idx.data};
    /* by columns, because the order of preference is one of unknowns */
    uint32_t *ptr = dd_pool_alloc_array(pool, total + 2, sizeof *ptr);
    uint32_t *idx = dd_pool_alloc_array(pool, p->ptr.data[rows] + 1, sizeof *idx);
    dd_pattern_transpose(&equations, ptr, idx, NULL);
    dd_pattern unknowns = {total, rows, ptr, idx};
    dd_system_must(w->s, dd_graph_match(&size, w->s->ctx, &unknowns, use_order(w, pool), false, col_match, row_match),
                   "initial conditions");
    return size;
}

void dd_start_prepare_choice(start_work *w)
{
    /* rows in order of priority: equations, conditions, candidates */
    w->candidates = list_candidates(w, w->first);
    pattern_rows p = all_patterns(w);
    uint32_t rows = p.ptr.len - 1, total = w->shape.total, size = 0;
    dd_pool *pool = dd_pool_child(w->scratch);
    uint32_t *row_match = dd_pool_alloc_array(pool, rows + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(pool, total + 1, sizeof *col_match);
    memset(row_match, 0xff, (rows + 1) * sizeof *row_match);
    w->by_pattern = dd_pool_alloc_array(w->scratch, rows + 1, 1);
    /* equations first, then as many of the others as can be matched besides, in order */
    if (match_equations(w, &p, row_match, col_match, pool) == w->equations) {
        dd_pattern all = {rows, total, p.ptr.data, p.idx.data};
        dd_system_must(w->s, dd_graph_match_extend(&size, w->s->ctx, &all, w->equations, row_match, col_match),
                       "initial conditions");
    }
    /* a perfect matching: as many independent rows as unknowns, as far as patterns show */
    w->pattern_decides = size == total;
    for (uint32_t i = 0; i < rows; i++) {
        w->by_pattern[i] = row_match[i] == DD_NO_INDEX;
    }
    dd_pool_free(pool);
}

/* ---- the numbers ---- */

typedef struct matrix {
    dd_tangent t;
    double *scale;
    uint32_t rows; /* so far */
} matrix;

static void add_condition(matrix *m, const dd_condition *c)
{
    /* rows of size one, in units of the unknowns; an entry that is small beside its terms is noise */
    double most = 0;
    for (uint32_t k = 0; k < c->idx.len; k++) {
        most = fmax(most, fmax(fabs(c->val.data[k]), c->floor.data[k]) * m->scale[c->idx.data[k]]);
    }
    for (uint32_t k = 0; k < c->idx.len && most > 0; k++) {
        dd_vec_push(m->t.pool, &m->t.row, m->rows);
        dd_vec_push(m->t.pool, &m->t.col, c->idx.data[k]);
        dd_vec_push(m->t.pool, &m->t.val, c->val.data[k] * m->scale[c->idx.data[k]] / most);
    }
    m->rows++;
}

/* Is the entry a number, or made of parameters alone? It is what the user wrote then, however small. */
static bool is_written(const matrix *m, size_t k, dd_pool *pool)
{
    return k < m->t.of.len && m->t.of.data[k] != DD_EXPR_NONE && dd_system_is_constant(m->t.s, m->t.of.data[k], pool);
}

/* Is a slope that is small beside others of its row no rounding, since its terms do not cancel, even where unknowns near zero are
 * as large as their units? exp(-60) is, y on a circle at y = 1e-17 is not. kept[k]: for the entries of a list. */
static void note_slopes(const matrix *m, const dd_index_vec *list, const dd_numeric_place *at, bool *kept,
                        dd_pool *pool)
{
    const double cancelled = 1e-4;
    dd_expr_vec slopes = {0};
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(pool, &slopes, m->t.of.data[list->data[i]]);
    }
    double *value = dd_pool_alloc_array(pool, slopes.len + 1, sizeof *value);
    double *magnitude = dd_pool_alloc_array(pool, slopes.len + 1, sizeof *magnitude);
    const dd_numeric_list numeric = dd_numeric_list_new(m->t.s, slopes.data, slopes.len, pool);
    dd_numeric_list_by_units(&numeric, m->t.s, at, value, magnitude, pool);
    for (uint32_t i = 0; i < list->len; i++) {
        kept[i] = fabs(value[i]) > cancelled * magnitude[i];
    }
}

/* An entry that is rounding next to the largest one of its row, in every opinion of units, or not finite, is 0. */
static void drop_noise(matrix *m, const dd_numeric_place *at, dd_pool *pool)
{
    static const double rounding = 1e-14;
    dd_index_vec small = {0};
    const size_t count = m->t.val.len, rows = (size_t)m->rows + 1;
    double *most = dd_pool_alloc_array(pool, DD_UNITS * rows, sizeof *most);
    double *size = dd_pool_alloc_array(pool, DD_UNITS * count + 1, sizeof *size);
    uint32_t *column = dd_pool_alloc_array(pool, m->t.total + 1, sizeof *column);
    for (uint32_t j = 0; j < m->t.s->ncols; j++) {
        for (uint32_t u = m->t.offset[j]; u < m->t.offset[j + 1]; u++) {
            column[u] = j;
        }
    }
    /* sizes of all entries and the largest ones, then comparison */
    for (size_t k = 0; k < count; k++) {
        double *v = &m->t.val.data[k];
        *v = isfinite(*v) ? *v : 0.0;
        for (uint32_t u = 0; u < DD_UNITS; u++) {
            double *largest = &most[u * rows + m->t.row.data[k]], *here = &size[u * count + k];
            *here = fabs(*v) / m->scale[m->t.col.data[k]] * dd_system_unit(m->t.s, column[m->t.col.data[k]], u);
            *largest = fmax(*largest, *here);
        }
    }
    for (size_t k = 0; k < count; k++) {
        bool seen = false;
        for (uint32_t u = 0; u < DD_UNITS; u++) {
            seen = seen || size[u * count + k] >= rounding * most[u * rows + m->t.row.data[k]];
        }
        if (seen || is_written(m, k, pool)) {
            continue;
        }
        if (k < m->t.of.len && m->t.val.data[k] != 0 && m->t.of.data[k] != DD_EXPR_NONE) {
            dd_vec_push(pool, &small, (uint32_t)k);
        } else {
            m->t.val.data[k] = 0.0;
        }
    }
    bool *kept = dd_pool_alloc_array(pool, small.len + 1, sizeof *kept);
    if (small.len > 0) {
        note_slopes(m, &small, at, kept, pool);
    }
    for (uint32_t i = 0; i < small.len; i++) {
        m->t.val.data[small.data[i]] *= kept[i];
    }
}

/* The equations and the conditions at a point, and the candidates when wanted. */
static matrix new_matrix(start_work *w, const double *x, uint32_t stride, bool candidates, bool by_sizes, dd_pool *pool)
{
    /* the tangent at x: derivative rows of the equations in all x_j^(m) */
    matrix m = {.t = dd_tangent_new(w->s, w->numeric, w->s->off.d, w->extra, pool)};
    m.t.by_sizes = by_sizes;
    m.scale = dd_pool_alloc_array(pool, m.t.total + 1, sizeof *m.scale);
    dd_tangent_rows(&m.t, x, stride, m.scale);
    m.rows = m.t.rows;
    dd_condition_vec list = dd_tangent_conditions(&m.t, x, stride, NULL);
    for (uint32_t i = 0; i < list.len; i++) {
        add_condition(&m, &list.data[i]);
    }
    /* a candidate is the unit row of its value */
    for (uint32_t i = 0; i < w->candidates.len && candidates; i++) {
        dd_vec_push(pool, &m.t.row, m.rows++);
        dd_vec_push(pool, &m.t.col, m.t.offset[w->candidates.data[i]]);
        dd_vec_push(pool, &m.t.val, 1.0);
    }
    drop_noise(&m, &(dd_numeric_place){.x = x, .stride = stride, .outside = w->at}, pool);
    return m;
}

/* The rows that depend on rows before them, by elimination. */
static dd_status eliminate_with(dd_context *ctx, const matrix *m, const dd_rank_sparse_options *options,
                                dd_rowspace_info *info, uint8_t *dependent, dd_csc *left)
{
    dd_csc a = {0};
    dd_status st = dd_csc_from_triplets(
        &a, ctx, m->rows, m->t.total, &(dd_triplets){m->t.row.len, m->t.row.data, m->t.col.data, m->t.val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(info, ctx, &a, options, dependent, NULL, left, NULL);
    }
    dd_csc_free(ctx, &a);
    return st;
}

static dd_status eliminate(dd_context *ctx, const matrix *m, uint8_t *dependent, uint32_t max_left, dd_csc *left)
{
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = max_left;
    return eliminate_with(ctx, m, &options, &info, dependent, left);
}

/* The rows that the pattern keeps, at the point. */
static matrix kept_matrix(start_work *w, const double *x, uint32_t stride, bool by_sizes, dd_pool *pool)
{
    matrix m = new_matrix(w, x, stride, true, by_sizes, pool), kept = m;
    /* keep the rows of the matching alone */
    uint32_t *place = dd_pool_alloc_array(pool, m.rows + 1, sizeof *place);
    kept.rows = kept.t.row.len = kept.t.col.len = kept.t.val.len = 0;
    for (uint32_t i = 0; i < m.rows; i++) {
        place[i] = w->by_pattern[i] ? DD_NO_INDEX : kept.rows++;
    }
    for (uint32_t k = 0; k < m.t.row.len; k++) { /* in place: nothing moves up */
        if (place[m.t.row.data[k]] != DD_NO_INDEX) {
            kept.t.row.data[kept.t.row.len++] = place[m.t.row.data[k]];
            kept.t.col.data[kept.t.col.len++] = m.t.col.data[k];
            kept.t.val.data[kept.t.val.len++] = m.t.val.data[k];
        }
    }
    return kept;
}

/* How far from singular these rows are, 0: singular by this tolerance. */
static double regularity(start_work *w, const double *x, uint32_t stride, double tol, bool by_sizes)
{
    dd_pool *pool = dd_pool_child(w->scratch);
    matrix kept = kept_matrix(w, x, stride, by_sizes, pool);
    uint8_t *dependent = dd_pool_alloc_array(pool, kept.rows + 1, 1);
    dd_rowspace_info info = {0};
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.tol = tol > 0 ? tol : options.space.tol;
    dd_system_must(w->s, eliminate_with(w->s->ctx, &kept, &options, &info, dependent, NULL), "initial conditions");
    double least = info.kept;
    for (uint32_t i = 0; i < kept.rows; i++) {
        least = dependent[i] ? 0.0 : least;
    }
    dd_pool_free(pool);
    return least;
}

/* Do the rows that the pattern keeps form a regular matrix at the point? The matching says structurally regular; the
 * numbers decide. */
static bool pattern_is_regular(start_work *w, const double *x, uint32_t stride)
{
    /* above rounding; how far a point is disturbed; how much a pivot that belongs to the equations may change by it */
    static const double rounding = 1e-13, disturbance = 1e-6, same = 0.2;
    /* rows that are regular in some units are regular */
    if (regularity(w, x, stride, 0, false) > 0 || regularity(w, x, stride, 0, true) > 0) {
        return true;
    }
    const double here = regularity(w, x, stride, rounding, false);
    if (here <= 0) {
        return false;
    }
    /* A small pivot comes from a turning point nearby, and then it is another one beside it, or from equations that are
     * nearly dependent everywhere: those determine their unknowns, as the analysis says as well (doubt.c). */
    const dd_system *s = w->s;
    double *beside = dd_pool_alloc_array(w->scratch, (size_t)s->ncols * stride + 1, sizeof *beside);
    memcpy(beside, x, (size_t)s->ncols * stride * sizeof *beside);
    for (uint32_t j = 0; j < s->ncols; j++) {
        const double noise = dd_noise(j, 0, 37);
        beside[(size_t)j * stride] += disturbance * s->size[j] * (noise + copysign(0.5, noise));
    }
    return fabs(regularity(w, beside, stride, rounding, false) - here) <= same * here;
}

/* ---- the choice ---- */

/* Takes the independent candidates from..to-1, at most `left`; returns the number left. */
static uint32_t take(start_work *w, const uint8_t *dependent, uint32_t from, uint32_t to, uint32_t left,
                     dd_index_vec *out)
{
    for (uint32_t i = from; i < to && left > 0; i++) {
        if (!dependent[i]) {
            dd_vec_push(w->scratch, out, w->candidates.data[i]);
            left--;
        }
    }
    return left;
}

/* Rows that depend on those before decide which conditions apply and which values complete them. */
static start_choice make_choice(start_work *w, const uint8_t *rows)
{
    start_choice c = {.dependent = dd_pool_alloc_array(w->scratch, w->conditions.len + 1, 1)};
    uint32_t independent = 0, dof = (uint32_t)w->s->dof, given = w->conditions.len;
    /* the first dof independent conditions count */
    for (uint32_t i = 0; i < given; i++) {
        c.dependent[i] = rows[w->equations + i] || independent == dof;
        independent += !c.dependent[i];
    }
    /* then candidates that are independent of everything before, in order of preference */
    const uint8_t *open = rows + w->equations + given;
    const uint32_t *first = w->first;
    uint32_t left = take(w, open, first[WRITTEN], first[SILENT], dof - independent, &c.starts);
    dd_index_vec positions = {0}, speeds = {0};
    uint32_t after = take(w, open, first[SILENT], first[SILENT_SPEED], left, &positions);
    after = take(w, open, first[SILENT_SPEED], w->candidates.len, after, &speeds);
    c.missing = after;
    /* positions without any start are a decision that only --auto-init makes; speeds may be zero without asking */
    if (positions.len == 0 || w->o->auto_init) {
        c.defaults = positions;
        c.zeros = speeds;
        return c;
    }
    /* otherwise they stay open, as suggestions for the user */
    c.missing = left;
    for (uint32_t i = 0; i < positions.len; i++) {
        dd_vec_push(w->scratch, &c.open, positions.data[i]);
    }
    for (uint32_t i = 0; i < speeds.len; i++) {
        dd_vec_push(w->scratch, &c.open, speeds.data[i]);
    }
    return c;
}

start_choice dd_start_choose_at(start_work *w, const double *x, uint32_t stride)
{
    /* the pattern's answer holds at all points where its rows are regular, and so does not jump */
    if (w->pattern_decides && pattern_is_regular(w, x, stride)) {
        return make_choice(w, w->by_pattern);
    }
    dd_pool *pool = dd_pool_child(w->scratch);
    matrix m = new_matrix(w, x, stride, true, false, pool);
    uint8_t *dependent = dd_pool_alloc_array(pool, m.rows + 1, 1);
    dd_system_must(w->s, eliminate(w->s->ctx, &m, dependent, 0, NULL), "initial conditions");
    start_choice c = make_choice(w, dependent);
    dd_pool_free(pool);
    return c;
}

start_choice dd_start_choose_by_pattern(start_work *w)
{
    return make_choice(w, w->by_pattern);
}

bool dd_start_pattern_is_generic(start_work *w)
{
    const dd_system *s = w->s;
    double *x = dd_pool_alloc_array(w->scratch, (size_t)s->ncols * w->stride + 1, sizeof *x);
    for (uint32_t i = 0; i < s->ncols * w->stride; i++) {
        x[i] = s->size[i / w->stride] * (1.5 + dd_noise(i, 0, 43));
    }
    return pattern_is_regular(w, x, w->stride);
}

/* The point of the analysis with the fixed values and the written starts put in, NULL when it lies elsewhere: start
 * values that are consistent, or nearly so (that point is a compromise between starts and derivatives). */
static const double *point_at_starts(start_work *w)
{
    static const double nearby = 0.1;
    const dd_system *s = w->s;
    uint32_t stride = s->point.order + 1;
    bool same = s->point.consistent;
    double *x = dd_pool_alloc_array(w->scratch, (size_t)s->ncols * stride + 1, sizeof *x);
    memcpy(x, s->point.x, (size_t)s->ncols * stride * sizeof *x);
    /* put the given values in; farther than a tenth of its size, the point lies elsewhere */
    for (uint32_t j = 0; j < s->declared && same; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        if (v->fixed || (v->has_start && is_candidate(w, j))) {
            same = fabs(x[(size_t)j * stride] - v->start_value) <= nearby * s->size[j];
            x[(size_t)j * stride] = v->start_value;
        }
    }
    return same ? x : NULL;
}

/* Where the start values are no consistent point, the one found near them may lie at a turning point: then unwritten
 * values are disturbed, then written ones too, then all. */
start_choice dd_start_choose(start_work *w)
{
    const dd_system *s = w->s;
    const dd_taylor_point *best = &s->point;
    /* the start values themselves, where they are consistent: the user sees the choice made there */
    const double *starts = point_at_starts(w);
    if (starts) {
        return dd_start_choose_at(w, starts, s->point.order + 1);
    }
    if (w->pattern_decides && pattern_is_regular(w, s->point.x, s->point.order + 1)) {
        return make_choice(w, w->by_pattern);
    }
    /* other consistent points, in case this one is special */
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, w->scratch);
    static const dd_nearness guess[] = {DD_GUESS_FILLED, DD_GUESS_LOOSE, DD_GUESS_RANDOM};
    enum { GUESSES = sizeof guess / sizeof *guess };
    dd_taylor_point other[GUESSES];
    for (int i = 0; i < GUESSES; i++) {
        other[i] = dd_point_consistent(s, w->numeric, &s->off, &blocks, guess[i], s->off.max_d + 1, w->scratch);
        if (!other[i].consistent) {
            continue;
        }
        if (w->pattern_decides && pattern_is_regular(w, other[i].x, other[i].order + 1)) {
            return make_choice(w, w->by_pattern);
        }
        /* the first of them decides by rank if none is regular */
        best = best == &s->point ? &other[i] : best;
    }
    return dd_start_choose_at(w, best->x, best->order + 1);
}

static bool same_list(const dd_index_vec *a, const dd_index_vec *b)
{
    bool same = a->len == b->len;
    for (uint32_t i = 0; i < a->len && same; i++) {
        same = a->data[i] == b->data[i];
    }
    return same;
}

bool dd_start_same_choice(const start_work *w, const start_choice *a, const start_choice *b)
{
    bool same = a->missing == b->missing && same_list(&a->starts, &b->starts) && same_list(&a->zeros, &b->zeros) &&
                same_list(&a->defaults, &b->defaults);
    for (uint32_t i = 0; i < w->conditions.len && same; i++) {
        same = a->dependent[i] == b->dependent[i];
    }
    return same;
}

const char *dd_start_partners(start_work *w, uint32_t condition)
{
    dd_pool *pool = dd_pool_child(w->scratch);
    dd_text text = dd_text_new(w->scratch);
    matrix m = new_matrix(w, w->x, w->stride, false, false, pool);
    /* the dependency that the condition closes: its left null vector over equations and conditions before it */
    m.rows = m.t.rows + condition + 1; /* and nothing after it */
    while (m.t.row.len > 0 && m.t.row.data[m.t.row.len - 1] >= m.rows) {
        m.t.row.len--, m.t.col.len--, m.t.val.len--;
    }
    uint8_t *dependent = dd_pool_alloc_array(pool, m.rows + 1, 1);
    uint32_t *partner = dd_pool_alloc_array(pool, m.rows + 1, sizeof *partner), partners = 0;
    dd_csc left = {0};
    dd_system_must(w->s, eliminate(w->s->ctx, &m, dependent, m.rows, &left), "initial conditions");
    /* entries of the null vector beside equations are the partners */
    uint32_t last = left.ncols > 0 ? left.ncols - 1 : 0; /* the condition is the last dependent row */
    for (uint32_t k = left.ncols > 0 ? left.ptr[last] : 0; k < (left.ncols > 0 ? left.ptr[last + 1] : 0); k++) {
        if (left.idx[k] >= m.t.rows && fabs(left.val[k]) > 1e-7) {
            partner[partners++] = left.idx[k] - m.t.rows;
        }
    }
    dd_csc_free(w->s->ctx, &left); /* before anything that may raise */
    for (uint32_t k = 0; k < partners; k++) {
        const dd_condition *c = &w->conditions.data[partner[k]];
        dd_text_printf(&text, "%s%s", k > 0 ? ", " : "",
                       c->col != DD_NO_INDEX ? dd_system_column_name(w->s, c->col, w->scratch) : c->text);
    }
    dd_pool_free(pool);
    return dd_text_str(&text);
}
