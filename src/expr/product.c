/* product.c - canonical products and powers. Factors are taken as base^exponent, sorted by base, equal bases collected.
 *
 *   x^a * x^b -> x^(a+b)          (x*y)^k -> x^k * y^k  for integers k;  (2*a + 2*b)*x -> 2*(a + b)*x
 *   (x^a)^k   -> x^(a*k)          for integers k, and for any k when a is odd or no integer (then x^a is undefined or
 *                                 negative for x < 0 exactly where x^(a*k) is); (x^2)^(1/2) stays
 */
#include "expr/dag_impl.h"

#include <string.h>

#include "expr/sort.h"

#define SMALL 32
#define LOW32 0xffffffffu

typedef struct work {
    dd_expr *factors;
    uint64_t *keys; /* base << 32 | place in factors */
    uint32_t n;     /* factors held */
    dd_ratio number;
    dd_expr undefined; /* a division by the number zero: nothing else matters then */
    dd_expr small_factors[SMALL];
    uint64_t small_keys[SMALL];
} work;

static dd_expr split_power(const dd_dag *dag, dd_expr factor, dd_expr *exponent)
{
    if (dd_is_op(dag, factor, DD_OP_POW)) {
        *exponent = dag->nodes[factor].b;
        return dag->nodes[factor].a;
    }
    *exponent = dag->one;
    return factor;
}

static uint64_t flattened_count(const dd_dag *dag, const dd_expr *factors, uint32_t n)
{
    uint64_t total = 0;
    /* products among the factors are taken apart */
    for (uint32_t i = 0; i < n; i++) {
        total += dd_is_op(dag, factors[i], DD_OP_MUL) ? dag->nodes[factors[i]].n : 1;
    }
    return total;
}

static void open_work(work *w, dd_dag *dag, uint64_t n)
{
    w->factors = w->small_factors;
    w->keys = w->small_keys;
    w->n = 0;
    /* the number in front, collected while factors are taken */
    w->number = dd_ratio_of(1, 1);
    w->undefined = DD_EXPR_NONE;
    if (n > SMALL) {
        if (n > UINT32_MAX / 2) {
            dd_raise(dag->ctx, DD_LIMIT, "a product has more than 2^31 factors");
        }
        w->factors = dd_block_resize(dag->pool, NULL, n * sizeof *w->factors);
        w->keys = dd_block_resize(dag->pool, NULL, n * sizeof *w->keys);
    }
}

static void close_work(work *w, dd_dag *dag)
{
    if (w->factors != w->small_factors) {
        dd_block_free(dag->pool, w->keys);
        dd_block_free(dag->pool, w->factors);
    }
}

static void take_factor(work *w, dd_dag *dag, dd_expr factor)
{
    /* numbers multiply at once */
    if (dd_is_op(dag, factor, DD_OP_NUM)) {
        w->number = dd_ratio_mul(w->number, dd_ratio_at(dag, factor));
        return;
    }
    /* a sum gives its common number away, so that equal sums are equal factors */
    if (dd_is_op(dag, factor, DD_OP_ADD)) {
        dd_ratio content;
        factor = dd_primitive(dag, factor, &content);
        w->number = dd_ratio_mul(w->number, content);
    }
    /* 0^(-1): the whole product is undefined */
    if (dd_divides_by_zero(dag, factor)) {
        w->undefined = factor;
    }
    w->factors[w->n++] = factor;
}

static void take_factors(work *w, dd_dag *dag, const dd_expr *factors, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (dd_is_op(dag, factors[i], DD_OP_MUL)) {
            for (uint32_t k = 0; k < dag->nodes[factors[i]].n; k++) {
                take_factor(w, dag, dd_args_of(dag, factors[i])[k]);
            }
        } else {
            take_factor(w, dag, factors[i]);
        }
    }
}

/* base^(sum of the exponents of keys[begin..end-1]) */
static dd_expr collect_powers(dd_dag *dag, const work *w, uint32_t begin, uint32_t end)
{
    uint32_t n = end - begin;
    dd_expr small[SMALL], base = (dd_expr)(w->keys[begin] >> 32);
    dd_expr *exponents = n <= SMALL ? small : dd_block_resize(dag->pool, NULL, n * sizeof *exponents);
    /* x^a x^b x^c = x^(a + b + c) */
    for (uint32_t i = 0; i < n; i++) {
        split_power(dag, w->factors[w->keys[begin + i] & LOW32], &exponents[i]);
    }
    dd_expr exponent = dd_sum(dag, exponents, n);
    if (exponents != small) {
        dd_block_free(dag->pool, exponents);
    }
    return dd_pow(dag, base, exponent);
}

/* May this collected power of a base remain in the product as it is? */
static bool remains(dd_dag *dag, dd_expr factor, dd_expr base)
{
    dd_expr exponent;
    dd_ratio content;
    /* a power that became a number, a product or a power of another base must be collected once more */
    if (dd_is_op(dag, factor, DD_OP_ADD)) {
        return factor == base && dd_primitive(dag, factor, &content) == factor;
    }
    return !dd_is_op(dag, factor, DD_OP_NUM) && !dd_is_op(dag, factor, DD_OP_MUL) &&
           split_power(dag, factor, &exponent) == base;
}

/* Collects equal bases in place. False when a collected power was not a plain power of its base any more (a number, a
 * product, another base): then the factors must be collected once more. */
static bool collect(dd_dag *dag, work *w)
{
    bool settled = true;
    uint32_t out = 0;
    /* base in the upper half: sorting brings equal bases together */
    for (uint32_t i = 0; i < w->n; i++) {
        dd_expr exponent;
        w->keys[i] = (uint64_t)split_power(dag, w->factors[i], &exponent) << 32 | i;
    }
    dd_sort_u64(w->keys, w->n);
    for (uint32_t i = 0, end; i < w->n; i = end) {
        dd_expr base = (dd_expr)(w->keys[i] >> 32), factor = w->factors[w->keys[i] & LOW32];
        /* the run of this base */
        for (end = i + 1; end < w->n && w->keys[end] >> 32 == base; end++) {
        }
        if (end - i > 1) {
            factor = collect_powers(dag, w, i, end);
            settled = remains(dag, factor, base) && settled;
        }
        w->keys[out++] = factor;
    }
    /* canonical order: by index */
    dd_sort_u64(w->keys, out);
    w->n = out;
    for (uint32_t i = 0; i < out; i++) {
        w->factors[i] = (dd_expr)w->keys[i];
    }
    return settled;
}

static dd_expr finish(dd_dag *dag, work *w)
{
    /* 0*x is 0 wherever x is defined */
    if (w->n == 0 || dd_ratio_is(w->number, 0)) {
        return dd_intern_number(dag, w->number);
    }
    if (w->undefined != DD_EXPR_NONE) {
        return w->undefined;
    }
    dd_expr rest = w->n == 1 ? w->factors[0] : dd_intern(dag, DD_OP_MUL, w->factors, w->n);
    return dd_ratio_is(w->number, 1) ? rest : dd_scale(dag, dd_intern_number(dag, w->number), rest);
}

dd_expr dd_product(dd_dag *dag, const dd_expr *factors, uint32_t n)
{
    if (n <= 1) {
        return n == 1 ? factors[0] : dag->one;
    }
    work w;
    open_work(&w, dag, flattened_count(dag, factors, n));
    /* flatten, collect, and again while collecting made new factors */
    take_factors(&w, dag, factors, n);
    while (w.undefined == DD_EXPR_NONE &&
           !collect(dag, &w)) { /* a round that is not the last has joined factors, so this ends */
        work again;
        open_work(&again, dag, flattened_count(dag, w.factors, w.n));
        again.number = w.number;
        take_factors(&again, dag, w.factors, w.n);
        close_work(&w, dag);
        w = again;
        /* the copy's pointers must not lead to the old buffers */
        if (again.factors == again.small_factors) {
            w.factors = w.small_factors;
            w.keys = w.small_keys;
        }
    }
    dd_expr e = finish(dag, &w);
    close_work(&w, dag);
    return e;
}

dd_expr dd_mul(dd_dag *dag, dd_expr a, dd_expr b)
{
    if (dd_is_op(dag, a, DD_OP_NUM)) {
        return dd_scale(dag, a, b);
    }
    if (dd_is_op(dag, b, DD_OP_NUM)) {
        return dd_scale(dag, b, a);
    }
    return dd_product(dag, (dd_expr[]){a, b}, 2);
}

dd_expr dd_div(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_mul(dag, a, dd_pow(dag, b, dag->minus_one));
}

/* ---- powers ---- */

static bool is_integer(const dd_dag *dag, dd_expr e)
{
    return dd_is_op(dag, e, DD_OP_NUM) && dd_ratio_is_integer(dd_ratio_at(dag, e));
}

/* (x^inner)^outer = x^(inner*outer) wherever the left side is defined? */
static bool powers_merge(const dd_dag *dag, dd_expr inner, dd_expr outer)
{
    if (is_integer(dag, outer)) {
        return true;
    }
    if (!dd_is_op(dag, inner, DD_OP_NUM) || !dd_is_op(dag, outer, DD_OP_NUM)) {
        return false;
    }
    dd_ratio a = dd_ratio_at(dag, inner);
    return a.den > 1 || (a.den == 1 && a.num % 2 != 0);
}

/* (content*primitive)^k = content^k * primitive^k; DD_EXPR_NONE when the sum is primitive already */
static dd_expr power_of_sum(dd_dag *dag, dd_expr base, dd_expr exponent)
{
    dd_ratio content, scale;
    dd_expr primitive = dd_primitive(dag, base, &content);
    if (primitive == base || !dd_ratio_power(content, dd_ratio_at(dag, exponent), &scale)) {
        return DD_EXPR_NONE;
    }
    dd_expr power = dd_intern(dag, DD_OP_POW, (dd_expr[]){primitive, exponent}, 2);
    return dd_scale(dag, dd_intern_number(dag, scale), power);
}

static dd_expr power_of_product(dd_dag *dag, dd_expr base, dd_expr exponent)
{
    dd_args_copy factors;
    dd_args_copy_new(&factors, dag, base);
    for (uint32_t i = 0; i < factors.n; i++) {
        factors.data[i] = dd_pow(dag, factors.data[i], exponent); /* factors are no products: one level only */
    }
    dd_expr e = dd_product(dag, factors.data, factors.n);
    dd_args_copy_free(&factors, dag);
    return e;
}

dd_expr dd_pow(dd_dag *dag, dd_expr base, dd_expr exponent)
{
    /* x^0 = 1^x = 1 */
    if (exponent == dag->zero || base == dag->one) {
        return dag->one;
    }
    if (exponent == dag->one) {
        return base;
    }
    /* numbers: exactly where possible */
    bool base_is_num = dd_is_op(dag, base, DD_OP_NUM), exponent_is_num = dd_is_op(dag, exponent, DD_OP_NUM);
    dd_ratio value;
    if (base_is_num && exponent_is_num && dd_ratio_power(dd_ratio_at(dag, base), dd_ratio_at(dag, exponent), &value)) {
        return dd_intern_number(dag, value);
    }
    if (base == dag->zero && exponent_is_num && dd_ratio_at(dag, exponent).value < 0) {
        exponent = dag->minus_one; /* one way to write a division by zero */
    }
    /* (x^a)^b = x^(a*b) where that is exact */
    if (dd_is_op(dag, base, DD_OP_POW) && powers_merge(dag, dag->nodes[base].b, exponent)) {
        dd_expr inner = dag->nodes[base].a; /* a power of a power has at most one level that does not merge */
        return dd_pow(dag, inner, dd_mul(dag, dag->nodes[base].b, exponent));
    }
    /* (x*y)^k and (c*s)^k for whole k */
    if (dd_is_op(dag, base, DD_OP_MUL) && is_integer(dag, exponent)) {
        return power_of_product(dag, base, exponent);
    }
    if (dd_is_op(dag, base, DD_OP_ADD) && is_integer(dag, exponent)) {
        dd_expr e = power_of_sum(dag, base, exponent);
        if (e != DD_EXPR_NONE) {
            return e;
        }
    }
    return dd_intern(dag, DD_OP_POW, (dd_expr[]){base, exponent}, 2);
}

dd_expr dd_sqrt(dd_dag *dag, dd_expr a)
{
    return dd_pow(dag, a, dd_rational(dag, 1, 2));
}
