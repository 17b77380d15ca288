/* roots.c - finds broken powers of what can be zero, and moves their arguments. */
#include "ocp/roots.h"

#include <math.h>

#include "expr/walk.h"
#include "ocp/known.h"
#include "ocp/reading.h"

#define OFF_ZERO 1e-8         /* of the size of an argument: the slope of its root there is 5e3 */
#define OFF_ZERO_SQUARE 1e-12 /* the same of a sum of squares: of a length it is 1e-6 */
#define OFF_ZERO_HELD 1e-18   /* the same for integrators: a root of 1e-9, with a slope */
#define CLOSER 1e-4    /* times these distances, once there is a solution to begin at: a root of 1e-6 instead of 1e-4 */
#define NEAR_ZERO 1e-4 /* of the size of an argument */
#define SMOOTH 2       /* powers from here on have slope and curvature at zero */

typedef struct rounding {
    dd_ocp_problem *o;
    dd_dag *dag;
    dd_known known;
    dd_pool *pool;
    dd_map image;
    bool held;   /* (max(a, 0) + d)^r instead of (a + d)^r */
    double part; /* of d: 1, then CLOSER */
    bool any;
} rounding;

static dd_expr image_of(const rounding *r, dd_expr e)
{
    const uint32_t to = dd_map_get(&r->image, e);
    return to != 0 ? to : e;
}

/* a^r with 0 < r < 2, r not 1, and an argument that can be zero and is decided. */
static bool is_root(rounding *r, dd_expr e)
{
    if (dd_op_of(r->dag, e) != DD_OP_POW || dd_op_of(r->dag, dd_arg(r->dag, e, 1)) != DD_OP_NUM) {
        return false;
    }
    const double power = dd_num_value(r->dag, dd_arg(r->dag, e, 1));
    if (!(power > 0 && power < SMOOTH) || power == 1) {
        return false;
    }
    dd_expr_vec symbols = {0};
    bool decided = false;
    dd_symbols(r->dag, dd_arg(r->dag, e, 0), true, &symbols, r->pool);
    for (uint32_t i = 0; i < symbols.len && !decided; i++) {
        decided = dd_known_decision(&r->known, symbols.data[i]) != NULL;
    }
    dd_vec_free(r->pool, &symbols);
    return decided && dd_known_range(&r->known, dd_arg(r->dag, e, 0)).low <= 0;
}

/* A sum of squares: never below zero, whatever the bounds are. */
static bool is_square(rounding *r, dd_expr e)
{
    const uint32_t n = dd_op_of(r->dag, e) == DD_OP_ADD ? dd_arg_count(r->dag, e) : 1;
    bool squares = true;
    for (uint32_t i = 0; i < n && squares; i++) {
        const dd_expr term = n > 1 ? dd_arg(r->dag, e, i) : e;
        squares = dd_op_of(r->dag, term) == DD_OP_POW && dd_is_num(r->dag, dd_arg(r->dag, term, 1), 2);
    }
    return squares;
}

static dd_expr rounded(rounding *r, dd_expr e)
{
    const uint32_t n = dd_arg_count(r->dag, e);
    dd_expr *args = dd_pool_alloc_array(r->pool, (size_t)n + 1, sizeof *args);
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        args[i] = image_of(r, dd_arg(r->dag, e, i));
        changed = changed || args[i] != dd_arg(r->dag, e, i);
    }
    if (is_root(r, e)) {
        const dd_expr of = dd_arg(r->dag, e, 0);
        const double size = dd_known_size(r->o, of, r->pool);
        const double d = (r->held ? OFF_ZERO_HELD : r->part * (is_square(r, of) ? OFF_ZERO_SQUARE : OFF_ZERO)) * size;
        dd_vec_push(r->o->pool, &r->o->roots_of, dd_div(r->dag, of, dd_num(r->dag, size)));
        args[0] = r->held ? dd_binary(r->dag, DD_OP_MAX, args[0], dd_num(r->dag, 0)) : args[0];
        args[0] = dd_add(r->dag, args[0], dd_num(r->dag, d));
        changed = r->any = true;
    }
    return changed ? dd_make(r->dag, dd_op_of(r->dag, e), args, n) : e;
}

static dd_expr round_one(rounding *r, dd_expr e)
{
    dd_walk walk = dd_walk_new(r->dag, &e, 1, 0);
    for (uint32_t i = 0; i < walk.n; i++) { /* arguments come first */
        const dd_expr node = walk.nodes[i];
        const bool open = dd_arg_count(r->dag, node) > 0 && dd_map_get(&r->image, node) == 0;
        const dd_expr to = open ? rounded(r, node) : node;
        if (to != node) {
            dd_map_put(&r->image, node, to);
        }
    }
    dd_walk_free(r->dag, &walk);
    return image_of(r, e);
}

static void round_list(rounding *r, const dd_expr_vec *from, dd_expr_vec *to)
{
    to->len = 0;
    for (uint32_t i = 0; i < from->len; i++) {
        dd_vec_push(r->o->pool, to, round_one(r, from->data[i]));
    }
}

/* The same equations wherever they have a value, for integrators that step a little too far. */
static bool hold_roots(dd_ocp_problem *o)
{
    dd_pool *scratch = dd_pool_child(o->pool);
    rounding r = {.o = o, .dag = o->dag, .pool = scratch, .known = dd_known_new(o, scratch), .held = true};
    r.image = dd_map_new(scratch);
    o->roots_of.len = 0;
    round_list(&r, &o->f, &o->held_f);
    round_list(&r, &o->g, &o->held_g);
    dd_pool_free(scratch);
    return r.any;
}

static bool round_roots(dd_ocp_problem *o, double part)
{
    dd_pool *scratch = dd_pool_child(o->pool);
    rounding r = {.o = o, .dag = o->dag, .pool = scratch, .known = dd_known_new(o, scratch), .part = part};
    r.image = dd_map_new(scratch);
    o->roots_of.len = 0;
    round_list(&r, &o->f, &o->rounded_f);
    round_list(&r, &o->g, &o->rounded_g);
    if (o->integrand != DD_EXPR_NONE && o->integrand_lifted.kinks.len == 0) {
        o->rounded_integrand = round_one(&r, o->integrand);
    }
    dd_pool_free(scratch);
    o->rounded = r.any;
    return r.any && hold_roots(o);
}

void dd_ocp_sharp_roots(dd_ocp_problem *o)
{
    o->rounded = o->held = false;
}

/* The arguments at one time of the present point; true: one of them is near zero, or below it. */
static bool touches_zero(dd_reading *at, double theta)
{
    bool touches = false;
    dd_reading_at(at, theta, true);
    for (uint32_t i = 0; i < at->p->problem->roots_of.len; i++) {
        touches = touches || at->values[i] < NEAR_ZERO;
    }
    return touches;
}

/* At nodes and points of the mesh. */
static bool at_zero(dd_ocp *p)
{
    const dd_transcription *t = p->transcription;
    dd_pool *scratch = dd_pool_child(p->pool);
    const dd_expr_vec *of = &p->problem->roots_of;
    dd_reading at = dd_reading_of(p, dd_ocp_outputs_of(p->problem, of, scratch), of->len, scratch);
    bool touches = touches_zero(&at, 0);
    for (uint32_t k = 0; k < t->mesh.n && !touches; k++) {
        touches = touches_zero(&at, t->mesh.theta[k + 1]);
        for (uint32_t i = 0; i < dd_transcription_points(t, k) && !touches; i++) {
            touches = touches_zero(&at, dd_transcription_point(t, k, i));
        }
    }
    dd_pool_free(scratch);
    return touches;
}

bool dd_ocp_hold_roots(dd_ocp *p)
{
    p->problem->held = p->problem->held || (hold_roots(p->problem) && at_zero(p));
    return p->problem->held;
}

bool dd_ocp_round_roots(dd_ocp *p)
{
    const bool touches = round_roots(p->problem, 1) && dd_ocp_has_trajectory(p) && at_zero(p);
    p->problem->rounded = p->problem->held = touches;
    return touches;
}

void dd_ocp_round_roots_less(dd_ocp_problem *o, bool less)
{
    round_roots(o, less ? CLOSER : 1);
}
