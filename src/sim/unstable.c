/* unstable.c - explicit methods with given steps: do errors grow that the equations would damp?
 *
 * Along x' = f(x) a disturbance grows by exp(h lambda) in a time h, in a step of the method by R(h lambda), lambda the
 * eigenvalues of df/dx. Where |R| > 1 and |R| > |exp|, errors grow by the method alone. At some steps of the run both are
 * added up. If the solution itself has then grown by more than the equations let it, the numbers are the method's, and the
 * run ends; if not, a message says that the step is too long. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "integ/explicit.h"
#include "la/lapack.h"
#include "la/small.h"
#include "sim/run_impl.h"
#include "sim/unstable.h"

enum {
    LOOKS = 64, /* over the run */
    ROOM = 8    /* of dgeev, times n */
};
static const double CLEARLY = 1.01; /* a factor of growth in a step that is no rounding, and no slow drift of a swing */
static const double GROWN = 10;     /* times what it was, and what the equations explain: the solution is lost */

struct dd_unstable {
    uint32_t n, nx;
    uint64_t every, seen; /* steps between looks; steps at the last one */
    double *m, *j;        /* values on the pattern */
    double *k, *column;   /* [dF/dx' dF/dz], n x n, and a column */
    double *a, *re, *im, *work;
    int32_t *order;
    double by_method,
        by_equations; /* logarithms of what disturbances have grown by since `size` was the largest state */
    double size;
    const char *note; /* NULL: nothing to say */
    bool told;        /* once */
};

dd_unstable *dd_unstable_new(dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    const uint32_t nx = sim->numbers->equations->x.len, nnz = p->pattern.ptr[p->n];
    if (!(sim->options.step > 0) || nx == 0 || p->n > DD_SMALL_MOST) {
        return NULL;
    }
    dd_unstable *u = dd_pool_alloc(sim->pool, sizeof *u);
    *u = (dd_unstable){.n = p->n, .nx = nx};
    u->m = dd_pool_alloc_array(sim->pool, nnz + 1, sizeof *u->m);
    u->j = dd_pool_alloc_array(sim->pool, nnz + 1, sizeof *u->j);
    u->k = dd_pool_alloc_array(sim->pool, p->n * dd_small_ld(p->n), sizeof *u->k);
    u->column = dd_pool_alloc_array(sim->pool, dd_small_ld(p->n), sizeof *u->column);
    u->a = dd_pool_alloc_array(sim->pool, (size_t)nx * nx, sizeof *u->a);
    u->re = dd_pool_alloc_array(sim->pool, nx, sizeof *u->re);
    u->im = dd_pool_alloc_array(sim->pool, nx, sizeof *u->im);
    u->work = dd_pool_alloc_array(sim->pool, (size_t)ROOM * nx, sizeof *u->work);
    u->order = dd_pool_alloc_array(sim->pool, p->n, sizeof *u->order);
    return u;
}

/* The largest state, in nominal values. */
static double largest_state(const dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    double most = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        most = p->differential[j] ? fmax(most, fabs(sim->integrator->w[j]) / p->nominal[j]) : most;
    }
    return most;
}

void dd_unstable_start(dd_unstable *u, const dd_sim *sim)
{
    u->every = (uint64_t)fmax(1, (sim->t_stop - sim->t0) / sim->options.step / LOOKS);
    u->seen = 0;
    u->by_method = u->by_equations = 0;
    u->size = largest_state(sim);
    u->note = NULL;
}

/* The eigenvalues of df/dx at the end of the last step: K dw = -J dx for every state. False: there are none. */
static bool find_eigenvalues(dd_unstable *u, const dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    const dd_integrator *it = sim->integrator;
    const size_t ld = dd_small_ld(u->n);
    p->jacobian(p->user, it->t, it->w, it->wdot, u->m, u->j);
    /* K = [dF/dx' dF/dz] */
    memset(u->k, 0, u->n * ld * sizeof *u->k);
    for (uint32_t j = 0; j < u->n; j++) {
        for (uint32_t e = p->pattern.ptr[j]; e < p->pattern.ptr[j + 1]; e++) {
            u->k[j * ld + p->pattern.idx[e]] = p->differential[j] ? u->m[e] : u->j[e];
        }
    }
    uint32_t failed;
    if (!dd_small_factor(u->n, u->k, u->order, &failed)) {
        return false;
    }
    /* x come first among the unknowns: column j of df/dx is the part of the solution that belongs to x' */
    for (uint32_t j = 0; j < u->nx; j++) {
        memset(u->column, 0, ld * sizeof *u->column);
        for (uint32_t e = p->pattern.ptr[j]; e < p->pattern.ptr[j + 1]; e++) {
            u->column[p->pattern.idx[e]] = -u->j[e];
        }
        dd_small_solve(u->n, u->k, u->order, u->column);
        memcpy(u->a + (size_t)j * u->nx, u->column, u->nx * sizeof *u->a);
    }
    if (!dd_all_finite(u->a, (size_t)u->nx * u->nx)) {
        return false;
    }
    const int n = (int)u->nx, one = 1, room = ROOM * n;
    int info = 0;
    dgeev_("N", "N", &n, u->a, &n, u->re, u->im, NULL, &one, NULL, &one, u->work, &room, &info, 1, 1);
    return info == 0;
}

/* The longest step, not longer than the last one, in which the method does not let this disturbance grow; 0: none was
 * found. */
static double stable_step(const dd_sim *sim, double re, double im)
{
    enum { TRIES = 340 }; /* down to a thousandth of the last one */
    const double shorter = 0.98;
    double h = sim->integrator->t - sim->integrator->t_old;
    for (int i = 0; i < TRIES; i++, h *= shorter) {
        if (dd_explicit_growth(sim->tableau, h * re, h * im) <= 1) {
            return h;
        }
    }
    return 0;
}

/* What to do about it. */
static const char *advice(const dd_sim *sim, uint32_t worst)
{
    const dd_unstable *u = sim->unstable;
    const double h = stable_step(sim, u->re[worst], u->im[worst]);
    const char *word = dd_option_word(sim->ctx, "--step");
    return h > 0 ? dd_pool_printf(sim->pool, "take steps below %.3g (%s), or an implicit method", h, word)
                 : dd_pool_printf(sim->pool, "take much shorter steps (%s), or another method", word);
}

bool dd_unstable_look(dd_sim *sim)
{
    dd_unstable *u = sim->unstable;
    const dd_integrator *it = sim->integrator;
    const uint64_t steps = it->stats.steps - u->seen;
    if (steps < u->every || !find_eigenvalues(u, sim)) {
        return false;
    }
    u->seen = it->stats.steps;
    /* the disturbance that the method lets grow most, beside what the equations do to it and to others */
    const double h = it->t - it->t_old; /* events and the end cut steps */
    double factor = 0, excess = 0, own = 0;
    uint32_t worst = 0;
    for (uint32_t k = 0; k < u->nx; k++) {
        const double r = dd_explicit_growth(sim->tableau, h * u->re[k], h * u->im[k]);
        const double beside = r / fmax(1, exp(h * u->re[k]));
        worst = beside > excess ? k : worst;
        factor = beside > excess ? r : factor;
        excess = fmax(excess, beside);
        own = fmax(own, h * u->re[k]);
    }
    u->by_method = fmax(0, u->by_method + (double)steps * log(fmax(excess, 1e-300)));
    u->by_equations += (double)steps * own;
    if (u->by_method == 0) { /* what there was is damped again */
        u->by_equations = 0;
        u->size = fmax(u->size, largest_state(sim));
        return false;
    }
    /* lost: grown by the method, and by more than the equations explain */
    const double grown = log(fmax(largest_state(sim), 1e-300) / fmax(u->size, 1));
    const bool lost = u->by_method > log(GROWN) && grown > log(GROWN) + 2 * u->by_equations;
    if (!lost && (u->note || !(excess > CLEARLY))) {
        return false;
    }
    const char *words = dd_pool_printf(
        sim->pool,
        "at time %.6g steps of %.6g are outside the stability region of %s (h*lambda = %.3g%+.3gi): errors grow %.3g "
        "times in each step%s; %s",
        it->t, h, sim->tableau->name, h * u->re[worst], h * u->im[worst], factor,
        lost ? ", and the solution has been lost to them" : "", advice(sim, worst));
    if (lost) {
        dd_run_stop(sim, DD_SIM_NONFINITE, "%s", words);
        return true;
    }
    u->note = words;
    return false;
}

void dd_unstable_tell(dd_sim *sim)
{
    dd_unstable *u = sim->unstable;
    if (u->note && !u->told && sim->info.status == DD_SIM_OK) {
        dd_vec_push(sim->pool, &sim->messages, u->note);
        u->told = true;
    }
}
