/* scene_data.c - a scene for the viewer of a page (web/scene_*.js): shapes and view as JSON, frames in base64.
 *
 *   {"title", "plane", "low": [x,y,z], "high": [..], "columns": n, "left_out",
 *    "view": {"from": [..], "centre": [..], "width", "follow": [n,n,n]},
 *    "shapes": [{"kind", "name", "label", "colour", "opacity", "scale", "closed", "p": [n..], "size", "axes", "vector", "radius"}],
 *    "motions": [{"name", "frames", "time": base64, "data": base64}]}
 *
 * n is a number, or [c] for column c. time has doubles; data has the columns one after the other, a float per frame each. */
#include <math.h>

#include "base/json.h"
#include "report/base64.h"
#include "report/scene.h"

/* ---- numbers ---- */

static void add_times(dd_text *out, const dd_scene_motion *m)
{
    dd_base64 e = {.out = out};
    for (uint32_t f = 0; f < m->frames; f++) {
        dd_base64_double(&e, m->time[f]);
    }
    dd_base64_end(&e);
}

static void add_columns(dd_text *out, const dd_scene *s, const dd_scene_motion *m)
{
    dd_base64 e = {.out = out};
    for (uint32_t c = 0; c < s->n_columns; c++) {
        for (uint32_t f = 0; f < m->frames; f++) {
            dd_base64_float(&e, (double)m->columns[(size_t)f * s->n_columns + c]);
        }
    }
    dd_base64_end(&e);
}

/* ---- JSON ---- */

static void add_place(dd_json *j, const dd_scene_place *p)
{
    if (p->column == UINT32_MAX) {
        dd_json_number(j, isfinite(p->value) ? (double)(float)p->value : 0);
        return;
    }
    dd_json_begin_array(j);
    dd_json_int(j, p->column);
    dd_json_end_array(j);
}

static void add_places(dd_json *j, const char *key, const dd_scene_place *p, uint32_t n)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < n; i++) {
        add_place(j, p + i);
    }
    dd_json_end_array(j);
}

static void add_vector(dd_json *j, const char *key, const double v[3])
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t k = 0; k < 3; k++) {
        dd_json_number(j, v[k]);
    }
    dd_json_end_array(j);
}

static void add_shape(dd_json *j, const dd_scene *s, const dd_scene_shape *shape, double longest)
{
    static const char *const parts[] = {"size", "axes", "vector", "radius"};
    const dd_scene_place *places = s->places + shape->first;
    char colour[16];
    dd_json_begin_object(j);
    dd_json_put_string(j, "kind", dd_shape_name(shape->kind));
    dd_json_put_string(j, "name", shape->look.name);
    /* only what differs from the default */
    if (shape->look.label[0] != '\0') {
        dd_json_put_string(j, "label", shape->look.label);
    }
    if (shape->look.colour >= 0) {
        dd_snprintf(colour, sizeof colour, "#%06x", (unsigned)shape->look.colour);
        dd_json_put_string(j, "colour", colour);
    }
    if (shape->look.opacity < 1) {
        dd_json_put_number(j, "opacity", shape->look.opacity);
    }
    if (shape->look.scale != 0) {
        dd_json_put_number(j, "scale", shape->look.scale);
    }
    if (shape->kind == DD_SHAPE_ARROW) {
        dd_json_put_number(j, "longest", longest);
    }
    if (shape->closed) {
        dd_json_key(j, "closed");
        dd_json_bool(j, true);
    }
    add_places(j, "p", places, 3 * shape->n_points);
    for (uint32_t part = 0; part < DD_PART_COUNT; part++) {
        if (shape->has[part]) {
            add_places(j, parts[part], places + dd_shape_offset(shape, (dd_shape_part)part), dd_shape_part_size[part]);
        }
    }
    dd_json_end_object(j);
}

static void add_view(dd_json *j, const dd_scene *s)
{
    const dd_scene_view *v = &s->view;
    dd_json_key(j, "view");
    dd_json_begin_object(j);
    if (v->has_from) {
        add_vector(j, "from", v->from);
    }
    if (v->has_centre) {
        add_vector(j, "centre", v->centre);
    }
    if (v->has_width) {
        dd_json_put_number(j, "width", v->width);
    }
    if (v->follow != UINT32_MAX) {
        add_places(j, "follow", s->places + v->follow, 3);
    }
    dd_json_end_object(j);
}

static void add_motions(dd_json *j, const dd_scene *s)
{
    dd_json_key(j, "motions");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < s->n_motions; i++) {
        const dd_scene_motion *m = &s->motions[i];
        dd_text bytes = dd_text_new(j->out->pool);
        dd_json_begin_object(j);
        dd_json_put_string(j, "name", m->name);
        dd_json_put_int(j, "frames", m->frames);
        add_times(&bytes, m);
        dd_json_put_string(j, "time", dd_text_str(&bytes));
        dd_text_clear(&bytes);
        add_columns(&bytes, s, m);
        dd_json_put_string(j, "data", dd_text_str(&bytes));
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

void dd_scene_json(dd_text *out, const dd_scene *s)
{
    dd_json j = dd_json_new(out);
    const double *longest = dd_scene_longest(s, out->pool);
    double low[3], high[3];
    dd_scene_bounds(s, low, high);
    dd_json_begin_object(&j);
    dd_json_put_string(&j, "title", s->title);
    dd_json_key(&j, "plane");
    dd_json_bool(&j, dd_scene_is_plane(s));
    add_vector(&j, "low", low);
    add_vector(&j, "high", high);
    dd_json_put_int(&j, "columns", s->n_columns);
    dd_json_put_int(&j, "left_out", s->left_out);
    add_view(&j, s);
    dd_json_key(&j, "shapes");
    dd_json_begin_array(&j);
    for (uint32_t i = 0; i < s->n_shapes; i++) {
        add_shape(&j, s, &s->shapes[i], longest[i]);
    }
    dd_json_end_array(&j);
    add_motions(&j, s);
    dd_json_end_object(&j);
}
