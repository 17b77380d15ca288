/* guess_table.c - tables of guesses: looked up, and read from CSV files. */
#include "ocp/guess_table.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/guess_phases.h"
#include "ocp/phases.h"

#define SAME_TIME 1e-12 /* rows that are later by less belong to a time: at a jump the one behind it */

dd_guess_table *dd_guess_table_new(const dd_ocp_problem *o, dd_pool *pool)
{
    dd_guess_table *table = dd_pool_alloc(pool, sizeof *table);
    table->width = o->x.len + o->z.len + o->u.len;
    table->rows = dd_table_of_pool(pool, table->width);
    table->has = dd_pool_alloc_array(pool, table->width + 1, sizeof *table->has);
    table->pool = pool;
    return table;
}

void dd_guess_table_add(dd_guess_table *table, double theta, const double *value)
{
    dd_table_push(table->rows, table->pool, theta, value);
}

static void put(const dd_guess_table *table, dd_table_place at, uint32_t first, uint32_t n, double *to)
{
    for (uint32_t i = 0; i < n; i++) {
        if (table->has[first + i]) {
            to[i] = dd_table_value(table->rows, at, first + i);
        }
    }
}

void dd_guess_table_at(const dd_guess_table *table, const dd_ocp_problem *o, double theta, bool left, double *x,
                       double *z, double *u)
{
    const dd_table_place at = dd_table_find(table->rows, theta, left ? theta - SAME_TIME : theta + SAME_TIME, true);
    put(table, at, 0, o->x.len, x);
    put(table, at, o->x.len, o->z.len, z);
    put(table, at, o->x.len + o->z.len, o->u.len, u);
}

/* ---- from a file ---- */

typedef struct reading {
    dd_ocp_problem *o;
    dd_guess_table *table;
    dd_pool *scratch;
    dd_table_reader file;
    uint32_t *field_of; /* per column of the table: its field */
} reading;

static void match(reading *r, const dd_decision_vec *list, uint32_t first)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        const char *name = dd_model_var_name_dup(r->o->model, d->var, r->scratch);
        /* derivatives have no columns */
        for (uint32_t k = 0; k < r->file.fields && d->order == 0; k++) {
            if (strcmp(r->file.csv.field[k], name) == 0) {
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
    /* time first: nothing works without it */
    if (!dd_table_header(&r->file) || !dd_table_require_time(&r->file)) {
        dd_table_refuse(&r->file, r->file.problem);
    }
    r->field_of = dd_pool_alloc_array(r->scratch, r->table->width + 1, sizeof *r->field_of);
    match(r, &o->x, 0);
    match(r, &o->z, o->x.len);
    match(r, &o->u, o->x.len + o->z.len);
    for (uint32_t i = 0; i < r->table->width; i++) {
        any = any || r->table->has[i];
    }
    if (!any) {
        dd_table_refuse(&r->file, "no column is named like a variable or control of the problem");
    }
}

static void read_rows(reading *r)
{
    dd_guess_table *table = r->table;
    dd_index_vec fields = {0}, column = {0};
    /* the columns that are there */
    for (uint32_t i = 0; i < table->width; i++) {
        if (table->has[i]) {
            dd_vec_push(r->scratch, &fields, r->field_of[i]);
            dd_vec_push(r->scratch, &column, i);
        }
    }
    dd_table_choose(&r->file, fields.data, fields.len);
    dd_table *read = dd_table_of_pool(r->scratch, fields.len);
    if (!dd_table_read(&r->file, read, r->scratch)) {
        dd_table_refuse(&r->file, r->file.problem);
    }
    if (read->count < 2 || !(dd_table_time(read, read->count - 1) > dd_table_time(read, 0))) {
        dd_table_refuse(&r->file, "a guess needs rows at two times at least");
    }
    /* put where the problem has them */
    double *value = dd_pool_alloc_array(r->scratch, (size_t)table->width + 1, sizeof *value);
    for (uint64_t row = 0; row < read->count; row++) {
        for (uint32_t i = 0; i < column.len; i++) {
            value[column.data[i]] = dd_table_row(read, row)[1 + i];
        }
        dd_guess_table_add(table, dd_table_time(read, row), value);
    }
}

/* The horizon of the file becomes that of the problem: taken over where it is free, stretched where it is not. */
static void stretch(reading *r)
{
    dd_ocp_problem *o = r->o;
    dd_table *rows = r->table->rows;
    /* fractions of the file's own horizon */
    double begin = dd_table_time(rows, 0), end = dd_table_time(rows, rows->count - 1), length = end - begin;
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
                                   r->file.path, length, horizon));
    }
    for (uint64_t i = 0; i < rows->count; i++) {
        rows->data[i * rows->width] = (dd_table_time(rows, i) - begin) / length;
    }
}

dd_guess_table *dd_guess_table_read(dd_ocp_problem *o, const char *path, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    reading r = {.o = o, .table = dd_guess_table_new(o, pool), .scratch = scratch};
    dd_status status = dd_table_open(&r.file, path, scratch);
    if (status != DD_OK) {
        dd_context *ctx = dd_pool_context(pool);
        dd_raise(ctx, status, "%s", dd_pool_strdup(pool, dd_context_message(ctx)));
    }
    if (dd_ocp_phase_count(o) > 0) {
        dd_guess_phases_read(o, &r.file, r.table, scratch);
    } else {
        read_header(&r);
        read_rows(&r);
        stretch(&r);
    }
    dd_pool_free(scratch);
    return r.table;
}
