/* overshoot.c - see overshoot.h. A polynomial through values at its bounds leaves them in between where the
 * control should jump: cheaper than any control within the bounds, and not within the constraints. The same holds for
 * path constraints on controls, such as u + v <= 1 or u <= x. States can step over a constraint on them: from one side of
 * an obstacle to the other between two points. */
#include "ocp/overshoot.h"

#include <math.h>

#include "ocp/phases.h"
#include "ocp/precheck.h"
#include "ocp/reading.h"

enum { PLACES = 8 };               /* in an interval: a polynomial of degree 8 has no room to hide between them */
static const double SAID = 1e-2;   /* part of the range */
static const double NOTED = 0.1;   /* the same: no control to be applied */
static const double CROSSED = 0.1; /* the same: no rounding of a corner */
static const double AROUND = 0.1;  /* of the range of a row: less is no obstacle */
static const double SMALL = 1e-3;  /* of the controls: the scale of a row that hardly changes */

/* A quantity that must stay within limits, and its extremes. */
typedef struct limited {
    double lower, upper, size; /* size: where one side is open and there is no range */
    double least, most;        /* of its values, as far as they are within the limits */
    double below, above;       /* how far it was outside */
    double theta_below, theta_above;
} limited;

typedef struct look {
    dd_ocp *p;
    dd_pool *pool;
    dd_reading at;    /* the values are those of the rows */
    bool states;      /* bounds of states and rows without controls are looked at, else controls and rows with them */
    dd_index_vec row; /* of the path, without anything that is known at collocation points only */
    limited *bounded, *path; /* bounded: the states, or the controls */
} look;

static limited limits(double lower, double upper, double size)
{
    return (limited){.lower = lower, .upper = upper, .size = size, .least = INFINITY, .most = -INFINITY};
}

static void note(limited *l, double value, double theta)
{
    /* the range of values is that inside the limits: without the overshoot itself */
    const double inside = fmin(fmax(value, l->lower), l->upper);
    if (!isfinite(value)) {
        return;
    }
    l->least = fmin(l->least, inside);
    l->most = fmax(l->most, inside);
    if (l->lower - value > l->below) {
        l->below = l->lower - value;
        l->theta_below = theta;
    }
    if (value - l->upper > l->above) {
        l->above = value - l->upper;
        l->theta_above = theta;
    }
}

static bool contains(const dd_expr_vec *symbols, const dd_decision_vec *list)
{
    for (uint32_t i = 0; i < symbols->len; i++) {
        for (uint32_t j = 0; j < list->len; j++) {
            if (symbols->data[i] == list->data[j].symbol) {
                return true;
            }
        }
    }
    return false;
}

/* z is a polynomial through collocation points and no value of the model in between. */
static void choose_rows(look *l)
{
    dd_ocp_problem *o = l->p->problem;
    dd_expr_vec values = {0};
    /* rows with or without controls, none with z; equalities have their own ways */
    for (uint32_t i = 0; i < o->path.len; i++) {
        const dd_ocp_row *r = &o->path.data[i];
        dd_expr_vec symbols = {0};
        dd_symbols(o->dag, r->e, false, &symbols, l->pool);
        if (!r->dropped && contains(&symbols, &o->u) != l->states && !contains(&symbols, &o->z) &&
            !(l->states && r->lower == r->upper)) {
            dd_vec_push(l->pool, &l->row, i);
            dd_vec_push(l->pool, &values, r->e);
        }
    }
    /* compiled together */
    l->at = dd_reading_of(l->p, l->row.len > 0 ? dd_ocp_outputs_of(o, &values, l->pool) : NULL, l->row.len, l->pool);
    l->path = dd_pool_alloc_array(l->pool, l->row.len + 1, sizeof *l->path);
    double size = 0;
    for (uint32_t j = 0; j < o->u.len; j++) {
        size = fmax(size, o->u.data[j].scale);
    }
    /* a row without a second side is compared with the number on its side, or with the controls */
    for (uint32_t i = 0; i < l->row.len; i++) {
        const dd_ocp_row *r = &o->path.data[l->row.data[i]];
        l->path[i] = limits(r->lower, r->upper, fmax(fabs(r->value), SMALL * size));
    }
}

static look *new_look(dd_ocp *p, bool states, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    look *l = dd_pool_alloc(pool, sizeof *l);
    *l = (look){.p = p, .pool = pool, .states = states};
    const dd_decision_vec *list = states ? &o->x : &o->u;
    l->bounded = dd_pool_alloc_array(pool, list->len + 1, sizeof *l->bounded);
    for (uint32_t j = 0; j < list->len; j++) {
        l->bounded[j] = limits(list->data[j].lower, list->data[j].upper, list->data[j].scale);
    }
    choose_rows(l);
    return l;
}

static void look_at(look *l, double theta, bool left)
{
    dd_reading_at(&l->at, theta, left);
    const dd_ocp_problem *o = l->p->problem;
    for (uint32_t j = 0; j < (l->states ? o->x.len : o->u.len); j++) {
        note(&l->bounded[j], l->states ? l->at.x[j] : l->at.u[j], theta);
    }
    for (uint32_t i = 0; i < l->row.len; i++) {
        note(&l->path[i], l->at.values[i], theta);
    }
}

/* True: the worst so far. */
static bool worse(const limited *l, double range, dd_overshoot *worst)
{
    const bool above = l->above > l->below;
    const double by = above ? l->above : l->below;
    /* relative to the range: worst of all */
    if (!(by > 0 && range > 0 && by / range > worst->part)) {
        return false;
    }
    *worst = (dd_overshoot){.part = by / range, .by = by, .theta = above ? l->theta_above : l->theta_below};
    return true;
}

/* What an overshoot is compared with: the distance of both sides, else the values that occur; but the size of an obstacle
 * counts, which its number tells, and not the distance that a motion keeps elsewhere. number 0: none. */
static double room_of(const limited *r, double number)
{
    if (isfinite(r->upper - r->lower) && r->upper > r->lower) {
        return r->upper - r->lower;
    }
    const double range = fmax(r->most - r->least, r->size);
    return number != 0 ? fmax(fabs(number), AROUND * range) : range;
}

static void find_worst(look *l, dd_overshoot *worst)
{
    const dd_ocp_problem *o = l->p->problem;
    /* states or controls against their bounds, then rows */
    const dd_decision_vec *list = l->states ? &o->x : &o->u;
    for (uint32_t j = 0; j < list->len; j++) {
        const limited *c = &l->bounded[j];
        const double size = isfinite(c->upper - c->lower) ? c->upper - c->lower : c->size;
        if (worse(c, l->states ? room_of(c, isfinite(c->lower) ? c->lower : c->upper) : size, worst)) {
            const char *name = dd_model_var_name_dup(l->p->system->model, list->data[j].var, l->p->pool);
            const char *side = l->states ? dd_ocp_bound_name(o, &list->data[j], c->above > c->below) : NULL;
            worst->bounds = side != NULL ? dd_pool_printf(l->p->pool, "%s is violated", side)
                                         : dd_pool_printf(l->p->pool, "%s leaves its bounds", name);
            worst->phase = dd_ocp_phase_of(o, name, list->data[j].var);
        }
    }
    for (uint32_t i = 0; i < l->row.len; i++) {
        const limited *r = &l->path[i];
        const double range = room_of(r, l->states ? o->path.data[l->row.data[i]].value : 0);
        if (worse(r, range, worst)) {
            const char *name = o->path.data[l->row.data[i]].name;
            worst->bounds = dd_pool_printf(l->p->pool, "%s is violated", name);
            worst->phase = dd_ocp_phase_of(o, name, DD_NO_INDEX);
        }
    }
}

/* Interval k alone: may a bounded state be outside between its points? Not where it stays farther from its bounds there than
 * its values are apart. Also notes the values at the node. */
static bool near_bounds(look *l, uint32_t k)
{
    const dd_transcription *t = l->p->transcription;
    const double *y = l->p->result.x;
    bool near = false;
    for (uint32_t i = 0; i < l->p->problem->x.len; i++) {
        limited *b = &l->bounded[i];
        if (!isfinite(b->lower) && !isfinite(b->upper)) {
            continue;
        }
        const double scale = l->p->problem->x.data[i].scale, first = y[t->x_at[k] + i] * scale;
        double least = fmin(first, y[t->x_at[k + 1] + i] * scale), most = fmax(first, y[t->x_at[k + 1] + i] * scale);
        for (uint32_t j = 1; j <= t->mesh.degree[k]; j++) {
            const double v = y[dd_transcription_x(t, k, j, i)] * scale;
            least = fmin(least, v);
            most = fmax(most, v);
        }
        note(b, first, t->mesh.theta[k]);
        near = near || least - (most - least) < b->lower || most + (most - least) > b->upper;
    }
    return near;
}

static dd_overshoot look_everywhere(dd_ocp *p, bool states)
{
    const dd_mesh *mesh = &p->transcription->mesh;
    dd_overshoot worst = {0};
    dd_pool *scratch = dd_pool_child(p->pool);
    look *l = new_look(p, states, scratch);
    /* both ends of each interval and places between */
    for (uint32_t k = 0; k < mesh->n; k++) {
        const bool near = !states || near_bounds(l, k) || l->row.len > 0;
        for (int i = 0; i <= PLACES && near; i++) {
            const double part = (double)i / PLACES;
            look_at(l, (1 - part) * mesh->theta[k] + part * mesh->theta[k + 1], i == PLACES);
        }
    }
    find_worst(l, &worst);
    dd_pool_free(scratch);
    return worst;
}

dd_overshoot dd_ocp_overshoot(dd_ocp *p)
{
    /* constant and linear controls cannot leave bounds that hold at the nodes */
    const bool polynomial = p->transcription->mesh.control == DD_CONTROL_POLYNOMIAL && p->problem->u.len > 0;
    return polynomial ? look_everywhere(p, false) : (dd_overshoot){0};
}

dd_overshoot dd_ocp_crossing(dd_ocp *p)
{
    bool any = p->problem->path.len > 0;
    for (uint32_t j = 0; j < p->problem->x.len && !any; j++) {
        any = isfinite(p->problem->x.data[j].lower) || isfinite(p->problem->x.data[j].upper);
    }
    return any ? look_everywhere(p, true) : (dd_overshoot){0};
}

bool dd_ocp_crosses(dd_ocp *p)
{
    return dd_ocp_crossing(p).part > CROSSED;
}

const char *dd_ocp_crossing_words(dd_ocp *p)
{
    const dd_overshoot worst = dd_ocp_crossing(p);
    if (worst.part > CROSSED) {
        return dd_pool_printf(p->pool,
                              "the solution steps over a constraint: between the points of an interval, at %s, %s by "
                              "%.2g, though it holds at the points; give an initialGuess beside it, more %s or %s",
                              dd_reading_when(p, worst.phase, worst.theta), worst.bounds, worst.by,
                              dd_option_word(p->ctx, "--intervals"), dd_option_word(p->ctx, "--multistart"));
    }
    if (worst.part > SAID) {
        const char *words = dd_pool_printf(
            p->pool, "between the points of the mesh %s by up to %.2g (%s), %.2g of its size: more %s shorten it",
            worst.bounds, worst.by, dd_reading_when(p, worst.phase, worst.theta), worst.part,
            dd_option_word(p->ctx, "--intervals"));
        p->info.note = p->info.note[0] == '\0' ? words : p->info.note;
        dd_ocp_say(p, words);
    }
    return NULL;
}

void dd_ocp_say_overshoot(dd_ocp *p, bool confirmed)
{
    const dd_overshoot worst = dd_ocp_overshoot(p);
    if (worst.part <= SAID) {
        return;
    }
    const bool noted = confirmed && worst.part > NOTED && p->info.note[0] == '\0';
    const char *words = dd_pool_printf(
        p->pool,
        "%sbetween collocation points, where no constraint is imposed, %s by up to %.2g (%s)%s: %s linear or "
        "constant keeps the bounds, more %s shorten it",
        noted ? "the objective is confirmed on a finer mesh, but the control is not one to apply: " : "", worst.bounds,
        worst.by, dd_reading_when(p, worst.phase, worst.theta),
        noted ? dd_pool_printf(p->pool, ", %.2g of their range", worst.part) : "", dd_option_word(p->ctx, "--control"),
        dd_option_word(p->ctx, "--intervals"));
    p->info.note = noted ? words : p->info.note;
    dd_ocp_say(p, words);
}
