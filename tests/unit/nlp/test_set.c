/* The set of small problems: every verdict of our solver is right, every optimum as known, and derivatives of the
 * formulas agree with differences. With the name of a solver as argument: its table, without a judgement. */
#include "unit/nlp/set/classic.h"
#include "unit/nlp/set/further.h"
#include "unit/nlp/set/hard.h"
#include "unit/nlp/set/linear.h"
#include "unit/nlp/set/run.h"

static void run_lists(set_tally *sum, const char *solver)
{
    set_print_head(solver);
    set_run_all(sum, solver, classic_problems, SET_COUNT(classic_problems));
    set_run_all(sum, solver, linear_problems, SET_COUNT(linear_problems));
    set_run_all(sum, solver, hard_problems, SET_COUNT(hard_problems));
    set_run_all(sum, solver, further_problems, SET_COUNT(further_problems));
    set_print_sum(sum);
}

static void test_verdicts(void **state)
{
    (void)state;
    set_tally sum = {0};
    run_lists(&sum, "daedal");
    assert_true(sum.problems >= 60);
    assert_int_equal(sum.wrong, 0);
}

/* ---- derivatives of the formulas ---- */

enum { MOST_N = 10, MOST_M = 10 };

typedef struct slopes {
    double gradient[MOST_N], jacobian[MOST_M][MOST_N];
} slopes;

/* Gradient and Jacobian, dense. False: no value there. */
static bool slopes_at(formula *f, const double *x, slopes *out)
{
    const dd_nlp *nlp = &f->nlp;
    double values[400];
    assert_true(nlp->n <= MOST_N && nlp->m <= MOST_M && nlp->jacobian_nnz <= 400);
    memset(out, 0, sizeof *out);
    if (!nlp->gradient(f, x, true, out->gradient) || !nlp->jacobian(f, x, true, values)) {
        return false;
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        out->jacobian[nlp->jacobian_row[k]][nlp->jacobian_col[k]] += values[k];
    }
    return true;
}

static void compare(const char *name, double exact, double difference, double size)
{
    if (!(fabs(exact - difference) <= 1e-4 * fmax(1, size))) {
        fail_msg("%s: derivative %.10g, difference %.10g", name, exact, difference);
    }
}

/* Column `i` of Jacobian and Hessian by central differences: of values, and of gradients. */
static bool column_fits(const char *name, formula *f, double *x, uint32_t i, const double *dense)
{
    const dd_nlp *nlp = &f->nlp;
    const double at = x[i], h = 1e-5 * fmax(fabs(at), 1e-2);
    double plus[MOST_M + 1], minus[MOST_M + 1];
    slopes here, up, down;
    bool ok = slopes_at(f, x, &here);
    x[i] = at + h;
    ok = ok && nlp->objective(f, x, true, plus) && nlp->constraints(f, x, true, plus + 1) && slopes_at(f, x, &up);
    x[i] = at - h;
    ok = ok && nlp->objective(f, x, true, minus) && nlp->constraints(f, x, true, minus + 1) && slopes_at(f, x, &down);
    x[i] = at;
    if (!ok) {
        return false;
    }
    compare(name, here.gradient[i], (plus[0] - minus[0]) / (2 * h), fabs(plus[0]) + fabs(here.gradient[i]));
    for (uint32_t r = 0; r < nlp->m; r++) {
        compare(name, here.jacobian[r][i], (plus[r + 1] - minus[r + 1]) / (2 * h),
                fabs(plus[r + 1]) + fabs(here.jacobian[r][i]));
    }
    /* gradients of f + sum of (r + 2) c_r */
    for (uint32_t j = 0; j < nlp->n; j++) {
        double difference = up.gradient[j] - down.gradient[j], size = fabs(up.gradient[j]);
        for (uint32_t r = 0; r < nlp->m; r++) {
            difference += (r + 2) * (up.jacobian[r][j] - down.jacobian[r][j]);
            size += (r + 2) * fabs(up.jacobian[r][j]);
        }
        compare(name, dense[i * MOST_N + j], difference / (2 * h), size + fabs(dense[i * MOST_N + j]));
    }
    return true;
}

static uint32_t derivatives_fit(const set_problem *p)
{
    formula *f = set_formula(p);
    const dd_nlp *nlp = &f->nlp;
    double x[MOST_N], lambda[MOST_M], dense[MOST_N * MOST_N] = {0};
    double *values = calloc(nlp->hessian_nnz + 1, sizeof *values);
    uint32_t compared = 0;
    /* beside the start, where most is special */
    for (uint32_t i = 0; i < p->n; i++) {
        x[i] = f->start[i] + 0.01 * fmax(1, fabs(f->start[i])) * sin(1 + 3. * i);
    }
    for (uint32_t r = 0; r < nlp->m; r++) {
        lambda[r] = r + 2;
    }
    bool ok = nlp->hessian(f, x, true, 1, lambda, values);
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        uint32_t i = nlp->hessian_row[k], j = nlp->hessian_col[k];
        assert_true(i >= j);
        dense[i * MOST_N + j] += values[k];
        dense[j * MOST_N + i] += i != j ? values[k] : 0;
    }
    for (uint32_t i = 0; ok && i < p->n; i++) {
        compared += column_fits(p->name, f, x, i, dense) ? 1 : 0;
    }
    free(values);
    formula_free(f);
    return compared;
}

static void test_derivatives(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (size_t i = 0; i < SET_COUNT(classic_problems); i++) {
        compared += derivatives_fit(&classic_problems[i]);
    }
    for (size_t i = 0; i < SET_COUNT(linear_problems); i++) {
        compared += derivatives_fit(&linear_problems[i]);
    }
    for (size_t i = 0; i < SET_COUNT(hard_problems); i++) {
        compared += derivatives_fit(&hard_problems[i]);
    }
    assert_true(compared > 400);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        set_tally sum = {0};
        run_lists(&sum, argv[1]);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_verdicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
