/* numbers.c - compiling equations, and the callbacks of dd_problem.
 *
 * All programs share one list of inputs in four segments: w', w, (time, inputs), frozen switches; parameters are
 * constants. */
#include "dynamics/numbers.h"

#include <math.h>
#include <string.h>

#include "dynamics/numbers_impl.h"

/* ---- compiling ---- */

static void note_parameters(dd_compiler *c, dd_expr e)
{
    dd_dag *dag = c->q->system->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, true, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM && !dd_map_get(&c->known_parameter, symbols.data[i])) {
            dd_map_put(&c->known_parameter, symbols.data[i], 1);
            dd_vec_push(c->pool, &c->parameters, symbols.data[i]);
        }
    }
    dd_vec_free(c->scratch, &symbols);
}

dd_compiled *dd_numbers_compile(dd_compiler *c, const dd_expr *outputs, uint32_t n, uint32_t lanes)
{
    const dd_system *s = c->q->system;
    /* one list of inputs for all programs; parameters are constants that may change between runs */
    dd_program_spec spec = {.inputs = c->symbols.data,
                            .n_inputs = c->symbols.len,
                            .n_segments = DD_MOST_SEGMENTS,
                            .constants = c->parameters.data,
                            .n_constants = c->parameters.len,
                            .outputs = outputs,
                            .n_outputs = n};
    memcpy(spec.segment, c->segment, sizeof spec.segment);
    dd_compiled *p = dd_pool_alloc(c->pool, sizeof *p);
    p->work = NULL;
    p->program = dd_program_new(c->pool, s->model->dag, &spec);
    dd_system_must(s, dd_program_work_new(&p->work, c->q->ctx, p->program, lanes), "compiling");
    return p;
}

static void set_parameters(dd_compiler *c, dd_compiled *p)
{
    dd_numbers *q = c->q;
    double *values = dd_pool_alloc_array(c->scratch, c->parameters.len + 1, sizeof *values);
    for (uint32_t i = 0; i < c->parameters.len; i++) {
        values[i] = q->system->parameter[dd_symbol_id(q->system->model->dag, c->parameters.data[i])];
    }
    dd_program_set_constants(p->work, values);
}

/* ---- evaluation ---- */

static void set_outside(dd_numbers *q, uint32_t lane, size_t ld, double t)
{
    /* inputs from outside are functions of time: asked for once per point */
    q->outside[lane] = t;
    if (q->inputs.len > 0) {
        q->source.values(q->source.user, t, q->input_value);
        for (uint32_t i = 0; i < q->inputs.len; i++) {
            q->outside[(i + 1) * ld + lane] = q->input_value[i];
        }
    }
}

void dd_numbers_evaluate(dd_numbers *q, const dd_compiled *p, double t, const double *w, const double *wdot,
                         double *out)
{
    set_outside(q, 0, 1, t);
    const double *in[DD_MOST_SEGMENTS] = {wdot, w, q->outside, q->mode};
    dd_program_eval(p->work, in, out);
}

static void residual(void *user, double t, const double *w, const double *wdot, double *f)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->residual, t, w, wdot, f);
}

/* The same values in all lanes, with the spacing of the batch. */
static void spread_modes(dd_numbers *q, size_t ld)
{
    for (size_t k = 0; k < q->switches.len; k++) {
        for (size_t lane = 0; lane < ld; lane++) {
            q->mode_spread[k * ld + lane] = q->mode[k];
        }
    }
    q->mode_ld = ld;
}

static void residuals(void *user, uint32_t lanes, size_t ld, const double *t, const double *w, const double *wdot,
                      double *f)
{
    dd_numbers *q = user;
    /* time alone is cheap; inputs are interpolated per lane */
    for (uint32_t k = 0; k < lanes && q->inputs.len == 0; k++) {
        q->outside[k] = t[k];
    }
    for (uint32_t k = 0; k < lanes && q->inputs.len > 0; k++) {
        set_outside(q, k, ld, t[k]);
    }
    /* frozen switches are the same in all lanes, spread again only when the batch's layout changes */
    if (q->switches.len > 0 && ld != q->mode_ld) {
        spread_modes(q, ld);
    }
    const double *in[DD_MOST_SEGMENTS] = {wdot, w, q->outside, q->mode_spread};
    dd_program_eval_batch(q->residual->work, lanes, ld, in, f);
}

static bool all_finite(const double *v, uint32_t n)
{
    double sum = 0; /* no number when one of them is infinite or none */
    for (uint32_t k = 0; k < n; k++) {
        sum += 0 * v[k];
    }
    return sum == 0;
}

/* Where the base of a root is exactly zero its derivative is infinite, which is no reason to stop: the slope a little beside
 * it does for Newton's method. Different parts for different unknowns, so that differences of equal ones are not zero. */
static void step_aside(dd_numbers *q, const double *w)
{
    const double part = 1e-8;
    double odd = 0;
    for (uint32_t j = 0; j < q->n; j++) {
        odd += 0.6180339887498949; /* the fractional parts of its multiples are far apart */
        odd -= floor(odd);
        q->aside[j] = w[j] + part * (1 + odd) * fmax(fabs(w[j]), q->problem.nominal[j]);
    }
}

static void jacobian(void *user, double t, const double *w, const double *wdot, double *m, double *j)
{
    dd_numbers *q = user;
    uint32_t nnz = q->problem.pattern.ptr[q->n];
    /* entries that are numbers are copied, the others evaluated */
    memcpy(m, q->m_fixed, nnz * sizeof *m);
    memcpy(j, q->j_fixed, nnz * sizeof *j);
    if (q->n_entries == 0) {
        return;
    }
    dd_numbers_evaluate(q, q->jacobian, t, w, wdot, q->entry_value);
    /* infinite slopes exist only where powers were continued; the rows decide by `checked` */
    if (q->checked && !all_finite(q->entry_value, q->n_entries)) {
        step_aside(q, w);
        dd_numbers_evaluate(q, q->jacobian, t, q->aside, wdot, q->entry_value);
    }
    for (uint32_t k = 0; k < q->n_entries; k++) {
        if (q->m_entry[k] != DD_NO_INDEX) {
            m[q->m_entry[k]] = q->entry_value[k];
        } else {
            j[q->j_entry[k]] = q->entry_value[k];
        }
    }
}

static void invariants(void *user, double t, const double *w, double *c)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->invariants, t, w, w, c); /* no derivatives in them */
}

static void invariant_jacobian(void *user, double t, const double *w, double *values)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->invariant_jacobian, t, w, w, q->invariant_value);
    for (uint32_t k = 0; k < q->problem.invariant_pattern.ptr[q->n]; k++) {
        values[q->invariant_entry[k]] = q->invariant_value[k];
    }
}

void dd_numbers_outputs(dd_numbers *q, double t, const double *w, const double *wdot, double *out)
{
    dd_numbers_evaluate(q, q->outputs, t, w, wdot, out);
}

bool dd_numbers_rows_hold(dd_numbers *q, double t, const double *w, const double *wdot)
{
    if (!q->checked) {
        return true;
    }
    dd_numbers_evaluate(q, q->checked, t, w, wdot, q->row_value);
    return all_finite(q->row_value, q->n);
}

void dd_numbers_switching(dd_numbers *q, double t, const double *w, const double *wdot, double *g)
{
    if (q->switches.len > 0) {
        dd_numbers_evaluate(q, q->switching, t, w, wdot, g);
    }
}

void dd_numbers_kinks(dd_numbers *q, double t, const double *w, const double *wdot, double *g)
{
    if (q->kinks.len > 0) {
        dd_numbers_evaluate(q, q->kinking, t, w, wdot, g);
    }
}

void dd_numbers_sides(dd_numbers *q, double t, const double *w, const double *wdot, const double *mode, double *out)
{
    memcpy(q->side_mode, q->mode, q->switches.len * sizeof *mode);
    memcpy(q->side_mode + q->switches.len, mode, q->kinks.len * sizeof *mode);
    set_outside(q, 0, 1, t);
    const double *in[DD_MOST_SEGMENTS] = {wdot, w, q->outside, q->side_mode};
    dd_program_eval(q->sides->work, in, out);
}

void dd_numbers_freeze(dd_numbers *q, uint32_t k, double value)
{
    q->mode[k] = value;
    q->mode_ld = 0;
}

/* ---- symbols ---- */

typedef struct input_map {
    const dd_system *s;
    const dd_map *supplied;
    bool offsets; /* derivatives may be taken by inputs: a parameter of value 0 is added to each */
} input_map;

/* Inputs that nobody supplies keep their start value, 0 without; their derivatives are 0. */
static dd_expr input_value(void *user, dd_expr symbol)
{
    const input_map *m = user;
    dd_dag *dag = m->s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t var = dd_symbol_id(dag, symbol);
    bool input = var < m->s->model->vars.len && m->s->model->vars.data[var].kind == DD_KIND_INPUT;
    if (!input || dd_map_get(m->supplied, var + 1)) {
        return DD_EXPR_NONE;
    }
    const dd_variable *v = &m->s->model->vars.data[var];
    /* a constant: its start value; derivatives of a constant vanish */
    const bool constant = dd_symbol_order(dag, symbol) == 0 && v->has_start;
    const dd_expr held = !constant                  ? dd_rational(dag, 0, 1)
                         : v->start != DD_EXPR_NONE ? v->start
                                                    : dd_num(dag, v->start_value);
    return m->offsets && dd_symbol_order(dag, symbol) == 0 ? dd_add(dag, held, dd_param(dag, var)) : held;
}

dd_expr dd_numbers_put_inputs(dd_compiler *c, dd_expr e)
{
    input_map map = {c->q->system, &c->supplied, c->q->directions != NULL};
    return dd_substitute(c->q->system->model->dag, e, input_value, &map);
}

static void note_inputs(dd_compiler *c, dd_expr e, dd_map *seen)
{
    dd_numbers *q = c->q;
    dd_dag *dag = q->system->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, false, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(dag, symbols.data[i]);
        if (var < q->system->model->vars.len && q->system->model->vars.data[var].kind == DD_KIND_INPUT &&
            !dd_map_get(seen, symbols.data[i])) {
            dd_map_put(seen, symbols.data[i], 1);
            dd_vec_push(c->pool, &q->inputs, symbols.data[i]);
        }
    }
    dd_vec_free(c->scratch, &symbols);
}

static void list_unknowns(dd_compiler *c)
{
    dd_numbers *q = c->q;
    const dd_equations *eq = q->equations;
    dd_dag *dag = q->system->model->dag;
    c->column = dd_map_new(c->scratch);
    q->n = eq->x.len + eq->z.len;
    /* columns 1..n are w, n + 1..2n are w': one map for both */
    for (uint32_t j = 0; j < q->n; j++) {
        bool x = j < eq->x.len;
        dd_expr symbol = x ? eq->x.data[j] : eq->z.data[j - eq->x.len];
        /* z has no derivative: a symbol that appears nowhere keeps the places */
        dd_expr rate =
            x ? dd_var(dag, dd_symbol_id(dag, symbol), 1) : dd_var(dag, q->system->model->vars.len + 1 + j, 0);
        dd_vec_push(c->pool, &q->w, symbol);
        dd_vec_push(c->pool, &q->rate_symbol, rate);
        dd_map_put(&c->column, symbol, j + 1);
        dd_map_put(&c->column, rate, q->n + j + 1);
    }
}

static void list_symbols(dd_compiler *c)
{
    dd_numbers *q = c->q;
    /* the order of the segments: w', w, time and inputs, switches */
    for (uint32_t j = 0; j < q->n; j++) {
        dd_vec_push(c->pool, &c->symbols, q->rate_symbol.data[j]);
    }
    for (uint32_t j = 0; j < q->n; j++) {
        dd_vec_push(c->pool, &c->symbols, q->w.data[j]);
    }
    dd_vec_push(c->pool, &c->symbols, dd_time(q->system->model->dag));
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        dd_vec_push(c->pool, &c->symbols, q->inputs.data[i]);
    }
    for (uint32_t i = 0; i < q->switches.len; i++) {
        dd_vec_push(c->pool, &c->symbols, q->switches.data[i].node);
    }
    const uint32_t segment[DD_MOST_SEGMENTS] = {q->n, q->n, 1 + q->inputs.len, q->switches.len};
    memcpy(c->segment, segment, sizeof segment);
}

/* ---- derivatives ---- */

typedef struct entries {
    DD_VEC(uint32_t) row, col;
    dd_expr_vec value;
    DD_VEC(bool) of_rate;
} entries;

static void add_partials(dd_compiler *c, dd_expr e, uint32_t row, entries *out)
{
    dd_expr_vec symbols = {0}, partials = {0};
    /* partials by symbols that are not unknowns (time, inputs, parameters) are not entries */
    dd_partials(c->q->system->model->dag, e, false, &symbols, &partials, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t at = (uint32_t)dd_map_get(&c->column, symbols.data[i]);
        if (at > 0) {
            dd_vec_push(c->scratch, &out->row, row);
            dd_vec_push(c->scratch, &out->col, (at - 1) % c->q->n);
            dd_vec_push(c->scratch, &out->value, partials.data[i]);
            dd_vec_push(c->scratch, &out->of_rate, at > c->q->n);
        }
    }
    dd_vec_free(c->scratch, &symbols);
    dd_vec_free(c->scratch, &partials);
}

/* A pattern from entries, copied into the pool; position[k] of each entry in it. */
static dd_csc pattern_of(dd_compiler *c, const entries *e, uint32_t rows, uint32_t **position)
{
    dd_numbers *q = c->q;
    uint32_t count = e->row.len;
    /* x and x' of a column may share a place: triplets are added up there */
    double *zero = dd_pool_alloc_array(c->scratch, count + 1, sizeof *zero);
    *position = dd_pool_alloc_array(c->pool, count + 1, sizeof **position);
    dd_csc made = {0};
    dd_system_must(q->system,
                   dd_csc_from_triplets(&made, q->ctx, rows, q->n,
                                        &(dd_triplets){count, e->row.data, e->col.data, zero}, *position),
                   "compiling");
    uint32_t nnz = made.ptr[q->n];
    /* the pool may raise: keep the copy's memory apart from the kernel's */
    dd_csc out = {.nrows = rows, .ncols = q->n};
    dd_status st = DD_OK;
    out.ptr = dd_mem_new_array(q->ctx, q->n + 1, sizeof *out.ptr);
    out.idx = dd_mem_new_array(q->ctx, nnz + 1, sizeof *out.idx);
    out.val = dd_mem_new_array(q->ctx, nnz + 1, sizeof *out.val);
    if (out.ptr && out.idx && out.val) {
        memcpy(out.ptr, made.ptr, (q->n + 1) * sizeof *out.ptr);
        memcpy(out.idx, made.idx, nnz * sizeof *out.idx);
    } else {
        st = DD_OUT_OF_MEMORY;
    }
    dd_csc_free(q->ctx, &made);
    if (st != DD_OK) {
        dd_mem_free(q->ctx, out.ptr, (q->n + 1) * sizeof *out.ptr);
        dd_mem_free(q->ctx, out.idx, (nnz + 1) * sizeof *out.idx);
        dd_mem_free(q->ctx, out.val, (nnz + 1) * sizeof *out.val);
    }
    dd_system_must(q->system, st, "compiling");
    return out;
}

static void free_pattern(dd_context *ctx, dd_csc *a)
{
    if (a->ptr) {
        uint32_t nnz = a->ptr[a->ncols];
        dd_mem_free(ctx, a->val, (nnz + 1) * sizeof *a->val);
        dd_mem_free(ctx, a->idx, (nnz + 1) * sizeof *a->idx);
        dd_mem_free(ctx, a->ptr, (a->ncols + 1) * sizeof *a->ptr);
    }
    *a = (dd_csc){0};
}

bool dd_numbers_is_constant(dd_compiler *c, dd_expr e)
{
    dd_dag *dag = c->q->system->model->dag;
    dd_expr_vec symbols = {0};
    bool constant = true;
    dd_symbols(dag, e, true, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        constant = constant && dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM;
    }
    dd_vec_free(c->scratch, &symbols);
    return constant;
}

static void compile_jacobian(dd_compiler *c, const dd_expr *rows, const dd_expr *divisors)
{
    dd_numbers *q = c->q;
    dd_dag *dag = q->system->model->dag;
    entries e = {0};
    /* dF/dw' and dF/dw of all rows on one common pattern */
    for (uint32_t i = 0; i < q->n; i++) {
        dd_check_stop(q->ctx);
        add_partials(c, rows[i], i, &e);
    }
    uint32_t *position;
    q->problem.pattern = pattern_of(c, &e, q->n, &position);
    uint32_t nnz = q->problem.pattern.ptr[q->n];
    q->m_fixed = dd_pool_alloc_array(c->pool, nnz + 1, sizeof(double));
    q->j_fixed = dd_pool_alloc_array(c->pool, nnz + 1, sizeof(double));
    q->m_entry = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof *q->m_entry);
    q->j_entry = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof *q->j_entry);
    q->entry_value = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof(double));
    dd_expr_vec outputs = {0};
    q->problem.m_constant = q->problem.j_constant = true;
    /* numbers go to m_fixed and j_fixed once; formulas become outputs of one program */
    for (uint32_t k = 0; k < e.row.len; k++) {
        dd_check_stop(q->ctx);
        dd_expr value = e.value.data[k];
        if (dd_op_of(dag, value) == DD_OP_NUM) {
            double *fixed = e.of_rate.data[k] ? q->m_fixed : q->j_fixed;
            fixed[position[k]] = dd_num_value(dag, value);
            continue;
        }
        /* formulas in parameters alone still make a constant matrix, which integrators factor once */
        bool constant = dd_numbers_is_constant(c, value);
        q->problem.m_constant = q->problem.m_constant && (constant || !e.of_rate.data[k]);
        q->problem.j_constant = q->problem.j_constant && (constant || e.of_rate.data[k]);
        q->m_entry[outputs.len] = e.of_rate.data[k] ? position[k] : DD_NO_INDEX;
        q->j_entry[outputs.len] = e.of_rate.data[k] ? DD_NO_INDEX : position[k];
        dd_vec_push(c->scratch, &outputs, value);
    }
    q->n_entries = outputs.len;
    q->jacobian = dd_numbers_compile(c, outputs.data, outputs.len, 1);
    /* the same entries tell which blocks of [dF/dx' dF/dz] can become singular */
    const dd_solvable_entries all = {e.row.len, e.row.data, e.col.data, e.value.data, e.of_rate.data};
    q->solvable = dd_solvable_compile(c, &all, divisors);
}

dd_expr_vec dd_numbers_row_matrix(dd_compiler *c, const dd_expr *list, uint32_t count, dd_row_matrix *out)
{
    dd_numbers *q = c->q;
    entries e = {0};
    for (uint32_t i = 0; i < count; i++) {
        dd_check_stop(q->ctx);
        add_partials(c, list[i], i, &e);
    }
    out->pattern = pattern_of(c, &e, count, &out->entry);
    out->value = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof(double));
    return e.value;
}

/* Returns the entries of the matrix. */
static dd_expr_vec compile_invariants(dd_compiler *c, const dd_expr *list, uint32_t count)
{
    dd_numbers *q = c->q;
    dd_row_matrix rows = {0};
    dd_expr_vec matrix = dd_numbers_row_matrix(c, list, count, &rows);
    q->problem.n_invariants = count;
    q->problem.invariant_pattern = rows.pattern;
    q->invariant_entry = rows.entry;
    q->invariant_value = rows.value;
    q->invariants = dd_numbers_compile(c, list, count, 1);
    q->invariant_jacobian = dd_numbers_compile(c, matrix.data, matrix.len, 1);
    return matrix;
}

/* ---- all together ---- */

double dd_constant_scale(double found)
{
    int exponent;
    /* the nearest power of two, in the logarithm */
    const double part = frexp(found, &exponent); /* 0.5 <= part < 1 */
    return isfinite(found) && found > 0 ? ldexp(1.0, part < sqrt(0.5) ? exponent - 1 : exponent) : found;
}

/* A nominal value without parameters in it. */
static bool is_number(const dd_numbers *q, dd_expr nominal)
{
    return nominal == DD_EXPR_NONE || dd_op_of(q->system->model->dag, nominal) == DD_OP_NUM;
}

static void describe(dd_compiler *c)
{
    dd_numbers *q = c->q;
    uint8_t *differential = dd_pool_alloc_array(c->pool, q->n + 1, 1);
    double *nominal = dd_pool_alloc_array(c->pool, q->n + 1, sizeof *nominal);
    /* a nominal that was found from values is rounded to a power of two: see dd_constant_scale */
    for (uint32_t j = 0; j < q->n; j++) {
        differential[j] = j < q->equations->x.len;
        const uint32_t var = dd_symbol_id(q->system->model->dag, q->w.data[j]);
        const dd_variable *v = &q->system->model->vars.data[var];
        const double size = q->system->size[q->system->column[var]];
        const bool written = v->has_nominal && is_number(q, v->nominal);
        nominal[j] = written ? size : dd_constant_scale(size);
    }
    q->problem.user = q;
    q->problem.n = q->n;
    q->problem.differential = differential;
    q->problem.nominal = nominal;
    q->problem.residual = residual;
    q->problem.residuals = residuals;
    q->problem.jacobian = jacobian;
    q->problem.invariants = invariants;
    q->problem.invariant_jacobian = invariant_jacobian;
}

/* Does e contain w' or z? */
static bool is_implicit(dd_compiler *c, dd_expr e)
{
    const dd_numbers *q = c->q;
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(q->system->model->dag, e, false, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        found = found || (uint32_t)dd_map_get(&c->column, symbols.data[i]) > q->equations->x.len;
    }
    dd_vec_free(c->scratch, &symbols);
    return found;
}

/* The unknowns in g. */
static void note_columns(dd_compiler *c, dd_switch *s)
{
    dd_expr_vec symbols = {0};
    dd_symbols(c->q->system->model->dag, s->g, false, &symbols, c->scratch);
    s->column = dd_pool_alloc_array(c->pool, symbols.len + 1, sizeof *s->column);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t at = (uint32_t)dd_map_get(&c->column, symbols.data[i]);
        if (at > 0 && at <= c->q->n) {
            s->column[s->columns++] = at - 1;
        }
    }
    dd_vec_free(c->scratch, &symbols);
}

/* Relations that change together: a < b, b <= a. */
static void find_twins(dd_compiler *c, dd_switch_vec *switches)
{
    dd_dag *dag = c->q->system->model->dag;
    /* g and -g vanish together: only the first relation of each is watched */
    dd_map first = dd_map_new(c->scratch);
    for (uint32_t i = 0; i < switches->len; i++) {
        dd_switch *s = &switches->data[i];
        const dd_expr negative = dd_neg(dag, s->g);
        const uint32_t same = dd_map_get(&first, s->g), opposite = dd_map_get(&first, negative);
        s->twin = same > 0 ? same - 1 : opposite > 0 ? opposite - 1 : i;
        s->twin_sign = same == 0 && opposite > 0 ? -1.0 : 1.0;
        if (same == 0 && opposite == 0 && s->kind == DD_SWITCH_RELATION) {
            dd_map_put(&first, s->g, i + 1);
        }
    }
}

static void list_conditions(dd_compiler *c, dd_switch_vec *switches, dd_expr_vec *g)
{
    for (uint32_t i = 0; i < switches->len; i++) {
        dd_vec_push(c->scratch, g, switches->data[i].g);
        switches->data[i].implicit = is_implicit(c, switches->data[i].g);
        note_parameters(c, switches->data[i].g);
        note_columns(c, &switches->data[i]);
    }
}

/* The outputs with their kinks as inputs, behind the switches. */
static void compile_sides(dd_compiler *c, const dd_expr *sides)
{
    dd_numbers *q = c->q;
    /* kinks become further inputs behind the switches; only the outputs are compiled with them */
    for (uint32_t i = 0; i < q->kinks.len; i++) {
        dd_vec_push(c->pool, &c->symbols, q->kinks.data[i].node);
    }
    c->segment[DD_MOST_SEGMENTS - 1] += q->kinks.len;
    q->side_mode = dd_pool_alloc_array(c->pool, (size_t)q->switches.len + q->kinks.len + 1, sizeof(double));
    q->sides = dd_numbers_compile(c, sides, q->system->declared, 1);
}

static void compile_checked(dd_compiler *c, dd_expr *rows)
{
    dd_numbers *q = c->q;
    bool roots = false;
    /* rows with the true powers, for points where only a continuation has a value */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        roots = roots || q->switches.data[k].kind == DD_SWITCH_MARGIN;
    }
    if (roots) {
        dd_switches_apply(q->system, rows, q->n, &q->switches, c->scratch);
        q->checked = dd_numbers_compile(c, rows, q->n, 1);
        q->row_value = dd_pool_alloc_array(c->pool, q->n + 1, sizeof(double));
        q->aside = dd_pool_alloc_array(c->pool, q->n + 1, sizeof(double));
    }
}

static void compile_all(dd_compiler *c, const dd_index_vec *supplied)
{
    dd_numbers *q = c->q;
    const dd_system *s = q->system;
    const dd_equations *eq = q->equations;
    dd_dag *dag = s->model->dag;
    /* everything is one list: rows, invariants and integrals, then outputs and assertions */
    list_unknowns(c);
    dd_numbers_find_integrals(c, eq->rows.data);
    const uint32_t constraints = eq->invariants.len;
    uint32_t n = q->n, ni = constraints + q->integrals.len, no = s->declared + s->model->assertions.len,
             total = n + ni + no;
    dd_expr *all = dd_pool_alloc_array(c->scratch, total + 1, sizeof *all);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = eq->rows.data[i];
    }
    for (uint32_t i = 0; i < ni; i++) {
        all[n + i] = i < constraints ? eq->invariants.data[i] : q->integrals.data[i - constraints];
    }
    /* declared variables that left the equations keep their formulas */
    dd_map value = dd_map_new(c->scratch);
    for (uint32_t i = 0; i < eq->assigned.len; i++) {
        dd_map_put(&value, eq->assigned.data[i].symbol, eq->assigned.data[i].value);
    }
    for (uint32_t i = 0; i < s->model->assertions.len; i++) {
        all[n + ni + s->declared + i] = dd_equations_resolve(s, eq, s->model->assertions.data[i].condition);
    }
    for (uint32_t j = 0; j < s->declared; j++) {
        dd_expr symbol = dd_var(dag, s->unknown[j], 0), known = (dd_expr)dd_map_get(&value, symbol);
        all[n + ni + j] = known != DD_EXPR_NONE ? known : symbol;
    }
    /* inputs that nobody supplies become constants, in all expressions alike */
    dd_map seen = dd_map_new(c->scratch);
    c->supplied = dd_map_new(c->scratch);
    for (uint32_t i = 0; supplied && i < supplied->len; i++) {
        dd_map_put(&c->supplied, supplied->data[i] + 1, 1);
    }
    input_map map = {s, &c->supplied, q->directions != NULL};
    dd_substitute_all(dag, all, total, input_value, &map, all);
    for (uint32_t i = 0; i < total; i++) {
        note_inputs(c, all[i], &seen);
    }
    /* the rows before powers are continued: `checked` is made of these */
    dd_expr *checked = dd_pool_alloc_array(c->scratch, n + 1, sizeof *checked);
    memcpy(checked, all, n * sizeof *checked);
    /* frozen alike in stages and projections; numbers of variables behind those of list_unknowns are free */
    /* relations and kinks of rows and invariants are frozen inputs from here on */
    dd_switches_find(s, all, n + ni, s->model->vars.len + 1 + n, &q->switches, c->pool);
    dd_switches_apply(s, all + n + ni, no, &q->switches, c->pool);
    /* outputs may have kinks that the rows do not: both sides of their jumps are wanted */
    dd_expr *sides = dd_pool_alloc_array(c->scratch, s->declared + 1, sizeof *sides);
    memcpy(sides, all + n + ni, s->declared * sizeof *sides);
    dd_switches_look(s, sides, s->declared, &q->switches, &q->kinks, c->pool);
    dd_expr_vec g = {0}, kinks = {0};
    list_conditions(c, &q->switches, &g);
    find_twins(c, &q->switches);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        q->changing += q->switches.data[k].kind != DD_SWITCH_SLOPE && q->switches.data[k].kind != DD_SWITCH_MARGIN;
    }
    list_conditions(c, &q->kinks, &kinks);
    /* parameters are collected last, so that those that only switches have are among them */
    for (uint32_t i = 0; i < total; i++) {
        note_parameters(c, all[i]);
    }
    /* divisors and conditions are watched for zeros, so they need values too */
    dd_expr_vec divisors = {0};
    for (uint32_t i = 0; i < eq->divisors.len; i++) {
        dd_vec_push(c->scratch, &divisors, dd_numbers_put_inputs(c, eq->divisors.data[i].value));
        note_inputs(c, divisors.data[i], &seen);
        note_parameters(c, divisors.data[i]);
    }
    for (uint32_t i = 0; i < s->conditions.len; i++) {
        note_parameters(c, dd_numbers_put_inputs(c, s->conditions.data[i].value));
    }
    /* all symbols are known: sizes are final, programs can be compiled */
    list_symbols(c);
    size_t sw = q->switches.len;
    q->mode = dd_pool_alloc_array(c->pool, sw + 1, sizeof(double));
    q->mode_spread = dd_pool_alloc_array(c->pool, sw * DD_MOST_LD + 1, sizeof(double));
    q->outside = dd_pool_alloc_array(c->pool, (1 + (size_t)q->inputs.len) * DD_MOST_LD, sizeof(double));
    q->input_value = dd_pool_alloc_array(c->pool, q->inputs.len + 1, sizeof(double));
    /* residuals come in batches of stages, everything else point by point */
    q->residual = dd_numbers_compile(c, all, n, 8);
    compile_jacobian(c, all, divisors.data);
    dd_expr_vec matrix = compile_invariants(c, all + n, constraints);
    dd_numbers_compile_integrals(c, all + n);
    q->switching = dd_numbers_compile(c, g.data, g.len, 1);
    q->outputs = dd_numbers_compile(c, all + n + ni, no, 1);
    describe(c);
    compile_checked(c, checked);
    if (q->directions) {
        dd_numbers_compile_derivatives(c, all, all + n, &matrix, &g, all + n + ni);
    }
    if (q->kinks.len > 0) {
        q->kinking = dd_numbers_compile(c, kinks.data, kinks.len, 1);
        compile_sides(c, sides); /* the last: it changes the list of inputs */
    }
}

static dd_compiled **programs(dd_numbers *q, uint32_t i)
{
    /* in one list, so that parameters are set and memory is freed alike */
    dd_compiled **const list[] = {&q->residual,
                                  &q->jacobian,
                                  &q->invariants,
                                  &q->invariant_jacobian,
                                  &q->switching,
                                  &q->kinking,
                                  &q->sides,
                                  &q->outputs,
                                  &q->checked,
                                  &q->kept,
                                  &q->kept_jacobian,
                                  &q->linear,
                                  &q->row_table.program,
                                  &q->invariant_table.program,
                                  &q->matrix_table.program,
                                  &q->switch_table.program,
                                  &q->output_table.program,
                                  &q->matrix_change};
    const uint32_t count = sizeof list / sizeof *list;
    if (i == count && q->solvable) {
        return &q->solvable->program;
    }
    return i < count ? list[i] : NULL;
}

void dd_numbers_free(dd_numbers *q)
{
    if (!q) {
        return;
    }
    for (uint32_t i = 0; programs(q, i); i++) {
        dd_compiled *p = *programs(q, i);
        if (p) {
            dd_program_work_free(p->work);
            p->work = NULL;
        }
    }
    free_pattern(q->ctx, &q->problem.pattern);
    free_pattern(q->ctx, &q->problem.invariant_pattern);
    free_pattern(q->ctx, &q->problem.kept_pattern);
}

typedef struct build_call {
    dd_compiler c;
    const dd_index_vec *supplied;
} build_call;

static void build_body(void *arg)
{
    build_call *call = arg;
    compile_all(&call->c, call->supplied);
    for (uint32_t i = 0; programs(call->c.q, i); i++) {
        if (*programs(call->c.q, i)) {
            set_parameters(&call->c, *programs(call->c.q, i));
        }
    }
    dd_numbers_finish_integrals(call->c.q);
}

dd_numbers *dd_numbers_new(const dd_system *s, dd_form_of_equations form, double baumgarte,
                           const dd_index_vec *supplied, const dd_direction_vec *directions, dd_pool *pool)
{
    dd_numbers *q = dd_pool_alloc(pool, sizeof *q);
    *q = (dd_numbers){.system = s, .ctx = s->ctx, .directions = directions};
    q->equations = dd_system_equations(s, form, baumgarte, pool);
    build_call call = {.c = {.q = q, .pool = pool, .scratch = dd_pool_child(pool)}, .supplied = supplied};
    call.c.known_parameter = dd_map_new(call.c.scratch);
    /* a failure raises inside; the programs' memory belongs to the context, not to the pool */
    dd_status st = dd_protect(s->ctx, build_body, &call);
    dd_pool_free(call.c.scratch);
    if (st != DD_OK) {
        dd_numbers_free(q);
        dd_raise(s->ctx, st, "%s", dd_context_message(s->ctx));
    }
    return q;
}
