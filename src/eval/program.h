/* program.h - expressions to numbers, fast: an immutable program, and work memory that a thread runs it in.
 *
 *   dag -> tape (tape.h) -> values (ir.h) -> instructions (code.h) -> registers        compiled once, shared by threads
 *   inputs and constants -> one point (dd_program_eval) or many at once (dd_program_eval_batch) -> outputs
 *
 * A program has two kinds of symbols. Inputs change from point to point: states, their rates, time. Constants change
 * seldom: parameters. Values that depend on constants alone are computed by dd_program_set_constants, not at each
 * point.
 *
 * Scalar and batch paths run the same instructions in the same order, so they differ only where the vector library
 * rounds a function differently (a few units in the last place). Non-finite results are simply returned. Nothing here
 * allocates or fails after the work memory is made.
 */
#ifndef DD_EVAL_PROGRAM_H
#define DD_EVAL_PROGRAM_H

#include "expr/dag.h"

typedef struct dd_program dd_program;
typedef struct dd_program_work dd_program_work;

enum { DD_MOST_SEGMENTS = 4 };

/* The task of a program. Inputs are symbols (VAR, PARAM, TIME nodes) or any other nodes: the value of a node that is
 * given as an input is taken from the caller and not computed. That is how relations are frozen: give the relation node
 * as an input, 1 for true and 0 for false; derivatives keep the node, so their programs freeze it in the same way. */
typedef struct dd_program_spec {
    const dd_expr *inputs; /* n_inputs, each at most once */
    uint32_t n_inputs;
    uint32_t segment[DD_MOST_SEGMENTS]; /* inputs of each segment, in order; their sum is n_inputs */
    uint32_t n_segments;                /* 0: one segment of all inputs */
    const dd_expr *constants;           /* n_constants, each at most once and no input */
    uint32_t n_constants;
    const dd_expr *outputs; /* n_outputs */
    uint32_t n_outputs;
    bool factor;             /* common factors are taken out of sums: for derivatives, whose last digits may differ */
    uint32_t most_registers; /* 0: the default (65535). With fewer, values are kept in memory: for tests. */
} dd_program_spec;

/* Compiles. Raises; DD_INVALID_ARGUMENT when an output contains a symbol that is neither input nor constant. The
 * program lives in the pool and needs neither dag nor spec afterwards. */
dd_program *dd_program_new(dd_pool *pool, dd_dag *dag, const dd_program_spec *spec);

typedef struct dd_program_info {
    uint32_t n_inputs, n_constants, n_outputs;
    uint32_t instructions; /* run at every point (branches not taken included) */
    uint32_t runs;         /* instructions of the same operation that follow each other count once: dispatches */
    uint32_t prologue;     /* run when constants are set */
    uint32_t registers;
    uint32_t spills; /* instructions that move values between registers and memory */
    size_t bytes;    /* of the program */
} dd_program_info;
dd_program_info dd_program_get_info(const dd_program *program);

/* Which instructions of the processor a batch uses; the best that runs here is chosen when work memory is made. */
typedef enum dd_simd { DD_SIMD_PORTABLE, DD_SIMD_AVX2, DD_SIMD_AVX512 } dd_simd;
dd_simd dd_simd_best(void);
const char *dd_simd_name(dd_simd simd);

/* Work memory: lanes = 1 for points one by one only; 2 to 4 also for batches, in blocks of 4; more also in blocks of 8.
 * Batches of any size may be evaluated then. Fails only with DD_OUT_OF_MEMORY. Must be freed before ctx; the program
 * must live longer. */
dd_status dd_program_work_new(dd_program_work **out, dd_context *ctx, const dd_program *program, uint32_t lanes);
void dd_program_work_free(dd_program_work *work);

/* For tests and measurements: batches use these instructions. False when the processor does not have them. */
bool dd_program_work_use(dd_program_work *work, dd_simd simd);

/* Sets the constants: values[n_constants]. Must be called once before the first evaluation when there are any. */
void dd_program_set_constants(dd_program_work *work, const double *values);

/* One point: in[s] points to the inputs of segment s; out[n_outputs]. `if` computes the side that is taken only, except
 * where both sides together are cheaper than a jump. */
void dd_program_eval(dd_program_work *work, const double *const *in, double *out);

/* `lanes` >= 1 points at once, a structure of arrays with leading dimension ld: point k has input i of segment s at
 * in[s][i*ld + k], and output i goes to out[i*ld + k].
 *
 *   ld >= lanes rounded up to a multiple of DD_LANE_BLOCK; all ld elements of each row must be there. The contents
 *   of the pads (k >= lanes) are not used: they are computed as copies of the last point, and out's pads receive
 *   anything. No alignment is needed; 32 (64) bytes are best.
 *
 * Points are taken in blocks of 8 while more than 4 are left, then of 4. `if` computes both sides when the points of a
 * block differ, and picks by lane: results of the other side, even 0/0, are never mixed in. */
enum { DD_LANE_BLOCK = 4 };
void dd_program_eval_batch(dd_program_work *work, uint32_t lanes, size_t ld, const double *const *in, double *out);

/* For tests with models that cannot be evaluated: the k-th point from now on (k = 1: the next; the points
 * of a batch in order) has NaN in this output. k = 0: never. */
void dd_program_inject_nan(dd_program_work *work, uint64_t k, uint32_t output);

#endif
