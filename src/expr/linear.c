/* linear.c - taking an expression apart as rest + sum of coefficient*symbol. First the degree of every node in the
 * symbols is bounded from below the root up; when it is at most one, the coefficients are the partial derivatives and
 * the rest is the expression with the symbols set to zero. */
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/sort.h"
#include "expr/walk.h"

#define NONLINEAR 2

/* 0, 1 or NONLINEAR, from those of the arguments */
static uint8_t degree_of(const dd_dag *dag, const dd_walk *walk, const uint8_t *degree, dd_expr e)
{
    const dd_expr *args = dd_args_of(dag, e);
    dd_op op = dd_op_at(dag, e);
    uint32_t sum = 0, most = 0, first = 0;
    /* degrees of the arguments, no more than NONLINEAR */
    for (uint32_t i = 0; i < dag->nodes[e].n; i++) {
        uint32_t place = dd_walk_place(dag, walk, args[i]);
        uint32_t d = place == DD_NO_PLACE ? 0 : degree[place];
        first = i == 0 ? d : first;
        sum = sum + d > NONLINEAR ? NONLINEAR : sum + d;
        most = d > most ? d : most;
    }
    /* degrees add in products and are shared by sums */
    switch (op) {
    case DD_OP_ADD:
    case DD_OP_NOEVENT:
    case DD_OP_HOMOTOPY:
        return (uint8_t)most;
    case DD_OP_MUL:
        return (uint8_t)sum;
    /* a selection is linear when its condition does not depend on the symbols */
    case DD_OP_IF:
        return (uint8_t)(first != 0 ? NONLINEAR : most);
    default:
        return most != 0 ? NONLINEAR : 0;
    }
}

static bool is_linear(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n, dd_expr lowest)
{
    dd_walk walk = dd_walk_new(dag, &e, 1, lowest);
    uint8_t *degree = dd_block_resize(dag->pool, NULL, (size_t)walk.n + 1);
    /* the symbols have degree one, everything else starts at zero */
    for (uint32_t i = 0; i < walk.n; i++) {
        degree[i] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = dd_walk_place(dag, &walk, symbols[i]);
        if (place != DD_NO_PLACE) {
            degree[place] = 1;
        }
    }
    /* index order: arguments before users */
    for (uint32_t i = 0; i < walk.n; i++) {
        if (dag->nodes[walk.nodes[i]].n > 0) {
            degree[i] = degree_of(dag, &walk, degree, walk.nodes[i]);
        }
    }
    bool linear = walk.n == 0 || degree[walk.n - 1] != NONLINEAR;
    dd_block_free(dag->pool, degree);
    dd_walk_free(dag, &walk);
    return linear;
}

/* ---- the parts ---- */

typedef struct split {
    dd_expr *sorted; /* the symbols */
    uint32_t n;
    dd_expr zero;
} split;

/* The first place in the sorted list whose entry is not below e. */
static uint32_t lower_bound(const dd_expr *sorted, uint32_t n, dd_expr e)
{
    uint32_t low = 0;
    /* bisection */
    while (low < n) {
        uint32_t middle = low + (n - low) / 2;
        if (sorted[middle] < e) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return low;
}

static dd_expr zero_for_symbol(void *user, dd_expr symbol)
{
    const split *s = user;
    uint32_t at = lower_bound(s->sorted, s->n, symbol);
    return at < s->n && s->sorted[at] == symbol ? s->zero : DD_EXPR_NONE;
}

static void take_coefficients(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n, dd_expr *coefficients)
{
    dd_expr_vec found = {0}, partials = {0};
    /* linear: the partial derivatives are the coefficients */
    dd_gradient(dag, &(dd_gradient_of){&e, &dag->one, 1, symbols, n}, &found, &partials, dag->pool);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = lower_bound(found.data, found.len, symbols[i]);
        coefficients[i] = at < found.len && found.data[at] == symbols[i] ? partials.data[at] : dag->zero;
    }
    dd_vec_free(dag->pool, &found);
    dd_vec_free(dag->pool, &partials);
}

/* Most rows are sums in which a symbol is a term of its own, with a number: then the other terms are the rest, once
 * they are free of it, and one look below them decides. */
static bool is_own_term(dd_dag *dag, dd_expr e, dd_expr symbol, dd_expr *number, dd_expr *rest)
{
    dd_args_copy terms;
    uint32_t n = 0;
    if (e == symbol || !dd_is_op(dag, e, DD_OP_ADD)) {
        return false;
    }
    dd_args_copy_new(&terms, dag, e);
    *number = DD_EXPR_NONE;
    for (uint32_t i = 0; i < terms.n; i++) {
        const dd_expr t = terms.data[i];
        const dd_expr *factors = dd_args_of(dag, t);
        const bool scaled = dd_is_op(dag, t, DD_OP_MUL) && dag->nodes[t].n == 2 && factors[1] == symbol &&
                            dd_is_op(dag, factors[0], DD_OP_NUM);
        /* terms are collected: the symbol has one number at most */
        if (t == symbol || scaled) {
            *number = scaled ? factors[0] : dag->one;
        } else {
            terms.data[n++] = t;
        }
    }
    bool own = *number != DD_EXPR_NONE;
    if (own) {
        *rest = dd_sum(dag, terms.data, n);
        own = !dd_depends(dag, *rest, symbol);
    }
    dd_args_copy_free(&terms, dag);
    return own;
}

bool dd_linear_coefficients(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n, dd_expr *coefficients)
{
    if (n == 0) {
        return true;
    }
    dd_expr number, rest;
    if (n == 1 && is_own_term(dag, e, symbols[0], &number, &rest)) {
        coefficients[0] = number;
        return true;
    }
    /* nodes below the lowest symbol are free of all of them */
    dd_expr lowest = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        lowest = symbols[i] < lowest ? symbols[i] : lowest;
    }
    if (!is_linear(dag, e, symbols, n, lowest)) {
        return false;
    }
    take_coefficients(dag, e, symbols, n, coefficients);
    return true;
}

dd_expr dd_linear_rest(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n)
{
    dd_expr number, rest;
    if (n == 0 || (n == 1 && is_own_term(dag, e, symbols[0], &number, &rest))) {
        return n == 0 ? e : rest;
    }
    split s = {dd_block_resize(dag->pool, NULL, n * sizeof *symbols), n, dag->zero};
    memcpy(s.sorted, symbols, n * sizeof *symbols);
    dd_sort_u32(s.sorted, n);
    rest = dd_substitute(dag, e, zero_for_symbol, &s);
    dd_block_free(dag->pool, s.sorted);
    return rest;
}

bool dd_linear(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n, dd_expr *coefficients, dd_expr *rest)
{
    if (!dd_linear_coefficients(dag, e, symbols, n, coefficients)) {
        return false;
    }
    *rest = dd_linear_rest(dag, e, symbols, n);
    return true;
}
