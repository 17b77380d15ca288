/* ldl_front.c - the pivots of one front.
 *
 * A candidate is eliminated as 1 x 1 pivot or together with the candidate that it is coupled to most as 2 x 2 pivot
 * (Bunch and Kaufman, Math. Comp. 31, 1977), if the multipliers of all rows of the front stay below 1 / threshold (Duff
 * and Reid 1983; Ashcraft, Grimes and Lewis, SIAM J. Matrix Anal. Appl. 20, 1998, show that only bounded multipliers
 * give accurate solutions). Candidates that do not pass are looked at again after others were eliminated; those that
 * never pass are left to the parent, where more of their rows are candidates.
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

/* A 1 x 1 pivot of this part of its column is taken at once: (1 + sqrt(17)) / 8 of Bunch and Kaufman. */
static const double taken_at_once = 0.6403882032022076;
/* Multipliers stay below 1 / threshold. */
static const double threshold = 0.05;
/* Determinants of 2 x 2 pivots: at least this part of their terms, else they are rounding errors. */
static const double cancellation = 0.5;
/* Entries below this part of the terms that were subtracted are rounding errors. The sizes of terms are estimates from
 * above, which grow along the tree: a column with an entry above `surely` (of 1, the scaled size) is never called zero.
 * No column of a Schur complement is smaller than the smallest singular value of the matrix. */
static const double rounding = 1e-13, surely = 1e-11;

enum { PANEL = 32 }; /* pivots after which all columns are updated at once */

/* What is known of a column when it is looked at. */
typedef struct column {
    uint32_t at;
    double diagonal;
    double most; /* largest magnitude beside the diagonal */
} column;

static double *column_of(const dd_ldl_front *f, uint32_t c)
{
    return f->a + (size_t)c * f->ld;
}

/* Rows above the first one left are dead: loops over whole vectors may begin in them. */
static size_t first_row(const dd_ldl_front *f)
{
    return f->eliminated & ~(size_t)3;
}

static void update_column(dd_ldl_front *f, uint32_t c)
{
    const size_t from = first_row(f), done = f->updated[c];
    dd_ldl_subtract_columns(f->ld - from, f->eliminated - done, f->a + done * f->ld + from, f->ld,
                            f->w + done * f->ld + c, column_of(f, c) + from);
    f->updated[c] = f->eliminated;
}

/* Largest magnitude of a column but for the rows `skip1` and `skip2`. */
static double largest_but(const dd_ldl_front *f, double *a, uint32_t skip1, uint32_t skip2)
{
    const size_t from = first_row(f);
    const double kept1 = a[skip1], kept2 = a[skip2];
    for (size_t r = from; r < f->eliminated; r++) {
        a[r] = 0;
    }
    a[skip1] = a[skip2] = 0;
    const double most = dd_ldl_largest(f->ld - from, a + from);
    a[skip1] = kept1;
    a[skip2] = kept2;
    return most;
}

static column look_at(dd_ldl_front *f, uint32_t c)
{
    update_column(f, c);
    double *a = column_of(f, c);
    return (column){.at = c, .diagonal = a[c], .most = largest_but(f, a, c, c)};
}

/* The candidate that c is coupled to most; c itself if there is no other. */
static uint32_t partner_of(const dd_ldl_front *f, uint32_t c)
{
    const double *a = column_of(f, c);
    uint32_t best = c;
    double most = 0;
    for (uint32_t r = f->eliminated; r < f->candidates; r++) {
        if (r != c && fabs(a[r]) > most) {
            most = fabs(a[r]);
            best = r;
        }
    }
    return best;
}

static void exchange(dd_ldl_front *f, uint32_t p, uint32_t q)
{
    if (p == q) {
        return;
    }
    /* columns, then rows of all columns, and of L D */
    double *x = column_of(f, p), *y = column_of(f, q);
    for (size_t r = 0; r < f->ld; r++) {
        const double t = x[r];
        x[r] = y[r];
        y[r] = t;
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
    const uint32_t order = f->order[p], updated = f->updated[p];
    f->noise[p] = f->noise[q];
    f->noise[q] = noise;
    f->order[p] = f->order[q];
    f->order[q] = order;
    f->updated[p] = f->updated[q];
    f->updated[q] = updated;
}

/* ---- elimination ---- */

static void take_zero(dd_ldl_front *f, uint32_t c)
{
    const uint32_t j = f->eliminated;
    exchange(f, c, j);
    memset(column_of(f, j), 0, f->ld * sizeof(double));
    memset(f->w + j * f->ld, 0, f->ld * sizeof(double));
    f->d[2 * j] = f->d[2 * j + 1] = 0;
    f->zeros++;
    f->eliminated++;
}

static void take_one(dd_ldl_front *f, const column *x)
{
    const uint32_t j = f->eliminated;
    exchange(f, x->at, j);
    const double inverse = 1 / x->diagonal;
    const dd_ldl_pivot pivot = {.e11 = inverse, .most1 = x->most * fabs(inverse), .noise = f->noise[j]};
    const size_t from = (j + 1) & ~(size_t)3, at = j * f->ld + from;
    dd_ldl_scale_one(f->ld - from, f->a + at, f->w + at, f->noise + from, &pivot);
    f->d[2 * j] = inverse;
    f->d[2 * j + 1] = 0;
    f->negative += x->diagonal < 0;
    f->broken = f->broken || !isfinite(inverse);
    f->eliminated++;
}

/* D = [a b; b d] of the columns x and y, whose other entries are at most `of_x`, `of_y`. */
static void take_two(dd_ldl_front *f, const column *x, const column *y, double b, double of_x, double of_y)
{
    const uint32_t j = f->eliminated;
    exchange(f, x->at, j);
    exchange(f, y->at == j ? x->at : y->at, j + 1);
    /* scaled by the largest entry, so that the determinant neither overflows nor vanishes */
    const double a = x->diagonal / b, d = y->diagonal / b, det = (a * d - 1) * b;
    const double e11 = d / det, e12 = -1 / det, e22 = a / det;
    const dd_ldl_pivot pivot = {.e11 = e11,
                                .e12 = e12,
                                .e22 = e22,
                                .most1 = fabs(e11) * of_x + fabs(e12) * of_y,
                                .most2 = fabs(e12) * of_x + fabs(e22) * of_y,
                                .noise = fmax(f->noise[j], f->noise[j + 1])};
    const size_t from = (j + 2) & ~(size_t)3, at = j * f->ld + from;
    /* rows j and j + 1 are among the first vector: the entry below the diagonal of L's block is zero */
    dd_ldl_scale_two(f->ld - from, f->ld, f->a + at, f->w + at, f->noise + from, &pivot);
    f->a[j * f->ld + j + 1] = 0;
    f->d[2 * j] = e11;
    f->d[2 * j + 1] = e12;
    f->d[2 * j + 2] = e22;
    f->d[2 * j + 3] = 0;
    /* the determinant's sign tells one negative from none or two */
    f->negative += a * d < 1 ? 1 : x->diagonal < 0 ? 2 : 0;
    f->broken = f->broken || !isfinite(e11 + e12 + e22);
    f->pairs++;
    f->eliminated += 2;
}

/* Are the multipliers of this 2 x 2 pivot small enough? */
static bool is_good_pair(const column *x, const column *y, double b, double of_x, double of_y)
{
    const double a = fabs(x->diagonal / b), d = fabs(y->diagonal / b);
    const double det = fabs(x->diagonal / b * (y->diagonal / b) - 1);
    /* |D^-1| times the largest entries, in units of b */
    const double first = d * of_x + of_y, second = of_x + a * of_y;
    return det >= cancellation * fmax(a * d, 1) && fmax(first, second) * threshold <= det * fabs(b);
}

/* Eliminates candidate c, alone or with another. False: not now. */
static bool try_candidate(dd_ldl_front *f, uint32_t c)
{
    const column x = look_at(f, c);
    const double most = fmax(fabs(x.diagonal), x.most);
    if (!isfinite(x.diagonal) || !isfinite(x.most)) {
        f->broken = true;
        return false;
    }
    if (most <= fmin(rounding * f->noise[c], surely)) {
        take_zero(f, c);
        return true;
    }
    if (fabs(x.diagonal) >= taken_at_once * x.most) {
        take_one(f, &x);
        return true;
    }
    /* two by two, where there is another candidate */
    const uint32_t r = partner_of(f, c);
    if (r != c) {
        const column y = look_at(f, r);
        if (!isfinite(y.diagonal) || !isfinite(y.most)) {
            f->broken = true;
            return false;
        }
        const double b = column_of(f, c)[r];
        const double of_x = largest_but(f, column_of(f, c), c, r), of_y = largest_but(f, column_of(f, r), c, r);
        if (is_good_pair(&x, &y, b, of_x, of_y)) {
            take_two(f, &x, &y, b, of_x, of_y);
            return true;
        }
    }
    if (fabs(x.diagonal) >= threshold * x.most) {
        take_one(f, &x);
        return true;
    }
    return false;
}

/* Brings all columns that are left up to date: those that have seen no pivot of the panel together. */
static void update_all(dd_ldl_front *f, uint32_t panel)
{
    const size_t from = first_row(f);
    for (uint32_t c = f->eliminated; c < f->candidates;) {
        uint32_t to = c;
        while (to < f->candidates && f->updated[to] == panel) {
            f->updated[to++] = f->eliminated;
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

dd_status dd_ldl_eliminate(dd_ldl_front *f)
{
    enum { LARGE = 500 }; /* rows: the clock is looked at after each panel */
    uint32_t panel = 0, c = 0, refused = 0;
    memset(f->updated, 0, f->candidates * sizeof *f->updated);
    /* the candidates in turn, until all that are left have been refused since the last pivot */
    while (f->eliminated < f->candidates && refused < f->candidates - f->eliminated && !f->broken) {
        c = c < f->eliminated || c >= f->candidates ? f->eliminated : c;
        refused = try_candidate(f, c) ? 0 : refused + 1;
        c++;
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
