/* elastic.h - a nonlinear program whose bounds may give way, as a program again.
 *
 *     min  sum_g weight_g s_g + proximity/2 |x - reference|^2
 *     s.t. c_lower - unit s <= c(x) <= c_upper + unit s,  x_lower - s <= x <= x_upper + s,  s >= 0
 *
 * Sides of rows and bounds belong to groups; each group has one s, so that the largest violation in the group
 * decides, and the sum over groups makes few of them give way. Sides without a group stay as they are. The exact
 * penalty has a feasible set that is never empty (as far as sides are relaxed), and its multipliers say which groups
 * are in conflict.
 */
#ifndef DD_NLP_ELASTIC_H
#define DD_NLP_ELASTIC_H

#include "nlp/nlp.h"

#define DD_ELASTIC_HARD UINT32_MAX

typedef struct dd_elastic_spec {
    uint32_t groups;
    const double *weight, *unit;                     /* groups */
    const uint32_t *row_lower, *row_upper;           /* m: a group, or DD_ELASTIC_HARD */
    const uint32_t *variable_lower, *variable_upper; /* n */
    const double *reference;                         /* n */
    double proximity;
    const double *most; /* groups: the largest s_g; NULL: any */
} dd_elastic_spec;

typedef struct dd_elastic dd_elastic;

/* The arrays of the specification are copied; the program must outlive it. */
dd_status dd_elastic_new(dd_elastic **out, dd_context *ctx, const dd_nlp *nlp, const dd_elastic_spec *spec);
void dd_elastic_free(dd_elastic *e); /* NULL is fine */

/* x, then s: n + groups variables. Its functions fail where those of the program do. */
const dd_nlp *dd_elastic_nlp(const dd_elastic *e);

/* For each group the sum of the multipliers of its sides times its unit: at a solution at most its weight, and positive
 * where the group is in conflict with others. lambda: of the rows of dd_elastic_nlp; out: groups. */
void dd_elastic_pressure(const dd_elastic *e, const double *lambda, double *out);

#endif
