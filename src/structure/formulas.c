/* formulas.c - constraints as the user would write them.
 *
 * When all rows of a written equation have been differentiated alike, the equation itself is differentiated as an array
 * expression: p*p - L^2 = 0, p*v = 0, p*der(v) + v*v = 0. Derivatives are then put in where that is possible in
 * closed form. Otherwise the scalar rows are printed, sums over whole arrays as products of arrays.
 */
#include <string.h>

#include "base/hash.h"
#include "expr/ratio.h"
#include "structure/report.h"

enum {
    MAX_ROWS_APART = 6, /* rows of one array equation printed one by one at most */
    MAX_EXPANDED = 60,  /* terms of a formula that is multiplied out for printing */
    MAX_POLISHED = 500  /* formulas that get this care: nobody reads more */
};

typedef struct form_equation {
    bool known, exists;
    dd_form lhs, rhs;         /* differentiated */
    double factor;            /* derivative rows = factor * these */
    bool has_rate;            /* contains der() */
    dd_form put_lhs, put_rhs; /* with rates put in; DD_FORM_NONE when some remain */
} form_equation;

typedef struct writer {
    dd_system *s;
    dd_pool *scratch;
    dd_map cache; /* (lhs form, level) -> index + 1 in equations: loop instances share their body */
    DD_VEC(form_equation) equations;
    uint32_t expanded; /* formulas tried multiplied out so far */
    dd_map rate_forms; /* symbol -> form of its derivative + 1 */
} writer;

static bool contains_der(const dd_forms *forms, dd_form f)
{
    const dd_form_node *node = dd_form_get(forms, f);
    if (node->op == DD_FORM_DER) {
        return true;
    }
    uint32_t n = node->nargs;
    for (uint32_t i = 0; i < n; i++) {
        if (contains_der(forms, dd_form_arg(forms, f, i))) {
            return true;
        }
    }
    return false;
}

/* Are the group's rows the ones that say what the derivatives are? */
static bool gives_rates(const dd_system *s, const dd_group *g)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t row = g->first + i; /* rows of eqs and of the model are numbered alike */
        /* the row that the reduction took x' from, for every row of the group */
        for (uint32_t e = s->inc.ptr[row]; e < s->inc.ptr[row + 1]; e++) {
            uint32_t col = s->inc.idx[e];
            found += s->inc.sigma[e] == 1 && s->rate[col] != DD_EXPR_NONE && s->rate_row[col] == row;
        }
    }
    return g->count > 0 && found == g->count;
}

/* Written equations der(x) = rhs with rhs free of derivatives, x a whole symbol. */
static void collect_rate_forms(writer *w)
{
    dd_model *m = w->s->model;
    for (uint32_t g = 0; g < m->groups.len; g++) {
        const dd_group *group = &m->groups.data[g];
        if (group->lhs == DD_FORM_NONE || group->env || dd_form_get(m->forms, group->lhs)->op != DD_FORM_DER) {
            continue;
        }
        /* der(x) = rhs with x a whole array; the first such equation counts */
        dd_form inner = dd_form_arg(m->forms, group->lhs, 0);
        const dd_form_node *ref = dd_form_get(m->forms, inner);
        if (ref->op == DD_FORM_REF && ref->nargs == 0 && !contains_der(m->forms, group->rhs) &&
            gives_rates(w->s, group) && dd_map_get(&w->rate_forms, ref->payload) == 0) {
            dd_map_put(&w->rate_forms, ref->payload, group->rhs);
        }
    }
}

static dd_form rate_form(void *user, uint32_t symbol)
{
    const writer *w = user;
    return dd_map_get(&w->rate_forms, symbol);
}

static void put_rates(writer *w, form_equation *fe)
{
    dd_forms *forms = w->s->model->forms;
    fe->has_rate = contains_der(forms, fe->lhs) || contains_der(forms, fe->rhs);
    if (!fe->has_rate) {
        return;
    }
    dd_form lhs = dd_form_replace_rates(forms, fe->lhs, rate_form, w);
    dd_form rhs = dd_form_replace_rates(forms, fe->rhs, rate_form, w);
    /* half a replacement reads worse than none */
    if (lhs != DD_FORM_NONE && rhs != DD_FORM_NONE && !contains_der(forms, lhs) && !contains_der(forms, rhs)) {
        fe->put_lhs = lhs;
        fe->put_rhs = rhs;
    }
}

static form_equation *differentiated_form(writer *w, const dd_group *g, uint32_t level)
{
    uint64_t key = dd_hash_mix(dd_hash_mix(g->lhs, g->rhs), level);
    uint32_t at = dd_map_get(&w->cache, key);
    /* the body of a loop is one form: all its instances share the differentiation */
    if (at == 0) {
        form_equation fe = {.exists = true, .lhs = g->lhs, .rhs = g->rhs, .factor = 1};
        for (uint32_t k = 0; k < level && fe.exists; k++) {
            double factor = 1;
            fe.exists = dd_form_differentiate_equation(w->s->model->forms, &fe.lhs, &fe.rhs, &factor);
            fe.factor *= factor;
        }
        if (fe.exists) {
            put_rates(w, &fe);
        }
        dd_vec_push(w->scratch, &w->equations, fe);
        at = w->equations.len;
        dd_map_put(&w->cache, key, at);
    }
    return &w->equations.data[at - 1];
}

static const char *print_forms(writer *w, dd_form lhs, dd_form rhs, const dd_form_env *env)
{
    dd_text text = dd_text_new(w->s->pool);
    dd_form_print(w->s->model->forms, lhs, env, &text);
    dd_text_add(&text, " = ");
    dd_form_print(w->s->model->forms, rhs, env, &text);
    return dd_text_str(&text);
}

static const char *print_equation(const dd_system *s, dd_expr e, dd_pool *pool)
{
    dd_text text = dd_text_new(pool);
    dd_namer namer = dd_model_namer(s->model);
    dd_print_equation(s->model->dag, e, DD_EXPR_NONE, &namer, &text);
    return dd_text_str(&text);
}

static const char *print_scalar(writer *w, dd_expr e)
{
    return print_equation(w->s, e, w->s->pool);
}

static dd_expr divide(dd_system *s, dd_expr e, double by)
{
    return by == 1 ? e : dd_div(s->model->dag, e, dd_num(s->model->dag, by));
}

/* Is 1/n a short decimal? */
static bool is_decimal(int64_t n)
{
    while (n % 2 == 0) {
        n /= 2;
    }
    while (n % 5 == 0) {
        n /= 5;
    }
    return n == 1;
}

/* 2*x*u + 2*y*v - 1 is x*u + y*v - 0.5: a constant term need not have the factor of the others, but thirds
 * do not read well. */
dd_expr dd_system_divide_content(const dd_system *s, dd_expr e)
{
    dd_dag *dag = s->model->dag;
    int64_t content = 0, alone = 0;
    bool positive = false, sum = dd_op_of(dag, e) == DD_OP_ADD;
    uint32_t n = sum ? dd_arg_count(dag, e) : 1;
    /* the greatest common divisor of whole-number coefficients; any other number ends it */
    for (uint32_t i = 0; i < n; i++) {
        dd_expr term = sum ? dd_arg(dag, e, i) : e;
        dd_expr head = dd_op_of(dag, term) == DD_OP_MUL ? dd_arg(dag, term, 0) : term;
        int64_t num = 1, den = 1;
        if (dd_op_of(dag, head) == DD_OP_NUM &&
            (!dd_num_rational(dag, head, &num, &den) || den != 1 || num == INT64_MIN)) {
            return e;
        }
        int64_t size = num < 0 ? -num : num;
        if (sum && dd_op_of(dag, term) == DD_OP_NUM) {
            alone = size;
        } else {
            content = (int64_t)dd_gcd((uint64_t)size, (uint64_t)content);
        }
        positive = positive || num > 0;
    }
    /* dividing the constant term must leave a short decimal; else it takes part in the divisor */
    if (content == 0 || !is_decimal(content / (int64_t)dd_gcd((uint64_t)alone, (uint64_t)content))) {
        content = (int64_t)dd_gcd((uint64_t)alone, (uint64_t)content);
    }
    /* without a positive term the signs turn */
    int64_t by = positive ? content : -content;
    return by == 0 || by == 1 ? e : dd_div(dag, e, dd_rational(dag, by, 1));
}

static const char *place_of(writer *w, const dd_eq *eq)
{
    const dd_model *m = w->s->model;
    return eq->from ? eq->from : dd_model_place(m, m->groups.data[m->rows.data[eq->row].group].span, w->s->pool);
}

static void add_text(writer *w, dd_text_row_vec *out, const dd_constraint_row *c, uint32_t rows, const char *equation,
                     const char *differentiated)
{
    dd_text_row t = {.eq = c->eq};
    t.text = (dd_constraint_text){.equation = equation,
                                  .differentiated = differentiated ? differentiated : equation,
                                  .order = c->order,
                                  .rows = rows,
                                  .from = place_of(w, &w->s->eqs.data[c->eq])};
    dd_vec_push(w->s->pool, out, t);
}

const char *dd_system_print_shorter(const dd_system *s, dd_expr *e, dd_pool *pool)
{
    const char *text = print_equation(s, *e, pool);
    /* p[1]*v[1] + p[2]*v[2] shows as p*v only when nothing is factored */
    dd_expr expanded = dd_system_divide_content(s, dd_expand(s->model->dag, *e, MAX_EXPANDED));
    if (expanded != *e) {
        const char *other = print_equation(s, expanded, pool);
        if (strlen(other) < strlen(text)) {
            *e = expanded;
            return other;
        }
    }
    return text;
}

static const char *print_shorter(writer *w, dd_expr *e)
{
    return w->expanded++ > MAX_POLISHED ? print_scalar(w, *e) : dd_system_print_shorter(w->s, e, w->s->pool);
}

static void write_scalar(writer *w, dd_constraint_row *c, dd_text_row_vec *out)
{
    bool same = c->expr == c->raw;
    const char *raw = print_shorter(w, &c->raw);
    add_text(w, out, c, 1, same ? raw : print_shorter(w, &c->expr), raw);
}

bool dd_system_has_rates(const dd_system *s, dd_expr e, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    dd_symbols(s->model->dag, e, false, &symbols, scratch);
    bool found = false;
    for (uint32_t i = 0; i < symbols.len; i++) {
        found = found || (s->column[dd_symbol_id(s->model->dag, symbols.data[i])] != DD_NO_INDEX &&
                          dd_symbol_order(s->model->dag, symbols.data[i]) > 0);
    }
    dd_vec_free(scratch, &symbols);
    return found;
}

/* The same with those of inputs, which stay. */
static bool has_derivatives(dd_system *s, dd_expr e, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    dd_symbols(s->model->dag, e, false, &symbols, scratch);
    bool found = false;
    for (uint32_t i = 0; i < symbols.len; i++) {
        found = found || dd_symbol_order(s->model->dag, symbols.data[i]) > 0;
    }
    dd_vec_free(scratch, &symbols);
    return found;
}

/* A run of constraint rows that are all the rows of one written equation, differentiated equally. */
static void write_group(writer *w, dd_constraint_row *first, uint32_t count, const dd_group *g, dd_text_row_vec *out)
{
    form_equation *fe = differentiated_form(w, g, first->level);
    if (!fe->exists) {
        for (uint32_t i = 0; i < count; i++) {
            write_scalar(w, first + i, out);
        }
        return;
    }
    /* rows and forms differ by a factor that was divided out of the forms: 2*p*v = 0 is p*v = 0 */
    for (uint32_t i = 0; i < count; i++) {
        first[i].raw = divide(w->s, first[i].raw, fe->factor);
        first[i].expr = divide(w->s, first[i].expr, fe->factor);
    }
    const char *text = print_forms(w, fe->lhs, fe->rhs, g->env);
    /* the rows may be free of derivatives although the written form is not: they cancel */
    if (fe->has_rate && fe->put_lhs != DD_FORM_NONE) {
        add_text(w, out, first, count, print_forms(w, fe->put_lhs, fe->put_rhs, g->env), text);
    } else if (!fe->has_rate || count > MAX_ROWS_APART) {
        add_text(w, out, first, count, text, NULL);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            bool as_written =
                count == 1 && first[i].expr == first[i].raw && has_derivatives(w->s, first[i].raw, w->scratch);
            const char *put = as_written ? text : print_shorter(w, &first[i].expr);
            add_text(w, out, first + i, 1, put, count == 1 ? text : print_scalar(w, first[i].raw));
        }
    }
}

/* Stable order: by differentiations, then as written. */
static void sort_rows(dd_constraint_row_vec *rows, dd_pool *scratch)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < rows->len; i++) {
        most = rows->data[i].order > most ? rows->data[i].order : most;
    }
    dd_constraint_row *sorted = dd_pool_alloc_array(scratch, rows->len + 1, sizeof *sorted);
    uint32_t *start = dd_pool_alloc_array(scratch, most + 2, sizeof *start);
    uint32_t eq_most = 0;
    for (uint32_t i = 0; i < rows->len; i++) {
        eq_most = rows->data[i].eq > eq_most ? rows->data[i].eq : eq_most;
    }
    /* first by row, then by order, both counting sorts */
    uint32_t *by_eq = dd_pool_alloc_array(scratch, eq_most + 3, sizeof *by_eq);
    for (uint32_t i = 0; i < rows->len; i++) {
        by_eq[rows->data[i].eq + 1]++;
    }
    for (uint32_t k = 0; k <= eq_most; k++) {
        by_eq[k + 1] += by_eq[k];
    }
    for (uint32_t i = 0; i < rows->len; i++) {
        sorted[by_eq[rows->data[i].eq]++] = rows->data[i];
    }
    for (uint32_t i = 0; i < rows->len; i++) {
        start[sorted[i].order + 1]++;
    }
    for (uint32_t k = 0; k < most; k++) {
        start[k + 1] += start[k];
    }
    for (uint32_t i = 0; i < rows->len; i++) {
        rows->data[start[sorted[i].order]++] = sorted[i];
    }
}

static void write_list(writer *w, dd_constraint_row_vec *rows, dd_text_row_vec *out)
{
    dd_system *s = w->s;
    const dd_model *m = s->model;
    if (rows->len == 0) {
        return;
    }
    sort_rows(rows, w->scratch);
    /* phases of an optimization share one time; formulas are shown in the time of the phase */
    for (uint32_t i = 0; i < rows->len; i++) {
        dd_constraint_row *c = &rows->data[i];
        c->raw = dd_report_in_phase_time(s, c->raw, c->level, w->scratch);
        c->expr = dd_report_in_phase_time(s, c->expr, c->level, w->scratch);
    }
    /* rows that are all the rows of one written equation become one formula */
    uint32_t most = s->options.max_formulas > 0 ? s->options.max_formulas : UINT32_MAX;
    for (uint32_t i = 0; i < rows->len && out->len < most;) {
        dd_check_stop(s->ctx);
        dd_constraint_row *c = &rows->data[i];
        const dd_eq *eq = &s->eqs.data[c->eq];
        uint32_t group = m->rows.data[eq->row].group;
        const dd_group *g = &m->groups.data[group];
        uint32_t run = 0;
        while (!eq->converted && run < g->count && i + run < rows->len && rows->data[i + run].eq == c->eq + run &&
               rows->data[i + run].level == c->level && !s->eqs.data[c->eq + run].converted &&
               s->eqs.data[c->eq + run].row == g->first + run) {
            run++;
        }
        /* a whole equation, as it was written */
        if (run == g->count && run > 0 && g->lhs != DD_FORM_NONE) {
            write_group(w, c, run, g, out);
            i += run;
        } else {
            /* single rows, without common factors */
            c->raw = dd_system_divide_content(s, c->raw);
            c->expr = dd_system_divide_content(s, c->expr);
            write_scalar(w, c, out);
            i++;
        }
    }
}

void dd_system_write_formulas(dd_system *s)
{
    writer w = {.s = s, .scratch = dd_pool_child(s->pool)};
    w.cache = dd_map_new(w.scratch);
    w.rate_forms = dd_map_new(w.scratch);
    /* where rows have left, those of eqs are not numbered as those of the model, and nobody reads formulas */
    if (s->follower == NULL) {
        collect_rate_forms(&w);
    }
    write_list(&w, &s->visible, &s->visible_text);
    write_list(&w, &s->hidden, &s->hidden_text);
    dd_pool_free(w.scratch);
}
