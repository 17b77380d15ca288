/* ip_products.c - products with the derivative A of the equations, and what a solution leaves of the linear system. */
#include <math.h>

#include "nlp/ip_impl.h"

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

/* ew -= J^T dy and ec -= J dx: each entry of the Jacobian is read once. */
static void subtract_both(const dd_ip_base *b, const double *dx, const double *dy, double *ew, double *ec)
{
    const uint32_t *col = b->nlp->jacobian_col, *row = b->nlp->jacobian_row;
    if (!b->by_rows) {
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
        ec[i] -= sum;
    }
}

double dd_ip_system_residual(dd_ip *ip, const double *rw, const double *rc, const double *dw, const double *dy)
{
    const dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    double *ew = ip->ew, *ec = ip->ec;
    /* rw - (H dx + p dw + A^T dy) and rc - (A dw - q dy), first what stands on the diagonal */
    for (uint32_t i = 0; i < ip->nw; i++) {
        ew[i] = rw[i] - ip->p[i] * dw[i];
    }
    for (uint32_t i = 0; i < ip->m; i++) {
        ec[i] = rc[i];
    }
    for (uint32_t i = 0; i < ip->m && ip->has_deltas; i++) {
        ec[i] += dd_ip_delta_of(ip, i) * dy[i];
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        ew[ip->n + t] -= ip->sign[t] * dy[ip->row[t]];
        ec[ip->row[t]] -= ip->sign[t] * dw[ip->n + t];
    }
    /* then the program's derivatives; without the branch, since every few entries one is on the diagonal */
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        const uint32_t i = nlp->hessian_row[k], j = nlp->hessian_col[k];
        const double entry = b->hessian[k], mirrored = i != j ? entry : 0;
        ew[i] -= entry * dw[j];
        ew[j] -= mirrored * dw[i];
    }
    if (b->quasi != NULL && !ip->plain) {
        dd_ip_quasi_subtract(b->quasi, dw, ew);
    }
    subtract_both(b, dw, dy, ew, ec);
    for (uint32_t i = 0; i < ip->n && b->any_fixed; i++) {
        ew[i] = b->fixed[i] ? 0 : ew[i];
    }
    return fmax(dd_ip_largest(ew, ip->nw), dd_ip_largest(ec, ip->m));
}
