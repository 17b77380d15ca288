/* kept.c - copies of the point and its multipliers. */
#include "ocp/kept.h"

#include <string.h>

dd_kept dd_ocp_keep(dd_ocp *p, dd_pool *pool)
{
    size_t n = p->transcription->nlp->n, m = p->transcription->nlp->m;
    dd_kept k = {p->result, p->info, dd_pool_alloc_array(pool, 3 * n + m + 1, sizeof *k.values)};
    memcpy(k.values, p->result.x, n * sizeof *k.values);
    memcpy(k.values + n, p->result.lambda, m * sizeof *k.values);
    memcpy(k.values + n + m, p->result.z_lower, n * sizeof *k.values);
    memcpy(k.values + 2 * n + m, p->result.z_upper, n * sizeof *k.values);
    return k;
}

void dd_ocp_put_back(dd_ocp *p, const dd_kept *kept)
{
    size_t n = p->transcription->nlp->n, m = p->transcription->nlp->m;
    /* effort was spent, whatever comes of it */
    dd_ocp_info now = p->info;
    p->result = kept->result;
    p->info = kept->info;
    p->info.iterations = now.iterations;
    p->info.seconds_evaluate = now.seconds_evaluate;
    p->info.seconds_linear_algebra = now.seconds_linear_algebra;
    p->info.seconds_factor = now.seconds_factor;
    p->error_known = false;
    memcpy(p->result.x, kept->values, n * sizeof *kept->values);
    memcpy(p->result.lambda, kept->values + n, m * sizeof *kept->values);
    memcpy(p->result.z_lower, kept->values + n + m, n * sizeof *kept->values);
    memcpy(p->result.z_upper, kept->values + 2 * n + m, n * sizeof *kept->values);
}
