/* switches.h - the relations of a model that make events, taken out of its expressions.
 *
 * abs, sign, min, max, ceil and mod become `if` and floor; then every relation (and floor) outside noEvent whose value
 * can change in time is a switch: its node is frozen, that is given to the programs as an input, and changes value only
 * at events. */
#ifndef DD_SIM_SWITCHES_H
#define DD_SIM_SWITCHES_H

#include "structure/system.h"

typedef enum dd_switch_kind {
    DD_SWITCH_RELATION, /* node is 1 while g > 0 (or >= 0) */
    DD_SWITCH_FLOOR     /* node is floor(g) */
} dd_switch_kind;

typedef struct dd_switch {
    dd_switch_kind kind;
    dd_expr node, g;
    bool holds_at_zero; /* relation: <= instead of < */
    bool only_time;     /* g = rate*time - rate*at: the moment is known */
    double at, rate;
    bool implicit; /* g contains x' or z: what follows from x by the equations only (numbers.c) */
} dd_switch;

typedef DD_VEC(dd_switch) dd_switch_vec;

/* Rewrites exprs[0..n-1] in place and appends the switches they contain (each node once). Raises. */
void dd_switches_find(const dd_system *s, dd_expr *exprs, uint32_t n, dd_switch_vec *switches, dd_pool *pool);

/* What jumps in expressions that nothing else depends on, beside the known switches: relations, floor, ceil and mod; abs,
 * sign, min and max make no events there, as the language has it. The expressions are rewritten so that the nodes of the
 * switches are in them; where they are to be frozen is up to the caller. */
void dd_switches_look(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_switch_vec *out,
                      dd_pool *pool);

#endif
