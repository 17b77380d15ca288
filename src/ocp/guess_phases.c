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
    DD_VEC(double) tau;   /* first the times of the file */
    DD_VEC(double) value; /* rows * fields */
    double first, last;
} phase_rows;

typedef struct reading {
    dd_ocp_problem *o;
    const char *path;
    dd_csv_reader *csv;
    dd_guess_table *table;
    dd_pool *scratch;
    uint32_t fields, time, phase;
    uint32_t *field_of, *phase_of; /* per column of the table */
    phase_rows *phases;
} reading;

_Noreturn static void refuse(const reading *r, const char *what)
{
    dd_raise(dd_pool_context(r->scratch), DD_INVALID_MODEL, "%s:%u: %s", r->path, r->csv->line, what);
}

/* ---- the file ---- */

static uint32_t find_field(const reading *r, const char *name)
{
    for (uint32_t k = 0; k < r->fields; k++) {
        if (strcmp(r->csv->field[k], name) == 0) {
            return k;
        }
    }
    return DD_NO_INDEX;
}

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
        uint32_t field = find_field(r, dd_ocp_phase_local(name, opt->phases.data[phase - 1].name, r->scratch));
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
    if (!dd_csv_next(r->csv)) {
        refuse(r, r->csv->problem != NULL ? r->csv->problem : "the file is empty");
    }
    r->fields = r->csv->count;
    /* both columns are needed: times of different phases overlap */
    r->time = find_field(r, "time");
    r->phase = find_field(r, "phase");
    if (r->time == DD_NO_INDEX || r->phase == DD_NO_INDEX) {
        refuse(r, dd_pool_printf(
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
        refuse(r, "no column is named like a variable or control of a phase");
    }
}

static double read_number(const reading *r, uint32_t field)
{
    double value;
    if (!dd_csv_field_number(r->csv, field, &value)) {
        refuse(r, r->csv->problem);
    }
    return value;
}

static void read_row(reading *r)
{
    if (r->csv->count != r->fields) {
        refuse(r, dd_pool_printf(r->scratch, "%u fields, but the header has %u", r->csv->count, r->fields));
    }
    /* rows of one phase are in the order of time, phases in any */
    double time = read_number(r, r->time), number = read_number(r, r->phase);
    uint32_t n = dd_ocp_phase_count(r->o);
    if (!(number >= 1 && number <= n) || number != floor(number)) {
        refuse(r, dd_pool_printf(r->scratch, "there is no phase number %g: the problem has %u", number, n));
    }
    phase_rows *p = &r->phases[(uint32_t)number - 1];
    if (p->tau.len > 0 && time < p->tau.data[p->tau.len - 1]) {
        refuse(r, "time goes backwards");
    }
    dd_vec_push(r->scratch, &p->tau, time);
    for (uint32_t k = 0; k < r->fields; k++) {
        bool empty = r->csv->field[k][0] == '\0'; /* the phase has no such variable */
        dd_vec_push(r->scratch, &p->value, empty ? 0 : read_number(r, k));
    }
}

static void read_rows(reading *r)
{
    while (dd_csv_next(r->csv)) {
        dd_check_stop(dd_pool_context(r->scratch));
        read_row(r);
    }
    if (r->csv->problem != NULL) {
        refuse(r, r->csv->problem);
    }
    /* times become parts of the phase: 0 its start, 1 its end */
    for (uint32_t k = 0; k < dd_ocp_phase_count(r->o); k++) {
        phase_rows *p = &r->phases[k];
        p->first = p->tau.len > 0 ? p->tau.data[0] : 0;
        p->last = p->tau.len > 0 ? p->tau.data[p->tau.len - 1] : 0;
        if (!(p->last > p->first)) {
            refuse(r, dd_pool_printf(r->scratch, "a guess needs rows at two times of the phase %s at least",
                                     r->o->model->optimization->phases.data[k].name));
        }
        for (uint32_t i = 0; i < p->tau.len; i++) {
            p->tau.data[i] = (p->tau.data[i] - p->first) / (p->last - p->first);
        }
    }
}

/* ---- side by side ---- */

/* A value of a phase at tau: of several rows there the first (left) or the last. */
static double value_at(const reading *r, const phase_rows *p, uint32_t field, double tau, bool left)
{
    uint32_t low = 0, high = p->tau.len; /* rows before `low` are before tau (at it too, from the right) */
    double edge = left ? tau - SAME : tau + SAME;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (left ? p->tau.data[mid] < edge : p->tau.data[mid] <= edge) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    /* linear between the rows beside tau */
    uint32_t a = low > 0 ? low - 1 : 0, b = low < p->tau.len ? low : p->tau.len - 1;
    const double *value = p->value.data + field;
    double width = p->tau.data[b] - p->tau.data[a], s = width > 0 ? (tau - p->tau.data[a]) / width : 0;
    s = fmin(fmax(s, 0), 1);
    return (1 - s) * value[(size_t)a * r->fields] + s * value[(size_t)b * r->fields];
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static void add_row(const reading *r, double tau, bool left, double *value)
{
    for (uint32_t i = 0; i < r->table->width; i++) {
        value[i] = r->table->has[i] ? value_at(r, &r->phases[r->phase_of[i]], r->field_of[i], tau, left) : 0;
    }
    dd_guess_table_add(r->table, tau, value);
}

static void put_together(reading *r)
{
    DD_VEC(double) all = {0};
    double *value = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *value);
    /* all parts of all phases, sorted */
    for (uint32_t k = 0; k < dd_ocp_phase_count(r->o); k++) {
        for (uint32_t i = 0; i < r->phases[k].tau.len; i++) {
            dd_vec_push(r->scratch, &all, r->phases[k].tau.data[i]);
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

void dd_guess_phases_read(dd_ocp_problem *o, const char *path, dd_csv_reader *csv, dd_guess_table *table,
                          dd_pool *scratch)
{
    reading r = {.o = o, .path = path, .csv = csv, .table = table, .scratch = scratch};
    r.phases = dd_pool_alloc_array(scratch, dd_ocp_phase_count(o) + 1, sizeof *r.phases);
    read_header(&r);
    read_rows(&r);
    put_together(&r);
    for (uint32_t k = 0; k < dd_ocp_phase_count(o); k++) {
        const dd_phase *p = &o->model->optimization->phases.data[k];
        take_time(&r, p->start_var, r.phases[k].first);
        take_time(&r, p->final_var, r.phases[k].last);
    }
}
