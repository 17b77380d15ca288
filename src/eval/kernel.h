/* kernel.h - the loop that runs a program, as a template. The including file says how many doubles are computed at
 * once:
 *
 *   KERNEL         name of the function
 *   V, K           a vector type and how many of it make a register: scalar (double, 1), AVX2 (4 doubles, 1 or 2), ...
 *   TRUTH(c)       a comparison as 1.0 or 0.0 per lane            PICK(c, a, b)   c ? a : b per lane
 *   SQRT(x), ABS(x), FLOOR(x), CEIL(x), SINCOS(x, &s, &c)         per lane
 *   CALL1(f, x), CALL2(f, x, y)                                   functions of the mathematical library per lane
 *
 * Dispatch is threaded: each instruction jumps to the next by itself, so that the processor predicts every one from its
 * own history. A destination may be one of the sources: all are read, vector by vector, before it is written.
 */
#include <math.h>
#include <string.h>

#include "eval/code.h"

enum { KERNEL_LANES = K * sizeof(V) / sizeof(double) };

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 8")
#ifndef EACH_VECTOR /* the vectors of a register one after the other, without a loop */
#define EACH_VECTOR UNROLLED for (int k = 0; k < K; k++)
#endif
#define REGISTER(word) (v + (size_t)code[word] * K)
#define ROW(word) ((double *)REGISTER(word))
#define R(word) (REGISTER(word)[k])

/* ---- parts of instructions ---- */

/* p products, l plain terms, less m products and s plain terms (constants all, so that no loop is left). */
INLINE V sum_of(const V *v, const uint16_t *code, int k, int p, int l, int m, int s)
{
    V sum;
    /* the first term begins the sum: no addition to zero */
    if (p > 0) {
        sum = R(0) * R(1);
    } else if (l > 0) {
        sum = R(0);
    } else if (m > 0) {
        sum = -(R(0) * R(1));
    } else {
        sum = -R(0);
    }
    /* then the remaining terms in the order p, l, m, s */
    UNROLLED for (int i = 1; i < p; i++)
    {
        sum = sum + R(2 * i) * R(2 * i + 1);
    }
    UNROLLED for (int i = p == 0; i < l; i++)
    {
        sum = sum + R(2 * p + i);
    }
    UNROLLED for (int i = p + l == 0; i < m; i++)
    {
        sum = sum - R(2 * p + l + 2 * i) * R(2 * p + l + 2 * i + 1);
    }
    UNROLLED for (int i = p + l + m == 0; i < s; i++)
    {
        /* operand places follow from the counts, which are constants after inlining */
        sum = sum - R(2 * p + l + 2 * m + i);
    }
    return sum;
}

INLINE V modulo(V a, V b)
{
    return a - FLOOR(a / b) * b;
}

INLINE uint32_t long_word(const uint16_t *words)
{
    return words[0] | (uint32_t)words[1] << 16;
}

static bool any_lane(const double *c)
{
    bool any = false;
    for (int i = 0; i < KERNEL_LANES; i++) {
        any = any || c[i] != 0;
    }
    return any;
}

static bool all_lanes(const double *c)
{
    bool all = true;
    for (int i = 0; i < KERNEL_LANES; i++) {
        all = all && c[i] != 0;
    }
    return all;
}

/* The real lanes of one row; pads repeat the last. */
static void load_row(double *to, const double *from, uint32_t lanes)
{
    for (uint32_t i = 0; i < KERNEL_LANES; i++) {
        to[i] = from[i < lanes ? i : lanes - 1];
    }
}

static void store_row(double *to, const double *from, uint32_t lanes)
{
    for (uint32_t i = 0; i < KERNEL_LANES && i < lanes; i++) {
        to[i] = from[i];
    }
}

static void spread(double *to, double value, uint32_t lanes)
{
    for (uint32_t i = 0; i < KERNEL_LANES && i < lanes; i++) {
        to[i] = value;
    }
}

/* ---- the loop ---- */

#ifndef __cppcheck__ /* which does not know the addresses of labels */

/* One instruction with `words` operands, or as many as the count says; then the next one. */
#define RUN(id, words, ...)                                                                                            \
    single_##id : code += 1;                                                                                           \
    __VA_ARGS__;                                                                                                       \
    code += (words);                                                                                                   \
    goto *target[code[0]];                                                                                             \
    run_##id : end = code + 2 + (size_t)(words)*code[1];                                                               \
    code += 2;                                                                                                         \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
        code += (words);                                                                                               \
    } while (code != end);                                                                                             \
    goto *target[code[0]];

/* d = f(sources) */
#define COMPUTE(id, words, ...)                                                                                        \
    RUN(                                                                                                               \
        id, words, EACH_VECTOR { R(0) = __VA_ARGS__; })
#define COMPUTE_SUM(p, l, m, s)                                                                                        \
    COMPUTE(SUM_##p##l##m##s, 1 + 2 * ((p) + (m)) + (l) + (s), sum_of(v, code + 1, k, p, l, m, s))
#define COMPUTE_FUNCTION(id, text, name, ...) COMPUTE(id, 2, CALL1(name, R(1)))

void KERNEL(const dd_kernel_io *io)
{
    static const void *const target[] = {
#define SINGLE_SUM(p, l, m, s) &&single_SUM_##p##l##m##s,
#define SINGLE(id, ...) &&single_##id,
#define RUN_SUM(p, l, m, s) &&run_SUM_##p##l##m##s,
#define RUN_OTHER(id, ...) &&run_##id,
        DD_SUM_LIST(SINGLE_SUM) DD_ELEMENTARY_LIST(SINGLE) DD_PLAIN_LIST(SINGLE) DD_CODE_LIST(SINGLE)
            DD_CONTROL_LIST(SINGLE) DD_SUM_LIST(RUN_SUM) DD_ELEMENTARY_LIST(RUN_OTHER) DD_PLAIN_LIST(RUN_OTHER)
                DD_CODE_LIST(RUN_OTHER)};
    const uint16_t *code = io->code, *end;
    V *v = (V *)io->registers;
    goto *target[code[0]];

    DD_SUM_LIST(COMPUTE_SUM)
    DD_ELEMENTARY_LIST(COMPUTE_FUNCTION)
    COMPUTE(MUL3, 4, R(1) * R(2) * R(3))
    COMPUTE(MUL4, 5, (R(1) * R(2)) * (R(3) * R(4)))
    COMPUTE(DIV, 3, R(1) / R(2))
    COMPUTE(MULDIV, 4, R(1) * R(2) / R(3))
    COMPUTE(INVERSE, 2, 1.0 / R(1))
    COMPUTE(MULSUM, 4, R(1) * (R(2) + R(3)))
    COMPUTE(MULDIF, 4, R(1) * (R(2) - R(3)))
    COMPUTE(SQRT, 2, SQRT(R(1)))
    COMPUTE(ABS, 2, ABS(R(1)))
    COMPUTE(SIGN, 2, TRUTH(R(1) > 0.0) - TRUTH(R(1) < 0.0))
    COMPUTE(FLOOR, 2, FLOOR(R(1)))
    COMPUTE(CEIL, 2, CEIL(R(1)))
    COMPUTE(POWER, 3, CALL2(pow, R(1), R(2)))
    COMPUTE(ATAN2, 3, CALL2(atan2, R(1), R(2)))
    COMPUTE(MIN, 3, PICK(R(1) <= R(2), R(1), R(2)))
    COMPUTE(MAX, 3, PICK(R(2) <= R(1), R(1), R(2)))
    COMPUTE(MOD, 3, modulo(R(1), R(2)))
    COMPUTE(LT, 3, TRUTH(R(1) < R(2)))
    COMPUTE(LE, 3, TRUTH(R(1) <= R(2)))
    COMPUTE(EQ, 3, TRUTH(R(1) == R(2)))
    COMPUTE(NE, 3, TRUTH(R(1) != R(2)))
    COMPUTE(AND, 3, TRUTH((R(1) != 0.0) & (R(2) != 0.0)))
    COMPUTE(OR, 3, TRUTH((R(1) != 0.0) | (R(2) != 0.0)))
    COMPUTE(NOT, 2, TRUTH(R(1) == 0.0))
    COMPUTE(SELECT, 4, PICK(R(1) != 0.0, R(2), R(3)))
    RUN(
        SINCOS, 3, for (int k = 0; k < K; k++) {
            V angle = R(2);
            SINCOS(angle, &R(0), &R(1));
        })
    RUN(LOAD_INPUT, 4, load_row(ROW(0), io->in[code[1]] + long_word(code + 2) * io->ld + io->lane, io->lanes))
    RUN(LOAD_POOL, 3, spread(ROW(0), io->pool[long_word(code + 1)], KERNEL_LANES))
    RUN(RELOAD, 3, memcpy(ROW(0), io->spill + (size_t)long_word(code + 1) * KERNEL_LANES, K * sizeof(V)))
    RUN(SPILL, 3, memcpy(io->spill + (size_t)long_word(code + 1) * KERNEL_LANES, ROW(0), K * sizeof(V)))
    RUN(STORE_POOL, 4, spread(io->out + long_word(code) * io->ld + io->lane, io->pool[long_word(code + 2)], io->lanes))
    RUN(STORE, 3, store_row(io->out + long_word(code + 1) * io->ld + io->lane, ROW(0), io->lanes))

single_BRANCH:
    /* no lane takes the then side: go on behind SKIP */
    code += any_lane(ROW(1)) ? 4 : 4 + (size_t)long_word(code + 2);
    goto *target[code[0]];
single_SKIP:
    /* all lanes took it: go on behind SELECT */
    code += all_lanes(ROW(1)) ? 4 + (size_t)long_word(code + 2) : 4;
    goto *target[code[0]];
single_END:
    return;
}
#endif
