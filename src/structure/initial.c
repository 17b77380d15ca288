/* initial.c - which initial values are given, missing or too many, judged by rank at the consistent point.
 *
 * The linearised system f_i^(k) = 0, k <= c_i, in the unknowns x_j^(k), k <= d_j, leaves dof directions. A condition
 * counts when its gradient is independent of these rows and of the conditions before it.
 */
#include <math.h>

#include "la/rowspace.h"
#include "structure/numeric.h"

/* A condition: a fixed variable or an initial equation. */
typedef struct condition {
    dd_index_vec idx;
    DD_VEC(double) val;
    double magnitude;
    const char *text;
} condition;

typedef struct tangent_work {
    dd_system *s;
    dd_pool *scratch;
    dd_rowspace *space;
    uint32_t *offset;      /* column -> first of its d_j + 1 unknowns */
    uint32_t total;
    /* instead of a row space: an orthonormal tangent basis (ncols x dof) and the conditions' images so far */
    const double *tangent;
    uint32_t dof, rank;
    double *image;         /* dof x dof, orthonormal */
} tangent_work;

static const char *fixed_text(dd_system *s, uint32_t col)
{
    char number[32];
    const dd_variable *v = &s->model->vars.data[s->unknown[col]];
    return dd_pool_printf(s->pool, "%s = %s", dd_system_column_name(s, col, s->pool), dd_number_text(v->start_value, number));
}

static uint32_t unknown_of(const tangent_work *w, uint32_t col, uint32_t order)
{
    if (w->tangent) {
        return order == 0 ? col : DD_NO_INDEX;
    }
    return order <= w->s->off.d[col] ? w->offset[col] + order : DD_NO_INDEX;
}

/* Rank test against a tangent basis: project onto what earlier conditions have not used. */
static bool add_to_tangent(tangent_work *w, const condition *c, bool keep)
{
    double *v = dd_pool_alloc_array(w->scratch, w->dof + 1, sizeof *v);
    double before = 0, after = 0;
    for (uint32_t q = 0; q < w->dof; q++) {
        for (uint32_t k = 0; k < c->idx.len; k++) {
            v[q] += c->val.data[k] * w->tangent[(size_t)q * w->s->ncols + c->idx.data[k]];
        }
    }
    for (uint32_t k = 0; k < c->idx.len; k++) {
        before += c->val.data[k] * c->val.data[k];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < w->rank; r++) {
            double dot = 0;
            for (uint32_t q = 0; q < w->dof; q++) {
                dot += v[q] * w->image[(size_t)r * w->dof + q];
            }
            for (uint32_t q = 0; q < w->dof; q++) {
                v[q] -= dot * w->image[(size_t)r * w->dof + q];
            }
        }
    }
    for (uint32_t q = 0; q < w->dof; q++) {
        after += v[q] * v[q];
    }
    bool independent = after > 1e-14 * before;
    if (independent && keep) {
        for (uint32_t q = 0; q < w->dof; q++) {
            w->image[(size_t)w->rank * w->dof + q] = v[q] / sqrt(after);
        }
        w->rank++;
    }
    return independent;
}

static bool try_condition(tangent_work *w, const condition *c, bool keep)
{
    bool independent = false;
    if (w->tangent) {
        return add_to_tangent(w, c, keep);
    }
    dd_status st = keep ? dd_rowspace_add(w->space, c->idx.len, c->idx.data, c->val.data, c->magnitude, &independent)
                        : dd_rowspace_test(w->space, c->idx.len, c->idx.data, c->val.data, c->magnitude, &independent);
    dd_system_must(w->s, st, "initial conditions");
    return independent;
}

static condition column_condition(tangent_work *w, uint32_t col)
{
    condition c = {.magnitude = 0};
    dd_vec_push(w->scratch, &c.idx, unknown_of(w, col, 0));
    dd_vec_push(w->scratch, &c.val, 1.0);
    return c;
}

/* Gradient of an initial equation with respect to x_j and x_j', at the point. */
static condition equation_condition(tangent_work *w, uint32_t row, const double *x, uint32_t stride)
{
    dd_system *s = w->s;
    condition c = {0};
    dd_expr residual = dd_system_lower(s, s->model->initial_rows.data[row].residual);
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(s->model->dag, residual, false, &symbols, &partials, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = s->column[dd_symbol_id(s->model->dag, symbols.data[i])];
        uint32_t at = col == DD_NO_INDEX ? DD_NO_INDEX : unknown_of(w, col, dd_symbol_order(s->model->dag, symbols.data[i]));
        if (at == DD_NO_INDEX) {
            continue;
        }
        double value, magnitude;
        dd_numeric_values(s, &partials.data[i], 1, x, stride, dd_system_start_time(s), &value, &magnitude, w->scratch);
        if (isfinite(value)) {
            dd_vec_push(w->scratch, &c.idx, at);
            dd_vec_push(w->scratch, &c.val, value);
            c.magnitude = fmax(c.magnitude, 1e-4 * magnitude);
        }
    }
    dd_text text = dd_text_new(s->pool);
    const dd_group *g = &s->model->initial_groups.data[s->model->initial_rows.data[row].group];
    if (g->lhs != DD_FORM_NONE && g->count == 1) {
        dd_model_print_group(s->model, g, &text);
    } else {
        dd_model_print_residual(s->model, s->model->initial_rows.data[row].residual, &text);
    }
    c.text = dd_text_str(&text);
    return c;
}

static void take_given(tangent_work *w, const condition *c)
{
    dd_system *s = w->s;
    dd_vec_push(s->pool, &s->given, c->text);
    s->given_count++;
    if (c->idx.len > 0 && try_condition(w, c, true)) {
        return;
    }
    s->excess++;
    dd_vec_push(s->pool, &s->redundant_given, c->text);
}

static void add_given(tangent_work *w, const double *x, uint32_t stride)
{
    dd_system *s = w->s;
    for (uint32_t j = 0; j < s->ncols; j++) {
        if (s->model->vars.data[s->unknown[j]].fixed) {
            condition c = column_condition(w, j);
            c.text = fixed_text(s, j);
            take_given(w, &c);
        }
    }
    for (uint32_t r = 0; r < s->model->initial_rows.len; r++) {
        condition c = equation_condition(w, r, x, stride);
        take_given(w, &c);
    }
}

/* Columns in the order they are wanted as states: stateSelect, then differentiated before algebraic, then as declared. */
static uint32_t *preferred_columns(dd_system *s, dd_pool *scratch)
{
    uint32_t *order = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *order);
    uint32_t count = 0;
    for (int select = DD_SELECT_ALWAYS; select >= DD_SELECT_NEVER; select--) {
        for (int differentiated = 1; differentiated >= 0; differentiated--) {
            for (uint32_t j = 0; j < s->ncols; j++) {
                if ((int)s->model->vars.data[s->unknown[j]].select == select && s->differentiated[j] == differentiated) {
                    order[count++] = j;
                }
            }
        }
    }
    return order;
}

/* What else may be chosen: every variable that is still open; and one set of states. */
static void complete(tangent_work *w)
{
    dd_system *s = w->s;
    s->missing = (uint32_t)s->dof - (s->given_count - s->excess);
    uint32_t *order = preferred_columns(s, w->scratch);
    uint32_t left = s->missing;
    for (uint32_t j = 0; j < s->ncols && s->missing > 0; j++) {
        condition c = column_condition(w, j);
        if (try_condition(w, &c, false)) {
            dd_vec_push(s->pool, &s->free_choice, j);
        }
    }
    for (uint32_t q = 0; q < s->ncols && left > 0; q++) {
        condition c = column_condition(w, order[q]);
        if (try_condition(w, &c, true)) {
            dd_vec_push(s->pool, &s->completion, order[q]);
            left--;
        }
    }
}

typedef struct row_builder {
    dd_index_vec idx;
    DD_VEC(double) val;
    double magnitude;
} row_builder;

/* Row of f_i^(k) (Taylor coefficients): d/dX_j,m = (p0)_{k-m} + m (p1)_{k-m+1} for m <= d_j. */
static void array_row(tangent_work *w, const dd_numeric *nm, const double *partials, uint32_t order, uint32_t i, uint32_t k,
                      row_builder *b)
{
    const dd_incidence *inc = nm->inc;
    b->idx.len = b->val.len = 0;
    b->magnitude = 0;
    for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
        uint32_t j = inc->idx[e];
        for (uint32_t m = 0; m <= k + 1 && m <= w->s->off.d[j]; m++) {
            double v = 0;
            if (nm->slot0[e] != DD_NO_INDEX && m <= k) {
                v += partials[(size_t)nm->slot0[e] * (order + 1) + k - m];
                b->magnitude = fmax(b->magnitude, 1e-4 * nm->magnitude[nm->slot0[e]]);
            }
            if (nm->slot1[e] != DD_NO_INDEX && m >= 1) {
                v += m * partials[(size_t)nm->slot1[e] * (order + 1) + k + 1 - m];
                b->magnitude = fmax(b->magnitude, 1e-4 * nm->magnitude[nm->slot1[e]]);
            }
            if (v != 0) {
                dd_vec_push(w->scratch, &b->idx, w->offset[j] + m);
                dd_vec_push(w->scratch, &b->val, v);
            }
        }
    }
}

/* Visits all rows f_i^(k): first to learn the pattern, then to add them. */
static void each_row(tangent_work *w, dd_numeric *nm, const double *partials, uint32_t order,
                     void (*visit)(tangent_work *, row_builder *, void *), void *user)
{
    row_builder b = {0};
    for (uint32_t i = 0; i < nm->inc->n; i++) {
        for (uint32_t k = 0; k <= w->s->off.c[i]; k++) {
            array_row(w, nm, partials, order, i, k, &b);
            visit(w, &b, user);
        }
    }
}

typedef struct pattern_builder {
    dd_index_vec ptr, idx;
} pattern_builder;

static void visit_pattern(tangent_work *w, row_builder *b, void *user)
{
    pattern_builder *p = user;
    for (uint32_t q = 0; q < b->idx.len; q++) {
        dd_vec_push(w->scratch, &p->idx, b->idx.data[q]);
    }
    dd_vec_push(w->scratch, &p->ptr, p->idx.len);
}

static void visit_add(tangent_work *w, row_builder *b, void *user)
{
    bool independent;
    dd_status *st = user;
    if (*st == DD_OK) {
        *st = dd_rowspace_add(w->space, b->idx.len, b->idx.data, b->val.data, b->magnitude, &independent);
    }
}

static void open_space(tangent_work *w, dd_numeric *nm, const double *x, uint32_t stride)
{
    dd_system *s = w->s;
    uint32_t order = s->off.max_c + 1;
    dd_numeric_partials(nm, x, stride);
    const double *partials = dd_numeric_partial_series(nm, x, stride, order);
    pattern_builder p = {0};
    dd_vec_push(w->scratch, &p.ptr, 0);
    each_row(w, nm, partials, order, visit_pattern, &p);
    uint32_t *column_order = dd_pool_alloc_array(w->scratch, w->total + 1, sizeof *column_order);
    dd_pattern pattern = {p.ptr.len - 1, w->total, p.ptr.data, p.idx.data};
    dd_system_must(s, dd_rowspace_order(s->ctx, &pattern, column_order), "initial conditions");
    dd_system_must(s, dd_rowspace_new(&w->space, s->ctx, w->total, column_order, NULL), "initial conditions");
}

typedef struct initial_run {
    tangent_work *w;
    dd_numeric *nm;
    const double *x, *partials;
    uint32_t stride, order;
} initial_run;

/* Everything after the row space exists; it is freed by the caller whatever happens here. */
static void run_with_space(void *arg)
{
    initial_run *r = arg;
    dd_status st = DD_OK;
    each_row(r->w, r->nm, r->partials, r->order, visit_add, &st);
    dd_system_must(r->w->s, st, "initial conditions");
    add_given(r->w, r->x, r->stride);
    complete(r->w);
}

void dd_system_initial_conditions(dd_system *s)
{
    tangent_work w = {.s = s, .scratch = dd_pool_child(s->pool)};
    w.offset = dd_pool_alloc_array(w.scratch, s->ncols + 1, sizeof *w.offset);
    for (uint32_t j = 0; j < s->ncols; j++) {
        w.offset[j] = w.total;
        w.total += s->off.d[j] + 1;
    }
    dd_numeric *nm = dd_numeric_new(s, &s->eqs, &s->inc, w.scratch);
    uint32_t stride = s->point.order + 1;
    open_space(&w, nm, s->point.x, stride);
    initial_run run = {.w = &w, .nm = nm, .x = s->point.x, .stride = stride, .order = s->off.max_c + 1};
    run.partials = nm->out;
    dd_status st = dd_protect(s->ctx, run_with_space, &run);
    dd_rowspace_free(w.space);
    if (st != DD_OK) {
        dd_raise(s->ctx, st, "%s", dd_context_message(s->ctx));
    }
    dd_pool_free(w.scratch);
}

void dd_system_initial_from_tangent(dd_system *s, const double *tangent, uint32_t dof, const double *x, uint32_t stride)
{
    tangent_work w = {.s = s, .scratch = dd_pool_child(s->pool), .tangent = tangent, .dof = dof};
    w.image = dd_pool_alloc_array(w.scratch, (size_t)dof * dof + 1, sizeof *w.image);
    add_given(&w, x, stride);
    complete(&w);
    dd_pool_free(w.scratch);
}
