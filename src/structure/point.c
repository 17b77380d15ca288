/* point.c - consistent points by stages (Pryce 1998; Nedialkov and Pryce 2005).
 *
 * Stage l = -max d .. 0: the rows f_i^(c_i + l) with c_i + l >= 0 are solved for the Taylor coefficients x_j^(d_j + l).
 * The stage's matrix holds the tight partials only: d f_i^(k) / d x_j^(k + sigma) = d f_i / d x_j^(sigma), in Taylor
 * coefficients times (k + 1) where sigma = 1.
 */
#include "structure/point.h"

#include <math.h>
#include <string.h>

#include "nls/staged.h"
#include "structure/certificate.h"

/* How easily values move: fixed ones hardly (a height in metres not even for a pressure in pascals that is far from its
 * guess; but where that leads nowhere, a little), written starts normally, unwritten ones and derivatives easily. */
static const double weight_fixed[] = {1e-7, 1e-4}, weight_start = 1.0, weight_open = 10.0;
enum { TRIES = sizeof weight_fixed / sizeof *weight_fixed };

static double clip(double v, const dd_variable *var)
{
    return fmin(fmax(v, var->min_value), var->max_value);
}

static double guess_value(const dd_system *s, uint32_t col, dd_nearness guess, uint32_t salt)
{
    const dd_variable *v = &s->model->vars.data[s->unknown[col]];
    double noise = dd_noise(col, salt, 2);
    /* 0.35 to 1.25 times the size, one in four negative: away from zero, where gradients vanish */
    double generic = s->size[col] * (0.8 + 0.45 * noise) * (dd_noise(col, salt, 3) > -0.5 ? 1 : -1);
    if (guess == DD_GUESS_RANDOM) {
        /* several sizes: exponentials overflow or swamp everything at some of them */
        static const double size[] = {1.0, 0.2, 0.04};
        return clip(generic * size[salt % 3], v);
    }
    if (!v->has_start) {
        return clip(guess == DD_GUESS_START ? 0.0 : generic, v);
    }
    bool disturb = guess == DD_GUESS_DISTURBED || (guess == DD_GUESS_LOOSE && !v->fixed);
    return clip(v->start_value + (disturb ? DD_DISTURBANCE * s->size[col] * noise : 0.0), v);
}

void dd_point_guess(const dd_system *s, dd_nearness guess, uint32_t salt, uint32_t order, double *x)
{
    for (uint32_t j = 0; j < s->ncols; j++) {
        double *series = x + (size_t)j * (order + 1);
        series[0] = guess_value(s, j, guess, salt);
        for (uint32_t k = 1; k <= order; k++) {
            /* x^(k)/k! of a smooth generic function falls with k */
            series[k] = guess == DD_GUESS_START ? 0.0 : s->size[j] * dd_noise(j, 16 * salt + k, 4) / k;
        }
    }
}

typedef struct stage_shape {
    int64_t level;  /* l */
    uint32_t block; /* of the block-triangular form, at level 0 of small systems; DD_NO_INDEX: all rows of the level */
    dd_csc pattern;
    uint32_t *unknown;
    uint32_t *row;   /* stage row -> row of the system */
    uint32_t *entry; /* per entry of the pattern: entry of the incidence */
    double *factor;  /* per entry: k + 1 where sigma = 1 */
} stage_shape;

typedef struct stages {
    const dd_system *s;
    dd_numeric *nm;
    const dd_offsets *off;
    const dd_blocks *blocks;
    uint32_t stride;
    stage_shape *shape;
    uint32_t count;
} stages;

/* Up to this size the last level is solved block after block, each near its own start values, so that an equation
 * that is satisfied already is not given up for a later one. (Every block costs an evaluation of all rows.) */
static const uint32_t max_blockwise = 300;

static bool column_in_stage(const stages *st, const stage_shape *sh, uint32_t col)
{
    return st->off->d[col] + sh->level >= 0 && (sh->block == DD_NO_INDEX || st->blocks->block_of_col[col] == sh->block);
}

static bool row_in_stage(const stages *st, const stage_shape *sh, uint32_t row)
{
    return st->off->c[row] + sh->level >= 0 &&
           (sh->block == DD_NO_INDEX || st->blocks->block_of_col[st->off->row_match[row]] == sh->block);
}

static void build_stage(stages *st, uint32_t stage, dd_pool *pool)
{
    const dd_incidence *inc = st->nm->inc;
    const dd_offsets *off = st->off;
    stage_shape *sh = &st->shape[stage];
    int64_t level = sh->level;
    uint32_t n = inc->n, rows = 0, cols = 0, entries = 0;
    dd_pool *scratch = dd_pool_child(pool);
    /* unknowns of the stage: x_j^(d_j + l), stored as Taylor coefficients */
    uint32_t *column = dd_pool_alloc_array(scratch, inc->ncols + 1, sizeof *column);
    sh->unknown = dd_pool_alloc_array(pool, inc->ncols + 1, sizeof *sh->unknown);
    for (uint32_t j = 0; j < inc->ncols; j++) {
        column[j] = column_in_stage(st, sh, j) ? cols : DD_NO_INDEX;
        if (column[j] != DD_NO_INDEX) {
            sh->unknown[cols++] = (uint32_t)(j * (uint64_t)st->stride + off->d[j] + level);
        }
    }
    /* rows f_i^(c_i + l), and the size of each column of the pattern */
    sh->row = dd_pool_alloc_array(pool, n + 1, sizeof *sh->row);
    uint32_t *count = dd_pool_alloc_array(scratch, cols + 2, sizeof *count);
    for (uint32_t i = 0; i < n; i++) {
        if (!row_in_stage(st, sh, i)) {
            continue;
        }
        sh->row[rows++] = i;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, off, i, e) && column[inc->idx[e]] != DD_NO_INDEX) {
                count[column[inc->idx[e]] + 1]++;
                entries++;
            }
        }
    }
    /* the pattern by columns; count becomes the fill of each */
    sh->pattern = (dd_csc){.nrows = rows, .ncols = cols};
    sh->pattern.ptr = dd_pool_alloc_array(pool, cols + 1, sizeof(uint32_t));
    sh->pattern.idx = dd_pool_alloc_array(pool, entries + 1, sizeof(uint32_t));
    sh->pattern.val = dd_pool_alloc_array(pool, entries + 1, sizeof(double));
    sh->entry = dd_pool_alloc_array(pool, entries + 1, sizeof(uint32_t));
    sh->factor = dd_pool_alloc_array(pool, entries + 1, sizeof(double));
    for (uint32_t c = 0; c < cols; c++) {
        sh->pattern.ptr[c + 1] = sh->pattern.ptr[c] + count[c + 1];
        count[c + 1] = 0;
    }
    /* d f_i^(k) / d x_j^(k+1) = df_i/dx_j'; in Taylor coefficients the k-th of x' is (k + 1) times the (k+1)-th of
     * x */
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t i = sh->row[r];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, off, i, e) && column[inc->idx[e]] != DD_NO_INDEX) {
                uint32_t c = column[inc->idx[e]];
                uint32_t at = sh->pattern.ptr[c] + count[c + 1]++;
                sh->pattern.idx[at] = r;
                sh->entry[at] = e;
                sh->factor[at] = inc->sigma[e] == 1 ? (double)(off->c[i] + level + 1) : 1.0;
            }
        }
    }
    dd_pool_free(scratch);
}

static void stage_get_shape(void *user, uint32_t stage, dd_csc *pattern, const uint32_t **unknown)
{
    stages *st = user;
    *pattern = st->shape[stage].pattern;
    *unknown = st->shape[stage].unknown;
}

static int stage_residual(void *user, uint32_t stage, const double *x, double *r)
{
    stages *st = user;
    const stage_shape *sh = &st->shape[stage];
    int64_t level = sh->level;
    uint32_t order = (uint32_t)(st->off->max_c + level);
    const double *series = dd_numeric_residual_series(st->nm, x, st->stride, order);
    for (uint32_t k = 0; k < sh->pattern.nrows; k++) {
        uint32_t i = sh->row[k];
        /* the coefficient of order c_i + l is f_i^(c_i + l)/(c_i + l)! */
        r[k] = series[(size_t)i * (order + 1) + (size_t)(st->off->c[i] + level)];
        if (!isfinite(r[k])) {
            return 1;
        }
    }
    return 0;
}

static int stage_jacobian(void *user, uint32_t stage, const double *x, dd_csc *j)
{
    stages *st = user;
    const stage_shape *sh = &st->shape[stage];
    if (!dd_numeric_partial_values(st->nm, x, st->stride)) {
        return 1;
    }
    /* only tight entries: lower derivatives were found in stages before and are constants here */
    for (uint32_t k = 0; k < sh->pattern.ptr[sh->pattern.ncols]; k++) {
        double magnitude;
        j->val[k] = dd_numeric_tight(st->nm, sh->entry[k], &magnitude) * sh->factor[k];
    }
    return 0;
}

/* held: per column, hardly moves either; NULL: none */
static double *weights(const dd_system *s, uint32_t stride, double fixed, const bool *held, dd_pool *pool)
{
    double *w = dd_pool_alloc_array(pool, (size_t)s->ncols * stride + 1, sizeof *w);
    for (uint32_t j = 0; j < s->ncols; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        for (uint32_t k = 0; k < stride; k++) {
            w[(size_t)j * stride + k] = weight_open * s->size[j];
        }
        /* the smallest weighted correction moves what has a large weight */
        const bool hardly = v->fixed || (held != NULL && held[j]);
        w[(size_t)j * stride] = s->size[j] * (hardly ? fixed : v->has_start ? weight_start : weight_open);
    }
    return w;
}

static bool any_fixed(const dd_system *s)
{
    bool any = false;
    for (uint32_t j = 0; j < s->ncols && !any; j++) {
        any = s->model->vars.data[s->unknown[j]].fixed;
    }
    return any;
}

bool dd_point_moved(const dd_system *s, const dd_taylor_point *point, double tolerance)
{
    bool moved = false;
    for (uint32_t j = 0; j < s->declared && !moved; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        double value = point->x[(size_t)j * (point->order + 1)];
        moved = v->fixed && !(fabs(value - v->start_value) <= tolerance * fmax(fabs(v->start_value), s->size[j]));
    }
    return moved;
}

static void build_stages(stages *st, dd_pool *scratch)
{
    bool blockwise = st->s->ncols <= max_blockwise;
    st->count = st->off->max_c + (blockwise ? st->blocks->count : 1);
    st->shape = dd_pool_alloc_array(scratch, st->count + 1, sizeof *st->shape);
    /* levels -max_c .. -1, each as a whole; level 0 is the algebraic part, block by block where that is cheap */
    for (uint32_t k = 0; k < st->count; k++) {
        bool last = k >= st->off->max_c;
        st->shape[k].level = last ? 0 : (int64_t)k - st->off->max_c;
        st->shape[k].block = last && blockwise ? k - st->off->max_c : DD_NO_INDEX;
        build_stage(st, k, scratch);
    }
}

static dd_taylor_point solve_near(const dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                  const double *x0, const bool *held, uint32_t order, dd_pool *pool)
{
    size_t size = (size_t)s->ncols * (order + 1);
    dd_taylor_point point = {.order = order, .x = dd_pool_alloc_array(pool, size + 1, sizeof *point.x)};
    dd_pool *scratch = dd_pool_child(pool);
    stages st = {.s = s, .nm = nm, .off = off, .blocks = blocks, .stride = order + 1};
    build_stages(&st, scratch);
    /* each stage by damped Gauss-Newton with the values of the stages before it */
    dd_staged_problem problem = {.user = &st,
                                 .stages = st.count,
                                 .n = s->ncols * (order + 1),
                                 .shape = stage_get_shape,
                                 .residual = stage_residual,
                                 .jacobian = stage_jacobian};
    /* the first evaluations allocate their work space here, where a lack of memory may be raised */
    dd_numeric_residual_series(nm, x0, order + 1, off->max_c);
    dd_numeric_partials(nm, x0, order + 1);
    /* first with fixed values as good as constant, then a little looser */
    dd_staged_info info = {0};
    const int tries = any_fixed(s) ? TRIES : 1;
    for (int attempt = 0; attempt < tries && !info.converged; attempt++) {
        memcpy(point.x, x0, size * sizeof *x0);
        const double *w = weights(s, order + 1, weight_fixed[attempt], held, scratch);
        dd_status status = dd_staged_solve(&info, s->ctx, &problem, w, point.x);
        dd_system_must(s, status, "finding a consistent point");
    }
    point.consistent = info.converged;
    /* what was sought when it failed: the caller asks whether a vanishing gradient was all (witness.c) */
    if (!info.converged) {
        point.failed_row = st.shape[info.stage].row[info.row];
        point.failed_residual = info.residual;
        point.failed_level = st.shape[info.stage].level;
        point.failed_block = st.shape[info.stage].block;
    }
    dd_pool_free(scratch);
    return point;
}

dd_taylor_point dd_point_solve(const dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                               const double *x0, uint32_t order, dd_pool *pool)
{
    return solve_near(s, nm, off, blocks, x0, NULL, order, pool);
}

enum { MOST_HOLDS = 3 }; /* one moves fixed values by a tenth of their size, the next one by rounding */

static bool is_moved(const dd_system *s, const dd_taylor_point *point)
{
    return point->consistent && dd_point_moved(s, point, DD_MOVED);
}

/* A fixed value that follows from others (the place on a rail from the place of the body on it) is not held by its weight: the
 * others were moved before. What follows from fixed values by single rows is put there and held, once the rest of the first
 * stage has its shape: attitudes. */
static dd_taylor_point hold_fixed(const dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                  const dd_taylor_point *moved, dd_pool *pool)
{
    const uint32_t stride = moved->order + 1;
    dd_pool *scratch = dd_pool_child(pool);
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * stride + 1, sizeof *x);
    bool *held = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *held);
    dd_point_guess(s, DD_GUESS_START, 0, moved->order, x);
    for (uint32_t j = 0; j < s->ncols; j++) {
        /* x_j^(d_j - max c) is what the first stage sought */
        const bool first = off->d[j] >= off->max_c && !s->model->vars.data[s->unknown[j]].fixed;
        x[(size_t)j * stride] = first ? moved->x[(size_t)j * stride] : x[(size_t)j * stride];
    }
    dd_point_spread(s, nm, stride, x, held);
    dd_taylor_point point = solve_near(s, nm, off, blocks, x, held, moved->order, pool);
    dd_pool_free(scratch);
    return point;
}

dd_taylor_point dd_point_consistent(const dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                    dd_nearness guess, uint32_t order, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * (order + 1) + 1, sizeof *x);
    dd_point_guess(s, guess, (uint32_t)guess, order, x);
    if (guess == DD_GUESS_START) {
        dd_point_spread(s, nm, order + 1, x, NULL);
    }
    dd_taylor_point point = dd_point_solve(s, nm, off, blocks, x, order, pool);
    /* each time the rest of the first stage is nearer, and fixed values move less */
    for (int round = 0; round < MOST_HOLDS && guess == DD_GUESS_START && is_moved(s, &point); round++) {
        const dd_taylor_point other = hold_fixed(s, nm, off, blocks, &point, pool);
        point = other.consistent ? other : point;
    }
    dd_pool_free(scratch);
    return point;
}
