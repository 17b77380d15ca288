/* columns.h - the meaning of every variable of a transcription. */
#ifndef DD_OCP_COLUMNS_H
#define DD_OCP_COLUMNS_H

#include "ocp/transcription.h"

typedef enum dd_column_kind {
    DD_COLUMN_STATE,
    DD_COLUMN_ALGEBRAIC,
    DD_COLUMN_CONTROL,
    DD_COLUMN_PARAMETER,
    DD_COLUMN_START_TIME,
    DD_COLUMN_FINAL_TIME,
    DD_COLUMN_OTHER /* values between nodes in multiple shooting */
} dd_column_kind;

typedef struct dd_column {
    dd_column_kind kind;
    uint32_t index; /* of x, z, u or p */
    double theta;
} dd_column;

/* One per variable of t->nlp. Raises. */
const dd_column *dd_ocp_columns(const dd_transcription *t, dd_pool *pool);

/* The decision behind a column; NULL: a time, or a value between nodes. */
const dd_decision *dd_column_decision(const dd_ocp_problem *o, const dd_column *c);

#endif
