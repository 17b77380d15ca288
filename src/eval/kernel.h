/* kernel.h - the loop that runs a program, as a template. The including file says how many doubles are computed at once:
 *
 *   KERNEL         name of the function
 *   V, K           a vector type and how many of it make a register: scalar (double, 1), AVX2 (4 doubles, 1 or 2), ...
 *   TRUTH(c)       a comparison as 1.0 or 0.0 per lane            PICK(c, a, b)   c != 0 ? a : b per lane
 *   SQRT(x), ABS(x), CALL1(f, x), CALL2(f, x, y)                  functions of the mathematical library per lane
 *
 * Dispatch is threaded: each instruction jumps to the next by itself, so that the processor predicts every one from its
 * own history. A destination may be one of the sources: all are read, vector by vector, before it is written.
 */
#include <math.h>
#include <string.h>

#include "eval/code.h"

enum { KERNEL_LANES = K * sizeof(V) / sizeof(double) };

#define UNROLL _Pragma("GCC unroll 8") for (int k = 0; k < K; k++)
#define R(word) v[(size_t)code[word] * K + (size_t)k]
#define NEXT(words)                                                                                                    \
    do {                                                                                                               \
        code += (words);                                                                                               \
        goto *target[code[0]];                                                                                         \
    } while (0)

/* d = f(sources); n words in all */
#define COMPUTE(id, words, ...)                                                                                        \
    label_##id : UNROLL                                                                                                \
    {                                                                                                                  \
        R(1) = __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    NEXT(words);

static inline uint32_t long_word(const uint16_t *words)
{
    return words[0] | (uint32_t)words[1] << 16;
}

static inline V mod_of(V a, V b)
{
    return a - FLOOR(a / b) * b;
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

static void fill_row(double *to, double value)
{
    for (uint32_t i = 0; i < KERNEL_LANES; i++) {
        to[i] = value;
    }
}

/* Terms of a sum in the order p, l, m, s: F(i) is source i. Only constants stand in the conditions. */
#define F(i) R(2 + (i))
#define FIRST_TERM(p, l, m)                                                                                            \
    if ((p) > 0) {                                                                                                     \
        sum = F(0) * F(1);                                                                                             \
    } else if ((l) > 0) {                                                                                              \
        sum = F(0);                                                                                                    \
    } else if ((m) > 0) {                                                                                              \
        sum = -(F(0) * F(1));                                                                                          \
    } else {                                                                                                           \
        sum = -F(0);                                                                                                   \
    }
#define ADD_PRODUCT(i, p)                                                                                              \
    if ((i) < (p)) {                                                                                                   \
        sum = sum + F(2 * (i)) * F(2 * (i) + 1);                                                                       \
    }
#define ADD_PLAIN(i, p, l)                                                                                             \
    if ((i) < (l) && (p) + (i) > 0) {                                                                                  \
        sum = sum + F(2 * (p) + (i));                                                                                  \
    }
#define SUBTRACT_PRODUCT(i, p, l, m)                                                                                   \
    if ((i) < (m) && (p) + (l) + (i) > 0) {                                                                            \
        sum = sum - F(2 * (p) + (l) + 2 * (i)) * F(2 * (p) + (l) + 2 * (i) + 1);                                       \
    }
#define SUBTRACT_PLAIN(i, p, l, m, s)                                                                                  \
    if ((i) < (s) && (p) + (l) + (m) + (i) > 0) {                                                                      \
        sum = sum - F(2 * ((p) + (m)) + (l) + (i));                                                                    \
    }
#define RUN_SUM(p, l, m, s)                                                                                            \
    label_SUM_##p##l##m##s : UNROLL                                                                                    \
    {                                                                                                                  \
        V sum;                                                                                                         \
        FIRST_TERM(p, l, m)                                                                                            \
        ADD_PRODUCT(1, p)                                                                                              \
        ADD_PRODUCT(2, p)                                                                                              \
        ADD_PRODUCT(3, p)                                                                                              \
        ADD_PLAIN(0, p, l)                                                                                             \
        ADD_PLAIN(1, p, l)                                                                                             \
        ADD_PLAIN(2, p, l)                                                                                             \
        ADD_PLAIN(3, p, l)                                                                                             \
        SUBTRACT_PRODUCT(0, p, l, m)                                                                                   \
        SUBTRACT_PRODUCT(1, p, l, m)                                                                                   \
        SUBTRACT_PRODUCT(2, p, l, m)                                                                                   \
        SUBTRACT_PRODUCT(3, p, l, m)                                                                                   \
        SUBTRACT_PLAIN(0, p, l, m, s)                                                                                  \
        SUBTRACT_PLAIN(1, p, l, m, s)                                                                                  \
        SUBTRACT_PLAIN(2, p, l, m, s)                                                                                  \
        SUBTRACT_PLAIN(3, p, l, m, s)                                                                                  \
        R(1) = sum;                                                                                                    \
    }                                                                                                                  \
    NEXT(2 + 2 * ((p) + (m)) + (l) + (s));

#define RUN_FUNCTION(id, name) COMPUTE(id, 3, CALL1(name, R(2)))

void KERNEL(const dd_kernel_io *io)
{
    static const void *const target[] = {
#define SUM_TARGET(p, l, m, s) &&label_SUM_##p##l##m##s,
#define TARGET(id, ...) &&label_##id,
        DD_SUM_LIST(SUM_TARGET) DD_FUNCTION_LIST(TARGET) DD_CODE_LIST(TARGET)};
    const uint16_t *code = io->code;
    V *v = (V *)io->registers;
    goto *target[code[0]];

    DD_SUM_LIST(RUN_SUM)
    DD_FUNCTION_LIST(RUN_FUNCTION)
    COMPUTE(MUL3, 5, R(2) * R(3) * R(4))
    COMPUTE(MUL4, 6, (R(2) * R(3)) * (R(4) * R(5)))
    COMPUTE(DIV, 4, R(2) / R(3))
    COMPUTE(MULDIV, 5, R(2) * R(3) / R(4))
    COMPUTE(INVERSE, 3, 1.0 / R(2))
    COMPUTE(MULSUM, 5, R(2) * (R(3) + R(4)))
    COMPUTE(MULDIF, 5, R(2) * (R(3) - R(4)))
    COMPUTE(SQRT, 3, SQRT(R(2)))
    COMPUTE(ABS, 3, ABS(R(2)))
    COMPUTE(SIGN, 3, TRUTH(R(2) > 0.0) - TRUTH(R(2) < 0.0))
    COMPUTE(FLOOR, 3, FLOOR(R(2)))
    COMPUTE(CEIL, 3, CEIL(R(2)))
    COMPUTE(POWER, 4, CALL2(pow, R(2), R(3)))
    COMPUTE(ATAN2, 4, CALL2(atan2, R(2), R(3)))
    COMPUTE(MIN, 4, PICK(R(2) <= R(3), R(2), R(3)))
    COMPUTE(MAX, 4, PICK(R(3) <= R(2), R(2), R(3)))
    COMPUTE(MOD, 4, mod_of(R(2), R(3)))
    COMPUTE(LT, 4, TRUTH(R(2) < R(3)))
    COMPUTE(LE, 4, TRUTH(R(2) <= R(3)))
    COMPUTE(EQ, 4, TRUTH(R(2) == R(3)))
    COMPUTE(NE, 4, TRUTH(R(2) != R(3)))
    COMPUTE(AND, 4, TRUTH((R(2) != 0.0) & (R(3) != 0.0)))
    COMPUTE(OR, 4, TRUTH((R(2) != 0.0) | (R(3) != 0.0)))
    COMPUTE(NOT, 3, TRUTH(R(2) == 0.0))
    COMPUTE(SELECT, 5, PICK(R(2) != 0.0, R(3), R(4)))

label_SINCOS:
    UNROLL
    {
        V angle = R(3);
        SINCOS(angle, &R(1), &R(2));
    }
    NEXT(4);
label_BRANCH : {
    uint32_t distance = any_lane((const double *)(v + (size_t)code[1] * K)) ? 0 : long_word(code + 2);
    NEXT(4 + distance);
}
label_SKIP : {
    uint32_t distance = all_lanes((const double *)(v + (size_t)code[1] * K)) ? long_word(code + 2) : 0;
    NEXT(4 + distance);
}
label_LOAD_INPUT:
    load_row((double *)(v + (size_t)code[1] * K), io->in[code[2]] + long_word(code + 3) * io->ld + io->lane, io->lanes);
    NEXT(5);
label_LOAD_POOL:
    fill_row((double *)(v + (size_t)code[1] * K), io->pool[long_word(code + 2)]);
    NEXT(4);
label_RELOAD:
    memcpy(v + (size_t)code[1] * K, io->spill + (size_t)long_word(code + 2) * KERNEL_LANES, K * sizeof(V));
    NEXT(4);
label_SPILL:
    memcpy(io->spill + (size_t)long_word(code + 2) * KERNEL_LANES, v + (size_t)code[1] * K, K * sizeof(V));
    NEXT(4);
label_STORE:
    store_row(io->out + long_word(code + 2) * io->ld + io->lane, (const double *)(v + (size_t)code[1] * K), io->lanes);
    NEXT(4);
label_END:
    return;
}
