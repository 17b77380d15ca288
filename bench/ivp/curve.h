/* curve.h - work-precision curves: what a solver costs for a number of correct digits. */
#ifndef IVP_CURVE_H
#define IVP_CURVE_H

enum { IVP_CURVE_MAX = 32 };

typedef struct ivp_point {
    double digits, ms;
} ivp_point;

/* Runs of one solver on one problem, in any order. */
typedef struct ivp_curve {
    int count;
    ivp_point points[IVP_CURVE_MAX];
} ivp_curve;

/* Adds a run; digits that are not a number are left out. */
void ivp_curve_add(ivp_curve *c, double digits, double ms);

/* CPU milliseconds for this many digits, from the lower envelope: of all runs those count that no other run beats in
 * both digits and time; between two neighbours log(time) is linear in the digits. Asking for fewer digits than the
 * envelope's first run has costs that run. NaN when no run has as many digits. */
double ivp_curve_cost(const ivp_curve *c, double digits);

/* The time of the run with the most digits: what more digits than that cost at least. NaN without runs. */
double ivp_curve_least(const ivp_curve *c);

/* -log10(max_i |y_i - ref_i|/(|ref_i| + factor)) over the n values that count, factor being atol/rtol; at most 17, and
 * NaN when a value is not finite. */
double ivp_digits(const double *y, const double *reference, const unsigned char *counts, int n, double factor);

#endif
