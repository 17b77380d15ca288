/* elastic.c - the elastic program: rows with two finite sides, one of which gives way, are split into two rows; bounds
 * that give way become rows.
 *
 *     rows:  0 .. m-1 those of the program | copies (upper sides of split rows) | bounds that give way
 */
#include "nlp/elastic.h"

#include <math.h>
#include <string.h>

typedef struct side {
    uint32_t row;    /* of the elastic program */
    uint32_t source; /* row or variable of the program */
    uint32_t group;
    double sign; /* +1: lower, s is added; -1: upper */
} side;

struct dd_elastic {
    dd_context *ctx;
    const dd_nlp *inner;
    dd_nlp nlp;
    uint32_t groups, n_copies, n_bounds, n_sides, n_entries;
    double *weight, *unit, *reference, proximity;
    uint32_t *copy_of;  /* copies: the row */
    side *bounds;       /* bounds that give way */
    side *sides;        /* sides of rows that give way */
    uint32_t *entry_of; /* entries of copies: the entry of the inner Jacobian */
    double *lower, *upper /* rows */, *x_lower, *x_upper, *lambda;
    uint32_t *jacobian_row, *jacobian_col, *hessian_row, *hessian_col;
    dd_nlp_shape shape;
    uint32_t *variable_place, *row_place, *determines; /* of the shape */
    bool moved;                                        /* the program has not been asked at this point yet */
    size_t bytes;
    void *memory;
};

/* ---- functions ---- */

/* new_x for the program: its functions are not asked in each call here, so a move is remembered until they are. */
static bool inner_moved(dd_elastic *e, bool new_x)
{
    bool moved = e->moved || new_x;
    e->moved = false;
    return moved;
}

static bool elastic_objective(void *user, const double *x, bool new_x, double *f)
{
    dd_elastic *e = user;
    uint32_t n = e->inner->n;
    double sum = 0, distance = 0;
    e->moved = e->moved || new_x;
    /* weighted l1 norm of the relaxations: exact, and sparse in the groups */
    for (uint32_t g = 0; g < e->groups; g++) {
        sum += e->weight[g] * x[n + g];
    }
    /* proximity makes the solution unique where the penalty leaves it free */
    for (uint32_t j = 0; j < n; j++) {
        distance += (x[j] - e->reference[j]) * (x[j] - e->reference[j]);
    }
    *f = sum + 0.5 * e->proximity * distance;
    return isfinite(*f);
}

static bool elastic_gradient(void *user, const double *x, bool new_x, double *g)
{
    dd_elastic *e = user;
    uint32_t n = e->inner->n;
    e->moved = e->moved || new_x;
    for (uint32_t j = 0; j < n; j++) {
        g[j] = e->proximity * (x[j] - e->reference[j]);
    }
    memcpy(g + n, e->weight, e->groups * sizeof *g);
    return true;
}

static bool elastic_constraints(void *user, const double *x, bool new_x, double *c)
{
    dd_elastic *e = user;
    uint32_t n = e->inner->n, m = e->inner->m;
    if (!e->inner->constraints(e->inner->user, x, inner_moved(e, new_x), c)) {
        return false;
    }
    /* a split row has its lower side in place and its upper side in the copy */
    for (uint32_t k = 0; k < e->n_copies; k++) {
        c[m + k] = c[e->copy_of[k]];
    }
    /* x + s >= lower, x - s <= upper */
    for (uint32_t k = 0; k < e->n_bounds; k++) {
        c[e->bounds[k].row] = x[e->bounds[k].source] + e->bounds[k].sign * x[n + e->bounds[k].group];
    }
    /* c + unit s >= lower, c - unit s <= upper */
    for (uint32_t k = 0; k < e->n_sides; k++) {
        const side *s = &e->sides[k];
        c[s->row] += s->sign * e->unit[s->group] * x[n + s->group];
    }
    return true;
}

static bool elastic_jacobian(void *user, const double *x, bool new_x, double *values)
{
    dd_elastic *e = user;
    uint32_t at = e->inner->jacobian_nnz;
    if (!e->inner->jacobian(e->inner->user, x, inner_moved(e, new_x), values)) {
        return false;
    }
    /* in the order of make_patterns: program, copies, sides, bounds */
    for (uint32_t k = 0; k < e->n_entries; k++) {
        values[at++] = values[e->entry_of[k]];
    }
    for (uint32_t k = 0; k < e->n_sides; k++) {
        values[at++] = e->sides[k].sign * e->unit[e->sides[k].group];
    }
    for (uint32_t k = 0; k < e->n_bounds; k++) {
        values[at++] = 1;
        values[at++] = e->bounds[k].sign;
    }
    return true;
}

static bool elastic_hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    dd_elastic *e = user;
    const dd_nlp *inner = e->inner;
    /* a row and its copy have the same function: their multipliers add up */
    memcpy(e->lambda, lambda, inner->m * sizeof *lambda);
    for (uint32_t k = 0; k < e->n_copies; k++) {
        e->lambda[e->copy_of[k]] += lambda[inner->m + k];
    }
    /* sigma 0: the objective of the program is not part of this one */
    if (!inner->hessian(inner->user, x, inner_moved(e, new_x), 0, e->lambda, values)) {
        return false;
    }
    for (uint32_t j = 0; j < inner->n; j++) {
        values[inner->hessian_nnz + j] = sigma * e->proximity;
    }
    return true;
}

/* ---- making ---- */

static bool split(const dd_nlp *nlp, const dd_elastic_spec *spec, uint32_t i)
{
    return isfinite(nlp->c_lower[i]) && isfinite(nlp->c_upper[i]) &&
           (spec->row_lower[i] != DD_ELASTIC_HARD || spec->row_upper[i] != DD_ELASTIC_HARD);
}

static void count_parts(dd_elastic *e, const dd_elastic_spec *spec, bool *copied)
{
    const dd_nlp *nlp = e->inner;
    /* infinite sides need no relaxation */
    for (uint32_t i = 0; i < nlp->m; i++) {
        copied[i] = split(nlp, spec, i);
        e->n_copies += copied[i] ? 1 : 0;
        e->n_sides += isfinite(nlp->c_lower[i]) && spec->row_lower[i] != DD_ELASTIC_HARD ? 1 : 0;
        e->n_sides += isfinite(nlp->c_upper[i]) && spec->row_upper[i] != DD_ELASTIC_HARD ? 1 : 0;
    }
    for (uint32_t j = 0; j < nlp->n; j++) {
        e->n_bounds += isfinite(nlp->x_lower[j]) && spec->variable_lower[j] != DD_ELASTIC_HARD ? 1 : 0;
        e->n_bounds += isfinite(nlp->x_upper[j]) && spec->variable_upper[j] != DD_ELASTIC_HARD ? 1 : 0;
    }
    /* copies repeat the entries of their rows */
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        e->n_entries += copied[nlp->jacobian_row[k]] ? 1 : 0;
    }
}

/* One piece of memory, numbers first. */
static bool allocate(dd_elastic *e)
{
    /* sizes: rows, entries of the Jacobian and the Hessian (with the diagonal of the proximity), numbers, indices */
    size_t n = e->inner->n, m = e->inner->m, G = e->groups, rows = m + e->n_copies + e->n_bounds;
    size_t nnz = (size_t)e->inner->jacobian_nnz + e->n_entries + e->n_sides + 2 * (size_t)e->n_bounds;
    size_t curvature = (size_t)e->inner->hessian_nnz + n, doubles = 2 * G + 3 * n + 2 * G + 2 * rows + m;
    size_t sides = (size_t)e->n_sides + e->n_bounds, indices = e->n_copies + e->n_entries + 2 * nnz + 2 * curvature;
    indices += n + G + 2 * rows;
    e->bytes = doubles * sizeof(double) + sides * sizeof(side) + indices * sizeof(uint32_t);
    double *d = e->memory = dd_mem_new_array(e->ctx, e->bytes, 1);
    if (d == NULL) {
        return false;
    }
    /* doubles first, then the sides, then 32-bit indices: every part is aligned */
    e->weight = d;
    e->unit = e->weight + G;
    e->reference = e->unit + G;
    e->x_lower = e->reference + n;
    e->x_upper = e->x_lower + n + G;
    e->lower = e->x_upper + n + G;
    e->upper = e->lower + rows;
    e->lambda = e->upper + rows;
    e->sides = (side *)(void *)(e->lambda + m);
    e->bounds = e->sides + e->n_sides;
    e->copy_of = (uint32_t *)(void *)(e->bounds + e->n_bounds);
    e->entry_of = e->copy_of + e->n_copies;
    e->jacobian_row = e->entry_of + e->n_entries;
    e->jacobian_col = e->jacobian_row + nnz;
    e->hessian_row = e->jacobian_col + nnz;
    e->hessian_col = e->hessian_row + curvature;
    e->variable_place = e->hessian_col + curvature;
    e->row_place = e->variable_place + n + G;
    e->determines = e->row_place + rows;
    /* the sizes of the elastic program itself */
    e->nlp.m = (uint32_t)rows;
    e->nlp.n = (uint32_t)(n + G);
    e->nlp.jacobian_nnz = (uint32_t)nnz;
    e->nlp.hessian_nnz = (uint32_t)curvature;
    return true;
}

/* Sides of rows; at_copy: where row i's copy is. */
static void make_rows(dd_elastic *e, const dd_elastic_spec *spec, const bool *copied, uint32_t *at_copy)
{
    const dd_nlp *nlp = e->inner;
    uint32_t copy = 0, made = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        uint32_t upper_row = i;
        /* the row keeps both sides unless it is split */
        e->lower[i] = nlp->c_lower[i];
        e->upper[i] = nlp->c_upper[i];
        if (copied[i]) {
            upper_row = nlp->m + copy;
            e->copy_of[copy++] = i;
            at_copy[i] = upper_row;
            e->upper[i] = INFINITY;
            e->lower[upper_row] = -INFINITY;
            e->upper[upper_row] = nlp->c_upper[i];
        }
        /* lower sides are relaxed from below, upper ones from above */
        if (isfinite(nlp->c_lower[i]) && spec->row_lower[i] != DD_ELASTIC_HARD) {
            e->sides[made++] = (side){i, i, spec->row_lower[i], 1};
        }
        if (isfinite(nlp->c_upper[i]) && spec->row_upper[i] != DD_ELASTIC_HARD) {
            e->sides[made++] = (side){upper_row, i, spec->row_upper[i], -1};
        }
    }
}

static void make_bound(dd_elastic *e, uint32_t *made, uint32_t j, uint32_t group, bool upper)
{
    /* the bound moves from the variable to a separate row, where it can be relaxed */
    uint32_t row = e->inner->m + e->n_copies + *made;
    e->bounds[(*made)++] = (side){row, j, group, upper ? -1 : 1};
    e->lower[row] = upper ? -INFINITY : e->inner->x_lower[j];
    e->upper[row] = upper ? e->inner->x_upper[j] : INFINITY;
    *(upper ? &e->x_upper[j] : &e->x_lower[j]) = upper ? INFINITY : -INFINITY;
}

static void make_variables(dd_elastic *e, const dd_elastic_spec *spec)
{
    const dd_nlp *nlp = e->inner;
    uint32_t made = 0;
    for (uint32_t j = 0; j < nlp->n; j++) {
        e->x_lower[j] = nlp->x_lower[j];
        e->x_upper[j] = nlp->x_upper[j];
        if (isfinite(nlp->x_lower[j]) && spec->variable_lower[j] != DD_ELASTIC_HARD) {
            make_bound(e, &made, j, spec->variable_lower[j], false);
        }
        if (isfinite(nlp->x_upper[j]) && spec->variable_upper[j] != DD_ELASTIC_HARD) {
            make_bound(e, &made, j, spec->variable_upper[j], true);
        }
    }
    /* 0 <= s: relaxations only ever widen */
    for (uint32_t g = 0; g < e->groups; g++) {
        e->x_lower[nlp->n + g] = 0;
        e->x_upper[nlp->n + g] = spec->most != NULL ? spec->most[g] : INFINITY;
    }
}

static void make_patterns(dd_elastic *e, const bool *copied, const uint32_t *at_copy)
{
    const dd_nlp *nlp = e->inner;
    uint32_t at = nlp->jacobian_nnz, copies = 0;
    /* the program's own entries stay where they are */
    for (uint32_t k = 0; k < at; k++) {
        e->jacobian_row[k] = nlp->jacobian_row[k];
        e->jacobian_col[k] = nlp->jacobian_col[k];
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        if (copied[nlp->jacobian_row[k]]) {
            e->entry_of[copies++] = k;
            e->jacobian_row[at] = at_copy[nlp->jacobian_row[k]];
            e->jacobian_col[at++] = nlp->jacobian_col[k];
        }
    }
    /* derivatives by s */
    for (uint32_t k = 0; k < e->n_sides; k++) {
        e->jacobian_row[at] = e->sides[k].row;
        e->jacobian_col[at++] = nlp->n + e->sides[k].group;
    }
    for (uint32_t k = 0; k < e->n_bounds; k++) {
        e->jacobian_row[at] = e->jacobian_row[at + 1] = e->bounds[k].row;
        e->jacobian_col[at++] = e->bounds[k].source;
        e->jacobian_col[at++] = nlp->n + e->bounds[k].group;
    }
    /* the inner Hessian, then the diagonal of the proximity; an entry that appears twice is summed by the solver */
    if (nlp->hessian_nnz > 0) {
        memcpy(e->hessian_row, nlp->hessian_row, nlp->hessian_nnz * sizeof *e->hessian_row);
        memcpy(e->hessian_col, nlp->hessian_col, nlp->hessian_nnz * sizeof *e->hessian_col);
    }
    for (uint32_t j = 0; j < nlp->n; j++) {
        e->hessian_row[nlp->hessian_nnz + j] = e->hessian_col[nlp->hessian_nnz + j] = j;
    }
}

/* The shape of the program with the relaxations at its border: a group may be met anywhere. */
static void make_shape(dd_elastic *e, const bool *copied)
{
    const dd_nlp_shape *inner = e->inner->shape;
    uint32_t n = e->inner->n, m = e->inner->m;
    for (uint32_t j = 0; j < n + e->groups; j++) {
        e->variable_place[j] = j < n ? inner->variable_place[j] : DD_PLACE_BORDER;
    }
    /* a split row is no equality any more: it determines nothing */
    for (uint32_t i = 0; i < m; i++) {
        e->row_place[i] = inner->row_place[i];
        e->determines[i] = copied[i] ? DD_DETERMINES_NONE : inner->determines[i];
    }
    /* copies are where their rows are, bounds where their variables are */
    for (uint32_t k = 0; k < e->n_copies; k++) {
        e->row_place[m + k] = inner->row_place[e->copy_of[k]];
        e->determines[m + k] = DD_DETERMINES_NONE;
    }
    for (uint32_t k = 0; k < e->n_bounds; k++) {
        e->row_place[e->bounds[k].row] = inner->variable_place[e->bounds[k].source];
        e->determines[e->bounds[k].row] = DD_DETERMINES_NONE;
    }
    e->shape = (dd_nlp_shape){inner->intervals, e->variable_place, e->row_place, e->determines};
    e->nlp.shape = &e->shape;
}

static void make_program(dd_elastic *e)
{
    dd_nlp *out = &e->nlp;
    out->user = e;
    out->x_lower = e->x_lower;
    out->x_upper = e->x_upper;
    out->c_lower = e->lower;
    out->c_upper = e->upper;
    out->jacobian_row = e->jacobian_row;
    out->jacobian_col = e->jacobian_col;
    out->hessian_row = e->hessian_row;
    out->hessian_col = e->hessian_col;
    out->objective = elastic_objective;
    out->gradient = elastic_gradient;
    out->constraints = elastic_constraints;
    out->jacobian = elastic_jacobian;
    out->hessian = e->inner->hessian != NULL ? elastic_hessian : NULL;
}

static dd_status build(dd_elastic *e, const dd_elastic_spec *spec, bool *copied, uint32_t *at_copy)
{
    count_parts(e, spec, copied);
    if (!allocate(e)) {
        return dd_fail(e->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* copies: the specification may go after the call */
    memcpy(e->weight, spec->weight, e->groups * sizeof *e->weight);
    memcpy(e->unit, spec->unit, e->groups * sizeof *e->unit);
    memcpy(e->reference, spec->reference, e->inner->n * sizeof *e->reference);
    e->proximity = spec->proximity;
    make_rows(e, spec, copied, at_copy);
    make_variables(e, spec);
    make_patterns(e, copied, at_copy);
    make_program(e);
    if (e->inner->shape != NULL) {
        make_shape(e, copied);
    }
    return DD_OK;
}

dd_status dd_elastic_new(dd_elastic **out, dd_context *ctx, const dd_nlp *nlp, const dd_elastic_spec *spec)
{
    /* scratch: which rows are split, and where their copies are */
    size_t m = (size_t)nlp->m + 1;
    dd_elastic *e = dd_mem_new_array(ctx, 1, sizeof *e);
    bool *copied = dd_mem_new_array(ctx, m, sizeof *copied);
    uint32_t *at_copy = dd_mem_new_array(ctx, m, sizeof *at_copy);
    dd_status status = DD_OUT_OF_MEMORY;
    *out = NULL;
    if (e != NULL && copied != NULL && at_copy != NULL) {
        *e = (dd_elastic){.ctx = ctx, .inner = nlp, .groups = spec->groups};
        status = build(e, spec, copied, at_copy);
    }
    dd_mem_free(ctx, copied, m * sizeof *copied);
    dd_mem_free(ctx, at_copy, m * sizeof *at_copy);
    if (status != DD_OK) {
        dd_mem_free(ctx, e, sizeof *e);
        return dd_fail(ctx, status, "%s", dd_status_text(status));
    }
    *out = e;
    return DD_OK;
}

void dd_elastic_free(dd_elastic *e)
{
    if (e != NULL) {
        dd_context *ctx = e->ctx;
        dd_mem_free(ctx, e->memory, e->bytes);
        dd_mem_free(ctx, e, sizeof *e);
    }
}

const dd_nlp *dd_elastic_nlp(const dd_elastic *e)
{
    return &e->nlp;
}

void dd_elastic_pressure(const dd_elastic *e, const double *lambda, double *out)
{
    memset(out, 0, e->groups * sizeof *out);
    /* stationarity by s_g: sum |lambda| unit <= weight_g, with equality where the group gives way */
    for (uint32_t k = 0; k < e->n_sides; k++) {
        out[e->sides[k].group] += fabs(lambda[e->sides[k].row]) * e->unit[e->sides[k].group];
    }
    for (uint32_t k = 0; k < e->n_bounds; k++) {
        out[e->bounds[k].group] += fabs(lambda[e->bounds[k].row]);
    }
}
