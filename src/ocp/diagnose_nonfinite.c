/* diagnose_nonfinite.c - which function of the model, or which derivative, is not a finite number at a point. */
#include <math.h>

#include "ocp/columns.h"
#include "ocp/diagnose.h"
#include "ocp/shooting.h"

/* An entry of the Jacobian, or of the gradient, that is not finite. */
static const char *derivative_words(dd_ocp *p, const double *y, const char *where)
{
    const dd_transcription *t = p->transcription;
    const dd_nlp *nlp = t->nlp;
    dd_pool *pool = dd_pool_child(p->pool);
    /* one array for both: the Jacobian is looked at before the gradient overwrites it */
    double *values = dd_pool_alloc_array(pool, nlp->jacobian_nnz + nlp->n + 1, sizeof *values);
    const dd_column *columns = dd_ocp_columns(t, pool);
    uint32_t row = UINT32_MAX, col = UINT32_MAX;
    /* a second look at the same point: nothing is wrong with the derivatives */
    if (nlp->jacobian(nlp->user, y, true, values) && nlp->gradient(nlp->user, y, false, values)) {
        dd_pool_free(pool);
        return NULL;
    }
    /* the first entry that is not finite: its row, then its variable */
    nlp->jacobian(nlp->user, y, true, values);
    for (uint32_t k = 0; k < nlp->jacobian_nnz && col == UINT32_MAX; k++) {
        row = !isfinite(values[k]) ? nlp->jacobian_row[k] : row;
        col = !isfinite(values[k]) ? nlp->jacobian_col[k] : col;
    }
    nlp->gradient(nlp->user, y, false, values);
    for (uint32_t j = 0; j < nlp->n && col == UINT32_MAX; j++) {
        col = !isfinite(values[j]) ? j : col;
    }
    /* taps and other auxiliary variables have no decision behind them */
    const dd_decision *d = col != UINT32_MAX ? dd_column_decision(p->problem, &columns[col]) : NULL;
    dd_text text = dd_text_new(p->pool);
    dd_text_add(&text, "the derivative of ");
    if (row != UINT32_MAX) {
        dd_transcription_row_name(t, row, &text);
    } else {
        dd_text_add(&text, col != UINT32_MAX ? "the objective" : "a function of the model");
    }
    double theta = row != UINT32_MAX ? t->tags.data[row].theta : col != UINT32_MAX ? columns[col].theta : 0;
    /* the variable and its value there: mostly a root or a quotient at zero */
    if (d != NULL) {
        const char *name = dd_model_var_name_dup(p->problem->model, d->var, p->pool);
        dd_text_printf(&text,
                       " by %s is not a finite number at time %.4g%s, where %s = %.6g; keep %s away from there by "
                       "an initialGuess or a bound",
                       name, dd_transcription_time(t, y, theta), where, name, y[col] * d->scale, name);
    } else {
        dd_text_printf(&text, " is not a finite number%s", where);
    }
    dd_pool_free(pool);
    return dd_text_str(&text);
}

/* Which function is not finite at y, or has such a derivative; NULL: none. */
const char *dd_ocp_nonfinite_words(dd_ocp *p, const double *y, const char *where)
{
    dd_transcription *t = p->transcription;
    uint32_t family, point, output;
    /* values come before derivatives: a value that is missing has no derivative either */
    if (dd_elements_nonfinite(t->elements, y, &family, &point, &output)) {
        return dd_transcription_nonfinite_words(t, y, family, point, output, where);
    }
    const char *words = t->shooting != NULL ? dd_shooting_failure(t->shooting, y, where) : NULL;
    if (words == NULL && t->shooting != NULL) {
        words = dd_shooting_derivative_failure(t->shooting, y, where);
    }
    return words != NULL ? words : derivative_words(p, y, where);
}
