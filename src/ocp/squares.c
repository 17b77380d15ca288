/* squares.c - the terms of a sum of squares, found from the top down. */
#include "ocp/squares.h"

enum { DEEPEST = 100 }; /* c*(d*(sum)) is a sum too; far more levels than anyone writes */

typedef struct search {
    const dd_ocp_problem *o;
    dd_square_term_vec *out;
    dd_pool *pool;
    bool integral;
} search;

/* Numbers and parameters that are not decided; values at times are neither. */
static bool is_constant(const search *s, dd_expr e)
{
    const dd_ocp_problem *o = s->o;
    dd_expr_vec symbols = {0};
    bool constant = true;
    dd_symbols(o->dag, e, true, &symbols, s->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const dd_expr symbol = symbols.data[i];
        const uint32_t id = dd_op_of(o->dag, symbol) == DD_OP_PARAM ? dd_symbol_id(o->dag, symbol) : UINT32_MAX;
        constant = constant && id < o->model->vars.len && !o->model->vars.data[id].free &&
                   o->model->vars.data[id].kind != DD_KIND_POINT;
    }
    dd_vec_free(s->pool, &symbols);
    return constant;
}

static bool is_square(const dd_ocp_problem *o, dd_expr e)
{
    return dd_op_of(o->dag, e) == DD_OP_POW && dd_op_of(o->dag, dd_arg(o->dag, e, 1)) == DD_OP_NUM &&
           dd_num_value(o->dag, dd_arg(o->dag, e, 1)) == 2;
}

/* What a product consists of. */
typedef struct product {
    dd_expr factor, root, rest; /* constants; the root of the squares; the one other factor */
    uint32_t squares, others;
    bool negative;
} product;

static product taken_apart(const search *s, dd_expr e)
{
    dd_dag *dag = s->o->dag;
    product p = {.factor = dd_num(dag, 1), .root = dd_num(dag, 1), .rest = DD_EXPR_NONE};
    const bool is_product = dd_op_of(dag, e) == DD_OP_MUL;
    for (uint32_t i = 0; i < (is_product ? dd_arg_count(dag, e) : 1); i++) {
        const dd_expr part = is_product ? dd_arg(dag, e, i) : e;
        /* a product of squares is a square */
        if (is_constant(s, part)) {
            p.negative = p.negative || (dd_op_of(dag, part) == DD_OP_NUM && dd_num_value(dag, part) < 0);
            p.factor = dd_mul(dag, p.factor, part);
        } else if (is_square(s->o, part)) {
            p.root = dd_mul(dag, p.root, dd_arg(dag, part, 0));
            p.squares++;
        } else {
            p.rest = part;
            p.others++;
        }
    }
    return p;
}

static bool find(const search *s, dd_expr e, dd_expr factor, int depth);

static bool find_in_sum(const search *s, dd_expr e, dd_expr factor, int depth)
{
    bool squares = true;
    for (uint32_t i = 0; squares && i < dd_arg_count(s->o->dag, e); i++) {
        squares = find(s, dd_arg(s->o->dag, e, i), factor, depth);
    }
    return squares;
}

static bool find(const search *s, dd_expr e, dd_expr factor, int depth)
{
    dd_dag *dag = s->o->dag;
    if (depth > DEEPEST) {
        return false;
    }
    if (dd_op_of(dag, e) == DD_OP_ADD) {
        return find_in_sum(s, e, factor, depth + 1);
    }
    /* constants times squares; times one sum: its terms with the same constants; constants alone do not matter */
    const product p = taken_apart(s, e);
    if (p.squares == 0 && p.others == 0) {
        return true;
    }
    if (p.negative) {
        return false;
    }
    factor = dd_mul(dag, factor, p.factor);
    if (p.squares == 0 && p.others == 1 && dd_op_of(dag, p.rest) == DD_OP_ADD) {
        return find_in_sum(s, p.rest, factor, depth + 1);
    }
    if (p.squares > 0 && p.others == 0) {
        dd_vec_push(s->pool, s->out, ((dd_square_term){p.root, factor, s->integral}));
        return true;
    }
    return false;
}

bool dd_ocp_squares(const dd_ocp_problem *o, dd_expr e, bool integral, dd_square_term_vec *out, dd_pool *pool)
{
    const search s = {o, out, pool, integral};
    return e == DD_EXPR_NONE || find(&s, e, dd_num(o->dag, 1), 0);
}

const dd_table *dd_ocp_square_rows(const dd_ocp_problem *o, dd_expr e, uint32_t *count)
{
    const dd_table *longest = NULL;
    *count = 0;
    for (uint32_t i = 0; i < o->data.len; i++) {
        const dd_table *t = o->data.data[i].column->rows;
        uint32_t rows = 0;
        for (uint64_t k = 0; k < t->count && dd_depends(o->dag, e, o->data.data[i].symbol); k++) {
            rows += dd_table_time(t, k) >= o->t0_value && dd_table_time(t, k) <= o->tf_value ? 1 : 0;
        }
        longest = rows > *count ? t : longest;
        *count = rows > *count ? rows : *count;
    }
    return longest;
}
