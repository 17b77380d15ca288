/* Lists of entries to scatter as sections that repeat: the same sums, bit for bit, as entry by entry. */
#include <string.h>

#include "base/pool.h"
#include "ocp/elements_impl.h"
#include "unit/base/support.h"

enum { SOURCES = 5000, TARGETS = 9000 };

static uint64_t state_of = 1;

static double number(void)
{
    state_of = state_of * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of >> 11) / 9007199254740992.0 - 0.5;
}

/* The way of one list: a head, equal intervals with several terms per target, a target that all of them share, a tail. */
static void make_list(dd_pool *pool, dd_cut_list *list, uint32_t intervals, uint32_t per, bool equal)
{
    for (uint32_t i = 0; i < 7; i++) {
        dd_vec_push(pool, &list->values, ((dd_scatter){(i * 31) % SOURCES, i / 2, number()}));
    }
    double factor[40];
    for (uint32_t i = 0; i < 40; i++) {
        factor[i] = number();
    }
    for (uint32_t k = 0; k < intervals; k++) {
        for (uint32_t i = 0; i < per; i++) {
            /* sources run forward, backward or not at all */
            const uint32_t source = i % 3 == 0 ? 3 * k + i : i % 3 == 1 ? SOURCES - 1 - 2 * k - i : i;
            const dd_scatter s = {source, 10 + k * per + i - i % 2, equal ? factor[i % 40] : number()};
            dd_vec_push(pool, &list->values, s);
        }
    }
    for (uint32_t k = 0; k < intervals; k++) {
        dd_vec_push(pool, &list->values, ((dd_scatter){k, TARGETS - 3, 0.1}));
    }
    for (uint32_t i = 0; i < 5; i++) {
        dd_vec_push(pool, &list->values, ((dd_scatter){i, TARGETS - 2, number()}));
    }
}

static void check_list(dd_context *ctx, uint32_t intervals, uint32_t per, bool equal)
{
    dd_pool *pool = dd_pool_new(ctx);
    dd_cut_list list = {0};
    make_list(pool, &list, intervals, per, equal);
    /* two parts, cut between targets */
    uint32_t middle = list.values.len / 2, begin[3] = {0};
    while (list.values.data[middle].at == list.values.data[middle - 1].at) {
        middle++;
    }
    dd_scatter_find_sections(pool, &list, 0, middle);
    begin[1] = list.sections.len;
    dd_scatter_find_sections(pool, &list, middle, list.values.len);
    begin[2] = list.sections.len;
    list.begin = begin;
    double *values = calloc(SOURCES, sizeof *values), *got = calloc(TARGETS, sizeof *got);
    double *wanted = calloc(TARGETS, sizeof *wanted), *back = calloc(SOURCES, sizeof *back);
    for (uint32_t i = 0; i < SOURCES; i++) {
        values[i] = number();
    }
    for (uint32_t i = 0; i < TARGETS; i++) {
        got[i] = wanted[i] = number();
    }
    for (uint32_t i = 0; i < list.values.len; i++) {
        const dd_scatter *s = &list.values.data[i];
        wanted[s->at] += s->factor * values[s->source];
    }
    dd_scatter_add(&list, 1, values, got);
    dd_scatter_add(&list, 0, values, got);
    assert_memory_equal(got, wanted, TARGETS * sizeof *got);
    /* the way back: of several entries with one source the last one counts */
    dd_scatter_back(&list, wanted, back);
    for (uint32_t i = 0; i < list.values.len; i++) {
        values[list.values.data[i].source] = list.values.data[i].factor * wanted[list.values.data[i].at];
    }
    for (uint32_t i = 0; i < list.values.len; i++) {
        const uint32_t source = list.values.data[i].source;
        assert_true(back[source] == values[source]);
    }
    /* what repeats is found: of the intervals a few are left, in both parts; the shared target is never repeated */
    uint32_t kept = 0;
    for (uint32_t k = 0; k < list.sections.len; k++) {
        kept += list.sections.data[k].length;
    }
    assert_true(!equal || kept <= 12 + intervals + 8 * per);
    free(values);
    free(got);
    free(wanted);
    free(back);
    dd_pool_free(pool);
}

static void test_sections(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    static const uint32_t intervals[] = {0, 1, 3, 5, 50, 200}, per[] = {1, 2, 3, 7, 30};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        for (size_t j = 0; j < sizeof per / sizeof *per; j++) {
            check_list(ctx, intervals[i], per[j], true);
            check_list(ctx, intervals[i], per[j], false);
        }
    }
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
