/* Every constraint that is printed, visible or hidden, in array notation or not, is read back as text and compared with
 * the scalar rows of the analysed system at random points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lang/lang.h"
#include "unit/structure/corpus.h"
#include "unit/structure/points.h"

typedef struct tally {
    uint32_t texts, rows, arrays, failures;
} tally;

typedef struct reading {
    dd_system *s;
    dd_pool *pool;
    const char *text;
    const dd_constraint_row *first;
    uint32_t rows;
    bool differentiated; /* compare with raw, otherwise with expr */
    bool read;           /* the text was understood and has this many rows */
    double worst;        /* largest relative difference */
} reading;

static void read_and_compare(void *arg)
{
    reading *r = arg;
    dd_expr *rows;
    uint32_t count;
    r->read = dd_lang_read_equation(r->s->model, r->pool, r->text, &rows, &count) && count == r->rows;
    for (uint32_t i = 0; r->read && i < count; i++) {
        double got[POINTS], expected[POINTS], scale[POINTS];
        point_values(r->s, dd_system_lower(r->s, rows[i]), r->pool, got, scale);
        point_values(r->s, dd_system_lower(r->s, r->differentiated ? r->first[i].raw : r->first[i].expr), r->pool,
                     expected, NULL);
        for (uint32_t p = 0; p < POINTS; p++) {
            if (isfinite(expected[p]) && isfinite(got[p])) {
                r->worst = fmax(r->worst, fabs(got[p] - expected[p]) / fmax(scale[p], 1e-300));
            } else if (isfinite(expected[p]) != isfinite(got[p])) {
                r->worst = INFINITY;
            }
        }
    }
}

static const dd_constraint_row *find_rows(const dd_constraint_row_vec *rows, const dd_text_row *t)
{
    for (uint32_t i = 0; i < rows->len; i++) {
        if (rows->data[i].eq == t->eq && rows->data[i].order == t->text.order && i + t->text.rows <= rows->len) {
            return &rows->data[i];
        }
    }
    return NULL;
}

static void check_text(const corpus_block *b, dd_system *s, const dd_constraint_row_vec *rows, const dd_text_row *t,
                       const char *text, bool differentiated, tally *sum)
{
    reading r = {
        .s = s, .pool = dd_pool_new(s->ctx), .text = text, .rows = t->text.rows, .differentiated = differentiated};
    r.first = find_rows(rows, t);
    const dd_status st = r.first ? dd_protect(s->ctx, read_and_compare, &r) : DD_OK;
    if (!r.first || st != DD_OK || !r.read || !(r.worst < 1e-10)) {
        sum->failures++;
        print_error("%s: %s `%s` (order %u, %u rows): %s%s, difference %g\n", b->file,
                    differentiated ? "differentiated" : "equation", text, t->text.order, t->text.rows,
                    !r.first  ? "has no scalar rows"
                    : !r.read ? "cannot be read back"
                              : "has other values",
                    st != DD_OK ? dd_context_message(s->ctx) : "", r.worst);
        for (size_t i = 0; i < dd_context_diagnostic_count(s->ctx); i++) {
            print_error("    %s\n", dd_context_diagnostic(s->ctx, i).message);
        }
        dd_context_clear_diagnostics(s->ctx);
    }
    sum->texts++;
    sum->rows += t->text.rows;
    sum->arrays += t->text.rows > 1;
    dd_pool_free(r.pool);
}

static void check_texts(const corpus_block *b, dd_system *s, const dd_text_row_vec *texts,
                        const dd_constraint_row_vec *rows, tally *sum)
{
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        return; /* ranks alone: no rows to compare with */
    }
    for (uint32_t i = 0; i < texts->len; i++) {
        const dd_constraint_text *t = &texts->data[i].text;
        if (texts->data[i].together) {
            continue; /* several equations, not a formula */
        }
        const bool nothing_put_in = strcmp(t->equation, t->differentiated) == 0;
        check_text(b, s, rows, &texts->data[i], t->equation, nothing_put_in, sum);
        if (!nothing_put_in) {
            check_text(b, s, rows, &texts->data[i], t->differentiated, true, sum);
        }
    }
}

/* Models that are refused have no constraints to show. */
static bool is_refused(const corpus_block *b)
{
    for (uint32_t i = 0; i < b->n_lines; i++) {
        if (strstr(b->line[i], "index=null")) {
            return true;
        }
    }
    return false;
}

static void check_system(const corpus_block *b, dd_system *s, void *user)
{
    check_texts(b, s, &s->visible_text, &s->visible, user);
    check_texts(b, s, &s->hidden_text, &s->hidden, user);
}

static void check_block(const corpus_block *b, void *user)
{
    tally *sum = user;
    if (!is_refused(b)) {
        sum->failures += !corpus_analyse(b, check_system, sum);
    }
}

static void test_formulas_read_back(void **state)
{
    (void)state;
    tally sum = {0};
    corpus_each(SIZE_MAX, check_block, &sum);
    print_message("%u formulas, %u of them for several rows, %u rows\n", sum.texts, sum.arrays, sum.rows);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.texts > 300 && sum.arrays > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas_read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
