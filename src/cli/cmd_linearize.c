/* cmd_linearize.c - daedal linearize: x' = A x + B u, y = C x + D u near points of the solution, or E w' = A w + B u of
 * the equations as written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "daedal/daedal.h"

enum { MOST_TIMES = 1000 };

typedef struct linearize_options {
    cli_common common;
    const char *at; /* NULL: at the start */
    double start;   /* NaN: not given */
    double tol;
    const char *input, *report;
    bool auto_init, project, descriptor;
    double times[MOST_TIMES]; /* of at */
    size_t n_times;           /* 0: the start alone */
} linearize_options;

/* ---- times ---- */

static bool read_time(const char **text, double *value)
{
    char *end;
    *value = strtod(*text, &end);
    const bool good = end != *text && isfinite(*value);
    *text = end;
    return good;
}

/* T0:DT:T1, the last one as near to T1 as steps come; false when this is no such range or too long. */
static bool read_range(const char *text, linearize_options *o)
{
    double from, by, to;
    if (!read_time(&text, &from) || *text++ != ':' || !read_time(&text, &by) || *text++ != ':' ||
        !read_time(&text, &to) || *text || by <= 0 || to < from) {
        return false;
    }
    /* half of a step beyond the last, so that rounding drops none */
    const double count = floor((to - from) / by + 1e-9) + 1;
    if (count > MOST_TIMES) {
        return false;
    }
    for (o->n_times = 0; o->n_times < (size_t)count; o->n_times++) {
        o->times[o->n_times] = from + (double)o->n_times * by;
    }
    return true;
}

/* T1,T2,... in increasing order. */
static bool read_list(const char *text, linearize_options *o)
{
    for (o->n_times = 0; o->n_times < MOST_TIMES; text++) {
        double *t = &o->times[o->n_times];
        if (!read_time(&text, t) || (o->n_times > 0 && *t <= t[-1])) {
            return false;
        }
        o->n_times++;
        if (*text != ',') {
            return *text == '\0';
        }
    }
    return false;
}

static bool read_times(linearize_options *o)
{
    return !o->at || (strchr(o->at, ':') ? read_range(o->at, o) : read_list(o->at, o));
}

/* ---- one point ---- */

static int code_of(dd_sim_status status)
{
    return status == DD_SIM_OK ? CLI_DONE : status == DD_SIM_INTERRUPTED ? CLI_INTERRUPTED : CLI_SAID_NO;
}

/* A linear system of either form with its report. */
typedef struct point {
    dd_linsys *states;
    dd_descriptor *descriptor;
    const char *text;
    dd_sim_status status;
} point;

static dd_status find_states(point *p, dd_sim *sim, const linearize_options *o)
{
    dd_status st = dd_linsys_new(&p->states, sim);
    if (st == DD_OK) {
        p->status = dd_linsys_get_info(p->states).status;
        st = o->common.json ? dd_linsys_json(&p->text, p->states)
                            : dd_linsys_text(&p->text, p->states, cli_use_colour(stdout));
    }
    return st;
}

static dd_status find_descriptor(point *p, dd_sim *sim, const linearize_options *o)
{
    dd_status st = dd_descriptor_new(&p->descriptor, sim);
    if (st == DD_OK) {
        /* matrices of many points are for programs */
        p->status = dd_descriptor_get_info(p->descriptor).status;
        st = o->common.json ? dd_descriptor_json(&p->text, p->descriptor)
                            : dd_descriptor_text(&p->text, p->descriptor, o->n_times <= 1, cli_use_colour(stdout));
    }
    return st;
}

static dd_status find_point(point *p, dd_sim *sim, const linearize_options *o)
{
    *p = (point){.text = ""};
    return o->descriptor ? find_descriptor(p, sim, o) : find_states(p, sim, o);
}

static void free_point(point *p)
{
    dd_linsys_free(p->states);
    dd_descriptor_free(p->descriptor);
}

/* ---- the run ---- */

static dd_sim_options simulation_options(dd_system *system, const linearize_options *o)
{
    dd_sim_options sim = dd_sim_options_default();
    double start, stop;
    /* the model's own range, unless another start was given */
    dd_sim_default_range(system, &start, &stop);
    sim.has_start = sim.has_stop = true;
    sim.start = isnan(o->start) ? start : o->start;
    /* at the start nothing needs to be simulated: the end does not matter */
    const double last = o->n_times > 0 ? o->times[o->n_times - 1] : sim.start;
    sim.stop = last > sim.start ? last : sim.start + 1;
    sim.tol = o->tol > 0 ? o->tol : 1e-10; /* derivatives are taken there: the point should not limit them */
    sim.input_file = o->input;
    sim.auto_init = o->auto_init;
    sim.project = o->project;
    sim.keep_rows = false;
    return sim;
}

/* Messages of the run go to standard error, the result to standard output. */
static void print_messages(const dd_sim *sim, const linearize_options *o)
{
    for (uint32_t i = 0; i < dd_sim_message_count(sim) && !o->common.json; i++) {
        fprintf(stderr, "daedal: %s\n", dd_sim_message(sim, i));
    }
}

/* One point after the other along one run, as far as it goes. */
static dd_status find_points(dd_sim *sim, const linearize_options *o, double start, point *points, size_t *count)
{
    dd_status st = DD_OK;
    bool good = true;
    for (size_t i = 0; i < (o->n_times > 0 ? o->n_times : 1) && st == DD_OK && good; i++) {
        /* one time is a run to its end; several are stops of one run */
        if (o->n_times > 0 && o->times[i] > start) {
            st = o->n_times == 1 ? dd_sim_run(sim) : dd_sim_step(sim, o->times[i]);
        }
        if (st == DD_OK) {
            st = find_point(&points[i], sim, o);
            *count = i + 1;
            good = points[i].status == DD_SIM_OK;
        }
    }
    return st;
}

/* One object or text; of several times an object whose "points" are those of single times. */
static void print_points(const linearize_options *o, const point *points, size_t count)
{
    const bool list = o->common.json && o->n_times > 1;
    fputs(list ? "{\"points\":[" : "", stdout);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : o->common.json ? "," : "\n", stdout);
        fputs(points[i].text, stdout);
    }
    fputs(list ? "]}" : "", stdout);
    fputs(o->common.json ? "\n" : "", stdout);
}

/* All points in one page. */
static dd_status write_page(const linearize_options *o, const point *points, size_t count)
{
    static dd_linsys *states[MOST_TIMES];
    static dd_descriptor *descriptors[MOST_TIMES];
    for (size_t i = 0; i < count; i++) {
        states[i] = points[i].states;
        descriptors[i] = points[i].descriptor;
    }
    return o->descriptor ? dd_descriptor_write_reports(descriptors, (uint32_t)count, o->report)
                         : dd_linsys_write_reports(states, (uint32_t)count, o->report);
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    static point points[MOST_TIMES]; /* kept until all are known: standard output has all of them or none */
    const linearize_options *o = options_given;
    const dd_sim_options options = simulation_options(system, o);
    dd_sim *sim = NULL;
    size_t count = 0;
    /* the solution is known forward in time only */
    if (o->n_times > 0 && o->times[0] < options.start) {
        *code = cli_usage_error("linearize", "--at %.10g is before the start time %.10g", o->times[0], options.start);
        return DD_OK;
    }
    dd_status st = dd_sim_new(&sim, system, &options);
    st = st == DD_OK ? find_points(sim, o, options.start, points, &count) : st;
    if (st == DD_OK && o->report) {
        st = write_page(o, points, count);
    }
    if (st == DD_IO) {
        *code = cli_report_io(dd_context_message(ctx), o->common.json);
        st = DD_OK;
    } else if (st == DD_OK) {
        print_messages(sim, o);
        print_points(o, points, count);
        *code = code_of(points[count - 1].status);
    }
    for (size_t i = 0; i < count; i++) {
        free_point(&points[i]);
    }
    dd_sim_free(sim);
    return st;
}

int cmd_linearize(int argc, char **argv)
{
    static linearize_options o; /* a list of settings is large */
    o = (linearize_options){.start = NAN};
    /* where, how accurately, with which inputs */
    const cli_option options[] = {
        {"--at", 0, CLI_TEXT, "T", "linearize at this time of the solution, or at several: T1,T2,... or T0:DT:T1",
         &o.at},
        {"--descriptor", 0, CLI_FLAG, NULL, "E w' = A w + B u of the equations as written, and its pencil",
         &o.descriptor},
        {"--report", 0, CLI_TEXT, "FILE.html",
         "write a page: eigenvalues (over the times of --at), matrices of the last time", &o.report},
        {"--start", 0, CLI_REAL, "T0", "start time (else the model's StartTime, else 0)", &o.start},
        {"--tol", 0, CLI_NUMBER, "R", "relative tolerance of the simulation to that time (default 1e-10)", &o.tol},
        {"--input", 0, CLI_TEXT, "FILE.csv", "inputs from the columns of a table", &o.input},
        {"--auto-init", 0, CLI_FLAG, NULL, "complete missing initial values with defaults", &o.auto_init},
        {"--project", 0, CLI_FLAG, NULL, "move contradictory initial values to the nearest consistent ones",
         &o.project},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "linearize",
                           .operands = "FILE [MODEL]",
                           .summary = "writes a model near a point as x' = A x + B u, y = C x + D u, with eigenvalues",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    const int code = cli_parse(&spec, argc, argv, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    if (!read_times(&o)) {
        return cli_usage_error(
            "linearize", "--at %s: expected a number, increasing numbers T1,T2,... or a range T0:DT:T1, at most %d",
            o.at, MOST_TIMES);
    }
    const int outputs = cli_check_outputs("linearize", &operands, &o.report, 1, o.common.json);
    if (outputs != CLI_GO_ON) {
        return outputs;
    }
    /* the index beside the pencil is the differential one, not a bound */
    return cli_on_system(&operands, &o.common, cli_analysis(!o.descriptor), run, &o);
}
