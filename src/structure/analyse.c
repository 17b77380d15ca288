/* analyse.c - the whole analysis, from a flat model to a dd_system, and its policy: which attempt at an answer follows
 * which. Start reading at decide().
 *
 *   rows.c     sets of rows: first order -> offsets -> generic rank -> (combine rows, again)
 *   witness.c  a consistent point, and the rank there
 *   attempt.c  one attempt: rows (and point) in, answer out. Regular: index, constraints and reduced system from the
 *              offsets (answer.c), counts verified by definition (verify.c). Singular: ranks of the derivative array
 *              at that point (attempt_array.c)
 *   analyse.c  takes the answer, or decides which rows are tried next
 */
#include "structure/answer.h"
#include "structure/attempt.h"
#include "structure/derivative_array.h"
#include "structure/rows.h"

dd_analyse_options dd_analyse_options_default(void)
{
    return (dd_analyse_options){.rank_tolerance = 1e-9, .max_index = 12};
}

/* ---- the policy ---- */

/* The start values lead to a singular point, and that is what they say: not a guess that Newton's method could not
 * leave, where another guess is as good, and not a point that was found regular with the values that were given. */
static bool starts_singular(const dd_witness *w)
{
    const bool left = w->regular && !w->moved && !w->start.consistent && w->stuck;
    const bool regular_as_given = w->regular && !w->moved && w->guess <= DD_GUESS_FILLED;
    return w->singular_start && !left && !regular_as_given;
}

static bool any_converted(const dd_system *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->eqs.len && !any; i++) {
        any = s->eqs.data[i].converted;
    }
    return any;
}

/* Ranks of the derivative array can be afforded. */
static bool is_small(const dd_system *rows)
{
    return dd_array_rows(rows, 2) <= DD_ARRAY_CONVERTED;
}

/* The answer from rows in the given state; known: their witness, where there is one already. Other rows are tried at
 * most twice: rows are combined once, and put onto a factor once. */
static dd_system *decide(dd_system *rows, dd_rows_state state, const dd_witness *known)
{
    for (;;) {
        if (state == DD_ROWS_REFUSED) {
            return rows;
        }
        if (state == DD_ROWS_DECEPTIVE) {
            return dd_attempt_as_written(rows, NULL);
        }
        rows->general_warnings = rows->warnings.len;
        const dd_witness w = known ? *known : dd_system_find_witness(rows);
        const bool singular_start = starts_singular(&w);
        known = NULL;

        /* the best answer that these rows have: regular at a point, or linear and in need of none */
        dd_system *answer = NULL;
        if (!w.regular) {
            answer = dd_attempt_without_point(rows);
            if (answer) {
                return answer;
            }
        } else if (!singular_start) {
            answer = dd_attempt_regular(rows, &w.point, !w.moved);
            if (dd_answer_agrees(answer)) {
                dd_attempt_complete(answer);
                return answer;
            }
        }

        /* x' - y = 0 and a + (x' - y)*u = 0 look regular away from their solutions only; rows with dependent
         * derivatives hide constraints from a structure that counts them right all the same. Combined rows show
         * either */
        dd_system *next = dd_rows_combined(rows, &state);
        if (!next && answer) {
            dd_attempt_complete(answer);
            return answer;
        }

        /* nothing to combine: the definition decides at a singular start, else the factor of a row on which it lies */
        if (!next && singular_start) {
            answer = dd_attempt_at_singular_start(rows, &w);
            next = answer ? NULL : dd_rows_on_factor(rows, &w);
            /* rank is lost on all solutions: combined rows can do so where those as written do not, and a structure lies
             * where terms vanish on solutions. The definition decides wherever it can */
            const bool everywhere = !next && !answer && w.start.consistent && is_small(rows);
            if (everywhere && any_converted(rows)) {
                return dd_attempt_as_written(rows, &w);
            }
            if (everywhere && !w.regular) {
                answer = dd_attempt_by_definition(rows);
            }
            if (!next) {
                return answer ? answer : dd_attempt_beside_singular_start(rows, &w);
            }
            state = DD_ROWS_REGULAR;
        }

        /* no point confirms the rows: the definition again where it can be afforded */
        if (!next) {
            return is_small(rows) ? dd_attempt_as_written(rows, &w) : dd_attempt_unconfirmed(rows, &w);
        }
        rows = next;
    }
}

/* ---- the answer again ---- */

/* The order of the analysis, with zeros where the given series are shorter. */
static dd_taylor_point point_of(const dd_system *s, const double *x, uint32_t stride)
{
    uint32_t order = s->off.max_d + 1;
    dd_taylor_point point = {.order = order, .consistent = true};
    point.x = dd_pool_alloc_array(s->pool, (size_t)s->ncols * (order + 1) + 1, sizeof *point.x);
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t k = 0; k <= order && k < stride; k++) {
            point.x[(size_t)j * (order + 1) + k] = x[(size_t)j * stride + k];
        }
    }
    return point;
}

bool dd_system_answer_at(dd_system *s, const double *x, uint32_t stride)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    const dd_taylor_point point = point_of(s, x, stride);
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_regularity at = dd_point_regularity(s, dd_system_numeric(s), &s->off, &blocks, &point, s->pool);
    if (!at.finite) {
        /* a slope of sqrt at 0: no rank can be taken there, and that is no reason to call the start singular */
    } else if (!at.singular) {
        /* the same rows with another witness; warnings of the answer before go with it */
        dd_system *rows = dd_attempt_new(s->unanswered);
        rows->certificate = any_converted(s) ? DD_CERTIFICATE_CONVERTED : DD_CERTIFICATE_STRUCTURAL;
        rows->warnings.len = s->general_warnings;
        *s = *decide(rows, DD_ROWS_REGULAR, &(dd_witness){.regular = true, .point = point});
    } else {
        s->certificate = DD_CERTIFICATE_UNDECIDED;
        dd_system_forget_unconfirmed(s);
        dd_attempt_warn_singular_start(s, &at, point.x, point.order + 1, s->point.consistent);
    }
    dd_pool_free(scratch);
    return !at.singular;
}

void dd_system_refuse_inconsistent(dd_system *s, const char *reason)
{
    dd_system *refused = dd_attempt_new(s->unanswered);
    refused->warnings.len = 0;
    refused->certificate = DD_CERTIFICATE_UNDECIDED;
    dd_answer_refuse(refused, DD_VERDICT_INCONSISTENT, reason);
    *s = *refused;
}

/* ---- public calls ---- */

typedef struct analyse_call {
    const dd_model *model;
    dd_pool *pool;
    const dd_analyse_options *options;
    dd_system *system;
} analyse_call;

static dd_system *analysed(const dd_model *model, const dd_analyse_options *options, dd_pool *pool)
{
    dd_system *s = dd_pool_alloc(pool, sizeof *s);
    s->model = dd_model_copy(model, pool); /* velocities and auxiliary unknowns are added to it */
    s->ctx = model->ctx;
    s->pool = pool;
    s->options = *options;
    s->array = dd_pool_alloc(pool, sizeof *s->array);
    s->reason = "";
    dd_rows_state state = dd_rows_first(s);
    state = state == DD_ROWS_REFUSED ? state : dd_rows_repair(s);
    return decide(s, state, NULL);
}

static void analyse_body(void *arg)
{
    analyse_call *call = arg;
    dd_analyse_options options = call->options ? *call->options : dd_analyse_options_default();
    call->system = analysed(call->model, &options, call->pool);
    /* words about a model that is wrong, or in doubt, are about all of it */
    if (options.fewer_unknowns &&
        (call->system->verdict != DD_VERDICT_OK || call->system->certificate == DD_CERTIFICATE_UNDECIDED)) {
        options.fewer_unknowns = false;
        call->system = analysed(call->model, &options, call->pool);
    }
}

dd_status dd_model_analyse(dd_system **out, const dd_model *model, const dd_analyse_options *options)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !model) {
        return DD_INVALID_ARGUMENT;
    }
    if (model->failure != DD_OK) {
        return dd_model_first_failure(model);
    }
    analyse_call call = {.model = model, .options = options, .pool = dd_pool_new(model->ctx)};
    if (!call.pool) {
        return dd_fail(model->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    dd_status st = dd_protect(model->ctx, analyse_body, &call);
    if (st != DD_OK) {
        dd_pool_free(call.pool);
        return st;
    }
    *out = call.system;
    return DD_OK;
}

void dd_system_free(dd_system *s)
{
    if (s) {
        dd_pool_free(s->pool);
    }
}
