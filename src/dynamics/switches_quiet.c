/* switches_quiet.c - jumps that are no events of the language, in variables whose derivative the equations need.
 *
 * sign(a) and relations within noEvent make no events. Where the rows contain them they are switches all the same. In a
 * variable that was substituted they are in the outputs alone, where nobody looks: but its derivative is an impulse where
 * it jumps (sim/impulse.c), so there they are written as relations and found like those of the model. */
#include <assert.h>

#include "dynamics/switches.h"

/* Nodes that depend on a switch that is known: relations between them are not the model's. */
static void mark_known(const dd_switch_vec *known, dd_map *touched)
{
    for (uint32_t k = 0; k < known->len; k++) {
        dd_map_put(touched, known->data[k].node, 1);
    }
}

/* sign(a) by two relations */
static dd_expr sign_by_relations(dd_dag *dag, dd_expr a)
{
    const dd_expr zero = dd_rational(dag, 0, 1), one = dd_rational(dag, 1, 1);
    return dd_if(dag, dd_binary(dag, DD_OP_LT, zero, a), one,
                 dd_if(dag, dd_binary(dag, DD_OP_LT, a, zero), dd_neg(dag, one), zero));
}

typedef struct opening {
    dd_dag *dag;
    dd_map now, touched; /* node -> as it is written now; node: contains a known switch */
    dd_expr_vec args;
    dd_pool *scratch;
} opening;

/* The node, whose arguments are done. */
static void open_node(opening *o, dd_expr e)
{
    const dd_op op = dd_op_of(o->dag, e);
    const uint32_t count = dd_arg_count(o->dag, e);
    bool changed = false, touched = dd_map_get(&o->touched, e) != 0;
    o->args.len = 0;
    for (uint32_t k = 0; k < count; k++) {
        const dd_expr a = dd_arg(o->dag, e, k), next = (dd_expr)dd_map_get(&o->now, a);
        changed = changed || next != a;
        touched = touched || dd_map_get(&o->touched, a);
        dd_vec_push(o->scratch, &o->args, next);
    }
    if (touched) {
        dd_map_put(&o->touched, e, 1);
    }
    assert(count == 0 || o->args.data);
    dd_expr next = e;
    if (op == DD_OP_SIGN) {
        next = sign_by_relations(o->dag, o->args.data[0]);
    } else if (op == DD_OP_NOEVENT && !touched) {
        next = o->args.data[0];
    } else if (changed) {
        next = dd_make(o->dag, op, o->args.data, count);
    }
    dd_map_put(&o->now, e, next);
}

/* Without recursion: the depth is up to the model. A node is opened when it is met the second time. */
static dd_expr open_quiet(opening *o, dd_expr e)
{
    dd_expr_vec stack = {0};
    dd_vec_push(o->scratch, &stack, e);
    while (stack.len > 0) {
        dd_check_stop(dd_pool_context(o->scratch));
        const dd_expr top = stack.data[stack.len - 1];
        bool ready = true;
        for (uint32_t k = 0; k < dd_arg_count(o->dag, top) && !dd_map_get(&o->now, top); k++) {
            const dd_expr a = dd_arg(o->dag, top, k);
            if (!dd_map_get(&o->now, a)) {
                dd_vec_push(o->scratch, &stack, a);
                ready = false;
            }
        }
        if (ready) {
            stack.len--;
            if (!dd_map_get(&o->now, top)) {
                open_node(o, top);
            }
        }
    }
    return (dd_expr)dd_map_get(&o->now, e);
}

void dd_switches_look_quiet(const dd_system *s, dd_expr *outputs, const dd_switch_vec *switches, dd_switch_vec *kinks,
                            dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    opening o = {.dag = s->model->dag, .now = dd_map_new(scratch), .touched = dd_map_new(scratch), .scratch = scratch};
    dd_switch_vec known = {0}, found = {0};
    /* what steps and rows of output stop for already */
    const dd_switch_vec *lists[] = {switches, kinks};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < lists[k]->len; i++) {
            dd_vec_push(scratch, &known, lists[k]->data[i]);
        }
    }
    mark_known(switches, &o.touched);
    for (uint32_t j = 0; j < s->declared; j++) {
        outputs[j] = s->differentiated[j] ? open_quiet(&o, outputs[j]) : outputs[j];
    }
    dd_switches_look(s, outputs, s->declared, &known, &found, pool);
    for (uint32_t i = 0; i < found.len; i++) {
        found.data[i].quiet = true;
        dd_vec_push(pool, kinks, found.data[i]);
    }
    dd_pool_free(scratch);
}
