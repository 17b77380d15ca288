/* method_text.c - methods for people: the tableau, the stability function, a table of all. Numbers are shown as
 * fractions where they are fractions, found by continued fractions in 113 bits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "methods/method.h"

enum { CELL = 64, SHORT = 14, DECIMALS = 8, MOST_SHOWN = 13 };

/* ---- numbers ---- */

/* "-25/216" into out when value is a fraction that fits; false otherwise */
static bool fraction(dd_quad value, dd_quad accuracy, char out[CELL])
{
    const dd_quad size = dd_quad_abs(value), tolerance = 64 * accuracy * dd_quad_max(1, size);
    /* convergents p/q of the continued fraction; the first one within the tolerance is the fraction */
    dd_quad p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = size;
    for (int k = 0; k < 24; k++) {
        /* a large partial quotient belongs to a value that is no simple fraction, and would overflow */
        if (rest > (dd_quad)1e12) {
            return false;
        }
        const dd_quad whole = (dd_quad)(int64_t)rest;
        const dd_quad p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        if (p2 > (dd_quad)1e12 || q2 > (dd_quad)1e12) {
            return false;
        }
        /* this is the fraction, unless its text is longer than decimals would be */
        if (dd_quad_abs(size - p2 / q2) <= tolerance) {
            const char *sign = value < 0 && p2 != 0 ? "-" : "";
            const int n = q2 == 1 ? snprintf(out, CELL, "%s%lld", sign, (long long)p2)
                                  : snprintf(out, CELL, "%s%lld/%lld", sign, (long long)p2, (long long)q2);
            return n <= SHORT;
        }
        p0 = p1;
        q0 = q1;
        p1 = p2;
        q1 = q2;
        /* the expansion ended without a fraction within the tolerance */
        if (rest == whole) {
            return false;
        }
        rest = 1 / (rest - whole);
    }
    return false;
}

static void cell(dd_quad value, dd_quad accuracy, uint32_t digits, char out[CELL])
{
    if (digits > 0) {
        dd_quad_text(value, digits, out);
    } else if (!fraction(value, accuracy < (dd_quad)1e-20 ? dd_quad_max(accuracy, (dd_quad)1e-29) : accuracy, out)) {
        /* not a fraction to the 29 digits that formulas keep after a few roundings */
        dd_quad_text(value, DECIMALS, out);
    }
}

/* ---- the tableau ---- */

typedef struct {
    dd_text *out;
    const dd_tableau *t;
    uint32_t digits;
    uint32_t width[DD_TABLEAU_STAGES + 1]; /* of the columns; the nodes first */
} grid;

static void widen(grid *g, uint32_t column, dd_quad value)
{
    char text[CELL];
    cell(value, g->t->exact.accuracy, g->digits, text);
    const uint32_t n = (uint32_t)strlen(text);
    g->width[column] = n > g->width[column] ? n : g->width[column];
}

static void put_cell(const grid *g, uint32_t column, dd_quad value, bool blank)
{
    char text[CELL];
    cell(value, g->t->exact.accuracy, g->digits, text);
    dd_text_printf(g->out, "  %*s", (int)g->width[column], blank ? "" : text);
}

static void put_row(const grid *g, const char *label, const dd_quad *node, const dd_quad *values, bool blanks)
{
    dd_text_add(g->out, "  ");
    if (node) {
        put_cell(g, 0, *node, false);
    } else {
        dd_text_printf(g->out, "  %*s", (int)g->width[0], label);
    }
    dd_text_add(g->out, " |");
    uint32_t last = g->t->stages;
    while (blanks && last > 0 && values[last - 1] == 0) {
        last--; /* an explicit method's zeros are left out, as in books */
    }
    for (uint32_t j = 0; j < last; j++) {
        put_cell(g, j + 1, values[j], false);
    }
    dd_text_add_char(g->out, '\n');
}

static void put_line(const grid *g)
{
    dd_text_add(g->out, "  ");
    for (uint32_t k = 0; k < g->width[0] + 3; k++) {
        dd_text_add_char(g->out, '-');
    }
    dd_text_add_char(g->out, '+');
    for (uint32_t j = 1; j <= g->t->stages; j++) {
        for (uint32_t k = 0; k < g->width[j] + 2; k++) {
            dd_text_add_char(g->out, '-');
        }
    }
    dd_text_add_char(g->out, '\n');
}

static void put_tableau(dd_text *out, const dd_tableau *t, uint32_t digits)
{
    const uint32_t s = t->stages;
    grid g = {.out = out, .t = t, .digits = digits};
    /* widths of the columns first; labels of rows need one or four characters */
    g.width[0] = t->bhat ? 4 : 1;
    for (uint32_t i = 0; i < s; i++) {
        widen(&g, 0, t->exact.c[i]);
        for (uint32_t j = 0; j < s; j++) {
            widen(&g, j + 1, t->exact.A[(size_t)i * s + j]);
        }
        widen(&g, i + 1, t->exact.b[i]);
        if (t->bhat) {
            widen(&g, i + 1, t->exact.bhat[i]);
        }
    }
    /* explicit and diagonal methods leave out the zeros behind the diagonal */
    for (uint32_t i = 0; i < s; i++) {
        put_row(&g, "", &t->exact.c[i], t->exact.A + (size_t)i * s, t->structure != DD_TABLEAU_IMPLICIT);
    }
    put_line(&g);
    put_row(&g, "b", NULL, t->exact.b, false);
    if (t->bhat) {
        put_row(&g, "bhat", NULL, t->exact.bhat, false);
    }
}

/* nodes and weights only, for a method with many stages */
static void put_weights(dd_text *out, const dd_tableau *t, uint32_t digits)
{
    dd_text_printf(out, "  %u x %u coefficients (%s); nodes and weights:\n", t->stages, t->stages,
                   dd_option_phrase(dd_pool_context(out->pool), "--json prints them all", "the JSON has them all"));
    for (uint32_t i = 0; i < t->stages; i++) {
        char node[CELL], weight[CELL];
        dd_quad_text(t->exact.c[i], digits > 0 ? digits : 16, node);
        dd_quad_text(t->exact.b[i], digits > 0 ? digits : 16, weight);
        dd_text_printf(out, "    %-*s  %s\n", (int)(digits > 0 ? digits + 6 : 22), node, weight);
    }
}

/* ---- the stability function ---- */

static void put_polynomial(dd_text *out, const dd_quad *p, uint32_t n, dd_quad accuracy)
{
    for (uint32_t k = 0; k <= n; k++) {
        /* terms that vanish are left out, and so is the factor 1 before a power of z */
        char text[CELL];
        if (p[k] == 0) {
            continue;
        }
        cell(dd_quad_abs(p[k]), accuracy, 0, text);
        dd_text_add(out, k == 0 ? (p[k] < 0 ? "-" : "") : p[k] < 0 ? " - " : " + ");
        const bool one = k > 0 && strcmp(text, "1") == 0;
        dd_text_add(out, one ? "" : text);
        if (k > 0) {
            dd_text_printf(out, "%sz", one ? "" : " ");
        }
        if (k > 1) {
            dd_text_printf(out, "^%u", k);
        }
    }
}

static void put_function(dd_text *out, const dd_method *m)
{
    const dd_stability *f = m->stability;
    const dd_quad accuracy = dd_quad_max(m->tableau->exact.accuracy, (dd_quad)1e-28);
    const bool ratio = f->denominator_degree > 0;
    /* a polynomial for explicit methods, otherwise a ratio on two lines */
    dd_text_add(out, ratio ? "  R(z) = (" : "  R(z) = ");
    put_polynomial(out, f->numerator, f->numerator_degree, accuracy);
    if (ratio) {
        dd_text_add(out, ")\n         / (");
        put_polynomial(out, f->denominator, f->denominator_degree, accuracy);
        dd_text_add(out, ")");
    }
    dd_text_add_char(out, '\n');
}

/* "L-stable", "A-stable", or how far it is stable */
static void put_stability(dd_text *out, const dd_method *m)
{
    const dd_stability *f = m->stability;
    if (dd_method_a_stable(m)) {
        dd_text_add(out, dd_method_l_stable(m) ? "L-stable" : "A-stable");
        return;
    }
    if (!f) {
        dd_text_printf(out, "A(%.2f deg)-stable", m->bdf.angle);
        return;
    }
    /* beyond 1e5 the search along the axis gave up: no bound in practice */
    if (f->real > 1e5) {
        dd_text_add(out, "whole negative axis");
    } else {
        dd_text_printf(out, "real axis to %.4g", -f->real);
    }
    if (f->imaginary > 0 && f->imaginary < 1e5) {
        dd_text_printf(out, ", imaginary to %.4g", f->imaginary);
    }
}

/* ---- one method ---- */

static const char *describe(const dd_method *m)
{
    switch (m->tableau->structure) {
    case DD_TABLEAU_EXPLICIT:
        return "an explicit";
    case DD_TABLEAU_DIAGONAL:
        return m->tableau->stages > 1 ? "a diagonally implicit" : "an implicit";
    default:
        return "an implicit";
    }
}

static void put_head(dd_text *out, const dd_method *m)
{
    const dd_tableau *t = m->tableau;
    dd_text_printf(out, "%s: %s Runge-Kutta method with %u stage%s, order %u", m->name, describe(m), t->stages,
                   t->stages == 1 ? "" : "s", t->order);
    if (t->embedded_order > 0) {
        dd_text_printf(out, ", embedded formula of order %u", t->embedded_order);
    }
    dd_text_add(out, "\n\n");
}

static void put_multistep(dd_text *out, const dd_method *m)
{
    const dd_bdf *f = &m->bdf;
    dd_text_printf(out, "%s: backward differentiation formula with %u step%s, order %u\n\n", m->name, f->steps,
                   f->steps == 1 ? "" : "s", f->steps);
    dd_text_add(out, "  h x'[n+1] = ");
    /* x[n+1], x[n], x[n-1], ... with the signs between them */
    for (uint32_t j = 0; j <= f->steps; j++) {
        char text[CELL];
        cell(dd_quad_abs((dd_quad)f->numerator[j] / f->denominator), DD_QUAD_EPSILON, 0, text);
        const bool one = strcmp(text, "1") == 0;
        dd_text_add(out, j == 0 ? "" : f->numerator[j] < 0 ? " - " : " + ");
        dd_text_printf(out, "%s%sx[n%s", one ? "" : text, one ? "" : " ", j == 0 ? "+1" : "");
        if (j > 1) {
            dd_text_printf(out, "-%u", j - 1);
        }
        dd_text_add_char(out, ']');
    }
    dd_text_add(out, "\n\n");
}

static void put_cost(dd_text *out, const dd_method *m, double tol)
{
    const double n = dd_method_evaluations(m, tol);
    char number[32];
    if (n >= 0) {
        dd_text_printf(out, "  about %.0f evaluations for a global error of %s over a unit of time\n", n,
                       dd_number_text(tol, number));
    }
}

void dd_method_write_text(dd_text *out, const dd_method *m, double tol, uint32_t digits)
{
    /* coefficients and stability function, then the properties they imply */
    const dd_tableau *t = m->tableau;
    if (!t) {
        put_multistep(out, m);
    } else {
        put_head(out, m);
        if (t->stages <= MOST_SHOWN) {
            put_tableau(out, t, digits);
        } else {
            put_weights(out, t, digits);
        }
        dd_text_add_char(out, '\n');
        put_function(out, m);
    }
    dd_text_add(out, "  ");
    put_stability(out, m);
    dd_text_add_char(out, '\n');
    /* defects of a method that a user wrote are reported, not refused */
    if (!m->row_sums_ok) {
        dd_text_add(out,
                    "  c is not the row sums of A: the order holds for equations without t on their right side only\n");
    }
    if (t && t->order == 0) {
        dd_text_add(out, "  the weights b do not sum up to 1: the method does not converge\n");
    }
    if (tol > 0) {
        put_cost(out, m, tol);
    }
}

/* ---- the list ---- */

static void put_list_row(dd_text *out, const dd_method *m, double tol)
{
    char pair[16] = "-";
    if (dd_method_embedded_order(m) > 0) {
        snprintf(pair, sizeof pair, "%u", dd_method_embedded_order(m));
    }
    dd_text_printf(out, "  %-18s %-9s %6u %6u %6s  ", m->name, dd_method_kind_name(dd_method_kind_of(m)),
                   dd_method_stages(m), dd_method_order(m), pair);
    if (tol > 0) {
        dd_text_printf(out, "%12.0f  ", dd_method_evaluations(m, tol));
    }
    put_stability(out, m);
    dd_text_add_char(out, '\n');
}

static void put_suggestion(dd_text *out, const dd_method_list *list, dd_method_kind kind, double tol)
{
    const dd_method *m = dd_method_list_suggest(list, kind, tol);
    if (m) {
        dd_text_printf(out, "  %-28s %s, about %.0f evaluations\n",
                       kind == DD_METHOD_EXPLICIT ? "not stiff, step control:" : "stiff, or a DAE:", m->name,
                       dd_method_evaluations(m, tol));
    }
}

void dd_method_list_write_text(dd_text *out, const dd_method_list *list, double tol)
{
    dd_text_printf(out, "  %-18s %-9s %6s %6s %6s  %s%s\n", "name", "kind", "stages", "order", "pair",
                   tol > 0 ? " evaluations  " : "", "stability");
    for (uint32_t i = 0; i < list->count; i++) {
        put_list_row(out, list->methods[i], tol);
    }
    dd_text_add(out,
                "\n  gauss-S radau-S lobatto-S lobatto-iiia-S lobatto-iiib-S: any S up to 20; chebyshev-N: N points,\n"
                "  up to 65; generic2:ALPHA generic3:ALPHA: any ALPHA but 0 (and 2/3, 1 for generic3)\n");
    if (tol > 0) {
        char number[32];
        dd_text_add(out, "\n  evaluations: stages * tol^(-1/order), which would give a global error of ");
        dd_text_add(out, dd_number_text(tol, number));
        dd_text_add(out, " over a unit of time\n  if the error were h^order; fewest:\n");
        put_suggestion(out, list, DD_METHOD_EXPLICIT, tol);
        put_suggestion(out, list, DD_METHOD_IMPLICIT, tol);
    }
}
