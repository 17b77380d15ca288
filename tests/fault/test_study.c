/* Studies with one failing allocation: what was made is freed, and the failure is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "daedal/daedal.h"
#include "fault/sweep.h"

static const char *const text =
    "model P Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lam;\n"
    "equation der(x) = u; der(y) = v; der(u) = -lam*x; der(v) = -lam*y - 1; x^2 + y^2 = 1; end P;\n"
    "optimization O(objectiveIntegrand = a^2, startTime = 0, finalTime = 1) Real s(start = 0, fixed = true); input "
    "Real a;\n"
    "equation der(s) = a; constraint s(finalTime) = 1; end O;\n";

typedef struct sweep_case {
    const char *model; /* NULL: none */
    dd_study_kind kind;
    const char *methods, *exact;
} sweep_case;

static const sweep_case cases[] = {{"P", DD_STUDY_ORDER, "rk4,radau-2", NULL},
                                   {"P", DD_STUDY_ORDER, "rk4", "x^2 + y^2 = 1"},
                                   {"P", DD_STUDY_WORK, "rk4,radau", NULL},
                                   {"P", DD_STUDY_DRIFT, "rk4", NULL},
                                   {"P", DD_STUDY_LOCAL, "euler", NULL},
                                   {"O", DD_STUDY_ORDER, "radau-2", NULL},
                                   {NULL, DD_STUDY_NODES, "equispaced,gauss", NULL},
                                   {NULL, DD_STUDY_SPECTRA, "radau-3,lobatto-3", NULL},
                                   {NULL, DD_STUDY_REGIONS, "rk4,bdf-2", NULL}};

static dd_status write_all(dd_study *study, const char *path)
{
    const char *unused;
    dd_status st = dd_study_run(study);
    st = st == DD_OK ? dd_study_json(&unused, study) : st;
    st = st == DD_OK ? dd_study_text(&unused, study, true) : st;
    st = st == DD_OK ? dd_study_write_csv(study, path) : st;
    st = st == DD_OK ? dd_study_write_plot(study, path) : st;
    return st == DD_OK ? dd_study_write_report(study, path) : st;
}

static sweep_result run(const sweep_case *c, uint64_t fail_at, const char *path)
{
    sweep_objects s;
    dd_study *study = NULL;
    dd_study_options o = dd_study_options_default();
    o.kind = c->kind;
    o.methods = c->methods;
    o.exact = &c->exact;
    o.n_exact = c->exact != NULL;
    o.steps = c->kind == DD_STUDY_ORDER || c->kind == DD_STUDY_WORK ? "0.2,0.1,0.05" : NULL;
    o.tols = c->kind == DD_STUDY_WORK ? "1e-3,1e-4" : NULL;
    o.degrees = c->kind == DD_STUDY_NODES ? "2,4" : NULL;
    o.sim.step = c->kind == DD_STUDY_DRIFT || c->kind == DD_STUDY_LOCAL ? 0.2 : 0;
    if (c->model != NULL && strcmp(c->model, "O") == 0) {
        o.steps = NULL;
        o.intervals = "2,4,8";
    }
    sweep_begin(&s, fail_at, 0);
    if (c->model != NULL) {
        sweep_analyse(&s, text, c->model);
    }
    s.status = s.status == DD_OK ? dd_study_new(&study, s.ctx, s.system, &o) : s.status;
    s.status = s.status == DD_OK ? write_all(study, path) : s.status;
    dd_study_free(study);
    return sweep_end(&s);
}

static void test_sweep(void **state)
{
    (void)state;
    enum { RUNS = 400 }; /* of each case: spread over all its allocations */
    char path[64];
    snprintf(path, sizeof path, "/tmp/daedal-study-%ld", (long)getpid());
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sweep_result whole = run(&cases[k], 0, path);
        assert_int_equal(whole.status, DD_OK);
        const uint64_t stride = whole.allocations / RUNS + 1;
        for (uint64_t n = 1; n <= whole.allocations; n += stride) {
            const sweep_result r = run(&cases[k], n, path);
            if (!(r.status == DD_OUT_OF_MEMORY || r.status == DD_OK) || r.leaked || r.wrong) {
                fail_msg("case %zu, allocation %llu: %s, leaked %d, wrong %d", k, (unsigned long long)n,
                         dd_status_name(r.status), r.leaked, r.wrong);
            }
        }
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
