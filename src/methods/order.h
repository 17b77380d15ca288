/* order.h - the order of a Runge-Kutta method, from its coefficients alone.
 *
 * Order p means  sum_i b_i Phi_i(t) = 1 / gamma(t)  for every rooted tree t with at most p vertices (Butcher). Trees
 * are generated; there are 200 of them up to order 8. Beyond DD_ORDER_TREES, which only collocation methods reach,
 * the simplifying conditions determine the order: B(p), C(q), D(r) with p <= q + r + 1 and p <= 2q + 2. */
#ifndef DD_METHODS_ORDER_H
#define DD_METHODS_ORDER_H

#include "methods/tableau.h"

enum { DD_ORDER_TREES = 10, DD_ORDER_MOST_TREES = 1205 };

typedef struct dd_order {
    uint32_t order;
    bool at_least;     /* all that was checked holds; the order may be higher */
    uint32_t B, C, D;  /* highest numbers for which the simplifying conditions hold (at most 2s + 1, s, s) */
    uint32_t trees;    /* order conditions that were evaluated */
    double residual;   /* the largest among those of orders up to `order`, relative to its rounding bound */
    uint32_t fails_at; /* the order of the first condition that fails, 0: none did */
    double next;       /* its residual sum_i b_i Phi_i - 1/gamma */
} dd_order;

/* The order of the formula with weights b (s of them: t->exact.b or t->exact.bhat). Row sums of A replace the nodes:
 * when c differs from them, the order is that for autonomous systems. */
dd_status dd_order_find(dd_order *out, dd_context *ctx, const dd_tableau *t, const dd_quad *b);

/* The order of the continuous extension: sum_i b_i(theta) Phi_i(t) = theta^|t| / gamma(t) at several theta. */
dd_status dd_order_find_dense(uint32_t *out, dd_context *ctx, const dd_tableau *t);

/* Does c_i = sum_j A_ij hold for all i, up to rounding? */
bool dd_order_row_sums(const dd_tableau *t);

/* The simplifying conditions of a method with these coefficients, as far as they hold. */
void dd_order_simplifying(dd_order *out, const dd_tableau *t, const dd_quad *b);

/* ---- trees ---- */

/* A tree with n > 1 vertices is a smaller tree `rest` with one more branch `branch` at its root; branches are attached
 * in rising order, so that every tree appears once. Tree 0 is the single vertex. */
typedef struct dd_tree {
    uint32_t order, rest, branch;
    double gamma; /* density, exact: at most 10! */
} dd_tree;

/* Writes all trees of orders 1 to `order` (at most DD_ORDER_TREES), by order; returns their number. */
uint32_t dd_trees(dd_tree *trees, uint32_t order);

#endif
