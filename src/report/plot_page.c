/* plot_page.c - the HTML around the plots. No scripts, no fonts, nothing from elsewhere. */
#include "report/plot_page.h"

static const char style[] =
    "body{font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Helvetica,Arial,sans-serif;color:#222;background:#fff;"
    "max-width:84rem;margin:0 auto;padding:1.6rem 1.4rem 3rem}\n"
    "h1{font-size:1.7rem;margin:0;line-height:1.2}h2{font-size:1.05rem;margin:2rem 0 .6rem}\n"
    ".sub,.doc{color:#666;margin:.2rem 0}.fail{border-left:4px solid #c0392b;background:#fdf3f2;margin:1rem 0;"
    "padding:.6rem 1rem}\n"
    ".figs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:1rem 1.6rem;"
    "margin-top:1.2rem}\n"
    "figure{margin:0;break-inside:avoid;max-width:52rem}figcaption{font-weight:600}"
    "figcaption span{font-weight:400;color:#666}\n"
    "svg{display:block;width:100%;height:auto}\n"
    ".tabs{display:flex;flex-wrap:wrap;gap:0 4rem}table{border-collapse:collapse}"
    "td{padding:.15rem 1.6rem .15rem 0;border-bottom:1px solid #eee}"
    "td+td{text-align:right;padding-right:0;font-variant-numeric:tabular-nums}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1d1f}.sub,.doc,figcaption span{color:#9a9a9a}"
    ".fail{background:#3a2220}td{border-color:#333}svg text{fill:#ccc}.g{stroke:#333}.f{stroke:#888}\n"
    "path[stroke=\"#0072b2\"]{stroke:#4aa8e8}path[stroke=\"#444444\"]{stroke:#bbb}"
    "path[stroke=\"#d55e00\"]{stroke:#ee8030}path[stroke=\"#009e73\"]{stroke:#20c095}}\n"
    "@media print{body{font-size:10pt;padding:0;max-width:none}.figs{grid-template-columns:1fr 1fr}}\n";

static void add_tag(dd_text *out, const char *tag, const char *css, const char *text)
{
    /* empty texts leave no empty elements */
    if (text[0] == '\0') {
        return;
    }
    dd_text_printf(out, "<%s%s%s%s>", tag, css[0] ? " class=\"" : "", css, css[0] ? "\"" : "");
    dd_html_text(out, text);
    dd_text_printf(out, "</%s>\n", tag);
}

static void add_figure(dd_text *out, const dd_page_figure *f)
{
    dd_text_add(out, "<figure><figcaption>");
    dd_html_text(out, f->title);
    /* unit, documentation and note in grey behind the title */
    if (f->unit[0]) {
        dd_text_add(out, " <span>[");
        dd_html_text(out, f->unit);
        dd_text_add(out, "]</span>");
    }
    const char *const more[] = {f->doc, f->note};
    for (size_t i = 0; i < 2; i++) {
        if (more[i][0]) {
            dd_text_add(out, " <span>\xC2\xB7 ");
            dd_html_text(out, more[i]);
            dd_text_add(out, "</span>");
        }
    }
    dd_text_add(out, "</figcaption>\n");
    dd_plot_svg(out, &f->plot);
    dd_text_add(out, "</figure>\n");
}

/* Figures in groups, each with its heading. */
static void add_figures(dd_text *out, const dd_page *page)
{
    dd_text_add(out, "<div class=\"figs\">\n");
    /* a heading ends one grid of figures and begins the next */
    for (uint32_t i = 0; i < page->n_figures; i++) {
        if (page->figures[i].heading != NULL) {
            dd_text_add(out, "</div>\n");
            add_tag(out, "h2", "", page->figures[i].heading);
            dd_text_add(out, "<div class=\"figs\">\n");
        }
        add_figure(out, &page->figures[i]);
    }
    dd_text_add(out, "</div>\n");
}

static void add_table(dd_text *out, const dd_page_table *t)
{
    const dd_page_row *rows = t->rows;
    if (t->count == 0) {
        return;
    }
    dd_text_add(out, "<section>");
    add_tag(out, "h2", "", t->title);
    dd_text_add(out, "<table>\n");
    for (uint32_t i = 0; i < t->count; i++) {
        dd_text_add(out, "<tr><td>");
        dd_html_text(out, rows[i].name);
        dd_text_add(out, "</td><td>");
        dd_html_text(out, rows[i].value);
        dd_text_add(out, "</td></tr>\n");
    }
    dd_text_add(out, "</table>\n");
    add_tag(out, "p", "sub", t->note);
    dd_text_add(out, "</section>\n");
}

void dd_page_html(dd_text *out, const dd_page *page)
{
    /* a page by itself: its style is inside */
    dd_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    add_tag(out, "title", "", page->title);
    dd_text_printf(out, "<style>\n%s%s</style></head><body>\n", dd_plot_style, style);
    /* headline, documentation, method, reason of a failure */
    add_tag(out, "h1", "", page->title);
    add_tag(out, "p", "doc", page->doc);
    add_tag(out, "p", "sub", page->subtitle);
    add_tag(out, "p", "fail", page->failure);
    add_tag(out, "p", "fail", page->note != NULL ? page->note : "");
    /* figures, messages, tables */
    add_figures(out, page);
    add_tag(out, "p", "sub", page->figures_note);
    if (page->n_messages > 0) {
        dd_text_add(out, "<h2>Messages</h2>\n<ul>\n");
        for (uint32_t i = 0; i < page->n_messages; i++) {
            add_tag(out, "li", "", page->messages[i]);
        }
        dd_text_add(out, "</ul>\n");
    }
    dd_text_add(out, "<div class=\"tabs\">\n");
    for (uint32_t i = 0; i < page->n_tables; i++) {
        add_table(out, &page->tables[i]);
    }
    dd_text_add(out, "</div>\n</body></html>\n");
}
