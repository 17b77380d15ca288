/* switches_roots.c - powers with exponents that are not integers: roots of the solution are continued below zero, roots of
 * the time stay in their domain. */
#include <math.h>

#include "dynamics/switches_impl.h"

/* g = rate*time - rate*at with known numbers? */
bool dd_switches_is_moment(const dd_system *s, dd_expr g, double *rate, double *at)
{
    dd_dag *dag = s->model->dag;
    dd_expr time = dd_time(dag), slope, rest;
    uint32_t culprit;
    double b;
    if (!dd_linear(dag, g, &time, 1, &slope, &rest) || !dd_model_evaluate(s->model, slope, false, rate, &culprit) ||
        *rate == 0 || !dd_model_evaluate(s->model, rest, false, &b, &culprit)) {
        return false;
    }
    *at = -b / *rate;
    return true;
}

/* An exponent that is known now, positive, not an integer. */
static bool is_broken(const dd_rewriting *r, dd_expr p)
{
    double value;
    uint32_t culprit;
    const dd_op op = dd_op_of(r->dag, p);
    return (op == DD_OP_NUM || op == DD_OP_PARAM) && dd_model_evaluate(r->s->model, p, false, &value, &culprit) &&
           value > 0 && value != floor(value);
}

/* Is a^p to be continued below zero? p > 0 and no integer, a no constant. */
bool dd_switches_is_root(dd_rewriting *r, dd_expr a, dd_expr p)
{
    dd_expr_vec symbols = {0};
    if (!is_broken(r, p)) {
        return false;
    }
    dd_symbols(r->dag, a, false, &symbols, r->scratch);
    const bool varies = symbols.len > 0;
    dd_vec_free(r->scratch, &symbols);
    return varies;
}

/* Is a^p, as written, a root of the time alone without relations in it, abs(time - 1)^0.5? */
bool dd_switches_is_root_of_time(const dd_rewriting *r, dd_expr a, dd_expr p)
{
    if (!is_broken(r, p) || dd_switches_variation(r->s, a, r->scratch) != DD_VARIES_TIME) {
        return false;
    }
    const dd_expr_vec nodes = dd_switches_reachable(r->dag, &a, 1, true, r->scratch);
    bool relations = false;
    for (uint32_t i = 0; i < nodes.len; i++) {
        const dd_op op = dd_op_of(r->dag, nodes.data[i]);
        relations = relations || op == DD_OP_LT || op == DD_OP_LE || op == DD_OP_FLOOR;
    }
    return !relations;
}

/* A root of the time has its value whatever the solution does, but not on a branch that is frozen beyond its kink. So
 * kinks whose moments are known are frozen, and steps end at them. With others the root, the power e with arguments a
 * rewritten, stays as it is written, and its kinks are watched: steps end where they are found. */
dd_expr dd_switches_root_of_time(dd_rewriting *r, dd_expr e, const dd_expr *a)
{
    const dd_expr_vec nodes = dd_switches_reachable(r->dag, a, 1, true, r->scratch);
    bool known = true;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < nodes.len; i++) {
            const dd_op op = dd_op_of(r->dag, nodes.data[i]);
            double rate, at;
            if (op != DD_OP_LT && op != DD_OP_LE) {
                continue;
            }
            if (pass == 0) { /* all of them, or none */
                const dd_expr g = dd_sub(r->dag, dd_arg(r->dag, nodes.data[i], 1), dd_arg(r->dag, nodes.data[i], 0));
                known = known && dd_switches_is_moment(r->s, g, &rate, &at);
            } else {
                dd_map_put(&r->timed, nodes.data[i], 1);
                if (!known) {
                    dd_vec_push(r->scratch, &r->watched, nodes.data[i]);
                }
            }
        }
    }
    r->jumps = true; /* even a step that ends there is not smooth */
    return dd_pow(r->dag, known ? a[0] : dd_arg(r->dag, e, 0), a[1]);
}

/* The odd continuation of a^p, in a layer around zero by a cubic with the same value and slope at its ends:
 * a e ((3 - p)/2 + (p - 1)/2 (a/d)^2) for |a| < d, with e = d^(p-1). No number far below zero when that is wanted. */
dd_expr dd_switches_root(dd_rewriting *r, dd_expr origin, dd_expr a, dd_expr p)
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
        dd_switches_add_number(r, DD_SWITCH_MARGIN, origin, a);
        dd_switches_add_number(r, DD_SWITCH_SLOPE, origin, dd_rational(dag, 0, 1));
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
        below = dd_if(dag, dd_switches_silent(dag, DD_OP_LE, far, a), below, dd_pow(dag, a, p));
    }
    return dd_if(dag, dd_switches_silent(dag, DD_OP_LT, distance, d), inside,
                 dd_if(dag, dd_switches_silent(dag, DD_OP_LT, dd_rational(dag, 0, 1), a), size, below));
}
