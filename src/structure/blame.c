/* blame.c - turning defects into sentences. Lists are cut after a few names: the first ones are where to look. */
#include "structure/blame.h"

#include <math.h>
#include <string.h>

#include "graph/dm.h"
#include "graph/match.h"

/* few: after a sentence that says what to do; parts: of each kind */
enum { MAX_NAMES = 6, FEW_NAMES = 2, MAX_PARTS = 2, MAX_SENTENCES = 3 };

typedef struct name_list {
    dd_system *s;
    dd_text *out;
    uint32_t shown, total, most;
} name_list;

static void list_item(name_list *l, const char *item, uint32_t remaining)
{
    l->total++;
    if (l->shown < l->most) {
        dd_text_printf(l->out, "%s%s", l->shown == 0 ? "" : remaining == 1 ? " and " : ", ", item);
        l->shown++;
    }
}

static void list_end(name_list *l)
{
    if (l->total > l->shown) {
        dd_text_printf(l->out, " and %u more", l->total - l->shown);
    }
}

static const dd_group *group_of(const dd_system *s, uint32_t row)
{
    const dd_model *m = s->model;
    return &m->groups.data[m->rows.data[s->eqs.data[row].row].group];
}

/* Rows of an equation that is documented in the text, which are listed first and once for each equation: parts of a
 * library explain there what can be wrong with them. */
static bool is_documented(const dd_system *s, uint32_t row)
{
    const dd_group *g = group_of(s, row);
    return g->doc[0] && g->lhs != DD_FORM_NONE && g->origin == DD_ORIGIN_EQUATION;
}

/* The row as the user wrote it, whatever has replaced it since. */
static const dd_eq *as_written(const dd_system *s, uint32_t row)
{
    return row < s->original.len ? &s->original.data[row] : &s->eqs.data[row];
}

static void list_rows_of(name_list l, const uint32_t *rows, uint32_t n, bool written)
{
    dd_system *s = l.s;
    const dd_group *last = NULL;
    /* equations with a documentation first, each once */
    for (int documented = 1; documented >= 0; documented--) {
        for (uint32_t i = 0; i < n; i++) {
            bool again = documented && group_of(s, rows[i]) == last;
            if (is_documented(s, rows[i]) != documented || again) {
                l.total += again;
                continue;
            }
            last = group_of(s, rows[i]);
            const dd_eq *eq = written ? as_written(s, rows[i]) : &s->eqs.data[rows[i]];
            list_item(&l, l.shown < l.most ? dd_system_row_words(s, eq, s->pool) : "", n - l.total);
        }
    }
    list_end(&l);
}

static void list_written_rows(dd_system *s, const uint32_t *rows, uint32_t n, dd_text *out)
{
    list_rows_of((name_list){.s = s, .out = out, .most = MAX_NAMES}, rows, n, true);
}

static void list_rows(dd_system *s, const uint32_t *rows, uint32_t n, dd_text *out)
{
    list_rows_of((name_list){.s = s, .out = out, .most = MAX_NAMES}, rows, n, false);
}

/* What the text says about the equations listed, each sentence once. */
static void add_documentation(dd_system *s, const uint32_t *rows, uint32_t n, dd_text *out)
{
    const char *said[MAX_SENTENCES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < n && count < MAX_SENTENCES; i++) {
        bool known = !is_documented(s, rows[i]);
        for (uint32_t k = 0; k < count && !known; k++) {
            known = strcmp(said[k], group_of(s, rows[i])->doc) == 0;
        }
        if (!known) {
            said[count++] = group_of(s, rows[i])->doc;
            dd_text_printf(out, "%s\"%s\"", count == 1 ? "; the model says: " : ", ", said[count - 1]);
        }
    }
}

/* Never-differentiated unknowns first: they are what is usually missing an equation. */
static void list_columns_of(name_list l, const uint32_t *cols, uint32_t n)
{
    dd_system *s = l.s;
    for (int differentiated = 0; differentiated < 2; differentiated++) {
        for (uint32_t i = 0; i < n; i++) {
            if (s->differentiated[cols[i]] == differentiated) {
                list_item(&l, l.shown < l.most ? dd_system_column_name(s, cols[i], s->pool) : "", n - l.total);
            }
        }
    }
    list_end(&l);
}

static void list_columns(dd_system *s, const uint32_t *cols, uint32_t n, dd_text *out)
{
    list_columns_of((name_list){.s = s, .out = out, .most = MAX_NAMES}, cols, n);
}

typedef struct parts {
    dd_dm_info info;
    uint32_t *row_component, *col_component;
} parts;

static void gather(const uint32_t *component, uint32_t n, uint32_t which, dd_index_vec *out, dd_pool *pool)
{
    out->len = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (component[i] == which) {
            dd_vec_push(pool, out, i);
        }
    }
}

/* The sentence that goes with a row of a defect, NULL without: of equations that determine too much what is written beside
 * them, of connections that leave something open what their connector says. */
static const char *sentence_of(const dd_system *s, uint32_t row, bool over)
{
    return !over ? group_of(s, row)->undetermined : is_documented(s, row) ? group_of(s, row)->doc : NULL;
}

/* "the model says about j1, j2 and j3: ...; ", each sentence once, with the parts whose rows it goes with. Returns whether
 * there is one. */
static bool lead_with_documentation(dd_system *s, const dd_index_vec *rows, bool over, dd_pool *scratch, dd_text *out)
{
    DD_VEC(const char *) said = {0};
    for (uint32_t i = 0; i < rows->len; i++) {
        const char *sentence = sentence_of(s, rows->data[i], over);
        for (uint32_t k = 0; k < said.len && sentence; k++) {
            sentence = strcmp(said.data[k], sentence) == 0 ? NULL : sentence;
        }
        if (!sentence || said.len == MAX_SENTENCES) {
            continue;
        }
        dd_vec_push(scratch, &said, sentence);
        /* its parts, each once */
        DD_VEC(const char *) names = {0};
        for (uint32_t j = i; j < rows->len; j++) {
            const char *other = sentence_of(s, rows->data[j], over);
            const bool same = other && strcmp(other, sentence) == 0;
            const char *name = same ? dd_system_part_of(s, &s->eqs.data[rows->data[j]], scratch) : "";
            bool known = !name[0];
            for (uint32_t k = 0; k < names.len && !known; k++) {
                known = strcmp(names.data[k], name) == 0;
            }
            if (!known) {
                dd_vec_push(scratch, &names, name);
            }
        }
        name_list l = {.s = s, .out = out, .most = MAX_NAMES};
        dd_text_add(out, names.len > 0 ? "the model says about " : "the model says");
        for (uint32_t k = 0; k < names.len; k++) {
            list_item(&l, names.data[k], names.len - k);
        }
        list_end(&l);
        dd_text_printf(out, ": \"%s\"; ", sentence);
    }
    return said.len > 0;
}

/* told: a sentence has said what to do, so that fewer names are needed. */
static void describe_part(dd_system *s, const parts *p, uint32_t which, dd_pool *scratch, bool *told, dd_text *out)
{
    dd_index_vec rows = {0}, cols = {0};
    gather(p->row_component, s->inc.n, which, &rows, scratch);
    gather(p->col_component, s->ncols, which, &cols, scratch);
    /* where the lists are cut, what to do comes first; short ones speak for themselves */
    const bool over = which<p->info.over_components, large = rows.len> MAX_NAMES || cols.len > MAX_NAMES;
    *told = (large && lead_with_documentation(s, &rows, over, scratch, out)) || *told;
    name_list names = {.s = s, .out = out, .most = *told ? FEW_NAMES : MAX_NAMES};
    /* more rows than columns: something is over-determined */
    if (over) {
        if (cols.len == 0) {
            dd_text_add(out, rows.len == 1 ? "no unknown is left in " : "no unknowns are left in ");
        } else {
            list_columns_of(names, cols.data, cols.len);
            dd_text_printf(out, " %s over-determined by ", cols.len == 1 ? "is" : "are");
        }
        list_rows_of(names, rows.data, rows.len, false);
        if (!large) {
            add_documentation(s, rows.data, rows.len, out);
        }
        return;
    }
    /* more columns than rows */
    list_columns_of(names, cols.data, cols.len);
    if (rows.len == 0) {
        dd_text_printf(out, " %s in no equation", cols.len == 1 ? "appears" : "appear");
        return;
    }
    dd_text_printf(out, " cannot all be determined: %s only in ", cols.len == 1 ? "it appears" : "they appear");
    list_rows_of(names, rows.data, rows.len, false);
}

/* Connectors that nothing is connected to, each once: their flows are zero, which is one equation too many for parts that
 * pass a flow on, and their potentials are left open. */
static void describe_unconnected(dd_system *s, const parts *p, dd_pool *scratch, dd_text *out)
{
    name_list l = {.s = s, .out = out, .most = MAX_NAMES};
    DD_VEC(const char *) names = {0};
    for (uint32_t row = 0; row < s->inc.n; row++) {
        const bool over = p->row_component[row] < p->info.over_components;
        const char *name = over ? dd_system_unconnected(s, &s->eqs.data[row], scratch) : NULL;
        for (uint32_t k = 0; k < names.len && name; k++) {
            name = strcmp(names.data[k], name) == 0 ? NULL : name;
        }
        if (name) {
            dd_vec_push(scratch, &names, name);
        }
    }
    if (names.len == 0) {
        return;
    }
    dd_text_add(out, "nothing is connected to ");
    for (uint32_t k = 0; k < names.len; k++) {
        list_item(&l, names.data[k], names.len - k);
    }
    list_end(&l);
    dd_text_printf(out, ", so that the flows there are 0: connect %s, or remove the part; ",
                   names.len == 1 ? "it" : "them");
}

const char *dd_blame_structure(dd_system *s)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    uint32_t n = s->inc.n, size;
    dd_pattern pattern = {n, s->ncols, s->inc.ptr, s->inc.idx};
    uint32_t *row_match = dd_pool_alloc_array(scratch, n + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *col_match);
    uint8_t *row_part = dd_pool_alloc_array(scratch, n + 1, 1);
    uint8_t *col_part = dd_pool_alloc_array(scratch, s->ncols + 1, 1);
    parts p = {0};
    p.row_component = dd_pool_alloc_array(scratch, n + 1, sizeof(uint32_t));
    p.col_component = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof(uint32_t));
    /* a maximum matching, and what alternating paths reach from its unmatched rows and columns */
    dd_system_must(s, dd_graph_match(&size, s->ctx, &pattern, NULL, false, row_match, col_match), "matching");
    dd_system_must(s,
                   dd_graph_dm(&p.info, s->ctx, &pattern, row_match, col_match,
                               &(dd_dm_labels){row_part, col_part, p.row_component, p.col_component}),
                   "Dulmage-Mendelsohn decomposition");
    /* the counts, then a few places of either kind */
    dd_text text = dd_text_new(s->pool);
    if (n != s->ncols) {
        dd_text_printf(&text, "%u equation%s for %u unknown%s: ", n, n == 1 ? "" : "s", s->ncols,
                       s->ncols == 1 ? "" : "s");
    }
    describe_unconnected(s, &p, scratch, &text);
    bool told = false;
    uint32_t over = p.info.over_components, total = over + p.info.under_components, shown = 0;
    for (uint32_t k = 0; k < total; k++) {
        if ((k < over ? k : k - over) < MAX_PARTS) {
            dd_text_add(&text, shown++ > 0 ? "; " : "");
            describe_part(s, &p, k, scratch, &told, &text);
        }
    }
    if (total > shown) {
        dd_text_printf(&text, "; and %u more such places", total - shown);
    }
    dd_pool_free(scratch);
    return dd_text_str(&text);
}

static void add_coefficient(dd_text *out, double value, bool first)
{
    char number[32];
    double rounded = round(value * 1e6) / 1e6;
    dd_text_add(out, rounded < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
    if (fabs(rounded) != 1) {
        dd_text_printf(out, "%s*", dd_number_text(fabs(rounded), number));
    }
}

/* Two unknowns a, b open along (va, vb): what is determined is vb*a - va*b. */
static void describe_open(dd_system *s, const dd_regularity *where, dd_text *out)
{
    if (where->n_cols == 0) {
        return;
    }
    list_columns(s, where->cols, where->n_cols, out);
    dd_text_printf(out, where->n_cols == 1 ? " is not determined" : " are not determined separately");
    /* one direction in two unknowns: the combination orthogonal to it is determined, in numbers where they are the same
     * everywhere */
    if (where->n_cols == 2 && where->constant && where->col_coef[1] != 0) {
        double ratio = -where->col_coef[0] / where->col_coef[1];
        dd_text_add(out, ": only ");
        dd_text_printf(out, "%s", dd_system_column_name(s, where->cols[0], s->pool));
        add_coefficient(out, ratio, false);
        dd_text_printf(out, "%s is", dd_system_column_name(s, where->cols[1], s->pool));
    }
}

const char *dd_blame_redundant(dd_system *s, const dd_conversion_result *found, const dd_regularity *where)
{
    dd_text text = dd_text_new(s->pool);
    uint32_t n;
    const uint32_t *rows = dd_system_origins(s, &s->eqs, found->rows, found->n_rows, &n);
    if (n == 1) {
        list_written_rows(s, rows, 1, &text);
        dd_text_add(&text, " reads 0 = 0 and determines nothing");
    } else {
        dd_text_add(&text, "one of ");
        list_written_rows(s, rows, n, &text);
        dd_text_add(&text, " follows from the others and is redundant");
    }
    if (where->n_cols > 0) {
        dd_text_add(&text, "; ");
        describe_open(s, where, &text);
    }
    dd_text_add(&text, "; remove one of these equations, or replace it by an independent one");
    add_documentation(s, rows, n, &text);
    return dd_text_str(&text);
}

const char *dd_blame_contradiction(dd_system *s, const dd_conversion_result *found)
{
    dd_text text = dd_text_new(s->pool);
    dd_namer namer = dd_model_namer(s->model);
    uint32_t n;
    const uint32_t *rows = dd_system_origins(s, &s->eqs, found->rows, found->n_rows, &n);
    list_written_rows(s, rows, n, &text);
    dd_text_printf(&text, " contradict%s: %s ", n == 1 ? "s itself" : " each other",
                   n == 1 ? "it implies" : "together they imply");
    dd_print_equation(s->model->dag, found->combination, DD_EXPR_NONE, &namer, &text);
    return dd_text_str(&text);
}

const char *dd_blame_hidden(dd_system *s)
{
    enum { LARGEST = 200 }; /* terms: larger expressions do not cancel down to a number */
    dd_dag *dag = s->model->dag;
    dd_system_close_constraints(s);
    /* what a hidden constraint says once the rates are put in: a number is a contradiction, whatever the point */
    for (uint32_t i = 0; i < s->hidden.len; i++) {
        const dd_constraint_row *c = &s->hidden.data[i];
        const dd_expr left = dd_expand(dag, c->expr, LARGEST);
        if (dd_op_of(dag, left) != DD_OP_NUM || dd_is_num(dag, left, 0)) {
            continue;
        }
        dd_text text = dd_text_new(s->pool);
        dd_namer namer = dd_model_namer(s->model);
        dd_text_printf(
            &text, "%s contradicts the other equations: differentiated %u time%s, with their rates put in, it reads ",
            dd_system_row_words(s, &s->eqs.data[c->eq], s->pool), c->order, c->order == 1 ? "" : "s");
        dd_print_equation(dag, left, DD_EXPR_NONE, &namer, &text);
        return dd_text_str(&text);
    }
    return NULL;
}

dd_expr dd_power_base(dd_system *s, dd_expr residual)
{
    dd_dag *dag = s->model->dag;
    /* a factor is enough */
    if (dd_op_of(dag, residual) == DD_OP_MUL) {
        for (uint32_t i = 0; i < dd_arg_count(dag, residual); i++) {
            dd_expr base = dd_power_base(s, dd_arg(dag, residual, i));
            if (base != DD_EXPR_NONE) {
                return base;
            }
        }
    }
    if (dd_op_of(dag, residual) == DD_OP_POW && dd_op_of(dag, dd_arg(dag, residual, 1)) == DD_OP_NUM &&
        dd_num_value(dag, dd_arg(dag, residual, 1)) > 1) {
        return dd_arg(dag, residual, 0);
    }
    return DD_EXPR_NONE;
}

const char *dd_blame_dependent(dd_system *s, const dd_regularity *where)
{
    dd_text text = dd_text_new(s->pool);
    list_rows(s, where->rows, where->n_rows, &text);
    dd_text_add(&text, where->n_rows > 1 ? " depend on each other there" : " is singular there");
    add_documentation(s, where->rows, where->n_rows, &text);
    return dd_text_str(&text);
}

/* An unknown of these rows that starts far below its size, which nobody gave; DD_NO_INDEX: none. */
static uint32_t far_below_size(const dd_system *s, const uint32_t *rows, uint32_t n)
{
    static const double far = 1e-4; /* of the size: its square is of the order of what ranks treat as rounding */
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = s->inc.ptr[rows[i]]; e < s->inc.ptr[rows[i] + 1]; e++) {
            const uint32_t col = s->inc.idx[e];
            const dd_variable *v = col < s->declared ? &s->model->vars.data[s->unknown[col]] : NULL;
            if (v && !v->has_nominal && v->has_start && v->start_value != 0 && fabs(v->start_value) < far) {
                return col;
            }
        }
    }
    return DD_NO_INDEX;
}

static const char *why_no_index(dd_system *s, const dd_regularity *where, const dd_array_verdict *array)
{
    dd_text text = dd_text_new(s->pool);
    /* one row whose gradient vanishes: by its form (g^2 = 0), or just at these values */
    if (where->zero_row) {
        dd_expr base = dd_power_base(s, s->eqs.data[where->rows[0]].residual);
        dd_text_add(&text, "the gradient of ");
        list_rows(s, where->rows, 1, &text);
        if (base == DD_EXPR_NONE) {
            dd_text_printf(&text,
                           " vanishes at the start values, so it determines nothing there; from other start values it "
                           "may (try %s)",
                           dd_option_word(s->ctx, "--set"));
            return dd_text_str(&text);
        }
        dd_text_add(&text, " vanishes where it holds, so it determines nothing there");
        dd_namer namer = dd_model_namer(s->model);
        dd_text_add(&text, "; write it without the power: ");
        dd_print_equation(s->model->dag, base, DD_EXPR_NONE, &namer, &text);
        return dd_text_str(&text);
    }
    /* unknowns that no differentiation determines, else the rows that depend on each other */
    dd_text_add(&text, "no finite index: ");
    if (array && array->n_open > 0) {
        list_columns(s, array->open, array->n_open, &text);
        dd_text_printf(&text, " %s not determined by any derivative of the equations",
                       array->n_open == 1 ? "is" : "are");
    } else {
        dd_text_add(&text, dd_blame_dependent(s, where));
    }
    if (!array || array->n_open == 0) {
        if (where->n_cols > 0) {
            dd_text_add(&text, "; ");
            describe_open(s, where, &text);
        }
    }
    return dd_text_str(&text);
}

const char *dd_blame_no_index(dd_system *s, const dd_regularity *where, const dd_array_verdict *array)
{
    const char *words = why_no_index(s, where, array);
    const uint32_t col = far_below_size(s, where->rows, where->n_rows);
    if (col == DD_NO_INDEX) {
        return words;
    }
    /* slopes are compared with what they are at the size of the unknowns */
    char number[32];
    return dd_pool_printf(
        s->pool,
        "%s; this is judged with %s of size 1, since it has no nominal value: if all its values are as "
        "small as its start value %s, give it a nominal value of that size",
        words, dd_system_column_name(s, col, s->pool),
        dd_number_text(s->model->vars.data[s->unknown[col]].start_value, number));
}
