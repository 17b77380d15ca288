/* study.c - making a study, checking its options, running it. A new kind is a line of `kinds`. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/context.h"
#include "methods/multistep.h"
#include "structure/equations.h"
#include "study/study_impl.h"

typedef struct study_kind {
    void (*run)(dd_study *study);
    void (*plots)(dd_study *study); /* NULL: none */
    bool needs_model;
    const char *methods; /* the usual ones */
} study_kind;

static const study_kind kinds[] = {
    [DD_STUDY_ORDER] = {dd_study_order, dd_study_order_plots, true,
                        "euler,heun2,rk4,implicit-euler,trapezoidal,radau-2,gauss-2,bdf-2"},
    [DD_STUDY_WORK] = {dd_study_work, dd_study_work_plots, true, "rk4,dopri54,dop853,radau,bdf"},
    [DD_STUDY_DRIFT] = {dd_study_drift, dd_study_drift_plots, true, "auto"},
    [DD_STUDY_LOCAL] = {dd_study_local, dd_study_local_plots, true, "rk4"},
    [DD_STUDY_NODES] = {dd_study_nodes, dd_study_nodes_plots, false, "equispaced,chebyshev,chebyshev-lobatto,gauss"},
    [DD_STUDY_SPECTRA] = {dd_study_spectra, dd_study_spectra_plots, false, "gauss-5,radau-5,lobatto-5,chebyshev-9"},
    [DD_STUDY_REGIONS] = {dd_study_regions, NULL, false, "euler,heun2,rk4,implicit-euler,bdf-2,radau-2"},
};
static const study_kind meshes = {dd_study_meshes, dd_study_meshes_plots, true,
                                  "radau-1,radau-2,radau-3,legendre-1,legendre-2"};
static const char original_methods[] = "implicit-euler,radau-2,radau-3,lobatto-3,bdf-2"; /* explicit ones cannot */

static const study_kind *kind_of(const dd_study *study)
{
    return study->optimization ? &meshes : &kinds[study->options.kind];
}

dd_study_options dd_study_options_default(void)
{
    return (dd_study_options){.sim = dd_sim_options_default(), .control = DD_OCP_CHOSEN};
}

bool dd_study_needs_model(dd_study_kind kind)
{
    return kind <= DD_STUDY_REGIONS && kinds[kind].needs_model;
}

const char *dd_study_status_name(dd_study_status status)
{
    static const char *const names[] = {"ok", "failed", "time_limit", "interrupted"};
    return status <= DD_STUDY_INTERRUPTED ? names[status] : "unknown";
}

/* ---- options ---- */

bool dd_study_has_own_steps(const char *name)
{
    static const char *const own[] = {"auto", "radau", "bdf", "chebyshev"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strcmp(name, own[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A name that some kind of problem takes; which problem it is is not known before the model is read. */
static void check_method(dd_study *study, const char *name)
{
    const dd_study_kind kind = study->options.kind;
    dd_ocp_options unused = dd_ocp_options_default();
    dd_method *method;
    if (kind == DD_STUDY_NODES) {
        if (dd_study_node_family(name) < 0) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT,
                     "there are no nodes \"%s\"; expected some of equispaced, chebyshev, chebyshev-lobatto, gauss",
                     name);
        }
        return;
    }
    /* a transcription, an integrator with steps of its own, or a method with given steps */
    const bool of_mesh = kind == DD_STUDY_ORDER && dd_study_transcription(name, &unused);
    const bool own_steps = kinds[kind].needs_model && kind != DD_STUDY_ORDER && dd_study_has_own_steps(name);
    if (of_mesh || own_steps) {
        return;
    }
    if (dd_study_has_own_steps(name)) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "%s chooses its steps, so it cannot be part of a study of %s", name,
                 dd_study_kind_name(kind));
    }
    const dd_status st = dd_method_new(&method, study->ctx, name);
    dd_method_free(st == DD_OK ? method : NULL);
    if (st != DD_OK) {
        dd_raise(study->ctx, st, "%s", dd_context_message(study->ctx));
    }
    if (kind == DD_STUDY_SPECTRA && dd_bdf_steps(name) > 0) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "%s has no matrix A: spectra are those of Runge-Kutta methods", name);
    }
}

/* Each list must be readable, and belong to the kind. */
static void check_lists(dd_study *study)
{
    const dd_study_options *o = &study->options;
    const bool stepping = o->kind == DD_STUDY_ORDER || o->kind == DD_STUDY_WORK;
    const bool single = o->kind == DD_STUDY_DRIFT || o->kind == DD_STUDY_LOCAL;
    const struct {
        const char *option, *text;
        bool whole, fits;
    } lists[] = {{dd_option_word(study->ctx, "--steps"), o->steps, false, stepping},
                 {dd_option_word(study->ctx, "--tols"), o->tols, false, o->kind == DD_STUDY_WORK},
                 {dd_option_word(study->ctx, "--intervals"), o->intervals, true, o->kind == DD_STUDY_ORDER},
                 {dd_option_word(study->ctx, "--degrees"), o->degrees, true, o->kind == DD_STUDY_NODES}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (lists[i].text && !lists[i].fits) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s does not belong to a study of %s", lists[i].option,
                     dd_study_kind_name(o->kind));
        }
        if (lists[i].text) {
            dd_study_numbers(study->pool, lists[i].option, lists[i].text, lists[i].whole);
        }
    }
    /* and single values */
    const struct {
        const char *option;
        bool given, fits;
    } others[] = {
        {dd_option_word(study->ctx, "--step"), o->sim.step > 0, single},
        {dd_option_word(study->ctx, "--tol"), o->sim.tol > 0, single},
        {dd_option_word(study->ctx, "--points"), o->sim.points > 0, o->kind == DD_STUDY_DRIFT},
        {dd_option_word(study->ctx, "--function"), o->function != NULL, o->kind == DD_STUDY_NODES},
        {dd_option_word(study->ctx, "--norm"), o->norm != DD_STUDY_AUTO, o->kind == DD_STUDY_ORDER},
        {dd_option_word(study->ctx, "--cost"), o->cost != DD_STUDY_EVALUATIONS, o->kind == DD_STUDY_WORK},
        {dd_option_word(study->ctx, "--exact"), o->n_exact > 0, stepping},
        {dd_option_word(study->ctx, "--variables"), o->variables != NULL, stepping || o->kind == DD_STUDY_LOCAL}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].given && !others[i].fits) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s does not belong to a study of %s", others[i].option,
                     dd_study_kind_name(o->kind));
        }
    }
}

/* Options that exclude each other. */
static void check_pairs(dd_study *study)
{
    const dd_study_options *o = &study->options;
    char why[DD_OPTION_WHY];
    if (!dd_study_options_possible(o, why)) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s", why);
    }
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {o->n_exact > 0 && o->variables != NULL,
         "exact relations name their variables: give relations or variables, not both"},
        {o->sim.step > 0 && o->sim.tol > 0, "give a step or a tolerance, not both"},
        {o->kind == DD_STUDY_DRIFT && study->methods.len > 1, "a study of drift takes one method"},
        {o->kind == DD_STUDY_DRIFT && o->sim.form == DD_SIM_FORM_ORIGINAL,
         "a study of drift is about the reduced equations; those as written are not stabilized"},
        {o->sim.alpha > 0 && o->kind != DD_STUDY_DRIFT && o->sim.stabilize != DD_STABILIZE_BAUMGARTE,
         "alpha belongs to the stabilization baumgarte"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "%s", rules[i].why);
        }
    }
}

static void copy_texts(dd_study *study)
{
    dd_study_options *o = &study->options;
    const char **texts[] = {&o->methods, &o->steps,    &o->tols,      &o->intervals,
                            &o->degrees, &o->function, &o->variables, &o->sim.input_file};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = *texts[i] ? dd_pool_strdup(study->pool, *texts[i]) : NULL;
    }
    const char **exact = dd_pool_alloc_array(study->pool, o->n_exact + 1, sizeof *exact);
    for (uint32_t i = 0; i < o->n_exact; i++) {
        exact[i] = dd_pool_strdup(study->pool, o->exact[i]);
    }
    o->exact = exact;
}

/* ---- creation ---- */

/* Names of what is compared. */
static void find_values(dd_study *study)
{
    const dd_system *s = study->system;
    const dd_model *m = s->model;
    study->value_name = dd_pool_alloc_array(study->pool, s->declared + m->vars.len + 1, sizeof *study->value_name);
    study->value_of = dd_pool_alloc_array(study->pool, m->vars.len + 1, sizeof *study->value_of);
    for (uint32_t c = 0; c < s->declared; c++) {
        study->value_name[c] = dd_system_column_name(s, c, study->pool);
    }
    study->n_values = s->declared;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const bool declared = s->column[v] != DD_NO_INDEX && s->column[v] < s->declared;
        study->value_of[v] = declared ? s->column[v] : DD_NO_INDEX;
        /* the controls of an optimization follow the variables */
        if (!declared && study->optimization && m->vars.data[v].kind == DD_KIND_INPUT) {
            dd_text name = dd_text_new(study->pool);
            dd_model_var_name(m, v, &name);
            study->value_name[study->n_values] = dd_text_str(&name);
            study->value_of[v] = study->n_values++;
        }
    }
}

/* Without a differential variable every method gives the same: what the equations determine at each time. */
static bool is_still(const dd_study *study)
{
    const dd_system *s = study->system;
    const bool original = study->options.sim.form == DD_SIM_FORM_ORIGINAL;
    if (study->optimization || dd_system_dof(s) != 0) {
        return false;
    }
    dd_pool *pool = dd_pool_child(study->pool);
    const dd_form_of_equations form = original ? DD_EQUATIONS_ORIGINAL : DD_EQUATIONS_REDUCED;
    const bool still = dd_system_equations(s, form, 0, pool)->x.len == 0;
    dd_pool_free(pool);
    return still;
}

static void note_still(dd_study *study)
{
    const dd_system *s = study->system;
    const bool reduced = study->options.sim.form != DD_SIM_FORM_ORIGINAL && dd_system_index(s) > 1;
    if (study->still && study->options.kind != DD_STUDY_DRIFT) {
        const char *instead = dd_pool_printf(study->pool, "; the equations as written can be: %s original",
                                             dd_option_word(study->ctx, "--form"));
        dd_study_note(study, "%s has 0 degrees of freedom and %s no differential variable: nothing is integrated%s",
                      s->model->name, reduced ? "its reduced equations have" : "has", reduced ? instead : "");
    }
}

/* What can be said only when the model is known. */
static void settle_model(dd_study *study)
{
    const dd_study_options *o = &study->options;
    study->optimization = dd_system_has_optimization(study->system);
    if (study->optimization && o->kind != DD_STUDY_ORDER) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "a study of %s is about simulations, and %s is an optimization",
                 dd_study_kind_name(o->kind), study->system->model->name);
    }
    if (dd_system_verdict(study->system) != DD_VERDICT_OK && !study->optimization) {
        dd_raise(study->ctx, DD_INVALID_MODEL, "%s", dd_system_reason(study->system));
    }
    dd_sim_default_range(study->system, &study->start, &study->stop);
    study->start = o->sim.has_start ? o->sim.start : study->start;
    study->stop = o->sim.has_stop ? o->sim.stop : study->stop;
    if (!(study->stop > study->start)) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "the stop time %.10g is not after the start time %.10g", study->stop,
                 study->start);
    }
    find_values(study);
    study->still = is_still(study);
}

/* Names that fit the problem that was found. */
static void check_names(dd_study *study)
{
    dd_ocp_options unused = dd_ocp_options_default();
    dd_method *method;
    for (uint32_t i = 0; i < study->methods.len && study->system; i++) {
        const char *name = study->methods.data[i];
        if (study->optimization) {
            if (!dd_study_transcription(name, &unused)) {
                dd_raise(
                    study->ctx, DD_INVALID_ARGUMENT,
                    "%s is an optimization: its methods are radau-D, legendre-D (degree 1 to 9) and shooting:NAME, not "
                    "\"%s\"",
                    study->system->model->name, name);
            }
        } else if (study->options.kind == DD_STUDY_ORDER) {
            const dd_status st = dd_method_new(&method, study->ctx, name);
            dd_method_free(st == DD_OK ? method : NULL);
            if (st != DD_OK) {
                dd_raise(study->ctx, st, "%s", dd_context_message(study->ctx));
            }
        }
    }
}

typedef struct creation {
    dd_study *study;
    bool only_check;
} creation;

static void create_body(void *arg)
{
    const creation *c = arg;
    dd_study *study = c->study;
    const dd_study_kind kind = study->options.kind;
    if (!c->only_check && kinds[kind].needs_model != (study->system != NULL)) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT,
                 study->system ? "a study of %s is about methods alone: leave the model out"
                               : "a study of %s needs a model",
                 dd_study_kind_name(kind));
    }
    copy_texts(study);
    if (study->system) {
        settle_model(study);
    }
    /* methods: those given, or the usual ones of the kind */
    const char *names =
        study->options.methods ? study->options.methods
        : study->options.sim.form == DD_SIM_FORM_ORIGINAL && kind == DD_STUDY_ORDER && !study->optimization
            ? original_methods
            : kind_of(study)->methods;
    study->methods = dd_study_names(study->pool, dd_option_word(study->ctx, "--methods"), names);
    for (uint32_t i = 0; i < study->methods.len; i++) {
        check_method(study, study->methods.data[i]);
    }
    check_pairs(study);
    check_lists(study);
    check_names(study);
}

static dd_status create(dd_study **out, dd_context *ctx, const dd_system *system, const dd_study_options *options,
                        bool only_check)
{
    *out = NULL;
    dd_study *study = dd_mem_new_array(ctx, 1, sizeof *study);
    if (!study) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    }
    *study = (dd_study){.ctx = ctx, .system = system, .options = options ? *options : dd_study_options_default()};
    study->info.reason = "";
    study->headline = "";
    study->pool = dd_pool_new(ctx);
    creation c = {study, only_check};
    const bool known = study->options.kind <= DD_STUDY_REGIONS;
    dd_status st = !study->pool ? dd_fail(ctx, DD_OUT_OF_MEMORY, NULL)
                   : !known     ? dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no such kind of study")
                                : dd_protect(ctx, create_body, &c);
    if (st != DD_OK) {
        dd_study_free(study);
        return st;
    }
    *out = study;
    return DD_OK;
}

dd_status dd_study_new(dd_study **out, dd_context *ctx, const dd_system *system, const dd_study_options *options)
{
    if (out) {
        *out = NULL;
    }
    return out && ctx ? create(out, ctx, system, options, false) : DD_INVALID_ARGUMENT;
}

dd_status dd_study_check(dd_context *ctx, const dd_study_options *options)
{
    dd_study *study;
    if (!ctx) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_status st = create(&study, ctx, NULL, options, true);
    dd_study_free(study);
    return st;
}

void dd_study_free(dd_study *study)
{
    if (study) {
        dd_pool_free(study->pool);
        dd_mem_free(study->ctx, study, sizeof *study);
    }
}

/* ---- the run ---- */

void dd_study_begin_run(dd_study *study, const char *what)
{
    dd_check_stop(study->ctx);
    if (study->options.progress) {
        study->options.progress(study->options.user, what, study->info.runs, study->planned);
    }
}

void dd_study_note(dd_study *study, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    dd_format(text, sizeof text, format, args);
    va_end(args);
    dd_vec_push(study->pool, &study->notes, dd_pool_strdup(study->pool, text));
}

static void run_body(void *arg)
{
    dd_study *study = arg;
    kind_of(study)->run(study);
    if (study->system) {
        note_still(study);
    }
}

static void plots_body(void *arg)
{
    dd_study *study = arg;
    if (kind_of(study)->plots) {
        kind_of(study)->plots(study);
    }
}

/* A row that was begun when the study was stopped is left out. */
static void cut_rows(dd_grid *g)
{
    if (g->n_columns > 0) {
        g->cells.len -= g->cells.len % g->n_columns;
    }
}

static void conclude(dd_study *study, dd_status st)
{
    dd_study_info *info = &study->info;
    if (st == DD_OK && info->runs > 0 && info->failed >= info->runs) {
        info->status = DD_STUDY_FAILED;
        info->reason = "no run succeeded; the notes of the points say why";
    } else if (st == DD_TIME_LIMIT || st == DD_INTERRUPTED) {
        info->status = st == DD_TIME_LIMIT ? DD_STUDY_TIME_LIMIT : DD_STUDY_INTERRUPTED;
        info->reason = st == DD_TIME_LIMIT ? "the time limit was reached; the results so far are kept"
                                           : "interrupted; the results so far are kept";
    }
}

dd_status dd_study_run(dd_study *study)
{
    if (!study) {
        return DD_INVALID_ARGUMENT;
    }
    study->info = (dd_study_info){.reason = ""};
    study->plots.len = study->notes.len = 0;
    dd_status st = dd_protect(study->ctx, run_body, study);
    cut_rows(&study->points);
    cut_rows(&study->summary);
    conclude(study, st);
    const bool stopped = st == DD_TIME_LIMIT || st == DD_INTERRUPTED;
    if (st != DD_OK && !stopped) {
        return st;
    }
    /* pictures of what there is, also after a limit */
    const dd_respite before = dd_respite_begin(study->ctx);
    st = dd_protect(study->ctx, plots_body, study);
    dd_respite_end(study->ctx, &before);
    return st;
}

/* ---- getters ---- */

dd_study_info dd_study_get_info(const dd_study *study)
{
    return study ? study->info : (dd_study_info){.status = DD_STUDY_FAILED, .reason = ""};
}

static const dd_grid *grid_of(const dd_study *study, dd_study_table table)
{
    static const dd_grid none;
    return !study ? &none : table == DD_STUDY_POINTS ? &study->points : &study->summary;
}

uint32_t dd_study_row_count(const dd_study *study, dd_study_table table)
{
    return dd_grid_rows(grid_of(study, table));
}

uint32_t dd_study_column_count(const dd_study *study, dd_study_table table)
{
    return grid_of(study, table)->n_columns;
}

const char *dd_study_column_name(const dd_study *study, dd_study_table table, uint32_t column)
{
    const dd_grid *g = grid_of(study, table);
    return column < g->n_columns ? g->columns[column].name : "";
}

static const dd_cell *cell_of(const dd_study *study, dd_study_table table, uint32_t row, uint32_t column)
{
    const dd_grid *g = grid_of(study, table);
    return row < dd_grid_rows(g) && column < g->n_columns ? dd_grid_at(g, row, column) : NULL;
}

double dd_study_number(const dd_study *study, dd_study_table table, uint32_t row, uint32_t column)
{
    const dd_cell *cell = cell_of(study, table, row, column);
    return cell && !cell->word ? cell->number : NAN;
}

const char *dd_study_word(const dd_study *study, dd_study_table table, uint32_t row, uint32_t column)
{
    const dd_cell *cell = cell_of(study, table, row, column);
    return cell && cell->word ? cell->word : "";
}
