/* Formulas named in the corpus by what they mean: `expect-equation` is one of the model's rows, `expect-equivalent` one of
 * its visible or hidden constraints, up to a constant factor, decided at random points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "corpus.h"
#include "lang/lang.h"
#include "points.h"

typedef struct tally {
    uint32_t formulas, failures;
} tally;

typedef struct search {
    dd_system *s;
    dd_pool *pool;
    const char *text;
    bool among_rows; /* else among the constraints */
    bool read;
    uint32_t found, wanted;
} search;

/* a = k b at all points for one k other than 0 */
static bool proportional(const double a[POINTS], const double b[POINTS])
{
    double ab = 0, bb = 0, aa = 0;
    for (uint32_t p = 0; p < POINTS; p++) {
        if (!isfinite(a[p]) || !isfinite(b[p])) {
            return false;
        }
        ab += a[p] * b[p];
        bb += b[p] * b[p];
        aa += a[p] * a[p];
    }
    if (aa == 0 || bb == 0) {
        return false;
    }
    double rest = 0;
    for (uint32_t p = 0; p < POINTS; p++) {
        rest += (a[p] - ab / bb * b[p]) * (a[p] - ab / bb * b[p]);
    }
    return sqrt(rest) < 1e-9 * sqrt(aa);
}

static bool matches(search *q, const double wanted[POINTS], dd_expr e)
{
    double values[POINTS];
    point_values(q->s, dd_system_lower(q->s, e), q->pool, values, NULL);
    return proportional(wanted, values);
}

static bool among_constraints(search *q, const dd_constraint_row_vec *rows, const double wanted[POINTS])
{
    for (uint32_t i = 0; i < rows->len; i++) {
        if (matches(q, wanted, rows->data[i].expr) || matches(q, wanted, rows->data[i].raw)) {
            return true;
        }
    }
    return false;
}

static bool among_rows(search *q, const double wanted[POINTS])
{
    for (uint32_t i = 0; i < q->s->original.len; i++) {
        if (matches(q, wanted, q->s->original.data[i].residual)) {
            return true;
        }
    }
    return false;
}

static void look(void *arg)
{
    search *q = arg;
    dd_expr *rows;
    q->read = dd_lang_read_equation(q->s->model, q->pool, q->text, &rows, &q->wanted);
    for (uint32_t i = 0; q->read && i < q->wanted; i++) {
        double wanted[POINTS];
        point_values(q->s, dd_system_lower(q->s, rows[i]), q->pool, wanted, NULL);
        q->found += q->among_rows
                        ? among_rows(q, wanted)
                        : among_constraints(q, &q->s->visible, wanted) || among_constraints(q, &q->s->hidden, wanted);
    }
}

static void check_formula(const corpus_block *b, dd_system *s, const char *text, bool in_rows, tally *sum)
{
    search q = {.s = s, .pool = dd_pool_new(s->ctx), .text = text, .among_rows = in_rows};
    const dd_status st = dd_protect(s->ctx, look, &q);
    sum->formulas++;
    if (st != DD_OK || !q.read || q.found != q.wanted) {
        sum->failures++;
        print_error("%s: `%s` is not among the %s (%u of %u rows found)%s\n", b->file, text,
                    in_rows ? "equations" : "constraints", q.found, q.wanted, q.read ? "" : ": not understood");
        for (uint32_t i = 0; !in_rows && i < s->hidden_text.len; i++) {
            print_error("    hidden: %s\n", s->hidden_text.data[i].text.equation);
        }
    }
    dd_pool_free(q.pool);
}

static bool has_formulas(const corpus_block *b)
{
    for (uint32_t i = 0; i < b->n_lines; i++) {
        if (strncmp(b->what[i], "expect-equ", 10) == 0) {
            return true;
        }
    }
    return false;
}

static void check_formulas(const corpus_block *b, dd_system *s, void *user)
{
    for (uint32_t i = 0; i < b->n_lines; i++) {
        const bool equation = strcmp(b->what[i], "expect-equation") == 0;
        if (equation || strcmp(b->what[i], "expect-equivalent") == 0) {
            check_formula(b, s, b->line[i], equation, user);
        }
    }
}

static void check_block(const corpus_block *b, void *user)
{
    tally *sum = user;
    if (has_formulas(b)) {
        sum->failures += !corpus_analyse(b, check_formulas, sum);
    }
}

static void test_formulas(void **state)
{
    (void)state;
    tally sum = {0};
    corpus_each(SIZE_MAX, check_block, &sum);
    print_message("%u formulas\n", sum.formulas);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.formulas > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
