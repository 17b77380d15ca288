/* page_columns.h - the numbers of a page: columns of figures, each once, as base64 blocks at its end. */
#ifndef DD_REPORT_PAGE_COLUMNS_H
#define DD_REPORT_PAGE_COLUMNS_H

#include "base/text.h"

typedef struct dd_page_columns dd_page_columns;

dd_page_columns *dd_page_columns_new(dd_pool *pool);
/* The number of the column; the same values get the same number. */
uint32_t dd_page_columns_add(dd_page_columns *c, const double *values, uint64_t count, size_t stride);
/* Leaves out rows where all would make the page too large: of every stretch of rows those with the lowest and highest
 * value of each column stay. Returns how many rows of the longest table stay; 0: all of them do. */
uint64_t dd_page_columns_thin(dd_page_columns *c);
/* Appends all blocks. Few numbers keep all their digits; many are written with 32 bits. */
void dd_page_columns_write(const dd_page_columns *c, dd_text *out);

#endif
