/* numeric.c - tapes for rows and partials, and the Taylor coefficients that go into them.
 *
 * Inputs are generic: their coefficients are fixed pseudo-random numbers, so a rank found with them holds for almost
 * every input, unless a simulation has given them values. Inputs given by --set were put into the rows already.
 */
#include "structure/numeric.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

double dd_noise(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t h = dd_hash_mix(dd_hash_mix(dd_hash_mix(0x9e3779b97f4a7c15u, a + 1u), b + 1u), c + 1u);
    return (double)(int64_t)(h >> 11) * 0x1p-52 - 1.0;
}

double dd_system_unit(const dd_system *s, uint32_t col, uint32_t opinion)
{
    const dd_variable *v = col < s->declared ? &s->model->vars.data[s->unknown[col]] : NULL;
    static const double least = 1e-12; /* less than that may be the rounding of a number of size one: cos(pi/2) */
    const bool small = v && v->has_start && !v->has_nominal && fabs(v->start_value) >= least;
    return opinion > 0 && small ? fmin(fabs(v->start_value), s->size[col]) : s->size[col];
}

double dd_system_start_time(const dd_system *s)
{
    return s->model->experiment.has_start ? s->model->experiment.start : 0.0;
}

double dd_system_unfed_input(const dd_system *s, uint32_t var)
{
    const dd_variable *v = &s->model->vars.data[var];
    return v->kind == DD_KIND_INPUT && v->has_start ? v->start_value : 0.0;
}

static double input_coefficient(const dd_system *s, const dd_outside *at, uint32_t var, uint32_t k)
{
    if (at->inputs) {
        return k < at->input_stride ? at->inputs[(size_t)var * at->input_stride + k] : 0.0;
    }
    const dd_variable *v = &s->model->vars.data[var];
    /* between half and one and a half times its size, derivatives falling as those of a smooth function */
    return v->nominal_value * (k == 0 ? 1.0 + 0.5 * dd_noise(var, 0, 1) : dd_noise(var, k, 1)) / (1.0 + k);
}

const double *dd_system_general_inputs(const dd_system *s, uint32_t stride, dd_pool *pool)
{
    const dd_outside generic = {0};
    double *inputs = dd_pool_alloc_array(pool, (size_t)s->model->vars.len * stride + 1, sizeof *inputs);
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        for (uint32_t k = 0; k < stride && s->model->vars.data[v].kind == DD_KIND_INPUT; k++) {
            inputs[(size_t)v * stride + k] = input_coefficient(s, &generic, v, k);
        }
    }
    return inputs;
}

double dd_system_generic_time(const dd_system *s, uint32_t k)
{
    const dd_experiment *e = &s->model->experiment;
    double span = e->has_stop ? e->stop - dd_system_start_time(s) : 1.0;
    static const double part[] = {0.3719, 0.3719e-3, 0.3719e-6}; /* fast inputs are near their start in the last */
    return dd_system_start_time(s) + part[k % 3] * span;
}

/* (k + order)! / k!: the k-th coefficient of the order-th derivative is this times coefficient k + order. */
static double rate_factor(uint32_t k, uint32_t order)
{
    double f = 1;
    for (uint32_t i = 1; i <= order; i++) {
        f *= k + i;
    }
    return f;
}

/* Where the numbers of symbols come from: looked up once, not at every point. */
static dd_numeric_source *sources_of(const dd_system *s, const dd_expr_vec *symbols, dd_pool *pool)
{
    const dd_dag *dag = s->model->dag;
    dd_numeric_source *list = dd_pool_alloc_array(pool, symbols->len + 1, sizeof *list);
    for (uint32_t i = 0; i < symbols->len; i++) {
        const dd_expr e = symbols->data[i];
        const dd_op op = dd_op_of(dag, e);
        if (op == DD_OP_TIME) {
            list[i] = (dd_numeric_source){.kind = DD_SOURCE_TIME};
        } else if (op == DD_OP_PARAM) {
            list[i] = (dd_numeric_source){.kind = DD_SOURCE_PARAMETER, .place = dd_symbol_id(dag, e)};
        } else {
            const uint32_t var = dd_symbol_id(dag, e), col = s->column[var];
            const bool input = col == DD_NO_INDEX;
            list[i] = (dd_numeric_source){.kind = input ? DD_SOURCE_INPUT : DD_SOURCE_UNKNOWN,
                                          .place = input ? var : col,
                                          .order = dd_symbol_order(dag, e)};
        }
    }
    return list;
}

static void fill_unknown(const dd_numeric_source *c, const double *x, uint32_t stride, uint32_t order, double *series)
{
    /* coefficients beyond those that are known are zero */
    x += (size_t)c->place * stride;
    for (uint32_t k = 0; k <= order; k++) {
        series[k] = k + c->order < stride ? rate_factor(k, c->order) * x[k + c->order] : 0.0;
    }
}

static void fill_inputs(const dd_system *s, const dd_outside *at, const dd_numeric_source *source, uint32_t n,
                        const double *x, uint32_t stride, uint32_t order, double *in)
{
    for (uint32_t i = 0; i < n; i++) {
        const dd_numeric_source *c = &source[i];
        double *series = in + (size_t)i * (order + 1);
        if (c->kind == DD_SOURCE_UNKNOWN) {
            fill_unknown(c, x, stride, order, series);
            continue;
        }
        /* time is t0 + t as a series, parameters are constant */
        for (uint32_t k = 0; k <= order; k++) {
            series[k] = c->kind == DD_SOURCE_INPUT
                            ? rate_factor(k, c->order) * input_coefficient(s, at, c->place, k + c->order)
                        : c->kind == DD_SOURCE_TIME ? (k == 0   ? at->time
                                                       : k == 1 ? 1.0
                                                                : 0.0)
                        : k == 0                    ? s->parameter[c->place]
                                                    : 0.0;
        }
    }
}

static void collect_partials(dd_numeric *nm, dd_expr_vec *outputs)
{
    uint32_t nnz = nm->inc->ptr[nm->inc->n];
    nm->slot0 = dd_pool_alloc_array(nm->pool, nnz + 1, sizeof *nm->slot0);
    nm->slot1 = dd_pool_alloc_array(nm->pool, nnz + 1, sizeof *nm->slot1);
    for (uint32_t e = 0; e < nnz; e++) {
        /* one tape for all partials: they share most of their parts */
        nm->slot0[e] = nm->slot1[e] = DD_NO_INDEX;
        if (nm->inc->partial0[e] != DD_EXPR_NONE) {
            nm->slot0[e] = outputs->len;
            dd_vec_push(nm->pool, outputs, nm->inc->partial0[e]);
        }
        if (nm->inc->partial1[e] != DD_EXPR_NONE) {
            nm->slot1[e] = outputs->len;
            dd_vec_push(nm->pool, outputs, nm->inc->partial1[e]);
        }
    }
}

/* The rows of s->numeric: same instructions, own numbers. */
static dd_numeric *compiled_before(const dd_system *s, const dd_eq_vec *eqs, const dd_incidence *inc, dd_pool *pool)
{
    const dd_numeric *of = s->numeric;
    dd_numeric *nm = dd_pool_alloc(pool, sizeof *nm);
    *nm = (dd_numeric){.s = s,
                       .pool = pool,
                       .eqs = eqs,
                       .inc = inc,
                       .source = of->source,
                       .n_symbols = of->n_symbols,
                       .residuals = dd_tape_twin(pool, of->residuals),
                       .partials = dd_tape_twin(pool, of->partials),
                       .n_partials = of->n_partials,
                       .slot0 = of->slot0,
                       .slot1 = of->slot1,
                       .t0 = dd_system_start_time(s)};
    nm->partial = dd_pool_alloc_array(pool, nm->n_partials + 1, sizeof *nm->partial);
    nm->magnitude = dd_pool_alloc_array(pool, nm->n_partials + 1, sizeof *nm->magnitude);
    return nm;
}

dd_numeric *dd_numeric_new(const dd_system *s, const dd_eq_vec *eqs, const dd_incidence *inc, dd_pool *pool)
{
    if (s->numeric != NULL && s->numeric->inc->ptr == inc->ptr) {
        return compiled_before(s, eqs, inc, pool);
    }
    dd_numeric *nm = dd_pool_alloc(pool, sizeof *nm);
    *nm = (dd_numeric){.s = s, .pool = pool, .eqs = eqs, .inc = inc, .t0 = dd_system_start_time(s)};
    dd_expr_vec symbols = {0}, rows = {0}, outputs = {0};
    for (uint32_t i = 0; i < eqs->len; i++) {
        dd_vec_push(pool, &rows, eqs->data[i].residual);
    }
    /* both tapes have the same inputs, so that a point is filled in once */
    dd_symbols_of_all(s->model->dag, rows.data, rows.len, true, &symbols, pool);
    nm->source = sources_of(s, &symbols, pool);
    nm->n_symbols = symbols.len;
    collect_partials(nm, &outputs);
    nm->n_partials = outputs.len;
    nm->residuals = dd_tape_new(pool, s->model->dag, symbols.data, symbols.len, rows.data, rows.len);
    nm->partials = dd_tape_new(pool, s->model->dag, symbols.data, symbols.len, outputs.data, outputs.len);
    nm->partial = dd_pool_alloc_array(pool, outputs.len + 1, sizeof *nm->partial);
    nm->magnitude = dd_pool_alloc_array(pool, outputs.len + 1, sizeof *nm->magnitude);
    return nm;
}

void dd_numeric_set_outside(dd_numeric *nm, const dd_outside *at)
{
    nm->t0 = at->time;
    nm->inputs = at->inputs;
    nm->input_stride = at->input_stride;
}

dd_outside dd_numeric_outside(const dd_numeric *nm)
{
    return (dd_outside){.time = nm->t0, .inputs = nm->inputs, .input_stride = nm->input_stride};
}

dd_numeric *dd_system_numeric(dd_system *s)
{
    if (!s->numeric) {
        s->numeric = dd_numeric_new(s, &s->eqs, &s->inc, s->pool);
    }
    s->numeric->t0 = dd_system_start_time(s);
    return s->numeric;
}

static double *grow(dd_numeric *nm, double *buffer, size_t *have, size_t want)
{
    if (want > *have) {
        buffer = dd_block_resize(nm->pool, buffer, want * sizeof *buffer);
        *have = want;
    }
    return buffer;
}

static const double *series(dd_numeric *nm, dd_tape *tape, uint32_t outputs, const double *x, uint32_t stride,
                            uint32_t order)
{
    nm->in = grow(nm, nm->in, &nm->in_size, (size_t)(nm->n_symbols + 1) * (order + 1));
    nm->out = grow(nm, nm->out, &nm->out_size, (size_t)(outputs + 1) * (order + 1));
    const dd_outside at = dd_numeric_outside(nm);
    fill_inputs(nm->s, &at, nm->source, nm->n_symbols, x, stride, order, nm->in);
    if (order == 0) {
        dd_tape_eval(tape, nm->in, nm->out);
    } else {
        dd_tape_eval_taylor(tape, order, nm->in, nm->out);
    }
    return nm->out;
}

const double *dd_numeric_residual_series(dd_numeric *nm, const double *x, uint32_t stride, uint32_t order)
{
    return series(nm, nm->residuals, nm->inc->n, x, stride, order);
}

const double *dd_numeric_partial_series(dd_numeric *nm, const double *x, uint32_t stride, uint32_t order)
{
    return series(nm, nm->partials, nm->n_partials, x, stride, order);
}

/* The size an unknown is expected to have: a value that is small by accident must not make its gradient look exact. */
static void fill_sizes(const dd_numeric *nm, const double *in, double *size)
{
    for (uint32_t i = 0; i < nm->n_symbols; i++) {
        const dd_numeric_source *c = &nm->source[i];
        size[i] = fmax(fabs(in[i]), c->kind == DD_SOURCE_UNKNOWN ? dd_system_unit(nm->s, c->place, 1) : 0.0);
    }
}

static double *fill_point(dd_numeric *nm, const double *x, uint32_t stride)
{
    const uint32_t n = nm->n_symbols;
    const dd_outside at = dd_numeric_outside(nm);
    nm->in = grow(nm, nm->in, &nm->in_size, 2 * (size_t)n + 2);
    fill_inputs(nm->s, &at, nm->source, n, x, stride, 0, nm->in);
    return nm->in;
}

static bool partials_finite(const dd_numeric *nm)
{
    bool finite = true;
    for (uint32_t i = 0; i < nm->n_partials && finite; i++) {
        finite = isfinite(nm->partial[i]);
    }
    return finite;
}

bool dd_numeric_partials(dd_numeric *nm, const double *x, uint32_t stride)
{
    double *in = fill_point(nm, x, stride), *size = in + nm->n_symbols;
    /* magnitudes are those of the expected sizes, not of values that are small by accident */
    fill_sizes(nm, in, size);
    dd_tape_eval_magnitude(nm->partials, in, size, nm->partial, nm->magnitude);
    return partials_finite(nm);
}

bool dd_numeric_partial_values(dd_numeric *nm, const double *x, uint32_t stride)
{
    dd_tape_eval(nm->partials, fill_point(nm, x, stride), nm->partial);
    return partials_finite(nm);
}

double dd_numeric_tight(const dd_numeric *nm, uint32_t entry, double *magnitude)
{
    uint32_t slot = nm->inc->sigma[entry] == 1 ? nm->slot1[entry] : nm->slot0[entry];
    *magnitude = nm->magnitude[slot];
    return nm->vanishing && nm->vanishing[entry] ? 0.0 : nm->partial[slot];
}

dd_numeric_list dd_numeric_list_new(const dd_system *s, const dd_expr *exprs, uint32_t m, dd_pool *pool)
{
    dd_expr_vec symbols = {0};
    dd_symbols_of_all(s->model->dag, exprs, m, true, &symbols, pool);
    return (dd_numeric_list){.source = sources_of(s, &symbols, pool),
                             .n_symbols = symbols.len,
                             .tape = dd_tape_new(pool, s->model->dag, symbols.data, symbols.len, exprs, m)};
}

void dd_numeric_list_at(const dd_numeric_list *list, const dd_system *s, const dd_numeric_place *at, double *out,
                        double *magnitude, dd_pool *scratch)
{
    double *in = dd_pool_alloc_array(scratch, list->n_symbols + 1, sizeof *in);
    fill_inputs(s, &at->outside, list->source, list->n_symbols, at->x, at->stride, 0, in);
    dd_tape_eval_magnitude(list->tape, in, NULL, out, magnitude);
}

void dd_numeric_list_by_units(const dd_numeric_list *list, const dd_system *s, const dd_numeric_place *at, double *out,
                              double *magnitude, dd_pool *scratch)
{
    double *in = dd_pool_alloc_array(scratch, list->n_symbols + 1, sizeof *in);
    double *size = dd_pool_alloc_array(scratch, list->n_symbols + 1, sizeof *size);
    fill_inputs(s, &at->outside, list->source, list->n_symbols, at->x, at->stride, 0, in);
    for (uint32_t i = 0; i < list->n_symbols; i++) {
        const dd_numeric_source *c = &list->source[i];
        size[i] = fabs(in[i]);
        for (uint32_t u = 0; u < DD_UNITS && c->kind == DD_SOURCE_UNKNOWN; u++) {
            size[i] = fmax(size[i], dd_system_unit(s, c->place, u));
        }
    }
    dd_tape_eval_magnitude(list->tape, in, size, out, magnitude);
}

void dd_numeric_values(const dd_system *s, const dd_expr *exprs, uint32_t m, const dd_numeric_place *at, double *out,
                       double *magnitude, dd_pool *scratch)
{
    dd_pool *pool = dd_pool_child(scratch);
    const dd_numeric_list list = dd_numeric_list_new(s, exprs, m, pool);
    dd_numeric_list_at(&list, s, at, out, magnitude, pool);
    dd_pool_free(pool);
}

double dd_numeric_value(const dd_system *s, dd_expr e, const dd_numeric_place *at, double *magnitude, dd_pool *scratch)
{
    double value;
    dd_numeric_values(s, &e, 1, at, &value, magnitude, scratch);
    return value;
}
