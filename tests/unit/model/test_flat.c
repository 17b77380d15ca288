/* test_flat.c - the flat listing: what it looks like, and that it reads back as the same model. */
#include <math.h>

#include "expr/value.h"
#include "lang/lang.h"
#include "unit/model/kit.h"

static dd_model *load(dd_context *ctx, const char *text)
{
    dd_model *m = NULL;
    if (dd_model_load_text(&m, ctx, "test.mo", text, strlen(text), NULL) != DD_OK) {
        char buffer[2000] = "";
        if (dd_context_diagnostic_count(ctx) > 0) {
            dd_context_format_diagnostic(ctx, 0, buffer, sizeof buffer);
        }
        fail_msg("%s\n%s\n%s", dd_context_message(ctx), buffer, text);
    }
    return m;
}

/* ---- the same model ---- */

typedef struct row_check {
    dd_model *m;
    dd_expr residual;
    const char *text;
    bool same;
} row_check;

/* The printed row, read in the scope of the same model, must be the row or its negative. */
static void check_row(void *arg)
{
    row_check *c = arg;
    dd_text text = dd_text_new(c->m->pool);
    dd_model_print_residual(c->m, c->residual, &text);
    c->text = dd_text_str(&text);
    dd_expr *rows;
    uint32_t count;
    c->same = dd_lang_read_equation(c->m, dd_pool_child(c->m->pool), c->text, &rows, &count) && count == 1 &&
              (rows[0] == c->residual || rows[0] == dd_neg(c->m->dag, c->residual));
}

static void assert_rows_read_back(dd_model *m, const dd_row_vec *rows)
{
    for (uint32_t i = 0; i < rows->len; i++) {
        row_check c = {.m = m, .residual = rows->data[i].residual, .text = ""};
        assert_int_equal(dd_protect(m->ctx, check_row, &c), DD_OK);
        if (!c.same) {
            fail_msg("does not read back: %s", c.text);
        }
    }
}

static void assert_same_variables(const dd_model *a, const dd_model *b)
{
    assert_int_equal(a->vars.len, b->vars.len);
    for (uint32_t i = 0; i < a->vars.len; i++) {
        const dd_variable *v = &a->vars.data[i], *w = &b->vars.data[i];
        const dd_array *s = &a->arrays.data[v->array], *t = &b->arrays.data[w->array];
        assert_string_equal(s->name, t->name);
        assert_int_equal(s->type, t->type);
        assert_string_equal(s->unit, t->unit);
        assert_string_equal(s->display_unit, t->display_unit);
        assert_string_equal(s->quantity, t->quantity);
        assert_string_equal(s->doc, t->doc);
        assert_int_equal(v->element, w->element);
        assert_int_equal(v->kind, w->kind);
        assert_int_equal(v->fixed, w->fixed);
        assert_int_equal(v->free, w->free);
        assert_int_equal(v->select, w->select);
        assert_int_equal(v->guess != DD_EXPR_NONE, w->guess != DD_EXPR_NONE);
        assert_true(v->start_value == w->start_value && v->min_value == w->min_value);
        assert_true(v->max_value == w->max_value && v->nominal_value == w->nominal_value);
        assert_true(v->value == w->value);
    }
}

static double number_for(void *user, dd_expr symbol)
{
    const dd_model *m = user;
    if (dd_op_of(m->dag, symbol) == DD_OP_TIME) {
        return 0.3;
    }
    uint32_t order = dd_op_of(m->dag, symbol) == DD_OP_VAR ? dd_symbol_order(m->dag, symbol) : 7;
    return 1.1 + 0.37 * sin(3.0 * dd_symbol_id(m->dag, symbol) + 5.0 * order);
}

typedef struct value_call {
    dd_model *m;
    dd_expr e;
    double value;
} value_call;

static void value_body(void *arg)
{
    value_call *c = arg;
    c->value = dd_value_of(c->m->dag, c->e, number_for, c->m, dd_pool_child(c->m->pool));
}

static double value_of(dd_model *m, dd_expr e)
{
    value_call c = {.m = m, .e = e};
    assert_int_equal(dd_protect(m->ctx, value_body, &c), DD_OK);
    return c.value;
}

/* Equal up to sign at a point where every symbol has a value of its own. */
static void assert_same_rows(dd_model *a, const dd_row_vec *x, dd_model *b, const dd_row_vec *y)
{
    assert_int_equal(x->len, y->len);
    for (uint32_t i = 0; i < x->len; i++) {
        double v = fabs(value_of(a, x->data[i].residual)), w = fabs(value_of(b, y->data[i].residual));
        assert_true(fabs(v - w) <= 1e-12 * (1 + v) || (isnan(v) && isnan(w)));
    }
}

/* The listing reads back, as the same model, and what was read has a listing that reads back to the same text (the
 * first one may have more parentheses: it was not written by anyone). Returns the text. */
static const char *assert_round_trip(dd_context *ctx, dd_model *m)
{
    const char *text = kit_flat(m);
    dd_model *again = load(ctx, text);
    assert_same_variables(m, again);
    assert_same_rows(m, &m->rows, again, &again->rows);
    assert_same_rows(m, &m->initial_rows, again, &again->initial_rows);
    dd_model *third = load(ctx, kit_flat(again));
    assert_string_equal(kit_flat(third), kit_flat(again));
    dd_model_free(third);
    dd_model_free(again);
    return text;
}

/* ---- models by calls ---- */

static void the_pendulum_reads_back(void **state)
{
    (void)state;
    kit k = kit_new("Pendulum");
    assert_int_equal(kit_pendulum(k.m), DD_OK);
    const char *text = assert_round_trip(k.ctx, k.m);
    kit_contains(text, "model Pendulum\n  parameter Real m = 1;\n");
    kit_contains(text, "  Real p[3](start = {0.6, 0, -0.8}, fixed = {true, true, false});\n  Real lam[1];\n");
    kit_contains(text, "initial equation\n  der(p[1]) = 0 \"speed\";\n  der(p[2]) = 1;\nequation\n");
    kit_contains(text, "  p*p - L^2 = 0 \"constraint with multiplier lam[1]\";\nend Pendulum;\n");
    assert_rows_read_back(k.m, &k.m->rows);
    assert_rows_read_back(k.m, &k.m->initial_rows);
    kit_free(&k);
}

static void names_and_texts_are_quoted(void **state)
{
    (void)state;
    kit k = kit_new("my model");
    dd_attributes a = dd_attributes_default();
    a.doc = "says \"hi\"\\\nand more", a.unit = "m/s";
    const char *names[] = {"a.b", "if", "it's", "a\\b", "\xce\xb1 x", "Real", "sin", "startTime"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_expr x;
        assert_int_equal(dd_model_add_variable(k.m, names[i], 0, &a, &x), DD_OK);
        dd_expr label = dd_expr_call(k.m, "cos", &x, 1);
        assert_int_equal(dd_model_add_equation(k.m, "\"quoted\" \\ label", dd_expr_der(k.m, x), label), DD_OK);
    }
    const char *text = assert_round_trip(k.ctx, k.m);
    kit_contains(text, "model 'my model'\n");
    kit_contains(text, "  Real 'it\\'s'(unit = \"m/s\") \"says \\\"hi\\\"\\\\\\nand more\";\n");
    kit_contains(text, "  der('if') = cos('if') \"\\\"quoted\\\" \\\\ label\";\n");
    kit_contains(text, "end 'my model';\n");
    kit_free(&k);
}

static void bounds_of_single_elements_read_back(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_attributes a[3] = {dd_attributes_default(), dd_attributes_default(), dd_attributes_default()};
    a[0].min = 0, a[1].max = 1e-7, a[2].nominal = 1e5;
    dd_expr x[3];
    assert_int_equal(dd_model_add_variable(k.m, "x", 3, a, x), DD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dd_model_add_equation(k.m, NULL, dd_expr_der(k.m, x[i]), x[(i + 1) % 3]), DD_OK);
    }
    const char *text = assert_round_trip(k.ctx, k.m);
    kit_contains(text, "min = {0, -1.797693134862315");
    assert_null(strstr(text, "inf"));
    kit_free(&k);
}

static void equal_elements_are_written_once(void **state)
{
    (void)state;
    enum { N = 1000 };
    kit k = kit_new("M");
    double values[N];
    dd_attributes a[N];
    for (int i = 0; i < N; i++) {
        values[i] = -0.25;
        a[i] = dd_attributes_default();
        a[i].start = 2, a[i].fixed = true;
    }
    assert_int_equal(dd_model_add_parameter(k.m, "k", N, values, NULL), DD_OK);
    assert_int_equal(dd_model_add_variable(k.m, "x", N, a, NULL), DD_OK);
    assert_int_equal(dd_model_add_parameter(k.m, "few", 2, values, NULL), DD_OK);
    const char *text = assert_round_trip(k.ctx, k.m);
    kit_contains(text, "  parameter Real k[1000] = fill(-0.25, 1000);\n");
    kit_contains(text, "  Real x[1000](start = 2, fixed = true);\n");
    kit_contains(text, "  parameter Real few[2] = {-0.25, -0.25};\n");
    assert_null(strstr(text, "equation"));
    kit_free(&k);
}

/* Numbers of every size and sign, functions, conditions, powers: rows print as text that means the same. */
static void all_kinds_of_expressions_read_back(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x[3], A, u;
    double value = 1.0 / 3;
    assert_int_equal(dd_model_add_variable(k.m, "x", 3, NULL, x), DD_OK);
    assert_int_equal(dd_model_add_parameter(k.m, "A", 0, &value, &A), DD_OK);
    assert_int_equal(dd_model_add_input(k.m, "u", 0, NULL, &u), DD_OK);
    const double numbers[] = {1e-300, 123456789, -0.1, 1e22, 2.5e-9, 1.0 / 3, -7};
    dd_expr sum = x[0];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        dd_expr c = dd_expr_number(k.m, numbers[i]);
        sum =
            dd_expr_add(k.m, sum, dd_expr_mul(k.m, c, dd_expr_pow(k.m, x[i % 3], dd_expr_number(k.m, (double)i - 3))));
    }
    assert_int_equal(dd_model_add_equation(k.m, NULL, sum, dd_expr_der(k.m, x[1])), DD_OK);
    dd_expr cases[] = {dd_expr_pow(k.m, dd_expr_neg(k.m, A), x[0]),
                       dd_expr_div(k.m, dd_expr_dot(k.m, x, x, 3), dd_expr_sum(k.m, x, 3)),
                       dd_expr_call(k.m, "if", (dd_expr[]){dd_expr_call(k.m, "<", x, 2), A, dd_expr_neg(k.m, x[2])}, 3),
                       dd_expr_call(k.m, "if", (dd_expr[]){dd_expr_call(k.m, "<", x, 2), A, u}, 3),
                       dd_expr_call(k.m, "max", x, 3),
                       dd_expr_call(k.m, "homotopy", x, 2),
                       dd_expr_der(k.m, dd_expr_der(k.m, dd_expr_mul(k.m, u, x[2]))),
                       dd_expr_pow(k.m, dd_expr_number(k.m, -2), dd_expr_call(k.m, "abs", x, 1)),
                       dd_expr_call(k.m, "mod", (dd_expr[]){dd_expr_time(k.m), A}, 2)};
    dd_expr zero = dd_expr_number(k.m, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dd_model_add_equation(k.m, NULL, cases[i], zero), DD_OK);
        assert_int_equal(dd_model_add_equation(k.m, NULL, cases[i], dd_expr_div(k.m, x[i % 3], A)), DD_OK);
    }
    assert_rows_read_back(k.m, &k.m->rows);
    assert_round_trip(k.ctx, k.m);
    kit_free(&k);
}

static void large_models_are_printed_in_time(void **state)
{
    (void)state;
    enum { N = 100000 };
    kit k = kit_new("Ladder");
    dd_expr *x = calloc(N, sizeof *x);
    assert_int_equal(dd_model_add_variable(k.m, "x", N, NULL, x), DD_OK);
    for (uint32_t i = 0; i < N; i++) {
        dd_model_add_equation(k.m, NULL, dd_expr_der(k.m, x[i]), dd_expr_sub(k.m, x[(i + 1) % N], x[i]));
    }
    const char *text = kit_flat(k.m);
    kit_contains(text, "  der(x[77777]) = x[77778] - x[77777];\n");
    free(x);
    kit_free(&k);
}

/* ---- models from text ---- */

static void assert_text_round_trip(const char *text, const char *const *parts)
{
    dd_context *ctx = kit_context();
    dd_model *m = load(ctx, text);
    const char *flat = assert_round_trip(ctx, m);
    for (; *parts; parts++) {
        kit_contains(flat, *parts);
    }
    dd_model_free(m);
    dd_context_free(ctx);
}

static void declarations_of_every_kind(void **state)
{
    (void)state;
    const char *text =
        "model M \"a \\\"doc\\\"\"\n"
        "  parameter Integer n = 3 \"size\";\n"
        "  parameter Integer none = 0;\n"
        "  parameter Boolean on = n > 2, flags[2] = {true, false};\n"
        "  constant Real pi = 3.14159;\n"
        "  parameter Real w = sqrt(n)*pi, A[2, 2] = [1, w; 0, 2], e[none], z[2, 0] = zeros(2, 0);\n"
        "  parameter Real k(min = 0, max = 2*w, unit = \"N/m\", displayUnit = \"N/mm\", quantity = \"Stiffness\") = "
        "1e-3;\n"
        "  input Real u(min = -1, max = 1) = sin(w*time);\n"
        "  output Real y;\n"
        "  Real 'q.x'(start = w, nominal = 10, stateSelect = StateSelect.prefer), B[2, 2](start = [1, 2; 3, 4]);\n"
        "  Real x[n](each start = 1, fixed = {true, false, true}), v[n] = der(x);\n"
        "  Real empty[none];\n"
        "  Real s[2](stateSelect = {StateSelect.always, StateSelect.never});\n"
        "initial equation\n"
        "  y = 0;\n"
        "equation\n"
        "  der(y) = u + sum(x);\n"
        "  der(v) = -k*x;\n"
        "  for i in 1:2 loop\n"
        "    for j in 1:2 loop\n"
        "      der(B[i, j]) = if i == 1 then A[i, j]*y else B[i - 1, j];\n"
        "    end for;\n"
        "  end for;\n"
        "  'q.x' = x*v \"power\";\n"
        "  der(s) = A*s;\n"
        "  assert(w > 0, \"w must be \\\"positive\\\"\");\n"
        "  assert(n == 3, \"n\");\n"
        "  annotation(experiment(StartTime = 1, StopTime = 10, Tolerance = 1e-8, Interval = 0.1));\n"
        "end M;\n";
    const char *parts[] = {
        "model M \"a \\\"doc\\\"\"\n",
        "  parameter Integer n = 3 \"size\";\n",
        "  parameter Boolean on = n > 2;\n",
        "  parameter Boolean flags[2] = {true, false};\n",
        "  parameter Real w = sqrt(n)*pi;\n",
        "  parameter Real A[2, 2] = {{1, w}, {0, 2}};\n",
        "  parameter Real e[0];\n",
        "  parameter Real z[2, 0] = zeros(2, 0);\n",
        "(min = 0, max = 2*w, unit = \"N/m\", displayUnit = \"N/mm\", quantity = \"Stiffness\") = 1e-3;\n",
        "  input Real u(min = -1, max = 1) = sin(w*time);\n",
        "  output Real y;\n",
        "  Real 'q.x'(start = w, nominal = 10, stateSelect = StateSelect.prefer);\n",
        "  Real B[2, 2](start = {{1, 2}, {3, 4}});\n",
        "  Real x[3](start = 1, fixed = {true, false, true});\n",
        "  Real v[3] = der(x);\n",
        "  Real empty[0];\n",
        "  Real s[2](stateSelect = {StateSelect.always, StateSelect.never});\n",
        "  'q.x' = x*v \"power\";\n",
        ", \"w must be \\\"positive\\\"\");\n",
        "  annotation(experiment(StartTime = 1, StopTime = 10, Tolerance = 1e-8, Interval = 0.1));\n",
        NULL};
    assert_text_round_trip(text, parts);
}

static void settings_are_part_of_the_listing(void **state)
{
    (void)state;
    const char *text = "model M\n"
                       "  parameter Real a[3] = {1, 2, 3}, b = 2;\n"
                       "  input Real u;\n"
                       "  Real x(start = 1, fixed = true);\n"
                       "equation\n"
                       "  der(x) = a*a*b*u;\n"
                       "end M;\n";
    const char *settings[] = {"a[2]=5", "b=7", "x=4", "u=cos(time)"};
    dd_load_options options = {.settings = settings, .n_settings = 4};
    dd_context *ctx = kit_context();
    dd_model *m = NULL;
    assert_int_equal(dd_model_load_text(&m, ctx, "m.mo", text, strlen(text), &options), DD_OK);
    const char *flat = assert_round_trip(ctx, m);
    kit_contains(flat, "  parameter Real a[3] = {1, 5, 3};\n");
    kit_contains(flat, "  parameter Real b = 7;\n");
    kit_contains(flat, "  input Real u = cos(time);\n");
    kit_contains(flat, "  Real x(start = 4, fixed = true);\n");
    dd_model_free(m);
    dd_context_free(ctx);
}

/* One element of an input: the declaration cannot say it, a comment does. */
static void elements_of_inputs_are_noted(void **state)
{
    (void)state;
    const char *text = "model M input Real u[2]; Real x; equation der(x) = u[1] + u[2]; end M;";
    const char *setting = "u[2]=3*time";
    dd_load_options options = {.settings = &setting, .n_settings = 1};
    dd_context *ctx = kit_context();
    dd_model *m = NULL;
    assert_int_equal(dd_model_load_text(&m, ctx, "m.mo", text, strlen(text), &options), DD_OK);
    kit_contains(assert_round_trip(ctx, m), "  input Real u[2];\n  // given: u[2] = 3*time\n  Real x;\n");
    dd_model_free(m);
    dd_context_free(ctx);
}

/* ---- optimizations ---- */

static const char *const swing_up =
    "model CartPendulum\n"
    "  parameter Real M = 1, m = 0.2, L = 0.5, g = 9.81;\n"
    "  Real s(start = 0, fixed = true), vs(start = 0, fixed = true) = der(s);\n"
    "  Real b[2](start = {0, -L}, fixed = {true, false});\n"
    "  Real vb[2](start = {0, 0}, fixed = {true, false}) = der(b);\n"
    "  input Real F(min = -10, max = 10);\n"
    "  Real lam[1];\n"
    "equation\n"
    "  lagrange(q = cat(1, {s}, b), T = 0.5*M*vs^2 + 0.5*m*(vb*vb), V = m*g*b[2],\n"
    "           c = {(b[1] - s)^2 + b[2]^2 - L^2}, Q = {F, 0, 0}, lambda = lam);\n"
    "end CartPendulum;\n"
    "optimization SwingUp(objective = finalTime + sum({b[k](finalTime)^2 for k in 1:2}) + w[1]*s(finalTime/2),\n"
    "                     objectiveIntegrand = 1e-3*F^2 + b*b, startTime = 0,\n"
    "                     finalTime(free = true, min = 0.5, max = 8, initialGuess = 2)) \"as fast as possible\"\n"
    "  extends CartPendulum(F(initialGuess = sin(time)), L(free = true, min = 0.1));\n"
    "  parameter Real w[2](free = {true, false}, initialGuess = {3, 1}) = {1, 2};\n"
    "  parameter Real c(free = true, min = -1, max = 1, initialGuess = 0.5);\n"
    "  Real extra(initialGuess = 2);\n"
    "equation\n"
    "  der(extra) = c*F;\n"
    "constraint\n"
    "  s >= -1;  s <= 1;\n"
    "  s(finalTime) = 0;\n"
    "  vb(finalTime) = zeros(2);\n"
    "  for k in 1:2 loop\n"
    "    b[k](finalTime) >= 1/k - 2*k;\n"
    "  end for;\n"
    "  b[2](0.5) == 0;\n"
    "  (if s > 0 then s else -s) <= 2;\n"
    "  annotation(experiment(StopTime = 3), Daedal(data = \"run \\\"1\\\".csv\"));\n"
    "end SwingUp;\n";

static void assert_same_expr(dd_model *a, dd_expr x, dd_model *b, dd_expr y)
{
    assert_int_equal(x != DD_EXPR_NONE, y != DD_EXPR_NONE);
    if (x != DD_EXPR_NONE) {
        assert_true(fabs(value_of(a, x) - value_of(b, y)) < 1e-12);
    }
}

static void assert_same_optimization(dd_model *a, dd_model *b)
{
    const dd_optimization *x = a->optimization, *y = b->optimization;
    assert_non_null(x);
    assert_non_null(y);
    assert_same_expr(a, x->objective, b, y->objective);
    assert_same_expr(a, x->integrand, b, y->integrand);
    const dd_time_bound *times[][2] = {{&x->start, &y->start}, {&x->final, &y->final}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(times[i][0]->free, times[i][1]->free);
        assert_same_expr(a, times[i][0]->value, b, times[i][1]->value);
        assert_same_expr(a, times[i][0]->min, b, times[i][1]->min);
        assert_same_expr(a, times[i][0]->max, b, times[i][1]->max);
        assert_same_expr(a, times[i][0]->guess, b, times[i][1]->guess);
    }
    assert_int_equal(x->constraints.len, y->constraints.len);
    for (uint32_t i = 0; i < x->constraints.len; i++) {
        const dd_constraint *c = &x->constraints.data[i], *d = &y->constraints.data[i];
        assert_int_equal(c->relation, d->relation);
        assert_same_expr(a, c->lhs, b, d->lhs);
        assert_same_expr(a, c->rhs, b, d->rhs);
    }
    assert_int_equal(x->points.len, y->points.len);
    assert_string_equal(x->data_file, y->data_file);
}

static void optimizations_read_back(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_model *m = load(ctx, swing_up);
    const char *text = assert_round_trip(ctx, m);
    dd_model *again = load(ctx, text);
    assert_same_optimization(m, again);
    kit_contains(text, "optimization SwingUp(objective = ");
    kit_contains(text, ", objectiveIntegrand = ");
    kit_contains(
        text,
        ", startTime = 0, finalTime(min = 0.5, max = 8, free = true, initialGuess = 2)) \"as fast as possible\"\n");
    kit_contains(text, "  parameter Real L(min = 0.1, free = true) = 0.5;\n");
    kit_contains(text, "  input Real F(min = -10, max = 10, initialGuess = sin(time));\n");
    kit_contains(text, "  parameter Real w[2](free = {true, false}, initialGuess = {3, 1}) = {1, 2};\n");
    kit_contains(text, "  parameter Real c(min = -1, max = 1, free = true, initialGuess = 0.5);\n");
    kit_contains(text, "constraint\n  s >= -1;\n  s <= 1;\n  s(finalTime) = 0;\n  vb(finalTime) = zeros(2);\n");
    kit_contains(text, "  annotation(experiment(StopTime = 3), Daedal(data = \"run \\\"1\\\".csv\"));\nend SwingUp;\n");
    assert_null(strstr(text, "parameter Real finalTime"));
    dd_model_free(again);
    dd_model_free(m);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pendulum_reads_back),
        cmocka_unit_test(names_and_texts_are_quoted),
        cmocka_unit_test(bounds_of_single_elements_read_back),
        cmocka_unit_test(equal_elements_are_written_once),
        cmocka_unit_test(all_kinds_of_expressions_read_back),
        cmocka_unit_test(large_models_are_printed_in_time),
        cmocka_unit_test(declarations_of_every_kind),
        cmocka_unit_test(settings_are_part_of_the_listing),
        cmocka_unit_test(elements_of_inputs_are_noted),
        cmocka_unit_test(optimizations_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
