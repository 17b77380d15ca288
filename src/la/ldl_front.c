/* ldl_front.c - the pivots of one front.
 *
 * A candidate is eliminated as 1 x 1 pivot or together with the candidate that it is coupled to most as 2 x 2 pivot
 * (Bunch and Kaufman, Math. Comp. 31, 1977), if the multipliers of all rows of the front stay below 1 / threshold (Duff
 * and Reid 1983; Ashcraft, Grimes and Lewis, SIAM J. Matrix Anal. Appl. 20, 1998, show that only bounded multipliers
 * give accurate solutions). Candidates that do not pass are looked at again after others were eliminated. When none
 * passes, the best is taken if it is not bad; those that are left go to the parent, where more of their rows are
 * candidates.
 *
 * A column is brought up to date when it is looked at, and all of them after each panel of pivots:
 * a := a - L (L D)^T, with L D kept aside. It knows by how many pivots it was updated.
 *
 * Zero pivots. A column whose remaining entries are rounding errors of the terms that were subtracted in it carries no
 * information: its pivot is zero. For each row we keep the size of the largest such term, |l| |w| with the largest
 * multiplier of the pivot for |l|; the errors of the pivot's own column come with it, times |l|.
 */
#include <math.h>
#include <string.h>

#include "la/ldl_impl.h"
#include "la/ldl_lanes.h"

/* A 1 x 1 pivot of this part of its column is taken at once: (1 + sqrt(17)) / 8 of Bunch and Kaufman. */
static const double taken_at_once = 0.6403882032022076;
/* Multipliers stay below 1 / threshold while there is a candidate with that; then come the best ones, and those that are
 * as good as this part of the best. Those with multipliers above 1 / lowest go to the parent: lower values give larger
 * errors, higher ones more rows in later fronts (of a robot with six joints ten times the operations with 0.01). */
static const double threshold = 0.1, as_good = 0.1, lowest = 1e-4;
/* Determinants of 2 x 2 pivots: at least this part of their terms, else they are rounding errors. */
static const double cancellation = 0.5;
/* Entries below this part of the terms that were subtracted are rounding errors. The sizes of terms are estimates from
 * above, which grow along the tree: a column with an entry above `surely` (of 1, the scaled size) is never called zero.
 * No column of a Schur complement is smaller than the smallest singular value of the matrix. */
static const double rounding = 1e-13, surely = 1e-10;

enum { PANEL = 32 }; /* pivots after which all columns are updated at once */

INLINE double *column_of(const dd_ldl_front *f, uint32_t c)
{
    return f->a + (size_t)c * f->ld;
}

/* Rows above the first one left are dead: loops over whole vectors may begin in them. */
INLINE size_t first_row(const dd_ldl_front *f)
{
    return f->eliminated & ~(size_t)3;
}

INLINE void update_column(dd_ldl_front *f, uint32_t c)
{
    const size_t from = first_row(f), done = f->look[c].updated;
    subtract_columns(f->ld - from, f->eliminated - done, f->a + done * f->ld + from, f->ld, f->w + done * f->ld + c,
                     column_of(f, c) + from);
    f->look[c].updated = f->eliminated;
}

/* Brings column c up to date and looks at its entries. */
INLINE dd_ldl_look *look_at(dd_ldl_front *f, uint32_t c)
{
    dd_ldl_look *look = &f->look[c];
    if (look->looked == f->eliminated) {
        return look;
    }
    update_column(f, c);
    double *a = column_of(f, c), sum = 0;
    const double diagonal = a[c];
    a[c] = 0;
    look->inside = largest_of(a, f->eliminated, f->candidates, &sum);
    a[c] = diagonal;
    look->below = largest_of(a, f->candidates, f->ld, &sum);
    look->diagonal = diagonal;
    look->looked = f->eliminated;
    /* a comparison passes over what is not a number, a sum does not */
    f->broken = f->broken || !isfinite(sum + diagonal);
    return look;
}

/* The candidate that c is coupled to most; c itself if there is none. */
INLINE uint32_t partner_of(const dd_ldl_front *f, uint32_t c)
{
    const double *a = column_of(f, c), inside = f->look[c].inside;
    if (inside == 0) {
        return c;
    }
    uint32_t r = f->eliminated;
    while (r == c || fabs(a[r]) != inside) {
        r++;
    }
    return r;
}

/* The largest magnitude in column c beside rows c and r. */
INLINE double largest_but(const dd_ldl_front *f, uint32_t c, uint32_t r)
{
    double *a = column_of(f, c), sum = 0;
    const double diagonal = a[c], other = a[r];
    a[c] = a[r] = 0;
    const double inside = largest_of(a, f->eliminated, f->candidates, &sum);
    a[c] = diagonal;
    a[r] = other;
    return larger_of(inside, f->look[c].below);
}

INLINE void exchange(dd_ldl_front *f, uint32_t p, uint32_t q)
{
    if (p == q) {
        return;
    }
    /* columns, then rows of all columns, and of L D */
    double *x = column_of(f, p), *y = column_of(f, q);
    for (size_t r = first_row(f); r < f->ld; r += 4) {
        const dd_v4 t = dd_v4_load(x + r);
        dd_v4_store(x + r, dd_v4_load(y + r));
        dd_v4_store(y + r, t);
    }
    for (uint32_t c = 0; c < f->candidates; c++) {
        double *a = column_of(f, c), t = a[p];
        a[p] = a[q];
        a[q] = t;
    }
    for (uint32_t c = 0; c < f->eliminated; c++) {
        double *w = f->w + c * f->ld, t = w[p];
        w[p] = w[q];
        w[q] = t;
    }
    const double noise = f->noise[p];
    const uint32_t order = f->order[p];
    const dd_ldl_look look = f->look[p];
    f->noise[p] = f->noise[q];
    f->noise[q] = noise;
    f->order[p] = f->order[q];
    f->order[q] = order;
    f->look[p] = f->look[q];
    f->look[q] = look;
}

/* ---- elimination ---- */

INLINE void take_zero(dd_ldl_front *f, uint32_t c)
{
    const uint32_t j = f->eliminated;
    exchange(f, c, j);
    memset(column_of(f, j), 0, f->ld * sizeof(double));
    memset(f->w + j * f->ld, 0, f->ld * sizeof(double));
    f->d[2 * j] = f->d[2 * j + 1] = 0;
    f->zeros++;
    f->eliminated++;
}

INLINE void take_one(dd_ldl_front *f, uint32_t c, double diagonal, double most)
{
    const uint32_t j = f->eliminated;
    exchange(f, c, j);
    const double inverse = 1 / diagonal;
    const dd_ldl_pivot pivot = {.e11 = inverse, .noise1 = fabs(inverse) * (most + f->noise[j])};
    const size_t from = (j + 1) & ~(size_t)3, at = j * f->ld + from;
    scale_one(f->ld - from, f->a + at, f->w + at, f->noise + from, &pivot);
    f->d[2 * j] = inverse;
    f->d[2 * j + 1] = 0;
    f->negative += diagonal < 0;
    f->broken = f->broken || !isfinite(inverse);
    f->eliminated++;
}

/* D = [a b; b d] of two columns, whose other entries are at most of_x, of_y. */
typedef struct pair {
    uint32_t x, y;
    double a, b, d, of_x, of_y;
} pair;

INLINE void take_two(dd_ldl_front *f, const pair *p)
{
    const uint32_t j = f->eliminated;
    exchange(f, p->x, j);
    exchange(f, p->y == j ? p->x : p->y, j + 1);
    /* scaled by the entry beside the diagonal, so that the determinant neither overflows nor vanishes */
    const double a = p->a / p->b, d = p->d / p->b, det = (a * d - 1) * p->b;
    const double e11 = d / det, e12 = -1 / det, e22 = a / det;
    const double noise = larger_of(f->noise[j], f->noise[j + 1]), of_x = p->of_x + noise, of_y = p->of_y + noise;
    const dd_ldl_pivot pivot = {.e11 = e11,
                                .e12 = e12,
                                .e22 = e22,
                                .noise1 = fabs(e11) * of_x + fabs(e12) * of_y,
                                .noise2 = fabs(e12) * of_x + fabs(e22) * of_y};
    const size_t from = (j + 2) & ~(size_t)3, at = j * f->ld + from;
    scale_two(f->ld - from, f->ld, f->a + at, f->w + at, f->noise + from, &pivot);
    /* the block of L has no entry beside its diagonal */
    f->a[j * f->ld + j + 1] = 0;
    f->d[2 * j] = e11;
    f->d[2 * j + 1] = e12;
    f->d[2 * j + 2] = e22;
    f->d[2 * j + 3] = 0;
    /* the determinant's sign distinguishes one negative from none or two */
    f->negative += a * d < 1 ? 1 : p->a < 0 ? 2 : 0;
    f->broken = f->broken || !isfinite(e11 + e12 + e22);
    f->pairs++;
    f->eliminated += 2;
}

/* 1 / the largest multiplier of a 2 x 2 pivot: |D^-1| times the largest entries, in units of b. 0: D is singular, or too
 * much of its determinant has cancelled. */
INLINE double quality_of(const pair *p)
{
    const double a = p->a / p->b, d = p->d / p->b, product = a * d, det = fabs(product - 1);
    const double first = fabs(d) * p->of_x + p->of_y, second = p->of_x + fabs(a) * p->of_y;
    if (!(det >= cancellation * larger_of(fabs(product), 1))) {
        return 0;
    }
    const double most = larger_of(first, second), least = det * fabs(p->b);
    return most > least ? least / most : 1;
}

/* Eliminates candidate c, alone or with another, if the multipliers stay below 1 / least. False: not now; its quality is
 * noted. */
INLINE bool try_candidate(dd_ldl_front *f, uint32_t c, double least)
{
    dd_ldl_look *x = look_at(f, c);
    const double beside = larger_of(x->inside, x->below), size = fabs(x->diagonal), most = larger_of(size, beside);
    if (f->broken) {
        return false;
    }
    if (most <= surely && most <= rounding * f->noise[c]) {
        take_zero(f, c);
        return true;
    }
    if (size >= taken_at_once * beside) {
        take_one(f, c, x->diagonal, beside);
        return true;
    }
    /* two by two, where there is another candidate */
    const uint32_t r = partner_of(f, c);
    x->quality = size / beside;
    if (r != c) {
        const dd_ldl_look *y = look_at(f, r);
        const pair two = {.x = c,
                          .y = r,
                          .a = x->diagonal,
                          .b = column_of(f, c)[r],
                          .d = y->diagonal,
                          .of_x = largest_but(f, c, r),
                          .of_y = largest_but(f, r, c)};
        const double quality = quality_of(&two);
        if (quality >= least && quality >= x->quality && !f->broken) {
            take_two(f, &two);
            return true;
        }
        x->quality = larger_of(quality, x->quality);
    }
    if (size >= least * beside && !f->broken) {
        take_one(f, c, x->diagonal, beside);
        return true;
    }
    return false;
}

/* The candidate with the smallest multipliers, when all were refused. */
INLINE uint32_t best_of(const dd_ldl_front *f)
{
    uint32_t best = f->eliminated;
    for (uint32_t c = best + 1; c < f->candidates; c++) {
        best = f->look[c].quality > f->look[best].quality ? c : best;
    }
    return best;
}

/* Brings all columns that are left up to date: those that have seen no pivot of the panel together. */
INLINE void update_all(dd_ldl_front *f, uint32_t panel)
{
    const size_t from = first_row(f);
    for (uint32_t c = f->eliminated; c < f->candidates;) {
        uint32_t to = c;
        while (to < f->candidates && f->look[to].updated == panel) {
            f->look[to++].updated = f->eliminated;
        }
        if (to == c) {
            update_column(f, c++);
            continue;
        }
        const dd_ldl_product product = {.rows = f->ld - from,
                                        .cols = to - c,
                                        .count = f->eliminated - panel,
                                        .l = f->a + panel * f->ld + from,
                                        .w = f->w + panel * f->ld + c,
                                        .ld = f->ld,
                                        .c = column_of(f, c) + from,
                                        .ldc = f->ld};
        dd_ldl_subtract_product(&product);
        c = to;
    }
}

DD_CLONES static dd_status eliminate(dd_ldl_front *f)
{
    enum { LARGE = 500 }; /* rows: the clock is looked at after each panel */
    uint32_t panel = 0, c = 0, refused = 0;
    double least = threshold;
    for (uint32_t k = 0; k < f->candidates; k++) {
        f->look[k].updated = 0;
        f->look[k].looked = DD_NO_INDEX;
    }
    /* the candidates in turn, until all that are left have been refused since the last pivot */
    while (f->eliminated < f->candidates && refused < f->candidates - f->eliminated && !f->broken) {
        c = c < f->eliminated || c >= f->candidates ? f->eliminated : c;
        refused = try_candidate(f, c, least) ? 0 : refused + 1;
        c++;
        /* the best of those that were refused goes first, then those that are about as good */
        if (refused > 0 && refused == f->candidates - f->eliminated && !f->broken) {
            c = best_of(f);
            refused = f->look[c].quality >= lowest ? 0 : refused;
            least = larger_of(as_good * f->look[c].quality, lowest);
        }
        if (f->eliminated - panel >= PANEL) {
            update_all(f, panel);
            panel = f->eliminated;
            const dd_status st = f->rows >= LARGE ? dd_poll_stop_now(f->ctx) : DD_OK;
            if (st != DD_OK) {
                return st;
            }
        }
    }
    if (f->eliminated < f->candidates) {
        update_all(f, panel);
    }
    return DD_OK;
}

dd_status dd_ldl_eliminate(dd_ldl_front *f)
{
    return eliminate(f);
}
