/* solvability_words.c - a singular point in the user's words: when, what vanishes, in which equations, which
 * variables are not determined, and what can be done. */
#include <string.h>

#include "sim/solvability_impl.h"

enum {
    MOST_ROWS = 3,        /* equations written out */
    MOST_NAMES = 6,       /* variables named */
    MOST_EXPRESSION = 160 /* characters of a formula that is still read */
};

static const dd_eq *row_of(const dd_sim *sim, const dd_solvable_row *row)
{
    const dd_system *s = sim->system;
    const bool as_written = sim->solvability->numbers->equations->form == DD_EQUATIONS_ORIGINAL && !row->of_analysis;
    return as_written ? &s->original.data[row->eq] : &s->eqs.data[row->eq];
}

static const char *formula(dd_sim *sim, dd_expr e)
{
    const dd_system *s = sim->system;
    dd_text text = dd_text_new(sim->pool);
    dd_namer namer = dd_model_namer(s->model);
    dd_print(s->model->dag, e, &namer, &text);
    return dd_text_str(&text);
}

/* What vanishes. */
static const char *expression_words(dd_sim *sim, const dd_solvable_item *item)
{
    if (item->size > 1) {
        return "";
    }
    const dd_expr written = dd_solvable_written(sim->solvability->numbers, item);
    const char *text = formula(sim, dd_system_divide_content(sim->system, written));
    return strlen(text) <= MOST_EXPRESSION ? text : "";
}

static void list_equations(dd_sim *sim, const dd_solvable_item *item, dd_string_vec *out)
{
    /* several derivatives of one equation are said once */
    for (uint32_t i = 0; i < item->size; i++) {
        const char *words = dd_system_row_words(sim->system, row_of(sim, &item->rows[i]), sim->pool);
        bool known = false;
        for (uint32_t k = 0; k < out->len; k++) {
            known = known || strcmp(out->data[k], words) == 0;
        }
        if (!known) {
            dd_vec_push(sim->pool, out, words);
        }
    }
}

static void add_list(dd_text *text, const dd_string_vec *list, uint32_t most)
{
    for (uint32_t i = 0; i < list->len && i < most; i++) {
        dd_text_printf(text, "%s%s", i == 0 ? "" : i + 1 == list->len ? " and " : ", ", list->data[i]);
    }
    if (list->len > most) {
        dd_text_printf(text, " and %u more", list->len - most);
    }
}

static uint32_t differentiations(const dd_solvable_item *item)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < item->size; i++) {
        most = item->rows[i].level > most ? item->rows[i].level : most;
    }
    return most;
}

static void add_cause(dd_sim *sim, dd_text *text)
{
    /* a formula where there is one that can be read, otherwise the equations */
    const dd_singular_parts *p = &sim->singular;
    if (p->expression[0]) {
        dd_text_printf(text, "%s becomes 0 in ", p->expression);
    } else {
        dd_text_add(text, "these equations become dependent: ");
    }
    add_list(text, &p->equations, MOST_ROWS);
    if (p->differentiated > 0) {
        dd_text_printf(text, ", differentiated %u time%s", p->differentiated, p->differentiated > 1 ? "s" : "");
    }
}

static const char *consequence(const dd_singular *found, bool one)
{
    switch (found->kind) {
    case DD_SINGULAR_GROWS:
        return one ? "it grows without bound there" : "they grow without bound there";
    case DD_SINGULAR_ENDS:
        return "two solutions meet and end there: none continues beyond it";
    case DD_SINGULAR_ROOT:
        return "solutions may end there, and others may begin";
    default:
        return found->steep ? "the solution goes on, with an infinite slope there"
                            : "the solution can continue, but others may begin there: the branch is open";
    }
}

/* At time T rounding errors decide X: ... */
static const char *faint_sentence(dd_sim *sim, const dd_singular *found)
{
    const dd_singular_parts *p = &sim->singular;
    dd_text text = dd_text_new(sim->pool);
    dd_text_printf(&text, "at time %.10g the equations do not determine ", found->t);
    add_list(&text, &p->variables, MOST_NAMES);
    dd_text_printf(&text, " to the digits of the tolerance any more: %s in ",
                   p->expression[0] ? p->expression : "a determinant");
    add_list(&text, &p->equations, MOST_ROWS);
    dd_text_add(&text, " has faded beside other terms, and rounding errors take the place of what it multiplies");
    return dd_text_str(&text);
}

/* At time T the equations do not determine X any more: ... */
static const char *sentence(dd_sim *sim, const dd_singular *found)
{
    const dd_singular_parts *p = &sim->singular;
    if (found->kind == DD_SINGULAR_FAINT) {
        return faint_sentence(sim, found);
    }
    dd_text text = dd_text_new(sim->pool);
    /* when, what, why, and what follows */
    dd_text_printf(&text, "at time %.10g the equations do not determine ", found->t);
    add_list(&text, &p->variables, MOST_NAMES);
    dd_text_add(&text, " any more: ");
    add_cause(sim, &text);
    dd_text_printf(&text, "; %s", consequence(found, p->variables.len == 1));
    return dd_text_str(&text);
}

static void take_parts(dd_sim *sim, const dd_singular *found)
{
    const dd_solvable_item *item = found->item;
    sim->singular = (dd_singular_parts){.found = true, .expression = expression_words(sim, item)};
    list_equations(sim, item, &sim->singular.equations);
    for (uint32_t i = 0; i < item->size; i++) {
        dd_vec_push(sim->pool, &sim->singular.variables, formula(sim, item->symbols[i]));
    }
    sim->singular.differentiated = differentiations(item);
}

void dd_solvability_tell(dd_sim *sim, const dd_singular *found)
{
    take_parts(sim, found);
    const char *words = sentence(sim, found);
    sim->info.status = DD_SIM_SINGULAR;
    sim->info.reason =
        found->kind == DD_SINGULAR_OPEN && found->steep
            ? dd_pool_printf(sim->pool, "%s; write this equation solved for %s, or let the model avoid the point",
                             words, sim->singular.variables.len == 1 ? "it" : "them")
        : found->kind == DD_SINGULAR_OPEN
            ? dd_pool_printf(sim->pool, "%s; %s continues along this branch, or let the model avoid the point", words,
                             dd_option_word(sim->ctx, "--through"))
            : dd_pool_printf(sim->pool, "%s; stop before it (%s), or change the values that lead there", words,
                             dd_option_word(sim->ctx, "--stop"));
}

void dd_solvability_doubt(dd_solvability *s, uint32_t k, double t)
{
    dd_sim *sim = s->sim;
    const dd_singular found = {.t = t, .item = &s->numbers->solvable->items[k]};
    if (s->doubt) {
        return;
    }
    take_parts(sim, &found);
    dd_text text = dd_text_new(sim->pool);
    /* what is small, what depends on it, what to do */
    dd_text_printf(&text, "at time %.6g it cannot be told whether the equations still determine ", t);
    add_list(&text, &sim->singular.variables, MOST_NAMES);
    dd_text_printf(&text, ": %s in ", sim->singular.expression[0] ? sim->singular.expression : "a determinant");
    add_list(&text, &sim->singular.equations, MOST_ROWS);
    dd_text_printf(&text, " is smaller than the errors that the tolerance allows; give its variables nominal values of "
                          "their size");
    if (sim->options.step <= 0) {
        dd_text_printf(&text, ", or ask for a smaller one (%s)", dd_option_word(sim->ctx, "--tol"));
    }
    s->doubt = dd_text_str(&text);
    sim->singular = (dd_singular_parts){0};
}

void dd_solvability_end(dd_solvability *s)
{
    if (s->doubt && !s->doubt_told && s->sim->info.status == DD_SIM_OK) {
        dd_vec_push(s->sim->pool, &s->sim->messages, s->doubt);
        s->doubt_told = true;
    }
}

void dd_solvability_warn(dd_sim *sim, const dd_singular *found)
{
    enum { MOST_WARNINGS = 20 };
    static const char *const follows[] = {[DD_SINGULAR_OPEN] = "is one of several possible answers",
                                          [DD_SINGULAR_ENDS] = "belongs to another solution",
                                          [DD_SINGULAR_GROWS] = "is not joined to what was before",
                                          [DD_SINGULAR_FAINT] = "has fewer digits than asked for",
                                          [DD_SINGULAR_ROOT] = "may belong to another solution"};
    take_parts(sim, found);
    if (++sim->singular_points <= MOST_WARNINGS) {
        dd_vec_push(sim->pool, &sim->messages,
                    (const char *)dd_pool_printf(sim->pool, "%s; passed, because %s was given: what follows %s",
                                                 sentence(sim, found), dd_option_word(sim->ctx, "--through"),
                                                 follows[found->kind]));
    }
    sim->singular.found = false;
}
