/* draw_shape.c - one shape of a drawing: kind(points, keyword = value). What every kind takes is a row of `rules`. */
#include <string.h>

#include "lang/draw.h"

/* ---- what a kind takes ---- */

enum {
    RADIUS = 1,
    SIZE = 2,
    ROTATION = 4,
    SCALE = 8,
    DURATION = 16,
    COILS = 32,
    CLOSED = 64,
    HEIGHT = 128,
    LENGTH = 256,
    LOOK = 512 /* colour, opacity, label: all have them */
};

static const struct keyword {
    const char *name;
    unsigned bit;
} keywords[] = {{"radius", RADIUS},     {"size", SIZE},   {"rotation", ROTATION}, {"scale", SCALE},
                {"duration", DURATION}, {"coils", COILS}, {"closed", CLOSED},     {"height", HEIGHT},
                {"length", LENGTH},     {"colour", LOOK}, {"color", LOOK},        {"opacity", LOOK},
                {"label", LOOK}};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static const struct rule {
    unsigned allowed, needed;
    const char *usage;
} rules[DD_SHAPE_COUNT] = {
    [DD_SHAPE_POINT] = {RADIUS, 0, "point(p, radius = 0.02)"},
    [DD_SHAPE_SPHERE] = {RADIUS, RADIUS, "sphere(p, radius = 0.1)"},
    [DD_SHAPE_LINE] = {RADIUS | CLOSED, 0, "line(a, b, radius = 0.01)"},
    [DD_SHAPE_CYLINDER] = {RADIUS, RADIUS, "cylinder(a, b, radius = 0.05)"},
    [DD_SHAPE_SPRING] = {RADIUS | COILS, 0, "spring(a, b, radius = 0.05, coils = 8)"},
    [DD_SHAPE_BOX] = {SIZE | ROTATION, SIZE, "box(p, size = {0.2, 0.1, 0.1}, rotation = R)"},
    [DD_SHAPE_HINGE] = {RADIUS, 0, "hinge(p, axis)"},
    [DD_SHAPE_FRAME] = {LENGTH | ROTATION, 0, "frame(p, rotation = R, length = 0.1)"},
    [DD_SHAPE_ARROW] = {SCALE | RADIUS, 0, "arrow(p, f, scale = 0.01)"},
    [DD_SHAPE_TRAIL] = {DURATION, 0, "trail(p, duration = 2)"},
    [DD_SHAPE_TEXT] = {0, 0, "text(p, \"start\")"},
    [DD_SHAPE_GROUND] = {HEIGHT, 0, "ground(height = 0)"},
};

dd_shape_kind dd_draw_kind(const char *name)
{
    uint32_t kind = 0;
    while (kind < DD_SHAPE_COUNT && strcmp(name, dd_shape_name((dd_shape_kind)kind)) != 0) {
        kind++;
    }
    return (dd_shape_kind)kind;
}

/* ---- keywords ---- */

static bool read_size(dd_draw_reading *r, dd_form f)
{
    return dd_draw_vector(
        r, f, r->dims == 2 ? "the size of a box in the plane has two numbers" : "the size of a box has three numbers",
        r->part[DD_PART_SIZE]);
}

static bool read_text(dd_draw_reading *r, dd_form f, const char *name, const char **to)
{
    const dd_form_node *node = dd_form_get(r->d->fl->m->forms, f);
    if (node->op != DD_FORM_STRING) {
        dd_error(r->d->fl->ctx, node->span, "%s is a text in quotes", name);
        return false;
    }
    *to = dd_names_get(r->d->fl->m->names, node->payload);
    return true;
}

static bool read_look(dd_draw_reading *r, const char *name, dd_form f)
{
    dd_flattener *fl = r->d->fl;
    dd_shape_look *look = &r->shape.look;
    const char *colour;
    /* a text, a part of the whole, or the name of a colour */
    if (strcmp(name, "label") == 0) {
        return read_text(r, f, name, &look->label);
    }
    if (strcmp(name, "opacity") == 0) {
        const dd_span span = dd_form_get(fl->m->forms, f)->span;
        if (dd_draw_constant(r, f, name, &look->opacity) && (look->opacity < 0 || look->opacity > 1)) {
            dd_error(fl->ctx, span, "opacity is a number from 0 to 1");
            return false;
        }
        return true;
    }
    if (!read_text(r, f, name, &colour)) {
        return false;
    }
    look->colour = dd_colour_named(colour);
    if (look->colour < 0) {
        const char *near = dd_colour_suggest(colour);
        dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                 near != NULL ? "there is no colour \"%s\": did you mean \"%s\"?"
                              : "there is no colour \"%s\": write a name such as \"red\", or \"#rrggbb\"",
                 colour, near);
    }
    return look->colour >= 0;
}

static bool read_closed(dd_draw_reading *r, dd_form f)
{
    return dd_elaborate_boolean(&r->d->fl->el, f, r->env, &r->shape.closed);
}

/* The keyword of this name that the kind takes; NULL after a message. */
static const struct keyword *find_keyword(dd_draw_reading *r, const char *name, dd_span span)
{
    const dd_shape_kind kind = r->shape.kind;
    const char *names[KEYWORDS];
    size_t n = 0;
    for (size_t i = 0; i < KEYWORDS; i++) {
        if ((keywords[i].bit & (rules[kind].allowed | LOOK)) == 0) {
            continue;
        }
        if (strcmp(keywords[i].name, name) == 0) {
            return &keywords[i];
        }
        names[n++] = keywords[i].name;
    }
    const char *near = dd_closest_name(name, names, n);
    dd_error(r->d->fl->ctx, span, near != NULL ? "%s has no %s: did you mean %s?" : "%s has no %s; an example is %s",
             dd_shape_name(kind), name, near != NULL ? near : rules[kind].usage);
    return NULL;
}

static bool read_keyword(dd_draw_reading *r, dd_form named)
{
    dd_flattener *fl = r->d->fl;
    const dd_form_node node = *dd_form_get(fl->m->forms, named);
    const char *name = dd_names_get(fl->m->names, node.payload);
    const dd_form f = dd_form_arg(fl->m->forms, named, 0);
    const struct keyword *k = find_keyword(r, name, node.span);
    if (k == NULL) {
        return false;
    }
    /* each has its own kind of value */
    r->given |= k->bit;
    switch (k->bit) {
    case RADIUS:
    case LENGTH:
        return dd_draw_scalar(r, f, name, &r->part[DD_PART_RADIUS][0]);
    case SIZE:
        return read_size(r, f);
    case ROTATION:
        return dd_draw_rotation(r, f);
    case SCALE:
    case DURATION:
    case COILS:
        return dd_draw_constant(r, f, name, &r->shape.look.scale);
    case CLOSED:
        return read_closed(r, f);
    case HEIGHT: {
        dd_dag *g = fl->m->dag;
        dd_expr at[3] = {dd_num(g, 0), dd_num(g, 0), dd_num(g, 0)};
        const bool ok = dd_draw_scalar(r, f, name, &at[2]);
        memcpy(r->points.data, at, sizeof at);
        return ok;
    }
    default:
        return read_look(r, name, f);
    }
}

/* ---- the shape ---- */

/* Arguments without a name: points, then the vector of an arrow or the words of a text. */
static bool read_positional(dd_draw_reading *r, dd_form f, uint32_t at)
{
    static const uint8_t points[] = {
#define DD_SHAPE_POINTS(id, name, n) n,
        DD_SHAPE_LIST(DD_SHAPE_POINTS)
#undef DD_SHAPE_POINTS
    };
    const dd_shape_kind kind = r->shape.kind;
    dd_flattener *fl = r->d->fl;
    if (kind != DD_SHAPE_GROUND && (kind == DD_SHAPE_LINE || at < points[kind])) {
        return dd_draw_point(r, f);
    }
    if (kind == DD_SHAPE_ARROW && at == 1) {
        return dd_draw_vector(r, f, "the second argument of arrow is a vector of two or three numbers",
                              r->part[DD_PART_VECTOR]);
    }
    if (kind == DD_SHAPE_HINGE && at == 1 && r->dims == 3) {
        r->shape.has[DD_PART_VECTOR] = true;
        return dd_draw_vector(r, f, "the axis of a hinge is a vector of three numbers", r->part[DD_PART_VECTOR]);
    }
    if (kind == DD_SHAPE_TEXT && at == 1) {
        return read_text(r, f, "the second argument of text", &r->words);
    }
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s has too many arguments; an example is %s",
             dd_shape_name(kind), rules[kind].usage);
    return false;
}

static bool is_complete(dd_draw_reading *r, dd_span span, uint32_t positional)
{
    const dd_shape_kind kind = r->shape.kind;
    const bool two =
        kind == DD_SHAPE_CYLINDER || kind == DD_SHAPE_SPRING || kind == DD_SHAPE_ARROW || kind == DD_SHAPE_TEXT;
    const bool few = kind == DD_SHAPE_LINE ? r->shape.n_points < 2
                                           : positional < (two                       ? 2u
                                                           : kind == DD_SHAPE_GROUND ? 0u
                                                                                     : 1u);
    if (few || (rules[kind].needed & ~r->given) != 0) {
        dd_error(r->d->fl->ctx, span, "%s needs more: an example is %s", dd_shape_name(kind), rules[kind].usage);
        return false;
    }
    return true;
}

static bool read_arguments(dd_draw_reading *r, dd_form call)
{
    const dd_forms *forms = r->d->fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, call);
    uint32_t positional = 0;
    bool ok = true;
    /* points first, since they say whether the shape is in the plane */
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        const dd_form f = dd_form_arg(forms, call, i);
        if (dd_form_get(forms, f)->op != DD_FORM_NAMED_ARG) {
            ok = read_positional(r, f, positional++);
        }
    }
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        const dd_form f = dd_form_arg(forms, call, i);
        if (dd_form_get(forms, f)->op == DD_FORM_NAMED_ARG) {
            ok = read_keyword(r, f);
        }
    }
    return ok && is_complete(r, node.span, positional);
}

static void store(dd_draw_reading *r)
{
    dd_drawing *drawing = r->d->drawing;
    dd_pool *pool = dd_dag_pool(drawing->dag);
    dd_scene_shape *s = &r->shape;
    s->first = drawing->numbers.len;
    s->plane = r->dims == 2;
    for (uint32_t i = 0; i < r->points.len; i++) {
        dd_vec_push(pool, &drawing->numbers, r->points.data[i]);
    }
    /* parts behind the points, in the order of their kinds */
    for (uint32_t part = 0; part < DD_PART_COUNT; part++) {
        for (uint32_t k = 0; s->has[part] && k < dd_shape_part_size[part]; k++) {
            dd_vec_push(pool, &drawing->numbers, r->part[part][k]);
        }
    }
    /* texts of the class are gone after flattening; those of names live as long as the model */
    s->look.name = r->d->instance->path[0] != '\0' ? dd_pool_printf(pool, "%s.%s", r->d->instance->path, r->d->name)
                                                   : dd_pool_strdup(pool, r->d->name);
    dd_vec_push(pool, &drawing->shapes, *s);
}

bool dd_draw_shape(dd_draw *d, dd_form call, const dd_form_env *env)
{
    dd_flattener *fl = d->fl;
    const dd_form_node node = *dd_form_get(fl->m->forms, call);
    dd_draw_reading r = {.d = d, .env = env, .words = ""};
    r.shape = (dd_scene_shape){.kind = dd_draw_kind(dd_names_get(fl->m->names, node.payload)),
                               .look = {.label = "", .colour = -1, .opacity = 1}};
    const dd_shape_kind kind = r.shape.kind;
    r.usage = rules[kind].usage;
    if (kind == DD_SHAPE_GROUND) {
        const dd_expr zero = dd_num(fl->m->dag, 0);
        dd_draw_push_point(&r, (dd_expr[]){zero, zero, zero});
    }
    dd_draw_no_rotation(&r);
    const bool ok = read_arguments(&r, call);
    r.shape.has[DD_PART_SIZE] = kind == DD_SHAPE_BOX;
    r.shape.has[DD_PART_AXES] = kind == DD_SHAPE_BOX || kind == DD_SHAPE_FRAME;
    r.shape.has[DD_PART_VECTOR] |= kind == DD_SHAPE_ARROW;
    r.shape.has[DD_PART_RADIUS] = (r.given & (RADIUS | LENGTH)) != 0;
    r.shape.look.label = kind == DD_SHAPE_TEXT ? r.words : r.shape.look.label;
    if (ok) {
        store(&r);
    }
    dd_vec_free(fl->pool, &r.points);
    return ok;
}
