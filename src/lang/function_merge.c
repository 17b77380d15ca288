/* function_merge.c - the values after branches that were both run, selected by the condition. A branch that leaves
 * the loop or the function keeps its values until the loop or the function ends, and they are selected then. */
#include "lang/function_private.h"

dd_ev *dd_frame_copy(dd_el *el, const dd_ev *values)
{
    uint32_t n = el->frame->fn->n_vars;
    dd_ev *copy = dd_pool_alloc_array(el->frame->pool, n + 1u, sizeof *copy);
    for (uint32_t i = 0; i < n; i++) {
        dd_ev_copy(el->frame->pool, &values[i], &copy[i]);
    }
    return copy;
}

static bool differ(dd_el *el, dd_form f, const dd_fvar *var, const dd_ev *a, const dd_ev *b)
{
    if (dd_ev_same_shape(a, b)) {
        return dd_el_fail(el, f, "the branches of `if` assign %s values of different kinds", var->name);
    }
    return dd_el_fail(el, f,
                      "the branches of `if` assign %s values of different sizes: in one it %s, in the other it %s",
                      var->name, dd_el_has(el, a), dd_el_has(el, b));
}

bool dd_frame_merge(dd_el *el, dd_form f, dd_expr condition, const dd_ev *a, const dd_ev *b)
{
    dd_call_frame *frame = el->frame;
    dd_pool *before = el->scratch;
    bool ok = true;
    /* selected values must outlive the statement: they are made in the frame's pool */
    el->scratch = frame->pool;
    /* inputs are never assigned, so both sides have the same */
    for (uint32_t i = 0; i < frame->fn->n_vars && ok; i++) {
        if (frame->fn->vars[i].is_input) {
            frame->values[i] = a[i];
        } else if (!dd_ev_choose(el, condition, &a[i], &b[i], &frame->values[i])) {
            ok = differ(el, f, &frame->fn->vars[i], &a[i], &b[i]);
        }
    }
    el->scratch = before;
    return ok;
}

/* ---- conditions ---- */

/* The conditions of the path down to (without) base, and one more. */
static dd_expr along(dd_el *el, const dd_fpath *base, dd_expr condition)
{
    for (const dd_fpath *p = el->frame->path; p != base; p = p->outer) {
        condition = dd_binary(el->dag, DD_OP_AND, condition, p->condition);
    }
    return condition;
}

static dd_expr without(dd_el *el, const dd_fexit *exits, dd_expr condition)
{
    for (; exits != NULL; exits = exits->next) {
        condition = dd_binary(el->dag, DD_OP_AND, condition, dd_unary(el->dag, DD_OP_NOT, exits->condition));
    }
    return condition;
}

/* Not where a loop around was left before. */
static dd_expr inside_loops(dd_el *el, dd_expr condition)
{
    for (const dd_floop *loop = el->frame->loop; loop != NULL; loop = loop->outer) {
        condition = without(el, loop->breaks, condition);
    }
    return condition;
}

dd_expr dd_frame_reached(dd_el *el)
{
    dd_call_frame *here = el->frame;
    dd_expr reached = dd_num(el->dag, 1);
    /* branches of `if` expressions around, then the statements of this function and of its callers */
    for (const dd_guard *g = el->guard; g != NULL; g = g->outer) {
        dd_expr condition = g->negated ? dd_unary(el->dag, DD_OP_NOT, g->condition) : g->condition;
        reached = dd_binary(el->dag, DD_OP_AND, reached, condition);
    }
    for (; el->frame != NULL; el->frame = el->frame->caller) {
        reached = without(el, el->frame->returns, inside_loops(el, along(el, NULL, reached)));
    }
    el->frame = here;
    return reached;
}

static dd_fexit *new_exit(dd_el *el, dd_fexit *next, dd_expr condition, dd_ev *values)
{
    dd_fexit *exit = dd_pool_alloc(el->frame->pool, sizeof *exit);
    *exit = (dd_fexit){next, condition, values};
    return exit;
}

void dd_frame_add_break(dd_el *el, dd_expr condition, dd_ev *values)
{
    dd_floop *loop = el->frame->loop;
    loop->breaks = new_exit(el, loop->breaks, along(el, loop->path, condition), values);
}

void dd_frame_add_return(dd_el *el, dd_expr condition, dd_ev *values)
{
    /* this return happens where its branch runs and no loop around it was left before; older returns win in the
     * merge */
    dd_expr all = inside_loops(el, along(el, NULL, condition));
    el->frame->returns = new_exit(el, el->frame->returns, all, values);
}

bool dd_frame_merge_exits(dd_el *el, dd_form f, const dd_fexit *exits, bool left)
{
    /* every path leaves: the newest exit is the "else" of the others */
    if (exits != NULL && left) {
        el->frame->values = exits->values;
        exits = exits->next;
    }
    /* from the newest to the oldest: the oldest condition is outermost and wins */
    for (; exits != NULL; exits = exits->next) {
        dd_ev *now = el->frame->values;
        el->frame->values = dd_frame_copy(el, now);
        if (!dd_frame_merge(el, f, exits->condition, exits->values, now)) {
            return false;
        }
    }
    return true;
}
