/* transcription_kinks.c - the variables of kinks (kinks.h) on a mesh: s at every point where a function with a kink has a
 * value, its rows, and its value at a point of the program. */
#include "ocp/transcription_kinks.h"

#include <math.h>
#include <string.h>

#include "ocp/transcription_impl.h"

#define TIGHT 1e-5  /* scaled: how near to its kink a variable of a relaxed rate must be */
#define MARGIN 1e-2 /* by which s is larger than its kink at the start, scaled: a solver begins inside the rows */

/* ---- building ---- */

bool dd_transcription_shares(const dd_transcription *t, const dd_kink *kink)
{
    return kink->of_control && t->mesh.control == DD_CONTROL_CONSTANT;
}

uint32_t dd_transcription_add_kink(dd_transcription *t, uint32_t kink, uint32_t k, uint32_t j)
{
    const dd_kink *s = &t->o->kinks.data[kink];
    const double lower = s->lower / s->scale, upper = s->upper / s->scale;
    const uint32_t at = dd_elements_add_variable(t->elements, lower, upper, fmin(fmax(0, lower), upper));
    dd_vec_push(t->pool, &t->kinks, ((dd_kink_variable){at, kink, k, j}));
    return at;
}

void dd_transcription_point_kinks(dd_transcription *t, uint32_t k, uint32_t j)
{
    const dd_index_vec *list = &t->o->integrand_lifted.kinks;
    t->kinks_at[k * DD_DEGREE_MOST + j - 1] = NONE;
    /* those that have one value in an interval are last in the list, and belong to its first point */
    for (uint32_t i = 0; i < list->len; i++) {
        if (j == 1 || !dd_transcription_shares(t, &t->o->kinks.data[list->data[i]])) {
            const uint32_t at = dd_transcription_add_kink(t, list->data[i], k, j);
            t->kinks_at[k * DD_DEGREE_MOST + j - 1] = i == 0 ? at : t->kinks_at[k * DD_DEGREE_MOST + j - 1];
        }
    }
}

uint32_t dd_transcription_kink_at(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    const dd_kink *kink = &t->o->kinks.data[t->o->integrand_lifted.kinks.data[i]];
    const uint32_t point = dd_transcription_shares(t, kink) ? 1 : j;
    return t->kinks_at[k * DD_DEGREE_MOST + point - 1] + i;
}

void dd_transcription_kink_symbols(const dd_transcription *t, const dd_index_vec *list, dd_expr_vec *inputs)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(t->pool, inputs, t->o->kinks.data[list->data[i]].symbol);
    }
}

void dd_transcription_kink_pieces(const dd_transcription *t, const dd_index_vec *list, dd_expr_vec *outputs)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_kink *s = &t->o->kinks.data[list->data[i]];
        for (uint32_t p = 0; p < s->pieces.len; p++) {
            dd_vec_push(t->pool, outputs, s->pieces.data[p]);
        }
    }
}

/* side (s - a_i) >= 0, divided by the scale of s */
void dd_transcription_kink_rows(dd_transcription *t, const dd_kink_place *at, uint32_t kink, uint32_t variable,
                                uint32_t output)
{
    const dd_kink *s = &t->o->kinks.data[kink];
    for (uint32_t p = 0; p < s->pieces.len; p++) {
        const uint32_t row = dd_transcription_add_row(t, DD_ROW_KINK, s->first_piece + p, at->interval, at->number,
                                                      at->theta, 0, INFINITY);
        dd_elements_add_linear(t->elements, row, variable, s->side);
        dd_elements_output(t->elements, at->family, at->point, output + p, row, -s->side / s->scale);
        dd_vec_push(t->pool, &t->kink_rows, ((dd_kink_row){row, variable, kink}));
    }
}

void dd_transcription_kinks_of_point(dd_transcription *t, const dd_kink_place *at, const dd_index_vec *list,
                                     uint32_t input, uint32_t output)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_kink *s = &t->o->kinks.data[list->data[i]];
        const uint32_t variable = dd_transcription_add_kink(t, list->data[i], at->interval, at->number);
        dd_elements_input(t->elements, at->family, at->point, input + i, variable, s->scale);
        dd_transcription_kink_rows(t, at, list->data[i], variable, output);
        output += s->pieces.len;
    }
}

/* Kinks of the integrand at a point: inputs of the family, and rows. */
void dd_transcription_integrand_kinks(dd_transcription *t, const dd_kink_place *at)
{
    const dd_ocp_problem *o = t->o;
    const dd_index_vec *list = &o->integrand_lifted.kinks;
    uint32_t input = dd_transcription_inputs(o) + 1, output = o->x.len + o->g.len + (o->integrand != DD_EXPR_NONE);
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_kink *s = &o->kinks.data[list->data[i]];
        const uint32_t variable = dd_transcription_kink_at(t, at->interval, at->number, i);
        dd_elements_input(t->elements, at->family, at->point, input + i, variable, s->scale);
        if (at->number == 1 || !dd_transcription_shares(t, s)) {
            dd_transcription_kink_rows(t, at, list->data[i], variable, output);
        }
        output += s->pieces.len;
    }
}

/* The interval of the only instant that a kink is about; NONE: there are several. */
static uint32_t kink_interval(const dd_transcription *t, const dd_kink *s, double *theta)
{
    const dd_ocp_problem *o = t->o;
    dd_expr_vec symbols = {0};
    uint32_t found = 0, interval = NONE;
    *theta = 1;
    for (uint32_t p = 0; p < s->pieces.len; p++) {
        dd_symbols(o->dag, s->pieces.data[p], true, &symbols, t->pool);
    }
    for (uint32_t i = 0; i < o->instants.len; i++) {
        if (dd_transcription_uses(o, &symbols, &o->instants.data[i])) {
            *theta = o->instants.data[i].theta;
            interval = dd_mesh_interval(&t->mesh, *theta, *theta >= 1);
            found++;
        }
    }
    dd_vec_free(t->pool, &symbols);
    return found == 1 ? interval : NONE;
}

/* One kink after the other: each belongs to the interval of its instant. */
void dd_transcription_boundary_kinks(dd_transcription *t, uint32_t family, const dd_index_vec *kinks, uint32_t input)
{
    uint32_t output = 1;
    for (uint32_t i = 0; i < kinks->len; i++) {
        dd_index_vec one = {.data = &kinks->data[i], .len = 1};
        const dd_kink *s = &t->o->kinks.data[kinks->data[i]];
        dd_kink_place at = {.family = family};
        at.interval = kink_interval(t, s, &at.theta);
        dd_transcription_kinks_of_point(t, &at, &one, input + i, output);
        output += s->pieces.len;
    }
}

/* ---- values ---- */

/* What the rows say of s, which is 0 (a norm: 1) where they were evaluated: side (0 - a), or 1 - q. */
static double row_value(const dd_kink *s, double c)
{
    return s->norm ? sqrt(fmax(0, 1 - c)) : -s->side * c;
}

/* Kinks of one level, from the values of those inside them. False: something has no value. */
static bool settle_level(const dd_transcription *t, uint32_t level, double *y, double *c)
{
    const dd_nlp *nlp = t->nlp;
    for (uint32_t i = 0; i < t->kinks.len; i++) {
        const dd_kink *s = &t->o->kinks.data[t->kinks.data[i].kink];
        y[t->kinks.data[i].variable] = s->level != level ? y[t->kinks.data[i].variable] : s->norm ? 1 : 0;
    }
    if (!nlp->constraints(nlp->user, y, true, c)) {
        return false;
    }
    /* rows of a variable follow each other */
    for (uint32_t i = 0; i < t->kink_rows.len; i++) {
        const dd_kink_row *r = &t->kink_rows.data[i];
        const dd_kink *s = &t->o->kinks.data[r->kink];
        const double a = row_value(s, c[r->row]);
        const bool first = i == 0 || t->kink_rows.data[i - 1].variable != r->variable;
        if (s->level == level) {
            y[r->variable] = first ? a : s->side > 0 ? fmax(y[r->variable], a) : fmin(y[r->variable], a);
        }
    }
    return true;
}

/* y with all s at the values of their kinks. */
static bool settle(const dd_transcription *t, double *y)
{
    uint32_t levels = 0;
    double *c = dd_pool_alloc_array(t->pool, (size_t)t->nlp->m + 1, sizeof *c);
    for (uint32_t i = 0; i < t->o->kinks.len; i++) {
        levels = t->o->kinks.data[i].level + 1 > levels ? t->o->kinks.data[i].level + 1 : levels;
    }
    bool fine = true;
    for (uint32_t level = 0; level < levels && fine; level++) {
        fine = settle_level(t, level, y, c);
    }
    return fine;
}

void dd_transcription_start_kinks(const dd_transcription *t, double *y)
{
    if (t->kinks.len == 0 || !settle(t, y)) {
        return;
    }
    for (uint32_t i = 0; i < t->kinks.len; i++) {
        const uint32_t v = t->kinks.data[i].variable;
        const double inside = y[v] + MARGIN * t->o->kinks.data[t->kinks.data[i].kink].side;
        y[v] = fmin(fmax(inside, t->nlp->x_lower[v]), t->nlp->x_upper[v]);
    }
}

bool dd_transcription_kinks_tight(const dd_transcription *t, const double *y)
{
    double *exact = dd_pool_alloc_array(t->pool, (size_t)t->nlp->n + 1, sizeof *exact);
    memcpy(exact, y, t->nlp->n * sizeof *exact);
    bool tight = settle(t, exact);
    for (uint32_t i = 0; i < t->kinks.len && tight; i++) {
        const uint32_t v = t->kinks.data[i].variable;
        tight = t->kinks.data[i].kink < t->o->first_of_rates || fabs(y[v] - exact[v]) <= TIGHT * fmax(1, fabs(y[v]));
    }
    return tight;
}

bool dd_transcription_objective(const dd_transcription *t, const double *y, double *value)
{
    if (t->kinks.len == 0) {
        return false;
    }
    double *exact = dd_pool_alloc_array(t->pool, (size_t)t->nlp->n + 1, sizeof *exact);
    memcpy(exact, y, t->nlp->n * sizeof *exact);
    return settle(t, exact) && t->nlp->objective(t->nlp->user, exact, true, value) && isfinite(*value);
}

/* ---- along the horizon ---- */

void dd_transcription_shift_kinks(const dd_transcription *t, uint32_t *to)
{
    uint32_t points = 1; /* of an interval */
    for (uint32_t i = 0; i < t->kinks.len; i++) {
        points = t->kinks.data[i].point + 1 > points ? t->kinks.data[i].point + 1 : points;
    }
    dd_pool *scratch = dd_pool_child(t->pool);
    uint32_t *later = dd_pool_alloc_array(scratch, (size_t)t->o->kinks.len * points + 1, sizeof *later);
    /* from the end on: what was seen last is an interval later */
    for (uint32_t i = t->kinks.len; i-- > 0;) {
        const dd_kink_variable *v = &t->kinks.data[i];
        uint32_t *seen = &later[v->kink * points + v->point];
        to[v->variable] = *seen > 0 && v->interval != NONE ? *seen - 1 : v->variable;
        *seen = v->variable + 1;
    }
    dd_pool_free(scratch);
}
