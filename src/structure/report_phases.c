/* report_phases.c - the phases of an optimization in the two reports. */
#include "structure/report.h"

static const char *time_text(const dd_system *s, dd_expr e, dd_pool *pool)
{
    dd_namer namer = dd_model_namer(s->model);
    dd_text text = dd_text_new(pool);
    dd_print(s->model->dag, e, &namer, &text);
    return dd_text_str(&text);
}

static dd_expr end_of(const dd_system *s, const dd_phase *p)
{
    return dd_add(s->model->dag, p->start, p->length);
}

uint32_t dd_report_phase_count(const dd_system *s)
{
    return s->model->optimization != NULL ? s->model->optimization->phases.len : 0;
}

void dd_report_phases_text(const dd_system *s, dd_text *out, dd_pool *pool)
{
    for (uint32_t i = 0; i < dd_report_phase_count(s); i++) {
        const dd_phase *p = &s->model->optimization->phases.data[i];
        dd_text_printf(out, "    %u  %s: from %s to %s\n", i + 1, p->name, time_text(s, p->start, pool),
                       time_text(s, end_of(s, p), pool));
    }
}

/* A time that is decided is told as the expression it is. */
static void add_time(dd_json *j, const char *key, const dd_system *s, dd_expr e, dd_pool *pool)
{
    dd_json_key(j, key);
    if (dd_op_of(s->model->dag, e) == DD_OP_NUM) {
        dd_json_number(j, dd_num_value(s->model->dag, e));
    } else {
        dd_json_string(j, time_text(s, e, pool));
    }
}

void dd_report_phases_json(const dd_system *s, dd_json *j, dd_pool *pool)
{
    if (dd_report_phase_count(s) == 0) {
        return;
    }
    dd_json_key(j, "phases");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < dd_report_phase_count(s); i++) {
        const dd_phase *p = &s->model->optimization->phases.data[i];
        dd_json_begin_object(j);
        dd_json_key(j, "name");
        dd_json_string(j, p->name);
        add_time(j, "startTime", s, p->start, pool);
        add_time(j, "finalTime", s, end_of(s, p), pool);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}
