/* form_terms.c - sums with like terms collected. Terms are like when their products are equal up to the order of
 * factors that commute: scalars, scalar times array, the two vectors of a dot product, elementwise products. */
#include "base/hash.h"
#include "expr/form_build.h"

/* ---- factors and likeness ---- */

static bool scalar_product(const dd_forms *forms, dd_form f)
{
    return dd_form_get(forms, f)->op == DD_FORM_MUL && dd_form_ndim(forms, dd_form_arg(forms, f, 0)) == 0 &&
           dd_form_ndim(forms, dd_form_arg(forms, f, 1)) == 0;
}

static bool collect_factors(const dd_forms *forms, dd_form f, dd_form *factors, uint32_t *n)
{
    if (scalar_product(forms, f)) {
        return collect_factors(forms, dd_form_arg(forms, f, 0), factors, n) &&
               collect_factors(forms, dd_form_arg(forms, f, 1), factors, n);
    }
    if (*n == DD_FB_MAX_FACTORS) {
        return false;
    }
    factors[(*n)++] = f;
    return true;
}

uint32_t dd_fb_factors(const dd_forms *forms, dd_form f, dd_form factors[DD_FB_MAX_FACTORS])
{
    uint32_t n = 0;
    return collect_factors(forms, f, factors, &n) ? n : 0;
}

static bool commutes(const dd_forms *forms, dd_form f)
{
    const dd_form_node *node = dd_form_get(forms, f);
    if (node->op == DD_FORM_EMUL) {
        return true;
    }
    if (node->op != DD_FORM_MUL) {
        return false;
    }
    /* scalar times anything, or a dot product of two vectors */
    int a = dd_form_ndim(forms, dd_form_arg(forms, f, 0)), b = dd_form_ndim(forms, dd_form_arg(forms, f, 1));
    return a >= 0 && b >= 0 && (a == 0 || b == 0 || (a == 1 && b == 1));
}

uint64_t dd_fb_key(const dd_forms *forms, dd_form f)
{
    const dd_form_node *node = dd_form_get(forms, f);
    /* a quotient is like another when the dividends are like and the divisors equal */
    if (node->op == DD_FORM_DIV) {
        return dd_hash_mix(dd_fb_key(forms, dd_form_arg(forms, f, 0)), dd_form_hash(forms, dd_form_arg(forms, f, 1)));
    }
    /* order matters: the hash of the structure */
    if (!commutes(forms, f)) {
        return dd_hash_mix(dd_form_hash(forms, f), 1);
    }
    /* a sum of hashes does not depend on the order of factors */
    dd_form factors[DD_FB_MAX_FACTORS];
    uint32_t n = scalar_product(forms, f) ? dd_fb_factors(forms, f, factors) : 0;
    if (n == 0) {
        uint64_t both = dd_fb_key(forms, dd_form_arg(forms, f, 0)) + dd_fb_key(forms, dd_form_arg(forms, f, 1));
        return dd_hash_mix(both, node->op);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += dd_fb_key(forms, factors[i]);
    }
    return dd_hash_mix(sum, n);
}

/* The same factors in another order? */
static bool same_factors(const dd_forms *forms, dd_form a, dd_form b)
{
    dd_form x[DD_FB_MAX_FACTORS], y[DD_FB_MAX_FACTORS];
    /* multisets: each factor of a takes one of b away */
    uint32_t n = dd_fb_factors(forms, a, x), left = dd_fb_factors(forms, b, y);
    if (n == 0 || n != left) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        while (j < left && !dd_fb_same(forms, x[i], y[j])) {
            j++;
        }
        if (j == left) {
            return false;
        }
        y[j] = y[--left];
    }
    return true;
}

bool dd_fb_same(const dd_forms *forms, dd_form a, dd_form b)
{
    if (dd_form_equal(forms, a, b)) {
        return true;
    }
    uint8_t op = dd_form_get(forms, a)->op;
    /* keys first: they differ for nearly all pairs */
    if (op != dd_form_get(forms, b)->op || dd_fb_key(forms, a) != dd_fb_key(forms, b)) {
        return false;
    }
    if (op == DD_FORM_DIV) {
        return dd_form_equal(forms, dd_form_arg(forms, a, 1), dd_form_arg(forms, b, 1)) &&
               dd_fb_same(forms, dd_form_arg(forms, a, 0), dd_form_arg(forms, b, 0));
    }
    if (!commutes(forms, a) || !commutes(forms, b)) {
        return false;
    }
    /* products of several scalars as multisets, others by their two arguments */
    if (scalar_product(forms, a) && scalar_product(forms, b)) {
        return same_factors(forms, a, b);
    }
    dd_form a0 = dd_form_arg(forms, a, 0), a1 = dd_form_arg(forms, a, 1), b0 = dd_form_arg(forms, b, 0),
            b1 = dd_form_arg(forms, b, 1);
    return (dd_fb_same(forms, a0, b1) && dd_fb_same(forms, a1, b0)) ||
           (dd_fb_same(forms, a0, b0) && dd_fb_same(forms, a1, b1));
}

/* ---- sums ---- */

/* One term c*core; form is the term as it came while nothing was added to it. */
typedef struct term {
    dd_decimal_number c;
    dd_form core, form;
    uint32_t next; /* earlier term with the same key, + 1 */
} term;

typedef struct collector {
    dd_forms *forms;
    DD_VEC(term) terms;
    dd_map by_key;
    bool mapped; /* many terms: found through the map, else one by one */
} collector;

#define FEW_TERMS 8

static uint64_t key_of(const collector *c, dd_form core)
{
    return core == DD_FORM_NONE ? 1 : dd_fb_key(c->forms, core);
}

static bool like(const collector *c, dd_form a, dd_form b)
{
    return a == b || (a != DD_FORM_NONE && b != DD_FORM_NONE && dd_fb_same(c->forms, a, b));
}

static void enter_into_map(collector *c, uint32_t i)
{
    uint64_t key = key_of(c, c->terms.data[i].core);
    c->terms.data[i].next = dd_map_get(&c->by_key, key);
    dd_map_put(&c->by_key, key, i + 1);
}

static term *find_like(collector *c, dd_form core)
{
    /* few terms: comparing is cheaper than hashing */
    if (!c->mapped) {
        for (uint32_t i = 0; i < c->terms.len; i++) {
            if (like(c, c->terms.data[i].core, core)) {
                return &c->terms.data[i];
            }
        }
        return NULL;
    }
    for (uint32_t i = dd_map_get(&c->by_key, key_of(c, core)); i != 0; i = c->terms.data[i - 1].next) {
        if (like(c, c->terms.data[i - 1].core, core)) {
            return &c->terms.data[i - 1];
        }
    }
    return NULL;
}

static void append(collector *c, term t)
{
    dd_vec_push(c->forms->pool, &c->terms, t);
    if (c->mapped) {
        enter_into_map(c, c->terms.len - 1);
    } else if (c->terms.len > FEW_TERMS) {
        /* many: from now on by the map, all of them */
        c->by_key = dd_map_new(c->forms->pool);
        c->mapped = true;
        for (uint32_t i = 0; i < c->terms.len; i++) {
            enter_into_map(c, i);
        }
    }
}

static void collect(collector *c, dd_form f, bool minus)
{
    dd_forms *forms = c->forms;
    /* zeros of any shape add nothing */
    if (f == DD_FORM_ZERO || dd_form_is_zero(forms, f)) {
        return;
    }
    const dd_form_node *node = dd_form_get(forms, f);
    /* signs move inwards, sums are flattened */
    if (node->op == DD_FORM_NEG) {
        collect(c, dd_form_arg(forms, f, 0), !minus);
        return;
    }
    if (node->op == DD_FORM_SUM) {
        uint32_t n = node->nargs;
        for (uint32_t i = 0; i < n; i++) {
            collect(c, dd_form_arg(forms, f, i), minus);
        }
        return;
    }
    /* number*core; a like term takes the number */
    term t = {0};
    t.core = dd_fb_split(forms, f, &t.c);
    t.c.digits = minus ? -t.c.digits : t.c.digits;
    t.form = minus ? DD_FORM_NONE : f;
    term *known = find_like(c, t.core);
    if (known != NULL && dd_decimal_add(known->c, t.c, &known->c)) {
        known->form = DD_FORM_NONE;
        return;
    }
    append(c, t);
}

dd_form dd_fb_sum(dd_forms *forms, const dd_form *terms, uint32_t n)
{
    collector c = {.forms = forms};
    /* collect like terms, then write those that remain */
    for (uint32_t i = 0; i < n; i++) {
        collect(&c, terms[i], false);
    }
    DD_VEC(dd_form) out = {0};
    for (uint32_t i = 0; i < c.terms.len; i++) {
        /* a term that was alone is kept as it was written */
        term t = c.terms.data[i];
        dd_form f = t.form != DD_FORM_NONE ? t.form : dd_fb_scale(forms, t.c, t.core);
        if (f != DD_FORM_ZERO) {
            dd_vec_push(forms->pool, &out, f);
        }
    }
    dd_form result = out.len == 0   ? DD_FORM_ZERO
                     : out.len == 1 ? out.data[0]
                                    : dd_fb_new(forms, DD_FORM_SUM, out.data, out.len);
    dd_vec_free(forms->pool, &out);
    dd_vec_free(forms->pool, &c.terms);
    if (c.mapped) {
        dd_map_free(&c.by_key);
    }
    return result;
}

dd_form dd_fb_add(dd_forms *forms, dd_form a, dd_form b)
{
    return dd_fb_sum(forms, (dd_form[]){a, b}, 2);
}

dd_form dd_fb_sub(dd_forms *forms, dd_form a, dd_form b)
{
    return dd_fb_sum(forms, (dd_form[]){a, dd_fb_neg(forms, b)}, 2);
}
