/* page.c - the HTML of a page: head, contents, sections, tables; then numbers and scripts. */
#include "report/page.h"

#include <string.h>

#include "report/base64.h"
#include "report/page_private.h"
#include "report/scene.h"
#include "report/web.h"

/* ---- pieces ---- */

void dd_page_tag(dd_text *out, const char *tag, const char *css, const char *text)
{
    /* empty texts leave no empty elements */
    if (text == NULL || text[0] == '\0') {
        return;
    }
    dd_text_printf(out, "<%s%s%s%s>", tag, css[0] ? " class=\"" : "", css, css[0] ? "\"" : "");
    dd_html_text(out, text);
    dd_text_printf(out, "</%s>\n", tag);
}

void dd_page_enter(dd_page_writer *w, dd_page_open kind)
{
    static const char *const begin[] = {"", "<div class=\"figs\">\n", "<div class=\"tabs\">\n"};
    if (w->open == kind) {
        return;
    }
    if (w->open != DD_OPEN_NOTHING) {
        dd_text_add(&w->body, "</div>\n");
    }
    dd_text_add(&w->body, begin[kind]);
    w->open = kind;
}

dd_page_writer *dd_page_begin(dd_pool *pool, const dd_page_head *head)
{
    dd_page_writer *w = dd_pool_alloc(pool, sizeof *w);
    *w = (dd_page_writer){.pool = pool, .head = *head, .columns = dd_page_columns_new(pool)};
    w->body = dd_text_new(pool);
    return w;
}

void dd_page_section(dd_page_writer *w, const char *title)
{
    dd_page_enter(w, DD_OPEN_NOTHING);
    dd_vec_push(w->pool, &w->sections, title);
    dd_text_printf(&w->body, "<h2 id=\"s%u\">", w->sections.len);
    dd_html_text(&w->body, title);
    dd_text_add(&w->body, "</h2>\n");
}

void dd_page_add_note(dd_page_writer *w, const char *text)
{
    dd_page_enter(w, DD_OPEN_NOTHING);
    dd_page_tag(&w->body, "p", "note", text);
}

void dd_page_add_list(dd_page_writer *w, const char *const *items, uint32_t count)
{
    dd_page_enter(w, DD_OPEN_NOTHING);
    dd_text_add(&w->body, "<ul>\n");
    for (uint32_t i = 0; i < count; i++) {
        dd_page_tag(&w->body, "li", "", items[i]);
    }
    dd_text_add(&w->body, "</ul>\n");
}

void dd_page_add_markup(dd_page_writer *w, const char *html)
{
    dd_page_enter(w, DD_OPEN_NOTHING);
    dd_text_add(&w->body, html);
}

void dd_page_use_scripts(dd_page_writer *w, const char *prefix)
{
    dd_vec_push(w->pool, &w->prefixes, prefix);
}

uint32_t dd_page_column(dd_page_writer *w, const double *values, uint64_t count, size_t stride)
{
    return dd_page_columns_add(w->columns, values, count, stride);
}

void dd_page_json(dd_text *out, const char *json)
{
    for (const char *c = json; *c; c++) {
        /* the two line separators of Unicode end lines in some readers: E2 80 A8 and E2 80 A9 */
        const bool separator = strncmp(c, "\xE2\x80\xA8", 3) == 0 || strncmp(c, "\xE2\x80\xA9", 3) == 0;
        if (*c == '<' || *c == '>' || *c == '&') {
            dd_text_printf(out, "\\u%04x", (unsigned)*c);
        } else if (separator) {
            dd_text_printf(out, "\\u20%02x", (unsigned)(unsigned char)c[2] - 0x80);
            c += 2;
        } else {
            dd_text_add_char(out, *c);
        }
    }
}

/* ---- tables ---- */

static void begin_table(dd_page_writer *w, const char *title)
{
    dd_page_enter(w, DD_OPEN_TABLES);
    dd_text_add(&w->body, "<section>");
    dd_page_tag(&w->body, "h3", "", title);
    dd_text_add(&w->body, "<div class=\"scroll\"><table>\n");
}

static void end_table(dd_page_writer *w, const char *note)
{
    dd_text_add(&w->body, "</table></div>\n");
    dd_page_tag(&w->body, "p", "note", note);
    dd_text_add(&w->body, "</section>\n");
}

static void add_cell(dd_text *out, bool number, const char *text)
{
    dd_text_add(out, number ? "<td class=\"n\">" : "<td>");
    dd_html_text(out, text != NULL ? text : "");
    dd_text_add(out, "</td>");
}

void dd_page_add_table(dd_page_writer *w, const dd_page_table *t)
{
    if (t->count == 0) {
        return;
    }
    begin_table(w, t->title);
    for (uint32_t i = 0; i < t->count; i++) {
        dd_text_add(&w->body, "<tr>");
        add_cell(&w->body, false, t->rows[i].name);
        add_cell(&w->body, true, t->rows[i].value);
        dd_text_add(&w->body, "</tr>\n");
    }
    end_table(w, t->note);
}

/* Words begin at the left, numbers end at the right: a column without a digit has words, also behind numbers. */
static bool is_of_words(const dd_page_grid *g, uint32_t k)
{
    bool words = true;
    for (uint32_t i = 0; i < g->n_rows && k >= g->words; i++) {
        const char *text = g->cells[(size_t)i * g->n_columns + k];
        words = words && (text == NULL || strpbrk(text, "0123456789") == NULL);
    }
    return words;
}

void dd_page_add_grid(dd_page_writer *w, const dd_page_grid *g)
{
    if (g->n_rows == 0) {
        return;
    }
    bool *of_words = dd_pool_alloc_array(w->body.pool, g->n_columns, sizeof *of_words);
    begin_table(w, g->title);
    dd_text_add(&w->body, "<thead><tr>");
    for (uint32_t k = 0; k < g->n_columns; k++) {
        of_words[k] = is_of_words(g, k);
        dd_text_add(&w->body, of_words[k] ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"n\">");
        dd_html_text(&w->body, g->headings[k]);
        dd_text_add(&w->body, "</th>");
    }
    dd_text_add(&w->body, "</tr></thead>\n");
    for (uint32_t i = 0; i < g->n_rows; i++) {
        dd_text_add(&w->body, "<tr>");
        for (uint32_t k = 0; k < g->n_columns; k++) {
            add_cell(&w->body, !of_words[k], g->cells[(size_t)i * g->n_columns + k]);
        }
        dd_text_add(&w->body, "</tr>\n");
    }
    end_table(w, g->note);
}

/* ---- scripts and styles ---- */

static bool ends_with(const char *name, const char *suffix)
{
    const size_t n = strlen(name), m = strlen(suffix);
    return n >= m && strcmp(name + n - m, suffix) == 0;
}

/* Files of a part that pages ask for are named after it; the others are in every page. */
static bool used(const dd_page_writer *w, const char *name)
{
    static const char *const parts[] = {"scene", "study", "matrix"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strncmp(name, parts[k], strlen(parts[k])) == 0) {
            bool asked = false;
            for (uint32_t i = 0; i < w->prefixes.len; i++) {
                asked = asked || strcmp(w->prefixes.data[i], parts[k]) == 0;
            }
            return asked;
        }
    }
    return true;
}

static bool have_plots(void)
{
    for (const dd_web_file *f = dd_web_files; f->name != NULL; f++) {
        if (strcmp(f->name, "uPlot.js") == 0) {
            return true;
        }
    }
    return false;
}

static uint32_t nibble(char c)
{
    return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* A hash as a source that the page allows: base64 of its 32 bytes. */
static void add_hash(dd_text *out, const char *hex)
{
    enum { BYTES = 32 };
    dd_base64 e = {.out = out};
    dd_text_add(out, " 'sha256-");
    for (uint32_t i = 0; i < BYTES; i++) {
        dd_base64_byte(&e, (uint8_t)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1])));
    }
    dd_base64_end(&e);
    dd_text_add(out, "'");
}

static void add_sources(dd_text *out, const dd_page_writer *w, const char *directive, const char *suffix)
{
    dd_text_printf(out, "; %s", directive);
    for (const dd_web_file *f = dd_web_files; f->name != NULL; f++) {
        if (ends_with(f->name, suffix) && used(w, f->name)) {
            add_hash(out, f->sha256);
        }
    }
}

static void add_files(dd_text *out, const dd_page_writer *w, const char *tag, const char *suffix)
{
    for (const dd_web_file *f = dd_web_files; f->name != NULL; f++) {
        if (ends_with(f->name, suffix) && used(w, f->name)) {
            dd_text_printf(out, "<%s>", tag);
            dd_text_add_n(out, f->text, f->length);
            dd_text_printf(out, "</%s>\n", tag);
        }
    }
}

/* ---- all together ---- */

static void add_head(const dd_page_writer *w, dd_text *out)
{
    dd_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    /* nothing is loaded, and only the scripts and styles below may run: markup in a model's text could not */
    dd_text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data: blob:");
    add_sources(out, w, "script-src", ".js");
    add_sources(out, w, "style-src", ".css");
    dd_text_add(out, "\">\n");
    dd_page_tag(out, "title", "", w->head.title);
    add_files(out, w, "style", ".css");
    dd_text_add(out, "</head><body>\n");
}

static void add_top(const dd_page_writer *w, dd_text *out)
{
    /* headline, documentation, method, reason of a failure */
    dd_text_add(out, "<header>\n");
    dd_page_tag(out, "h1", "", w->head.title);
    dd_page_tag(out, "p", "doc", w->head.doc);
    dd_page_tag(out, "p", "sub", w->head.subtitle);
    dd_page_tag(out, "p", "fail", w->head.failure);
    dd_page_tag(out, "p", "fail", w->head.note);
    if (w->n_figures > 0 && !have_plots()) {
        dd_page_tag(
            out, "p", "note",
            "The plots are pictures: this program was built without uPlot, so they have no zoom and no values.");
    }
    /* contents, where there is something to choose */
    if (w->sections.len > 1) {
        dd_text_add(out, "<nav aria-label=\"contents\">");
        for (uint32_t i = 0; i < w->sections.len; i++) {
            dd_text_printf(out, "<a href=\"#s%u\">", i + 1);
            dd_html_text(out, w->sections.data[i]);
            dd_text_add(out, "</a>\n");
        }
        dd_text_add(out, "</nav>\n");
    }
    dd_text_add(out, "</header>\n<main>\n");
}

void dd_page_end(dd_page_writer *w, dd_text *out)
{
    dd_page_enter(w, DD_OPEN_NOTHING);
    const uint64_t kept = have_plots() ? dd_page_columns_thin(w->columns) : 0;
    add_head(w, out);
    add_top(w, out);
    if (kept > 0) {
        dd_page_tag(
            out, "p", "note",
            dd_pool_printf(w->pool,
                           "There are more rows than a page can hold: plots have %llu of the longest table, with "
                           "the lowest and highest values of every stretch. Fewer variables keep more rows.",
                           (unsigned long long)kept));
    }
    dd_text_add_n(out, dd_text_str(&w->body), w->body.len);
    dd_text_add(out, "</main>\n");
    /* numbers and scripts come last, so that the page is there before them */
    if (have_plots()) {
        dd_page_columns_write(w->columns, out);
    }
    add_files(out, w, "script", ".js");
    dd_text_add(out, "</body></html>\n");
}

void dd_page_html(dd_text *out, const dd_page *page)
{
    dd_page_writer *w = dd_page_begin(out->pool, &page->head);
    /* what moves, what is drawn, what was said, numbers: from what is looked at first to what is looked up */
    if (page->scene != NULL) {
        dd_page_add_scene(w, page->scene, out->pool);
    }
    for (uint32_t i = 0; i < page->n_figures; i++) {
        if (page->figures[i].heading != NULL) {
            dd_page_section(w, page->figures[i].heading);
        }
        dd_page_add_figure(w, &page->figures[i]);
    }
    dd_page_add_note(w, page->figures_note);
    if (page->more != NULL) {
        page->more(w, page->more_user);
    }
    if (page->n_messages > 0) {
        dd_page_section(w, "Messages");
        dd_page_add_list(w, page->messages, page->n_messages);
    }
    if (page->n_tables > 0) {
        dd_page_section(w, "Numbers");
    }
    for (uint32_t i = 0; i < page->n_tables; i++) {
        dd_page_add_table(w, &page->tables[i]);
    }
    dd_page_end(w, out);
}
