/* Linear systems of an interior-point iteration with the structure of optimal control: microseconds of CPU for a
 * factorisation and for a solve, per shape. bench_kkt [INTERVALS] [SHAPE]. */
#include <stdio.h>
#include <time.h>

#include "../../tests/unit/nlp/chain_problem.h"

typedef struct shape {
    const char *name;
    chain_options o;
} shape;

#define COMMON .degree = 3, .selection = true, .density = 0.6, .spread = 8, .fix_start = true

static const shape shapes[] = {
    {"a", {COMMON, .nx = 3, .nu = 1}},
    {"b", {COMMON, .nx = 5, .nu = 1, .parameters = 1}},
    {"c", {COMMON, .nx = 6, .nz = 1, .nu = 1}},
    {"chain", {COMMON, .nx = 21, .nu = 3}},
    {"arm", {COMMON, .nx = 12, .nz = 6, .nu = 6}},
    {"shooting", {.nx = 6, .nu = 2, .spread = 8, .fix_start = true}},
    {"path", {COMMON, .nx = 4, .nu = 2, .path = 2, .terminal = 2}},
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The least of several repetitions: the machine is shared. */
static void measure(const shape *s, uint32_t intervals)
{
    chain_problem g;
    chain_options o = s->o;
    o.intervals = intervals;
    chain_problem_make(&g, &o, 1);
    g.pattern.shape = &g.shape;
    dd_context *ctx;
    dd_kkt_system *k;
    dd_kkt_inertia inertia = {0};
    if (dd_context_new(&ctx, NULL) != DD_OK || dd_kkt_chain.make(&k, ctx, &g.pattern) != DD_OK) {
        printf("%s: out of memory\n", s->name);
        return;
    }
    double factor = 1e9, solve = 1e9, *r = calloc((size_t)g.n + g.m, sizeof *r);
    const double begin = seconds();
    for (int i = 0; i < 2000 && seconds() - begin < 0.6; i++) {
        const double a = seconds();
        if (k->kind->factor(k, &g.values, &inertia) != DD_OK) {
            break;
        }
        const double b = seconds();
        for (uint32_t j = 0; j < g.n + g.m; j++) {
            r[j] = 1;
        }
        const double c = seconds();
        k->kind->solve(k, r, r + g.n);
        const double d = seconds();
        factor = b - a < factor ? b - a : factor;
        solve = d - c < solve ? d - c : solve;
    }
    const dd_chain_info info = dd_chain_get_info(k);
    printf("%-10s n %6u m %6u  factor %9.1f us  solve %8.1f us  whole %u delayed %u  inertia %s\n", s->name, g.n, g.m,
           1e6 * factor, 1e6 * solve, info.whole, info.delayed,
           inertia.negative == g.m && !inertia.zero ? "right" : "other");
    free(r);
    k->kind->free(k);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

int main(int count, char **arguments)
{
    const uint32_t intervals = count > 1 ? (uint32_t)atoi(arguments[1]) : 100;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (count < 3 || strcmp(arguments[2], shapes[i].name) == 0) {
            measure(&shapes[i], intervals);
        }
    }
    return 0;
}
