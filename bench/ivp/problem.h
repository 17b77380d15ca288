/* problem.h - the initial-value test problems as a library user would write them for a solver: M y' = f(t, y) in C, with
 * exact Jacobians.
 *
 *   M is diag(1, .., 1, 0, .., 0), the first `differential` rows being ones, unless entries are listed.
 *   f may have one jump or kink at a known time `split`; the phase (0 before, 1 after) says which side is meant, so that
 *   a solver that is restarted there never sees it.
 */
#ifndef IVP_PROBLEM_H
#define IVP_PROBLEM_H

#include <stdbool.h>

/* Where a Jacobian is written to: columns of a dense or banded matrix, zero before. */
typedef struct ivp_matrix {
    double **columns;
    int diagonal;  /* banded: element i, j is columns[j][i - j + diagonal]; dense: -1 and columns[j][i] */
    double factor; /* every entry is multiplied by it */
} ivp_matrix;

static inline void ivp_add(ivp_matrix *m, int i, int j, double value)
{
    m->columns[j][m->diagonal < 0 ? i : i - j + m->diagonal] += m->factor * value;
}

typedef struct ivp_entry {
    int row, column;
    double value;
} ivp_entry;

typedef struct ivp_problem {
    const char *name;
    int n;
    int index;        /* 0: ODE */
    int differential; /* n: an ODE, y' = f */
    int band;         /* df/dy has this many diagonals on each side; 0: dense */
    int n_mass;
    const ivp_entry *mass; /* NULL: by `differential` */
    double stop, split;    /* from t = 0; split: 0 without */
    /* consistent y and y' at t = 0; y' of algebraic variables may be 0 where it has no simple form */
    void (*start)(double *y, double *yp);
    void (*rhs)(double t, int phase, const double *y, double *f);
    void (*jacobian)(double t, int phase, const double *y, ivp_matrix *j); /* df/dy */
} ivp_problem;

static inline bool ivp_is_ode(const ivp_problem *p)
{
    return p->differential == p->n && !p->mass;
}

/* r = M yp - f(t, y) */
void ivp_residual(const ivp_problem *p, double t, int phase, const double *y, const double *yp, double *r);
/* j += factor M */
void ivp_add_mass(const ivp_problem *p, double factor, ivp_matrix *j);

/* All problems, ended by NULL, and one by its name (NULL when there is none). */
extern const ivp_problem *const ivp_problems[];
const ivp_problem *ivp_find(const char *name);

#endif
