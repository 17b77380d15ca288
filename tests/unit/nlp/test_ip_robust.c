/* The interior-point solver under adverse conditions, on the problems of the set: functions without a value, stops, limits,
 * failing allocations, other orders, warm starts. */
#include "nlp/permuted.h"
#include "unit/nlp/set/classic.h"
#include "unit/nlp/set/hard.h"
#include "unit/nlp/set/large.h"
#include "unit/nlp/set/linear.h"
#include "unit/nlp/set/run.h"

static const struct {
    const set_problem *problems;
    size_t count;
} lists[] = {{classic_problems, SET_COUNT(classic_problems)},
             {linear_problems, SET_COUNT(linear_problems)},
             {hard_problems, SET_COUNT(hard_problems)}};

typedef void visit(const set_problem *p, void *arg);

static void for_all(visit *body, void *arg)
{
    for (size_t l = 0; l < SET_COUNT(lists); l++) {
        for (size_t i = 0; i < lists[l].count; i++) {
            body(&lists[l].problems[i], arg);
        }
    }
}

static dd_nlp_options ours(void)
{
    dd_nlp_options options = dd_nlp_options_default();
    options.solver = dd_nlp_solver_named("daedal");
    options.max_iterations = 1000;
    return options;
}

/* ---- functions that fail now and then ---- */

typedef struct flaky {
    formula *f;
    uint32_t calls, at; /* the call that fails, from 1 */
} flaky;

static bool survives(flaky *k)
{
    return ++k->calls != k->at;
}

static bool flaky_objective(void *user, const double *x, bool new_x, double *f)
{
    flaky *k = user;
    return formula_objective(k->f, x, new_x, f) && survives(k);
}

static bool flaky_gradient(void *user, const double *x, bool new_x, double *g)
{
    return formula_gradient(((flaky *)user)->f, x, new_x, g);
}

static bool flaky_constraints(void *user, const double *x, bool new_x, double *c)
{
    flaky *k = user;
    return formula_constraints(k->f, x, new_x, c) && survives(k);
}

static bool flaky_jacobian(void *user, const double *x, bool new_x, double *values)
{
    return formula_jacobian(((flaky *)user)->f, x, new_x, values);
}

static bool flaky_hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    return formula_hessian(((flaky *)user)->f, x, new_x, sigma, lambda, values);
}

static dd_nlp flaky_program(flaky *k)
{
    dd_nlp nlp = k->f->nlp;
    nlp.user = k;
    nlp.objective = flaky_objective;
    nlp.gradient = flaky_gradient;
    nlp.constraints = flaky_constraints;
    nlp.jacobian = flaky_jacobian;
    nlp.hessian = flaky_hessian;
    return nlp;
}

enum { FOR_SCALING = 4 }; /* values of objective and rows at two points: without them nothing is scaled */

typedef struct failures {
    uint32_t solved, ended;
} failures;

/* Each value in turn does not exist: the step is shortened, and what is called optimal is optimal. */
static void fail_each(const set_problem *p, void *arg)
{
    failures *tally = arg;
    if (strcmp(p->verdict, "optimal") != 0 || p->other != 0) {
        return;
    }
    dd_context *ctx = new_context();
    formula *f = set_formula(p);
    dd_nlp_options options = ours();
    for (uint32_t at = FOR_SCALING + 1; at < 60; at++) {
        flaky k = {.f = f, .at = at};
        dd_nlp nlp = flaky_program(&k);
        outcome *o = set_begin(f);
        o->status = dd_nlp_solve(ctx, &nlp, &options, &o->result);
        bool reached = k.calls >= at;
        set_measure(ctx, f, o);
        assert_int_equal(o->status, DD_OK);
        const char *wrong = o->result.status == DD_NLP_OPTIMAL ? set_judge(p, o) : "";
        tally->solved += o->result.status == DD_NLP_OPTIMAL;
        tally->ended += o->result.status != DD_NLP_OPTIMAL;
        /* the start must have values; a step need not */
        bool fits = o->result.status == DD_NLP_OPTIMAL
                        ? wrong[0] == '\0'
                        : o->result.status == DD_NLP_EVALUATION_ERROR && o->result.iterations == 0;
        if (!fits) {
            fail_msg("%s, value %u fails: %s %s", p->name, at, dd_nlp_status_name(o->result.status), wrong);
        }
        free(o);
        if (!reached) {
            break;
        }
    }
    formula_free(f);
    dd_context_free(ctx);
}

static void test_values_fail(void **state)
{
    (void)state;
    failures tally = {0};
    for_all(fail_each, &tally);
    printf("one value failed: %u solved all the same, %u ended\n", tally.solved, tally.ended);
    assert_true(tally.solved > 2000);
}

/* ---- stops and limits ---- */

typedef struct watcher {
    uint32_t lines, stop_at; /* calls of progress; the one that says stop */
    uint32_t asked, from;    /* calls of stop; the first that says so */
    dd_context *ctx;
    uint64_t allocations;  /* at the last line */
    uint32_t allocated_at; /* lines before which something was allocated */
    bool restored;         /* a line of the restoration was among them */
    uint32_t evaluations;  /* of the formula when stop was said first */
    const formula *f;
} watcher;

static bool watch_progress(void *user, const dd_nlp_iteration *it)
{
    watcher *w = user;
    uint64_t now = w->ctx != NULL ? dd_context_allocations(w->ctx) : 0;
    /* the restoration has memory of its own, taken when it begins for the first time */
    bool first_restoration = it->restoration && !w->restored;
    w->allocated_at += w->lines > 0 && now != w->allocations && !first_restoration;
    w->allocations = now;
    w->restored = w->restored || it->restoration;
    w->lines++;
    return w->lines != w->stop_at;
}

static bool watch_stop(void *user)
{
    watcher *w = user;
    bool says = w->from > 0 && ++w->asked >= w->from;
    if (says && w->evaluations == 0) {
        w->evaluations = w->f->evaluations;
    }
    return says;
}

/* Stopped at each line of the table in turn: it ends there, with a point that is an iterate. */
static void stop_each(const set_problem *p, void *arg)
{
    dd_context *ctx = new_context();
    formula *f = set_formula(p);
    uint32_t *stopped = arg;
    for (uint32_t at = 1; at < 30; at++) {
        watcher w = {.stop_at = at, .f = f};
        dd_nlp_options options = ours();
        options.user = &w;
        options.progress = watch_progress;
        outcome *o = set_solve(ctx, f, &options);
        assert_int_equal(o->status, DD_OK);
        bool reached = w.lines >= at;
        if (reached) {
            assert_int_equal(w.lines, at); /* no line behind the one that stopped it */
            assert_int_equal(o->result.status, DD_NLP_INTERRUPTED);
            ++*stopped;
        }
        free(o);
        if (!reached) {
            break;
        }
    }
    formula_free(f);
    dd_context_free(ctx);
}

static void test_progress_stops(void **state)
{
    (void)state;
    uint32_t stopped = 0;
    for_all(stop_each, &stopped);
    assert_true(stopped > 1500);
}

/* `stop` says so from some call on: within one iteration, that is after a few more values at most, it has ended. */
static void stop_between(const set_problem *p, void *arg)
{
    enum { MORE_VALUES = 6 }; /* of a trial point, of the end */
    dd_context *ctx = new_context();
    formula *f = set_formula(p);
    uint32_t *stopped = arg;
    for (uint32_t from = 1; from < 400; from += 1 + from / 4) {
        watcher w = {.from = from, .f = f};
        dd_nlp_options options = ours();
        options.user = &w;
        options.stop = watch_stop;
        outcome *o = set_solve(ctx, f, &options);
        assert_int_equal(o->status, DD_OK);
        bool reached = w.evaluations > 0;
        if (reached && o->result.status == DD_NLP_INTERRUPTED) {
            assert_true(o->evaluations - w.evaluations <= MORE_VALUES);
            ++*stopped;
        } else if (reached) { /* the end had come already */
            assert_true(o->evaluations - w.evaluations <= MORE_VALUES);
        }
        free(o);
        if (!reached) {
            break;
        }
    }
    formula_free(f);
    dd_context_free(ctx);
}

static void test_stop_between(void **state)
{
    (void)state;
    uint32_t stopped = 0;
    for_all(stop_between, &stopped);
    assert_true(stopped > 500);
}

/* A limit that is over at once, and limits of iterations. */
static void limit_each(const set_problem *p, void *arg)
{
    (void)arg;
    if (strcmp(p->verdict, "optimal") != 0) {
        return;
    }
    dd_context *ctx = new_context();
    formula *f = set_formula(p);
    dd_nlp_options options = ours();
    outcome *whole = set_solve(ctx, f, &options);
    uint32_t needed = whole->result.iterations;
    free(whole);
    options.max_seconds = 1e-12;
    outcome *o = set_solve(ctx, f, &options);
    assert_true(o->result.status == (needed > 0 ? DD_NLP_TIME_LIMIT : DD_NLP_OPTIMAL));
    assert_int_equal(o->result.iterations, 0);
    free(o);
    options.max_seconds = 0;
    for (uint32_t most = 0; most < needed; most += 1 + most) {
        options.max_iterations = most;
        o = set_solve(ctx, f, &options);
        assert_int_equal(o->result.status, DD_NLP_ITERATION_LIMIT);
        assert_int_equal(o->result.iterations, most);
        assert_true(isfinite(o->result.objective) && isfinite(o->kkt.violation));
        free(o);
    }
    formula_free(f);
    dd_context_free(ctx);
}

static void test_limits(void **state)
{
    (void)state;
    for_all(limit_each, NULL);
}

/* ---- memory ---- */

/* From the first line of the table to the last nothing is allocated; a sparse factorisation whose pivots are delayed by
 * more than was foreseen may take more memory once. */
static void count_allocations(const set_problem *p, void *arg)
{
    enum { SMALL = 100 };
    uint32_t *lines = arg;
    dd_context *ctx = new_context();
    formula *f = set_formula(p);
    watcher w = {.ctx = ctx, .f = f};
    dd_nlp_options options = ours();
    options.user = &w;
    options.progress = watch_progress;
    outcome *o = set_solve(ctx, f, &options);
    if (w.allocated_at > (p->n > SMALL ? 1 : 0)) {
        fail_msg("%s: memory was allocated in %u of %u iterations", p->name, w.allocated_at, w.lines);
    }
    *lines += w.lines;
    free(o);
    formula_free(f);
    dd_context_free(ctx);
}

static void test_no_allocations(void **state)
{
    (void)state;
    uint32_t lines = 0;
    for_all(count_allocations, &lines);
    for (size_t i = 0; i < SET_COUNT(large_problems); i++) {
        count_allocations(&large_problems[i], &lines);
    }
    assert_true(lines > 2000);
}

/* Each allocation fails in turn: a clean status, and everything is given back. */
static void fail_allocations(const set_problem *p, void *arg)
{
    uint64_t *failed = arg;
    formula *f = set_formula(p);
    for (uint64_t at = 1;; at++) {
        counting count = {0};
        dd_context_options context = dd_context_options_default();
        context.alloc = counting_alloc;
        context.alloc_user = &count;
        context.fail_at = at;
        dd_context *ctx;
        dd_status status = dd_context_new(&ctx, &context);
        if (status == DD_OK) {
            dd_nlp_options options = ours();
            outcome *o = set_begin(f);
            status = dd_nlp_solve(ctx, &f->nlp, &options, &o->result);
            bool fine =
                status == DD_OUT_OF_MEMORY || (status == DD_OK && set_verdict_fits(p->verdict, o->result.status));
            if (!fine) {
                fail_msg("%s: allocation %u fails: %s", p->name, (unsigned)at, dd_status_name(status));
            }
            free(o);
            bool all = dd_context_allocations(ctx) < at;
            dd_context_free(ctx);
            assert_int_equal(count.bytes, 0);
            assert_int_equal(count.blocks, 0);
            if (all) {
                break;
            }
        }
        ++*failed;
    }
    formula_free(f);
}

static void test_allocations_fail(void **state)
{
    (void)state;
    uint64_t failed = 0;
    for_all(fail_allocations, &failed);
    fail_allocations(&large_problems[0], &failed);
    printf("%u allocations failed\n", (unsigned)failed);
    assert_true(failed > 500);
}

/* ---- warm starts ---- */

/* From the solution with its multipliers at most three iterations are needed. */
static void begin_warm(const set_problem *p, void *arg)
{
    enum { MOST_WARM = 3 };
    uint32_t *warm = arg;
    if (strcmp(p->verdict, "optimal") != 0) {
        return;
    }
    dd_context *ctx = new_context();
    formula *f = set_formula(p);
    dd_nlp_options options = ours();
    outcome *o = set_solve(ctx, f, &options);
    double before = o->result.objective;
    options.warm = true;
    options.barrier = 1e-9;
    o->status = dd_nlp_solve(ctx, &f->nlp, &options, &o->result);
    set_measure(ctx, f, o);
    const char *wrong = set_judge(p, o);
    if (o->result.iterations > MOST_WARM || wrong[0] != '\0' || !set_near(o->result.objective, before, 1e-6)) {
        printf("%s: %u warm iterations, %s %.10g %.10g\n", p->name, o->result.iterations, wrong, before,
               o->result.objective);
        ++*warm;
    }
    free(o);
    formula_free(f);
    dd_context_free(ctx);
}

static void test_warm(void **state)
{
    (void)state;
    uint32_t slow = 0;
    for_all(begin_warm, &slow);
    assert_int_equal(slow, 0);
}

/* ---- other orders of variables and rows ---- */

static void permute(const set_problem *p, void *arg)
{
    uint32_t *wrongs = arg;
    for (uint32_t seed = 1; seed <= 3 && p->n > 0; seed++) {
        dd_context *ctx = new_context();
        formula *f = set_formula(p);
        dd_nlp_options options = ours();
        dd_permuted *other;
        assert_int_equal(dd_permuted_new(&other, ctx, &f->nlp, seed, 1), DD_OK);
        outcome *o = set_begin(f);
        o->status = dd_permuted_solve(other, &options, &o->result);
        set_measure(ctx, f, o);
        const char *wrong = set_judge(p, o);
        if (wrong[0] != '\0') {
            printf("%s: order %u: %s %s %.10g\n", p->name, seed, dd_nlp_status_name(o->result.status), wrong,
                   o->result.objective);
            ++*wrongs;
        }
        free(o);
        dd_permuted_free(other);
        formula_free(f);
        dd_context_free(ctx);
    }
}

static void test_permuted(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for_all(permute, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- dependent rows are known ---- */

static const struct {
    const char *name;
    uint32_t dependent; /* rows less rank, by hand */
} deficits[] = {{"lp_transport", 1},
                {"dependent_equalities", 1},
                {"dependent_three", 2},
                {"dependent_contradiction", 1},
                {"more_rows_than_variables", 3},
                {"more_rows_contradict", 1},
                {"closed_ring", 1},
                {"hs048", 0},
                {"hanging_chain", 0}};

static void count_dependent(const set_problem *p, void *arg)
{
    uint32_t *seen = arg;
    for (size_t i = 0; i < SET_COUNT(deficits); i++) {
        if (strcmp(deficits[i].name, p->name) != 0) {
            continue;
        }
        dd_context *ctx = new_context();
        formula *f = set_formula(p);
        dd_nlp_options options = ours();
        uint32_t rows[4] = {0};
        outcome *o = set_begin(f);
        o->result.dependent = rows;
        o->result.dependent_most = 4;
        assert_int_equal(dd_nlp_solve(ctx, &f->nlp, &options, &o->result), DD_OK);
        assert_int_equal(o->result.dependent_count, deficits[i].dependent);
        for (uint32_t k = 0; k < o->result.dependent_count; k++) {
            assert_true(rows[k] < f->nlp.m);
            for (uint32_t j = 0; j < k; j++) {
                assert_int_not_equal(rows[j], rows[k]);
            }
        }
        ++*seen;
        free(o);
        formula_free(f);
        dd_context_free(ctx);
    }
}

static void test_dependent(void **state)
{
    (void)state;
    uint32_t seen = 0;
    for_all(count_dependent, &seen);
    for (size_t i = 0; i < SET_COUNT(large_problems); i++) {
        count_dependent(&large_problems[i], &seen);
    }
    assert_int_equal(seen, SET_COUNT(deficits));
}

/* ---- the last iterations ---- */

/* Iterations with a barrier below LAST and above the least one. */
#define LAST 0.05

static bool count_last(void *user, const dd_nlp_iteration *it)
{
    *(uint32_t *)user += it->barrier < LAST ? 1 : 0;
    return true;
}

/* With bounds and rows that are active beyond doubt, whole steps leave products of the size mu^2, and mu may fall nearly
 * as fast: 0.02 to 1e-9 in four iterations at most, where the power 1.5 takes five. Optima by hand. */
static void test_fast_end(void **state)
{
    (void)state;
    const set_problem clear[] = {
        {"bounds", 2, "(x1 - 2)^2 + (x2 + 3)^2", "", "x1 <= 1; x2 >= -1", "0, 0", "optimal", 5, 0, 0},
        {"row", 2, "x1 + 2*x2", "x1^2 + x2^2 <= 5", "", "0.5, 0.5", "optimal", -5, 0, 0},
        {"both", 3, "x1^2 + x2^2 + x3^2 - 8*x3", "x1 + x2 + x3 = 3", "x3 <= 2; x2 >= 0", "1, 1, 1", "optimal", -11.5, 0,
         0},
    };
    for (size_t i = 0; i < SET_COUNT(clear); i++) {
        dd_context *ctx = new_context();
        formula *f = set_formula(&clear[i]);
        uint32_t last = 0;
        dd_nlp_options options = ours();
        options.user = &last;
        options.progress = count_last;
        outcome *o = set_solve(ctx, f, &options);
        assert_string_equal(set_judge(&clear[i], o), "");
        assert_in_range(last, 1, 4);
        free(o);
        formula_free(f);
        dd_context_free(ctx);
    }
}

/* As many equalities as variables: Newton's method on the rows ends, whatever the barrier is (one step where they are
 * linear), and bounds and inequalities beside the point have no multipliers. Optima by hand. */
static void test_square(void **state)
{
    (void)state;
    const set_problem square[] = {
        {"lines", 2, "x1 + x2^2", "x1 + x2 = 3; x1 - x2 = 1", "0 <= x1 <= 10; x2 >= 0", "9, 5", "optimal", 3, 0, 0},
        {"with a row", 2, "-x1", "x1 - x2 = 1; x1 + 2*x2 = 4; x1 <= 5", "x2 >= 0.5", "2.5, 2", "optimal", -2, 0, 0},
        {"fixed", 3, "x1*x3", "x1 + x2 = x3; x1 - x2 = 5", "1 <= x3 <= 1; x1 >= -3", "0.5, 1, 1", "optimal", 3, 0, 0},
    };
    for (size_t i = 0; i < SET_COUNT(square); i++) {
        dd_context *ctx = new_context();
        formula *f = set_formula(&square[i]);
        dd_nlp_options options = ours();
        outcome *o = set_solve(ctx, f, &options);
        assert_string_equal(set_judge(&square[i], o), "");
        assert_int_equal(o->result.iterations, 1);
        for (uint32_t k = 0; k < square[i].n; k++) {
            assert_true(o->result.z_lower[k] == 0 && o->result.z_upper[k] == 0);
        }
        free(o);
        formula_free(f);
        dd_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_fail),    cmocka_unit_test(test_progress_stops),
                                       cmocka_unit_test(test_stop_between),   cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_no_allocations), cmocka_unit_test(test_allocations_fail),
                                       cmocka_unit_test(test_warm),           cmocka_unit_test(test_permuted),
                                       cmocka_unit_test(test_dependent),      cmocka_unit_test(test_fast_end),
                                       cmocka_unit_test(test_square)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
