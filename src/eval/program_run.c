/* program_run.c - work memory, and evaluation at one point or at many. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "eval/program_impl.h"

enum { WIDTHS = 3, ALIGNMENT = 64 };
static const uint32_t width_of[WIDTHS] = {1, 4, 8};

/* Registers and spill memory for one width; empty when the width is not used. */
typedef struct bank {
    double *registers, *spill;
} bank;

struct dd_program_work {
    dd_context *ctx;
    const dd_program *program;
    void *memory;
    size_t memory_size;
    bank bank[WIDTHS];
    bank prologue;
    dd_kernel kernel[WIDTHS];
    dd_kernel_io io[WIDTHS]; /* for direct code */
    double *pool;            /* of the main part */
    double *prologue_pool;   /* its numbers */
    uint64_t countdown;      /* points until NaN is injected; 0: never */
    uint32_t injected;       /* the output */
};

/* ---- which instructions ---- */

#if defined(DAEDAL_HAVE_AVX)
static bool has_simd(dd_simd simd)
{
    switch (simd) {
    case DD_SIMD_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case DD_SIMD_AVX512:
        return has_simd(DD_SIMD_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    default:
        return true;
    }
}

static const dd_kernel kernels[][WIDTHS] = {
    [DD_SIMD_PORTABLE] = {dd_kernel_scalar, dd_kernel_portable_4, dd_kernel_portable_8},
    [DD_SIMD_AVX2] = {dd_kernel_scalar, dd_kernel_avx2_4, dd_kernel_avx2_8},
    [DD_SIMD_AVX512] = {dd_kernel_scalar, dd_kernel_avx2_4, dd_kernel_avx512_8},
};
#else
static bool has_simd(dd_simd simd)
{
    return simd == DD_SIMD_PORTABLE;
}

static const dd_kernel kernels[][WIDTHS] = {
    [DD_SIMD_PORTABLE] = {dd_kernel_scalar, dd_kernel_portable_4, dd_kernel_portable_8},
};
#endif

dd_simd dd_simd_best(void)
{
    return has_simd(DD_SIMD_AVX512) ? DD_SIMD_AVX512 : has_simd(DD_SIMD_AVX2) ? DD_SIMD_AVX2 : DD_SIMD_PORTABLE;
}

const char *dd_simd_name(dd_simd simd)
{
    return simd == DD_SIMD_AVX512 ? "avx512" : simd == DD_SIMD_AVX2 ? "avx2" : "portable";
}

bool dd_program_work_use(dd_program_work *work, dd_simd simd)
{
    if (!has_simd(simd)) {
        return false;
    }
    memcpy(work->kernel, kernels[simd], sizeof work->kernel);
    return true;
}

/* ---- memory ---- */

/* Takes n doubles at an aligned place; with base NULL it only counts. */
static double *carve(char *base, size_t *used, size_t n)
{
    double *place = base != NULL ? (double *)(void *)(base + *used) : NULL;
    *used += (n * sizeof(double) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place;
}

static bank carve_bank(char *base, size_t *used, const dd_code *code, uint32_t width)
{
    bank b;
    b.registers = carve(base, used, (size_t)code->registers * width + 1);
    b.spill = carve(base, used, (size_t)code->spill * width + 1);
    return b;
}

/* Lays out everything in `base`; returns the bytes it takes. A direct part has its pool among its registers. */
static size_t lay_out(dd_program_work *work, char *base, uint32_t lanes)
{
    const dd_part *main = &work->program->main, *prologue = &work->program->prologue;
    size_t used = 0;
    /* one bank per width in use: one point always, four and eight for batches */
    for (int i = 0; i < WIDTHS; i++) {
        bool wanted = i == 0 || (lanes > 1 && i == 1) || lanes > 4;
        work->bank[i] = wanted ? carve_bank(base, &used, &main->code, width_of[i]) : (bank){0};
        work->io[i] = (dd_kernel_io){.code = main->code.words, .registers = work->bank[i].registers};
    }
    work->prologue = carve_bank(base, &used, &prologue->code, 1);
    work->pool = carve(base, &used, (size_t)main->n_pool + 1);
    work->prologue_pool = carve(base, &used, (size_t)prologue->n_pool + 1);
    return used;
}

static double *fill(double *to, double value, uint32_t width)
{
    for (uint32_t lane = 0; lane < width; lane++) {
        *to++ = value;
    }
    return to;
}

/* Copies the pool to where the registers of direct code expect it, and to outputs that never change. */
static void spread_pool(dd_program_work *work)
{
    const dd_part *main = &work->program->main;
    const dd_code *code = &main->code;
    for (int i = 0; i < WIDTHS && !code->window; i++) {
        if (work->bank[i].registers == NULL) {
            continue;
        }
        uint32_t width = width_of[i];
        /* registers of DIRECT code: inputs, then the pool in every lane */
        double *v = work->bank[i].registers, *to = v + (size_t)main->n_inputs * width;
        for (uint32_t k = 0; k < main->n_pool; k++) {
            to = fill(to, work->pool[k], width);
        }
        /* outputs that are constants are written once, here */
        for (uint32_t k = 0; k < code->n_fixed; k++) {
            fill(v + (size_t)(code->first_output + code->fixed[2 * k + 1]) * width, work->pool[code->fixed[2 * k]],
                 width);
        }
    }
}

dd_status dd_program_work_new(dd_program_work **out, dd_context *ctx, const dd_program *program, uint32_t lanes)
{
    dd_program_work *work = dd_mem_new_array(ctx, 1, sizeof *work);
    *out = NULL;
    if (work == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    work->ctx = ctx;
    work->program = program;
    /* the first call counts, the second one hands out places: the layout is written once */
    work->memory_size = lay_out(work, NULL, lanes) + ALIGNMENT;
    work->memory = dd_mem_new_array(ctx, work->memory_size, 1);
    if (work->memory == NULL) {
        dd_mem_free(ctx, work, sizeof *work);
        return DD_OUT_OF_MEMORY;
    }
    /* allocators align to 16 bytes: start at the next multiple of 64 */
    uintptr_t start = (uintptr_t)work->memory;
    lay_out(work, (char *)work->memory + (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT, lanes);
    const dd_part *main = &program->main, *prologue = &program->prologue;
    /* numbers are known, hoisted values not yet: NaN shows up when constants were never set */
    memcpy(work->pool, main->numbers, main->n_numbers * sizeof *work->pool);
    memcpy(work->prologue_pool, prologue->numbers, prologue->n_numbers * sizeof *work->pool);
    for (uint32_t i = main->n_numbers; i < main->n_pool; i++) {
        work->pool[i] = NAN;
    }
    dd_program_work_use(work, dd_simd_best());
    /* without constants the prologue can run now */
    if (program->n_constants == 0) {
        dd_program_set_constants(work, NULL);
    } else {
        spread_pool(work);
    }
    *out = work;
    return DD_OK;
}

void dd_program_work_free(dd_program_work *work)
{
    if (work != NULL) {
        dd_context *ctx = work->ctx;
        dd_mem_free(ctx, work->memory, work->memory_size);
        dd_mem_free(ctx, work, sizeof *work);
    }
}

/* ---- constants ---- */

void dd_program_set_constants(dd_program_work *work, const double *values)
{
    const dd_part *part = &work->program->prologue;
    double *to = work->pool + work->program->main.n_numbers, *v = work->prologue.registers;
    /* the prologue as a program of one point: constants in, hoisted values out */
    dd_kernel_io io = {.code = part->code.words,
                       .registers = v,
                       .in = &values,
                       .out = to,
                       .pool = work->prologue_pool,
                       .spill = work->prologue.spill,
                       .ld = 1,
                       .lanes = 1};
    /* DIRECT code reads its inputs and numbers from registers */
    if (!part->code.window) {
        for (uint32_t i = 0; i < part->n_inputs && values != NULL; i++) {
            v[i] = values[i];
        }
        memcpy(v + part->n_inputs, work->prologue_pool, part->n_numbers * sizeof *v);
    }
    dd_kernel_scalar(&io);
    /* WINDOW code has stored its outputs itself */
    if (!part->code.window) {
        memcpy(to, v + part->code.first_output, part->n_outputs * sizeof *to);
    }
    spread_pool(work);
}

/* ---- one point ---- */

static void inject(dd_program_work *work, uint32_t lanes, double *out, size_t ld)
{
    /* the point is not in this batch yet */
    if (work->countdown > lanes) {
        work->countdown -= lanes;
        return;
    }
    if (work->injected < work->program->main.n_outputs) {
        out[work->injected * ld + (size_t)work->countdown - 1] = NAN;
    }
    work->countdown = 0;
}

static void eval_window(dd_program_work *work, int width, uint32_t lanes, size_t lane, size_t ld,
                        const double *const *in, double *out)
{
    dd_kernel_io io = {.code = work->program->main.code.words,
                       .registers = work->bank[width].registers,
                       .in = in,
                       .out = out,
                       .pool = work->pool,
                       .spill = work->bank[width].spill,
                       .ld = ld,
                       .lane = lane,
                       .lanes = lanes};
    work->kernel[width](&io);
}

/* Few numbers are copied at most times: a loop is faster than a call. */
static inline void copy(double *to, const double *from, uint32_t n)
{
    if (n > 16) {
        memcpy(to, from, n * sizeof *to);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

void dd_program_eval(dd_program_work *work, const double *const *in, double *out)
{
    const dd_part *part = &work->program->main;
    if (part->code.window) {
        eval_window(work, 0, 1, 0, 1, in, out);
    } else {
        /* DIRECT code: inputs to the first registers, run, outputs from theirs */
        double *v = work->io[0].registers;
        for (uint32_t s = 0; s < part->n_segments; s++) {
            copy(v, in[s], part->segment[s]);
            v += part->segment[s];
        }
        dd_kernel_scalar(&work->io[0]);
        copy(out, work->io[0].registers + part->code.first_output, part->n_outputs);
    }
    if (work->countdown != 0) {
        inject(work, 1, out, 1);
    }
}

/* ---- many points ---- */

/* Vectors are moved whole: halves would hold up the kernel that reads them next. */
static inline __attribute__((always_inline)) void copy_rows(double *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i += 4) {
        dd_v4_store(to + i, dd_v4_load(from + i));
    }
}

/* Rows of `lanes` points to registers. The contents of the pads are not known, so they repeat the last real point. */
DD_CLONES static void read_rows(double *to, const double *from, uint32_t n, size_t ld, uint32_t width, uint32_t lanes)
{
    if (ld == width && lanes == width) {
        copy_rows(to, from, n * ld);
        return;
    }
    for (uint32_t i = 0; i < n; i++, to += width, from += ld) {
        copy_rows(to, from, width);
        for (uint32_t k = lanes; k < width; k++) {
            to[k] = to[lanes - 1];
        }
    }
}

DD_CLONES static void write_rows(double *to, const double *from, uint32_t n, size_t ld, uint32_t width)
{
    if (ld == width) {
        copy_rows(to, from, n * ld);
        return;
    }
    for (uint32_t i = 0; i < n; i++, to += ld, from += width) {
        copy_rows(to, from, width);
    }
}

static void eval_block(dd_program_work *work, int width_index, uint32_t lanes, size_t lane, size_t ld,
                       const double *const *in, double *out)
{
    const dd_part *part = &work->program->main;
    if (part->code.window) {
        eval_window(work, width_index, lanes, lane, ld, in, out);
        return;
    }
    uint32_t width = width_of[width_index];
    double *v = work->io[width_index].registers;
    const double *results = v + (size_t)part->code.first_output * width;
    /* each segment has its own array of rows */
    for (uint32_t s = 0; s < part->n_segments; s++) {
        read_rows(v, in[s] + lane, part->segment[s], ld, width, lanes);
        v += (size_t)part->segment[s] * width;
    }
    work->kernel[width_index](&work->io[width_index]);
    write_rows(out + lane, results, part->n_outputs, ld, width);
}

void dd_program_eval_batch(dd_program_work *work, uint32_t lanes, size_t ld, const double *const *in, double *out)
{
    assert(work->bank[1].registers != NULL && ld >= lanes);
    /* blocks of eight while more than four points are left, then of four */
    for (uint32_t lane = 0; lane < lanes;) {
        uint32_t left = lanes - lane;
        int width_index = left > 4 && work->bank[2].registers != NULL ? 2 : 1;
        uint32_t width = width_of[width_index], take = left < width ? left : width;
        eval_block(work, width_index, take, lane, ld, in, out);
        lane += take;
    }
    if (work->countdown != 0) {
        inject(work, lanes, out, ld);
    }
}

void dd_program_inject_nan(dd_program_work *work, uint64_t k, uint32_t output)
{
    work->countdown = k;
    work->injected = output;
}
