/* kept.c - copies of the point and its multipliers; what another solution must beat. */
#include "ocp/kept.h"

#include <math.h>
#include <string.h>

#define GAIN 1e-7            /* relative: less is no gain */
#define SMALL_OBJECTIVE 1e-3 /* smaller ones are compared with this */

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
    const uint32_t iterations = p->info.iterations;
    p->result = kept->result;
    p->info = kept->info;
    p->info.iterations = iterations;
    p->error_known = false;
    memcpy(p->result.x, kept->values, n * sizeof *kept->values);
    memcpy(p->result.lambda, kept->values + n, m * sizeof *kept->values);
    memcpy(p->result.z_lower, kept->values + n + m, n * sizeof *kept->values);
    memcpy(p->result.z_upper, kept->values + 2 * n + m, n * sizeof *kept->values);
}

void dd_ocp_keep_stop(dd_ocp *p, dd_ocp_status status)
{
    if (status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT) {
        p->info.status = status;
        p->info.reason = "stopped during the search for cheaper solutions near this one";
    }
}

void dd_ocp_put_back_after(dd_ocp *p, const dd_kept *kept)
{
    dd_ocp_status status = p->info.status;
    dd_ocp_put_back(p, kept);
    dd_ocp_keep_stop(p, status);
}

double dd_ocp_to_beat(const dd_ocp *p)
{
    /* a smaller barrier alone lowers the objective by the gap; that is not another solution */
    return p->info.objective - dd_ocp_gap(p) -
           GAIN * fmax(fabs(p->info.objective), SMALL_OBJECTIVE * dd_ocp_cost_unit(p));
}
