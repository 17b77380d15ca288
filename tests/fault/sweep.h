/* sweep.h - makes every allocation of a run fail in turn: each must end in DD_OUT_OF_MEMORY, and nothing may leak.
 *
 * A run is what `daedal check` does: context, model from text, analysis, both reports, flat text. An allocator of our own counts
 * the bytes that are out; after everything is freed none may be. */
#ifndef TEST_FAULT_SWEEP_H
#define TEST_FAULT_SWEEP_H

#include <time.h>

#include "unit/structure/corpus.h"

typedef struct sweep_ledger {
    size_t bytes, blocks;
    bool wrong; /* a block came back with another size than it was given with */
} sweep_ledger;

/* Blocks carry their size in front, so that a wrong old_size is noticed. */
static inline void *sweep_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    enum { HEAD = 16 };
    sweep_ledger *ledger = user;
    char *block = ptr ? (char *)ptr - HEAD : NULL;
    size_t before = 0;
    if (block) {
        memcpy(&before, block, sizeof before);
        ledger->wrong = ledger->wrong || before != old_size;
    }
    if (new_size == 0) {
        ledger->bytes -= before;
        ledger->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    char *now = realloc(block, new_size + HEAD);
    if (!now) {
        return NULL;
    }
    memcpy(now, &new_size, sizeof new_size);
    ledger->bytes += new_size - before;
    ledger->blocks += block == NULL;
    return now + HEAD;
}

typedef struct sweep_result {
    dd_status status;
    uint64_t allocations;
    bool leaked, wrong;
} sweep_result;

/* What runs begin and end with: a context whose allocation number fail_at fails (0: none), a model and its analysis. */
typedef struct sweep_objects {
    sweep_ledger ledger;
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_status status; /* of the first call that failed */
} sweep_objects;

static inline void sweep_begin(sweep_objects *o, uint64_t fail_at, size_t max_memory)
{
    *o = (sweep_objects){0};
    dd_context_options options = dd_context_options_default();
    options.alloc = sweep_alloc;
    options.alloc_user = &o->ledger;
    options.fail_at = fail_at;
    options.max_memory = max_memory;
    o->status = dd_context_new(&o->ctx, &options);
}

/* class_name: NULL for the last one of the text */
static inline void sweep_analyse(sweep_objects *o, const char *text, const char *class_name)
{
    dd_load_options load = dd_load_options_default();
    load.class_name = class_name;
    o->status =
        o->status == DD_OK ? dd_model_load_text(&o->model, o->ctx, "m.mop", text, strlen(text), &load) : o->status;
    o->status = o->status == DD_OK ? dd_model_analyse(&o->system, o->model, NULL) : o->status;
}

/* The caller has freed what it made of them. */
static inline sweep_result sweep_end(sweep_objects *o)
{
    sweep_result r = {.status = o->status, .allocations = o->ctx != NULL ? dd_context_allocations(o->ctx) : 0};
    dd_system_free(o->system);
    dd_model_free(o->model);
    dd_context_free(o->ctx);
    r.leaked = o->ledger.bytes != 0 || o->ledger.blocks != 0;
    r.wrong = o->ledger.wrong;
    return r;
}

/* One run in which allocation number fail_at fails. */
static inline sweep_result sweep_run(const corpus_block *b, uint64_t fail_at, size_t max_memory)
{
    sweep_objects o;
    const char *text;
    sweep_begin(&o, fail_at, max_memory);
    o.status = o.status == DD_OK ? corpus_load(&o.model, o.ctx, b) : o.status;
    o.status = o.status == DD_OK ? dd_model_flat_text(&text, o.model) : o.status;
    o.status = o.status == DD_OK ? dd_model_analyse(&o.system, o.model, NULL) : o.status;
    o.status = o.status == DD_OK ? dd_system_test_start(o.system) : o.status;
    o.status = o.status == DD_OK ? dd_system_json(&text, o.system) : o.status;
    o.status = o.status == DD_OK ? dd_system_text(&text, o.system, false) : o.status;
    const bool small = b->length <= 400; /* what follows costs as much as all before: on enough models */
    if (o.status == DD_OK && small) {
        o.status = dd_system_explain(&text, o.system, DD_EXPLAIN_LATEX);
    }
    if (o.status == DD_OK && small) {
        o.status = dd_system_print_form(&text, o.system, DD_PRINT_NORMAL);
        o.status = o.status == DD_INVALID_MODEL ? DD_OK : o.status; /* there is no such form */
    }
    return sweep_end(&o);
}

typedef struct sweep_tally {
    uint64_t most;  /* failures tried per model at most; more are thinned out evenly, */
    double seconds; /* also when they would take longer than this per model */
    uint64_t tried;
    uint32_t failures;
} sweep_tally;

static inline void sweep_complain(sweep_tally *sum, const corpus_block *b, uint64_t at, const sweep_result *r)
{
    sum->failures++;
    if (sum->failures <= 20) {
        fprintf(stderr, "%s: allocation %llu of %llu fails: status %s%s%s\n", b->file, (unsigned long long)at,
                (unsigned long long)r->allocations, dd_status_name(r->status),
                r->leaked ? ", memory is not given back" : "",
                r->wrong ? ", a block comes back with another size" : "");
    }
}

static inline void sweep_block(const corpus_block *b, void *user)
{
    sweep_tally *sum = user;
    const clock_t begin = clock();
    const sweep_result good = sweep_run(b, 0, 0);
    const double cost = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (good.status != DD_OK || good.leaked || good.wrong) {
        sweep_complain(sum, b, 0, &good);
        return;
    }
    /* all of the first ones, then evenly */
    const double affordable = cost > 0 ? sum->seconds / cost : 1e9;
    const uint64_t most = affordable < (double)sum->most ? (uint64_t)affordable + 2 : sum->most;
    const uint64_t stride = good.allocations > most ? good.allocations / most + 1 : 1;
    for (uint64_t at = 1; at <= good.allocations; at += at < most / 2 ? 1 : stride) {
        const sweep_result r = sweep_run(b, at, 0);
        sum->tried++;
        if (r.status != DD_OUT_OF_MEMORY || r.leaked || r.wrong) {
            sweep_complain(sum, b, at, &r);
        }
    }
}

/* The memory limit instead of a failing allocation: 10 kB, 20 kB, ... until the run succeeds. */
static inline void sweep_limits(const corpus_block *b, void *user)
{
    sweep_tally *sum = user;
    for (size_t limit = 10000; limit < (size_t)1 << 30; limit *= 2) {
        const sweep_result r = sweep_run(b, 0, limit);
        sum->tried++;
        if ((r.status != DD_OUT_OF_MEMORY && r.status != DD_OK) || r.leaked || r.wrong) {
            sweep_complain(sum, b, limit, &r);
        }
        if (r.status == DD_OK) {
            return;
        }
    }
}

/* Sweeps the models of at most max_size bytes; nothing may go wrong. Returns how many runs were tried. */
static inline uint64_t sweep_corpus(size_t max_size, corpus_visit sweep, sweep_tally sum)
{
    corpus_each(max_size, sweep, &sum);
    print_message("%llu runs\n", (unsigned long long)sum.tried);
    assert_int_equal(sum.failures, 0);
    return sum.tried;
}

#endif
