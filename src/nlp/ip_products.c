/* ip_products.c - products with the derivative A of the equations, and what a solution leaves of the linear system. */
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"

#define WORTH_A_TEAM 50000u /* entries: tens of microseconds */

/* out += J^T y */
static void add_rows(const dd_ip_base *b, const double *y, double *out)
{
    const uint32_t *col = b->nlp->jacobian_col, *row = b->nlp->jacobian_row;
    if (!b->by_rows) {
        for (uint32_t k = 0; k < b->nlp->jacobian_nnz; k++) {
            out[col[k]] += b->jacobian[k] * y[row[k]];
        }
        return;
    }
    for (uint32_t i = 0, k = 0; i < b->nlp->m; i++) {
        const double factor = y[i];
        for (const uint32_t end = b->row_end[i]; k < end; k++) {
            out[col[k]] += b->jacobian[k] * factor;
        }
    }
}

void dd_ip_add_transposed(const dd_ip *ip, const double *y, double *out)
{
    add_rows(ip->base, y, out);
    for (uint32_t t = 0; t < ip->nt; t++) {
        out[ip->n + t] += ip->sign[t] * y[ip->row[t]];
    }
}

/* A right-hand side, what is to solve the system, and the largest residuals of both kinds of equations. */
typedef struct system_sides {
    dd_ip *ip;
    const double *rw, *rc, *dw, *dy;
    double largest_w, largest_c;
} system_sides;

/* ew -= J^T dy and ec = rc - J dx: each entry of the Jacobian is read once. */
static void subtract_both(const dd_ip_base *b, const system_sides *s, double *ew, double *ec)
{
    const uint32_t *col = b->nlp->jacobian_col, *row = b->nlp->jacobian_row;
    const double *dx = s->dw, *dy = s->dy;
    if (!b->by_rows) {
        memcpy(ec, s->rc, b->nlp->m * sizeof *ec);
        for (uint32_t k = 0; k < b->nlp->jacobian_nnz; k++) {
            ew[col[k]] -= b->jacobian[k] * dy[row[k]];
            ec[row[k]] -= b->jacobian[k] * dx[col[k]];
        }
        return;
    }
    for (uint32_t i = 0, k = 0; i < b->nlp->m; i++) {
        const double factor = dy[i];
        double sum = 0;
        for (const uint32_t end = b->row_end[i]; k < end; k++) {
            const double entry = b->jacobian[k];
            sum += entry * dx[col[k]];
            ew[col[k]] -= entry * factor;
        }
        ec[i] = s->rc[i] - sum;
    }
}

/* The same one by one, entries by rows: for two threads. Sums have the same order. */
static void subtract_transposed(const dd_ip_base *b, const double *dy, double *ew)
{
    const uint32_t *col = b->nlp->jacobian_col;
    for (uint32_t i = 0, k = 0; i < b->nlp->m; i++) {
        const double factor = dy[i];
        for (const uint32_t end = b->row_end[i]; k < end; k++) {
            ew[col[k]] -= b->jacobian[k] * factor;
        }
    }
}

static void subtract_forward(const dd_ip_base *b, const double *rc, const double *dx, double *ec)
{
    const uint32_t *col = b->nlp->jacobian_col;
    for (uint32_t i = 0, k = 0; i < b->nlp->m; i++) {
        double sum = 0;
        for (const uint32_t end = b->row_end[i]; k < end; k++) {
            sum += b->jacobian[k] * dx[col[k]];
        }
        ec[i] = rc[i] - sum;
    }
}

/* ew -= H dx */
static void subtract_hessian(const dd_ip_base *b, const double *dx, double *ew)
{
    const uint32_t *col = b->nlp->hessian_col, *row = b->nlp->hessian_row;
    /* without a branch, since every few entries one is on the diagonal */
    for (uint32_t k = 0; k < b->nlp->hessian_nnz && b->hessian_end == NULL; k++) {
        const uint32_t i = row[k], j = col[k];
        const double entry = b->hessian[k], mirrored = i != j ? entry : 0;
        ew[i] -= entry * dx[j];
        ew[j] -= mirrored * dx[i];
    }
    /* row by row: that of a free time has an entry for every variable, and each sum would wait for the one before */
    for (uint32_t i = 0, k = 0; i < b->nlp->n && b->hessian_end != NULL; i++) {
        const double x = dx[i];
        double sum = 0;
        for (const uint32_t end = b->hessian_end[i]; k < end; k++) {
            const uint32_t j = col[k];
            const double entry = b->hessian[k], mirrored = i != j ? entry : 0;
            sum += entry * dx[j];
            ew[j] -= mirrored * x;
        }
        ew[i] -= sum;
    }
}

/* rw - (H dx + p dw + A^T dy) without the Jacobian of the program. */
static void begin_w(const system_sides *s)
{
    const dd_ip *ip = s->ip;
    const dd_ip_base *b = ip->base;
    const double *dw = s->dw;
    double *ew = ip->ew;
    dd_ip_subtract_product(ew, s->rw, ip->p, dw, ip->nw);
    for (uint32_t t = 0; t < ip->nt; t++) {
        ew[ip->n + t] -= ip->sign[t] * s->dy[ip->row[t]];
    }
    subtract_hessian(b, dw, ew);
    if (b->quasi != NULL && !ip->plain) {
        dd_ip_quasi_subtract(b->quasi, dw, ew);
    }
}

static void end_w(system_sides *s)
{
    const dd_ip *ip = s->ip;
    for (uint32_t i = 0; i < ip->n && ip->base->any_fixed; i++) {
        ip->ew[i] = ip->base->fixed[i] ? 0 : ip->ew[i];
    }
    s->largest_w = dd_ip_largest(ip->ew, ip->nw);
}

/* rc - (A dw - q dy), from what the Jacobian of the program leaves of rc. */
static void end_c(system_sides *s)
{
    const dd_ip *ip = s->ip;
    for (uint32_t i = 0; i < ip->m && ip->has_deltas; i++) {
        ip->ec[i] += dd_ip_delta_of(ip, i) * s->dy[i];
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        ip->ec[ip->row[t]] -= ip->sign[t] * s->dw[ip->n + t];
    }
    s->largest_c = dd_ip_largest(ip->ec, ip->m);
}

static void residual_part(void *user, uint32_t part, uint32_t member)
{
    system_sides *s = user;
    const dd_ip *ip = s->ip;
    (void)member;
    if (part == 0) {
        begin_w(s);
        subtract_transposed(ip->base, s->dy, ip->ew);
        end_w(s);
    } else {
        subtract_forward(ip->base, s->rc, s->dw, ip->ec);
        end_c(s);
    }
}

double dd_ip_system_residual(dd_ip *ip, const double *rw, const double *rc, const double *dw, const double *dy)
{
    const dd_ip_base *b = ip->base;
    system_sides s = {.ip = ip, .rw = rw, .rc = rc, .dw = dw, .dy = dy};
    if (dd_team_size(b->team) > 1 && b->by_rows && b->nlp->jacobian_nnz > WORTH_A_TEAM) {
        dd_team_run(b->team, 2, residual_part, &s);
    } else {
        begin_w(&s);
        subtract_both(b, &s, ip->ew, ip->ec);
        end_w(&s);
        end_c(&s);
    }
    return fmax(s.largest_w, s.largest_c);
}
