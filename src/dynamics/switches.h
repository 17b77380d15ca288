/* switches.h - the relations of a model at which steps end, taken out of its expressions.
 *
 * ceil and mod become floor, min and max become `if`; then every relation (and floor) outside noEvent whose value
 * can change in time is a switch: its node is frozen, that is given to the programs as an input, and changes value
 * only where a step ends. So each piece is smooth for the integrator.
 *
 *     sign(a) = s + k*a,   abs(a) = a*sign(a)
 *
 * with s and k frozen: s = 1 or -1 and k = 0 on either side; s = 0 and k = 1/width while the solution slides along a
 * = 0 (friction that sticks): a boundary layer inside the tolerance. abs without sign of the same argument is an
 * `if`.
 *
 * a^p for p > 0 that is no integer goes on as -(-a)^p behind a = 0, for trial points of a step and for what is short
 * of zero by less than the tolerance; far below zero it is no number (dd_numbers_rows_hold). In a layer around zero,
 * much thinner than the tolerance, it is a cubic, so that its slope is finite.
 */
#ifndef DD_DYNAMICS_SWITCHES_H
#define DD_DYNAMICS_SWITCHES_H

#include "structure/system.h"

/* A relation within noEvent (`if` in a function) that is taken as it is written, not frozen. */
#define DD_SWITCH_LIVE 2.0

/* A base is taken for a negative number when it is below zero by this many widths of its layer. */
enum { DD_SWITCH_FAR = 300 };

typedef enum dd_switch_kind {
    DD_SWITCH_RELATION, /* node is 1 while g > 0 (or >= 0) */
    DD_SWITCH_FLOOR,    /* node is floor(g) */
    DD_SWITCH_SIGN,     /* node is s: 1, -1, or 0 while |g| < width; the next switch is its k */
    DD_SWITCH_SLOPE,    /* node is a number that goes with the one before: k of a sign, d^(p-1) of a power */
    DD_SWITCH_MARGIN    /* node is d, half the width of the layer of a power with the base g */
} dd_switch_kind;

typedef struct dd_switch {
    dd_switch_kind kind;
    dd_expr node, g;
    dd_expr origin;     /* sign, margin: the argument, the power as it was */
    dd_expr shown;      /* what the model has there; the argument of a sign */
    bool holds_at_zero; /* relation: <= instead of < */
    bool only_time;     /* g = rate*time - rate*at: the moment is known */
    double at, rate;
    uint32_t twin;      /* the first relation with the same g, or its negative: */
    double twin_sign;   /* 1, -1 */
    bool implicit;      /* g contains x' or z: what follows from x by the equations only (numbers.c) */
    bool soft;          /* of min, max or abs alone: what depends on it has a kink there and no jump */
    bool quiet;         /* of abs or sign, or literal: no event of the language */
    bool literal;       /* within noEvent: 0, 1 or DD_SWITCH_LIVE */
    double width, side; /* sign: half the width of the layer, and where it is left to */
    double exponent;    /* margin: p */
    uint32_t *column;   /* the unknowns in g (numbers.c), */
    uint32_t columns;   /* their number */
} dd_switch;

typedef DD_VEC(dd_switch) dd_switch_vec;

/* Rewrites exprs[0..n-1] in place and appends the switches they contain (each node once). fresh: numbers of
 * variables from here on are free for s, k and margins. False: within noEvent something jumps that is no relation
 * (floor, mod), and is not in the list. Raises. */
bool dd_switches_find(const dd_system *s, dd_expr *exprs, uint32_t n, uint32_t fresh, dd_switch_vec *switches,
                      dd_pool *pool);

/* Puts s, k and margins that are known into other expressions, whose powers are no numbers beyond the margin. */
void dd_switches_apply(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_pool *pool);

/* What jumps in expressions that nothing else depends on, beside the known switches: relations, floor, ceil and mod;
 * abs, sign, min and max make no events there, as the language has it. The expressions are rewritten so that the
 * nodes of the switches are in them; where they are to be frozen is up to the caller. */
void dd_switches_look(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_switch_vec *out,
                      dd_pool *pool);

/* The same for what makes no event there (sign, relations within noEvent), in the columns that are differentiated:
 * appended to kinks, quiet. outputs: one for each declared column, rewritten; switches, kinks: known. */
void dd_switches_look_quiet(const dd_system *s, dd_expr *outputs, const dd_switch_vec *switches, dd_switch_vec *kinks,
                            dd_pool *pool);

/* The value of a switch at g. */
double dd_switch_mode(const dd_switch *s, double g);
/* The same at time t: a relation of time alone takes the value it has from then on. */
double dd_switch_mode_at(const dd_switch *s, double g, double t);

#endif
