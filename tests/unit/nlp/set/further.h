/* further.h - sizes, bounds and starts at the edge of what numbers can say, verdicts beside their twins, rows that say
 * nothing, further classics. Optima follow by hand unless a comment says otherwise. */
#ifndef DD_TESTS_NLP_FURTHER_H
#define DD_TESTS_NLP_FURTHER_H

#include "unit/nlp/set/problem.h"

static const set_problem further_problems[] = {
    /* bounds that are numbers, but as good as none */
    {"huge_bounds", 2, "(x1 - 3)^2 + (x2 + 4)^2", "", "-1e300 <= x1 <= 1e300; -1e20 <= x2 <= 1e20", "0", "optimal", 0,
     0, 0},
    {"huge_bounds_on_rows", 2, "x1^2 + x2^2", "-1e30 <= x1 + x2 <= 1e30; x1 - x2 >= 2", "", "5, 1", "optimal", 2, 0, 0},
    {"huge_bound_one_side", 1, "(x1 - 3)^2", "", "x1 <= 1e18", "-7", "optimal", 0, 0, 0},
    {"huge_bounds_unbounded", 1, "x1", "", "-1e30 <= x1 <= 1e30", "0", "unbounded|optimal", NAN, 0, 0},
    {"large_bound_active", 1, "x1", "", "x1 >= -1e6", "0", "optimal", -1e6, 0, 0},
    {"huge_start", 2, "(x1 - 1)^2 + (x2 - 2)^2", "x1 + x2 = 3", "", "1e9, -1e9", "optimal", 0, 0, 0},
    {"huge_start_in_bounds", 2, "(x1 - 1)^2 + x2", "x2 >= x1^2", "0 <= x1 <= 2; 0 <= x2 <= 4", "1e12, -1e12", "optimal",
     0.5, 0, 0},
    /* the same point as bounds from both sides, in rows and variables */
    {"fixed_all_but_one", 4, "sum(i = 1:4, (x[i] - 1)^2)", "x1 + x2 + x3 + x4 = 10",
     "1 <= x1 <= 1; 2 <= x2 <= 2; 3 <= x3 <= 3", "0", "optimal", 14, 0, 0},
    {"fixed_all_but_one_infeasible", 3, "x3^2", "x1 + x2 + x3^2 = 1", "1 <= x1 <= 1; 2 <= x2 <= 2", "0, 0, 3",
     "infeasible", NAN, 0, 0},
    {"fixed_outside_domain", 2, "(x2 - 1)^2", "log(x1) <= x2", "-1 <= x1 <= -1", "3, 3", "evaluation_error", NAN, 0, 0},
    {"fixed_in_product", 3, "x1*x2 + x3^2", "x1 + x2 >= 3; x2*x3 >= 1", "2 <= x2 <= 2", "9, 9, 9", "optimal", 2.25, 0,
     0},
    {"fixed_at_large_value", 2, "(x1*1e-8 - 1)^2 + (x2 - x1*1e-8)^2", "", "1e8 <= x1 <= 1e8", "0", "optimal", 0, 0, 0},
    {"equal_bounds_and_row", 2, "x1^2 + x2^2", "x1 + x2 >= 1; x1 + x2 <= 1; x1 - x2 = 1", "0 <= x2 <= 0", "4, 4",
     "optimal", 1, 0, 0},
    /* rows that say nothing, or nothing that can be met */
    {"many_free_rows", 2, "(x1 - 1)^2 + x2^2",
     "-inf <= x1 <= inf; -inf <= x1*x2 <= inf; -inf <= sin(x1) <= inf; -inf <= x2^3 <= inf", "", "4, 4", "optimal", 0,
     0, 0},
    {"row_of_a_constant", 1, "(x1 - 2)^2", "0*x1 + 3 <= 4", "", "0", "optimal", 0, 0, 0},
    {"row_of_a_constant_infeasible", 1, "(x1 - 2)^2", "0*x1 + 5 <= 4", "", "0", "infeasible", NAN, 0, 0},
    {"equality_of_a_constant", 2, "(x1 - 2)^2 + x2^2", "0*x1 = 0; x1 + x2 = 0", "", "7, 1", "optimal", 2, 0, 0},
    {"all_rows_redundant", 2, "(x1 - 1)^2 + (x2 - 1)^2", "x1 + x2 <= 100; x1 - x2 <= 100; x1*x2 >= -1e4", "", "9, -9",
     "optimal", 0, 0, 0},
    {"same_row_ten_times", 2, "x1^2 + 2*x2^2", "for i = 1:10: x1 + x2 = 3", "", "0", "optimal", 6, 0, 0},
    {"same_inequality_ten_times", 2, "x1^2 + 2*x2^2", "for i = 1:10: x1 + x2 >= 3", "", "0", "optimal", 6, 0, 0},
    {"row_and_its_square", 2, "(x1 - 2)^2 + x2^2", "x1 - x2 = 0; (x1 - x2)^2 = 0", "", "3, 1", "optimal|acceptable", 2,
     0, 1e-6},
    {"rank_falls_at_solution", 3, "x1 + x2^2 + x3^2", "x1*x3 = 0; x1 + x3 = 0; x1^2 + x2 = 1", "", "1, 1, -1",
     "optimal|acceptable", 1, 0, 1e-3}, /* roots are double */
    {"more_inequalities_than_variables", 2, "-x1 - 2*x2", "for i = 1:20: cos(i)*x1 + sin(i)*x2 <= 1", "", "0",
     "optimal", -2.2412663992386856, 0, 0}, /* by enumeration of the corners */
    /* contradictions, large and small */
    {"infeasible_by_little", 2, "x1 + x2", "x1 + x2 >= 1.001; x1 + x2 <= 1", "", "0", "infeasible", NAN, 0, 0},
    {"infeasible_by_much", 2, "x1", "x1 + x2 = 1e6; x1^2 + x2^2 <= 1", "", "0", "infeasible", NAN, 0, 0},
    {"infeasible_parallel_planes", 3, "x1^2 + x2^2 + x3^2", "x1 + x2 + x3 = 1; x1 + x2 + x3 = 1.1", "", "1",
     "infeasible", NAN, 0, 0},
    {"infeasible_sphere_in_box", 3, "x1", "x1^2 + x2^2 + x3^2 = 4", "for i = 1:3: -1 <= x[i] <= 1", "0.3, 0.2, 0.1",
     "infeasible", NAN, 0, 0},
    {"infeasible_sine", 1, "x1^2", "sin(x1) >= 1.5", "", "0.5", "infeasible", NAN, 0, 0},
    {"infeasible_norm", 2, "x1 + x2", "sqrt(1 + x1^2 + x2^2) <= 0.5", "", "3, 4", "infeasible", NAN, 0, 0},
    {"infeasible_and_unbounded", 2, "-x2", "x1 >= 1; x1 <= 0", "", "0.5, 0", "infeasible", NAN, 0, 0},
    {"infeasible_mpcc", 2, "x1 + x2", "x1*x2 <= 0; x1 >= 1; x2 >= 1", "", "2, 2", "infeasible", NAN, 0, 0},
    {"feasible_at_one_point", 2, "x1", "x1^2 + x2^2 <= 1; x1 + x2 >= sqrt(2)", "", "0", "optimal|acceptable",
     0.70710678118654752, 0, 1e-3},
    {"feasible_far_away", 2, "x1^2 + x2^2", "x1 >= 1e5; x2 = x1/1e5", "", "0", "optimal", 10000000001, 0, 0},
    /* unbounded, and those that only look like it */
    {"unbounded_along_curve", 2, "-x1", "x2 = x1^2", "", "1, 1", "unbounded", NAN, 0, 0},
    {"unbounded_one_side_only", 2, "x1^3 + x2^2", "x2 >= x1", "", "1, 2", "unbounded", NAN, 0, 0},
    {"unbounded_product", 2, "x1*x2", "x1 + x2 = 1", "", "0.2, 0.4", "unbounded", NAN, 0, 0},
    {"unbounded_exp", 1, "-exp(x1)", "", "x1 >= 0", "1", "unbounded", NAN, 0, 0},
    {"unbounded_ray_of_cone", 3, "-x3", "x1^2 + x2^2 <= x3^2", "x3 >= 0", "0.1, 0.1, 1", "unbounded|iteration_limit",
     NAN, 0, 0}, /* along the border of the cone, where rounding of the row slows it down */
    {"unbounded_lp_equalities", 3, "x1 - x2 - x3", "x1 + x2 - x3 = 1; x1 - x2 + x3 = 1", "", "0", "unbounded", NAN, 0,
     0},
    {"far_minimum", 1, "(x1*1e-6 - 3)^2", "", "", "0", "optimal", 0, 0, 0},
    {"far_minimum_linear_at_first", 1, "sqrt(1 + x1^2*1e-8) - x1*1e-5", "", "", "0", "optimal", 0.99498743710661995, 0,
     0},
    {"bounded_by_a_distant_row", 2, "-x1 - x2", "x1 + x2 <= 1e7", "x1 >= 0; x2 >= 0", "0", "optimal", -1e7, 0, 0},
    /* scales */
    {"scale_tiny_variables", 2, "(1e9*x1 - 1)^2 + (1e9*x2 - 2)^2", "1e9*x1 + 1e9*x2 <= 2", "x1 >= 0; x2 >= 0", "0",
     "optimal", 0.5, 0, 1e-5}, /* sizes of variables are not given: objective and barrier are scaled by 1e-8 */
    {"scale_tiny_objective", 2, "1e-12*(x1 + x2)", "x1*x2 >= 4", "x1 >= 0.1; x2 >= 0.1", "1, 9", "optimal|acceptable",
     4e-12, 0, 0},
    {"scale_huge_objective", 2, "1e12*(x1 + x2)", "x1*x2 >= 4", "x1 >= 0.1; x2 >= 0.1", "1, 9", "optimal", 4e12, 0, 0},
    {"scale_huge_row", 2, "x1 + x2", "1e10*x1*x2 >= 4e10", "x1 >= 0.1; x2 >= 0.1", "1, 9", "optimal", 4, 0, 0},
    {"scale_tiny_row", 2, "x1 + x2", "1e-6*x1*x2 >= 4e-6", "x1 >= 0.1; x2 >= 0.1", "1, 9", "optimal", 4, 0, 0},
    {"scale_of_terms", 3, "1e5*x1^2 + x2^2 + 1e-4*x3^2", "x1 + x2 + x3 = 1e3", "", "0", "optimal", 99.98999000999, 0,
     0}, /* 1e6/(1e-5 + 1 + 1e4) */
    {"powell_badly_scaled_least_squares", 2, "(1e4*x1*x2 - 1)^2 + (exp(-x1) + exp(-x2) - 1.0001)^2", "", "", "0, 1",
     "optimal|acceptable", 0, 0, 1e-6},
    /* functions without values between the start and the solution */
    {"values_on_both_sides", 1, "(x1 - 3)^2 + 0*sqrt(x1^2 - 1)", "", "", "2", "optimal", 0, 0, 0},
    {"log_of_difference", 2, "-log(x1 - x2) + x1^2 + x2^2", "", "", "9, -5", "optimal", 0.5, 0, 0},
    {"power_of_negative", 2, "x1^1.5 + x2^1.5 - 3*x1 - 3*x2", "", "", "30, 1e-2", "optimal", -8, 0, 0},
    {"row_without_value_beyond", 2, "(x1 + 1)^2 + x2^2", "x2 = sqrt(x1 + 0.5)", "x1 >= -0.5", "4, 9", "optimal", 0.25,
     0, 1e-5}, /* slope infinite there: the root of relaxed bounds shows */
    {"overflow_in_first_step", 1, "exp(x1^2) - 2*x1^2", "", "", "4", "optimal", 0.61370563888010938, 0, 0},
    /* scaled by the slope at the start, 1e14, every slope near the solution is small; a minimum of one variable */
    {"steep_start", 1, "exp(x1^2) - 2*x1^2", "", "", "5.5", "optimal", 0.61370563888010938, 0, 0},
    {"steep_start_on_row", 2, "exp(x1^2) - 2*x1^2 + (x2 - 1)^2", "x1 + x2 = 3", "", "-6, 0", "optimal",
     1.707704493510699, 0, 0},
    {"quotient_of_rows", 2, "x1^2 + x2^2", "1/(x1 - 1) + 1/(x2 - 1) = 2", "x1 >= 1; x2 >= 1", "9, 1.2", "optimal", 8, 0,
     0},
    {"no_value_at_solution", 1, "x1*log(x1) - x1", "", "x1 >= 0; x1 <= 0.5", "0.3", "optimal", -0.84657359027997264, 0,
     0},
    /* degenerate, complementarity-like */
    {"mpcc_three_products", 3, "(x1 - 1)^2 + (x2 - 1)^2 + (x3 - 1)^2", "x1*x2 <= 0; x2*x3 <= 0; x1*x3 <= 0",
     "for i = 1:3: x[i] >= 0", "0.9, 0.5, 0.2", "optimal|acceptable", 2, 3, 1e-5},
    {"mpcc_bilevel", 2, "(x1 - 1)^2 + (x2 - 1)^2", "x2*(x2 - x1 + 1) <= 0; x2 - x1 + 1 >= 0", "x2 >= 0", "3, 1",
     "optimal|acceptable", 0.5, 1, 1e-5},
    {"vanishing_constraint", 2, "4*x1 + 2*x2", "(5*sqrt(2) - x1 - x2)*x1 <= 0; (5 - x1 - x2)*x2 <= 0",
     "x1 >= 0; x2 >= 0", "6, 4", "optimal|acceptable", 0, 10, 1e-4},
    {"tangent_equalities", 2, "x1 + x2", "x2 = x1^2; x2 = 2*x1 - 1", "", "3, 3", "optimal|acceptable", 2, 0, 1e-3},
    {"degenerate_vertex", 3, "-x3", "for i = 1:8: cos(i*pi/4)*x1 + sin(i*pi/4)*x2 + x3 <= 1", "", "0, 0, -3", "optimal",
     -1, 0, 0},
    {"second_order_degenerate", 2, "x1^4 + x2^4", "x1 + x2 >= 0", "", "1, 2", "optimal|acceptable", 0, 0, 0},
    {"saddle_on_row", 2, "x1^2 - x2^2", "x1*x2 = 0", "-2 <= x1 <= 2; -2 <= x2 <= 2", "1, 0.1", "optimal|acceptable", -4,
     1e-30, 1e-5},
    /* no rows, equalities only */
    {"beale", 2, "(1.5 - x1*(1 - x2))^2 + (2.25 - x1*(1 - x2^2))^2 + (2.625 - x1*(1 - x2^3))^2", "", "", "1, 1",
     "optimal", 0, 0, 0},
    {"powell_singular", 4, "(x1 + 10*x2)^2 + 5*(x3 - x4)^2 + (x2 - 2*x3)^4 + 10*(x1 - x4)^4", "", "", "3, -1, 0, 1",
     "optimal", 0, 0, 0},
    {"wood", 4, "100*(x2 - x1^2)^2 + (1 - x1)^2 + 90*(x4 - x3^2)^2 + (1 - x3)^2 + 10*(x2 + x4 - 2)^2 + 0.1*(x2 - x4)^2",
     "", "", "-3, -1, -3, -1", "optimal", 0, 0, 0},
    {"helical_like", 3, "100*((x3 - 5*x1*x2)^2 + (sqrt(x1^2 + x2^2) - 1)^2) + x3^2", "", "", "-1, 0.5, 0.3", "optimal",
     0, 0, 0},
    {"booth_on_line", 2, "(x1 + 2*x2 - 7)^2 + (2*x1 + x2 - 5)^2", "x1 = x2", "", "-8, 5", "optimal", 2, 0, 0},
    {"closest_point_of_ellipsoid", 3, "(x1 - 4)^2 + x2^2 + x3^2", "x1^2/4 + x2^2 + x3^2/9 = 1", "", "1, 0.1, 0.1",
     "optimal", 4, 0, 0},
    {"eigenvalue", 3, "2*x1^2 + 2*x2^2 + 2*x3^2 - 2*x1*x2 - 2*x2*x3", "x1^2 + x2^2 + x3^2 = 1", "", "1, 0.2, 0.1",
     "optimal", 0.58578643762690495, 0, 0},
    {"root_decides", 2, "exp(x1) + exp(-x1) + x2^2", "x1 + x2 = 2; x1^3 - x1 = 6", "", "1, 1", "optimal",
     7.5243913821672631, 0, 0},
};

#endif
