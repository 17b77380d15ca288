/* Linear systems with a shape: 10^5 small random ones of every kind against eigenvalues. Signs must agree where the
 * smallest eigenvalue of the equilibrated matrix is above 1e-10 (1e-8 where a part is nearly singular by itself), steps must agree to its condition. */
#include "unit/base/support.h"
#include "unit/nlp/chain_reference.h"

enum { CASES = 100000 };

static uint32_t pick(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(0.5 * (dd_random(seed) + 1) * count);
}

/* One in `of`, up to `most`. */
static uint32_t sometimes(uint64_t *seed, uint32_t of, uint32_t most)
{
    return pick(seed, of) == 0 ? 1 + pick(seed, most) : 0;
}

static chain_options random_options(uint64_t *s)
{
    chain_options o = {
        .intervals = pick(s, 5), .nx = pick(s, 4), .nu = pick(s, 3), .degree = pick(s, 4), .density = 0.6};
    o.nz = o.degree ? pick(s, 3) : 0;
    o.control = (int)pick(s, o.degree ? 3 : 2);
    o.parameters = sometimes(s, 4, 2);
    o.differ = pick(s, 4) == 0;
    o.mixed_degrees = pick(s, 4) == 0;
    o.selection = pick(s, 2) == 0;
    o.periodic = sometimes(s, 5, 2);
    o.terminal = sometimes(s, 4, 2);
    o.initial = o.nx ? sometimes(s, 3, o.nx) : 0;
    o.stage = sometimes(s, 4, 1);
    o.path = sometimes(s, 4, 2);
    o.across = sometimes(s, 8, 2);
    o.integral = sometimes(s, 8, 2);
    o.repeated = sometimes(s, 8, 3);
    o.fix_start = pick(s, 3) == 0;
    o.fix = pick(s, 4) == 0 ? 0.1 : 0;
    o.indefinite = pick(s, 3) == 0 ? 3 : 0;
    o.spread = pick(s, 2) == 0 ? 8 : 1;
    o.regular = pick(s, 4) == 0 ? 1e-8 : 0;
    o.soft = pick(s, 8) == 0 ? pow(10, -5 * (dd_random(s) + 1)) : 0;
    o.weak = pick(s, 8) == 0 ? 1e-7 : 0;
    o.twist = o.nz == 2 && o.weak == 0 ? (int)pick(s, 3) : 0;
    return o;
}

/* Statistics that show what was tested. */
typedef struct tally {
    uint32_t certain, singular, missed, zeros, whole, lean, delayed, sparse, programs;
    double residual, error;
} tally;

static void run_case(dd_context *ctx, uint64_t seed, tally *sum)
{
    uint64_t s = seed;
    const chain_options o = random_options(&s);
    chain_problem g;
    chain_problem_make(&g, &o, s);
    g.pattern.shape = &g.shape;
    chain_truth t;
    chain_truth_make(&t, &g, 1e-13);
    dd_kkt_system *k;
    /* half of them by sparse leaves */
    const dd_kkt_kind *kind = seed % 2 ? &dd_kkt_chain : &dd_kkt_chain_sparse;
    assert_true(kind->suits(&g.pattern));
    assert_int_equal(kind->make(&k, ctx, &g.pattern), DD_OK);
    const chain_outcome out = chain_judge(&g, k, &t, 3);
    const dd_chain_info info = dd_chain_get_info(k);
    sum->whole += info.whole;
    sum->lean += info.lean;
    sum->delayed += info.delayed;
    sum->sparse += info.sparse;
    sum->programs += info.programs;
    sum->zeros += out.inertia.zero > 0;
    /* a nearly singular inside has a condition of its own */
    if (t.smallest > (o.weak > 0 ? 1e-8 : 1e-10)) {
        sum->certain++;
        sum->residual = fmax(sum->residual, out.residual);
        sum->error = fmax(sum->error, out.error * fmin(t.smallest, 1));
        if (out.inertia.negative != t.negative || out.inertia.zero || out.inertia.broken || !(out.residual < 1e-11) ||
            !(out.error < 1e-11 + 1e-12 / t.smallest)) {
            fail_msg("seed %lu: negative %u, zero %u instead of %u; residual %g, error %g, smallest %g",
                     (unsigned long)seed, out.inertia.negative, out.inertia.zero, t.negative, out.residual, out.error,
                     t.smallest);
        }
    }
    /* dependent rows: eigenvalues are zero or far from it */
    if (t.zero > 0 && t.next > 1e-6) {
        sum->singular++;
        sum->missed += out.inertia.zero != t.zero || out.inertia.negative != t.negative;
    }
    k->kind->free(k);
    chain_truth_free(&t);
    chain_problem_free(&g);
}

static void test_random(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    tally sum = {0};
    for (uint32_t i = 0; i < CASES; i++) {
        run_case(ctx, 1 + 7919 * (uint64_t)i, &sum);
    }
    print_message("%u of %u certain, %u singular (%u not seen as such), %u with zero pivots; intervals: %u condensed, "
                  "%u whole; %u delayed; %u batches of sparse leaves, %u times other pivots; residual %.1e, "
                  "error times smallest eigenvalue %.1e\n",
                  sum.certain, (unsigned)CASES, sum.singular, sum.missed, sum.zeros, sum.lean, sum.whole, sum.delayed,
                  sum.sparse, sum.programs, sum.residual, sum.error);
    assert_true(sum.certain > CASES / 2);
    assert_true(sum.missed <= sum.singular / 20);
    assert_true(sum.sparse > CASES / 10 && sum.programs > CASES / 200);
    assert_true(sum.whole > CASES / 100 && sum.lean > CASES && sum.delayed > CASES / 100);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
