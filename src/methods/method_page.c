/* method_page.c - a method as a page: its tableau, its facts, its stability region. */
#include <string.h>

#include "methods/method.h"
#include "report/written.h"

typedef struct page_work {
    const dd_method *m;
    dd_pool *pool;
    dd_page_writer *page;
} page_work;

static const char *yes_or_no(bool value)
{
    return value ? "yes" : "no";
}

static void add_facts(page_work *w)
{
    const dd_method *m = w->m;
    const uint32_t embedded = dd_method_embedded_order(m);
    const dd_page_row rows[] = {
        {"kind", dd_method_kind_name(dd_method_kind_of(m))},
        {"stages", dd_pool_printf(w->pool, "%u", dd_method_stages(m))},
        {"order", dd_pool_printf(w->pool, "%u", dd_method_order(m))},
        {"order of the embedded formula", embedded > 0 ? dd_pool_printf(w->pool, "%u", embedded) : "there is none"},
        {"A-stable", yes_or_no(dd_method_a_stable(m))},
        {"L-stable", yes_or_no(dd_method_l_stable(m))},
    };
    dd_page_add_table(w->page, &(dd_page_table){"", "", rows, sizeof rows / sizeof *rows});
}

/* c | A over b, and bhat below it: a row per stage, then the weights. */
static void add_tableau(page_work *w)
{
    const dd_method *m = w->m;
    const uint32_t s = dd_method_stages(m), width = s + 1;
    const double *A = dd_method_A(m), *b = dd_method_b(m), *c = dd_method_c(m), *bhat = dd_method_bhat(m);
    const uint32_t rows = s + (bhat != NULL ? 2 : 1);
    if (A == NULL) {
        return;
    }
    const char **headings = dd_pool_alloc_array(w->pool, width, sizeof *headings);
    const char **cells = dd_pool_alloc_array(w->pool, (size_t)rows * width, sizeof *cells);
    headings[0] = "c";
    for (uint32_t j = 0; j < s; j++) {
        headings[1 + j] = dd_pool_printf(w->pool, "stage %u", j + 1);
    }
    for (uint32_t i = 0; i < rows; i++) {
        const double *values = i < s ? A + (size_t)i * s : i == s ? b : bhat;
        cells[(size_t)i * width] = i < s ? dd_pool_printf(w->pool, "%.8g", c[i]) : i == s ? "b" : "b, embedded";
        for (uint32_t j = 0; j < s; j++) {
            /* an explicit method has nothing on the diagonal and above it */
            const bool blank = i < s && values[j] == 0 && j >= i;
            cells[(size_t)i * width + 1 + j] = blank ? "" : dd_pool_printf(w->pool, "%.8g", values[j]);
        }
    }
    dd_page_section(w->page, "Tableau");
    dd_page_add_grid(w->page, &(dd_page_grid){"", "", headings, cells, width, rows, 1});
}

static void page_body(void *user)
{
    dd_written *out = user;
    page_work w = {.m = out->user, .pool = out->pool};
    const dd_page_head head = {
        .title = dd_method_name(w.m),
        .subtitle = dd_pool_printf(w.pool, "%s, %u stage%s, order %u", dd_method_kind_name(dd_method_kind_of(w.m)),
                                   dd_method_stages(w.m), dd_method_stages(w.m) == 1 ? "" : "s", dd_method_order(w.m)),
        .doc = "",
        .failure = ""};
    w.page = dd_page_begin(w.pool, &head);
    dd_page_section(w.page, "Facts");
    add_facts(&w);
    add_tableau(&w);
    /* the picture of --plot, without its headline */
    dd_text svg = dd_text_new(w.pool);
    dd_region region = dd_method_region(w.m);
    region.title = region.subtitle = "";
    dd_region_svg(&svg, &region);
    dd_page_section(w.page, "Stability");
    dd_page_add_picture(w.page, "stability region",
                        "where the solution of x' = \xCE\xBBx does not grow, over z = h\xCE\xBB", dd_text_str(&svg));
    out->text = dd_text_new(out->pool);
    dd_page_end(w.page, &out->text);
}

dd_status dd_method_write_report(dd_method *method, const char *path)
{
    if (method == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_written_make(&(dd_written){.ctx = method->ctx, .user = method, .path = path}, page_body);
}
