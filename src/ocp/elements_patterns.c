/* elements_patterns.c - sparsity of the Jacobian and the Hessian from the inputs and outputs of all points, and
 * where each value goes: found once, used in every evaluation. */
#include <math.h>

#include "ocp/elements_impl.h"

/* Entries in the order of rows, then columns, each once; `at` receives the position of each that was given. */
typedef struct pattern {
    dd_elements *e;
    DD_VEC(dd_entry) given;
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
        const dd_entry *t = &p->given.data[order[k]];
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
        const dd_entry t = p->given.data[order[k]];
        bool again = p->nnz > 0 && p->row[p->nnz - 1] == t.row && p->col[p->nnz - 1] == t.col;
        if (!again) {
            p->row[p->nnz] = t.row;
            p->col[p->nnz++] = t.col;
        }
        p->at[order[k]] = p->nnz - 1;
    }
}

/* Terms of every input of a family: where they begin. Terms come input by input and point by point in any order. */
static uint32_t *term_starts(const dd_point_family *f, uint32_t **sorted, dd_pool *scratch)
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

/* Listing the entries of one family. */
typedef struct listing {
    dd_elements *e;
    dd_point_family *f;
    pattern *p;
    dd_pool *scratch;
    uint32_t *sorted, *start; /* of term_starts */
} listing;

/* Entry k of the Jacobian of the family, by input i, at a point.
 * Chain rule: d row / d y = factor_o * dPhi_o / dv_i * dv_i / dy, and dv_i / dy is the factor of a term. */
static void add_first(const listing *l, uint32_t point, uint32_t i, uint32_t k)
{
    dd_point_family *f = l->f;
    size_t input = (size_t)point * f->n_in + i;
    uint32_t o = f->jacobian->idx[k], row = f->row.data[point * f->n_out + o];
    double factor = f->factor.data[point * f->n_out + o];
    if (row == DD_NOWHERE) {
        return;
    }
    for (uint32_t t = l->start[input]; t < l->start[input + 1]; t++) {
        const dd_input_term *at = &f->terms.data[l->sorted[t]];
        dd_scatter s = {(uint32_t)(k * f->ld + point), at->variable, factor * at->factor};
        /* the gradient is dense, so its entries need no pattern; those of rows go into the pattern */
        if (row == DD_OBJECTIVE) {
            dd_vec_push(l->e->pool, &f->to_gradient.values, s);
        } else {
            dd_vec_push(l->e->pool, &f->to_jacobian.values, s);
            dd_vec_push(l->scratch, &l->p->given, ((dd_entry){row, at->variable}));
        }
    }
}

static void list_first(dd_elements *e, dd_point_family *f, pattern *p, dd_pool *scratch)
{
    listing l = {.e = e, .f = f, .p = p, .scratch = scratch};
    l.start = term_starts(f, &l.sorted, scratch);
    for (uint32_t point = 0; point < f->n_points; point++) {
        for (uint32_t i = 0; i < f->n_in; i++) {
            for (uint32_t k = f->jacobian->ptr[i]; k < f->jacobian->ptr[i + 1]; k++) {
                add_first(&l, point, i, k);
            }
        }
    }
}

/* Entry k of the Hessian of the family, in column j, at a point.
 * d2 / dy_a dy_b of sum_o w_o Phi_o(v(y)) = sum_ij H_ij dv_i/dy_a dv_j/dy_b: inputs are linear in y, so there is no
 * second term. Of the symmetric matrix only the lower triangle is listed. */
static void add_second(const listing *l, uint32_t point, uint32_t j, uint32_t k)
{
    dd_point_family *f = l->f;
    uint32_t i = f->hessian->idx[k];
    size_t input_i = (size_t)point * f->n_in + i, input_j = (size_t)point * f->n_in + j;
    for (uint32_t a = l->start[input_i]; a < l->start[input_i + 1]; a++) {
        for (uint32_t b = l->start[input_j]; b < l->start[input_j + 1]; b++) {
            if (i == j && b > a) {
                continue; /* listed with the pair the other way round */
            }
            const dd_input_term *x = &f->terms.data[l->sorted[a]], *y = &f->terms.data[l->sorted[b]];
            uint32_t high = x->variable > y->variable ? x->variable : y->variable;
            uint32_t low = x->variable > y->variable ? y->variable : x->variable;
            /* off the diagonal of v both (i,j) and (j,i) meet in one entry when the variables are equal */
            double times = (i != j && high == low) || (i == j && a != b && high == low) ? 2 : 1;
            dd_scatter s = {(uint32_t)(k * f->ld + point), 0, x->factor * y->factor * times};
            dd_vec_push(l->e->pool, &f->to_hessian.values, s);
            dd_vec_push(l->scratch, &l->p->given, ((dd_entry){high, low}));
        }
    }
}

static void list_second(dd_elements *e, dd_point_family *f, pattern *p, dd_pool *scratch)
{
    listing l = {.e = e, .f = f, .p = p, .scratch = scratch};
    l.start = term_starts(f, &l.sorted, scratch);
    for (uint32_t point = 0; point < f->n_points; point++) {
        for (uint32_t j = 0; j < f->n_in; j++) {
            for (uint32_t k = f->hessian->ptr[j]; k < f->hessian->ptr[j + 1]; k++) {
                add_second(&l, point, j, k);
            }
        }
    }
}

void dd_elements_make_jacobian(dd_elements *e, dd_pool *scratch)
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
        dd_scatter_vec *list = &e->families.data[k].to_jacobian.values;
        for (uint32_t i = 0; i < list->len; i++) {
            list->data[i].at = p.at[at++];
        }
    }
    e->nlp.jacobian_row = p.row;
    e->nlp.jacobian_col = p.col;
    e->nlp.jacobian_nnz = p.nnz;
}

void dd_elements_make_hessian(dd_elements *e, dd_pool *scratch)
{
    pattern p = {.e = e};
    /* lower triangle: the larger index of the two is the row */
    for (uint32_t k = 0; k < e->families.len; k++) {
        list_second(e, &e->families.data[k], &p, scratch);
    }
    settle_pattern(&p, e->lower.len, e->lower.len, scratch);
    uint32_t at = 0;
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_scatter_vec *list = &e->families.data[k].to_hessian.values;
        for (uint32_t i = 0; i < list->len; i++) {
            list->data[i].at = p.at[at++];
        }
    }
    e->nlp.hessian_row = p.row;
    e->nlp.hessian_col = p.col;
    e->nlp.hessian_nnz = p.nnz;
}

/* Of the outputs of one point of a family that go to the row. */
static double slope_at(const dd_elements *e, const dd_point_family *f, uint32_t point, uint32_t row, uint32_t variable)
{
    double slope = 0;
    for (uint32_t t = 0; t < f->terms.len; t++) {
        uint32_t input = f->term_input.data[t], i = input % f->n_in;
        if (f->terms.data[t].variable != variable || input / f->n_in != point) {
            continue;
        }
        for (uint32_t k = f->jacobian->ptr[i]; k < f->jacobian->ptr[i + 1]; k++) {
            uint32_t at = point * f->n_out + f->jacobian->idx[k];
            dd_expr entry = f->jacobian->entries[k];
            if (f->row.data[at] == row) {
                double value = dd_op_of(e->dag, entry) == DD_OP_NUM ? dd_num_value(e->dag, entry) : NAN;
                slope += f->factor.data[at] * f->terms.data[t].factor * value;
            }
        }
    }
    return slope;
}

double dd_elements_slope(const dd_elements *e, uint32_t row, uint32_t variable)
{
    double slope = 0;
    for (uint32_t k = 0; k < e->linear.len; k++) {
        bool here = e->linear.data[k].row == row && e->linear.data[k].col == variable;
        slope += here ? e->linear_factor.data[k] : 0;
    }
    for (uint32_t k = 0; k < e->families.len; k++) {
        const dd_point_family *f = &e->families.data[k];
        for (uint32_t at = 0; at < f->row.len; at++) {
            /* all outputs of a point are looked at together: only the first that goes to the row leads there */
            bool first = f->row.data[at] == row;
            for (uint32_t o = at - at % f->n_out; o < at && first; o++) {
                first = f->row.data[o] != row;
            }
            slope += first ? slope_at(e, f, at / f->n_out, row, variable) : 0;
        }
    }
    return slope;
}
