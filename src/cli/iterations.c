/* iterations.c - a line per iteration; a headline for each solve, the header again after some lines. */
#include "cli/iterations.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { HEADER_EVERY = 20 };

cli_iterations cli_iterations_new(bool always, bool never)
{
    return (cli_iterations){.shown = !never && (always || isatty(STDERR_FILENO) == 1)};
}

bool cli_iterations_show(void *user, const dd_ocp_iteration *it)
{
    cli_iterations *t = user;
    if (!t->shown) {
        return true;
    }
    /* a headline when another solve begins */
    if (it->solve != t->solve) {
        fprintf(stderr, "%s%s\n", t->solve > 0 ? "\n" : "", it->title);
    }
    /* the header again after a screenful */
    if (it->solve != t->solve || t->lines >= HEADER_EVERY) {
        fputs("  iter       objective  violation      dual   barrier      step  part  regular.\n", stderr);
        t->lines = 0;
    }
    t->solve = it->solve;
    t->lines++;
    /* r marks the restoration phase */
    fprintf(stderr, "%6u%c %+14.7e  %9.2e %9.2e %9.2e %9.2e %5.3f ", it->number, it->restoration ? 'r' : ' ',
            it->objective, it->violation, it->dual_infeasibility, it->barrier, it->step, it->alpha);
    if (it->regularization > 0) {
        fprintf(stderr, "%9.1e\n", it->regularization);
    } else {
        fputs("        -\n", stderr);
    }
    return true;
}
