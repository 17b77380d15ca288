/* known.h - what is known of the values of symbols before a solve: bounds of decisions, the start, numbers, times. For
 * interval arithmetic (range.h). */
#ifndef DD_OCP_KNOWN_H
#define DD_OCP_KNOWN_H

#include "base/hash.h"
#include "ocp/problem.h"
#include "ocp/range.h"

typedef struct dd_known_symbol {
    const dd_decision *of; /* NULL: a time, or something else that is no decision */
    dd_range range;
} dd_known_symbol;

typedef struct dd_known {
    dd_ocp_problem *o;
    dd_pool *pool;
    dd_map place; /* symbol -> index + 1 */
    DD_VEC(dd_known_symbol) list;
    dd_range time;       /* of TIME: that of the horizon, until it is set */
    const double *start; /* not NULL: values of x where expressions are looked at */
} dd_known;

/* All symbols of the problem. It lives in the pool. Raises. */
dd_known dd_known_new(dd_ocp_problem *o, dd_pool *pool);
/* One more symbol. Raises. */
void dd_known_learn(dd_known *k, dd_expr symbol, const dd_decision *d, double low, double high);
/* The decision behind a symbol whose value is not given by the start; NULL: none. */
const dd_decision *dd_known_decision(const dd_known *k, dd_expr symbol);
/* Where the values of an expression can lie. Raises. */
dd_range dd_known_range(dd_known *k, dd_expr e);
/* The size of an expression when its decisions have theirs; 1 where it is moderate or unknown. Raises. */
double dd_known_size(dd_ocp_problem *o, dd_expr e, dd_pool *pool);

#endif
