/* repeated.h - constraints that repeat others at a point, as far as the equations of the model let anything vary.
 *
 * The analysis finds rows that follow from the invariants it knows. A model reduced by hand keeps quantities that
 * the text does not mention (p*p = 1 of a pendulum, an energy): then rows at the two ends are dependent at every
 * motion, a solver has no unique multipliers and goes astray. So where it stalls, and at a solution, the gradients
 * of the user's equalities are taken in what is left to choose (start, controls, parameters, times) after the
 * equations of the model are solved,
 *
 *     g_r = dr/dw - dr/dv A^-1 dF/dw,     A = dF/dv:  v the states and algebraic variables, w the rest,
 *
 * scaled so that every decision counts alike, then to unit length, and compared by orthogonalisation: of rows that
 * depend on each other the last ones add nothing.
 */
#ifndef DD_OCP_REPEATED_H
#define DD_OCP_REPEATED_H

#include "ocp/ocp_impl.h"

/* The equalities that are best left out at y because they add nothing there, those that are out already among them,
 * each followed by those that could be left out instead;
 * exact: y is a solution, not a point where a solver stalled, which blurs ranks. Empty when the present choice is as
 * good, and where that is not known. The words live as long as the problem. Raises. */
dd_repeat_vec dd_ocp_find_repeated(dd_ocp *p, const double *y, bool exact);

#endif
