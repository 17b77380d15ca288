/* What a simulation takes from the analysis must not depend on whether the index was verified: for every model of the
 * corpus the reduced system, the counts and the question "above index 1?" are the same with trust_structure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "corpus.h"
#include "structure/system.h"

typedef struct tally {
    uint32_t models, differ, saved; /* saved: without a derivative array, where there was one */
} tally;

static bool same_rows(const dd_system *s, const dd_constraint_row_vec *a, const dd_constraint_row_vec *b)
{
    bool same = a->len == b->len, auxiliaries = s->ncols > s->declared; /* these are new with every analysis */
    for (uint32_t i = 0; same && !auxiliaries && i < a->len; i++) {
        same = a->data[i].raw == b->data[i].raw && a->data[i].eq == b->data[i].eq; /* one dag: equal means == */
    }
    return same;
}

static bool agree(const dd_system *a, const dd_system *b)
{
    return a->verdict == b->verdict && a->kind == b->kind && a->dof == b->dof && a->certificate == b->certificate &&
           a->constraint_count == b->constraint_count && a->hidden_count == b->hidden_count && a->index <= b->index &&
           (a->index > 1) == (b->index > 1) && a->missing == b->missing && a->excess == b->excess &&
           same_rows(a, &a->reduced.rows, &b->reduced.rows) &&
           same_rows(a, &a->reduced.invariants, &b->reduced.invariants);
}

static void compare(const corpus_block *b, void *user)
{
    tally *sum = user;
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *verified = NULL, *trusted = NULL;
    dd_analyse_options options = dd_analyse_options_default();
    options.trust_structure = true;
    options.max_formulas = 1; /* as the verbs ask for it: nobody reads formulas */
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    if (corpus_load(&model, ctx, b) == DD_OK && dd_model_analyse(&verified, model, NULL) == DD_OK &&
        dd_model_analyse(&trusted, model, &options) == DD_OK) {
        sum->models++;
        sum->saved += trusted->array->work == 0 && verified->array->work > 0;
        if (!agree(verified, trusted)) {
            fprintf(stderr, "%s (%s): index %d and %d, %u + %u and %u + %u constraints\n", b->file,
                    b->class_name ? b->class_name : "", verified->index, trusted->index, verified->constraint_count,
                    verified->hidden_count, trusted->constraint_count, trusted->hidden_count);
            sum->differ++;
        }
    }
    dd_system_free(verified);
    dd_system_free(trusted);
    dd_model_free(model);
    dd_context_free(ctx);
}

static void test_same_for_a_simulation(void **state)
{
    (void)state;
    tally sum = {0};
    corpus_each(1000, compare, &sum);
    print_message("%u models, %u without a derivative array\n", sum.models, sum.saved);
    assert_true(sum.models > 150 && sum.saved > 50);
    assert_int_equal(sum.differ, 0);
}

/* Operations of the derivative array for a chain of five masses. */
static double work_of_chain(const char *g, const char *length)
{
    char path[1000];
    const char *source = getenv("DAEDAL_SOURCE"), *settings[] = {g, length};
    dd_load_options options = dd_load_options_default();
    options.settings = settings;
    options.n_settings = 2;
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *s = NULL;
    snprintf(path, sizeof path, "%s/tests/corpus/check/chain.mo", source ? source : ".");
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&model, ctx, path, &options), DD_OK);
    assert_int_equal(dd_model_analyse(&s, model, NULL), DD_OK);
    assert_int_equal(s->index, 3);
    const double work = s->array->work;
    dd_system_free(s);
    dd_model_free(model);
    dd_context_free(ctx);
    return work;
}

/* Quick motions have coefficients that grow with their order. They must not blur the ranks of an index that was found: it
 * is confirmed by one more differentiation, whatever the units. */
static void test_array_ends_early(void **state)
{
    (void)state;
    const double slow = work_of_chain("g=1", "L=0.2");
    assert_true(slow > 0);
    assert_true(work_of_chain("g=9.81", "L=0.1") < 3 * slow);
    assert_true(work_of_chain("g=20", "L=0.2") < 3 * slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_for_a_simulation),
                                       cmocka_unit_test(test_array_ends_early)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
