/* forward.c - derivatives in one direction: the total time derivative and the derivative by one symbol. Each node's
 * derivative is made once, from those of its arguments, in index order. A selection stays a selection, so that the
 * branch not taken is never multiplied by zero instead. */
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/walk.h"

#define DEEPEST_SELECT 8 /* nested selections that a factor is moved into */

typedef struct forward {
    dd_dag *dag;
    dd_walk walk;
    dd_expr *rate;   /* per place in the walk; DD_EXPR_NONE: zero */
    dd_expr_vec sum; /* terms being collected */
} forward;

static dd_expr rate_of(const forward *f, dd_expr e)
{
    uint32_t place = dd_walk_place(f->dag, &f->walk, e);
    return place == DD_NO_PLACE ? DD_EXPR_NONE : f->rate[place];
}

/* Per place: is its rate asked for? Where derivatives are given, the value and these derivatives need no rates
 * themselves. */
static uint8_t *mark_needed(const forward *f, const dd_expr *exprs, uint32_t n)
{
    const dd_dag *dag = f->dag;
    uint8_t *needed = dd_block_resize(dag->pool, NULL, (size_t)f->walk.n + 1);
    memset(needed, 0, (size_t)f->walk.n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = exprs[i] != DD_EXPR_NONE ? dd_walk_place(dag, &f->walk, exprs[i]) : DD_NO_PLACE;
        if (place != DD_NO_PLACE) {
            needed[place] = 1;
        }
    }
    /* from the roots down: users are visited before their arguments */
    for (uint32_t i = f->walk.n; i-- > 0;) {
        dd_expr e = f->walk.nodes[i];
        /* of a derived value only its arguments (odd places) matter */
        bool derived = dd_is_op(dag, e, DD_OP_DERIVED);
        for (uint32_t k = derived; needed[i] && k < dag->nodes[e].n; k += 1 + derived) {
            uint32_t place = dd_walk_place(dag, &f->walk, dd_args_of(dag, e)[k]);
            if (place != DD_NO_PLACE) {
                needed[place] = 1;
            }
        }
    }
    return needed;
}

static dd_expr or_zero(const forward *f, dd_expr e)
{
    return e == DD_EXPR_NONE ? f->dag->zero : e;
}

static dd_expr none_for_zero(const forward *f, dd_expr e)
{
    return e == f->dag->zero ? DD_EXPR_NONE : e;
}

/* factor*rate. A rate that is zero on one side of a selection stays zero there, whatever the factor is (it may be
 * infinite or undefined). */
static dd_expr times_rate(const forward *f, dd_expr factor, dd_expr rate, int depth)
{
    dd_dag *dag = f->dag;
    /* not a selection, or nested too deeply to follow */
    if (depth == DEEPEST_SELECT || !dd_is_op(dag, rate, DD_OP_IF)) {
        return dd_mul(dag, factor, rate);
    }
    dd_expr c = dd_args_of(dag, rate)[0], a = dd_args_of(dag, rate)[1], b = dd_args_of(dag, rate)[2];
    if (a != dag->zero && b != dag->zero) {
        return dd_mul(dag, factor, rate);
    }
    /* the factor goes into the sides that are not zero */
    a = a == dag->zero ? a : times_rate(f, factor, a, depth + 1);
    b = b == dag->zero ? b : times_rate(f, factor, b, depth + 1);
    return dd_if(dag, c, a, b);
}

/* sum over i of rate(arg i) */
static void add_rates(forward *f, const dd_args_copy *args)
{
    for (uint32_t i = 0; i < args->n; i++) {
        dd_expr rate = rate_of(f, args->data[i]);
        if (rate != DD_EXPR_NONE) {
            dd_vec_push(f->dag->pool, &f->sum, rate);
        }
    }
}

/* sum over i of rate(factor i) * product of the other factors */
static void product_rates(forward *f, dd_args_copy *factors)
{
    for (uint32_t i = 0; i < factors->n; i++) {
        dd_expr factor = factors->data[i], rate = rate_of(f, factor);
        if (rate != DD_EXPR_NONE) {
            /* d(abc) = sum over i of the product with factor i replaced; selections are kept outside it */
            factors->data[i] = dd_is_op(f->dag, rate, DD_OP_IF) ? f->dag->one : rate;
            dd_expr term = dd_product(f->dag, factors->data, factors->n);
            term = dd_is_op(f->dag, rate, DD_OP_IF) ? times_rate(f, term, rate, 0) : term;
            factors->data[i] = factor;
            dd_vec_push(f->dag->pool, &f->sum, term);
        }
    }
}

static void function_rates(forward *f, dd_expr e, const dd_args_copy *args)
{
    bool derived = dd_is_op(f->dag, e, DD_OP_DERIVED); /* only its odd arguments matter */
    /* df = sum of partial times rate */
    for (uint32_t i = derived; i < args->n; i += 1 + derived) {
        dd_expr rate = rate_of(f, args->data[i]);
        if (rate != DD_EXPR_NONE) {
            dd_vec_push(f->dag->pool, &f->sum, times_rate(f, dd_local_partial(f->dag, e, i), rate, 0));
        }
    }
}

static dd_expr select_rate(forward *f, dd_expr e, const dd_args_copy *args)
{
    dd_op op = dd_op_at(f->dag, e);
    if (op == DD_OP_IF) {
        /* branches are differentiated, the condition is not */
        return dd_if(f->dag, args->data[0], or_zero(f, rate_of(f, args->data[1])),
                     or_zero(f, rate_of(f, args->data[2])));
    }
    dd_expr a = or_zero(f, rate_of(f, args->data[0])), b = or_zero(f, rate_of(f, args->data[1]));
    if (op == DD_OP_HOMOTOPY) {
        return dd_binary(f->dag, op, a, b);
    }
    /* min: a <= b, max: b <= a */
    dd_expr first = dd_binary(f->dag, DD_OP_LE, args->data[op == DD_OP_MAX], args->data[op == DD_OP_MIN]);
    return dd_if(f->dag, first, a, b);
}

static dd_expr node_rate(forward *f, dd_expr e)
{
    dd_op op = dd_op_at(f->dag, e);
    dd_args_copy args;
    dd_expr rate;
    dd_args_copy_new(&args, f->dag, e);
    f->sum.len = 0;
    /* selections keep their condition; all other operations are sums of terms */
    if (op == DD_OP_IF || op == DD_OP_MIN || op == DD_OP_MAX || op == DD_OP_HOMOTOPY) {
        rate = select_rate(f, e, &args);
    } else {
        if (op == DD_OP_ADD) {
            add_rates(f, &args);
        } else if (op == DD_OP_MUL) {
            product_rates(f, &args);
        } else {
            function_rates(f, e, &args);
        }
        rate = dd_sum(f->dag, f->sum.data, f->sum.len);
        rate = op == DD_OP_NOEVENT ? dd_unary(f->dag, op, rate) : rate; /* relations in it make no events either */
    }
    dd_args_copy_free(&args, f->dag);
    return none_for_zero(f, rate);
}

static bool has_rate(const forward *f, dd_expr e)
{
    const dd_expr *args = dd_args_of(f->dag, e);
    for (uint32_t i = 0; i < f->dag->nodes[e].n; i++) {
        if (rate_of(f, args[i]) != DD_EXPR_NONE) {
            return true;
        }
    }
    return false;
}

static forward open_forward(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_expr lowest)
{
    forward f = {.dag = dag, .walk = dd_walk_new(dag, exprs, n, lowest)};
    f.rate = dd_block_resize(dag->pool, NULL, ((size_t)f.walk.n + 1) * sizeof *f.rate);
    return f;
}

/* Given the rates of the leaves, those of all other nodes; writes those of the expressions and frees the work. */
static void run_forward(forward *f, const dd_expr *exprs, uint32_t n, dd_expr *out)
{
    dd_dag *dag = f->dag;
    /* without derived values every rate is needed */
    uint8_t *needed = dag->has_derived ? mark_needed(f, exprs, n) : NULL;
    for (uint32_t i = 0; i < f->walk.n; i++) {
        dd_expr e = f->walk.nodes[i];
        if (dag->nodes[e].n > 0) {
            bool wanted = needed == NULL || needed[i];
            f->rate[i] = wanted && has_rate(f, e) ? node_rate(f, e) : DD_EXPR_NONE;
        }
    }
    dd_block_free(dag->pool, needed);
    /* a rate that is not there is zero */
    for (uint32_t i = 0; i < n; i++) {
        out[i] = exprs[i] != DD_EXPR_NONE ? or_zero(f, rate_of(f, exprs[i])) : DD_EXPR_NONE;
    }
    dd_block_free(dag->pool, f->rate);
    dd_vec_free(dag->pool, &f->sum);
    dd_walk_free(dag, &f->walk);
}

void dd_total_derivatives(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_rate_rule rule, void *user, dd_expr *out)
{
    forward f = open_forward(dag, exprs, n, 0);
    /* leaves: time advances, variables follow the rule or become their next derivative, parameters stay */
    for (uint32_t i = 0; i < f.walk.n; i++) {
        dd_node node = dag->nodes[f.walk.nodes[i]];
        f.rate[i] = DD_EXPR_NONE;
        if (node.op == DD_OP_TIME) {
            f.rate[i] = dag->one;
        } else if (node.op == DD_OP_VAR) {
            dd_expr rate = rule != NULL ? rule(user, node.a, node.b) : DD_EXPR_NONE;
            f.rate[i] = rate != DD_EXPR_NONE ? none_for_zero(&f, rate) : dd_var(dag, node.a, node.b + 1);
        }
    }
    dd_walk_refresh(dag, &f.walk); /* the rule may have walked */
    run_forward(&f, exprs, n, out);
}

dd_expr dd_total_derivative(dd_dag *dag, dd_expr e, dd_rate_rule rule, void *user)
{
    dd_expr out;
    dd_total_derivatives(dag, &e, 1, rule, user, &out);
    return out;
}

void dd_directional(dd_dag *dag, const dd_expr *exprs, uint32_t n, const dd_expr *symbols, const dd_expr *seeds,
                    uint32_t n_symbols, dd_expr *out)
{
    dd_expr lowest = UINT32_MAX;
    /* nodes below the lowest symbol cannot depend on any */
    for (uint32_t i = 0; i < n_symbols; i++) {
        lowest = symbols[i] < lowest ? symbols[i] : lowest;
    }
    forward f = open_forward(dag, exprs, n, lowest);
    for (uint32_t i = 0; i < f.walk.n; i++) {
        f.rate[i] = DD_EXPR_NONE;
    }
    /* seeds at the symbols, zero everywhere else */
    for (uint32_t i = 0; i < n_symbols; i++) {
        uint32_t place = dd_walk_place(dag, &f.walk, symbols[i]);
        if (place != DD_NO_PLACE) {
            f.rate[place] = none_for_zero(&f, seeds[i]);
        }
    }
    run_forward(&f, exprs, n, out);
}

dd_expr dd_diff(dd_dag *dag, dd_expr e, dd_expr symbol)
{
    dd_expr out;
    dd_directional(dag, &e, 1, &symbol, &dag->one, 1, &out);
    return out;
}
