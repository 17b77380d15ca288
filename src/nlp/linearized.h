/* linearized.h - the quadratic model of a program at a point, as a program again.
 *
 *     min g^T d + d^T H d / 2   s.t.   c_lower <= c + J d <= c_upper,  x_lower <= x + d <= x_upper
 *
 * Its variables are x + d, so bounds and patterns (and the shape) are those of the program, and so is the factorisation
 * that a solver makes for it. One solve is one step of sequential quadratic programming: of Newton's method with the
 * Hessian of the Lagrangian, of Gauss and Newton's with that of the objective alone. Real-time iterations prepare it
 * before a measurement and solve it after. */
#ifndef DD_NLP_LINEARIZED_H
#define DD_NLP_LINEARIZED_H

#include "nlp/nlp.h"

typedef struct dd_linearized dd_linearized;

/* The program must live as long and have second derivatives. Fails with DD_OUT_OF_MEMORY. */
dd_status dd_linearized_new(dd_linearized **out, dd_context *ctx, const dd_nlp *nlp);
void dd_linearized_free(dd_linearized *l); /* NULL is fine */

/* Takes the model at x (n) with multipliers lambda (m; NULL: curvature of the objective alone). False: a function is
 * not finite there. Nothing is allocated. */
bool dd_linearized_at(dd_linearized *l, const double *x, const double *lambda);

/* The model as a program; valid until dd_linearized_free. */
const dd_nlp *dd_linearized_nlp(const dd_linearized *l);

/* What the model is made of: x, the gradient of f there, c, and the entries of both matrices. */
typedef struct dd_linearized_values {
    const double *x, *gradient, *c, *jacobian, *hessian;
} dd_linearized_values;
dd_linearized_values dd_linearized_get_values(const dd_linearized *l);
double dd_linearized_objective(const dd_linearized *l); /* f at x */

#endif
