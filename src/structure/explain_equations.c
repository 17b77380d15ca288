/* explain_equations.c - the first steps: the equations of first order with their numbers, dF/dx' with its rank, and
 * equations that are combined because their derivatives cancel. */
#include <string.h>

#include "structure/explain.h"
#include "structure/report.h"
#include "structure/substitute.h"
#include "structure/verify.h"

enum {
    MOST_SHOWN = 8,   /* rows and columns of a matrix that is printed */
    MOST_ENTRY = 28,  /* characters of an entry */
    MOST_GROUPED = 12 /* equations that are listed by their derivatives where the matrix is too large */
};

void dd_explain_number_equations(dd_explanation *x)
{
    const dd_model *m = x->s->model;
    uint32_t number = 0;
    x->group_label = dd_pool_alloc_array(x->pool, m->groups.len + 1, sizeof *x->group_label);
    for (uint32_t g = 0; g < m->groups.len; g++) {
        /* der(x) = v of a velocity that the tool has introduced is no equation of the user */
        const bool own = m->groups.data[g].origin != DD_ORIGIN_VELOCITY;
        x->group_label[g] = own ? dd_pool_printf(x->pool, "(%u)", ++number) : "";
    }
}

static const char *columns(const dd_explanation *x, bool differentiated)
{
    enum { MOST_NAMES = 12 };
    dd_index_vec list = dd_report_pick(x->s, differentiated, x->pool);
    dd_text text = dd_text_new(x->pool);
    dd_report_columns(x->s, list.data, list.len, MOST_NAMES, &text);
    return dd_text_str(&text);
}

static bool has_introduced(const dd_model *m)
{
    bool found = false;
    for (uint32_t g = 0; g < m->groups.len && !found; g++) {
        found = m->groups.data[g].origin == DD_ORIGIN_VELOCITY;
    }
    return found;
}

/* Inputs that a setting defines are no inputs any more: what it puts in can make terms vanish. */
static void add_settings(const dd_explanation *x, dd_text *out)
{
    const dd_model *m = x->s->model;
    dd_namer namer = dd_model_namer(m);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (m->vars.data[v].kind == DD_KIND_INPUT && m->vars.data[v].has_value &&
            m->vars.data[v].binding != DD_EXPR_NONE && !x->s->options.general_inputs) {
            dd_text_printf(out, " The input %s is set: `%s = ", dd_model_var_name_dup(m, v, x->pool),
                           dd_model_var_name_dup(m, v, x->pool));
            dd_print(m->dag, m->vars.data[v].binding, &namer, out);
            dd_text_add(out, "`.");
        }
    }
}

void dd_explain_equations(dd_explanation *x)
{
    const dd_system *s = x->s;
    const dd_model *m = s->model;
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_EQUATIONS, "The equations");
    const char *x_names = columns(x, true), *z_names = columns(x, false);
    /* unknowns, by whether their derivative appears; in words, since a model may have an x of its own */
    dd_text text = dd_text_new(x->pool);
    dd_text_printf(&text, "F(x', x, z, t) = 0: %s for %s.", dd_explain_count(x->pool, s->original.len, "equation"),
                   dd_explain_count(x->pool, s->declared, "unknown"));
    dd_text_add(&text,
                x_names[0] ? dd_pool_printf(x->pool, " The vector x has those with a derivative: %s.", x_names) : "");
    dd_text_add(&text, z_names[0] ? dd_pool_printf(x->pool, " The vector z has those without: %s.", z_names) : "");
    add_settings(x, &text);
    dd_text_add(&text, has_introduced(m) ? " Second derivatives are derivatives of velocities: with the velocities "
                                           "among the unknowns the equations are of first order."
                                         : "");
    step->text = dd_text_str(&text);
    /* as written, numbered */
    for (uint32_t i = 0; i < m->groups.len; i++) {
        const dd_group *g = &m->groups.data[i];
        if (!x->group_label[i][0] || g->count == 0) {
            continue;
        }
        dd_text formula = dd_text_new(x->pool);
        dd_expr *values = dd_pool_alloc_array(x->pool, g->count, sizeof *values);
        for (uint32_t r = 0; r < g->count; r++) {
            values[r] = dd_system_lower(s, m->rows.data[g->first + r].residual);
            if (g->lhs == DD_FORM_NONE) { /* rows without a text of their own, in the velocities that have names */
                dd_text_add(&formula, r > 0 ? "; " : "");
                dd_model_print_residual(m, values[r], &formula);
            }
        }
        if (g->lhs != DD_FORM_NONE) {
            dd_model_print_group(m, g, &formula);
        }
        dd_explain_push(x, step,
                        (dd_explain_line){.label = x->group_label[i],
                                          .formula = dd_text_str(&formula),
                                          .from = dd_model_place(m, g->span, x->pool),
                                          .values = values,
                                          .n_values = g->count});
    }
}

/* ---- dF/dx' ---- */

static const char *printed(const dd_explanation *x, dd_expr e)
{
    dd_text text = dd_text_new(x->pool);
    dd_namer namer = dd_model_namer(x->s->model);
    dd_print(x->s->model->dag, e, &namer, &text);
    return dd_text_str(&text);
}

static const char *rate_name(const dd_explanation *x, uint32_t col)
{
    return dd_pool_printf(x->pool, "der(%s)", dd_system_column_name(x->s, col, x->pool));
}

/* The matrix with its entries as formulas; NULL when it is too large to be read. */
static dd_explain_matrix *small_matrix(dd_explanation *x, const dd_incidence *inc)
{
    const dd_system *s = x->s;
    if (inc->n > MOST_SHOWN || s->declared > MOST_SHOWN || inc->n == 0) {
        return NULL;
    }
    dd_explain_matrix *a = dd_pool_alloc(x->pool, sizeof *a);
    *a = (dd_explain_matrix){.rows = inc->n, .cols = s->declared};
    const size_t size = (size_t)a->rows * a->cols;
    dd_expr *expr = dd_pool_alloc_array(x->pool, size + 1, sizeof *expr);
    a->expr = expr;
    a->entry = dd_pool_alloc_array(x->pool, size + 1, sizeof *a->entry);
    a->row_label = dd_pool_alloc_array(x->pool, a->rows, sizeof *a->row_label);
    a->col_label = dd_pool_alloc_array(x->pool, a->cols + 1, sizeof *a->col_label);
    /* zeros first, then what the rows contain */
    for (size_t k = 0; k < size; k++) {
        a->entry[k] = "0";
    }
    for (uint32_t j = 0; j < a->cols; j++) {
        a->col_label[j] = rate_name(x, j);
    }
    for (uint32_t i = 0; i < inc->n; i++) {
        const dd_group *g = &s->model->groups.data[s->model->rows.data[s->original.data[i].row].group];
        const char *label = x->group_label[g - s->model->groups.data];
        const uint32_t row = s->original.data[i].row - g->first + 1;
        a->row_label[i] =
            g->count > 1 && label[0] ? dd_pool_printf(x->pool, "%.*s.%u)", (int)strlen(label) - 1, label, row) : label;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (inc->sigma[e] != 1) {
                continue;
            }
            const size_t k = (size_t)i * a->cols + inc->idx[e];
            expr[k] = inc->partial1[e];
            a->entry[k] = printed(x, inc->partial1[e]);
            if (strlen(a->entry[k]) > MOST_ENTRY) {
                return NULL;
            }
        }
    }
    return a;
}

/* Where the matrix is too large: which derivatives the equations contain, one line per equation. */
static const char *derivatives_by_equation(dd_explanation *x, const dd_incidence *inc)
{
    const dd_model *m = x->s->model;
    dd_text text = dd_text_new(x->pool);
    uint32_t shown = 0, all = 0;
    dd_pool *scratch = dd_pool_child(x->pool);
    uint32_t *seen = dd_pool_alloc_array(scratch, x->s->declared + 1, sizeof *seen); /* 1 + the last group */
    for (uint32_t g = 0; g < m->groups.len; g++) {
        /* the columns of the whole group, each once */
        dd_index_vec cols = {0};
        for (uint32_t i = m->groups.data[g].first; i < m->groups.data[g].first + m->groups.data[g].count; i++) {
            for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
                if (inc->sigma[e] == 1 && seen[inc->idx[e]] != g + 1) {
                    seen[inc->idx[e]] = g + 1;
                    dd_vec_push(scratch, &cols, inc->idx[e]);
                }
            }
        }
        all += cols.len > 0 && x->group_label[g][0];
        if (cols.len > 0 && x->group_label[g][0] && shown < MOST_GROUPED) {
            dd_text_printf(&text, "%s%s those of ", shown++ > 0 ? ", " : " By equations: ", x->group_label[g]);
            dd_report_columns(x->s, cols.data, cols.len, MOST_SHOWN, &text);
        }
    }
    dd_text_add(&text,
                all > shown ? dd_pool_printf(x->pool, " and %u more equations.", all - shown) : (shown > 0 ? "." : ""));
    dd_pool_free(scratch);
    return dd_text_str(&text);
}

/* Why the matrix is singular: columns without an entry, rows without one, rows that depend on each other. */
static const char *why_singular(dd_explanation *x, const dd_incidence *inc, uint32_t rank)
{
    const dd_system *s = x->s;
    dd_index_vec zero = {0};
    uint32_t filled = 0;
    dd_text text = dd_text_new(x->pool);
    dd_pool *scratch = dd_pool_child(x->pool);
    bool *has = dd_pool_alloc_array(scratch, s->declared + 1, sizeof *has);
    /* rows and columns that have an entry */
    for (uint32_t i = 0; i < inc->n; i++) {
        bool any = false;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            any = any || inc->sigma[e] == 1;
            has[inc->idx[e]] = has[inc->idx[e]] || inc->sigma[e] == 1;
        }
        filled += any;
    }
    for (uint32_t j = 0; j < s->declared; j++) {
        if (!has[j]) {
            dd_vec_push(x->pool, &zero, j);
        }
    }
    /* algebraic variables first; what is missing beyond them is a matter of combinations */
    if (zero.len > 0) {
        dd_text_add(&text, zero.len == 1 ? " The column of " : " The columns of ");
        dd_report_columns(s, zero.data, zero.len, MOST_GROUPED, &text);
        dd_text_add(&text, zero.len == 1 ? " is zero: it is never differentiated."
                                         : " are zero: they are never differentiated.");
    }
    if (filled > rank) {
        dd_text_printf(
            &text,
            " %s contain%s derivatives, but the rank is only %u: some combination of them is free of derivatives.",
            dd_explain_count(x->pool, filled, "equation"), filled == 1 ? "s" : "", rank);
    }
    dd_pool_free(scratch);
    return dd_text_str(&text);
}

void dd_explain_leading(dd_explanation *x)
{
    const dd_system *s = x->s;
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_LEADING, "Is it an ODE? The matrix dF/dx'");
    dd_pool *scratch = dd_pool_child(x->pool);
    const dd_system written = dd_verify_written(s, scratch);
    /* the rank at the consistent point; without one, what the counts of the analysis say */
    uint32_t rank = s->declared - s->constraint_count;
    const bool at_point = s->point.x && s->point.consistent &&
                          dd_verify_rank_of_rates(
                              &written, dd_numeric_new(&written, &s->original, &written.inc, scratch), &rank, scratch);
    const char *where = at_point ? "at the consistent point" : "by the structure of the equations";
    const char *regular = rank == s->declared ? "regular: the equations determine every derivative, and are an ODE"
                                              : "singular: the equations are not an ODE";
    step->rank = rank;
    step->constraints = s->declared - rank;
    step->matrix = small_matrix(x, &written.inc);
    step->text =
        dd_pool_printf(x->pool, "The derivatives of left side minus right side by the derivatives of all unknowns.%s",
                       step->matrix ? "" : derivatives_by_equation(x, &written.inc));
    step->behind = dd_pool_printf(x->pool, "Its rank is %u of %u (%s). It is %s.%s", rank, s->declared, where, regular,
                                  rank == s->declared ? "" : why_singular(x, &written.inc, rank));
    dd_pool_free(scratch);
}

/* ---- equations combined ---- */

/* "(2) - (1)": the parts of a combination by their numbers. */
static const char *combination_words(const dd_explanation *x, const dd_eq *eq)
{
    enum { MOST_PARTS = 6 }; /* longer sums say nothing: their places are listed */
    dd_dag *dag = x->s->model->dag;
    dd_text text = dd_text_new(x->pool);
    for (uint32_t k = 0; k < eq->n_parts && eq->n_parts <= MOST_PARTS; k++) {
        const dd_combined_row *part = &eq->parts[k];
        const bool minus = dd_is_num(dag, part->factor, -1), plain = minus || dd_is_num(dag, part->factor, 1);
        const dd_op op = dd_op_of(dag, part->factor);
        const char *factor = plain             ? ""
                             : op == DD_OP_ADD ? dd_pool_printf(x->pool, "(%s)*", printed(x, part->factor))
                                               : dd_pool_printf(x->pool, "%s*", printed(x, part->factor));
        dd_text_printf(&text, "%s%s%s",
                       k > 0   ? minus ? " - " : " + "
                       : minus ? "-"
                               : "",
                       factor, dd_explain_part_label(x, part));
    }
    return dd_text_str(&text);
}

void dd_explain_combined(dd_explanation *x)
{
    const dd_system *s = x->s;
    dd_explain_step *step = NULL;
    for (uint32_t i = 0; i < s->eqs.len; i++) {
        const dd_eq *eq = &s->eqs.data[i];
        if (!eq->converted || eq->definition) {
            continue;
        }
        if (!step) {
            step = dd_explain_add(x, DD_EXPLAIN_COMBINE, "Equations combined");
            step->text = "Which variable appears where is misleading here: highest derivatives cancel. An exact "
                         "combination of equations shows what remains, and replaces one of them:";
        }
        dd_explain_line line =
            dd_explain_equation(x, dd_explain_row_label(x, i, 0, false), "",
                                dd_system_divide_content(s, dd_system_without_auxiliaries(s, eq->residual)));
        line.from = eq->from;
        line.words = combination_words(x, eq);
        dd_explain_push(x, step, line);
    }
}
