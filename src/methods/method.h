/* method.h - what is inside a dd_method: a tableau with its stability function, or a multistep formula. */
#ifndef DD_METHODS_METHOD_H
#define DD_METHODS_METHOD_H

#include "base/json.h"
#include "base/pool.h"
#include "daedal/methods.h"
#include "methods/multistep.h"
#include "methods/order.h"
#include "methods/stability.h"
#include "report/region.h"

struct dd_method {
    dd_context *ctx;
    dd_pool *pool;
    dd_tableau *tableau;     /* NULL for a multistep formula */
    dd_stability *stability; /* in the pool; NULL for a multistep formula */
    dd_bdf bdf;              /* steps 0 for a tableau */
    char name[DD_TABLEAU_NAME];
    bool row_sums_ok;
};

struct dd_method_list {
    dd_context *ctx;
    dd_pool *pool;
    dd_method **methods;
    uint32_t count;
};

/* Where the solution of x' = lambda x does not grow; title and subtitle are left out. */
dd_region dd_method_region(const dd_method *m);

/* What the two writers share. They raise. */
void dd_method_write_json(dd_json *j, const dd_method *m, bool with_tableau, double tol);
void dd_method_write_text(dd_text *out, const dd_method *m, double tol, uint32_t digits);
void dd_method_list_write_text(dd_text *out, const dd_method_list *list, double tol);

#endif
