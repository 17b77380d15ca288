/* guess_table.c - tables of guesses: looked up, and read from CSV files. */
#include "ocp/guess_table.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/file.h"
#include "ocp/guess_phases.h"
#include "ocp/phases.h"
#include "result/csv.h"

enum { MOST_BYTES = 1 << 30 };
#define SAME_TIME 1e-12 /* rows that are later by less belong to a time: at a jump the one behind it */

dd_guess_table *dd_guess_table_new(const dd_ocp_problem *o, dd_pool *pool)
{
    dd_guess_table *table = dd_pool_alloc(pool, sizeof *table);
    table->width = o->x.len + o->z.len + o->u.len;
    table->has = dd_pool_alloc_array(pool, table->width + 1, sizeof *table->has);
    table->pool = pool;
    return table;
}

void dd_guess_table_add(dd_guess_table *table, double theta, const double *value)
{
    dd_vec_push(table->pool, &table->theta, theta);
    for (uint32_t i = 0; i < table->width; i++) {
        dd_vec_push(table->pool, &table->value, value[i]);
    }
}

static void put(const dd_guess_table *table, uint32_t column, uint32_t row, double s, double *to)
{
    const double *value = table->value.data + (size_t)row * table->width + column;
    if (table->has[column]) {
        *to = s > 0 ? (1 - s) * value[0] + s * value[table->width] : value[0];
    }
}

void dd_guess_table_at(const dd_guess_table *table, const dd_ocp_problem *o, double theta, bool left, double *x,
                       double *z, double *u)
{
    uint32_t low = 0, high = table->theta.len; /* rows before `low` are at or before theta; left: before it */
    const double until = left ? theta - SAME_TIME : theta + SAME_TIME;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (table->theta.data[mid] <= until) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    /* the last row at or before theta; before the first and after the last the value stays */
    uint32_t row = low > 0 ? low - 1 : 0, column = 0;
    bool between = low > 0 && low < table->theta.len;
    double begin = table->theta.data[row],
           s = between ? (theta - begin) / (table->theta.data[low] - begin) : 0; /* below 0 by rounding: that row */
    for (uint32_t i = 0; i < o->x.len; i++) {
        put(table, column++, row, s, x + i);
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        put(table, column++, row, s, z + i);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        put(table, column++, row, s, u + i);
    }
}

/* ---- from a file ---- */

typedef struct reading {
    dd_ocp_problem *o;
    dd_guess_table *table;
    dd_pool *scratch;
    const char *path;
    dd_csv_reader csv;
    uint32_t fields, time;
    uint32_t *field_of; /* per column of the table: its field, DD_NO_INDEX */
} reading;

_Noreturn static void refuse(reading *r, const char *what)
{
    dd_raise(dd_pool_context(r->scratch), DD_INVALID_MODEL, "%s:%u: %s", r->path, r->csv.line, what);
}

static void match(reading *r, const dd_decision_vec *list, uint32_t first)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        const char *name = dd_model_var_name_dup(r->o->model, d->var, r->scratch);
        /* derivatives have no columns */
        for (uint32_t k = 0; k < r->fields && d->order == 0; k++) {
            if (strcmp(r->csv.field[k], name) == 0) {
                r->field_of[first + i] = k;
                r->table->has[first + i] = true;
            }
        }
    }
}

static void read_header(reading *r)
{
    const dd_ocp_problem *o = r->o;
    bool any = false;
    if (!dd_csv_next(&r->csv)) {
        refuse(r, r->csv.problem != NULL ? r->csv.problem : "the file is empty");
    }
    r->fields = r->csv.count;
    /* time first: nothing works without it */
    r->time = DD_NO_INDEX;
    for (uint32_t k = 0; k < r->fields && r->time == DD_NO_INDEX; k++) {
        r->time = strcmp(r->csv.field[k], "time") == 0 ? k : DD_NO_INDEX;
    }
    if (r->time == DD_NO_INDEX) {
        refuse(r, "no column is named `time`");
    }
    r->field_of = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *r->field_of);
    match(r, &o->x, 0);
    match(r, &o->z, o->x.len);
    match(r, &o->u, o->x.len + o->z.len);
    for (uint32_t i = 0; i < r->table->width; i++) {
        any = any || r->table->has[i];
    }
    if (!any) {
        refuse(r, "no column is named like a variable or control of the problem");
    }
}

static double read_number(reading *r, uint32_t field)
{
    double value;
    if (!dd_csv_field_number(&r->csv, field, &value)) {
        refuse(r, r->csv.problem);
    }
    return value;
}

static void read_rows(reading *r)
{
    double *value = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *value);
    dd_guess_table *table = r->table;
    /* rows in the order of time, with all fields */
    while (dd_csv_next(&r->csv)) {
        dd_check_stop(dd_pool_context(r->scratch));
        if (r->csv.count != r->fields) {
            refuse(r, dd_pool_printf(r->scratch, "%u fields, but the header has %u", r->csv.count, r->fields));
        }
        double time = read_number(r, r->time);
        if (table->theta.len > 0 && time < table->theta.data[table->theta.len - 1]) {
            refuse(r, "time goes backwards");
        }
        for (uint32_t i = 0; i < table->width; i++) {
            value[i] = table->has[i] ? read_number(r, r->field_of[i]) : 0;
        }
        dd_guess_table_add(table, time, value);
    }
    if (r->csv.problem != NULL) {
        refuse(r, r->csv.problem);
    }
    if (table->theta.len < 2 || !(table->theta.data[table->theta.len - 1] > table->theta.data[0])) {
        refuse(r, "a guess needs rows at two times at least");
    }
}

/* The horizon of the file becomes that of the problem: taken over where it is free, stretched where it is not. */
static void stretch(reading *r)
{
    dd_ocp_problem *o = r->o;
    dd_guess_table *table = r->table;
    /* fractions of the file's own horizon */
    double begin = table->theta.data[0], end = table->theta.data[table->theta.len - 1], length = end - begin;
    /* a free horizon begins with that of the file */
    if (o->free_t0) {
        o->t0_value = fmin(fmax(begin, o->t0_lower), o->t0_upper);
    }
    if (o->free_tf) {
        o->tf_value = fmin(fmax(o->t0_value + length, o->tf_lower), o->tf_upper);
    }
    double horizon = o->tf_value - o->t0_value;
    if (fabs(horizon - length) > 1e-9 * fmax(fabs(horizon), length)) {
        dd_vec_push(o->pool, &o->messages,
                    dd_pool_printf(o->pool, "the guess of %s covers %g s and is stretched to the horizon of %g s",
                                   r->path, length, horizon));
    }
    for (uint32_t i = 0; i < table->theta.len; i++) {
        table->theta.data[i] = (table->theta.data[i] - begin) / length;
    }
}

dd_guess_table *dd_guess_table_read(dd_ocp_problem *o, const char *path, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    reading r = {.o = o, .table = dd_guess_table_new(o, pool), .scratch = scratch, .path = path};
    char *text;
    size_t length;
    dd_status status = dd_file_read(scratch, path, MOST_BYTES, &text, &length);
    if (status != DD_OK) {
        dd_context *ctx = dd_pool_context(pool);
        dd_raise(ctx, status, "%s", dd_pool_strdup(pool, dd_context_message(ctx)));
    }
    r.csv = dd_csv_reader_new(scratch, text, length);
    if (dd_ocp_phase_count(o) > 0) {
        dd_guess_phases_read(o, path, &r.csv, r.table, scratch);
    } else {
        read_header(&r);
        read_rows(&r);
        stretch(&r);
    }
    dd_pool_free(scratch);
    return r.table;
}
