/* verify.c - the counts by definition, from the rows as written: what a structure promises of combined rows, or by
 * accident, is not always what the equations say.
 *
 * Degrees of freedom are proved by a regular Jacobian. Index and constraints follow from ranks: of dF/dx' alone, of the
 * matrix pencil where coefficients are constant, of the derivative array [F; F'; ...] in general.
 */
#include "structure/verify.h"

#include <float.h>
#include <math.h>

#include "la/rank_sparse.h"
#include "structure/answer.h"
#include "structure/derivative_array.h"
#include "structure/field.h"
#include "structure/numeric.h"

#define NOISE (64 * DBL_EPSILON) /* of a value that is computed from terms of size 1 */

/* The rows of the answer are the rows as written, in the declared columns. */
static bool rows_as_written(const dd_system *s)
{
    bool same = s->eqs.len == s->original.len && s->ncols == s->declared;
    for (uint32_t i = 0; i < s->eqs.len && same; i++) {
        same = s->eqs.data[i].residual == s->original.data[i].residual;
    }
    return same;
}

dd_system dd_verify_written(const dd_system *s, dd_pool *scratch)
{
    dd_system written = *s;
    written.warnings = (dd_string_vec){0}; /* vanishing coefficients were reported when they left the rows */
    /* most answers are those of the rows as written, whose incidence is known */
    if (rows_as_written(s)) {
        return written;
    }
    written.ncols = s->declared; /* auxiliaries are the last columns */
    written.numeric = NULL;
    written.inc = dd_system_incidence(&written, &written.original, scratch);
    return written;
}

bool dd_verify_rank_of_rates(const dd_system *s, dd_numeric *nm, uint32_t *rank, dd_pool *scratch)
{
    const dd_incidence *inc = nm->inc;
    DD_VEC(uint32_t) row = {0}, col = {0};
    DD_VEC(double) val = {0};
    if (!dd_numeric_partials(nm, s->point.x, s->point.order + 1)) {
        return false;
    }
    /* entries dF_i/dx_j' */
    for (uint32_t i = 0; i < inc->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (inc->sigma[e] == 1) {
                /* sin(x)^2 + cos(x)^2 - 1 is zero, and its value rounding noise */
                double magnitude;
                const double value = dd_numeric_tight(nm, e, &magnitude);
                if (fabs(value) > NOISE * magnitude) {
                    dd_vec_push(scratch, &row, i);
                    dd_vec_push(scratch, &col, inc->idx[e]);
                    dd_vec_push(scratch, &val, value);
                }
            }
        }
    }
    uint8_t *dependent = dd_pool_alloc_array(scratch, inc->n + 1, 1);
    /* dF/dx' of a DAE is singular: its rank is taken from numbers */
    dd_csc a = {0};
    dd_rowspace_info info = {0};
    dd_status st = dd_csc_from_triplets(&a, s->ctx, inc->n, s->declared,
                                        &(dd_triplets){row.len, row.data, col.data, val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, s->ctx, &a, NULL, dependent, NULL, NULL, NULL);
    }
    dd_csc_free(s->ctx, &a);
    dd_system_must(s, st, "rank analysis");
    *rank = info.rank;
    return true;
}

/* Visible constraints are what dF/dx' of the rows as written leaves open; the hidden ones are the rest. (At a point
 * that is only a guess the rank may be below the degrees of freedom: then there is no rest.) */
void dd_verify_constraint_counts(dd_system *s, dd_pool *scratch)
{
    dd_incidence inc = rows_as_written(s) ? s->inc : dd_system_incidence(s, &s->original, scratch);
    uint32_t rank, rest = s->declared - (uint32_t)s->dof;
    bool known = dd_verify_rank_of_rates(s, dd_numeric_new(s, &s->original, &inc, scratch), &rank, scratch);
    /* n - rank rows can be made free of derivatives */
    uint32_t visible = known ? s->declared - rank : s->visible.len;
    s->constraint_count = visible < rest ? visible : rest;
    s->hidden_count = rest - s->constraint_count;
}

/* Index, and numbers of visible and hidden constraints. */
typedef struct counts {
    bool known;
    uint32_t index, visible, hidden;
} counts;

/* What a simulation needs to know, from one rank. A regular Jacobian proves the degrees of freedom, so dF/dx' of the
 * rows as written determines the number of hidden constraints: without any the index is 0 or 1, else the structure's,
 * an upper bound, will do. */
static counts by_rank(dd_system *written, dd_pool *scratch)
{
    uint32_t rank;
    if (!written->options.trust_structure ||
        !dd_verify_rank_of_rates(written, dd_numeric_new(written, &written->original, &written->inc, scratch), &rank,
                                 scratch)) {
        return (counts){0};
    }
    const int64_t visible = (int64_t)written->declared - rank, hidden = (int64_t)rank - written->dof;
    const bool structural =
        written->certificate == DD_CERTIFICATE_STRUCTURAL && written->index > 1 && visible == written->visible.len;
    if (hidden != 0 && !(hidden > 0 && structural)) {
        return (counts){0};
    }
    return (counts){.known = true,
                    .index = hidden > 0 ? (uint32_t)written->index : visible > 0,
                    .visible = (uint32_t)visible,
                    .hidden = (uint32_t)hidden};
}

/* Constant coefficients: the rows as written are a matrix pencil, whose index is found exactly. Any coefficients: the
 * same for coefficients that vary, which is no proof but right unless they are related in ways that only solutions
 * know. */
static counts by_pencil(dd_system *written, bool any_coefficients)
{
    const dd_pencil_index p = dd_field_pencil(written, &written->inc, any_coefficients);
    const bool same_dof = (int)(written->declared - p.visible - p.hidden) == written->dof;
    return (counts){p.known && p.regular && same_dof, p.index, p.visible, p.hidden};
}

/* The definition, where it is cheap: ranks of the derivative array. */
static counts by_array(dd_system *written, dd_pool *scratch)
{
    const bool converted = written->certificate == DD_CERTIFICATE_CONVERTED;
    if (dd_array_rows(written, (uint32_t)written->index) > (converted ? DD_ARRAY_CONVERTED : DD_ARRAY_CHEAP)) {
        return (counts){0};
    }
    dd_numeric *nm = dd_numeric_new(written, &written->original, &written->inc, scratch);
    const dd_array_verdict v =
        dd_system_derivative_array(written, nm, written->point.x, written->point.order + 1, false, scratch);
    /* a regular Jacobian proves the degrees of freedom: an array that finds others is too badly scaled to be
     * believed */
    const bool same_dof = (int)(written->declared - v.visible - v.hidden) == written->dof;
    return (counts){v.decided && v.finite_index && v.clear && same_dof, v.index, v.visible, v.hidden};
}

/* The cheapest test that decides. */
static counts count(dd_system *written, dd_pool *scratch)
{
    counts found = by_rank(written, scratch);
    found = found.known ? found : by_pencil(written, false);
    found = found.known ? found : by_array(written, scratch);
    return found.known || written->certificate != DD_CERTIFICATE_CONVERTED ? found : by_pencil(written, true);
}

/* Combined rows contain differentiated ones. The combination alone does not say how often these really are needed. */
static void warn_upper_bound(dd_system *s)
{
    uint32_t sure = 0;
    for (uint32_t i = 0; i < s->inc.n; i++) {
        /* rows that were not differentiated before they were combined are sure */
        if (!s->eqs.data[i].definition && s->eqs.data[i].depth == 0) {
            sure = s->off.c1[i] > sure ? s->off.c1[i] : sure;
        }
    }
    if ((int)sure < s->index) {
        dd_system_warn(s, "the index is at most %d, as equations were differentiated before they were combined",
                       s->index);
    }
}

void dd_verify_counts(dd_system *s)
{
    counts found = {0};
    if (s->ncols > 0 && s->declared <= DD_PENCIL_MOST) {
        dd_pool *scratch = dd_pool_child(s->pool);
        dd_system written = dd_verify_written(s, scratch);
        found = count(&written, scratch);
        dd_pool_free(scratch);
    }
    if (found.known) {
        dd_answer_take_counts(s, found.index, found.visible, found.hidden);
    } else if (s->certificate == DD_CERTIFICATE_CONVERTED) {
        dd_pool *scratch = dd_pool_child(s->pool);
        dd_verify_constraint_counts(s, scratch);
        warn_upper_bound(s);
        dd_pool_free(scratch);
    }
}
