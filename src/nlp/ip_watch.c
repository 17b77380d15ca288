/* ip_watch.c - the point that the line search may come back to (dd_ip_search, "watchdog"). */
#include <string.h>

#include "nlp/ip_impl.h"

/* The arrays that make up an iterate and its step, with their lengths. */
typedef struct part {
    double *present;
    size_t length;
} part;

enum { PARTS = 8 };

static void list_parts(const dd_ip *ip, part *parts)
{
    size_t nw = ip->nw, m = ip->m;
    const part all[PARTS] = {{ip->now.w, nw}, {ip->zl, nw}, {ip->zu, nw},  {ip->y, m},
                             {ip->dw, nw},    {ip->dy, m},  {ip->dzl, nw}, {ip->dzu, nw}};
    memcpy(parts, all, sizeof all);
}

size_t dd_ip_watch_length(size_t nw, size_t m)
{
    return 6 * nw + 2 * m;
}

void dd_ip_watch_begin(dd_ip *ip)
{
    part parts[PARTS];
    double *to = ip->watch_memory;
    list_parts(ip, parts);
    for (size_t k = 0; k < PARTS; to += parts[k].length, k++) {
        memcpy(to, parts[k].present, parts[k].length * sizeof *to);
    }
    ip->watch_alpha_dual = ip->alpha_dual;
}

bool dd_ip_watch_return(dd_ip *ip)
{
    part parts[PARTS];
    const double *from = ip->watch_memory;
    list_parts(ip, parts);
    for (size_t k = 0; k < PARTS; from += parts[k].length, k++) {
        memcpy(parts[k].present, from, parts[k].length * sizeof *from);
    }
    ip->alpha_dual = ip->watch_alpha_dual;
    /* the functions were finite here before */
    return dd_ip_evaluate(ip, &ip->now) && dd_ip_derivatives(ip);
}
