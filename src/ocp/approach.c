/* approach.c - the nearest feasible point: an elastic program in which nothing gives way, with the distance as cost. */
#include "ocp/approach.h"

#include <string.h>

#include "nlp/elastic.h"

static const uint32_t *all_hard(dd_pool *pool, uint32_t n)
{
    uint32_t *group = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *group);
    for (uint32_t i = 0; i < n; i++) {
        group[i] = DD_ELASTIC_HARD;
    }
    return group;
}

static void free_elastic(void *elastic)
{
    dd_elastic_free(elastic);
}

static const dd_nlp *nearest_program(dd_ocp *p, const double *reference, dd_pool *scratch)
{
    const dd_nlp *nlp = p->transcription->nlp;
    static const double none = 0;
    /* min |y - reference|^2 subject to all rows and bounds */
    const uint32_t *rows = all_hard(scratch, nlp->m), *variables = all_hard(scratch, nlp->n);
    dd_elastic_spec spec = {.weight = &none, .unit = &none, .reference = reference, .proximity = 1};
    spec.row_lower = spec.row_upper = rows;
    spec.variable_lower = spec.variable_upper = variables;
    dd_elastic *elastic;
    dd_status status = dd_elastic_new(&elastic, p->ctx, nlp, &spec);
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_status_text(status));
    }
    dd_pool_keep(scratch, elastic, free_elastic);
    return dd_elastic_nlp(elastic);
}

bool dd_ocp_approach(dd_ocp *p, const dd_nlp_options *options)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    uint32_t n = p->transcription->nlp->n, m = p->transcription->nlp->m;
    /* a copy of the guess: result.x is overwritten below */
    double *reference = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *reference);
    memcpy(reference, p->result.x, n * sizeof *reference);
    const dd_nlp *nearest = nearest_program(p, reference, scratch);
    dd_nlp_result r = {.x = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *r.x)};
    r.lambda = dd_pool_alloc_array(scratch, (size_t)nearest->m + m + 1, sizeof *r.lambda);
    r.z_lower = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *r.z_lower);
    r.z_upper = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *r.z_upper);
    memcpy(r.x, reference, n * sizeof *r.x);
    dd_spent begin = dd_ocp_now();
    dd_status status = dd_nlp_solve(p->ctx, nearest, options, &r);
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
    /* its iterations are part of the effort; its point is used only when the solve succeeded */
    p->info.iterations += r.iterations;
    dd_ocp_add_solve(p->verifying ? &p->trial : &p->solving, begin, &r);
    bool found = r.status == DD_NLP_OPTIMAL || r.status == DD_NLP_ACCEPTABLE;
    if (found) {
        memcpy(p->result.x, r.x, n * sizeof *r.x);
    }
    dd_pool_free(scratch);
    return found;
}
