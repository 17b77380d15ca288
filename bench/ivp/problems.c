/* problems.c - the list of problems and what is the same for all of them. */
#include "problem.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define IVP_LIST(X)                                                                                                    \
    X(vdpol) X(rober) X(orego) X(hires) X(pollu) X(ringmod) X(beam) X(medakzo) /* ODEs */                              \
    X(roberdae) X(chemakzo) X(transamp)                                        /* index 1 */                           \
    X(ap2) X(pend2ggl) X(fekete) X(crank)                                      /* index 2 */                           \
    X(jay3) X(pend3) X(caraxis)                                                /* index 3 */
/* clang-format on */

#define IVP_DECLARE(name) extern const ivp_problem ivp_##name;
#define IVP_ADDRESS(name) &ivp_##name,
IVP_LIST(IVP_DECLARE)
const ivp_problem *const ivp_problems[] = {IVP_LIST(IVP_ADDRESS) NULL};

const ivp_problem *ivp_find(const char *name)
{
    for (int i = 0; ivp_problems[i]; i++) {
        if (strcmp(ivp_problems[i]->name, name) == 0) {
            return ivp_problems[i];
        }
    }
    return NULL;
}

void ivp_residual(const ivp_problem *p, double t, int phase, const double *y, const double *yp, double *r)
{
    p->rhs(t, phase, y, r);
    for (int i = 0; i < p->n; i++) {
        r[i] = (!p->mass && i < p->differential ? yp[i] : 0) - r[i];
    }
    for (int k = 0; k < p->n_mass; k++) {
        r[p->mass[k].row] += p->mass[k].value * yp[p->mass[k].column];
    }
}

void ivp_add_mass(const ivp_problem *p, double factor, ivp_matrix *j)
{
    const double kept = j->factor;
    j->factor = factor;
    for (int i = 0; !p->mass && i < p->differential; i++) {
        ivp_add(j, i, i, 1);
    }
    for (int k = 0; k < p->n_mass; k++) {
        ivp_add(j, p->mass[k].row, p->mass[k].column, p->mass[k].value);
    }
    j->factor = kept;
}
