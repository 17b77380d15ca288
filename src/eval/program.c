/* program.c - compiling: tape, values, instructions, registers (see program.h). */
#include <string.h>

#include "eval/program_impl.h"

#define MOST_REGISTERS 65535 /* that 16 bits can name */

typedef struct compiler {
    dd_pool *pool, *scratch;
    dd_ir *ir;
    dd_program *program;
    dd_u32_vec hoisted; /* values that the prologue computes for the main part */
} compiler;

/* ---- the tape, with constants behind the inputs ---- */

static dd_tape *make_tape(dd_pool *pool, dd_dag *dag, const dd_program_spec *spec)
{
    uint32_t n = spec->n_inputs + spec->n_constants;
    dd_expr *inputs = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *inputs);
    for (uint32_t i = 0; i < n; i++) {
        inputs[i] = i < spec->n_inputs ? spec->inputs[i] : spec->constants[i - spec->n_inputs];
    }
    return dd_tape_build(pool, dag, inputs, n, spec->outputs, spec->n_outputs, true);
}

/* ---- where values come from ---- */

/* Marks the values that the code reads, and the outputs. */
static uint8_t *find_read(const dd_vcode *code, const uint32_t *outputs, uint32_t n_outputs, dd_pool *pool)
{
    uint8_t *read = dd_pool_alloc_array(pool, (size_t)code->n_values + 1, sizeof *read);
    const uint32_t *words = code->words.data;
    /* sources of instructions; destinations are made here */
    for (uint32_t i = 0, n; words[i] != DD_CODE_END; i += 1 + n) {
        dd_code_op op = (dd_code_op)words[i];
        uint32_t dests = op == DD_CODE_COUNT ? 0 : dd_code_dests(op);
        n = op == DD_CODE_COUNT ? 0 : dests + dd_code_sources(op);
        for (uint32_t k = dests + 1; k <= n; k++) {
            read[words[i + k]] = 1;
        }
    }
    for (uint32_t i = 0; i < n_outputs && outputs != NULL; i++) {
        read[outputs[i]] = 1;
    }
    return read;
}

/* Gives every leaf that is read its place; fills the pool of the part. Values that the prologue computes are leaves of
 * the main part and are collected in c->hoisted. */
static uint32_t *place_leaves(compiler *c, dd_part *part, const dd_vcode *code, const uint32_t *outputs, bool prologue)
{
    const dd_ir *ir = c->ir;
    const uint8_t *read = find_read(code, outputs, part->n_outputs, c->scratch);
    uint32_t *place = dd_pool_alloc_array(c->scratch, (size_t)code->n_values + 1, sizeof *place);
    dd_double_vec numbers = {0};
    for (uint32_t i = 0; i < code->n_values; i++) {
        place[i] = DD_NO_VALUE;
        const dd_ir_value *v = &ir->values.data[i];
        /* values beyond those of the ir are parts of long sums, made by instructions */
        if (i >= ir->values.len || !read[i]) {
            continue;
        }
        /* numbers are in the pool of this part */
        if (v->op == DD_IR_NUMBER) {
            place[i] = part->n_inputs + numbers.len;
            dd_vec_push(c->scratch, &numbers, ir->numbers.data[v->first]);
        } else if (v->op == (prologue ? DD_IR_CONSTANT : DD_IR_INPUT)) {
            /* the inputs of the prologue are the constants */
            place[i] = v->first;
        }
    }
    /* the numbers survive the compiler's scratch memory */
    part->n_numbers = numbers.len;
    part->n_pool = numbers.len;
    part->numbers = dd_pool_alloc_array(c->pool, (size_t)numbers.len + 1, sizeof *part->numbers);
    for (uint32_t i = 0; i < numbers.len; i++) {
        part->numbers[i] = numbers.data[i];
    }
    /* results of the prologue lie behind the numbers in the pool of the main part */
    for (uint32_t i = 0; i < ir->values.len && !prologue; i++) {
        if (read[i] && ir->values.data[i].kind == DD_IR_IS_FIXED) {
            place[i] = part->n_inputs + part->n_pool++;
            dd_vec_push(c->scratch, &c->hoisted, i);
        }
    }
    return place;
}

/* ---- one part ---- */

static bool compile_part(compiler *c, dd_part *part, const uint32_t *outputs, bool prologue, uint32_t most, bool window)
{
    dd_context *ctx = dd_pool_context(c->pool);
    c->hoisted.len = prologue ? c->hoisted.len : 0;
    dd_check_stop(ctx); /* each of these takes part of a second with 10^6 operations */
    dd_vcode code = dd_select_code(c->ir, prologue, c->scratch);
    dd_check_stop(ctx);
    dd_schedule(&code, c->scratch);
    dd_check_stop(ctx);
    /* registers: leaves have places given, everything else is assigned */
    dd_register_task task = {.code = &code,
                             .n_inputs = part->n_inputs,
                             .segment = part->segment,
                             .n_segments = part->n_segments,
                             .outputs = outputs,
                             .n_outputs = part->n_outputs,
                             .most_registers = most};
    task.place = place_leaves(c, part, &code, outputs, prologue);
    task.n_pool = part->n_pool;
    dd_check_stop(ctx);
    /* WINDOW code always fits; DIRECT code may need more registers than 16 bits can name */
    if (window) {
        dd_registers_window(&part->code, c->pool, &task);
        return true;
    }
    return dd_registers_direct(&part->code, c->pool, &task);
}

static void compile(compiler *c, uint32_t most)
{
    dd_program *p = c->program;
    dd_check_stop(dd_pool_context(c->pool));
    /* short selections flattened, long ones kept as jumps */
    dd_ir_clean(c->ir, false);
    /* too large for DIRECT code: WINDOW code has no jumps, so all selections go */
    if (!compile_part(c, &p->main, c->ir->outputs, false, most, false)) {
        dd_ir_clean(c->ir, true);
        compile_part(c, &p->main, c->ir->outputs, false, most, true);
    }
    /* the outputs of the prologue: fixed values that the main part reads */
    p->prologue.n_outputs = c->hoisted.len;
    if (!compile_part(c, &p->prologue, c->hoisted.data, true, most, false)) {
        compile_part(c, &p->prologue, c->hoisted.data, true, most, true);
    }
}

static void set_segments(dd_context *ctx, dd_part *part, const dd_program_spec *spec)
{
    uint32_t total = 0;
    part->n_segments = spec->n_segments;
    memcpy(part->segment, spec->segment, sizeof part->segment);
    /* the caller's segments must cover the inputs exactly */
    for (uint32_t i = 0; i < spec->n_segments && i < DD_MOST_SEGMENTS; i++) {
        total += spec->segment[i];
    }
    if (spec->n_segments == 0) {
        part->n_segments = 1;
        part->segment[0] = total = spec->n_inputs;
    }
    if (part->n_segments > DD_MOST_SEGMENTS || total != spec->n_inputs) {
        dd_raise(ctx, DD_INVALID_ARGUMENT, "the segments of a program do not match its inputs");
    }
}

static size_t bytes_of(const dd_part *part)
{
    return part->code.length * sizeof *part->code.words + part->n_numbers * sizeof *part->numbers +
           2 * part->code.n_fixed * sizeof *part->code.fixed;
}

dd_program *dd_program_new(dd_pool *pool, dd_dag *dag, const dd_program_spec *spec)
{
    dd_program *p = dd_pool_alloc(pool, sizeof *p);
    uint32_t most = spec->most_registers != 0 ? spec->most_registers : MOST_REGISTERS;
    set_segments(dd_pool_context(pool), &p->main, spec);
    if (most < 32 || most > MOST_REGISTERS) {
        dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT, "a program has 32 to 65535 registers");
    }
    compiler c = {.pool = pool, .scratch = dd_pool_child(pool), .program = p};
    /* dag -> tape -> values; then each part: instructions, schedule, registers */
    c.ir = dd_ir_new(c.scratch, make_tape(c.scratch, dag, spec), spec->n_inputs);
    p->n_constants = spec->n_constants;
    p->main.n_inputs = spec->n_inputs;
    p->main.n_outputs = spec->n_outputs;
    /* the prologue maps constants to hoisted values */
    p->prologue.n_inputs = spec->n_constants;
    p->prologue.n_segments = 1;
    p->prologue.segment[0] = spec->n_constants;
    if (spec->factor) {
        dd_ir_clean(c.ir, false);
        dd_ir_factor(c.ir);
    }
    compile(&c, most);
    p->bytes = sizeof *p + bytes_of(&p->main) + bytes_of(&p->prologue);
    dd_pool_free(c.scratch);
    return p;
}

dd_program_info dd_program_get_info(const dd_program *p)
{
    const dd_code *code = &p->main.code;
    return (dd_program_info){.n_inputs = p->main.n_inputs,
                             .n_constants = p->n_constants,
                             .n_outputs = p->main.n_outputs,
                             .instructions = code->instructions,
                             .runs = code->runs,
                             .prologue = p->prologue.code.instructions,
                             .registers = code->registers,
                             .spills = code->moves,
                             .bytes = p->bytes};
}
