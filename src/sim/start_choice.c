/* start_choice.c - which conditions count and what completes them, by rank at a point.
 *
 * The rows of the matrix, in order of priority: the linearised equations, the conditions as given, then one unit row
 * for every candidate state: written starts first, then what has none (no speeds before speeds), each kind by
 * stateSelect and declaration. A row that is not a combination of those before it counts.
 */
#include <math.h>

#include "graph/match.h"
#include "la/rank_sparse.h"
#include "sim/start_impl.h"

double start_default(const dd_system *s, uint32_t col)
{
    const dd_variable *v = &s->model->vars.data[s->unknown[col]];
    return fmin(fmax(0.0, v->min_value), v->max_value);
}

typedef enum candidate_kind { WRITTEN, SILENT, SILENT_SPEED, CANDIDATE_KINDS } candidate_kind;

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
    dd_system *s = w->s;
    dd_index_vec list = {0};
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

typedef struct matrix {
    dd_tangent t;
    double *scale;
    uint32_t rows; /* so far */
} matrix;

static void add_condition(matrix *m, const dd_condition *c)
{
    double most = 0;
    for (uint32_t k = 0; k < c->idx.len; k++) {
        most = fmax(most, fabs(c->val.data[k] * m->scale[c->idx.data[k]]));
    }
    most = fmax(most, c->magnitude);
    for (uint32_t k = 0; k < c->idx.len && most > 0; k++) {
        dd_vec_push(m->t.pool, &m->t.row, m->rows);
        dd_vec_push(m->t.pool, &m->t.col, c->idx.data[k]);
        dd_vec_push(m->t.pool, &m->t.val, c->val.data[k] * m->scale[c->idx.data[k]] / most);
    }
    m->rows++;
}

static void add_unit(matrix *m, uint32_t col)
{
    dd_vec_push(m->t.pool, &m->t.row, m->rows++);
    dd_vec_push(m->t.pool, &m->t.col, m->t.offset[col]);
    dd_vec_push(m->t.pool, &m->t.val, 1.0);
}

static matrix new_matrix(start_work *w, const double *x, uint32_t stride, dd_pool *pool)
{
    matrix m = {.t = dd_tangent_new(w->s, w->s->off.d, w->extra, pool)};
    m.scale = dd_pool_alloc_array(pool, m.t.total + 1, sizeof *m.scale);
    dd_tangent_rows(&m.t, x, stride, m.scale);
    m.rows = m.t.rows;
    dd_condition_vec list = dd_tangent_conditions(&m.t, x, stride, NULL);
    for (uint32_t i = 0; i < list.len; i++) {
        add_condition(&m, &list.data[i]);
    }
    return m;
}

/* The rows that depend on rows before them, by elimination. */
static dd_status rank_by_elimination(dd_context *ctx, const matrix *m, uint8_t *dependent, uint32_t max_left,
                                     dd_csc *left)
{
    dd_csc a = {0};
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = max_left;
    dd_status st = dd_csc_from_triplets(&a, ctx, m->rows, m->t.total, m->t.row.len, m->t.row.data, m->t.col.data,
                                        m->t.val.data, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, NULL, &options, dependent, NULL, left, NULL);
    }
    dd_csc_free(ctx, &a);
    return st;
}

/* Is the matrix of the rows with place[i] != DD_NO_INDEX (its row there) regular? */
static dd_status is_regular(start_work *w, const matrix *m, const uint32_t *place, dd_pool *pool, bool *regular)
{
    dd_index_vec row = {0}, col = {0};
    DD_VEC(double) val = {0};
    for (uint32_t k = 0; k < m->t.row.len; k++) {
        if (place[m->t.row.data[k]] != DD_NO_INDEX) {
            dd_vec_push(pool, &row, place[m->t.row.data[k]]);
            dd_vec_push(pool, &col, m->t.col.data[k]);
            dd_vec_push(pool, &val, m->t.val.data[k]);
        }
    }
    dd_csc a = {0};
    dd_rowspace_info info = {0};
    uint8_t *dependent = dd_pool_alloc_array(pool, m->t.total + 1, 1);
    dd_context *ctx = w->s->ctx;
    dd_status st = dd_csc_from_triplets(&a, ctx, m->t.total, m->t.total, row.len, row.data, col.data, val.data, NULL);
    st = st == DD_OK ? dd_rank_sparse(&info, ctx, &a, NULL, NULL, dependent, NULL, NULL, NULL) : st;
    dd_csc_free(ctx, &a);
    *regular = st == DD_OK && info.rank == m->t.total;
    return st;
}

/* Unknowns in the order in which the equations should use them up: derivatives and algebraic ones, candidates from
 * the last to the first, fixed values at the very end. Only the speed of the matching depends on it. */
static uint32_t *use_order(start_work *w, const matrix *m, const dd_index_vec *candidates, dd_pool *pool)
{
    uint32_t *order = dd_pool_alloc_array(pool, m->t.total + 1, sizeof *order), count = 0;
    bool *wanted = dd_pool_alloc_array(pool, w->s->ncols + 1, sizeof *wanted);
    for (uint32_t i = 0; i < candidates->len; i++) {
        wanted[candidates->data[i]] = true;
    }
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        bool fixed = w->s->model->vars.data[w->s->unknown[j]].fixed;
        for (uint32_t u = m->t.offset[j + 1]; u-- > m->t.offset[j] + (fixed || wanted[j] ? 1 : 0);) {
            order[count++] = u;
        }
    }
    for (uint32_t i = candidates->len; i-- > 0;) {
        order[count++] = m->t.offset[candidates->data[i]];
    }
    for (uint32_t j = w->s->ncols; j-- > 0;) {
        if (w->s->model->vars.data[w->s->unknown[j]].fixed) {
            order[count++] = m->t.offset[j];
        }
    }
    return order;
}

/* Matches the equations (the first rows) with unknowns, preferred states last. */
static uint32_t match_equations(start_work *w, const matrix *m, const dd_pattern *all, const uint32_t *order,
                                uint32_t *row_match, uint32_t *col_match, dd_pool *pool)
{
    dd_pattern equations = {m->t.rows, m->t.total, all->ptr, all->idx};
    uint32_t *ptr = dd_pool_alloc_array(pool, m->t.total + 2, sizeof *ptr), size = 0;
    uint32_t *idx = dd_pool_alloc_array(pool, all->ptr[m->t.rows] + 1, sizeof *idx);
    dd_pattern_transpose(&equations, ptr, idx, NULL);
    dd_pattern unknowns = {m->t.total, m->t.rows, ptr, idx};
    dd_system_must(w->s, dd_graph_match(&size, w->s->ctx, &unknowns, order, false, col_match, row_match),
                   "initial conditions");
    for (uint32_t i = m->t.rows; i < m->rows; i++) {
        row_match[i] = DD_NO_INDEX;
    }
    return size;
}

/* Rows that depend on rows before them by the pattern alone. When those that remain are as many as unknowns and
 * regular, this is the answer: numbers can only add dependencies. (Elimination of many dependent rows is slow.) */
static bool rank_by_matching(start_work *w, const matrix *m, const dd_index_vec *candidates, uint8_t *dependent,
                             dd_pool *pool)
{
    uint32_t *ptr = dd_pool_alloc_array(pool, m->rows + 2, sizeof *ptr), size = 0, count = 0;
    uint32_t *row_match = dd_pool_alloc_array(pool, m->rows + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(pool, m->t.total + 1, sizeof *col_match);
    for (uint32_t k = 0; k < m->t.row.len; k++) {
        ptr[m->t.row.data[k] + 1]++; /* rows ascend already */
    }
    for (uint32_t i = 0; i < m->rows; i++) {
        ptr[i + 1] += ptr[i];
    }
    dd_pattern pattern = {m->rows, m->t.total, ptr, m->t.col.data};
    const uint32_t *order = use_order(w, m, candidates, pool);
    if (match_equations(w, m, &pattern, order, row_match, col_match, pool) < m->t.rows) {
        return false;
    }
    dd_system_must(w->s, dd_graph_match_extend(&size, w->s->ctx, &pattern, m->t.rows, row_match, col_match),
                   "initial conditions");
    if (size < m->t.total) {
        return false;
    }
    for (uint32_t i = 0; i < m->rows; i++) {
        dependent[i] = row_match[i] == DD_NO_INDEX;
        row_match[i] = dependent[i] ? DD_NO_INDEX : count++;
    }
    bool regular;
    dd_system_must(w->s, is_regular(w, m, row_match, pool, &regular), "initial conditions");
    return regular;
}

static void rank(start_work *w, matrix *m, const dd_index_vec *candidates, uint8_t *dependent, dd_pool *pool)
{
    for (uint32_t k = 0; k < m->t.val.len; k++) {
        m->t.val.data[k] = isfinite(m->t.val.data[k]) ? m->t.val.data[k] : 0.0;
    }
    if (!rank_by_matching(w, m, candidates, dependent, pool)) {
        dd_system_must(w->s, rank_by_elimination(w->s->ctx, m, dependent, 0, NULL), "initial conditions");
    }
}

/* Takes the independent candidates of the kinds from..to-1, at most `left`. */
static uint32_t take(start_work *w, const dd_index_vec *list, const uint8_t *dependent, uint32_t from, uint32_t to,
                     uint32_t left, dd_index_vec *out)
{
    for (uint32_t i = from; i < to && left > 0; i++) {
        if (!dependent[i]) {
            dd_vec_push(w->scratch, out, list->data[i]);
            left--;
        }
    }
    return left;
}

start_choice start_choose(start_work *w, const double *x, uint32_t stride)
{
    start_choice c = {0};
    uint32_t first[CANDIDATE_KINDS + 1], independent = 0, dof = (uint32_t)w->s->dof;
    dd_pool *pool = dd_pool_child(w->scratch);
    matrix m = new_matrix(w, x, stride, pool);
    uint32_t base = m.t.rows, given = w->conditions.len;
    dd_index_vec list = list_candidates(w, first);
    for (uint32_t i = 0; i < list.len; i++) {
        add_unit(&m, list.data[i]);
    }
    uint8_t *dependent = dd_pool_alloc_array(w->scratch, m.rows + 1, 1);
    rank(w, &m, &list, dependent, pool);
    for (uint32_t i = 0; i < base; i++) {
        c.singular = c.singular || dependent[i];
    }
    c.dependent = dependent + base;
    for (uint32_t i = 0; i < given; i++) {
        c.dependent[i] = c.dependent[i] || independent == dof;
        independent += !c.dependent[i];
    }
    const uint8_t *open = c.dependent + given;
    uint32_t left = take(w, &list, open, first[WRITTEN], first[SILENT], dof - independent, &c.starts);
    dd_index_vec positions = {0}, speeds = {0};
    uint32_t after = take(w, &list, open, first[SILENT], first[SILENT_SPEED], left, &positions);
    after = take(w, &list, open, first[SILENT_SPEED], list.len, after, &speeds);
    c.missing = after;
    if (positions.len == 0) {
        c.zeros = speeds;
    } else if (w->o->auto_init) {
        c.defaults = positions;
        c.zeros = speeds;
    } else {
        c.missing = left;
        for (uint32_t i = 0; i < positions.len; i++) {
            dd_vec_push(w->scratch, &c.open, positions.data[i]);
        }
        for (uint32_t i = 0; i < speeds.len; i++) {
            dd_vec_push(w->scratch, &c.open, speeds.data[i]);
        }
    }
    dd_pool_free(pool);
    return c;
}

static bool same_list(const dd_index_vec *a, const dd_index_vec *b)
{
    bool same = a->len == b->len;
    for (uint32_t i = 0; i < a->len && same; i++) {
        same = a->data[i] == b->data[i];
    }
    return same;
}

bool start_same_choice(const start_work *w, const start_choice *a, const start_choice *b)
{
    bool same = a->missing == b->missing && same_list(&a->starts, &b->starts) && same_list(&a->zeros, &b->zeros) &&
                same_list(&a->defaults, &b->defaults);
    for (uint32_t i = 0; i < w->conditions.len && same; i++) {
        same = a->dependent[i] == b->dependent[i];
    }
    return same;
}

const char *start_partners(start_work *w, uint32_t condition, const double *x, uint32_t stride)
{
    dd_pool *pool = dd_pool_child(w->scratch);
    dd_text text = dd_text_new(w->scratch);
    matrix m = new_matrix(w, x, stride, pool);
    m.rows = m.t.rows + condition + 1; /* and nothing after it */
    while (m.t.row.len > 0 && m.t.row.data[m.t.row.len - 1] >= m.rows) {
        m.t.row.len--, m.t.col.len--, m.t.val.len--;
    }
    uint8_t *dependent = dd_pool_alloc_array(pool, m.rows + 1, 1);
    dd_csc left = {0};
    dd_system_must(w->s, rank_by_elimination(w->s->ctx, &m, dependent, m.rows, &left), "initial conditions");
    uint32_t last = left.ncols > 0 ? left.ncols - 1 : 0; /* the condition is the last dependent row */
    for (uint32_t k = left.ncols > 0 ? left.ptr[last] : 0; k < (left.ncols > 0 ? left.ptr[last + 1] : 0); k++) {
        if (left.idx[k] >= m.t.rows && fabs(left.val[k]) > 1e-7) {
            const dd_condition *c = &w->conditions.data[left.idx[k] - m.t.rows];
            dd_text_printf(&text, "%s%s", text.len > 0 ? ", " : "",
                           c->col != DD_NO_INDEX ? dd_system_column_name(w->s, c->col, w->scratch) : c->text);
        }
    }
    dd_csc_free(w->s->ctx, &left);
    dd_pool_free(pool);
    return dd_text_str(&text);
}
