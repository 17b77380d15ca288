/* elements.c - families of points: gather inputs, evaluate in one batch, scatter into rows and patterns. */
#include "ocp/elements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct term {
    uint32_t variable;
    double factor;
} term;

/* A value of the batch that goes into the Jacobian, the gradient or the Hessian: at position `at`, times factor. */
typedef struct scatter {
    uint32_t source; /* entry * ld + point */
    uint32_t at;
    double factor;
} scatter;
typedef DD_VEC(scatter) scatter_vec;

typedef struct part {
    dd_program *program;
    dd_program_work *work;
    double *out; /* n_outputs * ld */
} part;

typedef struct family {
    uint32_t n_in, n_out, n_constants, n_points;
    const dd_derivative *jacobian, *hessian;
    part values, first, second;
    DD_VEC(term) terms;
    DD_VEC(uint32_t) term_input; /* per term: point * n_in + input */
    DD_VEC(double) offset;       /* point * n_in + input */
    DD_VEC(uint32_t) row;        /* point * n_out + output; DD_NOWHERE without */
    DD_VEC(double) factor;
    size_t ld;
    double *in;      /* n_in * ld */
    double *weights; /* n_out * ld */
    scatter_vec to_jacobian, to_gradient, to_hessian;
} family;

#define DD_NOWHERE (UINT32_MAX - 1)

typedef struct triplet {
    uint32_t row, col;
} triplet;

struct dd_elements {
    dd_pool *pool;
    dd_dag *dag;
    dd_context *ctx;
    dd_nlp nlp;
    DD_VEC(double) lower, upper, start, size, row_lower, row_upper;
    DD_VEC(family) families;
    DD_VEC(triplet) linear;
    DD_VEC(double) linear_factor;
    uint32_t *linear_at; /* position in the Jacobian */
    uint32_t *jacobian_row, *jacobian_col, *hessian_row, *hessian_col;
    double *fixed; /* Jacobian: the linear part */
    bool have_values, have_first;
    double objective;
    double *c; /* m */
};

dd_elements *dd_elements_new(dd_pool *pool, dd_dag *dag)
{
    dd_elements *e = dd_pool_alloc(pool, sizeof *e);
    e->pool = pool;
    e->dag = dag;
    e->ctx = dd_pool_context(pool);
    return e;
}

/* ---- building ---- */

uint32_t dd_elements_add_variable(dd_elements *e, double lower, double upper, double start)
{
    dd_vec_push(e->pool, &e->lower, lower);
    dd_vec_push(e->pool, &e->upper, upper);
    dd_vec_push(e->pool, &e->start, start);
    return e->lower.len - 1;
}

void dd_elements_set_size(dd_elements *e, uint32_t variable, double size)
{
    while (e->size.len <= variable) {
        dd_vec_push(e->pool, &e->size, 1.0);
    }
    e->size.data[variable] = size;
}

uint32_t dd_elements_add_row(dd_elements *e, double lower, double upper)
{
    dd_vec_push(e->pool, &e->row_lower, lower);
    dd_vec_push(e->pool, &e->row_upper, upper);
    return e->row_lower.len - 1;
}

void dd_elements_add_linear(dd_elements *e, uint32_t row, uint32_t variable, double factor)
{
    dd_vec_push(e->pool, &e->linear, ((triplet){row, variable}));
    dd_vec_push(e->pool, &e->linear_factor, factor);
}

static part new_part(dd_elements *e, const dd_expr *inputs, uint32_t n_in, uint32_t n_weights, const dd_expr *constants,
                     uint32_t n_constants, const dd_expr *outputs, uint32_t n_out)
{
    dd_program_spec spec = {.inputs = inputs,
                            .n_inputs = n_in + n_weights,
                            .segment = {n_in, n_weights},
                            .n_segments = n_weights > 0 ? 2 : 1,
                            .constants = constants,
                            .n_constants = n_constants,
                            .outputs = outputs,
                            .n_outputs = n_out};
    return (part){.program = dd_program_new(e->pool, e->dag, &spec)};
}

uint32_t dd_elements_add_family(dd_elements *e, const dd_expr *inputs, uint32_t n_in, const dd_expr *outputs,
                                uint32_t n_out, const dd_expr *constants, uint32_t n_constants, uint32_t fresh)
{
    family f = {.n_in = n_in, .n_out = n_out, .n_constants = n_constants};
    /* the inputs, then one weight per output: the Hessian is that of sum_o w_o Phi_o, so one matrix serves all
     * rows */
    dd_expr *symbols = dd_pool_alloc_array(e->pool, (size_t)n_in + n_out + 1, sizeof *symbols);
    if (n_in > 0) {
        memcpy(symbols, inputs, n_in * sizeof *symbols);
    }
    for (uint32_t o = 0; o < n_out; o++) {
        symbols[n_in + o] = dd_param(e->dag, fresh + o);
    }
    /* derivatives are taken symbolically once; every point of the family evaluates the same three programs */
    f.jacobian = dd_jacobian_new(e->pool, e->dag, outputs, n_out, inputs, n_in);
    f.hessian = dd_hessian_new(e->pool, e->dag, outputs, symbols + n_in, n_out, inputs, n_in);
    f.values = new_part(e, symbols, n_in, 0, constants, n_constants, outputs, n_out);
    f.first = new_part(e, symbols, n_in, 0, constants, n_constants, f.jacobian->entries, f.jacobian->ptr[n_in]);
    f.second = new_part(e, symbols, n_in, n_out, constants, n_constants, f.hessian->entries, f.hessian->ptr[n_in]);
    dd_vec_push(e->pool, &e->families, f);
    return e->families.len - 1;
}

uint32_t dd_elements_add_point(dd_elements *e, uint32_t index)
{
    family *f = &e->families.data[index];
    /* a row of zeros for its inputs; its outputs go nowhere as yet */
    for (uint32_t i = 0; i < f->n_in; i++) {
        dd_vec_push(e->pool, &f->offset, 0);
    }
    for (uint32_t o = 0; o < f->n_out; o++) {
        dd_vec_push(e->pool, &f->row, DD_NOWHERE);
        dd_vec_push(e->pool, &f->factor, 0);
    }
    return f->n_points++;
}

void dd_elements_input(dd_elements *e, uint32_t index, uint32_t point, uint32_t input, uint32_t variable, double factor)
{
    family *f = &e->families.data[index];
    dd_vec_push(e->pool, &f->terms, ((term){variable, factor}));
    dd_vec_push(e->pool, &f->term_input, point * f->n_in + input);
}

void dd_elements_offset(dd_elements *e, uint32_t index, uint32_t point, uint32_t input, double constant)
{
    family *f = &e->families.data[index];
    f->offset.data[point * f->n_in + input] += constant;
}

void dd_elements_output(dd_elements *e, uint32_t index, uint32_t point, uint32_t output, uint32_t row, double factor)
{
    family *f = &e->families.data[index];
    f->row.data[point * f->n_out + output] = row;
    f->factor.data[point * f->n_out + output] = factor;
}

/* ---- patterns ---- */

/* Entries in the order of rows, then columns, each once; `at` receives the position of each that was given. */
typedef struct pattern {
    dd_elements *e;
    DD_VEC(triplet) given;
    uint32_t *row, *col, *at, nnz;
} pattern;

/* Stable order of `given` by a key below n_keys: counting sort of the positions in `order`. */
static void sort_by(const pattern *p, bool by_row, uint32_t n_keys, const uint32_t *order, uint32_t *sorted,
                    dd_pool *scratch)
{
    /* counting sort: one pass for the counts, one for the starts, one that puts every entry in its place; O(n +
     * keys) */
    uint32_t *start = dd_pool_alloc_array(scratch, (size_t)n_keys + 1, sizeof *start), n = p->given.len;
    for (uint32_t k = 0; k < n; k++) {
        start[(by_row ? p->given.data[k].row : p->given.data[k].col) + 1]++;
    }
    for (uint32_t r = 0; r < n_keys; r++) {
        start[r + 1] += start[r];
    }
    for (uint32_t k = 0; k < n; k++) {
        const triplet *t = &p->given.data[order[k]];
        sorted[start[by_row ? t->row : t->col]++] = order[k];
    }
}

/* Equal entries are neighbours once sorted by column, then by row. */
static void settle_pattern(pattern *p, uint32_t n_rows, uint32_t n_cols, dd_pool *scratch)
{
    uint32_t n = p->given.len;
    uint32_t *order = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *order);
    uint32_t *sorted = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *sorted);
    for (uint32_t k = 0; k < n; k++) {
        order[k] = k;
    }
    /* radix sort with two digits: by column first, then stably by row */
    sort_by(p, false, n_cols, order, sorted, scratch);
    sort_by(p, true, n_rows, sorted, order, scratch);
    p->row = dd_pool_alloc_array(p->e->pool, (size_t)n + 1, sizeof *p->row);
    p->col = dd_pool_alloc_array(p->e->pool, (size_t)n + 1, sizeof *p->col);
    p->at = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *p->at);
    /* an entry that appears again shares the position of its first: values are added up there */
    for (uint32_t k = 0; k < n; k++) {
        const triplet t = p->given.data[order[k]];
        bool again = p->nnz > 0 && p->row[p->nnz - 1] == t.row && p->col[p->nnz - 1] == t.col;
        if (!again) {
            p->row[p->nnz] = t.row;
            p->col[p->nnz++] = t.col;
        }
        p->at[order[k]] = p->nnz - 1;
    }
}

/* Terms of every input of a family: where they begin. Terms come input by input and point by point in any order. */
static uint32_t *term_starts(const family *f, uint32_t **sorted, dd_pool *scratch)
{
    size_t inputs = (size_t)f->n_points * f->n_in;
    uint32_t *start = dd_pool_alloc_array(scratch, inputs + 2, sizeof *start);
    *sorted = dd_pool_alloc_array(scratch, (size_t)f->terms.len + 1, sizeof **sorted);
    /* counts, shifted by two so that after the last loop start[i] .. start[i + 1] are the terms of input i */
    for (uint32_t k = 0; k < f->terms.len; k++) {
        start[f->term_input.data[k] + 2]++;
    }
    for (size_t i = 0; i < inputs; i++) {
        start[i + 2] += start[i + 1];
    }
    for (uint32_t k = 0; k < f->terms.len; k++) {
        (*sorted)[start[f->term_input.data[k] + 1]++] = k;
    }
    return start;
}

static void list_first(dd_elements *e, family *f, pattern *p, dd_pool *scratch)
{
    /* chain rule: d row / d y = factor_o * dPhi_o / dv_i * dv_i / dy, and dv_i / dy is the factor of a term */
    uint32_t *sorted, *start = term_starts(f, &sorted, scratch);
    for (uint32_t point = 0; point < f->n_points; point++) {
        for (uint32_t i = 0; i < f->n_in; i++) {
            size_t input = (size_t)point * f->n_in + i;
            for (uint32_t k = f->jacobian->ptr[i]; k < f->jacobian->ptr[i + 1]; k++) {
                uint32_t o = f->jacobian->idx[k], row = f->row.data[point * f->n_out + o];
                double factor = f->factor.data[point * f->n_out + o];
                if (row == DD_NOWHERE) {
                    continue;
                }
                for (uint32_t t = start[input]; t < start[input + 1]; t++) {
                    const term *at = &f->terms.data[sorted[t]];
                    scatter s = {(uint32_t)(k * f->ld + point), at->variable, factor * at->factor};
                    /* the gradient is dense, so its entries need no pattern; those of rows go into the pattern */
                    if (row == DD_OBJECTIVE) {
                        dd_vec_push(e->pool, &f->to_gradient, s);
                    } else {
                        dd_vec_push(e->pool, &f->to_jacobian, s);
                        dd_vec_push(scratch, &p->given, ((triplet){row, at->variable}));
                    }
                }
            }
        }
    }
}

static void list_second(dd_elements *e, family *f, pattern *p, dd_pool *scratch)
{
    /* d2 / dy_a dy_b of sum_o w_o Phi_o(v(y)) = sum_ij H_ij dv_i/dy_a dv_j/dy_b: inputs are linear in y, so
     * there is no second term. Of the symmetric matrix only the lower triangle is listed */
    uint32_t *sorted, *start = term_starts(f, &sorted, scratch);
    for (uint32_t point = 0; point < f->n_points; point++) {
        for (uint32_t j = 0; j < f->n_in; j++) {
            size_t input_j = (size_t)point * f->n_in + j;
            for (uint32_t k = f->hessian->ptr[j]; k < f->hessian->ptr[j + 1]; k++) {
                uint32_t i = f->hessian->idx[k];
                size_t input_i = (size_t)point * f->n_in + i;
                for (uint32_t a = start[input_i]; a < start[input_i + 1]; a++) {
                    for (uint32_t b = start[input_j]; b < start[input_j + 1]; b++) {
                        if (i == j && b > a) {
                            continue; /* counted with the pair the other way round */
                        }
                        const term *x = &f->terms.data[sorted[a]], *y = &f->terms.data[sorted[b]];
                        uint32_t high = x->variable > y->variable ? x->variable : y->variable;
                        uint32_t low = x->variable > y->variable ? y->variable : x->variable;
                        /* off the diagonal of v both (i,j) and (j,i) meet in one entry when the variables are equal */
                        double times = (i != j && high == low) || (i == j && a != b && high == low) ? 2 : 1;
                        scatter s = {(uint32_t)(k * f->ld + point), 0, x->factor * y->factor * times};
                        dd_vec_push(e->pool, &f->to_hessian, s);
                        dd_vec_push(scratch, &p->given, ((triplet){high, low}));
                    }
                }
            }
        }
    }
}

static void make_jacobian(dd_elements *e, dd_pool *scratch)
{
    /* the linear terms first, then the families: positions are read back in the same order below */
    pattern p = {.e = e};
    for (uint32_t k = 0; k < e->linear.len; k++) {
        dd_vec_push(scratch, &p.given, e->linear.data[k]);
    }
    for (uint32_t k = 0; k < e->families.len; k++) {
        list_first(e, &e->families.data[k], &p, scratch);
    }
    settle_pattern(&p, e->row_lower.len, e->lower.len, scratch);
    /* linear terms have constant derivatives: summed up once, every Jacobian begins with a copy of them */
    uint32_t at = 0;
    e->fixed = dd_pool_alloc_array(e->pool, (size_t)p.nnz + 1, sizeof *e->fixed);
    for (uint32_t k = 0; k < e->linear.len; k++) {
        e->fixed[p.at[at++]] += e->linear_factor.data[k];
    }
    for (uint32_t k = 0; k < e->families.len; k++) {
        scatter_vec *list = &e->families.data[k].to_jacobian;
        for (uint32_t i = 0; i < list->len; i++) {
            list->data[i].at = p.at[at++];
        }
    }
    e->nlp.jacobian_row = p.row;
    e->nlp.jacobian_col = p.col;
    e->nlp.jacobian_nnz = p.nnz;
}

static void make_hessian(dd_elements *e, dd_pool *scratch)
{
    pattern p = {.e = e};
    /* lower triangle: the larger index of the two is the row */
    for (uint32_t k = 0; k < e->families.len; k++) {
        list_second(e, &e->families.data[k], &p, scratch);
    }
    settle_pattern(&p, e->lower.len, e->lower.len, scratch);
    uint32_t at = 0;
    for (uint32_t k = 0; k < e->families.len; k++) {
        scatter_vec *list = &e->families.data[k].to_hessian;
        for (uint32_t i = 0; i < list->len; i++) {
            list->data[i].at = p.at[at++];
        }
    }
    e->nlp.hessian_row = p.row;
    e->nlp.hessian_col = p.col;
    e->nlp.hessian_nnz = p.nnz;
}

/* ---- evaluating ---- */

static void gather(dd_elements *e, const double *y)
{
    for (uint32_t k = 0; k < e->families.len; k++) {
        /* structure of arrays: input i of all points is one run of memory, the lanes of a batch */
        family *f = &e->families.data[k];
        for (uint32_t point = 0; point < f->n_points; point++) {
            for (uint32_t i = 0; i < f->n_in; i++) {
                f->in[i * f->ld + point] = f->offset.data[point * f->n_in + i];
            }
        }
        /* v = offset + sum of factor * y */
        for (uint32_t t = 0; t < f->terms.len && f->n_in > 0; t++) {
            uint32_t input = f->term_input.data[t], i = input % f->n_in, point = input / f->n_in;
            f->in[i * f->ld + point] += f->terms.data[t].factor * y[f->terms.data[t].variable];
        }
    }
    e->have_values = false;
    e->have_first = false;
}

static void run(family *f, part *p)
{
    const double *in[2] = {f->in, f->weights};
    if (f->n_points > 0) {
        dd_program_eval_batch(p->work, f->n_points, f->ld, in, p->out);
    }
}

/* All rows and the objective at once. */
static void evaluate(dd_elements *e, const double *y)
{
    e->objective = 0;
    memset(e->c, 0, e->row_lower.len * sizeof *e->c);
    /* linear terms, then factor * Phi_o of every point; outputs of several points may share a row */
    for (uint32_t k = 0; k < e->linear.len; k++) {
        e->c[e->linear.data[k].row] += e->linear_factor.data[k] * y[e->linear.data[k].col];
    }
    for (uint32_t k = 0; k < e->families.len; k++) {
        family *f = &e->families.data[k];
        run(f, &f->values);
        for (uint32_t point = 0; point < f->n_points; point++) {
            for (uint32_t o = 0; o < f->n_out; o++) {
                uint32_t row = f->row.data[point * f->n_out + o];
                double value = f->factor.data[point * f->n_out + o] * f->values.out[o * f->ld + point];
                if (row == DD_OBJECTIVE) {
                    e->objective += value;
                } else if (row != DD_NOWHERE) {
                    e->c[row] += value;
                }
            }
        }
    }
    e->have_values = true;
}

static void evaluate_first(dd_elements *e)
{
    for (uint32_t k = 0; k < e->families.len && !e->have_first; k++) {
        run(&e->families.data[k], &e->families.data[k].first);
    }
    e->have_first = true;
}

static bool all_finite(const double *v, uint32_t n)
{
    /* v * 0 is 0 for numbers and NaN for NaN and the infinities: one sum, no branch */
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += v[i] * 0;
    }
    return sum == 0;
}

static bool nlp_objective(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    if (!e->have_values) {
        evaluate(e, y);
    }
    *out = e->objective;
    return isfinite(e->objective);
}

static bool nlp_constraints(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    if (!e->have_values) {
        evaluate(e, y);
    }
    memcpy(out, e->c, e->row_lower.len * sizeof *out);
    return all_finite(out, e->row_lower.len);
}

static bool nlp_gradient(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    evaluate_first(e);
    memset(out, 0, e->lower.len * sizeof *out);
    /* grad f = sum over points of factor * dPhi_o/dv, scattered by lists that were made once */
    for (uint32_t k = 0; k < e->families.len; k++) {
        const family *f = &e->families.data[k];
        for (uint32_t i = 0; i < f->to_gradient.len; i++) {
            const scatter *s = &f->to_gradient.data[i];
            out[s->at] += s->factor * f->first.out[s->source];
        }
    }
    return all_finite(out, e->lower.len);
}

static bool nlp_jacobian(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    evaluate_first(e);
    /* the constant part, then what the families add to it */
    memcpy(out, e->fixed, e->nlp.jacobian_nnz * sizeof *out);
    for (uint32_t k = 0; k < e->families.len; k++) {
        const family *f = &e->families.data[k];
        for (uint32_t i = 0; i < f->to_jacobian.len; i++) {
            const scatter *s = &f->to_jacobian.data[i];
            out[s->at] += s->factor * f->first.out[s->source];
        }
    }
    return all_finite(out, e->nlp.jacobian_nnz);
}

static bool nlp_hessian(void *user, const double *y, bool new_x, double sigma, const double *lambda, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    memset(out, 0, e->nlp.hessian_nnz * sizeof *out);
    for (uint32_t k = 0; k < e->families.len; k++) {
        family *f = &e->families.data[k];
        /* weights of the Lagrangian sigma f + lambda^T c, with the factor of the output */
        for (uint32_t point = 0; point < f->n_points; point++) {
            for (uint32_t o = 0; o < f->n_out; o++) {
                uint32_t at = point * f->n_out + o, row = f->row.data[at];
                double weight = row == DD_OBJECTIVE ? sigma : row == DD_NOWHERE ? 0 : lambda[row];
                f->weights[o * f->ld + point] = weight * f->factor.data[at];
            }
        }
        /* one batch gives the weighted Hessian of every point */
        run(f, &f->second);
        for (uint32_t i = 0; i < f->to_hessian.len; i++) {
            const scatter *s = &f->to_hessian.data[i];
            out[s->at] += s->factor * f->second.out[s->source];
        }
    }
    return all_finite(out, e->nlp.hessian_nnz);
}

/* ---- finishing ---- */

static double *new_block(dd_elements *e, size_t n)
{
    return dd_pool_alloc_array(e->pool, n + 1, sizeof(double));
}

static void must(dd_elements *e, dd_status status)
{
    if (status != DD_OK) {
        dd_raise(e->ctx, status, "%s", dd_status_text(status));
    }
}

static void finish_part(dd_elements *e, family *f, part *p, uint32_t n_out)
{
    p->out = new_block(e, n_out * f->ld);
    must(e, dd_program_work_new(&p->work, e->ctx, p->program, f->n_points > 2 ? f->n_points : 2));
}

const dd_nlp *dd_elements_finish(dd_elements *e)
{
    dd_pool *scratch = dd_pool_child(e->pool);
    for (uint32_t k = 0; k < e->families.len; k++) {
        family *f = &e->families.data[k];
        /* rows of a batch are padded to whole blocks of lanes: the loops of the programs have no remainder */
        f->ld = ((size_t)f->n_points + DD_LANE_BLOCK - 1) / DD_LANE_BLOCK * DD_LANE_BLOCK;
        f->in = new_block(e, f->n_in * f->ld);
        f->weights = new_block(e, f->n_out * f->ld);
        finish_part(e, f, &f->values, f->n_out);
        finish_part(e, f, &f->first, f->jacobian->ptr[f->n_in]);
        finish_part(e, f, &f->second, f->hessian->ptr[f->n_in]);
    }
    /* patterns need the leading dimension, so they come after it */
    make_jacobian(e, scratch);
    make_hessian(e, scratch);
    dd_pool_free(scratch);
    e->c = new_block(e, e->row_lower.len);
    /* the program as solvers see it */
    e->nlp.user = e;
    e->nlp.n = e->lower.len;
    e->nlp.m = e->row_lower.len;
    e->nlp.x_lower = e->lower.data;
    e->nlp.x_upper = e->upper.data;
    if (e->size.len > 0) {
        dd_elements_set_size(e, e->nlp.n, 1); /* all of them; one past the last does no harm */
        e->nlp.x_size = e->size.data;
    }
    e->nlp.c_lower = e->row_lower.data;
    e->nlp.c_upper = e->row_upper.data;
    e->nlp.objective = nlp_objective;
    e->nlp.gradient = nlp_gradient;
    e->nlp.constraints = nlp_constraints;
    e->nlp.jacobian = nlp_jacobian;
    e->nlp.hessian = nlp_hessian;
    return &e->nlp;
}

void dd_elements_free(dd_elements *e)
{
    for (uint32_t k = 0; e != NULL && k < e->families.len; k++) {
        dd_program_work_free(e->families.data[k].values.work);
        dd_program_work_free(e->families.data[k].first.work);
        dd_program_work_free(e->families.data[k].second.work);
    }
}

uint32_t dd_elements_families(const dd_elements *e)
{
    return e->families.len;
}

void dd_elements_set_constants(dd_elements *e, uint32_t index, const double *values)
{
    family *f = &e->families.data[index];
    if (f->n_constants > 0) {
        dd_program_set_constants(f->values.work, values);
        dd_program_set_constants(f->first.work, values);
        dd_program_set_constants(f->second.work, values);
    }
}

double *dd_elements_start(dd_elements *e)
{
    return e->start.data;
}

double *dd_elements_lower(dd_elements *e)
{
    return e->lower.data;
}

double *dd_elements_upper(dd_elements *e)
{
    return e->upper.data;
}

double *dd_elements_row_lower(dd_elements *e)
{
    return e->row_lower.data;
}

double *dd_elements_row_upper(dd_elements *e)
{
    return e->row_upper.data;
}

const double *dd_elements_values(dd_elements *e, uint32_t index, const double *y, size_t *ld)
{
    gather(e, y);
    evaluate(e, y);
    *ld = e->families.data[index].ld;
    return e->families.data[index].values.out;
}

const double *dd_elements_inputs(dd_elements *e, uint32_t index, const double *y, size_t *ld)
{
    gather(e, y);
    *ld = e->families.data[index].ld;
    return e->families.data[index].in;
}

bool dd_elements_nonfinite(dd_elements *e, const double *y, uint32_t *index, uint32_t *point, uint32_t *output)
{
    gather(e, y);
    evaluate(e, y);
    for (uint32_t k = 0; k < e->families.len; k++) {
        const family *f = &e->families.data[k];
        for (uint32_t p = 0; p < f->n_points; p++) {
            for (uint32_t o = 0; o < f->n_out; o++) {
                if (!isfinite(f->values.out[o * f->ld + p])) {
                    *index = k;
                    *point = p;
                    *output = o;
                    return true;
                }
            }
        }
    }
    return false;
}

uint32_t dd_elements_row_of(const dd_elements *e, uint32_t index, uint32_t point, uint32_t output)
{
    const family *f = &e->families.data[index];
    return f->row.data[point * f->n_out + output];
}

uint32_t dd_elements_depends(const dd_elements *e, uint32_t index, uint32_t output, bool *on)
{
    const family *f = &e->families.data[index];
    /* column i of the Jacobian's pattern has the outputs that contain input i */
    for (uint32_t i = 0; i < f->n_in && on != NULL; i++) {
        on[i] = false;
        for (uint32_t k = f->jacobian->ptr[i]; k < f->jacobian->ptr[i + 1]; k++) {
            on[i] = on[i] || f->jacobian->idx[k] == output;
        }
    }
    return f->n_in;
}
