/* schedule.c - the order of instructions: equal operations are put together.
 *
 * Instructions that follow each other with the same operation need one dispatch (code.h), and as most of them do not
 * wait for each other, the processor overlaps them. So among the instructions whose operands are there, the operation
 * with the most of them is run next; one that has all its remaining instructions ready is preferred, since waiting
 * gains nothing.
 *
 * This is done in pieces of the code: within one piece many values live at the same time, and memory is to stay
 * near. */
#include <string.h>

#include "eval/select.h"

#define PIECE 1024 /* instructions */
#define NONE UINT32_MAX

typedef struct edge {
    uint32_t to, next;
} edge;

typedef struct scheduler {
    dd_pool *pool;
    const dd_vcode *code;
    dd_u32_vec out;
    uint32_t start[PIECE];               /* where each instruction of the piece begins */
    uint32_t waits[PIECE], first[PIECE]; /* operands that are missing; who waits for it */
    uint32_t next[PIECE];                /* in the queue of its operation */
    uint32_t n;
    uint32_t *maker, *piece_of; /* per value: the instruction that makes it, valid in that piece */
    uint32_t piece;
    uint32_t head[DD_CODE_COUNT], tail[DD_CODE_COUNT], ready[DD_CODE_COUNT], left[DD_CODE_COUNT];
    DD_VEC(edge) edges;
} scheduler;

static uint32_t op_at(const scheduler *s, uint32_t i)
{
    return s->code->words.data[s->start[i]];
}

static void enqueue(scheduler *s, uint32_t i)
{
    uint32_t op = op_at(s, i);
    s->next[i] = NONE;
    /* queues keep the order of the code, so that results do not depend on addresses */
    if (s->ready[op]++ == 0) {
        s->head[op] = i;
    } else {
        s->next[s->tail[op]] = i;
    }
    s->tail[op] = i;
}

/* Who waits for whom in the piece; instructions that wait for nothing are queued. */
static void link_piece(scheduler *s)
{
    s->edges.len = 0;
    s->piece++;
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t *word = s->code->words.data + s->start[i];
        uint32_t dests = dd_code_dests((dd_code_op)word[0]), all = dests + dd_code_sources((dd_code_op)word[0]);
        s->waits[i] = 0;
        s->first[i] = NONE;
        s->left[word[0]]++;
        /* values from earlier pieces are there already */
        for (uint32_t k = dests + 1; k <= all; k++) {
            if (s->piece_of[word[k]] == s->piece) {
                uint32_t maker = s->maker[word[k]];
                dd_vec_push(s->pool, &s->edges, (edge){i, s->first[maker]});
                s->first[maker] = s->edges.len - 1;
                s->waits[i]++;
            }
        }
        /* definitions after uses: an instruction may redefine a value it reads */
        for (uint32_t k = 1; k <= dests; k++) {
            s->piece_of[word[k]] = s->piece;
            s->maker[word[k]] = i;
        }
    }
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->waits[i] == 0) {
            enqueue(s, i);
        }
    }
}

static uint32_t best_op(const scheduler *s)
{
    uint32_t best = 0;
    for (uint32_t op = 1; op < DD_CODE_COUNT; op++) {
        /* all that is left of an operation is ready: running it now loses no later companion */
        bool complete = s->ready[op] == s->left[op], best_complete = s->ready[best] == s->left[best];
        if (s->ready[op] == 0) {
            continue;
        }
        if (s->ready[best] == 0 || complete > best_complete ||
            (complete == best_complete && s->ready[op] > s->ready[best])) {
            best = op;
        }
    }
    return best;
}

static void run_op(scheduler *s, uint32_t op, uint32_t *done)
{
    while (s->ready[op] > 0) {
        uint32_t i = s->head[op];
        const uint32_t *word = s->code->words.data + s->start[i];
        uint32_t all = dd_code_dests((dd_code_op)op) + dd_code_sources((dd_code_op)op);
        /* the instruction as it is, with its operands */
        for (uint32_t k = 0; k <= all; k++) {
            dd_vec_push(s->pool, &s->out, word[k]);
        }
        s->head[op] = s->next[i];
        s->ready[op]--;
        s->left[op]--;
        (*done)++;
        /* its results may complete the operands of others */
        for (uint32_t e = s->first[i]; e != NONE; e = s->edges.data[e].next) {
            if (--s->waits[s->edges.data[e].to] == 0) {
                enqueue(s, s->edges.data[e].to);
            }
        }
    }
}

static void flush(scheduler *s)
{
    link_piece(s);
    for (uint32_t done = 0; done < s->n;) {
        run_op(s, best_op(s), &done);
    }
    s->n = 0;
}

/* Jumps and their targets stay where they are. */
static bool is_fixed(uint32_t op)
{
    return op == DD_CODE_COUNT || op == DD_CODE_BRANCH || op == DD_CODE_SKIP || op == DD_CODE_END;
}

void dd_schedule(dd_vcode *code, dd_pool *pool)
{
    scheduler *s = dd_pool_alloc(pool, sizeof *s);
    s->pool = pool;
    s->code = code;
    s->maker = dd_pool_alloc_array(pool, (size_t)code->n_values + 1, sizeof *s->maker);
    s->piece_of = dd_pool_alloc_array(pool, (size_t)code->n_values + 1, sizeof *s->piece_of);
    dd_vec_reserve(pool, &s->out, (uint64_t)code->words.len + 1);
    /* nothing moves across a jump or its target: each straight stretch is scheduled by itself */
    for (uint32_t i = 0, n; i < code->words.len; i += 1 + n) {
        uint32_t op = code->words.data[i];
        n = op == DD_CODE_COUNT ? 0 : dd_code_dests((dd_code_op)op) + dd_code_sources((dd_code_op)op);
        if (is_fixed(op) || s->n == PIECE) {
            flush(s);
        }
        if (!is_fixed(op)) {
            s->start[s->n++] = i;
            continue;
        }
        for (uint32_t k = 0; k <= n; k++) {
            dd_vec_push(pool, &s->out, code->words.data[i + k]);
        }
    }
    code->words = s->out;
    dd_vec_free(pool, &s->edges);
}
