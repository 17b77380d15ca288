/* test_flatten.c - what the corpus cannot say: large models, known velocities, choices, memory that runs out,
 * loading by the public calls, reading single equations. */
#include <stdlib.h>

#include "lang_kit.h"

static const char pendulum[] =
    "model Pendulum\n"
    "  parameter Integer n = 3;\n"
    "  parameter Real m = 1, L = 1, g = 9.81, k[n] = {1, 2, 3};\n"
    "  Real p[n](start = {0.6, 0.0, -0.8}, each fixed = true), v[n] = der(p), lam[1], w[n];\n"
    "equation\n"
    "  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {p*p - L^2}, lambda = lam);\n"
    "  for i in 1:n loop\n"
    "    if i > 1 then w[i] = w[i - 1] + k[i]; else w[i] = p*p; end if;\n"
    "  end for;\n"
    "  assert(m > 0, \"mass\");\n"
    "initial equation\n"
    "  der(w[1]) = 0;\n"
    "  annotation(experiment(StopTime = 2));\n"
    "end Pendulum;\n";

static void test_large_loop(void **state)
{
    (void)state;
    kit k = kit_load(
        "model Heat\n  parameter Integer n = 100000;\n  Real x[n](each start = 1, each fixed = true);\nequation\n"
        "  for i in 2:n - 1 loop\n    der(x[i]) = n^2*(x[i - 1] - 2*x[i] + x[i + 1]);\n  end for;\n"
        "  der(x[1]) = x[2] - x[1];\n  der(x[n]) = x[n - 1] - x[n];\nend Heat;\n");
    kit_expect_ok(&k);
    assert_int_equal(k.m->rows.len, 100000);
    assert_int_equal(k.m->groups.len, 100000);
    const dd_group *g = &k.m->groups.data[99997]; /* i = 99999, the last of the loop */
    assert_int_equal(g->env->value, 99999);
    assert_int_equal(g->lhs, k.m->groups.data[0].lhs); /* the body exists once */
    dd_text text = dd_text_new(k.pool);
    dd_model_print_group(k.m, g, &text);
    assert_string_equal(dd_text_str(&text), "der(x[99999]) = n^2*(x[99998] - 2*x[99999] + x[100000])");
    assert_true(kit_variable(&k, "n", 0)->structural);
    kit_close(&k);
}

/* 100000 parameters, each bound to the next, and 100000 variables the same way: no recursion over them. */
static void test_long_chains(void **state)
{
    (void)state;
    const int n = 100000;
    char *text = malloc((size_t)n * 80 + 200), *at = text;
    at += sprintf(at, "model Chain\n");
    for (int i = 0; i < n; i++) {
        at += sprintf(at, "parameter Real p%d = p%d + 1;\n", i, i + 1);
    }
    at += sprintf(at, "parameter Real p%d = 1; Real q(start = 0), v = der(q);\n", n);
    for (int i = 0; i < n; i += 10) {
        at += sprintf(at, "Real a%d = a%d;\n", i, i + 10);
    }
    sprintf(at, "Real a%d = v;\nequation\n  lagrange(q = {q}, T = 0.5*p0*a0^2);\nend Chain;\n", n);
    kit k = kit_load(text);
    kit_expect_ok(&k);
    assert_true(kit_variable(&k, "p0", 0)->value == n + 1);
    kit_close(&k);
    free(text);
}

static void test_velocities(void **state)
{
    (void)state;
    kit k = kit_load("model M\n  Real p[2], v[2] = der(p), x, y, z, u[3], s;\nequation\n  der(x) = y;\n  z = der(y);\n "
                     " der(s) = 2*x;\n"
                     "  der(u) = zeros(3);\n  der(v) = -p;\n  der(z) = 0;\nend M;\n");
    kit_expect_ok(&k);
    const struct {
        const char *of, *is;
    } known[] = {{"p", "v"}, {"x", "y"}, {"y", "z"}, {"s", NULL}, {"u", NULL}, {"v", NULL}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t of = k.m->arrays.data[dd_model_find_array(k.m, known[i].of)].symbol;
        uint32_t is = known[i].is != NULL ? k.m->arrays.data[dd_model_find_array(k.m, known[i].is)].symbol : 0;
        assert_int_equal(dd_forms_symbol(k.m->forms, of)->velocity, is);
    }
    kit_close(&k);
}

static void test_bindings_are_kept(void **state)
{
    (void)state;
    kit k = kit_load(pendulum);
    kit_expect_ok(&k);
    const dd_array *v = &k.m->arrays.data[dd_model_find_array(k.m, "v")];
    assert_int_not_equal(v->binding, DD_FORM_NONE);
    dd_expr rate = dd_var(k.m->dag, kit_var(&k, "p", 1), 1);
    assert_int_equal(k.m->vars.data[v->first + 1].binding, rate);
    const dd_array *gains = &k.m->arrays.data[dd_model_find_array(k.m, "k")];
    assert_int_not_equal(gains->binding, DD_FORM_NONE);
    assert_int_equal(k.m->groups.data[0].origin, DD_ORIGIN_BINDING);
    uint32_t motion = 0, constraints = 0;
    for (uint32_t i = 0; i < k.m->groups.len; i++) {
        motion += k.m->groups.data[i].origin == DD_ORIGIN_LAGRANGE;
        constraints += k.m->groups.data[i].origin == DD_ORIGIN_CONSTRAINT;
    }
    assert_int_equal(motion, 3);
    assert_int_equal(constraints, 1);
    kit_close(&k);
}

/* Assertions keep what was written, one per iteration. */
static void test_assertions(void **state)
{
    (void)state;
    kit k = kit_load("model M Real x[2] = {time, 1}; equation\n"
                     "  for i in 1:2 loop assert(x[i] > -i, \"low\"); end for;\nend M;\n");
    kit_expect_ok(&k);
    assert_int_equal(k.m->assertions.len, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const dd_assertion *a = &k.m->assertions.data[i];
        assert_int_equal(dd_form_get(k.m->forms, a->form)->op, DD_FORM_REL);
        assert_int_equal(a->env->value, i + 1);
        assert_string_equal(a->message, "low");
    }
    kit_close(&k);
}

static void test_choice(void **state)
{
    (void)state;
    kit k = kit_load("model A Real x = 1; end A;");
    kit_expect_ok(&k);
    assert_null(k.choice); /* there was only one */
    kit_close(&k);
    k = kit_load("model A Real x = 1; end A; model B Real y = 1; end B;");
    kit_expect_ok(&k);
    assert_string_equal(k.choice, "B");
    assert_string_equal(k.m->name, "B");
    kit_close(&k);
    k = kit_load("model A Real x = 1; end A; optimization B(objective = 1, finalTime = 1) extends A; end B;");
    kit_expect_ok(&k);
    assert_null(k.choice); /* A is used by B: B is the only one left */
    assert_string_equal(k.m->name, "B");
    kit_close(&k);
}

static void test_input_settings(void **state)
{
    (void)state;
    const dd_setting settings[] = {{.name = "u", .value = "sin(2*time) + 1"}, {.name = "w[2]", .value = "3"}};
    kit k = kit_load_set("model M input Real u, w[2]; Real x = u + w[2]; end M;", settings, 2);
    kit_expect_ok(&k);
    dd_dag *dag = k.m->dag;
    dd_expr wave = dd_unary(dag, DD_OP_SIN, dd_mul(dag, dd_rational(dag, 2, 1), dd_time(dag)));
    assert_true(kit_variable(&k, "u", 0)->has_value);
    assert_int_equal(kit_variable(&k, "u", 0)->binding, dd_add(dag, wave, dd_rational(dag, 1, 1)));
    assert_false(kit_variable(&k, "w", 0)->has_value);
    assert_int_equal(kit_variable(&k, "w", 1)->binding, dd_rational(dag, 3, 1));
    kit_close(&k);
}

/* ---- memory ---- */

/* Every allocation fails once: a status, no crash, nothing left. */
static void test_out_of_memory(void **state)
{
    (void)state;
    dd_status status = DD_OUT_OF_MEMORY;
    const dd_setting settings[] = {{.name = "g", .value = "9.8"}, {.name = "p[1]", .value = "0.5"}};
    uint64_t n = 1, total = 0;
    for (; status != DD_OK; n++) {
        dd_context_options options = dd_context_options_default();
        options.fail_at = n;
        kit k = {.text = pendulum, .length = sizeof pendulum - 1, .settings = settings, .n_settings = 2};
        if (dd_context_new(&k.ctx, &options) != DD_OK) {
            continue;
        }
        k.pool = dd_pool_new(k.ctx);
        if (k.pool != NULL) {
            kit_run(&k);
            status = k.status;
            assert_true(status == DD_OK || status == DD_OUT_OF_MEMORY);
        }
        total = dd_context_allocations(k.ctx);
        kit_close(&k);
    }
    assert_true(total > 20);
    assert_true(n > 20);
}

static void test_memory_limit_and_interrupt(void **state)
{
    (void)state;
    const char *text = "model M Real x[1000000]; equation for i in 1:1000000 loop x[i] = i; end for; end M;";
    dd_context_options options = dd_context_options_default();
    options.max_memory = 20u << 20;
    kit k = {.text = text, .length = strlen(text)};
    assert_int_equal(dd_context_new(&k.ctx, &options), DD_OK);
    k.pool = dd_pool_new(k.ctx);
    kit_run(&k);
    assert_int_equal(k.status, DD_OUT_OF_MEMORY);
    kit_close(&k);

    k = kit_open(text, strlen(text));
    dd_context_interrupt(k.ctx);
    kit_run(&k);
    assert_int_equal(k.status, DD_INTERRUPTED);
    kit_close(&k);
}

/* ---- single equations ---- */

static void test_read_equation(void **state)
{
    (void)state;
    kit k = kit_load(pendulum);
    kit_expect_ok(&k);
    kit_equation job = kit_read_equation(&k, "p*p - L^2 = 0");
    assert_true(job.ok);
    assert_int_equal(job.count, 1);
    uint32_t constraint = 0;
    while (k.m->groups.data[k.m->rows.data[constraint].group].origin != DD_ORIGIN_CONSTRAINT) {
        constraint++;
    }
    assert_int_equal(job.rows[0], k.m->rows.data[constraint].residual);
    job = kit_read_equation(&k, "der(p) - v");
    assert_true(job.ok);
    assert_int_equal(job.count, 3);
    assert_false(kit_read_equation(&k, "p = v[1]").ok);
    assert_false(kit_read_equation(&k, "q + 1").ok);
    assert_false(kit_read_equation(&k, "p*").ok);
    assert_false(kit_read_equation(&k, "p(1)").ok);
    assert_int_equal(dd_context_error_count(k.ctx), 4);
    kit_close(&k);
}

/* ---- the public calls ---- */

static void test_public_load(void **state)
{
    (void)state;
    dd_context *ctx;
    dd_model *m = NULL;
    const char *const settings[] = {"m = 2", "p[1]=0.1", "'a=b'=3"};
    dd_load_options options = dd_load_options_default();
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    options.settings = settings;
    options.n_settings = 2;
    assert_int_equal(dd_model_load_text(&m, ctx, "p.mo", pendulum, sizeof pendulum - 1, &options), DD_OK);
    assert_string_equal(m->name, "Pendulum");
    assert_string_equal(m->source, "p.mo");
    assert_true(m->vars.data[m->arrays.data[dd_model_find_array(m, "m")].first].value == 2);
    dd_model_free(m);

    const char *quoted = "model M parameter Real 'a=b' = 1; Real x = 'a=b'; end M;";
    options.settings = settings + 2;
    options.n_settings = 1;
    assert_int_equal(dd_model_load_text(&m, ctx, "q.mo", quoted, strlen(quoted), &options), DD_OK);
    assert_true(m->vars.data[0].value == 3);
    dd_model_free(m);

    const char *two = "model A Real x = 1; end A;\nmodel B Real x = 1; end B;";
    assert_int_equal(dd_model_load_text(&m, ctx, "two.mo", two, strlen(two), NULL), DD_OK);
    assert_int_equal(dd_context_diagnostic_count(ctx), 1);
    assert_int_equal(dd_context_diagnostic(ctx, 0).severity, DD_SEVERITY_NOTE);
    assert_int_equal(dd_context_diagnostic(ctx, 0).line, 2);
    dd_model_free(m);
    dd_context_clear_diagnostics(ctx);

    const char *const wrong[] = {"nothing"};
    options.settings = wrong;
    assert_int_equal(dd_model_load_text(&m, ctx, "q.mo", quoted, strlen(quoted), &options), DD_INVALID_MODEL);
    assert_null(m);
    assert_string_equal(dd_context_diagnostic(ctx, 0).file, "set");
    assert_int_equal(dd_model_load_file(&m, ctx, "/no/such/file.mo", NULL), DD_IO);
    assert_null(m);
    assert_non_null(strstr(dd_context_message(ctx), "/no/such/file.mo"));
    assert_int_equal(dd_model_load_text(&m, ctx, "big.mo", "", (size_t)65 << 20, NULL), DD_LIMIT);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_loop),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_bindings_are_kept),
        cmocka_unit_test(test_assertions),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_input_settings),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_memory_limit_and_interrupt),
        cmocka_unit_test(test_read_equation),
        cmocka_unit_test(test_public_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
