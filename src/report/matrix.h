/* matrix.h - the pattern of a sparse matrix as a picture: which unknown appears where, blocks along the diagonal. */
#ifndef DD_REPORT_MATRIX_H
#define DD_REPORT_MATRIX_H

#include "base/text.h"

typedef struct dd_matrix {
    uint32_t n_rows, n_columns;
    const uint32_t *ptr;   /* n_rows + 1: row i has the entries ptr[i] .. ptr[i + 1] - 1 */
    const uint32_t *index; /* their columns */
    const uint8_t *kind;   /* per entry: 0 or 1, two colours; NULL: all 0 */
    const uint32_t *block; /* n_blocks + 1 places: squares along the diagonal; NULL: none */
    uint32_t n_blocks;
    const char *const *row_names, *const *column_names; /* beside small ones; may be NULL */
    const char *const *row_words, *const *column_words; /* for the reader under the pointer; may be NULL, both */
} dd_matrix;

/* Appends one <svg> element. Matrices larger than a picture can show are drawn in cells that stand for several entries.
 * Raises when memory runs out. */
void dd_matrix_svg(dd_text *out, const dd_matrix *m);

struct dd_page_writer;
/* Adds its picture to a page; with words, the page says what is under the pointer. Raises. */
void dd_page_add_matrix(struct dd_page_writer *w, const char *title, const char *doc, const dd_matrix *m);

#endif
