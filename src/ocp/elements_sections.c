/* elements_sections.c - lists of entries to scatter as sections that repeat themselves.
 *
 * Intervals of one mesh have the same entries, with targets and sources that move by the same steps. A list of them is read
 * from memory in every iteration and takes more room there than the values; one interval and its steps stay in the first
 * cache. Where nothing repeats (factors differ with the lengths of intervals), a section has the entries themselves. */
#include "ocp/elements_impl.h"
#include <assert.h>

enum {
    LONGEST = 1 << 14, /* period that is looked for, */
    FEWEST = 8,        /* repeats that are worth a section, */
    ENOUGH = 32,       /* so many that no longer period is looked for, */
    BUDGET = 1 << 16,  /* comparisons while looking, */
    BUDGET_EACH = 4    /* and so many more for every entry */
};
/* Entries, and repeats of one entry, that are added before the next entry's turn: what they touch stays in the caches. */
enum { BLOCK_ENTRIES = 1 << 13, BLOCK_MOST = 64 };

static dd_scatter_step step_between(const dd_scatter *a, const dd_scatter *b)
{
    return (dd_scatter_step){(int32_t)(b->at - a->at), (int32_t)(b->source - a->source)};
}

/* Is b one step behind a, with the same factor? */
static bool follows(const dd_scatter *a, const dd_scatter *b, dd_scatter_step step)
{
    const dd_scatter_step by = step_between(a, b);
    return b->factor == a->factor && by.at == step.at && by.source == step.source;
}

/* A list that is looked at: entries that remain, and how many may still be compared. */
typedef struct search {
    const dd_scatter *s;
    uint32_t count;
    uint64_t budget;
} search;

/* How many times the first `length` entries come, each time by the same steps; no target may be in two repeats. */
static uint32_t repeats_of(search *l, uint32_t length)
{
    const dd_scatter *s = l->s;
    assert(length > 0);
    if (s[length].at == s[length - 1].at) {
        return 1;
    }
    /* entries behind the second repeat move like those before them */
    uint32_t end = 2 * length;
    while (end < l->count && follows(&s[end - length], &s[end], step_between(&s[end - 2 * length], &s[end - length]))) {
        end++;
    }
    const uint64_t compared = (uint64_t)end - 2 * length + 1;
    l->budget -= compared < l->budget ? compared : l->budget;
    /* and those of the second one have the factors of the first */
    uint32_t same = 0;
    while (end >= FEWEST * length && same < length && s[same].factor == s[same + length].factor) {
        same++;
    }
    return same == length ? end / length : 1;
}

/* The shortest period with enough repeats, or that by which most entries are known; 0: there is none. */
static uint32_t period_of(search *l, uint32_t *repeats)
{
    uint32_t best = 0, covered = 0;
    for (uint32_t length = 1; length <= LONGEST && (uint64_t)FEWEST * length <= l->count && l->budget > 0; length++) {
        const uint32_t times = repeats_of(l, length);
        if (times >= FEWEST && times * length > covered) {
            best = length;
            covered = times * length;
            *repeats = times;
            if (times >= ENOUGH) {
                break;
            }
        }
    }
    return best;
}

/* The section of entries that repeat from entry `from` on; returns where it ends. */
static uint32_t add_repeated(dd_pool *pool, dd_cut_list *list, uint32_t from, uint32_t length, uint32_t repeats)
{
    const dd_scatter *s = list->values.data + from;
    dd_scatter_step *step = dd_pool_alloc_array(pool, length, sizeof *step);
    for (uint32_t i = 0; i < length; i++) {
        step[i] = step_between(&s[i], &s[i + length]);
    }
    dd_vec_push(pool, &list->sections, ((dd_scatter_section){from, length, repeats, step}));
    return from + repeats * length;
}

static void add_plain(dd_pool *pool, dd_cut_list *list, uint32_t from, uint32_t to)
{
    if (to > from) {
        dd_vec_push(pool, &list->sections, ((dd_scatter_section){from, to - from, 1, NULL}));
    }
}

void dd_scatter_find_sections(dd_pool *pool, dd_cut_list *list, uint32_t from, uint32_t to)
{
    search l = {.budget = BUDGET + (uint64_t)BUDGET_EACH * (to - from)};
    uint32_t plain = from, at = from; /* entries plain .. at - 1 repeat nothing */
    while (at < to) {
        l.s = list->values.data + at;
        l.count = to - at;
        uint32_t repeats = 1;
        const uint32_t length = period_of(&l, &repeats);
        if (length > 0) {
            add_plain(pool, list, plain, at);
            plain = at = add_repeated(pool, list, at, length, repeats);
        } else {
            /* further on by half of what was looked at so far, to the next target: lists without periods are looked at
             * some times only */
            const uint32_t seen = (at - plain) / 2 + 1;
            at = to - at > seen ? at + seen : to;
            while (at < to && list->values.data[at].at == list->values.data[at - 1].at) {
                at++;
            }
        }
    }
    add_plain(pool, list, plain, to);
}

/* Repeats that are worked on before the next entry has its turn. */
static uint32_t block_of(const dd_scatter_section *x)
{
    const uint32_t wanted = BLOCK_ENTRIES / x->length;
    return wanted < FEWEST ? FEWEST : wanted < BLOCK_MOST ? wanted : BLOCK_MOST;
}

/* One after the other; a target's terms follow each other. */
static void add_entries(const dd_scatter *s, uint32_t count, const double *values, double *targets)
{
    const dd_scatter *end = s + count;
    while (s < end) {
        const uint32_t at = s->at;
        double sum = targets[at];
        do {
            sum += s->factor * values[s->source];
            s++;
        } while (s < end && s->at == at);
        targets[at] = sum;
    }
}

/* Entry by entry, each for a block of repeats. */
static void add_repeats(const dd_scatter *s, const dd_scatter_section *x, const double *values, double *targets)
{
    const uint32_t block = block_of(x);
    for (uint32_t from = 0; from < x->repeats; from += block) {
        const uint32_t count = x->repeats - from < block ? x->repeats - from : block;
        for (uint32_t i = 0; i < x->length; i++) {
            const ptrdiff_t by = x->step[i].at, source_by = x->step[i].source;
            const double factor = s[i].factor, *value = values + s[i].source + from * source_by;
            double *target = targets + s[i].at + from * by;
            uint32_t r = 0;
            /* four at a time: half of a short loop is counting */
            for (; r + 4 <= count; r += 4, target += 4 * by, value += 4 * source_by) {
                target[0] += factor * value[0];
                target[by] += factor * value[source_by];
                target[2 * by] += factor * value[2 * source_by];
                target[3 * by] += factor * value[3 * source_by];
            }
            for (; r < count; r++, target += by, value += source_by) {
                *target += factor * *value;
            }
        }
    }
}

void dd_scatter_add(const dd_cut_list *list, uint32_t part, const double *values, double *targets)
{
    for (uint32_t k = list->begin[part]; k < list->begin[part + 1]; k++) {
        const dd_scatter_section *x = &list->sections.data[k];
        const dd_scatter *s = list->values.data + x->first;
        if (x->repeats == 1) {
            add_entries(s, x->length, values, targets);
        } else {
            add_repeats(s, x, values, targets);
        }
    }
}

uint32_t dd_scatter_period(const dd_cut_list *list, uint32_t *first)
{
    uint32_t period = 0;
    uint64_t longest = 0;
    for (uint32_t k = 0; k < list->sections.len; k++) {
        const dd_scatter_section *x = &list->sections.data[k];
        bool alike = x->step != NULL && x->step[0].at > 0;
        for (uint32_t i = 1; alike && i < x->length; i++) {
            alike = x->step[i].at == x->step[0].at;
        }
        if (alike && (uint64_t)x->length * x->repeats > longest) {
            longest = (uint64_t)x->length * x->repeats;
            period = (uint32_t)x->step[0].at;
            *first = list->values.data[x->first].at;
        }
    }
    return period;
}

void dd_scatter_back(const dd_cut_list *list, const double *targets, double *values)
{
    for (uint32_t k = 0; k < list->sections.len; k++) {
        const dd_scatter_section *x = &list->sections.data[k];
        const dd_scatter *s = list->values.data + x->first;
        for (uint32_t r = 0; r < x->repeats; r++) {
            for (uint32_t i = 0; i < x->length; i++) {
                const ptrdiff_t by = x->step ? x->step[i].at : 0, source_by = x->step ? x->step[i].source : 0;
                values[s[i].source + r * source_by] = s[i].factor * targets[s[i].at + r * by];
            }
        }
    }
}
