/* formula.h - a nonlinear program from text, with exact first and second derivatives, so that a test problem is only its
 * formulas.
 *
 *     objective  "100*(x2 - x1^2)^2 + (1 - x1)^2"          sums of terms; also  sum(i = 1:9, (x[i+1] - x[i])^2)
 *     rows       "x1*x2 >= 1; 2 <= x1 + x2^2 <= 5; for i = 1:3: x[i]*x[i+1] = x1"
 *     bounds     "x1 <= 0.5; for i = 2:9: 0 <= x[i] <= 10"
 *     start      "-2, 1", "for i = 1:9: i/10, 3"            repeated until there are n numbers
 *
 * Every term is an element: a postfix program over its own few variables. Elements add up in the entries of Jacobian and
 * Hessian, whose places therefore repeat. */
#ifndef DD_TESTS_NLP_FORMULA_H
#define DD_TESTS_NLP_FORMULA_H

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/nlp/set/element.h"

/* ---- reading ---- */

static inline void formula_fail(const formula *f, const char *what)
{
    fprintf(stderr, "%s\n%*s^ %s\n", f->text, (int)(f->at - f->text), "", what);
    abort();
}

static inline void *formula_room(void *data, uint32_t needed, uint32_t *room, size_t size)
{
    if (needed <= *room) {
        return data;
    }
    *room = needed * 2 + 16;
    return realloc(data, *room * size);
}

static inline void formula_skip(formula *f)
{
    while (isspace((unsigned char)*f->at)) {
        f->at++;
    }
}

static inline bool formula_take(formula *f, const char *token)
{
    formula_skip(f);
    size_t length = strlen(token);
    if (strncmp(f->at, token, length) != 0) {
        return false;
    }
    f->at += length;
    return true;
}

static inline void formula_need(formula *f, const char *token)
{
    if (!formula_take(f, token)) {
        formula_fail(f, token);
    }
}

static inline void formula_emit(formula *f, op_code code, double number, uint32_t index)
{
    f->ops = formula_room(f->ops, f->n_ops + 1, &f->room_ops, sizeof *f->ops);
    f->ops[f->n_ops++] = (op){code, number, index};
}

static inline void formula_sum(formula *f, element *el);

/* A constant expression: its operations are run and taken away again. */
static inline double formula_constant(formula *f)
{
    element el = {.first = f->n_ops};
    formula_sum(f, &el);
    el.count = f->n_ops - el.first;
    f->order = 0;
    double value = formula_run(f, &el, NULL)->v;
    if (el.locals > 0) {
        formula_fail(f, "a constant was expected");
    }
    f->n_ops = el.first;
    return value;
}

static inline void formula_variable(formula *f, element *el)
{
    long number;
    if (formula_take(f, "[")) {
        number = lround(formula_constant(f));
        formula_need(f, "]");
    } else {
        number = strtol(f->at, (char **)&f->at, 10);
    }
    if (number < 1 || number > (long)f->nlp.n) {
        formula_fail(f, "no such variable");
    }
    uint32_t i = 0;
    while (i < el->locals && el->variable[i] != (uint32_t)number - 1) {
        i++;
    }
    if (i == MOST_LOCAL) {
        formula_fail(f, "too many variables in a term");
    }
    if (i == el->locals) {
        el->variable[el->locals++] = (uint32_t)number - 1;
    }
    formula_emit(f, OP_VARIABLE, 0, i);
}

/* Names: functions, loops, pi, n, variables. */
static inline void formula_name(formula *f, element *el)
{
    for (uint32_t i = 0; i < f->n_loops; i++) {
        size_t length = strlen(f->loops[i].name);
        if (strncmp(f->at, f->loops[i].name, length) == 0 && !isalnum((unsigned char)f->at[length])) {
            f->at += length;
            formula_emit(f, OP_NUMBER, (double)f->loops[i].value, 0);
            return;
        }
    }
    for (uint32_t i = 0; i < CALL_COUNT; i++) {
        size_t length = strlen(call_names[i]);
        if (strncmp(f->at, call_names[i], length) == 0 && f->at[length] == '(') {
            f->at += length + 1;
            formula_sum(f, el);
            formula_need(f, ")");
            formula_emit(f, OP_CALL, 0, i);
            return;
        }
    }
    if (formula_take(f, "pi")) {
        formula_emit(f, OP_NUMBER, acos(-1), 0);
    } else if (formula_take(f, "inf")) {
        formula_emit(f, OP_NUMBER, INFINITY, 0);
    } else if (formula_take(f, "n")) {
        formula_emit(f, OP_NUMBER, f->nlp.n, 0);
    } else if (formula_take(f, "x")) {
        formula_variable(f, el);
    } else {
        formula_fail(f, "unknown name");
    }
}

static inline void formula_primary(formula *f, element *el)
{
    formula_skip(f);
    if (formula_take(f, "(")) {
        formula_sum(f, el);
        formula_need(f, ")");
    } else if (formula_take(f, "-")) {
        formula_primary(f, el);
        formula_emit(f, OP_NEG, 0, 0);
        return;
    } else if (isdigit((unsigned char)*f->at) || *f->at == '.') {
        formula_emit(f, OP_NUMBER, strtod(f->at, (char **)&f->at), 0);
    } else {
        formula_name(f, el);
    }
    /* exponents are constants: a number or (...) */
    if (formula_take(f, "^")) {
        double sign = formula_take(f, "-") ? -1 : 1, exponent;
        if (formula_take(f, "(")) {
            exponent = formula_constant(f);
            formula_need(f, ")");
        } else {
            exponent = strtod(f->at, (char **)&f->at);
        }
        formula_emit(f, OP_POWER, sign * exponent, 0);
    }
}

static inline void formula_product(formula *f, element *el)
{
    formula_primary(f, el);
    for (;;) {
        if (formula_take(f, "*")) {
            formula_primary(f, el);
            formula_emit(f, OP_MUL, 0, 0);
        } else if (formula_take(f, "/")) {
            formula_primary(f, el);
            formula_emit(f, OP_DIV, 0, 0);
        } else {
            return;
        }
    }
}

static inline void formula_sum(formula *f, element *el)
{
    bool negative = formula_take(f, "-");
    formula_product(f, el);
    if (negative) {
        formula_emit(f, OP_NEG, 0, 0);
    }
    for (;;) {
        if (formula_take(f, "+")) {
            formula_product(f, el);
            formula_emit(f, OP_ADD, 0, 0);
        } else if (formula_take(f, "-")) {
            formula_product(f, el);
            formula_emit(f, OP_SUB, 0, 0);
        } else {
            return;
        }
    }
}

/* ---- loops: "i = 1:9" before a body that is read once per value ---- */

typedef void formula_body(formula *f, void *arg);

static inline void formula_loop(formula *f, const char *separator, formula_body *body, void *arg)
{
    char name[8] = "";
    formula_skip(f);
    for (size_t k = 0; isalpha((unsigned char)*f->at) && k + 1 < sizeof name; k++) {
        name[k] = *f->at++;
    }
    formula_need(f, "=");
    long from = lround(formula_constant(f));
    formula_need(f, ":");
    long to = lround(formula_constant(f));
    formula_need(f, separator);
    const char *begin = f->at;
    uint32_t depth = f->n_loops++;
    if (depth == MOST_LOOPS || to < from) {
        formula_fail(f, "loops");
    }
    memcpy(f->loops[depth].name, name, sizeof name);
    for (long i = from; i <= to; i++) {
        f->loops[depth].value = i;
        f->at = begin;
        body(f, arg);
    }
    f->n_loops = depth;
}

typedef struct formula_place {
    uint32_t row;
    double sign;
} formula_place;

static inline void formula_terms(formula *f, void *arg);

/* Terms of a sum, each an element of its own. arg: a formula_place. */
static inline void formula_term(formula *f, formula_place place)
{
    if (formula_take(f, "sum(")) {
        formula_loop(f, ",", formula_terms, &place);
        formula_need(f, ")");
        return;
    }
    element el = {.row = place.row, .sign = place.sign, .first = f->n_ops};
    formula_product(f, &el);
    el.count = f->n_ops - el.first;
    f->elements = formula_room(f->elements, f->n_elements + 1, &f->room_elements, sizeof *f->elements);
    f->elements[f->n_elements++] = el;
}

static inline void formula_terms(formula *f, void *arg)
{
    formula_place place = *(formula_place *)arg, minus = {place.row, -place.sign};
    formula_term(f, formula_take(f, "-") ? minus : place);
    for (;;) {
        if (formula_take(f, "+")) {
            formula_term(f, place);
        } else if (formula_take(f, "-")) {
            formula_term(f, minus);
        } else {
            return;
        }
    }
}

/* The constant terms from `begin` on are summed up and taken away. */
static inline double formula_constants(formula *f, uint32_t begin)
{
    double sum = 0;
    uint32_t kept = begin;
    f->order = 0;
    for (uint32_t e = begin; e < f->n_elements; e++) {
        element el = f->elements[e];
        if (el.locals == 0) {
            sum += el.sign * formula_run(f, &el, NULL)->v;
        } else {
            f->elements[kept++] = el;
        }
    }
    f->n_elements = kept;
    return sum;
}

typedef enum relation { REL_NONE, REL_EQUAL, REL_LESS, REL_MORE } relation;

static inline relation formula_relation(formula *f)
{
    return formula_take(f, "<=")   ? REL_LESS
           : formula_take(f, ">=") ? REL_MORE
           : formula_take(f, "=")  ? REL_EQUAL
                                   : REL_NONE;
}

/* "a <= terms <= b" or "terms R terms" as row f->m; returns its bounds. */
static inline void formula_one_row(formula *f, double *lower, double *upper)
{
    formula_place left = {f->m, 1}, right = {f->m, -1};
    uint32_t begin = f->n_elements;
    formula_terms(f, &left);
    double a = formula_constants(f, begin);
    bool range = f->n_elements == begin; /* a constant at the left: the row is in the middle */
    relation r = formula_relation(f);
    formula_terms(f, range ? &left : &right);
    double b = formula_constants(f, begin);
    *lower = -INFINITY;
    *upper = INFINITY;
    if (range) {
        *lower = r == REL_MORE ? -INFINITY : a - b;
        *upper = r == REL_LESS ? INFINITY : a - b;
        if (formula_take(f, "<=")) {
            *upper = formula_constant(f) - b;
        }
    } else {
        *lower = r == REL_LESS ? -INFINITY : -a - b;
        *upper = r == REL_MORE ? INFINITY : -a - b;
    }
    if (r == REL_NONE) {
        formula_fail(f, "a relation was expected");
    }
}

static inline void formula_rows(formula *f, void *arg)
{
    if (formula_take(f, "for ")) {
        formula_loop(f, ":", formula_rows, arg);
        return;
    }
    double lower, upper;
    uint32_t room = f->room_rows;
    formula_one_row(f, &lower, &upper);
    f->c_lower = formula_room(f->c_lower, f->m + 1, &room, sizeof *f->c_lower);
    f->c_upper = formula_room(f->c_upper, f->m + 1, &f->room_rows, sizeof *f->c_upper);
    f->c_lower[f->m] = lower;
    f->c_upper[f->m++] = upper;
}

static inline void formula_bound(formula *f, void *arg)
{
    if (formula_take(f, "for ")) {
        formula_loop(f, ":", formula_bound, arg);
        return;
    }
    double lower, upper;
    uint32_t begin = f->n_elements;
    formula_one_row(f, &lower, &upper);
    element el = f->elements[begin];
    if (f->n_elements != begin + 1 || el.count != 1 || el.sign != 1) {
        formula_fail(f, "bounds are of single variables");
    }
    f->n_elements = begin;
    f->x_lower[el.variable[0]] = fmax(f->x_lower[el.variable[0]], lower);
    f->x_upper[el.variable[0]] = fmin(f->x_upper[el.variable[0]], upper);
}

static inline void formula_list(formula *f, const char *text, formula_body *body)
{
    f->text = f->at = text;
    for (formula_skip(f); *f->at != '\0'; formula_skip(f)) {
        body(f, NULL);
        if (!formula_take(f, ";") && *f->at != '\0') {
            formula_fail(f, "; was expected");
        }
    }
}

static inline void formula_start_number(formula *f, void *given)
{
    uint32_t *next = given;
    if (formula_take(f, "for ")) {
        formula_loop(f, ":", formula_start_number, given);
    } else if (*next == f->nlp.n) {
        formula_fail(f, "more numbers than variables");
    } else {
        f->start[(*next)++] = formula_constant(f);
    }
}

static inline void formula_read_start(formula *f, const char *text)
{
    uint32_t given = 0;
    f->text = f->at = text;
    for (formula_skip(f); *f->at != '\0'; formula_take(f, ",")) {
        formula_start_number(f, &given);
        formula_skip(f);
    }
    for (uint32_t i = given; i < f->nlp.n && given > 0; i++) {
        f->start[i] = f->start[i % given];
    }
}

/* ---- patterns ---- */

static inline void formula_patterns(formula *f)
{
    dd_nlp *nlp = &f->nlp;
    for (uint32_t e = 0; e < f->n_elements; e++) {
        element *el = &f->elements[e];
        el->jacobian_at = nlp->jacobian_nnz;
        el->hessian_at = nlp->hessian_nnz;
        nlp->jacobian_nnz += el->row == OF_OBJECTIVE ? 0 : el->locals;
        nlp->hessian_nnz += el->locals * (el->locals + 1) / 2;
    }
    f->jacobian_row = calloc(nlp->jacobian_nnz + 1, sizeof *f->jacobian_row);
    f->jacobian_col = calloc(nlp->jacobian_nnz + 1, sizeof *f->jacobian_col);
    f->hessian_row = calloc(nlp->hessian_nnz + 1, sizeof *f->hessian_row);
    f->hessian_col = calloc(nlp->hessian_nnz + 1, sizeof *f->hessian_col);
    for (uint32_t e = 0; e < f->n_elements; e++) {
        const element *el = &f->elements[e];
        for (uint32_t i = 0, at = el->hessian_at; i < el->locals; i++) {
            uint32_t a = el->variable[i];
            if (el->row != OF_OBJECTIVE) {
                f->jacobian_row[el->jacobian_at + i] = el->row;
                f->jacobian_col[el->jacobian_at + i] = a;
            }
            for (uint32_t j = 0; j <= i; j++, at++) {
                uint32_t b = el->variable[j];
                f->hessian_row[at] = a > b ? a : b;
                f->hessian_col[at] = a > b ? b : a;
            }
        }
    }
}

static inline formula *formula_new(uint32_t n, const char *objective, const char *rows, const char *bounds,
                                   const char *start)
{
    formula *f = calloc(1, sizeof *f);
    f->nlp.n = n;
    f->x_lower = calloc(n + 1, sizeof *f->x_lower);
    f->x_upper = calloc(n + 1, sizeof *f->x_upper);
    f->start = calloc(n + 1, sizeof *f->start);
    for (uint32_t i = 0; i < n; i++) {
        f->x_lower[i] = -INFINITY;
        f->x_upper[i] = INFINITY;
    }
    formula_place place = {OF_OBJECTIVE, 1};
    f->text = f->at = objective;
    formula_terms(f, &place);
    formula_list(f, rows != NULL ? rows : "", formula_rows);
    formula_list(f, bounds != NULL ? bounds : "", formula_bound);
    formula_read_start(f, start != NULL ? start : "");
    formula_patterns(f);
    f->c_lower = f->c_lower != NULL ? f->c_lower : calloc(1, sizeof *f->c_lower);
    f->c_upper = f->c_upper != NULL ? f->c_upper : calloc(1, sizeof *f->c_upper);
    dd_nlp *nlp = &f->nlp;
    nlp->user = f;
    nlp->m = f->m;
    nlp->x_lower = f->x_lower;
    nlp->x_upper = f->x_upper;
    nlp->c_lower = f->c_lower;
    nlp->c_upper = f->c_upper;
    nlp->jacobian_row = f->jacobian_row;
    nlp->jacobian_col = f->jacobian_col;
    nlp->hessian_row = f->hessian_row;
    nlp->hessian_col = f->hessian_col;
    nlp->objective = formula_objective;
    nlp->gradient = formula_gradient;
    nlp->constraints = formula_constraints;
    nlp->jacobian = formula_jacobian;
    nlp->hessian = formula_hessian;
    return f;
}

static inline void formula_free(formula *f)
{
    double *const numbers[] = {f->x_lower, f->x_upper, f->c_lower, f->c_upper, f->start};
    uint32_t *const places[] = {f->jacobian_row, f->jacobian_col, f->hessian_row, f->hessian_col};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        free(numbers[i]);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        free(places[i]);
    }
    free(f->ops);
    free(f->elements);
    free(f);
}

#endif
