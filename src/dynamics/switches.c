/* switches.c - finding relations and rewriting what has kinks. Nodes are visited in increasing index, which is
 * topological. */
#include "dynamics/switches.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int by_index(const void *a, const void *b)
{
    dd_expr x = *(const dd_expr *)a, y = *(const dd_expr *)b;
    return x < y ? -1 : x > y;
}

/* All nodes that the expressions reach, increasing; inside: within noEvent too. */
static dd_expr_vec reachable(dd_dag *dag, const dd_expr *exprs, uint32_t n, bool inside, dd_pool *scratch)
{
    dd_expr_vec found = {0}, stack = {0};
    dd_map seen = dd_map_new(scratch);
    /* depth first with an explicit stack: the depth is up to the model */
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(scratch, &stack, exprs[i]);
        while (stack.len > 0) {
            dd_check_stop(dd_pool_context(scratch));
            dd_expr e = stack.data[--stack.len];
            if (dd_map_get(&seen, e)) {
                continue;
            }
            dd_map_put(&seen, e, 1);
            dd_vec_push(scratch, &found, e);
            for (uint32_t k = 0; (inside || dd_op_of(dag, e) != DD_OP_NOEVENT) && k < dd_arg_count(dag, e); k++) {
                dd_vec_push(scratch, &stack, dd_arg(dag, e, k));
            }
        }
    }
    /* in increasing index children come before parents */
    if (found.len > 0) {
        qsort(found.data, found.len, sizeof *found.data, by_index);
    }
    return found;
}

/* How g changes: not at all, with time alone, or with the unknowns. */
typedef enum variation { VARIES_NOT, VARIES_TIME, VARIES_STATE } variation;

static variation how_it_varies(const dd_system *s, dd_expr g, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, g, true, &symbols, scratch);
    variation v = VARIES_NOT;
    /* any unknown outweighs the time */
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_op op = dd_op_of(dag, symbols.data[i]);
        v = op == DD_OP_VAR ? VARIES_STATE : op == DD_OP_TIME && v == VARIES_NOT ? VARIES_TIME : v;
    }
    return v;
}

/* ---- rewriting ---- */

typedef struct rewriting {
    const dd_system *s;
    dd_dag *dag;
    dd_pool *pool, *scratch;
    bool kinks;          /* min, max, abs and sign too */
    bool limited;        /* powers end at their margin */
    bool known_only;     /* no new s, k, margins */
    uint32_t fresh;      /* the next variable */
    dd_switch_vec *out;  /* gets signs, slopes and margins */
    bool inside;         /* relations within noEvent too */
    bool jumps;          /* something else jumps there */
    dd_map sign, margin; /* origin -> 1 + index in out */
    dd_map literal;      /* the same of relations within noEvent */
    dd_map open;         /* nodes that are reached without noEvent */
    dd_map signed_argument;
    dd_map shown;      /* relation or floor -> what was written */
    dd_map hard, soft; /* relations of the model; of kinks (1: min, max; 2: abs) */
    dd_map strict;     /* relations b <= a that are to be b < a */
} rewriting;

static dd_expr zero(dd_dag *dag)
{
    return dd_rational(dag, 0, 1);
}

static dd_expr positive(dd_dag *dag, dd_expr a)
{
    return dd_binary(dag, DD_OP_LT, zero(dag), a);
}

static dd_expr silent(dd_dag *dag, dd_op op, dd_expr a, dd_expr b)
{
    return dd_unary(dag, DD_OP_NOEVENT, dd_binary(dag, op, a, b));
}

/* Messages show what the model has. */
static void show(rewriting *r, dd_expr node, dd_expr written)
{
    if (!dd_map_get(&r->shown, node)) {
        dd_map_put(&r->shown, node, written);
    }
}

/* A relation that a kink is written with. */
static dd_expr kink(rewriting *r, dd_expr written, dd_expr relation, uint32_t kind)
{
    show(r, relation, written);
    if (!dd_map_get(&r->soft, relation)) {
        dd_map_put(&r->soft, relation, kind);
    }
    return relation;
}

static void add_number(rewriting *r, dd_switch_kind kind, dd_expr origin, dd_expr g)
{
    dd_switch w = {
        .kind = kind, .origin = origin, .shown = origin, .g = g, .node = dd_var(r->dag, r->fresh++, 0), .quiet = true};
    dd_vec_push(r->pool, r->out, w);
}

/* s + k*a; DD_EXPR_NONE when it is not known and no new one is wanted. */
static dd_expr signum(rewriting *r, dd_expr origin, dd_expr a)
{
    /* one sign per argument: sign(a) and abs(a) of the same a switch together */
    uint32_t at = dd_map_get(&r->sign, origin);
    if (at == 0 && (r->known_only || dd_op_of(r->dag, a) == DD_OP_NUM)) {
        return DD_EXPR_NONE;
    }
    /* two frozen numbers, s and k */
    if (at == 0) {
        at = r->out->len + 1;
        dd_map_put(&r->sign, origin, at);
        add_number(r, DD_SWITCH_SIGN, origin, a);
        add_number(r, DD_SWITCH_SLOPE, origin, zero(r->dag));
    }
    return dd_add(r->dag, r->out->data[at - 1].node, dd_mul(r->dag, r->out->data[at].node, a));
}

/* Is a^p to be continued below zero? p > 0 and no integer, a no constant. */
static bool is_root(rewriting *r, dd_expr a, dd_expr p)
{
    double value;
    uint32_t culprit;
    dd_expr_vec symbols = {0};
    dd_op op = dd_op_of(r->dag, p);
    /* an exponent that is known now, positive, not an integer */
    if ((op != DD_OP_NUM && op != DD_OP_PARAM) || !dd_model_evaluate(r->s->model, p, false, &value, &culprit) ||
        !(value > 0) || value == floor(value)) {
        return false;
    }
    dd_symbols(r->dag, a, false, &symbols, r->scratch);
    const bool varies = symbols.len > 0;
    dd_vec_free(r->scratch, &symbols);
    return varies;
}

/* The odd continuation of a^p, in a layer around zero by a cubic with the same value and slope at its ends:
 * a e ((3 - p)/2 + (p - 1)/2 (a/d)^2) for |a| < d, with e = d^(p-1). No number far below zero when that is wanted. */
static dd_expr root(rewriting *r, dd_expr origin, dd_expr a, dd_expr p)
{
    dd_dag *dag = r->dag;
    /* one margin per power, found again by its origin */
    uint32_t at = dd_map_get(&r->margin, origin), culprit;
    if (at == 0 && r->known_only) {
        return dd_pow(dag, a, p);
    }
    if (at == 0) {
        at = r->out->len + 1;
        dd_map_put(&r->margin, origin, at);
        add_number(r, DD_SWITCH_MARGIN, origin, a);
        add_number(r, DD_SWITCH_SLOPE, origin, zero(dag));
        dd_model_evaluate(r->s->model, p, false, &r->out->data[at - 1].exponent, &culprit);
    }
    /* pieces: |a| < d by the cubic, a > 0 the power itself, below its negative */
    const dd_expr d = r->out->data[at - 1].node, e = r->out->data[at].node;
    const dd_expr distance = dd_unary(dag, DD_OP_ABS, a), size = dd_pow(dag, distance, p),
                  half = dd_rational(dag, 1, 2);
    const dd_expr c1 = dd_mul(dag, half, dd_sub(dag, dd_rational(dag, 3, 1), p));
    const dd_expr c3 = dd_mul(dag, half, dd_sub(dag, p, dd_rational(dag, 1, 1)));
    const dd_expr bend = dd_pow(dag, dd_div(dag, a, d), dd_rational(dag, 2, 1));
    const dd_expr inside = dd_mul(dag, dd_mul(dag, a, e), dd_add(dag, c1, dd_mul(dag, c3, bend)));
    dd_expr below = dd_neg(dag, size);
    /* the checked rows have no value far below zero, where the model has none either */
    if (r->limited) {
        const dd_expr far = dd_mul(dag, dd_rational(dag, -DD_SWITCH_FAR, 1), d);
        below = dd_if(dag, silent(dag, DD_OP_LE, far, a), below, dd_pow(dag, a, p));
    }
    return dd_if(dag, silent(dag, DD_OP_LT, distance, d), inside,
                 dd_if(dag, silent(dag, DD_OP_LT, zero(dag), a), size, below));
}

/* May the operation become another one? Kinks without a jump only where they are asked for. */
static bool is_rewritten(const rewriting *r, dd_op op)
{
    switch (op) {
    case DD_OP_CEIL:
    case DD_OP_MOD:
        return true;
    case DD_OP_ABS:
    case DD_OP_SIGN:
    case DD_OP_POW:
        return r->kinks || r->known_only;
    case DD_OP_MIN:
    case DD_OP_MAX:
        return r->kinks;
    default:
        return false;
    }
}

/* sign(a), or abs(a) where sign(a) occurs too; DD_EXPR_NONE for others. */
static dd_expr by_sign(rewriting *r, dd_expr e, dd_expr a)
{
    const dd_op op = dd_op_of(r->dag, e);
    const dd_expr origin = dd_arg(r->dag, e, 0);
    if (op != DD_OP_SIGN && !(op == DD_OP_ABS && dd_map_get(&r->signed_argument, origin))) {
        return DD_EXPR_NONE;
    }
    const dd_expr sign = signum(r, origin, a);
    return sign == DD_EXPR_NONE || op == DD_OP_SIGN ? sign : dd_mul(r->dag, a, sign);
}

/* A pair of nodes, in this order. */
static uint64_t pair_key(dd_expr a, dd_expr b)
{
    return (uint64_t)a << 32 | b;
}

/* Derivatives of min(a, b) and max(a, b) are on a <= b or on b <= a, whichever was the order of the arguments when
 * they were taken. Where both are there, and a = b, both hold, and one row would follow a while another follows b:
 * the second becomes b < a. */
static void note_mirrored(rewriting *r, const dd_expr_vec *nodes)
{
    /* all relations that appear, by their two sides */
    dd_map relation = dd_map_new(r->scratch);
    for (uint32_t i = 0; i < nodes->len; i++) {
        const dd_expr e = nodes->data[i];
        if (dd_op_of(r->dag, e) == DD_OP_LE) {
            dd_map_put(&relation, pair_key(dd_arg(r->dag, e, 0), dd_arg(r->dag, e, 1)), e);
        }
    }
    /* min(a, b) uses a <= b (max the same with its arguments exchanged) */
    for (uint32_t i = 0; i < nodes->len; i++) {
        const dd_expr e = nodes->data[i];
        const dd_op op = dd_op_of(r->dag, e);
        if (op != DD_OP_MIN && op != DD_OP_MAX) {
            continue;
        }
        const dd_expr a = dd_arg(r->dag, e, op == DD_OP_MAX), b = dd_arg(r->dag, e, op == DD_OP_MIN);
        const dd_expr mirrored = dd_map_get(&relation, pair_key(b, a));
        if (mirrored && !dd_map_get(&r->strict, dd_binary(r->dag, DD_OP_LE, a, b))) {
            dd_map_put(&r->strict, mirrored, 1); /* a <= b is the relation that e itself will have */
        }
    }
}

/* The node e without what has a kink or jumps, arguments a already rewritten. */
static dd_expr without_kink(rewriting *r, dd_expr e, const dd_expr *a, uint32_t n)
{
    dd_dag *dag = r->dag;
    const dd_op op = dd_op_of(dag, e);
    const bool kinks = r->kinks || r->known_only;
    /* sign and abs by s + k a; a power by its continuation */
    const dd_expr sign = kinks ? by_sign(r, e, a[0]) : DD_EXPR_NONE;
    if (sign != DD_EXPR_NONE) {
        return sign;
    }
    if (op == DD_OP_POW && kinks && is_root(r, a[0], a[1])) {
        return root(r, e, a[0], a[1]);
    }
    const bool strict = op == DD_OP_LE && dd_map_get(&r->strict, e);
    if (!(is_rewritten(r, op) || strict) || (r->known_only && op != DD_OP_CEIL && op != DD_OP_MOD)) {
        return dd_make(dag, op, a, n);
    }
    /* the others in relations and floors, which are frozen as they are */
    switch (op) {
    case DD_OP_LE:
        return dd_binary(dag, DD_OP_LT, a[0], a[1]);
    case DD_OP_ABS:
        return dd_if(dag, kink(r, e, positive(dag, a[0]), 2), a[0], dd_neg(dag, a[0]));
    case DD_OP_MIN: /* the relations that their derivatives have, too */
        return dd_if(dag, kink(r, e, dd_binary(dag, DD_OP_LE, a[0], a[1]), 1), a[0], a[1]);
    case DD_OP_MAX:
        return dd_if(dag, kink(r, e, dd_binary(dag, DD_OP_LE, a[1], a[0]), 1), a[0], a[1]);
    case DD_OP_CEIL: {
        const dd_expr floor = dd_unary(dag, DD_OP_FLOOR, dd_neg(dag, a[0]));
        show(r, floor, e);
        return dd_neg(dag, floor);
    }
    case DD_OP_MOD: {
        const dd_expr floor = dd_unary(dag, DD_OP_FLOOR, dd_div(dag, a[0], a[1]));
        show(r, floor, e);
        return dd_sub(dag, a[0], dd_mul(dag, a[1], floor));
    }
    default:
        return dd_make(dag, op, a, n);
    }
}

/* ---- relations within noEvent ---- */

static void add_relation(dd_dag *dag, dd_switch *w, dd_op op, const dd_expr *a)
{
    /* a < b holds where g = b - a is positive */
    w->g = dd_sub(dag, a[1], a[0]);
    w->holds_at_zero = op == DD_OP_LE;
}

/* A relation e that is reached through noEvent only, with arguments a: frozen while m < 3/2, else as it is written. */
static dd_expr literally(rewriting *r, dd_expr e, const dd_expr *a)
{
    dd_dag *dag = r->dag;
    const dd_op op = dd_op_of(dag, e);
    const dd_expr written = dd_binary(dag, op, a[0], a[1]);
    uint32_t at = dd_map_get(&r->literal, e);
    if (at == 0 && (r->known_only || how_it_varies(r->s, written, r->scratch) == VARIES_NOT)) {
        return written;
    }
    /* one number m per relation, found again by its origin */
    if (at == 0) {
        at = r->out->len + 1;
        dd_map_put(&r->literal, e, at);
        add_number(r, DD_SWITCH_RELATION, e, DD_EXPR_NONE);
        dd_switch *w = &r->out->data[at - 1];
        w->literal = w->soft = true;
        add_relation(dag, w, op, a);
    }
    const dd_expr m = r->out->data[at - 1].node;
    return dd_if(dag, silent(dag, DD_OP_LT, m, dd_rational(dag, 3, 2)),
                 silent(dag, DD_OP_LT, dd_rational(dag, 1, 2), m), written);
}

/* What jumps within noEvent and is no relation stays as it is. */
static bool jumps_silently(const rewriting *r, dd_expr e)
{
    const dd_op op = dd_op_of(r->dag, e);
    return r->inside && !dd_map_get(&r->open, e) && (op == DD_OP_CEIL || op == DD_OP_MOD || op == DD_OP_FLOOR);
}

static void note_open(rewriting *r, const dd_expr *exprs, uint32_t n)
{
    const dd_expr_vec nodes = reachable(r->dag, exprs, n, false, r->scratch);
    for (uint32_t i = 0; i < nodes.len; i++) {
        dd_map_put(&r->open, nodes.data[i], 1);
    }
}

static bool is_literal(const rewriting *r, dd_expr e)
{
    const dd_op op = dd_op_of(r->dag, e);
    return r->inside && (op == DD_OP_LT || op == DD_OP_LE) && !dd_map_get(&r->open, e);
}

/* The node e with these arguments, in which something has changed. */
static dd_expr rewritten(rewriting *r, dd_expr e, const dd_expr *a, uint32_t n)
{
    const dd_op op = dd_op_of(r->dag, e);
    return is_literal(r, e)                              ? literally(r, e, a)
           : jumps_silently(r, e) || op == DD_OP_NOEVENT ? dd_make(r->dag, op, a, n)
                                                         : without_kink(r, e, a, n);
}

static void rewrite(rewriting *r, dd_expr *exprs, uint32_t n)
{
    dd_dag *dag = r->dag;
    dd_expr_vec nodes = reachable(dag, exprs, n, r->inside, r->scratch), args = {0};
    dd_map now = dd_map_new(r->scratch);
    if (r->inside) {
        note_open(r, exprs, n);
    }
    /* abs(a) joins sign(a) where both occur, which must be known before either is rewritten */
    for (uint32_t i = 0; i < nodes.len; i++) {
        if (dd_op_of(dag, nodes.data[i]) == DD_OP_SIGN) {
            dd_map_put(&r->signed_argument, dd_arg(dag, nodes.data[i], 0), 1);
        }
    }
    if (r->kinks) {
        note_mirrored(r, &nodes);
    }
    /* children first: arguments are rewritten already */
    for (uint32_t i = 0; i < nodes.len; i++) {
        dd_check_stop(dd_pool_context(r->scratch));
        dd_expr e = nodes.data[i], next = e;
        dd_op op = dd_op_of(dag, e);
        uint32_t count = dd_arg_count(dag, e);
        r->jumps = r->jumps || jumps_silently(r, e);
        bool changed = is_rewritten(r, op) || dd_map_get(&r->strict, e) || is_literal(r, e);
        args.len = 0;
        for (uint32_t k = 0; k < count && (r->inside || op != DD_OP_NOEVENT); k++) {
            dd_expr arg = (dd_expr)dd_map_get(&now, dd_arg(dag, e, k));
            changed = changed || arg != dd_arg(dag, e, k);
            dd_vec_push(r->scratch, &args, arg);
        }
        if (changed && (r->inside || op != DD_OP_NOEVENT)) {
            assert(args.data); /* an operation that changed has arguments */
            next = rewritten(r, e, args.data, args.len);
        }
        /* messages show the relation as the model has it; relations
         * of the model are events, those of kinks may be passed */
        if ((op == DD_OP_LT || op == DD_OP_LE) && !is_literal(r, e)) {
            dd_map_put(&r->hard, next, 1);
        }
        if ((op == DD_OP_LT || op == DD_OP_LE || op == DD_OP_FLOOR) && !is_literal(r, e)) {
            dd_map_put(&r->shown, next, e);
        }
        dd_map_put(&now, e, next);
    }
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = (dd_expr)dd_map_get(&now, exprs[i]);
    }
}

static rewriting new_rewriting(const dd_system *s, dd_pool *pool, dd_pool *scratch)
{
    return (rewriting){.s = s,
                       .dag = s->model->dag,
                       .pool = pool,
                       .scratch = scratch,
                       .sign = dd_map_new(scratch),
                       .margin = dd_map_new(scratch),
                       .signed_argument = dd_map_new(scratch),
                       .shown = dd_map_new(scratch),
                       .hard = dd_map_new(scratch),
                       .soft = dd_map_new(scratch),
                       .strict = dd_map_new(scratch),
                       .literal = dd_map_new(scratch),
                       .open = dd_map_new(scratch)};
}

/* ---- switches ---- */

static void add_switch(const dd_system *s, dd_expr node, dd_switch_vec *out, dd_pool *pool, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_op op = dd_op_of(dag, node);
    dd_switch w = {.kind = op == DD_OP_FLOOR ? DD_SWITCH_FLOOR : DD_SWITCH_RELATION, .node = node, .shown = node};
    /* a < b holds where g = b - a is positive */
    w.g = op == DD_OP_FLOOR ? dd_arg(dag, node, 0) : dd_sub(dag, dd_arg(dag, node, 1), dd_arg(dag, node, 0));
    w.holds_at_zero = op == DD_OP_LE;
    variation v = how_it_varies(s, w.g, scratch);
    if (v == VARIES_NOT) {
        return; /* constant: evaluated as written */
    }
    dd_expr time = dd_time(dag), rate, rest;
    uint32_t culprit;
    double a, b;
    /* t > at or t < at: the moment is known before the run, and a step can end there */
    if (v == VARIES_TIME && w.kind == DD_SWITCH_RELATION && dd_linear(dag, w.g, &time, 1, &rate, &rest) &&
        dd_model_evaluate(s->model, rate, false, &a, &culprit) && a != 0 &&
        dd_model_evaluate(s->model, rest, false, &b, &culprit)) {
        w.only_time = true;
        w.rate = a;
        w.at = -b / a;
    }
    dd_vec_push(pool, out, w);
}

/* Relations and floors that the expressions reach, beside those known. */
static void collect(const dd_system *s, const dd_expr *exprs, uint32_t n, const dd_switch_vec *known,
                    dd_switch_vec *out, dd_pool *pool, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    /* in the order of the nodes, so that the same model has the same list */
    dd_expr_vec nodes = reachable(dag, exprs, n, false, scratch);
    dd_map seen = dd_map_new(scratch);
    for (uint32_t k = 0; k < known->len; k++) {
        dd_map_put(&seen, known->data[k].node, 1);
    }
    for (uint32_t i = 0; i < nodes.len; i++) {
        const dd_op op = dd_op_of(dag, nodes.data[i]);
        if ((op == DD_OP_LT || op == DD_OP_LE || op == DD_OP_FLOOR) && !dd_map_get(&seen, nodes.data[i])) {
            add_switch(s, nodes.data[i], out, pool, scratch);
        }
    }
}

bool dd_switches_find(const dd_system *s, dd_expr *exprs, uint32_t n, uint32_t fresh, dd_switch_vec *switches,
                      dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    rewriting r = new_rewriting(s, pool, scratch);
    /* kinks are rewritten into relations; signs and margins enter the list while they are found */
    r.kinks = r.inside = true;
    r.fresh = fresh;
    r.out = switches;
    rewrite(&r, exprs, n);
    /* then everything that jumps by itself */
    collect(s, exprs, n, switches, switches, pool, scratch);
    /* kinks may be passed, unless the model has the same relation itself; abs alone makes no event message */
    for (uint32_t k = 0; k < switches->len; k++) {
        dd_switch *w = &switches->data[k];
        const dd_expr written = dd_map_get(&r.shown, w->node);
        w->shown = written != DD_EXPR_NONE ? written : w->shown;
        const uint32_t kind = dd_map_get(&r.hard, w->node) ? 0 : dd_map_get(&r.soft, w->node);
        w->soft = w->soft || kind != 0;
        w->only_time = w->only_time && !w->soft; /* no step ends there without need */
        w->quiet = w->quiet || kind == 2;
    }
    dd_pool_free(scratch);
    return !r.jumps;
}

void dd_switches_apply(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    rewriting r = new_rewriting(s, pool, scratch);
    dd_switch_vec list = *known;
    r.known_only = r.limited = r.inside = true;
    r.out = &list;
    /* what is known already is found again by its origin, so that both lists freeze together */
    for (uint32_t k = 0; k < known->len; k++) {
        const dd_switch *w = &known->data[k];
        if (w->kind == DD_SWITCH_SIGN || w->kind == DD_SWITCH_MARGIN) {
            dd_map_put(w->kind == DD_SWITCH_SIGN ? &r.sign : &r.margin, w->origin, k + 1);
        }
        if (w->kind == DD_SWITCH_SIGN) {
            dd_map_put(&r.signed_argument, w->origin, 1);
        }
        if (w->literal) {
            dd_map_put(&r.literal, w->origin, k + 1);
        }
    }
    rewrite(&r, exprs, n);
    dd_pool_free(scratch);
}

void dd_switches_look(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_switch_vec *out,
                      dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    rewriting r = new_rewriting(s, pool, scratch);
    /* only what jumps is looked for here: outputs may have kinks without harm */
    rewrite(&r, exprs, n);
    collect(s, exprs, n, known, out, pool, scratch);
    for (uint32_t k = 0; k < out->len; k++) {
        const dd_expr written = dd_map_get(&r.shown, out->data[k].node);
        out->data[k].shown = written != DD_EXPR_NONE ? written : out->data[k].shown;
        out->data[k].only_time = false; /* no step ends there: found like the others */
    }
    dd_pool_free(scratch);
}

double dd_switch_mode(const dd_switch *s, double g)
{
    switch (s->kind) {
    case DD_SWITCH_RELATION:
        return g > 0 || (g == 0 && s->holds_at_zero) ? 1.0 : 0.0;
    case DD_SWITCH_FLOOR:
        return floor(g);
    case DD_SWITCH_SIGN:
        return g > 0 ? 1.0 : g < 0 ? -1.0 : 0.0;
    default:
        return 0.0;
    }
}

double dd_switch_mode_at(const dd_switch *s, double g, double t)
{
    if (s->literal) {
        return DD_SWITCH_LIVE;
    }
    if (s->only_time) { /* at the moment itself the value behind it applies */
        return s->at > t ? (s->rate > 0 ? 0.0 : 1.0) : (s->rate > 0 ? 1.0 : 0.0);
    }
    return dd_switch_mode(s, g);
}
