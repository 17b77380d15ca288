/* inspect.c - an optimization class without solving it: sizes, decisions, rows that follow from others,
 * contradict or touch each other. */
#include <string.h>

#include "base/context.h"
#include "base/json.h"
#include "ocp/ocp_impl.h"
#include "ocp/path_equality.h"

bool dd_system_has_optimization(const dd_system *s)
{
    return s != NULL && s->model->optimization != NULL;
}

/* ---- looking ---- */

static void note_over_determined(dd_ocp *p)
{
    dd_ocp_problem *o = p->problem;
    if (p->info.equalities > p->info.variables) {
        const char *words =
            dd_pool_printf(o->pool, "over-determined: %u equalities for %u variables on a mesh of %u intervals",
                           p->info.equalities, p->info.variables, dd_ocp_first_intervals(p));
        dd_vec_push(o->pool, &o->contradictions, words);
    }
}

static void inspect(void *user)
{
    dd_ocp *p = user;
    dd_mesh mesh;
    /* as in a solve, up to the mesh; refusals are contradictions here */
    if (!dd_ocp_prepare(p, &mesh)) {
        dd_ocp_problem *o = p->problem;
        if (o != NULL && o->contradictions.len == 0) {
            dd_vec_push(o->pool, &o->contradictions, p->info.reason);
        }
        return;
    }
    if (p->needs_polynomial && !dd_ocp_path_needs_polynomial(p->problem)) { /* they followed, and were left out */
        p->needs_polynomial = false;
        mesh.control = DD_CONTROL_CONSTANT;
    }
    /* the transcription alone: it is counted, not solved */
    dd_guess guess = dd_guess_source_as(p->guess);
    p->mesh_pool = dd_pool_child(p->pool);
    p->transcription = dd_transcribe(p->problem, &mesh, &guess, p->mesh_pool);
    dd_ocp_count_rows(p);
    note_over_determined(p);
}

/* Controls that an equality at all times needs are taken for granted: the report says that they are needed. */
static void choose_control(void *user)
{
    dd_ocp *p = user;
    dd_ocp_problem *o = dd_ocp_new_problem(p);
    if (o->reason == NULL && p->options.control != DD_OCP_POLYNOMIAL && dd_ocp_path_needs_polynomial(o)) {
        p->options.control = DD_OCP_POLYNOMIAL;
        p->needs_polynomial = true;
    }
}

dd_status dd_ocp_inspect(dd_ocp *p)
{
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    dd_status status = dd_ocp_begin(p);
    if (status == DD_OK && p->system->verdict == DD_VERDICT_OK) {
        status = dd_protect(p->ctx, choose_control, p);
    }
    return status == DD_OK ? dd_protect(p->ctx, inspect, p) : status;
}

bool dd_ocp_is_contradictory(const dd_ocp *p)
{
    return p != NULL && p->problem != NULL && p->problem->contradictions.len > 0;
}

/* ---- the report ---- */

typedef struct inspection {
    dd_string_vec controls, parameters, times, notes;
} inspection;

static void add_names(const dd_ocp *p, const dd_decision_vec *list, dd_string_vec *out)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(p->text, out, dd_model_var_name_dup(p->system->model, list->data[i].var, p->text));
    }
}

static inspection collect(const dd_ocp *p)
{
    inspection r = {0};
    const dd_ocp_problem *o = p->problem;
    if (o == NULL) {
        return r;
    }
    /* decisions, in the user's names */
    add_names(p, &o->u, &r.controls);
    add_names(p, &o->p, &r.parameters);
    if (o->free_t0) {
        dd_vec_push(p->text, &r.times, "startTime");
    }
    if (o->free_tf) {
        dd_vec_push(p->text, &r.times, "finalTime");
    }
    if (p->needs_polynomial) {
        dd_vec_push(p->text, &r.notes,
                    (const char *)dd_pool_printf(
                        p->text, "equalities at all times need %s polynomial; sizes are for such controls",
                        dd_option_word(p->ctx, "--control")));
    }
    /* traps have a separate list */
    for (uint32_t i = 0; i < o->messages.len; i++) {
        bool trap = false;
        for (uint32_t k = 0; k < o->traps.len; k++) {
            trap = trap || o->traps.data[k] == o->messages.data[i];
        }
        if (!trap) {
            dd_vec_push(p->text, &r.notes, o->messages.data[i]);
        }
    }
    return r;
}

static void new_text_pool(dd_ocp *p)
{
    dd_pool_free(p->text);
    p->text = dd_pool_new(p->ctx);
    if (p->text == NULL) {
        dd_raise(p->ctx, DD_OUT_OF_MEMORY, NULL);
    }
}

typedef struct inspect_call {
    dd_ocp *p;
    bool colour;
    const char *model, *out; /* the report on the model; both */
} inspect_call;

/* ---- JSON ---- */

static void count(dd_json *j, const char *key, const dd_ocp *p, int64_t value)
{
    dd_json_key(j, key);
    if (p->transcription != NULL) {
        dd_json_int(j, value);
    } else {
        dd_json_null(j);
    }
}

static void strings(dd_json *j, const char *key, const dd_string_vec *v)
{
    dd_json_put_strings(j, key, v != NULL ? v->data : NULL, v != NULL ? v->len : 0);
}

static void write_json(void *user)
{
    inspect_call *call = user;
    dd_ocp *p = call->p;
    const dd_ocp_problem *o = p->problem;
    new_text_pool(p);
    dd_text text = dd_text_new(p->text);
    dd_json j = dd_json_new(&text);
    inspection r = collect(p);
    /* one object for both reports: the model's, then ours */
    dd_text_add_n(&text, call->model, strlen(call->model) - 1); /* without its last brace */
    dd_text_add(&text, ",\"optimization\":");
    dd_json_begin_object(&j);
    count(&j, "variables", p, p->info.variables);
    count(&j, "equalities", p, p->info.equalities);
    count(&j, "inequalities", p, p->info.inequalities);
    count(&j, "degrees_of_freedom", p, (int64_t)p->info.variables - p->info.equalities);
    dd_json_key(&j, "intervals");
    dd_json_int(&j, dd_ocp_first_intervals(p));
    dd_json_key(&j, "open_initial_values");
    dd_json_int(&j, o != NULL ? o->open_start : 0);
    strings(&j, "controls", &r.controls);
    strings(&j, "free_parameters", &r.parameters);
    strings(&j, "free_times", &r.times);
    strings(&j, "redundant", o != NULL ? &o->redundant : NULL);
    strings(&j, "contradictory", o != NULL ? &o->contradictions : NULL);
    strings(&j, "traps", o != NULL ? &o->traps : NULL);
    strings(&j, "notes", &r.notes);
    dd_json_end_object(&j);
    /* the first contradiction is the reason */
    if (o != NULL && dd_ocp_is_contradictory(p)) {
        dd_text_add(&text, ",\"reason\":");
        dd_json reason = dd_json_new(&text);
        dd_json_string(&reason, o->contradictions.data[0]);
    }
    dd_text_add(&text, "}");
    call->out = dd_text_str(&text);
}

/* ---- text ---- */

static void list(dd_text *text, const char *title, const dd_string_vec *names)
{
    enum { SHOWN = 12 };
    if (names->len == 0) {
        return;
    }
    dd_text_printf(text, "    %s ", title);
    for (uint32_t i = 0; i < names->len && i < SHOWN; i++) {
        dd_text_printf(text, "%s%s", i > 0 ? ", " : "", names->data[i]);
    }
    dd_text_printf(text, names->len > SHOWN ? " and %u more\n" : "\n", names->len - SHOWN);
}

static void lines(dd_text *text, const char *title, const dd_string_vec *v)
{
    for (uint32_t i = 0; i < v->len; i++) {
        dd_text_printf(text, "    %s %s\n", title, v->data[i]);
    }
}

static void write_text(void *user)
{
    inspect_call *call = user;
    dd_ocp *p = call->p;
    const dd_ocp_problem *o = p->problem;
    const dd_ocp_info *info = &p->info;
    new_text_pool(p);
    dd_text text = dd_text_new(p->text);
    inspection r = collect(p);
    /* the report on the model comes first */
    dd_text_add(&text, call->model);
    dd_text_printf(&text, "\n%s  Optimization: ", call->colour ? "\033[1m" : "");
    /* counts belong to a transcription: there is none after a refusal */
    if (p->transcription != NULL) {
        dd_text_printf(&text, "%lld degrees of freedom on %u intervals of degree %u",
                       (long long)info->variables - (long long)info->equalities, dd_ocp_first_intervals(p),
                       p->options.degree);
    } else {
        dd_text_add(&text, "nothing to solve");
    }
    dd_text_printf(&text, "%s\n", call->colour ? "\033[0m" : "");
    if (p->transcription != NULL) {
        dd_text_printf(&text, "    %u variables, %u equalities, %u inequalit%s\n", info->variables, info->equalities,
                       info->inequalities, info->inequalities == 1 ? "y" : "ies");
    }
    /* decisions, then rows that deserve a look */
    list(&text, "controls       ", &r.controls);
    list(&text, "free parameters", &r.parameters);
    list(&text, "free times     ", &r.times);
    if (o != NULL) {
        if (o->open_start > 0) {
            dd_text_printf(&text, "    %u start values that neither `fixed` nor initial equations determine\n",
                           o->open_start);
        }
        lines(&text, "left out:", &o->redundant);
        lines(&text, "contradictory:", &o->contradictions);
        lines(&text, "trap:", &o->traps);
    }
    lines(&text, "note:", &r.notes);
    call->out = dd_text_str(&text);
}

/* ---- public ---- */

static dd_status call_report(const char **out, dd_ocp *p, bool json, bool colour)
{
    if (out == NULL || p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    inspect_call call = {.p = p, .model = "", .out = "", .colour = colour};
    dd_status status = json ? dd_system_json(&call.model, p->system) : dd_system_text(&call.model, p->system, colour);
    if (status == DD_OK) {
        status = dd_protect(p->ctx, json ? write_json : write_text, &call);
    }
    *out = call.out;
    return status;
}

dd_status dd_ocp_inspect_json(const char **out, dd_ocp *p)
{
    return call_report(out, p, true, false);
}

dd_status dd_ocp_inspect_text(const char **out, dd_ocp *p, bool colour)
{
    return call_report(out, p, false, colour);
}
