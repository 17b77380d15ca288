/* ocp_table.h - the trajectory of a solution as a table.
 *
 * A row per interval boundary and point (of shooting: per step and stage); a time at which something jumps has two
 * rows, the limit from the left and that from the right. Between these there are more rows where a control is a
 * polynomial, as many as linear interpolation needs to be right to 1e-6 of the control's size, within the limits
 * below; a table for pictures is content with a hundredth of a percent, one for a glance has a few rows at equal
 * distances. First column: time. Then variables and controls; costates and densities of multipliers when asked for. */
#ifndef DD_OCP_OCP_TABLE_H
#define DD_OCP_OCP_TABLE_H

#include "ocp/multipliers.h"
#include "ocp/ocp_impl.h"
#include "result/table.h"

enum {
    DD_TABLE_MOST = 1000,  /* rows between two points */
    DD_TABLE_ROWS = 10000, /* in all, of all phases: a smooth control needs less on any mesh, */
    DD_TABLE_EACH = 40     /* or per interval and phase, where that is more: a control that jumps wants hundreds */
};

/* What the rows of a table are for. */
typedef enum dd_ocp_rows {
    DD_ROWS_FILE,
    DD_ROWS_PICTURE, /* a few rows more between points */
    DD_ROWS_GLANCE   /* sizes of variables, and which of them are alike */
} dd_ocp_rows;

typedef enum dd_ocp_column_kind { DD_COLUMN_VARIABLE, DD_COLUMN_COSTATE, DD_COLUMN_MULTIPLIER } dd_ocp_column_kind;

typedef struct dd_ocp_column {
    dd_ocp_column_kind kind;
    uint32_t index; /* of the outputs, of x, of the multipliers */
} dd_ocp_column;

/* One row: where it is read. */
typedef struct dd_ocp_place {
    uint32_t interval;
    double theta;
    double read; /* theta, or just before it */
    bool left;
} dd_ocp_place;

typedef struct dd_ocp_table {
    dd_table *rows;
    DD_VEC(dd_ocp_column) columns; /* what each of its columns is */
    DD_VEC(dd_ocp_place) places;   /* one per row */
} dd_ocp_table;

/* p has a trajectory. Raises. */
dd_ocp_table *dd_ocp_table_new(dd_ocp *p, bool multipliers, dd_ocp_rows rows, dd_pool *pool);

#endif
