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

/* The n-th derivative by the common time of all phases is T^n times that by the time of a phase of length T. */
dd_expr dd_report_in_phase_time(const dd_system *s, dd_expr e, uint32_t order, dd_pool *pool)
{
    const dd_optimization *o = s->model->optimization;
    dd_dag *dag = s->model->dag;
    if (dd_report_phase_count(s) == 0 || order == 0) {
        return e;
    }
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, false, &symbols, pool);
    /* a row belongs to the phase of its variables */
    uint32_t var = symbols.len > 0 ? dd_symbol_id(dag, symbols.data[0]) : o->n_phase_of;
    uint32_t phase = var < o->n_phase_of ? o->phase_of[var] : 0;
    dd_vec_free(pool, &symbols);
    if (phase == 0) {
        return e;
    }
    dd_expr by = dd_pow(dag, o->phases.data[phase - 1].length, dd_rational(dag, order, 1));
    uint32_t n = dd_op_of(dag, e) == DD_OP_ADD ? dd_arg_count(dag, e) : 1;
    dd_expr *terms = dd_pool_alloc_array(pool, n, sizeof *terms);
    for (uint32_t i = 0; i < n; i++) { /* one by one: so a length that is decided leaves each of them */
        terms[i] = dd_div(dag, dd_op_of(dag, e) == DD_OP_ADD ? dd_arg(dag, e, i) : e, by);
    }
    return dd_sum(dag, terms, n);
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

/* A time that is decided is written as its expression. */
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
