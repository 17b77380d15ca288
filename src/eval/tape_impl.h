/* tape_impl.h - the instructions of a tape, for the files of this folder.
 *
 *   slots:  [ inputs | constants | results ... ]      every instruction writes its own slot (and, for Taylor series, up
 *   to
 *                                                      two auxiliary slots behind it)
 *   SUM:    lists[a .. a+b-1] are slots, the top bit says "subtract"
 *   jumps:  b is the instruction to go on with; both sides of a selection end with a COPY into the same slot
 *
 *        JUMP_IF_FALSE c, L1 | then side | COPY d, t | JUMP L2 | L1: else side | COPY d, e | L2:
 */
#ifndef DD_EVAL_TAPE_IMPL_H
#define DD_EVAL_TAPE_IMPL_H

#include "eval/tape.h"

/* id, auxiliary slots of its Taylor recurrence */
/* clang-format off */
#define DD_TAPE_OP_LIST(X)                                                                                             \
    X(SUM, 0) X(ADD, 0) X(SUB, 0) X(NEG, 0) X(MUL, 0) X(DIV, 0) X(INVERSE, 0) X(SQUARE, 0)                             \
    X(POWER_INT, 0) /* b: the exponent, an int32_t */                                                                  \
    X(POWER_CONST, 0) /* b: slot of a constant */                                                                      \
    X(POWER, 2) X(SQRT, 0)                                                                                             \
    X(SIN, 1) X(COS, 1) X(TAN, 1) X(ASIN, 1) X(ACOS, 1) X(ATAN, 1) X(SINH, 1) X(COSH, 1) X(TANH, 1)                    \
    X(EXP, 0) X(LOG, 0) X(LOG10, 0) X(ABS, 0) X(SIGN, 0) X(FLOOR, 0) X(CEIL, 0)                                        \
    X(ATAN2, 1) X(MIN, 0) X(MAX, 0) X(MOD, 0)                                                                          \
    X(LT, 0) X(LE, 0) X(EQ, 0) X(NE, 0) X(AND, 0) X(OR, 0) X(NOT, 0)                                                   \
    X(SELECT, 0) /* condition a; lists[b], lists[b+1] */                                                               \
    X(DERIVED, 0) /* lists[a]: value, then b pairs argument, partial */                                               \
    X(COPY, 0)                                                                                                         \
    X(JUMP, 0) X(JUMP_IF_FALSE, 0) /* these last: they compute nothing */
/* clang-format on */

typedef enum dd_tape_op {
#define DD_TAPE_ENUM(id, aux) DD_TAPE_##id,
    DD_TAPE_OP_LIST(DD_TAPE_ENUM)
#undef DD_TAPE_ENUM
        DD_TAPE_OP_COUNT
} dd_tape_op;

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
