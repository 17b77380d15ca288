/* sections_points.c - the points of families: in the section that has all their inputs and results, else among the wide
 * ones. */
#include <string.h>

#include "base/context.h"
#include "export/sections_impl.h"
#include "ocp/window.h"

/* One family on its way into the sections. */
typedef struct family_points {
    sectioner *p;
    dd_family_view v;
    uint32_t family, number; /* of the transcription; among those that are used */
    uint32_t n_in, n_out;
    uint32_t *home;                                  /* per point: its section; DD_NO_INDEX: wide */
    dd_id_vec *term, *jacobian, *gradient, *hessian; /* per point: places in the lists */
    dd_id_vec *moving;                               /* per point: places in the transcription's list */
} family_points;

static bool input_used(const family_points *f, uint32_t input)
{
    const dd_derivative *j = f->v.function->jacobian;
    return j->ptr[input] < j->ptr[input + 1];
}

static bool row_used(const family_points *f, uint32_t row)
{
    return row != DD_NOWHERE && (row == DD_OBJECTIVE || f->p->row[row].kind != ROW_NONE);
}

/* Where an entry is, section by section: ascending. */
static uint32_t find_base(const uint32_t *base, uint32_t n, uint32_t at)
{
    uint32_t k = 0;
    while (k + 1 < n && base[k + 1] <= at) {
        k++;
    }
    return k;
}

static void sort_scatter(family_points *f, const dd_scatter_vec *list, dd_id_vec *to)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(f->p->pool, &to[list->data[i].source % f->v.ld], i);
    }
}

/* Entries of rows that are left out go nowhere. */
static bool entry_kept(const family_points *f, uint32_t entry)
{
    return f->p->row[f->p->t->nlp->jacobian_row[entry]].kind != ROW_NONE;
}

/* The section of a point: where its inputs are, if its results are there too. */
static uint32_t home_of(const family_points *f, uint32_t point)
{
    const sectioner *p = f->p;
    const dd_sections *s = p->s;
    dd_reach reach = dd_reach_none();
    for (uint32_t i = 0; i < f->term[point].len; i++) {
        const uint32_t t = f->term[point].data[i];
        dd_reach_add(p, &reach, f->v.term[t].variable);
    }
    const uint32_t k = dd_reach_section(p, &reach);
    bool fits = k != DD_NO_INDEX;
    for (uint32_t o = 0; o < f->n_out && fits; o++) {
        const uint32_t row = f->v.row[point * f->n_out + o];
        if (row != DD_OBJECTIVE && row_used(f, row) && p->row[row].kind != ROW_SHARED) {
            fits = p->row[row].section == k;
        } else if (row != DD_OBJECTIVE && row_used(f, row)) { /* a part of it must be there */
            bool found = false;
            for (uint32_t i = 0; i < s->section[k].shared.len; i++) {
                found = found || s->section[k].shared.data[i] == p->row[row].place;
            }
            fits = found;
        }
    }
    for (uint32_t i = 0; i < f->jacobian[point].len && fits; i++) {
        const uint32_t entry = f->v.jacobian->data[f->jacobian[point].data[i]].at;
        fits = !entry_kept(f, entry) || find_base(s->jac_base, s->n, p->jacobian[entry]) == k;
    }
    for (uint32_t i = 0; i < f->hessian[point].len && fits; i++) {
        const uint32_t entry = f->v.hessian->data[f->hessian[point].data[i]].at;
        fits = find_base(s->hes_base, s->n, p->hessian[entry]) == k;
    }
    return fits ? k : DD_NO_INDEX;
}

/* ---- one point into its section ---- */

static uint32_t local_variable(const family_points *f, uint32_t k, uint32_t variable)
{
    const sectioner *p = f->p;
    return k == DD_NO_INDEX    ? variable
           : variable < p->end ? variable - p->s->base[k]
                               : p->s->section[k].length + variable - p->end;
}

static void add_inputs(const family_points *f, dd_section *c, uint32_t k, uint32_t point)
{
    dd_pool *pool = f->p->pool;
    dd_vec_push(pool, &c->input_at, c->term_ptr.len);
    for (uint32_t input = 0; input < f->n_in; input++) {
        dd_vec_push(pool, &c->term_ptr, c->term_var.len);
        for (uint32_t i = 0; i < f->term[point].len; i++) {
            const uint32_t t = f->term[point].data[i];
            if (f->v.term_input[t] == point * f->n_in + input) {
                dd_vec_push(pool, &c->term_var, local_variable(f, k, f->v.term[t].variable));
                dd_vec_push(pool, &c->term_factor, f->v.term[t].factor * f->p->s->unit[f->v.term[t].variable]);
            }
        }
    }
    dd_vec_push(pool, &c->term_ptr, c->term_var.len);
}

typedef struct slot {
    double numbers[3];
    uint32_t data, kind, point; /* as the lists of dd_section */
} slot;

static void add_slot(const family_points *f, dd_section *c, uint32_t input, const slot *s)
{
    dd_pool *pool = f->p->pool;
    dd_vec_push(pool, &c->slot_input, input);
    dd_vec_push(pool, &c->slot_data, s->data);
    dd_vec_push(pool, &c->slot_kind, s->kind);
    dd_vec_push(pool, &c->slot_point, s->point);
    for (int i = 0; i < 3; i++) {
        dd_vec_push(pool, &c->slots, s->numbers[i]);
    }
}

/* Inputs that every sample of a window sets (ocp/window.h); false: this is none. */
static bool window_slot(const family_points *f, uint32_t point, uint32_t input, slot *s)
{
    const dd_ocp_problem *o = f->p->t->o;
    const dd_window *w = o->window;
    if (w == NULL || (f->family != f->p->t->dynamics && f->family != w->nodes && f->family != w->end)) {
        return false;
    }
    const uint32_t time = o->x.len + o->z.len + o->u.len + o->p.len, degree = f->p->t->mesh.degree[0];
    const bool node = f->family == w->nodes;
    s->point = f->family == f->p->t->dynamics ? point : node ? (point + 1) * degree - 1 : f->p->t->mesh.n * degree - 1;
    /* time, t0 and tf, data; then the length of a point of the dynamics, or the two lists of a node */
    s->kind = input == time                                         ? 1
              : input >= time + 3 && input < time + 3 + o->data.len ? 3 + input - time - 3
              : node && input >= w->y_input                         ? 3 + o->data.len + input - w->y_input
              : input >= time + 3 + o->data.len                     ? 2
                                                                    : 0;
    return s->kind > 0;
}

/* Constant parts: times and data that move with the horizon or are set by samples, else numbers. */
static void add_slots(const family_points *f, dd_section *c, uint32_t point)
{
    const dd_transcription *t = f->p->t;
    for (uint32_t input = 0; input < f->n_in; input++) {
        if (!input_used(f, input)) {
            continue;
        }
        slot s = {.numbers = {f->v.offset[point * f->n_in + input]}};
        if (window_slot(f, point, input, &s)) {
            s.numbers[0] = 0;
            add_slot(f, c, input, &s);
            continue;
        }
        bool moves = false;
        for (uint32_t i = 0; i < f->moving[point].len; i++) {
            const dd_moving_input *m = &t->moving.data[f->moving[point].data[i]];
            if (m->input == input) {
                moves = true;
                s.numbers[0] = 0;
                s.numbers[1] = t->t0_at == UINT32_MAX ? m->of_t0 : 0;
                s.numbers[2] = t->tf_at == UINT32_MAX ? m->of_tf : 0;
                s.data = m->data == DD_NO_INDEX ? 0 : 2 * (m->data + 1) + (m->left ? 1 : 0);
            }
        }
        if (moves || s.numbers[0] != 0) {
            add_slot(f, c, input, &s);
        }
    }
}

static void add_results(const family_points *f, dd_section *c, uint32_t k, uint32_t point)
{
    const sectioner *p = f->p;
    for (uint32_t o = 0; o < f->n_out; o++) {
        const uint32_t row = f->v.row[point * f->n_out + o];
        if (!row_used(f, row)) {
            continue;
        }
        uint32_t to = DD_SECTION_COST;
        if (row != DD_OBJECTIVE && k == DD_NO_INDEX) {
            to = p->s->new_row[row];
        } else if (row != DD_OBJECTIVE && p->row[row].kind != ROW_SHARED) {
            to = p->row[row].place;
        } else if (row != DD_OBJECTIVE) {
            for (uint32_t i = 0; i < c->shared.len; i++) {
                to = c->shared.data[i] == p->row[row].place ? c->nd + c->nl + c->ni + i : to;
            }
        }
        dd_vec_push(p->pool, &c->out_source, o);
        dd_vec_push(p->pool, &c->out_row, to);
        dd_vec_push(p->pool, &c->out_factor,
                    f->v.factor[point * f->n_out + o] * (row != DD_OBJECTIVE ? p->s->row_unit[row] : 1));
    }
}

static void add_derivatives(const family_points *f, dd_section *c, uint32_t k, uint32_t point)
{
    const sectioner *p = f->p;
    const dd_nlp *nlp = p->t->nlp;
    const double *unit = p->s->unit;
    const uint32_t ld = (uint32_t)f->v.ld;
    const uint32_t jac = k != DD_NO_INDEX ? p->s->jac_base[k] : 0, hes = k != DD_NO_INDEX ? p->s->hes_base[k] : 0;
    /* entries of rows that are exported, in the units of the export */
    for (uint32_t i = 0; i < f->jacobian[point].len; i++) {
        const dd_scatter *at = &f->v.jacobian->data[f->jacobian[point].data[i]];
        if (entry_kept(f, at->at)) {
            dd_vec_push(p->pool, &c->jac_source, at->source / ld);
            dd_vec_push(p->pool, &c->jac_to, p->jacobian[at->at] - jac);
            dd_vec_push(p->pool, &c->jac_factor,
                        at->factor * unit[nlp->jacobian_col[at->at]] * p->s->row_unit[nlp->jacobian_row[at->at]]);
        }
    }
    /* slopes of the objective */
    for (uint32_t i = 0; i < f->gradient[point].len; i++) {
        const dd_scatter *at = &f->v.gradient->data[f->gradient[point].data[i]];
        dd_vec_push(p->pool, &c->grad_source, at->source / ld);
        dd_vec_push(p->pool, &c->grad_to, local_variable(f, k, at->at));
        dd_vec_push(p->pool, &c->grad_factor, at->factor * unit[at->at]);
    }
    /* curvature */
    for (uint32_t i = 0; i < f->hessian[point].len; i++) {
        const dd_scatter *at = &f->v.hessian->data[f->hessian[point].data[i]];
        dd_vec_push(p->pool, &c->hes_source, at->source / ld);
        dd_vec_push(p->pool, &c->hes_to, p->hessian[at->at] - hes);
        dd_vec_push(p->pool, &c->hes_factor,
                    at->factor * unit[nlp->hessian_row[at->at]] * unit[nlp->hessian_col[at->at]]);
    }
}

/* Where the lists of the next point begin. */
static void mark(const family_points *f, dd_section *c)
{
    dd_pool *pool = f->p->pool;
    dd_vec_push(pool, &c->slot_at, c->slot_input.len);
    dd_vec_push(pool, &c->out_at, c->out_source.len);
    dd_vec_push(pool, &c->jac_at, c->jac_source.len);
    dd_vec_push(pool, &c->grad_at, c->grad_source.len);
    dd_vec_push(pool, &c->hes_at, c->hes_source.len);
}

static void add_point(const family_points *f, uint32_t point)
{
    const uint32_t k = f->home[point];
    dd_section *c = k == DD_NO_INDEX ? &f->p->s->wide : &f->p->s->section[k];
    dd_vec_push(f->p->pool, &c->family, f->number);
    mark(f, c);
    add_inputs(f, c, k, point);
    add_slots(f, c, point);
    add_results(f, c, k, point);
    add_derivatives(f, c, k, point);
    c->points++;
}

/* ---- all families ---- */

static void note_sizes(dd_sections *s, const dd_ocp_function *f)
{
    const uint32_t most = f->jacobian->ptr[f->spec.n_in] > f->hessian->ptr[f->spec.n_in]
                              ? f->jacobian->ptr[f->spec.n_in]
                              : f->hessian->ptr[f->spec.n_in];
    s->inputs = f->spec.n_in > s->inputs ? f->spec.n_in : s->inputs;
    s->outputs = f->spec.n_out > s->outputs ? f->spec.n_out : s->outputs;
    s->entries = most > s->entries ? most : s->entries;
    s->entries = f->spec.n_out > s->entries ? f->spec.n_out : s->entries;
}

static void list_family(sectioner *p, uint32_t family)
{
    family_points f = {.p = p, .family = family, .number = p->s->families.len};
    f.v = dd_elements_family(p->t->elements, family);
    f.n_in = f.v.function->spec.n_in;
    f.n_out = f.v.function->spec.n_out;
    if (f.v.points == 0) {
        return;
    }
    dd_vec_push(p->pool, &p->s->families, family);
    note_sizes(p->s, f.v.function);
    /* everything by points */
    const size_t points = (size_t)f.v.points + 1;
    f.home = dd_pool_alloc_array(p->pool, points, sizeof *f.home);
    dd_id_vec **const lists[] = {&f.term, &f.jacobian, &f.gradient, &f.hessian, &f.moving};
    for (int i = 0; i < 5; i++) {
        *lists[i] = dd_pool_alloc_array(p->pool, points, sizeof **lists[i]);
        memset(*lists[i], 0, points * sizeof **lists[i]);
    }
    for (uint32_t t = 0; t < f.v.terms; t++) {
        if (f.v.term[t].factor != 0 && input_used(&f, f.v.term_input[t] % f.n_in)) {
            dd_vec_push(p->pool, &f.term[f.v.term_input[t] / f.n_in], t);
        }
    }
    for (uint32_t i = 0; i < p->t->moving.len; i++) {
        if (p->t->moving.data[i].family == family) {
            dd_vec_push(p->pool, &f.moving[p->t->moving.data[i].point], i);
        }
    }
    sort_scatter(&f, f.v.jacobian, f.jacobian);
    sort_scatter(&f, f.v.gradient, f.gradient);
    sort_scatter(&f, f.v.hessian, f.hessian);
    for (uint32_t point = 0; point < f.v.points; point++) {
        f.home[point] = home_of(&f, point);
        add_point(&f, point);
    }
}

void dd_sections_list_points(sectioner *p)
{
    dd_sections *s = p->s;
    for (uint32_t family = 0; family < dd_elements_families(p->t->elements); family++) {
        list_family(p, family);
    }
    /* the ends of all lists */
    const family_points f = {.p = p};
    s->slot_base = dd_pool_alloc_array(p->pool, (size_t)s->n + 1, sizeof *s->slot_base);
    for (uint32_t k = 0; k < s->n; k++) {
        mark(&f, &s->section[k]);
        s->slot_base[k + 1] = s->slot_base[k] + s->section[k].slot_input.len;
    }
    mark(&f, &s->wide);
}
