/* Nothing shared is changed on the way: an allocation fails, and the same objects are asked again. One model and one system
 * serve thousands of simulations, linearizations and optimizations, each of them cut short by a failing allocation and then
 * repeated; every repetition must give the numbers of an undisturbed run, to the last bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/state.h"
#include "daedal/daedal.h"
#include "fault/sweep.h"

enum { MOST_NUMBERS = 400 };

typedef struct answer {
    double number[MOST_NUMBERS];
    uint32_t count;
} answer;

static void note(answer *a, double v)
{
    if (a->count < MOST_NUMBERS) {
        a->number[a->count++] = v;
    }
}

typedef struct subject {
    const char *text;
    bool input, dummy, original;
    const char *sensitivity;
} subject;

static const char *const csv = "time,u\n0,0.3\n0.4,0.5\n0.4,-0.2\n1,0.1\n";

static const subject simulated[] = {
    /* index 3 with an input, a start that is completed, and derivatives */
    {.text = "model P parameter Real g = 9.81; input Real u; Real x(start = 0.6), y(start = -0.8), lam;\n"
             "equation der(der(x)) = -lam*x + u; der(der(y)) = -lam*y - g; x^2 + y^2 = 1; end P;\n",
     .input = true,
     .sensitivity = "g"},
    /* events, an initial equation, an algebraic loop */
    {.text = "model E input Real u; Real x(start = 1), z; initial equation x + z = 2;\n"
             "equation der(x) = if x > 0.7 then -1 - u else -x; z^3 + z = x; end E;\n",
     .input = true},
    {.text = "model D Real x(start = 1, fixed = true), y(start = 0), v(start = 0, fixed = true) = der(x),\n"
             "w = der(y), lam; equation der(v) = -lam*x; der(w) = -lam*y - 1; x^2 + y^2 = 1; end D;\n",
     .dummy = true},
    {.text = "model I parameter Real a = 2; Real x(start = 1, fixed = true), z; equation der(x) = -a*z; x = z^3 + z; "
             "end I;\n",
     .original = true,
     .sensitivity = "a"},
};

static dd_status simulate(answer *out, dd_context *ctx, const dd_system *system, const subject *what, const char *path)
{
    (void)ctx;
    out->count = 0;
    dd_sim_options o = dd_sim_options_default();
    o.stop = 1;
    o.has_stop = true;
    o.input_file = what->input ? path : NULL;
    o.stabilize = what->dummy ? DD_STABILIZE_DUMMY : DD_STABILIZE_PROJECTION;
    o.form = what->original ? DD_SIM_FORM_ORIGINAL : DD_SIM_FORM_REDUCED;
    o.sensitivity = &what->sensitivity;
    o.n_sensitivity = what->sensitivity != NULL;
    dd_sim *sim = NULL;
    dd_linsys *l = NULL;
    dd_status st = dd_sim_new(&sim, system, &o);
    st = st == DD_OK ? dd_sim_run(sim) : st;
    note(out, dd_sim_get_info(sim).status);
    note(out, dd_sim_get_info(sim).t);
    for (uint32_t i = 0; i < dd_sim_variable_count(sim); i++) {
        note(out, dd_sim_final(sim, i));
        if (what->sensitivity) {
            note(out, dd_sim_sensitivity(sim, 0, i));
        }
    }
    st = st == DD_OK && !what->original ? dd_linsys_new(&l, sim) : st;
    const dd_linsys_info info = l ? dd_linsys_get_info(l) : (dd_linsys_info){0};
    for (uint32_t i = 0; i < info.nx * info.nx; i++) {
        note(out, info.A[i]);
    }
    for (uint32_t i = 0; i < info.nx * info.nu; i++) {
        note(out, info.B[i]);
    }
    dd_linsys_free(l);
    dd_sim_free(sim);
    return st;
}

static bool same(const answer *a, const answer *b)
{
    bool equal = a->count == b->count;
    for (uint32_t i = 0; i < a->count && equal; i++) {
        equal =
            memcmp(&a->number[i], &b->number[i], sizeof(double)) == 0 || (isnan(a->number[i]) && isnan(b->number[i]));
    }
    return equal;
}

/* Everything with one context: allocation number k of the k-th attempt fails, then it is done again. */
static uint32_t sweep_simulations(const subject *what, const char *path, uint64_t stride)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *system = NULL;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", what->text, strlen(what->text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    answer good = {0}, again = {0};
    assert_int_equal(simulate(&good, ctx, system, what, path), DD_OK);
    uint32_t tried = 0;
    for (uint64_t k = 1;; k += stride) {
        ctx->fail_at = ctx->allocations + k;
        const dd_status st = simulate(&again, ctx, system, what, path);
        const bool reached = ctx->allocations >= ctx->fail_at;
        ctx->fail_at = 0;
        assert_true(st == DD_OUT_OF_MEMORY || !reached || (st == DD_OK && again.number[0] == DD_SIM_OUT_OF_MEMORY));
        assert_int_equal(simulate(&again, ctx, system, what, path), DD_OK);
        if (!same(&good, &again)) {
            fail_msg("after a failure of allocation %llu the same simulation has other numbers: %.300s",
                     (unsigned long long)k, what->text);
        }
        tried++;
        if (!reached) {
            break;
        }
    }
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return tried;
}

static char *new_file(char *path, const char *text)
{
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (int)strlen(text));
    close(file);
    return path;
}

static void test_simulations(void **state)
{
    (void)state;
    char path[] = "/tmp/daedal-retry-XXXXXX";
    new_file(path, csv);
    uint32_t tried = 0;
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; i++) {
        tried += sweep_simulations(&simulated[i], path, 1);
    }
    unlink(path);
    print_message("%u failures\n", tried);
    assert_true(tried > 1000);
}

/* ---- the analysis, of one model ---- */

static dd_status analyse(dd_context *ctx, const dd_model *model, char *text, size_t size)
{
    (void)ctx;
    dd_system *system = NULL;
    const char *json = "";
    dd_status st = dd_model_analyse(&system, model, NULL);
    st = st == DD_OK ? dd_system_json(&json, system) : st;
    snprintf(text, size, "%s", json ? json : "");
    dd_system_free(system);
    return st;
}

static void test_analyses(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* velocities are introduced; auxiliary unknowns are; rows are combined */
        "model A Real x[2](start = {1, 0}), lam; equation der(der(x)) = -lam*x; x*x = 1; end A;\n",
        "model B Real x(start = 1), y(start = 1), z; equation der(x)*y + x*der(y) = 2*x*y; x*y = exp(2*time); z = "
        "der(x); end B;\n",
        "model C Real x, y, z; equation der(x) + der(y) = z; x + 2*der(y) + der(x) = 1 + z; z = x + y; end C;\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dd_context *ctx = NULL;
        dd_model *model = NULL;
        static char good[20000], again[20000];
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", texts[i], strlen(texts[i]), NULL), DD_OK);
        assert_int_equal(analyse(ctx, model, good, sizeof good), DD_OK);
        bool reached = true;
        for (uint64_t k = 1; reached; k++) {
            ctx->fail_at = ctx->allocations + k;
            const dd_status st = analyse(ctx, model, again, sizeof again);
            reached = ctx->allocations >= ctx->fail_at;
            ctx->fail_at = 0;
            assert_true(st == DD_OUT_OF_MEMORY || !reached);
            assert_int_equal(analyse(ctx, model, again, sizeof again), DD_OK);
            assert_string_equal(good, again);
        }
        dd_model_free(model);
        dd_context_free(ctx);
    }
}

/* ---- optimizations ---- */

static dd_status optimize(answer *out, const dd_system *system)
{
    out->count = 0;
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 3;
    o.degree = 2;
    dd_ocp *ocp = NULL;
    dd_status st = dd_ocp_new(&ocp, system, &o);
    st = st == DD_OK ? dd_ocp_solve(ocp) : st;
    if (st == DD_OK) {
        note(out, dd_ocp_get_info(ocp).status);
        note(out, dd_ocp_get_info(ocp).objective);
        note(out, dd_ocp_get_info(ocp).iterations);
    }
    dd_ocp_free(ocp);
    return st;
}

static void test_optimizations(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* a start that an input and the start time enter; data of an input would be another file */
        "model M Real x(start = 1, fixed = true), y; input Real u(start = 0.2, min = -1, max = 1); equation der(x) = u "
        "- y;\n"
        "0 = y^3 + y - x - time; end M;\n"
        "optimization O(objectiveIntegrand = x^2 + u^2, startTime = 0.5, finalTime = 1) extends M; end O;\n",
        "model C Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
        "  Real vx(start = 0, fixed = true) = der(x), vy(start = 0, fixed = true) = der(y), lam; input Real u;\n"
        "equation der(vx) = -lam*x - u*y; der(vy) = -lam*y + u*x; 0 = x^2 + y^2 - 1; end C;\n"
        "optimization T(objectiveIntegrand = u^2/2, startTime = 0, finalTime = 1) extends C;\n"
        "constraint y(finalTime) = sin(1); vx(finalTime) = 0; end T;\n",
    };
    enum { STRIDE = 7 };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dd_context *ctx = NULL;
        dd_model *model = NULL;
        dd_system *system = NULL;
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        assert_int_equal(dd_model_load_text(&model, ctx, "m.mop", texts[i], strlen(texts[i]), NULL), DD_OK);
        assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
        answer good = {0}, again = {0};
        assert_int_equal(optimize(&good, system), DD_OK);
        bool reached = true;
        for (uint64_t k = 1; reached; k += STRIDE) {
            ctx->fail_at = ctx->allocations + k;
            optimize(&again, system);
            reached = ctx->allocations >= ctx->fail_at;
            ctx->fail_at = 0;
            assert_int_equal(optimize(&again, system), DD_OK);
            assert_true(same(&good, &again));
        }
        dd_system_free(system);
        dd_model_free(model);
        dd_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_simulations), cmocka_unit_test(test_analyses),
                                       cmocka_unit_test(test_optimizations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
