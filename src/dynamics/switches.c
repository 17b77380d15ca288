/* switches.c - finding relations and rewriting what has kinks. Nodes are visited in increasing index, which is
 * topological. */
#include "dynamics/switches_impl.h"

#include <assert.h>
#include <math.h>

#include "expr/walk.h"

/* All nodes that the expressions reach, increasing; inside: within noEvent too. */
dd_expr_vec dd_switches_reachable(dd_dag *dag, const dd_expr *exprs, uint32_t n, bool inside, dd_pool *scratch)
{
    dd_walk walk = dd_walk_new(dag, exprs, n, 0);
    dd_expr_vec found = {0};
    bool *reached = dd_pool_alloc_array(scratch, (size_t)walk.n + 1, sizeof *reached);
    for (uint32_t i = 0; i < n; i++) {
        if (exprs[i] != DD_EXPR_NONE) {
            reached[dd_walk_place(dag, &walk, exprs[i])] = true;
        }
    }
    /* users before their arguments, and not through noEvent */
    for (uint32_t i = walk.n; i-- > 0;) {
        const dd_expr e = walk.nodes[i];
        const bool through = reached[i] && (inside || dd_op_of(dag, e) != DD_OP_NOEVENT);
        for (uint32_t k = 0; through && k < dd_arg_count(dag, e); k++) {
            reached[dd_walk_place(dag, &walk, dd_arg(dag, e, k))] = true;
        }
    }
    /* in increasing index children come before parents */
    for (uint32_t i = 0; i < walk.n; i++) {
        if (reached[i]) {
            dd_vec_push(scratch, &found, walk.nodes[i]);
        }
    }
    dd_walk_free(dag, &walk);
    return found;
}

/* How g changes: not at all, with time alone, or with the unknowns. */
dd_variation dd_switches_variation(const dd_system *s, dd_expr g, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, g, true, &symbols, scratch);
    dd_variation v = DD_VARIES_NOT;
    /* any unknown outweighs the time */
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_op op = dd_op_of(dag, symbols.data[i]);
        v = op == DD_OP_VAR ? DD_VARIES_STATE : op == DD_OP_TIME && v == DD_VARIES_NOT ? DD_VARIES_TIME : v;
    }
    return v;
}

/* ---- rewriting ---- */

static dd_expr zero(dd_dag *dag)
{
    return dd_rational(dag, 0, 1);
}

dd_expr dd_switches_silent(dd_dag *dag, dd_op op, dd_expr a, dd_expr b)
{
    return dd_unary(dag, DD_OP_NOEVENT, dd_binary(dag, op, a, b));
}

/* Messages show what the model has. */
static void show(dd_rewriting *r, dd_expr node, dd_expr written)
{
    if (!dd_map_get(&r->shown, node)) {
        dd_map_put(&r->shown, node, written);
    }
}

/* A relation that a kink is written with. */
static dd_expr kink(dd_rewriting *r, dd_expr written, dd_expr relation, uint32_t kind)
{
    show(r, relation, written);
    if (!dd_map_get(&r->soft, relation)) {
        dd_map_put(&r->soft, relation, kind);
    }
    return relation;
}

void dd_switches_add_number(dd_rewriting *r, dd_switch_kind kind, dd_expr origin, dd_expr g)
{
    dd_switch w = {
        .kind = kind, .origin = origin, .shown = origin, .g = g, .node = dd_var(r->dag, r->fresh++, 0), .quiet = true};
    dd_vec_push(r->pool, r->out, w);
}

/* s + k*a; DD_EXPR_NONE when it is not known and no new one is wanted. */
static dd_expr signum(dd_rewriting *r, dd_expr origin, dd_expr a)
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
        dd_switches_add_number(r, DD_SWITCH_SIGN, origin, a);
        dd_switches_add_number(r, DD_SWITCH_SLOPE, origin, zero(r->dag));
    }
    return dd_add(r->dag, r->out->data[at - 1].node, dd_mul(r->dag, r->out->data[at].node, a));
}

/* May the operation become another one? Kinks without a jump only where they are asked for. */
static bool is_rewritten(const dd_rewriting *r, dd_op op)
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
static dd_expr by_sign(dd_rewriting *r, dd_expr e, dd_expr a)
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
static void note_mirrored(dd_rewriting *r, const dd_expr_vec *nodes)
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

/* A floor that takes the place of ceil or mod: wanted where it is a switch, or may become one. */
static bool takes_place(dd_rewriting *r, dd_expr floor, dd_expr e)
{
    if (r->known_only && !dd_map_get(&r->known, floor)) {
        return false; /* messages show the operation itself */
    }
    show(r, floor, e);
    return true;
}

/* ---- relations within noEvent ---- */

static void add_relation(dd_dag *dag, dd_switch *w, dd_op op, const dd_expr *a)
{
    /* a < b holds where g = b - a is positive */
    w->g = dd_sub(dag, a[1], a[0]);
    w->holds_at_zero = op == DD_OP_LE;
}

/* A relation e that is reached through noEvent only, with arguments a: frozen while m < 3/2, else as it is written. */
static dd_expr literally(dd_rewriting *r, dd_expr e, const dd_expr *a)
{
    dd_dag *dag = r->dag;
    const dd_op op = dd_op_of(dag, e);
    const dd_expr written = dd_binary(dag, op, a[0], a[1]);
    uint32_t at = dd_map_get(&r->literal, e);
    if (at == 0 && (r->known_only || dd_switches_variation(r->s, written, r->scratch) == DD_VARIES_NOT)) {
        return written;
    }
    /* one number m per relation, found again by its origin */
    if (at == 0) {
        at = r->out->len + 1;
        dd_map_put(&r->literal, e, at);
        dd_switches_add_number(r, DD_SWITCH_RELATION, e, DD_EXPR_NONE);
        dd_switch *w = &r->out->data[at - 1];
        w->literal = w->soft = true;
        add_relation(dag, w, op, a);
    }
    const dd_expr m = r->out->data[at - 1].node;
    return dd_if(dag, dd_switches_silent(dag, DD_OP_LT, m, dd_rational(dag, 3, 2)),
                 dd_switches_silent(dag, DD_OP_LT, dd_rational(dag, 1, 2), m), written);
}

/* The relation by which abs, min and max are written: that of a kink, or within noEvent like those that stand there. */
static dd_expr kink_relation(dd_rewriting *r, dd_expr written, dd_op op, dd_expr a, dd_expr b)
{
    const dd_expr sides[] = {a, b}, relation = dd_binary(r->dag, op, a, b);
    const bool is_relation = dd_op_of(r->dag, relation) == op; /* and no number */
    if (is_relation && r->inside && !dd_map_get(&r->open, written)) {
        return literally(r, relation, sides);
    }
    return kink(r, written, relation, dd_op_of(r->dag, written) == DD_OP_ABS ? 2 : 1);
}

/* ---- kinks ---- */

/* The node e without what has a kink or jumps, arguments a already rewritten. */
static dd_expr without_kink(dd_rewriting *r, dd_expr e, const dd_expr *a, uint32_t n)
{
    dd_dag *dag = r->dag;
    const dd_op op = dd_op_of(dag, e);
    const bool kinks = r->kinks || r->known_only;
    /* sign and abs by s + k a; a power by its continuation */
    const dd_expr sign = kinks ? by_sign(r, e, a[0]) : DD_EXPR_NONE;
    if (sign != DD_EXPR_NONE) {
        return sign;
    }
    if (op == DD_OP_POW && kinks && dd_switches_is_root(r, a[0], a[1])) {
        return dd_switches_root(r, e, a[0], a[1]);
    }
    if (op == DD_OP_POW && dd_switches_is_root_of_time(r, dd_arg(dag, e, 0), a[1])) {
        return dd_switches_root_of_time(r, e, a);
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
        return dd_if(dag, kink_relation(r, e, DD_OP_LT, zero(dag), a[0]), a[0], dd_neg(dag, a[0]));
    case DD_OP_MIN: /* the relations that their derivatives have, too */
        return dd_if(dag, kink_relation(r, e, DD_OP_LE, a[0], a[1]), a[0], a[1]);
    case DD_OP_MAX:
        return dd_if(dag, kink_relation(r, e, DD_OP_LE, a[1], a[0]), a[0], a[1]);
    case DD_OP_CEIL: {
        const dd_expr floor = dd_unary(dag, DD_OP_FLOOR, dd_neg(dag, a[0]));
        return takes_place(r, floor, e) ? dd_neg(dag, floor) : dd_make(dag, op, a, n);
    }
    case DD_OP_MOD: {
        const dd_expr floor = dd_unary(dag, DD_OP_FLOOR, dd_div(dag, a[0], a[1]));
        return takes_place(r, floor, e) ? dd_sub(dag, a[0], dd_mul(dag, a[1], floor)) : dd_make(dag, op, a, n);
    }
    default:
        return dd_make(dag, op, a, n);
    }
}

/* What jumps within noEvent and is no relation stays as it is. */
static bool jumps_silently(const dd_rewriting *r, dd_expr e)
{
    const dd_op op = dd_op_of(r->dag, e);
    return r->inside && !dd_map_get(&r->open, e) && (op == DD_OP_CEIL || op == DD_OP_MOD || op == DD_OP_FLOOR);
}

static void note_open(dd_rewriting *r, const dd_expr *exprs, uint32_t n)
{
    const dd_expr_vec nodes = dd_switches_reachable(r->dag, exprs, n, false, r->scratch);
    for (uint32_t i = 0; i < nodes.len; i++) {
        dd_map_put(&r->open, nodes.data[i], 1);
    }
}

static bool is_literal(const dd_rewriting *r, dd_expr e)
{
    const dd_op op = dd_op_of(r->dag, e);
    return r->inside && (op == DD_OP_LT || op == DD_OP_LE) && !dd_map_get(&r->open, e);
}

/* The node e with these arguments, in which something has changed. */
static dd_expr rewritten(dd_rewriting *r, dd_expr e, const dd_expr *a, uint32_t n)
{
    const dd_op op = dd_op_of(r->dag, e);
    return is_literal(r, e)                              ? literally(r, e, a)
           : jumps_silently(r, e) || op == DD_OP_NOEVENT ? dd_make(r->dag, op, a, n)
                                                         : without_kink(r, e, a, n);
}

static void rewrite(dd_rewriting *r, dd_expr *exprs, uint32_t n)
{
    dd_dag *dag = r->dag;
    dd_expr_vec nodes = dd_switches_reachable(dag, exprs, n, r->inside, r->scratch), args = {0};
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

static dd_rewriting new_rewriting(const dd_system *s, dd_pool *pool, dd_pool *scratch)
{
    return (dd_rewriting){.s = s,
                          .dag = s->model->dag,
                          .pool = pool,
                          .scratch = scratch,
                          .sign = dd_map_new(scratch),
                          .margin = dd_map_new(scratch),
                          .known = dd_map_new(scratch),
                          .signed_argument = dd_map_new(scratch),
                          .shown = dd_map_new(scratch),
                          .hard = dd_map_new(scratch),
                          .soft = dd_map_new(scratch),
                          .strict = dd_map_new(scratch),
                          .timed = dd_map_new(scratch),
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
    dd_variation v = dd_switches_variation(s, w.g, scratch);
    if (v == DD_VARIES_NOT) {
        return; /* constant: evaluated as written */
    }
    /* t > at or t < at: the moment is known before the run, and a step can end there */
    double rate, at;
    if (v == DD_VARIES_TIME && w.kind == DD_SWITCH_RELATION && dd_switches_is_moment(s, w.g, &rate, &at)) {
        w.only_time = true;
        w.rate = rate;
        w.at = at;
    }
    dd_vec_push(pool, out, w);
}

/* Relations and floors that the expressions reach, beside those known. */
static void collect(const dd_system *s, const dd_expr *exprs, uint32_t n, const dd_switch_vec *known,
                    dd_switch_vec *out, dd_pool *pool, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    /* in the order of the nodes, so that the same model has the same list */
    dd_expr_vec nodes = dd_switches_reachable(dag, exprs, n, false, scratch);
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

/* A relation that nothing depends on, unless it is in the list already: steps end where it changes. */
static void add_watched(const dd_system *s, dd_expr node, dd_switch_vec *out, dd_pool *pool, dd_pool *scratch)
{
    for (uint32_t k = 0; k < out->len; k++) {
        if (out->data[k].node == node) {
            return;
        }
    }
    add_switch(s, node, out, pool, scratch);
}

bool dd_switches_find(const dd_system *s, dd_expr *exprs, uint32_t n, uint32_t fresh, dd_switch_vec *switches,
                      dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    dd_rewriting r = new_rewriting(s, pool, scratch);
    /* kinks are rewritten into relations; signs and margins enter the list while they are found */
    r.kinks = r.inside = true;
    r.fresh = fresh;
    r.out = switches;
    rewrite(&r, exprs, n);
    /* then everything that jumps by itself */
    collect(s, exprs, n, switches, switches, pool, scratch);
    for (uint32_t i = 0; i < r.watched.len; i++) {
        add_watched(s, r.watched.data[i], switches, pool, scratch);
    }
    /* kinks may be passed, unless the model has the same relation itself; abs alone makes no event message */
    for (uint32_t k = 0; k < switches->len; k++) {
        dd_switch *w = &switches->data[k];
        const dd_expr written = dd_map_get(&r.shown, w->node);
        w->shown = written != DD_EXPR_NONE ? written : w->shown;
        const bool timed = dd_map_get(&r.timed, w->node) != 0;
        const uint32_t kind = dd_map_get(&r.hard, w->node) ? 0 : dd_map_get(&r.soft, w->node);
        w->soft = w->soft || (kind != 0 && !timed);
        w->only_time = w->only_time && !w->soft; /* no step ends there without need */
        w->quiet = w->quiet || kind == 2 || (kind != 0 && timed);
    }
    dd_pool_free(scratch);
    return !r.jumps;
}

void dd_switches_apply(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    dd_rewriting r = new_rewriting(s, pool, scratch);
    dd_switch_vec list = *known;
    r.known_only = r.limited = r.inside = true;
    r.out = &list;
    /* what is known already is found again by its origin, so that both lists freeze together */
    for (uint32_t k = 0; k < known->len; k++) {
        const dd_switch *w = &known->data[k];
        dd_map_put(&r.known, w->node, 1);
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
    dd_rewriting r = new_rewriting(s, pool, scratch);
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
