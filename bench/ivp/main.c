/* main.c - bench_ivp: work-precision curves of all solvers of this build on the initial-value problems.
 *
 * Every solver runs every problem at 13 tolerances from 1e-3 to 1e-11, equally spaced in the exponent; CPU time is the
 * median of several runs of one process on one core, digits are those of the end values. The tables compare times at
 * equal achieved digits (curve.h, summary.h). Times do not include set-up (solver.h), which is printed apart.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "summary.h"

enum { TOLERANCES = 13, MAX_PROBLEMS = 32 };

typedef struct options {
    const char *reference, *recorded, *models, *only; /* only: name of one solver, or NULL */
    double tolerances[IVP_MAX_TOLERANCES];
    int n_tolerances;
    double budget;
    bool verbose, check;
} options;

static const char usage[] =
    "usage: bench_ivp [options] [problem ...]\n"
    "  --reference FILE   end values (tests/verify/ivp/reference.txt)\n"
    "  --recorded FILE    recorded runs of other codes (bench/ivp/recorded.txt)\n"
    "  --models FOLDER    model files (bench/models/ivp)\n"
    "  --solver NAME      this one only: ida, cvode, daedal\n"
    "  --tol R[,R...]     these tolerances instead of 1e-3 .. 1e-11\n"
    "  --budget SECONDS   CPU time for all tolerances of a solver on a problem (20); later ones are left out\n"
    "  --check            exit code 1 when a claim on speed is missed\n"
    "  -v                 every run\n";

static bool read_tolerances(options *o, const char *text)
{
    o->n_tolerances = 0;
    for (char *end; o->n_tolerances < IVP_MAX_TOLERANCES; text = end + 1) {
        const double tol = strtod(text, &end);
        if (end == text || !(tol > 0 && tol < 1) || (*end && *end != ',')) {
            return false;
        }
        o->tolerances[o->n_tolerances++] = tol;
        if (!*end) {
            return true;
        }
    }
    return false;
}

/* Options first, then problems; returns the index of the first problem, or -1. */
static int read_options(options *o, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *name = argv[i];
        if (strcmp(name, "-v") == 0) {
            o->verbose = true;
            continue;
        }
        if (strcmp(name, "--check") == 0) {
            o->check = true;
            continue;
        }
        const char *value = i + 1 < argc ? argv[++i] : NULL;
        if (!value) {
            return -1;
        }
        if (strcmp(name, "--reference") == 0) {
            o->reference = value;
        } else if (strcmp(name, "--recorded") == 0) {
            o->recorded = value;
        } else if (strcmp(name, "--models") == 0) {
            o->models = value;
        } else if (strcmp(name, "--solver") == 0) {
            o->only = value;
        } else if (strcmp(name, "--budget") == 0) {
            o->budget = atof(value);
        } else if (strcmp(name, "--tol") != 0 || !read_tolerances(o, value)) {
            return -1;
        }
    }
    return i;
}

static void print_run(const char *problem, const char *solver, double rtol, const ivp_run *run)
{
    printf("%-9s %-7s %8.1e ", problem, solver, rtol);
    if (run->flag == IVP_LEFT_OUT) {
        printf("left out\n");
    } else if (run->flag != 0) {
        printf("failed (%d) after %ld steps, %.3f ms\n", run->flag, run->stats.steps, run->ms);
    } else {
        printf("%6.2f digits %8ld steps %8ld f %7ld jac %12.4f ms\n", run->digits, run->stats.steps,
               run->stats.evaluations, run->stats.jacobians, run->ms);
    }
    fflush(stdout);
}

static int role_of(const char *name)
{
    for (int k = 0; k < IVP_ROLES; k++) {
        if (strcmp(ivp_role_names[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Exact Jacobians are what runs here, so the recorded runs with exact ones are preferred. */
static void read_recorded(const options *o, ivp_result *r)
{
    int bad = ivp_read_recorded(o->recorded, r->problem, "ida-cs", &r->recorded_ida);
    if (r->recorded_ida.count == 0) {
        bad |= ivp_read_recorded(o->recorded, r->problem, "ida-dq", &r->recorded_ida);
    }
    bad |= ivp_read_recorded(o->recorded, r->problem, "cvode-dq", &r->recorded_cvode);
    bad |= ivp_read_recorded(o->recorded, r->problem, "radau5", &r->recorded_radau5);
    bad |= ivp_read_recorded(o->recorded, r->problem, "radau", &r->recorded_radau);
    if (bad) {
        fprintf(stderr, "%s: cannot be read\n", o->recorded);
    }
}

static bool measure_problem(const options *o, const ivp_problem *p, ivp_result *result)
{
    ivp_reference reference;
    *result = (ivp_result){.problem = p->name};
    if (ivp_read_reference(o->reference, p->name, &reference) || reference.n != p->n || reference.stop != p->stop) {
        fprintf(stderr, "%s: no reference values that fit in %s\n", p->name, o->reference);
        return false;
    }
    read_recorded(o, result);
    ivp_measurement m[IVP_ROLES] = {0};
    for (int k = 0; k < IVP_ROLES; k++) {
        result->setup_ms[k] = NAN;
    }
    for (int i = 0; ivp_solvers[i]; i++) {
        const int k = role_of(ivp_solvers[i]->name);
        if (k < 0 || (o->only && strcmp(o->only, ivp_solvers[i]->name) != 0)) {
            continue;
        }
        if (ivp_measure_open(&m[k], ivp_solvers[i], p, o->models)) {
            result->setup_ms[k] = m[k].setup_ms;
        } else if (!ivp_solvers[i]->ode_only) {
            fprintf(stderr, "%s: %s could not be set up\n", p->name, ivp_solvers[i]->name);
        }
    }
    /* solver by solver at each tolerance, so that a slow minute of the machine hits all alike */
    for (int t = 0; t < o->n_tolerances; t++) {
        for (int k = 0; k < IVP_ROLES; k++) {
            if (m[k].handle) {
                ivp_measure_run(&m[k], &reference, o->tolerances[t], o->budget);
                if (o->verbose) {
                    print_run(p->name, ivp_role_names[k], o->tolerances[t], &m[k].runs[t]);
                }
            }
        }
    }
    for (int k = 0; k < IVP_ROLES; k++) {
        result->curves[k] = ivp_measure_curve(&m[k]);
        ivp_measure_close(&m[k]);
    }
    return true;
}

int main(int argc, char **argv)
{
    options o = {.reference = "tests/verify/ivp/reference.txt",
                 .recorded = "bench/ivp/recorded.txt",
                 .models = "bench/models/ivp",
                 .n_tolerances = TOLERANCES,
                 .budget = 20};
    for (int i = 0; i < TOLERANCES; i++) {
        o.tolerances[i] = pow(10, -3 - 8.0 * i / (TOLERANCES - 1));
    }
    const int first = read_options(&o, argc, argv);
    if (first < 0) {
        fputs(usage, stderr);
        return 2;
    }
    if (!ivp_solvers[0]) {
        fprintf(stderr, "bench_ivp: no solver in this build, nothing to measure\n");
        return 0;
    }
    static ivp_result results[MAX_PROBLEMS];
    int n = 0, bad = 0;
    for (int i = 0; first < argc ? first + i < argc : ivp_problems[i] != NULL; i++) {
        const ivp_problem *p = first < argc ? ivp_find(argv[first + i]) : ivp_problems[i];
        if (!p) {
            fprintf(stderr, "no problem is called %s\n", argv[first + i]);
            return 2;
        }
        if (n < MAX_PROBLEMS && measure_problem(&o, p, &results[n])) {
            n++;
        } else {
            bad++;
        }
    }
    const int missed = ivp_print_summary(stdout, results, n);
    if (missed) {
        printf("\n%d claims on speed are missed\n", missed);
    }
    return bad || (o.check && missed) ? 1 : 0;
}
