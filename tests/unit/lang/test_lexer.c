/* test_lexer.c - tokens and their places. */
#include "lang_kit.h"

#include "lang/lexer.h"

#define MAX_TOKENS 64

typedef struct lexed {
    dd_context *ctx;
    dd_pool *pool;
    dd_names *names;
    const char *text;
    size_t length;
    dd_token tokens[MAX_TOKENS];
    uint32_t n;
    bool stopped;
} lexed;

static void lex_body(void *arg)
{
    lexed *l = arg;
    l->names = dd_names_new(l->pool);
    uint32_t file = dd_source_add(l->ctx, "test.mo", l->text, l->length);
    dd_lexer lx = dd_lexer_new(l->ctx, l->pool, l->names, file, 0);
    do {
        assert_true(l->n < MAX_TOKENS);
        l->tokens[l->n] = dd_lexer_next(&lx);
    } while (l->tokens[l->n++].kind != DD_TOK_EOF);
    l->stopped = lx.stopped;
}

static lexed lex_bytes(const char *text, size_t length)
{
    lexed l = {.text = text, .length = length};
    assert_int_equal(dd_context_new(&l.ctx, NULL), DD_OK);
    l.pool = dd_pool_new(l.ctx);
    assert_int_equal(dd_protect(l.ctx, lex_body, &l), DD_OK);
    return l;
}

static lexed lex(const char *text)
{
    return lex_bytes(text, strlen(text));
}

static void lex_close(lexed *l)
{
    dd_pool_free(l->pool);
    dd_context_free(l->ctx);
}

static const char *name_at(const lexed *l, uint32_t i)
{
    return dd_names_get(l->names, l->tokens[i].name);
}

static void expect_kinds(const lexed *l, const dd_token_kind *kinds, uint32_t n)
{
    assert_int_equal(l->n, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(l->tokens[i].kind, kinds[i]);
    }
}

static void test_symbols(void **state)
{
    (void)state;
    lexed l = lex("a.b .* ./ .^ .+ .- := == <> <= >= < > = ^ : ; [ ] { } ( )");
    static const dd_token_kind kinds[] = {
        DD_TOK_IDENT,     DD_TOK_DOT,      DD_TOK_IDENT,     DD_TOK_DOT_STAR,  DD_TOK_DOT_SLASH,
        DD_TOK_DOT_CARET, DD_TOK_DOT_PLUS, DD_TOK_DOT_MINUS, DD_TOK_ASSIGN,    DD_TOK_EQ,
        DD_TOK_NE,        DD_TOK_LE,       DD_TOK_GE,        DD_TOK_LT,        DD_TOK_GT,
        DD_TOK_EQUALS,    DD_TOK_CARET,    DD_TOK_COLON,     DD_TOK_SEMICOLON, DD_TOK_LBRACKET,
        DD_TOK_RBRACKET,  DD_TOK_LBRACE,   DD_TOK_RBRACE,    DD_TOK_LPAREN,    DD_TOK_RPAREN};
    expect_kinds(&l, kinds, sizeof kinds / sizeof kinds[0]);
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    lex_close(&l);
}

static void test_keywords(void **state)
{
    (void)state;
    for (int k = DD_TOK_ALGORITHM; k <= DD_TOK_WITHIN; k++) {
        lexed l = lex(dd_token_text((dd_token_kind)k));
        assert_int_equal(l.tokens[0].kind, k);
        assert_true(dd_token_is_keyword((dd_token_kind)k));
        lex_close(&l);
    }
    lexed l = lex("models endd en optimization constraint Real time");
    for (uint32_t i = 0; i + 1 < l.n; i++) {
        assert_int_equal(l.tokens[i].kind, DD_TOK_IDENT);
    }
    lex_close(&l);
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"0", "12", "3.", "3.25", "1e5", "1.e-3", "2.5E+10", "9007199254740993"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        lexed l = lex(texts[i]);
        assert_int_equal(l.tokens[0].kind, DD_TOK_NUMBER);
        assert_string_equal(name_at(&l, 0), texts[i]);
        assert_int_equal(l.n, 2);
        assert_int_equal(dd_context_error_count(l.ctx), 0);
        lex_close(&l);
    }
    lexed l = lex("1:2 2.*x 1e x");
    static const dd_token_kind kinds[] = {DD_TOK_NUMBER, DD_TOK_COLON, DD_TOK_NUMBER, DD_TOK_NUMBER,
                                          DD_TOK_STAR,   DD_TOK_IDENT, DD_TOK_NUMBER, DD_TOK_IDENT};
    expect_kinds(&l, kinds, sizeof kinds / sizeof kinds[0]);
    assert_string_equal(name_at(&l, 3), "2.");
    /* a letter directly after the number, 1e: the parser reports it */
    assert_int_equal(l.tokens[6].glued_end, l.tokens[6].span.begin + 2);
    assert_int_equal(l.tokens[3].glued_end, 0);
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    lex_close(&l);
}

static void test_strings(void **state)
{
    (void)state;
    lexed l = lex("\"a\\\"b\\n\\\\\" \"two\nlines \xC3\xA4 \xFF\" \"\"");
    assert_int_equal(l.n, 4);
    assert_string_equal(name_at(&l, 0), "a\"b\n\\");
    assert_string_equal(name_at(&l, 1), "two\nlines \xC3\xA4 \xFF");
    assert_string_equal(name_at(&l, 2), "");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    lex_close(&l);
}

static void test_quoted_names(void **state)
{
    (void)state;
    lexed l = lex("'a.b' 'x' 'if' 'it\\'s' ''");
    assert_string_equal(name_at(&l, 0), "a.b");
    assert_string_equal(name_at(&l, 1), "'x'"); /* 'x' is not x */
    assert_string_equal(name_at(&l, 2), "if");
    assert_string_equal(name_at(&l, 3), "it\\'s");
    assert_int_equal(dd_context_error_count(l.ctx), 1);
    for (uint32_t i = 0; i < 4; i++) { /* printing is the inverse */
        dd_span s = l.tokens[i].span;
        const char *printed = dd_name_quoted(l.pool, name_at(&l, i));
        assert_int_equal(strlen(printed), s.end - s.begin);
        assert_memory_equal(printed, l.text + s.begin, s.end - s.begin);
    }
    lex_close(&l);
}

static void test_comments(void **state)
{
    (void)state;
    lexed l = lex("a // b\n /* c // \n * \xFF */ d /* /* not nested */ e //");
    assert_int_equal(l.n, 4);
    assert_string_equal(name_at(&l, 1), "d");
    assert_string_equal(name_at(&l, 2), "e");
    assert_int_equal(l.tokens[1].span.begin, 25);
    lex_close(&l);
}

static void test_slips(void **state)
{
    (void)state;
    lexed l = lex("a != b && c || !d ** e");
    static const dd_token_kind kinds[] = {DD_TOK_IDENT, DD_TOK_NE,  DD_TOK_IDENT, DD_TOK_AND,   DD_TOK_IDENT,
                                          DD_TOK_OR,    DD_TOK_NOT, DD_TOK_IDENT, DD_TOK_CARET, DD_TOK_IDENT};
    expect_kinds(&l, kinds, sizeof kinds / sizeof kinds[0]);
    assert_int_equal(dd_context_error_count(l.ctx), 5);
    lex_close(&l);
}

static void test_junk_is_one_error(void **state)
{
    (void)state;
    static const char binary[] = "\x7F"
                                 "ELF\0\1\2 model \0\0 x = 1; \xFF\xFE";
    lexed l = lex_bytes(binary, sizeof binary - 1);
    assert_int_equal(l.n, 1);
    assert_true(l.stopped);
    assert_int_equal(dd_context_error_count(l.ctx), 1);
    lex_close(&l);

    l = lex("x = \xFF\xFE\xFD\xFC y \xFF");
    assert_int_equal(dd_context_error_count(l.ctx), 1);
    assert_true(l.stopped);
    lex_close(&l);
}

static void test_long_names(void **state)
{
    (void)state;
    static char text[5000];
    memset(text, 'a', sizeof text - 1);
    lexed l = lex(text);
    assert_int_equal(dd_context_error_count(l.ctx), 1);
    assert_non_null(strstr(dd_context_diagnostic(l.ctx, 0).message, "the limit is 1000"));
    lex_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols), cmocka_unit_test(test_keywords),          cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings), cmocka_unit_test(test_quoted_names),      cmocka_unit_test(test_comments),
        cmocka_unit_test(test_slips),   cmocka_unit_test(test_junk_is_one_error), cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
