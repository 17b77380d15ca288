/* select.h - from values to instructions, and from instructions on values to instructions on registers. */
#ifndef DD_EVAL_SELECT_H
#define DD_EVAL_SELECT_H

#include "eval/ir.h"

/* Instructions as in code.h, in words of 32 bits and with values in place of registers. DD_CODE_COUNT marks where a
 * SKIP leads to; distances are left out. A value with two definitions (the two sides of a selection) keeps one
 * register. */
typedef struct dd_vcode {
    dd_u32_vec words;
    uint32_t n_values; /* those of the ir, and new ones for parts of long sums */
} dd_vcode;

/* Chooses instructions for the main part or the prologue. Values that the other part computes are leaves. */
dd_vcode dd_select_code(const dd_ir *ir, bool prologue, dd_pool *pool);

/* Puts equal operations together where the order allows it. */
void dd_schedule(dd_vcode *code, dd_pool *pool);

typedef struct dd_code {
    uint16_t *words;
    uint32_t length;
    uint32_t instructions, runs;
    uint32_t registers; /* in all */
    bool window;
    uint32_t spill; /* places of spill memory */
    uint32_t moves; /* instructions that move values */
    /* DIRECT only: */
    uint32_t first_output; /* register of the first output; the others follow */
    uint32_t *fixed;       /* pairs: place in the pool, output that has this value */
    uint32_t n_fixed;
} dd_code;

typedef struct dd_register_task {
    const dd_vcode *code;
    const uint32_t *place; /* per value: input i: i; pool p: n_inputs + p; DD_NO_VALUE for values that are computed */
    uint32_t n_inputs, n_pool;
    const uint32_t *segment; /* inputs per segment */
    uint32_t n_segments;
    const uint32_t *outputs; /* values */
    uint32_t n_outputs;
    uint32_t most_registers; /* at most 65535; more than 16 */
} dd_register_task;

/* DIRECT code; false when the registers do not suffice. Raises for memory. */
bool dd_registers_direct(dd_code *out, dd_pool *pool, const dd_register_task *task);

/* WINDOW code; selections must have been flattened. */
void dd_registers_window(dd_code *out, dd_pool *pool, const dd_register_task *task);

#endif
