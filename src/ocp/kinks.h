/* kinks.h - functions with kinks in the cost and in inequality rows, made smooth without an error.
 *
 *     min |u|                  min s  subject to  s >= u,  s >= -u
 *     max(a, b) <= 1           s <= 1 with s >= a,  s >= b
 *     min sqrt(u^2 + v^2)      min s  subject to  s >= (u^2 + v^2)/s,  s > 0
 *
 * Newton's method does not converge at a kink, where solutions of minimum-fuel problems are most of the time. The
 * program on the right is smooth and has the same solutions, as long as the cost does not fall when s grows, and a row
 * is not easier to satisfy. This is proved by interval arithmetic on the slope, or the kink stays as it is. min(a, b) is
 * -max(-a, -b); kinks may stand in kinks. A kink whose slope vanishes there, max(0, x)^2, is smooth enough.
 *
 * Variables s are those of points of a mesh. They appear in no result: the expressions of the user are evaluated as
 * they are written.
 */
#ifndef DD_OCP_KINKS_H
#define DD_OCP_KINKS_H

#include "ocp/problem.h"

/* Finds them in the cost and in all inequality rows, once rows and bounds are known. shooting: path rows stay as
 * they are. Raises. */
void dd_ocp_lift_kinks(dd_ocp_problem *o, bool shooting);
/* Kinks in rates, m' = -|u|: m' = -s with s >= |u| is a relaxation, whose solution is one of the problem if s = |u| holds there.
 * Programs are made of these rates from now on. False: there are none; shooting: or one of them is of states. Raises. */
bool dd_ocp_relax_rates(dd_ocp_problem *o, bool shooting);
/* The rates as they are. */
void dd_ocp_sharp_rates(dd_ocp_problem *o);
/* After dd_ocp_relax_rates: is the relaxation worth the first attempt? Where kinks are those of controls (fuel that an engine
 * takes), or where the states are only counted and enter no equation. */
bool dd_ocp_relax_first(const dd_ocp_problem *o);
/* After numbers were set: are the rows still as good as the kinks? Raises. */
bool dd_ocp_kinks_hold(dd_ocp_problem *o);

#endif
