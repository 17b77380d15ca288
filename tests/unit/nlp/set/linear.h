/* linear.h - linear and quadratic problems, and what a solver must survive in them: degenerate corners, dependent and
 * redundant rows, rows without bounds, fixed variables, no rows, no free variables. Optima follow by hand. */
#ifndef DD_TESTS_NLP_LINEAR_H
#define DD_TESTS_NLP_LINEAR_H

#include "unit/nlp/set/problem.h"

static const set_problem linear_problems[] = {
    {"lp_corner", 2, "-3*x1 - 5*x2", "x1 <= 4; 2*x2 <= 12; 3*x1 + 2*x2 <= 18", "x1 >= 0; x2 >= 0", "0", "optimal", -36,
     0, 0},
    {"lp_equalities", 3, "x1 + 2*x2 + 3*x3", "x1 + x2 + x3 = 1; x1 - x2 = 0.2", "for i = 1:3: x[i] >= 0", "1",
     "optimal", 1.4, 0, 0},
    /* four rows meet in the optimal corner of a square */
    {"lp_degenerate", 2, "-x1 - x2", "x1 <= 1; x2 <= 1; x1 + x2 <= 2; 2*x1 + x2 <= 3; x1 + 2*x2 <= 3",
     "x1 >= 0; x2 >= 0", "0.1", "optimal", -2, 0, 0},
    {"lp_flat", 2, "x1 + x2", "x1 + x2 >= 1", "0 <= x1 <= 5; 0 <= x2 <= 5", "3, 4", "optimal", 1, 0, 0},
    {"lp_klee_minty", 3, "-100*x1 - 10*x2 - x3", "x1 <= 1; 20*x1 + x2 <= 100; 200*x1 + 20*x2 + x3 <= 10000",
     "for i = 1:3: x[i] >= 0", "0", "optimal", -10000, 0, 0},
    /* two plants with 30 and 40, three towns that need 20, 25 and 25: supply and demand rows depend on each other */
    {"lp_transport", 6, "8*x1 + 6*x2 + 10*x3 + 9*x4 + 12*x5 + 13*x6",
     "x1 + x2 + x3 = 30; x4 + x5 + x6 = 40; x1 + x4 = 20; x2 + x5 = 25; x3 + x6 = 25", "for i = 1:6: x[i] >= 0", "10",
     "optimal", 640, 0, 0},
    {"lp_free_variables", 2, "x1 - x2", "x1 + x2 = 3; x1 - 2*x2 >= -6", "", "0", "optimal", -3, 0, 0},
    {"lp_unbounded", 2, "-x1 - x2", "x1 - x2 <= 1", "x1 >= 0; x2 >= 0", "1", "unbounded", NAN, 0, 0},
    {"lp_infeasible", 2, "x1 + x2", "x1 + x2 >= 3; x1 + 2*x2 <= 1", "x1 >= 0; x2 >= 0", "1", "infeasible", NAN, 0, 0},
    {"lp_contradiction", 2, "x1", "x1 + x2 <= 1; x1 + x2 >= 2", "", "0", "infeasible", NAN, 0, 0},
    {"lp_bounds_forbid", 2, "x1", "x1 + x2 = 5", "0 <= x1 <= 1; 0 <= x2 <= 2", "0.5", "infeasible", NAN, 0, 0},
    /* y >= 0 cannot give x = -1 */
    {"lp_farkas", 3, "0", "x1 + x2 + x3 = -1", "for i = 1:3: x[i] >= 0", "1", "infeasible", NAN, 0, 0},
    {"qp_convex", 2, "x1^2 + x2^2 + x1*x2 - 3*x1", "", "", "5, -7", "optimal", -3, 0, 0},
    {"qp_projection", 3, "sum(i = 1:3, (x[i] - i)^2)", "x1 + x2 + x3 = 0", "", "0", "optimal", 12, 0, 0},
    {"qp_box", 2, "(x1 - 3)^2 + (x2 + 2)^2", "", "0 <= x1 <= 1; 0 <= x2 <= 1", "0.5", "optimal", 8, 0, 0},
    {"qp_semidefinite", 3, "(x1 + x2 + x3 - 1)^2", "", "for i = 1:3: x[i] >= 0", "3, 2, 1", "optimal", 0, 0, 0},
    /* concave: the ends of the interval are the minima */
    {"qp_concave", 1, "-x1^2", "", "-1 <= x1 <= 2", "0.3", "optimal", -4, -1, 0},
    {"qp_indefinite", 2, "x1^2 - x2^2", "x1 + x2 <= 3; x2 <= 2", "x1 >= 0; x2 >= -1", "0.5, 0.5", "optimal", -4, -1, 0},
    {"qp_concave_on_row", 2, "-x1*x2", "x1 - x2 = 0; 0 <= x1 + x2 <= 4", "", "0.5, 1", "optimal", -4, 0, 0},
    /* negative curvature along x1 = -x2, which the row cuts off */
    {"qp_convex_on_row", 2, "x1*x2 - x1 - x2", "x1 - x2 = 0", "", "3, -5", "optimal", -1, 0, 0},
    /* the start is a saddle point, where all first-order conditions hold */
    {"qp_saddle_start", 2, "x1^2 - x2^2", "", "-1 <= x1 <= 1; -1 <= x2 <= 1", "0", "optimal", -1, 1e-30, 0},
    {"qp_unbounded", 2, "x1^2 - x2^2", "x1 + x2 >= 1", "", "1, 1", "unbounded", NAN, 0, 0},
    {"qp_unbounded_linear", 2, "x1^2 - x2", "x1 = 1", "", "0", "unbounded", NAN, 0, 0},

    {"dependent_equalities", 2, "x1^2 + x2^2", "x1 + x2 = 1; 2*x1 + 2*x2 = 2", "", "0", "optimal", 0.5, 0, 0},
    {"dependent_three", 3, "x1^2 + x2^2 + x3^2", "x1 + x2 = 1; x2 + x3 = 1; x1 + 2*x2 + x3 = 2; x1 - x3 = 0", "",
     "3, -1, 2", "optimal", 2. / 3, 0, 0},
    {"dependent_nonlinear", 2, "(x1 - 2)^2 + x2^2", "x1^2 + x2^2 = 1; 3*x1^2 + 3*x2^2 = 3", "", "0.3, 0.9", "optimal",
     1, 0, 0},
    {"dependent_contradiction", 2, "x1^2 + x2^2", "x1 + x2 = 1; 2*x1 + 2*x2 = 3", "", "0", "infeasible", NAN, 0, 0},
    {"redundant_inequalities", 2, "x1 + x2", "x1 + 2*x2 >= 2; 2*x1 + 4*x2 >= 4; x1 + 2*x2 >= 1; 3*x1 + 6*x2 >= 6",
     "x1 >= 0; x2 >= 0", "3", "optimal", 1, 0, 0},
    /* a row that only repeats the bounds */
    {"redundant_bounds", 2, "x1 + x2", "x1 >= 1; x2 >= 2; x1 + x2 >= 3", "x1 >= 1; x2 >= 2", "4", "optimal", 3, 0, 0},
    {"inequalities_as_equality", 2, "x1^2 + x2^2", "x1 + x2 <= 1; x1 + x2 >= 1", "", "3, 1", "optimal", 0.5, 0, 0},
    /* five lines through (1, 2) */
    {"more_rows_than_variables", 2, "x1^2 + x2^2", "x1 + x2 = 3; x1 - x2 = -1; 2*x1 + x2 = 4; x1 = 1; x1 + 3*x2 = 7",
     "", "0", "optimal", 5, 0, 0},
    {"more_rows_contradict", 2, "x1^2 + x2^2", "x1 + x2 = 3; x1 - x2 = -1; 2*x1 + x2 = 5", "", "0", "infeasible", NAN,
     0, 0},
    {"square_system", 2, "0", "x1 + x2 = 3; x1*x2 = 2", "", "0.5, 3", "optimal", 0, 0, 0},
    {"square_system_bounds", 2, "x1", "x1 + x2 = 3; x1*x2 = 2", "x1 >= 0; x2 >= 0", "5, 3", "optimal", 1, 2, 0},

    {"fixed_variable", 2, "(x1 - 1)^2 + (x2 - x1)^2", "", "3 <= x1 <= 3", "0", "optimal", 4, 0, 0},
    {"fixed_among_rows", 3, "x1^2 + x2^2 + x3^2", "x1 + x2 + x3 = 6", "4 <= x2 <= 4", "9, 9, 9", "optimal", 18, 0, 0},
    {"all_fixed", 2, "x1 + 10*x2", "x1 + x2 = 3", "1 <= x1 <= 1; 2 <= x2 <= 2", "7", "optimal", 21, 0, 0},
    {"all_fixed_infeasible", 2, "x1", "x1 + x2 = 4", "1 <= x1 <= 1; 2 <= x2 <= 2", "1", "infeasible", NAN, 0, 0},
    {"fixed_makes_row_empty", 2, "(x2 - 5)^2", "x1 = 1", "1 <= x1 <= 1", "0", "optimal", 0, 0, 0},
    {"fixed_breaks_row", 2, "(x2 - 5)^2", "x1 = 2", "1 <= x1 <= 1", "0", "infeasible", NAN, 0, 0},
    {"nothing", 0, "7", "", "", "", "optimal", 7, 0, 0},
    {"no_rows", 3, "sum(i = 1:3, (x[i] - 1)^2 + x[i]^4)", "", "", "4, -3, 2", "optimal", 0.86782027181333381, 0, 0},
    {"free_rows", 2, "(x1 - 1)^2 + (x2 - 2)^2", "-inf <= x1*x2 <= inf; x1 + x2 = 1", "", "3, -3", "optimal", 2, 0, 0},
    {"only_free_rows", 2, "(x1 - 1)^2 + (x2 - 2)^2", "-inf <= exp(x1) <= inf; -inf <= x1^2 - x2 <= inf", "", "0",
     "optimal", 0, 0, 0},
    {"range_of_one_value", 2, "x1^2 + x2^2", "2 <= x1 + x2 <= 2", "", "5, 1", "optimal", 2, 0, 0},
    {"range_thin", 2, "x1^2 + x2^2", "2 <= x1 + x2 <= 2 + 1e-7", "", "5, 1", "optimal", 2, 0, 0},
    {"bounds_thin", 2, "x1^2 + (x2 - 1)^2", "", "2 <= x1 <= 2 + 1e-9", "0", "optimal", 4, 0, 0},
    {"range_active_above", 2, "-x1 - x2", "1 <= x1^2 + x2^2 <= 2", "", "0.8, 0.7", "optimal", -2, 0, 0},
    {"range_active_below", 2, "x1 + x2", "1 <= x1*x2 <= 4", "x1 >= 0.1; x2 >= 0.1", "1.5, 2", "optimal", 2, 0, 0},
    {"start_outside", 2, "(x1 - 3)^2 + (x2 - 3)^2", "x1 + x2 <= 4", "0 <= x1 <= 2.5; 1 <= x2 <= 2.5", "-100, 1000",
     "optimal", 2, 0, 0},
    {"row_of_zeros", 2, "(x1 - 1)^2 + x2^2", "0*x1 <= 1; x1 + x2 = 2", "", "0", "optimal", 0.5, 0, 0},
    {"row_of_zeros_infeasible", 2, "(x1 - 1)^2 + x2^2", "0*x1 = 1", "", "0", "infeasible", NAN, 0, 0},
    {"constant_objective", 3, "0", "x1 + x2 + x3 = 1", "for i = 1:3: 0 <= x[i] <= 1", "0.5", "optimal", 0, 0, 0},
    {"constant_everywhere", 2, "0", "", "", "1, 2", "optimal", 0, 0, 0},
    {"unused_variable", 3, "(x1 - 1)^2", "x1 + x2 = 3", "", "0", "optimal", 0, 0, 0},

    /* sizes from 1e-6 to 1e6, in variables, rows and objective */
    {"scaled_variables", 2, "(x1*1e-6 - 1)^2 + (x2*1e6 - 2)^2", "x1*1e-6 + x2*1e6 = 4", "", "1e6, 1e-6", "optimal", 0.5,
     0, 0},
    {"scaled_rows", 2, "x1^2 + x2^2", "1e6*x1 + 1e6*x2 = 2e6; 1e-6*x1 - 1e-6*x2 >= 1e-6", "", "0", "optimal", 2.5, 0,
     0},
    {"scaled_objective_up", 2, "1e6*((x1 - 1)^2 + (x2 - 1)^2)", "x1 + x2 <= 1", "", "0", "optimal", 5e5, 0, 0},
    {"scaled_objective_down", 2, "1e-6*((x1 - 3)^2 + (x2 - 1)^2)", "x1 + x2 <= 1", "", "0", "optimal", 4.5e-6, 0,
     1e-11},
    {"scaled_bounds", 2, "x1*1e-6 + 1e6*x2", "x1*x2 >= 1", "1 <= x1 <= 1e7; 1e-7 <= x2 <= 1e3", "1e3, 1e-2", "optimal",
     2, 0, 0},
    {"scaled_brown", 2, "(x1 - 1e6)^2 + (x2 - 2e-6)^2 + (x1*x2 - 2)^2", "", "", "1, 1", "optimal", 0, 0, 0},
    {"scaled_powell", 2, "0", "1e4*x1*x2 = 1; exp(-x1) + exp(-x2) = 1.0001", "", "0, 1", "optimal", 0, 0, 0},
};

#endif
