/* tableau_fill.c - coefficients from the table, from a parameter, or by collocation.
 *
 * Lobatto methods share nodes and weights. IIIA is collocation; IIIB follows from it by b_i A_ij + b_j A'_ji = b_i b_j,
 * IIIC has A_i1 = b_1 and integrates polynomials of degree s - 2 exactly (C(s-1)). Hairer & Wanner II, sec. IV.5. */
#include <assert.h>
#include <string.h>

#include "methods/collocation.h"
#include "methods/expression.h"
#include "methods/tableau_build.h"
#include "methods/tableau_table.h"

/* ---- the table ---- */

/* Reads rows of formulas into a matrix of that many columns, zero before; NULL: nothing. */
static void read_matrix(const char *text, dd_quad *matrix, uint32_t rows, uint32_t columns, dd_quad *accuracy)
{
    /* entries are separated by blanks, rows by semicolons; entries that are not written stay zero */
    uint32_t row = 0, column = 0;
    while (text && *text) {
        const size_t n = strcspn(text, " ;");
        if (n > 0) {
            dd_expression_error error;
            assert(row < rows && column < columns);
            const bool fine =
                dd_expression_evaluate(text, n, &matrix[(size_t)row * columns + column], accuracy, &error);
            assert(fine); /* the table is ours */
            (void)fine;
            (void)rows;
            column++;
        } else if (*text == ';') {
            row++;
            column = 0;
        }
        text += n > 0 ? n : 1;
    }
}

/* p += factor * theta^up (1 - theta)^down */
static void add_bernstein(dd_quad *p, dd_quad factor, uint32_t up, uint32_t down)
{
    dd_quad binomial = 1;
    /* binomial expansion of (1 - theta)^down: coefficient (-1)^k (down over k) at theta^(up + k) */
    for (uint32_t k = 0; k <= down; k++) {
        p[up + k - 1] += factor * (k % 2 == 0 ? binomial : -binomial); /* p has no constant term */
        binomial = binomial * (down - k) / (k + 1);
    }
}

/* the nested form as powers of theta: r_2, r_3, r_4, ... are the factors of theta, theta (1-theta), theta^2 (1-theta),
 * theta^2 (1-theta)^2, ... */
static void fill_dense(dd_tableau_room *room, const dd_table_row *row, dd_quad *accuracy)
{
    enum { MOST_ROWS = 4 };
    const uint32_t n = row->dense_stages, extra = n - row->stages;
    /* rows of d are the coefficients behind the cubic part, one per further degree */
    dd_quad d[MOST_ROWS * DD_DENSE_STAGES] = {0};
    uint32_t rows = *row->dense_d ? 1 : 0;
    for (const char *p = row->dense_d; *p; p++) {
        rows += *p == ';';
    }
    assert(n <= DD_DENSE_STAGES && rows <= MOST_ROWS);
    read_matrix(row->dense_d, d, MOST_ROWS, n, accuracy);
    read_matrix(row->dense_A, room->dense_A, extra, n, accuracy);
    read_matrix(row->dense_c, room->dense_c, 1, extra, accuracy);
    room->dense_stages = n;
    room->dense_degree = 3 + rows;
    room->dense_order = row->dense_order;
    /* b_i(theta) per stage: a cubic Hermite polynomial through the ends (values 0 and b_i, slopes 1 of the
     * first stage and 1 of the stage at the end), then corrections that vanish at both ends with their slopes */
    for (uint32_t i = 0; i < n; i++) {
        dd_quad *p = room->dense_B + (size_t)i * room->dense_degree;
        const dd_quad step = i < row->stages ? room->b[i] : 0;
        const dd_quad first = i == 0, last = i == row->dense_last;
        add_bernstein(p, step, 1, 0);
        add_bernstein(p, first - step, 1, 1);
        add_bernstein(p, 2 * step - first - last, 2, 1);
        for (uint32_t k = 0; k < rows; k++) {
            add_bernstein(p, d[(size_t)k * n + i], 2 + (k + 1) / 2, 2 + k / 2);
        }
    }
}

void dd_tableau_fill_row(dd_tableau_room *room, dd_tableau_input *in, const dd_table_row *row)
{
    const uint32_t s = row->stages;
    in->stages = s;
    in->order = row->order;
    in->embedded_order = row->embedded_order;
    in->low_order = row->low_order;
    read_matrix(row->A, room->A, s, s, &in->accuracy);
    read_matrix(row->b, room->b, 1, s, &in->accuracy);
    read_matrix(row->c, room->c, 1, s, &in->accuracy);
    read_matrix(row->bhat, room->bhat, 1, s, &in->accuracy);
    read_matrix(row->bhat_low, room->bhat_low, 1, s, &in->accuracy);
    in->A = room->A;
    in->b = room->b;
    in->c = room->c;
    in->bhat = row->bhat ? room->bhat : NULL;
    in->bhat_low = row->bhat_low ? room->bhat_low : NULL;
    if (row->dense_stages > 0) {
        fill_dense(room, row, &in->accuracy);
    }
}

/* ---- with a parameter ---- */

bool dd_tableau_fill_generic(dd_tableau_room *room, dd_tableau_input *in, uint32_t order, dd_quad alpha)
{
    const uint32_t s = order;
    /* the order conditions divide by alpha, and for order 3 by 1 - alpha and 3 alpha - 2 */
    if (alpha == 0 || (order == 3 && (alpha == 1 || 3 * alpha == 2))) {
        return false;
    }
    in->stages = s;
    in->order = 0; /* a special alpha may have a higher one; the order conditions decide */
    in->A = room->A;
    in->b = room->b;
    in->c = room->c;
    room->c[1] = room->A[s] = alpha;
    if (order == 2) {
        /* order 2: b^T c = 1/2 with c = (0, alpha) */
        room->b[0] = 1 - 1 / (2 * alpha);
        room->b[1] = 1 / (2 * alpha);
        return true;
    }
    /* order 3 with c = (0, alpha, 1): b^T c = 1/2 and b^T c^2 = 1/3 determine b, b^T A c = 1/6 the entry A_32 */
    const dd_quad q = (1 - alpha) / (alpha * (3 * alpha - 2));
    room->A[2 * s] = 1 + q;
    room->A[2 * s + 1] = -q;
    room->c[2] = 1;
    room->b[0] = (dd_quad)1 / 2 - 1 / (6 * alpha);
    room->b[1] = 1 / (6 * alpha * (1 - alpha));
    room->b[2] = (2 - 3 * alpha) / (6 * (1 - alpha));
    return true;
}

/* ---- families ---- */

static void lobatto_b(dd_tableau_room *room, uint32_t s)
{
    for (uint32_t i = 0; i < s; i++) {
        /* both entries of a pair are needed before either is overwritten */
        for (uint32_t j = i; j < s; j++) {
            const dd_quad upper = room->A[(size_t)i * s + j], lower = room->A[(size_t)j * s + i];
            room->A[(size_t)i * s + j] = room->b[j] * (1 - lower / room->b[i]);
            room->A[(size_t)j * s + i] = room->b[i] * (1 - upper / room->b[j]);
        }
    }
}

/* q = l_j on the nodes c_2..c_s:  int_0^{c_i} q = b_1 q(0) + A_ij */
static void lobatto_c(dd_tableau_room *room, uint32_t s)
{
    dd_quad integrals[DD_TABLEAU_STAGES];
    for (uint32_t i = 0; i < s; i++) {
        dd_quad *row = room->A + (size_t)i * s;
        dd_lagrange_integrals(room->c + 1, s - 1, room->c[i], integrals);
        row[0] = room->b[0];
        for (uint32_t j = 1; j < s; j++) {
            row[j] = integrals[j - 1] - room->b[0] * dd_lagrange(room->c + 1, s - 1, j - 1, 0);
        }
    }
    for (uint32_t j = 0; j < s; j++) { /* stiffly accurate, exactly */
        room->A[(size_t)(s - 1) * s + j] = room->b[j];
    }
}

/* Chebyshev: the integral of the node polynomial, (x - 1) U_{s-1}(x) on [-1, 1], never vanishes, so B(s + 1) fails. */
static uint32_t family_order(dd_tableau_family family, uint32_t s)
{
    switch (family) {
    case DD_FAMILY_GAUSS:
        return 2 * s;
    case DD_FAMILY_RADAU_IIA:
        return 2 * s - 1;
    case DD_FAMILY_LOBATTO_IIIA:
    case DD_FAMILY_LOBATTO_IIIB:
    case DD_FAMILY_LOBATTO_IIIC:
        return 2 * s - 2;
    default:
        return s;
    }
}

void dd_tableau_fill_family(dd_tableau_room *room, dd_tableau_input *in)
{
    const uint32_t s = in->stages;
    const dd_tableau_family family = in->family;
    const dd_nodes nodes = family == DD_FAMILY_GAUSS       ? DD_NODES_GAUSS
                           : family == DD_FAMILY_RADAU_IIA ? DD_NODES_RADAU
                           : family == DD_FAMILY_CHEBYSHEV ? DD_NODES_CHEBYSHEV
                                                           : DD_NODES_LOBATTO;
    dd_collocation_nodes(nodes, s, room->c);
    dd_collocation(room->c, s, room->A, room->b);
    if (nodes == DD_NODES_LOBATTO || nodes == DD_NODES_GAUSS) {
        for (uint32_t i = 0; i < s / 2; i++) { /* symmetric weights, exactly */
            room->b[s - 1 - i] = room->b[i];
        }
    }
    if (family != DD_FAMILY_GAUSS) { /* c_s = 1: the last row is the same integral as b */
        memcpy(room->A + (size_t)(s - 1) * s, room->b, s * sizeof *room->b);
    }
    if (family == DD_FAMILY_LOBATTO_IIIB) {
        lobatto_b(room, s);
    } else if (family == DD_FAMILY_LOBATTO_IIIC) {
        lobatto_c(room, s);
    }
    in->A = room->A;
    in->b = room->b;
    in->c = room->c;
    in->order = family_order(family, s);
    in->accuracy = 16 * s * DD_QUAD_EPSILON; /* sums of s products */
}
