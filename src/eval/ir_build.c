/* ir_build.c - from a tape to values: equal values found by hashing, powers taken apart, constant factors and terms
 * gathered, divisions by the same value turned into one inverse.
 *
 * A value made inside one side of a selection is there on that side only: `scope` remembers where it was made, and a
 * value is found again only while its scope is open. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/ir.h"

#define MOST_FACTORS 32 /* powers up to this are products: more would cost digits */

typedef struct side {
    uint32_t condition, then; /* values */
    uint32_t branch, other;   /* places of its items */
    uint32_t outer;           /* the scope around */
    bool in_else;
} side;

typedef struct lower {
    dd_pool *pool;
    const dd_tape *tape;
    dd_ir *ir;
    uint32_t *value;      /* per slot */
    uint8_t *divided;     /* per slot: how often it is a divisor, up to 2 */
    dd_map known;         /* op, a, b -> value + 1 */
    dd_map number_of;     /* bits of a number -> value + 1 */
    DD_VEC(uint8_t) open; /* per scope */
    uint32_t scope;
    DD_VEC(side) sides;
    dd_u32_vec terms, fixed;
} lower;

/* ---- making values ---- */

static dd_ir_kind kind_of(const lower *w, uint32_t value)
{
    return (dd_ir_kind)w->ir->values.data[value].kind;
}

static bool varies(const lower *w, uint32_t value)
{
    return kind_of(w, value) == DD_IR_VARIES;
}

static uint32_t new_value(lower *w, uint32_t op, const uint32_t *args, uint32_t n)
{
    dd_ir *ir = w->ir;
    /* values that depend on no input are computed once, when constants are set */
    dd_ir_kind kind = DD_IR_IS_FIXED;
    for (uint32_t i = 0; i < n; i++) {
        kind = varies(w, args[i] & ~DD_SUBTRACT) ? DD_IR_VARIES : kind;
    }
    uint32_t value = ir->values.len, first = ir->args.len;
    /* 28 bits per value: op and two arguments fit into one key of 64 bits */
    if (value >= UINT32_C(1) << 28) {
        dd_raise(dd_pool_context(w->pool), DD_LIMIT, "a program needs more than 2^28 values");
    }
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(ir->pool, &ir->args, args[i]);
    }
    /* fixed values belong to the outermost scope: they are computed before any selection */
    uint32_t scope = kind == DD_IR_VARIES ? w->scope : 0;
    dd_vec_push(ir->pool, &ir->values, (dd_ir_value){(uint8_t)op, (uint8_t)kind, scope, first, n});
    if (kind == DD_IR_VARIES) {
        dd_vec_push(ir->pool, &ir->main, (dd_ir_item){DD_STEP_COMPUTE, value});
    } else {
        dd_vec_push(ir->pool, &ir->prologue, value);
    }
    return value;
}

static uint32_t number(lower *w, double x)
{
    /* by bits, so that -0 and 0 stay two numbers, and NaN equals itself */
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t found = dd_map_get(&w->number_of, bits);
    if (found != 0) {
        return found - 1;
    }
    dd_ir *ir = w->ir;
    dd_vec_push(ir->pool, &ir->numbers, x);
    dd_vec_push(ir->pool, &ir->values, (dd_ir_value){DD_IR_NUMBER, DD_IR_IS_NUMBER, 0, ir->numbers.len - 1, 0});
    dd_map_put(&w->number_of, bits, ir->values.len);
    return ir->values.len - 1;
}

static double number_value(const lower *w, uint32_t value)
{
    return w->ir->numbers.data[w->ir->values.data[value].first];
}

/* op(a, b), made once per scope; b = DD_NO_VALUE for functions of one argument. */
static uint32_t make(lower *w, uint32_t op, uint32_t a, uint32_t b)
{
    uint32_t args[2] = {a, b}, n = b == DD_NO_VALUE ? 1 : 2;
    uint64_t key = (uint64_t)op << 56 | (uint64_t)a << 28 | (n == 2 ? b : (UINT32_C(1) << 28) - 1);
    /* a value made on a side that is closed is not there any more: it is made again */
    uint32_t found = dd_map_get(&w->known, key);
    if (found != 0 && w->open.data[w->ir->values.data[found - 1].scope]) {
        return found - 1;
    }
    uint32_t value = new_value(w, op, args, n);
    dd_map_put(&w->known, key, value + 1);
    return value;
}

/* ---- products: sign*K*V ---- */

typedef struct factors {
    bool negative;
    uint32_t k, v; /* DD_NO_VALUE for 1 */
} factors;

static factors split(const lower *w, uint32_t x)
{
    factors f = {false, DD_NO_VALUE, DD_NO_VALUE};
    const dd_ir_value *value = &w->ir->values.data[x];
    /* x = K */
    if (!varies(w, x)) {
        f.k = x;
        return f;
    }
    /* x = -V or -(K*V) */
    if (value->op == DD_TAPE_NEG) {
        f.negative = true;
        x = *dd_ir_args(w->ir, x);
        value = &w->ir->values.data[x];
    }
    f.v = x;
    /* products keep their fixed factor first */
    if (value->op == DD_TAPE_MUL && !varies(w, *dd_ir_args(w->ir, x))) {
        f.k = dd_ir_args(w->ir, x)[0];
        f.v = dd_ir_args(w->ir, x)[1];
    }
    return f;
}

/* a*b without looking into them; either may be DD_NO_VALUE */
static uint32_t plain_product(lower *w, uint32_t a, uint32_t b)
{
    if (a == DD_NO_VALUE || b == DD_NO_VALUE) {
        return a == DD_NO_VALUE ? b : a;
    }
    if (kind_of(w, a) == DD_IR_IS_NUMBER && kind_of(w, b) == DD_IR_IS_NUMBER) {
        return number(w, number_value(w, a) * number_value(w, b));
    }
    /* the order of factors does not matter: one value for a*b and b*a */
    return a < b ? make(w, DD_TAPE_MUL, a, b) : make(w, DD_TAPE_MUL, b, a);
}

static uint32_t negate(lower *w, uint32_t x)
{
    if (kind_of(w, x) == DD_IR_IS_NUMBER) {
        return number(w, -number_value(w, x));
    }
    return w->ir->values.data[x].op == DD_TAPE_NEG ? *dd_ir_args(w->ir, x) : make(w, DD_TAPE_NEG, x, DD_NO_VALUE);
}

static uint32_t joined(lower *w, factors f)
{
    /* a factor of +-1 is a sign */
    if (f.k != DD_NO_VALUE && kind_of(w, f.k) == DD_IR_IS_NUMBER && fabs(number_value(w, f.k)) == 1 &&
        f.v != DD_NO_VALUE) {
        f.negative = f.negative != (number_value(w, f.k) < 0);
        f.k = DD_NO_VALUE;
    } else if (f.k != DD_NO_VALUE && f.negative) {
        /* otherwise the sign goes into the fixed factor, where it costs nothing at run time */
        f.k = negate(w, f.k);
        f.negative = false;
    }
    uint32_t product = f.k != DD_NO_VALUE && f.v != DD_NO_VALUE ? make(w, DD_TAPE_MUL, f.k, f.v)
                       : f.k != DD_NO_VALUE                     ? f.k
                                                                : f.v;
    return f.negative ? negate(w, product) : product;
}

static uint32_t multiply(lower *w, uint32_t a, uint32_t b)
{
    /* (sx Kx Vx)(sy Ky Vy) = (sx sy)(Kx Ky)(Vx Vy) */
    factors x = split(w, a), y = split(w, b);
    return joined(w, (factors){x.negative != y.negative, plain_product(w, x.k, y.k), plain_product(w, x.v, y.v)});
}

static uint32_t inverse(lower *w, uint32_t x)
{
    return make(w, DD_TAPE_INVERSE, x, DD_NO_VALUE);
}

static uint32_t divide(lower *w, uint32_t a, uint32_t b, bool shared)
{
    /* a fixed divisor, or one that others share: one inverse and a product each */
    if (varies(w, b) ? shared : varies(w, a)) {
        return multiply(w, a, inverse(w, b));
    }
    /* K V / b = K (V / b), so that V / b is shared */
    factors x = split(w, a);
    if (varies(w, b) && x.v != DD_NO_VALUE) {
        x.v = make(w, DD_TAPE_DIV, x.v, b);
        return joined(w, x);
    }
    return make(w, DD_TAPE_DIV, a, b);
}

/* ---- powers ---- */

/* x^k for k >= 1: squares are shared between powers of the same base */
static uint32_t positive_power(lower *w, uint32_t x, uint32_t k)
{
    uint32_t power = DD_NO_VALUE;
    /* binary powers: x, x^2, x^4, ... */
    for (uint32_t square = x; k != 0; k >>= 1) {
        if ((k & 1) != 0) {
            power = power == DD_NO_VALUE ? square : multiply(w, power, square);
        }
        square = k > 1 ? multiply(w, square, square) : square;
    }
    return power;
}

/* x^(halves/2) */
static uint32_t half_power(lower *w, uint32_t x, int32_t halves)
{
    uint32_t n = halves < 0 ? 0u - (uint32_t)halves : (uint32_t)halves;
    uint32_t power = n / 2 > 0 ? positive_power(w, x, n / 2) : DD_NO_VALUE;
    if ((n & 1) != 0) {
        /* an odd number of halves has one factor sqrt(x) */
        uint32_t root = make(w, DD_TAPE_SQRT, x, DD_NO_VALUE);
        power = power == DD_NO_VALUE ? root : multiply(w, power, root);
    }
    return halves < 0 ? inverse(w, power) : power;
}

static uint32_t power_of(lower *w, uint32_t x, uint32_t exponent)
{
    /* whole and half powers up to MOST_FACTORS by products and roots, which vectorise */
    if (kind_of(w, exponent) == DD_IR_IS_NUMBER) {
        double halves = 2 * number_value(w, exponent);
        if (halves == rint(halves) && halves != 0 && fabs(halves) <= 2 * MOST_FACTORS) {
            return half_power(w, x, (int32_t)halves);
        }
    }
    return make(w, DD_TAPE_POWER, x, exponent);
}

/* ---- sums ---- */

static void add_term(lower *w, uint32_t value, uint32_t sign)
{
    /* -(x) as a term is a subtraction */
    if (w->ir->values.data[value].op == DD_TAPE_NEG) {
        value = *dd_ir_args(w->ir, value);
        sign ^= DD_SUBTRACT;
    }
    if (varies(w, value)) {
        dd_vec_push(w->pool, &w->terms, value | sign);
    } else {
        dd_vec_push(w->pool, &w->fixed, value | sign);
    }
}

/* The sum of w->terms and w->fixed: fixed terms are added in advance. */
static uint32_t finish_sum(lower *w)
{
    /* fixed terms in one value, computed when constants are set */
    if (w->fixed.len > 1) {
        uint32_t value = new_value(w, DD_TAPE_SUM, w->fixed.data, w->fixed.len);
        w->fixed.len = 0;
        dd_vec_push(w->pool, &w->fixed, value);
    }
    if (w->fixed.len == 1) {
        dd_vec_push(w->pool, &w->terms, w->fixed.data[0]);
    }
    /* a sum of one term is that term */
    if (w->terms.len == 1) {
        uint32_t only = w->terms.data[0];
        return (only & DD_SUBTRACT) != 0 ? negate(w, only & ~DD_SUBTRACT) : only;
    }
    return new_value(w, DD_TAPE_SUM, w->terms.data, w->terms.len);
}

/* ---- the instructions of the tape ---- */

static void begin_sum(lower *w)
{
    w->terms.len = 0;
    w->fixed.len = 0;
}

static uint32_t lower_sum(lower *w, const dd_instruction *c)
{
    begin_sum(w);
    /* the top bit of a list entry says that the term is subtracted */
    for (uint32_t i = 0; i < c->b; i++) {
        uint32_t entry = w->tape->lists[c->a + i];
        add_term(w, w->value[entry & ~DD_SUBTRACT], entry & DD_SUBTRACT);
    }
    return finish_sum(w);
}

static uint32_t lower_pair(lower *w, uint32_t a, uint32_t b, uint32_t sign)
{
    begin_sum(w);
    add_term(w, a, 0);
    add_term(w, b, sign);
    return finish_sum(w);
}

/* A sum is negated term by term. */
static uint32_t lower_negation(lower *w, uint32_t value)
{
    if (!varies(w, value) || w->ir->values.data[value].op != DD_TAPE_SUM) {
        return multiply(w, number(w, -1), value);
    }
    /* -(a - b) = b - a costs nothing, a negation an operation */
    begin_sum(w);
    for (uint32_t i = 0; i < w->ir->values.data[value].n; i++) {
        uint32_t term = dd_ir_args(w->ir, value)[i];
        add_term(w, term & ~DD_SUBTRACT, ~term & DD_SUBTRACT);
    }
    return finish_sum(w);
}

static uint32_t lower_select(lower *w, const dd_instruction *c)
{
    const uint32_t *sides = w->tape->lists + c->b;
    return new_value(w, DD_TAPE_SELECT, (uint32_t[]){w->value[c->a], w->value[sides[0]], w->value[sides[1]]}, 3);
}

static uint32_t lower_value(lower *w, const dd_instruction *c)
{
    /* operations whose operands are not two slots */
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_SUM:
        return lower_sum(w, c);
    case DD_TAPE_SELECT:
        return lower_select(w, c);
    case DD_TAPE_POWER_INT:
        return (int32_t)c->b != 0 && abs((int32_t)c->b) <= MOST_FACTORS
                   ? half_power(w, w->value[c->a], 2 * (int32_t)c->b)
                   : make(w, DD_TAPE_POWER, w->value[c->a], number(w, (int32_t)c->b));
    default:
        break;
    }
    /* b is not used by functions of one argument */
    uint32_t a = w->value[c->a], b = w->value[c->b];
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_ADD:
        return lower_pair(w, a, b, 0);
    case DD_TAPE_SUB:
        return lower_pair(w, a, b, DD_SUBTRACT);
    case DD_TAPE_NEG:
        return lower_negation(w, a);
    case DD_TAPE_MUL:
        return multiply(w, a, b);
    case DD_TAPE_SQUARE:
        return multiply(w, a, a);
    case DD_TAPE_DIV:
        return divide(w, a, b, w->divided[c->b] > 1);
    case DD_TAPE_INVERSE:
        return inverse(w, a);
    case DD_TAPE_POWER_CONST:
    case DD_TAPE_POWER:
        return power_of(w, a, b);
    case DD_TAPE_ATAN2:
    case DD_TAPE_MIN:
    case DD_TAPE_MAX:
    case DD_TAPE_MOD:
    case DD_TAPE_LT:
    case DD_TAPE_LE:
    case DD_TAPE_EQ:
    case DD_TAPE_NE:
    case DD_TAPE_AND:
    case DD_TAPE_OR:
        return make(w, c->op, a, b);
    default:
        return make(w, c->op, a, DD_NO_VALUE);
    }
}

/* ---- selections ---- */

static void open_scope(lower *w)
{
    dd_vec_push(w->pool, &w->open, 1);
    w->scope = w->open.len - 1;
}

static void begin_then(lower *w, const dd_instruction *c)
{
    dd_ir *ir = w->ir;
    /* BRANCH and OTHER get their value when the selection is known */
    dd_vec_push(w->pool, &w->sides, (side){w->value[c->a], 0, ir->main.len, 0, w->scope, false});
    dd_vec_push(ir->pool, &ir->main, (dd_ir_item){DD_STEP_BRANCH, 0});
    open_scope(w);
}

static void begin_else(lower *w)
{
    dd_ir *ir = w->ir;
    side *top = &w->sides.data[w->sides.len - 1];
    top->other = ir->main.len;
    top->in_else = true;
    dd_vec_push(ir->pool, &ir->main, (dd_ir_item){DD_STEP_OTHER, 0});
    /* values of the then side end with it */
    w->open.data[w->scope] = 0;
    open_scope(w);
}

/* The copy at the end of a side: the first one holds the value of the then side, the second one ends the selection. */
static void end_side(lower *w, const dd_instruction *c)
{
    dd_ir *ir = w->ir;
    side *top = &w->sides.data[w->sides.len - 1];
    /* the then side: only its value is noted; OTHER follows */
    if (!top->in_else) {
        top->then = w->value[c->a];
        return;
    }
    /* the else side: both values are known, and the scope around is open again */
    side done = *top;
    w->sides.len--;
    w->open.data[w->scope] = 0;
    w->scope = done.outer;
    uint32_t merged = new_value(w, DD_TAPE_SELECT, (uint32_t[]){done.condition, done.then, w->value[c->a]}, 3);
    w->value[c->dest] = merged;
    /* a selection between fixed values is itself fixed: no jump in the main part */
    if (varies(w, merged)) {
        ir->main.data[ir->main.len - 1].step = DD_STEP_MERGE;
        ir->main.data[done.branch].value = merged;
        ir->main.data[done.other].value = merged;
    } else {
        ir->main.data[done.branch].step = DD_STEP_NONE;
        ir->main.data[done.other].step = DD_STEP_NONE;
    }
}

/* ---- all of it ---- */

static void count_divisors(lower *w)
{
    for (uint32_t pc = 0; pc < w->tape->length; pc++) {
        const dd_instruction *c = &w->tape->code[pc];
        /* a count of two is enough: is the divisor shared? */
        if (c->op == DD_TAPE_DIV || c->op == DD_TAPE_INVERSE) {
            uint32_t slot = c->op == DD_TAPE_DIV ? c->b : c->a;
            w->divided[slot] = (uint8_t)(w->divided[slot] + (w->divided[slot] < 2));
        }
    }
}

static void make_leaves(lower *w)
{
    dd_ir *ir = w->ir;
    /* inputs, then constants: the numbers of values and slots agree */
    for (uint32_t i = 0; i < w->tape->n_in; i++) {
        bool input = i < ir->n_inputs;
        dd_ir_value leaf = {input ? DD_IR_INPUT : DD_IR_CONSTANT, input ? DD_IR_VARIES : DD_IR_IS_FIXED, 0,
                            input ? i : i - ir->n_inputs, 0};
        dd_vec_push(ir->pool, &ir->values, leaf);
        w->value[i] = i;
    }
    /* constants of the tape are numbers */
    for (uint32_t i = w->tape->n_in; i < w->tape->first_result; i++) {
        w->value[i] = number(w, w->tape->values[i]);
    }
}

static void lower_code(lower *w)
{
    for (uint32_t pc = 0; pc < w->tape->length; pc++) {
        const dd_instruction *c = &w->tape->code[pc];
        if (c->op == DD_TAPE_JUMP_IF_FALSE) {
            begin_then(w, c);
        } else if (c->op == DD_TAPE_JUMP) {
            begin_else(w);
        } else if (c->op == DD_TAPE_COPY) {
            end_side(w, c);
        } else {
            w->value[c->dest] = lower_value(w, c);
        }
    }
    assert(w->sides.len == 0);
}

dd_ir *dd_ir_new(dd_pool *pool, const dd_tape *tape, uint32_t n_inputs)
{
    dd_ir *ir = dd_pool_alloc(pool, sizeof *ir);
    lower w = {.pool = dd_pool_child(pool), .tape = tape, .ir = ir};
    ir->pool = pool;
    ir->n_inputs = n_inputs;
    ir->n_constants = tape->n_in - n_inputs;
    w.value = dd_pool_alloc_array(w.pool, (size_t)tape->n_slots + 1, sizeof *w.value);
    w.divided = dd_pool_alloc_array(w.pool, (size_t)tape->n_slots + 1, sizeof *w.divided);
    w.known = dd_map_new(w.pool);
    w.number_of = dd_map_new(w.pool);
    /* the outermost scope is never closed */
    open_scope(&w);
    count_divisors(&w);
    make_leaves(&w);
    lower_code(&w);
    /* outputs as values */
    ir->n_outputs = tape->n_out;
    ir->outputs = dd_pool_alloc_array(pool, (size_t)tape->n_out + 1, sizeof *ir->outputs);
    for (uint32_t i = 0; i < tape->n_out; i++) {
        ir->outputs[i] = w.value[tape->outputs[i]];
    }
    dd_pool_free(w.pool);
    return ir;
}
