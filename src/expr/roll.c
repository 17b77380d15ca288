/* roll.c - sums over array elements back to products of arrays.
 *
 * In each term number*rest*x[i]*y[i] every pair of factors that are elements i of two arrays of one size is a candidate
 * for the family (number, rest, x, y). A family that has met as many candidates as the arrays have elements is
 * complete, because equal candidates would be equal terms, which a sum has only once. */
#include <assert.h>

#include "expr/roll.h"

#include "base/hash.h"
#include "expr/dag_impl.h"
#include "expr/sort.h"

#define MOST_FACTORS 16 /* terms with more factors are left as they are */

/* An element of an array: key is equal for all elements of one array and order of derivative. */
typedef struct element {
    uint64_t key;
    uint32_t index, size;
} element;

typedef struct family {
    uint32_t size, count, last; /* last: place + 1 of its newest candidate */
    dd_expr number, rest, a, b; /* a, b: elements 0 */
} family;

typedef struct candidate {
    uint32_t term, previous;
} candidate;

typedef struct roll {
    dd_dag *dag;
    dd_pool *pool;
    const dd_namer *namer;
    dd_map arrays, pairs, heads, families; /* keys of growing tuples -> number from 1 */
    uint32_t n_names;
    DD_VEC(family) list;
    DD_VEC(candidate) candidates;
} roll;

static bool find_element(const roll *r, dd_expr symbol, element *out)
{
    dd_node node = r->dag->nodes[symbol];
    uint32_t array;
    bool is_param = node.op == DD_OP_PARAM;
    /* elements of one-dimensional arrays with at least two of them */
    if ((!is_param && node.op != DD_OP_VAR) ||
        !r->namer->element(r->namer->user, is_param, node.a, &array, &out->index, &out->size) || out->size < 2) {
        return false;
    }
    /* parameters first, then by array and derivative: this is also the order in print */
    out->key = (uint64_t)!is_param << 63 | (uint64_t)array << 24 | (node.b & 0xffffff);
    return true;
}

/* A number for a pair of numbers, in one of the maps. */
static uint32_t name_of(roll *r, dd_map *map, uint64_t key)
{
    uint32_t name = dd_map_get(map, key);
    if (name == 0) {
        name = ++r->n_names;
        dd_map_put(map, key, name);
    }
    return name;
}

static void add_candidate(roll *r, uint32_t term, dd_expr number, dd_expr rest, const element *x, const element *y,
                          dd_expr a, dd_expr b)
{
    /* tuples become numbers, two at a time: (x, y), (number, rest), then both */
    uint64_t pair =
        name_of(r, &r->pairs, (uint64_t)name_of(r, &r->arrays, x->key) << 32 | name_of(r, &r->arrays, y->key));
    uint64_t head = name_of(r, &r->heads, (uint64_t)number << 32 | rest);
    uint64_t key = pair << 32 | head;
    uint32_t place = dd_map_get(&r->families, key);
    if (place == 0) {
        dd_vec_push(r->pool, &r->list, (family){.size = x->size, .number = number, .rest = rest});
        place = r->list.len;
        dd_map_put(&r->families, key, place);
    }
    assert(r->list.data != NULL);
    /* candidates of a family are chained */
    family *f = &r->list.data[place - 1];
    f->count++;
    dd_vec_push(r->pool, &r->candidates, (candidate){term, f->last});
    f->last = r->candidates.len;
    /* element 0 represents the array in print */
    if (x->index == 0) {
        f->a = a;
        f->b = b;
    }
}

/* The product of the factors other than i and k; DD_EXPR_NONE when there are none. */
static dd_expr others(roll *r, const dd_expr *factors, uint32_t n, uint32_t i, uint32_t k)
{
    dd_expr left[MOST_FACTORS];
    uint32_t m = 0;
    for (uint32_t j = 0; j < n; j++) {
        if (j != i && j != k) {
            left[m++] = factors[j];
        }
    }
    return m == 0 ? DD_EXPR_NONE : dd_product(r->dag, left, m);
}

static bool is_square(const dd_dag *dag, dd_expr e)
{
    return dd_is_op(dag, e, DD_OP_POW) && dd_is_num(dag, dag->nodes[e].b, 2);
}

static void find_pairs(roll *r, uint32_t term, dd_expr number, dd_expr rest)
{
    dd_expr factors[MOST_FACTORS];
    bool many = dd_is_op(r->dag, rest, DD_OP_MUL);
    uint32_t n = many ? r->dag->nodes[rest].n : 1;
    if (n > MOST_FACTORS) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        factors[i] = many ? dd_args_of(r->dag, rest)[i] : rest;
    }
    for (uint32_t i = 0; i < n; i++) {
        element x, y;
        /* x[i]^2 belongs to the pair (x, x) */
        if (is_square(r->dag, factors[i]) && find_element(r, r->dag->nodes[factors[i]].a, &x)) {
            dd_expr a = r->dag->nodes[factors[i]].a;
            add_candidate(r, term, number, others(r, factors, n, i, i), &x, &x, a, a);
        }
        /* x[i]*y[i], in the order in which they are printed */
        for (uint32_t k = i + 1; k < n && find_element(r, factors[i], &x); k++) {
            if (!find_element(r, factors[k], &y) || y.index != x.index || y.size != x.size) {
                continue;
            }
            dd_expr rest_of_term = others(r, factors, n, i, k);
            if (x.key < y.key) {
                add_candidate(r, term, number, rest_of_term, &x, &y, factors[i], factors[k]);
            } else {
                add_candidate(r, term, number, rest_of_term, &y, &x, factors[k], factors[i]);
            }
        }
    }
}

/* Takes the complete families whose terms are all still free, in the order they were met. The first term of a family
 * becomes the joined one, the others vanish (number DD_EXPR_NONE). */
static void join_families(roll *r, dd_term *terms)
{
    for (uint32_t i = 0; i < r->list.len; i++) {
        family f = r->list.data[i];
        /* complete, and its first elements known */
        bool taken = f.count != f.size || f.a == DD_EXPR_NONE;
        uint32_t first = UINT32_MAX;
        /* a term serves one family only */
        for (uint32_t c = f.last; c != 0 && !taken; c = r->candidates.data[c - 1].previous) {
            uint32_t term = r->candidates.data[c - 1].term;
            taken = terms[term].number == DD_EXPR_NONE || terms[term].a != DD_EXPR_NONE;
            first = term < first ? term : first;
        }
        /* all but the first vanish */
        for (uint32_t c = f.last; c != 0 && !taken; c = r->candidates.data[c - 1].previous) {
            terms[r->candidates.data[c - 1].term].number = DD_EXPR_NONE;
        }
        if (!taken) {
            terms[first] = (dd_term){f.number, f.rest, f.a, f.b};
        }
    }
}

static void join_arrays(dd_dag *dag, const dd_namer *namer, dd_term_vec *terms, dd_pool *pool)
{
    roll r = {.dag = dag, .pool = dd_pool_child(pool), .namer = namer};
    r.arrays = dd_map_new(r.pool);
    r.pairs = dd_map_new(r.pool);
    r.heads = dd_map_new(r.pool);
    r.families = dd_map_new(r.pool);
    /* families of all terms, then those that are complete */
    for (uint32_t i = 0; i < terms->len; i++) {
        if (terms->data[i].rest != DD_EXPR_NONE) {
            find_pairs(&r, i, terms->data[i].number, terms->data[i].rest);
        }
    }
    join_families(&r, terms->data);
    dd_pool_free(r.pool);
    /* close the gaps */
    uint32_t out = 0;
    for (uint32_t i = 0; i < terms->len; i++) {
        if (terms->data[i].number != DD_EXPR_NONE) {
            terms->data[out++] = terms->data[i];
        }
    }
    terms->len = out;
}

/* The terms sorted by their rests, that is as these were first written, whatever their numbers; returns the plain
 * number among them. */
static dd_expr take_terms(dd_dag *dag, dd_expr sum, dd_term_vec *out, dd_pool *pool)
{
    uint32_t n = dag->nodes[sum].n;
    uint64_t *keys = dd_block_resize(pool, NULL, n * sizeof *keys);
    /* sorted by rest */
    for (uint32_t i = 0; i < n; i++) {
        dd_expr rest, number = dd_term_split(dag, dd_args_of(dag, sum)[i], &rest);
        keys[i] = (uint64_t)rest << 32 | number;
    }
    dd_sort_u64(keys, n);
    /* the plain number is printed last */
    dd_expr constant = DD_EXPR_NONE;
    for (uint32_t i = 0; i < n; i++) {
        dd_term t = {.number = (dd_expr)keys[i], .rest = (dd_expr)(keys[i] >> 32)};
        if (t.rest == DD_EXPR_NONE) {
            constant = t.number;
        } else {
            dd_vec_push(pool, out, t);
        }
    }
    dd_block_free(pool, keys);
    return constant;
}

void dd_roll(dd_dag *dag, dd_expr sum, const dd_namer *namer, dd_term_vec *out, dd_pool *pool)
{
    out->len = 0;
    dd_expr constant = take_terms(dag, sum, out, pool);
    if (namer->element != NULL && namer->array_name != NULL && out->len > 1) {
        join_arrays(dag, namer, out, pool);
    }
    if (constant != DD_EXPR_NONE) {
        dd_vec_push(pool, out, (dd_term){.number = constant});
    }
}
