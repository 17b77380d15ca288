/* calls.c - the public C interface of FMI 2.0 and 3.0, its declarations repeated from the specifications. */
#include "calls.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct callbacks2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks2;

typedef struct event2 {
    int again, terminate, nominals, values, has_next;
    double next;
} event2;

fmu_description d;
void *library;
int messages, blocks;
static char last_message[1000];

void *find(const char *two, const char *three)
{
    char name[100];
    snprintf(name, sizeof name, d.version == 3 ? "fmi3%s" : "fmi2%s", d.version == 3 ? three : two);
    void *found = dlsym(library, name);
    if (!found) {
        fail("the library has no %s", name);
    }
    return found;
}

static void log_two(void *environment, const char *instance, int status, const char *category, const char *message, ...)
{
    va_list args;
    (void)environment;
    (void)instance;
    (void)status;
    (void)category;
    messages++;
    va_start(args, message);
    vsnprintf(last_message, sizeof last_message, message, args);
    va_end(args);
}

static void log_three(void *environment, int status, const char *category, const char *message)
{
    (void)environment;
    (void)status;
    (void)category;
    messages++;
    snprintf(last_message, sizeof last_message, "%s", message);
}

static void *allocate(size_t n, size_t size)
{
    blocks++;
    return calloc(n, size);
}

static void release(void *block)
{
    blocks -= block != NULL;
    free(block);
}

static const callbacks2 callbacks = {log_two, allocate, release, NULL, NULL};

void *instantiate(bool cosimulation, const char *token)
{
    if (d.version == 2) {
        void *(*f)(const char *, int, const char *, const char *, const callbacks2 *, int, int);
        *(void **)&f = find("Instantiate", "");
        return f("test", cosimulation, token, "", &callbacks, 0, 1);
    }
    if (cosimulation) {
        void *(*f)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t, void *,
                   void (*)(void *, int, const char *, const char *), void *);
        *(void **)&f = find("", "InstantiateCoSimulation");
        return f("test", token, "", false, true, false, false, NULL, 0, NULL, log_three, NULL);
    }
    void *(*f)(const char *, const char *, const char *, bool, bool, void *,
               void (*)(void *, int, const char *, const char *));
    *(void **)&f = find("", "InstantiateModelExchange");
    return f("test", token, "", false, true, NULL, log_three);
}

void release_instance(void *c)
{
    void (*f)(void *);
    *(void **)&f = find("FreeInstance", "FreeInstance");
    f(c);
}

int plain(const char *two, const char *three, void *c)
{
    int (*f)(void *);
    *(void **)&f = find(two, three);
    return f(c);
}

void must(int status, const char *what)
{
    if (status != 0) {
        fail("%s returned %d: %s", what, status, last_message);
    }
}

int get(void *c, const unsigned int *vr, size_t n, double *value)
{
    if (d.version == 2) {
        int (*f)(void *, const unsigned int *, size_t, double *);
        *(void **)&f = find("GetReal", "");
        return f(c, vr, n, value);
    }
    int (*f)(void *, const unsigned int *, size_t, double *, size_t);
    *(void **)&f = find("", "GetFloat64");
    return f(c, vr, n, value, n);
}

int set(void *c, const unsigned int *vr, size_t n, const double *value)
{
    if (d.version == 2) {
        int (*f)(void *, const unsigned int *, size_t, const double *);
        *(void **)&f = find("SetReal", "");
        return f(c, vr, n, value);
    }
    int (*f)(void *, const unsigned int *, size_t, const double *, size_t);
    *(void **)&f = find("", "SetFloat64");
    return f(c, vr, n, value, n);
}

void begin(void *c, double tolerance)
{
    if (d.version == 2) {
        int (*setup)(void *, int, double, double, int, double);
        *(void **)&setup = find("SetupExperiment", "");
        must(setup(c, 1, tolerance, 0, 0, 0), "SetupExperiment");
        must(plain("EnterInitializationMode", "", c), "EnterInitializationMode");
    } else {
        int (*enter)(void *, bool, double, double, bool, double);
        *(void **)&enter = find("", "EnterInitializationMode");
        must(enter(c, true, tolerance, 0, false, 0), "EnterInitializationMode");
    }
    must(plain("ExitInitializationMode", "ExitInitializationMode", c), "ExitInitializationMode");
}

int do_step(void *c, double t, double h)
{
    if (d.version == 2) {
        int (*f)(void *, double, double, int);
        *(void **)&f = find("DoStep", "");
        return f(c, t, h, 1);
    }
    int (*f)(void *, double, double, bool, bool *, bool *, bool *, double *);
    *(void **)&f = find("", "DoStep");
    bool event, terminate, early;
    double last;
    return f(c, t, h, true, &event, &terminate, &early, &last);
}

/* Until no more is needed; the next moment that is known, and whether states changed. */
double update(void *c, bool *values)
{
    double next = HUGE_VAL;
    *values = false;
    for (bool again = true; again;) {
        if (d.version == 2) {
            int (*f)(void *, event2 *);
            *(void **)&f = find("NewDiscreteStates", "");
            event2 e = {0};
            must(f(c, &e), "NewDiscreteStates");
            again = e.again;
            *values = *values || e.values;
            next = e.has_next ? e.next : HUGE_VAL;
        } else {
            int (*f)(void *, bool *, bool *, bool *, bool *, bool *, double *);
            *(void **)&f = find("", "UpdateDiscreteStates");
            bool terminate, nominals, changed, has_next;
            double at;
            must(f(c, &again, &terminate, &nominals, &changed, &has_next, &at), "UpdateDiscreteStates");
            *values = *values || changed;
            next = has_next ? at : HUGE_VAL;
        }
    }
    return next;
}

void vector(const char *two, const char *three, void *c, double *out, size_t n)
{
    int (*f)(void *, double *, size_t);
    *(void **)&f = find(two, three);
    must(f(c, out, n), two);
}

void set_time(void *c, double t)
{
    int (*f)(void *, double);
    *(void **)&f = find("SetTime", "SetTime");
    must(f(c, t), "SetTime");
}

bool completed(void *c)
{
    int terminate2, event = 0;
    if (d.version == 2) {
        int (*f)(void *, int, int *, int *);
        *(void **)&f = find("CompletedIntegratorStep", "");
        must(f(c, 1, &event, &terminate2), "CompletedIntegratorStep");
        return event != 0;
    }
    int (*f)(void *, bool, bool *, bool *);
    *(void **)&f = find("", "CompletedIntegratorStep");
    bool event3, terminate;
    must(f(c, true, &event3, &terminate), "CompletedIntegratorStep");
    return event3;
}

int derivative(const char *kind, void *c, const unsigned int *unknown, size_t n, const unsigned int *known, size_t m,
               const double *seed, double *out)
{
    if (d.version == 2) {
        int (*f)(void *, const unsigned int *, size_t, const unsigned int *, size_t, const double *, double *);
        *(void **)&f = find("GetDirectionalDerivative", "");
        return f(c, unknown, n, known, m, seed, out);
    }
    const bool adjoint = strcmp(kind, "GetAdjointDerivative") == 0;
    int (*f)(void *, const unsigned int *, size_t, const unsigned int *, size_t, const double *, size_t, double *,
             size_t);
    *(void **)&f = find("", kind);
    return f(c, unknown, n, known, m, seed, adjoint ? n : m, out, adjoint ? m : n);
}
