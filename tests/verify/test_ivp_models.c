/* The initial-value problems exist twice, as model files (bench/models/ivp) and in C (bench/ivp/problems). Both are
 * written from the same formulas by different routes, so they check each other: the residuals agree at random points, start
 * values and stop times are the same, and `check` finds the index and as many initial values as it needs. The Jacobians
 * in C are compared with differences, and the starts in C are consistent. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/ivp/data.h"
#include "bench/ivp/problem.h"
#include "daedal/check.h"
#include "eval/tape.h"
#include "la/lapack.h"
#include "model/model.h"

enum { POINTS = 6, MAX_ROWS = 1200 };

static const char *source_path(char *buffer, size_t size, const char *folder, const char *name, const char *extension)
{
    const char *root = getenv("DAEDAL_SOURCE");
    snprintf(buffer, size, "%s/%s/%s%s", root ? root : ".", folder, name, extension);
    return buffer;
}

static double uniform(uint64_t *state) /* in (-1, 1) */
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 2 * (double)(*state >> 11) * 0x1p-53 - 1;
}

static void read_reference(const ivp_problem *p, ivp_reference *r)
{
    char path[600];
    assert_int_equal(
        ivp_read_reference(source_path(path, sizeof path, "tests/verify/ivp", "reference", ".txt"), p->name, r), 0);
    assert_int_equal(r->n, p->n);
    assert_true(r->stop == p->stop);
}

/* A point between start and end, moved a little in every direction. */
static void random_point(const ivp_problem *p, const ivp_reference *r, uint64_t *state, double *y)
{
    double yp[IVP_MAX_N];
    p->start(y, yp);
    const double share = 0.5 + 0.5 * uniform(state);
    for (int i = 0; i < p->n; i++) {
        const double size = fabs(y[i]) + fabs(r->value[i]) + 1e-3;
        y[i] = share * y[i] + (1 - share) * r->value[i] + 0.05 * size * uniform(state);
    }
}

/* ---- the problems in C alone ---- */

/* df/dy_k by differences of sixth order. */
static void difference_column(const ivp_problem *p, double t, int phase, const double *at, int k, double *column)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    double y[IVP_MAX_N], f[IVP_MAX_N];
    const double h = 1e-3 * (fabs(at[k]) + 1e-3);
    memcpy(y, at, sizeof *y * (size_t)p->n);
    memset(column, 0, sizeof *column * (size_t)p->n);
    for (int d = -3; d <= 3; d++) {
        if (d != 0) {
            y[k] = at[k] + d * h;
            p->rhs(t, phase, y, f);
            for (int i = 0; i < p->n; i++) {
                column[i] += (d > 0 ? 1 : -1) * weight[abs(d) - 1] * f[i] / h;
            }
        }
    }
}

static void check_jacobian(const ivp_problem *p, double t, int phase, const double *y)
{
    const int n = p->n;
    double *values = calloc((size_t)n * n, sizeof *values), **columns = malloc(sizeof *columns * (size_t)n);
    double f[IVP_MAX_N], by_differences[IVP_MAX_N];
    assert_non_null(values);
    assert_non_null(columns);
    for (int k = 0; k < n; k++) {
        columns[k] = values + (size_t)k * n;
    }
    ivp_matrix j = {.columns = columns, .diagonal = -1, .factor = 1};
    p->jacobian(t, phase, y, &j);
    p->rhs(t, phase, y, f);
    for (int k = 0; k < n; k++) {
        difference_column(p, t, phase, y, k, by_differences);
        const double h = 1e-3 * (fabs(y[k]) + 1e-3);
        for (int i = 0; i < n; i++) {
            double row = 0; /* size of the terms of this row: what rounding in f is measured by */
            for (int l = 0; l < n; l++) {
                row = fmax(row, fabs(columns[l][i] * y[l]));
            }
            const double bound = 1e-7 * fabs(columns[k][i]) + 1e-12 * (row + fabs(f[i])) / h;
            if (!(fabs(columns[k][i] - by_differences[i]) <= bound)) {
                fail_msg("%s: df[%d]/dy[%d] is %.12g, by differences %.12g", p->name, i, k, columns[k][i],
                         by_differences[i]);
            }
            if (p->band > 0 && abs(i - k) > p->band) {
                assert_true(columns[k][i] == 0);
            }
        }
    }
    free(columns);
    free(values);
}

static void test_jacobians(void **state)
{
    (void)state;
    for (int i = 0; ivp_problems[i]; i++) {
        const ivp_problem *p = ivp_problems[i];
        ivp_reference r;
        read_reference(p, &r);
        uint64_t seed = (uint64_t)i + 1;
        double y[IVP_MAX_N];
        for (int phase = 0; phase < (p->split > 0 ? 2 : 1); phase++) {
            random_point(p, &r, &seed, y);
            check_jacobian(p, 0.5 * p->stop, phase, y);
        }
    }
}

static void test_consistent_starts(void **state)
{
    (void)state;
    for (int i = 0; ivp_problems[i]; i++) {
        const ivp_problem *p = ivp_problems[i];
        double y[IVP_MAX_N], yp[IVP_MAX_N], r[IVP_MAX_N];
        p->start(y, yp);
        ivp_residual(p, 0, 0, y, yp, r);
        for (int k = 0; k < p->n; k++) {
            /* the crank's largest terms are of size 1e3 */
            if (!(fabs(r[k]) <= 1e-12 * (strcmp(p->name, "crank") == 0 ? 1e3 : 1))) {
                fail_msg("%s: residual %d is %g at the start", p->name, k, r[k]);
            }
        }
    }
}

/* ---- models against C ---- */

typedef struct comparison {
    const ivp_problem *problem;
    ivp_reference reference;
    dd_context *ctx;
    dd_model *model;
    dd_pool *pool;
    dd_tape *tape;
    uint32_t n_rows;
    uint32_t value_at[IVP_MAX_N], rate_at[IVP_MAX_N]; /* inputs of the tape by reference variable */
    uint32_t time_at;
    uint32_t n_extra, extra_at[MAX_ROWS],
        defining[MAX_ROWS];          /* variables that C does not have; rows that define them */
    uint32_t n_kept, kept[MAX_ROWS]; /* the other rows */
    double *in, out[MAX_ROWS], magnitude[MAX_ROWS];
    double *series, series_out[2 * MAX_ROWS];
} comparison;

static uint32_t find_variable(const comparison *c, const char *name)
{
    for (uint32_t v = 0; v < c->model->vars.len; v++) {
        if (strcmp(dd_model_var_name_dup(c->model, v, c->pool), name) == 0) {
            return v;
        }
    }
    fail_msg("%s: the model has no variable %s", c->problem->name, name);
    return 0;
}

static bool has_rates(const comparison *c, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_symbols(c->model->dag, e, false, &symbols, c->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(c->model->dag, symbols.data[i]) == DD_OP_VAR &&
            dd_symbol_order(c->model->dag, symbols.data[i]) > 0) {
            return true;
        }
    }
    return false;
}

/* Splits the rows: bindings of extra variables define them, and for extra variables that are not bound (the beam's) the
 * rows without derivatives do. */
static void split_rows(comparison *c, const bool *known)
{
    const dd_model *m = c->model;
    uint32_t unbound = 0;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (m->vars.data[v].kind == DD_KIND_VARIABLE && !known[v]) {
            assert_true(c->n_extra < MAX_ROWS);
            c->extra_at[c->n_extra++] = 2 * v;
            unbound += m->arrays.data[m->vars.data[v].array].binding == DD_FORM_NONE;
        }
    }
    uint32_t defining = 0;
    for (uint32_t r = 0; r < m->rows.len; r++) {
        const bool binding = m->groups.data[m->rows.data[r].group].origin == DD_ORIGIN_BINDING;
        const bool rates = has_rates(c, m->rows.data[r].residual);
        if (!rates && (binding || unbound > 0)) {
            c->defining[defining++] = r;
        } else {
            c->kept[c->n_kept++] = r;
        }
    }
    assert_int_equal(defining, c->n_extra);
    assert_int_equal(c->n_kept, c->problem->n);
}

static void compile(void *arg)
{
    comparison *c = arg;
    dd_model *m = c->model;
    c->pool = dd_pool_new(c->ctx);
    c->n_rows = m->rows.len;
    assert_true(c->n_rows <= MAX_ROWS);
    /* inputs: value and rate of every variable (a parameter twice), then time */
    const uint32_t n = 2 * m->vars.len + 1;
    dd_expr *inputs = dd_pool_alloc_array(c->pool, n, sizeof *inputs),
            *rows = dd_pool_alloc_array(c->pool, c->n_rows, sizeof *rows);
    bool *known = dd_pool_alloc_array(c->pool, m->vars.len, sizeof *known);
    c->in = dd_pool_alloc_array(c->pool, n, sizeof *c->in);
    c->series = dd_pool_alloc_array(c->pool, 2 * n, sizeof *c->series);
    memset(c->series, 0, 2 * n * sizeof *c->series);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const bool variable = m->vars.data[v].kind == DD_KIND_VARIABLE;
        inputs[2 * v] = dd_model_symbol(m, v);
        inputs[2 * v + 1] = dd_var(m->dag, v, 1);
        c->in[2 * v] = variable ? 0 : m->vars.data[v].value;
        c->in[2 * v + 1] = 0;
        known[v] = false;
    }
    c->time_at = n - 1;
    inputs[c->time_at] = dd_time(m->dag);
    for (uint32_t r = 0; r < c->n_rows; r++) {
        rows[r] = m->rows.data[r].residual;
    }
    for (int i = 0; i < c->reference.n; i++) {
        const uint32_t v = find_variable(c, c->reference.name[i]);
        known[v] = true;
        c->value_at[i] = 2 * v;
        c->rate_at[i] = 2 * v + 1;
    }
    split_rows(c, known);
    c->tape = dd_tape_new(c->pool, m->dag, inputs, n, rows, c->n_rows);
}

static comparison compare_open(const ivp_problem *p)
{
    comparison c = {.problem = p};
    char path[600];
    read_reference(p, &c.reference);
    assert_int_equal(dd_context_new(&c.ctx, NULL), DD_OK);
    source_path(path, sizeof path, "bench/models/ivp", p->name, ".mo");
    if (dd_model_load_file(&c.model, c.ctx, path, NULL) != DD_OK) {
        fail_msg("%s: %s", path, dd_context_message(c.ctx));
    }
    return c;
}

static void compare_close(comparison *c)
{
    dd_pool_free(c->pool);
    dd_model_free(c->model);
    dd_context_free(c->ctx);
}

static void evaluate(comparison *c)
{
    dd_tape_eval_magnitude(c->tape, c->in, NULL, c->out, c->magnitude);
}

/* Extra variables by Newton's method: their rows are explicit or, for the beam, linear. */
static void solve_extra(comparison *c)
{
    const int n = (int)c->n_extra, one = 1;
    if (n == 0) {
        return;
    }
    double *a = malloc(sizeof *a * (size_t)n * n), *b = malloc(sizeof *b * (size_t)n);
    int *pivot = malloc(sizeof *pivot * (size_t)n), info;
    for (int i = 0; i < n; i++) {
        c->in[c->extra_at[i]] = 0.5; /* lengths are divided by */
    }
    for (int iteration = 0; iteration < 30; iteration++) {
        evaluate(c);
        for (int i = 0; i < n; i++) {
            b[i] = c->out[c->defining[i]];
        }
        for (int k = 0; k < n; k++) { /* column k: the first Taylor coefficients along variable k */
            c->series[2 * c->extra_at[k] + 1] = 1;
            for (uint32_t l = 0; l <= c->time_at; l++) {
                c->series[2 * l] = c->in[l];
            }
            dd_tape_eval_taylor(c->tape, 1, c->series, c->series_out);
            c->series[2 * c->extra_at[k] + 1] = 0;
            for (int i = 0; i < n; i++) {
                a[(size_t)k * n + i] = c->series_out[2 * c->defining[i] + 1];
            }
        }
        dgetrf_(&n, &n, a, &n, pivot, &info);
        if (info != 0) {
            fail_msg("%s: the rows of the extra variables are singular (%d)", c->problem->name, info);
        }
        dgetrs_("N", &n, &one, a, &n, pivot, b, &n, &info, 1);
        double change = 0;
        for (int i = 0; i < n; i++) {
            double *x = &c->in[c->extra_at[i]];
            *x -= b[i];
            change = fmax(change, fabs(b[i]) / (fabs(*x) + 1e-6));
        }
        if (change < 1e-15) {
            break;
        }
    }
    evaluate(c);
    for (int i = 0; i < n; i++) {
        if (!(fabs(c->out[c->defining[i]]) <= 1e-11 * c->magnitude[c->defining[i]] + 1e-14)) {
            fail_msg("%s: extra variables were not found", c->problem->name);
        }
    }
    free(pivot);
    free(b);
    free(a);
}

static void set_point(comparison *c, double t, const double *y, const double *yp)
{
    for (int i = 0; i < c->problem->n; i++) {
        c->in[c->value_at[i]] = y[i];
        c->in[c->rate_at[i]] = yp[i];
    }
    c->in[c->time_at] = t;
    solve_extra(c);
    evaluate(c);
}

/* An ODE is the same when y' = f(t, y) from C solves the model's rows; `check` says that they have one solution. */
static void compare_ode(comparison *c, double t, int phase, const double *y)
{
    double yp[IVP_MAX_N];
    c->problem->rhs(t, phase, y, yp);
    set_point(c, t, y, yp);
    for (uint32_t i = 0; i < c->n_kept; i++) {
        const uint32_t r = c->kept[i];
        if (!(fabs(c->out[r]) <= 1e-11 * c->magnitude[r])) {
            fail_msg("%s: row %u is %g at the derivatives of the C version", c->problem->name, r, c->out[r]);
        }
    }
}

static void test_odes(void **state)
{
    (void)state;
    for (int i = 0; ivp_problems[i]; i++) {
        const ivp_problem *p = ivp_problems[i];
        if (!ivp_is_ode(p)) {
            continue;
        }
        comparison c = compare_open(p);
        assert_int_equal(dd_protect(c.ctx, compile, &c), DD_OK);
        uint64_t seed = (uint64_t)i + 101;
        double y[IVP_MAX_N];
        for (int k = 0; k < POINTS; k++) {
            const double t = p->stop * (k + 0.4) / POINTS;
            random_point(p, &c.reference, &seed, y);
            compare_ode(&c, t, p->split > 0 && t > p->split, y);
        }
        compare_close(&c);
    }
}

/* Is row r of the model a constant multiple of row j in C at all points? */
static bool proportional(const double *model, const double *magnitude, const double *in_c)
{
    int largest = 0;
    for (int k = 1; k < POINTS; k++) {
        largest = fabs(in_c[k]) > fabs(in_c[largest]) ? k : largest;
    }
    const double factor = model[largest] / in_c[largest];
    for (int k = 0; k < POINTS; k++) {
        if (!(fabs(model[k] - factor * in_c[k]) <= 1e-11 * (magnitude[k] + magnitude[largest]))) {
            return false;
        }
    }
    return factor != 0;
}

/* Rows of a DAE are compared at random y and y', which satisfy none of them. */
static void compare_dae(comparison *c, uint64_t seed)
{
    static double model[IVP_MAX_N][POINTS], magnitude[IVP_MAX_N][POINTS], in_c[IVP_MAX_N][POINTS];
    const int n = c->problem->n;
    double y[IVP_MAX_N], yp[IVP_MAX_N], r[IVP_MAX_N];
    for (int k = 0; k < POINTS; k++) {
        const double t = c->problem->stop * (k + 0.4) / POINTS;
        random_point(c->problem, &c->reference, &seed, y);
        for (int i = 0; i < n; i++) {
            yp[i] = (fabs(y[i]) + 1) * uniform(&seed);
        }
        ivp_residual(c->problem, t, 0, y, yp, r);
        set_point(c, t, y, yp);
        for (int i = 0; i < n; i++) {
            model[i][k] = c->out[c->kept[i]];
            magnitude[i][k] = c->magnitude[c->kept[i]];
            in_c[i][k] = r[i];
        }
    }
    bool used[IVP_MAX_N] = {false};
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < n && (used[j] || !proportional(model[i], magnitude[i], in_c[j]))) {
            j++;
        }
        if (j == n) {
            fail_msg("%s: row %u of the model is none of the rows in C", c->problem->name, c->kept[i]);
        }
        used[j] = true;
    }
}

static void test_daes(void **state)
{
    (void)state;
    for (int i = 0; ivp_problems[i]; i++) {
        if (!ivp_is_ode(ivp_problems[i])) {
            comparison c = compare_open(ivp_problems[i]);
            assert_int_equal(dd_protect(c.ctx, compile, &c), DD_OK);
            compare_dae(&c, (uint64_t)i + 201);
            compare_close(&c);
        }
    }
}

static void test_starts_and_index(void **state)
{
    (void)state;
    for (int i = 0; ivp_problems[i]; i++) {
        const ivp_problem *p = ivp_problems[i];
        comparison c = compare_open(p);
        assert_int_equal(dd_protect(c.ctx, compile, &c), DD_OK);
        assert_true(c.model->experiment.has_stop && c.model->experiment.stop == p->stop);
        double y[IVP_MAX_N], yp[IVP_MAX_N];
        p->start(y, yp);
        for (int k = 0; k < p->n; k++) {
            const dd_variable *v = &c.model->vars.data[c.value_at[k] / 2];
            assert_true(v->has_start);
            const double size = strcmp(p->name, "fekete") == 0 ? 8 : fabs(y[k]); /* angles from terms of up to 38 pi */
            if (!(fabs(v->start_value - y[k]) <= 2e-15 * size)) {
                fail_msg("%s: %s starts at %.17g, in C at %.17g", p->name, c.reference.name[k], v->start_value, y[k]);
            }
        }
        dd_system *s;
        assert_int_equal(dd_model_analyse(&s, c.model, NULL), DD_OK);
        assert_int_equal(dd_system_verdict(s), DD_VERDICT_OK);
        /* variables that C does not have are algebraic, which makes an ODE a DAE of index 1 */
        assert_int_equal(dd_system_index(s), p->index == 0 && c.n_extra > 0 ? 1 : p->index);
        assert_int_equal(dd_system_initial_missing(s), 0);
        assert_int_equal(dd_system_initial_excess(s), 0);
        assert_int_equal(dd_system_initial_given(s), dd_system_dof(s));
        dd_system_free(s);
        compare_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobians), cmocka_unit_test(test_consistent_starts), cmocka_unit_test(test_odes),
        cmocka_unit_test(test_daes),      cmocka_unit_test(test_starts_and_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
