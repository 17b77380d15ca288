/* registers.c - DIRECT code: linear scan. Inputs and the pool have registers of their own; a value that is computed takes
 * the register that was freed last (it is in the cache), from its first definition to its last use. Code has no loops, so
 * positions in it are all there is to know about lifetimes. */
#include <assert.h>
#include <string.h>

#include "eval/select.h"

#define NONE UINT32_MAX

typedef struct scan {
    const dd_register_task *task;
    dd_pool *pool;
    uint32_t *last;  /* per value: place of the last instruction that reads it */
    uint32_t *where; /* per value: its register */
    dd_u32_vec free, jumps;
    uint32_t count; /* registers so far */
    uint32_t instructions;
    DD_VEC(uint16_t) words;
} scan;

static uint32_t operands(uint32_t op)
{
    return op == DD_CODE_COUNT ? 0 : dd_code_dests((dd_code_op)op) + dd_code_sources((dd_code_op)op);
}

static void find_last_uses(scan *s)
{
    const dd_u32_vec *words = &s->task->code->words;
    for (uint32_t i = 0, n; i < words->len; i += 1 + n) {
        n = operands(words->data[i]);
        for (uint32_t k = 1; k <= n; k++) {
            s->last[words->data[i + k]] = i;
        }
    }
    for (uint32_t i = 0; i < s->task->n_outputs; i++) {
        s->last[s->task->outputs[i]] = NONE;
    }
}

static void put(scan *s, uint32_t word)
{
    dd_vec_push(s->pool, &s->words, (uint16_t)word);
}

/* A jump's distance is filled in when its target is reached. */
static void put_jump(scan *s)
{
    dd_vec_push(s->pool, &s->jumps, s->words.len);
    put(s, 0);
    put(s, 0);
}

static void land(scan *s, uint32_t behind)
{
    uint32_t at = s->jumps.data[--s->jumps.len], distance = s->words.len + behind - at - 2;
    s->words.data[at] = (uint16_t)distance;
    s->words.data[at + 1] = (uint16_t)(distance >> 16);
}

static void release(scan *s, uint32_t value)
{
    if (s->task->place[value] == DD_NO_VALUE && s->where[value] != NONE) {
        dd_vec_push(s->pool, &s->free, s->where[value]);
        s->where[value] = NONE;
    }
}

static uint32_t take(scan *s)
{
    return s->free.len > 0 ? s->free.data[--s->free.len] : s->count++;
}

/* Sources are released before destinations are taken, so that a result may overwrite what it is made of. */
static void assign(scan *s, const uint32_t *words, uint32_t at)
{
    dd_code_op op = (dd_code_op)words[0];
    uint32_t dests = dd_code_dests(op), n = operands(op), reg[16];
    for (uint32_t k = dests + 1; k <= n; k++) {
        reg[k] = s->where[words[k]];
        assert(reg[k] != NONE);
    }
    for (uint32_t k = dests + 1; k <= n; k++) {
        if (s->last[words[k]] == at) {
            release(s, words[k]);
        }
    }
    for (uint32_t k = 1; k <= dests; k++) {
        if (s->where[words[k]] == NONE) {
            s->where[words[k]] = take(s);
        }
        reg[k] = s->where[words[k]];
    }
    for (uint32_t k = 1; k <= dests; k++) {
        if (s->last[words[k]] == at) { /* nobody reads it */
            release(s, words[k]);
        }
    }
    put(s, op);
    for (uint32_t k = 1; k <= n; k++) {
        put(s, reg[k]);
    }
    s->instructions++;
}

static void run(scan *s)
{
    const dd_u32_vec *words = &s->task->code->words;
    for (uint32_t i = 0; i < words->len && s->count <= s->task->most_registers; i += 1 + operands(words->data[i])) {
        uint32_t op = words->data[i];
        if (op == DD_CODE_COUNT) {
            land(s, 0);
            continue;
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
    const dd_register_task *task = s->task;
    *out = (dd_code){.length = s->words.len, .instructions = s->instructions - 1, .registers = s->count};
    out->words = dd_pool_alloc_array(pool, s->words.len, sizeof *out->words);
    memcpy(out->words, s->words.data, s->words.len * sizeof *out->words);
    out->outputs = dd_pool_alloc_array(pool, (size_t)task->n_outputs + 1, sizeof *out->outputs);
    for (uint32_t i = 0; i < task->n_outputs; i++) {
        out->outputs[i] = (uint16_t)s->where[task->outputs[i]];
    }
}

bool dd_registers_direct(dd_code *out, dd_pool *pool, const dd_register_task *task)
{
    uint32_t n = task->code->n_values;
    scan s = {.task = task, .pool = dd_pool_child(pool), .count = task->n_inputs + task->n_pool};
    s.last = dd_pool_alloc_array(s.pool, (size_t)n + 1, sizeof *s.last);
    s.where = dd_pool_alloc_array(s.pool, (size_t)n + 1, sizeof *s.where);
    for (uint32_t i = 0; i < n; i++) {
        s.where[i] = task->place[i];
    }
    find_last_uses(&s);
    run(&s);
    bool fits = s.count <= task->most_registers;
    if (fits) {
        store_result(out, pool, &s);
    }
    dd_pool_free(s.pool);
    return fits;
}
