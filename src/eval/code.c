/* code.c - the shapes of the instructions. */
#include "eval/code.h"

typedef struct shape {
    uint8_t dests, sources;
} shape;

static const shape shapes[DD_CODE_COUNT] = {
#define SUM_SHAPE(p, l, m, s) {1, 2 * ((p) + (m)) + (l) + (s)},
#define FUNCTION_SHAPE(id, ...) {1, 1},
#define PLAIN_SHAPE(id, text, n) {1, n},
#define CODE_SHAPE(id, dests, sources) {dests, sources},
    DD_SUM_LIST(SUM_SHAPE) DD_ELEMENTARY_LIST(FUNCTION_SHAPE) DD_PLAIN_LIST(PLAIN_SHAPE) DD_CODE_LIST(CODE_SHAPE)
        DD_CONTROL_LIST(CODE_SHAPE)};

/* counts of terms in base 5 -> operation */
static const uint8_t sum_of[625] = {
#define SUM_PLACE(p, l, m, s) [125 * (p) + 25 * (l) + 5 * (m) + (s)] = DD_CODE_SUM_##p##l##m##s,
    DD_SUM_LIST(SUM_PLACE)};

dd_code_op dd_code_sum(uint32_t p, uint32_t l, uint32_t m, uint32_t s)
{
    return (dd_code_op)sum_of[125 * p + 25 * l + 5 * m + s];
}

uint32_t dd_code_dests(dd_code_op op)
{
    return shapes[op].dests;
}

uint32_t dd_code_sources(dd_code_op op)
{
    return shapes[op].sources;
}
