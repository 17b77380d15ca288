/* runs.c - the simulations of a study. Each is made for itself: the steps of one must not depend on another. */
#include <math.h>

#include "base/context.h"
#include "study/study_impl.h"

/* Newton iterations of methods with given steps end at this tolerance: their error must not be mistaken for that of
 * the method. */
static const double NEWTON_TOLERANCE = 1e-13;

static void release(void *sim)
{
    dd_sim_free(sim);
}

double dd_study_fit_step(const dd_study *study, double h)
{
    const double length = study->stop - study->start, slack = 1e-9; /* 1/0.1 may be 10 and a little */
    return length / fmax(ceil(length / h * (1 - slack)), 1);
}

dd_sim_options dd_study_sim_options(const dd_study *study, const char *method, double step, double tol)
{
    dd_sim_options o = study->options.sim;
    o.has_start = o.has_stop = true;
    o.start = study->start;
    o.stop = study->stop;
    o.method = method;
    o.step = step;
    o.tol = step > 0 ? NEWTON_TOLERANCE : tol;
    o.points = 0;
    o.interval = 0;
    o.keep_rows = false;
    return o;
}

void dd_study_heed(const dd_study *study, dd_status st)
{
    if (st == DD_INTERRUPTED || st == DD_TIME_LIMIT || st == DD_OUT_OF_MEMORY) {
        dd_raise(study->ctx, st, "%s", dd_status_text(st));
    }
}

/* Limits of the whole study end it; anything else is the answer of this run. */
static void look_at(dd_study *study, dd_run *run, dd_status st, dd_pool *pool)
{
    dd_context *ctx = study->ctx;
    dd_study_heed(study, st);
    if (st != DD_OK) {
        run->why = dd_pool_strdup(pool, dd_context_message(ctx));
        return;
    }
    const dd_sim_info info = dd_sim_get_info(run->sim);
    if (info.status == DD_SIM_INTERRUPTED || info.status == DD_SIM_TIME_LIMIT || info.status == DD_SIM_OUT_OF_MEMORY) {
        dd_raise(ctx,
                 info.status == DD_SIM_INTERRUPTED  ? DD_INTERRUPTED
                 : info.status == DD_SIM_TIME_LIMIT ? DD_TIME_LIMIT
                                                    : DD_OUT_OF_MEMORY,
                 "%s", info.reason);
    }
    run->ok = info.status == DD_SIM_OK;
    run->why = dd_pool_strdup(pool, info.reason);
}

dd_run dd_study_simulate(dd_study *study, const dd_sim_options *options, dd_pool *pool)
{
    dd_run run = {.why = ""};
    dd_status st = dd_sim_new(&run.sim, study->system, options);
    if (st == DD_OK) {
        dd_pool_keep(pool, run.sim, release);
        const double began = dd_cpu_seconds();
        st = dd_sim_run(run.sim);
        run.cpu = dd_cpu_seconds() - began;
    }
    look_at(study, &run, st, pool);
    study->info.runs++;
    study->info.failed += !run.ok;
    return run;
}
