/* summary.h - CPU time at equal achieved digits: this run's solvers side by side, and against recorded codes. */
#ifndef IVP_SUMMARY_H
#define IVP_SUMMARY_H

#include <stdio.h>

#include "curve.h"

enum { IVP_IDA, IVP_CVODE, IVP_DAEDAL, IVP_ROLES };
enum { IVP_LEVELS = 2 };
extern const double ivp_levels[IVP_LEVELS]; /* 6 and 8 digits */
extern const char *const ivp_role_names[IVP_ROLES];

typedef struct ivp_result {
    const char *problem;
    ivp_curve curves[IVP_ROLES]; /* empty: no such solver here, or it failed */
    double setup_ms[IVP_ROLES];  /* NaN without */
    ivp_curve recorded_ida, recorded_cvode, recorded_radau5, recorded_radau;
} ivp_result;

/* Prints a table per number of digits and the set-up times; returns how many of the project's claims on speed are
 * missed (0 when Daedal was not among the solvers). */
int ivp_print_summary(FILE *out, const ivp_result *results, int n);

#endif
