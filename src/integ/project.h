/* project.h - the nearest point on the invariants c(w, t) = 0, in the norm |D^-1 dw| over the differential unknowns. */
#ifndef DD_INTEG_PROJECT_H
#define DD_INTEG_PROJECT_H

#include "integ/problem.h"

typedef struct dd_projector dd_projector;

enum { DD_PROJECT_DENSE = 48 }; /* rows up to which first integrals are kept too */

/* NULL in *out when the problem has no invariants. */
dd_status dd_projector_new(dd_projector **out, dd_context *ctx, const dd_problem *problem);
/* The same, and the first integrals of the problem once they are known; NULL when it has neither. */
dd_status dd_projector_new_keeping(dd_projector **out, dd_context *ctx, const dd_problem *problem);
void dd_projector_free(dd_projector *p); /* NULL is fine */

typedef struct dd_projection {
    bool converged;
    double moved;     /* |D^-1 dw|, root mean square over the moved unknowns */
    double violation; /* largest |c_k| of an invariant left */
    uint32_t worst;   /* the invariant that has it */
    double shift;     /* |G^+ c| of what is left, in the same norm as moved */
} dd_projection;

/* Moves w (n) by dw (n, result) so that c = 0; d: n weights. At most `most` simplified Newton steps. */
dd_projection dd_project(dd_projector *p, double t, double *w, const double *d, uint32_t most, double *dw);
/* How far the invariants move when t is rounded, in the same norm: what steps differ by without any error. */
double dd_project_noise(dd_projector *p, double t, const double *w, const double *d);

#endif
