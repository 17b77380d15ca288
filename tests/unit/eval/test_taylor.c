/* test_taylor.c - Taylor coefficients against closed forms and against repeated total derivatives. */
#include "../expr/dag_support.h"

#include "eval/tape.h"

enum { ORDER = 12, DEPTH_ORDER = 4 };

static double factorial(uint32_t k)
{
    return k < 2 ? 1 : k * factorial(k - 1);
}

/* The series of text for x = x0 + x1*tau (and y = tau + 2). */
static void series_of(dd_dag *dag, dd_pool *pool, const char *text, double x0, double x1, double *out)
{
    dd_expr inputs[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, e = parse(dag, text);
    double in[2 * (ORDER + 1)] = {x0, x1};
    in[ORDER + 1] = 2;
    in[ORDER + 2] = 1;
    dd_tape_eval_taylor(dd_tape_new(pool, dag, inputs, 2, &e, 1), ORDER, in, out);
}

static double exp_1(uint32_t k)
{
    return exp(0.5) / factorial(k);
}
static double sin_0(uint32_t k)
{
    return k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / factorial(k);
}
static double cos_0(uint32_t k)
{
    return k % 2 == 1 ? 0 : (k % 4 == 0 ? 1 : -1) / factorial(k);
}
static double sinh_0(uint32_t k)
{
    return k % 2 == 0 ? 0 : 1 / factorial(k);
}
static double cosh_0(uint32_t k)
{
    return k % 2 == 1 ? 0 : 1 / factorial(k);
}
static double log_1(uint32_t k)
{
    return k == 0 ? 0 : (k % 2 == 1 ? 1.0 : -1.0) / k;
}
static double log10_1(uint32_t k)
{
    return log_1(k) / log(10);
}
static double atan_0(uint32_t k)
{
    return k % 2 == 0 ? 0 : (k % 4 == 1 ? 1.0 : -1.0) / k;
}
static double tan_0(uint32_t k)
{
    static const double c[] = {0, 1, 0, 1.0 / 3, 0, 2.0 / 15, 0, 17.0 / 315, 0, 62.0 / 2835, 0, 1382.0 / 155925, 0};
    return c[k];
}
static double tanh_0(uint32_t k)
{
    return k % 4 == 3 ? -tan_0(k) : tan_0(k);
}
/* (2j)!/(4^j j!^2 (2j+1)) */
static double asin_0(uint32_t k)
{
    uint32_t j = k / 2;
    return k % 2 == 0 ? 0 : factorial(2 * j) / (pow(4, j) * factorial(j) * factorial(j) * (2 * j + 1));
}
static double acos_0(uint32_t k)
{
    return k == 0 ? acos(0) : -asin_0(k);
}
static double binomial(double a, uint32_t k)
{
    return k == 0 ? 1 : binomial(a, k - 1) * (a - k + 1) / k;
}
static double sqrt_1(uint32_t k)
{
    return binomial(0.5, k);
}
static double power_1(uint32_t k)
{
    return binomial(1.7, k);
}
static double inverse_1(uint32_t k)
{
    return k % 2 == 0 ? 1 : -1;
}
static double cube_0(uint32_t k)
{
    return k == 3;
}
static double cube_1(uint32_t k)
{
    return k <= 3 ? binomial(3, k) : 0;
}
static double power_of_zero(uint32_t k)
{
    return k == 6;
}
static double quotient(uint32_t k) /* tau/(1 + tau) */
{
    return k == 0 ? 0 : -inverse_1(k);
}
static double zero(uint32_t k)
{
    (void)k;
    return 0;
}
static double one_tau(uint32_t k)
{
    return k == 1;
}
static double exp_log(uint32_t k) /* (1 + tau)^(2 + tau): from (log f)' = log(1 + tau) + (2 + tau)/(1 + tau) */
{
    double f[ORDER + 1] = {1}, g[ORDER + 1];
    for (uint32_t i = 0; i <= ORDER; i++) {
        g[i] = log_1(i) + (i == 0 ? 2 : 2 * inverse_1(i) + inverse_1(i - 1));
    }
    for (uint32_t i = 1; i <= ORDER; i++) {
        for (uint32_t j = 0; j < i; j++) {
            f[i] += g[j] * f[i - 1 - j] / i;
        }
    }
    return f[k];
}

static void closed_forms(dd_dag *dag, dd_pool *pool)
{
    static const struct {
        const char *text;
        double x0;
        double (*coefficient)(uint32_t k);
    } cases[] = {{"exp(x)", 0.5, exp_1},
                 {"sin(x)", 0, sin_0},
                 {"cos(x)", 0, cos_0},
                 {"sinh(x)", 0, sinh_0},
                 {"cosh(x)", 0, cosh_0},
                 {"log(x)", 1, log_1},
                 {"log10(x)", 1, log10_1},
                 {"atan(x)", 0, atan_0},
                 {"tan(x)", 0, tan_0},
                 {"tanh(x)", 0, tanh_0},
                 {"asin(x)", 0, asin_0},
                 {"acos(x)", 0, acos_0},
                 {"sqrt(x)", 1, sqrt_1},
                 {"x^1.7", 1, power_1},
                 {"1/x", 1, inverse_1},
                 {"x^3", 0, cube_0},
                 {"x^3", 1, cube_1},
                 {"(x^2)^3", 0, power_of_zero},
                 {"(x^4)^1.5", 0, power_of_zero},
                 {"x/(x + 1)", 0, quotient},
                 {"atan2(x, 1)", 0, atan_0},
                 {"atan2(1, x)", 0, acos_0},
                 {"x^y", 1, exp_log},
                 {"sin(x)^2 + cos(x)^2 - 1", 0.3, zero},
                 {"tan(x)*cos(x) - sin(x)", 0.3, zero},
                 {"exp(log(x)*2) - x^2", 1.3, zero},
                 {"log(exp(x)*exp(2*x)) - 3*x", 0.7, zero},
                 {"sinh(x)/cosh(x) - tanh(x)", 0.4, zero},
                 {"asin(sin(x)) - x", 0.4, zero},
                 {"acos(cos(x)) - x", 1.2, zero},
                 {"atan2(3*sin(x), 3*cos(x)) - x", 2, zero},
                 {"x^(-3)*x^2*x - 1", 1.1, zero},
                 {"sqrt(x)^2*sqrt(x) - x^1.5", 1.1, zero},
                 {"abs(-x)", 0.5, NULL},
                 {"min(x, x^2 + 5) - x", 0.5, zero},
                 {"max(x, -x) - x", 0.5, zero},
                 {"mod(x + 7, 3) - x - 1", 0.5, zero},
                 {"floor(x) + ceil(x) + sign(x) - 2", 0.5, zero},
                 {"(if x < 1 then x else 1/(x - 0.5)) - x", 0.5, zero},
                 {"x", 0, one_tau}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double out[ORDER + 1];
        series_of(dag, pool, cases[i].text, cases[i].x0, 1, out);
        for (uint32_t k = 0; k <= ORDER; k++) {
            double c = cases[i].coefficient == acos_0 && cases[i].text[1] == 't' ? (k == 0 ? atan2(1, 0) : -atan_0(k))
                       : cases[i].coefficient == NULL                            ? (k == 0 ? 0.5 : k == 1)
                                                                                 : cases[i].coefficient(k);
            if (!close_to(out[k], c, 1, 1e-12)) {
                fail_msg("%s: coefficient %u is %.17g, not %.17g", cases[i].text, k, out[k], c);
            }
        }
    }
}

/* At a point where no series exists the known part is right and the rest is not a number. */
static void roots_of_zero(dd_dag *dag, dd_pool *pool)
{
    double out[ORDER + 1];
    series_of(dag, pool, "sqrt(x)", 0, 1, out);
    assert_true(out[0] == 0 && isnan(out[1]));
    series_of(dag, pool, "sqrt(4*x^2)", 0, 1, out);
    assert_true(out[0] == 0 && out[1] == 2 && out[2] == 0);
    series_of(dag, pool, "x^2.5", 0, 1, out);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0 && isnan(out[3]));
}

typedef struct jet {
    double coefficient[N_VARS][DEPTH_ORDER + 1];
    double param[N_PARAMS];
} jet;

static double jet_leaf(void *user, dd_op op, uint32_t id, uint32_t order)
{
    const jet *j = user;
    return op == DD_OP_PARAM ? j->param[id] : order <= DEPTH_ORDER ? factorial(order) * j->coefficient[id][order] : 0;
}

static jet random_jet(double *in)
{
    jet j;
    for (uint32_t i = 0; i < N_VARS; i++) {
        for (uint32_t k = 0; k <= DEPTH_ORDER; k++) {
            j.coefficient[i][k] = in[i * (DEPTH_ORDER + 1) + k] = random_between(-1.5, 1.5);
        }
    }
    for (uint32_t i = 0; i < N_PARAMS; i++) {
        j.param[i] = random_between(-1.5, 1.5);
        for (uint32_t k = 0; k <= DEPTH_ORDER; k++) {
            in[(N_VARS + i) * (DEPTH_ORDER + 1) + k] = k == 0 ? j.param[i] : 0;
        }
    }
    return j;
}

/* coefficient k = (k-th total derivative)/k! */
static void total_derivatives(dd_dag *dag, dd_pool *pool)
{
    dd_expr inputs[N_VARS + N_PARAMS];
    uint32_t compared = 0;
    for (uint32_t i = 0; i < N_VARS + N_PARAMS; i++) {
        inputs[i] = i < N_VARS ? dd_var(dag, i, 0) : dd_param(dag, i - N_VARS);
    }
    for (int round = 0; round < 3000; round++) {
        tree_count = 0;
        tree *t = random_tree(1 + random_below(3), round % 2 == 0);
        dd_expr e = tree_to_dag(dag, t);
        double in[(N_VARS + N_PARAMS) * (DEPTH_ORDER + 1)], out[DEPTH_ORDER + 1];
        jet j = random_jet(in);
        point p;
        for (uint32_t i = 0; i < N_VARS; i++) {
            p.var[i] = j.coefficient[i][0];
        }
        memcpy(p.param, j.param, sizeof p.param);
        bool bad = false;
        tree_value(t, &p, &bad);
        if (bad) {
            continue;
        }
        dd_tape_eval_taylor(dd_tape_new(pool, dag, inputs, N_VARS + N_PARAMS, &e, 1), DEPTH_ORDER, in, out);
        dd_expr d = e;
        double largest = 1;
        for (uint32_t k = 0; k <= DEPTH_ORDER; k++) {
            double expected = dag_value(dag, d, jet_leaf, &j) / factorial(k);
            largest = fmax(largest, fabs(expected));
            if (!isfinite(expected) || largest > 1e6) {
                break;
            }
            if (!close_to(out[k], expected, largest, 1e-7)) {
                fail_msg("coefficient %u: series %.17g, derivative %.17g of %s", k, out[k], expected,
                         print_with(dag, e, &plain_namer));
            }
            compared++;
            d = dd_total_derivative(dag, d, NULL, NULL);
        }
    }
    assert_true(compared > 5000);
}

static void orders_may_change(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = parse(dag, "2*exp(x) + 3");
    dd_tape *tape = dd_tape_new(pool, dag, &x, 1, &e, 1);
    static const uint32_t orders[] = {0, 5, 2, 11, 3};
    for (int i = 0; i < 5; i++) {
        double in[12] = {0, 1}, out[12];
        dd_tape_eval_taylor(tape, orders[i], in, out);
        for (uint32_t k = 0; k <= orders[i]; k++) {
            assert_true(close_to(out[k], (k == 0 ? 3 : 0) + 2 / factorial(k), 0, 1e-14));
        }
    }
}

DAG_TEST(closed_forms)
DAG_TEST(roots_of_zero)
DAG_TEST(total_derivatives)
DAG_TEST(orders_may_change)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_roots_of_zero),
        cmocka_unit_test(test_total_derivatives),
        cmocka_unit_test(test_orders_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
