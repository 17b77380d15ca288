/* crossing.h - where switching functions change sign within the last step of an integrator. */
#ifndef DD_SIM_CROSSING_H
#define DD_SIM_CROSSING_H

#include "dynamics/numbers.h"
#include "integ/integrator.h"
#include "integ/slopes.h"

enum { DD_CROSSING_PROBES = 5 }; /* points within a step at which they are looked at, beside its ends */

/* How far it is from changing: positive while `mode` holds. For a sign that sticks g is how strongly it is held. */
double dd_switch_distance(const dd_switch *s, double mode, double g);

/* Does it change by g? Slopes and margins are set. */
bool dd_switch_changes(const dd_switch *s);

/* Values of switching functions at a time. */
typedef void (*dd_crossing_values)(void *user, double t, const double *w, const double *wdot, double *g);

/* A list of switches with the values they have now, and room to look at them. */
typedef struct dd_crossings {
    const dd_integrator *integrator;
    void (*state)(void *user, double t);   /* the solution at t into w and wdot: dearer and more accurate than the */
    void *user;                            /* polynomial of the step */
    void (*state_x)(void *user, double t); /* the same for x alone, as far as it is cheaper */
    bool rough;                            /* that is no guide even for signs */
    bool given;                            /* so are the steps: they have no tolerance */
    const dd_switch *list;
    uint32_t count;
    const double *mode;
    const bool *ignored; /* count: not looked for; NULL: none */
    bool seen;           /* g_seen holds the values between the same two times already */
    dd_crossing_values evaluate;
    double *w, *wdot; /* n */
    double *g_seen;   /* (DD_CROSSING_PROBES + 2) * count */
    double *g_probe;  /* count */
    double *g_part;   /* (DD_CROSSING_PROBES + 2) * count: for parts of a step */
    bool grown;       /* the step is longer than the last one */
    double long_step; /* longer ones are looked at in parts whatever the probes show */
} dd_crossings;

/* The first change between from and until, both within the last step: *at is the first moment behind it, *which the
 * switch. Conditions on time alone are not looked at. */
bool dd_crossings_first(dd_crossings *c, double from, double until, double *at, uint32_t *which);

#endif
