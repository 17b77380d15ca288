/* report_text.c - `daedal check` for people: what the model is, in the order one wants to know it. */
#include <string.h>

#include "structure/report.h"

/* a report that fits on a screen; --json has everything */
enum { MAX_LINES = 12, MAX_NAMES = 12, FORMULA_WIDTH = 54 };

typedef struct page {
    const dd_system *s;
    dd_text *out;
    dd_pool *scratch;
    bool colour;
} page;

static void bold(page *p, const char *text)
{
    dd_text_printf(p->out, "%s%s%s", p->colour ? "\033[1m" : "", text, p->colour ? "\033[0m" : "");
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- the parts of the report ---- */

static void add_headline(page *p)
{
    const dd_system *s = p->s;
    dd_text line = dd_text_new(p->scratch);
    dd_text_printf(&line, "%s: ", s->model->name);
    /* assigned variables do not make a DAE in the eyes of the user, but they are counted */
    uint32_t algebraic = 0;
    for (uint32_t j = 0; j < s->declared; j++) {
        algebraic += !s->differentiated[j];
    }
    /* what it is, from the worst to the general case */
    if (s->verdict != DD_VERDICT_OK) {
        static const char *const words[] = {"ok", "singular equations", "the numbers of equations and unknowns differ",
                                            "contradictory equations"};
        dd_text_printf(&line, "%s (%u equation%s, %u unknown%s)", words[s->verdict], s->original.len,
                       plural(s->original.len), s->declared, plural(s->declared));
    } else if (s->kind == DD_SYSTEM_ODE) {
        dd_text_printf(&line, "an ODE with %d degree%s of freedom", s->dof, plural((uint32_t)s->dof));
    } else if (dd_report_is_assigned_ode(s)) {
        dd_text_printf(&line, "an ODE with %u assigned variable%s (a DAE of index 1), %d degree%s of freedom",
                       algebraic, plural(algebraic), s->dof, plural((uint32_t)s->dof));
    } else if (s->kind == DD_SYSTEM_ALGEBRAIC) {
        dd_text_printf(&line, "algebraic equations, no derivatives: no degrees of freedom");
    } else {
        dd_text_printf(&line, "a DAE of index %d with %d degree%s of freedom", s->index, s->dof,
                       plural((uint32_t)s->dof));
    }
    /* one line */
    bold(p, dd_text_str(&line));
    dd_text_add(p->out, "\n");
}

static void add_meaning(page *p)
{
    const dd_system *s = p->s;
    if (s->verdict != DD_VERDICT_OK) {
        dd_text_add(p->out, "  ");
        dd_report_sentence(p->out, s->reason, 2, true);
    } else if (s->kind == DD_SYSTEM_DAE && s->index == 1 && !dd_report_is_assigned_ode(s)) {
        /* the index in one sentence, where there is something to explain */
        dd_text_add(p->out, "  index 1: the algebraic variables follow from the equations as they are\n");
    } else if (s->index > 1) {
        dd_text_printf(
            p->out,
            "  index %d: some equations must be differentiated, %d times at most, until every derivative is known\n",
            s->index, s->index);
    }
}

static void add_sizes(page *p)
{
    const dd_system *s = p->s;
    dd_index_vec states = dd_report_pick(s, true, p->scratch), algebraic = dd_report_pick(s, false, p->scratch);
    dd_text_add(p->out, "\n");
    if (s->declared == s->original.len) {
        dd_text_printf(p->out, "  %u unknown%s, as many equations\n", s->declared, plural(s->declared));
    } else {
        dd_text_printf(p->out, "  %u unknown%s, %u equation%s\n", s->declared, plural(s->declared), s->original.len,
                       plural(s->original.len));
    }
    /* differential: its derivative appears */
    if (states.len > 0) {
        dd_text_printf(p->out, "    %u differential: ", states.len);
        dd_report_columns(s, states.data, states.len, MAX_NAMES, p->out);
        dd_text_add(p->out, "\n");
    }
    if (algebraic.len > 0) {
        dd_text_printf(p->out, "    %u algebraic: ", algebraic.len);
        dd_report_columns(s, algebraic.data, algebraic.len, MAX_NAMES, p->out);
        dd_text_add(p->out, "\n");
    }
}

static void add_formula(page *p, const char *lead, const char *formula, const char *from)
{
    dd_text_printf(p->out, "    %s%-*s%s%s\n", lead, from[0] ? FORMULA_WIDTH - (int)strlen(lead) : 0, formula,
                   from[0] ? "  " : "", from);
}

static void add_more(page *p, uint32_t total, uint32_t rows)
{
    if (total > MAX_LINES) {
        dd_text_printf(p->out, "    ... (%u in all; %s lists them)\n", rows,
                       dd_option_phrase(p->s->ctx, "--json", "the JSON"));
    }
}

static void add_constraints(page *p)
{
    const dd_system *s = p->s;
    if (s->visible_text.len == 0 && s->hidden_count == 0) {
        return;
    }
    /* visible ones as written */
    if (s->kind == DD_SYSTEM_DAE && s->visible_text.len > 0) {
        dd_text_add(p->out, "\n");
        bold(p, dd_pool_printf(p->scratch, "  Constraints (%u): equations without derivatives", s->constraint_count));
        dd_text_add(p->out, "\n");
        for (uint32_t i = 0; i < s->visible_text.len && i < MAX_LINES; i++) {
            add_formula(p, "", s->visible_text.data[i].text.equation, s->visible_text.data[i].text.from);
        }
        add_more(p, s->visible_text.len, s->constraint_count);
    }
    if (s->hidden_count == 0) {
        return;
    }
    dd_text_add(p->out, "\n");
    /* hidden ones with the number of differentiations, as they come and with the rates put in */
    bold(p, dd_pool_printf(p->scratch,
                           "  Hidden constraints (%u): what differentiating adds; initial values must satisfy them too",
                           s->hidden_count));
    dd_text_add(p->out, "\n");
    for (uint32_t i = 0; i < s->hidden_text.len && i < MAX_LINES; i++) {
        const dd_constraint_text *t = &s->hidden_text.data[i].text;
        const char *lead = dd_pool_printf(p->scratch, "%ux  ", t->order);
        add_formula(p, lead, t->differentiated, t->from);
        if (strcmp(t->equation, t->differentiated) != 0) {
            dd_text_printf(p->out, "        that is  %s\n", t->equation);
        }
    }
    /* the derivative array counts but has no formulas */
    if (s->hidden_text.len == 0) {
        dd_text_printf(
            p->out,
            "    counted by ranks of the differentiated equations at the initial point: there are no formulas\n");
    }
    add_more(p, s->hidden_text.len, s->hidden_count);
}

static void add_given(page *p)
{
    const dd_system *s = p->s;
    dd_text_add(p->out, "    given   ");
    for (uint32_t i = 0; i < s->given.len && i < MAX_NAMES; i++) {
        dd_text_printf(p->out, "%s%s", i > 0 ? ", " : "", s->given.data[i]);
    }
    if (s->given.len > MAX_NAMES) {
        dd_text_printf(p->out, " and %u more", s->given.len - MAX_NAMES);
    }
    dd_text_add(p->out, s->given.len == 0 ? "none\n" : "\n");
}

/* What is not given, and what is given although it follows. `given` begins with the fixed values in the order of the
 * columns, and redundant_given names some of them. */
static void add_following(page *p)
{
    const dd_system *s = p->s;
    dd_index_vec follow = {0};
    uint32_t given = 0, redundant = 0;
    for (uint32_t j = 0; j < s->declared; j++) {
        /* both lists are in the order of the columns: one pass merges them */
        bool follows = !s->model->vars.data[s->unknown[j]].fixed;
        if (!follows && given < s->given.len && redundant < s->redundant_given.len) {
            follows = s->given.data[given] == s->redundant_given.data[redundant];
            redundant += follows;
            given++;
        }
        if (follows) {
            dd_vec_push(p->scratch, &follow, j);
        }
    }
    if (follow.len > 0) {
        dd_text_add(p->out, "    follow  ");
        dd_report_columns(s, follow.data, follow.len, MAX_NAMES, p->out);
        dd_text_add(p->out, "\n");
    }
}

static void add_initial(page *p)
{
    const dd_system *s = p->s;
    if (s->dof < 0 || s->declared == 0) {
        return;
    }
    dd_text_add(p->out, "\n");
    bold(p, dd_pool_printf(p->scratch, "  Initial values: %d to choose, %u given", s->dof, s->given_count));
    const bool linked = dd_report_phase_count(s) > 0; /* starts of phases are linked or decided */
    dd_text_add(p->out,
                s->missing > 0 && linked
                    ? dd_pool_printf(p->scratch, ", %u left to links between phases and to the optimiser\n", s->missing)
                : s->missing > 0 ? dd_pool_printf(p->scratch, ", %u missing\n", s->missing)
                : s->excess > 0  ? dd_pool_printf(p->scratch, ", %u too many\n", s->excess)
                                 : "\n");
    if (s->given_count > 0) {
        add_given(p);
    }
    /* what to take back, then what to add */
    for (uint32_t i = 0; i < s->redundant_given.len && i < MAX_LINES; i++) {
        dd_text_printf(p->out, "    %s is given, but follows from the others: leave it free\n",
                       s->redundant_given.data[i]);
    }
    if (s->missing > 0 && !linked) {
        dd_text_add(p->out, "    open    ");
        dd_report_columns(s, s->free_choice.data, s->free_choice.len, MAX_NAMES, p->out);
        dd_text_add(p->out, "\n    for example fix  ");
        dd_report_columns(s, s->completion.data, s->completion.len, MAX_NAMES, p->out);
        dd_text_add(p->out, "\n");
    } else if (s->missing == 0) {
        add_following(p);
    }
}

static void add_phases(page *p)
{
    uint32_t n = dd_report_phase_count(p->s);
    if (n > 0) {
        dd_text_add(p->out, "\n");
        bold(p, dd_pool_printf(p->scratch, "  Phases: %u\n", n));
        dd_report_phases_text(p->s, p->out, p->scratch);
    }
}

static void add_trust(page *p)
{
    const dd_system *s = p->s;
    /* where the answer comes from */
    if (s->verdict == DD_VERDICT_OK) {
        static const char *const words[] = {
            "confirmed: the Jacobian of the differentiated equations is regular at a consistent point",
            "", /* converted: below */
            "decided by the ranks of the differentiated equations at a consistent point",
            "not confirmed: see the warnings"};
        dd_text_add(p->out, "\n  ");
        if (s->certificate == DD_CERTIFICATE_CONVERTED) {
            dd_text_printf(p->out,
                           "confirmed after combining equations exactly; their structure alone would suggest index %d",
                           s->structural_index);
        } else {
            dd_text_add(p->out, words[s->certificate]);
        }
        dd_text_add(p->out, "\n");
    }
    /* what it relies on, and what else there is to say */
    if (s->structural_conditions.len > 0 && s->verdict == DD_VERDICT_OK) {
        dd_text_add(p->out, "  solvable while ");
        for (uint32_t i = 0; i < s->structural_conditions.len && i < 4; i++) {
            dd_text_printf(p->out, "%s%s", i > 0 ? ", " : "", s->structural_conditions.data[i]);
        }
        dd_text_add(p->out, s->structural_conditions.len > 4 ? ", ...\n" : "\n");
    }
    for (uint32_t i = 0; i < s->warnings.len && i < MAX_LINES; i++) {
        dd_text_printf(p->out, "  %swarning:%s ", p->colour ? "\033[33m" : "", p->colour ? "\033[0m" : "");
        dd_report_sentence(p->out, s->warnings.data[i], 11, false);
    }
}

typedef struct text_call {
    const dd_system *s;
    bool colour;
    const char *out;
} text_call;

static void text_body(void *arg)
{
    text_call *call = arg;
    dd_text text = dd_text_new(call->s->pool);
    page p = {.s = call->s, .out = &text, .scratch = dd_pool_child(call->s->pool), .colour = call->colour};
    add_headline(&p);
    add_meaning(&p);
    add_phases(&p);
    add_sizes(&p);
    add_constraints(&p);
    add_initial(&p);
    add_trust(&p);
    dd_pool_free(p.scratch);
    call->out = dd_text_str(&text);
}

dd_status dd_system_text(const char **out, const dd_system *s, bool colour)
{
    if (!out || !s) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.s = s, .colour = colour, .out = ""};
    dd_status st = dd_protect(s->ctx, text_body, &call);
    *out = call.out;
    return st;
}
