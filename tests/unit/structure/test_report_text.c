/* The report for people: sentences in lines that fit, with every word of what the JSON report says; which initial values
 * follow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "corpus.h"
#include "structure/system.h"

typedef struct tally {
    uint32_t sentences, wrapped;
} tally;

/* Both without white space; NULL when the sentence is not in the text. */
static const char *find_words(const char *text, const char *sentence, const char **end)
{
    for (const char *begin = text; *begin; begin++) {
        const char *t = begin, *s = sentence;
        for (;;) {
            t += *s ? strspn(t, " \n") : 0;
            s += strspn(s, " ");
            if (!*s || *t != *s) {
                break;
            }
            t++;
            s++;
        }
        if (!*s && !strchr(" \n", *begin)) {
            *end = t;
            return begin;
        }
    }
    return NULL;
}

/* Every line from the first to the last word has at most 100 columns, unless it is one word. */
static void check_sentence(const corpus_block *b, const char *text, const char *sentence, tally *sum)
{
    const char *end = text, *begin = find_words(text, sentence, &end);
    if (!begin) {
        fail_msg("%s: the report does not say: %s\n%s", b->file, sentence, text);
    }
    sum->sentences++;
    while (begin > text && begin[-1] != '\n') {
        begin--;
    }
    while (begin < end) {
        const size_t length = strcspn(begin, "\n"), indent = strspn(begin, " ");
        const bool one_word = indent + strcspn(begin + indent, " \n") == length;
        if (length > 100 && !one_word) {
            fail_msg("%s: a line of %zu characters: %.*s", b->file, length, (int)length, begin);
        }
        begin += length + 1;
        sum->wrapped += begin < end;
    }
}

static void check_sentences(const corpus_block *b, dd_system *s, void *user)
{
    const char *text;
    assert_int_equal(dd_system_text(&text, s, false), DD_OK);
    if (dd_system_verdict(s) != DD_VERDICT_OK) {
        check_sentence(b, text, dd_system_reason(s), user);
    }
    for (uint32_t i = 0; i < s->warnings.len && i < 12; i++) {
        check_sentence(b, text, s->warnings.data[i], user);
    }
}

static void check_block(const corpus_block *b, void *user)
{
    assert_true(corpus_analyse(b, check_sentences, user));
}

static void test_sentences(void **state)
{
    (void)state;
    tally sum = {0};
    corpus_each(1200, check_block, &sum);
    assert_true(sum.sentences > 50 && sum.wrapped > 50);
}

/* Each example with the lines it must show. */
static const struct {
    const char *text, *lines;
} followings[] = {
    {"model M Real x(start=1,fixed=true), y(start=2,fixed=true), z; equation der(x) = -x; y = 2*x; z = y; end M;",
     "    given   x = 1, y = 2\n"
     "    y = 2 is given, but follows from the others: leave it free\n"
     "    follow  y, z\n"},
    {"model M Real x(start=1,fixed=true), y(start=2), z; equation der(x) = -x; y = 2*x; z = y; end M;",
     "    given   x = 1\n"
     "    follow  y, z\n"},
    {"model M Real x(start=1,fixed=true), y; initial equation y = 2; equation der(x) = -x; y = 2*x; end M;",
     "    given   x = 1, y = 2\n"
     "    y = 2 is given, but follows from the others: leave it free\n"
     "    follow  y\n"},
};

static void check_following(const corpus_block *b, dd_system *s, void *user)
{
    const char *text, *lines = user;
    assert_int_equal(dd_system_text(&text, s, false), DD_OK);
    if (!strstr(text, lines)) {
        fail_msg("%s\nshould show\n%s\nbut is\n%s", b->text, lines, text);
    }
}

static void test_following(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof followings / sizeof *followings; i++) {
        const corpus_block b = {.file = "M.mo", .text = followings[i].text, .length = strlen(followings[i].text)};
        assert_true(corpus_analyse(&b, check_following, (void *)followings[i].lines));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentences), cmocka_unit_test(test_following)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
