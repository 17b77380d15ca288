/* solvable.c - which blocks and divisors can vanish, found once from expressions; their values at a point. Start at
 * dd_solvable_compile. */
#include "dynamics/solvable.h"

#include <math.h>
#include <string.h>

#include "dynamics/numbers_impl.h"
#include "graph/match.h"
#include "graph/scc.h"

enum { MOST_DENSE = 32 }; /* rows of a block from which on KLU's overhead is less than the work on zeros */

typedef DD_VEC(dd_solvable_item) item_vec;

typedef struct builder {
    dd_compiler *c;
    const dd_solvable_entries *e;
    item_vec singles, blocks;
    dd_map seen;         /* expressions of one row, without numeric factors and signs */
    dd_expr_vec outputs; /* of the blocks */
} builder;

/* ---- expressions of one row ---- */

/* Without exponential functions, which have no zeros: where one fades the other factors vanish no sooner and no later, and
 * what is left of them beside its decay could not be told from it. */
static dd_expr without_decay(builder *b, dd_expr e)
{
    dd_dag *dag = b->c->q->system->model->dag;
    dd_expr rest = dd_rational(dag, 1, 1);
    for (uint32_t i = 0; dd_op_of(dag, e) == DD_OP_MUL && i < dd_arg_count(dag, e); i++) {
        const dd_expr factor = dd_arg(dag, e, i);
        rest = dd_op_of(dag, factor) == DD_OP_EXP ? rest : dd_mul(dag, rest, factor);
    }
    return dd_numbers_is_constant(b->c, rest) ? e : rest;
}

static void add_one(builder *b, dd_expr expression, uint32_t partial_of, dd_solvable_row row, dd_expr symbol)
{
    dd_compiler *c = b->c;
    /* factors that are numbers do not matter for where it vanishes */
    const dd_expr bare = dd_system_divide_content(c->q->system, expression);
    if (dd_map_get(&b->seen, bare)) {
        return;
    }
    dd_map_put(&b->seen, bare, 1);
    dd_solvable_item item = {.size = 1, .expression = expression, .partial_of = partial_of};
    item.rows = dd_pool_alloc(c->pool, sizeof *item.rows);
    item.symbols = dd_pool_alloc(c->pool, sizeof *item.symbols);
    item.rows[0] = row;
    item.symbols[0] = symbol;
    dd_vec_push(c->scratch, &b->singles, item);
}

/* Zeros are looked for in what has no decay; whether digits are lost depends on all of it. */
static void add_single(builder *b, dd_expr expression, uint32_t partial_of, dd_solvable_row row, dd_expr symbol)
{
    add_one(b, without_decay(b, expression), partial_of, row, symbol);
    add_one(b, expression, partial_of, row, symbol);
}

static bool is_known(const dd_compiler *c, dd_expr symbol)
{
    const dd_dag *dag = c->q->system->model->dag;
    bool known = dd_op_of(dag, symbol) == DD_OP_TIME || dd_map_get(&c->known_parameter, symbol) > 0 ||
                 dd_map_get(&c->column, symbol) > 0;
    for (uint32_t k = 0; k < c->q->inputs.len && !known; k++) {
        known = c->q->inputs.data[k] == symbol;
    }
    return known;
}

/* Only with symbols that the programs know. */
static bool can_evaluate(const dd_compiler *c, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool known = true;
    dd_symbols(c->q->system->model->dag, e, true, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len && known; i++) {
        known = is_known(c, symbols.data[i]);
    }
    dd_vec_free(c->scratch, &symbols);
    return known;
}

static void add_divisors(builder *b, const dd_expr *divisors)
{
    const dd_equations *eq = b->c->q->equations;
    /* divisors: what was divided by when algebraic unknowns were put in */
    for (uint32_t i = 0; i < eq->divisors.len; i++) {
        const dd_divisor *d = &eq->divisors.data[i];
        if (!dd_numbers_is_constant(b->c, divisors[i]) && can_evaluate(b->c, divisors[i])) {
            add_single(b, divisors[i], DD_NO_INDEX, (dd_solvable_row){.eq = d->eq, .level = d->level}, d->symbol);
        }
    }
}

/* What `check` prints, in the unknowns that are left. */
static void add_conditions(builder *b)
{
    const dd_system *s = b->c->q->system;
    /* pivots of the analysis that are not constant, as `check` prints them */
    for (uint32_t i = 0; i < s->conditions.len; i++) {
        const dd_pivot *k = &s->conditions.data[i];
        const dd_expr e = dd_numbers_put_inputs(b->c, dd_equations_resolve(s, b->c->q->equations, k->value));
        if (!dd_numbers_is_constant(b->c, e) && can_evaluate(b->c, e)) {
            const dd_solvable_row row = {.eq = k->row, .level = s->off.c[k->row], .of_analysis = true};
            add_single(b, e, DD_NO_INDEX, row, dd_var(s->model->dag, s->unknown[k->col], s->off.d[k->col]));
        }
    }
}

/* ---- blocks ---- */

typedef struct matrix { /* N by rows */
    uint32_t *ptr, *idx, *entry;
    uint32_t *row_match, *col_match, *row_perm, *col_perm, *block_ptr;
    uint32_t *row_at, *col_at; /* places in the permutations */
} matrix;

static bool in_matrix(const builder *b, uint32_t k)
{
    const dd_numbers *q = b->c->q;
    return b->e->of_rate[k] == (b->e->col[k] < q->equations->x.len) &&
           !dd_is_num(q->system->model->dag, b->e->value[k], 0);
}

static void collect(const builder *b, matrix *m)
{
    const dd_numbers *q = b->c->q;
    dd_pool *scratch = b->c->scratch;
    const uint32_t n = q->n;
    m->ptr = dd_pool_alloc_array(scratch, n + 2, sizeof *m->ptr);
    m->idx = dd_pool_alloc_array(scratch, b->e->count + 1, sizeof *m->idx);
    m->entry = dd_pool_alloc_array(scratch, b->e->count + 1, sizeof *m->entry);
    uint32_t **const lists[] = {&m->row_match, &m->col_match, &m->row_perm, &m->col_perm,
                                &m->block_ptr, &m->row_at,    &m->col_at};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        *lists[i] = dd_pool_alloc_array(scratch, n + 2, sizeof **lists[i]);
    }
    /* entries come by rows already */
    uint32_t at = 0, row = 0;
    for (uint32_t k = 0; k < b->e->count; k++) {
        for (; row < b->e->row[k]; row++) {
            m->ptr[row + 1] = at;
        }
        if (in_matrix(b, k)) {
            m->idx[at] = b->e->col[k];
            m->entry[at++] = k;
        }
    }
    for (; row < n; row++) {
        m->ptr[row + 1] = at;
    }
}

/* The unknown of a column of N: x' or z. */
static dd_expr unknown_of(const dd_numbers *q, uint32_t col)
{
    return col < q->equations->x.len ? q->rate_symbol.data[col] : q->w.data[col];
}

/* Entries of block `at` .. `end`; true when one of them changes. */
static bool list_entries(builder *b, const matrix *m, uint32_t at, uint32_t end, dd_index_vec *found)
{
    bool changes = false;
    found->len = 0;
    /* entries between rows and columns of this diagonal block */
    for (uint32_t p = at; p < end; p++) {
        const uint32_t row = m->row_perm[p];
        for (uint32_t a = m->ptr[row]; a < m->ptr[row + 1]; a++) {
            if (m->col_at[m->idx[a]] >= at && m->col_at[m->idx[a]] < end) {
                dd_vec_push(b->c->scratch, found, m->entry[a]);
                changes = changes || !dd_numbers_is_constant(b->c, b->e->value[m->entry[a]]);
            }
        }
    }
    return changes;
}

static dd_solvable_row row_of(const dd_numbers *q, uint32_t row)
{
    return (dd_solvable_row){.eq = q->equations->row_eq.data[row], .level = q->equations->row_level.data[row]};
}

static void add_block(builder *b, const matrix *m, uint32_t at, uint32_t end, const dd_index_vec *found)
{
    dd_compiler *c = b->c;
    const dd_numbers *q = c->q;
    const dd_dag *dag = q->system->model->dag;
    const uint32_t size = end - at;
    dd_solvable_item item = {.size = size, .partial_of = DD_NO_INDEX, .entries = found->len};
    item.rows = dd_pool_alloc_array(c->pool, size, sizeof *item.rows);
    item.symbols = dd_pool_alloc_array(c->pool, size, sizeof *item.symbols);
    item.place = dd_pool_alloc_array(c->pool, found->len, sizeof *item.place);
    item.output = dd_pool_alloc_array(c->pool, found->len, sizeof *item.output);
    item.fixed = dd_pool_alloc_array(c->pool, found->len, sizeof *item.fixed);
    /* rows and unknowns of the block, for words */
    for (uint32_t p = at; p < end; p++) {
        item.rows[p - at] = row_of(q, m->row_perm[p]);
        item.symbols[p - at] = unknown_of(q, m->col_perm[p]);
    }
    /* numbers are stored, formulas become outputs of one program */
    for (uint32_t i = 0; i < found->len; i++) {
        const uint32_t k = found->data[i];
        const dd_expr value = b->e->value[k];
        const bool number = dd_op_of(dag, value) == DD_OP_NUM;
        item.place[i] = m->row_at[b->e->row[k]] - at + size * (m->col_at[b->e->col[k]] - at);
        item.output[i] = number ? DD_NO_INDEX : b->outputs.len;
        item.fixed[i] = number ? dd_num_value(dag, value) : 0.0;
        if (!number) {
            dd_vec_push(c->scratch, &b->outputs, value);
        }
    }
    dd_vec_push(c->scratch, &b->blocks, item);
}

/* Nothing where N is singular by structure: rows as written, of an index above 1. */
static void add_blocks(builder *b)
{
    dd_compiler *c = b->c;
    const dd_numbers *q = c->q;
    const uint32_t n = q->n;
    matrix m;
    /* det N is the product of the determinants of its diagonal blocks, up to its sign */
    collect(b, &m);
    const dd_pattern pattern = {n, n, m.ptr, m.idx};
    uint32_t size, blocks;
    dd_system_must(q->system, dd_graph_match(&size, q->ctx, &pattern, NULL, false, m.row_match, m.col_match),
                   "compiling");
    if (size < n) {
        return;
    }
    dd_system_must(q->system, dd_graph_btf(&blocks, q->ctx, &pattern, m.row_match, m.row_perm, m.col_perm, m.block_ptr),
                   "compiling");
    for (uint32_t p = 0; p < n; p++) {
        m.row_at[m.row_perm[p]] = p;
        m.col_at[m.col_perm[p]] = p;
    }
    dd_index_vec found = {0};
    /* constant blocks cannot vanish; blocks of one row are expressions */
    for (uint32_t i = 0; i < blocks; i++) {
        const uint32_t at = m.block_ptr[i], end = m.block_ptr[i + 1];
        if (end - at > DD_SOLVABLE_MOST || !list_entries(b, &m, at, end, &found)) {
            continue;
        }
        if (end - at == 1) {
            const uint32_t row = m.row_perm[at];
            add_single(b, b->e->value[found.data[0]], row, row_of(q, row), unknown_of(q, m.col_perm[at]));
        } else {
            add_block(b, &m, at, end, &found);
        }
    }
}

/* ---- all together ---- */

static void make_sparse(builder *b, dd_solvable_item *item)
{
    dd_compiler *c = b->c;
    uint32_t *row = dd_pool_alloc_array(c->scratch, item->entries, sizeof *row);
    uint32_t *col = dd_pool_alloc_array(c->scratch, item->entries, sizeof *col);
    for (uint32_t i = 0; i < item->entries; i++) {
        row[i] = item->place[i] % item->size;
        col[i] = item->place[i] / item->size;
    }
    const dd_triplets entries = {item->entries, row, col, NULL};
    dd_system_must(c->q->system, dd_nonsingular_new(&item->sparse, c->q->ctx, item->size, &entries),
                   "blocks that can vanish");
}

/* After everything else, which may raise: what lies outside of the pool is made last. */
static void make_all_sparse(builder *b, dd_solvable *out)
{
    for (uint32_t k = out->singles; k < out->count; k++) {
        if (out->items[k].size > MOST_DENSE) {
            make_sparse(b, &out->items[k]);
        }
    }
}

void dd_solvable_free(dd_solvable *s)
{
    for (uint32_t k = 0; s && k < s->count; k++) {
        dd_nonsingular_free(s->items[k].sparse);
        s->items[k].sparse = NULL;
    }
}

/* Singles first; outputs likewise. */
static void gather(builder *b, dd_solvable *out)
{
    dd_compiler *c = b->c;
    const uint32_t singles = b->singles.len, blocks = b->blocks.len, outputs = singles + b->outputs.len;
    size_t largest = 0;
    out->singles = singles;
    out->count = singles + blocks;
    out->items = dd_pool_alloc_array(c->pool, out->count, sizeof *out->items);
    out->value = dd_pool_alloc_array(c->pool, outputs, sizeof(double));
    out->exponent = dd_pool_alloc_array(c->pool, out->count, sizeof *out->exponent);
    out->seen = dd_pool_alloc_array(c->pool, out->count, sizeof *out->seen);
    dd_expr *all = dd_pool_alloc_array(c->scratch, outputs, sizeof *all);
    /* outputs of singles first: their values need no matrix */
    for (uint32_t i = 0; i < singles; i++) {
        out->items[i] = b->singles.data[i];
        all[i] = b->singles.data[i].expression;
    }
    /* outputs of blocks follow, shifted by the number of singles */
    for (uint32_t i = 0; i < blocks; i++) {
        dd_solvable_item item = b->blocks.data[i];
        const size_t room = item.size <= MOST_DENSE ? (size_t)item.size * item.size : item.entries;
        largest = room > largest ? room : largest;
        for (uint32_t k = 0; k < item.entries; k++) {
            item.output[k] += item.output[k] == DD_NO_INDEX ? 0 : singles;
        }
        out->items[singles + i] = item;
    }
    for (uint32_t i = 0; i < b->outputs.len; i++) {
        all[singles + i] = b->outputs.data[i];
    }
    out->matrix = dd_pool_alloc_array(c->pool, largest + 1, sizeof(double));
    for (uint32_t i = 0; i < outputs; i++) {
        dd_symbols(c->q->system->model->dag, all[i], false, &out->symbols, c->pool);
    }
    out->program = dd_numbers_compile(c, all, outputs, 1);
}

dd_expr dd_solvable_written(const dd_numbers *q, const dd_solvable_item *item)
{
    return item->partial_of == DD_NO_INDEX
               ? item->expression
               : dd_diff(q->system->model->dag, q->rows_written.data[item->partial_of], item->symbols[0]);
}

bool dd_solvable_depends(const dd_numbers *q, dd_expr symbol)
{
    bool found = false;
    for (uint32_t i = 0; i < q->solvable->symbols.len; i++) {
        found = found || q->solvable->symbols.data[i] == symbol;
    }
    return found;
}

dd_solvable *dd_solvable_compile(dd_compiler *c, const dd_solvable_entries *e, const dd_expr *divisors)
{
    builder b = {.c = c, .e = e, .seen = dd_map_new(c->scratch)};
    add_blocks(&b);
    add_divisors(&b, divisors);
    add_conditions(&b);
    if (b.singles.len + b.blocks.len == 0) {
        return NULL;
    }
    dd_solvable *out = dd_pool_alloc(c->pool, sizeof *out);
    *out = (dd_solvable){0};
    gather(&b, out);
    c->q->solvable = out; /* so that it is freed when the rest raises */
    make_all_sparse(&b, out);
    return out;
}

/* ---- values ---- */

static void swap_rows(double *a, uint32_t n, uint32_t i, uint32_t k, uint32_t from)
{
    for (uint32_t j = from; j < n; j++) {
        const double keep = a[i + (size_t)n * j];
        a[i + (size_t)n * j] = a[k + (size_t)n * j];
        a[k + (size_t)n * j] = keep;
    }
}

/* The determinant of a[n*n] (columns) as m*2^e, by elimination with partial pivoting; a is overwritten. Exchanges of
 * rows count, so that its sign means something from point to point. */
static double determinant(double *a, uint32_t n, int *exponent)
{
    double product = 1;
    *exponent = 0;
    /* partial pivoting; each exchange changes the sign */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++) {
            best = fabs(a[i + (size_t)n * k]) > fabs(a[best + (size_t)n * k]) ? i : best;
        }
        if (best != k) {
            swap_rows(a, n, best, k, k);
            product = -product;
        }
        /* mantissa and exponent apart: products of many pivots would over- or underflow */
        const double pivot = a[k + (size_t)n * k];
        int shift;
        product = frexp(product * pivot, &shift);
        *exponent += shift;
        if (!(fabs(product) > 0) || !isfinite(product)) {
            return product;
        }
        /* eliminate by columns, the storage order */
        for (uint32_t i = k + 1; i < n; i++) {
            a[i + (size_t)n * k] /= pivot;
        }
        for (uint32_t j = k + 1; j < n; j++) {
            const double factor = a[k + (size_t)n * j];
            for (uint32_t i = k + 1; factor != 0 && i < n; i++) {
                a[i + (size_t)n * j] -= factor * a[i + (size_t)n * k];
            }
        }
    }
    return product;
}

static double block_value(dd_solvable *s, uint32_t k)
{
    const dd_solvable_item *item = &s->items[k];
    if (!item->sparse) {
        memset(s->matrix, 0, (size_t)item->size * item->size * sizeof *s->matrix);
    }
    /* numbers and formulas of the block at this point */
    for (uint32_t i = 0; i < item->entries; i++) {
        s->matrix[item->sparse ? i : item->place[i]] =
            item->output[i] == DD_NO_INDEX ? item->fixed[i] : s->value[item->output[i]];
    }
    if (item->sparse) {
        return dd_nonsingular_value(item->sparse, s->matrix);
    }
    int exponent;
    const double product = determinant(s->matrix, item->size, &exponent);
    /* relative to the size at the first point, so that values fit a double and can be compared */
    if (!s->seen[k] && product != 0 && isfinite(product)) {
        s->seen[k] = true;
        s->exponent[k] = exponent;
    }
    return ldexp(product, exponent - s->exponent[k]);
}

void dd_solvable_values(dd_numbers *q, double t, const double *w, const double *wdot, double *values)
{
    dd_solvable *s = q->solvable;
    dd_numbers_evaluate(q, s->program, t, w, wdot, s->value);
    memcpy(values, s->value, s->singles * sizeof *values);
    for (uint32_t k = s->singles; k < s->count; k++) {
        values[k] = block_value(s, k);
    }
}
