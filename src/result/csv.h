/* csv.h - tables as CSV (RFC 4180): one header line, numbers with 17 significant digits, whatever the locale.
 *
 * Writing goes straight to the file, row by row. Reading walks through a text in memory, record by record; fields are
 * unquoted in place.
 */
#ifndef DD_RESULT_CSV_H
#define DD_RESULT_CSV_H

#include <stdbool.h>

#include "base/file.h"

/* ---- writing ---- */

typedef struct dd_csv_writer dd_csv_writer;

/* As dd_file_open. */
dd_status dd_csv_open(dd_csv_writer **out, dd_context *ctx, const char *path);
/* A name of the header, in order; quoted where commas, quotes, brackets or line ends ask for it. */
void dd_csv_name(dd_csv_writer *w, const char *name);
/* A number of the current record. */
void dd_csv_number(dd_csv_writer *w, double value);
/* Ends the header or a record. */
void dd_csv_end_record(dd_csv_writer *w);
/* As dd_file_close: everything or nothing. Frees the writer. */
dd_status dd_csv_close(dd_csv_writer *w);
/* Leaves the target as it was. Frees the writer; NULL is fine. */
void dd_csv_abandon(dd_csv_writer *w);

/* ---- reading ---- */

typedef struct dd_csv_reader {
    char *at, *end; /* the rest of the text */
    uint32_t line;  /* of the record last read, from 1 */
    uint32_t next_line;
    uint32_t count; /* fields of the record last read */
    char **field;   /* terminated each; valid until the text goes */
    dd_pool *pool;
    uint32_t capacity;
    const char *problem; /* a malformed record: its fault; NULL: none */
} dd_csv_reader;

/* Reads text[0..length), which is changed, with text[length] writable. A byte order mark is skipped. */
dd_csv_reader dd_csv_reader_new(dd_pool *pool, char *text, size_t length);

/* The next record; empty lines are skipped. False at the end, or with `problem` set. Lines end with LF, CR LF or CR.
 * Raises when memory runs out. */
bool dd_csv_next(dd_csv_reader *r);

/* A field as a number: blanks around it are fine, anything else around it is not. False when it is not a number. */
bool dd_csv_read_number(const char *field, double *value);
/* The same of field i of the record, from 0; false with `problem` set. Raises when memory runs out. */
bool dd_csv_field_number(dd_csv_reader *r, uint32_t i, double *value);

/* Seconds that dd_csv_number takes here and now, measured. */
double dd_csv_number_seconds(void);

#endif
