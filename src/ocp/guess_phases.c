/* guess_phases.c - the rows of each phase are read by themselves, then put side by side at all the parts of a
 * phase that occur in any of them. */
#include "ocp/guess_phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "ocp/phases.h"

#define SAME 1e-12

typedef struct phase_rows {
    dd_table *rows;     /* all fields; the time is first that of the file, then the part of the phase */
    double first, last; /* times of the file */
} phase_rows;

typedef struct reading {
    dd_ocp_problem *o;
    dd_table_reader *file;
    dd_guess_table *table;
    dd_pool *scratch;
    uint32_t phase;                /* field of its number */
    uint32_t *field_of, *phase_of; /* per column of the table */
    phase_rows *phases;
} reading;

/* ---- the file ---- */

static void match(reading *r, const dd_decision_vec *list, uint32_t first)
{
    const dd_optimization *opt = r->o->model->optimization;
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        /* variables of no phase have no rows here */
        uint32_t phase = d->var < opt->n_phase_of ? opt->phase_of[d->var] : 0;
        if (phase == 0 || d->order > 0) {
            continue;
        }
        const char *name = dd_model_var_name_dup(r->o->model, d->var, r->scratch);
        uint32_t field =
            dd_table_field(r->file, dd_ocp_phase_local(name, opt->phases.data[phase - 1].name, r->scratch));
        if (field != DD_NO_INDEX) {
            r->field_of[first + i] = field;
            r->phase_of[first + i] = phase - 1;
            r->table->has[first + i] = true;
        }
    }
}

static void read_header(reading *r)
{
    const dd_ocp_problem *o = r->o;
    if (!dd_table_header(r->file)) {
        dd_table_refuse(r->file, r->file->problem);
    }
    /* both columns are needed: times of different phases overlap */
    r->phase = dd_table_field(r->file, "phase");
    if (r->file->time == DD_NO_INDEX || r->phase == DD_NO_INDEX) {
        dd_table_refuse(
            r->file,
            dd_pool_printf(
                r->scratch,
                "the guess of an optimization with phases has the columns `time` and `phase`, as %s writes them",
                dd_option_phrase(dd_pool_context(r->scratch), "optimize -o", "dd_ocp_write_csv")));
    }
    r->field_of = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *r->field_of);
    r->phase_of = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *r->phase_of);
    /* fields by the local names of each phase */
    match(r, &o->x, 0);
    match(r, &o->z, o->x.len);
    match(r, &o->u, o->x.len + o->z.len);
    bool any = false;
    for (uint32_t i = 0; i < r->table->width; i++) {
        any = any || r->table->has[i];
    }
    if (!any) {
        dd_table_refuse(r->file, "no column is named like a variable or control of a phase");
    }
}

/* Rows of one phase are in the order of time, phases in any. */
static void add_file_row(reading *r, double *row)
{
    double number = row[1 + r->phase];
    const uint32_t n = dd_ocp_phase_count(r->o);
    if (isnan(number)) { /* an empty field */
        dd_csv_field_number(&r->file->csv, r->phase, &number);
        dd_table_refuse(r->file, r->file->csv.problem);
    }
    if (!(number >= 1 && number <= n) || number != floor(number)) {
        dd_table_refuse(r->file,
                        dd_pool_printf(r->scratch, "there is no phase number %g: the problem has %u", number, n));
    }
    dd_table *rows = r->phases[(uint32_t)number - 1].rows;
    if (rows->count > 0 && row[0] < dd_table_time(rows, rows->count - 1)) {
        dd_table_refuse(r->file, "time goes backwards");
    }
    /* the phase has no such variable */
    for (uint32_t k = 0; k < r->file->fields; k++) {
        row[1 + k] = isnan(row[1 + k]) ? 0 : row[1 + k];
    }
    dd_table_push(rows, r->scratch, row[0], row + 1);
}

static void read_rows(reading *r)
{
    const uint32_t fields = r->file->fields;
    double *row = dd_pool_alloc_array(r->scratch, (size_t)fields + 1, sizeof *row);
    uint32_t *all = dd_pool_alloc_array(r->scratch, fields, sizeof *all);
    /* every field, since phases share columns */
    for (uint32_t k = 0; k < fields; k++) {
        all[k] = k;
    }
    dd_table_choose(r->file, all, fields);
    r->file->blanks = true;
    while (dd_table_next(r->file, row)) {
        add_file_row(r, row);
    }
    if (r->file->problem != NULL) {
        dd_table_refuse(r->file, r->file->problem);
    }
    /* times become parts of the phase: 0 its start, 1 its end */
    for (uint32_t k = 0; k < dd_ocp_phase_count(r->o); k++) {
        phase_rows *p = &r->phases[k];
        p->first = p->rows->count > 0 ? dd_table_time(p->rows, 0) : 0;
        p->last = p->rows->count > 0 ? dd_table_time(p->rows, p->rows->count - 1) : 0;
        if (!(p->last > p->first)) {
            dd_table_refuse(r->file,
                            dd_pool_printf(r->scratch, "a guess needs rows at two times of the phase %s at least",
                                           r->o->model->optimization->phases.data[k].name));
        }
        for (uint64_t i = 0; i < p->rows->count; i++) {
            p->rows->data[i * p->rows->width] = (dd_table_time(p->rows, i) - p->first) / (p->last - p->first);
        }
    }
}

/* ---- side by side ---- */

/* A value of a phase at tau: of several rows there the first (left) or the last. */
static double value_at(const phase_rows *p, uint32_t field, double tau, bool left)
{
    dd_table_place at = dd_table_find(p->rows, tau, left ? tau - SAME : tau + SAME, !left);
    at.s = fmin(at.s, 1);
    return dd_table_value(p->rows, at, field);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static void add_row(const reading *r, double tau, bool left, double *value)
{
    for (uint32_t i = 0; i < r->table->width; i++) {
        value[i] = r->table->has[i] ? value_at(&r->phases[r->phase_of[i]], r->field_of[i], tau, left) : 0;
    }
    dd_guess_table_add(r->table, tau, value);
}

static void put_together(reading *r)
{
    DD_VEC(double) all = {0};
    double *value = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *value);
    /* all parts of all phases, sorted */
    for (uint32_t k = 0; k < dd_ocp_phase_count(r->o); k++) {
        for (uint64_t i = 0; i < r->phases[k].rows->count; i++) {
            dd_vec_push(r->scratch, &all, dd_table_time(r->phases[k].rows, i));
        }
    }
    if (all.len > 0) {
        qsort(all.data, all.len, sizeof *all.data, compare);
    }
    /* a value that appears again has two rows: limits from both sides */
    for (uint32_t i = 0; i < all.len; i++) {
        bool again = i + 1 < all.len && all.data[i + 1] - all.data[i] <= SAME; /* a jump, or two phases */
        bool first = i == 0 || all.data[i] - all.data[i - 1] > SAME;
        if (first && again) {
            add_row(r, all.data[i], true, value);
        } else if (!again) {
            add_row(r, all.data[i], false, value);
        }
    }
}

/* Free times begin with those of the file. */
static void take_time(const reading *r, uint32_t var, double time)
{
    for (uint32_t i = 0; i < r->o->p.len; i++) {
        dd_decision *d = &r->o->p.data[i];
        if (d->var == var) {
            d->start_value = fmin(fmax(time, d->lower), d->upper);
            d->guess = DD_EXPR_NONE;
        }
    }
}

void dd_guess_phases_read(dd_ocp_problem *o, dd_table_reader *file, dd_guess_table *table, dd_pool *scratch)
{
    reading r = {.o = o, .file = file, .table = table, .scratch = scratch};
    r.phases = dd_pool_alloc_array(scratch, dd_ocp_phase_count(o) + 1, sizeof *r.phases);
    read_header(&r);
    for (uint32_t k = 0; k < dd_ocp_phase_count(o); k++) {
        r.phases[k].rows = dd_table_of_pool(scratch, file->fields);
    }
    read_rows(&r);
    put_together(&r);
    for (uint32_t k = 0; k < dd_ocp_phase_count(o); k++) {
        const dd_phase *p = &o->model->optimization->phases.data[k];
        take_time(&r, p->start_var, r.phases[k].first);
        take_time(&r, p->final_var, r.phases[k].last);
    }
}
