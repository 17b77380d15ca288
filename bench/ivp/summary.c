/* summary.c - see summary.h.
 *
 * The recorded times come from another machine, so they are used as ratios: (daedal/IDA here)/(RADAU5/IDA recorded),
 * through CVODE where IDA has no figure. Where neither has one, "~" columns scale the recorded time by the median of
 * here/recorded over all problems IDA solved in both; that is an estimate and no claim rests on it. Where a solver does
 * not reach the digits, "> ms" is its most accurate run and ratios to it are bounds.
 */
#include "summary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const double ivp_levels[IVP_LEVELS] = {6, 8};
const char *const ivp_role_names[IVP_ROLES] = {"ida", "cvode", "daedal"};

/* The claims: at most this share of IDA's time at 6 and 8 digits; any other problem: 1 of IDA and CVODE each. */
static const struct {
    const char *problem;
    double share[IVP_LEVELS];
} claims[] = {
    {"chemakzo", {1.0 / 8, 1.0 / 8}},
    {"roberdae", {1.0 / 4, 1.0 / 4}},
    {"medakzo", {1.0 / 4, 1.0 / 4}},
    {"transamp", {1.0 / 20, 1.0 / 50}},
};
static const double rung[IVP_LEVELS] = {1.0, 0.7}; /* of (ours/IDA here)/(RADAU5/IDA recorded) */

static double claimed_share(const char *problem, int level)
{
    for (unsigned i = 0; i < sizeof claims / sizeof *claims; i++) {
        if (strcmp(claims[i].problem, problem) == 0) {
            return claims[i].share[level];
        }
    }
    return 1;
}

typedef struct row {
    double ms[IVP_ROLES];
    bool bound[IVP_ROLES];   /* the digits were not reached: ms is less than they would cost */
    double to_ida, to_cvode; /* daedal over them */
    double radau5, radau;    /* (daedal/peer here)/(recorded code/peer recorded) */
    double estimate;         /* RADAU5's time here, estimated */
} row;

/* (daedal/peer here)/(code/peer recorded), by IDA or else by CVODE. */
static double against(const row *r, const ivp_result *s, const ivp_curve *code, double digits)
{
    const double cost = ivp_curve_cost(code, digits);
    const double ida = ivp_curve_cost(&s->recorded_ida, digits), cvode = ivp_curve_cost(&s->recorded_cvode, digits);
    const double by_ida = r->bound[IVP_IDA] ? NAN : r->to_ida / (cost / ida);
    return !isnan(by_ida) ? by_ida : r->bound[IVP_CVODE] ? NAN : r->to_cvode / (cost / cvode);
}

static row make_row(const ivp_result *s, double digits, double machine)
{
    row r;
    for (int k = 0; k < IVP_ROLES; k++) {
        r.ms[k] = ivp_curve_cost(&s->curves[k], digits);
        r.bound[k] = isnan(r.ms[k]) && s->curves[k].count > 0;
        if (r.bound[k]) {
            r.ms[k] = ivp_curve_least(&s->curves[k]);
        }
    }
    const double ours = r.bound[IVP_DAEDAL] ? NAN : r.ms[IVP_DAEDAL];
    r.to_ida = ours / r.ms[IVP_IDA];
    r.to_cvode = ours / r.ms[IVP_CVODE];
    r.radau5 = against(&r, s, &s->recorded_radau5, digits);
    r.radau = against(&r, s, &s->recorded_radau, digits);
    r.estimate = machine * ivp_curve_cost(&s->recorded_radau5, digits);
    return r;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Median over the problems of IDA's time here over its recorded time, at both numbers of digits. */
static double machine_factor(const ivp_result *results, int n)
{
    double *ratios = malloc(sizeof *ratios * (size_t)(n * IVP_LEVELS + 1));
    int count = 0;
    for (int i = 0; ratios && i < n; i++) {
        for (int k = 0; k < IVP_LEVELS; k++) {
            const double ratio = ivp_curve_cost(&results[i].curves[IVP_IDA], ivp_levels[k]) /
                                 ivp_curve_cost(&results[i].recorded_ida, ivp_levels[k]);
            if (!isnan(ratio)) {
                ratios[count++] = ratio;
            }
        }
    }
    double factor = NAN;
    if (count > 0) {
        qsort(ratios, (size_t)count, sizeof *ratios, ascending);
        factor = count % 2 ? ratios[count / 2] : 0.5 * (ratios[count / 2 - 1] + ratios[count / 2]);
    }
    free(ratios);
    return factor;
}

/* sign: '<' or '>' before a bound, 0 before a figure */
static void cell(FILE *out, int width, char sign, double x)
{
    char text[40];
    if (isnan(x)) {
        snprintf(text, sizeof text, "-");
    } else {
        snprintf(text, sizeof text, "%s%.*f",
                 sign == '<'   ? "<"
                 : sign == '>' ? ">"
                               : "",
                 x < 0.1   ? 4
                 : x < 10  ? 3
                 : x < 100 ? 2
                           : 1,
                 x);
    }
    fprintf(out, " %*s", width, text);
}

/* Judges one row; writes what is missed. Against a bound nothing is missed: what the peer would need is not known. */
static int judge(FILE *out, const ivp_result *s, const row *r, int level)
{
    if (s->curves[IVP_DAEDAL].count == 0) {
        return 0;
    }
    int missed = 0;
    const double share = claimed_share(s->problem, level);
    const bool peers_there =
        (!isnan(r->ms[IVP_IDA]) && !r->bound[IVP_IDA]) || (!isnan(r->ms[IVP_CVODE]) && !r->bound[IVP_CVODE]);
    if (r->bound[IVP_DAEDAL] && peers_there) {
        fprintf(out, "  MISSED: digits not reached");
        missed++;
    }
    if (r->to_ida > share && !r->bound[IVP_IDA]) {
        fprintf(out, "  MISSED: %.3f of IDA", share);
        missed++;
    }
    if (r->to_cvode > 1 && !r->bound[IVP_CVODE]) {
        fprintf(out, "  MISSED: slower than CVODE");
        missed++;
    }
    if (r->radau5 > rung[level]) {
        fprintf(out, "  MISSED: %.1f of RADAU5", rung[level]);
        missed++;
    }
    return missed;
}

static int print_level(FILE *out, const ivp_result *results, int n, int level, double machine)
{
    int missed = 0;
    fprintf(out, "\nCPU ms at %g digits; r5/ida, ra/ida: (daedal/IDA here)/(RADAU5/IDA, RADAU/IDA recorded)\n",
            ivp_levels[level]);
    fprintf(out, "%-9s %9s %9s %9s %10s %10s %9s %9s %9s\n", "problem", "ida", "cvode", "daedal", "daedal/ida",
            "daedal/cv", "r5/ida", "ra/ida", "radau5~");
    for (int i = 0; i < n; i++) {
        const row r = make_row(&results[i], ivp_levels[level], machine);
        fprintf(out, "%-9s", results[i].problem);
        for (int k = 0; k < IVP_ROLES; k++) {
            cell(out, 9, r.bound[k] ? '>' : 0, r.ms[k]);
        }
        cell(out, 10, r.bound[IVP_IDA] ? '<' : 0, r.to_ida);
        cell(out, 10, r.bound[IVP_CVODE] ? '<' : 0, r.to_cvode);
        cell(out, 9, 0, r.radau5);
        cell(out, 9, 0, r.radau);
        cell(out, 9, 0, r.estimate);
        missed += judge(out, &results[i], &r, level);
        fputc('\n', out);
    }
    return missed;
}

static void print_setup(FILE *out, const ivp_result *results, int n)
{
    fprintf(out,
            "\nset-up CPU ms, not part of the times above (peers: memory and matrices; daedal: reading and compiling "
            "the model)\n");
    fprintf(out, "%-9s %9s %9s %9s\n", "problem", "ida", "cvode", "daedal");
    for (int i = 0; i < n; i++) {
        fprintf(out, "%-9s", results[i].problem);
        for (int k = 0; k < IVP_ROLES; k++) {
            cell(out, 9, 0, results[i].setup_ms[k]);
        }
        fputc('\n', out);
    }
}

int ivp_print_summary(FILE *out, const ivp_result *results, int n)
{
    int missed = 0;
    const double machine = machine_factor(results, n);
    for (int level = 0; level < IVP_LEVELS; level++) {
        missed += print_level(out, results, n, level, machine);
    }
    if (!isnan(machine)) {
        fprintf(out, "\nradau5~: recorded time times %.2f, the median of IDA here over IDA recorded (an estimate)\n",
                machine);
    }
    print_setup(out, results, n);
    return missed;
}
