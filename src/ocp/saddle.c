/* saddle.c - controls moved off a stationary point with negative curvature, and another solve. */
#include "ocp/saddle.h"

#include <math.h>

#include "base/random.h"
#include "ocp/columns.h"
#include "ocp/kept.h"

/* A regularisation below this is rounding. Larger ones may be, too, where the cost is flat along a symmetry and the first one tried
 * was enough: the solves that follow decide. Of 150 problems that have a minimum three end with one at all. */
#define NEGATIVE 1e-5
#define ON_THE_WAY 1e-3  /* violation: a lower objective is no longer that of a point off the rows */
#define DISPLACEMENT 0.2 /* of the range of a control, or of its size: Newton's method must not return at once */
enum {
    WAVES = 3,        /* a constant and two cosines: symmetries in time are broken, too */
    TRIES = 2,        /* opposite displacements: one may be downhill where the other is not */
    MOST_DEFAULT = 60 /* iterations of a try after a short solve; otherwise as many as that took */
};

static bool is_saddle(const dd_ocp *p)
{
    return p->result.regularization > NEGATIVE;
}

/* Half of the range where there are bounds, else the expected size: variables of the program are scaled by it. */
static double room_of(const dd_nlp *nlp, uint32_t j)
{
    const double range = nlp->x_upper[j] - nlp->x_lower[j];
    return isfinite(range) ? 0.5 * range : 1;
}

/* Waves on all controls, sum_m c_m cos(m pi theta) / (1 + m): the same on every machine. */
static void displace(dd_ocp *p, const dd_column *columns, dd_pool *pool, double amplitude)
{
    const double pi = 3.14159265358979323846;
    const dd_nlp *nlp = p->transcription->nlp;
    const uint32_t controls = p->problem->u.len;
    double *wave = dd_pool_alloc_array(pool, (size_t)controls * WAVES + 1, sizeof *wave);
    uint64_t state = 1;
    for (uint32_t i = 0; i < controls * WAVES; i++) {
        wave[i] = dd_random(&state);
    }
    for (uint32_t j = 0; j < nlp->n; j++) {
        const dd_column *c = &columns[j];
        if (c->kind != DD_COLUMN_CONTROL) {
            continue;
        }
        double sum = 0;
        for (uint32_t m = 0; m < WAVES; m++) {
            sum += wave[c->index * WAVES + m] * cos(m * pi * c->theta) / (1 + m);
        }
        const double moved = p->result.x[j] + amplitude * room_of(nlp, j) * sum;
        p->result.x[j] = fmin(fmax(moved, nlp->x_lower[j]), nlp->x_upper[j]);
    }
}

/* Out of iterations on the way down: along negative curvature steps are short, and the end is near. */
static bool about_to_gain(const dd_ocp *p, double bar)
{
    return p->info.status == DD_OCP_ITERATION_LIMIT && p->info.violation < ON_THE_WAY && p->info.objective < bar;
}

void dd_ocp_leave_saddle(dd_ocp *p)
{
    if (!is_saddle(p) || p->problem->u.len == 0) {
        return;
    }
    const double first = p->info.objective;
    const uint32_t begun = p->info.iterations, most = begun > MOST_DEFAULT ? begun : MOST_DEFAULT;
    bool left = false, settled = false;
    /* each try begins at the saddle, which is kept */
    for (uint32_t t = 0; t < TRIES && !left && dd_ocp_solved(p); t++) {
        dd_pool *pool = dd_pool_child(p->pool);
        const dd_kept before = dd_ocp_keep(p, pool);
        const double bar = dd_ocp_to_beat(p);
        displace(p, dd_ocp_columns(p->transcription, pool), pool, t % 2 == 0 ? DISPLACEMENT : -DISPLACEMENT);
        dd_ocp_run_again(p, most);
        if (about_to_gain(p, bar)) {
            dd_ocp_run_from(p, most, false);
        }
        settled = settled || dd_ocp_solved(p);
        left = dd_ocp_solved(p) && p->info.objective < bar;
        if (!left) {
            dd_ocp_put_back_after(p, &before);
        }
        dd_pool_free(pool);
    }
    const uint32_t more = p->info.iterations - begun;
    if (left) {
        p->gained += first - p->info.objective;
        dd_ocp_say(
            p, dd_pool_printf(p->problem->pool,
                              "the first solution was a saddle point; a cheaper one was found near it: the objective "
                              "fell from %.10g to %.10g, after %u more iterations",
                              first, p->info.objective, more));
    } else if (dd_ocp_solved(p) && !settled) { /* settled: it came back, so that way the cost is flat, or rises */
        dd_ocp_say(p,
                   dd_pool_printf(
                       p->problem->pool,
                       "the curvature of the solution is negative in some direction: it may be a saddle point; solves "
                       "from points near it did not end within %u iterations; try %s",
                       more, dd_option_word(p->ctx, "--multistart")));
    }
}
