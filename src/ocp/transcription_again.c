/* transcription_again.c - the same program with other numbers, and points moved along the horizon: for programs that are
 * solved again and again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ocp/data.h"
#include "ocp/shooting.h"
#include "ocp/transcription_impl.h"
#include "ocp/transcription_kinks.h"

/* ---- numbers ---- */

static void refresh_times(dd_transcription *t)
{
    const dd_ocp_problem *o = t->o;
    const double t0 = t->t0_at == NONE ? o->t0_value : 0, tf = t->tf_at == NONE ? o->tf_value : 0;
    for (uint32_t i = 0; i < t->moving.len; i++) {
        const dd_moving_input *m = &t->moving.data[i];
        const double time = m->of_t0 * t0 + m->of_tf * tf;
        const double value = m->data == DD_NO_INDEX ? time : dd_data_at(o->data.data[m->data].column, time, m->left);
        dd_elements_set_offset(t->elements, m->family, m->point, m->input, value);
    }
}

static void bound_list(dd_transcription *t, const dd_decision_vec *list, uint32_t first)
{
    double *lower = dd_elements_lower(t->elements), *upper = dd_elements_upper(t->elements);
    for (uint32_t i = 0; i < list->len; i++) {
        lower[first + i] = list->data[i].lower / list->data[i].scale;
        upper[first + i] = list->data[i].upper / list->data[i].scale;
    }
}

/* Of one interval: x at its left end, controls, then the points. */
static void bound_interval(dd_transcription *t, uint32_t k)
{
    const dd_ocp_problem *o = t->o;
    if (k > 0 || !o->start_known) {
        bound_list(t, &o->x, t->x_at[k]);
    }
    const bool has_u =
        t->mesh.control == DD_CONTROL_LINEAR || (t->mesh.control == DD_CONTROL_CONSTANT && k < t->mesh.n);
    if (has_u) {
        bound_list(t, &o->u, t->u_at[k]);
    }
    for (uint32_t j = 1; k < t->mesh.n && j <= t->mesh.degree[k]; j++) {
        bound_list(t, &o->x, dd_transcription_x(t, k, j, 0));
        bound_list(t, &o->z, dd_transcription_z(t, k, j, 0));
        if (t->mesh.control == DD_CONTROL_POLYNOMIAL) {
            bound_list(t, &o->u, dd_transcription_u(t, k, j, 0));
        }
    }
}

static void refresh_bounds(dd_transcription *t)
{
    const dd_ocp_problem *o = t->o;
    double *lower = dd_elements_row_lower(t->elements), *upper = dd_elements_row_upper(t->elements);
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        bound_interval(t, k);
    }
    for (uint32_t row = 0; row < t->tags.len; row++) {
        if (t->tags.data[row].kind == DD_ROW_PATH) {
            lower[row] = o->path.data[t->tags.data[row].index].lower;
            upper[row] = o->path.data[t->tags.data[row].index].upper;
        }
    }
}

void dd_transcription_set_start(dd_transcription *t)
{
    const dd_ocp_problem *o = t->o;
    /* a known start is imposed by rows */
    for (uint32_t i = 0; i < o->x.len && o->start_known; i++) {
        const double value = o->x_start[i] / o->x.data[i].scale;
        dd_elements_row_lower(t->elements)[t->start_row + i] = value;
        dd_elements_row_upper(t->elements)[t->start_row + i] = value;
    }
}

void dd_transcription_refresh(dd_transcription *t, bool bounds)
{
    const dd_ocp_problem *o = t->o;
    refresh_times(t);
    for (uint32_t family = 0; family < dd_elements_families(t->elements); family++) {
        dd_elements_set_constants(t->elements, family, o->constant_value);
    }
    if (t->tf_at != NONE) {
        dd_elements_lower(t->elements)[t->tf_at] = o->tf_lower;
        dd_elements_upper(t->elements)[t->tf_at] = o->tf_upper;
    }
    if (bounds) {
        refresh_bounds(t);
    }
    dd_transcription_set_start(t);
}

/* ---- along the horizon ---- */

/* For every variable and row the one that is an interval later; itself where there is none. */
struct dd_shift {
    uint32_t *variable, *row;
    double *work; /* the longer of both */
};

static void shift_variables(const dd_transcription *t, uint32_t *to)
{
    const dd_ocp_problem *o = t->o;
    const uint32_t n = t->mesh.n;
    for (uint32_t i = 0; i < t->nlp->n; i++) {
        to[i] = i;
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t next = k + 1 < n ? k + 1 : k;
        for (uint32_t i = 0; i < o->x.len; i++) {
            to[t->x_at[k] + i] = t->x_at[k + 1] + i;
        }
        for (uint32_t i = 0; i < o->u.len && t->mesh.control != DD_CONTROL_POLYNOMIAL; i++) {
            const uint32_t later = t->mesh.control == DD_CONTROL_LINEAR ? k + 1 : next;
            to[t->u_at[k] + i] = t->u_at[later] + i;
        }
        /* points of the last interval: at rest where the horizon ended */
        for (uint32_t j = 1; j <= t->mesh.degree[k]; j++) {
            for (uint32_t i = 0; i < o->x.len; i++) {
                to[dd_transcription_x(t, k, j, i)] = next > k ? dd_transcription_x(t, next, j, i) : t->x_at[n] + i;
            }
            for (uint32_t i = 0; i < o->z.len; i++) {
                to[dd_transcription_z(t, k, j, i)] = dd_transcription_z(t, next, j, i);
            }
            for (uint32_t i = 0; i < o->u.len && t->mesh.control == DD_CONTROL_POLYNOMIAL; i++) {
                to[dd_transcription_u(t, k, j, i)] = dd_transcription_u(t, next, j, i);
            }
        }
    }
}

typedef struct tagged_row {
    dd_row_tag tag;
    uint32_t row;
} tagged_row;

/* By kind, index and point; then by interval. */
static int compare_rows(const void *a, const void *b)
{
    const dd_row_tag *x = &((const tagged_row *)a)->tag, *y = &((const tagged_row *)b)->tag;
    return x->kind != y->kind           ? (x->kind < y->kind ? -1 : 1)
           : x->index != y->index       ? (x->index < y->index ? -1 : 1)
           : x->point != y->point       ? (x->point < y->point ? -1 : 1)
           : x->interval != y->interval ? (x->interval < y->interval ? -1 : 1)
                                        : 0;
}

static void shift_rows(dd_transcription *t, uint32_t *to)
{
    dd_pool *scratch = dd_pool_child(t->pool);
    tagged_row *rows = dd_pool_alloc_array(scratch, t->tags.len + 1, sizeof *rows);
    for (uint32_t i = 0; i < t->tags.len; i++) {
        rows[i] = (tagged_row){t->tags.data[i], i};
        to[i] = i;
    }
    qsort(rows, t->tags.len, sizeof *rows, compare_rows);
    /* a neighbour of the same kind, index and point, one interval later, is the same row there */
    for (uint32_t i = 0; i + 1 < t->tags.len; i++) {
        dd_row_tag later = rows[i].tag;
        later.interval++;
        const bool moves = later.kind != DD_ROW_START && later.kind != DD_ROW_POINT && later.kind != DD_ROW_CONSISTENCY;
        if (moves && compare_rows(&(tagged_row){later, 0}, &rows[i + 1]) == 0) {
            to[rows[i].row] = rows[i + 1].row;
        }
    }
    dd_pool_free(scratch);
}

static void move(const uint32_t *from, double *values, uint32_t n, double *work)
{
    for (uint32_t i = 0; i < n; i++) {
        work[i] = values[from[i]];
    }
    memcpy(values, work, n * sizeof *values);
}

void dd_transcription_shift(dd_transcription *t, uint32_t intervals, double *y, double *lambda, double *z_lower,
                            double *z_upper)
{
    const uint32_t n = t->nlp->n, m = t->nlp->m;
    if (t->shift == NULL) {
        struct dd_shift *made = dd_pool_alloc(t->pool, sizeof *made);
        made->variable = dd_pool_alloc_array(t->pool, (size_t)n + 1, sizeof *made->variable);
        made->row = dd_pool_alloc_array(t->pool, (size_t)m + 1, sizeof *made->row);
        made->work = dd_pool_alloc_array(t->pool, (size_t)(n > m ? n : m) + 1, sizeof *made->work);
        shift_variables(t, made->variable);
        dd_transcription_shift_kinks(t, made->variable);
        shift_rows(t, made->row);
        t->shift = made;
    }
    const struct dd_shift *s = t->shift;
    for (uint32_t k = 0; k < intervals && k < t->mesh.n; k++) {
        move(s->variable, y, n, s->work);
        move(s->variable, z_lower, n, s->work);
        move(s->variable, z_upper, n, s->work);
        move(s->row, lambda, m, s->work);
    }
}
