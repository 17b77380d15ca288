/* sections_classes.c - sections that are equal but for times are a class; those with equal bounds; runs of neighbours that generated
 * code may work on together. Start at dd_sections_find_classes. */
#include <math.h>
#include <string.h>

#include "export/sections_impl.h"

/* ---- classes ---- */

static bool same_ids(const dd_id_vec *a, const dd_id_vec *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len * sizeof *a->data) == 0);
}

/* But for rounding: factors of controls are differences of times. */
static bool same_numbers(const dd_real_vec *a, const dd_real_vec *b)
{
    const double rounding = 1e-13;
    bool same = a->len == b->len;
    for (uint32_t i = 0; i < a->len && same; i++) {
        const double x = a->data[i], y = b->data[i];
        same = x == y || fabs(x - y) <= rounding * fmax(fabs(x), fabs(y));
    }
    return same;
}

static bool same_section(const dd_section *a, const dd_section *b)
{
    bool same = true;
#define X(name) same = same && a->name == b->name;
    DD_SECTION_COUNTS(X)
#undef X
#define X(name) same = same && same_ids(&a->name, &b->name);
    DD_SECTION_LISTS(X)
#undef X
#define X(name) same = same && same_numbers(&a->name, &b->name);
    DD_SECTION_NUMBERS(X)
#undef X
    return same;
}

static void find_classes(sectioner *p)
{
    dd_sections *s = p->s;
    s->class_of = dd_pool_alloc_array(p->pool, s->n + 1, sizeof *s->class_of);
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t class = 0;
        while (class < s->classes.len && !same_section(&s->section[s->classes.data[class]], &s->section[k])) {
            class ++;
        }
        if (class == s->classes.len) {
            dd_vec_push(p->pool, &s->classes, k);
        }
        s->class_of[k] = class;
    }
}

static bool same_bounds(const dd_section *a, const dd_section *b)
{
    bool same = true;
#define X(name) same = same && same_numbers(&a->name, &b->name);
    DD_SECTION_BOUNDS(X)
#undef X
    return same;
}

static void find_bounds(sectioner *p)
{
    dd_sections *s = p->s;
    s->bounds_of = dd_pool_alloc_array(p->pool, s->n + 1, sizeof *s->bounds_of);
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t i = 0;
        while (i < s->bounds.len && !same_bounds(&s->section[s->bounds.data[i]], &s->section[k])) {
            i++;
        }
        if (i == s->bounds.len) {
            dd_vec_push(p->pool, &s->bounds, k);
        }
        s->bounds_of[k] = i;
    }
}

/* ---- runs ---- */

/* Rows of a section without its parts of shared ones, and their entries. */
static uint32_t own_rows(const dd_section *c)
{
    return c->nd + c->nl + c->ni;
}

/* The section without its shared rows, which are its last ones; false: functions have values in them. */
static bool without_shared(const dd_section *c, dd_section *out)
{
    const uint32_t own = own_rows(c);
    *out = *c;
    out->ns = out->shared.len = 0;
    out->row_ptr.len = own + 1;
    out->nj = out->col.len = out->col_var.len = out->fixed.len = c->row_ptr.data[own];
    bool free = true;
    for (uint32_t i = 0; i < c->out_row.len; i++) {
        free = free && (c->out_row.data[i] == DD_SECTION_COST || c->out_row.data[i] < own);
    }
    for (uint32_t i = 0; i < c->jac_to.len; i++) {
        free = free && c->jac_to.data[i] < out->nj;
    }
    return free;
}

static bool alike(const dd_section *a, const dd_section *b)
{
    dd_section x, y;
    return same_section(a, b) || (without_shared(a, &x) && without_shared(b, &y) && same_section(&x, &y));
}

static void find_runs(sectioner *p)
{
    dd_sections *s = p->s;
    for (uint32_t k = 0; k < s->n; k++) {
        if (k == 0 || !alike(&s->section[k - 1], &s->section[k])) {
            dd_vec_push(p->pool, &s->runs, k);
        }
    }
    dd_vec_push(p->pool, &s->runs, s->n);
}

void dd_sections_find_classes(sectioner *p)
{
    find_classes(p);
    find_bounds(p);
    find_runs(p);
}
