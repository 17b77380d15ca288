/* hard.h - what an interior-point method finds difficult: points where constraint qualifications fail, complementarity,
 * violations with minima that are not zero, functions that are not defined everywhere, objectives without a lower bound,
 * flat optima. Optima follow by hand. */
#ifndef DD_TESTS_NLP_HARD_H
#define DD_TESTS_NLP_HARD_H

#include "unit/nlp/set/problem.h"

static const set_problem hard_problems[] = {
    /* no multipliers exist at the solution. A violation of 1e-8 moves a double root by 1e-4, a triple one by 2e-3, and
     * relaxed bounds do the same: so near is near enough */
    {"hs013", 2, "(x1 - 2)^2 + x2^2", "(1 - x1)^3 - x2 >= 0", "x1 >= 0; x2 >= 0", "-2, -2", "optimal|acceptable", 1, 0,
     1e-2},
    {"double_root", 1, "x1", "x1^2 = 0", "", "1", "optimal|acceptable", 0, 0, 1e-3},
    {"triple_root", 2, "x1 + x2^2", "(x1 - 1)^3 = 0", "", "3, 1", "optimal|acceptable", 1, 0, 5e-3},
    {"single_point", 2, "x1 + x2", "x1^2 + x2^2 <= 0", "", "1, 1", "optimal|acceptable", 0, 0, 1e-3},
    {"tangent_circles", 2, "x2", "(x1 - 1)^2 + x2^2 <= 1; (x1 + 1)^2 + x2^2 <= 1", "", "0.5, 0.5", "optimal|acceptable",
     0, 0, 1e-3},
    {"cusp", 2, "-x1", "x2 >= 0; x2 <= (1 - x1)^3", "", "-0.5, 1", "optimal|acceptable", -1, 0, 5e-3},
    {"line_touches_circle", 2, "x1 + x2", "x1^2 + x2^2 <= 1; x2 = 1", "", "0.3, 0.2", "optimal|acceptable", 1, 0, 1e-3},
    {"product_of_roots", 2, "(x1 - 2)^2 + (x2 - 1)^2", "x1*x2 = 0; x1^2*x2 = 0", "", "1, 0.4", "optimal|acceptable", 1,
     4, 1e-3},
    /* multipliers exist and are not unique */
    {"licq_fails", 2, "x1^2 + (x2 - 1)^2", "x2 <= 0; x2 <= x1^2; x2 <= -x1^2", "", "0.4, -0.3", "optimal|acceptable", 1,
     0, 1e-6},
    {"strict_complementarity_fails", 2, "x1^2 + x2^2", "x1 + x2 >= 0", "x1 >= 0", "2, 3", "optimal", 0, 0, 0},
    {"curvature_vanishes", 2, "x1^4 + x2", "x2 >= x1^2", "", "1, 2", "optimal", 0, 0, 0},

    /* complementarity: one of two must be zero. At x = 0, y = 0 all three rows are active */
    {"mpcc_square", 2, "(x1 - 1)^2 + (x2 - 1)^2", "x1*x2 = 0", "x1 >= 0; x2 >= 0", "0.5, 0.7", "optimal|acceptable", 1,
     2, 1e-5},
    {"mpcc_inequality", 2, "(x1 - 2)^2 + (x2 - 1)^2", "x1*x2 <= 0", "x1 >= 0; x2 >= 0", "1, 0.2", "optimal|acceptable",
     1, 4, 1e-5},
    {"mpcc_linear", 3, "x1 + x2 - x3", "x3 <= 4*x1; x3 <= 4*x2; x1*x2 <= 0", "x1 >= 0; x2 >= 0", "0.5, 0.5, 0.3",
     "optimal|acceptable", 0, 0, 1e-3}, /* no multipliers: the product gives way by the square root of the tolerance */
    {"mpcc_ladder", 4, "(x1 - 1)^2 + (x2 - 2)^2 + (x3 - 1)^2 + (x4 - 3)^2", "x1*x2 <= 0; x3*x4 <= 0; x1 + x3 <= 1",
     "for i = 1:4: x[i] >= 0", "0.3, 0.6, 0.2, 0.9", "optimal|acceptable", 2, 5, 1e-5},
    {"mpcc_sum_form", 3, "-2*x1 + x2", "x1*x2 + x2*x3 <= 0; x1 + x3 = 1", "for i = 1:3: x[i] >= 0", "0.5, 0.5, 0.5",
     "optimal|acceptable", -2, 0, 1e-5},

    /* Waechter and Biegler: methods without restoration end at points where nothing is stationary. The solution is
     * (1, 0, 0.5); the sum of the violations also has a local minimum, at (-1, 0, 0) */
    {"waechter_biegler", 3, "x1", "x1^2 - x2 - 1 = 0; x1 - x3 - 0.5 = 0", "x2 >= 0; x3 >= 0", "-2, 3, 1",
     "optimal|infeasible", 1, 0, 0},
    {"waechter_biegler_far", 3, "x1", "x1^2 - x2 - 1 = 0; x1 - x3 - 0.5 = 0", "x2 >= 0; x3 >= 0", "-20, 3000, 1000",
     "optimal|infeasible", 1, 0, 0},
    /* at the start the violation has a saddle point: its slope is zero */
    {"rank_deficient_start", 2, "x1^2 + x2^2", "x1*x2 = 1", "", "0", "optimal|infeasible", 2, 0, 0},
    {"rank_deficient_beside", 2, "x1^2 + x2^2", "x1*x2 = 1", "", "1e-3, 2e-3", "optimal", 2, 0, 0},
    {"rank_deficient_three", 3, "x1 + x2 + x3", "x1^2 + x2^2 + x3^2 = 3; x1*x2*x3 = 1", "", "0.1, 0.1, 0.1",
     "optimal|acceptable", -1, 3,
     1e-3}, /* (1, 1, 1) and (-1, -1, 1): gradients of the rows are parallel there, roots are double */
    {"jacobian_zero_at_start", 2, "(x1 - 2)^2 + x2^2", "x1^2 + x2^2 = 1", "", "0", "optimal", 1, 9, 0},
    {"far_from_feasible", 2, "x1^2 + x2^2", "exp(x1) + exp(x2) = 20", "", "30, 20", "optimal", 8.6407268732813814,
     10.603796220956796, 0},

    {"infeasible_square", 1, "x1", "x1^2 = -1", "", "3", "infeasible", NAN, 0, 0},
    {"infeasible_circle", 2, "x1", "x1^2 + x2^2 <= 1; x1 + x2 >= 3", "", "0", "infeasible", NAN, 0, 0},
    {"infeasible_circles", 2, "x1 + x2", "(x1 - 3)^2 + x2^2 <= 1; (x1 + 3)^2 + x2^2 <= 1", "", "0.5, 2", "infeasible",
     NAN, 0, 0},
    {"infeasible_exp", 1, "x1^2", "exp(x1) <= -1", "", "2", "infeasible", NAN, 0, 0},
    {"infeasible_with_bounds", 2, "x1*x2", "x1*x2 >= 10", "0 <= x1 <= 3; 0 <= x2 <= 3", "1, 2", "infeasible", NAN, 0,
     0},
    /* the violation has a minimum at 1; the root at -2.104 is behind it, or forbidden */
    {"infeasible_locally", 1, "x1", "x1^3 - 3*x1 + 3 = 0", "", "3", "infeasible|optimal", -2.1038034027355366, 0, 0},
    {"infeasible_cubic", 1, "x1", "x1^3 - 3*x1 + 3 = 0", "x1 >= -1", "3", "infeasible", NAN, 0, 0},
    {"infeasible_equalities", 2, "x1^2", "x1^2 + x2^2 = 1; x1^2 + x2^2 = 4", "", "1, 1", "infeasible", NAN, 0, 0},
    {"infeasible_many", 3, "x1 + x2 + x3", "x1 + x2 + x3 <= 1; for i = 1:3: x[i] >= 0.5; x1*x2*x3 >= 1", "", "1",
     "infeasible", NAN, 0, 0},

    {"unbounded_cubic", 1, "x1^3", "", "", "-1", "unbounded", NAN, 0, 0},
    {"unbounded_hyperbola", 2, "-x1 - x2", "x1*x2 = 1", "x1 >= 0.1", "3, 0.4", "unbounded", NAN, 0, 0},
    {"unbounded_free", 2, "x1", "x1 = x2", "", "0", "unbounded", NAN, 0, 0},
    {"unbounded_quadratic_row", 2, "x1 - x2", "x2 <= x1^2", "", "1, 0", "unbounded", NAN, 0, 0},
    {"unbounded_log", 1, "-log(x1)", "", "x1 >= 1", "2", "unbounded|optimal", NAN, 0, 0}, /* the slope vanishes */

    /* functions that have no value: at the start, or where the first step leads */
    {"no_value_at_start", 1, "x1 - log(x1)", "", "", "-1", "evaluation_error", NAN, 0, 0},
    {"no_row_value_at_start", 2, "x1^2 + x2^2", "sqrt(x1) + x2 = 1", "", "-4, 0", "evaluation_error", NAN, 0, 0},
    {"bound_makes_start_defined", 1, "x1 - log(x1)", "", "x1 >= 0.001", "-1", "optimal", 1, 0, 0},
    /* no value on the bounds, where the start is: it is moved inside */
    {"rows_defined_inside", 2, "x1 + x2", "log(x1) + log(x2) >= 0", "x1 >= 0; x2 >= 0", "0", "optimal", 2, 0, 0},
    /* Newton's step from 5 is to -15 */
    {"log_region", 1, "x1 - log(x1)", "", "", "5", "optimal", 1, 0, 0},
    {"log_region_many", 4, "sum(i = 1:4, i*x[i] - log(x[i]))", "", "", "9, 7, 8, 6", "optimal", 7.1780538303479458, 0,
     0},
    {"sqrt_region", 1, "x1 - 2*sqrt(x1)", "", "", "9", "optimal", -1, 0, 0},
    {"sqrt_row", 2, "x1 + x2", "sqrt(x1) + sqrt(x2) >= 2", "", "9, 0.01", "optimal", 2, 4, 1e-3}, /* 4: at the edge */
    {"reciprocal_region", 1, "x1 + 1/x1", "", "x1 >= 0", "0.01", "optimal", 2, 0, 0},
    {"log_row", 2, "x1^2 + x2^2", "log(x1) + log(x2) = 0", "", "10, 0.5", "optimal", 2, 0, 0},
    {"entropy", 5, "sum(i = 1:5, x[i]*log(x[i]))", "sum(i = 1:5, x[i]) = 1", "for i = 1:5: x[i] >= 0",
     "0.9, 0.01, 0.03, 0.04, 0.02", "optimal", -1.6094379124341003, 0, 0},
    {"analytic_centre", 2, "-log(1 - x1) - log(1 + x1) - log(1 - x2) - log(1 + x2) - log(1.5 - x1 - x2)", "", "",
     "-0.9, 0.9", "optimal", -0.56445227157365674, 0, 0},
    /* the infimum is where the objective ends to be defined: never optimal */
    {"no_value_beyond", 1, "x1 + 0*log(x1)", "", "", "1", "!optimal", NAN, 0, 0},

    {"flat_fourth", 1, "(x1 - 1)^4", "", "", "5", "optimal", 0, 0, 0},
    {"flat_sixth", 2, "(x1 - 1)^6 + (x2 + 1)^6", "x1 + x2 = 0", "", "3, 4", "optimal|acceptable", 0, 0, 1e-5},
    {"flat_valley", 2, "(x1*x2 - 1)^2", "", "", "3, 4", "optimal", 0, 0, 0},
    {"asymptotic", 1, "exp(-x1)", "", "", "0", "optimal|unbounded", 0, 0, 0}, /* the slope falls below the tolerance */
    {"kinks_as_rows", 3, "x3", "x3 >= x1 + x2; x3 >= -x1 + x2; x3 >= (x2 - 1)^2 - 4", "", "3, 2, 9", "optimal",
     -0.79128784747792, 0, 0},
    {"minimax", 3, "x3", "x3 >= x1^2 + x2^4; x3 >= (2 - x1)^2 + (2 - x2)^2; x3 >= 2*exp(x2 - x1)", "", "1, -0.1, 5",
     "optimal", 1.9522244939, 2, 0},
    {"large_multiplier", 2, "-1e4*x1", "x1^2 + 1e-4*x2^2 <= 1; x2 >= 0", "", "0.1, 0.3", "optimal", -1e4, 0, 0},
    {"trigonometric", 2, "sin(x1) + cos(x2)", "", "0 <= x1 <= 6; 0 <= x2 <= 6", "4, 3", "optimal", -2, 0, 0},
    {"equality_only_feasible_point", 2, "x1*x2", "x1 + x2 = 2; x1 - x2 = 0", "0 <= x1 <= 1; 0 <= x2 <= 1", "0.2, 0.9",
     "optimal", 1, 0, 0},
};

#endif
