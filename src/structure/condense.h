/* condense.h - a model of index 2 and more in fewer variables: what rows determine in closed form, always and
 * everywhere, is put in with all its derivatives before anything is differentiated.
 *
 * A mechanism built from bodies and joints has positions, attitudes and velocities of bodies that are explicit
 * functions of the joint coordinates. As states with constraints they cost invariants, projections and larger matrices.
 * Here they go: a tree of joints is left with its joint coordinates and their rates, a mechanism with closed loops
 * keeps the constraints of its loops only. Integrators and transcriptions work on the rest; the analysis, its counts
 * and its names stay those of the whole.
 */
#ifndef DD_STRUCTURE_CONDENSE_H
#define DD_STRUCTURE_CONDENSE_H

#include "structure/system.h"

typedef struct dd_condensed {
    dd_system *system; /* the rest: its own rows, columns, offsets and reduction; model and dag are shared */
    uint32_t *eq_of;   /* per row of it: the row of the whole system's eqs */
    dd_expr *h;        /* per column of the whole: its value in what is left; DD_EXPR_NONE: it is left */
} dd_condensed;

/* Kept with the system, once it was asked for: equations of several forms come from it. Beside the answer of the
 * analysis, which is constant, this is a place that is filled later, always with the same. */
typedef struct dd_condensed_once {
    bool known;
    const dd_condensed *value;
} dd_condensed_once;

/* NULL when no differential variable goes, or the rest is not certified by a regular Jacobian with the same degrees of
 * freedom. In the system's pool. Raises. */
const dd_condensed *dd_system_condensed(const dd_system *s);

#endif
