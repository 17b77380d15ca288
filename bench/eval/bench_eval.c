/* bench_eval.c - what an evaluation costs: residuals alone (F) and with their Jacobian (F J), at one point and in batches of
 * 4 and 8, against the same functions written as C, compiled with gcc -O2 and called in the same run.
 *
 *   bench_eval FOLDER MODEL[,NAME=VALUE]...            FOLDER: for the generated C
 *   bench_eval --large MODEL[,NAME=VALUE]...           without C: time to compile, memory, time per row
 *
 * Every way is timed in turns, several times, in CPU time; the least time counts. Fails when neither 4 nor 8 lanes are 2.5
 * times as fast per point as one point, when the faster batch takes over 3 times the compiled C, or when values differ. */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "bench_eval.h"
#include "eval/derivative.h"
#include "eval/program.h"
#include "expr/walk.h"
#include "lang/lang.h"

enum { POINTS = 64, TURNS = 15, WAYS = 4 };
typedef void (*compiled)(const double *x, double *out);

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the model ---- */

typedef struct job {
    dd_context *ctx;
    dd_pool *pool;
    const char *path, *folder; /* folder NULL: a large model */
    dd_setting setting;
    bool jacobian;
    bool good;
} job;

static double start_of(const functions *f, dd_expr symbol, uint32_t k)
{
    double wiggle = 0.01 * sin(1.0 + 7.3 * symbol + 0.37 * k);
    if (dd_op_of(f->dag, symbol) == DD_OP_TIME) {
        return 1e-4 * (1 + wiggle);
    }
    if (dd_symbol_order(f->dag, symbol) > 0) {
        return 0.1 + wiggle;
    }
    return f->model->vars.data[dd_symbol_id(f->dag, symbol)].start_value + wiggle;
}

static functions load(job *j)
{
    functions f = {.name = strrchr(j->path, '/') + 1};
    char *text;
    size_t length;
    dd_status status = dd_file_read(j->pool, j->path, 1 << 20, &text, &length);
    if (status != DD_OK) {
        dd_raise(j->ctx, status, "%s cannot be read", j->path);
    }
    dd_lang_source source = {.file = j->path,
                             .text = text,
                             .length = length,
                             .settings = &j->setting,
                             .n_settings = j->setting.name != NULL};
    f.model = dd_lang_load(j->ctx, j->pool, &source, NULL);
    dd_model_settle_values(f.model);
    f.dag = f.model->dag;
    f.n_rows = f.model->rows.len;
    dd_expr_vec symbols = {0}, wanted = {0};
    for (uint32_t i = 0; i < f.n_rows; i++) {
        dd_vec_push(j->pool, &f.outputs, f.model->rows.data[i].residual);
    }
    dd_walk walk = dd_walk_new(f.dag, f.outputs.data, f.outputs.len, 0);
    for (uint32_t i = 0; i < walk.n; i++) {
        if (dd_op_arity(dd_op_of(f.dag, walk.nodes[i])) == 0 && dd_op_of(f.dag, walk.nodes[i]) != DD_OP_NUM) {
            dd_vec_push(j->pool, &symbols, walk.nodes[i]);
        }
    }
    dd_walk_free(f.dag, &walk);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(f.dag, symbols.data[i]) == DD_OP_PARAM) {
            dd_vec_push(j->pool, &f.constants, symbols.data[i]);
        } else {
            dd_vec_push(j->pool, &f.inputs, symbols.data[i]);
        }
        if (dd_op_of(f.dag, symbols.data[i]) == DD_OP_VAR) {
            dd_vec_push(j->pool, &wanted, symbols.data[i]);
        }
    }
    if (j->jacobian) {
        dd_derivative *d = dd_jacobian_new(j->pool, f.dag, f.outputs.data, f.n_rows, wanted.data, wanted.len);
        for (uint32_t k = 0; k < d->ptr[d->ncols]; k++) {
            dd_vec_push(j->pool, &f.outputs, d->entries[k]);
        }
    }
    f.at = dd_pool_alloc_array(j->pool, (size_t)f.inputs.len * POINTS, sizeof *f.at);
    f.values = dd_pool_alloc_array(j->pool, f.constants.len + 1, sizeof *f.values);
    for (uint32_t i = 0; i < f.inputs.len * POINTS; i++) {
        f.at[i] = start_of(&f, f.inputs.data[i / POINTS], i % POINTS);
    }
    for (uint32_t i = 0; i < f.constants.len; i++) {
        f.values[i] = f.model->vars.data[dd_symbol_id(f.dag, f.constants.data[i])].value;
    }
    return f;
}

/* ---- the same as compiled C ---- */

static compiled compile(const functions *f, const char *folder)
{
    char source[1000], command[4000], library[1000];
    snprintf(source, sizeof source, "%s/%s_%u.c", folder, f->name, f->outputs.len);
    snprintf(library, sizeof library, "%s/%s_%u.so", folder, f->name, f->outputs.len);
    FILE *file = fopen(source, "w");
    if (file == NULL) {
        return NULL;
    }
    write_c(file, "evaluate", f);
    fclose(file);
    snprintf(command, sizeof command, "gcc -O2 -w -shared -fPIC -o '%s' '%s' -lm", library, source);
    void *handle = system(command) == 0 ? dlopen(library, RTLD_NOW) : NULL;
    void *symbol = handle != NULL ? dlsym(handle, "evaluate") : NULL;
    compiled result = NULL;
    memcpy(&result, &symbol, sizeof result);
    return result;
}

/* ---- measuring ---- */

typedef struct bench {
    const functions *f;
    compiled c;
    dd_program_work *work;
    double *rows;    /* points one behind the other */
    double *columns; /* as a batch */
    double *out, *out_c;
} bench;

/* All POINTS once, by one of the ways: compiled, one by one, batches of 4, batches of 8. */
static void evaluate(bench *b, int way)
{
    uint32_t n = b->f->inputs.len, m = b->f->outputs.len;
    for (uint32_t k = 0; k < POINTS && way < 2; k++) {
        if (way == 0) {
            b->c(b->rows + (size_t)k * n, b->out_c + (size_t)k * m);
        } else {
            dd_program_eval(b->work, (const double *[]){b->rows + (size_t)k * n}, b->out + (size_t)k * m);
        }
    }
    uint32_t lanes = way == 2 ? 4 : 8;
    for (uint32_t k = 0; k < POINTS && way >= 2; k += lanes) {
        dd_program_eval_batch(b->work, lanes, lanes, (const double *[]){b->columns + (size_t)k * n}, b->out);
    }
}

/* Blocks of `lanes` points, each a structure of arrays. */
static void arrange(bench *b, uint32_t lanes)
{
    uint32_t n = b->f->inputs.len;
    for (uint32_t k = 0; k < POINTS; k++) {
        for (uint32_t i = 0; i < n; i++) {
            b->columns[(size_t)(k / lanes) * lanes * n + (size_t)i * lanes + k % lanes] = b->f->at[i * POINTS + k];
        }
    }
}

static double worst_difference(bench *b)
{
    double worst = 0;
    evaluate(b, 0);
    evaluate(b, 1);
    for (uint32_t i = 0; i < b->f->outputs.len * POINTS; i++) {
        double difference = fabs(b->out[i] - b->out_c[i]) / (1 + fabs(b->out_c[i]));
        worst = difference > worst || isnan(difference) ? difference : worst;
    }
    return worst;
}

static void measure(bench *b, double *nanoseconds)
{
    uint32_t repeats[WAYS];
    for (int turn = -1; turn < TURNS; turn++) {
        for (int way = 0; way < WAYS; way++) {
            arrange(b, way == 2 ? 4 : 8);
            if (turn < 0) { /* how often to repeat for about 5 ms */
                double begin = cpu_seconds();
                for (repeats[way] = 0; cpu_seconds() - begin < 0.005; repeats[way]++) {
                    evaluate(b, way);
                }
                nanoseconds[way] = INFINITY;
                continue;
            }
            double begin = cpu_seconds();
            for (uint32_t i = 0; i < repeats[way]; i++) {
                evaluate(b, way);
            }
            double time = (cpu_seconds() - begin) * 1e9 / POINTS / repeats[way];
            nanoseconds[way] = time < nanoseconds[way] ? time : nanoseconds[way];
        }
    }
}

static dd_program *make_program(job *j, const functions *f)
{
    dd_program_spec spec = {.inputs = f->inputs.data,
                            .n_inputs = f->inputs.len,
                            .constants = f->constants.data,
                            .n_constants = f->constants.len,
                            .outputs = f->outputs.data,
                            .n_outputs = f->outputs.len};
    return dd_program_new(j->pool, f->dag, &spec);
}

static bool make_work(job *j, bench *b, const dd_program *program)
{
    const functions *f = b->f;
    if (dd_program_work_new(&b->work, j->ctx, program, 8) != DD_OK) {
        return false;
    }
    dd_program_set_constants(b->work, f->values);
    b->rows = dd_pool_alloc_array(j->pool, (size_t)f->inputs.len * POINTS, sizeof(double));
    b->columns = dd_pool_alloc_array(j->pool, (size_t)f->inputs.len * POINTS, sizeof(double));
    b->out = dd_pool_alloc_array(j->pool, (size_t)f->outputs.len * POINTS, sizeof(double));
    b->out_c = dd_pool_alloc_array(j->pool, (size_t)f->outputs.len * POINTS, sizeof(double));
    for (uint32_t i = 0; i < f->inputs.len * POINTS; i++) {
        b->rows[(size_t)(i % POINTS) * f->inputs.len + i / POINTS] = f->at[i];
    }
    return true;
}

static void run(void *arg)
{
    job *j = arg;
    functions f = load(j);
    bench b = {.f = &f, .c = compile(&f, j->folder)};
    dd_program *program = make_program(j, &f);
    dd_program_info info = dd_program_get_info(program);
    if (b.c == NULL || !make_work(j, &b, program)) {
        printf("%-16s cannot be compiled\n", f.name);
        return;
    }
    double ns[WAYS], difference = worst_difference(&b);
    measure(&b, ns);
    double lanes = fmax(ns[1] / ns[2], ns[1] / ns[3]), batch = fmin(ns[2], ns[3]) / ns[0];
    bool same = difference < 1e-9;
    j->good = lanes >= 2.5 && batch <= 3 && same;
    printf("%-18s %-3s %5u %6u %6u %5u %8.1f %8.1f %8.1f %8.1f %8.2f %8.2f %8.2f%s\n", f.name,
           j->jacobian ? "F J" : "F", f.n_rows, f.outputs.len - f.n_rows, info.instructions, info.runs, ns[0], ns[1],
           ns[2], ns[3], ns[1] / ns[0], lanes, batch, same ? (j->good ? "" : "  too slow") : "  values differ");
    dd_program_work_free(b.work);
}

static void run_large(void *arg)
{
    job *j = arg;
    double begin = cpu_seconds();
    functions f = load(j);
    double loaded = cpu_seconds();
    dd_program *program = make_program(j, &f);
    double compiled_at = cpu_seconds();
    dd_program_info info = dd_program_get_info(program);
    bench b = {.f = &f};
    size_t before = dd_context_memory(j->ctx);
    dd_program_work *probe;
    if (dd_program_work_new(&probe, j->ctx, program, 8) != DD_OK) {
        return;
    }
    size_t work_bytes = dd_context_memory(j->ctx) - before;
    dd_program_work_free(probe);
    if (!make_work(j, &b, program)) {
        return;
    }
    double ns[WAYS] = {0};
    for (int way = 1; way < WAYS; way++) {
        ns[way] = INFINITY;
        arrange(&b, way == 2 ? 4 : 8);
        for (int turn = 0; turn < 3; turn++) {
            double start = cpu_seconds();
            evaluate(&b, way);
            ns[way] = fmin(ns[way], (cpu_seconds() - start) * 1e9 / POINTS / f.n_rows);
        }
    }
    printf("%-24s %7u %8u %9u %8u %8u %8.2f %8.2f %8.1f %8.1f %8.1f %8.1f %8.1f\n", f.name, f.n_rows,
           f.outputs.len - f.n_rows, info.instructions, info.spills, info.registers, loaded - begin,
           compiled_at - loaded, (double)info.bytes / 1048576, (double)work_bytes / 1048576, ns[1], ns[2], ns[3]);
    dd_program_work_free(b.work);
    j->good = true;
}

/* MODEL or MODEL,NAME=VALUE */
static bool run_model(const char *argument, const char *folder, bool jacobian)
{
    char path[1000], *comma, *equals;
    snprintf(path, sizeof path, "%s", argument);
    job j = {.path = path, .folder = folder, .jacobian = jacobian};
    if ((comma = strchr(path, ',')) != NULL && (equals = strchr(comma, '=')) != NULL) {
        *comma = *equals = 0;
        j.setting = (dd_setting){comma + 1, equals + 1};
    }
    if (dd_context_new(&j.ctx, NULL) != DD_OK) {
        return false;
    }
    j.pool = dd_pool_new(j.ctx);
    dd_status status = dd_protect(j.ctx, folder != NULL ? run : run_large, &j);
    if (status != DD_OK) {
        printf("%s: %s\n", argument, dd_context_message(j.ctx));
    }
    dd_pool_free(j.pool);
    dd_context_free(j.ctx);
    fflush(stdout);
    return status == DD_OK && j.good;
}

int main(int argc, char **argv)
{
    bool good = argc > 2, large = argc > 1 && strcmp(argv[1], "--large") == 0;
    if (large) {
        printf("%-24s %7s %8s %9s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "model, F and J", "rows", "nnz", "instr",
               "moves", "regs", "load s", "comp. s", "prog MiB", "work MiB", "1 ns/row", "4 lanes", "8 lanes");
    } else {
        printf("CPU ns per point, %s\n", dd_simd_name(dd_simd_best()));
        printf("%-18s %-3s %5s %6s %6s %5s %8s %8s %8s %8s %8s %8s %8s\n", "model", "", "rows", "nnz", "instr", "runs",
               "C -O2", "1 point", "4 lanes", "8 lanes", "1/C", "1/batch", "batch/C");
    }
    for (int i = 2; i < argc; i++) {
        if (large) {
            good = run_model(argv[i], NULL, true) && good;
        } else {
            good = run_model(argv[i], argv[1], false) && good;
            good = run_model(argv[i], argv[1], true) && good;
        }
    }
    return good ? 0 : 1;
}
