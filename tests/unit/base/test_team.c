/* Teams of threads: every part once, whatever the numbers of parts and members; many pieces of work one after the other. */
#include <string.h>

#include "base/team.h"
#include "support.h"

enum { MOST = 1000, MEMBERS = 4 };

typedef struct sums {
    double of_part[MOST];
    uint32_t times[MOST];
    uint32_t members;
} sums;

static void add_up(void *user, uint32_t part, uint32_t member)
{
    sums *s = user;
    double sum = 0;
    for (uint32_t k = 0; k < 100 + part; k++) {
        sum += 1.0 / (k + part + 1);
    }
    s->of_part[part] = sum;
    s->times[part]++;
    assert_true(member < s->members);
}

static void test_every_part_once(void **state)
{
    (void)state;
    static sums one, all;
    dd_context *ctx = new_context();
    for (uint32_t threads = 0; threads <= MEMBERS; threads++) {
        dd_team *team;
        assert_int_equal(dd_team_new(&team, ctx, threads), DD_OK);
        assert_true((team == NULL) == (threads < 2));
        for (uint32_t parts = 0; parts < MOST; parts += 1 + parts / 3) {
            memset(&one, 0, sizeof one);
            memset(&all, 0, sizeof all);
            one.members = 1;
            all.members = dd_team_size(team);
            dd_team_run(NULL, parts, add_up, &one);
            dd_team_run(team, parts, add_up, &all);
            assert_memory_equal(one.of_part, all.of_part, sizeof one.of_part);
            for (uint32_t k = 0; k < MOST; k++) {
                assert_int_equal(all.times[k], k < parts ? 1 : 0);
            }
        }
        dd_team_free(team);
    }
    dd_context_free(ctx);
}

static void count(void *user, uint32_t part, uint32_t member)
{
    uint64_t *counts = user;
    (void)member;
    counts[part]++;
}

/* Work that is called faster than helpers wake up. */
static void test_quick_calls(void **state)
{
    (void)state;
    uint64_t counts[3] = {0};
    dd_context *ctx = new_context();
    dd_team *team;
    assert_int_equal(dd_team_new(&team, ctx, 3), DD_OK);
    for (uint32_t k = 0; k < 20000; k++) {
        dd_team_run(team, 3, count, counts);
    }
    for (uint32_t k = 0; k < 3; k++) {
        assert_int_equal(counts[k], 20000);
    }
    dd_team_free(team);
    dd_team_free(NULL);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_part_once),
        cmocka_unit_test(test_quick_calls),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
