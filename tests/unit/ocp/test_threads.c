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

static kit solve_with(uint32_t threads)
{
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 800;
    options.solver = "daedal";
    options.threads = threads;
    return kit_solve("m.mop", cart_pole, &options);
}

static void test_same_bytes(void **state)
{
    (void)state;
    kit one = solve_with(1);
    assert_int_equal(one.info.status, DD_OCP_OPTIMAL);
    const dd_nlp *nlp = one.ocp->transcription->nlp;
    assert_null(one.ocp->team);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        kit several = solve_with(threads);
        assert_non_null(several.ocp->team);
        assert_int_equal(several.info.iterations, one.info.iterations);
        assert_memory_equal(several.ocp->result.x, one.ocp->result.x, nlp->n * sizeof(double));
        assert_memory_equal(several.ocp->result.lambda, one.ocp->result.lambda, nlp->m * sizeof(double));
        kit_free(&several);
    }
    kit_free(&one);
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
