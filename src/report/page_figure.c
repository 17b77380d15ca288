/* page_figure.c - a figure of a page: its caption, its picture, and what the interactive plot needs as JSON. */
#include <math.h>

#include "base/json.h"
#include "report/page_private.h"

static void add_caption(dd_text *out, const dd_page_figure *f)
{
    dd_text_add(out, "<figcaption>");
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
}

static void put_flag(dd_json *j, const char *key, bool value)
{
    if (value) {
        dd_json_key(j, key);
        dd_json_bool(j, true);
    }
}

static void put_words(dd_json *j, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        dd_json_put_string(j, key, text);
    }
}

static void put_numbers(dd_json *j, const char *key, const double *values, uint32_t n)
{
    if (n > 0) {
        dd_json_key(j, key);
        dd_json_begin_array(j);
        for (uint32_t i = 0; i < n; i++) {
            dd_json_number(j, values[i]);
        }
        dd_json_end_array(j);
    }
}

static void put_bound(dd_json *j, const char *key, bool bounded, double value)
{
    if (bounded && isfinite(value)) {
        dd_json_put_number(j, key, value);
    }
}

static void put_x(dd_page_writer *w, dd_json *j, const dd_plot *p)
{
    dd_json_key(j, "x");
    dd_json_begin_object(j);
    dd_json_put_string(j, "name", p->x_name);
    put_words(j, "unit", p->x_unit);
    if (p->count > 0) {
        dd_json_put_int(j, "column", dd_page_column(w, p->x, p->count, p->stride));
    }
    put_flag(j, "integer", p->x_whole);
    put_flag(j, "log", p->log_x);
    if (!p->path && isfinite(p->x_end) && p->count > 0 && p->x_end > p->x[(p->count - 1) * p->stride]) {
        dd_json_put_number(j, "to", p->x_end);
    }
    dd_json_end_object(j);
}

static void put_lines(dd_page_writer *w, dd_json *j, const dd_plot *p)
{
    dd_json_key(j, "lines");
    dd_json_begin_array(j);
    for (uint32_t k = 0; k < p->n_lines; k++) {
        static const char *const styles[] = {"", "dashed", "points", "bars", "marked", "area"};
        const dd_plot_line *l = &p->lines[k];
        const bool own = l->x != NULL;
        /* how it looks; then its columns, on its own x or on that of the plot */
        dd_json_begin_object(j);
        dd_json_put_string(j, "name", l->name);
        put_words(j, "unit", l->unit);
        put_words(j, "style", styles[l->style]);
        put_flag(j, "hidden", l->hidden);
        if (l->colour > 0) {
            dd_json_put_int(j, "colour", l->colour - 1);
        }
        put_flag(j, "bounded", l->bounded);
        put_bound(j, "lower", l->bounded, l->lower);
        put_bound(j, "upper", l->bounded, l->upper);
        if (own) {
            dd_json_put_int(j, "x", dd_page_column(w, l->x, l->count, 1));
        }
        dd_json_put_int(j, "y", dd_page_column(w, l->y, own ? l->count : p->count, own ? 1 : p->stride));
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

/* Heights of the rows of a heat map; the lines are its values. */
static void put_heat(dd_json *j, const dd_plot *p)
{
    if (p->heat != NULL) {
        dd_json_put_string(j, "ground", "heat");
        put_words(j, "heatName", p->heat_name);
        put_numbers(j, "heat", p->heat, p->n_lines);
    }
}

static void put_plot(dd_page_writer *w, dd_json *j, const dd_page_figure *f)
{
    const dd_plot *p = &f->plot;
    dd_json_begin_object(j);
    dd_json_put_string(j, "title", f->title);
    put_words(j, "unit", f->unit);
    put_words(j, "doc", f->doc);
    put_x(w, j, p);
    put_lines(w, j, p);
    put_numbers(j, "levels", p->levels, p->n_levels);
    put_bound(j, "lower", p->bounded, p->lower);
    put_bound(j, "upper", p->bounded, p->upper);
    put_numbers(j, "marks", p->marks, p->n_marks);
    put_words(j, "markName", p->n_marks == 0 ? "" : p->mark_name != NULL ? p->mark_name : "event");
    put_flag(j, "log", p->log);
    put_flag(j, "path", p->path);
    put_flag(j, "equal", p->equal);
    put_heat(j, p);
    dd_json_end_object(j);
}

void dd_page_add_picture_with(dd_page_writer *w, const char *title, const char *doc, const char *svg, const char *mark,
                              const char *json)
{
    const dd_page_figure f = {.title = title, .doc = doc, .unit = "", .note = ""};
    dd_page_enter(w, DD_OPEN_FIGURES);
    dd_text_printf(&w->body, "<figure%s%s>\n", mark[0] != '\0' ? " " : "", mark);
    add_caption(&w->body, &f);
    dd_text_add(&w->body, "<div class=\"static picture\">");
    dd_text_add(&w->body, svg);
    dd_text_add(&w->body, "</div>\n");
    if (json[0] != '\0') {
        dd_text_add(&w->body, "<script type=\"application/json\">");
        dd_page_json(&w->body, json);
        dd_text_add(&w->body, "</script>");
    }
    dd_text_add(&w->body, "</figure>\n");
}

void dd_page_add_picture(dd_page_writer *w, const char *title, const char *doc, const char *svg)
{
    dd_page_add_picture_with(w, title, doc, svg, "", "");
}

void dd_page_add_figure(dd_page_writer *w, const dd_page_figure *f)
{
    dd_page_enter(w, DD_OPEN_FIGURES);
    w->n_figures++;
    dd_text_add(&w->body, "<figure data-plot>\n");
    add_caption(&w->body, f);
    /* the picture: for print, and where scripts do not run */
    dd_text_add(&w->body, "<div class=\"static\">");
    dd_plot_svg(&w->body, &f->plot);
    dd_text_add(&w->body, "</div>\n<script type=\"application/json\">");
    dd_text json = dd_text_new(w->pool);
    dd_json j = dd_json_new(&json);
    put_plot(w, &j, f);
    dd_page_json(&w->body, dd_text_str(&json));
    dd_text_add(&w->body, "</script></figure>\n");
}
