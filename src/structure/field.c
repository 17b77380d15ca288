/* field.c - arithmetic modulo 2^61 - 1, expressions in it, and elimination. */
#include "structure/field.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

enum { MAX_POWER = 1000 }; /* beyond, a power is a symbol: nobody means to cancel it */

/* ---- arithmetic ---- */

static uint64_t reduce(uint64_t a)
{
    a = (a & prime) + (a >> 61);
    return a >= prime ? a - prime : a;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return reduce(a + b);
}

static uint64_t negate(uint64_t a)
{
    return a == 0 ? 0 : prime - a;
}

/* With 31-bit halves a = a1 2^31 + a0: a b = a1 b1 2^62 + (a1 b0 + a0 b1) 2^31 + a0 b0, and 2^62 = 2, 2^61 = 1. */
static uint64_t mul(uint64_t a, uint64_t b)
{
    const uint64_t half = ((uint64_t)1 << 31) - 1, low = ((uint64_t)1 << 30) - 1;
    uint64_t a1 = a >> 31, a0 = a & half, b1 = b >> 31, b0 = b & half;
    /* below 2^62; the sum of the four parts stays below 2^64 */
    uint64_t middle = a1 * b0 + a0 * b1;
    return reduce(2 * (a1 * b1) + (middle >> 30) + ((middle & low) << 31) + a0 * b0);
}

static uint64_t power(uint64_t a, uint64_t n)
{
    uint64_t out = 1;
    for (; n > 0; n >>= 1, a = mul(a, a)) {
        out = (n & 1) != 0 ? mul(out, a) : out;
    }
    return out;
}

static uint64_t inverse(uint64_t a)
{
    return power(a, prime - 2);
}

static uint64_t from_integer(int64_t v)
{
    uint64_t size = reduce(v < 0 ? (uint64_t)0 - (uint64_t)v : (uint64_t)v);
    return v < 0 ? negate(size) : size;
}

uint64_t dd_field_div(uint64_t a, uint64_t b)
{
    return mul(a, inverse(b));
}

/* Euclid's algorithm, stopped half way (Wang 1981). */
bool dd_field_rational(uint64_t value, int64_t *num, int64_t *den)
{
    const int64_t most = (int64_t)1 << 28;
    int64_t r0 = (int64_t)prime, r1 = (int64_t)value, t0 = 0, t1 = 1;
    /* r1 = t1 value modulo p throughout: r1/t1 is a fraction for value, with both sides below 2^28 half way */
    while (r1 > most) {
        int64_t q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
        r0 = r1;
        r1 = r;
        t0 = t1;
        t1 = t;
    }
    if (t1 == 0 || t1 > most || t1 < -most) {
        return false;
    }
    *num = t1 < 0 ? -r1 : r1;
    *den = t1 < 0 ? -t1 : t1;
    return true;
}

/* ---- numbers ---- */

/* A decimal of up to 15 digits is what was written; 1/3 and the like are found by their continued fraction. */
static bool from_decimal(double v, uint64_t *out)
{
    char buffer[32];
    const char *at = dd_number_text(fabs(v), buffer);
    uint64_t digits = 0;
    int exponent = 0, significant = 0;
    /* digits without the point, and where it was */
    for (bool fraction = false; (*at >= '0' && *at <= '9') || *at == '.'; at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        if (significant == 18) {
            return false;
        }
        digits = 10 * digits + (uint64_t)(*at - '0');
        significant += digits > 0;
        exponent -= fraction;
    }
    /* exponent */
    if (*at == 'e' || *at == 'E') {
        int sign = at[1] == '-' ? -1 : 1, e = 0;
        for (at += at[1] == '-' || at[1] == '+' ? 2 : 1; *at >= '0' && *at <= '9'; at++) {
            e = 10 * e + (*at - '0');
        }
        exponent += sign * e;
    }
    /* trailing zeros are no digits: 1e20 is one digit */
    for (; digits > 0 && digits % 10 == 0; digits /= 10) {
        exponent++;
    }
    if (*at != 0 || digits >= 1000000000000000u) {
        return false;
    }
    /* digits * 10^exponent, exactly */
    uint64_t scale = power(10, (uint64_t)(exponent < 0 ? -exponent : exponent));
    uint64_t size = mul(reduce(digits), exponent < 0 ? inverse(scale) : scale);
    *out = v < 0 ? negate(size) : size;
    return true;
}

static bool from_fraction(double v, uint64_t *out)
{
    const double most = 1e6;
    double rest = fabs(v);
    int64_t n0 = 1, d0 = 0, n1 = (int64_t)fmin(floor(rest), most), d1 = 1;
    /* convergents of the continued fraction, until one is the number to the last bit */
    for (int k = 0; k < 30 && (double)n1 < most * most && (double)d1 < most; k++) {
        if ((double)n1 / (double)d1 == fabs(v)) {
            *out = mul(from_integer(v < 0 ? -n1 : n1), inverse(from_integer(d1)));
            return true;
        }
        rest = 1.0 / (rest - floor(rest));
        if (!(rest < most)) {
            return false;
        }
        int64_t q = (int64_t)floor(rest), n = q * n1 + n0, d = q * d1 + d0;
        n0 = n1;
        d0 = d1;
        n1 = n;
        d1 = d;
    }
    return false;
}

static uint64_t generic_element(const dd_field *f, uint64_t a, uint64_t b)
{
    uint64_t h = dd_hash_mix(dd_hash_mix(dd_hash_mix(0x51afd7ed558ccd25u, a + 1u), b + 1u), f->salt + 1u);
    return reduce(h) > 1 ? reduce(h) : 2;
}

static dd_field_kind from_double(const dd_field *f, double v, uint64_t *out)
{
    if (from_decimal(v, out) || from_fraction(v, out)) {
        return DD_FIELD_CONSTANT;
    }
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    *out = generic_element(f, bits >> 32, bits & UINT32_MAX);
    return DD_FIELD_AS_SYMBOL;
}

/* ---- expressions ---- */

dd_field dd_field_new(dd_system *s, uint32_t salt, dd_pool *pool)
{
    return (dd_field){.s = s, .pool = pool, .salt = salt, .seen = dd_map_new(pool)};
}

static dd_field_kind leaf(const dd_field *f, dd_expr e, uint64_t *out)
{
    const dd_dag *dag = f->s->model->dag;
    int64_t num, den;
    switch (dd_op_of(dag, e)) {
    case DD_OP_NUM:
        if (dd_num_rational(dag, e, &num, &den)) {
            *out = mul(from_integer(num), inverse(from_integer(den)));
            return DD_FIELD_CONSTANT;
        }
        return from_double(f, dd_num_value(dag, e), out);
    /* a parameter is its value: answers hold for the values given */
    case DD_OP_PARAM:
        return from_double(f, f->s->parameter[dd_symbol_id(dag, e)], out);
    /* unknowns are generic elements, derivatives others */
    case DD_OP_VAR:
        *out = generic_element(f, dd_symbol_id(dag, e), 16 + dd_symbol_order(dag, e));
        return DD_FIELD_GENERIC;
    case DD_OP_TIME:
        *out = generic_element(f, 0, 1);
        return DD_FIELD_GENERIC;
    default:
        *out = generic_element(f, e, 2);
        return DD_FIELD_AS_SYMBOL;
    }
}

static dd_field_kind power_value(const dd_field *f, dd_expr e, uint64_t base, uint64_t *out)
{
    int64_t num, den;
    bool exact = dd_op_of(f->s->model->dag, dd_arg(f->s->model->dag, e, 1)) == DD_OP_NUM &&
                 dd_num_rational(f->s->model->dag, dd_arg(f->s->model->dag, e, 1), &num, &den);
    /* sqrt(x) and x^n with a symbol n are separate elements */
    if (!exact || den != 1 || num > MAX_POWER || num < -MAX_POWER) {
        *out = generic_element(f, e, 2);
        return DD_FIELD_AS_SYMBOL;
    }
    if (base == 0 && num < 0) {
        return DD_FIELD_UNDEFINED;
    }
    *out = num < 0 ? inverse(power(base, (uint64_t)-num)) : power(base, (uint64_t)num);
    return DD_FIELD_CONSTANT;
}

/* The value of a node whose arguments are known. */
static dd_field_kind node_value(const dd_field *f, dd_expr e, uint64_t *out)
{
    const dd_dag *dag = f->s->model->dag;
    dd_op op = dd_op_of(dag, e);
    uint32_t n = dd_arg_count(dag, e);
    if (n == 0) {
        return leaf(f, e, out);
    }
    dd_field_kind kind = DD_FIELD_CONSTANT;
    uint64_t sum = 0, product = 1, first = 0;
    /* the arguments, and the weakest thing that is known about them */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = dd_map_get(&f->seen, dd_arg(dag, e, k)) - 1;
        assert(f->kind.data && f->value.data); /* arguments come before */
        kind = f->kind.data[at] > (uint8_t)kind ? (dd_field_kind)f->kind.data[at] : kind;
        sum = add(sum, f->value.data[at]);
        product = mul(product, f->value.data[at]);
        first = k == 0 ? f->value.data[at] : first;
    }
    /* field operations are exact; any other function is a symbol for itself */
    dd_field_kind own = DD_FIELD_CONSTANT;
    if (op == DD_OP_ADD || op == DD_OP_MUL) {
        *out = op == DD_OP_ADD ? sum : product;
    } else if (op == DD_OP_DERIVED) {
        *out = first;
    } else if (op == DD_OP_POW) {
        own = power_value(f, e, first, out);
    } else {
        *out = generic_element(f, e, 2);
        own = DD_FIELD_AS_SYMBOL;
    }
    return own > kind ? own : kind;
}

dd_field_kind dd_field_value(dd_field *f, dd_expr e, uint64_t *value)
{
    const dd_dag *dag = f->s->model->dag;
    DD_VEC(dd_expr) stack = {0};
    dd_vec_push(f->pool, &stack, e);
    /* arguments before the node, without recursion: the depth is the user's */
    while (stack.len > 0) {
        dd_expr top = stack.data[stack.len - 1];
        uint32_t open = stack.len;
        for (uint32_t k = 0; dd_map_get(&f->seen, top) == 0 && k < dd_arg_count(dag, top); k++) {
            if (dd_map_get(&f->seen, dd_arg(dag, top, k)) == 0) {
                dd_vec_push(f->pool, &stack, dd_arg(dag, top, k));
            }
        }
        if (stack.len > open) {
            continue;
        }
        stack.len--;
        if (dd_map_get(&f->seen, top) == 0) {
            uint64_t v = 0;
            dd_field_kind kind = node_value(f, top, &v);
            dd_vec_push(f->pool, &f->value, v);
            dd_vec_push(f->pool, &f->kind, (uint8_t)kind);
            dd_map_put(&f->seen, top, f->value.len);
        }
    }
    dd_vec_free(f->pool, &stack);
    uint32_t at = dd_map_get(&f->seen, e) - 1;
    assert(f->kind.data && f->value.data);
    *value = f->value.data[at];
    return (dd_field_kind)f->kind.data[at];
}

/* ---- elimination ---- */

static void subtract(uint64_t *a, const uint64_t *b, uint64_t factor, uint32_t n)
{
    /* a -= factor * b */
    uint64_t minus = negate(factor);
    for (uint32_t k = 0; k < n; k++) {
        if (b[k] != 0) {
            a[k] = add(a[k], mul(minus, b[k]));
        }
    }
}

uint32_t dd_field_eliminate(uint64_t *a, uint32_t rows, uint32_t cols, uint32_t lead, bool *dependent, uint32_t *pivot)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t *row = a + (size_t)i * cols;
        /* rows before it have pivots of 1 */
        for (uint32_t q = 0; q < i; q++) {
            if (!dependent[q] && row[pivot[q]] != 0) {
                subtract(row, a + (size_t)q * cols, row[pivot[q]], cols);
            }
        }
        /* the first entry that is not zero: in a field every pivot is as good as another */
        uint32_t p = 0;
        while (p < lead && row[p] == 0) {
            p++;
        }
        dependent[i] = p == lead;
        pivot[i] = p;
        if (!dependent[i]) {
            uint64_t scale = inverse(row[p]);
            for (uint32_t k = 0; k < cols; k++) {
                row[k] = row[k] == 0 ? 0 : mul(row[k], scale);
            }
            rank++;
        }
    }
    return rank;
}

/* ---- linear systems with constant coefficients ---- */

/* Does it hold something that changes in time? */
static bool varies(dd_system *s, dd_expr e, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    bool out = false;
    dd_symbols(s->model->dag, e, true, &symbols, scratch);
    for (uint32_t q = 0; q < symbols.len; q++) {
        out = out || dd_op_of(s->model->dag, symbols.data[q]) != DD_OP_PARAM;
    }
    dd_vec_free(scratch, &symbols);
    return out;
}

/* Fills the n x 2n matrix [E A]; false when an entry is not of the kind asked for. */
static bool fill_pencil(dd_system *s, const dd_incidence *inc, bool generic, uint64_t *a, dd_pool *scratch)
{
    uint32_t n = inc->n;
    dd_field f = dd_field_new(s, 1, scratch);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            /* E from df/dx', A from df/dx */
            const dd_expr part[] = {inc->partial1[e], inc->partial0[e]};
            for (uint32_t k = 0; k < 2; k++) {
                if (part[k] == DD_EXPR_NONE) {
                    continue;
                }
                dd_field_kind kind = dd_field_value(&f, part[k], &a[((size_t)i * 2 + k) * n + inc->idx[e]]);
                /* sqrt(2) is a symbol that does not vary: as good as a number */
                bool constant = kind == DD_FIELD_CONSTANT || generic ||
                                (kind == DD_FIELD_AS_SYMBOL && !varies(s, part[k], scratch));
                if (kind == DD_FIELD_UNDEFINED || !constant) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool is_zero(const uint64_t *row, uint32_t n)
{
    uint32_t k = 0;
    while (k < n && row[k] == 0) {
        k++;
    }
    return k == n;
}

dd_pencil_index dd_field_pencil(dd_system *s, const dd_incidence *inc, bool generic)
{
    dd_pencil_index out = {0};
    uint32_t n = inc->n;
    if (n == 0 || n > DD_PENCIL_MOST || inc->ncols != n) {
        return out;
    }
    dd_pool *scratch = dd_pool_child(s->pool);
    uint64_t *a = dd_pool_alloc_array(scratch, (size_t)n * 2 * n, sizeof *a);
    bool *dependent = dd_pool_alloc_array(scratch, n, sizeof *dependent);
    uint32_t *pivot = dd_pool_alloc_array(scratch, n, sizeof *pivot);
    out.known = fill_pencil(s, inc, generic, a, scratch);
    /* shuffle: eliminate on E, differentiate the rows that are free of x', until E is regular */
    for (uint32_t round = 0, rank = 0; out.known && round <= n + 1; round++) {
        dd_check_stop(s->ctx);
        rank = dd_field_eliminate(a, n, 2 * n, n, dependent, pivot);
        if (rank == n) {
            out.regular = true;
            out.index = round;
            break;
        }
        /* rows free of x' are constraints: visible as written, hidden after a differentiation */
        *(round == 0 ? &out.visible : &out.hidden) += n - rank;
        for (uint32_t i = 0; i < n; i++) {
            /* such a row says nothing: the pencil is singular */
            if (dependent[i] && is_zero(a + ((size_t)i * 2 + 1) * n, n)) {
                dd_pool_free(scratch);
                return out; /* 0 = 0 */
            }
            /* A x = f becomes A x' = f' */
            if (dependent[i]) {
                memcpy(a + (size_t)i * 2 * n, a + ((size_t)i * 2 + 1) * n, n * sizeof *a);
                memset(a + ((size_t)i * 2 + 1) * n, 0, n * sizeof *a);
            }
        }
    }
    dd_pool_free(scratch);
    return out;
}
