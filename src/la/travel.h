/* travel.h - private parts of dd_rowspace: the columns, the row that is travelling through them, the rows that reduce
 * it.
 *
 *     columns in elimination order:   c1 ---- c2 ---- c3 ---- c4 ---- ...
 *     pivot rows (start at theirs):   [x x  x][x  x ] [free]  [x  ..]
 *     remembered rows (passed there):  [ x  x]  ...
 *
 * The travelling row lives in the columns themselves (value, magnitude); its pattern is a binary heap by elimination
 * order, so its leading column is on top.
 */
#ifndef DD_LA_TRAVEL_H
#define DD_LA_TRAVEL_H

#include "la/rowspace.h"

typedef struct dd_row_column {
    uint64_t key;         /* elimination order, ties by index; a column without pivot may be moved later */
    double value;         /* of the travelling row */
    double magnitude;     /* largest number the value was computed from */
    double value2;        /* the same for the copy that is reduced by remembered rows, */
    double magnitude2;    /* and scratch of the null vectors */
    double scale;         /* for comparing pivots */
    uint32_t pivot;       /* basis row with its pivot here, or DD_NO_INDEX */
    uint32_t first;       /* first row remembered here, or DD_NO_INDEX */
    uint32_t last;        /* the last one, when there is a first */
    uint32_t remembered;  /* how many */
    uint32_t heap;        /* storage of the heap: position k of the array, unrelated to this column */
    uint32_t list;        /* storage of the copy's pattern, likewise */
    uint32_t pending;     /* storage of the heap of remembered rows the copy is still to be reduced by, likewise */
    bool in_row, in_copy; /* part of the travelling row, of the copy */
} dd_row_column;

/* A growing list of (index, value) pairs. */
typedef struct dd_pairs {
    struct dd_pair {
        uint32_t idx;
        double val;
    } * data;
    size_t len, cap;
} dd_pairs;

/* row number `row` = sum of multipliers times earlier basis rows + scale * this basis row */
typedef struct dd_basis {
    size_t start;   /* entries other than the pivot's in rs->entries */
    size_t history; /* multipliers (basis row, factor) in rs->history, when tracked */
    double value;   /* pivot entry */
    double scale;   /* power of two the row was divided by while it was reduced */
    uint32_t len, history_len, column, row;
    bool partial; /* a partial sum of a long row, not a row itself */
} dd_basis;

typedef struct dd_passed {
    size_t start; /* entries other than the pivot's in rs->entries */
    double value;
    uint32_t len, column, next;
} dd_passed;

struct dd_rowspace {
    dd_context *ctx;
    dd_rowspace_options options;
    dd_rowspace_info info;
    dd_row_column *column;
    size_t column_cap;
    uint32_t ncols, ncolumns; /* of the caller; with the auxiliary columns of partial sums */
    dd_basis *basis;
    size_t basis_cap;
    uint32_t basis_len;
    dd_passed *passed;
    size_t passed_cap;
    uint32_t passed_len;
    struct dd_passed_key {
        uint32_t at, column;       /* where remembered, pivot column */
        uint32_t passed;           /* DD_NO_INDEX: empty place */
    } * lookup;                    /* open addressing, for columns where many rows are remembered */
    size_t lookup_cap, lookup_len; /* cap: 0 or a power of two */
    uint32_t pending_len;
    dd_pairs entries, history;
    uint32_t heap_len;
    int exponent;         /* travelling row = (heap row) * 2^exponent */
    uint32_t steps;       /* reductions since the row was last compared with remembered rows */
    double row_dropped;   /* largest relative entry of this row that was taken as zero */
    uint32_t long_row;    /* rows with more entries are cut into partial sums, */
    uint64_t long_budget; /* as long as that many entries are left for it */
    uint32_t *sweep;      /* basis rows by decreasing elimination order, for null vectors */
    size_t sweep_cap;
    uint32_t sweep_len;
};

typedef enum dd_travel { DD_TRAVEL_ADD, DD_TRAVEL_TEST, DD_TRAVEL_EXPRESS } dd_travel;

/* Rows with more entries are left out of the ordering and cut into partial sums. */
uint32_t dd_long_row_limit(uint32_t ncols);

/* Makes room for `need` elements (growing by half) and returns the array; NULL when refused, data is then untouched. */
void *dd_grow(dd_context *ctx, void *data, size_t *cap, size_t need, size_t element_size);
dd_status dd_pairs_push(dd_context *ctx, dd_pairs *p, uint32_t idx, double val);

/* Adds an entry to the travelling row. */
void dd_travel_put(dd_rowspace *rs, uint32_t column, double value, double magnitude);

/* Lets the row travel. landing receives the free column it ends at (its value still in place, the rest of the row in
 * the heap), or DD_NO_INDEX when nothing is left. ADD remembers the row along its way, TEST only compares with
 * remembered rows, EXPRESS ignores them. With ADD (when tracked) and EXPRESS the multipliers are appended to
 * rs->history. */
dd_status dd_travel_run(dd_rowspace *rs, dd_travel mode, uint32_t *landing);

/* True when an entry is treated as zero; remembers how close the call was. */
bool dd_entry_is_zero(dd_rowspace *rs, double value, double magnitude);

/* Compares the travelling row with the rows remembered at column j; zero: it lies in their span. Otherwise it is
 * remembered, too, if keep. */
dd_status dd_passed_compare(dd_rowspace *rs, uint32_t j, bool keep, bool *zero);

/* Makes the row that landed a basis row (ADD), or throws the rest of the row away. */
dd_status dd_travel_settle(dd_rowspace *rs, uint32_t landing, uint32_t row, bool partial, size_t history_start);
void dd_travel_clear(dd_rowspace *rs, uint32_t landing);

/* Elimination order of two columns. */
static inline bool dd_column_before(const dd_rowspace *rs, uint32_t a, uint32_t b)
{
    uint64_t ka = rs->column[a].key, kb = rs->column[b].key;
    return ka < kb || (ka == kb && a < b);
}

#endif
