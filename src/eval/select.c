/* select.c - instruction selection: products become terms of sums, chains of products and quotients one instruction,
 * sine and cosine of one angle a pair.
 *
 * Dispatch costs more than arithmetic, so a product that only sums need is computed again in each of them (up to a few)
 * rather than by a separate instruction. */
#include <assert.h>

#include "eval/select.h"

#define MOST_COPIES 3  /* sums that recompute a product */
#define MOST_FACTORS 4 /* of one instruction */

typedef enum fate {
    OWN,   /* has its own instruction */
    TERM,  /* a product inside sums */
    TAKEN, /* part of the one instruction that uses it */
    TWIN,  /* sine or cosine that the other one's instruction computes too */
} fate;

typedef struct term {
    uint32_t a, b; /* b: DD_NO_VALUE when it is not a product */
    bool minus;
} term;

typedef struct selector {
    const dd_ir *ir;
    dd_pool *pool;
    bool prologue;
    const dd_ir_item *items;
    uint32_t n_items;
    uint32_t *uses, *sum_uses; /* per value */
    uint8_t *fate;
    uint32_t *twin; /* per value: the cosine that comes with it */
    dd_vcode code;
    DD_VEC(term) terms;
} selector;

/* ---- looking ---- */

static uint32_t op_of(const selector *s, uint32_t value)
{
    return s->ir->values.data[value].op;
}

static bool is_leaf(const selector *s, uint32_t value)
{
    const dd_ir_value *v = &s->ir->values.data[value];
    return v->op >= DD_IR_INPUT || (!s->prologue && v->kind != DD_IR_VARIES);
}

/* Is it computed here by this operation, for one user only? */
static bool is_single(const selector *s, uint32_t value, uint32_t op)
{
    return !is_leaf(s, value) && op_of(s, value) == op && s->uses[value] == 1 && s->fate[value] == OWN;
}

static bool computes(dd_ir_step step)
{
    return step == DD_STEP_COMPUTE || step == DD_STEP_MERGE;
}

static void count_uses(selector *s)
{
    for (uint32_t i = 0; i < s->n_items; i++) {
        dd_ir_item item = s->items[i];
        if (!computes(item.step)) {
            continue;
        }
        /* a product inside sums is recomputed by each of them, hence the two counts */
        const uint32_t *args = dd_ir_args(s->ir, item.value);
        for (uint32_t k = 0; k < s->ir->values.data[item.value].n; k++) {
            uint32_t arg = args[k] & ~DD_SUBTRACT;
            s->uses[arg]++;
            s->sum_uses[arg] += op_of(s, item.value) == DD_TAPE_SUM || op_of(s, item.value) == DD_TAPE_NEG;
        }
    }
    /* an output must be computed by an instruction */
    for (uint32_t i = 0; i < s->ir->n_outputs; i++) {
        s->uses[s->ir->outputs[i]]++;
    }
}

/* In the prologue everything that the main part reads is treated as used by it, so that it gets its own instruction. */
static void count_outside_uses(selector *s)
{
    for (uint32_t i = 0; i < s->ir->main.len; i++) {
        uint32_t value = s->ir->main.data[i].value;
        const uint32_t *args = dd_ir_args(s->ir, value);
        for (uint32_t k = 0; k < s->ir->values.data[value].n; k++) {
            s->uses[args[k] & ~DD_SUBTRACT] += 2;
        }
    }
}

/* ---- who becomes part of whom; users are looked at before their arguments ---- */

static bool is_term(const selector *s, uint32_t value)
{
    return !is_leaf(s, value) && op_of(s, value) == DD_TAPE_MUL && s->uses[value] == s->sum_uses[value] &&
           s->uses[value] <= MOST_COPIES;
}

/* Returns how many more factors there is room for. */
static uint32_t take_factors(selector *s, uint32_t value, uint32_t room)
{
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t arg = dd_ir_args(s->ir, value)[k];
        /* a product used once, by this product: its factors move up */
        if (room > 0 && is_single(s, arg, DD_TAPE_MUL)) {
            s->fate[arg] = TAKEN;
            room = take_factors(s, arg, room - 1); /* at most MOST_FACTORS deep */
        }
    }
    return room;
}

/* a*(b + c): a sum of two plain terms, not both negative */
static bool takes_sum(const selector *s, uint32_t sum)
{
    if (!is_single(s, sum, DD_TAPE_SUM) || s->ir->values.data[sum].n != 2) {
        return false;
    }
    const uint32_t *t = dd_ir_args(s->ir, sum);
    /* -b - c has no instruction; a product among the terms would be lost */
    return (t[0] & t[1] & DD_SUBTRACT) == 0 && s->fate[t[0] & ~DD_SUBTRACT] != TERM &&
           s->fate[t[1] & ~DD_SUBTRACT] != TERM;
}

static void decide(selector *s, uint32_t value)
{
    const uint32_t *args = dd_ir_args(s->ir, value);
    /* a*b/c in one instruction */
    if (op_of(s, value) == DD_TAPE_DIV && is_single(s, args[0], DD_TAPE_MUL)) {
        s->fate[args[0]] = TAKEN;
    }
    if (op_of(s, value) != DD_TAPE_MUL || s->fate[value] != OWN) {
        return;
    }
    /* a*(b + c) first: it saves an addition; else a*b*c*d */
    if (takes_sum(s, args[1])) {
        s->fate[args[1]] = TAKEN;
    } else if (takes_sum(s, args[0])) {
        s->fate[args[0]] = TAKEN;
    } else {
        take_factors(s, value, MOST_FACTORS - 2);
    }
}

static void find_twins(selector *s)
{
    dd_map first = dd_map_new(s->pool);
    for (uint32_t i = 0; i < s->n_items; i++) {
        uint32_t value = s->items[i].value, op = op_of(s, value);
        if (s->items[i].step != DD_STEP_COMPUTE || (op != DD_TAPE_SIN && op != DD_TAPE_COS)) {
            continue;
        }
        /* the first of sine and cosine of an angle waits for the other in the same scope */
        uint32_t angle = *dd_ir_args(s->ir, value), other = dd_map_get(&first, angle);
        if (other != 0 && op_of(s, other - 1) != op &&
            s->ir->values.data[other - 1].scope == s->ir->values.data[value].scope) {
            s->twin[other - 1] = value;
            s->fate[value] = TWIN;
        } else {
            dd_map_put(&first, angle, value + 1);
        }
    }
    dd_map_free(&first);
}

static void decide_all(selector *s)
{
    /* terms first: decisions below must know which products are gone */
    for (uint32_t i = 0; i < s->n_items; i++) {
        if (s->items[i].step == DD_STEP_COMPUTE && is_term(s, s->items[i].value)) {
            s->fate[s->items[i].value] = TERM;
        }
    }
    /* users before their arguments: a value that is taken cannot take others */
    for (uint32_t i = s->n_items; i-- > 0;) {
        if (s->items[i].step == DD_STEP_COMPUTE) {
            decide(s, s->items[i].value);
        }
    }
    find_twins(s);
}

/* ---- writing instructions ---- */

static void put(selector *s, uint32_t word)
{
    dd_vec_push(s->pool, &s->code.words, word);
}

static void put_code(selector *s, dd_code_op op, uint32_t dest, const uint32_t *sources, uint32_t n)
{
    put(s, op);
    put(s, dest);
    for (uint32_t i = 0; i < n; i++) {
        put(s, sources[i]);
    }
    assert(n == dd_code_sources(op) && dd_code_dests(op) == 1);
}

static bool term_is(const term *t, bool minus, bool product)
{
    return t->minus == minus && (t->b != DD_NO_VALUE) == product;
}

/* One instruction for at most DD_SUM_MOST terms; within it they are in the order p, l, m, s. */
static void put_sum(selector *s, uint32_t dest, const term *terms, uint32_t n)
{
    uint32_t count[4] = {0}, sources[2 * DD_SUM_MOST], used = 0;
    /* groups in the order of the code's name: products, plain terms, products subtracted, plain terms subtracted */
    for (uint32_t group = 0; group < 4; group++) {
        bool minus = group >= 2, product = group % 2 == 0;
        for (uint32_t i = 0; i < n; i++) {
            if (term_is(&terms[i], minus, product)) {
                count[group]++;
                sources[used++] = terms[i].a;
                if (product) {
                    sources[used++] = terms[i].b;
                }
            }
        }
    }
    put_code(s, dd_code_sum(count[0], count[1], count[2], count[3]), dest, sources, used);
}

static void select_sum(selector *s, uint32_t value)
{
    const uint32_t *args = dd_ir_args(s->ir, value);
    uint32_t n = s->ir->values.data[value].n;
    s->terms.len = 0;
    /* terms with their signs; a product that only sums need becomes a pair of factors */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t arg = args[i] & ~DD_SUBTRACT;
        bool minus = (args[i] & DD_SUBTRACT) != 0 || op_of(s, value) == DD_TAPE_NEG;
        term t = {arg, DD_NO_VALUE, minus};
        if (s->fate[arg] == TERM) {
            t.a = dd_ir_args(s->ir, arg)[0];
            t.b = dd_ir_args(s->ir, arg)[1];
        }
        dd_vec_push(s->pool, &s->terms, t);
    }
    /* at most four terms in an instruction: longer sums go through partial sums, which take a place of the next
     * chunk */
    uint32_t partial = value;
    for (uint32_t i = 0; i < n;) {
        uint32_t take = i == 0 ? DD_SUM_MOST : DD_SUM_MOST - 1, begin = i;
        take = take < n - i ? take : n - i;
        i += take;
        term chunk[DD_SUM_MOST];
        for (uint32_t k = 0; k < take; k++) {
            chunk[k] = s->terms.data[begin + k];
        }
        if (begin > 0) {
            chunk[take++] = (term){partial, DD_NO_VALUE, false};
        }
        partial = i < n ? s->code.n_values++ : value;
        put_sum(s, partial, chunk, take);
    }
}

static void gather_factors(const selector *s, uint32_t value, uint32_t *factors, uint32_t *n)
{
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t arg = dd_ir_args(s->ir, value)[k];
        if (s->fate[arg] == TAKEN && op_of(s, arg) == DD_TAPE_MUL) {
            gather_factors(s, arg, factors, n); /* at most MOST_FACTORS deep */
        } else {
            factors[(*n)++] = arg;
        }
    }
}

static void select_product(selector *s, uint32_t value)
{
    /* a*(b + c), a*(b - c), a*(c - b) */
    const uint32_t *args = dd_ir_args(s->ir, value);
    for (uint32_t k = 0; k < 2; k++) {
        if (s->fate[args[k]] == TAKEN && op_of(s, args[k]) == DD_TAPE_SUM) {
            /* the positive term comes first in a difference */
            const uint32_t *t = dd_ir_args(s->ir, args[k]);
            bool swap = (t[0] & DD_SUBTRACT) != 0, difference = ((t[0] | t[1]) & DD_SUBTRACT) != 0;
            uint32_t sources[] = {args[1 - k], t[swap] & ~DD_SUBTRACT, t[!swap] & ~DD_SUBTRACT};
            put_code(s, difference ? DD_CODE_MULDIF : DD_CODE_MULSUM, value, sources, 3);
            return;
        }
    }
    /* two to four factors */
    uint32_t factors[MOST_FACTORS], n = 0;
    gather_factors(s, value, factors, &n);
    put_code(s, n == 2 ? DD_CODE_SUM_1000 : n == 3 ? DD_CODE_MUL3 : DD_CODE_MUL4, value, factors, n);
}

static void select_quotient(selector *s, uint32_t value)
{
    const uint32_t *args = dd_ir_args(s->ir, value);
    if (s->fate[args[0]] == TAKEN) {
        const uint32_t *f = dd_ir_args(s->ir, args[0]);
        put_code(s, DD_CODE_MULDIV, value, (uint32_t[]){f[0], f[1], args[1]}, 3);
    } else {
        put_code(s, DD_CODE_DIV, value, args, 2);
    }
}

static void select_sine(selector *s, uint32_t value)
{
    uint32_t angle = *dd_ir_args(s->ir, value), twin = s->twin[value];
    bool sine = op_of(s, value) == DD_TAPE_SIN;
    if (twin == DD_NO_VALUE) {
        put_code(s, sine ? DD_CODE_SIN : DD_CODE_COS, value, &angle, 1);
        return;
    }
    /* two destinations: sine, cosine */
    put(s, DD_CODE_SINCOS);
    put(s, sine ? value : twin);
    put(s, sine ? twin : value);
    put(s, angle);
}

static const uint8_t plain_code[DD_TAPE_OP_COUNT] = {
#define SAME(id, ...) [DD_TAPE_##id] = DD_CODE_##id,
    DD_ELEMENTARY_LIST(SAME) DD_PLAIN_LIST(SAME)
#undef SAME
        [DD_TAPE_INVERSE] = DD_CODE_INVERSE,
    [DD_TAPE_POWER] = DD_CODE_POWER,
    [DD_TAPE_SQRT] = DD_CODE_SQRT,
    [DD_TAPE_AND] = DD_CODE_AND,
    [DD_TAPE_OR] = DD_CODE_OR,
    [DD_TAPE_SELECT] = DD_CODE_SELECT,
};

static void select_value(selector *s, uint32_t value)
{
    switch (op_of(s, value)) {
    case DD_TAPE_SUM:
    case DD_TAPE_NEG: /* a sum of one negative term */
        select_sum(s, value);
        return;
    case DD_TAPE_MUL:
        select_product(s, value);
        return;
    case DD_TAPE_DIV:
        select_quotient(s, value);
        return;
    case DD_TAPE_SIN:
    case DD_TAPE_COS:
        select_sine(s, value);
        return;
    default:
        put_code(s, (dd_code_op)plain_code[op_of(s, value)], value, dd_ir_args(s->ir, value),
                 s->ir->values.data[value].n);
        return;
    }
}

/* value = (condition, then, else); see code.h */
static void select_side(selector *s, dd_ir_step step, uint32_t value)
{
    const uint32_t *args = dd_ir_args(s->ir, value);
    if (step == DD_STEP_BRANCH) {
        /* BRANCH c: false for all lanes skips the then side */
        put(s, DD_CODE_BRANCH);
        put(s, args[0]);
    } else if (step == DD_STEP_OTHER) {
        /* value = then; SKIP c: true for all lanes skips the else side */
        put_code(s, DD_CODE_SUM_0100, value, &args[1], 1);
        put(s, DD_CODE_SKIP);
        put(s, args[0]);
    } else {
        /* value = c ? value : else, by lane; DD_CODE_COUNT marks the target of SKIP */
        put_code(s, DD_CODE_SELECT, value, (uint32_t[]){args[0], value, args[2]}, 3);
        put(s, DD_CODE_COUNT);
    }
}

static void select_all(selector *s)
{
    for (uint32_t i = 0; i < s->n_items; i++) {
        dd_ir_item item = s->items[i];
        if (item.step != DD_STEP_COMPUTE) {
            select_side(s, item.step, item.value);
        } else if (s->fate[item.value] == OWN) {
            select_value(s, item.value);
        }
    }
    put(s, DD_CODE_END);
}

dd_vcode dd_select_code(const dd_ir *ir, bool prologue, dd_pool *pool)
{
    selector s = {.ir = ir, .pool = pool, .prologue = prologue, .items = ir->main.data, .n_items = ir->main.len};
    uint32_t n = ir->values.len;
    /* the prologue has no jumps: its values as items */
    if (prologue) {
        dd_ir_item *items = dd_pool_alloc_array(pool, (size_t)ir->prologue.len + 1, sizeof *items);
        for (uint32_t i = 0; i < ir->prologue.len; i++) {
            items[i] = (dd_ir_item){DD_STEP_COMPUTE, ir->prologue.data[i]};
        }
        s.items = items;
        s.n_items = ir->prologue.len;
    }
    /* zeroed: nothing is used, every fate is OWN */
    s.uses = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *s.uses);
    s.sum_uses = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *s.sum_uses);
    s.fate = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *s.fate);
    s.twin = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *s.twin);
    for (uint32_t i = 0; i < n; i++) {
        s.twin[i] = DD_NO_VALUE;
    }
    s.code.n_values = n;
    /* the counts of uses decide about fusing, so they come first */
    count_uses(&s);
    if (prologue) {
        count_outside_uses(&s);
    }
    decide_all(&s);
    select_all(&s);
    return s.code;
}
