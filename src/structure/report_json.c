/* report_json.c - the JSON object of `daedal check --json`. */
#include "base/json.h"
#include "structure/explain.h"
#include "structure/report.h"

static void add_index(dd_json *j, const char *key, int value)
{
    dd_json_key(j, key);
    if (value < 0) {
        dd_json_null(j);
    } else {
        dd_json_int(j, value);
    }
}

static void add_string(dd_json *j, const char *key, const char *value)
{
    dd_json_key(j, key);
    dd_json_string(j, value);
}

static void add_strings(dd_json *j, const char *key, const dd_string_vec *v)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < v->len; i++) {
        dd_json_string(j, v->data[i]);
    }
    dd_json_end_array(j);
}

static void add_columns(dd_json *j, const char *key, const dd_system *s, const dd_index_vec *cols, dd_pool *pool)
{
    dd_text name = dd_text_new(pool);
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < cols->len; i++) {
        dd_text_clear(&name);
        dd_model_var_name(s->model, s->unknown[cols->data[i]], &name);
        dd_json_string(j, dd_text_str(&name));
    }
    dd_json_end_array(j);
}

static void add_from(dd_json *j, const char *places)
{
    dd_json_key(j, "from");
    dd_json_begin_array(j);
    /* places are separated by ", " and file names may hold commas only in odd cases: one string each */
    while (*places) {
        /* "a.mo:4, b.mo:7" is a list */
        const char *end = places;
        while (*end && !(end[0] == ',' && end[1] == ' ')) {
            end++;
        }
        dd_text one = dd_text_new(j->out->pool);
        dd_text_add_n(&one, places, (size_t)(end - places));
        dd_json_string(j, dd_text_str(&one));
        places = *end ? end + 2 : end;
    }
    dd_json_end_array(j);
}

static void add_constraints(dd_json *j, const dd_system *s)
{
    /* visible ones are strings, as written */
    dd_json_key(j, "constraints");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < s->visible_text.len; i++) {
        dd_json_string(j, s->visible_text.data[i].text.equation);
    }
    dd_json_end_array(j);
    /* hidden ones with what they come from */
    dd_json_key(j, "hidden_constraints");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < s->hidden_text.len; i++) {
        const dd_constraint_text *t = &s->hidden_text.data[i].text;
        dd_json_begin_object(j);
        add_string(j, "equation", t->equation);
        dd_json_key(j, "order");
        dd_json_int(j, t->order);
        add_from(j, t->from);
        add_string(j, "differentiated", t->differentiated);
        dd_json_key(j, "rows");
        dd_json_int(j, t->rows);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
    /* numbers of rows: lists may be shorter, since an array is one entry */
    dd_json_key(j, "constraint_count");
    dd_json_int(j, s->constraint_count);
    dd_json_key(j, "hidden_count");
    dd_json_int(j, s->hidden_count);
}

static void add_initial(dd_json *j, const dd_system *s, dd_pool *pool)
{
    dd_json_key(j, "initial");
    dd_json_begin_object(j);
    add_strings(j, "given", &s->given);
    /* null where there are no degrees of freedom to speak of */
    const bool linked = dd_report_phase_count(s) > 0; /* starts of phases are linked or decided */
    add_index(j, "missing", s->dof < 0 ? -1 : linked ? 0 : (int)s->missing);
    add_index(j, "excess", s->dof < 0 ? -1 : (int)s->excess);
    add_columns(j, "free_choice", s, &s->free_choice, pool);
    add_columns(j, "completion", s, &s->completion, pool);
    add_strings(j, "redundant", &s->redundant_given);
    add_string(j, "start", dd_given_start_name(s->start));
    dd_json_end_object(j);
}

static void add_input_rates(dd_json *j, const dd_system *s, dd_pool *pool)
{
    dd_namer namer = dd_model_namer(s->model);
    dd_json_key(j, "input_derivatives");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < s->reduced.input_rates.len; i++) {
        dd_text text = dd_text_new(pool);
        dd_print(s->model->dag, s->reduced.input_rates.data[i], &namer, &text);
        dd_json_string(j, dd_text_str(&text));
    }
    dd_json_end_array(j);
}

static void write_json(const dd_system *s, dd_json *j, dd_pool *pool)
{
    dd_index_vec states = dd_report_pick(s, true, pool), algebraic = dd_report_pick(s, false, pool);
    dd_json_begin_object(j);
    add_string(j, "status", "ok"); /* the analysis went through; what it found is the verdict */
    add_string(j, "model", s->model->name);
    dd_report_phases_json(s, j, pool);
    add_string(j, "kind", dd_system_kind_name(s->kind));
    add_index(j, "index", s->index);
    add_index(j, "structural_index", s->structural_index);
    add_string(j, "certificate", dd_certificate_name(s->certificate));
    add_index(j, "unknowns", (int)s->declared);
    add_index(j, "equations", (int)s->original.len);
    add_index(j, "dof", s->dof);
    add_columns(j, "states", s, &states, pool);
    add_columns(j, "algebraic", s, &algebraic, pool);
    add_constraints(j, s);
    add_index(j, "assigned_count", (int)s->assigned_count);
    add_initial(j, s, pool);
    add_strings(j, "relies_on", &s->structural_conditions);
    add_input_rates(j, s, pool);
    add_strings(j, "warnings", &s->warnings);
    add_string(j, "verdict", dd_verdict_name(s->verdict));
    if (s->verdict != DD_VERDICT_OK) {
        add_string(j, "reason", s->reason);
    }
    if (s->options.explain) {
        dd_explain_json(dd_explain(s, true, pool), j);
    }
    dd_json_end_object(j);
}

typedef struct json_call {
    const dd_system *s;
    const char *out;
} json_call;

static void json_body(void *arg)
{
    json_call *call = arg;
    dd_pool *scratch = dd_pool_child(call->s->pool);
    dd_text text = dd_text_new(call->s->pool);
    dd_json j = dd_json_new(&text);
    write_json(call->s, &j, scratch);
    dd_pool_free(scratch);
    call->out = dd_text_str(&text);
}

dd_status dd_system_json(const char **out, const dd_system *s)
{
    if (!out || !s) {
        return DD_INVALID_ARGUMENT;
    }
    json_call call = {.s = s, .out = ""};
    dd_status st = dd_protect(s->ctx, json_body, &call);
    *out = call.out;
    return st;
}
