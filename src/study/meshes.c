/* meshes.c - errors of an optimization, or of a boundary value problem, over meshes of equal intervals.
 *
 * Collocation with degree d has order 2d - 1 at the ends of its intervals for Radau points, 2d for Legendre points
 * (superconvergence): C. de Boor, B. Swartz, SIAM J. Numer. Anal. 10 (1973); with controls that are free at each point
 * the discretised optimality conditions are a partitioned Runge-Kutta method of the same order: W. W. Hager, Numer.
 * Math. 87 (2000). Where the control is held over an interval there is no such statement. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "daedal/optimize.h"
#include "methods/tableau.h"
#include "study/study_impl.h"

static const dd_grid_column point_columns[] = {{"method", NULL, 0},     {"quantity", NULL, 0}, {"intervals", NULL, 6},
                                               {"error", NULL, 4},      {"order", NULL, -2},   {"use", NULL, 0},
                                               {"iterations", NULL, 6}, {"seconds", NULL, 2},  {"note", NULL, 0}};
static const dd_grid_column summary_columns[] = {{"method", NULL, 0},       {"quantity", NULL, 0}, {"theory", NULL, 3},
                                                 {"order", "measured", -2}, {"spread", NULL, -2},  {"points", NULL, 3},
                                                 {"verdict", NULL, 0}};
enum {
    N_POINT = sizeof point_columns / sizeof *point_columns,
    N_SUMMARY = sizeof summary_columns / sizeof *summary_columns
};

enum { OBJECTIVE, STATES, ALGEBRAIC, CONTROLS, N_QUANTITIES };
static const char *const quantity_name[] = {"objective", "differential", "algebraic", "control"};

static const double TIGHT = 1e-12;    /* of the solver: its error must not be mistaken for that of the mesh */
static const double ROUNDING = 1e-12; /* of the size of a quantity: what a solved program leaves */
enum { REFERENCE_DEGREE = 6, REFERENCE_FACTOR = 2 };

/* What is kept of a solved mesh: the objective, and values of all variables and controls at chosen times. */
typedef struct solved {
    bool ok;
    const char *why;
    double objective, iterations, seconds;
    double t0, t1;
    uint32_t times; /* intervals + 1 */
    double *values; /* times x width */
} solved;

typedef struct mesh_study {
    dd_study *study;
    uint32_t width;     /* declared columns, then inputs */
    uint32_t *quantity; /* of each; UINT32_MAX: not compared */
    dd_groups groups;   /* the same for exact relations */
    dd_truth *exact;
    dd_number_vec meshes;
    solved reference, coarser; /* the second: how well the first is known */
    double scale[N_QUANTITIES], doubt[N_QUANTITIES];
    bool has_controls;
} mesh_study;

bool dd_study_transcription(const char *name, dd_ocp_options *options)
{
    static const char shooting[] = "shooting:";
    if (strncmp(name, shooting, strlen(shooting)) == 0) {
        options->shooting = true;
        options->integrator = name + strlen(shooting);
        return *options->integrator != '\0';
    }
    /* nodes and degree */
    const char *dash = strrchr(name, '-');
    char *end = NULL;
    const unsigned long degree = dash && dash[1] >= '1' && dash[1] <= '9' ? strtoul(dash + 1, &end, 10) : 0;
    const size_t length = dash ? (size_t)(dash - name) : 0;
    const bool radau = length == 5 && strncmp(name, "radau", 5) == 0;
    const bool legendre =
        (length == 8 && strncmp(name, "legendre", 8) == 0) || (length == 5 && strncmp(name, "gauss", 5) == 0);
    options->degree = (uint32_t)degree;
    options->legendre = legendre;
    return (radau || legendre) && degree >= 1 && degree <= 9 && *end == '\0';
}

/* ---- one mesh ---- */

static void release(void *ocp)
{
    dd_ocp_free(ocp);
}

static dd_ocp_options mesh_options(const mesh_study *w, const char *method, uint32_t intervals)
{
    dd_ocp_options o = dd_ocp_options_default();
    dd_study_transcription(method, &o);
    o.intervals = intervals;
    o.program_only = true;
    o.tolerance = TIGHT;
    /* the finest control that the transcription knows, unless another one is asked for */
    o.control = w->study->options.control != DD_OCP_CHOSEN ? w->study->options.control
                : o.shooting                               ? DD_OCP_LINEAR
                                                           : DD_OCP_POLYNOMIAL;
    return o;
}

/* The place of each variable of the solution in a row; UINT32_MAX: not kept. */
static uint32_t *find_places(mesh_study *w, dd_ocp *ocp, dd_pool *pool)
{
    const uint32_t n = dd_ocp_variable_count(ocp);
    uint32_t *place = dd_pool_alloc_array(pool, n + 1, sizeof *place);
    for (uint32_t k = 0; k < n; k++) {
        const char *name = dd_ocp_variable_name(ocp, k);
        place[k] = UINT32_MAX;
        for (uint32_t c = 0; c < w->width && place[k] == UINT32_MAX; c++) {
            if (strcmp(w->study->value_name[c], name) == 0) {
                place[k] = c;
            }
        }
    }
    return place;
}

/* All variables at the ends of `count` equal intervals, from the left: there the end of a step is. */
static void read_values(mesh_study *w, dd_ocp *ocp, uint32_t count, solved *out, dd_pool *pool)
{
    const uint32_t n = dd_ocp_variable_count(ocp);
    double *values = dd_pool_alloc_array(pool, n + 1, sizeof *values);
    const uint32_t *place = find_places(w, ocp, pool);
    out->times = count + 1;
    out->values = dd_pool_alloc_array(w->study->pool, (size_t)out->times * w->width + 1, sizeof(double));
    for (uint32_t k = 0; k <= count; k++) {
        const double t = k == count ? out->t1 : out->t0 + (out->t1 - out->t0) * k / count;
        const dd_status st = dd_ocp_values(ocp, t, k > 0, values);
        dd_study_heed(w->study, st);
        if (st != DD_OK) {
            out->ok = false;
            out->why = "its solution cannot be read at the ends of its intervals";
            return;
        }
        for (uint32_t i = 0; i < n; i++) {
            if (place[i] != UINT32_MAX) {
                out->values[(size_t)k * w->width + place[i]] = values[i];
            }
        }
    }
}

static void stop_if_asked(dd_study *study, dd_status st, const dd_ocp_info *info)
{
    if (st == DD_OK && info->status == DD_OCP_INTERRUPTED) {
        st = DD_INTERRUPTED;
    } else if (st == DD_OK && info->status == DD_OCP_TIME_LIMIT) {
        st = DD_TIME_LIMIT;
    }
    dd_study_heed(study, st);
}

static solved solve(mesh_study *w, const char *method, const dd_ocp_options *options, uint32_t read_at)
{
    dd_study *study = w->study;
    dd_pool *pool = dd_pool_child(study->pool);
    solved out = {.why = ""};
    dd_ocp *ocp = NULL;
    dd_study_begin_run(study, method);
    dd_status st = dd_ocp_new(&ocp, study->system, options);
    if (st == DD_OK) {
        dd_pool_keep(pool, ocp, release);
        st = dd_ocp_solve(ocp);
    }
    /* limits end the study; a mesh that cannot be solved is a row with its reason */
    const dd_ocp_info info = dd_ocp_get_info(ocp);
    stop_if_asked(study, st, &info);
    out.ok = st == DD_OK && (info.status == DD_OCP_OPTIMAL || info.status == DD_OCP_ACCEPTABLE);
    out.why = dd_pool_strdup(study->pool, st != DD_OK ? dd_context_message(study->ctx) : out.ok ? "" : info.reason);
    out.objective = info.objective;
    out.iterations = info.iterations;
    out.seconds = info.cpu_solve;
    out.t0 = info.start_time;
    out.t1 = info.final_time;
    if (out.ok) {
        read_values(w, ocp, read_at, &out, pool);
    }
    study->info.runs++;
    study->info.failed += !out.ok;
    dd_pool_free(pool);
    return out;
}

/* ---- comparing ---- */

/* Largest differences at the ends of the intervals of the coarser of two solutions, whose times divide the others. */
static void differences(const mesh_study *w, const solved *a, const solved *b, double *error, double *scale)
{
    assert(a->times > 1);
    const uint32_t ratio = (b->times - 1) / (a->times - 1);
    for (uint32_t k = 0; k < a->times; k++) {
        const double *x = a->values + (size_t)k * w->width, *y = b->values + (size_t)k * ratio * w->width;
        for (uint32_t c = 0; c < w->width; c++) {
            const uint32_t q = w->quantity[c];
            /* algebraic variables and controls have no value at the start from the left */
            if (q == UINT32_MAX || (k == 0 && q != STATES)) {
                continue;
            }
            const double off = fabs(x[c] - y[c]);
            error[q] = isnan(off) ? INFINITY : fmax(error[q], off);
            scale[q] = fmax(scale[q], fabs(y[c]));
        }
    }
    error[OBJECTIVE] = fabs(a->objective - b->objective);
    scale[OBJECTIVE] = fmax(scale[OBJECTIVE], fabs(b->objective));
}

static void against_relations(mesh_study *w, const solved *a, double *error)
{
    double by_group[DD_MOST_GROUPS] = {0}, scale[DD_MOST_GROUPS] = {0};
    for (uint32_t k = 0; k < a->times; k++) {
        const double t = a->t0 + (a->t1 - a->t0) * k / (a->times - 1);
        /* the start has no values from the left, unless only states are compared */
        if (k > 0) {
            dd_truth_look(w->exact, t, a->values + (size_t)k * w->width, by_group, scale);
        }
    }
    for (uint32_t g = 0; g < w->groups.count; g++) {
        const uint32_t q = w->groups.level[g];
        error[q] = dd_truth_covers(w->exact, g) ? by_group[g] : NAN;
        w->scale[q] = fmax(w->scale[q], scale[g]);
    }
    error[OBJECTIVE] = fabs(a->objective - dd_truth_objective(w->exact));
    w->scale[OBJECTIVE] = fmax(w->scale[OBJECTIVE], fabs(a->objective));
}

static bool is_compared(const mesh_study *w, uint32_t q)
{
    if (w->exact && q == OBJECTIVE) {
        return !isnan(dd_truth_objective(w->exact));
    }
    for (uint32_t g = 0; g < w->groups.count; g++) {
        if (w->groups.level[g] == q) {
            return !w->exact || dd_truth_covers(w->exact, g);
        }
    }
    return q == OBJECTIVE;
}

/* ---- theory ---- */

static double theory_of(const mesh_study *w, const char *method, uint32_t q)
{
    const dd_ocp_options o = mesh_options(w, method, 1);
    const bool polynomial = o.control == DD_OCP_POLYNOMIAL || !w->has_controls;
    double order = NAN;
    if (o.shooting && !w->has_controls) {
        order = dd_theory_order(w->study, o.integrator, 1, 1, true);
    } else if (!o.shooting && polynomial) {
        order = o.legendre ? 2.0 * o.degree : 2.0 * o.degree - 1;
    }
    /* controls, algebraic variables that depend on them, and those at Legendre points, which do not contain the end, are
     * polynomials through d values: the order of the stages */
    const bool by_stages = q == CONTROLS || (q == ALGEBRAIC && (o.legendre || w->has_controls));
    return by_stages && !isnan(order) && !o.shooting ? (double)o.degree : order;
}

/* ---- the study ---- */

static void add_rows(mesh_study *w, const char *method, uint32_t q, const solved *runs, const double *error)
{
    dd_study *study = w->study;
    const uint32_t n = w->meshes.len;
    double *h = dd_pool_alloc_array(study->pool, n + 1, sizeof *h);
    double *floor = dd_pool_alloc_array(study->pool, n + 1, sizeof *floor);
    dd_point_use *use = dd_pool_alloc_array(study->pool, n + 1, sizeof *use);
    for (uint32_t k = 0; k < n; k++) {
        h[k] = 1 / w->meshes.data[k];
        floor[k] = fmax(ROUNDING * fmax(w->scale[q], 1e-300), 3 * w->doubt[q]);
    }
    dd_fit fit = dd_fit_order(h, error, n, floor, use);
    fit.exact = fit.exact && !dd_fit_is_hidden(3 * w->doubt[q], w->scale[q]);
    const double theory = theory_of(w, method, q);
    bool failed = true;
    /* the points, then the line through them */
    for (uint32_t k = 0; k < n; k++) {
        failed = failed && use[k] == DD_POINT_FAILED;
        dd_grid_word(&study->points, method);
        dd_grid_word(&study->points, quantity_name[q]);
        dd_grid_number(&study->points, w->meshes.data[k]);
        dd_grid_number(&study->points, error[k]);
        dd_grid_number(&study->points, dd_fit_slope(h, error, k));
        dd_grid_word(&study->points, dd_point_use_name(use[k]));
        dd_grid_number(&study->points, runs[k].iterations);
        dd_grid_number(&study->points, runs[k].seconds);
        dd_grid_word(&study->points, runs[k].why);
    }
    dd_grid_word(&study->summary, method);
    dd_grid_word(&study->summary, quantity_name[q]);
    dd_grid_number(&study->summary, theory);
    dd_grid_number(&study->summary, fit.order);
    dd_grid_number(&study->summary, fit.spread);
    dd_grid_number(&study->summary, fit.used);
    dd_grid_word(&study->summary, failed ? "failed" : dd_fit_verdict(&fit, theory));
}

static void one_method(mesh_study *w, const char *method)
{
    const uint32_t n = w->meshes.len;
    dd_pool *pool = w->study->pool;
    solved *runs = dd_pool_alloc_array(pool, n + 1, sizeof *runs);
    double *error = dd_pool_alloc_array(pool, (size_t)N_QUANTITIES * (n + 1), sizeof *error);
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t intervals = (uint32_t)w->meshes.data[k];
        double one[N_QUANTITIES] = {0};
        const dd_ocp_options options = mesh_options(w, method, intervals);
        runs[k] = solve(w, method, &options, intervals);
        if (runs[k].ok && w->exact) {
            against_relations(w, &runs[k], one);
        } else if (runs[k].ok) {
            differences(w, &runs[k], &w->reference, one, w->scale);
        }
        for (uint32_t q = 0; q < N_QUANTITIES; q++) {
            error[q * n + k] = runs[k].ok ? one[q] : NAN;
        }
    }
    for (uint32_t q = 0; q < N_QUANTITIES; q++) {
        if (is_compared(w, q)) {
            add_rows(w, method, q, runs, error + (size_t)q * n);
        }
    }
}

static void find_quantities(mesh_study *w)
{
    dd_study *study = w->study;
    const dd_system *s = study->system;
    const dd_groups by_kind = dd_study_groups(study, false);
    w->width = study->n_values;
    w->quantity = dd_pool_alloc_array(study->pool, w->width + 1, sizeof *w->quantity);
    w->groups.of = dd_pool_alloc_array(study->pool, w->width + 1, sizeof *w->groups.of);
    w->has_controls = w->width > s->declared;
    uint32_t group_of[N_QUANTITIES] = {0};
    bool present[N_QUANTITIES] = {false};
    /* inputs follow the declared columns; without a list of variables they are compared too */
    for (uint32_t c = 0; c < w->width; c++) {
        const uint32_t g = c < s->declared ? by_kind.of[c] : 0;
        w->quantity[c] = c >= s->declared       ? (study->options.variables ? UINT32_MAX : CONTROLS)
                         : g == UINT32_MAX      ? UINT32_MAX
                         : by_kind.level[g] > 0 ? STATES
                                                : ALGEBRAIC;
        if (w->quantity[c] != UINT32_MAX) {
            present[w->quantity[c]] = true;
        }
    }
    /* a group per quantity that occurs, for exact relations */
    for (uint32_t q = STATES; q < N_QUANTITIES; q++) {
        if (present[q]) {
            group_of[q] = w->groups.count;
            w->groups.name[w->groups.count] = quantity_name[q];
            w->groups.level[w->groups.count++] = q;
        }
    }
    for (uint32_t c = 0; c < w->width; c++) {
        w->groups.of[c] = w->quantity[c] == UINT32_MAX ? UINT32_MAX : group_of[w->quantity[c]];
    }
}

/* What the reference and the coarser one do not agree about. */
static void say_doubts(mesh_study *w)
{
    dd_text list = dd_text_new(w->study->pool);
    bool any = false;
    for (uint32_t q = 0; q < N_QUANTITIES; q++) {
        if (is_compared(w, q) && dd_fit_is_hidden(3 * w->doubt[q], w->scale[q])) {
            dd_text_printf(&list, "%s%s by %.2g", any ? ", " : "", quantity_name[q], w->doubt[q]);
            any = true;
        }
    }
    if (any) {
        dd_study_note(
            w->study,
            "the reference is not known well; on half as many intervals it differs: %s. A control may jump, or "
            "there may be several optima; errors of this size say nothing",
            dd_text_str(&list));
    }
}

/* A mesh that all others divide, of high degree; and a coarser one, whose difference says how well it is known. */
static void find_reference(mesh_study *w)
{
    dd_study *study = w->study;
    double common = 1;
    for (uint32_t k = 0; k < w->meshes.len; k++) {
        double a = common, b = w->meshes.data[k];
        while (b > 0) {
            const double rest = fmod(a, b);
            a = b;
            b = rest;
        }
        common = common / a * w->meshes.data[k];
    }
    const double most = 4000; /* intervals: more take minutes */
    if (REFERENCE_FACTOR * common > most) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT,
                 "option %s: a reference mesh that all these divide has %.0f intervals; choose multiples of each other",
                 dd_option_word(study->ctx, "--intervals"), REFERENCE_FACTOR * common);
    }
    const char *method = dd_pool_printf(study->pool, "radau-%d", REFERENCE_DEGREE);
    /* with free controls, whatever those of the meshes are: the optimum itself */
    dd_ocp_options options = mesh_options(w, method, (uint32_t)(REFERENCE_FACTOR * common));
    options.control = DD_OCP_POLYNOMIAL;
    w->reference = solve(w, "the reference", &options, (uint32_t)common);
    options.intervals = (uint32_t)common;
    w->coarser = solve(w, "the reference", &options, (uint32_t)common);
    if (!w->reference.ok || !w->coarser.ok) {
        dd_raise(study->ctx, DD_NUMERIC, "there is no reference to compare with: %s",
                 w->reference.ok ? w->coarser.why : w->reference.why);
    }
    differences(w, &w->coarser, &w->reference, w->doubt, w->scale);
    say_doubts(w);
}

void dd_study_meshes(dd_study *study)
{
    mesh_study w = {.study = study};
    study->points = dd_grid_new(study->pool, point_columns, N_POINT);
    study->summary = dd_grid_new(study->pool, summary_columns, N_SUMMARY);
    w.meshes = dd_study_numbers(study->pool, dd_option_word(study->ctx, "--intervals"),
                                study->options.intervals ? study->options.intervals : "4:2:5", true);
    for (uint32_t k = 1; k < w.meshes.len; k++) {
        if (w.meshes.data[k] <= w.meshes.data[k - 1]) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s: meshes must become finer",
                     dd_option_word(study->ctx, "--intervals"));
        }
    }
    /* relations, or a reference that all meshes divide */
    find_quantities(&w);
    study->planned = study->methods.len * w.meshes.len + (study->options.n_exact > 0 ? 0 : 2);
    w.exact = dd_truth_new(study, &w.groups);
    if (!w.exact) {
        find_reference(&w);
    }
    study->headline =
        dd_pool_printf(study->pool, "order of convergence; largest error at the ends of the intervals, against %s",
                       w.exact ? "the exact relations given"
                               : dd_pool_printf(study->pool, "radau-%d on %u intervals", REFERENCE_DEGREE,
                                                REFERENCE_FACTOR * (w.reference.times - 1)));
    for (uint32_t i = 0; i < study->methods.len; i++) {
        one_method(&w, study->methods.data[i]);
    }
}

void dd_study_meshes_plots(dd_study *study)
{
    const dd_line_spec spec = {.x = 2,
                               .y = 3,
                               .name = 0,
                               .group = 1,
                               .x_name = "intervals",
                               .caption = "error",
                               .log_x = true,
                               .log_y = true,
                               .style = DD_LINE_MARKED,
                               .slope = -1};
    dd_study_add_lines(study, &spec);
}
