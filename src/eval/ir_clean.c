/* ir_clean.c - removes values that nothing needs, and selections that are cheaper without a jump. */
#include "eval/ir.h"

#define SHORT_SIDES 6 /* a jump costs about as much as this many operations */

static uint32_t cost_of(const dd_ir *ir, uint32_t value)
{
    switch (ir->values.data[value].op) {
    /* several terms share one instruction */
    case DD_TAPE_SUM:
        return (ir->values.data[value].n + 1) / 2;
    case DD_TAPE_DIV:
    case DD_TAPE_INVERSE:
    case DD_TAPE_SQRT:
        return 2;
    case DD_TAPE_MUL:
    case DD_TAPE_NEG:
    case DD_TAPE_ABS:
    case DD_TAPE_SELECT:
    case DD_TAPE_LT:
    case DD_TAPE_LE:
    case DD_TAPE_EQ:
    case DD_TAPE_NE:
    case DD_TAPE_AND:
    case DD_TAPE_OR:
    case DD_TAPE_NOT:
    case DD_TAPE_MIN:
    case DD_TAPE_MAX:
        return 1;
    /* a function of the mathematical library is never computed for nothing */
    default:
        return SHORT_SIDES + 1;
    }
}

static void need(const dd_ir *ir, uint8_t *needed, uint32_t value)
{
    const uint32_t *args = dd_ir_args(ir, value);
    for (uint32_t i = 0; i < ir->values.data[value].n; i++) {
        needed[args[i] & ~DD_SUBTRACT] = 1;
    }
}

/* Users come after their arguments, so one pass from the end to the front finds all that is needed. */
static void remove_unused(dd_ir *ir, uint8_t *needed)
{
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        needed[ir->outputs[i]] = 1;
    }
    /* BRANCH and OTHER carry the value of their MERGE and go with it */
    for (uint32_t i = ir->main.len; i-- > 0;) {
        dd_ir_item *item = &ir->main.data[i];
        if (item->step == DD_STEP_NONE || !needed[item->value]) {
            item->step = DD_STEP_NONE;
        } else if (item->step == DD_STEP_COMPUTE || item->step == DD_STEP_MERGE) {
            need(ir, needed, item->value);
        }
    }
    uint32_t kept = 0;
    /* the prologue likewise, behind the main part that reads it */
    for (uint32_t i = ir->prologue.len; i-- > 0;) {
        if (needed[ir->prologue.data[i]]) {
            need(ir, needed, ir->prologue.data[i]);
        }
    }
    /* in place, order kept */
    for (uint32_t i = 0; i < ir->prologue.len; i++) {
        if (needed[ir->prologue.data[i]]) {
            ir->prologue.data[kept++] = ir->prologue.data[i];
        }
    }
    ir->prologue.len = kept;
}

typedef struct region {
    uint32_t branch, other; /* places of its items */
    uint32_t cost;
} region;

/* Ends the innermost region at its MERGE; returns its cost in the one around it. */
static uint32_t close_region(dd_ir *ir, region inner, uint32_t merge, bool flat)
{
    /* both sides and a SELECT are cheaper than a jump that may be predicted wrongly */
    if (flat || inner.cost <= SHORT_SIDES) {
        ir->main.data[inner.branch].step = DD_STEP_NONE;
        ir->main.data[inner.other].step = DD_STEP_NONE;
        ir->main.data[merge].step = DD_STEP_COMPUTE;
        return inner.cost + 1;
    }
    /* a jump that stays costs as much as short sides */
    return inner.cost + SHORT_SIDES;
}

static void flatten(dd_ir *ir, dd_pool *pool, bool flat)
{
    DD_VEC(region) regions = {0};
    dd_vec_push(pool, &regions, (region){0, 0, 0});
    for (uint32_t i = 0; i < ir->main.len; i++) {
        region *top = &regions.data[regions.len - 1];
        switch (ir->main.data[i].step) {
        /* costs add up in the innermost open region */
        case DD_STEP_COMPUTE:
            top->cost += cost_of(ir, ir->main.data[i].value);
            break;
        case DD_STEP_BRANCH:
            dd_vec_push(pool, &regions, (region){i, 0, 0});
            break;
        case DD_STEP_OTHER:
            top->other = i;
            break;
        case DD_STEP_MERGE: {
            /* an inner selection is part of the cost of the side it is on */
            uint32_t cost = close_region(ir, *top, i, flat);
            regions.len--;
            regions.data[regions.len - 1].cost += cost;
            break;
        }
        case DD_STEP_NONE:
            break;
        }
    }
}

void dd_ir_clean(dd_ir *ir, bool flat)
{
    dd_pool *pool = dd_pool_child(ir->pool);
    remove_unused(ir, dd_pool_alloc_array(pool, (size_t)ir->values.len + 1, 1));
    flatten(ir, pool, flat);
    uint32_t kept = 0;
    /* close the gaps that removed items left */
    for (uint32_t i = 0; i < ir->main.len; i++) {
        if (ir->main.data[i].step != DD_STEP_NONE) {
            ir->main.data[kept++] = ir->main.data[i];
        }
    }
    ir->main.len = kept;
    dd_pool_free(pool);
}
