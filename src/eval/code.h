/* code.h - the instructions of a program, for the files of this folder.
 *
 * A stream of 16-bit words. A single instruction: the operation, its destination registers, its source registers. A run
 * of instructions with the same operation: the operation + DD_CODE_RUN, how many, then the registers of each; this
 * saves dispatches and, as the processor guesses the next operation, wrong guesses. A 32-bit number takes two words,
 * low word first.
 *
 *   SUM_plms  d = a1*b1 + ... (p products) + x1 + ... (l) - a1*b1 - ... (m products) - x1 - ... (s), at most four terms
 *   BRANCH    c, distance: when c is false (in a batch: for all lanes) go on that many words behind this instruction
 *   SKIP      c, distance: when c is true (in a batch: for all lanes); ends the first side of a selection
 *
 *       BRANCH c, L1 | then side | d = t | SKIP c, L2 | L1: else side | SELECT d = c ? d : e | L2:
 *
 * Registers of a small program (DIRECT):   [ inputs | pool: numbers, constants | outputs | temporary ]
 * A large one (WINDOW) has temporary registers only. It loads inputs and the pool when needed, stores outputs when they
 * are there, and keeps values that do not fit in the spill memory.
 */
#ifndef DD_EVAL_CODE_H
#define DD_EVAL_CODE_H

#include "eval/program.h"

/* clang-format off */
#define DD_SUM_LIST(X)                                                                                                 \
    X(1, 0, 0, 0) X(0, 1, 0, 0) X(0, 0, 1, 0) X(0, 0, 0, 1) X(2, 0, 0, 0) X(1, 1, 0, 0) X(1, 0, 1, 0) X(1, 0, 0, 1)    \
    X(0, 2, 0, 0) X(0, 1, 1, 0) X(0, 1, 0, 1) X(0, 0, 2, 0) X(0, 0, 1, 1) X(0, 0, 0, 2) X(3, 0, 0, 0) X(2, 1, 0, 0)    \
    X(2, 0, 1, 0) X(2, 0, 0, 1) X(1, 2, 0, 0) X(1, 1, 1, 0) X(1, 1, 0, 1) X(1, 0, 2, 0) X(1, 0, 1, 1) X(1, 0, 0, 2)    \
    X(0, 3, 0, 0) X(0, 2, 1, 0) X(0, 2, 0, 1) X(0, 1, 2, 0) X(0, 1, 1, 1) X(0, 1, 0, 2) X(0, 0, 3, 0) X(0, 0, 2, 1)    \
    X(0, 0, 1, 2) X(0, 0, 0, 3) X(4, 0, 0, 0) X(3, 1, 0, 0) X(3, 0, 1, 0) X(3, 0, 0, 1) X(2, 2, 0, 0) X(2, 1, 1, 0)    \
    X(2, 1, 0, 1) X(2, 0, 2, 0) X(2, 0, 1, 1) X(2, 0, 0, 2) X(1, 3, 0, 0) X(1, 2, 1, 0) X(1, 2, 0, 1) X(1, 1, 2, 0)    \
    X(1, 1, 1, 1) X(1, 1, 0, 2) X(1, 0, 3, 0) X(1, 0, 2, 1) X(1, 0, 1, 2) X(1, 0, 0, 3) X(0, 4, 0, 0) X(0, 3, 1, 0)    \
    X(0, 3, 0, 1) X(0, 2, 2, 0) X(0, 2, 1, 1) X(0, 2, 0, 2) X(0, 1, 3, 0) X(0, 1, 2, 1) X(0, 1, 1, 2) X(0, 1, 0, 3)    \
    X(0, 0, 4, 0) X(0, 0, 3, 1) X(0, 0, 2, 2) X(0, 0, 1, 3) X(0, 0, 0, 4)

/* beside the elementary functions and the plain operations of expr/operations.h: id, destinations, sources; sources
 * beyond the destinations and before the 32-bit numbers */
#define DD_CODE_LIST(X)                                                                                                \
    X(MUL3, 1, 3) X(MUL4, 1, 4) X(DIV, 1, 2) X(MULDIV, 1, 3) X(INVERSE, 1, 1)                                          \
    X(MULSUM, 1, 3) X(MULDIF, 1, 3) /* a*(b + c), a*(b - c) */                                                         \
    X(SQRT, 1, 1) X(SINCOS, 2, 1) X(POWER, 1, 2) X(AND, 1, 2) X(OR, 1, 2) X(SELECT, 1, 3)                              \
    X(LOAD_INPUT, 1, 0) /* segment, place */                                                                           \
    X(LOAD_POOL, 1, 0) /* place */                                                                                     \
    X(RELOAD, 1, 0) X(SPILL, 0, 1) X(STORE, 0, 1) /* place */                                                              \
    X(STORE_POOL, 0, 0) /* place of the output, place in the pool */

/* these are always single */
#define DD_CONTROL_LIST(X) X(BRANCH, 0, 1) X(SKIP, 0, 1) X(END, 0, 0)
/* clang-format on */

typedef enum dd_code_op {
#define DD_CODE_SUM(p, l, m, s) DD_CODE_SUM_##p##l##m##s,
    DD_SUM_LIST(DD_CODE_SUM)
#undef DD_CODE_SUM
#define DD_CODE_ENUM(id, ...) DD_CODE_##id,
        DD_ELEMENTARY_LIST(DD_CODE_ENUM) DD_PLAIN_LIST(DD_CODE_ENUM) DD_CODE_LIST(DD_CODE_ENUM)
            DD_CONTROL_LIST(DD_CODE_ENUM)
#undef DD_CODE_ENUM
                DD_CODE_COUNT
} dd_code_op;

enum { DD_CODE_RUN = DD_CODE_COUNT }; /* added to the operation of a run */
enum { DD_SUM_MOST = 4 };             /* terms of one instruction */

/* The operation for these numbers of terms; between 1 and DD_SUM_MOST of them. */
dd_code_op dd_code_sum(uint32_t p, uint32_t l, uint32_t m, uint32_t s);
uint32_t dd_code_dests(dd_code_op op);
uint32_t dd_code_sources(dd_code_op op);

/* ---- the data of a kernel ---- */

typedef struct dd_kernel_io {
    const uint16_t *code;
    double *registers; /* per register as many doubles as lanes */
    /* the rest is for WINDOW code only */
    const double *const *in;
    double *out;
    const double *pool;
    double *spill;   /* per place as many doubles as lanes */
    size_t ld, lane; /* the first lane is at in[s][i*ld + lane] */
    uint32_t lanes;  /* that are real */
} dd_kernel_io;

typedef void (*dd_kernel)(const dd_kernel_io *io);

void dd_kernel_scalar(const dd_kernel_io *io);
void dd_kernel_portable_4(const dd_kernel_io *io);
void dd_kernel_portable_8(const dd_kernel_io *io);
void dd_kernel_avx2_4(const dd_kernel_io *io);
void dd_kernel_avx2_8(const dd_kernel_io *io);
void dd_kernel_avx512_8(const dd_kernel_io *io);

#endif
