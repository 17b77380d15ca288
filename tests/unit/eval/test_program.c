/* test_program.c - programs against the evaluator of plain trees, by every way of evaluating them; operations at the edges
 * of their domains; selections whose other side is undefined; constants, frozen relations, injected NaN, large programs
 * with few registers. */
#include "program_kit.h"

#include "eval/tape.h"

enum { ROUNDS = 300, M = 24, N = N_VARS + N_PARAMS };

/* ---- random expressions ---- */

typedef struct random_case {
    dd_dag *dag;
    dd_expr outputs[M];
    double truth[M * LD], magnitude[M * LD]; /* NaN where not defined */
    uint32_t defined;
} random_case;

static void leaves(dd_dag *dag, dd_expr *inputs)
{
    for (uint32_t i = 0; i < N; i++) {
        inputs[i] = i < N_VARS ? dd_var(dag, i, 0) : dd_param(dag, i - N_VARS);
    }
}

static void random_points(double *all, point *points, bool same_params)
{
    for (uint32_t k = 0; k < MOST_LANES; k++) {
        points[k] = random_point();
        for (uint32_t i = 0; i < N; i++) {
            if (same_params && i >= N_VARS) {
                points[k].param[i - N_VARS] = points[0].param[i - N_VARS];
            }
            all[i * LD + k] = i < N_VARS ? creal(points[k].var[i]) : points[k].param[i - N_VARS];
        }
    }
}

static void make_case(random_case *c, dd_pool *pool, const double *all, const point *points)
{
    tree *trees[M];
    dd_expr inputs[N];
    tree_count = 0;
    leaves(c->dag, inputs);
    for (int i = 0; i < M; i++) {
        trees[i] = random_tree(1 + random_below(5), false);
        c->outputs[i] = tree_to_dag(c->dag, trees[i]);
    }
    dd_tape *tape = dd_tape_new(pool, c->dag, inputs, N, c->outputs, M);
    for (uint32_t k = 0; k < MOST_LANES; k++) {
        double in[N], out[M], magnitude[M];
        for (uint32_t i = 0; i < N; i++) {
            in[i] = all[i * LD + k];
        }
        dd_tape_eval_magnitude(tape, in, NULL, out, magnitude);
        for (uint32_t i = 0; i < M; i++) {
            bool bad = false;
            double truth = creal(tree_value(trees[i], &points[k], &bad));
            c->truth[i * LD + k] = bad ? NAN : truth;
            c->magnitude[i * LD + k] = magnitude[i];
        }
    }
}

static void check_random(void *user, uint32_t output, uint32_t lane, dd_simd simd, double batch, double alone)
{
    random_case *c = user;
    uint32_t at = output * LD + lane;
    double magnitude = c->magnitude[at];
    if (simd == DD_SIMD_PORTABLE && ulps(batch, alone) != 0) { /* the same library functions: the same numbers */
        fail_msg("portable %.17g, alone %.17g: %s", batch, alone, print_with(c->dag, c->outputs[output], &plain_namer));
    }
    if (isnan(c->truth[at])) {
        return;
    }
    c->defined++;
    if (!close_to(alone, c->truth[at], 1e-3, 1e-9) && !close_to(alone, c->truth[at], magnitude, 1e-11)) {
        fail_msg("%.17g, tree %.17g: %s", alone, c->truth[at], print_with(c->dag, c->outputs[output], &plain_namer));
    }
    if (ulps(batch, alone) > 8 && !close_to(batch, alone, magnitude, 1e-13) && !close_to(batch, alone, 1e-3, 1e-9)) {
        fail_msg("%s: %.17g, alone %.17g: %s", dd_simd_name(simd), batch, alone,
                 print_with(c->dag, c->outputs[output], &plain_namer));
    }
}

static void random_expressions(dd_dag *dag, dd_pool *pool)
{
    random_case *c = dd_pool_alloc(pool, sizeof *c);
    dd_expr inputs[N];
    uint32_t spilled = 0;
    c->dag = dag;
    leaves(dag, inputs);
    for (int round = 0; round < ROUNDS; round++) {
        dd_pool *scratch = dd_pool_child(pool);
        double all[N * LD], alone[M * LD];
        point points[MOST_LANES];
        bool constants = round % 2 == 1;
        random_points(all, points, constants);
        make_case(c, scratch, all, points);
        dd_program_spec spec = {.inputs = inputs, .n_inputs = N, .outputs = c->outputs, .n_outputs = M};
        if (constants) {
            spec.n_inputs = N_VARS;
            spec.constants = inputs + N_VARS;
            spec.n_constants = N_PARAMS;
        }
        spec.most_registers = round % 3 == 0 ? 32 : 0;
        spec.factor = round % 4 >= 2;
        dd_program *program = dd_program_new(scratch, dag, &spec);
        spilled += dd_program_get_info(program).spills > 0;
        dd_program_work *work = new_work(scratch, program, MOST_LANES);
        if (constants) {
            dd_program_set_constants(work, points[0].param);
        }
        by_every_way(work, all, spec.n_inputs, alone, M, check_random, c);
        dd_program_work_free(work);
        dd_pool_free(scratch);
    }
    assert_true(c->defined > ROUNDS * M * 17 && spilled > ROUNDS / 6);
}

/* ---- every operation at the edges ---- */

static const double edges[] = {0.0,    -0.0,    1,      -1,       0.5,  -0.5,      2,     -2,    3,
                               1e-308, -1e-308, 5e-324, -5e-324,  1e-9, -1e-9,     700,   -700,  710,
                               -745,   746,     1e5,    -1e5,     1e15, 1e18,      1e22,  -1e22, 1e155,
                               -1e155, 1.5e308, -1e308, INFINITY, NAN,  -INFINITY, 0.999, 1.001, 1e3,
                               M_PI_2, -M_PI_2, M_PI,   0.1,      7.25, -7.25,     4.0,   1e-5};
enum { N_EDGES = sizeof edges / sizeof *edges };

typedef struct edge_case {
    const char *name;
    const double *all;
    double worst;
} edge_case;

static void check_edge(void *user, uint32_t output, uint32_t lane, dd_simd simd, double batch, double alone)
{
    edge_case *c = user;
    (void)output;
    double distance = ulps(batch, alone);
    c->worst = fmax(c->worst, distance);
    if (distance > (simd == DD_SIMD_PORTABLE ? 0 : 4)) {
        fail_msg("%s(%.17g, %.17g), %s: %.17g, alone %.17g", c->name, c->all[lane], c->all[LD + lane],
                 dd_simd_name(simd), batch, alone);
    }
}

static void check_operation(dd_dag *dag, dd_pool *pool, const char *name, dd_expr e, double (*truth)(double, double))
{
    dd_expr inputs[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)};
    dd_pool *scratch = dd_pool_child(pool);
    dd_program_work *work = new_work(scratch, simple_program(scratch, dag, inputs, 2, &e, 1), MOST_LANES);
    double all[2 * LD] = {0}, alone[LD];
    edge_case c = {name, all, 0};
    for (uint32_t shift = 0; shift < N_EDGES; shift++) {
        for (uint32_t from = 0; from < N_EDGES; from += MOST_LANES) {
            for (uint32_t k = 0; k < MOST_LANES; k++) {
                all[k] = edges[(from + k) % N_EDGES];
                all[LD + k] = edges[(from + k + shift) % N_EDGES];
            }
            by_every_way(work, all, 2, alone, 1, check_edge, &c);
            for (uint32_t k = 0; k < MOST_LANES && truth != NULL; k++) {
                double expected = truth(all[k], all[LD + k]);
                if (ulps(alone[k], expected) > 1) {
                    fail_msg("%s(%g, %g) = %.17g, not %.17g", name, all[k], all[LD + k], alone[k], expected);
                }
            }
        }
    }
    dd_program_work_free(work);
    dd_pool_free(scratch);
}

static double true_modulo(double a, double b)
{
    return a - floor(a / b) * b;
}
static double true_min(double a, double b)
{
    return a <= b ? a : b;
}
static double true_max(double a, double b)
{
    return b <= a ? a : b;
}
static double true_less(double a, double b)
{
    return a < b;
}
static double true_difference(double a, double b)
{
    return a != b;
}
static double true_quotient(double a, double b)
{
    return a / b;
}
static double true_product(double a, double b)
{
    return a * b;
}
static double true_sum(double a, double b)
{
    return a + b;
}
static double true_selection(double a, double b)
{
    return a < b ? b - a : a * b;
}

static void operations_at_the_edges(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), y = dd_var(dag, 1, 0);
    for (dd_op op = DD_OP_SIN; op <= DD_OP_CEIL; op++) {
        check_operation(dag, pool, dd_op_name(op), dd_unary(dag, op, x), NULL);
    }
    check_operation(dag, pool, "sqrt", dd_sqrt(dag, x), NULL);
    check_operation(dag, pool, "inverse", parse(dag, "1/x"), NULL);
    check_operation(dag, pool, "atan2", dd_binary(dag, DD_OP_ATAN2, x, y), atan2);
    check_operation(dag, pool, "pow", dd_pow(dag, x, y), pow);
    check_operation(dag, pool, "mod", dd_binary(dag, DD_OP_MOD, x, y), true_modulo);
    check_operation(dag, pool, "min", dd_binary(dag, DD_OP_MIN, x, y), true_min);
    check_operation(dag, pool, "max", dd_binary(dag, DD_OP_MAX, x, y), true_max);
    check_operation(dag, pool, "<", dd_binary(dag, DD_OP_LT, x, y), true_less);
    check_operation(dag, pool, "<>", dd_binary(dag, DD_OP_NE, x, y), true_difference);
    check_operation(dag, pool, "/", dd_div(dag, x, y), true_quotient);
    check_operation(dag, pool, "*", dd_mul(dag, x, y), true_product);
    check_operation(dag, pool, "+", dd_add(dag, x, y), true_sum);
    check_operation(dag, pool, "if", parse(dag, "if x < y then y - x else x*y"), true_selection);
    check_operation(dag, pool, "and", parse(dag, "if x < y and not y < 2 or x == 3 then 1 else 0"), NULL);
}

static void check_same(void *user, uint32_t output, uint32_t lane, dd_simd simd, double batch, double alone)
{
    const double *truth = user;
    if (!close_to(batch, truth[lane], 0, 1e-14) || !close_to(alone, truth[lane], 0, 1e-14)) {
        fail_msg("output %u, lane %u, %s: %g, alone %g, truth %g", output, lane, dd_simd_name(simd), batch, alone,
                 truth[lane]);
    }
}

/* Sums of products and plain terms with all numbers of positive and negative ones: every shape of the instruction, and
 * longer sums. Small integers, so that the truth is exact. */
static void sums_of_every_shape(dd_dag *dag, dd_pool *pool)
{
    enum { MOST = 3, VARS = 6 * 2 * MOST };
    dd_expr x[VARS];
    double all[VARS * LD], alone[LD], truth[LD];
    for (uint32_t i = 0; i < VARS; i++) {
        x[i] = dd_var(dag, i, 0);
        for (uint32_t k = 0; k < MOST_LANES; k++) {
            all[i * LD + k] = (double)random_below(2000) - 1000;
        }
    }
    for (uint32_t shape = 1; shape < 625; shape++) {
        uint32_t count[] = {shape / 125, shape / 25 % 5, shape / 5 % 5, shape % 5}, used = 0, n = 0;
        dd_expr terms[16];
        dd_pool *scratch = dd_pool_child(pool);
        memset(truth, 0, sizeof truth);
        for (uint32_t group = 0; group < 4; group++) {
            double sign = group < 2 ? 1 : -1;
            for (uint32_t i = 0; i < count[group]; i++) {
                uint32_t a = used++, b = group % 2 == 0 ? used++ : a;
                dd_expr term = group % 2 == 0 ? dd_mul(dag, x[a], x[b]) : x[a];
                terms[n++] = sign > 0 ? term : dd_neg(dag, term);
                for (uint32_t k = 0; k < MOST_LANES; k++) {
                    truth[k] += sign * all[a * LD + k] * (b != a ? all[b * LD + k] : 1);
                }
            }
        }
        dd_expr e = dd_sum(dag, terms, n);
        dd_program *program = simple_program(scratch, dag, x, VARS, &e, 1);
        assert_int_equal(dd_program_get_info(program).instructions, n <= 4 ? 1 : 1 + (n - 2) / 3);
        dd_program_work *work = new_work(scratch, program, MOST_LANES);
        by_every_way(work, all, VARS, alone, 1, check_same, truth);
        dd_program_work_free(work);
        dd_pool_free(scratch);
    }
}

/* Powers that become products and roots, against the library's power. */
static void powers(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0);
    static const double exponents[] = {2,  3,  5,   7,   31,   32,  33,   200, 1024, -1,
                                       -2, -7, -33, 0.5, -0.5, 1.5, -1.5, 2.5, -7.5, 0.3};
    static const double bases[] = {0.3, 1.7, 2, 1.0001, 13};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        dd_expr e = dd_pow(dag, x, dd_num(dag, exponents[i]));
        dd_program_work *work = new_work(pool, simple_program(pool, dag, &x, 1, &e, 1), 1);
        for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
            double out;
            dd_program_eval(work, (const double *[]){&bases[k]}, &out);
            if (ulps(out, pow(bases[k], exponents[i])) > 16) {
                fail_msg("%g^%g = %.17g", bases[k], exponents[i], out);
            }
        }
        dd_program_work_free(work);
    }
}

/* ---- selections ---- */

/* Lanes on different sides; the other side divides by zero or leaves the domain. */
static void other_sides_do_not_matter(dd_dag *dag, dd_pool *pool)
{
    static const char *const texts[] = {
        "if x > 0 then 1/x else 7",
        "if x > 0 then sin(1/x) + log(x)*exp(x) else x - x",
        "if x > 0 then (if y > 0 then log(y)*log(x) + exp(y)*cos(x) else log(-y) + x^0.3) else sqrt(-x)*log(1 - x)",
        "y*(if x <= 0 then 0 else x*log(x)*exp(x) + tan(x)^2) + (if x > 0 then log(x) else cos(x)*exp(x))",
    };
    double all[2 * LD] = {0}, alone[LD], truth[LD];
    dd_expr inputs[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)};
    for (int pattern = 0; pattern < 3; pattern++) {
        for (uint32_t k = 0; k < MOST_LANES; k++) {
            all[k] = pattern == 0 ? 0.25 * (double)k - 2 : pattern == 1 ? 1 + 0.25 * k : -0.25 * (double)k;
            all[LD + k] = k % 3 == 0 ? -1.5 : 0.5 + k;
        }
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            dd_expr e = parse(dag, texts[i]);
            for (uint32_t k = 0; k < MOST_LANES; k++) {
                double x = all[k], y = all[LD + k];
                const double values[] = {
                    x > 0 ? 1 / x : 7, x > 0 ? sin(1 / x) + log(x) * exp(x) : 0,
                    x > 0 ? (y > 0 ? log(y) * log(x) + exp(y) * cos(x) : log(-y) + pow(x, 0.3)) : sqrt(-x) * log(1 - x),
                    y * (x <= 0 ? 0 : x * log(x) * exp(x) + tan(x) * tan(x)) + (x > 0 ? log(x) : cos(x) * exp(x))};
                truth[k] = values[i];
            }
            dd_program_work *work = new_work(pool, simple_program(pool, dag, inputs, 2, &e, 1), MOST_LANES);
            by_every_way(work, all, 2, alone, 1, check_same, truth);
            dd_program_work_free(work);
        }
    }
}

/* The derivative of a selection is a selection: no 0*inf where the other side has an infinite slope. */
static void slopes_of_selections(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = dd_diff(dag, parse(dag, "if x > 0 then sqrt(x)*exp(x) else 3*x"), x);
    dd_program_work *work = new_work(pool, simple_program(pool, dag, &x, 1, &e, 1), 4);
    double in[4] = {0, 1, -1, 4}, out[4];
    dd_program_eval_batch(work, 4, 4, (const double *[]){in}, out);
    assert_true(out[0] == 3 && out[2] == 3 && close_to(out[1], 1.5 * exp(1), 0, 1e-15));
    assert_true(close_to(out[3], 2.25 * exp(4), 0, 1e-15));
    dd_program_work_free(work);
}

/* Chains of selections deeper than the scopes that a tape keeps. */
static void deep_selections(dd_dag *dag, dd_pool *pool)
{
    enum { DEEP = 3000 };
    dd_expr x = dd_var(dag, 0, 0), e = dd_num(dag, -1);
    for (uint32_t i = DEEP; i-- > 0;) {
        dd_expr c = dd_binary(dag, DD_OP_LT, x, dd_num(dag, i + 1));
        e = dd_if(dag, c, dd_mul(dag, dd_num(dag, i), dd_unary(dag, DD_OP_EXP, dd_mul(dag, x, dd_num(dag, i)))), e);
    }
    dd_program_work *work = new_work(pool, simple_program(pool, dag, &x, 1, &e, 1), 4);
    double in[4] = {0.5, 1.5, 2.25, DEEP + 1}, out[4];
    dd_program_eval_batch(work, 4, 4, (const double *[]){in}, out);
    assert_true(out[0] == 0 && close_to(out[1], exp(1.5), 0, 1e-15) && close_to(out[2], 2 * exp(4.5), 0, 1e-15) &&
                out[3] == -1);
    dd_program_work_free(work);
}

/* ---- the interface ---- */

static void segments_and_constants(dd_dag *dag, dd_pool *pool)
{
    dd_expr inputs[] = {dd_var(dag, 0, 1), dd_var(dag, 1, 1), dd_var(dag, 0, 0), dd_time(dag)};
    dd_expr constants[] = {dd_param(dag, 0), dd_param(dag, 1), dd_param(dag, 2)};
    dd_expr p = constants[0], q = constants[1];
    dd_expr outputs[] = {
        dd_sub(dag, inputs[0], dd_mul(dag, dd_unary(dag, DD_OP_EXP, dd_mul(dag, p, q)), inputs[2])),
        dd_add(dag, inputs[1], dd_div(dag, inputs[3], dd_add(dag, p, dd_num(dag, 1)))),
        p, /* outputs may be anything */
        dd_mul(dag, p, q),
        dd_num(dag, 2.5),
        inputs[3],
        dd_if(dag, dd_binary(dag, DD_OP_LT, p, q), dd_mul(dag, p, inputs[2]), dd_unary(dag, DD_OP_LOG, q)),
    };
    dd_program_spec spec = {.inputs = inputs,
                            .n_inputs = 4,
                            .segment = {2, 1, 1},
                            .n_segments = 3,
                            .constants = constants,
                            .n_constants = 3,
                            .outputs = outputs,
                            .n_outputs = 7};
    dd_program *program = dd_program_new(pool, dag, &spec);
    dd_program_work *work = new_work(pool, program, 8);
    double rates[] = {1, 2}, x = 3, t = 4, out[7];
    for (int round = 0; round < 2; round++) {
        double c[] = {round == 0 ? 0.5 : 2, 0.75, 9};
        dd_program_set_constants(work, c);
        dd_program_eval(work, (const double *[]){rates, &x, &t}, out);
        const double truth[] = {1 - exp(c[0] * c[1]) * 3,          2 + 4 / (c[0] + 1), c[0], c[0] * c[1], 2.5, 4,
                                c[0] < c[1] ? c[0] * 3 : log(c[1])};
        for (int i = 0; i < 7; i++) {
            assert_true(close_to(out[i], truth[i], 0, 1e-15));
        }
    }
    assert_true(dd_program_get_info(program).prologue >= 4 && dd_program_get_info(program).instructions == 5);
    dd_program_work_free(work);
}

/* A relation given as an input is not computed, also in the derivative. */
static void frozen_relations(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), relation = parse(dag, "x < 1");
    dd_expr e = parse(dag, "if x < 1 then x^2 else 3*x - 2");
    dd_expr inputs[] = {x, relation}, outputs[] = {e, dd_diff(dag, e, x), relation};
    dd_program_work *work = new_work(pool, simple_program(pool, dag, inputs, 2, outputs, 3), 1);
    double out[3];
    dd_program_eval(work, (const double *[]){(double[]){5, 1}}, out);
    assert_true(out[0] == 25 && out[1] == 10 && out[2] == 1);
    dd_program_eval(work, (const double *[]){(double[]){0.5, 0}}, out);
    assert_true(out[0] == -0.5 && out[1] == 3 && out[2] == 0);
    dd_program_work_free(work);
}

static void injected_nan(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), outputs[] = {x, dd_mul(dag, x, x)};
    dd_program_work *work = new_work(pool, simple_program(pool, dag, &x, 1, outputs, 2), 8);
    double in[LD], out[2 * LD];
    for (int i = 0; i < LD; i++) {
        in[i] = i;
    }
    for (uint64_t k = 1; k < 12; k++) {
        dd_program_inject_nan(work, k, 1);
        dd_program_eval(work, (const double *[]){in}, out);
        assert_true(!isnan(out[0]) && isnan(out[1]) == (k == 1));
        dd_program_eval_batch(work, 9, LD, (const double *[]){in}, out);
        for (uint64_t i = 0; i < 9; i++) {
            assert_true(!isnan(out[i]) && isnan(out[LD + i]) == (k == i + 2));
        }
        dd_program_eval(work, (const double *[]){in}, out);
        assert_true(isnan(out[1]) == (k == 11));
    }
    dd_program_inject_nan(work, 0, 1);
    dd_program_eval(work, (const double *[]){in}, out);
    assert_true(!isnan(out[1]));
    dd_program_work_free(work);
}

/* More inputs and outputs than a direct program can name; long sums; values that live long. */
static void large_programs(dd_dag *dag, dd_pool *pool)
{
    enum { BIG = 30000 };
    dd_expr *x = dd_pool_alloc_array(pool, BIG, sizeof *x), *out = dd_pool_alloc_array(pool, BIG + 2, sizeof *out);
    for (uint32_t i = 0; i < BIG; i++) {
        x[i] = dd_var(dag, i, 0);
    }
    for (uint32_t i = 0; i < BIG; i++) {
        dd_expr product = dd_mul(dag, x[i], x[(i + 1) % BIG]), far = dd_unary(dag, DD_OP_SIN, x[BIG - 1 - i]);
        out[i] = dd_sub(dag, dd_mul(dag, dd_num(dag, 1 + (i % 5)), product), far);
    }
    out[BIG] = dd_sum(dag, out, BIG);
    out[BIG + 1] = x[7];
    dd_program *program = simple_program(pool, dag, x, BIG, out, BIG + 2);
    dd_program_info info = dd_program_get_info(program);
    assert_true(info.spills > 0 && info.registers <= 4096);
    dd_program_work *work = new_work(pool, program, 8);
    double *in = calloc((size_t)BIG * 8, sizeof *in), *f = calloc((size_t)(BIG + 2) * 8, sizeof *f);
    for (uint32_t i = 0; i < BIG * 8; i++) {
        in[i] = random_between(-1, 1);
    }
    dd_program_eval_batch(work, 7, 8, (const double *[]){in}, f);
    for (uint32_t k = 0; k < 7; k++) {
        double total = 0;
        for (uint32_t i = 0; i < BIG; i++) {
            double truth = (1 + (i % 5)) * in[i * 8 + k] * in[(i + 1) % BIG * 8 + k] - sin(in[(BIG - 1 - i) * 8 + k]);
            total += truth;
            assert_true(close_to(f[i * 8 + k], truth, 1, 1e-14));
        }
        assert_true(close_to(f[BIG * 8 + k], total, 100, 1e-12) && f[(BIG + 1) * 8 + k] == in[7 * 8 + k]);
    }
    dd_program_work_free(work);
    free(in);
    free(f);
}

/* Three segments, in every way: registers for all, few registers, one point, batches. */
static void segments_by_every_way(dd_dag *dag, dd_pool *pool)
{
    enum { N_IN = 60, N_OUT = 70 };
    dd_expr x[N_IN], out[N_OUT];
    for (uint32_t i = 0; i < N_IN; i++) {
        x[i] = i < 20 ? dd_var(dag, i, 1) : i < 59 ? dd_var(dag, i, 0) : dd_time(dag);
    }
    for (uint32_t i = 0; i < N_OUT; i++) {
        dd_expr far = dd_mul(dag, x[(7 * i) % N_IN], x[(11 * i + 3) % N_IN]);
        out[i] = i % 10 == 9 ? x[i % N_IN] : dd_add(dag, far, dd_unary(dag, DD_OP_COS, x[i % N_IN]));
    }
    double in[N_IN * 8], f[2][N_OUT * 8];
    for (uint32_t i = 0; i < N_IN * 8; i++) {
        in[i] = random_between(-2, 2);
    }
    for (int few = 0; few < 2; few++) {
        dd_program_spec spec = {.inputs = x,
                                .n_inputs = N_IN,
                                .segment = {20, 39, 1},
                                .n_segments = 3,
                                .outputs = out,
                                .n_outputs = N_OUT,
                                .most_registers = few ? 32 : 0};
        dd_program *program = dd_program_new(pool, dag, &spec);
        dd_program_info info = dd_program_get_info(program);
        assert_true((info.spills > 0) == few && (few || info.runs < info.instructions / 10));
        dd_program_work *work = new_work(pool, program, 8);
        dd_program_eval_batch(work, 5, 8, (const double *[]){in, in + 20 * 8, in + 59 * 8}, f[few]);
        for (uint32_t k = 0; k < 5; k++) {
            double one[N_IN], values[N_OUT];
            for (uint32_t i = 0; i < N_IN; i++) {
                one[i] = in[i * 8 + k];
            }
            dd_program_eval(work, (const double *[]){one, one + 20, one + 59}, values);
            for (uint32_t i = 0; i < N_OUT; i++) {
                double a = one[(7 * i) % N_IN] * one[(11 * i + 3) % N_IN] + cos(one[i % N_IN]);
                double truth = i % 10 == 9 ? one[i % N_IN] : a;
                assert_true(close_to(values[i], truth, 1, 1e-15) && close_to(f[few][i * 8 + k], truth, 1, 1e-15));
            }
        }
        dd_program_work_free(work);
    }
}

/* ---- failures ---- */

static void compile_and_run(void *arg)
{
    dd_pool *pool = arg;
    dd_dag *dag = dd_dag_new(pool, 0);
    dd_expr x = dd_var(dag, 0, 0), e = parse(dag, "if x > 0 then sin(x)*cos(x) + sqrt(x)*x^1.7 + log(x) else x^2/3");
    dd_program_work *work;
    dd_program *program = simple_program(pool, dag, &x, 1, &e, 1);
    dd_status status = dd_program_work_new(&work, dd_pool_context(pool), program, 8);
    if (status != DD_OK) {
        assert_null(work);
        dd_raise(dd_pool_context(pool), status, NULL);
    }
    double out;
    dd_program_eval(work, (const double *[]){(double[]){1}}, &out);
    assert_true(close_to(out, sin(1) * cos(1) + 1, 0, 1e-15));
    dd_program_work_free(work);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    uint64_t failed = 0;
    for (uint64_t n = 1;; n++) {
        dd_context_options options = dd_context_options_default();
        options.fail_at = n;
        dd_context *ctx;
        if (dd_context_new(&ctx, &options) != DD_OK) {
            continue;
        }
        size_t baseline = dd_context_memory(ctx);
        dd_pool *pool = dd_pool_new(ctx);
        dd_status status = pool != NULL ? dd_protect(ctx, compile_and_run, pool) : DD_OUT_OF_MEMORY;
        dd_pool_free(pool);
        assert_int_equal(dd_context_memory(ctx), baseline);
        dd_context_free(ctx);
        if (status == DD_OK) {
            break;
        }
        assert_int_equal(status, DD_OUT_OF_MEMORY);
        failed++;
    }
    assert_true(failed > 20);
}

static void wrong_segments(void *arg)
{
    dd_dag *dag = dd_dag_new(arg, 0);
    dd_expr x = dd_var(dag, 0, 0);
    dd_program_spec spec = {.inputs = &x, .n_inputs = 1, .segment = {1, 1}, .n_segments = 2};
    dd_program_new(arg, dag, &spec);
}

static void missing_symbol(void *arg)
{
    dd_dag *dag = dd_dag_new(arg, 0);
    dd_expr x = dd_var(dag, 0, 0), e = dd_add(dag, x, dd_param(dag, 0));
    dd_program_spec spec = {.inputs = &x, .n_inputs = 1, .outputs = &e, .n_outputs = 1};
    dd_program_new(arg, dag, &spec);
}

static void test_wrong_specs(void **state)
{
    (void)state;
    void (*const bodies[])(void *) = {wrong_segments, missing_symbol};
    for (int i = 0; i < 2; i++) {
        dd_context *ctx;
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        dd_pool *pool = dd_pool_new(ctx);
        assert_int_equal(dd_protect(ctx, bodies[i], pool), DD_INVALID_ARGUMENT);
        dd_pool_free(pool);
        dd_context_free(ctx);
    }
}

static void nothing_is_allocated_later(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), p = dd_param(dag, 0);
    dd_expr e = dd_mul(dag, parse(dag, "if x > 0 then sin(x)^3 + sqrt(x)*x^1.7 else x^2/3"), dd_sqrt(dag, p));
    dd_program_spec spec = {
        .inputs = &x, .n_inputs = 1, .constants = &p, .n_constants = 1, .outputs = &e, .n_outputs = 1};
    dd_program_work *work = new_work(pool, dd_program_new(pool, dag, &spec), 8);
    uint64_t allocations = dd_context_allocations(dd_pool_context(pool));
    double in[8] = {1, 2, 3, -4, 5, 6, 7}, out[8];
    for (int i = 0; i < 100; i++) {
        dd_program_set_constants(work, &in[i % 3]);
        dd_program_eval(work, (const double *[]){in}, out);
        dd_program_eval_batch(work, 7, 8, (const double *[]){in}, out);
    }
    assert_int_equal(dd_context_allocations(dd_pool_context(pool)), allocations);
    dd_program_work_free(work);
    dd_program_work_free(NULL);
}

/* Terms with a factor in common, in sums whose other terms stay, inside and outside of selections, with signs, squares and
 * a factor that is shared with another output: the same values by fewer instructions. Numbers are whole, so that no sum
 * or product is rounded. */
static void common_factors(dd_dag *dag, dd_pool *pool)
{
    enum { V = 8, SUMS = 2, TERMS = 8 };
    static const double at[V] = {3, -2, 5, 7, -1, 4, 6, 2};
    static const uint32_t of[SUMS][TERMS][3] = {
        {{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {0, 1, 6}, {7, 7, 2}, {7, 7, 3}, {2, 3, 4}, {5, 5, 5}},
        {{1, 3, 2}, {1, 3, 5}, {1, 3, 6}, {0, 6, 6}, {0, 7, 4}, {6, 7, 3}, {6, 4, 4}, {5, 5, 0}}};
    dd_expr v[V], sums[SUMS], outputs[3];
    double truth[3] = {0};
    for (uint32_t i = 0; i < V; i++) {
        v[i] = dd_var(dag, i, 0);
    }
    for (uint32_t s = 0; s < SUMS; s++) {
        dd_expr terms[TERMS + 1] = {[TERMS] = dd_num(dag, 11)};
        truth[s] = 11;
        for (uint32_t i = 0; i < TERMS; i++) {
            const double sign = i % 3 == 2 ? -1 : 1;
            dd_expr factors[] = {dd_num(dag, sign), v[of[s][i][0]], v[of[s][i][1]], v[of[s][i][2]]};
            terms[i] = dd_product(dag, factors, 4);
            truth[s] += sign * at[of[s][i][0]] * at[of[s][i][1]] * at[of[s][i][2]];
        }
        sums[s] = dd_sum(dag, terms, TERMS + 1);
    }
    /* the second one on a side of a selection; a product of the first one is an output too */
    outputs[0] = sums[0];
    outputs[1] = dd_if(dag, dd_binary(dag, DD_OP_LT, v[0], v[1]), dd_sqrt(dag, v[1]), sums[1]);
    outputs[2] = dd_mul(dag, dd_mul(dag, v[0], v[1]), v[2]);
    truth[2] = at[0] * at[1] * at[2];
    uint32_t instructions[2];
    for (int factor = 0; factor < 2; factor++) {
        dd_program_spec spec = {.inputs = v, .n_inputs = V, .outputs = outputs, .n_outputs = 3, .factor = factor == 1};
        dd_program *program = dd_program_new(pool, dag, &spec);
        dd_program_work *work = new_work(pool, program, 1);
        double out[3];
        dd_program_eval(work, (const double *[]){at}, out);
        instructions[factor] = dd_program_get_info(program).instructions;
        dd_program_work_free(work);
        assert_memory_equal(out, truth, sizeof out);
    }
    assert_true(instructions[1] < instructions[0]);
}

#define TEST(name)                                                                                                     \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        in_dag(name);                                                                                                  \
    }
TEST(random_expressions)
TEST(operations_at_the_edges)
TEST(sums_of_every_shape)
TEST(powers)
TEST(other_sides_do_not_matter)
TEST(slopes_of_selections)
TEST(deep_selections)
TEST(segments_and_constants)
TEST(frozen_relations)
TEST(injected_nan)
TEST(large_programs)
TEST(segments_by_every_way)
TEST(nothing_is_allocated_later)
TEST(common_factors)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_operations_at_the_edges),
        cmocka_unit_test(test_sums_of_every_shape),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_other_sides_do_not_matter),
        cmocka_unit_test(test_slopes_of_selections),
        cmocka_unit_test(test_deep_selections),
        cmocka_unit_test(test_segments_and_constants),
        cmocka_unit_test(test_frozen_relations),
        cmocka_unit_test(test_injected_nan),
        cmocka_unit_test(test_large_programs),
        cmocka_unit_test(test_segments_by_every_way),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_wrong_specs),
        cmocka_unit_test(test_nothing_is_allocated_later),
        cmocka_unit_test(test_common_factors),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
