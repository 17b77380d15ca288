/* elements_team.c - gathering and scattering in parts: for the members of a team, and so that a part that is set,
 * added to and looked at stays in the caches meanwhile.
 *
 * Lists of values are put into the order of their targets and cut where a part of the targets ends. Then no two parts
 * write to the same place, and every sum has its terms in the order they had: results do not depend on the team. What
 * repeats itself in a list is found by elements_sections.c. */
#include "ocp/elements_impl.h"

#include <string.h>

#include "base/vector.h"

enum {
    PART_TARGETS = 1 << 13 /* that a thread takes at a time: 64 kB, some tens of microseconds */
};

/* Stable order by target: a counting sort. */
static void sort_by_target(dd_scatter_vec *list, uint32_t targets, dd_pool *scratch)
{
    uint32_t *start = dd_pool_alloc_array(scratch, (size_t)targets + 1, sizeof *start), n = list->len;
    dd_scatter *copy = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *copy);
    bool sorted = true;
    for (uint32_t k = 0; k < n; k++) {
        start[list->data[k].at + 1]++;
        copy[k] = list->data[k];
        sorted = sorted && (k == 0 || copy[k].at >= copy[k - 1].at);
    }
    for (uint32_t t = 0; t < targets; t++) {
        start[t + 1] += start[t];
    }
    for (uint32_t k = 0; k < n && !sorted; k++) {
        list->data[start[copy[k].at]++] = copy[k];
    }
}

static dd_target_parts parts_of(const dd_elements *e, size_t targets)
{
    dd_target_parts p = {.targets = (uint32_t)targets, .size = (uint32_t)targets, .count = 1};
    if (targets > PART_TARGETS) {
        p.size = PART_TARGETS;
        p.count = (uint32_t)((targets + PART_TARGETS - 1) / PART_TARGETS);
    }
    p.finite = dd_pool_alloc_array(e->pool, p.count, sizeof *p.finite);
    return p;
}

/* The list in the order of its targets, in sections of its parts. */
static void divide(const dd_elements *e, dd_cut_list *list, const dd_target_parts *p, dd_pool *scratch)
{
    sort_by_target(&list->values, p->targets, scratch);
    list->sections.len = 0;
    list->begin = dd_pool_alloc_array(e->pool, (size_t)p->count + 1, sizeof *list->begin);
    for (uint32_t part = 0, from = 0, to = 0; part < p->count; part++, from = to) {
        while (to < list->values.len && (part + 1 == p->count || list->values.data[to].at < (part + 1) * p->size)) {
            to++;
        }
        list->begin[part] = list->sections.len;
        dd_scatter_find_sections(e->pool, list, from, to);
    }
    list->begin[p->count] = list->sections.len;
}

/* Equal intervals have the same linear part. */
static void find_period(dd_elements *e)
{
    uint32_t first = 0, period = 0;
    for (uint32_t k = 0; k < e->families.len && period == 0; k++) {
        period = dd_scatter_period(&e->families.data[k].to_jacobian, &first);
    }
    e->fixed_period = 0;
    if (period == 0 || period > e->nlp.jacobian_nnz - first) {
        return;
    }
    uint32_t from = first, to = first + period;
    while (from > 0 && e->fixed[from - 1] == e->fixed[from - 1 + period]) {
        from--;
    }
    while (to < e->nlp.jacobian_nnz && e->fixed[to] == e->fixed[to - period]) {
        to++;
    }
    e->fixed_from = from;
    e->fixed_to = to;
    e->fixed_period = period;
}

void dd_elements_divide(dd_elements *e)
{
    dd_pool *scratch = dd_pool_child(e->pool);
    e->row_parts = parts_of(e, e->row_lower.len);
    e->gradient_parts = parts_of(e, e->lower.len);
    e->jacobian_parts = parts_of(e, e->nlp.jacobian_nnz);
    e->hessian_parts = parts_of(e, e->nlp.hessian_nnz);
    divide(e, &e->linear_to_rows, &e->row_parts, scratch);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_point_family *f = &e->families.data[k];
        f->in_parts = parts_of(e, f->n_in * f->ld);
        divide(e, &f->to_in, &f->in_parts, scratch);
        divide(e, &f->to_rows, &e->row_parts, scratch);
        divide(e, &f->to_gradient, &e->gradient_parts, scratch);
        divide(e, &f->to_jacobian, &e->jacobian_parts, scratch);
        divide(e, &f->to_hessian, &e->hessian_parts, scratch);
    }
    dd_pool_free(scratch);
    find_period(e);
}

/* ---- evaluating ---- */

static uint32_t begin_of(const dd_target_parts *p, uint32_t part)
{
    return part * p->size;
}

static uint32_t length_of(const dd_target_parts *p, uint32_t part)
{
    return part + 1 < p->count ? p->size : p->targets - part * p->size;
}

/* A vector of targets that all families write to. */
typedef struct scattering {
    const dd_elements *e;
    const dd_point_family *f; /* gathering */
    const dd_target_parts *parts;
    const double *y;
    double *out;
} scattering;

static bool run(const scattering *s, dd_team_work work)
{
    dd_team_run(s->e->team, s->parts->count, work, (void *)s);
    bool finite = true;
    for (uint32_t part = 0; part < s->parts->count; part++) {
        finite = finite && s->parts->finite[part];
    }
    return finite;
}

static void gather_part(void *user, uint32_t part, uint32_t member)
{
    const scattering *s = user;
    const dd_point_family *f = s->f;
    (void)member;
    /* v = offset + sum of factor * y; offsets of zero are not read */
    const size_t end = (size_t)begin_of(s->parts, part) + length_of(s->parts, part);
    for (size_t at = begin_of(s->parts, part), next; at < end; at = next) {
        const size_t input = at / f->ld;
        next = (input + 1) * f->ld < end ? (input + 1) * f->ld : end;
        if (f->has_offset[input]) {
            memcpy(f->in + at, f->constant + at, (next - at) * sizeof *f->in);
        } else {
            memset(f->in + at, 0, (next - at) * sizeof *f->in);
        }
    }
    dd_scatter_add(&f->to_in, part, s->y, f->in);
}

void dd_elements_gather(const dd_elements *e, const dd_point_family *f, const double *y)
{
    run(&(scattering){.e = e, .f = f, .parts = &f->in_parts, .y = y}, gather_part);
}

static void rows_part(void *user, uint32_t part, uint32_t member)
{
    const scattering *s = user;
    const dd_elements *e = s->e;
    (void)member;
    memset(s->out + begin_of(s->parts, part), 0, length_of(s->parts, part) * sizeof *s->out);
    /* linear terms, then factor * Phi_o of every point; outputs of several points may share a row */
    dd_scatter_add(&e->linear_to_rows, part, s->y, s->out);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_scatter_add(&e->families.data[k].to_rows, part, e->families.data[k].values.out, s->out);
    }
    s->parts->finite[part] = dd_all_finite(s->out + begin_of(s->parts, part), length_of(s->parts, part));
}

bool dd_elements_scatter_rows(const dd_elements *e, const double *y, double *out)
{
    return run(&(scattering){.e = e, .parts = &e->row_parts, .y = y, .out = out}, rows_part);
}

static void gradient_part(void *user, uint32_t part, uint32_t member)
{
    const scattering *s = user;
    const dd_elements *e = s->e;
    uint32_t begin = begin_of(s->parts, part), length = length_of(s->parts, part);
    (void)member;
    /* grad f = sum over points of factor * dPhi_o/dv */
    memset(s->out + begin, 0, length * sizeof *s->out);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_scatter_add(&e->families.data[k].to_gradient, part, e->families.data[k].first.out, s->out);
    }
    s->parts->finite[part] = dd_all_finite(s->out + begin, length);
}

bool dd_elements_scatter_gradient(const dd_elements *e, double *out)
{
    return run(&(scattering){.e = e, .parts = &e->gradient_parts, .out = out}, gradient_part);
}

/* The linear part of the Jacobian; where it repeats, one interval of it stays in the first cache. */
static void copy_fixed(const dd_elements *e, double *out, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin, next; at < end; at = next) {
        const bool repeats = e->fixed_period > 0 && at >= e->fixed_from && at < e->fixed_to;
        const uint32_t behind = repeats ? (at - e->fixed_from) % e->fixed_period : 0;
        const double *from = repeats ? e->fixed + e->fixed_from + behind : e->fixed + at;
        const uint32_t stop = repeats ? e->fixed_to : e->fixed_period > 0 && at < e->fixed_from ? e->fixed_from : end;
        next = repeats ? at + e->fixed_period - behind : stop;
        next = next < stop ? next : stop;
        next = next < end ? next : end;
        memcpy(out + at, from, (next - at) * sizeof *out);
    }
}

static void jacobian_part(void *user, uint32_t part, uint32_t member)
{
    const scattering *s = user;
    const dd_elements *e = s->e;
    uint32_t begin = begin_of(s->parts, part), length = length_of(s->parts, part);
    (void)member;
    /* the constant part, then those of the families */
    copy_fixed(e, s->out, begin, begin + length);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_scatter_add(&e->families.data[k].to_jacobian, part, e->families.data[k].first.out, s->out);
    }
    s->parts->finite[part] = dd_all_finite(s->out + begin, length);
}

bool dd_elements_scatter_jacobian(const dd_elements *e, double *out)
{
    return run(&(scattering){.e = e, .parts = &e->jacobian_parts, .out = out}, jacobian_part);
}

static void hessian_part(void *user, uint32_t part, uint32_t member)
{
    const scattering *s = user;
    const dd_elements *e = s->e;
    uint32_t begin = begin_of(s->parts, part), length = length_of(s->parts, part);
    (void)member;
    memset(s->out + begin, 0, length * sizeof *s->out);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_scatter_add(&e->families.data[k].to_hessian, part, e->families.data[k].second.out, s->out);
    }
    s->parts->finite[part] = dd_all_finite(s->out + begin, length);
}

bool dd_elements_scatter_hessian(const dd_elements *e, double *out)
{
    return run(&(scattering){.e = e, .parts = &e->hessian_parts, .out = out}, hessian_part);
}
