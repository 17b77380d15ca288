/* explain.c - the reduction of a model step by step. Start reading at dd_explain(): the order of the steps. */
#include "structure/explain.h"

#include <string.h>

#include "structure/report.h"

enum {
    MOST_LINES = 30, /* formulas of a step for people; the JSON has all */
    MOST_NAMES = 12  /* variables and values in a sentence */
};

const char *dd_explain_kind_name(dd_explain_kind kind)
{
    static const char *const names[] = {
#define DD_EXPLAIN_NAME(id, name) name,
        DD_EXPLAIN_LIST(DD_EXPLAIN_NAME)
#undef DD_EXPLAIN_NAME
    };
    return names[kind];
}

/* ---- pieces ---- */

dd_explain_step *dd_explain_add(dd_explanation *x, dd_explain_kind kind, const char *title)
{
    dd_explain_step *step = dd_pool_alloc(x->pool, sizeof *step);
    *step = (dd_explain_step){.kind = kind, .title = title, .text = "", .behind = "", .rank = DD_NO_INDEX};
    dd_vec_push(x->pool, &x->steps, step);
    return step;
}

void dd_explain_push(dd_explanation *x, dd_explain_step *step, dd_explain_line line)
{
    if (!x->all && step->lines.len >= MOST_LINES) {
        step->left_out++;
        return;
    }
    line.label = line.label ? line.label : "";
    line.words = line.words ? line.words : "";
    line.from = line.from ? line.from : "";
    dd_vec_push(x->pool, &step->lines, line);
}

dd_explain_line dd_explain_equation(dd_explanation *x, const char *label, const char *words, dd_expr residual)
{
    dd_text text = dd_text_new(x->pool);
    dd_expr *value = dd_pool_alloc(x->pool, sizeof *value);
    *value = residual;
    dd_model_print_residual(x->s->model, residual, &text);
    return (dd_explain_line){
        .label = label, .words = words, .formula = dd_text_str(&text), .values = value, .n_values = 1};
}

const char *dd_explain_count(dd_pool *pool, uint32_t n, const char *one)
{
    return dd_pool_printf(pool, "%u %s%s", n, one, n == 1 ? "" : "s");
}

/* A row of the model by its number: (3), one row of an array equation (3.2), a combination (3*); primes behind it. */
static const char *label(const dd_explanation *x, uint32_t row, uint32_t level, bool whole_group, bool combined)
{
    const dd_system *s = x->s;
    const uint32_t group = s->model->rows.data[row].group;
    const dd_group *g = &s->model->groups.data[group];
    dd_text text = dd_text_new(x->pool);
    const char *number = x->group_label[group];
    if (!number[0]) {
        return "";
    }
    dd_text_add_n(&text, number, strlen(number) - 1);
    if (g->count > 1 && !whole_group) {
        dd_text_printf(&text, ".%u", row - g->first + 1);
    }
    dd_text_add(&text, combined ? "*)" : ")");
    for (uint32_t i = 0; i < level; i++) {
        dd_text_add(&text, "'");
    }
    return dd_text_str(&text);
}

const char *dd_explain_row_label(const dd_explanation *x, uint32_t eq, uint32_t level, bool whole_group)
{
    const dd_eq *row = &x->s->eqs.data[eq];
    return label(x, row->row, level, whole_group, row->converted);
}

const char *dd_explain_part_label(const dd_explanation *x, const dd_combined_row *part)
{
    return label(x, x->s->eqs.data[part->row].row, part->level, false, part->converted);
}

/* ---- the end of the explanation ---- */

/* The definition applied: how often, and what that makes the model. */
static void add_index(dd_explanation *x)
{
    const dd_system *s = x->s;
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_INDEX, "The index");
    step->order = (uint32_t)s->index;
    if (s->index == 0) {
        step->text = "Nothing was differentiated: the equations are an ODE, index 0.";
        return;
    }
    static const char *const certificate[] = {
        "The Jacobian that decides this is regular at a consistent point.",
        "After the combination above, the Jacobian that decides this is regular at a consistent point.",
        "This follows from the ranks of the differentiated equations at a consistent point.",
        "This was not confirmed at a consistent point: it follows from which variable appears where."};
    step->text = dd_pool_printf(x->pool, "Differentiated %s until every derivative is known: the index is %d. %s",
                                s->index == 1 ? "once" : dd_pool_printf(x->pool, "%d times", s->index), s->index,
                                certificate[s->certificate]);
}

/* What the reduced system does not enforce by itself: constraints of the lower orders. */
static void add_consistency(dd_explanation *x)
{
    const dd_system *s = x->s;
    if (s->constraint_count + s->hidden_count == 0) {
        return;
    }
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_CONSISTENCY, "Consistency conditions");
    step->text = s->hidden_count > 0
                     ? "The ODE found above has more solutions than the model. Those of the model satisfy the "
                       "constraints, visible and hidden. What holds at one time holds at all times, so it is enough "
                       "that the initial values satisfy them:"
                     : "The initial values must satisfy the equations without derivatives:";
    /* constraints known only as a combination come last in the list */
    if (s->visible_text.len > 0 && s->visible_text.data[s->visible_text.len - 1].together) {
        step->text =
            dd_pool_printf(x->pool,
                           "One constraint has no formula of its own: it is what the combined equations leave when "
                           "the derivatives are eliminated. %s",
                           step->text);
    }
    /* each with the number of its differentiations */
    for (int hidden = 0; hidden < 2; hidden++) {
        const dd_text_row_vec *texts = hidden ? &s->hidden_text : &s->visible_text;
        for (uint32_t i = 0; i < texts->len; i++) {
            const dd_constraint_text *t = &texts->data[i].text;
            if (texts->data[i].together) {
                continue;
            }
            dd_explain_push(x, step,
                            (dd_explain_line){.label = t->order == 0 ? "" : dd_pool_printf(x->pool, "%ux", t->order),
                                              .formula = t->equation});
        }
    }
}

/* The given conditions as a list; the report has them all. */
static void add_given(const dd_system *s, dd_text *out)
{
    for (uint32_t i = 0; i < s->given.len && i < MOST_NAMES; i++) {
        dd_text_printf(out, "%s%s", i > 0 ? ", " : "", s->given.data[i]);
    }
    if (s->given.len > MOST_NAMES) {
        dd_text_printf(out, " and %u more", s->given.len - MOST_NAMES);
    }
}

static void add_initial(dd_explanation *x)
{
    const dd_system *s = x->s;
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_INITIAL, "Initial values");
    dd_text text = dd_text_new(x->pool);
    dd_text_printf(&text, "Degrees of freedom: %s - %s - %s = %d.", dd_explain_count(x->pool, s->declared, "unknown"),
                   dd_explain_count(x->pool, s->constraint_count, "constraint"),
                   dd_explain_count(x->pool, s->hidden_count, "hidden constraint"), s->dof);
    /* nothing to choose, something missing, or all there */
    if (s->dof == 0) {
        dd_text_add(&text, " There is nothing to choose: every initial value follows.");
    } else if (s->missing > 0) {
        dd_text_add(&text, " This is the number of initial values that you choose");
        dd_text_add(&text, s->given_count > 0 ? dd_pool_printf(x->pool, "; the model gives %u", s->given_count) : "");
        dd_text_add(&text, ". For example, fix ");
        dd_report_columns(s, s->completion.data, s->completion.len, MOST_NAMES, &text);
        dd_text_add(&text, ".");
    } else {
        dd_text_add(&text, " This is the number of initial values that you choose. The model gives them: ");
        add_given(s, &text);
        dd_text_add(&text, ".");
    }
    for (uint32_t i = 0; i < s->redundant_given.len && i < MOST_NAMES; i++) {
        dd_text_printf(&text, " %s is given, but follows from the others.", s->redundant_given.data[i]);
    }
    step->text = dd_text_str(&text);
}

/* Divisions that the reduction relies on, and what the data of the model decided. */
static void add_conditions(dd_explanation *x)
{
    const dd_system *s = x->s;
    if (s->structural_conditions.len == 0 && s->warnings.len == 0) {
        return;
    }
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_CONDITION, "When this holds");
    dd_text text = dd_text_new(x->pool);
    for (uint32_t i = 0; i < s->structural_conditions.len; i++) {
        dd_text_printf(&text, "%s`%s`",
                       i == 0 ? "The steps divide by quantities that must not vanish: solvable while " : ", ",
                       s->structural_conditions.data[i]);
    }
    dd_text_add(&text, s->structural_conditions.len > 0 ? "." : "");
    for (uint32_t i = 0; i < s->warnings.len; i++) {
        dd_text_printf(&text, "%sWarning: %s.", text.len > 0 ? " " : "", s->warnings.data[i]);
    }
    step->text = dd_text_str(&text);
}

static void add_refusal(dd_explanation *x)
{
    const dd_system *s = x->s;
    static const char *const words[] = {"", "The equations depend on each other.",
                                        "The numbers of equations and unknowns differ.",
                                        "The equations contradict each other."};
    dd_explain_step *step = dd_explain_add(x, DD_EXPLAIN_REFUSED, "No reduction");
    step->text = dd_pool_printf(x->pool, "%s There is no index: %s.", words[s->verdict], s->reason);
}

dd_explanation *dd_explain(const dd_system *s, bool all, dd_pool *pool)
{
    dd_explanation *x = dd_pool_alloc(pool, sizeof *x);
    *x = (dd_explanation){.s = s, .pool = pool, .all = all};
    dd_explain_number_equations(x);
    dd_explain_mechanics(x);
    dd_explain_equations(x);
    if (s->verdict != DD_VERDICT_OK) {
        add_refusal(x);
        return x;
    }
    /* is it an ODE? if not, differentiate until it is */
    dd_explain_leading(x);
    dd_explain_combined(x);
    dd_explain_rounds(x);
    add_index(x);
    add_consistency(x);
    add_initial(x);
    add_conditions(x);
    return x;
}
