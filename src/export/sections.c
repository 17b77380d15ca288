/* sections.c - which section each variable, row and entry of a program belongs to, and its place there. Start at
 * dd_sections_new; sections_points.c has the points of families. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "export/sections_impl.h"

enum {
    SHARED_MOST = 80, /* rows: their matrix is dense */
    IDS_MOST = 65000  /* tables have numbers of 16 bits */
};

/* ---- sizes ---- */

#define LARGE 1e3    /* a plan with larger values of a variable: its size was not known when it was made */
#define ROUNDED 1e-8 /* sizes below that no one told are those of a computed start which is zero but for rounded data */

static double unit_of(const dd_sections *s, const dd_decision *d, double largest)
{
    const dd_variable *v = &s->t->o->model->vars.data[d->var];
    const bool told = v->has_nominal || fabs(d->start_value) > ROUNDED || isfinite(d->lower) || isfinite(d->upper);
    return d->scale < ROUNDED && !told ? 1 / d->scale : largest > LARGE ? largest : 1;
}

/* Of decision i at all nodes and points; kind 0: x, 1: z, 2: u. */
static double find_unit(const dd_sections *s, const double *plan, int kind, uint32_t i, bool set, double unit)
{
    const dd_transcription *t = s->t;
    double largest = 0;
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        const uint32_t points = k < t->mesh.n ? t->mesh.degree[k] : 0;
        for (uint32_t j = 0; j <= points; j++) {
            const bool has_u = j > 0 ? t->mesh.control == DD_CONTROL_POLYNOMIAL
                                     : t->mesh.control == DD_CONTROL_LINEAR ||
                                           (t->mesh.control == DD_CONTROL_CONSTANT && k < t->mesh.n);
            if ((kind == 1 && j == 0) || (kind == 2 && !has_u)) {
                continue;
            }
            const uint32_t at = kind == 0   ? dd_transcription_x(t, k, j, i)
                                : kind == 1 ? dd_transcription_z(t, k, j, i)
                                : j > 0     ? dd_transcription_u(t, k, j, i)
                                            : t->u_at[k] + i;
            largest = fmax(largest, fabs(plan[at]));
            s->unit[at] = set ? unit : s->unit[at];
        }
    }
    return largest;
}

static double *find_units(const dd_sections *s, const double *plan, int kind, const dd_decision_vec *list)
{
    const uint32_t count = list->len;
    double *units = dd_pool_alloc_array(s->pool, (size_t)count + 1, sizeof *units);
    for (uint32_t i = 0; i < count; i++) {
        units[i] = unit_of(s, &list->data[i], find_unit(s, plan, kind, i, false, 1));
        find_unit(s, plan, kind, i, true, units[i]);
    }
    return units;
}

/* Rows of states are divided by their units. */
static void set_units(dd_sections *s, const double *plan)
{
    const dd_transcription *t = s->t;
    s->unit = dd_pool_alloc_array(s->pool, (size_t)t->nlp->n + 1, sizeof *s->unit);
    s->row_unit = dd_pool_alloc_array(s->pool, (size_t)t->nlp->m + 1, sizeof *s->row_unit);
    for (uint32_t i = 0; i < t->nlp->n; i++) {
        s->unit[i] = 1;
    }
    s->x_unit = find_units(s, plan, 0, &t->o->x);
    s->z_unit = find_units(s, plan, 1, &t->o->z);
    s->u_unit = find_units(s, plan, 2, &t->o->u);
    for (uint32_t i = 0; i < t->nlp->m; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        const bool of_state =
            tag->kind == DD_ROW_DYNAMICS || tag->kind == DD_ROW_CONTINUITY || tag->kind == DD_ROW_START;
        s->row_unit[i] = of_state ? 1 / s->x_unit[tag->index] : 1;
    }
}

/* ---- variables ---- */

uint32_t dd_section_of(const sectioner *p, uint32_t variable)
{
    const uint32_t *base = p->s->base;
    uint32_t low = 0, high = p->s->n;
    if (variable >= p->end) {
        return DD_NO_INDEX;
    }
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (base[middle] <= variable) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static bool at_node(const sectioner *p, uint32_t variable)
{
    return variable - p->s->base[dd_section_of(p, variable)] < p->s->node;
}

static uint32_t not_beyond(const sectioner *p, uint32_t k)
{
    return k < p->s->n ? k : p->s->n - 1;
}

dd_reach dd_reach_none(void)
{
    return (dd_reach){DD_NO_INDEX, 0, true};
}

void dd_reach_add(const sectioner *p, dd_reach *r, uint32_t variable)
{
    const uint32_t k = dd_section_of(p, variable);
    if (k == DD_NO_INDEX) {
        return;
    }
    const bool node = at_node(p, variable);
    r->nodes = k > r->last || r->first == DD_NO_INDEX ? node : k == r->last ? r->nodes && node : r->nodes;
    r->first = k < r->first ? k : r->first;
    r->last = k > r->last ? k : r->last;
}

uint32_t dd_reach_section(const sectioner *p, const dd_reach *r)
{
    if (r->first == DD_NO_INDEX) {
        return 0;
    }
    const bool next = r->last == r->first + 1 && r->nodes;
    return r->first == r->last || next ? not_beyond(p, r->first) : DD_NO_INDEX;
}

/* ---- rows ---- */

static bool has_bounds(const dd_nlp *nlp, uint32_t row)
{
    return isfinite(nlp->c_lower[row]) || isfinite(nlp->c_upper[row]);
}

/* What a row does: a link or a row inside belongs to the section of what it determines. */
static void sort_row(sectioner *p, uint32_t row, const dd_reach *reach)
{
    const dd_nlp *nlp = p->t->nlp;
    const uint32_t det = nlp->shape->determines[row], home = dd_reach_section(p, reach);
    row_note *note = &p->row[row];
    *note = (row_note){ROW_SHARED, home, DD_NO_INDEX, 0};
    if (!has_bounds(nlp, row)) {
        note->kind = ROW_NONE;
    } else if (det != DD_DETERMINES_NONE && dd_section_of(p, det) != DD_NO_INDEX) {
        const uint32_t k = dd_section_of(p, det);
        const bool node = at_node(p, det);
        if (!node && home == k) {
            *note = (row_note){ROW_INSIDE, k, det, 0};
        } else if (node && k > 0 && home == k - 1) {
            *note = (row_note){ROW_LINK, k - 1, det, 0};
        }
    } else if (nlp->c_lower[row] < nlp->c_upper[row] && home != DD_NO_INDEX) {
        note->kind = ROW_INEQUALITY;
    }
    if (note->kind == ROW_INSIDE || note->kind == ROW_LINK) {
        p->by[det] = row;
    }
}

static void sort_rows(sectioner *p)
{
    const dd_nlp *nlp = p->t->nlp;
    dd_reach *reach = dd_pool_alloc_array(p->pool, (size_t)nlp->m + 1, sizeof *reach);
    p->row = dd_pool_alloc_array(p->pool, (size_t)nlp->m + 1, sizeof *p->row);
    p->by = dd_pool_alloc_array(p->pool, (size_t)nlp->n + 1, sizeof *p->by);
    memset(p->by, 0xff, nlp->n * sizeof *p->by);
    for (uint32_t i = 0; i < nlp->m; i++) {
        reach[i] = dd_reach_none();
    }
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        dd_reach_add(p, &reach[nlp->jacobian_row[e]], nlp->jacobian_col[e]);
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        sort_row(p, i, &reach[i]);
        p->row[i].last = reach[i].first == DD_NO_INDEX ? 0 : not_beyond(p, reach[i].last);
    }
}

typedef struct ranked {
    uint32_t row, last;
} ranked;

/* Those that reach the latest intervals first. */
static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->last != y->last ? (x->last > y->last ? -1 : 1) : x->row != y->row ? (x->row < y->row ? -1 : 1) : 0;
}

static void rank_shared(sectioner *p)
{
    dd_sections *s = p->s;
    const uint32_t m = p->t->nlp->m;
    ranked *list = dd_pool_alloc_array(p->pool, (size_t)m + 1, sizeof *list);
    for (uint32_t i = 0; i < m; i++) {
        if (p->row[i].kind == ROW_SHARED) {
            list[s->shared++] = (ranked){i, p->row[i].last};
        }
    }
    if (s->shared > SHARED_MOST) {
        dd_raise(s->ctx, DD_LIMIT,
                 "generated solvers have room for %d equality rows in addition to the equations of the model, but "
                 "there are %u: "
                 "take fewer intervals (%s), or replace path equalities by algebraic equations of the model",
                 (int)SHARED_MOST, s->shared, dd_option_word(s->ctx, "--intervals"));
    }
    /* those that end last come first, so that the rows active in an interval are the first ones of the list */
    qsort(list, s->shared, sizeof *list, compare_ranked);
    s->active = dd_pool_alloc_array(p->pool, s->n + 1, sizeof *s->active);
    for (uint32_t i = 0; i < s->shared; i++) {
        p->row[list[i].row].place = i;
        for (uint32_t k = 0; k <= list[i].last; k++) {
            s->active[k]++;
        }
    }
}

/* The new numbers: section by section, inside, links, inequalities; then shared rows. */
static void number_rows(sectioner *p)
{
    dd_sections *s = p->s;
    const uint32_t m = p->t->nlp->m;
    s->new_row = dd_pool_alloc_array(p->pool, (size_t)m + 1, sizeof *s->new_row);
    memset(s->new_row, 0xff, m * sizeof *s->new_row);
    s->row_base = dd_pool_alloc_array(p->pool, s->n + 1, sizeof *s->row_base);
    uint32_t *count = dd_pool_alloc_array(p->pool, 3 * (size_t)s->n + 1, sizeof *count);
    /* places among the rows of the same kind and section, then where each section begins */
    for (uint32_t i = 0; i < m; i++) {
        row_note *note = &p->row[i];
        if (note->kind <= ROW_INEQUALITY) {
            const uint32_t at = count[3 * note->section + (uint32_t)note->kind]++;
            note->place = note->kind == ROW_INSIDE ? note->place : at; /* those have their places already */
        }
    }
    for (uint32_t k = 0; k < s->n; k++) {
        dd_section *c = &s->section[k];
        c->nd = count[3 * k + ROW_INSIDE];
        c->nl = count[3 * k + ROW_LINK];
        c->ni = count[3 * k + ROW_INEQUALITY];
        s->row_base[k + 1] = s->row_base[k] + c->nd + c->nl + c->ni;
    }
    /* in a section: rows inside, links, inequalities; shared rows come behind all sections */
    s->rows = s->row_base[s->n] + s->shared;
    for (uint32_t i = 0; i < m; i++) {
        row_note *note = &p->row[i];
        const dd_section *c = note->section != DD_NO_INDEX ? &s->section[note->section] : NULL;
        if (note->kind == ROW_SHARED) {
            s->new_row[i] = s->rows - s->shared + note->place;
        } else if (note->kind <= ROW_INEQUALITY && c != NULL) {
            note->place += note->kind == ROW_INSIDE ? 0 : note->kind == ROW_LINK ? c->nd : c->nd + c->nl;
            s->new_row[i] = s->row_base[note->section] + note->place;
        }
    }
}

/* ---- places ---- */

static void place(sectioner *p, uint32_t k, uint32_t local)
{
    dd_section *c = &p->s->section[k];
    p->place[k][local] = c->var.len;
    dd_vec_push(p->pool, &c->var, local);
}

/* d, the node, free variables inside and of the next node, the border, what links determine. */
static void place_variables(sectioner *p, uint32_t k)
{
    dd_sections *s = p->s;
    dd_section *c = &s->section[k];
    const uint32_t base = s->base[k], inside = s->base[k + 1] - base;
    c->length = inside + s->node;
    c->owned = k + 1 == s->n ? c->length : inside;
    p->place[k] = dd_pool_alloc_array(p->pool, (size_t)c->length + s->border + 1, sizeof **p->place);
    for (uint32_t i = 0; i < c->nd; i++) {
        place(p, k, p->inside[k][i] - base);
    }
    for (uint32_t i = 0; i < s->node; i++) {
        place(p, k, i);
    }
    for (uint32_t i = s->node; i < inside; i++) {
        if (p->by[base + i] == DD_NO_INDEX) {
            place(p, k, i);
            c->nf++;
        }
    }
    for (uint32_t i = 0; i < s->node; i++) {
        if (p->by[base + inside + i] == DD_NO_INDEX) {
            place(p, k, inside + i);
            c->nn++;
        }
    }
    for (uint32_t i = 0; i < s->border; i++) {
        place(p, k, c->length + i);
    }
    c->ne = s->node + c->nf + c->nn + s->border;
    /* links in the order of their rows: place nd + ne + l belongs to link l */
    for (uint32_t l = 0; l < c->nl; l++) {
        for (uint32_t i = 0; i < s->node; i++) {
            const uint32_t row = p->by[base + inside + i];
            if (row != DD_NO_INDEX && p->row[row].place == c->nd + l) {
                place(p, k, inside + i);
            }
        }
    }
    for (uint32_t i = 0; i < s->node; i++) {
        dd_vec_push(p->pool, &c->next, p->place[k][inside + i]);
    }
    s->free += c->nf + c->nn + (k == 0 ? s->node - p->t->o->x.len : 0);
    if (c->var.len != c->length + s->border) {
        dd_raise(s->ctx, DD_INVALID_MODEL, "generated solvers cannot use the shape of this program (interval %u)",
                 k + 1);
    }
}

uint32_t dd_section_place(const sectioner *p, uint32_t k, uint32_t variable)
{
    const dd_section *c = &p->s->section[k];
    return p->place[k][variable >= p->end ? c->length + variable - p->end : variable - p->s->base[k]];
}

/* ---- entries of the Jacobian and the Hessian ---- */

typedef struct located {
    uint32_t section, row, column, entry;
} located;

static int compare_located(const void *a, const void *b)
{
    const located *x = a, *y = b;
    return x->section != y->section ? (x->section < y->section ? -1 : 1)
           : x->row != y->row       ? (x->row < y->row ? -1 : 1)
           : x->column != y->column ? (x->column < y->column ? -1 : 1)
                                    : 0;
}

/* The part of a shared row in section k: one more row there. */
static uint32_t shared_place(sectioner *p, uint32_t k, uint32_t rank)
{
    dd_section *c = &p->s->section[k];
    for (uint32_t i = 0; i < c->shared.len; i++) {
        if (c->shared.data[i] == rank) {
            return c->nd + c->nl + c->ni + i;
        }
    }
    dd_vec_push(p->pool, &c->shared, rank);
    c->ns++;
    return c->nd + c->nl + c->ni + c->ns - 1;
}

static void list_jacobian(sectioner *p)
{
    dd_sections *s = p->s;
    const dd_nlp *nlp = p->t->nlp;
    const double *linear = dd_elements_linear_part(p->t->elements);
    located *list = dd_pool_alloc_array(p->pool, (size_t)nlp->jacobian_nnz + 1, sizeof *list);
    p->jacobian = dd_pool_alloc_array(p->pool, (size_t)nlp->jacobian_nnz + 1, sizeof *p->jacobian);
    uint32_t count = 0;
    /* where each is */
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        const uint32_t variable = nlp->jacobian_col[e], row = nlp->jacobian_row[e];
        const row_note *note = &p->row[row];
        if (note->kind == ROW_NONE) {
            continue;
        }
        uint32_t k = note->section, local = note->place;
        if (note->kind == ROW_SHARED) {
            const uint32_t of = dd_section_of(p, variable);
            k = of == DD_NO_INDEX ? 0 : not_beyond(p, of);
            local = shared_place(p, k, note->place);
        }
        list[count++] = (located){k, local, dd_section_place(p, k, variable), e};
    }
    /* row by row */
    qsort(list, count, sizeof *list, compare_located);
    s->jac_base = dd_pool_alloc_array(p->pool, s->n + 1, sizeof *s->jac_base);
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        dd_section *c = &s->section[k];
        const uint32_t first = at;
        for (uint32_t row = 0; row < c->nd + c->nl + c->ni + c->ns; row++) {
            dd_vec_push(p->pool, &c->row_ptr, at - first);
            for (; at < count && list[at].section == k && list[at].row == row; at++) {
                p->jacobian[list[at].entry] = at;
                dd_vec_push(p->pool, &c->col, list[at].column);
                dd_vec_push(p->pool, &c->col_var, c->var.data[list[at].column]);
                const uint32_t e = list[at].entry;
                dd_vec_push(p->pool, &c->fixed,
                            linear[e] * s->unit[nlp->jacobian_col[e]] * s->row_unit[nlp->jacobian_row[e]]);
            }
        }
        dd_vec_push(p->pool, &c->row_ptr, at - first);
        c->nj = at - first;
        s->jac_base[k + 1] = at;
    }
    s->jacobian = at;
}

/* Interval k with both variables; DD_NO_INDEX: there is none. */
static uint32_t section_of_pair(const sectioner *p, uint32_t a, uint32_t b)
{
    dd_reach reach = dd_reach_none();
    dd_reach_add(p, &reach, a);
    dd_reach_add(p, &reach, b);
    return dd_reach_section(p, &reach);
}

static void list_hessian(sectioner *p)
{
    dd_sections *s = p->s;
    const dd_nlp *nlp = p->t->nlp;
    located *list = dd_pool_alloc_array(p->pool, (size_t)nlp->hessian_nnz + 1, sizeof *list);
    p->hessian = dd_pool_alloc_array(p->pool, (size_t)nlp->hessian_nnz + 1, sizeof *p->hessian);
    /* an entry belongs to the interval that has both variables; without one it would couple intervals */
    for (uint32_t e = 0; e < nlp->hessian_nnz; e++) {
        const uint32_t a = nlp->hessian_row[e], b = nlp->hessian_col[e], k = section_of_pair(p, a, b);
        if (k == DD_NO_INDEX) {
            dd_raise(
                s->ctx, DD_INVALID_MODEL,
                "generated solvers need costs and constraints in which values at different times enter linearly, or "
                "each in its own term: carry such a product as a state or a parameter instead");
        }
        list[e] = (located){k, dd_section_place(p, k, a), dd_section_place(p, k, b), e};
    }
    qsort(list, nlp->hessian_nnz, sizeof *list, compare_located);
    s->hes_base = dd_pool_alloc_array(p->pool, s->n + 1, sizeof *s->hes_base);
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        dd_section *c = &s->section[k];
        for (; at < nlp->hessian_nnz && list[at].section == k; at++) {
            p->hessian[list[at].entry] = at;
            dd_vec_push(p->pool, &c->hes_i, list[at].row);
            dd_vec_push(p->pool, &c->hes_j, list[at].column);
        }
        s->hes_base[k + 1] = at;
        c->nh = at - s->hes_base[k];
    }
    s->hessian = at;
}

/* ---- bounds ---- */

static void list_bounds(sectioner *p)
{
    const dd_sections *s = p->s;
    const dd_nlp *nlp = p->t->nlp;
    for (uint32_t k = 0; k < s->n; k++) {
        dd_section *c = &s->section[k];
        for (uint32_t i = 0; i < c->owned; i++) {
            dd_vec_push(p->pool, &c->lower, nlp->x_lower[s->base[k] + i] / s->unit[s->base[k] + i]);
            dd_vec_push(p->pool, &c->upper, nlp->x_upper[s->base[k] + i] / s->unit[s->base[k] + i]);
        }
    }
    for (uint32_t i = 0; i < nlp->m; i++) { /* in order, as their places are */
        if (p->row[i].kind == ROW_INEQUALITY) {
            dd_section *c = &s->section[p->row[i].section];
            dd_vec_push(p->pool, &c->row_lower, nlp->c_lower[i]);
            dd_vec_push(p->pool, &c->row_upper, nlp->c_upper[i]);
        }
    }
}

/* ---- all of it ---- */

static void refuse(const dd_sections *s)
{
    const dd_transcription *t = s->t;
    const dd_nlp *nlp = t->nlp;
    if (t->shooting != NULL || nlp->shape == NULL || nlp->shape->intervals != t->mesh.n) {
        dd_raise(s->ctx, DD_INVALID_MODEL,
                 "generated solvers need a program of collocation on one chain of intervals: not shooting, not several "
                 "phases");
    }
    if (t->o->x.len == 0) {
        dd_raise(s->ctx, DD_INVALID_MODEL, "generated solvers need a model with states; this one has none");
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        if (nlp->x_lower[i] == nlp->x_upper[i]) {
            dd_text name = dd_text_new(s->pool);
            if (nlp->column_name != NULL) {
                nlp->column_name(nlp->user, i, &name);
            }
            dd_raise(s->ctx, DD_INVALID_MODEL,
                     "generated solvers need bounds with room between them: min and max of %s are equal. Make it a "
                     "parameter or a constraint instead",
                     name.len > 0 ? dd_text_str(&name) : "a variable");
        }
    }
}

dd_sections *dd_sections_new(const dd_transcription *t, const double *plan, dd_pool *pool)
{
    dd_sections *s = dd_pool_alloc(pool, sizeof *s);
    *s = (dd_sections){.ctx = dd_pool_context(pool), .pool = pool, .t = t, .n = t->mesh.n};
    refuse(s);
    set_units(s, plan);
    sectioner p = {.s = s, .t = t, .pool = pool};
    /* variables */
    s->node = t->o->x.len + (t->mesh.control == DD_CONTROL_LINEAR ? t->o->u.len : 0);
    s->base = t->x_at;
    p.end = t->x_at[s->n] + s->node;
    s->border = t->nlp->n - p.end;
    s->section = dd_pool_alloc_array(pool, (size_t)s->n + 1, sizeof *s->section);
    memset(s->section, 0, s->n * sizeof *s->section);
    p.place = dd_pool_alloc_array(pool, (size_t)s->n + 1, sizeof *p.place);
    sort_rows(&p);
    rank_shared(&p);
    dd_sections_order(&p, plan);
    number_rows(&p);
    for (uint32_t k = 0; k < s->n; k++) {
        place_variables(&p, k);
    }
    /* entries, points, bounds */
    list_jacobian(&p);
    list_hessian(&p);
    dd_sections_list_points(&p);
    list_bounds(&p);
    s->start_row = dd_pool_alloc_array(pool, (size_t)t->o->x.len + 1, sizeof *s->start_row);
    for (uint32_t i = 0; i < t->o->x.len && t->o->start_known; i++) {
        s->start_row[i] = p.row[t->start_row + i].place;
    }
    dd_sections_find_classes(&p);
    if (t->nlp->n > IDS_MOST || s->rows > IDS_MOST || s->jacobian > IDS_MOST || s->hessian > IDS_MOST) {
        dd_raise(s->ctx, DD_LIMIT,
                 "the program has %u variables and %u entries in its Jacobian, too many for generated code: take fewer "
                 "intervals (%s) or a lower degree (%s)",
                 t->nlp->n, s->jacobian, dd_option_word(s->ctx, "--intervals"), dd_option_word(s->ctx, "--degree"));
    }
    return s;
}
