/* csv_write.c - CSV to a file, one number at a time. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "result/csv.h"

struct dd_csv_writer {
    dd_context *ctx;
    dd_file_out *file;
    bool begun; /* the record has a field already */
};

dd_status dd_csv_open(dd_csv_writer **out, dd_context *ctx, const char *path)
{
    *out = NULL;
    dd_csv_writer *w = dd_mem_new_array(ctx, 1, sizeof *w);
    if (!w) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    w->ctx = ctx;
    dd_status st = dd_file_open(&w->file, ctx, path);
    if (st != DD_OK) {
        dd_mem_free(ctx, w, sizeof *w);
        return st;
    }
    *out = w;
    return DD_OK;
}

static void separate(dd_csv_writer *w)
{
    if (w->begun) {
        dd_file_add(w->file, ",", 1);
    }
    w->begun = true;
}

void dd_csv_name(dd_csv_writer *w, const char *name)
{
    separate(w);
    /* plain names as they are */
    if (!strpbrk(name, ",\"[]\r\n")) {
        dd_file_add(w->file, name, strlen(name));
        return;
    }
    /* quotes inside are doubled */
    dd_file_add(w->file, "\"", 1);
    for (const char *quote; (quote = strchr(name, '"')) != NULL; name = quote + 1) {
        dd_file_add(w->file, name, (size_t)(quote - name));
        dd_file_add(w->file, "\"\"", 2);
    }
    dd_file_add(w->file, name, strlen(name));
    dd_file_add(w->file, "\"", 1);
}

void dd_csv_number(dd_csv_writer *w, double value)
{
    char text[40];
    /* 17 digits read back exactly */
    const int n = snprintf(text, sizeof text, "%.17g", value);
    /* a locale may write another decimal point, of several bytes even: no number contains anything else like it */
    const struct lconv *local = localeconv();
    const char *point = local->decimal_point;
    size_t length = (size_t)n;
    if (point[0] != '.' || point[1] != '\0') {
        char *found = strstr(text, point);
        if (found) {
            const size_t wide = strlen(point);
            *found = '.';
            memmove(found + 1, found + wide, strlen(found + wide) + 1);
            length -= wide - 1;
        }
    }
    separate(w);
    dd_file_add(w->file, text, length);
}

double dd_csv_number_seconds(void)
{
    enum { BATCHES = 5, COUNT = 400 };
    static const double rest = 1.5; /* times the digits alone: separators, copies, the file system */
    char text[40];
    double took[BATCHES] = {0}; /* in rising order: the middle one was not interrupted by others */
    /* the median of five batches: an interruption spoils one of them */
    for (int k = 0; k < BATCHES; k++) {
        const double began = dd_clock_seconds();
        int length = 0, at = k;
        for (int i = 0; i < COUNT; i++) {
            length += snprintf(text, sizeof text, "%.17g", 1.0 / (3 + i));
        }
        const double seconds = length > 0 ? (dd_clock_seconds() - began) / COUNT : 0;
        /* insertion into the sorted list */
        for (; at > 0 && took[at - 1] > seconds; at--) {
            took[at] = took[at - 1];
        }
        took[at] = seconds;
    }
    return rest * took[BATCHES / 2];
}

void dd_csv_end_record(dd_csv_writer *w)
{
    dd_file_add(w->file, "\n", 1);
    w->begun = false;
}

dd_status dd_csv_close(dd_csv_writer *w)
{
    if (!w) {
        return DD_OK;
    }
    const dd_status st = dd_file_close(w->file);
    dd_mem_free(w->ctx, w, sizeof *w);
    return st;
}

void dd_csv_abandon(dd_csv_writer *w)
{
    if (w) {
        dd_file_abandon(w->file);
        dd_mem_free(w->ctx, w, sizeof *w);
    }
}
