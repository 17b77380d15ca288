/* moments.c - changes of sign of functions of time alone, found on a grid and by bisection. */
#include "ocp/moments.h"

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "expr/walk.h"
#include "ocp/compiled.h"

enum {
    LOOKS = 1000,       /* of the grid: a switch on and off within a thousandth of the horizon is not seen */
    BISECTIONS = 60,    /* to the last digit of a double */
    MOST_MOMENTS = 1000 /* no mesh has nodes for more */
};
#define BEFORE 1e-12 /* of the horizon: nodes are this much before the moment; no mesh has intervals that short */
#define SAME 1e-9    /* of the horizon: two nearer than this are one */

/* What changes sign: the difference of the two sides of a relation, of max and min, the argument of abs and sign. */
static dd_expr switch_of(dd_dag *dag, dd_expr e)
{
    switch (dd_op_of(dag, e)) {
    case DD_OP_LT:
    case DD_OP_LE:
    case DD_OP_MAX:
    case DD_OP_MIN:
        return dd_sub(dag, dd_arg(dag, e, 0), dd_arg(dag, e, 1));
    case DD_OP_ABS:
    case DD_OP_SIGN:
        return dd_arg(dag, e, 0);
    default:
        return DD_EXPR_NONE;
    }
}

/* A function of the time and of parameters that are given. */
static bool is_of_time(dd_ocp_problem *o, dd_expr e, dd_pool *pool)
{
    dd_expr_vec symbols = {0};
    bool time = false, others = false;
    dd_symbols(o->dag, e, true, &symbols, pool);
    for (uint32_t i = 0; i < symbols.len && !others; i++) {
        const dd_expr s = symbols.data[i];
        time = time || s == o->time;
        others = s != o->time && dd_op_of(o->dag, s) != DD_OP_PARAM;
        for (uint32_t k = 0; k < o->p.len && !others; k++) {
            others = s == o->p.data[k].symbol;
        }
        for (uint32_t k = 0; k < o->data.len && !others; k++) {
            others = s == o->data.data[k].symbol;
        }
    }
    return time && !others;
}

static dd_expr_vec switches_of(dd_ocp_problem *o, dd_pool *pool)
{
    dd_expr_vec roots = {0}, found = {0};
    /* the equations, the cost, constraints at all times */
    for (uint32_t i = 0; i < o->f.len; i++) {
        dd_vec_push(pool, &roots, o->f.data[i]);
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        dd_vec_push(pool, &roots, o->g.data[i]);
    }
    for (uint32_t i = 0; i < o->path.len; i++) {
        dd_vec_push(pool, &roots, o->path.data[i].e);
    }
    dd_vec_push(pool, &roots, o->integrand);
    dd_walk walk = dd_walk_new(o->dag, roots.data, roots.len, 0);
    for (uint32_t i = 0; i < walk.n; i++) {
        const dd_op op = dd_op_of(o->dag, walk.nodes[i]);
        const bool may = op == DD_OP_LT || op == DD_OP_LE || op == DD_OP_MAX || op == DD_OP_MIN || op == DD_OP_ABS ||
                         op == DD_OP_SIGN;
        if (may && is_of_time(o, walk.nodes[i], pool)) {
            dd_vec_push(pool, &found, walk.nodes[i]);
        }
    }
    dd_walk_free(o->dag, &walk);
    for (uint32_t i = 0; i < found.len; i++) {
        found.data[i] = switch_of(o->dag, found.data[i]);
    }
    return found;
}

typedef struct clock_function {
    dd_program_work *work;
    double t0, length;
    double *value;
} clock_function;

static void evaluate(const clock_function *c, double theta)
{
    const double time = c->t0 + theta * c->length;
    const double *in[] = {&time};
    dd_program_eval(c->work, in, c->value);
}

static double at(const clock_function *c, uint32_t which, double theta)
{
    evaluate(c, theta);
    return c->value[which];
}

/* Where it is negative on one side and not on the other, to the last digit. */
static double located(const clock_function *c, uint32_t which, double from, double to)
{
    const bool first = at(c, which, from) < 0;
    for (uint32_t k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (from + to);
        if ((at(c, which, middle) < 0) == first) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return to;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

dd_moment_vec dd_ocp_moments(dd_ocp_problem *o, dd_pool *pool)
{
    dd_moment_vec all = {0}, out = {0};
    if (o->free_t0 || o->free_tf) {
        return out;
    }
    const dd_expr_vec switches = switches_of(o, pool);
    if (switches.len == 0) {
        return out;
    }
    clock_function c = {.t0 = o->t0_value, .length = o->tf_value - o->t0_value};
    c.work = dd_ocp_compile(o, &o->time, 1, switches.data, switches.len, pool);
    c.value = dd_pool_alloc_array(pool, switches.len, sizeof *c.value);
    /* signs on the grid, of all switches at a time; a value of zero is on the upper side, as in a relation with >= */
    bool *below = dd_pool_alloc_array(pool, switches.len, sizeof *below);
    bool *changed = dd_pool_alloc_array(pool, switches.len, sizeof *changed);
    for (uint32_t k = 0; k <= LOOKS; k++) {
        dd_check_stop(dd_pool_context(pool));
        evaluate(&c, (double)k / LOOKS);
        for (uint32_t i = 0; i < switches.len; i++) {
            changed[i] = k > 0 && (c.value[i] < 0) != below[i] && isfinite(c.value[i]);
            below[i] = c.value[i] < 0;
        }
        for (uint32_t i = 0; i < switches.len && all.len < MOST_MOMENTS; i++) {
            if (changed[i]) {
                dd_vec_push(pool, &all, located(&c, i, (k - 1.0) / LOOKS, (double)k / LOOKS));
            }
        }
    }
    /* in order, each once, inside the horizon */
    if (all.len > 0) {
        qsort(all.data, all.len, sizeof *all.data, compare);
    }
    for (uint32_t i = 0; i < all.len; i++) {
        const double theta = all.data[i] - BEFORE;
        if (theta > SAME && theta < 1 - SAME && (out.len == 0 || theta - out.data[out.len - 1] > SAME)) {
            dd_vec_push(pool, &out, theta);
        }
    }
    return out;
}
