/* test_c_code.c - functions written as C, compiled without a warning by every compiler that is here, against the tape:
 * values, sparse Jacobians, Hessians with weights, sides of `if` that are not defined, long functions in pieces; the same for
 * several points in lanes. */
#include "program_kit.h"

#include <dlfcn.h>
#include <unistd.h>

#include "eval/c_code.h"
#include "eval/derivative.h"
#include "eval/tape.h"

enum { N = N_VARS + N_PARAMS, POINTS = 20, LANES = 2 };

/* What the code around functions in lanes defines. */
static const char lanes_text[] =
    "enum { test_LANES = 2 };\n"
    "typedef double test_v __attribute__((vector_size(16), aligned(8), may_alias));\n"
    "static inline double test_lane(const test_v *v, int l) { return ((const double *)v)[l]; }\n"
    "static inline void test_set_lane(test_v *v, int l, double a) { ((double *)v)[l] = a; }\n"
    "static inline test_v test_every(double a) { const test_v v = {a, a}; return v; }\n"
    "static inline test_v test_each_sin(test_v a) { const test_v v = {sin(a[0]), sin(a[1])}; return v; }\n"
    "static inline test_v test_each_cos(test_v a) { const test_v v = {cos(a[0]), cos(a[1])}; return v; }\n"
    "double test_use(void);\n"
    "double test_use(void)\n"
    "{\n"
    "    test_v v = test_each_sin(test_each_cos(test_every(1.0)));\n"
    "    test_set_lane(&v, 0, 2.0);\n"
    "    return test_lane(&v, 0);\n"
    "}\n";

static const char *const compilers[] = {"gcc", "clang"};
static const char flags[] = "-std=c99 -O1 -Wall -Wextra -Werror -Wdouble-promotion -Wconversion -pedantic";

typedef void (*compiled)(const double *x, const double *p, double *out);

/* The function f of the text, by a compiler; NULL when there is no such compiler. */
static compiled compile(const char *compiler, const char *text, void **library)
{
    char source[64], object[64], command[512];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", compiler);
    if (system(command) != 0) {
        return NULL;
    }
    snprintf(source, sizeof source, "/tmp/dd_c_code_%d.c", (int)getpid());
    snprintf(object, sizeof object, "/tmp/dd_c_code_%d.so", (int)getpid());
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "%s %s -shared -fPIC -o %s %s -lm", compiler, flags, object, source);
    if (system(command) != 0) {
        fail_msg("%s does not accept the code without a warning", compiler);
    }
    *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(*library);
    compiled f;
    *(void **)&f = dlsym(*library, "test_f");
    unlink(source);
    unlink(object);
    return f;
}

static void leaves(dd_dag *dag, dd_expr *inputs)
{
    for (uint32_t i = 0; i < N; i++) {
        inputs[i] = i < N_VARS ? dd_var(dag, i, 0) : dd_param(dag, i - N_VARS);
    }
}

static const char *c_text(dd_dag *dag, dd_pool *pool, const dd_expr *inputs, const dd_expr *outputs, uint32_t m,
                          uint32_t lanes)
{
    const dd_c_argument arguments[] = {{"x", inputs, N_VARS, false}, {"p", inputs + N_VARS, N_PARAMS, false}};
    const dd_c_result result = {"out", outputs, m};
    dd_c_writer w = dd_c_writer_new(pool, dag, "test");
    dd_c_add_function(&w, &(dd_c_function){.name = "test_f",
                                           .comment = "a test",
                                           .lanes = lanes,
                                           .arguments = arguments,
                                           .n_arguments = 2,
                                           .results = &result,
                                           .n_results = 1});
    dd_text out = dd_text_new(pool);
    dd_text_add(&out, "#include <math.h>\n");
    dd_text_add(&out, lanes > 0 ? lanes_text : "");
    dd_text_add(&out, dd_text_str(&w.prototypes));
    dd_c_helpers(&w, &out);
    dd_text_add(&out, dd_text_str(&w.code));
    return dd_text_str(&out);
}

/* The code at random points, LANES of them at a time where it is in lanes. */
static void run_code(compiled f, bool lanes, const double *in, double *out, uint32_t m, double *memory)
{
    double x[N_VARS * LANES];
    if (!lanes) {
        f(in, in + N_VARS, out);
        return;
    }
    for (uint32_t i = 0; i < N_VARS * LANES; i++) { /* the point is the last lane */
        x[i] = i % LANES == LANES - 1 ? in[i / LANES] : 0.7 * in[i / LANES] - 0.1;
    }
    f(x, in + N_VARS, memory);
    for (uint32_t i = 0; i < m; i++) {
        out[i] = memory[i * LANES + LANES - 1];
    }
}

/* The code and the tape: the same operations in the same order, so the same numbers up to what the compiler's own constants make
 * of functions. */
static void compare_as(dd_dag *dag, dd_pool *pool, const dd_expr *outputs, uint32_t m, bool lanes)
{
    dd_expr inputs[N];
    leaves(dag, inputs);
    const char *text = c_text(dag, pool, inputs, outputs, m, lanes ? 1 : 0);
    double *memory = dd_pool_alloc_array(pool, (size_t)m * LANES + 1, sizeof *memory);
    dd_tape *tape = dd_tape_new(pool, dag, inputs, N, outputs, m);
    double *truth = dd_pool_alloc_array(pool, 3 * (size_t)m + 1, sizeof *truth), *size = truth + m, *out = size + m;
    uint32_t compared = 0;
    for (size_t k = 0; k < sizeof compilers / sizeof *compilers; k++) {
        void *library = NULL;
        compiled f = compile(compilers[k], text, &library);
        for (uint32_t round = 0; f && round < POINTS; round++) {
            double in[N];
            for (uint32_t i = 0; i < N; i++) {
                in[i] = random_between(-2, 2);
            }
            dd_tape_eval_magnitude(tape, in, NULL, truth, size);
            run_code(f, lanes, in, out, m, memory);
            for (uint32_t i = 0; i < m; i++) {
                compared += isfinite(truth[i]);
                if (ulps(out[i], truth[i]) > 4 && !(fabs(out[i] - truth[i]) <= 1e-14 * size[i]) &&
                    !(isnan(out[i]) && isnan(truth[i])) && truth[i] != out[i]) {
                    fail_msg("%s: %.17g, tape %.17g: %s", compilers[k], out[i], truth[i],
                             print_with(dag, outputs[i], &plain_namer));
                }
            }
        }
        if (f) {
            dlclose(library);
        }
    }
    assert_true(compared > m);
}

static void compare(dd_dag *dag, dd_pool *pool, const dd_expr *outputs, uint32_t m)
{
    compare_as(dag, pool, outputs, m, false);
    compare_as(dag, pool, outputs, m, true);
}

static void random_outputs(dd_dag *dag, dd_expr *outputs, uint32_t m, uint32_t depth)
{
    for (uint32_t i = 0; i < m; i++) {
        tree_count = 0;
        outputs[i] = tree_to_dag(dag, random_tree(1 + random_below(depth), false));
    }
}

static void values(dd_dag *dag, dd_pool *pool)
{
    enum { M = 400 };
    dd_expr outputs[M];
    random_outputs(dag, outputs, M, 6);
    compare(dag, pool, outputs, M);
}

static void derivatives(dd_dag *dag, dd_pool *pool)
{
    enum { M = 12 };
    dd_expr outputs[M], inputs[N], weights[M];
    leaves(dag, inputs);
    random_outputs(dag, outputs, M, 4);
    dd_derivative *jacobian = dd_jacobian_new(pool, dag, outputs, M, inputs, N_VARS);
    compare(dag, pool, jacobian->entries, jacobian->ptr[N_VARS]);
    for (uint32_t i = 0; i < M; i++) {
        weights[i] = inputs[N_VARS + i % N_PARAMS];
    }
    dd_derivative *hessian = dd_hessian_new(pool, dag, outputs, weights, M, inputs, N_VARS);
    compare(dag, pool, hessian->entries, hessian->ptr[N_VARS]);
}

/* if x > 0 then log(x) else (if y < x then sqrt(-x)/(y - x) else 1/x^5): nothing is evaluated where it is not taken,
 * which the C functions could be seen by: no exception is raised. Plain numbers, inputs and infinities as outputs. */
static void sides(dd_dag *dag, dd_pool *pool)
{
    const char *const text[] = {"if x > 0 then log(x)*y + log(x) else 2*sqrt(-x) + sqrt(-x)/(y - x)",
                                "if y < x and not (z > 1 or z < -1) then atan2(x, y)^5 else mod(x, y)",
                                "sign(x)*min(x, y) - max(y, z)*floor(z) + ceil(z) + abs(u)",
                                "if x > 0 then (if y > 0 then log(x*y) + x else log(-x*y) - y) else x^7 + y^(-4)",
                                "x",
                                "a",
                                "3",
                                "-0.1"};
    enum { M = sizeof text / sizeof *text };
    dd_expr outputs[M + 1];
    for (uint32_t i = 0; i < M; i++) {
        reader r = {dag, text[i]};
        outputs[i] = read_expr(&r);
    }
    outputs[M] = dd_num(dag, INFINITY);
    compare(dag, pool, outputs, M + 1);
    /* the branch not taken is inside braces, not before the condition */
    dd_expr inputs[N];
    leaves(dag, inputs);
    const char *code = c_text(dag, pool, inputs, outputs, 1, 0), *branch = strstr(code, "if (");
    assert_non_null(branch);
    assert_true(strstr(code, "log(") > branch && strstr(code, "sqrt(") > branch);
}

/* Without choices, in pieces that share values of lanes and of parameters alone. */
static void lanes(dd_dag *dag, dd_pool *pool)
{
    enum { M = 240 };
    dd_expr outputs[M], inputs[N];
    leaves(dag, inputs);
    for (uint32_t i = 0; i < M; i++) {
        const char *text =
            i == 0   ? "a*a + sqrt(a*a + 1)"
            : i == 1 ? "3"
            : i == 2
                ? "z"
                : dd_pool_printf(pool,
                                 "(sin(x*y + a) + cos(%u*x - y))*exp(-0.%u*z) + (a + %u)^2*x^7 - abs(z)*sqrt(x^2 + "
                                 "%u)/(1 + a^2) + (1 + x^2)^1.5 + a*a",
                                 i % 7, i, i % 11, i);
        reader r = {dag, text};
        outputs[i] = read_expr(&r);
    }
    compare_as(dag, pool, outputs, M, true);
    const char *code = c_text(dag, pool, inputs, outputs, M, 1);
    assert_null(strstr(code, "test_f_one"));
    assert_non_null(strstr(code, "test_f_part2"));
    assert_non_null(strstr(code, "test_every("));
}

DAG_TEST(values)
DAG_TEST(lanes)
DAG_TEST(derivatives)
DAG_TEST(sides)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_derivatives), cmocka_unit_test(test_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
