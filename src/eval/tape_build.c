/* tape_build.c - from expressions to instructions.
 *
 * Where does an instruction go? Every selection opens two scopes inside its own, for nodes that only one side needs:
 *
 *   scope 0 (always)  --  if at node 9: scope 1 (then), scope 2 (else)  --  if at node 7 in scope 1: scopes 3, 4 ...
 *
 * Nodes are visited from the roots down; the scope of a node is the innermost one that holds all its uses, which are
 * all known when its turn comes. Then each scope's nodes are emitted in index order, the inner scopes where their
 * selection is; arguments come before users because they have smaller indices than the selection they serve. */
#include <assert.h>
#include <string.h>

#include "eval/tape_impl.h"
#include "expr/walk.h"

#define DEEPEST_SCOPE 1000 /* below that both sides are computed: keeps the search for common scopes short */
#define UNUSED UINT32_MAX
#define NO_SLOT UINT32_MAX

typedef struct scope {
    uint32_t parent, depth;
    uint32_t first; /* first place in it, in rising order; UNUSED when empty */
} scope;

typedef struct frame {
    uint32_t next;      /* next place of the scope being emitted */
    uint32_t selection; /* place of the selection it belongs to; UNUSED for the outermost */
    uint32_t jump;      /* the jump to patch at the end */
    bool is_else;
} frame;

typedef struct build {
    dd_pool *pool;
    dd_dag *dag;
    dd_walk walk;
    bool values_only;
    uint32_t *scope_of; /* per place */
    uint32_t *inner;    /* per place of a selection: its then scope; + 1 the else scope; 0 when it has none */
    uint32_t *next;     /* per place: the next of the same scope */
    uint32_t *slot;     /* per place */
    uint32_t n_slots;
    DD_VEC(scope) scopes;
    DD_VEC(frame) frames;
    DD_VEC(dd_instruction) code;
    DD_VEC(uint32_t) lists;
} build;

/* Taylor recurrences that need a second series, or two. */
static const uint8_t aux_slots[DD_TAPE_OP_COUNT] = {
#define ONE_MORE(id, ...) [DD_TAPE_##id] = 1,
    DD_ELEMENTARY_LIST(ONE_MORE)[DD_TAPE_ATAN2] = 1,
    [DD_TAPE_POWER] = 2,
#undef ONE_MORE
};

/* ---- which arguments an operation reads ---- */

static bool num_is(const build *b, dd_expr e, double value)
{
    return dd_is_num(b->dag, e, value);
}

/* x^(-1) as a factor is a division by x. */
static bool is_divisor(const build *b, dd_expr factor)
{
    return dd_op_of(b->dag, factor) == DD_OP_POW && num_is(b, dd_arg(b->dag, factor, 1), -1);
}

/* -x as a term is a subtraction of x. */
static bool is_subtracted(const build *b, dd_expr term)
{
    return dd_op_of(b->dag, term) == DD_OP_MUL && dd_arg_count(b->dag, term) == 2 &&
           num_is(b, dd_arg(b->dag, term, 0), -1);
}

static bool small_integer(const build *b, dd_expr e, int32_t *k)
{
    int64_t num, den;
    if (dd_op_of(b->dag, e) != DD_OP_NUM || !dd_num_rational(b->dag, e, &num, &den) || den != 1 || num > 1024 ||
        num < -1024) {
        return false;
    }
    *k = (int32_t)num;
    return true;
}

/* The node that is read for argument i of e; DD_EXPR_NONE when nothing is (a number that is part of the instruction).
 * */
static dd_expr operand(const build *b, dd_expr e, uint32_t i)
{
    dd_expr a = dd_arg(b->dag, e, i);
    int32_t k;
    switch (dd_op_of(b->dag, e)) {
    /* (-1)*x and x^(-1) are part of the instruction, not operands */
    case DD_OP_MUL:
        return is_divisor(b, a) ? dd_arg(b->dag, a, 0) : i == 0 && num_is(b, a, -1) ? DD_EXPR_NONE : a;
    case DD_OP_ADD:
        return is_subtracted(b, a) ? dd_arg(b->dag, a, 1) : a;
    /* small whole and half exponents are part of the instruction */
    case DD_OP_POW:
        return i == 1 && (small_integer(b, a, &k) || num_is(b, a, 0.5) || num_is(b, a, -0.5)) ? DD_EXPR_NONE : a;
    /* homotopy(actual, simplified) is the actual one here */
    case DD_OP_HOMOTOPY:
        return i == 0 ? a : DD_EXPR_NONE;
    /* given derivatives are read by series alone */
    case DD_OP_DERIVED:
        return i == 0 || !b->values_only ? a : DD_EXPR_NONE;
    default:
        return a;
    }
}

/* ---- scopes ---- */

static uint32_t common_scope(const build *b, uint32_t s, uint32_t t)
{
    const scope *scopes = b->scopes.data;
    /* up from the deeper one until both meet */
    while (s != t) {
        if (scopes[s].depth >= scopes[t].depth) {
            s = scopes[s].parent;
        } else {
            t = scopes[t].parent;
        }
    }
    return s;
}

static void use(build *b, dd_expr e, uint32_t in)
{
    uint32_t place = dd_walk_place(b->dag, &b->walk, e);
    b->scope_of[place] = b->scope_of[place] == UNUSED ? in : common_scope(b, b->scope_of[place], in);
}

static uint32_t open_scopes(build *b, uint32_t in)
{
    uint32_t depth = b->scopes.data[in].depth + 1;
    /* 0 is the scope of everything: both sides are then computed */
    if (depth > DEEPEST_SCOPE) {
        return 0;
    }
    dd_vec_push(b->pool, &b->scopes, (scope){in, depth, UNUSED});
    dd_vec_push(b->pool, &b->scopes, (scope){in, depth, UNUSED});
    return b->scopes.len - 2;
}

/* Marks the operands of the node at this place as used in its scope, and files the node there. */
static void visit(build *b, uint32_t place)
{
    dd_expr e = b->walk.nodes[place];
    uint32_t in = b->scope_of[place], inner = 0;
    /* a selection opens a scope for each side; its condition belongs outside */
    if (dd_op_of(b->dag, e) == DD_OP_IF) {
        inner = open_scopes(b, in);
        b->inner[place] = inner;
    }
    /* operands are used here, or on the side they serve */
    for (uint32_t i = 0; i < dd_arg_count(b->dag, e); i++) {
        dd_expr a = operand(b, e, i);
        if (a != DD_EXPR_NONE) {
            use(b, a, inner != 0 && i > 0 ? inner + i - 1 : in);
        }
    }
    /* visited in falling order and pushed to the front: the list rises */
    b->next[place] = b->scopes.data[in].first;
    b->scopes.data[in].first = place;
}

static void assign_scopes(build *b, const dd_expr *outputs, uint32_t m)
{
    dd_vec_push(b->pool, &b->scopes, (scope){0, 0, UNUSED});
    for (uint32_t i = 0; i < m; i++) {
        use(b, outputs[i], 0);
    }
    /* users before operands: all uses of a node are known when its turn comes */
    for (uint32_t place = b->walk.n; place-- > 0;) {
        bool computed = dd_arg_count(b->dag, b->walk.nodes[place]) > 0 && b->slot[place] == NO_SLOT;
        if (b->scope_of[place] != UNUSED && computed) {
            visit(b, place);
        }
    }
}

/* ---- instructions ---- */

static uint32_t slot_of(const build *b, dd_expr e)
{
    uint32_t slot = b->slot[dd_walk_place(b->dag, &b->walk, e)];
    assert(slot != NO_SLOT);
    return slot;
}

static uint32_t new_slot(build *b, dd_tape_op op)
{
    uint32_t slot = b->n_slots;
    b->n_slots += 1u + aux_slots[op];
    /* the top bit of a slot is the sign in lists */
    if (b->n_slots >= DD_SUBTRACT) {
        dd_raise(dd_pool_context(b->pool), DD_LIMIT, "a tape needs more than 2^31 slots");
    }
    return slot;
}

static uint32_t emit(build *b, dd_tape_op op, uint32_t x, uint32_t y)
{
    uint32_t dest = new_slot(b, op);
    dd_vec_push(b->pool, &b->code, (dd_instruction){op, dest, x, y});
    return dest;
}

static uint32_t emit_sum(build *b, dd_expr e)
{
    uint32_t n = dd_arg_count(b->dag, e), begin = b->lists.len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sign = is_subtracted(b, dd_arg(b->dag, e, i)) ? DD_SUBTRACT : 0;
        dd_vec_push(b->pool, &b->lists, slot_of(b, operand(b, e, i)) | sign);
    }
    /* long sums keep their list */
    if (n > 2) {
        return emit(b, DD_TAPE_SUM, begin, n);
    }
    /* two terms: a + b, a - b, b - a or -(a + b) */
    uint32_t x = b->lists.data[begin], y = b->lists.data[begin + 1];
    b->lists.len = begin;
    if ((x & DD_SUBTRACT) == 0) {
        return emit(b, (y & DD_SUBTRACT) != 0 ? DD_TAPE_SUB : DD_TAPE_ADD, x, y & ~DD_SUBTRACT);
    }
    x &= ~DD_SUBTRACT;
    return (y & DD_SUBTRACT) == 0 ? emit(b, DD_TAPE_SUB, y, x)
                                  : emit(b, DD_TAPE_NEG, emit(b, DD_TAPE_ADD, x, y & ~DD_SUBTRACT), 0);
}

/* The product of the factors that are divisors (or of those that are not); NO_SLOT when there are none. */
static uint32_t emit_factors(build *b, dd_expr e, bool divisors)
{
    uint32_t slot = NO_SLOT;
    for (uint32_t i = 0; i < dd_arg_count(b->dag, e); i++) {
        dd_expr a = operand(b, e, i);
        if (a != DD_EXPR_NONE && is_divisor(b, dd_arg(b->dag, e, i)) == divisors) {
            slot = slot == NO_SLOT ? slot_of(b, a) : emit(b, DD_TAPE_MUL, slot, slot_of(b, a));
        }
    }
    return slot;
}

static uint32_t emit_product(build *b, dd_expr e)
{
    /* numerator / denominator, one division for all divisors */
    uint32_t above = emit_factors(b, e, false), below = emit_factors(b, e, true);
    uint32_t slot = above == NO_SLOT   ? emit(b, DD_TAPE_INVERSE, below, 0)
                    : below == NO_SLOT ? above
                                       : emit(b, DD_TAPE_DIV, above, below);
    return num_is(b, dd_arg(b->dag, e, 0), -1) ? emit(b, DD_TAPE_NEG, slot, 0) : slot;
}

static uint32_t emit_power(build *b, dd_expr e)
{
    uint32_t base = slot_of(b, dd_arg(b->dag, e, 0));
    dd_expr exponent = dd_arg(b->dag, e, 1);
    int32_t k;
    /* 1/x, x^2, x^k by multiplications */
    if (small_integer(b, exponent, &k)) {
        return k == -1  ? emit(b, DD_TAPE_INVERSE, base, 0)
               : k == 2 ? emit(b, DD_TAPE_SQUARE, base, 0)
                        : emit(b, DD_TAPE_POWER_INT, base, (uint32_t)k);
    }
    /* square roots are exact to half a unit, pow is not */
    if (num_is(b, exponent, 0.5) || num_is(b, exponent, -0.5)) {
        uint32_t root = emit(b, DD_TAPE_SQRT, base, 0);
        return num_is(b, exponent, 0.5) ? root : emit(b, DD_TAPE_INVERSE, root, 0);
    }
    return emit(b, dd_op_of(b->dag, exponent) == DD_OP_NUM ? DD_TAPE_POWER_CONST : DD_TAPE_POWER, base,
                slot_of(b, exponent));
}

static uint32_t emit_chain(build *b, dd_tape_op op, dd_expr e)
{
    uint32_t slot = slot_of(b, dd_arg(b->dag, e, 0));
    for (uint32_t i = 1; i < dd_arg_count(b->dag, e); i++) {
        slot = emit(b, op, slot, slot_of(b, dd_arg(b->dag, e, i)));
    }
    return slot;
}

/* A value with given derivatives. */
static uint32_t emit_derived(build *b, dd_expr e)
{
    uint32_t n = dd_arg_count(b->dag, e), begin = b->lists.len;
    if (b->values_only) {
        return slot_of(b, dd_arg(b->dag, e, 0));
    }
    /* value, then pairs (argument, partial) */
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(b->pool, &b->lists, slot_of(b, dd_arg(b->dag, e, i)));
    }
    return emit(b, DD_TAPE_DERIVED, begin, n / 2);
}

static const uint8_t function_op[DD_OP_COUNT] = {
#define SAME(id, ...) [DD_OP_##id] = DD_TAPE_##id,
    DD_ELEMENTARY_LIST(SAME) DD_PLAIN_LIST(SAME)
#undef SAME
};

static uint32_t emit_node(build *b, dd_expr e)
{
    dd_op op = dd_op_of(b->dag, e);
    switch (op) {
    /* operations with instructions of more than one kind */
    case DD_OP_ADD:
        return emit_sum(b, e);
    case DD_OP_MUL:
        return emit_product(b, e);
    case DD_OP_POW:
        return emit_power(b, e);
    case DD_OP_AND:
        return emit_chain(b, DD_TAPE_AND, e);
    case DD_OP_OR:
        return emit_chain(b, DD_TAPE_OR, e);
    case DD_OP_DERIVED:
        return emit_derived(b, e);
    /* no change of value */
    case DD_OP_NOEVENT:
    case DD_OP_HOMOTOPY:
        return slot_of(b, dd_arg(b->dag, e, 0));
    default:
        break;
    }
    uint32_t x = slot_of(b, dd_arg(b->dag, e, 0));
    return emit(b, function_op[op], x, dd_arg_count(b->dag, e) == 2 ? slot_of(b, dd_arg(b->dag, e, 1)) : 0);
}

/* ---- selections ---- */

static uint32_t emit_select(build *b, dd_expr e)
{
    uint32_t begin = b->lists.len;
    dd_vec_push(b->pool, &b->lists, slot_of(b, dd_arg(b->dag, e, 1)));
    dd_vec_push(b->pool, &b->lists, slot_of(b, dd_arg(b->dag, e, 2)));
    return emit(b, DD_TAPE_SELECT, slot_of(b, dd_arg(b->dag, e, 0)), begin);
}

/* Starts one side: emits the jump that leads past it and opens a frame for its scope. */
static void begin_side(build *b, uint32_t place, bool is_else)
{
    /* the jump over the then side depends on the condition; the one over the else side is unconditional */
    uint32_t jump = b->code.len;
    dd_instruction over = {DD_TAPE_JUMP, 0, 0, 0};
    if (!is_else) {
        over = (dd_instruction){DD_TAPE_JUMP_IF_FALSE, 0, slot_of(b, dd_arg(b->dag, b->walk.nodes[place], 0)), 0};
    }
    dd_vec_push(b->pool, &b->code, over);
    uint32_t first = b->scopes.data[b->inner[place] + is_else].first;
    dd_vec_push(b->pool, &b->frames, (frame){first, place, jump, is_else});
}

/* Ends a side: the result is copied, and the jump over it gets its target. */
static void end_side(build *b)
{
    frame done = b->frames.data[--b->frames.len];
    if (done.selection == UNUSED) {
        return;
    }
    /* both sides copy their value to the slot of the selection */
    dd_expr value = dd_arg(b->dag, b->walk.nodes[done.selection], done.is_else ? 2 : 1);
    dd_instruction copy = {DD_TAPE_COPY, b->slot[done.selection], slot_of(b, value), 0};
    dd_vec_push(b->pool, &b->code, copy);
    if (!done.is_else) {
        begin_side(b, done.selection, true);
    }
    b->code.data[done.jump].b = b->code.len;
}

static bool scopes_are_empty(const build *b, uint32_t inner)
{
    return inner == 0 || (b->scopes.data[inner].first == UNUSED && b->scopes.data[inner + 1].first == UNUSED);
}

static void emit_all(build *b)
{
    dd_vec_push(b->pool, &b->frames, (frame){b->scopes.data[0].first, UNUSED, 0, false});
    while (b->frames.len > 0) {
        frame *top = &b->frames.data[b->frames.len - 1];
        uint32_t place = top->next;
        /* end of a scope: its selection goes on with the other side */
        if (place == UNUSED) {
            end_side(b);
            continue;
        }
        top->next = b->next[place];
        dd_expr e = b->walk.nodes[place];
        /* a selection whose sides compute nothing by themselves needs no jump */
        if (dd_op_of(b->dag, e) != DD_OP_IF) {
            b->slot[place] = emit_node(b, e);
        } else if (scopes_are_empty(b, b->inner[place])) {
            b->slot[place] = emit_select(b, e);
        } else {
            b->slot[place] = new_slot(b, DD_TAPE_COPY);
            begin_side(b, place, false);
        }
    }
}

/* ---- slots of inputs and constants, and the finished tape ---- */

/* Any node may be an input; then it is not computed. */
static void place_inputs(build *b, const dd_expr *inputs, uint32_t n)
{
    /* nothing placed yet */
    for (uint32_t i = 0; i < b->walk.n; i++) {
        b->scope_of[i] = UNUSED;
        b->inner[i] = 0;
        b->slot[i] = NO_SLOT;
    }
    /* inputs have the first slots, in order */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = dd_walk_place(b->dag, &b->walk, inputs[i]);
        if (place != DD_NO_PLACE) {
            b->slot[place] = i;
        }
    }
    b->n_slots = n;
}

static void place_numbers(build *b)
{
    for (uint32_t i = 0; i < b->walk.n; i++) {
        dd_op op = dd_op_of(b->dag, b->walk.nodes[i]);
        /* numbers that nothing reads get no slot */
        if (b->scope_of[i] == UNUSED) {
            continue;
        }
        if (op == DD_OP_NUM) {
            b->slot[i] = b->n_slots++;
        } else if (dd_arg_count(b->dag, b->walk.nodes[i]) == 0 && b->slot[i] == NO_SLOT) {
            /* a symbol without a slot: neither input nor number */
            dd_raise(dd_pool_context(b->pool), DD_INVALID_ARGUMENT,
                     "an expression has a symbol that is not an input of its tape");
        }
    }
}

static void store_constants(const build *b, dd_tape *tape)
{
    for (uint32_t i = 0; i < b->walk.n; i++) {
        if (b->scope_of[i] != UNUSED && dd_op_of(b->dag, b->walk.nodes[i]) == DD_OP_NUM) {
            double value = dd_num_value(b->dag, b->walk.nodes[i]);
            tape->values[b->slot[i]] = value;
            tape->magnitudes[b->slot[i]] = value < 0 ? -value : value;
        }
    }
}

static void *copy_array(dd_pool *pool, const void *data, size_t n, size_t size)
{
    void *copy = dd_pool_alloc_array(pool, n + 1, size);
    if (n > 0) {
        memcpy(copy, data, n * size);
    }
    return copy;
}

static dd_tape *finish(const build *b, dd_pool *pool, uint32_t n, uint32_t first_result, const dd_expr *outputs,
                       uint32_t m)
{
    /* copies: the scratch pool goes at the end */
    dd_tape *tape = dd_pool_alloc(pool, sizeof *tape);
    tape->pool = pool;
    tape->n_in = n;
    tape->n_out = m;
    tape->n_slots = b->n_slots;
    tape->first_result = first_result;
    tape->length = b->code.len;
    tape->code = copy_array(pool, b->code.data, b->code.len, sizeof *tape->code);
    tape->lists = copy_array(pool, b->lists.data, b->lists.len, sizeof *tape->lists);
    tape->outputs = dd_pool_alloc_array(pool, (size_t)m + 1, sizeof *tape->outputs);
    for (uint32_t i = 0; i < m; i++) {
        tape->outputs[i] = slot_of(b, outputs[i]);
    }
    /* values and magnitudes of constants are set once, here */
    tape->values = dd_pool_alloc_array(pool, (size_t)b->n_slots + 1, sizeof *tape->values);
    tape->magnitudes = dd_pool_alloc_array(pool, (size_t)b->n_slots + 1, sizeof *tape->magnitudes);
    store_constants(b, tape);
    return tape;
}

dd_tape *dd_tape_build(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, uint32_t n, const dd_expr *outputs,
                       uint32_t m, bool values_only)
{
    build b = {
        .pool = dd_pool_child(pool), .dag = dag, .walk = dd_walk_new(dag, outputs, m, 0), .values_only = values_only};
    /* per node of the walk: scope, inner scopes, list, slot */
    b.scope_of = dd_pool_alloc_array(b.pool, (size_t)b.walk.n + 1, sizeof *b.scope_of);
    b.inner = dd_pool_alloc_array(b.pool, (size_t)b.walk.n + 1, sizeof *b.inner);
    b.next = dd_pool_alloc_array(b.pool, (size_t)b.walk.n + 1, sizeof *b.next);
    b.slot = dd_pool_alloc_array(b.pool, (size_t)b.walk.n + 1, sizeof *b.slot);
    place_inputs(&b, inputs, n);
    assign_scopes(&b, outputs, m);
    place_numbers(&b);
    /* inputs, numbers, then results */
    uint32_t first_result = b.n_slots;
    emit_all(&b);
    dd_tape *tape = finish(&b, pool, n, first_result, outputs, m);
    dd_walk_free(dag, &b.walk);
    dd_pool_free(b.pool);
    return tape;
}

dd_tape *dd_tape_new(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, uint32_t n, const dd_expr *outputs, uint32_t m)
{
    return dd_tape_build(pool, dag, inputs, n, outputs, m, false);
}

dd_tape *dd_tape_twin(dd_pool *pool, const dd_tape *of)
{
    dd_tape *tape = dd_pool_alloc(pool, sizeof *tape);
    *tape = *of;
    tape->pool = pool;
    tape->series = tape->series_work = NULL;
    tape->series_order = 0;
    /* constants are in place, everything else is computed anew */
    tape->values = dd_pool_alloc_array(pool, (size_t)of->n_slots + 1, sizeof *tape->values);
    tape->magnitudes = dd_pool_alloc_array(pool, (size_t)of->n_slots + 1, sizeof *tape->magnitudes);
    for (uint32_t i = of->n_in; i < of->first_result; i++) {
        tape->values[i] = of->values[i];
        tape->magnitudes[i] = of->magnitudes[i];
    }
    return tape;
}

uint32_t dd_tape_length(const dd_tape *tape)
{
    return tape->length;
}
