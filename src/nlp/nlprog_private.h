/* nlprog_private.h - what is behind a dd_nlprog: nlprog_new.c makes it, nlprog.c solves it. */
#ifndef DD_NLP_NLPROG_PRIVATE_H
#define DD_NLP_NLPROG_PRIVATE_H

#include "base/pool.h"
#include "nlp/nlp.h"

struct dd_nlprog {
    dd_context *ctx;
    dd_pool *pool; /* everything below, and this struct itself */
    dd_nlprog_functions functions;
    dd_nlp nlp; /* the same as a solver sees it; its arrays are copies */
    const char **x_names, **c_names;
    double *x_lower, *x_upper, *c_lower, *c_upper;
    double *x, *lambda, *z_lower, *z_upper;
    uint32_t *dependent; /* m */
    dd_nlprog_options options;
    dd_nlprog_info info;
    char reason[160];
    const char *refused_by; /* the function that had no value last; NULL: none */
    bool stopped;           /* a function asked to stop */
    dd_status limit;        /* the context did */
};

/* The functions of p->nlp. */
void dd_nlprog_connect(dd_nlprog *p);

#endif
