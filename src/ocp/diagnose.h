/* diagnose.h - why an optimization was not solved: what is violated and where, which constraints would have to
 * give way, what runs away, which rows depend on each other. */
#ifndef DD_OCP_DIAGNOSE_H
#define DD_OCP_DIAGNOSE_H

#include "base/json.h"
#include "ocp/ocp_impl.h"

/* Rows of one name that are violated. */
typedef struct dd_violation {
    const char *name;
    double time, from, to; /* where it is largest, and the window */
    double violation;      /* relative to max(1, nominal) */
    double by;             /* in units of the row */
    uint32_t rows;
} dd_violation;

/* A constraint that would have to give way. */
typedef struct dd_relaxation {
    const char *name;
    double by;
    double cost; /* relative to its nominal size */
} dd_relaxation;

/* Rows whose gradients depend on each other. */
typedef struct dd_dependence {
    const char *names; /* "x(finalTime) = 1, v(finalTime) = 0" */
    double from, to;
} dd_dependence;

typedef struct dd_diagnosis {
    DD_VEC(dd_violation) worst;    /* largest first */
    DD_VEC(dd_relaxation) relax;   /* a smallest set: all of these together */
    DD_VEC(dd_relaxation) instead; /* any one of these would do as well */
    DD_VEC(const char *) conflict; /* others that take part */
    DD_VEC(dd_dependence) dependent;
    DD_VEC(const char *) runaway; /* what grows without bound */
} dd_diagnosis;

/* A solve for the sake of an explanation ends at this time (wall clock) or when the context asks to stop. */
typedef struct dd_limited {
    dd_context *ctx;
    double deadline;
} dd_limited;
bool dd_limited_progress(void *limited, const dd_nlp_iteration *it);
bool dd_limited_stop(void *limited); /* by the context */

/* After the solves: the final status and reason, and p->diagnosis where there is no solution. Raises. */
void dd_ocp_conclude(dd_ocp *p);
/* The same after refinement, which may have changed optimal into acceptable or back. Raises. */
void dd_ocp_settle(dd_ocp *p);
/* The rows and bounds that the present point violates most. Raises. */
void dd_ocp_find_worst(dd_ocp *p, dd_diagnosis *out);
/* The largest violation of any row or bound, relative to max(1, nominal). Raises. */
double dd_ocp_violation(dd_ocp *p);
/* Which function is not finite at y, or has such a derivative; NULL: none. where: " of the guess". Raises. */
const char *dd_ocp_nonfinite_words(dd_ocp *p, const double *y, const char *where);

void dd_diagnosis_json(const dd_diagnosis *d, dd_json *out);
void dd_diagnosis_text(const dd_diagnosis *d, dd_text *out);

#endif
