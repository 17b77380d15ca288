/* expand.c - multiplying out products and positive integer powers of sums, for deciding that a difference is zero. The
 * nodes are expanded in index order; a product that would pass the limit of terms ends the attempt. */
#include "expr/dag_impl.h"
#include "expr/walk.h"

#define MOST_PASSES 4 /* roots may multiply to new sums; seldom more than once */
#define MOST_POWER 64

typedef struct expansion {
    dd_dag *dag;
    dd_walk walk;
    dd_expr *image; /* per place */
    uint32_t max_terms;
    dd_expr_vec terms;
    bool exceeded;
} expansion;

static uint32_t term_count(const dd_dag *dag, dd_expr e)
{
    return dd_is_op(dag, e, DD_OP_ADD) ? dag->nodes[e].n : 1;
}

static dd_expr term_at(const dd_dag *dag, dd_expr e, uint32_t i)
{
    return dd_is_op(dag, e, DD_OP_ADD) ? dd_args_of(dag, e)[i] : e;
}

/* a*b, term by term */
static dd_expr multiply_out(expansion *x, dd_expr a, dd_expr b)
{
    uint32_t n = term_count(x->dag, a), m = term_count(x->dag, b);
    if (n == 1 && m == 1) {
        return dd_mul(x->dag, a, b);
    }
    if ((uint64_t)n * m >
        4 * (uint64_t)x->max_terms) { /* like terms may still join: some room before they are counted */
        x->exceeded = true;
        return a;
    }
    x->terms.len = 0;
    /* every term of a with every term of b; the sum collects like terms */
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < m; k++) {
            dd_expr product = dd_mul(x->dag, term_at(x->dag, a, i), term_at(x->dag, b, k));
            dd_vec_push(x->dag->pool, &x->terms, product);
        }
    }
    dd_expr sum = dd_sum(x->dag, x->terms.data, x->terms.len);
    x->exceeded = x->exceeded || term_count(x->dag, sum) > x->max_terms;
    return sum;
}

/* base^k for a sum, by repeated multiplication: the number of terms grows the least that way */
static dd_expr expand_power(expansion *x, dd_expr base, int64_t k)
{
    dd_expr e = base;
    for (int64_t i = 1; i < k && !x->exceeded; i++) {
        e = multiply_out(x, e, base);
    }
    return e;
}

static bool is_expandable_power(const dd_dag *dag, dd_expr base, dd_expr exponent)
{
    if (!dd_is_op(dag, base, DD_OP_ADD) || !dd_is_op(dag, exponent, DD_OP_NUM)) {
        return false;
    }
    dd_ratio k = dd_ratio_at(dag, exponent);
    return dd_ratio_is_integer(k) && k.num > 1 && k.num <= MOST_POWER;
}

static dd_expr expand_node(expansion *x, dd_expr e)
{
    dd_args_copy args;
    dd_args_copy_new(&args, x->dag, e);
    /* arguments come first in a walk: their images are known */
    for (uint32_t i = 0; i < args.n; i++) {
        args.data[i] = x->image[dd_walk_place(x->dag, &x->walk, args.data[i])];
    }
    dd_op op = dd_op_at(x->dag, e);
    dd_expr result;
    /* a product of several sums, two at a time */
    if (op == DD_OP_MUL) {
        result = args.data[0];
        for (uint32_t i = 1; i < args.n && !x->exceeded; i++) {
            result = multiply_out(x, result, args.data[i]);
        }
    } else if (op == DD_OP_POW && is_expandable_power(x->dag, args.data[0], args.data[1])) {
        result = expand_power(x, args.data[0], dd_ratio_at(x->dag, args.data[1]).num);
    } else {
        result = dd_make(x->dag, op, args.data, args.n);
    }
    /* the attempt ends as soon as one node is too long, wherever it is */
    x->exceeded = x->exceeded || term_count(x->dag, result) > x->max_terms;
    dd_args_copy_free(&args, x->dag);
    return result;
}

static dd_expr expand_once(dd_dag *dag, dd_expr e, uint32_t max_terms, bool *exceeded)
{
    expansion x = {.dag = dag, .walk = dd_walk_new(dag, &e, 1, 0), .max_terms = max_terms};
    x.image = dd_block_resize(dag->pool, NULL, ((size_t)x.walk.n + 1) * sizeof *x.image);
    /* index order is topological */
    for (uint32_t i = 0; i < x.walk.n && !x.exceeded; i++) {
        dd_expr node = x.walk.nodes[i];
        x.image[i] = dag->nodes[node].n == 0 ? node : expand_node(&x, node);
    }
    dd_expr result = x.exceeded ? e : x.image[x.walk.n - 1];
    *exceeded = x.exceeded;
    dd_block_free(dag->pool, x.image);
    dd_vec_free(dag->pool, &x.terms);
    dd_walk_free(dag, &x.walk);
    return result;
}

dd_expr dd_expand(dd_dag *dag, dd_expr e, uint32_t max_terms)
{
    dd_expr now = e;
    /* until nothing changes: a factor that became a sum makes its product expandable */
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        bool exceeded;
        dd_expr next = expand_once(dag, now, max_terms, &exceeded);
        if (exceeded) {
            return e;
        }
        if (next == now) {
            break;
        }
        now = next;
    }
    return now;
}
