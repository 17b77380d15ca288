/* explain_checks.h - explanations agree with the report and with the equations, over the whole corpus: as many differentiations as the
 * index, every hidden constraint, every formula read back as text equal to its rows at random points, the rank that a
 * step names equal to the rank of its matrix at the consistent point, and LaTeX that is well formed. */
#ifndef TEST_STRUCTURE_EXPLAIN_CHECKS_H
#define TEST_STRUCTURE_EXPLAIN_CHECKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "corpus.h"
#include "expr/latex.h"
#include "la/dense.h"
#include "lang/lang.h"
#include "mech/lagrange.h"
#include "points.h"
#include "structure/explain_write.h"
#include "structure/numeric.h"

typedef struct tally {
    uint32_t systems, formulas, ranks, silent, terms, failures;
} tally;

typedef struct look {
    const corpus_block *b;
    dd_system *s;
    dd_pool *pool;
    tally *sum;
} look;

static void complain(look *k, const char *what, const char *text)
{
    k->sum->failures++;
    print_error("%s: %s: %s\n", k->b->file, what, text);
}

/* ---- well-formed LaTeX ---- */

static bool is_known_command(const char *s, size_t n)
{
    static const char *const known[] = {"frac",
                                        "left",
                                        "right",
                                        "sqrt",
                                        "dot",
                                        "ddot",
                                        "dddot",
                                        "cdot",
                                        "sin",
                                        "cos",
                                        "tan",
                                        "sinh",
                                        "cosh",
                                        "tanh",
                                        "exp",
                                        "log",
                                        "min",
                                        "max",
                                        "arcsin",
                                        "arccos",
                                        "arctan",
                                        "mathit",
                                        "mathrm",
                                        "texttt",
                                        "text",
                                        "tag",
                                        "begin",
                                        "end",
                                        "partial",
                                        "le",
                                        "ge",
                                        "ne",
                                        "neg",
                                        "wedge",
                                        "vee",
                                        "mid",
                                        "dots",
                                        "quad",
                                        "section",
                                        "ensuremath",
                                        "subsection",
                                        "usepackage",
                                        "documentclass",
                                        "allowdisplaybreaks",
                                        "setlength",
                                        "parindent",
                                        "operatorname",
                                        "textbackslash",
                                        "textasciicircum",
                                        "textasciitilde",
                                        "alpha",
                                        "beta",
                                        "gamma",
                                        "delta",
                                        "epsilon",
                                        "zeta",
                                        "eta",
                                        "theta",
                                        "kappa",
                                        "lambda",
                                        "mu",
                                        "nu",
                                        "xi",
                                        "pi",
                                        "rho",
                                        "sigma",
                                        "tau",
                                        "phi",
                                        "chi",
                                        "psi",
                                        "omega",
                                        "Gamma",
                                        "Delta",
                                        "Theta",
                                        "Lambda",
                                        "Sigma",
                                        "Phi",
                                        "Psi",
                                        "Omega",
                                        "iota",
                                        "upsilon",
                                        "Xi",
                                        "Pi",
                                        "Upsilon"};
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
        found = strlen(known[i]) == n && memcmp(known[i], s, n) == 0;
    }
    return found;
}

/* NULL, or what is wrong. */
static const char *latex_mistake(const char *s)
{
    int braces = 0, pairs = 0, environments = 0, dollars = 0;
    for (; *s; s++) {
        if (*s == '\\') {
            size_t n = 0;
            while (s[1 + n] && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", s[1 + n])) {
                n++;
            }
            if (n == 0) {
                s++; /* an escaped character, or \[ and \\ */
                continue;
            }
            if (!is_known_command(s + 1, n)) {
                return "unknown command";
            }
            pairs += (n == 4 && memcmp(s + 1, "left", n) == 0) - (n == 5 && memcmp(s + 1, "right", n) == 0);
            environments += (n == 5 && memcmp(s + 1, "begin", n) == 0) - (n == 3 && memcmp(s + 1, "end", n) == 0);
            s += n;
        } else if (*s == '$') {
            dollars++;
        } else if ((unsigned char)*s >= 0x80 || *s == '#' || *s == '%') {
            return "a character that TeX does not read";
        }
        braces += (*s == '{') - (*s == '}');
        if (braces < 0 || pairs < 0 || environments < 0) {
            return "closed before it was opened";
        }
    }
    return braces != 0         ? "braces"
           : pairs != 0        ? "left and right"
           : environments != 0 ? "begin and end"
           : dollars % 2       ? "dollars"
                               : NULL;
}

/* ---- formulas and values ---- */

static bool equal_values(look *k, dd_expr a, dd_expr b)
{
    double x[POINTS], y[POINTS], scale[POINTS];
    point_values(k->s, dd_system_lower(k->s, a), k->pool, x, scale);
    point_values(k->s, dd_system_lower(k->s, b), k->pool, y, NULL);
    bool equal = true;
    for (uint32_t p = 0; p < POINTS; p++) {
        const bool finite = isfinite(x[p]) && isfinite(y[p]);
        equal =
            equal && (finite ? fabs(x[p] - y[p]) <= 1e-10 * fmax(scale[p], 1e-300) : isfinite(x[p]) == isfinite(y[p]));
    }
    return equal;
}

static void check_line(look *k, const dd_explanation *x, const dd_explain_line *line)
{
    dd_text tex = dd_text_new(k->pool);
    dd_explain_line_math(x, line, &tex);
    const char *mistake = latex_mistake(dd_text_str(&tex));
    if (mistake || strstr(dd_text_str(&tex), "\\texttt")) {
        complain(k, mistake ? mistake : "no formula", dd_text_str(&tex));
    }
    if (line->n_values == 0 || line->formula[0] == '\0') {
        return;
    }
    /* the right side of a name is read as an equation */
    const char *text = line->name ? dd_pool_printf(k->pool, "%s = 0", line->formula) : line->formula;
    dd_expr *rows = NULL;
    uint32_t count = 0;
    const bool several = line->n_values > 1 && strchr(text, ';');
    if (several) {
        return; /* rows of the C API, one after the other */
    }
    if (!dd_lang_read_equation(k->s->model, k->pool, text, &rows, &count) || count != line->n_values) {
        complain(k, "cannot be read back", text);
        return;
    }
    k->sum->formulas++;
    for (uint32_t i = 0; i < count; i++) {
        if (!equal_values(k, rows[i], line->values[i])) {
            complain(k, "has other values", text);
        }
    }
}

/* ---- agreement with the report ---- */

static bool has_formula(const dd_explanation *x, dd_explain_kind kind, const char *formula)
{
    for (uint32_t i = 0; i < x->steps.len; i++) {
        const dd_explain_step *step = x->steps.data[i];
        for (uint32_t l = 0; step->kind == kind && l < step->lines.len; l++) {
            if (strcmp(step->lines.data[l].formula, formula) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void check_report(look *k, const dd_explanation *x)
{
    const dd_system *s = k->s;
    int differentiations = 0, index = -1;
    for (uint32_t i = 0; i < x->steps.len; i++) {
        const dd_explain_step *step = x->steps.data[i];
        differentiations += step->kind == DD_EXPLAIN_DIFFERENTIATE;
        index = step->kind == DD_EXPLAIN_INDEX ? (int)step->order : index;
        if (step->kind == DD_EXPLAIN_LEADING && s->certificate != DD_CERTIFICATE_UNDECIDED &&
            step->constraints != s->constraint_count) {
            complain(k, "the rank of dF/dx' and the number of constraints differ", step->behind);
        }
    }
    if (s->verdict == DD_VERDICT_OK && (differentiations != s->index || index != s->index)) {
        complain(k, "the number of differentiations is not the index", "");
    }
    for (uint32_t i = 0; s->verdict == DD_VERDICT_OK && i < s->hidden_text.len; i++) {
        const dd_constraint_text *t = &s->hidden_text.data[i].text;
        if (!has_formula(x, DD_EXPLAIN_DIFFERENTIATE, t->equation) ||
            !has_formula(x, DD_EXPLAIN_CONSISTENCY, t->equation)) {
            complain(k, "a hidden constraint is missing", t->equation);
        }
    }
}

/* ---- the rank of dF/dx' after each differentiation ---- */

/* The newest constraint of a row that was found after fewer than `order` differentiations. */
static const dd_constraint_row *newest(const dd_system *s, uint32_t eq, uint32_t order)
{
    const dd_constraint_row *best = NULL;
    const dd_constraint_row_vec *lists[] = {&s->visible, &s->hidden};
    for (int h = 0; h < 2; h++) {
        for (uint32_t i = 0; i < lists[h]->len; i++) {
            const dd_constraint_row *c = &lists[h]->data[i];
            if (c->eq == eq && dd_explain_order(s, c->order) < order && (!best || c->level > best->level)) {
                best = c;
            }
        }
    }
    return best;
}

/* Gradient of row i after k differentiations by the derivatives; false where second derivatives would be needed. */
static bool matrix_row(look *k, uint32_t order, uint32_t i, double *a, double *magnitude)
{
    dd_system *s = k->s;
    dd_dag *dag = s->model->dag;
    const dd_constraint_row *c = newest(s, i, order);
    const dd_expr e = c ? c->expr : s->eqs.data[i].residual;
    const uint32_t wanted = c ? 0 : 1; /* d/dt of c by x' is dc/dx */
    dd_expr_vec symbols = {0}, partials = {0};
    if (c && dd_system_has_rates(s, e, k->pool)) {
        return false;
    }
    dd_partials(dag, e, false, &symbols, &partials, k->pool);
    const dd_numeric_place at = {s->point.x, s->point.order + 1, {dd_system_start_time(s), NULL, 0}};
    for (uint32_t q = 0; q < symbols.len; q++) {
        const uint32_t col = s->column[dd_symbol_id(dag, symbols.data[q])];
        if (col != DD_NO_INDEX && dd_symbol_order(dag, symbols.data[q]) == wanted) {
            /* in units of the variables: in those of the text a row may have slopes of 1e8 and of 1e-8 */
            const double unit = dd_system_unit(s, col, 0);
            double size;
            a[i + (size_t)col * s->inc.n] = unit * dd_numeric_value(s, partials.data[q], &at, &size, k->pool);
            magnitude[i] = fmax(magnitude[i], unit * size);
        }
    }
    return true;
}

static void check_rank(look *k, uint32_t order, uint32_t expected)
{
    const uint32_t n = k->s->inc.n;
    double *a = dd_pool_alloc_array(k->pool, (size_t)n * n + 1, sizeof *a);
    double *magnitude = dd_pool_alloc_array(k->pool, n + 1, sizeof *magnitude);
    for (uint32_t i = 0; i < n; i++) {
        if (!matrix_row(k, order, i, a, magnitude)) {
            return;
        }
    }
    dd_rank_info info;
    if (dd_rank_dense(&info, k->s->ctx, &(dd_dense){n, n, a, n}, 1e-9, magnitude, NULL, NULL) != DD_OK) {
        return;
    }
    k->sum->ranks++;
    if (info.rank != expected && info.clear) {
        complain(k, "the rank after a differentiation",
                 dd_pool_printf(k->pool, "%u after %u, %u said", info.rank, order, expected));
    }
}

static void check_ranks(look *k, const dd_explanation *x)
{
    const dd_system *s = k->s;
    bool plain = s->ncols == s->declared && s->point.consistent && s->point.x && s->inc.n <= 60 &&
                 (s->certificate == DD_CERTIFICATE_STRUCTURAL || s->certificate == DD_CERTIFICATE_CONVERTED);
    for (uint32_t i = 0; i < s->eqs.len && plain; i++) {
        plain = s->eqs.data[i].depth == 0;
    }
    for (uint32_t i = 0; i < x->steps.len && plain; i++) {
        const dd_explain_step *step = x->steps.data[i];
        k->sum->silent += step->kind == DD_EXPLAIN_DIFFERENTIATE && step->rank == DD_NO_INDEX;
        if (step->kind == DD_EXPLAIN_DIFFERENTIATE && step->rank != DD_NO_INDEX) {
            check_rank(k, step->order, step->rank);
        }
    }
}

/* ---- Lagrange's equations ---- */

/* The terms add up to the equation of motion. */
static void check_terms(look *k)
{
    const dd_model *m = k->s->model;
    dd_dag *dag = m->dag;
    for (uint32_t l = 0; l < m->lagrange.len; l++) {
        const dd_lagrange *in = m->lagrange.data[l];
        const dd_lagrange_terms t = dd_lagrange_terms_of(dag, in, k->pool);
        for (uint32_t i = 0; i < in->nq; i++) {
            const dd_expr terms[] = {t.momentum_rate[i], dd_neg(dag, t.along_q[i]), t.dissipation[i], t.constraint[i],
                                     dd_neg(dag, t.force[i])};
            const dd_expr row = m->rows.data[m->groups.data[in->first_group + i].first].residual;
            k->sum->terms++;
            if (!equal_values(k, dd_sum(dag, terms, 5), row)) {
                complain(k, "terms that do not add up to the equation of motion", "");
            }
        }
    }
}

/* ---- all of it, over the corpus ---- */

static void look_at(void *arg)
{
    look *k = arg;
    const dd_explanation *x = dd_explain(k->s, true, k->pool);
    k->sum->systems++;
    check_report(k, x);
    for (uint32_t i = 0; i < x->steps.len; i++) {
        for (uint32_t l = 0; l < x->steps.data[i]->lines.len; l++) {
            check_line(k, x, &x->steps.data[i]->lines.data[l]);
        }
    }
    check_ranks(k, x);
    check_terms(k);
}

static void check_documents(look *k)
{
    const char *latex = "", *markdown = "";
    assert_int_equal(dd_system_explain(&latex, k->s, DD_EXPLAIN_LATEX), DD_OK);
    assert_int_equal(dd_system_explain(&markdown, k->s, DD_EXPLAIN_MARKDOWN), DD_OK);
    const char *mistake = latex_mistake(latex);
    if (mistake) {
        complain(k, mistake, latex);
    }
    uint32_t dollars = 0;
    for (const char *c = markdown; *c; c++) {
        dollars += *c == '$';
    }
    if (dollars % 2 || strncmp(markdown, "# ", 2) != 0) {
        complain(k, "Markdown", markdown);
    }
}

static void check_system(const corpus_block *b, dd_system *s, void *user)
{
    look k = {.b = b, .s = s, .pool = dd_pool_new(s->ctx), .sum = user};
    /* as `daedal check` does: the point may turn out to be none */
    assert_int_equal(dd_system_test_start(s), DD_OK);
    if (dd_protect(s->ctx, look_at, &k) != DD_OK) {
        complain(&k, "failed", dd_context_message(s->ctx));
    }
    check_documents(&k);
    dd_context_clear_diagnostics(s->ctx);
    dd_pool_free(k.pool);
}

static void check_block(const corpus_block *b, void *user)
{
    tally *sum = user;
    sum->failures += !corpus_analyse(b, check_system, sum);
}

/* All models of the corpus whose file is at most this large. */
static inline tally explain_corpus(size_t most_bytes)
{
    tally sum = {0};
    corpus_each(most_bytes, check_block, &sum);
    print_message("%u systems, %u formulas, %u ranks (%u not named), %u equations of motion\n", sum.systems,
                  sum.formulas, sum.ranks, sum.silent, sum.terms);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.silent < 1 + sum.ranks / 5);
    return sum;
}

#endif
