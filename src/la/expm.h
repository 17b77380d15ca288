/* expm.h - the exponential of a dense matrix. */
#ifndef DD_LA_EXPM_H
#define DD_LA_EXPM_H

#include "la/csc.h"

/* out = e^A, both n x n, column-major; a is not changed. DD_INVALID_ARGUMENT when an entry is not finite, DD_NUMERIC
 * when the result is not (too large for a double). */
dd_status dd_expm(dd_context *ctx, uint32_t n, const double *a, double *out);

#endif
