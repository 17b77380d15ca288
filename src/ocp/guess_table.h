/* guess_table.h - a guess as a table: rows over the horizon, linear between them. */
#ifndef DD_OCP_GUESS_TABLE_H
#define DD_OCP_GUESS_TABLE_H

#include "ocp/transcription.h"
#include "result/table.h"

/* Columns are x, z, u of the problem in this order. Rows of equal theta are a jump. */
typedef struct dd_guess_table {
    dd_table *rows; /* their time is theta */
    uint32_t width; /* columns */
    bool *has;      /* per column: the table has it */
    dd_pool *pool;
} dd_guess_table;

dd_guess_table *dd_guess_table_new(const dd_ocp_problem *o, dd_pool *pool);
/* One more row at the end; value: width. */
void dd_guess_table_add(dd_guess_table *table, double theta, const double *value);
/* Replaces the values in x, z, u that the table has. left: the first of several rows at theta, else the last. */
void dd_guess_table_at(const dd_guess_table *table, const dd_ocp_problem *o, double theta, bool left, double *x,
                       double *z, double *u);

/* Columns by the names of variables and controls; the times of the file are stretched to the horizon, and a free
 * final time begins with that of the file. Raises DD_IO and DD_INVALID_MODEL with "file:line: ...". */
dd_guess_table *dd_guess_table_read(dd_ocp_problem *o, const char *path, dd_pool *pool);

#endif
