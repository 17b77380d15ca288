/* mhe_interval.c - the collocation equations of one interval of the window, from the functions of the program: their slopes, and
 * their solution from its begin. */
#include <math.h>
#include <string.h>

#include "control/mhe.h"
#include "la/lapack.h"

#define MOST_STEPS 12 /* of Newton's method, which is quadratic from a state nearby */
#define SETTLED 1e-10 /* a step of this size: a guess need not be better */

/* Local number of the row in interval k, into a->row_of. */
static void number_rows(dd_mhe *m, uint32_t k)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->t->tags.len; i++) {
        const dd_row_tag *tag = &m->t->tags.data[i];
        const bool inside = tag->interval == k && (tag->kind == DD_ROW_DYNAMICS || tag->kind == DD_ROW_ALGEBRAIC);
        m->arrival.row_of[i] = inside ? count++ : UINT32_MAX;
    }
}

/* The matrix of the equations by (x, z) at all points, factored, and minus their slopes by (x_k, p, w_k) into a->right. False: it is
 * singular. */
static bool factor(dd_mhe *m, uint32_t k)
{
    const dd_ocp_problem *o = m->o;
    const dd_transcription *t = m->t;
    const dd_nlp *nlp = t->nlp;
    dd_arrival *a = &m->arrival;
    const uint32_t nx = o->x.len, np = o->p.len, nu = o->u.len, first = dd_transcription_x(t, k, 1, 0);
    const uint32_t points = m->degree * (nx + o->z.len);
    memset(a->matrix, 0, (size_t)points * points * sizeof *a->matrix);
    memset(a->right, 0, (size_t)points * (a->n + nu) * sizeof *a->right);
    /* unknowns on the left, what is given on the right */
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        const uint32_t row = a->row_of[nlp->jacobian_row[e]], v = nlp->jacobian_col[e];
        if (row == UINT32_MAX) {
            continue;
        }
        const double value = a->jacobian[e];
        if (v >= first && v < first + points) {
            a->matrix[(size_t)(v - first) * points + row] += value;
        } else if (v >= t->x_at[k] && v < t->x_at[k] + nx) {
            a->right[(size_t)(v - t->x_at[k]) * points + row] -= value;
        } else if (np > 0 && v >= t->p_at && v < t->p_at + np) {
            a->right[(size_t)(nx + v - t->p_at) * points + row] -= value;
        } else if (nu > 0 && v >= t->u_at[k] && v < t->u_at[k] + nu) {
            a->right[(size_t)(a->n + v - t->u_at[k]) * points + row] -= value;
        }
    }
    const int size = (int)points;
    int info;
    dgetrf_(&size, &size, a->matrix, &size, a->pivot, &info);
    return info == 0;
}

bool dd_mhe_interval_slopes(dd_mhe *m, uint32_t k)
{
    dd_arrival *a = &m->arrival;
    const int size = (int)(m->degree * (m->o->x.len + m->o->z.len)), columns = (int)(a->n + m->o->u.len);
    int info = 0;
    number_rows(m, k);
    if (!factor(m, k)) {
        return false;
    }
    dgetrs_("N", &size, &columns, a->matrix, &size, a->pivot, a->right, &size, &info, 1);
    return info == 0;
}

/* One step of Newton's method at the points of interval k; its size, NaN: there is none. */
static double newton_step(dd_mhe *m, uint32_t k)
{
    const dd_nlp *nlp = m->t->nlp;
    dd_arrival *a = &m->arrival;
    double *y = m->result.x, *at = y + dd_transcription_x(m->t, k, 1, 0), step = 0;
    const int size = (int)(m->degree * (m->o->x.len + m->o->z.len)), one = 1;
    int info;
    if (!nlp->constraints(nlp->user, y, true, a->rows) || !nlp->jacobian(nlp->user, y, false, a->jacobian) ||
        !factor(m, k)) {
        return NAN;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        if (a->row_of[i] != UINT32_MAX) {
            a->right[a->row_of[i]] = nlp->c_lower[i] - a->rows[i];
        }
    }
    dgetrs_("N", &size, &one, a->matrix, &size, a->pivot, a->right, &size, &info, 1);
    for (int i = 0; i < size; i++) {
        at[i] += a->right[i];
        step = isfinite(a->right[i]) ? fmax(step, fabs(a->right[i])) : (double)NAN;
        if (isnan(step)) {
            break;
        }
    }
    return step;
}

void dd_mhe_predict(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    const uint32_t k = m->size - 1, length = m->degree * (o->x.len + o->z.len);
    double *y = m->result.x, *at = y + dd_transcription_x(m->t, k, 1, 0);
    memcpy(m->before, at, length * sizeof *at);
    memset(y + m->t->u_at[k], 0, o->u.len * sizeof *y);
    number_rows(m, k);
    double step = INFINITY;
    for (int i = 0; i < MOST_STEPS && step > SETTLED; i++) {
        step = newton_step(m, k);
    }
    if (!(step <= SETTLED)) { /* at rest, as it was */
        memcpy(at, m->before, length * sizeof *at);
    }
    memcpy(y + m->t->x_at[m->size], y + dd_transcription_x(m->t, k, m->degree, 0), o->x.len * sizeof *y);
}
