/* measure.h - CPU time of one solver on one problem over a list of tolerances. */
#ifndef IVP_MEASURE_H
#define IVP_MEASURE_H

#include "curve.h"
#include "data.h"
#include "solver.h"

typedef struct ivp_run {
    int flag;      /* 0: reached the end; else the solver's code; IVP_LEFT_OUT: the budget was used up */
    double digits; /* NaN for an end value that is not finite */
    double ms;     /* CPU time of one run: the median of several */
    ivp_stats stats;
} ivp_run;

enum { IVP_LEFT_OUT = 1000, IVP_MAX_TOLERANCES = IVP_CURVE_MAX };

typedef struct ivp_measurement {
    const ivp_solver *solver;
    void *handle;    /* open while measuring */
    double setup_ms; /* CPU time of open(), the median of several: not part of the runs */
    double spent;    /* CPU seconds so far */
    int count;
    ivp_run runs[IVP_MAX_TOLERANCES];
} ivp_measurement;

/* Opens the solver for a problem; false when it cannot solve it (wrong kind, or open() failed). */
bool ivp_measure_open(ivp_measurement *m, const ivp_solver *solver, const ivp_problem *p, const char *folder);
/* One tolerance more. `budget`: CPU seconds for all tolerances together; later runs are left out. */
void ivp_measure_run(ivp_measurement *m, const ivp_reference *reference, double rtol, double budget);
void ivp_measure_close(ivp_measurement *m);

/* Its runs that reached the end with finite values. */
ivp_curve ivp_measure_curve(const ivp_measurement *m);

#endif
