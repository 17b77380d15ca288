/* table_file.c - tables over time as CSV files: rows on demand go out, records come in row by row. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "result/table.h"

enum { MOST_BYTES = 1 << 30 };

/* ---- writing ---- */

static const char *stored_name(void *user, uint32_t field)
{
    const dd_table *t = user;
    return field == 0 ? "time" : t->columns[field - 1].name;
}

static const double *stored_row(void *user, uint64_t i, const bool **blank)
{
    (void)blank;
    return dd_table_row(user, i);
}

dd_table_rows dd_table_stored_rows(dd_table *t)
{
    return (dd_table_rows){.user = t, .count = t->count, .fields = t->width, .name = stored_name, .row = stored_row};
}

static dd_status write_rows(dd_csv_writer *w, dd_context *ctx, const dd_table_rows *rows)
{
    bool late = false;
    for (uint32_t k = 0; k < rows->fields; k++) {
        dd_csv_name(w, rows->name(rows->user, k));
    }
    dd_csv_end_record(w);
    for (uint64_t i = 0; i < rows->count; i++) {
        /* what a run has found is written, also when the limit comes meanwhile, but not for ever */
        const dd_status st = dd_poll_patiently(ctx, &late);
        if (st != DD_OK) {
            return st;
        }
        const bool *blank = NULL;
        const double *row = rows->row(rows->user, i, &blank);
        for (uint32_t k = 0; k < rows->fields; k++) {
            if (blank && blank[k]) {
                dd_csv_name(w, "");
            } else {
                dd_csv_number(w, row[k]);
            }
        }
        dd_csv_end_record(w);
    }
    return DD_OK;
}

dd_status dd_table_write(dd_context *ctx, const char *path, const dd_table_rows *rows)
{
    dd_csv_writer *w;
    dd_status st = dd_csv_open(&w, ctx, path);
    if (st != DD_OK) {
        return st;
    }
    st = write_rows(w, ctx, rows);
    if (st != DD_OK) {
        dd_csv_abandon(w);
        return st;
    }
    return dd_csv_close(w);
}

/* ---- reading ---- */

static bool refused(dd_table_reader *r, const char *problem)
{
    r->problem = problem;
    return false;
}

void dd_table_refuse(const dd_table_reader *r, const char *problem)
{
    dd_raise(dd_pool_context(r->csv.pool), DD_INVALID_MODEL, "%s:%u: %s", r->path, r->csv.line, problem);
}

dd_status dd_table_open(dd_table_reader *r, const char *path, dd_pool *pool)
{
    char *text;
    size_t length;
    /* the whole file at once: the reader works in place */
    const dd_status st = dd_file_read(pool, path, MOST_BYTES, &text, &length);
    *r = (dd_table_reader){.path = path, .time = UINT32_MAX, .wrong = UINT32_MAX};
    if (st == DD_OK) {
        r->csv = dd_csv_reader_new(pool, text, length);
    }
    return st;
}

bool dd_table_header(dd_table_reader *r)
{
    if (!dd_csv_next(&r->csv)) {
        return refused(r, r->csv.problem ? r->csv.problem : "the file is empty");
    }
    r->fields = r->csv.count;
    r->time = dd_table_field(r, "time");
    return true;
}

bool dd_table_require_time(dd_table_reader *r)
{
    return r->time != UINT32_MAX || refused(r, "no column is named `time`");
}

uint32_t dd_table_field(const dd_table_reader *r, const char *name)
{
    for (uint32_t k = 0; k < r->fields; k++) {
        if (strcmp(r->csv.field[k], name) == 0) {
            return k;
        }
    }
    return UINT32_MAX;
}

bool dd_table_require_once(dd_table_reader *r, const uint32_t *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *name = r->csv.field[fields[i]];
        for (uint32_t k = 0; k < r->fields; k++) {
            if (k != fields[i] && strcmp(r->csv.field[k], name) == 0) {
                return refused(r, dd_pool_printf(r->csv.pool, "the column `%s` appears twice", name));
            }
        }
    }
    return true;
}

void dd_table_choose(dd_table_reader *r, const uint32_t *fields, uint32_t count)
{
    r->chosen = fields;
    r->count = count;
}

/* Nothing, or (nans) "nan" in any case. */
static bool is_blank(const char *field, bool nans)
{
    field += strspn(field, " \t");
    if (nans && strspn(field, "nN") == 1 && strspn(field + 1, "aA") == 1 && strspn(field + 2, "nN") == 1) {
        field += 3;
    }
    return field[strspn(field, " \t")] == '\0';
}

static bool read_field(dd_table_reader *r, uint32_t field, bool blanks, double *value)
{
    if (blanks && is_blank(r->csv.field[field], r->nans)) {
        *value = NAN;
        return true;
    }
    if (!dd_csv_field_number(&r->csv, field, value)) {
        r->wrong = field;
        return refused(r, r->csv.problem);
    }
    return true;
}

bool dd_table_next(dd_table_reader *r, double *row)
{
    if (!dd_csv_next(&r->csv)) {
        r->problem = r->csv.problem;
        return false;
    }
    dd_check_stop(dd_pool_context(r->csv.pool));
    if (r->csv.count != r->fields) {
        return refused(r, dd_pool_printf(r->csv.pool, "%u fields, but the header has %u", r->csv.count, r->fields));
    }
    /* the time is never blank */
    if (!read_field(r, r->time, false, &row[0])) {
        return false;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (!read_field(r, r->chosen[i], r->blanks, &row[1 + i])) {
            return false;
        }
    }
    return true;
}

bool dd_table_read(dd_table_reader *r, dd_table *into, dd_pool *pool)
{
    double *row = dd_pool_alloc_array(r->csv.pool, into->width, sizeof *row);
    while (dd_table_next(r, row)) {
        /* equal times are jumps, earlier ones mistakes */
        if (into->count > 0 && row[0] < dd_table_time(into, into->count - 1)) {
            return refused(r, "time goes backwards");
        }
        dd_table_push(into, pool, row[0], row + 1);
    }
    return r->problem == NULL;
}
