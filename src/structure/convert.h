/* convert.h - repairing systems whose structure lies: an exact combination of rows replaces one of them. */
#ifndef DD_STRUCTURE_CONVERT_H
#define DD_STRUCTURE_CONVERT_H

#include "structure/certificate.h"

typedef enum dd_conversion {
    DD_CONVERSION_DONE,         /* one row of eqs was replaced */
    DD_CONVERSION_NOT_POSSIBLE, /* no combination of the allowed kind */
    DD_CONVERSION_REDUNDANT,    /* the combination is 0 = 0 */
    DD_CONVERSION_CONTRADICTION /* the combination is a number, or a known function of time, that is not 0 */
} dd_conversion;

typedef struct dd_conversion_result {
    dd_conversion outcome;
    dd_expr combination; /* what the combination amounts to */
    uint32_t n_rows;
    uint32_t *rows;    /* the rows combined */
    uint32_t replaced; /* one of them */
} dd_conversion_result;

/* The system Jacobian is singular at generic points in block `block`: finds u with u^T J = 0 there and replaces a
 * row by sum u_i f_i^(c_i - c_min) (linear combination method, Tan, Nedialkov and Pryce 2017). */
dd_conversion_result dd_system_convert(dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                       uint32_t block, dd_eq_vec *eqs, dd_pool *pool);

/* The rows as written that the given rows are combined from, each once. */
const uint32_t *dd_system_origins(const dd_system *s, const dd_eq_vec *eqs, const uint32_t *rows, uint32_t n,
                                  uint32_t *count);

/* Rows whose derivative parts dF/dx' depend on each other (x' + y' = ..., x' + y' + x = ...) are combined until
 * those that contain derivatives are independent: what this uncovers are visible constraints, and the structural
 * index is right only then (Reissig, Martinson and Barton 2000). *replaced: rows changed. The outcome reports a
 * redundancy or a contradiction found meanwhile. */
dd_conversion_result dd_system_reduce_rates(dd_system *s, dd_numeric *nm, dd_eq_vec *eqs, uint32_t *replaced,
                                            dd_pool *pool);

#endif
