/* equilibrate.h - column scales that make a matrix independent of units. */
#ifndef DD_NLS_EQUILIBRATE_H
#define DD_NLS_EQUILIBRATE_H

#include "la/csc.h"

/* col_scale (ncols): powers of two such that, with suitable row scales, the largest product of entries, one in each row
 * and no two in a column, is a product of ones with nothing larger (Duff and Koster 2001). *found: false, and all ones,
 * where there is no such product, more rows than columns, or a wide matrix of more than 400 columns. */
dd_status dd_equilibrate_columns(dd_context *ctx, const dd_csc *a, double *col_scale, bool *found);

#endif
