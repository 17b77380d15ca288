/* scene.c - reading the numbers of a scene. */
#include "report/scene.h"

#include <math.h>
#include <string.h>

const uint8_t dd_shape_part_size[DD_PART_COUNT] = {3, 6, 3, 1};

const char *dd_shape_name(dd_shape_kind kind)
{
    static const char *const names[] = {
#define DD_SHAPE_TEXT_OF(id, name, ...) name,
        DD_SHAPE_LIST(DD_SHAPE_TEXT_OF)
#undef DD_SHAPE_TEXT_OF
    };
    return names[kind];
}

bool dd_scene_is_plane(const dd_scene *s)
{
    for (uint32_t i = 0; i < s->n_shapes; i++) {
        if (!s->shapes[i].plane && s->shapes[i].kind != DD_SHAPE_GROUND) {
            return false;
        }
    }
    return true;
}

static double number_at(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, uint32_t place)
{
    const dd_scene_place *p = &s->places[place];
    return p->column == UINT32_MAX ? p->value : (double)m->columns[(size_t)frame * s->n_columns + p->column];
}

double dd_scene_number(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, const dd_scene_shape *shape,
                       uint32_t i)
{
    return number_at(s, m, frame, shape->first + i);
}

void dd_scene_follow(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, double at[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        at[k] = number_at(s, m, frame, s->view.follow + k);
    }
}

uint32_t dd_shape_offset(const dd_scene_shape *shape, dd_shape_part part)
{
    uint32_t at = 3 * shape->n_points;
    for (uint32_t k = 0; k < (uint32_t)part; k++) {
        at += shape->has[k] ? dd_shape_part_size[k] : 0u;
    }
    return at;
}

uint32_t dd_scene_frame(const dd_scene_motion *m, double t)
{
    /* times do not decrease: by halves */
    uint32_t low = 0, high = m->frames;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(m->time[middle] <= t ? &low : &high) = middle;
    }
    return low;
}

/* ---- over all frames ---- */

typedef struct bounds {
    double low[3], high[3];
} bounds;

static void include(bounds *b, const double at[3], double around)
{
    for (uint32_t k = 0; k < 3; k++) {
        if (isfinite(at[k])) {
            b->low[k] = fmin(b->low[k], at[k] - around);
            b->high[k] = fmax(b->high[k], at[k] + around);
        }
    }
}

/* How far a shape reaches around its points. */
static double reach(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, const dd_scene_shape *shape)
{
    double sum = 0;
    if (shape->has[DD_PART_SIZE]) {
        const uint32_t at = dd_shape_offset(shape, DD_PART_SIZE);
        for (uint32_t k = 0; k < 3; k++) {
            const double half = 0.5 * dd_scene_number(s, m, frame, shape, at + k);
            sum += half * half;
        }
        return isfinite(sum) ? sqrt(sum) : 0;
    }
    if (shape->has[DD_PART_RADIUS]) {
        const double radius = dd_scene_number(s, m, frame, shape, dd_shape_offset(shape, DD_PART_RADIUS));
        return isfinite(radius) ? fabs(radius) : 0;
    }
    return 0;
}

static void include_shape(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, const dd_scene_shape *shape,
                          bounds *b)
{
    const double around = reach(s, m, frame, shape);
    for (uint32_t p = 0; p < shape->n_points; p++) {
        double at[3];
        for (uint32_t k = 0; k < 3; k++) {
            at[k] = dd_scene_number(s, m, frame, shape, 3 * p + k);
        }
        include(b, at, around);
    }
}

/* The ground has no sides, but a height: it is in view unless everything else became too small to be seen. */
static void include_grounds(const dd_scene *s, bounds *b)
{
    enum { FAR = 4 }; /* times the extent of the others: a fifth of the picture is left to them */
    double extent = 0;
    for (uint32_t k = 0; k < 3; k++) {
        extent = fmax(extent, b->high[k] - b->low[k]);
    }
    const double low = b->low[2] - FAR * extent, high = b->high[2] + FAR * extent;
    for (uint32_t i = 0; i < s->n_shapes && extent > 0; i++) {
        if (s->shapes[i].kind == DD_SHAPE_GROUND) {
            const double height = dd_scene_number(s, &s->motions[0], 0, &s->shapes[i], 2);
            b->low[2] = height >= low ? fmin(b->low[2], height) : b->low[2];
            b->high[2] = height <= high ? fmax(b->high[2], height) : b->high[2];
        }
    }
}

void dd_scene_bounds(const dd_scene *s, double low[3], double high[3])
{
    bounds b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < s->n_motions; i++) {
        const dd_scene_motion *m = &s->motions[i];
        for (uint32_t frame = 0; frame < m->frames; frame++) {
            for (uint32_t k = 0; k < s->n_shapes; k++) {
                if (s->shapes[k].kind != DD_SHAPE_GROUND) {
                    include_shape(s, m, frame, &s->shapes[k], &b);
                }
            }
        }
    }
    include_grounds(s, &b);
    /* nothing finite: a point at the origin */
    for (uint32_t k = 0; k < 3; k++) {
        low[k] = b.low[k] <= b.high[k] ? b.low[k] : 0;
        high[k] = b.low[k] <= b.high[k] ? b.high[k] : 0;
    }
}

/* Parts of one class share the scale of their arrows: the name behind the last dot. */
static const char *own_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : name;
}

/* The longest arrow of one shape. */
static double longest_of(const dd_scene *s, const dd_scene_shape *shape)
{
    const uint32_t at = dd_shape_offset(shape, DD_PART_VECTOR);
    double longest = 0;
    for (uint32_t k = 0; k < s->n_motions; k++) {
        const dd_scene_motion *m = &s->motions[k];
        for (uint32_t f = 0; f < m->frames; f++) {
            double v[3];
            for (uint32_t c = 0; c < 3; c++) {
                v[c] = dd_scene_number(s, m, f, shape, at + c);
            }
            const double length = hypot(hypot(v[0], v[1]), v[2]);
            longest = length > longest && isfinite(length) ? length : longest;
        }
    }
    return longest;
}

const double *dd_scene_longest(const dd_scene *s, dd_pool *pool)
{
    double *longest = dd_pool_alloc_array(pool, (size_t)s->n_shapes + 1, sizeof *longest);
    double *of_name = dd_pool_alloc_array(pool, (size_t)s->n_shapes + 1, sizeof *of_name);
    dd_names *names = dd_names_new(pool);
    /* the greatest of each name, then for all that have it */
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->n_shapes; i++) {
            const dd_scene_shape *shape = &s->shapes[i];
            if (shape->kind != DD_SHAPE_ARROW) {
                continue;
            }
            const char *name = own_name(shape->look.name);
            const uint32_t id = dd_names_intern(names, name, strlen(name));
            if (pass == 0) {
                of_name[id] = fmax(of_name[id], longest_of(s, shape));
            }
            longest[i] = of_name[id];
        }
    }
    return longest;
}
