/* element.h - the terms of a program as postfix programs over jets, and the functions that a solver calls. */
#ifndef DD_TESTS_NLP_ELEMENT_H
#define DD_TESTS_NLP_ELEMENT_H

#include <stdlib.h>
#include <string.h>

#include "nlp/nlp.h"
#include "unit/nlp/set/jet.h"

enum { MOST_DEPTH = 24, MOST_LOOPS = 3 };

/* ---- programs ---- */

typedef enum op_code { OP_NUMBER, OP_VARIABLE, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POWER, OP_NEG, OP_CALL } op_code;

static const char *const call_names[] = {"exp", "log", "sqrt", "sin", "cos", "atan"};
enum { CALL_COUNT = sizeof call_names / sizeof call_names[0] };

typedef struct op {
    op_code code;
    double number;
    uint32_t index; /* local variable, or function */
} op;

#define OF_OBJECTIVE UINT32_MAX

typedef struct element {
    uint32_t row;
    double sign;
    uint32_t first, count; /* of ops */
    uint32_t locals, variable[MOST_LOCAL];
    uint32_t jacobian_at, hessian_at; /* first entries */
} element;

typedef struct formula {
    dd_nlp nlp;
    op *ops;
    uint32_t n_ops, room_ops;
    element *elements;
    uint32_t n_elements, room_elements;
    uint32_t m, room_rows;
    double *x_lower, *x_upper, *c_lower, *c_upper, *start;
    uint32_t *jacobian_row, *jacobian_col, *hessian_row, *hessian_col;
    jet stack[MOST_DEPTH];
    uint32_t order;       /* of derivatives that are wanted */
    uint32_t evaluations; /* calls of functions */
    /* while reading */
    const char *text, *at;
    struct {
        char name[8];
        long value;
    } loops[MOST_LOOPS];
    uint32_t n_loops;
} formula;

static inline void formula_call(jet *a, uint32_t k, uint32_t function)
{
    double v = a->v, e;
    switch (function) {
    case 0:
        e = exp(v);
        jet_chain(a, k, e, e, e);
        break;
    case 1:
        jet_chain(a, k, log(v), 1 / v, -1 / (v * v));
        break;
    case 2:
        e = sqrt(v);
        jet_chain(a, k, e, 0.5 / e, -0.25 / (e * v));
        break;
    case 3:
        jet_chain(a, k, sin(v), cos(v), -sin(v));
        break;
    case 4:
        jet_chain(a, k, cos(v), -sin(v), -cos(v));
        break;
    default:
        e = 1 / (1 + v * v);
        jet_chain(a, k, atan(v), e, -2 * v * e * e);
    }
}

/* One operation on the stack; returns its new height. */
static inline uint32_t formula_step(formula *f, const op *o, const double *x, const element *el, uint32_t height)
{
    uint32_t k = f->order > 0 ? el->locals : 0;
    jet *top = f->stack + height, *a = top - 2, *b = top - 1;
    switch (o->code) {
    case OP_NUMBER:
    case OP_VARIABLE:
        memset(top->g, 0, k * sizeof *top->g);
        memset(top->h, 0, k * (k + 1) / 2 * sizeof *top->h);
        top->v = o->code == OP_NUMBER ? o->number : x[el->variable[o->index]];
        if (o->code == OP_VARIABLE && k > 0) {
            top->g[o->index] = 1;
        }
        return height + 1;
    case OP_ADD:
        jet_combine(a, k, 1, b, 1);
        return height - 1;
    case OP_SUB:
        jet_combine(a, k, 1, b, -1);
        return height - 1;
    case OP_MUL:
        jet_multiply(a, k, b);
        return height - 1;
    case OP_DIV:
        jet_power(b, k, -1);
        jet_multiply(a, k, b);
        return height - 1;
    case OP_POWER:
        jet_power(b, k, o->number);
        return height;
    case OP_NEG:
        jet_combine(b, k, -1, b, 0);
        return height;
    default:
        formula_call(b, k, o->index);
        return height;
    }
}

/* The jet of an element; derivatives with f->order > 0. */
static inline const jet *formula_run(formula *f, const element *el, const double *x)
{
    uint32_t height = 0;
    for (uint32_t i = 0; i < el->count; i++) {
        height = formula_step(f, &f->ops[el->first + i], x, el, height);
    }
    return f->stack;
}

/* ---- what a solver calls ---- */

static inline bool formula_objective(void *user, const double *x, bool new_x, double *value)
{
    formula *f = user;
    (void)new_x;
    f->order = 0;
    f->evaluations++;
    *value = 0;
    for (uint32_t e = 0; e < f->n_elements; e++) {
        if (f->elements[e].row == OF_OBJECTIVE) {
            *value += f->elements[e].sign * formula_run(f, &f->elements[e], x)->v;
        }
    }
    return isfinite(*value);
}

static inline bool formula_gradient(void *user, const double *x, bool new_x, double *g)
{
    formula *f = user;
    bool finite = true;
    (void)new_x;
    f->order = 1;
    memset(g, 0, f->nlp.n * sizeof *g);
    for (uint32_t e = 0; e < f->n_elements; e++) {
        const element *el = &f->elements[e];
        if (el->row == OF_OBJECTIVE) {
            const jet *j = formula_run(f, el, x);
            for (uint32_t i = 0; i < el->locals; i++) {
                g[el->variable[i]] += el->sign * j->g[i];
                finite = finite && isfinite(j->g[i]);
            }
        }
    }
    return finite;
}

static inline bool formula_constraints(void *user, const double *x, bool new_x, double *c)
{
    formula *f = user;
    bool finite = true;
    (void)new_x;
    f->order = 0;
    f->evaluations++;
    memset(c, 0, f->m * sizeof *c);
    for (uint32_t e = 0; e < f->n_elements; e++) {
        const element *el = &f->elements[e];
        if (el->row != OF_OBJECTIVE) {
            c[el->row] += el->sign * formula_run(f, el, x)->v;
            finite = finite && isfinite(c[el->row]);
        }
    }
    return finite;
}

static inline bool formula_jacobian(void *user, const double *x, bool new_x, double *values)
{
    formula *f = user;
    bool finite = true;
    (void)new_x;
    f->order = 1;
    for (uint32_t e = 0; e < f->n_elements; e++) {
        const element *el = &f->elements[e];
        if (el->row != OF_OBJECTIVE) {
            const jet *j = formula_run(f, el, x);
            for (uint32_t i = 0; i < el->locals; i++) {
                values[el->jacobian_at + i] = el->sign * j->g[i];
                finite = finite && isfinite(j->g[i]);
            }
        }
    }
    return finite;
}

static inline bool formula_hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda,
                                   double *values)
{
    formula *f = user;
    bool finite = true;
    (void)new_x;
    f->order = 2;
    for (uint32_t e = 0; e < f->n_elements; e++) {
        const element *el = &f->elements[e];
        double weight = el->sign * (el->row == OF_OBJECTIVE ? sigma : lambda[el->row]);
        const jet *j = formula_run(f, el, x);
        for (uint32_t i = 0; i < el->locals * (el->locals + 1) / 2; i++) {
            values[el->hessian_at + i] = weight == 0 ? 0 : weight * j->h[i];
            finite = finite && isfinite(values[el->hessian_at + i]);
        }
    }
    return finite;
}

#endif
