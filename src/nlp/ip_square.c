/* ip_square.c - programs with as many equalities as variables, where the rows alone determine the point, and programs without
 * cost. */
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"

enum { MOST_SOLUTIONS = 30 }; /* without cost: points where the rows hold, while multipliers do not settle */

bool dd_ip_is_square(const dd_ip_base *b)
{
    uint32_t variables = 0, equalities = 0;
    for (uint32_t i = 0; i < b->nlp->n; i++) {
        variables += b->fixed[i] ? 0 : 1;
    }
    for (uint32_t i = 0; i < b->nlp->m; i++) {
        equalities += b->equality[i] ? 1 : 0;
    }
    return variables > 0 && variables == equalities;
}

bool dd_ip_square_ends(dd_ip *ip, dd_ip_errors *e)
{
    const double tolerance = ip->base->options->tolerance;
    if (ip->outer != NULL || !ip->base->square || e->primal > tolerance || dd_ip_residual(ip) > tolerance) {
        return false;
    }
    /* A^T y = -grad f has a solution where A is square and regular: bounds and inequalities need no multipliers,
     * however large the barrier still is */
    memcpy(ip->dzl, ip->zl, ip->nw * sizeof *ip->zl);
    memcpy(ip->dzu, ip->zu, ip->nw * sizeof *ip->zu);
    memcpy(ip->sy, ip->y, ip->m * sizeof *ip->y);
    memset(ip->zl, 0, ip->nw * sizeof *ip->zl);
    memset(ip->zu, 0, ip->nw * sizeof *ip->zu);
    dd_ip_least_squares_multipliers(ip, INFINITY);
    const dd_ip_errors other = dd_ip_measure(ip, 0);
    if (other.total <= tolerance) {
        *e = other;
        return true;
    }
    /* rows that depend on each other: on as before */
    memcpy(ip->zl, ip->dzl, ip->nw * sizeof *ip->zl);
    memcpy(ip->zu, ip->dzu, ip->nw * sizeof *ip->zu);
    memcpy(ip->y, ip->sy, ip->m * sizeof *ip->y);
    dd_ip_lagrangian(ip);
    return false;
}

bool dd_ip_ends_without_cost(dd_ip *ip)
{
    const double tolerance = ip->base->options->tolerance;
    if (!ip->costless || ip->outer != NULL || dd_ip_largest(ip->gradient, ip->n) > 0 ||
        dd_ip_residual(ip) > tolerance || dd_ip_true_violation(ip, &ip->now) > tolerance ||
        ++ip->solutions < MOST_SOLUTIONS) {
        return false;
    }
    /* the point is optimal with multipliers of zero */
    memset(ip->zl, 0, ip->nw * sizeof *ip->zl);
    memset(ip->zu, 0, ip->nw * sizeof *ip->zu);
    memset(ip->y, 0, ip->m * sizeof *ip->y);
    dd_ip_lagrangian(ip);
    return true;
}
