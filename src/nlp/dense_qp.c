/* dense_qp.c - Goldfarb and Idnani (1983), "A numerically stable dual method for solving strictly convex quadratic
 * programs".
 *
 * With H = L L^T and N the normals of the active rows (pointing inwards: n^T x >= b) the method keeps
 *
 *     J = L^-T Q,    J^T N = [R; 0],    so  J^T H J = I
 *
 * In y = J^-1 x the solution on the active rows is y_1 = R^-T b, y_2 = -(J^T g)_2, its multipliers u = R^-1 (y_1 + (J^T g)_1). J is
 * kept by columns, R by columns as well. A pair (x, active rows) with u >= 0 is where the method can begin: the rows of
 * the solve before without those whose multiplier has the wrong sign now. */
#include "nlp/dense_qp.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

#define VIOLATED 1e-10     /* of 1 + |bound|, times the size of the row: a row that is violated */
#define DEPENDENT 1e-11    /* of the length of J^T n: what is left when a row depends on the active ones */
#define WRONG_SIGN 1e-12   /* of the largest multiplier: rounding of one that is zero */
#define ADDED_FIRST 1e-8   /* of the largest entry of H: the first multiple of the identity, */
#define ADDED_GROWTH 4.0   /* and from one to the next */
#define ADDED_TIMES 40     /* beyond, H has numbers that are not finite */
#define EXPECTED 1e-5      /* of the largest multiplier: rows with less are not expected to be active */
#define HELD 1.0           /* times the largest entry of H: curvature of the penalty */
#define PIVOT_LEAST 1e-13  /* of the largest entry: a smaller pivot of H is not positive */
#define CHANGES_PER_SIDE 5 /* times n + m changes of the active set: a limit that only rounding reaches */

struct dd_dense_qp {
    uint32_t n, m;
    double *h, *c;        /* n x n, m x n */
    double *size;         /* m: length of a row */
    uint32_t *from, *to;  /* m: its entries are between these; bounds of controls have one */
    double *factor;       /* n x n: L by rows */
    double *j, *r;        /* n x n each: columns one after the other */
    uint32_t q;           /* active rows */
    uint32_t *row;        /* n: which */
    double *sign;         /* n: 1: the lower bound, -1: the upper one */
    double *u;            /* n + 1: their multipliers */
    bool *active;         /* m */
    double *d, *z, *w;    /* n: J^T n, the step, R^-1 d */
    double *b;            /* n: of active rows */
    double *jg;           /* n: J^T g while a solve begins */
    double *made, *slope; /* n x n, n: H and g as they are solved with */
    double penalty;       /* on steps away from rows that are held: the active ones when H was factored; 0: none */
    uint32_t held, *held_row;
    double *held_sign;
    double added;
    bool factored;
};

dd_dense_qp *dd_dense_qp_new(dd_pool *pool, uint32_t n, uint32_t m)
{
    dd_dense_qp *q = dd_pool_alloc_array(pool, 1, sizeof *q);
    *q = (dd_dense_qp){.n = n, .m = m};
    /* one block of numbers, dealt out */
    const size_t square = (size_t)n * n, side = (size_t)n + 1;
    double *at = dd_pool_alloc_array(pool, 5 * square + 9 * side + (size_t)m * ((size_t)n + 1), sizeof *at);
    double **const squares[] = {&q->h, &q->made, &q->factor, &q->j, &q->r};
    for (int i = 0; i < 5; i++, at += square) {
        *squares[i] = at;
    }
    double **const sides[] = {&q->sign, &q->u, &q->d, &q->z, &q->w, &q->b, &q->slope, &q->held_sign, &q->jg};
    for (int i = 0; i < 9; i++, at += side) {
        *sides[i] = at;
    }
    q->c = at;
    q->size = at + (size_t)m * n;
    q->row = dd_pool_alloc_array(pool, side, sizeof *q->row);
    q->held_row = dd_pool_alloc_array(pool, side, sizeof *q->held_row);
    q->active = dd_pool_alloc_array(pool, (size_t)m + 1, sizeof *q->active);
    q->from = dd_pool_alloc_array(pool, (size_t)m + 1, sizeof *q->from);
    q->to = dd_pool_alloc_array(pool, (size_t)m + 1, sizeof *q->to);
    memset(q->active, 0, (size_t)m * sizeof *q->active);
    return q;
}

double *dd_dense_qp_hessian(dd_dense_qp *q)
{
    return q->h;
}

double *dd_dense_qp_rows(dd_dense_qp *q)
{
    return q->c;
}

double dd_dense_qp_added(const dd_dense_qp *q)
{
    return q->added;
}

DD_CLONES static double dot(const double *a, const double *b, uint32_t n)
{
    return dd_v4_dot(a, b, n);
}

/* to += factor from; they are different ones. */
DD_CLONES static void add_scaled(double *restrict to, double factor, const double *restrict from, uint32_t n)
{
    dd_v4_add_scaled(to, factor, from, n);
}

/* A row times x. */
static double row_times(const dd_dense_qp *q, uint32_t row, const double *x)
{
    const uint32_t from = q->from[row];
    return dot(q->c + (size_t)row * q->n + from, x + from, q->to[row] - from);
}

/* ---- factors ---- */

/* What is made of H, + added I = L L^T. */
static bool cholesky(dd_dense_qp *q, double largest)
{
    const uint32_t n = q->n;
    for (uint32_t i = 0; i < n; i++) {
        double *li = q->factor + (size_t)i * n;
        for (uint32_t k = 0; k <= i; k++) {
            const double *lk = q->factor + (size_t)k * n;
            const double rest = q->made[(size_t)i * n + k] + (i == k ? q->added : 0) - dot(li, lk, k);
            if (k < i) {
                li[k] = rest * lk[k]; /* the diagonal is kept inverted */
            } else if (rest > PIVOT_LEAST * largest) {
                li[i] = 1 / sqrt(rest);
            } else {
                return false;
            }
        }
    }
    return true;
}

/* J = L^-T: column k of J is row k of L^-1. */
static void invert(dd_dense_qp *q)
{
    const uint32_t n = q->n;
    memset(q->j, 0, (size_t)n * n * sizeof *q->j);
    for (uint32_t i = 0; i < n; i++) {
        const double *li = q->factor + (size_t)i * n;
        double *out = q->j + (size_t)i * n;
        for (uint32_t k = 0; k < i; k++) {
            add_scaled(out, -li[k], q->j + (size_t)k * n, k + 1);
        }
        for (uint32_t l = 0; l < i; l++) {
            out[l] *= li[i];
        }
        out[i] = li[i];
    }
}

/* Rotates two columns by the angle with this cosine and sine. */
DD_CLONES static void rotate(double c, double s, double *restrict x, double *restrict y, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const dd_v4 first = dd_v4_load(x + i), second = dd_v4_load(y + i);
        dd_v4_store(x + i, c * first + s * second);
        dd_v4_store(y + i, c * second - s * first);
    }
    for (; i < n; i++) {
        const double first = x[i], second = y[i];
        x[i] = c * first + s * second;
        y[i] = c * second - s * first;
    }
}

/* d = J^T normal. */
static void set_d(dd_dense_qp *q, uint32_t row, double sign)
{
    for (uint32_t i = 0; i < q->n; i++) {
        q->d[i] = sign * row_times(q, row, q->j + (size_t)i * q->n);
    }
}

/* The square of what of d the active rows do not span. */
static double free_part(const dd_dense_qp *q)
{
    const double all = dot(q->d, q->d, q->n), rest = dot(q->d + q->q, q->d + q->q, q->n - q->q);
    return rest > DEPENDENT * DEPENDENT * all ? rest : 0;
}

/* Takes the row of d into the active ones. */
static void append(dd_dense_qp *q, uint32_t row, double sign, double u)
{
    const uint32_t n = q->n, k = q->q++;
    for (uint32_t i = n - 1; i > k; i--) {
        if (q->d[i] != 0) { /* (d_i-1, d_i) becomes (length, 0) */
            const double length = hypot(q->d[i - 1], q->d[i]);
            rotate(q->d[i - 1] / length, q->d[i] / length, q->j + (size_t)(i - 1) * n, q->j + (size_t)i * n, n);
            q->d[i - 1] = length;
        }
    }
    memcpy(q->r + (size_t)k * n, q->d, ((size_t)k + 1) * sizeof *q->d);
    q->row[k] = row;
    q->sign[k] = sign;
    q->u[k] = u;
    q->active[row] = true;
}

/* Leaves out active row k: R loses a column and becomes triangular again. J^T g turns with J. */
static void drop(dd_dense_qp *q, uint32_t k)
{
    const uint32_t n = q->n;
    /* the columns behind it move up: one entry below the diagonal in each */
    q->active[q->row[k]] = false;
    q->q--;
    for (uint32_t l = k; l < q->q; l++) {
        memcpy(q->r + (size_t)l * n, q->r + (size_t)(l + 1) * n, ((size_t)l + 2) * sizeof *q->r);
        q->row[l] = q->row[l + 1];
        q->sign[l] = q->sign[l + 1];
        q->u[l] = q->u[l + 1];
    }
    /* rotations of neighbouring rows take these entries out */
    for (uint32_t l = k; l < q->q; l++) {
        double *pivot = q->r + (size_t)l * n + l;
        const double a = pivot[0], b = pivot[1];
        if (b == 0) {
            continue;
        }
        const double length = hypot(a, b), cosine = a / length, sine = b / length;
        for (uint32_t i = l; i < q->q; i++) {
            double *x = q->r + (size_t)i * n + l;
            const double first = x[0], second = x[1];
            x[0] = cosine * first + sine * second;
            x[1] = cosine * second - sine * first;
        }
        rotate(cosine, sine, q->j + (size_t)l * n, q->j + (size_t)(l + 1) * n, n);
        const double first = q->jg[l], second = q->jg[l + 1];
        q->jg[l] = cosine * first + sine * second;
        q->jg[l + 1] = cosine * second - sine * first;
    }
}

void dd_dense_qp_expect(dd_dense_qp *q, const double *lambda)
{
    double largest = 0;
    q->q = 0;
    for (uint32_t i = 0; i < q->m; i++) {
        q->active[i] = false;
        largest = fmax(largest, fabs(lambda[i]));
    }
    for (uint32_t i = 0; i < q->m && q->q < q->n; i++) {
        if (fabs(lambda[i]) > EXPECTED * largest) {
            q->row[q->q] = i;
            q->sign[q->q++] = lambda[i] > 0 ? -1 : 1;
        }
    }
}

/* H + penalty n n^T / |n|^2 for the rows that are expected to be active. */
static void hold(dd_dense_qp *q, double penalty)
{
    const uint32_t n = q->n;
    q->penalty = penalty;
    q->held = q->q;
    for (uint32_t k = 0; k < q->q; k++) {
        const double *c = q->c + (size_t)q->row[k] * n, size = q->size[q->row[k]];
        q->held_row[k] = q->row[k];
        q->held_sign[k] = q->sign[k];
        for (uint32_t i = 0; i < n && size > 0; i++) {
            const double factor = penalty * c[i] / (size * size);
            for (uint32_t l = 0; l <= i && factor != 0; l++) {
                q->made[(size_t)i * n + l] += factor * c[l];
            }
        }
    }
}

/* Takes the rows that are listed as active, but for those that depend on others. */
static void activate(dd_dense_qp *q)
{
    const uint32_t listed = q->q;
    for (uint32_t k = 0; k < listed; k++) {
        q->active[q->row[k]] = false;
    }
    q->q = 0;
    for (uint32_t k = 0; k < listed; k++) {
        const uint32_t row = q->row[k];
        const double sign = q->sign[k];
        set_d(q, row, sign);
        if (free_part(q) > 0) {
            append(q, row, sign, 0);
        }
    }
}

bool dd_dense_qp_factor(dd_dense_qp *q)
{
    const uint32_t n = q->n;
    double largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k <= i; k++) {
            largest = fmax(largest, fabs(q->h[(size_t)i * n + k]));
        }
    }
    for (uint32_t i = 0; i < q->m; i++) {
        const double *c = q->c + (size_t)i * n;
        q->from[i] = 0;
        q->to[i] = n;
        while (q->from[i] < n && c[q->from[i]] == 0) {
            q->from[i]++;
        }
        while (q->to[i] > q->from[i] && c[q->to[i] - 1] == 0) {
            q->to[i]--;
        }
        q->size[i] = sqrt(row_times(q, i, c));
    }
    /* as it is; then with rows that are held; then with more and more on the diagonal */
    memcpy(q->made, q->h, (size_t)n * n * sizeof *q->h);
    q->added = q->penalty = 0;
    q->factored = cholesky(q, largest);
    if (!q->factored && q->q > 0) {
        hold(q, HELD * largest);
        q->factored = cholesky(q, largest);
    }
    for (uint32_t times = 0; !q->factored && times < ADDED_TIMES; times++) {
        q->added = times == 0 ? ADDED_FIRST * fmax(largest, ADDED_FIRST) : ADDED_GROWTH * q->added;
        q->factored = cholesky(q, largest);
    }
    if (q->factored) {
        invert(q);
        activate(q);
    }
    return q->factored;
}

/* g with the penalties of the rows that are held. */
static const double *gradient(dd_dense_qp *q, const double *g, const double *lower, const double *upper)
{
    if (q->penalty == 0) {
        return g;
    }
    memcpy(q->slope, g, q->n * sizeof *g);
    for (uint32_t k = 0; k < q->held; k++) {
        const uint32_t row = q->held_row[k];
        const double b = q->held_sign[k] > 0 ? lower[row] : upper[row], size = q->size[row];
        for (uint32_t i = 0; i < q->n && size > 0; i++) {
            q->slope[i] -= q->penalty * b / (size * size) * q->c[(size_t)row * q->n + i];
        }
    }
    return q->slope;
}

/* ---- a solve ---- */

typedef struct solve {
    dd_dense_qp *q;
    const double *g, *lower, *upper;
    double *x;
    uint32_t changes, most;
} solve;

static bool is_equality(const solve *s, uint32_t row)
{
    return s->lower[row] == s->upper[row];
}

/* w = R^-1 w, of the active rows. */
static void solve_r(const dd_dense_qp *q, double *w)
{
    for (uint32_t k = q->q; k-- > 0;) {
        const double *column = q->r + (size_t)k * q->n;
        w[k] /= column[k];
        for (uint32_t i = 0; i < k; i++) {
            w[i] -= column[i] * w[k];
        }
    }
}

/* J^T g. */
static void set_slopes(const solve *s)
{
    dd_dense_qp *q = s->q;
    for (uint32_t k = 0; k < q->n; k++) {
        q->jg[k] = dot(q->j + (size_t)k * q->n, s->g, q->n);
    }
}

/* y_1 and the multipliers on the active rows, with J^T g as it is. */
static void solve_multipliers(const solve *s)
{
    dd_dense_qp *q = s->q;
    for (uint32_t k = 0; k < q->q; k++) {
        const uint32_t row = q->row[k];
        const double b = q->sign[k] > 0 ? s->lower[row] : -s->upper[row], *r = q->r + (size_t)k * q->n;
        q->b[k] = (b - dot(r, q->b, k)) / r[k];
        q->u[k] = q->b[k] + q->jg[k];
    }
    solve_r(q, q->u);
}

/* x = J y after that. */
static void solve_point(const solve *s)
{
    const dd_dense_qp *q = s->q;
    memset(s->x, 0, q->n * sizeof *s->x);
    for (uint32_t k = 0; k < q->n; k++) {
        add_scaled(s->x, k < q->q ? q->b[k] : -q->jg[k], q->j + (size_t)k * q->n, q->n);
    }
}

/* Rows whose multiplier has the wrong sign for these numbers leave, the worst first. */
static void begin(solve *s)
{
    dd_dense_qp *q = s->q;
    /* a bound that is gone, or that became an equality's other side */
    for (uint32_t k = q->q; k-- > 0;) {
        if (!isfinite(q->sign[k] > 0 ? s->lower[q->row[k]] : s->upper[q->row[k]])) {
            drop(q, k);
        }
    }
    set_slopes(s);
    for (;;) {
        solve_multipliers(s);
        double largest = 0, worst = 0;
        uint32_t which = 0;
        for (uint32_t k = 0; k < q->q; k++) {
            largest = fmax(largest, fabs(q->u[k]));
            if (q->u[k] < worst && !is_equality(s, q->row[k])) {
                worst = q->u[k];
                which = k;
            }
        }
        if (!(worst < -WRONG_SIGN * largest)) {
            break;
        }
        drop(q, which);
        s->changes++;
    }
    solve_point(s);
}

/* The row that is violated most; equalities come first. m: none. */
static uint32_t worst_row(const solve *s, double *sign)
{
    const dd_dense_qp *q = s->q;
    uint32_t found = q->m;
    double worst = 0;
    for (uint32_t i = 0; i < q->m; i++) {
        if (q->active[i]) {
            continue;
        }
        const double value = row_times(q, i, s->x);
        const bool below = value - s->lower[i] < s->upper[i] - value;
        const double by = below ? s->lower[i] - value : value - s->upper[i];
        const double unit = fmax(q->size[i], VIOLATED) * (1 + fabs(below ? s->lower[i] : s->upper[i]));
        if (by > VIOLATED * unit && (by > worst * q->size[i] || is_equality(s, i))) {
            worst = q->size[i] > 0 && !is_equality(s, i) ? by / q->size[i] : INFINITY;
            found = i;
            *sign = below ? 1 : -1;
        }
    }
    return found;
}

/* One row becomes active; others may have to leave for it. */
static dd_dense_qp_status add_row(solve *s, uint32_t row, double sign)
{
    dd_dense_qp *q = s->q;
    const uint32_t n = q->n;
    double u = 0;
    for (;;) {
        if (++s->changes > s->most) {
            return DD_DENSE_QP_LIMIT;
        }
        const double slack = sign * (row_times(q, row, s->x) - (sign > 0 ? s->lower[row] : s->upper[row]));
        set_d(q, row, sign);
        /* dual direction w = R^-1 d_1, and how far until a multiplier is zero */
        memcpy(q->w, q->d, q->q * sizeof *q->w);
        solve_r(q, q->w);
        double dual = INFINITY;
        uint32_t leaves = 0;
        for (uint32_t k = 0; k < q->q; k++) {
            if (q->w[k] > 0 && !is_equality(s, q->row[k]) && fmax(q->u[k], 0) < dual * q->w[k]) {
                dual = fmax(q->u[k], 0) / q->w[k];
                leaves = k;
            }
        }
        /* primal direction z = J_2 d_2, z^T n = |d_2|^2, and how far until the row holds */
        const double curvature = free_part(q);
        const double primal = curvature > 0 ? -slack / curvature : INFINITY;
        const double t = fmin(primal, dual);
        if (!isfinite(t)) {
            return isnan(t) || isnan(slack) ? DD_DENSE_QP_FAILED : DD_DENSE_QP_INFEASIBLE;
        }
        for (uint32_t k = q->q; k < n && curvature > 0; k++) {
            add_scaled(s->x, t * q->d[k], q->j + (size_t)k * n, n);
        }
        for (uint32_t k = 0; k < q->q; k++) {
            q->u[k] -= t * q->w[k];
        }
        u += t;
        if (primal <= dual) {
            append(q, row, sign, u);
            return DD_DENSE_QP_OPTIMAL;
        }
        drop(q, leaves);
    }
}

dd_dense_qp_status dd_dense_qp_solve(dd_dense_qp *q, const double *g, const double *lower, const double *upper,
                                     double *x, double *lambda, uint32_t *changes)
{
    solve s = {q, gradient(q, g, lower, upper), lower, upper, x, 0, CHANGES_PER_SIDE * (q->n + q->m) + 1};
    dd_dense_qp_status status = q->factored ? DD_DENSE_QP_OPTIMAL : DD_DENSE_QP_FAILED;
    memset(lambda, 0, q->m * sizeof *lambda);
    if (status == DD_DENSE_QP_OPTIMAL) {
        begin(&s);
    }
    double sign = 0;
    uint32_t row;
    while (status == DD_DENSE_QP_OPTIMAL && (row = worst_row(&s, &sign)) < q->m) {
        status = add_row(&s, row, sign);
    }
    /* once more from the factors: without the rounding of the steps */
    if (status == DD_DENSE_QP_OPTIMAL) {
        if (s.changes > 0) {
            set_slopes(&s);
            solve_multipliers(&s);
            solve_point(&s);
        }
        for (uint32_t k = 0; k < q->q; k++) {
            lambda[q->row[k]] = -q->sign[k] * q->u[k];
        }
        for (uint32_t i = 0; i < q->n; i++) {
            status = isfinite(x[i]) ? status : DD_DENSE_QP_FAILED;
        }
    }
    if (changes != NULL) {
        *changes = s.changes;
    }
    return status;
}
