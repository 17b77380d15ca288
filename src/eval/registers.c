/* registers.c - DIRECT code: linear scan. Inputs, the pool and outputs have fixed registers; any other value
 * takes the register that was freed last (it is in the cache), from its first definition to its last use. Code has no
 * loops, so positions in it are all there is to know about lifetimes. */
#include <assert.h>
#include <string.h>

#include "eval/select.h"
#include "eval/writer.h"

#define NONE UINT32_MAX

typedef struct scan {
    const dd_register_task *task;
    dd_pool *pool;
    uint32_t *last;  /* per value: place of the last instruction that reads it */
    uint32_t *where; /* per value: its register */
    dd_u32_vec free, jumps, fixed, copied;
    uint32_t first_temporary;
    uint32_t count; /* registers so far */
    uint32_t instructions;
    dd_writer code;
} scan;

static uint32_t operands(uint32_t op)
{
    return op == DD_CODE_COUNT ? 0 : dd_code_dests((dd_code_op)op) + dd_code_sources((dd_code_op)op);
}

static void find_last_uses(scan *s)
{
    const dd_u32_vec *words = &s->task->code->words;
    /* the last assignment wins, so that last[] is the last use */
    for (uint32_t i = 0, n; i < words->len; i += 1 + n) {
        n = operands(words->data[i]);
        for (uint32_t k = 1; k <= n; k++) {
            s->last[words->data[i + k]] = i;
        }
    }
    /* outputs live to the end */
    for (uint32_t i = 0; i < s->task->n_outputs; i++) {
        s->last[s->task->outputs[i]] = NONE;
    }
}

/* A jump's distance is filled in when its target is reached. */
static void put_jump(scan *s)
{
    dd_vec_push(s->pool, &s->jumps, s->code.words.len);
    dd_writer_word(&s->code, 0);
    dd_writer_word(&s->code, 0);
}

/* The target of the innermost jump is `behind` words from here. */
static void land(scan *s, uint32_t behind)
{
    assert(s->jumps.data != NULL && s->jumps.len > 0);
    /* distances count from behind their two words */
    uint32_t at = s->jumps.data[--s->jumps.len], distance = s->code.words.len + behind - at - 2;
    s->code.words.data[at] = (uint16_t)distance;
    s->code.words.data[at + 1] = (uint16_t)(distance >> 16);
    s->code.run = DD_NO_RUN;
}

static bool is_single(dd_code_op op)
{
    return op == DD_CODE_BRANCH || op == DD_CODE_SKIP || op == DD_CODE_END;
}

static void release(scan *s, uint32_t value)
{
    /* inputs, pool and outputs keep their registers */
    if (s->where[value] != NONE && s->where[value] >= s->first_temporary) {
        dd_vec_push(s->pool, &s->free, s->where[value]);
        s->where[value] = NONE;
    }
}

static uint32_t take(scan *s)
{
    return s->free.len > 0 ? s->free.data[--s->free.len] : s->count++;
}

/* Sources are released before destinations are taken, so that a result may overwrite its arguments. */
static void assign(scan *s, const uint32_t *words, uint32_t at)
{
    dd_code_op op = (dd_code_op)words[0];
    uint32_t dests = dd_code_dests(op), n = operands(op), reg[16];
    /* sources are read first */
    for (uint32_t k = dests + 1; k <= n; k++) {
        reg[k] = s->where[words[k]];
        assert(reg[k] != NONE);
    }
    for (uint32_t k = dests + 1; k <= n; k++) {
        if (s->last[words[k]] == at) {
            release(s, words[k]);
        }
    }
    /* a value that is an output, or the second definition of one, has its register already */
    for (uint32_t k = 1; k <= dests; k++) {
        if (s->where[words[k]] == NONE) {
            s->where[words[k]] = take(s);
        }
        reg[k] = s->where[words[k]];
    }
    /* a destination that nobody reads is free again at once */
    for (uint32_t k = 1; k <= dests; k++) {
        if (s->last[words[k]] == at) { /* nobody reads it */
            release(s, words[k]);
        }
    }
    (is_single(op) ? dd_writer_single : dd_writer_begin)(&s->code, op);
    for (uint32_t k = 1; k <= n; k++) {
        dd_writer_word(&s->code, reg[k]);
    }
    s->instructions++;
}

/* A value that is computed goes to its output right away. The others are copied: inputs, and values that are output
 * more than once, at the end of the code; numbers when constants are set. */
static void place_outputs(scan *s)
{
    const dd_register_task *task = s->task;
    uint32_t first = task->n_inputs + task->n_pool;
    for (uint32_t i = 0; i < task->n_outputs; i++) {
        uint32_t value = task->outputs[i];
        /* computed straight into its output register */
        if (s->where[value] == NONE) {
            s->where[value] = first + i;
        } else if (task->place[value] != DD_NO_VALUE && task->place[value] >= task->n_inputs) {
            /* a number: copied when constants are set, not at each point */
            dd_vec_push(s->pool, &s->fixed, task->place[value] - task->n_inputs);
            dd_vec_push(s->pool, &s->fixed, i);
        } else {
            dd_vec_push(s->pool, &s->copied, i);
        }
    }
}

static void copy_outputs(scan *s)
{
    for (uint32_t k = 0; k < s->copied.len; k++) {
        uint32_t i = s->copied.data[k];
        dd_writer_begin(&s->code, DD_CODE_SUM_0100);
        dd_writer_word(&s->code, s->task->n_inputs + s->task->n_pool + i);
        dd_writer_word(&s->code, s->where[s->task->outputs[i]]);
        s->instructions++;
    }
}

static void run(scan *s)
{
    const dd_u32_vec *words = &s->task->code->words;
    /* stops early when the registers run out: the caller then takes WINDOW code */
    for (uint32_t i = 0; i < words->len && s->count <= s->task->most_registers; i += 1 + operands(words->data[i])) {
        uint32_t op = words->data[i];
        if (op == DD_CODE_COUNT) {
            land(s, 0);
            continue;
        }
        if (op == DD_CODE_END) {
            copy_outputs(s);
        }
        assign(s, words->data + i, i);
        if (op == DD_CODE_SKIP) {
            land(s, 2); /* the branch leads behind this instruction */
        }
        if (op == DD_CODE_BRANCH || op == DD_CODE_SKIP) {
            put_jump(s);
        }
    }
}

static void store_result(dd_code *out, dd_pool *pool, const scan *s)
{
    /* END is not counted */
    *out = (dd_code){
        .length = s->code.words.len, .instructions = s->instructions - 1, .runs = s->code.runs, .registers = s->count};
    assert(s->code.words.data != NULL); /* there is an END */
    out->words = dd_pool_alloc_array(pool, s->code.words.len, sizeof *out->words);
    memcpy(out->words, s->code.words.data, s->code.words.len * sizeof *out->words);
    out->first_output = s->task->n_inputs + s->task->n_pool;
    out->n_fixed = s->fixed.len / 2;
    out->fixed = dd_pool_alloc_array(pool, (size_t)s->fixed.len + 1, sizeof *out->fixed);
    for (uint32_t i = 0; i < s->fixed.len; i++) {
        out->fixed[i] = s->fixed.data[i];
    }
}

bool dd_registers_direct(dd_code *out, dd_pool *pool, const dd_register_task *task)
{
    uint32_t n = task->code->n_values;
    scan s = {.task = task, .pool = dd_pool_child(pool)};
    /* leaves and outputs have registers 0 .. first_temporary-1 */
    s.count = s.first_temporary = task->n_inputs + task->n_pool + task->n_outputs;
    s.last = dd_pool_alloc_array(s.pool, (size_t)n + 1, sizeof *s.last);
    s.where = dd_pool_alloc_array(s.pool, (size_t)n + 1, sizeof *s.where);
    for (uint32_t i = 0; i < n; i++) {
        s.where[i] = task->place[i];
    }
    s.code = (dd_writer){.pool = s.pool, .run = DD_NO_RUN};
    place_outputs(&s);
    find_last_uses(&s);
    run(&s);
    bool fits = s.count <= task->most_registers;
    if (fits) {
        store_result(out, pool, &s);
    }
    dd_pool_free(s.pool);
    return fits;
}
