/* waves.c - multiplying out with sin^2 + cos^2 = 1, bounded in terms and factors. From the leaves up, every node becomes a sum
 * of terms, or, where that would be too long, one term with the node itself as its factor. */
#include "expr/waves_impl.h"

#include <math.h>
#include <string.h>

enum {
    MOST_OPEN = 64, /* terms that wait while one product is reduced: each power of two doubles them */
    MOST_POWER = 4,
    OPEN_SUM = 6, /* terms of a sum that is held together, and that products look into */
    SHORT_SUM = 3 /* terms that cost no more than what holds them together: an entry of a product of two rotations */
};

/* short names */
typedef dd_wave_term term;
typedef dd_wave_sum sum;
typedef dd_wave_part part;
typedef dd_wave_collector collector;

/* ---- terms ---- */

static bool same_factors(const term *a, const term *b)
{
    return a->n == b->n && memcmp(a->base, b->base, a->n * sizeof *a->base) == 0 &&
           memcmp(a->power, b->power, a->n * sizeof *a->power) == 0;
}

/* t * base^power; false when it has too many factors. */
bool dd_wave_times(term *t, dd_expr base, uint32_t power)
{
    uint32_t i = 0;
    while (i < t->n && t->base[i] < base) {
        i++;
    }
    if (i < t->n && t->base[i] == base) {
        t->power[i] += power;
        return true;
    }
    if (t->n == DD_WAVE_FACTORS) {
        return false;
    }
    /* in its place */
    memmove(t->base + i + 1, t->base + i, (t->n - i) * sizeof *t->base);
    memmove(t->power + i + 1, t->power + i, (t->n - i) * sizeof *t->power);
    t->base[i] = base;
    t->power[i] = power;
    t->n++;
    return true;
}

void dd_wave_lower(term *t, uint32_t i, uint32_t by)
{
    t->power[i] -= by;
    if (t->power[i] == 0) {
        t->n--;
        memmove(t->base + i, t->base + i + 1, (t->n - i) * sizeof *t->base);
        memmove(t->power + i, t->power + i + 1, (t->n - i) * sizeof *t->power);
    }
}

void dd_wave_scale(term *t, double by)
{
    t->number *= by;
    t->size *= fabs(by);
}

void dd_wave_add(sum *s, const term *t)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (same_factors(&s->t[i], t)) {
            s->t[i].number += t->number;
            s->t[i].size += t->size;
            return;
        }
    }
    s->full = s->full || s->n == DD_WAVE_TERMS;
    if (!s->full) {
        s->t[s->n++] = *t;
    }
}

/* ---- sin^2 + cos^2 = 1 ---- */

static bool has_number(const dd_dag *dag, dd_expr a, double number)
{
    return dd_op_of(dag, a) == DD_OP_MUL && dd_is_num(dag, dd_arg(dag, a, 0), number);
}

/* 1/2*b, or a sum of such and of -1/2*b: half angles of parallel axes, joined. */
static bool is_half(const dd_dag *dag, dd_expr a)
{
    const bool several = dd_op_of(dag, a) == DD_OP_ADD;
    bool half = several || has_number(dag, a, 0.5);
    for (uint32_t i = 0; half && several && i < dd_arg_count(dag, a); i++) {
        half = has_number(dag, dd_arg(dag, a, i), 0.5) || has_number(dag, dd_arg(dag, a, i), -0.5);
    }
    return half;
}

/* Twice a half angle, without a number in front of a sum. */
static dd_expr whole_angle(dd_dag *dag, dd_expr a)
{
    const dd_expr two = dd_rational(dag, 2, 1);
    if (dd_op_of(dag, a) != DD_OP_ADD) {
        return dd_mul(dag, two, a);
    }
    dd_expr whole = dd_rational(dag, 0, 1);
    for (uint32_t i = 0; i < dd_arg_count(dag, a); i++) {
        whole = dd_add(dag, whole, dd_mul(dag, two, dd_arg(dag, a, i)));
    }
    return whole;
}

uint32_t dd_wave_place_of(const term *t, dd_expr base)
{
    uint32_t i = 0;
    while (i < t->n && t->base[i] != base) {
        i++;
    }
    return i;
}

/* Two factors of a half angle: c^2 = (1 + C)/2, s^2 = (1 - C)/2, s*c = S/2, with S and C of the whole angle. `other` is
 * the place of the other function, t->n without. */
static uint32_t halve(dd_dag *dag, const term *t, uint32_t i, uint32_t other, term out[2])
{
    const dd_expr whole = whole_angle(dag, dd_arg(dag, t->base[i], 0));
    const bool square = t->power[i] >= 2, sine = dd_op_of(dag, t->base[i]) == DD_OP_SIN;
    out[0] = *t;
    dd_wave_scale(&out[0], 0.5);
    if (square) {
        dd_wave_lower(&out[0], i, 2);
        out[1] = out[0];
        dd_wave_scale(&out[1], sine ? -1 : 1);
        return dd_wave_times(&out[1], dd_unary(dag, DD_OP_COS, whole), 1) ? 2 : 0;
    }
    /* the later place first: the earlier one keeps its number */
    dd_wave_lower(&out[0], i > other ? i : other, 1);
    dd_wave_lower(&out[0], i > other ? other : i, 1);
    return dd_wave_times(&out[0], dd_unary(dag, DD_OP_SIN, whole), 1) ? 1 : 0;
}

/* One step towards the form without squares of sines and products of half angles: the terms that replace t, 0 when they
 * have too many factors, or t itself when it has that form. */
static uint32_t reduce(dd_dag *dag, const term *t, term out[2])
{
    for (uint32_t i = 0; i < t->n; i++) {
        const dd_op op = dd_op_of(dag, t->base[i]);
        if (op != DD_OP_SIN && op != DD_OP_COS) {
            continue;
        }
        /* two factors of the same half angle */
        const dd_expr a = dd_arg(dag, t->base[i], 0);
        const uint32_t other =
            is_half(dag, a) ? dd_wave_place_of(t, dd_unary(dag, op == DD_OP_SIN ? DD_OP_COS : DD_OP_SIN, a)) : t->n;
        if (is_half(dag, a) && (t->power[i] >= 2 || other < t->n)) {
            return halve(dag, t, i, other, out);
        }
        /* s^2 = 1 - c^2 */
        if (op == DD_OP_SIN && t->power[i] >= 2) {
            out[0] = *t;
            dd_wave_lower(&out[0], i, 2);
            out[1] = out[0];
            dd_wave_scale(&out[1], -1);
            return dd_wave_times(&out[1], dd_unary(dag, DD_OP_COS, a), 2) ? 2 : 0;
        }
    }
    out[0] = *t;
    return 1;
}

static void add_reduced(dd_dag *dag, sum *s, const term *t)
{
    term open[MOST_OPEN], next[2];
    uint32_t n = 1;
    open[0] = *t;
    while (n > 0 && !s->full) {
        const term now = open[--n];
        const uint32_t count = reduce(dag, &now, next);
        s->full = count == 0 || n + count > MOST_OPEN;
        if (count == 1 && same_factors(&now, &next[0])) {
            dd_wave_add(s, &next[0]);
            continue;
        }
        for (uint32_t i = 0; i < count && !s->full; i++) {
            open[n++] = next[i];
        }
    }
}

/* ---- nodes ---- */

/* The terms are not cleared: there are many sums, and most are short. */
static void empty(sum *s)
{
    s->n = 0;
    s->full = false;
}

static void one_factor(sum *s, double number, dd_expr base)
{
    s->n = 1;
    s->full = false;
    s->t[0] = (term){.number = number, .size = fabs(number)};
    if (base != DD_EXPR_NONE) {
        dd_wave_times(&s->t[0], base, 1);
    }
}

/* Several terms with unknowns, whose values may be large and cancel; numbers times sines and cosines are as large as the
 * numbers say. */
static bool is_loose(const dd_dag *dag, const sum *s)
{
    bool loose = false;
    for (uint32_t i = 0; i < s->n && s->n > 1 && !loose; i++) {
        for (uint32_t k = 0; k < s->t[i].n && !loose; k++) {
            const dd_op op = dd_op_of(dag, s->t[i].base[k]);
            loose = op != DD_OP_SIN && op != DD_OP_COS;
        }
    }
    return loose;
}

/* s = s * other, reduced. */
static void multiply(dd_dag *dag, sum *s, const sum *other)
{
    sum product;
    empty(&product);
    product.full = s->full || (is_loose(dag, s) && is_loose(dag, other));
    for (uint32_t i = 0; i < s->n && !product.full; i++) {
        for (uint32_t j = 0; j < other->n && !product.full; j++) {
            term t = s->t[i];
            t.number *= other->t[j].number;
            t.size *= other->t[j].size;
            /* the factors of both */
            for (uint32_t k = 0; k < other->t[j].n && !product.full; k++) {
                product.full = !dd_wave_times(&t, other->t[j].base[k], other->t[j].power[k]);
            }
            if (!product.full) {
                add_reduced(dag, &product, &t);
            }
        }
    }
    s->n = product.n;
    s->full = product.full;
    memcpy(s->t, product.t, product.n * sizeof *s->t);
}

/* What is zero but for rounding goes. */
static void drop_cancelled(sum *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (fabs(s->t[i].number) > DD_WAVE_CANCELLED * s->t[i].size) {
            s->t[n++] = s->t[i];
        }
    }
    s->n = n;
}

static uint32_t place(const collector *c, dd_expr e)
{
    return dd_walk_place(c->dag, &c->walk, e);
}

/* e^k with a small whole k, which is multiplied out: k; else 0. */
static uint32_t whole_power(const dd_dag *dag, dd_expr e)
{
    int64_t num, den;
    if (dd_op_of(dag, e) != DD_OP_POW) {
        return 0;
    }
    const dd_expr exponent = dd_arg(dag, e, 1);
    const bool whole = dd_op_of(dag, exponent) == DD_OP_NUM && dd_num_rational(dag, exponent, &num, &den) && den == 1;
    return whole && num >= 2 && num <= MOST_POWER ? (uint32_t)num : 0;
}

/* The node with the images of its arguments. */
static dd_expr rebuilt(const collector *c, dd_expr e)
{
    dd_dag *dag = c->dag;
    const uint32_t n = c->held && dd_op_of(dag, e) == DD_OP_NOEVENT ? 0 : dd_arg_count(dag, e);
    bool changed = false;
    for (uint32_t i = 0; i < n && !changed; i++) {
        changed = c->image[place(c, dd_arg(dag, e, i))] != dd_arg(dag, e, i);
    }
    if (!changed) {
        return e;
    }
    dd_expr *args = dd_block_resize(dd_dag_pool(dag), NULL, n * sizeof *args);
    for (uint32_t i = 0; i < n; i++) {
        args[i] = c->image[place(c, dd_arg(dag, e, i))];
    }
    const dd_expr result = dd_make(dag, dd_op_of(dag, e), args, n);
    dd_block_free(dd_dag_pool(dag), args);
    return result;
}

void dd_wave_take(const collector *c, dd_expr e, sum *s)
{
    const part p = c->parts[place(c, e)];
    empty(s);
    for (; s->n < p.n; s->n++) {
        s->t[s->n] = c->terms.data[p.first + s->n];
    }
}

/* Is what noEvent holds together short, and known? */
static bool is_open(const collector *c, dd_expr e)
{
    const uint32_t at = place(c, dd_arg(c->dag, e, 0));
    return at != DD_NO_PLACE && c->parts[at].n <= OPEN_SUM;
}

/* The terms of e from those of its arguments; itself: as one factor. */
static void collect(collector *c, dd_expr e, dd_expr itself, sum *s)
{
    dd_dag *dag = c->dag;
    const dd_op op = dd_op_of(dag, e);
    const uint32_t power = whole_power(dag, e), n = power > 0 ? power : dd_arg_count(dag, e);
    /* sums add their terms, products multiply them; all else is a factor */
    if (op == DD_OP_NUM) {
        one_factor(s, dd_num_value(dag, e), DD_EXPR_NONE);
    } else if (op == DD_OP_ADD) {
        empty(s);
        for (uint32_t i = 0; i < n; i++) {
            const part p = c->parts[place(c, dd_arg(dag, e, i))];
            for (uint32_t k = 0; k < p.n; k++) {
                dd_wave_add(s, &c->terms.data[p.first + k]);
            }
        }
    } else if (op == DD_OP_MUL || power > 0) {
        one_factor(s, 1, DD_EXPR_NONE);
        for (uint32_t i = 0; i < n; i++) {
            sum factor;
            dd_wave_take(c, dd_arg(dag, e, power > 0 ? 0 : i), &factor);
            multiply(dag, s, &factor);
        }
    } else if (op == DD_OP_NOEVENT && is_open(c, e)) {
        dd_wave_take(c, dd_arg(dag, e, 0), s);
    } else {
        one_factor(s, 1, itself);
    }
    /* too long: a factor of its own */
    if (s->full) {
        one_factor(s, 1, itself);
    } else {
        drop_cancelled(s);
    }
}

dd_expr dd_wave_written(dd_dag *dag, const term *t, uint32_t n)
{
    dd_expr terms[DD_WAVE_TERMS], factors[DD_WAVE_FACTORS + 1];
    for (uint32_t i = 0; i < n; i++) {
        factors[0] = dd_num(dag, t[i].number);
        for (uint32_t k = 0; k < t[i].n; k++) {
            factors[k + 1] = dd_pow(dag, t[i].base[k], dd_rational(dag, t[i].power[k], 1));
        }
        terms[i] = dd_product(dag, factors, t[i].n + 1);
    }
    return dd_sum(dag, terms, n);
}

static uint32_t node_count(dd_dag *dag, dd_expr e)
{
    dd_walk walk = dd_walk_unordered(dag, &e, 1);
    const uint32_t n = walk.n;
    dd_walk_free(dag, &walk);
    return n;
}

/* Is the collected form of this node surely no longer than the node? */
static bool is_shorter(const dd_dag *dag, dd_expr e, const sum *s)
{
    const dd_op op = dd_op_of(dag, e);
    const dd_expr held = op == DD_OP_NOEVENT ? dd_arg(dag, e, 0) : e;
    switch (op) {
    case DD_OP_NOEVENT:
    case DD_OP_ADD:
        return s->n <= SHORT_SUM && s->n <= (dd_op_of(dag, held) == DD_OP_ADD ? dd_arg_count(dag, held) : 1);
    case DD_OP_MUL:
    case DD_OP_POW:
        return s->n <= 1;
    default:
        return false;
    }
}

/* A product that would be a longer sum: what its factors that are no sums amount to, times those that are. */
static dd_expr gathered(const collector *c, dd_expr e, dd_expr itself)
{
    dd_dag *dag = c->dag;
    sum s;
    if (dd_op_of(dag, e) != DD_OP_MUL) {
        return itself;
    }
    one_factor(&s, 1, DD_EXPR_NONE);
    for (uint32_t i = 0; i < dd_arg_count(dag, e) && !s.full; i++) {
        sum factor;
        dd_wave_take(c, dd_arg(dag, e, i), &factor);
        if (factor.n > 1) {
            one_factor(&factor, 1, c->image[place(c, dd_arg(dag, e, i))]);
        }
        multiply(dag, &s, &factor);
    }
    return !s.full && s.n == 1 ? dd_wave_written(dag, s.t, 1) : itself;
}

static void visit(collector *c, uint32_t i)
{
    dd_dag *dag = c->dag;
    const dd_expr e = c->walk.nodes[i], itself = rebuilt(c, e);
    sum s;
    collect(c, e, itself, &s);
    c->image[i] = is_shorter(dag, e, &s) ? dd_wave_written(dag, s.t, s.n) : gathered(c, e, itself);
    /* a sum that was held together stays so: numbers are not multiplied into it */
    if (dd_op_of(dag, e) == DD_OP_NOEVENT && dd_op_of(dag, c->image[i]) == DD_OP_ADD) {
        c->image[i] = dd_unary(dag, DD_OP_NOEVENT, c->image[i]);
    }
    c->parts[i] = (part){c->terms.len, s.n};
    for (uint32_t k = 0; k < s.n; k++) {
        dd_vec_push(dd_dag_pool(dag), &c->terms, s.t[k]);
    }
}

/* The whole expression: as one sum when that is shorter. */
static dd_expr whole(const collector *c, dd_expr e, uint32_t most_terms)
{
    const dd_expr image = c->image[place(c, e)];
    sum s;
    dd_wave_take(c, e, &s);
    const dd_expr other = s.n <= most_terms ? dd_wave_written(c->dag, s.t, s.n) : image;
    return node_count(c->dag, other) < node_count(c->dag, image) ? other : image;
}

void dd_wave_begin(collector *c)
{
    dd_pool *pool = dd_dag_pool(c->dag);
    c->parts = dd_block_resize(pool, NULL, (c->walk.n + 1) * sizeof *c->parts);
    c->image = dd_block_resize(pool, NULL, (c->walk.n + 1) * sizeof *c->image);
    /* arguments first */
    for (uint32_t i = 0; i < c->walk.n; i++) {
        dd_walk_refresh(c->dag, &c->walk);
        visit(c, i);
    }
    dd_walk_refresh(c->dag, &c->walk);
}

void dd_wave_end(collector *c)
{
    dd_pool *pool = dd_dag_pool(c->dag);
    dd_vec_free(pool, &c->terms);
    dd_block_free(pool, c->parts);
    dd_block_free(pool, c->image);
    dd_walk_free(c->dag, &c->walk);
}

void dd_collect_waves(dd_dag *dag, dd_expr *e, uint32_t n, uint32_t most_terms)
{
    collector c = {.dag = dag, .walk = dd_walk_new(dag, e, n, 0)};
    dd_wave_begin(&c);
    for (uint32_t i = 0; i < n; i++) {
        if (e[i] != DD_EXPR_NONE) {
            dd_walk_refresh(dag, &c.walk);
            e[i] = whole(&c, e[i], most_terms);
        }
    }
    dd_wave_end(&c);
}

dd_walk dd_wave_two_levels(dd_dag *dag, const dd_expr *e, uint32_t n)
{
    dd_pool *pool = dd_dag_pool(dag);
    dd_walk above = dd_walk_held(dag, e, n);
    dd_expr_vec roots = {0};
    for (uint32_t i = 0; i < above.n; i++) {
        const bool holds = dd_op_of(dag, above.nodes[i]) == DD_OP_NOEVENT;
        dd_vec_push(pool, &roots, holds ? dd_arg(dag, above.nodes[i], 0) : above.nodes[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(pool, &roots, e[i]);
    }
    dd_walk_free(dag, &above);
    dd_walk both = dd_walk_held(dag, roots.data, roots.len);
    dd_vec_free(pool, &roots);
    return both;
}

dd_expr dd_collect_waves_near(dd_dag *dag, dd_expr e, uint32_t most_terms)
{
    collector c = {.dag = dag, .walk = dd_wave_two_levels(dag, &e, 1), .held = true};
    sum s;
    dd_wave_begin(&c);
    dd_wave_take(&c, e, &s);
    const dd_expr result = s.n <= most_terms ? dd_wave_written(dag, s.t, s.n) : e;
    dd_wave_end(&c);
    return 2 * node_count(dag, result) < node_count(dag, e) ? result : e;
}
