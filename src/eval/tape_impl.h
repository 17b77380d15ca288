/* tape_impl.h - the instructions of a tape, for the files of this folder.
 *
 *   slots:  [ inputs | constants | results ... ]      every instruction writes its own slot (and, for Taylor series,
 *                                                     up to two auxiliary slots behind it)
 *   SUM:    lists[a .. a+b-1] are slots, the top bit says "subtract"
 *   jumps:  b is the instruction to go on with; both sides of a selection end with a COPY into the same slot
 *
 *        JUMP_IF_FALSE c, L1 | then side | COPY d, t | JUMP L2 | L1: else side | COPY d, e | L2:
 */
#ifndef DD_EVAL_TAPE_IMPL_H
#define DD_EVAL_TAPE_IMPL_H

#include "eval/tape.h"

/* operations of tapes beside the elementary functions and the plain operations of expr/operations.h */
/* clang-format off */
#define DD_TAPE_OWN_LIST(X)                                                                                            \
    X(SUM) X(ADD) X(SUB) X(NEG) X(MUL) X(DIV) X(INVERSE) X(SQUARE)                                                     \
    X(POWER_INT) /* b: the exponent, an int32_t */                                                                     \
    X(POWER_CONST) /* b: slot of a constant */                                                                         \
    X(POWER) X(SQRT) X(AND) X(OR)                                                                                      \
    X(SELECT) /* condition a; lists[b], lists[b+1] */                                                                  \
    X(DERIVED) /* lists[a]: value, then b pairs argument, partial */                                                   \
    X(COPY)
#define DD_TAPE_JUMP_LIST(X) X(JUMP) X(JUMP_IF_FALSE) /* these last: they compute nothing */
/* clang-format on */

typedef enum dd_tape_op {
#define DD_TAPE_ENUM(id, ...) DD_TAPE_##id,
    DD_TAPE_OWN_LIST(DD_TAPE_ENUM) DD_ELEMENTARY_LIST(DD_TAPE_ENUM) DD_PLAIN_LIST(DD_TAPE_ENUM)
        DD_TAPE_JUMP_LIST(DD_TAPE_ENUM)
#undef DD_TAPE_ENUM
            DD_TAPE_OP_COUNT
} dd_tape_op;

/* The elementary function of a tape's operation; NULL when it is not one. */
static inline const dd_elementary *dd_tape_elementary(dd_tape_op op)
{
    return op >= DD_TAPE_SIN && op < DD_TAPE_ABS ? dd_elementary_of((dd_op)(DD_OP_SIN + (op - DD_TAPE_SIN))) : NULL;
}

typedef struct dd_instruction {
    uint32_t op; /* dd_tape_op */
    uint32_t dest, a, b;
} dd_instruction;

/* As dd_tape_new. values_only: for numbers alone, not for series, which need the derivatives that are given. */
dd_tape *dd_tape_build(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, uint32_t n, const dd_expr *outputs,
                       uint32_t m, bool values_only);

#define DD_SUBTRACT UINT32_C(0x80000000)

struct dd_tape {
    dd_pool *pool;
    uint32_t n_in, n_out, n_slots;
    uint32_t first_result; /* slots n_in .. first_result-1 are constants */
    dd_instruction *code;
    uint32_t length;
    uint32_t *lists;
    uint32_t *outputs;     /* slots */
    double *values;        /* per slot; the constants are in place */
    double *magnitudes;    /* per slot, likewise */
    double *series;        /* series[slot*(order + 1) + k]; NULL before the first use */
    double *series_work;   /* two more series for powers */
    uint32_t series_order; /* the order that series has room for */
};

#endif
