/* Random DAEs of index 0 to 3 with a known solution: the right-hand sides are the left-hand sides at given functions of time.
 * Index and degrees of freedom are known by construction, and the end of every run: each method, at several tolerances, is
 * within twenty of them or says that it is not. A lag behind a relay, whose switching moment is known, goes along. The same
 * models with variables and equations in other units, powers of ten from 1e-8 to 1e8, have the same answers and digits. */
#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4, TEXT = 20000, MODELS = 40, STATES_OF_RELAY = 2 };
static const double STOP = 2, SWITCH = 0.7, RATE = 1.3, BEFORE = 0.4, BEHIND = -0.8, AT_START = 0.1, ALLOWED = 20;

/* ---- random numbers: the same everywhere ---- */

static uint64_t seed;

/* xorshift64*: [0, 1) */
static double number(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (double)((seed * 2685821657736338717ULL) >> 11) * 0x1p-53;
}

static double between(double low, double high)
{
    return low + (high - low) * number();
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(number() * n);
}

/* ---- a model ---- */

typedef struct wave {
    double mean, size, speed, phase; /* mean + size sin(speed t + phase) */
} wave;

typedef struct random_dae {
    uint32_t index, n, m; /* states (positions at index 3) and algebraic unknowns */
    wave e[MOST], l[MOST];
    double unit[3][MOST]; /* of x, v and z; 0: as they are */
    char text[TEXT];
    size_t length;
} random_dae;

static double wave_at(const wave *w, double t)
{
    return w->mean + w->size * sin(w->speed * t + w->phase);
}

static double slope_at(const wave *w, double t)
{
    return w->size * w->speed * cos(w->speed * t + w->phase);
}

static void put(random_dae *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(r->text + r->length, TEXT - r->length, format, list);
    va_end(list);
    assert_true(n >= 0 && (size_t)n < TEXT - r->length);
    r->length += (size_t)n;
}

/* A smooth term of two states, once of the unknowns and once of the known functions. */
typedef struct term {
    uint32_t kind, i, j;
    double factor;
} term;

static term any_term(uint32_t n)
{
    return (term){below(5), 1 + below(n), 1 + below(n), between(-0.5, 0.5)};
}

static void put_term(random_dae *r, const term *t, const char *x)
{
    static const char *const kinds[] = {" + (%.4f)*sin(%s[%u])*cos(%s[%u])", " + (%.4f)*tanh(%s[%u] + %s[%u])",
                                        " + (%.4f)*%s[%u]/(1 + %s[%u]^2)", " + (%.4f)*exp(-%s[%u]^2)*%s[%u]",
                                        " + (%.4f)*sqrt(1 + %s[%u]^2)*sin(%s[%u])"};
    const char *const names = kinds[t->kind];
    put(r, names, t->factor, x, t->i, x, t->j);
}

/* The equation of state i: rate, damping, two terms, and what algebraic unknowns add. */
static void put_state(random_dae *r, uint32_t i)
{
    const term a = any_term(r->n), b = any_term(r->n);
    const double damping = between(0.3, 2), spring = between(0.3, 2), own = between(1, 2), other = between(-0.2, 0.2);
    for (int side = 0; side < 2; side++) {
        const char *const x = side == 0 ? "x" : "e", *const z = side == 0 ? "z" : "l";
        if (r->index == 3) {
            put(r, side == 0 ? "  der(v[%u]) + %.4f*v[%u] + %.4f*x[%u]" : " = a[%u] + %.4f*s[%u] + %.4f*e[%u]", i,
                damping, i, spring, i);
        } else {
            put(r, side == 0 ? "  der(x[%u]) + %.4f*x[%u]" : " = s[%u] + %.4f*e[%u]", i, damping, i);
        }
        put_term(r, &a, x);
        put_term(r, &b, x);
        for (uint32_t j = 1; j <= r->m; j++) {
            put(r, " + (%.4f)*%s[%u]", i == j ? own : other, z, j);
        }
    }
    put(r, ";\n");
}

/* The algebraic equation j: of z at index 1, of x above. */
static void put_constraint(random_dae *r, uint32_t j)
{
    const term a = any_term(r->n);
    const double free = between(-0.3, 0.3);
    for (int side = 0; side < 2; side++) {
        const char *const x = side == 0 ? "x" : "e", *const z = side == 0 ? "z" : "l";
        put(r, side == 0 ? "  " : " = ");
        if (r->index == 1) {
            put(r, "%s[%u] + %s[%u]^3", z, j, z, j);
            put_term(r, &a, x);
        } else {
            put(r, "1.5*%s[%u] + 0.2*sin(%s[%u]) + (%.4f)*tanh(%s[%u])", x, j, x, j, free, x, r->m + 1);
        }
    }
    put(r, ";\n");
}

static void put_waves(random_dae *r, const char *name, const wave *w, uint32_t count, int derivative)
{
    put(r, "  Real %s[%u] = {", name, count);
    for (uint32_t k = 0; k < count; k++) {
        const double factor = pow(w[k].speed, derivative);
        put(r, "%s%.17g + (%.17g)*sin(%.17g*time + %.17g)", k > 0 ? ", " : "", derivative == 0 ? w[k].mean : 0.0,
            w[k].size * factor, w[k].speed, w[k].phase + derivative * 1.5707963267948966);
    }
    put(r, "};\n");
}

/* States given at the start: those that no constraint determines. */
static void put_starts(random_dae *r)
{
    const uint32_t first = r->index >= 2 ? r->m + 1 : 1;
    put(r, "initial equation\n");
    for (uint32_t i = first; i <= r->n; i++) {
        put(r, "  x[%u] = e[%u];\n", i, i);
        if (r->index == 3) {
            put(r, "  v[%u] = s[%u];\n", i, i);
        }
    }
}

static void make(random_dae *r, uint32_t index)
{
    *r = (random_dae){.index = index, .n = 2 + below(MOST - 1)};
    r->m = index == 0 ? 0 : 1 + below(r->n - 1);
    for (uint32_t k = 0; k < MOST; k++) {
        r->e[k] = (wave){between(-1, 1), between(0.3, 1), between(0.3, 3), between(0, 6)};
        r->l[k] = (wave){between(-1, 1), between(0.3, 1), between(0.3, 3), between(0, 6)};
    }
    /* declarations; guesses near the start */
    put(r, "model T\n  Real x[%u](start = {", r->n);
    for (uint32_t k = 0; k < r->n; k++) {
        put(r, "%s%.3f", k > 0 ? ", " : "", wave_at(&r->e[k], 0));
    }
    put(r, "});\n");
    put_waves(r, "e", r->e, r->n, 0);
    put_waves(r, "s", r->e, r->n, 1);
    if (index == 3) {
        put(r, "  Real v[%u];\n", r->n);
        put_waves(r, "a", r->e, r->n, 2);
    }
    if (r->m > 0) {
        put(r, "  Real z[%u];\n", r->m);
        put_waves(r, "l", r->l, r->m, 0);
    }
    put(r, "  Real clock(start = %.17g, fixed = true), lag(start = %.17g, fixed = true);\n", -SWITCH, AT_START);
    put_starts(r);
    /* equations, then the relay */
    put(r, "equation\n");
    for (uint32_t i = 1; i <= r->n; i++) {
        if (index == 3) {
            put(r, "  der(x[%u]) = v[%u];\n", i, i);
        }
        put_state(r, i);
    }
    for (uint32_t j = 1; j <= r->m; j++) {
        put_constraint(r, j);
    }
    put(r, "  der(clock) + 0.5*sin(clock) = 1 + 0.5*sin(time - %.17g);\n", SWITCH);
    put(r, "  der(lag) = -%.17g*(lag - (if clock > 0 then %.17g else %.17g));\nend T;\n", RATE, BEHIND, BEFORE);
}

/* ---- other units ---- */

enum { UNIT_LOW = -8, UNIT_HIGH = 8 };
static const char families[] = "xvz";

static double any_unit(void)
{
    return pow(10.0, UNIT_LOW + (double)below(UNIT_HIGH - UNIT_LOW + 1));
}

/* One side of an equation with every unknown divided by its unit: der(x[1]) becomes (der(x[1])/1e-8). */
static void put_in_units(random_dae *r, const char *from, const char *to)
{
    while (from < to) {
        const bool rate = strncmp(from, "der(", 4) == 0;
        const char *name = rate ? from + 4 : from, *family = strchr(families, *name);
        const bool unknown = *name != '\0' && family && name[1] == '[';
        const size_t length = unknown ? (size_t)(name - from) + 4 + (rate ? 1 : 0) : 1;
        if (unknown) {
            put(r, "(%.*s/%.17g)", (int)length, from, r->unit[family - families][name[2] - '1']);
        } else {
            put(r, "%c", *from);
        }
        from += length;
    }
}

/* A row times a factor. */
static void put_row_in_units(random_dae *r, const char *row, const char *end)
{
    const char *equals = strstr(row, " = ");
    const double factor = any_unit();
    assert_true(equals && equals < end && end[-1] == ';');
    put(r, "  %.17g*(", factor);
    put_in_units(r, row, equals);
    put(r, ") = %.17g*(", factor);
    put_in_units(r, equals + 3, end - 1);
    put(r, ");\n");
}

static void put_unknowns(random_dae *r, uint32_t family, uint32_t count)
{
    put(r, "  Real %c[%u](nominal = {", families[family], count);
    for (uint32_t k = 0; k < count; k++) {
        put(r, "%s%.17g", k > 0 ? ", " : "", r->unit[family][k]);
    }
    put(r, "}, start = {");
    for (uint32_t k = 0; k < count; k++) {
        const wave *w = family == 2 ? &r->l[k] : &r->e[k];
        put(r, "%s%.3g", k > 0 ? ", " : "", r->unit[family][k] * (family == 1 ? slope_at(w, 0) : wave_at(w, 0)));
    }
    put(r, "});\n");
}

/* The same model in other units: declarations of unknowns anew, rows of x, v and z scaled, the rest as it is. */
static void change_units(const random_dae *plain, random_dae *r)
{
    *r = (random_dae){.index = plain->index, .n = plain->n, .m = plain->m};
    memcpy(r->e, plain->e, sizeof r->e);
    memcpy(r->l, plain->l, sizeof r->l);
    for (uint32_t k = 0; k < 3 * MOST; k++) {
        r->unit[k / MOST][k % MOST] = any_unit();
    }
    bool rows = false;
    for (const char *line = plain->text; *line; line = strchr(line, '\n') + 1) {
        const char *end = strchr(line, '\n');
        const bool declares = strncmp(line, "  Real x[", 9) == 0 || strncmp(line, "  Real v[", 9) == 0 ||
                              strncmp(line, "  Real z[", 9) == 0;
        rows = rows || strncmp(line, "initial equation", 16) == 0;
        if (declares) {
            const uint32_t family = (uint32_t)(strchr(families, line[7]) - families);
            put_unknowns(r, family, family == 2 ? r->m : r->n);
        } else if (rows && line[0] == ' ' && strncmp(line, "  der(clock)", 12) != 0 &&
                   strncmp(line, "  der(lag)", 10) != 0) {
            put_row_in_units(r, line + 2, end);
        } else {
            put(r, "%.*s\n", (int)(end - line), line);
        }
    }
}

/* ---- runs ---- */

static double relay_at(double t)
{
    const double there = BEFORE + (AT_START - BEFORE) * exp(-RATE * SWITCH);
    return BEHIND + (there - BEHIND) * exp(-RATE * (t - SWITCH));
}

/* In tolerances; a variable in other units is divided by its own. */
static double off_by(dd_sim *sim, const char *name, uint32_t k, double exact, double tol, double unit)
{
    char full[40];
    snprintf(full, sizeof full, k > 0 ? "%s[%u]" : "%s", name, k);
    return fabs(dd_sim_value(sim, full) / (unit > 0 ? unit : 1.0) - exact) / (tol * (1 + fabs(exact)));
}

/* The largest error at the end, in tolerances. */
static double error_of(const random_dae *r, dd_sim *sim, double tol)
{
    double most = fmax(off_by(sim, "lag", 0, relay_at(STOP), tol, 0), off_by(sim, "clock", 0, STOP - SWITCH, tol, 0));
    for (uint32_t k = 0; k < r->n; k++) {
        most = fmax(most, off_by(sim, "x", k + 1, wave_at(&r->e[k], STOP), tol, r->unit[0][k]));
        most = r->index == 3 ? fmax(most, off_by(sim, "v", k + 1, slope_at(&r->e[k], STOP), tol, r->unit[1][k])) : most;
    }
    for (uint32_t k = 0; k < r->m; k++) {
        most = fmax(most, off_by(sim, "z", k + 1, wave_at(&r->l[k], STOP), tol, r->unit[2][k]));
    }
    return most;
}

static bool says_so(const dd_sim *sim)
{
    for (uint32_t i = 0; i < dd_sim_message_count(sim); i++) {
        if (strstr(dd_sim_message(sim, i), "times the tolerance") ||
            strstr(dd_sim_message(sim, i), "errors of the size")) {
            return true;
        }
    }
    return false;
}

static void simulate(const random_dae *r, const dd_system *system, const char *method, double tol)
{
    dd_sim *sim;
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = STOP;
    o.tol = tol;
    o.method = method;
    assert_int_equal(dd_sim_new(&sim, system, &o), DD_OK);
    assert_int_equal(dd_sim_run(sim), DD_OK);
    const dd_sim_info info = dd_sim_get_info(sim);
    const double off = info.status == DD_SIM_OK ? error_of(r, sim, tol) : INFINITY;
    if (!(off <= ALLOWED)) {
        (void)dd_sim_error_growth(sim); /* adds the message */
        if (info.status != DD_SIM_OK || !says_so(sim)) {
            fail_msg("index %u, %s at %g: %s, off by %g tolerances\n%s", r->index, method, tol,
                     dd_sim_status_name(info.status), off, r->text);
        }
    }
    dd_sim_free(sim);
}

static void analyse_and_simulate(const random_dae *r)
{
    static const char *const methods[] = {"auto", "radau", "bdf", "dop853", "dopri54", "chebyshev"};
    static const double tolerances[] = {1e-4, 1e-7, 1e-10};
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&model, ctx, "random.mo", r->text, r->length, NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    /* bound variables make every one of them a DAE */
    assert_int_equal(dd_system_index(system), r->index > 0 ? (int)r->index : 1);
    assert_int_equal(dd_system_dof(system),
                     (r->index == 3 ? 2 : 1) * (r->n - (r->index >= 2 ? r->m : 0)) + STATES_OF_RELAY);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        for (size_t j = 0; j < sizeof tolerances / sizeof *tolerances; j++) {
            simulate(r, system, methods[i], tolerances[j]);
        }
    }
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
}

static void test_manufactured(void **state)
{
    (void)state;
    random_dae r;
    seed = 20011;
    for (uint32_t k = 0; k < MODELS; k++) {
        make(&r, k % 4);
        analyse_and_simulate(&r);
    }
}

static void test_units(void **state)
{
    (void)state;
    random_dae plain, r;
    seed = 50021;
    for (uint32_t k = 0; k < MODELS; k++) {
        make(&plain, k % 4);
        change_units(&plain, &r);
        analyse_and_simulate(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_manufactured), cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
