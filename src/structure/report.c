/* report.c - reading a system: getters of the public interface and what both reports share. */
#include "structure/report.h"

#include <string.h>

#include "expr/latex.h"

const char *dd_verdict_name(dd_verdict verdict)
{
    static const char *const names[] = {
#define DD_VERDICT_NAME(id, name) name,
        DD_VERDICT_LIST(DD_VERDICT_NAME)
#undef DD_VERDICT_NAME
    };
    return (unsigned)verdict < sizeof names / sizeof *names ? names[verdict] : "unknown";
}

const char *dd_certificate_name(dd_certificate certificate)
{
    static const char *const names[] = {
#define DD_CERTIFICATE_NAME(id, name) name,
        DD_CERTIFICATE_LIST(DD_CERTIFICATE_NAME)
#undef DD_CERTIFICATE_NAME
    };
    return (unsigned)certificate < sizeof names / sizeof *names ? names[certificate] : "unknown";
}

const char *dd_given_start_name(dd_given_start start)
{
#define NAME(id, name) name,
    static const char *const names[] = {DD_GIVEN_START_LIST(NAME)};
#undef NAME
    return (unsigned)start < sizeof names / sizeof *names ? names[start] : "unknown";
}

const char *dd_system_kind_name(dd_system_kind kind)
{
    return kind == DD_SYSTEM_ODE ? "ode" : kind == DD_SYSTEM_DAE ? "dae" : "algebraic";
}

dd_verdict dd_system_verdict(const dd_system *s)
{
    return s ? s->verdict : DD_VERDICT_SINGULAR;
}
dd_certificate dd_system_certificate(const dd_system *s)
{
    return s ? s->certificate : DD_CERTIFICATE_UNDECIDED;
}
dd_system_kind dd_system_get_kind(const dd_system *s)
{
    return s ? s->kind : DD_SYSTEM_ALGEBRAIC;
}
int dd_system_index(const dd_system *s)
{
    return s ? s->index : -1;
}
int dd_system_structural_index(const dd_system *s)
{
    return s ? s->structural_index : -1;
}
int dd_system_dof(const dd_system *s)
{
    return s ? s->dof : -1;
}
uint32_t dd_system_unknown_count(const dd_system *s)
{
    return s ? s->declared : 0;
}
uint32_t dd_system_equation_count(const dd_system *s)
{
    return s ? s->original.len : 0;
}
uint32_t dd_system_constraint_count(const dd_system *s)
{
    return s ? s->constraint_count : 0;
}
uint32_t dd_system_hidden_count(const dd_system *s)
{
    return s ? s->hidden_count : 0;
}
const char *dd_system_reason(const dd_system *s)
{
    return s ? s->reason : "";
}
uint32_t dd_system_visible_text_count(const dd_system *s)
{
    return s ? s->visible_text.len : 0;
}
uint32_t dd_system_hidden_text_count(const dd_system *s)
{
    return s ? s->hidden_text.len : 0;
}
uint32_t dd_system_initial_given(const dd_system *s)
{
    return s ? s->given_count : 0;
}
uint32_t dd_system_initial_missing(const dd_system *s)
{
    return s ? s->missing : 0;
}
uint32_t dd_system_initial_excess(const dd_system *s)
{
    return s ? s->excess : 0;
}
dd_given_start dd_system_start_state(const dd_system *s)
{
    return s ? s->start : DD_START_UNTESTED;
}

dd_constraint_text dd_system_visible_text(const dd_system *s, uint32_t i)
{
    return s && i < s->visible_text.len ? s->visible_text.data[i].text : (dd_constraint_text){"", "", 0, 0, ""};
}

dd_constraint_text dd_system_hidden_text(const dd_system *s, uint32_t i)
{
    return s && i < s->hidden_text.len ? s->hidden_text.data[i].text : (dd_constraint_text){"", "", 0, 0, ""};
}

dd_index_vec dd_report_pick(const dd_system *s, bool differentiated, dd_pool *pool)
{
    dd_index_vec out = {0};
    for (uint32_t j = 0; j < s->declared; j++) {
        if (s->differentiated[j] == differentiated) {
            dd_vec_push(pool, &out, j);
        }
    }
    return out;
}

bool dd_report_is_assigned_ode(const dd_system *s)
{
    uint32_t algebraic = 0;
    for (uint32_t j = 0; j < s->declared; j++) {
        algebraic += !s->differentiated[j];
    }
    /* every algebraic variable is x = h(...), and nothing had to be differentiated */
    return s->index == 1 && algebraic > 0 && algebraic < s->declared && s->assigned_count == algebraic &&
           s->off.max_c == 0;
}

/* Number of columns from `at` on that are a whole one-dimensional array; 0 when they are not. */
static uint32_t whole_array(const dd_system *s, const uint32_t *cols, uint32_t n, uint32_t at)
{
    const dd_model *m = s->model;
    const dd_array *a = &m->arrays.data[m->vars.data[s->unknown[cols[at]]].array];
    if (a->ndim != 1 || a->size < 2 || at + a->size > n) {
        return 0;
    }
    for (uint32_t e = 0; e < a->size; e++) {
        if (s->unknown[cols[at + e]] != a->first + e) {
            return 0;
        }
    }
    return a->size;
}

void dd_report_columns(const dd_system *s, const uint32_t *cols, uint32_t n, uint32_t most, dd_text *out)
{
    const dd_model *m = s->model;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < n;) {
        if (shown == most) {
            dd_text_printf(out, " and %u more", n - i);
            return;
        }
        dd_text_add(out, shown > 0 ? ", " : "");
        /* p[1:3] for an array whose elements follow each other */
        uint32_t whole = whole_array(s, cols, n, i);
        const dd_array *a = &m->arrays.data[m->vars.data[s->unknown[cols[i]]].array];
        if (whole > 0 && !a->introduced) {
            dd_text_printf(out, "%s[1:%u]", a->name, whole);
            i += whole;
        } else if (whole > 0) {
            const dd_array *base = &m->arrays.data[m->vars.data[a->derivative_of].array];
            dd_text_printf(out, "der(%s[1:%u])", base->name, whole);
            i += whole;
        } else {
            dd_model_var_name(m, s->unknown[cols[i]], out);
            i++;
        }
        shown++;
    }
}

/* ---- formulas ---- */

static int dimensions(void *user, const char *name, size_t length)
{
    const dd_model *m = user;
    const uint32_t id = dd_names_find(m->names, name, length);
    const uint32_t at = id ? dd_map_get(&m->array_by_name, id) : 0;
    return at ? m->arrays.data[at - 1].ndim : 0;
}

void dd_report_latex(const dd_system *s, const char *formula, dd_text *out)
{
    const dd_latex_names names = {s->model, dimensions};
    dd_latex_formula(formula, &names, out);
}
