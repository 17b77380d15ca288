/* sweep_optimize.h - what `daedal optimize` does with a small problem, with one failing allocation: load, analyse, solve
 * twice, JSON, text, table, page and picture. */
#ifndef TEST_FAULT_SWEEP_OPTIMIZE_H
#define TEST_FAULT_SWEEP_OPTIMIZE_H

#include <stdlib.h>
#include <unistd.h>

#include "daedal/optimize.h"
#include "fault/sweep.h"

/* An ordinary problem with rows of all kinds and kinks; an index-3 model whose end rows are partly redundant; data, a free
 * parameter and a kink in a rate; shooting with a kink; several meshes and starts. */
enum { SWEEP_PROBLEMS = 4 };

static const char *const sweep_optimize_texts[SWEEP_PROBLEMS] = {
    "model M Real x(start = 1, fixed = true), y, w; input Real u(min = -1, max = 1); equation der(x) = u - y;\n"
    "0 = y^3 + y - x; w = x + u; end M;\n"
    "optimization O(objective = x(finalTime)^2, objectiveIntegrand = x^2 + u^2 + abs(x - 0.3)/9, startTime = 0,\n"
    "  finalTime(free = true, min = 0.5, max = 2, initialGuess = 1)) extends M;\n"
    "constraint max(w, x) <= 2; x + u >= -2; x(finalTime) >= -1; end O;\n",
    "model C Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
    "  Real vx(start = 0, fixed = true) = der(x), vy(start = 0, fixed = true) = der(y), lam; input Real u;\n"
    "equation der(vx) = -lam*x - u*y; der(vy) = -lam*y + u*x; 0 = x^2 + y^2 - 1; end C;\n"
    "optimization T(objectiveIntegrand = u^2/2, startTime = 0, finalTime = 1) extends C;\n"
    "constraint x(finalTime) = cos(1); y(finalTime) = sin(1); vx(finalTime) = 0; vy(finalTime) = 0; end T;\n",
    "model M parameter Real a = 1; Real x(start = 1), f(start = 0, fixed = true); input Real u(max = 3);\n"
    "equation der(x) = -a*x + u; der(f) = abs(u); end M;\n"
    "optimization O(objective = (x(0.5) - 0.6)^2 + (x(finalTime) - 0.3)^2 + f(finalTime)/99, objectiveIntegrand = "
    "0.01*u^2,\n"
    "  startTime = 0, finalTime = 1) extends M(a(free = true, min = 0, max = 3, initialGuess = 0.5));\n"
    "constraint x(startTime) - x(finalTime) = 0.5; end O;\n",
    "model M Real x(start = 0.2, fixed = true), v(start = 0, fixed = true); input Real u(min = -2, max = 2);\n"
    "equation der(x) = v; der(v) = -sin(3*x) + u; end M;\n"
    "optimization O(objectiveIntegrand = x^2 + u^2 + abs(u)/9, startTime = 0, finalTime = 1) extends M;\n"
    "constraint x <= 0.3; end O;\n",
};

static inline dd_ocp_options sweep_optimize_options(uint32_t problem)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 3;
    o.degree = 2;
    o.multipliers = true;
    o.control = problem < 2 ? DD_OCP_POLYNOMIAL : DD_OCP_CONSTANT;
    o.guess = problem == 0 ? "simulate" : problem == 1 ? "linear" : NULL;
    o.shooting = problem == 3;
    o.multistart = problem == 2 ? 2 : 0;
    o.refine = problem == 0 ? 1e-2 : 0;
    return o;
}

static inline dd_status sweep_optimize_answers(dd_ocp *ocp, const char *path)
{
    const char *text;
    dd_status status = dd_ocp_json(&text, ocp);
    status = status == DD_OK ? dd_ocp_text(&text, ocp, false) : status;
    status = status == DD_OK ? dd_ocp_write_csv(ocp, path) : status;
    status = status == DD_OK ? dd_ocp_write_report(ocp, path) : status;
    return status == DD_OK ? dd_ocp_write_plot(ocp, path, NULL, 0) : status;
}

static inline sweep_result sweep_optimize_run(uint32_t problem, uint64_t fail_at, const char *path)
{
    sweep_objects s;
    dd_ocp *ocp = NULL;
    const dd_ocp_options o = sweep_optimize_options(problem);
    sweep_begin(&s, fail_at, 0);
    sweep_analyse(&s, sweep_optimize_texts[problem], NULL);
    s.status = s.status == DD_OK ? dd_ocp_new(&ocp, s.system, &o) : s.status;
    s.status = s.status == DD_OK ? dd_ocp_solve(ocp) : s.status;
    s.status = s.status == DD_OK && problem == 1 ? dd_ocp_solve(ocp) : s.status;
    s.status = s.status == DD_OK ? sweep_optimize_answers(ocp, path) : s.status;
    dd_ocp_free(ocp);
    return sweep_end(&s);
}

/* Every stride-th allocation of a problem fails. */
static inline void sweep_optimize_all(uint32_t problem, uint64_t stride)
{
    char path[] = "/tmp/daedal-sweep-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    const sweep_result good = sweep_optimize_run(problem, 0, path);
    uint32_t failures = good.status != DD_OK || good.leaked || good.wrong;
    if (failures > 0) {
        fprintf(stderr, "problem %u: %s%s\n", problem, dd_status_name(good.status), good.leaked ? ", leaks" : "");
    }
    for (uint64_t at = 1 + stride / 2; at <= good.allocations && failures < 10; at += stride) {
        const sweep_result r = sweep_optimize_run(problem, at, path);
        if (r.status != DD_OUT_OF_MEMORY || r.leaked || r.wrong) {
            failures++;
            fprintf(stderr, "problem %u: allocation %llu of %llu fails: %s%s%s\n", problem, (unsigned long long)at,
                    (unsigned long long)good.allocations, dd_status_name(r.status), r.leaked ? ", leaks" : "",
                    r.wrong ? ", a block comes back with another size" : "");
        }
    }
    unlink(path);
    print_message("problem %u: %llu allocations\n", problem, (unsigned long long)good.allocations);
    assert_int_equal(failures, 0);
}

#endif
