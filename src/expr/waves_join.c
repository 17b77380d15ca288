/* waves_join.c - sums of angles: cos(a)*cos(b) - sin(a)*sin(b) is cos(a + b), in all parts of an attitude at once. */
#include <math.h>
#include <string.h>

#include "expr/waves_impl.h"

enum { MOST_JOINED = 4 }; /* expressions whose angles are joined together: a quaternion */

/* short names */
typedef dd_wave_term term;
typedef dd_wave_sum sum;
typedef dd_wave_collector collector;

/* ---- sums of angles ---- */

/* The factors of a that b does not have, and the other way round: two each, or false. */
static bool two_each(const term *a, const term *b, dd_expr of_a[2], dd_expr of_b[2])
{
    uint32_t i = 0, j = 0, n = 0, m = 0;
    while (i < a->n || j < b->n) {
        const dd_expr p = i < a->n ? a->base[i] : UINT32_MAX, q = j < b->n ? b->base[j] : UINT32_MAX;
        /* how often this factor is in a, and in b */
        const uint32_t in_a = p <= q ? a->power[i++] : 0, in_b = q <= p ? b->power[j++] : 0;
        if (in_a > in_b + 1 || in_b > in_a + 1 || (in_a > in_b && n == 2) || (in_b > in_a && m == 2)) {
            return false;
        }
        if (in_a > in_b) {
            of_a[n++] = p;
        } else if (in_b > in_a) {
            of_b[m++] = q;
        }
    }
    return n == 2 && m == 2;
}

static bool is_wave(const dd_dag *dag, dd_expr e)
{
    return dd_op_of(dag, e) == DD_OP_SIN || dd_op_of(dag, e) == DD_OP_COS;
}

/* Is f one of the functions of an angle, and g the other one? */
static bool are_partners(const dd_dag *dag, dd_expr f, dd_expr g)
{
    return is_wave(dag, f) && is_wave(dag, g) && dd_op_of(dag, f) != dd_op_of(dag, g) &&
           dd_arg(dag, f, 0) == dd_arg(dag, g, 0);
}

/* a + b as one term, where they are cos(p)*cos(q) -+ sin(p)*sin(q) or sin(p)*cos(q) +- cos(p)*sin(q) times the same, and
 * p +- q is `angle`. */
static bool joined(dd_dag *dag, const term *a, const term *b, dd_expr angle, term *out)
{
    dd_expr f[2], g[2];
    const double size = fmax(a->size, b->size), apart = fabs(fabs(a->number) - fabs(b->number));
    if (!(apart <= DD_WAVE_CANCELLED * size) || !two_each(a, b, f, g)) {
        return false;
    }
    /* the functions of p and q in a; the other ones in b */
    const bool straight = are_partners(dag, f[0], g[0]) && are_partners(dag, f[1], g[1]);
    if (!straight && !(are_partners(dag, f[0], g[1]) && are_partners(dag, f[1], g[0]))) {
        return false;
    }
    const bool sine0 = dd_op_of(dag, f[0]) == DD_OP_SIN, sine1 = dd_op_of(dag, f[1]) == DD_OP_SIN;
    const bool opposite = (a->number < 0) != (b->number < 0), mixed = sine0 != sine1, plus = mixed != opposite;
    /* sin(p)*cos(q): p is the angle of the sine */
    const dd_expr p = dd_arg(dag, mixed && sine1 ? f[1] : f[0], 0), q = dd_arg(dag, mixed && sine1 ? f[0] : f[1], 0);
    const dd_expr joint = plus ? dd_add(dag, p, q) : dd_sub(dag, p, q);
    const bool negative = joint == dd_neg(dag, angle);
    if (joint != angle && !negative) {
        return false;
    }
    const bool swapped = !mixed && sine0; /* the term with cos(p)*cos(q) has the sign of the sum */
    *out = swapped ? *b : *a;
    dd_wave_lower(out, dd_wave_place_of(out, swapped ? g[0] : f[0]), 1);
    dd_wave_lower(out, dd_wave_place_of(out, swapped ? g[1] : f[1]), 1);
    out->size = size;
    dd_wave_scale(out, mixed && negative ? -1 : 1);
    return dd_wave_times(out, dd_unary(dag, mixed ? DD_OP_SIN : DD_OP_COS, angle), 1);
}

static void join(dd_dag *dag, sum *s, dd_expr angle)
{
    bool again = true;
    while (again) { /* a term less in every round */
        again = false;
        for (uint32_t i = 0; i < s->n && !again; i++) {
            for (uint32_t j = i + 1; j < s->n && !again; j++) {
                term t;
                again = joined(dag, &s->t[i], &s->t[j], angle, &t);
                if (again) {
                    s->t[j] = s->t[--s->n];
                    s->t[i] = s->t[--s->n];
                    dd_wave_add(s, &t);
                }
            }
        }
    }
}

/* ---- rotations about parallel axes ---- */

static bool has_angle(const dd_dag *dag, const sum *s, uint32_t n, dd_expr a)
{
    bool has = false;
    for (uint32_t i = 0; i < n && !has; i++) {
        for (uint32_t k = 0; k < s[i].n && !has; k++) {
            for (uint32_t f = 0; f < s[i].t[k].n && !has; f++) {
                has = is_wave(dag, s[i].t[k].base[f]) && dd_arg(dag, s[i].t[k].base[f], 0) == a;
            }
        }
    }
    return has;
}

/* a and b leave all sums for a + b, or else for a - b. False, and nothing has changed, where one of them is left. */
static bool join_pair(dd_dag *dag, sum *s, uint32_t n, dd_expr a, dd_expr b)
{
    sum next[MOST_JOINED];
    bool gone = false;
    for (int sign = 1; sign >= -1 && !gone; sign -= 2) {
        const dd_expr angle = sign > 0 ? dd_add(dag, a, b) : dd_sub(dag, a, b);
        memcpy(next, s, n * sizeof *next);
        for (uint32_t i = 0; i < n; i++) {
            join(dag, &next[i], angle);
        }
        gone = !has_angle(dag, next, n, a) && !has_angle(dag, next, n, b);
    }
    memcpy(s, next, gone ? n * sizeof *next : 0);
    return gone;
}

/* The angles of all terms; as many as there is room for. */
static uint32_t list_angles(const dd_dag *dag, const sum *s, uint32_t n, dd_expr angles[DD_WAVE_FACTORS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < s[i].n; k++) {
            for (uint32_t f = 0; f < s[i].t[k].n; f++) {
                const dd_expr e = s[i].t[k].base[f];
                bool known = !is_wave(dag, e) || count == DD_WAVE_FACTORS;
                for (uint32_t q = 0; q < count && !known; q++) {
                    known = angles[q] == dd_arg(dag, e, 0);
                }
                if (!known) {
                    angles[count++] = dd_arg(dag, e, 0);
                }
            }
        }
    }
    return count;
}

static bool join_any(dd_dag *dag, sum *s, uint32_t n)
{
    dd_expr angles[DD_WAVE_FACTORS];
    const uint32_t count = list_angles(dag, s, n, angles);
    bool any = false;
    for (uint32_t i = 0; i < count && !any; i++) {
        for (uint32_t j = i + 1; j < count && !any; j++) {
            any = join_pair(dag, s, n, angles[i], angles[j]);
        }
    }
    return any;
}

void dd_join_angles(dd_dag *dag, dd_expr *e, uint32_t n)
{
    sum s[MOST_JOINED];
    dd_expr open[MOST_JOINED] = {0};
    bool any = false;
    if (n > MOST_JOINED) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        open[i] = dd_op_of(dag, e[i]) == DD_OP_NOEVENT ? dd_arg(dag, e[i], 0) : e[i];
    }
    collector c = {.dag = dag, .walk = dd_wave_two_levels(dag, open, n), .held = true};
    dd_wave_begin(&c);
    for (uint32_t i = 0; i < n; i++) {
        dd_wave_take(&c, open[i], &s[i]);
    }
    while (join_any(dag, s, n)) {
        any = true;
    }
    for (uint32_t i = 0; i < n && any; i++) {
        e[i] = dd_wave_written(dag, s[i].t, s[i].n);
    }
    dd_wave_end(&c);
}
