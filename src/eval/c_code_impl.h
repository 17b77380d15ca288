/* c_code_impl.h - a function being written as C, for c_code.c (pieces, statements) and c_expression.c (values). */
#ifndef DD_EVAL_C_CODE_IMPL_H
#define DD_EVAL_C_CODE_IMPL_H

#include "eval/c_code.h"
#include "eval/tape_impl.h"

/* helper functions of the code, as bits */
enum { HELP_POWER = 1, HELP_SIGN = 2, HELP_MOD = 4 };

typedef struct dd_c_slot {
    const char *text;
    uint32_t uses;
    uint32_t piece;   /* that computes it */
    uint32_t crosses; /* 1 + its place in `shared` when another piece reads it; 0: none does */
    bool lanes;       /* its value, as it is computed, has a number for each lane */
} dd_c_slot;

typedef struct dd_c_writing {
    dd_c_writer *w;
    const dd_c_function *f;
    dd_pool *pool;
    const dd_tape *tape;
    dd_c_slot *slot;
    uint32_t *piece;       /* per instruction */
    uint32_t *argument_of; /* per input slot */
    bool *needed;          /* per argument: read by the piece being written */
    uint32_t pieces, crossing;
    bool any_lanes; /* of the operands of one instruction */
    dd_text body;
    uint32_t depth;
} dd_c_writing;

/* ---- c_expression.c ---- */
/* How a slot is read; notes the argument it belongs to. */
const char *dd_c_text_of(dd_c_writing *g, uint32_t slot);
/* The same as a condition, in parentheses: (a < b ? 1.0 : 0.0) is (a < b). */
const char *dd_c_condition_of(dd_c_writing *g, uint32_t slot);
/* Is there a text for the operation in lanes? */
bool dd_c_has_lanes(dd_tape_op op);
/* The functions that apply those of the C library, or powers, to every lane. */
void dd_c_lane_helpers(const dd_c_writer *w, dd_text *out);
/* The value of an instruction; in parentheses unless it is a call or a name. */
const char *dd_c_value_text(dd_c_writing *g, const dd_instruction *c);

#endif
