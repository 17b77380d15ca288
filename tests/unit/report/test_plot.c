/* Plots: ticks, labels, thinning, and pages that are well formed whatever the texts. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "unit/base/support.h"

static void test_axes(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        uint32_t ticks;
        const char *first, *last;
        int exponent;
    } cases[] = {
        {0, 1, 6, "0.0", "1.0", 0},
        {0, 10, 6, "0", "10", 0},
        {-1.3, 1.9, 5,
         "\xE2\x88\x92"
         "2",
         "2", 0},
        {0.3, 0.31, 6, "0.300", "0.310", 0},
        {0, 3e-7, 4, "0", "3", -7},
        {0, 2.5e9, 6, "0.0", "2.5", 9},
        {-4e5, 0, 5,
         "\xE2\x88\x92"
         "4",
         "0", 5},
        {100000, 100001, 6, "1.000000", "1.000010", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_axis a = dd_axis_new(cases[i].low, cases[i].high, 5, true);
        char first[40], last[40];
        dd_axis_label(&a, 0, first);
        dd_axis_label(&a, a.ticks - 1, last);
        assert_int_equal(a.ticks, cases[i].ticks);
        assert_string_equal(first, cases[i].first);
        assert_string_equal(last, cases[i].last);
        assert_int_equal(a.exponent, cases[i].exponent);
    }
}

/* ticks lie within the axis, labels differ, data lie within a whole axis, whatever the range */
static void test_any_range(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int k = 0; k < 20000; k++) {
        double v[2];
        for (int i = 0; i < 2; i++) {
            seed = seed * 1664525u + 1013904223u;
            const double mantissa = (double)(seed >> 8) / (1 << 23) - 1;
            seed = seed * 1664525u + 1013904223u;
            v[i] = mantissa * pow(10, (int)(seed >> 16) % 300 * (k % 3 == 0 ? 1.0 : 0.03) * (k % 2 ? 1 : -1));
        }
        const double low = fmin(v[0], v[1]), high = fmax(v[0], v[1]);
        dd_axis a = dd_axis_new(low, high, 5, k % 2);
        assert_true(a.ticks >= 2 && a.ticks <= 12);
        assert_true(a.low < a.high && isfinite(a.high - a.low));
        const double slack = 1e-9 * (a.high - a.low);
        assert_true(a.low <= low + slack && a.high >= high - slack);
        assert_true(dd_axis_tick(&a, 0) >= a.low - slack && dd_axis_tick(&a, a.ticks - 1) <= a.high + slack);
    }
    const double odd[] = {0, 1, -1, DBL_MAX, -DBL_MAX, DBL_MIN, 1e-320, 1e300};
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            dd_axis a = dd_axis_new(fmin(odd[i], odd[j]), fmax(odd[i], odd[j]), 5, true);
            assert_true(a.ticks >= 2 && a.ticks <= 12 && isfinite(a.high - a.low));
        }
    }
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        count++;
    }
    return count;
}

/* a million rows make a picture of some thousand points; peaks stay */
static void test_thinning(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    double *data = dd_pool_alloc_array(pool, 2 * (size_t)COUNT, sizeof *data);
    for (size_t i = 0; i < COUNT; i++) {
        data[2 * i] = (double)i;
        data[2 * i + 1] = i == 123456 ? 5.0 : sin((double)i * 0.1) * 0.5;
    }
    const dd_plot_line line = {.name = "y", .y = data + 1};
    const dd_plot plot = {.x = data, .count = COUNT, .stride = 2, .lines = &line, .n_lines = 1, .x_name = "time"};
    dd_text text = dd_text_new(pool);
    dd_plot_svg(&text, &plot);
    assert_true(text.len < 100000);
    assert_true(count_of(dd_text_str(&text), "L") > 1000);
    assert_non_null(strstr(dd_text_str(&text), " 41.5L")); /* the peak at 5, on an axis from -2 to 6 over 204 pixels */
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* what is not finite interrupts the line, an empty plot is still one */
static void test_gaps(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 2, NAN, 2, INFINITY};
    const dd_plot_line line = {.name = "y", .y = y};
    dd_plot plot = {.x = x, .count = 5, .stride = 1, .lines = &line, .n_lines = 1, .x_name = "time"};
    dd_text text = dd_text_new(pool);
    dd_plot_svg(&text, &plot);
    const char *path = strstr(dd_text_str(&text), "class=\"l\"");
    assert_non_null(path);
    const size_t end = (size_t)(strchr(path, '>') - path);
    char *d = dd_pool_strndup(pool, path, end);
    assert_int_equal(count_of(d, "M"), 2);
    assert_int_equal(count_of(d, "L"), 1);
    assert_null(strstr(dd_text_str(&text), "nan"));
    assert_null(strstr(dd_text_str(&text), "inf"));
    plot.count = 0;
    dd_text_clear(&text);
    dd_plot_svg(&text, &plot);
    assert_null(strstr(dd_text_str(&text), "nan"));
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* every tag that is opened is closed, in order */
static void assert_well_formed(const char *html)
{
    char open[64][16];
    int depth = 0;
    for (const char *p = html; (p = strchr(p, '<')) != NULL; p++) {
        const bool closing = p[1] == '/';
        const char *name = p + 1 + closing;
        const size_t length = strcspn(name, " />\n");
        const char *end = strchr(p, '>');
        assert_non_null(end);
        assert_true(length < 16 && depth < 63);
        if (name[0] == '!' || strncmp(name, "meta", 4) == 0 || end[-1] == '/') {
            continue;
        }
        if (closing) {
            assert_true(depth > 0);
            depth--;
            assert_memory_equal(open[depth], name, length);
            assert_int_equal(open[depth][length], 0);
        } else {
            snprintf(open[depth++], 16, "%.*s", (int)length, name);
        }
    }
    assert_int_equal(depth, 0);
}

static void test_page(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    static const char nasty[] = "</script><b \"x\" & 'y' \xff\xc3 \x01 \xC3\xA9";
    const double x[] = {0, 1, 2}, marks[] = {0.5, 1.5, 99};
    const dd_plot_line lines[] = {{.name = nasty, .y = x}, {.name = "b", .y = x}};
    const dd_page_row row = {nasty, nasty};
    const dd_page_figure figure = {.title = nasty,
                                   .doc = nasty,
                                   .unit = nasty,
                                   .note = nasty,
                                   .plot = {.x = x,
                                            .count = 3,
                                            .stride = 1,
                                            .lines = lines,
                                            .n_lines = 2,
                                            .x_name = nasty,
                                            .marks = marks,
                                            .n_marks = 3,
                                            .x_end = 4}};
    const dd_page_table tables[] = {{nasty, nasty, &row, 1}, {"Effort", "", &row, 1}};
    const char *const messages[] = {nasty, nasty};
    const dd_page page = {.head = {.title = nasty, .subtitle = nasty, .doc = nasty, .failure = nasty},
                          .figures = &figure,
                          .n_figures = 1,
                          .figures_note = nasty,
                          .tables = tables,
                          .n_tables = 2,
                          .messages = messages,
                          .n_messages = 2};
    dd_text text = dd_text_new(pool);
    dd_page_html(&text, &page);
    /* what the page shows: from the header to the numbers */
    const char *begin = strstr(dd_text_str(&text), "<header>"), *end = strstr(dd_text_str(&text), "</main>");
    assert_true(begin != NULL && end > begin);
    const char *html = dd_pool_strndup(pool, begin, (size_t)(end + strlen("</main>") - begin));
    assert_null(strstr(html, "</script><b"));
    assert_null(strstr(html, "<b "));
    assert_null(strstr(html, "\xff"));
    assert_null(strstr(html, "http"));
    assert_non_null(strstr(html, "\xEF\xBF\xBD"));
    assert_non_null(strstr(html, "\xC3\xA9"));
    assert_well_formed(html);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* a circle, drawn with one scale on both axes, is as high as it is wide */
static void test_circle(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    double data[2 * COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        data[2 * i] = 3 + 0.7 * cos(0.02 * (double)i);
        data[2 * i + 1] = 0.7 * sin(0.02 * (double)i);
    }
    const dd_plot_line line = {.name = "y", .y = data + 1};
    const dd_plot plot = {.x = data,
                          .count = COUNT,
                          .stride = 2,
                          .lines = &line,
                          .n_lines = 1,
                          .x_name = "x",
                          .caption = "a & b",
                          .path = true,
                          .equal = true};
    dd_text text = dd_text_new(pool);
    dd_plot_picture(&text, "title <", "subtitle", &plot, 1);
    assert_well_formed(dd_text_str(&text));
    assert_non_null(strstr(dd_text_str(&text), ">a &#38; b<"));
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    const char *p = strstr(dd_text_str(&text), "class=\"l\"");
    for (p = strchr(p, 'M'); *p == 'M' || *p == 'L';) {
        for (int k = 0; k < 2; k++) {
            const double at = strtod(p + 1, (char **)&p);
            low[k] = fmin(low[k], at);
            high[k] = fmax(high[k], at);
        }
    }
    assert_true(high[0] - low[0] > 100);
    assert_true(fabs((high[0] - low[0]) - (high[1] - low[1])) < 0.5);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* Powers of ten as ticks, whole steps between them, all of the range inside. */
static void test_log_axis(void **state)
{
    (void)state;
    const double ranges[][2] = {{-8.3, 2.1}, {-1.5, -1.2}, {0, 0}, {-300, 300}, {3, 4}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const dd_axis a = dd_axis_new_log(ranges[i][0], ranges[i][1], 6);
        assert_true(a.low <= ranges[i][0] && a.high >= ranges[i][1] && a.high > a.low);
        assert_true(a.ticks >= 2 && a.ticks <= 9);
        assert_true(a.step == floor(a.step));
        assert_true(dd_axis_tick(&a, 0) == a.low && dd_axis_tick(&a, a.ticks - 1) == a.high);
    }
}

/* On a logarithmic axis a line has gaps where it is not positive; bounds near the data are drawn, far ones are not. */
static void test_log_and_levels(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1e-3, 1e-1, 0, 10, 1000}, levels[] = {0.5, 1e30, INFINITY, -1};
    const dd_plot_line line = {.name = "y", .y = y};
    const dd_plot plot = {.x = x,
                          .count = 5,
                          .stride = 1,
                          .lines = &line,
                          .n_lines = 1,
                          .x_name = "time",
                          .log = true,
                          .levels = levels,
                          .n_levels = 4};
    dd_text text = dd_text_new(pool);
    dd_plot_svg(&text, &plot);
    const char *svg = dd_text_str(&text), *drawn = strstr(svg, "class=\"l\"");
    assert_non_null(drawn);
    drawn = strstr(drawn, "d=\"M");
    assert_non_null(strchr(drawn + 4, 'M')); /* the pen was lifted */
    const char *first = strstr(svg, "<title>bound</title>");
    assert_non_null(first);
    assert_null(strstr(first + 1, "<title>bound</title>"));
    assert_null(strstr(svg, "nan"));
    dd_pool_free(pool);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),     cmocka_unit_test(test_any_range),      cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_gaps),     cmocka_unit_test(test_page),           cmocka_unit_test(test_circle),
        cmocka_unit_test(test_log_axis), cmocka_unit_test(test_log_and_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
