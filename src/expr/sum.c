/* sum.c - canonical sums. Every term is split into number*rest; the pairs are sorted by rest, equal rests are
 * collected, and the surviving terms are sorted by index: O(n log n) in the number of flattened terms. */
#include "expr/dag_impl.h"

#include <math.h>
#include <string.h>

#include "expr/sort.h"

#define SMALL 48
#define LOW32 0xffffffffu

/* Numbers that are not exact may cancel to rounding noise; a sum this small against its parts is taken as zero. */
#define CANCELLED 8.9e-16

typedef struct work {
    dd_expr *terms; /* flattened input terms, then the collected ones */
    uint64_t *keys; /* rest << 32 | place in terms */
    dd_expr small_terms[SMALL];
    uint64_t small_keys[SMALL];
} work;

dd_expr dd_scale_term(dd_dag *dag, dd_expr number, dd_expr rest)
{
    /* 1*t is t; a number times an undefined value stays undefined */
    if (number == dag->one || dd_divides_by_zero(dag, rest)) {
        return rest;
    }
    if (!dd_is_op(dag, rest, DD_OP_MUL)) {
        return dd_intern(dag, DD_OP_MUL, (dd_expr[]){number, rest}, 2);
    }
    /* the number goes in front of the factors */
    dd_args_copy factors;
    dd_args_copy_new(&factors, dag, rest);
    dd_expr small[DD_SMALL_ARGS + 1];
    dd_expr *all = small;
    if (factors.n > DD_SMALL_ARGS) {
        all = dd_block_resize(dag->pool, NULL, ((size_t)factors.n + 1) * sizeof *all);
    }
    all[0] = number;
    memcpy(all + 1, factors.data, factors.n * sizeof *all);
    dd_expr e = dd_intern(dag, DD_OP_MUL, all, factors.n + 1);
    if (all != small) {
        dd_block_free(dag->pool, all);
    }
    dd_args_copy_free(&factors, dag);
    return e;
}

static uint64_t flattened_count(const dd_dag *dag, const dd_expr *terms, uint32_t n)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        total += dd_is_op(dag, terms[i], DD_OP_ADD) ? dag->nodes[terms[i]].n : 1;
    }
    return total;
}

static void open_work(work *w, dd_dag *dag, uint64_t n)
{
    w->terms = w->small_terms;
    w->keys = w->small_keys;
    if (n > SMALL) {
        if (n > UINT32_MAX / 2) {
            dd_raise(dag->ctx, DD_LIMIT, "a sum has more than 2^31 terms");
        }
        w->terms = dd_block_resize(dag->pool, NULL, n * sizeof *w->terms);
        w->keys = dd_block_resize(dag->pool, NULL, n * sizeof *w->keys);
    }
}

static void close_work(work *w, dd_dag *dag)
{
    if (w->terms != w->small_terms) {
        dd_block_free(dag->pool, w->keys);
        dd_block_free(dag->pool, w->terms);
    }
}

/* The terms, with those of sums among them. */
static void flatten(const dd_dag *dag, const dd_expr *terms, uint32_t n, dd_expr *out)
{
    for (uint32_t i = 0; i < n; i++) {
        if (dd_is_op(dag, terms[i], DD_OP_ADD)) {
            memcpy(out, dd_args_of(dag, terms[i]), dag->nodes[terms[i]].n * sizeof *out);
            out += dag->nodes[terms[i]].n;
        } else {
            *out++ = terms[i];
        }
    }
}

/* The sum of the numbers in front of terms with one rest. */
static dd_expr collect_numbers(dd_dag *dag, const work *w, uint32_t begin, uint32_t end)
{
    dd_expr rest;
    /* exact as long as all numbers are */
    dd_ratio sum = dd_ratio_at(dag, dd_term_split(dag, w->terms[w->keys[begin] & LOW32], &rest));
    double bulk = fabs(sum.value);
    bool inexact = sum.den == 0;
    /* bulk is the sum of sizes, against which cancellation is judged */
    for (uint32_t i = begin + 1; i < end; i++) {
        dd_ratio next = dd_ratio_at(dag, dd_term_split(dag, w->terms[w->keys[i] & LOW32], &rest));
        sum = dd_ratio_add(sum, next);
        bulk += fabs(next.value);
        inexact = inexact || sum.den == 0 || next.den == 0;
    }
    if (inexact && fabs(sum.value) <= CANCELLED * bulk) {
        return dag->zero;
    }
    return dd_intern_number(dag, sum);
}

/* Collects runs of equal rests; returns how many terms are left, written as sort keys (a number sorts first). */
static uint32_t collect(dd_dag *dag, work *w, uint32_t n)
{
    uint32_t out = 0;
    /* a run of terms with equal rests */
    for (uint32_t i = 0, end; i < n; i = end) {
        dd_expr rest = (dd_expr)(w->keys[i] >> 32), term = w->terms[w->keys[i] & LOW32];
        for (end = i + 1; end < n && w->keys[end] >> 32 == rest; end++) {
        }
        if (end - i > 1) {
            dd_expr number = collect_numbers(dag, w, i, end);
            term = rest == DD_EXPR_NONE ? number : number == dag->zero ? number : dd_scale_term(dag, number, rest);
        }
        /* numbers sort first, terms by index */
        if (term != dag->zero) {
            w->keys[out++] = dd_is_op(dag, term, DD_OP_NUM) ? term : (UINT64_C(1) << 32) | term;
        }
    }
    return out;
}

/* Sorts the keys of finished terms and makes the node. */
static dd_expr finish(dd_dag *dag, work *w, uint32_t n)
{
    if (n == 0) {
        return dag->zero;
    }
    dd_sort_u64(w->keys, n);
    for (uint32_t i = 0; i < n; i++) {
        w->terms[i] = (dd_expr)(w->keys[i] & LOW32);
    }
    return n == 1 ? w->terms[0] : dd_intern(dag, DD_OP_ADD, w->terms, n);
}

dd_expr dd_sum(dd_dag *dag, const dd_expr *terms, uint32_t n)
{
    if (n <= 1) {
        return n == 1 ? terms[0] : dag->zero;
    }
    work w;
    uint32_t total = (uint32_t)flattened_count(dag, terms, n);
    open_work(&w, dag, flattened_count(dag, terms, n));
    flatten(dag, terms, n, w.terms);
    dd_expr e = DD_EXPR_NONE;
    /* an undefined term makes the whole sum undefined */
    for (uint32_t i = 0; i < total; i++) {
        dd_expr rest;
        dd_term_split(dag, w.terms[i], &rest);
        w.keys[i] = (uint64_t)rest << 32 | i;
        e = dd_divides_by_zero(dag, w.terms[i]) ? w.terms[i] : e;
    }
    if (e == DD_EXPR_NONE) {
        /* equal rests become neighbours */
        dd_sort_u64(w.keys, total);
        e = finish(dag, &w, collect(dag, &w, total));
    }
    close_work(&w, dag);
    return e;
}

/* number*(sum), multiplied out: the rests stay distinct, so only the order must be made again. */
static dd_expr scale_sum(dd_dag *dag, dd_expr number, dd_expr sum)
{
    work w;
    uint32_t n = dag->nodes[sum].n, out = 0;
    open_work(&w, dag, n);
    for (uint32_t i = 0; i < n; i++) {
        dd_expr rest, old = dd_term_split(dag, dd_args_of(dag, sum)[i], &rest);
        dd_expr c = dd_intern_number(dag, dd_ratio_mul(dd_ratio_at(dag, number), dd_ratio_at(dag, old)));
        if (c != dag->zero) { /* doubles may underflow */
            w.keys[out++] = rest == DD_EXPR_NONE ? c : (UINT64_C(1) << 32) | dd_scale_term(dag, c, rest);
        }
    }
    dd_expr e = finish(dag, &w, out);
    close_work(&w, dag);
    return e;
}

/* The largest positive rational that divides all numbers of the sum to integers: gcd of the numerators over the lcm of
 * the denominators; 1 when a number is not exact or the lcm too long. */
static dd_ratio content_of(const dd_dag *dag, dd_expr sum)
{
    /* gcd of numerators, lcm of denominators */
    uint64_t top = 0, bottom = 1;
    for (uint32_t i = 0; i < dag->nodes[sum].n; i++) {
        dd_expr rest;
        dd_ratio c = dd_ratio_at(dag, dd_term_split(dag, dd_args_of(dag, sum)[i], &rest));
        if (c.den == 0) {
            return dd_ratio_of(1, 1);
        }
        top = dd_gcd(top, c.num < 0 ? 0u - (uint64_t)c.num : (uint64_t)c.num);
        if (__builtin_mul_overflow(bottom, (uint64_t)c.den / dd_gcd(bottom, (uint64_t)c.den), &bottom) ||
            bottom > INT64_MAX) {
            return dd_ratio_of(1, 1);
        }
    }
    return dd_ratio_of((int64_t)top, (int64_t)bottom);
}

/* The result is remembered in the free field b of a node with its arguments elsewhere. */
dd_expr dd_primitive(dd_dag *dag, dd_expr sum, dd_ratio *content)
{
    /* known from an earlier call */
    dd_node node = dag->nodes[sum];
    *content = dd_ratio_of(1, 1);
    if (node.n > 2 && node.b == sum) {
        return sum;
    }
    *content = content_of(dag, sum);
    dd_expr primitive = node.n > 2 ? node.b : DD_EXPR_NONE;
    /* sum/content */
    dd_ratio inverse;
    if (dd_ratio_is(*content, 1)) {
        primitive = sum;
    } else if (primitive == DD_EXPR_NONE && dd_ratio_power(*content, dd_ratio_of(-1, 1), &inverse)) {
        primitive = scale_sum(dag, dd_intern_number(dag, inverse), sum);
    }
    if (node.n > 2) {
        dag->nodes[sum].b = primitive;
    }
    return primitive;
}

dd_expr dd_scale(dd_dag *dag, dd_expr number, dd_expr e)
{
    /* trivial numbers, sums, then single terms */
    if (number == dag->zero || number == dag->one) {
        return number == dag->zero ? number : e;
    }
    if (dd_is_op(dag, e, DD_OP_ADD)) {
        return scale_sum(dag, number, e);
    }
    dd_expr rest, old = dd_term_split(dag, e, &rest);
    dd_expr c = dd_intern_number(dag, dd_ratio_mul(dd_ratio_at(dag, number), dd_ratio_at(dag, old)));
    return rest == DD_EXPR_NONE || c == dag->zero ? c : dd_scale_term(dag, c, rest);
}

dd_expr dd_add(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_sum(dag, (dd_expr[]){a, b}, 2);
}

dd_expr dd_neg(dd_dag *dag, dd_expr a)
{
    return dd_scale(dag, dag->minus_one, a);
}

dd_expr dd_sub(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_sum(dag, (dd_expr[]){a, dd_neg(dag, b)}, 2);
}
