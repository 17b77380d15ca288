/* film_paint.c - pieces of a pose, painted from the back to the front. A stroke or disk is painted twice, dark and then light
 * and smaller, which makes it look round. */
#include <math.h>
#include <stdlib.h>

#include "report/film.h"
#include "report/plot.h"

static int channel(int32_t colour, int shift, double light)
{
    const double value = colour >> shift & 255;
    /* below 1 towards black, above it towards white */
    return (int)lround(light <= 1 ? value * light : value + (255 - value) * (light - 1));
}

void dd_film_add_colour(dd_text *out, int32_t colour, double light)
{
    dd_text_printf(out, "#%02x%02x%02x", (unsigned)channel(colour, 16, light), (unsigned)channel(colour, 8, light),
                   (unsigned)channel(colour, 0, light));
}

/* ---- pieces ---- */

static void begin(dd_text *out, const char *element, const dd_piece *p, const char *attribute, double light)
{
    dd_text_printf(out, "<%s %s=\"", element, attribute);
    dd_film_add_colour(out, p->colour, light);
    dd_text_add(out, "\"");
    if (p->opacity < 1) {
        dd_text_printf(out, " opacity=\"%.2f\"", p->opacity);
    }
}

static void add_disk(dd_text *out, const dd_piece *p)
{
    begin(out, "circle", p, "fill", 0.72);
    dd_text_printf(out, " cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", p->xy[0], p->xy[1], p->radius);
    begin(out, "circle", p, "fill", 1);
    dd_text_printf(out, " cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", p->xy[0] - 0.06 * p->radius,
                   p->xy[1] - 0.06 * p->radius, 0.88 * p->radius);
    /* a highlight where there is room for one */
    if (p->radius > 4) {
        begin(out, "circle", p, "fill", 1.45);
        dd_text_printf(out, " cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", p->xy[0] - 0.32 * p->radius,
                       p->xy[1] - 0.34 * p->radius, 0.3 * p->radius);
    }
    dd_text_add_char(out, '\n');
}

/* Dark, then light and narrower: round. Thin ones have one colour. */
static double layer(const dd_piece *p, uint32_t k, double *part)
{
    const bool two = p->radius > 1.2;
    *part = k == 0 ? 1 : 0.62;
    return k == 0 && two ? 0.7 : 1.08;
}

static uint32_t layers(const dd_piece *p)
{
    return p->radius > 1.2 ? 2 : 1;
}

static void add_cap(dd_text *out, const dd_piece *p)
{
    for (uint32_t k = 0; k < layers(p); k++) {
        double part;
        begin(out, "circle", p, "fill", layer(p, k, &part));
        dd_text_printf(out, " cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\"/>", p->xy[0], p->xy[1], p->radius * part);
    }
    dd_text_add_char(out, '\n');
}

static void add_stroke(dd_text *out, const dd_piece *p)
{
    for (uint32_t k = 0; k < layers(p); k++) {
        double part;
        begin(out, "path", p, "stroke", layer(p, k, &part));
        dd_text_printf(out, " stroke-width=\"%.2f\" d=\"M%.1f %.1fL%.1f %.1f\"/>", 2 * p->radius * part, p->xy[0],
                       p->xy[1], p->xy[2], p->xy[3]);
    }
    dd_text_add_char(out, '\n');
}

static void add_face(dd_text *out, const dd_piece *p)
{
    const double light = 0.62 + 0.55 * p->light;
    begin(out, "path", p, "fill", light);
    dd_text_add(out, " stroke=\"");
    dd_film_add_colour(out, p->colour, p->smooth ? light : 0.6);
    dd_text_add(out, "\" stroke-width=\".6\" stroke-linejoin=\"round\" d=\"");
    for (uint32_t k = 0; k < DD_FACE_CORNERS; k++) {
        dd_text_printf(out, "%s%.1f %.1f", k == 0 ? "M" : "L", p->xy[2 * k], p->xy[2 * k + 1]);
    }
    dd_text_add(out, "Z\"/>\n");
}

/* A triangle at the end of an arrow, as long as the piece and half as wide. */
static void add_head(dd_text *out, const dd_piece *p)
{
    const double dx = p->xy[2] - p->xy[0], dy = p->xy[3] - p->xy[1], length = hypot(dx, dy);
    const double nx = length > 0 ? -dy / length * p->radius : 0, ny = length > 0 ? dx / length * p->radius : 0;
    begin(out, "path", p, "fill", 1);
    dd_text_printf(out, " d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", p->xy[0] + nx, p->xy[1] + ny, p->xy[2], p->xy[3],
                   p->xy[0] - nx, p->xy[1] - ny);
}

static void add_words(dd_text *out, const dd_piece *p)
{
    dd_text_printf(out, "<text class=\"words\" x=\"%.1f\" y=\"%.1f\">", p->xy[0], p->xy[1]);
    dd_html_text(out, p->words);
    dd_text_add(out, "</text>\n");
}

static void add_piece(dd_text *out, const dd_piece *p)
{
    /* where a motion ends in infinity there is nothing to see */
    for (uint32_t k = 0; k < 2 * DD_FACE_CORNERS; k++) {
        if (!isfinite(p->xy[k])) {
            return;
        }
    }
    switch (p->kind) {
    case DD_PIECE_DISK:
        add_disk(out, p);
        break;
    case DD_PIECE_CAP:
        add_cap(out, p);
        break;
    case DD_PIECE_STROKE:
        add_stroke(out, p);
        break;
    case DD_PIECE_FACE:
        add_face(out, p);
        break;
    case DD_PIECE_HEAD:
        add_head(out, p);
        break;
    default:
        add_words(out, p);
        break;
    }
}

/* ---- order ---- */

/* Words in front of everything; equal depths in the order they were made, so that the result is always the same. */
static int compare(const void *a, const void *b)
{
    const dd_piece *const *x = a, *const *y = b;
    const bool last = (*x)->kind == DD_PIECE_WORDS, other = (*y)->kind == DD_PIECE_WORDS;
    if (last != other) {
        return last ? 1 : -1;
    }
    if ((*x)->depth != (*y)->depth) {
        return (*x)->depth > (*y)->depth ? -1 : 1;
    }
    return *x < *y ? -1 : *x > *y;
}

void dd_film_paint(const dd_film *film, dd_piece_vec *pieces)
{
    const dd_piece **order = dd_pool_alloc_array(film->pool, (size_t)pieces->len + 1, sizeof *order);
    for (uint32_t i = 0; i < pieces->len; i++) {
        order[i] = &pieces->data[i];
        pieces->data[i].depth =
            isfinite(pieces->data[i].depth) ? pieces->data[i].depth : 0; /* sorting needs an order */
    }
    qsort(order, pieces->len, sizeof *order, compare);
    for (uint32_t i = 0; i < pieces->len; i++) {
        add_piece(film->out, order[i]);
    }
}
