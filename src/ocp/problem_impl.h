/* problem_impl.h - shared by the files of problem.c. */
#ifndef DD_OCP_PROBLEM_IMPL_H
#define DD_OCP_PROBLEM_IMPL_H

#include "ocp/problem.h"

/* problem_resolve.c; both raise. Which parameters follow from decided ones; first of all. */
void dd_ocp_find_decided(dd_ocp_problem *o);
bool dd_ocp_depends_on_decided(const dd_ocp_problem *o, dd_expr e);
/* Rows of g that are assignments, one after the other; the others are solved with the rest. */
void dd_ocp_eliminate_assignments(dd_ocp_problem *o);

/* The size of values between the bounds of a decision and with that guess; its nominal, where there is one. */
double dd_ocp_expected_size(const dd_decision *d, double guess);
/* Its guess, where that is one number, else its start value. */
double dd_ocp_guess_number(const dd_ocp_problem *o, const dd_decision *d);
/* copies.c: what the text says about copies of decisions. After the rows, which have their bounds. Raises. */
void dd_ocp_hear_copies(dd_ocp_problem *o);

/* problem_rows.c: the instants, rows, bounds and the objective. False after a reason was given. Raises. */
bool dd_ocp_read_rows(dd_ocp_problem *o);
/* The bound that a constraint is, at the present numbers. Raises. */
void dd_ocp_apply_bound(dd_ocp_problem *o, const dd_bound_source *source);
bool dd_ocp_contains_any(const dd_ocp_problem *o, dd_expr e, const dd_decision_vec *list);

#endif
