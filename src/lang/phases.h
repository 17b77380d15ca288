/* phases.h - shared by the parts of flattening an optimization with phases.
 *
 * Phases are stacked. The flat model has the variables of all of them side by side, over one common time tau from 0 to
 * 1. In phase k, from t_k on and T_k long,
 *
 *     t = t_k + T_k tau,   der(x) = x'/T_k,   integral L dt = integral T_k L dtau,
 *
 * so that index reduction, invariants, ranks of boundary rows and meshes see one system and need to know nothing of
 * phases. Values at a phase's start and end are values at tau = 0 and 1, and rows between them link phases.
 */
#ifndef DD_LANG_PHASES_H
#define DD_LANG_PHASES_H

#include "lang/flatten.h"

typedef DD_VEC(uint32_t) dd_phase_index_vec;

typedef struct dd_flat_phase {
    dd_instance *in;
    uint32_t start_var, final_var;
    dd_expr start, length; /* t_k, T_k: numbers, or in free parameters alone */
    double start_value, length_value;
} dd_flat_phase;

typedef struct dd_phases {
    DD_VEC(dd_flat_phase) list;
    uint32_t current; /* whose class is read, from 1; 0: none */
    /* per var */
    DD_VEC(uint32_t) of;       /* phase from 1; 0: none */
    DD_VEC(uint32_t) order;    /* highest derivative in the equations: 0 or 1 once they are of first order */
    DD_VEC(uint32_t) velocity; /* the variable that is its derivative; DD_NO_INDEX without */
} dd_phases;

static inline const dd_flat_phase *dd_phase_get(const dd_flattener *fl, uint32_t phase)
{
    return &fl->phases->list.data[phase - 1];
}

/* ---- phases_time.c ---- */
/* Times of all phases; false after a message. */
bool dd_phases_times(dd_flattener *fl);
/* Values at times x(t) become values at tau. */
void dd_phases_points(dd_flattener *fl);

/* ---- phases_order.c ---- */
/* Which phase a variable belongs to; equations of first order. False after a message. */
bool dd_phases_first_order(dd_flattener *fl);
/* A derivative by the name it has, if it has one. */
dd_expr dd_phases_lower(dd_flattener *fl, dd_expr e);
/* The phase of all variables in e: 0 without any; a message at span when they are of two (false). hint: the phase that
 * is meant anyway, or 0. */
bool dd_phases_of(dd_flattener *fl, dd_expr e, dd_span span, const char *what, uint32_t hint, uint32_t *phase);

/* ---- phases_stack.c ---- */
void dd_phases_stack(dd_flattener *fl);
/* Adds an integrand to that in tau. */
void dd_phases_add_integrand(dd_flattener *fl, dd_expr e, dd_span span, uint32_t phase);

#endif
