/* table.h - a table over time: rows of numbers under named columns.
 *
 *     time    x      y        columns: names and units
 *     0       1      0.5      rows: the time, then a number per column
 *     1       0.5    0.7
 *     1       2      0.7      rows of equal time are a jump: x is 0.5 before it and 2 behind it
 *
 * Trajectories, points of curves, guesses and files of inputs or measured data are such tables. Times do not decrease.
 * Between two rows values are linear; one column with a finer interpolation is a series (series.h).
 */
#ifndef DD_RESULT_TABLE_H
#define DD_RESULT_TABLE_H

#include "base/pool.h"
#include "result/csv.h"

typedef struct dd_table_column {
    const char *name, *unit; /* unit: "" for none */
} dd_table_column;

typedef struct dd_table {
    double *data; /* count rows of width numbers: the time, then the columns */
    uint64_t count, capacity;
    uint64_t expected;              /* how many rows there will be; 0: not known */
    uint32_t width;                 /* 1 + columns */
    const dd_table_column *columns; /* the owner's; NULL: the owner knows them by their order alone */
} dd_table;

/* ---- rows (table.c) ---- */

/* A new row at the end, to be filled; NULL when memory runs out. Earlier rows may move. */
double *dd_table_new_row(dd_table *t, dd_context *ctx);
/* The same, filled with the time and the values of all columns. */
dd_status dd_table_add(dd_table *t, dd_context *ctx, double time, const double *values);
void dd_table_free(dd_table *t, dd_context *ctx);
/* An empty table that is freed with the pool. Raises. */
dd_table *dd_table_of_pool(dd_pool *pool, uint32_t columns);
/* Memory for this many rows at once. Raises. */
void dd_table_reserve(dd_table *t, dd_pool *pool, uint64_t rows);
/* dd_table_new_row and dd_table_add for a table of this pool. Raise. */
double *dd_table_push_row(dd_table *t, dd_pool *pool);
void dd_table_push(dd_table *t, dd_pool *pool, double time, const double *values);
/* The rows of both, by time; of equal times those of `a` first. Both have the same columns. Raises. */
dd_table *dd_table_merge(const dd_table *a, const dd_table *b, dd_pool *pool);

static inline const double *dd_table_row(const dd_table *t, uint64_t row)
{
    return t->data + row * t->width;
}

static inline double dd_table_time(const dd_table *t, uint64_t row)
{
    return dd_table_row(t, row)[0];
}

/* ---- between the rows ---- */

/* A part s of the way from a row to the next one. */
typedef struct dd_table_place {
    uint64_t row;
    double s; /* 0: the row alone; rounding may leave it slightly outside of 0 to 1 */
} dd_table_place;

/* The place of a time in a table with rows: behind the last of the rows that are before `edge` (closed: or at it). The
 * edge says to which side of a jump the time belongs: a little before the time, or a little behind it. Before the first
 * row and behind the last one their values are held. */
dd_table_place dd_table_find(const dd_table *t, double time, double edge, bool closed);
/* The value of column c, from 0. */
double dd_table_value(const dd_table *t, dd_table_place at, uint32_t c);

/* A value of column c for people: 0 where it is rounding beside the largest of its column, as the end of a motion that
 * comes to rest. */
double dd_table_rounded(const dd_table *t, uint32_t c, double value);
/* The same beside a size that is known. */
double dd_rounded_beside(double size, double value);
/* With that many digits, for "%.6g": 2459.3 with two is 2500, which "%.2g" writes as 2.5e+03. */
double dd_rounded_digits(double value, int digits);

/* ---- files (table_file.c) ---- */

/* Rows on demand: what is written need not be stored. */
typedef struct dd_table_rows {
    void *user;
    uint64_t count;
    uint32_t fields; /* of a row, the time among them */
    const char *(*name)(void *user, uint32_t field);
    /* Row i: `fields` numbers, valid until the next call. *blank may be set to one flag per field: true leaves it empty.
     * Must not raise. */
    const double *(*row)(void *user, uint64_t i, const bool **blank);
} dd_table_rows;

dd_table_rows dd_table_stored_rows(dd_table *t); /* t has names */

/* Writes a CSV file, everything or nothing. Within a respite it may outlive the time limit by that respite. */
dd_status dd_table_write(dd_context *ctx, const char *path, const dd_table_rows *rows);

/* A CSV file with a column `time`, read row by row. */
typedef struct dd_table_reader {
    const char *path;
    dd_csv_reader csv;   /* the record last read: at first the names */
    uint32_t fields;     /* of every record */
    uint32_t time;       /* the field of the time; UINT32_MAX: there is none */
    const char *problem; /* why something was refused; the line is that of csv */
    uint32_t wrong;      /* field that is not a number; UINT32_MAX: none */
    const uint32_t *chosen;
    uint32_t count;
    bool blanks; /* empty fields are NaN, not a mistake */
    bool nans;   /* with blanks: so are fields that read nan */
} dd_table_reader;

/* Takes the text of the file into the pool; fails with a message when it cannot be read. */
dd_status dd_table_open(dd_table_reader *r, const char *path, dd_pool *pool);
/* The header, whose fields are then those of csv. False with a problem when there is none. */
bool dd_table_header(dd_table_reader *r);
/* False with a problem when no column is named `time`. */
bool dd_table_require_time(dd_table_reader *r);
/* The field of this name, the first of several; UINT32_MAX without. */
uint32_t dd_table_field(const dd_table_reader *r, const char *name);
/* False with a problem when a name of these fields is there twice. */
bool dd_table_require_once(dd_table_reader *r, const uint32_t *fields, uint32_t count);
/* The fields to be read, in this order; other fields may hold anything. */
void dd_table_choose(dd_table_reader *r, const uint32_t *fields, uint32_t count);
/* The next row: the time, then the chosen fields. False at the end, or with a problem. */
bool dd_table_next(dd_table_reader *r, double *row);
/* All rows into a table of the pool with a column per chosen field; times must not decrease. False with a problem. */
bool dd_table_read(dd_table_reader *r, dd_table *into, dd_pool *pool);
/* "file:line: problem", raised as DD_INVALID_MODEL. */
_Noreturn void dd_table_refuse(const dd_table_reader *r, const char *problem);

#endif
