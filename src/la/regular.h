/* regular.h - is a large square sparse matrix clearly regular? (private to la) */
#ifndef DD_LA_REGULAR_H
#define DD_LA_REGULAR_H

#include "la/csc.h"

typedef struct dd_regular {
    double rcond;  /* smallest over the diagonal blocks of the block-triangular form (1 x 1: the scaled entry); 0 when
                      singular. Blocks after the first below the limit are not looked at. */
    uint64_t fill; /* entries of the factors */
} dd_regular;

/* a: square, equilibrated, without entries that are noise. limit: the rcond that is required. */
dd_status dd_regular_test(dd_regular *out, dd_context *ctx, const dd_csc *a, double limit);

#endif
