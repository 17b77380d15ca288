/* Threads: the same numbers, byte for byte, whatever their number; and functions that are shared out do what one thread
 * does at every point. */
#include "ocp/elements_impl.h"
#include "ocp_kit.h"

/* A cart with a pole: long enough for a team at 2400 points. */
static const char *const cart_pole =
    "optimization Swing(objectiveIntegrand = u^2, startTime = 0, finalTime = 2)\n"
    "  Real x(start = 0, fixed = true, min = -2, max = 2, initialGuess = time/2), v(start = 0, fixed = true);\n"
    "  Real q(start = 0, fixed = true, initialGuess = 1.5*time), w(start = 0, fixed = true);\n"
    "  input Real u(min = -20, max = 20, initialGuess = 0);\n"
    "equation\n"
    "  der(x) = v;\n"
    "  der(q) = w;\n"
    "  der(v) = (0.15*sin(q)*w^2 + u + 2.943*cos(q)*sin(q))/(1 + 0.3*sin(q)^2);\n"
    "  der(w) = -(0.15*cos(q)*sin(q)*w^2 + u*cos(q) + 12.753*sin(q))/(0.5 + 0.15*sin(q)^2);\n"
    "constraint\n"
    "  x(finalTime) = 1; q(finalTime) = 3.14159265358979324; v(finalTime) = 0; w(finalTime) = 0;\n"
    "end Swing;\n";

enum { MASSES = 6, TEXT = 4000 };

/* Masses in a row between stiffening springs, brought to rest from a shifted start: enough work for threads in every
 * part of a solve. */
static const char *masses(void)
{
    static char text[TEXT];
    size_t used = 0;
#define ADD(...) used += (size_t)snprintf(text + used, TEXT - used, __VA_ARGS__)
    ADD("optimization Rest(objectiveIntegrand = 0.1*u^2 + x1^2 + x%d^2, startTime = 0, finalTime = 5)\n", MASSES);
    for (int i = 1; i <= MASSES; i++) {
        ADD("  Real x%d(start = %g, fixed = true), v%d(start = 0, fixed = true, min = -3, max = 3);\n", i, 0.2 * i, i);
    }
    ADD("  input Real u(min = -2, max = 2);\nequation\n");
    for (int i = 1; i <= MASSES; i++) {
        ADD("  der(x%d) = v%d;\n  der(v%d) = ", i, i, i);
        if (i == 1) {
            ADD("-x1 - x1^3");
        } else {
            ADD("-(x%d - x%d) - (x%d - x%d)^3", i, i - 1, i, i - 1);
        }
        if (i < MASSES) {
            ADD(" + (x%d - x%d) + (x%d - x%d)^3;\n", i + 1, i, i + 1, i);
        } else {
            ADD(" + u;\n");
        }
    }
    ADD("end Rest;\n");
#undef ADD
    return text;
}

static kit solve_text(const char *text, uint32_t intervals, uint32_t threads)
{
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = intervals;
    options.solver = "daedal";
    options.threads = threads;
    return kit_solve("m.mop", text, &options);
}

static kit solve_with(uint32_t threads)
{
    return solve_text(cart_pole, 800, threads);
}

static void same_bytes(const char *text, uint32_t intervals)
{
    kit one = solve_text(text, intervals, 1);
    assert_int_equal(one.info.status, DD_OCP_OPTIMAL);
    const dd_nlp *nlp = one.ocp->transcription->nlp;
    assert_null(one.ocp->team);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        kit several = solve_text(text, intervals, threads);
        assert_non_null(several.ocp->team);
        assert_true(several.ocp->transcription->elements->jacobian_parts.count > 1);
        assert_int_equal(several.info.iterations, one.info.iterations);
        assert_memory_equal(several.ocp->result.x, one.ocp->result.x, nlp->n * sizeof(double));
        assert_memory_equal(several.ocp->result.lambda, one.ocp->result.lambda, nlp->m * sizeof(double));
        kit_free(&several);
    }
    kit_free(&one);
}

static void test_same_bytes(void **state)
{
    (void)state;
    same_bytes(cart_pole, 800);
    same_bytes(masses(), 500);
}

/* Values and derivatives at one point, by teams of different sizes. */
static void test_functions(void **state)
{
    (void)state;
    kit one = solve_with(1), three = solve_with(3);
    const dd_nlp *a = one.ocp->transcription->nlp, *b = three.ocp->transcription->nlp;
    size_t most = (size_t)a->jacobian_nnz + a->hessian_nnz + a->n + a->m;
    double *va = calloc(most, sizeof *va), *vb = calloc(most, sizeof *vb), *y = one.ocp->result.x;
    const double *lambda = one.ocp->result.lambda;
    const dd_point_family *f = &three.ocp->transcription->elements->families.data[three.ocp->transcription->dynamics];
    assert_true(f->first.helpers != NULL && f->second.helpers != NULL);
    double fa = 0, fb = 1;
    assert_true(a->objective(a->user, y, true, &fa) && b->objective(b->user, y, true, &fb));
    assert_memory_equal(&fa, &fb, sizeof fa);
    assert_true(a->constraints(a->user, y, false, va) && b->constraints(b->user, y, false, vb));
    assert_memory_equal(va, vb, a->m * sizeof *va);
    assert_true(a->jacobian(a->user, y, false, va) && b->jacobian(b->user, y, false, vb));
    assert_memory_equal(va, vb, a->jacobian_nnz * sizeof *va);
    assert_true(a->hessian(a->user, y, false, 1, lambda, va) && b->hessian(b->user, y, false, 1, lambda, vb));
    assert_memory_equal(va, vb, a->hessian_nnz * sizeof *va);
    free(va);
    free(vb);
    kit_free(&one);
    kit_free(&three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
