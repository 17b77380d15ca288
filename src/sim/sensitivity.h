/* sensitivity.h - derivatives of a simulation by parameters, start values and inputs: from the names of the options
 * to the columns of the result. The numbers come from sens/sens.h and start_derivative.c; here they go through the
 * events. */
#ifndef DD_SIM_SENSITIVITY_H
#define DD_SIM_SENSITIVITY_H

#include "init/start.h"
#include "sens/sens.h"
#include "sim/sim_impl.h"

typedef struct dd_sim_sens {
    uint32_t count;
    const char **name;           /* of each parameter */
    dd_direction_vec directions; /* of each; empty for a start value */
    uint32_t *start_of;          /* the column whose start value it is, DD_NO_INDEX for a parameter or an input */
    dd_sens *engine;             /* of a run */
    dd_sens *inner;              /* of steps to rows (dense.c), where steps are given */
    bool lost;                   /* they could not be computed any further */
    bool solve;                  /* x' and z follow from x: the equations are of index 1 */
    bool rest;                   /* and do so in rows between given steps */
    double *s0, *sdot0;          /* n * count: at the start */
    double *s, *sdot;            /* n * count: at a point */
    double *values;              /* declared * count: of the declared columns at the point last looked at */
    double *columns;             /* the columns themselves, before they are those of the reduced system */
    dd_table rows;               /* beside those of the trajectory */

    /* an event during the run */
    double *moment;      /* count: dt/dp of its time */
    double *ends;        /* count: dt/dp of the end of the last step, where steps are given */
    double *slope;       /* n: x' before it */
    double *work;        /* 2n */
    double *work_moment; /* count */
} dd_sim_sens;

/* The simulation goes on with another system where derivatives by an input with a formula are asked for: one in which it has
 * an offset. */
void dd_sim_sens_system(dd_sim *sim);

/* From options.sensitivity; NULL without. Raises DD_INVALID_ARGUMENT for a name that cannot be differentiated by. */
dd_sim_sens *dd_sim_sens_new(dd_sim *sim);
void dd_sim_sens_free(dd_sim *sim);

/* After the equations were compiled. */
void dd_sim_sens_allocate(dd_sim *sim);
/* After the start was found. False where it has no derivative, and the status says why. */
bool dd_sim_sens_take_start(dd_sim *sim, const dd_start *start);

/* The calls below belong to a run; each returns true at once when there are no sensitivities. False: the verdict is in
 * *v. */
bool dd_sim_sens_start(dd_sim *sim, dd_step_verdict *v); /* after the integrator's start at t0 */
void dd_sim_sens_pause(dd_sim *sim); /* before the integrator goes and another takes its place where it stopped */
bool dd_sim_sens_go_on(dd_sim *sim,
                       dd_step_verdict *v); /* the same with another integrator where the last one stopped */
bool dd_sim_sens_step(dd_sim *sim, double bound, dd_step_verdict *v); /* after a step that was not to go beyond bound */
bool dd_sim_sens_arrive(dd_sim *sim, double t, uint32_t which,
                        dd_step_verdict *v);             /* at an event, before it is passed */
bool dd_sim_sens_leave(dd_sim *sim, dd_step_verdict *v); /* after the integrator's start behind it */
/* values at a point of the last step; rows: kept too */
bool dd_sim_sens_look(dd_sim *sim, double t, const double *w, const double *wdot, bool keep, dd_step_verdict *v);
/* The run ends at t, within the last step, at the point in sim->w; the integrator is still at its end. */
void dd_sim_sens_go_back(dd_sim *sim, double t);
/* values at the end of the run, where w and wdot have been solved for again */
void dd_sim_sens_finish(dd_sim *sim, double t, const double *w, const double *wdot);

#endif
