/* importer.c - runs an FMU through the public C interface of FMI 2.0 or 3.0 (calls.c). Usage: importer FILE.fmu FOLDER WHAT STOP STEP TOLERANCE [NAME=VALUE ...]
 *
 *   cs, me       a table of all variables at multiples of STEP, by co-simulation or with Runge-Kutta's method here
 *   derivatives  directional (and adjoint) derivatives against differences; dependencies against derivatives
 *   state        states saved, serialized and restored; two instances; wrong calls */
#include "calls.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

/* ---- the table ---- */

static unsigned int shown[MOST];
static int n_shown;

static void print_header(void)
{
    printf("time");
    for (int i = 0; i < d.n_variables; i++) {
        const fmu_variable *v = &d.variables[i];
        const bool wanted = strcmp(v->causality, "local") == 0 || strcmp(v->causality, "output") == 0;
        if (wanted && !v->derivative && v->name[0] != '\'') {
            printf(strchr(v->name, ',') ? ",\"%s\"" : ",%s", v->name);
            shown[n_shown++] = v->reference;
        }
    }
    printf("\n");
}

static void print_row(void *c, double t)
{
    static double value[MOST];
    must(get(c, shown, (size_t)n_shown, value), "get");
    printf("%.17g", t);
    for (int i = 0; i < n_shown; i++) {
        printf(",%.17g", value[i]);
    }
    printf("\n");
}

/* NAME=VALUE before the start. */
static void apply(void *c, int n, char **settings)
{
    for (int k = 0; k < n; k++) {
        char *equals = strrchr(settings[k], '=');
        bool found = false;
        for (int i = 0; i < d.n_variables && equals; i++) {
            if (strncmp(d.variables[i].name, settings[k], (size_t)(equals - settings[k])) == 0 &&
                d.variables[i].name[equals - settings[k]] == '\0') {
                const double value = strtod(equals + 1, NULL);
                must(set(c, &d.variables[i].reference, 1, &value), "set");
                found = true;
            }
        }
        if (!found) {
            fail("there is no variable for %s", settings[k]);
        }
    }
}

static void run_cs(double stop, double step, double tolerance, int n, char **settings)
{
    void *c = instantiate(true, d.token);
    if (!c) {
        fail("no instance");
    }
    apply(c, n, settings);
    begin(c, tolerance);
    print_header();
    print_row(c, 0);
    for (int k = 0; (k + 0.5) * step < stop; k++) {
        must(do_step(c, k * step, step), "DoStep");
        print_row(c, (k + 1) * step);
    }
    must(plain("Terminate", "Terminate", c), "Terminate");
    release_instance(c);
}

/* ---- model exchange: the classical Runge-Kutta method with step doubling, events by bisection ---- */

enum { DISCARD = 2 };    /* a status: a shorter step may help */
#define ACCURACY 1e-2    /* of the tolerance, for a step */
#define LEAST_STEP 1e-12 /* of the distance of rows: no integrator needs less */

typedef struct point {
    double t, x[MOST];
} point;

static int nx;
static double k1[MOST], k2[MOST], k3[MOST], k4[MOST], stage[MOST], g0[MOST], g1[MOST];

/* False: the FMU has no value there. */
static bool rates(void *c, double t, const double *x, double *out)
{
    int (*f)(void *, const double *, size_t), (*g)(void *, double *, size_t);
    *(void **)&f = find("SetContinuousStates", "SetContinuousStates");
    *(void **)&g = find("GetDerivatives", "GetContinuousStateDerivatives");
    set_time(c, t);
    must(f(c, x, (size_t)nx), "SetContinuousStates");
    const int status = g(c, out, (size_t)nx);
    if (status != DISCARD) {
        must(status, "GetDerivatives");
    }
    return status == 0;
}

static bool take(void *c, const point *from, double h, point *to)
{
    bool fine = rates(c, from->t, from->x, k1);
    for (int part = 0; part < 3 && fine; part++) {
        const double *k = part == 0 ? k1 : part == 1 ? k2 : k3;
        const double w = part == 2 ? 1.0 : 0.5;
        for (int j = 0; j < nx; j++) {
            stage[j] = from->x[j] + w * h * k[j];
        }
        fine = rates(c, from->t + w * h, stage, part == 0 ? k2 : part == 1 ? k3 : k4);
    }
    to->t = from->t + h;
    for (int j = 0; j < nx && fine; j++) {
        to->x[j] = from->x[j] + h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    return fine;
}

/* Two steps of h/2; returns how far one of h is off, infinite where the FMU has no value. Its state is the end. */
static double advance(void *c, const point *from, double h, point *to)
{
    static point whole, half;
    if (!take(c, from, h, &whole) || !take(c, from, h / 2, &half) || !take(c, &half, h / 2, to)) {
        return INFINITY;
    }
    double error = 0;
    for (int j = 0; j < nx; j++) {
        error = fmax(error, fabs(to->x[j] - whole.x[j]) / 15 / (1 + fabs(to->x[j])));
    }
    to->t = from->t + h;
    return rates(c, to->t, to->x, k1) ? error : INFINITY;
}

static bool crosses(void *c)
{
    bool any = false;
    vector("GetEventIndicators", "GetEventIndicators", c, g1, (size_t)d.indicators);
    for (int i = 0; i < d.indicators; i++) {
        any = any || (g0[i] > 0) != (g1[i] > 0);
    }
    return any;
}

/* Event mode at the point; the next moment. */
static double event(void *c, point *at)
{
    bool values;
    must(plain("EnterEventMode", "EnterEventMode", c), "EnterEventMode");
    const double next = update(c, &values);
    must(plain("EnterContinuousTimeMode", "EnterContinuousTimeMode", c), "EnterContinuousTimeMode");
    vector("GetContinuousStates", "GetContinuousStates", c, at->x, (size_t)nx);
    vector("GetEventIndicators", "GetEventIndicators", c, g0, (size_t)d.indicators);
    return next;
}

static void run_me(double stop, double step, double tolerance, int n, char **settings)
{
    static point at, next, best;
    double longest = step;
    void *c = instantiate(false, d.token);
    bool values;
    if (!c) {
        fail("no instance");
    }
    /* the start, with its events */
    apply(c, n, settings);
    begin(c, tolerance);
    double moment = update(c, &values);
    must(plain("EnterContinuousTimeMode", "EnterContinuousTimeMode", c), "EnterContinuousTimeMode");
    vector("GetContinuousStates", "GetContinuousStates", c, at.x, (size_t)nx);
    vector("GetEventIndicators", "GetEventIndicators", c, g0, (size_t)d.indicators);
    print_header();
    print_row(c, 0);
    for (int k = 1; (k - 0.5) * step < stop; k++) {
        const double row = k * step;
        while (at.t < row - 1e-12) {
            /* one step; where an indicator changes sign, the shortest one that does so too */
            const double bound = moment < row ? moment : row;
            double h = fmin(longest, bound - at.t), error = advance(c, &at, h, &next);
            while (!(error <= ACCURACY * tolerance) && h > LEAST_STEP * step) {
                h *= isfinite(error) ? fmax(0.2, 0.9 * pow(ACCURACY * tolerance / error, 0.2)) : 0.25;
                error = advance(c, &at, h, &next);
            }
            if (!isfinite(error)) {
                fail("the FMU has no value after time %.17g, however short the step", at.t);
            }
            longest = h * fmin(4, 0.9 * pow(ACCURACY * tolerance / fmax(error, 1e-300), 0.2));
            const bool crossed = crosses(c);
            for (double low = 0, high = h; crossed && high - low > 1e-13;) {
                const double middle = 0.5 * (low + high);
                advance(c, &at, middle, &best);
                if (crosses(c)) {
                    high = middle;
                    next = best;
                } else {
                    low = middle;
                }
            }
            advance(c, &at, next.t - at.t, &best);
            at = best;
            at.t = fabs(at.t - bound) < 1e-12 ? bound : at.t;
            set_time(c, at.t);
            if (completed(c) || crossed || at.t == moment) {
                moment = event(c, &at);
            } else {
                crosses(c);
                memcpy(g0, g1, sizeof g0);
            }
        }
        print_row(c, row);
    }
    release_instance(c);
}

/* ---- derivatives ---- */

static bool listed(const fmu_unknown *u, int variable)
{
    char *list = strdup(u->dependencies ? u->dependencies : "");
    bool found = false;
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
        found = found || fmu_dependency(&d, word) == variable;
    }
    free(list);
    return found;
}

static void check_adjoint(void *c, const unsigned int *unknown, int n, const unsigned int *known, int m)
{
    double seed[MOST], weight[MOST], forward[MOST], backward[MOST], a = 0, b = 0, size = 0;
    for (int i = 0; i < m; i++) {
        seed[i] = sin(1.3 * i + 0.4);
    }
    for (int i = 0; i < n; i++) {
        weight[i] = cos(0.7 * i + 0.2);
    }
    must(derivative("GetDirectionalDerivative", c, unknown, (size_t)n, known, (size_t)m, seed, forward), "directional");
    must(derivative("GetAdjointDerivative", c, unknown, (size_t)n, known, (size_t)m, weight, backward), "adjoint");
    for (int i = 0; i < n; i++) {
        a += weight[i] * forward[i];
        size += fabs(weight[i] * forward[i]);
    }
    for (int i = 0; i < m; i++) {
        b += backward[i] * seed[i];
    }
    if (!(fabs(a - b) <= 1e-11 * (1 + size))) {
        fail("adjoint derivatives: %.17g and %.17g", a, b);
    }
}

/* All outputs, derivatives and other variables by all states and inputs, against differences at the start. */
static void check_derivatives(double tolerance)
{
    static unsigned int known[MOST], unknown[MOST];
    static int known_place[MOST], unknown_place[MOST];
    static double base[MOST], up[MOST], down[MOST], exact[MOST], x[MOST], aside[MOST];
    int n = 0, m = 0, states = 0;
    void *c = instantiate(false, d.token);
    bool values;
    begin(c, tolerance);
    update(c, &values);
    must(plain("EnterContinuousTimeMode", "EnterContinuousTimeMode", c), "EnterContinuousTimeMode");
    vector("GetContinuousStates", "GetContinuousStates", c, x, (size_t)nx);
    /* states in the order of their derivatives, then inputs */
    for (int i = 0; i < d.n_variables; i++) {
        if (d.variables[i].derivative) {
            known_place[m] = fmu_dependency(&d, d.variables[i].derivative);
            known[m] = d.variables[known_place[m]].reference;
            m++;
            states++;
        }
    }
    for (int i = 0; i < d.n_variables; i++) {
        const fmu_variable *v = &d.variables[i];
        if (strcmp(v->causality, "input") == 0) {
            known_place[m] = i;
            known[m++] = v->reference;
        } else if ((strcmp(v->causality, "local") == 0 || strcmp(v->causality, "output") == 0) &&
                   (v->derivative || strcmp(v->initial, "calculated") == 0) && strncmp(v->name, "'event", 6) != 0) {
            unknown_place[n] = i;
            unknown[n++] = v->reference;
        }
    }
    /* column by column: exact, by central differences, and listed where it is not zero */
    must(get(c, unknown, (size_t)n, base), "get");
    for (int k = 0; k < m; k++) {
        const double one = 1, step = 1e-6 * (1 + fabs(k < states ? x[k] : 0));
        must(derivative("GetDirectionalDerivative", c, unknown, (size_t)n, &known[k], 1, &one, exact), "directional");
        for (int side = 0; side < 2; side++) {
            double input = 0;
            memcpy(aside, x, sizeof aside);
            if (k < states) {
                aside[k] += side == 0 ? step : -step;
                rates(c, 0, aside, k1);
            } else {
                must(get(c, &known[k], 1, &input), "get");
                const double moved = input + (side == 0 ? step : -step);
                must(set(c, &known[k], 1, &moved), "set");
            }
            must(get(c, unknown, (size_t)n, side == 0 ? up : down), "get");
            if (k < states) {
                rates(c, 0, x, k1);
            } else {
                must(set(c, &known[k], 1, &input), "set");
            }
        }
        for (int i = 0; i < n; i++) {
            const double slope = (up[i] - down[i]) / (2 * step);
            if (!(fabs(slope - exact[i]) <= 1e-5 * (1 + fabs(slope)))) {
                fail("d %s / d %s: %.12g, by differences %.12g", d.variables[unknown_place[i]].name,
                     d.variables[known_place[k]].name, exact[i], slope);
            }
            for (int q = 0; q < d.n_unknowns; q++) {
                if (d.unknowns[q].list < 2 && d.unknowns[q].variable == unknown_place[i] && fabs(exact[i]) > 1e-9 &&
                    !listed(&d.unknowns[q], known_place[k])) {
                    fail("%s depends on %s, which is not listed", d.variables[unknown_place[i]].name,
                         d.variables[known_place[k]].name);
                }
            }
        }
    }
    if (d.version == 3) {
        check_adjoint(c, unknown, n, known, m);
    }
    release_instance(c);
    printf("%d derivatives of %d variables agree\n", n * m, n);
}

/* ---- states and wrong calls ---- */

static void expect_same(void *a, void *b, const char *what)
{
    static double one[MOST], two[MOST];
    must(get(a, shown, (size_t)n_shown, one), "get");
    must(get(b, shown, (size_t)n_shown, two), "get");
    for (int i = 0; i < n_shown; i++) {
        if (!(fabs(one[i] - two[i]) <= 1e-11 * (1 + fabs(one[i])))) {
            fail("%s: %.17g and %.17g", what, one[i], two[i]);
        }
    }
}

static void check_state(double step, double tolerance)
{
    int (*get_state)(void *, void **), (*set_state)(void *, void *), (*free_state)(void *, void **);
    int (*size_of)(void *, void *, size_t *), (*write)(void *, void *, char *, size_t);
    int (*read)(void *, const char *, size_t, void **);
    *(void **)&get_state = find("GetFMUstate", "GetFMUState");
    *(void **)&set_state = find("SetFMUstate", "SetFMUState");
    *(void **)&free_state = find("FreeFMUstate", "FreeFMUState");
    *(void **)&size_of = find("SerializedFMUstateSize", "SerializedFMUStateSize");
    *(void **)&write = find("SerializeFMUstate", "SerializeFMUState");
    *(void **)&read = find("DeSerializeFMUstate", "DeserializeFMUState");
    /* another token is refused with a message; nothing is allowed before its time */
    if (instantiate(true, "{0}") || messages == 0) {
        fail("an instance of another FMU is made, or nothing is said about it");
    }
    void *a = instantiate(true, d.token), *b = instantiate(true, d.token), *state = NULL, *other = NULL;
    if (do_step(a, 0, step) == 0) {
        fail("a step before the start is taken");
    }
    const unsigned int wrong = 1000000;
    double value = 0;
    if (get(a, &wrong, 1, &value) == 0 || set(a, &wrong, 1, &value) == 0) {
        fail("a variable that is not there is read");
    }
    begin(a, tolerance);
    begin(b, tolerance);
    for (int k = 0; k < 5; k++) {
        must(do_step(a, k * step, step), "DoStep");
        must(do_step(b, k * step, step), "DoStep");
        expect_same(a, b, "two instances");
    }
    /* to the state and on again, in the same and in another instance, the second by bytes */
    must(get_state(a, &state), "GetFMUstate");
    size_t size;
    must(size_of(a, state, &size), "size");
    char *bytes = malloc(size);
    must(write(a, state, bytes, size), "serialize");
    must(do_step(a, 5 * step, step), "DoStep");
    must(read(b, bytes, size, &other), "deserialize");
    must(do_step(b, 5 * step, step), "DoStep");
    must(do_step(b, 6 * step, step), "DoStep");
    must(set_state(b, other), "SetFMUstate");
    must(do_step(b, 5 * step, step), "DoStep");
    expect_same(a, b, "a state read from bytes");
    must(set_state(a, state), "SetFMUstate");
    must(do_step(a, 5 * step, step), "DoStep");
    expect_same(a, b, "a state restored");
    must(free_state(a, &state), "FreeFMUstate");
    must(free_state(b, &other), "FreeFMUstate");
    must(plain("Reset", "Reset", a), "Reset");
    begin(a, tolerance);
    must(do_step(a, 0, step), "DoStep after Reset");
    release_instance(a);
    release_instance(b);
    free(bytes);
    if (blocks != 0) {
        fail("%d blocks of memory are left", blocks);
    }
    printf("states agree\n");
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fail("usage: importer FILE.fmu FOLDER cs|me|derivatives|state|check STOP STEP TOLERANCE [NAME=VALUE ...]");
    }
    const double stop = strtod(argv[4], NULL), step = strtod(argv[5], NULL), tolerance = strtod(argv[6], NULL);
    fmu_open(&d, argv[1], argv[2]);
    if (strcmp(argv[3], "check") == 0) {
        return 0;
    }
    library = dlopen(d.library, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fail("%s", dlerror());
    }
    for (int i = 0; i < d.n_variables; i++) {
        nx += d.variables[i].derivative != NULL;
    }
    if (strcmp(argv[3], "cs") == 0) {
        run_cs(stop, step, tolerance, argc - 7, argv + 7);
    } else if (strcmp(argv[3], "me") == 0) {
        run_me(stop, step, tolerance, argc - 7, argv + 7);
    } else if (strcmp(argv[3], "derivatives") == 0) {
        check_derivatives(tolerance);
    } else {
        print_header();
        check_state(step, tolerance);
    }
    return 0;
}
