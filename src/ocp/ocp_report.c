/* ocp_report.c - the answer as JSON and as text for people. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/json.h"
#include "base/utf8.h"
#include "ocp/diagnose.h"
#include "ocp/multipliers.h"
#include "ocp/ocp_curves.h"
#include "ocp/phases.h"
#include "ocp/reading.h"
#include "ocp/statistics.h"

/* ---- JSON ---- */

static void values_at(dd_json *j, const char *key, dd_reading *r, double theta, dd_pool *pool)
{
    dd_reading_at(r, theta, theta > 0);
    dd_json_key(j, key);
    dd_json_begin_object(j);
    for (uint32_t i = 0; i < r->p->outputs->vars.len; i++) {
        dd_json_put_number(j, dd_reading_name(r->p, i, pool), r->values[i]);
    }
    dd_json_end_object(j);
}

static void parameters(dd_json *j, const dd_reading *r, dd_pool *pool)
{
    const dd_ocp_problem *o = r->p->problem;
    dd_json_key(j, "parameters");
    dd_json_begin_object(j);
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_json_put_number(j, dd_model_var_name_dup(o->model, o->p.data[i].var, pool), r->params[i]);
    }
    dd_json_end_object(j);
}

/* Errors of the mesh, and the interval that a user should look at. */
static void accuracy(dd_json *j, const dd_ocp_info *info)
{
    dd_json_put_number(j, "estimated_error", info->estimated_error);
    if (info->meshes > 1) {
        dd_json_put_number(j, "objective_change", info->objective_change);
    }
    dd_json_put_number(j, "simulation_difference", info->simulation_difference);
    dd_json_put_int(j, "intervals", info->intervals);
    dd_json_put_int(j, "meshes", info->meshes);
    if (info->worst_interval == 0) {
        return;
    }
    dd_json_key(j, "worst_interval");
    dd_json_begin_object(j);
    dd_json_put_int(j, "interval", info->worst_interval);
    dd_json_put_number(j, "from", info->worst_from);
    dd_json_put_number(j, "to", info->worst_to);
    dd_json_put_string(j, "state", info->worst_state);
    dd_json_end_object(j);
}

static void seconds(dd_json *j, const dd_ocp_info *info)
{
    dd_json_key(j, "seconds");
    dd_json_begin_object(j);
    dd_json_put_number(j, "total", info->seconds_total);
    dd_json_put_number(j, "setup", info->seconds_setup);
    dd_json_put_number(j, "solve", info->seconds_solve);
    dd_json_put_number(j, "verify", info->seconds_verify);
    dd_json_put_number(j, "evaluate", info->seconds_evaluate);
    dd_json_put_number(j, "linear_algebra", info->seconds_linear_algebra);
    if (info->seconds_factor > 0) {
        dd_json_put_number(j, "factor", info->seconds_factor);
    }
    dd_json_end_object(j);
    dd_json_key(j, "cpu_seconds");
    dd_json_begin_object(j);
    dd_json_put_number(j, "setup", info->cpu_setup);
    dd_json_put_number(j, "solve", info->cpu_solve);
    dd_json_put_number(j, "verify", info->cpu_verify);
    dd_json_end_object(j);
}

/* How well the parameters are known; the matrix is in their order. */
static void statistics(dd_json *j, const dd_ocp *p, dd_pool *pool)
{
    const struct dd_statistics *s = p->statistics;
    const dd_ocp_problem *o = p->problem;
    if (s == NULL) {
        return;
    }
    dd_json_key(j, "parameters_std");
    dd_json_begin_object(j);
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_json_put_number(j, dd_model_var_name_dup(o->model, o->p.data[i].var, pool), s->deviation[i]);
    }
    dd_json_end_object(j);
    /* row by row, in the order of the parameters */
    dd_json_key(j, "correlation");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_json_begin_array(j);
        for (uint32_t k = 0; k < o->p.len; k++) {
            dd_json_number(j, s->correlation[i * o->p.len + k]);
        }
        dd_json_end_array(j);
    }
    dd_json_end_array(j);
    dd_json_put_int(j, "residuals", s->residuals);
    dd_json_put_number(j, "sigma", s->sigma);
}

/* Of several starts. */
static void optima(dd_json *j, const dd_ocp *p)
{
    if (p->options.multistart < 2) {
        return;
    }
    dd_json_key(j, "optima");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < p->optima.len; i++) {
        dd_json_begin_object(j);
        dd_json_put_number(j, "objective", p->optima.data[i].objective);
        dd_json_put_int(j, "count", p->optima.data[i].count);
        dd_json_put_int(j, "first", p->optima.data[i].first);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

static void costates_at(dd_json *j, const char *key, const dd_multipliers *m, const dd_reading *r, double theta,
                        dd_pool *pool)
{
    const dd_ocp_problem *o = r->p->problem;
    double *value = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *value);
    /* limits from inside the first and the last interval */
    dd_multipliers_costates(m, theta > 0 ? r->p->transcription->mesh.n - 1 : 0, theta, value);
    dd_json_key(j, key);
    dd_json_begin_object(j);
    for (uint32_t i = 0; i < o->x.len; i++) {
        dd_json_put_number(j, dd_model_var_name_dup(o->model, o->x.data[i].var, pool), value[i]);
    }
    dd_json_end_object(j);
}

/* Rows at points of time that are not left out, and costates at both ends. */
static void multipliers(dd_json *j, const dd_reading *r, dd_pool *pool)
{
    const dd_ocp *p = r->p;
    const dd_transcription *t = p->transcription;
    if (!p->options.multipliers) {
        return;
    }
    dd_json_key(j, "multipliers");
    dd_json_begin_object(j);
    /* multipliers of rows that were left out would mislead */
    for (uint32_t row = 0; row < t->tags.len; row++) {
        const dd_row_tag *tag = &t->tags.data[row];
        if ((tag->kind == DD_ROW_POINT || tag->kind == DD_ROW_CONSISTENCY) &&
            !p->problem->points.data[tag->index].dropped) {
            dd_json_put_number(j, p->problem->points.data[tag->index].name, p->result.lambda[row]);
        }
    }
    dd_json_end_object(j);
    const dd_multipliers *m = dd_multipliers_new(t, &p->result, pool);
    dd_json_key(j, "costates");
    dd_json_begin_object(j);
    costates_at(j, "initial", m, r, 0, pool);
    costates_at(j, "final", m, r, 1, pool);
    dd_json_end_object(j);
}

/* Of the last mesh. */
static const char *control_name(const dd_ocp *p)
{
    static const char *const names[] = {"constant", "linear", "polynomial"};
    return names[p->transcription->mesh.control];
}

static void solution(dd_json *j, dd_ocp *p, dd_pool *pool)
{
    /* result, effort, residuals */
    dd_reading r = dd_reading_new(p, pool);
    dd_json_put_number(j, "objective", p->info.objective);
    dd_json_put_number(j, "finalTime", p->info.final_time);
    dd_ocp_phases_json(j, p->problem, r.params);
    dd_json_put_int(j, "iterations", p->info.iterations);
    dd_json_put_int(j, "solve_iterations", p->info.iterations_solve);
    dd_json_put_string(j, "hessian", dd_ocp_hessian_name(p->options.hessian));
    dd_json_put_string(j, "control", control_name(p));
    dd_json_put_int(j, "variables", p->info.variables);
    dd_json_put_int(j, "equalities", p->info.equalities);
    dd_json_put_int(j, "inequalities", p->info.inequalities);
    dd_json_put_number(j, "violation", p->info.violation);
    dd_json_put_number(j, "dual_infeasibility", p->info.dual_infeasibility);
    dd_json_put_number(j, "complementarity", p->info.complementarity);
    /* values at both ends, then parameters */
    values_at(j, "initial", &r, 0, pool);
    values_at(j, "final", &r, 1, pool);
    parameters(j, &r, pool);
    statistics(j, p, pool);
    multipliers(j, &r, pool);
    optima(j, p);
    /* rows that follow from others, and how well they hold */
    accuracy(j, &p->info);
    dd_json_key(j, "redundant");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < p->problem->redundant.len; i++) {
        dd_json_string(j, p->problem->redundant.data[i]);
    }
    dd_json_end_array(j);
    dd_json_key(j, "redundant_residuals");
    dd_json_begin_array(j);
    for (uint32_t i = 0; p->redundant_residual != NULL && i < p->problem->redundant.len; i++) {
        dd_json_number(j, p->redundant_residual[i]);
    }
    dd_json_end_array(j);
    dd_json_put_string(j, "solver", p->info.solver);
    seconds(j, &p->info);
}

typedef struct report_call {
    dd_ocp *p;
    bool colour;
    const char *out;
} report_call;

static void new_text_pool(dd_ocp *p)
{
    dd_pool_free(p->text);
    p->text = dd_pool_new(p->ctx);
    if (p->text == NULL) {
        dd_raise(p->ctx, DD_OUT_OF_MEMORY, NULL);
    }
}

static void write_json(void *user)
{
    report_call *call = user;
    dd_ocp *p = call->p;
    new_text_pool(p);
    dd_text text = dd_text_new(p->text);
    dd_json j = dd_json_new(&text);
    /* verdict first; then the solution, if there is one, and why it is not optimal */
    dd_json_begin_object(&j);
    dd_json_key(&j, "status");
    dd_json_string(&j, dd_ocp_status_name(p->info.status));
    dd_json_key(&j, "model");
    dd_json_string(&j, p->system->model->name);
    if (p->info.reason[0] != '\0') {
        dd_json_put_string(&j, "reason", p->info.reason);
    }
    if (p->info.note[0] != '\0') {
        dd_json_put_string(&j, "note", p->info.note);
    }
    if (dd_ocp_has_trajectory(p)) {
        solution(&j, p, p->text);
    }
    if (p->diagnosis != NULL) {
        dd_diagnosis_json(p->diagnosis, &j);
    }
    /* effort and gain of the search for cheaper solutions */
    if (p->alternatives > 0) {
        dd_json_key(&j, "alternatives");
        dd_json_begin_object(&j);
        dd_json_put_int(&j, "tried", p->alternatives);
        dd_json_put_number(&j, "gained", p->gained);
        dd_json_put_int(&j, "iterations", p->iterations_alternatives);
        dd_json_put_number(&j, "seconds", p->seconds_alternatives);
        dd_json_end_object(&j);
    }
    /* guesses matter where none of them led to a solution */
    if (!dd_ocp_solved(p) && p->info.status != DD_OCP_INACCURATE && p->tried.len > 0) {
        dd_json_put_strings(&j, "guesses_tried", p->tried.data, p->tried.len);
    }
    dd_json_key(&j, "messages");
    dd_json_begin_array(&j);
    for (uint32_t i = 0; p->problem != NULL && i < p->problem->messages.len; i++) {
        dd_json_string(&j, p->problem->messages.data[i]);
    }
    dd_json_end_array(&j);
    dd_json_end_object(&j);
    call->out = dd_text_str(&text);
}

dd_status dd_ocp_json(const char **out, dd_ocp *p)
{
    if (out == NULL || p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    report_call call = {.p = p, .out = ""};
    const dd_respite before = dd_respite_begin(p->ctx);
    dd_status status = dd_protect(p->ctx, write_json, &call);
    dd_respite_end(p->ctx, &before);
    *out = call.out;
    return status;
}

/* ---- text ---- */

static void accuracy_text(dd_text *text, const dd_ocp_info *info)
{
    if (isnan(info->estimated_error)) {
        return;
    }
    dd_text_printf(text, "  estimated error %.1e, a simulation differs by %.1e", info->estimated_error,
                   info->simulation_difference);
    if (info->meshes > 1) {
        dd_text_printf(text, "; %u meshes, the last with %u intervals, changed the objective by %.1e", info->meshes,
                       info->intervals, info->objective_change);
    }
    dd_text_add(text, "\n");
}

static void text_parameters(dd_text *text, const dd_reading *r)
{
    const dd_ocp *p = r->p;
    const dd_ocp_problem *o = p->problem;
    const struct dd_statistics *s = p->statistics;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_text_printf(text, "  %s = %.10g", dd_model_var_name_dup(o->model, o->p.data[i].var, p->text), r->params[i]);
        if (s != NULL && isfinite(s->deviation[i])) {
            dd_text_printf(text, " +- %.6g", dd_rounded_digits(s->deviation[i], 3));
        }
        dd_text_add(text, "\n");
    }
    /* lower triangle: correlations are symmetric */
    for (uint32_t i = 0; s != NULL && i < o->p.len; i++) {
        for (uint32_t k = 0; k < i; k++) {
            dd_text_printf(
                text, "  correlation of %s and %s: %.3f\n", dd_model_var_name_dup(o->model, o->p.data[k].var, p->text),
                dd_model_var_name_dup(o->model, o->p.data[i].var, p->text), s->correlation[i * o->p.len + k]);
        }
    }
    if (s != NULL) {
        dd_text_printf(text, "  standard deviations from %u residuals with sigma = %.3g (%s)\n", s->residuals, s->sigma,
                       s->given ? "given" : "estimated");
    }
}

static void text_optima(dd_text *text, const dd_ocp *p)
{
    for (uint32_t i = 0; p->optima.len > 1 && i < p->optima.len; i++) {
        dd_text_printf(text, "  optimum %u: objective %.10g, found %u times\n", i + 1, p->optima.data[i].objective,
                       p->optima.data[i].count);
    }
}

/* Names and values at the end: the first ones, or all that --show asks for. */
static void text_values(dd_text *text, dd_ocp *p)
{
    enum { MOST = 20, LEAST_WIDTH = 12 };
    const dd_final_values list = dd_ocp_final_values(p, MOST, p->text);
    const uint32_t shown = p->show.count > 0 || list.len < MOST ? list.len : MOST;
    uint32_t widest = LEAST_WIDTH;
    for (uint32_t i = 0; i < shown; i++) {
        const uint32_t width = dd_utf8_columns(list.data[i].name);
        widest = width > widest ? width : widest;
    }
    for (uint32_t i = 0; i < shown; i++) {
        dd_text_printf(text, "    %s%*s %.6g\n", list.data[i].name, (int)(widest - dd_utf8_columns(list.data[i].name)),
                       "", list.data[i].value);
    }
    if (shown < list.len) {
        dd_text_printf(
            text, "    ... and %u more (%s)\n", list.len - shown,
            dd_option_phrase(p->ctx, "--json and -o FILE.csv have all", "the JSON and the CSV file have all"));
    }
}

static void write_text(void *user)
{
    report_call *call = user;
    dd_ocp *p = call->p;
    const dd_ocp_info *info = &p->info;
    new_text_pool(p);
    dd_text text = dd_text_new(p->text);
    /* verdict and reason in one line */
    dd_text_printf(&text, "%s%s%s: %s", call->colour ? "\033[1m" : "", p->system->model->name,
                   call->colour ? "\033[0m" : "", dd_ocp_status_name(info->status));
    if (info->reason[0] != '\0') {
        dd_text_printf(&text, ": %s", info->reason);
    }
    dd_text_add(&text, "\n");
    if (info->note[0] != '\0') {
        dd_text_printf(&text, "  note: %s\n", info->note);
    }
    /* the numbers that a user looks at first; JSON has the rest */
    if (dd_ocp_has_trajectory(p)) {
        dd_reading r = dd_reading_new(p, p->text);
        dd_text_printf(&text, "  objective %.8g",
                       info->objective); /* digits that are equal on all machines; JSON has all */
        dd_text_printf(&text, ", from time %.6g to %.6g\n", info->start_time, info->final_time);
        dd_text_printf(&text, "  %u iteration%s; %u variables, %u equalities, %u inequalit%s; %s Hessian\n",
                       info->iterations, info->iterations == 1 ? "" : "s", info->variables, info->equalities,
                       info->inequalities, info->inequalities == 1 ? "y" : "ies",
                       dd_ocp_hessian_name(p->options.hessian));
        dd_text_printf(&text, "  violation %.1e, dual infeasibility %.1e; %.3g s, %.0f ms of it setting up\n",
                       info->violation, info->dual_infeasibility, info->seconds_total, 1e3 * info->seconds_setup);
        dd_ocp_phases_text(&text, p->problem, r.params);
        if (p->diagnosis != NULL && info->status != DD_OCP_INACCURATE) { /* no row is to blame for that */
            dd_diagnosis_text(p->diagnosis, &text);
        }
        accuracy_text(&text, info);
        text_parameters(&text, &r);
        text_optima(&text, p);
        /* redundant rows with their residuals */
        for (uint32_t i = 0; i < p->problem->redundant.len; i++) {
            dd_text_printf(&text, "  left out: %s", p->problem->redundant.data[i]);
            if (p->redundant_residual != NULL) {
                dd_text_printf(&text, " (it holds to %.1e)", fabs(p->redundant_residual[i]));
            }
            dd_text_add(&text, "\n");
        }
        for (uint32_t i = 0; i < p->problem->messages.len; i++) {
            if (strcmp(p->problem->messages.data[i], info->note) != 0) { /* which appears above */
                dd_text_printf(&text, "  note: %s\n", p->problem->messages.data[i]);
            }
        }
        /* a few values at the end */
        if (dd_ocp_phase_count(p->problem) > 0) {
            dd_text_add(&text, "\n  Values at the ends of the phases\n");
        } else {
            dd_text_printf(&text, "\n  Values at time %.6g\n", info->final_time);
        }
        text_values(&text, p);
    }
    call->out = dd_text_str(&text);
}

dd_status dd_ocp_text(const char **out, dd_ocp *p, bool colour)
{
    if (out == NULL || p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    report_call call = {.p = p, .out = "", .colour = colour};
    const dd_respite before = dd_respite_begin(p->ctx);
    dd_status status = dd_protect(p->ctx, write_text, &call);
    dd_respite_end(p->ctx, &before);
    *out = call.out;
    return status;
}
