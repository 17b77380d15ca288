/* theory.c - orders that the theory gives for constant steps.
 *
 * Differential equations and equations of index 1, where z is taken from the algebraic equations at the new x: the order
 * of the method in all variables. Equations of index 2 and 3 in Hessenberg form as written: E. Hairer, C. Lubich, M.
 * Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods (1989), and E. Hairer, G.
 * Wanner, Solving Ordinary Differential Equations II, chapters VII.3 to VII.6. Where a method leaves the algebraic
 * variables at the end of a step open (its last stage is not the end), they are taken from the reduced equations and
 * are as accurate as the others. */
#include <math.h>
#include <string.h>

#include "methods/multistep.h"
#include "methods/tableau.h"
#include "study/study_impl.h"

/* y' = f(y, z), 0 = g(y) */
static double order_index_2(const dd_tableau *t, uint32_t level)
{
    const double s = t->stages;
    switch (t->family) {
    case DD_FAMILY_GAUSS: /* not stiffly accurate: z from the reduced equations */
        return t->stages % 2 == 1 ? s + 1 : s;
    case DD_FAMILY_RADAU_IIA:
        return level > 0 ? 2 * s - 1 : s;
    case DD_FAMILY_LOBATTO_IIIC:
        return level > 0 ? 2 * s - 2 : s - 1;
    case DD_FAMILY_LOBATTO_IIIA:
        return level > 0 ? 2 * s - 2 : NAN;
    default:
        return NAN;
    }
}

/* q' = f(q, v), v' = k(q, v, z), 0 = g(q) */
static double order_index_3(const dd_tableau *t, uint32_t level, bool worst)
{
    const double s = t->stages;
    switch (t->family) {
    case DD_FAMILY_RADAU_IIA:
        if (t->stages == 1) { /* the first step is off by O(1) in z, the others by O(h) */
            return level == 0 && worst ? 0 : 1;
        }
        return level == 2 ? 2 * s - 1 : level == 1 ? s : s - 1;
    case DD_FAMILY_LOBATTO_IIIC:
        return level == 2 ? 2 * s - 2 : level == 1 ? s - 1 : s - 2;
    default:
        return NAN;
    }
}

/* Backward differentiation formulas converge with full order behind the first steps, whose errors are O(1) in the
 * algebraic variables of index 3. */
static double order_bdf(uint32_t steps, int index, uint32_t level, bool worst)
{
    if (index > 3) {
        return NAN;
    }
    return worst && index == 3 && level == 0 ? (double)NAN : (double)steps;
}

double dd_theory_order(const dd_study *study, const char *method, int index, uint32_t level, bool worst)
{
    const uint32_t steps = dd_bdf_steps(method);
    if (steps > 0) {
        return order_bdf(steps, index, level, worst);
    }
    dd_tableau *t;
    const dd_status st = dd_tableau_new(&t, study->ctx, method);
    dd_study_heed(study, st);
    if (st != DD_OK) {
        return NAN;
    }
    /* implicit Euler and the trapezoidal rule are members of families under another name */
    const bool one_stage = t->stages == 1 && t->A[0] == 1 && t->b[0] == 1;
    dd_tableau same = *t;
    same.family = one_stage ? DD_FAMILY_RADAU_IIA : t->family;
    if (strcmp(method, "trapezoidal") == 0) {
        same.family = DD_FAMILY_LOBATTO_IIIA;
    } else if (strcmp(method, "implicit-midpoint") == 0) {
        same.family = DD_FAMILY_GAUSS;
    }
    const double order = index <= 1   ? t->order
                         : index == 2 ? order_index_2(&same, level)
                         : index == 3 ? order_index_3(&same, level, worst)
                                      : NAN;
    dd_tableau_free(t);
    return order;
}
