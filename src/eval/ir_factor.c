/* ir_factor.c - common factors of the terms of a sum are taken out of it.
 *
 * Derivatives of long computations are long sums of products, in which the same factor comes again and again:
 *
 *     x*y1*z1 + x*y2*z2 + u*v   becomes   x*(y1*z1 + y2*z2) + u*v
 *
 * A product of two factors is added in one operation, so a term of three or more saves one operation when a factor
 * leaves it. The factor that most terms have goes first. Products that are used elsewhere too are one factor: they are
 * computed anyway. */
#include "eval/ir.h"

enum { MOST_FACTORS = 8 };             /* of a term; products of more are left alone */
#define MOST_LOOKS (UINT64_C(1) << 24) /* factors that are counted in all: a tenth of a second */

/* A term of at least three factors. */
typedef struct product {
    uint32_t sign, place; /* place: among the terms of the sum */
    uint32_t n, factor[MOST_FACTORS];
} product;

typedef struct factoring {
    dd_ir *ir;
    dd_pool *pool;
    uint32_t *uses, *count; /* per value; those that are made here are used once and are no common factors */
    uint32_t known;         /* values that were there before */
    DD_VEC(product) products;
    dd_u32_vec terms, inner, touched;
    DD_VEC(dd_ir_item) main;
    uint64_t looks;
} factoring;

static void count_uses(factoring *f)
{
    const dd_ir *ir = f->ir;
    for (uint32_t i = 0; i < ir->main.len + ir->prologue.len; i++) {
        const uint32_t value = i < ir->main.len ? ir->main.data[i].value : ir->prologue.data[i - ir->main.len];
        /* the steps BRANCH and OTHER have the value of their MERGE */
        if (i >= ir->main.len || ir->main.data[i].step == DD_STEP_COMPUTE || ir->main.data[i].step == DD_STEP_MERGE) {
            for (uint32_t k = 0; k < ir->values.data[value].n; k++) {
                f->uses[dd_ir_args(ir, value)[k] & ~DD_SUBTRACT]++;
            }
        }
    }
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        f->uses[ir->outputs[i]] += 2;
    }
}

/* A value op(args) in the scope of the sum at hand. */
static uint32_t make(factoring *f, uint32_t op, const uint32_t *args, uint32_t n, uint32_t scope)
{
    dd_ir *ir = f->ir;
    const uint32_t value = ir->values.len, first = ir->args.len;
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(ir->pool, &ir->args, args[i]);
    }
    dd_vec_push(ir->pool, &ir->values, (dd_ir_value){(uint8_t)op, DD_IR_VARIES, scope, first, n});
    dd_vec_push(ir->pool, &f->main, (dd_ir_item){DD_STEP_COMPUTE, value});
    return value;
}

/* Is the value a product that only its user needs? */
static bool is_open(const factoring *f, uint32_t value)
{
    const dd_ir_value *v = &f->ir->values.data[value];
    return v->op == DD_TAPE_MUL && v->kind == DD_IR_VARIES && (value >= f->known || f->uses[value] == 1);
}

/* The factors of a term; 0: too many. */
static uint32_t factors_of(const factoring *f, uint32_t value, uint32_t *factor)
{
    uint32_t n = 1;
    factor[0] = value;
    for (uint32_t i = 0; i < n;) {
        if (!is_open(f, factor[i])) {
            i++;
            continue;
        }
        if (n == MOST_FACTORS) {
            return 0;
        }
        const uint32_t *args = dd_ir_args(f->ir, factor[i]);
        factor[n++] = args[1];
        factor[i] = args[0];
    }
    return n;
}

/* The terms of at least three factors, and how many of them have each factor. */
static void open_products(factoring *f)
{
    f->products.len = f->touched.len = 0;
    for (uint32_t k = 0; k < f->terms.len; k++) {
        product p = {.sign = f->terms.data[k] & DD_SUBTRACT, .place = k};
        p.n = factors_of(f, f->terms.data[k] & ~DD_SUBTRACT, p.factor);
        if (p.n < 3) {
            continue;
        }
        dd_vec_push(f->pool, &f->products, p);
        for (uint32_t i = 0; i < p.n; i++) {
            if (p.factor[i] < f->known && f->count[p.factor[i]]++ == 0) {
                dd_vec_push(f->pool, &f->touched, p.factor[i]);
            }
        }
    }
}

/* The factor that most terms have; DD_NO_VALUE: none has two. Squares count twice, which only changes the order. */
static uint32_t most_common(factoring *f)
{
    uint32_t best = DD_NO_VALUE, most = 1;
    for (uint32_t i = 0; i < f->touched.len; i++) {
        const uint32_t value = f->touched.data[i], count = f->count[value];
        if (count > most || (count == most && most > 1 && value < best)) {
            most = count;
            best = value;
        }
    }
    f->looks += f->touched.len;
    return best;
}

static uint32_t *find(product *p, uint32_t factor)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->factor[i] == factor) {
            return &p->factor[i];
        }
    }
    return NULL;
}

/* A term without one of its factors, as a value. */
static uint32_t without(factoring *f, product *p, uint32_t *factor, uint32_t scope)
{
    *factor = p->factor[--p->n];
    uint32_t value = p->factor[0];
    for (uint32_t i = 1; i < p->n; i++) {
        value = make(f, DD_TAPE_MUL, (uint32_t[]){value, p->factor[i]}, 2, scope);
    }
    return value;
}

/* Takes a factor out of all terms that have it: one term is left in their place. */
static void take_out(factoring *f, uint32_t factor, uint32_t scope)
{
    uint32_t kept = 0, place = DD_NO_VALUE;
    f->inner.len = 0;
    for (uint32_t i = 0; i < f->products.len; i++) {
        product *p = &f->products.data[i];
        uint32_t *at = find(p, factor);
        f->looks += p->n;
        if (at == NULL) {
            f->products.data[kept++] = *p;
            continue;
        }
        for (uint32_t k = 0; k < p->n; k++) {
            f->count[p->factor[k]] -= p->factor[k] < f->known ? 1 : 0;
        }
        place = place == DD_NO_VALUE ? p->place : place;
        f->terms.data[p->place] = DD_NO_VALUE;
        dd_vec_push(f->pool, &f->inner, without(f, p, at, scope) | p->sign);
    }
    f->products.len = kept;
    /* one term may have held it twice */
    uint32_t sum = f->inner.data[0] & ~DD_SUBTRACT, sign = f->inner.data[0] & DD_SUBTRACT;
    if (f->inner.len > 1) {
        sum = make(f, DD_TAPE_SUM, f->inner.data, f->inner.len, scope);
        sign = 0;
    }
    f->terms.data[place] = make(f, DD_TAPE_MUL, (uint32_t[]){factor, sum}, 2, scope) | sign;
}

/* Common factors of one sum; the steps that compute the new values come before it. */
static void factor_sum(factoring *f, uint32_t sum)
{
    dd_ir *ir = f->ir;
    const uint32_t scope = ir->values.data[sum].scope, n = ir->values.data[sum].n;
    f->terms.len = 0;
    for (uint32_t k = 0; k < n; k++) {
        dd_vec_push(f->pool, &f->terms, dd_ir_args(ir, sum)[k]);
    }
    open_products(f);
    for (uint32_t best; f->looks < MOST_LOOKS && (best = most_common(f)) != DD_NO_VALUE;) {
        take_out(f, best, scope);
    }
    for (uint32_t i = 0; i < f->touched.len; i++) {
        f->count[f->touched.data[i]] = 0;
    }
    /* what is left of the terms, in place; a sum of one term stays a sum */
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (f->terms.data[k] != DD_NO_VALUE) {
            ir->args.data[ir->values.data[sum].first + kept++] = f->terms.data[k];
        }
    }
    ir->values.data[sum].n = kept;
}

void dd_ir_factor(dd_ir *ir)
{
    dd_pool *pool = dd_pool_child(ir->pool);
    factoring f = {.ir = ir, .pool = pool, .known = ir->values.len};
    f.uses = dd_pool_alloc_array(pool, (size_t)f.known + 1, sizeof *f.uses);
    f.count = dd_pool_alloc_array(pool, (size_t)f.known + 1, sizeof *f.count);
    count_uses(&f);
    for (uint32_t i = 0; i < ir->main.len; i++) {
        const dd_ir_item item = ir->main.data[i];
        const dd_ir_value *v = &ir->values.data[item.value];
        if (item.step == DD_STEP_COMPUTE && v->op == DD_TAPE_SUM && v->n > 1 && f.looks < MOST_LOOKS) {
            factor_sum(&f, item.value);
        }
        dd_vec_push(ir->pool, &f.main, item);
    }
    ir->main.len = 0;
    for (uint32_t i = 0; i < f.main.len; i++) {
        dd_vec_push(ir->pool, &ir->main, f.main.data[i]);
    }
    dd_pool_free(pool);
}
