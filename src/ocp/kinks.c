/* kinks.c - finds kinks, puts symbols in their places and tests the signs of slopes. Start at dd_ocp_lift_kinks. */
#include "ocp/kinks.h"

#include <math.h>

#include "expr/walk.h"
#include "ocp/known.h"
#include "ocp/problem_impl.h"

/* Bounds may be relaxed by 1e-8 (IPOPT), and q/s asks for s > 0: a smaller bound would open a way around the norm. */
#define LEAST_NORM 1e-7

typedef struct lifting {
    dd_ocp_problem *o;
    dd_dag *dag;
    dd_pool *pool;
    dd_known known;
    dd_map banned;     /* nodes whose kinks stay as they are */
    dd_map image;      /* node -> what it becomes */
    dd_kink_vec kinks; /* of the present expression */
    dd_expr_vec nodes; /* the node of each */
    DD_VEC(dd_kink_slope) slopes;
    int direction; /* 1: small values are wanted, -1: large ones */
} lifting;

/* ---- which nodes ---- */

/* Does it contain anything that a solver decides? The first such decision, too. */
static bool is_decided(lifting *l, dd_expr e, const dd_decision **first)
{
    const dd_ocp_problem *o = l->o;
    dd_expr_vec symbols = {0};
    bool found = false;
    *first = NULL;
    dd_symbols(l->dag, e, true, &symbols, l->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const dd_decision *d = dd_known_decision(&l->known, symbols.data[i]);
        const bool time = symbols.data[i] == o->t0 || symbols.data[i] == o->tf || symbols.data[i] == o->time;
        *first = *first == NULL ? d : *first;
        found = found || d != NULL || (time && (o->free_t0 || o->free_tf));
    }
    dd_vec_free(l->pool, &symbols);
    return found;
}

/* c b^2 with c > 0: a term of a norm. */
static bool is_square(lifting *l, dd_expr e)
{
    const uint32_t n = dd_op_of(l->dag, e) == DD_OP_MUL ? dd_arg_count(l->dag, e) : 1;
    bool square = false, positive = true;
    for (uint32_t i = 0; i < n && positive; i++) {
        const dd_expr factor = n > 1 ? dd_arg(l->dag, e, i) : e;
        const bool power = dd_op_of(l->dag, factor) == DD_OP_POW && dd_is_num(l->dag, dd_arg(l->dag, factor, 1), 2);
        square = square || power;
        positive = power || dd_known_range(&l->known, factor).low > 0;
    }
    return square && positive;
}

/* sqrt(q) with a sum of squares q that can be zero. */
static bool is_norm(lifting *l, dd_expr e)
{
    int64_t num, den;
    if (dd_op_of(l->dag, e) != DD_OP_POW || dd_op_of(l->dag, dd_arg(l->dag, e, 1)) != DD_OP_NUM ||
        !dd_num_rational(l->dag, dd_arg(l->dag, e, 1), &num, &den) || num != 1 || den != 2) {
        return false;
    }
    const dd_expr q = dd_arg(l->dag, e, 0);
    const uint32_t n = dd_op_of(l->dag, q) == DD_OP_ADD ? dd_arg_count(l->dag, q) : 1;
    bool squares = true;
    for (uint32_t i = 0; i < n && squares; i++) {
        squares = is_square(l, n > 1 ? dd_arg(l->dag, q, i) : q);
    }
    return squares && dd_known_range(&l->known, q).low <= 0;
}

/* `if a < b then x else y` with y - x = c (a - b): max(x, y) for c < 0, min(x, y) for c > 0. 0: it is neither. */
static int if_side(lifting *l, dd_expr e)
{
    dd_expr condition = dd_arg(l->dag, e, 0);
    condition = dd_op_of(l->dag, condition) == DD_OP_NOEVENT ? dd_arg(l->dag, condition, 0) : condition;
    const dd_op op = dd_op_of(l->dag, condition);
    if (op != DD_OP_LT && op != DD_OP_LE) {
        return 0;
    }
    const dd_expr apart = dd_sub(l->dag, dd_arg(l->dag, condition, 0), dd_arg(l->dag, condition, 1));
    const dd_expr change = dd_sub(l->dag, dd_arg(l->dag, e, 2), dd_arg(l->dag, e, 1));
    const dd_expr ratio = dd_div(l->dag, change, apart);
    const double c = dd_op_of(l->dag, ratio) == DD_OP_NUM ? dd_num_value(l->dag, ratio) : 0;
    return c > 0 ? 1 : c < 0 ? -1 : 0;
}

/* 1: the largest of its pieces, -1: the smallest, 0: no kink. */
static int kink_side(lifting *l, dd_expr e)
{
    switch (dd_op_of(l->dag, e)) {
    case DD_OP_ABS:
    case DD_OP_MAX:
        return 1;
    case DD_OP_MIN:
        return -1;
    case DD_OP_POW:
        return is_norm(l, e) ? 1 : 0;
    case DD_OP_IF:
        return if_side(l, e);
    default:
        return 0;
    }
}

/* ---- symbols in their places ---- */

static dd_expr image_of(const lifting *l, dd_expr e)
{
    const uint32_t to = dd_map_get(&l->image, e);
    return to != 0 ? to : e;
}

/* The kink of the present expression that a symbol stands for; NULL: none. */
static const dd_kink *kink_of(const lifting *l, dd_expr symbol)
{
    for (uint32_t i = 0; i < l->kinks.len; i++) {
        if (l->kinks.data[i].symbol == symbol) {
            return &l->kinks.data[i];
        }
    }
    return NULL;
}

/* A piece; one that is a kink of the same side gives its own: max(a, max(b, c)). */
static void add_piece(const lifting *l, dd_kink *k, dd_expr piece)
{
    const dd_kink *inner = kink_of(l, piece);
    if (inner == NULL || inner->side != k->side || inner->norm) {
        dd_vec_push(l->o->pool, &k->pieces, piece);
        return;
    }
    for (uint32_t i = 0; i < inner->pieces.len; i++) {
        dd_vec_push(l->o->pool, &k->pieces, inner->pieces.data[i]);
    }
}

static void find_pieces(lifting *l, dd_expr e, dd_kink *k)
{
    const dd_op op = dd_op_of(l->dag, e);
    const dd_expr first = image_of(l, dd_arg(l->dag, e, 0));
    /* |a| = max(a, -a); sqrt(q) = s is s = q/s */
    if (op == DD_OP_ABS) {
        add_piece(l, k, first);
        dd_vec_push(l->o->pool, &k->pieces, dd_neg(l->dag, first));
    } else if (op == DD_OP_POW) {
        k->norm = true;
        dd_vec_push(l->o->pool, &k->pieces, dd_div(l->dag, first, k->symbol));
    } else {
        const uint32_t from = op == DD_OP_IF ? 1 : 0;
        for (uint32_t i = from; i < dd_arg_count(l->dag, e); i++) {
            add_piece(l, k, image_of(l, dd_arg(l->dag, e, i)));
        }
    }
}

/* Only controls and parameters in it, at all times. */
static bool of_controls(const lifting *l, dd_expr e)
{
    const dd_ocp_problem *o = l->o;
    bool varies =
        dd_depends(l->dag, e, o->time) || dd_ocp_contains_any(o, e, &o->x) || dd_ocp_contains_any(o, e, &o->z);
    for (uint32_t i = 0; i < o->data.len && !varies; i++) {
        varies = dd_depends(l->dag, e, o->data.data[i].symbol);
    }
    return !varies;
}

/* A kink inside a kink is one level further out. */
static uint32_t level_of(const lifting *l, const dd_kink *k)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < k->pieces.len; i++) {
        for (uint32_t j = 0; j < l->kinks.len; j++) {
            const bool inside = dd_depends(l->dag, k->pieces.data[i], l->kinks.data[j].symbol);
            level = inside && l->kinks.data[j].level + 1 > level ? l->kinks.data[j].level + 1 : level;
        }
    }
    return level;
}

/* One more kink; the symbol that stands for it. */
static dd_expr add_kink(lifting *l, dd_expr e, int side)
{
    dd_kink k = {.symbol = dd_param(l->dag, l->o->fresh++), .side = side};
    const dd_range range = dd_known_range(&l->known, e);
    is_decided(l, e, &k.of);
    find_pieces(l, e, &k);
    k.level = level_of(l, &k);
    k.of_control = of_controls(l, e);
    k.scale = dd_known_size(l->o, e, l->pool);
    k.lower = k.norm ? LEAST_NORM * k.scale : -INFINITY;
    k.upper = INFINITY;
    k.least = range.low;
    k.most = range.high;
    dd_known_learn(&l->known, k.symbol, NULL, range.low, range.high);
    dd_vec_push(l->pool, &l->kinks, k);
    dd_vec_push(l->pool, &l->nodes, e);
    return k.symbol;
}

static dd_expr rebuilt(lifting *l, dd_expr e)
{
    const dd_op op = dd_op_of(l->dag, e);
    const uint32_t n = dd_arg_count(l->dag, e);
    const dd_decision *unused;
    const int side = dd_map_get(&l->banned, e) == 0 ? kink_side(l, e) : 0;
    if (side != 0 && is_decided(l, e, &unused)) {
        /* of an argument that keeps its sign, |a| is a or -a */
        const dd_range r = op == DD_OP_ABS ? dd_known_range(&l->known, dd_arg(l->dag, e, 0)) : (dd_range){-1, 1};
        const dd_expr a = image_of(l, dd_arg(l->dag, e, 0));
        return r.low >= 0 ? a : r.high <= 0 ? dd_neg(l->dag, a) : add_kink(l, e, side);
    }
    /* as it was, with new arguments; noEvent says nothing about a symbol */
    dd_expr_vec args = {0};
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(l->pool, &args, image_of(l, dd_arg(l->dag, e, i)));
        changed = changed || args.data[i] != dd_arg(l->dag, e, i);
    }
    const dd_expr result = !changed ? e : op == DD_OP_NOEVENT ? args.data[0] : dd_make(l->dag, op, args.data, n);
    dd_vec_free(l->pool, &args);
    return result;
}

static void forget_kinks(lifting *l)
{
    l->image = dd_map_new(l->pool);
    l->kinks.len = l->nodes.len = 0;
}

/* The expression with symbols for all kinks that are not banned. */
static dd_expr replace_kinks(lifting *l, dd_expr e)
{
    dd_walk walk = dd_walk_new(l->dag, &e, 1, 0);
    for (uint32_t i = 0; i < walk.n; i++) { /* arguments come first */
        const dd_expr node = walk.nodes[i];
        const bool open = dd_arg_count(l->dag, node) > 0 && dd_map_get(&l->image, node) == 0;
        const dd_expr to = open ? rebuilt(l, node) : node;
        if (to != node) {
            dd_map_put(&l->image, node, to);
        }
    }
    dd_walk_free(l->dag, &walk);
    return image_of(l, e);
}

/* ---- slopes ---- */

static bool divides_by_zero(dd_dag *dag, dd_expr e)
{
    dd_walk walk = dd_walk_new(dag, &e, 1, 0);
    bool found = false;
    for (uint32_t i = 0; i < walk.n && !found; i++) {
        const dd_expr node = walk.nodes[i];
        found = dd_op_of(dag, node) == DD_OP_POW && dd_is_num(dag, dd_arg(dag, node, 0), 0);
    }
    dd_walk_free(dag, &walk);
    return found;
}

typedef struct at_zero {
    dd_dag *dag;
    dd_expr symbol;
} at_zero;

static dd_expr put_zero(void *user, dd_expr symbol)
{
    const at_zero *z = user;
    return symbol == z->symbol ? dd_num(z->dag, 0) : DD_EXPR_NONE;
}

/* Is the kink at s = 0, and the slope of the whole zero there, with a finite curvature: |u|^2, max(0, x)^2? */
static bool is_smooth(lifting *l, uint32_t i, dd_expr slope)
{
    const dd_kink *k = &l->kinks.data[i];
    bool zero = dd_op_of(l->dag, l->nodes.data[i]) == DD_OP_ABS || k->norm;
    for (uint32_t p = 0; p < k->pieces.len; p++) {
        zero = zero || dd_is_num(l->dag, k->pieces.data[p], 0);
    }
    at_zero z = {l->dag, k->symbol};
    return zero && dd_is_num(l->dag, dd_substitute(l->dag, slope, put_zero, &z), 0) &&
           !divides_by_zero(l->dag, dd_substitute(l->dag, dd_diff(l->dag, slope, k->symbol), put_zero, &z));
}

static bool has_sign(lifting *l, const dd_kink_slope *slope)
{
    const dd_range r = dd_known_range(&l->known, slope->e);
    return slope->sign > 0 ? r.low >= 0 : r.high <= 0;
}

static bool check_slope(lifting *l, dd_expr e, int sign)
{
    const dd_kink_slope slope = {e, sign};
    dd_vec_push(l->pool, &l->slopes, slope);
    return has_sign(l, &slope);
}

/* s may be larger than its kink wherever it stands: in the expression, whose slope is given, and in outer kinks. */
static bool is_exact(lifting *l, uint32_t i, dd_expr slope)
{
    const dd_kink *k = &l->kinks.data[i];
    bool exact = check_slope(l, slope, l->direction * k->side);
    for (uint32_t j = i + 1; j < l->kinks.len && exact; j++) {
        const dd_kink *outer = &l->kinks.data[j];
        for (uint32_t p = 0; p < outer->pieces.len && exact; p++) {
            exact = check_slope(l, dd_diff(l->dag, outer->pieces.data[p], k->symbol), outer->side * k->side);
        }
    }
    return exact;
}

/* Bans a kink that cannot be replaced or need not be, an outer one first; false: there was one. */
static bool all_exact(lifting *l, dd_expr e)
{
    l->slopes.len = 0;
    for (uint32_t i = l->kinks.len; i-- > 0;) {
        const dd_expr slope = dd_diff(l->dag, e, l->kinks.data[i].symbol);
        const dd_range r = dd_known_range(&l->known, slope);
        const bool there = !dd_is_num(l->dag, slope, 0), idle = there && r.low == 0 && r.high == 0; /* a weight of 0 */
        if (idle || !is_exact(l, i, slope) || (there && is_smooth(l, i, slope))) {
            dd_map_put(&l->banned, l->nodes.data[i], 1);
            return false;
        }
    }
    return true;
}

/* ---- what stays ---- */

/* Is s in the expression, or in the pieces of a kink that stays? */
static bool is_used(const lifting *l, uint32_t i, dd_expr e, const bool *used)
{
    bool found = dd_depends(l->dag, e, l->kinks.data[i].symbol);
    for (uint32_t j = i + 1; j < l->kinks.len && !found; j++) {
        for (uint32_t p = 0; used[j] && p < l->kinks.data[j].pieces.len && !found; p++) {
            found = dd_depends(l->dag, l->kinks.data[j].pieces.data[p], l->kinks.data[i].symbol);
        }
    }
    return found;
}

/* A function of s that is not linear may have no value below the smallest one of the kink. */
static void bound_kink(lifting *l, dd_kink *k, dd_expr slope)
{
    const dd_range r = dd_known_range(&l->known, k->symbol);
    const bool linear = !dd_depends(l->dag, slope, k->symbol);
    if (!linear && !k->norm && k->side > 0) {
        k->lower = fmax(k->lower, r.low);
    } else if (!linear && k->side < 0) {
        k->upper = fmin(k->upper, r.high);
    }
}

static void keep_kink(lifting *l, dd_kink k, dd_expr e, dd_lifted *to)
{
    dd_ocp_problem *o = l->o;
    bound_kink(l, &k, dd_diff(l->dag, e, k.symbol));
    k.first_piece = o->n_pieces;
    o->n_pieces += k.pieces.len;
    dd_vec_push(o->pool, &to->kinks, o->kinks.len);
    dd_vec_push(o->pool, &o->kinks, k);
}

static void keep_kinks(lifting *l, dd_expr e, dd_lifted *to)
{
    bool *used = dd_pool_alloc_array(l->pool, (size_t)l->kinks.len + 1, sizeof *used);
    for (uint32_t i = l->kinks.len; i-- > 0;) {
        used[i] = is_used(l, i, e, used);
    }
    /* those of controls alone come last: transcriptions have fewer of them */
    for (int of_control = 0; of_control < 2; of_control++) {
        for (uint32_t i = 0; i < l->kinks.len; i++) {
            if (used[i] && l->kinks.data[i].of_control == (of_control == 1)) {
                keep_kink(l, l->kinks.data[i], e, to);
            }
        }
    }
    for (uint32_t i = 0; i < l->slopes.len && to->kinks.len > 0; i++) {
        if (dd_op_of(l->dag, l->slopes.data[i].e) != DD_OP_NUM) {
            dd_vec_push(l->o->pool, &l->o->kink_slopes, l->slopes.data[i]);
        }
    }
    to->e = to->kinks.len > 0 ? e : DD_EXPR_NONE;
}

/* direction 1: small values of the expression are wanted, or allowed; -1: large ones */
static dd_lifted lift(lifting *l, dd_expr e, int direction)
{
    dd_lifted lifted = {.e = DD_EXPR_NONE};
    l->direction = direction;
    if (e == DD_EXPR_NONE) {
        return lifted;
    }
    l->banned = dd_map_new(l->pool);
    forget_kinks(l);
    dd_expr smooth = replace_kinks(l, e);
    while (!all_exact(l, smooth)) { /* one more is banned every time */
        forget_kinks(l);
        smooth = replace_kinks(l, e);
    }
    keep_kinks(l, smooth, &lifted);
    return lifted;
}

static void lift_rows(lifting *l, dd_ocp_row_vec *rows)
{
    for (uint32_t i = 0; i < rows->len; i++) {
        dd_ocp_row *r = &rows->data[i];
        const bool low = isfinite(r->lower), high = isfinite(r->upper);
        if (low != high && !r->dropped && !r->invariant && r->bounds_of == DD_NO_INDEX) {
            r->lifted = lift(l, r->e, high ? 1 : -1);
        }
    }
}

void dd_ocp_lift_kinks(dd_ocp_problem *o, bool shooting)
{
    dd_pool *scratch = dd_pool_child(o->pool);
    lifting l = {.o = o, .dag = o->dag, .pool = scratch, .known = dd_known_new(o, scratch)};
    o->mayer_lifted = lift(&l, o->mayer, 1);
    lift_rows(&l, &o->points);
    o->integrand_lifted = lift(&l, o->integrand, 1);
    if (!shooting) {
        lift_rows(&l, &o->path);
    }
    o->first_of_rates = o->kinks.len;
    dd_pool_free(scratch);
}

bool dd_ocp_kinks_hold(dd_ocp_problem *o)
{
    if (o->kink_slopes.len == 0) {
        return true;
    }
    dd_pool *scratch = dd_pool_child(o->pool);
    lifting l = {.o = o, .dag = o->dag, .pool = scratch, .known = dd_known_new(o, scratch)};
    bool hold = true;
    for (uint32_t i = 0; i < o->kinks.len; i++) {
        const dd_kink *k = &o->kinks.data[i];
        dd_known_learn(&l.known, k->symbol, NULL, k->least, k->most);
    }
    for (uint32_t i = 0; i < o->kink_slopes.len && hold; i++) {
        hold = has_sign(&l, &o->kink_slopes.data[i]);
    }
    dd_pool_free(scratch);
    return hold;
}

/* ---- rates ---- */

/* Does the kink enter every rate with a slope of one sign, and every outer kink as it must? */
static bool has_sides(lifting *l, uint32_t i, const dd_expr_vec *rates)
{
    bool fine = is_exact(l, i, dd_num(l->dag, 0));
    for (uint32_t f = 0; f < rates->len && fine; f++) {
        const dd_range r = dd_known_range(&l->known, dd_diff(l->dag, rates->data[f], l->kinks.data[i].symbol));
        fine = r.low >= 0 || r.high <= 0;
    }
    return fine;
}

/* Rates with symbols for kinks; false: one more kink was banned. */
static bool replace_in_rates(lifting *l)
{
    dd_ocp_problem *o = l->o;
    o->rounded_f.len = 0;
    forget_kinks(l);
    for (uint32_t i = 0; i < o->f.len; i++) {
        dd_vec_push(o->pool, &o->rounded_f, replace_kinks(l, o->f.data[i]));
    }
    for (uint32_t i = l->kinks.len; i-- > 0;) {
        if (!has_sides(l, i, &o->rounded_f)) {
            dd_map_put(&l->banned, l->nodes.data[i], 1);
            return false;
        }
    }
    return true;
}

/* Kinks of the integrand and of rates as one list: those with one value in an interval last. */
static void join_kinks(lifting *l)
{
    dd_ocp_problem *o = l->o;
    const dd_index_vec before = o->integrand_lifted.kinks;
    dd_index_vec joined = {0};
    o->first_of_rates = o->kinks.len;
    for (uint32_t i = 0; i < l->kinks.len; i++) {
        dd_lifted unused = {.e = DD_EXPR_NONE};
        keep_kink(l, l->kinks.data[i], dd_num(l->dag, 0), &unused);
    }
    for (int of_control = 0; of_control < 2; of_control++) {
        for (uint32_t i = 0; i < before.len + l->kinks.len; i++) {
            const uint32_t kink = i < before.len ? before.data[i] : o->first_of_rates + i - before.len;
            if (o->kinks.data[kink].of_control == (of_control == 1)) {
                dd_vec_push(o->pool, &joined, kink);
            }
        }
    }
    o->sharp_kinks = before;
    o->integrand_lifted.kinks = joined;
}

static bool are_of_controls(const dd_ocp_problem *o)
{
    bool controls = true;
    for (uint32_t i = o->first_of_rates; i < o->kinks.len; i++) {
        controls = controls && o->kinks.data[i].of_control;
    }
    return controls;
}

bool dd_ocp_relax_rates(dd_ocp_problem *o, bool shooting)
{
    dd_pool *scratch = dd_pool_child(o->pool);
    lifting l = {.o = o, .dag = o->dag, .pool = scratch, .known = dd_known_new(o, scratch)};
    l.banned = dd_map_new(scratch);
    while (!replace_in_rates(&l)) { /* one more is banned every time */
        dd_check_stop(dd_pool_context(scratch));
    }
    const bool any = l.kinks.len > 0;
    if (any) {
        join_kinks(&l);
        o->rounded_g.len = 0;
        for (uint32_t i = 0; i < o->g.len; i++) {
            dd_vec_push(o->pool, &o->rounded_g, o->g.data[i]);
        }
        o->rounded_integrand = DD_EXPR_NONE;
        o->rounded = true;
    }
    dd_pool_free(scratch);
    /* states at stages depend on every s: whether those of states are at their kinks cannot be told there */
    if (any && shooting && !are_of_controls(o)) {
        dd_ocp_sharp_rates(o);
        return false;
    }
    return any;
}

void dd_ocp_sharp_rates(dd_ocp_problem *o)
{
    o->integrand_lifted.kinks = o->sharp_kinks;
    o->rounded = false;
}

/* A state with a kink in its rate that no equation contains: it is only counted. */
static bool only_counted(const dd_ocp_problem *o, uint32_t i)
{
    bool alone = true;
    for (uint32_t j = 0; j < o->f.len && alone; j++) {
        alone = !dd_depends(o->dag, o->f.data[j], o->x.data[i].symbol);
    }
    for (uint32_t j = 0; j < o->g.len && alone; j++) {
        alone = !dd_depends(o->dag, o->g.data[j], o->x.data[i].symbol);
    }
    return alone;
}

bool dd_ocp_relax_first(const dd_ocp_problem *o)
{
    bool counted = true;
    for (uint32_t i = 0; i < o->x.len && counted; i++) {
        counted = o->rounded_f.data[i] == o->f.data[i] || only_counted(o, i);
    }
    return are_of_controls(o) || counted;
}
