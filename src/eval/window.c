/* window.c - WINDOW code: few registers for programs of any size. Inputs and numbers are loaded when they are needed,
 * outputs stored when they are there. When all registers are taken, the value whose next use is farthest away leaves
 * (Belady 1966); one that was computed goes to the spill memory, once, since values never change. */
#include <assert.h>
#include <string.h>

#include "eval/select.h"
#include "eval/writer.h"

#define NONE UINT32_MAX
#define NEVER UINT32_MAX
#define WINDOW 2048 /* registers: 16 KiB for one point, 128 KiB for eight */

typedef struct entry {
    uint32_t when, reg;
} entry;

typedef struct window {
    const dd_register_task *task;
    dd_pool *pool;
    uint32_t *next;  /* per word: when the value named there is read next after this instruction */
    uint32_t *where; /* per value: register or NONE */
    uint32_t *spill; /* per value: place or NONE */
    uint32_t *made;  /* per value: the instruction that makes it, + 1; 0 before that was looked at */
    uint32_t *first_output, *next_output; /* outputs of each value, chained, + 1 */
    uint32_t size;                        /* registers */
    uint32_t *holds, *when, *pinned;      /* per register: value, when that is read next, group that needs it */
    dd_u32_vec free, free_spill;
    DD_VEC(entry) kept; /* taken from the heap but still needed */
    DD_VEC(entry) heap; /* farthest first; entries that no longer fit `when` are stale */
    uint32_t now;       /* the group of instructions at hand, from 1 */
    uint32_t n_spill, instructions, moves;
    dd_writer code;
} window;

/* ---- writing ---- */

static void put_move(window *w, dd_code_op op, uint32_t reg, uint32_t place)
{
    dd_writer_begin(&w->code, op);
    dd_writer_word(&w->code, reg);
    dd_writer_word(&w->code, place);
    dd_writer_word(&w->code, place >> 16);
    w->moves++;
}

static void put_input(window *w, uint32_t reg, uint32_t input)
{
    /* inputs are counted through all segments */
    uint32_t segment = 0;
    while (input >= w->task->segment[segment]) {
        input -= w->task->segment[segment++];
    }
    dd_writer_begin(&w->code, DD_CODE_LOAD_INPUT);
    dd_writer_word(&w->code, reg);
    dd_writer_word(&w->code, segment);
    dd_writer_word(&w->code, input);
    dd_writer_word(&w->code, input >> 16);
    w->moves++;
}

/* ---- when values are read next ---- */

static uint32_t operands(uint32_t op)
{
    return dd_code_dests((dd_code_op)op) + dd_code_sources((dd_code_op)op);
}

/* From the end to the front: starts[i] is where instruction i begins. */
static void find_next_uses(window *w, const uint32_t *starts, uint32_t n)
{
    const dd_u32_vec *words = &w->task->code->words;
    uint32_t *upcoming = dd_block_resize(w->pool, NULL, ((size_t)w->task->code->n_values + 1) * sizeof *upcoming);
    for (uint32_t i = 0; i < w->task->code->n_values; i++) {
        upcoming[i] = NEVER;
    }
    /* seen from the end, upcoming[] is the next reader of each value */
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t *word = words->data + starts[i];
        uint32_t dests = dd_code_dests((dd_code_op)word[0]), all = operands(word[0]);
        for (uint32_t k = 1; k <= all; k++) {
            w->next[starts[i] + k] = upcoming[word[k]];
        }
        for (uint32_t k = dests + 1; k <= all; k++) {
            upcoming[word[k]] = i + 1;
        }
    }
    dd_block_free(w->pool, upcoming);
}

/* ---- the heap ---- */

static void heap_up(window *w, uint32_t i)
{
    entry *h = w->heap.data;
    while (i > 0 && h[(i - 1) / 2].when < h[i].when) {
        entry swap = h[i];
        h[i] = h[(i - 1) / 2];
        h[(i - 1) / 2] = swap;
        i = (i - 1) / 2;
    }
}

static void heap_push(window *w, uint32_t reg)
{
    if (w->heap.len > 4 * w->size) { /* mostly stale: build it again from the registers */
        w->heap.len = 0;
        for (uint32_t i = 0; i < w->size; i++) {
            if (w->holds[i] != NONE && i != reg) {
                dd_vec_push(w->pool, &w->heap, (entry){w->when[i], i});
                heap_up(w, w->heap.len - 1);
            }
        }
    }
    dd_vec_push(w->pool, &w->heap, (entry){w->when[reg], reg});
    heap_up(w, w->heap.len - 1);
}

static entry heap_pop(window *w)
{
    entry *h = w->heap.data, top = h[0];
    uint32_t n = --w->heap.len;
    /* sift down */
    h[0] = h[n];
    for (uint32_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && h[child + 1].when > h[child].when;
        if (h[i].when >= h[child].when) {
            break;
        }
        entry swap = h[i];
        h[i] = h[child];
        h[child] = swap;
    }
    return top;
}

/* ---- registers ---- */

static void evict(window *w, uint32_t reg)
{
    uint32_t value = w->holds[reg];
    /* inputs and numbers can be loaded again; results are spilled once, since they never change */
    if (w->task->place[value] == DD_NO_VALUE && w->spill[value] == NONE) {
        w->spill[value] = w->free_spill.len > 0 ? w->free_spill.data[--w->free_spill.len] : w->n_spill++;
        put_move(w, DD_CODE_SPILL, reg, w->spill[value]);
    }
    w->where[value] = NONE;
    w->holds[reg] = NONE;
}

static uint32_t take(window *w)
{
    /* a free register needs no eviction */
    if (w->free.len > 0) {
        return w->free.data[--w->free.len];
    }
    w->kept.len = 0;
    /* the farthest next use first; entries whose register has changed are stale */
    for (;;) {
        assert(w->heap.len > 0);
        entry top = heap_pop(w);
        if (w->holds[top.reg] == NONE || w->when[top.reg] != top.when) {
            continue;
        }
        /* needed by the group at hand: it stays, and returns to the heap afterwards */
        if (w->pinned[top.reg] == w->now) {
            dd_vec_push(w->pool, &w->kept, top);
            continue;
        }
        evict(w, top.reg);
        for (uint32_t i = 0; i < w->kept.len; i++) {
            heap_push(w, w->kept.data[i].reg);
        }
        return top.reg;
    }
}

static void hold(window *w, uint32_t value, uint32_t reg, uint32_t when)
{
    w->where[value] = reg;
    w->holds[reg] = value;
    w->when[reg] = when;
    w->pinned[reg] = w->now;
    heap_push(w, reg);
}

/* The register of a value that is read now; loads it when it has none. */
static uint32_t fetch(window *w, uint32_t value)
{
    if (w->where[value] == NONE) {
        /* spilled, input or pool: each has its own way back */
        uint32_t reg = take(w), place = w->task->place[value];
        if (place == DD_NO_VALUE) {
            assert(w->spill[value] != NONE);
            put_move(w, DD_CODE_RELOAD, reg, w->spill[value]);
        } else if (place < w->task->n_inputs) {
            put_input(w, reg, place);
        } else {
            put_move(w, DD_CODE_LOAD_POOL, reg, place - w->task->n_inputs);
        }
        hold(w, value, reg, 0);
    }
    w->pinned[w->where[value]] = w->now;
    return w->where[value];
}

static void settle(window *w, uint32_t value, uint32_t when)
{
    uint32_t reg = w->where[value];
    if (reg == NONE) {
        return; /* released already: it appears twice in the instruction */
    }
    /* after this read its next one is known */
    w->when[reg] = when;
    if (when != NEVER) {
        heap_push(w, reg);
        return;
    }
    /* never read again: register and spill place are free */
    w->where[value] = NONE;
    w->holds[reg] = NONE;
    dd_vec_push(w->pool, &w->free, reg);
    if (w->spill[value] != NONE) {
        dd_vec_push(w->pool, &w->free_spill, w->spill[value]);
        w->spill[value] = NONE;
    }
}

static void store_outputs(window *w, uint32_t value)
{
    for (uint32_t i = w->first_output[value]; i != 0; i = w->next_output[i - 1]) {
        put_move(w, DD_CODE_STORE, w->where[value], i - 1);
    }
}

/* Does one of the instructions first .. i-1 make an operand of instruction i? */
static bool depends(const window *w, const uint32_t *starts, uint32_t first, uint32_t i)
{
    const uint32_t *words = w->task->code->words.data, *word = words + starts[i];
    uint32_t dests = dd_code_dests((dd_code_op)word[0]), n = operands(word[0]);
    for (uint32_t k = dests + 1; k <= n; k++) {
        if (w->made[word[k]] > first) {
            return true;
        }
    }
    return false;
}

/* How many instructions from `first` on are done together: the same operation, independent, and not too many. */
static uint32_t group_size(window *w, const uint32_t *starts, uint32_t n_starts, uint32_t first)
{
    const uint32_t *words = w->task->code->words.data;
    /* a quarter of the registers at most: loads of one group must not evict each other */
    uint32_t op = words[starts[first]], most = w->size / 4 / operands(op), i = first;
    do {
        for (uint32_t k = 1; k <= dd_code_dests((dd_code_op)op); k++) {
            w->made[words[starts[i] + k]] = i + 1;
        }
        i++;
    } while (i < n_starts && i - first < most && words[starts[i]] == op && !depends(w, starts, first, i));
    return i - first;
}

/* Loads first, then computes, then stores, so that each is a run. */
static void assign(window *w, const uint32_t *starts, uint32_t count)
{
    const uint32_t *words = w->task->code->words.data;
    dd_code_op op = (dd_code_op)words[starts[0]];
    uint32_t dests = dd_code_dests(op), n = operands(op), reg[16];
    /* loads */
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = dests + 1; k <= n; k++) {
            fetch(w, words[starts[i] + k]);
        }
    }
    /* computations: sources give up their registers before results take theirs */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *word = words + starts[i];
        for (uint32_t k = dests + 1; k <= n; k++) {
            reg[k] = w->where[word[k]];
        }
        for (uint32_t k = dests + 1; k <= n; k++) {
            settle(w, word[k], w->next[starts[i] + k]);
        }
        for (uint32_t k = 1; k <= dests; k++) {
            reg[k] = take(w);
            hold(w, word[k], reg[k], w->next[starts[i] + k]);
        }
        dd_writer_begin(&w->code, op);
        for (uint32_t k = 1; k <= n; k++) {
            dd_writer_word(&w->code, reg[k]);
        }
        w->instructions++;
    }
    /* stores of outputs, while they are in registers */
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 1; k <= dests; k++) {
            store_outputs(w, words[starts[i] + k]);
        }
    }
    /* results whose only use was an output are released */
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 1; k <= dests; k++) {
            settle(w, words[starts[i] + k], w->next[starts[i] + k]);
        }
    }
}

/* Outputs that are inputs or numbers. */
static void store_leaves(window *w)
{
    /* inputs need a register to pass through */
    for (uint32_t i = 0; i < w->task->n_outputs; i++) {
        uint32_t value = w->task->outputs[i], place = w->task->place[value];
        if (place != DD_NO_VALUE && place < w->task->n_inputs) {
            w->now++;
            put_move(w, DD_CODE_STORE, fetch(w, value), i);
            settle(w, value, NEVER);
        }
    }
    /* numbers go from the pool to the output directly */
    for (uint32_t i = 0; i < w->task->n_outputs; i++) {
        uint32_t place = w->task->place[w->task->outputs[i]];
        if (place != DD_NO_VALUE && place >= w->task->n_inputs) {
            place -= w->task->n_inputs;
            dd_writer_begin(&w->code, DD_CODE_STORE_POOL);
            dd_writer_word(&w->code, i);
            dd_writer_word(&w->code, i >> 16);
            dd_writer_word(&w->code, place);
            dd_writer_word(&w->code, place >> 16);
            w->moves++;
        }
    }
}

static void chain_outputs(window *w)
{
    for (uint32_t i = w->task->n_outputs; i-- > 0;) {
        uint32_t value = w->task->outputs[i];
        w->next_output[i] = w->first_output[value];
        w->first_output[value] = i + 1;
    }
}

static uint32_t *new_array(dd_pool *pool, uint32_t n, uint32_t fill)
{
    uint32_t *array = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *array);
    for (uint32_t i = 0; i < n; i++) {
        array[i] = fill;
    }
    return array;
}

static void open_window(window *w)
{
    uint32_t n = w->task->code->n_values;
    /* at most the number that tests ask for, and that stays in the cache */
    w->size = w->task->most_registers < WINDOW ? w->task->most_registers : WINDOW;
    w->next = new_array(w->pool, w->task->code->words.len, 0);
    w->where = new_array(w->pool, n, NONE);
    w->spill = new_array(w->pool, n, NONE);
    w->made = new_array(w->pool, n, 0);
    w->first_output = new_array(w->pool, n, 0);
    w->next_output = new_array(w->pool, w->task->n_outputs, 0);
    w->holds = new_array(w->pool, w->size, NONE);
    w->when = new_array(w->pool, w->size, 0);
    w->pinned = new_array(w->pool, w->size, 0);
    for (uint32_t i = w->size; i-- > 0;) {
        dd_vec_push(w->pool, &w->free, i);
    }
    chain_outputs(w);
}

void dd_registers_window(dd_code *out, dd_pool *pool, const dd_register_task *task)
{
    window w = {.task = task, .pool = dd_pool_child(pool)};
    const dd_u32_vec *words = &task->code->words;
    open_window(&w);
    dd_u32_vec starts = {0};
    /* where each instruction begins; jumps are gone from WINDOW code */
    for (uint32_t i = 0; words->data[i] != DD_CODE_END; i += 1 + operands(words->data[i])) {
        dd_vec_push(w.pool, &starts, i);
    }
    find_next_uses(&w, starts.data, starts.len);
    w.code = (dd_writer){.pool = w.pool, .run = DD_NO_RUN};
    /* group by group: loads, computations, stores */
    for (uint32_t i = 0, n; i < starts.len; i += n) {
        w.now++;
        n = group_size(&w, starts.data, starts.len, i);
        assign(&w, starts.data + i, n);
    }
    store_leaves(&w);
    dd_writer_single(&w.code, DD_CODE_END);
    *out = (dd_code){.length = w.code.words.len, .instructions = w.instructions + w.moves, .moves = w.moves};
    out->runs = w.code.runs;
    out->registers = w.size;
    out->window = true;
    out->spill = w.n_spill;
    /* the words outlive the scratch pool */
    out->words = dd_pool_alloc_array(pool, w.code.words.len, sizeof *out->words);
    memcpy(out->words, w.code.words.data, w.code.words.len * sizeof *out->words);
    dd_pool_free(w.pool);
}
