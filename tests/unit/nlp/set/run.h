/* run.h - solves problems of the set with a solver by name: verdict, objective and optimality conditions against what is
 * known, and one line of a table each. */
#ifndef DD_TESTS_NLP_RUN_H
#define DD_TESTS_NLP_RUN_H

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "unit/base/support.h"
#include "unit/nlp/set/formula.h"
#include "unit/nlp/set/problem.h"

/* "optimal" is claimed at the tolerance 1e-8 of the scaled program: this is it in the units of the problem. */
#define KKT_TOLERANCE 1e-6
#define OBJECTIVE_TOLERANCE 1e-6
#define RELAXED 2e-8 /* bounds that a solver has relaxed, and a little rounding */

typedef struct outcome {
    dd_status status;
    dd_nlp_result result;
    dd_kkt kkt;
    double start_gradient;  /* largest component at the start: objectives are scaled by it */
    double largest_bound;   /* at least 1 */
    double largest_product; /* of multipliers and max(1, |bound|) */
    uint32_t evaluations;
    double seconds; /* CPU */
    double memory[];
} outcome;

/* Bounds give way by 1e-8 of their size: what that may do to violation and complementarity. */
static inline void set_sizes(outcome *o, const dd_nlp *nlp)
{
    o->largest_bound = 1;
    for (uint32_t i = 0; i < nlp->n + nlp->m; i++) {
        bool row = i >= nlp->n;
        double low = row ? nlp->c_lower[i - nlp->n] : nlp->x_lower[i];
        double high = row ? nlp->c_upper[i - nlp->n] : nlp->x_upper[i];
        double y = row ? fabs(o->result.lambda[i - nlp->n]) : fmax(o->result.z_lower[i], o->result.z_upper[i]);
        double size = fmax(1, fmax(isfinite(low) ? fabs(low) : 0, isfinite(high) ? fabs(high) : 0));
        o->largest_bound = fmax(o->largest_bound, size);
        o->largest_product = fmax(o->largest_product, y * size);
    }
}

static inline double set_start_gradient(formula *f)
{
    double most = 0, *g = calloc(f->nlp.n + 1, sizeof *g);
    if (f->nlp.gradient(f, f->start, true, g)) {
        for (uint32_t i = 0; i < f->nlp.n; i++) {
            most = fmax(most, fabs(g[i]));
        }
    }
    free(g);
    return most;
}

/* An outcome with the start in it; free() it. */
static inline outcome *set_begin(const formula *f)
{
    const uint32_t n = f->nlp.n, m = f->nlp.m;
    outcome *o = calloc(1, sizeof *o + (3 * (size_t)n + m) * sizeof(double));
    o->result = (dd_nlp_result){
        .x = o->memory, .z_lower = o->memory + n, .z_upper = o->memory + 2 * n, .lambda = o->memory + 3 * (size_t)n};
    memcpy(o->result.x, f->start, n * sizeof *f->start);
    return o;
}

/* Residuals at the result. */
static inline void set_measure(dd_context *ctx, formula *f, outcome *o)
{
    if (o->status == DD_OK && dd_nlp_kkt(ctx, &f->nlp, &o->result, &o->kkt) != DD_OK) {
        o->kkt = (dd_kkt){.violation = NAN, .dual_infeasibility = NAN, .complementarity = NAN};
    }
    o->start_gradient = set_start_gradient(f);
    set_sizes(o, &f->nlp);
}

/* Solves and measures; free() the outcome. */
static inline outcome *set_solve(dd_context *ctx, formula *f, const dd_nlp_options *options)
{
    outcome *o = set_begin(f);
    f->evaluations = 0;
    clock_t begin = clock();
    o->status = dd_nlp_solve(ctx, &f->nlp, options, &o->result);
    o->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    o->evaluations = f->evaluations;
    set_measure(ctx, f, o);
    return o;
}

static inline formula *set_formula(const set_problem *p)
{
    return formula_new(p->n, p->objective, p->rows, p->bounds, p->start);
}

/* Is the verdict in "optimal|acceptable"? "!optimal": anything but that. */
static inline bool set_verdict_fits(const char *verdicts, dd_nlp_status status)
{
    const char *name = dd_nlp_status_name(status);
    if (verdicts[0] == '!') {
        return strcmp(name, verdicts + 1) != 0;
    }
    size_t length = strlen(name);
    for (const char *at = verdicts; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, name, length) == 0 && (at[length] == '|' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static inline bool set_near(double value, double truth, double within)
{
    return fabs(value - truth) <= within * fmax(1, fabs(truth));
}

/* What is wrong with an outcome; "" when nothing is. */
static inline const char *set_judge(const set_problem *p, const outcome *o)
{
    const dd_nlp_result *r = &o->result;
    double within = p->within > 0 ? p->within : OBJECTIVE_TOLERANCE;
    if (o->status != DD_OK) {
        return dd_status_name(o->status);
    }
    if (!set_verdict_fits(p->verdict, r->status)) {
        return "verdict";
    }
    if (r->status != DD_NLP_OPTIMAL && r->status != DD_NLP_ACCEPTABLE) {
        return "";
    }
    if (!isnan(p->optimum) && !set_near(r->objective, p->optimum, within) &&
        !(p->other != 0 && set_near(r->objective, p->other, within))) {
        return "objective";
    }
    if (!(o->kkt.violation <= KKT_TOLERANCE * o->largest_bound)) {
        return "violation";
    }
    if (r->status != DD_NLP_OPTIMAL) {
        return "";
    }
    double size = fmax(1, fmax(o->kkt.gradient, o->start_gradient / 100));
    if (!(o->kkt.dual_infeasibility <= KKT_TOLERANCE * size)) {
        return "gradient of the Lagrangian";
    }
    if (!(o->kkt.complementarity <= KKT_TOLERANCE * size + RELAXED * o->largest_product)) {
        return "complementarity";
    }
    return o->kkt.sign <= 1e-12 ? "" : "sign of a multiplier";
}

static inline void set_print(const set_problem *p, const formula *f, const outcome *o, const char *wrong)
{
    const dd_nlp_result *r = &o->result;
    printf("%-30s %4u %4u  %-16s %4u %5u  %18.10g  %8.1e %8.1e %8.1e %7.3f  %s\n", p->name, p->n, f->nlp.m,
           o->status == DD_OK ? dd_nlp_status_name(r->status) : dd_status_name(o->status), r->iterations,
           o->evaluations, r->objective, o->kkt.violation, o->kkt.dual_infeasibility, o->kkt.complementarity,
           o->seconds, wrong);
}

typedef struct set_tally {
    uint32_t problems, wrong, iterations;
    double seconds;
} set_tally;

static inline void set_run_all(set_tally *sum, const char *solver, const set_problem *problems, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dd_context *ctx = new_context();
        formula *f = set_formula(&problems[i]);
        dd_nlp_options options = dd_nlp_options_default();
        options.solver = dd_nlp_solver_named(solver);
        options.max_iterations = 1000;
        outcome *o = set_solve(ctx, f, &options);
        const char *wrong = set_judge(&problems[i], o);
        set_print(&problems[i], f, o, wrong);
        sum->problems++;
        sum->wrong += wrong[0] != '\0';
        sum->iterations += o->result.iterations;
        sum->seconds += o->seconds;
        free(o);
        formula_free(f);
        dd_context_free(ctx);
    }
}

static inline void set_print_head(const char *solver)
{
    printf("%-30s %4s %4s  %-16s %4s %5s  %18s  %8s %8s %8s %7s  %s\n", solver, "n", "m", "verdict", "it", "eval",
           "objective", "viol", "dual", "compl", "s", "wrong");
}

static inline void set_print_sum(const set_tally *sum)
{
    printf("%u problems, %u wrong, %u iterations, %.2f s\n", sum->problems, sum->wrong, sum->iterations, sum->seconds);
}

#define SET_COUNT(list) (sizeof(list) / sizeof *(list))

#endif
