/* flatten_inline.c - replaces variables that are bound in their declaration by their bindings, repeatedly.
 *
 * Each bound variable is worked out once, in terms of unbound ones: depth-first search with an explicit stack over
 * bindings, so that long chains of bindings are fine and a cycle is reported as the chain that closes it. der(v) of a
 * bound v is the time derivative of its worked-out binding.
 */
#include <string.h>

#include "lang/flatten.h"

/* INLINE_CYCLE: it leads into a cycle, which was reported */
enum { INLINE_NEW, INLINE_OPEN, INLINE_DONE, INLINE_CYCLE };

static bool is_bound(const dd_flattener *fl, uint32_t var)
{
    const dd_variable *v = &fl->m->vars.data[var];
    return v->kind == DD_KIND_VARIABLE && v->binding != DD_EXPR_NONE;
}

/* Room for the variables that exist now. */
static void reserve(dd_flattener *fl)
{
    /* the lists grow with the model; known results are kept */
    uint32_t n = fl->m->vars.len;
    if (n <= fl->n_inlined) {
        return;
    }
    dd_expr *inlined = dd_pool_alloc_array(fl->pool, n, sizeof *inlined);
    uint8_t *state = dd_pool_alloc_array(fl->pool, n, sizeof *state);
    if (fl->n_inlined > 0) {
        memcpy(inlined, fl->inlined, fl->n_inlined * sizeof *inlined);
        memcpy(state, fl->inline_state, fl->n_inlined * sizeof *state);
    }
    fl->inlined = inlined;
    fl->inline_state = state;
    fl->n_inlined = n;
}

/* dd_symbol_map: a bound variable, or its derivative, in unbound ones. */
static dd_expr worked_out(void *user, dd_expr symbol)
{
    dd_flattener *fl = user;
    dd_dag *dag = fl->m->dag;
    /* unbound variables stay; der(v) of a bound v is the derivative of its binding, as often as needed */
    if (dd_op_of(dag, symbol) != DD_OP_VAR || !is_bound(fl, dd_symbol_id(dag, symbol))) {
        return DD_EXPR_NONE;
    }
    dd_expr e = fl->inlined[dd_symbol_id(dag, symbol)];
    for (uint32_t i = 0; i < dd_symbol_order(dag, symbol); i++) {
        e = dd_total_derivative(dag, e, NULL, NULL);
    }
    return e;
}

static void report_cycle(dd_flattener *fl, const uint32_t *stack, uint32_t depth, uint32_t again)
{
    dd_text chain = dd_text_new(fl->pool);
    uint32_t from = depth - 1;
    /* from the first appearance on; those that wait are the chain */
    while (stack[from] != again) {
        from--;
    }
    for (uint32_t i = from; i < depth; i++) {
        if (fl->inline_state[stack[i]] == INLINE_OPEN) {
            dd_model_var_name(fl->m, stack[i], &chain);
            dd_text_add(&chain, " -> ");
        }
    }
    dd_model_var_name(fl->m, again, &chain);
    dd_error(fl->ctx, fl->m->arrays.data[fl->m->vars.data[again].array].span,
             "lagrange needs these declarations, but they depend on each other in a cycle: %s", dd_text_str(&chain));
}

typedef DD_VEC(uint32_t) var_stack;

/* Pushes the bound variables that e still needs; false when there is a cycle. *pushed: there were some. */
static bool push_bound(dd_flattener *fl, dd_expr e, var_stack *stack, bool *pushed)
{
    dd_expr_vec symbols = {0};
    bool ok = true;
    /* bound variables that are not worked out yet go onto the stack; one that is open already closes a cycle */
    dd_symbols(fl->m->dag, e, false, &symbols, fl->scratch);
    *pushed = false;
    for (uint32_t i = 0; ok && i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(fl->m->dag, symbols.data[i]);
        if (!is_bound(fl, var) || fl->inline_state[var] == INLINE_DONE) {
            continue;
        }
        if (fl->inline_state[var] == INLINE_CYCLE) {
            ok = false;
        } else if (fl->inline_state[var] == INLINE_OPEN) {
            report_cycle(fl, stack->data, stack->len, var);
            ok = false;
        } else {
            dd_vec_push(fl->pool, stack, var);
            *pushed = true;
        }
    }
    dd_vec_free(fl->scratch, &symbols);
    return ok;
}

bool dd_flat_inline(dd_flattener *fl, dd_expr *e)
{
    var_stack stack = {0};
    bool pushed, ok;
    reserve(fl);
    /* depth first over bindings; a variable is done when a visit pushes nothing */
    ok = push_bound(fl, *e, &stack, &pushed);
    while (ok && stack.len > 0) {
        uint32_t var = stack.data[stack.len - 1];
        if (fl->inline_state[var] == INLINE_DONE) {
            stack.len--;
            continue;
        }
        fl->inline_state[var] = INLINE_OPEN;
        dd_expr binding = fl->m->vars.data[var].binding;
        ok = push_bound(fl, binding, &stack, &pushed);
        /* everything in it is worked out: substitute once and keep the result */
        if (ok && !pushed) {
            fl->inlined[var] = dd_substitute(fl->m->dag, binding, worked_out, fl);
            fl->inline_state[var] = INLINE_DONE;
            stack.len--;
        }
    }
    /* what is open leads into the cycle: another statement that needs it fails without a second message */
    for (uint32_t i = 0; !ok && i < stack.len; i++) {
        uint8_t *state = &fl->inline_state[stack.data[i]];
        *state = *state == INLINE_OPEN ? INLINE_CYCLE : *state;
    }
    dd_vec_free(fl->pool, &stack);
    if (ok) {
        *e = dd_substitute(fl->m->dag, *e, worked_out, fl);
    }
    return ok;
}
