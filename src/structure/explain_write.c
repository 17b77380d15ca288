/* explain_write.c - an explanation as text, Markdown or LaTeX. The three differ in headings, in how a formula stands on
 * its line, and in what becomes of `...` inside a sentence; writer has one function for each of these. */
#include <string.h>

#include "expr/latex.h"
#include "structure/explain_write.h"
#include "structure/report.h"

enum { LABEL_WIDTH = 7, FORMULA_WIDTH = 60, INDENT = 4 };

/* ---- formulas as LaTeX ---- */

void dd_explain_math(const dd_explanation *x, const char *formula, dd_text *out)
{
    dd_report_latex(x->s, formula, out);
}

void dd_explain_line_math(const dd_explanation *x, const dd_explain_line *line, dd_text *out)
{
    if (line->name) {
        dd_text_printf(out, "%s = ", line->name_tex);
    }
    dd_explain_math(x, line->formula, out);
}

void dd_explain_matrix_math(const dd_explanation *x, const dd_explain_matrix *a, dd_text *out)
{
    dd_text_add(out, "\\frac{\\partial F}{\\partial \\dot{x}} = \\begin{pmatrix}");
    for (uint32_t i = 0; i < a->rows; i++) {
        for (uint32_t j = 0; j < a->cols; j++) {
            dd_text_add(out, j > 0 ? " & " : "");
            dd_explain_math(x, a->entry[(size_t)i * a->cols + j], out);
        }
        dd_text_add(out, i + 1 < a->rows ? " \\\\ " : "");
    }
    dd_text_add(out, "\\end{pmatrix}");
}

/* ---- sentences ---- */

/* The part up to the next backquote. */
static size_t up_to_quote(const char *text)
{
    return strcspn(text, "`");
}

/* Phrases of the prose that are formulas in every model: as maths in LaTeX. */
static void add_latex_prose(const char *text, dd_text *out)
{
    static const char *const phrases[][2] = {
        {"F(x', x, z, t) = 0", "$F(\\dot x, x, z, t) = 0$"},
        {"dF/dx'", "$\\partial F/\\partial\\dot x$"},
        {"d/dt", "$\\mathrm{d}/\\mathrm{d}t$"},
    };
    enum { PHRASES = sizeof phrases / sizeof *phrases };
    while (*text) {
        /* the first phrase, or all of the text */
        const char *first = text + strlen(text);
        int which = -1;
        for (int i = 0; i < PHRASES; i++) {
            const char *at = strstr(text, phrases[i][0]);
            if (at != NULL && at < first) {
                first = at;
                which = i;
            }
        }
        dd_latex_text(dd_pool_strndup(out->pool, text, (size_t)(first - text)), out);
        if (which >= 0) {
            dd_text_add(out, phrases[which][1]);
        }
        text = which >= 0 ? first + strlen(phrases[which][0]) : first;
    }
}

/* Formulas between backquotes in math, the rest as it is (Markdown) or escaped (LaTeX). */
static void add_prose(const dd_explanation *x, const char *text, bool latex, dd_text *out)
{
    bool formula = false;
    while (*text) {
        const size_t n = up_to_quote(text);
        const char *part = dd_pool_strndup(out->pool, text, n);
        if (formula) {
            dd_text_add(out, "$");
            dd_explain_math(x, part, out);
            dd_text_add(out, "$");
        } else if (latex) {
            add_latex_prose(part, out);
        } else {
            dd_text_add(out, part);
        }
        text += n + (text[n] == '`');
        formula = !formula;
    }
}

static const char *left_out_words(const dd_explanation *x, const dd_explain_step *step)
{
    return dd_pool_printf(x->pool, "%s not shown; %s lists them.",
                          dd_explain_count(x->pool, step->left_out, "more formula"),
                          dd_option_phrase(x->s->ctx, "--json", "the JSON"));
}

/* ---- text ---- */

static void text_sentence(const char *text, dd_text *out)
{
    if (text[0]) {
        dd_text_printf(out, "%*s", INDENT, "");
        dd_report_sentence(out, text, INDENT, false);
    }
}

static void text_line(const dd_explain_line *line, dd_text *out)
{
    /* (5)'   d/dt of (5): p*v = 0      place */
    const size_t start = out->len;
    dd_text_printf(out, "%*s%-*s ", INDENT, "", LABEL_WIDTH - 1, line->label);
    dd_text_printf(out, "%s%s", line->words, line->words[0] && line->formula[0] ? ":  " : "");
    if (line->name) {
        dd_text_printf(out, "%s = ", line->name);
    }
    dd_text_add(out, line->formula);
    if (line->from[0]) {
        const size_t width = out->len - start;
        dd_text_printf(out, "%*s%s", (int)(width < FORMULA_WIDTH ? FORMULA_WIDTH - width : 1) + 1, "", line->from);
    }
    dd_text_add(out, "\n");
}

static void text_matrix(const dd_explain_matrix *a, dd_text *out)
{
    /* each column as wide as its widest entry */
    uint32_t width[16] = {0};
    for (uint32_t j = 0; j < a->cols; j++) {
        width[j] = (uint32_t)strlen(a->col_label[j]);
        for (uint32_t i = 0; i < a->rows; i++) {
            const uint32_t n = (uint32_t)strlen(a->entry[(size_t)i * a->cols + j]);
            width[j] = n > width[j] ? n : width[j];
        }
    }
    for (uint32_t i = 0; i <= a->rows; i++) {
        dd_text_printf(out, "%*s%-*s", INDENT, "", LABEL_WIDTH, i > 0 ? a->row_label[i - 1] : "");
        for (uint32_t j = 0; j < a->cols; j++) {
            const char *entry = i > 0 ? a->entry[(size_t)(i - 1) * a->cols + j] : a->col_label[j];
            dd_text_printf(out, "%s%*s", j > 0 ? "  " : "", (int)width[j], entry);
        }
        dd_text_add(out, "\n");
    }
}

static void text_step(const dd_explanation *x, const dd_explain_step *step, uint32_t number, dd_text *out)
{
    dd_text_printf(out, "\n%u. %s\n", number, step->title);
    text_sentence(step->text, out);
    if (step->matrix) {
        text_matrix(step->matrix, out);
    }
    for (uint32_t i = 0; i < step->lines.len; i++) {
        text_line(&step->lines.data[i], out);
    }
    if (step->left_out > 0) {
        text_sentence(left_out_words(x, step), out);
    }
    text_sentence(step->behind, out);
}

/* ---- Markdown and LaTeX ---- */

/* A formula with its number at the right; what it is stands before it. */
static void math_line(const dd_explanation *x, const dd_explain_line *line, bool latex, dd_text *out)
{
    if (line->words[0]) {
        dd_text_add(out, latex ? "\n" : ""); /* a paragraph of its own */
        add_prose(x, line->words, latex, out);
        dd_text_add(out, line->formula[0] ? ":\n" : "\n");
    }
    if (!line->formula[0]) {
        return;
    }
    dd_text_add(out, latex ? "\\[ " : "\n$$ ");
    dd_explain_line_math(x, line, out);
    /* (5)'' without the brackets, which \tag writes */
    if (line->label[0] == '(') {
        const char *close = strrchr(line->label, ')');
        dd_text_printf(out, " \\tag{%.*s", (int)(close - line->label) - 1, line->label + 1);
        dd_text_printf(out, "%s%s%s}", close[1] ? "$" : "", close + 1, close[1] ? "$" : "");
    }
    dd_text_add(out, latex ? " \\]\n" : " $$\n\n");
}

void dd_explain_step_math(const dd_explanation *x, const dd_explain_step *step, bool latex, dd_text *out)
{
    add_prose(x, step->text, latex, out);
    dd_text_add(out, step->text[0] ? "\n" : "");
    if (step->matrix) {
        dd_text_add(out, latex ? "\\[ " : "\n$$ ");
        dd_explain_matrix_math(x, step->matrix, out);
        dd_text_add(out, latex ? " \\]\n" : " $$\n\n");
    }
    for (uint32_t i = 0; i < step->lines.len; i++) {
        math_line(x, &step->lines.data[i], latex, out);
    }
    if (step->left_out > 0) {
        add_prose(x, left_out_words(x, step), latex, out);
        dd_text_add(out, "\n");
    }
    add_prose(x, step->behind, latex, out);
    dd_text_add(out, step->behind[0] ? "\n" : "");
}

/* ---- the whole ---- */

static void add_heading(const dd_explanation *x, dd_explain_format format, dd_text *out)
{
    const char *name = x->s->model->name;
    switch (format) {
    case DD_EXPLAIN_TEXT:
        dd_text_printf(out, "%s: the reduction step by step\n", name);
        break;
    case DD_EXPLAIN_MARKDOWN:
        dd_text_printf(out, "# %s: the reduction step by step\n", name);
        break;
    case DD_EXPLAIN_LATEX:
        dd_text_add(out, "\\documentclass{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\setlength{"
                         "\\parindent}{0pt}\n\\begin{document}\n"
                         "\\section*{");
        dd_latex_text(name, out);
        dd_text_add(out, ": the reduction step by step}\n");
        break;
    }
}

static void write_explanation(const dd_explanation *x, dd_explain_format format, dd_text *out)
{
    add_heading(x, format, out);
    for (uint32_t i = 0; i < x->steps.len; i++) {
        const dd_explain_step *step = x->steps.data[i];
        if (format == DD_EXPLAIN_TEXT) {
            text_step(x, step, i + 1, out);
            continue;
        }
        const bool latex = format == DD_EXPLAIN_LATEX;
        dd_text_add(out, latex ? "\n\\subsection*{" : "\n## ");
        dd_text_printf(out, "%u. ", i + 1);
        add_prose(x, step->title, latex, out);
        dd_text_add(out, latex ? "}\n" : "\n\n");
        dd_explain_step_math(x, step, latex, out);
    }
    dd_text_add(out, format == DD_EXPLAIN_LATEX ? "\\end{document}\n" : "");
}

typedef struct explain_call {
    const dd_system *s;
    dd_explain_format format;
    const char *out;
} explain_call;

static void explain_body(void *arg)
{
    explain_call *call = arg;
    dd_pool *scratch = dd_pool_child(call->s->pool);
    dd_text text = dd_text_new(call->s->pool);
    write_explanation(dd_explain(call->s, false, scratch), call->format, &text);
    dd_pool_free(scratch);
    call->out = dd_text_str(&text);
}

dd_status dd_system_explain(const char **out, const dd_system *s, dd_explain_format format)
{
    if (!out || !s || (unsigned)format > DD_EXPLAIN_LATEX) {
        return DD_INVALID_ARGUMENT;
    }
    explain_call call = {.s = s, .format = format, .out = ""};
    dd_status st = dd_protect(s->ctx, explain_body, &call);
    *out = call.out;
    return st;
}
