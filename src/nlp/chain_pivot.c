/* chain_pivot.c - elimination in a dense symmetric indefinite matrix: L D L^T with blocks of one and two pivots, among
 * the first unknowns only (chain_impl.h).
 *
 * First the easy pivots: a diagonal entry that is not small beside its whole row. Where there is none, the matrix is
 * equilibrated and pivots are chosen by size (Bunch, Parlett 1971) among the candidates; a block is taken when it
 * limits the growth of the whole column, also of the unknowns that stay. What is refused remains: it is delayed.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "nlp/chain_impl.h"

static const double easy = 1e-3;       /* a diagonal entry relative to its row: three digits may be lost at most */
static const double bounded = 1e-5;    /* the same after equilibration, where delaying is the alternative */
static const double one_or_two = 0.64; /* (1 + sqrt 17) / 8: growth of one block of two is that of two of one */
static const double nothing = 3e-15;   /* of the size a column had: rounding errors of several operations */
static const double kept_least = 1e-9; /* of its size before: a pivot that is easy */
static const double certain = 2;       /* times a bound of its rounding errors: an entry is not zero */
enum { REFUSED = 4, PASSES = 2 };      /* a mark in `block`; passes of equilibration */

/* Rounding errors in the scaled matrix: of the diagonal, and of the rest of a row. */
typedef struct noise {
    double *own, *beside;
} noise;

typedef int64_t mask4 __attribute__((vector_size(32)));

static double *row_of(const chain_dense *a, uint32_t i)
{
    return a->m + (size_t)i * a->ld;
}

static void swap_numbers(double *x, uint32_t i, uint32_t j)
{
    const double t = x[i];
    x[i] = x[j];
    x[j] = t;
}

static void swap_unknowns(chain_dense *a, uint32_t i, uint32_t j, noise *n)
{
    if (i == j) {
        return;
    }
    if (n) {
        swap_numbers(n->own, i, j);
        swap_numbers(n->beside, i, j);
    }
    /* rows and columns of the symmetric matrix, then all that is kept per unknown */
    a->moved = true;
    double *p = row_of(a, i), *q = row_of(a, j);
    for (uint32_t c = 0; c < a->size; c++) {
        const double t = p[c];
        p[c] = q[c];
        q[c] = t;
    }
    for (uint32_t r = 0; r < a->size; r++) {
        swap_numbers(row_of(a, r), i, j);
    }
    const uint32_t id = a->ids[i];
    a->ids[i] = a->ids[j];
    a->ids[j] = id;
    swap_numbers(a->scale, i, j);
    swap_numbers(a->error, i, j);
    const uint8_t mark = a->block[i];
    a->block[i] = a->block[j];
    a->block[j] = mark;
}

DD_CLONES static bool is_finite(const double *line, uint32_t from, uint32_t to)
{
    dd_v4 sum = {0};
    double rest = 0;
    uint32_t c = from;
    for (; c + 4 <= to; c += 4) {
        sum += dd_v4_load(line + c) * 0.0;
    }
    for (; c < to; c++) {
        rest += line[c] * 0.0;
    }
    return sum[0] + sum[1] + sum[2] + sum[3] + rest == 0;
}

/* Largest of |line| scale in from .. to - 1. */
DD_CLONES static double scaled_largest(const double *line, const double *scale, uint32_t from, uint32_t to)
{
    dd_v4 most = {0};
    double largest = 0;
    uint32_t c = from;
    for (; c + 4 <= to; c += 4) {
        const dd_v4 v = dd_v4_load(line + c) * dd_v4_load(scale + c);
        const mask4 sign = (mask4)v & INT64_MAX, more = (dd_v4)sign > most;
        most = (dd_v4)((sign & more) | ((mask4)most & ~more));
    }
    for (; c < to; c++) {
        const double v = fabs(line[c] * scale[c]);
        largest = v > largest ? v : largest;
    }
    for (int l = 0; l < 4; l++) {
        largest = most[l] > largest ? most[l] : largest;
    }
    return largest;
}

/* Largest scaled entry of row i beside the diagonal among what remains; skip: another column that does not count. */
static double beside(const chain_dense *a, uint32_t i, uint32_t skip)
{
    const double *line = row_of(a, i);
    const uint32_t low = i < skip ? i : skip, high = i < skip ? skip : i;
    const double first = scaled_largest(line, a->scale, a->pivots, low);
    const double second = low < high ? scaled_largest(line, a->scale, low + 1, high) : 0;
    const double third = scaled_largest(line, a->scale, high + 1, a->size);
    const double largest = first > second ? first : second;
    return (largest > third ? largest : third) * a->scale[i];
}

/* Sizes of the unknowns: after some passes the largest scaled entry of every row is near 1. An unknown that was in a
 * front before keeps the size it had there, so that rounding errors are never taken for small entries. */
static void equilibrate(chain_dense *a, double *before, noise *n, chain_counts *counts)
{
    for (uint32_t i = a->pivots; i < a->size; i++) {
        counts->broken |= !is_finite(row_of(a, i), a->pivots, a->size);
        before[i] = a->scaled ? a->scale[i] : 0;
        a->scale[i] = 1;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        for (uint32_t i = a->pivots; i < a->size; i++) {
            const double largest = scaled_largest(row_of(a, i), a->scale, a->pivots, a->size) * a->scale[i];
            if (largest > 0 && isfinite(largest)) {
                a->scale[i] /= sqrt(largest);
            }
        }
    }
    for (uint32_t i = a->pivots; i < a->size; i++) {
        const bool smaller = before[i] > 0 && before[i] < a->scale[i];
        a->scale[i] = smaller ? before[i] : a->scale[i];
        n->beside[i] = DBL_EPSILON;
        const double known = before[i] > 0 ? a->error[i] : 0;
        n->own[i] = (known + DBL_EPSILON * fabs(row_of(a, i)[i])) * a->scale[i] * a->scale[i];
    }
    a->scaled = true;
}

/* The rounding errors after the pivots p .. p + width - 1: the diagonal changes by the product of a multiplier, which is
 * small where the row is, and an entry of the row. */
static void spread_noise(const chain_dense *a, noise *n, uint32_t p, uint32_t width, const double *inverse)
{
    const double *first = row_of(a, p), *second = row_of(a, p + width - 1);
    const double s = a->scale[p], t = a->scale[p + width - 1];
    for (uint32_t i = p + width; i < a->size; i++) {
        double l = fabs(first[i] * inverse[0]), k = 0;
        if (width == 2) {
            l = fabs(first[i] * inverse[0] + second[i] * inverse[1]);
            k = fabs(first[i] * inverse[1] + second[i] * inverse[2]);
        }
        if (l == 0 && k == 0) {
            continue;
        }
        const double r = a->scale[i], ls = l / s * r, kt = k / t * r;
        const double change = ls * fabs(first[i]) * s * r + (width == 2 ? kt * fabs(second[i]) * t * r : 0);
        n->own[i] += DBL_EPSILON * change + (ls + kt) * n->beside[i] + ls * ls * n->own[p] +
                     (width == 2 ? kt * kt * n->own[p + 1] : 0);
    }
}

/* The update of what remains by the block of one or two pivots in front. */
DD_CLONES static void update(double *m, uint32_t ld, uint32_t size, uint32_t p, uint32_t width, const double *inverse)
{
    double *first = m + (size_t)p * ld, *second = first + ld;
    const uint32_t begin = p + width, from = begin & ~3u;
    for (uint32_t i = begin; i < size; i++) {
        double *line = m + (size_t)i * ld;
        if (width == 1) {
            const double l = first[i] * inverse[0];
            if (l == 0) {
                continue;
            }
            for (uint32_t c = from; c < ld; c += 4) {
                dd_v4_store(line + c, dd_v4_load(line + c) - l * dd_v4_load(first + c));
            }
        } else {
            const double l = first[i] * inverse[0] + second[i] * inverse[1];
            const double k = first[i] * inverse[1] + second[i] * inverse[2];
            if (l == 0 && k == 0) {
                continue;
            }
            for (uint32_t c = from; c < ld; c += 4) {
                dd_v4_store(line + c, dd_v4_load(line + c) - l * dd_v4_load(first + c) - k * dd_v4_load(second + c));
            }
        }
    }
    /* the rows of L^T */
    for (uint32_t i = begin; i < size; i++) {
        const double f = first[i], s = width == 2 ? second[i] : 0;
        first[i] = f * inverse[0] + s * inverse[1];
        if (width == 2) {
            second[i] = f * inverse[1] + s * inverse[2];
        }
    }
}

static void take_one(chain_dense *a, uint32_t i, noise *n, chain_counts *counts)
{
    const uint32_t p = a->pivots;
    swap_unknowns(a, p, i, n);
    const double d = row_of(a, p)[p];
    double *inverse = a->inverse + 3 * (size_t)p;
    inverse[0] = 1 / d;
    inverse[1] = inverse[2] = 0;
    a->block[p] = 1;
    if (n) {
        spread_noise(a, n, p, 1, inverse);
    }
    update(a->m, a->ld, a->size, p, 1, inverse);
    counts->negative += d < 0;
    counts->broken |= !isfinite(d);
    a->pivots++;
}

/* The inverse of [a b; b c], by Bunch's way of avoiding overflow; false when it is singular. */
static bool invert_two(double a, double b, double c, double *inverse)
{
    if (b == 0) {
        inverse[0] = 1 / a;
        inverse[1] = 0;
        inverse[2] = 1 / c;
        return a != 0 && c != 0;
    }
    const double r = a / b, s = c / b, t = 1 / ((r * s - 1) * b);
    inverse[0] = s * t;
    inverse[1] = -t;
    inverse[2] = r * t;
    return isfinite(t);
}

/* i < j */
static void take_two(chain_dense *a, uint32_t i, uint32_t j, noise *n, chain_counts *counts)
{
    const uint32_t p = a->pivots;
    swap_unknowns(a, p, i, n);
    swap_unknowns(a, p + 1, j, n);
    const double *line = row_of(a, p);
    const double d = line[p], b = line[p + 1], e = row_of(a, p + 1)[p + 1];
    double *inverse = a->inverse + 3 * (size_t)p;
    invert_two(d, b, e, inverse);
    a->block[p] = 2;
    a->block[p + 1] = 0;
    spread_noise(a, n, p, 2, inverse);
    update(a->m, a->ld, a->size, p, 2, inverse);
    /* signs by the determinant, relative to b^2 */
    const double r = d / b, s = e / b;
    counts->negative += r * s < 1 ? 1 : d < 0 ? 2 : 0;
    counts->broken |= !isfinite(b);
    a->pivots += 2;
}

static void take_zero(chain_dense *a, uint32_t i, noise *n, chain_counts *counts)
{
    const uint32_t p = a->pivots;
    swap_unknowns(a, p, i, n);
    memset(a->inverse + 3 * (size_t)p, 0, 3 * sizeof *a->inverse);
    memset(row_of(a, p), 0, a->ld * sizeof *a->m);
    for (uint32_t r = p + 1; r < a->size; r++) {
        row_of(a, r)[p] = 0;
    }
    a->block[p] = CHAIN_ZERO;
    counts->zero++;
    a->pivots++;
}

/* The largest scaled diagonal entry and the largest other one among the candidates that were not refused. */
typedef struct choice {
    double diagonal, other;
    uint32_t at, i, j;
} choice;

static choice largest_entries(const chain_dense *a, double *allowed)
{
    choice best = {.at = UINT32_MAX, .i = UINT32_MAX};
    for (uint32_t i = a->pivots; i < a->candidates; i++) {
        allowed[i] = a->block[i] == REFUSED ? 0 : a->scale[i];
    }
    for (uint32_t i = a->pivots; i < a->candidates; i++) {
        if (a->block[i] == REFUSED) {
            continue;
        }
        const double *line = row_of(a, i), s = a->scale[i];
        const double own = fabs(line[i]) * s * s, other = scaled_largest(line, allowed, i + 1, a->candidates) * s;
        if (best.at == UINT32_MAX || own > best.diagonal) {
            best.diagonal = own;
            best.at = i;
        }
        if (other > best.other) {
            best.other = other;
            best.i = i;
            best.j = i + 1;
        }
    }
    /* the column of the largest one */
    for (uint32_t j = best.i + 1; best.i != UINT32_MAX && j < a->candidates; j++) {
        if (fabs(row_of(a, best.i)[j] * allowed[j]) * a->scale[best.i] >= best.other) {
            best.j = j;
            break;
        }
    }
    return best;
}

/* Is the growth of the whole column bounded? */
static bool one_holds(const chain_dense *a, uint32_t i)
{
    const double d = fabs(row_of(a, i)[i]) * a->scale[i] * a->scale[i];
    return d >= bounded * beside(a, i, i) && d > 0;
}

static bool two_hold(const chain_dense *a, uint32_t i, uint32_t j)
{
    const double s = a->scale[i], t = a->scale[j];
    double inverse[3];
    if (!invert_two(row_of(a, i)[i] * s * s, row_of(a, i)[j] * s * t, row_of(a, j)[j] * t * t, inverse)) {
        return false;
    }
    const double g = beside(a, i, j), h = beside(a, j, i);
    return bounded * (fabs(inverse[0]) * g + fabs(inverse[1]) * h) <= 1 &&
           bounded * (fabs(inverse[1]) * g + fabs(inverse[2]) * h) <= 1;
}

static void forget_refusals(chain_dense *a)
{
    for (uint32_t i = a->pivots; i < a->candidates; i++) {
        a->block[i] = 0;
    }
}

/* One pivot block by size; false: nothing is left to choose. */
static bool take_by_size(chain_dense *a, bool root, noise *n, double *allowed, chain_counts *counts)
{
    for (;;) {
        const choice best = largest_entries(a, allowed);
        if (best.at == UINT32_MAX) {
            return false;
        }
        const bool one = best.diagonal >= one_or_two * best.other;
        if ((one ? best.diagonal : best.other) <= nothing) {
            return false;
        }
        if (one && (root || one_holds(a, best.at))) {
            take_one(a, best.at, n, counts);
            return true;
        }
        if (!one && (root || two_hold(a, best.i, best.j))) {
            take_two(a, best.i, best.j, n, counts);
            return true;
        }
        /* one of a block that was refused may do by itself later on: only the first is put aside */
        a->block[one ? best.at : best.i] = REFUSED;
    }
}

/* A diagonal entry above its own rounding errors is a pivot, however small: the row of a constraint that hardly moves
 * leaves its square. */
static bool take_small(chain_dense *a, bool root, noise *n, chain_counts *counts)
{
    for (uint32_t i = a->pivots; i < a->candidates; i++) {
        const double own = fabs(row_of(a, i)[i]) * a->scale[i] * a->scale[i];
        if (own > certain * n->own[i] && own >= beside(a, i, i) && (root || one_holds(a, i))) {
            take_one(a, i, n, counts);
            return true;
        }
    }
    return false;
}

/* Columns in which nothing is left are zero pivots; at the root all that remain. */
static void take_zeros(chain_dense *a, bool root, noise *n, chain_counts *counts)
{
    for (uint32_t i = a->pivots; i < a->candidates; i++) {
        const double own = fabs(row_of(a, i)[i]) * a->scale[i] * a->scale[i];
        if (root || (own <= nothing && beside(a, i, i) <= nothing)) {
            take_zero(a, i, n, counts);
        }
    }
}

/* Has a delayed unknown nothing in common with those of its kind (variables, or rows), itself included? */
static bool is_idle(const chain_dense *a, uint32_t i, bool variable)
{
    const double *line = row_of(a, i);
    bool idle = (a->ids[i] < a->variables) == variable;
    for (uint32_t j = a->pivots; j < a->candidates && idle; j++) {
        idle = (a->ids[j] < a->variables) != variable || fabs(line[j]) * a->scale[i] * a->scale[j] <= nothing;
    }
    return idle;
}

/* Idle variables are held by rows that are delayed with them and by what stays, one by each at most; more of them than
 * these depend on each other. So do rows. The surplus are zero pivots, those that are held least first. Without this
 * they would be delayed to the root, and fronts on the way would fill up (curvature that is zero in all controls). */
static void take_surplus(chain_dense *a, bool variable, noise *n, chain_counts *counts)
{
    for (;;) {
        uint32_t idle = 0, holders = a->size - a->candidates, least = UINT32_MAX;
        double held = INFINITY;
        for (uint32_t i = a->pivots; i < a->candidates; i++) {
            holders += (a->ids[i] < a->variables) != variable;
            if (is_idle(a, i, variable)) {
                const double by = beside(a, i, i);
                least = by < held ? i : least;
                held = by < held ? by : held;
                idle++;
            }
        }
        if (idle <= holders || least == UINT32_MAX) {
            return;
        }
        take_zero(a, least, n, counts);
    }
}

/* Largest entry of row i beside the diagonal, from the first pivot on. */
static double largest_beside(const chain_dense *a, uint32_t i)
{
    const double *line = row_of(a, i);
    double largest = 0;
    for (uint32_t c = a->pivots; c < i; c++) {
        largest = fabs(line[c]) > largest ? fabs(line[c]) : largest;
    }
    for (uint32_t c = i + 1; c < a->size; c++) {
        largest = fabs(line[c]) > largest ? fabs(line[c]) : largest;
    }
    return largest;
}

/* Easy pivots, in their order, that did not lose most of their digits in the elimination. n is NULL: scale holds the diagonal
 * as it was; else it scales. */
static void take_easy(chain_dense *a, noise *n, chain_counts *counts)
{
    for (uint32_t i = a->pivots; i < a->candidates;) {
        const double d = fabs(row_of(a, i)[i]), s = a->scale[i];
        const bool kept = n ? d * s * s > kept_least : d > kept_least * s;
        if (kept && d >= easy * largest_beside(a, i)) {
            take_one(a, i, n, counts);
            i = a->pivots;
        } else {
            i++;
        }
    }
}

/* Variables alone, none of them delayed: they cannot depend on each other like rows, and their diagonal tells what
 * is lost. True: all are eliminated. */
static bool take_variables(chain_dense *a, chain_counts *counts)
{
    for (uint32_t i = 0; i < a->candidates; i++) {
        a->scale[i] = fabs(row_of(a, i)[i]);
    }
    take_easy(a, NULL, counts);
    if (a->pivots == a->candidates) {
        return true;
    }
    /* their sizes for what follows */
    for (uint32_t i = a->pivots; i < a->size; i++) {
        const bool known = i < a->candidates && a->scale[i] > 0;
        a->scale[i] = known ? 1 / sqrt(a->scale[i]) : 0;
        a->error[i] = 0;
    }
    a->scaled = true;
    return false;
}

void dd_chain_eliminate(chain_dense *a, bool root, double *work, chain_counts *counts)
{
    memset(a->block, 0, a->candidates * sizeof *a->block);
    a->pivots = 0;
    a->moved = false;
    bool variables = !root && !a->scaled;
    for (uint32_t i = 0; i < a->candidates && variables; i++) {
        variables = a->ids[i] < a->variables;
    }
    if (a->candidates == 0 || (variables && take_variables(a, counts))) {
        a->scaled = false;
        return;
    }
    noise n = {work + a->size, work + 2 * (size_t)a->size};
    equilibrate(a, work, &n, counts);
    if (!root && !variables) {
        take_easy(a, &n, counts);
    }
    while (a->pivots < a->candidates && (take_by_size(a, root, &n, work, counts) || take_small(a, root, &n, counts))) {
        forget_refusals(a);
        if (!root) {
            take_easy(a, &n, counts);
        }
    }
    take_zeros(a, root, &n, counts);
    take_surplus(a, true, &n, counts);
    take_surplus(a, false, &n, counts);
    counts->delayed += a->candidates - a->pivots;
    /* sizes are for what is delayed, and for rows that stay */
    bool needed = a->pivots < a->candidates;
    for (uint32_t i = a->pivots; i < a->size && !needed; i++) {
        needed = a->ids[i] >= a->variables;
    }
    a->scaled = needed;
    for (uint32_t i = a->pivots; i < a->size; i++) {
        a->error[i] = n.own[i] / (a->scale[i] * a->scale[i]);
    }
}

void dd_chain_forward_local(const chain_dense *a, double *y)
{
    for (uint32_t p = 0; p < a->pivots; p++) {
        const double *line = row_of(a, p), z = y[p];
        const uint32_t behind = p + (a->block[p] == 2 ? 2 : 1);
        for (uint32_t i = behind; i < a->size; i++) {
            y[i] -= line[i] * z;
        }
    }
}

void dd_chain_forward(const chain_dense *a, double *b, double *y)
{
    for (uint32_t i = 0; i < a->size; i++) {
        y[i] = b[a->ids[i]];
    }
    dd_chain_forward_local(a, y);
    for (uint32_t i = 0; i < a->size; i++) {
        b[a->ids[i]] = y[i];
    }
}

void dd_chain_backward_local(const chain_dense *a, double *y)
{
    for (uint32_t p = a->pivots; p-- > 0;) {
        const double *line = row_of(a, p);
        const double *inverse = a->inverse + 3 * (size_t)p;
        double sum = 0;
        for (uint32_t i = p + 1; i < a->size; i++) {
            sum += line[i] * y[i];
        }
        if (a->block[p] != 0) {
            y[p] = inverse[0] * y[p] - sum;
            continue;
        }
        /* the block of p - 1 and p */
        const double *above = row_of(a, p - 1);
        double other = 0;
        for (uint32_t i = p + 1; i < a->size; i++) {
            other += above[i] * y[i];
        }
        inverse -= 3;
        const double f = y[p - 1], s = y[p];
        y[p - 1] = inverse[0] * f + inverse[1] * s - other;
        y[p] = inverse[1] * f + inverse[2] * s - sum;
        p--;
    }
}

void dd_chain_backward(const chain_dense *a, double *b, double *y)
{
    for (uint32_t i = 0; i < a->size; i++) {
        y[i] = b[a->ids[i]];
    }
    dd_chain_backward_local(a, y);
    for (uint32_t i = 0; i < a->pivots; i++) {
        b[a->ids[i]] = y[i];
    }
}
