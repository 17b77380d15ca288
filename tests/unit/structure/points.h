/* points.h - values of scalar rows at random points, to compare formulas by what they mean. */
#ifndef TEST_STRUCTURE_POINTS_H
#define TEST_STRUCTURE_POINTS_H

#include <math.h>

#include "eval/tape.h"
#include "structure/system.h"

enum { POINTS = 7 };

/* A repeatable number in (0.2, 1.4) for a symbol at a point. */
static inline double point_value(uint32_t symbol, uint32_t point)
{
    uint64_t h = (uint64_t)symbol * 0x9E3779B97F4A7C15u + (uint64_t)point * 0xD1B54A32D192ED03u + 12345;
    h ^= h >> 31;
    h *= 0xBF58476D1CE4E5B9u;
    h ^= h >> 29;
    return 0.2 + 1.2 * (double)(h >> 11) * 0x1p-53;
}

/* Values of e at all points; parameters have their own values. scale (may be NULL) receives what would have been there
 * without cancellation. */
static inline void point_values(dd_system *s, dd_expr e, dd_pool *pool, double out[POINTS], double scale[POINTS])
{
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, true, &symbols, pool);
    dd_tape *tape = dd_tape_new(pool, dag, symbols.data, symbols.len, &e, 1);
    double *in = dd_pool_alloc_array(pool, symbols.len + 1, sizeof *in), magnitude;
    for (uint32_t p = 0; p < POINTS; p++) {
        for (uint32_t i = 0; i < symbols.len; i++) {
            const dd_expr symbol = symbols.data[i];
            in[i] = dd_op_of(dag, symbol) == DD_OP_PARAM ? s->model->vars.data[dd_symbol_id(dag, symbol)].value
                                                         : point_value(symbol, p);
        }
        dd_tape_eval_magnitude(tape, in, NULL, &out[p], &magnitude);
        if (scale) {
            scale[p] = magnitude;
        }
    }
}

#endif
