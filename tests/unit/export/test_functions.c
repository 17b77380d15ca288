/* test_functions.c - the functions of exported models, compiled and loaded, against the library's own at random points
 * that no solution passes through: rows, invariants, variables, relations, and their sparse derivatives. */
#include "unit/base/support.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "daedal/export_code.h"
#include "dynamics/numbers.h"

enum { MOST = 4000, POINTS = 25 };
static const double CLOSE = 1e-12; /* of the largest term, as the contract has it */

typedef void (*model_function)(double t, const double *v, const double *w, const double *u, const double *p,
                               const double *mode, double *out);

static const char pendulum[] =
    "model Pendulum parameter Real L = 2; parameter Real g = 9.81; parameter Real w2 = g/L; Real p[2](start = {1.2, "
    "-1.6}, fixed = "
    "{true, false}); Real v[2](start = {0, 0}, fixed = {true, false}); Real lam; equation der(p) = v; "
    "der(v) = -lam*p - {0, g}; p*p = L^2; end Pendulum;";
static const char implicit[] = "model Implicit input Real u(start = 0.4); parameter Real a = 1.5; Real x(start = 0.3, "
                               "fixed = true); Real y(start = 0.2, "
                               "fixed = true); Real z(start = 0.5), q; equation der(x)*exp(0.1*der(x)) + x*z = u; "
                               "der(y) = z*q - y^3; z + a*sin(z) = "
                               "x + y + u; q*(2 + cos(q)) = z - x^2; end Implicit;";
static const char switched[] =
    "model Switched input Real u(start = 0.1); parameter Real k = 3; Real x(start = 0.5, fixed = true), y(start = "
    "-0.2, fixed "
    "= true), s, m; equation der(x) = if x > y then log(2 + x) - u else -sqrt(3 - x) + abs(y); der(y) = min(x, y) + "
    "max(u, x)*k - floor(3*x) + mod(y, 0.7); s = sign(x - 0.1)*x + (if time > 1 then y else 0); m = (2 + x)^1.5 + "
    "atan2(x, y) + tanh(y)^7; end Switched;";
static const char driven[] = "model Driven input Real u(start = 0.2); Real x(start = 0, fixed = true), y, f; equation "
                             "der(x) = y - x; y = sin(u) + "
                             "u*time; f = der(y) + x; end Driven;";

typedef struct loaded {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_export *x;
    dd_pool *pool;
    dd_numbers *q;
    void *library;
    char folder[64];
    const char *name;
    double u[8];
} loaded;

static void input_values(void *user, double t, double *out)
{
    const loaded *l = user;
    (void)t;
    memcpy(out, l->u, l->q->inputs.len * sizeof *out);
}

static void run(const char *format, const char *folder, const char *name)
{
    char command[1024];
    snprintf(command, sizeof command, format, folder, name, folder, name);
    assert_int_equal(system(command), 0);
}

static void make_numbers(void *arg)
{
    loaded *l = arg;
    dd_index_vec supplied = {0};
    const dd_model *m = l->system->model;
    for (uint32_t i = 0; i < m->vars.len; i++) {
        if (m->vars.data[i].kind == DD_KIND_INPUT) {
            dd_vec_push(l->pool, &supplied, i);
        }
    }
    l->q = dd_numbers_new(l->system, DD_EQUATIONS_REDUCED, 0, &supplied, NULL, l->pool);
    l->q->source = (dd_input_source){.user = l, .values = input_values};
}

static void open_model(loaded *l, const char *text, const char *name, const char *method)
{
    char object[128];
    dd_export_options o = dd_export_options_default();
    o.method = method;
    o.auto_init = true;
    *l = (loaded){.name = name};
    snprintf(l->folder, sizeof l->folder, "/tmp/dd_export_%d_%s", (int)getpid(), name);
    assert_int_equal(dd_context_new(&l->ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&l->model, l->ctx, "test.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&l->system, l->model, NULL), DD_OK);
    const dd_status st = dd_export_c(&l->x, l->system, l->folder, &o);
    if (st != DD_OK) {
        fail_msg("%s: %s", name, dd_context_message(l->ctx));
    }
    assert_non_null(strstr(dd_export_json(l->x), "\"status\":\"ok\""));
    run("${CC:-cc} -std=c99 -O1 -Wall -Wextra -Werror -Wdouble-promotion -Wconversion -pedantic -shared -fPIC -o "
        "%s/%s.so "
        "%s/%s.c -lm",
        l->folder, name);
    snprintf(object, sizeof object, "%s/%s.so", l->folder, name);
    l->library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(l->library);
    l->pool = dd_pool_new(l->ctx);
    assert_int_equal(dd_protect(l->ctx, make_numbers, l), DD_OK);
}

static void close_model(loaded *l)
{
    run("rm -rf %s", l->folder, "");
    dlclose(l->library);
    dd_numbers_free(l->q);
    dd_pool_free(l->pool);
    dd_export_free(l->x);
    dd_system_free(l->system);
    dd_model_free(l->model);
    dd_context_free(l->ctx);
}

static void *symbol(const loaded *l, const char *what)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", l->name, what);
    void *found = dlsym(l->library, name);
    assert_non_null(found);
    return found;
}

static model_function function(const loaded *l, const char *what)
{
    model_function f;
    *(void **)&f = symbol(l, what);
    return f;
}

static void same(const char *what, const double *a, const double *b, uint32_t n)
{
    double largest = 1;
    for (uint32_t i = 0; i < n; i++) {
        largest = isfinite(b[i]) ? fmax(largest, fabs(b[i])) : largest;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= CLOSE * largest) && !(isnan(a[i]) && isnan(b[i]))) {
            fail_msg("%s[%u]: %.17g, the library has %.17g", what, i, a[i], b[i]);
        }
    }
}

/* Entries of the exported matrix in columns first .. first + n - 1 as a dense matrix of m rows. */
static void spread(const loaded *l, const char *what, const double *entry, uint32_t first, uint32_t n, uint32_t m,
                   double *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s_ptr", what);
    const int *ptr = symbol(l, name);
    snprintf(name, sizeof name, "%s_row", what);
    const int *row = symbol(l, name);
    memset(out, 0, (size_t)n * m * sizeof *out);
    for (uint32_t j = 0; j < n; j++) {
        for (int e = ptr[first + j]; e < ptr[first + j + 1]; e++) {
            out[j * m + (uint32_t)row[e]] = entry[e];
        }
    }
}

static void spread_csc(const dd_csc *p, const double *value, double *out)
{
    memset(out, 0, (size_t)p->ncols * p->nrows * sizeof *out);
    for (uint32_t j = 0; j < p->ncols; j++) {
        for (uint32_t k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            out[j * p->nrows + p->idx[k]] = value[k];
        }
    }
}

typedef struct point {
    double t, v[32], w[32], p[32], mode[32];
} point;

static void compare_rows(const loaded *l, const point *at)
{
    static double a[MOST], b[MOST], entry[MOST], m[MOST], j[MOST];
    const dd_problem *problem = &l->q->problem;
    const uint32_t n = problem->n, nc = problem->n_invariants;
    function(l, "residual")(at->t, at->v, at->w, l->u, at->p, at->mode, a);
    problem->residual(problem->user, at->t, at->w, at->v, b);
    same("residual", a, b, n);
    function(l, "residual_jacobian")(at->t, at->v, at->w, l->u, at->p, at->mode, entry);
    problem->jacobian(problem->user, at->t, at->w, at->v, m, j);
    spread(l, "residual", entry, 0, n, n, a);
    spread_csc(&problem->pattern, m, b);
    same("M", a, b, n * n);
    spread(l, "residual", entry, n, n, n, a);
    spread_csc(&problem->pattern, j, b);
    same("J", a, b, n * n);
    function(l, "invariants")(at->t, at->v, at->w, l->u, at->p, at->mode, a);
    problem->invariants(problem->user, at->t, at->w, b);
    same("invariants", a, b, nc);
    function(l, "invariants_jacobian")(at->t, at->v, at->w, l->u, at->p, at->mode, entry);
    problem->invariant_jacobian(problem->user, at->t, at->w, j);
    spread(l, "invariants", entry, n, n, nc, a);
    spread_csc(&problem->invariant_pattern, j, b);
    same("G", a, b, n * nc);
}

/* Derivatives of the variables by differences: the library has none without parameters. */
static void compare_outputs(const loaded *l, const point *at)
{
    static double a[MOST], b[MOST], entry[MOST], matrix[MOST];
    const uint32_t n = l->q->n, ny = l->system->declared;
    const double step = 1e-6;
    function(l, "outputs")(at->t, at->v, at->w, l->u, at->p, at->mode, a);
    dd_numbers_outputs(l->q, at->t, at->w, at->v, b);
    same("outputs", a, b, ny);
    function(l, "outputs_jacobian")(at->t, at->v, at->w, l->u, at->p, at->mode, entry);
    spread(l, "outputs", entry, n, n, ny, matrix);
    for (uint32_t j = 0; j < n; j++) {
        point aside = *at;
        aside.w[j] = at->w[j] + step;
        function(l, "outputs")(at->t, at->v, aside.w, l->u, at->p, at->mode, a);
        aside.w[j] = at->w[j] - step;
        function(l, "outputs")(at->t, at->v, aside.w, l->u, at->p, at->mode, b);
        for (uint32_t i = 0; i < ny; i++) {
            const double slope = (a[i] - b[i]) / (2 * step);
            if (isfinite(slope)) {
                assert_true(fabs(slope - matrix[j * ny + i]) <= 1e-5 * (1 + fabs(slope)));
            }
        }
    }
    if (l->q->switches.len > 0) {
        function(l, "switching")(at->t, at->v, at->w, l->u, at->p, at->mode, a);
        dd_numbers_switching(l->q, at->t, at->w, at->v, b);
        same("switching", a, b, l->q->switches.len);
    }
}

static void compare_model(const char *text, const char *name, const char *method)
{
    loaded l;
    uint64_t random = 7;
    open_model(&l, text, name, method);
    const dd_model *m = l.system->model;
    for (int round = 0; round < POINTS; round++) {
        point at = {.t = 1.5 + 1.5 * dd_random(&random)};
        for (uint32_t j = 0; j < l.q->n; j++) {
            at.w[j] = dd_random(&random);
            at.v[j] = j < l.q->equations->x.len ? dd_random(&random) : 0;
        }
        uint32_t np = 0;
        for (uint32_t i = 0; i < m->vars.len; i++) {
            if (m->vars.data[i].kind == DD_KIND_PARAMETER) {
                at.p[np++] = m->vars.data[i].value;
            }
        }
        for (uint32_t k = 0; k < l.q->inputs.len; k++) {
            l.u[k] = dd_random(&random);
        }
        for (uint32_t k = 0; k < l.q->switches.len; k++) {
            const dd_switch_kind kind = l.q->switches.data[k].kind;
            at.mode[k] = kind == DD_SWITCH_MARGIN ? 1e-9 : kind == DD_SWITCH_SLOPE ? 0.5 : dd_random(&random) > 0;
            dd_numbers_freeze(l.q, k, at.mode[k]);
        }
        compare_rows(&l, &at);
        compare_outputs(&l, &at);
    }
    close_model(&l);
}

static void test_functions(void **state)
{
    (void)state;
    compare_model(pendulum, "Pendulum", "radau-3");
    compare_model(pendulum, "Pendulum", "rk4");
    compare_model(implicit, "Implicit", NULL);
    compare_model(switched, "Switched", NULL);
    compare_model(driven, "Driven", NULL);
}

/* What cannot be exported is refused with a sentence, and nothing is written. */
static void refused(const char *text, const char *method, const char *expected)
{
    dd_context *ctx;
    dd_model *model;
    dd_system *s;
    dd_export *x;
    dd_export_options o = dd_export_options_default();
    o.method = method;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&model, ctx, "test.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&s, model, NULL), DD_OK);
    assert_int_not_equal(dd_export_c(&x, s, "/tmp/dd_export_refused", &o), DD_OK);
    assert_null(x);
    if (!strstr(dd_context_message(ctx), expected)) {
        fail_msg("\"%s\" lacks \"%s\"", dd_context_message(ctx), expected);
    }
    assert_int_not_equal(access("/tmp/dd_export_refused", F_OK), 0);
    dd_system_free(s);
    dd_model_free(model);
    dd_context_free(ctx);
}

static void test_refused(void **state)
{
    (void)state;
    refused("model A Real x; equation x = 1; x = 2; end A;", NULL, "cannot be exported");
    refused("model A Real x(start = 1, fixed = true); Real z; equation der(x) = z; z + sin(z) = x; end A;", "rk4",
            "rk4 is explicit");
    refused("model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;", "rk5", "there is no method");
    refused("model A Real x; Real y(start = 1, fixed = true); equation der(y) = -y; x^2 = -1 - y^2; end A;", NULL,
            "no consistent start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
