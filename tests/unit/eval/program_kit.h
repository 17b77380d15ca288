/* program_kit.h - what the tests of programs share: points in the layout of batches, comparisons in units of the last
 * place, and "the same by every way": at one point, in batches of 1 to 17, by each set of instructions. */
#ifndef DD_TEST_PROGRAM_KIT_H
#define DD_TEST_PROGRAM_KIT_H

#include "../expr/dag_support.h"

#include "eval/program.h"

enum { MOST_LANES = 17, LD = 20 }; /* 17 rounded up to a multiple of DD_LANE_BLOCK */

/* Distance in units of the last place; 0 for two NaN, huge for anything else that is not comparable. */
static UNUSED_OK double ulps(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b) ? 0 : INFINITY;
    }
    if (a == b) {
        return signbit(a) == signbit(b) ? 0 : INFINITY;
    }
    if (isinf(a) || isinf(b)) {
        return INFINITY;
    }
    double unit = fabs(nextafter(fmax(fabs(a), fabs(b)), 0) - fmax(fabs(a), fabs(b)));
    return fabs(a - b) / unit;
}

static UNUSED_OK dd_program_work *new_work(dd_pool *pool, const dd_program *program, uint32_t lanes)
{
    dd_program_work *work;
    assert_int_equal(dd_program_work_new(&work, dd_pool_context(pool), program, lanes), DD_OK);
    return work;
}

/* A program for these outputs with all inputs in one segment and no constants. */
static UNUSED_OK dd_program *simple_program(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, uint32_t n,
                                            const dd_expr *outputs, uint32_t m)
{
    dd_program_spec spec = {.inputs = inputs, .n_inputs = n, .outputs = outputs, .n_outputs = m};
    return dd_program_new(pool, dag, &spec);
}

/* The inputs of the first `lanes` points (point k has input i at all[i*LD + k]) with pads that must not be used. */
static UNUSED_OK void poison_pads(double *to, const double *all, uint32_t n, uint32_t lanes)
{
    for (uint32_t i = 0; i < n * LD; i++) {
        to[i] = i % LD < lanes ? all[i] : (i % 2 ? NAN : -1e300);
    }
}

/* Called for every output of every lane: what a batch gave and what the point alone gave. */
typedef void (*lane_check)(void *user, uint32_t output, uint32_t lane, dd_simd simd, double batch, double alone);

/* Evaluates the program at 17 points (all: n*LD) one by one and in batches of every size with every set of instructions.
 * alone: m*LD receives the values of the points one by one. */
static UNUSED_OK void by_every_way(dd_program_work *work, const double *all, uint32_t n, double *alone, uint32_t m,
                                   lane_check check, void *user)
{
    double *in = calloc((size_t)n * LD + 1, sizeof *in), *out = calloc((size_t)m * LD + LD, sizeof *out);
    double *one = calloc((size_t)n + 1, sizeof *one), *values = calloc((size_t)m + 1, sizeof *values);
    for (uint32_t k = 0; k < MOST_LANES; k++) {
        for (uint32_t i = 0; i < n; i++) {
            one[i] = all[i * LD + k];
        }
        dd_program_eval(work, (const double *[]){one}, values);
        for (uint32_t i = 0; i < m; i++) {
            alone[i * LD + k] = values[i];
        }
    }
    for (dd_simd simd = DD_SIMD_PORTABLE; simd <= DD_SIMD_AVX512; simd++) {
        if (!dd_program_work_use(work, simd)) {
            continue;
        }
        for (uint32_t lanes = 1; lanes <= MOST_LANES; lanes++) {
            poison_pads(in, all, n, lanes);
            for (uint32_t i = 0; i < LD; i++) {
                out[(size_t)m * LD + i] = 12345;
            }
            dd_program_eval_batch(work, lanes, LD, (const double *[]){in}, out);
            for (uint32_t i = 0; i < m * lanes; i++) {
                uint32_t at = i / lanes * LD + i % lanes;
                check(user, i / lanes, i % lanes, simd, out[at], alone[at]);
            }
            for (uint32_t i = 0; i < LD; i++) {
                assert_true(out[(size_t)m * LD + i] == 12345);
            }
        }
    }
    dd_program_work_use(work, dd_simd_best());
    free(in);
    free(out);
    free(one);
    free(values);
}

#endif
