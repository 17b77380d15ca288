/* large.h - sparse problems of about a thousand variables: chains, tridiagonal ones, a grid. Optima in closed form, or of a
 * recursion (the hanging chain: vertical forces grow by one weight from link to link, the horizontal force is the same). */
#ifndef DD_TESTS_NLP_LARGE_H
#define DD_TESTS_NLP_LARGE_H

#include "unit/nlp/set/problem.h"

static const set_problem large_problems[] = {
    /* Luksan and Vlcek 5.1: x = 1 is a solution with the value 0, but not the one that is nearest to the start */
    {"chained_rosenbrock", 1000, "sum(i = 1:999, 100*(x[i]^2 - x[i+1])^2 + (x[i] - 1)^2)",
     "for k = 1:998: 3*x[k+1]^3 + 2*x[k+2] - 5 + sin(x[k+1] - x[k+2])*sin(x[k+1] + x[k+2]) + 4*x[k+1] - x[k]*exp(x[k] "
     "- "
     "x[k+1]) - 3 = 0",
     "", "-1.2, 1", "optimal", 6.23245863, 1e-30, 0},
    {"tridiagonal", 1000, "sum(i = 1:999, 0.5*(x[i+1] - x[i])^2) + 0.5*x1^2 + 0.5*x1000^2 - sum(i = 1:1000, x[i])", "",
     "", "0", "optimal", -41791750, 0, 0},
    /* a string from 0 to 0 over one peak of height 1 */
    {"string_over_peak", 1001, "sum(i = 1:1000, 0.5*(x[i+1] - x[i])^2)", "", "0 <= x1 <= 0; 0 <= x1001 <= 0; x501 >= 1",
     "0.5", "optimal", 0.002, 0, 1e-9},
    /* -laplace y = u on a square, y near sin(pi s) sin(pi t), an eigenvector of the discrete operator */
    {"elliptic_control", 884,
     "sum(i = 2:21, sum(j = 2:21, (x[(i-1)*22+j] - sin(pi*(i-1)/21)*sin(pi*(j-1)/21))^2/882 + "
     "0.001*x[484+(i-2)*20+j-1]^2/882))",
     "for i = 2:21: for j = 2:21: 441*(4*x[(i-1)*22+j] - x[(i-2)*22+j] - x[i*22+j] - x[(i-1)*22+j-1] - "
     "x[(i-1)*22+j+1]) - "
     "x[484+(i-2)*20+j-1] = 0",
     "for i = 1:22: 0 <= x[i] <= 0; for i = 1:22: 0 <= x[462+i] <= 0; for i = 1:22: 0 <= x[22*(i-1)+1] <= 0;"
     "for i = 1:22: 0 <= x[22*i] <= 0",
     "0", "optimal", 0.0349543943146825, 0, 1e-8},
    /* 200 links of length 0.01 between two points at distance 1: sum of the heights of the joints */
    {"hanging_chain", 398, "sum(i = 200:398, x[i])",
     "x1^2 + x200^2 = 1e-4; for i = 1:198: (x[i+1] - x[i])^2 + (x[i+200] - x[i+199])^2 = 1e-4;"
     "(1 - x199)^2 + x398^2 = 1e-4",
     "", "for i = 1:199: i/200, for i = 1:199: -4*0.5*i/200*(1 - i/200)", "optimal", -91.1200341463997, 0, 0},
    /* -y'' = exp(y) with y = 0 at both ends: as many rows as variables, the height in the middle as objective */
    {"bratu", 999, "x500",
     "2e6*x1 - 1e6*x2 = exp(x1); for i = 2:998: 2e6*x[i] - 1e6*x[i-1] - 1e6*x[i+1] = exp(x[i]); 2e6*x999 - 1e6*x998 = "
     "exp(x999)",
     "", "0", "optimal", 0.140539214, 0, 0},
    /* all equal, and one row too many says so again */
    {"closed_ring", 500, "sum(i = 1:500, (x[i] - i)^2)", "for i = 1:499: x[i+1] - x[i] = 0; x1 - x500 = 0", "", "0",
     "optimal", 10416625, 0, 0},
    {"sum_is_negative", 1000, "sum(i = 1:1000, x[i]^2)", "sum(i = 1:1000, x[i]) = -1", "for i = 1:1000: x[i] >= 0", "1",
     "infeasible", NAN, 0, 0},
    {"entropy_large", 1000, "sum(i = 1:1000, x[i]*log(x[i]))", "sum(i = 1:1000, x[i]) = 1", "for i = 1:1000: x[i] >= 0",
     "0.01, 0.0001", "optimal", -6.9077552789821368, 0, 0},
};

#endif
