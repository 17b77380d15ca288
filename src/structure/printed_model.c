/* printed_model.c - a printed form as a flat model of its own, and its listing: variables without bindings, what the
 * reduction has introduced as declared variables, equations with the place they come from, invariants as initial
 * equations. */
#include <math.h>
#include <string.h>

#include "structure/printed.h"

typedef struct listing {
    const dd_printed *p;
    dd_model *m;
    dd_pool *pool;
    dd_map replaced; /* symbol -> symbol of the variable that it becomes */
} listing;

/* 'der(p[1])': the name of a quantity that has none, as a quoted identifier. */
static const char *quoted(dd_pool *pool, const char *text)
{
    dd_text name = dd_text_new(pool);
    dd_text_add_char(&name, '\'');
    for (; *text; text++) {
        if (*text != '\'' && *text != '\\') { /* quotes of a name inside it go */
            dd_text_add_char(&name, *text);
        }
    }
    dd_text_add_char(&name, '\'');
    return dd_text_str(&name);
}

static void set_start(dd_model *m, uint32_t var, double value)
{
    dd_variable *v = &m->vars.data[var];
    if (isfinite(value)) {
        v->has_start = true;
        v->start_value = value;
        v->start = dd_num(m->dag, value);
    }
}

/* The variables of the model, all without bindings; velocities of the tool and auxiliaries get names. */
static void take_variables(listing *k, const double *start)
{
    dd_model *m = k->m;
    const dd_system *s = k->p->s;
    uint32_t auxiliaries = 0;
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        dd_array *a = &m->arrays.data[i];
        if (a->kind != DD_KIND_VARIABLE) {
            continue;
        }
        a->binding = DD_FORM_NONE;
        if (a->introduced) {
            /* der(x), or der(der(x)) where that has no name either */
            dd_text name = dd_text_new(k->pool);
            dd_text_printf(&name, "der(%s)", m->arrays.data[m->vars.data[a->derivative_of].array].name);
            a->name = quoted(k->pool, dd_text_str(&name));
        } else if (a->auxiliary) {
            a->name = quoted(k->pool, dd_pool_printf(k->pool, "auxiliary %u", ++auxiliaries));
        }
        a->introduced = a->auxiliary = false;
        for (uint32_t e = 0; e < a->size; e++) {
            dd_variable *v = &m->vars.data[a->first + e];
            const uint32_t col = s->column[a->first + e];
            v->binding = DD_EXPR_NONE;
            /* a consistent value as the guess; what is fixed stays as it was written */
            if (start && !v->fixed && col != DD_NO_INDEX && col < s->declared) {
                set_start(m, a->first + e, start[col]);
            }
        }
    }
}

/* A derivative at the consistent point of the analysis, as a guess; not a number where it is not known. */
static double value_at_point(const dd_system *s, dd_expr symbol)
{
    const dd_taylor_point *point = &s->point;
    const uint32_t col = s->column[dd_symbol_id(s->model->dag, symbol)], m = dd_symbol_order(s->model->dag, symbol);
    if (!point->consistent || !point->x || m > point->order) {
        return NAN;
    }
    double factorial = 1;
    for (uint32_t i = 2; i <= m; i++) {
        factorial *= i;
    }
    return factorial * point->x[(size_t)col * (point->order + 1) + m];
}

/* Every added symbol as a scalar variable. */
static void declare_added(listing *k)
{
    dd_namer namer = dd_model_namer(k->m);
    for (uint32_t i = 0; i < k->p->added.len; i++) {
        const dd_expr symbol = k->p->added.data[i];
        dd_text name = dd_text_new(k->pool);
        dd_print(k->m->dag, symbol, &namer, &name);
        const uint32_t array = dd_model_add_array(k->m, quoted(k->pool, dd_text_str(&name)), NULL, 0, DD_KIND_VARIABLE,
                                                  DD_TYPE_REAL, (dd_span){0});
        const uint32_t var = k->m->arrays.data[array].first;
        dd_map_put(&k->replaced, symbol, dd_var(k->m->dag, var, 0));
        set_start(k->m, var, value_at_point(k->p->s, symbol));
    }
}

static dd_expr replaced_symbol(void *user, dd_expr symbol)
{
    return (dd_expr)dd_map_get(&((listing *)user)->replaced, symbol);
}

/* x' = a is the row of a rate that has become a variable; in every other row a stands for x'. */
static void add_definitions(listing *k)
{
    dd_dag *dag = k->m->dag;
    for (uint32_t i = 0; i < k->p->n_rates; i++) {
        const dd_expr symbol = k->p->added.data[i];
        const dd_expr residual = dd_sub(dag, symbol, replaced_symbol(k, symbol));
        dd_group group = {.doc = "the rate as an unknown", .origin = DD_ORIGIN_EQUATION};
        dd_model_add_group(k->m, group, &residual, 1);
        k->m->rows.data[k->m->rows.len - 1].solve_for = symbol;
    }
}

static void add_rows(listing *k)
{
    dd_model *m = k->m;
    for (uint32_t i = 0; i < k->p->rows.len; i++) {
        const dd_printed_row *row = &k->p->rows.data[i];
        const dd_expr residual = dd_substitute(m->dag, row->residual, replaced_symbol, k);
        dd_group group = {.doc = row->doc, .origin = DD_ORIGIN_EQUATION};
        dd_model_add_group(m, group, &residual, 1);
        m->rows.data[m->rows.len - 1].solve_for = row->solve_for;
    }
    for (uint32_t i = 0; i < k->p->initial.len; i++) {
        const dd_printed_row *row = &k->p->initial.data[i];
        const dd_expr residual = dd_substitute(m->dag, row->residual, replaced_symbol, k);
        dd_group group = {.doc = row->doc, .origin = DD_ORIGIN_EQUATION};
        dd_model_add_initial_group(m, group, &residual, 1);
    }
}

void dd_printed_restore(const dd_system *s)
{
    dd_forms_set_listing(s->model->forms, false);
    for (uint32_t i = 0; i < s->model->arrays.len; i++) {
        const dd_array *a = &s->model->arrays.data[i];
        dd_forms_symbol(s->model->forms, a->symbol)->name = a->name;
    }
}

void dd_printed_write(const dd_printed *p, const double *start, dd_text *out)
{
    static const char *const suffix[] = {"reduced", "semi_explicit", "normal"};
    static const char *const what[] = {"index 1", "x' = f, 0 = g", "x' = f"};
    dd_pool *pool = out->pool; /* names go into the forms, which outlive a child of it */
    listing k = {.p = p, .m = dd_model_copy(p->s->model, pool), .pool = pool};
    k.replaced = dd_map_new(pool);
    k.m->groups.len = k.m->rows.len = 0;
    k.m->lagrange.len = 0;
    /* 'A.B' keeps its quotes around the whole */
    const char *name = k.m->name;
    const bool plain = !strpbrk(name, "'.");
    k.m->doc = dd_pool_printf(pool, "%s: %s", name, what[p->form]);
    k.m->name = plain ? dd_pool_printf(pool, "%s_%s", name, suffix[p->form])
                      : quoted(pool, dd_pool_printf(pool, "%s %s", name, suffix[p->form]));
    take_variables(&k, start);
    declare_added(&k);
    add_definitions(&k);
    add_rows(&k);
    dd_model_print_flat(k.m, out);
    dd_printed_restore(p->s);
}
