/* check_page.c - the answer of `check` as a page: index and constraints, the reduction explained, incidence and blocks,
 * initial values. */
#include <math.h>
#include <string.h>

#include "graph/scc.h"
#include "report/mathml.h"
#include "report/matrix.h"
#include "report/written.h"
#include "result/table.h"
#include "structure/report.h"

enum { FIRST_FORMULAS = 12, MOST_FORMULAS = 60, MOST_VALUES = 200 };

typedef struct page_work {
    const dd_system *s;
    dd_pool *pool;
    dd_page_writer *page;
} page_work;

/* ---- formulas ---- */

static void add_formula(page_work *w, const char *formula, const char *from)
{
    dd_text tex = dd_text_new(w->pool), html = dd_text_new(w->pool);
    dd_report_latex(w->s, formula, &tex);
    dd_text_add(&html, "<div class=\"formula\">");
    dd_mathml(&html, dd_text_str(&tex), tex.len, true);
    dd_text_add(&html, "<span class=\"note\">");
    dd_html_text(&html, from);
    dd_text_add(&html, "</span></div>\n");
    dd_page_add_markup(w->page, dd_text_str(&html));
}

static void add_visible(page_work *w, uint32_t i)
{
    const dd_constraint_text text = dd_system_visible_text(w->s, i);
    add_formula(w, text.equation, text.from);
}

/* A hidden constraint with the equation that it comes from. */
static void add_hidden(page_work *w, uint32_t i)
{
    const dd_constraint_text text = dd_system_hidden_text(w->s, i);
    const char *times = text.order == 1   ? "once"
                        : text.order == 2 ? "twice"
                                          : dd_pool_printf(w->pool, "%u times", text.order);
    add_formula(w, text.equation,
                dd_pool_printf(w->pool, "%s%sdifferentiated %s", text.from, text.from[0] ? ", " : "", times));
}

/* The first few; more of them unfold. */
static void add_formulas(page_work *w, uint32_t count, void (*add)(page_work *, uint32_t))
{
    const uint32_t shown = count < MOST_FORMULAS ? count : MOST_FORMULAS;
    const bool folded = shown > FIRST_FORMULAS;
    for (uint32_t i = 0; i < shown; i++) {
        if (folded && i == FIRST_FORMULAS) {
            dd_page_add_markup(w->page,
                               dd_pool_printf(w->pool, "<details><summary>%u more%s</summary>\n", shown - i,
                                              shown < count ? dd_pool_printf(w->pool, " (of %u)", count - i) : ""));
        }
        add(w, i);
    }
    if (folded) {
        dd_page_add_markup(w->page, "</details>\n");
    }
}

static void add_constraints(page_work *w)
{
    const uint32_t hidden = dd_system_hidden_text_count(w->s), visible = dd_system_visible_text_count(w->s);
    if (hidden + visible == 0) {
        return;
    }
    dd_page_section(w->page, "Constraints");
    /* visible ones as written, then hidden ones with the equation that they come from */
    if (visible > 0) {
        dd_page_add_note(w->page, dd_pool_printf(w->pool, "Visible (%u): equations without derivatives.", visible));
    }
    add_formulas(w, visible, add_visible);
    if (hidden > 0) {
        dd_page_add_note(w->page,
                         dd_pool_printf(w->pool,
                                        "Hidden (%u): they follow by differentiation, and solutions satisfy them too.",
                                        hidden));
    }
    add_formulas(w, hidden, add_hidden);
}

static void add_explanation(page_work *w)
{
    const char *markdown = "";
    if (w->s->verdict != DD_VERDICT_OK || dd_system_explain(&markdown, w->s, DD_EXPLAIN_MARKDOWN) != DD_OK ||
        markdown[0] == '\0') {
        return;
    }
    dd_text html = dd_text_new(w->pool);
    dd_markdown_html(&html, markdown);
    dd_page_section(w->page, "Equations, and their reduction step by step");
    dd_page_add_markup(w->page, dd_text_str(&html));
}

/* ---- pictures ---- */

static uint8_t *kinds_of(const dd_incidence *inc, dd_pool *pool)
{
    uint8_t *kind = dd_pool_alloc_array(pool, (size_t)inc->ptr[inc->n] + 1, sizeof *kind);
    for (uint32_t k = 0; k < inc->ptr[inc->n]; k++) {
        kind[k] = inc->sigma[k] == 1 ? 1 : 0;
    }
    return kind;
}

static const char **column_names(page_work *w, const uint32_t *order)
{
    const char **names = dd_pool_alloc_array(w->pool, (size_t)w->s->inc.ncols + 1, sizeof *names);
    for (uint32_t j = 0; j < w->s->inc.ncols; j++) {
        names[j] = dd_system_column_name(w->s, order != NULL ? order[j] : j, w->pool);
    }
    return names;
}

static const char **row_names(page_work *w, const uint32_t *order)
{
    const char **names = dd_pool_alloc_array(w->pool, (size_t)w->s->inc.n + 1, sizeof *names);
    for (uint32_t i = 0; i < w->s->inc.n; i++) {
        names[i] = dd_pool_printf(w->pool, "equation %u", (order != NULL ? order[i] : i) + 1);
    }
    return names;
}

/* The same as a reader would write them. */
static const char **row_words(page_work *w, const uint32_t *order)
{
    const char **words = dd_pool_alloc_array(w->pool, (size_t)w->s->inc.n + 1, sizeof *words);
    for (uint32_t i = 0; i < w->s->inc.n; i++) {
        words[i] = dd_system_row_words(w->s, &w->s->eqs.data[order != NULL ? order[i] : i], w->pool);
    }
    return words;
}

/* Rows and columns in the order of the blocks. */
static void add_triangular(page_work *w, const uint8_t *kind)
{
    const dd_incidence *inc = &w->s->inc;
    const uint32_t n = inc->n;
    const dd_pattern pattern = {n, inc->ncols, inc->ptr, inc->idx};
    uint32_t *rows = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *rows),
             *cols = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *cols),
             *block = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *block), count = 0;
    if (!w->s->off.perfect || n != inc->ncols ||
        dd_graph_btf(&count, w->s->ctx, &pattern, w->s->off.row_match, rows, cols, block) != DD_OK) {
        return;
    }
    /* the entries of each row with the new places of their columns */
    uint32_t *place = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *place),
             *ptr = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *ptr),
             *idx = dd_pool_alloc_array(w->pool, (size_t)inc->ptr[n] + 1, sizeof *idx), at = 0, largest = 0;
    uint8_t *kinds = dd_pool_alloc_array(w->pool, (size_t)inc->ptr[n] + 1, sizeof *kinds);
    for (uint32_t j = 0; j < n; j++) {
        place[cols[j]] = j;
    }
    for (uint32_t i = 0; i < n; i++) {
        ptr[i] = at;
        for (uint32_t k = inc->ptr[rows[i]]; k < inc->ptr[rows[i] + 1]; k++, at++) {
            idx[at] = place[inc->idx[k]];
            kinds[at] = kind[k];
        }
    }
    ptr[n] = at;
    for (uint32_t b = 0; b < count; b++) {
        largest = block[b + 1] - block[b] > largest ? block[b + 1] - block[b] : largest;
    }
    const char **names = column_names(w, cols);
    const dd_matrix m = {n, n, ptr, idx, kinds, block, count, row_names(w, rows), names, row_words(w, rows), names};
    dd_page_add_matrix(w->page, "block-triangular form",
                       dd_pool_printf(w->pool, "%u block%s, the largest of %u equation%s", count, count == 1 ? "" : "s",
                                      largest, largest == 1 ? "" : "s"),
                       &m);
}

static void add_pictures(page_work *w)
{
    const dd_incidence *inc = &w->s->inc;
    if (inc->n == 0 || inc->ptr == NULL) {
        return;
    }
    const uint8_t *kind = kinds_of(inc, w->pool);
    const char **names = column_names(w, NULL);
    const dd_matrix m = {inc->n, inc->ncols,         inc->ptr, inc->idx,           kind, NULL,
                         0,      row_names(w, NULL), names,    row_words(w, NULL), names};
    dd_page_section(w->page, "Structure");
    dd_page_add_matrix(w->page, "incidence",
                       dd_pool_printf(w->pool,
                                      "which unknown appears in which equation: %u entries; with its derivative "
                                      "in the second colour",
                                      inc->ptr[inc->n]),
                       &m);
    add_triangular(w, kind);
}

/* ---- tables ---- */

static void add_summary(page_work *w)
{
    const dd_system *s = w->s;
    DD_VEC(dd_page_row) rows = {0};
    const dd_page_row list[] = {
        {"verdict", dd_verdict_name(s->verdict)},
        {"kind", s->kind == DD_SYSTEM_ODE   ? "ODE"
                 : s->kind == DD_SYSTEM_DAE ? "DAE"
                                            : dd_system_kind_name(s->kind)},
        {"index", s->index < 0 ? "not defined" : dd_pool_printf(w->pool, "%d", s->index)},
        {"structural index",
         s->structural_index < 0 ? "not defined" : dd_pool_printf(w->pool, "%d", s->structural_index)},
        {"degrees of freedom", s->dof < 0 ? "not defined" : dd_pool_printf(w->pool, "%d", s->dof)},
        {"unknowns, equations", dd_pool_printf(w->pool, "%u, %u", s->declared, s->original.len)},
        {"constraints, hidden ones", dd_pool_printf(w->pool, "%u, %u", s->constraint_count, s->hidden_count)},
        {"certificate", dd_certificate_name(s->certificate)},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dd_vec_push(w->pool, &rows, list[i]);
    }
    dd_page_add_table(w->page, &(dd_page_table){"", "", rows.data, rows.len});
}

/* At the consistent point; what is rounding beside the largest value there is 0. */
static double consistent_value(const dd_system *s, uint32_t j)
{
    double largest = 0;
    for (uint32_t i = 0; i < s->declared; i++) {
        largest = fmax(largest, fabs(s->point.x[(size_t)i * (s->point.order + 1)]));
    }
    return dd_rounded_beside(largest, s->point.x[(size_t)j * (s->point.order + 1)]);
}

/* Variables with what is given and where the analysis found a consistent point. */
static void add_values(page_work *w)
{
    const dd_system *s = w->s;
    static const char *const headings[] = {"variable", "unit", "given", "start", "consistent value"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    const uint32_t n = s->declared < MOST_VALUES ? s->declared : MOST_VALUES;
    const char **cells = dd_pool_alloc_array(w->pool, (size_t)n * COLUMNS + 1, sizeof *cells);
    for (uint32_t j = 0; j < n; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        const char **row = cells + (size_t)j * COLUMNS;
        row[0] = dd_system_column_name(s, j, w->pool);
        row[1] = s->model->arrays.data[v->array].unit;
        row[2] = v->fixed ? "fixed" : v->has_start ? "guess" : "";
        row[3] = v->has_start ? dd_pool_printf(w->pool, "%.6g", v->start_value) : "";
        row[4] =
            s->point.consistent && s->point.x != NULL ? dd_pool_printf(w->pool, "%.6g", consistent_value(s, j)) : "";
    }
    const char *note = n < s->declared ? dd_pool_printf(w->pool, "and %u more", s->declared - n) : "";
    dd_page_add_grid(w->page, &(dd_page_grid){"Values at the start", note, headings, cells, COLUMNS, n, 3});
}

static void add_initial(page_work *w)
{
    const dd_system *s = w->s;
    dd_page_section(w->page, "Initial values");
    if (s->dof >= 0) {
        dd_text text = dd_text_new(w->pool);
        dd_text_printf(&text, "%d needed, %u given", s->dof, s->given.len);
        if (s->missing > 0 && dd_report_phase_count(s) == 0) {
            dd_text_printf(&text, ", %u missing; these would complete them: ", (uint32_t)s->missing);
            dd_report_columns(s, s->completion.data, s->completion.len, MOST_FORMULAS, &text);
        }
        dd_text_add(&text, ".");
        dd_page_add_note(w->page, dd_text_str(&text));
    }
    if (s->given.len > 0) {
        dd_page_add_list(w->page, s->given.data, s->given.len < MOST_FORMULAS ? s->given.len : MOST_FORMULAS);
    }
    add_values(w);
}

/* ---- all together ---- */

static dd_page_head head_of(const dd_system *s, dd_pool *pool)
{
    const dd_model *m = s->model;
    const bool good = s->verdict == DD_VERDICT_OK;
    const char *kind = s->kind == DD_SYSTEM_ODE ? "an ODE" : s->kind == DD_SYSTEM_DAE ? "a DAE" : "algebraic";
    return (dd_page_head){
        .title = m->name,
        .doc = m->doc != NULL ? m->doc : "",
        .subtitle = good ? dd_pool_printf(pool, "%s of index %d with %d degree%s of freedom and %u hidden constraint%s",
                                          kind, s->index, s->dof, s->dof == 1 ? "" : "s", s->hidden_count,
                                          s->hidden_count == 1 ? "" : "s")
                         : dd_pool_printf(pool, "%u unknowns, %u equations", s->declared, s->original.len),
        .failure = good ? "" : dd_pool_printf(pool, "%s: %s", dd_verdict_name(s->verdict), dd_system_reason(s))};
}

static void page_body(void *user)
{
    dd_written *out = user;
    page_work w = {.s = out->user, .pool = out->pool};
    const dd_page_head head = head_of(w.s, w.pool);
    w.page = dd_page_begin(w.pool, &head);
    dd_page_section(w.page, "Answer");
    add_summary(&w);
    if (w.s->warnings.len > 0) {
        dd_page_add_list(w.page, w.s->warnings.data, w.s->warnings.len);
    }
    add_constraints(&w);
    if (w.s->verdict == DD_VERDICT_OK) {
        add_initial(&w);
    }
    add_pictures(&w);
    add_explanation(&w);
    out->text = dd_text_new(out->pool);
    dd_page_end(w.page, &out->text);
}

dd_status dd_system_write_report(dd_system *s, const char *path)
{
    if (s == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_written_make(&(dd_written){.ctx = s->ctx, .user = s, .path = path}, page_body);
}
