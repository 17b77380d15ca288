/* measure.c - see measure.h. Runs of microseconds are timed in batches; the median of a few batches is taken. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 7, SETUP_SAMPLES = 5 };
static const double BATCH = 2e-3;  /* seconds at least of one sample */
static const double ENOUGH = 0.25; /* seconds after which no more samples are taken */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

bool ivp_measure_open(ivp_measurement *m, const ivp_solver *solver, const ivp_problem *p, const char *folder)
{
    *m = (ivp_measurement){.solver = solver};
    if (solver->ode_only && !ivp_is_ode(p)) {
        return false;
    }
    double seconds[SETUP_SAMPLES];
    for (int i = 0; i < SETUP_SAMPLES; i++) {
        ivp_measure_close(m);
        const double begin = cpu_seconds();
        m->handle = solver->open(p, folder);
        seconds[i] = cpu_seconds() - begin;
        if (!m->handle) {
            return false;
        }
    }
    m->setup_ms = 1e3 * median(seconds, SETUP_SAMPLES);
    return true;
}

void ivp_measure_close(ivp_measurement *m)
{
    if (m->handle) {
        m->solver->close(m->handle);
        m->handle = NULL;
    }
}

void ivp_measure_run(ivp_measurement *m, const ivp_reference *reference, double rtol, double budget)
{
    if (m->count == IVP_MAX_TOLERANCES) {
        return;
    }
    ivp_run *run = &m->runs[m->count++];
    *run = (ivp_run){.flag = IVP_LEFT_OUT, .digits = NAN};
    if (m->spent > budget) {
        return;
    }
    double y[IVP_MAX_N], seconds[SAMPLES];
    const double atol = rtol * reference->factor, opening = cpu_seconds();
    run->flag = m->solver->run(m->handle, rtol, atol, y, &run->stats);
    const double first = cpu_seconds() - opening;
    run->ms = 1e3 * first;
    if (run->flag == 0) {
        run->digits = ivp_digits(y, reference->value, reference->counts, reference->n, reference->factor);
        const int batch = first < BATCH ? (int)(BATCH / first) + 1 : 1;
        int n = 0;
        if (batch == 1) {
            seconds[n++] = first; /* long enough to count itself */
        }
        while (n < SAMPLES && cpu_seconds() - opening < ENOUGH) {
            const double begin = cpu_seconds();
            for (int i = 0; i < batch; i++) {
                m->solver->run(m->handle, rtol, atol, y, &run->stats);
            }
            seconds[n++] = (cpu_seconds() - begin) / batch;
        }
        run->ms = n > 0 ? 1e3 * median(seconds, n) : run->ms;
    }
    m->spent += cpu_seconds() - opening;
}

ivp_curve ivp_measure_curve(const ivp_measurement *m)
{
    ivp_curve c = {0};
    for (int i = 0; i < m->count; i++) {
        if (m->runs[i].flag == 0) {
            ivp_curve_add(&c, m->runs[i].digits, m->runs[i].ms);
        }
    }
    return c;
}
