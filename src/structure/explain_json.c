/* explain_json.c - the key "explanation" of the JSON report. */
#include "structure/explain_write.h"

static void add_line(const dd_explanation *x, const dd_explain_line *line, dd_json *j)
{
    dd_text tex = dd_text_new(x->pool);
    dd_explain_line_math(x, line, &tex);
    dd_json_begin_object(j);
    dd_json_put_string(j, "label", line->label);
    dd_json_put_string(j, "words", line->words);
    if (line->name) {
        dd_json_put_string(j, "name", line->name);
    }
    dd_json_put_string(j, "equation", line->formula);
    dd_json_put_string(j, "latex", dd_text_str(&tex));
    dd_json_put_string(j, "from", line->from);
    dd_json_end_object(j);
}

static void add_matrix(const dd_explanation *x, const dd_explain_matrix *a, dd_json *j)
{
    dd_text tex = dd_text_new(x->pool);
    dd_explain_matrix_math(x, a, &tex);
    dd_json_key(j, "matrix");
    dd_json_begin_object(j);
    dd_json_put_strings(j, "rows", a->row_label, a->rows);
    dd_json_put_strings(j, "columns", a->col_label, a->cols);
    dd_json_key(j, "entries");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < a->rows; i++) {
        dd_json_begin_array(j);
        for (uint32_t k = 0; k < a->cols; k++) {
            dd_json_string(j, a->entry[(size_t)i * a->cols + k]);
        }
        dd_json_end_array(j);
    }
    dd_json_end_array(j);
    dd_json_put_string(j, "latex", dd_text_str(&tex));
    dd_json_end_object(j);
}

static const char *joined(const dd_explanation *x, const dd_explain_step *step)
{
    const bool both = step->text[0] && step->behind[0];
    return dd_pool_printf(x->pool, "%s%s%s", step->text, both ? " " : "", step->behind);
}

static void add_step(const dd_explanation *x, const dd_explain_step *step, dd_json *j)
{
    dd_text tex = dd_text_new(x->pool);
    dd_explain_step_math(x, step, true, &tex);
    dd_json_begin_object(j);
    dd_json_put_string(j, "kind", dd_explain_kind_name(step->kind));
    dd_json_put_string(j, "title", step->title);
    dd_json_put_string(j, "text", joined(x, step));
    /* what can be counted */
    if (step->kind == DD_EXPLAIN_DIFFERENTIATE || step->kind == DD_EXPLAIN_INDEX) {
        dd_json_put_int(j, "order", step->order);
    }
    if (step->rank != DD_NO_INDEX) {
        dd_json_put_int(j, "rank", step->rank);
    }
    if (step->matrix) {
        add_matrix(x, step->matrix, j);
    }
    dd_json_key(j, "equations");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < step->lines.len; i++) {
        add_line(x, &step->lines.data[i], j);
    }
    dd_json_end_array(j);
    dd_json_put_string(j, "latex", dd_text_str(&tex));
    dd_json_end_object(j);
}

void dd_explain_json(const dd_explanation *x, dd_json *j)
{
    dd_json_key(j, "explanation");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < x->steps.len; i++) {
        dd_check_stop(x->s->ctx);
        add_step(x, x->steps.data[i], j);
    }
    dd_json_end_array(j);
}
