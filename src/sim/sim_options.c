/* sim_options.c - are the options of a simulation possible? Messages say what to change. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "methods/tableau.h"
#include "sim/sim_impl.h"

enum { MOST_NAMES = 256 };

static dd_status unknown_method(dd_context *ctx, const char *name)
{
    /* integrators by entries and tableaux, for the closest name */
    const char *names[MOST_NAMES] = {"auto"};
    size_t count = 1;
    for (uint32_t i = 0; count < MOST_NAMES && dd_sim_method_listed(i); i++) {
        names[count++] = dd_sim_method_listed(i);
    }
    for (uint32_t i = 0; count < MOST_NAMES && dd_tableau_listed(i); i++) {
        names[count++] = dd_tableau_listed(i);
    }
    const char *same = dd_tableau_other_name(name), *meant = same ? same : dd_closest_name(name, names, count);
    return meant ? dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no method \"%s\"; did you mean \"%s\"?", name, meant)
                 : dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no method \"%s\"; see: daedal methods", name);
}

/* Is it a name that method.c makes an integrator of? */
static dd_status check_method(dd_context *ctx, const char *name)
{
    uint32_t argument;
    const dd_sim_method *e = name ? dd_sim_method_named(name, &argument) : NULL;
    /* a name with an entry needs no tableau, except families that are both */
    if (!name || strcmp(name, "auto") == 0 || (e && !e->also_tableau)) {
        return DD_OK;
    }
    dd_tableau *tableau = NULL;
    const dd_status st = dd_tableau_new(&tableau, ctx, name);
    dd_tableau_free(tableau);
    return st == DD_INVALID_ARGUMENT ? unknown_method(ctx, name) : st;
}

dd_status dd_sim_check_options(const dd_sim *sim)
{
    dd_context *ctx = sim->ctx;
    const dd_sim_options *o = &sim->options;
    char why[DD_OPTION_WHY];
    /* the ranges of the list; the first step has no name there */
    if (!dd_sim_options_possible(o, why)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "option %s", why);
    }
    if (!(o->first_step >= 0) || !isfinite(o->first_step)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the first step must be a positive number, not %g", o->first_step);
    }
    /* then options that exclude each other */
    if (!isfinite(sim->t0) || !isfinite(sim->t_stop)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the start time and the stop time must be finite numbers");
    }
    if (sim->t_stop <= sim->t0) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the stop time %.10g is not after the start time %.10g", sim->t_stop,
                       sim->t0);
    }
    if (o->points > 0 && o->interval > 0) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "rows are at equal points or at an interval, not both");
    }
    if (o->tableau_file && o->method) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a method is given by its name or by a tableau file, not both");
    }
    return check_method(ctx, o->method);
}
